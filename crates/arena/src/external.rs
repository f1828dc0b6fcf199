//! Players that are programs: the one file here that starts processes.
//!
//! A program speaks JSON lines. It reads
//!
//! ```json
//! {"hello": {"game": "cluedo", "version": "0.1.0", "options": {}, "seat": 2, "seats": 6}}
//! {"sight": {"dealt": ["plum", "rope", "hall"]}}
//! {"choose": ["suggest plum rope hall", "suggest green rope hall"]}
//! ```
//!
//! and answers each `choose` with one line, `{"action": "suggest plum rope hall"}` or the bare text. At the end of the
//! match its input is closed. It gets what any player gets and nothing else: no seed, no truth. What it writes to its
//! error output goes to ours. Whoever is late, answers with something that is no action, or exits, forfeits. A rule or a
//! guess that cannot be read is refused with the reason, and the program is asked again, up to [`TRIES`] times in a turn:
//!
//! ```json
//! {"refused": {"action": "guess reddish", "why": "unknown word `reddish`", "help": null}}
//! {"choose": ["guess any card", "pass"]}
//! ```

use crate::bout::{Fault, Seated};
use crate::{Problem, VERSION};
use ken_games::game::{Game, Illegal, Notation, Player, Seat};
use ken_games::list::Setup;
use ken_games::table::{Program, Sitter};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// What stands before the command in a player's name.
pub const PREFIX: &str = "exec:";

/// The longest answer in bytes.
const LONGEST: u64 = 1 << 16;

/// How often a program may name a rule in a turn until one can be read.
pub const TRIES: u32 = 3;

/// How many lines of a program are kept that nobody has asked for.
const UNREAD: usize = 16;

/// How long a program may tidy up after the match.
const GRACE: Duration = Duration::from_millis(500);

/// A program at work.
pub struct Process {
    child: Child,
    /// Lines for the program; written by a thread of its own, since a program that does not read would block us.
    tell: Option<Sender<String>>,
    /// Lines from the program, or why one cannot be taken.
    answers: Receiver<Result<String, String>>,
    patience: Duration,
    /// Whether it has failed already.
    failed: bool,
    /// How many of its rules were refused in this turn.
    refused: u32,
}

/// The first line for a program.
fn hello(game: &str, options: Value, seat: Seat, seats: u8) -> Value {
    json!({"hello": {"game": game, "version": VERSION, "options": options, "seat": seat.0, "seats": seats}})
}

/// Who sits at a seat of a table by a name: `exec:COMMAND` is a program that has `patience` for each answer (for the first
/// one its start included), everything else a built-in player.
pub fn sitter(setup: &dyn Setup, name: &str, seat: Seat, patience: Duration) -> Sitter {
    match name.strip_prefix(PREFIX) {
        None => Sitter::Machine(name.to_string()),
        Some(command) => {
            let (command, hello) = (command.to_string(), hello(setup.name(), setup.options(), seat, setup.seats()));
            Sitter::Program(Box::new(move || match Process::start(&command, &hello, patience) {
                Ok(process) => Ok(Box::new(process)),
                Err(Problem { message, help }) => Err(ken_games::table::page::Problem {
                    help,
                    ..ken_games::table::page::Problem::new("program", message)
                }),
            }))
        }
    }
}

/// Seats a player of one game by its name, as [`sitter`] does for a table.
pub fn seat<G: Notation + 'static>(
    game: &G,
    name: &str,
    seat: Seat,
    patience: Duration,
    builtin: impl FnOnce(&str) -> Result<Box<dyn Player<G>>, Problem>,
) -> Result<Seated<G>, Problem> {
    match name.strip_prefix(PREFIX) {
        Some(command) => External::seat(game, command, seat, patience),
        None => Ok(Seated::new(name, builtin(name)?)),
    }
}

