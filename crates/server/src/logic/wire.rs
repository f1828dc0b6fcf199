//! Requests to the workbench, and its answers.

use crate::api::{Problem, Sentence, Squiggle};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The language of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LogicKind {
    /// It is found out from the first word.
    #[default]
    Auto,
    /// A model file of ken.
    Ken,
    /// A model as JSON.
    Json,
    /// An interpreted system of MCMAS.
    Ispl,
    /// A text of SMCDEL.
    Smcdel,
}

/// What agents are taken to remember.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LogicRecall {
    /// Nothing but the present.
    None,
    /// Everything they saw.
    Perfect,
    /// Both are asked, and compared.
    Both,
}

/// A model of the gallery.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GalleryModel {
    /// Its name.
    pub name: String,
    /// What it is about: its first comment.
    pub title: String,
    /// The language.
    pub kind: LogicKind,
    /// The text.
    pub text: String,
    /// Whether it describes a system with time.
    pub time: bool,
}

/// A text with formulas to check.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LogicCheck {
    /// The text.
    pub text: String,
    /// Its language.
    #[serde(default)]
    pub kind: LogicKind,
    /// Formulas beside those of the text.
    #[serde(default)]
    pub formulas: Vec<String>,
    /// What is announced, one after the other, before those formulas are asked.
    #[serde(default)]
    pub announced: Vec<String>,
    /// The world at which everything is asked: a name, or facts as `{p, x = 3}`. The model's point if it is not given.
    #[serde(default)]
    pub at: Option<String>,
    /// For systems: what agents remember, if the text is not to decide.
    #[serde(default)]
    pub recall: Option<LogicRecall>,
}

/// What was found in a text.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LogicChecked {
    /// The language that was read.
    pub kind: LogicKind,
    /// What is wrong with the text, with places; nothing else is answered then.
    pub problems: Vec<Squiggle>,
    /// What the text describes.
    pub model: Option<LogicModel>,
    /// The formulas of the text in order, then those that were asked.
    pub answers: Vec<LogicAnswer>,
    /// What was not done because a limit was reached.
    pub gave_up: Option<Problem>,
}

/// What a text describes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LogicModel {
    /// `kripke` or `system`.
    pub what: String,
    /// The whole in words: "8 worlds, 3 agents, 3 propositions".
    pub words: String,
    /// How many worlds, or reachable states, with separators; none if they were not counted.
    pub worlds: Option<String>,
    /// The agents.
    pub agents: Vec<String>,
    /// How many propositions.
    pub props: usize,
    /// How many variables.
    pub vars: usize,
    /// Whether agents may be wrong: belief rather than knowledge.
    pub belief: bool,
    /// Named points, as `at` takes them.
    pub points: Vec<String>,
    /// The engine.
    pub engine: String,
    /// For systems: what agents remember, in words.
    pub memory: Option<String>,
}

/// A formula with its verdict.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LogicAnswer {
    /// The formula.
    pub formula: String,
    /// `check`, `valid`, `where` or `count`.
    pub question: String,
    /// Where it begins in the text, in UTF-16 units; none if it was asked beside the text.
    pub from: Option<usize>,
    /// Where it ends.
    pub to: Option<usize>,
    /// The verdict in words, the first thing to read: "holds here", "valid in the model", "does not hold here",
    /// "gave up at a limit".
    pub verdict: String,
    /// `yes`, `no`, `number`, `gave-up` or `unread`.
    pub mark: String,
    /// What the text expects, in words.
    pub expected: Option<String>,
    /// Whether the verdict is as expected.
    pub met: Option<bool>,
    /// The world at which it was asked.
    pub at: Option<String>,
    /// In how many worlds (of systems: states that were asked) it holds, with separators.
    pub holding: Option<String>,
    /// Of how many.
    pub of: Option<String>,
    /// The worlds or states at which it holds, if they are not too many.
    pub holds_at: Vec<String>,
    /// Whether all of them are listed.
    pub listed: bool,
    /// Why it is so, in sentences.
    pub why: Vec<Sentence>,
    /// For systems: the runs that show it.
    pub runs: Vec<LogicRun>,
    /// What is wrong with the formula, with places in its own text, or which limit was reached.
    pub problem: Option<Problem>,
    /// How long it took.
    pub seconds: f64,
}

/// A run of a system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogicRun {
    /// What it shows: "this run shows it", "looks the same to bob".
    pub title: String,
    /// The states, the initial one first.
    pub states: Vec<LogicState>,
    /// After the last state the run is at this one again, and may go round for ever.
    pub loops_to: Option<usize>,
    /// Whether the run ends with its last state.
    pub ends: bool,
}

/// A state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogicState {
    /// What was done to get here; none for the initial state.
    pub action: Option<String>,
    /// The state's name, or its facts.
    pub name: String,
    /// What is true: `p`, `x = 3`.
    pub facts: Vec<String>,
    /// What has become different by the action.
    pub changes: Vec<String>,
    /// The agents who notice that something has changed.
    pub noticed: Vec<String>,
    /// What each agent considers possible; empty where it was not listed.
    pub possible: Vec<LogicPossible>,
}

