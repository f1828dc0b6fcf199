//! Runs on disk: a small file in each run's folder says what it is and how far it came.

use crate::api::RunState;
use crate::store::Holder;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file in a run's folder.
const FILE: &str = "lab.json";

/// A run as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Kept {
    /// Its name, which is that of its folder.
    pub id: String,
    /// The experiment's name.
    pub experiment: String,
    /// The experiment's headline.
    pub title: String,
    /// How many games of each row.
    pub games: u64,
    /// How far it is.
    pub state: RunState,
    /// When it was started.
    pub started: u64,
    /// Why it could not be played.
    pub why: Option<String>,
    /// Who started it: a hash in hexadecimal.
    pub by: String,
    /// The games played.
    pub done: u64,
    /// The games wanted.
    pub total: u64,
}

impl Kept {
    /// Writes the run beside what is there, then puts it in its place.
    pub(crate) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let folder = folder.join(&self.id);
        std::fs::create_dir_all(&folder)?;
        let beside = folder.join("lab.json.new");
        std::fs::write(&beside, serde_json::to_string(self)?)?;
        std::fs::rename(beside, folder.join(FILE))
    }
}

/// All runs in a folder, the earliest first; what cannot be read is left alone.
pub(crate) fn all(folder: &Path) -> Vec<Kept> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let read = |entry: std::fs::DirEntry| {
        let kept: Kept = serde_json::from_str(&std::fs::read_to_string(entry.path().join(FILE)).ok()?).ok()?;
        (entry.file_name().to_str() == Some(&kept.id)).then_some(kept)
    };
    let mut runs: Vec<Kept> = entries.filter_map(Result::ok).filter_map(read).collect();
    runs.sort_by(|a, b| (a.started, &a.id).cmp(&(b.started, &b.id)));
    runs
}

/// Removes a run.
pub(crate) fn forget(folder: &Path, id: &str) {
    if let Err(error) = std::fs::remove_dir_all(folder.join(id)) {
        tracing::warn!(%error, "an old run of the lab was not removed");
    }
}

/// A hash in hexadecimal.
pub(crate) fn hex(who: &Holder) -> String {
    who.iter().map(|b| format!("{b:02x}")).collect()
}
