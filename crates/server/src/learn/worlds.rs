//! What it is to know; muddy children; everybody knows and common knowledge.

use super::read::{Check, Facts, Words};
use super::{SHARED, broken, listed, right, ungrouped, unread, wrong};
use crate::api::{Block, CheckedAnswer, Choice, Drawing, Group};
use ken_logic::draw;
use ken_logic::formula::{Action, F, Formula};
use ken_logic::model::{BitSet, Kripke};
use ken_logic::{Answer, Document, Format, Limits, Query, QueryKind};
use serde::Deserialize;

/// Enough for every formula that a lesson asks for; a longer thought is stopped.
pub(super) const LIMITS: Limits = Limits { worlds: 20_000, diagram_bytes: 64 << 20 };

/// Formulas with more parts than this take longer than a lesson.
const PARTS: u64 = 5_000;

/// Deeper formulas are not what a lesson asks for.
const DEEP: usize = 300;

/// A model: its text in several lines, or the name of one of the library.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Model(pub(super) Document);

impl TryFrom<String> for Model {
    type Error = String;

    fn try_from(written: String) -> Result<Model, String> {
        let source = match written.contains('\n') {
            true => written.as_str(),
            false => ken_arena::library::model(&written)
                .ok_or_else(|| format!("there is no model `{written}` in the library"))?,
        };
        let document = Document::read(source, Format::Ken).map_err(|problems| broken("model", source, &problems))?;
        Ok(Model(document))
    }
}

impl Model {
    /// What is wrong with a formula of the file.
    fn reads(&self, formula: &str) -> Result<F, String> {
        self.0.formula(formula).map_err(|problems| broken("formula", formula, &problems))
    }

    /// A formula that `Check::sound` has read.
    fn formula(&self, formula: &str) -> F {
        self.0.formula(formula).expect("it was read with the lesson")
    }

    fn kripke(&self) -> Kripke {
        self.0.checker(LIMITS).listed().expect("tests list the worlds of every model").clone()
    }

    fn truth(&self, formula: &F) -> BitSet {
        self.0.checker(LIMITS).truth(formula).expect("tests check every formula of a lesson")
    }

    /// Whether a formula holds at the point, with the reasons in lines.
    fn at_point(&self, formula: F) -> Result<(bool, Vec<String>), Refused> {
        let query = Query::new(QueryKind::Check, formula);
        match self.0.checker(LIMITS).ask(query.explained()) {
            Ok(answer) => Ok((answer.holds, told(&answer))),
            Err(error) => Err(refused(SHARED.formula.unchecked.with(&[("error", error.to_string())]))),
        }
    }

    /// Reads the formula of an answer; what is not one, or not one for a model of worlds, is told.
    fn read(&self, given: &[String]) -> Result<F, Refused> {
        let says = &SHARED.formula;
        let [typed] = given else { return Err(refused(says.one.plain())) };
        let formula = self.0.formula(typed).map_err(|problems| Box::new(unread(&says.unread, typed, &problems)))?;
        match formula.is_temporal() {
            true => Err(refused(says.timed.plain())),
            false if formula.depth() > DEEP || formula.size() > PARTS => Err(refused(says.large.plain())),
            false => Ok(formula),
        }
    }
}

/// The reason of an answer in lines.
pub(super) fn told(answer: &Answer) -> Vec<String> {
    answer.reason.iter().flat_map(|reason| reason.lines()).map(|line| line.to_string()).collect()
}

fn drawing(model: &Kripke, truth: Option<(&str, BitSet)>, caption: String) -> Drawing {
    let truth = truth.map(|(formula, worlds)| (formula.to_string(), worlds));
    let options = draw::Options { point: model.point(), truth, ..draw::Options::default() };
    Drawing { svg: draw::svg(model, &options), caption }
}

/// A drawing whose caption is in the lesson.
fn drawn(model: &Kripke) -> Block {
    Block::Drawing(drawing(model, None, String::new()))
}

/// Why a formula cannot be looked at any further.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Refusals {
    one: Words,
    unread: Words,
    timed: Words,
    large: Words,
    unchecked: Words,
}

/// An answer that cannot be looked at any further.
type Refused = Box<CheckedAnswer>;

fn refused(why: String) -> Refused {
    Box::new(wrong(why))
}

fn settled(checked: Result<CheckedAnswer, Refused>) -> CheckedAnswer {
    checked.unwrap_or_else(|refused| *refused)
}

// ---- In which worlds does somebody know something?

/// The worlds are to be chosen in which the knower knows what is known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Knows {
    knower: String,
    known: String,
    model: Model,
    worlds: Vec<World>,
}

