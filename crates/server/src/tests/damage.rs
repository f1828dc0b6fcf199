//! Matches that are damaged in the database: they say so, and nobody else notices.

use super::*;
use ken_games::list::GAMES;
use ken_games::record::Record;
use rusqlite::{Connection, params};

const ME: u8 = 1;
const STRANGER: u8 = 2;

fn two() -> Value {
    json!([{"kind": "me"}, {"kind": "me"}])
}

/// A table of each game that one person plays at all seats.
fn tables() -> [(&'static str, Value); 4] {
    let me = json!({"kind": "me"});
    [("cluedo", two()), ("express", json!([me, me, me])), ("eleusis", json!([me, me, me])), ("yokai", two())]
}

/// An action that does not end the match.
fn onward(desk: &Value, turn: usize) -> String {
    let mut desk = desk.clone();
    let ends = |option: &Value| option.as_str().is_some_and(|o| o.starts_with("accuse") || o == "stop");
    desk["options"].as_array_mut().unwrap().retain(|option| !ends(option));
    choice(&desk, turn)
}

/// Plays so many moves of a match whose seats are all the person's.
async fn moves(app: &Arc<App>, id: &str, many: usize) {
    for turn in 0..many {
        let Some(seat) = get(app, ME, &format!("/api/matches/{id}")).await["turn"].as_u64() else { return };
        let desk = wait(app, ME, id, seat as u8).await;
        play(app, ME, id, seat as u8, &desk, &onward(&desk, turn)).await;
    }
}

async fn resign(app: &Arc<App>, id: &str) {
    let revision = get(app, ME, &format!("/api/matches/{id}")).await["revision"].clone();
    post(app, ME, &format!("/api/matches/{id}/seats/0/resign"), json!({"revision": revision})).await;
}

#[tokio::test]
async fn a_branch_of_every_game_is_listed_outlives_a_restart_and_is_played_on() {
    let folder = Folder::new();
    let mut app = open(&folder.0);
    for (game, seats) in tables() {
        let id = begin(&app, ME, game, seats.clone(), json!({})).await;
        moves(&app, &id, 8).await;
        resign(&app, &id).await;
        let from = json!({"events": 6, "seats": seats, "helper": 3});
        let begun = post(&app, ME, &format!("/api/matches/{id}/branch"), from).await;
        let branch = begun["id"].as_str().unwrap();
        let before = get(&app, ME, &format!("/api/matches/{branch}")).await;
        assert_eq!(before["events"], 6, "{game}");
        for restarted in [false, true] {
            if restarted {
                app.store.close();
                app = open(&folder.0);
            }
            let list = get(&app, ME, "/api/matches").await;
            let listed = list.as_array().unwrap().iter().find(|m| m["id"] == branch).expect("the branch is listed");
            let you = vec!["you"; seats.as_array().unwrap().len()];
            assert_eq!((&listed["game"], &listed["players"]), (&json!(game), &json!(you)));
            assert_eq!((&listed["damaged"], &listed["moves"]), (&Value::Null, &json!(5)), "{game}");
        }
        assert_eq!(get(&app, ME, &format!("/api/matches/{branch}")).await, before, "{game}: as before the restart");
        moves(&app, branch, 2).await;
        resign(&app, branch).await;
        let record = Record::from_data(&get(&app, ME, &format!("/api/matches/{branch}/record")).await).unwrap();
        assert_eq!(record.branch.as_ref().map(|b| (b.origin.as_str(), b.at)), Some((id.as_str(), 5)), "{game}");
        assert!(record.entries.len() > 5 && GAMES.replay(&record).is_ok(), "{game}");
    }
}

/// Ways to damage a match: what, the value that is written, and what is said about it.
type Harms = &'static [(&'static str, &'static str, &'static str)];

/// The setup of a match that has four moves.
const SETUPS: Harms = &[
    ("no json", "'{\"game\": \"cluedo\", '", "its setup cannot be read"),
    ("another json", "'[7]'", "its setup cannot be read"),
    ("a number", "7", "its setup cannot be read"),
    ("bytes", "x'ff00fe'", "its setup cannot be read"),
    ("no text", "CAST(x'7b22ff22' AS TEXT)", "its setup cannot be read"),
    ("half a setup", "substr(setup, 1, length(setup) / 2)", "its setup cannot be read"),
    ("no seed", "json_remove(setup, '$.seed')", "its setup cannot be read"),
    ("players of another kind", "json_set(setup, '$.players', 5)", "its setup cannot be read"),
    ("an unknown game", "json_set(setup, '$.game', 'chess')", "its game, its options or a player are unknown"),
    ("unknown options", "json_set(setup, '$.options', json('{\"players\": 99}'))", "its game, its options or a player"),
    ("a later version", "json_set(setup, '$.version', 2)", "a later version"),
    ("a branch beyond the log", "json_set(setup, '$.branch', json('{\"origin\": \"x\", \"at\": 9}'))", "move 5 of"),
];

