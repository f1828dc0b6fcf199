//! Who knows what of the colours: three ways agree, proofs are checked, and the laws of knowledge hold.

mod brute;
mod examples;
mod laws;
pub(crate) mod random;

use ken_games::bridge::{self, Known};
use ken_games::dice::Dice;
use ken_games::game::Verdict;
use ken_games::knowledge::Knower;
use ken_games::yokai::knowledge::{Fact, Notes, Proof, Why, check, why};
use ken_logic::check::EngineChoice;
use random::Plan;

/// The counts of each fact by diagrams; nothing where no colouring fits.
fn counts(notes: &Notes, facts: &[Fact]) -> Vec<(u128, u128)> {
    let mut knower = Knower::about(notes);
    facts.iter().map(|fact| knower.ask(fact).map_or((0, 0), |answer| answer.counts.expect("counted"))).collect()
}

#[test]
fn diagrams_count_what_the_definitions_say() {
    for seed in 0..150 {
        let dice = &mut Dice::new(seed);
        let (notes, _) = random::notes(&Plan { hidden: 4 + dice.below(5), lies: true }, dice);
        let facts: Vec<Fact> = (0..8).map(|i| random::fact(i % 4, dice)).collect();
        let model = brute::Model::of(&notes);
        assert!(model.distinct());
        let brute: Vec<(u128, u128)> = facts.iter().map(|fact| model.ask(fact)).collect();
        assert_eq!(counts(&notes, &facts), brute, "seed {seed}: {facts:?} of {notes:?}");
    }
}

fn agree_with_the_logic(seeds: std::ops::Range<u64>, hidden: usize, engine: EngineChoice) {
    for seed in seeds {
        let dice = &mut Dice::new(seed);
        let (notes, _) = random::notes(&Plan { hidden, lies: true }, dice);
        let facts: Vec<Fact> = (0..6).map(|i| random::fact(i % 4, dice)).collect();
        let model = bridge::yokai::model(&notes);
        let formulas: Vec<_> = facts.iter().map(|fact| bridge::yokai::formula(&model, &notes, fact)).collect();
        let ours = counts(&notes, &facts);
        assert_eq!(model.deals(engine).unwrap(), Knower::about(&notes).count(), "seed {seed}");
        let logic = model.known(&formulas, engine).unwrap();
        let known = |&(holds, fails): &(u128, u128)| Known { known: fails == 0, possible: holds > 0 };
        assert_eq!(ours.iter().map(known).collect::<Vec<_>>(), logic, "seed {seed}: {facts:?} of {notes:?}");
    }
}

#[test]
fn the_explicit_engine_of_the_logic_finds_the_same() {
    agree_with_the_logic(0..40, 5, EngineChoice::Explicit);
    agree_with_the_logic(100..110, 7, EngineChoice::Explicit);
}

#[test]
fn the_symbolic_engine_of_the_logic_finds_the_same() {
    agree_with_the_logic(200..215, 6, EngineChoice::Symbolic);
}

fn verdict(notes: &Notes, fact: &Fact) -> Option<Verdict> {
    Knower::about(notes).ask(fact).ok().map(|answer| answer.verdict)
}

/// The notes without one of the premises.
fn without(notes: &Notes, proof: &Proof, left_out: usize) -> Notes {
    let mut premises = proof.premises.clone();
    premises.remove(left_out);
    notes.with(premises)
}

