//! People and machines at one table: what the machine says, why it did something, and what the inspector assumes.

use super::*;

const ME: u8 = 1;

#[tokio::test]
async fn a_partner_says_how_it_plays_and_tells_its_whole_reason_only_at_the_end() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "machine", "player": "conventional"}, {"kind": "me"}]);
    let id = begin(&app, ME, "yokai", seats, json!({"options": {"convention": "natural"}})).await;
    let desk = wait(&app, ME, &id, 1).await;
    assert_eq!(desk["seats"][0]["says"].as_array().map(Vec::len), Some(2), "two sentences");
    assert_eq!(desk["seats"][1]["says"], json!([]), "a person announces nothing");
    let usual: Vec<&Value> = desk["assumptions"].as_array().unwrap().iter().filter(|a| a["usual"] == true).collect();
    assert_eq!(usual.len(), 1);
    assert_eq!(usual[0]["name"], "natural", "what was agreed on is assumed");
    let path = format!("/api/matches/{id}/seats/1");
    let reason = get(&app, ME, &format!("{path}/reason?event=1")).await;
    assert_eq!((&reason["whole"], &reason["seat"]), (&json!(false), &json!(0)));
    let (status, problem) = call(&app, ME, "GET", &format!("{path}/reason?event=0"), None).await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("no-reason")));
    let plain = get(&app, ME, &format!("{path}/know?assume=hints")).await;
    let agreed = get(&app, ME, &format!("{path}/know")).await;
    assert!(agreed["note"].as_str().is_some_and(|note| note.starts_with("As certain as the hints and the natural")));
    assert!(plain["note"].is_null(), "before the first mark nothing rests on hints: {}", plain["note"]);
    let (status, _) = call(&app, ME, "GET", &format!("{path}/know?assume=telepathy"), None).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    post(&app, ME, &format!("{path}/resign"), json!({"revision": desk["revision"]})).await;
    let reason = get(&app, ME, &format!("{path}/reason?event=1")).await;
    assert_eq!(reason["whole"], true, "everything afterwards");
    assert!(reason["lines"][0].as_str().is_some_and(|line| line.starts_with("look ")), "{reason}");
}
