//! `ken serve`: the games, the logic and the laboratory in the browser.

use crate::args::ServeArgs;
use crate::input::Failure;
use crate::output;
use ken_games::list::GAMES;
use ken_server::{Config, Limits, serve};
use serde_json::json;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// How long an action that nobody has learned from waits for second thoughts.
const GRACE: Duration = Duration::from_millis(2_500);

pub(crate) fn run(args: &ServeArgs) -> Result<u8, Failure> {
    let data = args.data.clone().unwrap_or_else(home);
    let usual = Limits::default();
    let limits = Limits {
        rate: args.rate.unwrap_or(usual.rate),
        burst: args.rate.map_or(usual.burst, |r| 5.0 * r),
        newcomers: args.newcomers.unwrap_or(usual.newcomers),
        ..usual
    };
    let grace = if args.no_grace { Duration::ZERO } else { GRACE };
    let config = Config {
        address: SocketAddr::new(args.host, args.port),
        data: data.clone(),
        limits,
        grace,
        games: GAMES.clone(),
    };
    let ready = |address: SocketAddr| {
        let shown =
            if address.ip().is_unspecified() { format!("localhost:{}", address.port()) } else { address.to_string() };
        if args.json {
            output::emit(&json!({"address": format!("http://{shown}"), "data": data.display().to_string()}));
        } else {
            output::line(&format!("ken is at http://{shown}"));
            output::line(&format!("  matches are kept in {}; Ctrl-C stops", data.display()));
        }
    };
    serve(config, ready).map(|()| 0).map_err(Failure::usage)
}

/// The data folder unless another is named: where the system keeps such things.
fn home() -> PathBuf {
    let place = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let share = || place("HOME").map(|home| home.join(".local/share"));
    place("XDG_DATA_HOME")
        .or_else(share)
        .or_else(|| place("LOCALAPPDATA"))
        .map_or_else(|| "ken-data".into(), |p| p.join("ken"))
}
