//! The facts about a round: how they are read and said.

use super::Memory;
use super::suppose::Move;
use crate::cards::Card;
use crate::eleusis::deck::Deck;
use crate::eleusis::library;
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::Eleusis;
use crate::game::{Illegal, Seat};
use crate::knowledge::{self, Language, Stands, Voice, seat};
use std::sync::Arc;

/// A fact about the round on the table. It is true or false in every possible world, a rule with hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The card would be accepted next.
    Accepts(Card),
    /// The secret rule is the one at this place of the family: no line from the starter on is judged differently by the
    /// two. (No rule is at a place beyond the family.)
    Rule(usize),
    /// The seat knows the rule.
    RuleKnown(Seat, Reading),
    /// The seat holds the card.
    Holds(Seat, Card),
    /// The seat holds a card that would be accepted, whether it knows so or not.
    CanPlay(Seat),
    /// The seat holds a card of which it knows that it would be accepted.
    SurePlay(Seat),
}

/// A fact about the round and about who knows what of it.
pub type Fact = knowledge::Fact<Atom>;

impl Atom {
    /// Whether it speaks of the card that is laid next, which is another one after each card that is accepted.
    fn about_next(self) -> bool {
        match self {
            Atom::Accepts(_) | Atom::CanPlay(_) | Atom::SurePlay(_) => true,
            Atom::Rule(_) | Atom::RuleKnown(..) | Atom::Holds(..) => false,
        }
    }

    /// Whether it says that somebody knows something.
    pub(super) fn tells_knowledge(&self) -> bool {
        match self {
            Atom::RuleKnown(..) | Atom::SurePlay(_) => true,
            Atom::Accepts(_) | Atom::Rule(_) | Atom::Holds(..) | Atom::CanPlay(_) => false,
        }
    }

    /// Whether it speaks of cards in hands.
    pub fn about_hands(&self) -> bool {
        match self {
            Atom::Holds(..) | Atom::CanPlay(_) | Atom::SurePlay(_) => true,
            Atom::Accepts(_) | Atom::Rule(_) | Atom::RuleKnown(..) => false,
        }
    }
}

impl knowledge::Fact<Atom> {
    /// The card would be accepted next.
    pub fn accepts(card: Card) -> Fact {
        Fact::Atom(Atom::Accepts(card))
    }

    /// The secret rule is the one at this place of the family.
    pub fn rule(place: usize) -> Fact {
        Fact::Atom(Atom::Rule(place))
    }

    /// Whether more judgements can never make it false in a world that still fits: it does not say that somebody does
    /// *not* know something.
    pub fn stays(&self) -> bool {
        self.lasts(&Atom::tells_knowledge)
    }

    /// Whether it speaks of the card that is laid next.
    pub fn about_next(&self) -> bool {
        self.atoms().into_iter().any(|atom| atom.about_next())
    }

    /// Whether it speaks of cards in hands.
    pub fn about_hands(&self) -> bool {
        self.atoms().into_iter().any(Atom::about_hands)
    }
}

/// `accepts(card)`, `refuses(card)`, `rule(rule)`, `knows_rule(seat)`, `holds(seat,card)`, `can_play(seat)` and
/// `sure_play(seat)`; a rule is a sentence or the name of one of the library, and one of the family.
impl<G: Eleusis> Language for Memory<G> {
    type Atom = Atom;

    fn seats(&self) -> u8 {
        self.game.seats()
    }

