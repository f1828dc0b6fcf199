//! What the tests of Cluedo share: positions from the data files, and random ones.
#![allow(dead_code)] // the tests, the bench and the table of times each use a part

pub(crate) mod hands;

use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::{Action, Cluedo, Deck, Endmove, Observed, Position};
use ken_games::dice::Dice;
use ken_games::game::{Game, Seat, Turn};
use serde_json::Value;
use std::sync::Arc;

/// The cases of a file of test data.
pub(crate) fn cases(text: &str) -> Vec<Value> {
    let data: Value = serde_json::from_str(text).unwrap();
    data["cases"].as_array().unwrap().clone()
}

fn seat(value: &Value) -> Option<Seat> {
    value.as_u64().map(|s| Seat(s as u8))
}

/// Reads a position of the test data.
pub(crate) fn position(data: &Value) -> Position {
    let deck = Arc::new(data.get("deck").map_or_else(Deck::classic, |d| Deck::from_data(d).unwrap()));
    let card = |name: &Value| -> Card { deck.find(name.as_str().unwrap()).unwrap() };
    let cards = |list: &Value| -> CardSet { list.as_array().unwrap().iter().map(card).collect() };
    let sizes = data["hand_sizes"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u8).collect();
    let observer = seat(&data["observer"]).unwrap();
    let mut position = Position::new(deck.clone(), sizes, observer, cards(&data["hand"])).unwrap();
    for event in data["events"].as_array().unwrap() {
        let event = if let Some(asker) = seat(&event["ask"]) {
            let shown = event.get("shown").map(card);
            Observed::Ask { asker, cards: cards(&event["cards"]), answer: seat(&event["shown_by"]), shown }
        } else if let Some(accuser) = seat(&event["accuse"]) {
            Observed::Accuse {
                seat: accuser,
                cards: cards(&event["cards"]),
                correct: event["correct"].as_bool().unwrap(),
                envelope: event.get("envelope").map(cards),
            }
        } else {
            Observed::Endmove { seat: seat(&event["endmove"]).unwrap() }
        };
        position.push(event).unwrap();
    }
    position
}

/// A deck with categories of these sizes.
pub(crate) fn deck(sizes: &[usize]) -> Arc<Deck> {
    let category = |(k, &n): (usize, &usize)| (format!("c{k}"), (0..n).map(|i| format!("c{k}n{i}")).collect());
    Arc::new(Deck::new(sizes.iter().enumerate().map(category).collect()).unwrap())
}

/// What a random seat has seen after `asks` random suggestions; once in a while somebody accuses, usually wrongly.
pub(crate) fn played(game: &Cluedo, asks: usize, accuse: bool, dice: &mut Dice) -> Position {
    let observer = Seat(dice.below(game.seats() as usize) as u8);
    let (mut state, event) = game.deal(dice);
    let mut position = Position::dealt(game.deck(), &game.sight(&event, observer));
    let mut asked = 0;
    while let Turn::Of(_) = game.turn(&state) {
        let options = game.legal(&state);
        let action = match options[0] {
            Action::Suggest(_) if asked == asks => break,
            Action::Suggest(_) => {
                asked += 1;
                *dice.pick(&options)
            }
            Action::End if accuse && dice.below(8) == 0 => *dice.pick(&options[1..]),
            Action::End => Action::End,
            Action::Show(_) | Action::Accuse(_) => *dice.pick(&options),
        };
        let event = game.play(&mut state, &action).unwrap();
        position.learn(&game.sight(&event, observer), Endmove::Silent);
    }
    position
}
