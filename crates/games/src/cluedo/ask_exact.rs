//! What each of many questions is expected to tell, exactly.

use super::answer::Answers;
use super::ask::Expected;
use super::count::Deals;
use super::position::{Constraints, Position};
use crate::cards::CardSet;
use crate::game::Seat;

/// What each question of `asker` is expected to tell the observer of the position, exactly: all deals that fit count the
/// same, of several cards a responder shows each equally often; ends of turns are left out.
///
/// `sees_card`: the observer sees which card is shown (it is the asker), else only who passes and who answers.
/// `None` if that would take more than `work` steps.
pub fn expected(
    position: &Position,
    asker: Seat,
    sees_card: bool,
    questions: &[CardSet],
    work: u64,
) -> Option<Vec<Expected>> {
    let states = Deals::of(position.deck(), &Constraints::of(position)).states() as u64;
    let sets = if sees_card { (1 << position.deck().categories()) - 1 } else { 1 };
    let steps = states * questions.len() as u64 * u64::from(position.seats()) * sets;
    (steps <= work).then(|| questions.iter().map(|&cards| one(position, asker, sees_card, cards)).collect())
}

fn one(position: &Position, asker: Seat, sees_card: bool, cards: CardSet) -> Expected {
    let answers = Answers::of(position, asker, sees_card, cards);
    let seats = position.seats();
    let total = answers.deals();
    let rows = answers.by_seat(seats);
    let surprise = |deals: f64| -deals / total * (deals / total).log2();
    let choice: f64 = answers.outcomes.iter().map(|o| o.choice).sum();
    Expected {
        wins: answers.before.get(&cards).copied().unwrap_or(0.0) / total,
        envelope_bits: rows.iter().map(|(chance, bits)| chance * bits).sum(),
        deal_bits: (answers.outcomes.iter().map(|o| surprise(o.deals())).sum::<f64>() - choice / total).max(0.0),
        answers: rows.into_iter().map(|(chance, _)| chance).collect(),
    }
}
