//! The rule library against the vectors: each text says what an independent transcription of its formal reading
//! says.

mod transcription;

use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::library;
use ken_games::eleusis::rule::Rule;
use serde_json::Value;
use transcription::{ALL, C};

const DECK: Deck = Deck::STANDARD;

fn vectors() -> Vec<Value> {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("../data/eleusis-rules.json")).expect("the vectors are JSON");
    all.into_iter().filter(|rule| rule["regular"] == true).collect()
}

fn plain(card: Card) -> C {
    C { r: i64::from(DECK.rank(card)), s: DECK.suits()[DECK.suit(card)].letter }
}

fn rule(text: &str) -> Rule {
    Rule::parse(text, &DECK).unwrap_or_else(|problems| panic!("{text}: {problems:#?}"))
}

#[test]
fn the_library_has_every_regular_rule_of_the_vectors() {
    let vectors = vectors();
    assert_eq!(vectors.len(), library::rules().len());
    for vector in &vectors {
        let id = vector["id"].as_str().expect("an id");
        let entry = library::find(id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(vector["class"], entry.class.name(), "{id}");
        assert_eq!(vector["same_semantics_as"].as_str(), entry.same_as, "{id}");
        assert_eq!(vector["source"].as_str(), Some(entry.source), "{id}");
        assert_eq!(entry.benchmark(), entry.source.contains("Hugging Face"), "{id}");
    }
}

/// Random lines that the rule accepts, so that rare states are met too: half the walks prefer no card, half the
/// lowest ranks, which last longest under rules with a budget.
#[test]
fn every_library_text_agrees_with_its_transcription() {
    assert_eq!(ALL.len(), library::rules().len());
    let mut dice = Dice::new(5);
    for (id, judge) in ALL {
        let entry = library::find(id).unwrap_or_else(|| panic!("{id} is no library rule"));
        let rule = rule(entry.text);
        for walk in 0..12 {
            let mut line: Vec<Card> = Vec::new();
            for _ in 0..14 {
                let seen: Vec<C> = line.iter().map(|&card| plain(card)).collect();
                let accepted: Vec<Card> =
                    DECK.all().iter().filter(|&card| seen.is_empty() || judge(&seen, plain(card))).collect();
                let ours: Vec<Card> = DECK.all().iter().filter(|&card| rule.accepts(&line, card)).collect();
                let shown: Vec<String> = line.iter().map(|&card| DECK.write(card)).collect();
                assert_eq!(ours, accepted, "{id}: {} after {}", entry.text, shown.join(" "));
                let pool = if walk % 2 == 0 { accepted.len() } else { accepted.len().min(8) };
                if pool == 0 {
                    break;
                }
                line.push(accepted[dice.below(pool)]);
            }
        }
    }
}

#[test]
fn the_functional_notation_of_the_vectors_is_accepted_too() {
    // Sentences of the file that are no formulas are left out by their words.
    let prose = [
        "fib",
        "idx",
        "run index",
        "succ_",
        "r1*",
        "loop={",
        "line[pos",
        "?1:2",
        "(pos=",
        "rank(next)=pos mod",
        "rank(prev) mod 3",
    ];
    let mut read = 0;
    let mut dice = Dice::new(6);
    for vector in vectors() {
        let (id, formal) = (vector["id"].as_str().expect("an id"), vector["formal"].as_str().expect("a formula"));
        if prose.iter().any(|words| formal.contains(words)) && id != "tamu-1" && id != "np-35" {
            continue;
        }
        if id == "np-35" {
            // Written there for residues, which as a formula it does not say.
            continue;
        }
        let formal_rule = rule(formal);
        let ours = rule(library::find(id).expect("a library rule").text);
        assert_eq!(formal_rule.start, ours.start, "{id}");
        read += 1;
        for _ in 0..4 {
            let mut line: Vec<Card> = Vec::new();
            for _ in 0..10 {
                let accepted = ours.accepted(&line);
                assert_eq!(formal_rule.accepted(&line), accepted, "{id}: {formal}");
                let Some(card) = accepted.iter().nth(dice.below(accepted.len().max(1))) else { break };
                line.push(card);
            }
        }
    }
    assert!(read >= 155, "only {read} formulas are read");
}
