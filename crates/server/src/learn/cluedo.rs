//! Reading a note sheet; asking a good question.

use super::{Made, choice, not_offered, right, text, wrong};
use crate::api::{Block, CheckedAnswer, Exercise, Group, Input, SheetLine};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::know::Budget;
use ken_games::cluedo::position::Deal;
use ken_games::cluedo::rules::passed;
use ken_games::cluedo::why::{Answer, Proof, why};
use ken_games::cluedo::worth::{Care, Ranking, rank};
use ken_games::cluedo::{Deck, Fact, Observed, Position, knowledge, read};
use ken_games::dice::Dice;
use ken_games::game::Seat;
use std::sync::OnceLock;

const DECK: &str = r#""deck": {"suspect": ["plum", "green", "scarlet"], "weapon": ["rope", "dagger", "wrench"], "room": ["hall", "study", "library"]}"#;

/// Seat 2 showed one of plum, dagger and hall. You hold plum, and it passed on dagger later.
const SHOWN: &str = r#""hand_sizes": [2, 2, 2], "observer": 0, "hand": ["plum", "wrench"], "events": [
  {"ask": 1, "cards": ["plum", "dagger", "hall"], "passed": [], "shown_by": 2},
  {"ask": 0, "cards": ["green", "dagger", "study"], "passed": [1, 2], "shown_by": null}]"#;

/// The second lesson begins with less.
const BEGUN: &str = r#""hand_sizes": [2, 2, 2], "observer": 0, "hand": ["plum", "rope"], "events": [
  {"ask": 1, "cards": ["green", "rope", "study"], "passed": [2], "shown_by": 0, "shown": "rope"},
  {"ask": 2, "cards": ["green", "dagger", "hall"], "passed": [0], "shown_by": 1}]"#;

fn position(rest: &str) -> Position {
    read::position(&format!("{{{DECK}, {rest}}}")).expect("the position of a lesson")
}

fn seat_name(position: &Position, seat: usize) -> String {
    match seat {
        seat if seat == position.observer().index() => "You".to_string(),
        seat if seat == usize::from(position.seats()) => "Envelope".to_string(),
        seat => format!("Seat {seat}"),
    }
}

/// The sheet with what is certain, or with your own hand alone.
fn sheet(position: &Position, certain: bool) -> Block {
    let deck = position.deck();
    let places = usize::from(position.seats()) + 1;
    let start = position.at(0);
    let known = knowledge::solve(if certain { position } else { &start }, &Budget::default()).expect("some deal fits");
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
        columns: (0..places).map(|place| seat_name(position, place)).collect(),
        rows: deck.cards().iter().map(row).collect(),
        log: position.events().iter().map(|event| told(position, event)).collect(),
    }
}

fn told(position: &Position, event: &Observed) -> String {
    let deck = position.deck();
    let who = |seat: Seat| match seat == position.observer() {
        true => "you".to_string(),
        false => format!("seat {seat}"),
    };
    let capital = |text: String| text[..1].to_uppercase() + &text[1..];
    let verb = |seat: Seat, one: &str, other: &str| {
        if seat == position.observer() { one.to_string() } else { other.to_string() }
    };
    match *event {
        Observed::Ask { asker, cards, answer, shown } => {
            let asks = format!("{} {} for {}", capital(who(asker)), verb(asker, "ask", "asks"), deck.names(cards));
            let pass = |seat: Seat| format!(" {} {}.", capital(who(seat)), verb(seat, "pass", "passes"));
            let asks = match answer {
                // That nobody has any says who passed: all others.
                None => asks,
                Some(_) => {
                    let passed: String = passed(asker, answer, position.seats()).map(pass).collect();
                    format!("{asks}.{passed}").trim_end_matches('.').to_string()
                }
            };
            match (answer, shown) {
                (None, _) => format!("{asks}. Nobody has any of them."),
                (Some(by), Some(card)) => {
                    format!("{asks}. {} {} {}.", capital(who(by)), verb(by, "show", "shows"), deck.name(card))
                }
                (Some(by), None) => format!("{asks}. {} {} one of them.", capital(who(by)), verb(by, "show", "shows")),
            }
        }
        Observed::Accuse { seat, cards, .. } => {
            format!("{} {} {}.", capital(who(seat)), verb(seat, "accuse", "accuses"), deck.names(cards))
        }
        Observed::Endmove { seat } => format!("{} {} the turn.", capital(who(seat)), verb(seat, "end", "ends")),
    }
}

