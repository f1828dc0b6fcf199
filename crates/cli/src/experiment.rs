//! `ken run`. (in the making)

use crate::args::RunArgs;
use crate::input::Failure;

pub(crate) fn run(args: &RunArgs) -> Result<u8, Failure> {
    Err(Failure::usage(format!("`{}` cannot be run yet", args.experiment.display())))
}
