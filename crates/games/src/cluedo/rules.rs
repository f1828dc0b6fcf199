//! The rules: state, actions, events, sights.
//!
//! One card of each category is put into the envelope, the rest is dealt one at a time round the table. The seat to move
//! suggests one card of each category. The other seats answer in seat order; the first that holds a suggested card shows
//! exactly one of them, to the asker alone. Then the asker accuses, once in a match, or ends the turn. A right accusation
//! wins. After a wrong one its maker has seen the envelope and stays only to answer; when all have accused wrongly the
//! match ends without a winner, as it does after a number of turns.

use super::deck::Deck;
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::{Game, Illegal, Outcome, Seat, Turn};
use std::sync::Arc;

/// What the end of a turn without accusation tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endmove {
    /// Nothing: players may guess, dawdle or play at random.
    Silent,
    /// That the player does not know the envelope: a declared convention that all keep and rely on.
    Ignorance,
}

impl Endmove {
    /// Both meanings.
    pub const ALL: [Endmove; 2] = [Endmove::Silent, Endmove::Ignorance];

    /// Its name in options.
    pub fn name(self) -> &'static str {
        match self {
            Endmove::Silent => "silent",
            Endmove::Ignorance => "ignorance",
        }
    }
}

/// Cluedo with its options fixed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluedo {
    deck: Arc<Deck>,
    /// Every suggestion of the deck: made once, since each turn lists them twice.
    triples: Arc<[CardSet]>,
    seats: u8,
    endmove: Endmove,
    turns: u32,
}

/// The fewest and the most players.
pub const PLAYERS: std::ops::RangeInclusive<u8> = 2..=6;

/// A match ends without a winner after this many turns, unless the options say otherwise.
pub const TURNS: u32 = 600;

impl Cluedo {
    /// A game for `seats` players with this deck.
    pub fn new(deck: Arc<Deck>, seats: u8) -> Result<Cluedo, Illegal> {
        if !PLAYERS.contains(&seats) {
            return Err(Illegal::new(format!("2 to 6 can play, not {seats}")));
        }
        if deck.len() < deck.categories() + seats as usize {
            return Err(Illegal::new(format!("{} cards are too few for {seats} players and the envelope", deck.len())));
        }
        let triples = deck.triples(deck.cards()).into();
        Ok(Cluedo { deck, triples, seats, endmove: Endmove::Silent, turns: TURNS })
    }

    /// The game with the classic deck.
    ///
    /// # Panics
    /// If `seats` is not 2 to 6.
    pub fn classic(seats: u8) -> Cluedo {
        Cluedo::new(Arc::new(Deck::classic()), seats).expect("2 to 6 players")
    }

    /// The game in which the end of a turn has this meaning.
    #[must_use]
    pub fn with_endmove(mut self, endmove: Endmove) -> Cluedo {
        self.endmove = endmove;
        self
    }

    /// The game that ends without a winner after this many turns, at least one.
    #[must_use]
    pub fn with_turns(mut self, turns: u32) -> Cluedo {
        self.turns = turns.max(1);
        self
    }

    /// The deck.
    pub fn deck(&self) -> &Arc<Deck> {
        &self.deck
    }

    /// What the end of a turn tells.
    pub fn endmove(&self) -> Endmove {
        self.endmove
    }

    /// After how many turns a match ends without a winner.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// How many cards each seat gets: the first seats get one more if they cannot be equal.
    pub fn hand_sizes(&self) -> Vec<u8> {
        let cards = (self.deck.len() - self.deck.categories()) as u8;
        (0..self.seats).map(|s| cards / self.seats + u8::from(s < cards % self.seats)).collect()
    }

    /// The cards that the seat to move may ask for now: all, since there is no board. (A board would leave out the rooms
    /// that the seat cannot be in.)
    pub fn askable(&self, _stage: &Stage) -> CardSet {
        self.deck.cards()
    }

