//! Atoms of formulas about games: where they stand in a text.

use ken_logic::syntax::Span;

/// Where the atom stands; the text may have blanks in it.
pub(crate) fn place(text: &str, atom: &str) -> Span {
    let base = atom.split('(').next().unwrap_or(atom);
    let bare = |part: &str| part.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    for (start, _) in text.match_indices(base) {
        let rest = &text[start..];
        let end = if base == atom { base.len() } else { rest.find(')').map_or(rest.len(), |i| i + 1) };
        if bare(&rest[..end]) == *atom {
            return Span::new(start, start + end);
        }
    }
    Span::new(0, text.len())
}
