//! What both games share: the table with its options, the stage that everybody sees, and the hidden truth behind it.
//!
//! A match has as many rounds as every seat deals equally often; the last seat deals first, so that seat 0 begins. Points
//! are counted as at the table, where few are good; the score of a seat in the kernel, where more is better, is minus
//! its points.

use super::automaton;
use super::deck::Deck;
use super::layout::Layout;
use super::moves::{Action, Cards, Ending, Event, RoundEnd, Sight, What, WrongGuess};
use super::secret::{Menu, Secret};
use crate::cards::{Card, CardSet};
use crate::dice::{Dice, mix};
use crate::game::{Game, Illegal, Outcome, Seat, Turn};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The fewest and the most players, the dealer included.
pub const PLAYERS: std::ops::RangeInclusive<u8> = 3..=8;

/// The options that both games have.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The cards of one deck.
    pub(super) deck: Deck,
    /// How many decks are shuffled together.
    pub(super) decks: u8,
    pub(super) seats: u8,
    /// How often each seat deals.
    pub(super) rounds: u32,
    /// Whether all hands are seen.
    pub(super) open: bool,
    /// How many points a right guess takes off.
    pub(super) bonus: u8,
    pub(super) menu: Arc<Menu>,
}

impl Table {
    /// The deck.
    pub fn deck(&self) -> &Deck {
        &self.deck
    }

    /// How many cards there are.
    pub fn cards(&self) -> usize {
        self.deck.size() * self.decks as usize
    }

    /// How many rounds a match has.
    pub fn rounds(&self) -> u32 {
        self.rounds * u32::from(self.seats)
    }

    /// The rules that a dealer is offered.
    pub fn menu(&self) -> &Menu {
        &self.menu
    }

    /// Who deals a round, counted from 0: the last seat, then the first, the second and so on.
    pub fn dealer(&self, round: u32) -> Seat {
        Seat(((u32::from(self.seats) - 1 + round) % u32::from(self.seats)) as u8)
    }

    /// The seats that play while another deals, from the dealer's left.
    pub fn players(&self, dealer: Seat) -> impl Iterator<Item = Seat> {
        let seats = self.seats;
        (1..seats).map(move |i| Seat((dealer.0 + i) % seats))
    }

    /// The player after this one.
    pub fn after(&self, seat: Seat, dealer: Seat) -> Seat {
        let next = seat.next(self.seats);
        if next == dealer { next.next(self.seats) } else { next }
    }

    /// The points of a round: the cards that are left, less the bonus for naming the rule. The dealer has as many as the
    /// second best player, the only one if there is one.
    pub fn points(&self, hands: &[usize], dealer: Seat, guessed: Option<Seat>) -> Vec<i64> {
        let bonus = |seat| if Some(seat) == guessed { i64::from(self.bonus) } else { 0 };
        let mut points: Vec<i64> =
            Seat::all(hands.len() as u8).zip(hands).map(|(seat, &n)| n as i64 - bonus(seat)).collect();
        let mut sorted: Vec<i64> = self.players(dealer).map(|s| points[s.index()]).collect();
        sorted.sort_unstable();
        points[dealer.index()] = sorted.get(1).or(sorted.first()).copied().unwrap_or(0);
        points
    }

    pub(super) fn begin(&self, dice: &mut Dice) -> (State, Event) {
        let shuffles = dice.word();
        let state = State {
            shuffles,
            stage: Stage::new(self),
            hands: vec![Vec::new(); self.seats as usize],
            stock: Vec::new(),
            rule: None,
            wrong: Vec::new(),
        };
        (state, Event::new(What::Begun { seat: None, shuffles: Some(shuffles) }))
    }

    pub(super) fn turn(&self, stage: &Stage) -> Turn {
        match stage.phase {
            Phase::Rule(seat) | Phase::Play(seat) | Phase::Discard(seat) | Phase::Guess { seat, .. } => Turn::Of(seat),
            Phase::Over => {
                let best = stage.points.iter().min().copied().unwrap_or(0);
                let winners: Vec<String> =
                    Seat::all(self.seats).filter(|s| stage.points[s.index()] == best).map(|s| s.to_string()).collect();
                let words = match &winners[..] {
                    [one] => format!("seat {one} won with {}", points(best)),
                    several => format!("seats {} share the win with {}", several.join(" "), points(best)),
                };
                Turn::Over(Outcome { scores: stage.points.iter().map(|p| -p).collect(), words })
            }
        }
    }
}

