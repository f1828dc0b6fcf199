use super::*;
use crate::cards::{Card, CardSet};
use crate::cluedo::atoms::Atom;
use crate::cluedo::position::{Constraints, Deal, Observed};
use crate::cluedo::rules::{Action, Cluedo, Endmove};
use crate::cluedo::{Deck, read};
use crate::dice::{Dice, mix};
use crate::game::{Game, Seat, Turn};
use crate::knowledge;
use std::sync::Arc;

/// A budget that keeps the tests short.
const SMALL: Budget = Budget { steps: 200_000 };

fn why(position: &Position, claim: &Fact) -> Answer {
    super::why(position, claim, &SMALL)
}

fn deck(sizes: &[usize]) -> Arc<Deck> {
    let names = ["a", "b", "c", "d", "e"];
    let category =
        |(k, &n): (usize, &usize)| (format!("{}s", names[k]), (0..n).map(|i| format!("{}{i}", names[k])).collect());
    Arc::new(Deck::new(sizes.iter().enumerate().map(category).collect()).unwrap())
}

/// A random match of so many questions, as one seat saw it, and the truth.
fn play(game: &Cluedo, questions: usize, observer: Seat, dice: &mut Dice) -> (Position, Deal) {
    let (mut state, event) = game.deal(dice);
    let deal = Deal { places: Seat::all(game.seats()).map(|s| state.hand(s)).chain([state.envelope()]).collect() };
    let mut memory = vec![game.sight(&event, observer)];
    let mut asked = 0;
    while let Turn::Of(_) = game.turn(&state) {
        let options = game.legal(&state);
        let action = match &options[0] {
            Action::End if dice.below(12) > 0 => Action::End,
            Action::End => options[1 + dice.below(options.len() - 1)],
            _ => *dice.pick(&options),
        };
        if matches!(action, Action::Suggest(_)) {
            asked += 1;
            if asked > questions {
                break;
            }
        }
        let event = game.play(&mut state, &action).unwrap();
        memory.push(game.sight(&event, observer));
    }
    (Position::of_memory(game.deck(), game.endmove(), &memory), deal)
}

/// Every way to put each card somewhere, with the rules of the game left out: premises bring them in.
fn everything(position: &Position) -> Vec<Deal> {
    let places = position.seats() as usize + 1;
    let mut all = vec![Deal { places: vec![CardSet::EMPTY; places] }];
    for card in position.deck().cards().iter() {
        let put = |deal: &Deal, place: usize| {
            let mut deal = deal.clone();
            deal.places[place] = deal.places[place].with(card);
            deal
        };
        all = all.iter().flat_map(|deal| (0..places).map(move |p| put(deal, p))).collect();
    }
    all
}

/// What a premise says of a deal, from the definitions.
fn says(position: &Position, premise: Premise, deal: &Deal) -> bool {
    let event = premise.event().map(|e| position.events()[e]);
    match (premise, event) {
        (Premise::Hand, _) => deal.hand(position.observer()) == position.hand(),
        (Premise::Size(seat), _) => deal.hand(seat).len() == position.sizes()[seat.index()] as usize,
        (Premise::Category(k), _) => deal.envelope().and(position.deck().category(k)).len() == 1,
        (Premise::Pass(_, seat), Some(Observed::Ask { cards, .. })) => deal.hand(seat).is_disjoint(cards),
        (Premise::Show(_), Some(Observed::Ask { cards, answer: Some(by), .. })) => !deal.hand(by).is_disjoint(cards),
        (Premise::Shown(_), Some(Observed::Ask { answer: Some(by), shown: Some(card), .. })) => deal.hand(by).has(card),
        (Premise::Right(_), Some(Observed::Accuse { cards, .. })) => cards.is_subset(deal.envelope()),
        (Premise::Wrong(_), Some(Observed::Accuse { cards, .. })) => !cards.is_subset(deal.envelope()),
        (Premise::Saw(_), Some(Observed::Accuse { envelope, .. })) => envelope.unwrap().is_subset(deal.envelope()),
        other => panic!("{other:?}"),
    }
}

