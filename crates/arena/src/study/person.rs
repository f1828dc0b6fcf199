//! Who is a person.
//!
//! A record has a name for each seat. `ken play` and the server write `person`; earlier versions wrote `you`, and records from
//! elsewhere may hold whatever was typed. A name that is neither a player of the game nor a program is that of a person.

use crate::external;
use ken_games::list::GAMES;
use ken_games::record::{PERSON, Record};
use ken_games::yokai::players::TAUGHT_SUFFIX;

/// Whether this name in a record of this game is that of a person.
pub fn is_person(game: &str, name: &str) -> bool {
    if name == PERSON {
        return true;
    }
    let Ok(kind) = GAMES.find(game) else { return false };
    let name = name.strip_suffix(TAUGHT_SUFFIX).unwrap_or(name);
    let base = match name.split_once('@') {
        Some((base, looks)) if looks.parse::<u8>().is_ok() => base,
        _ => name,
    };
    !name.starts_with(external::PREFIX) && !kind.info().players.iter().any(|player| player.name == base)
}

/// The record with every person called `person`, and what they were called if it was something else.
pub(super) fn named(record: &Record) -> (Record, Vec<String>) {
    let mut others = Vec::new();
    let mut named = record.clone();
    for name in named.players.iter_mut().filter(|name| *name != PERSON && is_person(&record.game, name)) {
        others.push(std::mem::replace(name, PERSON.to_string()));
    }
    (named, others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_players_and_no_programs_is_a_persons() {
        for name in ["person", "anna", "You", "paper player", "paper@home", "exec"] {
            assert!(is_person("yokai", name), "{name}");
        }
        for name in ["paper", "paper@6", "learner", "exec:./bot --fast", "adapter+partner"] {
            assert!(!is_person("yokai", name), "{name}");
        }
        // A player of another game is nobody here.
        assert!(is_person("cluedo", "learner") && !is_person("cluedo", "elimination"));
    }
}
