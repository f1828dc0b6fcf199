//! The possible worlds, and what is true in them.

use super::atoms::{Atom, Fact};
use super::common::Common;
use super::deals::{Deals, Hands, TooMany};
use super::suppose::{Move, Seen};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::{self, separate};
use crate::eleusis::moves::Cards;
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::{Eleusis, Stage};
use crate::game::Seat;
use crate::knowledge::Seats;
use ken_logic::formula::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

mod after;

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

/// Where a round stands, as everybody sees it.
struct Place<G> {
    game: G,
    stage: Stage,
    common: Common,
    ended: bool,
    next: usize,
}

/// Who asks.
pub(super) struct Asker<'a> {
    pub seat: Seat,
    /// Its hand.
    pub hand: &'a [Card],
    /// The rule, if it knows it.
    pub rule: Option<Candidate>,
}

/// What was made once, and is kept.
type Kept<K, V> = RefCell<FxHashMap<K, Rc<V>>>;

/// The worlds of a round.
pub(super) struct Worlds<G: Eleusis> {
    pub game: G,
    /// What everybody sees.
    pub stage: Stage,
    pub common: Rc<Common>,
    family: Arc<[Arc<Secret>]>,
    starter: Card,
    /// First the rules that fit, then the one that the asker knows, if it does.
    rules: Vec<Candidate>,
    /// How many fit.
    fitting: usize,
    /// What all accept that fit.
    sure: CardSet,
    /// Whether all that fit agree from here.
    agree: OnceCell<bool>,
    /// Whether the round is over: everybody sees everything.
    pub ended: bool,
    /// After a move: what each rule before it is here, if it makes the move go so.
    from: Vec<Option<usize>>,
    /// The place of the next card to be drawn. Where moves are asked about, the uppermost cards of the stock are places
    /// behind the seats that hold a card each, and nobody sees them.
    next: usize,
    /// The moves that are asked about, each read once.
    moves: RefCell<FxHashMap<Name, Option<Rc<Move>>>>,
    /// What follows them.
    ways: Kept<(Name, Seen), Worlds<G>>,
    /// What can follow them, whatever is held.
    all_ways: Kept<Name, Vec<Rc<Worlds<G>>>>,
}

impl<G: Eleusis> Worlds<G> {
    /// The worlds of an asker, where these rules fit.
    pub(super) fn new(
        table: (&G, &Stage, &Common),
        family: &Arc<[Arc<Secret>]>,
        starter: Card,
        rules: Vec<Candidate>,
        asker: &Asker,
        draws: usize,
    ) -> Worlds<G> {
        let (game, stage, mut common) = (table.0.clone(), table.1.clone(), table.2.clone());
        let (ended, next) = (common.told.is_some(), common.hidden.len());
        let hidden = stage.stock().saturating_sub(common.flipped.len());
        for _ in 0..draws.min(hidden).min(Seats::MOST.saturating_sub(next)) {
            common.hidden.push(1);
            common.shown.push(Vec::new());
        }
        let place = Place { game, stage, common, ended, next };
        Worlds::of(place, family.clone(), starter, rules, asker.rule.clone())
    }

    /// The worlds where these rules fit and the asker knows this one.
    fn of(
        place: Place<G>,
        family: Arc<[Arc<Secret>]>,
        starter: Card,
        mut rules: Vec<Candidate>,
        known: Option<Candidate>,
    ) -> Worlds<G> {
        let fitting = rules.len();
        let sure = rules.iter().map(|rule| rule.accepted).reduce(CardSet::and).unwrap_or(CardSet::EMPTY);
        rules.extend(known);
        let Place { game, stage, common, ended, next } = place;
        Worlds {
            game,
            stage,
            common: Rc::new(common),
            family,
            starter,
            rules,
            fitting,
            sure,
            agree: OnceCell::new(),
            ended,
            from: Vec::new(),
            next,
            moves: RefCell::default(),
            ways: RefCell::default(),
            all_ways: RefCell::default(),
        }
    }

