//! `cargo xtask test`: every check of the project, one after the other. `cargo xtask test --long` adds the long runs.

use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask test [--long]\n\n  test         run every check: format, lints, docs, tests\n  test --long  the same with many more random cases\n";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["test"] => test(false),
        ["test", "--long"] => test(true),
        _ => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

/// Runs the steps in order and stops at the first that fails.
fn test(long: bool) -> ExitCode {
    let cargo = |line: &str| {
        let mut command = Command::new(env!("CARGO"));
        command.args(line.split_whitespace());
        command
    };
    let mut tests = cargo("test --workspace --locked");
    if long {
        // Read by the random tests; proptest has its own variable.
        tests.env("KEN_CASES", "20000").env("PROPTEST_CASES", "20000");
    }
    let mut docs = cargo("doc --workspace --no-deps --locked --quiet");
    docs.env("RUSTDOCFLAGS", "-D warnings");
    let steps = [
        ("format", cargo("fmt --all --check")),
        ("lints", cargo("clippy --workspace --all-targets --locked -- -D warnings")),
        ("documentation", docs),
        ("tests", tests),
    ];
    let start = Instant::now();
    for (name, mut command) in steps {
        println!("== {name}");
        let step = Instant::now();
        match command.status() {
            Ok(status) if status.success() => println!("== {name}: passed in {:.0} s", step.elapsed().as_secs_f64()),
            Ok(_) => {
                eprintln!("== {name}: FAILED");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("== {name}: could not start: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("== every check passed in {:.0} s", start.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
