//! What is known of the secret rule and of hands against the unfolding of tiny rounds.

use super::{text_of, total};
use ken_games::cards::Card;
use ken_games::conformance::{Compared, Operator, Trial, unfolding_agrees, what_if_agrees};
use ken_games::eleusis::automaton::separate;
use ken_games::eleusis::knowledge::{Atom, Fact, Memory};
use ken_games::eleusis::moves::{Action, Sight};
use ken_games::eleusis::properties::Reading;
use ken_games::eleusis::secret::Secret;
use ken_games::eleusis::table::{Eleusis, Phase, State, beginnings};
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Illegal, Knowledge, Notation, Seat, Verdict};
use ken_games::knowledge::{Language, Refused, Stands, Voice, read};
use ken_games::unfold::Unfold;
use ken_logic::formula::{F, Formula};
use serde_json::{Value, json};
use std::sync::Arc;

type Family = Arc<[Arc<Secret>]>;

/// The rule of the state is the one at this place of the family, from the starter on.
fn is_rule(state: &State, other: &Secret) -> bool {
    let (Some(rule), Some(&starter)) = (state.rule(), state.stage().layout().mainline().first()) else { return false };
    separate((rule.automaton(), rule.after(starter)), (other.automaton(), other.after(starter))).is_none()
}

/// The rule of the state and the other judge everything alike from the end of the line on.
fn goes_on_like(state: &State, other: &Secret) -> bool {
    let (line, Some(rule)) = (state.stage().layout().mainline(), state.rule()) else { return false };
    match (rule.automaton().run(line), other.automaton().run(line)) {
        (Some(a), Some(b)) => separate((rule.automaton(), a), (other.automaton(), b)).is_none(),
        _ => false,
    }
}

fn or(parts: impl Iterator<Item = F>) -> F {
    Formula::or(parts.collect())
}

/// The first round, in which the dealer chooses a rule of the family and players name one of them. The names are those
/// of the facts, in small letters.
fn unfold<'a, G: Eleusis>(game: &'a G, family: &'a Family) -> Unfold<'a, G> {
    let deck = game.table().deck();
    let cards = || deck.all().iter();
    let mut unfold = Unfold::of(game).dealt(beginnings(game));
    for rule in family.iter() {
        unfold = unfold.open([Action::Rule(rule.text().clone()), Action::Guess(rule.text().clone())]);
    }
    for card in cards() {
        unfold = unfold.atom(format!("accepts({})", card.0), move |h| h.state().accepted().has(card));
        for seat in Seat::all(game.seats()) {
            unfold = unfold.atom(format!("holds({seat},{})", card.0), move |h| h.state().hand(seat).contains(&card));
        }
    }
    for (place, rule) in family.iter().enumerate() {
        unfold = unfold.atom(format!("out({place})"), move |h| !is_rule(h.state(), rule));
        unfold = unfold.atom(format!("ahead({place})"), move |h| goes_on_like(h.state(), rule));
    }
    for seat in Seat::all(game.seats()) {
        let atom = |base: &str, at: usize| Formula::atom(format!("{base}({at})"));
        let held = |card: Card| Formula::atom(format!("holds({seat},{})", card.0));
        let knows = |f: F| Formula::knows(seat.to_string(), f);
        let places = || 0..family.len();
        unfold = unfold
            .define(format!("which({seat})"), or(places().map(|i| knows(Formula::negation(atom("out", i))))))
            .define(format!("residual({seat})"), or(places().map(|i| knows(atom("ahead", i)))))
            .define(
                format!("canplay({seat})"),
                or(cards().map(|c| Formula::and(vec![held(c), atom("accepts", c.index())]))),
            )
            .define(
                format!("sureplay({seat})"),
                or(cards().map(|c| Formula::and(vec![held(c), knows(atom("accepts", c.index()))]))),
            );
    }
    // The cards of later rounds do not lie in all orders: the match ends with the first.
    unfold.only_if(|state: &State, _: &Action| {
        let later = state.stage().round() > 0 && matches!(state.stage().phase(), Phase::Rule(_));
        later.then(Formula::falsity)
    })
}

