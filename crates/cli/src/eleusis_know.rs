//! `ken eleusis know` and `why`: what follows from a layout, relative to a family of rules.

use crate::args::{EleusisKnowArgs, EleusisWhyArgs};
use crate::input::{Failure, read_text};
use crate::know;
use ken_games::eleusis::dealer;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::knowledge;
use ken_games::eleusis::secret::{Secret, Unfit};
use ken_games::knowledge::Inspector;
use std::sync::Arc;

type Family = Arc<[Arc<Secret>]>;

/// The rules over a deck that the secret one may be, and what they are called.
fn family(argument: &str, deck: &Deck) -> Result<(Family, String), Failure> {
    if argument == "library" {
        return Ok((dealer::library(deck), "the library".to_string()));
    }
    let (name, text) = read_text(argument)?;
    let mut rules: Vec<Arc<Secret>> = Vec::new();
    for (number, rule) in (1..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty() && !l.trim().starts_with('#')) {
        let rule = rule.trim();
        let secret = Secret::read(rule, deck).map_err(|unfit| match unfit {
            Unfit::Unread(problems) => {
                Failure::Text { name: format!("{name}, line {number}"), text: rule.to_string(), problems }
            }
            Unfit::Unbounded(why) => Failure::usage(format!("{name}, line {number}: {why}")),
        })?;
        // Rules that mean the same are one.
        if rules.iter().all(|other| other.automaton() != secret.automaton()) {
            rules.push(Arc::new(secret));
        }
    }
    if rules.is_empty() {
        return Err(Failure::usage(format!("{name} has no rule")));
    }
    Ok((rules.into(), name))
}

/// What the seat of a layout or a round knows, relative to a family.
fn placed(argument: &str, name: &str, text: &str) -> Result<Box<dyn Inspector>, Failure> {
    let position = knowledge::read(text).map_err(know::unread(name, text))?;
    let (rules, called) = family(argument, position.deck())?;
    position.inspector(rules, &called).map_err(|why| Failure::usage(why.to_string()))
}

pub(crate) fn know(args: &EleusisKnowArgs) -> Result<u8, Failure> {
    know::know(&args.asked, &|name, text| placed(&args.family, name, text))
}

pub(crate) fn why(args: &EleusisWhyArgs) -> Result<u8, Failure> {
    know::why(&args.asked, &|name, text| placed(&args.family, name, text))
}
