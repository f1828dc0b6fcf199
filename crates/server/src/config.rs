//! What can be set before the server starts.

use ken_games::list::Games;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How the server runs.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its data folder; it is made if it is not there.
    pub data: PathBuf,
    /// What a client may do.
    pub limits: Limits,
    /// How long an action that may be taken back waits for second thoughts before a machine goes on.
    pub grace: Duration,
    /// The games that can be played.
    pub games: Games,
}

/// What a client may do.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The largest request, in bytes.
    pub body: usize,
    /// Requests a second in the long run, for each client.
    pub rate: f64,
    /// Requests at once.
    pub burst: f64,
    /// New clients and matches a minute, for each address.
    pub newcomers: f64,
    /// Unfinished matches, for each client.
    pub matches: usize,
    /// Live connections, for each client.
    pub live: usize,
    /// How long a machine may think about one action.
    pub think: Duration,
    /// How long a question may take.
    pub question: Duration,
    /// A table that nobody looked at for so long leaves the memory; it stays on disk.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: 256 << 10,
            rate: 40.0,
            burst: 200.0,
            newcomers: 120.0,
            matches: 100,
            live: 16,
            think: Duration::from_secs(60),
            question: Duration::from_secs(20),
            idle: Duration::from_secs(15 * 60),
        }
    }
}
