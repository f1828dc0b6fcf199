//! What follows without case distinctions, each fact with its reason.

use super::super::position::{Observed, Position};
use super::lemma::Clause;
use super::rules::{Group, Line, Premise, Rule};
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::{Atom, Fact, Place};
use crate::game::Seat;
use crate::knowledge::proof::{Eyes, Numbers, value};

/// What an entry concludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Finding {
    /// The card is at the place.
    At(Card, Place),
    /// The card is not at the place.
    Not(Card, Place),
    /// The card shown in this event was this one.
    Showed(usize, Card),
    /// The card shown in this event was another one.
    Hidden(usize, Card),
    /// One of the other facts of the search, by its number.
    Other(usize),
    /// What is to be proved.
    Goal,
    /// This cannot be.
    Impossible,
}

/// A fact with its reason. Entries of a case have a greater depth than those outside.
pub(super) struct Entry {
    pub(super) fact: Finding,
    pub(super) reason: Reason,
    pub(super) from: Vec<u32>,
    pub(super) depth: u32,
}

pub(super) enum Reason {
    /// Assumed in a case.
    Assumed,
    /// Found outside, by the eyes of somebody else: the entry there.
    Outer(usize),
    Given(Premise),
    Rule(Rule),
    Logic,
    /// Assumption and end of each case.
    Cases(Option<Rule>, Vec<(u32, u32)>),
    /// A proof from the eyes of somebody.
    Mind(Vec<Eyes>, Inner),
    /// What somebody would have known: the lemma.
    Ended(usize),
    /// What the seats do not see, and what would hold then.
    Unsure(Rule, Vec<Finding>),
}

/// A proof inside an entry, not yet numbered.
#[derive(Clone, Default)]
pub(super) struct Inner {
    pub(super) lines: Vec<Line>,
    pub(super) same: Numbers,
}

const NONE: u32 = u32::MAX;

/// What is known at some point of the search.
#[derive(Clone)]
pub(super) struct State {
    at: Vec<u32>,
    not: Vec<u32>,
    /// For each place the cards that are not known to be elsewhere.
    may: Vec<CardSet>,
    pub(super) showed: Vec<(usize, Card, u32)>,
    /// Cards that were not those shown.
    pub(super) hidden: Vec<(usize, Card, u32)>,
    /// The other facts that are known, by their numbers.
    pub(super) others: Vec<(usize, u32)>,
    pub(super) clash: Option<u32>,
    pub(super) depth: u32,
}

/// The premises sorted by use, and all facts found so far.
pub(super) struct Facts<'p> {
    pub(super) position: &'p Position,
    pub(super) entries: Vec<Entry>,
    /// Facts that are not literals, such as what somebody knows.
    pub(super) others: Vec<Fact>,
    pub(super) envelope: Place,
    sizes: Vec<Option<u8>>,
    categories: Vec<Option<CardSet>>,
    /// Event, seat, cards.
    pub(super) shows: Vec<(usize, Seat, CardSet)>,
    wrong: Vec<(usize, CardSet)>,
    /// The events in which it matters to somebody's knowledge which card was shown.
    pub(super) telling: Vec<usize>,
    /// What the ends of turns say, as far as it was found.
    pub(super) clauses: Vec<Clause>,
}

