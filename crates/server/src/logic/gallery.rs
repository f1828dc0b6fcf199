//! The models that come with the program.

use super::{GalleryModel, LogicKind};
use ken_arena::library::{MODELS, title};
use ken_logic::{Document, Format};
use std::sync::OnceLock;

static GALLERY: OnceLock<Vec<GalleryModel>> = OnceLock::new();

/// Every model of the library, by name.
pub fn gallery() -> Vec<GalleryModel> {
    GALLERY.get_or_init(|| MODELS.iter().map(|(name, text)| entry(name, text)).collect()).clone()
}

fn entry(name: &str, text: &str) -> GalleryModel {
    let time = Document::read(text, Format::Ken).is_ok_and(|document| document.time.is_some());
    GalleryModel {
        name: name.to_string(),
        title: title(text).to_string(),
        kind: LogicKind::Ken,
        text: text.to_string(),
        time,
    }
}
