//! Facts as text and in words, the same for every game.

use super::fact::{Fact, Outcomes};
use super::seats::Seats;
use crate::game::{Illegal, Seat};
use ken_logic::formula::{Action, Cmp, F, Formula, Group, Name};
use ken_logic::syntax::{Code, Diagnostic, OwnWord, Scope, Span, nearest};
use ken_logic::text::{grouped, listed};
use std::hash::Hash;
use std::sync::Arc;

/// How the facts of a position are read, written and said. Everything else about formulas is the same for all games.
pub trait Language {
    /// A fact about a world that is not put together from others.
    type Atom: Clone + Eq + Hash + std::fmt::Debug;

    /// How many play.
    fn seats(&self) -> u8;

    /// The words that facts begin with, each with its arguments as one writes them: `("holds", "seat,card")`.
    fn facts(&self) -> &'static [(&'static str, &'static str)];

    /// The fact with this word of the list and as many arguments as the list says.
    ///
    /// # Errors
    /// Which argument is wrong.
    fn fact(&self, word: &str, arguments: &[&str]) -> Result<Fact<Self::Atom>, Illegal>;

    /// Whether a move can be asked about where it stands.
    ///
    /// # Errors
    /// Why it cannot.
    fn allows(&self, action: &str, stands: Stands) -> Result<(), Illegal>;

    /// The fact as it is read back.
    fn write(&self, atom: &Self::Atom) -> String;

    /// The fact, or that it is false, as a part of a sentence.
    fn say(&self, atom: &Self::Atom, yes: bool, voice: &Voice) -> String;

    /// Whether the fact says that somebody knows something.
    fn tells_knowledge(&self, atom: &Self::Atom) -> bool {
        let _ = atom;
        false
    }
}

/// Where a move stands in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stands {
    /// At the front: it is one that can be made now, as far as the observer knows.
    First,
    /// Behind somebody's knowledge: it is one that can be made now, as far as everybody knows.
    InMind,
    /// Behind another move: whether it can be made depends on that.
    Later,
}

/// Who speaks to whom: what the seats are called in sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Voice {
    /// The seat that is called `you`.
    pub you: Option<Seat>,
}

impl Voice {
    /// Somebody who tells a seat about itself and the others.
    pub fn to(seat: Seat) -> Voice {
        Voice { you: Some(seat) }
    }

    /// `you` or `seat 2`.
    pub fn who(&self, seat: Seat) -> String {
        if self.you == Some(seat) { "you".to_string() } else { format!("seat {seat}") }
    }

    /// What the seat does: `you know`, `seat 2 knows`.
    pub fn does(&self, seat: Seat, plural: &str, singular: &str) -> String {
        format!("{} {}", self.who(seat), if self.you == Some(seat) { plural } else { singular })
    }

    /// Several seats: `you, seat 1 and seat 2`.
    pub fn all(&self, seats: Seats) -> String {
        listed(seats.iter().map(|seat| self.who(seat)), "and")
    }
}

/// Reads a formula over the facts of a position, with the seats as agents; on failure, every problem found in it.
pub fn read<L: Language>(language: &L, text: &str) -> Result<Fact<L::Atom>, Vec<Diagnostic>> {
    let agents: Vec<Name> = Seat::all(language.seats()).map(|s| s.to_string().into()).collect();
    let words: Vec<&str> = language.facts().iter().map(|(word, _)| *word).collect();
    let (formula, own) = Scope::of_game(&agents, &words).about_game(text)?;
    let mut problems: Vec<Diagnostic> = Vec::new();
    let mut moves = Vec::new();
    standing(&formula, Stands::First, &mut moves);
    for (word, span) in &own {
        let wrong = match word {
            OwnWord::Fact(name) => named(language, name).err(),
            OwnWord::Move(action) => {
                // Where it stands in several places, the one that asks least of it counts.
                let stands = moves.iter().filter(|(name, _)| name == action).map(|found| found.1).max();
                language.allows(action, stands.unwrap_or(Stands::Later)).err().map(|wrong| (Code::Action, wrong))
            }
        };
        if let Some((code, wrong)) = wrong
            && problems.iter().all(|p| p.span != *span)
        {
            let problem = Diagnostic::new(code, *span, wrong.message);
            problems.push(Diagnostic { help: wrong.help, ..problem });
        }
    }
    let whole = Span::new(0, text.len());
    formula.any(&mut |f| {
        if let Some(what) = beyond(f)
            && problems.iter().all(|p| p.code != Code::Temporal)
        {
            let message = format!("{what} cannot be asked of a position");
            problems.push(Diagnostic::new(Code::Temporal, whole, message));
        }
        false
    });
    if formula.size() > PARTS || parts(&formula, language.seats()) > PARTS {
        let message = format!("this formula has more than {} parts", grouped(PARTS));
        let help = "ask for less at once: `Kw` says what is inside it twice, `E` once for each seat";
        problems.push(Diagnostic::new(Code::Depth, whole, message).help(help));
    }
    if !problems.is_empty() {
        problems.sort_by_key(|p| p.span.start);
        return Err(problems);
    }
    fact(language, &formula)
        .map_err(|(code, wrong)| vec![Diagnostic { help: wrong.help, ..Diagnostic::new(code, whole, wrong.message) }])
}

