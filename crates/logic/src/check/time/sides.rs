//! Answers of one way of remembering: at which of the states asked about a formula holds.

use super::account::{Here, Teller};
use super::fairness::Fairness;
use super::graph::Graph;
use super::points::Bias;
use super::runs::Run;
use super::symbolic::{SymbolicScene, SymbolicSystem};
use super::{Checked, Side};
use crate::bdd::{Bdd, OxiddBdd};
use crate::check::question::{Question, Start};
use crate::check::{CheckError, Engine};
use crate::document::QueryKind;
use crate::formula::Names;
use crate::model::symbolic::{Stopped, Symbolic};
use crate::model::system::{Recall, Visibility};
use crate::model::{BitSet, Transitions};

/// A graph of points with those of them that count.
pub(crate) struct Points<'g> {
    pub(crate) system: &'g Transitions,
    pub(crate) graph: &'g Graph,
    /// `None` if all do.
    pub(crate) counts: Option<&'g BitSet>,
}

impl<'g> Points<'g> {
    pub(crate) fn new(system: &'g Transitions, graph: &'g Graph, fairness: Option<&'g Fairness>) -> Points<'g> {
        Points { system, graph, counts: fairness.map(|fairness| &**fairness.counts(Bias::Certain)) }
    }

    fn count(&self, point: usize) -> bool {
        self.counts.is_none_or(|counts| counts.contains(point))
    }

    /// The points asked about, with their states.
    fn asked(&self, question: &Question) -> Checked<Vec<(usize, usize)>> {
        let (system, graph) = (self.system, self.graph);
        let with_state = |p: usize| (p, graph.state[p] as usize);
        if of_states(question) {
            return Ok((0..graph.size()).filter(|&p| self.count(p)).map(with_state).collect());
        }
        let all = graph.initial.iter().map(|&p| with_state(p as usize));
        let counted = |all: Vec<(usize, usize)>| all.into_iter().filter(|&(p, _)| self.count(p)).collect();
        let found: Vec<(usize, usize)> = match &question.at {
            None | Some(Start::Point | Start::Everywhere) => return Ok(counted(all.collect())),
            Some(Start::Named(name)) => all.filter(|&(_, s)| system.name(s) == *name).collect(),
            Some(Start::Facts(facts)) => all.filter(|&(_, s)| facts.agrees(&system.facts(s))).collect(),
        };
        if found.is_empty() {
            return Err(unknown(&question.at));
        }
        let found: Vec<(usize, usize)> = counted(found);
        if found.is_empty() { Err(unfair(&question.at)) } else { Ok(found) }
    }

    /// How many initial states do not count.
    fn dropped(&self) -> usize {
        self.graph.initial.iter().filter(|&&p| !self.count(p as usize)).count()
    }

    /// The initial point to tell about, and its name: the first at which the formula fails, else the first.
    pub(crate) fn worth_telling(&self, set: &BitSet, question: &Question) -> Checked<Option<(u32, String)>> {
        if !question.explain || of_states(question) {
            return Ok(None);
        }
        let all = self.asked(question)?;
        let chosen = all.iter().find(|(p, _)| !set.contains(*p)).or(all.first());
        Ok(chosen.map(|&(p, s)| (p as u32, self.system.name(s))))
    }

    /// The answer, if the formula holds at these points.
    pub(crate) fn side(&self, set: &BitSet, question: &Question, recall: Recall, points: usize) -> Checked<Side> {
        let asked = self.asked(question)?;
        let holding: Vec<usize> = asked.iter().filter(|(p, _)| set.contains(*p)).map(|(_, s)| *s).collect();
        let listed = holding.len() <= question.list;
        Ok(Side {
            recall,
            engine: Engine::Explicit,
            holds: if of_states(question) { !holding.is_empty() } else { holding.len() == asked.len() },
            asked: asked.len().into(),
            holding: holding.len().into(),
            truth: asked.iter().map(|(p, s)| (*s, set.contains(*p))).collect(),
            holds_at: listed.then(|| holding.iter().map(|&s| self.system.name(s)).collect()),
            points: points.into(),
            dropped: self.dropped().into(),
            account: None,
        })
    }
}

/// Whether a question is about reachable states, not about the start.
fn of_states(question: &Question) -> bool {
    matches!(question.kind, QueryKind::Where | QueryKind::Count)
}

fn place(at: &Option<Start>) -> String {
    match at {
        Some(Start::Named(name)) => name.clone(),
        Some(Start::Facts(facts)) => facts.label(),
        None | Some(Start::Point | Start::Everywhere) => String::new(),
    }
}

fn unknown(at: &Option<Start>) -> CheckError {
    CheckError::UnknownWorld(place(at))
}

fn unfair(at: &Option<Start>) -> CheckError {
    CheckError::Unfair(place(at))
}

/// Without memory, on functions.
pub(crate) fn symbolic_side(
    system: &mut SymbolicSystem<OxiddBdd>,
    question: &Question,
    names: &Names,
    visibility: Visibility,
) -> Symbolic<Side> {
    let of_states = of_states(question);
    let set = system.eval(&question.formula)?;
    let initial = system.on_fair_runs(&system.initial)?;
    let dropped = system.count(&system.initial) - system.count(&initial);
    let mut asked = if of_states { system.on_fair_runs(&system.reach)? } else { system.initial.clone() };
    if !of_states {
        // A state of a written system is called by its facts; as text they are looked for among the first states only.
        let one = match &question.at {
            None | Some(Start::Point | Start::Everywhere) => None,
            Some(Start::Facts(facts)) => Some(system.stepper.state_of(facts).filter(|s| system.contains(&asked, s))),
            Some(Start::Named(name)) => {
                let mut all = system.some_states(&asked, 100_000).into_iter();
                Some(all.find(|s| system.stepper.facts(s).label() == *name))
            }
        };
        if let Some(found) = one {
            let found = found.ok_or_else(|| unknown(&question.at))?;
            if !system.contains(&initial, &found) {
                return Err(unfair(&question.at).into());
            }
            asked = system.singleton(&found)?;
        }
        asked = system.bdd.and(&asked, &initial)?;
    }
    let holding = system.bdd.and(&asked, &set)?;
    let failing = system.bdd.and(&asked, &system.bdd.not(&set)?)?;
    let nowhere = system.bdd.constant(false);
    let number = system.count(&holding);
    let listed = usize::try_from(&number).is_ok_and(|n| n <= question.list);
    let states = if listed { system.some_states(&holding, question.list) } else { Vec::new() };
    let mut side = Side {
        recall: Recall::Forgetful,
        engine: Engine::Symbolic,
        holds: if of_states { holding != nowhere } else { failing == nowhere },
        asked: system.count(&asked),
        holds_at: listed.then(|| states.iter().map(|s| system.stepper.facts(s).label()).collect()),
        holding: number,
        truth: Vec::new(),
        points: system.count(&system.reach),
        dropped,
        account: None,
    };
    if question.explain && !of_states {
        let from = if failing == nowhere { &asked } else { &failing };
        if let Some(state) = system.pick(from) {
            let name = system.stepper.facts(&state).label();
            let agents = system.system.vocabulary.agents.clone();
            let mut teller = Teller { scene: SymbolicScene::new(system, visibility), names, agents };
            let told = teller.tell(&question.formula, Here::start(&Run::at(state)));
            side.account = Some((name, told.map_err(Stopped::of_account)?));
        }
    }
    Ok(side)
}
