//! The command line.

mod belief;
mod eleusis;

use crate::yokai::YokaiCommand;
pub(crate) use belief::*;
use clap::{Args, Parser, Subcommand, ValueEnum};
pub(crate) use eleusis::*;
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
    /// Ask what a seat knows in a position of any game
    #[command(after_help = "Examples:\n  \
        ken know examples/cluedo/six-players.json -f 'K[4] holds(5,plum)'\n  \
        ken replay match.json --position 12 | ken know - -f '[ask 4] higher(0)'\n\n\
        The game is told by the position. Its facts are in docs/games.md, with\n\
        ! & | -> <-> K S Kw E D C around them, and [move] or <move> before what\n\
        would be true after it. `ken cluedo`, `ken eleusis` and `ken yokai` know the\n\
        same and take what only their games have. --max-states are the steps of the\n\
        search. Exit code 0: all are known. 1: not all are. 3: at a limit.")]
    Know(KnowArgs),
    /// Say why a seat knows a fact in a position of any game, or show two worlds that differ in it
    #[command(after_help = "Example:\n  ken why examples/yokai/know.json -f 'col(4,green)'\n\n\
        Exit code 0: it is known, with a checked proof. 1: it is excluded, with a\n\
        proof, or open, with two worlds. 3: there is no proof to show; the verdict is\n\
        said.")]
    Why(WhyArgs),
    /// What follows in a game of Cluedo: count, know, why, and what to ask
    #[command(subcommand)]
    Cluedo(CluedoCommand),
    /// Eleusis: secret rules, and what can be known of them
    #[command(subcommand)]
    Eleusis(EleusisCommand),
    /// Belief bases: what follows, what a new fact changes, which action reaches a goal
    #[command(subcommand)]
    Belief(BeliefCommand),
    /// Yōkai: records with the table drawn, legal moves, and what a player would do
    #[command(subcommand)]
    Yokai(YokaiCommand),
    /// Play a game in the terminal against machine players
    #[command(after_help = "Examples:\n  \
        ken play cluedo                                    against five inquirers\n  \
        ken play cluedo --against exact,diplomat --seat 1  three players, you are seat 1\n  \
        ken play cluedo --against 'exec:python3 examples/external/random_player.py'\n  \
        ken play cluedo --record match.json                save; the same command goes on later\n  \
        ken play cluedo --seat none --seed 7               watch machines play\n\n\
        Type `help` at the prompt for what can be typed.")]
    Play(PlayArgs),
    /// Replay a record: all of it, up to a move, or as one seat saw it; or write a position of it
    #[command(after_help = "Examples:\n  ken replay match.json\n  ken replay match.json --at 12 --as 3\n  \
        ken replay match.json --why                why the machines did what they did\n  \
        ken replay match.json --position 12 --as 3 | ken know - -f 'env(plum)'\n  \
        ken replay match.json --position 12 --as 3 --model > match.ken\n  \
        ken check match.ken -f 'known(K[1] env(plum))'\n\n\
        Entries are counted as they are told: 0 is the deal, and a move taken back is an entry too. A position has only\n\
        what its seat saw. `ken know` and `ken why` read those of every game.")]
    Replay(ReplayArgs),
    /// Serve the games, the logic and the laboratory in the browser
    #[command(after_help = "Examples:\n  \
        ken serve                                  for this machine: http://127.0.0.1:7171\n  \
        ken serve --host 0.0.0.0 --port 8080       for friends in the same network\n\n\
        Every move is stored before it is acknowledged; matches go on where they were after a restart.\n\
        KEN_LOG=info logs every request as a line of JSON on stderr.")]
    Serve(ServeArgs),
    /// Run an experiment: matches, statistics, a report
    #[command(after_help = "Examples:\n  \
        ken run cluedo-thesis --games 1000\n  \
        ken run cluedo-thesis --resume          go on where it was interrupted\n  \
        ken run cluedo-thesis --check           compare with what is expected\n  \
        ken run my/folder                       an experiment of your own: a folder with spec.toml\n\n\
        Results go to results/<name>, what an earlier run left there is replaced unless --resume is given:\n\
        the games of each arm (01-<arm>.jsonl), report.md, report.html, rows.json.\n\
        The same seed gives the same results for any number of jobs.")]
    Run(RunArgs),
    /// Report on recorded matches, grouped by game, options and who played
    #[command(after_help = "Examples:\n  \
        ken report records.jsonl\n  \
        ken report records.jsonl --html report.html\n\n\
        Records are those of `ken play`, or of people who agreed to study: the lab page of `ken serve` has them.\n\n\
        Exit code 0: reported; a line that is no record, or whose match is not over, is left out with a warning.\n\
        2: nothing to report, since no line could be read or all were left out.")]
    Report(ReportArgs),
    /// List what ken comes with
    List {
        /// What to list
        #[arg(value_name = "models|games|players|experiments|rules")]
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
    /// The games
    Games,
    /// The machine players of each game
    Players,
    /// The experiments that ken comes with, and those of the folder `experiments`
    Experiments,
    /// The rule library of Eleusis
    Rules,
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
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub(crate) max_states: Option<usize>,
    /// Give up beyond this much memory
    #[arg(long, value_name = "MB", value_parser = at_least_one)]
    pub(crate) max_memory: Option<usize>,
}

