//! A rule that fits a layout; a line that tells two rules apart.

use super::read::{Check, Facts, Words};
use super::{broken, right, unread, wrong};
use crate::api::{Block, CheckedAnswer, LaidCard};
use ken_games::cards::Card;
use ken_games::eleusis::automaton::Automaton;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::layout::{Layout, position};
use ken_games::eleusis::notation::{Unreadable, read_any};
use serde::Deserialize;
use serde_json::Value;

const DECK: Deck = Deck::STANDARD;

/// What lies on the table, written as a position of Eleusis.
#[derive(Deserialize)]
#[serde(try_from = "Value")]
struct Laid(Layout);

impl TryFrom<Value> for Laid {
    type Error = String;

    fn try_from(written: Value) -> Result<Laid, String> {
        let text = written.to_string();
        let position = position(&text, &DECK).map_err(|problems| broken("layout", &text, &problems))?;
        Ok(Laid(position.layout))
    }
}

/// What can be drawn.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Picture {
    Layout,
}

impl Laid {
    fn picture(&self, picture: Picture) -> Block {
        let card = |(at, &card): (usize, &Card)| LaidCard {
            card: DECK.write(card),
            refused: self.0.sideline(at).map(|c| DECK.write(c)).collect(),
        };
        match picture {
            Picture::Layout => Block::Layout { line: self.0.mainline().iter().enumerate().map(card).collect() },
        }
    }

    /// The first card that a rule judges otherwise than the dealer did: the card, the one before it, and whether the
    /// dealer accepted it.
    fn misjudged(&self, rule: &Automaton) -> Option<(Card, Card, bool)> {
        self.0.judged().find_map(|judged| {
            let before = &self.0.mainline()[..judged.after];
            let accepts = rule.run(before).is_some_and(|state| rule.accepted(state).has(judged.card));
            (accepts != judged.accepted).then_some((judged.card, *before.last()?, judged.accepted))
        })
    }
}

// ---- A rule that fits

/// A rule is to be typed that judges every card of the layout as the dealer did.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fitting {
    layout: Laid,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FittingSays {
    right: Words,
    refuses: Words,
    accepts: Words,
    one: Words,
    unread: Words,
    unbounded: Words,
}

impl Check for Fitting {
    type Picture = Picture;
    type Says = FittingSays;

    fn picture(&self, picture: Picture) -> Block {
        self.layout.picture(picture)
    }

    fn judge(&self, says: &FittingSays, given: &[String]) -> CheckedAnswer {
        let [typed] = given else { return wrong(says.one.plain()) };
        let rule = match read_any(typed, &DECK) {
            Ok(reading) => reading.automaton,
            Err(Unreadable::Text(problems)) => return unread(&says.unread, typed, &problems),
            Err(Unreadable::Unbounded(_)) => return wrong(says.unbounded.plain()),
        };
        let Some((card, last, accepted)) = self.layout.misjudged(&rule) else {
            return right(says.right.with(&[("cards", self.layout.0.judged().count().to_string())]));
        };
        let sentence = if accepted { &says.refuses } else { &says.accepts };
        wrong(sentence.with(&[("card", DECK.write(card)), ("last", DECK.write(last))]))
    }
}

// ---- A line that tells two rules apart

/// A rule of a lesson.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Rule {
    text: String,
    automaton: Automaton,
}

impl TryFrom<String> for Rule {
    type Error = String;

    fn try_from(text: String) -> Result<Rule, String> {
        match read_any(&text, &DECK) {
            Ok(reading) => Ok(Rule { automaton: reading.automaton, text }),
            Err(Unreadable::Text(problems)) => Err(broken("rule", &text, &problems)),
            Err(Unreadable::Unbounded(why)) => Err(why.to_string()),
        }
    }
}

/// A line is to be typed that one of the rules accepts and the other refuses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Apart {
    first: Rule,
    second: Rule,
    layout: Laid,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ApartSays {
    right: Words,
    both_accept: Words,
    both_refuse: Words,
    early: Words,
    short: Words,
    one: Words,
    unread: Words,
}

impl Check for Apart {
    type Picture = Picture;
    type Says = ApartSays;

    fn sound(&self) -> Result<(), String> {
        for Rule { text, automaton } in [&self.first, &self.second] {
            if let Some(card) = DECK.all().iter().find(|&card| automaton.refuses(&[card]).is_some()) {
                return Err(format!("the rule `{text}` refuses {} as the first card of a line", DECK.write(card)));
            }
            if let Some((card, last, _)) = self.layout.misjudged(automaton) {
                let (card, last) = (DECK.write(card), DECK.write(last));
                return Err(format!("the rule `{text}` does not fit the layout: {card} after {last}"));
            }
        }
        Ok(())
    }

    fn facts(&self) -> Facts {
        vec![("first", self.first.text.clone()), ("second", self.second.text.clone())]
    }

    fn picture(&self, picture: Picture) -> Block {
        self.layout.picture(picture)
    }

    fn judge(&self, says: &ApartSays, given: &[String]) -> CheckedAnswer {
        let [typed] = given else { return wrong(says.one.plain()) };
        let cards = match DECK.read_line(typed) {
            Ok(cards) => cards,
            Err(problems) => return unread(&says.unread, typed, &problems),
        };
        if cards.len() < 2 {
            return wrong(says.short.plain());
        }
        let facts = |at: usize| [("card", DECK.write(cards[at])), ("last", DECK.write(cards[at - 1]))];
        match (self.first.automaton.refuses(&cards), self.second.automaton.refuses(&cards)) {
            (None, None) => wrong(says.both_accept.plain()),
            (None, Some(at)) => right(says.right.with(&facts(at))),
            (Some(a), Some(b)) if a == b => wrong(says.both_refuse.with(&facts(a))),
            (Some(a), b) => right(says.early.with(&facts(b.map_or(a, |b| a.min(b))))),
        }
    }
}
