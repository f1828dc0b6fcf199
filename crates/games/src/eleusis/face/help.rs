//! Hints in steps, and rules before they count.

use super::board::{Fit, MEASURED, fits, share};
use super::know::problem;
use super::{actor, has_no_play, mind};
use crate::cards::Card;
use crate::dice::Dice;
use crate::eleusis::deck::Deck;
use crate::eleusis::knowledge::{Atom, Fact, Memory, Said};
use crate::eleusis::moves::{Action, Sight};
use crate::eleusis::properties::Reading;
use crate::eleusis::secret::Secret;
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::text;
use crate::game::{Knowledge, Notation, Verdict};
use crate::table::page::{Advice, Preview, Problem};
use std::sync::Arc;

/// How many steps a hint has.
const STEPS: u8 = 3;

/// How many lines are shown for a rule, and how many cards they have.
const SAMPLES: u64 = 3;
const LENGTH: usize = 8;

/// The thoughts of a hint, the vaguest first, and the move.
struct Thoughts {
    nudge: Vec<String>,
    more: Vec<String>,
    action: Action,
    because: String,
}

pub(super) fn advice<G: Eleusis + Notation>(game: &G, memory: &[Sight], step: u8) -> Result<Advice, Problem> {
    let mind = mind(game, memory);
    let stage = &mind.desk().stage;
    if actor(stage) != Some(mind.seat()) {
        return Err(Problem::new("not-your-turn", "advice is about your own turn"));
    }
    let thoughts = match stage.phase() {
        Phase::Rule(_) => deal(game, &mind),
        Phase::Play(_) => play(game, &mind),
        Phase::Discard(_) => discard(&mind),
        Phase::Guess { forced, .. } => guess(game, &mind, forced),
        Phase::Over => return Err(Problem::new("over", "the match is over")),
    };
    let step = step.clamp(1, STEPS);
    let (lines, action) = match step {
        1 => (thoughts.nudge, None),
        2 => (thoughts.more, None),
        _ => (vec![thoughts.because], Some(game.write(&thoughts.action))),
    };
    Ok(Advice { step, steps: STEPS, lines, action })
}

fn deal<G: Eleusis>(game: &G, mind: &Memory<G>) -> Thoughts {
    let menu = game.table().menu();
    let offered = menu.offered();
    let round = mind.desk().stage.round() as usize;
    let rule = offered.get(round % offered.len().max(1)).map_or_else(|| menu.anything().clone(), |r| r.text().clone());
    Thoughts {
        nudge: vec![
            "A good rule is found by somebody, but not at once: then your points are few.".to_string(),
            "It is fair if a quarter to a half of the deck is accepted, every card somewhere, and no line ends dead."
                .to_string(),
        ],
        more: vec!["Rules that look at the last card only are found by most tables.".to_string()],
        because: format!("`{rule}` is fair."),
        action: Action::Rule(rule),
    }
}

/// How many rules fit, in a sentence.
fn head<G: Eleusis>(mind: &Memory<G>, fits: &[Fit]) -> String {
    let of = mind.family().len();
    match fits.len() {
        0 => format!("None of the {of} library rules fits what was judged: the rule is an unusual one."),
        1 => format!("1 of the {of} library rules fits what was judged."),
        n => format!("{n} of the {of} library rules fit what was judged."),
    }
}

/// The rule, if all that fit go on alike.
fn agreed<G: Eleusis>(mind: &Memory<G>, fits: &[Fit]) -> Option<Arc<Secret>> {
    let known = mind.verdict(&Fact::Atom(Atom::RuleKnown(mind.seat(), Reading::Residual))) == Verdict::Yes;
    fits.first().filter(|_| known).map(|fit| fit.rule.clone())
}