/// The names of the unfolding as facts of the engine; there is none for `ahead`.
struct Names {
    seats: u8,
}

impl Language for Names {
    type Atom = Atom;

    fn seats(&self) -> u8 {
        self.seats
    }

    fn facts(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("accepts", "card"),
            ("out", "place"),
            ("holds", "seat,card"),
            ("which", "seat"),
            ("residual", "seat"),
            ("canplay", "seat"),
            ("sureplay", "seat"),
        ]
    }

    fn fact(&self, word: &str, arguments: &[&str]) -> Result<Fact, Illegal> {
        let number = |at: usize| arguments[at].parse::<u8>().map_err(|_| Illegal::new("no number"));
        let (first, last) = (number(0)?, number(arguments.len() - 1)?);
        let (seat, card) = (Seat(first), Card(last));
        Ok(match word {
            "accepts" => Fact::accepts(card),
            "out" => Fact::rule(first.into()).negated(),
            "holds" => Fact::Atom(Atom::Holds(seat, card)),
            "which" => Fact::Atom(Atom::RuleKnown(seat, Reading::Which)),
            "residual" => Fact::Atom(Atom::RuleKnown(seat, Reading::Residual)),
            "canplay" => Fact::Atom(Atom::CanPlay(seat)),
            _ => Fact::Atom(Atom::SurePlay(seat)),
        })
    }

    /// What cannot be done is asked about, too: nothing comes of it.
    fn allows(&self, _action: &str, _: Stands) -> Result<(), Illegal> {
        Ok(())
    }

    fn write(&self, atom: &Atom) -> String {
        format!("{atom:?}")
    }

    fn say(&self, atom: &Atom, _: bool, _: &Voice) -> String {
        format!("{atom:?}")
    }
}

/// What the engine says; nothing before there is a rule.
fn verdict<G: Eleusis>(game: &G, family: &Family, memory: &[Sight], formula: &str) -> Option<Verdict> {
    // There is no fact for `ahead`.
    let fact = read(&Names { seats: game.seats() }, formula).ok()?;
    let mut mind = Memory::within(game, family.clone());
    memory.iter().for_each(|sight| mind.learn(sight));
    match mind.ask(&fact) {
        Ok(answer) => Some(answer.verdict),
        Err(Refused::Limit | Refused::NoWorld | Refused::Unfit(_)) => None,
    }
}

fn compared<G: Eleusis + Notation>(options: &Value, rules: usize, seeds: std::ops::Range<u64>) -> Compared {
    let game = G::with_options(options).expect("options");
    let family: Family = game.table().menu().offered().iter().take(rules).cloned().collect();
    let unfold = unfold(&game, &family);
    let trial = Trial { operators: &Operator::ALL, depth: 3, events: 8, formulas: 10 };
    total(seeds.map(|seed| {
        unfolding_agrees(&unfold, seed, &trial, |_, memory, f| verdict(&game, &family, memory, &f.to_string()))
    }))
}

fn foreseen<G: Eleusis + Notation>(options: &Value, rules: usize, seeds: std::ops::Range<u64>) -> Compared {
    let game = G::with_options(options).expect("options");
    let family: Family = game.table().menu().offered().iter().take(rules).cloned().collect();
    let unfold = unfold(&game, &family);
    let trial = Trial { operators: &Operator::ALL, depth: 2, events: 7, formulas: 6 };
    total(seeds.map(|seed| {
        what_if_agrees(&unfold, seed, &trial, |_, memory, ask| verdict(&game, &family, memory, &text_of(&game, ask)))
    }))
}

