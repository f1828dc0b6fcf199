//! Reading a note sheet; asking a good question.

use super::read::{Check, Facts, Words};
use super::{SHARED, broken, named, right, ungrouped, wrong};
use crate::api::{Block, CheckedAnswer, Group, SheetLine};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::estimate::Estimate;
use ken_games::cluedo::position::Deal;
use ken_games::cluedo::rules::passed;
use ken_games::cluedo::why::{Answer, Proof, why};
use ken_games::cluedo::worth::{self, Care, Ranking, rank};
use ken_games::cluedo::{Fact, Observed, Position, knowledge, read};
use ken_games::dice::Dice;
use ken_games::game::Seat;
use ken_games::knowledge::Budget;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// What one seat has seen of a match.
#[derive(Deserialize)]
#[serde(try_from = "Written")]
struct Seen(Position);

/// A position as it is written: that of `docs/cluedo.md`, but that the deck is a list, which keeps its order, and that all
/// events are questions.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(serialize_with = "by_category")]
    deck: Vec<Category>,
    hand_sizes: Vec<u8>,
    observer: u8,
    hand: Vec<String>,
    events: Vec<Asked>,
}

/// A kind of cards.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Category {
    category: String,
    cards: Vec<String>,
}

/// A question and what came of it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    ask: u8,
    cards: Vec<String>,
    passed: Vec<u8>,
    shown_by: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shown: Option<String>,
}

fn by_category<S: serde::Serializer>(deck: &[Category], to: S) -> Result<S::Ok, S::Error> {
    let list = |kind: &Category| (kind.category.clone(), Value::from(kind.cards.clone()));
    deck.iter().map(list).collect::<Map<_, _>>().serialize(to)
}

impl TryFrom<Written> for Seen {
    type Error = String;

    fn try_from(written: Written) -> Result<Seen, String> {
        let text = serde_json::to_string(&written).map_err(|problem| problem.to_string())?;
        let position = read::position(&text).map_err(|problems| broken("position", &text, &problems))?;
        match knowledge::solve(&position, &Budget::default()) {
            Ok(_) => Ok(Seen(position)),
            Err(problem) => Err(format!("no deal fits this position: {problem:?}")),
        }
    }
}

/// How the log of a match is told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Log {
    unseen: Words,
    nobody: Words,
    envelope: Words,
    you: Doer,
    seat: Doer,
}

/// What somebody does; `{seat}` is their number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Doer {
    name: Words,
    asks: Words,
    passes: Words,
    shows: Words,
}

impl Seen {
    /// The sentences about a seat.
    fn doer(&self, seat: Seat) -> &'static Doer {
        match seat == self.0.observer() {
            true => &SHARED.cluedo.you,
            false => &SHARED.cluedo.seat,
        }
    }

    /// What a column is called: seats, and the envelope last.
    fn place(&self, place: usize) -> String {
        match Seat::all(self.0.seats()).nth(place) {
            Some(seat) => self.doer(seat).name.with(&[("seat", seat.to_string())]),
            None => SHARED.cluedo.envelope.plain(),
        }
    }

    fn picture(&self, sheet: Sheet) -> Block {
        let deck = self.0.deck();
        let places = usize::from(self.0.seats()) + 1;
        let until = match sheet {
            Sheet::Hand => self.0.at(0),
            Sheet::Certain => self.0.clone(),
        };
        let known = knowledge::solve(&until, &Budget::default());
        let known = known.expect("a deal fits the position, or the lesson was not read");
        let mark = |card: Card, place: usize| match known.marginals[place][card.index()] {
            n if n == known.deals => "✓",
            0 => "✗",
            _ => "·",
        };
        let row = |card: Card| SheetLine {
            category: deck.category_name(deck.category_of(card)).to_string(),
            card: deck.name(card).to_string(),
            marks: (0..places).map(|place| mark(card, place).to_string()).collect(),
        };
        Block::Sheet {
            columns: (0..places).map(|place| self.place(place)).collect(),
            rows: deck.cards().iter().map(row).collect(),
            log: self.0.events().iter().filter_map(|event| self.told(event)).collect(),
        }
    }

    /// A line of the log. Only questions are told: nothing else can be written in a lesson.
    fn told(&self, event: &Observed) -> Option<String> {
        let Observed::Ask { asker, cards, answer, shown } = *event else { return None };
        let deck = self.0.deck();
        let number = |seat: Seat| ("seat", seat.to_string());
        let mut line = vec![self.doer(asker).asks.with(&[number(asker), ("cards", deck.names(cards).to_string())])];
        let Some(by) = answer else {
            // That nobody has any says who passed: all others.
            line.push(SHARED.cluedo.nobody.plain());
            return Some(line.join(" "));
        };
        let pass = |seat: Seat| self.doer(seat).passes.with(&[number(seat)]);
        line.extend(passed(asker, answer, self.0.seats()).map(pass));
        line.push(match shown {
            Some(card) => self.doer(by).shows.with(&[number(by), ("card", deck.name(card).to_string())]),
            None => SHARED.cluedo.unseen.with(&[number(by)]),
        });
        Some(line.join(" "))
    }

    /// The cards in their categories.
    fn groups(&self) -> Vec<Group> {
        let deck = self.0.deck();
        let group = |category: usize| Group {
            name: deck.category_name(category).to_string(),
            options: deck.category(category).iter().map(|card| named(deck.name(card))).collect(),
        };
        (0..deck.categories()).map(group).collect()
    }

    fn proof_lines(&self, proof: &Proof) -> Vec<String> {
        proof.words(&self.0).lines().map(str::to_string).collect()
    }

    fn deal_lines(&self, deal: &Deal) -> Vec<String> {
        let line =
            |(place, cards): (usize, &CardSet)| format!("{}: {}", self.place(place), self.0.deck().names(*cards));
        deal.places.iter().enumerate().map(line).collect()
    }
}

