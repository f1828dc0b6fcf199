//! A round in the middle as one seat has it before it: all that its knowledge rests on, without the past.
//!
//! A [`Round`] says what a [`Memory`] comes to, and a memory that begins with it gives the same answers. How a fact came to
//! be known, and since when, is not in it.

use super::common::{Common, Judgement, Said};
use super::{Family, Memory};
use crate::cards::Card;
use crate::eleusis::layout::{Judged, Layout};
use crate::eleusis::moves::Cards;
use crate::eleusis::players::survivors::Survivors;
use crate::eleusis::table::{Eleusis, Phase, Stage};
use crate::eleusis::view::Desk;
use crate::game::Seat;
use std::sync::Arc;

/// A guess that was wrong although it fitted all that lay on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongAt {
    /// How many cards lay in the mainline.
    pub line: usize,
    /// What was said.
    pub rule: Arc<str>,
}

/// What one seat has before it in a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round<G> {
    /// The game with its options.
    pub game: G,
    /// Whose eyes these are.
    pub seat: Seat,
    /// Who deals.
    pub dealer: Seat,
    /// What lies on the table.
    pub layout: Layout,
    /// The cards of each seat: its own from the lowest on, those of the others as far as hands are open.
    pub hands: Vec<Cards>,
    /// Whether `hands` says what the others hold; else nothing can be asked about it.
    pub counted: bool,
    /// For each seat the cards of its hand that everybody has seen there.
    pub shown: Vec<Vec<Card>>,
    /// Cards that were judged in hands that were shown, and do not lie on the table as they were judged.
    pub judged: Vec<Judged>,
    /// The wrong guesses that tell something.
    pub wrong: Vec<WrongAt>,
    /// The flipped cards that are left: the lowest of the stock, the last of them at the bottom.
    pub flipped: Vec<Card>,
    /// How many cards can be drawn.
    pub stock: usize,
    /// How often the dealer has judged.
    pub moves: u32,
    /// What is to be done next; [`Phase::Over`] if the round is over.
    pub phase: Phase,
    /// The rule, if the seat knows it: it deals, or the round is over.
    pub rule: Option<Arc<str>>,
}

impl<G: Eleusis> Round<G> {
    /// What the memory comes to; `None` before the first deal.
    pub fn of(mind: &Memory<G>) -> Option<Round<G>> {
        let (common, stage) = (&mind.common, &mind.desk.stage);
        let layout = stage.layout().clone();
        let mut judged = Vec::new();
        let mut wrong = Vec::new();
        for judgement in &common.judgements {
            match &judgement.said {
                &Said::Card { card, accepted } => {
                    let said = Judged { after: judgement.line, card, accepted };
                    if !judged.contains(&said) && layout.judged().all(|other| other != said) {
                        judged.push(said);
                    }
                }
                Said::Wrong { guess, there: Some(_) } => {
                    wrong.push(WrongAt { line: judgement.line, rule: guess.text().clone() });
                }
                Said::Wrong { there: None, .. } => {}
            }
        }
        // Cards that everybody has seen in a hand are a set of copies, in no order.
        let shown = common.shown.iter().map(|cards| sorted(cards)).collect();
        let left = common.flipped.len().saturating_sub(stage.stock());
        let over = common.told.is_some();
        let hands = match over {
            true => common.shown.iter().map(|cards| Cards::Seen(sorted(cards))).collect(),
            false => mind.desk.hands.clone(),
        };
        Some(Round {
            game: mind.game.clone(),
            seat: mind.seat(),
            dealer: common.dealer?,
            layout,
            hands,
            counted: !mind.blind,
            shown,
            judged,
            wrong,
            flipped: common.flipped[left..].to_vec(),
            stock: stage.stock(),
            moves: stage.moves(),
            phase: if over { Phase::Over } else { stage.phase() },
            rule: mind.known_rule().map(|rule| rule.text().clone()),
        })
    }