const RESULTS: Harms = &[
    ("no json", "'won'", "its result cannot be read"),
    ("an empty result", "'{}'", "its result cannot be read"),
    ("a number", "1", "its result cannot be read"),
    (
        "an end that is not reached",
        "'{\"scores\": [1, 0], \"words\": \"seat 0 won\"}'",
        "the end of its log is missing",
    ),
];

/// Whole statements.
const OTHERS: Harms = &[
    ("an unreadable entry", "UPDATE entries SET entry = 'fly to the moon' WHERE match = ? AND n = 2", "move 3 of"),
    ("an illegal entry", "UPDATE entries SET entry = 'end' WHERE match = ? AND n = 0", "move 1 of"),
    ("an entry of bytes", "UPDATE entries SET entry = x'ff' WHERE match = ? AND n = 1", "move 2 of"),
    ("an entry of a number", "UPDATE entries SET entry = CAST(7 AS BLOB) WHERE match = ? AND n = 1", "move 2 of"),
    ("a missing entry", "DELETE FROM entries WHERE match = ? AND n = 1", "move 2 of"),
    ("a renumbered entry", "UPDATE entries SET n = 'x' WHERE match = ? AND n = 3", "move 4 of"),
    ("no seats", "DELETE FROM seats WHERE match = ?", "who sits where"),
    ("a seat too few", "DELETE FROM seats WHERE match = ? AND seat = 1", "who sits where"),
    ("a seat renumbered", "UPDATE seats SET seat = 9 WHERE match = ? AND seat = 1", "who sits where"),
    ("an unknown sitter", "UPDATE seats SET kind = 'ghost' WHERE match = ? AND seat = 1", "who sits where"),
    ("an owner cut short", "UPDATE matches SET owner = x'01' WHERE id = ?", "who sits where"),
];

/// What may stand where the holder of a seat belongs.
const HOLDERS: Harms = &[
    ("cut short", "x'0102'", "who sits where"),
    ("no bytes", "x''", "who sits where"),
    ("a text", "'me'", "who sits where"),
    ("the same as text", "CAST(holder AS TEXT)", "who sits where"),
    ("a number", "7", "who sits where"),
    ("a fraction", "0.5", "who sits where"),
    ("nothing", "NULL", "who sits where"),
];

/// All of them as statements with a place for the name of the match.
fn harms() -> Vec<(&'static str, String, &'static str)> {
    let kinds = [
        (SETUPS, "UPDATE matches SET setup = {} WHERE id = ?"),
        (RESULTS, "UPDATE matches SET result = {} WHERE id = ?"),
        (OTHERS, "{}"),
        (HOLDERS, "UPDATE seats SET holder = {} WHERE match = ? AND seat = 1"),
    ];
    kinds
        .iter()
        .flat_map(|(harms, sql)| harms.iter().map(|(w, value, said)| (*w, sql.replace("{}", value), *said)))
        .collect()
}

/// Damage that can be lived with: what is unreadable is not needed to play.
const SCRATCHES: &[&str] = &[
    "UPDATE matches SET touched = 'yesterday' WHERE id = ?",
    "UPDATE matches SET seeded = 'perhaps' WHERE id = ?",
    "UPDATE seats SET notes = 7, consent = 'yes', invite = x'00' WHERE match = ? AND seat = 0",
    "UPDATE seats SET notes = '{' WHERE match = ?",
    "UPDATE entries SET at = 'noon' WHERE match = ?",
];

