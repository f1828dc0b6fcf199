//! How perfect recall grows: with states, agents and depth on random systems, and with the parameters of models.
//!
//! `cargo run --release -p ken-logic --example recall_growth` prints the tables of `docs/recall.md`. With a folder as
//! argument the random systems are written there as JSON, each with its formulas, for other checkers to try.
//!
//! The random systems: n states, each agent sees one of three local states in each, one proposition true in a third of
//! the states, two actions, 1.5 steps for each state and action on average, two initial states. Seeds are 0, 1, 2, …

use ken_logic::check::{EngineChoice, Memory};
use ken_logic::{CheckError, Document, Format, Limits, Options};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Numbers from a seed: SplitMix64, written out so that the systems can be made again anywhere.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

const AGENTS: [&str; 3] = ["a", "b", "c"];

/// A random system in JSON.
fn system(states: u64, agents: usize, seed: u64) -> String {
    let mut draw = Draw(seed.wrapping_mul(1_000_003) ^ (states << 8) ^ agents as u64);
    let names: Vec<String> = AGENTS[..agents].iter().map(|a| format!("\"{a}\"")).collect();
    let mut text = format!("{{\"agents\": [{}], \"initial\": [\"s0\", \"s1\"], \"states\": {{", names.join(", "));
    for s in 0..states {
        let local: Vec<String> = names.iter().map(|a| format!("{a}: \"{}\"", draw.below(3))).collect();
        let props = if draw.below(3) == 0 { "\"p\"" } else { "" };
        let comma = if s == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}\"s{s}\": {{\"local\": {{{}}}, \"props\": [{props}]}}", local.join(", "));
    }
    text.push_str("}, \"transitions\": [");
    let mut first = true;
    for s in 0..states {
        for action in ["x", "y"] {
            for _ in 0..1 + draw.below(2) {
                let comma = if first { "" } else { ", " };
                first = false;
                let _ = write!(text, "{comma}[\"s{s}\", \"{action}\", \"s{}\"]", draw.below(states));
            }
        }
    }
    text.push_str("]}");
    text
}

/// Knowledge about knowledge of this depth, agents in turn, somewhere on some run.
fn formula(depth: usize, agents: usize) -> String {
    let knows: String = (0..depth).map(|i| format!("K[{}] ", AGENTS[i % agents])).collect();
    format!("EF {knows}p")
}

