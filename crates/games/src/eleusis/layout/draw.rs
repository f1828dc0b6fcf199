//! The layout as text, as it lies on the table: the mainline from left to right, refused cards below the card that
//! they followed.

use super::Layout;
use crate::eleusis::deck::Deck;

impl Layout {
    /// The lines of a drawing at most so many characters wide. A mainline that is longer goes on below the sidelines of
    /// its first part; an arrow says so.
    ///
    /// ```text
    /// 3S  7D  TD  4S  3C
    ///     9C      2H
    ///             6S
    /// ```
    pub fn draw(&self, deck: &Deck, width: usize) -> Vec<String> {
        let cell = deck.all().iter().map(|c| deck.write(c).chars().count()).max().unwrap_or(0) + GAP;
        // The arrow at the end of a row needs a place too.
        let columns = (width.saturating_sub(1) / cell).max(1);
        let mut lines = Vec::new();
        for row in (0..self.mainline().len()).step_by(columns) {
            let end = self.mainline().len().min(row + columns);
            let sidelines: Vec<Vec<String>> =
                (row..end).map(|at| self.sideline(at).map(|c| deck.write(c)).collect()).collect();
            let deep = sidelines.iter().map(Vec::len).max().unwrap_or(0);
            let mut top: String =
                self.mainline()[row..end].iter().map(|&c| format!("{:cell$}", deck.write(c))).collect();
            if end < self.mainline().len() {
                top.push('→');
            }
            lines.push(top.trim_end().to_string());
            for depth in 0..deep {
                let below: String = sidelines
                    .iter()
                    .map(|side| format!("{:cell$}", side.get(depth).map_or("", String::as_str)))
                    .collect();
                lines.push(below.trim_end().to_string());
            }
        }
        lines
    }
}

/// The blanks between two columns.
const GAP: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eleusis::layout::position;

    fn seed() -> Layout {
        let text = r#"{"mainline": ["3S", "7D", "TD", "4S", "3C"], "sidelines": {"1": ["9C"], "3": ["2H", "6S"]}}"#;
        position(text, &Deck::STANDARD).expect("a layout").layout
    }

    #[test]
    fn refused_cards_hang_below_the_card_they_followed() {
        assert_eq!(seed().draw(&Deck::STANDARD, 80), ["3S  7D  TD  4S  3C", "    9C      2H", "            6S"]);
    }

    #[test]
    fn a_long_mainline_goes_on_below() {
        assert_eq!(seed().draw(&Deck::STANDARD, 13), ["3S  7D  TD  →", "    9C", "4S  3C", "2H", "6S"]);
    }
}
