//! The explicit model of small games: hand-computed cases, and every knowledge engine against it.

mod cluedo;
mod eleusis;
mod high_card;
mod yokai;

use ken_games::conformance::{Broken, Compared};

/// All that was compared in several matches.
fn total(matches: impl Iterator<Item = Result<Compared, Broken>>) -> Compared {
    let mut total = Compared::default();
    matches.for_each(|compared| total += compared.unwrap_or_else(|broken| panic!("{broken}")));
    total
}
