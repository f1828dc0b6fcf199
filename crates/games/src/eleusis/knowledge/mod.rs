//! Who knows what of the secret rule, since when, why, and why not.
//!
//! A [`Memory`] is a fold of what one seat saw. It answers [`Fact`]s about the round on the table (after a round, about the
//! one that has ended, of which everybody has been told everything).
//!
//! # Possible worlds
//! A world is a rule and a hand for every seat. As everywhere, a seat cannot tell two histories apart exactly when its
//! sights are equal, and it knows what is true in all histories that it cannot tell from the real one. Here this comes to:
//!
//! * The **rules** are those of a *family*, by default the [library](super::dealer::library), that judge every card as it
//!   was judged (those of shown hands too) and are none of the wrong guesses. A candidate is a way to judge; with which
//!   cards a dealer begins a line is no part of it, so flipped cards tell nothing.
//! * The **hands** are those that have the right sizes and can be dealt from the cards that are not seen elsewhere. Cards
//!   that were shown stay where they are until they are played; flipped cards are drawn last, in a known order.
//! * Every rule goes with all those hands: judged cards are always seen by everybody, so hands tell nothing about the
//!   rule. Which of its cards a player chooses tells nothing either.
//! * The dealer knows the rule; a player knows its hand; with open hands everybody sees all of them.
//!
//! So players never differ in what they know of the rule, and know that of each other to any depth; they do differ in what
//! they know of hands, and nested questions about those are answered by visiting the worlds. There may be too many: then
//! the answer is [`Verdict::Open`], never a wrong certainty.
//!
//! **Relative to the family**: what a player is said to know is what it would know if the rule were one of the family.
//! When nothing of it fits any more, nothing is claimed ([`Standing::NothingFits`]). The dealer's own rule need not be of
//! the family; players reason as if it were.
//!
//! # Proofs
//! What is known is proved in the format of all games ([`crate::knowledge::proof`]): `rules` says what the premises are and
//! where the rules lead, for the checker; `prove` looks for a proof; `words` says it. Proofs never change a verdict.

mod atoms;
mod common;
mod deals;
#[cfg(test)]
mod laws;
mod mind;
mod prove;
mod read;
mod round;
mod rules;
mod suppose;
#[cfg(test)]
mod tests;
mod words;
mod worlds;

pub use atoms::{Atom, Fact};
pub use common::{Judgement, Said};
pub use prove::Unproved;
pub use read::{Position, read};
pub use round::{Round, WrongAt};
pub use rules::{OtherHand, Premise, Proof, Rule};
pub use worlds::World;

use super::dealer;
use super::deck::Deck;
use super::express::Express;
use super::guess::Evidence;
use super::layout::Layout;
use super::moves::{Cards, Sight, What};
use super::secret::Secret;
use super::table::{Eleusis, Phase, Stage};
use super::view::Desk;
use crate::cards::{Card, CardSet};
use crate::game::{Illegal, Knowledge, Notation, Seat, Verdict};
use crate::knowledge::{Answer, Refused};
use common::Common;
use deals::{PATIENCE, TooMany};
use serde_json::json;
use std::rc::Rc;
use std::sync::Arc;
use worlds::{Asker, Candidate, Survey, Worlds};

/// Rules that the secret one may be.
type Family = Arc<[Arc<Secret>]>;

/// What a seat of a match knows.
#[derive(Clone)]
pub struct Memory<G: Eleusis> {
    game: G,
    family: Arc<[Arc<Secret>]>,
    /// What the family is called.
    called: Arc<str>,
    desk: Desk,
    /// The rule, if the seat deals.
    rule: Option<Arc<Secret>>,
    common: Common,
    memory: Vec<Sight>,
    /// Whether it is not said what the others hold: nothing can be asked about their hands then.
    blind: bool,
    /// How many deals are visited for a question, under each rule.
    patience: u64,
}

