//! `cargo xtask test`: every check of the project, one after the other. `cargo xtask test --long` adds the long runs
//! and the build from packages. `cargo xtask browser` runs the browser tests alone; `cargo xtask api` writes the client's
//! description of the server; `cargo xtask package` writes the packages.

mod browser;
mod package;

use std::process::{Command, ExitCode};
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask test [--long]\n       cargo xtask browser [PART OF A TEST'S NAME]\n       cargo xtask api\n       cargo xtask package [--check]\n\n  \
test         run every check: format, lints, docs, tests, web, browser\n  \
test --long  the same with many more random cases, the program built from packages alone, and a minute of fuzzing each reader\n  \
browser      the tests in a real browser alone\n  \
api          write web/openapi.json anew\n  \
package      write the crates to target/package, with all that they embed; with --check, build the program from them alone\n";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["test"] => test(false),
        ["test", "--long"] => test(true),
        ["browser"] => browser::steps(None, false).and_then(run),
        ["browser", filter] => browser::steps(Some(filter), false).and_then(run),
        ["api"] => api(),
        ["package"] => package::package(),
        ["package", "--check"] => package::check(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("== {message}");
            ExitCode::FAILURE
        }
    }
}

/// A check: its name and what is run.
type Step = (String, Command);

fn cargo(line: &str) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.args(line.split_whitespace());
    command
}

fn npm(line: &str) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(line.split_whitespace()).current_dir("web");
    command
}

fn test(long: bool) -> Result<(), String> {
    let mut tests = cargo("test --workspace --locked");
    if long {
        // Read by the random tests; proptest has its own variable.
        tests.env("KEN_CASES", "20000").env("PROPTEST_CASES", "20000");
    }
    let mut docs = cargo("doc --workspace --no-deps --locked --quiet");
    docs.env("RUSTDOCFLAGS", "-D warnings");
    let start = Instant::now();
    run(vec![
        ("format".into(), cargo("fmt --all --check")),
        ("lints".into(), cargo("clippy --workspace --all-targets --locked -- -D warnings")),
        ("documentation".into(), docs),
        ("tests".into(), tests),
    ])?;
    run(browser::steps(None, true)?)?;
    if long {
        package::check()?;
        run(fuzzing()?)?;
    }
    println!("== every check passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Every fuzz target for a minute; `fuzz/README.md` says what each of them promises.
fn fuzzing() -> Result<Vec<Step>, String> {
    let found = std::fs::read_dir("fuzz/fuzz_targets").map_err(|e| format!("fuzz/fuzz_targets: {e}"))?;
    let names = found.flatten().filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_string()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    let mut steps = vec![("first inputs for fuzzing".to_string(), Command::new("fuzz/seeds.sh"))];
    for name in names {
        let mut command = Command::new("fuzz/run.sh");
        command.args([name.as_str(), "60"]);
        steps.push((format!("fuzzing {name}"), command));
    }
    Ok(steps)
}

/// Runs the steps in order and stops at the first that fails.
fn run(steps: Vec<Step>) -> Result<(), String> {
    for (name, mut command) in steps {
        println!("== {name}");
        let step = Instant::now();
        match command.status() {
            Ok(status) if status.success() => println!("== {name}: passed in {:.0} s", step.elapsed().as_secs_f64()),
            Ok(_) => return Err(format!("{name}: FAILED")),
            Err(error) => return Err(format!("{name}: could not start: {error}")),
        }
    }
    Ok(())
}

/// Writes what the client's types are made from.
fn api() -> Result<(), String> {
    let printed = cargo("run --quiet --package ken-server --example openapi").output().map_err(|e| e.to_string())?;
    if !printed.status.success() {
        return Err(String::from_utf8_lossy(&printed.stderr).into_owned());
    }
    std::fs::write("web/openapi.json", printed.stdout).map_err(|e| format!("web/openapi.json: {e}"))
}