fn lines(proof: &Proof, position: &Position) -> Vec<String> {
    proof.words(position).lines().map(str::to_string).collect()
}

fn deal_lines(position: &Position, deal: &Deal) -> Vec<String> {
    let line = |(place, cards): (usize, &CardSet)| {
        format!("{}: {}", seat_name(position, place), position.deck().names(*cards))
    };
    deal.places.iter().enumerate().map(line).collect()
}

// ---- Reading a note sheet

pub(super) const SHEET: Made = Made {
    id: "sheet",
    title: "Reading a note sheet",
    about: "Two half answers that together make a whole one.",
    topic: "Cluedo",
    blocks: || {
        let position = position(SHOWN);
        vec![
            text(
                "A small Cluedo: three suspects, three weapons, three rooms. One of each lies in the envelope; the other \
                  six are dealt, two to each seat. Who is asked for three cards and has one of them shows one, to the \
                  asker alone. Who has none passes, and everybody sees that.",
            ),
            sheet(&position, false),
            text(
                "You saw seat 2 show a card, but not which: it is one of three. That is worth writing down, because \
                  each later answer may strike one of the three out. A card that you hold yourself is struck out at \
                  once. So is a card on which the seat passes.",
            ),
        ]
    },
    exercise: || {
        let position = position(SHOWN);
        let deck = position.deck();
        Exercise {
            ask: "Which card must seat 2 hold?".to_string(),
            input: Input::Choices {
                several: false,
                options: deck.cards().iter().map(|card| choice(deck.name(card), deck.name(card))).collect(),
            },
        }
    },
    check: |answer| {
        let position = position(SHOWN);
        let [name] = answer else { return wrong("One card is asked for.") };
        let Some(card) = position.deck().find(name) else {
            return not_offered(answer, |_| false).unwrap_or_else(|| wrong("That is no card of this deck."));
        };
        match why(&position, &Fact::holds(Seat(2), card), &Budget::default()) {
            Answer::Known(proof) => CheckedAnswer {
                lines: lines(&proof, &position),
                ..right(format!("Seat 2 holds {name}. Here is why, step by step."))
            },
            Answer::Refuted(proof) => CheckedAnswer {
                lines: lines(&proof, &position),
                ..wrong(format!("Seat 2 cannot hold {name}. Here is why."))
            },
            Answer::Open { no, .. } => CheckedAnswer {
                lines: deal_lines(&position, &no.deal),
                ..wrong(format!("It may hold {name}, but it need not. This deal fits everything you saw:"))
            },
            Answer::Clash(_) | Answer::Unproved => wrong("The engine found no answer to this."),
        }
    },
};

// ---- Asking a good question

/// A question counts as best if it is expected to tell as much as the best one, but for rounding.
const NEAR: f64 = 1e-6;

fn ranking() -> &'static (Position, Ranking) {
    static RANKING: OnceLock<(Position, Ranking)> = OnceLock::new();
    RANKING.get_or_init(|| {
        let position = position(BEGUN);
        let care = Care::alone(10_000);
        let ranking = rank(&position, care, &Budget::default(), &mut Dice::new(0));
        (position, ranking.expect("some deal fits"))
    })
}

fn best() -> f64 {
    ranking().1.questions.first().map_or(0.0, |q| q.envelope_bits.value)
}

/// The names of the best questions and of the others.
#[cfg(test)]
pub(super) fn best_questions() -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let (position, ranking) = ranking();
    use ken_games::cluedo::worth::Question;
    let names = |q: &Question| q.cards.iter().map(|c| position.deck().name(c).to_string()).collect();
    let (best, others): (Vec<&Question>, Vec<&Question>) =
        ranking.questions.iter().partition(|q| q.envelope_bits.value >= best() - NEAR);
    (best.into_iter().map(names).collect(), others.into_iter().map(names).collect())
}

