//! The order of the goals as a value, so that it can be varied and learned.
//!
//! The algorithms of the paper fix what is tried before what. Each such choice is a factor here, the paper's own way its
//! first level.

use crate::dice::{Dice, mix};
use std::fmt;

/// Each factor is an enum of its levels, a field of [`Order`], and an entry of [`FACTORS`].
macro_rules! order {
    ($($(#[$about:meta])* $field:ident: $Levels:ident { $($(#[$what:meta])* $Level:ident = $name:literal,)* })*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $Levels {
                $($(#[$what])* $Level,)*
            }

            impl $Levels {
                /// All levels, the paper's first.
                pub const ALL: &'static [$Levels] = &[$($Levels::$Level),*];
            }
        )*

        /// What is tried before what.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct Order {
            $($(#[$about])* pub $field: $Levels,)*
        }

        impl Order {
            /// The order of the paper.
            pub const PAPER: Order = Order { $($field: $Levels::ALL[0],)* };
        }

        /// The factors, in the order of the fields.
        pub const FACTORS: &[Factor] = &[$(Factor {
            name: stringify!($field),
            levels: &[$($name),*],
            get: |order| order.$field as usize,
            set: |order, level| order.$field = $Levels::ALL[level],
        },)*];
    };
}

/// A choice that orders differ in.
#[derive(Clone, Copy, Debug)]
pub struct Factor {
    /// Its name, that of the field.
    pub name: &'static str,
    /// The names of its levels, the paper's first.
    pub levels: &'static [&'static str],
    get: fn(&Order) -> usize,
    set: fn(&mut Order, usize),
}

impl Factor {
    /// The level that an order has, counted from 0.
    pub fn level(&self, order: &Order) -> usize {
        (self.get)(order)
    }

    /// The order with this level instead.
    ///
    /// # Panics
    /// If there is no such level.
    #[must_use]
    pub fn with(&self, mut order: Order, level: usize) -> Order {
        (self.set)(&mut order, level);
        order
    }
}

order! {
    /// Which cards are looked at first.
    looks: Looks {
        /// Those beside cards of one colour, then any unknown one.
        Around = "around",
        /// Any unknown one.
        Unknown = "unknown",
        /// An unknown one that the partner has not looked at.
        Fresh = "fresh",
        /// An unknown one that the partner has looked at.
        Shared = "shared",
    }

    /// Which colours count as known.
    known: Known {
        /// Those that were seen.
        Seen = "seen",
        /// Those that follow from what was seen and marked, too.
        Implied = "implied",
    }

    /// Whether cards that may be of a colour by their marks are grouped with it.
    marked: Marked {
        /// They are.
        Grouped = "grouped",
        /// They are not.
        Left = "left",
    }

    /// Which groups are tried first.
    groups: Groups {
        /// Those of four cards, then of three, then of two.
        Largest = "largest",
        /// The other way round.
        Smallest = "smallest",
    }

    /// Which of several moves that reach the goal is made.
    moves: Moves {
        /// Any.
        Any = "any",
        /// One that leaves the known cards in the fewest parts, those of each colour by themselves.
        Joining = "joining",
    }

    /// Which cards are rather left where they are.
    courtesy: Courtesy {
        /// None.
        Nothing = "none",
        /// Those that the partner has put there.
        Moved = "moved",
        /// Those, and the cards beside them.
        Beside = "beside",
    }

    /// Which card is moved when no group can be made.
    idle: Idle {
        /// Any that is not beside a card of its colour.
        Any = "any",
        /// Rather one whose colour is known.
        Known = "known",
        /// Rather one whose colour is not known.
        Unknown = "unknown",
    }

    /// What is done with hints first.
    hints: Hints {
        /// Any proper mark, then activating a hint.
        Mark = "mark",
        /// A mark that tells the partner something, then activating a hint, then another proper mark.
        Telling = "telling",
        /// Activating a hint, then any proper mark.
        Activate = "activate",
    }

    /// Which of the active hints is used first.
    size: Size {
        /// The one with the fewest colours.
        Smallest = "smallest",
        /// The one with the most colours.
        Largest = "largest",
    }

    /// Which card is marked first, and moves no more.
    target: Target {
        /// Any.
        Any = "any",
        /// One that lies beside a known card of its colour.
        Settled = "settled",
        /// One that does not.
        Alone = "alone",
    }
}

/// Apart from the seeds of play, so that the order tells nothing about the player's other chance.
const EXPLORING: u64 = 0x6f72_6465_7273;

impl Order {
    /// The order that was learned from 40,000 matches of explorers; the paper's levels are those that are not named.
    ///
    /// ```text
    /// ken run experiments/yokai-exploring
    /// ken yokai learn results/yokai-exploring/01-exploring.jsonl
    /// ```
    pub const LEARNED: Order = Order {
        looks: Looks::Unknown,
        known: Known::Implied,
        moves: Moves::Joining,
        hints: Hints::Activate,
        target: Target::Settled,
        ..Order::PAPER
    };

    /// The names of the factors, each with that of its level.
    pub fn levels(&self) -> impl Iterator<Item = (&'static str, &'static str)> + '_ {
        FACTORS.iter().map(|factor| (factor.name, factor.levels[factor.level(self)]))
    }

    /// The order that an explorer with this seed tries: each level of each factor is equally likely.
    pub fn explored(seed: u64) -> Order {
        let mut dice = Dice::new(mix(seed, EXPLORING));
        FACTORS.iter().fold(Order::PAPER, |order, factor| factor.with(order, dice.below(factor.levels.len())))
    }
}

impl fmt::Display for Order {
    /// `looks around, known seen, …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (factor, level)) in self.levels().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{factor} {level}")?;
        }
        Ok(())
    }
}
