//! Proofs as numbered sentences of at most 80 columns, and as data.

use super::super::position::{Observed, Position};
use super::proof::{Finding, Group, Insight, Premise, Proof, Rule, Split, Step};
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::{Fact, Place};
use crate::game::Seat;
use crate::knowledge::write;
use ken_logic::text::listed;
use serde_json::{Value, json};

const WIDTH: usize = 80;

impl Proof {
    /// The proof as sentences, one numbered line or more for each step. The observer is *you*.
    pub fn words(&self, position: &Position) -> String {
        let mut out = String::new();
        self.sentences(position).iter().for_each(|s| paragraph(&mut out, 2 * s.depth, &s.text));
        out
    }

    /// The sentences one by one, for pages that lay them out themselves.
    pub fn sentences(&self, position: &Position) -> Vec<Sentence> {
        let words = Words { position, claim: &self.claim, eyes: None };
        let mut out = Vec::new();
        words.steps(&self.steps, 0, "", &mut out);
        if self.steps.is_empty() {
            out.push(Sentence { depth: 0, text: "It is always true.".to_string(), event: None });
        }
        out
    }

    /// The proof as data: claim, premises and steps, each with its sentence.
    pub fn data(&self, position: &Position) -> Value {
        let words = Words { position, claim: &self.claim, eyes: None };
        json!({
            "claim": write(position, &self.claim),
            "premises": self.premises.iter().map(|&p| words.premise_data(p)).collect::<Vec<_>>(),
            "steps": self.steps.iter().map(|s| words.step_data(s)).collect::<Vec<_>>(),
        })
    }
}

/// A sentence of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// How deep it stands: a case inside a case.
    pub depth: usize,
    /// The sentence, with its number if it concludes or assumes something.
    pub text: String,
    /// The event that it rests on, counted from 0; of several, the first.
    pub event: Option<usize>,
}

struct Words<'p> {
    position: &'p Position,
    claim: &'p Fact,
    /// The seat through whose eyes the steps are told, if not the observer's.
    eyes: Option<Seat>,
}

