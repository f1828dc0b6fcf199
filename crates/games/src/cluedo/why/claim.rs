//! What can be asked for: where a card is, and Boolean combinations of that.

use super::super::position::{Deal, Position};
use crate::cards::Card;
use crate::game::Seat;
use ken_logic::formula::{F, Formula, Name};
use ken_logic::syntax::{Code, Diagnostic, Scope, Span, nearest};
use std::fmt::Write;

/// A place for a card: a seat, or the number of seats for the envelope.
pub type Place = usize;

/// A statement about the deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// True or false.
    Const(bool),
    /// The card is at the place.
    At(Card, Place),
    /// It is not so.
    Not(Box<Claim>),
    /// All of these.
    All(Vec<Claim>),
    /// One of these at least.
    Any(Vec<Claim>),
    /// Both or neither.
    Same(Box<Claim>, Box<Claim>),
}

impl Claim {
    /// `holds(seat,card)`.
    pub fn holds(seat: Seat, card: Card) -> Claim {
        Claim::At(card, seat.index())
    }

    /// `env(card)` at a table of so many seats.
    pub fn envelope(seats: u8, card: Card) -> Claim {
        Claim::At(card, seats as usize)
    }

    /// The opposite.
    #[must_use]
    pub fn negated(&self) -> Claim {
        match self {
            Claim::Const(value) => Claim::Const(!value),
            Claim::Not(inner) => (**inner).clone(),
            other => Claim::Not(Box::new(other.clone())),
        }
    }

    /// Whether it holds in a deal.
    pub fn holds_in(&self, deal: &Deal) -> bool {
        self.truth(&|card, place| Some(deal.places[place].has(card))).expect("a deal decides everything")
    }

    /// Its truth value where some atoms have none; `None` if they matter.
    pub(super) fn truth(&self, atom: &dyn Fn(Card, Place) -> Option<bool>) -> Option<bool> {
        match self {
            Claim::Const(value) => Some(*value),
            Claim::At(card, place) => atom(*card, *place),
            Claim::Not(inner) => inner.truth(atom).map(|value| !value),
            Claim::All(parts) => decided(parts, atom, false),
            Claim::Any(parts) => decided(parts, atom, true),
            Claim::Same(a, b) => Some(a.truth(atom)? == b.truth(atom)?),
        }
    }

    /// Its atoms, in order.
    pub(super) fn atoms(&self, out: &mut Vec<(Card, Place)>) {
        match self {
            Claim::Const(_) => {}
            Claim::At(card, place) => {
                if !out.contains(&(*card, *place)) {
                    out.push((*card, *place));
                }
            }
            Claim::Not(inner) => inner.atoms(out),
            Claim::All(parts) | Claim::Any(parts) => parts.iter().for_each(|p| p.atoms(out)),
            Claim::Same(a, b) => {
                a.atoms(out);
                b.atoms(out);
            }
        }
    }

    /// Reads `holds(2,plum)`, `env(plum)`, and what `!`, `&`, `|`, `->` and `<->` make of them.
    pub fn read(text: &str, position: &Position) -> Result<Claim, Vec<Diagnostic>> {
        let seats: Vec<Name> = (0..position.seats()).map(|s| s.to_string().into()).collect();
        let formula = Scope::free(&seats).formula(text)?;
        let mut problems = Vec::new();
        match convert(&formula, text, position, &mut problems) {
            Some(claim) if problems.is_empty() => Ok(claim),
            _ => Err(problems),
        }
    }

    /// The claim in the language of formulas; [`Claim::read`] reads it back.
    pub fn write(&self, position: &Position) -> String {
        let mut out = String::new();
        self.put(position, &mut out);
        out
    }

    fn put(&self, position: &Position, out: &mut String) {
        let joined = |parts: &[Claim], sign: &str, out: &mut String| {
            out.push('(');
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push_str(sign);
                }
                part.put(position, out);
            }
            out.push(')');
        };
        match self {
            Claim::Const(value) => out.push_str(if *value { "true" } else { "false" }),
            Claim::At(card, place) => {
                let name = position.deck().name(*card);
                // Writing to a string cannot fail.
                let _ = match *place == position.seats() as usize {
                    true => write!(out, "env({name})"),
                    false => write!(out, "holds({place},{name})"),
                };
            }
            Claim::Not(inner) => {
                out.push('!');
                inner.put(position, out);
            }
            Claim::All(parts) if parts.is_empty() => out.push_str("true"),
            Claim::Any(parts) if parts.is_empty() => out.push_str("false"),
            Claim::All(parts) => joined(parts, " & ", out),
            Claim::Any(parts) => joined(parts, " | ", out),
            Claim::Same(a, b) => joined(&[(**a).clone(), (**b).clone()], " <-> ", out),
        }
    }
}

