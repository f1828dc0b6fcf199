//! The model library inside the binary.

include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// The text of a library model, by its name or as `models/<name>.ken`.
pub(crate) fn find(file: &str) -> Option<&'static str> {
    let name = file.strip_prefix("models/").unwrap_or(file);
    let name = name.strip_suffix(".ken").unwrap_or(name);
    MODELS.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}

/// The library model whose name is nearest to what was typed.
pub(crate) fn nearest(file: &str) -> Option<&'static str> {
    let name = std::path::Path::new(file).file_stem()?.to_str()?;
    ken_logic::syntax::nearest(name, MODELS.iter().map(|(n, _)| *n))
}

/// The first comment line of a model: what it is about.
pub(crate) fn title(text: &str) -> &str {
    text.lines().find_map(|l| l.strip_prefix("--")).unwrap_or("").trim()
}

/// The names of a model's parameters with their defaults.
pub(crate) fn parameters(text: &str) -> Vec<(&str, &str)> {
    text.lines()
        .filter_map(|l| l.strip_prefix("param "))
        .filter_map(|l| l.split("--").next()?.split_once('='))
        .map(|(name, value)| (name.trim(), value.trim()))
        .collect()
}
