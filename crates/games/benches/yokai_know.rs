//! What a seat knows of the colours in the middle of a match, at full size: verdicts, nested and with the stop question,
//! and reasons.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::game::Seat;
use ken_games::knowledge::{Knower, read};
use ken_games::yokai::knowledge::{Assumed, Notes, why};
use ken_games::yokai::{Colouring, Colours, Layout};
use std::hint::black_box;

/// The notes of seat 0 after four turns of each: both looked at eight cards, two of them the same, and three are marked.
fn notes() -> Notes {
    let colouring = Colouring::deal(&mut Dice::new(5));
    let mut notes = Notes::new(Seat(0), Assumed::Proper, Layout::start());
    for card in 0..8 {
        notes.look(Card(card), colouring.of(Card(card)), None);
        notes.partner_looks(Card(card + 6));
    }
    for (card, wide) in [(3, 0b0011), (9, 0b0101), (14, 0b1110)] {
        let hint = Colours::from_bits(wide).with(colouring.of(Card(card)));
        notes.mark(Card(card), hint, None);
    }
    notes
}

fn verdicts(c: &mut Criterion) {
    let notes = notes();
    for (name, text) in [
        ("colour", "col(10,red)"),
        ("grouped", "grouped"),
        ("depth 1", "K[1] col(3,red)"),
        ("depth 2", "K[1] K[0] col(9,rg)"),
        ("depth 3", "K[1] !K[0] K[1] same(7,12)"),
        ("depth 2, grouped", "K[1] !K[0] grouped"),
        ("common knowledge", "C[0,1] !col(15,red)"),
    ] {
        let fact = read(&notes, text).expect("a formula");
        c.bench_function(&format!("yokai know, {name}"), |b| {
            b.iter(|| Knower::about(black_box(&notes)).ask(&fact).expect("an answer"));
        });
    }
}

fn reasons(c: &mut Criterion) {
    let notes = notes();
    let known = format!("col(4,{})", notes.marks()[3].expect("a mark"));
    for (name, text) in [("a colour", known.as_str()), ("ignorance", "!K[1] col(3,red)"), ("open", "K[1] col(10,red)")]
    {
        let fact = read(&notes, text).expect("a formula");
        c.bench_function(&format!("yokai why, {name}"), |b| b.iter(|| why(black_box(&notes), &fact)));
    }
}

criterion_group!(benches, verdicts, reasons);
criterion_main!(benches);