impl<'p> Facts<'p> {
    /// What the premises say at once, and the state in which that is known.
    pub(super) fn new(position: &'p Position, premises: &[Premise], view: &[(Finding, usize)]) -> (Facts<'p>, State) {
        let (deck, envelope) = (position.deck(), position.seats() as usize);
        let mut this = Facts {
            position,
            entries: Vec::new(),
            others: Vec::new(),
            envelope,
            sizes: vec![None; envelope],
            categories: vec![None; deck.categories()],
            shows: Vec::new(),
            wrong: Vec::new(),
            telling: Vec::new(),
            clauses: Vec::new(),
        };
        let cells = deck.len() * (envelope + 1);
        let blank = vec![NONE; cells];
        let mut state = State {
            at: blank.clone(),
            not: blank,
            may: vec![deck.cards(); envelope + 1],
            showed: Vec::new(),
            hidden: Vec::new(),
            others: Vec::new(),
            clash: None,
            depth: 0,
        };
        for &(fact, outer) in view {
            this.learn(&mut state, fact, Reason::Outer(outer), Vec::new());
        }
        for &premise in premises {
            let event = premise.event().map(|e| position.events()[e]);
            let mut put = |fact| {
                this.learn(&mut state, fact, Reason::Given(premise), Vec::new());
            };
            match (premise, event) {
                (Premise::Hand, _) => {
                    let me = position.observer().index();
                    for card in deck.cards().iter() {
                        put(if position.hand().has(card) { Finding::At(card, me) } else { Finding::Not(card, me) });
                    }
                }
                (Premise::Pass(_, seat), Some(Observed::Ask { cards, .. })) => {
                    cards.iter().for_each(|c| put(Finding::Not(c, seat.index())));
                }
                (Premise::Shown(e), Some(Observed::Ask { answer: Some(by), shown: Some(card), .. })) => {
                    put(Finding::At(card, by.index()));
                    put(Finding::Showed(e, card));
                }
                (Premise::Right(_), Some(Observed::Accuse { cards, .. }))
                | (Premise::Saw(_), Some(Observed::Accuse { envelope: Some(cards), .. })) => {
                    cards.iter().for_each(|c| put(Finding::At(c, envelope)));
                }
                (Premise::Show(e), Some(Observed::Ask { answer: Some(by), cards, .. })) => {
                    this.shows.push((e, by, cards));
                }
                (Premise::Wrong(e), Some(Observed::Accuse { cards, .. })) => this.wrong.push((e, cards)),
                (Premise::Size(seat), _) => this.sizes[seat.index()] = Some(position.sizes()[seat.index()]),
                (Premise::Category(k), _) => this.categories[k] = Some(deck.category(k)),
                (Premise::Ended(_), _) => {}
                (other, event) => unreachable!("{other:?} is no premise of {event:?}"),
            }
        }
        (this, state)
    }

    fn cell(&self, card: Card, place: Place) -> usize {
        card.index() * (self.envelope + 1) + place
    }

    /// The entry that says that the card is at the place.
    pub(super) fn at(&self, state: &State, card: Card, place: Place) -> Option<u32> {
        Some(state.at[self.cell(card, place)]).filter(|&id| id != NONE)
    }

    /// The entry that says that the card is not at the place.
    pub(super) fn not(&self, state: &State, card: Card, place: Place) -> Option<u32> {
        Some(state.not[self.cell(card, place)]).filter(|&id| id != NONE)
    }

    /// Whether the card is at the place, if that is known.
    pub(super) fn known(&self, state: &State, card: Card, place: Place) -> Option<bool> {
        match (self.at(state, card, place), self.not(state, card, place)) {
            (Some(_), _) => Some(true),
            (None, Some(_)) => Some(false),
            (None, None) => None,
        }
    }

    /// Cards of the set that are not known to be elsewhere, and why the others are.
    pub(super) fn candidates(&self, state: &State, cards: CardSet, place: Place) -> (CardSet, Vec<u32>) {
        let left = cards.and(state.may[place]);
        (left, cards.minus(left).iter().filter_map(|card| self.not(state, card, place)).collect())
    }

    /// Cards that may have been shown in the event, and why the others were not.
    pub(super) fn showable(&self, state: &State, event: usize, cards: CardSet, by: Place) -> (CardSet, Vec<u32>) {
        let mut left = CardSet::EMPTY;
        let mut from = Vec::new();
        for card in cards.iter() {
            match self.not(state, card, by).or_else(|| shown_in(&state.hidden, event, card)) {
                Some(id) => from.push(id),
                None => left = left.with(card),
            }
        }
        (left, from)
    }

