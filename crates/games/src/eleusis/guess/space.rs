//! The rules that the guesser thinks of, and how likely it finds each before the first card.
//!
//! An *atom* is a simple condition on the next card: a set of cards, a relation to the card before, a memory of the
//! line. Rules are made of atoms in three ways:
//!
//! * one atom;
//! * a *split*: the situation (the card before, the place in the line, the next card itself) picks one of several
//!   branches, each branch has its own atom: every if–then–else and case of the language that people use;
//! * two atoms joined by and, or, either–or.
//!
//! Besides, any set of ranks, and any set of ranks taking turns with the others. The prior of an atom is the share of
//! its kind ([`Prior`]) times its share within the kind, which halves with every bit of its length. Of atoms that
//! accept the same cards on every probe only the first is kept: the plainest kind comes first.

use super::atoms::{self, Atom};
use super::prior::{Case, Form, Kind, Prior};
use super::splits::{self, BRANCHES, Split};
use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;
use crate::eleusis::rule::{CardRef, Test};
use std::sync::OnceLock;

/// How a joined pair of atoms is joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Join {
    /// Both hold.
    And,
    /// At least one holds.
    Or,
    /// Exactly one holds.
    Xor,
}

impl Join {
    /// All joins.
    pub const ALL: [Join; 3] = [Join::And, Join::Or, Join::Xor];

    /// The form of rules joined so.
    pub(super) fn form(self) -> Form {
        match self {
            Join::And => Form::And,
            Join::Or => Form::Or,
            Join::Xor => Form::Xor,
        }
    }

    /// The cards of the joined atoms.
    pub(super) fn apply(self, a: u64, b: u64) -> u64 {
        match self {
            Join::And => a & b,
            Join::Or => a | b,
            Join::Xor => a ^ b,
        }
    }
}

/// All atoms and splits, with their prior.
pub struct Space {
    pub(super) atoms: Vec<Atom>,
    /// The atoms from the likeliest part of a rule on.
    pub(super) by_weight: Vec<u16>,
    /// Atoms and their opposites, with the prior of the pair.
    pub(super) opposed: Vec<(u16, u16, f64)>,
    /// For each atom its opposites.
    pub(super) partners: Vec<Vec<(u16, f64)>>,
    /// The four suits in every order.
    pub(super) deals: Vec<[u16; BRANCHES]>,
    /// The atom that accepts everything.
    pub(super) anything: u16,
    pub(super) splits: Vec<Split>,
    shares: [f64; Form::ALL.len()],
}

/// What a rule looks at: the line so far.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub line: &'a [Card],
}

impl Context<'_> {
    pub(super) fn back(&self, k: usize) -> Option<Card> {
        self.line.len().checked_sub(k).map(|at| self.line[at])
    }
}

/// The deck that is guessed over.
pub(super) const DECK: Deck = Deck::STANDARD;

/// How many cards it has.
pub(super) const CARDS: usize = 52;

/// How a test finds its cards.
pub(super) enum Reach {
    /// The same cards always.
    Always(u64),
    /// By the card so many places back.
    By(usize, Box<[u64; CARDS]>),
    /// By looking at the line.
    Line(Test),
}

impl Reach {
    /// The quickest way for a test that looks back that far (`None`: at more than one card, or at memory).
    pub(super) fn of(test: &Test, looks: Looks) -> Reach {
        match looks {
            Looks::Nowhere => Reach::Always(cards_of(test, &[Card(0)])),
            Looks::Back(k) => {
                let by = |c: usize| cards_of(test, &vec![Card(c as u8); k]);
                Reach::By(k, Box::new(std::array::from_fn(by)))
            }
            Looks::Line => Reach::Line(test.clone()),
        }
    }

    /// The cards that pass now.
    pub(super) fn cards(&self, context: Context) -> u64 {
        match self {
            Reach::Always(cards) => *cards,
            Reach::By(k, table) => context.back(*k).map_or(DECK.all().0, |card| table[card.index()]),
            Reach::Line(test) => cards_of(test, context.line),
        }
    }
}

