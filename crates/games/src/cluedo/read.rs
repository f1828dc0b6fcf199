//! Positions in JSON: what one seat has seen, as a file says it.
//!
//! All problems of a file are found at once, each with its place; those of an event say which one, counted from 1.

use super::deck::Deck;
use super::position::{Observed, Position};
use super::rules::{PLAYERS, passed};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use ken_logic::syntax::{Code, Diagnostic, Json, JsonKind, Span, json_with_places, nearest};
use ken_logic::text::plural;
use serde_json::{Value, json};
use std::sync::Arc;

/// Reads a position:
/// `{"deck": {..}, "hand_sizes": [3, ..], "observer": 0, "hand": ["plum", ..], "events": [{"ask": 1, ..}, ..]}`.
///
/// What it returns makes sense event by event; whether some deal fits all of it is another question.
pub fn position(text: &str) -> Result<Position, Vec<Diagnostic>> {
    let json = json_with_places(text).map_err(|problem| vec![*problem])?;
    let mut reader = Reader { problems: Vec::new(), event: None };
    match reader.position(&json) {
        Some(position) if reader.problems.is_empty() => Ok(position),
        _ => Err(reader.problems),
    }
}

/// The position as data; [`position`] reads it back.
pub fn position_data(position: &Position) -> Value {
    let deck = position.deck();
    let list = |cards: CardSet| -> Value { cards.iter().map(|c| deck.name(c)).collect() };
    let event = |event: &Observed| match *event {
        Observed::Ask { asker, cards, answer, shown } => {
            let passed: Vec<u8> = passed(asker, answer, position.seats()).map(|s| s.0).collect();
            let by = answer.map(|s| s.0);
            let mut data = json!({"ask": asker.0, "cards": list(cards), "passed": passed, "shown_by": by});
            if let Some(card) = shown {
                data["shown"] = deck.name(card).into();
            }
            data
        }
        Observed::Accuse { seat, cards, correct, envelope } => {
            let mut data = json!({"accuse": seat.0, "cards": list(cards), "correct": correct});
            if let Some(seen) = envelope {
                data["envelope"] = list(seen);
            }
            data
        }
        Observed::Endmove { seat } => json!({"endmove": seat.0}),
    };
    let mut events: Vec<Value> = position.events().iter().map(event).collect();
    if let (true, Some(last)) = (position.is_pending(), events.last_mut()) {
        last["pending"] = true.into();
    }
    let mut data = json!({
        "hand_sizes": position.sizes(),
        "observer": position.observer().0,
        "hand": list(position.hand()),
        "events": events,
    });
    if **deck != Deck::classic() {
        data["deck"] = deck.to_data();
    }
    data
}

type Members = [(String, Span, Json)];

const KEYS: &[&str] = &["deck", "hand_sizes", "observer", "hand", "events"];
const ASK: &[&str] = &["ask", "cards", "passed", "shown_by", "shown", "pending"];
const ACCUSE: &[&str] = &["accuse", "cards", "correct", "envelope"];
const ENDMOVE: &[&str] = &["endmove"];

struct Reader {
    problems: Vec<Diagnostic>,
    /// The event that is being read, counted from 1.
    event: Option<usize>,
}

/// What the events need to know of the rest; what could not be read is missing.
struct Table {
    deck: Arc<Deck>,
    sizes: Option<Vec<u8>>,
    observer: Option<Seat>,
    hand: Option<CardSet>,
}

impl Reader {
    fn report(&mut self, code: Code, span: Span, message: impl AsRef<str>, label: impl Into<String>) {
        let message = match self.event {
            Some(n) => format!("event {n}: {}", message.as_ref()),
            None => message.as_ref().to_string(),
        };
        self.problems.push(Diagnostic::new(code, span, message).label(label));
    }

    fn help(&mut self, help: Option<String>) {
        self.problems.last_mut().expect("a problem was reported").help = help;
    }

    fn shape(&mut self, span: Span, wanted: &str) {
        self.report(Code::Shape, span, format!("expected {wanted}"), "not this");
    }

