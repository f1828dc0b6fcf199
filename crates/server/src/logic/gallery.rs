//! The models that come with the program.

use super::{GalleryModel, LogicKind};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../models"]
struct Models;

/// Every model of `models/`, by name.
pub fn gallery() -> Vec<GalleryModel> {
    let read = |file: &str| {
        let text = String::from_utf8(Models::get(file)?.data.into_owned()).ok()?;
        let title = text.lines().find_map(|line| line.strip_prefix("--")).unwrap_or("").trim().to_string();
        let time = text.lines().any(|line| line.split_whitespace().next() == Some("system"));
        Some(GalleryModel { name: file.trim_end_matches(".ken").to_string(), title, kind: LogicKind::Ken, text, time })
    };
    let mut models: Vec<GalleryModel> =
        Models::iter().filter(|file| file.ends_with(".ken")).filter_map(|file| read(&file)).collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}
