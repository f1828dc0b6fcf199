//! What is likely: colourings that fit the own looks, drawn by how well they explain what the partner did.

use super::person::{Act, Assumed};
use crate::cards::Card;
use crate::dice::Dice;
use crate::yokai::colour::{CARDS, Colour, Colouring};
use crate::yokai::count::Evidence;

/// How many swaps each colouring goes through.
const SWAPS: usize = 60;

/// Colourings that fit the evidence, each as often as it is likely: drawn at random, then walked by swaps of two colours,
/// of which each is accepted by how much better or worse the acts are explained (Metropolis).
pub(super) fn likely(
    evidence: &Evidence,
    acts: &[Act],
    assumed: &Assumed,
    joins: f64,
    count: usize,
    dice: &mut Dice,
) -> Vec<Colouring> {
    let worlds = evidence.worlds();
    let known = worlds.known();
    let open: Vec<usize> = (0..CARDS).filter(|&i| known[i].is_none()).collect();
    let drawn = (0..count).map_while(|_| worlds.sample(dice));
    if open.len() < 2 || acts.is_empty() {
        return drawn.collect();
    }
    let drawn: Vec<Colouring> = drawn.collect();
    drawn.into_iter().map(|colouring| walk(*colouring.colours(), &open, evidence, acts, assumed, joins, dice)).collect()
}

fn walk(
    mut colours: [Colour; CARDS],
    open: &[usize],
    evidence: &Evidence,
    acts: &[Act],
    assumed: &Assumed,
    joins: f64,
    dice: &mut Dice,
) -> Colouring {
    let weight =
        |colours: &[Colour; CARDS]| acts.iter().map(|act| act.likelihood(colours, assumed, joins)).product::<f64>();
    let mut here = weight(&colours);
    for _ in 0..SWAPS {
        let word = dice.word();
        let a = open[(word & 0xffff) as usize % open.len()];
        let b = open[(word >> 16 & 0xffff) as usize % open.len()];
        let fits = |card: usize, colour: Colour| evidence.allowed(Card(card as u8)).has(colour);
        if colours[a] == colours[b] || !fits(a, colours[b]) || !fits(b, colours[a]) {
            continue;
        }
        colours.swap(a, b);
        let there = weight(&colours);
        if (word >> 32) as f64 / f64::from(u32::MAX) * here < there {
            here = there;
        } else {
            colours.swap(a, b);
        }
    }
    Colouring::new(colours).expect("swaps keep four of each colour")
}