pub(super) const ASKING: Made = Made {
    id: "asking",
    title: "Asking a good question",
    about: "A question is worth what its answers tell apart.",
    topic: "Cluedo",
    blocks: || {
        let (position, ranking) = ranking();
        let envelopes = knowledge::solve(position, &Budget::default()).map_or(0, |known| known.envelopes.len());
        vec![
            text(
                "It is your turn. You may ask for any suspect, weapon and room. Seat 1 is asked first, then seat 2. \
                  Whoever has one of the three shows you one.",
            ),
            sheet(position, true),
            text(&format!(
                "So far {} deals fit what you saw, with {envelopes} different envelopes. The answer to a question sorts \
                 them: some fit “seat 1 shows dagger”, some “nobody has any”. A question whose answer you can foresee \
                 tells nothing. The best one sorts the envelopes into many small heaps.",
                ranking.deals
            )),
            text(
                "We measure it in bits: one bit halves what is possible, two bits quarter it. A card of your own in the \
                  question is a card that nobody else can show. That can be clever, for it makes the answer speak of the \
                  others, or a waste.",
            ),
        ]
    },
    exercise: || {
        let deck: &Deck = ranking().0.deck();
        let option = |card: Card| choice(deck.name(card), deck.name(card));
        let group = |category: usize| Group {
            name: deck.category_name(category).to_string(),
            options: deck.category(category).iter().map(option).collect(),
        };
        Exercise {
            ask: "Choose a question that is expected to tell you the most about the envelope.".to_string(),
            input: Input::Pick { groups: (0..deck.categories()).map(group).collect() },
        }
    },
    check: |answer| {
        let (position, ranking) = ranking();
        let deck = position.deck();
        let cards: Option<CardSet> = answer.iter().map(|name| deck.find(name)).collect();
        let Some(cards) = cards.filter(|&cards| answer.len() == 3 && deck.is_triple(cards)) else {
            return wrong("A question names one suspect, one weapon and one room.");
        };
        let Some(place) = ranking.questions.iter().position(|q| q.cards == cards) else {
            return wrong("The engine did not look at this question.");
        };
        let asked = &ranking.questions[place];
        let bits = asked.envelope_bits.value;
        let answers = || {
            let chance = |(seat, &chance): (usize, &f64)| {
                let who =
                    if seat == usize::from(position.seats()) { "nobody".to_string() } else { format!("seat {seat}") };
                (chance > 0.0).then(|| format!("{who} answers in {:.0} % of the deals", 100.0 * chance))
            };
            asked.answers.iter().enumerate().filter_map(chance).collect::<Vec<_>>()
        };
        if bits >= best() - NEAR {
            return CheckedAnswer {
                lines: answers(),
                ..right(format!("{bits:.2} bits about the envelope, and no question is expected to tell more."))
            };
        }
        let better = ranking.questions.iter().filter(|q| q.envelope_bits.value > bits + NEAR).count();
        let own = cards.and(position.hand()).len();
        let hint = match (bits < NEAR, own) {
            (true, _) => "You can foresee its answer, or it says nothing about the envelope.",
            (false, 2) => "Two of these cards are your own: only one is left to hear about.",
            (false, 0) => {
                "Look where several cards are open to the same seat: which of them would you rather pin down?"
            }
            (false, _) => "Look at the marks: which cards are open, and who could show them?",
        };
        CheckedAnswer {
            lines: answers(),
            ..wrong(format!(
                "This is expected to tell {bits:.2} bits; {better} of {} questions tell more, the best {:.2}. {hint}",
                ranking.questions.len(),
                best()
            ))
        }
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_of_a_lesson_names_everybody_who_passed_and_who_showed() {
        let mut passes = 0;
        for position in [position(SHOWN), position(BEGUN)] {
            for event in position.events() {
                let Observed::Ask { asker, answer, .. } = *event else { continue };
                let line = told(&position, event).to_lowercase();
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
}
