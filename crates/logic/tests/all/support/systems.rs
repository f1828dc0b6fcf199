//! Random interpreted systems and formulas about them, the same for the same seed.

use super::forms::Forms;
use super::generate::Rng;
use super::traces::{Plain, State};
use ken_logic::formula::{Along, F, Formula, Group, Name, Path, Program};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Agents, acts, and programs named after them, for a system whose states are still to come.
fn bare(rng: &mut Rng) -> Plain {
    let agents = ["a", "b", "c"][..rng.between(1, 3)].iter().map(|&a| a.into()).collect();
    let mut system = Plain { agents, ..Plain::default() };
    for act in &["x", "y", "z"][..rng.between(2, 3)] {
        system.act(act);
    }
    let called = |text: &str| Program::Action(text.into());
    let any = system.acts.iter().map(|act| called(&act.text)).collect();
    system.programs.insert("any".into(), Program::Choice(any));
    if rng.chance(50) {
        let then = Program::Choice(vec![called("y"), called("x")]);
        system.programs.insert("move".into(), Program::Seq(vec![called("x"), then]));
    }
    system
}

/// A state that few things tell from others: agents have `kinds` local states.
fn state(rng: &mut Rng, agents: &[Name], name: String, kinds: usize) -> State {
    State {
        name: name.into(),
        local: agents.iter().map(|a| format!("{a}{}", rng.below(kinds)).into()).collect(),
        props: ["p", "q"].into_iter().filter(|_| rng.chance(50)).map(Name::from).collect(),
    }
}

/// A system of two to four layers, in which every step leads to the next.
pub(crate) fn layered(rng: &mut Rng) -> Plain {
    let mut system = bare(rng);
    let layers: Vec<usize> = (0..rng.between(2, 4)).map(|_| rng.between(1, 3)).collect();
    let mut before: Vec<usize> = Vec::new();
    for (layer, &size) in layers.iter().enumerate() {
        let here: Vec<usize> = (system.states.len()..system.states.len() + size).collect();
        for i in 0..size {
            let new = state(rng, &system.agents, format!("s{layer}_{i}"), 2);
            system.states.push(new);
        }
        if layer == 0 {
            system.initial = here.iter().copied().collect();
        }
        for (from, act, to) in triples(&before, system.acts.len(), &here) {
            if rng.chance(45) {
                system.steps.insert((from, act, to));
            }
        }
        before = here;
    }
    system
}

fn triples(from: &[usize], acts: usize, to: &[usize]) -> Vec<(usize, usize, usize)> {
    let pairs = from.iter().flat_map(|&s| (0..acts).map(move |act| (s, act)));
    pairs.flat_map(|(s, act)| to.iter().map(move |&t| (s, act, t))).collect()
}

/// A system of `least` to `most` states with a cycle that is reached.
pub(crate) fn cyclic(rng: &mut Rng, least: usize, most: usize) -> Plain {
    loop {
        let mut system = bare(rng);
        let size = rng.between(least, most);
        let kinds = rng.between(2, if size > 10 { 3 } else { 2 });
        for i in 0..size {
            let new = state(rng, &system.agents, format!("s{i}"), kinds);
            system.states.push(new);
        }
        // One to three steps from most states; a few states end.
        for from in 0..size {
            let steps = rng.weighted(&[1, 3, 4, 2]);
            for _ in 0..steps {
                let step = (from, rng.below(system.acts.len()), rng.below(size));
                system.steps.insert(step);
            }
        }
        let initial = rng.between(1, 3.min(size));
        system.initial = (0..initial).map(|_| rng.below(size)).collect();
        if system.is_cyclic() {
            return system;
        }
    }
}

/// A source of random formulas about a system.
pub(crate) struct Talk<'a> {
    pub(crate) rng: &'a mut Rng,
    pub(crate) system: &'a Plain,
    /// Common knowledge too.
    pub(crate) common: bool,
    /// Programs by the names that the system gives them too.
    pub(crate) named: bool,
}

