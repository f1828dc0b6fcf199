//! Giving up beliefs; a property of every run.

use super::read::{Check, Facts, Row, Words};
use super::worlds::{LIMITS, Model, told};
use super::{broken, listed, right, ungrouped, wrong};
use crate::api::{BeliefPart, Block, CheckedAnswer, Choice, Drawing, Group, Meaning};
use ken_logic::Answer;
use ken_logic::belief::{Alpha, Base, Change, Reviser, Store};
use ken_logic::draw::chart::chart;
use serde::Deserialize;

// ---- Giving up beliefs

/// The beliefs are to be chosen that are given up when something is learned.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Revision {
    learned: Row,
    parts: Parts,
    #[serde(rename = "belief")]
    beliefs: Vec<Belief>,
}

/// What the parts of the base are called.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    core: Words,
    factual: Words,
    hypothetical: Words,
}

/// A part of the base.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    Core,
    Factual,
    Hypothetical,
}

/// A belief: what it is called in answers, its part of the base, its formula, and what that means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Belief {
    id: String,
    part: Part,
    text: String,
    means: Words,
}

/// What can be drawn.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RevisionPicture {
    Base,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RevisionSays {
    right: Words,
    clash: Words,
    core: Words,
    stays: Words,
    goes: Words,
}

impl Revision {
    /// What is given up, each with what it cannot hold together with.
    fn given_up(&self) -> Result<Vec<(&Belief, String)>, String> {
        let mut store = Store::new();
        let mut read = |text: &str| store.parse_basic(text).map_err(|problems| broken("belief", text, &problems));
        let learned = read(&self.learned.text.plain())?;
        let alphas = self.beliefs.iter().map(|belief| read(&belief.text)).collect::<Result<Vec<Alpha>, String>>()?;
        let of = |part: Part| {
            let here = self.beliefs.iter().zip(&alphas).filter(move |(belief, _)| belief.part == part);
            here.map(|(_, alpha)| *alpha).collect()
        };
        let base = Base { core: of(Part::Core), hypothetical: of(Part::Hypothetical), factual: of(Part::Factual) };
        let mut reviser = Reviser::new(&store, &base);
        let Change::Accepted { dropped, .. } = reviser.revise(&store, &[learned]) else {
            return Err("what is learned contradicts the core".to_string());
        };
        let believed = |alpha: Alpha| alphas.iter().position(|&known| known == alpha).map(|at| &self.beliefs[at]);
        let quoted = |alpha: Alpha| {
            let means = believed(alpha).map_or(&self.learned.means, |belief| &belief.means);
            format!("“{}”", means.plain())
        };
        let gone = dropped.iter().filter_map(|gone| {
            let others: Vec<String> = reviser.because(&store, gone).into_iter().map(quoted).collect();
            Some((believed(gone.formula)?, listed(&others)))
        });
        Ok(gone.collect())
    }
}

impl Check for Revision {
    type Picture = RevisionPicture;
    type Says = RevisionSays;

    fn sound(&self) -> Result<(), String> {
        self.given_up().map(drop)
    }

    fn facts(&self) -> Facts {
        vec![("learned", self.learned.means.plain()), ("formula", self.learned.text.plain())]
    }

    fn picture(&self, picture: RevisionPicture) -> Block {
        let Parts { core, factual, hypothetical } = &self.parts;
        let shown = |(part, name): (Part, &Words)| {
            let here = self.beliefs.iter().filter(|belief| belief.part == part);
            let meaning = |b: &Belief| Meaning { text: b.text.clone(), means: b.means.plain() };
            BeliefPart { name: name.plain(), beliefs: here.map(meaning).collect() }
        };
        let parts = [(Part::Core, core), (Part::Factual, factual), (Part::Hypothetical, hypothetical)];
        match picture {
            RevisionPicture::Base => Block::Beliefs { parts: parts.into_iter().map(shown).collect() },
        }
    }

    fn choices(&self) -> Vec<Group> {
        let choice = |belief: &Belief| Choice { id: belief.id.clone(), label: belief.means.plain() };
        ungrouped(self.beliefs.iter().map(choice).collect())
    }

    fn judge(&self, says: &RevisionSays, given: &[String]) -> CheckedAnswer {
        let gone = self.given_up().expect("the base was revised when the lesson was read");
        let chosen = |belief: &Belief| given.contains(&belief.id);
        let kept = |belief: &&Belief| !gone.iter().any(|(other, _)| other.id == belief.id);
        let first = given.iter().filter_map(|id| self.beliefs.iter().find(|belief| belief.id == *id)).find(kept);
        if let Some(belief) = first {
            let sentence = match belief.part {
                Part::Core => &says.core,
                Part::Factual | Part::Hypothetical => &says.stays,
            };
            return wrong(sentence.with(&[("belief", belief.means.plain())]));
        }
        let facts = |belief: &Belief, others: &String| [("belief", belief.means.plain()), ("others", others.clone())];
        if let Some((belief, others)) = gone.iter().find(|(belief, _)| !chosen(belief)) {
            return wrong(says.goes.with(&facts(belief, others)));
        }
        let lines = gone.iter().map(|(belief, others)| says.clash.with(&facts(belief, others))).collect();
        CheckedAnswer { lines, ..right(says.right.plain()) }
    }
}

