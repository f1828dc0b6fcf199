//! The player of the paper on Yōkai, by the book: sections 4 and 5, Appendix A, Algorithms 1 to 4.
//!
//! In its turn the player looks at two cards, moves a card, and uses a hint. For each action it runs through a list of
//! goals: it takes the first whose precondition holds and for which it finds an executable action that makes it believe
//! the goal. The algorithms that order the goals are *metalogical* and stand here, once; what is believed and which
//! actions solve a goal is asked of its [`Beliefs`], of which there are two kinds that must agree:
//!
//! * [`Plain`]: in plain code, fast: the player `paper`;
//! * [`Logical`]: by a belief base, its revision, and a SAT solver: the player `paper-sat`.
//!
//! # Readings
//!
//! Where the text leaves a choice, this is ours:
//!
//! * POP and "randomly" draw with the player's dice; where a list is sorted, ties are in random order. Of several actions
//!   that solve a goal, one is drawn.
//! * The repertoire of an action is what the rules allow at that step: so *legMov*, and that the two looks of a turn are
//!   at different cards, are settled outside the logic.
//! * A goal is attainable unless the base excludes its precondition, which is there to save useless searches. What a
//!   precondition says about positions, marks and what was seen is settled by the base either way; but "no card of
//!   colour c lies beside them" fails only if the player believes that one does. (Were the precondition to be entailed,
//!   unseen neighbours would forbid nearly every pair, and two such players would win 4.7 % of their matches, not 10.5 %.)
//! * Known cards (X_c) are those that the player looked at: explicit beliefs △ₘcol. Marked cards (H_c) are, as the text
//!   says and the formula does not, only those whose colour it has not seen.
//! * What the partner knows is what it looked at; a card *unknown to the partner* is one that it has not looked at.
//! * The colour that a look will show is not known beforehand. A look solves a goal if for *every* colour that is
//!   consistent with the base, and there is one, the goal follows once that colour is learned. (The goals only ask to
//!   know the colour, whichever it is, so that "for some" would be the same.)
//! * *obsArroundCards* is asked of one to three cards, as its definition says; one card alone is connected.
//! * If *randomMove* has no card left, any legal move is made: a move is compulsory.
//! * The player stops when it implicitly believes that every colour is connected.
//!
//! The slips in the printed algorithms are repaired: Algorithm 3 tests the precondition before the plan and unites its
//! sets over the colours; sets of seen cards come before sets with marked ones; a common neighbouring cell must be empty;
//! in the goal for pairs the colour is the parameter; and with no proper mark and nothing to activate, the lowest
//! unmarked card that the player has not seen (the lowest unmarked one, if it saw them all) gets the largest active hint.

use super::{Placed, Reason, Reasoned};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::{Notation, Player};
use crate::yokai::colour::{Colour, Hint};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, Sight, Step, Yokai};
use goal::subsets;
use serde_json::json;

mod axioms;
mod formulas;
mod goal;
mod logical;
mod plain;

pub use goal::Goal;
pub use logical::{Ask, Asked, Logical};
pub use plain::Plain;

/// What the algorithms ask.
pub trait Beliefs: Send {
    /// Takes in what happened.
    fn watch(&mut self, sight: &Sight);

    /// Believes what one would who has this before it.
    fn place(&mut self, position: &Position);

    /// The questions that a solver was asked for the last action, each with its answer.
    fn account(&self) -> Vec<(String, bool)> {
        Vec::new()
    }

    /// An action is to be chosen: forgets how the last one was.
    fn begin(&mut self) {}

    /// The cards that it saw to be of this colour: X_c.
    fn seen(&mut self, colour: Colour) -> CardSet;

    /// The cards that it has not seen and that a hint with this colour marks, if it has no reason to doubt the hint: H_c.
    fn marked_with(&mut self, colour: Colour) -> CardSet;

    /// The cards without a mark.
    fn unmarked(&mut self) -> CardSet;

    /// The active hints in the order of [`Colours::HINTS`](crate::yokai::Colours::HINTS).
    fn active(&mut self) -> Vec<Hint>;

    /// Whether it implicitly believes that every colour is connected.
    fn believes_grouped(&mut self) -> bool;

    /// Whether the goal's precondition is possible for all it believes.
    fn attainable(&mut self, goal: &Goal) -> bool;