    fn facts(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("accepts", "card"),
            ("refuses", "card"),
            ("rule", "rule"),
            ("knows_rule", "seat"),
            ("holds", "seat,card"),
            ("can_play", "seat"),
            ("sure_play", "seat"),
        ]
    }

    fn fact(&self, word: &str, arguments: &[&str]) -> Result<Fact, Illegal> {
        let deck = self.game.table().deck();
        let card = |text: &str| card(deck, text);
        let seat = |text: &str| seat(text, self.seats());
        let hand = |text: &str| {
            let who = seat(text)?;
            let unsaid = self.blind && who != self.desk.seat && self.common.dealer != Some(who);
            let wrong = || Illegal::new(format!("nothing says what seat {who} holds"));
            if unsaid { Err(wrong().help("`hands` of a `table` says how many cards each seat holds")) } else { Ok(who) }
        };
        match (word, arguments) {
            ("accepts", [text]) => Ok(Fact::accepts(card(text)?)),
            ("refuses", [text]) => Ok(Fact::accepts(card(text)?).negated()),
            ("rule", [text]) => self.named(text).map(Fact::rule),
            ("knows_rule", [who]) => Ok(Fact::Atom(Atom::RuleKnown(seat(who)?, Reading::Residual))),
            ("holds", [who, text]) => Ok(Fact::Atom(Atom::Holds(hand(who)?, card(text)?))),
            ("can_play", [who]) => Ok(Fact::Atom(Atom::CanPlay(hand(who)?))),
            (_, [who, ..]) => Ok(Fact::Atom(Atom::SurePlay(hand(who)?))),
            (_, []) => Err(Illegal::new(format!("`{word}` needs its arguments"))),
        }
    }

    fn allows(&self, action: &str, stands: Stands) -> Result<(), Illegal> {
        let asked = Move::read(&self.game, action)?;
        match stands {
            Stands::First => self.can_be_made(&asked, true),
            Stands::InMind => self.can_be_made(&asked, false),
            Stands::Later => Ok(()),
        }
    }

    fn write(&self, atom: &Atom) -> String {
        let deck = self.game.table().deck();
        match atom {
            Atom::Accepts(card) => format!("accepts({})", deck.write(*card)),
            Atom::Rule(place) => format!("rule({})", text_of(&self.family, *place)),
            Atom::RuleKnown(seat, _) => format!("knows_rule({seat})"),
            Atom::Holds(seat, card) => format!("holds({seat},{})", deck.write(*card)),
            Atom::CanPlay(seat) => format!("can_play({seat})"),
            Atom::SurePlay(seat) => format!("sure_play({seat})"),
        }
    }

    fn say(&self, atom: &Atom, yes: bool, voice: &Voice) -> String {
        let pick = |a: &'static str, b: &'static str| if yes { a } else { b };
        let name = |card: &Card| self.game.table().deck().write(*card);
        let knows = |seat: Seat| match yes {
            true => voice.does(seat, "know", "knows"),
            false => voice.does(seat, "do not know", "does not know"),
        };
        let holds = |seat: Seat| match yes {
            true => voice.does(seat, "hold", "holds"),
            false => voice.does(seat, "do not hold", "does not hold"),
        };
        match *atom {
            Atom::Accepts(card) => format!("{} is {} next", name(&card), pick("accepted", "refused")),
            Atom::Rule(place) => format!("the rule is {}`{}`", pick("", "not "), text_of(&self.family, place)),
            Atom::RuleKnown(seat, Reading::Residual) => format!("{} how the rule goes on", knows(seat)),
            Atom::RuleKnown(seat, Reading::Which) => format!("{} which rule of the family it is", knows(seat)),
            Atom::Holds(seat, card) => format!("{} {}", holds(seat), name(&card)),
            Atom::CanPlay(seat) => format!("{} a card that is accepted", holds(seat)),
            Atom::SurePlay(seat) => {
                let known = if voice.you == Some(seat) { "you know" } else { "it knows" };
                format!("{} a card that {known} to be accepted", holds(seat))
            }
        }
    }

    fn tells_knowledge(&self, atom: &Atom) -> bool {
        atom.tells_knowledge()
    }
}

impl<G: Eleusis> Memory<G> {
    /// The place in the family of a rule: a sentence, or the name of one of the library.
    fn named(&self, text: &str) -> Result<usize, Illegal> {
        let text = library::find(text).map_or(text, |entry| entry.text);
        if let Some(place) = self.family.iter().position(|rule| **rule.text() == *text) {
            return Ok(place);
        }
        let secret = self.game.table().menu().secret(text).map_err(Illegal::from)?;
        // Minimal automata are equal exactly when the rules mean the same.
        let same = self.family.iter().position(|rule| rule.automaton() == secret.automaton());
        same.ok_or_else(|| {
            let wrong = Illegal::new(format!("`{text}` is none of the {} rules in question", self.family.len()));
            wrong.help("what is known of a rule is relative to a family of rules; this one is not in it")
        })
    }
}

/// The text of the rule at a place of a family.
fn text_of(family: &[Arc<Secret>], place: usize) -> &str {
    family.get(place).map_or("(no rule of the family)", |rule| rule.text())
}

fn card(deck: &Deck, text: &str) -> Result<Card, Illegal> {
    deck.read(text.trim()).ok_or_else(|| {
        let example = deck.all().iter().last().map_or(String::new(), |c| deck.write(c));
        let wrong = Illegal::new(format!("there is no card `{}`", text.trim()));
        wrong.help(format!("cards are written like `{example}`"))
    })
}