/// A note sheet.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Sheet {
    /// With your own hand.
    Hand,
    /// With all that is certain.
    Certain,
}

// ---- Reading a note sheet

/// The card is to be chosen that a seat must hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Holder {
    seat: u8,
    position: Seen,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HolderSays {
    right: Words,
    never: Words,
    open: Words,
    one: Words,
}

impl Check for Holder {
    type Picture = Sheet;
    type Says = HolderSays;

    fn sound(&self) -> Result<(), String> {
        let seats = self.position.0.seats();
        match self.seat < seats {
            true => Ok(()),
            false => Err(format!("there is no seat {}: seats are counted from 0, and there are {seats}", self.seat)),
        }
    }

    fn facts(&self) -> Facts {
        vec![("seat", self.seat.to_string())]
    }

    fn picture(&self, sheet: Sheet) -> Block {
        self.position.picture(sheet)
    }

    fn choices(&self) -> Vec<Group> {
        let deck = self.position.0.deck();
        ungrouped(deck.cards().iter().map(|card| named(deck.name(card))).collect())
    }

    fn judge(&self, says: &HolderSays, given: &[String]) -> CheckedAnswer {
        let position = &self.position.0;
        let [name] = given else { return wrong(says.one.plain()) };
        let card = position.deck().find(name).expect("every choice is a card of the deck");
        let facts = [("seat", self.seat.to_string()), ("card", name.clone())];
        match why(position, &Fact::holds(Seat(self.seat), card), &Budget::default()) {
            Answer::Known(proof) => {
                CheckedAnswer { lines: self.position.proof_lines(&proof), ..right(says.right.with(&facts)) }
            }
            Answer::Refuted(proof) => {
                CheckedAnswer { lines: self.position.proof_lines(&proof), ..wrong(says.never.with(&facts)) }
            }
            Answer::Open { no, .. } => {
                CheckedAnswer { lines: self.position.deal_lines(&no.deal), ..wrong(says.open.with(&facts)) }
            }
            Answer::Clash(_) | Answer::Long { .. } | Answer::Unproved => wrong(SHARED.stuck.plain()),
        }
    }
}

// ---- Asking a good question

/// A question counts as best if it is expected to tell as much as the best one, but for rounding.
const NEAR: f64 = 1e-6;

/// A question is to be picked that is expected to tell the most about the envelope.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    position: Seen,
    #[serde(skip)]
    ranking: OnceLock<Ranking>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionSays {
    right: Words,
    less: Words,
    two_own: Words,
    none_own: Words,
    one_own: Words,
    seat_answers: Words,
    nobody_answers: Words,
    triple: Words,
}

impl Question {
    /// All questions, the best first.
    fn ranking(&self) -> &Ranking {
        self.ranking.get_or_init(|| {
            rank(&self.position.0, Care::ALONE, &Budget::default(), &mut Dice::new(0))
                .expect("a deal fits the position, or the lesson was not read")
        })
    }

    fn best(&self) -> f64 {
        self.ranking().questions.first().map_or(0.0, |q| q.envelope_bits.value)
    }

    /// The question with these cards: one of each category.
    fn asked(&self, given: &[String]) -> Option<&worth::Question> {
        let deck = self.position.0.deck();
        let cards: CardSet = given.iter().map(|name| deck.find(name)).collect::<Option<_>>()?;
        self.ranking().questions.iter().find(|q| q.cards == cards && given.len() == cards.len())
    }

