//! Fits the prior of the guesser to the training part of the rule library and prints the tables of
//! `src/eleusis/guess/prior.rs`.
//!
//! Every training rule judges two rounds of a hundred cards, half of them cards that it accepts. Six rounds of
//! expectation maximisation count how often each kind is used by what explains them; every kind is counted a fifth of a
//! use more, so that nothing is impossible.
//!
//!     cargo run --release -p ken-games --example eleusis_prior

use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::guess::{Case, Evidence, Form, Kind, Prior, Space};
use ken_games::eleusis::library;
use ken_games::eleusis::secret::Secret;

const ROUNDS: u64 = 2;
const PLAYS: usize = 100;
const STEPS: usize = 6;
const EXTRA: f64 = 0.2;

fn main() {
    let training = library::rules().iter().filter(|rule| rule.same_as.is_none() && !rule.held_back());
    let rounds: Vec<Evidence> = training
        .flat_map(|rule| {
            let secret = Secret::read(rule.id, &Deck::STANDARD).expect("library rules are regular");
            (0..ROUNDS).map(move |seed| round(&secret, seed))
        })
        .collect();
    let mut prior = Prior::even(1.0);
    for step in 1..=STEPS {
        let space: &'static Space = Box::leak(Box::new(Space::new(&prior)));
        let mut sum = Prior::even(EXTRA);
        let mut bits = 0.0;
        for evidence in &rounds {
            let (usage, mass) = evidence.with_prior(space).usage().expect("something explains every training rule");
            sum.add(&usage, 1.0 / ROUNDS as f64);
            bits -= mass / rounds.len() as f64;
        }
        println!("// step {step}: {bits:.2} bits a rule");
        prior = sum;
    }
    let [alone, part, opposed] = [shares(&prior.alone), shares(&prior.part), shares(&prior.opposed)];
    for kind in Kind::ALL {
        let at = kind as usize;
        println!("    (Kind::{kind:?}, {:.4}, {:.4}, {:.4}),", alone[at], part[at], opposed[at]);
    }
    let case = shares(&prior.case);
    Case::ALL.iter().for_each(|&kind| println!("    (Case::{kind:?}, {:.4}),", case[kind as usize]));
    let form = shares(&prior.form);
    Form::ALL.iter().for_each(|&kind| println!("    (Form::{kind:?}, {:.4}),", form[kind as usize]));
}

/// Cards judged by the rule: one at random, then one that it accepts if there is any, and so on.
fn round(secret: &Secret, seed: u64) -> Evidence {
    let mut dice = Dice::new(seed + 5);
    let starters: Vec<Card> = secret.rule().start.iter().collect();
    let starter = *dice.pick(&starters);
    let mut evidence = Evidence::new(starter);
    let mut at = secret.after(starter);
    for play in 0..PLAYS {
        let accepted: Vec<Card> = secret.accepted(at).iter().collect();
        let card = match play % 2 {
            1 if !accepted.is_empty() => *dice.pick(&accepted),
            _ => Card(dice.below(Deck::STANDARD.size()) as u8),
        };
        let fits = secret.accepted(at).has(card);
        if fits {
            at = secret.step(at, card);
        }
        evidence.observe(card, fits);
    }
    evidence
}

fn shares<const N: usize>(numbers: &[f64; N]) -> [f64; N] {
    let sum: f64 = numbers.iter().sum();
    numbers.map(|number| number / sum)
}