/// Whether the claim holds wherever the premises do.
fn entails(position: &Position, all: &[Deal], premises: &[Premise], claim: &Fact) -> bool {
    all.iter().filter(|d| premises.iter().all(|&p| says(position, p, d))).all(|d| claim.holds_in(d))
}

fn literals(position: &Position) -> Vec<Fact> {
    let places = position.seats() as usize + 1;
    position.deck().cards().iter().flat_map(|c| (0..places).map(move |p| Fact::at(c, p))).collect()
}

#[test]
fn every_known_fact_of_a_small_match_has_a_minimal_proof_and_every_open_one_two_deals() {
    let mut lengths = Vec::new();
    for seed in 0..24 {
        let dice = &mut Dice::new(mix(11, seed));
        let seats = 2 + dice.below(2) as u8;
        let game =
            Cluedo::new(deck(dice.pick::<Vec<usize>>(&[vec![2, 2, 3], vec![3, 4], vec![2, 3, 3], vec![7]])), seats)
                .unwrap();
        let observer = Seat(dice.below(seats as usize) as u8);
        let (position, truth) = play(&game, 1 + dice.below(5), observer, dice);
        let all = everything(&position);
        let entails = |premises: &[Premise], claim: &Fact| entails(&position, &all, premises, claim);
        let constraints = Constraints::of(&position);
        let fits = |d: &Deal| constraints.admits(d) && position.deck().is_triple(d.envelope());
        let fitting: Vec<&Deal> = all.iter().filter(|d| fits(d)).collect();
        assert!(fitting.contains(&&truth));
        for claim in literals(&position) {
            let known = [true, false].map(|v| fitting.iter().all(|d| claim.holds_in(d) == v));
            match why(&position, &claim) {
                Answer::Known(proof) => {
                    assert!(known[0]);
                    minimal_and_checked(&position, &proof, &entails);
                    lengths.push(proof.len());
                }
                Answer::Refuted(proof) => {
                    assert!(known[1]);
                    minimal_and_checked(&position, &proof, &entails);
                    lengths.push(proof.len());
                }
                Answer::Open { yes, no } => {
                    assert_eq!(known, [false, false]);
                    let (yes, no) = (yes.deal, no.deal);
                    assert!(fits(&yes) && claim.holds_in(&yes));
                    assert!(fits(&no) && !claim.holds_in(&no));
                }
                other => panic!("{other:?}"),
            }
        }
    }
    lengths.sort();
    println!("{} proofs, median {}, longest {}", lengths.len(), lengths[lengths.len() / 2], lengths.last().unwrap());
}

fn minimal_and_checked(position: &Position, proof: &Proof, entails: &dyn Fn(&[Premise], &Fact) -> bool) {
    check(position, proof, &proof.goal).unwrap();
    assert!(entails(&proof.premises, &proof.goal));
    for left_out in &proof.premises {
        let rest: Vec<Premise> = proof.premises.iter().copied().filter(|p| p != left_out).collect();
        assert!(!entails(&rest, &proof.goal), "{left_out:?} is not needed");
    }
    assert!(proof.words(position).lines().all(|l| l.chars().count() <= 80), "{}", proof.words(position));
}