/// The most parts of a fact: more takes longer than anybody waits.
const PARTS: u64 = 5_000;

/// How many parts the fact of a formula has, about.
fn parts(formula: &Formula, seats: u8) -> u64 {
    let inside = formula.children().into_iter().fold(1u64, |all, part| all.saturating_add(parts(part, seats)));
    match formula {
        Formula::KnowsWhether(..) => inside.saturating_mul(2),
        Formula::Everyone(Group::All, _) => inside.saturating_mul(seats.into()),
        Formula::Everyone(Group::Of(names), _) => inside.saturating_mul(names.len() as u64),
        _ => inside,
    }
}

/// The moves in a formula that stands there, and where they stand.
fn standing(formula: &Formula, stands: Stands, found: &mut Vec<(Name, Stands)>) {
    let mut inside = stands;
    if let Formula::After(action, _) | Formula::Can(action, _) = formula {
        found.push((text_of(action), stands));
        inside = Stands::Later;
    }
    if let Formula::Knows(..)
    | Formula::Possible(..)
    | Formula::KnowsWhether(..)
    | Formula::Everyone(..)
    | Formula::Common(..)
    | Formula::Distributed(..) = formula
    {
        inside = stands.max(Stands::InMind);
    }
    formula.children().into_iter().for_each(|part| standing(part, inside, found));
}

/// What a position has no answer for.
fn beyond(formula: &Formula) -> Option<&'static str> {
    match formula {
        Formula::Compare(..) => Some("a comparison of numbers"),
        Formula::Path(..)
        | Formula::Until(..)
        | Formula::Runs(..)
        | Formula::Linear(..)
        | Formula::LinearUntil(..)
        | Formula::Release(..) => Some("what holds at other times"),
        Formula::Ensure(..) | Formula::EnsureUntil(..) => Some("what a group can ensure"),
        Formula::Ought(..) => Some("an obligation"),
        Formula::After(action, _) | Formula::Can(action, _) => match **action {
            Action::Move(_) => None,
            Action::Test(_)
            | Action::Seq(_)
            | Action::Choice(_)
            | Action::Local(_)
            | Action::Learn(..)
            | Action::Both(..)
            | Action::Announce(_)
            | Action::Model(_) => Some("an action that is no move of the game"),
        },
        Formula::Const(_)
        | Formula::Atom(_)
        | Formula::Not(_)
        | Formula::And(_)
        | Formula::Or(_)
        | Formula::Imp(..)
        | Formula::Iff(..)
        | Formula::Xor(_)
        | Formula::Count(..)
        | Formula::Knows(..)
        | Formula::Possible(..)
        | Formula::KnowsWhether(..)
        | Formula::Everyone(..)
        | Formula::Common(..)
        | Formula::Distributed(..) => None,
    }
}

type Misread = (Code, Illegal);

/// The fact of this name.
fn named<L: Language>(language: &L, name: &str) -> Result<Fact<L::Atom>, Misread> {
    let (word, inside) = match name.split_once('(') {
        Some((word, rest)) => (word, rest.strip_suffix(')')),
        None => (name, None),
    };
    let forms = language.facts();
    let form = |&(word, arguments): &(&str, &str)| match arguments {
        "" => word.to_string(),
        arguments => format!("{word}({arguments})"),
    };
    let Some(known) = forms.iter().find(|(known, _)| *known == word) else {
        let near = nearest(word, forms.iter().map(|(known, _)| *known));
        let help = match near.and_then(|near| forms.iter().find(|(known, _)| *known == near)) {
            Some(near) => format!("did you mean `{}`?", form(near)),
            None => format!("the facts are {}", listed(forms.iter().map(form), "and")),
        };
        return Err((Code::UnknownName, Illegal::new(format!("unknown name `{name}`")).help(help)));
    };
    // The last argument may be a sentence with commas in it.
    let count = if known.1.is_empty() { 0 } else { known.1.split(',').count() };
    let arguments: Vec<&str> = inside.map_or(Vec::new(), |inside| inside.splitn(count.max(1), ',').collect());
    if arguments.len() != count || arguments.iter().any(|argument| argument.trim().is_empty()) {
        let wrong = Illegal::new(format!("`{name}` is not as it should be"));
        return Err((Code::Index, wrong.help(format!("it is written `{}`", form(known)))));
    }
    language.fact(word, &arguments).map_err(|wrong| (Code::Index, wrong))
}

