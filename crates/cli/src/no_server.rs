//! `ken serve` of a program that was built without the server.

use crate::args::ServeArgs;
use crate::input::Failure;

pub(crate) fn run(_: &ServeArgs) -> Result<u8, Failure> {
    Err(Failure::usage(
        "this build of ken has no server: build or install it again without `--no-default-features`, or with \
         `--features serve`",
    ))
}
