//! Knowledge games: rules as events and sights, players that receive sights only, and exact knowledge.
//!
//! Start with [`game`]: it holds the whole idea. A move makes an *event*, every seat gets its *sight* of it; a player is
//! a function of sights, a page is a fold of sights, and two histories are the same for a seat exactly when their sights
//! are equal.
#![warn(missing_docs)]

pub mod bridge;
pub mod cards;
pub mod cluedo;
pub mod conformance;
pub mod dice;
pub mod eleusis;
pub mod game;
pub mod high_card;
pub mod knowledge;
pub mod list;
pub mod record;
pub mod table;
pub mod unfold;
pub mod yokai;

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
