//! The words of Yōkai for a terminal: what can be typed, the table as text.

use super::DEFAULT;
use crate::cards::CardSet;
use crate::game::{Notation, View};
use crate::knowledge::{Knower, Remembers};
use crate::table::page::Problem;
use crate::table::{FILLS, INSPECTS};
use crate::yokai::draw::{cards, hints, saw, table};
use crate::yokai::players;
use crate::yokai::view::{Page, REMINDS};
use crate::yokai::{Action, CARDS, Colour, Colours, Sight, Step, Yokai};
use ken_logic::text::hang;
use std::collections::BTreeMap;

pub(super) const USAGE: &str = "  look CARD        look at a card; only you see its colour: `look 3`
  move CARD CELL   move a card to a row and a column: `move 3 14,16`
  skip             move nothing, if no card can be moved
  activate         activate a hint, drawn blindly
  mark CARD HINT   mark a card with an active hint: `mark 3 rg`
  stop             end the match: won if the cards of each colour lie together
                   `l`, `mo`, `a` and `ma` will do
                   the table: cards by their numbers, beside them the colours
                   that you saw, below them their hints; r red, g green,
                   b blue, y yellow
  know FORMULA     whether you know it: `know K[1] K[0] col(3,red)`
                                                                (--helper 3)
  why FACT         why you know it, or why not: `why grouped`   (--helper 3)
  assume NAME      what `know` and `why` assume: `assume natural`, or `none`,
                   `hints`, `coded`; alone it lists them        (--helper 3)
  why partner      why your partner did what it did since your last move, as far
                   as it does not tell what only it saw; `why 7` for event 7
  advise           the best you can do                          (--helper 4)";

pub(super) fn expand(typed: &str, legal: &[Action]) -> String {
    // Both `move` and `mark` begin so, and so do `skip` and `stop`; where only one may be meant, it is.
    let may = |test: fn(&Action) -> bool| legal.iter().any(test);
    match typed.split_once(' ').unwrap_or((typed, "")) {
        ("m" | "M", rest) if !may(|a| matches!(a, Action::Mark(..))) => format!("move {rest}"),
        ("m" | "M", rest) if !may(|a| matches!(a, Action::Move(..))) => format!("mark {rest}"),
        ("s" | "S", "") if may(|a| *a == Action::Skip) && !may(|a| *a == Action::Stop) => "skip".to_string(),
        _ => typed.to_string(),
    }
}

/// What is to be done, as a prompt.
pub(super) fn prompt(game: &Yokai, memory: &[Sight]) -> String {
    let stage = game.view(memory).stage;
    if stage.is_over() {
        return "over".to_string();
    }
    let words = |step: Step| match step {
        Step::Look => "look at a card",
        Step::Move => "move a card",
        Step::Hint => "activate a hint or mark a card",
    };
    let steps = stage.steps();
    let open: Vec<&str> = match game.free_order {
        true => Step::ALL.into_iter().filter(|&s| steps.open(s)).map(words).collect(),
        false => steps.next().into_iter().map(words).collect(),
    };
    let stop = if game.any_time || steps.none() { ", or stop" } else { "" };
    format!("{}{stop}", open.join(", or "))
}

/// The table at a helper level.
pub(super) fn sheet(game: &Yokai, memory: &[Sight], helper: u8) -> String {
    let page = game.view(&game.reminded(memory, helper));
    let mut lines = table(&page);
    lines.push(String::new());
    let (turn, seat) = (page.stage.turns() + 1, page.stage.seat());
    lines.extend(hang("", &format!("turn {turn}, seat {seat} to move; {}", hints(&page.stage))));
    lines.extend(hang("", &format!("you saw {}", saw(&page))));
    if helper >= REMINDS {
        lines.extend(hang("", &format!("your partner looked at {}", cards(page.looked(page.seat.next(2))))));
    }
    if helper >= FILLS {
        lines.extend(follows(game, memory, &page).iter().flat_map(|words| hang("", words)));
    }
    if helper >= INSPECTS {
        let mut known = game.plainly().mind(memory);
        let shared: CardSet = CardSet::first(CARDS).iter().filter(|card| known.partner_knows(*card)).collect();
        lines.extend(hang("", &format!("your partner knows the colours of {}", cards(shared))));
    }
    lines.join("\n")
}

/// What the adviser would do, with its reasons.
pub(super) fn advise(game: &Yokai, memory: &[Sight]) -> Result<String, Problem> {
    let page = game.view(memory);
    if page.stage.seat() != page.seat || page.stage.is_over() {
        return Err(Problem::new("not-your-turn", "advice is about your own turn"));
    }
    let mut adviser = players::mind(DEFAULT, game, 0)?;
    memory.iter().for_each(|sight| adviser.watch(sight));
    let choice = adviser.choose(&Yokai::options(game, &page.stage));
    let mut lines = vec![format!("{DEFAULT} would `{}`", game.write(&choice))];
    if let Some(reason) = adviser.reason() {
        lines.extend(hang("", &reason.headline));
        lines.extend(reason.lines.iter().flat_map(|l| hang("  ", l)));
    }
    Ok(lines.join("\n"))
}

/// What follows of the cards whose colour the seat has not seen: those of one colour, and those that cannot have some.
fn follows(game: &Yokai, memory: &[Sight], page: &Page) -> Vec<String> {
    if page.end.is_some() {
        return Vec::new();
    }
    let (mut knower, _, refuted) = Knower::of(&game.plainly(), memory);
    let seen = page.seen();
    let mut said: BTreeMap<Colours, CardSet> = BTreeMap::new();
    for card in CardSet::first(seen.len()).iter().filter(|c| seen[c.index()].is_none()) {
        let possible = knower.possible(card);
        if possible.len() < Colour::ALL.len() {
            let held = said.entry(possible).or_insert(CardSet::EMPTY);
            *held = held.with(card);
        }
    }
    let names = |colours: Colours| colours.iter().map(Colour::name).collect::<Vec<_>>().join(" or ");
    let line = |(colours, held): (&Colours, &CardSet)| match colours.len() {
        1 => format!("{} must be {}", cards(*held), names(*colours)),
        _ => format!("{} can be {}", cards(*held), names(*colours)),
    };
    let mut lines = Vec::new();
    if refuted.is_some() {
        lines.push("what you saw contradicts a hint: hints are not relied on".to_string());
    }
    if !said.is_empty() {
        lines.push(format!("it follows: {}", said.iter().map(line).collect::<Vec<_>>().join("; ")));
    }
    lines
}
