//! `ken eleusis`.

use super::{EndArgs, KnowArgs, LimitArgs, PropertiesArgs, WhyArgs};
use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub(crate) enum EleusisCommand {
    /// Show what a rule lets through: states, share of the deck, dead ends, fairness
    #[command(after_help = "Examples:\n  \
        ken eleusis rule 'if previous is black then odd else even'\n  \
        ken eleusis rule gar-4\n  \
        ken eleusis rule @my-rule.txt\n\n\
        The language is in docs/eleusis-rules.md; `ken list rules` shows the library.")]
    Rule(RuleArgs),
    /// Say whether a card may follow a line
    #[command(after_help = "Example:\n  ken eleusis judge 'same suit or same rank' --line '3S 7S' --card 7D\n\n\
        Exit code 0: accepted. 1: refused.")]
    Judge(JudgeArgs),
    /// Say whether two rules are the same, from a line on and everywhere
    #[command(after_help = "Examples:\n  \
        ken eleusis equiv ok-2 kb-1\n  \
        ken eleusis equiv 'same colour' red --line 5H\n\n\
        Exit code 0: the same from this line on (without --line: everywhere). 1: not, with a shortest line that tells them apart.")]
    Equiv(EquivArgs),
    /// Say which rules fit a layout, and what the cards of the hand would tell
    #[command(after_help = "Examples:\n  \
        ken eleusis guess examples/eleusis/express.json\n  \
        echo '{\"mainline\": [\"3S\", \"7D\"], \"sidelines\": {\"1\": [\"9C\"]}, \"hand\": [\"4C\"]}' | ken eleusis guess -\n\n\
        The key of a sideline is the place of the mainline card that its cards followed, from 0.\n\
        Exit code 0: some rule fits. 1: none that the guesser thinks of.")]
    Guess(GuessArgs),
    /// Say what follows from a layout: which cards are accepted, which rule it is, who knows that
    #[command(after_help = "Examples:\n  \
        ken eleusis know examples/eleusis/express.json -f 'accepts(7C)' -f 'knows_rule(0)'\n  \
        ken eleusis know examples/eleusis/express.json -f 'K[1] accepts(7C)' --family my-rules.txt\n  \
        ken eleusis know examples/eleusis/express.json -f '[play 4C, refused] knows_rule(0)'\n\n\
        Facts are accepts(card), refuses(card), rule(rule), knows_rule(seat), holds(seat,card), can_play(seat) and\n\
        sure_play(seat), with ! & | -> <-> K S Kw E D C around them, and [move] or <move> before what would be\n\
        true after it. Seat 0 has the layout before it, seat 1 plays too, seat 2 deals, unless the file has a `table`. What is known is relative to a family of rules: the library, or a file with a rule on each line.\n\
        Exit code 0: all are known. 1: not all.")]
    Know(EleusisKnowArgs),
    /// Say why a fact follows from a layout, or show two worlds that differ in it
    #[command(after_help = "Examples:\n  \
        ken eleusis why examples/eleusis/express.json -f 'accepts(7C)'\n  \
        ken eleusis why examples/eleusis/express.json -f 'K[1] accepts(7C)' --family my-rules.txt\n\n\
        Exit code 0: it is known, with a checked proof. 1: it is excluded, with a proof, or open, with two worlds.\n\
        3: there is no proof to show; the verdict is said.")]
    Why(EleusisWhyArgs),
    /// Decide the four properties of the paper for a family of candidate rules
    #[command(after_help = "Examples:\n  \
        ken eleusis properties examples/eleusis/properties/three.json\n  \
        ken eleusis properties examples/eleusis/properties/full-planned.json --json\n  \
        ken eleusis properties examples/eleusis/properties/three.json --model > three.ken\n  \
        ken check three.ken\n\n\
        An instance is a JSON file: candidate rules, deck, starter, hands, who sees what, who plays what\n\
        (docs/eleusis-properties.md). Exit code 0: decided. 3: not all of it within the limit.")]
    Properties(PropertiesArgs),
}

#[derive(Args)]
pub(crate) struct GuessArgs {
    /// The layout: a JSON file, or `-` for standard input
    pub(crate) layout: String,
    /// How many rules to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// The seed of the chance that breaks ties
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) ends: EndArgs,
}

#[derive(Args)]
pub(crate) struct EleusisKnowArgs {
    #[command(flatten)]
    pub(crate) asked: KnowArgs,
    /// The rules that the secret one may be: `library`, or a file with a rule on each line
    #[arg(long, value_name = "library|FILE", default_value = "library")]
    pub(crate) family: String,
}

#[derive(Args)]
pub(crate) struct EleusisWhyArgs {
    #[command(flatten)]
    pub(crate) asked: WhyArgs,
    /// The rules that the secret one may be: `library`, or a file with a rule on each line
    #[arg(long, value_name = "library|FILE", default_value = "library")]
    pub(crate) family: String,
}

#[derive(Args)]
pub(crate) struct RuleArgs {
    /// The rule: its text, the name of a library rule, a file, or @file
    pub(crate) rule: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct JudgeArgs {
    /// The rule: its text, the name of a library rule, a file, or @file
    pub(crate) rule: String,
    /// The accepted cards so far, as in `3S 7D TD`
    #[arg(long, value_name = "CARDS")]
    pub(crate) line: String,
    /// The card to judge
    #[arg(long)]
    pub(crate) card: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
pub(crate) struct EquivArgs {
    /// The first rule: its text, the name of a library rule, a file, or @file
    pub(crate) first: String,
    /// The second rule
    pub(crate) second: String,
    /// The accepted cards so far
    #[arg(long, value_name = "CARDS")]
    pub(crate) line: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}