fn play<G: Eleusis + Notation>(game: &G, mind: &Memory<G>) -> Thoughts {
    let deck = game.table().deck();
    let fits = fits(mind);
    let hand = mind.desk().hand();
    let accept = |card: Card| fits.iter().filter(|fit| fit.accepted.has(card)).count();
    let name = |card: Card| deck.write(card);
    let mut nudge = vec![head(mind, &fits)];
    let agreed = agreed(mind, &fits);
    let may_guess = G::RETURNS && game.options()["guess"] != false;
    if let Some(rule) = agreed.filter(|_| may_guess) {
        nudge.push("They all go on alike from here.".to_string());
        let more = vec!["You know the rule: name it.".to_string()];
        let because = format!("All that fit judge from here as `{}`.", rule.text());
        return Thoughts { nudge, more, action: Action::Guess(rule.text().clone()), because };
    }
    let first = hand.first().copied();
    let most = hand.iter().copied().rev().max_by_key(|&card| accept(card)).or(first);
    let Some(best) = most else {
        // Who plays holds cards; a hand without any is only thinkable.
        let because = "There is no card to play.".to_string();
        return Thoughts { nudge, more: Vec::new(), action: Action::NoPlay, because };
    };
    if fits.is_empty() {
        nudge.push("Think of what accepted cards have in common that refused ones have not.".to_string());
        let after = mind.desk().stage.layout();
        let last = after.mainline().len().saturating_sub(1);
        let fresh = hand.iter().copied().find(|&card| !after.sideline(last).any(|refused| refused == card));
        let card = fresh.unwrap_or(best);
        let more = vec!["Any card that was not tried after this one tells something.".to_string()];
        let because = format!("Nothing is known of {} here.", name(card));
        return Thoughts { nudge, more, action: Action::Play(card), because };
    }
    let sure: Vec<Card> = hand.iter().copied().filter(|&card| accept(card) == fits.len()).collect();
    let none = accept(best) == 0;
    nudge.push(
        match (sure.is_empty(), none) {
            (false, _) => "All of them accept some card of your hand.",
            (true, true) => "They agree about your whole hand.",
            (true, false) => "They do not agree about your cards: one of them tells you something.",
        }
        .to_string(),
    );
    let mut more = Vec::new();
    if !sure.is_empty() {
        more.push(format!("All of them accept {}.", text::list(deck, &sure)));
    }
    let split = |card: &Card| accept(*card).abs_diff(fits.len() - accept(*card));
    if let Some(card) = hand.iter().copied().min_by_key(split).filter(|&c| (1..fits.len()).contains(&accept(c))) {
        more.push(format!("What splits them best is {}: {} of them accept it.", name(card), accept(card)));
    }
    if none {
        more.push("None of them accepts a card of your hand.".to_string());
    }
    let (action, because) = match sure.first() {
        Some(&card) => (Action::Play(card), format!("{} is accepted whichever of them it is.", name(card))),
        None if none && has_no_play::<G>() => {
            (Action::NoPlay, "If the rule is one of them, none of your cards is accepted.".to_string())
        }
        None => {
            let because = format!("{} of {} accept {}: no card has more.", accept(best), fits.len(), name(best));
            (Action::Play(best), because)
        }
    };
    Thoughts { nudge, more, action, because }
}

fn discard<G: Eleusis>(mind: &Memory<G>) -> Thoughts {
    let fits = fits(mind);
    let (deck, hand) = (fits.first().map(|fit| fit.rule.rule().deck.clone()), mind.desk().hand());
    // A card that few rules accept after other cards is hard to get rid of; the last card stands for them.
    let worth =
        |card: &Card| fits.iter().filter(|fit| fit.rule.automaton().accepted(fit.rule.after(*card)).has(*card)).count();
    let card = hand.iter().copied().min_by_key(worth);
    let action = card.map_or(Action::Pass, Action::Discard);
    let name = card.zip(deck).map_or("It".to_string(), |(card, deck)| deck.write(card));
    Thoughts {
        nudge: vec!["Keep the cards that will be accepted soon.".to_string()],
        more: vec!["Lay down a card that the rules which fit rarely accept.".to_string()],
        because: format!("{name} seems the hardest to play."),
        action,
    }
}

fn guess<G: Eleusis>(game: &G, mind: &Memory<G>, forced: bool) -> Thoughts {
    let fits = fits(mind);
    let mut nudge = vec![head(mind, &fits)];
    let named = |rule: &Arc<Secret>| Action::Guess(rule.text().clone());
    match (agreed(mind, &fits), fits.first(), forced) {
        (Some(rule), _, _) => {
            nudge.push("They all go on alike from here.".to_string());
            let because = format!("All that fit judge from here as `{}`.", rule.text());
            Thoughts { nudge, more: vec!["You know the rule: name it.".to_string()], action: named(&rule), because }
        }
        (None, Some(fit), true) => {
            let more = vec!["You must guess: take one that fits.".to_string()];
            let because = format!("`{}` fits; {} others do too.", fit.rule.text(), fits.len() - 1);
            Thoughts { nudge, more, action: named(&fit.rule), because }
        }
        (None, None, true) => {
            let more = vec!["You must guess: anything will do.".to_string()];
            let action = Action::Guess(game.table().menu().anything().clone());
            Thoughts { nudge, more, action, because: "Nothing of the library fits.".to_string() }
        }
        (None, _, false) => {
            let more = vec!["A wrong guess costs a card.".to_string()];
            let because = "Too many rules fit: wait for another card.".to_string();
            Thoughts { nudge, more, action: Action::Pass, because }
        }
    }
}

