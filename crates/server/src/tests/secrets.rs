//! Nobody learns what they may not: matches that look the same to a seat give the same bytes.
//!
//! A recorded match is put beside a *twin*: another deal (or another secret rule) under which the same seat saw exactly
//! the same. Everything that a seat, or somebody at no seat, can ask for is asked at both tables, and every byte of the
//! answers must be equal. Whatever differs would tell the seat something that its sights do not.

use super::*;
use crate::store::{Kind, Stored, StoredSeat};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Notation, Seat, Turn, View};
use ken_games::record::{Entry, Match, Record};
use sha2::{Digest, Sha256};

const ID: &str = "0123456789abcdef01234567";

/// How many twins are compared for each game, unless `KEN_CASES` asks for more.
const TWINS: usize = 12;

fn wanted() -> usize {
    std::env::var("KEN_CASES").ok().and_then(|n| n.parse::<usize>().ok()).map_or(TWINS, |n| (n / 20).max(TWINS))
}

/// A match of random play, stopped somewhere.
fn some_match<G: Notation>(game: &G, seed: u64, most: usize) -> (Match<G>, Vec<String>) {
    let mut dice = Dice::new(mix(seed, 99));
    let mut played = Match::deal(game.clone(), seed);
    let mut texts = Vec::new();
    for _ in 0..1 + dice.below(most) {
        if matches!(played.turn(), Turn::Over(_)) {
            break;
        }
        let action = dice.pick(&game.legal(played.state())).clone();
        if played.play(&action).is_err() {
            break;
        }
        texts.push(game.write(&action));
        if matches!(played.turn(), Turn::Over(_)) {
            played = Match::deal(game.clone(), seed);
            texts.pop();
            for text in &texts {
                played.play(&game.read(text).unwrap()).unwrap();
            }
            break;
        }
    }
    (played, texts)
}

/// A match with another truth in which the seat saw the same: another seed, or other hidden actions.
fn twin<G: Notation>(
    game: &G,
    seat: Seat,
    memory: &[G::Sight],
    seed: u64,
    choices: u64,
) -> Option<(Match<G>, Vec<String>)> {
    let mut dice = Dice::new(choices);
    let mut other = Match::deal(game.clone(), seed);
    let mut texts = Vec::new();
    if game.sight(&other.events()[0], seat) != memory[0] {
        return None;
    }
    for sight in &memory[1..] {
        let gives =
            |a: &G::Action| game.play(&mut other.state().clone(), a).is_ok_and(|e| game.sight(&e, seat) == *sight);
        let fit: Vec<G::Action> = game.legal(other.state()).into_iter().filter(gives).collect();
        if fit.is_empty() {
            return None;
        }
        let action = dice.pick(&fit).clone();
        texts.push(game.write(&action));
        other.play(&action).unwrap();
    }
    Some((other, texts))
}

/// The application with this match stored under a fixed name; client `n` holds seat `n`.
async fn hosted<G: Notation>(game: &G, seed: u64, texts: &[String]) -> (Folder, Arc<App>) {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = game.seats();
    let mut record = Record::new(game, vec!["person".to_string(); seats as usize], seed);
    record.helpers = vec![4; seats as usize];
    record.entries = texts.iter().map(|t| Entry::Play(t.clone())).collect();
    let seat = |n: u8| StoredSeat {
        kind: Kind::Person,
        holder: Some(Sha256::digest(token(n).as_bytes()).into()),
        invite: None,
        consent: None,
        notes: "{}".to_string(),
    };
    let stored = Stored { id: ID.into(), record, owner: [0; 32], seeded: false, seats: (0..seats).map(seat).collect() };
    app.store.create(stored).await.unwrap();
    (folder, app)
}

