//! The search for a short proof from given premises.

use super::super::position::{Observed, Position};
use super::ended::{Effort, GaveUp, Standpoint, accused, question};
use super::proof::{Case, Finding, Insight, Premise, Rule, Split, Step};
use super::propagate::{Facts, Reason, State};
use crate::cluedo::atoms::{Atom, Fact};
use crate::game::Seat;
use rustc_hash::{FxHashMap, FxHashSet};

/// The steps of a proof from these premises, as short as an affordable search finds it. `view` is what a seat knows of
/// its own hand and of cards shown to it, when the proof is from its eyes.
///
/// The premises must entail the claim.
pub(super) fn prove(
    position: &Position,
    premises: &[Premise],
    view: &[Finding],
    claim: &Fact,
    effort: &mut Effort,
) -> Result<Vec<Step>, GaveUp> {
    let (facts, mut state) = Facts::new(position, premises, view);
    let literal = match claim {
        Fact::Atom(Atom::At(card, place)) => Some(Finding::At(*card, *place)),
        Fact::Not(inner) => match **inner {
            Fact::Atom(Atom::At(card, place)) => Some(Finding::Not(card, place)),
            _ => None,
        },
        _ => None,
    };
    let mut prover = Prover { facts, premises, claim, literal, effort };
    let end = prover.close(&mut state, WIDTH)?;
    Ok(prover.steps(end))
}

/// How many distinctions are tried to the end where none closes at once; fewer further down.
const WIDTH: usize = 3;

struct Prover<'p, 'b> {
    facts: Facts<'p>,
    premises: &'p [Premise],
    claim: &'p Fact,
    /// The claim as a fact, if it is one.
    literal: Option<Finding>,
    effort: &'b mut Effort,
}

impl Prover<'_, '_> {
    /// Draws conclusions; the entry that ends the proof, if they do.
    fn ends(&mut self, state: &mut State) -> Option<u32> {
        self.facts.propagate(state, self.claim);
        if state.clash.is_some() {
            return state.clash;
        }
        let known = |c, p| self.facts.known(state, c, p);
        if self.claim.truth(&known) != Some(true) {
            return None;
        }
        match self.literal {
            Some(Finding::At(c, p)) => self.facts.at(state, c, p),
            Some(Finding::Not(c, p)) => self.facts.not(state, c, p),
            _ => {
                let mut from = Vec::new();
                self.support(state, self.claim, &mut from);
                Some(self.facts.push(Finding::Goal, Reason::Rule(Rule::Truth), from, state.depth))
            }
        }
    }

    /// The entries that decide the claim.
    fn support(&self, state: &State, claim: &Fact, from: &mut Vec<u32>) {
        let value = |c: &Fact| c.truth(&|card, place| self.facts.known(state, card, place));
        match claim {
            Fact::Const(_) => {}
            Fact::Atom(Atom::Solved(_)) | Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => {
                unreachable!("what is proved is about cards")
            }
            Fact::Atom(Atom::At(c, p)) => from.extend(self.facts.at(state, *c, *p).or(self.facts.not(state, *c, *p))),
            Fact::Not(inner) => self.support(state, inner, from),
            Fact::All(parts) | Fact::Any(parts) => {
                let deciding = matches!(claim, Fact::Any(_));
                match parts.iter().find(|part| value(part) == Some(deciding)) {
                    Some(part) => self.support(state, part, from),
                    None => parts.iter().for_each(|part| self.support(state, part, from)),
                }
            }
            Fact::Iff(a, b) => {
                self.support(state, a, from);
                self.support(state, b, from);
            }
            Fact::Count(_, _, parts) => {
                let known = parts.iter().filter(|part| value(part).is_some());
                known.for_each(|part| self.support(state, part, from));
            }
        }
    }