/// What a seat has to go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is no rule yet.
    Waiting,
    /// It knows the rule itself: it deals, or the round is over.
    Told,
    /// So many rules of the family fit.
    Fits(usize),
    /// No rule of the family fits: the rule is another one.
    NothingFits,
}

/// The cards whose judgement is sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sure {
    /// Those that are surely accepted next.
    pub accepted: CardSet,
    /// Those that are surely refused next.
    pub refused: CardSet,
}

/// The seats of a table of which only a layout is known: who plays, another player, and the dealer.
const AT_LAYOUT: u8 = 3;

/// The name of the family that is taken where none is named.
const LIBRARY: &str = "the library";

/// The most decks that a table has.
const DECKS: usize = 4;

impl Memory<Express> {
    /// A player, seat 0, who saw this layout come about and has this hand; seat 1 plays too, and seat 2 deals. Of hands
    /// nothing is known but one's own.
    ///
    /// # Errors
    /// A card is there more often than in all decks.
    pub fn of_layout(layout: &Layout, hand: &[Card], family: Arc<[Arc<Secret>]>) -> Result<Memory<Express>, Illegal> {
        let played: Vec<Card> = layout.judged().map(|judged| judged.card).collect();
        let all: Vec<Card> = played.iter().chain(hand).chain(layout.mainline().first()).copied().collect();
        let copies = |card: &Card| all.iter().filter(|other| *other == card).count();
        let decks = all.iter().map(copies).max().unwrap_or(1);
        if decks > DECKS {
            return Err(Illegal::new(format!("a card is there {decks} times, and there are {DECKS} decks at most")));
        }
        let game = Express::with_options(&json!({"players": AT_LAYOUT, "decks": decks}))?;
        let mut hands = vec![Cards::Hidden(0); usize::from(AT_LAYOUT)];
        let mut own: Vec<Card> = played.iter().chain(hand).copied().collect();
        own.sort_unstable();
        hands[0] = Cards::Seen(own);
        let Some(&starter) = layout.mainline().first() else { return Err(Illegal::new("a layout has a starter")) };
        let dealer = game.table().dealer(0);
        let (removed, flipped) = (Cards::Hidden(0), Vec::new());
        let begun = What::Begun { seat: Some(Seat(0)), shuffles: None };
        let dealt = What::Dealt { dealer, rule: None, hands, removed, flipped, starter, stock: 0 };
        let plays = layout.judged().map(|judged| {
            let (card, accepted, drawn) = (judged.card, judged.accepted, Cards::Hidden(0));
            What::Played { seat: Seat(0), card, accepted, drawn }
        });
        let mut mind = Memory::within(&game, family);
        for what in [begun, dealt].into_iter().chain(plays) {
            mind.learn(&Sight { what, end: None });
        }
        // A layout does not say what is to be done: seat 0 may play, and whatever is not seen can be drawn.
        let stage = &mind.desk.stage;
        let (counts, moves, all) = (stage.counts().to_vec(), stage.moves(), game.table().cards());
        let stage = Stage::of_round(game.table(), 0, Phase::Play(Seat(0)), layout.clone(), counts);
        mind.desk.stage = stage.with_stock(all.saturating_sub(layout.size() + hand.len()), moves);
        mind.blind = true;
        Ok(mind)
    }
}

impl<G: Eleusis> Memory<G> {
    /// Somebody who has seen nothing yet and believes that the rule is one of the library.
    pub fn new(game: &G) -> Memory<G> {
        Memory::within(game, dealer::library(game.table().deck()))
    }

    /// Somebody who has seen nothing yet and believes that the rule is one of these, which are over the deck of the game.
    pub fn within(game: &G, family: Arc<[Arc<Secret>]>) -> Memory<G> {
        Memory {
            game: game.clone(),
            desk: Desk::new(game, Seat(0)),
            rule: None,
            common: Common::new(family.clone()),
            memory: Vec::new(),
            blind: false,
            patience: PATIENCE,
            called: LIBRARY.into(),
            family,
        }
    }

