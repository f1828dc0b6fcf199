//! The order of goals that explains what somebody did: the one under which the paper's player would most often have done the
//! same in the same place, with what that seat saw.
//!
//! Where the paper's player leaves a choice to chance, it is asked several times, so that "would have done the same" is a share. Factor
//! by factor the level with the greatest share is taken; the paper's stays unless another is better by more than twice the
//! standard error of the difference over the decisions. An order is found for the matches that it explains, so its share in them
//! is too high. The unbiased one is taken from matches that were left out: the order of one half explains the other.

use super::order::{FACTORS, Factor, Order};
use super::table::Table;
use super::{Paper, Plain};
use crate::dice::{Dice, mix};
use crate::game::{Game, Notation, Player, Seat, Turn};
use crate::record::{BadRecord, Match, Record, replay};
use crate::yokai::players::paper::Beliefs;
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, Step, Yokai};

/// How often chance is asked at each decision, at most.
const DRAWS: usize = 16;

/// In how many matches it is asked as often as that; in more of them less often, so that the time stays bounded.
const SLOW: usize = 30;

/// How many standard errors a level must be better than the one before to replace it.
const MARGIN: f64 = 2.0;

/// With fewer decisions than these nothing is said about a level.
const FEWEST: usize = 30;

/// A decision, with what its seat saw before.
struct Decision {
    beliefs: Plain,
    table: Table,
    options: Vec<Action>,
    done: Action,
}

impl Decision {
    /// How often a player with this order would have done the same.
    fn share(&self, order: Order, draws: usize) -> f64 {
        let same = (0..draws as u64).filter(|&draw| {
            let (beliefs, table) = (self.beliefs.clone(), self.table.clone());
            let dice = Dice::new(mix(ASKED, draw));
            let mut player = Paper { beliefs, order, table, dice, tried: Vec::new(), chosen: None };
            player.choose(&self.options) == self.done
        });
        same.count() as f64 / draws as f64
    }
}

/// The seed of the chance that is asked.
const ASKED: u64 = 0x0061_736b_6564;

/// What a seat did in some matches.
#[derive(Default)]
pub struct Decisions {
    matches: Vec<Vec<Decision>>,
}

/// What explains it.
#[derive(Clone, Debug, PartialEq)]
pub struct Explained {
    /// The order.
    pub order: Order,
    /// How many decisions it is from.
    pub decisions: usize,
    /// For each match with decisions the share that is explained: by the order that was found without the half of the matches that
    /// this one is in, and by the paper's order. Nothing of a single match.
    pub held_out: Vec<[f64; 2]>,
}

impl Decisions {
    /// Takes in what a seat did in the match of a record.
    ///
    /// # Errors
    /// The record cannot be replayed.
    pub fn add(&mut self, record: &Record, seat: Seat) -> Result<(), BadRecord> {
        let game = Yokai::with_options(&record.options).map_err(|why| BadRecord { place: "options".into(), why })?;
        let decisions = decided(&replay(game, record)?, seat);
        if !decisions.is_empty() {
            self.matches.push(decisions);
        }
        Ok(())
    }

    /// The order that explains all of it.
    pub fn explained(&self) -> Explained {
        let draws = (DRAWS * SLOW / self.matches.len().max(1)).clamp(1, DRAWS);
        let half = |parity: usize| self.matches.iter().skip(parity).step_by(2).collect::<Vec<_>>();
        let mut held_out = Vec::new();
        if self.matches.len() > 1 {
            let orders = [0, 1].map(|parity| fit(&half(1 - parity), draws));
            for (i, decisions) in self.matches.iter().enumerate() {
                held_out.push([orders[i % 2], Order::PAPER].map(|order| mean(decisions, order, draws)));
            }
        }
        let order = fit(&self.matches.iter().collect::<Vec<_>>(), draws);
        Explained { order, decisions: self.matches.iter().map(Vec::len).sum(), held_out }
    }
}

/// The share that an order explains of the decisions of a match.
fn mean(decisions: &[Decision], order: Order, draws: usize) -> f64 {
    decisions.iter().map(|decision| decision.share(order, draws)).sum::<f64>() / decisions.len() as f64
}