/// Everything that somebody can ask about a match.
fn questions(
    seat: Seat,
    revision: usize,
    facts: &[&str],
    previews: &[&str],
) -> Vec<(&'static str, String, Option<Value>)> {
    let path = format!("/api/matches/{ID}/seats/{seat}");
    let get = |path: String| ("GET", path, None);
    let mut all = vec![
        get(format!("/api/matches/{ID}")),
        get(path.clone()),
        get(format!("{path}?at=1")),
        get(format!("{path}?at=2")),
        get(format!("{path}/know")),
        get(format!("{path}/know?chain={seat},{}", (seat.0 + 1) % 2)),
        get(format!("{path}/timeline")),
        get(format!("{path}/know?assume=natural")),
        get(format!("{path}/why?fact=grouped&assume=natural")),
        get(format!("{path}/reason?event=1")),
        get(format!("{path}/reason?event=3")),
        get(format!("{path}/reason?event={revision}")),
        get(format!("{path}/advice?step=1")),
        get(format!("{path}/advice?step=3")),
        get(format!("/api/matches/{ID}/saved")),
        get(format!("/api/matches/{ID}/record")),
        get(format!("/api/matches/{ID}/all")),
        get(format!("/api/matches/{ID}/seats/{}", (seat.0 + 1) % 2)),
        ("POST", format!("{path}/undo"), Some(json!({"revision": revision}))),
        ("POST", format!("{path}/resign"), Some(json!({"revision": revision + 1}))),
    ];
    all.extend(facts.iter().map(|fact| get(format!("{path}/why?fact={fact}"))));
    let moves = ["show", "play 7C", "look 5", "move 3 0,0", "end", "nonsense"];
    let previews = previews.iter().chain(&moves);
    all.extend(previews.map(|a| ("POST", format!("{path}/preview"), Some(json!({"action": a})))));
    all
}

/// Compares what a seat is told in pairs of matches that it cannot tell apart.
async fn told_the_same<G: Notation + View>(game: &G, most: usize, other_deal: bool, facts: &[&str], previews: &[&str]) {
    let mut compared = 0;
    let mut seed = 0;
    while compared < wanted() {
        seed += 1;
        assert!(seed < 4_000, "only {compared} twins were found");
        let (one, texts) = some_match(game, seed, most);
        let seat = Seat((seed % u64::from(game.seats())) as u8);
        let memory = one.memory(seat);
        let found = (0..3_000).find_map(|part| {
            let choices = mix(seed, 1_000 + part);
            let deal = if other_deal { choices } else { seed };
            let (other, texts) = twin(game, seat, &memory, deal, choices)?;
            (other.events() != one.events()).then_some((deal, texts))
        });
        let Some((twin_seed, others)) = found else { continue };
        let (_a, left) = hosted(game, seed, &texts).await;
        let (_b, right) = hosted(game, twin_seed, &others).await;
        for (method, path, body) in questions(seat, texts.len(), facts, previews) {
            let a = bytes(&left, seat.0, method, &path, body.as_ref()).await;
            let b = bytes(&right, seat.0, method, &path, body.as_ref()).await;
            let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(a.0, b.0, "{method} {path} {body:?} of seed {seed}");
            assert!(
                a.1 == b.1,
                "{method} {path} {body:?} of seed {seed} tells twins apart:\n{}\n{}",
                shown(&a.1),
                shown(&b.1)
            );
        }
        compared += 1;
    }
}

#[tokio::test]
async fn a_seat_of_cluedo_is_told_nothing_that_it_did_not_see() {
    let deck = json!({"deck": {"suspects": ["plum", "green"], "weapons": ["rope", "dagger"], "rooms": ["hall", "study"]},
        "players": 2});
    let game = ken_games::cluedo::Cluedo::with_options(&deck).unwrap();
    let facts = ["env(plum)", "holds(1,rope)", "holds(0,hall)"];
    told_the_same(&game, 8, true, &facts, &["suggest plum rope hall", "show plum", "accuse plum rope hall"]).await;
}

#[tokio::test]
async fn a_seat_of_yokai_is_told_nothing_that_it_did_not_see() {
    let game = ken_games::yokai::Yokai::default();
    told_the_same(&game, 7, true, &["col(3,red)", "grouped"], &["look 3", "move 1 0,0", "activate", "stop"]).await;
}

#[tokio::test]
async fn a_player_of_express_is_told_nothing_of_the_rule_but_its_judgements() {
    let game = ken_games::eleusis::Express::with_options(&json!({"players": 3})).unwrap();
    let facts = ["accepts(7C)", "accepts(2D)"];
    told_the_same(
        &game,
        6,
        false,
        &facts,
        &["guess alternate red and black", "play 7C", "rule alternate red and black"],
    )
    .await;
}