fn decided(parts: &[Claim], atom: &dyn Fn(Card, Place) -> Option<bool>, by: bool) -> Option<bool> {
    let mut all = true;
    for part in parts {
        match part.truth(atom) {
            Some(value) if value == by => return Some(by),
            Some(_) => {}
            None => all = false,
        }
    }
    all.then_some(!by)
}

fn convert(formula: &F, text: &str, position: &Position, problems: &mut Vec<Diagnostic>) -> Option<Claim> {
    let mut part = |f: &F| convert(f, text, position, problems);
    Some(match &**formula {
        Formula::Const(value) => Claim::Const(*value),
        Formula::Atom(name) => return atom(name, text, position, problems),
        Formula::Not(f) => Claim::Not(Box::new(part(f)?)),
        Formula::And(parts) => Claim::All(each(parts, &mut part)?),
        Formula::Or(parts) => Claim::Any(each(parts, &mut part)?),
        Formula::Imp(f, g) => {
            let (f, g) = (part(f), part(g));
            Claim::Any(vec![Claim::Not(Box::new(f?)), g?])
        }
        Formula::Iff(f, g) => {
            let (f, g) = (part(f), part(g));
            Claim::Same(Box::new(f?), Box::new(g?))
        }
        _ => {
            let problem = Diagnostic::new(Code::Objective, Span::new(0, text.len()), "only facts can be explained");
            problems.push(
                problem.label("more than facts").help("holds(seat,card), env(card), and ! & | -> <-> between them; `ken cluedo know` answers what others know"),
            );
            return None;
        }
    })
}

/// All of them, with the problems of all.
fn each(parts: &[F], part: &mut dyn FnMut(&F) -> Option<Claim>) -> Option<Vec<Claim>> {
    let read: Vec<Option<Claim>> = parts.iter().map(part).collect();
    read.into_iter().collect()
}

fn atom(name: &str, text: &str, position: &Position, problems: &mut Vec<Diagnostic>) -> Option<Claim> {
    let (base, arguments) = name.split_once('(').unwrap_or((name, ")"));
    let arguments: Vec<&str> = arguments.trim_end_matches(')').split(',').map(str::trim).collect();
    // Formulas carry no places: the name is looked for in the text.
    let place = |word: &str| match text.find(word) {
        Some(at) if !word.is_empty() => Span::new(at, at + word.len()),
        _ => Span::new(0, text.len()),
    };
    let seats = position.seats() as usize;
    let (seat, card) = match (base, &arguments[..]) {
        ("holds", [seat, card]) => (Some(*seat), *card),
        ("env", [card]) if !card.is_empty() => (None, *card),
        ("holds" | "env", _) => {
            let problem = Diagnostic::new(Code::Index, place(base), format!("`{name}` has the wrong arguments"));
            problems.push(problem.label("holds(seat,card) or env(card)"));
            return None;
        }
        _ => {
            let problem = Diagnostic::new(Code::UnknownName, place(base), format!("there is no fact `{base}`"));
            let near = nearest(base, ["holds", "env"]).map(|near| format!("did you mean `{near}`?"));
            problems
                .push(problem.label("not a fact").help(near.unwrap_or("holds(seat,card) or env(card)".to_string())));
            return None;
        }
    };
    let at = match seat {
        None => Some(seats),
        Some(seat) => seat.parse::<usize>().ok().filter(|&s| s < seats).or_else(|| {
            let problem = Diagnostic::new(Code::UnknownName, place(seat), format!("there is no seat {seat}"));
            problems.push(problem.label("nobody sits there").help(format!("the seats are 0 to {}", seats - 1)));
            None
        }),
    };
    let card = position.deck().card(card).map_err(|wrong| {
        let mut problem = Diagnostic::new(Code::UnknownName, place(card), wrong.message).label("not in the deck");
        problem.help = wrong.help;
        problems.push(problem);
    });
    Some(Claim::At(card.ok()?, at?))
}
