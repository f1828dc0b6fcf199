//! A world in a region, or none: propagation, matching, and branching on what a matching breaks.
//!
//! A region says of each place which cards may be there and of each show which cards it may have been. Shows are
//! independent of each other once the deal is fixed, so to the search a show is a clause: its seat holds at least one of
//! the cards. The rest is a matching of cards to places: hands of given sizes, and one card of each category in the
//! envelope.

/// The most places: six seats and the envelope.
pub(super) const PLACES: usize = 7;

/// For each place the cards that are there, or may be.
pub(super) type Places = [u64; PLACES];

/// A card was shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Show {
    /// The event, by its index in the position.
    pub event: usize,
    pub by: u8,
    pub to: u8,
    /// What was asked for.
    pub cards: u64,
}

/// What never changes: the deck, the sizes of the hands, and who showed to whom.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub cards: u64,
    pub seats: usize,
    pub sizes: [u32; PLACES],
    pub categories: Vec<u64>,
    /// In the order of time.
    pub shows: Vec<Show>,
}

/// A set of worlds: where each card may be, and which card each show may have been.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub may: Places,
    pub shown: Vec<u64>,
}

/// Something that can be said of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Literal {
    /// The card is at the place.
    At(u8, u8),
    /// The card is elsewhere.
    Not(u8, u8),
    /// The show was of this card.
    Show(u16, u8),
    /// The show was of another card.
    NotShow(u16, u8),
}

impl Literal {
    /// What says the opposite.
    pub(super) fn negated(self) -> Literal {
        match self {
            Literal::At(card, place) => Literal::Not(card, place),
            Literal::Not(card, place) => Literal::At(card, place),
            Literal::Show(show, card) => Literal::NotShow(show, card),
            Literal::NotShow(show, card) => Literal::Show(show, card),
        }
    }
}

/// The cards of a set, one bit at a time.
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = set & set.wrapping_neg();
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

fn one(set: u64) -> bool {
    set != 0 && set & (set - 1) == 0
}

/// The cards are at this place and at no other.
fn claim(may: &mut Places, place: usize, cards: u64) {
    for (p, set) in may.iter_mut().enumerate() {
        if p != place {
            *set &= !cards;
        }
    }
}

impl Region {
    /// Whether every world of the region agrees, without search.
    pub(super) fn entails(&self, literal: Literal) -> bool {
        match literal {
            Literal::At(card, place) => {
                self.may.iter().enumerate().all(|(p, set)| (set >> card & 1 == 1) == (p == place as usize))
            }
            Literal::Not(card, place) => self.may[place as usize] >> card & 1 == 0,
            Literal::Show(show, card) => self.shown[show as usize] == 1 << card,
            Literal::NotShow(show, card) => self.shown[show as usize] >> card & 1 == 0,
        }
    }

    /// Keeps the worlds that agree.
    pub(super) fn assert(&mut self, literal: Literal) {
        match literal {
            Literal::At(card, place) => {
                let here = self.may[place as usize] & 1 << card;
                claim(&mut self.may, place as usize, 1 << card);
                self.may[place as usize] |= here;
            }
            Literal::Not(card, place) => self.may[place as usize] &= !(1 << card),
            Literal::Show(show, card) => self.shown[show as usize] &= 1 << card,
            Literal::NotShow(show, card) => self.shown[show as usize] &= !(1 << card),
        }
    }

    /// Of the cards of a class, those that the region does not tell apart from this one.
    fn alike(&self, card: u8, class: u64) -> u64 {
        self.may.iter().fold(class, |all, set| if set >> card & 1 == 1 { all & set } else { all & !set })
    }

    /// The worlds that do not share all the literals, as disjoint regions. Cards of a class are interchangeable in what
    /// is looked for: where one of them is not at a place, another that the region does not tell apart need not be there
    /// either, for then the two could be exchanged.
    pub(super) fn split(mut self, literals: &[Literal], classes: &[u64], open: &mut Vec<Region>) {
        for &literal in literals {
            if self.entails(literal) {
                continue;
            }
            let mut other = self.clone();
            other.assert(literal.negated());
            if let Literal::At(card, place) = literal
                && let Some(class) = classes.iter().find(|&c| c >> card & 1 == 1)
            {
                other.may[place as usize] &= !self.alike(card, *class);
            }
            open.push(other);
            self.assert(literal);
        }
    }
}

impl Table {
    /// The envelope's place.
    pub(super) fn envelope(&self) -> usize {
        self.seats
    }

    /// A deal of the region whose envelope is none of `never`. Every step of the search is counted. The region keeps
    /// its worlds but says what follows about them without search.
    pub(super) fn find(&self, never: &[u64], region: &mut Region, steps: &mut u64) -> Option<Places> {
        if !self.propagate(&mut region.may, &region.shown) {
            *steps += 1;
            return None;
        }
        for (show, mask) in self.shows.iter().zip(&mut region.shown) {
            *mask &= region.may[show.by as usize];
        }
        self.search(never, region.may, &region.shown, steps)
    }

