//! Rules as the dealer uses them: read once, judged by look-up.

use super::automaton::{self, Automaton, Which, separate};
use super::deck::Deck;
use super::layout::Layout;
use super::library;
use super::moves::Witness;
use super::rule::{Reader, Rule};
use super::sense;
use crate::cards::{Card, CardSet};
use crate::game::Illegal;
use ken_logic::syntax::Diagnostic;
use std::sync::{Arc, OnceLock};

/// A rule with its text and its automaton.
#[derive(Clone, Debug)]
pub struct Secret {
    text: Arc<str>,
    rule: Rule,
    automaton: Automaton,
}

/// Rules with the same text over the same deck are the same.
impl PartialEq for Secret {
    fn eq(&self, other: &Secret) -> bool {
        self.text == other.text && self.rule == other.rule
    }
}

/// Why a text is not a rule that can be played with.
#[derive(Clone, Debug, PartialEq)]
pub enum Unfit {
    /// It cannot be read.
    Unread(Vec<Diagnostic>),
    /// Judging it needs more than a bounded memory.
    Unbounded(String),
}

impl From<Unfit> for Illegal {
    fn from(unfit: Unfit) -> Illegal {
        match unfit {
            Unfit::Unread(problems) => {
                let first = problems.into_iter().next();
                let wrong = Illegal::new(first.as_ref().map_or("this is not a rule".into(), |p| p.message.clone()));
                first.and_then(|p| p.help).into_iter().fold(wrong, Illegal::help)
            }
            Unfit::Unbounded(why) => Illegal::new(why),
        }
    }
}

impl Secret {
    /// Reads a rule: its text, or the name of one of the library.
    pub fn read(text: &str, deck: &Deck) -> Result<Secret, Unfit> {
        Secret::within(text, deck, automaton::LIMIT)
    }

    /// Reads a rule that need not remember more than so many different pasts.
    pub fn within(text: &str, deck: &Deck, limit: usize) -> Result<Secret, Unfit> {
        Secret::read_as(text, deck, limit, Reader::Current)
    }

    /// The same by a reader. The current one refuses what [never looks at the next card](sense), but for rules of the
    /// library, which are what they are on any deck.
    pub fn read_as(text: &str, deck: &Deck, limit: usize, reader: Reader) -> Result<Secret, Unfit> {
        let text = library::find(text).map_or(text, |entry| entry.text);
        let rule = Rule::parse_as(text, deck, reader).map_err(Unfit::Unread)?;
        let guarded = reader.strict() && !library::rules().iter().any(|entry| entry.text == text);
        if guarded && let Some(problem) = sense::words(&rule, text) {
            return Err(Unfit::Unread(vec![problem]));
        }
        let automaton = Automaton::within(&rule, limit).map_err(|why| Unfit::Unbounded(why.to_string()))?;
        match sense::meaning(&rule, &automaton, text).filter(|_| guarded) {
            Some(problem) => Err(Unfit::Unread(vec![problem])),
            None => Ok(Secret { text: text.into(), rule, automaton }),
        }
    }

    /// Its text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// Its automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The state after a starter: on an empty line every card is accepted.
    pub fn after(&self, starter: Card) -> automaton::State {
        self.step(self.automaton.start(), starter)
    }

    /// What is accepted in a state.
    pub fn accepted(&self, at: automaton::State) -> CardSet {
        self.automaton.accepted(at)
    }

    /// The state after a card that is accepted.
    ///
    /// # Panics
    /// If it is not.
    pub fn step(&self, at: automaton::State, card: Card) -> automaton::State {
        self.automaton.step(at, card).expect("an accepted card")
    }

    /// The state after all cards of a layout, or the first of them that it misjudges.
    pub fn follow(&self, layout: &Layout) -> Result<automaton::State, Witness> {
        let Some(&starter) = layout.mainline().first() else { return Ok(self.automaton.start()) };
        let mut at = self.after(starter);
        for judged in layout.judged() {
            match (self.accepted(at).has(judged.card), judged.accepted) {
                (true, true) => at = self.step(at, judged.card),
                (false, false) => {}
                (_, accepted) => return Err(Witness::Table { after: judged.after - 1, card: judged.card, accepted }),
            }
        }
        Ok(at)
    }

    /// What shows that a guess is not this rule, which is in the state `at` after the layout; `None` if it is right:
    /// it judges every card on the table and every way on from here alike.
    pub fn refute(&self, at: automaton::State, guess: &Secret, layout: &Layout) -> Option<Witness> {
        let there = match guess.follow(layout) {
            Ok(there) => there,
            Err(witness) => return Some(witness),
        };
        let apart = separate((&self.automaton, at), (&guess.automaton, there))?;
        Some(Witness::Ahead { line: apart.line, card: apart.card, accepted: apart.accepted_by == Which::First })
    }
}

