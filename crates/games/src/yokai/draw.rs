//! The table as text: rows and columns with their numbers, cards by their numbers, colours and hints by letters.

use super::layout::Cell;
use super::notation::number;
use super::rules::Stage;
use crate::cards::Card;

/// What an empty cell looks like.
const EMPTY: char = '·';

/// The lines of the table, not wider than 80 columns unless rows or columns have more than three digits. Beside a card
/// stands the letter that `colour` gives it, below it the letters of its hint.
pub fn draw(stage: &Stage, colour: impl Fn(Card) -> Option<char>) -> Vec<String> {
    let (low, high) = stage.layout().bounds();
    let label = |n: &i32| n.to_string().len();
    let side = [low.row, high.row].iter().map(label).max().expect("two rows").max(3);
    let wide = [low.col, high.col].iter().map(label).max().expect("two columns").max(3) + 1;
    let row = |head: String, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|cell| format!("{cell:>wide$}")).collect();
        format!("{head:>side$} {cells}").trim_end().to_string()
    };
    let cols = || low.col..=high.col;
    let mut lines = vec![row(String::new(), &mut cols().map(|c| format!("{c} ")))];
    for r in low.row..=high.row {
        let at = |c: i32| stage.layout().at(Cell::new(r, c));
        let card = |c: i32| match at(c) {
            Some(card) => format!("{}{}", number(card), colour(card).unwrap_or(' ')),
            None => format!("{EMPTY} "),
        };
        let mark = |c: i32| at(c).and_then(|card| stage.marks()[card.index()]).map_or(String::new(), |h| h.to_string());
        lines.push(row(r.to_string(), &mut cols().map(card)));
        let marks = row(String::new(), &mut cols().map(mark));
        if !marks.is_empty() {
            lines.push(marks);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::CardSet;
    use crate::game::Seat;
    use crate::yokai::colour::{CARDS, Colours};
    use crate::yokai::layout::Layout;
    use crate::yokai::rules::MIX;

    #[test]
    fn cards_lie_where_they_lie_with_their_letters_and_marks() {
        let mut marks = [None; CARDS];
        marks[5] = Colours::read("rgy");
        let layout = Layout::start().moved(Card(0), Cell::new(15, 19));
        let stage = Stage::at(layout, marks, Vec::new(), MIX, Seat(0));
        let lines = draw(&stage, |card| (card == Card(1)).then_some('b'));
        let expected = "
     15  16  17  18  19
 15   ·   2b  3   4   1
 16   5   6   7   8   ·
         rgy
 17   9  10  11  12   ·
 18  13  14  15  16   ·";
        assert_eq!(format!("\n{}", lines.join("\n")), expected);
    }

    #[test]
    fn a_line_of_sixteen_cards_fits_80_columns() {
        let cells = std::array::from_fn(|i| Cell::new(-14, i as i32 - 15));
        let marks = CardSet::first(CARDS).iter().map(|_| Colours::read("rgb")).collect::<Vec<_>>();
        let stage = Stage::at(Layout::new(cells).unwrap(), marks.try_into().unwrap(), Vec::new(), MIX, Seat(0));
        assert!(draw(&stage, |_| Some('y')).iter().all(|line| line.chars().count() <= 80));
    }
}