    fn search(&self, never: &[u64], mut may: Places, shown: &[u64], steps: &mut u64) -> Option<Places> {
        *steps += 1;
        if !self.propagate(&mut may, shown) {
            return None;
        }
        let at = self.complete(&may)?;
        let broken = self.shows.iter().zip(shown).filter(|(show, mask)| at[show.by as usize] & **mask == 0);
        let choices = broken.map(|(show, mask)| (show.by as usize, may[show.by as usize] & mask));
        if let Some((by, cards)) = choices.min_by_key(|(_, cards)| cards.count_ones()) {
            for card in bits(cards) {
                let mut here = may;
                claim(&mut here, by, card);
                if let found @ Some(_) = self.search(never, here, shown, steps) {
                    return found;
                }
                may[by] &= !card;
            }
            return None;
        }
        let envelope = self.envelope();
        let Some(&wrong) = never.iter().find(|&&triple| triple == at[envelope]) else { return Some(at) };
        for card in bits(wrong) {
            let mut here = may;
            here[envelope] &= !card;
            if let found @ Some(_) = self.search(never, here, shown, steps) {
                return found;
            }
            claim(&mut may, envelope, card);
        }
        None
    }

    /// Draws the conclusions that need no search; false if there is no world.
    fn propagate(&self, may: &mut Places, shown: &[u64]) -> bool {
        let envelope = self.envelope();
        loop {
            let before = *may;
            let (mut any, mut many) = (0, 0);
            for set in &may[..=envelope] {
                many |= any & set;
                any |= set;
            }
            if any != self.cards {
                return false;
            }
            let single = any & !many;
            for place in 0..self.seats {
                let (size, here, forced) = (self.sizes[place], may[place], may[place] & single);
                if forced.count_ones() > size || here.count_ones() < size {
                    return false;
                }
                if forced.count_ones() == size {
                    may[place] = forced;
                } else if here.count_ones() == size {
                    claim(may, place, here);
                }
            }
            for category in &self.categories {
                let (here, forced) = (may[envelope] & category, may[envelope] & category & single);
                if here == 0 || forced.count_ones() > 1 {
                    return false;
                }
                if forced != 0 {
                    may[envelope] = may[envelope] & !category | forced;
                } else if one(here) {
                    claim(may, envelope, here);
                }
            }
            for (show, mask) in self.shows.iter().zip(shown) {
                let here = may[show.by as usize] & mask;
                if here == 0 {
                    return false;
                }
                if one(here) {
                    claim(may, show.by as usize, here);
                }
            }
            if *may == before {
                return true;
            }
        }
    }

    /// Every card at one of its places, with the right number at each; the shows may be broken.
    fn complete(&self, may: &Places) -> Option<Places> {
        let mut matching = Matching::new(self, may);
        let mut open = self.cards & !matching.fixed;
        while open != 0 {
            let card = open & open.wrapping_neg();
            open ^= card;
            let mut seen = 0;
            if !matching.place(card, &mut seen) {
                return None;
            }
        }
        let mut at = [0; PLACES];
        for (slot, cards) in matching.at.iter().enumerate() {
            at[slot.min(self.envelope())] |= cards;
        }
        Some(at)
    }
}

/// Seats and, for each category, its place in the envelope.
const SLOTS: usize = PLACES - 1 + crate::cluedo::deck::MAX_CATEGORIES;

struct Matching {
    slots: usize,
    may: [u64; SLOTS],
    size: [u32; SLOTS],
    at: [u64; SLOTS],
    /// Cards with a single place.
    fixed: u64,
}

impl Matching {
    fn new(table: &Table, may: &Places) -> Matching {
        let slots = table.seats + table.categories.len();
        let mut this = Matching { slots, may: [0; SLOTS], size: [1; SLOTS], at: [0; SLOTS], fixed: 0 };
        this.may[..table.seats].copy_from_slice(&may[..table.seats]);
        this.size[..table.seats].copy_from_slice(&table.sizes[..table.seats]);
        for (k, category) in table.categories.iter().enumerate() {
            this.may[table.seats + k] = may[table.envelope()] & category;
        }
        let (mut any, mut many) = (0, 0);
        for set in &this.may[..slots] {
            many |= any & set;
            any |= set;
        }
        this.fixed = any & !many;
        for slot in 0..slots {
            this.at[slot] = this.may[slot] & this.fixed;
        }
        this
    }

    /// Finds room for the card, moving others if need be. (Augmenting paths.)
    fn place(&mut self, card: u64, seen: &mut u32) -> bool {
        for slot in 0..self.slots {
            // A slot already seen has room only because a card is being moved out of it.
            let free = *seen >> slot & 1 == 0 && self.at[slot].count_ones() < self.size[slot];
            if free && self.may[slot] & card != 0 {
                self.at[slot] |= card;
                return true;
            }
        }
        for slot in 0..self.slots {
            if self.may[slot] & card == 0 || *seen >> slot & 1 == 1 {
                continue;
            }
            *seen |= 1 << slot;
            for other in bits(self.at[slot] & !self.fixed) {
                self.at[slot] ^= other;
                if self.place(other, seen) {
                    self.at[slot] |= card;
                    return true;
                }
                self.at[slot] |= other;
            }
        }
        false
    }
}