    /// The same with another name for its family.
    #[must_use]
    pub fn calling(self, family: &str) -> Memory<G> {
        Memory { called: family.into(), ..self }
    }

    /// What the family is called, as in *one of the rules of the library*.
    pub fn called(&self) -> &str {
        &self.called
    }

    /// Whose knowledge it is.
    pub fn seat(&self) -> Seat {
        self.desk.seat
    }

    /// The family.
    pub fn family(&self) -> &Arc<[Arc<Secret>]> {
        &self.family
    }

    /// The same with one rule more at the end of the family, which nobody takes for possible: for what is said of a rule
    /// that is not of the family.
    pub(in crate::eleusis) fn with_rule(&self, rule: &Arc<Secret>) -> Memory<G> {
        Memory { family: self.family.iter().chain([rule]).cloned().collect(), ..self.clone() }
    }

    /// What lies before the seat.
    pub fn desk(&self) -> &Desk {
        &self.desk
    }

    /// What the dealer has said in this round in front of everybody.
    pub fn judgements(&self) -> &[Judgement] {
        &self.common.judgements
    }

    /// What the seat has to go by.
    pub fn standing(&self) -> Standing {
        match (self.common.dealer, self.known_rule(), self.common.survivors.count()) {
            (None, _, _) => Standing::Waiting,
            (_, Some(_), _) => Standing::Told,
            (_, None, 0) => Standing::NothingFits,
            (_, None, n) => Standing::Fits(n),
        }
    }

    /// The rules of the family that fit what everybody has seen, by their places.
    pub fn fitting(&self) -> impl Iterator<Item = usize> {
        self.common.survivors.places().iter().map(|&(place, _)| place)
    }

    /// The first judgement that the rule at this place of the family does not fit; `None` if it fits.
    pub fn refuted(&self, place: usize) -> Option<&Judgement> {
        let rule = self.family.get(place)?;
        self.common.judgements.iter().find(|judgement| judgement.refutes(rule, self.mainline()))
    }

    /// The cards whose judgement is sure; `None` without a rule, or if nothing fits.
    pub fn sure(&self) -> Option<Sure> {
        let own = self.known_rule().map(|rule| vec![self.candidate(rule, None)]);
        let rules = own.unwrap_or_else(|| self.candidates());
        let all = self.game.table().deck().all();
        let accepted = rules.iter().map(|rule| rule.accepted).reduce(CardSet::and)?;
        let refused = rules.iter().map(|rule| all.minus(rule.accepted)).reduce(CardSet::and)?;
        Some(Sure { accepted, refused })
    }

    /// The cards whose judgement is sure in the guesser's far wider [space](super::guess) of rules, as far as its numbers
    /// can tell: a part of the mass below a thousand millionth counts as nothing, and wrong guesses are not used. `None`
    /// for other decks than the standard one, without a line, or if nothing of the space fits.
    pub fn wider(&self) -> Option<Sure> {
        let starter = *self.mainline().first().filter(|_| *self.game.table().deck() == Deck::STANDARD)?;
        let mut evidence = Evidence::new(starter);
        for judgement in &self.common.judgements {
            if let Said::Card { card, accepted } = judgement.said {
                evidence.observe(card, accepted);
            }
        }
        let seen = evidence.predict();
        let deck = self.game.table().deck();
        let share = |card: Card| seen.accepts[card.index()] / seen.mass;
        (seen.mass > 0.0).then(|| Sure {
            accepted: deck.filter(|card| share(card) > 1.0 - ROUNDING),
            refused: deck.filter(|card| share(card) < ROUNDING),
        })
    }

    /// What the seat knows of a fact. Worlds are looked at until it is found both true and false, and are not counted.
    ///
    /// # Errors
    /// There is no rule yet or none fits, or there are too many worlds to visit.
    pub fn ask(&self, fact: &Fact) -> Result<Answer<World>, Refused> {
        let Survey { holds: witness, fails: counterexample } = self.survey(fact).map_err(|TooMany| Refused::Limit)?;
        Answer::of(witness, counterexample)
    }

