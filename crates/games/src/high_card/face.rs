//! How the game describes itself, who plays it, and what is shown of it. A description and players are all that a face
//! needs; everything else has a default.

use super::{HighCard, Sight, notation, players};
use crate::bridge;
use crate::game::{Illegal, Notation, Player};
use crate::knowledge::{Inspector, Refused, Sights};
use crate::table::Face;
use crate::table::page::{ChoiceInfo, GameInfo, OptionInfo, PlayerInfo, Thing};
use serde_json::{Value, json};

impl Face for HighCard {
    fn info() -> GameInfo {
        let number = |n: u8| ChoiceInfo { value: json!(n), label: n.to_string() };
        let usual = HighCard::default();
        GameInfo {
            name: HighCard::NAME.to_string(),
            title: "High card".to_string(),
            about: "The smallest game: ask how high the other's card is, then bet whether yours is higher.".to_string(),
            rules: [
                "Each has a card of its own, 1 or more, and nobody has the same.",
                "In your turn ask whether the other card is above a number. Both hear the answer.",
                "Or bet that your card is the higher or the lower one: that ends the match. Whoever is right wins.",
                "When all questions are asked, whoever is to move must bet.",
            ]
            .map(str::to_string)
            .into(),
            seats: vec![2],
            usual: 2,
            options: vec![
                OptionInfo {
                    name: "cards".to_string(),
                    label: "Cards".to_string(),
                    about: "The cards are 1 to this number.".to_string(),
                    choices: [5, 9, 13].map(number).into(),
                    usual: json!(usual.cards),
                },
                OptionInfo {
                    name: "questions".to_string(),
                    label: "Questions".to_string(),
                    about: "How many questions may be asked in all.".to_string(),
                    choices: [2, 4, 6].map(number).into(),
                    usual: json!(usual.questions),
                },
            ],
            players: players::PLAYERS
                .map(|(name, about)| PlayerInfo { name: name.to_string(), about: about.to_string(), says: Vec::new() })
                .into(),
            rival: "halver".to_string(),
            roles: vec!["player".to_string()],
        }
    }

    fn own_things(&self, memory: &[Sight]) -> Vec<Thing> {
        let card = |sight: &Sight| match sight {
            Sight::Mine(_, card) => Some(Thing { name: "card".to_string(), value: card.to_string() }),
            Sight::Heard(_) => None,
        };
        memory.iter().filter_map(card).collect()
    }

    fn knowledge<'m>(&'m self, memory: &'m [Sight]) -> Option<Box<dyn Inspector + 'm>> {
        Some(Box::new(Sights(self, memory)))
    }

    fn sight_of(&self, memory: &[Sight], data: &Value) -> Result<Sight, Illegal> {
        let sight = notation::sight(self, data)?;
        self.can_follow(memory, &sight).map(|()| sight)
    }

    fn model(&self, memory: &[Sight]) -> Result<String, Refused> {
        Ok(bridge::high_card::source(self, memory))
    }

    fn unit() -> &'static str {
        "log₂ of the pairs of cards that fit"
    }

    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<HighCard>>, Illegal> {
        players::seat(name, self, seed)
    }
}