/// Where a test looks besides the next card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Looks {
    Nowhere,
    Back(usize),
    Line,
}

fn cards_of(test: &Test, line: &[Card]) -> u64 {
    crate::eleusis::rule::Rule::new(DECK, test.clone()).accepted(line).0
}

impl Space {
    /// The space of the standard deck, made once.
    pub fn standard() -> &'static Space {
        static SPACE: OnceLock<Space> = OnceLock::new();
        SPACE.get_or_init(|| Space::new(&Prior::fitted()))
    }

    /// The space with this prior.
    pub fn new(prior: &Prior) -> Space {
        let (mut atoms, opposed) = atoms::all();
        let mut splits = splits::all();
        let (alone, part, case) = (scaled(&prior.alone), scaled(&prior.part), scaled(&prior.case));
        for kind in Kind::ALL {
            let of = |atom: &&mut Atom| atom.kind == kind;
            let sum: f64 = atoms.iter().filter(|atom| atom.kind == kind).map(|atom| atom.weight).sum();
            for atom in atoms.iter_mut().filter(of) {
                let inner = atom.weight / sum;
                (atom.weight, atom.part) = (alone[kind as usize] * inner, part[kind as usize] * inner);
            }
        }
        for kind in Case::ALL {
            let sum: f64 = splits.iter().filter(|split| split.kind == kind).map(|split| split.weight).sum();
            splits.iter_mut().filter(|split| split.kind == kind).for_each(|s| s.weight *= case[kind as usize] / sum);
        }
        let rate = scaled(&prior.opposed);
        let against = |at: u16| {
            let atom = &atoms[at as usize];
            rate[atom.kind as usize] * atom.part / part[atom.kind as usize]
        };
        let mut opposed: Vec<(u16, u16, f64)> = opposed.into_iter().map(|(a, b)| (a, b, against(a))).collect();
        let sum: f64 = opposed.iter().map(|pair| pair.2).sum();
        opposed.iter_mut().for_each(|pair| pair.2 /= sum);
        let mut by_weight: Vec<u16> = (0..atoms.len() as u16).collect();
        by_weight.sort_by(|&a, &b| atoms[b as usize].part.total_cmp(&atoms[a as usize].part));
        let anything = atoms.iter().position(|atom| atom.test == Test::Const(true)).expect("an atom") as u16;
        let shares = scaled(&prior.form);
        let mut partners = vec![Vec::new(); atoms.len()];
        opposed.iter().for_each(|&(a, b, weight)| partners[a as usize].push((b, weight)));
        let suit = |suit: usize| {
            let test = Test::In(CardRef::Next, DECK.of_suit(suit));
            atoms.iter().position(|atom| atom.test == test).expect("an atom for every suit") as u16
        };
        let deals = permutations().map(|deal| deal.map(suit)).collect();
        Space { atoms, by_weight, partners, deals, opposed, anything, splits, shares }
    }

    /// The share of rules of a form.
    pub(super) fn share(&self, form: Form) -> f64 {
        self.shares[form as usize]
    }

    /// How many rules it holds, counting each way to write one.
    pub fn size(&self) -> f64 {
        let n = self.atoms.len() as f64;
        let splits: f64 = self.splits.iter().map(|split| n.powi(split.branches() as i32)).sum();
        let joined = self.atoms.iter().filter(|atom| atom.joins()).count() as f64;
        let pairs = joined * (joined - 1.0) / 2.0;
        n + splits + 3.0 * pairs + 2.0 * 8192.0
    }
}

/// The orders of four things.
fn permutations() -> impl Iterator<Item = [usize; 4]> {
    (0..256).map(|n| [n % 4, n / 4 % 4, n / 16 % 4, n / 64]).filter(|deal| (0..4).all(|suit| deal.contains(&suit)))
}

fn scaled<const N: usize>(weights: &[f64; N]) -> [f64; N] {
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The cards of a set as a set of ranks, if it takes whole ranks.
pub(super) fn whole_ranks(ranks: u16) -> CardSet {
    DECK.ranks(|rank| ranks >> (rank - 1) & 1 == 1)
}
