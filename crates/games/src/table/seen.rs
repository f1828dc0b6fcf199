//! Positions of games that have no text of their own for them: all that a seat saw.
//!
//! ```json
//! {"game": "high-card", "options": {"cards": 9}, "sights": [{"seat": 0, "card": 3}, {"asks": 0, "above": 4, "yes": true}]}
//! ```

use super::Face;
use super::page::{FactRow, Inspection, Problem, Why};
use crate::game::{Illegal, Seat};
use crate::knowledge::{Asked, Budget, Explained, Inspector, Unanswered};
use ken_logic::syntax::{Code, Diagnostic, JsonKind, Span, json_with_places};
use serde_json::{Map, Value, json};

const NONE: &str = "this game has no inspector";

/// What a seat saw, as text that [`Seen::read`] reads back.
pub(super) fn position<G: Face>(game: &G, memory: &[G::Sight]) -> Result<Value, Illegal> {
    let data: Vec<Value> = memory.iter().map(|sight| game.sight_data(sight)).collect();
    let reads_back = |at: usize| game.sight_of(&memory[..at], &data[at]).is_ok_and(|read| read == memory[at]);
    match (0..memory.len()).all(reads_back) {
        true => Ok(json!({"game": G::NAME, "options": game.options(), "sights": data})),
        false => Err(Illegal::new("positions of this game have no text")),
    }
}

/// A game, and what one seat of it saw.
pub(super) struct Seen<G: Face> {
    game: G,
    memory: Vec<G::Sight>,
}

impl<G: Face> Seen<G> {
    /// Reads what [`position`] writes.
    pub(super) fn read(text: &str) -> Result<Seen<G>, Vec<Diagnostic>> {
        let json = json_with_places(text).map_err(|problem| vec![*problem])?;
        let data: Value = serde_json::from_str(text).unwrap_or_default();
        let wrong =
            |span: Span, why: Illegal| Diagnostic { help: why.help, ..Diagnostic::new(Code::Shape, span, why.message) };
        let JsonKind::Object(members) = &json.kind else {
            return Err(vec![wrong(json.span, Illegal::new("expected an object with `game`, `options` and `sights`"))]);
        };
        let place = |key: &str| members.iter().find(|(name, ..)| name == key).map(|(_, _, value)| value);
        let mut problems = Vec::new();
        for (key, span, _) in members.iter().filter(|(key, ..)| !["game", "options", "sights"].contains(&key.as_str()))
        {
            let none = Illegal::new(format!("there is no `{key}` in a position of this game"));
            problems.push(wrong(*span, none.help("it has `game`, `options` and `sights`")));
        }
        if data["game"] != G::NAME {
            let span = place("game").map_or(json.span, |game| game.span);
            problems.push(wrong(span, Illegal::new(format!("expected `\"game\": \"{}\"`", G::NAME))));
        }
        let game = match G::with_options(&data["options"]) {
            Ok(game) => game,
            Err(why) => {
                problems.push(wrong(place("options").map_or(json.span, |options| options.span), why));
                return Err(problems);
            }
        };
        let sights = place("sights").map(|sights| (&sights.kind, sights.span));
        let Some((JsonKind::List(sights), _)) = sights else {
            let span = sights.map_or(json.span, |(_, span)| span);
            problems.push(wrong(span, Illegal::new("expected `sights`: a list of what was seen, the deal first")));
            return Err(problems);
        };
        if sights.is_empty() {
            problems.push(wrong(json.span, Illegal::new("nothing was seen: the deal is missing")));
        }
        let mut memory = Vec::new();
        for (at, sight) in sights.iter().enumerate() {
            match game.sight_of(&memory, &data["sights"][at]) {
                Ok(sight) => memory.push(sight),
                // What comes later can be judged only by what came before.
                Err(why) => {
                    problems.push(wrong(sight.span, why));
                    break;
                }
            }
        }
        let seen = Seen { game, memory };
        if problems.is_empty() && seen.game.knowledge(&seen.memory).is_none() {
            problems.push(wrong(json.span, Illegal::new(NONE)));
        }
        if problems.is_empty() { Ok(seen) } else { Err(problems) }
    }

    fn inspector(&self) -> Box<dyn Inspector + '_> {
        self.game.knowledge(&self.memory).expect("it was there when the position was read")
    }
}

impl<G: Face> Inspector for Seen<G> {
    fn inspect(&mut self, chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
        self.inspector().inspect(chain, filter)
    }

    fn why(&mut self, chain: &[Seat], fact: &str) -> Result<Why, Problem> {
        self.inspector().why(chain, fact)
    }

    fn moment(&mut self) -> (Option<f64>, Vec<FactRow>) {
        self.inspector().moment()
    }

    fn seats(&self) -> (Seat, u8) {
        self.inspector().seats()
    }

    fn ask(&mut self, fact: &str, budget: &Budget) -> Result<Asked, Unanswered> {
        self.inspector().ask(fact, budget)
    }

    fn explain(&mut self, fact: &str, budget: &Budget) -> Result<Explained, Unanswered> {
        self.inspector().explain(fact, budget)
    }

    fn relative(&mut self) -> (Option<String>, Map<String, Value>) {
        self.inspector().relative()
    }
}