/// The limits of a command that lists no worlds or states.
#[derive(Args)]
pub(crate) struct EndArgs {
    /// Give up after this many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) max_seconds: Option<f64>,
    /// Give up beyond this much memory
    #[arg(long, value_name = "MB", value_parser = at_least_one)]
    pub(crate) max_memory: Option<usize>,
}

/// When a command is ended from outside: seconds, and megabytes.
pub(crate) struct Ends(pub(crate) Option<f64>, pub(crate) Option<usize>);

impl From<&LimitArgs> for Ends {
    fn from(limits: &LimitArgs) -> Ends {
        Ends(limits.max_seconds, limits.max_memory)
    }
}

impl From<&EndArgs> for Ends {
    fn from(ends: &EndArgs) -> Ends {
        Ends(ends.max_seconds, ends.max_memory)
    }
}

#[derive(Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// A formula to check instead of those of the file
    #[arg(short = 'f', long = "formula", value_name = "FORMULA")]
    pub(crate) formulas: Vec<String>,
    /// The world at which to check: a name or its facts; of a system, a state or a history `START > ACTION: STATE`
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

/// A limit below which nothing at all could be done.
fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("a limit is at least 1".to_string()),
        Ok(number) => Ok(number),
        Err(_) => Err("a whole number is needed".to_string()),
    }
}

/// A positive number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && s > 0.0 => Ok(s),
        _ => Err("a positive number of seconds is needed".to_string()),
    }
}

#[derive(Subcommand)]
pub(crate) enum CluedoCommand {
    /// Count the deals that fit: how many, which envelopes, where each card may be
    #[command(after_help = "Example:\n  ken cluedo solve position.json\n\n\
        A position is what one seat has seen: deck, hand sizes, its hand, and a list of events (docs/cluedo.md).")]
    Solve(SolveArgs),
    /// Ask what is known: by the observer, and by others as far as the observer knows
    #[command(after_help = "Examples:\n  \
        ken cluedo know position.json -f 'env(plum)' -f 'K[2] env(rope)'\n  \
        ken cluedo know position.json -f 'K[1] !K[2] K[0] holds(3,hall)' -f 'solved(4)'\n\n\
        Atoms: holds(seat,card), env(card), solved(seat). Exit code 0: all are known. 1: not all are. 3: at a limit.")]
    Know(KnowArgs),
    /// Say why a fact follows, or show two deals that differ in it
    #[command(after_help = "Examples:\n  \
        ken cluedo why position.json -f 'env(plum)'\n  \
        ken cluedo why position.json -f '!holds(2,rope)'\n  \
        ken cluedo why position.json -f 'exactly 1 of (env(plum), env(rope))'\n\n\
        Facts are joined by ! & | -> <->, xor(…), oneof(…), exactly/atleast/atmost k of (…), forall and exists.\n\
        Exit code 0: it is known, with a checked proof. 1: it is excluded, with a proof, or open, with two deals.\n\
        3: no proof was found, or it has too many sentences; the verdict is said if there is one.")]
    Why(WhyArgs),
    /// Rank every suggestion by what it is expected to tell
    #[command(after_help = "Example:\n  ken cluedo ask position.json --top 10")]
    Ask(AskArgs),
}

