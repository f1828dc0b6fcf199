//! Conventions as data: what they say is read, kept by those who announce it, and assumed by the inspector as the players
//! assume it; and nobody learns from a reason what only another saw.

use ken_games::cards::{Card, CardSet};
use ken_games::game::{Notation, Seat, Turn};
use ken_games::knowledge::Knower;
use ken_games::list::GAMES;
use ken_games::record::{Entry, Match};
use ken_games::table::{Face, Sitter, Table};
use ken_games::yokai::convention::{
    Convention, Known, Looks, Marks, Moves, Reader, Stops, What, When, convention, of_data,
};
use ken_games::yokai::count::Evidence;
use ken_games::yokai::knowledge::{Assumed, Fact, Memory, Premise, Why};
use ken_games::yokai::players::{PLAYERS, announced, says};
use ken_games::yokai::{CARDS, Colours, SeenAct, Sight, Yokai};

/// Every convention that can be written.
fn all() -> Vec<Convention> {
    let whens = [When::Always, When::Voluntary];
    let mut moves = vec![Moves::Nothing, Moves::Code];
    let mut marks = vec![Marks::Nothing];
    for when in whens {
        marks.extend([false, true].map(|smaller_excluded| Marks::Proper { when, smaller_excluded }));
        moves.extend((0..8).map(|bits| Moves::Joins {
            known: Known { looked: bits & 1 > 0, marked: bits & 2 > 0, joined: bits & 4 > 0 },
            when,
        }));
    }
    let mut all = Vec::new();
    for second_look in [Looks::Nothing, Looks::Code] {
        for &moves in &moves {
            for &marks in &marks {
                all.extend([Stops::Nothing, Stops::Won].map(|stop| Convention { second_look, moves, marks, stop }));
            }
        }
    }
    all
}

#[test]
fn every_convention_is_written_as_it_is_read() {
    for one in all() {
        assert_eq!(convention(&one.object().to_string()), Ok(one));
        assert_eq!(of_data(&one.data()), Ok(one));
        let game = Yokai { convention: Some(one), ..Yokai::PLAIN };
        assert_eq!(Yokai::with_options(&Notation::options(&game)), Ok(game));
    }
    let names: Vec<&str> = Convention::names().collect();
    assert_eq!(names, ["none", "hints", "natural", "coded"]);
    assert_eq!(Convention::shipped("none"), Some(Convention::NONE));
    assert_eq!(Convention::shipped("hints"), Some(Convention::HINTS));
}