/// A world as people call it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct World {
    id: String,
    label: Words,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KnowsPicture {
    Worlds,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnowsSays {
    right: Words,
    filled: Words,
    untrue: Words,
    unsure: Words,
    missed: Words,
}

impl Knows {
    fn claim(&self) -> String {
        format!("K[{}] ({})", self.knower, self.known)
    }
}

impl Check for Knows {
    type Picture = KnowsPicture;
    type Says = KnowsSays;

    fn sound(&self) -> Result<(), String> {
        self.model.reads(&self.known)?;
        self.model.reads(&self.claim())?;
        let model = self.model.kripke();
        let labelled = |name: &String| self.worlds.iter().any(|world| world.id == *name);
        match (0..model.size()).map(|world| model.name(world)).find(|name| !labelled(name)) {
            Some(name) => Err(format!("the world `{name}` of the model has no label in `worlds`")),
            None if self.worlds.len() != model.size() => Err("`worlds` has more worlds than the model".to_string()),
            None => Ok(()),
        }
    }

    fn facts(&self) -> Facts {
        vec![("claim", self.claim()), ("known", self.known.clone())]
    }

    fn picture(&self, picture: KnowsPicture) -> Block {
        match picture {
            KnowsPicture::Worlds => drawn(&self.model.kripke()),
        }
    }

    fn choices(&self) -> Vec<Group> {
        let choice = |world: &World| Choice { id: world.id.clone(), label: world.label.plain() };
        ungrouped(self.worlds.iter().map(choice).collect())
    }

    fn judge(&self, says: &KnowsSays, given: &[String]) -> CheckedAnswer {
        let model = self.model.kripke();
        let holds = self.model.truth(&self.model.formula(&self.claim()));
        let inside = self.model.truth(&self.model.formula(&self.known));
        let knower = model.agent(&self.knower).expect("the claim that was read is about an agent of the model");
        let chosen = BitSet::from_fn(model.size(), |w| given.contains(&model.name(w)));
        if let Some(world) = chosen.iter().find(|&w| !holds.contains(w)) {
            let here = ("here", model.name(world));
            // What is not so cannot be known; what is so, but not known, is not so in a world that looks the same.
            let other = model.possible(knower, world).into_iter().find(|&w| !inside.contains(w));
            return wrong(match other.filter(|_| inside.contains(world)) {
                Some(other) => says.unsure.with(&[here, ("there", model.name(other))]),
                None => says.untrue.with(&[here]),
            });
        }
        if let Some(world) = holds.iter().find(|&w| !chosen.contains(w)) {
            let possible: Vec<String> =
                model.possible(knower, world).into_iter().map(|w| format!("`{}`", model.name(w))).collect();
            return wrong(says.missed.with(&[("here", model.name(world)), ("possible", listed(&possible))]));
        }
        let drawing = drawing(&model, Some((&self.claim(), holds)), says.filled.plain());
        CheckedAnswer { drawing: Some(drawing), ..right(says.right.plain()) }
    }
}

// ---- What do announcements teach?

/// A formula is to be typed that is false before the announcements and true after them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Announced {
    model: Model,
    announced: Vec<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AnnouncedPicture {
    /// What the first announcement leaves.
    Told,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnnouncedSays {
    right: Words,
    already: Words,
    still: Words,
}

impl Announced {
    /// The formula after all announcements.
    fn after(&self, formula: F) -> F {
        let announce = |then: F, spoken: &String| Formula::after(Action::Announce(self.model.formula(spoken)), then);
        self.announced.iter().rev().fold(formula, announce)
    }

    fn judged(&self, says: &AnnouncedSays, given: &[String]) -> Result<CheckedAnswer, Refused> {
        let formula = self.model.read(given)?;
        let (before, why) = self.model.at_point(formula.clone())?;
        if before {
            return Ok(CheckedAnswer { lines: why, ..wrong(says.already.plain()) });
        }
        let (holds, why) = self.model.at_point(self.after(formula))?;
        Ok(match holds {
            true => CheckedAnswer { lines: why, ..right(says.right.plain()) },
            false => CheckedAnswer { lines: why, ..wrong(says.still.plain()) },
        })
    }
}

impl Check for Announced {
    type Picture = AnnouncedPicture;
    type Says = AnnouncedSays;

    fn sound(&self) -> Result<(), String> {
        if self.announced.is_empty() {
            return Err("nothing is `announced`".to_string());
        }
        self.announced.iter().try_for_each(|spoken| self.model.reads(spoken).map(drop))
    }

    fn facts(&self) -> Facts {
        let announced: Vec<String> = self.announced.iter().map(|spoken| format!("[announce {spoken}]")).collect();
        vec![("announcements", announced.join(" "))]
    }

    fn picture(&self, picture: AnnouncedPicture) -> Block {
        match picture {
            AnnouncedPicture::Told => {
                let told = self.model.truth(&self.model.formula(&self.announced[0]));
                drawn(&self.model.kripke().restrict(&told).0)
            }
        }
    }

    fn judge(&self, says: &AnnouncedSays, given: &[String]) -> CheckedAnswer {
        settled(self.judged(says, given))
    }
}

// ---- Which formula tells two models apart?

/// A formula is to be typed that is true at the point of the left model and false at that of the right.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pictures {
    left: Model,
    right: Model,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Left,
    Right,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PicturesSays {
    common: Words,
    steps: Words,
    reversed: Words,
    both: Words,
    neither: Words,
}

impl Pictures {
    fn judged(&self, says: &PicturesSays, given: &[String]) -> Result<CheckedAnswer, Refused> {
        let (on_left, why_left) = self.left.at_point(self.left.read(given)?)?;
        let formula = self.right.read(given)?;
        let common = formula.any(&mut |f| matches!(f, Formula::Common(..)));
        let (on_right, why_right) = self.right.at_point(formula)?;
        let (lines, checked) = match (on_left, on_right) {
            (true, false) if common => (why_left, right(says.common.plain())),
            (true, false) => (why_left, right(says.steps.plain())),
            (false, true) => (why_left, wrong(says.reversed.plain())),
            (true, true) => (why_right, wrong(says.both.plain())),
            (false, false) => (why_left, wrong(says.neither.plain())),
        };
        Ok(CheckedAnswer { lines, ..checked })
    }
}

impl Check for Pictures {
    type Picture = Side;
    type Says = PicturesSays;

    fn picture(&self, side: Side) -> Block {
        match side {
            Side::Left => drawn(&self.left.kripke()),
            Side::Right => drawn(&self.right.kripke()),
        }
    }

    fn judge(&self, says: &PicturesSays, given: &[String]) -> CheckedAnswer {
        settled(self.judged(says, given))
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::{File, Taught, read};
    use super::*;

    fn knowing() -> File<Knows> {
        read("knowing", include_str!("knowing.toml")).expect("it can be read")
    }

    fn muddy() -> File<Announced> {
        read("muddy", include_str!("muddy.toml")).expect("it can be read")
    }

    fn common() -> File<Pictures> {
        read("common", include_str!("common.toml")).expect("it can be read")
    }

    /// At which worlds of a model a formula holds.
    fn where_true(model: &Model, formula: &str) -> Vec<String> {
        let formula = model.reads(formula).unwrap_or_else(|problem| panic!("{problem}"));
        let names = model.kripke();
        model.truth(&formula).iter().map(|world| names.name(world)).collect()
    }

    fn at_the_point(model: &Model, formula: &str) -> bool {
        let formula = model.reads(formula).unwrap_or_else(|problem| panic!("{problem}"));
        model.at_point(formula).expect("an answer").0
    }

    #[test]
    fn every_claim_in_the_words_of_these_lessons_is_what_the_engine_finds() {
        // Anna knows `first` in `both` and `first`; she never knows about the second.
        let coins = knowing().check;
        assert_eq!(where_true(&coins.model, "K[anna] first"), ["both", "first"]);
        assert_eq!(where_true(&coins.model, "Kw[anna] second"), [""; 0]);
        assert_eq!(where_true(&coins.model, "Kw[anna] first & Kw[ben] second").len(), coins.worlds.len());
        // The sentence of the father is nothing new, and what silence teaches.
        let children = muddy().check.model;
        let one = "((muddy(1) & !muddy(2) & !muddy(3)) | (!muddy(1) & muddy(2) & !muddy(3)) | (!muddy(1) & !muddy(2) & muddy(3)))";
        let all = "(muddy(1) & muddy(2) & muddy(3))";
        for (formula, holds) in [
            (all.to_string(), true),
            ("E[all] someone".to_string(), true),
            ("C[all] someone".to_string(), false),
            ("[announce someone] C[all] someone".to_string(), true),
            (format!("[announce someone] C[all] !{one}"), false),
            (format!("[announce someone] [announce nobody] C[all] !{one}"), true),
            (format!("[announce someone] [announce nobody] C[all] {all}"), false),
            (format!("[announce someone] [announce nobody] [announce nobody] C[all] {all}"), true),
        ] {
            assert_eq!(at_the_point(&children, &formula), holds, "{formula}");
        }
        assert_eq!(where_true(&children, "someone").len(), 7, "seven worlds are left after the father has spoken");
        // Two pictures in which everybody knows p, and only in one of them it is common knowledge.
        let Pictures { left, right } = common().check;
        for (picture, common) in [(left, false), (right, true)] {
            assert!(at_the_point(&picture, "E[all] p & K[anna] p & K[ben] p"));
            assert_eq!(at_the_point(&picture, "C[all] p"), common);
            assert_eq!(at_the_point(&picture, "K[anna] K[ben] p"), common);
        }
    }

    #[test]
    fn every_formula_that_a_lesson_explains_can_be_read() {
        let (knowing, muddy, common) = (knowing(), muddy(), common());
        // `p` stands for any formula among the muddy children.
        let lessons: [(&dyn Taught, &Model, &str); 3] = [
            (&knowing, &knowing.check.model, "p"),
            (&muddy, &muddy.check.model, "someone"),
            (&common, &common.check.left, "p"),
        ];
        for (lesson, model, p) in lessons {
            let rows = |block| if let Block::Formulas { rows } = block { rows } else { Vec::new() };
            let rows: Vec<_> = lesson.blocks().into_iter().flat_map(rows).collect();
            assert!(!rows.is_empty(), "{}", lesson.info().id);
            for row in rows {
                let text = row.text.replace("] p", &format!("] {p}"));
                assert!(model.reads(&text).is_ok(), "{}: {}", lesson.info().id, row.text);
            }
        }
    }
}
