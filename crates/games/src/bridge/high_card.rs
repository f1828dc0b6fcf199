//! What a seat saw of high card as a logical model.
//!
//! The worlds are the pairs of cards; a seat sees its own. Every answer is announced to both, and so are the cards when
//! somebody has bet. What the seat knows is what holds after the announcements wherever it has its card.

use crate::game::Seat;
use crate::high_card::{Event, HighCard, Sight};

/// What a seat saw as a `.ken` file: `check valid known(φ)` asks whether it knows φ.
pub fn source(game: &HighCard, memory: &[Sight]) -> String {
    let n = game.cards;
    let mut out = format!("agents 0, 1\nprops has(i, c) for i in 0..1, c in 1..{n}\n");
    let mut line = |text: String| out.extend([text.as_str(), "\n"]);
    for seat in Seat::all(2) {
        line(format!("law oneof(has({seat}, c) for c in 1..{n})"));
        line(format!("observe {seat} sees has({seat}, c) for c in 1..{n}"));
    }
    line(format!("law forall c in 1..{n}: !(has(0, c) & has(1, c))"));
    line(format!("let higher(i) = exists c in 1..{n}: has(i, c) & (forall d in 1..{n}: has(1 - i, d) -> d < c)"));
    let mut view = "true".to_string();
    let mut history = vec!["?true".to_string()];
    for sight in memory {
        match sight {
            Sight::Mine(seat, card) => view = format!("has({seat}, {card})"),
            Sight::Heard(Event::Asked { by, above, yes }) => {
                let (no, other) = (if *yes { "" } else { "!" }, by.next(2));
                history.push(format!("announce {no}(exists c in {}..{n}: has({other}, c))", above + 1));
            }
            Sight::Heard(Event::Bet { cards, .. } | Event::Dealt(cards)) => {
                history.push(format!("announce (has(0, {}) & has(1, {}))", cards[0], cards[1]));
            }
        }
    }
    line(format!("let view = {view}"));
    line(format!("action history = {}", history.join(" ; ")));
    line(super::KNOWN.to_string());
    out
}
