//! The text of both games: what is typed, what stands in the log, and sights as data.
//!
//! | typed | means |
//! |---|---|
//! | `rule TEXT` | the dealer's secret rule, then the deal |
//! | `play 7C` | try a card; `7C` alone will do |
//! | `no play` | show the hand: no card of it is thought to be accepted (Express) |
//! | `discard 7C` | lay a card on the sideline after a right `no play` (Express) |
//! | `guess TEXT` | name the rule |
//! | `pass` | do not guess (Express) |
//!
//! # Sights as data
//! | sight | data |
//! |---|---|
//! | the beginning | `{"begin": {"seat": 0}}` |
//! | the deal | `{"deal": 2, "rule": null, "hands": [["3S", ..], 7, 0], "removed": 0, "flipped": [], "starter": "4C", "stock": 37}` |
//! | a card | `{"play": 0, "card": "7C", "accepted": false, "drawn": 1}` |
//! | a hand shown | `{"no_play": 0, "hand": [..], "laid": null, "drawn": 0}` |
//! | a discard | `{"discard": 0, "card": "7C"}` |
//! | a guess | `{"guess": 0, "rule": "..", "right": false, "drawn": 1}` |
//! | no guess | `{"pass": 0}` |
//!
//! Cards that the seat sees are a list, others a number. The sight that ends a round has also
//! `"end": {"why": "guessed", "seat": 1, "dealer": 2, "rule": "..", "hands": [..], "points": [..], "wrong": [..]}`;
//! a wrong guess is `{"seat", "rule", "line", "card", "accepted"}`, where `line` are cards accepted by both from the
//! line of the guess, or `{"seat", "rule", "after", "card", "accepted"}` for a card that lay on the table after the
//! mainline card `after`; `accepted` is what the rule says.

use super::deck::Deck;
use super::moves::{Action, Cards, Ending, RoundEnd, Sight, What, Witness, WrongGuess};
use super::table::{State, Table, points};
use crate::cards::Card;
use crate::game::{Illegal, Seat};
use ken_logic::syntax::nearest;
use serde_json::{Value, json};

const VERBS: [&str; 6] = ["rule", "play", "no play", "discard", "guess", "pass"];

/// An action as it is typed.
pub fn write(deck: &Deck, action: &Action) -> String {
    match action {
        Action::Rule(text) => format!("rule {text}"),
        Action::Play(card) => format!("play {}", deck.write(*card)),
        Action::NoPlay => "no play".to_string(),
        Action::Discard(card) => format!("discard {}", deck.write(*card)),
        Action::Guess(text) => format!("guess {text}"),
        Action::Pass => "pass".to_string(),
    }
}

/// Reads an action. The text of a rule is read when it is played.
pub fn read(deck: &Deck, text: &str) -> Result<Action, Illegal> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let Some((&verb, rest)) = words.split_first() else {
        return Err(Illegal::new("there is no action").help(format!("begin with {}", VERBS.join(", "))));
    };
    let rule = || match rest.is_empty() || rest.iter().any(|w| w.contains(char::is_control)) {
        false => Ok(rest.join(" ").into()),
        true => Err(Illegal::new(format!("there is no rule after `{verb}`"))),
    };
    let card = || match rest {
        [name] => read_card(deck, name),
        _ => {
            let example = deck.all().lowest().map_or(String::new(), |c| deck.write(c));
            Err(Illegal::new(format!("one card is needed after `{verb}`, not {}", rest.len()))
                .help(format!("as in `{verb} {example}`")))
        }
    };
    let alone = |action: Action| match rest.is_empty() {
        true => Ok(action),
        false => Err(Illegal::new(format!("`{verb}` stands alone"))),
    };
    match verb.to_lowercase().as_str() {
        "rule" => Ok(Action::Rule(rule()?)),
        "guess" => Ok(Action::Guess(rule()?)),
        "play" => Ok(Action::Play(card()?)),
        "discard" => Ok(Action::Discard(card()?)),
        "pass" => alone(Action::Pass),
        "no" if rest.len() == 1 && rest[0].eq_ignore_ascii_case("play") => Ok(Action::NoPlay),
        _ => match deck.read(verb) {
            Some(card) => alone(Action::Play(card)),
            None => {
                let wrong = Illegal::new(format!("there is no action `{verb}`"));
                Err(match nearest(verb, VERBS) {
                    Some(near) => wrong.help(format!("did you mean `{near}`?")),
                    None => wrong.help(format!("there are {}", VERBS.join(", "))),
                })
            }
        },
    }
}

