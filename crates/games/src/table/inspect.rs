//! Who knows what, since when, why; hints; timelines.

use serde::{Deserialize, Serialize};

/// What is known about a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// It is known to be true.
    Known,
    /// It is known to be false.
    Excluded,
    /// Both are possible.
    Open,
}

/// What a chain of subjects knows: `me > 1 > 2` is what I know that seat 1 knows that seat 2 knows.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Inspection {
    /// The chain, the asker first.
    pub chain: Vec<u8>,
    /// The chain in words: "what you know that seat 1 knows".
    pub words: String,
    /// How many worlds the first of the chain considers possible, with separators; a text since it may be huge.
    pub worlds: Option<String>,
    /// The rows, most telling first within each group.
    pub rows: Vec<FactRow>,
    /// What was typed in the filter box, if it was a formula: its own row.
    pub asked: Option<FactRow>,
    /// What a reader must know: "as certain as the convention", "hints are taken to be proper".
    pub note: Option<String>,
}

/// A fact with what is known about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FactRow {
    /// The fact as a formula, as `why` takes it.
    pub fact: String,
    /// The fact in words.
    pub words: String,
    /// What it is about: rows of one group stand together.
    pub group: String,
    /// The verdict.
    pub verdict: Known,
    /// The share of the worlds in which it is true, where that is counted.
    pub share: Option<f64>,
}

/// Why something is known, or why it is not.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Why {
    /// The fact as a formula.
    pub fact: String,
    /// The fact in words.
    pub words: String,
    /// The verdict.
    pub verdict: Known,
    /// The event after which it was first known (or excluded); the deal is 0.
    pub since: Option<usize>,
    /// What was seen then.
    pub since_words: Option<String>,
    /// The proof in sentences, if it is known or excluded and a proof was found. Every proof has passed its checker.
    pub proof: Vec<Sentence>,
    /// Why there is no proof although it is known: "too long to find out".
    pub unproved: Option<String>,
    /// If it is open: two worlds that fit everything seen and differ in it, the one where it is true first.
    pub worlds: Vec<WorldInfo>,
}

impl Why {
    /// The fact with its verdict, as a row of its own.
    pub(crate) fn row(&self) -> FactRow {
        FactRow {
            fact: self.fact.clone(),
            words: self.words.clone(),
            group: "asked".to_string(),
            verdict: self.verdict,
            share: None,
        }
    }
}

/// A sentence of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Sentence {
    /// How deep it stands: a case inside a case.
    pub depth: usize,
    /// The sentence.
    pub text: String,
    /// The event that it rests on, if it is a premise from the log.
    pub event: Option<usize>,
}

/// A world that fits what was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorldInfo {
    /// Whether the fact is true in it.
    pub holds: bool,
    /// Its parts: "seat 1", "plum, rope".
    pub parts: Vec<WorldPart>,
}

/// A part of a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorldPart {
    /// Whose or what.
    pub name: String,
    /// What is there.
    pub value: String,
    /// Whether the two worlds differ here.
    pub differs: bool,
}

/// How knowledge grew, as far as the reader may see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Timeline {
    /// A lane for each seat that may be shown: one's own while the match goes on, all when it is over.
    pub lanes: Vec<Lane>,
    /// What the height means: "log₂ of the deals that fit".
    pub unit: String,
}

/// The lane of a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Lane {
    /// The seat.
    pub seat: u8,
    /// After each event log₂ of the number of worlds left; `null` where it was not counted.
    pub bits: Vec<Option<f64>>,
    /// Where facts were learned.
    pub dots: Vec<Dot>,
}

/// Facts that were learned by an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Dot {
    /// The event.
    pub event: usize,
    /// The facts in words, at most a handful.
    pub facts: Vec<String>,
    /// How many in all.
    pub count: usize,
}

/// Something that an inspector can be asked to assume beyond what was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Assumption {
    /// Its name.
    pub name: String,
    /// What it means, in a few words.
    pub label: String,
    /// Whether it is assumed unless another is asked for.
    pub usual: bool,
}

/// Why somebody did something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Reason {
    /// The event.
    pub event: usize,
    /// Who acted.
    pub seat: u8,
    /// The machine's name, if a machine acted.
    pub player: Option<String>,
    /// Whether it is the whole reason, from what the player itself saw: only when the match is over. While it goes on it
    /// is what the asker's own sights and the player's announcement tell.
    pub whole: bool,
    /// The reason, a line each.
    pub lines: Vec<String>,
}

/// A hint, in steps from a nudge to a move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Advice {
    /// Which step this is, from 1.
    pub step: u8,
    /// How many there are.
    pub steps: u8,
    /// What to think about, or to do.
    pub lines: Vec<String>,
    /// The move, in the last step.
    pub action: Option<String>,
}

/// What would happen if a move were made, as far as the seat may know.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Preview {
    /// Whether it is allowed.
    pub legal: bool,
    /// Why not.
    pub why_not: Option<String>,
    /// How it was read: a rule in normal form, a full action.
    pub read_as: Option<String>,
    /// What a player should see before it counts, a line each.
    pub lines: Vec<String>,
    /// Marks in the text of an open action.
    pub marks: Vec<super::page::Squiggle>,
    /// For a question in Cluedo: who would answer, and what each would learn.
    pub answers: Vec<AnswerChance>,
    /// For a rule in Eleusis: the share of the deck it accepts on average.
    pub share: Option<f64>,
    /// For a rule in Eleusis: of the cards that were judged, how many it judges as the dealer did, and of how many.
    pub fits: Option<(usize, usize)>,
    /// For a rule in Eleusis: lines that it accepts, cards by their names.
    pub samples: Vec<Vec<String>>,
}

/// A possible answer to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AnswerChance {
    /// The seat that answers; none if nobody can.
    pub seat: Option<u8>,
    /// How likely it is.
    pub chance: f64,
    /// Half of a 95 % interval around the chance if it is an estimate; 0 if it is exact.
    pub chance_error: f64,
    /// What it would tell the asker about the envelope, in bits.
    pub bits: f64,
    /// Half of a 95 % interval around the bits if they are an estimate; 0 if they are exact.
    pub bits_error: f64,
}
