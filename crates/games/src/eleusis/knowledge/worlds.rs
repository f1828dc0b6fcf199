//! The possible worlds, and what is true in them.

use super::common::Common;
use super::deals::{Deals, Hands, TooMany};
use super::fact::Fact;
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::{self, separate};
use crate::eleusis::moves::Cards;
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::game::Seat;
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::Arc;

/// A rule that may be the dealer's.
#[derive(Clone)]
pub(super) struct Candidate {
    pub secret: Arc<Secret>,
    /// Where it is in the family.
    pub place: Option<usize>,
    /// What it accepts after the line.
    pub accepted: CardSet,
    /// What it remembers of the line; nothing if it refuses a card of the line.
    pub at: Option<automaton::State>,
}

/// A world that somebody considers possible.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// The rule.
    pub rule: Arc<Secret>,
    /// The hands; those that do not matter for the question are only counted.
    pub hands: Vec<Cards>,
}

/// A world in which a fact is true and one in which it is false, as far as the asker considers such possible.
#[derive(Default)]
pub(super) struct Survey {
    pub holds: Option<World>,
    pub fails: Option<World>,
}

/// Who asks.
pub(super) struct Asker<'a> {
    pub seat: Seat,
    /// Its hand.
    pub hand: &'a [Card],
    /// The rule, if it knows it.
    pub rule: Option<Candidate>,
}

/// The worlds of a round.
pub(super) struct Worlds<'a> {
    common: &'a Common,
    family: &'a [Arc<Secret>],
    starter: Card,
    /// First the rules that fit, then the one that the asker knows, if it does.
    rules: Vec<Candidate>,
    /// How many fit.
    fitting: usize,
    /// What all accept that fit.
    sure: CardSet,
    /// Whether all that fit agree from here.
    agree: OnceCell<bool>,
}

impl<'a> Worlds<'a> {
    /// The worlds of an asker, where these rules fit.
    pub(super) fn new(
        common: &'a Common,
        family: &'a [Arc<Secret>],
        starter: Card,
        mut rules: Vec<Candidate>,
        asker: &Asker,
    ) -> Worlds<'a> {
        let fitting = rules.len();
        let sure = rules.iter().map(|rule| rule.accepted).reduce(CardSet::and).unwrap_or(CardSet::EMPTY);
        rules.extend(asker.rule.clone());
        Worlds { common, family, starter, rules, fitting, sure, agree: OnceCell::new() }
    }

    /// Looks at all worlds that the asker considers possible, until the fact is found both true and false.
    pub(super) fn survey(&self, asker: &Asker, fact: &Fact) -> Result<Survey, TooMany> {
        let rules = if asker.rule.is_some() { self.fitting..self.rules.len() } else { 0..self.fitting };
        let seats: Vec<Seat> = self.about(fact).into_iter().filter(|&seat| seat != asker.seat).collect();
        let mut survey = Survey::default();
        for rule in rules {
            let mut sets = Vec::new();
            self.distinctions(fact, rule..rule + 1, &mut sets);
            let question = Question { worlds: self, deals: Deals::new(self.common, &sets), known: RefCell::default() };
            let mut hands = vec![Vec::new(); self.common.hidden.len()];
            hands[asker.seat.index()] = question.deals.hidden(asker.seat, asker.hand);
            let on = question.deals.each(&seats, &mut hands, &mut |hands| {
                let found = if question.holds(fact, rule, hands)? { &mut survey.holds } else { &mut survey.fails };
                if found.is_none() {
                    let rule = self.rules[rule].secret.clone();
                    *found = Some(World { rule, hands: question.deals.cards(hands, (asker.seat, asker.hand)) });
                }
                Ok(survey.holds.is_none() || survey.fails.is_none())
            })?;
            if !on {
                break;
            }
        }
        Ok(survey)
    }

    /// Whether the seat knows the rule itself, whichever it is.
    fn has_rule(&self, seat: Seat) -> bool {
        self.common.told.is_some() || self.common.dealer == Some(seat)
    }

    /// The rules that the seat considers possible where one of these is the rule.
    fn considered(&self, seat: Seat, rules: Range<usize>) -> Range<usize> {
        if self.has_rule(seat) { rules } else { 0..self.fitting }
    }

    /// The seats whose hidden cards decide whether the fact is true.
    fn about(&self, fact: &Fact) -> Vec<Seat> {
        let seat = match fact {
            Fact::Accepts(_) | Fact::Refuses(_) | Fact::Out(_) | Fact::RuleKnown(..) => None,
            Fact::Holds(seat, _) | Fact::CanPlay(seat) | Fact::SurePlay(seat) => Some(*seat),
            // What a seat knows of hands depends on its own.
            Fact::Knows(seat, fact) => (!self.about(fact).is_empty()).then_some(*seat),
            Fact::Not(fact) => return self.about(fact),
        };
        let hides = |seat: &Seat| self.common.hidden.get(seat.index()).is_some_and(|&n| n > 0);
        seat.into_iter().filter(hides).collect()
    }

    /// The sets of cards that matter for the fact where one of these is the rule.
    fn distinctions(&self, fact: &Fact, rules: Range<usize>, sets: &mut Vec<CardSet>) {
        match fact {
            Fact::Accepts(_) | Fact::Refuses(_) | Fact::Out(_) | Fact::RuleKnown(..) => {}
            Fact::Holds(_, card) => sets.push(CardSet::of(*card)),
            Fact::CanPlay(_) => sets.extend(self.rules[rules].iter().map(|rule| rule.accepted)),
            Fact::SurePlay(_) => sets.push(self.sure),
            Fact::Knows(seat, fact) => self.distinctions(fact, self.considered(*seat, rules), sets),
            Fact::Not(fact) => self.distinctions(fact, rules, sets),
        }
    }

    /// Whether all rules that fit judge every way on from here alike.
    fn agree(&self) -> bool {
        *self.agree.get_or_init(|| {
            let mut states = self.rules[..self.fitting].iter().map(|rule| Some((rule.secret.automaton(), rule.at?)));
            let Some(Some(first)) = states.next() else { return false };
            states.all(|state| state.is_some_and(|state| separate(first, state).is_none()))
        })
    }

    /// Whether the rule judges some line from the starter on otherwise than the one at this place of the family.
    fn differs(&self, rule: &Candidate, place: usize) -> bool {
        let Some(other) = self.family.get(place) else { return true };
        let (a, b) = (rule.secret.automaton(), other.automaton());
        let (from, to) = (rule.secret.after(self.starter), other.after(self.starter));
        rule.place != Some(place) && separate((a, from), (b, to)).is_some()
    }
}

