//! Moves that are asked about: what they are, and what everybody would see of them.
//!
//! What comes of a move is not computed here but by the rules themselves: the move is played in a state of which only that
//! is set which the world says, the rule and the hand that moves. What is drawn is only counted.

use super::atoms::Fact;
use super::worlds::{Candidate, Worlds};
use super::{Memory, Standing};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton;
use crate::eleusis::moves::{Action, Cards, Event, What};
use crate::eleusis::secret::Secret;
use crate::eleusis::table::{Eleusis, Phase, Stage, State};
use crate::eleusis::text;
use crate::game::{Illegal, Seat};
use crate::knowledge::Supposed;
use std::sync::Arc;

/// A move that is asked about.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// Who makes it, if that is said; else whoever is to move.
    pub seat: Option<Seat>,
    pub action: Action,
    /// Whether the card is accepted, the *no play* or the guess right, if that is said.
    pub outcome: Option<bool>,
}

/// What everybody sees of a move: cards that are drawn are counted, unless hands are open.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Seen {
    pub what: What,
    /// Whether the round ends by it, so that everybody sees everything.
    pub ends: bool,
}

impl Move {
    /// Reads `play 7H`, `2: play 7H`, `play 7H, refused`, `no play, right`, `discard 7H`, `guess red, wrong`, `pass`.
    pub(super) fn read<G: Eleusis>(game: &G, typed: &str) -> Result<Move, Illegal> {
        // A rule may have colons in it, too.
        let named = typed.split_once(':').is_some_and(|(who, _)| who.trim().chars().all(|c| c.is_ascii_digit()));
        let Supposed { seat, rest } = match named {
            true => Supposed::read(typed, game.seats())?,
            false => Supposed { seat: None, rest: typed.trim() },
        };
        let deck = game.table().deck();
        let (action, said) = match rest.rsplit_once(',') {
            Some((action, said)) if outcome(said).is_some() => (action, Some(said.trim())),
            _ => (rest, None),
        };
        let action = match text::read(deck, action) {
            Ok(action) => action,
            Err(why) => {
                // Something that cannot come of a move that can be read is what is wrong.
                let move_ =
                    action.split_once(',').and_then(|(action, said)| Some((text::read(deck, action).ok()?, said)));
                return Err(match move_ {
                    Some((action, said)) => unfit(&action, said.trim()),
                    None => why,
                });
            }
        };
        let outcome = match (said.and_then(outcome), &action) {
            (None, _) => None,
            (Some((word, yes)), action) if word == kind(action) => Some(yes),
            (Some(_), action) => return Err(unfit(action, said.unwrap_or_default())),
        };
        match &action {
            Action::Rule(_) => return Err(Illegal::new("what the dealer chooses cannot be asked about")),
            Action::Guess(rule) => drop(game.table().menu().secret(rule)?),
            Action::Play(_) | Action::NoPlay | Action::Discard(_) | Action::Pass => {}
        }
        Ok(Move { seat, action, outcome })
    }

    /// Whether what was seen is what is asked about.
    fn admits(&self, what: &What) -> bool {
        let came = match what {
            What::Played { accepted, .. } => *accepted,
            What::NoPlay { laid, .. } => laid.is_none(),
            What::Guessed { right, .. } => *right,
            What::Begun { .. } | What::Dealt { .. } | What::Discarded { .. } | What::Passed { .. } => return true,
        };
        self.outcome.is_none_or(|wanted| wanted == came)
    }

    /// The card that it moves.
    pub(super) fn card(&self) -> Option<Card> {
        match self.action {
            Action::Play(card) | Action::Discard(card) => Some(card),
            Action::Rule(_) | Action::NoPlay | Action::Guess(_) | Action::Pass => None,
        }
    }

    /// A hand of so many cards for which the rules say the same as for any other that can make the move; `None` where the
    /// whole hand matters.
    pub(super) fn hand(&self, count: usize) -> Option<Vec<Card>> {
        match self.action {
            Action::Play(card) | Action::Discard(card) => Some(vec![card; count.max(1)]),
            Action::Guess(_) | Action::Pass | Action::Rule(_) => Some(vec![Card(0); count]),
            Action::NoPlay => None,
        }
    }
}

