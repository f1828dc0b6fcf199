//! Without memory: points are reachable states, and an agent confuses those in which its local state is the same.

use super::fairness::Fairness;
use super::graph::Graph;
use super::points::{Confusion, Evaluator, Table};
use crate::check::CheckError;
use crate::check::core::{Core, Who};
use crate::model::Transitions;
use crate::model::kripke::Classes;
use std::collections::HashMap;
use std::rc::Rc;

/// The partition of points for which each agent's is known.
pub(crate) fn partition(
    who: &Who,
    size: usize,
    known: &mut HashMap<Who, Rc<Classes>>,
    agent: &dyn Fn(usize) -> Classes,
) -> Rc<Classes> {
    if let Some(found) = known.get(who) {
        return found.clone();
    }
    let classes = match who {
        Who::Agent(a) => agent(*a),
        Who::Together(group) => {
            let mut all: Option<Rc<Classes>> = None;
            for &a in group {
                let next = partition(&Who::Agent(a), size, known, agent);
                all = Some(all.map_or_else(|| next.clone(), |old| Rc::new(old.meet(&next))));
            }
            all.map_or_else(|| Classes { of: vec![0; size], count: 1 }, |c| (*c).clone())
        }
        Who::Each(group) | Who::Commonly(group) => {
            let all: Vec<Rc<Classes>> = group.iter().map(|&a| partition(&Who::Agent(a), size, known, agent)).collect();
            Classes::join(size, all.iter().map(|c| &**c))
        }
    };
    let classes = Rc::new(classes);
    known.insert(who.clone(), classes.clone());
    classes
}

struct LocalStates<'g> {
    system: &'g Transitions,
    graph: &'g Graph,
    known: HashMap<Who, Rc<Classes>>,
}

impl Confusion for LocalStates<'_> {
    fn classes(&mut self, who: &Who) -> Option<Rc<Classes>> {
        let (system, graph) = (self.system, self.graph);
        let agent = |a: usize| Classes::by_key(graph.state.iter().map(|&s| system.local[a][s as usize]));
        Some(partition(who, graph.size(), &mut self.known, &agent))
    }

    fn table(&self) -> Option<&Table> {
        None
    }
}

/// An evaluator on a graph of reachable states, with fair runs only.
pub(crate) fn evaluator<'g>(
    system: &'g Transitions,
    graph: &'g Graph,
    fairness: Option<Rc<Fairness>>,
) -> Evaluator<'g> {
    let confusion = LocalStates { system, graph, known: HashMap::new() };
    Evaluator::on(system, graph, Box::new(confusion), &Core::new(&system.agents), fairness)
}

/// Which points of a graph of reachable states count.
pub(crate) fn fairness(system: &Transitions, graph: &Graph) -> Result<Option<Rc<Fairness>>, CheckError> {
    Fairness::of(evaluator(system, graph, None), None)
}
