//! Cluedo positions as logical models: dynamic epistemic logic finds what the definitions say.
//!
//! Every way of computing answers the same question, a position and some formulas: how many deals fit, and what is known
//! and possible of each formula. [`WAYS`] lists them; all must agree.

use ken_games::bridge::{Known, Model};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::Fact;
use ken_games::cluedo::know::{Engine, Knower};
use ken_games::cluedo::knowledge::solve;
use ken_games::cluedo::rules::{asked, passed};
use ken_games::cluedo::why::{self, Answer, check};
use ken_games::cluedo::worth::{Care, rank};
use ken_games::cluedo::{Deck, Observed, Position};
use ken_games::dice::Dice;
use ken_games::game::Seat;
use ken_games::knowledge::read as formula;
use ken_games::knowledge::{Budget, Refused};
use ken_logic::check::EngineChoice;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The number of deals, and what is known of each formula.
type Findings = (u128, Vec<Known>);

/// A way to compute them.
type Way = fn(&Position, &[String]) -> Findings;

const WAYS: &[(&str, Way)] = &[
    ("explicit", explicit),
    ("symbolic", symbolic),
    ("the game's own, finding worlds", |p, f| own(p, f, Engine::Lazy)),
    ("the game's own, by diagrams", |p, f| own(p, f, Engine::Symbolic)),
    ("brute force", brute_force),
];

fn own(position: &Position, formulas: &[String], engine: Engine) -> Findings {
    let budget = Budget::default();
    let deals = match solve(position, &budget) {
        Ok(solved) => solved.deals,
        Err(Refused::NoWorld) => 0,
        Err(error) => panic!("{error}"),
    };
    let mut knower = Knower::with(position, engine);
    let ask = |text: &String| match knower.ask(&formula(position, text).unwrap(), &budget) {
        Ok(answer) => Known { known: answer.known(), possible: answer.possible() },
        Err(Refused::NoWorld) => Known { known: true, possible: false },
        Err(error) => panic!("{error}"),
    };
    (deals, formulas.iter().map(ask).collect())
}

fn explicit(position: &Position, formulas: &[String]) -> Findings {
    by_logic(position, formulas, EngineChoice::Explicit)
}

fn symbolic(position: &Position, formulas: &[String]) -> Findings {
    by_logic(position, formulas, EngineChoice::Symbolic)
}

fn by_logic(position: &Position, formulas: &[String], engine: EngineChoice) -> Findings {
    let model = Model::of(position).unwrap();
    let formulas: Vec<_> = formulas.iter().map(|f| model.formula(f).unwrap()).collect();
    (model.deals(engine).unwrap(), model.known(&formulas, engine).unwrap())
}

/// A history as it may have been: where the cards are, and what each seat has seen beyond what everybody has.
#[derive(Clone)]
struct World {
    places: Vec<CardSet>,
    seen: Vec<Vec<u64>>,
}

/// The definitions, world by world.
fn brute_force(position: &Position, formulas: &[String]) -> Findings {
    let mut worlds: Vec<World> = Vec::new();
    let mut places = vec![CardSet::EMPTY; position.sizes().len() + 1];
    deal(position, 0, &mut places, &mut worlds);
    // What the observer has seen beyond what everybody has.
    let mut mine = vec![position.hand().0];
    let me = position.observer();
    for event in position.events() {
        let envelope = position.sizes().len();
        match *event {
            Observed::Ask { asker, cards, answer, shown } => {
                worlds.retain(|w| {
                    passed(asker, answer, position.seats()).all(|s| w.places[s.index()].is_disjoint(cards))
                });
                let Some(by) = answer else { continue };
                mine.extend((me == asker || me == by).then(|| CardSet::of(shown.unwrap()).0));
                let show = |w: &World, c: Card| {
                    let mut after = w.clone();
                    [asker, by].iter().for_each(|s| after.seen[s.index()].push(CardSet::of(c).0));
                    after
                };
                worlds = worlds
                    .iter()
                    .flat_map(|w| w.places[by.index()].and(cards).iter().map(move |c| show(w, c)))
                    .collect();
            }
            Observed::Accuse { seat, cards, correct, envelope: seen } => {
                worlds.retain(|w| (w.places[envelope] == cards) == correct);
                if !correct {
                    mine.extend((me == seat).then(|| seen.unwrap().0));
                    worlds.iter_mut().for_each(|w| w.seen[seat.index()].push(w.places[envelope].0));
                }
            }
            Observed::Endmove { seat } => {
                let keep = ignorant(&worlds, seat);
                let mut keep = keep.iter();
                worlds.retain(|_| *keep.next().unwrap());
            }
        }
    }
    let fits: Vec<bool> = worlds.iter().map(|w| w.seen[me.index()] == mine).collect();
    let deals: HashSet<&Vec<CardSet>> = worlds.iter().zip(&fits).filter(|(_, f)| **f).map(|(w, _)| &w.places).collect();
    let known = formulas.iter().map(|f| {
        let (holds, rest) = truth(position.deck(), &worlds, f.trim());
        assert!(rest.trim().is_empty(), "{f}: {rest} is left");
        let among = || holds.iter().zip(&fits).filter(|(_, f)| **f).map(|(h, _)| *h);
        Known { known: among().all(|h| h), possible: among().any(|h| h) }
    });
    (deals.len() as u128, known.collect())
}

