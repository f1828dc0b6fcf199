//! The text of Yōkai: what is typed, what stands in the log, and sights as data.
//!
//! | typed | means |
//! |---|---|
//! | `look 3` | look at card 3 |
//! | `move 3 14,16` | move card 3 to row 14, column 16 |
//! | `skip` | move nothing, where no move is legal |
//! | `activate` | activate a hint |
//! | `mark 3 rg` | mark card 3 with the active hint red–green |
//! | `stop` | end the match |
//!
//! The cards are 1 to 16. Cells may stand in brackets and may be negative: `move 3 (14,-2)`. A hint is letters or names:
//! `mark 3 red green`. Letter case does not matter, and the beginning of a word will do where it fits only one.
//!
//! # Options
//! `{"free_order": false, "any_time": false, "oracle": false, "convention": "natural"}`; all may be left out. A convention is
//! the name of one that the program comes with, or one as data ([`convention`](super::convention)); `null` for none.
//! `"players": 2` may be said.
//!
//! # Sights as data
//! | sight | data |
//! |---|---|
//! | the deal | `{"dealt": {"seat": 0}}` |
//! | a look | `{"look": 0, "card": 3, "colour": "red"}`; `null` for the one who does not see it |
//! | a move | `{"move": 0, "card": 3, "to": [14, 16]}` |
//! | no move | `{"skip": 0}` |
//! | an activation | `{"activate": 0, "hint": ["red", "green"]}` |
//! | a mark | `{"mark": 0, "card": 3, "hint": ["red", "green"]}` |
//! | a stop | `{"stop": 0}` |
//!
//! The sight that ends a match has the colours of the cards too: `"colours": ["red", ..]`.

use super::colour::{CARDS, Colour, Colouring, Colours, Hint};
use super::convention::of_data;
use super::layout::Cell;
use super::rules::{Action, Event, HINTS, SeenAct, Sight, Yokai};
use crate::cards::Card;
use crate::game::{Illegal, Notation, Seat};
use ken_logic::syntax::nearest;
use serde_json::{Map, Value, json};

const VERBS: [&str; 6] = ["look", "move", "skip", "activate", "mark", "stop"];
const OPTIONS: [&str; 4] = ["free_order", "any_time", "oracle", AGREED];
const AGREED: &str = "convention";

impl Notation for Yokai {
    const NAME: &'static str = "yokai";

    fn options(&self) -> Value {
        let mut options = json!({"free_order": self.free_order, "any_time": self.any_time, "oracle": self.oracle});
        if let Some(convention) = &self.convention {
            options[AGREED] = convention.data();
        }
        options
    }

    fn with_options(options: &Value) -> Result<Yokai, Illegal> {
        let empty = Map::new();
        let options = match options {
            Value::Null => &empty,
            Value::Object(map) => map,
            _ => return Err(Illegal::new("options are an object").help(format!("with {}", OPTIONS.join(", ")))),
        };
        let mut convention = None;
        for (key, value) in options {
            match key.as_str() {
                // `ken play` says how many are seated.
                "players" if *value == json!(2) => {}
                "players" => return Err(Illegal::new(format!("two play Yōkai, not {value}"))),
                AGREED => {
                    if !value.is_null() {
                        convention = Some(of_data(value)?);
                    }
                }
                key if OPTIONS.contains(&key) => {
                    if !value.is_boolean() {
                        return Err(Illegal::new(format!("`{key}` is true or false, not {value}")));
                    }
                }
                _ => return Err(unknown("option", key, &OPTIONS)),
            }
        }
        let on = |key: &str| options.get(key).is_some_and(|v| *v == Value::Bool(true));
        Ok(Yokai { free_order: on("free_order"), any_time: on("any_time"), oracle: on("oracle"), convention })
    }

    fn write(&self, action: &Action) -> String {
        match action {
            Action::Look(card) => format!("look {}", number(*card)),
            Action::Move(card, to) => format!("move {} {to}", number(*card)),
            Action::Skip => "skip".to_string(),
            Action::Activate => "activate".to_string(),
            Action::Mark(card, hint) => format!("mark {} {hint}", number(*card)),
            Action::Stop => "stop".to_string(),
        }
    }

