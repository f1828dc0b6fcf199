//! Giving a match up.

use super::*;
use ken_games::list::GAMES;
use ken_games::record::Record;

const ME: u8 = 1;
const STRANGER: u8 = 2;

/// A table of each game with one person and machines.
fn tables() -> [(&'static str, Value); 4] {
    let with = |players: &[&str]| -> Value {
        let machines = players.iter().map(|p| json!({"kind": "machine", "player": p}));
        std::iter::once(json!({"kind": "me"})).chain(machines).collect()
    };
    [
        ("cluedo", with(&["inquirer", "elimination"])),
        ("express", with(&["careful", "careful"])),
        ("eleusis", with(&["careful", "careful"])),
        ("yokai", with(&["paper"])),
    ]
}

#[tokio::test]
async fn a_person_can_resign_every_game_and_everything_is_open_then() {
    let folder = Folder::new();
    let mut app = open(&folder.0);
    for (game, seats) in tables() {
        let id = begin(&app, ME, game, seats.clone(), json!({})).await;
        let desk = wait(&app, ME, &id, 0).await;
        play(&app, ME, &id, 0, &desk, &choice(&desk, 0)).await;
        let desk = wait(&app, ME, &id, 0).await;
        let path = format!("/api/matches/{id}/seats/0/resign");
        let decided = json!({"revision": desk["revision"]});
        let (status, _) = call(&app, STRANGER, "POST", &path, Some(decided.clone())).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{game}: not somebody else's seat");
        let old = json!({"revision": desk["revision"].as_u64().unwrap() + 1});
        let (status, problem) = call(&app, ME, "POST", &path, Some(old)).await;
        assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("outdated")), "{game}");
        let (status, _) = call(&app, STRANGER, "GET", &format!("/api/matches/{id}/record"), None).await;
        assert_eq!(status, StatusCode::CONFLICT, "{game}: nothing is told before the end");
        let moved = post(&app, ME, &path, decided.clone()).await;
        assert!(moved["revision"].as_u64() > desk["revision"].as_u64(), "{game}: pages hear of it");
        app.store.close();
        app = open(&folder.0);
        let after = get(&app, ME, &format!("/api/matches/{id}/seats/0")).await;
        let ended = &after["ended"];
        assert_eq!((&ended["words"], &ended["resigned"]), (&json!("seat 0 resigned"), &json!(true)), "{game}");
        assert_eq!((&ended["forfeit"], &after["turn"]), (&json!(0), &Value::Null), "{game}");
        assert_eq!(after["revision"], moved["revision"], "{game}: also after a restart");
        let (status, problem) = call(&app, ME, "POST", &path, Some(decided)).await;
        assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("over")), "{game}");
        let record = Record::from_data(&get(&app, STRANGER, &format!("/api/matches/{id}/record")).await).unwrap();
        assert!(record.result.as_ref().unwrap().is_resignation() && GAMES.replay(&record).is_ok(), "{game}");
        get(&app, STRANGER, &format!("/api/matches/{id}/all")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_resigns_while_a_machine_thinks_ends_the_match_at_once_and_the_machine_adds_nothing() {
    let folder = Folder::new();
    let app = open(&folder.0);
    for turn in 0..8 {
        let seats = json!([{"kind": "me"}, {"kind": "machine", "player": "inquirer"}, {"kind": "machine", "player": "inquirer"}]);
        let id = begin(&app, ME, "cluedo", seats, json!({"seed": turn.to_string()})).await;
        let desk = wait(&app, ME, &id, 0).await;
        let moved = play(&app, ME, &id, 0, &desk, &choice(&desk, turn)).await;
        tokio::time::sleep(Duration::from_millis(3 * turn as u64)).await;
        let path = format!("/api/matches/{id}/seats/0/resign");
        let mut revision = moved["revision"].clone();
        loop {
            let (status, answer) = call(&app, ME, "POST", &path, Some(json!({"revision": revision}))).await;
            match status {
                StatusCode::OK => break,
                // The machines were quicker: the newer page is resigned.
                StatusCode::CONFLICT => revision = answer["revision"].clone(),
                _ => panic!("{status} {answer}"),
            }
        }
        let over = get(&app, ME, &format!("/api/matches/{id}")).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(get(&app, ME, &format!("/api/matches/{id}")).await, over);
        let record = Record::from_data(&get(&app, ME, &format!("/api/matches/{id}/record")).await).unwrap();
        assert!(GAMES.replay(&record).is_ok(), "nothing follows the end");
    }
}