#[tokio::test]
async fn one_damaged_match_takes_down_neither_the_list_nor_the_start_nor_another_match() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let harms = harms();
    let sound = begin(&app, ME, "cluedo", two(), json!({})).await;
    let mut ids = Vec::new();
    for _ in 0..harms.len() + SCRATCHES.len() {
        let id = begin(&app, ME, "cluedo", two(), json!({})).await;
        moves(&app, &id, 4).await;
        ids.push(id);
    }
    app.store.close();
    drop(app);
    let (harmed, scratched) = ids.split_at(harms.len());
    let database = Connection::open(folder.0.join("ken.sqlite")).unwrap();
    for (id, (what, sql, _)) in harmed.iter().zip(&harms) {
        assert!(database.execute(sql, params![id]).unwrap() > 0, "{what}");
    }
    for (n, (id, sql)) in scratched.iter().zip(SCRATCHES).enumerate() {
        // An invitation is there once only.
        let sql = sql.replace("x'00'", &format!("x'0{n}'"));
        assert!(database.execute(&sql, params![id]).unwrap() > 0, "{sql}");
    }
    database.execute("INSERT INTO shares (code, match, seat) VALUES ('c', ?, 'first')", params![sound]).unwrap();
    database.execute("INSERT INTO shares (code, match, seat) VALUES ('d', ?, 77)", params![sound]).unwrap();
    drop(database);

    let app = open(&folder.0);
    let list = get(&app, ME, "/api/matches").await;
    let listed = |id: &str| list.as_array().unwrap().iter().find(|m| m["id"] == id).cloned();
    for (id, (what, _, said)) in harmed.iter().zip(&harms) {
        let damaged = listed(id).unwrap_or_else(|| panic!("{what}: it is not listed"))["damaged"].clone();
        assert!(damaged.as_str().is_some_and(|d| d.starts_with(said)), "{what}: {damaged}");
        for path in ["", "/seats/0", "/record", "/all", "/invites", "/live"] {
            let (status, problem) = call(&app, ME, "GET", &format!("/api/matches/{id}{path}"), None).await;
            assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("damaged")), "{what}: {path}");
        }
    }
    for id in scratched.iter().chain([&sound]) {
        assert_eq!(listed(id).unwrap()["damaged"], Value::Null, "{id}");
        moves(&app, id, 1).await;
        let (status, problem) = call(&app, ME, "GET", &format!("/api/matches/{id}/saved"), None).await;
        assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("whole")));
    }
    for code in ["c", "d"] {
        assert_eq!(call(&app, ME, "GET", &format!("/api/shared/{code}"), None).await.0, StatusCode::NOT_FOUND);
    }
    assert_eq!(call(&app, ME, "GET", "/api/matches/none/saved", None).await.0, StatusCode::NOT_FOUND);
    begin(&app, ME, "yokai", two(), json!({})).await;
}

#[tokio::test]
async fn a_match_whose_only_holder_cannot_be_read_is_listed_for_whoever_began_it() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "friend"}]);
    let mut ids = Vec::new();
    for _ in 0..=HOLDERS.len() {
        ids.push(begin(&app, ME, "cluedo", seats.clone(), json!({})).await);
    }
    let others = begin(&app, STRANGER, "cluedo", seats, json!({})).await;
    app.store.close();
    drop(app);
    let database = Connection::open(folder.0.join("ken.sqlite")).unwrap();
    let harm = |id: &str, value: &str| {
        let sql = format!("UPDATE seats SET holder = {value} WHERE match = ? AND seat = 0");
        assert_eq!(database.execute(&sql, params![id]).unwrap(), 1);
    };
    for (id, (_, value, _)) in ids.iter().zip(HOLDERS) {
        harm(id, value);
    }
    harm(&others, "7");
    // The one who began it is a text of the same bytes.
    database.execute("UPDATE matches SET owner = CAST(owner AS TEXT) WHERE id = ?", params![ids[0]]).unwrap();
    drop(database);

    let app = open(&folder.0);
    let list = get(&app, ME, "/api/matches").await;
    let listed = list.as_array().unwrap();
    assert_eq!(listed.len(), ids.len(), "each is listed, and none of somebody else");
    for (n, id) in ids.iter().enumerate() {
        let found = listed.iter().find(|m| m["id"] == **id).unwrap_or_else(|| panic!("{:?} is not listed", HOLDERS[n]));
        let said = found["damaged"].as_str().unwrap_or("it is whole");
        assert_eq!(
            (said, &found["game"]),
            (HOLDERS.get(n).map_or("it is whole", |_| "who sits where cannot be read"), &json!("cluedo"))
        );
    }
}

#[tokio::test]
async fn a_match_whose_seats_are_lost_promises_nothing_that_can_be_saved() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "friend"}]);
    let lost = begin(&app, ME, "cluedo", seats.clone(), json!({})).await;
    let held = begin(&app, ME, "cluedo", seats, json!({})).await;
    app.store.close();
    drop(app);
    let database = Connection::open(folder.0.join("ken.sqlite")).unwrap();
    database.execute("DELETE FROM seats WHERE match = ?", params![lost]).unwrap();
    database.execute("DELETE FROM seats WHERE match = ? AND seat = 1", params![held]).unwrap();
    drop(database);

    let app = open(&folder.0);
    for path in ["", "/saved"] {
        let (status, problem) = call(&app, ME, "GET", &format!("/api/matches/{lost}{path}"), None).await;
        assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("damaged")), "{path}");
        let help = problem["help"].as_str().unwrap();
        assert!(help.contains("nothing of this one can be saved") && help.contains("secret"), "{path}: {help}");
        assert!(!help.contains("…/saved"), "{path}: {help}");
    }
    let (_, problem) = call(&app, ME, "GET", &format!("/api/matches/{held}"), None).await;
    assert!(problem["help"].as_str().unwrap().contains("…/saved of this one gives whoever holds a seat"), "{problem}");
    assert_eq!(call(&app, ME, "GET", &format!("/api/matches/{held}/saved"), None).await.0, StatusCode::OK);
    let (status, problem) = call(&app, STRANGER, "GET", &format!("/api/matches/{held}/saved"), None).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(problem["message"].as_str().unwrap().starts_with("only those who hold a seat"), "{problem}");
}

