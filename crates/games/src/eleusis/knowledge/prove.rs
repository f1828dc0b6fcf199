//! Finding a proof: the rules that stand in the way of a fact are refuted by few judgements, what follows from what everybody
//! saw is said once and for all eyes, and what somebody does not know is shown by another world.
//!
//! | file | one line |
//! |---|---|
//! | `prove` | the parts of a fact, and who knows them |
//! | `prove/table` | what the rules of the family say, and which judgement refutes which |
//! | `prove/rule` | facts that are settled by the rules that are left |
//! | `prove/hands` | who holds what |
//! | `prove/unknown` | what somebody does not know |

mod hands;
mod rule;
mod table;
mod unknown;

use super::Memory;
use super::atoms::{Atom, Fact};
use super::rules::{Line, Premise, Proof, Rule, Step};
use crate::eleusis::table::Eleusis;
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{Case, Eyes, LINES, NOW, Numbers, Rules, check, premises_used, repeats, trim, value};
use hands::Held;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use table::Table;

/// The most parts that are tried for a proof: nobody reads more.
const PARTS: usize = 600;

/// The most assumptions inside one another.
const ASSUMED: usize = 2;

/// Why there is no proof of a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// It would have so many sentences, more than [`LINES`].
    Long(usize),
    /// None was found.
    NotFound,
}

impl<G: Eleusis> Memory<G> {
    /// A proof of a fact that is known; it has passed the [checker](check), and none of its judgements can be left out of
    /// it. There is none of what would be known after a move.
    ///
    /// # Errors
    /// None was found, or it has more than [`LINES`] sentences.
    pub fn proved(&self, fact: &Fact) -> Result<Proof, Unproved> {
        let found = if fact.speaks_of_moves() { None } else { prove(self, fact) };
        let proof = found.filter(|proof| check(self, proof, fact).is_ok()).ok_or(Unproved::NotFound)?;
        match proof.sentences(self).len() {
            n if n > LINES => Err(Unproved::Long(n)),
            _ => Ok(proof),
        }
    }
}

/// A proof with few judgements, of which none can be left out.
fn prove<G: Eleusis>(mind: &Memory<G>, fact: &Fact) -> Option<Proof> {
    // Without a line there is nothing to judge.
    mind.mainline().first()?;
    let table = Table::of(mind);
    let mut best = attempt(mind, &table, &vec![true; mind.judgements().len()], fact)?;
    let mut tried = Vec::new();
    while let Some(premise) = judged(&best).into_iter().find(|premise| !tried.contains(premise)) {
        tried.push(premise);
        let mut allowed = vec![false; mind.judgements().len()];
        judged(&best).into_iter().filter(|&other| other != premise).for_each(|other| allowed[other] = true);
        best = attempt(mind, &table, &allowed, fact).unwrap_or(best);
    }
    Some(best)
}

/// The places of the judgements that a proof uses.
fn judged(proof: &Proof) -> Vec<usize> {
    let place = |premise: &Premise| match premise {
        Premise::Judged(place) => Some(*place),
        Premise::Family | Premise::Told | Premise::Deals(_) | Premise::Hand | Premise::Shown(_) | Premise::Open => None,
    };
    proof.premises.iter().filter_map(place).collect()
}

/// A proof that uses no other judgements than these.
fn attempt<G: Eleusis>(mind: &Memory<G>, table: &Table, allowed: &[bool], fact: &Fact) -> Option<Proof> {
    let mut prover = Prover {
        mind,
        table,
        allowed,
        root: Vec::new(),
        refuted: Vec::new(),
        public: FxHashMap::default(),
        numbers: 0,
        parts: 0,
    };
    let mut lines = Vec::new();
    let last = prover.prove(&Place::top(), fact, &mut lines)?;
    let mut lines: Vec<Line> = prover.root.into_iter().chain(lines).collect();
    close(&mut lines, last);
    trim(&mut lines, &Numbers::default());
    rule::spare(&mut lines);
    let premises = premises_used(mind, &lines);
    let mut proof = Proof { goal: fact.clone(), premises, lines };
    if proof.lines.len() > 1 && proof.lines.last().is_some_and(|line| line.step == Step::Logic) {
        let whole = proof.clone();
        let last = proof.lines.pop();
        let said = last.is_some_and(|last| last.facts.iter().all(|fact| repeats(&proof.lines, fact)));
        proof = if said && check(mind, &proof, fact).is_ok() { proof } else { whole };
    }
    Some(proof)
}

