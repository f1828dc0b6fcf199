//! The options of the game of 1959 as data, and its text.
//!
//! `{"players": 4, "rounds": 1, "deck": "standard", "decks": 1, "open": false, "bonus": 3, "moves": 120,
//! "guess": true}`: 3 to 8 players, how often each deals, the deck and how many of it, open or hidden hands, what a right
//! guess takes off, after how many judgements a round ends, and whether the rule may be named. All may be left out.

use super::rules::{Classic, MOVES};
use crate::eleusis::moves::{Action, Event, Sight};
use crate::eleusis::options::{Options, stored, table_data};
use crate::eleusis::table::State;
use crate::eleusis::text;
use crate::eleusis::view::{Page, page};
use crate::game::{Illegal, Notation, View};
use serde_json::{Map, Value, json};

const OWN: [&str; 2] = ["moves", "guess"];

impl Notation for Classic {
    const NAME: &'static str = "eleusis";

    fn options(&self) -> Value {
        let mut data = table_data(&self.table);
        data["moves"] = json!(self.moves);
        data["guess"] = json!(self.guesses);
        data
    }

    fn with_options(options: &Value) -> Result<Classic, Illegal> {
        let empty = Map::new();
        let options = Options::of(options, &empty, &OWN)?;
        let table = options.table(|_| 1)?;
        if table.cards() < usize::from(table.seats) {
            return Err(Illegal::new(format!("{} cards are too few for {} players", table.cards(), table.seats)));
        }
        let moves = options.number("moves", MOVES, 1, 100_000)?;
        Ok(Classic { table, moves, guesses: options.flag("guess", true)? })
    }

    fn stored(options: &Value) -> Result<Classic, Illegal> {
        Classic::with_options(&stored(options))
    }

    fn write(&self, action: &Action) -> String {
        text::write(&self.table.deck, action)
    }

    fn read(&self, typed: &str) -> Result<Action, Illegal> {
        text::read(&self.table.deck, typed)
    }

    fn tell(&self, event: &Event) -> String {
        text::tell(&self.table, event.truth())
    }

    fn tell_deal(&self, deal: &Event) -> String {
        text::tell_deal(&self.table, deal.truth())
    }

    fn tell_hidden(&self, state: &State) -> Option<String> {
        text::tell_hidden(&self.table, state)
    }

    fn tell_sight(&self, sight: &Sight) -> String {
        text::tell(&self.table, sight)
    }

    fn sight_data(&self, sight: &Sight) -> Value {
        text::data(&self.table.deck, sight)
    }
}

impl View for Classic {
    type View = Page;

    fn view(&self, memory: &[Sight]) -> Page {
        page(self, memory)
    }
}
