//! The kinds of arms: where the games and their players meet the experiments.

use crate::Problem;
use crate::bout::Seated;
use crate::experiment::{Arm, Experiment};
use crate::external;
use crate::search;
use crate::thesis::{self, Parameters, Solved};
use crate::tournament::Tournament;
use crate::yokai::Pairs;
use ken_games::cluedo::thesis::{Rule, rounds};
use ken_games::cluedo::{Cluedo, players};
use ken_games::dice::Dice;
use ken_games::dice::seat_seed;
use ken_games::game::Seat;
use ken_games::list::{GAMES, Games};
use ken_games::yokai::{Yokai, players as minds};
use std::time::Duration;

/// How long an external player may think about one move.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Makes an arm of the kind that its spec names.
pub fn arm(arm: &Arm) -> Result<Box<dyn Experiment>, Problem> {
    arm_of(&GAMES, arm)
}

/// The same with the games of a list: in a tournament players of any of them meet.
pub fn arm_of(games: &Games, arm: &Arm) -> Result<Box<dyn Experiment>, Problem> {
    match arm.kind.as_str() {
        "cluedo-thesis" => thesis::arm(arm, cluedo_thesis),
        "eleusis-search" => search::arm(arm),
        "yokai" => Ok(Box::new(Pairs::new(arm, Box::new(seat_yokai))?)),
        "tournament" => Ok(Box::new(Tournament::new(games, arm, PATIENCE)?)),
        other => {
            let wrong = Problem::new(format!("there is no kind `{other}` of experiments"));
            Err(wrong.help("the kinds are cluedo-thesis, eleusis-search, yokai and tournament"))
        }
    }
}

/// Seats a player of Yōkai by its name, `exec:COMMAND` included.
pub fn seat_yokai(game: &Yokai, name: &str, seat: Seat, seed: u64) -> Result<Seated<Yokai>, Problem> {
    external::seat(game, name, seat, PATIENCE, |name| Ok(minds::seat(name, game, seed)?))
}

fn cluedo_thesis(parameters: Parameters) -> Result<impl Fn(u64) -> Solved + Send + Sync + 'static, Problem> {
    let Parameters { player, players, rule, limit } = parameters;
    let game = Cluedo::new(Cluedo::classic(6).deck().clone(), players)?;
    let rule = Rule::ALL.into_iter().find(|r| r.name() == rule).ok_or_else(|| {
        let names: Vec<&str> = Rule::ALL.iter().map(|r| r.name()).collect();
        Problem::new(format!("there is no rule `{rule}`")).help(format!("the rules are {}", names.join(", ")))
    })?;
    // A wrong name is found before the first game.
    players::seat(&player, &game, 0)?;
    Ok(move |seed| {
        // The deal and the opponents depend on the seed alone, so that all agents meet the same games.
        let mut agent = players::seat(&player, &game, seat_seed(seed, Seat(0))).expect("it was seated before");
        let run = rounds(&game, agent.as_mut(), rule, &mut Dice::new(seed), limit);
        Solved { rounds: run.rounds, solved: run.solved }
    })
}
