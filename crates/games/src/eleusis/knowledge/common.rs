//! What everybody at the table has seen: common knowledge, whoever looks.

use crate::cards::Card;
use crate::eleusis::automaton::{self, separate};
use crate::eleusis::moves::{Cards, Sight, What};
use crate::eleusis::players::survivors::Survivors;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::{Eleusis, Stage};
use crate::game::Seat;
use std::sync::Arc;

/// Something that the dealer said about the rule in front of everybody.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// At which event, the place of its sight in the memory.
    pub event: usize,
    /// How many cards lay in the mainline.
    pub line: usize,
    /// What was said.
    pub said: Said,
}

/// What a judgement says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A card, played or shown in a hand, is accepted or not.
    Card {
        /// The card.
        card: Card,
        /// Whether it is accepted.
        accepted: bool,
    },
    /// A guess is wrong.
    Wrong {
        /// The guess.
        guess: Arc<Secret>,
        /// What the guess remembers of the line; nothing if it misjudges a card on the table, which is why it is wrong.
        there: Option<automaton::State>,
    },
}

impl Judgement {
    /// Whether the rule cannot be the dealer's, by this judgement alone and the line as it lay: it judges the card
    /// otherwise, by [direct evaluation](crate::eleusis::rule::Rule::accepts), or goes on from the line exactly as the
    /// wrong guess does.
    pub fn refutes(&self, rule: &Secret, mainline: &[Card]) -> bool {
        let line = &mainline[..self.line];
        match &self.said {
            Said::Card { card, accepted } => rule.rule().accepts(line, *card) != *accepted,
            Said::Wrong { guess, there } => match (rule.automaton().run(line), there) {
                (Some(here), Some(there)) => separate((rule.automaton(), here), (guess.automaton(), *there)).is_none(),
                _ => false,
            },
        }
    }
}

/// What everybody has seen of the round on the table.
#[derive(Clone, Debug)]
pub(super) struct Common {
    /// Who deals; nobody before the first deal.
    pub dealer: Option<Seat>,
    /// The rules of the family that fit.
    pub survivors: Survivors,
    pub judgements: Vec<Judgement>,
    /// For each seat the cards of its hand that everybody has seen there.
    pub shown: Vec<Vec<Card>>,
    /// For each seat how many other cards it holds.
    pub hidden: Vec<usize>,
    /// For each card how many copies are where not everybody has seen them: in hands, in the stock, set aside.
    pub pool: Vec<usize>,
    /// Flipped cards; they are the lowest of the stock, the last of them at the bottom.
    pub flipped: Vec<Card>,
    /// The rule, once the round is over.
    pub told: Option<Arc<Secret>>,
}

impl Common {
    pub(super) fn new(family: Arc<[Arc<Secret>]>) -> Common {
        Common {
            dealer: None,
            survivors: Survivors::new(family),
            judgements: Vec::new(),
            shown: Vec::new(),
            hidden: Vec::new(),
            pool: Vec::new(),
            flipped: Vec::new(),
            told: None,
        }
    }

