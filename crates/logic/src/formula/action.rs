//! Knowledge actions, action models and the programs that index path modalities.

use super::{F, Group, Name, Term};
use std::sync::Arc;

/// A knowledge action (van Ditmarsch).
///
/// ```text
/// α ::= ?φ | α ; β | α + β | !α | L[a,b] α | α && β | announce φ
/// ```
///
/// Outside any `L` an action is a relation on pointed models. `L[all] α` is an action model: see [`crate::update`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// `?φ`: go on where φ holds.
    Test(F),
    /// One after the other.
    Seq(Vec<Action>),
    /// One of these.
    Choice(Vec<Action>),
    /// `!α` inside a choice: this alternative is the one that happens.
    Local(Box<Action>),
    /// The group learns that the action happens.
    Learn(Group, Box<Action>),
    /// `α && β`: concurrent, set-valued execution.
    Both(Box<Action>, Box<Action>),
    /// `announce φ`: everybody learns that φ.
    Announce(F),
    /// A general action model, defined in a model file.
    Model(Arc<ActionModel>),
    /// A move of a game in the game's own words. What it does only the game can say: no model has it.
    Move(Name),
}

impl Action {
    /// The formulas that occur in the action.
    pub fn formulas(&self) -> Vec<&F> {
        match self {
            Action::Test(f) | Action::Announce(f) => vec![f],
            Action::Seq(parts) | Action::Choice(parts) => parts.iter().flat_map(Action::formulas).collect(),
            Action::Local(a) | Action::Learn(_, a) => a.formulas(),
            Action::Both(a, b) => {
                let mut all = a.formulas();
                all.extend(b.formulas());
                all
            }
            Action::Model(m) => m.events.iter().flat_map(EventPoint::formulas).collect(),
            Action::Move(_) => Vec::new(),
        }
    }
}

/// What one agent makes of the events of an action model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// Events of the same class are confused: `classes[event]` is the class.
    Classes(Vec<u32>),
    /// When the first happens the agent considers the second possible (belief models).
    Edges(Vec<(u32, u32)>),
}

/// An action model: events with preconditions and factual change, and what each agent sees of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ActionModel {
    /// Its name, with arguments: `toss(1)`.
    pub name: Name,
    /// The events, at least one.
    pub events: Vec<EventPoint>,
    /// For each agent that does not tell all events apart, what it makes of them.
    pub sights: Vec<(Name, Sight)>,
}

/// An event of an action model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventPoint {
    /// Its name within the model.
    pub name: Name,
    /// The event can happen where this holds.
    pub pre: F,
    /// What it changes, all at once, by values before the event.
    pub changes: Vec<Change>,
    /// Whether `[α]` and `<α>` speak of it.
    pub designated: bool,
}

impl EventPoint {
    fn formulas(&self) -> Vec<&F> {
        let mut all = vec![&self.pre];
        for change in &self.changes {
            if let Change::Prop(_, f) = change {
                all.push(f);
            }
        }
        all
    }
}

/// A factual change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The proposition becomes the truth value that the formula has before.
    Prop(Name, F),
    /// The variable becomes the value that the term has before.
    Var(Name, Term),
}

impl Change {
    /// The proposition or variable that changes.
    pub fn target(&self) -> &Name {
        match self {
            Change::Prop(name, _) | Change::Var(name, _) => name,
        }
    }
}

/// A program: the relation along which a path modality looks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Program {
    /// Any action: what `{π}` means when it is left out.
    Any,
    /// One action, by its label.
    Action(Name),
    /// One after the other.
    Seq(Vec<Program>),
    /// One of these.
    Choice(Vec<Program>),
    /// Any number of times, none included.
    Star(Box<Program>),
    /// Stay where the formula holds.
    Test(F),
}

impl Program {
    /// The formulas tested by the program.
    pub fn formulas(&self) -> Vec<&F> {
        match self {
            Program::Any | Program::Action(_) => Vec::new(),
            Program::Seq(parts) | Program::Choice(parts) => parts.iter().flat_map(Program::formulas).collect(),
            Program::Star(p) => p.formulas(),
            Program::Test(f) => vec![f],
        }
    }
}
