//! The analyzer of the thesis (its `analyzer/5` with `showcard/3`, `nocard/3`, `anSC/5` and `remover/5`) on card sets.
//!
//! It keeps, for each player, a *row*: the cards that the player may hold. At the end of a round
//!
//! 1. *nocard*: a player who passed loses the asked cards from the row;
//! 2. *showcard*: the questions that a player answered in this round make a *group*. The thesis lists all its
//!    combinations, one asked card for each question;
//! 3. *anSC*: of every group of this and earlier rounds, the combinations remain whose cards are all in the row;
//! 4. *remover*: if exactly one remains, the player holds its cards. They leave the other rows and the open triples.
//!
//! The combinations need not be listed. Those that remain are the product, over the questions of the group, of the asked
//! cards in the row; so exactly one remains iff each question has exactly one such card. That is also why the analyzer
//! is weak: a question with two candidates hides what the others of its group tell, even the agent's own question, to
//! which it has seen the answer. Groups are judged by the rows before step 4, once a round; hand sizes and categories
//! play no part.
//!
//! The triples that remain open are those that avoid the cards known to be held, so a set of cards stands for them.

use crate::cards::{Card, CardSet};
use crate::cluedo::deck::Deck;
use crate::cluedo::rules::passed;
use crate::game::Seat;
use std::sync::Arc;

/// How the thesis is read.
///
/// Two errors of the printed program cannot be modelled, since it does not come back from them. Where somebody else asks
/// the winning triple, it marks the answer `[7]` and `showcard/3` looks for player 7 for ever (and `nocard/3`, which
/// stops there, would leave its result unbound). And with fewer than six players `anSC/5` looks for the rows of those
/// who are not there. Here an unanswered question is the same to the agent whether it wins or not, and 2 to 6 can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The errors of the printed program: a question that nobody answered counts as answered by the agent (`[1]`), so
    /// those behind the agent are not known to have passed; and the agent's own row begins with all cards. The first is
    /// unsound: it can rule out the winning triple.
    pub printed: bool,
    /// A card that is in no row lies in the envelope (4.6).
    pub missing: bool,
    /// A player whose cards are all known holds no others (4.6).
    pub full: bool,
    /// The analysis is repeated until nothing new follows (4.6).
    pub repeat: bool,
}

impl Reading {
    /// What the thesis describes, without the improvements.
    pub const MEANT: Reading = Reading { printed: false, missing: false, full: false, repeat: false };

    /// What its program does.
    pub const PRINTED: Reading = Reading { printed: true, ..Reading::MEANT };

    /// With the three improvements that its section 4.6 proposes.
    pub const IMPROVED: Reading = Reading { printed: false, missing: true, full: true, repeat: true };
}

/// What each player may hold, and which triples are open.
#[derive(Clone, Debug)]
pub struct Analyzer {
    deck: Arc<Deck>,
    reading: Reading,
    me: Seat,
    hand: CardSet,
    sizes: Vec<u8>,
    rows: Vec<CardSet>,
    known: Vec<CardSet>,
    open: CardSet,
    round: Vec<(Seat, CardSet, Option<Seat>)>,
    groups: Vec<Group>,
}

/// The questions that a player answered in one round.
#[derive(Clone, Debug)]
struct Group {
    seat: Seat,
    questions: Vec<CardSet>,
}

impl Group {
    /// How many combinations remain in the row, and, if it is one, its cards.
    fn combinations(&self, row: CardSet) -> (usize, CardSet) {
        self.questions.iter().fold((1, CardSet::EMPTY), |(count, cards), q| {
            let fit = q.and(row);
            (count * fit.len(), cards.or(fit))
        })
    }
}

