//! Cluedo for the page: the note sheet, the deals that fit, proofs.
//!
//! | file | one line |
//! |---|---|
//! | `standing` | what a seat has seen, and the deals that fit |
//! | `sheet` | the note sheet at each helper level |
//! | `know` | who knows what, since when, why |
//! | `advice` | hints in steps |
//! | `preview` | what a move would do |

mod advice;
mod know;
pub mod page;
mod preview;
mod sheet;
mod standing;

use crate::bridge::{Model, source};
use crate::cards::CardSet;
use crate::cluedo::know::Knower;
use crate::cluedo::players::{self, PLAYERS};
use crate::cluedo::read::{self, position_data};
use crate::cluedo::rules::{self, Phase};
use crate::cluedo::{Action, Cluedo, Endmove, Event, Sight};
use crate::game::{Illegal, Notation, Player, View};
use crate::knowledge::{Budget, Inspector, Placed, Refused, Sights};
use crate::table::page::{Advice, Board, ChoiceInfo, GameInfo, Notes, OptionInfo, PlayerInfo, Preview, Problem};
use crate::table::{Doubts, Face};
use ken_logic::syntax::Diagnostic;
pub use know::Sleuth;
use serde_json::Value;

/// The players from easy to strong: the rounds they need in `experiments/cluedo-thesis`, and the errors of the printed
/// program before the corrected one.
const BY_STRENGTH: [&str; 10] = [
    "random",
    "random-unheld",
    "random-fresh",
    "elimination",
    "modal-printed",
    "modal",
    "modal-improved",
    "exact",
    "inquirer",
    "diplomat",
];

impl Face for Cluedo {
    fn info() -> GameInfo {
        let mut players: Vec<_> = PLAYERS.iter().collect();
        players.sort_by_key(|p| BY_STRENGTH.iter().position(|name| *name == p.name).unwrap_or(BY_STRENGTH.len()));
        let endmove = |endmove: Endmove| ChoiceInfo {
            value: endmove.name().into(),
            label: match endmove {
                Endmove::Silent => "nothing: players may wait, bluff or guess".to_string(),
                Endmove::Ignorance => {
                    "that the player does not know the envelope; whoever knows must accuse".to_string()
                }
            },
        };
        GameInfo {
            name: Cluedo::NAME.to_string(),
            title: "Cluedo".to_string(),
            about: "Find out which three cards lie in the envelope by asking what the others hold.".to_string(),
            seats: rules::PLAYERS.collect(),
            usual: 3,
            options: vec![OptionInfo {
                name: "endmove".to_string(),
                label: "Ending a turn tells".to_string(),
                about: "What everybody may conclude when a player ends a turn without accusing.".to_string(),
                choices: Endmove::ALL.map(endmove).into(),
                usual: Endmove::Silent.name().into(),
            }],
            players: players
                .iter()
                .map(|p| PlayerInfo { name: p.name.to_string(), about: p.about.to_string() })
                .collect(),
            rival: "inquirer".to_string(),
            roles: vec!["player".to_string()],
        }
    }

    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Cluedo>>, Illegal> {
        players::seat(name, self, seed)
    }

    fn onlooker(&self, event: &Event) -> Option<String> {
        let sight = match *event {
            Event::Dealt { ref hands, .. } => {
                let sizes: Vec<String> = hands.iter().map(|h| h.len().to_string()).collect();
                return Some(format!("the cards are dealt; the hands have {} cards", sizes.join(" ")));
            }
            Event::Asked { asker, cards, answer } => Sight::Asked { asker, cards, answer },
            Event::Shown { by, to, .. } => Sight::Shown { by, to, card: None },
            Event::Accused { seat, cards, envelope } => {
                Sight::Accused { seat, cards, correct: cards == envelope, envelope: None }
            }
            Event::Ended { seat } => Sight::Ended { seat },
        };
        Some(self.tell_sight(&sight))
    }

    fn request(&self, memory: &[Sight]) -> String {
        let page = self.view(memory);
        match page.phase {
            Phase::Suggest(seat) if seat == page.seat => "Suggest one card of each category.".to_string(),
            Phase::Show { by, to, cards } if by == page.seat => {
                let can: CardSet = page.hand.iter().copied().collect::<CardSet>().and(cards);
                format!("Show seat {to} {}.", ken_logic::text::listed(standing::names(self.deck(), can), "or"))
            }
            Phase::Decide(seat) if seat == page.seat => "Accuse, or end your turn.".to_string(),
            Phase::Suggest(_) | Phase::Show { .. } | Phase::Decide(_) | Phase::Over(_) => String::new(),
        }
    }

    fn numbers(&self, memory: &[Sight]) -> Vec<Option<usize>> {
        let mut numbers = vec![None; memory.len()];
        for (number, index) in standing::counted(self, memory).into_iter().enumerate() {
            numbers[index] = Some(number + 1);
        }
        numbers
    }

    fn board(&self, memory: &[Sight], helper: u8, _legal: &[Action]) -> Board {
        Board::Cluedo(sheet::board(self, memory, helper))
    }

    fn doubts(&self, memory: &[Sight], notes: &Notes) -> Doubts {
        sheet::doubts(self, memory, notes)
    }

    fn knowledge<'m>(&'m self, memory: &'m [Sight]) -> Option<Box<dyn Inspector + 'm>> {
        Some(Box::new(Sights(self, memory)))
    }

    fn position(&self, memory: &[Sight]) -> Result<Value, Illegal> {
        Ok(position_data(&standing::position(self, memory)))
    }

    fn model(&self, memory: &[Sight]) -> Result<String, Refused> {
        let position = standing::position(self, memory);
        if let Err(Refused::NoWorld) = Knower::new(&position).possible(&Budget::default()) {
            return Err(Refused::NoWorld);
        }
        // A deck whose cards have names of the language has no model.
        Model::of(&position).map_err(Refused::Unfit)?;
        Ok(source(&position))
    }

    fn placed(text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>> {
        Ok(Box::new(Placed(Sleuth::new(read::position(text)?))))
    }

    fn unit() -> &'static str {
        "log₂ of the deals that fit"
    }

    fn advice(&self, memory: &[Sight], step: u8) -> Result<Advice, Problem> {
        advice::advice(self, memory, step)
    }

    fn preview(&self, memory: &[Sight], action: &Action, helper: u8) -> Preview {
        preview::preview(self, memory, action, helper)
    }
}
