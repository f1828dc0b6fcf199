//! `ken cluedo`: what follows from a position.

use crate::args::{AskArgs, CluedoCommand, KnowArgs, LimitArgs, SolveArgs, WhyArgs};
use crate::check::grouped;
use crate::input::{Failure, read_text};
use crate::monitor::Monitor;
use crate::output::{complain, line};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::ask::{Others, Ranking, rank};
use ken_games::cluedo::{Position, read};
use ken_games::dice::Dice;
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
        CluedoCommand::Know(args) => know(args),
        CluedoCommand::Why(args) => why(args),
        CluedoCommand::Ask(args) => ask(args),
    }
}

/// Reads a position, or says all that is wrong with it.
fn position(file: &str) -> Result<Position, Failure> {
    let (name, text) = read_text(file)?;
    read::position(&text).map_err(|problems| Failure::Text { name, text, problems })
}

fn watch(limits: &LimitArgs, json: bool, doing: &str) -> Monitor {
    let print = move |failure: &Failure| match json {
        true => line(&failure.json().to_string()),
        false => complain(&failure.text()),
    };
    let monitor = Monitor::start(limits.max_seconds, limits.max_memory, Box::new(print));
    monitor.doing(doing);
    monitor
}

/// A count as a JSON number where it fits into 64 bits, else as decimal text.
fn count(n: u128) -> Value {
    u64::try_from(n).map_or_else(|_| json!(n.to_string()), |small| json!(small))
}

fn names(position: &Position, cards: CardSet) -> Vec<&str> {
    cards.iter().map(|c| position.deck().name(c)).collect()
}

fn solve(args: &SolveArgs) -> Result<u8, Failure> {
    if args.batch {
        let (_, text) = read_text("-")?;
        return batch(&text, |item| {
            let position = read_item("position", item)?;
            Ok(solution_json(&position, &solved(&position)?))
        });
    }
    let position = position(args.position.as_deref().unwrap_or("-"))?;
    let monitor = watch(&args.limits, args.json, "counting");
    let solution = solved(&position)?;
    drop(monitor);
    match args.json {
        true => line(&solution_json(&position, &solution).to_string()),
        false => print_solution(&position, &solution),
    }
    Ok(0)
}

fn solution_json(position: &Position, solution: &Solution) -> Value {
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

fn print_solution(position: &Position, solution: &Solution) {
    let deck = position.deck();
    let plural = |n: usize, what: &str| format!("{} {what}{}", grouped(&n.to_string()), if n == 1 { "" } else { "s" });
    let deals = grouped(&solution.deals.to_string());
    let fit = if solution.deals == 1 { "deal fits" } else { "deals fit" };
    line(&format!("{deals} {fit}, {}", plural(solution.envelopes.len(), "envelope")));
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

/// Views of each other seat, and deals of each view, from which giveaways are estimated.
const OTHERS: Others = Others { views: 4, deals: 200 };

fn ask(args: &AskArgs) -> Result<u8, Failure> {
    let position = position(&args.position)?;
    let monitor = watch(&args.limits, args.json, "ranking");
    let ranking = rank(&position, args.deals.max(1), OTHERS, &mut Dice::new(args.seed));
    let Some(ranking) = ranking else { return Err(clash(&position)) };
    drop(monitor);
    match args.json {
        true => line(&ranking_json(&position, &ranking).to_string()),
        false => print_ranking(&position, &ranking, args.top),
    }
    Ok(0)
}

fn ranking_json(position: &Position, ranking: &Ranking) -> Value {
    let seats = position.seats() as usize;
    let questions = ranking.questions.iter().map(|q| {
        let answers: Map<String, Value> =
            (0..seats).filter(|&s| s != position.observer().index()).map(|s| (s.to_string(), json!(q.expected.answers[s]))).collect();
        let gives: Map<String, Value> =
            q.gives.iter().enumerate().filter_map(|(s, g)| g.map(|g| (s.to_string(), json!(g)))).collect();
        json!({
            "cards": names(position, q.cards), "wins": q.expected.wins, "envelope_bits": q.expected.envelope_bits,
            "deal_bits": q.expected.outcome_bits, "answers": answers, "nobody": q.expected.answers[seats], "gives_away": gives,
        })
    });
    json!({
        "deals": count(ranking.deals), "exact": ranking.exact, "looked_at": ranking.looked,
        "gives_away": "sampled", "questions": questions.collect::<Vec<_>>(),
    })
}

fn print_ranking(position: &Position, ranking: &Ranking, top: usize) {
    let deals = grouped(&ranking.deals.to_string());
    line(&match ranking.exact {
        true => format!("{deals} deals fit; all were looked at"),
        false => format!("{deals} deals fit; a sample of {} was looked at", grouped(&ranking.looked.to_string())),
    });
    line("bits about the envelope for you; chance that it is the envelope; who answers;\nbits given away, on average over the others (sampled)\n");
    let deck = position.deck();
    let width = ranking.questions.iter().take(top).map(|q| deck.names(q.cards).chars().count()).max().unwrap_or(0);
    line(&format!("{:width$} {:>5} {:>6} {:>5}  answered by", "", "bits", "wins", "gives"));
    for question in ranking.questions.iter().take(top) {
        let expected = &question.expected;
        let given: Vec<f64> = question.gives.iter().flatten().copied().collect();
        let given = given.iter().sum::<f64>() / given.len().max(1) as f64;
        let mut who: Vec<(String, f64)> = expected.answers.iter().enumerate().map(|(s, &p)| (s.to_string(), p)).collect();
        if let Some(last) = who.last_mut() {
            last.0 = "nobody".to_string();
        }
        who.retain(|(_, p)| *p >= 0.005);
        who.sort_by(|a, b| b.1.total_cmp(&a.1));
        let who: Vec<String> = who.iter().take(3).map(|(s, p)| format!("{s} {:.0}%", 100.0 * p)).collect();
        line(&format!(
            "{:width$} {:>5.2} {:>5.1}% {given:>5.2}  {}",
            deck.names(question.cards),
            expected.envelope_bits,
            100.0 * expected.wins,
            who.join(", ")
        ));
    }
}