impl Words<'_> {
    fn steps(&self, steps: &[Step], depth: usize, prefix: &str, out: &mut Vec<Sentence>) {
        for step in steps {
            match &step.rule {
                Rule::Cases(split, cases) => {
                    let event = match split {
                        Split::Show(event) | Split::Showed(event) => Some(*event),
                        Split::Places(_) | Split::Category(_) | Split::Either(..) => None,
                    };
                    out.push(Sentence { depth, text: self.split(*split, &step.from, prefix), event });
                    for case in cases {
                        let assume = self.fact(&case.assume);
                        let then = if case.steps.is_empty() { ": then nothing is left to show" } else { "" };
                        let text = format!("{prefix}{}. Suppose {assume}{then}.", case.number);
                        out.push(Sentence { depth: depth + 1, text, event: None });
                        self.steps(&case.steps, depth + 2, prefix, out);
                    }
                }
                Rule::Knew(knew) => {
                    if let Insight::Follows { envelope, steps } = &knew.why {
                        let ender = self.ender(knew.event);
                        let seat = self.seat(ender);
                        let text = format!("What {seat} would have seen before event {}:", knew.event + 1);
                        out.push(Sentence { depth, text, event: Some(knew.event) });
                        let place = self.position.seats() as usize;
                        let claim = Fact::All(envelope.iter().map(|c| Fact::at(c, place)).collect());
                        let inner = format!("{prefix}{}.", step.number);
                        let eyes = Words { position: self.position, claim: &claim, eyes: Some(ender) };
                        eyes.steps(steps, depth + 1, &inner, out);
                    }
                }
                _ => {}
            }
            let text = format!("{prefix}{}. {}", step.number, self.sentence(step, prefix));
            out.push(Sentence { depth, text, event: event(&step.rule) });
        }
    }

    fn sentence(&self, step: &Step, prefix: &str) -> String {
        let by = numbers(&step.from, prefix);
        let reason = self.reason(step, &by);
        let facts = capital(&self.facts(&step.facts));
        match reason.is_empty() {
            true => format!("{facts}."),
            false => format!("{facts} ({reason})."),
        }
    }

    fn reason(&self, step: &Step, by: &str) -> String {
        let deck = self.position.deck();
        let size = |seat: Seat| self.position.sizes()[seat.index()];
        let its = |seat: Seat| if seat == self.position.observer() { "your" } else { "its" };
        match &step.rule {
            Rule::Given(premise) => self.premise(*premise),
            Rule::View => self.by_itself(&step.facts),
            Rule::OnePlace => format!("by {by}: a card is at one place"),
            Rule::LastPlace => format!("by {by}: no other place is left"),
            Rule::Full(seat, shows) if shows.is_empty() => {
                format!("{}{} hand of {} is full", lead(by), its(*seat), size(*seat))
            }
            Rule::Full(seat, shows) => {
                let events = listed(shows.iter().map(|e| (e + 1).to_string()), "and");
                let plural = if shows.len() == 1 { "event" } else { "events" };
                let with = if by.is_empty() { String::new() } else { format!("{by}, and ") };
                let (its, size) = (its(*seat), size(*seat));
                format!("{its} hand of {size} is full: by {with}a card shown in {plural} {events}")
            }
            Rule::NeedsAll(seat) => {
                format!("by {by}: no other card is left for {} hand of {}", its(*seat), size(*seat))
            }
            Rule::Taken(category) => format!("by {by}: one of the {} is there", deck.category_name(*category)),
            Rule::OnlyOne(category) => format!("by {by}: no other of the {} is left", deck.category_name(*category)),
            Rule::OneLeft(event) => {
                let show = self.premise(Premise::Show(*event));
                if by.is_empty() { show } else { format!("{show}; by {by}") }
            }
            Rule::Showed(event) => format!("by {by}: it was shown in event {}", event + 1),
            Rule::Wrong(event) => {
                let wrong = self.premise(Premise::Wrong(*event));
                if by.is_empty() { wrong } else { format!("{wrong}; by {by}") }
            }
            Rule::Fill(group, cards) => {
                let (places, room) = self.group(*group);
                let cards = self.cards(*cards, "and");
                format!("by {by}: {places} have room for {room} cards, and {cards} can be nowhere else")
            }
            Rule::Need(group, cards) => {
                let (places, room) = self.group(*group);
                let cards = self.cards(*cards, "and");
                format!("by {by}: {places} need {room} cards, and only {cards} can be there")
            }
            Rule::Clash => format!("{by} contradict each other"),
            Rule::Truth if by.is_empty() => "in every deal".to_string(),
            Rule::Truth => format!("by {by}"),
            Rule::Cases(..) => "in every case".to_string(),
            Rule::Knew(knew) => {
                let seat = self.ender(knew.event);
                let (who, event) = (self.seat(seat), knew.event + 1);
                match &knew.why {
                    Insight::Accused(e) => {
                        let saw = e + 1;
                        format!("event {event}: {who} did not know the envelope, but saw it in event {saw}")
                    }
                    Insight::Follows { .. } => {
                        format!("event {event}: {who} did not know the envelope, but by {by} would have known it")
                    }
                }
            }
        }
    }

    /// The premise in words, with its event.
    fn premise(&self, premise: Premise) -> String {
        let me = self.position.observer();
        let it = |seat: Seat| if seat == me { "you" } else { "it" };
        let number = premise.event().map_or(0, |e| e + 1);
        let event = premise.event().map(|e| self.position.events()[e]);
        match (premise, event) {
            (Premise::Hand, _) => "your hand".to_string(),
            (Premise::Size(seat), _) => {
                let size = self.position.sizes()[seat.index()];
                match seat == me {
                    true => format!("you hold {size} cards"),
                    false => format!("seat {seat} holds {size} cards"),
                }
            }
            (Premise::Category(k), _) => {
                format!("one of the {} is in the envelope", self.position.deck().category_name(k))
            }
            (Premise::Pass(_, seat), Some(Observed::Ask { cards, .. })) => {
                format!("event {number}: {} passed on {}", it(seat), self.cards(cards, "and"))
            }
            (Premise::Show(_), Some(Observed::Ask { answer: Some(by), cards, .. })) => {
                format!("event {number}: {} showed {}", it(by), self.cards(cards, "or"))
            }
            (Premise::Shown(_), Some(Observed::Ask { answer: Some(by), .. })) => match by == me {
                true => format!("event {number}: you showed it"),
                false => format!("event {number}: it was shown to you"),
            },
            (Premise::Right(_), _) => format!("event {number}: the accusation was right"),
            (Premise::Wrong(_), Some(Observed::Accuse { cards, .. })) => {
                format!("event {number}: not all of {} are in the envelope", self.cards(cards, "and"))
            }
            (Premise::Saw(_), _) => format!("event {number}: you saw the envelope"),
            (Premise::Ended(_), Some(Observed::Endmove { seat })) => {
                let verb = if seat == me { "you did" } else { "it did" };
                format!("event {number}: {verb} not know the envelope")
            }
            (other, _) => unreachable!("{other:?} is no premise of its event"),
        }
    }

    fn split(&self, split: Split, from: &[usize], prefix: &str) -> String {
        let by = numbers(from, prefix);
        let by = if by.is_empty() { String::new() } else { format!(", by {by}") };
        let deck = self.position.deck();
        match split {
            Split::Show(event) | Split::Showed(event) => {
                let Observed::Ask { answer: Some(seat), cards, .. } = self.position.events()[event] else {
                    unreachable!("a card was shown");
                };
                let (seat, cards) = (capital(&self.seat(seat)), self.cards(cards, "or"));
                format!("{seat} showed {cards} in event {}{by}:", event + 1)
            }
            Split::Places(card) => format!("Where can {} be{by}?", deck.name(card)),
            Split::Category(k) => format!("Which of the {} can be in the envelope{by}?", deck.category_name(k)),
            Split::Either(card, place) => {
                let there = self.fact(&Finding::At(card, place));
                format!("Either {there} or not:")
            }
        }
    }

    fn group(&self, group: Group) -> (String, usize) {
        let seats: Vec<Seat> = Seat::all(8).filter(|s| group.seats >> s.0 & 1 == 1).collect();
        let categories: Vec<usize> = (0..8).filter(|k| group.categories >> k & 1 == 1).collect();
        let room: usize = seats.iter().map(|s| self.position.sizes()[s.index()] as usize).sum();
        let envelope = (!categories.is_empty()).then(|| {
            let names = categories.iter().map(|&k| self.position.deck().category_name(k).to_string());
            format!("the envelope's {}", listed(names, "and"))
        });
        let places = listed(seats.iter().map(|&s| self.seat(s)).chain(envelope), "and");
        (places, room + categories.len())
    }

    /// Whoever's eyes these are sees it. `it` is a seat that the sentence has named.
    fn by_itself(&self, facts: &[Finding]) -> String {
        let about = |fact: &Finding| match *fact {
            Finding::At(_, place) | Finding::Not(_, place) => Some(Seat(place as u8)),
            _ => None,
        };
        match self.eyes {
            None => "you know that by yourself".to_string(),
            Some(seat) if seat == self.position.observer() => "you know that by yourself".to_string(),
            Some(seat) if facts.iter().all(|fact| about(fact) == Some(seat)) => "it knows that by itself".to_string(),
            Some(seat) => format!("seat {seat} knows that by itself"),
        }
    }

    fn ender(&self, event: usize) -> Seat {
        match self.position.events()[event] {
            Observed::Endmove { seat } => seat,
            other => unreachable!("a turn ended, not {other:?}"),
        }
    }

    fn seat(&self, seat: Seat) -> String {
        if seat == self.position.observer() { "you".to_string() } else { format!("seat {seat}") }
    }

    fn cards(&self, cards: CardSet, word: &str) -> String {
        listed(cards.iter().map(|c| self.position.deck().name(c).to_string()), word)
    }

    fn fact(&self, fact: &Finding) -> String {
        self.facts(std::slice::from_ref(fact))
    }

    /// Several facts in one sentence: those about one place together, else those about one card.
    fn facts(&self, facts: &[Finding]) -> String {
        let cards_at = |there: bool, place: Place| -> CardSet {
            let here = |f: &Finding| match *f {
                Finding::At(c, p) if there && p == place => Some(c),
                Finding::Not(c, p) if !there && p == place => Some(c),
                _ => None,
            };
            facts.iter().filter_map(here).collect()
        };
        let mut parts: Vec<String> = Vec::new();
        for place in 0..=self.position.seats() as usize {
            let cards = cards_at(true, place);
            if !cards.is_empty() {
                parts.push(self.at(cards, place));
            }
        }
        let excluded: Vec<(Card, Place)> = facts
            .iter()
            .filter_map(|f| match *f {
                Finding::Not(c, p) => Some((c, p)),
                _ => None,
            })
            .collect();
        let cards: CardSet = excluded.iter().map(|e| e.0).collect();
        if let (1, Some(card), true) = (cards.len(), cards.lowest(), excluded.len() > 1) {
            let places = listed(excluded.iter().map(|e| self.place(e.1)), "or");
            parts.push(format!("{} is not {places}", self.position.deck().name(card)));
        } else {
            for place in 0..=self.position.seats() as usize {
                let cards = cards_at(false, place);
                if !cards.is_empty() {
                    parts.push(self.not(cards, place));
                }
            }
        }
        for fact in facts {
            match *fact {
                Finding::Showed(event, card) => {
                    parts.push(format!("{} was shown in event {}", self.position.deck().name(card), event + 1));
                }
                Finding::Goal => parts.push(write(self.position, self.claim)),
                Finding::Impossible => parts.push("that cannot be".to_string()),
                Finding::At(..) | Finding::Not(..) => {}
            }
        }
        parts.join("; ")
    }

    fn place(&self, place: Place) -> String {
        match place == self.position.seats() as usize {
            true => "in the envelope".to_string(),
            false => format!("with {}", self.seat(Seat(place as u8))),
        }
    }

    fn at(&self, cards: CardSet, place: Place) -> String {
        let names = self.cards(cards, "and");
        if place == self.position.seats() as usize {
            let are = if cards.len() == 1 { "is" } else { "are" };
            return format!("{names} {are} in the envelope");
        }
        match Seat(place as u8) == self.position.observer() {
            true => format!("you hold {names}"),
            false => format!("seat {place} holds {names}"),
        }
    }

    fn not(&self, cards: CardSet, place: Place) -> String {
        if place == self.position.seats() as usize {
            let are = if cards.len() == 1 { "is" } else { "are" };
            return format!("{} {are} not in the envelope", self.cards(cards, "and"));
        }
        let names = self.cards(cards, "or");
        match Seat(place as u8) == self.position.observer() {
            true => format!("you do not hold {names}"),
            false => format!("seat {place} does not hold {names}"),
        }
    }

    fn premise_data(&self, premise: Premise) -> Value {
        let mut data = json!({"kind": kind(premise), "text": self.premise(premise)});
        if let Some(event) = premise.event() {
            data["event"] = (event + 1).into();
        }
        if let Premise::Pass(_, seat) | Premise::Size(seat) = premise {
            data["seat"] = seat.0.into();
        }
        if let Premise::Category(category) = premise {
            data["category"] = self.position.deck().category_name(category).into();
        }
        data
    }

    fn fact_data(&self, fact: &Finding) -> Value {
        let name = |card: Card| self.position.deck().name(card);
        let claim = |card, place| write(self.position, &Fact::at(card, place));
        match *fact {
            Finding::At(card, place) => claim(card, place).into(),
            Finding::Not(card, place) => format!("!{}", claim(card, place)).into(),
            Finding::Showed(event, card) => json!({"shown": name(card), "event": event + 1}),
            Finding::Goal => write(self.position, self.claim).into(),
            Finding::Impossible => "false".into(),
        }
    }

    fn step_data(&self, step: &Step) -> Value {
        let mut data = json!({
            "step": step.number,
            "facts": step.facts.iter().map(|f| self.fact_data(f)).collect::<Vec<_>>(),
            "rule": rule_name(&step.rule),
            "from": step.from,
            "text": self.sentence(step, ""),
        });
        match &step.rule {
            Rule::Given(premise) => data["premise"] = self.premise_data(*premise),
            Rule::Full(seat, shows) => {
                data["seat"] = seat.0.into();
                data["events"] = shows.iter().map(|e| e + 1).collect();
            }
            Rule::NeedsAll(seat) => data["seat"] = seat.0.into(),
            Rule::Taken(k) | Rule::OnlyOne(k) => data["category"] = self.position.deck().category_name(*k).into(),
            Rule::OneLeft(event) | Rule::Showed(event) | Rule::Wrong(event) => data["event"] = (event + 1).into(),
            Rule::Fill(_, cards) | Rule::Need(_, cards) => {
                data["cards"] = cards.iter().map(|c| self.position.deck().name(c)).collect();
            }
            Rule::Cases(split, cases) => {
                data["distinction"] = self.split(*split, &step.from, "").into();
                let case = |case: &super::proof::Case| {
                    let steps: Vec<Value> = case.steps.iter().map(|s| self.step_data(s)).collect();
                    json!({"step": case.number, "assume": self.fact_data(&case.assume), "steps": steps})
                };
                data["cases"] = cases.iter().map(case).collect();
            }
            Rule::Knew(knew) => {
                data["event"] = (knew.event + 1).into();
                data["seat"] = self.ender(knew.event).0.into();
                match &knew.why {
                    Insight::Accused(event) => data["accused"] = (event + 1).into(),
                    Insight::Follows { envelope, steps } => {
                        let place = self.position.seats() as usize;
                        let claim = Fact::All(envelope.iter().map(|c| Fact::at(c, place)).collect());
                        let ender = Some(self.ender(knew.event));
                        let eyes = Words { position: self.position, claim: &claim, eyes: ender };
                        data["eyes"] = steps.iter().map(|s| eyes.step_data(s)).collect();
                    }
                }
            }
            Rule::View | Rule::OnePlace | Rule::LastPlace | Rule::Clash | Rule::Truth => {}
        }
        data
    }
}

