//! Who knows what of the colours, since when, why, and why not.
//!
//! [`Memory`] is a fold of what one seat saw; [`Notes`] is what it comes to; a [`Knower`](crate::knowledge::Knower)
//! of their [`Colourings`] answers [`Fact`]s about them.
//!
//! # Possible worlds
//! A world is a colouring. Which cards a seat looked at, the moves and the hints are public; only the colours of looks
//! are private. So two worlds are the same for a seat exactly when they agree on the cards it looked at, and `K[j] φ`
//! holds in a world when φ holds in all worlds that are the same for j. A card that both have looked at has a colour
//! that is common knowledge. Which card a player chose to look at, to move or to mark tells nothing by itself.
//!
//! # What is assumed
//! Beyond looks, the worlds are those in which all *public* premises are true, as if each was announced by somebody who
//! cannot be wrong when it came up:
//!
//! * **hints are proper** ([`Assumed::Proper`]): a marked card has a colour of its hint. The rules do not say so, and a
//!   mark may be wrong. If what the seat saw itself contradicts it, nothing is claimed: the answer is a clash, with the
//!   premises that clash and the proof that they do. The partner may not have noticed, so nothing is retracted for it.
//! * **two cards have the same colour** ([`Notes::announce`]): what a convention between the players says.
//!
//! With the `oracle` option the match would have ended had a move connected every colour: that it went on is public
//! too. When the match is over all colours are shown, and what was assumed is dropped.
//!
//! | file | one line |
//! |---|---|
//! | `atoms` | what can be asked |
//! | `memory` | premises, and the fold of sights that collects them |
//! | `diagrams` | sets of colourings, counted |
//! | `colourings` | the worlds of a match, and what moves make of them |
//! | `rules` | premises and rules of proofs, and what they say: the side of the checker |
//! | `prove` | finding a proof |
//! | `why` | verdicts with their reasons |
//! | `words` | how premises and rules are said |

mod atoms;
mod colourings;
pub mod diagrams;
mod memory;
mod prove;
mod rules;
mod why;
mod words;

pub use crate::knowledge::proof::check;
pub(super) use atoms::mentions_layout;
pub use atoms::{Atom, Fact};
pub use colourings::Colourings;
pub use memory::{Assumed, Memory, Noted, Notes, Premise};
pub use rules::{Proof, Rule};
pub use why::{Why, clash, why};
pub use words::row;
