//! State, actions, events, sights.

use crate::dice::Dice;
use crate::game::{Game, Illegal, Outcome, Seat, Turn, View};

/// The game is its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HighCard {
    /// The cards are 1 to this.
    pub cards: u8,
    /// How many questions may be asked in a match.
    pub questions: u8,
}

impl Default for HighCard {
    fn default() -> HighCard {
        HighCard { cards: 9, questions: 4 }
    }
}

/// The truth. `PartialEq` lets the laws see that a refused action changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The card of each seat.
    pub cards: [u8; 2],
    /// How many questions were asked.
    pub asked: u8,
    /// Who won, once somebody has bet.
    pub winner: Option<Seat>,
}

/// What a seat may choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Whether the other's card is above a number.
    Ask(u8),
    /// That the own card is the higher or the lower one.
    Bet {
        /// Whether it is the higher one.
        high: bool,
    },
}

/// What really happened. Nothing is hidden in an event: hiding is the business of [`Game::sight`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// The cards, seat by seat.
    Dealt([u8; 2]),
    /// A question and its answer.
    Asked {
        /// Who asked.
        by: Seat,
        /// The number.
        above: u8,
        /// The answer.
        yes: bool,
    },
    /// A bet; both cards are turned up.
    Bet {
        /// Who bet.
        by: Seat,
        /// Whether on the higher card.
        high: bool,
        /// The cards, seat by seat.
        cards: [u8; 2],
    },
}

/// What a seat saw. It is the only thing that players and pages get.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// Which seat it is, and its own card.
    Mine(Seat, u8),
    /// What both see.
    Heard(Event),
}

impl Game for HighCard {
    type State = State;
    type Action = Action;
    type Event = Event;
    type Sight = Sight;

    fn seats(&self) -> u8 {
        2
    }

    fn deal(&self, dice: &mut Dice) -> (State, Event) {
        let mut deck: Vec<u8> = (1..=self.cards).collect();
        dice.shuffle(&mut deck); // All chance comes from the dice, so a seed is a match.
        let cards = [deck[0], deck[1]];
        (State { cards, asked: 0, winner: None }, Event::Dealt(cards))
    }

    fn turn(&self, state: &State) -> Turn {
        let Some(winner) = state.winner else { return Turn::Of(Seat(state.asked % 2)) };
        let scores = Seat::all(2).map(|s| i64::from(s == winner)).collect();
        Turn::Over(Outcome { scores, words: format!("seat {winner} won") })
    }

    fn legal(&self, state: &State) -> Vec<Action> {
        if state.winner.is_some() {
            return Vec::new();
        }
        let asks = if state.asked < self.questions { 1..self.cards } else { 1..1 };
        asks.map(Action::Ask).chain([true, false].map(|high| Action::Bet { high })).collect()
    }

    fn play(&self, state: &mut State, action: &Action) -> Result<Event, Illegal> {
        // A small game can ask its own list. A refusal must not tell what the seat may not know.
        if !self.legal(state).contains(action) {
            return Err(Illegal::new("that cannot be done now"));
        }
        let by = Seat(state.asked % 2);
        let other = by.next(2);
        let [mine, theirs] = [by, other].map(|s| state.cards[s.index()]);
        match *action {
            Action::Ask(above) => {
                state.asked += 1;
                Ok(Event::Asked { by, above, yes: theirs > above })
            }
            Action::Bet { high } => {
                state.winner = Some(if high == (mine > theirs) { by } else { other });
                Ok(Event::Bet { by, high, cards: state.cards })
            }
        }
    }

    fn sight(&self, event: &Event, seat: Seat) -> Sight {
        match event {
            Event::Dealt(cards) => Sight::Mine(seat, cards[seat.index()]),
            Event::Asked { .. } | Event::Bet { .. } => Sight::Heard(event.clone()),
        }
    }

    fn bound(&self) -> usize {
        self.questions as usize + 1
    }
}

impl HighCard {
    /// Whether a seat with this memory can see this next.
    pub(super) fn can_follow(&self, memory: &[Sight], sight: &Sight) -> Result<(), Illegal> {
        let wrong = |message: &str| Err(Illegal::new(message));
        let asked = memory.iter().filter(|s| matches!(s, Sight::Heard(Event::Asked { .. }))).count();
        let turn = Seat((asked % 2) as u8);
        let over = memory.iter().any(|s| matches!(s, Sight::Heard(Event::Bet { .. })));
        let mine = memory.first();
        match sight {
            Sight::Mine(..) if memory.is_empty() => Ok(()),
            _ if memory.is_empty() => wrong("a seat sees its own card first"),
            Sight::Mine(..) | Sight::Heard(Event::Dealt(_)) => wrong("cards are dealt once"),
            _ if over => wrong("a bet has ended the match"),
            Sight::Heard(Event::Asked { by, .. } | Event::Bet { by, .. }) if *by != turn => {
                Err(Illegal::new(format!("it is the turn of seat {turn}")))
            }
            Sight::Heard(Event::Asked { .. }) if asked >= usize::from(self.questions) => {
                wrong("all questions are asked")
            }
            Sight::Heard(Event::Bet { cards, .. }) => match mine {
                Some(Sight::Mine(seat, card)) if cards[seat.index()] != *card => wrong("the seat has another card"),
                _ => Ok(()),
            },
            Sight::Heard(Event::Asked { .. }) => Ok(()),
        }
    }
}

/// A page is a fold of sights: here the sights themselves.
impl View for HighCard {
    type View = Vec<Sight>;

    fn view(&self, memory: &[Sight]) -> Vec<Sight> {
        memory.to_vec()
    }
}
