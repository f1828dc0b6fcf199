//! Rounds in JSON: a layout with all that a seat goes by beside it.
//!
//! ```json
//! {"mainline": ["3S", "7D"], "sidelines": {"1": ["9C"]}, "hand": ["4C", "5H"],
//!  "table": {"game": "express", "options": {"players": 3}, "seat": 0, "dealer": 2, "hands": [2, 7, 0],
//!            "shown": {"1": ["KD"]}, "judged": [{"line": 2, "card": "KD", "accepted": false}],
//!            "wrong": [{"line": 2, "rule": "red"}], "flipped": ["2C"], "stock": 31, "moves": 4,
//!            "turn": 1, "step": "play", "rule": "..", "over": false}}
//! ```
//!
//! Of a table only `game` is needed. Lines are counted by the cards that lay in the mainline. `hands` are numbers, or lists
//! where they are seen; `shown` are cards of a hand that everybody has seen there; `judged` are those of hands that were
//! shown; `wrong` the guesses that were wrong although they fitted what lay on the table; `flipped` the lowest cards of the
//! stock. `step` is `play`, `discard`, `guess` or `must guess`. The `rule` is there for the dealer, and when the round is over.
//!
//! Without a `table` it is a layout: seat 0 has it before it, seat 1 plays too, seat 2 deals.

use super::round::{Round, WrongAt};
use crate::cards::Card;
use crate::eleusis::deck::Deck;
use crate::eleusis::layout::{self, Judged};
use crate::eleusis::moves::Cards;
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::{Classic, Express};
use crate::game::{Illegal, Notation, Seat};
use ken_logic::syntax::{Code, Diagnostic, Json, JsonKind, Span, json_with_places, nearest};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What a file says.
#[derive(Clone, Debug, PartialEq)]
pub enum Position {
    /// A layout, and a hand.
    Layout(layout::Position),
    /// A round of Express.
    Express(Box<Round<Express>>),
    /// A round of the game of 1959.
    Classic(Box<Round<Classic>>),
}

const KEYS: [&str; 15] = [
    "game", "options", "seat", "dealer", "hands", "shown", "judged", "wrong", "flipped", "stock", "moves", "turn",
    "step", "rule", "over",
];

const STEPS: [&str; 4] = ["play", "discard", "guess", "must guess"];

/// Reads a layout or a round; on failure, every problem found.
pub fn read(text: &str) -> Result<Position, Vec<Diagnostic>> {
    let json = json_with_places(text).map_err(|problem| vec![*problem])?;
    let table = match &json.kind {
        JsonKind::Object(members) => find(members, "table"),
        _ => None,
    };
    let Some(table) = table else { return layout::position(text, &Deck::STANDARD).map(Position::Layout) };
    let wrong = |code, span, why: Illegal| {
        let problem = Diagnostic::new(code, span, why.message);
        Err(vec![Diagnostic { help: why.help, ..problem }])
    };
    let JsonKind::Object(members) = &table.kind else {
        return wrong(Code::Shape, table.span, Illegal::new("expected an object with `game`"));
    };
    let data: Value = serde_json::from_str(text).unwrap_or_default();
    let options = &data["table"]["options"];
    let place = find(members, "options").map_or(table.span, |options| options.span);
    match find(members, "game").map(|game| (&game.kind, game.span)) {
        Some((JsonKind::Text(name), _)) if name == Express::NAME => match Express::with_options(options) {
            Ok(game) => round(text, game, table.span, members).map(|round| Position::Express(Box::new(round))),
            Err(why) => wrong(Code::Shape, place, why),
        },
        Some((JsonKind::Text(name), _)) if name == Classic::NAME => match Classic::with_options(options) {
            Ok(game) => round(text, game, table.span, members).map(|round| Position::Classic(Box::new(round))),
            Err(why) => wrong(Code::Shape, place, why),
        },
        found => {
            let span = found.map_or(table.span, |(_, span)| span);
            wrong(Code::Shape, span, Illegal::new("expected a game: \"express\" or \"eleusis\""))
        }
    }
}

