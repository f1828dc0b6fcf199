//! Which of two things is true, many times over: clauses and exact numbers, by learning from conflicts.
//!
//! The usual search: decide, draw the conclusions, and where they conflict learn the clause that would have prevented it.
//! (Marques-Silva and Sakallah 1996; watched literals as in Chaff, answers under assumptions as in MiniSat.) Beside
//! clauses it knows "exactly so many of these", which is what a hand is. It is made for a few hundred variables and many
//! questions that differ little: clauses that were learned stay, and decisions follow the wishes of the caller, so that
//! what is found is near to what was wished for.

use super::find::{Crowd, PLACES, Table, bits};
use ken_logic::stop;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) fn new(var: usize, value: bool) -> Lit {
        Lit((var as u32) << 1 | u32::from(!value))
    }

    pub(super) fn negated(self) -> Lit {
        Lit(self.0 ^ 1)
    }

    fn var(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }

    fn positive(self) -> bool {
        self.0 & 1 == 0
    }
}

/// Why a literal is true.
#[derive(Clone, Copy, Debug)]
enum Cause {
    /// It was decided or assumed.
    Chosen,
    /// All others of the clause are false.
    Clause(usize),
    /// As many as the number says are true already, or all that are left are needed.
    Exactly(usize),
}

/// Exactly `number` of the variables are true.
#[derive(Clone, Debug)]
struct Exactly {
    vars: Box<[u32]>,
    number: usize,
    yes: usize,
    no: usize,
}

/// A clause that is watched, and a literal of it that makes it true if it is.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: usize,
    other: Lit,
}

/// Assigned literals that stand for one step.
const LITERALS: u64 = 16;

/// Conflicts before it is looked at every step if there is room for all cards.
const FEW: u64 = 6;

/// Conflicts before the first new start.
const PATIENCE: u64 = 100;

/// No variable.
const NONE: usize = usize::MAX;

/// Clauses, exact numbers, and what was learned from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    /// By literal: whether it is true.
    holds: Vec<bool>,
    level: Vec<u32>,
    cause: Vec<Cause>,
    /// When the variable was assigned.
    since: Vec<usize>,
    wish: Vec<bool>,
    model: Vec<bool>,
    clauses: Vec<Box<[Lit]>>,
    watches: Vec<Vec<Watch>>,
    exactly: Vec<Exactly>,
    /// By variable, the numbers that it counts for.
    counts: Vec<Vec<usize>>,
    trail: Vec<Lit>,
    /// Where on the trail each level begins.
    levels: Vec<usize>,
    /// How much of the trail has been followed up.
    done: usize,
    /// Variables in the order in which they were last part of a conflict: the latest is decided first.
    before: Vec<usize>,
    after: Vec<usize>,
    stamp: Vec<u64>,
    latest: usize,
    next: usize,
    clock: u64,
    seen: Vec<bool>,
    switches: Vec<bool>,
    /// Nothing is possible at all.
    broken: bool,
    core: Vec<Lit>,
    /// The cards and places that the first variables are about: those of a card follow one another.
    table: Option<Table>,
    /// Work done so far.
    pub steps: u64,
    /// The most work; a search that would take more ends.
    pub limit: u64,
    /// Whether the last search ended so, without an answer.
    pub spent: bool,
    followed: u64,
}

impl Solver {
    pub(super) fn new() -> Solver {
        Solver { latest: NONE, next: NONE, limit: u64::MAX, ..Solver::default() }
    }

    /// A new variable that is true only where it is said to be: clauses with its negation count only then.
    pub(super) fn switch(&mut self) -> Lit {
        let var = self.add();
        self.switches[var] = true;
        Lit::new(var, true)
    }

    /// A new variable.
    pub(super) fn var(&mut self) -> usize {
        let var = self.add();
        self.append(var);
        var
    }

