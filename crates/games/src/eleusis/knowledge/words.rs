//! How judgements and the premises and rules of proofs are said.

use super::Memory;
use super::atoms::{Atom, Fact};
use super::common::{Judgement, Said};
use super::rules::{OtherHand, Premise, Rule, literal};
use crate::cards::{Card, CardSet};
use crate::eleusis::automaton::separate;
use crate::eleusis::deck::Deck;
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::Eleusis;
use crate::eleusis::text;
use crate::game::Seat;
use crate::knowledge::proof::Telling;
use crate::knowledge::{Voice, words};
use ken_logic::text::listed;
use serde_json::{Value, json};

/// How many rules a sentence names.
const NAMED: usize = 3;

/// How many cards a sentence names.
const CARDS: usize = 8;

impl Judgement {
    /// The judgement as a sentence without its full stop.
    pub fn words(&self, deck: &Deck, mainline: &[Card]) -> String {
        let line = text::list(deck, &mainline[..self.line]);
        match &self.said {
            Said::Card { card, accepted } => {
                let how = if *accepted { "accepted" } else { "refused" };
                format!("{} was {how} after {line}", deck.write(*card))
            }
            Said::Wrong { guess, .. } => format!("`{}` was a wrong guess after {line}", guess.text()),
        }
    }

    /// What a rule that it refutes says there, as a sentence without its full stop.
    pub fn contrary(&self, deck: &Deck, rule: &Secret) -> String {
        match &self.said {
            Said::Card { card, accepted } => {
                let says = if *accepted { "refuses" } else { "accepts" };
                format!("`{}` {says} {} there", rule.text(), deck.write(*card))
            }
            Said::Wrong { guess, .. } if rule.text() == guess.text() => {
                format!("`{}` is what was guessed", rule.text())
            }
            Said::Wrong { .. } => format!("from there on `{}` accepts the same cards", rule.text()),
        }
    }
}

/// What several facts have in common that are said together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The rule is another one; somebody knows that.
    NoRule(Option<Seat>),
    /// Cards are accepted, or are not.
    Accepted(bool),
    /// The seat knows of cards that they are accepted, or does not know it.
    Sure(Seat, bool),
    /// The seat holds cards, or does not.
    Holds(Seat, bool),
}

/// The kind of a fact, and the place of its rule or card.
fn kind(fact: &Fact) -> Option<(Kind, usize)> {
    let known = |fact: &Fact| match fact {
        Fact::Knows(seats, inner) => seats.single().zip(literal(inner)),
        _ => None,
    };
    match (literal(fact), fact) {
        (Some((Atom::Rule(place), false)), _) => Some((Kind::NoRule(None), place)),
        (Some((Atom::Accepts(card), yes)), _) => Some((Kind::Accepted(yes), card.index())),
        (Some((Atom::Holds(seat, card), yes)), _) => Some((Kind::Holds(seat, yes), card.index())),
        (Some(_), _) => None,
        (None, Fact::Not(inner)) => match known(inner)? {
            (seat, (Atom::Accepts(card), true)) => Some((Kind::Sure(seat, false), card.index())),
            _ => None,
        },
        (None, fact) => match known(fact)? {
            (seat, (Atom::Rule(place), false)) => Some((Kind::NoRule(Some(seat)), place)),
            (seat, (Atom::Accepts(card), true)) => Some((Kind::Sure(seat, true), card.index())),
            _ => None,
        },
    }
}

impl<G: Eleusis> Memory<G> {
    /// Rules by their texts: a few, and how many there are.
    fn rules(&self, places: &[usize], word: &str) -> String {
        let name = |&place: &usize| self.family.get(place).map_or("no rule".to_string(), |r| format!("`{}`", r.text()));
        match places.len() {
            n if n <= NAMED => listed(places.iter().map(name), word),
            n => format!("{n} rules such as {}", listed(places.iter().take(NAMED).map(name), "and")),
        }
    }

    fn cards(&self, cards: &[usize], word: &str) -> String {
        let names = cards.iter().map(|&card| self.deck().write(Card(card as u8)));
        match cards.len().checked_sub(CARDS) {
            None | Some(0) => listed(names, word),
            Some(more) => listed(names.take(CARDS).chain([format!("{more} others")]), word),
        }
    }

