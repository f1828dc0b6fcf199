//! `ken eleusis guess`: which rules fit a layout, and what the cards of a hand would tell.

use crate::args::GuessArgs;
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::output::{Style, emit, line};
use ken_games::cards::{Card, CardSet};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::guess::{Evidence, Guesser, MEMORY, Meaning, Plan, Space, entropy};
use ken_games::eleusis::layout::{Layout, position};
use ken_games::eleusis::library;
use ken_games::eleusis::rule::Rule;
use ken_logic::text::wrap;
use serde_json::json;

const DECK: Deck = Deck::STANDARD;

/// The width of a report.
const WIDTH: usize = 80;

pub(crate) fn run(args: &GuessArgs) -> Result<u8, Failure> {
    let (name, text) = read_text(&args.layout)?;
    let position = position(&text, &DECK).map_err(|problems| Failure::Text { name: name.clone(), text, problems })?;
    if let Some(card) = position.layout.contradiction().map(|card| DECK.write(card)) {
        return Err(Failure::usage(format!(
            "{name}: {card} is both accepted and refused after the same cards: no rule does that"
        )));
    }
    let judged = position.layout.judged().count();
    let evidence = Evidence::of(&position.layout).ok_or_else(|| {
        Failure::usage(format!("{name}: the guesser remembers {MEMORY} judged cards, and there are {judged}"))
    })?;
    let monitor = watch(&args.ends, args.json, "guessing");
    let survivors = evidence.survivors();
    let hand: CardSet = position.hand.iter().copied().collect();
    let cards = if hand.is_empty() { DECK.all() } else { hand };
    let plan = Guesser::looking_at(evidence, args.seed).plan(cards);
    let shown: Vec<&Meaning> = plan.meanings.iter().take(args.top).collect();
    let known = known(&position.layout);
    let best = plan.card.filter(|_| survivors > 0.0);
    let most = told(&plan, cards).first().map(|(card, ..)| *card).filter(|_| survivors > 0.0);
    drop(monitor);
    if args.json {
        let rules: Vec<_> = shown.iter().map(|rule| json!({ "rule": words(rule), "probability": rule.mass })).collect();
        let told: Vec<_> = told(&plan, hand)
            .into_iter()
            .map(|(card, accept, bits)| json!({ "card": DECK.write(card), "accept": accept, "bits": bits }))
            .collect();
        let written = |card: Option<Card>| card.map(|card| DECK.write(card));
        emit(
            &json!({ "survivors": survivors, "space": Space::standard().size(), "hypotheses": rules, "library": known,
            "cards": told, "most_informative": written(most), "with_the_card_after": written(best) }),
        );
        return Ok(u8::from(survivors == 0.0));
    }
    report(&position.layout, survivors, &shown, &known, &plan, hand, (most, best));
    Ok(u8::from(survivors == 0.0))
}

/// The rule as text.
fn words(rule: &Meaning) -> String {
    Rule::new(DECK, rule.rule.test()).to_string()
}

/// The library rules that fit, without those that mean the same as an earlier one.
fn known(layout: &Layout) -> Vec<&'static str> {
    library::rules().iter().filter(|e| e.same_as.is_none() && layout.fits(&e.rule())).map(|e| e.id).collect()
}

/// The chance of each card of the hand and the bits it tells, the most telling first.
fn told(plan: &Plan, hand: CardSet) -> Vec<(Card, f64, f64)> {
    let of = |card: Card| (card, plan.prediction.chance(card), entropy(plan.prediction.chance(card)));
    let mut cards: Vec<(Card, f64, f64)> = hand.iter().map(of).collect();
    cards.sort_by(|a, b| b.2.total_cmp(&a.2));
    cards
}

fn report(
    layout: &Layout,
    survivors: f64,
    shown: &[&Meaning],
    known: &[&str],
    plan: &Plan,
    hand: CardSet,
    (most, best): (Option<Card>, Option<Card>),
) {
    let style = Style::stdout();
    for row in layout.draw(&DECK, WIDTH) {
        line(&row);
    }
    line("");
    let size = Space::standard().size();
    line(&format!("{} of {} rules fit", count(survivors), count(size)));
    if survivors == 0.0 {
        line("the rule is not one that the guesser thinks of (docs/eleusis.md)");
        return;
    }
    line("");
    line(&style.dim("likeliest from here on"));
    for rule in shown {
        let rows = wrap(&words(rule), WIDTH - 11);
        for (at, row) in rows.iter().enumerate() {
            let share = if at == 0 { format!("{:>7.2} %", 100.0 * rule.mass) } else { " ".repeat(9) };
            line(&format!("{share}  {row}"));
        }
    }
    if !known.is_empty() {
        line("");
        for row in wrap(&format!("library rules that fit: {}", known.join(", ")), WIDTH) {
            line(&row);
        }
    }
    line("");
    if !hand.is_empty() {
        line(&style.dim("card  accepted  tells"));
        for (card, accept, bits) in told(plan, hand) {
            line(&format!("{:<4}  {:>6.1} %  {bits:.2} bits", DECK.write(card), 100.0 * accept));
        }
        line("");
    }
    if let (Some(most), Some(best)) = (most, best) {
        line(&format!("most informative: {}", DECK.write(most)));
        line(&format!("with the card after it in mind: {}", DECK.write(best)));
    }
}

/// A large number for a reader.
fn count(number: f64) -> String {
    if number < 1e6 { format!("{number:.0}") } else { format!("{number:.2e}").replace('e', " × 10^") }
}
