//! `ken play` and `ken replay`. (in the making)

use crate::args::{PlayArgs, ReplayArgs};
use crate::input::Failure;

pub(crate) fn play(args: &PlayArgs) -> Result<u8, Failure> {
    Err(Failure::usage(format!("`{}` cannot be played yet", args.game)))
}

pub(crate) fn replay(args: &ReplayArgs) -> Result<u8, Failure> {
    Err(Failure::usage(format!("`{}` cannot be replayed yet", args.record)))
}
