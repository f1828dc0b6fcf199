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
//! What is tried before what is an [`Order`]: [`Order::PAPER`] is that of the paper; others are explored and learned
//! ([`learn`]).
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

use super::{Basis, Placed, Reason, Reasoned};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::{Notation, Player, Seat};
use crate::yokai::colour::{Colour, Hint};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, Sight, Step, Yokai};
use goal::subsets;
use serde_json::json;

mod axioms;
pub mod explain;
mod formulas;
mod goal;
pub mod learn;
mod logical;
pub mod order;
mod plain;
mod table;

pub use goal::Goal;
pub use logical::{Ask, Asked, Logical};
pub use order::Order;
use order::{Courtesy, Groups, Hints, Idle, Known, Looks, Marked, Moves, Size, Target};
pub use plain::Plain;
use std::cmp::Reverse;
use table::Table;
pub(super) use table::parts;

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

    /// The belief base and all that was asked of it for the last action, if there is one.
    fn basis(&mut self) -> Option<Basis> {
        None
    }

    /// An action is to be chosen: forgets how the last one was.
    fn begin(&mut self) {}

    /// The cards that it saw to be of this colour: X_c.
    fn seen(&mut self, colour: Colour) -> CardSet;

    /// The cards that it implicitly believes to be of this colour.
    fn known(&mut self, colour: Colour) -> CardSet;

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
    order: Order,
    table: Table,
    dice: Dice,
    tried: Vec<Tried>,
    chosen: Option<Action>,
}

impl<B: Beliefs> Paper<B> {
    /// A player that reasons so and tries its goals in this order, with its own randomness.
    pub fn new(beliefs: B, order: Order, seed: u64) -> Paper<B> {
        let table = Table::at(&Position::start(Seat(0)));
        Paper { beliefs, order, table, dice: Dice::new(seed), tried: Vec::new(), chosen: None }
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
        let chosen = (!plans.is_empty()).then(|| self.pick(&plans));
        self.tried.push(Tried { goal, attainable, plans });
        chosen
    }

    /// One of the plans; of moves, one of those that the order prefers.
    fn pick(&mut self, plans: &[Action]) -> Action {
        let stay = self.stay();
        let groups = match self.order.moves {
            Moves::Any => Vec::new(),
            Moves::Joining => Colour::ALL.map(|c| self.of(c).0 as u16).to_vec(),
        };
        let layout = *self.table.stage.layout();
        let cost = |plan: &Action| match *plan {
            Action::Move(card, _) if groups.is_empty() => (stay.has(card), 0),
            Action::Move(card, to) => {
                let shape = layout.moved(card, to).shape();
                (stay.has(card), groups.iter().map(|&group| parts(shape.neighbours(), group)).sum())
            }
            Action::Look(_) | Action::Skip | Action::Activate | Action::Mark(..) | Action::Stop => (false, 0),
        };
        let costs: Vec<(bool, usize)> = plans.iter().map(cost).collect();
        let least = costs.iter().min();
        let best: Vec<Action> = plans.iter().zip(&costs).filter(|(_, c)| Some(*c) == least).map(|(p, _)| *p).collect();
        *self.dice.pick(&best)
    }

    /// The cards that are rather left where they are.
    fn stay(&self) -> CardSet {
        let moved = self.table.moved;
        match self.order.courtesy {
            Courtesy::Nothing => CardSet::EMPTY,
            Courtesy::Moved => moved,
            Courtesy::Beside => moved.or(self.table.beside(moved)),
        }
    }

    /// TRYTOOBSERVE, TRYTOMOVE and TRYTOMARK: the first of the goals that works out.
    fn first(&mut self, goals: impl IntoIterator<Item = Goal>, repertoire: &[Action]) -> Option<Action> {
        goals.into_iter().find_map(|goal| self.attempt(goal, repertoire))
    }