/// Reads the seat of an argument.
///
/// # Errors
/// There is no such seat.
pub fn seat(text: &str, seats: u8) -> Result<Seat, Illegal> {
    let found = text.trim().parse().ok().filter(|&s: &u8| s < seats).map(Seat);
    found.ok_or_else(|| {
        Illegal::new(format!("there is no seat `{}`", text.trim())).help(format!("the seats are 0 to {}", seats - 1))
    })
}

/// The fact that a formula comes to.
fn fact<L: Language>(language: &L, formula: &Formula) -> Result<Fact<L::Atom>, Misread> {
    let read = |f: &F| fact(language, f);
    let each = |fs: &[F]| fs.iter().map(read).collect::<Result<Vec<_>, Misread>>();
    let one = |name: &str| seat(name, language.seats()).map_err(|wrong| (Code::UnknownAgent, wrong));
    let group = |group: &Group| match group {
        Group::All => Ok(Seats::all(language.seats())),
        Group::Of(names) => names.iter().map(|name| one(name)).collect::<Result<Seats, Misread>>(),
    };
    Ok(match formula {
        Formula::Const(value) => Fact::Const(*value),
        Formula::Atom(name) => named(language, name)?,
        Formula::Not(f) => read(f)?.negated(),
        Formula::And(fs) => Fact::All(each(fs)?),
        Formula::Or(fs) => Fact::Any(each(fs)?),
        Formula::Imp(f, g) => Fact::Any(vec![read(f)?.negated(), read(g)?]),
        Formula::Iff(f, g) => Fact::Iff(Arc::new(read(f)?), Arc::new(read(g)?)),
        Formula::Xor(fs) => {
            let odd = |odd: Fact<L::Atom>, f: Fact<L::Atom>| Fact::Iff(Arc::new(odd), Arc::new(f)).negated();
            each(fs)?.into_iter().reduce(odd).unwrap_or(Fact::Const(false))
        }
        Formula::Count(cmp, n, fs) => Fact::counted(*cmp, *n, each(fs)?),
        Formula::Knows(agent, f) => read(f)?.known_to(one(agent)?),
        Formula::Possible(agent, f) => read(f)?.negated().known_to(one(agent)?).negated(),
        Formula::KnowsWhether(agent, f) => {
            let (seat, inner) = (one(agent)?, read(f)?);
            Fact::Any(vec![inner.clone().known_to(seat), inner.negated().known_to(seat)])
        }
        Formula::Everyone(names, f) => {
            let inner = read(f)?;
            Fact::All(group(names)?.iter().map(|seat| inner.clone().known_to(seat)).collect())
        }
        Formula::Distributed(names, f) => Fact::Knows(group(names)?, Arc::new(read(f)?)),
        Formula::Common(names, f) => {
            let (seats, inner) = (group(names)?, Arc::new(read(f)?));
            // What is common knowledge of one is what it knows.
            if seats.len() == 1 { Fact::Knows(seats, inner) } else { Fact::Common(seats, inner) }
        }
        Formula::After(action, f) => Fact::After(text_of(action), Outcomes::Every, Arc::new(read(f)?)),
        Formula::Can(action, f) => Fact::After(text_of(action), Outcomes::Some, Arc::new(read(f)?)),
        Formula::Compare(..)
        | Formula::Path(..)
        | Formula::Until(..)
        | Formula::Ensure(..)
        | Formula::EnsureUntil(..)
        | Formula::Ought(..)
        | Formula::Runs(..)
        | Formula::Linear(..)
        | Formula::LinearUntil(..)
        | Formula::Release(..) => unreachable!("refused above"),
    })
}

fn text_of(action: &Action) -> Name {
    action.to_string().into()
}

/// The fact as a formula that reads back.
pub fn write<L: Language>(language: &L, fact: &Fact<L::Atom>) -> String {
    write_with(fact, &|atom| language.write(atom))
}

