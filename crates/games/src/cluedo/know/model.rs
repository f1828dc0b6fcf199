//! The public history of a position as a sequence of models, worlds in them, and what a seat sees of a world.

use super::find::{Literal, PLACES, Places, Region, Show, Table, bits};
use crate::cards::{Card, CardSet};
use crate::cluedo::position::{Deal, Observed, Position, World};
use crate::cluedo::rules::passed;

/// A world as the engines see it: sets of cards by place, and the card of each show.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub at: Places,
    pub shown: Vec<u8>,
}

/// What is public at a moment: before an endmove, or now.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub may: Places,
    /// How many shows there have been.
    pub shows: usize,
    /// Envelopes announced to be wrong.
    pub never: Vec<u64>,
    /// Seats that have seen the envelope, as bits.
    pub saw: u8,
    /// By category, the cards that nobody has spoken of: to the public they are all alike.
    pub plain: Vec<u64>,
    /// The last endmove of each seat that has made one: the seat and the moment before it. Earlier ones say less: who
    /// does not know the envelope now did not know it then.
    pub ended: Vec<(u8, usize)>,
}

/// For each seat, how many of the first shows it was told matter to its mind.
pub(super) type Minds = [usize; PLACES];

/// A position as models: one for the moment before each endmove, and last the one of now.
#[derive(Clone, Debug)]
pub(super) struct History {
    pub table: Table,
    pub moments: Vec<Moment>,
    /// For each moment but the last, who ended the turn then.
    pub ends: Vec<u8>,
    /// What the observer has seen.
    pub seen: Vec<Literal>,
}

impl History {
    pub(super) fn of(position: &Position) -> History {
        let deck = position.deck();
        let seats = position.seats() as usize;
        let mut sizes = [0; PLACES];
        for (size, &n) in sizes.iter_mut().zip(position.sizes()) {
            *size = u32::from(n);
        }
        sizes[seats] = deck.categories() as u32;
        let categories = (0..deck.categories()).map(|k| deck.category(k).0).collect();
        let mut table = Table { cards: deck.cards().0, seats, sizes, categories, shows: Vec::new() };
        let mut now = Moment {
            may: [0; PLACES],
            shows: 0,
            never: Vec::new(),
            saw: 0,
            plain: table.categories.clone(),
            ended: Vec::new(),
        };
        now.may[..=seats].fill(table.cards);
        let me = position.observer();
        let mut seen: Vec<Literal> = position.hand().iter().map(|c| Literal::At(c.0, me.0)).collect();
        let (mut moments, mut ends) = (Vec::new(), Vec::new());
        for (i, event) in position.events().iter().enumerate() {
            if let Observed::Ask { cards, .. } | Observed::Accuse { cards, .. } = event {
                now.plain.iter_mut().for_each(|class| *class &= !cards.0);
            }
            match *event {
                Observed::Ask { asker, cards, answer, shown } => {
                    for seat in passed(asker, answer, position.seats()) {
                        now.may[seat.index()] &= !cards.0;
                    }
                    let Some(by) = answer else { continue };
                    if let Some(card) = shown {
                        seen.push(Literal::Show(table.shows.len() as u16, card.0));
                    }
                    // The last show may still be to come: then nobody has seen a card.
                    let pending = position.is_pending() && i + 1 == position.events().len();
                    let to = if pending { by } else { asker };
                    table.shows.push(Show { event: i, by: by.0, to: to.0, cards: cards.0 });
                    now.shows += 1;
                }
                Observed::Accuse { seat, cards, correct, envelope } => {
                    if correct {
                        now.may[seats] &= cards.0;
                        now.saw = (1 << seats) - 1;
                    } else {
                        now.never.push(cards.0);
                        now.saw |= 1 << seat.0;
                    }
                    let there = envelope.unwrap_or(CardSet::EMPTY);
                    seen.extend(there.iter().map(|c| Literal::At(c.0, seats as u8)));
                }
                Observed::Endmove { seat } => {
                    moments.push(now.clone());
                    ends.push(seat.0);
                    now.ended.retain(|&(s, _)| s != seat.0);
                    now.ended.push((seat.0, moments.len() - 1));
                }
            }
        }
        moments.push(now);
        History { table, moments, ends, seen }
    }

    /// The moment of now.
    pub(super) fn now(&self) -> usize {
        self.moments.len() - 1
    }

    /// Whether the endmove after the moment counts: those that tell nothing have been forgotten.
    pub(super) fn tells(&self, moment: usize) -> bool {
        self.moments[moment + 1].ended.contains(&(self.ends[moment], moment))
    }

