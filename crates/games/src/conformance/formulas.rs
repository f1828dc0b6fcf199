//! Random formulas about who knows what.

use crate::dice::Dice;
use crate::game::Seat;
use ken_logic::formula::{Cmp, F, Formula, Group, Name};
use std::sync::Arc;

/// An operator of formulas about one moment: what an engine may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `!`
    Not,
    /// `&`
    And,
    /// `|`
    Or,
    /// `->`
    Imp,
    /// `<->`
    Iff,
    /// `xor`
    Xor,
    /// How many are true.
    Count,
    /// `K[a]`
    Knows,
    /// `S[a]`
    Possible,
    /// `Kw[a]`
    KnowsWhether,
    /// `E[a,b]`
    Everyone,
    /// `D[a,b]`
    Distributed,
    /// `C[a,b]`
    Common,
}

impl Operator {
    /// All operators.
    pub const ALL: [Operator; 13] = [
        Operator::Not,
        Operator::And,
        Operator::Or,
        Operator::Imp,
        Operator::Iff,
        Operator::Xor,
        Operator::Count,
        Operator::Knows,
        Operator::Possible,
        Operator::KnowsWhether,
        Operator::Everyone,
        Operator::Distributed,
        Operator::Common,
    ];

    /// All but these.
    pub fn all_but(without: &[Operator]) -> Vec<Operator> {
        Operator::ALL.into_iter().filter(|operator| !without.contains(operator)).collect()
    }

    /// Whether it speaks of knowledge.
    pub fn is_epistemic(self) -> bool {
        match self {
            Operator::Not
            | Operator::And
            | Operator::Or
            | Operator::Imp
            | Operator::Iff
            | Operator::Xor
            | Operator::Count => false,
            Operator::Knows
            | Operator::Possible
            | Operator::KnowsWhether
            | Operator::Everyone
            | Operator::Distributed
            | Operator::Common => true,
        }
    }
}

/// A formula over these atoms, of which there is at least one, with these operators, where so many seats play. At most
/// `depth` operators of knowledge are inside one another.
pub fn random_formula(atoms: &[Name], operators: &[Operator], seats: u8, depth: usize, dice: &mut Dice) -> F {
    Random { atoms, operators, seats, dice }.formula(depth)
}

struct Random<'a> {
    atoms: &'a [Name],
    operators: &'a [Operator],
    seats: u8,
    dice: &'a mut Dice,
}

impl Random<'_> {
    fn formula(&mut self, depth: usize) -> F {
        // Mostly knowledge, while there is depth left; else mostly atoms.
        let knowledge = depth > 0 && self.dice.below(3) > 0;
        let leaf = if depth > 0 { self.dice.below(10) == 0 } else { self.dice.below(3) > 0 };
        let fit: Vec<Operator> = self.operators.iter().copied().filter(|o| o.is_epistemic() == knowledge).collect();
        if leaf || fit.is_empty() {
            return Formula::atom(self.dice.pick(self.atoms).clone());
        }
        let operator = *self.dice.pick(&fit);
        let less = depth.saturating_sub(1);
        Arc::new(match operator {
            Operator::Not => Formula::Not(self.formula(depth)),
            Operator::And => Formula::And(self.several(depth)),
            Operator::Or => Formula::Or(self.several(depth)),
            Operator::Xor => Formula::Xor(self.several(depth)),
            Operator::Imp => Formula::Imp(self.formula(less), self.formula(depth)),
            Operator::Iff => Formula::Iff(self.formula(depth), self.formula(less)),
            Operator::Count => {
                let parts = self.several(depth);
                let cmp = *self.dice.pick(&[Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge]);
                Formula::Count(cmp, self.dice.below(parts.len() + 1) as u64, parts)
            }
            Operator::Knows => Formula::Knows(self.seat(), self.formula(less)),
            Operator::Possible => Formula::Possible(self.seat(), self.formula(less)),
            Operator::KnowsWhether => Formula::KnowsWhether(self.seat(), self.formula(less)),
            Operator::Everyone => Formula::Everyone(self.group(), self.formula(less)),
            Operator::Distributed => Formula::Distributed(self.group(), self.formula(less)),
            Operator::Common => Formula::Common(self.group(), self.formula(less)),
        })
    }

    /// Two or three parts, of which one is as deep as it may be.
    fn several(&mut self, depth: usize) -> Vec<F> {
        let more = 1 + self.dice.below(2);
        let mut parts = vec![self.formula(depth)];
        parts.extend((0..more).map(|_| self.formula(depth.saturating_sub(1))));
        parts
    }

    fn seat(&mut self) -> Name {
        self.dice.below(self.seats.into()).to_string().into()
    }

    /// Everybody, or some of the seats, at least one.
    fn group(&mut self) -> Group {
        let some: Vec<Name> =
            Seat::all(self.seats).filter(|_| self.dice.below(2) == 0).map(|seat| seat.to_string().into()).collect();
        if some.is_empty() { Group::All } else { Group::Of(some) }
    }
}
