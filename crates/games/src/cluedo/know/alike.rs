//! From one counterexample to many.
//!
//! Seats do not know something in a world because of another world that looks the same to them. Most of what that other
//! world says does not matter: what has to stay are the literals for which it is a counterexample, a card for each show,
//! and whatever keeps the ends of turns. The other cards can be dealt anew. So the same reason serves all views that leave
//! what has to stay in its place, if the rest can always be dealt out, whatever of it the seats hold: by Hall's theorem,
//! if for no set of places there are more cards than room.

use super::find::{Literal, PLACES, Places, Show, bits};
use super::model::{History, Moment, Point};

/// To say who holds a card is worth saying of so many seats that they do not hold one.
const AT: u32 = 5;

/// A world, and those to whom it looks like another one in which they do not know something because of it.
pub(super) struct Counter<'a> {
    pub history: &'a History,
    pub moment: usize,
    /// Those who do not know, as bits.
    pub seats: u8,
    pub world: &'a Point,
}

/// What has to stay as it is in the counterexample.
struct Fixed {
    /// Cards that stay at a place.
    at: Places,
    /// Cards that do not come to a place.
    not: Places,
    /// Cards that stay with the seats, whoever of them holds them.
    with: u64,
}

/// Places for cards that are dealt anew.
#[derive(Clone, Copy, Default)]
struct Slot {
    cards: u64,
    room: u32,
}

impl Slot {
    fn and(self, other: &Slot) -> Slot {
        Slot { cards: self.cards | other.cards, room: self.room + other.room }
    }
}

impl Fixed {
    fn cards(&self) -> u64 {
        self.at.iter().fold(self.with, |all, set| all | set)
    }
}

