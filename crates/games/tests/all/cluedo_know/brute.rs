//! Knowledge by the definitions: every world is listed, every announcement removes some.

use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::deck::Deck;
use ken_games::cluedo::position::{Observed, Position};
use ken_games::cluedo::rules::{asked, passed};
use ken_games::dice::Dice;
use ken_games::game::Seat;
use ken_logic::formula::{F, Formula, Group, Name};
use ken_logic::syntax::Scope;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct World {
    /// Hands, then the envelope.
    pub(crate) places: Vec<CardSet>,
    /// For each answered question: asker, seat, card.
    pub(crate) shown: Vec<(Seat, Seat, Card)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Brute {
    deck: Arc<Deck>,
    seats: u8,
    pub(crate) worlds: Vec<World>,
    saw: Vec<bool>,
}

pub(crate) type View = (CardSet, Vec<(usize, Card)>, Option<CardSet>);

impl Brute {
    pub(crate) fn new(deck: &Arc<Deck>, sizes: &[u8]) -> Brute {
        let mut deals = Vec::new();
        for envelope in deck.triples(deck.cards()) {
            let rest: Vec<Card> = deck.cards().minus(envelope).iter().collect();
            hands(&rest, sizes, &mut vec![CardSet::EMPTY; sizes.len()], &mut |hands| {
                let mut places = hands.to_vec();
                places.push(envelope);
                deals.push(World { places, shown: Vec::new() });
            });
        }
        Brute { deck: deck.clone(), seats: sizes.len() as u8, worlds: deals, saw: vec![false; sizes.len()] }
    }

    pub(crate) fn view(&self, world: &World, seat: Seat) -> View {
        let shows = world.shown.iter().enumerate().filter(|(_, s)| s.0 == seat || s.1 == seat);
        let envelope = self.saw[seat.index()].then(|| world.places[self.seats as usize]);
        (world.places[seat.index()], shows.map(|(i, s)| (i, s.2)).collect(), envelope)
    }

    /// The public part of an event.
    pub(crate) fn hear(&mut self, event: &Observed) {
        let envelope = self.seats as usize;
        match *event {
            Observed::Ask { asker, cards, answer, .. } => {
                let seats = self.seats;
                self.worlds.retain(|w| passed(asker, answer, seats).all(|s| w.places[s.index()].is_disjoint(cards)));
                if let Some(by) = answer {
                    let old = std::mem::take(&mut self.worlds);
                    for world in old {
                        for card in world.places[by.index()].and(cards).iter() {
                            let mut next = world.clone();
                            next.shown.push((asker, by, card));
                            self.worlds.push(next);
                        }
                    }
                }
            }
            Observed::Accuse { seat, cards, correct, .. } => {
                self.worlds.retain(|w| (w.places[envelope] == cards) == correct);
                match correct {
                    true => self.saw.fill(true),
                    false => self.saw[seat.index()] = true,
                }
            }
            Observed::Endmove { seat } => {
                let solved = self.solved(seat);
                let mut keep = solved.iter();
                self.worlds.retain(|_| !keep.next().unwrap());
            }
        }
    }

    pub(crate) fn solved(&self, seat: Seat) -> Vec<bool> {
        let envelope = self.seats as usize;
        let mut envelopes: BTreeMap<View, BTreeSet<CardSet>> = BTreeMap::new();
        for world in &self.worlds {
            envelopes.entry(self.view(world, seat)).or_default().insert(world.places[envelope]);
        }
        self.worlds.iter().map(|w| envelopes[&self.view(w, seat)].len() == 1).collect()
    }

    /// In which worlds the formula is true.
    pub(crate) fn check(&self, f: &Formula) -> Vec<bool> {
        let knows = |seats: Vec<u8>, inner: &[bool]| -> Vec<bool> {
            let view = |w: &World| seats.iter().map(|&s| self.view(w, Seat(s))).collect::<Vec<_>>();
            let mut all: BTreeMap<Vec<View>, bool> = BTreeMap::new();
            for (world, &value) in self.worlds.iter().zip(inner) {
                *all.entry(view(world)).or_insert(true) &= value;
            }
            self.worlds.iter().map(|w| all[&view(w)]).collect()
        };
        let seat = |name: &str| name.parse::<u8>().unwrap();
        let not = |v: Vec<bool>| v.into_iter().map(|b| !b).collect::<Vec<_>>();
        let group = |g: &Group| match g {
            Group::All => (0..self.seats).collect(),
            Group::Of(names) => names.iter().map(|n| seat(n)).collect::<Vec<u8>>(),
        };
        let n = self.worlds.len();
        let zip = |f: Vec<bool>, g: Vec<bool>, op: fn(bool, bool) -> bool| -> Vec<bool> {
            f.into_iter().zip(g).map(|(a, b)| op(a, b)).collect()
        };
        match f {
            Formula::Const(b) => vec![*b; n],
            Formula::Atom(name) => {
                let (base, rest) = name.split_once('(').unwrap();
                let args: Vec<&str> = rest.trim_end_matches(')').split(',').map(str::trim).collect();
                let at = |card: &str, place: usize| {
                    let card = self.deck.find(card).unwrap();
                    self.worlds.iter().map(|w| w.places[place].has(card)).collect()
                };
                match base {
                    "holds" => at(args[1], seat(args[0]) as usize),
                    "env" => at(args[0], self.seats as usize),
                    "solved" => self.solved(Seat(seat(args[0]))),
                    other => panic!("{other}"),
                }
            }
            Formula::Not(f) => not(self.check(f)),
            Formula::And(fs) => fs.iter().fold(vec![true; n], |all, f| zip(all, self.check(f), |a, b| a && b)),
            Formula::Or(fs) => fs.iter().fold(vec![false; n], |all, f| zip(all, self.check(f), |a, b| a || b)),
            Formula::Xor(fs) => fs.iter().fold(vec![false; n], |all, f| zip(all, self.check(f), |a, b| a != b)),
            Formula::Imp(f, g) => zip(self.check(f), self.check(g), |a, b| !a || b),
            Formula::Iff(f, g) => zip(self.check(f), self.check(g), |a, b| a == b),
            Formula::Knows(a, f) => knows(vec![seat(a)], &self.check(f)),
            Formula::Possible(a, f) => not(knows(vec![seat(a)], &not(self.check(f)))),
            Formula::KnowsWhether(a, f) => {
                let value = self.check(f);
                zip(knows(vec![seat(a)], &value), knows(vec![seat(a)], &not(value)), |a, b| a || b)
            }
            Formula::Everyone(g, f) => {
                let value = self.check(f);
                group(g).into_iter().fold(vec![true; n], |all, s| zip(all, knows(vec![s], &value), |a, b| a && b))
            }
            Formula::Distributed(g, f) => knows(group(g), &self.check(f)),
            Formula::Count(cmp, bound, fs) => {
                let values: Vec<Vec<bool>> = fs.iter().map(|f| self.check(f)).collect();
                let count = |w: usize| values.iter().filter(|v| v[w]).count() as u64;
                (0..n).map(|w| cmp.admits(count(w).cmp(bound))).collect()
            }
            Formula::Common(g, f) => {
                let mut value = self.check(f);
                loop {
                    let everyone = |value: &Vec<bool>, s: u8| knows(vec![s], value);
                    let each = group(g).into_iter().map(|s| everyone(&value, s));
                    let next = each.fold(vec![true; n], |all, v| zip(all, v, |a, b| a && b));
                    if next == value {
                        return value;
                    }
                    value = next;
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// The worlds that the observer of the position considers possible, as indices.
    pub(crate) fn seen(&self, position: &Position) -> Vec<usize> {
        let me = position.observer();
        let mut shows = Vec::new();
        let mut envelope = None;
        for event in position.events() {
            match *event {
                Observed::Ask { answer: Some(_), shown, .. } => shows.push(shown),
                Observed::Accuse { envelope: Some(seen), .. } => envelope = Some(seen),
                Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => {}
            }
        }
        let fits = |w: &World| {
            w.places[me.index()] == position.hand()
                && w.shown.iter().zip(&shows).all(|(was, seen)| seen.is_none_or(|c| c == was.2))
                && envelope.is_none_or(|e| e == w.places[self.seats as usize])
        };
        (0..self.worlds.len()).filter(|&i| fits(&self.worlds[i])).collect()
    }
}

fn hands(rest: &[Card], sizes: &[u8], so_far: &mut Vec<CardSet>, found: &mut dyn FnMut(&[CardSet])) {
    let Some((&card, rest)) = rest.split_first() else { return found(so_far) };
    for seat in 0..sizes.len() {
        if so_far[seat].len() < sizes[seat] as usize {
            so_far[seat] = so_far[seat].with(card);
            hands(rest, sizes, so_far, found);
            so_far[seat] = so_far[seat].without(card);
        }
    }
}

/// A random match on a small deck as one seat saw it, with all that could have been, where every endmove is honest.
pub(crate) fn random_match(dice: &mut Dice) -> (Position, Brute) {
    let seats = 2 + dice.below(3) as u8;
    let names = ["s", "w", "r"];
    let most = if seats == 4 { 3 } else { 4 };
    let categories = 2 + dice.below(2);
    let lists = names[..categories].iter().map(|n| {
        let cards = 2 + dice.below(most - 1);
        (n.to_string(), (0..cards).map(|i| format!("{n}{i}")).collect())
    });
    let deck = Arc::new(Deck::new(lists.collect()).unwrap());
    let held = deck.len() - deck.categories();
    if held < seats as usize || held > 7 {
        return random_match(dice);
    }
    let sizes: Vec<u8> =
        (0..seats as usize).map(|s| ((held + seats as usize - 1 - s) / seats as usize) as u8).collect();
    let mut brute = Brute::new(&deck, &sizes);
    let deal = dice.pick(&brute.worlds).places.clone();
    let truth = World { places: deal.clone(), shown: Vec::new() };
    let me = Seat(dice.below(seats as usize) as u8);
    let mut position = Position::new(deck.clone(), sizes, me, deal[me.index()]).unwrap();
    let mut truth = truth;
    let mut out = vec![false; seats as usize];
    let triples = deck.triples(deck.cards());
    for turn in 0..dice.below(9) {
        let asker = Seat((turn % seats as usize) as u8);
        let cards = *dice.pick(&triples);
        let answer = asked(asker, seats).find(|s| !deal[s.index()].is_disjoint(cards));
        let mut shown = None;
        if let Some(by) = answer {
            let choices: Vec<Card> = deal[by.index()].and(cards).iter().collect();
            let card = *dice.pick(&choices);
            truth.shown.push((asker, by, card));
            shown = (asker == me || by == me).then_some(card);
        }
        let mut events = vec![Observed::Ask { asker, cards, answer, shown }];
        brute.hear(&events[0]);
        let envelope = deal[seats as usize];
        let at = brute.worlds.iter().position(|w| *w == truth).expect("the truth is never excluded");
        if dice.below(10) < 7 && !brute.solved(asker)[at] {
            events.push(Observed::Endmove { seat: asker });
        } else if dice.below(6) == 0 && !out[asker.index()] {
            let cards = *dice.pick(&triples);
            if cards != envelope {
                out[asker.index()] = true;
                let seen = (asker == me).then_some(envelope);
                events.push(Observed::Accuse { seat: asker, cards, correct: false, envelope: seen });
            }
        }
        events[1..].iter().for_each(|e| brute.hear(e));
        events.into_iter().for_each(|e| position.push(e).unwrap());
        if brute.worlds.len() > 6000 {
            break;
        }
    }
    (position, brute)
}

/// Reads a formula without what is tested.
pub(crate) fn read(position: &Position, text: &str) -> F {
    let seats: Vec<Name> = (0..position.seats()).map(|s| s.to_string().into()).collect();
    Scope::free(&seats).formula(text).unwrap()
}

/// A random formula about a position.
pub(crate) fn random_formula(dice: &mut Dice, position: &Position, depth: usize) -> String {
    let seats = position.seats() as usize;
    let deck = position.deck();
    let card = |dice: &mut Dice| deck.name(Card(dice.below(deck.len()) as u8)).to_string();
    let seat = |dice: &mut Dice| dice.below(seats);
    if depth == 0 || dice.below(8) == 0 {
        return match dice.below(4) {
            0 | 1 => format!("holds({},{})", seat(dice), card(dice)),
            2 => format!("env({})", card(dice)),
            _ => format!("solved({})", seat(dice)),
        };
    }
    let inner = |dice: &mut Dice, d: usize| random_formula(dice, position, d);
    match dice.below(14) {
        12 => format!("C[0,1] {}", inner(dice, depth - 1)),
        13 => {
            let parts: Vec<String> = (0..3).map(|_| inner(dice, depth - 1)).collect();
            format!("{} {} of ({})", dice.pick(&["exactly", "atleast", "atmost"]), dice.below(3), parts.join(", "))
        }
        0..5 => format!("K[{}] {}", seat(dice), inner(dice, depth - 1)),
        5 => format!("S[{}] {}", seat(dice), inner(dice, depth - 1)),
        6 => format!("Kw[{}] {}", seat(dice), inner(dice, depth - 1)),
        7 => format!("E[0,1] {}", inner(dice, depth - 1)),
        8 => format!("D[0,1] {}", inner(dice, depth - 1)),
        9 => format!("!{}", inner(dice, depth)),
        10 => format!("({} & {})", inner(dice, depth), inner(dice, depth - 1)),
        _ => {
            let op = *dice.pick(&["|", "->", "<->"]);
            format!("({} {op} {})", inner(dice, depth - 1), inner(dice, depth - 1))
        }
    }
}

/// A random chain of what seats know, alone and in groups, of what others know.
pub(crate) fn random_chain(dice: &mut Dice, position: &Position, depth: usize) -> String {
    let (seats, deck) = (position.seats() as usize, position.deck());
    let mut text = String::new();
    for _ in 0..depth {
        let mut group: Vec<usize> = (0..seats).collect();
        while group.len() > 1 + dice.below(seats) {
            group.remove(dice.below(group.len()));
        }
        let sign = if dice.below(4) == 0 { "!" } else { "" };
        match dice.below(6) {
            0 | 1 => text.push_str(&format!("{sign}K[{}] ", group[0])),
            2 => text.push_str(&format!("{sign}Kw[{}] ", group[0])),
            more => {
                let group: Vec<String> = group.iter().map(usize::to_string).collect();
                text.push_str(&format!("{sign}{}[{}] ", if more == 3 { "E" } else { "D" }, group.join(",")));
            }
        }
    }
    match dice.below(3) {
        0 => text + &format!("solved({})", dice.below(seats)),
        1 => text + &format!("env({})", deck.name(Card(dice.below(deck.len()) as u8))),
        _ => text + &format!("holds({},{})", dice.below(seats), deck.name(Card(dice.below(deck.len()) as u8))),
    }
}
