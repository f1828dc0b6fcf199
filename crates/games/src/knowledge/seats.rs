//! Sets of seats.

use crate::game::Seat;

/// Some of the seats of a table, at most eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seats(u8);

impl Seats {
    /// How many seats a table has at most.
    pub const MOST: usize = 8;

    /// Nobody.
    pub const NONE: Seats = Seats(0);

    /// One seat.
    pub fn of(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// All seats of a table of so many.
    pub fn all(n: u8) -> Seats {
        Seats(((1u16 << n) - 1) as u8)
    }

    /// The same with one seat more.
    #[must_use]
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    /// Whether the seat is one of them.
    pub fn has(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// How many they are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The only one, if there is just one.
    pub fn single(self) -> Option<Seat> {
        (self.len() == 1).then(|| Seat(self.0.trailing_zeros() as u8))
    }

    /// The seats in their order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        (0..8).map(Seat).filter(move |&seat| self.has(seat))
    }

    /// The seats as bits, the lowest for seat 0.
    pub fn bits(self) -> u8 {
        self.0
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        seats.into_iter().fold(Seats::NONE, Seats::with)
    }
}
