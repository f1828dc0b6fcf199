//! Truth by definition, as a third opinion.
//!
//! Everything is computed at one world of one model from the definitions of the shared `semantics.md`, §2, again and
//! again: no sets of worlds, no table of results, no preconditions put together from formulas. It shares with the
//! engines only the syntax of formulas and the data of models. It is slow, so it works with a given amount of fuel.

use ken_logic::formula::{Action, ActionModel, ArithOp, Change, F, Formula, Group, Name, Sight, Term, Value};
use ken_logic::model::law::{Facts, LawModel, Observation};
use ken_logic::model::{BitSet, Kripke};
use std::cell::Cell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A model: the facts of each world, and for each agent and world the worlds that it considers possible there.
#[derive(Clone, Debug)]
pub(crate) struct Naive {
    pub(crate) agents: Vec<Name>,
    pub(crate) worlds: Vec<Facts>,
    pub(crate) sees: Vec<Vec<Vec<usize>>>,
}

impl Naive {
    /// The same model.
    pub(crate) fn from_kripke(model: &Kripke) -> Naive {
        Naive {
            agents: model.agents().to_vec(),
            worlds: (0..model.size()).map(|w| model.facts(w)).collect(),
            sees: (0..model.agents().len())
                .map(|a| (0..model.size()).map(|w| model.possible(a, w)).collect())
                .collect(),
        }
    }

    /// All valuations of the vocabulary that satisfy the laws; worlds with equal observations are confused.
    pub(crate) fn from_law(model: &LawModel) -> Naive {
        let mut worlds = vec![Facts::default()];
        for prop in &model.props {
            let with = worlds.iter().cloned().map(|mut facts| {
                facts.props.push(prop.clone());
                facts
            });
            worlds = worlds.iter().cloned().chain(with).collect();
        }
        for var in &model.vars {
            let extended = worlds.iter().flat_map(|facts| {
                var.values.iter().map(|value| {
                    let mut facts = facts.clone();
                    facts.vars.push((var.name.clone(), value.clone()));
                    facts
                })
            });
            worlds = extended.collect();
        }
        worlds.retain(|facts| model.laws.iter().all(|law| objective(facts, &law.formula)));
        let seen = |facts: &Facts, observation: &Observation| match observation {
            Observation::Formula(f) => Some(Value::Int(i64::from(objective(facts, f)))),
            Observation::Term(t) => value(facts, t),
        };
        let sees = model.observes.iter().map(|observations| {
            let alike = |v: &Facts, w: &Facts| observations.iter().all(|o| seen(v, o) == seen(w, o));
            worlds.iter().map(|w| (0..worlds.len()).filter(|&v| alike(&worlds[v], w)).collect()).collect()
        });
        Naive { agents: model.agents.clone(), sees: sees.collect(), worlds }
    }

    fn agent(&self, name: &Name) -> usize {
        self.agents.iter().position(|a| a == name).expect("a known agent")
    }

    fn members(&self, group: &Group) -> Vec<usize> {
        match group {
            Group::All => (0..self.agents.len()).collect(),
            Group::Of(names) => names.iter().map(|name| self.agent(name)).collect(),
        }
    }

    fn names(&self, group: &Group) -> BTreeSet<Name> {
        self.members(group).into_iter().map(|a| self.agents[a].clone()).collect()
    }
}

/// An objective formula where the facts are given.
fn objective(facts: &Facts, f: &Formula) -> bool {
    let one = Naive { agents: Vec::new(), worlds: vec![facts.clone()], sees: Vec::new() };
    Oracle::with_fuel(u64::MAX).holds(&one, 0, f).expect("enough fuel")
}

