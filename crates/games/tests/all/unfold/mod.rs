//! The explicit model of small games: hand-computed cases, and every knowledge engine against it.

mod cluedo;
mod eleusis;
mod high_card;
mod yokai;

use ken_games::conformance::{Broken, Compared};
use ken_games::game::Notation;
use ken_games::unfold::Ask;

/// All that was compared in several matches.
fn total(matches: impl Iterator<Item = Result<Compared, Broken>>) -> Compared {
    let mut total = Compared::default();
    matches.for_each(|compared| total += compared.unwrap_or_else(|broken| panic!("{broken}")));
    total
}

/// What is asked as a formula of the language of facts; its names for what-ifs are no part of other names.
fn text_of<G: Notation>(game: &G, ask: &Ask<G::Action>) -> String {
    ask.named().iter().fold(ask.formula().to_string(), |text, (name, what_if)| {
        let seat = what_if.seat().map_or(String::new(), |seat| format!("{seat}: "));
        let action = game.write(what_if.action());
        let then = text_of(game, what_if.then());
        let asked = match what_if.is_every() {
            true => format!("([{seat}{action}] ({then}))"),
            false => format!("(<{seat}{action}> ({then}))"),
        };
        text.replace(&**name, &asked)
    })
}
