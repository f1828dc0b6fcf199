//! Hints in steps, and what a step would mean.

use super::DEFAULT;
use super::know::col;
use crate::game::{Notation, View};
use crate::knowledge::Remembers;
use crate::table::page::{Advice, Preview, Problem};
use crate::table::{FILLS, INSPECTS};
use crate::yokai::knowledge::Fact;
use crate::yokai::notation::number;
use crate::yokai::players;
use crate::yokai::{Action, Colour, Sight, Yokai};

/// How many steps a hint has.
const STEPS: u8 = 3;

pub(super) fn advice(game: &Yokai, memory: &[Sight], step: u8) -> Result<Advice, Problem> {
    let page = game.view(memory);
    if page.stage.is_over() {
        return Err(Problem::new("over", "the match is over"));
    }
    if page.stage.seat() != page.seat {
        return Err(Problem::new("not-your-turn", "advice is about your own turn"));
    }
    let mut adviser = players::mind(DEFAULT, game, 0)?;
    memory.iter().for_each(|sight| adviser.watch(sight));
    let choice = adviser.choose(&Yokai::options(game, &page.stage));
    let action = game.write(&choice);
    let step = step.clamp(1, STEPS);
    let (lines, action) = match step {
        1 => (vec![nudge(&choice).to_string()], None),
        2 => {
            let reason = adviser.reason();
            // The headline begins with the move, which is for the last step.
            let headline =
                reason.as_ref().map(|r| r.headline.strip_prefix(&format!("{action}: ")).unwrap_or(&r.headline));
            let lines = reason.iter().flat_map(|r| r.lines.clone());
            let lines: Vec<String> = headline.into_iter().map(ToString::to_string).chain(lines).collect();
            (lines.into_iter().filter(|line| !line.is_empty()).collect(), None)
        }
        _ => (vec![format!("{}.", in_words(&choice))], Some(action)),
    };
    Ok(Advice { step, steps: STEPS, lines, action })
}

/// The kind of step, without the card.
fn nudge(action: &Action) -> &'static str {
    match action {
        Action::Look(_) => "Look where a colour would change your next move, not where you know it already.",
        Action::Move(..) => {
            "Move a card that you know beside a known card of its colour: your partner can read that as a sign."
        }
        Action::Skip => "No card can be moved.",
        Action::Activate => "A new hint is worth more now than to use one.",
        Action::Mark(..) => "Use a hint: a marked card tells your partner something, and cannot be moved any more.",
        Action::Stop => "Are all colours together? What speaks against stopping?",
    }
}

fn in_words(action: &Action) -> String {
    match action {
        Action::Look(card) => format!("Look at card {}", number(*card)),
        Action::Move(card, to) => format!("Move card {} to {to}", number(*card)),
        Action::Skip => "Skip the move".to_string(),
        Action::Activate => "Activate a hint".to_string(),
        Action::Mark(card, hint) => format!("Mark card {} with {hint}", number(*card)),
        Action::Stop => "Stop".to_string(),
    }
}

pub(super) fn preview(game: &Yokai, memory: &[Sight], action: &Action, helper: u8) -> Preview {
    let stage = game.view(memory).stage;
    let share = |(holds, of): (u128, u128)| match of {
        0 => "in none".to_string(),
        _ if holds == of => "in all".to_string(),
        _ if holds == 0 => "in none".to_string(),
        _ => format!("in {:.1}%", 100.0 * holds as f64 / of as f64),
    };
    let known = || game.plainly().mind(memory);
    let mut lines = Vec::new();
    match action {
        Action::Look(card) => {
            lines.push("Only you see the colour; your partner sees where you look.".to_string());
            if helper >= INSPECTS {
                let mut known = known();
                let chances = Colour::ALL.map(|colour| (colour, known.share(&col(*card, colour))));
                let open = chances.into_iter().filter(|(_, (holds, _))| *holds > 0);
                let open: Vec<String> = open.map(|(colour, found)| format!("{colour} {}", share(found))).collect();
                lines.push(format!("Of the colourings that fit: {}.", open.join(", ")));
            }
        }
        Action::Move(..) => lines.push("Your partner sees it, and may read something into it.".to_string()),
        Action::Skip => lines.push("No card can be moved.".to_string()),
        Action::Activate => {
            let [one, two, three] = stage.available();
            lines.push(format!("Left to draw: {one} hints of one colour, {two} of two, {three} of three."));
            lines.push("Every activated hint makes a win worth three points less.".to_string());
        }
        Action::Mark(card, hint) => {
            lines.push("The card cannot be looked at or moved any more.".to_string());
            if helper >= FILLS {
                let found = known().share(&Fact::colour(*card, *hint));
                lines.push(format!("The hint is right {} of the colourings that fit.", share(found)));
            }
        }
        Action::Stop => {
            lines.push(format!("The match ends. A win is worth {} points if all hints are right.", stage.score(0)));
            if helper >= INSPECTS {
                let found = known().share(&Fact::GROUPED);
                lines.push(format!("Every colour is together {} of the colourings that fit.", share(found)));
            }
        }
    }
    let why_not = game.check(&stage, action).err().map(|illegal| illegal.message);
    Preview { legal: why_not.is_none(), why_not, read_as: Some(game.write(action)), lines, ..Preview::default() }
}