    /// The entry that says the finding, if it is about cards.
    pub(super) fn finding(&self, state: &State, finding: Finding) -> Option<u32> {
        match finding {
            Finding::At(card, place) => self.at(state, card, place),
            Finding::Not(card, place) => self.not(state, card, place),
            Finding::Showed(event, card) => shown_in(&state.showed, event, card),
            Finding::Hidden(event, card) => shown_in(&state.hidden, event, card),
            Finding::Other(_) | Finding::Goal | Finding::Impossible => None,
        }
    }

    /// All that is known about cards.
    pub(super) fn findings(&self, state: &State) -> Vec<Finding> {
        let cards = self.position.deck().cards().iter();
        let spots = cards.flat_map(|card| (0..=self.envelope).map(move |place| (card, place)));
        let mut all: Vec<Finding> = spots.flat_map(|(c, p)| [Finding::At(c, p), Finding::Not(c, p)]).collect();
        all.retain(|&finding| self.finding(state, finding).is_some());
        all.extend(state.showed.iter().map(|s| Finding::Showed(s.0, s.1)));
        all.extend(state.hidden.iter().map(|s| Finding::Hidden(s.0, s.1)));
        all
    }

    /// Places where the card may be as bits.
    pub(super) fn left(&self, state: &State, card: Card) -> u8 {
        (0..=self.envelope).fold(0, |left, place| left | u8::from(state.may[place].has(card)) << place)
    }

    /// Places where the card may be as bits, and why it is not at the others.
    pub(super) fn places(&self, state: &State, card: Card) -> (u8, Vec<u32>) {
        (self.left(state, card), (0..=self.envelope).filter_map(|place| self.not(state, card, place)).collect())
    }

    pub(super) fn push(&mut self, fact: Finding, reason: Reason, from: Vec<u32>, depth: u32) -> u32 {
        self.entries.push(Entry { fact, reason, from, depth });
        self.entries.len() as u32 - 1
    }

    /// The number of a fact that is no literal.
    pub(super) fn other(&mut self, fact: &Fact) -> usize {
        self.others.iter().position(|other| other == fact).unwrap_or_else(|| {
            self.others.push(fact.clone());
            self.others.len() - 1
        })
    }

    /// The entry that says this fact outright.
    pub(super) fn entry_of(&self, state: &State, fact: &Fact) -> Option<u32> {
        match fact {
            Fact::Atom(Atom::At(card, place)) => self.at(state, *card, *place),
            Fact::Atom(Atom::Shown(event, card)) => shown_in(&state.showed, *event, *card),
            Fact::Not(inner) => match **inner {
                Fact::Atom(Atom::At(card, place)) => self.not(state, card, place),
                Fact::Atom(Atom::Shown(event, card)) => shown_in(&state.hidden, event, card),
                _ => self.noted(state, fact),
            },
            fact => self.noted(state, fact),
        }
    }

    /// The entry of a fact that is no literal.
    fn noted(&self, state: &State, fact: &Fact) -> Option<u32> {
        let at = self.others.iter().position(|other| other == fact)?;
        state.others.iter().find(|(number, _)| *number == at).map(|(_, id)| *id)
    }

    /// The truth of a leaf of a formula, if it is known, and the entry that says so.
    pub(super) fn leaf(&self, state: &State, leaf: &Fact) -> Option<(bool, u32)> {
        match self.entry_of(state, leaf) {
            Some(id) => Some((true, id)),
            None => self.entry_of(state, &leaf.clone().negated()).map(|id| (false, id)),
        }
    }

    /// What a finding says.
    pub(super) fn fact(&self, finding: Finding, goal: &Fact) -> Fact {
        match finding {
            Finding::At(card, place) => Fact::at(card, place),
            Finding::Not(card, place) => Fact::at(card, place).negated(),
            Finding::Showed(event, card) => Fact::Atom(Atom::Shown(event, card)),
            Finding::Hidden(event, card) => Fact::Atom(Atom::Shown(event, card)).negated(),
            Finding::Other(number) => self.others[number].clone(),
            Finding::Goal => goal.clone(),
            Finding::Impossible => Fact::Const(false),
        }
    }