#[test]
fn every_order_of_the_cards_is_a_beginning_once() {
    let orders = |options: Value| beginnings(&Express::with_options(&options).expect("options")).len();
    assert_eq!(orders(json!({"players": 3, "deck": {"values": 2}, "hand": 1})), 24);
    assert_eq!(orders(json!({"players": 3, "deck": {"values": 1}, "decks": 3, "hand": 1})), 20);
}

#[test]
fn what_is_known_in_tiny_rounds_of_express_is_what_the_rules_make() {
    let mut all = Compared::default();
    for open in [false, true] {
        for guess in ["accepted", "right", "always"] {
            let four = json!({"players": 3, "deck": {"values": 2}, "hand": 1, "open": open, "guess": guess});
            all += compared::<Express>(&four, 4, 0..4);
        }
    }
    let others = [
        (json!({"players": 3, "deck": {"values": 3}, "hand": 1, "guess": "always"}), 3),
        (json!({"players": 3, "deck": {"values": 3}, "hand": 2, "draw_no_play": 2}), 4),
        (json!({"players": 3, "deck": {"values": 1}, "decks": 4, "hand": 2, "guess": "always"}), 5),
        (json!({"players": 4, "deck": {"values": 3}, "hand": 1, "draw_refused": 2}), 3),
        (json!({"players": 3, "deck": {"values": 2}, "decks": 2, "hand": 2}), 2),
    ];
    for (options, rules) in others {
        all += compared::<Express>(&options, rules, 0..4);
    }
    assert!(all.verdicts > 3000 && all.settled < all.verdicts, "{all:?}");
}

#[test]
fn what_is_known_in_tiny_rounds_of_the_game_of_1959_is_what_the_rules_make() {
    let mut all = Compared::default();
    for (options, rules) in [
        (json!({"players": 3, "deck": {"values": 2}, "guess": false}), 5),
        (json!({"players": 3, "deck": {"values": 3}, "moves": 5}), 4),
        (json!({"players": 3, "deck": {"values": 3}, "open": true}), 4),
        (json!({"players": 3, "deck": {"values": 1}, "decks": 4}), 4),
        (json!({"players": 4, "deck": {"values": 3}}), 3),
    ] {
        all += compared::<Classic>(&options, rules, 0..4);
    }
    assert!(all.verdicts > 1500 && all.settled < all.verdicts, "{all:?}");
}

#[test]
fn what_would_be_known_after_a_move_of_express_is_what_the_rules_make() {
    let mut all = Compared::default();
    for (options, rules) in [
        (json!({"players": 3, "deck": {"values": 2}, "hand": 1}), 4),
        (json!({"players": 3, "deck": {"values": 2}, "hand": 1, "open": true, "guess": "always"}), 4),
        (json!({"players": 3, "deck": {"values": 3}, "hand": 1, "guess": "always"}), 3),
        (json!({"players": 3, "deck": {"values": 3}, "hand": 2, "draw_no_play": 2}), 2),
        (json!({"players": 3, "deck": {"values": 1}, "decks": 4, "hand": 2, "guess": "always"}), 4),
        (json!({"players": 3, "deck": {"values": 2}, "decks": 2, "hand": 2}), 2),
    ] {
        all += foreseen::<Express>(&options, rules, 0..6);
    }
    assert!(all.verdicts > 1000 && all.settled < all.verdicts, "{all:?}");
}

#[test]
fn what_would_be_known_after_a_move_of_the_game_of_1959_is_what_the_rules_make() {
    let mut all = Compared::default();
    for (options, rules) in [
        (json!({"players": 3, "deck": {"values": 2}, "guess": false}), 5),
        (json!({"players": 3, "deck": {"values": 2}, "moves": 4}), 4),
        (json!({"players": 3, "deck": {"values": 2}, "open": true}), 4),
        (json!({"players": 3, "deck": {"values": 1}, "decks": 4}), 4),
    ] {
        all += foreseen::<Classic>(&options, rules, 0..6);
    }
    assert!(all.verdicts > 500 && all.settled < all.verdicts, "{all:?}");
}
