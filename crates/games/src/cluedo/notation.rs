//! The text of Cluedo: what is typed, what stands in the log, and sights as data.
//!
//! | typed | means |
//! |---|---|
//! | `suggest plum rope hall` | ask for one card of each category |
//! | `show rope` | show a suggested card to the asker |
//! | `accuse plum rope hall` | say what lies in the envelope |
//! | `end` | end the turn without accusing |
//!
//! Cards come in any order, with commas or blanks between; letter case does not matter, and the beginning of a word will
//! do where it fits only one.
//!
//! # Options
//! `{"players": 6, "endmove": "silent", "turns": 600, "deck": {"suspects": [..], ..}}`: 2 to 6 players, `silent` or
//! `ignorance`, the turns after which a match ends without a winner. All may be left out; the deck is left out when it is
//! the classic one.
//!
//! # Sights as data
//! | sight | data |
//! |---|---|
//! | the deal | `{"dealt": {"seat": 0, "hand": ["plum", ..], "hand_sizes": [3, ..]}}` |
//! | a suggestion | `{"ask": 1, "cards": [..], "passed": [2, 3], "shown_by": 4}`; `null` if nobody answers |
//! | a card shown | `{"show": 4, "to": 1, "card": "rope"}`; `null` for those who do not see it |
//! | an accusation | `{"accuse": 2, "cards": [..], "correct": false, "envelope": [..]}`; `null` for those who do not see it |
//! | the end of a turn | `{"end": 3}` |

use super::deck::Deck;
use super::rules::{Action, Cluedo, Endmove, Event, Sight, TURNS, passed};
use crate::cards::{Card, CardSet};
use crate::game::{Game, Illegal, Notation, Seat};
use ken_logic::syntax::nearest;
use serde_json::{Value, json};
use std::sync::Arc;

const VERBS: [&str; 4] = ["suggest", "show", "accuse", "end"];
const OPTIONS: [&str; 4] = ["players", "endmove", "turns", "deck"];

/// How many play, unless the options say otherwise.
const DEFAULT_PLAYERS: u8 = 6;

impl Notation for Cluedo {
    const NAME: &'static str = "cluedo";

    fn options(&self) -> Value {
        let mut options = json!({"players": self.seats(), "endmove": self.endmove().name(), "turns": self.turns()});
        if **self.deck() != Deck::classic() {
            options["deck"] = self.deck().to_data();
        }
        options
    }