    /// Closes the state, by cases if need be.
    fn close(&mut self, state: &mut State, width: usize) -> Result<u32, GaveUp> {
        if let Some(end) = self.ends(state) {
            return Ok(end);
        }
        if let Some(end) = self.knowing(state)? {
            return Ok(end);
        }
        let mut tried: Vec<(usize, usize, Distinction)> = Vec::new();
        let mut best: Option<(usize, u32)> = None;
        for distinction in self.distinctions(state) {
            self.effort.spend()?;
            let (mut open, mut freedom) = (0, 0);
            let mut ends = Vec::new();
            for &assume in &distinction.cases {
                let mut case = state.clone();
                case.depth += 1;
                let id = self.facts.push(assume, Reason::Assumed, Vec::new(), case.depth);
                self.facts.adopt(&mut case, assume, id);
                match self.ends(&mut case) {
                    Some(end) => ends.push((id, end)),
                    None => {
                        open += 1;
                        freedom += self.freedom(&case);
                    }
                }
            }
            if open == 0 {
                let end = self.cases(state, &distinction, ends);
                let cost = self.cost(end);
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, end));
                }
            } else if best.is_none() {
                tried.push((freedom, open, distinction));
            }
        }
        if let Some((_, end)) = best {
            return Ok(end);
        }
        tried.sort_by_key(|t| (t.0, t.1));
        for (_, _, distinction) in tried.into_iter().take(width.max(1)) {
            let mut ends = Vec::new();
            for &assume in &distinction.cases {
                let mut case = state.clone();
                case.depth += 1;
                let id = self.facts.push(assume, Reason::Assumed, Vec::new(), case.depth);
                self.facts.adopt(&mut case, assume, id);
                ends.push((id, self.close(&mut case, width.saturating_sub(2))?));
            }
            let end = self.cases(state, &distinction, ends);
            let cost = self.cost(end);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, end));
            }
        }
        // With everything decided the premises would not entail the claim.
        best.map(|(_, end)| end).ok_or(GaveUp)
    }

    fn freedom(&self, state: &State) -> usize {
        let left = |card| self.facts.places(state, card).0.count_ones() as usize;
        self.facts.position.deck().cards().iter().map(|card| left(card).saturating_sub(1)).sum()
    }

    /// The distinctions that could help.
    fn distinctions(&self, state: &State) -> Vec<Distinction> {
        let facts = &self.facts;
        let deck = facts.position.deck();
        let mut all = Vec::new();
        for (card, place) in self.claim.spots() {
            if facts.known(state, card, place).is_none() {
                let cases = vec![Finding::At(card, place), Finding::Not(card, place)];
                all.push(Distinction { split: Split::Either(card, place), cases, from: Vec::new() });
            }
        }
        for &(event, by, cards) in &facts.shows {
            if cards.iter().any(|c| facts.at(state, c, by.index()).is_some()) {
                continue;
            }
            let (left, from) = facts.candidates(state, cards, by.index());
            let cases = left.iter().map(|c| Finding::At(c, by.index())).collect();
            all.push(Distinction { split: Split::Show(event), cases, from });
        }
        let used = |k| self.premises.contains(&Premise::Category(k));
        for category in (0..deck.categories()).filter(|&k| used(k)) {
            let (left, from) = facts.candidates(state, deck.category(category), facts.envelope);
            if (2..=3).contains(&left.len()) {
                let cases = left.iter().map(|c| Finding::At(c, facts.envelope)).collect();
                all.push(Distinction { split: Split::Category(category), cases, from });
            }
        }
        for card in deck.cards().iter() {
            let (left, from) = facts.places(state, card);
            if (2..=3).contains(&left.count_ones()) {
                let places = (0..=facts.envelope).filter(|p| left >> p & 1 == 1);
                let cases = places.map(|p| Finding::At(card, p)).collect();
                all.push(Distinction { split: Split::Places(card), cases, from });
            }
        }
        self.shown_cards(state, &mut all);
        if all.is_empty() {
            // Rarely: every card may still be at four places or more.
            let open = deck.cards().iter().flat_map(|c| (0..=facts.envelope).map(move |p| (c, p)));
            if let Some((card, place)) = { open }.find(|&(c, p)| facts.known(state, c, p).is_none()) {
                let cases = vec![Finding::At(card, place), Finding::Not(card, place)];
                all.push(Distinction { split: Split::Either(card, place), cases, from: Vec::new() });
            }
        }
        all
    }

    /// Which card was shown to a seat that later ended its turn.
    fn shown_cards(&self, state: &State, all: &mut Vec<Distinction>) {
        for &(event, by, cards) in &self.facts.shows {
            let (asker, _, _) = question(self.facts.position, event);
            if state.showed.iter().any(|s| s.0 == event) {
                continue;
            }
            let later = self.premises.iter().any(|p| match *p {
                Premise::Ended(k) => k > event && [asker, by].contains(&self.ender(k)),
                _ => false,
            });
            let (left, from) = self.facts.candidates(state, cards, by.index());
            if later {
                let cases = left.iter().map(|c| Finding::Showed(event, c)).collect();
                all.push(Distinction { split: Split::Showed(event), cases, from });
            }
        }
    }

    fn ender(&self, event: usize) -> Seat {
        match self.facts.position.events()[event] {
            Observed::Endmove { seat } => seat,
            other => unreachable!("a turn ended, not {other:?}"),
        }
    }

    /// Whether a seat would have known the envelope when it ended its turn.
    fn knowing(&mut self, state: &mut State) -> Result<Option<u32>, GaveUp> {
        let ended: Vec<usize> = self
            .premises
            .iter()
            .filter_map(|p| match *p {
                Premise::Ended(k) => Some(k),
                _ => None,
            })
            .collect();
        for k in ended {
            let seat = self.ender(k);
            if let Some(event) = accused(self.facts.position, self.premises, seat, k) {
                self.facts.knew(state, k, Insight::Accused(event), Vec::new());
                return Ok(state.clash);
            }
            // What the seat knows by itself, as far as it is known here.
            let mut private: Vec<(Finding, u32)> = Vec::new();
            for card in self.facts.position.deck().cards().iter() {
                private
                    .extend(self.facts.at(state, card, seat.index()).map(|id| (Finding::At(card, seat.index()), id)));
                private
                    .extend(self.facts.not(state, card, seat.index()).map(|id| (Finding::Not(card, seat.index()), id)));
            }
            for &(event, card, id) in &state.showed {
                let (asker, by, _) = question(self.facts.position, event);
                if event < k && [asker, by].contains(&seat) {
                    private.push((Finding::Showed(event, card), id));
                }
            }
            let view: Vec<Finding> = private.iter().map(|p| p.0).collect();
            let standpoint = Standpoint::of(self.facts.position, self.premises, &view, k);
            let Some(envelope) = standpoint.knows(None, self.effort)? else { continue };
            let all = envelope.iter().map(|c| Fact::at(c, self.facts.envelope)).collect();
            let steps = prove(self.facts.position, &standpoint.premises, &view, &Fact::All(all), self.effort)?;
            let used = viewed(&steps);
            let from = private.iter().filter(|p| used.contains(&p.0)).map(|p| p.1).collect();
            self.facts.knew(state, k, Insight::Follows { envelope, steps }, from);
            return Ok(state.clash);
        }
        Ok(None)
    }

    fn cases(&mut self, state: &State, distinction: &Distinction, ends: Vec<(u32, u32)>) -> u32 {
        let impossible = |&(_, end): &(u32, u32)| self.facts.entries[end as usize].fact == Finding::Impossible;
        let fact = match ends.iter().all(impossible) {
            true => Finding::Impossible,
            false => self.literal.unwrap_or(Finding::Goal),
        };
        self.facts.push(fact, Reason::Cases(distinction.split, ends), distinction.from.clone(), state.depth)
    }

    /// How many facts the entry rests on.
    fn cost(&self, end: u32) -> usize {
        let mut seen = vec![false; self.facts.entries.len()];
        let mut todo = vec![end];
        let mut cost = 0;
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            cost += 1;
            let entry = &self.facts.entries[id as usize];
            todo.extend(&entry.from);
            if let Reason::Cases(_, ends) = &entry.reason {
                todo.extend(ends.iter().flat_map(|&(a, e)| [a, e]));
            }
        }
        cost
    }

    /// The steps that lead to the entry, numbered.
    fn steps(&self, end: u32) -> Vec<Step> {
        let mut out = Vec::new();
        let mut placed = FxHashMap::default();
        self.place(end, &mut out, &mut placed);
        let mut numbers = FxHashMap::default();
        number(&mut out, &mut numbers);
        // One step that says all of a claim needs no repetition.
        if let [.., all, truth] = &out[..]
            && truth.rule == Rule::Truth
            && truth.from == [all.number]
        {
            out.pop();
        }
        out
    }

    /// Writes the step for an entry after those it rests on. Steps carry the entry's index until they are numbered.
    fn place(&self, id: u32, out: &mut Vec<Step>, placed: &mut FxHashMap<u32, usize>) {
        if placed.contains_key(&id) {
            return;
        }
        let entry = &self.facts.entries[id as usize];
        entry.from.iter().for_each(|&f| self.place(f, out, placed));
        let from = |placed: &FxHashMap<u32, usize>| {
            let mut from: Vec<usize> = entry.from.iter().map(|f| placed[f]).collect();
            from.sort_unstable();
            from.dedup();
            from
        };
        let rule = match &entry.reason {
            // The case itself stands for it.
            Reason::Assumed => {
                placed.insert(id, id as usize);
                return;
            }
            Reason::Rule(rule) => rule.clone(),
            Reason::Cases(split, ends) => {
                let mut seen = FxHashSet::default();
                for &(_, end) in ends {
                    self.outer(end, entry.depth, out, placed, &mut seen);
                }
                let mut cases = Vec::new();
                for &(assume, end) in ends {
                    placed.insert(assume, assume as usize);
                    let mut steps = Vec::new();
                    let mut inside = placed.clone();
                    self.place(end, &mut steps, &mut inside);
                    let assumed = self.facts.entries[assume as usize].fact;
                    cases.push(Case { number: assume as usize, assume: assumed, steps });
                }
                Rule::Cases(*split, cases)
            }
        };
        let from = from(placed);
        // Conclusions by the same rule from the same steps make one sentence.
        if let Some(step) =
            out.iter_mut().find(|s| s.rule == rule && s.from == from && s.facts[0] != Finding::Impossible)
        {
            step.facts.push(entry.fact);
            placed.insert(id, step.number);
            return;
        }
        placed.insert(id, id as usize);
        out.push(Step { number: id as usize, facts: vec![entry.fact], rule, from });
    }

    /// Places what a case uses from outside before the distinction.
    fn outer(
        &self,
        id: u32,
        depth: u32,
        out: &mut Vec<Step>,
        placed: &mut FxHashMap<u32, usize>,
        seen: &mut FxHashSet<u32>,
    ) {
        if !seen.insert(id) {
            return;
        }
        let entry = &self.facts.entries[id as usize];
        if entry.depth <= depth {
            self.place(id, out, placed);
            return;
        }
        entry.from.iter().for_each(|&f| self.outer(f, depth, out, placed, seen));
        if let Reason::Cases(_, ends) = &entry.reason {
            ends.iter().for_each(|&(_, end)| self.outer(end, depth, out, placed, seen));
        }
    }
}

struct Distinction {
    split: Split,
    cases: Vec<Finding>,
    /// Why there are no other cases.
    from: Vec<u32>,
}

/// Numbers steps and assumptions in the order of reading.
fn number(steps: &mut [Step], numbers: &mut FxHashMap<usize, usize>) {
    for step in steps {
        step.from.iter_mut().for_each(|f| *f = numbers[f]);
        step.from.sort_unstable();
        if let Rule::Cases(_, cases) = &mut step.rule {
            for case in cases {
                let next = numbers.len() + 1;
                numbers.insert(case.number, next);
                case.number = next;
                number(&mut case.steps, numbers);
            }
        }
        let next = numbers.len() + 1;
        numbers.insert(step.number, next);
        step.number = next;
    }
}

/// The facts that the steps take from the view.
fn viewed(steps: &[Step]) -> Vec<Finding> {
    let mut out = Vec::new();
    for step in steps {
        match &step.rule {
            Rule::View => out.extend(&step.facts),
            Rule::Cases(_, cases) => cases.iter().for_each(|case| out.extend(viewed(&case.steps))),
            _ => {}
        }
    }
    out
}