    /// Several facts of one kind.
    fn said(&self, kind: Kind, of: &[usize], facts: &[Fact]) -> String {
        let voice = self.voice();
        let are = if of.len() == 1 { "is" } else { "are" };
        let they = if of.len() == 1 { "it is" } else { "they are" };
        match kind {
            Kind::NoRule(who) => {
                let none = if of.len() > NAMED { "none of" } else { "not" };
                let that = format!("the rule is {none} {}", self.rules(of, "or"));
                who.map_or(that.clone(), |seat| format!("{} that {that}", voice.does(seat, "know", "knows")))
            }
            Kind::Accepted(yes) => {
                format!("{} {are} {} next", self.cards(of, "and"), if yes { "accepted" } else { "refused" })
            }
            Kind::Sure(seat, true) => {
                format!("{} that {} {are} accepted next", voice.does(seat, "know", "knows"), self.cards(of, "and"))
            }
            Kind::Sure(seat, false) => format!(
                "{} of {} that {they} accepted next",
                voice.does(seat, "do not know", "does not know"),
                self.cards(of, "or")
            ),
            Kind::Holds(seat, true) => format!("{} {}", voice.does(seat, "hold", "holds"), self.cards(of, "and")),
            Kind::Holds(seat, false) => {
                let held = |fact: &Fact| matches!(literal(fact), Some((Atom::Holds(s, _), true)) if s == seat);
                let some = facts.iter().filter(|fact| held(fact)).count();
                match (some, some + of.len() == self.deck().all().len()) {
                    (0, true) => format!("{} no card", voice.does(seat, "hold", "holds")),
                    (_, true) => format!("{} no other card", voice.does(seat, "hold", "holds")),
                    (_, false) => {
                        let does = voice.does(seat, "do not hold", "does not hold");
                        format!("{does} {}", self.cards(of, "or"))
                    }
                }
            }
        }
    }

    fn premise(&self, premise: Premise, facts: &[Fact]) -> String {
        match premise {
            Premise::Judged(place) => {
                let Some(judgement) = self.judgements().get(place) else { return String::new() };
                let said = judgement.words(self.deck(), self.mainline());
                match facts {
                    [fact] => match literal(fact).and_then(|(atom, _)| self.rule_of(atom)) {
                        Some(rule) => format!("{said}, and {}", judgement.contrary(self.deck(), rule)),
                        None => said,
                    },
                    _ => said,
                }
            }
            Premise::Family => format!("the rule is one of {}", self.family.len()),
            Premise::Told => self.told(),
            Premise::Deals(seat) => self.voice().does(seat, "deal", "deals"),
            Premise::Hand => "your hand".to_string(),
            Premise::Shown(_) if facts.iter().any(|fact| matches!(literal(fact), Some((_, false)))) => {
                "everybody has seen the whole hand".to_string()
            }
            Premise::Shown(_) => "everybody has seen it there".to_string(),
            Premise::Open => "everybody sees that every copy is elsewhere".to_string(),
        }
    }

    fn rule_of(&self, atom: Atom) -> Option<&Secret> {
        match atom {
            Atom::Rule(place) => self.family.get(place).map(|rule| &**rule),
            Atom::Accepts(_) | Atom::RuleKnown(..) | Atom::Holds(..) | Atom::CanPlay(_) | Atom::SurePlay(_) => None,
        }
    }

    fn told(&self) -> String {
        let text = self.known_rule().map_or(String::new(), |rule| format!("`{}`", rule.text()));
        match self.is_told() {
            true => format!("the rule is {text}"),
            false => format!("you know the rule, {text}"),
        }
    }

    /// What the rules that are left do.
    fn under(&self, left: &[usize], by: &str, facts: &[Fact]) -> String {
        let judged =
            |yes: bool| facts.iter().all(|fact| matches!(kind(fact), Some((Kind::Accepted(y), _)) if y == yes));
        let them = if facts.len() == 1 { "it" } else { "them" };
        let does = |one: bool| match (judged(true), judged(false), one) {
            (true, _, true) => format!("accepts {them}"),
            (true, _, false) => format!("accept {them}"),
            (_, true, true) => format!("refuses {them}"),
            (_, true, false) => format!("refuse {them}"),
            (false, false, true) => "makes it so".to_string(),
            (false, false, false) => "make it so".to_string(),
        };
        let ruled = facts.iter().all(|fact| matches!(fact, Fact::Atom(Atom::Rule(_))));
        match left.len() {
            0 => "no rule is left".to_string(),
            1 if ruled => "no other rule is left".to_string(),
            _ if ruled => "all rules that are left judge alike".to_string(),
            1 => format!("only {} is left, and {}", self.rules(left, "and"), does(true)),
            n if n <= NAMED => format!("{} are left, and {}", self.rules(left, "and"), does(false)),
            n if by.is_empty() => format!("each of the {n} rules that it may be {}", does(true)),
            n => format!("each of the {n} rules that are left {}", does(true)),
        }
    }

    /// How two rules part.
    fn parting(&self, one: usize, other: usize) -> String {
        let both = format!("{} fit all that was judged", self.rules(&[one, other], "and"));
        let state = |place: usize| {
            let rule = self.family.get(place)?;
            Some((rule.automaton(), rule.automaton().run(self.mainline())?))
        };
        let apart = state(one).zip(state(other)).and_then(|(a, b)| separate(a, b));
        match apart {
            Some(apart) => {
                let then = match apart.line.len() {
                    0 => "next".to_string(),
                    _ => format!("after {}", text::list(self.deck(), &apart.line)),
                };
                format!("{both}, and only one of them accepts {} {then}", self.deck().write(apart.card))
            }
            None => both,
        }
    }
}

