//! Positions that are taken out of a match and asked about without it.

use super::*;

/// Every row of an inspection: its fact and verdict.
fn verdicts(inspection: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let rows = inspection["rows"].as_array().expect("rows");
    rows.iter().map(|row| (text(&row["fact"]), text(&row["verdict"]))).collect()
}

#[tokio::test]
async fn a_position_knows_without_its_match_what_the_seat_knows_in_it() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let (me, machine) = (json!({"kind": "me"}), |player: &str| json!({"kind": "machine", "player": player}));
    let games = [
        ("cluedo", json!([me, machine("random"), machine("random")]), json!({})),
        ("cluedo", json!([me, machine("exact"), machine("exact")]), json!({"options": {"endmove": "ignorance"}})),
        ("express", json!([me, machine("random"), machine("random")]), json!({})),
        ("eleusis", json!([me, machine("random"), machine("random")]), json!({})),
        ("yokai", json!([me, machine("random")]), json!({})),
    ];
    for (game, seats, more) in games {
        let id = begin(&app, 1, game, seats, more).await;
        for turn in 0..6 {
            let desk = wait(&app, 1, &id, 0).await;
            if !desk["ended"].is_null() {
                break;
            }
            play(&app, 1, &id, 0, &desk, &choice(&desk, turn)).await;
        }
        wait(&app, 1, &id, 0).await;
        let at = format!("/api/matches/{id}/seats/0");
        let taken = get(&app, 1, &format!("{at}/position")).await;
        assert!(taken["model"].is_string() != taken["no_model"].is_string(), "{game}");
        let question = |chain: Value, text: &str| json!({"game": game, "position": taken["position"], "chain": chain, "text": text});
        let placed = post(&app, 2, "/api/positions", question(json!([]), "")).await;
        assert_eq!(placed["seat"], 0, "{game}");
        for chain in ["0", "0,1"] {
            let seats: Vec<u8> = chain.split(',').map(|seat| seat.parse().unwrap()).collect();
            let here = get(&app, 1, &format!("{at}/know?chain={chain}")).await;
            let there = post(&app, 2, "/api/positions/know", question(json!(seats), "")).await;
            assert_eq!(verdicts(&there), verdicts(&here), "{game} {chain}");
            if let Some((fact, verdict)) = verdicts(&here).first() {
                let why = post(&app, 2, "/api/positions/why", question(json!(seats), fact)).await;
                assert_eq!((&why["verdict"], &why["since"]), (&json!(verdict), &Value::Null), "{game} {fact}");
            }
        }
    }
}

#[tokio::test]
async fn positions_are_given_to_those_who_may_ask_and_read_with_care() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "machine", "player": "random"}]);
    let plain = begin(&app, 1, "yokai", seats.clone(), json!({"helper": 0})).await;
    let helped = begin(&app, 1, "yokai", seats, json!({})).await;
    let path = |id: &str, seat: u8| format!("/api/matches/{id}/seats/{seat}/position");
    let status = async |who: u8, path: String| call(&app, who, "GET", &path, None).await.0;
    assert_eq!(status(1, path(&plain, 0)).await, StatusCode::FORBIDDEN, "it has to remember by itself");
    assert_eq!(status(1, path(&helped, 0)).await, StatusCode::OK);
    assert_ne!(status(2, path(&helped, 0)).await, StatusCode::OK, "a stranger");
    assert_ne!(status(1, path(&helped, 1)).await, StatusCode::OK, "the partner's");
    let wrong = [
        json!({"game": "chess", "position": "{}"}),
        json!({"game": "cluedo", "position": "{"}),
        json!({"game": "cluedo", "position": "[".repeat(20_000)}),
        json!({"game": "yokai", "position": "{}", "chain": [9]}),
        json!({"game": "express", "position": "null"}),
    ];
    for question in wrong {
        let (status, problem) = call(&app, 1, "POST", "/api/positions/know", Some(question.clone())).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{question} {problem}");
        assert!(problem["message"].as_str().is_some_and(|m| !m.is_empty()), "{question}");
    }
}
