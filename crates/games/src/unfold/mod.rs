//! The explicit model of a small game, made from `deal`, `play` and `sight` alone: the oracle that every knowledge engine
//! must agree with.
//!
//! The worlds are *histories*: everything that can have happened so far. Layer *t* holds the histories of *t* events, all
//! deals continued by all that the rules allow. A seat confuses two histories of a layer exactly when all its sights so
//! far are equal, and it knows what is true in all histories that it confuses with the real one. A layer is a Kripke model,
//! and the [`Checker`](ken_logic::Checker) of the logic answers questions about it: nothing here knows what knowledge is.
//!
//! ```
//! use ken_games::cluedo::{Cluedo, Deck};
//! use ken_games::game::{Seat, Verdict};
//! use ken_games::unfold::Unfold;
//! use ken_logic::formula::Formula;
//! use std::sync::Arc;
//!
//! let category = |name: &str| (name.to_string(), vec![format!("{name}1"), format!("{name}2")]);
//! let deck = Deck::new(vec![category("who"), category("what")]).expect("a deck");
//! let game = Cluedo::new(Arc::new(deck), 2).expect("a game");
//! let [card, other] = ["who1", "who2"].map(|name| game.deck().find(name).expect("a card"));
//! let unfold = Unfold::of(&game).atom("held", move |h| h.state().hand(Seat(0)).has(card));
//! let deals = unfold.deals().expect("few deals");
//! let (_, deal) = deals.into_iter().find(|(state, _)| state.hand(Seat(0)).has(other)).expect("such a deal");
//! let now = &mut unfold.begin(&deal).expect("one of the deals");
//! let held = Formula::atom("held");
//! assert_eq!(now.verdict(Seat(0), &held.clone().into()), Ok(Verdict::No), "it sees its own hand");
//! assert_eq!(now.verdict(Seat(1), &held.into()), Ok(Verdict::Open), "it does not see the other's");
//! ```
//!
//! # What is left out, and why nothing is lost
//! An [`Unfolding`] follows a real match. After each event it keeps only the *component* of the real history: what can be
//! reached from it by steps between histories that some seat confuses. No formula, however deep, looks further. And the
//! next layer can be made from the component alone. A seat that confuses two histories of *t* + 1 events confused their
//! first *t* events too, since equal memories have equal beginnings (perfect recall). So a path of confusions in layer
//! *t* + 1, with the last event of each history cut off, is a path of confusions in layer *t*: the histories of the new
//! component continue histories of the old one.
//!
//! # What is not made by the rules
//! * **Chance** is enumerated: the game is dealt once for every way the [dice can fall](crate::dice::falls). Where these
//!   are too many, or a seed is drawn whole, the deals are [given](Unfold::dealt): then it is as if somebody who cannot be
//!   wrong had announced at the start that the deal is one of them, and an engine must be told the same.
//! * **Open actions**, texts to be judged, come from a [list](Unfold::open).
//! * A **convention** says that some action is chosen [only if](Unfold::only_if) something is true, as everybody knows.
//! * **What if**: an [`Ask`] may speak of what would be true after an action that was not played.
//!
//! A history is as large as a state, and a layer may be as large as the one before times the options: this is for small
//! instances and a few events. Where there are more histories than the [limit](Unfold::limit), the answer is an error.

mod ask;
mod layer;

pub use ask::{Ask, WhatIf};
pub use layer::{History, Unfolding};

use crate::dice::falls;
use crate::game::{Game, Seat};
use ken_logic::formula::{F, Name};
use std::collections::HashMap;
use std::fmt;

/// How many histories a layer may have unless another limit is set.
pub const LIMIT: usize = 200_000;

/// How many falls of the dice are tried for each deal that the limit allows: many may lead to the same.
const FALLS: usize = 100;

/// What is true of a history.
type Truth<'a, G> = Box<dyn Fn(&History<G>) -> bool + 'a>;

/// Where an action is chosen at all.
type OnlyIf<'a, G> = Box<dyn Fn(&<G as Game>::State, &<G as Game>::Action) -> Option<F> + 'a>;

/// A deal: the state it leads to and its event.
pub type Deal<G> = (<G as Game>::State, <G as Game>::Event);

/// How a game is unfolded: its atoms, and what its rules leave open.
pub struct Unfold<'a, G: Game> {
    game: &'a G,
    atoms: Vec<(Name, Truth<'a, G>)>,
    defined: Vec<(Name, F)>,
    open: Vec<G::Action>,
    dealt: Option<Vec<Deal<G>>>,
    only_if: OnlyIf<'a, G>,
    limit: usize,
}

