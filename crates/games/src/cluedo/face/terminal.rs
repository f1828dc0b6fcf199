//! The words of Cluedo for a terminal: what can be typed, the note sheet as text, the best questions.

use super::rivals;
use crate::cards::{Card, CardSet};
use crate::cluedo::estimate::Estimate;
use crate::cluedo::knowledge::solve;
use crate::cluedo::rules::Phase;
use crate::cluedo::view::Mark;
use crate::cluedo::worth::{Care, Question, left_out, rank};
use crate::cluedo::{Action, Cluedo, Deck, Position, Sight};
use crate::dice::Dice;
use crate::game::{Seat, View};
use crate::knowledge::{Budget, Refused};
use crate::table::page::Problem;
use crate::table::{CHECKS, FILLS, INSPECTS};
use ken_logic::text::{WIDTH, grouped, hang};

const BROKEN: &str = "no deal fits what you saw: a declared convention was broken";

/// How many questions advice lists.
const BEST: usize = 8;

pub(super) const USAGE: &str = "  suggest CARDS    ask for one card of each category: `suggest plum rope hall`
  show CARD        show a card that was asked for
  accuse CARDS     say what lies in the envelope, once in a match; you are asked
                   whether you mean it: `yes` or `no`
  end              end your turn without accusing
                   `s`, `a` and `e` will do, and so do beginnings of names
                   the sheet: ✓ has, ✗ has not, · open, ? one of a set
  know FORMULA     whether you know it: `know K[2] env(rope)`   (--helper 3)
  why FACT         why you know it: `why !holds(2,rope)`        (--helper 3)
  advise           the best you can do                          (--helper 4)";

pub(super) fn expand(typed: &str, legal: &[Action]) -> String {
    // Both `suggest` and `show` begin so, but only one of them can be meant.
    match typed.split_once([' ', ',']) {
        Some(("s" | "S", cards)) => match legal.first() {
            Some(Action::Show(_)) => format!("show {cards}"),
            _ => format!("suggest {cards}"),
        },
        _ => typed.to_string(),
    }
}

/// What is to be done, as a prompt.
pub(super) fn prompt(game: &Cluedo, memory: &[Sight]) -> String {
    let page = game.view(memory);
    match page.phase {
        Phase::Suggest(_) => "suggest".to_string(),
        Phase::Show { to, cards, .. } => {
            let can: CardSet = page.hand.iter().copied().collect::<CardSet>().and(cards);
            format!("show seat {to} {}", game.deck().names(can).replace(' ', " or "))
        }
        Phase::Decide(_) => "accuse or end".to_string(),
        Phase::Over(_) => "over".to_string(),
    }
}

/// The note sheet at a helper level.
pub(super) fn sheet(game: &Cluedo, memory: &[Sight], helper: u8) -> String {
    let page = game.view(memory);
    let seats = page.sizes.len();
    let mut marks = page.marks.clone();
    if helper >= FILLS {
        // As certain as the convention: if somebody ended a turn although it knew, this may be wrong, or nothing fits.
        let solved = solve(&position(game, memory), &Budget::default()).ok();
        for (solved, place, row) in
            solved.iter().flat_map(|s| s.marginals.iter().enumerate().map(move |(p, r)| (s, p, r)))
        {
            for (card, &n) in row.iter().enumerate() {
                match n {
                    0 => marks[card][place] = Mark::HasNot,
                    n if n == solved.deals => marks[card][place] = Mark::Has,
                    _ => {}
                }
            }
        }
    }
    let mark = |card: Card, seat: Seat| marks[card.index()][seat.index()];
    let one_of = page.one_of.iter().filter(|(by, cards)| cards.iter().all(|c| mark(c, *by) != Mark::Has));
    let open = |&(by, cards): &(Seat, CardSet)| (by, cards.iter().filter(|&c| mark(c, by) == Mark::Open).collect());
    let mut one_of: Vec<(Seat, CardSet)> = one_of.map(open).collect();
    one_of.sort_unstable();
    one_of.dedup();
    let sign = |card: Card, place: usize| match marks[card.index()][place] {
        Mark::Open if one_of.iter().any(|&(by, cards)| by.index() == place && cards.has(card)) => '?',
        mark => mark.sign(),
    };
    let blocks = (0..game.deck().categories()).map(|k| block(game.deck(), k, seats, &sign));
    let mut lines = beside(blocks.collect());
    for (by, cards) in one_of {
        let cards = game.deck().names(cards).replace(' ', ", ");
        let one_of = if cards.contains(' ') { "one of " } else { "" };
        lines.extend(hang("", &format!("seat {by} holds {one_of}{cards}")));
    }
    for wrong in &page.not_envelope {
        lines.extend(hang("", &format!("not all of {} lie in the envelope", game.deck().names(*wrong))));
    }
    if helper >= INSPECTS && !matches!(page.phase, Phase::Over(_)) {
        lines.extend(hang("", &rivals::line(&position(game, memory))));
    }
    lines.join("\n")
}

/// What a person should see before an accusation counts.
pub(super) fn confirm(game: &Cluedo, memory: &[Sight], action: &Action, helper: u8) -> Option<String> {
    let &Action::Accuse(cards) = action else { return None };
    let question = format!("accuse {}? A wrong accusation ends your asking.", game.deck().names(cards));
    let mut lines = hang("", &question);
    if helper >= CHECKS {
        lines.extend(hang("", founded(&position(game, memory), cards)));
    }
    lines.push("type `yes` to accuse, `no` or something else if not".to_string());
    Some(lines.join("\n"))
}

