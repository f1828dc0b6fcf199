//! `ken cluedo`: what follows from a position.

use crate::args::{AskArgs, CluedoCommand, SolveArgs};
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::know::{self, batch, budget};
use crate::output::{emit, line, number};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::estimate::Estimate;
use ken_games::cluedo::face::Sleuth;
use ken_games::cluedo::know::Solved;
use ken_games::cluedo::knowledge;
use ken_games::cluedo::likelihood::{Chances, chances};
use ken_games::cluedo::worth::{Care, Question, Ranking, left_out, rank};
use ken_games::cluedo::{Cluedo, Position, read};
use ken_games::dice::Dice;
use ken_games::game::Notation;
use ken_games::knowledge::{Budget, Inspected, Inspector, Refused};
use ken_logic::text::{self, grouped};
use serde_json::{Map, Value, json};

pub(crate) fn wants_json(command: &CluedoCommand) -> bool {
    match command {
        CluedoCommand::Solve(args) => args.json || args.batch,
        CluedoCommand::Know(args) => args.json || args.batch,
        CluedoCommand::Why(args) => args.json,
        CluedoCommand::Ask(args) => args.json,
    }
}

pub(crate) fn run(command: &CluedoCommand) -> Result<u8, Failure> {
    match command {
        CluedoCommand::Solve(args) => solve(args),
        CluedoCommand::Know(args) => know::know(args, &placed),
        CluedoCommand::Why(args) => know::why(args, &placed),
        CluedoCommand::Ask(args) => ask(args),
    }
}

/// What the observer of a position knows.
fn placed(name: &str, text: &str) -> Result<Box<dyn Inspector>, Failure> {
    know::placed(Some(Cluedo::NAME), name, text)
}

/// Reads a position, or says all that is wrong with it.
fn position(file: &str) -> Result<Position, Failure> {
    let (name, text) = read_text(file)?;
    read::position(&text).map_err(|problems| Failure::Text { name, text, problems })
}

/// A position inside a batch.
fn item(data: &Value) -> Result<Position, Failure> {
    let text = data.to_string();
    read::position(&text).map_err(|problems| Failure::Text { name: "position".to_string(), text, problems })
}

fn know_failure(position: &Position, error: Refused, budget: &Budget) -> Failure {
    match error {
        Refused::NoWorld => know::clash(Sleuth::new(position.clone()).contradiction(budget)),
        Refused::Limit => Failure::GaveUp {
            message: error.to_string(),
            help: "raise --max-states (the steps of the search) or --max-seconds, or ask less deeply".to_string(),
        },
        Refused::Unfit(_) => Failure::usage(error.to_string()),
    }
}

fn count(n: u128) -> Value {
    number(&n.into())
}

fn names(position: &Position, cards: CardSet) -> Vec<&str> {
    cards.iter().map(|c| position.deck().name(c)).collect()
}

fn solve(args: &SolveArgs) -> Result<u8, Failure> {
    let solved = |position: &Position| {
        let budget = budget(&args.limits);
        knowledge::solve(position, &budget).map_err(|error| know_failure(position, error, &budget))
    };
    let weighed = |position: &Position| match args.likelihood {
        true => chances(position, WEIGHED, &budget(&args.limits), &mut Dice::new(0))
            .map(Some)
            .map_err(|error| know_failure(position, error, &budget(&args.limits))),
        false => Ok(None),
    };
    let data = |position: &Position| -> Result<Value, Failure> {
        let mut data = solution_json(position, &solved(position)?);
        if let Some(chances) = weighed(position)? {
            data["likelihood"] = chances_json(position, &chances);
        }
        Ok(data)
    };
    if args.batch {
        return batch(&args.limits, |position| Ok((data(&item(position)?)?, 0)));
    }
    let position = position(args.position.as_deref().unwrap_or("-"))?;
    let monitor = watch(&args.limits, args.json, "counting");
    if args.json {
        let data = data(&position)?;
        drop(monitor);
        emit(&data);
        return Ok(0);
    }
    let (solution, chances) = (solved(&position)?, weighed(&position)?);
    drop(monitor);
    print_solution(&position, &solution);
    if let Some(chances) = chances {
        print_chances(&position, &chances);
    }
    Ok(0)
}

/// How many deals are weighed at most.
const WEIGHED: usize = 50_000;

