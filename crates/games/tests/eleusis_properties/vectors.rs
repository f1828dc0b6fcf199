//! The published instances.

use ken_games::cards::{Card, CardSet};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::properties::{
    Decision, Instance, Mode, Observation, Person, Protocol, Reading, best_strategy_depth, decide,
};
use ken_games::eleusis::rule::{Attribute, CardRef, Cmp, Num, Rule, Test};
use serde_json::{Value, json};

fn rule(name: &str, deck: &Deck) -> Rule {
    let of = |a, who| Num::Of(a, who);
    let both = |a: Attribute, cmp| Test::Compare(of(a, CardRef::Next), cmp, of(a, CardRef::Back(1)));
    let odd = deck.ranks(|r| r % 2 == 1);
    let next_odd = || Test::In(CardRef::Next, odd);
    let body = match name {
        "alt_color" => both(Attribute::Colour, Cmp::Ne),
        "same_color" => both(Attribute::Colour, Cmp::Eq),
        "alt_parity" => Test::Not(Box::new(Test::Iff(Box::new(next_odd()), Box::new(Test::In(CardRef::Back(1), odd))))),
        "not_lower" => both(Attribute::Rank, Cmp::Ge),
        "color_or_value" => Test::Or(vec![both(Attribute::Colour, Cmp::Eq), both(Attribute::Rank, Cmp::Eq)]),
        "diff_value" => both(Attribute::Rank, Cmp::Ne),
        "red_odd_black_even" => Test::If(
            Box::new(Test::In(CardRef::Back(1), deck.red())),
            Box::new(next_odd()),
            Box::new(Test::Not(Box::new(next_odd()))),
        ),
        "only_red" => Test::In(CardRef::Next, deck.red()),
        _ => panic!("{name}"),
    };
    Rule::new(deck.clone(), body)
}

fn cards(deck: &Deck, data: &Value) -> CardSet {
    data.as_array().unwrap().iter().map(|c| deck.read(c.as_str().unwrap()).unwrap()).collect()
}

fn instance(data: &Value) -> Instance {
    let deck = Deck::two_suits(3).unwrap();
    let text = |key: &str| data[key].as_str().unwrap();
    let names = data["rules"].as_array().unwrap().iter().map(|n| n.as_str().unwrap());
    Instance {
        id: Some(text("id").to_string()),
        rules: names.map(|n| (n.to_string(), rule(n, &deck))).collect(),
        starter: deck.read(text("starter")).unwrap(),
        mode: match text("mode") {
            "unlimited" => Mode::Unlimited,
            _ => Mode::Decks([cards(&deck, &data["hands"]["A"]), cards(&deck, &data["hands"]["B"])]),
        },
        first: if text("first_turn") == "A" { Person::A } else { Person::B },
        observation: *Observation::ALL.iter().find(|o| o.name() == text("observation")).unwrap(),
        protocol: *Protocol::ALL.iter().find(|o| o.name() == text("protocol")).unwrap(),
        reading: *Reading::ALL.iter().find(|o| o.name() == text("knowledge")).unwrap(),
        bound: data["move_bound"].as_u64().map(|n| n as u32),
        deck,
    }
}

fn file() -> Value {
    serde_json::from_str(include_str!("../data/eleusis-properties.json")).unwrap()
}

fn result(instance: &Instance, decisions: &[Decision]) -> Value {
    let each = |what: &dyn Fn(&Decision) -> Value| -> Value {
        Value::Object(instance.rules.iter().zip(decisions).map(|((name, _), d)| (name.clone(), what(d))).collect())
    };
    let all = |what: &dyn Fn(&Decision) -> bool| decisions.iter().all(what);
    let p1 = |d: &Decision| d.someone.holds();
    let p2 = |d: &Decision| d.alice_first.as_ref().unwrap().holds();
    let e1 = |d: &Decision| d.someone_may.as_ref().unwrap().is_some();
    let e2 = |d: &Decision| d.alice_first_may.as_ref().unwrap().is_some();
    let m: Option<Vec<u32>> = decisions.iter().map(Decision::least_m).collect();
    json!({
        "p1_AF_someone_knows": each(&|d| p1(d).into()), "p1_AF_someone_knows_all": all(&p1),
        "p2_AF_A_knows_B_not": each(&|d| p2(d).into()), "p2_AF_A_knows_B_not_all": all(&p2),
        "EF_someone_knows": each(&|d| e1(d).into()), "EF_someone_knows_all": all(&e1),
        "EF_A_knows_B_not": each(&|d| e2(d).into()), "EF_A_knows_B_not_all": all(&e2),
        "p4_least_m": each(&|d| d.least_m().into()), "p4_least_m_all_rules": m.map(|m| m.into_iter().max()),
        "p3_turnA_implies_p2": instance.first != Person::A || all(&p2),
    })
}

#[test]
fn the_search_decides_every_published_instance_as_published() {
    let file = file();
    for data in file["instances"].as_array().unwrap() {
        let instance = instance(data);
        let decisions = decide(&instance, 100_000).unwrap();
        assert_eq!(result(&instance, &decisions), data["result"], "{}", data["id"]);
    }
}

#[test]
fn best_strategies_are_as_deep_as_published() {
    let file = file();
    let family = |name: &str| {
        let all = file["instances"].as_array().unwrap();
        all.iter().find(|data| data["family"] == name).unwrap()["rules"].clone()
    };
    for data in file["best_strategy_depth"].as_array().unwrap() {
        let deck = Deck::two_suits(data["values"].as_u64().unwrap() as u8).unwrap();
        for (starter, depth) in data["least_worst_case_plays_by_starter"].as_object().unwrap() {
            let names = family(data["family"].as_str().unwrap());
            let names = names.as_array().unwrap().iter().map(|n| n.as_str().unwrap());
            let instance = Instance {
                id: None,
                rules: names.map(|n| (n.to_string(), rule(n, &deck))).collect(),
                starter: deck.read(starter).unwrap(),
                mode: Mode::Unlimited,
                first: Person::A,
                observation: Observation::Public,
                protocol: Protocol::Any,
                reading: *Reading::ALL.iter().find(|r| r.name() == data["knowledge"]).unwrap(),
                bound: None,
                deck: deck.clone(),
            };
            assert_eq!(best_strategy_depth(&instance), depth.as_u64().map(|n| n as u32), "{data} {starter}");
        }
    }
}