#[test]
fn claims_about_full_matches_are_true_of_the_deal_or_open_both_ways() {
    for seed in 0..40 {
        let dice = &mut Dice::new(mix(17, seed));
        let seats = 2 + dice.below(5) as u8;
        let deck = if seed % 4 == 0 { deck(&[8; 5]) } else { Arc::new(Deck::classic()) };
        let game = Cluedo::new(deck, seats).unwrap();
        let observer = Seat(dice.below(seats as usize) as u8);
        let (position, truth) = play(&game, 2 + dice.below(50), observer, dice);
        let constraints = Constraints::of(&position);
        let fits = |d: &Deal| constraints.admits(d) && position.deck().is_triple(d.envelope());
        let claims = literals(&position);
        for _ in 0..10 {
            let claim = dice.pick(&claims);
            match why(&position, claim) {
                Answer::Known(proof) | Answer::Refuted(proof) => {
                    assert!(proof.goal.holds_in(&truth));
                    needs_all(&position, &proof);
                }
                Answer::Open { yes, no } => {
                    assert!(fits(&yes.deal) && fits(&no.deal));
                    assert!(claim.holds_in(&yes.deal) && !claim.holds_in(&no.deal));
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
#[ignore = "a measurement"]
fn measure_proofs_of_six_player_positions() {
    let game = Cluedo::classic(6);
    let (mut times, mut lengths, mut worst) = (Vec::new(), Vec::new(), (0, String::new()));
    for seed in 0..20 {
        let (position, _) = play(&game, 30, Seat((seed % 6) as u8), &mut Dice::new(mix(12, seed)));
        for claim in literals(&position) {
            let begun = std::time::Instant::now();
            if let Answer::Known(proof) | Answer::Refuted(proof) = why(&position, &claim) {
                times.push(begun.elapsed().as_micros());
                lengths.push(proof.len());
                if proof.len() > worst.0 {
                    worst = (proof.len(), proof.words(&position));
                }
            }
        }
    }
    times.sort();
    lengths.sort();
    let at = |v: &[u128], q: usize| v[(v.len() - 1) * q / 100];
    println!(
        "{} proofs; µs median {} p90 {} p99 {} worst {}",
        times.len(),
        at(&times, 50),
        at(&times, 90),
        at(&times, 99),
        at(&times, 100)
    );
    println!(
        "steps median {} p90 {} longest {}",
        lengths[lengths.len() / 2],
        lengths[lengths.len() * 9 / 10],
        lengths.last().unwrap()
    );
    println!("{}", worst.1);
}

fn cases(text: &str) -> Vec<serde_json::Value> {
    let data: serde_json::Value = serde_json::from_str(text).unwrap();
    data["cases"].as_array().unwrap().clone()
}

#[test]
fn verdicts_agree_with_counts_made_elsewhere_endmoves_included() {
    let knowledge = cases(include_str!("../../../tests/data/cluedo-knowledge.json"));
    let counts = cases(include_str!("../../../tests/data/cluedo-counts.json"));
    let (mut proofs, mut by_endmoves, mut unproved) = (0, 0, 0);
    for case in knowledge.iter().chain(&counts) {
        let position = read::position(&case["position"].to_string()).unwrap();
        let deals = case["deals"].as_u64().unwrap();
        for claim in literals(&position) {
            let Fact::Atom(Atom::At(card, place)) = claim else { unreachable!() };
            let count = case["marginals"][place][position.deck().name(card)].as_u64().unwrap();
            match why(&position, &claim) {
                Answer::Known(proof) | Answer::Refuted(proof) => {
                    needs_all(&position, &proof);
                    assert_eq!(count, if proof.goal == claim { deals } else { 0 });
                    proofs += 1;
                    by_endmoves += usize::from(proof.premises.iter().any(|p| matches!(p, Premise::Ended(_))));
                }
                Answer::Open { yes, no } => {
                    assert!((1..deals).contains(&count), "{claim:?}: {count} of {deals}");
                    assert!(claim.holds_in(&yes.deal) && !claim.holds_in(&no.deal));
                }
                Answer::Unproved | Answer::Long { .. } => unproved += 1,
                Answer::Clash(clash) => panic!("{clash:?}"),
            }
        }
    }
    println!("{proofs} proofs, {by_endmoves} by endmoves, {unproved} not found");
    assert!(by_endmoves > 0);
}

/// Every premise is needed, endmoves included, as the search for worlds sees it.
fn needs_all(position: &Position, proof: &Proof) {
    for left_out in &proof.premises {
        let rest: Vec<Premise> = proof.premises.iter().copied().filter(|p| p != left_out).collect();
        let effort = &mut Effort::new(&SMALL);
        let open = Standpoint::top(position, &rest, effort).find(&proof.goal, None, effort).unwrap();
        assert!(open.is_some(), "{left_out:?} is not needed");
    }
}

/// A random match in which everybody accuses as soon as it knows the envelope, as one seat saw it.
fn honest(game: &Cluedo, questions: usize, observer: Seat, dice: &mut Dice) -> Option<(Position, Deal)> {
    let game = game.clone().with_endmove(Endmove::Ignorance);
    let (mut state, event) = game.deal(dice);
    let deal = Deal { places: Seat::all(game.seats()).map(|s| state.hand(s)).chain([state.envelope()]).collect() };
    let mut memories: Vec<Vec<_>> = Seat::all(game.seats()).map(|s| vec![game.sight(&event, s)]).collect();
    let mut asked = 0;
    while let Turn::Of(seat) = game.turn(&state) {
        let options = game.legal(&state);
        let action = match &options[0] {
            Action::End => {
                let own = Position::of_memory(game.deck(), Endmove::Ignorance, &memories[seat.index()]);
                let premises = search::premises(&own, true);
                let mut effort = Effort::new(&Budget { steps: 100_000 });
                match Standpoint::top(&own, &premises, &mut effort).knows(None, &mut effort).ok()? {
                    Some(envelope) => Action::Accuse(envelope),
                    None => Action::End,
                }
            }
            _ => *dice.pick(&options),
        };
        if matches!(action, Action::Accuse(_)) {
            break;
        }
        asked += usize::from(matches!(action, Action::Suggest(_)));
        if asked > questions {
            break;
        }
        let event = game.play(&mut state, &action).unwrap();
        memories.iter_mut().zip(Seat::all(game.seats())).for_each(|(m, s)| m.push(game.sight(&event, s)));
    }
    Some((Position::of_memory(game.deck(), Endmove::Ignorance, &memories[observer.index()]), deal))
}

#[test]
#[ignore = "a measurement"]
fn measure_proofs_with_endmoves() {
    for (seats, questions, sizes) in [
        (3, 6, vec![2, 3, 3]),
        (3, 8, vec![3, 3, 4]),
        (2, 8, vec![3, 3, 4]),
        (3, 12, vec![6, 6, 9]),
        (6, 24, vec![6, 6, 9]),
    ] {
        let game = Cluedo::new(deck(&sizes), seats).unwrap();
        let mut unfinished = 0;
        let (mut times, mut by_endmoves, mut unproved, mut open, mut shortest) = (Vec::new(), Vec::new(), 0, 0, None);
        for seed in 0..20 {
            let Some((position, deal)) = honest(&game, questions, Seat(0), &mut Dice::new(mix(13, seed))) else {
                unfinished += 1;
                continue;
            };
            for claim in literals(&position).into_iter().step_by(2) {
                let begun = std::time::Instant::now();
                let answer = why(&position, &claim);
                times.push(begun.elapsed().as_micros());
                match answer {
                    Answer::Known(proof) | Answer::Refuted(proof) => {
                        assert!(proof.goal.holds_in(&deal));
                        if proof.premises.iter().any(|p| matches!(p, Premise::Ended(_))) {
                            by_endmoves.push(proof.len());
                            if shortest.is_none() {
                                shortest = Some(proof.words(&position));
                            }
                        }
                    }
                    Answer::Open { .. } => open += 1,
                    Answer::Unproved | Answer::Long { .. } => unproved += 1,
                    Answer::Clash(clash) => panic!("{clash:?}"),
                }
            }
        }
        times.sort();
        by_endmoves.sort();
        println!(
            "{seats} seats {sizes:?}: µs median {} worst {}; {} by endmoves, median {:?} steps; {open} open, {unproved} unproved; {unfinished} unfinished",
            times[times.len() / 2],
            times.last().unwrap(),
            by_endmoves.len(),
            by_endmoves.get(by_endmoves.len() / 2)
        );
        println!("{}", shortest.unwrap_or_default());
    }
}

/// The proof with one thing changed, of many kinds.
fn mutated(proof: &Proof, position: &Position, dice: &mut Dice) -> Proof {
    let mut proof = proof.clone();
    if dice.below(8) == 0 {
        let i = dice.below(proof.premises.len());
        proof.premises.remove(i);
        return proof;
    }
    mutate(&mut proof.lines, position, dice);
    proof
}

fn mutate(lines: &mut Vec<Line>, position: &Position, dice: &mut Dice) {
    let i = dice.below(lines.len());
    if let Step::Cases(_, cases) = &mut lines[i].step
        && dice.below(3) > 0
        && !cases.is_empty()
    {
        let c = dice.below(cases.len());
        match cases[c].lines.is_empty() || dice.below(4) == 0 {
            true => drop(cases.remove(c)),
            false => mutate(&mut cases[c].lines, position, dice),
        }
        return;
    }
    if let Step::Mind(_, inner) | Step::Knew(_, _, inner) = &mut lines[i].step
        && dice.below(3) > 0
        && !inner.is_empty()
    {
        return mutate(inner, position, dice);
    }
    let card = Card(dice.below(position.deck().len()) as u8);
    let place = dice.below(position.seats() as usize + 1);
    let event = dice.below(position.events().len());
    let seat = Seat(dice.below(position.seats() as usize) as u8);
    let line = &mut lines[i];
    let f = dice.below(line.facts.len());
    let at = |card: Card, place: usize, yes: bool| match yes {
        true => Fact::at(card, place),
        false => Fact::at(card, place).negated(),
    };
    let spot = match &line.facts[f] {
        Fact::Atom(Atom::At(card, place)) => Some((*card, *place, true)),
        Fact::Not(inner) => match **inner {
            Fact::Atom(Atom::At(card, place)) => Some((card, place, false)),
            _ => None,
        },
        _ => None,
    };
    match (dice.below(7), spot) {
        (0, _) => drop(lines.remove(i)),
        (1, Some((_, p, yes))) => line.facts[f] = at(card, p, yes),
        (2, Some((c, _, yes))) => line.facts[f] = at(c, place, yes),
        (3, Some((c, p, yes))) => line.facts[f] = at(c, p, !yes),
        (4, _) if !line.from.is_empty() => drop(line.from.remove(dice.below(line.from.len()))),
        (5, _) => {
            line.step = match &line.step {
                Step::Given(premises) => match premises[0] {
                    Premise::Pass(..) => Step::Given(vec![Premise::Pass(event, seat)]),
                    _ => Step::Given(vec![Premise::Shown(event)]),
                },
                Step::Rule(Rule::Full(..)) => Step::Rule(Rule::Full(seat, vec![event])),
                Step::Rule(Rule::NeedsAll(_)) => Step::Rule(Rule::NeedsAll(seat)),
                Step::Rule(Rule::OneLeft(_)) => Step::Rule(Rule::OneLeft(event)),
                _ => Step::Rule(Rule::OnePlace),
            }
        }
        (_, _) => line.step = Step::Rule(Rule::LastPlace),
    }
}

#[test]
fn mutated_proofs_are_refused_unless_they_are_still_right() {
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..12 {
        let dice = &mut Dice::new(mix(14, seed));
        let game = Cluedo::new(deck(dice.pick::<Vec<usize>>(&[vec![2, 2, 3], vec![3, 4]])), 3).unwrap();
        let (position, _) = play(&game, 6, Seat(0), dice);
        let all = everything(&position);
        for claim in literals(&position) {
            let (Answer::Known(proof) | Answer::Refuted(proof)) = why(&position, &claim) else { continue };
            for _ in 0..20 {
                let other = mutated(&proof, &position, dice);
                if other == proof {
                    continue;
                }
                if check(&position, &other, &other.goal).is_err() {
                    refused += 1;
                    continue;
                }
                accepted += 1;
                for fact in other.lines.iter().flat_map(|line| &line.facts).filter(|fact| fact.is_about_cards()) {
                    assert!(entails(&position, &all, &other.premises, fact), "{}", other.words(&position));
                }
            }
        }
    }
    assert!(refused > 2000 && accepted < refused / 10, "{refused} refused, {accepted} accepted");
}

/// The position with one event changed.
fn changed(position: &Position, dice: &mut Dice) -> Option<Position> {
    let i = dice.below(position.events().len());
    let mut out = position.with_events(Vec::new());
    for (j, &event) in position.events().iter().enumerate() {
        let event = match event {
            Observed::Ask { asker, cards, answer, shown } if i == j => {
                let others: Vec<Seat> = Seat::all(position.seats()).filter(|&s| s != asker).collect();
                match (dice.below(3), shown) {
                    (0, Some(_)) => {
                        let shown = cards.iter().nth(dice.below(cards.len()));
                        Observed::Ask { asker, cards, answer, shown }
                    }
                    (1, None) => Observed::Ask { asker, cards, answer: None, shown },
                    (_, None) => Observed::Ask { asker, cards, answer: Some(*dice.pick(&others)), shown },
                    (_, Some(_)) => return None,
                }
            }
            Observed::Accuse { seat, cards, .. } if i == j => {
                Observed::Accuse { seat, cards, correct: true, envelope: None }
            }
            other => other,
        };
        out.push(event).ok()?;
    }
    Some(out)
}

#[test]
fn a_position_that_cannot_be_names_the_fewest_events_that_clash() {
    let mut clashes = 0;
    for seed in 0..160 {
        let dice = &mut Dice::new(mix(15, seed));
        let game = Cluedo::new(deck(dice.pick::<Vec<usize>>(&[vec![2, 2, 3], vec![3, 4]])), 3).unwrap();
        let (position, _) = play(&game, 5, Seat(0), dice);
        let Some(position) = changed(&position, dice) else { continue };
        let all = everything(&position);
        let clash = |events: &[usize]| {
            let of = |p: &Premise| p.event().is_none_or(|e| events.contains(&e));
            let premises: Vec<Premise> = search::premises(&position, false).into_iter().filter(of).collect();
            entails(&position, &all, &premises, &Fact::Const(false))
        };
        let events: Vec<usize> = (0..position.events().len()).collect();
        match super::clash(&position, &SMALL).unwrap() {
            None => assert!(!clash(&events)),
            Some(found) => {
                clashes += 1;
                assert!(found.smallest && clash(&found.events));
                let proof = found.proof.expect("it is short");
                check(&position, &proof, &Fact::Const(false)).unwrap();
                assert!(proof.premises.iter().filter_map(|p| p.event()).all(|e| found.events.contains(&e)));
                for subset in 0u32..1 << events.len() {
                    let few: Vec<usize> = events.iter().copied().filter(|e| subset >> e & 1 == 1).collect();
                    assert!(few.len() >= found.events.len() || !clash(&few), "{few:?} is smaller");
                }
            }
        }
    }
    assert!(clashes > 10, "{clashes}");
}

#[test]
fn a_claim_with_a_wrong_name_is_refused_with_the_nearest() {
    let position = play(&Cluedo::classic(3), 0, Seat(0), &mut Dice::new(1)).0;
    let wrong = |text: &str| {
        let problems = knowledge::read(&position, text).unwrap_err();
        let shown = problems.iter().map(|p| format!("{} {} {:?}", p.code.id(), p.message, p.help.as_deref()));
        shown.collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        wrong("hold(1,plum) & env(pulm)"),
        "E05 unknown name `hold(1,plum)` Some(\"did you mean `holds(seat,card)`?\")\n\
         E06 there is no card `pulm` in this deck Some(\"did you mean `plum`?\")"
    );
    assert_eq!(wrong("holds(3,plum)"), "E06 there is no seat `3` Some(\"the seats are 0 to 2\")");
    assert_eq!(
        wrong("holds(plum)"),
        "E06 `holds(plum)` is not as it should be Some(\"it is written `holds(seat,card)`\")"
    );
    let of_others = knowledge::read(&position, "K[1] env(plum)").unwrap();
    assert!(!of_others.is_about_cards());
    assert!(matches!(why(&position, &of_others), Answer::Open { .. }));
}

#[test]
fn combinations_of_facts_are_proved_too() {
    let mut proofs = 0;
    for seed in 0..30 {
        let dice = &mut Dice::new(mix(16, seed));
        let game = Cluedo::new(deck(&[2, 2, 3]), 3).unwrap();
        let (position, _) = play(&game, 4, Seat(0), dice);
        let all = everything(&position);
        let premises = search::premises(&position, false);
        let atoms = literals(&position);
        for _ in 0..10 {
            let mut part = || match dice.below(2) {
                0 => dice.pick(&atoms).clone(),
                _ => dice.pick(&atoms).clone().negated(),
            };
            let [a, b, c] = [part(), part(), part()];
            let claim = match dice.below(3) {
                0 => Fact::Any(vec![a, b, c]),
                1 => Fact::All(vec![Fact::Any(vec![a, b]), c]),
                _ => Fact::Iff(Arc::new(a), Arc::new(b)),
            };
            assert_eq!(knowledge::read(&position, &knowledge::write(&position, &claim)).as_ref(), Ok(&claim));
            match why(&position, &claim) {
                Answer::Known(proof) | Answer::Refuted(proof) => {
                    minimal_and_checked(&position, &proof, &|p, c| entails(&position, &all, p, c));
                    proofs += 1;
                }
                Answer::Open { yes, no } => {
                    assert!(claim.holds_in(&yes.deal) && !claim.holds_in(&no.deal));
                    assert!([yes.deal, no.deal].iter().all(|d| premises.iter().all(|&p| says(&position, p, d))));
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(proofs > 50, "{proofs}");
}

#[test]
fn an_endmove_tells_what_its_maker_did_not_know() {
    // Nobody but seat 2 can have had a1, b1 or c0: had it none of them, it would have known the envelope.
    let text = r#"{"deck": {"as": ["a0","a1","a2"], "bs": ["b0","b1","b2"], "cs": ["c0","c1","c2","c3"]},
        "hand_sizes": [3,2,2], "observer": 0, "hand": ["a0","a2","b2"], "events": [
        {"ask": 1, "cards": ["a0","b0","c0"], "passed": [2], "shown_by": 0, "shown": "a0"},
        {"ask": 2, "cards": ["a1","b1","c0"], "passed": [0,1], "shown_by": null},
        {"endmove": 2}]}"#;
    let position = read::position(text).unwrap();
    let claim = knowledge::read(&position, "holds(2,b1)").unwrap();
    let Answer::Known(proof) = why(&position, &claim) else { panic!("it is known") };
    assert_eq!(
        proof.words(&position),
        "\
1. You hold a0 and a2 (your hand).
2. a1 is in the envelope (by 1: no other of the as is left).
3. Seat 2 does not hold a1 (by 2: a card is at one place).
4. Seat 2 holds b1. For suppose that seat 2 does not hold b1 (5). That cannot
   be: seat 2 did not know the envelope in event 3, but would have known it:
  6. You do not hold a1, b1 or c0 (event 2: you passed on a1, b1 and c0).
  7. Seat 1 does not hold a1, b1 or c0 (event 2: it passed on a1, b1 and c0).
  8. Seat 2 does not hold c0 (event 1: it passed on a0, b0 and c0).
  9. a1, b1 and c0 are in the envelope (by 3, 5, 6, 7 and 8: no other place is
     left).
"
    );
    let data = proof.data(&position);
    assert_eq!(data["claim"], "holds(2,b1)");
    assert_eq!(data["steps"].as_array().unwrap().last().unwrap()["rule"], "cases");
    // What seat 2 knew depends on every part: with less of it the checker refuses.
    for left_out in 0..proof.premises.len() {
        let mut less = proof.clone();
        less.premises.remove(left_out);
        assert!(check(&position, &less, &claim).is_err());
    }
}

fn stored(text: &str) -> Position {
    read::position(text).unwrap()
}

#[test]
fn nothing_is_proved_of_a_position_in_which_the_observer_announces_ignorance_of_what_it_knows() {
    let position = stored(include_str!("../../../tests/data/cluedo-impossible.json"));
    for fact in ["env(a)", "env(d)", "holds(1,a)", "true"] {
        let claim = knowledge::read(&position, fact).unwrap();
        let Answer::Clash(clash) = why(&position, &claim) else { panic!("{fact} of a position that cannot be") };
        assert_eq!(clash.events, [1, 2]);
        check(&position, &clash.proof.expect("it is short"), &Fact::Const(false)).unwrap();
    }
}

#[test]
fn what_holds_in_every_deal_is_explained_without_an_empty_reason() {
    let position = stored(include_str!("../../../tests/data/cluedo-long-proof.json"));
    for (fact, known) in [("true", true), ("false", false), ("exactly 0 of ()", true), ("atleast 1 of ()", false)] {
        let claim = knowledge::read(&position, fact).unwrap();
        let proof = match why(&position, &claim) {
            Answer::Known(proof) if known => proof,
            Answer::Refuted(proof) if !known => proof,
            other => panic!("{fact}: {other:?}"),
        };
        let words = proof.words(&position);
        assert!(["1. true (always).\n", "It is always true.\n"].contains(&words.as_str()), "{fact}: {words}");
    }
}

#[test]
fn whoever_accused_wrongly_cannot_announce_ignorance_and_that_is_proved() {
    let position = stored(include_str!("../../../tests/data/cluedo-clash-without-proof.json"));
    let claim = knowledge::read(&position, "env(s2)").unwrap();
    let Answer::Clash(clash) = why(&position, &claim) else { panic!("seat 0 knew the envelope") };
    assert_eq!(clash.events, [0, 1]);
    check(&position, &clash.proof.expect("it is short"), &Fact::Const(false)).unwrap();
}

#[test]
fn what_follows_from_many_ends_of_turns_has_a_proof_within_the_usual_budget() {
    let position = stored(include_str!("../../../tests/data/cluedo-why-gives-up.json"));
    let claim = knowledge::read(&position, "env(conservatory)").unwrap();
    let answer = super::why(&position, &claim, &Budget::default());
    match answer {
        Answer::Refuted(proof) => {
            check(&position, &proof, &claim.clone().negated()).unwrap();
            assert!(proof.premises.iter().any(|p| matches!(p, Premise::Ended(_))));
        }
        // Too long to be shown, but found.
        Answer::Long { holds: false, lines } => assert!(lines < 100, "{lines}"),
        answer => panic!("`know` says that it is excluded: {answer:?}"),
    }
    // The budget is what ends the search, and nothing else.
    assert_eq!(super::why(&position, &claim, &Budget { steps: 50 }), Answer::Unproved);
}

#[test]
fn every_literal_of_a_position_with_a_long_proof_is_answered() {
    let position = stored(include_str!("../../../tests/data/cluedo-long-proof.json"));
    for claim in literals(&position) {
        let answer = super::why(&position, &claim, &Budget::default());
        assert!(!matches!(answer, Answer::Unproved | Answer::Clash(_)), "{}", knowledge::write(&position, &claim));
    }
}
