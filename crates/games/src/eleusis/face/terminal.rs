//! The words of both games of Eleusis for a terminal: what can be typed, the table as text, rules before they count.

use crate::eleusis::dealer;
use crate::eleusis::moves::{Action, Cards, Sight};
use crate::eleusis::players::survivors::Survivors;
use crate::eleusis::secret::{Secret, Unfit};
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::text;
use crate::eleusis::view::{Page, page};
use crate::game::{Illegal, Notation, Seat};
use crate::table::page::Problem;
use crate::table::{FILLS, Unread};
use ken_logic::text::{WIDTH, hang};

pub(super) const EXPRESS: &str = "  play CARD        try a card: `play 7C`, or just `7C`
  no play          show your hand: you think that no card of it is accepted
  discard CARD     lay a card on the sideline, after a right `no play`
  guess RULE       name the rule: `guess red and black alternate`; you are
                   asked whether you mean it
  pass             do not guess
  rule RULE        as the dealer: choose the rule; `yes` then deals
  know FORMULA     whether you know it, if the rule is one of the library:
                   `know accepts(7C)`, a card, or a rule        (--helper 3)
  why FACT         why you know it, or why not: `why rule(red)` (--helper 3)
  advise           what library rules say of your cards            (--helper 4)";

pub(super) const CLASSIC: &str = "  play CARD        try a card: `play 7C`, or just `7C`
  guess RULE       name the rule: `guess red and black alternate`; you are
                   asked whether you mean it
  rule RULE        as the dealer: choose the rule; `yes` then deals
  know FORMULA     whether you know it, if the rule is one of the library:
                   `know accepts(7C)`, a card, or a rule        (--helper 3)
  why FACT         why you know it, or why not: `why rule(red)` (--helper 3)
  advise           what library rules say of your cards            (--helper 4)";

pub(super) fn expand<G: Eleusis + Notation>(game: &G, typed: &str, legal: &[Action]) -> String {
    let bare = game.table().deck().read(typed).is_some();
    match (typed.to_lowercase().as_str(), legal.first()) {
        ("no" | "none", Some(Action::Pass)) => "pass".to_string(),
        ("no" | "none", _) => "no play".to_string(),
        (_, Some(Action::Discard(_))) if bare => format!("discard {typed}"),
        _ => typed.to_string(),
    }
}

pub(super) fn prompt<G: Eleusis>(game: &G, memory: &[Sight]) -> String {
    match page(game, memory).desk.stage.phase() {
        Phase::Rule(_) => "you deal: `rule RULE`",
        Phase::Play(_) if G::RETURNS => "play a card",
        Phase::Play(_) => "play a card, or `no play`",
        Phase::Discard(_) => "right: discard a card",
        Phase::Guess { forced: false, .. } => "accepted: `guess RULE` or `pass`",
        Phase::Guess { forced: true, .. } => "no cards left: you must `guess RULE`",
        Phase::Over => "over",
    }
    .to_string()
}

pub(super) fn hand<G: Eleusis>(game: &G, memory: &[Sight]) -> String {
    format!("you hold {}", held(game, &page(game, memory)))
}

fn held<G: Eleusis>(game: &G, page: &Page) -> String {
    match (&page.desk.rule, page.desk.stage.phase()) {
        (Some(rule), _) => format!("no cards: you deal, with the rule `{rule}`"),
        (None, Phase::Rule(_)) => "no cards: the round has not been dealt yet".to_string(),
        (None, Phase::Play(_) | Phase::Discard(_) | Phase::Guess { .. } | Phase::Over) => {
            text::list(game.table().deck(), page.desk.hand())
        }
    }
}

/// The round, the other hands, and the layout.
pub(super) fn sheet<G: Eleusis>(game: &G, memory: &[Sight], helper: u8) -> String {
    let page = page(game, memory);
    let (stage, table) = (&page.desk.stage, game.table());
    let round = table.rounds().min(stage.round() + 1);
    let stock = if stage.stock() > 0 { format!(", {} cards to draw", stage.stock()) } else { String::new() };
    let points: Vec<String> = stage.points().iter().map(i64::to_string).collect();
    let head = format!(
        "round {round} of {}, seat {} deals{stock}; points so far {}",
        table.rounds(),
        page.dealer,
        points.join(" ")
    );
    let mut lines = hang("", &head);
    let dealt = !matches!(stage.phase(), Phase::Rule(_));
    let others = Seat::all(game.seats()).filter(|&s| dealt && s != page.desk.seat && s != page.dealer);
    let hands: Vec<String> = others
        .map(|seat| match &page.desk.hands[seat.index()] {
            Cards::Seen(cards) => format!("seat {seat} holds {}", text::list(table.deck(), cards)),
            Cards::Hidden(count) => format!("seat {seat} holds {count}"),
        })
        .collect();
    if !hands.is_empty() {
        lines.extend(hang("", &hands.join("; ")));
    }
    if dealt {
        lines.push(String::new());
        lines.extend(stage.layout().draw(table.deck(), WIDTH));
        if helper >= FILLS && page.desk.rule.is_none() {
            let survivors = survivors(game, memory);
            let of = dealer::library(table.deck()).len();
            lines.push(String::new());
            lines.push(format!("{} of {of} library rules fit", survivors.count()));
        }
    }
    lines.join("\n")
}