/// A part of a question, the rule for a seat that knows it, the hidden cards of the seat.
type Key = (*const Fact, Option<usize>, Vec<usize>);

/// A question with the classes of cards that matter for it.
struct Question<'w> {
    worlds: &'w Worlds<'w>,
    deals: Deals<'w>,
    /// What seats were found to know.
    known: RefCell<FxHashMap<Key, bool>>,
}

impl Question<'_> {
    /// Whether the fact is true in the world of this rule and these hands.
    fn holds(&self, fact: &Fact, rule: usize, hands: &Hands) -> Result<bool, TooMany> {
        let worlds = self.worlds;
        let candidate = &worlds.rules[rule];
        Ok(match fact {
            Fact::Accepts(card) => candidate.accepted.has(*card),
            Fact::Refuses(card) => !candidate.accepted.has(*card),
            Fact::Out(place) => worlds.differs(candidate, *place),
            Fact::RuleKnown(seat, _) if worlds.has_rule(*seat) => true,
            Fact::RuleKnown(_, Reading::Which) => worlds.fitting == 1,
            Fact::RuleKnown(_, Reading::Residual) => worlds.agree(),
            Fact::Holds(seat, card) => self.deals.holds(hands, *seat, CardSet::of(*card)),
            Fact::CanPlay(seat) => self.deals.holds(hands, *seat, candidate.accepted),
            Fact::SurePlay(seat) => {
                let sure = if worlds.has_rule(*seat) { candidate.accepted } else { worlds.sure };
                self.deals.holds(hands, *seat, sure)
            }
            Fact::Knows(seat, fact) => self.knows(*seat, fact, rule, hands)?,
            Fact::Not(fact) => !self.holds(fact, rule, hands)?,
        })
    }

    /// Whether the fact is true in all worlds that the seat considers possible in this one; never if there are none.
    fn knows(&self, seat: Seat, fact: &Fact, rule: usize, hands: &Hands) -> Result<bool, TooMany> {
        let worlds = self.worlds;
        let about = worlds.about(fact);
        let own = if about.is_empty() { Vec::new() } else { hands.get(seat.index()).cloned().unwrap_or_default() };
        let key = (std::ptr::from_ref(fact), worlds.has_rule(seat).then_some(rule), own);
        if let Some(&known) = self.known.borrow().get(&key) {
            return Ok(known);
        }
        let seats: Vec<Seat> = about.into_iter().filter(|&other| other != seat).collect();
        let rules = worlds.considered(seat, rule..rule + 1);
        let mut known = !rules.is_empty();
        for rule in rules {
            let mut hands = vec![Vec::new(); hands.len()];
            if let Some(hand) = hands.get_mut(seat.index()) {
                hand.clone_from(&key.2);
            }
            known &= self.deals.each(&seats, &mut hands, &mut |hands| self.holds(fact, rule, hands))?;
            if !known {
                break;
            }
        }
        self.known.borrow_mut().insert(key, known);
        Ok(known)
    }
}