    /// Adds a fact unless it is known; with its opposite it makes the state impossible.
    pub(super) fn learn(&mut self, state: &mut State, fact: Finding, reason: Reason, from: Vec<u32>) -> Option<u32> {
        let known = match fact {
            Finding::At(c, p) => self.at(state, c, p).is_some(),
            Finding::Not(c, p) => self.not(state, c, p).is_some(),
            Finding::Showed(e, c) => state.showed.iter().any(|s| (s.0, s.1) == (e, c)),
            Finding::Hidden(e, c) => state.hidden.iter().any(|s| (s.0, s.1) == (e, c)),
            Finding::Other(number) => state.others.iter().any(|(other, _)| *other == number),
            Finding::Goal | Finding::Impossible => false,
        };
        if known || state.clash.is_some() {
            return None;
        }
        let id = self.push(fact, reason, from, state.depth);
        self.adopt(state, fact, id);
        Some(id)
    }

    /// Takes an entry into the state.
    pub(super) fn adopt(&mut self, state: &mut State, fact: Finding, id: u32) {
        let opposite = match fact {
            Finding::At(c, p) => self.not(state, c, p),
            Finding::Not(c, p) => self.at(state, c, p),
            Finding::Showed(e, c) => shown_in(&state.hidden, e, c),
            Finding::Hidden(e, c) => shown_in(&state.showed, e, c),
            Finding::Other(_) | Finding::Goal | Finding::Impossible => None,
        };
        match fact {
            Finding::At(c, p) => {
                let cell = self.cell(c, p);
                state.at[cell] = id;
            }
            Finding::Not(c, p) => {
                let cell = self.cell(c, p);
                state.not[cell] = id;
                state.may[p] = state.may[p].without(c);
            }
            Finding::Showed(e, c) => state.showed.push((e, c, id)),
            Finding::Hidden(e, c) => state.hidden.push((e, c, id)),
            Finding::Other(number) => state.others.push((number, id)),
            Finding::Impossible => state.clash = Some(id),
            Finding::Goal => {}
        }
        if let Some(other) = opposite {
            let clash = self.push(Finding::Impossible, Reason::Rule(Rule::Clash), vec![other, id], state.depth);
            state.clash = Some(clash);
        }
    }

    /// Draws conclusions until nothing new comes, the state is impossible, or the claim is decided to be true.
    pub(super) fn propagate(&mut self, state: &mut State, claim: &Fact) {
        while state.clash.is_none() && self.value(state, claim) != Some(true) {
            let mut found = Vec::new();
            self.simple(state, &mut found);
            if found.is_empty() {
                self.filled(state, &mut found);
            }
            if found.is_empty() {
                self.groups(state, &mut found);
            }
            let mut new = found.is_empty() && self.ended(state);
            for (fact, rule, from) in found {
                new |= self.learn(state, fact, Reason::Rule(rule), from).is_some();
            }
            if !new {
                return;
            }
        }
    }

    /// The truth of a fact, if what is known decides it.
    pub(super) fn value(&self, state: &State, fact: &Fact) -> Option<bool> {
        value(fact, &|leaf| self.leaf(state, leaf).map(|(value, _)| value))
    }

