//! What is shown as text, where a game does not say it in its own way.

use super::Face;
use super::page::{Advice, Known, Problem, Thing, Why, WorldInfo};
use crate::game::Seat;
use ken_logic::text::{WIDTH, hang, wrap};

/// A sentence as a prompt has it: `Play a card.` as `play a card`.
pub(super) fn prompt(sentence: &str) -> String {
    let mut text = sentence.trim_end_matches('.').to_string();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
}

/// `you have card 3, hand a, b`.
pub(super) fn hand(things: &[Thing]) -> String {
    let things: Vec<String> = things.iter().map(|thing| format!("{} {}", thing.name, thing.value)).collect();
    if things.is_empty() { "you have nothing".to_string() } else { format!("you have {}", things.join("; ")) }
}

/// The plain board.
pub(super) fn sheet<G: Face>(game: &G, memory: &[G::Sight]) -> String {
    let board = super::plain::board(game, memory);
    let width = board.open.iter().chain(&board.own).map(|thing| thing.name.chars().count()).max().unwrap_or(0);
    let part = |head: &str, things: &[Thing]| {
        let line = |thing: &Thing| hang(&format!("  {:width$}  ", thing.name), &thing.value);
        let mut lines = vec![head.to_string()];
        lines.extend(things.iter().flat_map(line));
        if things.is_empty() { Vec::new() } else { lines }
    };
    [part("what lies open", &board.open), part("your own", &board.own)].concat().join("\n")
}

/// `true if 1: plum, rope; envelope: hall`.
fn world(world: &WorldInfo) -> Vec<String> {
    let parts: Vec<String> = world.parts.iter().map(|part| format!("{}: {}", part.name, part.value)).collect();
    hang("  ", &parts.join("; "))
}

fn open(why: &Why) -> Vec<String> {
    let mut lines = Vec::new();
    for (i, side) in why.worlds.iter().enumerate() {
        let word = if side.holds { "true" } else { "false" };
        lines.push(if i == 0 { format!("open: it is {word} if") } else { format!("and {word} if") });
        lines.extend(world(side));
    }
    if lines.is_empty() { vec!["open: you do not know".to_string()] } else { lines }
}

/// What a seat's inspector says about a fact, told so, with what it rests on.
pub(super) fn why<G: Face>(
    game: &G,
    me: Seat,
    memory: &[G::Sight],
    fact: &str,
    tell: fn(&Why) -> String,
) -> Result<String, Problem> {
    let none = || Problem::new("no-inspector", "this game has no inspector");
    let mut inspector = game.knowledge(memory).ok_or_else(none)?;
    let why = inspector.why(&[me], fact)?;
    // What an answer rests on comes before the answer.
    let mut lines: Vec<String> = inspector.relative().0.iter().flat_map(|note| wrap(note, WIDTH)).collect();
    lines.push(tell(&why));
    Ok(lines.join("\n"))
}

/// Whether a formula is known.
pub(super) fn know(why: &Why) -> String {
    let since = match why.since {
        None => String::new(),
        Some(0) => ", since the deal".to_string(),
        Some(event) => format!(", since event {event}"),
    };
    match why.verdict {
        Known::Known => format!("known: you know it{since}"),
        Known::Excluded => format!("excluded: you know that it is false{since}"),
        Known::Open => open(why).join("\n"),
    }
}

/// Why a fact is known, or why not.
pub(super) fn explain(why: &Why) -> String {
    let mut lines = match why.verdict {
        Known::Known => vec!["known".to_string()],
        Known::Excluded => vec!["excluded: its contrary is known".to_string()],
        Known::Open => open(why),
    };
    for sentence in &why.proof {
        lines.extend(hang(&" ".repeat(2 * sentence.depth + 2), &sentence.text));
    }
    lines.extend(why.unproved.iter().flat_map(|words| hang("  ", words)));
    lines.join("\n")
}

/// The last step of a hint.
pub(crate) fn advise<G: Face>(game: &G, memory: &[G::Sight]) -> Result<String, Problem> {
    let Advice { steps, .. } = game.advice(memory, 1)?;
    let hint = game.advice(memory, steps)?;
    let mut lines: Vec<String> = hint.lines.iter().flat_map(|line| hang("", line)).collect();
    lines.extend(hint.action.map(|action| format!("  {action}")));
    Ok(lines.join("\n"))
}