impl<G: Eleusis + Notation> Round<G> {
    /// The round as data; [`read`] reads it back.
    pub fn to_data(&self) -> Value {
        let deck = self.game.table().deck();
        let list = |cards: &[Card]| -> Value { cards.iter().map(|&card| deck.write(card)).collect() };
        let cards = |cards: &Cards| match cards {
            Cards::Seen(cards) => list(cards),
            Cards::Hidden(count) => json!(count),
        };
        let seats = || Seat::all(self.hands.len() as u8);
        let own = self.hands.get(self.seat.index());
        // The hand of the seat stands beside the layout.
        let hands: Vec<Value> = seats()
            .zip(&self.hands)
            .map(|(seat, hand)| if seat == self.seat { json!(hand.count()) } else { cards(hand) })
            .collect();
        let mut table = json!({
            "game": G::NAME, "options": self.game.options(), "seat": self.seat.0, "dealer": self.dealer.0,
            "stock": self.stock, "moves": self.moves,
        });
        if self.counted {
            table["hands"] = json!(hands);
        }
        let shown: Map<String, Value> = seats()
            .zip(&self.shown)
            .filter(|(_, shown)| !shown.is_empty())
            .map(|(seat, shown)| (seat.to_string(), list(shown)))
            .collect();
        let judged =
            self.judged.iter().map(|j| json!({"line": j.after, "card": deck.write(j.card), "accepted": j.accepted}));
        let wrong = self.wrong.iter().map(|w| json!({"line": w.line, "rule": *w.rule}));
        let (judged, wrong): (Vec<Value>, Vec<Value>) = (judged.collect(), wrong.collect());
        let lists = [
            ("shown", json!(shown)),
            ("judged", json!(judged)),
            ("wrong", json!(wrong)),
            ("flipped", list(&self.flipped)),
        ];
        for (key, value) in lists {
            if value.as_array().is_none_or(|list| !list.is_empty())
                && value.as_object().is_none_or(|map| !map.is_empty())
            {
                table[key] = value;
            }
        }
        if let Some((seat, step)) = step(self.phase) {
            table["turn"] = json!(seat.0);
            table["step"] = json!(step);
        }
        if let Some(rule) = &self.rule {
            table["rule"] = json!(**rule);
        }
        if self.is_over() {
            table["over"] = json!(true);
        }
        let mut data = self.layout.to_data(deck);
        data["hand"] = match own {
            Some(Cards::Seen(hand)) => list(hand),
            Some(Cards::Hidden(_)) | None => json!([]),
        };
        data["table"] = table;
        data
    }
}

/// Who is to do what in a round that goes on.
fn step(phase: Phase) -> Option<(Seat, &'static str)> {
    match phase {
        Phase::Play(seat) => Some((seat, "play")),
        Phase::Discard(seat) => Some((seat, "discard")),
        Phase::Guess { seat, forced: false } => Some((seat, "guess")),
        Phase::Guess { seat, forced: true } => Some((seat, "must guess")),
        Phase::Rule(_) | Phase::Over => None,
    }
}

type Members = [(String, Span, Json)];

fn find<'j>(members: &'j Members, key: &str) -> Option<&'j Json> {
    members.iter().find(|(k, _, _)| k == key).map(|(_, _, value)| value)
}

struct Reader<'a, G> {
    game: &'a G,
    problems: Vec<Diagnostic>,
}

/// The round of a file whose table this is.
fn round<G: Eleusis>(text: &str, game: G, span: Span, members: &Members) -> Result<Round<G>, Vec<Diagnostic>> {
    let mut reader = Reader { game: &game, problems: Vec::new() };
    let placed = match layout::position(text, game.table().deck()) {
        Ok(placed) => Some(placed),
        Err(problems) => {
            reader.problems.extend(problems);
            None
        }
    };
    let found = reader.round(placed, span, members);
    match found {
        Some(round) if reader.problems.is_empty() => Ok(round),
        _ => Err(reader.problems),
    }
}

