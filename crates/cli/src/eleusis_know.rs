//! `ken eleusis know`: what follows from a layout, relative to a family of rules.

use crate::args::EleusisKnowArgs;
use crate::check::verdict_line;
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::output::{Style, emit, line};
use ken_games::eleusis::dealer;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::knowledge::{Memory, Standing, World};
use ken_games::eleusis::layout::position;
use ken_games::eleusis::secret::{Secret, Unfit};
use ken_games::game::Verdict;
use ken_games::knowledge::{Answer, Refused, read};
use ken_logic::text::grouped;
use ken_logic::text::wrap;
use serde_json::{Value, json};
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
    let mind = Memory::of_layout(&found.layout, &found.hand, rules).map_err(|why| Failure::usage(why.to_string()))?;
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
    let answers = args.formulas.iter().map(|text| ask(&mind, text)).collect::<Result<Vec<_>, _>>()?;
    drop(monitor);
    let fits = if fit == 1 { "1 fits".to_string() } else { format!("{} fit", grouped(fit)) };
    let relative = format!("if the rule is one of the {} of {called}, of which {fits}", grouped(of));
    match args.json {
        true => {
            let results: Vec<Value> =
                args.formulas.iter().zip(&answers).map(|(text, answer)| data(text, answer)).collect();
            emit(&json!({"family": {"name": called, "rules": of, "fit": fit}, "results": results}));
        }
        false => {
            wrap(&relative, 80).iter().for_each(|row| line(&Style::stdout().dim(row)));
            args.formulas.iter().zip(&answers).for_each(|(text, answer)| show(text, answer));
        }
    }
    Ok(u8::from(!answers.iter().all(|answer| answer.verdict == Verdict::Yes)))
}

fn ask<G: ken_games::eleusis::table::Eleusis>(mind: &Memory<G>, text: &str) -> Result<Answer<World>, Failure> {
    let unread = |problems| Failure::Text { name: "formula".to_string(), text: text.to_string(), problems };
    let fact = read(mind, text).map_err(unread)?;
    mind.ask(&fact).map_err(|why| match why {
        Refused::Limit => Failure::GaveUp { message: why.to_string(), help: "ask for what fewer know".to_string() },
        Refused::NoWorld | Refused::Unfit(_) => Failure::usage(why.to_string()),
    })
}

fn data(text: &str, answer: &Answer<World>) -> Value {
    let rule = |world: &Option<World>| world.as_ref().map(|world| world.rule.text().to_string());
    json!({
        "formula": text, "known": answer.verdict == Verdict::Yes, "possible": answer.verdict != Verdict::No,
        "true_under": rule(&answer.witness), "false_under": rule(&answer.counterexample),
    })
}

fn show(text: &str, answer: &Answer<World>) {
    let style = Style::stdout();
    let (verdict, painted) = match answer.verdict {
        Verdict::Yes => ("known", style.good("known")),
        Verdict::No => ("known not", style.bad("known not")),
        Verdict::Open => ("open", style.dim("open")),
    };
    verdict_line(verdict, &painted, text);
    if answer.verdict == Verdict::Open {
        for (what, world) in [("true under", &answer.witness), ("false under", &answer.counterexample)] {
            let rule = world.as_ref().map_or(String::new(), |world| world.rule.text().to_string());
            wrap(&format!("  {what} `{rule}`"), 80).iter().for_each(|row| line(row));
        }
    }
}
