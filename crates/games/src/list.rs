//! The list of games: adding one is a folder and a line in [`GAMES`].
//!
//! Whoever works with any game takes a list of them: the terminal, the server and the arena use [`GAMES`], and a program
//! that brings its own game uses [`Games::with`]. What a game is, the list learns from its [`Face`].

use crate::cluedo::Cluedo;
use crate::eleusis::{Classic, Express};
use crate::game::{Illegal, Seat};
use crate::high_card::HighCard;
use crate::knowledge::Inspector;
use crate::record::{BadRecord, Record, replay, seat_export};
use crate::table::page::{GameInfo, Problem};
use crate::table::{Face, Sitter, Table, at_table, deal};
use crate::yokai::Yokai;
use ken_logic::syntax::{Code, Diagnostic, json_with_places};
use ken_logic::text::listed;
use serde_json::Value;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// Every game that ken comes with, in the order in which menus show them.
pub static GAMES: Games = Games(Cow::Borrowed(&[
    &Of::<Cluedo>::NEW,
    &Of::<Express>::NEW,
    &Of::<Classic>::NEW,
    &Of::<Yokai>::NEW,
    &Of::<HighCard>::NEW,
]));

/// A game of a list.
pub trait Kind: Send + Sync {
    /// Its name, as in `ken play NAME` and in records.
    fn name(&self) -> &'static str;

    /// How it describes itself.
    fn info(&self) -> GameInfo;

    /// The game with these options; what is not given has its default.
    fn with_options(&self, options: &Value) -> Result<Box<dyn Setup>, Illegal>;

    /// The game of a record or a stored match: [`Notation::stored`](crate::game::Notation::stored).
    fn stored(&self, options: &Value) -> Result<Box<dyn Setup>, Illegal>;

    /// Whether the data, of a text that some game reads, is a position of this one.
    fn is_position(&self, data: &Value) -> bool;

    /// What the observer of a position knows, where positions of the game can be read; else every problem in the text.
    fn placed(&self, text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>>;
}

/// A game with its options fixed: matches of it can be dealt and replayed.
pub trait Setup: Send + Sync {
    /// The game's name.
    fn name(&self) -> &'static str;

    /// How many play.
    fn seats(&self) -> u8;

    /// All options, those with their default values included.
    fn options(&self) -> Value;

    /// The record of a match that has not begun.
    fn record(&self, players: Vec<String>, seed: u64) -> Record;

    /// A table after the deal of this seed, with somebody at every seat.
    fn deal(&self, seed: u64, sitters: Vec<Sitter>) -> Result<Box<dyn Table>, Problem>;

    /// The table at the end of a record. A record that does not replay exactly is refused.
    fn replay(&self, record: &Record) -> Result<Box<dyn Table>, BadRecord>;

    /// What one seat may keep of a record: [`seat_export`].
    fn export(&self, record: &Record, seat: Seat) -> Result<Value, BadRecord>;

    /// An action as the game writes it, if the text can be read as one.
    fn read(&self, text: &str) -> Result<String, Illegal>;

    /// The game itself, for code that is about one game alone.
    fn game(&self) -> &dyn Any;
}

/// A game with a [`Face`] as a [`Kind`].
pub struct Of<G>(PhantomData<fn() -> G>);

impl<G> Of<G> {
    /// The only value.
    pub const NEW: Of<G> = Of(PhantomData);
}

impl<G: Face> Kind for Of<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn info(&self) -> GameInfo {
        G::info()
    }

    fn with_options(&self, options: &Value) -> Result<Box<dyn Setup>, Illegal> {
        Ok(Box::new(Chosen(G::with_options(options)?)))
    }

    fn stored(&self, options: &Value) -> Result<Box<dyn Setup>, Illegal> {
        Ok(Box::new(Chosen(G::stored(options)?)))
    }

    fn is_position(&self, data: &Value) -> bool {
        data.get("game").is_none_or(|game| game == G::NAME) && G::is_position(data)
    }

    fn placed(&self, text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>> {
        G::placed(text)
    }
}

struct Chosen<G>(G);

impl<G: Face> Setup for Chosen<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn seats(&self) -> u8 {
        self.0.seats()
    }

    fn options(&self) -> Value {
        self.0.options()
    }

    fn record(&self, players: Vec<String>, seed: u64) -> Record {
        Record::new(&self.0, players, seed)
    }

    fn deal(&self, seed: u64, sitters: Vec<Sitter>) -> Result<Box<dyn Table>, Problem> {
        deal(self.0.clone(), seed, sitters)
    }

    fn replay(&self, record: &Record) -> Result<Box<dyn Table>, BadRecord> {
        Ok(at_table(replay(self.0.clone(), record)?, record.seed))
    }

    fn export(&self, record: &Record, seat: Seat) -> Result<Value, BadRecord> {
        seat_export(self.0.clone(), record, seat)
    }

    fn read(&self, text: &str) -> Result<String, Illegal> {
        self.0.read(text).map(|action| self.0.write(&action))
    }

    fn game(&self) -> &dyn Any {
        &self.0
    }
}

/// A list of games, each with a name of its own.
#[derive(Clone)]
pub struct Games(Cow<'static, [&'static dyn Kind]>);