/// Whether an accusation follows from what was seen.
fn founded(position: &Position, cards: CardSet) -> &'static str {
    let only = |envelopes: &[(CardSet, u128)]| matches!(envelopes, [(only, _)] if *only == cards);
    match solve(position, &Budget::default()) {
        Ok(solved) if only(&solved.envelopes) => "It follows from what you saw.",
        Ok(solved) if solved.envelopes.iter().all(|(e, _)| *e != cards) => "What you saw rules it out!",
        Ok(_) => "It does not follow from what you saw!",
        Err(Refused::NoWorld) => "It cannot be checked: no deal fits what you saw.",
        Err(Refused::Limit | Refused::Unfit(_)) => "It would take too long to check it.",
    }
}

/// The best questions.
pub(super) fn questions(game: &Cluedo, memory: &[Sight]) -> Result<String, Problem> {
    let position = position(game, memory);
    let ranking = rank(&position, Care::FULL, &Budget::default(), &mut Dice::new(0)).map_err(|error| match error {
        Refused::NoWorld => Problem::new("contradiction", BROKEN),
        Refused::Limit | Refused::Unfit(_) => Problem::new("too-long", error.to_string()),
    })?;
    let best = || ranking.questions.iter().take(BEST);
    let counted = match ranking.exact {
        true => "bits are exact".to_string(),
        false => {
            let draws = best().map(|q| q.envelope_bits.looked).max().unwrap_or(0);
            format!("bits are estimates from {} of them", grouped(draws))
        }
    };
    let mut lines = vec![
        format!("{} deals fit, {counted}", grouped(ranking.deals)),
        format!("{:>5} {:>10} {:>6} {:>10}  question", "rank", "bits", "wins", "gives"),
    ];
    for question in best() {
        lines.push(format!(
            "{:>5} {:>10} {:>6} {:>10}  suggest {}",
            rank_of(question),
            short(&question.envelope_bits),
            format!("{:.1}%", 100.0 * question.wins),
            question.given().map_or(String::new(), |g| short(&g)),
            game.deck().names(question.cards)
        ));
    }
    lines.push("bits: what the answer is expected to tell about the envelope; wins: the".to_string());
    lines.push("chance that it is the envelope; gives: bits for the others, on average".to_string());
    if best().any(|q| q.tied > 1) {
        lines.push("rank: by bits; those with = cannot be told from others by their bits".to_string());
    }
    if let Some(given) = best().filter_map(|q| q.given()).find(|g| !g.exact) {
        lines.push(format!("gives is an estimate from {} views of the others", grouped(given.looked)));
    }
    lines.extend(left_out(&position).map(str::to_string));
    if lines.iter().any(|l| l.contains('±')) {
        lines.push("±: half of a 95% interval".to_string());
    }
    Ok(lines.join("\n"))
}

/// The rank of a question, with a sign if it cannot be told from others.
fn rank_of(question: &Question) -> String {
    format!("{}{}", question.rank, if question.tied > 1 { "=" } else { "" })
}

/// `0.25`, or with its error if it is an estimate.
fn short(estimate: &Estimate) -> String {
    match estimate.exact {
        true => format!("{:.2}", estimate.value),
        false => format!("{:.2}±{:.2}", estimate.value, estimate.error()),
    }
}

/// What the seat has seen.
fn position(game: &Cluedo, memory: &[Sight]) -> Position {
    Position::of_memory(game.deck(), game.endmove(), memory)
}

/// The part of the sheet that a category fills: a line for the places, and one for each card.
fn block(deck: &Deck, category: usize, seats: usize, sign: &dyn Fn(Card, usize) -> char) -> Vec<String> {
    let cards = deck.category(category);
    let names = cards.iter().map(|c| deck.name(c)).chain([deck.category_name(category)]);
    let width = names.map(|n| n.chars().count()).max().unwrap_or(0);
    let places: String = (0..seats).map(|s| format!(" {s}")).collect();
    let mut lines = vec![format!("{:width$}{places} e", deck.category_name(category))];
    for card in cards.iter() {
        let signs: String = (0..=seats).map(|p| format!(" {}", sign(card, p))).collect();
        lines.push(format!("{:width$}{signs}", deck.name(card)));
    }
    lines
}

/// Blocks side by side as far as they fit.
fn beside(blocks: Vec<Vec<String>>) -> Vec<String> {
    const GAP: usize = 3;
    let mut lines: Vec<String> = Vec::new();
    let (mut top, mut used) = (0, 0);
    for block in blocks {
        let width = block.first().map_or(0, |l| l.chars().count());
        if used > 0 && used + GAP + width > WIDTH {
            (top, used) = (lines.len(), 0);
        }
        let left = if used == 0 { 0 } else { used + GAP };
        lines.resize(lines.len().max(top + block.len()), String::new());
        for (line, part) in lines[top..].iter_mut().zip(&block) {
            line.push_str(&" ".repeat(left - line.chars().count()));
            line.push_str(part);
        }
        used = left + width;
    }
    lines
}