impl Counter<'_> {
    /// Literals such that for every world that shares them, there is a world that looks the same to the seats and has all
    /// the literals of `kept`. These are true in the counterexample, and with shows, passes and accusations they make it a
    /// world of the moment.
    pub(super) fn reason(&self, kept: &[Literal]) -> Vec<Literal> {
        let (table, now) = (&self.history.table, self.now());
        let mut fixed = Fixed { at: [0; PLACES], not: [0; PLACES], with: 0 };
        let mut said = Vec::new();
        for &literal in kept {
            match literal {
                Literal::At(card, place) => fixed.at[place as usize] |= 1 << card,
                Literal::Not(card, place) => fixed.not[place as usize] |= 1 << card,
                Literal::Show(e, _) | Literal::NotShow(e, _) => {
                    fixed.at[table.shows[e as usize].by as usize] |= 1 << self.world.shown[e as usize];
                    said.push(e);
                }
            }
        }
        for (e, show) in (0..).zip(&table.shows[..now.shows]).filter(|(_, show)| self.tells(show)) {
            fixed.at[show.by as usize] |= 1 << self.world.shown[e];
        }
        self.keep_shows(&mut fixed);
        if self.sees(table.envelope()) || !now.never.is_empty() {
            fixed.at[table.envelope()] = self.world.at[table.envelope()];
        }
        let mut added = Vec::new();
        while let Some(card) = self.crowded(&fixed) {
            self.toggle(&mut fixed, card);
            added.push(card);
        }
        // Some may not be needed any more.
        for card in added {
            self.toggle(&mut fixed, card);
            if self.crowded(&fixed).is_some() {
                self.toggle(&mut fixed, card);
            }
        }
        self.say(&fixed, &said)
    }

    /// What has to be true for the rest to stay.
    fn say(&self, fixed: &Fixed, said: &[u16]) -> Vec<Literal> {
        let (table, now) = (&self.history.table, self.now());
        let mut reason = Vec::new();
        // What they were shown tells where those cards are.
        let mut told = 0;
        for (e, show) in (0..).zip(&table.shows[..now.shows]) {
            let seen = self.tells(show) || self.seats >> show.by & 1 == 1 && said.contains(&e);
            if seen {
                reason.push(Literal::Show(e, self.world.shown[e as usize]));
                told |= 1 << self.world.shown[e as usize];
            }
        }
        let card = |b: u64| b.trailing_zeros() as u8;
        let placed = fixed.at.iter().fold(0, |all, set| all | set);
        for b in bits(fixed.with & !told) {
            if self.elsewhere(b) < AT {
                let places = self.unseen().filter(|&p| now.may[p] & b != 0);
                reason.extend(places.map(|p| Literal::Not(card(b), p as u8)));
            } else {
                reason.push(Literal::At(card(b), self.place(b) as u8));
            }
        }
        for place in 0..=table.envelope() {
            if self.sees(place) {
                reason.extend(bits(fixed.at[place] & !told).map(|b| Literal::At(card(b), place as u8)));
                let not = fixed.not[place] & now.may[place] & !placed;
                reason.extend(bits(not).map(|b| Literal::Not(card(b), place as u8)));
            } else {
                for b in bits(fixed.at[place] & !told) {
                    let holders = (0..table.seats).filter(|&p| self.sees(p) && now.may[p] & b != 0);
                    reason.extend(holders.map(|p| Literal::Not(card(b), p as u8)));
                }
            }
        }
        reason
    }

    fn now(&self) -> &Moment {
        &self.history.moments[self.moment]
    }

    /// Whether somebody else shows one of the seats a card.
    fn tells(&self, show: &Show) -> bool {
        self.seats >> show.by & 1 == 0 && self.seats >> show.to & 1 == 1
    }

    /// The place of a card.
    fn place(&self, card: u64) -> usize {
        self.world.at.iter().position(|set| set & card != 0).expect("a card of the deck")
    }

    /// Whether the seats see what is at the place.
    fn sees(&self, place: usize) -> bool {
        if place == self.history.table.envelope() {
            self.now().saw & self.seats != 0
        } else {
            self.seats >> place & 1 == 1
        }
    }

    /// The places that the seats do not see.
    fn unseen(&self) -> impl Iterator<Item = usize> {
        (0..=self.history.table.envelope()).filter(|&p| !self.sees(p))
    }

    /// At how many of those the card may be.
    fn elsewhere(&self, card: u64) -> u32 {
        self.unseen().filter(|&p| self.now().may[p] & card != 0).count() as u32
    }

    /// Lets the card stay where it is, or no longer.
    fn toggle(&self, fixed: &mut Fixed, card: u64) {
        let place = self.place(card);
        if self.sees(place) {
            fixed.with ^= card;
        } else {
            fixed.at[place] ^= card;
        }
    }

    /// Fixes a card for every show that the seats do not see: one that is fixed anyway, or that few of them can hold.
    fn keep_shows(&self, fixed: &mut Fixed) {
        let (table, now) = (&self.history.table, self.now());
        let unseen = |show: &&Show| (self.seats >> show.by | self.seats >> show.to) & 1 == 0;
        let shows = table.shows[..now.shows].iter().filter(unseen);
        let holders = |b: u64| (0..table.seats).filter(|&p| self.sees(p) && now.may[p] & b != 0).count();
        let mut open: Vec<(usize, u64)> =
            shows.map(|show| (show.by as usize, self.world.at[show.by as usize] & show.cards)).collect();
        // Where there is no choice first.
        open.sort_by_key(|(_, cards)| cards.count_ones());
        for i in 0..open.len() {
            let (by, cards) = open[i];
            if fixed.at[by] & cards == 0 {
                // A card that serves several shows is best.
                let serves = |b: u64| open[i..].iter().filter(|(p, cards)| *p == by && cards & b != 0).count();
                fixed.at[by] |= bits(cards).min_by_key(|&b| (holders(b), usize::MAX - serves(b))).unwrap_or(0);
            }
        }
    }

    /// A card that has to stay too, if there might else be too little room for the cards that are dealt anew.
    fn crowded(&self, fixed: &Fixed) -> Option<u64> {
        let (table, may) = (&self.history.table, &self.now().may);
        let envelope = table.envelope();
        let free = table.cards & !fixed.cards();
        let (mut held, mut watchers, mut mine, mut can_hold, mut elsewhere) = (0, 0, 0, 0, may[envelope]);
        for (place, cards) in may[..table.seats].iter().enumerate() {
            if self.sees(place) {
                held += table.sizes[place] - fixed.at[place].count_ones();
                watchers += 1;
                mine |= self.world.at[place];
                can_hold |= cards & !fixed.not[place];
            } else {
                elsewhere |= cards;
            }
        }
        // Cards that nobody else can have are theirs in any case.
        held = held.saturating_sub((free & !elsewhere | fixed.with).count_ones());
        let free = free & elsewhere;
        let mut slots: Vec<Slot> = Vec::with_capacity(PLACES + table.categories.len());
        for p in (0..table.seats).filter(|&p| !self.sees(p)) {
            let room = table.sizes[p] - fixed.at[p].count_ones();
            slots.push(Slot { cards: free & may[p] & !fixed.not[p], room });
        }
        for category in table.categories.iter().filter(|&c| fixed.at[envelope] & c == 0) {
            let cards = free & may[envelope] & !fixed.not[envelope] & category;
            slots.push(Slot { cards, room: 1 });
        }
        slots.retain(|slot| slot.room > 0);
        let sets = 1 << slots.len();
        let mut sums = vec![Slot::default(); sets];
        for set in 1..sets {
            sums[set] = sums[set & (set - 1)].and(&slots[set.trailing_zeros() as usize]);
        }
        for set in 0..sets {
            let (outside, room) = (sums[sets - 1 - set].cards, sums[set].room);
            let inside = free & !outside;
            let spare = (outside & can_hold).count_ones();
            let kept = inside.count_ones().saturating_sub(held.saturating_sub(spare));
            if kept <= room {
                continue;
            }
            // Either cards of theirs stay with them, or cards of others, which they might hold in place of these, do not
            // come to them. In the counterexample there is room for all.
            let others = outside & can_hold & !mine;
            let away = kept - room + spare.saturating_sub(held);
            let cost = |card: &u64| self.elsewhere(*card).min(AT);
            let theirs = bits(inside & mine).min_by_key(cost);
            let stay = theirs.map_or(u32::MAX, |card| (kept - room) * cost(&card));
            let go = if others.count_ones() < away { u32::MAX } else { away * watchers };
            let best = if stay < go { theirs } else { bits(others).next() };
            return Some(best.expect("a card to keep in its place"));
        }
        None
    }
}