// ---- A property of every run

/// The promise is to be chosen that is broken on some run of a system.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Promises {
    model: Model,
    shown: String,
    #[serde(rename = "promise")]
    promises: Vec<Promise>,
}

/// A promise: what it is called in answers, its formula, and what that means.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Promise {
    id: String,
    text: String,
    means: Words,
}

/// What can be drawn.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PromisesPicture {
    /// The run that decides the promise that is shown.
    Run,
    /// The promises with their meanings.
    Promises,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PromisesSays {
    right: Words,
    run: Words,
    kept: Words,
    one: Words,
}

impl Promises {
    fn promise(&self, id: &str) -> Option<&Promise> {
        self.promises.iter().find(|promise| promise.id == id)
    }

    /// Whether a promise is kept, with the account of it.
    fn asked(&self, promise: &Promise) -> Answer {
        let query = self.model.0.query(&promise.text).expect("it was read with the lesson");
        self.model.0.checker(LIMITS).ask(query.explained()).expect("a test asks about every promise")
    }

    /// The run that decides a promise, with a lane for each agent.
    fn run(&self, answer: &Answer, caption: String) -> Option<Drawing> {
        let (_, account) = answer.account()?;
        Some(Drawing { svg: chart(account, self.model.0.model.agents()), caption })
    }
}

impl Check for Promises {
    type Picture = PromisesPicture;
    type Says = PromisesSays;

    fn sound(&self) -> Result<(), String> {
        for promise in &self.promises {
            self.model.0.query(&promise.text).map_err(|problems| broken("promise", &promise.text, &problems))?;
        }
        match self.promise(&self.shown) {
            Some(_) => Ok(()),
            None => Err(format!("there is no promise `{}` to be `shown`", self.shown)),
        }
    }

    fn picture(&self, picture: PromisesPicture) -> Block {
        match picture {
            PromisesPicture::Run => {
                let shown = self.promise(&self.shown).expect("the lesson was read with it");
                let run = self.run(&self.asked(shown), String::new());
                Block::Drawing(run.expect("a test draws the run of every promise"))
            }
            PromisesPicture::Promises => {
                let meaning = |p: &Promise| Meaning { text: p.text.clone(), means: p.means.plain() };
                Block::Formulas { rows: self.promises.iter().map(meaning).collect() }
            }
        }
    }

    fn choices(&self) -> Vec<Group> {
        let choice = |promise: &Promise| Choice { id: promise.id.clone(), label: format!("`{}`", promise.text) };
        ungrouped(self.promises.iter().map(choice).collect())
    }

    fn judge(&self, says: &PromisesSays, given: &[String]) -> CheckedAnswer {
        let [id] = given else { return wrong(says.one.plain()) };
        let promise = self.promise(id).expect("every choice is a promise");
        let found = self.asked(promise);
        let lines = told(&found);
        match found.holds {
            true => CheckedAnswer { lines, ..wrong(says.kept.with(&[("means", promise.means.plain())])) },
            false => CheckedAnswer { lines, drawing: self.run(&found, says.run.plain()), ..right(says.right.plain()) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::{File, Taught, read};
    use super::*;

    #[test]
    fn the_account_of_a_promise_is_about_that_promise() {
        let lesson: File<Promises> = read("time", include_str!("time.toml")).expect("it can be read");
        for promise in &lesson.check.promises {
            let (name, formula) = (&promise.id, &promise.text);
            let found = lesson.check.asked(promise);
            let (_, account) = found.account().expect("the engine has an account");
            let holds = found.holds;
            assert_eq!((&account.formula, account.holds), (formula, holds));
            assert!(lesson.check.run(&found, String::new()).is_some(), "{name}");
            let answer = lesson.check(std::slice::from_ref(name));
            assert_eq!(answer.right, !holds, "{name}");
            let verdict = format!("{formula} {}", if holds { "holds" } else { "fails" });
            assert!(answer.lines[0].replace('`', "").starts_with(&verdict), "{name}: {:?}", answer.lines);
            let stranger = |line: &&String| line.contains("AF ") && !line.contains(formula);
            assert_eq!(answer.lines.iter().find(stranger), None, "{name}");
        }
    }
}
