//! How the premises and rules of proofs are said.

use super::super::position::{Observed, Position};
use super::emit::is_shown;
use super::rules::{Group, Premise, Rule};
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::{Atom, Fact, Place};
use crate::game::Seat;
use crate::knowledge::proof::Telling;
use crate::knowledge::{Voice, words};
use ken_logic::text::{listed, plural};
use serde_json::{Value, json};

impl Telling for Position {
    fn voice(&self) -> Voice {
        Voice::to(self.observer())
    }

    /// Those about one place together, else those about one card.
    fn tell(&self, facts: &[Fact]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let (mut there, mut gone) = (Vec::new(), Vec::new());
        for fact in facts {
            match fact {
                Fact::Atom(Atom::At(card, place)) => there.push((*card, *place)),
                Fact::Not(inner) => {
                    if let Fact::Atom(Atom::At(card, place)) = **inner {
                        gone.push((card, place));
                    }
                }
                _ => {}
            }
        }
        let at = |spots: &[(Card, Place)], place: Place| -> CardSet {
            spots.iter().filter(|spot| spot.1 == place).map(|spot| spot.0).collect()
        };
        let places = || 0..=usize::from(self.seats());
        let some = |spots: &[(Card, Place)], place: Place| Some(at(spots, place)).filter(|cards| !cards.is_empty());
        parts.extend(places().filter_map(|place| Some(at_place(self, some(&there, place)?, place))));
        let cards: CardSet = gone.iter().map(|spot| spot.0).collect();
        if let (1, Some(card), true) = (cards.len(), cards.lowest(), gone.len() > 1) {
            let places = listed(gone.iter().map(|spot| where_(self, spot.1)), "or");
            parts.push(format!("{} is not {places}", self.deck().name(card)));
        } else {
            parts.extend(places().filter_map(|place| Some(not_at(self, some(&gone, place)?, place))));
        }
        // Where a card is says enough of that it was shown.
        let told = |fact: &&Fact| match fact {
            Fact::Atom(Atom::At(..)) => false,
            Fact::Not(inner) => !matches!(**inner, Fact::Atom(Atom::At(..))),
            fact => !is_shown(fact) || there.is_empty(),
        };
        parts.extend(facts.iter().filter(told).map(|fact| words(self, fact, &self.voice())));
        parts.join("; ")
    }

    fn premises(&self, premises: &[Premise], _: &[Fact]) -> String {
        let mut events: Vec<usize> = premises.iter().filter_map(|p| p.event()).map(|e| e + 1).collect();
        events.sort_unstable();
        match premises {
            [one] => premise(self, *one),
            [Premise::Pass(_, seat), ..] if premises.iter().all(|p| matches!(p, Premise::Pass(_, s) if s == seat)) => {
                format!("events {}: {} passed", listed(events, "and"), it(self, *seat))
            }
            [Premise::Shown(_), ..] if premises.iter().all(|p| matches!(p, Premise::Shown(_))) => {
                format!("events {}: you saw these cards shown", listed(events, "and"))
            }
            several => several.iter().map(|&p| premise(self, p)).collect::<Vec<_>>().join("; "),
        }
    }

    fn reason(&self, rule: &Rule, by: &str, facts: &[Fact]) -> String {
        let deck = self.deck();
        let lead = if by.is_empty() { String::new() } else { format!("by {by}: ") };
        let also = if by.is_empty() { String::new() } else { format!("; by {by}") };
        match rule {
            Rule::OnePlace => format!("{lead}a card is at one place"),
            Rule::LastPlace | Rule::Somewhere(_) => format!("{lead}no other place is left"),
            Rule::Full(seat, shows) if shows.is_empty() => {
                format!("{lead}{} hand of {} is full", its(self, *seat), size(self, *seat))
            }
            Rule::Full(seat, shows) => {
                let events = listed(shows.iter().map(|e| (e + 1).to_string()), "and");
                let plural = if shows.len() == 1 { "event" } else { "events" };
                let with = if by.is_empty() { String::new() } else { format!("{by}, and ") };
                let (its, size) = (its(self, *seat), size(self, *seat));
                format!("{its} hand of {size} is full: by {with}a card shown in {plural} {events}")
            }
            Rule::NeedsAll(seat) => {
                format!("{lead}no other card is left for {} hand of {}", its(self, *seat), size(self, *seat))
            }
            Rule::Taken(category) => format!("{lead}one of the {} is there", deck.category_name(*category)),
            Rule::OnlyOne(category) => format!("{lead}no other of the {} is left", deck.category_name(*category)),
            Rule::OneLeft(event) => format!("{}{also}", premise(self, Premise::Show(*event))),
            Rule::Showed(event) if facts.iter().all(is_shown) => {
                format!("{lead}no other card of event {} is left", event + 1)
            }
            Rule::Showed(event) => format!("{lead}it was shown in event {}", event + 1),
            Rule::Wrong(event) => format!("{}{also}", premise(self, Premise::Wrong(*event))),
            Rule::Fill(group, cards) => {
                let ((places, room), cards) = (places(self, *group), list(self, *cards, "and"));
                format!("{lead}{places} have room for {room} cards, and {cards} can be nowhere else")
            }
            Rule::Need(group, cards) => {
                let ((places, room), cards) = (places(self, *group), list(self, *cards, "and"));
                format!("{lead}{places} need {room} cards, and only {cards} can be there")
            }
            Rule::Clash => match by.contains("and") {
                true => format!("{by} contradict each other"),
                false => format!("{by} contradicts itself"),
            },
            Rule::Solved(_) => format!("by {by}"),
            Rule::SawIt(event) => format!("event {}: it accused wrongly and saw the envelope", event + 1),
            Rule::EndedAfter(end, event) => format!(
                "event {}: {} did not know the envelope, but saw it in event {}",
                end + 1,
                who(self, ender(self, *end)),
                event + 1
            ),
            Rule::Swap(..) => self.change(rule),
        }
    }

