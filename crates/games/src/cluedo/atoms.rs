//! The facts about a position: how they are read and said.

use super::position::{Deal, Observed, Position};
use super::suppose::Supposition;
use crate::cards::Card;
use crate::game::{Illegal, Seat};
use crate::knowledge::{self, Language, Stands, Voice, seat};

/// A place for a card: a seat, or the number of seats for the envelope.
pub type Place = usize;

/// A fact about a deal, or about who has found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The card is at the place.
    At(Card, Place),
    /// The seat knows the envelope.
    Solved(Seat),
    /// In this event, counted from 0, the card was shown. It stands in proofs and cannot be asked.
    Shown(usize, Card),
}

/// A fact about a position and about who knows what of it.
pub type Fact = knowledge::Fact<Atom>;

impl knowledge::Fact<Atom> {
    /// The card is at the place.
    pub fn at(card: Card, place: Place) -> Fact {
        Fact::Atom(Atom::At(card, place))
    }

    /// `holds(seat,card)`.
    pub fn holds(seat: Seat, card: Card) -> Fact {
        Fact::at(card, seat.index())
    }

    /// `env(card)` at a table of so many seats.
    pub fn envelope(seats: u8, card: Card) -> Fact {
        Fact::at(card, seats.into())
    }

    /// Whether it says only where cards are.
    pub fn is_about_cards(&self) -> bool {
        self.is_plain() && self.atoms().into_iter().all(|atom| matches!(atom, Atom::At(..)))
    }

    /// Whether it holds in a deal, if it is about cards.
    pub fn holds_in(&self, deal: &Deal) -> bool {
        self.truth(&|card, place| Some(deal.places[place].has(card))) == Some(true)
    }

    /// Its truth value where some spots have none; `None` if they matter, and for what is not about cards.
    pub(super) fn truth(&self, at: &dyn Fn(Card, Place) -> Option<bool>) -> Option<bool> {
        match self {
            Fact::Const(value) => Some(*value),
            Fact::Atom(Atom::At(card, place)) => at(*card, *place),
            Fact::Not(inner) => inner.truth(at).map(|value| !value),
            Fact::All(parts) => decided(parts, at, false),
            Fact::Any(parts) => decided(parts, at, true),
            Fact::Iff(a, b) => Some(a.truth(at)? == b.truth(at)?),
            Fact::Count(cmp, n, parts) => {
                let truths: Vec<Option<bool>> = parts.iter().map(|part| part.truth(at)).collect();
                let least = truths.iter().filter(|truth| **truth == Some(true)).count() as u64;
                let most = truths.iter().filter(|truth| **truth != Some(false)).count() as u64;
                let fits = |count: u64| cmp.admits(count.cmp(n));
                let first = fits(least);
                (least..=most).all(|count| fits(count) == first).then_some(first)
            }
            Fact::Atom(Atom::Solved(_) | Atom::Shown(..)) | Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => {
                None
            }
        }
    }

    /// Where it says that cards are or are not, each once and in order.
    pub(super) fn spots(&self) -> Vec<(Card, Place)> {
        let mut spots = Vec::new();
        for atom in self.atoms() {
            if let Atom::At(card, place) = *atom
                && !spots.contains(&(card, place))
            {
                spots.push((card, place));
            }
        }
        spots
    }
}

fn decided(parts: &[Fact], at: &dyn Fn(Card, Place) -> Option<bool>, by: bool) -> Option<bool> {
    let mut all = true;
    for part in parts {
        match part.truth(at) {
            Some(value) if value == by => return Some(by),
            Some(_) => {}
            None => all = false,
        }
    }
    all.then_some(!by)
}

/// `holds(seat,card)`, `env(card)` and `solved(seat)`.
impl Language for Position {
    type Atom = Atom;

    fn seats(&self) -> u8 {
        Position::seats(self)
    }

    fn facts(&self) -> &'static [(&'static str, &'static str)] {
        &[("holds", "seat,card"), ("env", "card"), ("solved", "seat")]
    }

    fn fact(&self, word: &str, arguments: &[&str]) -> Result<Fact, Illegal> {
        let seats = Position::seats(self);
        match (word, arguments) {
            ("holds", [who, card]) => Ok(Fact::holds(seat(who, seats)?, self.deck().card(card)?)),
            ("env", [card]) => Ok(Fact::envelope(seats, self.deck().card(card)?)),
            (_, [who, ..]) => Ok(Fact::Atom(Atom::Solved(seat(who, seats)?))),
            (_, []) => Err(Illegal::new(format!("`{word}` needs its arguments"))),
        }
    }

    fn allows(&self, action: &str, _: Stands) -> Result<(), Illegal> {
        Supposition::read(self, action).map(|_| ())
    }

    fn write(&self, atom: &Atom) -> String {
        match atom {
            Atom::At(card, place) if *place == usize::from(Position::seats(self)) => {
                format!("env({})", self.deck().name(*card))
            }
            Atom::At(card, place) => format!("holds({place},{})", self.deck().name(*card)),
            Atom::Solved(seat) => format!("solved({seat})"),
            Atom::Shown(event, card) => format!("shown({},{})", event + 1, self.deck().name(*card)),
        }
    }

    fn say(&self, atom: &Atom, yes: bool, voice: &Voice) -> String {
        match *atom {
            Atom::At(card, place) if place == usize::from(Position::seats(self)) => {
                format!("{} is {}in the envelope", self.deck().name(card), if yes { "" } else { "not " })
            }
            Atom::At(card, place) => {
                let holder = Seat(place as u8);
                let holds = match yes {
                    true => voice.does(holder, "hold", "holds"),
                    false => voice.does(holder, "do not hold", "does not hold"),
                };
                format!("{holds} {}", self.deck().name(card))
            }
            Atom::Solved(seat) => {
                let knows = match yes {
                    true => voice.does(seat, "know", "knows"),
                    false => voice.does(seat, "do not know", "does not know"),
                };
                format!("{knows} the envelope")
            }
            Atom::Shown(event, card) => {
                let (name, not) = (self.deck().name(card), if yes { "" } else { " not" });
                match self.events().get(event) {
                    Some(Observed::Ask { answer: Some(by), .. }) if yes => {
                        format!("{} {name} in event {}", voice.does(*by, "showed", "showed"), event + 1)
                    }
                    _ => format!("{name} was{not} shown in event {}", event + 1),
                }
            }
        }
    }

    fn tells_knowledge(&self, atom: &Atom) -> bool {
        matches!(atom, Atom::Solved(_))
    }
}