/// Points and seconds of one question; `None` at a limit.
fn ask(document: &Document, text: &str, memory: Memory) -> Option<(f64, f64, bool)> {
    let limits = Limits { worlds: 1_000_000, ..Limits::default() };
    let options = Options { memory: Some(memory), engine: EngineChoice::Explicit, limits, ..Options::default() };
    let query = document.query(text).expect("a formula");
    let mut checker = document.checker_with(options);
    let start = Instant::now();
    match checker.ask(&query) {
        Ok(answer) => {
            let points: u64 = (&answer.system.expect("a system").points).try_into().expect("few");
            Some((points as f64, start.elapsed().as_secs_f64(), answer.holds))
        }
        Err(CheckError::Limit(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

fn median(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    (values.get(values.len() / 2).copied().unwrap_or(f64::NAN), values.last().copied().unwrap_or(f64::NAN))
}

fn random_systems(folder: Option<&Path>) {
    const SEEDS: u64 = 20;
    println!("## Random systems\n");
    println!("Knowledge states, median (largest) of {SEEDS} systems; seconds likewise.\n");
    println!("| states | agents | depth | knowledge states | seconds | beyond 1,000,000 |");
    println!("|---|---|---|---|---|---|");
    for states in [4, 8, 16, 32, 64, 128] {
        for agents in 1..=3 {
            for depth in 1..=3 {
                if depth > 1 && agents == 1 {
                    // An agent knows what it knows: K[a] K[a] p is K[a] p.
                    continue;
                }
                let (mut points, mut seconds, mut beyond) = (Vec::new(), Vec::new(), 0);
                for seed in 0..SEEDS {
                    let text = system(states, agents, seed);
                    let asked = formula(depth, agents);
                    if let Some(folder) = folder {
                        let name = format!("random-{states}-{agents}-{seed}.json");
                        std::fs::write(folder.join(name), &text).expect("a folder to write to");
                    }
                    let document = Document::read(&text, Format::Json).expect("a system");
                    match ask(&document, &asked, Memory::Perfect) {
                        Some((p, s, _)) => {
                            points.push(p);
                            seconds.push(s);
                        }
                        None => beyond += 1,
                    }
                }
                let ((p, most), (s, longest)) = (median(points), median(seconds));
                println!("| {states} | {agents} | {depth} | {p:.0} ({most:.0}) | {s:.4} ({longest:.3}) | {beyond} |");
            }
        }
    }
}

/// A system whose agent hears letters and wonders whether the n-th last one was an x: after hearing any n letters it
/// considers another set of states possible, so there are 2ⁿ sets.
fn letters(n: usize) -> String {
    let state = |s: usize, props: &str| format!("\"s{s}\": {{\"local\": {{\"a\": \"-\"}}, \"props\": [{props}]}}");
    let states: Vec<String> = (0..=n).map(|s| state(s, if s == n { "\"p\"" } else { "" })).collect();
    let mut steps = vec![r#"["s0", "x", "s0"]"#.to_string(), r#"["s0", "y", "s0"]"#.to_string()];
    steps.push(r#"["s0", "x", "s1"]"#.to_string());
    for s in 1..n {
        steps.extend(["x", "y"].iter().map(|l| format!("[\"s{s}\", \"{l}\", \"s{}\"]", s + 1)));
    }
    format!(
        "{{\"agents\": [\"a\"], \"initial\": [\"s0\"], \"states\": {{{}}}, \"transitions\": [{}]}}",
        states.join(", "),
        steps.join(", ")
    )
}

fn worst_case(folder: Option<&Path>) {
    println!("\n## The worst case at depth 1: which letter came n letters ago?\n");
    println!("| n | states | seconds | knowledge states | seconds |");
    println!("|---|---|---|---|---|");
    for n in [2, 4, 6, 8, 10, 12, 14, 16] {
        let text = letters(n);
        if let Some(folder) = folder {
            std::fs::write(folder.join(format!("letters-{n}.json")), &text).expect("a folder to write to");
        }
        row(&n.to_string(), &Document::read(&text, Format::Json).expect("a system"), "AG !K[a] p");
    }
}

fn library(name: &str, set: &[(&str, i64)]) -> Document {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let text = std::fs::read_to_string(folder.join(format!("{name}.ken"))).expect("a library model");
    let set: Vec<_> = set.iter().map(|(n, v)| (n.to_string(), (*v).into())).collect();
    Document::read_with(&text, Format::Ken, &set).expect("a library model")
}

fn row(label: &str, document: &Document, formula: &str) {
    let show = |found: Option<(f64, f64, bool)>| match found {
        Some((points, seconds, _)) => format!("{points:.0} | {seconds:.4}"),
        None => "beyond 1,000,000 | –".to_string(),
    };
    let forgetful = show(ask(document, formula, Memory::None));
    let perfect = show(ask(document, formula, Memory::Perfect));
    println!("| {label} | {forgetful} | {perfect} |");
}

fn dealers() {
    println!("\n## A dealer with a window, and one that looks at the whole line\n");
    println!(
        "`AG (knows -> AG knows)` (depth 1) and `AG Kw[dealer] knows` (depth 2), each asked without and with memory.\n"
    );
    println!("| dealer, cards, depth | states | seconds | knowledge states | seconds |");
    println!("|---|---|---|---|---|");
    for (depth, formula) in [(1, "AG (knows -> AG knows)"), (2, "AG Kw[dealer] knows")] {
        for cards in 2..=8 {
            let document = library("dealer-window", &[("cards", cards), ("rules", 3)]);
            row(&format!("window 1, {cards}, {depth}"), &document, formula);
        }
        for cards in 2..=8 {
            let document = library("dealer-window", &[("cards", cards), ("window", 2), ("rules", 3)]);
            row(&format!("window 2, {cards}, {depth}"), &document, formula);
        }
        for cards in 2..=7 {
            let document = library("dealer-line", &[("cards", cards)]);
            row(&format!("whole line, {cards}, {depth}"), &document, formula);
        }
    }
}

fn models() {
    println!("\n## Library models\n");
    println!("| model and question | states | seconds | knowledge states | seconds |");
    println!("|---|---|---|---|---|");
    for n in 3..=6 {
        let document = library("dining-protocol", &[("n", n)]);
        row(&format!("dining-protocol n={n}, depth 1"), &document, "AG !K[diner(1)] paid(2)");
        row(&format!("dining-protocol n={n}, depth 2"), &document, "AG K[diner(2)] !K[diner(1)] paid(2)");
    }
    for k in 2..=4 {
        row(&format!("false-coin k={k}"), &library("false-coin", &[("k", k)]), "AF found");
    }
}

fn main() {
    let folder = std::env::args().nth(1);
    random_systems(folder.as_deref().map(Path::new));
    worst_case(folder.as_deref().map(Path::new));
    dealers();
    models();
}
