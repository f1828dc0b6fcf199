//! Planning under uncertainty: what to look at, what to move, what to mark.
//!
//! Beliefs are exact ([`Evidence`](super::count::Evidence)); plans are weighed on colourings drawn from them. The cost
//! of a layout under a colouring is how many moves it is away from the end ([`distance`]). A look is worth what it
//! lets the best move gain; a move is weighed one or two steps ahead; with everything known, [`solve`] finds the
//! shortest way. Where only the colours of single cards are known, means are exact ([`forecast`]).

pub mod distance;
pub mod forecast;
pub mod outlook;
pub mod partner;
pub mod solve;
