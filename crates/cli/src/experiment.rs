//! `ken run`: experiments in a folder. `ken report`: recorded matches.

use crate::args::{ReportArgs, RunArgs};
use crate::input::{Failure, read_text};
use crate::output::{complain, line};
use ken_arena::directory::Directory;
use ken_arena::experiment::{Orders, Plan, Progress, Spec, Start, Store, run as play};
use ken_arena::report::{Report, parse_expected};
use ken_arena::study::Studied;
use ken_arena::{Problem, catalogue};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

pub(crate) fn run(args: &RunArgs) -> Result<u8, Failure> {
    let named = Path::new("experiments").join(&args.experiment);
    let folder = if args.experiment.exists() || !named.exists() { &args.experiment } else { &named };
    let spec_file = folder.join("spec.toml");
    let text = read(&spec_file)?;
    let place = |problems: Vec<Problem>| all(&spec_file, problems);
    let mut plan = Plan::new(Spec::parse(&text).map_err(place)?, catalogue::arm).map_err(place)?;
    if let Some(games) = args.games {
        plan = plan.with_games(games);
    }
    if let Some(seed) = args.seed {
        plan = plan.with_seed(seed);
    }
    let expected_file = folder.join("expected.csv");
    let expected = match expected_file.exists() {
        true => parse_expected(&read(&expected_file)?).map_err(|problems| all(&expected_file, problems))?,
        false if args.check => {
            return Err(Failure::usage(format!("`{}` is needed for --check", expected_file.display())));
        }
        false => Vec::new(),
    };
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from("results").join(&plan.spec().name));
    let mut store = Directory::open(&output)
        .map_err(|error| Failure::usage(format!("cannot use the folder `{}`: {error}", output.display())))?;

    // A second Ctrl-C ends at once, if games take long.
    let handler = || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::usage(format!("cannot watch for Ctrl-C: {error}")))?;
    let bar = Bar::new();
    let orders = Orders { jobs: args.jobs.unwrap_or(0), stop: &STOP, progress: &|p| bar.show(p), ..Orders::default() };
    let start = if args.resume { Start::Resume } else { Start::Afresh };
    let results = play(&plan, &mut store, start, &orders).map_err(failure)?;
    bar.clear();

    let report = Report::new(&results, &expected);
    let write = |store: &mut Directory, name: &str, text: &str| {
        let file = output.join(name);
        store.replace(name, text).map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", file.display())))
    };
    write(&mut store, "report.md", &report.markdown())?;
    write(&mut store, "report.html", &report.html())?;
    write(&mut store, "rows.json", &format!("{}\n", report.json()))?;
    match args.json {
        true => line(&report.json().to_string()),
        false => {
            crate::output::raw(&report.text());
            line(&format!("\n{}: records, report.md, report.html, rows.json", output.display()));
        }
    }
    if !results.complete {
        complain("interrupted: what is done is kept; the same command with --resume goes on\n");
        return Ok(3);
    }
    Ok(u8::from(args.check && !report.passes()))
}

/// The report of recorded matches.
pub(crate) fn report(args: &ReportArgs) -> Result<u8, Failure> {
    let (name, text) = read_text(&args.records)?;
    let lines = crate::play::readable(&text);
    if let [(_, Err(first)), ..] = &lines[..]
        && lines.iter().all(|(_, read)| read.is_err())
    {
        return Err(crate::play::bad(Some(Path::new(&name)), first));
    }
    let studied = Studied::of_lines(&lines);
    let report = studied.report();
    if let Some(file) = &args.html {
        std::fs::write(file, report.html())
            .map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", file.display())))?;
    }
    match args.json {
        true => line(&report.json().to_string()),
        false => crate::output::raw(&report.text()),
    }
    for left_out in &studied.left_out {
        complain(&format!("warning: {name}:{}: left out: {}\n", left_out.line, left_out.why));
    }
    Ok(0)
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| Failure::Usage {
        message: format!("cannot read `{}`: {error}", file.display()),
        help: Some("an experiment is a folder with spec.toml; `ken list experiments` shows those here".to_string()),
    })
}

fn failure(problem: Problem) -> Failure {
    Failure::Usage { message: problem.message, help: problem.help }
}

/// All problems of a file as one failure.
fn all(file: &Path, problems: Vec<Problem>) -> Failure {
    let all: Vec<String> = problems.iter().map(Problem::to_string).collect();
    Failure::usage(format!("{}: {}", file.display(), all.join("\n       ")))
}

/// A progress line on a terminal.
struct Bar {
    started: Instant,
    shown: Mutex<Option<Instant>>,
    terminal: bool,
}

impl Bar {
    fn new() -> Bar {
        Bar { started: Instant::now(), shown: Mutex::new(None), terminal: std::io::stderr().is_terminal() }
    }

    fn show(&self, progress: Progress) {
        // Whoever holds the lock is printing already.
        let Ok(mut shown) = self.shown.try_lock() else { return };
        if !self.terminal || shown.is_some_and(|at| at.elapsed() < Duration::from_millis(100)) {
            return;
        }
        *shown = Some(Instant::now());
        let elapsed = self.started.elapsed().as_secs_f64();
        let Progress { done, total, .. } = progress;
        let filled = (24 * done / total.max(1)) as usize;
        let left = progress.left(elapsed).map_or(String::new(), |s| format!(", {} left", duration(s)));
        let bar = format!("[{}{}]", "#".repeat(filled), "-".repeat(24 - filled));
        let rate = progress.rate(elapsed);
        let _ = write!(std::io::stderr(), "\r\x1b[K{bar} {done}/{total} games, {rate:.0}/s{left}");
    }

    fn clear(&self) {
        if self.terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Seconds as a person says them.
fn duration(seconds: f64) -> String {
    let s = seconds.ceil() as u64;
    match s {
        0..60 => format!("{s} s"),
        60..3600 => format!("{} min {} s", s / 60, s % 60),
        _ => format!("{} h {} min", s / 3600, s % 3600 / 60),
    }
}
