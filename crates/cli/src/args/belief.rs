//! `ken belief`.

use super::EndArgs;
use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub(crate) enum BeliefCommand {
    /// Is there a model of a formula? If so, show one; if not, the parts that clash
    #[command(after_help = "Examples:\n  \
        ken belief sat -f 'now>=3 & !I[m] p@1'\n  \
        ken belief sat -f '[+ p@1 @2] I[m] (p@1 & now>=2)' --json\n\n\
        Exit code 0: satisfiable. 1: not. With --batch a JSON array of formulas comes on standard input.")]
    Sat(QueryArgs),
    /// Does a formula hold in every model? If not, show one in which it fails
    #[command(after_help = "Example:\n  ken belief valid -f 'B[m] p@0 -> I[m] p@0'\n\n\
        Exit code 0: valid. 1: not.")]
    Valid(QueryArgs),
    /// Does a formula follow from a base? Show the premises that it needs, or a model against it
    #[command(
        after_help = "Example:\n  ken belief entails --base examples/belief/hint.json -f 'I[m] !col(3,blue)@1'\n\n\
        Exit code 0: it follows. 1: it does not. With --batch a JSON array of {\"base\", \"formula\"} comes on standard\n\
        input."
    )]
    Entails(EntailsArgs),
    /// Revise a base by an input: what is kept, what is given up, and why
    #[command(after_help = "Example:\n  ken belief revise examples/belief/revise.json\n\n\
        Exit code 0: the input was accepted. 1: it contradicts the core, and nothing changes. With --batch a JSON array\n\
        of such files comes on standard input.")]
    Revise(ChangeArgs),
    /// Let time go on by one: what the base says of the present becomes what it says of the next moment
    #[command(after_help = "Example:\n  ken belief update examples/belief/hint.json --json\n\n\
        Every time of facts and hypotheses moves by one, the core stays, and `now>=0` joins the facts. Exit code 0. With\n\
        --batch a JSON array of bases comes on standard input.")]
    Update(ChangeArgs),
    /// Which actions reach the goal, and what fails for the others
    #[command(after_help = "Example:\n  ken belief plan examples/belief/plan.json\n\n\
        Exit code 0: some action reaches the goal. 1: none does. With --batch a JSON array of such files comes on\n\
        standard input.")]
    Plan(BeliefFileArgs),
}

#[derive(Args)]
pub(crate) struct QueryArgs {
    /// The formula
    #[arg(short = 'f', long = "formula", value_name = "FORMULA", required_unless_present = "batch")]
    pub(crate) formula: Option<String>,
    /// Read a JSON array from standard input; print one result per line
    #[arg(long, conflicts_with = "formula")]
    pub(crate) batch: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
}

#[derive(Args)]
pub(crate) struct EntailsArgs {
    /// The base: a JSON file, or `-` for standard input
    #[arg(long, value_name = "FILE", required_unless_present = "batch")]
    pub(crate) base: Option<String>,
    #[command(flatten)]
    pub(crate) query: QueryArgs,
}

#[derive(Args)]
pub(crate) struct ChangeArgs {
    #[command(flatten)]
    pub(crate) file: BeliefFileArgs,
    /// Tell everything, with a reason for every formula that is given up
    #[arg(long)]
    pub(crate) details: bool,
}

#[derive(Args)]
pub(crate) struct BeliefFileArgs {
    /// The file: JSON, or `-` for standard input
    #[arg(required_unless_present = "batch")]
    pub(crate) file: Option<String>,
    /// Read a JSON array from standard input; print one result per line
    #[arg(long, conflicts_with = "file")]
    pub(crate) batch: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
}