/// The library rules that fit what the seat has seen of this round.
fn survivors<G: Eleusis>(game: &G, memory: &[Sight]) -> Survivors {
    let mut desk = page(game, &memory[..1]).desk;
    let mut survivors = Survivors::new(dealer::library(game.table().deck()));
    for sight in memory {
        desk.watch(game, sight);
        survivors.learn(&sight.what, desk.stage.layout(), |text| game.table().menu().secret(text).ok());
    }
    survivors
}

fn read<G: Eleusis>(game: &G, rule: &str) -> Result<Secret, Problem> {
    Secret::read(rule, game.table().deck()).map_err(|unfit| match unfit {
        Unfit::Unread(problems) => Problem::text(rule, &problems),
        Unfit::Unbounded(_) => Illegal::from(unfit).into(),
    })
}

pub(super) fn advise<G: Eleusis>(game: &G, memory: &[Sight]) -> Result<String, Problem> {
    let page = page(game, memory);
    if !matches!(page.desk.stage.phase(), Phase::Play(_)) {
        return Err(Problem::new("no-advice", "advice is about which card to play").help("ask for it before you play"));
    }
    let survivors = survivors(game, memory);
    let deck = game.table().deck();
    let mut lines = vec![format!("{} library rules fit; how many of them accept", survivors.count())];
    let mut hand: Vec<_> = page.desk.hand().iter().map(|&c| (survivors.accepting(c), deck.write(c))).collect();
    hand.dedup();
    hand.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    let cards: Vec<String> = hand.iter().map(|(n, card)| format!("{card} {n}")).collect();
    lines.extend(hang("  ", &cards.join(", ")));
    if let Some(rule) = survivors.agreed() {
        lines.extend(hang("", &format!("all of them judge from here as `{}`", rule.text())));
    }
    Ok(lines.join("\n"))
}

/// A rule that cannot be read, with the place.
pub(super) fn unread<G: Eleusis>(game: &G, action: &Action) -> Option<Unread> {
    match action {
        Action::Rule(rule) | Action::Guess(rule) => {
            let problem = read(game, rule).err()?;
            Some(Unread { name: "the rule", text: rule.to_string(), problem })
        }
        Action::Play(_) | Action::NoPlay | Action::Discard(_) | Action::Pass => None,
    }
}

/// How a rule was read, before it counts; and what a dealer should know of it.
pub(super) fn confirm<G: Eleusis>(game: &G, action: &Action) -> Option<String> {
    let (Action::Rule(rule) | Action::Guess(rule)) = action else { return None };
    let secret = read(game, rule).ok()?;
    let mut lines = hang("", &format!("read as: {}", secret.rule()));
    if matches!(action, Action::Guess(_)) {
        lines.push("type `yes` to guess it, or another guess".to_string());
        return Some(lines.join("\n"));
    }
    let measure = secret.automaton().measure(secret.rule().start);
    let share = |share: f64| format!("{:.0}%", 100.0 * share);
    lines.push(format!(
        "it accepts {} of the deck on average, {} at least",
        share(measure.permissiveness),
        share(measure.least)
    ));
    if !measure.every_card_playable {
        lines.push("some cards are never accepted".to_string());
    }
    if measure.can_dead_end {
        lines.push(format!("the line can come to a dead end ({} of the lines do)", share(measure.dead_end_rate)));
    }
    lines.push(match measure.fair {
        true => "fair: a quarter to a half of the deck, every card somewhere, and no dead end".to_string(),
        false => {
            "not fair: a quarter to a half of the deck should fit, every card somewhere,\nand there should be no dead end"
                .to_string()
        }
    });
    lines.push("type `yes` to deal with it, or another rule".to_string());
    Some(lines.join("\n"))
}