    /// Forgets an endmove that tells nothing new: what the seat's earlier ones said counts again.
    pub(super) fn forget_endmove(&mut self, seat: u8, then: usize) {
        let earlier = self.moments[then].ended.iter().find(|e| e.0 == seat).copied();
        for moment in &mut self.moments {
            if let Some(i) = moment.ended.iter().position(|&e| e == (seat, then)) {
                moment.ended.splice(i..=i, earlier);
            }
        }
    }

    /// All that is public at a moment, the endmoves left out.
    pub(super) fn region(&self, moment: usize) -> Region {
        let moment = &self.moments[moment];
        Region { may: moment.may, shown: self.table.shows[..moment.shows].iter().map(|s| s.cards).collect() }
    }

    /// The region with these literals.
    pub(super) fn region_with(&self, moment: usize, literals: impl IntoIterator<Item = Literal>) -> Region {
        let mut region = self.region(moment);
        literals.into_iter().for_each(|l| region.assert(l));
        region
    }

    /// A world of the region, endmoves left out.
    pub(super) fn find(&self, moment: usize, region: &mut Region, steps: &mut u64) -> Option<Point> {
        let at = self.table.find(&self.moments[moment].never, region, steps)?;
        let shows = self.table.shows.iter().zip(&region.shown);
        let shown = shows.map(|(show, mask)| (at[show.by as usize] & mask).trailing_zeros() as u8).collect();
        Some(Point { at, shown })
    }

    /// What the seats see together at a moment of a world. Of the shows that they made, only those to `minds` count:
    /// which card it was makes no difference to anybody else.
    pub(super) fn view(&self, moment: usize, seats: u8, minds: &Minds, world: &Point, into: &mut Vec<Literal>) {
        let now = &self.moments[moment];
        for seat in 0..self.table.seats {
            if seats >> seat & 1 == 1 {
                into.extend(bits(world.at[seat]).map(|b| Literal::At(b.trailing_zeros() as u8, seat as u8)));
            }
        }
        for (e, show) in self.table.shows[..now.shows].iter().enumerate() {
            let to_them = seats >> show.to & 1 == 1 && show.to != show.by;
            let by_them = seats >> show.by & 1 == 1 && e < minds[show.to as usize] && show.to != show.by;
            if to_them || by_them {
                into.push(Literal::Show(e as u16, world.shown[e]));
            }
        }
        if now.saw & seats != 0 {
            let envelope = self.table.envelope();
            into.extend(bits(world.at[envelope]).map(|b| Literal::At(b.trailing_zeros() as u8, envelope as u8)));
        }
    }

    /// Whether the seats see together at a moment that a literal is true, or that it is not.
    pub(super) fn sees(&self, moment: usize, seats: u8, literal: Literal) -> bool {
        match literal {
            Literal::At(_, place) | Literal::Not(_, place) if place as usize == self.table.envelope() => {
                self.moments[moment].saw & seats != 0
            }
            Literal::At(_, place) | Literal::Not(_, place) => seats >> place & 1 == 1,
            Literal::Show(e, _) | Literal::NotShow(e, _) => {
                let show = &self.table.shows[e as usize];
                show.to != show.by && (seats >> show.by | seats >> show.to) & 1 == 1
            }
        }
    }

    /// For each seat, how many of the first shows matter to somebody's mind: all to those in `agents`, and to those who
    /// have ended a turn, the ones before that.
    pub(super) fn minds(&self, moment: usize, agents: u8) -> Minds {
        let now = &self.moments[moment];
        let of = |seat: usize| match agents >> seat & 1 == 1 {
            true => now.shows,
            false => now.ended.iter().find(|e| e.0 as usize == seat).map_or(0, |e| self.moments[e.1].shows),
        };
        std::array::from_fn(of)
    }

    /// Whether the literal is true in the world.
    pub(super) fn holds(&self, literal: Literal, world: &Point) -> bool {
        match literal {
            Literal::At(card, place) => world.at[place as usize] >> card & 1 == 1,
            Literal::Not(card, place) => world.at[place as usize] >> card & 1 == 0,
            Literal::Show(show, card) => world.shown[show as usize] == card,
            Literal::NotShow(show, card) => world.shown[show as usize] != card,
        }
    }

    /// The world in the words of positions.
    pub(super) fn world(&self, point: &Point) -> World {
        let places = point.at[..=self.table.envelope()].iter().map(|&set| CardSet(set)).collect();
        let shows = self.table.shows.iter().zip(&point.shown).filter(|(show, _)| show.to != show.by);
        World { deal: Deal { places }, shown: shows.map(|(show, &card)| (show.event, Card(card))).collect() }
    }
}
