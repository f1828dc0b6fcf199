//! What can be asked about a round.

use crate::cards::Card;
use crate::eleusis::deck::Deck;
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::game::Seat;
use std::sync::Arc;

/// A fact about the round on the table. It is true or false in every possible world, a rule with hands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// The card would be accepted next.
    Accepts(Card),
    /// The card would be refused next.
    Refuses(Card),
    /// The secret rule is not the one at this place of the family: some line from the starter on is judged differently
    /// by the two. (A place beyond the family is out.)
    Out(usize),
    /// The seat knows the rule.
    RuleKnown(Seat, Reading),
    /// The seat holds the card.
    Holds(Seat, Card),
    /// The seat holds a card that would be accepted, whether it knows so or not.
    CanPlay(Seat),
    /// The seat holds a card of which it knows that it would be accepted.
    SurePlay(Seat),
    /// The seat knows the fact.
    Knows(Seat, Box<Fact>),
    /// The fact is false.
    Not(Box<Fact>),
}

impl Fact {
    /// The seat knows that this is true.
    #[must_use]
    pub fn known_to(self, seat: Seat) -> Fact {
        Fact::Knows(seat, Box::new(self))
    }

    /// This is false.
    #[must_use]
    pub fn negated(self) -> Fact {
        Fact::Not(Box::new(self))
    }

    /// Whether more judgements can never make it false in a world that still fits: it does not say that somebody does
    /// *not* know something.
    pub fn lasts(&self) -> bool {
        self.positive(true)
    }

    fn positive(&self, sign: bool) -> bool {
        match self {
            Fact::Accepts(_) | Fact::Refuses(_) | Fact::Out(_) | Fact::Holds(..) | Fact::CanPlay(_) => true,
            Fact::RuleKnown(..) | Fact::SurePlay(_) => sign,
            Fact::Knows(_, fact) => sign && fact.positive(true),
            Fact::Not(fact) => fact.positive(!sign),
        }
    }

    /// Whether it speaks of the card that is laid next, which is another one after each card that is accepted.
    pub fn about_next(&self) -> bool {
        match self {
            Fact::Accepts(_) | Fact::Refuses(_) | Fact::CanPlay(_) | Fact::SurePlay(_) => true,
            Fact::Out(_) | Fact::RuleKnown(..) | Fact::Holds(..) => false,
            Fact::Knows(_, fact) | Fact::Not(fact) => fact.about_next(),
        }
    }

    /// The fact as a part of a sentence: `seat 1 knows that 7C is accepted next`.
    pub fn words(&self, deck: &Deck, family: &[Arc<Secret>]) -> String {
        self.say(deck, family, true)
    }

    fn say(&self, deck: &Deck, family: &[Arc<Secret>], yes: bool) -> String {
        let pick = |a: &'static str, b: &'static str| if yes { a } else { b };
        let name = |card: &Card| deck.write(*card);
        match self {
            Fact::Accepts(card) => format!("{} is {} next", name(card), pick("accepted", "refused")),
            Fact::Refuses(card) => format!("{} is {} next", name(card), pick("refused", "accepted")),
            Fact::Out(place) => {
                let rule = family.get(*place).map_or("(no rule of the family)", |rule| rule.text());
                format!("the rule is {} `{rule}`", pick("not", "none but"))
            }
            Fact::RuleKnown(seat, Reading::Residual) => {
                format!("seat {seat} {} how the rule goes on", pick("knows", "does not know"))
            }
            Fact::RuleKnown(seat, Reading::Which) => {
                format!("seat {seat} {} which rule of the family it is", pick("knows", "does not know"))
            }
            Fact::Holds(seat, card) => format!("seat {seat} {} {}", pick("holds", "does not hold"), name(card)),
            Fact::CanPlay(seat) => format!("seat {seat} {} a card that is accepted", pick("holds", "does not hold")),
            Fact::SurePlay(seat) => {
                format!("seat {seat} {} a card that it knows to be accepted", pick("holds", "does not hold"))
            }
            Fact::Knows(seat, fact) => {
                let inner = fact.say(deck, family, true);
                format!("seat {seat} {} that {inner}", pick("knows", "does not know"))
            }
            Fact::Not(fact) => fact.say(deck, family, !yes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_told_in_words_with_the_no_where_it_belongs() {
        let deck = Deck::STANDARD;
        let family = [Arc::new(Secret::read("alternate red and black", &deck).expect("a rule"))];
        let words = |fact: Fact| fact.words(&deck, &family);
        let seven = deck.read("7C").expect("a card");
        let sure = || Fact::Accepts(seven).known_to(Seat(0));
        assert_eq!(words(sure().known_to(Seat(1))), "seat 1 knows that seat 0 knows that 7C is accepted next");
        assert_eq!(
            words(sure().negated().known_to(Seat(1))),
            "seat 1 knows that seat 0 does not know that 7C is accepted next"
        );
        assert_eq!(words(Fact::Accepts(seven).negated().negated()), "7C is accepted next");
        assert_eq!(words(Fact::Out(0)), "the rule is not `alternate red and black`");
    }

    #[test]
    fn ignorance_does_not_last_but_what_is_known_does() {
        let known = || Fact::Out(0).known_to(Seat(1));
        assert!(known().lasts() && Fact::Out(0).negated().lasts() && known().negated().negated().lasts());
        assert!(!known().negated().lasts() && !known().negated().known_to(Seat(0)).lasts());
        assert!(!Fact::SurePlay(Seat(0)).negated().lasts());
    }
}