impl Analyzer {
    /// What `me` begins with.
    pub fn new(deck: Arc<Deck>, reading: Reading, me: Seat, hand: CardSet, sizes: &[u8]) -> Analyzer {
        let all = deck.cards();
        let mut rows = vec![all.minus(hand); sizes.len()];
        rows[me.index()] = if reading.printed { all } else { hand };
        let mut known = vec![CardSet::EMPTY; sizes.len()];
        known[me.index()] = hand;
        let (sizes, open) = (sizes.to_vec(), all.minus(hand));
        Analyzer { deck, reading, me, hand, sizes, rows, known, open, round: Vec::new(), groups: Vec::new() }
    }

    /// The analyzer with other rows: to try a position.
    #[must_use]
    pub fn with_rows(mut self, rows: Vec<CardSet>) -> Analyzer {
        self.rows = rows;
        self
    }

    /// The cards that each player may hold.
    pub fn rows(&self) -> &[CardSet] {
        &self.rows
    }

    /// The cards that may lie in the envelope: a triple of them is open.
    pub fn open(&self) -> CardSet {
        self.open
    }

    /// How many triples are open.
    pub fn triples(&self) -> usize {
        (0..self.deck.categories()).map(|c| self.deck.category(c).and(self.open).len()).product()
    }

    /// Somebody asks; it is analyzed at the end of the round.
    pub fn asked(&mut self, asker: Seat, cards: CardSet, answer: Option<Seat>) {
        let answer = if self.reading.printed { answer.or(Some(self.me)) } else { answer };
        self.round.push((asker, cards, answer));
    }

    /// Somebody shows a card to the agent.
    pub fn shown(&mut self, by: Seat, card: Card) {
        self.holds(by, CardSet::of(card));
    }

    /// Analyzes the round.
    pub fn end_round(&mut self) {
        self.collect();
        while self.pass() && self.reading.repeat {}
    }

    /// Steps 1 and 2.
    fn collect(&mut self) {
        let seats = self.rows.len() as u8;
        let earlier = self.groups.len();
        for (asker, cards, answer) in self.round.drain(..) {
            for seat in passed(asker, answer, seats) {
                self.rows[seat.index()] = self.rows[seat.index()].minus(cards);
            }
            let Some(seat) = answer else { continue };
            match self.groups[earlier..].iter_mut().find(|g| g.seat == seat) {
                Some(group) => group.questions.push(cards),
                None => self.groups.push(Group { seat, questions: vec![cards] }),
            }
        }
    }

    /// Steps 3 and 4, and the improvements; whether anything new followed.
    fn pass(&mut self) -> bool {
        let before = (self.open, self.reading.repeat.then(|| self.rows.clone()));
        let mut found = Vec::new();
        // Rows only shrink: a group without a combination, or with one that has been used, has no more to tell.
        self.groups.retain(|group| {
            let (count, cards) = group.combinations(self.rows[group.seat.index()]);
            if count == 1 {
                found.push((group.seat, cards));
            }
            count > 1
        });
        for (seat, cards) in found {
            self.holds(seat, cards);
        }
        if self.reading.full {
            self.fill();
        }
        if self.reading.missing {
            self.miss();
        }
        before.0 != self.open || before.1.is_some_and(|rows| rows != self.rows)
    }

    fn holds(&mut self, seat: Seat, cards: CardSet) {
        for (i, row) in self.rows.iter_mut().enumerate() {
            if i != seat.index() {
                *row = row.minus(cards);
            }
        }
        self.known[seat.index()] = self.known[seat.index()].or(cards);
        self.open = self.open.minus(cards);
    }

    fn fill(&mut self) {
        for ((row, &known), &size) in self.rows.iter_mut().zip(&self.known).zip(&self.sizes) {
            if known.len() == size as usize {
                *row = row.and(known);
            }
        }
    }

    fn miss(&mut self) {
        let others = (0..self.rows.len()).filter(|&i| i != self.me.index());
        let held = others.fold(self.hand, |held, i| held.or(self.rows[i]));
        for card in self.deck.cards().minus(held).iter() {
            let same_kind = self.deck.category(self.deck.category_of(card)).without(card);
            self.open = self.open.minus(same_kind);
        }
    }
}
