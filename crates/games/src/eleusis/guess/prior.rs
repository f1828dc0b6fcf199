//! The prior: how likely each kind of condition, of situation and of form is before the first card.
//!
//! The numbers were fitted to the part of the rule library that is not held back, by expectation maximisation
//! ([`Evidence::usage`](super::Evidence::usage)); `cargo run --release -p ken-games --example eleusis_prior` prints them again.
//! Within a kind the shares are set by hand where the kind is made (a half for each bit of length).

/// A kind of atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Every card.
    Anything,
    /// No card.
    Nothing,
    /// A colour.
    Colour,
    /// A suit, or any other suit.
    Suit,
    /// Two suits of different colours.
    SuitPair,
    /// Odd or even.
    Parity,
    /// A face or a number card.
    Face,
    /// A prime rank, or not.
    Prime,
    /// Up to a rank, or above it.
    Bound,
    /// A rank by its remainder modulo 3, 4 or 5.
    Multiple,
    /// Fibonacci numbers, squares, powers of two, composites.
    Named,
    /// One rank, or any other.
    OneRank,
    /// From a rank to a rank, or outside.
    Range,
    /// The colour of the last card, or the other.
    LikeColour,
    /// The suit of the last card, or another.
    LikeSuit,
    /// The rank of the last card, or another.
    LikeRank,
    /// Odd or even as the last card, or not.
    LikeParity,
    /// The remainder of the last card modulo 3, 4 or 5, or another.
    LikeRemainder,
    /// Higher or lower than the last card, or equal.
    Order,
    /// A property that the last card has not, or the other way round.
    Turns,
    /// A property that the last card has as well, or neither.
    Alike,
    /// At most so many ranks away, or farther.
    Near,
    /// Exactly so many ranks away, or not.
    Apart,
    /// So many ranks higher, or up to so many.
    Step,
    /// So many ranks away in the circle of ranks.
    Around,
    /// The sum with the last rank by its remainder.
    SumMod,
    /// The sum with the last rank up to a bound, above it, or exactly.
    SumBound,
    /// The product with the last rank below a bound, or not.
    Product,
    /// No common divisor with the last rank, or one.
    Gcd,
    /// The next term of a sequence of numbers.
    Sequence,
    /// The next suit in a circle of suits.
    Circle,
    /// Likeness or order with a card two to four places back.
    Farther,
    /// A rank with the remainder of its place in the line.
    PlaceMod,
    /// The rank that the place in the line gives.
    PlaceRank,
    /// A rank up to, or from, its place in the line.
    PlaceBound,
    /// Anything until the line is so long.
    Length,
    /// Something that is in the line already, or is not.
    Seen,
    /// Something that is not so often in the line.
    Often,
    /// Something that is among the last cards, or is not.
    Lately,
    /// No longer run of something.
    Run,
    /// Compared with the highest or lowest rank of the line.
    Extreme,
    /// Likeness or order with the first card.
    Starter,
    /// The sum of the line stays below a bound.
    Total,
    /// A rank with the remainder of a count or a sum over the line.
    CountMod,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 44] = [
        Kind::Anything,
        Kind::Nothing,
        Kind::Colour,
        Kind::Suit,
        Kind::SuitPair,
        Kind::Parity,
        Kind::Face,
        Kind::Prime,
        Kind::Bound,
        Kind::Multiple,
        Kind::Named,
        Kind::OneRank,
        Kind::Range,
        Kind::LikeColour,
        Kind::LikeSuit,
        Kind::LikeRank,
        Kind::LikeParity,
        Kind::LikeRemainder,
        Kind::Order,
        Kind::Turns,
        Kind::Alike,
        Kind::Near,
        Kind::Apart,
        Kind::Step,
        Kind::Around,
        Kind::SumMod,
        Kind::SumBound,
        Kind::Product,
        Kind::Gcd,
        Kind::Sequence,
        Kind::Circle,
        Kind::Farther,
        Kind::PlaceMod,
        Kind::PlaceRank,
        Kind::PlaceBound,
        Kind::Length,
        Kind::Seen,
        Kind::Often,
        Kind::Lately,
        Kind::Run,
        Kind::Extreme,
        Kind::Starter,
        Kind::Total,
        Kind::CountMod,
    ];

    /// The length of the property inside "takes turns" and "alike".
    pub(super) fn turns(self) -> f64 {
        match self {
            Kind::Colour | Kind::Parity => 0.0,
            Kind::Face | Kind::Prime | Kind::SuitPair | Kind::Bound => 0.0,
            Kind::Multiple | Kind::Named => 1.0,
            Kind::Suit => 2.0,
            _ => 4.0,
        }
    }

    /// The length of the property as a condition of a split.
    pub(super) fn case(self) -> f64 {
        match self {
            Kind::Colour => 0.0,
            Kind::Parity | Kind::Face => 0.7,
            Kind::Suit | Kind::Prime | Kind::OneRank => 2.0,
            Kind::SuitPair | Kind::Bound => 3.0,
            Kind::Multiple => 4.0,
            _ => 7.0,
        }
    }
}

