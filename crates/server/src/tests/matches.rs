//! Matches from the first request to the last, restarts, friends, branches, undo.

use super::*;
use crate::store::Loaded;
use ken_games::list::GAMES;
use ken_games::record::Record;

const ME: u8 = 1;
const FRIEND: u8 = 2;

fn with_machines(players: &[&str]) -> Value {
    let machines = players.iter().map(|p| json!({"kind": "machine", "player": p}));
    std::iter::once(json!({"kind": "me"})).chain(machines).collect()
}

/// Plays seat 0 to the end, stopping the server now and then.
async fn play_out(game: &str, players: &[&str], options: Value) {
    let folder = Folder::new();
    let mut app = open(&folder.0);
    let id = begin(&app, ME, game, with_machines(players), json!({"options": options})).await;
    let mut turn = 0;
    let desk = loop {
        let desk = wait(&app, ME, &id, 0).await;
        if !desk["ended"].is_null() {
            break desk;
        }
        play(&app, ME, &id, 0, &desk, &choice(&desk, turn)).await;
        turn += 1;
        assert!(turn < 2_000, "it does not end");
        if turn % 10 == 3 {
            // Whatever the machines are doing: what was acknowledged is on disk.
            let before = wait(&app, ME, &id, 0).await;
            app.store.close();
            app = open(&folder.0);
            let after = wait(&app, ME, &id, 0).await;
            assert_eq!(before, after, "the page is the same after a restart");
        }
    };
    assert_eq!(desk["at"], desk["of"]);
    let record = get(&app, FRIEND, &format!("/api/matches/{id}/record")).await;
    let record = Record::from_data(&record).unwrap();
    assert!(GAMES.replay(&record).is_ok(), "the record replays");
    assert_eq!(record.players[0], "person");
    let all = get(&app, FRIEND, &format!("/api/matches/{id}/all?at=2")).await;
    assert_eq!(all["log"].as_array().unwrap().len(), 2);
    assert_eq!(all["boards"].as_array().unwrap().len(), players.len() + 1);
    let timeline = get(&app, FRIEND, &format!("/api/matches/{id}/seats/1/timeline")).await;
    assert_eq!(timeline["lanes"].as_array().unwrap().len(), players.len() + 1, "all lanes when it is over");
}

#[tokio::test]
async fn cluedo_is_played_to_the_end_across_restarts() {
    play_out("cluedo", &["inquirer", "elimination"], json!({})).await;
}

#[tokio::test]
async fn express_is_played_to_the_end_across_restarts() {
    play_out("express", &["careful", "careful"], json!({})).await;
}

#[tokio::test]
async fn yokai_is_played_to_the_end_across_restarts() {
    play_out("yokai", &["paper"], json!({})).await;
}

#[tokio::test]
async fn a_friend_takes_a_seat_once_and_sees_only_that_seat() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "friend"}]);
    let begun = post(&app, ME, "/api/matches", json!({"game": "cluedo", "seats": seats, "helper": 2})).await;
    let (id, code) = (begun["id"].as_str().unwrap(), begun["invites"][0]["code"].as_str().unwrap());
    assert_eq!(get(&app, ME, &format!("/api/matches/{id}/invites")).await, begun["invites"]);
    let (status, _) = call(&app, FRIEND, "GET", &format!("/api/matches/{id}/invites"), None).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    let joined = post(&app, FRIEND, &format!("/api/join/{code}"), json!({})).await;
    assert_eq!(joined["seat"], 1);
    let (status, problem) = call(&app, 3, "POST", &format!("/api/join/{code}"), None).await;
    assert_eq!((status, problem["code"].as_str()), (StatusCode::NOT_FOUND, Some("no-invitation")));
    assert_eq!(get(&app, FRIEND, &format!("/api/matches/{id}/seats/1")).await["mine"], true);
    for (who, seat) in [(FRIEND, 0), (ME, 1), (3, 0)] {
        let (status, problem) = call(&app, who, "GET", &format!("/api/matches/{id}/seats/{seat}"), None).await;
        assert_eq!((status, problem["code"].as_str()), (StatusCode::FORBIDDEN, Some("not-your-seat")));
    }
    let mine = get(&app, FRIEND, "/api/matches").await;
    assert_eq!((&mine[0]["id"], &mine[0]["players"]), (&json!(id), &json!(["friend", "you"])));
    assert_eq!(get(&app, 3, "/api/matches").await, json!([]));
    let code = post(&app, FRIEND, &format!("/api/matches/{id}/seats/1/share"), json!({})).await;
    let shared = get(&app, 3, &format!("/api/shared/{}", code["code"].as_str().unwrap())).await;
    assert_eq!((&shared["seat"], &shared["mine"], &shared["options"]), (&json!(1), &json!(false), &json!([])));
}

