//! Facts are read, written, said and evaluated alike for every game.

use super::*;
use crate::game::{Illegal, Seat, Verdict};
use std::collections::BTreeSet;

/// Three seats hold a card of `a`, `b` and `c` each, and see their own.
#[derive(Clone)]
struct Toy {
    worlds: Vec<[u8; 3]>,
    /// Which seats' cards each seat has seen.
    seen: [Seats; 3],
    me: Seat,
}

const CARDS: [&str; 3] = ["a", "b", "c 1"];

impl Toy {
    fn new() -> Toy {
        let worlds = vec![[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        Toy { worlds, seen: [0, 1, 2].map(|seat| Seats::of(Seat(seat))), me: Seat(0) }
    }

    fn sees(&self, seat: Seat, world: &[u8; 3]) -> Vec<u8> {
        self.seen[seat.index()].iter().map(|other| world[other.index()]).collect()
    }
}

impl Language for Toy {
    type Atom = (u8, u8);

    fn seats(&self) -> u8 {
        3
    }

    fn facts(&self) -> &'static [(&'static str, &'static str)] {
        &[("has", "seat,card"), ("odd", "")]
    }

    fn fact(&self, word: &str, arguments: &[&str]) -> Result<Fact<(u8, u8)>, Illegal> {
        let [who, what] = arguments else { return Ok(Fact::Const(word == "odd")) };
        let card = CARDS.iter().position(|card| card == what);
        let card = card.ok_or_else(|| Illegal::new(format!("there is no card `{what}`")))?;
        Ok(Fact::Atom((seat(who, 3)?.0, card as u8)))
    }

    fn allows(&self, action: &str, _: Stands) -> Result<(), Illegal> {
        if Supposed::read(action, 3)?.rest.starts_with("show") {
            Ok(())
        } else {
            Err(Illegal::new(format!("`{action}` is no move")))
        }
    }

    fn write(&self, atom: &(u8, u8)) -> String {
        format!("has({},{})", atom.0, CARDS[atom.1 as usize])
    }

    fn say(&self, atom: &(u8, u8), yes: bool, voice: &Voice) -> String {
        let does = match yes {
            true => voice.does(Seat(atom.0), "have", "has"),
            false => voice.does(Seat(atom.0), "do not have", "does not have"),
        };
        format!("{does} {}", CARDS[atom.1 as usize])
    }
}

impl Worlds for Toy {
    type Atom = (u8, u8);
    type Language = Toy;
    type Set = BTreeSet<[u8; 3]>;
    type World = [u8; 3];
    const STEPS: u64 = 5;

    fn language(&self) -> &Toy {
        self
    }

    fn seat(&self) -> Seat {
        self.me
    }

    fn all(&mut self) -> Self::Set {
        self.worlds.iter().copied().collect()
    }

    fn here(&mut self) -> Self::Set {
        self.all().into_iter().filter(|world| world[0] == 0).collect()
    }

    fn fact(&mut self, atom: &(u8, u8)) -> Done<Self::Set> {
        Ok(self.all().into_iter().filter(|world| world[atom.0 as usize] == atom.1).collect())
    }

    fn both(&mut self, a: &Self::Set, b: &Self::Set) -> Done<Self::Set> {
        Ok(a & b)
    }

    fn either(&mut self, a: &Self::Set, b: &Self::Set) -> Done<Self::Set> {
        Ok(a | b)
    }

    fn without(&mut self, a: &Self::Set, b: &Self::Set) -> Done<Self::Set> {
        Ok(a - b)
    }

    fn alike(&mut self, seats: Seats, set: &Self::Set) -> Done<Self::Set> {
        let same = |a: &[u8; 3], b: &[u8; 3]| seats.iter().all(|seat| self.sees(seat, a) == self.sees(seat, b));
        Ok(self.worlds.iter().copied().filter(|world| set.iter().any(|other| same(world, other))).collect())
    }

    fn count(&mut self, set: &Self::Set) -> u128 {
        set.len() as u128
    }

    fn pick(&mut self, set: &Self::Set) -> Option<[u8; 3]> {
        set.first().copied()
    }

    fn only(&mut self, world: &[u8; 3]) -> Self::Set {
        BTreeSet::from([*world])
    }

    /// `show 1 2`: seat 1 shows its card to seat 2, and everybody sees that it does.
    fn after(&mut self, action: &str) -> Done<Vec<Toy>> {
        let Supposed { seat: by, rest } = Supposed::read(action, 3).map_err(Refused::Unfit)?;
        let to = rest.trim_start_matches("show ").parse().map(Seat);
        let to = to.map_err(|_| Refused::Unfit(Illegal::new("to whom?")))?;
        let mut after = self.clone();
        after.seen[to.index()] = after.seen[to.index()].with(by.unwrap_or(self.me));
        Ok(vec![after])
    }

