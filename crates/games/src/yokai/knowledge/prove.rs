//! Finding a proof: the sets are made as small as counting makes them, and a card is split into its colours where that
//! does not do. The worlds tell what is true, so no part is tried that cannot be proved.

use super::atoms::{Atom, Fact, mentions};
use super::colourings::Colourings;
use super::memory::{Noted, Notes, Premise};
use super::rules::{Left, Line, Proof, Rule, Step, connectable};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::knowledge::proof::{Case, Eyes, Numbers, premises_used, tidy, trim, value};
use crate::knowledge::{Knower, Seats};
use crate::yokai::colour::{CARDS, Colour, Colours};
use crate::yokai::layout::Shape;

/// The longest chain of who does not know that who knows that is looked for.
const CHAIN: usize = 8;

/// The most parts that a proof may have: nobody reads more.
const PARTS: usize = 400;

/// Proves a fact that follows from the premises; `None` if the proof gets too long or there is no rule for it.
pub(super) fn prove(notes: &Notes, premises: &[Noted], fact: &Fact) -> Option<Proof> {
    let knower = Knower::about(&notes.with(premises.to_vec()));
    let mut prover = Prover { notes, premises, knower, parts: 0, numbers: 0 };
    let mut lines = Vec::new();
    let start = prover.start(&mut lines);
    prover.prove(&start, fact, &mut lines)?;
    trim(&mut lines, &Numbers::default());
    let premises = premises_used(notes, &lines);
    let mut proof = Proof { goal: fact.clone(), premises, lines };
    tidy(notes, &mut proof);
    Some(proof)
}

/// What is left for each card, and which lines say so.
#[derive(Clone)]
struct Place {
    left: Left,
    why: [Vec<(usize, Colours)>; CARDS],
    /// What is public: the same in every mind.
    public: Vec<(usize, Card, Colours)>,
}

impl Place {
    fn learn(&mut self, card: Card, colours: Colours, line: usize) {
        let left = self.left[card.index()].and(colours);
        if left != self.left[card.index()] {
            self.left[card.index()] = left;
            self.why[card.index()].push((line, colours));
        }
    }

    /// Lines that leave only these colours for the card, few if possible.
    fn cite(&self, card: Card, colours: Colours) -> Vec<usize> {
        let all = &self.why[card.index()];
        if let Some((one, _)) = all.iter().find(|(_, set)| set.minus(colours).is_empty()) {
            return vec![*one];
        }
        let rest = |kept: &[(usize, Colours)]| kept.iter().fold(Colours::ALL, |left, (_, set)| left.and(*set));
        let mut kept = all.clone();
        for at in (0..kept.len()).rev() {
            let line = kept.remove(at);
            if !rest(&kept).minus(colours).is_empty() {
                kept.insert(at, line);
            }
        }
        kept.iter().map(|(line, _)| *line).collect()
    }

    fn cite_all(&self, cards: CardSet) -> Vec<usize> {
        cards.iter().flat_map(|card| self.cite(card, self.left[card.index()])).collect()
    }
}

struct Prover<'a> {
    notes: &'a Notes,
    premises: &'a [Noted],
    knower: Knower<Colourings>,
    parts: usize,
    numbers: usize,
}

