//! Puts the models and the experiments that the program comes with into the library, as two tables. They are read from
//! `embedded/` in a package, and from the top of the repository otherwise.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut tables =
        String::from("/// The models by name, each with its text.\npub const MODELS: &[(&str, &str)] = &[\n");
    for file in listed(&source("models")).iter().filter(|file| file.extension().is_some_and(|x| x == "ken")) {
        writeln!(tables, "    ({:?}, {}),", name(file), text(file)).unwrap();
    }
    tables.push_str("];\n\n/// The experiments by name.\npub const EXPERIMENTS: &[Shipped] = &[\n");
    for folder in listed(&source("experiments")).iter().filter(|folder| folder.join("spec.toml").exists()) {
        let [spec, expected] = ["spec.toml", "expected.csv"].map(|file| text(&folder.join(file)));
        writeln!(tables, "    Shipped {{ name: {:?}, spec: {spec}, expected: {expected} }},", name(folder)).unwrap();
    }
    tables.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("library.rs"), tables).unwrap();
}

/// The folder of this name: that of the package, or that of the repository.
fn source(name: &str) -> PathBuf {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let packed = here.join("embedded").join(name);
    let folder = if packed.exists() { packed } else { here.join("../..").join(name) };
    println!("cargo:rerun-if-changed={}", folder.display());
    folder
}

/// What is in a folder, by name.
fn listed(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

/// The expression for the text of a file.
fn text(file: &Path) -> String {
    let path = fs::canonicalize(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    format!("include_str!({:?})", path.display().to_string())
}