    /// Who answers a question how often.
    fn answers(&self, says: &QuestionSays, asked: &worth::Question) -> Vec<String> {
        let line = |(seat, chance): (usize, &Estimate)| {
            let chance = chance.value;
            let percent = ("percent", format!("{:.0}", 100.0 * chance));
            let told = match seat == usize::from(self.position.0.seats()) {
                true => says.nobody_answers.with(&[percent]),
                false => says.seat_answers.with(&[percent, ("seat", seat.to_string())]),
            };
            (chance > 0.0).then_some(told)
        };
        asked.answers.iter().enumerate().filter_map(line).collect()
    }

    /// The cards of the best questions and of the others.
    #[cfg(test)]
    pub(super) fn best_and_others(&self) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
        let deck = self.position.0.deck();
        let names = |q: &worth::Question| q.cards.iter().map(|card| deck.name(card).to_string()).collect();
        let (best, others): (Vec<&worth::Question>, Vec<&worth::Question>) =
            self.ranking().questions.iter().partition(|q| q.envelope_bits.value >= self.best() - NEAR);
        (best.into_iter().map(names).collect(), others.into_iter().map(names).collect())
    }
}

impl Check for Question {
    type Picture = Sheet;
    type Says = QuestionSays;

    fn facts(&self) -> Facts {
        let known = knowledge::solve(&self.position.0, &Budget::default());
        let envelopes = known.map_or(0, |known| known.envelopes.len());
        vec![("deals", self.ranking().deals.to_string()), ("envelopes", envelopes.to_string())]
    }

    fn picture(&self, sheet: Sheet) -> Block {
        self.position.picture(sheet)
    }

    fn choices(&self) -> Vec<Group> {
        self.position.groups()
    }

    fn judge(&self, says: &QuestionSays, given: &[String]) -> CheckedAnswer {
        let Some(asked) = self.asked(given) else { return wrong(says.triple.plain()) };
        let value = asked.envelope_bits.value;
        let bits = ("bits", format!("{value:.2}"));
        let lines = self.answers(says, asked);
        if value >= self.best() - NEAR {
            return CheckedAnswer { lines, ..right(says.right.with(&[bits])) };
        }
        let questions = &self.ranking().questions;
        let better = questions.iter().filter(|q| q.envelope_bits.value > value + NEAR).count();
        let hint = match asked.cards.and(self.position.0.hand()).len() {
            0 => &says.none_own,
            2 => &says.two_own,
            _ => &says.one_own,
        };
        let facts = [
            bits,
            ("better", better.to_string()),
            ("questions", questions.len().to_string()),
            ("best", format!("{:.2}", self.best())),
            ("hint", hint.plain()),
        ];
        CheckedAnswer { lines, ..wrong(says.less.with(&facts)) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::read;
    use super::*;

    #[test]
    fn the_log_of_a_lesson_names_everybody_who_passed_and_who_showed() {
        let sheet = read::<Holder>("sheet", include_str!("sheet.toml")).expect("it can be read").check.position;
        let asking = read::<Question>("asking", include_str!("asking.toml")).expect("it can be read").check.position;
        let mut passes = 0;
        for seen in [sheet, asking] {
            let position = &seen.0;
            for event in position.events() {
                let line = seen.told(event).expect("every event is a question").to_lowercase();
                let Observed::Ask { asker, answer, .. } = *event else { panic!("{line}") };
                let says = |seat: Seat, verb: &str| match seat == position.observer() {
                    true => line.contains(&format!("you {verb}")),
                    false => line.contains(&format!("seat {seat} {verb}")),
                };
                for seat in Seat::all(position.seats()) {
                    let passed = passed(asker, answer, position.seats()).any(|s| s == seat);
                    passes += usize::from(passed && answer.is_some());
                    assert_eq!(says(seat, "pass"), passed && answer.is_some(), "{line}");
                    assert_eq!(says(seat, "show"), answer == Some(seat), "{line}");
                }
                assert_eq!(line.contains("nobody has any"), answer.is_none(), "{line}");
            }
        }
        assert!(passes >= 2, "both passes of the second lesson are in its log");
    }

    #[test]
    fn a_card_that_you_were_shown_is_in_the_log() {
        let text = include_str!("asking.toml").replace("ask = 2,", "ask = 0,").replace("passed = [0],", "passed = [],");
        let text = text.replace("shown_by = 1 }", "shown_by = 1, shown = \"dagger\" }");
        let asking = read::<Question>("asking", &text).unwrap_or_else(|problem| panic!("{problem}")).check.position;
        let told = asking.told(&asking.0.events()[1]).expect("a question");
        assert!(told.starts_with("You ask for ") && told.ends_with(" Seat 1 shows dagger."), "{told}");
    }
}