    fn sight(&self, premise: &Premise) -> String {
        if let Premise::Wrong(event) = premise {
            return format!("event {}: it accused wrongly and saw the envelope", event + 1);
        }
        self.premises(std::slice::from_ref(premise), &[])
    }

    fn split(&self, rule: &Rule) -> String {
        let deck = self.deck();
        match rule {
            Rule::OneLeft(event) | Rule::Showed(event) => {
                let Some(Observed::Ask { answer: Some(seat), cards, .. }) = self.events().get(*event) else {
                    return String::new();
                };
                format!("{} showed {} in event {}", who(self, *seat), list(self, *cards, "or"), event + 1)
            }
            Rule::Somewhere(card) => format!("{} is somewhere", deck.name(*card)),
            Rule::OnlyOne(category) => format!("one of the {} is in the envelope", deck.category_name(*category)),
            Rule::OnePlace
            | Rule::LastPlace
            | Rule::Full(..)
            | Rule::NeedsAll(_)
            | Rule::Taken(_)
            | Rule::Wrong(_)
            | Rule::Fill(..)
            | Rule::Need(..)
            | Rule::Clash
            | Rule::Solved(_)
            | Rule::SawIt(_)
            | Rule::EndedAfter(..)
            | Rule::Swap(..) => String::new(),
        }
    }

    fn change(&self, rule: &Rule) -> String {
        match rule {
            Rule::Swap(a, b) => format!("{} and {} exchanged", self.deck().name(*a), self.deck().name(*b)),
            Rule::OnePlace
            | Rule::LastPlace
            | Rule::Somewhere(_)
            | Rule::Full(..)
            | Rule::NeedsAll(_)
            | Rule::Taken(_)
            | Rule::OnlyOne(_)
            | Rule::OneLeft(_)
            | Rule::Showed(_)
            | Rule::Wrong(_)
            | Rule::Fill(..)
            | Rule::Need(..)
            | Rule::Clash
            | Rule::Solved(_)
            | Rule::SawIt(_)
            | Rule::EndedAfter(..) => String::new(),
        }
    }

    fn denied(&self, premise: &Premise) -> String {
        match premise {
            Premise::Ended(event) => {
                format!("{} did not know the envelope in event {}", who(self, ender(self, *event)), event + 1)
            }
            other => self::premise(self, *other),
        }
    }

    fn name(&self, rule: &Rule) -> &'static str {
        match rule {
            Rule::OnePlace => "one place",
            Rule::LastPlace => "last place",
            Rule::Somewhere(_) => "somewhere",
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
            Rule::Solved(_) => "knows the envelope",
            Rule::SawIt(_) => "saw the envelope",
            Rule::EndedAfter(..) => "had seen the envelope",
            Rule::Swap(..) => "exchange",
        }
    }

    fn event(&self, rule: &Rule) -> Option<usize> {
        match rule {
            Rule::OneLeft(event) | Rule::Showed(event) | Rule::Wrong(event) => Some(*event),
            Rule::SawIt(event) | Rule::EndedAfter(event, _) => Some(*event),
            Rule::Full(_, shows) => shows.first().copied(),
            Rule::OnePlace
            | Rule::LastPlace
            | Rule::Somewhere(_)
            | Rule::NeedsAll(_)
            | Rule::Taken(_)
            | Rule::OnlyOne(_)
            | Rule::Fill(..)
            | Rule::Need(..)
            | Rule::Clash
            | Rule::Solved(_)
            | Rule::Swap(..) => None,
        }
    }

    fn premise_data(&self, premise: &Premise) -> Value {
        match *premise {
            Premise::Hand => json!({"kind": "hand"}),
            Premise::Pass(_, seat) => json!({"kind": "pass", "seat": seat.0}),
            Premise::Show(_) => json!({"kind": "show"}),
            Premise::Shown(_) => json!({"kind": "shown"}),
            Premise::Right(_) => json!({"kind": "right"}),
            Premise::Wrong(_) => json!({"kind": "wrong"}),
            Premise::Saw(_) => json!({"kind": "saw"}),
            Premise::Ended(_) => json!({"kind": "endmove"}),
            Premise::Size(seat) => json!({"kind": "size", "seat": seat.0}),
            Premise::Category(k) => json!({"kind": "category", "category": self.deck().category_name(k)}),
        }
    }
}