    /// The rules about one card, one hand, one category or one event.
    fn simple(&self, state: &State, found: &mut Vec<Found>) {
        let deck = self.position.deck();
        for &(event, card, id) in &state.showed {
            let by = self.shower(event).index();
            if self.at(state, card, by).is_none() {
                found.push((Finding::At(card, by), Rule::Showed(event), vec![id]));
            }
        }
        for &(event, by, cards) in &self.shows {
            if self.telling.contains(&event) {
                let (left, mut from) = self.showable(state, event, cards, by.index());
                let told = left.lowest().unwrap_or_else(|| {
                    from.pop();
                    cards.iter().last().expect("some cards")
                });
                if left.len() <= 1 && shown_in(&state.showed, event, told).is_none() {
                    found.push((Finding::Showed(event, told), Rule::Showed(event), from));
                    continue;
                }
            }
            if cards.and(state.may[by.index()]).len() <= 1 {
                let (left, from) = self.candidates(state, cards, by.index());
                found.extend(self.last(state, cards, left, from, by.index(), Rule::OneLeft(event)));
            }
        }
        for (k, cards) in self.categories.iter().enumerate() {
            let Some(cards) = *cards else { continue };
            if cards.and(state.may[self.envelope]).len() <= 1 {
                let (left, from) = self.candidates(state, cards, self.envelope);
                found.extend(self.last(state, cards, left, from, self.envelope, Rule::OnlyOne(k)));
            }
            if let Some((card, id)) = cards.iter().find_map(|c| Some((c, self.at(state, c, self.envelope)?))) {
                for other in cards.without(card).iter().filter(|&c| self.not(state, c, self.envelope).is_none()) {
                    found.push((Finding::Not(other, self.envelope), Rule::Taken(k), vec![id]));
                }
            }
        }
        for &(event, cards) in &self.wrong {
            let there: Vec<(Card, u32)> =
                cards.iter().filter_map(|c| Some((c, self.at(state, c, self.envelope)?))).collect();
            if there.len() + 1 >= cards.len() {
                let rest = there.iter().fold(cards, |rest, (c, _)| rest.without(*c));
                // With all of them there, the last one serves as the one that cannot be.
                let last = rest.lowest().or(there.last().map(|t| t.0)).expect("an accusation names cards");
                if self.not(state, last, self.envelope).is_none() {
                    let from = there.iter().filter(|t| t.0 != last).map(|t| t.1).collect();
                    found.push((Finding::Not(last, self.envelope), Rule::Wrong(event), from));
                }
            }
        }
        for (seat, size) in self.sizes.iter().enumerate() {
            let Some(size) = size.map(usize::from) else { continue };
            let there: Vec<(Card, u32)> =
                deck.cards().iter().filter_map(|c| Some((c, self.at(state, c, seat)?))).collect();
            if there.len() >= size {
                let held: CardSet = there[..size].iter().map(|t| t.0).collect();
                let from: Vec<u32> = there[..size].iter().map(|t| t.1).collect();
                let rule = Rule::Full(Seat(seat as u8), Vec::new());
                for other in deck.cards().minus(held).iter().filter(|&c| self.not(state, c, seat).is_none()) {
                    found.push((Finding::Not(other, seat), rule.clone(), from.clone()));
                }
            }
            if state.may[seat].len() <= size {
                let (left, from) = self.candidates(state, deck.cards(), seat);
                let needed = deck.len() - size;
                let rule = Rule::NeedsAll(Seat(seat as u8));
                if left.len() < size {
                    // Too few are left: one that cannot be there must be.
                    let out = deck.cards().minus(left).iter().nth(needed).expect("more than these are excluded");
                    found.push((Finding::At(out, seat), rule, from[..needed].to_vec()));
                } else {
                    for card in left.iter().filter(|&c| self.at(state, c, seat).is_none()) {
                        found.push((Finding::At(card, seat), rule.clone(), from.clone()));
                    }
                }
            }
        }
        for card in deck.cards().iter() {
            if let Some((place, id)) = (0..=self.envelope).find_map(|p| Some((p, self.at(state, card, p)?))) {
                for other in (0..=self.envelope).filter(|&p| p != place && self.not(state, card, p).is_none()) {
                    found.push((Finding::Not(card, other), Rule::OnePlace, vec![id]));
                }
                continue;
            }
            if self.left(state, card).count_ones() > 1 {
                continue;
            }
            let (left, mut from) = self.places(state, card);
            match left.count_ones() {
                0 => {
                    from.pop();
                    found.push((Finding::At(card, self.envelope), Rule::LastPlace, from));
                }
                _ => found.push((Finding::At(card, left.trailing_zeros() as usize), Rule::LastPlace, from)),
            }
        }
    }

