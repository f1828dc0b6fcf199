//! The rules of Eleusis Express, after John Golden's description.
//!
//! The dealer chooses a rule; the others get seven cards each, and a starter is flipped. In turn, from the dealer's left,
//! a seat tries a card. Accepted, it goes on the mainline; refused, it goes below the last card and its player draws. Or
//! the seat says that it has no card to play and shows its hand: if that is right it lays one card of its choice on the
//! sideline; if not, the dealer lays its lowest accepted card (by rank, then clubs, diamonds, hearts, spades) and the
//! seat draws. After an accepted card or a right *no play* it may name the rule. A right guess, judged from the line as
//! it lies, ends the round; for a wrong one it draws. Without cards it must guess. The round also ends when the last
//! card is drawn.

use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::eleusis::deck::Deck;
use crate::eleusis::moves::{Action, Cards, Ending, Event, Sight, What};
use crate::eleusis::secret::{Menu, Secret};
use crate::eleusis::table::{Deal, Eleusis, PLAYERS, Phase, Stage, State, Table};
use crate::game::{Game, Illegal, Seat, Turn};

/// When a seat may name the rule, the strictest first. Whoever has no card left must, in every edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MayGuess {
    /// After an accepted card.
    Accepted,
    /// After an accepted card or a right *no play*.
    Right,
    /// At the end of every turn.
    Always,
}

impl MayGuess {
    /// All editions.
    pub const ALL: [MayGuess; 3] = [MayGuess::Accepted, MayGuess::Right, MayGuess::Always];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            MayGuess::Accepted => "accepted",
            MayGuess::Right => "right",
            MayGuess::Always => "always",
        }
    }
}

/// How many cards are drawn for what goes wrong; at least one each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Penalties {
    /// For a refused card.
    pub refused: u8,
    /// For a wrong *no play*.
    pub no_play: u8,
    /// For a wrong guess.
    pub guess: u8,
}

/// Eleusis Express with its options fixed.
#[derive(Clone, Debug, PartialEq)]
pub struct Express {
    pub(super) table: Table,
    pub(super) hand: u8,
    pub(super) may_guess: MayGuess,
    pub(super) penalties: Penalties,
}

/// How many cards each player gets, unless the options say otherwise.
pub const HAND: u8 = 7;

/// From so many players on there is a second deck, unless the options say otherwise.
pub const CROWD: u8 = 6;

impl Express {
    /// The game of the book for so many players, the dealer included: each deals once.
    ///
    /// # Panics
    /// If `seats` is not 3 to 8.
    pub fn new(seats: u8) -> Express {
        assert!(PLAYERS.contains(&seats), "3 to 8 players");
        let deck = Deck::STANDARD;
        let decks = if seats < CROWD { 1 } else { 2 };
        let menu = Menu::of(&deck);
        Express {
            table: Table { deck, decks, seats, rounds: 1, open: false, bonus: 3, menu },
            hand: HAND,
            may_guess: MayGuess::Right,
            penalties: Penalties { refused: 1, no_play: 1, guess: 1 },
        }
    }

    /// Deals from the shuffled cards; flips cards until one can begin a line.
    fn cut(&self, state: &State, dealer: Seat, rule: &Secret) -> Deal {
        let mut stock = state.shuffled(&self.table);
        let mut hands = vec![Vec::new(); self.table.seats as usize];
        for seat in self.table.players(dealer) {
            hands[seat.index()] = stock.split_off(stock.len() - self.hand as usize);
        }
        let start = stock.iter().rposition(|&c| rule.rule().start.has(c)).unwrap_or(stock.len() - 1);
        let mut flipped = stock.split_off(start);
        let starter = flipped.remove(0);
        flipped.reverse();
        stock.splice(0..0, flipped.iter().rev().copied());
        Deal { hands, removed: Vec::new(), flipped, starter, stock }
    }
}

/// The lowest card of a sorted hand that is accepted.
fn lowest(hand: &[Card], accepted: CardSet) -> Option<Card> {
    hand.iter().copied().find(|&card| accepted.has(card))
}

impl Eleusis for Express {
    const RETURNS: bool = false;

    fn table(&self) -> &Table {
        &self.table
    }

    fn next(&self, stage: &Stage, what: &What) -> Phase {
        let dealer = self.table.dealer(stage.round());
        // The end of a turn: a guess if the edition allows it here, or if there is no card left.
        let end = |seat: Seat, from: MayGuess| match stage.counts()[seat.index()] == 0 {
            true => Phase::Guess { seat, forced: true },
            false if self.may_guess >= from => Phase::Guess { seat, forced: false },
            false => Phase::Play(self.table.after(seat, dealer)),
        };
        match *what {
            What::Begun { .. } => Phase::Rule(dealer),
            What::Dealt { .. } => Phase::Play(self.table.after(dealer, dealer)),
            What::Played { seat, accepted: true, .. } => end(seat, MayGuess::Accepted),
            What::Played { seat, accepted: false, .. } => end(seat, MayGuess::Always),
            What::NoPlay { seat, laid: None, .. } => Phase::Discard(seat),
            What::NoPlay { seat, laid: Some(_), .. } => end(seat, MayGuess::Always),
            What::Discarded { seat, .. } => end(seat, MayGuess::Right),
            What::Guessed { seat, .. } | What::Passed { seat } => Phase::Play(self.table.after(seat, dealer)),
        }
    }