/// A number of points in words.
pub fn points(n: i64) -> String {
    format!("{n} point{}", if n == 1 { "" } else { "s" })
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The dealer chooses a rule.
    Rule(Seat),
    /// The seat plays a card, or says that it has none.
    Play(Seat),
    /// The seat lays a card on the sideline.
    Discard(Seat),
    /// The seat may name the rule, or must.
    Guess {
        /// Who.
        seat: Seat,
        /// Whether it must.
        forced: bool,
    },
    /// The match is over.
    Over,
}

/// What everybody sees of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    phase: Phase,
    round: u32,
    layout: Layout,
    counts: Vec<usize>,
    stock: usize,
    moves: u32,
    points: Vec<i64>,
}

impl Stage {
    /// The stage before the first deal.
    pub fn new(table: &Table) -> Stage {
        Stage {
            phase: Phase::Rule(table.dealer(0)),
            round: 0,
            layout: Layout::default(),
            counts: vec![0; table.seats as usize],
            stock: 0,
            moves: 0,
            points: vec![0; table.seats as usize],
        }
    }

    /// The stage of a round that is under way, or over: what everybody sees of it. No points are counted.
    pub(super) fn of_round(table: &Table, round: u32, phase: Phase, layout: Layout, counts: Vec<usize>) -> Stage {
        Stage { phase, round, layout, counts, ..Stage::new(table) }
    }

    /// The same with so many cards to be drawn, after so many judgements.
    #[must_use]
    pub(super) fn with_stock(self, stock: usize, moves: u32) -> Stage {
        Stage { stock, moves, ..self }
    }

    /// What is to be done next.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The round, counted from 0.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// What lies on the table; between two rounds what lay there at the end of the first.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many cards each seat holds.
    pub fn counts(&self) -> &[usize] {
        &self.counts
    }

    /// How many cards can still be drawn.
    pub fn stock(&self) -> usize {
        self.stock
    }

    /// How often the dealer has judged in this round: cards, hands that were shown, guesses.
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// The points of the rounds that are over; few are good.
    pub fn points(&self) -> &[i64] {
        &self.points
    }
}

/// One of the two games.
pub trait Eleusis: Game<State = State, Action = Action, Event = Event, Sight = Sight> {
    /// Whether a refused card goes back to the hand.
    const RETURNS: bool;

    /// The options that both games have.
    fn table(&self) -> &Table;

    /// What is to be done after this, while the round goes on.
    fn next(&self, stage: &Stage, what: &What) -> Phase;
}

/// The stage after a sight, whoever saw it. The rules move on by this same function, so what is to be done next never
/// depends on anything hidden.
pub fn follow<G: Eleusis>(game: &G, stage: &mut Stage, sight: &Sight) {
    let table = game.table();
    let draw = |stage: &mut Stage, seat: Seat, drawn: &Cards| {
        stage.counts[seat.index()] += drawn.count();
        stage.stock -= drawn.count();
    };
    match &sight.what {
        What::Begun { .. } => *stage = Stage::new(table),
        What::Dealt { hands, starter, stock, .. } => {
            stage.counts.clear();
            stage.counts.extend(hands.iter().map(Cards::count));
            stage.stock = *stock;
            stage.layout = Layout::start(*starter);
            stage.moves = 0;
        }
        What::Played { seat, card, accepted, drawn } => {
            match accepted {
                true => stage.layout.accept(*card),
                false => stage.layout.refuse(*card),
            }
            if *accepted || !G::RETURNS {
                stage.counts[seat.index()] -= 1;
            }
            draw(stage, *seat, drawn);
            stage.moves += 1;
        }
        What::NoPlay { seat, laid, drawn, .. } => {
            if let Some(card) = laid {
                stage.layout.accept(*card);
                stage.counts[seat.index()] -= 1;
            }
            draw(stage, *seat, drawn);
            stage.moves += 1;
        }
        What::Discarded { seat, card } => {
            stage.layout.refuse(*card);
            stage.counts[seat.index()] -= 1;
        }
        What::Guessed { seat, drawn, .. } => {
            draw(stage, *seat, drawn);
            stage.moves += 1;
        }
        What::Passed { .. } => {}
    }
    stage.phase = match &sight.end {
        None => game.next(stage, &sight.what),
        Some(end) => {
            stage.points.iter_mut().zip(&end.points).for_each(|(total, points)| *total += points);
            stage.round += 1;
            match stage.round < table.rounds() {
                true => Phase::Rule(table.dealer(stage.round)),
                false => Phase::Over,
            }
        }
    };
}

