//! The models that come with the program.

use super::{GalleryModel, LogicKind};
use ken_logic::{Document, Format};
use rust_embed::RustEmbed;
use std::sync::OnceLock;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../../models"]
struct Models;

static GALLERY: OnceLock<Vec<GalleryModel>> = OnceLock::new();

/// Every model of `models/`, by name.
pub fn gallery() -> Vec<GalleryModel> {
    GALLERY.get_or_init(read).clone()
}

fn read() -> Vec<GalleryModel> {
    let read = |file: &str| {
        let text = String::from_utf8(Models::get(file)?.data.into_owned()).ok()?;
        let title = text.lines().find_map(|line| line.strip_prefix("--")).unwrap_or("").trim().to_string();
        let time = Document::read(&text, Format::Ken).is_ok_and(|document| document.time.is_some());
        Some(GalleryModel { name: file.strip_suffix(".ken")?.to_string(), title, kind: LogicKind::Ken, text, time })
    };
    let mut models: Vec<GalleryModel> = Models::iter().filter_map(|file| read(&file)).collect();
    models.sort_by(|a, b| a.name.cmp(&b.name));
    models
}