    /// Begins a match with a given deal, hands in the order of dealing.
    ///
    /// # Panics
    /// If the hands and the envelope are not a deal of this game.
    pub fn begin(&self, envelope: CardSet, hands: Vec<Vec<Card>>) -> (State, Event) {
        let sets: Vec<CardSet> = hands.iter().map(|h| h.iter().copied().collect()).collect();
        assert!(self.deck.is_triple(envelope), "one card of each category in the envelope");
        assert_eq!(sets.iter().fold(envelope, |all, &h| all.or(h)), self.deck.cards(), "every card somewhere");
        let sizes: Vec<usize> = hands.iter().map(Vec::len).collect();
        assert!(self.hand_sizes().iter().map(|&n| n as usize).eq(sizes), "hands of the right sizes");
        let event = Event::Dealt { envelope, hands };
        (State { envelope, hands: sets, stage: Stage::START }, event)
    }
}

/// The truth of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    envelope: CardSet,
    hands: Vec<CardSet>,
    stage: Stage,
}

/// What everybody sees of a match: whose move it is and who is out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    phase: Phase,
    /// Seats that have accused wrongly, as bits.
    out: u8,
    turns: u32,
}

/// What is to be done next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The seat begins its turn with a suggestion.
    Suggest(Seat),
    /// A card is to be shown.
    Show {
        /// Who shows.
        by: Seat,
        /// To whom.
        to: Seat,
        /// What was asked for.
        cards: CardSet,
    },
    /// The seat accuses or ends its turn.
    Decide(Seat),
    /// The match is over; somebody or nobody has won.
    Over(Option<Seat>),
}

impl Stage {
    /// The first seat begins.
    pub const START: Stage = Stage { phase: Phase::Suggest(Seat(0)), out: 0, turns: 0 };

    /// What is to be done next.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether the seat has accused wrongly.
    pub fn is_out(&self, seat: Seat) -> bool {
        self.out >> seat.0 & 1 == 1
    }
}

impl State {
    /// What lies in the envelope.
    pub fn envelope(&self) -> CardSet {
        self.envelope
    }

    /// The hand of a seat.
    pub fn hand(&self, seat: Seat) -> CardSet {
        self.hands[seat.index()]
    }

    /// What everybody sees.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Who won, if somebody has.
    pub fn winner(&self) -> Option<Seat> {
        match self.stage.phase {
            Phase::Over(winner) => winner,
            Phase::Suggest(_) | Phase::Show { .. } | Phase::Decide(_) => None,
        }
    }
}

/// What a seat may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Ask for one card of each category.
    Suggest(CardSet),
    /// Show one of the suggested cards to the asker.
    Show(Card),
    /// Say what lies in the envelope.
    Accuse(CardSet),
    /// End the turn without accusing.
    End,
}

/// What really happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The deal: hands in the order of dealing.
    Dealt {
        /// One card of each category.
        envelope: CardSet,
        /// A hand for each seat.
        hands: Vec<Vec<Card>>,
    },
    /// A suggestion and who answers it: every seat from the asker's next to the one before `answer` has passed; with no
    /// answer, all others have.
    Asked {
        /// Who asks.
        asker: Seat,
        /// For what.
        cards: CardSet,
        /// Who will show a card.
        answer: Option<Seat>,
    },
    /// A card is shown.
    Shown {
        /// Who shows.
        by: Seat,
        /// To whom.
        to: Seat,
        /// Which card.
        card: Card,
    },
    /// An accusation.
    Accused {
        /// Who accuses.
        seat: Seat,
        /// What was said.
        cards: CardSet,
        /// What is true.
        envelope: CardSet,
    },
    /// A turn ends without accusation.
    Ended {
        /// Whose turn.
        seat: Seat,
    },
}

/// What one seat saw of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// Its own hand, in the order of dealing, and how many cards each seat got.
    Dealt {
        /// Whose eyes these are.
        seat: Seat,
        /// The hand.
        hand: Vec<Card>,
        /// The number of cards of each seat.
        sizes: Vec<u8>,
    },
    /// As the event.
    Asked {
        /// Who asks.
        asker: Seat,
        /// For what.
        cards: CardSet,
        /// Who will show a card.
        answer: Option<Seat>,
    },
    /// A card is shown; only the two see which.
    Shown {
        /// Who shows.
        by: Seat,
        /// To whom.
        to: Seat,
        /// Which card, for the two.
        card: Option<Card>,
    },
    /// An accusation; the accuser sees the envelope, and everybody if it was right.
    Accused {
        /// Who accuses.
        seat: Seat,
        /// What was said.
        cards: CardSet,
        /// Whether it was right.
        correct: bool,
        /// What the seat saw in the envelope.
        envelope: Option<CardSet>,
    },
    /// As the event.
    Ended {
        /// Whose turn.
        seat: Seat,
    },
}

