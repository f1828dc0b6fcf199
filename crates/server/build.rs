//! Finds the pages that the server embeds, and names their folder in `KEN_WEB`: those of the package in `embedded/web`,
//! or those of `web/`, built with Vite into `$OUT_DIR/web`.

use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// What the pages are made of, under `web/`; a change builds them again.
const SOURCES: [&str; 10] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    ".npmrc",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
    "openapi.json",
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    let packed = here.join("embedded/web");
    let pages = if packed.exists() { packed } else { built(&here.join("../../web")) };
    println!("cargo:rustc-env=KEN_WEB={}", pages.display());
}

/// Builds the pages; where they are.
fn built(web: &Path) -> PathBuf {
    let out = PathBuf::from(variable("OUT_DIR")).join("web");
    for source in SOURCES {
        // Cargo builds again at every turn if a file in the list is missing.
        let path = web.join(source);
        if path.exists() {
            println!("cargo:rerun-if-changed={}", path.display());
        }
    }
    if !installed(web) {
        // Not `npm ci`, which refuses a lock file that lacks an optional package of some other platform.
        npm(web, &["install", "--no-save"], &out);
    }
    npm(web, &["run", "build"], &out);
    out
}

/// A variable that cargo sets.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| stop(&format!("{name} is not set: this program is run by cargo")))
}

/// Whether what `package-lock.json` asks for is in `node_modules`.
fn installed(web: &Path) -> bool {
    let changed = |path: PathBuf| path.metadata().and_then(|m| m.modified()).ok();
    match (changed(web.join("node_modules/.package-lock.json")), changed(web.join("package-lock.json"))) {
        (Some(there), Some(wanted)) => there >= wanted,
        _ => false,
    }
}

/// Runs npm in `web/`; a failure ends the build with what it said.
fn npm(web: &Path, arguments: &[&str], out: &Path) {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let said = match Command::new(program).args(arguments).current_dir(web).env("KEN_WEB_OUT", out).output() {
        Ok(said) => said,
        Err(error) => stop(&format!(
            "the pages in web/ are built with Node.js 20.19 or newer, and `{program}` could not be run ({error}).\n\
             Install Node.js with npm (https://nodejs.org, or your system's package `nodejs`), then build again."
        )),
    };
    if !said.status.success() {
        let lines = [said.stdout, said.stderr].map(|text| String::from_utf8_lossy(&text).trim().to_string()).join("\n");
        stop(&format!(
            "`npm {}` failed in web/:\n{}\nNode.js 20.19 or newer is needed; `node --version` tells yours.",
            arguments.join(" "),
            lines.trim()
        ));
    }
}

/// Ends the build with a message and nothing else.
fn stop(message: &str) -> ! {
    for line in message.lines() {
        println!("cargo::error={line}");
    }
    exit(1)
}
