//! The lines of a proof from the entries of a search: what an end rests on, in order, with as few sentences as will do.

use super::ended::{Effort, GaveUp};
use super::lemma::Proved;
use super::propagate::{Entry, Finding, Inner, Reason};
use super::prove::Prover;
use super::rules::{Line, Premise, Rule, Step};
use crate::cluedo::atoms::{Atom, Fact};
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{Case, Numbers};
use rustc_hash::{FxHashMap, FxHashSet};

/// Where an entry stands: by the number of its line.
#[derive(Clone, Default)]
struct Placed {
    /// Lines that say what the entry says.
    exact: FxHashMap<u32, usize>,
    /// Which line stands for another one.
    same: Numbers,
}

/// Premises whose facts are told in one sentence.
#[derive(PartialEq, Eq)]
enum Told {
    Hand,
    Passed(Seat),
    Shown,
    Envelope,
}

fn told(premise: Premise) -> Told {
    match premise {
        Premise::Hand => Told::Hand,
        Premise::Pass(_, seat) => Told::Passed(seat),
        Premise::Shown(_) => Told::Shown,
        Premise::Right(_)
        | Premise::Saw(_)
        | Premise::Show(_)
        | Premise::Wrong(_)
        | Premise::Ended(_)
        | Premise::Size(_)
        | Premise::Category(_) => Told::Envelope,
    }
}