fn chances_json(position: &Position, chances: &Chances) -> Value {
    let envelopes = chances.envelopes.iter().map(|&(e, p)| json!({"cards": names(position, e), "chance": p}));
    let marginals = chances.marginals.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(c, &p)| (position.deck().name(Card(c as u8)).to_string(), json!(p)));
        Value::Object(cells.collect::<Map<_, _>>())
    });
    json!({
        "exact": chances.exact, "weighed": chances.weighed, "envelopes": envelopes.collect::<Vec<_>>(),
        "marginals": marginals.collect::<Vec<_>>(),
    })
}

fn print_chances(position: &Position, chances: &Chances) {
    let weighed = grouped(chances.weighed);
    let how =
        if chances.exact { "all deals weighed".to_string() } else { format!("a sample of {weighed} deals weighed") };
    line(&format!("\nthe same if responders choose at random what to show ({how}):"));
    for &(envelope, chance) in chances.envelopes.iter().take(ENVELOPES) {
        line(&format!("  {:>5.1}%  {}", 100.0 * chance, position.deck().names(envelope)));
    }
}

fn solution_json(position: &Position, solution: &Solved) -> Value {
    let counts = solution.envelopes.iter().map(|&(e, n)| json!({"cards": names(position, e), "deals": count(n)}));
    let marginals = solution.marginals.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(c, &n)| (position.deck().name(Card(c as u8)).to_string(), count(n)));
        Value::Object(cells.collect::<Map<_, _>>())
    });
    json!({
        "deals": count(solution.deals),
        "envelopes": solution.envelopes.len(),
        "envelope_counts": counts.collect::<Vec<_>>(),
        "marginals": marginals.collect::<Vec<_>>(),
    })
}

/// How many envelopes are listed for people.
const ENVELOPES: usize = 5;

fn print_solution(position: &Position, solution: &Solved) {
    let deck = position.deck();
    let deals = grouped(solution.deals);
    let fit = if solution.deals == 1 { "deal fits" } else { "deals fit" };
    line(&format!("{deals} {fit}, {}", text::plural(solution.envelopes.len(), "envelope")));
    let width = deck.cards().iter().map(|c| deck.name(c).chars().count()).max().unwrap_or(0);
    let seats: String = (0..position.seats())
        .map(|s| format!("{:>7}", if s == position.observer().0 { format!("you {s}") } else { format!("seat {s}") }))
        .collect();
    line(&format!("\n{:width$} {seats}{:>9}", "", "envelope"));
    for category in 0..deck.categories() {
        for card in deck.category(category).iter() {
            let cells: String = solution
                .marginals
                .iter()
                .enumerate()
                .map(|(place, row)| {
                    let width = if place == position.seats() as usize { 9 } else { 7 };
                    format!("{:>width$}", share(row[card.index()], solution.deals))
                })
                .collect();
            line(&format!("{:width$} {cells}", deck.name(card)));
        }
        line("");
    }
    let mut best = solution.envelopes.clone();
    best.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    line("most likely envelopes, every deal counted once:");
    for &(envelope, n) in best.iter().take(ENVELOPES) {
        line(&format!("  {:>6}  {}", share(n, solution.deals), deck.names(envelope)));
    }
}

/// A share of the deals: ✓ all, ✗ none, else in percent.
fn share(n: u128, of: u128) -> String {
    if n == of {
        return "✓".to_string();
    }
    if n == 0 {
        return "✗".to_string();
    }
    let percent = 100.0 * n as f64 / of as f64;
    match percent {
        p if p < 0.1 => "<0.1%".to_string(),
        p if p > 99.9 => ">99.9%".to_string(),
        p => format!("{p:.1}%"),
    }
}

fn ask(args: &AskArgs) -> Result<u8, Failure> {
    let position = position(&args.position)?;
    let monitor = watch(&args.limits, args.json, "ranking");
    let budget = budget(&args.limits);
    let views = args.views as usize;
    let care = Care { views, all_views: views.max(Care::FULL.all_views), ..Care::FULL };
    let ranking = rank(&position, care, &budget, &mut Dice::new(args.seed))
        .map_err(|error| know_failure(&position, error, &budget))?;
    drop(monitor);
    match args.json {
        true => emit(&ranking_json(&position, &ranking)),
        false => print_ranking(&position, &ranking, args.top as usize),
    }
    Ok(0)
}