#[derive(Args)]
pub(crate) struct SolveArgs {
    /// The position: a JSON file, or `-` for standard input
    #[arg(required_unless_present = "batch")]
    pub(crate) position: Option<String>,
    /// Also weigh deals, as if responders chose at random among the cards that they can show
    #[arg(long)]
    pub(crate) likelihood: bool,
    /// Read a JSON array of positions from standard input; print one result per line
    #[arg(long, conflicts_with = "position")]
    pub(crate) batch: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct KnowArgs {
    /// The position: a JSON file, or `-` for standard input
    #[arg(required_unless_present = "batch")]
    pub(crate) position: Option<String>,
    /// A formula; may be given again
    #[arg(short = 'f', long = "formula", value_name = "FORMULA", required_unless_present = "batch")]
    pub(crate) formulas: Vec<String>,
    /// Read a JSON array of {"position", "formulas"} from standard input; print one result per line
    #[arg(long, conflicts_with_all = ["position", "formulas"])]
    pub(crate) batch: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct WhyArgs {
    /// The position: a JSON file, or `-` for standard input
    pub(crate) position: String,
    /// A fact: any formula over the facts of the game
    #[arg(short = 'f', long = "fact", value_name = "FACT", required = true)]
    pub(crate) fact: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct AskArgs {
    /// The position: a JSON file, or `-` for standard input
    pub(crate) position: String,
    /// How many suggestions to print
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) top: u32,
    /// Of what each other seat may have seen, draw this many views where there are too many to look at all; 0 says
    /// nothing about others
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) views: u32,
    /// The seed of draws
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct PropertiesArgs {
    /// The instance, or several: a JSON file, or `-` for standard input
    pub(crate) file: String,
    /// Only the instance with this id
    #[arg(long, value_name = "ID")]
    pub(crate) only: Option<String>,
    /// Print the interpreted system as a .ken file instead, for `ken check`
    #[arg(long, conflicts_with_all = ["json", "recall"])]
    pub(crate) model: bool,
    /// Ask the engine of perfect recall instead of the search; it shows no lines
    #[arg(long)]
    pub(crate) recall: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct PlayArgs {
    #[arg(help = format!("The game: {}", ken_logic::text::listed(ken_games::list::GAMES.names(), "or")))]
    pub(crate) game: String,
    /// Your seat, counted from 0, which is where you sit if it is not given; `none` to watch
    #[arg(long, value_name = "N")]
    pub(crate) seat: Option<String>,
    /// The other players in seat order, by the names that `ken list players` shows; `exec:COMMAND` seats a program
    #[arg(long, value_name = "NAME,NAME..", value_delimiter = ',')]
    pub(crate) against: Vec<String>,
    /// The seed of the match; drawn by chance if it is not given
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// What is known of you from earlier matches, for players that use it (Yōkai): `ken yokai learn` writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) partner: Option<String>,
    /// Options of the game as JSON, such as '{"endmove": "ignorance", "deck": "@deck.json"}', or `@file`
    #[arg(long, value_name = "JSON")]
    pub(crate) options: Option<String>,
    /// Where to keep the match: saved after every move; an unfinished record is continued
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// How much help you get: 0 paper (in Yōkai you remember colours yourself), 1 checks your marks,
    /// 2 fills forced cells (unless you choose), 3 full inspector, 4 advice
    #[arg(long, value_name = "LEVEL", value_parser = clap::value_parser!(u8).range(0..=4))]
    pub(crate) helper: Option<u8>,
    /// Print JSON: one object for each thing you see and each choice you have, and the result
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ReplayArgs {
    /// The record: a file or `-`; with a record on each line, all of them
    pub(crate) record: String,
    /// Stop after this many entries of the record: moves, and moves taken back
    #[arg(long, value_name = "N")]
    pub(crate) at: Option<usize>,
    /// As this seat saw it; the person's seat for a position, if there is one person
    #[arg(long = "as", value_name = "SEAT")]
    pub(crate) seat: Option<u8>,
    /// Write what the seat has before it after this many entries, as the commands of the game read it
    #[arg(long, value_name = "N", conflicts_with_all = ["at", "json"])]
    pub(crate) position: Option<usize>,
    /// Write the position as a .ken model instead, in which `known(φ)` says that the seat knows φ
    #[arg(long, requires = "position")]
    pub(crate) model: bool,
    /// Tell why the machines did what they did, if the match is over
    #[arg(long, conflicts_with = "position")]
    pub(crate) why: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct RunArgs {
    /// The experiment: a folder with spec.toml, or the name of one that `ken list experiments` shows
    pub(crate) experiment: PathBuf,
    /// How many games for each arm, instead of the number in the spec
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: Option<u64>,
    /// The master seed, instead of the one in the spec
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// How many threads; all cores if it is not given
    #[arg(long, value_name = "J")]
    pub(crate) jobs: Option<usize>,
    /// Go on where an earlier run was interrupted
    #[arg(long)]
    pub(crate) resume: bool,
    /// Compare with expected.csv; exit code 1 if a row fails
    #[arg(long)]
    pub(crate) check: bool,
    /// Where the results go
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ReportArgs {
    /// The records: a file with a record on each line, or `-`
    pub(crate) records: String,
    /// Write the report as a page
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// The port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 7171)]
    pub(crate) port: u16,
    /// The address to listen on; 0.0.0.0 lets others in
    #[arg(long, default_value = "127.0.0.1")]
    pub(crate) host: std::net::IpAddr,
    /// The folder for the database; the user's data folder if it is not given
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Requests a second for each client
    #[arg(long, value_name = "N")]
    pub(crate) rate: Option<f64>,
    /// New clients and new matches a minute for each address
    #[arg(long, value_name = "N")]
    pub(crate) newcomers: Option<f64>,
    /// Machines go on at once even when the last action could still be taken back
    #[arg(long)]
    pub(crate) no_grace: bool,
    /// Print the address as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