#[tokio::test]
async fn an_end_of_turn_that_told_nobody_anything_can_be_taken_back() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let id = begin(&app, ME, "cluedo", seats, json!({})).await;
    let desk = wait(&app, ME, &id, 0).await;
    assert_eq!(desk["undo"], json!({"allowed": false, "why_not": "there is nothing to take back"}));
    play(&app, ME, &id, 0, &desk, desk["options"][0].as_str().unwrap()).await;
    let undo = format!("/api/matches/{id}/seats/0/undo");
    let (status, problem) = call(&app, ME, "POST", &undo, Some(json!({"revision": 1}))).await;
    assert_eq!((status, problem["code"].as_str()), (StatusCode::UNPROCESSABLE_ENTITY, Some("undo")));
    let show = get(&app, ME, &format!("/api/matches/{id}/seats/1")).await;
    if let Some(card) = show["options"].as_array().unwrap().first() {
        play(&app, ME, &id, 1, &show, card.as_str().unwrap()).await;
    }
    let desk = wait(&app, ME, &id, 0).await;
    play(&app, ME, &id, 0, &desk, "end").await;
    let ended = get(&app, ME, &format!("/api/matches/{id}/seats/0")).await;
    assert_eq!(ended["undo"]["allowed"], true);
    let revision = ended["revision"].as_u64().unwrap();
    let (status, problem) = call(&app, ME, "POST", &undo, Some(json!({}))).await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("unread")), "without a revision");
    let (status, problem) = call(&app, ME, "POST", &undo, Some(json!({"revision": revision - 1}))).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("outdated")), "from an older page");
    assert_eq!(problem["revision"], revision, "it says which page is the latest");
    assert_eq!(get(&app, ME, &format!("/api/matches/{id}/seats/0")).await, ended, "nothing was taken back");
    post(&app, ME, &undo, json!({"revision": revision})).await;
    let (status, _) = call(&app, ME, "POST", &undo, Some(json!({"revision": revision}))).await;
    assert_eq!(status, StatusCode::CONFLICT, "sent twice");
    let again = wait(&app, ME, &id, 0).await;
    assert_eq!(again["options"], desk["options"]);
    assert_eq!(again["log"], desk["log"]);
}

#[tokio::test]
async fn a_finished_match_can_be_branched_and_one_that_goes_on_cannot() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let id = begin(&app, ME, "yokai", seats.clone(), json!({})).await;
    let from = json!({"events": 2, "seats": seats, "helper": 3});
    let (status, problem) = call(&app, ME, "POST", &format!("/api/matches/{id}/branch"), Some(from.clone())).await;
    assert_eq!((status, problem["code"].as_str()), (StatusCode::CONFLICT, Some("not-over")));
    let desk = wait(&app, ME, &id, 0).await;
    play(&app, ME, &id, 0, &desk, "look 3").await;
    let branched = |desk: &Value| (desk["board"].clone(), desk["log"].clone());
    let first = get(&app, ME, &format!("/api/matches/{id}/seats/0")).await;
    play_to_stop(&app, &id).await;
    let begun = post(&app, ME, &format!("/api/matches/{id}/branch"), from).await;
    let again = get(&app, ME, &format!("/api/matches/{}/seats/0", begun["id"].as_str().unwrap())).await;
    assert_eq!(branched(&again), branched(&first));
    let table = get(&app, ME, &format!("/api/matches/{}", begun["id"].as_str().unwrap())).await;
    assert_eq!(table["branch"], json!({"origin": id, "at": 1}));
    assert_eq!(table["seeded"], true);
}

/// Plays both seats of a match of Yōkai until one may stop, and stops.
async fn play_to_stop(app: &Arc<App>, id: &str) {
    for turn in 0.. {
        let seat = get(app, ME, &format!("/api/matches/{id}")).await["turn"].as_u64();
        let Some(seat) = seat else { return };
        let desk = wait(app, ME, id, seat as u8).await;
        let stop = desk["options"].as_array().unwrap().iter().any(|o| o == "stop");
        let action = if stop { "stop".to_string() } else { choice(&desk, turn) };
        play(app, ME, id, seat as u8, &desk, &action).await;
    }
}

#[tokio::test]
async fn consent_and_notes_belong_to_the_seat() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let id = begin(&app, ME, "yokai", seats, json!({})).await;
    let path = format!("/api/matches/{id}/seats/0");
    let (status, _) = call(&app, ME, "POST", &format!("{path}/consent"), Some(json!({"agree": true}))).await;
    assert_eq!(status, StatusCode::CONFLICT, "while it goes on nobody can agree");
    let notes = json!({"marks": {"rope/1": "✓"}});
    let (status, kept) = call(&app, ME, "PUT", &format!("{path}/notes"), Some(notes.clone())).await;
    assert_eq!((status, &kept), (StatusCode::OK, &notes));
    app.store.close();
    let app = open(&folder.0);
    assert_eq!(get(&app, ME, &path).await["notes"], notes);
    play_to_stop(&app, &id).await;
    for seat in 0..2 {
        let agreed = post(&app, ME, &format!("/api/matches/{id}/seats/{seat}/consent"), json!({"agree": true})).await;
        assert_eq!(agreed, json!({"agree": true}));
    }
    assert_eq!(get(&app, FRIEND, &format!("/api/matches/{id}")).await["consent"], true);
    assert_eq!(get(&app, FRIEND, &path).await["notes"], json!({"marks": {}}), "notes are private even when it is over");
}