    fn most_drawn(&self) -> usize {
        let Penalties { refused, no_play, guess } = self.penalties;
        refused.max(no_play).max(guess).into()
    }
}

impl Game for Express {
    type State = State;
    type Action = Action;
    type Event = Event;
    type Sight = Sight;

    fn seats(&self) -> u8 {
        self.table.seats
    }

    fn deal(&self, dice: &mut Dice) -> (State, Event) {
        self.table.begin(dice)
    }

    fn turn(&self, state: &State) -> Turn {
        self.table.turn(state.stage())
    }

    fn legal(&self, state: &State) -> Vec<Action> {
        let guess = || Action::Guess(self.table.menu().anything().clone());
        match state.stage().phase() {
            Phase::Rule(_) => State::offered(&self.table),
            Phase::Play(seat) => state.each(seat, Action::Play).chain([Action::NoPlay]).collect(),
            Phase::Discard(seat) => state.each(seat, Action::Discard).collect(),
            Phase::Guess { forced: false, .. } => vec![Action::Pass, guess()],
            Phase::Guess { forced: true, .. } => vec![guess()],
            Phase::Over => Vec::new(),
        }
    }

    fn is_open(&self, action: &Action) -> bool {
        matches!(action, Action::Rule(_) | Action::Guess(_))
    }

    fn play(&self, state: &mut State, action: &Action) -> Result<Event, Illegal> {
        let exhausted = |state: &State| state.exhausted().then_some(Ending::Exhausted);
        let (what, ending) = match (state.stage().phase(), action) {
            (Phase::Rule(dealer), Action::Rule(text)) => {
                let rule = self.table.menu.dealt(text)?;
                let deal = self.cut(state, dealer, &rule);
                (state.deal(dealer, rule, deal), None)
            }
            (Phase::Play(seat), &Action::Play(card)) => {
                state.holds(&self.table, seat, card)?;
                if state.accepted().has(card) {
                    state.lay(seat, card);
                    (What::Played { seat, card, accepted: true, drawn: Cards::Seen(Vec::new()) }, None)
                } else {
                    state.remove(seat, card);
                    let drawn = state.draw(seat, self.penalties.refused);
                    (What::Played { seat, card, accepted: false, drawn }, exhausted(state))
                }
            }
            (Phase::Play(seat), Action::NoPlay) => {
                let hand = state.hand(seat).to_vec();
                let laid = lowest(&hand, state.accepted());
                match laid {
                    None => (What::NoPlay { seat, hand, laid, drawn: Cards::Seen(Vec::new()) }, None),
                    Some(card) => {
                        state.lay(seat, card);
                        let drawn = state.draw(seat, self.penalties.no_play);
                        (What::NoPlay { seat, hand, laid, drawn }, exhausted(state))
                    }
                }
            }
            (Phase::Discard(seat), &Action::Discard(card)) => {
                state.holds(&self.table, seat, card)?;
                state.remove(seat, card);
                (What::Discarded { seat, card }, None)
            }
            (Phase::Guess { seat, .. }, Action::Guess(text)) => {
                let right = state.judge(&self.table, seat, text)?;
                let drawn = if right { Cards::Seen(Vec::new()) } else { state.draw(seat, self.penalties.guess) };
                let ending = if right { Some(Ending::Guessed(seat)) } else { exhausted(state) };
                (What::Guessed { seat, rule: text.clone(), right, drawn }, ending)
            }
            (Phase::Guess { seat, forced: false }, Action::Pass) => (What::Passed { seat }, None),
            (phase, _) => return Err(self.refusal(phase, action)),
        };
        Ok(state.conclude(self, what, ending))
    }

    fn sight(&self, event: &Event, seat: Seat) -> Sight {
        event.seen_by(seat, self.table.open)
    }

    fn bound(&self) -> usize {
        // Every turn lowers the cards in hands plus twice the cards in the stock; it has at most a card or a hand shown,
        // a discard, and a guess.
        self.table.rounds() as usize * (1 + 3 * 2 * self.table.cards())
    }
}

impl Express {
    /// Why an action is not one of this moment.
    fn refusal(&self, phase: Phase, action: &Action) -> Illegal {
        match (phase, action) {
            (Phase::Over, _) => Illegal::new("the match is over"),
            (Phase::Rule(_), _) => Illegal::new("there is no rule yet").help("the dealer writes `rule TEXT`"),
            (_, Action::Rule(_)) => Illegal::new("the rule of this round is chosen already"),
            (Phase::Play(_), Action::Guess(_) | Action::Pass) => {
                let when = match self.may_guess {
                    MayGuess::Accepted => "after a card of yours is accepted",
                    MayGuess::Right => "after a card of yours is accepted, or a right `no play`",
                    MayGuess::Always => "at the end of your turn",
                };
                Illegal::new(format!("a guess is made {when}")).help("play a card, or say `no play`")
            }
            (Phase::Play(_), _) => Illegal::new("there is nothing to discard").help("play a card, or say `no play`"),
            (Phase::Discard(_), _) => {
                Illegal::new("your `no play` was right").help("lay one card on the sideline: `discard CARD`")
            }
            (Phase::Guess { forced: true, .. }, _) => {
                Illegal::new("you have no cards left and must name the rule").help("`guess TEXT`")
            }
            (Phase::Guess { forced: false, .. }, _) => {
                Illegal::new("your card has been judged").help("name the rule with `guess TEXT`, or `pass`")
            }
        }
    }
}