impl Talk<'_> {
    /// A formula with at most `depth` operators and `knowing` knowledge operators inside one another, tests included.
    pub(crate) fn formula(&mut self, depth: usize, knowing: usize) -> F {
        if depth == 0 {
            let atom = Formula::atom(*self.rng.pick(&["p", "q"]));
            return if self.rng.chance(30) { Arc::new(Formula::Not(atom)) } else { atom };
        }
        let below = depth - 1;
        let know = if knowing > 0 { 10 } else { 0 };
        Arc::new(match self.rng.weighted(&[6, know, 14]) {
            0 => match self.rng.below(5) {
                0 => Formula::Not(self.formula(below, knowing)),
                1 => Formula::And(vec![self.formula(below, knowing), self.formula(below, knowing)]),
                2 => Formula::Or(vec![self.formula(below, knowing), self.formula(below, knowing)]),
                3 => Formula::Imp(self.formula(below, knowing), self.formula(below, knowing)),
                _ => Formula::Iff(self.formula(below, knowing), self.formula(below, knowing)),
            },
            1 => return self.knowledge(depth, knowing),
            _ => {
                let path = *self.rng.pick(&[Path::All, Path::Some]);
                let program = if self.rng.chance(20) { Program::Any } else { self.program(2, below, knowing) };
                match self.rng.below(4) {
                    0 => Formula::Until(path, program, self.formula(below, knowing), self.formula(below, knowing)),
                    1 => Formula::Path(path, Along::Next, program, self.formula(below, knowing)),
                    2 => Formula::Path(path, Along::Always, program, self.formula(below, knowing)),
                    _ => Formula::Path(path, Along::Eventually, program, self.formula(below, knowing)),
                }
            }
        })
    }

    /// A formula whose outermost operator is one of knowledge.
    pub(crate) fn knowledge(&mut self, depth: usize, knowing: usize) -> F {
        let inner = self.formula(depth - 1, knowing - 1);
        let agent = self.rng.pick(&self.system.agents).clone();
        let common = u32::from(self.common);
        Arc::new(match self.rng.weighted(&[4, 2, 2, 2, 2, common]) {
            0 => Formula::Knows(agent, inner),
            1 => Formula::Possible(agent, inner),
            2 => Formula::KnowsWhether(agent, inner),
            3 => Formula::Everyone(self.group(), inner),
            4 => Formula::Distributed(self.group(), inner),
            _ => Formula::Common(self.group(), inner),
        })
    }

    fn group(&mut self) -> Group {
        if self.rng.chance(25) {
            return Group::All;
        }
        let mut all = self.system.agents.clone();
        self.rng.shuffle(&mut all);
        // Mostly more than one: a group of one is its member.
        let least = all.len().min(if self.rng.chance(80) { 2 } else { 1 });
        all.truncate(self.rng.between(least, all.len()));
        Group::Of(all)
    }

    /// A program with at most `depth` operators inside one another, whose tests have at most `below`.
    pub(crate) fn program(&mut self, depth: usize, below: usize, knowing: usize) -> Program {
        let deeper = if depth > 0 { 1 } else { 0 };
        match self.rng.weighted(&[4, 3 * deeper, 2 * deeper, 2 * deeper, 2 * deeper]) {
            0 => {
                let mut names: Vec<Name> = self.system.acts.iter().map(|act| act.text.clone()).collect();
                if self.named {
                    names.extend(self.system.programs.keys().cloned());
                }
                Program::Action(self.rng.pick(&names).clone())
            }
            // A test by itself goes nowhere: as a rule something follows.
            1 => {
                let test = Program::Test(if knowing > 0 && self.rng.chance(70) {
                    self.knowledge(below.clamp(1, 2), knowing)
                } else {
                    self.formula(below.min(2), knowing)
                });
                if self.rng.chance(10) {
                    test
                } else {
                    Program::Seq(vec![test, self.program(depth - 1, below, knowing)])
                }
            }
            2 => Program::Seq(vec![self.program(depth - 1, below, knowing), self.program(depth - 1, below, knowing)]),
            3 => {
                Program::Choice(vec![self.program(depth - 1, below, knowing), self.program(depth - 1, below, knowing)])
            }
            _ => Program::Star(Box::new(self.program(depth - 1, below, knowing))),
        }
    }
}

/// Adds what a formula about a system is made of.
pub(crate) fn talk_forms(f: &Formula, forms: &mut Forms) {
    f.any(&mut |g| {
        forms.insert(match g {
            Formula::Knows(..) => "K",
            Formula::Possible(..) => "S",
            Formula::KnowsWhether(..) => "Kw",
            Formula::Everyone(..) => "E",
            Formula::Common(..) => "C",
            Formula::Distributed(..) => "D",
            Formula::Path(Path::All, Along::Next, ..) => "AX",
            Formula::Path(Path::All, Along::Always, ..) => "AG",
            Formula::Path(Path::All, Along::Eventually, ..) => "AF",
            Formula::Path(Path::Some, Along::Next, ..) => "EX",
            Formula::Path(Path::Some, Along::Always, ..) => "EG",
            Formula::Path(Path::Some, Along::Eventually, ..) => "EF",
            Formula::Until(Path::All, ..) => "AU",
            Formula::Until(Path::Some, ..) => "EU",
            _ => "Boolean",
        });
        if let Formula::Path(_, _, program, _) | Formula::Until(_, program, ..) = g {
            program_forms(program, forms);
        }
        false
    });
    if f.knowledge_depth() > 1 {
        forms.insert("knowledge of knowledge");
    }
    if f.knowledge_depth() > 2 {
        forms.insert("knowledge three deep");
    }
}

fn program_forms(program: &Program, forms: &mut Forms) {
    match program {
        Program::Any => _ = forms.insert("no program"),
        Program::Action(_) => _ = forms.insert("act"),
        Program::Seq(parts) => {
            forms.insert(";");
            parts.iter().for_each(|p| program_forms(p, forms));
        }
        Program::Choice(parts) => {
            forms.insert("+");
            parts.iter().for_each(|p| program_forms(p, forms));
        }
        Program::Star(body) => {
            forms.insert("*");
            if !body.formulas().is_empty() {
                forms.insert("? inside *");
            }
            program_forms(body, forms);
        }
        Program::Test(g) => {
            forms.insert("?");
            if g.knowledge_depth() > 0 {
                forms.insert("?K");
            }
        }
    }
}

/// Adds what there is to say of a system.
pub(crate) fn system_forms(system: &Plain, forms: &mut Forms) {
    forms.insert(if system.is_cyclic() { "(cycles)" } else { "(no cycles)" });
    let reachable = system.reachable();
    let ends = |s: &usize| system.steps.range((*s, 0, 0)..(*s + 1, 0, 0)).next().is_none();
    if reachable.iter().any(ends) {
        forms.insert("(some run ends)");
    }
    if reachable.len() < system.states.len() {
        forms.insert("(unreachable states)");
    }
    let local = |agent: usize| reachable.iter().map(|&s| &system.states[s].local[agent]).collect::<BTreeSet<_>>();
    if (0..system.agents.len()).any(|agent| local(agent).len() < reachable.len()) {
        forms.insert("(states confused)");
    }
}
