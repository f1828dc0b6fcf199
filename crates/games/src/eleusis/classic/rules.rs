//! The rules of the game of 1959, with the turns of the paper's model.
//!
//! The dealer chooses a rule and does not play. Cards are set aside unseen so that the others have equal hands when one
//! card is left as the starter. A seat tries a card: accepted, it goes on the mainline and the seat goes on; refused, it
//! goes back to the hand and the turn passes. The round ends with an empty hand, or when the dealer has judged as often
//! as agreed.
//!
//! *Ours*: instead of a card a seat may name the rule, if the options say so. A right guess ends the round; a wrong one
//! passes the turn, and counts as a judgement. The paper counts no points: here the cards that are left count, as in
//! Express.

use crate::dice::Dice;
use crate::eleusis::deck::Deck;
use crate::eleusis::moves::{Action, Cards, Ending, Event, Sight, What};
use crate::eleusis::secret::{Menu, Secret};
use crate::eleusis::table::{Deal, Eleusis, PLAYERS, Phase, Stage, State, Table};
use crate::game::{Game, Illegal, Seat, Turn};

/// The game of 1959 with its options fixed.
#[derive(Clone, Debug, PartialEq)]
pub struct Classic {
    pub(super) table: Table,
    pub(super) moves: u32,
    pub(super) guesses: bool,
}

/// A round ends after so many judgements, unless the options say otherwise.
pub const MOVES: u32 = 120;

impl Classic {
    /// The game for so many players, the dealer included: each deals once, and the rule may be named.
    ///
    /// # Panics
    /// If `seats` is not 3 to 8.
    pub fn new(seats: u8) -> Classic {
        assert!(PLAYERS.contains(&seats), "3 to 8 players");
        let deck = Deck::STANDARD;
        let menu = Menu::of(&deck);
        let table = Table { deck, decks: 1, seats, rounds: 1, open: false, bonus: 3, menu };
        Classic { table, moves: MOVES, guesses: true }
    }

    /// Deals all cards but the starter, and those that would make hands unequal.
    fn cut(&self, state: &State, dealer: Seat, rule: &Secret) -> Deal {
        let mut stock = state.shuffled(&self.table);
        let last = stock.len() - 1;
        let starter = stock.remove(stock.iter().rposition(|&c| rule.rule().start.has(c)).unwrap_or(last));
        let players = self.table.seats as usize - 1;
        let removed = stock.split_off(last - last % players);
        let mut hands = vec![Vec::new(); self.table.seats as usize];
        for seat in self.table.players(dealer) {
            hands[seat.index()] = stock.split_off(stock.len() - last / players);
        }
        Deal { hands, removed, flipped: Vec::new(), starter, stock }
    }
}

impl Eleusis for Classic {
    const RETURNS: bool = true;

    fn table(&self) -> &Table {
        &self.table
    }

    fn next(&self, stage: &Stage, what: &What) -> Phase {
        let dealer = self.table.dealer(stage.round());
        match *what {
            What::Begun { .. } => Phase::Rule(dealer),
            What::Dealt { .. } => Phase::Play(self.table.after(dealer, dealer)),
            What::Played { seat, accepted: true, .. } => Phase::Play(seat),
            What::Played { seat, .. }
            | What::Guessed { seat, .. }
            | What::NoPlay { seat, .. }
            | What::Discarded { seat, .. }
            | What::Passed { seat } => Phase::Play(self.table.after(seat, dealer)),
        }
    }

    fn most_drawn(&self) -> usize {
        0
    }
}

impl Game for Classic {
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
        match state.stage().phase() {
            Phase::Rule(_) => State::offered(&self.table),
            Phase::Play(seat) => {
                let guess = self.guesses.then(|| Action::Guess(self.table.menu().anything().clone()));
                state.each(seat, Action::Play).chain(guess).collect()
            }
            Phase::Discard(_) | Phase::Guess { .. } | Phase::Over => Vec::new(),
        }
    }

    fn is_open(&self, action: &Action) -> bool {
        matches!(action, Action::Rule(_) | Action::Guess(_))
    }

    fn play(&self, state: &mut State, action: &Action) -> Result<Event, Illegal> {
        let nothing = || Cards::Seen(Vec::new());
        let last = state.stage().moves() + 1 >= self.moves;
        let limit = last.then_some(Ending::Moves);
        let (what, ending) = match (state.stage().phase(), action) {
            (Phase::Rule(dealer), Action::Rule(text)) => {
                let rule = self.table.menu.dealt(text)?;
                let deal = self.cut(state, dealer, &rule);
                (state.deal(dealer, rule, deal), None)
            }
            (Phase::Play(seat), &Action::Play(card)) => {
                state.holds(&self.table, seat, card)?;
                let accepted = state.accepted().has(card);
                if accepted {
                    state.lay(seat, card);
                }
                let ending = if state.hand(seat).is_empty() { Some(Ending::Out(seat)) } else { limit };
                (What::Played { seat, card, accepted, drawn: nothing() }, ending)
            }
            (Phase::Play(seat), Action::Guess(text)) if self.guesses => {
                let right = state.judge(&self.table, seat, text)?;
                let ending = if right { Some(Ending::Guessed(seat)) } else { limit };
                (What::Guessed { seat, rule: text.clone(), right, drawn: nothing() }, ending)
            }
            (phase, _) => return Err(self.refusal(phase, action)),
        };
        Ok(state.conclude(self, what, ending))
    }

    fn sight(&self, event: &Event, seat: Seat) -> Sight {
        event.seen_by(seat, self.table.open)
    }

    fn bound(&self) -> usize {
        self.table.rounds() as usize * (1 + self.moves as usize)
    }
}

impl Classic {
    /// Why an action is not one of this moment.
    fn refusal(&self, phase: Phase, action: &Action) -> Illegal {
        match (phase, action) {
            (Phase::Over, _) => Illegal::new("the match is over"),
            (Phase::Rule(_), _) => Illegal::new("there is no rule yet").help("the dealer writes `rule TEXT`"),
            (_, Action::Rule(_)) => Illegal::new("the rule of this round is chosen already"),
            (_, Action::Guess(_)) => Illegal::new("guesses are not played here").help("try a card"),
            (_, Action::NoPlay | Action::Discard(_) | Action::Pass | Action::Play(_)) => {
                Illegal::new("the game of 1959 has no such move").help(match self.guesses {
                    true => "try a card with `play CARD`, or name the rule with `guess TEXT`",
                    false => "try a card with `play CARD`",
                })
            }
        }
    }
}