    /// Whether the round is over.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// How many copies of each card are where not everybody has seen them; `None` if there are more copies on the table and
    /// in hands than in the decks, or not enough for what hands and stock are said to hold.
    pub(super) fn pool(&self) -> Option<Vec<usize>> {
        let table = self.game.table();
        let mut pool = vec![usize::from(table.decks); table.deck.size()];
        let mut take = |card: Card| {
            let left = pool.get_mut(card.index())?;
            *left = left.checked_sub(1)?;
            Some(())
        };
        self.layout.mainline().iter().try_for_each(|&card| take(card))?;
        if !G::RETURNS {
            self.layout.judged().filter(|judged| !judged.accepted).try_for_each(|judged| take(judged.card))?;
        }
        self.shown.iter().flatten().chain(&self.flipped).try_for_each(|&card| take(card))?;
        let fits = |hand: &Cards, shown: &Vec<Card>| match hand {
            Cards::Hidden(_) => true,
            Cards::Seen(cards) => unseen(cards, shown).is_some_and(|cards| {
                cards.iter().all(|card| cards.iter().filter(|c| *c == card).count() <= pool[card.index()])
            }),
        };
        let hidden: usize = self.hidden()?.iter().sum();
        let (all, drawn) = (pool.iter().sum::<usize>(), self.stock.checked_sub(self.flipped.len())?);
        let whole = self.hands.iter().zip(&self.shown).all(|(hand, shown)| fits(hand, shown));
        (whole && hidden + drawn <= all).then_some(pool)
    }

    /// For each seat how many cards of its hand not everybody has seen.
    fn hidden(&self) -> Option<Vec<usize>> {
        self.hands.iter().zip(&self.shown).map(|(hand, shown)| hand.count().checked_sub(shown.len())).collect()
    }

    /// The number of a round in which the dealer deals.
    fn number(&self) -> u32 {
        (0..).find(|&round| self.game.table().dealer(round) == self.dealer).expect("every seat deals")
    }
}

/// The cards of the hand that not everybody has seen there; `None` if a card that was seen is not in it.
fn unseen(hand: &[Card], shown: &[Card]) -> Option<Vec<Card>> {
    let mut cards = hand.to_vec();
    for card in shown {
        let at = cards.iter().position(|c| c == card)?;
        cards.swap_remove(at);
    }
    Some(cards)
}

fn sorted(cards: &[Card]) -> Vec<Card> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

impl<G: Eleusis> Memory<G> {
    /// Somebody who has this before it and believes that the rule is one of the family, which is over the deck of the game.
    ///
    /// # Panics
    /// If the round cannot be: [`read`](super::read()) and [`Round::of`] make rounds that can.
    pub fn at(round: &Round<G>, family: Family) -> Memory<G> {
        let game = &round.game;
        let menu = game.table().menu();
        let secret = round.rule.as_ref().and_then(|text| menu.secret(text).ok());
        let mut survivors = Survivors::new(family.clone());
        let mainline = round.layout.mainline();
        let mut judgements = Vec::new();
        let mut lain = Layout::start(mainline[0]);
        survivors.deal(mainline[0]);
        let mut on_table = round.layout.judged().peekable();
        for line in 1..=mainline.len() {
            // Where nothing says in which order, what is left out of the layout comes first: guesses fitted what lay there.
            for &Judged { card, accepted, .. } in round.judged.iter().filter(|judged| judged.after == line) {
                survivors.judged(card, accepted);
                judgements.push(Judgement { event: 0, line, said: Said::Card { card, accepted } });
            }
            for wrong in round.wrong.iter().filter(|wrong| wrong.line == line) {
                let Ok(guess) = menu.secret(&wrong.rule) else { continue };
                survivors.wrong(&guess, &lain);
                let there = guess.follow(&lain).ok();
                judgements.push(Judgement { event: 0, line, said: Said::Wrong { guess, there } });
            }
            while let Some(judged) = on_table.next_if(|judged| judged.after == line) {
                let (card, accepted) = (judged.card, judged.accepted);
                survivors.judged(card, accepted);
                judgements.push(Judgement { event: 0, line, said: Said::Card { card, accepted } });
                if accepted { lain.accept(card) } else { lain.refuse(card) }
            }
        }
        let common = Common {
            dealer: Some(round.dealer),
            survivors,
            judgements,
            shown: round.shown.clone(),
            hidden: round.hidden().expect("hands hold what was seen in them"),
            pool: round.pool().expect("the cards add up"),
            flipped: round.flipped.clone(),
            told: secret.clone().filter(|_| round.is_over()),
        };
        let counts = round.hands.iter().map(Cards::count).collect();
        let number = round.number() + u32::from(round.is_over());
        let stage = Stage::of_round(game.table(), number, round.phase, round.layout.clone(), counts);
        let desk = Desk {
            seat: round.seat,
            rule: round.rule.clone().filter(|_| !round.is_over()),
            stage: stage.with_stock(round.stock, round.moves),
            hands: round.hands.clone(),
        };
        let rule = secret.filter(|_| round.seat == round.dealer);
        let (called, memory) = (super::LIBRARY.into(), Vec::new());
        let (blind, patience) = (!round.counted, super::PATIENCE);
        Memory { game: game.clone(), family, called, desk, rule, common, memory, blind, patience }
    }
}
