//! Load and faults: the server as the world treats it.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p ken-server --example trial -- load --matches 500 --seconds 60
//! cargo run --release -p ken-server --example trial -- kill --times 200
//! cargo run --release -p ken-server --example trial -- hostile
//! cargo run --release -p ken-server --example trial -- full
//! ```
//!
//! Each starts `ken serve` of its own (`--ken FILE`, else `target/release/ken`) on a free port with a data folder that is
//! removed afterwards, prints what it found, and ends with 1 if the server did not stand it.

mod full;
mod hostile;
mod http;
mod kill;
mod load;
mod player;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

/// What was asked for.
pub(crate) struct Settings {
    ken: PathBuf,
    matches: usize,
    seconds: u64,
    pace: u64,
    times: usize,
}

/// A server and its data folder.
pub(crate) struct Serving {
    child: Child,
    pub(crate) address: String,
}

impl Serving {
    /// Starts a server on the data; `limit` is the largest file that it may write, in blocks of 1,024 bytes.
    pub(crate) fn start(ken: &Path, data: &Path, limit: Option<u32>) -> Result<Serving, String> {
        let flags = ["serve", "--port", "0", "--json", "--rate", "1000000", "--newcomers", "1000000", "--no-grace"];
        let mut command = match limit {
            None => Command::new(ken),
            Some(blocks) => {
                // A file that may not grow is what a full disk looks like; the signal that comes with it is ignored.
                let mut shell = Command::new("bash");
                shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")]).arg(ken);
                shell
            }
        };
        command.args(flags).arg("--data").arg(data).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| format!("{} does not start: {e}", ken.display()))?;
        let mut line = String::new();
        let out = child.stdout.take().ok_or("no output")?;
        std::io::BufRead::read_line(&mut std::io::BufReader::new(out), &mut line).map_err(|e| e.to_string())?;
        let said: serde_json::Value = serde_json::from_str(&line).map_err(|_| format!("it said {line:?}"))?;
        let address = said["address"].as_str().and_then(|a| a.strip_prefix("http://")).ok_or("no address")?;
        Ok(Serving { child, address: address.to_string() })
    }

    /// Kills it as a power cut would.
    pub(crate) fn kill(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A data folder that is removed at the end.
pub(crate) struct Data(pub(crate) PathBuf);

impl Data {
    pub(crate) fn new(name: &str) -> Data {
        Data(std::env::temp_dir().join(format!("ken-trial-{name}-{}", std::process::id())))
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn settings(args: &[String]) -> Result<Settings, String> {
    let mut settings =
        Settings { ken: PathBuf::from("target/release/ken"), matches: 500, seconds: 60, pace: 2_000, times: 200 };
    for pair in args.chunks(2) {
        let [flag, value] = pair else { return Err(format!("{} needs a value", pair[0])) };
        let number = || value.parse().map_err(|_| format!("{flag} needs a number, not {value}"));
        match flag.as_str() {
            "--ken" => settings.ken = PathBuf::from(value),
            "--matches" => settings.matches = number()? as usize,
            "--seconds" => settings.seconds = number()?,
            "--pace" => settings.pace = number()?,
            "--times" => settings.times = number()? as usize,
            _ => return Err(format!("unknown flag {flag}")),
        }
    }
    Ok(settings)
}

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let run = match args.split_first() {
        Some((trial, rest)) => match (trial.as_str(), settings(rest)) {
            (_, Err(message)) => Err(message),
            ("load", Ok(settings)) => load::run(&settings).await,
            ("kill", Ok(settings)) => kill::run(&settings).await,
            ("hostile", Ok(settings)) => hostile::run(&settings).await,
            ("full", Ok(settings)) => full::run(&settings).await,
            (other, Ok(_)) => Err(format!("no trial `{other}`")),
        },
        None => Err("which trial? load, kill, hostile or full".to_string()),
    };
    match run {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("FAILED: {message}");
            ExitCode::FAILURE
        }
    }
}