impl<G: Eleusis> Reader<'_, G> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, label: &str) -> &mut Diagnostic {
        self.problems.push(Diagnostic::new(code, span, message).label(label));
        self.problems.last_mut().expect("it was just put there")
    }

    fn shape<T>(&mut self, json: &Json, wanted: &str) -> Option<T> {
        self.report(Code::Shape, json.span, format!("expected {wanted}"), "not this");
        None
    }

    fn number(&mut self, json: &Json, from: usize, to: usize, wanted: &str) -> Option<usize> {
        match json.kind {
            JsonKind::Number(n) if n.fract() == 0.0 && (from as f64..=to as f64).contains(&n) => Some(n as usize),
            _ => self.shape(json, wanted),
        }
    }

    fn seat(&mut self, json: &Json) -> Option<Seat> {
        let last = usize::from(self.game.seats()) - 1;
        self.number(json, 0, last, &format!("a seat from 0 to {last}")).map(|seat| Seat(seat as u8))
    }

    fn list<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j [Json]> {
        match &json.kind {
            JsonKind::List(items) => Some(items),
            _ => self.shape(json, wanted),
        }
    }

    fn object<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j Members> {
        match &json.kind {
            JsonKind::Object(members) => Some(members),
            _ => self.shape(json, wanted),
        }
    }

    fn card(&mut self, json: &Json) -> Option<Card> {
        let deck = self.game.table().deck();
        let JsonKind::Text(name) = &json.kind else { return self.shape(json, "a card, such as \"7C\"") };
        let card = deck.read(name);
        if card.is_none() {
            let example = deck.all().iter().last().map_or(String::new(), |c| deck.write(c));
            self.report(Code::UnknownName, json.span, format!("there is no card `{name}`"), "not of this deck").help =
                Some(format!("cards are written like `{example}`"));
        }
        card
    }

    fn cards(&mut self, json: &Json) -> Vec<Card> {
        let items = self.list(json, "a list of cards").unwrap_or_default();
        items.iter().filter_map(|item| self.card(item)).collect()
    }

    fn flag(&mut self, json: &Json) -> Option<bool> {
        match json.kind {
            JsonKind::Bool(value) => Some(value),
            _ => self.shape(json, "true or false"),
        }
    }

    fn rule(&mut self, json: &Json) -> Option<Arc<str>> {
        let JsonKind::Text(text) = &json.kind else { return self.shape(json, "a rule, as text") };
        match self.game.table().menu().secret(text).map_err(Illegal::from) {
            Ok(_) => Some(text.as_str().into()),
            Err(why) => {
                self.report(Code::Shape, json.span, why.message, "not a rule").help = why.help;
                None
            }
        }
    }

    /// How many cards lay in the mainline.
    fn line(&mut self, members: &Members, span: Span, length: usize) -> Option<usize> {
        let wanted = format!("how many cards lay in the mainline: a number from 1 to {length}");
        match find(members, "line") {
            Some(json) => self.number(json, 1, length, &wanted),
            None => {
                self.report(Code::Missing, span, "`line` is missing", "needed here").help = Some(wanted);
                None
            }
        }
    }

    fn round(&mut self, placed: Option<layout::Position>, span: Span, members: &Members) -> Option<Round<G>> {
        for (key, span, _) in members {
            if !KEYS.contains(&key.as_str()) {
                let help = nearest(key, KEYS).map(|near| format!("did you mean `{near}`?"));
                self.report(Code::Shape, *span, format!("unknown key `{key}`"), "not a part of a table").help = help;
            }
        }
        let table = self.game.table();
        let seats = self.game.seats();
        let length = placed.as_ref().map_or(1, |placed| placed.layout.mainline().len());
        let dealer = find(members, "dealer").map_or(Some(table.dealer(0)), |json| self.seat(json));
        let seat = find(members, "seat").map_or(Some(Seat(0)), |json| self.seat(json));
        let over = find(members, "over").map_or(Some(false), |json| self.flag(json)).unwrap_or(false);
        let rule = find(members, "rule").and_then(|json| self.rule(json));
        let mut shown = find(members, "shown").map_or_else(|| vec![Vec::new(); seats.into()], |json| self.shown(json));
        let judged = find(members, "judged").map_or_else(Vec::new, |json| self.judged(json, length));
        let wrong = find(members, "wrong").map_or_else(Vec::new, |json| self.wrong(json, length));
        let flipped = find(members, "flipped").map_or_else(Vec::new, |json| self.cards(json));
        let many = table.cards();
        let stock = find(members, "stock")
            .map_or(Some(flipped.len()), |json| self.number(json, 0, many, "how many cards can be drawn"));
        let moves = find(members, "moves").map_or(Some(0), |json| self.number(json, 0, 1_000_000, "a number"));
        let hands = find(members, "hands").map(|json| (json.span, self.hands(json)));
        let (placed, seat, dealer) = (placed?, seat?, dealer?);
        let mut own = placed.hand;
        own.sort_unstable();
        let mut all = vec![Cards::Hidden(0); seats.into()];
        if let Some((_, hands)) = hands {
            all = hands?;
        }
        if find(members, "hands").is_some() && all[seat.index()].count() != own.len() {
            let message = format!(
                "`hand` has {} cards, but seat {seat} is said to hold {}",
                own.len(),
                all[seat.index()].count()
            );
            self.report(Code::Number, find(members, "hands")?.span, message, "not so many");
        }
        let said = match &all[seat.index()] {
            Cards::Seen(cards) => cards.clone(),
            Cards::Hidden(_) => own.clone(),
        };
        if said.len() == own.len() && said != own {
            let message = format!("`hand` and what seat {seat} is said to hold are different cards");
            self.report(Code::Shape, find(members, "hands")?.span, message, "not these");
        }
        all[seat.index()] = Cards::Seen(own);
        if table.open {
            // What lies open everybody sees.
            let lies = |(hand, shown): (&Cards, Vec<Card>)| match hand {
                Cards::Seen(cards) => cards.clone(),
                Cards::Hidden(_) => shown,
            };
            shown = all.iter().zip(shown).map(lies).collect();
        }
        let phase = if over { Phase::Over } else { self.phase(members, dealer)? };
        if rule.is_none() && (over || seat == dealer) && find(members, "rule").is_none() {
            let why = if over { "everybody is told it when the round is over" } else { "the dealer knows it" };
            self.report(Code::Missing, span, "`rule` is missing", "needed here").help = Some(why.to_string());
        }
        if rule.is_some() && !over && seat != dealer {
            let message = format!("seat {seat} does not know the rule: seat {dealer} deals");
            self.report(Code::Shape, find(members, "rule")?.span, message, "leave it out");
        }
        let game = self.game.clone();
        let (stock, moves) = (stock?, moves? as u32);
        let (layout, counted) = (placed.layout, find(members, "hands").is_some());
        let round = Round {
            game,
            seat,
            dealer,
            layout,
            hands: all,
            counted,
            shown,
            judged,
            wrong,
            flipped,
            stock,
            moves,
            phase,
            rule,
        };
        if self.problems.is_empty() && round.pool().is_none() {
            let cards = table.cards();
            self.report(Code::Number, span, "the cards do not add up", "in this table").help =
                Some(format!("there are {cards} in all, and a hand holds what was shown in it"));
        }
        Some(round)
    }

    fn hands(&mut self, json: &Json) -> Option<Vec<Cards>> {
        let seats = usize::from(self.game.seats());
        let wanted = format!("a hand for each of {seats} seats: how many cards, or which");
        let items = self.list(json, &wanted)?;
        if items.len() != seats {
            return self.shape(json, &wanted);
        }
        let most = self.game.table().cards();
        let hand = |item: &Json| match item.kind {
            JsonKind::List(_) => {
                let mut cards = self.cards(item);
                cards.sort_unstable();
                Some(Cards::Seen(cards))
            }
            _ => self.number(item, 0, most, "a number of cards").map(Cards::Hidden),
        };
        items.iter().map(hand).collect()
    }

    fn shown(&mut self, json: &Json) -> Vec<Vec<Card>> {
        let seats = self.game.seats();
        let mut shown = vec![Vec::new(); seats.into()];
        for (key, span, cards) in self.object(json, "the cards that were shown: {\"1\": [\"KD\"]}").unwrap_or_default()
        {
            let mut cards = self.cards(cards);
            cards.sort_unstable();
            match key.parse::<u8>().ok().filter(|&seat| seat < seats) {
                Some(seat) => shown[usize::from(seat)] = cards,
                None => {
                    self.report(Code::Shape, *span, format!("there is no seat `{key}`"), "not a seat").help =
                        Some(format!("the seats are 0 to {}", seats - 1));
                }
            }
        }
        shown
    }

    fn judged(&mut self, json: &Json, length: usize) -> Vec<Judged> {
        const WANTED: &str = "a judgement: {\"line\": 2, \"card\": \"KD\", \"accepted\": false}";
        let mut judged = Vec::new();
        for item in self.list(json, "a list of judgements").unwrap_or_default() {
            let Some(members) = self.object(item, WANTED) else { continue };
            let after = self.line(members, item.span, length);
            let card = find(members, "card").and_then(|card| self.card(card));
            let accepted = find(members, "accepted").and_then(|json| self.flag(json));
            match (after, card, accepted) {
                (Some(after), Some(card), Some(accepted)) => judged.push(Judged { after, card, accepted }),
                _ if self.problems.is_empty() => drop(self.shape::<()>(item, WANTED)),
                _ => {}
            }
        }
        judged
    }

    fn wrong(&mut self, json: &Json, length: usize) -> Vec<WrongAt> {
        const WANTED: &str = "a wrong guess: {\"line\": 2, \"rule\": \"red\"}";
        let mut wrong = Vec::new();
        for item in self.list(json, "a list of wrong guesses").unwrap_or_default() {
            let Some(members) = self.object(item, WANTED) else { continue };
            let line = self.line(members, item.span, length);
            let rule = find(members, "rule").and_then(|rule| self.rule(rule));
            match (line, rule) {
                (Some(line), Some(rule)) => wrong.push(WrongAt { line, rule }),
                _ if self.problems.is_empty() => drop(self.shape::<()>(item, WANTED)),
                _ => {}
            }
        }
        wrong
    }

    /// What is to be done, and by whom: the dealer does not play, and the game of 1959 has one kind of step.
    fn phase(&mut self, members: &Members, dealer: Seat) -> Option<Phase> {
        let first = self.game.table().after(dealer, dealer);
        let turn = find(members, "turn").map_or(Some(first), |json| self.seat(json))?;
        if turn == dealer {
            let place = find(members, "turn").map_or(Span::new(0, 0), |json| json.span);
            self.report(Code::Shape, place, format!("seat {dealer} deals and does not play"), "another seat");
        }
        let Some(json) = find(members, "step") else { return Some(Phase::Play(turn)) };
        let phase = match &json.kind {
            JsonKind::Text(step) => match step.as_str() {
                "play" => Phase::Play(turn),
                "discard" if !G::RETURNS => Phase::Discard(turn),
                "guess" if !G::RETURNS => Phase::Guess { seat: turn, forced: false },
                "must guess" if !G::RETURNS => Phase::Guess { seat: turn, forced: true },
                _ => return self.shape(json, &format!("a step of the game: {}", STEPS.join(", "))),
            },
            _ => return self.shape(json, &format!("a step of the game: {}", STEPS.join(", "))),
        };
        Some(phase)
    }
}
