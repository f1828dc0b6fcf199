//! Laws about what seats know, by the model that the game itself makes.

use super::formulas::{Operator, random_formula};
use super::{Broken, random_action};
use crate::dice::{Dice, mix};
use crate::game::{Game, Seat, Verdict};
use crate::unfold::{Ask, CannotUnfold, Unfold, WhatIf};
use ken_logic::formula::{F, Name};

/// How an engine is compared with an unfolding.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// What the engine can be asked.
    pub operators: &'a [Operator],
    /// How many operators of knowledge may be inside one another.
    pub depth: usize,
    /// How many events a match has at most, the deal included.
    pub events: usize,
    /// How many formulas each seat is asked after each event.
    pub formulas: usize,
}

/// What was compared. A test should ask for enough of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// How many verdicts were compared.
    pub verdicts: usize,
    /// How many of them were not [`Verdict::Open`].
    pub settled: usize,
    /// How often the engine gave no verdict.
    pub unanswered: usize,
    /// How many histories the largest layer had.
    pub histories: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.verdicts += other.verdicts;
        self.settled += other.settled;
        self.unanswered += other.unanswered;
        self.histories = self.histories.max(other.histories);
    }
}

/// An engine gives the verdicts that the checker of the logic gives on the unfolding of the game: for random formulas over
/// all names of the unfolding, of every seat after every event of a random match of the seed. `verdict` is the engine: what
/// the seat with these sights knows of the formula; `None` where it has no answer, which is counted.
///
/// In particular the true world is never excluded: it is among the histories that the seat cannot tell from the real one.
///
/// A law that holds of small instances and short matches may fail of larger ones. Matches end early where the real history
/// has no option.
pub fn unfolding_agrees<G: Game>(
    unfold: &Unfold<'_, G>,
    seed: u64,
    trial: &Trial<'_>,
    mut verdict: impl FnMut(Seat, &[G::Sight], &F) -> Option<Verdict>,
) -> Result<Compared, Broken> {
    let law = "the knowledge engine agrees with the unfolding";
    compare(
        law,
        unfold,
        seed,
        trial,
        |_, formula| Ask::from(formula.random(&[])),
        |seat, memory, ask| verdict(seat, memory, ask.formula()),
    )
}

/// The same for formulas that also speak of what would be true after an action: an option of the real match or, to ask for
/// what cannot be done, one of another moment. The engine gets the formula with what its names stand for.
pub fn what_if_agrees<G: Game>(
    unfold: &Unfold<'_, G>,
    seed: u64,
    trial: &Trial<'_>,
    verdict: impl FnMut(Seat, &[G::Sight], &Ask<G::Action>) -> Option<Verdict>,
) -> Result<Compared, Broken> {
    let law = "the knowledge engine foresees what the unfolding says";
    let mut earlier: Vec<G::Action> = Vec::new();
    let ask = |options: &[G::Action], formula: &mut Formulas<'_>| {
        let fresh = !options.is_empty() && (earlier.is_empty() || formula.dice.below(5) > 0);
        let from = if fresh { options } else { &earlier };
        if from.is_empty() {
            return Ask::from(formula.random(&[]));
        }
        let action = formula.dice.pick(from).clone();
        if fresh {
            earlier.push(action.clone());
        }
        let then = formula.random(&[]);
        let what_if = if formula.dice.below(2) == 0 { WhatIf::every } else { WhatIf::some };
        let mut what_if = what_if(action, Ask::from(then));
        if formula.dice.below(3) == 0 {
            what_if = what_if.by(Seat(formula.dice.below(usize::from(formula.seats)) as u8));
        }
        let name: Name = "then".into();
        Ask::from(formula.random(std::slice::from_ref(&name))).naming(name, what_if)
    };
    compare(law, unfold, seed, trial, ask, verdict)
}

/// Makes random formulas.
struct Formulas<'a> {
    atoms: &'a [Name],
    trial: &'a Trial<'a>,
    seats: u8,
    dice: &'a mut Dice,
}

impl Formulas<'_> {
    /// A formula over the atoms and these names, which are as likely as all atoms together.
    fn random(&mut self, names: &[Name]) -> F {
        let often = if names.is_empty() { 0 } else { self.atoms.len().div_ceil(names.len()) };
        let atoms: Vec<Name> =
            self.atoms.iter().chain(names.iter().flat_map(|n| std::iter::repeat_n(n, often))).cloned().collect();
        let depth = self.dice.below(self.trial.depth + 1);
        random_formula(&atoms, self.trial.operators, self.seats, depth, self.dice)
    }
}

/// Follows a random match and compares what `verdict` says of what `ask` asks.
fn compare<G: Game>(
    law: &'static str,
    unfold: &Unfold<'_, G>,
    seed: u64,
    trial: &Trial<'_>,
    mut ask: impl FnMut(&[G::Action], &mut Formulas<'_>) -> Ask<G::Action>,
    mut verdict: impl FnMut(Seat, &[G::Sight], &Ask<G::Action>) -> Option<Verdict>,
) -> Result<Compared, Broken> {
    let failed = |why: CannotUnfold| Broken { law, seed, what: why.to_string() };
    let dice = &mut Dice::new(mix(seed, 8));
    let seats = unfold.game().seats();
    let atoms: Vec<Name> = unfold.names().cloned().collect();
    let deals = unfold.deals().map_err(failed)?;
    let mut now = unfold.begin(&dice.pick(&deals).1).map_err(failed)?;
    let mut compared = Compared::default();
    for event in 1..=trial.events {
        compared.histories = compared.histories.max(now.len());
        let options = now.options().map_err(failed)?;
        for seat in Seat::all(seats) {
            let memory = now.memory(seat);
            for _ in 0..trial.formulas {
                let formulas = &mut Formulas { atoms: &atoms, trial, seats, dice };
                let ask = ask(&options, formulas);
                let expected = now.verdict(seat, &ask).map_err(failed)?;
                let Some(said) = verdict(seat, &memory, &ask) else {
                    compared.unanswered += 1;
                    continue;
                };
                compared.verdicts += 1;
                compared.settled += usize::from(expected != Verdict::Open);
                if said != expected {
                    let what = format!(
                        "after {event} events the engine of seat {seat} says {said:?} to {}, the unfolding {expected:?}; \
                         {:?}; the seat saw {memory:?}; what happened is {:?}",
                        ask.formula(),
                        ask.named(),
                        now.real().events(),
                    );
                    return Err(Broken { law, seed, what });
                }
            }
        }
        let Some(action) = random_action(&options, seed % 2 == 1, dice) else { break };
        if event < trial.events {
            now.play(action).map_err(failed)?;
        }
    }
    Ok(compared)
}