#[tokio::test]
async fn at_level_0_a_colour_is_told_in_the_turn_of_the_look_only() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let id = begin(&app, ME, "yokai", seats, json!({"helper": 0})).await;
    let path = format!("/api/matches/{id}/seats/0");
    let tells = |desk: &Value| {
        let lines = desk["log"].as_array().unwrap().iter().map(|l| l["text"].as_str().unwrap().to_string());
        lines.collect::<Vec<_>>().join("\n")
    };
    let colours = ["red", "green", "blue", "yellow"];
    for turn in 0.. {
        let desk = wait(&app, ME, &id, 0).await;
        if desk["log"].as_array().unwrap().len() == 2 {
            assert!(colours.iter().any(|c| tells(&desk).contains(c)), "in its turn a look is told with its colour");
        }
        play(&app, ME, &id, 0, &desk, &choice(&desk, turn)).await;
        if get(&app, ME, &format!("/api/matches/{id}")).await["turn"] == 1 {
            break;
        }
    }
    for at in ["", "?at=2"] {
        let desk = get(&app, ME, &format!("{path}{at}")).await;
        let looks: Vec<String> = tells(&desk).lines().filter(|l| l.contains("looks")).map(str::to_string).collect();
        assert_eq!(looks.len(), 2);
        assert!(!colours.iter().any(|c| looks.concat().contains(c)), "{looks:?}");
    }
}

#[tokio::test]
async fn at_level_0_what_came_after_ones_own_last_action_is_news_and_can_be_looked_at_move_by_move() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    let id = begin(&app, ME, "yokai", seats, json!({"helper": 0})).await;
    let (mut last, mut turn) = (0, 0);
    // A whole turn of seat 0, then one of seat 1.
    for seat in [0, 1] {
        while get(&app, ME, &format!("/api/matches/{id}")).await["turn"] == seat {
            let desk = wait(&app, ME, &id, seat).await;
            last = if seat == 0 { desk["of"].as_u64().unwrap() + 1 } else { last };
            play(&app, ME, &id, seat, &desk, &choice(&desk, turn)).await;
            turn += 1;
        }
    }
    let of = get(&app, ME, &format!("/api/matches/{id}/seats/0")).await["of"].as_u64().unwrap();
    assert!(last < of);
    for at in 1..=of {
        let shown = get(&app, ME, &format!("/api/matches/{id}/seats/0?at={at}")).await["at"].as_u64().unwrap();
        assert_eq!(shown, if at >= last { at } else { of }, "{at} of {of}, the last own action made it {last}");
    }
}

#[tokio::test]
async fn a_note_that_what_was_seen_excludes_is_refuted_and_one_that_may_be_true_is_not() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats =
        json!([{"kind": "me"}, {"kind": "machine", "player": "random"}, {"kind": "machine", "player": "random"}]);
    for helper in [0, 1] {
        let id = begin(&app, ME, "cluedo", seats.clone(), json!({"helper": helper})).await;
        let path = format!("/api/matches/{id}/seats/0");
        let board = get(&app, ME, &path).await["board"].clone();
        let held = board["hand"][0].as_str().unwrap();
        let cards = board["categories"].as_array().unwrap().iter().flat_map(|c| c["cards"].as_array().unwrap());
        let other = cards.map(|c| c.as_str().unwrap()).find(|c| !board["hand"].as_array().unwrap().contains(&json!(c)));
        let other = other.unwrap();
        let marks = json!({
            format!("{held}/1"): "✓", format!("{held}/2"): "✗", format!("{other}/1"): "✓", format!("{other}/2"): "?",
        });
        call(&app, ME, "PUT", &format!("{path}/notes"), Some(json!({"marks": marks}))).await;
        let desk = get(&app, ME, &path).await;
        let (refuted, unfounded) = match helper {
            0 => (json!([]), json!([])),
            _ => (json!([format!("{held}/1")]), json!([format!("{other}/1")])),
        };
        assert_eq!((&desk["refuted"], &desk["unfounded"]), (&refuted, &unfounded), "level {helper}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_is_cut_off_leaves_table_and_disk_the_same() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}]);
    for cut in 0..20 {
        let id = begin(&app, ME, "yokai", seats.clone(), json!({})).await;
        let path = format!("/api/matches/{id}/seats/0/moves");
        let chosen = json!({"action": "look 3", "revision": 0});
        let sent = call(&app, ME, "POST", &path, Some(chosen));
        // The caller hangs up: its request is dropped wherever it is.
        let _ = tokio::time::timeout(Duration::from_micros(100 * cut), sent).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        let desk = wait(&app, ME, &id, 0).await;
        let Ok(Some(Loaded::Whole(stored))) = app.store.load(&id) else { panic!("the match is there") };
        let stored = stored.record.entries.len() as u64;
        assert_eq!(desk["revision"], stored, "what is on disk is on the table");
        play(&app, ME, &id, 0, &desk, "look 5").await;
    }
}