/// The pair of words that an outcome belongs to, and which of them it is.
fn outcome(said: &str) -> Option<(Outcome, bool)> {
    match said.trim() {
        "accepted" => Some((Outcome::Accepted, true)),
        "refused" => Some((Outcome::Accepted, false)),
        "right" => Some((Outcome::Right, true)),
        "wrong" => Some((Outcome::Right, false)),
        _ => None,
    }
}

/// What can come of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Accepted,
    Right,
    Nothing,
}

fn kind(action: &Action) -> Outcome {
    match action {
        Action::Play(_) => Outcome::Accepted,
        Action::NoPlay | Action::Guess(_) => Outcome::Right,
        Action::Rule(_) | Action::Discard(_) | Action::Pass => Outcome::Nothing,
    }
}

fn unfit(action: &Action, said: &str) -> Illegal {
    Illegal::new(format!("`{said}` cannot come of this")).help(match kind(action) {
        Outcome::Accepted => "what can be said is `accepted` or `refused`",
        Outcome::Right => "what can be said is `right` or `wrong`",
        Outcome::Nothing => "what can be said is nothing",
    })
}

/// Who is to move in a round.
pub(super) fn turn(stage: &Stage) -> Option<Seat> {
    match stage.phase() {
        Phase::Play(seat) | Phase::Discard(seat) | Phase::Guess { seat, .. } => Some(seat),
        Phase::Rule(_) | Phase::Over => None,
    }
}

/// What the rules make of a move of this hand, and the stage after it.
fn played<G: Eleusis>(
    game: &G,
    stage: &Stage,
    rule: (Arc<Secret>, automaton::State),
    hand: Vec<Card>,
    action: &Action,
) -> Result<(Event, Stage), Illegal> {
    let Some(seat) = turn(stage) else { return Err(Illegal::new("the round is over: nothing can be done in it")) };
    let mut state = State::supposed(stage, rule, seat, hand);
    let event = game.play(&mut state, action)?;
    Ok((event, state.stage().clone()))
}

/// The same with what is drawn only counted, or these cards.
fn drawing(what: &What, cards: &Cards) -> What {
    let mut what = what.clone();
    match &mut what {
        What::Played { drawn, .. } | What::NoPlay { drawn, .. } | What::Guessed { drawn, .. } => {
            drawn.clone_from(cards)
        }
        What::Begun { .. } | What::Dealt { .. } | What::Discarded { .. } | What::Passed { .. } => {}
    }
    what
}

/// How many cards are drawn.
pub(super) fn drawn(what: &What) -> usize {
    match what {
        What::Played { drawn, .. } | What::NoPlay { drawn, .. } | What::Guessed { drawn, .. } => drawn.count(),
        What::Begun { .. } | What::Dealt { .. } | What::Discarded { .. } | What::Passed { .. } => 0,
    }
}

impl Seen {
    /// The same where everybody sees which cards are drawn.
    pub(super) fn with_drawn(&self, cards: Vec<Card>) -> Seen {
        Seen { what: drawing(&self.what, &Cards::Seen(cards)), ends: self.ends }
    }

    /// The card that is laid on the mainline.
    pub(super) fn laid(&self) -> Option<Card> {
        match self.what {
            What::Played { card, accepted: true, .. } => Some(card),
            What::NoPlay { laid, .. } => laid,
            What::Played { .. }
            | What::Begun { .. }
            | What::Dealt { .. }
            | What::Discarded { .. }
            | What::Guessed { .. }
            | What::Passed { .. } => None,
        }
    }
}

impl<G: Eleusis> Worlds<G> {
    /// What everybody would see if the seat to move made the move with this hand and this were the rule, and the stage
    /// after it; `None` where the move cannot be made.
    pub(super) fn foresee(&self, asked: &Move, rule: &Candidate, hand: &[Card]) -> Option<(Seen, Stage)> {
        let seat = turn(&self.stage).filter(|_| !self.ended)?;
        if asked.seat.is_some_and(|by| by != seat) || asked.card().is_some_and(|card| !self.may_hold(seat, card)) {
            return None;
        }
        let rule = (rule.secret.clone(), rule.at?);
        let (event, stage) = played(&self.game, &self.stage, rule, hand.to_vec(), &asked.action).ok()?;
        let what = &event.truth().what;
        let seen = Seen { what: drawing(what, &Cards::Hidden(drawn(what))), ends: event.truth().end.is_some() };
        asked.admits(&seen.what).then_some((seen, stage))
    }

