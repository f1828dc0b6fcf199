//! Follows accounts on the plain transitions, with the oracles where there is one.

use super::traces::{Forgetful, Plain, Recalling};
use ken_logic::check::Memory;
use ken_logic::check::time::{Account, Apart, RunView, StateView, Why};
use ken_logic::formula::{Along, Formula, Group, Name, Path, Program};
use ken_logic::model::system::Visibility;
use ken_logic::{Answer, Document};
use std::collections::BTreeSet;

/// How many traces of a system without cycles are compared pair by pair.
pub(crate) const TRACES: usize = 250;

/// Who can say what holds where.
pub(crate) enum Oracle<'a> {
    Forgetful(Forgetful<'a>),
    Recalling(Recalling<'a>),
    /// Nobody: accounts are compared with the transitions only.
    None,
}

/// Follows accounts on the plain transitions.
pub(crate) struct Judge<'a> {
    system: &'a Plain,
    memory: Memory,
    visibility: Visibility,
    oracle: Oracle<'a>,
}

/// A run by indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Followed {
    states: Vec<usize>,
    acts: Vec<usize>,
}

impl Followed {
    pub(crate) fn last(&self) -> usize {
        self.states[self.acts.len()]
    }
}

pub(crate) fn ensure(condition: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(problem()) }
}