impl Process {
    /// Starts a program. The command is split at blanks; quotes keep blanks together. No shell is involved.
    fn start(command: &str, hello: &Value, patience: Duration) -> Result<Process, Problem> {
        let words = split(command)?;
        let [program, arguments @ ..] = words.as_slice() else {
            return Err(Problem::new("there is no command").help(format!("write `{PREFIX}PROGRAM ARGUMENT..`")));
        };
        let mut command_line = Command::new(program);
        command_line.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for us: a program that it ended would forfeit a match that is still being finished.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command_line, 0);
        let mut child =
            command_line.spawn().map_err(|e| Problem::new(format!("`{program}` cannot be started: {e}")))?;
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let (tell, told) = channel();
        // A program that talks without end is not read on, and waits.
        let (answer, answers) = sync_channel(UNREAD);
        thread::spawn(move || write_lines(input, told));
        thread::spawn(move || read_lines(output, answer));
        let process = Process { child, tell: Some(tell), answers, patience, failed: false, refused: 0 };
        process.send(hello);
        Ok(process)
    }

    /// Sends a line. If the program is gone, the next `choose` finds out.
    fn send(&self, line: &Value) {
        if let Some(tell) = &self.tell {
            let _ = tell.send(format!("{line}\n"));
        }
    }

    /// The program's answer, or why there is none.
    fn answer(&mut self) -> Result<String, String> {
        let line = match self.answers.recv_timeout(self.patience) {
            Ok(line) => line?,
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("no answer within {} s", self.patience.as_secs_f64()));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(self.gone()),
        };
        match serde_json::from_str::<Value>(&line) {
            Ok(Value::Object(answer)) => match answer.get("action") {
                Some(Value::String(text)) => Ok(text.clone()),
                _ => Err(format!("the answer `{}` has no \"action\"", shorten(&line))),
            },
            _ => Ok(line.trim().to_string()),
        }
    }

    /// How the program ended.
    fn gone(&mut self) -> String {
        match self.wait() {
            Some(status) => format!("the program ended ({status})"),
            None => "the program closed its output".to_string(),
        }
    }

    /// Ends the program, and whatever it has started.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.child.kill();
    }

    /// Waits a little for the program to end.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if start.elapsed() < GRACE => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }
}

impl Program for Process {
    fn watch(&mut self, sight: &Value) {
        self.refused = 0;
        self.send(&json!({"sight": sight}));
    }

    fn choose(&mut self, options: &[String]) -> Result<String, String> {
        self.send(&json!({"choose": options}));
        let answer = self.answer();
        self.failed |= answer.is_err();
        answer
    }

    fn refused(&mut self, action: &str, why: &Illegal) -> bool {
        self.refused += 1;
        let again = self.refused < TRIES;
        if again {
            self.send(&json!({"refused": {"action": action, "why": why.message, "help": why.help}}));
        }
        again
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.tell = None;
        // A program that failed already gets no time to tidy up.
        if self.failed || self.wait().is_none() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

/// A program at a seat of a game.
pub struct External<G: Game> {
    game: G,
    process: Process,
    fault: Fault,
}

impl<G: Notation + 'static> External<G> {
    /// Starts a program for a seat. The command is split at blanks; quotes keep blanks together. No shell is involved.
    pub fn seat(game: &G, command: &str, seat: Seat, patience: Duration) -> Result<Seated<G>, Problem> {
        let process = Process::start(command, &hello(G::NAME, game.options(), seat, game.seats()), patience)?;
        let fault = Fault::default();
        let player = External { game: game.clone(), process, fault: fault.clone() };
        Ok(Seated { name: format!("{PREFIX}{command}"), player: Box::new(player), fault })
    }
}

impl<G: Notation> Player<G> for External<G> {
    fn watch(&mut self, sight: &G::Sight) {
        self.process.watch(&self.game.sight_data(sight));
    }

    fn choose(&mut self, options: &[G::Action]) -> G::Action {
        let texts: Vec<String> = options.iter().map(|a| self.game.write(a)).collect();
        let action = self.process.choose(&texts).and_then(|text| {
            let read = self.game.read(&text);
            read.map_err(|illegal| format!("the answer `{}` is no action: {illegal}", shorten(&text)))
        });
        action.unwrap_or_else(|reason| {
            // The match looks at the fault before it looks at the action.
            self.process.failed = true;
            self.fault.report(reason);
            options[0].clone()
        })
    }

    fn refused(&mut self, action: &G::Action, why: &Illegal) -> bool {
        self.process.refused(&self.game.write(action), why)
    }
}

/// Writes lines until there are no more or the program does not take them; then its input is closed.
fn write_lines(mut input: ChildStdin, lines: Receiver<String>) {
    for line in lines {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Passes on lines until the program ends, a line is no text or too long, or nobody listens.
fn read_lines(output: ChildStdout, answers: SyncSender<Result<String, String>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        match output.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(n) if n as u64 == LONGEST => {
                let _ = answers.send(Err(format!("an answer of more than {LONGEST} bytes")));
                return;
            }
            Ok(_) => {}
        }
        let line = String::from_utf8(bytes).map_err(|_| "an answer that is not UTF-8".to_string());
        if line.as_ref().is_ok_and(|l| l.trim().is_empty()) {
            continue;
        }
        if answers.send(line.map(|l| l.trim_end().to_string())).is_err() {
            return;
        }
    }
}

/// The beginning of a text, for a message.
fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// The words of a command.
fn split(command: &str) -> Result<Vec<String>, Problem> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(Problem::new(format!("a quote is not closed in `{command}`")));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_at_blanks_outside_quotes() {
        assert_eq!(split(" a  'b c'd \"\" ").unwrap(), ["a", "b cd", ""]);
        assert!(split("a 'b").is_err());
        assert_eq!(split("").unwrap(), Vec::<String>::new());
    }
}
