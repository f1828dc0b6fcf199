//! What a question is expected to tell.
//!
//! A question (a suggestion) splits the deals that fit: who answers, and with which card. Its worth is what the answer is
//! expected to tell about the envelope and about the deal, in bits, and the chance that it names the envelope. Every deal
//! that fits counts the same; of several cards a responder is taken to show each equally often. That assumption is used
//! to *choose* questions and never to conclude anything.
//!
//! [`expected`] is exact and serves everybody: the players, and [`worth`](super::worth) for people.

use super::count::split::{Asked, Split, Splitter};
use super::position::{Constraints, Position};
use crate::cards::CardSet;
use crate::game::Seat;

/// What a question is expected to tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// The chance that the question names the envelope.
    pub wins: f64,
    /// For each seat the chance that it answers, and last the chance that nobody does.
    pub answers: Vec<f64>,
    /// Bits about the envelope.
    pub envelope_bits: f64,
    /// Bits about the deal: those of the answer, less those of the responder's choice among several cards.
    pub deal_bits: f64,
}

/// What each question of `asker` is expected to tell the observer of the position: every deal that fits counts the same, of
/// several cards a responder shows each equally often, ends of turns are left out. `sees_card`: the observer sees which
/// card is shown, else only who passes and who answers. `None` if no deal fits or it would take more than `work` steps.
pub fn expected(
    position: &Position,
    asker: Seat,
    sees_card: bool,
    questions: &[CardSet],
    work: u64,
) -> Option<Vec<Expected>> {
    let splitter = Splitter::of(position.deck(), &Constraints::of(position))?;
    let paths = splitter.paths(position.deck(), Asked { asker, sees_card, questions });
    if paths.work().max(8 * paths.room()) > work {
        return None;
    }
    let total = splitter.deals().total() as f64;
    Some(paths.each(questions, |split| tell(split, total, position.seats())))
}

/// What an answer tells on average.
fn tell(split: &Split, total: f64, seats: u8) -> Expected {
    let mut expected = Expected { answers: vec![0.0; seats as usize + 1], ..Expected::default() };
    let mut before = vec![0.0; split.kinds.len()];
    // Deals times the logarithm of their number: of each answer, and of each answer with each envelope.
    let (mut across, mut inside) = (0.0, 0.0);
    for (place, row) in &split.answers {
        let mut sum = 0.0;
        for ((&n, &many), before) in row.iter().zip(&split.kinds).zip(&mut before).filter(|((n, _), _)| **n > 0.0) {
            sum += many * n;
            inside += many * xlogx(n);
            *before += n;
        }
        across += xlogx(sum);
        expected.answers[*place] += sum / total;
    }
    let before: f64 = before.iter().zip(&split.kinds).map(|(&n, many)| many * xlogx(n)).sum();
    expected.deal_bits = (total.log2() - (across + split.choice) / total).max(0.0);
    expected.envelope_bits = (total.log2() - (before + across - inside) / total).max(0.0);
    expected.wins = split.wins / total;
    expected
}

fn xlogx(n: f64) -> f64 {
    if n > 0.0 { n * n.log2() } else { 0.0 }
}
