//! The examples of `docs/yokai-knowledge.md`, and cases with a name.

use ken_games::bridge;
use ken_games::cards::Card;
use ken_games::game::{Seat, Verdict};
use ken_games::knowledge::{Knower, Other, Refused, Voice, read, words};
use ken_games::yokai::knowledge::{Assumed, Fact, Noted, Notes, Premise, Why, check, clash, why};
use ken_games::yokai::{Colour, Colours, Layout, read};
use ken_logic::check::EngineChoice;

/// The position of the documentation.
const EXAMPLE: &str = include_str!("../../../../../examples/yokai/know.json");

fn example(assumed: Assumed) -> Notes {
    Notes::of(&read::position(EXAMPLE).unwrap(), assumed)
}

fn ask(notes: &Notes, text: &str) -> Verdict {
    let fact = read(notes, text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    Knower::about(notes).ask(&fact).unwrap().verdict
}

/// The reason, line by line.
fn told(notes: &Notes, text: &str) -> Vec<String> {
    match why(notes, &read(notes, text).unwrap()) {
        Why::Known(proof) | Why::Refuted(proof) | Why::Clash(proof) => {
            assert_eq!(check(notes, &proof, &proof.goal), Ok(()));
            proof.words(notes).lines().map(str::to_string).collect()
        }
        Why::Open { trail, .. } => {
            let step = |other: &Other<_, _>| words(notes, &other.fails, &Voice::default());
            trail.iter().map(step).collect()
        }
        Why::Unproved(verdict) => panic!("{text} is {verdict:?} without a proof"),
    }
}

#[test]
fn the_answers_of_the_documentation_are_right() {
    let notes = example(Assumed::Proper);
    for (text, verdict) in [
        ("col(4,green)", Verdict::Yes),
        ("col(4,red)", Verdict::No),
        ("K[1] col(4,green)", Verdict::No),
        ("K[1] K[0] col(1,red)", Verdict::No),
        ("K[1] (K[0] col(1,red) | K[0] col(1,gby))", Verdict::Yes),
        ("grouped", Verdict::No),
    ] {
        assert_eq!(ask(&notes, text), verdict, "{text}");
    }
    assert_eq!(ask(&example(Assumed::Nothing), "col(4,green)"), Verdict::Open);
}

#[test]
fn the_proof_of_the_documentation_is_short() {
    let lines = told(&example(Assumed::Proper), "col(4,green)");
    assert_eq!(
        lines,
        [
            "1. Cards 1, 2, 5 and 6 are red (seat 0 looked).",
            "2. Card 4 is red or green (its hint says so).",
            "3. Card 4 is not red (by 1: cards 1, 2, 5 and 6 are the four red ones).",
            "4. Card 4 is green (by 2 and 3).",
        ]
    );
}

#[test]
fn that_a_partner_does_not_know_is_shown_by_an_exchange() {
    assert_eq!(
        told(&example(Assumed::Proper), "K[1] K[0] col(1,red)"),
        [
            "1. Card 1 is red; card 9 is blue (seat 0 looked).",
            "2. Seat 1 does not know that seat 0 knows that card 1 is red (seat 1 cannot tell",
            "   this from the world with cards 1 and 9 exchanged, where card 1 is blue; card",
            "   9 is red (3; by 1) and card 1 is not red).",
        ]
    );
}

#[test]
fn a_look_that_contradicts_a_hint_is_a_clash_and_nothing_is_claimed() {
    let mut notes = Notes::new(Seat(0), Assumed::Proper, Layout::start());
    notes.look(Card(2), Colour::Blue, None);
    notes.mark(Card(2), Colours::read("rg").unwrap(), None);
    assert!(Knower::about(&notes).ask(&Fact::GROUPED).is_err());
    let proof = clash(&notes).unwrap();
    assert_eq!(proof.premises.len(), 2);
    assert_eq!(
        proof.words(&notes),
        "1. Card 3 is blue (seat 0 looked).\n2. Card 3 is red or green (its hint says so).\n\
         3. That cannot be (by 1 and 2: no colour is left for card 3).\n"
    );
    let free = Notes::new(Seat(0), Assumed::Nothing, Layout::start());
    assert_eq!(clash(&free), None);
}

#[test]
fn a_card_that_both_looked_at_has_a_colour_that_is_common_knowledge() {
    let mut notes = Notes::new(Seat(0), Assumed::Nothing, Layout::start());
    notes.look(Card(1), Colour::Red, None);
    assert_eq!(ask(&notes, "K[1] col(2,red)"), Verdict::No);
    assert_eq!(ask(&notes, "K[1] (K[0] col(2,red) | K[0] col(2,gby))"), Verdict::Yes);
    notes.partner_looks(Card(1));
    assert_eq!(ask(&notes, "C[0,1] col(2,red)"), Verdict::Yes);
    let lines = told(&notes, "C[0,1] col(2,red)");
    assert_eq!(
        lines[1..],
        [
            "2. It is common knowledge that card 2 is red (by 1: all of them see that",
            "   themselves; seat 0 looked at card 2; seat 1 looked at card 2)."
        ]
    );
}

#[test]
fn a_proof_that_the_partner_knows_a_colour_names_its_look() {
    let notes = example(Assumed::Proper);
    for text in ["K[1] !col(3,red)", "K[1] col(3,green)", "K[1] K[0] col(3,green)"] {
        let Why::Known(proof) = why(&notes, &read(&notes, text).unwrap()) else { panic!("{text} is known") };
        let looked = |noted: &Noted| noted.premise == Premise::Looked(Seat(1), Card(2));
        assert!(proof.premises.iter().any(looked), "{text}: {}", proof.words(&notes));
    }
}

#[test]
fn announced_pairs_are_used_with_the_counts() {
    // Three reds are seen: a pair that is said to be alike is not red.
    let mut notes = Notes::new(Seat(0), Assumed::Proper, Layout::start());
    for card in 0..3 {
        notes.look(Card(card), Colour::Red, None);
    }
    notes.announce(Card(7), Card(8), None);
    assert_eq!(ask(&notes, "!col(8,red)"), Verdict::Yes);
    assert_eq!(ask(&notes, "K[1] same(8,9)"), Verdict::Yes);
    let proof = told(&notes, "!col(8,red)").join(" ");
    assert!(proof.starts_with("1. Cards 1, 2 and 3 are red (seat 0 looked). 2. Card 8 is not red."), "{proof}");
    assert!(proof.contains("cards 8 and 9 have the same colour"), "{proof}");
}

#[test]
fn cards_too_far_apart_are_not_grouped() {
    let lines = told(&example(Assumed::Proper), "grouped");
    assert_eq!(
        lines,
        [
            "1. Card 9 is blue (seat 0 looked).",
            "2. Card 16 is blue (its hint says so).",
            "3. Not every colour is connected (by 1 and 2: the cards cannot be cut into",
            "   connected fours that fit).",
        ]
    );
}

#[test]
fn why_not_goes_on_to_what_the_partner_cannot_exclude() {
    let notes = example(Assumed::Proper);
    let fact = read(&notes, "K[1] col(7,blue)").unwrap();
    let Why::Open { holds, fails, trail } = why(&notes, &fact) else { panic!("it is open") };
    // Seat 1 looked at card 7: it knows what it is, and seat 0 does not. What is false nobody knows, so nothing follows.
    assert_eq!((holds.of(Card(6)), trail.len()), (Colour::Blue, 0));
    assert_ne!(fails.of(Card(6)), Colour::Blue);
    let deep = read(&notes, "K[0] K[1] col(12,blue)").unwrap();
    assert!(matches!(why(&notes, &deep), Why::Refuted(_)));
}

#[test]
fn a_full_size_position_is_a_symbolic_model() {
    let notes = example(Assumed::Proper);
    let model = bridge::yokai::model(&notes);
    let deals = model.deals(EngineChoice::Symbolic).unwrap();
    assert_eq!(deals, Knower::about(&notes).count());
    // Does my partner know that I know card 3, and card 9?
    let facts = ["K[1] K[0] col(3,green)", "K[1] K[0] col(9,blue)"].map(|text| read(&notes, text).unwrap());
    let formulas = facts.each_ref().map(|fact| bridge::yokai::formula(&model, &notes, fact));
    let known = model.known(&formulas, EngineChoice::Symbolic).unwrap();
    assert_eq!(known.iter().map(|k| k.known).collect::<Vec<_>>(), [true, false]);
    assert_eq!(facts.map(|fact| Knower::about(&notes).ask(&fact).unwrap().verdict), [Verdict::Yes, Verdict::No]);
}

#[test]
fn wrong_formulas_are_refused_with_their_place_and_advice() {
    let notes = example(Assumed::Proper);
    let refused = |text: &str| {
        let problems = read(&notes, text).unwrap_err();
        let problem = &problems[0];
        (text[problem.span.start as usize..problem.span.end as usize].to_string(), problem.message.clone())
    };
    assert_eq!(refused("col(17,red)"), ("col(17,red)".into(), "there is no card `17`".into()));
    assert_eq!(refused("K[0] col(3, pink)"), ("col(3, pink)".into(), "there is no colour `pink`".into()));
    assert_eq!(refused("proper(1)"), ("proper(1)".into(), "card 1 is not marked with a hint".into()));
    assert_eq!(refused("grouped & win"), ("win".into(), "unknown name `win`".into()));
    assert_eq!(refused("K[2] grouped").0, "2");
}

#[test]
fn what_would_be_known_after_a_move_can_be_asked() {
    let mut notes = Notes::new(Seat(0), Assumed::Proper, Layout::start());
    notes.look(Card(0), Colour::Red, None);
    notes.partner_looks(Card(1));
    for (text, expected) in [
        // If I look at card 7, will my partner know that I know?
        ("[look 7] (K[0] col(7,red) | K[0] col(7,green) | K[0] col(7,blue) | K[0] col(7,yellow))", Verdict::Yes),
        ("[look 7] K[1] Kw[0] col(7,red)", Verdict::Yes),
        ("[look 7] Kw[1] col(7,red)", Verdict::No),
        ("[look 7, blue] K[0] col(7,blue)", Verdict::Yes),
        ("<look 7, blue> true", Verdict::Open),
        ("<look 1, blue> true", Verdict::No),
        ("[1: look 1] C[0,1] col(1,red)", Verdict::Yes),
        ("[1: look 7] K[0] Kw[1] col(7,red)", Verdict::Yes),
        ("[mark 7 rg] C[0,1] col(7,rg)", Verdict::Yes),
        ("[mark 1 rg] K[1] col(1,rg)", Verdict::Yes),
        ("[stop] C[0,1] col(1,red)", Verdict::Yes),
        ("[look 7] [1: look 7] (C[0,1] col(7,red) | C[0,1] !col(7,red))", Verdict::Yes),
        ("K[1] [look 7] Kw[0] col(7,red)", Verdict::Yes),
        ("[activate] !Kw[0] col(7,red)", Verdict::Yes),
    ] {
        assert_eq!(ask(&notes, text), expected, "{text}");
    }
    for text in ["[look 17] grouped", "[jump 3] grouped", "[2: look 7] grouped", "[look 7, pink] grouped"] {
        assert!(read(&notes, text).is_err(), "{text}");
    }
}

#[test]
fn what_a_look_finds_is_not_told_to_the_partner_even_if_it_is_said() {
    let mut notes = Notes::new(Seat(0), Assumed::Proper, Layout::start());
    notes.partner_looks(Card(1));
    for (text, expected) in [
        ("<look 7, blue> K[1] col(7,blue)", Verdict::No),
        ("[look 7, blue] (col(7,blue) -> K[0] col(7,blue) & !K[1] col(7,blue))", Verdict::Yes),
        ("<look 7, blue> C[0,1] col(7,blue)", Verdict::No),
    ] {
        assert_eq!(ask(&notes, text), expected, "{text}");
    }
}

#[test]
fn a_move_behind_another_is_judged_where_it_stands() {
    let notes = example(Assumed::Proper);
    let answer = |text: &str| Knower::about(&notes).ask(&read(&notes, text).expect(text)).map(|a| a.verdict);
    assert_eq!(answer("<look 7> <look 8> true"), Ok(Verdict::Yes));
    assert_eq!(answer("[look 7] [look 8] (Kw[0] col(7,red) & Kw[0] col(8,red))"), Ok(Verdict::Yes));
    // Nothing can be done after the end.
    assert_eq!(answer("<stop> <look 7> true"), Ok(Verdict::No));
    assert_eq!(answer("[stop] [look 7] false"), Ok(Verdict::Yes));
    for text in [
        "<look 11> <look 11> true",
        "<move 3 14,16> <move 5 14,16> true",
        "[move 3 14,16] [move 5 14,16] grouped",
        "<look 7> <look 8> <look 10> true",
        "[mark 3 y] [mark 3 y] true",
        "<mark 11 y> <mark 12 y> true",
    ] {
        assert!(matches!(answer(text), Err(Refused::Unfit(_))), "{text}: {:?}", answer(text));
    }
    for text in ["col(7,)", "[look 7,] true", "<look 7, > true", "grouped(1)"] {
        assert!(read(&notes, text).is_err(), "{text}");
    }
}

#[test]
fn a_formula_that_says_too_much_at_once_is_refused_and_not_followed() {
    let notes = example(Assumed::Proper);
    let deep = format!("{}col(7,red)", "Kw[0] Kw[1] ".repeat(15));
    let problem = &read(&notes, &deep).expect_err("too many parts")[0];
    assert!(problem.message.contains("parts") && problem.help.is_some(), "{problem:?}");
    assert!(read(&notes, &format!("{}col(7,red)", "K[0] K[1] ".repeat(50))).is_ok());
}