fn read_card(deck: &Deck, name: &str) -> Result<Card, Illegal> {
    deck.read(name).ok_or_else(|| {
        let example = deck.all().iter().last().map_or(String::new(), |c| deck.write(c));
        Illegal::new(format!("there is no card `{name}`")).help(format!("cards are written like `{example}`"))
    })
}

/// Cards one after the other.
pub fn list(deck: &Deck, cards: &[Card]) -> String {
    match cards {
        [] => "nothing".to_string(),
        cards => cards.iter().map(|&c| deck.write(c)).collect::<Vec<_>>().join(" "),
    }
}

fn counted(n: usize) -> String {
    format!("{n} card{}", if n == 1 { "" } else { "s" })
}

fn tell_cards(deck: &Deck, cards: &Cards) -> String {
    match cards {
        Cards::Seen(cards) => list(deck, cards),
        Cards::Hidden(n) => counted(*n),
    }
}

/// What the beginning of a match has hidden, told at its end.
pub fn tell_deal(table: &Table, begun: &Sight) -> String {
    match begun.what {
        What::Begun { shuffles: Some(shuffles), .. } => format!("the cards were shuffled by the number {shuffles}"),
        _ => tell(table, begun),
    }
}

/// The rule and the hands of a round that was broken off.
pub fn tell_hidden(table: &Table, state: &State) -> Option<String> {
    let rule = state.rule()?;
    let hands = Seat::all(table.seats).filter(|&seat| !state.hand(seat).is_empty());
    let hands = hands.map(|seat| format!("seat {seat} holds {}", list(table.deck(), state.hand(seat))));
    Some(format!("the rule was `{}`; {}", rule.text(), hands.collect::<Vec<_>>().join("; ")))
}

/// What happened as a line of text; everything that the sight holds, and nothing else.
/// Rules that are read otherwise today are told with how they are read at this table.
pub fn tell(table: &Table, sight: &Sight) -> String {
    let deck = table.deck();
    let card = |card: Card| deck.write(card);
    let drawn = |drawn: &Cards| match drawn.count() {
        0 => String::new(),
        _ => format!(", and draws {}", tell_cards(deck, drawn)),
    };
    let told = match &sight.what {
        What::Begun { seat: Some(seat), .. } => format!("you are seat {seat}"),
        What::Begun { seat: None, shuffles } => {
            format!("the match begins{}", shuffles.map_or(String::new(), |s| format!(" (shuffles {s})")))
        }
        What::Dealt { dealer, rule, hands, removed, flipped, starter, stock } => {
            let mut told = match rule {
                Some(text) => format!("seat {dealer} deals with the rule {}", named(table, text)),
                None => format!("seat {dealer} chooses a rule and deals"),
            };
            for (seat, hand) in hands.iter().enumerate().filter(|(seat, _)| *seat != dealer.index()) {
                told += &format!("; seat {seat} has {}", tell_cards(deck, hand));
            }
            if removed.count() > 0 {
                told += &format!("; {} set aside", tell_cards(deck, removed));
            }
            if !flipped.is_empty() {
                told += &format!("; {} cannot begin", list(deck, flipped));
            }
            if *stock > 0 {
                told += &format!("; {} to draw", counted(*stock));
            }
            format!("{told}; the starter is {}", card(*starter))
        }
        What::Played { seat, card: played, accepted: true, drawn: cards } => {
            format!("seat {seat} plays {}: accepted{}", card(*played), drawn(cards))
        }
        What::Played { seat, card: played, accepted: false, drawn: cards } => {
            format!("seat {seat} plays {}: refused{}", card(*played), drawn(cards))
        }
        What::NoPlay { seat, hand, laid, drawn: cards } => {
            let shown = format!("seat {seat} has no play and shows {}", list(deck, hand));
            match laid {
                None => format!("{shown}: right"),
                Some(laid) => {
                    format!(
                        "{shown}: wrong, the dealer lays {} and seat {seat} draws {}",
                        card(*laid),
                        tell_cards(deck, cards)
                    )
                }
            }
        }
        What::Discarded { seat, card: laid } => format!("seat {seat} discards {}", card(*laid)),
        What::Guessed { seat, rule: text, right, drawn: cards } => {
            let verdict = if *right { "right" } else { "wrong" };
            format!("seat {seat} guesses {}: {verdict}{}", named(table, text), drawn(cards))
        }
        What::Passed { seat } => format!("seat {seat} does not guess"),
    };
    match &sight.end {
        None => told,
        Some(end) => format!("{told}; {}", tell_end(table, end)),
    }
}