#[test]
fn what_a_convention_cannot_say_is_refused_with_its_place() {
    let refused = |text: &str, at: &str, words: &str| {
        let problems = convention(text).expect_err(text);
        let found = problems
            .iter()
            .any(|p| p.message.contains(words) && text[p.span.start as usize..p.span.end as usize].contains(at));
        assert!(found, "{text}: {problems:?}");
    };
    refused(r#"{"moves": {"tells": "joins"}}"#, "moves", "no kind of move");
    refused(r#"{"move": {"tells": "colour"}}"#, "colour", "no meaning");
    refused(r#"{"first_look": {"tells": "code"}}"#, "code", "no meaning");
    refused(r#"{"move": {"tells": "nothing", "when": "always"}}"#, "when", "says nothing here");
    refused(r#"{"mark": {"tells": "proper", "when": "sometimes"}}"#, "sometimes", "no time");
    refused(r#"{"mark": {"tells": "proper", "known": []}}"#, "known", "no part");
    refused(r#"{"mark": {"when": "always"}}"#, "when", "`tells` is missing");
    refused(r#"{"mark": 3}"#, "3", "is an object");
    refused(r#"[]"#, "[]", "is an object");
    refused(r#"{"stop": {"tells": "won"}, "stop": {"tells": "won"}}"#, "stop", "twice");
    let two = convention(r#"{"moves": {}, "mark": {"tells": "x"}}"#).expect_err("two problems");
    assert_eq!(two.len(), 2, "all problems at once: {two:?}");
}

#[test]
fn every_player_says_how_it_reads_moves_and_what_its_own_mean() {
    for player in PLAYERS {
        let said = announced(player.name).unwrap_or_else(|| panic!("`{}` announces nothing", player.name));
        let words = says(player.name, None);
        assert_eq!(words.len(), 2, "{words:?}");
        assert!(words.iter().all(|sentence| sentence.ends_with('.')));
        assert_eq!(announced(&format!("{}@6", player.name)), Some(said));
        assert_eq!(says(player.name, Some(said.keeps)).len(), 2);
    }
    assert_eq!(says("conventional", Convention::shipped("coded")).len(), 3, "it says that it does not keep it");
}

/// A match of two machines, with what was entered.
fn table(game: &Yokai, names: [&str; 2], seed: u64) -> Box<dyn Table> {
    let sitters = names.map(|name| Sitter::Machine(name.to_string())).into();
    GAMES.with_options("yokai", &Notation::options(game)).expect("a game").deal(seed, sitters).expect("a table")
}

fn finish(table: &mut dyn Table, most: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    while let (Turn::Of(_), true) = (table.turn(), entries.len() < most) {
        let thought = (table.think().expect("a machine"))();
        let action = thought.action.clone().expect("an action");
        table.thought(thought);
        entries.push(table.act(&action).expect("it is legal"));
    }
    entries
}

/// The same as a match of the game itself.
fn replayed(game: &Yokai, seed: u64, entries: &[Entry]) -> Match<Yokai> {
    let mut played = Match::deal(*game, seed);
    for entry in entries {
        let Entry::Play(text) = entry else { panic!("nothing is taken back") };
        played.play(&game.read(text).expect("an action")).expect("it is legal");
    }
    played
}

fn machines(names: [&str; 2], seed: u64) -> Match<Yokai> {
    let game = Yokai::PLAIN;
    let entries = finish(table(&game, names, seed).as_mut(), usize::MAX);
    replayed(&game, seed, &entries)
}

fn holds(what: What, played: &Match<Yokai>) -> bool {
    let of = |card: Card| played.state().colouring().of(card);
    match what {
        What::Proper(card, set) | What::Among(card, set) => set.has(of(card)),
        What::Coded(card, colour) => of(card) == colour,
        What::Joins(card, others) => others.iter().any(|other| of(other) == of(card)),
    }
}

#[test]
fn what_the_moves_of_a_player_tell_by_its_announcement_is_true() {
    let mut told = [0usize; 4];
    for (name, seeds) in [("conventional", 12), ("believer", 12), ("adapter", 12), ("coder", 4)] {
        let keeps = announced(name).expect("a player").keeps;
        for seed in 0..seeds {
            let played = machines([name, name], seed);
            for one in Reader::of(keeps, &played.memory(Seat(0))).told() {
                assert!(holds(one.what, &played), "{name}, seed {seed}: {one:?}");
                told[match one.what {
                    What::Proper(..) => 0,
                    What::Among(..) => 1,
                    What::Joins(..) => 2,
                    What::Coded(..) => 3,
                }] += 1;
            }
        }
    }
    assert!(told.iter().all(|&n| n > 0), "everything that can be told was told: {told:?}");
}

#[test]
fn what_is_told_comes_to_the_same_at_both_seats() {
    for one in all().into_iter().step_by(7).filter(|c| c.second_look == Looks::Nothing && c.moves != Moves::Code) {
        for seed in 0..3 {
            let played = ken_games::conformance::random_match(&Yokai::PLAIN, seed);
            let [a, b] = [Seat(0), Seat(1)].map(|seat| Reader::of(one, &played.memory(seat)));
            assert_eq!(a.told(), b.told());
            for n in 1..played.events().len() {
                let before = Reader::of(one, &played.memory(Seat(0))[..n]);
                let so_far: Vec<_> = a.told().iter().filter(|told| told.event < n).copied().collect();
                assert_eq!(before.told(), so_far, "what was told does not depend on what comes later");
            }
        }
    }
}

/// The memory of the seat that stopped, before it did.
fn before_stop(played: &Match<Yokai>) -> Option<(Seat, Vec<Sight>)> {
    let last = played.memory(Seat(0)).last().cloned();
    let Some(Sight::Done { seat, act: SeenAct::Stopped, .. }) = last else { return None };
    let mut memory = played.memory(seat);
    memory.pop();
    Some((seat, memory))
}

/// Whether every colour is connected in all colourings that fit the looks and the marks, by counting alone.
fn follows_plainly(game: &Yokai, memory: &[Sight]) -> bool {
    let position = ken_games::yokai::Position::of_memory(game, memory);
    let mut evidence = Evidence::none();
    for card in CardSet::first(CARDS).iter() {
        if let Some(colour) = position.seen[card.index()] {
            evidence.is(card, colour);
        }
        if let Some(hint) = position.stage.marks()[card.index()] {
            evidence.among(card, hint);
        }
    }
    let count = evidence.count();
    count > 0 && evidence.grouped(&position.stage.layout().shape()) == count
}

#[test]
fn the_inspector_knows_under_the_announced_convention_what_the_player_stopped_on() {
    let (mut stops, mut only_by_convention, mut proved) = (0, 0, 0);
    for (name, seeds) in [("conventional", 30u64), ("coder", 6)] {
        let keeps = announced(name).expect("a player").keeps;
        for seed in 100..100 + seeds {
            let played = machines([name, name], seed);
            let Some((seat, memory)) = before_stop(&played) else { continue };
            let game = Yokai { convention: Some(keeps), ..Yokai::PLAIN };
            let (mut knower, kept, refuted) = Knower::of(&game, &memory);
            assert_eq!((refuted, kept.broken()), (None, None), "{name}, seed {seed}");
            assert!(knower.ask(&Fact::GROUPED).is_ok_and(|a| a.known()), "{name}, seed {seed}, seat {seat}");
            proved += usize::from(matches!(kept.why(&Fact::GROUPED), Why::Known(_)));
            let plain = Knower::of(&Yokai::PLAIN, &memory).0.ask(&Fact::GROUPED).is_ok_and(|a| a.known());
            assert_eq!(plain, follows_plainly(&game, &memory), "{name}, seed {seed}");
            only_by_convention += usize::from(!plain);
            stops += 1;
            let words = game.explain(seat, &memory, "grouped").expect("an answer");
            assert!(words.starts_with("As certain as the"), "{words}");
            assert!(words.lines().any(|line| line == "known"), "{words}");
        }
    }
    assert!(stops > 20 && only_by_convention > 5, "{stops} stops, {only_by_convention} by the convention alone");
    assert!(10 * proved >= 8 * stops, "{proved} of {stops} have a proof");
}

#[test]
fn a_convention_that_looks_contradict_is_not_relied_on() {
    let game = Yokai { convention: Convention::shipped("natural"), ..Yokai::PLAIN };
    let mut refuted = 0;
    for seed in 0..40 {
        let played = ken_games::conformance::random_match(&game, seed);
        for seat in Seat::all(2) {
            let memory = played.memory(seat);
            let memory = &memory[..memory.len() - 1];
            let (mut knower, kept, clash) = Knower::of(&game, memory);
            assert!(knower.count() > 0, "something always fits");
            assert_eq!(clash.is_some(), kept.notes().assumed() != Assumed::of(game.convention.unwrap()));
            let note = game.explain(seat, memory, "grouped").expect("an answer");
            assert_eq!(note.contains("contradicts"), clash.is_some(), "{note}");
            refuted += usize::from(clash.is_some());
        }
    }
    assert!(refuted > 5, "random moves break the convention: {refuted}");
}

#[test]
fn a_partner_s_reason_is_the_same_whatever_only_it_saw() {
    let mut compared = 0;
    for (name, agreed) in PLAYERS.iter().map(|p| p.name).flat_map(|name| [(name, None), (name, Some("natural"))]) {
        let game = Yokai { convention: agreed.and_then(Convention::shipped), ..Yokai::PLAIN };
        for seed in 0..2u64 {
            let mut one = table(&game, [name, name], seed);
            let entries = finish(one.as_mut(), 4);
            let asker = Seat(1);
            let mut twins = 0;
            for other in (1_000..).take(60) {
                let mut twin = table(&game, [name, name], other);
                if entries.iter().any(|entry| twin.enter(entry).is_err()) {
                    continue;
                }
                let [a, b] = [&one, &twin].map(|t| t.eyes(asker, t.events(), false));
                if (0..=4).any(|event| a.sight(event) != b.sight(event)) {
                    continue;
                }
                twins += 1;
                for event in 0..6 {
                    for helper in 0..=4 {
                        assert_eq!(a.reason(event, helper), b.reason(event, helper), "{name}, event {event}");
                        compared += usize::from(a.reason(event, helper).is_ok());
                    }
                }
            }
            assert!(twins > 0, "{name}, seed {seed}");
        }
    }
    assert!(compared > 500);
}

#[test]
fn after_the_end_a_player_tells_what_it_said_to_itself() {
    for name in ["conventional", "paper", "coder", "adapter@6"] {
        let mut over = table(&Yokai::PLAIN, [name, "conventional"], 3);
        finish(over.as_mut(), usize::MAX);
        let reasons = over.recount(Seat(0), over.events()).expect("a machine")();
        let own = (1..over.events()).filter(|&event| over.turn_at(event) == Turn::Of(Seat(0)));
        assert_eq!(reasons.iter().map(|r| r.event).collect::<Vec<_>>(), own.collect::<Vec<_>>());
        for reason in &reasons {
            assert!(reason.whole && !reason.lines.is_empty());
            assert!(!reason.lines[0].starts_with("Asked again"), "{name} comes to the same: {reason:?}");
        }
    }
}

#[test]
fn a_join_with_a_choice_is_told_with_its_cards() {
    let what = What::Joins(Card(6), CardSet::of(Card(2)).with(Card(8)));
    assert_eq!(what.words(), "card 7 has the colour of card 3 or card 9");
    let mut memory = Memory::new(&Yokai::PLAIN, Assumed::Nothing);
    ken_games::game::Knowledge::learn(&mut memory, &Sight::Dealt { me: Seat(0) });
    let mut notes = memory.notes().clone();
    notes.hear(what, Some(4));
    notes.tell(Card(2), Colours::of(ken_games::yokai::Colour::Red), None);
    notes.tell(Card(8), Colours::of(ken_games::yokai::Colour::Blue), None);
    let fact = Fact::colour(Card(6), Colours::read("rb").expect("two colours"));
    let Why::Known(proof) = ken_games::yokai::knowledge::why(&notes, &fact) else { panic!("it follows") };
    let words = proof.words(&notes).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("it was told that card 7 has the colour of card 3 or card 9"), "{words}");
    assert!(
        proof.premises.iter().any(|noted| noted.premise == Premise::Joins(Card(6), CardSet::of(Card(2)).with(Card(8))))
    );
}
