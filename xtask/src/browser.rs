//! The web client's own checks, and the tests in a real browser.

use crate::{Step, cargo, npm};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where Chromium may be, unless `KEN_CHROMIUM` says it.
const PLACES: [&str; 5] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/snap/bin/chromium",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// The checks of the client; the tests in a browser are those whose name contains `filter`. The tests of the workspace build
/// the binary already: `built` says that they ran.
pub(crate) fn steps(filter: Option<&str>, built: bool) -> Result<Vec<Step>, String> {
    let chromium = chromium()?;
    let mut browser = Command::new("node");
    browser.arg("tests/run.mjs").args(filter).current_dir("web").env("KEN_CHROMIUM", chromium);
    let mut steps: Vec<Step> = Vec::new();
    if !built {
        steps.push(("the binary".into(), cargo("build --locked --package ken")));
    }
    if filter.is_none() {
        // The build of the server has installed what npm needs.
        steps.push(("web types".into(), npm("run check")));
        steps.push(("web unit tests".into(), npm("test")));
    }
    steps.push(("browser tests".into(), browser));
    Ok(steps)
}

/// A browser, installed if it may be.
fn chromium() -> Result<PathBuf, String> {
    if let Some(found) = find() {
        return Ok(found);
    }
    println!("== no Chromium: trying to install Debian's `chromium`");
    let installed = |line: &str| {
        let mut words = line.split_whitespace();
        let command = words.next().map(|program| {
            Command::new(program).args(words).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()).status()
        });
        matches!(command, Some(Ok(status)) if status.success())
    };
    if installed("apt-get update")
        && installed("apt-get install -y --no-install-recommends chromium")
        && let Some(found) = find()
    {
        return Ok(found);
    }
    Err("the browser tests need Chromium, and it could not be installed here.\n\
         Install it (Debian: `apt-get install chromium` as root) or name it: KEN_CHROMIUM=/path/to/chromium"
        .to_string())
}

fn find() -> Option<PathBuf> {
    let named = std::env::var_os("KEN_CHROMIUM").map(PathBuf::from);
    named.into_iter().chain(PLACES.iter().map(PathBuf::from)).find(|p| Path::exists(p))
}
