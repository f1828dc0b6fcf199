//! `ken eleusis know`: what follows from a layout, relative to a family of rules.

use crate::args::EleusisKnowArgs;
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::know;
use crate::output::{Style, emit, line, wrap};
use ken_games::eleusis::dealer;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::knowledge::{Memory, Standing};
use ken_games::eleusis::layout::position;
use ken_games::eleusis::secret::{Secret, Unfit};
use ken_games::knowledge::Budget;
use ken_logic::text::grouped;
use serde_json::json;
use std::sync::Arc;

const DECK: Deck = Deck::STANDARD;

type Family = Arc<[Arc<Secret>]>;

/// The rules that the secret one may be, and what they are called.
fn family(argument: &str) -> Result<(Family, String), Failure> {
    if argument == "library" {
        return Ok((dealer::library(&DECK), "the library".to_string()));
    }
    let (name, text) = read_text(argument)?;
    let mut rules: Vec<Arc<Secret>> = Vec::new();
    for (number, rule) in (1..).zip(text.lines()).filter(|(_, l)| !l.trim().is_empty() && !l.trim().starts_with('#')) {
        let rule = rule.trim();
        let secret = Secret::read(rule, &DECK).map_err(|unfit| match unfit {
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
    let found = position(&text, &DECK).map_err(|problems| Failure::Text { name: name.clone(), text, problems })?;
    let (rules, called) = family(&args.family)?;
    let of = rules.len();
    let mut mind =
        Memory::of_layout(&found.layout, &found.hand, rules).map_err(|why| Failure::usage(why.to_string()))?;
    let fit = match mind.standing() {
        Standing::Fits(fit) => fit,
        Standing::Waiting | Standing::Told | Standing::NothingFits => {
            return Err(Failure::Usage {
                message: format!("none of the {} rules of {called} fits: nothing is claimed", grouped(of)),
                help: Some("the rule is another one; `--family FILE` takes other rules".to_string()),
            });
        }
    };
    let monitor = watch(&args.ends, args.json, "finding out");
    let texts: Vec<&str> = args.formulas.iter().map(String::as_str).collect();
    let answers = know::answers(&mut mind, &texts, &Budget::default(), |why| know::refused(&why))?;
    drop(monitor);
    let fits = if fit == 1 { "1 fits".to_string() } else { format!("{} fit", grouped(fit)) };
    let relative = format!("if the rule is one of the {} of {called}, of which {fits}", grouped(of));
    match args.json {
        true => {
            let results = know::results(&mind, &texts, &answers);
            emit(&json!({"family": {"name": called, "rules": of, "fit": fit}, "results": results}));
        }
        false => {
            wrap(&relative, 80).iter().for_each(|row| line(&Style::stdout().dim(row)));
            know::print(&mind, &texts, &answers);
        }
    }
    Ok(know::code(&answers))
}
