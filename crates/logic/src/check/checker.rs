//! The one place to ask questions.

use super::answer::Answer;
use super::limits::CheckError;
use super::options::{Engine, Memory, Options};
use super::question::Ask;
use super::time::{Possible, RunView, SystemChecker};
use super::worlds::WorldChecker;
use crate::document::{At, Document, Query};
use crate::formula::{F, Names};
use crate::model::system::{Recall, Visibility};
use crate::model::{BitSet, Kripke, Model, Time};
use crate::syntax::Scope;
use num_bigint::BigUint;

/// A model or a system to ask questions of, in any order and any number of times.
///
/// An answer depends on the model, the options and the question, and never on what was asked before: neither on an engine
/// that gave up nor on the room that other questions took. What was found for one question is kept for the next.
///
/// Work ends soon after [`Stop::now`](crate::stop::Stop::now), with [`Limit::Stopped`](super::Limit::Stopped); then the
/// checker must not be asked again.
pub struct Checker {
    worlds: WorldChecker,
    system: Option<SystemChecker>,
    /// Where the names for formulas in explanations are declared.
    scope: Option<Scope>,
}

/// How large a model is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many worlds there are; of a system, how many reachable states.
    pub count: BigUint,
    /// Whether that is their number. Where protocols ask what is known it is an upper bound.
    pub exact: bool,
    /// The engine that counted them.
    pub engine: Engine,
}

impl Checker {
    /// A checker for a model of worlds.
    pub fn of(model: Model, options: Options) -> Checker {
        let worlds = WorldChecker::new(model, Vec::new(), options.engine, options.limits);
        Checker { worlds, system: None, scope: None }
    }

    /// A checker for a system.
    pub fn of_system(time: Time, options: Options) -> Checker {
        let worlds = Checker::of(time.beginning(), options);
        Checker { system: Some(SystemChecker::new(time, options)), ..worlds }
    }

    pub(crate) fn of_document(document: &Document, options: Options) -> Checker {
        let checker = match document.time.clone() {
            None => Checker::of(document.model.clone(), options),
            Some(time) => Checker::of_system(time, options),
        };
        checker.named_by(&document.scope).planning(&document.queries)
    }

    /// Calls formulas in explanations by the names of a scope.
    #[must_use]
    pub fn named_by(mut self, scope: &Scope) -> Checker {
        self.scope = Some(scope.clone());
        self
    }

    /// Plans for these questions instead of those of the document: formulas with updates that are planned for together
    /// share work. It never changes a verdict.
    #[must_use]
    pub fn planning<'q>(mut self, queries: impl IntoIterator<Item = &'q Query>) -> Checker {
        let timed = self.system.is_some();
        let planned = |f: &F| !f.is_temporal() && (!timed || f.is_dynamic());
        let formulas = queries.into_iter().map(|q| &q.formula);
        self.worlds.plan(formulas.filter(|f| planned(f)).cloned().collect());
        self
    }

    /// Whether a question can be asked here at all; nothing is computed.
    pub fn admits(&self, query: &Query) -> Result<(), CheckError> {
        let formula = &query.formula;
        match &self.system {
            Some(_) if formula.is_dynamic() && formula.is_temporal() => {
                Err(CheckError::NotHere("knowledge actions `[α]` and time do not go into one formula"))
            }
            Some(_) if formula.is_dynamic() && matches!(query.at, Some(At::History(_))) => Err(CheckError::NotHere(
                "knowledge actions `[α]` are about the beginning of a system, not about what holds after some steps",
            )),
            None if formula.is_temporal() => Err(CheckError::Temporal),
            _ => Ok(()),
        }
    }

    /// Answers a question: `&query`, or `query.explained()`, `query.listing(200)`.
    ///
    /// In a system, formulas with updates `[α] φ` are about the initial states as worlds, all others about its runs.
    pub fn ask<'q>(&mut self, ask: impl Into<Ask<'q>>) -> Result<Answer, CheckError> {
        let ask = ask.into();
        self.admits(ask.query())?;
        let question = ask.question();
        let names = match &self.scope {
            Some(scope) if question.explain => scope.names(),
            _ => Names::default(),
        };
        match &mut self.system {
            Some(system) if !question.formula.is_dynamic() => system.ask(&question, names),
            None => self.worlds.ask(&question, &names),
            // Its worlds are the initial states.
            Some(_) => self.worlds.ask(&question, &names).map_err(|error| match error {
                CheckError::UnknownWorld(_) => CheckError::NotHere(
                    "knowledge actions `[α]` are about the beginning of a system, and this is none of its initial states",
                ),
                error => error,
            }),
        }
    }

    /// The engine that is tried first for a question, if it is about worlds; `None` if it is about runs.
    pub fn engine(&mut self, query: &Query) -> Result<Option<Engine>, CheckError> {
        if self.system.is_some() && !query.formula.is_dynamic() {
            return Ok(None);
        }
        self.worlds.engine().map(Some)
    }

    /// How many worlds, or reachable states, there are.
    pub fn size(&mut self) -> Result<Size, CheckError> {
        match &mut self.system {
            Some(system) => system.size(),
            None => self.worlds.size().map(|(count, engine)| Size { count, exact: true, engine }),
        }
    }

    /// The worlds one by one, if they are within the limits; of a system, its initial states.
    pub fn listed(&mut self) -> Result<&Kripke, CheckError> {
        self.worlds.explicit().map(|checker| checker.model(0))
    }

    /// The listed worlds at which a formula holds.
    pub fn truth(&mut self, formula: &F) -> Result<BitSet, CheckError> {
        if formula.is_temporal() {
            return Err(CheckError::Temporal);
        }
        self.worlds.explicit()?.check(formula)
    }

    /// What agents of a system remember, by the options, the system's own word or the default; `None` without time.
    pub fn memory(&self) -> Option<Memory> {
        self.system.as_ref().map(SystemChecker::memory)
    }

    /// Whether agents of a system see which actions happen; `None` without time.
    pub fn visibility(&self) -> Option<Visibility> {
        self.system.as_ref().map(SystemChecker::visibility)
    }

    /// What agents of a system remember and see, in words; `None` without time.
    pub fn remembered(&self) -> Option<String> {
        let seen = match self.visibility()? {
            Visibility::Seen => "",
            Visibility::Hidden => ", actions hidden",
        };
        Some(match self.memory()? {
            Memory::None => "no memory".to_string(),
            Memory::Perfect => format!("perfect recall{seen}"),
            Memory::Both => format!("with and without memory{seen}"),
        })
    }

    /// The reachable states as worlds that agents confuse if they see the same now, whatever they saw before. A single
    /// initial state is its point. With fairness the worlds are the states on fair runs, as for every other question.
    pub fn without_memory(&mut self) -> Result<Kripke, CheckError> {
        self.system.as_mut().ok_or(CheckError::Temporal)?.without_memory()
    }

    /// For the start and for each step of a run, what every agent considers possible there, `list` states of each at
    /// most; `None` if the states cannot be listed within the limits, or if there is no time.
    pub fn possible(
        &mut self,
        run: &RunView,
        recall: Recall,
        list: usize,
    ) -> Result<Option<Vec<Vec<Possible>>>, CheckError> {
        self.system.as_mut().map_or(Ok(None), |system| system.possible(run, recall, list))
    }
}