impl Prover<'_> {
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

    /// What the premises say, each kind in one sentence.
    fn start(&mut self, out: &mut Vec<Line>) -> Place {
        let mut place = Place { left: [Colours::ALL; CARDS], why: Default::default(), public: Vec::new() };
        let kind = |premise: Premise| match premise {
            Premise::Look(..) => 0,
            Premise::Shown(..) => 1,
            Premise::Hint(..) => 2,
            Premise::Told(..) => 3,
            Premise::Same(..) | Premise::Joins(..) | Premise::WentOn(_) | Premise::Looked(..) => 4,
        };
        for wanted in 0..4 {
            let told: Vec<Noted> = self.premises.iter().copied().filter(|p| kind(p.premise) == wanted).collect();
            let said: Vec<(Card, Colours)> = told.iter().filter_map(|p| p.premise.leaves()).collect();
            if said.is_empty() {
                continue;
            }
            let facts = said.iter().map(|&(card, colours)| Fact::colour(card, colours)).collect();
            let number = self.line(facts, Step::Given(told), Vec::new(), out);
            for (card, colours) in said {
                place.learn(card, colours, number);
                if wanted > 0 {
                    place.public.push((number, card, colours));
                }
            }
        }
        place
    }

    /// Adds lines that prove the fact here; the number of the one that says it, or that this cannot be.
    fn prove(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        self.parts += 1;
        if self.parts > PARTS {
            return None;
        }
        let mut place = place.clone();
        loop {
            if let Some(number) = self.plain(&place, fact, out) {
                return Some(number);
            }
            match self.next(&place) {
                Next::Same(a, b) => {
                    let both = place.left[a.index()].and(place.left[b.index()]);
                    let cards = CardSet::of(a).with(b);
                    let facts = cards.iter().map(|card| Fact::colour(card, both)).collect();
                    let number = self.line(facts, Step::Rule(Rule::Same(a, b)), place.cite_all(cards), out);
                    cards.iter().for_each(|card| place.learn(card, both, number));
                }
                Next::Joins(card, others, (shared, only)) => {
                    let cards = CardSet::of(card).or(only);
                    let facts = cards.iter().map(|card| Fact::colour(card, shared)).collect();
                    let from = place.cite_all(others.with(card));
                    let number = self.line(facts, Step::Rule(Rule::Joins(card, others)), from, out);
                    cards.iter().for_each(|card| place.learn(card, shared, number));
                }
                Next::Full(set, cards) => {
                    let from = cards.iter().flat_map(|card| place.cite(card, set)).collect();
                    let rest = Colours::ALL.minus(set);
                    let touched = CardSet::first(CARDS).minus(cards);
                    let touched: Vec<Card> =
                        touched.iter().filter(|card| !place.left[card.index()].and(set).is_empty()).collect();
                    let facts = touched.iter().map(|&card| Fact::colour(card, rest)).collect();
                    let number = self.line(facts, Step::Rule(Rule::Full(set, cards)), from, out);
                    touched.iter().for_each(|&card| place.learn(card, rest, number));
                }
                Next::Crowded(set, cards) => {
                    let from = cards.iter().flat_map(|card| place.cite(card, set)).collect();
                    let step = Step::Rule(Rule::Crowded(set, cards));
                    return Some(self.line(vec![Fact::Const(false)], step, from, out));
                }
                Next::Ended(premise) => {
                    let Premise::WentOn(layout) = premise else { return None };
                    let from = place.cite_all(CardSet::first(CARDS));
                    return Some(self.line(vec![Fact::Const(false)], Step::Rule(Rule::Ended(layout)), from, out));
                }
                Next::Nothing => return self.end(&place, fact, out),
            }
        }
    }

    /// Says what is seen from the colours that are left.
    fn plain(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        let of = |card: Card| place.left[card.index()];
        let everything = CardSet::first(CARDS);
        let said = |a: Card, b: Card| {
            let same = |p: &Noted| matches!(p.premise, Premise::Same(x, y) if [(x, y), (y, x)].contains(&(a, b)));
            self.premises.iter().copied().find(same)
        };
        let atom = |fact: &Fact| if let Fact::Atom(atom) = fact { Some(*atom) } else { None };
        let (atom, yes) = match fact {
            Fact::Const(true) => return Some(self.line(vec![fact.clone()], Step::Logic, Vec::new(), out)),
            Fact::Not(inner) => (atom(inner)?, false),
            fact => (atom(fact)?, true),
        };
        let from = match (atom, yes) {
            (Atom::Colour(card, set), yes) => {
                let set = if yes { set } else { Colours::ALL.minus(set) };
                if !of(card).minus(set).is_empty() {
                    return None;
                }
                let from = place.cite(card, set);
                let outright = place.why[card.index()].iter().any(|(line, told)| from == [*line] && *told == set);
                if outright && yes {
                    return Some(from[0]);
                }
                from
            }
            (Atom::Same(a, b), true) => match said(a, b) {
                Some(noted) if a != b => {
                    return Some(self.line(vec![fact.clone()], Step::Given(vec![noted]), Vec::new(), out));
                }
                _ if a == b || of(a) == of(b) && of(a).single().is_some() => place.cite_all(CardSet::of(a).with(b)),
                _ => return None,
            },
            (Atom::Same(a, b), false) if of(a).and(of(b)).is_empty() => place.cite_all(CardSet::of(a).with(b)),
            (Atom::Same(..), false) => return None,
            (Atom::Grouped, true) => match connects(&self.notes.layout().shape(), &place.left) {
                true => place.cite_all(everything),
                false => return None,
            },
            (Atom::Grouped, false) => {
                let shape = self.notes.layout().shape();
                if connectable(&shape, &place.left) {
                    return None;
                }
                // What does not matter is left out.
                let (mut left, mut cards) = (place.left, CardSet::EMPTY);
                for card in everything.iter() {
                    let before = std::mem::replace(&mut left[card.index()], Colours::ALL);
                    if connectable(&shape, &left) {
                        left[card.index()] = before;
                        cards = cards.with(card);
                    }
                }
                place.cite_all(cards)
            }
        };
        Some(self.line(vec![fact.clone()], Step::Rule(Rule::Left), from, out))
    }

    /// The next step that changes something.
    fn next(&self, place: &Place) -> Next {
        for noted in self.premises {
            if let Premise::Same(a, b) = noted.premise
                && place.left[a.index()] != place.left[b.index()]
            {
                return Next::Same(a, b);
            }
            if let Premise::Joins(card, others) = noted.premise {
                let (shared, only) = joined(&place.left, card, others);
                if CardSet::of(card).or(only).iter().any(|card| !place.left[card.index()].minus(shared).is_empty()) {
                    return Next::Joins(card, others, (shared, only));
                }
            }
        }
        for set in SETS.map(Colours::from_bits) {
            let inside = within(&place.left, set);
            if inside.len() > 4 * set.len() {
                return Next::Crowded(set, inside.iter().take(4 * set.len() + 1).collect());
            }
            let touched = || (0..).map(Card).zip(&place.left).any(|(c, l)| !inside.has(c) && !l.and(set).is_empty());
            if inside.len() == 4 * set.len() && touched() {
                return Next::Full(set, inside);
            }
        }
        if place.left.iter().all(|set| set.len() == 1) {
            let over = self.premises.iter().find(|noted| match noted.premise {
                Premise::WentOn(layout) => connects(&layout.shape(), &place.left),
                _ => false,
            });
            return over.map_or(Next::Nothing, |noted| Next::Ended(noted.premise));
        }
        Next::Nothing
    }

    fn sure(&mut self, place: &Place, fact: &Fact) -> bool {
        self.knower.sure(&place.left, fact)
    }

    fn end(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        let all = CardSet::first(CARDS);
        if self.sure(place, &Fact::Const(false)) {
            return self.split(place, fact, all, out);
        }
        let (inner, yes) = match fact {
            Fact::Not(inner) => (&**inner, false),
            fact => (fact, true),
        };
        match (inner, yes) {
            (Fact::Const(_) | Fact::Atom(_), _) => self.split(place, fact, all, out),
            (Fact::Not(inner), false) => {
                let number = self.prove(place, inner, out)?;
                Some(self.line(vec![fact.clone()], Step::Logic, vec![number], out))
            }
            (Fact::All(_) | Fact::Any(_) | Fact::Iff(..) | Fact::Count(..), _) => {
                self.together(place, fact, inner, yes, out)
            }
            (Fact::Knows(..) | Fact::Common(..), true) => self.known(place, fact, out),
            (Fact::Knows(seats, known), false) => self.unknown(place, fact, *seats, known, out),
            (Fact::Common(_, known), false) => {
                let chains = (0..2 * CHAIN).map(|i| {
                    let (length, first) = (i / 2, Seat((i % 2) as u8));
                    std::iter::successors(Some(first), |seat| Some(seat.next(2))).take(length).collect::<Vec<Seat>>()
                });
                for seats in chains {
                    let unknown = (**known).clone().known_along(&seats).negated();
                    if self.sure(place, &unknown) {
                        let number = self.prove(place, &unknown, out)?;
                        return Some(self.line(vec![fact.clone()], Step::Logic, vec![number], out));
                    }
                }
                self.split(place, fact, all, out)
            }
            (Fact::After(..), _) | (Fact::Not(_), true) => None,
        }
    }

    /// A fact of several parts: those that decide it, as far as they are sure.
    fn together(&mut self, place: &Place, fact: &Fact, inner: &Fact, yes: bool, out: &mut Vec<Line>) -> Option<usize> {
        let parts: Vec<Fact> = inner.parts().into_iter().cloned().collect();
        let mut decided: Vec<(Fact, Option<bool>)> = Vec::new();
        for part in parts {
            let holds = match (self.sure(place, &part), self.sure(place, &part.clone().negated())) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
            };
            decided.push((part, holds));
        }
        let truth = |decided: &[(Fact, Option<bool>)]| {
            let of = |part: &Fact| decided.iter().find(|(other, _)| other == part).and_then(|(_, holds)| *holds);
            let leaf = |part: &Fact| of(part);
            match inner {
                Fact::All(parts) => match parts
                    .iter()
                    .map(of)
                    .try_fold(true, |all, v| if v == Some(false) { Err(()) } else { Ok(all && v.is_some()) })
                {
                    Err(()) => Some(false),
                    Ok(all) => all.then_some(true),
                },
                Fact::Any(parts) => match parts
                    .iter()
                    .map(of)
                    .try_fold(true, |all, v| if v == Some(true) { Err(()) } else { Ok(all && v.is_some()) })
                {
                    Err(()) => Some(true),
                    Ok(all) => all.then_some(false),
                },
                Fact::Iff(a, b) => of(a).zip(of(b)).map(|(a, b)| a == b),
                Fact::Count(cmp, n, parts) => {
                    let least = parts.iter().filter(|p| of(p) == Some(true)).count() as u64;
                    let most = parts.iter().filter(|p| of(p) != Some(false)).count() as u64;
                    let fits = |count: u64| cmp.admits(count.cmp(n));
                    (least..=most).all(|count| fits(count) == fits(least)).then(|| fits(least))
                }
                other => value(other, &leaf),
            }
        };
        if truth(&decided) != Some(yes) {
            return self.split(place, fact, CardSet::first(CARDS), out);
        }
        for at in 0..decided.len() {
            let before = decided[at].1.take();
            if before.is_some() && truth(&decided) != Some(yes) {
                decided[at].1 = before;
            }
        }
        let mut from = Vec::new();
        for (part, holds) in decided {
            match holds {
                Some(true) => from.push(self.prove(place, &part, out)?),
                Some(false) => from.push(self.prove(place, &part.negated(), out)?),
                None => {}
            }
        }
        Some(self.line(vec![fact.clone()], Step::Logic, from, out))
    }

    /// What these eyes see of what is left here.
    fn seen_by(&self, place: &Place, seen: CardSet) -> Place {
        let mut there = Place { left: [Colours::ALL; CARDS], why: Default::default(), public: place.public.clone() };
        for &(line, card, colours) in &place.public {
            there.learn(card, colours, line);
        }
        for card in seen.iter() {
            for &(line, colours) in &place.why[card.index()] {
                there.learn(card, colours, line);
            }
        }
        there
    }

    fn looked(&self, eyes: Eyes) -> CardSet {
        match eyes {
            Eyes::Pooled(seats) => seats.iter().fold(CardSet::EMPTY, |all, seat| all.or(self.notes.looked(seat))),
            Eyes::Each(seats) => seats.iter().fold(CardSet::first(CARDS), |all, seat| all.and(self.notes.looked(seat))),
        }
    }

    fn known(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        let (mut eyes, mut levels, mut inner) = (Vec::new(), Vec::new(), fact);
        while let Fact::Knows(seats, next) | Fact::Common(seats, next) = inner {
            eyes.push(if matches!(inner, Fact::Knows(..)) { Eyes::Pooled(*seats) } else { Eyes::Each(*seats) });
            inner = next;
            levels.push(inner);
        }
        let mut depths = vec![levels.len()];
        depths.extend((levels.len() > 1).then_some(1));
        for depth in depths {
            let seen = eyes[..depth].iter().fold(CardSet::first(CARDS), |all, &eyes| all.and(self.looked(eyes)));
            let there = self.seen_by(place, seen);
            if self.sure(&there, levels[depth - 1]) {
                let mut lines = Vec::new();
                let number = self.prove(&there, levels[depth - 1], &mut lines)?;
                let outside = !lines.iter().any(|line| line.number == number);
                let from = if outside { vec![number] } else { Vec::new() };
                let lines = if outside { Vec::new() } else { lines };
                return Some(self.line(vec![fact.clone()], Step::Mind(eyes[..depth].to_vec(), lines), from, out));
            }
        }
        let cards = self.looked(eyes[0]);
        match eyes[0] {
            Eyes::Pooled(_) => self.split(place, fact, cards, out),
            Eyes::Each(_) => None,
        }
    }

    /// Why it is not known to the seats.
    fn unknown(
        &mut self,
        place: &Place,
        fact: &Fact,
        seats: Seats,
        known: &Fact,
        out: &mut Vec<Line>,
    ) -> Option<usize> {
        let untrue = known.clone().negated();
        if self.sure(place, &untrue) {
            let number = self.prove(place, &untrue, out)?;
            return Some(self.line(vec![fact.clone()], Step::Logic, vec![number], out));
        }
        let seen = self.looked(Eyes::Pooled(seats));
        let unseen = CardSet::first(CARDS).minus(seen);
        let pairs = unseen.iter().flat_map(|a| unseen.iter().map(move |b| (a, b)));
        let differ = |(a, b): &(Card, Card)| a < b && place.left[a.index()] != place.left[b.index()];
        let mut pairs: Vec<(Card, Card)> = pairs.filter(differ).collect();
        let mentioned = mentions(known);
        // Cards that need few lines make the shortest proofs.
        pairs.sort_by_key(|&(a, b)| {
            let mut lines = place.cite_all(CardSet::of(a).with(b));
            lines.sort_unstable();
            lines.dedup();
            (lines.iter().max().copied(), lines.len(), place.left[a.index()].len() + place.left[b.index()].len())
        });
        for (a, b) in pairs {
            let Some(after) = self.exchanged(place, a, b) else { continue };
            if !self.knower.sure(&after, &untrue) {
                continue;
            }
            // As few cards as will do, for a short sentence.
            let near = CardSet::of(a).with(b).or(mentioned);
            let told = [near, CardSet::first(CARDS)].into_iter().find(|&cards| {
                let few = self.public_with(place, |card| cards.has(card).then(|| after[card.index()]));
                self.knower.sure(&few, &untrue)
            });
            let cards = told?;
            let from = place.cite_all(cards.with(a).with(b));
            let facts = |card: Card| Fact::colour(card, after[card.index()]);
            let assume = cards.iter().filter(|card| after[card.index()] != Colours::ALL).map(facts).collect();
            return self.changed(place, fact, seats, Rule::Exchange(a, b), assume, from, &untrue, out);
        }
        let open = |cards: CardSet| cards.iter().any(|card| place.left[card.index()].len() > 1);
        if let Some(cards) = [mentioned, seen].into_iter().find(|&cards| open(cards)) {
            return self.split(place, fact, cards, out);
        }
        let other = self.knower.failing(&self.seen_by(place, seen).left, known)?;
        let all = CardSet::first(CARDS).iter();
        let assume = all.map(|card| Fact::colour(card, Colours::of(other.of(card)))).collect();
        self.changed(place, fact, seats, Rule::World(other), assume, place.cite_all(seen), &untrue, out)
    }

    fn public_with(&self, place: &Place, of: impl Fn(Card) -> Option<Colours>) -> Left {
        let mut left = self.seen_by(place, CardSet::EMPTY).left;
        for card in CardSet::first(CARDS).iter() {
            if let Some(colours) = of(card) {
                left[card.index()] = left[card.index()].and(colours);
            }
        }
        left
    }

    /// A line that the seats do not know it, by what holds in another world.
    #[allow(clippy::too_many_arguments, reason = "all of them are parts of one line")]
    fn changed(
        &mut self,
        place: &Place,
        fact: &Fact,
        seats: Seats,
        change: Rule,
        assume: Vec<Fact>,
        from: Vec<usize>,
        untrue: &Fact,
        out: &mut Vec<Line>,
    ) -> Option<usize> {
        let number = self.number();
        let mut there = self.seen_by(place, CardSet::EMPTY);
        for fact in &assume {
            if let Fact::Atom(Atom::Colour(card, colours)) = fact {
                there.learn(*card, *colours, number);
            }
        }
        let mut lines = Vec::new();
        self.prove(&there, untrue, &mut lines)?;
        let step = Step::Unsure(seats, change, Case { number, assume, lines });
        Some(self.line(vec![fact.clone()], step, from, out))
    }

    /// What is left with two cards exchanged, if everything public still holds then.
    fn exchanged(&self, place: &Place, a: Card, b: Card) -> Option<Left> {
        let fits = |premise: Premise| match premise {
            Premise::Look(..) | Premise::Looked(..) => true,
            Premise::Hint(card, told) | Premise::Told(card, told) => {
                let other = if card == a { b } else { a };
                ![a, b].contains(&card) || place.left[other.index()].minus(told).is_empty()
            }
            Premise::Same(x, y) => ![x, y].iter().any(|card| [a, b].contains(card)),
            Premise::Joins(card, others) => ![a, b].contains(&card) && others.has(a) == others.has(b),
            Premise::Shown(card, _) => ![a, b].contains(&card),
            Premise::WentOn(_) => false,
        };
        let mut after = place.left;
        after.swap(a.index(), b.index());
        self.notes.noted().iter().all(|noted| fits(noted.premise)).then_some(after)
    }

    /// Splits the card whose cases leave the least.
    fn split(&mut self, place: &Place, fact: &Fact, among: CardSet, out: &mut Vec<Line>) -> Option<usize> {
        let asked = match fact {
            Fact::Atom(Atom::Colour(card, set)) => Some((*card, *set)),
            Fact::Not(inner) => match **inner {
                Fact::Atom(Atom::Colour(card, set)) => Some((card, Colours::ALL.minus(set))),
                _ => None,
            },
            _ => None,
        };
        // A colour is best shown by refuting the others.
        let among = asked.map_or(among, |(card, _)| CardSet::of(card));
        let open = among.iter().filter(|card| place.left[card.index()].len() > 1);
        let card = open.min_by_key(|&card| self.rest(place, card))?;
        let mut cases = Vec::new();
        for colour in place.left[card.index()].iter() {
            if asked.is_some_and(|(_, set)| set.has(colour)) {
                continue;
            }
            let number = self.number();
            let mut there = place.clone();
            there.why[card.index()].clear();
            there.left[card.index()] = Colours::ALL;
            there.learn(card, Colours::of(colour), number);
            let mut lines = Vec::new();
            self.prove(&there, fact, &mut lines)?;
            cases.push(Case { number, assume: vec![Fact::colour(card, Colours::of(colour))], lines });
        }
        let from = place.cite(card, place.left[card.index()]);
        Some(self.line(vec![fact.clone()], Step::Cases(Some(Rule::Split(card)), cases), from, out))
    }

    /// How much is left in the cases of a card, taken together.
    fn rest(&self, place: &Place, card: Card) -> usize {
        let case = |colour: Colour| {
            let mut there = place.clone();
            there.left[card.index()] = Colours::of(colour);
            loop {
                match self.next(&there) {
                    Next::Same(a, b) => {
                        let both = there.left[a.index()].and(there.left[b.index()]);
                        there.left[a.index()] = both;
                        there.left[b.index()] = both;
                    }
                    Next::Joins(card, _, (shared, only)) => {
                        let cards = CardSet::of(card).or(only);
                        cards.iter().for_each(|card| there.learn(card, shared, 0));
                    }
                    Next::Full(set, cards) => {
                        for card in CardSet::first(CARDS).minus(cards).iter() {
                            there.left[card.index()] = there.left[card.index()].minus(set);
                        }
                    }
                    Next::Crowded(..) | Next::Ended(_) => return 0,
                    Next::Nothing => return there.left.iter().map(|set| set.len().max(1) - 1).sum::<usize>() + 1,
                }
            }
        };
        place.left[card.index()].iter().map(case).sum()
    }
}

