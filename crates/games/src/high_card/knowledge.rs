//! What each seat knows of the cards: the pairs of cards that fit all answers.

use super::{Action, Event, HighCard, Sight};
use crate::game::{Illegal, Notation, Seat};
use crate::knowledge::{
    self, Done, Knower, Language, Outcomes, Part, Remembers, Row, Seats, Shown, Stands, Supposed, Voice, Worlds, seat,
};
use std::collections::BTreeSet;

/// The cards of both seats.
type Cards = [u8; 2];

/// A fact about the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The seat has this card.
    Has(Seat, u8),
    /// The seat has the higher card.
    Higher(Seat),
}

/// A fact about the cards and about who knows what of them.
pub type Fact = knowledge::Fact<Atom>;

/// What a seat has seen.
#[derive(Clone, Debug)]
pub struct Pairs {
    game: HighCard,
    me: Seat,
    /// The pairs that everybody thinks possible.
    all: BTreeSet<Cards>,
    own: Option<u8>,
    asked: u8,
    over: bool,
    /// After a move that is asked about: the pairs from which it leads here.
    leads: BTreeSet<Cards>,
}

impl Remembers for HighCard {
    type Mind = Knower<Pairs>;

    fn mind(&self, memory: &[Sight]) -> Knower<Pairs> {
        Knower::new(Pairs::of(self, memory))
    }
}

impl Pairs {
    /// The pairs that fit what a seat saw.
    pub fn of(game: &HighCard, memory: &[Sight]) -> Pairs {
        let cards = 1..=game.cards;
        let all: BTreeSet<Cards> =
            cards.clone().flat_map(|a| cards.clone().map(move |b| [a, b])).filter(|[a, b]| a != b).collect();
        let (me, own, leads) = (Seat(0), None, BTreeSet::new());
        let mut pairs = Pairs { game: *game, me, all, own, asked: 0, over: false, leads };
        for sight in memory {
            match *sight {
                Sight::Mine(seat, card) => (pairs.me, pairs.own) = (seat, Some(card)),
                Sight::Heard(Event::Asked { by, above, yes }) => pairs.hear(by, above, yes),
                Sight::Heard(Event::Bet { cards, .. } | Event::Dealt(cards)) => {
                    (pairs.all, pairs.over) = (BTreeSet::from([cards]), true);
                }
            }
        }
        pairs
    }

    fn hear(&mut self, by: Seat, above: u8, yes: bool) {
        let other = by.next(2).index();
        self.all.retain(|cards| (cards[other] > above) == yes);
        self.asked += 1;
    }

    /// The seat to move.
    fn turn(&self) -> Seat {
        Seat(self.asked % 2)
    }

    /// The move, with the answer if one is said; or why it cannot be made here.
    fn supposed(&self, text: &str) -> Result<(Action, Option<bool>), Illegal> {
        let supposed = Supposed::read(text, 2)?;
        let (action, answer) = match supposed.rest.split_once(',') {
            Some((action, answer)) => (action, Some(answer.trim())),
            None => (supposed.rest, None),
        };
        let action = self.game.read(action)?;
        let answer = match (answer, &action) {
            (None, _) => None,
            (Some("yes"), Action::Ask(_)) => Some(true),
            (Some("no"), Action::Ask(_)) => Some(false),
            (Some(other), _) => return Err(Illegal::new(format!("`{other}` cannot come of this"))),
        };
        if self.over {
            return Err(Illegal::new("the match is over"));
        }
        if supposed.seat.is_some_and(|seat| seat != self.turn()) {
            return Err(Illegal::new(format!("it is the turn of seat {}", self.turn())));
        }
        match action {
            Action::Ask(_) if self.asked >= self.game.questions => Err(Illegal::new("all questions are asked")),
            Action::Ask(above) if above == 0 || above >= self.game.cards => {
                Err(Illegal::new(format!("the numbers to ask for are 1 to {}", self.game.cards - 1)))
            }
            Action::Ask(_) | Action::Bet { .. } => Ok((action, answer)),
        }
    }
}

/// `has(seat,card)` and `higher(seat)`.
impl Language for Pairs {
    type Atom = Atom;

    fn seats(&self) -> u8 {
        2
    }