    fn object<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j Members> {
        match &json.kind {
            JsonKind::Object(members) => Some(members),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    fn list<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j [Json]> {
        match &json.kind {
            JsonKind::List(items) => Some(items),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    fn text<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j str> {
        match &json.kind {
            JsonKind::Text(text) => Some(text),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    fn number(&mut self, json: &Json, wanted: &str) -> Option<u8> {
        match json.kind {
            JsonKind::Number(n) if n.fract() == 0.0 && (0.0..256.0).contains(&n) => Some(n as u8),
            _ => {
                self.shape(json.span, wanted);
                None
            }
        }
    }

    fn keys(&mut self, members: &Members, known: &[&str], what: &str) {
        for (key, span, _) in members {
            if !known.contains(&key.as_str()) {
                self.report(Code::Shape, *span, format!("unknown key `{key}`"), format!("not part of {what}"));
                let free = known.iter().copied().filter(|k| find(members, k).is_none());
                self.help(nearest(key, free).map(|near| format!("did you mean `{near}`?")));
            }
        }
    }

    fn need<'j>(&mut self, members: &'j Members, key: &str, span: Span, help: &str) -> Option<&'j Json> {
        let found = find(members, key);
        if found.is_none() {
            self.report(Code::Missing, span, format!("`{key}` is missing"), "needed here");
            self.help(Some(help.to_string()));
        }
        found
    }

    fn position(&mut self, json: &Json) -> Option<Position> {
        let members =
            self.object(json, "a position: an object with \"hand_sizes\", \"observer\", \"hand\", \"events\"")?;
        self.keys(members, KEYS, "a position");
        let start = Span { end: json.span.start + 1, ..json.span };
        let deck = match find(members, "deck") {
            Some(deck) => self.deck(deck)?,
            None => Arc::new(Deck::classic()),
        };
        let sizes = self.need(members, "hand_sizes", start, "how many cards each seat holds, such as [3,3,3,3,3,3]");
        let sizes = sizes.and_then(|sizes| self.sizes(sizes, &deck));
        let observer = self.need(members, "observer", start, "the seat whose eyes these are, counted from 0");
        let observer = observer.and_then(|observer| self.seat(observer, sizes.as_deref()));
        let hand = self.need(members, "hand", start, "the cards that the observer holds");
        let hand = hand.and_then(|hand| {
            let cards = self.cards(hand, &deck)?;
            let (me, size) = (observer?, sizes.as_ref()?.get(observer?.index())?);
            if cards.len() != *size as usize {
                let held = cards.len();
                let message = format!("the hand has {}, but seat {me} holds {size}", plural(held, "card"));
                self.report(Code::Number, hand.span, message, "this hand");
            }
            Some(cards)
        });
        let table = Table { deck, sizes, observer, hand };
        let events = self.need(members, "events", start, "what was seen, in order; [] for nothing yet");
        let events = events.and_then(|events| self.list(events, "a list of events")).unwrap_or_default();
        let mut position = table.position();
        for (i, event) in events.iter().enumerate() {
            self.event = Some(i + 1);
            let Some((observed, span)) = self.event(event, &table) else { continue };
            let pending = self.pending(event, i + 1 == events.len());
            let pushed = position.as_mut().map(|p| {
                p.push(observed)?;
                if pending { p.not_shown_yet() } else { Ok(()) }
            });
            if let Some(Err(wrong)) = pushed {
                self.report(Code::Shape, span, wrong.message, "cannot be");
                self.help(wrong.help);
            }
        }
        position
    }

    /// Whether the event is a question whose card is still to be shown; only the last one can be.
    fn pending(&mut self, event: &Json, last: bool) -> bool {
        let JsonKind::Object(members) = &event.kind else { return false };
        let Some(json) = find(members, "pending") else { return false };
        match json.kind {
            JsonKind::Bool(false) => false,
            JsonKind::Bool(true) if last => true,
            JsonKind::Bool(true) => {
                self.report(
                    Code::Shape,
                    json.span,
                    "`pending` cannot be here: more has happened since",
                    "leave it out",
                );
                false
            }
            _ => {
                self.shape(json.span, "true or false");
                false
            }
        }
    }

    fn deck(&mut self, json: &Json) -> Option<Arc<Deck>> {
        let members = self.object(json, "a deck: category names, each with a list of card names")?;
        let before = self.problems.len();
        let mut categories = Vec::new();
        let mut seen: Vec<&str> = Vec::new();
        for (category, _, cards) in members {
            let mut names = Vec::new();
            for card in self.list(cards, "a list of card names").unwrap_or_default() {
                let Some(name) = self.text(card, "the name of a card") else { continue };
                if seen.contains(&name) {
                    self.report(Code::Duplicate, card.span, format!("the card `{name}` is there twice"), "again here");
                    continue;
                }
                seen.push(name);
                names.push(name.to_string());
            }
            categories.push((category.clone(), names));
        }
        if self.problems.len() > before {
            return None;
        }
        match Deck::new(categories) {
            Ok(deck) => Some(Arc::new(deck)),
            Err(wrong) => {
                self.report(Code::Shape, json.span, wrong.message, "this deck");
                self.help(wrong.help);
                None
            }
        }
    }

    fn sizes(&mut self, json: &Json, deck: &Deck) -> Option<Vec<u8>> {
        let items = self.list(json, "a list of hand sizes, one for each seat")?;
        let sizes: Vec<Option<u8>> = items.iter().map(|n| self.number(n, "the number of cards of a seat")).collect();
        let sizes = sizes.into_iter().collect::<Option<Vec<u8>>>()?;
        if !PLAYERS.contains(&u8::try_from(sizes.len()).unwrap_or(u8::MAX)) {
            self.report(Code::Number, json.span, format!("2 to 6 can play, not {}", sizes.len()), "one for each seat");
            return None;
        }
        let dealt: usize = sizes.iter().map(|&n| n as usize).sum();
        let (cards, envelope) = (deck.len(), deck.categories());
        if dealt + envelope != cards {
            let message = format!("the hands have {dealt} cards, but {} are dealt", cards - envelope);
            self.report(Code::Number, json.span, message, "they do not add up");
            self.help(Some(format!("the deck has {cards} cards, and {envelope} of them lie in the envelope")));
        }
        Some(sizes)
    }

    fn seat(&mut self, json: &Json, sizes: Option<&[u8]>) -> Option<Seat> {
        let seat = self.number(json, "a seat, counted from 0")?;
        match sizes {
            Some(sizes) if seat as usize >= sizes.len() => {
                let last = sizes.len() - 1;
                self.report(Code::UnknownName, json.span, format!("there is no seat {seat}"), "nobody sits there");
                self.help(Some(format!("the seats are 0 to {last}")));
                None
            }
            _ => Some(Seat(seat)),
        }
    }

    fn card(&mut self, json: &Json, deck: &Deck) -> Option<Card> {
        let name = self.text(json, "the name of a card")?;
        match deck.card(name) {
            Ok(card) => Some(card),
            Err(wrong) => {
                self.report(Code::UnknownName, json.span, wrong.message, "not in the deck");
                self.help(wrong.help);
                None
            }
        }
    }

    fn cards(&mut self, json: &Json, deck: &Deck) -> Option<CardSet> {
        let mut cards = CardSet::EMPTY;
        let mut whole = true;
        for item in self.list(json, "a list of cards")? {
            match self.card(item, deck) {
                Some(card) if cards.has(card) => {
                    let message = format!("the card `{}` is there twice", deck.name(card));
                    self.report(Code::Duplicate, item.span, message, "again here");
                    whole = false;
                }
                Some(card) => cards = cards.with(card),
                None => whole = false,
            }
        }
        whole.then_some(cards)
    }

    fn triple(&mut self, json: &Json, deck: &Deck) -> Option<CardSet> {
        let cards = self.cards(json, deck)?;
        for category in 0..deck.categories() {
            let (found, name) = (deck.category(category).and(cards), deck.category_name(category));
            let message = match found.len() {
                0 => format!("no card of `{name}`"),
                1 => continue,
                n => format!("{n} cards of `{name}`: {}", deck.names(found)),
            };
            self.report(Code::Shape, json.span, message, "one card of each category is needed");
        }
        deck.is_triple(cards).then_some(cards)
    }

    /// The observation, and the place to show if it does not fit.
    fn event(&mut self, json: &Json, table: &Table) -> Option<(Observed, Span)> {
        const WANTED: &str = "an event: an object with \"ask\", \"accuse\" or \"endmove\"";
        let members = self.object(json, WANTED)?;
        let kinds: Vec<(&str, Span)> = members
            .iter()
            .filter(|(key, _, _)| ["ask", "accuse", "endmove"].contains(&key.as_str()))
            .map(|(key, span, _)| (key.as_str(), *span))
            .collect();
        match kinds[..] {
            [("ask", key)] => self.ask(members, key, table),
            [("accuse", key)] => self.accuse(members, key, table),
            [(_, key)] => {
                self.keys(members, ENDMOVE, "the end of a turn");
                let seat = self.seat(find(members, "endmove")?, table.sizes.as_deref())?;
                Some((Observed::Endmove { seat }, key))
            }
            [] => {
                self.shape(json.span, WANTED);
                let near = members.iter().find_map(|(key, _, _)| nearest(key, ["ask", "accuse", "endmove"]));
                self.help(near.map(|near| format!("did you mean `{near}`?")));
                None
            }
            [(first, _), (second, span), ..] => {
                self.report(Code::Shape, span, format!("both `{first}` and `{second}`"), "an event is one thing");
                None
            }
        }
    }

    fn ask(&mut self, members: &Members, key: Span, table: &Table) -> Option<(Observed, Span)> {
        self.keys(members, ASK, "a question");
        let sizes = table.sizes.as_deref();
        let asker = self.seat(find(members, "ask")?, sizes);
        let cards = self.need(members, "cards", key, "the cards asked for, one of each category");
        let cards = cards.and_then(|cards| self.triple(cards, &table.deck));
        let by = self.need(members, "shown_by", key, "the seat that showed a card; null if nobody did");
        let answer = by.and_then(|by| match by.kind {
            JsonKind::Null => Some(None),
            _ => self.seat(by, sizes).map(Some),
        });
        let list = self.need(members, "passed", key, "the seats that passed, in order; [] if none did");
        if let (Some(seat), Some(Some(by)), Some(json)) = (asker, answer, by)
            && seat == by
        {
            let message = format!("seat {seat} cannot answer its own question");
            self.report(Code::Shape, json.span, message, "the asker");
            return None;
        }
        let passes = list.and_then(|list| self.passes(list, asker, answer, table));
        let shown = find(members, "shown");
        let card = shown.and_then(|shown| self.card(shown, &table.deck));
        let (asker, cards, answer, passes, me) = (asker?, cards?, answer?, passes?, table.observer?);
        let pending = matches!(find(members, "pending"), Some(Json { kind: JsonKind::Bool(true), .. }));
        let saw = !pending && answer.is_some_and(|by| by == me || asker == me);
        match (saw, shown) {
            (true, None) => {
                let message = format!("`shown` is missing: seat {me}, the observer, saw the card");
                self.report(Code::Missing, by?.span, message, "which card?");
                return None;
            }
            (false, Some(shown)) => {
                let why = match answer {
                    _ if pending => "the card is still to be shown".to_string(),
                    None => "nobody showed a card".to_string(),
                    Some(by) => format!("seat {by} showed it to seat {asker}, and seat {me} did not see which it was"),
                };
                self.report(Code::Shape, shown.span, format!("`shown` cannot be here: {why}"), "leave it out");
                return None;
            }
            (true, Some(_)) | (false, None) => {}
        }
        if let (Some(card), Some(shown)) = (card, shown)
            && !cards.has(card)
        {
            let message = format!("`{}` was shown but not asked for", table.deck.name(card));
            self.report(Code::Shape, shown.span, message, "not among the cards");
            self.help(Some(format!("the cards are {}", table.deck.names(cards))));
            return None;
        }
        if saw && card.is_none() {
            return None;
        }
        // What can still be wrong is about the observer's own hand.
        let place = if passes { list } else { shown };
        Some((Observed::Ask { asker, cards, answer, shown: card }, place.map_or(key, |json| json.span)))
    }

    /// Whether the observer passed, if the seats listed are those between the asker and the one who answered.
    fn passes(
        &mut self,
        list: &Json,
        asker: Option<Seat>,
        answer: Option<Option<Seat>>,
        table: &Table,
    ) -> Option<bool> {
        let sizes = table.sizes.as_deref();
        let items = self.list(list, "a list of seats")?;
        let given: Vec<Option<Seat>> = items.iter().map(|seat| self.seat(seat, sizes)).collect();
        let given = given.into_iter().collect::<Option<Vec<Seat>>>()?;
        let (asker, answer) = (asker?, answer?);
        let right: Vec<Seat> = passed(asker, answer, sizes?.len() as u8).collect();
        if given != right {
            let wrong = match given.iter().zip(&right).position(|(g, r)| g != r) {
                Some(i) if right.contains(&given[i]) => format!("seat {} is asked before seat {}", right[i], given[i]),
                Some(i) => format!("seat {} cannot have passed here", given[i]),
                None if given.len() < right.len() => format!("the answer skips seat {}", right[given.len()]),
                None => format!("seat {} cannot have passed here", given[right.len()]),
            };
            self.report(Code::Shape, list.span, wrong, "seats answer in order");
            let seats: Vec<String> = right.iter().map(Seat::to_string).collect();
            let until = match answer {
                Some(by) => format!("seat {by} showed"),
                None => "nobody showed".to_string(),
            };
            self.help(Some(format!("seat {asker} asked and {until}: \"passed\" is [{}]", seats.join(","))));
            return None;
        }
        Some(table.observer.is_some_and(|me| right.contains(&me)))
    }

    fn accuse(&mut self, members: &Members, key: Span, table: &Table) -> Option<(Observed, Span)> {
        self.keys(members, ACCUSE, "an accusation");
        let seat = self.seat(find(members, "accuse")?, table.sizes.as_deref());
        let cards = self.need(members, "cards", key, "what was said, one card of each category");
        let cards = cards.and_then(|cards| self.triple(cards, &table.deck));
        let correct = self.need(members, "correct", key, "true or false");
        let correct = correct.and_then(|correct| match correct.kind {
            JsonKind::Bool(correct) => Some(correct),
            _ => {
                self.shape(correct.span, "true or false");
                None
            }
        });
        let place = find(members, "envelope");
        let envelope = match place {
            Some(json) => Some(self.triple(json, &table.deck)?),
            None => None,
        };
        if let (Some(json), Some(seat), Some(me)) = (place, seat, table.observer)
            && seat != me
        {
            let message = format!("seat {me}, the observer, cannot have seen the envelope: seat {seat} accused");
            self.report(Code::Shape, json.span, message, "leave it out");
            return None;
        }
        if let (None, Some(seat), Some(false)) = (place, seat, correct)
            && table.observer == Some(seat)
        {
            let message = format!("`envelope` is missing: seat {seat}, the observer, accused wrongly and saw it");
            self.report(Code::Missing, key, message, "what lay in it?");
            self.help(Some("add \"envelope\": [...], one card of each category".to_string()));
            return None;
        }
        let observed = Observed::Accuse { seat: seat?, cards: cards?, correct: correct?, envelope };
        Some((observed, place.map_or(key, |json| json.span)))
    }
}

impl Table {
    fn position(&self) -> Option<Position> {
        Position::new(self.deck.clone(), self.sizes.clone()?, self.observer?, self.hand?).ok()
    }
}

fn find<'j>(members: &'j Members, key: &str) -> Option<&'j Json> {
    members.iter().find(|(k, _, _)| k == key).map(|(_, _, value)| value)
}

#[cfg(test)]
mod tests;