fn deal(position: &Position, card: usize, places: &mut Vec<CardSet>, worlds: &mut Vec<World>) {
    let (deck, seats) = (position.deck(), position.sizes().len());
    if card == deck.len() {
        if deck.is_triple(places[seats]) {
            let seen = places[..seats].iter().map(|hand| vec![hand.0]).collect();
            worlds.push(World { places: places.clone(), seen });
        }
        return;
    }
    for place in 0..=seats {
        let room = position.sizes().get(place).map_or(deck.categories(), |&n| n as usize);
        if places[place].len() < room {
            places[place] = places[place].with(Card(card as u8));
            deal(position, card + 1, places, worlds);
            places[place] = places[place].without(Card(card as u8));
        }
    }
}

/// Where the seat does not know the envelope.
fn ignorant(worlds: &[World], seat: Seat) -> Vec<bool> {
    let mut envelopes: HashMap<&Vec<u64>, HashSet<CardSet>> = HashMap::new();
    for w in worlds {
        envelopes.entry(&w.seen[seat.index()]).or_default().insert(w.places[w.places.len() - 1]);
    }
    worlds.iter().map(|w| envelopes[&w.seen[seat.index()]].len() > 1).collect()
}

/// Where the formula at the beginning of the text holds, and the rest of the text. Conjunctions and disjunctions are in
/// parentheses, as the vectors write them.
fn truth<'t>(deck: &Deck, worlds: &[World], text: &'t str) -> (Vec<bool>, &'t str) {
    let text = text.trim_start();
    let argument = |text: &'t str, end: char| text.split_once(end).unwrap();
    if let Some(rest) = text.strip_prefix('!') {
        let (f, rest) = truth(deck, worlds, rest);
        (f.into_iter().map(|b| !b).collect(), rest)
    } else if let Some(rest) = text.strip_prefix('(') {
        let (mut f, mut rest) = truth(deck, worlds, rest);
        loop {
            rest = rest.trim_start();
            let (sign, after) = rest.split_at(1);
            if sign == ")" {
                return (f, after);
            }
            let (g, after) = truth(deck, worlds, after);
            f.iter_mut().zip(g).for_each(|(a, b)| *a = if sign == "&" { *a && b } else { *a || b });
            rest = after;
        }
    } else if let Some(rest) = text.strip_prefix("K[") {
        let (seat, rest) = argument(rest, ']');
        let seat: usize = seat.parse().unwrap();
        let (f, rest) = truth(deck, worlds, rest);
        let mut known: HashMap<&Vec<u64>, bool> = HashMap::new();
        for (w, b) in worlds.iter().zip(&f) {
            *known.entry(&w.seen[seat]).or_insert(true) &= b;
        }
        (worlds.iter().map(|w| known[&w.seen[seat]]).collect(), rest)
    } else if let Some(rest) = text.strip_prefix("solved(") {
        let (seat, rest) = argument(rest, ')');
        (ignorant(worlds, Seat(seat.parse().unwrap())).into_iter().map(|b| !b).collect(), rest)
    } else if let Some(rest) = text.strip_prefix("env(") {
        let (card, rest) = argument(rest, ')');
        let card = deck.card(card).unwrap();
        (worlds.iter().map(|w| w.places[w.places.len() - 1].has(card)).collect(), rest)
    } else if let Some(rest) = text.strip_prefix("holds(") {
        let (arguments, rest) = argument(rest, ')');
        let (seat, card) = arguments.split_once(',').unwrap();
        let (seat, card) = (seat.trim().parse::<usize>().unwrap(), deck.card(card.trim()).unwrap());
        (worlds.iter().map(|w| w.places[seat].has(card)).collect(), rest)
    } else {
        panic!("no formula: {text}")
    }
}