/// What a seat decided, where it had a choice. Where the order of the steps is free, its own stands.
fn decided(played: &Match<Yokai>, seat: Seat) -> Vec<Decision> {
    let game = played.game();
    let (mut beliefs, mut table) = (Plain::default(), Table::at(&Position::start(seat)));
    let mut decisions = Vec::new();
    for (i, event) in played.events().iter().enumerate() {
        if let Some(before) = i.checked_sub(1)
            && game.turn(&played.states()[before]) == Turn::Of(seat)
        {
            let done = played.actions()[before];
            let fits =
                |option: &Action| option.step() == done.step() || done == Action::Stop || *option == Action::Stop;
            let options: Vec<Action> = game.legal(&played.states()[before]).into_iter().filter(fits).collect();
            if options.len() > 1 {
                decisions.push(Decision { beliefs: beliefs.clone(), table: table.clone(), options, done });
            }
        }
        let sight = game.sight(event, seat);
        beliefs.watch(&sight);
        table.watch(&sight);
    }
    decisions
}

/// Which step a factor is about; all of them if none. It saves time and nothing else: in other steps its levels do the same.
fn about(factor: &Factor) -> Option<Step> {
    match factor.name {
        "looks" => Some(Step::Look),
        "marked" | "groups" | "moves" | "courtesy" | "idle" => Some(Step::Move),
        "hints" | "size" | "target" => Some(Step::Hint),
        _ => None,
    }
}

/// The order that explains these matches.
fn fit(matches: &[&Vec<Decision>], draws: usize) -> Order {
    let mut order = Order::PAPER;
    for factor in FACTORS {
        let step = about(factor);
        let concerned = |decision: &&Decision| step.is_none() || decision.done.step() == step;
        let decisions: Vec<&Decision> = matches.iter().copied().flatten().filter(concerned).collect();
        if decisions.len() < FEWEST {
            continue;
        }
        let shares = |order: Order| decisions.iter().map(|d| d.share(order, draws)).collect::<Vec<f64>>();
        let before = shares(order);
        let gain = |level: usize| {
            let after = shares(factor.with(order, level));
            let gains: Vec<f64> = after.iter().zip(&before).map(|(after, before)| after - before).collect();
            let n = gains.len() as f64;
            let mean = gains.iter().sum::<f64>() / n;
            let variance = gains.iter().map(|gain| (gain - mean).powi(2)).sum::<f64>() / (n - 1.0);
            (mean, mean > MARGIN * (variance / n).sqrt() && mean > 0.0)
        };
        let gains = (0..factor.levels.len()).filter(|&level| level != factor.level(&order)).map(|l| (l, gain(l)));
        let best = gains.filter(|(_, (_, better))| *better).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
        if let Some((level, _)) = best {
            order = factor.with(order, level);
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yokai::players::staged::record;

    fn explained(names: [&str; 2], seeds: std::ops::Range<u64>) -> Explained {
        let mut decisions = Decisions::default();
        seeds.for_each(|seed| decisions.add(&record(names, seed), Seat(0)).unwrap());
        decisions.explained()
    }

    #[test]
    fn what_the_learner_does_otherwise_is_found_and_explains_other_matches_better_than_the_papers_order() {
        let found = explained(["learner", "paper"], 0..40);
        // Where it looks differs too little from where the paper's player does to be told apart.
        for name in ["moves", "hints"] {
            let factor = FACTORS.iter().find(|factor| factor.name == name).unwrap();
            assert_eq!(factor.level(&found.order), factor.level(&Order::LEARNED), "{name}: {}", found.order);
        }
        let mean = |which: usize| found.held_out.iter().map(|shares| shares[which]).sum::<f64>() / 40.0;
        assert!(mean(0) > mean(1) + 0.05, "{} {}", mean(0), mean(1));
    }

    #[test]
    fn what_the_papers_player_does_is_explained_by_the_papers_order() {
        let found = explained(["paper", "random"], 0..6);
        let other = FACTORS.iter().filter(|factor| factor.level(&found.order) != 0).count();
        assert!(other <= 1, "{}", found.order);
        assert!(found.held_out.iter().all(|[ours, papers]| (ours - papers).abs() < 0.05), "{:?}", found.held_out);
    }

    #[test]
    fn a_single_match_has_no_share_that_is_not_biased() {
        let found = explained(["paper", "random"], 0..1);
        assert!(found.held_out.is_empty() && found.decisions > 20);
    }
}