impl Prover<'_> {
    /// The lines that lead to the entry, with the proofs of the lemmas that it takes.
    pub(super) fn inner(&mut self, end: u32, effort: &mut Effort) -> Result<Inner, GaveUp> {
        self.prove_lemmas(end, effort)?;
        let mut placed = Placed::default();
        let mut lines = Vec::new();
        self.gather(end, &mut lines, &mut placed);
        self.place(end, true, &mut lines, &mut placed);
        Ok(Inner { lines, same: placed.same })
    }

    fn entry(&self, id: u32) -> &Entry {
        &self.facts.entries[id as usize]
    }

    /// Whether what it says follows at a glance from the entry before it: a card that is somewhere is not elsewhere.
    fn plain(&self, id: u32) -> Option<u32> {
        match (&self.entry(id).reason, self.entry(id).fact) {
            (Reason::Rule(Rule::OnePlace), _) | (Reason::Rule(Rule::Showed(_)), Finding::At(..)) => {
                self.entry(id).from.first().copied()
            }
            _ => None,
        }
    }

    /// Whether an entry must be said itself to be used by the other: somebody sees it, but not what it follows from.
    fn needs_exactly(&self, id: u32) -> bool {
        match &self.entry(id).reason {
            Reason::Mind(..) | Reason::Ended(_) | Reason::Logic => true,
            Reason::Rule(rule) => matches!(rule, Rule::Solved(_)),
            Reason::Assumed | Reason::Outer(_) | Reason::Given(_) | Reason::Cases(..) | Reason::Unsure(..) => false,
        }
    }

    /// Says first what the premises give, each kind in one sentence, outside of all cases.
    fn gather(&self, end: u32, out: &mut Vec<Line>, placed: &mut Placed) {
        let mut order = Vec::new();
        self.rests_on(end, true, &mut FxHashSet::default(), &mut order);
        for id in order {
            let Reason::Given(premise) = self.entry(id).reason else { continue };
            let fact = self.facts.fact(self.entry(id).fact, self.claim);
            let number = self.id(id);
            let kind = told(premise);
            let fits = |line: &&mut Line| match &line.step {
                Step::Given(premises) => premises.iter().all(|&p| told(p) == kind),
                _ => false,
            };
            match out.iter_mut().find(fits) {
                Some(line) => {
                    if let Step::Given(premises) = &mut line.step
                        && !premises.contains(&premise)
                    {
                        premises.push(premise);
                    }
                    if !line.facts.contains(&fact) {
                        line.facts.push(fact);
                    }
                    placed.same.insert(number, line.number);
                }
                None => {
                    out.push(Line { number, facts: vec![fact], step: Step::Given(vec![premise]), from: Vec::new() });
                }
            }
            placed.exact.insert(id, number);
        }
    }

    /// The entries that the end rests on and that are said, in order.
    fn rests_on(&self, id: u32, exactly: bool, seen: &mut FxHashSet<(u32, bool)>, order: &mut Vec<u32>) {
        if !seen.insert((id, exactly)) {
            return;
        }
        if let (false, Some(source)) = (exactly, self.plain(id)) {
            return self.rests_on(source, false, seen, order);
        }
        let entry = self.entry(id);
        let below = self.needs_exactly(id);
        entry.from.iter().for_each(|&from| self.rests_on(from, below, seen, order));
        if let Reason::Cases(_, ends) = &entry.reason {
            for &(assume, end) in ends.iter().filter(|(assume, end)| !self.settles(id, *assume, *end)) {
                self.rests_on(assume, true, seen, order);
                self.rests_on(end, true, seen, order);
            }
        }
        if !order.contains(&id) {
            order.push(id);
        }
    }

    /// Whether the assumption of a case is what is to be shown.
    fn settles(&self, id: u32, assume: u32, end: u32) -> bool {
        assume == end && self.entry(assume).fact == self.entry(id).fact
    }

    /// The number of the line that says the entry, or from which it follows at a glance.
    fn cite(&self, id: u32, exactly: bool, placed: &Placed) -> usize {
        match placed.exact.get(&id) {
            Some(&number) => number,
            None => match self.plain(id) {
                Some(source) if !exactly => self.cite(source, false, placed),
                _ => self.id(id),
            },
        }
    }

    /// Writes the line of an entry after those that it rests on. Lines carry the entries' numbers until they are numbered.
    fn place(&self, id: u32, exactly: bool, out: &mut Vec<Line>, placed: &mut Placed) {
        if placed.exact.contains_key(&id) {
            return;
        }
        if let (false, Some(source)) = (exactly, self.plain(id)) {
            return self.place(source, false, out, placed);
        }
        let entry = self.entry(id);
        let below = self.needs_exactly(id);
        self.place_seen(&entry.from, below, out, placed);
        let number = self.id(id);
        let step = match &entry.reason {
            // The case, or the line outside, stands for it.
            Reason::Assumed => {
                placed.exact.insert(id, number);
                return;
            }
            Reason::Outer(outer) => {
                placed.exact.insert(id, *outer);
                placed.same.insert(number, *outer);
                return;
            }
            Reason::Given(premise) => Step::Given(vec![*premise]),
            Reason::Rule(rule) => Step::Rule(rule.clone()),
            Reason::Logic => Step::Logic,
            Reason::Cases(rule, ends) => self.place_cases(id, rule.as_ref(), ends, out, placed),
            Reason::Mind(eyes, inner) => {
                placed.same.extend(&inner.same);
                Step::Mind(eyes.clone(), inner.lines.clone())
            }
            Reason::Ended(lemma) => {
                let Proved { premise, view, known, proof } = &self.proved[lemma];
                let seen = |at: usize| {
                    let id = entry.from.iter().find(|&&id| self.entry(id).fact == view[at]);
                    self.cite(*id.expect("all of the view is there"), true, placed)
                };
                let outer: Vec<usize> = (0..view.len()).map(seen).collect();
                Step::Knew(*premise, known.clone(), self.copy(proof, &outer))
            }
            Reason::Unsure(change, there) => {
                let assume = there.iter().map(|&finding| self.facts.fact(finding, self.claim)).collect();
                let fact = self.facts.fact(entry.fact, self.claim);
                Step::Unsure(unsure(&fact), change.clone(), Case { number: number + HALF, assume, lines: Vec::new() })
            }
        };
        let mut from: Vec<usize> = entry.from.iter().map(|&f| self.cite(f, below, placed)).collect();
        from.sort_unstable();
        from.dedup();
        let fact = self.facts.fact(entry.fact, self.claim);
        // Conclusions by the same rule from the same lines make one sentence.
        let together = |line: &&mut Line| line.step == step && line.from == from && line.facts[0] != Fact::Const(false);
        match out.iter_mut().find(together) {
            Some(line) if !matches!(step, Step::Unsure(..)) => {
                if !line.facts.contains(&fact) {
                    line.facts.push(fact);
                }
                placed.exact.insert(id, line.number);
                placed.same.insert(number, line.number);
            }
            _ => {
                placed.exact.insert(id, number);
                out.push(Line { number, facts: vec![fact], step, from });
            }
        }
    }

    /// The lines of a proof with numbers of their own. What has a place in a view as number has that of `outer` then.
    fn copy(&self, proof: &Inner, outer: &[usize]) -> Vec<Line> {
        let mut lines = proof.lines.clone();
        let mut numbers: Numbers = outer.iter().copied().enumerate().collect();
        let mut fresh = || {
            self.copied.set(self.copied.get() + 1);
            self.id(0) + 2 * HALF + self.copied.get()
        };
        renumber(&mut lines, &proof.same, &mut numbers, &mut fresh);
        lines
    }

    /// The lemmas that the end rests on.
    pub(super) fn lemmas_used(&self, end: u32) -> Vec<usize> {
        let mut order = Vec::new();
        self.rests_on(end, true, &mut FxHashSet::default(), &mut order);
        let lemma = |&id: &u32| match self.entry(id).reason {
            Reason::Ended(lemma) => Some(lemma),
            _ => None,
        };
        order.iter().filter_map(lemma).collect()
    }

    /// Writes what an entry rests on. Cards that are not where somebody sees since they are elsewhere make one sentence.
    fn place_seen(&self, from: &[u32], exactly: bool, out: &mut Vec<Line>, placed: &mut Placed) {
        let mut gone: Vec<u32> = Vec::new();
        for &id in from {
            let elsewhere = matches!(self.entry(id).reason, Reason::Rule(Rule::OnePlace));
            if exactly && elsewhere && !placed.exact.contains_key(&id) {
                self.place_seen(&self.entry(id).from, false, out, placed);
                gone.push(id);
            } else {
                self.place(id, exactly, out, placed);
            }
        }
        let Some(&first) = gone.first() else { return };
        let number = self.id(first);
        let mut line = Line { number, facts: Vec::new(), step: Step::Rule(Rule::OnePlace), from: Vec::new() };
        for &id in &gone {
            line.facts.push(self.facts.fact(self.entry(id).fact, self.claim));
            line.from.extend(self.entry(id).from.iter().map(|&source| self.cite(source, false, placed)));
            placed.exact.insert(id, number);
            if id != first {
                placed.same.insert(self.id(id), number);
            }
        }
        line.from.sort_unstable();
        line.from.dedup();
        out.push(line);
    }

    fn place_cases(
        &self,
        id: u32,
        rule: Option<&Rule>,
        ends: &[(u32, u32)],
        out: &mut Vec<Line>,
        placed: &mut Placed,
    ) -> Step {
        let depth = self.entry(id).depth;
        let mut seen = FxHashSet::default();
        for &(_, end) in ends {
            self.outer(end, true, depth, out, placed, &mut seen);
        }
        let mut cases = Vec::new();
        for &(assume, end) in ends.iter().filter(|(assume, end)| !self.settles(id, *assume, *end)) {
            placed.exact.insert(assume, self.id(assume));
            let mut lines = Vec::new();
            let mut inside = placed.clone();
            self.place(end, true, &mut lines, &mut inside);
            placed.same.extend(inside.same);
            let assumed = self.facts.fact(self.entry(assume).fact, self.claim);
            cases.push(Case { number: self.id(assume), assume: vec![assumed], lines });
        }
        Step::Cases(rule.cloned(), cases)
    }

    /// Places what a case uses from outside before the distinction.
    fn outer(
        &self,
        id: u32,
        exactly: bool,
        depth: u32,
        out: &mut Vec<Line>,
        placed: &mut Placed,
        seen: &mut FxHashSet<(u32, bool)>,
    ) {
        if !seen.insert((id, exactly)) {
            return;
        }
        let entry = self.entry(id);
        if entry.depth <= depth {
            self.place(id, exactly, out, placed);
            return;
        }
        if let (false, Some(source)) = (exactly, self.plain(id)) {
            return self.outer(source, false, depth, out, placed, seen);
        }
        let below = self.needs_exactly(id);
        entry.from.iter().for_each(|&f| self.outer(f, below, depth, out, placed, seen));
        if let Reason::Cases(_, ends) = &entry.reason {
            ends.iter().for_each(|&(_, end)| self.outer(end, true, depth, out, placed, seen));
        }
    }

    /// The entries outside that the end rests on.
    pub(super) fn outer_used(&self, end: u32) -> Vec<usize> {
        let mut order = Vec::new();
        self.rests_on(end, true, &mut FxHashSet::default(), &mut order);
        let outer = |&id: &u32| match self.entry(id).reason {
            Reason::Outer(outer) => Some(outer),
            _ => None,
        };
        order.iter().filter_map(outer).collect()
    }

    /// About how many sentences the entry takes.
    pub(super) fn cost(&self, end: u32) -> usize {
        let mut order = Vec::new();
        self.rests_on(end, true, &mut FxHashSet::default(), &mut order);
        let mut given: Vec<Told> = Vec::new();
        let mut cost = 0;
        for id in order {
            cost += match &self.entry(id).reason {
                Reason::Outer(_) => 0,
                Reason::Given(premise) => {
                    let kind = told(*premise);
                    let new = !given.contains(&kind);
                    given.extend(new.then_some(kind));
                    usize::from(new)
                }
                Reason::Mind(_, inner) => 1 + inner.sentences(),
                Reason::Ended(lemma) => {
                    self.facts.clauses.iter().find(|clause| clause.lemma == *lemma).map_or(1, |clause| clause.cost)
                }
                Reason::Assumed | Reason::Rule(_) | Reason::Logic | Reason::Cases(..) | Reason::Unsure(..) => 1,
            };
        }
        cost
    }
}