/// The seats that are asked, in order: all but the asker, from the next one on.
pub fn asked(asker: Seat, seats: u8) -> impl Iterator<Item = Seat> {
    (1..seats).map(move |i| Seat((asker.0 + i) % seats))
}

/// The seats that passed before `answer`; all others if nobody answered.
pub fn passed(asker: Seat, answer: Option<Seat>, seats: u8) -> impl Iterator<Item = Seat> {
    asked(asker, seats).take_while(move |&s| Some(s) != answer)
}

impl Cluedo {
    /// The stage after a sight, whoever saw it. The rules move on by this same function, so what is to be done next
    /// never depends on anything hidden.
    pub fn follow(&self, stage: &mut Stage, sight: &Sight) {
        stage.phase = match *sight {
            Sight::Dealt { .. } => Phase::Suggest(Seat(0)),
            Sight::Asked { asker, cards, answer: Some(by) } => Phase::Show { by, to: asker, cards },
            Sight::Asked { asker, answer: None, .. } => Phase::Decide(asker),
            Sight::Shown { to, .. } => Phase::Decide(to),
            Sight::Accused { seat, correct: true, .. } => Phase::Over(Some(seat)),
            Sight::Accused { seat, correct: false, .. } => {
                stage.out |= 1 << seat.0;
                self.next_turn(stage, seat)
            }
            Sight::Ended { seat } => self.next_turn(stage, seat),
        };
    }

    fn next_turn(&self, stage: &mut Stage, after: Seat) -> Phase {
        stage.turns += 1;
        let next = asked(after, self.seats).chain([after]).find(|&s| !stage.is_out(s));
        match next {
            Some(seat) if stage.turns < self.turns => Phase::Suggest(seat),
            _ => Phase::Over(None),
        }
    }

    fn check_triple(&self, cards: CardSet, among: CardSet) -> Result<(), Illegal> {
        if !self.deck.is_triple(cards) || !cards.is_subset(self.deck.cards()) {
            return Err(Illegal::new("one card of each category is needed"));
        }
        match cards.minus(among).lowest() {
            None => Ok(()),
            Some(card) => Err(Illegal::new(format!("`{}` cannot be asked for now", self.deck.name(card)))),
        }
    }
}

impl Game for Cluedo {
    type State = State;
    type Action = Action;
    type Event = Event;
    type Sight = Sight;

    fn seats(&self) -> u8 {
        self.seats
    }

    fn deal(&self, dice: &mut Dice) -> (State, Event) {
        let mut envelope = CardSet::EMPTY;
        for category in 0..self.deck.categories() {
            let cards = self.deck.category(category);
            let pick = dice.below(cards.len());
            envelope = envelope.with(cards.iter().nth(pick).expect("below the number of cards"));
        }
        let mut rest: Vec<Card> = self.deck.cards().minus(envelope).iter().collect();
        dice.shuffle(&mut rest);
        let mut hands: Vec<Vec<Card>> = self.hand_sizes().iter().map(|&n| Vec::with_capacity(n as usize)).collect();
        for (i, card) in rest.into_iter().enumerate() {
            hands[i % self.seats as usize].push(card);
        }
        self.begin(envelope, hands)
    }

    fn turn(&self, state: &State) -> Turn {
        match state.stage.phase {
            Phase::Suggest(seat) | Phase::Decide(seat) | Phase::Show { by: seat, .. } => Turn::Of(seat),
            Phase::Over(winner) => {
                let scores = Seat::all(self.seats).map(|s| i64::from(Some(s) == winner)).collect();
                let words = match winner {
                    Some(seat) => format!("seat {seat} won"),
                    None => "nobody won".to_string(),
                };
                Turn::Over(Outcome { scores, words })
            }
        }
    }

