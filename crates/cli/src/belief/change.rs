//! `ken belief revise` and `ken belief update`: what a base becomes.
//!
//! As text both tell a summary, and everything with `--details`. As data the base is always complete; reasons are found one
//! by one and can be as long as the base, so that only the first few formulas that are given up have theirs, unless details
//! are asked for, and a long one is cut: what is printed grows with the base, not with its square.

use super::{Answer, Named, named};
use crate::input::Failure;
use ken_logic::belief::{Alpha, BeliefFile, Change, Dropped, Part, Purpose, Reviser, Store};
use serde_json::{Value, json};

/// So many formulas that are given up have reasons in a summary.
const FIRST: usize = 10;

/// The most formulas that are told as the reason why one is given up.
const REASONS: usize = 50;

/// So many of them stand in the line of a summary.
const IN_A_LINE: usize = 3;

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Factual => "factual",
        Part::Hypothetical => "hypothetical",
    }
}

fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn facts_and_hypotheses(facts: usize, hypotheses: usize) -> String {
    format!("{}, {}", counted(facts, "fact", "facts"), counted(hypotheses, "hypothesis", "hypotheses"))
}

/// A formula that is given up, with what it cannot hold with if that was asked for.
struct Gone {
    text: String,
    part: Part,
    because: Option<Because>,
}

/// The first of the formulas, and how many more there are.
struct Because {
    shown: Vec<String>,
    more: usize,
}

impl Gone {
    fn data(&self) -> Value {
        let mut data = json!({"formula": self.text, "from": part_name(self.part)});
        if let Some(because) = &self.because {
            data["because"] = json!(because.shown);
            if because.more > 0 {
                data["more"] = json!(because.more);
            }
        }
        data
    }

    /// In a line.
    fn line(&self) -> String {
        let why = match &self.because {
            None => String::new(),
            Some(because) if because.shown.is_empty() => ": the core excludes it".to_string(),
            Some(because) => {
                let first = &because.shown[..because.shown.len().min(IN_A_LINE)];
                match because.shown.len() - first.len() + because.more {
                    0 => format!(": it cannot hold with {}", first.join("; ")),
                    more => format!(": it cannot hold with {}; and {more} more", first.join("; ")),
                }
            }
        };
        format!("given up, {}: {}{why}", part_name(self.part), self.text)
    }

    /// In full.
    fn tell(&self, answer: &mut Answer) {
        answer.say(2, &format!("given up, {}: {}", part_name(self.part), self.text));
        match &self.because {
            Some(because) if !because.shown.is_empty() => {
                answer.list(4, "it cannot hold with", &because.shown);
                if because.more > 0 {
                    answer.say(6, &format!("and {} more", because.more));
                }
            }
            Some(_) => answer.say(4, "the core excludes it"),
            None => {}
        }
    }
}

fn because(store: &Store, file: &BeliefFile, reviser: &mut Reviser, gone: &Dropped) -> Because {
    let all = reviser.because(store, gone);
    let shown: Vec<String> = all.iter().take(REASONS).map(|&alpha| file.any_text(store, alpha)).collect();
    Because { more: all.len() - shown.len(), shown }
}

pub(super) fn revise(text: &Named<'_>, details: bool) -> Result<Answer, Failure> {
    let mut store = Store::new();
    let file = text.file(&mut store, Purpose::Revision)?;
    let mut reviser = Reviser::new(&store, &file.base);
    let change = reviser.revise(&store, &file.input);
    let list = |part, all: &[Alpha]| all.iter().map(|&alpha| file.text(&store, part, alpha)).collect::<Vec<_>>();
    let core = named(&store, &file, &file.base.core);
    let hypothetical = list(Part::Hypothetical, reviser.hypothetical());
    let factual = list(Part::Factual, reviser.factual());
    let mut data =
        json!({"accepted": change.accepted(), "core": core, "hypothetical": hypothetical, "factual": factual});
    let (added, dropped) = match change {
        Change::Refused { because } => {
            let because = named(&store, &file, &because);
            data["because"] = json!(because);
            let mut answer = Answer::new(false, "refused, nothing changes", data);
            match because.is_empty() {
                true => answer.say(2, "the core contradicts itself"),
                false => answer.list(2, "the core contradicts", &because),
            }
            return Ok(answer);
        }
        Change::Accepted { added, dropped } => (added, dropped),
    };
    let tell = |(at, gone): (usize, &Dropped)| Gone {
        text: file.text(&store, gone.part, gone.formula),
        part: gone.part,
        because: (details || at < FIRST).then(|| because(&store, &file, &mut reviser, gone)),
    };
    let gone: Vec<Gone> = dropped.iter().enumerate().map(tell).collect();
    data["dropped"] = gone.iter().map(Gone::data).collect();
    let mut answer = Answer::new(true, "accepted", data);
    if details {
        answer.list(2, "facts", &factual);
        answer.list(2, "hypotheses", &hypothetical);
        gone.iter().for_each(|gone| gone.tell(&mut answer));
        return Ok(answer);
    }
    let lost = |part| dropped.iter().filter(|gone| gone.part == part).count();
    let kept = facts_and_hypotheses(factual.len() - added.len(), hypothetical.len());
    answer.say(2, &format!("new: {}; kept: {kept}", counted(added.len(), "fact", "facts")));
    let lost = facts_and_hypotheses(lost(Part::Factual), lost(Part::Hypothetical));
    answer.say(2, &format!("given up: {lost}"));
    gone.iter().take(FIRST).for_each(|gone| answer.say(4, &gone.line()));
    if gone.len() > FIRST {
        answer.say(4, &format!("and {} more: see --details", gone.len() - FIRST));
    }
    Ok(answer)
}

pub(super) fn update(text: &Named<'_>, details: bool) -> Result<Answer, Failure> {
    let mut store = Store::new();
    let file = text.file(&mut store, Purpose::Base)?;
    let Some(after) = file.base.update(&mut store) else {
        return Err(Failure::usage(format!("a time of the base is {}, and nothing is later", u32::MAX)));
    };
    let list = |all: &[Alpha]| all.iter().map(|&alpha| store.show_basic(alpha)).collect::<Vec<_>>();
    let core = named(&store, &file, &after.core);
    let (hypothetical, factual) = (list(&after.hypothetical), list(&after.factual));
    let summary = facts_and_hypotheses(factual.len(), hypothetical.len());
    let data = json!({"core": core, "hypothetical": hypothetical, "factual": factual});
    let mut answer = Answer::new(true, "updated", data);
    if details {
        answer.list(2, "facts", &factual);
        answer.list(2, "hypotheses", &hypothetical);
    } else {
        answer.say(2, &format!("all times of the mutable base are one later: {summary}"));
        let first: Vec<String> = factual.iter().chain(&hypothetical).take(FIRST).cloned().collect();
        first.iter().for_each(|formula| answer.say(4, formula));
        let all = factual.len() + hypothetical.len();
        if all > FIRST {
            answer.say(4, &format!("and {} more: see --details", all - FIRST));
        }
    }
    Ok(answer)
}