    fn read(&self, text: &str) -> Result<Action, Illegal> {
        let mut words = text.split(|c: char| c.is_whitespace() || ",()[]".contains(c)).filter(|w| !w.is_empty());
        let Some(word) = words.next() else {
            return Err(Illegal::new("there is no action").help(format!("begin with {}", VERBS.join(", "))));
        };
        let (verb, rest) = (verb(word)?, words.collect::<Vec<_>>());
        match (verb, &rest[..]) {
            ("look", [card]) => Ok(Action::Look(read_card(card)?)),
            ("look", _) => Err(Illegal::new("a look is at one card").help("as in `look 3`")),
            ("move", [card, row, col]) => {
                Ok(Action::Move(read_card(card)?, Cell::new(coordinate(row)?, coordinate(col)?)))
            }
            ("move", _) => Err(Illegal::new("a move names a card, a row and a column").help("as in `move 3 14,16`")),
            ("mark", [card, hint @ ..]) if !hint.is_empty() => Ok(Action::Mark(read_card(card)?, read_hint(hint)?)),
            ("mark", _) => Err(Illegal::new("a mark names a card and a hint").help("as in `mark 3 rg`")),
            ("skip", []) => Ok(Action::Skip),
            ("activate", []) => Ok(Action::Activate),
            ("stop", []) => Ok(Action::Stop),
            (verb, _) => Err(Illegal::new(format!("`{verb}` stands alone"))),
        }
    }

    fn tell(&self, event: &Event) -> String {
        match event {
            Event::Dealt { colouring, hints } => {
                let hints: [String; HINTS] = hints.map(|h| h.to_string());
                format!("{}; the hints are {}", tell_colours(colouring), hints.join(" "))
            }
            Event::Done { seat, act, end } => tell_done(*seat, act, end.as_ref()),
        }
    }

    fn tell_sight(&self, sight: &Sight) -> String {
        match sight {
            Sight::Dealt { me } => format!("you are seat {me}; the cards lie face down"),
            Sight::Done { seat, act, end } => tell_done(*seat, act, end.as_ref()),
        }
    }

    fn sight_data(&self, sight: &Sight) -> Value {
        let (seat, act, end) = match sight {
            Sight::Dealt { me } => return json!({"dealt": {"seat": me.0}}),
            Sight::Done { seat, act, end } => (seat.0, *act, end),
        };
        let mut data = match act {
            SeenAct::Looked { card, colour } => {
                json!({"look": seat, "card": number(card), "colour": colour.map(Colour::name)})
            }
            SeenAct::Moved { card, to } => json!({"move": seat, "card": number(card), "to": [to.row, to.col]}),
            SeenAct::Skipped => json!({"skip": seat}),
            SeenAct::Activated(hint) => json!({"activate": seat, "hint": hint_data(hint)}),
            SeenAct::Marked { card, hint } => json!({"mark": seat, "card": number(card), "hint": hint_data(hint)}),
            SeenAct::Stopped => json!({"stop": seat}),
        };
        if let Some(colouring) = end {
            data["colours"] = colouring.colours().iter().map(|c| c.name()).collect();
        }
        data
    }
}

/// The number of a card as people count: from 1.
pub fn number(card: Card) -> u8 {
    card.0 + 1
}

/// The card of a number from 1 to 16.
pub fn read_card(word: &str) -> Result<Card, Illegal> {
    match word.parse::<u8>() {
        Ok(n) if (1..=CARDS as u8).contains(&n) => Ok(Card(n - 1)),
        _ => Err(Illegal::new(format!("there is no card `{word}`")).help("the cards are 1 to 16")),
    }
}

/// A hint as data: the names of its colours.
pub fn hint_data(hint: Hint) -> Value {
    hint.iter().map(Colour::name).collect()
}

fn coordinate(word: &str) -> Result<i32, Illegal> {
    word.parse().map_err(|_| {
        Illegal::new(format!("`{word}` is not a row or a column")).help("whole numbers, as in `move 3 14,16`")
    })
}

fn read_hint(words: &[&str]) -> Result<Hint, Illegal> {
    let mut hint = Colours::NONE;
    for word in words {
        let Some(colours) = Colour::read(word).map(Colours::of).or_else(|| Colours::read(word)) else {
            let wrong = Illegal::new(format!("`{word}` is not a hint"));
            return Err(wrong.help("letters of one to three colours: r red, g green, b blue, y yellow"));
        };
        if !hint.and(colours).is_empty() {
            return Err(Illegal::new(format!("`{}` names a colour twice", words.join(" "))));
        }
        hint = hint.iter().chain(colours.iter()).collect();
    }
    match hint.is_hint() {
        true => Ok(hint),
        false => {
            Err(Illegal::new(format!("`{}` is not a hint", words.join(" "))).help("a hint has one to three colours"))
        }
    }
}

fn verb(word: &str) -> Result<&'static str, Illegal> {
    let lower = word.to_lowercase();
    let fit: Vec<&'static str> = VERBS.into_iter().filter(|v| v.starts_with(&lower)).collect();
    match fit[..] {
        [one] => Ok(one),
        [] => Err(unknown("action", word, &VERBS)),
        _ => Err(Illegal::new(format!("`{word}` fits more than one action")).help(fit.join(", "))),
    }
}

fn unknown(kind: &str, word: &str, names: &[&str]) -> Illegal {
    let wrong = Illegal::new(format!("there is no {kind} `{word}`"));
    match nearest(word, names.iter().copied()) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help(format!("there are {}", names.join(", "))),
    }
}