/// A kind of split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Case {
    /// A property of the last card.
    Last,
    /// A property of the next card.
    Next,
    /// A property of the card before the last.
    Before,
    /// How the next card compares with the last.
    Relation,
    /// How the last two cards compare.
    LastTwo,
    /// Whether the number of cards in the line is odd.
    Odd,
    /// The number of cards in the line modulo 3 or 4.
    Period,
    /// How long the line is.
    Length,
    /// Whether a property was seen, or seen an even number of times.
    Count,
    /// Three or four cases of suits or remainders.
    Many,
}

impl Case {
    /// All kinds.
    pub const ALL: [Case; 10] = [
        Case::Last,
        Case::Next,
        Case::Before,
        Case::Relation,
        Case::LastTwo,
        Case::Odd,
        Case::Period,
        Case::Length,
        Case::Count,
        Case::Many,
    ];
}

/// The form of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// One atom.
    Single,
    /// A split with an atom in one branch and its opposite in the other.
    Opposed,
    /// A split with an atom in one branch and anything in the other.
    Free,
    /// A split with any atom in each branch.
    Split,
    /// Two atoms joined by and.
    And,
    /// Two atoms joined by or.
    Or,
    /// Exactly one of two atoms.
    Xor,
    /// Any set of ranks.
    Ranks,
    /// Any set of ranks in turns with the others.
    Turns,
    /// A split into four with the four suits dealt to its branches.
    Dealt,
}

impl Form {
    /// All forms.
    pub const ALL: [Form; 10] = [
        Form::Single,
        Form::Opposed,
        Form::Free,
        Form::Split,
        Form::And,
        Form::Or,
        Form::Xor,
        Form::Ranks,
        Form::Turns,
        Form::Dealt,
    ];
}

/// How often each kind is a rule of its own, a part of one, a part with its opposite beside it; how often each kind of
/// split and each form is used. Only the proportions within each list count.
#[derive(Clone, Debug, PartialEq)]
pub struct Prior {
    /// Of kinds as a rule.
    pub alone: [f64; Kind::ALL.len()],
    /// Of kinds as a part of a rule.
    pub part: [f64; Kind::ALL.len()],
    /// Of kinds with the opposite in the other branch.
    pub opposed: [f64; Kind::ALL.len()],
    /// Of splits.
    pub case: [f64; Case::ALL.len()],
    /// Of forms.
    pub form: [f64; Form::ALL.len()],
}

impl Prior {
    /// Every number the same.
    pub fn even(number: f64) -> Prior {
        Prior {
            alone: [number; Kind::ALL.len()],
            part: [number; Kind::ALL.len()],
            opposed: [number; Kind::ALL.len()],
            case: [number; Case::ALL.len()],
            form: [number; Form::ALL.len()],
        }
    }

    /// The fitted prior.
    pub fn fitted() -> Prior {
        let mut prior = Prior::even(0.0);
        for (kind, alone, part, opposed) in KINDS {
            prior.alone[kind as usize] = alone;
            prior.part[kind as usize] = part;
            prior.opposed[kind as usize] = opposed;
        }
        CASES.iter().for_each(|&(case, share)| prior.case[case as usize] = share);
        FORMS.iter().for_each(|&(form, share)| prior.form[form as usize] = share);
        prior
    }

    /// Adds the numbers of another, so many times.
    pub fn add(&mut self, other: &Prior, times: f64) {
        let mut other = other.clone();
        self.numbers().zip(other.numbers()).for_each(|(to, from)| *to += times * *from);
    }

    /// All its numbers, list after list.
    pub(super) fn numbers(&mut self) -> impl Iterator<Item = &mut f64> {
        let lists = self.alone.iter_mut().chain(&mut self.part).chain(&mut self.opposed);
        lists.chain(&mut self.case).chain(&mut self.form)
    }
}

