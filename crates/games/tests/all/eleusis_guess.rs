//! The guesser on tables that others described, and over the library.

use ken_games::eleusis::automaton::{Automaton, separate};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::guess::{Evidence, Guesser, Terms, search};
use ken_games::eleusis::layout::position;
use ken_games::eleusis::library;
use ken_games::eleusis::rule::Rule;
use ken_games::eleusis::secret::Secret;

const DECK: Deck = Deck::STANDARD;

#[test]
fn the_rule_of_the_example_of_express_is_among_the_first_ten() {
    let text = include_str!("../../../../examples/eleusis/express.json");
    let position = position(text, &DECK).expect("the example reads");
    let meant = Secret::read("if previous is black then odd else even", &DECK).expect("a rule");
    let at = meant.follow(&position.layout).expect("the rule fits its own example");
    let evidence = Evidence::of(&position.layout).expect("there is a starter");
    let plan = Guesser::looking_at(evidence, 1).plan(position.hand.iter().copied().collect());
    let line = position.layout.mainline();
    let place = plan.meanings.iter().position(|meaning| {
        let own = Automaton::of(&Rule::new(DECK, meaning.rule.test())).expect("rules of the space are regular");
        let here = own.run(line).expect("it fits");
        separate((&own, here), (meant.automaton(), at)).is_none()
    });
    assert!(place.is_some_and(|place| place < 10), "{place:?}");
}

#[test]
fn most_rules_of_the_library_are_found_in_forty_plays() {
    let terms = Terms { hand: None, limit: 40, cost: 1.0 };
    let rules: Vec<&library::Entry> =
        library::rules().iter().filter(|rule| rule.same_as.is_none()).step_by(6).collect();
    let found = rules.iter().enumerate().filter(|(seed, rule)| {
        let secret = Secret::read(rule.id, &DECK).expect("library rules are regular");
        search(&secret, &terms, *seed as u64).solved
    });
    let found = found.count();
    assert!(found * 10 >= rules.len() * 9, "{found} of {}", rules.len());
}

#[test]
fn the_rules_that_are_named_are_written_so_that_they_read_back() {
    let mut guesser = Guesser::new(DECK.read("7C").expect("a card"), 2);
    let secret = Secret::read("gar-2", &DECK).expect("a library rule");
    let mut at = secret.after(DECK.read("7C").expect("a card"));
    for _ in 0..8 {
        let plan = guesser.plan(DECK.all());
        for meaning in &plan.meanings {
            let rule = Rule::new(DECK, meaning.rule.test());
            let read = Rule::parse(&rule.to_string(), &DECK).expect("what is written can be read");
            let line = guesser.evidence().line();
            assert_eq!(read.accepted(line), rule.accepted(line), "{rule}");
        }
        let card = plan.card.expect("a card");
        let accepted = secret.accepted(at).has(card);
        if accepted {
            at = secret.step(at, card);
        }
        guesser.observe(card, accepted);
    }
}