/// The truth of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    shuffles: u64,
    pub(super) stage: Stage,
    /// Sorted.
    hands: Vec<Vec<Card>>,
    /// The top is the last.
    stock: Vec<Card>,
    rule: Option<(Arc<Secret>, automaton::State)>,
    wrong: Vec<WrongGuess>,
}

/// How a round begins.
#[derive(Clone, Debug)]
pub struct Deal {
    /// A hand for each seat; the dealer's is empty.
    pub hands: Vec<Vec<Card>>,
    /// Set aside unseen.
    pub removed: Vec<Card>,
    /// Flipped before the starter; they lie below the stock.
    pub flipped: Vec<Card>,
    /// The first card of the mainline.
    pub starter: Card,
    /// What can be drawn; the top is the last.
    pub stock: Vec<Card>,
}

/// The first round of a match with a given deal: for puzzles and tests. The last seat deals.
pub fn arranged<G: Eleusis>(game: &G, rule: &str, deal: Deal) -> Result<State, Illegal> {
    let rule = game.table().menu.secret(rule)?;
    let (mut state, _) = game.table().begin(&mut Dice::new(0));
    let what = state.deal(game.table().dealer(0), rule, deal);
    state.conclude(game, what, None);
    Ok(state)
}

/// A beginning of a match for every order in which the cards of the first round can lie: for exhaustive tests with a
/// handful of cards. The cards of later rounds lie as the seed of the beginning has them.
pub fn beginnings<G: Eleusis>(game: &G) -> Vec<(State, Event)> {
    let table = game.table();
    let factorial = |n: usize| (1..=n).product::<usize>();
    let orders = factorial(table.cards()) / factorial(table.decks.into()).pow(table.deck.size() as u32);
    let mut seen = FxHashSet::default();
    let begun = (0..).map(|seed| table.begin(&mut Dice::new(seed)));
    begun.filter(|(state, _)| seen.insert(state.shuffled(table))).take(orders).collect()
}

impl State {
    /// What everybody sees.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The hand of a seat, from the lowest card on.
    pub fn hand(&self, seat: Seat) -> &[Card] {
        &self.hands[seat.index()]
    }

    /// The secret rule, once it is chosen; between two rounds the last one.
    pub fn rule(&self) -> Option<&Secret> {
        self.rule.as_ref().map(|(rule, _)| &**rule)
    }

    /// The cards that the rule accepts now.
    pub fn accepted(&self) -> CardSet {
        self.rule.as_ref().map_or(CardSet::EMPTY, |(rule, at)| rule.accepted(*at))
    }

    /// All cards of the round in the order of the shuffle.
    pub(super) fn shuffled(&self, table: &Table) -> Vec<Card> {
        let mut cards: Vec<Card> = Vec::with_capacity(table.cards());
        (0..table.decks).for_each(|_| cards.extend(table.deck.all().iter()));
        Dice::new(mix(self.shuffles, u64::from(self.stage.round))).shuffle(&mut cards);
        cards
    }

    /// Takes the deal over.
    pub(super) fn deal(&mut self, dealer: Seat, rule: Arc<Secret>, mut deal: Deal) -> What {
        deal.hands.iter_mut().for_each(|hand| hand.sort_unstable());
        let at = rule.after(deal.starter);
        let text = rule.text().clone();
        self.rule = Some((rule, at));
        self.wrong.clear();
        self.stock = deal.stock;
        self.hands.clone_from(&deal.hands);
        What::Dealt {
            dealer,
            rule: Some(text),
            hands: deal.hands.into_iter().map(Cards::Seen).collect(),
            removed: Cards::Seen(deal.removed),
            flipped: deal.flipped,
            starter: deal.starter,
            stock: self.stock.len(),
        }
    }