/// The colours of all cards: `red 1 2 3 4, green ..`.
fn tell_colours(colouring: &Colouring) -> String {
    let cards = |c: Colour| colouring.cards(c).iter().map(|c| format!(" {}", number(c))).collect::<String>();
    Colour::ALL.map(|c| format!("{c}{}", cards(c))).join(", ")
}

fn tell_done(seat: Seat, act: &SeenAct, end: Option<&Colouring>) -> String {
    let done = match act {
        SeenAct::Looked { card, colour: Some(colour) } => {
            format!("seat {seat} looks at card {}: {colour}", number(*card))
        }
        SeenAct::Looked { card, colour: None } => format!("seat {seat} looks at card {}", number(*card)),
        SeenAct::Moved { card, to } => format!("seat {seat} moves card {} to {to}", number(*card)),
        SeenAct::Skipped => format!("seat {seat} cannot move a card"),
        SeenAct::Activated(hint) => format!("seat {seat} activates the hint {hint}"),
        SeenAct::Marked { card, hint } => format!("seat {seat} marks card {} with {hint}", number(*card)),
        SeenAct::Stopped => format!("seat {seat} stops"),
    };
    match end {
        Some(colouring) => format!("{done}; the match is over: {}", tell_colours(colouring)),
        None => done,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let game = Yokai::default();
        game.read(text).map(|a| game.write(&a)).map_err(|e| e.to_string())
    }

    #[test]
    fn actions_read_back_in_every_spelling() {
        for text in ["move 3 14,16", "move 3 (14,16)", "MOVE 3 14 16", "mo 3 [14, 16]"] {
            assert_eq!(read(text), Ok("move 3 14,16".into()), "{text}");
        }
        assert_eq!(read("move 16 (-2,-30)"), Ok("move 16 -2,-30".into()));
        for text in ["mark 3 gr", "mark 3 green red", "mark 3 red, G", "ma 3 RG"] {
            assert_eq!(read(text), Ok("mark 3 rg".into()), "{text}");
        }
        assert_eq!(read(" l 7 "), Ok("look 7".into()));
        assert_eq!(read("a"), Ok("activate".into()));
        assert_eq!(read("sk"), Ok("skip".into()));
        assert_eq!(read("Stop"), Ok("stop".into()));
    }

    #[test]
    fn what_cannot_be_read_says_why_and_what_to_try() {
        let wrong = |text: &str| read(text).unwrap_err();
        assert_eq!(wrong(" "), "there is no action (begin with look, move, skip, activate, mark, stop)");
        assert_eq!(wrong("lock 3"), "there is no action `lock` (did you mean `look`?)");
        assert_eq!(wrong("s"), "`s` fits more than one action (skip, stop)");
        assert_eq!(wrong("look"), "a look is at one card (as in `look 3`)");
        assert_eq!(wrong("look 17"), "there is no card `17` (the cards are 1 to 16)");
        assert_eq!(wrong("look 0"), "there is no card `0` (the cards are 1 to 16)");
        assert_eq!(wrong("move 3 14"), "a move names a card, a row and a column (as in `move 3 14,16`)");
        assert_eq!(wrong("move 3 14,c"), "`c` is not a row or a column (whole numbers, as in `move 3 14,16`)");
        assert_eq!(wrong("mark 3"), "a mark names a card and a hint (as in `mark 3 rg`)");
        assert_eq!(
            wrong("mark 3 rx"),
            "`rx` is not a hint (letters of one to three colours: r red, g green, b blue, y yellow)"
        );
        assert_eq!(wrong("mark 3 rgby"), "`rgby` is not a hint (a hint has one to three colours)");
        assert_eq!(wrong("mark 3 red rg"), "`red rg` names a colour twice");
        assert_eq!(wrong("stop now"), "`stop` stands alone");
    }

    #[test]
    fn options_read_back_and_wrong_ones_are_named() {
        assert_eq!(Yokai::with_options(&Value::Null), Ok(Yokai::default()));
        let options = json!({"free_order": true, "any_time": false, "oracle": true});
        assert_eq!(Notation::options(&Yokai::with_options(&options).unwrap()), options);
        assert_eq!(Yokai::with_options(&json!({"players": 2})), Ok(Yokai::default()));
        let wrong = |options: Value| Yokai::with_options(&options).unwrap_err().to_string();
        assert_eq!(wrong(json!({"players": 3})), "two play Yōkai, not 3");
        assert_eq!(wrong(json!({"oracel": true})), "there is no option `oracel` (did you mean `oracle`?)");
        assert_eq!(wrong(json!({"oracle": 1})), "`oracle` is true or false, not 1");
        assert_eq!(wrong(json!([1])), "options are an object (with free_order, any_time, oracle, convention)");
    }
}