/// Why a game cannot be unfolded so far, or a question not be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CannotUnfold {
    /// There are more histories than this limit.
    TooMany(usize),
    /// The deal that was to be followed is none of those that are possible.
    NoSuchDeal,
    /// The action is not an option of the real history, or it is an open one that is not on the list.
    NoOption(String),
    /// The game lists an action and refuses it: it breaks a law.
    Refused(String),
    /// There is no such atom.
    NoAtom(Name),
    /// The checker of the logic has no answer, for this reason.
    Unchecked(String),
}

impl fmt::Display for CannotUnfold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CannotUnfold::TooMany(limit) => write!(f, "there are more than {limit} histories"),
            CannotUnfold::NoSuchDeal => f.write_str("the deal is none of those that are possible"),
            CannotUnfold::NoOption(action) => write!(f, "{action} is not an option"),
            CannotUnfold::Refused(why) => write!(f, "a listed action is refused: {why}"),
            CannotUnfold::NoAtom(name) => write!(f, "there is no atom `{name}`"),
            CannotUnfold::Unchecked(why) => write!(f, "the checker has no answer: {why}"),
        }
    }
}

impl std::error::Error for CannotUnfold {}

impl<'a, G: Game> Unfold<'a, G> {
    /// The unfolding of a game that deals by a few choices and has no open actions; without atoms.
    pub fn of(game: &'a G) -> Unfold<'a, G> {
        Unfold {
            game,
            atoms: Vec::new(),
            defined: Vec::new(),
            open: Vec::new(),
            dealt: None,
            only_if: Box::new(|_, _| None),
            limit: LIMIT,
        }
    }

    /// With this atom, which is true of these histories.
    #[must_use]
    pub fn atom(mut self, name: impl Into<Name>, truth: impl Fn(&History<G>) -> bool + 'a) -> Self {
        self.atoms.push((name.into(), Box::new(truth)));
        self
    }

    /// With this name for a formula over the atoms and the names defined before: it can be used as an atom.
    #[must_use]
    pub fn define(mut self, name: impl Into<Name>, formula: F) -> Self {
        self.defined.push((name.into(), formula));
        self
    }

    /// With these open actions. Where the game lists an open action, those of the same kind that are not refused can be
    /// chosen, and no others: not even the listed one.
    #[must_use]
    pub fn open(mut self, actions: impl IntoIterator<Item = G::Action>) -> Self {
        self.open.extend(actions);
        self
    }

    /// From these deals, as if it were announced that one of them is the real one. `deal` is not called.
    #[must_use]
    pub fn dealt(mut self, deals: Vec<Deal<G>>) -> Self {
        self.dealt = Some(deals);
        self
    }

    /// With a convention that everybody keeps and relies on: an action is chosen only where the formula is true, if there
    /// is one for it, at the history as it is before the action. Elsewhere it is not an option.
    #[must_use]
    pub fn only_if(mut self, condition: impl Fn(&G::State, &G::Action) -> Option<F> + 'a) -> Self {
        self.only_if = Box::new(condition);
        self
    }

    /// With this limit on the histories of a layer, before those out of reach are left out. At most a hundred times as many
    /// falls of the dice are tried.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The game.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The names of the atoms and of the formulas that can be used as atoms.
    pub fn names(&self) -> impl Iterator<Item = &Name> {
        self.atoms.iter().map(|(name, _)| name).chain(self.defined.iter().map(|(name, _)| name))
    }

    /// The possible deals, each once: those with the same event are the same.
    ///
    /// # Panics
    /// If deals are not [given](Unfold::dealt) and the game draws whole words from its dice.
    pub fn deals(&self) -> Result<Vec<Deal<G>>, CannotUnfold> {
        let all: Box<dyn Iterator<Item = Deal<G>>> = match &self.dealt {
            Some(deals) => Box::new(deals.iter().cloned()),
            None => Box::new(falls(|dice| self.game.deal(dice))),
        };
        let mut found: Vec<Deal<G>> = Vec::new();
        // Events have no hash, but equal ones are printed alike.
        let mut printed: HashMap<String, Vec<usize>> = HashMap::new();
        for (tried, (state, event)) in all.enumerate() {
            let alike = printed.entry(format!("{event:?}")).or_default();
            if !alike.iter().any(|&i| found[i].1 == event) {
                alike.push(found.len());
                found.push((state, event));
            }
            if found.len() > self.limit || tried / FALLS > self.limit {
                return Err(CannotUnfold::TooMany(self.limit));
            }
        }
        Ok(found)
    }

    /// The first layer, in which the match with this deal is followed.
    pub fn begin(&self, deal: &G::Event) -> Result<Unfolding<'_, 'a, G>, CannotUnfold> {
        Unfolding::begin(self, deal)
    }

    fn seats(&self) -> impl Iterator<Item = Seat> {
        Seat::all(self.game.seats())
    }
}