    /// The actions of the repertoire that are executable and after which it believes the goal, in the order given.
    fn plans(&mut self, goal: &Goal, repertoire: &[Action]) -> Vec<Action>;
}

/// A goal that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The goal.
    pub goal: Goal,
    /// Whether its precondition is possible; of [`Goal::Grouped`], whether it is believed.
    pub attainable: bool,
    /// The actions that solve it; none were looked for if it is not attainable.
    pub plans: Vec<Action>,
}

/// The player of the paper with one way of reasoning.
pub struct Paper<B> {
    beliefs: B,
    dice: Dice,
    tried: Vec<Tried>,
    chosen: Option<Action>,
}

impl<B: Beliefs> Paper<B> {
    /// A player that reasons so, with its own randomness.
    pub fn new(beliefs: B, seed: u64) -> Paper<B> {
        Paper { beliefs, dice: Dice::new(seed), tried: Vec::new(), chosen: None }
    }

    /// The goals that were tried for the last action, in their order; the last one that has plans was chosen.
    pub fn tried(&self) -> &[Tried] {
        &self.tried
    }

    /// How it reasons.
    pub fn beliefs(&self) -> &B {
        &self.beliefs
    }

    /// CHECKPLAN, after the precondition.
    fn attempt(&mut self, goal: Goal, repertoire: &[Action]) -> Option<Action> {
        let attainable = self.beliefs.attainable(&goal);
        let plans = if attainable { self.beliefs.plans(&goal, repertoire) } else { Vec::new() };
        let chosen = (!plans.is_empty()).then(|| *self.dice.pick(&plans));
        self.tried.push(Tried { goal, attainable, plans });
        chosen
    }

    /// TRYTOOBSERVE, TRYTOMOVE and TRYTOMARK: the first of the goals that works out.
    fn first(&mut self, goals: impl IntoIterator<Item = Goal>, repertoire: &[Action]) -> Option<Action> {
        goals.into_iter().find_map(|goal| self.attempt(goal, repertoire))
    }

    /// The items in random order, but sorted by a key.
    fn order<T, K: Ord>(&mut self, items: impl IntoIterator<Item = T>, key: impl FnMut(&T) -> K) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        self.dice.shuffle(&mut items);
        items.sort_by_key(key);
        items
    }

    fn shuffled(&mut self, cards: CardSet) -> Vec<Card> {
        let mut cards: Vec<Card> = cards.iter().collect();
        self.dice.shuffle(&mut cards);
        cards
    }

    fn all_seen(&mut self) -> CardSet {
        Colour::ALL.into_iter().fold(CardSet::EMPTY, |all, c| all.or(self.beliefs.seen(c)))
    }

    /// Algorithm 2.
    fn look(&mut self, repertoire: &[Action]) -> Action {
        let groups: Vec<CardSet> = Colour::ALL.into_iter().flat_map(|c| subsets(self.beliefs.seen(c), 1, 3)).collect();
        let groups = self.order(groups, |x| std::cmp::Reverse(x.len()));
        if let Some(look) = self.first(groups.into_iter().map(Goal::LookAround), repertoire) {
            return look;
        }
        let unknown = ALL.minus(self.all_seen());
        let unknown = self.shuffled(unknown);
        if let Some(look) = self.first(unknown.into_iter().map(Goal::LookUnknown), repertoire) {
            return look;
        }
        let any = self.shuffled(ALL);
        self.first(any.into_iter().map(Goal::LookAny), repertoire).expect("any look that is allowed will do")
    }

    /// Algorithm 3.
    fn shift(&mut self, repertoire: &[Action]) -> Action {
        let mut groups = Vec::new();
        for colour in Colour::ALL {
            let seen = self.beliefs.seen(colour);
            let marked = if seen.len() < 4 { self.beliefs.marked_with(colour) } else { CardSet::EMPTY };
            groups.extend(subsets(seen.or(marked), 2, 4).map(|x| (x, x.minus(seen).len(), colour)));
        }
        let groups = self.order(groups, |(x, marked, _)| (std::cmp::Reverse(x.len()), *marked));
        let goals = groups.into_iter().map(|(x, _, colour)| Goal::Group(x, colour));
        if let Some(shift) = self.first(goals, repertoire) {
            return shift;
        }
        let any = self.shuffled(ALL);
        match self.first(any.into_iter().map(Goal::MoveAny), repertoire) {
            Some(shift) => shift,
            None => *self.dice.pick(repertoire),
        }
    }

    /// Algorithm 4.
    fn hint(&mut self, repertoire: &[Action]) -> Action {
        let active = self.beliefs.active();
        let unmarked = self.beliefs.unmarked();
        for hint in self.order(active.iter().copied(), |h| h.len()) {
            let cards = self.shuffled(unmarked);
            if let Some(mark) = self.first(cards.into_iter().map(|x| Goal::MarkUnknown(x, hint)), repertoire) {
                return mark;
            }
        }
        let largest_first = self.order(active, |h| std::cmp::Reverse(h.len()));
        for &hint in &largest_first {
            let cards = self.shuffled(unmarked);
            if let Some(mark) = self.first(cards.into_iter().map(|x| Goal::MarkAny(x, hint)), repertoire) {
                return mark;
            }
        }
        if repertoire.contains(&Action::Activate) {
            return Action::Activate;
        }
        let card = unmarked.minus(self.all_seen()).lowest().or(unmarked.lowest()).expect("a mark is allowed");
        Action::Mark(card, largest_first[0])
    }

    fn decide(&mut self, options: &[Action]) -> Action {
        self.tried.clear();
        self.beliefs.begin();
        if options.contains(&Action::Stop) {
            let grouped = self.beliefs.believes_grouped();
            let plans = if grouped { vec![Action::Stop] } else { Vec::new() };
            self.tried.push(Tried { goal: Goal::Grouped, attainable: grouped, plans });
            if grouped {
                return Action::Stop;
            }
        }
        // Where the order of the steps is free, the player keeps its own.
        let step = options.iter().filter_map(Action::step).min().expect("a step is to be done");
        let repertoire: Vec<Action> = options.iter().copied().filter(|a| a.step() == Some(step)).collect();
        match step {
            Step::Move if repertoire == [Action::Skip] => Action::Skip,
            Step::Look => self.look(&repertoire),
            Step::Move => self.shift(&repertoire),
            Step::Hint => self.hint(&repertoire),
        }
    }
}

