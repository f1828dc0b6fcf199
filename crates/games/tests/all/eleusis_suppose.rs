//! What would be known of the secret rule after a move: an example that can be followed by hand, and what is refused.

use ken_games::cards::Card;
use ken_games::eleusis::Express;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::knowledge::{Memory, Position, read as read_round};
use ken_games::eleusis::layout::Layout;
use ken_games::eleusis::secret::Secret;
use ken_games::game::Verdict;
use ken_games::knowledge::{Refused, read};
use serde_json::json;
use std::sync::Arc;

const RULES: [&str; 4] =
    ["alternate red and black", "parity changes", "if previous is black then odd else even", "within 3 of previous"];

fn card(text: &str) -> Card {
    Deck::STANDARD.read(text).expect("a card")
}

fn family() -> Arc<[Arc<Secret>]> {
    RULES.iter().map(|text| Arc::new(Secret::read(text, &Deck::STANDARD).expect("a rule"))).collect()
}

/// The example of `docs/eleusis.md`: 3S, 4H and 9C lie there, and the first two rules fit.
fn mind() -> Memory<Express> {
    let mut layout = Layout::start(card("3S"));
    layout.accept(card("4H"));
    layout.accept(card("9C"));
    Memory::of_layout(&layout, &["5C", "6H", "AD"].map(card), family()).expect("a layout")
}

fn verdict(text: &str) -> Verdict {
    let mind = mind();
    let fact = read(&mind, text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    mind.ask(&fact).unwrap_or_else(|why| panic!("{text}: {why}")).verdict
}

fn refusal(text: &str) -> String {
    read(&mind(), text).expect_err("it is wrong")[0].message.clone()
}

#[test]
fn a_card_on_which_two_rules_differ_would_tell_everybody_the_rule() {
    // After 9C the first rule accepts AD, the second refuses it.
    assert_eq!(verdict("knows_rule(0)"), Verdict::No);
    for known in [
        "[play AD] knows_rule(0)",
        "[play AD] C[0,1] knows_rule(1)",
        "[0: play AD, refused] rule(parity changes)",
        "[play AD, accepted] rule(alternate red and black)",
        "K[1] (holds(0,AD) -> [play AD] K[1] knows_rule(0))",
        "<play AD> true",
        "[play AD] !holds(0,AD)",
        "[play AD, accepted] [guess alternate red and black] knows_rule(1)",
        "[play AD, accepted] [guess alternate red and black, wrong] false",
    ] {
        assert_eq!(verdict(known), Verdict::Yes, "{known}");
    }
    assert_eq!(verdict("<play AD, accepted> true"), Verdict::Open);
    // Both accept 6H, and it tells nothing.
    assert_eq!(verdict("[play 6H] knows_rule(0)"), Verdict::No);
    assert_eq!(verdict("<play 6H, refused> true"), Verdict::No);
    assert_eq!(verdict("[play 6H, refused] false"), Verdict::Yes, "it cannot be");
}

#[test]
fn what_is_drawn_for_a_refused_card_is_not_known_before() {
    assert_eq!(verdict("[play AD, refused] holds(0,KD)"), Verdict::Open);
    assert_eq!(verdict("<play AD, refused> holds(0,5C)"), Verdict::Open, "whether it is refused");
    assert_eq!(verdict("[play AD, refused] holds(0,5C)"), Verdict::Yes);
    assert_eq!(verdict("[play AD, refused] K[1] !holds(0,9C)"), Verdict::Yes, "there is one, and it lies there");
    assert_eq!(verdict("[play AD, refused] (K[0] holds(0,KD) | K[0] !holds(0,KD))"), Verdict::Yes, "it sees its hand");
    assert_eq!(verdict("<play AD, refused> K[1] holds(0,KD)"), Verdict::No);
}

#[test]
fn a_hand_that_is_shown_tells_what_all_its_cards_tell() {
    assert_eq!(verdict("[no play] K[1] holds(0,5C)"), Verdict::Yes);
    assert_eq!(verdict("[no play, right] false"), Verdict::Yes, "6H is accepted for sure");
    // The dealer lays the lowest card that is accepted: AD or 6H.
    assert_eq!(verdict("[no play] knows_rule(1)"), Verdict::Yes);
}

#[test]
fn moves_that_cannot_be_made_are_refused_with_the_reason() {
    assert_eq!(refusal("[play KS] true"), "seat 0 does not hold KS");
    assert_eq!(refusal("[1: play AD] true"), "it is the turn of seat 0, not of seat 1");
    assert_eq!(refusal("[9: play AD] true"), "there is no seat `9`");
    assert_eq!(refusal("[play AD, right] true"), "`right` cannot come of this");
    assert_eq!(refusal("[play AD, perhaps] true"), "`perhaps` cannot come of this");
    assert_eq!(refusal("[plai AD] true"), "there is no action `plai`");
    assert_eq!(refusal("[discard AD] true"), "there is nothing to discard");
    assert_eq!(refusal("[rule red] true"), "what the dealer chooses cannot be asked about");
    assert!(refusal("[guess red] true").starts_with("a guess is made"));
    assert!(refusal("[play AD] [guess redd] true").contains("redd"), "moves behind others are read, too");
}

#[test]
fn a_round_that_is_over_has_no_moves_and_too_many_hands_have_no_answer() {
    let over = json!({"mainline": ["3S"], "hand": [], "table": {
        "game": "express", "options": {"players": 3}, "rule": "parity changes", "over": true}});
    let Ok(Position::Express(round)) = read_round(&over.to_string()) else { panic!("a round") };
    let told = Memory::at(&round, family());
    assert_eq!(
        read(&told, "[play AD] true").expect_err("over")[0].message,
        "the round is over: nothing can be done in it"
    );
    let hidden = json!({"mainline": ["3S"], "hand": ["4C"], "table": {
        "game": "express", "options": {"players": 3}, "hands": [1, 7, 0], "stock": 40, "turn": 1}});
    let Ok(Position::Express(round)) = read_round(&hidden.to_string()) else { panic!("a round") };
    let mind = Memory::at(&round, family());
    let fact = read(&mind, "[no play] holds(0,4C)").expect("a fact");
    assert_eq!(mind.ask(&fact).err(), Some(Refused::Limit), "every hand of seven is another way to see it");
}

#[test]
fn hands_that_are_not_said_are_not_taken_to_be_empty() {
    let layouts = [
        json!({"mainline": ["3S", "4H"], "hand": ["5C"]}),
        json!({"mainline": ["3S", "4H"], "hand": ["5C"], "table": {"game": "express", "options": {"players": 3}}}),
    ];
    for layout in layouts {
        let (asked, own) = match read_round(&layout.to_string()).expect("a position") {
            Position::Layout(found) => {
                let mind = Memory::of_layout(&found.layout, &found.hand, family()).expect("few cards");
                (read(&mind, "holds(1,7C)").map(|_| ()), read(&mind, "holds(0,5C)").map(|_| ()))
            }
            Position::Express(round) => {
                let mind = Memory::at(&round, family());
                (read(&mind, "can_play(1)").map(|_| ()), read(&mind, "sure_play(0)").map(|_| ()))
            }
            Position::Classic(_) => panic!("not that game"),
        };
        assert_eq!(asked.expect_err("nothing says it")[0].message, "nothing says what seat 1 holds");
        assert!(own.is_ok(), "one's own hand is seen");
    }
}
