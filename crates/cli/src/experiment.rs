//! `ken run`: experiments in a folder. `ken report`: recorded matches.

use crate::args::{ReportArgs, RunArgs};
use crate::input::{Failure, read_text};
use crate::output::{complain, emit, line};
use ken_arena::directory::Directory;
use ken_arena::experiment::{Orders, Plan, Progress, Spec, Start, Store, run as play};
use ken_arena::library::{self, Shipped};
use ken_arena::report::{Report, parse_expected};
use ken_arena::study::Studied;
use ken_arena::{Problem, catalogue};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by Ctrl-C, or when the system asks the process to end.
static STOP: AtomicBool = AtomicBool::new(false);

/// Set when it is asked again: the games that are being played are not waited for.
static HURRY: AtomicBool = AtomicBool::new(false);

/// What a process ends with that was interrupted.
const INTERRUPTED: i32 = 130;

/// Once: the games that are being played are finished. Twice: what is finished is written and nothing else is waited for.
/// A third time ends at once, if even the disk does not answer.
fn asked_to_stop() {
    if STOP.swap(true, Ordering::Relaxed) && HURRY.swap(true, Ordering::Relaxed) {
        std::process::exit(INTERRUPTED);
    }
}

/// Ends the process if nothing more is to be waited for; whatever is finished is on disk.
fn end_if_hurried() {
    if HURRY.load(Ordering::Relaxed) {
        complain("\ninterrupted: what is done is kept; the same command with --resume goes on\n");
        std::process::exit(INTERRUPTED);
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<u8, Failure> {
    let source = Source::of(&args.experiment);
    let (spec_file, text) = source.spec()?;
    let place = |problems: Vec<Problem>| all(&spec_file, problems);
    let mut plan = Plan::new(Spec::parse(&text).map_err(place)?, catalogue::arm).map_err(place)?;
    if let Some(games) = args.games {
        plan = plan.with_games(games);
    }
    if let Some(seed) = args.seed {
        plan = plan.with_seed(seed);
    }
    let expected = match source.expected()? {
        (file, Some(text)) => parse_expected(&text).map_err(|problems| all(&file, problems))?,
        (file, None) if args.check => {
            return Err(Failure::usage(format!("`{}` is needed for --check", file.display())));
        }
        (_, None) => Vec::new(),
    };
    let output = args.output.clone().unwrap_or_else(|| PathBuf::from("results").join(&plan.spec().name));
    let mut store = Directory::open(&output)
        .map_err(|error| Failure::usage(format!("cannot use the folder `{}`: {error}", output.display())))?;

    ctrlc::set_handler(asked_to_stop).map_err(|error| Failure::usage(format!("cannot watch for Ctrl-C: {error}")))?;
    let bar = Bar::new();
    let (jobs, progress) = (args.jobs.unwrap_or(0), |p| bar.show(p));
    let orders = Orders { jobs, stop: &STOP, progress: &progress, kept: &end_if_hurried };
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
    if let Some(picture) = report.picture() {
        write(&mut store, "pairs.svg", &picture)?;
    }
    write(&mut store, "rows.json", &format!("{}\n", report.json()))?;
    match args.json {
        true => emit(&report.json()),
        false => {
            crate::output::page(&report.text());
            line(&format!("\n{}: records, report.md, report.html, rows.json", output.display()));
        }
    }
    if !results.complete {
        complain("interrupted: what is done is kept; the same command with --resume goes on\n");
        return Ok(3);
    }
    Ok(u8::from(args.check && !report.passes()))
}

/// Where an experiment comes from.
enum Source {
    /// A folder with `spec.toml`.
    Folder(PathBuf),
    /// The program itself.
    Shipped(&'static Shipped),
}

impl Source {
    /// A folder of this name, one in `experiments`, or an experiment that the program comes with.
    fn of(experiment: &Path) -> Source {
        let named = Path::new("experiments").join(experiment);
        if let Some(folder) = [experiment, &named].into_iter().find(|folder| folder.exists()) {
            return Source::Folder(folder.to_path_buf());
        }
        let name = experiment.strip_prefix("experiments").unwrap_or(experiment);
        let shipped = name.to_str().and_then(library::find);
        shipped.map_or_else(|| Source::Folder(experiment.to_path_buf()), Source::Shipped)
    }

    /// What to call a file of it.
    fn file(&self, name: &str) -> PathBuf {
        match self {
            Source::Folder(folder) => folder.join(name),
            Source::Shipped(shipped) => Path::new(shipped.name).join(name),
        }
    }

    fn spec(&self) -> Result<(PathBuf, String), Failure> {
        let file = self.file("spec.toml");
        let text = match self {
            Source::Folder(_) => read(&file)?,
            Source::Shipped(shipped) => shipped.spec.to_string(),
        };
        Ok((file, text))
    }

    /// What is expected, if anything is.
    fn expected(&self) -> Result<(PathBuf, Option<String>), Failure> {
        let file = self.file("expected.csv");
        let text = match self {
            Source::Folder(_) if !file.exists() => None,
            Source::Folder(_) => Some(read(&file)?),
            Source::Shipped(shipped) => Some(shipped.expected.to_string()),
        };
        Ok((file, text))
    }
}

/// The experiments with their titles: those that the program comes with, and those of the folder `experiments`.
pub(crate) fn listed() -> Result<BTreeMap<String, String>, Failure> {
    let title = |text: &str| Spec::parse(text).map_or_else(|_| "its spec.toml cannot be read".to_string(), |s| s.title);
    let mut found: BTreeMap<String, String> =
        library::EXPERIMENTS.iter().map(|e| (e.name.to_string(), title(e.spec))).collect();
    let entries = match std::fs::read_dir("experiments") {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(Failure::usage(format!("cannot read `experiments`: {error}"))),
    };
    let specs = entries.flatten().filter(|e| e.path().join("spec.toml").is_file());
    for entry in specs {
        let text = read(&entry.path().join("spec.toml"))?;
        found.insert(entry.file_name().to_string_lossy().into_owned(), title(&text));
    }
    Ok(found)
}

/// The report of recorded matches.
pub(crate) fn report(args: &ReportArgs) -> Result<u8, Failure> {
    // Bytes that are no text make their line unreadable, and no other.
    let (name, text) = match read_text(&args.records) {
        Err(Failure::Text { name, text, .. }) => (name, text),
        read => read?,
    };
    let lines = crate::play::readable(&text);
    if let [(number, Err(first)), ..] = &lines[..]
        && lines.iter().all(|(_, read)| read.is_err())
    {
        return Err(crate::play::bad_line(&name, lines.len(), *number, first));
    }
    let studied = Studied::of_lines(&lines);
    let warn = || {
        for left_out in &studied.left_out {
            complain(&format!("warning: {name}:{}: left out: {}\n", left_out.line, left_out.why));
        }
    };
    let report = studied.report();
    if report.games == 0 {
        warn();
        return Err(Failure::Usage {
            message: format!("{name}: there is no match to report: every line was left out"),
            help: Some("only matches that are over and can be replayed are counted".to_string()),
        });
    }
    if let Some(file) = &args.html {
        std::fs::write(file, report.html())
            .map_err(|error| Failure::usage(format!("cannot write `{}`: {error}", file.display())))?;
    }
    match args.json {
        true => emit(&report.json()),
        false => crate::output::page(&report.text()),
    }
    warn();
    Ok(0)
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| Failure::Usage {
        message: format!("cannot read `{}`: {error}", file.display()),
        help: Some("an experiment is a folder with spec.toml, or one that `ken list experiments` shows".to_string()),
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
