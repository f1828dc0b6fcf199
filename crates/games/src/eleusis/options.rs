//! Options as data: those that both games have, and how any is read.

use super::deck::Deck;
use super::rule::Reader;
use super::secret::Menu;
use super::table::{PLAYERS, Table};
use crate::game::Illegal;
use ken_logic::syntax::nearest;
use serde_json::{Map, Value, json};

/// The options that both games have.
const SHARED: [&str; 7] = ["players", "rounds", "deck", "decks", "open", "bonus", READING];

/// The option that says by which reader the rules of a match are read.
const READING: &str = "reading";

/// How many play, unless the options say otherwise.
const DEFAULT_PLAYERS: u32 = 4;

/// Options that are being read.
pub(super) struct Options<'a> {
    map: &'a Map<String, Value>,
}

impl<'a> Options<'a> {
    /// The options of a game that has `own` options beside the shared ones. `empty` is what stands for none.
    pub(super) fn of(value: &'a Value, empty: &'a Map<String, Value>, own: &[&str]) -> Result<Options<'a>, Illegal> {
        let names = || SHARED.iter().chain(own).copied();
        let map = match value {
            Value::Null => empty,
            Value::Object(map) => map,
            _ => {
                let help = format!("with {}", names().collect::<Vec<_>>().join(", "));
                return Err(Illegal::new("options are an object").help(help));
            }
        };
        if let Some(unknown) = map.keys().find(|k| !names().any(|n| n == k.as_str())) {
            let wrong = Illegal::new(format!("there is no option `{unknown}`"));
            return Err(match nearest(unknown, names()) {
                Some(near) => wrong.help(format!("did you mean `{near}`?")),
                None => wrong.help(format!("there are {}", names().collect::<Vec<_>>().join(", "))),
            });
        }
        Ok(Options { map })
    }

    /// A number in a range.
    pub(super) fn number(&self, key: &str, default: u32, from: u32, to: u32) -> Result<u32, Illegal> {
        let Some(value) = self.map.get(key) else { return Ok(default) };
        let number = value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| (from..=to).contains(n));
        number.ok_or_else(|| Illegal::new(format!("`{key}` is a number from {from} to {to}, not {value}")))
    }

    /// Yes or no.
    pub(super) fn flag(&self, key: &str, default: bool) -> Result<bool, Illegal> {
        let Some(value) = self.map.get(key) else { return Ok(default) };
        value.as_bool().ok_or_else(|| Illegal::new(format!("`{key}` is true or false, not {value}")))
    }

    /// One of a few.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &str,
        default: T,
        all: &[T],
        name: fn(T) -> &'static str,
    ) -> Result<T, Illegal> {
        let Some(value) = self.map.get(key) else { return Ok(default) };
        let found = all.iter().find(|&&one| value.as_str() == Some(name(one)));
        found.copied().ok_or_else(|| {
            let names: Vec<String> = all.iter().map(|&one| format!("\"{}\"", name(one))).collect();
            Illegal::new(format!("`{key}` is {}, not {value}", names.join(" or ")))
        })
    }

    /// The options that both games have; `decks` says how many there are for so many players.
    pub(super) fn table(&self, decks: fn(u8) -> u8) -> Result<Table, Illegal> {
        let (from, to) = (u32::from(*PLAYERS.start()), u32::from(*PLAYERS.end()));
        let seats = self.number("players", DEFAULT_PLAYERS, from, to)? as u8;
        let deck = self.map.get("deck").map_or(Ok(Deck::STANDARD), read_deck)?;
        let current = Reader::Current.number();
        let reader = Reader::of_number(self.number(READING, current, 1, current)?).unwrap_or_default();
        Ok(Table {
            menu: Menu::by(&deck, reader),
            deck,
            decks: self.number("decks", decks(seats).into(), 1, 4)? as u8,
            seats,
            rounds: self.number("rounds", 1, 1, 1_000)?,
            open: self.flag("open", false)?,
            bonus: self.number("bonus", 3, 0, 100)? as u8,
        })
    }
}

/// The options of a stored match: where they name no reader of rules, it was played with the first one.
pub(super) fn stored(options: &Value) -> Value {
    let mut options = options.clone();
    if options.is_null() {
        options = json!({});
    }
    if let Value::Object(map) = &mut options {
        map.entry(READING).or_insert_with(|| json!(Reader::First.number()));
    }
    options
}

/// The shared options as data.
pub(super) fn table_data(table: &Table) -> Value {
    let mut data = json!({
        "players": table.seats, "rounds": table.rounds, "decks": table.decks, "open": table.open, "bonus": table.bonus,
        READING: table.menu.reader().number(),
    });
    if *table.deck() != Deck::STANDARD {
        data["deck"] = json!({"values": table.deck.values()});
    }
    data
}

/// `"standard"`, or `{"values": 4}` for two suits with so many values.
fn read_deck(value: &Value) -> Result<Deck, Illegal> {
    if value.as_str() == Some("standard") {
        return Ok(Deck::STANDARD);
    }
    let values = value.as_object().filter(|map| map.len() == 1).and_then(|map| map.get("values")?.as_u64());
    let deck = values.and_then(|n| u8::try_from(n).ok()).and_then(Deck::two_suits);
    deck.ok_or_else(|| {
        Illegal::new(format!("`deck` is \"standard\" or {{\"values\": N}}, not {value}"))
            .help("N, 1 to 13, is the number of values in each of two suits")
    })
}