/// The event that a step rests on.
fn event(rule: &Rule) -> Option<usize> {
    match rule {
        Rule::Given(premise) => premise.event(),
        Rule::OneLeft(event) | Rule::Showed(event) | Rule::Wrong(event) => Some(*event),
        Rule::Full(_, shows) => shows.first().copied(),
        Rule::Knew(knew) => Some(knew.event),
        Rule::View
        | Rule::OnePlace
        | Rule::LastPlace
        | Rule::NeedsAll(_)
        | Rule::Taken(_)
        | Rule::OnlyOne(_)
        | Rule::Fill(..)
        | Rule::Need(..)
        | Rule::Clash
        | Rule::Truth
        | Rule::Cases(..) => None,
    }
}

fn kind(premise: Premise) -> &'static str {
    match premise {
        Premise::Hand => "hand",
        Premise::Pass(..) => "pass",
        Premise::Show(_) => "show",
        Premise::Shown(_) => "shown",
        Premise::Right(_) => "right",
        Premise::Wrong(_) => "wrong",
        Premise::Saw(_) => "saw",
        Premise::Ended(_) => "endmove",
        Premise::Size(_) => "size",
        Premise::Category(_) => "category",
    }
}

fn rule_name(rule: &Rule) -> &'static str {
    match rule {
        Rule::Given(premise) => kind(*premise),
        Rule::View => "own view",
        Rule::OnePlace => "one place",
        Rule::LastPlace => "last place",
        Rule::Full(..) => "full hand",
        Rule::NeedsAll(_) => "needs all",
        Rule::Taken(_) => "category taken",
        Rule::OnlyOne(_) => "only candidate",
        Rule::OneLeft(_) => "show with one left",
        Rule::Showed(_) => "was shown",
        Rule::Wrong(_) => "wrong accusation",
        Rule::Fill(..) => "room counted",
        Rule::Need(..) => "need counted",
        Rule::Clash => "contradiction",
        Rule::Truth => "claim",
        Rule::Cases(..) => "cases",
        Rule::Knew(_) => "would have known",
    }
}

