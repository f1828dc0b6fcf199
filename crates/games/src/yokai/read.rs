//! Positions in JSON.
//!
//! ```json
//! {"cells": {"1": [15, 15], ..}, "marks": {"3": ["red", "green"]}, "active": [["blue"]],
//!  "available": {"1": 1, "2": 2, "3": 2}, "seen": {"1": "red"}, "partner_seen": [4, 7],
//!  "seat": 0, "turn": 0, "step": "look", "looked": 5, "done": ["hint"],
//!  "options": {"oracle": true}, "went_on": [{"1": [15, 15], ..}], "end": {"1": "red", ..},
//!  "told": [{"card": 3, "beside": [["blue"]], "free": true}]}
//! ```
//!
//! Needed are `cells` and one of `marks` and `marked`, a list of cards with a mark of which the hint is not known. The
//! rest has defaults: nothing active, the hints that were not drawn available (as many as can be of the unknown ones had
//! two colours), nothing seen, seat 0, which is to move (`turn` says otherwise), and the turn's beginning. `step` is the
//! next step, `looked` the card of the turn's first look; `done` lists what is done before its order under `free_order`.
//! `options` are those of the match, `went_on` the layouts with which it went on under `oracle`, and `end` the colours that
//! its end turned up; without them any rules will do for moves that are asked about, and the match is not over. `told` says
//! of marked cards, in the order of the marks, which other hints were active then, and whether whoever marked it was free
//! not to.
//!
//! All problems of a file are found at once, each with its place.

use super::colour::{CARDS, Colour, Colours, Hint};
use super::layout::{BadLayout, Cell, Layout};
use super::notation::{hint_data, number, read_card};
use super::position::{Marking, Past, Position};
use super::rules::{HINTS, MIX, Stage, Step, Steps};
use crate::cards::{Card, CardSet};
use crate::game::{Notation, Seat};
use ken_logic::syntax::{Code, Diagnostic, Json, JsonKind, Span, json_with_places, nearest};
use serde_json::{Map, Value, json};

/// Reads a position.
pub fn position(text: &str) -> Result<Position, Vec<Diagnostic>> {
    let json = json_with_places(text).map_err(|problem| vec![*problem])?;
    let mut reader = Reader { problems: Vec::new() };
    match reader.position(&json) {
        Some(position) if reader.problems.is_empty() => Ok(position),
        _ => Err(reader.problems),
    }
}

/// The position as data; [`position`] reads it back.
pub fn position_data(position: &Position) -> Value {
    let stage = &position.stage;
    let cards = || CardSet::first(CARDS).iter();
    let key = |card: Card| number(card).to_string();
    let cells = |layout: &Layout| -> Map<String, Value> {
        cards().map(|c| (c, layout.cell(c))).map(|(c, cell)| (key(c), json!([cell.row, cell.col]))).collect()
    };
    let known = |card: Card| stage.marks()[card.index()].filter(|h| h.is_hint());
    let marks: Map<String, Value> = cards().filter_map(|c| Some((key(c), hint_data(known(c)?)))).collect();
    let unknown: Vec<u8> = stage.marked().iter().filter(|&c| known(c).is_none()).map(number).collect();
    let seen: Map<String, Value> =
        cards().filter_map(|c| Some((key(c), position.seen[c.index()]?.name().into()))).collect();
    let available: Map<String, Value> =
        (1..).zip(stage.available()).map(|(size, n): (u8, u8)| (size.to_string(), n.into())).collect();
    let mut data = json!({
        "cells": cells(stage.layout()), "marks": marks, "active": stage.active().iter().map(|&h| hint_data(h)).collect::<Vec<_>>(),
        "available": available, "seen": seen,
        "partner_seen": position.partner_seen.iter().map(number).collect::<Vec<_>>(), "seat": position.me.0,
    });
    if !unknown.is_empty() {
        data["marked"] = unknown.into();
    }
    if stage.seat() != position.me {
        data["turn"] = stage.seat().0.into();
    }
    let steps = stage.steps();
    if let Some(next) = steps.next() {
        data["step"] = next.name().into();
        let early: Vec<&str> = Step::ALL.into_iter().filter(|&s| s > next && !steps.open(s)).map(Step::name).collect();
        if !early.is_empty() {
            data["done"] = early.into();
        }
    }
    if let Some(first) = steps.first {
        data["looked"] = number(first).into();
    }
    let Past { rules, went_on, end, told } = &position.past;
    if let Some(rules) = rules {
        data["options"] = Notation::options(rules);
    }
    if !went_on.is_empty() {
        data["went_on"] = went_on.iter().map(|layout| Value::Object(cells(layout))).collect();
    }
    if let Some(end) = end {
        let colours: Map<String, Value> = cards().map(|c| (key(c), end.of(c).name().into())).collect();
        data["end"] = colours.into();
    }
    if !told.is_empty() {
        let hints = |all: &[Hint]| all.iter().map(|&h| hint_data(h)).collect::<Vec<_>>();
        let tell =
            |told: &Marking| json!({"card": number(told.card), "beside": hints(&told.beside), "free": told.free});
        data["told"] = told.iter().map(tell).collect();
    }
    data
}

