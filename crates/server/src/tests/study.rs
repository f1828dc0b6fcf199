//! Lessons, the lab, and what people's matches tell.

use super::*;

/// A match of Yōkai that its person stops at once.
async fn stopped(app: &Arc<App>, who: u8, seed: Value) -> String {
    let seats = json!([{"kind": "me"}, {"kind": "machine", "player": "random"}]);
    let id = begin(app, who, "yokai", seats, json!({"seed": seed, "helper": 0})).await;
    for turn in 0..200 {
        let desk = wait(app, who, &id, 0).await;
        if !desk["ended"].is_null() {
            return id;
        }
        let options = desk["options"].as_array().unwrap();
        let action = if options.contains(&json!("stop")) { "stop".to_string() } else { choice(&desk, turn) };
        play(app, who, &id, 0, &desk, &action).await;
    }
    panic!("the match does not end");
}

async fn consent(app: &Arc<App>, who: u8, id: &str, agree: bool) {
    post(app, who, &format!("/api/matches/{id}/seats/0/consent"), json!({"agree": agree})).await;
}

async fn records(app: &Arc<App>) -> String {
    let (status, bytes) = bytes(app, 9, "GET", "/api/study/records.jsonl", None).await;
    assert_eq!(status, StatusCode::OK);
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn matches_are_studied_only_with_consent_and_without_names() {
    let folder = Folder::new();
    let app = open(&folder.0);
    assert_eq!(get(&app, 1, "/api/study/report").await["matches"], 0);
    assert_eq!(records(&app).await, "");
    let agreed = stopped(&app, 1, Value::Null).await;
    let refused = stopped(&app, 2, Value::Null).await;
    let seeded = stopped(&app, 3, json!("5")).await;
    let silent = stopped(&app, 4, Value::Null).await;
    consent(&app, 1, &agreed, true).await;
    consent(&app, 2, &refused, false).await;
    consent(&app, 3, &seeded, true).await;

    let text = records(&app).await;
    assert_eq!(text.lines().count(), 1, "{text}");
    let record = ken_games::record::Record::from_text(text.trim()).unwrap();
    assert_eq!(record.players, ["person", "random"]);
    assert!(record.result.is_some() && ken_games::list::GAMES.replay(&record).is_ok());
    for name in [&agreed, &refused, &seeded, &silent, &token(1)] {
        assert!(!text.contains(name.as_str()));
    }
    let report = get(&app, 9, "/api/study/report").await;
    assert_eq!((&report["matches"], &report["unread"]), (&json!(1), &json!(0)));
    assert_eq!(report["lineups"], json!([{"label": "yokai: person with random", "matches": 1}]));
    let rows = report["rows"].as_array().unwrap();
    // The paper's people did not play with a random player.
    assert!(rows.iter().any(|r| r["metric"] == "wins" && r["paper"].is_null() && r["n"] == 1));
    // One game tells nothing about a mean: it may be whatever a score can be.
    let width = |r: &Value| r["high"].as_f64().zip(r["low"].as_f64()).map(|(high, low)| high - low);
    assert!(rows.iter().any(|r| r["metric"] == "score" && width(r).is_none_or(|width| width > 20.0)));
    let (status, page) = bytes(&app, 9, "GET", "/api/study/page", None).await;
    assert!(status == StatusCode::OK && String::from_utf8(page).unwrap().contains("<title>Matches</title>"));

    consent(&app, 1, &agreed, false).await;
    assert_eq!(records(&app).await, "");
}

#[tokio::test]
async fn lessons_are_listed_shown_and_checked() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let all = get(&app, 1, "/api/learn").await;
    assert!(all.as_array().unwrap().len() >= 8);
    for lesson in all.as_array().unwrap() {
        let id = lesson["id"].as_str().unwrap();
        let lesson = get(&app, 1, &format!("/api/learn/{id}")).await;
        assert!(lesson["blocks"][0]["kind"] == "text" && lesson["exercise"]["input"]["kind"].is_string());
    }
    let checked = post(&app, 1, "/api/learn/knowing/answer", json!({"answer": ["both", "second"]})).await;
    assert_eq!(checked["right"], true);
    let checked = post(&app, 1, "/api/learn/muddy/answer", json!({"answer": ["K[child(1)] mudy"]})).await;
    assert!(checked["right"] == false && !checked["marks"].as_array().unwrap().is_empty());
    for (path, body, status) in [
        ("/api/learn/nothing/answer", json!({"answer": ["x"]}), StatusCode::NOT_FOUND),
        ("/api/learn/muddy/answer", json!({"answer": 7}), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/learn/muddy/answer", json!([]), StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let (answered, problem) = call(&app, 1, "POST", path, Some(body)).await;
        assert!(answered == status && problem["message"].is_string(), "{path}: {answered} {problem}");
    }
    assert_eq!(call(&app, 1, "GET", "/api/learn/nothing", None).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_small_run_is_started_watched_and_reported() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let info = get(&app, 1, "/api/lab").await;
    assert!(info["experiments"].as_array().unwrap().len() > 5 && info["runs"] == json!([]));
    let (status, problem) =
        call(&app, 1, "POST", "/api/lab/runs", Some(json!({"experiment": "yokai-exploring", "games": 1_000_000})))
            .await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("games")));
    let (status, _) = call(&app, 1, "POST", "/api/lab/runs", Some(json!({"experiment": "../x", "games": 20}))).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);

    let run = post(&app, 1, "/api/lab/runs", json!({"experiment": "yokai-exploring", "games": 10})).await;
    let id = run["id"].as_str().unwrap();
    let (status, _) = call(&app, 2, "POST", &format!("/api/lab/runs/{id}/stop"), Some(json!({}))).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
    for _ in 0..600 {
        let report = get(&app, 1, &format!("/api/lab/runs/{id}")).await;
        if report["run"]["state"] == "done" {
            assert!(report["rows"].as_array().unwrap().iter().any(|row| !row["target"].is_null()));
            let (status, page) = bytes(&app, 2, "GET", &format!("/api/lab/runs/{id}/report"), None).await;
            assert!(status == StatusCode::OK && String::from_utf8(page).unwrap().contains("<svg"));
            assert_eq!(call(&app, 1, "GET", "/api/lab/runs/nothing/report", None).await.0, StatusCode::NOT_FOUND);
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the run does not end");
}
