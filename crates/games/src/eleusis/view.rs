//! The page of a seat in both games: the table, its hand, what it has learned about rounds that are over.

use super::moves::{Cards, RoundEnd, Sight, What};
use super::table::{Eleusis, Stage, follow};
use super::text;
use crate::cards::Card;
use crate::game::Seat;
use std::sync::Arc;

/// What a seat has before it: the fold of its sights, without the past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    /// Whose.
    pub seat: Seat,
    /// The rule, if the seat deals and has chosen it.
    pub rule: Option<Arc<str>>,
    /// What everybody sees.
    pub stage: Stage,
    /// The cards of each seat: its own from the lowest on, those of the others as far as hands are open.
    pub hands: Vec<Cards>,
}

impl Desk {
    /// Before the first deal.
    pub fn new<G: Eleusis>(game: &G, seat: Seat) -> Desk {
        let stage = Stage::new(game.table());
        let hands = vec![Cards::Seen(Vec::new()); game.seats() as usize];
        Desk { seat, rule: None, stage, hands }
    }

    /// The cards of the seat.
    pub fn hand(&self) -> &[Card] {
        match &self.hands[self.seat.index()] {
            Cards::Seen(cards) => cards,
            Cards::Hidden(_) => &[],
        }
    }

    /// Takes in a sight.
    pub fn watch<G: Eleusis>(&mut self, game: &G, sight: &Sight) {
        follow(game, &mut self.stage, sight);
        match &sight.what {
            What::Begun { .. } | What::Passed { .. } => {}
            What::Dealt { rule, hands, .. } => {
                self.rule.clone_from(rule);
                self.hands.clone_from(hands);
            }
            What::Played { seat, card, accepted, drawn } => {
                let gone = (*accepted || !G::RETURNS).then_some(*card);
                self.change(*seat, gone, drawn);
            }
            What::NoPlay { seat, laid, drawn, .. } => self.change(*seat, *laid, drawn),
            What::Discarded { seat, card } => self.change(*seat, Some(*card), &Cards::Hidden(0)),
            What::Guessed { seat, drawn, .. } => self.change(*seat, None, drawn),
        }
        if sight.end.is_some() {
            self.rule = None;
        }
    }

    /// Moves cards from and to a hand.
    fn change(&mut self, seat: Seat, gone: Option<Card>, drawn: &Cards) {
        match &mut self.hands[seat.index()] {
            Cards::Seen(hand) => {
                if let Some(at) = gone.and_then(|card| hand.iter().position(|&c| c == card)) {
                    hand.remove(at);
                }
                if let Cards::Seen(drawn) = drawn {
                    hand.extend(drawn);
                    hand.sort_unstable();
                }
            }
            Cards::Hidden(count) => *count = *count + drawn.count() - usize::from(gone.is_some()),
        }
    }
}

/// What the page of a seat shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// What lies before the seat.
    pub desk: Desk,
    /// Who deals this round, or will deal it.
    pub dealer: Seat,
    /// The rounds that are over.
    pub ended: Vec<Arc<RoundEnd>>,
    /// What was seen, a line each.
    pub log: Vec<String>,
}

/// The page of the seat whose memory this is.
///
/// # Panics
/// If the memory is not one of a match: it begins with the beginning.
pub fn page<G: Eleusis>(game: &G, memory: &[Sight]) -> Page {
    let Some(Sight { what: What::Begun { seat: Some(seat), .. }, .. }) = memory.first() else {
        panic!("a memory begins with the beginning")
    };
    let table = game.table();
    let mut desk = Desk::new(game, *seat);
    memory.iter().for_each(|sight| desk.watch(game, sight));
    Page {
        dealer: table.dealer(desk.stage.round().min(table.rounds() - 1)),
        desk,
        ended: memory.iter().filter_map(|sight| sight.end.clone()).collect(),
        log: memory.iter().map(|sight| text::tell(table, sight)).collect(),
    }
}