/// The value of a term, if it has one.
fn value(facts: &Facts, term: &Term) -> Option<Value> {
    let number = |t: &Term| match value(facts, t) {
        Some(Value::Int(n)) => Some(i128::from(n)),
        Some(Value::Sym(_)) | None => None,
    };
    let result = match term {
        Term::Value(v) => return Some(v.clone()),
        Term::Var(name) => return facts.vars.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone()),
        Term::Neg(t) => -number(t)?,
        Term::Bin(op, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
            match op {
                ArithOp::Add => a + b,
                ArithOp::Sub => a - b,
                ArithOp::Mul => a * b,
                ArithOp::Div | ArithOp::Mod => {
                    if b == 0 {
                        return None;
                    }
                    // The remainder is the one number r with 0 <= r < |b| that differs from a by a multiple of b.
                    let r = (0..b.abs()).find(|r| (a - r) % b == 0)?;
                    if *op == ArithOp::Mod { r } else { (a - r) / b }
                }
            }
        }
    };
    i64::try_from(result).ok().map(Value::Int)
}

/// There is no answer within the fuel.
#[derive(Debug)]
pub(crate) struct OutOfFuel;

type Truth = Result<bool, OutOfFuel>;

/// Answers questions until the fuel is used up.
pub(crate) struct Oracle {
    fuel: Cell<u64>,
}

impl Oracle {
    pub(crate) fn with_fuel(fuel: u64) -> Oracle {
        Oracle { fuel: Cell::new(fuel) }
    }

    fn spend(&self, amount: usize) -> Result<(), OutOfFuel> {
        let left = self.fuel.get().checked_sub(amount as u64).ok_or(OutOfFuel)?;
        self.fuel.set(left);
        Ok(())
    }

    /// The worlds at which the formula holds.
    pub(crate) fn worlds(&self, model: &Naive, f: &Formula) -> Result<BitSet, OutOfFuel> {
        let mut set = BitSet::empty(model.worlds.len());
        for w in 0..model.worlds.len() {
            if self.holds(model, w, f)? {
                set.insert(w);
            }
        }
        Ok(set)
    }

