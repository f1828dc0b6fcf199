//! Hints in steps.
use crate::api::{Advice, Problem};
use ken_games::cluedo::{Cluedo, Sight};

pub(super) fn advice(_: &Cluedo, _: &[Sight], _: u8) -> Result<Advice, Problem> {
    Err(Problem::new("not-yet", "not yet"))
}
