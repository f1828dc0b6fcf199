//! The crates as packages: what is embedded travels inside them, and the program is built from them alone.

use crate::{cargo, npm, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// The crates that are packaged: folder and name, each after those that it needs.
const CRATES: [(&str, &str); 5] = [
    ("crates/logic", "ken-logic"),
    ("crates/games", "ken-games"),
    ("crates/arena", "ken-arena"),
    ("crates/server", "ken-server"),
    ("crates/cli", "ken"),
];

/// Where packages are unpacked and built.
const UNPACKED: &str = "target/unpacked";

/// Writes the packages to `target/package`.
pub(crate) fn package() -> Result<(), String> {
    let embedded = Embedded::fill().map_err(|e| format!("embedded/ cannot be filled: {e}"))?;
    if !Path::new("web/node_modules").exists() {
        run(vec![("client packages".into(), npm("install --no-save"))])?;
    }
    let mut build = npm("run build");
    let pages = fs::canonicalize("crates/server").map_err(|e| e.to_string())?.join("embedded/web");
    build.env("KEN_WEB_OUT", pages);
    let made = run(vec![
        ("client".into(), build),
        (
            "packages".into(),
            cargo("package --workspace --exclude xtask --no-verify --allow-dirty --locked --target-dir target"),
        ),
    ]);
    drop(embedded);
    made
}

/// Builds the program from the packages alone, in an empty folder, and asks it something.
pub(crate) fn check() -> Result<(), String> {
    package()?;
    unpack().map_err(|e| format!("the packages cannot be unpacked: {e}"))?;
    let mut build = cargo("build --package ken");
    // Not into the folder that another build may have named.
    build.current_dir(UNPACKED).env("CARGO_TARGET_DIR", "target");
    let ask = |line: &str| {
        let mut command = Command::new(Path::new(UNPACKED).join("target/debug/ken"));
        command.args(line.split_whitespace());
        command
    };
    run(vec![
        ("the binary of the packages".into(), build),
        ("a model of the packages".into(), ask("check muddy")),
        ("an experiment of the packages".into(), ask("run yokai-paper --games 1 --output target/unpacked/results")),
    ])
}

/// The packages in an empty workspace where they stand for each other.
fn unpack() -> io::Result<()> {
    let to = Path::new(UNPACKED);
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    let (mut members, mut patches) = (String::new(), String::new());
    for (_, name) in CRATES {
        let folder = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
        let file = format!("target/package/{folder}.crate");
        if !Command::new("tar").args(["-xzf", &file, "-C", UNPACKED]).status()?.success() {
            return Err(io::Error::other(format!("{file} cannot be read")));
        }
        members += &format!("{folder:?}, ");
        patches += &format!("{name} = {{ path = {folder:?} }}\n");
    }
    let manifest = format!(
        "[workspace]\nresolver = \"3\"\nmembers = [{members}]\n\n[patch.crates-io]\n{patches}\n[profile.dev]\ndebug = false\n"
    );
    fs::write(to.join("Cargo.toml"), manifest)?;
    // The same versions as in the repository.
    fs::copy("Cargo.lock", to.join("Cargo.lock")).map(drop)
}

/// The folders `embedded/` of the crates; they are removed when it goes.
struct Embedded(Vec<PathBuf>);

impl Embedded {
    /// Copies what is embedded to where packages can hold it, and the licences. The client is still to be built.
    fn fill() -> io::Result<Embedded> {
        let embedded = Embedded(CRATES.iter().map(|(folder, _)| Path::new(folder).join("embedded")).collect());
        embedded.remove()?;
        for folder in &embedded.0 {
            fs::create_dir_all(folder)?;
            for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
                fs::copy(licence, folder.join(licence))?;
            }
        }
        for source in ["models", "experiments"] {
            copy(Path::new(source), &Path::new("crates/arena/embedded").join(source))?;
        }
        Ok(embedded)
    }

    fn remove(&self) -> io::Result<()> {
        self.0.iter().filter(|folder| folder.exists()).try_for_each(fs::remove_dir_all)
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if let Err(error) = self.remove() {
            eprintln!("== a folder `embedded` is left over: {error}");
        }
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (from, to) = {
            let entry = entry?;
            (entry.path(), to.join(entry.file_name()))
        };
        if from.is_dir() { copy(&from, &to)? } else { fs::copy(&from, &to).map(drop)? }
    }
    Ok(())
}
