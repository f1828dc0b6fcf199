//! What questions tell, estimated without bias where there is too much to count.
//!
//! Information that is computed from the frequencies of a sample is too large on average, however it is corrected. This
//! estimate is not: if something has the chance `p`, and `n` draws are needed until it comes, then `1 + 1/2 + … + 1/(n-1)`
//! is on average exactly `-ln p`, since `n` exceeds `k` with the chance `(1-p)^k` and `Σ (1-p)^k / k = -ln p`. So a deal is
//! drawn with its answer; how long one waits for the same answer among all deals, and among those with the same envelope,
//! says how likely the answer is in either case. The difference of the logarithms is on average what the answer tells about
//! the envelope. The draws are independent, so their spread is the error.

use super::count::Deals;
use super::estimate::Draws;
use super::position::{Constraints, Deal, Position};
use super::rules::asked;
use crate::cards::CardSet;
use crate::dice::Dice;
use crate::game::Seat;
use rustc_hash::FxHashMap;
use std::f64::consts::LN_2;

/// What was drawn of one question.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Bits about the envelope.
    pub envelope: Draws,
    /// Bits about the deal.
    pub deal: Draws,
    /// For each seat, and last for nobody, the bits about the envelope in those draws in which it answers.
    pub by: Vec<Draws>,
}

/// Deals that do not survive, one after the other, before it is given up.
const TRIES: usize = 200_000;

/// Who is asked when, by the index of the seat or of the envelope; [`NOBODY`] for those who are not.
struct Order(Vec<u8>);

const NOBODY: u8 = u8::MAX;

impl Order {
    fn new(position: &Position, asker: Seat) -> Order {
        let mut order = vec![NOBODY; position.seats() as usize + 1];
        asked(asker, position.seats()).enumerate().for_each(|(i, seat)| order[seat.index()] = i as u8);
        Order(order)
    }

    /// For each card when its holder is asked.
    fn of(&self, deal: &Deal, cards: usize) -> Vec<u8> {
        let mut times = vec![NOBODY; cards];
        for (place, held) in deal.places.iter().enumerate() {
            held.iter().for_each(|c| times[c.index()] = self.0[place]);
        }
        times
    }
}

/// An answer: when its giver is asked, and which of the cards is shown (0 if that is not seen); and among how many cards
/// the giver could choose.
fn answer(times: &[u8], question: CardSet, sees_card: bool, dice: &mut Dice) -> ((u8, u8), usize) {
    let first = question.iter().map(|c| times[c.index()]).min().unwrap_or(NOBODY);
    if first == NOBODY || !sees_card {
        return ((first, 0), 1);
    }
    let can = || question.iter().filter(|c| times[c.index()] == first);
    let several = can().count();
    let pick = if several > 1 { dice.below(several) } else { 0 };
    ((first, can().nth(pick).expect("below the number of cards").0), several)
}

/// Draws `draws` times what each question of `asker` tells the observer of the position: which card is shown, if
/// `sees_card`, else only who answers. Only deals that `survives` admits count. `None` if no deal fits, or if so few
/// survive that none is found.
pub fn drawn(
    position: &Position,
    asker: Seat,
    sees_card: bool,
    questions: &[CardSet],
    draws: usize,
    survives: &dyn Fn(&Deal) -> bool,
    dice: &mut Dice,
) -> Option<Vec<Drawn>> {
    let deck = position.deck();
    let base = Constraints::of(position);
    let deals = Deals::of(deck, &base);
    let order = Order::new(position, asker);
    let next = |deals: &Deals, dice: &mut Dice| {
        let mut tries = (0..TRIES).map_while(|_| deals.sample(dice));
        tries.find(|deal| survives(deal))
    };
    let seats = position.seats() as usize;
    let empty = Drawn { envelope: Draws::default(), deal: Draws::default(), by: vec![Draws::default(); seats + 1] };
    let mut found = vec![empty; questions.len()];
    let mut inside: FxHashMap<CardSet, Deals> = FxHashMap::default();
    for _ in 0..draws {
        let deal = next(&deals, dice)?;
        let same = inside.entry(deal.envelope()).or_insert_with(|| {
            let mut with = base.clone();
            deal.envelope().iter().for_each(|c| with.only(c, seats));
            Deals::of(deck, &with)
        });
        let times = order.of(&deal, deck.len());
        let got: Vec<_> = questions.iter().map(|&q| answer(&times, q, sees_card, dice)).collect();
        let wait = |deals: &Deals, dice: &mut Dice| {
            let mut rest: Vec<usize> = (0..questions.len()).collect();
            let mut waited = vec![0.0; questions.len()];
            let mut n = 0.0;
            while !rest.is_empty() {
                n += 1.0;
                let times = order.of(&next(deals, dice)?, deck.len());
                rest.retain(|&i| answer(&times, questions[i], sees_card, dice).0 != got[i].0);
                rest.iter().for_each(|&i| waited[i] += 1.0 / n);
            }
            Some(waited)
        };
        let (any, these) = (wait(&deals, dice)?, wait(same, dice)?);
        for (i, &((turn, _), several)) in got.iter().enumerate() {
            let bits = (any[i] - these[i]) / LN_2;
            let who = if turn == NOBODY { seats } else { (asker.index() + turn as usize + 1) % seats };
            found[i].envelope.add(bits);
            found[i].deal.add(any[i] / LN_2 - (several as f64).log2());
            found[i].by[who].add(bits);
        }
    }
    Some(found)
}