/// A rule by its text.
fn named(table: &Table, text: &str) -> String {
    let note = table.menu().note(text);
    format!("`{text}`{}", note.map_or(String::new(), |note| format!(" ({note})")))
}

fn tell_end(table: &Table, end: &RoundEnd) -> String {
    let deck = table.deck();
    let why = match end.ending {
        Ending::Guessed(seat) => format!("seat {seat} has found the rule"),
        Ending::Exhausted => "the last card is drawn".to_string(),
        Ending::Out(seat) => format!("seat {seat} has no cards left"),
        Ending::Moves => "the last judgement is made".to_string(),
    };
    let mut told = format!("the round is over: {why}; the rule was {}", named(table, &end.rule));
    for wrong in &end.wrong {
        told += &format!("; {}", tell_wrong(deck, wrong));
    }
    for (seat, hand) in end.hands.iter().enumerate() {
        let kept = if seat == end.dealer.index() { "dealt".to_string() } else { format!("kept {}", list(deck, hand)) };
        told += &format!("; seat {seat} {kept}: {}", points(end.points[seat]));
    }
    told
}

/// Why a guess was wrong, in words.
pub fn tell_wrong(deck: &Deck, WrongGuess { seat, rule, witness }: &WrongGuess) -> String {
    let (place, card, accepted) = match witness {
        Witness::Table { after, card, accepted } => (format!("card {} of the mainline", after + 1), card, *accepted),
        Witness::Ahead { line, card, accepted } => match line[..] {
            [] => ("that line".to_string(), card, *accepted),
            _ => (format!("that line and {}", list(deck, line)), card, *accepted),
        },
    };
    let verdict = if accepted { "accepts" } else { "refuses" };
    format!(
        "seat {seat}'s guess `{rule}` was wrong: after {place} the rule {verdict} {} and the guess does not",
        deck.write(*card)
    )
}

/// A sight as data.
pub fn data(deck: &Deck, sight: &Sight) -> Value {
    let name = |card: &Card| deck.write(*card);
    let names = |cards: &[Card]| -> Value { cards.iter().map(name).collect() };
    let cards = |cards: &Cards| match cards {
        Cards::Seen(cards) => names(cards),
        Cards::Hidden(n) => json!(n),
    };
    let mut data = match &sight.what {
        What::Begun { seat, .. } => json!({"begin": {"seat": seat.map(|s| s.0)}}),
        What::Dealt { dealer, rule, hands, removed, flipped, starter, stock } => json!({
            "deal": dealer.0, "rule": rule.as_deref(), "hands": hands.iter().map(cards).collect::<Vec<_>>(),
            "removed": cards(removed), "flipped": names(flipped), "starter": name(starter),
            "stock": stock,
        }),
        What::Played { seat, card, accepted, drawn } => {
            json!({"play": seat.0, "card": name(card), "accepted": accepted, "drawn": cards(drawn)})
        }
        What::NoPlay { seat, hand, laid, drawn } => {
            json!({"no_play": seat.0, "hand": names(hand), "laid": laid.as_ref().map(name), "drawn": cards(drawn)})
        }
        What::Discarded { seat, card } => json!({"discard": seat.0, "card": name(card)}),
        What::Guessed { seat, rule, right, drawn } => {
            json!({"guess": seat.0, "rule": **rule, "right": right, "drawn": cards(drawn)})
        }
        What::Passed { seat } => json!({"pass": seat.0}),
    };
    if let Some(end) = &sight.end {
        let (why, seat) = match end.ending {
            Ending::Guessed(seat) => ("guessed", Some(seat.0)),
            Ending::Exhausted => ("exhausted", None),
            Ending::Out(seat) => ("out", Some(seat.0)),
            Ending::Moves => ("moves", None),
        };
        let wrong = |WrongGuess { seat, rule, witness }: &WrongGuess| match witness {
            Witness::Table { after, card, accepted } => {
                json!({"seat": seat.0, "rule": **rule, "after": after, "card": name(card), "accepted": accepted})
            }
            Witness::Ahead { line, card, accepted } => {
                json!({"seat": seat.0, "rule": **rule, "line": names(line), "card": name(card), "accepted": accepted})
            }
        };
        data["end"] = json!({
            "why": why, "seat": seat, "dealer": end.dealer.0, "rule": *end.rule,
            "hands": end.hands.iter().map(|h| names(h)).collect::<Vec<_>>(), "points": end.points,
            "wrong": end.wrong.iter().map(wrong).collect::<Vec<_>>(),
        });
    }
    data
}
