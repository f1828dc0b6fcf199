//! The table as text: rows and columns with their numbers, cards by their numbers, colours and hints by letters; and what
//! a seat saw, in words.

use super::colour::{Colour, Colours};
use super::layout::Cell;
use super::notation::number;
use super::rules::Stage;
use super::view::Page;
use crate::cards::{Card, CardSet};

/// What an empty cell looks like.
const EMPTY: char = '·';

/// What a mark looks like of which the hint is not known.
const UNKNOWN: char = '?';

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
        let mark = |c: i32| match at(c).and_then(|card| stage.marks()[card.index()]) {
            None => String::new(),
            Some(hint) if hint.is_hint() => hint.to_string(),
            Some(_) => UNKNOWN.to_string(),
        };
        lines.push(row(r.to_string(), &mut cols().map(card)));
        let marks = row(String::new(), &mut cols().map(mark));
        if !marks.is_empty() {
            lines.push(marks);
        }
    }
    lines
}

/// The table with the colours that the seat saw; all of them when the match is over.
pub fn table(page: &Page) -> Vec<String> {
    let seen = page.seen();
    draw(&page.stage, |card| page.end.map(|end| end.of(card)).or(seen[card.index()]).map(Colour::letter))
}

/// The active hints, and how many can still be activated.
pub fn hints(stage: &Stage) -> String {
    let active: Vec<String> = stage.active().iter().map(Colours::to_string).collect();
    let active = if active.is_empty() { "none".to_string() } else { active.join(" ") };
    let of_size = |(size, n): (u8, u8)| format!("{n} of {size} colour{}", if size == 1 { "" } else { "s" });
    let left: Vec<String> = (1..).zip(stage.available()).filter(|&(_, n)| n > 0).map(of_size).collect();
    let left = if left.is_empty() { "none".to_string() } else { left.join(", ") };
    format!("active hints: {active}; not drawn: {left}")
}

/// Which colours the seat saw: `red 1 5, blue 3`.
pub fn saw(page: &Page) -> String {
    let seen = page.seen();
    let of = |colour: Colour| -> CardSet {
        CardSet::first(seen.len()).iter().filter(|c| seen[c.index()] == Some(colour)).collect()
    };
    let known: Vec<String> =
        Colour::ALL.into_iter().filter(|&c| !of(c).is_empty()).map(|c| format!("{c} {}", cards(of(c)))).collect();
    if known.is_empty() { "no card".to_string() } else { known.join(", ") }
}

/// Cards by their numbers.
pub fn cards(cards: CardSet) -> String {
    let cards: Vec<String> = cards.iter().map(|c| number(c).to_string()).collect();
    if cards.is_empty() { "no card".to_string() } else { cards.join(" ") }
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
        marks[7] = Some(Colours::ALL);
        let layout = Layout::start().moved(Card(0), Cell::new(15, 19));
        let stage = Stage::at(layout, marks, Vec::new(), MIX, Seat(0));
        let lines = draw(&stage, |card| (card == Card(1)).then_some('b'));
        let expected = "
     15  16  17  18  19
 15   ·   2b  3   4   1
 16   5   6   7   8   ·
         rgy       ?
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
