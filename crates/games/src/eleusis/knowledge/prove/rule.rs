//! Facts that are settled by the rules that are left, and who knows the rule.

use super::super::atoms::{Atom, Fact};
use super::super::rules::{Line, Premise, Rule, Step, literal};
use super::hands::{Held, Uses};
use super::{Place, Prover};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::separate;
use crate::eleusis::properties::Reading;
use crate::eleusis::table::Eleusis;
use crate::game::Seat;
use crate::knowledge::Seats;
use crate::knowledge::proof::{Case, Eyes, Rules, value};
use std::cell::RefCell;

/// A rule that something is asked of: one of the family, or the rule itself.
#[derive(Clone, Copy)]
enum Judge {
    Of(usize),
    Told,
}

impl<G: Eleusis> Prover<'_, G> {
    /// Lines at the top that refute all these rules, one for each judgement that it takes.
    pub(super) fn refute(&mut self, rules: &[usize]) -> Option<Vec<usize>> {
        let used: Vec<usize> = self.refuted.iter().map(|&(judgement, _)| judgement).collect();
        let parts = self.table.refuting(rules, self.allowed, &used)?;
        let mut lines = Vec::new();
        for (judgement, out) in parts {
            let facts: Vec<Fact> = out.iter().map(|&rule| Fact::rule(rule).negated()).collect();
            let number = match self.refuted.iter().find(|&&(of, _)| of == judgement) {
                Some(&(_, number)) => {
                    let line = self.root.iter_mut().find(|line| line.number == number)?;
                    for fact in facts {
                        if !line.facts.contains(&fact) {
                            line.facts.push(fact);
                        }
                    }
                    number
                }
                None => {
                    let number = self.given(Premise::Judged(judgement), facts);
                    self.refuted.push((judgement, number));
                    number
                }
            };
            lines.push(number);
        }
        Some(lines)
    }

    /// By what each rule says that is left, or the rule itself.
    pub(super) fn by_rule(&mut self, place: &Place, fact: &Fact, out: &mut Vec<Line>) -> Option<usize> {
        let mut uses = Uses::default();
        if self.is_told(place) {
            if self.value(place, Judge::Told, fact, &mut uses) != Some(true) {
                return None;
            }
            let from = self.use_lines(place, uses, out);
            return Some(self.line(vec![fact.clone()], Step::Rule(Rule::Told), from, out));
        }
        if !self.can_use(Premise::Family) {
            return None;
        }
        let (mut left, mut refuted) = (Vec::new(), Vec::new());
        for rule in 0..self.mind.family.len() {
            if let Some(line) = self.contradiction(place, rule) {
                uses.lines.push(line);
                continue;
            }
            let mut used = Uses::default();
            match self.value(place, Judge::Of(rule), fact, &mut used) {
                Some(true) => {
                    left.push(rule);
                    uses.add(used);
                }
                Some(false) | None if self.table.fits[rule] => return None,
                Some(false) | None => refuted.push(rule),
            }
        }
        let mut from = self.refute(&refuted)?;
        from.extend(self.use_lines(place, uses, out));
        Some(self.line(vec![fact.clone()], Step::Rule(Rule::Left(left)), from, out))
    }

    /// The line that says of a card what the rule does not.
    fn contradiction(&self, place: &Place, rule: usize) -> Option<usize> {
        let other = |fact: &Fact| match literal(fact) {
            Some((Atom::Accepts(card), yes)) => self.table.accepted[rule].has(card) != yes,
            _ => false,
        };
        place.facts.iter().find(|(fact, _)| other(fact)).map(|(_, line)| *line)
    }

    /// The value of a fact under a rule, and what that rests on.
    fn value(&self, place: &Place, judge: Judge, fact: &Fact, uses: &mut Uses) -> Option<bool> {
        let accepted = match judge {
            Judge::Of(rule) => self.table.accepted[rule],
            Judge::Told => self.mind.known_rule()?.rule().accepted(self.mind.mainline()),
        };
        let used = RefCell::new(std::mem::take(uses));
        let leaf = |fact: &Fact| {
            let known = [(fact.clone(), true), (fact.clone().negated(), false)];
            if let Some((line, value)) = known.iter().find_map(|(fact, value)| Some((place.line(fact)?, *value))) {
                used.borrow_mut().lines.push(line);
                return Some(value);
            }
            match fact {
                Fact::Atom(Atom::Accepts(card)) => Some(accepted.has(*card)),
                Fact::Atom(Atom::Rule(of)) => Some(self.means(judge, *of)),
                Fact::Atom(Atom::CanPlay(seat)) => self.can_play(place, *seat, accepted, &mut used.borrow_mut()),
                Fact::Atom(Atom::SurePlay(seat)) if self.mind.has_rule(*seat) => {
                    self.can_play(place, *seat, accepted, &mut used.borrow_mut())
                }
                Fact::Atom(Atom::Holds(seat, card)) => {
                    let held = self.hand_fact(place, *seat, *card)?;
                    used.borrow_mut().hands.push((*seat, *card, held));
                    Some(held)
                }
                _ => None,
            }
        };
        let found = value(fact, &leaf);
        *uses = used.into_inner();
        found
    }

    /// Whether the rule judges every line from the starter on as the one at this place of the family.
    fn means(&self, judge: Judge, place: usize) -> bool {
        let family = &self.mind.family;
        let (Some(other), Some(&starter)) = (family.get(place), self.mind.mainline().first()) else { return false };
        let rule = match judge {
            Judge::Of(at) => &family[at],
            Judge::Told => match self.mind.known_rule() {
                Some(rule) => rule,
                None => return false,
            },
        };
        let states = ((rule.automaton(), rule.after(starter)), (other.automaton(), other.after(starter)));
        rule.automaton() == other.automaton() || separate(states.0, states.1).is_none()
    }

    /// Whether the seat holds a card of those that are accepted.
    fn can_play(&self, place: &Place, seat: Seat, accepted: CardSet, uses: &mut Uses) -> Option<bool> {
        let Held { has, lacks } = self.held(place, seat);
        if !has.and(accepted).is_empty() {
            uses.wants.push((seat, has.and(accepted)));
            return Some(true);
        }
        if accepted.is_subset(lacks) {
            uses.hands.extend(accepted.iter().map(|card| (seat, card, false)));
            return Some(false);
        }
        let refused = self.mind.deck().all().minus(accepted);
        let count: usize = refused.iter().map(|card| self.available(place, seat, card)).sum();
        if count >= self.mind.hidden_cards(seat) {
            return None;
        }
        uses.hands.extend(self.elsewhere(place, seat, refused));
        Some(true)
    }

    /// The seat knows the rule: it was told, or it knows which rules are left, and they go on alike.
    pub(super) fn rule_known(&mut self, seat: Seat, reading: Reading, out: &mut Vec<Line>) -> Option<usize> {
        let fact = Fact::Atom(Atom::RuleKnown(seat, reading));
        if self.mind.has_rule(seat) {
            let told = if self.mind.is_told() { Premise::Told } else { Premise::Deals(seat) };
            return Some(self.given(told, vec![fact]));
        }
        let left = self.table.fitting();
        let alike = match reading {
            Reading::Which => left.len() == 1,
            Reading::Residual => self.parting(&left).is_none(),
        };
        if !alike || !self.can_use(Premise::Family) {
            return None;
        }
        let refuted: Vec<usize> = (0..self.mind.family.len()).filter(|rule| !left.contains(rule)).collect();
        let lines = self.refute(&refuted)?;
        let knows = refuted.iter().map(|&rule| Fact::rule(rule).negated().known_to(seat)).collect();
        let from = match refuted.is_empty() {
            true => Vec::new(),
            false => {
                vec![self.line(knows, Step::Mind(vec![Eyes::Pooled(Seats::of(seat))], Vec::new()), lines, out)]
            }
        };
        Some(self.line(vec![fact], Step::Rule(Rule::Agreed(left)), from, out))
    }

    /// A seat that was not told does not know the rule: two fit.
    pub(super) fn rule_unknown(&mut self, seat: Seat, reading: Reading) -> Option<usize> {
        let left = self.table.fitting();
        let pair = match (reading, &left[..]) {
            (_, _) if self.mind.has_rule(seat) => None,
            (Reading::Which, [one, other, ..]) => Some((*one, *other)),
            (Reading::Which, _) => None,
            (Reading::Residual, left) => self.parting(left),
        };
        let (one, other) = pair?;
        let facts = vec![Fact::Atom(Atom::RuleKnown(seat, reading)).negated()];
        let step = Step::Rule(Rule::Differ(one, other));
        if let Some(said) = self.root.iter().find(|line| line.facts == facts && line.step == step) {
            return Some(said.number);
        }
        let number = self.number();
        self.root.push(Line { number, facts, step, from: Vec::new() });
        Some(number)
    }

    /// Two of the rules that part on some line from here.
    fn parting(&self, rules: &[usize]) -> Option<(usize, usize)> {
        let state = |place: usize| {
            let rule = &self.mind.family[place];
            Some((rule.automaton(), rule.automaton().run(self.mind.mainline())?))
        };
        let (&first, rest) = rules.split_first()?;
        let apart = |&&other: &&usize| state(first).zip(state(other)).is_some_and(|(a, b)| separate(a, b).is_some());
        rest.iter().find(apart).map(|&other| (first, other))
    }

    /// The seat holds a card that it knows to be accepted.
    pub(super) fn sure_play(&mut self, place: &Place, seat: Seat, out: &mut Vec<Line>) -> Option<usize> {
        let cards = self.held(place, seat).has.and(self.table.sure());
        let judgements = |card: Card| {
            let refusing = |rule: &usize| !self.table.accepted[*rule].has(card);
            let rules: Vec<usize> = (0..self.mind.family.len()).filter(refusing).collect();
            self.table.refuting(&rules, self.allowed, &[]).map_or(usize::MAX, |parts| parts.len())
        };
        let Some(card) = cards.iter().min_by_key(|&card| judgements(card)) else {
            return self.sure_among_many(place, seat, out);
        };
        let mut from = self.hand_lines(place, &[(seat, card, true)], out);
        from.push(self.known(place, &Fact::accepts(card).known_to(seat), out)?);
        Some(self.line(vec![Fact::Atom(Atom::SurePlay(seat))], Step::Rule(Rule::Sure), from, out))
    }

    /// The seat holds more cards than there are others than those that it knows to be accepted.
    fn sure_among_many(&mut self, place: &Place, seat: Seat, out: &mut Vec<Line>) -> Option<usize> {
        let sure = self.table.sure();
        let others = self.mind.deck().all().minus(sure);
        let count: usize = others.iter().map(|card| self.available(place, seat, card)).sum();
        if count >= self.mind.hidden_cards(seat) || self.mind.is_told() || !self.can_use(Premise::Family) {
            return None;
        }
        let family = 0..self.mind.family.len();
        let (left, refuted): (Vec<usize>, Vec<usize>) = family.partition(|&r| sure.is_subset(self.table.accepted[r]));
        let refuting = self.refute(&refuted)?;
        let accepted = sure.iter().map(Fact::accepts).collect();
        let mut lines = Vec::new();
        let all = self.line(accepted, Step::Rule(Rule::Left(left)), refuting, &mut lines);
        self.root.append(&mut lines);
        let knows = sure.iter().map(|card| Fact::accepts(card).known_to(seat)).collect();
        let eyes = vec![Eyes::Pooled(Seats::of(seat))];
        let mut from = vec![self.line(knows, Step::Mind(eyes, Vec::new()), vec![all], out)];
        let elsewhere: Vec<_> = self.elsewhere(place, seat, others).collect();
        from.extend(self.hand_lines(place, &elsewhere, out));
        Some(self.line(vec![Fact::Atom(Atom::SurePlay(seat))], Step::Rule(Rule::Many), from, out))
    }

    /// The seat holds no card that it knows to be accepted: each that it may hold is refused by some rule that fits.
    pub(super) fn no_sure_play(&mut self, place: &Place, seat: Seat, out: &mut Vec<Line>) -> Option<usize> {
        if self.mind.is_told() || !self.mind.factive(Eyes::Pooled(Seats::of(seat))) {
            return None;
        }
        let (all, sure) = (self.mind.deck().all(), self.table.sure());
        let lacks = self.held(place, seat).lacks;
        let whole = self.sees_hand(place, seat);
        if !sure.is_subset(lacks) {
            return None;
        }
        let gone = if whole { lacks } else { sure };
        let mut from = Vec::new();
        if !gone.is_empty() {
            let hands: Vec<(Seat, Card, bool)> = gone.iter().map(|card| (seat, card, false)).collect();
            from.extend(self.hand_lines(place, &hands, out));
        }
        let mut open = all.minus(gone);
        while !open.is_empty() {
            let left = self.table.fitting();
            let refused = |rule: &usize| open.minus(self.table.accepted[*rule]);
            let rule = left.into_iter().max_by_key(|rule| refused(rule).len())?;
            let cards = refused(&rule);
            if cards.is_empty() {
                return None;
            }
            open = open.minus(cards);
            let unknown = cards.iter().map(|card| Fact::accepts(card).known_to(seat).negated()).collect();
            let case = Case {
                number: self.number(),
                assume: cards.iter().map(|card| Fact::accepts(card).negated()).collect(),
                lines: Vec::new(),
            };
            let change = Rule::Other { rule: Some(rule), hand: None };
            from.push(self.line(unknown, Step::Unsure(Seats::of(seat), change, case), Vec::new(), out));
        }
        Some(self.line(vec![Fact::Atom(Atom::SurePlay(seat)).negated()], Step::Rule(Rule::Sure), from, out))
    }
}

/// Leaves out refuted rules that no line needs to be refuted.
pub(super) fn spare(lines: &mut [Line]) {
    let users = lines.to_vec();
    let last = lines.len().saturating_sub(1);
    for line in &mut lines[..last] {
        if matches!(&line.step, Step::Given(premises) if matches!(premises[..], [Premise::Judged(_)])) {
            let number = line.number;
            line.facts.retain(|fact| match literal(fact) {
                Some((Atom::Rule(rule), false)) => needs(&users, number, rule),
                _ => true,
            });
        }
    }
}

/// Whether one of the lines needs that line to refute the rule.
fn needs(lines: &[Line], number: usize, rule: usize) -> bool {
    lines.iter().any(|line| {
        let here = line.from.contains(&number)
            && match &line.step {
                Step::Rule(Rule::Left(left)) => !left.contains(&rule),
                Step::Rule(_)
                | Step::Given(_)
                | Step::Logic
                | Step::Mind(..)
                | Step::Cases(..)
                | Step::Knew(..)
                | Step::Unsure(..) => line.facts.iter().any(|fact| fact.atoms().contains(&&Atom::Rule(rule))),
            };
        here || line.step.inside().into_iter().any(|(_, inner)| needs(inner, number, rule))
    })
}