#[test]
fn every_reason_fits_the_verdict_and_every_proof_passes_the_checker() {
    let (mut proofs, mut unproved) = (0, 0);
    for seed in 0..250 {
        let dice = &mut Dice::new(seed);
        let (notes, _) = random::notes(&Plan { hidden: 4 + dice.below(8), lies: true }, dice);
        let fact = random::fact(seed as usize % 4, dice);
        let expected = verdict(&notes, &fact);
        let told = format!("seed {seed}: {fact:?} of {notes:?}");
        match why(&notes, &fact) {
            Why::Known(proof) => {
                assert_eq!((expected, &proof.goal), (Some(Verdict::Yes), &fact), "{told}");
                assert_eq!(check(&notes, &proof, &proof.goal), Ok(()), "{told}");
                assert!(!proof.words(&notes).is_empty());
                proofs += 1;
            }
            Why::Refuted(proof) => {
                assert_eq!((expected, &proof.goal), (Some(Verdict::No), &fact.negated()), "{told}");
                assert_eq!(check(&notes, &proof, &proof.goal), Ok(()), "{told}");
                assert!(!proof.words(&notes).is_empty());
                proofs += 1;
            }
            Why::Open { holds, fails, trail } => {
                assert_eq!(expected, Some(Verdict::Open), "{told}");
                let mut knower = Knower::about(&notes);
                assert_eq!((knower.holds(&fact, &holds), knower.holds(&fact, &fails)), (Ok(true), Ok(false)), "{told}");
                let mut at = fails;
                for other in trail {
                    let seen = other.seats.iter().flat_map(|seat| notes.looked(seat).iter());
                    assert!({ seen }.all(|card| at.of(card) == other.world.of(card)), "{told}");
                    at = other.world;
                    assert!(notes.noted().iter().all(|noted| brute::admits(noted.premise, &at)), "{told}");
                }
            }
            Why::Clash(proof) => {
                assert_eq!((expected, &proof.goal), (None, &Fact::Const(false)), "{told}");
                assert_eq!(check(&notes, &proof, &proof.goal), Ok(()), "{told}");
                proofs += 1;
            }
            Why::Unproved(verdict) => {
                assert_eq!(expected, Some(verdict), "{told}");
                unproved += 1;
            }
        }
    }
    assert!(proofs > 100 && 20 * unproved < proofs, "{proofs} proofs, {unproved} without");
}

#[test]
fn no_premise_of_a_proof_can_be_left_out() {
    let mut tried = 0;
    for seed in 0..200 {
        let dice = &mut Dice::new(seed);
        let (notes, _) = random::notes(&Plan { hidden: 5 + dice.below(4), lies: false }, dice);
        let fact = random::fact(0, dice);
        if let Why::Known(proof) | Why::Refuted(proof) = why(&notes, &fact) {
            for left_out in 0..proof.premises.len() {
                let less = without(&notes, &proof, left_out);
                assert_ne!(verdict(&less, &proof.goal), Some(Verdict::Yes), "seed {seed}: {proof:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 200, "{tried}");
}

#[test]
fn the_checker_takes_no_proof_of_what_is_not_known() {
    let (mut refused, mut taken) = (0, 0);
    for seed in 0..150 {
        let dice = &mut Dice::new(seed);
        let (notes, _) = random::notes(&Plan { hidden: 4 + dice.below(5), lies: false }, dice);
        let depth = seed as usize % 3;
        let (Why::Known(proof) | Why::Refuted(proof)) = why(&notes, &random::fact(depth, dice)) else { continue };
        // The same steps for another fact, in other notes, or without a step.
        let other = random::notes(&Plan { hidden: 4 + dice.below(5), lies: false }, dice).0;
        let mut shorter = proof.clone();
        shorter.lines.pop();
        let mut fewer = proof.clone();
        fewer.premises.pop();
        let elsewhere = Proof { premises: other.noted().to_vec(), ..proof.clone() };
        let mut cases = vec![(&notes, shorter), (&notes, fewer), (&other, elsewhere)];
        for _ in 0..6 {
            cases.push((&notes, Proof { goal: random::fact(depth, dice), ..proof.clone() }));
        }
        for (notes, proof) in cases {
            match check(notes, &proof, &proof.goal) {
                Ok(()) => {
                    let known = verdict(notes, &proof.goal);
                    assert!(matches!(known, Some(Verdict::Yes) | None), "seed {seed}: {proof:?} of {notes:?}");
                    taken += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > 300, "{refused} refused, {taken} taken");
}