enum Next {
    Same(Card, Card),
    /// A card that has the colour of one of others: the colours that it can share with them, and the only one with which
    /// it can.
    Joins(Card, CardSet, (Colours, CardSet)),
    Full(Colours, CardSet),
    Crowded(Colours, CardSet),
    Ended(Premise),
    Nothing,
}

/// The sets of colours, those whose sentences are shortest first: one colour, all but one, two.
const SETS: [u8; 15] = [0, 1, 2, 4, 8, 14, 13, 11, 7, 3, 5, 6, 9, 10, 12];

/// The cards that can only have these colours.
fn within(left: &Left, colours: Colours) -> CardSet {
    (0..CARDS as u8).map(Card).filter(|card| left[card.index()].minus(colours).is_empty()).collect()
}

/// Whether every card is settled and every colour connected.
fn connects(shape: &Shape, left: &Left) -> bool {
    let settled = left.iter().all(|set| set.len() == 1);
    settled && Colour::ALL.into_iter().all(|c| shape.connected(within(left, Colours::of(c)).0 as u16))
}

/// The colours that a card can share with one of these, and the only one with which it can share any.
fn joined(left: &Left, card: Card, others: CardSet) -> (Colours, CardSet) {
    let shared = |other: Card| left[other.index()].and(left[card.index()]);
    let could: CardSet = others.iter().filter(|&other| !shared(other).is_empty()).collect();
    let colours = could.iter().flat_map(|other| shared(other).iter()).collect();
    (colours, if could.len() == 1 { could } else { CardSet::EMPTY })
}