impl<G: Eleusis> Telling for Memory<G> {
    fn sight(&self, premise: &Premise) -> String {
        if let Premise::Shown(seat) = premise {
            return format!("everybody has seen what {}", self.voice().does(*seat, "hold", "holds"));
        }
        self.premise(*premise, &[])
    }

    fn voice(&self) -> Voice {
        Voice::to(self.seat())
    }

    /// Facts of one kind together.
    fn tell(&self, facts: &[Fact]) -> String {
        let mut groups: Vec<(Kind, Vec<usize>)> = Vec::new();
        let mut rest: Vec<String> = Vec::new();
        for fact in facts {
            match kind(fact) {
                Some((kind, place)) => match groups.iter_mut().find(|(other, _)| *other == kind) {
                    Some((_, places)) => places.push(place),
                    None => groups.push((kind, vec![place])),
                },
                None => rest.push(words(self, fact, &self.voice())),
            }
        }
        let said = groups.iter().map(|(kind, of)| self.said(*kind, of, facts));
        said.chain(rest).collect::<Vec<_>>().join("; ")
    }

    fn premises(&self, premises: &[Premise], facts: &[Fact]) -> String {
        premises.iter().map(|&premise| self.premise(premise, facts)).collect::<Vec<_>>().join("; ")
    }

    fn reason(&self, rule: &Rule, by: &str, facts: &[Fact]) -> String {
        let lead = if by.is_empty() { String::new() } else { format!("by {by}: ") };
        match rule {
            Rule::Left(left) => format!("{lead}{}", self.under(left, by, facts)),
            Rule::Told => format!("{lead}{}", self.told()),
            Rule::Count if facts.iter().all(|fact| matches!(literal(fact), Some((_, false)))) => {
                format!("{lead}there is no other copy")
            }
            Rule::Count => format!("{lead}there are not enough other cards"),
            Rule::Sure => format!("by {by}"),
            Rule::Many => format!("{lead}it holds more cards than there are others"),
            Rule::Agreed(left) if left.len() == 1 => format!("{lead}only {} is left", self.rules(left, "and")),
            Rule::Agreed(left) => format!("{lead}{} are left, and go on alike", self.rules(left, "and")),
            Rule::Differ(one, other) => {
                let which = |fact: &Fact| matches!(literal(fact), Some((Atom::RuleKnown(_, Reading::Which), _)));
                match facts.iter().all(which) {
                    true => format!("{} fit all that was judged", self.rules(&[*one, *other], "and")),
                    false => self.parting(*one, *other),
                }
            }
            Rule::Other { .. } => self.change(rule),
        }
    }

    fn split(&self, _: &Rule) -> String {
        String::new()
    }

    fn change(&self, rule: &Rule) -> String {
        let Rule::Other { rule, hand } = rule else { return String::new() };
        let rule = rule.map(|place| format!("the rule {}", self.rules(&[place], "and")));
        let hand = hand.map(|OtherHand { seat, has, lacks }| {
            let list = |cards: CardSet| self.cards(&cards.iter().map(Card::index).collect::<Vec<_>>(), "or");
            let whose = match seat == self.seat() {
                true => "your hand".to_string(),
                false => format!("the hand of seat {seat}"),
            };
            match (has.is_empty(), lacks.is_empty()) {
                (false, true) => format!("{} in {whose}", list(has)),
                (true, false) => format!("other cards than {} in {whose}", list(lacks)),
                (false, false) | (true, true) => format!("other cards in {whose}"),
            }
        });
        listed(rule.into_iter().chain(hand), "and")
    }

    fn denied(&self, _: &Premise) -> String {
        String::new()
    }

    fn name(&self, rule: &Rule) -> &'static str {
        match rule {
            Rule::Left(_) => "rules left",
            Rule::Told => "the rule itself",
            Rule::Count => "cards counted",
            Rule::Sure => "sure play",
            Rule::Many => "many cards",
            Rule::Agreed(_) => "rules agree",
            Rule::Differ(..) => "rules differ",
            Rule::Other { .. } => "another world",
        }
    }

    fn event(&self, _: &Rule) -> Option<usize> {
        None
    }

    fn event_number(&self, event: usize) -> usize {
        event
    }

    fn premise_data(&self, premise: &Premise) -> Value {
        let kind = match premise {
            Premise::Judged(_) => "judged",
            Premise::Family => "family",
            Premise::Told => "rule",
            Premise::Deals(_) => "deals",
            Premise::Hand => "hand",
            Premise::Shown(_) => "shown",
            Premise::Open => "open",
        };
        json!({"kind": kind, "says": self.premise(*premise, &[])})
    }
}
