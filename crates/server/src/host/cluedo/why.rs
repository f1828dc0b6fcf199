//! Why, why not, and since when.
use crate::api::{Problem, Why};
use ken_games::cluedo::{Cluedo, Sight};
use ken_games::game::Seat;

pub(super) fn why(_: &Cluedo, _: &[Sight], _: &[Seat], _: &str) -> Result<Why, Problem> {
    Err(Problem::new("not-yet", "not yet"))
}
