//! A complete small game: how to write one, and how to run the laws on it. `cargo run --example high_card`
//!
//! *High card*: two seats get a card each, from 1 to `CARDS`, and see only their own. In turn a seat asks whether the
//! other's card is above a number (both hear the answer), or bets that its own card is the higher or the lower one, which
//! ends the match. After `QUESTIONS` questions the seat to move must bet.

use ken_games::conformance as laws;
use ken_games::dice::Dice;
use ken_games::game::{Game, Illegal, Notation, Outcome, Seat, Turn, View};
use serde_json::{Value, json};

const CARDS: u8 = 5;
const QUESTIONS: u8 = 4;

/// The game is its options; this one has none.
#[derive(Clone)]
struct HighCard;

/// The truth. `PartialEq` lets the laws see that a refused action changes nothing.
#[derive(Clone, PartialEq)]
struct State {
    cards: [u8; 2],
    asked: u8,
    winner: Option<Seat>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    Ask(u8),
    Bet { high: bool },
}

/// What really happened. Nothing is hidden in an event: hiding is the business of `sight`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Event {
    Dealt([u8; 2]),
    Asked { above: u8, yes: bool },
    Bet { high: bool, cards: [u8; 2] },
}

/// What a seat saw. It is the only thing that players and pages get.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Sight {
    Mine(Seat, u8),
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
        let mut deck: Vec<u8> = (1..=CARDS).collect();
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
        let asks = if state.asked < QUESTIONS { 1..CARDS } else { 1..1 };
        asks.map(Action::Ask).chain([true, false].map(|high| Action::Bet { high })).collect()
    }

    fn play(&self, state: &mut State, action: &Action) -> Result<Event, Illegal> {
        // A small game can ask its own list. A refusal must not tell what the seat may not know.
        if !self.legal(state).contains(action) {
            return Err(Illegal::new("that cannot be done now"));
        }
        let (by, other) = (Seat(state.asked % 2), Seat((state.asked + 1) % 2));
        let [mine, theirs] = [by, other].map(|s| state.cards[s.index()]);
        match *action {
            Action::Ask(above) => {
                state.asked += 1;
                Ok(Event::Asked { above, yes: theirs > above })
            }
            Action::Bet { high } => {
                state.winner = Some(if high == (mine > theirs) { by } else { other });
                Ok(Event::Bet { high, cards: state.cards })
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
        QUESTIONS as usize + 1
    }
}

impl Notation for HighCard {
    const NAME: &'static str = "highcard";

    fn options(&self) -> Value {
        json!({})
    }

    fn with_options(_: &Value) -> Result<HighCard, Illegal> {
        Ok(HighCard)
    }

    fn write(&self, action: &Action) -> String {
        match action {
            Action::Ask(above) => format!("ask {above}"),
            Action::Bet { high } => if *high { "high" } else { "low" }.into(),
        }
    }

    fn read(&self, text: &str) -> Result<Action, Illegal> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            [bet @ ("high" | "low")] => Ok(Action::Bet { high: bet == "high" }),
            ["ask", above] => above.parse().map(Action::Ask).map_err(|_| Illegal::new("`ask` needs a number")),
            _ => Err(Illegal::new(format!("`{text}` is no action")).help("`ask 3`, `high` or `low`")),
        }
    }

    fn tell(&self, event: &Event) -> String {
        format!("{event:?}")
    }

    fn tell_sight(&self, sight: &Sight) -> String {
        format!("{sight:?}")
    }

    fn sight_data(&self, sight: &Sight) -> Value {
        json!(self.tell_sight(sight)) // Kinder data would be an object: see `cluedo/notation.rs`.
    }
}

/// A page is a fold of sights: here just the log.
impl View for HighCard {
    type View = Vec<String>;

    fn view(&self, memory: &[Sight]) -> Vec<String> {
        memory.iter().map(|s| self.tell_sight(s)).collect()
    }
}

/// Runs every law; gives the number of pairs of equal memories that were compared.
fn every_law(seeds: u64) -> Result<usize, laws::Broken> {
    (0..seeds).map(|seed| laws::rules_hold(&HighCard, seed).and_then(|()| laws::nothing_leaks(&HighCard, seed))).sum()
}

fn main() -> Result<(), laws::Broken> {
    println!("high card keeps the laws; {} pairs of equal memories were compared", every_law(100)?);
    Ok(())
}

#[test]
fn high_card_keeps_the_laws() {
    assert!(every_law(20).expect("every law holds") > 100);
}