/// The fact as a formula whose atoms are written so.
pub fn write_with<A>(fact: &Fact<A>, atom: &dyn Fn(&A) -> String) -> String {
    let part = |fact: &Fact<A>| write_with(fact, atom);
    let joined = |parts: &[Fact<A>], sign: &str| parts.iter().map(part).collect::<Vec<_>>().join(sign);
    let seats = |seats: &Seats| seats.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(",");
    match fact {
        Fact::Const(value) => value.to_string(),
        Fact::Atom(one) => atom(one),
        Fact::Not(inner) => format!("!{}", part(inner)),
        Fact::All(parts) if parts.is_empty() => "true".to_string(),
        Fact::Any(parts) if parts.is_empty() => "false".to_string(),
        Fact::All(parts) => format!("({})", joined(parts, " & ")),
        Fact::Any(parts) => format!("({})", joined(parts, " | ")),
        Fact::Count(cmp, n, parts) => {
            let (word, n) = match cmp {
                Cmp::Eq => ("exactly", *n),
                Cmp::Le => ("atmost", *n),
                Cmp::Ge => ("atleast", *n),
                Cmp::Gt => ("atleast", n + 1),
                Cmp::Lt if *n == 0 => return "false".to_string(),
                Cmp::Lt => ("atmost", n - 1),
                Cmp::Ne => ("!exactly", *n),
            };
            format!("{word} {n} of ({})", joined(parts, ", "))
        }
        Fact::Iff(a, b) => format!("({} <-> {})", part(a), part(b)),
        Fact::Knows(of, inner) => {
            format!("{}[{}] {}", if of.len() == 1 { "K" } else { "D" }, seats(of), part(inner))
        }
        Fact::Common(of, inner) => format!("C[{}] {}", seats(of), part(inner)),
        Fact::After(action, Outcomes::Every, inner) => format!("[{action}] {}", part(inner)),
        Fact::After(action, Outcomes::Some, inner) => format!("<{action}> {}", part(inner)),
    }
}

/// The fact as a part of a sentence: `seat 1 knows that card 3 is red`.
pub fn words<L: Language>(language: &L, fact: &Fact<L::Atom>, voice: &Voice) -> String {
    Teller { language, voice }.say(fact, true)
}

struct Teller<'a, L> {
    language: &'a L,
    voice: &'a Voice,
}

