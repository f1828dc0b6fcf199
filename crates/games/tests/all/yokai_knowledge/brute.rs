//! The definitions, world by world.

use ken_games::cards::{Card, CardSet};
use ken_games::game::Seat;
use ken_games::knowledge::Seats;
use ken_games::yokai::knowledge::{Atom, Fact, Notes, Premise};
use ken_games::yokai::{CARDS, Colour, Colouring, Colours};
use std::collections::{HashMap, HashSet};

/// The worlds that agree on what is common knowledge and keep all that is public.
pub(crate) struct Model<'a> {
    notes: &'a Notes,
    worlds: Vec<Colouring>,
}

impl Model<'_> {
    pub(crate) fn of(notes: &Notes) -> Model<'_> {
        let both = notes.looked(Seat(0)).and(notes.looked(Seat(1)));
        let mut allowed = [Colours::ALL; CARDS];
        for noted in notes.noted() {
            if let Premise::Look(card, colour) = noted.premise
                && both.has(card)
            {
                allowed[card.index()] = Colours::of(colour);
            }
        }
        let mut worlds = Vec::new();
        colourings(&allowed, &mut Vec::new(), &mut worlds);
        worlds.retain(|w| notes.noted().iter().all(|noted| admits(noted.premise, w)));
        Model { notes, worlds }
    }

    /// In how many worlds that the seat considers possible the fact is true, and in how many it is false.
    pub(crate) fn ask(&self, fact: &Fact) -> (u128, u128) {
        let values = self.values(fact);
        let saw = |w: &Colouring| {
            let saw = |premise| !matches!(premise, Premise::Look(card, colour) if w.of(card) != colour);
            self.notes.noted().iter().all(|noted| saw(noted.premise))
        };
        let here: Vec<bool> = self.worlds.iter().zip(values).filter(|(w, _)| saw(w)).map(|(_, v)| v).collect();
        let holds = here.iter().filter(|v| **v).count() as u128;
        (holds, here.len() as u128 - holds)
    }

    fn values(&self, fact: &Fact) -> Vec<bool> {
        let plain = |test: &dyn Fn(&Colouring) -> bool| self.worlds.iter().map(test).collect::<Vec<bool>>();
        match fact {
            Fact::Const(value) => plain(&|_| *value),
            Fact::Atom(Atom::Colour(card, colours)) => plain(&|w| colours.has(w.of(*card))),
            Fact::Atom(Atom::Same(a, b)) => plain(&|w| w.of(*a) == w.of(*b)),
            Fact::Atom(Atom::Grouped) => {
                let shape = self.notes.layout().shape();
                plain(&|w| shape.grouped(w))
            }
            Fact::Not(inner) => self.values(inner).into_iter().map(|v| !v).collect(),
            Fact::All(facts) => self.each(facts, |values| values.iter().all(|v| *v)),
            Fact::Any(facts) => self.each(facts, |values| values.iter().any(|v| *v)),
            Fact::Iff(a, b) => self.values(a).into_iter().zip(self.values(b)).map(|(a, b)| a == b).collect(),
            Fact::Count(cmp, n, facts) => {
                self.each(facts, |values| cmp.admits((values.iter().filter(|v| **v).count() as u64).cmp(n)))
            }
            Fact::After(..) => unreachable!("no moves are asked about here"),
            Fact::Knows(seats, inner) => self.known(*seats, &self.values(inner)),
            Fact::Common(_, inner) => {
                let mut values = self.values(inner);
                loop {
                    let each = Seat::all(2).map(|seat| self.known(Seats::of(seat), &values)).collect::<Vec<_>>();
                    let next: Vec<bool> = (0..values.len()).map(|i| each.iter().all(|v| v[i])).collect();
                    if next == values {
                        return values;
                    }
                    values = next;
                }
            }
        }
    }

    fn each(&self, facts: &[Fact], test: impl Fn(&[bool]) -> bool) -> Vec<bool> {
        let values: Vec<Vec<bool>> = facts.iter().map(|f| self.values(f)).collect();
        (0..self.worlds.len()).map(|i| test(&values.iter().map(|v| v[i]).collect::<Vec<_>>())).collect()
    }

    fn known(&self, seats: Seats, values: &[bool]) -> Vec<bool> {
        let seen = seats.iter().fold(CardSet::EMPTY, |all, seat| all.or(self.notes.looked(seat)));
        let view = |w: &Colouring| seen.iter().map(|card| w.of(card)).collect::<Vec<Colour>>();
        let mut sure: HashMap<Vec<Colour>, bool> = HashMap::new();
        for (world, value) in self.worlds.iter().zip(values) {
            *sure.entry(view(world)).or_insert(true) &= value;
        }
        self.worlds.iter().map(|w| sure[&view(w)]).collect()
    }

    /// Whether no two worlds are counted twice.
    pub(crate) fn distinct(&self) -> bool {
        self.worlds.iter().collect::<HashSet<_>>().len() == self.worlds.len()
    }
}

fn colourings(allowed: &[Colours; CARDS], so_far: &mut Vec<Colour>, found: &mut Vec<Colouring>) {
    if let Ok(colours) = <[Colour; CARDS]>::try_from(&so_far[..]) {
        found.extend(Colouring::new(colours));
        return;
    }
    for colour in allowed[so_far.len()].iter() {
        if so_far.iter().filter(|c| **c == colour).count() < 4 {
            so_far.push(colour);
            colourings(allowed, so_far, found);
            so_far.pop();
        }
    }
}

pub(crate) fn admits(premise: Premise, world: &Colouring) -> bool {
    let of = |card: Card| world.of(card);
    match premise {
        Premise::Look(..) | Premise::Looked(..) => true,
        Premise::Hint(card, told) | Premise::Told(card, told) => told.has(of(card)),
        Premise::Same(a, b) => of(a) == of(b),
        Premise::Joins(card, others) => others.iter().any(|other| of(other) == of(card)),
        Premise::Shown(card, colour) => of(card) == colour,
        Premise::WentOn(layout) => !layout.shape().grouped(world),
    }
}