fn lead(by: &str) -> String {
    if by.is_empty() { String::new() } else { format!("by {by}: ") }
}

fn numbers(from: &[usize], prefix: &str) -> String {
    listed(from.iter().map(|n| format!("{prefix}{n}")), "and")
}

fn capital(text: &str) -> String {
    // Names of cards are words of the game and stay as they are; sentences that begin with a seat do not.
    match text.strip_prefix("seat ").map(|rest| format!("Seat {rest}")) {
        Some(text) => text,
        None => match text.strip_prefix("you ").map(|rest| format!("You {rest}")) {
            Some(text) => text,
            None if text == "you" => "You".to_string(),
            None if text == "that cannot be" => "That cannot be".to_string(),
            None => text.to_string(),
        },
    }
}

/// Adds a text in lines of at most [`WIDTH`] columns, the first indented by `indent` and the others by three more.
fn paragraph(out: &mut String, indent: usize, text: &str) {
    // Deep inside many cases the indentation stops growing, so that words still fit.
    let indent = indent.min(WIDTH / 2);
    let mut column = indent;
    out.push_str(&" ".repeat(indent));
    for (i, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(&" ".repeat(indent + 3));
            column = indent + 3;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluedo::read;

    #[test]
    fn what_somebody_knows_by_themselves_is_said_to_the_reader_as_you() {
        let text = r#"{"deck": {"as": ["a0","a1","a2"], "bs": ["b0","b1","b2"], "cs": ["c0","c1","c2","c3"]},
            "hand_sizes": [3,2,2], "observer": 0, "hand": ["a0","a2","b2"], "events": []}"#;
        let position = read::position(text).unwrap();
        let claim = crate::knowledge::read(&position, "holds(2,b1)").unwrap();
        let told = |eyes: u8, place: Place| {
            let words = Words { position: &position, claim: &claim, eyes: Some(Seat(eyes)) };
            let facts = vec![Finding::Not(position.deck().cards().lowest().unwrap(), place)];
            words.sentence(&Step { number: 1, facts, rule: Rule::View, from: Vec::new() }, "")
        };
        assert_eq!(told(0, 0), "You do not hold a0 (you know that by yourself).");
        assert_eq!(told(0, 2), "Seat 2 does not hold a0 (you know that by yourself).");
        assert_eq!(told(2, 2), "Seat 2 does not hold a0 (it knows that by itself).");
        assert_eq!(told(2, 0), "You do not hold a0 (seat 2 knows that by itself).");
    }
}
