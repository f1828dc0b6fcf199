//! Proofs as short sentences.

use super::atoms::{Atom, Fact, cards, colours};
use super::check::{End, Goal, Left, Part, Proof, Rules, Step, having, settled, within};
use super::memory::{Noted, Notes, Premise};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::knowledge::{Other, Seats, Voice, words};
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours};
use serde_json::{Value, json};

impl Noted {
    /// The premise as a sentence without its full stop; `seat` is whose it is.
    pub fn words(&self, seat: Seat) -> String {
        let when = self.event.map_or(String::new(), |event| format!(" (event {event})"));
        let text = match self.premise {
            Premise::Look(card, colour) => format!("seat {seat} saw that card {} is {colour}", card.0 + 1),
            Premise::Hint(card, hint) => format!("the hint on card {} says {}", card.0 + 1, colours(hint)),
            Premise::Told(card, told) => format!("it was told that card {} is {}", card.0 + 1, colours(told)),
            Premise::Same(a, b) => format!("it was announced that {}", Atom::Same(a, b).words(true)),
            Premise::WentOn(_) => "the match went on after a move, so not every colour was connected".to_string(),
            Premise::Shown(card, colour) => format!("the end showed that card {} is {colour}", card.0 + 1),
        };
        text + &when
    }
}

impl Proof {
    /// The proof as lines: what it goes by, then step by step, parts indented.
    pub fn words(&self, notes: &Notes) -> String {
        let mut out = String::new();
        for noted in &self.premises {
            out += &format!("- {}\n", noted.words(self.seat));
        }
        let mut teller = Teller { rules: Rules::new(notes, &self.premises), lines: Vec::new() };
        teller.part(teller.rules.own, &self.fact, &self.part, 0);
        for (depth, line) in teller.lines {
            out += &format!("{}{line}\n", "  ".repeat(depth));
        }
        out
    }

    /// The proof as data: premises and lines, each with how deep it stands.
    pub fn data(&self, notes: &Notes) -> Value {
        let mut teller = Teller { rules: Rules::new(notes, &self.premises), lines: Vec::new() };
        teller.part(teller.rules.own, &self.fact, &self.part, 0);
        let lines = teller.lines.iter().map(|(depth, text)| json!({"depth": depth, "text": text}));
        json!({
            "premises": self.premises.iter().map(|noted| noted.words(self.seat)).collect::<Vec<_>>(),
            "steps": lines.collect::<Vec<_>>(),
        })
    }
}

impl Other<Atom, Colouring> {
    /// The step as a sentence.
    pub fn words(&self, notes: &Notes) -> String {
        format!(
            "{} cannot tell that from {}, where it is false that {}",
            who(self.seats),
            row(&self.world),
            words(notes, &self.fails, &Voice::default())
        )
    }
}

/// `seat 1` or `the seats together`.
fn who(seats: Seats) -> String {
    match seats.iter().next() {
        Some(seat) if seats.len() == 1 => format!("seat {seat}"),
        _ => "the seats together".to_string(),
    }
}

/// The colours as letters in the order of the cards, four and four.
pub fn row(colouring: &Colouring) -> String {
    let letters: String = colouring.colours().iter().map(|c| c.letter()).collect();
    let fours: Vec<&str> = (0..CARDS).step_by(4).map(|i| &letters[i..i + 4]).collect();
    fours.join(" ")
}

struct Teller<'a> {
    rules: Rules<'a>,
    lines: Vec<(usize, String)>,
}