impl<'a> Judge<'a> {
    pub(crate) fn forgetful(system: &'a Plain) -> Judge<'a> {
        let oracle = Oracle::Forgetful(Forgetful::new(system));
        Judge { system, memory: Memory::None, visibility: Visibility::Seen, oracle }
    }

    /// With perfect recall; what holds where is known if there are no cycles.
    pub(crate) fn perfect(system: &'a Plain, visibility: Visibility) -> Judge<'a> {
        let oracle = Recalling::new(system, visibility, TRACES).map_or(Oracle::None, Oracle::Recalling);
        Judge { system, memory: Memory::Perfect, visibility, oracle }
    }

    /// Whether the account of an answer is right, if there is one.
    pub(crate) fn account(&self, document: &Document, answer: &Answer) -> Result<(), String> {
        let Some((name, account)) = answer.account() else { return Ok(()) };
        let start = self.system.state(name);
        ensure(self.system.initial.contains(&start), || format!("{name} is not initial"))?;
        ensure(account.holds == found(answer).contains(name), || format!("the account is not of {name}"))?;
        ensure(account.holds == answer.holds, || "the account is not of the answer".into())?;
        self.told(document, account, &Followed { states: vec![start], acts: Vec::new() })
    }

    fn holds(&self, f: &Formula, run: &Followed) -> Option<bool> {
        match &self.oracle {
            Oracle::Forgetful(judge) => Some(judge.at(f, run.last())),
            Oracle::Recalling(judge) => Some(judge.at(f, &run.states, &run.acts)),
            Oracle::None => None,
        }
    }

    fn leads(&self, program: &Program, many: bool, from: usize, run: &Followed) -> bool {
        match &self.oracle {
            Oracle::Forgetful(judge) => judge.leads(program, many, run.states[from], run.last()),
            Oracle::Recalling(judge) => judge.leads(program, many, from, &run.states, &run.acts),
            Oracle::None => true,
        }
    }

    fn state(&self, view: &StateView) -> Result<usize, String> {
        let state = self.system.state(&view.name);
        let props: BTreeSet<Name> = view.facts.props.iter().cloned().collect();
        ensure(props == self.system.states[state].props, || format!("{} has other facts", view.name))?;
        Ok(state)
    }

    /// The run that a view shows, if it is one.
    fn follow(&self, view: &RunView) -> Result<Followed, String> {
        let start = self.state(&view.start)?;
        ensure(self.system.initial.contains(&start), || format!("{} is not initial", view.start.name))?;
        let mut run = Followed { states: vec![start], acts: Vec::new() };
        for step in &view.steps {
            let (from, to) = (run.last(), self.state(&step.state)?);
            let act = self.system.acts.iter().position(|act| *act.text == *step.action);
            let act = act.ok_or_else(|| format!("no action {}", step.action))?;
            let (before, after) = (&self.system.states[from], &self.system.states[to]);
            let named = format!("{} {} {}", before.name, step.action, after.name);
            ensure(self.system.steps.contains(&(from, act, to)), || format!("no transition {named}"))?;
            let new = after.props.difference(&before.props).map(|p| p.to_string());
            let gone = before.props.difference(&after.props).map(|p| format!("!{p}"));
            let shown: BTreeSet<String> = step.changes.iter().cloned().collect();
            ensure(shown == new.chain(gone).collect(), || format!("{named}: changes {shown:?}"))?;
            let noticing = (0..self.system.agents.len()).filter(|&a| before.local[a] != after.local[a]);
            let noticing: Vec<Name> = noticing.map(|a| self.system.agents[a].clone()).collect();
            ensure(noticing == step.noticed, || format!("{named}: noticed by {:?}", step.noticed))?;
            run.states.push(to);
            run.acts.push(act);
        }
        Ok(run)
    }

    /// Whether two runs look the same to an agent.
    fn alike(&self, agent: &Name, one: &Followed, other: &Followed) -> bool {
        let agent = self.system.agent(agent);
        let local = |s: usize| &self.system.states[s].local[agent];
        if self.memory == Memory::None {
            return local(one.last()) == local(other.last());
        }
        one.states.len() == other.states.len()
            && one.states.iter().zip(&other.states).all(|(&s, &t)| local(s) == local(t))
            && (self.visibility == Visibility::Hidden || one.acts == other.acts)
    }

    /// Where two runs part for agents who remember.
    fn parting(&self, agents: &[Name], one: &Followed, other: &Followed) -> Option<Apart> {
        let local = |s: usize| -> Vec<_> {
            agents.iter().map(|a| self.system.states[s].local[self.system.agent(a)].clone()).collect()
        };
        let seen = self.visibility == Visibility::Seen;
        for i in 0..one.states.len().min(other.states.len()) {
            if i > 0 && seen && one.acts[i - 1] != other.acts[i - 1] {
                return Some(Apart::Action(i));
            }
            if local(one.states[i]) != local(other.states[i]) {
                return Some(Apart::Sight(i));
            }
        }
        (one.states.len() != other.states.len()).then_some(Apart::Length)
    }

    fn told(&self, document: &Document, account: &Account, run: &Followed) -> Result<(), String> {
        let text = &account.formula;
        let formula = document.formula(text).map_err(|problems| format!("{text}: {problems:?}"))?;
        let wrong = |what: &str| format!("{text}, said to be {}: {what}", account.holds);
        if let Some(holds) = self.holds(&formula, run) {
            ensure(holds == account.holds, || wrong("it is otherwise there"))?;
        }
        // A formula that holds because of one thing, or fails because of one.
        let one = match &*formula {
            Formula::Path(path, ..) | Formula::Until(path, ..) => Some((*path == Path::Some) == account.holds),
            Formula::Possible(..) => Some(account.holds),
            Formula::Knows(..) | Formula::KnowsWhether(..) | Formula::Everyone(..) | Formula::Distributed(..) => {
                Some(!account.holds)
            }
            Formula::Common(..) => Some(!account.holds),
            _ => None,
        };
        match &account.why {
            Why::Fact => ensure(formula.is_objective(), || wrong("not a matter of facts")),
            Why::Parts(parts) => {
                let holds: Vec<bool> = parts.iter().map(|part| part.holds).collect();
                let right = match (&*formula, account.holds) {
                    (Formula::Not(_), value) => holds == [!value],
                    (Formula::And(all), true) => holds.len() == all.len().min(6) && holds.iter().all(|b| *b),
                    (Formula::And(_), false) => holds.iter().any(|b| !*b),
                    (Formula::Or(_), true) => holds.iter().any(|b| *b),
                    (Formula::Or(all), false) => holds.len() == all.len().min(6) && holds.iter().all(|b| !*b),
                    (Formula::Imp(a, b), true) => match &parts[..] {
                        [part] => part.formula == if part.holds { b } else { a }.to_string(),
                        _ => false,
                    },
                    (Formula::Imp(..), false) => holds == [true, false],
                    (Formula::Iff(..), value) => holds.len() == 2 && (holds[0] == holds[1]) == value,
                    (Formula::Common(..), false) => holds == [false],
                    // In the middle of a chain of look-alikes.
                    _ => false,
                };
                ensure(right, || wrong("not because of these parts"))?;
                parts.iter().try_for_each(|part| self.told(document, part, run))
            }
            Why::EveryRun => {
                let path = matches!(*formula, Formula::Path(..) | Formula::Until(..));
                ensure(path && one == Some(false), || wrong("not a matter of every run"))
            }
            Why::Run(view, then) => self.shown(document, account, &formula, run, view, then.as_deref()),
            Why::Lookalike { agents, actual, other, apart, then } => {
                ensure(one == Some(true), || wrong("one look-alike does not show it"))?;
                let other = self.other(agents, actual, other, run).map_err(|problem| wrong(&problem))?;
                ensure(*apart == self.parting(agents, run, &other), || wrong("they part elsewhere"))?;
                let named: BTreeSet<&Name> = agents.iter().collect();
                let members = |group: &Group| match group {
                    Group::All => self.system.agents.iter().cloned().collect(),
                    Group::Of(names) => names.iter().cloned().collect::<BTreeSet<Name>>(),
                };
                let right = match &*formula {
                    Formula::Knows(a, _) | Formula::Possible(a, _) | Formula::KnowsWhether(a, _) => {
                        named == BTreeSet::from([a])
                    }
                    Formula::Distributed(group, _) => named == members(group).iter().collect(),
                    Formula::Everyone(group, _) | Formula::Common(group, _) => {
                        agents.len() == 1 && members(group).contains(&agents[0])
                    }
                    _ => false,
                };
                ensure(right, || wrong("that is a look-alike for others"))?;
                match &*formula {
                    Formula::Common(group, _) => return self.chained(document, then, &other, &members(group)),
                    Formula::Possible(..) => ensure(then.holds, || wrong("it does not hold there"))?,
                    Formula::KnowsWhether(_, g) => {
                        ensure(self.holds(g, run) != Some(then.holds), || wrong("it is the same there"))?;
                    }
                    _ => ensure(!then.holds, || wrong("it holds there too"))?,
                }
                self.told(document, then, &other)
            }
            Why::AllLookalikes { agents, count } => {
                ensure(one == Some(false), || wrong("one look-alike would show it"))?;
                ensure(!agents.is_empty() && *count != Some(0), || wrong("there is always the actual run"))
            }
            // Not all of the story is decided where moments were not followed to their end.
            Why::Untold => Ok(()),
            _ => Err(wrong("nobody speaks of strategies or obligations")),
        }
    }

    /// The run that looks like the actual one, if it does.
    fn other(&self, agents: &[Name], actual: &RunView, other: &RunView, run: &Followed) -> Result<Followed, String> {
        ensure(self.follow(actual)? == *run, || "not the actual run".into())?;
        let other = self.follow(other)?;
        ensure(!agents.is_empty(), || "nobody confuses them".into())?;
        ensure(agents.iter().all(|a| self.alike(a, run, &other)), || "they do not look the same".into())?;
        Ok(other)
    }

    /// Whether look-alikes of look-alikes come to one at which the body of common knowledge fails.
    fn chained(
        &self,
        document: &Document,
        account: &Account,
        run: &Followed,
        members: &BTreeSet<Name>,
    ) -> Result<(), String> {
        if !account.holds {
            return self.told(document, account, run);
        }
        let Why::Lookalike { agents, actual, other, then, .. } = &account.why else {
            return Err(format!("{}: the chain of look-alikes is broken", account.formula));
        };
        let body = document.formula(&account.formula).map_err(|problems| format!("{problems:?}"))?;
        ensure(self.holds(&body, run) != Some(false), || format!("{body} fails already"))?;
        ensure(agents.iter().all(|a| members.contains(a)), || format!("{agents:?} are not in the group"))?;
        let other = self.other(agents, actual, other, run)?;
        self.chained(document, then, &other, members)
    }

    /// Whether a run shows what it should.
    fn shown(
        &self,
        document: &Document,
        account: &Account,
        formula: &Formula,
        run: &Followed,
        view: &RunView,
        then: Option<&Account>,
    ) -> Result<(), String> {
        let wrong = |what: &str| format!("{}, said to be {}: {what}", account.formula, account.holds);
        let longer = self.follow(view)?;
        let past = run.acts.len();
        let goes_on = longer.states.starts_with(&run.states) && longer.acts.starts_with(&run.acts);
        ensure(goes_on && view.shown == past, || wrong("the run does not go on from where it was"))?;
        let (Formula::Path(path, _, program, _) | Formula::Until(path, program, ..)) = formula else {
            return Err(wrong("no runs matter"));
        };
        let value = *path == Path::Some;
        ensure(value == account.holds, || wrong("one run does not show it"))?;
        // The run that must last, or the one that must come somewhere.
        let lasting = match formula {
            Formula::Path(_, Along::Always, ..) => value,
            Formula::Path(_, Along::Eventually, ..) => !value,
            Formula::Until(Path::All, ..) => view.ends || view.loops_to.is_some(),
            _ => false,
        };
        let next = matches!(formula, Formula::Path(_, Along::Next, ..));
        ensure(self.leads(program, !next, past, &longer), || wrong("the program does not lead there"))?;
        if !lasting {
            ensure(view.loops_to.is_none() && !view.ends, || wrong("the run is not over yet"))?;
            ensure(then.is_some_and(|then| then.holds == value), || wrong("that is no such end"))?;
        } else if let Some(to) = view.loops_to {
            ensure(!view.ends && past <= to && to <= longer.acts.len(), || wrong("no loop"))?;
            ensure(longer.states[to] == longer.last(), || wrong("the loop does not close"))?;
            if matches!(program, Program::Any | Program::Action(_)) {
                ensure(to < longer.acts.len(), || wrong("an empty loop"))?;
            }
            if let Oracle::Recalling(_) = self.oracle {
                ensure(to == longer.acts.len(), || wrong("a loop where there is none"))?;
            }
        } else {
            ensure(view.ends, || wrong("the run neither ends nor loops"))?;
            let mut steps = self.system.from(longer.last());
            match program {
                Program::Any => ensure(steps.next().is_none(), || wrong("that is not the end"))?,
                Program::Action(name) => {
                    let called = |act: usize| self.system.acts[act].names.contains(name);
                    ensure(!steps.any(|(act, _)| called(act)), || wrong("the program goes on"))?;
                }
                _ => {
                    let on = Formula::Path(Path::Some, Along::Next, program.clone(), Formula::truth());
                    ensure(self.holds(&on, &longer) != Some(true), || wrong("the program goes on"))?;
                }
            }
        }
        if lasting && matches!(program, Program::Any | Program::Action(_)) {
            // What must last, at every point on the way.
            let lasts = match formula {
                Formula::Path(_, _, _, g) | Formula::Until(_, _, _, g) => g,
                _ => return Err(wrong("not a path")),
            };
            for end in past..=longer.acts.len() {
                let part = Followed { states: longer.states[..=end].to_vec(), acts: longer.acts[..end].to_vec() };
                ensure(self.holds(lasts, &part) != Some(!value), || wrong("it does not last"))?;
            }
        }
        then.map_or(Ok(()), |then| self.told(document, then, &longer))
    }
}

/// The initial states at which a formula is said to hold.
pub(crate) fn found(answer: &Answer) -> BTreeSet<Name> {
    answer.names().expect("few states").into_iter().map(Name::from).collect()
}