    /// Whether the seat holds the card in some world.
    fn may_hold(&self, seat: Seat, card: Card) -> bool {
        let (shown, hidden) = (&self.common.shown[seat.index()], self.common.hidden[seat.index()]);
        shown.contains(&card) || (hidden > 0 && self.common.pool.get(card.index()).is_some_and(|&copies| copies > 0))
    }
}

impl Candidate {
    /// The rule after this card was laid.
    pub(super) fn laying(&self, card: Option<Card>) -> Candidate {
        let Some(at) = card.zip(self.at).and_then(|(card, at)| self.secret.automaton().step(at, card)) else {
            return self.clone();
        };
        Candidate { accepted: self.secret.accepted(at), at: Some(at), ..self.clone() }
    }
}

impl<G: Eleusis> Memory<G> {
    /// Whether the move can be made now, as far as the seat can tell by its own eyes, or else as far as everybody can.
    pub(super) fn can_be_made(&self, asked: &Move, by_own_eyes: bool) -> Result<(), Illegal> {
        let stage = &self.desk.stage;
        match self.standing() {
            Standing::Waiting => return Err(Illegal::new("there is no rule yet").help("the dealer chooses it first")),
            Standing::Told | Standing::Fits(_) | Standing::NothingFits => {}
        }
        let Some(seat) = turn(stage).filter(|_| !self.is_told()) else {
            return Err(Illegal::new("the round is over: nothing can be done in it"));
        };
        if let Some(by) = asked.seat.filter(|&by| by != seat) {
            return Err(Illegal::new(format!("it is the turn of seat {seat}, not of seat {by}")));
        }
        let mut rules = self.known_rule().map(|rule| self.candidate(rule, None)).into_iter().chain(self.candidates());
        let Some((secret, at)) = rules.find_map(|rule| Some((rule.secret, rule.at?))) else { return Ok(()) };
        let count = stage.counts()[seat.index()];
        let own = || self.desk.hand().to_vec();
        let hand = asked.hand(count).unwrap_or_else(|| if seat == self.seat() { own() } else { vec![Card(0); count] });
        played(&self.game, stage, (secret, at), hand, &asked.action)?;
        // Others may think that a card is held which the observer knows to be elsewhere.
        let Some(card) = asked.card().filter(|_| by_own_eyes) else { return Ok(()) };
        let common = &self.common;
        let held = match seat == self.seat() {
            true => self.desk.hand().contains(&card),
            false => {
                let own: usize = self.desk.hand().iter().filter(|&&other| other == card).count();
                let mine = common.shown[self.seat().index()].iter().filter(|&&other| other == card).count();
                let left = common.pool[card.index()] > own - mine.min(own);
                common.shown[seat.index()].contains(&card) || (common.hidden[seat.index()] > 0 && left)
            }
        };
        let name = self.deck().write(card);
        match (held, seat == self.seat()) {
            (true, _) => Ok(()),
            (false, true) => Err(Illegal::new(format!("seat {seat} does not hold {name}"))),
            (false, false) => Err(Illegal::new(format!("seat {seat} cannot hold {name}"))),
        }
    }
}

/// All cards one by one: the sets that tell whole hands apart.
pub(super) fn singles(pool: &[usize]) -> impl Iterator<Item = CardSet> {
    pool.iter().enumerate().filter(|(_, copies)| **copies > 0).map(|(card, _)| CardSet::of(Card(card as u8)))
}

/// How many moves stand behind one another in a fact.
pub(super) fn depth(fact: &Fact) -> usize {
    let inside = fact.parts().into_iter().map(depth).max().unwrap_or(0);
    inside + usize::from(matches!(fact, Fact::After(..)))
}