/// Leaves out what comes after the line that concludes what is wanted.
fn close(lines: &mut Vec<Line>, last: usize) {
    if let Some(at) = lines.iter().position(|line| line.number == last) {
        lines.truncate(at + 1);
    }
}

/// Where something is to be proved.
#[derive(Clone)]
struct Place {
    /// Facts that can be used here, beside those that everybody saw, each with its line or assumption.
    facts: Vec<(Fact, usize)>,
    /// Whether the observer's own premises can be used.
    private: bool,
    /// Whether only that is used which everybody saw, so that what follows is known to all.
    public: bool,
    assumed: usize,
    /// What was found out about hands here.
    hands: RefCell<Vec<(Seat, Held)>>,
}

impl Place {
    fn top() -> Place {
        Place { facts: Vec::new(), private: true, public: false, assumed: 0, hands: RefCell::default() }
    }

    fn everybody() -> Place {
        Place { public: true, private: false, ..Place::top() }
    }

    fn line(&self, fact: &Fact) -> Option<usize> {
        self.facts.iter().find(|(known, _)| known == fact).map(|(_, line)| *line)
    }

    fn with(&self, fact: Fact, line: usize) -> Place {
        let mut place = self.clone();
        place.facts.push((fact, line));
        place.hands.take();
        place
    }
}

struct Prover<'m, G: Eleusis> {
    mind: &'m Memory<G>,
    table: &'m Table,
    /// The judgements that can be used.
    allowed: &'m [bool],
    /// Lines at the top, before all others.
    root: Vec<Line>,
    /// Which of them say what a judgement refutes.
    refuted: Vec<(usize, usize)>,
    /// What was found to follow from what everybody saw, or not to.
    public: FxHashMap<Fact, Option<usize>>,
    numbers: usize,
    parts: usize,
}