/// For each kind: as a rule, as a part, as a part with its opposite.
const KINDS: [(Kind, f64, f64, f64); Kind::ALL.len()] = [
    (Kind::Anything, 0.0037, 0.0065, 0.0092),
    (Kind::Nothing, 0.0042, 0.0056, 0.0084),
    (Kind::Colour, 0.0050, 0.0609, 0.2087),
    (Kind::Suit, 0.0208, 0.0498, 0.0085),
    (Kind::SuitPair, 0.0550, 0.0138, 0.0075),
    (Kind::Parity, 0.0213, 0.0516, 0.0456),
    (Kind::Face, 0.0186, 0.0548, 0.0189),
    (Kind::Prime, 0.0037, 0.0039, 0.0116),
    (Kind::Bound, 0.0741, 0.0633, 0.0526),
    (Kind::Multiple, 0.0334, 0.0034, 0.0071),
    (Kind::Named, 0.0393, 0.0088, 0.0066),
    (Kind::OneRank, 0.0037, 0.0033, 0.0065),
    (Kind::Range, 0.0201, 0.0033, 0.0066),
    (Kind::LikeColour, 0.0188, 0.0669, 0.0527),
    (Kind::LikeSuit, 0.0302, 0.0653, 0.0800),
    (Kind::LikeRank, 0.0107, 0.0461, 0.0386),
    (Kind::LikeParity, 0.0081, 0.0292, 0.0081),
    (Kind::LikeRemainder, 0.0060, 0.0176, 0.0065),
    (Kind::Order, 0.0046, 0.0762, 0.2381),
    (Kind::Turns, 0.1462, 0.0034, 0.0068),
    (Kind::Alike, 0.0093, 0.0038, 0.0072),
    (Kind::Near, 0.0379, 0.0429, 0.0066),
    (Kind::Apart, 0.0115, 0.0426, 0.0065),
    (Kind::Step, 0.0232, 0.0036, 0.0064),
    (Kind::Around, 0.0300, 0.0032, 0.0064),
    (Kind::SumMod, 0.0048, 0.0032, 0.0065),
    (Kind::SumBound, 0.0037, 0.0033, 0.0071),
    (Kind::Product, 0.0223, 0.0032, 0.0069),
    (Kind::Gcd, 0.0218, 0.0044, 0.0068),
    (Kind::Sequence, 0.0124, 0.0050, 0.0064),
    (Kind::Circle, 0.0380, 0.0341, 0.0064),
    (Kind::Farther, 0.0041, 0.0197, 0.0065),
    (Kind::PlaceMod, 0.0402, 0.0032, 0.0066),
    (Kind::PlaceRank, 0.0037, 0.0393, 0.0064),
    (Kind::PlaceBound, 0.0216, 0.0036, 0.0064),
    (Kind::Length, 0.0441, 0.0036, 0.0064),
    (Kind::Seen, 0.0297, 0.0856, 0.0069),
    (Kind::Often, 0.0491, 0.0034, 0.0064),
    (Kind::Lately, 0.0063, 0.0037, 0.0074),
    (Kind::Run, 0.0037, 0.0034, 0.0064),
    (Kind::Extreme, 0.0176, 0.0316, 0.0150),
    (Kind::Starter, 0.0079, 0.0131, 0.0107),
    (Kind::Total, 0.0037, 0.0034, 0.0064),
    (Kind::CountMod, 0.0261, 0.0032, 0.0065),
];

const CASES: [(Case, f64); Case::ALL.len()] = [
    (Case::Last, 0.3279),
    (Case::Next, 0.2043),
    (Case::Before, 0.0053),
    (Case::Relation, 0.1993),
    (Case::LastTwo, 0.0682),
    (Case::Odd, 0.0874),
    (Case::Period, 0.0050),
    (Case::Length, 0.0076),
    (Case::Count, 0.0069),
    (Case::Many, 0.0882),
];

const FORMS: [(Form, f64); Form::ALL.len()] = [
    (Form::Single, 0.4474),
    (Form::Opposed, 0.2181),
    (Form::Free, 0.0592),
    (Form::Split, 0.0834),
    (Form::And, 0.0834),
    (Form::Or, 0.0614),
    (Form::Xor, 0.0117),
    (Form::Ranks, 0.0020),
    (Form::Turns, 0.0117),
    (Form::Dealt, 0.0219),
];