    /// One candidate is left, or none: then the last one that was excluded would have to be it.
    fn last(
        &self,
        state: &State,
        cards: CardSet,
        left: CardSet,
        mut from: Vec<u32>,
        place: usize,
        rule: Rule,
    ) -> Option<Found> {
        let card = left.lowest().unwrap_or_else(|| {
            from.pop();
            cards.iter().last().expect("some cards")
        });
        self.at(state, card, place).is_none().then_some((Finding::At(card, place), rule, from))
    }

    /// Hands that are full of cards that the seat holds and of shows that have no card in common.
    fn filled(&self, state: &State, found: &mut Vec<Found>) {
        let deck = self.position.deck();
        for (seat, size) in self.sizes.iter().enumerate() {
            let Some(size) = size.map(usize::from) else { continue };
            let there: Vec<(Card, u32)> =
                deck.cards().iter().filter_map(|c| Some((c, self.at(state, c, seat)?))).collect();
            let held: CardSet = there.iter().map(|t| t.0).collect();
            if held.len() >= size {
                continue;
            }
            let shows: Vec<(usize, CardSet, Vec<u32>)> = self
                .shows
                .iter()
                .filter(|(_, by, cards)| by.index() == seat && cards.is_disjoint(held))
                .map(|&(event, _, cards)| {
                    let (left, from) = self.candidates(state, cards, seat);
                    (event, left, from)
                })
                .collect();
            let mut chosen = Vec::new();
            let open = |outside: CardSet| outside.iter().filter(|&c| self.not(state, c, seat).is_none());
            let new = |covered: CardSet| open(deck.cards().minus(covered)).next().is_some();
            if disjoint(&shows, 0, held, size - held.len(), &mut chosen, &new) {
                let covered = chosen.iter().fold(held, |all, &i| all.or(shows[i].1));
                let from: Vec<u32> =
                    there.iter().map(|t| t.1).chain(chosen.iter().flat_map(|&i| shows[i].2.iter().copied())).collect();
                let rule = Rule::Full(Seat(seat as u8), chosen.iter().map(|&i| shows[i].0).collect());
                for card in open(deck.cards().minus(covered)) {
                    found.push((Finding::Not(card, seat), rule.clone(), from.clone()));
                }
                return;
            }
        }
    }

    /// Counting over two or more places: as many cards as there is room, or as are needed.
    fn groups(&self, state: &State, found: &mut Vec<Found>) {
        let deck = self.position.deck();
        let nodes: Vec<(Group, usize)> = (self.sizes.iter().enumerate())
            .filter_map(|(s, size)| Some((Group { seats: 1 << s, categories: 0 }, (*size)? as usize)))
            .chain(
                (self.categories.iter().enumerate())
                    .filter_map(|(k, cards)| cards.map(|_| (Group { seats: 0, categories: 1 << k }, 1))),
            )
            .collect();
        let spots: Vec<(Card, usize, u8)> =
            deck.cards().iter().map(|card| (card, deck.category_of(card), self.left(state, card))).collect();
        let mut choices: Vec<u32> = (1..1u32 << nodes.len()).filter(|c| c.count_ones() > 1).collect();
        choices.sort_by_key(|c| c.count_ones());
        for choice in choices {
            let mut group = Group::default();
            let mut room = 0;
            for (i, (node, size)) in nodes.iter().enumerate() {
                if choice >> i & 1 == 1 {
                    group.seats |= node.seats;
                    group.categories |= node.categories;
                    room += size;
                }
            }
            // Which cards can be nowhere else, and which can be here at all.
            let (mut bound, mut possible) = (CardSet::EMPTY, CardSet::EMPTY);
            for &(card, category, left) in &spots {
                let inside = group.places(category, self.envelope);
                if left & !inside == 0 {
                    bound = bound.with(card);
                }
                if left & inside != 0 {
                    possible = possible.with(card);
                }
            }
            if bound.len() >= room && possible.len() > room {
                let cards: CardSet = bound.iter().take(room).collect();
                let from = self.excluded(state, cards, |card| !group.places(deck.category_of(card), self.envelope));
                for card in possible.minus(cards).iter() {
                    let inside = group.places(deck.category_of(card), self.envelope);
                    for place in (0..=self.envelope).filter(|p| inside >> p & 1 == 1) {
                        if self.not(state, card, place).is_none() {
                            found.push((Finding::Not(card, place), Rule::Fill(group, cards), from.clone()));
                        }
                    }
                }
                return;
            }
            if possible.len() <= room && (possible.len() < room || bound.len() < room) {
                // Too few: cards that cannot be there make up the number, and then would be nowhere else either.
                let spare = deck.cards().minus(possible).iter().take(room - possible.len());
                let cards = spare.fold(possible, CardSet::with);
                let others = deck.cards().minus(cards);
                let from = self.excluded(state, others, |card| group.places(deck.category_of(card), self.envelope));
                for card in cards.iter() {
                    let inside = group.places(deck.category_of(card), self.envelope);
                    for place in (0..=self.envelope).filter(|p| inside >> p & 1 == 0) {
                        if self.not(state, card, place).is_none() {
                            found.push((Finding::Not(card, place), Rule::Need(group, cards), from.clone()));
                        }
                    }
                }
                return;
            }
        }
    }