impl<G: Eleusis> Prover<'_, G> {
    fn number(&mut self) -> usize {
        self.numbers += 1;
        self.numbers
    }

    fn line(&mut self, facts: Vec<Fact>, step: Step, mut from: Vec<usize>, out: &mut Vec<Line>) -> usize {
        let number = self.number();
        from.sort_unstable();
        from.dedup();
        out.push(Line { number, facts, step, from });
        number
    }

    /// A line at the top that rests on premises alone.
    fn given(&mut self, premise: Premise, facts: Vec<Fact>) -> usize {
        let step = Step::Given(vec![premise]);
        if let Some(line) = self.root.iter().find(|line| line.step == step && line.facts == facts) {
            return line.number;
        }
        let number = self.number();
        self.root.push(Line { number, facts, step, from: Vec::new() });
        number
    }

    fn can_use(&self, premise: Premise) -> bool {
        self.mind.access(&premise).is_some()
    }

    /// Whether the rule itself can be used.
    fn is_told(&self, place: &Place) -> bool {
        self.mind.is_told() || place.private && self.mind.known_rule().is_some()
    }

    /// Adds lines that prove the fact here: the number of the one that says it.
    fn prove(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        self.parts += 1;
        if self.parts > PARTS {
            return None;
        }
        if let Some(line) = place.line(fact) {
            return Some(line);
        }
        let open = !place.public && !self.is_told(place);
        if open && let Some(line) = self.for_all(fact) {
            return Some(line);
        }
        self.derive(place, fact, out)
    }

    /// The line at the top that says what follows from what everybody saw.
    fn for_all(&mut self, fact: &Fact) -> Option<usize> {
        if !fact.is_plain() || fact.atoms().into_iter().any(Atom::tells_knowledge) {
            return None;
        }
        if let Some(known) = self.public.get(fact) {
            return *known;
        }
        let mut lines = Vec::new();
        let found = self.derive(&Place::everybody(), fact, &mut lines);
        if found.is_some() {
            self.root.append(&mut lines);
        }
        self.public.insert(fact.clone(), found);
        found
    }

    fn derive(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        let (inner, yes) = match fact {
            Fact::Not(inner) => (&**inner, false),
            fact => (fact, true),
        };
        match inner {
            Fact::Const(value) => (*value == yes).then(|| self.line(vec![fact.clone()], Step::Logic, Vec::new(), out)),
            Fact::Atom(atom) => self.literal(place, *atom, yes, out),
            Fact::Not(inner) => {
                let number = self.prove(place, inner, out)?;
                Some(self.line(vec![fact.clone()], Step::Logic, vec![number], out))
            }
            Fact::All(_) | Fact::Any(_) | Fact::Iff(..) | Fact::Count(..) => {
                self.together(place, fact, inner, yes, out)
            }
            Fact::Knows(..) | Fact::Common(..) if yes => self.known(place, fact, out),
            Fact::Knows(seats, known) => self.unknown(place, fact, *seats, known, out),
            Fact::Common(seats, known) => self.uncommon(place, fact, *seats, known, out),
            Fact::After(..) => None,
        }
    }

    fn literal(&mut self, place: &Place, atom: Atom, yes: bool, out: &mut Vec<Line>) -> Option<usize> {
        let fact = if yes { Fact::Atom(atom) } else { Fact::Atom(atom).negated() };
        match atom {
            Atom::Rule(rule) if !yes && !self.is_told(place) && self.table.is_refuted(rule) => {
                self.refute(&[rule]).map(|lines| lines[0])
            }
            Atom::Accepts(_) | Atom::Rule(_) | Atom::CanPlay(_) => self.by_rule(place, &fact, out),
            Atom::SurePlay(seat) if self.mind.has_rule(seat) => self.by_rule(place, &fact, out),
            Atom::SurePlay(seat) if yes => self.sure_play(place, seat, out),
            Atom::SurePlay(seat) => self.no_sure_play(place, seat, out),
            Atom::RuleKnown(seat, reading) if yes => self.rule_known(seat, reading, out),
            Atom::RuleKnown(seat, reading) => self.rule_unknown(seat, reading),
            Atom::Holds(seat, card) => {
                let known = self.hand_fact(place, seat, card)?;
                if known == yes { self.hand_lines(place, &[(seat, card, yes)], out).pop() } else { None }
            }
        }
    }

    /// A fact of several parts: those that decide it; else by each of the rules that are left; else by cases.
    fn together(&mut self, place: &Place, fact: &Fact, inner: &Fact, yes: bool, out: &mut Vec<Line>) -> Option<usize> {
        let mut here = place.clone();
        let mut decided: Vec<(Fact, bool)> = Vec::new();
        let mut from = Vec::new();
        for part in inner.parts() {
            for side in [true, false].into_iter().filter(|&side| useful(inner, yes, side)) {
                let goal = if side { part.clone() } else { part.clone().negated() };
                if let Some(number) = self.prove(&here, &goal, out) {
                    here = here.with(goal, number);
                    decided.push((part.clone(), side));
                    from.push(number);
                    break;
                }
            }
            let leaf = |part: &Fact| decided.iter().find(|(other, _)| other == part).map(|(_, side)| *side);
            if value(inner, &leaf) == Some(yes) {
                // One part is enough where it decides alone.
                let alone = decided
                    .last()
                    .is_some_and(|last| value(inner, &|part: &Fact| (*part == last.0).then_some(last.1)) == Some(yes));
                let from = if alone { vec![from[from.len() - 1]] } else { from };
                return Some(self.line(vec![fact.clone()], Step::Logic, from, out));
            }
        }
        self.by_rule(&here, fact, out).or_else(|| self.by_cases(&here, fact, out))
    }

    /// It is so, or it is not so: what is wanted follows from both.
    fn by_cases(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        if place.public || place.assumed >= ASSUMED {
            return None;
        }
        let mut atoms: Vec<Atom> = fact.atoms().into_iter().filter(|atom| !atom.tells_knowledge()).copied().collect();
        atoms.dedup();
        for atom in atoms.into_iter().filter(|atom| splits(*atom)) {
            let sides = [Fact::Atom(atom), Fact::Atom(atom).negated()];
            if sides.iter().any(|side| place.line(side).is_some()) {
                continue;
            }
            if let Some(cases) = sides.map(|side| self.case(place, side, fact)).into_iter().collect::<Option<Vec<_>>>()
            {
                return Some(self.line(vec![fact.clone()], Step::Cases(None, cases), Vec::new(), out));
            }
        }
        None
    }

    fn case(&mut self, place: &Place, assume: Fact, fact: &Fact) -> Option<Case<Atom, Premise, Rule>> {
        let number = self.number();
        let mut there = place.with(assume.clone(), number);
        there.assumed += 1;
        let mut lines = Vec::new();
        let last = self.prove(&there, fact, &mut lines)?;
        close(&mut lines, last);
        if last != number && lines.last().is_none_or(|line| line.number != last) {
            self.line(vec![fact.clone()], Step::Logic, vec![last], &mut lines);
        }
        Some(Case { number, assume: vec![assume], lines })
    }

    /// Somebody knows it: by what everybody saw, by what it sees itself, or by reasoning through its eyes.
    fn known(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        let (eyes, core) = chain(fact);
        if !self.can_use(Premise::Open) || !eyes.iter().all(|&eyes| self.mind.factive(eyes)) {
            return None;
        }
        if let Some(line) = self.for_all(core) {
            return Some(self.line(vec![fact.clone()], Step::Mind(eyes, Vec::new()), vec![line], out));
        }
        let (first, inner) = match fact {
            Fact::Knows(seats, inner) => (Eyes::Pooled(*seats), &**inner),
            Fact::Common(seats, inner) => (Eyes::Each(*seats), &**inner),
            _ => return None,
        };
        if first.settle(self.mind, inner, NOW) {
            let line = self.prove(place, inner, out)?;
            return Some(self.line(vec![fact.clone()], Step::Mind(vec![first], Vec::new()), vec![line], out));
        }
        let mut lines = Vec::new();
        let there = self.enter(place, first);
        let last = self.prove(&there, inner, &mut lines)?;
        close(&mut lines, last);
        let inside = lines.last().is_some_and(|line| line.number == last);
        let (lines, from) = if inside { (lines, Vec::new()) } else { (Vec::new(), vec![last]) };
        Some(self.line(vec![fact.clone()], Step::Mind(vec![first], lines), from, out))
    }

    /// The place as these eyes see it.
    fn enter(&self, place: &Place, eyes: Eyes) -> Place {
        let oneself = place.private && eyes == Eyes::Pooled(Seats::of(self.mind.seat()));
        let mut there = Place { private: oneself, public: false, hands: RefCell::default(), ..place.clone() };
        if !oneself || place.assumed > 0 {
            there.facts.retain(|(fact, _)| eyes.settle(self.mind, fact, NOW));
        }
        there
    }

    /// One of the seats does not know that another one knows that … it is true.
    fn uncommon(
        &mut self,
        place: &Place,
        fact: &Fact,
        seats: Seats,
        known: &Fact,
        out: &mut Vec<Line>,
    ) -> Option<usize> {
        for chain in chains(seats) {
            let unknown = known.clone().known_along(&chain).negated();
            if let Some(number) = self.prove(place, &unknown, out) {
                return Some(self.line(vec![fact.clone()], Step::Logic, vec![number], out));
            }
        }
        None
    }
}

