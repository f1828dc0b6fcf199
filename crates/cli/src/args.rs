//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Know who knows what: check, explain and draw models of knowledge.
#[derive(Parser)]
#[command(
    name = "ken",
    version,
    after_help = "Examples:\n  \
        ken check models/muddy.ken\n  \
        ken check models/muddy.ken --set n=100\n  \
        ken check models/cheryl.ken -f 'K[albert] day = 16' --witness\n  \
        ken explain models/cards.ken -f 'K[1] holds(2,red)'\n  \
        ken draw models/muddy.ken -o muddy.svg\n  \
        ken list models\n\n\
        Exit codes: 0 holds or done, 1 does not hold, 2 wrong input, 3 gave up at a limit."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check formulas in a model: those of the file, or given ones
    #[command(after_help = "Examples:\n  \
        ken check models/muddy.ken                     the questions of the file\n  \
        ken check models/muddy.ken --set n=100         with another parameter\n  \
        ken check models/cards.ken -f 'K[1] holds(1,red)' --witness\n  \
        ken check model.json -f 'C[a,b] p' --at w3 --json\n  \
        ken check forgot --recall both --witness       a system, with and without memory\n  \
        ken check protocol.ispl\n\n\
        A file is a .ken model, an explicit model or system in JSON, an ISPL or SMCDEL file, or the name of a\n\
        library model. Formulas given with -f are ken's own, whatever the file: `K[a] φ`, not `K(a, φ)`.\n\
        With `expect` in the file, the exit code says whether every answer is the expected one.")]
    Check(CheckArgs),
    /// Say why formulas hold or fail
    #[command(after_help = "Examples:\n  \
        ken explain models/muddy.ken -f 'K[child(1)] muddy(1)'\n  \
        ken explain models/consecutive.ken -f 'C[all] a > 0' --at both\n\n\
        For a false K the world that the agent cannot exclude is shown, for a false C the path of agents to it,\n\
        for an update how many worlds it leaves.")]
    Explain(CheckArgs),
    /// Tell whether two models are bisimilar at their points, or give a formula that tells them apart
    #[command(after_help = "Example:\n  ken compare first.json second.json\n\n\
        Exit code 0: bisimilar. Exit code 1: different; the formula holds in the first and fails in the second.")]
    Compare(CompareArgs),
    /// Draw a model as SVG or DOT
    #[command(after_help = "Examples:\n  \
        ken draw models/muddy.ken -o muddy.svg\n  \
        ken draw models/cards.ken -f 'K[1] holds(1,red)' -o cards.dot\n  \
        ken draw models/forgot.ken -f 'AG Kw[ann] colour = red' --recall none -o run.svg\n\n\
        Without -o the drawing is SVG on standard output. With -f worlds are coloured by its truth; of a system, the\n\
        run that shows why the formula holds or fails is drawn, with a lane for each agent.")]
    Draw(DrawArgs),
    /// Format .ken files in place
    #[command(after_help = "Examples:\n  ken fmt models/muddy.ken\n  ken fmt --check models/*.ken")]
    Fmt(FmtArgs),
    /// List what ken comes with
    List {
        /// What to list
        what: Listing,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print shell completions
    #[command(after_help = "Example:\n  ken completions bash > ~/.local/share/bash-completion/completions/ken")]
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Listing {
    /// The model library
    Models,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args)]
pub(crate) struct ModelArgs {
    /// The model: a file, `-` for standard input, or the name of a library model
    pub(crate) file: String,
    /// Set a parameter of the model
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Give up after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) max_seconds: Option<f64>,
    /// Give up beyond this many explicit worlds or states
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<usize>,
    /// Give up beyond this much memory
    #[arg(long, value_name = "MB")]
    pub(crate) max_memory: Option<usize>,
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// A formula to check instead of those of the file
    #[arg(short = 'f', long = "formula", value_name = "FORMULA")]
    pub(crate) formulas: Vec<String>,
    /// The world at which to check
    #[arg(long, value_name = "NAME")]
    pub(crate) at: Option<String>,
    /// Which engine to use
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    pub(crate) engine: EngineArg,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    /// Say why each formula holds or fails
    #[arg(long)]
    pub(crate) witness: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum EngineArg {
    /// Explicit for small models, symbolic for large ones
    Auto,
    /// List the worlds
    Explicit,
    /// Boolean functions (S5 only)
    Symbolic,
}

/// What only systems have.
#[derive(Args)]
pub(crate) struct MemoryArgs {
    /// What the agents of a system remember: the system's own word if it is not given
    #[arg(long, value_enum)]
    pub(crate) recall: Option<RecallArg>,
    /// Whether agents with perfect recall see which actions happen
    #[arg(long, value_enum)]
    pub(crate) actions: Option<ActionsArg>,
    /// How many steps to follow where common knowledge or knowledge in protocols keeps growing
    #[arg(long, value_name = "STEPS")]
    pub(crate) bound: Option<usize>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum RecallArg {
    /// Nothing but their present local states
    None,
    /// Everything they saw
    Perfect,
    /// Ask both ways and show where they part
    Both,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ActionsArg {
    /// Everybody sees every action
    Seen,
    /// Only local states are seen
    Hidden,
}

#[derive(Args)]
pub(crate) struct CompareArgs {
    /// The first model
    pub(crate) first: String,
    /// The second model
    pub(crate) second: String,
    /// Set a parameter of the models that have it
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Colour worlds by the truth of this formula; of a system, draw the run that decides it
    #[arg(short = 'f', long = "formula", value_name = "FORMULA")]
    pub(crate) formula: Option<String>,
    /// The world to mark, instead of the model's point
    #[arg(long, value_name = "NAME")]
    pub(crate) at: Option<String>,
    /// Where to write: a .svg or .dot file
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The most worlds to draw
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) worlds: usize,
    #[command(flatten)]
    pub(crate) memory: MemoryArgs,
    /// Print JSON: the drawing as text, or what was written
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct FmtArgs {
    /// The files to format; `-` formats standard input to standard output
    #[arg(required = true)]
    pub(crate) files: Vec<String>,
    /// Change nothing; exit 1 if a file is not formatted
    #[arg(long)]
    pub(crate) check: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A positive number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && s > 0.0 => Ok(s),
        _ => Err("a positive number of seconds is needed".to_string()),
    }
}