    fn facts(&self) -> &'static [(&'static str, &'static str)] {
        &[("has", "seat,card"), ("higher", "seat")]
    }

    fn fact(&self, _: &str, arguments: &[&str]) -> Result<Fact, Illegal> {
        let who = seat(arguments.first().copied().unwrap_or_default(), 2)?;
        let Some(card) = arguments.get(1) else { return Ok(Atom::Higher(who).into()) };
        let number = card.trim().parse().ok().filter(|card| (1..=self.game.cards).contains(card));
        let none = || Illegal::new(format!("there is no card `{}`", card.trim()));
        let number = number.ok_or_else(|| none().help(format!("the cards are 1 to {}", self.game.cards)))?;
        Ok(Atom::Has(who, number).into())
    }

    fn allows(&self, action: &str, stands: Stands) -> Result<(), Illegal> {
        match stands {
            Stands::First | Stands::InMind => self.supposed(action).map(|_| ()),
            Stands::Later => {
                let rest = Supposed::read(action, 2)?.rest;
                self.game.read(rest.split(',').next().unwrap_or(rest)).map(|_| ())
            }
        }
    }

    fn write(&self, atom: &Atom) -> String {
        match atom {
            Atom::Has(seat, card) => format!("has({seat},{card})"),
            Atom::Higher(seat) => format!("higher({seat})"),
        }
    }

    fn say(&self, atom: &Atom, yes: bool, voice: &Voice) -> String {
        let (who, what) = match atom {
            Atom::Has(seat, card) => (seat, card.to_string()),
            Atom::Higher(seat) => (seat, "the higher card".to_string()),
        };
        let has = match yes {
            true => voice.does(*who, "have", "has"),
            false => voice.does(*who, "do not have", "does not have"),
        };
        format!("{has} {what}")
    }
}

impl Worlds for Pairs {
    type Atom = Atom;
    type Language = Pairs;
    type Set = BTreeSet<Cards>;
    type World = Cards;
    const STEPS: u64 = 5;

    fn language(&self) -> &Pairs {
        self
    }

    fn seat(&self) -> Seat {
        self.me
    }

    fn all(&mut self) -> BTreeSet<Cards> {
        self.all.clone()
    }

    fn here(&mut self) -> BTreeSet<Cards> {
        let fits = |cards: &&Cards| self.own.is_none_or(|own| cards[self.me.index()] == own);
        self.all.iter().filter(fits).copied().collect()
    }

    fn fact(&mut self, atom: &Atom) -> Done<BTreeSet<Cards>> {
        let is = |cards: &&Cards| match *atom {
            Atom::Has(seat, card) => cards[seat.index()] == card,
            Atom::Higher(seat) => cards[seat.index()] > cards[seat.next(2).index()],
        };
        Ok(self.all.iter().filter(is).copied().collect())
    }

    fn both(&mut self, a: &BTreeSet<Cards>, b: &BTreeSet<Cards>) -> Done<BTreeSet<Cards>> {
        Ok(a & b)
    }

    fn either(&mut self, a: &BTreeSet<Cards>, b: &BTreeSet<Cards>) -> Done<BTreeSet<Cards>> {
        Ok(a | b)
    }

    fn without(&mut self, a: &BTreeSet<Cards>, b: &BTreeSet<Cards>) -> Done<BTreeSet<Cards>> {
        Ok(a - b)
    }

    fn alike(&mut self, seats: Seats, set: &BTreeSet<Cards>) -> Done<BTreeSet<Cards>> {
        if self.over {
            return Ok(set.clone());
        }
        let same = |a: &Cards, b: &Cards| seats.iter().all(|seat| a[seat.index()] == b[seat.index()]);
        Ok(self.all.iter().filter(|cards| set.iter().any(|other| same(cards, other))).copied().collect())
    }

    fn count(&mut self, set: &BTreeSet<Cards>) -> u128 {
        set.len() as u128
    }

    fn pick(&mut self, set: &BTreeSet<Cards>) -> Option<Cards> {
        set.first().copied()
    }

    fn only(&mut self, world: &Cards) -> BTreeSet<Cards> {
        BTreeSet::from([*world])
    }

    fn after(&mut self, action: &str) -> Done<Vec<Pairs>> {
        let Ok((action, said)) = self.supposed(action) else { return Ok(Vec::new()) };
        let way = |mut next: Pairs| {
            next.leads = next.all.clone();
            (!next.all.is_empty()).then_some(next)
        };
        Ok(match action {
            Action::Ask(above) => {
                let answers = [true, false].into_iter().filter(|answer| said.is_none_or(|said| said == *answer));
                let heard = answers.map(|yes| {
                    let mut next = self.clone();
                    next.hear(self.turn(), above, yes);
                    next
                });
                heard.filter_map(way).collect()
            }
            // Both cards are turned up.
            Action::Bet { .. } => way(Pairs { over: true, ..self.clone() }).into_iter().collect(),
        })
    }

    fn before(&mut self, after: &mut Pairs, set: &BTreeSet<Cards>, outcomes: Outcomes) -> Done<BTreeSet<Cards>> {
        let leads = &after.leads & set;
        Ok(match outcomes {
            Outcomes::Some => leads,
            Outcomes::Every => &(&self.all - &after.leads) | &leads,
        })
    }
}

impl Shown for Pairs {
    fn rows(&self) -> Vec<Row<Atom>> {
        let other = self.me.next(2);
        let who = [Row::new(Atom::Higher(self.me).into(), "who is higher")];
        let cards = (1..=self.game.cards)
            .map(|card| Row { alone: true, ..Row::new(Atom::Has(other, card).into(), format!("seat {other}")) });
        who.into_iter().chain(cards).collect()
    }

    fn parts(&self, world: &Cards) -> Vec<Part> {
        Seat::all(2).map(|seat| Part::new(format!("seat {seat}"), world[seat.index()].to_string())).collect()
    }
}