fn ranking_json(position: &Position, ranking: &Ranking) -> Value {
    let seats = position.seats() as usize;
    let others = |s: &usize| *s != position.observer().index();
    let questions = ranking.questions.iter().map(|q| {
        let of_seats = |of: &dyn Fn(usize) -> Option<Value>| -> Map<String, Value> {
            (0..seats).filter(others).filter_map(|s| Some((s.to_string(), of(s)?))).collect()
        };
        json!({
            "cards": names(position, q.cards), "rank": q.rank, "tied": q.tied, "wins": q.wins,
            "envelope_bits": q.envelope_bits.value, "deal_bits": q.deal_bits.value,
            "answers": of_seats(&|s| Some(json!(q.answers[s].value))), "nobody": q.answers[seats].value,
            "gives_away": of_seats(&|s| q.gives[s].map(|g| json!(g.value))),
            "estimate": {
                "envelope_bits": estimate_json(&q.envelope_bits), "deal_bits": estimate_json(&q.deal_bits),
                "answers": of_seats(&|s| Some(estimate_json(&q.answers[s]))),
                "nobody": estimate_json(&q.answers[seats]),
                "gives_away": of_seats(&|s| q.gives[s].as_ref().map(estimate_json)),
            },
        })
    });
    json!({
        "deals": count(ranking.deals), "exact": ranking.exact, "gives_away_leaves_out": left_out(position),
        "questions": questions.collect::<Vec<_>>(),
    })
}

/// Whether a number is an estimate, from how many draws, and its 95 % interval.
fn estimate_json(estimate: &Estimate) -> Value {
    let Estimate { low, high, looked, exact, .. } = *estimate;
    json!({"estimate": !exact, "looked_at": looked, "error": estimate.error(), "low": low, "high": high})
}

fn print_ranking(position: &Position, ranking: &Ranking, top: usize) {
    let deals = grouped(ranking.deals);
    let shown = || ranking.questions.iter().take(top);
    let draws = grouped(shown().map(|q| q.envelope_bits.looked).max().unwrap_or(0));
    line(&match ranking.exact {
        true if ranking.deals == 1 => "1 deal fits".to_string(),
        true => format!("{deals} deals fit; your numbers are exact"),
        false => format!("{deals} deals fit; your bits and who answers are estimates from {draws} of them"),
    });
    let gives: Vec<Estimate> = shown().filter_map(|q| q.given()).collect();
    line("bits about the envelope for you; chance that it is the envelope; who answers;");
    line(&match gives.iter().find(|g| !g.exact) {
        None => "bits given away, on average over the others, from all that they may have seen".to_string(),
        Some(some) => format!("bits given away, on average over the others: estimates from {} views", some.looked),
    });
    if !ranking.exact || gives.iter().any(|g| !g.exact) {
        line("±: half of a 95% interval");
    }
    if shown().any(|q| q.tied > 1) {
        line("rank by bits; those with = cannot be told from others by their bits");
    }
    line("");
    left_out(position).into_iter().for_each(|text| line(&format!("{text}\n")));
    let deck = position.deck();
    let width = shown().map(|q| deck.names(q.cards).chars().count()).max().unwrap_or(0);
    let (own, all) = (if ranking.exact { 5 } else { 9 }, if gives.iter().all(|g| g.exact) { 5 } else { 9 });
    line(&format!("{:>4} {:width$} {:>own$} {:>6} {:>all$}  answered by", "rank", "", "bits", "wins", "gives"));
    for question in shown() {
        let mut who: Vec<(String, f64)> =
            question.answers.iter().enumerate().map(|(s, p)| (s.to_string(), p.value)).collect();
        if let Some(last) = who.last_mut() {
            last.0 = "nobody".to_string();
        }
        who.retain(|(_, p)| *p >= 0.005);
        who.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut row = format!(
            "{:>4} {:width$} {:>own$} {:>6} {:>all$}",
            place(question),
            deck.names(question.cards),
            bits(&question.envelope_bits),
            format!("{:.1}%", 100.0 * question.wins),
            question.given().map_or(String::new(), |g| bits(&g)),
        );
        // The likeliest, as many as there is room for.
        for (i, (seat, p)) in who.iter().take(3).enumerate() {
            let next = format!("{}{seat} {:.0}%", if i == 0 { "  " } else { ", " }, 100.0 * p);
            if i == 0 || row.chars().count() + next.chars().count() <= 80 {
                row.push_str(&next);
            }
        }
        line(&row);
    }
}

/// The rank of a question, with a sign if it cannot be told from others.
fn place(question: &Question) -> String {
    format!("{}{}", question.rank, if question.tied > 1 { "=" } else { "" })
}

/// `0.25`, or with its error if it is an estimate.
fn bits(estimate: &Estimate) -> String {
    match estimate.exact {
        true => format!("{:.2}", estimate.value),
        false => format!("{:.2}±{:.2}", estimate.value, estimate.error()),
    }
}
