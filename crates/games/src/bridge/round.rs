//! A round of Eleusis as a logical model: what is known of the rule and of the card that is laid next.
//!
//! The worlds are the rules of the family that fit all that was judged; those that judge every line from the starter on
//! alike are one. The dealer sees the rule, players see nothing: every judgement was public, and is in which rules are left.
//! Hands tell nothing about the rule and are left out, so `holds`, `can_play` and `sure_play` are not there.
//!
//! | in the model | means |
//! |---|---|
//! | `rule = 3` | the rule is the third of those that are listed at the top |
//! | `ahead = 2` | it goes on from here as those of the second kind |
//! | `accepts(C7)`, `refuses(C7)` | 7C would be accepted, refused, next; names begin with a letter, so the suit of a card stands first, as in `R3` of smaller decks |
//! | `knows_rule(1)` | the seat knows how the rule goes on |

use crate::cards::Card;
use crate::eleusis::automaton::separate;
use crate::eleusis::deck::Deck;
use crate::eleusis::knowledge::Memory;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::Eleusis;
use crate::game::{Illegal, Seat};
use std::fmt::Write;
use std::sync::Arc;

/// The round that the memory is about as a `.ken` file, so that `check known(φ)` asks whether its seat knows φ.
///
/// # Errors
/// There is no rule yet, no rule of the family fits, or the seat deals a rule that none of those is.
pub fn source<G: Eleusis>(mind: &Memory<G>) -> Result<String, Illegal> {
    let line = mind.desk().stage.layout().mainline();
    let (Some(dealer), Some(&starter)) = (mind.dealer(), line.first()) else {
        return Err(Illegal::new("there is no rule yet: nothing lies on the table"));
    };
    let own = mind.known_rule();
    let over = own.is_some() && mind.seat() != dealer;
    let alike = |a: &Secret, b: &Secret| {
        separate((a.automaton(), a.after(starter)), (b.automaton(), b.after(starter))).is_none()
    };
    let mut rules: Vec<Arc<Secret>> = Vec::new();
    let fitting: Vec<Arc<Secret>> = match own {
        Some(rule) if over || mind.is_told() => vec![rule.clone()],
        _ => mind.fitting().map(|place| mind.family()[place].clone()).collect(),
    };
    for rule in fitting {
        if rules.iter().all(|other| !alike(other, &rule)) {
            rules.push(rule);
        }
    }
    if rules.is_empty() {
        return Err(Illegal::new("no rule of the family fits: nothing is claimed"));
    }
    let view = match own {
        None => "true".to_string(),
        Some(own) => match rules.iter().position(|rule| alike(rule, own)) {
            Some(at) => format!("rule = {}", at + 1),
            None => {
                let wrong = Illegal::new(format!("the rule, `{}`, is none of the family", own.text()));
                return Err(wrong.help("players reason as if it were: what they believe is no model of knowledge"));
            }
        },
    };
    let seats = Seat::all(mind.desk().stage.counts().len() as u8);
    Ok(written(seats, dealer, mind.deck(), line, &rules, &view))
}

fn written(
    seats: impl Iterator<Item = Seat>,
    dealer: Seat,
    deck: &Deck,
    line: &[Card],
    rules: &[Arc<Secret>],
    view: &str,
) -> String {
    let mut out = String::new();
    let mut add = |text: String| writeln!(out, "{text}").expect("a string");
    for (i, rule) in (1..).zip(rules) {
        add(format!("-- rule = {i}: {}", rule.text()));
    }
    let name = |card: Card| {
        let name = deck.write(card);
        match name.char_indices().last() {
            Some((at, suit)) if *deck == Deck::STANDARD => format!("{suit}{}", &name[..at]),
            _ => name,
        }
    };
    let cards: Vec<String> = deck.all().iter().map(name).collect();
    add(format!("agents {}", seats.map(|seat| seat.to_string()).collect::<Vec<_>>().join(", ")));
    add(format!("enum cards = {}", cards.join(", ")));
    let kinds = kinds(rules, line);
    let last = kinds.iter().max().copied().unwrap_or(1);
    add(format!("vars rule : 1..{}", rules.len()));
    add(format!("vars ahead : 1..{last}"));
    add("props accepts(c) for c in cards".to_string());
    let set = |is: &dyn Fn(usize) -> bool| -> String {
        let found: Vec<String> = (0..rules.len()).filter(|&i| is(i)).map(|i| (i + 1).to_string()).collect();
        format!("rule in {{{}}}", found.join(", "))
    };
    // What a rule says of the next card is evaluated directly, not looked up in its automaton.
    let accepted: Vec<_> = rules.iter().map(|rule| rule.rule().accepted(line)).collect();
    for card in deck.all().iter() {
        add(format!("law accepts({}) <-> {}", name(card), set(&|i| accepted[i].has(card))));
    }
    for kind in 1..=last {
        add(format!("law ahead = {kind} <-> {}", set(&|i| kinds[i] == kind)));
    }
    add(format!("observe {dealer} sees rule"));
    add("let refuses(c) = !accepts(c)".to_string());
    add(format!("let knows_rule(i) = exists k in 1..{last}: K[i] ahead = k"));
    add(format!("let view = {view}"));
    add("action history = ?true".to_string());
    add(super::KNOWN.to_string());
    out
}

/// For each rule a number, the same for those that go on from the line alike.
fn kinds(rules: &[Arc<Secret>], line: &[Card]) -> Vec<usize> {
    let at = |rule: &Secret| rule.automaton().run(line);
    let same = |a: &Secret, b: &Secret| match (at(a), at(b)) {
        (Some(here), Some(there)) => separate((a.automaton(), here), (b.automaton(), there)).is_none(),
        _ => false,
    };
    let mut first: Vec<&Secret> = Vec::new();
    let mut kinds = Vec::with_capacity(rules.len());
    for rule in rules {
        let at = first.iter().position(|other| same(other, rule)).unwrap_or_else(|| {
            first.push(rule);
            first.len() - 1
        });
        kinds.push(at + 1);
    }
    kinds
}