    fn with_options(options: &Value) -> Result<Cluedo, Illegal> {
        let empty = serde_json::Map::new();
        let options = match options {
            Value::Null => &empty,
            Value::Object(map) => map,
            _ => return Err(Illegal::new("options are an object").help(format!("with {}", OPTIONS.join(", ")))),
        };
        if let Some(unknown) = options.keys().find(|k| !OPTIONS.contains(&k.as_str())) {
            return Err(unknown_word("option", unknown, OPTIONS));
        }
        let number = |key: &str, default: u32, from: u32, to: u32| match options.get(key) {
            None => Ok(default),
            Some(value) => match value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| (from..=to).contains(n))
            {
                Some(n) => Ok(n),
                None => Err(Illegal::new(format!("`{key}` is a number from {from} to {to}, not {value}"))),
            },
        };
        let players = number("players", DEFAULT_PLAYERS.into(), 2, 6)? as u8;
        let turns = number("turns", TURNS, 1, MAX_TURNS)?;
        let endmove = match options.get("endmove") {
            None => Endmove::Silent,
            Some(value) => Endmove::ALL
                .into_iter()
                .find(|e| value.as_str() == Some(e.name()))
                .ok_or_else(|| Illegal::new(format!("`endmove` is \"silent\" or \"ignorance\", not {value}")))?,
        };
        let deck = options.get("deck").map_or_else(|| Ok(Deck::classic()), Deck::from_data)?;
        Ok(Cluedo::new(Arc::new(deck), players)?.with_endmove(endmove).with_turns(turns))
    }

    fn write(&self, action: &Action) -> String {
        match *action {
            Action::Suggest(cards) => format!("suggest {}", self.deck().names(cards)),
            Action::Show(card) => format!("show {}", self.deck().name(card)),
            Action::Accuse(cards) => format!("accuse {}", self.deck().names(cards)),
            Action::End => "end".to_string(),
        }
    }

    fn read(&self, text: &str) -> Result<Action, Illegal> {
        let mut words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
        let Some(word) = words.next() else {
            return Err(Illegal::new("there is no action").help(format!("begin with {}", VERBS.join(", "))));
        };
        let verb = VERBS[choose("action", word, &VERBS)?];
        let cards: Vec<Card> = words.map(|w| card(self.deck(), w)).collect::<Result<_, _>>()?;
        match verb {
            "suggest" => Ok(Action::Suggest(triple(self.deck(), &cards)?)),
            "accuse" => Ok(Action::Accuse(triple(self.deck(), &cards)?)),
            "show" => match cards[..] {
                [card] => Ok(Action::Show(card)),
                _ => Err(Illegal::new(format!("one card is shown, not {}", cards.len())).help("as in `show rope`")),
            },
            _ => match cards.is_empty() {
                true => Ok(Action::End),
                false => Err(Illegal::new("`end` stands alone")),
            },
        }
    }

    fn tell(&self, event: &Event) -> String {
        match event {
            Event::Dealt { envelope, hands } => {
                let hand = |(seat, hand): (usize, &Vec<Card>)| format!("; seat {seat} holds {}", self.list(hand));
                let hands: String = hands.iter().enumerate().map(hand).collect();
                format!("the envelope holds {}{hands}", self.deck().names(*envelope))
            }
            &Event::Asked { asker, cards, answer } => self.tell_asked(asker, cards, answer),
            &Event::Shown { by, to, card } => self.tell_shown(by, to, Some(card)),
            &Event::Accused { seat, cards, envelope } => {
                self.tell_accused(seat, cards, cards == envelope, Some(envelope))
            }
            &Event::Ended { seat } => tell_ended(seat),
        }
    }

    fn tell_sight(&self, sight: &Sight) -> String {
        match sight {
            Sight::Dealt { seat, hand, sizes } => {
                let sizes: Vec<String> = sizes.iter().map(u8::to_string).collect();
                format!("you are seat {seat} and hold {}; the hands have {} cards", self.list(hand), sizes.join(" "))
            }
            &Sight::Asked { asker, cards, answer } => self.tell_asked(asker, cards, answer),
            &Sight::Shown { by, to, card } => self.tell_shown(by, to, card),
            &Sight::Accused { seat, cards, correct, envelope } => self.tell_accused(seat, cards, correct, envelope),
            &Sight::Ended { seat } => tell_ended(seat),
        }
    }

    fn sight_data(&self, sight: &Sight) -> Value {
        let name = |card: Card| self.deck().name(card);
        let names = |cards: CardSet| cards.iter().map(name).collect::<Vec<_>>();
        match sight {
            Sight::Dealt { seat, hand, sizes } => {
                let hand: Vec<&str> = hand.iter().map(|&c| name(c)).collect();
                json!({"dealt": {"seat": seat.0, "hand": hand, "hand_sizes": sizes}})
            }
            &Sight::Asked { asker, cards, answer } => {
                let passed: Vec<u8> = passed(asker, answer, self.seats()).map(|s| s.0).collect();
                json!({"ask": asker.0, "cards": names(cards), "passed": passed, "shown_by": answer.map(|s| s.0)})
            }
            &Sight::Shown { by, to, card } => json!({"show": by.0, "to": to.0, "card": card.map(name)}),
            &Sight::Accused { seat, cards, correct, envelope } => {
                json!({"accuse": seat.0, "cards": names(cards), "correct": correct, "envelope": envelope.map(names)})
            }
            &Sight::Ended { seat } => json!({"end": seat.0}),
        }
    }
}

/// More turns than anybody plays, and few enough that the bound of a match is a number.
const MAX_TURNS: u32 = 1_000_000;

impl Cluedo {
    fn list(&self, cards: &[Card]) -> String {
        cards.iter().map(|&c| self.deck().name(c)).collect::<Vec<_>>().join(" ")
    }

    fn tell_asked(&self, asker: Seat, cards: CardSet, answer: Option<Seat>) -> String {
        let passed: Vec<String> = passed(asker, answer, self.seats()).map(|s| s.to_string()).collect();
        let answer = match (answer, passed.len()) {
            (None, _) => "nobody answers".to_string(),
            (Some(by), 0) => format!("seat {by} answers"),
            (Some(by), 1) => format!("seat {} passes, seat {by} answers", passed[0]),
            (Some(by), _) => format!("seats {} pass, seat {by} answers", passed.join(" ")),
        };
        format!("seat {asker} suggests {}: {answer}", self.deck().names(cards))
    }

    fn tell_shown(&self, by: Seat, to: Seat, card: Option<Card>) -> String {
        let card = card.map_or("a card", |c| self.deck().name(c));
        format!("seat {by} shows {card} to seat {to}")
    }

    fn tell_accused(&self, seat: Seat, cards: CardSet, correct: bool, envelope: Option<CardSet>) -> String {
        let said = format!("seat {seat} accuses {}", self.deck().names(cards));
        match (correct, envelope) {
            (true, _) => format!("{said}: right, seat {seat} wins"),
            (false, Some(envelope)) => format!("{said}: wrong, the envelope holds {}", self.deck().names(envelope)),
            (false, None) => format!("{said}: wrong"),
        }
    }
}

fn tell_ended(seat: Seat) -> String {
    format!("seat {seat} ends the turn")
}

/// The card that a word means: its name, else its name in other letter case, else the one name that begins so.
fn card(deck: &Deck, word: &str) -> Result<Card, Illegal> {
    let names: Vec<&str> = deck.cards().iter().map(|c| deck.name(c)).collect();
    choose("card", word, &names).map(|i| Card(i as u8))
}