impl<L: Language> Teller<'_, L> {
    fn say(&self, fact: &Fact<L::Atom>, yes: bool) -> String {
        let pick = |a: &'static str, b: &'static str| if yes { a } else { b };
        if let Some(words) = self.of_several(fact, yes) {
            return words;
        }
        match fact {
            Fact::Const(value) => (*value == yes).to_string(),
            Fact::Atom(atom) => self.language.say(atom, yes, self.voice),
            Fact::Not(inner) => self.say(inner, !yes),
            Fact::All(parts) => self.joined(parts, yes, pick("and", "or"), true),
            Fact::Any(parts) => self.joined(parts, yes, pick("or", "and"), false),
            Fact::Count(cmp, n, parts) => {
                let how = match (cmp, yes) {
                    (Cmp::Eq, true) | (Cmp::Ne, false) => format!("exactly {n}"),
                    (Cmp::Eq, false) | (Cmp::Ne, true) => format!("not exactly {n}"),
                    (Cmp::Le, true) | (Cmp::Gt, false) => format!("at most {n}"),
                    (Cmp::Ge, true) | (Cmp::Lt, false) => format!("at least {n}"),
                    (Cmp::Lt, true) | (Cmp::Ge, false) => format!("fewer than {n}"),
                    (Cmp::Gt, true) | (Cmp::Le, false) => format!("more than {n}"),
                };
                let parts: Vec<String> = parts.iter().map(|part| self.part(part, true)).collect();
                format!("{how} of these are true: {}", parts.join("; "))
            }
            Fact::Iff(a, b) => {
                let (a, b) = (self.part(a, true), self.part(b, true));
                format!("{a} {} {b}", pick("if and only if", "or else"))
            }
            Fact::Knows(seats, inner) => match seats.single() {
                Some(seat) => {
                    let does = match yes {
                        true => self.voice.does(seat, "know", "knows"),
                        false => self.voice.does(seat, "do not know", "does not know"),
                    };
                    format!("{does} that {}", self.say(inner, true))
                }
                None => {
                    let who = self.voice.all(*seats);
                    format!("{who} together {} that {}", pick("know", "do not know"), self.say(inner, true))
                }
            },
            Fact::Common(seats, inner) => {
                let among = match seats.len() == usize::from(self.language.seats()) {
                    true => String::new(),
                    false => format!(" among {}", self.voice.all(*seats)),
                };
                format!("it is {}common knowledge{among} that {}", pick("", "not "), self.say(inner, true))
            }
            Fact::After(action, outcomes, inner) => match (outcomes, yes) {
                (Outcomes::Every, true) => format!("after `{action}`, whatever happens, {}", self.say(inner, true)),
                (Outcomes::Every, false) => format!("after `{action}` it can be that {}", self.say(inner, false)),
                (Outcomes::Some, true) => format!("after `{action}` it can be that {}", self.say(inner, true)),
                (Outcomes::Some, false) => format!("after `{action}`, whatever happens, {}", self.say(inner, false)),
            },
        }
    }

    /// Knowing whether, holding possible, and what everybody of some knows.
    fn of_several(&self, fact: &Fact<L::Atom>, yes: bool) -> Option<String> {
        match fact {
            Fact::Any(parts) => match &parts[..] {
                [Fact::Knows(one, inner), Fact::Knows(same, other)]
                    if one == same && **other == (**inner).clone().negated() =>
                {
                    let does = match yes {
                        true => self.voice.does(one.single()?, "know", "knows"),
                        false => self.voice.does(one.single()?, "do not know", "does not know"),
                    };
                    Some(format!("{does} whether {}", self.say(inner, true)))
                }
                _ => None,
            },
            Fact::Not(known) => match &**known {
                Fact::Knows(one, inner) if matches!(**inner, Fact::Not(_)) && yes => {
                    let holds = self.voice.does(one.single()?, "consider", "considers");
                    Some(format!("{holds} it possible that {}", self.say(inner, false)))
                }
                _ => None,
            },
            Fact::All(parts) if parts.len() > 1 => {
                let Fact::Knows(_, first) = &parts[0] else { return None };
                let knower = |part: &Fact<L::Atom>| match part {
                    Fact::Knows(seats, inner) if inner == first => seats.single(),
                    _ => None,
                };
                let seats = parts.iter().map(knower).collect::<Option<Seats>>()?;
                let who = match seats.len() == usize::from(self.language.seats()) {
                    true => "everybody".to_string(),
                    false => format!("each of {}", self.voice.all(seats)),
                };
                let does = if yes { format!("{who} knows") } else { format!("not {who} knows") };
                Some(format!("{does} that {}", self.say(first, true)))
            }
            _ => None,
        }
    }

    fn joined(&self, parts: &[Fact<L::Atom>], yes: bool, word: &str, empty: bool) -> String {
        match parts {
            [] => (empty == yes).to_string(),
            [one] => self.say(one, yes),
            many => many.iter().map(|part| self.part(part, yes)).collect::<Vec<_>>().join(&format!(" {word} ")),
        }
    }

    /// A part of something larger, in brackets if it is put together itself.
    fn part(&self, fact: &Fact<L::Atom>, yes: bool) -> String {
        let several = self.of_several(fact, yes).is_none() && is_joined(fact);
        if several { format!("({})", self.say(fact, yes)) } else { self.say(fact, yes) }
    }
}

fn is_joined<A>(fact: &Fact<A>) -> bool {
    match fact {
        Fact::All(facts) | Fact::Any(facts) => facts.len() > 1,
        Fact::Iff(..) | Fact::Count(..) => true,
        Fact::Not(fact) => is_joined(fact),
        Fact::Const(_) | Fact::Atom(_) | Fact::Knows(..) | Fact::Common(..) | Fact::After(..) => false,
    }
}

/// A move that is asked about, and who makes it, if that is said: `2: suggest plum rope hall`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supposed<'t> {
    /// Who makes it.
    pub seat: Option<Seat>,
    /// The move, and what comes of it, if that is said, too.
    pub rest: &'t str,
}

impl<'t> Supposed<'t> {
    /// Reads the seat before the colon, if there is one.
    ///
    /// # Errors
    /// There is no such seat.
    pub fn read(text: &'t str, seats: u8) -> Result<Supposed<'t>, Illegal> {
        match text.split_once(':') {
            Some((who, rest)) => Ok(Supposed { seat: Some(seat(who, seats)?), rest: rest.trim() }),
            None => Ok(Supposed { seat: None, rest: text.trim() }),
        }
    }
}
