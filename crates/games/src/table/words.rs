//! Words that several games use.

use crate::game::Seat;
use crate::table::page::FactRow;

/// A chain of subjects in words: "what you know that seat 1 knows".
pub(crate) fn chain_words(chain: &[Seat]) -> String {
    let me = chain.first();
    let others = chain.iter().skip(1).map(|seat| match Some(seat) == me {
        true => " that you know".to_string(),
        false => format!(" that seat {seat} knows"),
    });
    format!("what you know{}", others.collect::<String>())
}

/// Whether a row has all these words, in any case.
pub(crate) fn matches_words(row: &FactRow, filter: &str) -> bool {
    let text = format!("{} {} {} {:?}", row.fact, row.words, row.group, row.verdict).to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
}