    /// Why these cards are not at the places that `places` gives for each.
    fn excluded(&self, state: &State, cards: CardSet, places: impl Fn(Card) -> u8) -> Vec<u32> {
        let cells = cards.iter().flat_map(|card| {
            let places = places(card);
            (0..=self.envelope).filter(move |p| places >> p & 1 == 1).map(move |p| (card, p))
        });
        cells.map(|(card, place)| self.not(state, card, place).expect("it was counted as excluded")).collect()
    }

    /// Who showed a card in this event.
    pub(super) fn shower(&self, event: usize) -> Seat {
        match self.position.events()[event] {
            Observed::Ask { answer: Some(by), .. } => by,
            other => unreachable!("a card was shown, not {other:?}"),
        }
    }
}

type Found = (Finding, Rule, Vec<u32>);

impl Finding {
    /// What says the opposite of a finding about cards.
    pub(super) fn opposite(self) -> Finding {
        match self {
            Finding::At(card, place) => Finding::Not(card, place),
            Finding::Not(card, place) => Finding::At(card, place),
            Finding::Showed(event, card) => Finding::Hidden(event, card),
            Finding::Hidden(event, card) => Finding::Showed(event, card),
            Finding::Other(_) | Finding::Goal | Finding::Impossible => unreachable!("it is about cards"),
        }
    }
}

/// The entry of a card and an event.
pub(super) fn shown_in(list: &[(usize, Card, u32)], event: usize, card: Card) -> Option<u32> {
    list.iter().find(|s| (s.0, s.1) == (event, card)).map(|s| s.2)
}

impl Group {
    /// The places of the group for a card of this category, as bits.
    fn places(self, category: usize, envelope: Place) -> u8 {
        self.seats | (self.categories >> category & 1) << envelope
    }
}

/// Chooses `n` shows from the `first` on whose candidates have nothing in common with each other or with `covered`.
fn disjoint(
    shows: &[(usize, CardSet, Vec<u32>)],
    first: usize,
    covered: CardSet,
    n: usize,
    chosen: &mut Vec<usize>,
    new: &dyn Fn(CardSet) -> bool,
) -> bool {
    if n == 0 {
        return !chosen.is_empty() && new(covered);
    }
    for i in first..shows.len() {
        if shows[i].1.is_disjoint(covered) {
            chosen.push(i);
            if disjoint(shows, i + 1, covered.or(shows[i].1), n - 1, chosen, new) {
                return true;
            }
            chosen.pop();
        }
    }
    false
}