    /// Takes in a sight of any seat; `stage` is the one before it, `event` its place in the memory. Of the sight only
    /// that is used which all seats have.
    pub(super) fn learn<G: Eleusis>(&mut self, game: &G, stage: &Stage, event: usize, sight: &Sight) {
        let table = game.table();
        let line = stage.layout().mainline().len();
        let menu = table.menu();
        self.survivors.learn(&sight.what, stage.layout(), |text| menu.secret(text).ok());
        match &sight.what {
            What::Begun { .. } | What::Passed { .. } => {}
            What::Dealt { dealer, hands, flipped, starter, .. } => {
                self.dealer = Some(*dealer);
                self.told = None;
                self.judgements.clear();
                self.flipped.clone_from(flipped);
                self.pool = vec![table.decks.into(); table.deck.size()];
                flipped.iter().chain([starter]).for_each(|&card| self.pool[card.index()] -= 1);
                self.shown = vec![Vec::new(); hands.len()];
                self.hidden = hands.iter().map(Cards::count).collect();
                for (seat, hand) in Seat::all(table.seats).zip(hands) {
                    if let (true, Cards::Seen(cards)) = (table.open, hand) {
                        cards.iter().for_each(|&card| self.show(seat, card));
                    }
                }
            }
            What::Played { seat, card, accepted, drawn } => {
                self.judged(event, line, *card, *accepted);
                if !self.shown[seat.index()].contains(card) {
                    self.show(*seat, *card);
                }
                if *accepted || !G::RETURNS {
                    self.lay(*seat, *card);
                }
                self.draw(*seat, drawn, stage, table.open);
            }
            What::NoPlay { seat, hand, laid, drawn } => {
                for (card, accepted) in sight.what.judged() {
                    self.judged(event, line, card, accepted);
                }
                self.show_all(*seat, hand);
                laid.iter().for_each(|&card| self.lay(*seat, card));
                self.draw(*seat, drawn, stage, table.open);
            }
            What::Discarded { seat, card } => self.lay(*seat, *card),
            What::Guessed { seat, rule, right, drawn } => {
                if let (false, Ok(guess)) = (*right, menu.secret(rule)) {
                    let there = guess.follow(stage.layout()).ok();
                    self.judgements.push(Judgement { event, line, said: Said::Wrong { guess, there } });
                }
                self.draw(*seat, drawn, stage, table.open);
            }
        }
        if let Some(end) = &sight.end {
            self.told = menu.secret(&end.rule).ok();
            for (seat, hand) in Seat::all(table.seats).zip(&end.hands) {
                self.show_all(seat, hand);
            }
        }
    }

    /// A card may be judged several times at one event, in a hand that holds it twice: once is enough.
    fn judged(&mut self, event: usize, line: usize, card: Card, accepted: bool) {
        let judgement = Judgement { event, line, said: Said::Card { card, accepted } };
        if self.judgements.last() != Some(&judgement) {
            self.judgements.push(judgement);
        }
    }

    /// A card of the hand that was hidden is seen.
    fn show(&mut self, seat: Seat, card: Card) {
        self.pool[card.index()] -= 1;
        self.hidden[seat.index()] -= 1;
        self.shown[seat.index()].push(card);
    }

    /// The whole hand is seen.
    fn show_all(&mut self, seat: Seat, hand: &[Card]) {
        self.unseen(seat, hand).into_iter().for_each(|card| self.show(seat, card));
    }

    /// The cards of the seat's hand that not everybody has seen there.
    pub(super) fn unseen(&self, seat: Seat, hand: &[Card]) -> Vec<Card> {
        let mut cards = hand.to_vec();
        for card in &self.shown[seat.index()] {
            let at = cards.iter().position(|c| c == card).expect("a card that was seen is still there");
            cards.swap_remove(at);
        }
        cards
    }

    /// A hand that the seat may have: the cards that everybody has seen there, and some others.
    pub(super) fn some_hand(&self, seat: Seat) -> Vec<Card> {
        let index = seat.index();
        let unseen = self.pool.iter().enumerate().flat_map(|(card, &n)| (0..n).map(move |_| Card(card as u8)));
        self.shown[index].iter().copied().chain(unseen.take(self.hidden[index])).collect()
    }

    /// A card that was shown leaves the hand for the table.
    fn lay(&mut self, seat: Seat, card: Card) {
        let shown = &mut self.shown[seat.index()];
        let at = shown.iter().position(|&c| c == card).expect("a card that was shown");
        shown.swap_remove(at);
    }

    /// The seat draws from the top of the stock. Everybody sees that the flipped cards come last.
    fn draw(&mut self, seat: Seat, drawn: &Cards, stage: &Stage, open: bool) {
        for i in 0..drawn.count() {
            let from = stage.stock() - 1 - i;
            match self.flipped.len().checked_sub(from + 1) {
                Some(at) => self.shown[seat.index()].push(self.flipped[at]),
                None => {
                    self.hidden[seat.index()] += 1;
                    if let (true, Cards::Seen(cards)) = (open, drawn) {
                        self.show(seat, cards[i]);
                    }
                }
            }
        }
    }
}