/// A position of the vectors, as `interfaces` describes it.
fn position(data: &Value) -> Position {
    let deck = Arc::new(Deck::from_data(&data["deck"]).unwrap());
    let cards = |v: &Value| -> CardSet { v.as_array().unwrap().iter().map(|c| card(&deck, c)).collect() };
    let seat = |v: &Value| Seat(v.as_u64().unwrap() as u8);
    let sizes = data["hand_sizes"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u8).collect();
    let mut position = Position::new(deck.clone(), sizes, seat(&data["observer"]), cards(&data["hand"])).unwrap();
    for event in data["events"].as_array().unwrap() {
        let some = |key: &str| event.get(key).filter(|v| !v.is_null());
        let observed = if let Some(asker) = some("ask") {
            let answer = some("shown_by").map(seat);
            let shown = some("shown").map(|c| card(&deck, c));
            Observed::Ask { asker: seat(asker), cards: cards(&event["cards"]), answer, shown }
        } else if let Some(accuser) = some("accuse") {
            let (correct, envelope) = (event["correct"].as_bool().unwrap(), some("envelope").map(&cards));
            Observed::Accuse { seat: seat(accuser), cards: cards(&event["cards"]), correct, envelope }
        } else {
            Observed::Endmove { seat: seat(&event["endmove"]) }
        };
        position.push(observed).unwrap();
    }
    position
}

fn card(deck: &Deck, name: &Value) -> Card {
    deck.card(name.as_str().unwrap()).unwrap()
}

#[test]
fn every_way_finds_the_vectors_of_nested_knowledge() {
    let data: Value = serde_json::from_str(include_str!("../data/cluedo-knowledge.json")).unwrap();
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 80);
    for (i, case) in cases.iter().enumerate() {
        let position = position(&case["position"]);
        let queries = case["queries"].as_array().unwrap();
        let formulas: Vec<String> = queries.iter().map(|q| q["formula"].as_str().unwrap().to_string()).collect();
        let truth = |q: &Value, key: &str| q[key].as_bool().unwrap();
        let expected: Vec<Known> =
            queries.iter().map(|q| Known { known: truth(q, "known"), possible: truth(q, "possible") }).collect();
        let deals = u128::from(case["deals"].as_u64().unwrap());
        for (name, way) in WAYS {
            assert_eq!(way(&position, &formulas), (deals, expected.clone()), "case {i}, {name}: {formulas:?}");
        }
    }
}

/// A small deck with any hands, and a few events that happened in one deal. Whether an endmove was true is left to
/// chance: a contradiction must look the same to all.
fn random_position(dice: &mut Dice) -> Position {
    let categories = 2 + dice.below(2);
    let category = |k: usize, n: usize| (format!("category{k}"), (0..n).map(|i| format!("c{k}{i}")).collect());
    let deck = Arc::new(Deck::new((0..categories).map(|k| category(k, 2 + dice.below(2))).collect()).unwrap());
    let seats = 2 + dice.below(2) as u8;
    let mut rest: Vec<Card> = deck.cards().iter().collect();
    let mut envelope = CardSet::EMPTY;
    for k in 0..categories {
        let of: Vec<Card> = deck.category(k).iter().collect();
        envelope = envelope.with(*dice.pick(&of));
    }
    rest.retain(|&c| !envelope.has(c));
    let mut hands = vec![CardSet::EMPTY; seats as usize];
    for c in rest {
        let hand = dice.below(hands.len());
        hands[hand] = hands[hand].with(c);
    }
    let any = |dice: &mut Dice| Seat(dice.below(seats as usize) as u8);
    let me = any(dice);
    let sizes = hands.iter().map(|h| h.len() as u8).collect();
    let mut position = Position::new(deck.clone(), sizes, me, hands[me.index()]).unwrap();
    let triples = deck.triples(deck.cards());
    for _ in 0..dice.below(6) {
        let (seat, cards) = (any(dice), *dice.pick(&triples));
        let event = match dice.below(8) {
            0 => {
                let correct = cards == envelope;
                Observed::Accuse { seat, cards, correct, envelope: (seat == me && !correct).then_some(envelope) }
            }
            1 | 2 => Observed::Endmove { seat },
            _ => {
                let answer = asked(seat, seats).find(|s| !hands[s.index()].is_disjoint(cards));
                let choices = answer.map_or(Vec::new(), |by| hands[by.index()].and(cards).iter().collect());
                let shown = answer.map(|by| (by, *dice.pick(&choices))).filter(|&(by, _)| me == seat || me == by);
                Observed::Ask { asker: seat, cards, answer, shown: shown.map(|(_, c)| c) }
            }
        };
        let over = matches!(event, Observed::Accuse { correct: true, .. });
        position.push(event).unwrap();
        if over {
            break;
        }
    }
    position
}

