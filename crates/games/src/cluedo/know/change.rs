//! Why a seat does not know something, in few words.
//!
//! Somebody does not know a fact in a world because of another world that looks the same to him and where the fact is
//! false. Some cards are elsewhere there, and some shows were of other cards. In every world where those cards are where
//! they are here, and where a little more is as it is here, the same cards can change places, and the fact is then not
//! known there either. That is much less than all that he sees, and says nothing of his own hand.
//!
//! A changed world keeps an endmove if its maker sees no change: the world it was made of kept it. For a maker who sees
//! the change the reason says why he did not know the envelope in the changed world, and that is a change again, of an
//! earlier time.

use super::deep::Deep;
use super::find::{Literal, bits};
use super::model::Point;
use super::{Refused, find::Show};

/// What is different in the other world.
struct Change {
    /// The cards that are elsewhere.
    cards: u64,
    /// The shows that are set to a card, whatever they were.
    shows: Vec<usize>,
}

impl Change {
    /// Whether the literal is about something that the change decides.
    fn decides(&self, literal: Literal) -> bool {
        match literal {
            Literal::At(card, _) | Literal::Not(card, _) => self.cards >> card & 1 == 1,
            Literal::Show(show, _) | Literal::NotShow(show, _) => self.shows.contains(&(show as usize)),
        }
    }
}

impl Deep {
    /// Literals true in `from` such that in every world of the moment that shares them, a change leads to a world of the
    /// moment that looks the same to the seats and of which the literals of `there` are true, as they are of `to`. Both
    /// worlds look the same to the seats, and the second one is of the moment.
    pub(super) fn change(
        &mut self,
        moment: usize,
        seats: u8,
        from: &Point,
        to: &Point,
        there: &[Literal],
    ) -> Result<Vec<Literal>, Refused> {
        let places = from.at.iter().zip(&to.at);
        let cards = places.fold(0, |all, (was, is)| all | (was & !is));
        let mut change = Change { cards, shows: Vec::new() };
        let mut why: Vec<Literal> = Vec::new();
        for place in 0..=self.history.table.envelope() {
            let leave = bits(from.at[place] & cards);
            why.extend(leave.map(|b| Literal::At(b.trailing_zeros() as u8, place as u8)));
        }
        self.show_again(moment, seats, from, to, &mut change, &mut why);
        self.not_yet_denied(moment, from, to, &change, &mut why);
        let mut beyond = there.to_vec();
        for i in 0..self.history.moments[moment].ended.len() {
            let (maker, then) = self.history.moments[moment].ended[i];
            if self.sees(then, maker, from, to, &change) {
                let knew = self.solved(then, maker, to, &mut beyond)?;
                debug_assert!(!knew, "a world of the moment");
            }
        }
        why.extend(beyond.into_iter().filter(|&l| !change.decides(l)));
        why.sort_unstable();
        why.dedup();
        Ok(why)
    }

    /// Every show is still of a card that its seat holds.
    fn show_again(
        &self,
        moment: usize,
        seats: u8,
        from: &Point,
        to: &Point,
        change: &mut Change,
        why: &mut Vec<Literal>,
    ) {
        let now = &self.history.moments[moment];
        for (e, show) in self.history.table.shows[..now.shows].iter().enumerate() {
            let by = show.by as usize;
            let lost = show.cards & from.at[by] & !to.at[by];
            let (was, is) = (from.shown[e], to.shown[e]);
            if was == is && lost == 0 {
                continue;
            }
            if was != is || !self.matters(moment, seats, e, show) {
                change.shows.push(e);
                why.extend((change.cards >> is & 1 == 0).then_some(Literal::At(is, show.by)));
            } else {
                why.extend(bits(lost).map(|b| Literal::NotShow(e as u16, b.trailing_zeros() as u8)));
            }
        }
    }

    /// Whether the card of a show is seen by the seats, or by somebody else who has ended a turn since.
    fn matters(&self, moment: usize, seats: u8, e: usize, show: &Show) -> bool {
        let ended = &self.history.moments[moment].ended;
        let since = |seat: u8| ended.iter().any(|&(s, then)| s == seat && e < self.history.moments[then].shows);
        show.to != show.by && (seats >> show.to & 1 == 1 || since(show.to) || since(show.by))
    }

    /// The envelope is still none that has been announced to be wrong.
    fn not_yet_denied(&self, moment: usize, from: &Point, to: &Point, change: &Change, why: &mut Vec<Literal>) {
        let envelope = self.history.table.envelope();
        let (was, is) = (from.at[envelope], to.at[envelope]);
        if was == is {
            return;
        }
        for triple in &self.history.moments[moment].never {
            if is & change.cards & !triple == 0 {
                let other = (is & !triple).trailing_zeros() as u8;
                why.push(Literal::At(other, envelope as u8));
            }
        }
    }

    /// Whether the seat sees something of the change at the moment.
    fn sees(&self, moment: usize, seat: u8, from: &Point, to: &Point, change: &Change) -> bool {
        let now = &self.history.moments[moment];
        let envelope = self.history.table.envelope();
        let mut shows = change.shows.iter().filter(|&&e| e < now.shows).map(|&e| &self.history.table.shows[e]);
        from.at[seat as usize] != to.at[seat as usize]
            || now.saw >> seat & 1 == 1 && from.at[envelope] != to.at[envelope]
            || shows.any(|show| show.to != show.by && (show.to == seat || show.by == seat))
    }
}
