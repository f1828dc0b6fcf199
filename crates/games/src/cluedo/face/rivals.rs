//! How near each rival is to the envelope: rows for the inspector, and a line for the terminal.

use crate::cluedo::estimate::Estimate;
use crate::cluedo::rivals::{Nearness, near};
use crate::cluedo::rules::asked;
use crate::cluedo::worth::Care;
use crate::cluedo::{Atom, Fact, Position};
use crate::dice::Dice;
use crate::game::{Seat, Verdict};
use crate::knowledge::{Budget, Row};

/// The group of the rows.
const RIVALS: &str = "who knows the envelope";

/// What finding out whether it follows that a rival knows the envelope may take.
const FOLLOWS: Budget = Budget { steps: 10_000 };

/// How many views of a rival are looked at for the chance that it knows the envelope.
const CARE: Care = Care { all_views: 100, views: 60, ..Care::FULL };

/// Every other seat with how near it is.
fn all(position: &Position) -> Vec<(Seat, Nearness)> {
    let others = asked(position.observer(), position.seats());
    others.map(|seat| (seat, near(position, seat, CARE, &FOLLOWS, &mut Dice::new(0)))).collect()
}

/// A row for each rival.
pub(super) fn rows(position: &Position) -> Vec<Row<Atom>> {
    let row = |(seat, Nearness { verdict, chance }): (Seat, Nearness)| {
        let exact = chance.filter(|chance| chance.exact).map(|chance| chance.value);
        let mut row = Row::new(Fact::Atom(Atom::Solved(seat)), RIVALS).own(verdict, exact);
        let estimate = chance.filter(|chance| !chance.exact);
        row.words = estimate.map(|chance| format!("seat {seat} knows the envelope: {}", estimated(&chance)));
        row
    };
    all(position).into_iter().map(row).collect()
}

/// A line for all rivals.
pub(super) fn line(position: &Position) -> String {
    let one = |(seat, Nearness { verdict, chance }): (Seat, Nearness)| {
        let said = match (verdict, chance) {
            (Verdict::Yes, _) => "certainly".to_string(),
            (Verdict::No, _) => "certainly not".to_string(),
            (Verdict::Open, Some(chance)) if chance.exact => percent(chance.value),
            (Verdict::Open, Some(chance)) => estimated(&chance),
            (Verdict::Open, None) => "open".to_string(),
        };
        format!("seat {seat} {said}")
    };
    let each: Vec<String> = all(position).into_iter().map(one).collect();
    format!("{RIVALS}: {}", each.join("; "))
}

/// A chance that is an estimate, in words.
fn estimated(chance: &Estimate) -> String {
    let Estimate { value, low, high, looked, .. } = *chance;
    match value > 0.0 {
        false => format!("at most about {}, in none of {looked} views drawn of it (95% interval)", percent(high)),
        true => format!(
            "about {}, 95% interval {} to {}, from {looked} views drawn of it",
            percent(value),
            percent(low),
            percent(high)
        ),
    }
}

/// A chance that is not certain is not rounded to certainty.
fn percent(share: f64) -> String {
    match 100.0 * share {
        p if p > 0.0 && p < 0.5 => "less than 1%".to_string(),
        p if p < 100.0 && p > 99.5 => "more than 99%".to_string(),
        p => format!("{p:.0}%"),
    }
}