    fn legal(&self, state: &State) -> Vec<Action> {
        match state.stage.phase {
            Phase::Suggest(_) => {
                let askable = self.askable(&state.stage);
                self.triples.iter().filter(|t| t.is_subset(askable)).map(|&t| Action::Suggest(t)).collect()
            }
            Phase::Show { by, cards, .. } => state.hand(by).and(cards).iter().map(Action::Show).collect(),
            Phase::Decide(_) => {
                std::iter::once(Action::End).chain(self.triples.iter().map(|&t| Action::Accuse(t))).collect()
            }
            Phase::Over(_) => Vec::new(),
        }
    }

    fn play(&self, state: &mut State, action: &Action) -> Result<Event, Illegal> {
        let event = match (state.stage.phase, *action) {
            (Phase::Over(_), _) => return Err(Illegal::new("the match is over")),
            (Phase::Suggest(asker), Action::Suggest(cards)) => {
                self.check_triple(cards, self.askable(&state.stage))?;
                let answer = asked(asker, self.seats).find(|&s| !state.hand(s).is_disjoint(cards));
                Event::Asked { asker, cards, answer }
            }
            (Phase::Show { by, to, cards }, Action::Show(card)) => {
                if card.index() >= self.deck.len() {
                    return Err(Illegal::new("there is no such card in this deck"));
                }
                let name = self.deck.name(card);
                if !cards.has(card) {
                    let help = format!("the suggestion is {}", self.deck.names(cards));
                    return Err(Illegal::new(format!("`{name}` was not asked for")).help(help));
                }
                if !state.hand(by).has(card) {
                    return Err(Illegal::new(format!("you do not hold `{name}`")));
                }
                Event::Shown { by, to, card }
            }
            (Phase::Decide(seat), Action::Accuse(cards)) => {
                self.check_triple(cards, self.deck.cards())?;
                Event::Accused { seat, cards, envelope: state.envelope }
            }
            (Phase::Decide(seat), Action::End) => Event::Ended { seat },
            (Phase::Suggest(_), Action::Show(_) | Action::Accuse(_) | Action::End) => {
                let help = "suggest one card of each category";
                return Err(Illegal::new("a turn begins with a suggestion").help(help));
            }
            (Phase::Show { .. }, Action::Suggest(_) | Action::Accuse(_) | Action::End) => {
                let help = "show one of the suggested cards";
                return Err(Illegal::new("a card must be shown first").help(help));
            }
            (Phase::Decide(_), Action::Suggest(_) | Action::Show(_)) => {
                return Err(Illegal::new("the question has been answered").help("accuse, or end the turn"));
            }
        };
        // Every seat's sight says the same about the stage.
        self.follow(&mut state.stage, &self.sight(&event, Seat(0)));
        Ok(event)
    }

    fn sight(&self, event: &Event, seat: Seat) -> Sight {
        match event {
            Event::Dealt { hands, .. } => Sight::Dealt {
                seat,
                hand: hands[seat.index()].clone(),
                sizes: hands.iter().map(|h| h.len() as u8).collect(),
            },
            &Event::Asked { asker, cards, answer } => Sight::Asked { asker, cards, answer },
            &Event::Shown { by, to, card } => Sight::Shown { by, to, card: (seat == by || seat == to).then_some(card) },
            &Event::Accused { seat: accuser, cards, envelope } => {
                let correct = cards == envelope;
                let envelope = (correct || seat == accuser).then_some(envelope);
                Sight::Accused { seat: accuser, cards, correct, envelope }
            }
            &Event::Ended { seat } => Sight::Ended { seat },
        }
    }

    fn reveals(&self, event: &Event) -> bool {
        match event {
            Event::Ended { .. } => self.endmove == Endmove::Ignorance,
            Event::Dealt { .. } | Event::Asked { .. } | Event::Shown { .. } | Event::Accused { .. } => true,
        }
    }

    fn bound(&self) -> usize {
        // A turn has at most a suggestion, a card shown, and an accusation or its end.
        3 * self.turns as usize
    }
}
