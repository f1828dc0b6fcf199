//! Puts the model library into the binary: `models/*.ken` as a table of names and texts.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../models");
    println!("cargo:rerun-if-changed={}", root.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&root)
        .map(|entries| {
            entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|x| x == "ken")).collect()
        })
        .unwrap_or_default();
    files.sort();
    let mut table = String::from("pub(crate) const MODELS: &[(&str, &str)] = &[\n");
    for file in files {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        let path = fs::canonicalize(&file).unwrap();
        println!("cargo:rerun-if-changed={}", path.display());
        writeln!(table, "    ({name:?}, include_str!({:?})),", path.display().to_string()).unwrap();
    }
    table.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap()).join("models.rs"), table).unwrap();
}