    fn before(&mut self, _: &mut Toy, set: &Self::Set, _: Outcomes) -> Done<Self::Set> {
        Ok(set.clone())
    }
}

fn verdict(text: &str) -> Verdict {
    let toy = Toy::new();
    let fact = read(&toy, text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    assert_eq!(read(&toy, &write(&toy, &fact)), Ok(fact.clone()), "{text}");
    Knower::new(toy).ask(&fact).expect("an answer").verdict
}

#[test]
fn every_operator_means_what_the_logic_says() {
    for (text, expected) in [
        ("has(0,a)", Verdict::Yes),
        ("has(1,a)", Verdict::No),
        ("has(1,b)", Verdict::Open),
        ("has( 1 , c 1 ) | has(1,b)", Verdict::Yes),
        ("has(1,b) <-> has(2,c 1)", Verdict::Yes),
        ("xor(has(1,b), has(2,b))", Verdict::Yes),
        ("exactly 2 of (has(0,a), has(1,b), has(2,c 1), has(1,a))", Verdict::No),
        ("atleast 1 of (has(0,a), has(1,b), has(2,c 1))", Verdict::Yes),
        ("forall i in 1..2: !has(i,a)", Verdict::Yes),
        ("K[1] has(0,a)", Verdict::No),
        ("S[1] has(0,a)", Verdict::Yes),
        ("Kw[1] has(0,b)", Verdict::Open),
        ("E[1,2] has(0,a)", Verdict::No),
        ("D[1,2] has(0,a)", Verdict::Yes),
        ("K[1] !K[2] has(0,a)", Verdict::Yes),
        ("C[all] (has(0,a) | has(1,a) | has(2,a))", Verdict::Yes),
        ("C[0,1] has(0,a)", Verdict::No),
        ("C[0] has(0,a)", Verdict::Yes),
        ("[show 1] K[1] has(0,a)", Verdict::Yes),
        ("[show 1] (K[2] K[1] has(0,a) | K[0] K[1] D[0] has(0,a))", Verdict::Yes),
        ("[show 1] K[2] has(0,a)", Verdict::No),
        ("[show 1] K[2] (Kw[1] has(0,a))", Verdict::Yes),
        ("K[1] [0: show 1] K[1] has(0,a)", Verdict::No),
        ("<1: show 0> K[0] has(2,b)", Verdict::Open),
        ("odd", Verdict::Yes),
    ] {
        assert_eq!(verdict(text), expected, "{text}");
    }
}

#[test]
fn counts_and_trails_lead_from_world_to_world() {
    let toy = Toy::new();
    let mut knower = Knower::new(toy.clone());
    let fact = read(&toy, "C[0,1] !has(2,a)").expect("a fact");
    let answer = knower.ask(&fact).expect("an answer");
    assert_eq!(answer.counts, Some((0, 2)));
    let trail = knower.trail(&fact, &answer.counterexample.expect("a world")).expect("a trail");
    let steps: Vec<(usize, [u8; 3])> =
        trail.iter().map(|other| (other.seats.single().expect("one seat").index(), other.world)).collect();
    assert_eq!(steps, [(1, [2, 1, 0])], "seat 1 cannot tell where `a` is");
}

#[test]
fn problems_have_their_places_and_near_names() {
    let toy = Toy::new();
    let problem = |text: &str| {
        let problems = read(&toy, text).expect_err(text);
        let p = &problems[0];
        (p.span.start, p.message.clone(), p.help.clone().unwrap_or_default())
    };
    let (at, message, help) = problem("has(0,a) & hass(1,a)");
    assert_eq!(
        (at, message.as_str(), help.as_str()),
        (11, "unknown name `hass(1,a)`", "did you mean `has(seat,card)`?")
    );
    assert_eq!(problem("K[1] has(1,d)").0, 5);
    assert_eq!(problem("K[1] has(7,a)").1, "there is no seat `7`");
    assert_eq!(problem("[hide 1] has(1,a)").1, "`hide 1` is no move");
    assert_eq!(problem("has(1)").2, "it is written `has(seat,card)`");
    assert!(problem("AG has(1,a)").1.contains("at other times"));
    assert!(read(&toy, "K[3] odd").is_err() && read(&toy, "[show 1 odd").is_err() && read(&toy, "has(1,a").is_err());
    assert_eq!(read(&toy, "hass(1,a) | has(7,a) | [hide 1] odd").expect_err("three").len(), 3);
    assert!(read(&toy, "[] odd").expect_err("no move")[0].message.contains("missing"));
}

#[test]
fn facts_are_said_in_words() {
    let toy = Toy::new();
    let say = |text: &str| words(&toy, &read(&toy, text).expect("a fact"), &Voice::to(Seat(0)));
    for (text, expected) in [
        ("K[1] has(0,a)", "seat 1 knows that you have a"),
        ("!K[0] !has(1,a)", "you consider it possible that seat 1 has a"),
        ("!K[1] K[0] has(2,b)", "seat 1 does not know that you know that seat 2 has b"),
        ("Kw[2] has(0,a)", "seat 2 knows whether you have a"),
        ("E[all] has(0,a)", "everybody knows that you have a"),
        ("E[1,2] has(0,a)", "each of seat 1 and seat 2 knows that you have a"),
        ("D[1,2] has(0,a)", "seat 1 and seat 2 together know that you have a"),
        ("!C[all] has(0,a)", "it is not common knowledge that you have a"),
        ("C[0,2] has(0,a)", "it is common knowledge among you and seat 2 that you have a"),
        ("[show 1] K[1] has(0,a)", "after `show 1`, whatever happens, seat 1 knows that you have a"),
        ("!(has(0,a) & has(1,b))", "you do not have a or seat 1 does not have b"),
        ("has(1,a) <-> (has(2,b) | has(2,a))", "seat 1 has a if and only if (seat 2 has b or seat 2 has a)"),
    ] {
        assert_eq!(say(text), expected, "{text}");
    }
}