/// Whether a part that is so, or is not so, brings it nearer that the whole is so, or is not so.
fn useful(whole: &Fact, yes: bool, side: bool) -> bool {
    match whole {
        Fact::All(_) | Fact::Any(_) => side == yes,
        _ => true,
    }
}

/// Whether cases of the atom are tried.
fn splits(atom: Atom) -> bool {
    match atom {
        Atom::Accepts(_) | Atom::Holds(..) | Atom::CanPlay(_) => true,
        Atom::Rule(_) | Atom::RuleKnown(..) | Atom::SurePlay(_) => false,
    }
}

/// Who knows that who knows what.
fn chain(fact: &Fact) -> (Vec<Eyes>, &Fact) {
    let mut eyes = Vec::new();
    let mut core = fact;
    loop {
        match core {
            Fact::Knows(seats, inner) => {
                eyes.push(Eyes::Pooled(*seats));
                core = inner;
            }
            Fact::Common(seats, inner) => {
                eyes.push(Eyes::Each(*seats));
                core = inner;
            }
            core => return (eyes, core),
        }
    }
}

/// Chains of seats, short ones first.
fn chains(seats: Seats) -> Vec<Vec<Seat>> {
    let mut all = vec![Vec::new()];
    for length in 0..2 {
        let longer: Vec<Vec<Seat>> = all
            .iter()
            .filter(|chain| chain.len() == length)
            .flat_map(|chain: &Vec<Seat>| {
                seats.iter().filter(|&seat| chain.last() != Some(&seat)).map(|seat| [&chain[..], &[seat]].concat())
            })
            .collect();
        all.extend(longer);
    }
    all
}