    fn add(&mut self) -> usize {
        let var = self.wish.len();
        self.holds.extend([false, false]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.level.push(0);
        self.cause.push(Cause::Chosen);
        self.since.push(0);
        self.wish.push(false);
        self.model.push(false);
        self.counts.push(Vec::new());
        self.before.push(NONE);
        self.after.push(NONE);
        self.stamp.push(0);
        self.seen.push(false);
        self.switches.push(false);
        var
    }

    /// The first variables say where the cards are. Too many cards for too few places are seen at once then, which clauses
    /// and numbers show only by trying all ways.
    pub(super) fn deals(&mut self, table: &Table) {
        self.table = Some(table.clone());
    }

    /// What the variable should be if nothing speaks against it.
    pub(super) fn wish(&mut self, var: usize, value: bool) {
        self.wish[var] = value;
    }

    /// Exactly so many of the variables, none of which is decided yet, are true.
    pub(super) fn exactly(&mut self, vars: &[usize], number: usize) {
        let id = self.exactly.len();
        for &var in vars {
            self.counts[var].push(id);
        }
        let vars: Box<[u32]> = vars.iter().map(|&v| v as u32).collect();
        self.exactly.push(Exactly { vars, number, yes: 0, no: 0 });
        for negative in [false, true] {
            let Exactly { vars, number, .. } = &self.exactly[id];
            let full = if negative { *number == 0 } else { *number >= vars.len() };
            if full {
                for var in vars.clone() {
                    self.clause(&[Lit::new(var as usize, !negative)]);
                }
            }
        }
    }

    /// One of the literals is true.
    pub(super) fn clause(&mut self, lits: &[Lit]) {
        let mut lits: Vec<Lit> = lits.to_vec();
        // A switch comes first and is watched: where it is off, nothing else of the clause is looked at.
        lits.sort_unstable_by_key(|&l| (!self.switches[l.var()], l));
        lits.dedup();
        let sure = |l: Lit| self.holds[l.index()] || self.holds[l.negated().index()];
        if lits.windows(2).any(|pair| pair[0].var() == pair[1].var()) || lits.iter().any(|l| self.holds[l.index()]) {
            return;
        }
        lits.retain(|&l| !sure(l));
        match lits[..] {
            [] => self.broken = true,
            [only] => {
                self.assign(only, Cause::Chosen);
                self.broken |= self.follow().is_some();
            }
            _ => {
                self.attach(lits.into());
            }
        }
    }

    fn attach(&mut self, lits: Box<[Lit]>) -> usize {
        let clause = self.clauses.len();
        self.watches[lits[0].index()].push(Watch { clause, other: lits[1] });
        self.watches[lits[1].index()].push(Watch { clause, other: lits[0] });
        self.clauses.push(lits);
        clause
    }

    /// Whether everything said so far is possible where these switches are on, together with what is assumed. If the work
    /// is `spent` there is no answer.
    pub(super) fn solve(&mut self, on: &[Lit], assumed: &[Lit]) -> bool {
        self.core.clear();
        self.spent = false;
        self.steps += 1;
        self.next = self.latest;
        let found = !self.broken && self.turn(on) && self.run(assumed);
        if found {
            for var in 0..self.model.len() {
                self.model[var] = self.holds[Lit::new(var, true).index()];
            }
        }
        self.back_to(0);
        self.steps += self.followed / LITERALS;
        self.followed %= LITERALS;
        found
    }

    /// After a success: whether the variable is true.
    pub(super) fn value(&self, var: usize) -> bool {
        self.model[var]
    }

    /// After a failure: some of what was assumed that is impossible together.
    pub(super) fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Turns the switches on, all on one level: no clause is looked at while only some of its own are.
    fn turn(&mut self, on: &[Lit]) -> bool {
        self.levels.push(self.trail.len());
        for &switch in on {
            if self.holds[switch.negated().index()] {
                return false;
            }
            if !self.holds[switch.index()] {
                self.assign(switch, Cause::Chosen);
            }
        }
        true
    }

    fn run(&mut self, assumed: &[Lit]) -> bool {
        let (mut conflicts, mut patience, mut hard) = (0, PATIENCE, false);
        loop {
            let mut conflict = self.follow();
            if conflict.is_none() && (hard || self.levels.len() == assumed.len() + 1) {
                conflict = self.crowd();
            }
            if self.broken {
                return false;
            }
            if let Some(conflict) = conflict {
                if self.levels.len() <= 1 {
                    // Nothing that was assumed is to blame.
                    self.broken |= self.levels.is_empty();
                    return false;
                }
                if self.steps > self.limit || stop::asked() {
                    self.spent = true;
                    return false;
                }
                conflicts += 1;
                hard |= conflicts > FEW;
                self.steps += 1;
                self.learn(conflict);
                continue;
            }
            if conflicts > patience {
                (conflicts, patience) = (0, patience * 3 / 2);
                self.back_to(1);
                continue;
            }
            let lit = match assumed.get(self.levels.len() - 1) {
                Some(&lit) if self.holds[lit.negated().index()] => {
                    self.blame(lit);
                    return false;
                }
                Some(&lit) => lit,
                None => match self.open() {
                    Some(var) => Lit::new(var, self.wish[var]),
                    None => return true,
                },
            };
            self.levels.push(self.trail.len());
            if !self.holds[lit.index()] {
                self.assign(lit, Cause::Chosen);
            }
        }
    }

    fn assign(&mut self, lit: Lit, cause: Cause) {
        let var = lit.var();
        self.holds[lit.index()] = true;
        self.level[var] = self.levels.len() as u32;
        self.cause[var] = cause;
        self.since[var] = self.trail.len();
        self.trail.push(lit);
    }

    fn assigned(&self, var: usize) -> bool {
        self.holds[2 * var] || self.holds[2 * var + 1]
    }

    /// Draws all conclusions; what conflicts, if something does.
    fn follow(&mut self) -> Option<Cause> {
        while let Some(&lit) = self.trail.get(self.done) {
            self.done += 1;
            self.followed += 1;
            if let Some(conflict) = self.count(lit).or_else(|| self.visit(lit.negated())) {
                return Some(conflict);
            }
        }
        None
    }

    /// Counts a literal that has become true.
    fn count(&mut self, lit: Lit) -> Option<Cause> {
        let counts = std::mem::take(&mut self.counts[lit.var()]);
        for &id in &counts {
            let number = &mut self.exactly[id];
            if lit.positive() { number.yes += 1 } else { number.no += 1 }
        }
        let mut conflict = None;
        for &id in &counts {
            let Exactly { vars, number, yes, no } = &self.exactly[id];
            let (so_far, most) = if lit.positive() { (*yes, *number) } else { (*no, vars.len() - number) };
            if so_far > most {
                conflict = Some(Cause::Exactly(id));
                break;
            }
            if so_far == most {
                for i in 0..vars.len() {
                    let var = self.exactly[id].vars[i] as usize;
                    if !self.assigned(var) {
                        self.assign(Lit::new(var, !lit.positive()), Cause::Exactly(id));
                    }
                }
            }
        }
        self.counts[lit.var()] = counts;
        conflict
    }

    /// Looks at the clauses that watch a literal that has become false.
    fn visit(&mut self, lit: Lit) -> Option<Cause> {
        let mut watches = std::mem::take(&mut self.watches[lit.index()]);
        let mut conflict = None;
        let mut kept = 0;
        let mut at = 0;
        while at < watches.len() {
            let watch = watches[at];
            at += 1;
            let other = watch.other.var();
            let off = self.switches[other] && !self.levels.is_empty() && !self.assigned(other);
            if off || self.holds[watch.other.index()] {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let clause = &mut self.clauses[watch.clause];
            if clause[0] == lit {
                clause.swap(0, 1);
            }
            let first = clause[0];
            let watch = Watch { clause: watch.clause, other: first };
            if !self.holds[first.index()]
                && let Some(i) = (2..clause.len()).find(|&i| !self.holds[clause[i].negated().index()])
            {
                clause.swap(1, i);
                let now = clause[1];
                self.watches[now.index()].push(watch);
                continue;
            }
            watches[kept] = watch;
            kept += 1;
            if self.holds[first.negated().index()] {
                conflict = Some(Cause::Clause(watch.clause));
                break;
            }
            if !self.holds[first.index()] {
                self.assign(first, Cause::Clause(watch.clause));
            }
        }
        while at < watches.len() {
            watches[kept] = watches[at];
            kept += 1;
            at += 1;
        }
        watches.truncate(kept);
        self.watches[lit.index()] = watches;
        conflict
    }

    /// A clause that says that some cards need more room than they have; goes back to where that began.
    fn crowd(&mut self) -> Option<Cause> {
        let table = self.table.as_ref()?;
        let places = table.envelope() + 1;
        let mut may = [0u64; PLACES];
        for card in bits(table.cards) {
            for (place, set) in may[..places].iter_mut().enumerate() {
                let var = card.trailing_zeros() as usize * places + place;
                if !self.holds[2 * var + 1] {
                    *set |= card;
                }
            }
        }
        self.followed += LITERALS / 2;
        let Crowd { cards, slots } = table.crowd(&may)?;
        let mut clause: Vec<Lit> = Vec::new();
        for card in bits(cards) {
            let category = table.categories.iter().position(|c| c & card != 0).unwrap_or(0);
            for place in 0..places {
                let slot = if place == table.envelope() { table.seats + category } else { place };
                if slots >> slot & 1 == 0 {
                    clause.push(Lit::new(card.trailing_zeros() as usize * places + place, true));
                }
            }
        }
        clause.retain(|l| self.level[l.var()] > 0);
        clause.sort_unstable_by_key(|l| std::cmp::Reverse(self.since[l.var()]));
        let Some(first) = clause.first() else {
            self.broken = true;
            return None;
        };
        let level = self.level[first.var()];
        if clause.len() == 1 {
            // It must be true whatever else is: a clause of two equal literals says so.
            let twice = [clause[0], clause[0]];
            self.back_to(level);
            return Some(Cause::Clause(self.attach(twice.into())));
        }
        self.back_to(level);
        Some(Cause::Clause(self.attach(clause.into())))
    }

    /// The true literals that make the literal true, or, without one, the conflict.
    fn because(&self, cause: Cause, of: Option<Lit>, into: &mut Vec<Lit>) {
        into.clear();
        match cause {
            Cause::Chosen => {}
            Cause::Clause(id) => {
                into.extend(self.clauses[id].iter().filter(|&&l| Some(l) != of).map(|l| l.negated()));
            }
            Cause::Exactly(id) => {
                let Exactly { vars, number, yes, .. } = &self.exactly[id];
                let (value, before) = match of {
                    Some(lit) => (!lit.positive(), self.since[lit.var()]),
                    None => (yes > number, self.done),
                };
                let lits = vars.iter().map(|&v| Lit::new(v as usize, value));
                into.extend(lits.filter(|l| self.holds[l.index()] && self.since[l.var()] < before));
            }
        }
    }

    /// Learns from a conflict the clause that would have prevented it, and goes back to where it decides something.
    fn learn(&mut self, conflict: Cause) {
        let here = self.levels.len() as u32;
        let mut learned = vec![Lit(0)];
        let mut reasons = Vec::new();
        let mut marked: Vec<usize> = Vec::new();
        let mut open = 0;
        let mut at = self.trail.len();
        let (mut cause, mut of) = (conflict, None);
        loop {
            self.because(cause, of, &mut reasons);
            for &lit in &reasons {
                let var = lit.var();
                if self.seen[var] || self.level[var] == 0 {
                    continue;
                }
                self.seen[var] = true;
                marked.push(var);
                if self.level[var] == here {
                    open += 1;
                } else {
                    learned.push(lit.negated());
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].var()] {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                learned[0] = lit.negated();
                break;
            }
            (cause, of) = (self.cause[lit.var()], Some(lit));
        }
        // What follows from the others is not needed.
        let mut i = 1;
        while i < learned.len() {
            let lit = learned[i].negated();
            self.because(self.cause[lit.var()], Some(lit), &mut reasons);
            let chosen = matches!(self.cause[lit.var()], Cause::Chosen);
            if !chosen && reasons.iter().all(|l| self.seen[l.var()] || self.level[l.var()] == 0) {
                learned.swap_remove(i);
            } else {
                i += 1;
            }
        }
        marked.sort_unstable_by_key(|&var| self.stamp[var]);
        for var in marked {
            self.seen[var] = false;
            self.bump(var);
        }
        let level = |l: &Lit| self.level[l.var()];
        let second = (1..learned.len()).max_by_key(|&i| level(&learned[i]));
        self.back_to(second.map_or(0, |i| level(&learned[i])));
        match second {
            None => self.assign(learned[0], Cause::Chosen),
            Some(i) => {
                learned.swap(1, i);
                let first = learned[0];
                let clause = self.attach(learned.into());
                self.assign(first, Cause::Clause(clause));
            }
        }
    }

    /// What was assumed that makes the assumption false.
    fn blame(&mut self, lit: Lit) {
        self.core.push(lit);
        if self.level[lit.var()] == 0 {
            return;
        }
        let mut reasons = Vec::new();
        self.seen[lit.var()] = true;
        let from = self.levels.first().copied().unwrap_or(0);
        for at in (from..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !std::mem::take(&mut self.seen[lit.var()]) {
                continue;
            }
            let cause = self.cause[lit.var()];
            if let Cause::Chosen = cause {
                self.core.push(lit);
            }
            self.because(cause, Some(lit), &mut reasons);
            for reason in &reasons {
                self.seen[reason.var()] = self.level[reason.var()] > 0;
            }
        }
    }

    fn back_to(&mut self, level: u32) {
        let Some(&from) = self.levels.get(level as usize) else { return };
        while self.trail.len() > from {
            let lit = self.trail.pop().expect("longer than where the level begins");
            let var = lit.var();
            if self.trail.len() < self.done {
                for &id in &self.counts[var] {
                    let number = &mut self.exactly[id];
                    if lit.positive() { number.yes -= 1 } else { number.no -= 1 }
                }
            }
            self.holds[lit.index()] = false;
            if !self.switches[var] && (self.next == NONE || self.stamp[var] > self.stamp[self.next]) {
                self.next = var;
            }
        }
        self.done = self.done.min(from);
        self.levels.truncate(level as usize);
    }

    /// The variable to decide, if one is open.
    fn open(&mut self) -> Option<usize> {
        while self.next != NONE && self.assigned(self.next) {
            self.next = self.before[self.next];
        }
        (self.next != NONE).then_some(self.next)
    }

    fn append(&mut self, var: usize) {
        self.clock += 1;
        self.stamp[var] = self.clock;
        self.before[var] = self.latest;
        self.after[var] = NONE;
        if self.latest != NONE {
            self.after[self.latest] = var;
        }
        self.latest = var;
    }

    fn bump(&mut self, var: usize) {
        if self.latest == var || self.switches[var] {
            return;
        }
        let (before, after) = (self.before[var], self.after[var]);
        if before != NONE {
            self.after[before] = after;
        }
        self.before[after] = before;
        if self.next == var {
            self.next = self.before[var];
        }
        self.append(var);
        if !self.assigned(var) {
            self.next = var;
        }
    }
}
