//! The options of Express as data, and its text.
//!
//! `{"players": 4, "rounds": 1, "deck": "standard", "decks": 1, "open": false, "bonus": 3, "hand": 7, "guess": "right",
//! "draw_refused": 1, "draw_no_play": 1, "draw_guess": 1}`: 3 to 8 players, how often each deals, the deck, how many decks
//! (2 for six players or more), open or hidden hands, what a right guess takes off, the cards of a hand, when the rule
//! may be named (`accepted`, `right`, `always`), and how many cards are drawn for a refused card, a wrong *no play*, a
//! wrong guess. All may be left out.

use super::rules::{CROWD, Express, HAND, MayGuess, Penalties};
use crate::eleusis::moves::{Action, Event, Sight};
use crate::eleusis::options::{Options, stored, table_data};
use crate::eleusis::table::State;
use crate::eleusis::text;
use crate::eleusis::view::{Page, page};
use crate::game::{Illegal, Notation, View};
use serde_json::{Map, Value, json};

const OWN: [&str; 5] = ["hand", "guess", "draw_refused", "draw_no_play", "draw_guess"];

impl Notation for Express {
    const NAME: &'static str = "express";

    fn options(&self) -> Value {
        let mut data = table_data(&self.table);
        data["hand"] = json!(self.hand);
        data["guess"] = json!(self.may_guess.name());
        data["draw_refused"] = json!(self.penalties.refused);
        data["draw_no_play"] = json!(self.penalties.no_play);
        data["draw_guess"] = json!(self.penalties.guess);
        data
    }

    fn with_options(options: &Value) -> Result<Express, Illegal> {
        let empty = Map::new();
        let options = Options::of(options, &empty, &OWN)?;
        let table = options.table(|seats| if seats < CROWD { 1 } else { 2 })?;
        let hand = options.number("hand", HAND.into(), 1, 50)? as u8;
        let dealt = usize::from(hand) * (usize::from(table.seats) - 1);
        if table.cards() < dealt + 2 {
            let message = format!("{} cards are too few: {dealt} in the hands, a starter, and a stock", table.cards());
            return Err(Illegal::new(message).help("take more `decks`, or a smaller `hand`"));
        }
        let draw = |key| options.number(key, 1, 1, 9).map(|n| n as u8);
        Ok(Express {
            table,
            hand,
            may_guess: options.choice("guess", MayGuess::Right, &MayGuess::ALL, MayGuess::name)?,
            penalties: Penalties {
                refused: draw("draw_refused")?,
                no_play: draw("draw_no_play")?,
                guess: draw("draw_guess")?,
            },
        })
    }

    fn stored(options: &Value) -> Result<Express, Illegal> {
        Express::with_options(&stored(options))
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

impl View for Express {
    type View = Page;

    fn view(&self, memory: &[Sight]) -> Page {
        page(self, memory)
    }
}