/// Between the numbers of entries and those of what is assumed of changed worlds.
const HALF: usize = 1 << 22;

/// Gives lines numbers of their own; `same` tells which stand for others.
fn renumber(lines: &mut [Line], same: &Numbers, numbers: &mut Numbers, fresh: &mut dyn FnMut() -> usize) {
    for line in lines {
        for from in &mut line.from {
            while let Some(&other) = same.get(from) {
                *from = other;
            }
            *from = numbers[from];
        }
        let mut new = |old: &mut usize| {
            let number = fresh();
            numbers.insert(*old, number);
            *old = number;
        };
        new(&mut line.number);
        match &mut line.step {
            Step::Cases(_, cases) => cases.iter_mut().for_each(|case| new(&mut case.number)),
            Step::Unsure(_, _, case) => new(&mut case.number),
            Step::Given(_) | Step::Rule(_) | Step::Logic | Step::Mind(..) | Step::Knew(..) => {}
        }
        match &mut line.step {
            Step::Cases(_, cases) => {
                cases.iter_mut().for_each(|case| renumber(&mut case.lines, same, numbers, fresh));
            }
            Step::Unsure(_, _, case) => renumber(&mut case.lines, same, numbers, fresh),
            Step::Mind(_, inner) | Step::Knew(_, _, inner) => renumber(inner, same, numbers, fresh),
            Step::Given(_) | Step::Rule(_) | Step::Logic => {}
        }
    }
}

impl Inner {
    /// About how many sentences it takes.
    pub(super) fn sentences(&self) -> usize {
        lines(&self.lines)
    }
}

fn lines(lines: &[Line]) -> usize {
    let inside = |line: &Line| line.step.inside().into_iter().map(|(_, inner)| self::lines(inner)).sum::<usize>();
    lines.iter().map(|line| 1 + inside(line)).sum()
}

/// Who does not know, as the fact says.
fn unsure(fact: &Fact) -> Seats {
    match fact {
        Fact::Not(inner) => match &**inner {
            Fact::Knows(seats, _) => *seats,
            _ => Seats::NONE,
        },
        _ => Seats::NONE,
    }
}

/// Whether the fact is what was shown, told already by where the card is.
pub(super) fn is_shown(fact: &Fact) -> bool {
    matches!(fact, Fact::Atom(Atom::Shown(..)))
}
