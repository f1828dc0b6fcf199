//! Which colours a card can have.

use super::read::{Check, Facts, Words};
use super::{listed, named, right, ungrouped, wrong};
use crate::api::{Block, CheckedAnswer, Group, TableCard};
use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::yokai::colour::CARDS;
use ken_games::yokai::count::Evidence;
use ken_games::yokai::{Colour, Colouring, Colours};
use ken_logic::text::grouped;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A colour by its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct Named(Colour);

impl TryFrom<String> for Named {
    type Error = String;

    fn try_from(name: String) -> Result<Named, String> {
        Colour::read(&name).map(Named).ok_or_else(|| format!("there is no colour `{name}`"))
    }
}

/// The colours are to be chosen that a card can have, by the hint that lies on it and the cards that were seen. Cards are
/// counted from 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Possible {
    asked: u8,
    hint: Vec<Named>,
    seen: BTreeMap<Named, Vec<u8>>,
}

/// What can be drawn.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Picture {
    Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PossibleSays {
    right: Words,
    share: Words,
    not_hinted: Words,
    used_up: Words,
    missed: Words,
}

impl Possible {
    fn hint(&self) -> Colours {
        self.hint.iter().map(|named| named.0).collect()
    }

    /// The cards of a colour that were seen.
    fn seen(&self, colour: Colour) -> &[u8] {
        self.seen.get(&Named(colour)).map_or(&[], Vec::as_slice)
    }

    fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::none();
        for (&Named(colour), cards) in &self.seen {
            for card in cards {
                evidence.is(Card(card - 1), colour);
            }
        }
        evidence.among(Card(self.asked - 1), self.hint());
        evidence
    }

    /// A colouring that fits, in which the card has this colour, row by row.
    fn with(&self, colour: Colour) -> Vec<String> {
        let mut evidence = self.evidence();
        evidence.is(Card(self.asked - 1), colour);
        evidence.worlds().sample(&mut Dice::new(7)).map(|colouring| drawn(&colouring)).unwrap_or_default()
    }
}

impl Check for Possible {
    type Picture = Picture;
    type Says = PossibleSays;

    fn sound(&self) -> Result<(), String> {
        let mut cards = self.seen.values().flatten().chain([&self.asked]);
        if let Some(card) = cards.find(|&&card| card == 0 || usize::from(card) > CARDS) {
            return Err(format!("there is no card {card}: cards are counted from 1 to {CARDS}"));
        }
        match self.evidence().count() {
            0 => Err("no colouring fits what was seen".to_string()),
            _ => Ok(()),
        }
    }

    fn facts(&self) -> Facts {
        vec![
            ("asked", self.asked.to_string()),
            ("all", grouped(Evidence::none().count())),
            ("fitting", grouped(self.evidence().count())),
        ]
    }

    fn picture(&self, picture: Picture) -> Block {
        let seen = |number: u8| Colour::ALL.into_iter().find(|&colour| self.seen(colour).contains(&number));
        let card = |number: u8| TableCard {
            number,
            colour: seen(number).map(|colour| colour.name().to_string()),
            hint: match number == self.asked {
                true => self.hint.iter().map(|named| named.0.name().to_string()).collect(),
                false => Vec::new(),
            },
        };
        match picture {
            Picture::Table => Block::Table { width: 4, cards: (1..=CARDS as u8).map(card).collect() },
        }
    }

    fn choices(&self) -> Vec<Group> {
        ungrouped(Colour::ALL.iter().map(|colour| named(colour.name())).collect())
    }

    fn judge(&self, says: &PossibleSays, given: &[String]) -> CheckedAnswer {
        let chosen: Colours = given.iter().filter_map(|name| Colour::read(name)).collect();
        let counts = self.evidence().worlds().marginals()[usize::from(self.asked - 1)];
        let possible: Colours = Colour::ALL.into_iter().filter(|c| counts[c.index()] > 0).collect();
        let named = |colour: Colour| ("colour", colour.to_string());
        if let Some(colour) = chosen.minus(possible).iter().next() {
            let cards: Vec<String> = self.seen(colour).iter().map(u8::to_string).collect();
            return wrong(match self.hint().has(colour) {
                false => says.not_hinted.with(&[named(colour)]),
                true => says.used_up.with(&[named(colour), ("cards", listed(&cards))]),
            });
        }
        if let Some(colour) = possible.minus(chosen).iter().next() {
            return CheckedAnswer { lines: self.with(colour), ..wrong(says.missed.with(&[named(colour)])) };
        }
        let fitting = ("fitting", grouped(self.evidence().count()));
        let share = |c: Colour| says.share.with(&[named(c), ("count", grouped(counts[c.index()])), fitting.clone()]);
        CheckedAnswer { lines: possible.iter().map(share).collect(), ..right(says.right.plain()) }
    }
}

/// The colours of the cards, row by row.
fn drawn(colouring: &Colouring) -> Vec<String> {
    let card = |i: usize| format!("{:>2} {:<6}", i + 1, colouring.colours()[i].name());
    (0..CARDS)
        .step_by(4)
        .map(|row| (row..row + 4).map(card).collect::<Vec<_>>().join("  ").trim_end().to_string())
        .collect()
}
