//! What a knowledge game is: actions, events, sights, players, knowledge.
//!
//! A [`Game`] is played by seats. A seat chooses an *action*; playing it makes an *event*, the full truth of what
//! happened; every seat gets its *sight* of the event, and nothing else. So
//!
//! * a seat's list of sights is its *memory* and its information set: perfect recall;
//! * two histories are indistinguishable to a seat exactly when its sights are equal, which makes a game a
//!   dynamic-epistemic model;
//! * a [`Player`] and a page cannot receive a state: there is no way to hand it to them.
//!
//! The laws that every game keeps are in [`conformance`](crate::conformance).

use crate::dice::Dice;
use serde_json::Value;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;

/// A place at the table, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The seats `0..n`.
    pub fn all(n: u8) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        (0..n).map(Seat)
    }

    /// The next seat of `n` round the table.
    pub fn next(self, n: u8) -> Seat {
        Seat((self.0 + 1) % n)
    }
}

impl Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// Whose move it is, or how the match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The seat to move.
    Of(Seat),
    /// The match is over.
    Over(Outcome),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// A score for each seat; more is better.
    pub scores: Vec<i64>,
    /// The end in a few words: `seat 2 won`, `nobody won`.
    pub words: String,
}

/// Why an action is refused. The state is as it was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// What is wrong; it tells nothing that the seat may not know.
    pub message: String,
    /// What to try instead.
    pub help: Option<String>,
}

impl Illegal {
    /// A refusal.
    pub fn new(message: impl Into<String>) -> Illegal {
        Illegal { message: message.into(), help: None }
    }

    /// The refusal with advice.
    pub fn help(mut self, help: impl Into<String>) -> Illegal {
        self.help = Some(help.into());
        self
    }
}

impl Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Illegal {}

/// The rules of a game, with its options fixed.
pub trait Game: Clone + Send + Sync {
    /// The truth; only a match holds it.
    type State: Clone + Send;
    /// What a seat may choose.
    type Action: Clone + Eq + Debug + Send;
    /// What really happened; the deal is event 0.
    type Event: Clone + Eq + Debug + Send;
    /// What one seat saw of it.
    type Sight: Clone + Eq + Hash + Debug + Send;

    /// How many play.
    fn seats(&self) -> u8;

    /// Begins a match.
    fn deal(&self, dice: &mut Dice) -> (Self::State, Self::Event);

    /// Whose move it is.
    fn turn(&self, state: &Self::State) -> Turn;

    /// What the seat to move may choose, in an order that depends on what that seat saw and on nothing else; empty when
    /// the match is over. An *open* action (a text to be judged) is listed by its kind, and `play` validates the text.
    fn legal(&self, state: &Self::State) -> Vec<Self::Action>;

    /// Whether the action is *open*: where one of its kind (its variant) is listed, others of that kind that are not
    /// listed may be played too.
    fn is_open(&self, action: &Self::Action) -> bool {
        let _ = action;
        false
    }

    /// Plays an action of the seat to move. A refused action leaves the state unchanged.
    fn play(&self, state: &mut Self::State, action: &Self::Action) -> Result<Self::Event, Illegal>;

    /// What `seat` sees of an event.
    fn sight(&self, event: &Self::Event, seat: Seat) -> Self::Sight;

    /// Whether an event tells some seat anything about what is hidden, the seat that acted included. An action whose
    /// event tells nothing may be taken back while it is the last one; so *no* is a promise: every seat could have
    /// foretold its sight from its memory and the action, and the choice of the action is not a sign either.
    fn reveals(&self, event: &Self::Event) -> bool {
        let _ = event;
        true
    }

    /// The most actions that a match can have.
    fn bound(&self) -> usize;
}

/// A game's text: what stands in the log, the record and the terminal.
pub trait Notation: Game {
    /// The game's name, as in `ken play NAME`.
    const NAME: &'static str;

    /// The options as data; [`Notation::with_options`] reads them back.
    fn options(&self) -> Value;

    /// The game with these options; what is not given has its default.
    fn with_options(options: &Value) -> Result<Self, Illegal>;

    /// The game of a record or a stored match with these options. What an earlier version did not write yet is as it
    /// was then, so that the match keeps its meaning.
    fn stored(options: &Value) -> Result<Self, Illegal> {
        Self::with_options(options)
    }

    /// An action as it is typed. Reading it back gives the same action.
    fn write(&self, action: &Self::Action) -> String;

    /// Reads an action.
    fn read(&self, text: &str) -> Result<Self::Action, Illegal>;

    /// The whole truth of an event as a line of text: for records that are over.
    fn tell(&self, event: &Self::Event) -> String;

    /// What was hidden by the deal as a line of text: for the end of a match.
    fn tell_deal(&self, deal: &Self::Event) -> String {
        self.tell(deal)
    }

    /// What is still hidden in a state as a line of text: for a match that was given up, where the deal does not tell it.
    fn tell_hidden(&self, _state: &Self::State) -> Option<String> {
        None
    }

    /// What a seat saw as a line of text.
    fn tell_sight(&self, sight: &Self::Sight) -> String;

    /// What a seat saw as data: for external players, exports and pages.
    fn sight_data(&self, sight: &Self::Sight) -> Value;
}

/// A page: a fold of what one seat saw.
pub trait View: Game {
    /// What the page shows.
    type View: Clone + Eq + Debug;

    /// The page of the seat whose memory this is.
    fn view(&self, memory: &[Self::Sight]) -> Self::View;
}

/// A program that plays a seat. It receives sights and options and nothing else.
pub trait Player<G: Game>: Send {
    /// Sees what happened. The first sight is that of the deal.
    fn watch(&mut self, sight: &G::Sight);

    /// Chooses one of the options, or an open action of a listed kind.
    fn choose(&mut self, options: &[G::Action]) -> G::Action;

    /// Hears why the open action that it has just chosen is refused, such as a rule that cannot be read. True if it will
    /// choose again; most players name only what can be read, and do not.
    fn refused(&mut self, action: &G::Action, why: &Illegal) -> bool {
        let _ = (action, why);
        false
    }
}

/// What follows from what was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It is known to be true.
    Yes,
    /// It is known to be false.
    No,
    /// Both are possible.
    Open,
}

/// What a seat knows: a fold of sights that answers questions.
pub trait Knowledge<G: Game> {
    /// What can be asked.
    type Fact;
    /// Why an answer holds.
    type Proof;

    /// Takes in a sight.
    fn learn(&mut self, sight: &G::Sight);

    /// Whether the fact is known, excluded or open.
    fn verdict(&self, fact: &Self::Fact) -> Verdict;

    /// Why the fact is known; `None` if it is not.
    fn explain(&self, fact: &Self::Fact) -> Option<Self::Proof>;
}
