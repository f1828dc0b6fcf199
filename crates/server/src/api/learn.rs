//! Lessons and their exercises.

use super::Squiggle;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A lesson in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LessonInfo {
    /// Its name in addresses.
    pub id: String,
    /// Its headline.
    pub title: String,
    /// What it is about, in a sentence.
    pub about: String,
    /// What it belongs to: `Logic`, `Cluedo`, `Eleusis`, `Yōkai`.
    pub topic: String,
}

/// A lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Lesson {
    /// Where it stands in the list.
    pub info: LessonInfo,
    /// What is read and looked at, in order.
    pub blocks: Vec<Block>,
    /// What is to be done at the end.
    pub exercise: Exercise,
    /// The lesson before it.
    pub before: Option<String>,
    /// The lesson after it.
    pub after: Option<String>,
}

/// A part of a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// A paragraph. What stands between backquotes is typed text: a formula, a card, a move.
    Text {
        /// The paragraph.
        text: String,
    },
    /// Typed texts with their meanings.
    Formulas {
        /// Each with its meaning.
        rows: Vec<Meaning>,
    },
    /// A drawing that the engine made.
    Drawing(Drawing),
    /// A note sheet of Cluedo.
    Sheet {
        /// The places: seats, and the envelope last.
        columns: Vec<String>,
        /// The cards.
        rows: Vec<SheetLine>,
        /// What was seen, a line each.
        log: Vec<String>,
    },
    /// A layout of Eleusis: the mainline, and below each of its cards those that were refused after it.
    Layout {
        /// The mainline from left to right.
        line: Vec<LaidCard>,
    },
    /// The table of Yōkai.
    Table {
        /// How many cards are in a row.
        width: usize,
        /// The cards row by row.
        cards: Vec<TableCard>,
    },
    /// Beliefs, each with the part of the base that it belongs to.
    Beliefs {
        /// The parts, the firmest first.
        parts: Vec<BeliefPart>,
    },
}

/// A typed text with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Meaning {
    /// What is typed.
    pub text: String,
    /// What it means.
    pub means: String,
}

/// A drawing that the engine made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Drawing {
    /// The drawing: SVG that needs nothing else.
    pub svg: String,
    /// What it shows, in words: they stand below it and are read aloud.
    pub caption: String,
}

/// A card of a note sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SheetLine {
    /// The category.
    pub category: String,
    /// The card.
    pub card: String,
    /// A mark for each place: `✓`, `✗` or `·`.
    pub marks: Vec<String>,
}

/// A card of a mainline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LaidCard {
    /// The card, such as `7D`.
    pub card: String,
    /// The cards that were refused after it.
    pub refused: Vec<String>,
}

/// A card on the table of Yōkai.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableCard {
    /// Its number.
    pub number: u8,
    /// The colour that you saw.
    pub colour: Option<String>,
    /// The colours on the hint that lies on it.
    pub hint: Vec<String>,
}

/// A part of a belief base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BeliefPart {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub beliefs: Vec<Meaning>,
}

/// What is to be done at the end of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Exercise {
    /// The task.
    pub ask: String,
    /// How it is answered.
    pub input: Input,
}

/// How an exercise is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Input {
    /// One or several of a list; the answer has their ids.
    Choices {
        /// Whether several may be chosen.
        several: bool,
        /// What may be chosen.
        options: Vec<Choice>,
    },
    /// One of each group; the answer has their ids.
    Pick {
        /// The groups.
        groups: Vec<Group>,
    },
    /// A text; the answer has it alone.
    Text {
        /// What is to be typed: `formula`, `rule`, `cards`.
        what: String,
        /// An example that can be typed but is not the solution.
        example: String,
    },
}

/// Something that may be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Choice {
    /// Its name in an answer.
    pub id: String,
    /// What it says.
    pub label: String,
}

/// Things of which one is picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Group {
    /// What they are.
    pub name: String,
    /// What may be picked.
    pub options: Vec<Choice>,
}

/// An answer to an exercise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GivenAnswer {
    /// What was chosen; a text is a list of one.
    pub answer: Vec<String>,
}

/// What the engine says to an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CheckedAnswer {
    /// Whether it is right.
    pub right: bool,
    /// Why, in a sentence or two.
    pub explanation: String,
    /// More: the lines of a proof, of a run, of a counterexample.
    pub lines: Vec<String>,
    /// A drawing that shows it.
    pub drawing: Option<Drawing>,
    /// Places in the typed text at which something is wrong.
    pub marks: Vec<Squiggle>,
}
