//! The note sheet at each helper level, and marks that do not follow.

use super::page::{Category, Cell, CluedoBoard, OneOf};
use super::standing::{Standing, names};
use crate::cards::{Card, CardSet};
use crate::cluedo::rules::Phase;
use crate::cluedo::view::{Mark, Page};
use crate::cluedo::{Cluedo, Sight};
use crate::game::{Seat, View};
use crate::knowledge::Refused;
use crate::table::page::Notes;
use crate::table::{Doubts, FILLS, INSPECTS};
use ken_logic::text::grouped;

/// The board at a helper level.
pub(super) fn board(game: &Cluedo, memory: &[Sight], helper: u8) -> CluedoBoard {
    let page = game.view(memory);
    let deck = game.deck();
    let (phase, actor, asked_by, asked) = match page.phase {
        Phase::Suggest(seat) => ("suggest", Some(seat), None, CardSet::EMPTY),
        Phase::Show { by, to, cards } => ("show", Some(by), Some(to), cards),
        Phase::Decide(seat) => ("decide", Some(seat), None, last_question(memory)),
        Phase::Over(_) => ("over", None, None, CardSet::EMPTY),
    };
    let can_show = match page.phase {
        Phase::Show { by, cards, .. } if by == page.seat => cards.and(page.hand.iter().copied().collect()),
        Phase::Show { .. } | Phase::Suggest(_) | Phase::Decide(_) | Phase::Over(_) => CardSet::EMPTY,
    };
    let category =
        |k: usize| Category { name: deck.category_name(k).to_string(), cards: names(game.deck(), deck.category(k)) };
    let mut board = CluedoBoard {
        categories: (0..deck.categories()).map(category).collect(),
        hand: page.hand.iter().map(|&c| deck.name(c).to_string()).collect(),
        sizes: page.sizes.clone(),
        cells: deck.cards().iter().map(|c| paper(&page, c)).collect(),
        one_of: Vec::new(),
        not_envelope: page.not_envelope.iter().map(|&t| names(game.deck(), t)).collect(),
        phase: phase.to_string(),
        actor: actor.map(|s| s.0),
        asked_by: asked_by.map(|s| s.0),
        asked: names(game.deck(), asked),
        can_show: names(game.deck(), can_show),
        out: page.out.iter().map(|s| s.0).collect(),
        deals: None,
        envelopes: None,
    };
    if helper >= FILLS {
        fill(game, memory, &page, helper, &mut board);
    }
    board
}

/// The cards of the latest question.
fn last_question(memory: &[Sight]) -> CardSet {
    let asked = memory.iter().rev().find_map(|sight| match sight {
        Sight::Asked { cards, .. } => Some(*cards),
        Sight::Dealt { .. } | Sight::Shown { .. } | Sight::Accused { .. } | Sight::Ended { .. } => None,
    });
    asked.unwrap_or(CardSet::EMPTY)
}

/// The row of a card on paper: only whether it is in the own hand.
fn paper(page: &Page, card: Card) -> Vec<Cell> {
    let mark = |place: usize| match (place == page.seat.index(), page.hand.contains(&card)) {
        (true, true) => "has",
        (true, false) => "has-not",
        (false, _) => "open",
    };
    (0..=page.sizes.len()).map(|p| Cell { mark: mark(p).to_string(), derived: false, chance: None }).collect()
}

/// Fills in what was seen and what follows.
fn fill(game: &Cluedo, memory: &[Sight], page: &Page, helper: u8, board: &mut CluedoBoard) {
    let standing = Standing::of(game, memory);
    let mark = |card: Card, place: usize| match standing.settled(card, place) {
        Some(true) => Mark::Has,
        Some(false) => Mark::HasNot,
        None => page.marks[card.index()][place],
    };
    let one_of = page.one_of.iter().filter(|(by, cards)| cards.iter().all(|c| mark(c, by.index()) != Mark::Has));
    let still = |&(by, cards): &(Seat, CardSet)| {
        let open: CardSet = cards.iter().filter(|&c| mark(c, by.index()) == Mark::Open).collect();
        (by, open)
    };
    let mut one_of: Vec<(Seat, CardSet)> = one_of.map(still).collect();
    one_of.sort_unstable();
    one_of.dedup();
    let word = |card: Card, place: usize| match mark(card, place) {
        Mark::Has => "has",
        Mark::HasNot => "has-not",
        Mark::Open if one_of.iter().any(|&(by, cards)| by.index() == place && cards.has(card)) => "one-of",
        Mark::Open => "open",
    };
    let inspects = helper >= INSPECTS;
    let cell = |card: Card, place: usize| Cell {
        mark: word(card, place).to_string(),
        derived: page.marks[card.index()][place] != mark(card, place),
        chance: if inspects { standing.chance(card, place) } else { None },
    };
    let row = |card: Card| (0..=page.sizes.len()).map(|p| cell(card, p)).collect();
    board.cells = game.deck().cards().iter().map(row).collect();
    board.one_of = one_of.iter().map(|&(by, cards)| OneOf { seat: by.0, cards: names(game.deck(), cards) }).collect();
    let (envelopes, deals) = match &standing.left_out {
        None => (Some(standing.solved.envelopes.len()), Some(standing.solved.deals)),
        Some(Refused::NoWorld) => (Some(0), Some(0)),
        Some(Refused::Limit | Refused::Unfit(_)) => (None, None),
    };
    board.envelopes = envelopes;
    board.deals = deals.filter(|_| inspects).map(grouped);
}

/// The marks that do not follow from what was seen, and those that what was seen excludes. A doubt, or a mark that cannot
/// be read, says nothing.
pub(super) fn doubts(game: &Cluedo, memory: &[Sight], notes: &Notes) -> Doubts {
    let standing = Standing::of(game, memory);
    let mut doubts = Doubts::default();
    for (key, mark) in &notes.marks {
        let said = match mark.as_str() {
            "✓" => true,
            "✗" => false,
            _ => continue,
        };
        let Some((card, place)) = place(game, key) else { continue };
        match standing.settled(card, place) {
            Some(known) if known == said => {}
            Some(_) => doubts.refuted.push(key.clone()),
            // Where something had to be left out, what seems not to follow may follow from that.
            None if standing.left_out.is_some() => {}
            None => doubts.unfounded.push(key.clone()),
        }
    }
    doubts
}

/// The card and the place that the key of a note means.
fn place(game: &Cluedo, key: &str) -> Option<(Card, usize)> {
    let (card, place) = key.split_once('/')?;
    let seats = usize::from(crate::game::Game::seats(game));
    let place = match place {
        "envelope" => seats,
        seat => seat.parse().ok().filter(|&s: &usize| s < seats)?,
    };
    Some((game.deck().find(card)?, place))
}
