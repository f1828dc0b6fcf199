//! The layout, the hands, and what still fits.

use super::page::{CardChance, EleusisBoard, GuessInfo, Hypotheses, LibraryRule, LinePlace, OtherHand, RoundInfo};
use super::{actor, family, has_no_play, mind};
use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;
use crate::eleusis::knowledge::{Memory, Standing};
use crate::eleusis::moves::{Action, Cards, Ending, RoundEnd, Sight, What, Witness};
use crate::eleusis::secret::Secret;
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::view::{Page, page};
use crate::eleusis::{library, text};
use crate::game::Seat;
use crate::table::{FILLS, INSPECTS};
use std::sync::Arc;

/// How many of the rules that fit are shown.
const BEST: usize = 8;

/// A rule that tells apart more pasts is not measured on a page: it takes too long.
pub(super) const MEASURED: usize = 1 << 12;

/// A library rule that fits.
pub(super) struct Fit {
    /// Its place in the family.
    pub place: usize,
    /// The rule.
    pub rule: Arc<Secret>,
    /// What it accepts next.
    pub accepted: CardSet,
}

/// The library rules that fit the round on the table.
pub(super) fn fits<G: Eleusis>(mind: &Memory<G>) -> Vec<Fit> {
    let line = mind.desk().stage.layout().mainline();
    let fit = |place: usize| {
        let rule = mind.family()[place].clone();
        let accepted = rule.automaton().run(line).map_or(CardSet::EMPTY, |at| rule.accepted(at));
        Fit { place, rule, accepted }
    };
    mind.fitting().map(fit).collect()
}

/// The share of the deck that a rule accepts, where it is at hand or quickly found.
pub(super) fn share(deck: &Deck, rule: &Secret) -> Option<f64> {
    let written = || library::rules().iter().find(|entry| *entry.text == **rule.text()).map(|e| e.permissiveness);
    let known = if *deck == Deck::STANDARD { written() } else { None };
    let measured = || rule.automaton().measure(rule.rule().start).permissiveness;
    known.or_else(|| (rule.automaton().states() <= MEASURED).then(measured))
}

fn listed(deck: &Deck, rule: &Secret) -> LibraryRule {
    LibraryRule { rule: rule.text().to_string(), share: share(deck, rule) }
}

/// How hard a library rule is to see; others come last.
pub(super) fn difficulty(rule: &Secret) -> u8 {
    let entry = library::rules().iter().find(|entry| *entry.text == **rule.text());
    entry.map_or(u8::MAX, library::Entry::difficulty)
}

pub(super) fn board<G: Eleusis>(game: &G, memory: &[Sight], helper: u8, legal: &[Action]) -> EleusisBoard {
    let page = page(game, memory);
    let (table, stage) = (game.table(), &page.desk.stage);
    let (deck, layout) = (table.deck(), stage.layout());
    let name = |card: Card| deck.write(card);
    let names = |cards: &[Card]| cards.iter().map(|&c| name(c)).collect::<Vec<_>>();
    let phase = stage.phase();
    let dealt = !matches!(phase, Phase::Rule(_));
    let place =
        |(at, &card): (usize, &Card)| LinePlace { card: name(card), refused: layout.sideline(at).map(name).collect() };
    let others = Seat::all(game.seats()).filter(|&s| dealt && s != page.desk.seat && s != page.dealer);
    let other = |seat: Seat| match &page.desk.hands[seat.index()] {
        Cards::Seen(cards) => OtherHand { seat: seat.0, count: cards.len(), cards: Some(names(cards)) },
        Cards::Hidden(count) => OtherHand { seat: seat.0, count: *count, cards: None },
    };
    let chooses = legal.iter().any(|a| matches!(a, Action::Rule(_)));
    EleusisBoard {
        round: table.rounds().min(stage.round() + 1) as usize,
        rounds: table.rounds() as usize,
        dealer: page.dealer.0,
        rule: page.desk.rule.as_ref().map(ToString::to_string),
        points: stage.points().to_vec(),
        stock: stage.stock(),
        mainline: layout.mainline().iter().enumerate().map(place).collect(),
        hand: if dealt { names(page.desk.hand()) } else { Vec::new() },
        hands: others.map(other).collect(),
        phase: match phase {
            Phase::Rule(_) => "rule",
            Phase::Play(_) => "play",
            Phase::Discard(_) => "discard",
            Phase::Guess { .. } => "guess",
            Phase::Over => "over",
        }
        .to_string(),
        actor: actor(stage).map(|s| s.0),
        forced: matches!(phase, Phase::Guess { forced: true, .. }),
        no_play: has_no_play::<G>(),
        hypotheses: (helper >= FILLS).then(|| hypotheses(game, memory, helper)).flatten(),
        ended: ended(deck, memory, &page),
        library: if chooses { choices(game) } else { Vec::new() },
    }
}