    fn everywhere(&self, m: &Naive, worlds: impl IntoIterator<Item = usize>, f: &Formula) -> Truth {
        for w in worlds {
            if !self.holds(m, w, f)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn how_many(&self, m: &Naive, w: usize, parts: &[F]) -> Result<u64, OutOfFuel> {
        let mut count = 0;
        for part in parts {
            count += u64::from(self.holds(m, w, part)?);
        }
        Ok(count)
    }

    /// The worlds that can be reached by the agents' relations in any number of steps, none included.
    fn reachable(&self, m: &Naive, agents: &[usize], world: usize) -> Result<BTreeSet<usize>, OutOfFuel> {
        let mut found = BTreeSet::from([world]);
        let mut open = vec![world];
        while let Some(w) = open.pop() {
            for &agent in agents {
                self.spend(m.sees[agent][w].len())?;
                open.extend(m.sees[agent][w].iter().copied().filter(|&v| found.insert(v)));
            }
        }
        Ok(found)
    }

    /// Whether the formula holds at the world.
    pub(crate) fn holds(&self, m: &Naive, w: usize, f: &Formula) -> Truth {
        self.spend(1)?;
        match f {
            Formula::Const(b) => Ok(*b),
            Formula::Atom(name) => Ok(m.worlds[w].props.contains(name)),
            Formula::Compare(cmp, a, b) => {
                let (Some(a), Some(b)) = (value(&m.worlds[w], a), value(&m.worlds[w], b)) else { return Ok(false) };
                let order = match (&a, &b) {
                    (Value::Int(a), Value::Int(b)) => a.cmp(b),
                    (Value::Sym(a), Value::Sym(b)) => a.cmp(b),
                    (Value::Int(_), Value::Sym(_)) => Ordering::Less,
                    (Value::Sym(_), Value::Int(_)) => Ordering::Greater,
                };
                Ok(cmp.admits(order))
            }
            Formula::Not(f) => Ok(!self.holds(m, w, f)?),
            Formula::And(parts) => Ok(self.how_many(m, w, parts)? == parts.len() as u64),
            Formula::Or(parts) => Ok(self.how_many(m, w, parts)? > 0),
            Formula::Imp(f, g) => Ok(!self.holds(m, w, f)? || self.holds(m, w, g)?),
            Formula::Iff(f, g) => Ok(self.holds(m, w, f)? == self.holds(m, w, g)?),
            Formula::Xor(parts) => Ok(self.how_many(m, w, parts)? % 2 == 1),
            Formula::Count(cmp, n, parts) => Ok(cmp.admits(self.how_many(m, w, parts)?.cmp(n))),
            Formula::Knows(a, f) => self.everywhere(m, m.sees[m.agent(a)][w].iter().copied(), f),
            Formula::Possible(a, f) => {
                for &v in &m.sees[m.agent(a)][w] {
                    if self.holds(m, v, f)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Formula::KnowsWhether(a, f) => {
                let mut values = BTreeSet::new();
                for &v in &m.sees[m.agent(a)][w] {
                    values.insert(self.holds(m, v, f)?);
                }
                Ok(values.len() < 2)
            }
            Formula::Everyone(group, f) => {
                for agent in m.members(group) {
                    if !self.everywhere(m, m.sees[agent][w].iter().copied(), f)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Formula::Common(group, f) => self.everywhere(m, self.reachable(m, &m.members(group), w)?, f),
            Formula::Distributed(group, f) => {
                let members = m.members(group);
                self.spend(m.worlds.len() * members.len())?;
                let together = |v: &usize| members.iter().all(|&a| m.sees[a][w].contains(v));
                self.everywhere(m, (0..m.worlds.len()).filter(together), f)
            }
            Formula::After(action, f) => self.run(m, w, action, true, &|m, w| self.holds(m, w, f)),
            Formula::Can(action, f) => self.run(m, w, action, false, &|m, w| self.holds(m, w, f)),
            Formula::Path(..)
            | Formula::Until(..)
            | Formula::Ensure(..)
            | Formula::EnsureUntil(..)
            | Formula::Ought(..)
            | Formula::Runs(..)
            | Formula::Linear(..)
            | Formula::LinearUntil(..)
            | Formula::Release(..) => unreachable!("no time here"),
        }
    }

    /// Whether `then` holds after every execution of the action, or else after some.
    fn run(&self, m: &Naive, w: usize, action: &Action, every: bool, then: &dyn Fn(&Naive, usize) -> Truth) -> Truth {
        match action {
            Action::Test(f) => match (self.holds(m, w, f)?, every) {
                (true, _) => then(m, w),
                (false, every) => Ok(every),
            },
            Action::Seq(parts) => self.run_all(m, w, parts, every, then),
            Action::Choice(parts) => self.join(m, w, parts.iter(), every, every, then),
            Action::Both(a, b) => self.join(m, w, [&**a, &**b].into_iter(), !every, every, then),
            Action::Announce(_) | Action::Learn(..) | Action::Model(_) => {
                let Executed { after, from, designated } = self.execute(m, action)?;
                for (new, &(old, event)) in from.iter().enumerate() {
                    if old == w && designated[event] && then(&after, new)? != every {
                        return Ok(!every);
                    }
                }
                Ok(every)
            }
            Action::Local(_) | Action::Move(_) => panic!("a mark outside `L`, or a move of a game"),
        }
    }

    fn run_all(
        &self,
        m: &Naive,
        w: usize,
        parts: &[Action],
        every: bool,
        then: &dyn Fn(&Naive, usize) -> Truth,
    ) -> Truth {
        match parts {
            [] => then(m, w),
            [first, rest @ ..] => self.run(m, w, first, every, &|m, w| self.run_all(m, w, rest, every, then)),
        }
    }

    /// Whether all (or else some) of the actions satisfy `run`.
    fn join<'a>(
        &self,
        m: &Naive,
        w: usize,
        mut parts: impl Iterator<Item = &'a Action>,
        all: bool,
        every: bool,
        then: &dyn Fn(&Naive, usize) -> Truth,
    ) -> Truth {
        let decisive =
            parts.try_fold(
                false,
                |found, part| {
                    if found { Ok(true) } else { Ok(self.run(m, w, part, every, then)? != all) }
                },
            )?;
        Ok(decisive != all)
    }

    /// The model after an announcement, `L[all] α` or an action model.
    pub(crate) fn execute(&self, m: &Naive, action: &Action) -> Result<Executed, OutOfFuel> {
        match action {
            Action::Announce(f) => self.execute(m, &Action::Learn(Group::All, Box::new(Action::Test(f.clone())))),
            Action::Learn(group, inner) => {
                assert_eq!(m.names(group).len(), m.agents.len(), "the outermost group");
                let (ways, designated): (Vec<Way>, Vec<bool>) = ways(inner, m).into_iter().unzip();
                let can = self.executable(m, &ways)?;
                let (after, from) = self.update(m, &learned(m, &ways, can))?;
                Ok(Executed { after, from, designated })
            }
            Action::Model(model) => {
                let designated = model.events.iter().map(|e| e.designated).collect();
                let (after, from) = self.update(m, &self.happening(m, model)?)?;
                Ok(Executed { after, from, designated })
            }
            _ => panic!("not one update: {action}"),
        }
    }

    /// Product update: the pairs of a world and an event that can happen there.
    fn update(&self, m: &Naive, what: &Happening) -> Result<(Naive, Vec<(usize, usize)>), OutOfFuel> {
        let mut from = Vec::new();
        for w in 0..m.worlds.len() {
            for (e, can) in what.can.iter().enumerate() {
                if can[w] {
                    from.push((w, e));
                }
            }
        }
        self.spend(from.len() * from.len() * m.agents.len())?;
        let worlds = from.iter().map(|&(w, e)| what.facts[e][w].clone()).collect();
        let sees = (0..m.agents.len()).map(|agent| {
            let related = |&(w, e): &(usize, usize), &(v, f): &(usize, usize)| {
                m.sees[agent][w].contains(&v) && what.confuses[agent][e][f]
            };
            from.iter().map(|old| (0..from.len()).filter(|&i| related(old, &from[i])).collect()).collect()
        });
        Ok((Naive { agents: m.agents.clone(), worlds, sees: sees.collect() }, from))
    }

    /// The events of an action model in this model.
    fn happening(&self, m: &Naive, action: &ActionModel) -> Result<Happening, OutOfFuel> {
        self.spend(8 * m.worlds.len() * action.events.len())?;
        let (mut can, mut facts) = (Vec::new(), Vec::new());
        for event in &action.events {
            let (mut can_here, mut facts_here) = (Vec::new(), Vec::new());
            for (w, old) in m.worlds.iter().enumerate() {
                can_here.push(self.holds(m, w, &event.pre)?);
                let mut new = old.clone();
                for change in &event.changes {
                    match change {
                        Change::Prop(name, f) => {
                            new.props.retain(|p| p != name);
                            if self.holds(m, w, f)? {
                                new.props.push(name.clone());
                            }
                        }
                        // A new value that is undefined leaves the old one.
                        Change::Var(name, term) => {
                            if let Some(value) = value(old, term) {
                                new.vars.iter_mut().filter(|(n, _)| n == name).for_each(|(_, v)| *v = value.clone());
                            }
                        }
                    }
                }
                facts_here.push(new);
            }
            can.push(can_here);
            facts.push(facts_here);
        }
        let n = action.events.len();
        let confuses = m.agents.iter().map(|agent| {
            let sight = action.sights.iter().find(|(a, _)| a == agent).map(|(_, s)| s);
            let confused = |e: usize, f: usize| match sight {
                None => e == f,
                Some(Sight::Classes(class)) => class[e] == class[f],
                Some(Sight::Edges(pairs)) => pairs.contains(&(e as u32, f as u32)),
            };
            (0..n).map(|e| (0..n).map(|f| confused(e, f)).collect()).collect()
        });
        Ok(Happening { can, facts, confuses: confuses.collect() })
    }

    /// For each way and each world, whether the action can go that way there.
    ///
    /// The first step of a way must be possible now, and the rest of it after everybody has made their first steps.
    fn executable(&self, m: &Naive, ways: &[Way]) -> Result<Vec<Vec<bool>>, OutOfFuel> {
        self.spend(8 * m.worlds.len() * ways.len())?;
        let firsts: Vec<Way> = ways.iter().map(Way::first).collect();
        let mut can = Vec::new();
        for first in &firsts {
            let test = first.test();
            can.push((0..m.worlds.len()).map(|w| self.holds(m, w, test)).collect::<Result<Vec<_>, _>>()?);
        }
        let rests: Vec<(usize, Way)> = ways.iter().enumerate().filter_map(|(i, p)| Some((i, p.rest()?))).collect();
        if rests.is_empty() {
            return Ok(can);
        }
        let (after, from) = self.update(m, &learned(m, &firsts, can.clone()))?;
        let later: Vec<Way> = rests.iter().map(|(_, rest)| rest.clone()).collect();
        let can_later = self.executable(&after, &later)?;
        for ((i, _), can_rest) in rests.iter().zip(can_later) {
            for (new, &(w, e)) in from.iter().enumerate() {
                if e == *i {
                    can[*i][w] = can_rest[new];
                }
            }
        }
        Ok(can)
    }
}

/// A model after an action: where its worlds come from, and which events are designated.
pub(crate) struct Executed {
    pub(crate) after: Naive,
    /// The old world and the event of each new world.
    pub(crate) from: Vec<(usize, usize)>,
    pub(crate) designated: Vec<bool>,
}

/// For each world of each model a number: equal numbers for worlds that no formula tells apart.
///
/// With `pooled` that includes distributed knowledge: intersections of relations count like relations.
pub(crate) fn types(models: &[&Naive], pooled: bool) -> Vec<Vec<usize>> {
    let agents = models[0].agents.len();
    let all = (1..1usize << agents).filter(|group| pooled || group.count_ones() == 1);
    let groups: Vec<Vec<usize>> = all.map(|g| (0..agents).filter(|a| g >> a & 1 == 1).collect()).collect();
    let facts = |facts: &Facts| {
        let (mut props, mut vars) = (facts.props.clone(), facts.vars.clone());
        props.sort();
        vars.sort();
        (props, vars)
    };
    let mut types = numbered(models.iter().map(|m| m.worlds.iter().map(facts).collect()).collect());
    loop {
        let seen = models.iter().zip(&types).map(|(m, types)| {
            let at = |w: usize| {
                let seen_by = |group: &Vec<usize>| -> BTreeSet<usize> {
                    let (first, others) = group.split_first().expect("not empty");
                    let together =
                        m.sees[*first][w].iter().filter(|v| others.iter().all(|&a| m.sees[a][w].contains(v)));
                    together.map(|&v| types[v]).collect()
                };
                (types[w], groups.iter().map(seen_by).collect::<Vec<_>>())
            };
            (0..m.worlds.len()).map(at).collect()
        });
        let next = numbered(seen.collect());
        if next == types {
            return types;
        }
        types = next;
    }
}

/// Numbers by first appearance.
fn numbered<K: Ord>(keys: Vec<Vec<K>>) -> Vec<Vec<usize>> {
    let mut known: BTreeMap<K, usize> = BTreeMap::new();
    let mut number = |key| {
        let next = known.len();
        *known.entry(key).or_insert(next)
    };
    keys.into_iter().map(|keys| keys.into_iter().map(&mut number).collect()).collect()
}

/// What may happen: for each event and world whether it can and the facts after it, and which events agents confuse.
struct Happening {
    can: Vec<Vec<bool>>,
    facts: Vec<Vec<Facts>>,
    confuses: Vec<Vec<Vec<bool>>>,
}

/// A knowledge action as events: nothing changes, and agents confuse the ways that they do not tell apart.
fn learned(m: &Naive, ways: &[Way], can: Vec<Vec<bool>>) -> Happening {
    let confuses = |agent| ways.iter().map(|a| ways.iter().map(|b| !a.told_apart(b, agent)).collect()).collect();
    Happening {
        can,
        facts: ways.iter().map(|_| m.worlds.clone()).collect(),
        confuses: m.agents.iter().map(confuses).collect(),
    }
}

/// One way in which an action inside `L` can go: every choice made, sequences as lists of steps.
#[derive(Clone, Debug)]
struct Way(Vec<Step>);

#[derive(Clone, Debug)]
enum Step {
    Test(F),
    /// `L`: what it says after flattening and distributing, its group, and the way that was taken inside.
    Learn(Rc<str>, BTreeSet<Name>, Way),
}

/// The ways of an action inside `L`, and whether each is designated.
fn ways(action: &Action, m: &Naive) -> Vec<(Way, bool)> {
    match action {
        Action::Test(f) => vec![(Way(vec![Step::Test(f.clone())]), true)],
        Action::Announce(f) => ways(&Action::Learn(Group::All, Box::new(Action::Test(f.clone()))), m),
        Action::Learn(group, inner) => {
            let group = m.names(group);
            let inside = ways(inner, m);
            let text: Rc<str> = format!("{group:?} {inside:?}").into();
            let step = |way| Step::Learn(text.clone(), group.clone(), way);
            inside.into_iter().map(|(way, d)| (Way(vec![step(way)]), d)).collect()
        }
        Action::Seq(parts) if parts.is_empty() => ways(&Action::Test(Formula::truth()), m),
        // `;` is distributed over `+`: one way for each combination.
        Action::Seq(parts) => parts.iter().fold(vec![(Way(Vec::new()), true)], |before, part| {
            let after = ways(part, m);
            let joined = before.iter().flat_map(|(first, d)| {
                after.iter().map(move |(then, e)| (Way([first.0.clone(), then.0.clone()].concat()), *d && *e))
            });
            joined.collect()
        }),
        Action::Choice(_) => {
            let mut alternatives = Vec::new();
            flatten(action, &mut alternatives);
            let some_mark = alternatives.iter().any(|a| matches!(a, Action::Local(_)));
            let mut all = Vec::new();
            for alternative in alternatives {
                match alternative {
                    Action::Local(inner) => all.extend(ways(inner, m)),
                    other => all.extend(ways(other, m).into_iter().map(|(way, d)| (way, d && !some_mark))),
                }
            }
            all
        }
        Action::Local(_) | Action::Both(..) | Action::Model(_) | Action::Move(_) => panic!("not inside `L`: {action}"),
    }
}

fn flatten<'a>(action: &'a Action, alternatives: &mut Vec<&'a Action>) {
    match action {
        Action::Choice(parts) => parts.iter().for_each(|p| flatten(p, alternatives)),
        other => alternatives.push(other),
    }
}

impl Way {
    /// Whether the agent is in the group.
    fn involves(&self, agent: &Name) -> bool {
        self.0.iter().any(|step| step.involves(agent))
    }

    fn told_apart(&self, other: &Way, agent: &Name) -> bool {
        let (mine, others) = (&self.0, &other.0);
        match (mine.len(), others.len()) {
            (1, 1) => mine[0].told_apart(&others[0], agent),
            (1, _) | (_, 1) => self.involves(agent) || other.involves(agent),
            (n, k) => {
                (0..n.min(k)).any(|i| mine[i].told_apart(&others[i], agent))
                    || mine.iter().skip(k).any(|step| step.involves(agent))
                    || others.iter().skip(n).any(|step| step.involves(agent))
            }
        }
    }

    fn first(&self) -> Way {
        Way(vec![match &self.0[0] {
            Step::Test(f) => Step::Test(f.clone()),
            Step::Learn(text, group, way) => Step::Learn(text.clone(), group.clone(), way.first()),
        }])
    }

    fn rest(&self) -> Option<Way> {
        let mut steps = Vec::new();
        if let Step::Learn(text, group, way) = &self.0[0]
            && let Some(rest) = way.rest()
        {
            steps.push(Step::Learn(text.clone(), group.clone(), rest));
        }
        steps.extend_from_slice(&self.0[1..]);
        (!steps.is_empty()).then_some(Way(steps))
    }

    /// The test of a way of one step.
    fn test(&self) -> &F {
        match &self.0[0] {
            Step::Test(f) => f,
            Step::Learn(_, _, way) => way.test(),
        }
    }
}

impl Step {
    fn involves(&self, agent: &Name) -> bool {
        match self {
            Step::Test(_) => false,
            Step::Learn(_, group, _) => group.contains(agent),
        }
    }

    fn told_apart(&self, other: &Step, agent: &Name) -> bool {
        match (self, other) {
            (Step::Learn(text, _, way), Step::Learn(other_text, _, other_way)) if text == other_text => {
                self.involves(agent) && way.told_apart(other_way, agent)
            }
            _ => self.involves(agent) || other.involves(agent),
        }
    }
}
