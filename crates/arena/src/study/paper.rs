//! What the paper says about matches as its people played them.

use super::BEST;
use ken_games::list::GAMES;
use ken_games::record::{PERSON, Record};
use ken_games::yokai::Yokai;
use std::collections::BTreeMap;

/// Table 3: of the ten sets of ten matches each, how many were won and what the best score was.
struct Table {
    won: [u8; 10],
    best: [u8; 10],
}

/// People with the machine.
const MACHINE: Table = Table { won: [3, 3, 5, 4, 2, 4, 2, 2, 1, 2], best: [8, 9, 9, 11, 12, 7, 8, 7, 7, 8] };

/// People with each other.
const PEOPLE: Table = Table { won: [1, 2, 2, 1, 1, 3, 0, 1, 0, 2], best: [9, 7, 8, 7, 5, 8, 0, 7, 0, 9] };

/// The players that are the paper's machine.
const PLAYERS: [&str; 2] = ["paper", "paper-sat"];

impl Table {
    /// The share of the matches that were won, and the mean of the best scores.
    fn means(&self) -> BTreeMap<String, f64> {
        let sum = |sets: &[u8; 10]| f64::from(sets.iter().map(|&n| u16::from(n)).sum::<u16>());
        BTreeMap::from([("wins".to_string(), sum(&self.won) / 100.0), (BEST.to_string(), sum(&self.best) / 10.0)])
    }
}

/// What the paper says about a line-up. Its people played without help, with its player or with each other, and its
/// interface ended a match as soon as the cards lay together: the onlooker. Beside anything else it says nothing.
pub(super) fn said(record: &Record) -> BTreeMap<String, f64> {
    let its = Yokai { oracle: true, ..Yokai::PLAIN };
    let its_game = GAMES.of_record(record).is_ok_and(|setup| setup.game().downcast_ref() == Some(&its));
    if !its_game || record.helpers.iter().any(|&help| help > 0) {
        return BTreeMap::new();
    }
    let (people, others): (Vec<&String>, Vec<&String>) = record.players.iter().partition(|p| *p == PERSON);
    match (&people[..], &others[..]) {
        ([_], [machine]) if PLAYERS.contains(&machine.as_str()) => MACHINE.means(),
        ([_, _], []) => PEOPLE.means(),
        _ => BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_adds_up_to_what_the_paper_says() {
        let means = |table: Table| table.means().into_values().collect::<Vec<f64>>();
        assert_eq!((means(MACHINE), means(PEOPLE)), (vec![8.6, 0.28], vec![6.0, 0.13]));
    }
}
