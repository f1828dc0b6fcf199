//! How long proofs are, and how many known facts have one: random full-size matches, facts by depth.
//!
//! `cargo run -p ken-games --example proof_lengths GAME [positions] [show]` with a game `cluedo`, `eleusis` or `yokai`, or
//! `… position.json FACT` for one proof about a position of Cluedo.

mod cluedo;
mod eleusis;
mod yokai;

/// How much is measured, and whether the longest proofs are shown.
struct Run {
    positions: u64,
    show: bool,
}

/// What was found for one kind of facts.
#[derive(Default)]
struct Row {
    lines: Vec<usize>,
    long: usize,
    none: Vec<String>,
    millis: u128,
    worst: Option<String>,
}

impl Row {
    /// A proof of so many sentences.
    fn add(&mut self, lines: usize, words: impl Fn() -> String) {
        if self.lines.iter().all(|&other| lines > other) {
            self.worst = Some(words());
        }
        self.lines.push(lines);
    }
}

impl Run {
    fn print(&self, what: &str, kinds: &[&str], rows: Vec<Row>) {
        for (kind, mut row) in kinds.iter().zip(rows) {
            row.lines.sort_unstable();
            let facts = row.lines.len() + row.long + row.none.len();
            let at = |share: usize| row.lines.get((row.lines.len().max(1) - 1) * share / 100).copied().unwrap_or(0);
            println!(
                "{what:<18} {kind:<8} {facts:>6} {:>7} {:>7} {:>5} {:>5} {:>9} {:>5} {:>8}",
                row.lines.len(),
                at(50),
                at(95),
                at(100),
                row.long,
                row.none.len(),
                row.millis / (facts.max(1) as u128)
            );
            if self.show {
                row.none.iter().for_each(|fact| println!("none: {fact}"));
                row.worst.iter().for_each(|worst| println!("{worst}"));
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [path, text] = &arguments[..]
        && path.ends_with(".json")
    {
        return cluedo::one(path, text);
    }
    let positions = arguments.get(1).and_then(|n| n.parse().ok()).unwrap_or(40);
    let run = Run { positions, show: arguments.len() > 2 };
    println!("position           kind      facts  proved  median  95 %  most  too long  none  ms each");
    match arguments.first().map(String::as_str) {
        Some("cluedo") => cluedo::run(&run),
        Some("eleusis") => eleusis::run(&run),
        Some("yokai") => yokai::run(&run),
        _ => eprintln!("which game: cluedo, eleusis or yokai?"),
    }
}
