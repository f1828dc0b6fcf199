//! The page of a seat in both games: the table, its hand, what it has learned about rounds that are over.

use super::moves::{Cards, RoundEnd, Sight, What};
use super::table::{Eleusis, Stage, follow};
use super::text;
use crate::cards::Card;
use crate::game::Seat;
use std::sync::Arc;

/// What the page of a seat shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Whose page.
    pub seat: Seat,
    /// Who deals this round, or will deal it.
    pub dealer: Seat,
    /// The rule, if the seat deals and has chosen it.
    pub rule: Option<Arc<str>>,
    /// What everybody sees.
    pub stage: Stage,
    /// The cards of each seat: its own from the lowest on, those of the others as far as hands are open.
    pub hands: Vec<Cards>,
    /// The rounds that are over.
    pub ended: Vec<Arc<RoundEnd>>,
    /// What was seen, a line each.
    pub log: Vec<String>,
}

impl Page {
    /// The cards of the seat.
    pub fn hand(&self) -> &[Card] {
        match &self.hands[self.seat.index()] {
            Cards::Seen(cards) => cards,
            Cards::Hidden(_) => &[],
        }
    }
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
    let mut page = Page {
        seat: *seat,
        dealer: table.dealer(0),
        rule: None,
        stage: Stage::new(table),
        hands: vec![Cards::Seen(Vec::new()); table.seats as usize],
        ended: Vec::new(),
        log: memory.iter().map(|sight| text::tell(table.deck(), sight)).collect(),
    };
    for sight in memory {
        follow(game, &mut page.stage, sight);
        page.take::<G>(&sight.what);
        if let Some(end) = &sight.end {
            page.rule = None;
            page.ended.push(end.clone());
        }
    }
    page.dealer = table.dealer(page.stage.round().min(table.rounds() - 1));
    page
}

impl Page {
    /// Moves cards from and to the hands.
    fn take<G: Eleusis>(&mut self, what: &What) {
        match what {
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
    }

    fn change(&mut self, seat: Seat, gone: Option<Card>, drawn: &Cards) {
        match (&mut self.hands[seat.index()], drawn) {
            (Cards::Seen(hand), drawn) => {
                if let Some(at) = gone.and_then(|card| hand.iter().position(|&c| c == card)) {
                    hand.remove(at);
                }
                if let Cards::Seen(drawn) = drawn {
                    hand.extend(drawn);
                    hand.sort_unstable();
                }
            }
            (Cards::Hidden(count), drawn) => *count = *count + drawn.count() - usize::from(gone.is_some()),
        }
    }
}