    /// The items in random order, but sorted by a key.
    fn sorted<T, K: Ord>(&mut self, items: impl IntoIterator<Item = T>, key: impl FnMut(&T) -> K) -> Vec<T> {
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

    /// The cards that count as being of this colour.
    fn of(&mut self, colour: Colour) -> CardSet {
        match self.order.known {
            Known::Seen => self.beliefs.seen(colour),
            Known::Implied => self.beliefs.known(colour),
        }
    }

    fn all_known(&mut self) -> CardSet {
        Colour::ALL.into_iter().fold(CardSet::EMPTY, |all, c| all.or(self.of(c)))
    }

    fn all_seen(&mut self) -> CardSet {
        Colour::ALL.into_iter().fold(CardSet::EMPTY, |all, c| all.or(self.beliefs.seen(c)))
    }

    /// Algorithm 2.
    fn look(&mut self, repertoire: &[Action]) -> Action {
        if self.order.looks == Looks::Around {
            let groups: Vec<CardSet> = Colour::ALL.into_iter().flat_map(|c| subsets(self.of(c), 1, 3)).collect();
            let groups = self.sorted(groups, |x| Reverse(x.len()));
            if let Some(look) = self.first(groups.into_iter().map(Goal::LookAround), repertoire) {
                return look;
            }
        }
        let unknown = ALL.minus(self.all_known());
        let (looks, looked) = (self.order.looks, self.table.looked);
        let unknown = self.sorted(unknown.iter(), |&x| match looks {
            Looks::Around | Looks::Unknown => false,
            Looks::Fresh => looked.has(x),
            Looks::Shared => !looked.has(x),
        });
        if let Some(look) = self.first(unknown.into_iter().map(Goal::LookUnknown), repertoire) {
            return look;
        }
        let any = self.shuffled(ALL);
        self.first(any.into_iter().map(Goal::LookAny), repertoire).expect("any look that is allowed will do")
    }

    /// Algorithm 3.
    fn shift(&mut self, repertoire: &[Action]) -> Action {
        let mut groups = Vec::new();
        let known = self.all_known();
        for colour in Colour::ALL {
            let sure = self.of(colour);
            let marked = match self.order.marked {
                Marked::Grouped if sure.len() < 4 => self.beliefs.marked_with(colour).minus(known),
                Marked::Grouped | Marked::Left => CardSet::EMPTY,
            };
            groups.extend(subsets(sure.or(marked), 2, 4).map(|x| (x, x.minus(sure).len(), colour)));
        }
        let order = self.order;
        let groups = self.sorted(groups, |(x, marked, _)| match order.groups {
            Groups::Largest => (4 - x.len(), *marked),
            Groups::Smallest => (x.len(), *marked),
        });
        let goals = groups.into_iter().map(|(x, _, colour)| Goal::Group(x, colour));
        if let Some(shift) = self.first(goals, repertoire) {
            return shift;
        }
        let stay = self.stay();
        let any = self.sorted(ALL.iter(), |&x| match order.idle {
            Idle::Any => (stay.has(x), false),
            Idle::Known => (stay.has(x), !known.has(x)),
            Idle::Unknown => (stay.has(x), known.has(x)),
        });
        match self.first(any.into_iter().map(Goal::MoveAny), repertoire) {
            Some(shift) => shift,
            None => *self.dice.pick(repertoire),
        }
    }

    /// The known cards beside another of their colour.
    fn settled(&mut self) -> CardSet {
        let groups = Colour::ALL.map(|c| self.of(c));
        groups.into_iter().fold(CardSet::EMPTY, |all, of| all.or(of.and(self.table.beside(of))))
    }

    /// The cards that may be marked, those first that the order marks first.
    fn targets(&mut self, unmarked: CardSet) -> Vec<Card> {
        let last = match self.order.target {
            Target::Any => CardSet::EMPTY,
            Target::Settled => ALL.minus(self.settled()),
            Target::Alone => self.settled(),
        };
        self.sorted(unmarked.iter(), |&x| last.has(x))
    }

    /// Algorithm 4.
    fn hint(&mut self, repertoire: &[Action]) -> Action {
        let Order { hints, size, .. } = self.order;
        let can_activate = repertoire.contains(&Action::Activate);
        if hints == Hints::Activate && can_activate {
            return Action::Activate;
        }
        let active = self.beliefs.active();
        let unmarked = self.beliefs.unmarked();
        let by_size = self.sorted(active.iter().copied(), |h| match size {
            Size::Smallest => h.len(),
            Size::Largest => 4 - h.len(),
        });
        for hint in by_size {
            let cards = self.targets(unmarked);
            if let Some(mark) = self.first(cards.into_iter().map(|x| Goal::MarkUnknown(x, hint)), repertoire) {
                return mark;
            }
        }
        if hints == Hints::Telling && can_activate {
            return Action::Activate;
        }
        let largest_first = self.sorted(active, |h| Reverse(h.len()));
        for &hint in &largest_first {
            let cards = self.targets(unmarked);
            if let Some(mark) = self.first(cards.into_iter().map(|x| Goal::MarkAny(x, hint)), repertoire) {
                return mark;
            }
        }
        if can_activate {
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
        self.table.watch(sight);
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
        self.table = Table::at(position);
        self.beliefs.place(position);
    }
}

impl<B: Beliefs> Reasoned for Paper<B> {
    fn basis(&mut self) -> Option<Basis> {
        self.beliefs.basis()
    }

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