fn hypotheses<G: Eleusis>(game: &G, memory: &[Sight], helper: u8) -> Option<Hypotheses> {
    let mind = mind(game, memory);
    let of = mind.family().len();
    let fit = match mind.standing() {
        Standing::Waiting | Standing::Told => return None,
        Standing::Fits(n) => n,
        Standing::NothingFits => 0,
    };
    let mut hypotheses = Hypotheses { fit, of, best: Vec::new(), cards: Vec::new() };
    if helper >= INSPECTS {
        let deck = game.table().deck();
        let mut fits = fits(&mind);
        let mut hand = mind.desk().hand().to_vec();
        hand.dedup();
        let accept = |card: Card| fits.iter().filter(|fit| fit.accepted.has(card)).count();
        hypotheses.cards =
            hand.into_iter().map(|card| CardChance { card: deck.write(card), accept: accept(card) }).collect();
        fits.sort_by_key(|fit| difficulty(&fit.rule));
        hypotheses.best = fits.iter().take(BEST).map(|fit| listed(deck, &fit.rule)).collect();
    }
    Some(hypotheses)
}

/// The rules that a dealer is offered: those of the menu, then the library.
fn choices<G: Eleusis>(game: &G) -> Vec<LibraryRule> {
    let table = game.table();
    let offered = table.menu().offered();
    let more = family(table.deck());
    let new = more.iter().filter(|rule| offered.iter().all(|o| o.text() != rule.text()));
    offered.iter().chain(new).map(|rule| listed(table.deck(), rule)).collect()
}

fn ended(deck: &Deck, memory: &[Sight], page: &Page) -> Vec<RoundInfo> {
    let ends = memory.iter().filter_map(|sight| Some((sight, sight.end.as_ref()?)));
    debug_assert_eq!(ends.clone().count(), page.ended.len());
    ends.enumerate().map(|(round, (sight, end))| round_info(deck, round + 1, sight, end)).collect()
}

fn round_info(deck: &Deck, round: usize, sight: &Sight, end: &RoundEnd) -> RoundInfo {
    let wrong = end.wrong.iter().map(|wrong| GuessInfo {
        seat: wrong.seat.0,
        rule: wrong.rule.to_string(),
        right: false,
        witness: Some(witness(deck, &wrong.witness)),
    });
    let right = match &sight.what {
        What::Guessed { seat, rule, right: true, .. } => {
            Some(GuessInfo { seat: seat.0, rule: rule.to_string(), right: true, witness: None })
        }
        What::Guessed { .. }
        | What::Begun { .. }
        | What::Dealt { .. }
        | What::Played { .. }
        | What::NoPlay { .. }
        | What::Discarded { .. }
        | What::Passed { .. } => None,
    };
    RoundInfo {
        round,
        dealer: end.dealer.0,
        rule: end.rule.to_string(),
        ending: match end.ending {
            Ending::Guessed(seat) => format!("seat {seat} has found the rule"),
            Ending::Exhausted => "the last card is drawn".to_string(),
            Ending::Out(seat) => format!("seat {seat} has no cards left"),
            Ending::Moves => "the last judgement is made".to_string(),
        },
        points: end.points.clone(),
        guesses: wrong.chain(right).collect(),
    }
}

/// What shows that a guess was wrong, in words.
fn witness(deck: &Deck, witness: &Witness) -> String {
    let (place, card, accepted) = match witness {
        Witness::Table { after, card, accepted } => (format!("card {} of the mainline", after + 1), card, *accepted),
        Witness::Ahead { line, card, accepted } if line.is_empty() => ("the line as it lay".into(), card, *accepted),
        Witness::Ahead { line, card, accepted } => {
            (format!("the line as it lay and {}", text::list(deck, line)), card, *accepted)
        }
    };
    let (rule, guess) = if accepted { ("accepts", "refuses") } else { ("refuses", "accepts") };
    format!("after {place} the rule {rule} {} and the guess {guess} it", deck.write(*card))
}
