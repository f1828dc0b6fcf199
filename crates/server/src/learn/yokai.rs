//! Which colours a card can have.

use super::{Made, choice, listed, not_offered, right, text, wrong};
use crate::api::{Block, CheckedAnswer, Exercise, Input, TableCard};
use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::yokai::colour::CARDS;
use ken_games::yokai::count::Evidence;
use ken_games::yokai::{Colour, Colouring, Colours};
use ken_logic::text::grouped;

/// The card in question, counted from 1.
const ASKED: u8 = 7;

/// The cards that you have seen, counted from 1.
const SEEN: [(u8, Colour); 8] = [
    (1, Colour::Red),
    (2, Colour::Red),
    (5, Colour::Red),
    (12, Colour::Red),
    (3, Colour::Green),
    (9, Colour::Green),
    (4, Colour::Blue),
    (16, Colour::Yellow),
];

/// The hint that lies on the card in question.
const HINT: [Colour; 3] = [Colour::Red, Colour::Green, Colour::Blue];

fn evidence() -> Evidence {
    let mut evidence = Evidence::none();
    for (card, colour) in SEEN {
        evidence.is(Card(card - 1), colour);
    }
    evidence.among(Card(ASKED - 1), HINT.into_iter().collect());
    evidence
}

/// How many colourings give the card each colour.
fn counts() -> [u64; 4] {
    evidence().worlds().marginals()[usize::from(ASKED - 1)]
}

fn with(colour: Colour) -> Option<Colouring> {
    let mut evidence = evidence();
    evidence.is(Card(ASKED - 1), colour);
    evidence.worlds().sample(&mut Dice::new(7))
}

pub(super) const COLOURS: Made = Made {
    id: "colours",
    title: "Which colours can it have?",
    about: "A hint, a few looks, and the number four.",
    topic: "Yōkai",
    blocks: || {
        let seen =
            |number: u8| SEEN.iter().find(|(card, _)| *card == number).map(|(_, colour)| colour.name().to_string());
        let card = |number: u8| TableCard {
            number,
            colour: seen(number),
            hint: match number == ASKED {
                true => HINT.iter().map(|c| c.name().to_string()).collect(),
                false => Vec::new(),
            },
        };
        vec![
            text(
                "In Yōkai sixteen cards lie face down, four of each colour: red, green, blue and yellow. Two players \
                  bring the cards of a colour together without a word. On a turn you look at two cards and move one; now \
                  and then somebody puts a hint on a card: one to three colours, among which the card's colour should be.",
            ),
            Block::Table { width: 4, cards: (1..=CARDS as u8).map(card).collect() },
            text(&format!(
                "These are the cards that you have looked at so far, and a hint lies on card {ASKED}. Trust the hint, and \
                 count. There are 63,063,000 ways to colour the cards; {} of them fit what you know.",
                grouped(evidence().count())
            )),
        ]
    },
    exercise: || Exercise {
        ask: format!("Which colours can card {ASKED} have?"),
        input: Input::Choices {
            several: true,
            options: Colour::ALL.iter().map(|c| choice(c.name(), c.name())).collect(),
        },
    },
    check: |answer| {
        if let Some(refused) = not_offered(answer, |name| Colour::ALL.iter().any(|c| c.name() == name)) {
            return refused;
        }
        let chosen: Colours = answer.iter().filter_map(|name| Colour::read(name)).collect();
        let counts = counts();
        let possible: Colours = Colour::ALL.into_iter().filter(|c| counts[c.index()] > 0).collect();
        if let Some(colour) = chosen.minus(possible).iter().next() {
            let seen: Vec<String> =
                SEEN.iter().filter(|(_, c)| *c == colour).map(|(card, _)| card.to_string()).collect();
            return wrong(match HINT.contains(&colour) {
                false => format!("Not {colour}: it is not on the hint."),
                true => format!("Not {colour}: you have seen all four {colour} cards, {}.", listed(&seen)),
            });
        }
        if let Some(colour) = possible.minus(chosen).iter().next() {
            let explanation = format!("It can also be {colour}. Here is one colouring that fits all you have seen:");
            return CheckedAnswer { lines: with(colour).map(|c| drawn(&c)).unwrap_or_default(), ..wrong(explanation) };
        }
        let share =
            |c: Colour| format!("{c}: {} of {} colourings", grouped(counts[c.index()]), grouped(evidence().count()));
        CheckedAnswer {
            lines: possible.iter().map(share).collect(),
            ..right(
                "The hint leaves three colours, and of these red is used up. The two that are left are not \
                     equally likely: fewer green cards are still to be found than blue ones.",
            )
        }
    },
};

/// The colours of the cards, row by row.
fn drawn(colouring: &Colouring) -> Vec<String> {
    let card = |i: usize| format!("{:>2} {:<6}", i + 1, colouring.colours()[i].name());
    (0..CARDS)
        .step_by(4)
        .map(|row| (row..row + 4).map(card).collect::<Vec<_>>().join("  ").trim_end().to_string())
        .collect()
}
