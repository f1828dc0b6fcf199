//! Why the partner did something: what the asker's own sights and the partner's announcement tell while the match goes on,
//! and the partner's own words when it is over.

use super::know::Colours;
use crate::game::{Notation, Seat, View};
use crate::knowledge::Remembers;
use crate::table::INSPECTS;
use crate::yokai::convention::{Convention, Reader};
use crate::yokai::knowledge::Fact;
use crate::yokai::notation::number;
use crate::yokai::players::{self, Announced, announced};
use crate::yokai::view::REMINDS;
use crate::yokai::{Action, SeenAct, Sight, Stage, Yokai};
use ken_logic::text::listed;

/// Why another did what the event shows, from what the asker saw up to it. It asks no mind but the asker's own: so it is the
/// same in all matches that look the same to the asker.
pub(super) fn reason(
    game: &Yokai,
    memory: &[Sight],
    event: usize,
    player: Option<&str>,
    helper: u8,
) -> Option<Vec<String>> {
    let Sight::Done { seat, act, .. } = *memory.get(event)? else { return None };
    let me = game.view(&memory[..1]).seat;
    let own = memory.iter().rposition(|sight| matches!(sight, Sight::Done { seat, .. } if *seat == me)).unwrap_or(0);
    if helper < REMINDS && event < own {
        return Some(vec!["At helper level 0 you remember the past yourself: ask before your next move.".to_string()]);
    }
    let mut lines = vec![told(game, &memory[..=event], player)];
    match player.map(|name| (name, announced(name))) {
        Some((_, Some(said))) => lines.push(said.habit(&act).to_string()),
        Some((name, None)) => lines.push(format!("`{name}` does not say how it decides.")),
        None => lines.push(format!("Seat {seat} is a person: what else they thought is theirs to tell.")),
    }
    if helper >= INSPECTS {
        lines.extend(effect(game, memory, event, seat, act));
    }
    lines.push("What it saw itself is not told before the end.".to_string());
    Some(lines)
}

/// What the last move of the memory tells by what its maker announced or, of a person, by what was agreed on.
fn told(game: &Yokai, memory: &[Sight], player: Option<&str>) -> String {
    let (kept, by) = match (player.and_then(announced), game.convention) {
        (Some(said), _) => (said.keeps, "By what it announced"),
        (None, Some(agreed)) if player.is_none() => (agreed, "By what was agreed on"),
        (None, _) => (Convention::HINTS, "By what the rules mean"),
    };
    let reader = Reader::of(kept, memory);
    let now = memory.len() - 1;
    let told: Vec<String> =
        reader.told().iter().filter(|told| told.event == now).map(|told| told.what.words()).collect();
    match (told.is_empty(), reader.broken()) {
        (false, _) => format!("{by} this tells that {}.", listed(told, "and")),
        (true, Some(event)) => format!("{by} this would tell something, but the code was left at event {event}."),
        (true, None) => {
            let declared = player.and_then(announced).and_then(|said| declared(said, memory));
            declared.unwrap_or_else(|| format!("{by} this tells nothing beyond what you see."))
        }
    }
}

/// What the last move of the memory declares, if it is a look of the first turn.
fn declared(said: Announced, memory: &[Sight]) -> Option<String> {
    let Some(Sight::Done { seat, act: SeenAct::Looked { .. }, .. }) = memory.last() else { return None };
    let looks = memory.iter().filter_map(|sight| match sight {
        Sight::Done { seat: by, act: SeenAct::Looked { card, .. }, .. } if by == seat => Some(*card),
        Sight::Done { .. } | Sight::Dealt { .. } => None,
    });
    said.declares(*seat, &looks.collect::<Vec<_>>()).map(str::to_string)
}

/// In how many of the colourings, in words.
fn share((holds, of): (u128, u128)) -> String {
    match of {
        _ if holds == of => "all".to_string(),
        _ if holds == 0 => "none".to_string(),
        _ => format!("{:.1} %", 100.0 * holds as f64 / of as f64),
    }
}

/// What a move did on the table, by what the asker knew then: looks and hints, and no convention.
fn effect(game: &Yokai, memory: &[Sight], event: usize, seat: Seat, act: SeenAct) -> Option<String> {
    let plain = game.plainly();
    let mind = |sights: usize| -> Colours { plain.mind(&memory[..sights]) };
    Some(match act {
        SeenAct::Looked { card, .. } => {
            let again = memory[..event].iter().any(
                |sight| matches!(sight, Sight::Done { seat: by, act: SeenAct::Looked { card: at, .. }, .. } if (*by, *at) == (seat, card)),
            );
            let open = listed(mind(event + 1).possible(card).iter().map(|colour| colour.name()), "or");
            let first = if again { "It had looked there before" } else { "It had not looked there before" };
            format!("{first}; for you card {} can be {open}.", number(card))
        }
        SeenAct::Moved { .. } => {
            let [before, after] = [event, event + 1].map(|sights| share(mind(sights).share(&Fact::GROUPED)));
            format!(
                "Every colour is together in {after} of the colourings that fit what you know, before it in {before}."
            )
        }
        SeenAct::Marked { card, hint } => {
            let right = share(mind(event).share(&Fact::colour(card, hint)));
            format!("The hint is right in {right} of the colourings that fitted what you knew before.")
        }
        SeenAct::Activated(_) | SeenAct::Skipped | SeenAct::Stopped => return None,
    })
}

/// What a player said to itself at each of its events: it is asked again at every turn that it had, with what it saw then
/// and with its own chance, so that it comes to the same. Where it does not, since its match was taken up again in the
/// middle, that is said.
pub(super) fn recount(game: &Yokai, player: &str, seed: u64, memory: &[Sight]) -> Vec<(usize, Vec<String>)> {
    let (Ok(mut mind), Some(Sight::Dealt { me })) = (players::mind(player, game, seed), memory.first()) else {
        return Vec::new();
    };
    let mut stage = Stage::start();
    let mut reasons = Vec::new();
    for (event, sight) in memory.iter().enumerate() {
        if let Sight::Done { seat, act, .. } = *sight
            && seat == *me
        {
            let choice = mind.choose(&game.options(&stage));
            let mut lines = Vec::new();
            if choice != action(act) {
                lines.push(format!("Asked again it would `{}`: its chance was another then.", game.write(&choice)));
            }
            match mind.reason() {
                Some(reason) => lines.extend([reason.headline].into_iter().chain(reason.lines)),
                None => lines.push(format!("`{player}` gives no reasons.")),
            }
            reasons.push((event, lines));
        }
        mind.watch(sight);
        stage.follow(sight);
    }
    reasons
}

fn action(act: SeenAct) -> Action {
    match act {
        SeenAct::Looked { card, .. } => Action::Look(card),
        SeenAct::Moved { card, to } => Action::Move(card, to),
        SeenAct::Skipped => Action::Skip,
        SeenAct::Activated(_) => Action::Activate,
        SeenAct::Marked { card, hint } => Action::Mark(card, hint),
        SeenAct::Stopped => Action::Stop,
    }
}
