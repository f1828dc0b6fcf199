//! The table of Yōkai, and its words for people.

use super::screen::hang;
use super::{FILLS, Table, refusal};
use crate::input::Failure;
use crate::yokai::{cards, hints, saw, table};
use crate::yokai_know::{know_at_table, model_of, why_at_table};
use ken_games::cards::CardSet;
use ken_games::game::{Illegal, Notation, Player, View};
use ken_games::knowledge::Knower;
use ken_games::yokai::players::{self, PLAYERS};
use ken_games::yokai::read::position_data;
use ken_games::yokai::view::{Page, REMINDS};
use ken_games::yokai::{Action, Colour, Colours, Position, Sight, Step, Yokai};
use serde_json::Value;
use std::collections::BTreeMap;

/// Who gives advice.
const ADVISER: &str = "conventional";

const USAGE: &str = "  look CARD        look at a card; only you see its colour: `look 3`
  move CARD CELL   move a card to a row and a column: `move 3 14,16`
  skip             move nothing, if no card can be moved
  activate         activate a hint, drawn blindly
  mark CARD HINT   mark a card with an active hint: `mark 3 rg`
  stop             end the match: won if the cards of each colour lie together
                   `l`, `mo`, `a` and `ma` will do
                   the table: cards by their numbers, beside them the colours
                   that you saw, below them their hints; r red, g green,
                   b blue, y yellow
  know FORMULA     whether you know it, if hints are proper:
                   `know K[1] K[0] col(3,red)`                  (--helper 3)
  why FACT         why you know it, or why not: `why grouped`   (--helper 3)
  advise           the best you can do                          (--helper 4)";

impl Table for Yokai {
    const HAND: &'static str = "you saw";
    const RIVAL: &'static str = "conventional";

    fn players() -> Vec<(&'static str, &'static str)> {
        PLAYERS.iter().map(|p| (p.name, p.about)).collect()
    }

    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Yokai>>, Illegal> {
        players::seat(name, self, seed)
    }

    fn expand(&self, typed: &str, legal: &[Action]) -> String {
        // Both `move` and `mark` begin so, and so do `skip` and `stop`; where only one may be meant, it is.
        let may = |test: fn(&Action) -> bool| legal.iter().any(test);
        match typed.split_once(' ').unwrap_or((typed, "")) {
            ("m" | "M", rest) if !may(|a| matches!(a, Action::Mark(..))) => format!("move {rest}"),
            ("m" | "M", rest) if !may(|a| matches!(a, Action::Move(..))) => format!("mark {rest}"),
            ("s" | "S", "") if may(|a| *a == Action::Skip) && !may(|a| *a == Action::Stop) => "skip".to_string(),
            _ => typed.to_string(),
        }
    }

    fn usage(&self) -> &'static str {
        USAGE
    }

    fn request(&self, memory: &[Sight]) -> String {
        let stage = self.view(memory).stage;
        if stage.is_over() {
            return "over".to_string();
        }
        let words = |step: Step| match step {
            Step::Look => "look at a card",
            Step::Move => "move a card",
            Step::Hint => "activate a hint or mark a card",
        };
        let steps = stage.steps();
        let open: Vec<&str> = match self.free_order {
            true => Step::ALL.into_iter().filter(|&s| steps.open(s)).map(words).collect(),
            false => steps.next().into_iter().map(words).collect(),
        };
        let stop = if self.any_time || steps.none() { ", or stop" } else { "" };
        format!("{}{stop}", open.join(", or "))
    }

    fn counted(&self, sight: &Sight) -> bool {
        matches!(sight, Sight::Done { .. })
    }

    fn hand(&self, memory: &[Sight]) -> String {
        saw(&self.view(memory))
    }

    fn reminded(&self, memory: Vec<Sight>, helper: u8) -> Vec<Sight> {
        Yokai::reminded(self, &memory, helper)
    }

    fn sheet(&self, memory: &[Sight], helper: u8) -> String {
        let page = self.view(memory);
        let mut lines = table(&page);
        lines.push(String::new());
        let (turn, seat) = (page.stage.turns() + 1, page.stage.seat());
        lines.extend(hang("", &format!("turn {turn}, seat {seat} to move; {}", hints(&page.stage))));
        lines.extend(hang("", &format!("you saw {}", saw(&page))));
        if helper >= REMINDS {
            lines.extend(hang("", &format!("your partner looked at {}", cards(page.looked(page.seat.next(2))))));
        }
        if helper >= FILLS {
            lines.extend(follows(self, memory, &page).iter().flat_map(|words| hang("", words)));
        }
        lines.join("\n")
    }

    fn know(&self, memory: &[Sight], formula: &str) -> Result<String, Failure> {
        know_at_table(self, memory, formula)
    }

    fn position(&self, memory: &[Sight]) -> Result<Value, Failure> {
        Ok(position_data(&Position::of_memory(self, memory)))
    }

    fn model(&self, memory: &[Sight]) -> Result<String, Failure> {
        model_of(self, memory)
    }

    fn why(&self, memory: &[Sight], fact: &str) -> Result<String, Failure> {
        why_at_table(self, memory, fact)
    }

    fn advise(&self, memory: &[Sight]) -> Result<String, Failure> {
        let page = self.view(memory);
        if page.stage.seat() != page.seat || page.stage.is_over() {
            return Err(refusal(Illegal::new("advice is about your own turn")));
        }
        let mut adviser = players::mind(ADVISER, self, 0).map_err(refusal)?;
        memory.iter().for_each(|sight| adviser.watch(sight));
        let choice = adviser.choose(&Yokai::options(self, &page.stage));
        let mut lines = vec![format!("{ADVISER} would `{}`", self.write(&choice))];
        if let Some(reason) = adviser.reason() {
            lines.extend(hang("", &reason.headline));
            lines.extend(reason.lines.iter().flat_map(|l| hang("  ", l)));
        }
        Ok(lines.join("\n"))
    }
}

/// What follows of the cards whose colour the seat has not seen: those of one colour, and those that cannot have some.
fn follows(game: &Yokai, memory: &[Sight], page: &Page) -> Vec<String> {
    if page.end.is_some() {
        return Vec::new();
    }
    let (mut knower, _, clash) = Knower::of(game, memory);
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
    if clash {
        lines.push("what you saw contradicts a hint: hints are not relied on".to_string());
    }
    if !said.is_empty() {
        lines.push(format!("it follows: {}", said.iter().map(line).collect::<Vec<_>>().join("; ")));
    }
    lines
}