    /// Whether the seat holds the card, or why it cannot be played.
    pub(super) fn holds(&self, table: &Table, seat: Seat, card: Card) -> Result<(), Illegal> {
        if card.index() >= table.deck.size() {
            return Err(Illegal::new("there is no such card in this deck"));
        }
        match self.hand(seat).binary_search(&card) {
            Ok(_) => Ok(()),
            Err(_) => Err(Illegal::new(format!("you do not hold {}", table.deck.write(card)))),
        }
    }

    /// Takes a card out of a hand that holds it.
    pub(super) fn remove(&mut self, seat: Seat, card: Card) {
        let at = self.hands[seat.index()].binary_search(&card).expect("a card of the hand");
        self.hands[seat.index()].remove(at);
    }

    /// Moves an accepted card from a hand to the mainline.
    pub(super) fn lay(&mut self, seat: Seat, card: Card) {
        self.remove(seat, card);
        let (rule, at) = self.rule.as_mut().expect("a rule while cards are played");
        *at = rule.step(*at, card);
    }

    /// The seat draws so many cards, or all that are left.
    pub(super) fn draw(&mut self, seat: Seat, count: u8) -> Cards {
        let from = self.stock.len().saturating_sub(count.into());
        let drawn: Vec<Card> = self.stock.drain(from..).rev().collect();
        let hand = &mut self.hands[seat.index()];
        for &card in &drawn {
            hand.insert(hand.partition_point(|&c| c < card), card);
        }
        Cards::Seen(drawn)
    }

    /// Whether the last card has been drawn.
    pub(super) fn exhausted(&self) -> bool {
        self.stock.is_empty()
    }

    /// Whether a guess is right; a wrong one is kept with its witness until the round is over.
    pub(super) fn judge(&mut self, table: &Table, seat: Seat, text: &Arc<str>) -> Result<bool, Illegal> {
        let guess = table.menu.secret(text)?;
        let (rule, at) = self.rule.as_ref().expect("a rule while guesses are made");
        let witness = rule.refute(*at, &guess, &self.stage.layout);
        let right = witness.is_none();
        self.wrong.extend(witness.map(|witness| WrongGuess { seat, rule: text.clone(), witness }));
        Ok(right)
    }

    /// Moves on: the event of what happened, with all that was secret if the round ends by it.
    pub(super) fn conclude<G: Eleusis>(&mut self, game: &G, what: What, ending: Option<Ending>) -> Event {
        let dealer = game.table().dealer(self.stage.round);
        let end = ending.map(|ending| {
            let guessed = match ending {
                Ending::Guessed(seat) => Some(seat),
                Ending::Exhausted | Ending::Out(_) | Ending::Moves => None,
            };
            let counts: Vec<usize> = self.hands.iter().map(Vec::len).collect();
            Arc::new(RoundEnd {
                ending,
                dealer,
                rule: self.rule.as_ref().expect("a rule in a round").0.text().clone(),
                hands: self.hands.clone(),
                points: game.table().points(&counts, dealer, guessed),
                wrong: std::mem::take(&mut self.wrong),
            })
        });
        let event = Event(Sight { what, end });
        follow(game, &mut self.stage, &event.0);
        event
    }

    /// The different cards of a hand, each with the action that plays it.
    pub(super) fn each(&self, seat: Seat, action: fn(Card) -> Action) -> impl Iterator<Item = Action> {
        let hand = self.hand(seat);
        hand.iter().enumerate().filter(|&(i, card)| i == 0 || hand[i - 1] != *card).map(move |(_, &card)| action(card))
    }

    /// The rules that the dealer is offered, as actions.
    pub(super) fn offered(table: &Table) -> Vec<Action> {
        table.menu.offered().iter().map(|rule| Action::Rule(rule.text().clone())).collect()
    }
}