    /// Looks at all worlds that the asker considers possible, until the fact is found both true and false; at so many at
    /// most under each rule.
    pub(super) fn survey(self: &Rc<Self>, asker: &Asker, fact: &Fact, patience: u64) -> Result<Survey, TooMany> {
        let rules = if asker.rule.is_some() { self.fitting..self.rules.len() } else { 0..self.fitting };
        let seats: Vec<Seat> = self.about(fact).iter().filter(|&seat| seat != asker.seat).collect();
        let mut survey = Survey::default();
        for rule in rules {
            let mut sets = Vec::new();
            self.distinctions(fact, rule..rule + 1, &mut sets);
            let question = Question::new(self.clone(), Deals::new(&self.common, &sets, patience));
            let mut hands = vec![Vec::new(); self.common.hidden.len()];
            hands[asker.seat.index()] = question.deals.hidden(asker.seat, asker.hand);
            let on = question.deals.each(&seats, &mut hands, &mut |hands| {
                let found = if question.holds(fact, rule, hands)? { &mut survey.holds } else { &mut survey.fails };
                if found.is_none() {
                    let rule = self.rules[rule].secret.clone();
                    let mut hands = question.deals.cards(hands, (asker.seat, asker.hand));
                    hands.truncate(self.game.seats().into());
                    *found = Some(World { rule, hands });
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
        self.ended || self.common.dealer == Some(seat)
    }

    /// Whether one of the seats knows the rule itself.
    fn have_rule(&self, seats: Seats) -> bool {
        seats.iter().any(|seat| self.has_rule(seat))
    }

    /// The rules that the seats together consider possible where one of these is the rule.
    fn considered(&self, seats: Seats, rules: Range<usize>) -> Range<usize> {
        if self.have_rule(seats) { rules } else { 0..self.fitting }
    }

    /// Those of the seats that hold cards which not everybody has seen.
    pub(super) fn hiding(&self, seats: Seats) -> Seats {
        seats.iter().filter(|seat| self.common.hidden.get(seat.index()).is_some_and(|&n| n > 0)).collect()
    }

    /// The seats whose hidden cards decide whether the fact is true.
    fn about(&self, fact: &Fact) -> Seats {
        match fact {
            Fact::Atom(Atom::Holds(seat, _) | Atom::CanPlay(seat) | Atom::SurePlay(seat)) => {
                self.hiding(Seats::of(*seat))
            }
            Fact::Const(_) | Fact::Atom(Atom::Accepts(_) | Atom::Rule(_) | Atom::RuleKnown(..)) => Seats::NONE,
            // When everybody sees everything, what is known is what is true.
            Fact::Knows(_, inner) | Fact::Common(_, inner) if self.ended => self.about(inner),
            Fact::After(action, _, inner) => self.about_after(action, inner),
            // What seats know of hands depends on their own.
            Fact::Knows(seats, inner) | Fact::Common(seats, inner) => match self.about(inner).is_empty() {
                true => Seats::NONE,
                false => self.hiding(*seats),
            },
            Fact::Not(_) | Fact::All(_) | Fact::Any(_) | Fact::Count(..) | Fact::Iff(..) => {
                fact.parts().into_iter().flat_map(|part| self.about(part).iter().collect::<Vec<_>>()).collect()
            }
        }
    }

    /// The sets of cards that matter for the fact where one of these is the rule.
    fn distinctions(&self, fact: &Fact, rules: Range<usize>, sets: &mut Vec<CardSet>) {
        match fact {
            Fact::Const(_) | Fact::Atom(Atom::Accepts(_) | Atom::Rule(_) | Atom::RuleKnown(..)) => {}
            Fact::Atom(Atom::Holds(_, card)) => sets.push(CardSet::of(*card)),
            Fact::Atom(Atom::CanPlay(_)) => sets.extend(self.rules[rules].iter().map(|rule| rule.accepted)),
            Fact::Atom(Atom::SurePlay(seat)) => match self.has_rule(*seat) {
                true => sets.extend(self.rules[rules].iter().map(|rule| rule.accepted)),
                false => sets.push(self.sure),
            },
            Fact::Knows(_, inner) | Fact::Common(_, inner) if self.ended => self.distinctions(inner, rules, sets),
            Fact::After(action, _, inner) => self.distinctions_after(action, inner, rules, sets),
            Fact::Knows(seats, inner) => self.distinctions(inner, self.considered(*seats, rules), sets),
            Fact::Common(seats, inner) => {
                // Whoever of them does not know the rule considers all that fit.
                let alone = seats.iter().all(|seat| self.has_rule(seat));
                self.distinctions(inner, if alone { rules } else { 0..self.fitting }, sets);
            }
            Fact::Not(_) | Fact::All(_) | Fact::Any(_) | Fact::Count(..) | Fact::Iff(..) => {
                fact.parts().into_iter().for_each(|part| self.distinctions(part, rules.clone(), sets));
            }
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

/// A part of a question, the rule for seats that know it, the hidden cards of the seats.
type Key = (*const Fact, Option<usize>, Hands);

/// A question with the classes of cards that matter for it.
pub(super) struct Question<G: Eleusis> {
    pub worlds: Rc<Worlds<G>>,
    pub deals: Deals,
    /// What seats were found to know.
    known: RefCell<FxHashMap<Key, bool>>,
    /// The same question after moves, by the worlds there.
    pub later: RefCell<FxHashMap<*const Worlds<G>, Rc<Question<G>>>>,
}

impl<G: Eleusis> Question<G> {
    pub(super) fn new(worlds: Rc<Worlds<G>>, deals: Deals) -> Question<G> {
        Question { worlds, deals, known: RefCell::default(), later: RefCell::default() }
    }

    /// Whether the fact is true in the world of this rule and these hands.
    pub(super) fn holds(&self, fact: &Fact, rule: usize, hands: &Hands) -> Result<bool, TooMany> {
        Ok(match fact {
            Fact::Const(value) => *value,
            Fact::Atom(atom) => self.is(*atom, rule, hands),
            Fact::Not(inner) => !self.holds(inner, rule, hands)?,
            Fact::All(parts) => !self.some(parts, false, rule, hands)?,
            Fact::Any(parts) => self.some(parts, true, rule, hands)?,
            Fact::Count(cmp, n, parts) => {
                let mut count = 0u64;
                for part in parts {
                    count += u64::from(self.holds(part, rule, hands)?);
                }
                cmp.admits(count.cmp(n))
            }
            Fact::Iff(a, b) => self.holds(a, rule, hands)? == self.holds(b, rule, hands)?,
            Fact::Knows(_, inner) | Fact::Common(_, inner) if self.worlds.ended => self.holds(inner, rule, hands)?,
            Fact::Knows(seats, inner) => self.know(*seats, inner, rule, hands)?,
            Fact::Common(seats, inner) => self.share(*seats, inner, rule, hands)?,
            Fact::After(action, outcomes, inner) => self.after(action, *outcomes, inner, rule, hands)?,
        })
    }

    /// Whether one of the facts has the value.
    fn some(&self, parts: &[Fact], value: bool, rule: usize, hands: &Hands) -> Result<bool, TooMany> {
        for part in parts {
            if self.holds(part, rule, hands)? == value {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is(&self, atom: Atom, rule: usize, hands: &Hands) -> bool {
        let worlds = &*self.worlds;
        let candidate = &worlds.rules[rule];
        match atom {
            Atom::Accepts(card) => candidate.accepted.has(card),
            Atom::Rule(place) => !worlds.differs(candidate, place),
            Atom::RuleKnown(seat, _) if worlds.has_rule(seat) => true,
            Atom::RuleKnown(_, Reading::Which) => worlds.fitting == 1,
            Atom::RuleKnown(_, Reading::Residual) => worlds.agree(),
            Atom::Holds(seat, card) => self.deals.holds(hands, seat, CardSet::of(card)),
            Atom::CanPlay(seat) => self.deals.holds(hands, seat, candidate.accepted),
            Atom::SurePlay(seat) => {
                let sure = if worlds.has_rule(seat) { candidate.accepted } else { worlds.sure };
                self.deals.holds(hands, seat, sure)
            }
        }
    }

    /// The hands with those of the seats alone.
    pub(super) fn of(hands: &Hands, seats: Seats) -> Hands {
        let own = |(at, hand): (usize, &Vec<usize>)| if seats.has(Seat(at as u8)) { hand.clone() } else { Vec::new() };
        hands.iter().enumerate().map(own).collect()
    }

    /// Whether the fact is true in all worlds that the seats together consider possible in this one; never if there are
    /// none.
    fn know(&self, seats: Seats, fact: &Fact, rule: usize, hands: &Hands) -> Result<bool, TooMany> {
        let worlds = &*self.worlds;
        let about = worlds.about(fact);
        let own = Question::<G>::of(hands, if about.is_empty() { Seats::NONE } else { seats });
        let key = (std::ptr::from_ref(fact), worlds.have_rule(seats).then_some(rule), own);
        if let Some(&known) = self.known.borrow().get(&key) {
            return Ok(known);
        }
        let others: Vec<Seat> = about.iter().filter(|&seat| !seats.has(seat)).collect();
        let rules = worlds.considered(seats, rule..rule + 1);
        let mut known = !rules.is_empty();
        for rule in rules {
            known &= self.deals.each(&others, &mut key.2.clone(), &mut |hands| self.holds(fact, rule, hands))?;
            if !known {
                break;
            }
        }
        self.known.borrow_mut().insert(key, known);
        Ok(known)
    }

    /// Whether the fact is true in all worlds that are reached from this one over worlds that one of the seats cannot
    /// tell apart; never if a seat considers none possible.
    fn share(&self, seats: Seats, fact: &Fact, rule: usize, hands: &Hands) -> Result<bool, TooMany> {
        let worlds = &*self.worlds;
        let about = worlds.about(fact);
        // Hands that are not asked about lead nowhere.
        let hiding =
            if about.is_empty() { Seats::NONE } else { worlds.hiding(seats).iter().chain(about.iter()).collect() };
        let mut seen: FxHashSet<(usize, Hands)> = FxHashSet::default();
        // Of the world itself only the hands of the seats are known here; it is among those that they consider.
        let mut open = vec![(rule, hands.clone())];
        while let Some((rule, hands)) = open.pop() {
            for seat in seats.iter() {
                let rules = worlds.considered(Seats::of(seat), rule..rule + 1);
                if rules.is_empty() {
                    return Ok(false);
                }
                let others: Vec<Seat> = hiding.iter().filter(|&other| other != seat).collect();
                for rule in rules {
                    let mut own =
                        Question::<G>::of(&hands, if hiding.has(seat) { Seats::of(seat) } else { Seats::NONE });
                    let all = self.deals.each(&others, &mut own, &mut |hands| {
                        if seen.insert((rule, hands.clone())) {
                            open.push((rule, hands.clone()));
                            return self.holds(fact, rule, hands);
                        }
                        Ok(true)
                    })?;
                    if !all {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}