    fn mainline(&self) -> &[Card] {
        self.desk.stage.layout().mainline()
    }

    /// Who deals; nobody before the first deal.
    pub fn dealer(&self) -> Option<Seat> {
        self.common.dealer
    }

    /// The deck.
    pub fn deck(&self) -> &Deck {
        self.game.table().deck()
    }

    /// Whether everybody has been told the rule: the round is over.
    pub fn is_told(&self) -> bool {
        self.common.told.is_some()
    }

    /// The rule, if the seat knows it: it deals, or the round is over.
    pub fn known_rule(&self) -> Option<&Arc<Secret>> {
        self.common.told.as_ref().or(self.rule.as_ref())
    }

    fn candidate(&self, secret: &Arc<Secret>, place: Option<usize>) -> Candidate {
        let at = secret.automaton().run(self.mainline());
        let accepted = at.map_or_else(|| secret.rule().accepted(self.mainline()), |at| secret.accepted(at));
        Candidate { secret: secret.clone(), place, accepted, at }
    }

    /// The rules that fit.
    fn candidates(&self) -> Vec<Candidate> {
        let candidate = |&(place, at): &(usize, _)| {
            let secret = self.family[place].clone();
            Candidate { accepted: secret.accepted(at), at: Some(at), place: Some(place), secret }
        };
        self.common.survivors.places().iter().map(candidate).collect()
    }

    /// The worlds where these rules fit, and the survey of a fact in them.
    fn survey_of(&self, rules: Vec<Candidate>, fact: &Fact) -> Result<Survey, TooMany> {
        let (Some(&starter), Some(_)) = (self.mainline().first(), self.common.dealer) else {
            return Ok(Survey::default());
        };
        let rule = self.known_rule().map(|rule| self.candidate(rule, None));
        self.survey_by(&Asker { seat: self.seat(), hand: self.desk.hand(), rule }, starter, rules, fact)
    }

    /// The same for somebody who may be another seat.
    fn survey_by(&self, asker: &Asker, starter: Card, rules: Vec<Candidate>, fact: &Fact) -> Result<Survey, TooMany> {
        let table = (&self.game, &self.desk.stage, &self.common);
        let draws = suppose::depth(fact) * self.game.most_drawn();
        Rc::new(Worlds::new(table, &self.family, starter, rules, asker, draws)).survey(asker, fact, self.patience)
    }

    fn survey(&self, fact: &Fact) -> Result<Survey, TooMany> {
        self.survey_of(self.candidates(), fact)
    }
}

/// A part of the mass that counts as nothing.
const ROUNDING: f64 = 1e-9;

impl<G: Eleusis> Knowledge<G> for Memory<G> {
    type Fact = Fact;
    type Proof = Proof;

    fn learn(&mut self, sight: &Sight) {
        if let What::Begun { seat: Some(seat), .. } = sight.what {
            self.desk.seat = seat;
        }
        self.common.learn(&self.game, &self.desk.stage, self.memory.len(), sight);
        self.desk.watch(&self.game, sight);
        if let What::Dealt { rule, .. } = &sight.what {
            let read = |text: &Arc<str>| self.game.table().menu().secret(text).ok();
            self.rule = rule.as_ref().and_then(read);
        }
        self.memory.push(sight.clone());
    }

    /// Open where there is no rule yet, where nothing fits, and where the worlds are too many.
    fn verdict(&self, fact: &Fact) -> Verdict {
        self.ask(fact).map_or(Verdict::Open, |answer| answer.verdict)
    }

    /// There are no proofs of what would be known after a move, and none that are too long to be read.
    fn explain(&self, fact: &Fact) -> Option<Proof> {
        self.proved(fact).ok()
    }
}