const ALL: CardSet = CardSet(0xffff);

impl<B: Beliefs> Player<Yokai> for Paper<B> {
    fn watch(&mut self, sight: &Sight) {
        self.beliefs.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let action = self.decide(options);
        self.chosen = Some(action);
        action
    }
}

impl<B: Beliefs> Placed for Paper<B> {
    fn place(&mut self, position: &Position) {
        self.beliefs.place(position);
    }
}

impl<B: Beliefs> Reasoned for Paper<B> {
    /// The goal that the action serves, the goals tried before it, and what the solver was asked.
    fn reason(&self) -> Option<Reason> {
        let action = Yokai::default().write(&self.chosen?);
        let reached = self.tried.last().filter(|tried| !tried.plans.is_empty());
        let headline = match reached {
            Some(tried) => format!("{action}: {}, one of {} ways", tried.goal, tried.plans.len()),
            None => format!("{action}: no goal can be reached"),
        };
        let line = |tried: &Tried| match (tried.attainable, tried.plans.len()) {
            (false, _) => format!("{}: not attainable", tried.goal),
            (true, 0) => format!("{}: no action reaches it", tried.goal),
            (true, ways) => format!("{}: actions that reach it: {ways}", tried.goal),
        };
        let asked = self.beliefs.account();
        let tell = |tried: &Tried| {
            let plans: Vec<String> = tried.plans.iter().map(|plan| Yokai::default().write(plan)).collect();
            json!({"goal": tried.goal.to_string(), "attainable": tried.attainable, "plans": plans})
        };
        let data = json!({
            "goal": reached.map(|tried| tried.goal.to_string()),
            "tried": self.tried.iter().map(tell).collect::<Vec<_>>(),
            "asked": asked.iter().map(|(ask, follows)| json!({"entails": ask, "answer": follows})).collect::<Vec<_>>(),
        });
        let answers = asked.iter().map(|(ask, follows)| format!("{} {ask}", if *follows { "⊨" } else { "⊭" }));
        Some(Reason { headline, lines: self.tried.iter().map(line).chain(answers).collect(), data })
    }
}

#[cfg(test)]
mod tests;