impl Teller<'_> {
    fn words(&self, fact: &Fact) -> String {
        words(self.rules.notes, fact, &Voice::default())
    }

    fn say(&mut self, depth: usize, line: String) {
        let mut chars = line.chars();
        let capital = chars.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
        self.lines.push((depth, capital + chars.as_str()));
    }

    fn part(&mut self, mut left: Left, fact: &Fact, part: &Part, depth: usize) {
        for &step in &part.steps {
            let after = self.rules.step(left, step).expect("a checked proof");
            self.step(&left, &after, step, depth);
            left = after;
        }
        match &part.end {
            End::Plain => {
                let reason = self.reason(&left, fact);
                self.say(depth, format!("{reason}so {}.", self.words(fact)));
            }
            End::Crowded(set) => {
                let inside = within(&left, *set);
                let line = match set.len() {
                    0 => format!("no colour is left for {}: this cannot be.", cards(inside)),
                    n => format!(
                        "{} would be {}, and there are only {}: this cannot be.",
                        cards(inside),
                        colours(*set),
                        4 * n
                    ),
                };
                self.say(depth, line);
            }
            End::Ended(_) => {
                self.say(depth, "every colour would have been connected and the match over: this cannot be.".into());
            }
            End::Split(card, cases) => {
                // A case that shows the fact at once need not be told.
                let told = cases.iter().filter(|(_, case)| !(case.steps.is_empty() && case.end == End::Plain));
                for (colour, case) in told {
                    self.say(depth, format!("if card {} is {colour}:", card.0 + 1));
                    self.part(settled(left, *card, *colour), fact, case, depth + 1);
                }
                self.say(depth, format!("so in each case {}.", self.words(fact)));
            }
            End::All(parts) => {
                let Goal::All(facts) = Goal::of(fact) else { unreachable!("a checked proof") };
                facts.iter().zip(parts).for_each(|(fact, part)| self.part(left, fact, part, depth));
            }
            End::Any(at, part) => {
                let Goal::Any(facts) = Goal::of(fact) else { unreachable!("a checked proof") };
                self.part(left, &facts[*at], part, depth);
            }
            End::Knows(part) => {
                let Goal::Knows(seats, inner) = Goal::of(fact) else { unreachable!("a checked proof") };
                let seen = self.rules.seen(seats);
                self.view(&who(seats), &left, seen, depth);
                self.part(self.rules.seen_by(&left, seen), &inner, part, depth + 1);
                self.say(depth, format!("so {}.", self.words(fact)));
            }
            End::Common(part) => {
                let Goal::Common(inner) = Goal::of(fact) else { unreachable!("a checked proof") };
                let seen = self.rules.seen_by_both();
                self.view("each seat", &left, seen, depth);
                self.part(self.rules.seen_by(&left, seen), &inner, part, depth + 1);
                self.say(depth, format!("so {}.", self.words(fact)));
            }
            End::Untrue(part) => {
                let Goal::Unsure(_, inner) = Goal::of(fact) else { unreachable!("a checked proof") };
                self.part(left, &inner.negated(), part, depth);
                self.say(depth, format!("what is false nobody knows, so {}.", self.words(fact)));
            }
            End::Exchange(a, b, part) => {
                let Goal::Unsure(seats, inner) = Goal::of(fact) else { unreachable!("a checked proof") };
                let after = self.rules.exchanged(&left, self.rules.seen(seats), *a, *b).expect("a checked proof");
                let pair = cards(CardSet::of(*a).with(*b));
                self.say(depth, format!("{} did not look at {pair}; if they were exchanged:", who(seats)));
                self.part(after, &inner.negated(), part, depth + 1);
                self.say(depth, format!("so {}.", self.words(fact)));
            }
            End::Chain(seats, part) => {
                let Goal::Unshared(inner) = Goal::of(fact) else { unreachable!("a checked proof") };
                self.part(left, &inner.known_along(seats).negated(), part, depth);
                self.say(depth, format!("so {}.", self.words(fact)));
            }
            End::Unsure(other, part) => {
                let Goal::Unsure(seats, inner) = Goal::of(fact) else { unreachable!("a checked proof") };
                self.say(depth, format!("for all {} can see, the colours are {}:", who(seats), row(other)));
                self.part(other.colours().map(Colours::of), &inner.negated(), part, depth + 1);
                self.say(depth, format!("so {}.", self.words(fact)));
            }
        }
    }

    /// What somebody saw, as far as it is more than what is public.
    fn view(&mut self, who: &str, left: &Left, seen: CardSet, depth: usize) {
        let tells = |card: &Card| left[card.index()] != self.rules.public[card.index()];
        let saw: Vec<String> =
            seen.iter().filter(tells).map(|card| format!("{} {}", card.0 + 1, colours(left[card.index()]))).collect();
        let line = match saw.is_empty() {
            true => format!("{who} sees what is public:"),
            false => format!("{who} saw the cards {}:", saw.join(", ")),
        };
        self.say(depth, line);
    }

    fn step(&mut self, before: &Left, after: &Left, step: Step, depth: usize) {
        let line = match step {
            Step::Full(set) => {
                let inside = within(before, set);
                let rest = Colours::ALL.minus(set);
                match (set.single(), rest.single()) {
                    (Some(colour), _) => {
                        format!("{} are the four {colour} ones, so no other is {colour}", cards(inside))
                    }
                    (_, Some(colour)) => {
                        let others = CardSet::first(CARDS).minus(inside);
                        format!("only {} can be {colour}, so they are", cards(others))
                    }
                    _ => format!("{} are all that are {}, so no other is", cards(inside), colours(set)),
                }
            }
            Step::Same(a, b) => {
                let both = after[a.index()];
                format!("{} have the same colour, so both are {}", cards(CardSet::of(a).with(b)), colours(both))
            }
        };
        let news = match step {
            // What the sentence itself says is not said again.
            Step::Full(set) if set.len() == 3 => CardSet::EMPTY,
            Step::Same(..) => CardSet::EMPTY,
            Step::Full(_) => having(after, |set| set.len() == 1).minus(having(before, |set| set.len() == 1)),
        };
        let news: Vec<String> =
            news.iter().map(|card| format!("card {} is {}", card.0 + 1, colours(after[card.index()]))).collect();
        let news = if news.is_empty() { String::new() } else { format!("; {}", news.join(", ")) };
        self.say(depth, format!("{line}{news}."));
    }

    /// What makes a fact plain, where that is not the fact itself.
    fn reason(&self, left: &Left, fact: &Fact) -> String {
        match fact {
            Fact::Atom(Atom::Grouped) => {
                let group = |c: Colour| format!("{c} {}", numbers(within(left, Colours::of(c))));
                format!("the groups are {}, ", Colour::ALL.map(group).join("; "))
            }
            Fact::Not(inner) if **inner == Fact::Atom(Atom::Grouped) => match self.rules.cut_off(left) {
                Some(colour) => {
                    let sure = within(left, Colours::of(colour));
                    match sure.len() {
                        0 => format!("no four connected cards can all be {colour}, "),
                        _ => format!("no four connected cards with {} can all be {colour}, ", cards(sure)),
                    }
                }
                None => "no way to cut the layout into connected fours fits what is left, ".to_string(),
            },
            _ => String::new(),
        }
    }
}

fn numbers(set: CardSet) -> String {
    set.iter().map(|c| (c.0 + 1).to_string()).collect::<Vec<_>>().join(" ")
}
