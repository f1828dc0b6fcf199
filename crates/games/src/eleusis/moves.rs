//! What is done and seen in both games: actions, events, sights.

use crate::cards::Card;
use crate::game::Seat;
use std::sync::Arc;

/// What a seat may choose. Rules and guesses are open: any text that is a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The dealer chooses the secret rule, and deals.
    Rule(Arc<str>),
    /// Try a card.
    Play(Card),
    /// Say that no card of the hand is accepted, and show it.
    NoPlay,
    /// Lay a card on the sideline after a right *no play*.
    Discard(Card),
    /// Name the rule.
    Guess(Arc<str>),
    /// Do not guess.
    Pass,
}

/// Cards, seen or only counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cards {
    /// These.
    Seen(Vec<Card>),
    /// So many.
    Hidden(usize),
}

impl Cards {
    /// How many.
    pub fn count(&self) -> usize {
        match self {
            Cards::Seen(cards) => cards.len(),
            Cards::Hidden(count) => *count,
        }
    }

    /// The same for somebody who sees them, or does not.
    #[must_use]
    pub(super) fn seen(&self, sees: bool) -> Cards {
        if sees { self.clone() } else { Cards::Hidden(self.count()) }
    }
}

/// What happened, as somebody saw it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// The match begins.
    Begun {
        /// Whose eyes these are.
        seat: Option<Seat>,
        /// What the shuffles of all rounds come from; nobody sees it.
        shuffles: Option<u64>,
    },
    /// The dealer has chosen a rule and dealt.
    Dealt {
        /// Who deals.
        dealer: Seat,
        /// The rule; only the dealer sees it.
        rule: Option<Arc<str>>,
        /// A hand for each seat; the dealer's is empty.
        hands: Vec<Cards>,
        /// Cards set aside so that the hands are equal; nobody sees them.
        removed: Cards,
        /// Cards that were flipped and cannot begin a line; they go below the stock.
        flipped: Vec<Card>,
        /// The first card of the mainline.
        starter: Card,
        /// How many cards can be drawn.
        stock: usize,
    },
    /// A card is tried.
    Played {
        /// By whom.
        seat: Seat,
        /// Which.
        card: Card,
        /// Whether it goes on the mainline.
        accepted: bool,
        /// What its player draws.
        drawn: Cards,
    },
    /// A hand is shown, because no card of it is thought to be accepted.
    NoPlay {
        /// Whose.
        seat: Seat,
        /// The hand.
        hand: Vec<Card>,
        /// If some card is accepted, the lowest, which goes on the mainline.
        laid: Option<Card>,
        /// What the player then draws.
        drawn: Cards,
    },
    /// A card is laid on the sideline after a right *no play*.
    Discarded {
        /// By whom.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// The rule is named.
    Guessed {
        /// By whom.
        seat: Seat,
        /// What was said.
        rule: Arc<str>,
        /// Whether it is right.
        right: bool,
        /// What is drawn for a wrong guess.
        drawn: Cards,
    },
    /// The seat does not guess.
    Passed {
        /// Who.
        seat: Seat,
    },
}

impl What {
    /// The cards that it shows to be accepted or refused, in order. A hand that was shown is refused: all of it, or all
    /// that is lower than the card which the dealer laid.
    pub fn judged(&self) -> Vec<(Card, bool)> {
        match self {
            What::Played { card, accepted, .. } => vec![(*card, *accepted)],
            What::NoPlay { hand, laid, .. } => {
                let lower = hand.iter().filter(|&&card| laid.is_none_or(|laid| card < laid));
                lower.map(|&card| (card, false)).chain(laid.map(|card| (card, true))).collect()
            }
            What::Begun { .. }
            | What::Dealt { .. }
            | What::Discarded { .. }
            | What::Guessed { .. }
            | What::Passed { .. } => Vec::new(),
        }
    }
}

/// What one seat saw of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sight {
    /// What happened.
    pub what: What,
    /// If the round ended by it, all that was secret in the round.
    pub end: Option<Arc<RoundEnd>>,
}

/// What really happened: the sight of one who sees everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event(pub(super) Sight);

impl Event {
    pub(super) fn new(what: What) -> Event {
        Event(Sight { what, end: None })
    }

    /// Everything about it.
    pub fn truth(&self) -> &Sight {
        &self.0
    }

    /// What `seat` sees of it; with open hands all cards are seen that are in a hand.
    pub(super) fn seen_by(&self, seat: Seat, open: bool) -> Sight {
        let drawn = |by: Seat, cards: &Cards| cards.seen(open || by == seat);
        let what = match &self.0.what {
            What::Begun { .. } => What::Begun { seat: Some(seat), shuffles: None },
            What::Dealt { dealer, rule, hands, removed, flipped, starter, stock } => What::Dealt {
                dealer: *dealer,
                rule: rule.clone().filter(|_| *dealer == seat),
                hands: Seat::all(hands.len() as u8).zip(hands).map(|(by, hand)| drawn(by, hand)).collect(),
                removed: removed.seen(false),
                flipped: flipped.clone(),
                starter: *starter,
                stock: *stock,
            },
            What::Played { seat: by, card, accepted, drawn: cards } => {
                What::Played { seat: *by, card: *card, accepted: *accepted, drawn: drawn(*by, cards) }
            }
            What::NoPlay { seat: by, hand, laid, drawn: cards } => {
                What::NoPlay { seat: *by, hand: hand.clone(), laid: *laid, drawn: drawn(*by, cards) }
            }
            What::Discarded { seat, card } => What::Discarded { seat: *seat, card: *card },
            What::Guessed { seat: by, rule, right, drawn: cards } => {
                What::Guessed { seat: *by, rule: rule.clone(), right: *right, drawn: drawn(*by, cards) }
            }
            What::Passed { seat } => What::Passed { seat: *seat },
        };
        Sight { what, end: self.0.end.clone() }
    }
}

/// Why a round is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The seat named the rule.
    Guessed(Seat),
    /// The last card was drawn.
    Exhausted,
    /// The seat has no cards left.
    Out(Seat),
    /// The dealer has judged as often as agreed.
    Moves,
}

/// The end of a round: nothing of it is secret any more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RoundEnd {
    /// Why.
    pub ending: Ending,
    /// Who dealt.
    pub dealer: Seat,
    /// The rule.
    pub rule: Arc<str>,
    /// What each seat has left.
    pub hands: Vec<Vec<Card>>,
    /// The points of the round; few are good.
    pub points: Vec<i64>,
    /// The wrong guesses, each with what shows that it was wrong.
    pub wrong: Vec<WrongGuess>,
}

/// A wrong guess.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WrongGuess {
    /// Whose.
    pub seat: Seat,
    /// What was said.
    pub rule: Arc<str>,
    /// What shows that it was wrong.
    pub witness: Witness,
}

/// What shows that a guess is not the rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Witness {
    /// A card that lay on the table already.
    Table {
        /// The mainline card that it followed, counted from 0.
        after: usize,
        /// The card.
        card: Card,
        /// What the rule says of it; the guess says the contrary.
        accepted: bool,
    },
    /// A shortest way on from the line of the guess.
    Ahead {
        /// Cards that both accept.
        line: Vec<Card>,
        /// The card after them.
        card: Card,
        /// What the rule says of it; the guess says the contrary.
        accepted: bool,
    },
}
