//! The closed list of games: adding one is a folder and a line in `games!` below.
//!
//! Code that works for any game is written once, generically, as a [`Visit`]; [`AnyGame::visit`] hands it the game that
//! was named at run time.

use crate::cluedo::Cluedo;
use crate::eleusis::{Classic, Express};
use crate::game::{Illegal, Notation, Seat, View};
use crate::record::{BadRecord, Match, Record, replay, seat_export};
use crate::yokai::Yokai;
use serde_json::Value;

/// What the list says about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// Its name, as in `ken play NAME`.
    pub name: &'static str,
    /// What it is about, in a line.
    pub about: &'static str,
}

/// Generic code to be run on a game that is known only at run time.
pub trait Visit {
    /// What it gives.
    type Out;

    /// Runs on the game.
    fn visit<G: Notation + View>(self, game: G) -> Self::Out;
}

macro_rules! games {
    ($($game:ident: $about:literal;)*) => {
        /// A game of the list with its options fixed.
        #[derive(Clone, Debug)]
        pub enum AnyGame {
            $(#[doc = $about] $game($game),)*
        }

        /// Every game.
        pub const GAMES: &[GameInfo] = &[$(GameInfo { name: <$game as Notation>::NAME, about: $about },)*];

        impl AnyGame {
            /// The game of this name with these options; what is not given has its default.
            pub fn from_options(name: &str, options: &Value) -> Result<AnyGame, Illegal> {
                match name {
                    $(<$game as Notation>::NAME => Ok(AnyGame::$game($game::with_options(options)?)),)*
                    _ => Err(unknown(name)),
                }
            }

            /// The game of a record or a stored match: [`Notation::stored`].
            pub fn stored(name: &str, options: &Value) -> Result<AnyGame, Illegal> {
                match name {
                    $(<$game as Notation>::NAME => Ok(AnyGame::$game($game::stored(options)?)),)*
                    _ => Err(unknown(name)),
                }
            }

            /// Runs generic code on the game.
            pub fn visit<V: Visit>(self, visit: V) -> V::Out {
                match self {
                    $(AnyGame::$game(game) => visit.visit(game),)*
                }
            }
        }

        /// The match of a record of some game.
        #[derive(Clone, Debug)]
        pub enum AnyMatch {
            $(#[doc = $about] $game(Match<$game>),)*
        }

        /// Replays a record of the game that it names.
        pub fn replay_any(record: &Record) -> Result<AnyMatch, BadRecord> {
            match game_of(record)? {
                $(AnyGame::$game(game) => replay(game, record).map(AnyMatch::$game),)*
            }
        }
    };
}

games! {
    Cluedo: "who holds which card, and what lies in the envelope";
    Express: "Eleusis Express: which cards the secret rule accepts, and what it is";
    Classic: "Eleusis as of 1959: all cards are dealt, an accepted card keeps the turn";
    Yokai: "Yōkai: two look, move and hint until the cards of each colour lie together";
}

fn unknown(name: &str) -> Illegal {
    let names = GAMES.iter().map(|g| g.name);
    let wrong = Illegal::new(format!("there is no game `{name}`"));
    match ken_logic::syntax::nearest(name, names.clone()) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help(format!("there are {}", names.collect::<Vec<_>>().join(", "))),
    }
}

/// The game of a record with its options.
pub fn game_of(record: &Record) -> Result<AnyGame, BadRecord> {
    let known = GAMES.iter().any(|g| g.name == record.game);
    let place = if known { "options" } else { "game" };
    AnyGame::stored(&record.game, &record.options).map_err(|why| BadRecord { place: place.into(), why })
}

/// What one seat may keep of a record of any game: [`seat_export`].
pub fn export_any(record: &Record, seat: Seat) -> Result<Value, BadRecord> {
    struct Export<'a>(&'a Record, Seat);
    impl Visit for Export<'_> {
        type Out = Result<Value, BadRecord>;

        fn visit<G: Notation + View>(self, game: G) -> Self::Out {
            seat_export(game, self.0, self.1)
        }
    }
    game_of(record)?.visit(Export(record, seat))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use serde_json::json;

    #[test]
    fn a_game_is_found_by_name_and_a_wrong_name_says_which_is_near() {
        let game = AnyGame::from_options("cluedo", &json!({"players": 3})).unwrap();
        assert!(matches!(&game, AnyGame::Cluedo(game) if game.seats() == 3));
        let wrong = AnyGame::from_options("cludo", &Value::Null).unwrap_err();
        assert_eq!(wrong.to_string(), "there is no game `cludo` (did you mean `cluedo`?)");
    }

    #[test]
    fn a_record_replays_by_the_name_in_it() {
        let mut record = Record::new(&Cluedo::classic(2), vec!["a".into(), "b".into()], 1);
        assert!(matches!(replay_any(&record), Ok(AnyMatch::Cluedo(played)) if played.actions().is_empty()));
        assert_eq!(export_any(&record, Seat(1)).unwrap()["sights"].as_array().unwrap().len(), 1);
        record.options = json!({"players": 9});
        assert_eq!(replay_any(&record).unwrap_err().place, "options");
        record.game = "chess".into();
        assert_eq!(
            replay_any(&record).unwrap_err().to_string(),
            "game: there is no game `chess` (there are cluedo, express, eleusis, yokai)"
        );
    }
}
