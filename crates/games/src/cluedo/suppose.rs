//! Moves that are asked about: what can come of them, as everybody would see it.

use super::position::{Observed, Position};
use super::rules::{Action, Cluedo, asked};
use crate::cards::{Card, CardSet};
use crate::game::{Illegal, Notation, Seat};
use crate::knowledge::{Supposed, seat};

/// A move that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Supposition {
    /// A question, and all that belongs to it: who passes, who answers, the card that is shown.
    Ask {
        asker: Seat,
        cards: CardSet,
        /// The seats that may answer, in the order in which they are asked.
        answers: Vec<Seat>,
        /// Whether it may be that nobody answers.
        nobody: bool,
        /// The card that is shown, if that is said.
        shown: Option<Card>,
    },
    /// An accusation that may be right, or wrong.
    Accuse { seat: Seat, cards: CardSet, right: bool, wrong: bool },
    /// The seat ends its turn: it does not know the envelope.
    End { seat: Seat },
}

impl Supposition {
    /// Reads `suggest plum rope hall`, `2: suggest plum rope hall, 3 passes, 4 answers`, `accuse plum rope hall, wrong`,
    /// `end`. Without a seat the move is the observer's.
    pub(super) fn read(position: &Position, text: &str) -> Result<Supposition, Illegal> {
        let seats = position.seats();
        let Supposed { seat: by, rest } = Supposed::read(text, seats)?;
        let by = by.unwrap_or(position.observer());
        if position.is_pending() {
            return Err(Illegal::new("a card is still to be shown: nothing else can be done now"));
        }
        if let Some(Observed::Accuse { correct: true, .. }) = position.events().last() {
            return Err(Illegal::new("a right accusation ended the match: nothing can follow it"));
        }
        let wrong = |event: &Observed| matches!(event, Observed::Accuse { seat, correct: false, .. } if *seat == by);
        if position.events().iter().any(wrong) {
            return Err(Illegal::new(format!("seat {by} has accused wrongly: it only answers from then on")));
        }
        let game = Cluedo::new(position.deck().clone(), seats)?;
        // Cards may be set apart by commas, too: as much as can be read is the move.
        let parts: Vec<&str> = rest.split(',').map(str::trim).collect();
        let whole = (1..=parts.len()).rev().find_map(|n| Some((game.read(&parts[..n].join(" ")).ok()?, &parts[n..])));
        let Some((action, said)) = whole else {
            return Err(game.read(parts[0]).err().unwrap_or(Illegal::new("no move")));
        };
        match action {
            Action::Suggest(cards) => question(position, by, cards, said),
            Action::Accuse(cards) => {
                let (mut right, mut wrong) = (true, true);
                for &word in said {
                    match word {
                        "right" => wrong = false,
                        "wrong" => right = false,
                        _ => return Err(unknown(word, "`right` or `wrong`")),
                    }
                }
                Ok(Supposition::Accuse { seat: by, cards, right, wrong })
            }
            Action::End if said.is_empty() => Ok(Supposition::End { seat: by }),
            Action::End => Err(unknown(said[0], "nothing")),
            Action::Show(_) => Err(Illegal::new("a card is shown as a part of a question")
                .help("as in `suggest plum rope hall, 2 shows plum`")),
        }
    }
}

fn unknown(word: &str, wanted: &str) -> Illegal {
    Illegal::new(format!("`{word}` cannot come of this")).help(format!("what can be said is {wanted}"))
}

fn question(position: &Position, asker: Seat, cards: CardSet, said: &[&str]) -> Result<Supposition, Illegal> {
    let (mut answers, mut nobody, mut shown): (Vec<Seat>, bool, Option<Card>) =
        (asked(asker, position.seats()).collect(), true, None);
    for &phrase in said {
        let words: Vec<&str> = phrase.split_whitespace().collect();
        let other = |who: &str| {
            let other = seat(who, position.seats())?;
            if other == asker {
                Err(Illegal::new(format!("seat {asker} does not answer its own question")))
            } else {
                Ok(other)
            }
        };
        match words[..] {
            ["nobody", "answers"] => answers.clear(),
            [who, "passes"] => {
                let other = other(who)?;
                let order: Vec<Seat> = asked(asker, position.seats()).collect();
                let at = order.iter().position(|&s| s == other).unwrap_or(0);
                answers.retain(|s| order[at + 1..].contains(s));
            }
            [who, "answers"] => {
                let other = other(who)?;
                answers.retain(|&s| s == other);
                nobody = false;
            }
            [who, "shows", card] => {
                let (other, card) = (other(who)?, position.deck().card(card)?);
                if !cards.has(card) {
                    return Err(Illegal::new(format!("`{}` is not asked for", position.deck().name(card))));
                }
                answers.retain(|&s| s == other);
                nobody = false;
                shown = Some(card);
            }
            _ => return Err(unknown(phrase, "`1 passes`, `2 answers`, `2 shows plum` or `nobody answers`")),
        }
    }
    if answers.is_empty() && !nobody {
        return Err(Illegal::new("what is said of the answer cannot be true together"));
    }
    Ok(Supposition::Ask { asker, cards, answers, nobody, shown })
}
