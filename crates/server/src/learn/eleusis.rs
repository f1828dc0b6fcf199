//! A rule that fits a layout; a line that tells two rules apart.

use super::{Made, right, text, unread, wrong};
use crate::api::{Block, CheckedAnswer, Exercise, Input, LaidCard, Meaning};
use ken_games::cards::Card;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::layout::{Layout, position};
use ken_games::eleusis::notation::{Reading, Unreadable, read_any};

const DECK: Deck = Deck::STANDARD;

const LAYOUT: &str =
    r#"{"mainline": ["3S", "9H", "4C", "4D", "KS", "2H"], "sidelines": {"0": ["8C"], "1": ["TD", "JH"], "4": ["5C"]}}"#;

fn layout() -> Layout {
    position(LAYOUT, &DECK).expect("the layout of a lesson").layout
}

fn laid(layout: &Layout) -> Block {
    let card = |(at, &card): (usize, &Card)| LaidCard {
        card: DECK.write(card),
        refused: layout.sideline(at).map(|c| DECK.write(c)).collect(),
    };
    Block::Layout { line: layout.mainline().iter().enumerate().map(card).collect() }
}

fn rows(rows: &[(&str, &str)]) -> Block {
    let row = |(text, means): &(&str, &str)| Meaning { text: text.to_string(), means: means.to_string() };
    Block::Formulas { rows: rows.iter().map(row).collect() }
}

fn rule(typed: &str) -> Result<Reading, Box<CheckedAnswer>> {
    read_any(typed, &DECK).map_err(|refused| {
        Box::new(match refused {
            Unreadable::Text(problems) => unread("a rule", typed, &problems),
            Unreadable::Unbounded(_) => wrong("This rule has to remember more than a rule may. Look back less far."),
        })
    })
}

pub(super) const FITTING: Made = Made {
    id: "fitting",
    title: "A rule that fits",
    about: "What lies on the table leaves many rules open, and refuted ones for good.",
    topic: "Eleusis",
    blocks: || {
        vec![
            text(
                "In Eleusis one player, the dealer, has a secret rule that says which card may follow which. The others \
                  play cards. What fits goes on in the line; what does not hangs below the card that it should have \
                  followed.",
            ),
            laid(&layout()),
            text(
                "A rule fits if it judges every card as the dealer did: it accepts each card of the line after those \
                  before it, and refuses each card that hangs below. The cards below are often the better teachers. A \
                  rule that fits need not be the dealer's; but one that does not fit is out for good.",
            ),
            rows(&[
                ("higher than previous", "about the next card and the one before it"),
                ("red if previous is even, otherwise black", "a choice"),
                ("same suit or same rank", "two ways to fit"),
            ]),
        ]
    },
    exercise: || Exercise {
        ask: "Type a rule that fits this layout. Any rule that fits counts.".to_string(),
        input: Input::Text { what: "rule".to_string(), example: "same suit or same rank".to_string() },
    },
    check: |answer| {
        let [typed] = answer else { return wrong("One rule is asked for.") };
        let Reading { automaton, .. } = match rule(typed) {
            Ok(reading) => reading,
            Err(refused) => return *refused,
        };
        let layout = layout();
        for judged in layout.judged() {
            let before = &layout.mainline()[..judged.after];
            let accepts = automaton.run(before).is_some_and(|state| automaton.accepted(state).has(judged.card));
            if accepts == judged.accepted {
                continue;
            }
            let (card, last) = (DECK.write(judged.card), DECK.write(before[before.len() - 1]));
            return wrong(match judged.accepted {
                true => {
                    format!("Your rule refuses {card} after {last}, but it lies in the line: the dealer accepted it.")
                }
                false => {
                    format!("Your rule accepts {card} after {last}, but it hangs below {last}: the dealer refused it.")
                }
            });
        }
        let judged = layout.judged().count();
        right(format!(
            "It fits: your rule judges all {judged} cards as the dealer did. Whether it is the dealer's rule only more \
             cards can tell; the next lesson is about choosing them."
        ))
    },
};

// ---- A line that tells two rules apart

const FIRST: &str = "alternate red and black or even and odd take turns";
const SECOND: &str = "alternate red and black";

pub(super) const APART: Made = Made {
    id: "apart",
    title: "Telling two rules apart",
    about: "Two rules that agree on all you have seen, and the card on which they part.",
    topic: "Eleusis",
    blocks: || {
        let short = position(r#"{"mainline": ["3S", "6H", "9C"], "sidelines": {"1": ["8D"]}}"#, &DECK);
        vec![
            text(
                "Suppose you are down to two rules. Both fit everything on the table, and you may play one more card. \
                  Most cards teach nothing: both rules would accept them, or both refuse them.",
            ),
            laid(&short.expect("the layout of a lesson").layout),
            rows(&[
                (FIRST, "rule one: the colour changes, or even and odd change"),
                (SECOND, "rule two: the colour changes"),
            ]),
            text(
                "A good card is one that the rules judge differently: whatever the dealer says, one of them is gone. \
                  Sometimes there is none yet, and one must first play a card that both accept to get to a place where \
                  they part. The engine finds the shortest such line; here you do.",
            ),
        ]
    },
    exercise: || Exercise {
        ask:
            "Type a line of cards that one of the rules accepts as a whole and the other does not. The first card of a \
              line is always accepted. Cards are typed like `7D`, `TC` or `AS`."
                .to_string(),
        input: Input::Text { what: "cards".to_string(), example: "3S 6H".to_string() },
    },
    check: |answer| {
        let [typed] = answer else { return wrong("One line is asked for, with blanks between its cards.") };
        let cards = match DECK.read_line(typed) {
            Ok(cards) => cards,
            Err(problems) => return unread("a line of cards", typed, &problems),
        };
        if cards.len() < 2 {
            return wrong("A line needs at least two cards: the first one is always accepted.");
        }
        let (Ok(first), Ok(second)) = (rule(FIRST), rule(SECOND)) else {
            return wrong("The lesson has lost its rules.");
        };
        let name = |at: usize| DECK.write(cards[at]);
        match (first.automaton.refuses(&cards), second.automaton.refuses(&cards)) {
            (None, Some(at)) => right(format!(
                "Rule one accepts all of it, rule two refuses {} after {}. One card, and one rule less.",
                name(at),
                name(at - 1)
            )),
            (Some(at), None) => right(format!("Rule two accepts all of it, rule one refuses {}.", name(at))),
            (None, None) => wrong(
                "Both rules accept the whole line, so it does not tell them apart. Where would the colour stay the same?",
            ),
            (Some(a), Some(b)) if a == b => {
                wrong(format!("Both rules refuse {} after {}, so it does not tell them apart.", name(a), name(a - 1)))
            }
            (Some(a), Some(b)) => {
                let at = a.min(b);
                right(format!(
                    "And earlier than you need: already {} after {} is refused by one rule only.",
                    name(at),
                    name(at - 1)
                ))
            }
        }
    },
};