/// What an agent considers possible.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogicPossible {
    /// The agent.
    pub agent: String,
    /// How many states.
    pub count: usize,
    /// The first of them.
    pub states: Vec<String>,
}

/// A model to draw.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LogicDraw {
    /// The text.
    pub text: String,
    /// Its language.
    #[serde(default)]
    pub kind: LogicKind,
    /// A formula by whose truth worlds are marked.
    #[serde(default)]
    pub formula: Option<String>,
    /// What is announced, one after the other.
    #[serde(default)]
    pub announced: Vec<String>,
    /// The actual world; the model's point if it is not given.
    #[serde(default)]
    pub at: Option<String>,
}

/// A model and what remains of it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LogicDrawn {
    /// The model, then what remains after each announcement.
    pub stages: Vec<LogicStage>,
    /// The drawing, unless there is too much of it.
    pub drawing: Option<LogicDrawing>,
    /// Why there is none.
    pub problem: Option<Problem>,
    /// What a reader must know: of a system only the initial states are drawn.
    pub note: Option<String>,
}

/// The model after some announcements.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LogicStage {
    /// What was announced last; none for the model itself.
    pub announced: Option<String>,
    /// How many worlds there are.
    pub worlds: usize,
    /// The worlds that the announcement removed, by their numbers in the model; only those that are drawn.
    pub gone: Vec<usize>,
    /// How many it removed.
    pub removed: usize,
    /// The worlds at which the formula holds, if one is given; only those that are drawn.
    pub holds: Vec<usize>,
    /// In how many worlds it holds.
    pub holding: Option<usize>,
}

/// Where everything stands.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LogicDrawing {
    /// The first stage that is drawn; before it there are too many worlds.
    pub first: usize,
    /// The left, upper, right and lower edge.
    pub edges: Vec<f64>,
    /// The worlds of that stage.
    pub worlds: Vec<LogicWorld>,
    /// The number of the actual world.
    pub point: Option<usize>,
    /// The agents.
    pub agents: Vec<LogicAgent>,
    /// Whether lines are arrows.
    pub arrows: bool,
    /// How to read the drawing.
    pub notes: Vec<String>,
    /// The lines of each stage, from the first that is drawn.
    pub links: Vec<Vec<LogicLink>>,
}

/// A world of a drawing.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LogicWorld {
    /// Its number in the model.
    pub id: usize,
    /// Its name as `at` takes it.
    pub name: String,
    /// What is true there.
    pub facts: Vec<String>,
    /// What stands in its box, line by line.
    pub label: Vec<String>,
    /// Its own name, if it has one.
    pub title: Option<String>,
    /// The middle of its box.
    pub x: f64,
    /// The middle of its box.
    pub y: f64,
    /// The width of its box.
    pub width: f64,
    /// The height of its box.
    pub height: f64,
}

/// An agent of a drawing.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LogicAgent {
    /// The name.
    pub name: String,
    /// Why no line of the agent is drawn, if none is.
    pub note: Option<String>,
}

/// Something drawn between worlds.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LogicLink {
    /// The agents, by their place in the list.
    pub agents: Vec<usize>,
    /// The worlds that it joins, by their numbers.
    pub worlds: Vec<usize>,
    /// Lines, as SVG paths.
    pub paths: Vec<String>,
    /// Arrow heads, as SVG paths.
    pub heads: Vec<String>,
    /// A dot.
    pub dot: Option<(f64, f64)>,
    /// Where the names of the agents stand.
    pub tag_at: Option<(f64, f64)>,
    /// The names of the agents, line by line.
    pub tag: Vec<String>,
    /// The link in words.
    pub words: String,
}

/// A question who knows what at a world.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LogicKnow {
    /// The text.
    pub text: String,
    /// Its language.
    #[serde(default)]
    pub kind: LogicKind,
    /// The actual world; the model's point if it is not given.
    #[serde(default)]
    pub at: Option<String>,
    /// What is announced, one after the other.
    #[serde(default)]
    pub announced: Vec<String>,
    /// The agents by their place in the list: what the first knows that the second knows, and so on.
    #[serde(default)]
    pub chain: Vec<u8>,
    /// A formula, or words that rows must contain, or empty.
    #[serde(default)]
    pub filter: String,
}

/// A question why something is known, or why not.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct LogicWhy {
    /// The text.
    pub text: String,
    /// Its language.
    #[serde(default)]
    pub kind: LogicKind,
    /// The actual world; the model's point if it is not given.
    #[serde(default)]
    pub at: Option<String>,
    /// What is announced, one after the other.
    #[serde(default)]
    pub announced: Vec<String>,
    /// The agents, as in [`LogicKnow`].
    #[serde(default)]
    pub chain: Vec<u8>,
    /// The fact: a formula.
    pub fact: String,
}
