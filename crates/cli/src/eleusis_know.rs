//! `ken eleusis know`: what follows from a layout, relative to a family of rules.

use crate::args::EleusisKnowArgs;
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::know;
use crate::output::{Style, emit, line};
use ken_games::eleusis::dealer;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::knowledge::{self, Memory, Position, Standing};
use ken_games::eleusis::secret::{Secret, Unfit};
use ken_games::eleusis::table::Eleusis;
use ken_games::knowledge::Budget;
use ken_logic::text::grouped;
use ken_logic::text::wrap;
use serde_json::json;
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

pub(crate) fn run(args: &EleusisKnowArgs) -> Result<u8, Failure> {
    let (name, text) = read_text(&args.layout)?;
    let found = knowledge::read(&text).map_err(|problems| Failure::Text { name: name.clone(), text, problems })?;
    match found {
        Position::Layout(found) => {
            let (rules, called) = family(&args.family, &Deck::STANDARD)?;
            let mind = Memory::of_layout(&found.layout, &found.hand, rules);
            tell(args, &mut mind.map_err(|why| Failure::usage(why.to_string()))?, &called)
        }
        Position::Express(round) => {
            let (rules, called) = family(&args.family, round.game.table().deck())?;
            tell(args, &mut Memory::at(&round, rules), &called)
        }
        Position::Classic(round) => {
            let (rules, called) = family(&args.family, round.game.table().deck())?;
            tell(args, &mut Memory::at(&round, rules), &called)
        }
    }
}

/// Answers the questions of somebody whose rules are called so.
fn tell<G: Eleusis>(args: &EleusisKnowArgs, mind: &mut Memory<G>, called: &str) -> Result<u8, Failure> {
    let of = mind.family().len();
    let fit = mind.fitting().count();
    match mind.standing() {
        Standing::Fits(_) | Standing::Told => {}
        Standing::Waiting | Standing::NothingFits => {
            return Err(Failure::Usage {
                message: format!("none of the {} rules of {called} fits: nothing is claimed", grouped(of)),
                help: Some("the rule is another one; `--family FILE` takes other rules".to_string()),
            });
        }
    }
    let monitor = watch(&args.ends, args.json, "finding out");
    let texts: Vec<&str> = args.formulas.iter().map(String::as_str).collect();
    let answers = know::answers(mind, &texts, &Budget::default(), |why| know::refused(&why))?;
    drop(monitor);
    let fits = if fit == 1 { "1 fits".to_string() } else { format!("{} fit", grouped(fit)) };
    let relative = match mind.standing() {
        Standing::Told if mind.is_told() => "the round is over, and everybody knows the rule".to_string(),
        Standing::Told => format!(
            "seat {} deals and knows the rule; the others take it for one of the {} of {called}, of which {fits}",
            mind.seat(),
            grouped(of)
        ),
        Standing::Fits(_) | Standing::Waiting | Standing::NothingFits => {
            format!("if the rule is one of the {} of {called}, of which {fits}", grouped(of))
        }
    };
    match args.json {
        true => {
            let results = know::results(mind, &texts, &answers);
            emit(&json!({"family": {"name": called, "rules": of, "fit": fit}, "results": results}));
        }
        false => {
            wrap(&relative, 80).iter().for_each(|row| line(&Style::stdout().dim(row)));
            know::print(mind, &texts, &answers);
        }
    }
    Ok(know::code(&answers))
}