pub(super) fn preview<G: Eleusis + Notation>(game: &G, memory: &[Sight], action: &Action, helper: u8) -> Preview {
    let table = game.table();
    let deck = table.deck();
    let plain = |line: &str| Preview {
        legal: true,
        read_as: Some(game.write(action)),
        lines: vec![line.to_string()],
        ..Preview::default()
    };
    let (rule, deals) = match action {
        Action::Rule(rule) => (rule, true),
        Action::Guess(rule) => (rule, false),
        Action::Play(_) if G::RETURNS => {
            return plain("If it is refused it comes back to your hand, and your turn ends.");
        }
        Action::Play(_) => return plain("If it is refused you draw."),
        Action::NoPlay => return plain("Your hand is shown to everybody. If a card of it is accepted you draw."),
        Action::Discard(_) => return plain("It goes to the sideline."),
        Action::Pass => return plain("The next seat plays."),
    };
    let secret = match table.menu().secret(rule) {
        Ok(secret) => secret,
        Err(unfit) => {
            let problem = problem(rule, unfit);
            let lines = problem.help.into_iter().collect();
            return Preview { why_not: Some(problem.message), lines, marks: problem.marks, ..Preview::default() };
        }
    };
    let mut preview = Preview {
        legal: true,
        read_as: Some(secret.rule().to_string()),
        share: share(deck, &secret),
        samples: samples(deck, &secret),
        ..Preview::default()
    };
    if deals {
        if let Err(illegal) = table.menu().dealt(rule) {
            preview.legal = false;
            preview.why_not = Some(illegal.message);
            preview.lines.extend(illegal.help);
        }
        fairness(&secret, &mut preview.lines);
    } else if helper >= 1 {
        fit(&mind(game, memory), deck, &secret, &mut preview);
    }
    preview
}

/// Whether a rule is fair, for its dealer.
fn fairness(secret: &Secret, lines: &mut Vec<String>) {
    if secret.automaton().states() > MEASURED {
        lines.push("The rule is too intricate to be measured here.".to_string());
        return;
    }
    let measure = secret.automaton().measure(secret.rule().start);
    let share = |share: f64| format!("{:.0}%", 100.0 * share);
    lines.push(format!(
        "It accepts {} of the deck on average, {} at least.",
        share(measure.permissiveness),
        share(measure.least)
    ));
    if !measure.every_card_playable {
        lines.push("Some cards are never accepted.".to_string());
    }
    if measure.can_dead_end {
        lines.push(format!("The line can come to a dead end: {} of the lines do.", share(measure.dead_end_rate)));
    }
    lines.push(match measure.fair {
        true => "Fair: a quarter to a half of the deck, every card somewhere, and no dead end.".to_string(),
        false => {
            "Not fair: a quarter to a half of the deck should do, every card somewhere, and no dead end.".to_string()
        }
    });
}

/// How a guess judges the cards that were judged.
fn fit<G: Eleusis>(mind: &Memory<G>, deck: &Deck, guess: &Secret, preview: &mut Preview) {
    let line = mind.desk().stage.layout().mainline();
    let cards = || mind.judgements().iter().filter(|j| matches!(j.said, Said::Card { .. }));
    let right = cards().filter(|judgement| !judgement.refutes(guess, line)).count();
    preview.fits = Some((right, cards().count()));
    if let Some(judgement) = mind.judgements().iter().find(|judgement| judgement.refutes(guess, line)) {
        let (said, contrary) = (judgement.words(deck, line), judgement.contrary(deck, guess));
        preview.lines.push(format!("It cannot be: {said}, and {contrary}."));
    }
}

/// Lines that the rule accepts.
fn samples(deck: &Deck, secret: &Secret) -> Vec<Vec<String>> {
    let starters: Vec<Card> = secret.rule().start.iter().collect();
    let starters = if starters.is_empty() { deck.all().iter().collect() } else { starters };
    let sample = |seed: u64| {
        let mut dice = Dice::new(seed);
        let mut line = vec![*dice.pick(&starters)];
        let mut at = secret.after(line[0]);
        while line.len() < LENGTH {
            let next: Vec<Card> = secret.accepted(at).iter().collect();
            if next.is_empty() {
                break;
            }
            let card = *dice.pick(&next);
            at = secret.step(at, card);
            line.push(card);
        }
        line.into_iter().map(|card| deck.write(card)).collect()
    };
    (0..SAMPLES).map(sample).collect()
}