fn choose(kind: &str, word: &str, names: &[&str]) -> Result<usize, Illegal> {
    if let Some(exact) = names.iter().position(|n| *n == word) {
        return Ok(exact);
    }
    let word = word.to_lowercase();
    let fit = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..names.len()).filter(|&i| test(&names[i].to_lowercase())).collect()
    };
    let mut found = fit(&|n| n == word);
    if found.is_empty() {
        found = fit(&|n| n.starts_with(&word));
    }
    match found[..] {
        [one] => Ok(one),
        [] => Err(unknown_word(kind, &word, names.iter().copied())),
        _ => {
            let found: Vec<&str> = found.iter().map(|&i| names[i]).collect();
            Err(Illegal::new(format!("`{word}` fits more than one {kind}")).help(found.join(", ")))
        }
    }
}

fn unknown_word<'a>(kind: &str, word: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> Illegal {
    let wrong = Illegal::new(format!("there is no {kind} `{word}`"));
    match nearest(word, names.clone()) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help(format!("there are {}", names.into_iter().collect::<Vec<_>>().join(", "))),
    }
}

/// One card of each category, or which categories have none or too many.
fn triple(deck: &Deck, cards: &[Card]) -> Result<CardSet, Illegal> {
    let mut set = CardSet::EMPTY;
    for &card in cards {
        if set.has(card) {
            return Err(Illegal::new(format!("`{}` is there twice", deck.name(card))));
        }
        set = set.with(card);
    }
    for category in 0..deck.categories() {
        let named = set.and(deck.category(category));
        let name = deck.category_name(category);
        let wrong = match named.len() {
            0 => format!("there is none of the {name}"),
            1 => continue,
            _ => format!("{} are all {name}", deck.names(named).replace(' ', ", ")),
        };
        return Err(Illegal::new(wrong).help("one card of each category is needed"));
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let game = Cluedo::classic(6);
        game.read(text).map(|a| game.write(&a)).map_err(|e| e.to_string())
    }

    #[test]
    fn cards_come_in_any_order_and_case_and_may_be_shortened() {
        let whole = Ok("suggest plum rope hall".to_string());
        for text in ["suggest plum rope hall", "SUGGEST hall, Rope,plum", " sug  pl,\trop ha ", "su hall plum ROPE"] {
            assert_eq!(read(text), whole, "{text}");
        }
        assert_eq!(read("e"), Ok("end".into()));
        assert_eq!(read("a gre dag s"), Err("`s` fits more than one card (scarlett, study)".into()));
    }

    #[test]
    fn what_cannot_be_read_says_why_and_what_is_near() {
        let wrong = |text: &str| read(text).unwrap_err();
        assert_eq!(wrong("sugest plum rope hall"), "there is no action `sugest` (did you mean `suggest`?)");
        assert_eq!(wrong("suggest plum roope hall"), "there is no card `roope` (did you mean `rope`?)");
        assert_eq!(wrong("s plum"), "`s` fits more than one action (suggest, show)");
        assert_eq!(wrong("suggest plum rope"), "there is none of the rooms (one card of each category is needed)");
        assert_eq!(
            wrong("accuse plum green hall rope"),
            "plum, green are all suspects (one card of each category is needed)"
        );
        assert_eq!(wrong("accuse plum plum rope"), "`plum` is there twice");
        assert_eq!(wrong("show"), "one card is shown, not 0 (as in `show rope`)");
        assert_eq!(wrong("end plum"), "`end` stands alone");
        assert_eq!(wrong(" ,"), "there is no action (begin with suggest, show, accuse, end)");
    }

    #[test]
    fn options_read_back_and_have_defaults() {
        assert_eq!(Cluedo::with_options(&Value::Null), Ok(Cluedo::classic(6)));
        let text =
            r#"{"players": 2, "endmove": "ignorance", "turns": 9, "deck": {"who": ["a", "b"], "how": ["c", "d"]}}"#;
        let options: Value = serde_json::from_str(text).unwrap();
        let game = Cluedo::with_options(&options).unwrap();
        assert_eq!(game.options(), options);
        assert!(Cluedo::classic(3).options().get("deck").is_none(), "the classic deck need not be said");
    }

    #[test]
    fn wrong_options_name_the_option() {
        let wrong = |options: Value| Cluedo::with_options(&options).unwrap_err().to_string();
        assert_eq!(wrong(json!({"player": 3})), "there is no option `player` (did you mean `players`?)");
        assert_eq!(wrong(json!({"players": 7})), "`players` is a number from 2 to 6, not 7");
        assert_eq!(wrong(json!({"turns": 0})), "`turns` is a number from 1 to 1000000, not 0");
        assert_eq!(wrong(json!({"endmove": "loud"})), "`endmove` is \"silent\" or \"ignorance\", not \"loud\"");
        assert_eq!(wrong(json!([6])), "options are an object (with players, endmove, turns, deck)");
    }
}
