//! *diplomat*: an inquirer that also counts what the others learn.
//!
//! It asks what tells it much and the others little (often with its own cards in the question), shows the card that tells
//! the asker least, and accuses on a chance when somebody else is about to win anyway.

use super::inquirer::{best, worths};
use super::notes::{Notes, entropy};
use crate::cards::CardSet;
use crate::cluedo::count::Deals;
use crate::cluedo::position::{Constraints, Deal, Observed, Position};
use crate::cluedo::rivals::nearness;
use crate::cluedo::rules::{Action, Cluedo, Endmove, Sight, asked};
use crate::cluedo::worth::{Care, gives};
use crate::dice::Dice;
use crate::game::{Player, Seat};

/// How many of its best questions are weighed by what they give away.
const WEIGHED: usize = 24;

/// What a bit given away, on average over the other seats, costs in bits of its own.
const COST: f64 = 0.5;

/// Views of each other seat that are looked at for what a question gives away, each of them counted exactly.
const OTHERS: Care = Care { all_views: 4, views: 2, ..Care::ALONE };

/// Views of the asker that are looked at before a card is shown.
const SHOWN: usize = 2;

/// Views of each other seat that are looked at before a risky accusation.
const THREATS: Care = Care { all_views: 24, views: 12, ..Care::ALONE };

/// The least chance at which a guess is thought of.
const GUESS: f64 = 0.3;

/// Exact knowledge, the most useful question, and discretion.
pub struct Diplomat {
    notes: Notes,
    dice: Dice,
    out: Vec<Seat>,
}

impl Diplomat {
    /// A player with its own seed.
    pub fn new(game: &Cluedo, seed: u64) -> Diplomat {
        Diplomat { notes: Notes::new(game), dice: Dice::new(seed), out: Vec::new() }
    }

    fn ask(&mut self, options: &[Action]) -> Option<Action> {
        let open = self.notes.open_bits();
        let position = self.notes.position();
        let mut first = worths(position, open, options, &mut self.dice)?;
        first.sort_by(|a, b| b.0.total_cmp(&a.0));
        first.truncate(WEIGHED);
        let cards: Vec<CardSet> = first.iter().map(|&(_, cards)| cards).collect();
        let gives = gives(position, &cards, OTHERS, &mut self.dice);
        for ((worth, _), gives) in first.iter_mut().zip(&gives) {
            let given: f64 = gives.iter().flatten().map(|estimate| estimate.value).sum();
            *worth -= COST * given / f64::from(position.seats() - 1);
        }
        Some(Action::Suggest(best(&first)))
    }

    /// The card that leaves the asker with the most possible envelopes, as far as a few of its possible views tell.
    fn show(&mut self, options: &[Action]) -> Action {
        let usual = self.notes.shown_before(options);
        let asker = self.notes.asker();
        let seen = self.notes.position().events().iter().any(|event| {
            matches!(*event, Observed::Ask { asker: a, shown: Some(card), .. }
                if a == asker && usual == Action::Show(card) && self.notes.position().hand().has(card))
        });
        if seen || options.len() == 1 {
            return usual;
        }
        let fitting = self.notes.deals();
        let deals: Vec<Deal> = (0..SHOWN).filter_map(|_| fitting.sample(&mut self.dice)).collect();
        let mut best = (f64::MIN, usual);
        for &option in options {
            let Action::Show(card) = option else { continue };
            let mut events = self.notes.position().events().to_vec();
            if let Some(Observed::Ask { shown, .. }) = events.last_mut() {
                *shown = Some(card);
            }
            let position = self.notes.position().with_events(events);
            let left: f64 = deals.iter().map(|deal| envelope_bits(&view(&position, asker, deal))).sum();
            if left > best.0 + 1e-9 {
                best = (left, option);
            }
        }
        best.1
    }

    /// Accuses when it knows; or when its best guess is likelier than that nobody wins before its next turn.
    fn decide(&mut self) -> Action {
        if let Some(envelope) = self.notes.solution() {
            return Action::Accuse(envelope);
        }
        if self.notes.game().endmove() == Endmove::Ignorance {
            return Action::End;
        }
        let envelopes = self.notes.deals().envelopes();
        let Some(&(guess, deals)) = envelopes.iter().max_by_key(|&&(e, n)| (n, e)) else { return Action::End };
        let chance = deals as f64 / envelopes.iter().map(|&(_, n)| n as f64).sum::<f64>();
        if chance < GUESS {
            return Action::End;
        }
        let position = self.notes.position();
        let mut nobody = 1.0;
        for seat in asked(position.observer(), position.seats()).filter(|s| !self.out.contains(s)) {
            let ready = nearness(position, seat, THREATS, &mut self.dice);
            nobody *= 1.0 - ready.map_or(0.0, |ready| ready.value);
        }
        if chance > nobody { Action::Accuse(guess) } else { Action::End }
    }
}

impl Player<Cluedo> for Diplomat {
    fn watch(&mut self, sight: &Sight) {
        if let Sight::Accused { seat, correct: false, .. } = sight {
            self.out.push(*seat);
        }
        self.notes.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        match options[0] {
            Action::Show(_) => self.show(options),
            Action::End | Action::Accuse(_) => self.decide(),
            Action::Suggest(_) => self.ask(options).unwrap_or_else(|| *self.dice.pick(options)),
        }
    }
}

/// What `seat` has seen if the deal is true; of several cards that may have been shown, the lowest.
fn view(position: &Position, seat: Seat, deal: &Deal) -> Position {
    position.seen_by(seat, deal, &mut |cards| cards.lowest().expect("a card was shown"))
}

/// The uncertainty about the envelope, in bits.
fn envelope_bits(position: &Position) -> f64 {
    entropy(&Deals::of(position.deck(), &Constraints::of(position)).envelopes())
}