mod past;

type Members = [(String, Span, Json)];

const KEYS: [&str; 16] = [
    "cells",
    "marks",
    "marked",
    "active",
    "available",
    "seen",
    "partner_seen",
    "seat",
    "turn",
    "step",
    "looked",
    "done",
    "options",
    "went_on",
    "end",
    "told",
];

/// Rows and columns stay below this, so that cells beside them are numbers too.
const FAR: f64 = 1e9;

struct Reader {
    problems: Vec<Diagnostic>,
}

impl Reader {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, label: &str) {
        self.problems.push(Diagnostic::new(code, span, message).label(label));
    }

    fn help(&mut self, help: impl Into<String>) {
        self.problems.last_mut().expect("a problem was reported").help = Some(help.into());
    }

    fn shape<T>(&mut self, json: &Json, wanted: &str) -> Option<T> {
        self.report(Code::Shape, json.span, format!("expected {wanted}"), "not this");
        None
    }

    fn object<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j Members> {
        match &json.kind {
            JsonKind::Object(members) => Some(members),
            _ => self.shape(json, wanted),
        }
    }

    fn list<'j>(&mut self, json: &'j Json, wanted: &str) -> Option<&'j [Json]> {
        match &json.kind {
            JsonKind::List(items) => Some(items),
            _ => self.shape(json, wanted),
        }
    }

    fn whole(&mut self, json: &Json, from: f64, to: f64, wanted: &str) -> Option<i32> {
        match json.kind {
            JsonKind::Number(n) if n.fract() == 0.0 && (from..=to).contains(&n) => Some(n as i32),
            _ => self.shape(json, wanted),
        }
    }

    fn card(&mut self, json: &Json) -> Option<Card> {
        self.whole(json, 1.0, CARDS as f64, "a card: a number from 1 to 16").map(|n| Card(n as u8 - 1))
    }

    fn seat(&mut self, json: &Json) -> Option<Seat> {
        self.whole(json, 0.0, 1.0, "a seat: 0 or 1").map(|n| Seat(n as u8))
    }

    /// The cards of a list, each once.
    fn cards(&mut self, json: &Json) -> CardSet {
        let mut cards = CardSet::EMPTY;
        for item in self.list(json, "a list of cards: [4, 7]").unwrap_or_default() {
            let Some(card) = self.card(item) else { continue };
            if cards.has(card) {
                let message = format!("card {} is there twice", number(card));
                self.report(Code::Duplicate, item.span, message, "again here");
            }
            cards = cards.with(card);
        }
        cards
    }

    /// The members of an object whose keys are cards.
    fn by_card<'j>(&mut self, json: &'j Json, wanted: &str) -> Vec<(Card, &'j Json)> {
        let mut found = Vec::new();
        for (key, span, value) in self.object(json, wanted).unwrap_or_default() {
            match read_card(key) {
                Ok(card) => found.push((card, value)),
                Err(wrong) => {
                    self.report(Code::UnknownName, *span, wrong.message, "not a card");
                    self.help("the cards are \"1\" to \"16\"");
                }
            }
        }
        found
    }

    fn colour(&mut self, json: &Json) -> Option<Colour> {
        const WANTED: &str = "a colour: \"red\", \"green\", \"blue\" or \"yellow\"";
        let JsonKind::Text(text) = &json.kind else { return self.shape(json, WANTED) };
        let colour = Colour::read(text);
        if colour.is_none() {
            self.report(Code::UnknownName, json.span, format!("there is no colour `{text}`"), "not a colour");
            let names = Colour::ALL.map(Colour::name);
            let near = nearest(text, names).map(|near| format!("did you mean `{near}`?"));
            self.help(near.unwrap_or_else(|| format!("there are {}", names.join(", "))));
        }
        colour
    }

    fn hint(&mut self, json: &Json) -> Option<Hint> {
        let items = self.list(json, "a hint: a list of one to three colours")?;
        let mut hint = Colours::NONE;
        for item in items {
            let colour = self.colour(item)?;
            if hint.has(colour) {
                self.report(Code::Duplicate, item.span, format!("the hint has {colour} twice"), "again here");
                return None;
            }
            hint = hint.with(colour);
        }
        if !hint.is_hint() {
            let message = format!("a hint has one to three colours, not {}", hint.len());
            self.report(Code::Number, json.span, message, "no such hint");
            return None;
        }
        Some(hint)
    }

    fn position(&mut self, json: &Json) -> Option<Position> {
        let members = self.object(json, "a position: an object with \"cells\" and \"marks\"")?;
        for (key, span, _) in members {
            if !KEYS.contains(&key.as_str()) {
                self.report(Code::Shape, *span, format!("unknown key `{key}`"), "not part of a position");
                let free = KEYS.into_iter().filter(|k| find(members, k).is_none());
                self.problems.last_mut().expect("reported").help =
                    nearest(key, free).map(|near| format!("did you mean `{near}`?"));
            }
        }
        let start = Span { end: json.span.start + 1, ..json.span };
        let layout = match find(members, "cells") {
            Some(cells) => self.layout(cells),
            None => {
                self.report(Code::Missing, start, "`cells` is missing", "needed here");
                self.help("where each card lies: {\"1\": [15, 15], ..}");
                None
            }
        };
        if find(members, "marks").is_none() && find(members, "marked").is_none() {
            self.report(Code::Missing, start, "`marks` is missing", "needed here");
            self.help("the marked cards with their hints, {} for none; or a list `marked` of cards");
        }
        let mut hints = Hints::default();
        self.marks(members, &mut hints);
        for hint in find(members, "active").and_then(|a| self.list(a, "a list of hints")).unwrap_or_default() {
            if let Some(read) = self.hint(hint)
                && self.draw(&mut hints, read, hint.span)
            {
                hints.active.push(read);
            }
        }
        let available = self.available(find(members, "available"), &hints);
        let seen = find(members, "seen").map_or([None; CARDS], |seen| self.seen(seen));
        let partner_seen = find(members, "partner_seen").map_or(CardSet::EMPTY, |cards| self.cards(cards));
        let me = find(members, "seat").map_or(Some(Seat(0)), |seat| self.seat(seat))?;
        let to_move = find(members, "turn").map_or(Some(me), |seat| self.seat(seat))?;
        let steps = self.steps(members);
        let past = self.past(members);
        let stage = Stage::at(layout?, hints.marks, hints.active, available?, to_move).with_steps(steps);
        let stage = if past.end.is_some() { stage.ended() } else { stage };
        Some(Position { me, stage, seen, partner_seen, past })
    }

    fn layout(&mut self, json: &Json) -> Option<Layout> {
        let mut cells: [Option<(Cell, Span)>; CARDS] = [None; CARDS];
        let before = self.problems.len();
        for (card, cell) in self.by_card(json, "the cells of the cards: {\"1\": [15, 15], ..}") {
            const WANTED: &str = "a row and a column: [15, 15]";
            let Some(items) = self.list(cell, WANTED) else { continue };
            let [row, col] = items else {
                self.shape::<()>(cell, WANTED);
                continue;
            };
            const WHOLE: &str = "a whole number up to 1,000,000,000";
            if let (Some(row), Some(col)) = (self.whole(row, -FAR, FAR, WHOLE), self.whole(col, -FAR, FAR, WHOLE)) {
                cells[card.index()] = Some((Cell::new(row, col), cell.span));
            }
        }
        if self.problems.len() > before {
            return None;
        }
        let missing: Vec<String> =
            (0..CARDS).filter(|&i| cells[i].is_none()).map(|i| number(Card(i as u8)).to_string()).collect();
        if !missing.is_empty() {
            let message = format!("no cell is given for {}", missing.join(", "));
            self.report(Code::Missing, json.span, message, "sixteen cards lie on the table");
            return None;
        }
        let cells = cells.map(|c| c.expect("none is missing"));
        match Layout::new(cells.map(|(cell, _)| cell)) {
            Ok(layout) => Some(layout),
            Err(bad) => {
                let (BadLayout::Shared(_, card) | BadLayout::Apart(_, card)) = bad;
                self.report(Code::Shape, cells[card.index()].1, bad.to_string(), "cannot lie here");
                if let BadLayout::Apart(..) = bad {
                    self.help("all cards must be connected by their sides");
                }
                None
            }
        }
    }

    fn marks(&mut self, members: &Members, hints: &mut Hints) {
        if let Some(marks) = find(members, "marks") {
            for (card, json) in self.by_card(marks, "marked cards with their hints: {\"3\": [\"red\"]}") {
                if let Some(hint) = self.hint(json)
                    && self.draw(hints, hint, json.span)
                {
                    hints.marks[card.index()] = Some(hint);
                }
            }
        }
        if let Some(marked) = find(members, "marked") {
            for card in self.cards(marked).iter() {
                // A card may stand in both lists: then its hint is known.
                if hints.marks[card.index()].is_none() {
                    hints.marks[card.index()] = Some(Colours::ALL);
                    hints.unknown += 1;
                }
            }
            let drawn = hints.drawn();
            if drawn > HINTS as u8 {
                let message = format!("{drawn} cards are marked, and seven hints lie in a match");
                self.report(Code::Number, marked.span, message, "too many");
            }
        }
    }

    /// Notes a hint as drawn, if it can be.
    fn draw(&mut self, hints: &mut Hints, hint: Hint, span: Span) -> bool {
        if hints.known.contains(&hint) {
            self.report(Code::Duplicate, span, format!("the hint {hint} is there twice"), "again here");
            self.help("all hints are different");
            return false;
        }
        let (size, most) = (hint.len(), MIX[hint.len() - 1]);
        if hints.of_size(size) == most {
            let (colours, lie) = (if size == 1 { "colour" } else { "colours" }, if most == 1 { "lies" } else { "lie" });
            let message = format!("only {most} hints of {size} {colours} {lie} in a match");
            self.report(Code::Number, span, message, "one too many");
            return false;
        }
        if hints.drawn() == HINTS as u8 {
            self.report(Code::Number, span, "seven hints lie in a match", "one too many");
            return false;
        }
        hints.known.push(hint);
        true
    }

    fn available(&mut self, json: Option<&Json>, hints: &Hints) -> Option<[u8; 3]> {
        let mut left: [u8; 3] = std::array::from_fn(|i| MIX[i] - hints.of_size(i + 1));
        let Some(json) = json else {
            for _ in 0..hints.unknown {
                let most = [1, 2, 0].into_iter().rev().max_by_key(|&i| left[i]).expect("three sizes");
                left[most] = left[most].saturating_sub(1);
            }
            return Some(left);
        };
        const WANTED: &str = "how many hints of each size were not drawn: {\"1\": 1, \"2\": 2, \"3\": 2}";
        let mut given = [0; 3];
        for (key, span, value) in self.object(json, WANTED)? {
            match key.as_str() {
                "1" | "2" | "3" => {
                    let most = MIX[usize::from(key.as_bytes()[0] - b'1')];
                    let wanted = format!("a number from 0 to {most}");
                    given[usize::from(key.as_bytes()[0] - b'1')] = self.whole(value, 0.0, most.into(), &wanted)? as u8;
                }
                _ => {
                    self.report(Code::Shape, *span, format!("no hint has {key} colours"), "1, 2 or 3");
                    return None;
                }
            }
        }
        let all = given.iter().sum::<u8>() + hints.drawn();
        if (0..3).any(|i| given[i] > left[i]) || all > HINTS as u8 {
            self.report(Code::Number, json.span, "the hints do not add up", "not so many");
            let [one, two, three] = left;
            self.help(match hints.unknown {
                0 => format!("with those drawn, {one}, {two} and {three} of one, two and three colours are left"),
                n => format!("with those drawn, {one}, {two} and {three} are left at most, {n} less in all"),
            });
            return None;
        }
        Some(given)
    }

    fn seen(&mut self, json: &Json) -> [Option<Colour>; CARDS] {
        let mut seen = [None; CARDS];
        for (card, value) in self.by_card(json, "the colours of cards: {\"1\": \"red\"}") {
            let Some(colour) = self.colour(value) else { continue };
            if seen.iter().filter(|&&c| c == Some(colour)).count() == 4 {
                self.report(Code::Number, value.span, format!("more than four cards are {colour}"), "one too many");
            }
            seen[card.index()] = Some(colour);
        }
        seen
    }

    fn steps(&mut self, members: &Members) -> Steps {
        let next = find(members, "step").and_then(|json| self.step(json)).unwrap_or(Step::Look);
        let mut steps = Steps { moved: next > Step::Move, ..Steps::default() };
        if let Some(json) = find(members, "looked") {
            steps.first = self.card(json);
        }
        steps.looks = if next > Step::Look { 2 } else { steps.first.is_some().into() };
        for json in find(members, "done").and_then(|done| self.list(done, "a list of steps")).unwrap_or_default() {
            match self.step(json) {
                Some(step) if step <= next => {
                    let message = format!("`{}` cannot be done if `{}` is the next step", step.name(), next.name());
                    self.report(Code::Shape, json.span, message, "not here");
                }
                Some(Step::Move) => steps.moved = true,
                Some(Step::Hint) => steps.hinted = true,
                Some(Step::Look) | None => {}
            }
        }
        steps
    }

    fn step(&mut self, json: &Json) -> Option<Step> {
        const WANTED: &str = "a step: \"look\", \"move\" or \"hint\"";
        let JsonKind::Text(text) = &json.kind else { return self.shape(json, WANTED) };
        match Step::ALL.into_iter().find(|s| s.name() == text) {
            Some(step) => Some(step),
            None => self.shape(json, WANTED),
        }
    }
}

/// The hints that were drawn, as far as they are read.
#[derive(Default)]
struct Hints {
    marks: [Option<Hint>; CARDS],
    active: Vec<Hint>,
    /// Those of which the colours are given.
    known: Vec<Hint>,
    /// How many marks have colours that are not given.
    unknown: u8,
}

impl Hints {
    fn of_size(&self, size: usize) -> u8 {
        self.known.iter().filter(|h| h.len() == size).count() as u8
    }

    fn drawn(&self) -> u8 {
        self.known.len() as u8 + self.unknown
    }
}

fn find<'j>(members: &'j Members, key: &str) -> Option<&'j Json> {
    members.iter().find(|(k, _, _)| k == key).map(|(_, _, value)| value)
}