impl Games {
    /// The list with one game more. A game of the same name is replaced.
    #[must_use]
    pub fn with(&self, kind: &'static dyn Kind) -> Games {
        let others = self.0.iter().copied().filter(|other| other.name() != kind.name());
        Games(others.chain([kind]).collect())
    }

    /// The games in order.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Kind> {
        self.0.iter().copied()
    }

    /// Their names in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.0.iter().map(|kind| kind.name())
    }

    /// The game of this name. If there is none, the refusal says which is near.
    pub fn find(&self, name: &str) -> Result<&'static dyn Kind, Illegal> {
        let found = self.0.iter().copied().find(|kind| kind.name() == name);
        found.ok_or_else(|| {
            let wrong = Illegal::new(format!("there is no game `{name}`"));
            match ken_logic::syntax::nearest(name, self.names()) {
                Some(near) => wrong.help(format!("did you mean `{near}`?")),
                None => wrong.help(format!("there are {}", self.names().collect::<Vec<_>>().join(", "))),
            }
        })
    }

    /// The game of this name with these options; what is not given has its default.
    pub fn with_options(&self, name: &str, options: &Value) -> Result<Box<dyn Setup>, Illegal> {
        self.find(name)?.with_options(options)
    }

    /// The game of which the text is a position.
    ///
    /// # Errors
    /// It is none of any game, or no JSON at all.
    pub fn of_position(&self, text: &str) -> Result<&'static dyn Kind, Vec<Diagnostic>> {
        let json = json_with_places(text).map_err(|problem| vec![*problem])?;
        let data: Value = serde_json::from_str(text).unwrap_or_default();
        self.iter().find(|kind| kind.is_position(&data)).ok_or_else(|| {
            let names = listed(self.names(), "and");
            let keys = format!("`ken replay RECORD --position N` writes positions; the games are {names}");
            vec![Diagnostic::new(Code::Shape, json.span, "this is a position of no game").help(keys)]
        })
    }

    /// What the observer of a position of this game knows.
    pub fn placed(&self, name: &str, text: &str) -> Result<Box<dyn Inspector>, Problem> {
        let kind = self.find(name).map_err(|why| Problem { code: "no-such-game".to_string(), ..why.into() })?;
        kind.placed(text).map_err(|problems| Problem::text(text, &problems))
    }

    /// The game of a record with its options.
    pub fn of_record(&self, record: &Record) -> Result<Box<dyn Setup>, BadRecord> {
        let kind = self.find(&record.game).map_err(|why| BadRecord { place: "game".into(), why })?;
        kind.stored(&record.options).map_err(|why| BadRecord { place: "options".into(), why })
    }

    /// The table at the end of a record of the game that it names.
    pub fn replay(&self, record: &Record) -> Result<Box<dyn Table>, BadRecord> {
        self.of_record(record)?.replay(record)
    }

    /// What one seat may keep of a record of any game: [`seat_export`].
    pub fn export(&self, record: &Record, seat: Seat) -> Result<Value, BadRecord> {
        self.of_record(record)?.export(record, seat)
    }
}

impl Default for Games {
    fn default() -> Games {
        GAMES.clone()
    }
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_game_is_found_by_name_and_a_wrong_name_says_which_is_near() {
        let game = GAMES.with_options("cluedo", &json!({"players": 3})).unwrap();
        assert!(game.seats() == 3 && game.game().is::<Cluedo>());
        let wrong = GAMES.with_options("cludo", &Value::Null).err().unwrap();
        assert_eq!(wrong.to_string(), "there is no game `cludo` (did you mean `cluedo`?)");
    }

    #[test]
    fn a_record_replays_by_the_name_in_it() {
        let mut record = Record::new(&Cluedo::classic(2), vec!["a".into(), "b".into()], 1);
        assert_eq!(GAMES.replay(&record).ok().unwrap().events(), 1);
        assert_eq!(GAMES.export(&record, Seat(1)).unwrap()["sights"].as_array().unwrap().len(), 1);
        record.options = json!({"players": 9});
        assert_eq!(GAMES.replay(&record).err().unwrap().place, "options");
        record.game = "chess".into();
        assert_eq!(
            GAMES.replay(&record).err().unwrap().to_string(),
            "game: there is no game `chess` (there are cluedo, express, eleusis, yokai, high-card)"
        );
    }

    #[test]
    fn every_game_describes_itself_by_the_name_it_is_found_by_and_its_rival_and_its_choices_are_there() {
        for kind in GAMES.iter() {
            let info = kind.info();
            assert_eq!(info.name, kind.name());
            assert!(info.players.iter().any(|p| p.name == info.rival), "{}", info.name);
            assert!(info.seats.contains(&info.usual), "{}", info.name);
            let usual = kind.with_options(&json!({"players": info.usual})).unwrap();
            for player in &info.players {
                let sitters = (0..info.usual).map(|_| Sitter::Machine(player.name.clone())).collect();
                assert!(usual.deal(1, sitters).is_ok(), "{} {}", info.name, player.name);
            }
            for option in &info.options {
                assert!(option.choices.iter().any(|c| c.value == option.usual), "{} {}", info.name, option.name);
                for choice in &option.choices {
                    let chosen = json!({"players": info.usual, (&option.name): choice.value});
                    assert!(kind.with_options(&chosen).is_ok(), "{} {chosen}", info.name);
                }
            }
        }
    }
}
