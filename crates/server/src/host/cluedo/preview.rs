//! What a move would do.
use crate::api::Preview;
use ken_games::cluedo::{Action, Cluedo, Sight};
use ken_games::game::Notation;

pub(super) fn preview(game: &Cluedo, _: &[Sight], action: &Action, _: u8) -> Preview {
    Preview { legal: true, read_as: Some(game.write(action)), ..Preview::default() }
}
