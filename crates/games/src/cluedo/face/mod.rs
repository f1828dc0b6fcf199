//! Cluedo for the page: the note sheet, the deals that fit, proofs.
//!
//! | file | one line |
//! |---|---|
//! | `standing` | what a seat has seen, and the deals that fit |
//! | `sheet` | the note sheet at each helper level |
//! | `know` | who knows what, since when, why |
//! | `rivals` | how near each rival is to the envelope |
//! | `advice` | hints in steps |
//! | `preview` | what a move would do |
//! | `terminal` | what can be typed, and the sheet as text |

mod advice;
mod know;
pub mod page;
mod preview;
mod rivals;
mod sheet;
mod standing;
mod terminal;

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
use crate::table::{Doubts, Face, told_advice};
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
            rules: [
                "One suspect, one weapon and one room lie in the envelope. The other cards are dealt.",
                "In your turn ask for one card of each kind. The others answer in order: the first who holds one of them shows you one, and only you see which.",
                "Everybody sees who answered and who could not. That is how you find out.",
                "Then end your turn, or accuse: name the three cards. Right wins. You can accuse once.",
            ]
            .map(str::to_string)
            .into(),
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
                .map(|p| PlayerInfo { name: p.name.to_string(), about: p.about.to_string(), says: Vec::new() })
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

    fn is_position(data: &Value) -> bool {
        data.get("hand_sizes").is_some()
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

    fn usage(&self) -> String {
        terminal::USAGE.to_string()
    }

    fn prompt(&self, memory: &[Sight]) -> String {
        terminal::prompt(self, memory)
    }

    fn expand(&self, typed: &str, legal: &[Action]) -> String {
        terminal::expand(typed, legal)
    }

    fn hand(&self, memory: &[Sight], _helper: u8) -> String {
        format!("you hold {}", self.deck().names(self.view(memory).hand.iter().copied().collect()))
    }

    fn sheet(&self, memory: &[Sight], helper: u8) -> String {
        terminal::sheet(self, memory, helper)
    }

    fn confirm(&self, memory: &[Sight], action: &Action, helper: u8) -> Option<String> {
        terminal::confirm(self, memory, action, helper)
    }

    /// Of questions the best few with what they are worth.
    fn advise(&self, memory: &[Sight]) -> Result<String, Problem> {
        match self.view(memory).phase {
            Phase::Suggest(_) => terminal::questions(self, memory),
            Phase::Show { .. } | Phase::Decide(_) | Phase::Over(_) => told_advice(self, memory),
        }
    }
}
