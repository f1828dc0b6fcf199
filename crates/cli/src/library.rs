//! The model library as it is named on the command line.

use ken_arena::library::model;
pub(crate) use ken_arena::library::{MODELS, title};

/// The text of a library model, by its name or as `models/<name>.ken`.
pub(crate) fn find(file: &str) -> Option<&'static str> {
    let name = file.strip_prefix("models/").unwrap_or(file);
    model(name.strip_suffix(".ken").unwrap_or(name))
}

/// The library model whose name is nearest to what was typed.
pub(crate) fn nearest(file: &str) -> Option<&'static str> {
    let name = std::path::Path::new(file).file_stem()?.to_str()?;
    ken_logic::syntax::nearest(name, MODELS.iter().map(|(n, _)| *n))
}

/// The names of a model's parameters with their defaults.
pub(crate) fn parameters(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .filter_map(|l| l.strip_prefix("param "))
        .filter_map(|l| l.split("--").next()?.split_once('='))
        .map(|(name, value)| (name.trim(), value.trim()))
        .collect()
}