fn random_formula(dice: &mut Dice, position: &Position, depth: usize) -> String {
    let deck = position.deck();
    let seat = dice.below(position.seats() as usize);
    let name = deck.name(Card(dice.below(deck.len()) as u8));
    if depth == 0 {
        return match dice.below(4) {
            0 | 1 => format!("holds({seat},{name})"),
            2 => format!("env({name})"),
            _ => format!("solved({seat})"),
        };
    }
    let inner = random_formula(dice, position, depth - 1);
    match dice.below(5) {
        0 => format!("!{inner}"),
        1 => format!("({inner} & {})", random_formula(dice, position, depth - 1)),
        2 => format!("({inner} | {})", random_formula(dice, position, depth - 1)),
        _ => format!("K[{seat}] {inner}"),
    }
}

#[test]
fn all_ways_agree_on_random_small_positions() {
    let mut contradictory = 0;
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let position = random_position(&mut dice);
        let formulas: Vec<String> = (0..8).map(|i| random_formula(&mut dice, &position, i % 4)).collect();
        let (_, first) = WAYS[0];
        let found = first(&position, &formulas);
        contradictory += u32::from(found.0 == 0);
        for (name, way) in &WAYS[1..] {
            assert_eq!(way(&position, &formulas), found, "seed {seed}, {name}: {position:?} {formulas:?}");
        }
    }
    assert!((1..100).contains(&contradictory), "{contradictory} of 200 positions are contradictory");
}

/// What `why` says about a claim, as `know` would say it.
fn known_by_proof(position: &Position, claim: &Fact, budget: &Budget) -> Option<Known> {
    match why::why(position, claim, budget) {
        Answer::Known(_) => Some(Known { known: true, possible: true }),
        Answer::Refuted(_) => Some(Known { known: false, possible: false }),
        Answer::Open { .. } => Some(Known { known: false, possible: true }),
        Answer::Long { holds, .. } => Some(Known { known: holds, possible: holds }),
        Answer::Clash(_) => None,
        Answer::Unproved => panic!("so small a position is answered"),
    }
}

#[test]
fn counting_asking_proving_and_ranking_agree_whether_a_position_can_be() {
    let budget = Budget::default();
    let (mut impossible, mut by_endmoves, mut long) = (0, 0, 0);
    for seed in 1_000..1_400 {
        let position = random_position(&mut Dice::new(seed));
        let deck = position.deck();
        let facts: Vec<String> = deck.cards().iter().map(|c| format!("env({})", deck.name(c))).collect();
        let (deals, truth) = brute_force(&position, &facts);
        let can_be = deals > 0;
        let told = |error: Refused| match error {
            Refused::NoWorld => false,
            Refused::Limit | Refused::Unfit(_) => panic!("seed {seed}: {error}"),
        };
        assert_eq!(solve(&position, &budget).map_or_else(told, |_| true), can_be, "solve, seed {seed}");
        assert_eq!(Knower::new(&position).possible(&budget).map_or_else(told, |()| true), can_be, "seed {seed}");
        let ranking = rank(&position, Care::ALONE, &budget, &mut Dice::new(1));
        assert_eq!(ranking.map_or_else(told, |_| true), can_be, "ask, seed {seed}");
        for (text, truth) in facts.iter().zip(truth) {
            let asked = Knower::new(&position).ask(&formula(&position, text).unwrap(), &budget);
            assert_eq!(asked.map_or_else(told, |_| true), can_be, "know, seed {seed}");
            let claim = formula(&position, text).unwrap();
            assert_eq!(known_by_proof(&position, &claim, &budget), can_be.then_some(truth), "{text}, seed {seed}");
        }
        let clash = why::clash(&position, &budget).unwrap();
        assert_eq!(clash.is_none(), can_be, "seed {seed}");
        if let Some(clash) = clash {
            // A proof that nobody would read is not given.
            long += u32::from(clash.proof.is_none());
            if let Some(proof) = clash.proof {
                check(&position, &proof, &Fact::Const(false)).unwrap();
            }
            impossible += 1;
            let ends = |e: &usize| matches!(position.events()[*e], Observed::Endmove { .. });
            by_endmoves += u32::from(clash.events.iter().any(ends));
        }
    }
    assert!(5 * long <= impossible, "{long} of {impossible} clashes have a proof that is too long");
    assert!(impossible >= 20 && by_endmoves >= 20, "{impossible} cannot be, {by_endmoves} by the ends of turns");
}