#[tokio::test]
async fn a_damaged_match_is_listed_in_words_of_ours_and_quotes_nothing_that_is_stored() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "machine", "player": "elimination"}]);
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(begin(&app, ME, "cluedo", seats.clone(), json!({})).await);
    }
    app.store.close();
    drop(app);
    let database = Connection::open(folder.0.join("ken.sqlite")).unwrap();
    let harms = [
        "UPDATE matches SET setup = json_set(setup, '$.game', '<script>chess')",
        "UPDATE matches SET setup = json_set(setup, '$.players[1]', '<script>bot')",
        "UPDATE matches SET result = '{\"scores\": [1, 0], \"words\": \"<script>won\"}'",
    ];
    for (id, sql) in ids.iter().zip(harms) {
        assert_eq!(database.execute(&format!("{sql} WHERE id = ?"), params![id]).unwrap(), 1);
    }
    drop(database);

    let app = open(&folder.0);
    let list = get(&app, ME, "/api/matches").await;
    assert!(!list.to_string().contains("script"), "{list}");
    let listed = |id: &str| list.as_array().unwrap().iter().find(|m| m["id"] == id).unwrap();
    assert!(ids.iter().all(|id| listed(id)["damaged"].is_string()), "{list}");
    assert_eq!(listed(&ids[0])["game"], "");
    assert_eq!((&listed(&ids[1])["game"], &listed(&ids[1])["players"]), (&json!("cluedo"), &json!(["you", "machine"])));
    assert_eq!(listed(&ids[2])["ended"], "over");
}

#[tokio::test]
async fn what_can_be_saved_of_a_damaged_match_goes_to_those_who_may_see_it() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let going = begin(&app, ME, "cluedo", json!([{"kind": "me"}, {"kind": "friend"}]), json!({})).await;
    let over = begin(&app, ME, "cluedo", two(), json!({})).await;
    let desk = wait(&app, ME, &going, 0).await;
    play(&app, ME, &going, 0, &desk, &choice(&desk, 0)).await;
    moves(&app, &over, 5).await;
    resign(&app, &over).await;
    let whole = get(&app, ME, &format!("/api/matches/{over}/record")).await;
    app.store.close();
    drop(app);
    let database = Connection::open(folder.0.join("ken.sqlite")).unwrap();
    database.execute("INSERT INTO entries VALUES (?, 1, 'fly', 0)", params![going]).unwrap();
    database.execute("UPDATE entries SET entry = 'fly' WHERE match = ? AND n = 3", params![over]).unwrap();
    drop(database);

    let app = open(&folder.0);
    let saved = |who: u8, id: &str| {
        let (app, path) = (Arc::clone(&app), format!("/api/matches/{id}/saved"));
        async move { call(&app, who, "GET", &path, None).await }
    };
    assert_eq!(saved(STRANGER, &going).await.0, StatusCode::FORBIDDEN, "while it goes on it is not for strangers");
    let (status, mine) = saved(ME, &going).await;
    assert_eq!((status, &mine["record"], &mine["entries"]), (StatusCode::OK, &Value::Null, &json!(1)));
    let sights = mine["sights"].as_array().unwrap();
    assert_eq!((sights.len(), &sights[0]["seat"]), (1, &json!(0)));
    assert_eq!(sights[0]["sights"].as_array().unwrap().len(), 2, "what was seen before the damage");
    assert!(!mine.to_string().contains("seed"), "the deal stays hidden");

    let (status, all) = saved(STRANGER, &over).await;
    assert_eq!((status, &all["entries"]), (StatusCode::OK, &json!(3)));
    let record = Record::from_data(&all["record"]).unwrap();
    assert!(GAMES.replay(&record).is_ok());
    assert_eq!(record.to_data()["entries"].as_array().unwrap()[..], whole["entries"].as_array().unwrap()[..3]);
}