/// The rules that a dealer is offered, and the guess that stands for all guesses where one is listed.
#[derive(Debug, PartialEq)]
pub struct Menu {
    deck: Deck,
    reader: Reader,
    offered: Vec<Arc<Secret>>,
    anything: Arc<Secret>,
}

/// A rule at the table may tell apart so many pasts: more would keep the players waiting.
const PASTS: usize = 1 << 17;

/// The rule that accepts every card.
const ANYTHING: &str = "any card";

/// Fair rules, from the plainest on. A deck for which one of them makes no sense is not offered it.
const OFFERED: [&str; 9] = [
    "alternate red and black",
    "parity changes",
    "if previous is black then odd else even",
    "if previous is odd then black else red",
    "if previous is a face card then A to 7 else 8 to K",
    "same suit or same rank",
    "within 3 of previous",
    "suit(next) = suit(prev2) or rank(next) = rank(prev2)",
    "if the number of red cards is even then red else black",
];

impl Menu {
    /// The menu of a deck.
    pub fn of(deck: &Deck) -> Arc<Menu> {
        Menu::by(deck, Reader::Current)
    }

    /// The menu of a deck where rules are read by this reader.
    pub fn by(deck: &Deck, reader: Reader) -> Arc<Menu> {
        static STANDARD: [OnceLock<Arc<Menu>>; Reader::ALL.len()] = [const { OnceLock::new() }; Reader::ALL.len()];
        match *deck == Deck::STANDARD {
            true => STANDARD[reader as usize].get_or_init(|| Arc::new(Menu::new(deck, reader))).clone(),
            false => Arc::new(Menu::new(deck, reader)),
        }
    }

    fn new(deck: &Deck, reader: Reader) -> Menu {
        let read = |text: &str| Secret::read(text, deck).ok().map(Arc::new);
        let anything = read(ANYTHING).expect("a rule of every deck");
        Menu { deck: deck.clone(), reader, offered: OFFERED.into_iter().filter_map(read).collect(), anything }
    }

    /// Who reads the rules of this table.
    pub fn reader(&self) -> Reader {
        self.reader
    }

    /// What to say of a rule that is read otherwise today: how it is read here.
    pub fn note(&self, text: &str) -> Option<String> {
        if self.reader == Reader::Current {
            return None;
        }
        let read = self.secret(text).ok()?;
        let today = Secret::read_as(text, &self.deck, PASTS, Reader::Current);
        let same = today.is_ok_and(|today| today.rule == read.rule);
        (!same).then(|| format!("read as in version {}: {}", self.reader.number(), read.rule))
    }

    /// The rules that are offered.
    pub fn offered(&self) -> &[Arc<Secret>] {
        &self.offered
    }

    /// The text of the guess that is listed.
    pub fn anything(&self) -> &Arc<str> {
        self.anything.text()
    }

    /// The rule of a text; those of the menu are at hand.
    pub fn secret(&self, text: &str) -> Result<Arc<Secret>, Unfit> {
        match self.offered.iter().chain([&self.anything]).find(|s| **s.text() == *text) {
            Some(known) => Ok(known.clone()),
            None => Secret::read_as(text, &self.deck, PASTS, self.reader).map(Arc::new),
        }
    }

    /// The rule of a text, for a dealer: some card must fit after some first card.
    pub fn dealt(&self, text: &str) -> Result<Arc<Secret>, Illegal> {
        let secret = self.secret(text)?;
        let automaton = secret.automaton();
        let fits = |starter: Card| !automaton.accepted(secret.after(starter)).is_empty();
        if secret.rule().start.iter().any(fits) {
            Ok(secret)
        } else {
            Err(Illegal::new("the rule accepts no card after any first card").help("nobody could play"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_that_is_offered_is_fair_and_has_no_dead_end() {
        let menu = Menu::of(&Deck::STANDARD);
        assert_eq!(menu.offered().len(), OFFERED.len(), "all can be read");
        for secret in menu.offered() {
            let measure = secret.automaton().measure(secret.rule().start);
            assert!(measure.fair && !measure.can_dead_end, "{}: {measure:?}", secret.text());
        }
    }

    #[test]
    fn a_small_deck_is_offered_rules_too() {
        let menu = Menu::of(&Deck::two_suits(2).expect("two values"));
        assert!(menu.offered().len() >= 5, "{}", menu.offered().len());
    }

    #[test]
    fn a_rule_that_cannot_be_read_says_what_is_wrong() {
        let unfit = Secret::read("alternate redd and black", &Deck::STANDARD).expect_err("not a rule");
        assert!(Illegal::from(unfit).message.contains("redd"));
    }
}