/// The premise in words, with its event.
fn premise(position: &Position, premise: Premise) -> String {
    let me = position.observer();
    let number = premise.event().map_or(0, |e| e + 1);
    let event = premise.event().and_then(|e| position.events().get(e)).copied();
    match (premise, event) {
        (Premise::Hand, _) => "your hand".to_string(),
        (Premise::Size(seat), _) => {
            let holds = position.voice().does(seat, "hold", "holds");
            format!("{holds} {}", plural(size(position, seat), "card"))
        }
        (Premise::Category(k), _) => format!("one of the {} is in the envelope", position.deck().category_name(k)),
        (Premise::Pass(_, seat), Some(Observed::Ask { cards, .. })) => {
            format!("event {number}: {} passed on {}", it(position, seat), list(position, cards, "and"))
        }
        (Premise::Show(_), Some(Observed::Ask { answer: Some(by), cards, .. })) => {
            format!("event {number}: {} showed {}", it(position, by), list(position, cards, "or"))
        }
        (Premise::Shown(_), Some(Observed::Ask { answer: Some(by), .. })) => match by == me {
            true => format!("event {number}: you showed it"),
            false => format!("event {number}: it was shown to you"),
        },
        (Premise::Right(_), _) => format!("event {number}: the accusation was right"),
        (Premise::Wrong(_), Some(Observed::Accuse { cards, .. })) => {
            format!("event {number}: not all of {} are in the envelope", list(position, cards, "and"))
        }
        (Premise::Saw(_), _) => format!("event {number}: you saw the envelope"),
        (Premise::Ended(_), Some(Observed::Endmove { seat })) => {
            let verb = if seat == me { "you did" } else { "it did" };
            format!("event {number}: {verb} not know the envelope")
        }
        (_, _) => format!("event {number}"),
    }
}

fn it(position: &Position, seat: Seat) -> &'static str {
    if seat == position.observer() { "you" } else { "it" }
}

fn its(position: &Position, seat: Seat) -> &'static str {
    if seat == position.observer() { "your" } else { "its" }
}

fn who(position: &Position, seat: Seat) -> String {
    position.voice().who(seat)
}

fn size(position: &Position, seat: Seat) -> u8 {
    position.sizes().get(seat.index()).copied().unwrap_or_default()
}

fn ender(position: &Position, event: usize) -> Seat {
    match position.events().get(event) {
        Some(Observed::Endmove { seat }) => *seat,
        _ => position.observer(),
    }
}

fn list(position: &Position, cards: CardSet, word: &str) -> String {
    listed(cards.iter().map(|c| position.deck().name(c).to_string()), word)
}

fn places(position: &Position, group: Group) -> (String, usize) {
    let seats: Vec<Seat> = Seat::all(8).filter(|s| group.seats >> s.0 & 1 == 1).collect();
    let categories: Vec<usize> = (0..8).filter(|k| group.categories >> k & 1 == 1).collect();
    let room: usize = seats.iter().map(|&s| usize::from(size(position, s))).sum();
    let envelope = (!categories.is_empty()).then(|| {
        let names = categories.iter().map(|&k| position.deck().category_name(k).to_string());
        format!("the envelope's {}", listed(names, "and"))
    });
    let places = listed(seats.iter().map(|&s| who(position, s)).chain(envelope), "and");
    (places, room + categories.len())
}

fn where_(position: &Position, place: Place) -> String {
    match place == usize::from(position.seats()) {
        true => "in the envelope".to_string(),
        false => format!("with {}", who(position, Seat(place as u8))),
    }
}

fn at_place(position: &Position, cards: CardSet, place: Place) -> String {
    let names = list(position, cards, "and");
    if place == usize::from(position.seats()) {
        let are = if cards.len() == 1 { "is" } else { "are" };
        return format!("{names} {are} in the envelope");
    }
    format!("{} {names}", position.voice().does(Seat(place as u8), "hold", "holds"))
}

fn not_at(position: &Position, cards: CardSet, place: Place) -> String {
    if place == usize::from(position.seats()) {
        let are = if cards.len() == 1 { "is" } else { "are" };
        return format!("{} {are} not in the envelope", list(position, cards, "and"));
    }
    let does = position.voice().does(Seat(place as u8), "do not hold", "does not hold");
    format!("{does} {}", list(position, cards, "or"))
}
