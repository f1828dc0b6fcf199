//! `ken cluedo`: what follows from a position.

use crate::args::{AskArgs, CluedoCommand, SolveArgs};
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::know::{self, batch, budget};
use crate::output::{emit, line, number};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::face::Sleuth;
use ken_games::cluedo::know::Solved;
use ken_games::cluedo::knowledge;
use ken_games::cluedo::likelihood::{Chances, chances};
use ken_games::cluedo::worth::{Care, Estimate, Ranking, left_out, rank};
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

/// How much is looked at for a ranking, but for `--deals`.
const CARE: Care = Care { deals: 0, views: 8, of_view: 4_000, all_views: 1_000, looks: 60_000_000 };

fn ask(args: &AskArgs) -> Result<u8, Failure> {
    let position = position(&args.position)?;
    let monitor = watch(&args.limits, args.json, "ranking");
    let budget = budget(&args.limits);
    let care = Care { deals: args.deals as usize, ..CARE };
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
    let questions = ranking.questions.iter().map(|q| {
        let answers: Map<String, Value> = (0..seats)
            .filter(|&s| s != position.observer().index())
            .map(|s| (s.to_string(), json!(q.answers[s])))
            .collect();
        let given = |of: &dyn Fn(&Estimate) -> Value| -> Map<String, Value> {
            q.gives.iter().enumerate().filter_map(|(s, g)| g.as_ref().map(|g| (s.to_string(), of(g)))).collect()
        };
        json!({
            "cards": names(position, q.cards), "wins": q.wins.value, "envelope_bits": q.envelope_bits.value,
            "deal_bits": q.deal_bits.value, "answers": answers, "nobody": q.answers[seats],
            "gives_away": given(&|g| json!(g.value)),
            "estimate": {
                "wins": estimate_json(&q.wins), "envelope_bits": estimate_json(&q.envelope_bits),
                "deal_bits": estimate_json(&q.deal_bits), "gives_away": given(&|g| estimate_json(g)),
            },
        })
    });
    json!({
        "deals": count(ranking.deals), "exact": ranking.exact, "looked_at": ranking.looked,
        "answers_error": ranking.chance_error, "gives_away_leaves_out": left_out(position),
        "questions": questions.collect::<Vec<_>>(),
    })
}

/// Whether a number is an estimate, from how many deals, and half of its 95 % interval.
fn estimate_json(estimate: &Estimate) -> Value {
    json!({"estimate": !estimate.exact, "deals": estimate.deals, "error": estimate.error})
}

fn print_ranking(position: &Position, ranking: &Ranking, top: usize) {
    let deals = grouped(ranking.deals);
    let looked = grouped(ranking.looked);
    line(&match ranking.exact {
        true if ranking.deals == 1 => "1 deal fits".to_string(),
        true => format!("{deals} deals fit; all were looked at"),
        false => format!(
            "{deals} deals fit; your numbers are estimates from {looked} of them, ± half of a 95%\ninterval; \
             who answers ±{:.1}%",
            100.0 * ranking.chance_error
        ),
    });
    let shown = || ranking.questions.iter().take(top);
    let gives: Vec<Estimate> = shown().filter_map(|q| q.given()).collect();
    line("bits about the envelope for you; chance that it is the envelope; who answers;");
    line(&match gives.iter().find(|g| !g.exact) {
        None => "bits given away, on average over the others, from all that they may have seen\n".to_string(),
        Some(some) => {
            format!("bits given away, on average over the others: estimates from {} deals, ±\n", grouped(some.deals))
        }
    });
    left_out(position).into_iter().for_each(|text| line(&format!("{text}\n")));
    let deck = position.deck();
    let width = shown().map(|q| deck.names(q.cards).chars().count()).max().unwrap_or(0);
    let bits =
        |e: &Estimate| if e.exact { format!("{:.2}", e.value) } else { format!("{:.2}±{:.2}", e.value, e.error) };
    let chance = |e: &Estimate| match e.exact {
        true => format!("{:.1}%", 100.0 * e.value),
        false => format!("{:.1}±{:.1}%", 100.0 * e.value, 100.0 * e.error),
    };
    let (own, all) = (if ranking.exact { 5 } else { 9 }, if gives.iter().all(|g| g.exact) { 5 } else { 9 });
    let win = if ranking.exact { 6 } else { 9 };
    line(&format!("{:width$} {:>own$} {:>win$} {:>all$}  answered by", "", "bits", "wins", "gives"));
    for question in shown() {
        let mut who: Vec<(String, f64)> =
            question.answers.iter().enumerate().map(|(s, &p)| (s.to_string(), p)).collect();
        if let Some(last) = who.last_mut() {
            last.0 = "nobody".to_string();
        }
        who.retain(|(_, p)| *p >= 0.005);
        who.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut row = format!(
            "{:width$} {:>own$} {:>win$} {:>all$}",
            deck.names(question.cards),
            bits(&question.envelope_bits),
            chance(&question.wins),
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
