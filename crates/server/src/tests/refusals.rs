//! What is refused, and in which words.

use super::*;
use axum::http::header::{CONTENT_SECURITY_POLICY, SET_COOKIE};

const ME: u8 = 1;

async fn refused(app: &Arc<App>, who: u8, path: &str, body: Value) -> (u16, String) {
    let (status, problem) = call(app, who, "POST", path, Some(body)).await;
    assert!(problem["message"].as_str().is_some_and(|m| !m.is_empty()), "{path}: no words: {problem}");
    (status.as_u16(), problem["code"].as_str().unwrap().to_string())
}

#[tokio::test]
async fn moves_that_are_illegal_outdated_forged_or_out_of_turn_change_nothing() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}, {"kind": "friend"}]);
    let id = begin(&app, ME, "cluedo", seats, json!({})).await;
    let desk = wait(&app, ME, &id, 0).await;
    let path = |seat: u8| format!("/api/matches/{id}/seats/{seat}/moves");
    let action = desk["options"][0].as_str().unwrap();
    let chosen = |action: &str, revision: u64| json!({"action": action, "revision": revision});
    let tries = [
        (ME, path(0), chosen("show rope", 0), 422, "illegal"),
        (ME, path(0), chosen("suggest plum rope", 0), 422, "illegal"),
        (ME, path(0), chosen("\u{0}", 0), 422, "illegal"),
        (ME, path(0), chosen(&"x".repeat(5_000), 0), 422, "too-long"),
        (ME, path(0), chosen("undo", 0), 422, "illegal"),
        (ME, path(1), chosen(action, 0), 409, "not-your-turn"),
        (ME, path(0), chosen(action, 5), 409, "outdated"),
        (ME, path(2), chosen(action, 0), 403, "not-your-seat"),
        (9, path(0), chosen(action, 0), 403, "not-your-seat"),
        (ME, path(7), chosen(action, 0), 404, "no-such-seat"),
        (ME, "/api/matches/ffff/seats/0/moves".to_string(), chosen(action, 0), 404, "no-such-match"),
        (ME, path(0), json!({"action": 3}), 422, "unread"),
        (ME, path(0), json!([]), 422, "unread"),
    ];
    for (who, path, body, status, code) in tries {
        assert_eq!(refused(&app, who, &path, body.clone()).await, (status, code.to_string()), "{path} {body}");
    }
    assert_eq!(get(&app, ME, &format!("/api/matches/{id}/seats/0")).await, desk, "nothing has changed");
    play(&app, ME, &id, 0, &desk, action).await;
    assert_eq!(refused(&app, ME, &path(0), chosen(action, 0)).await.0, 409, "sent twice");
}

#[tokio::test]
async fn matches_that_cannot_be_are_refused() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let me = json!({"kind": "me"});
    let tries = [
        (json!({"game": "chess", "seats": [me]}), "illegal"),
        (json!({"game": "cluedo", "seats": [me]}), "illegal"),
        (json!({"game": "cluedo", "seats": vec![me.clone(); 300]}), "illegal"),
        (json!({"game": "cluedo", "seats": [me, {"kind": "machine", "player": "nobody"}]}), "illegal"),
        (json!({"game": "cluedo", "seats": [me, {"kind": "machine", "player": "exec:sh"}]}), "illegal"),
        (json!({"game": "cluedo", "seats": [me, me], "helper": 9}), "unread"),
        (json!({"game": "cluedo", "seats": [me, me], "seed": "-1"}), "seed"),
        (json!({"game": "cluedo", "seats": [me, me], "options": 5}), "options"),
        (json!({"game": "yokai", "seats": [me, me, me]}), "illegal"),
        (json!({"game": "cluedo"}), "unread"),
    ];
    for (body, code) in tries {
        assert_eq!(refused(&app, ME, "/api/matches", body.clone()).await, (422, code.to_string()), "{body}");
    }
    assert_eq!(get(&app, ME, "/api/matches").await, json!([]), "nothing was begun");
}

#[tokio::test]
async fn who_asks_too_often_or_begins_too_many_waits() {
    let folder = Folder::new();
    let limits = Limits { rate: 0.0, burst: 3.0, newcomers: 1e9, matches: 1, ..Limits::default() };
    let address = "127.0.0.1:0".parse().unwrap();
    let config = Config { address, data: folder.0.clone(), limits, grace: Duration::ZERO, games: Games::default() };
    let app = App::open(config).unwrap();
    begin(&app, ME, "yokai", json!([{"kind": "me"}, {"kind": "me"}]), json!({})).await;
    let more = json!({"game": "yokai", "seats": [{"kind": "me"}, {"kind": "me"}]});
    assert_eq!(refused(&app, ME, "/api/matches", more).await, (429, "too-many".to_string()));
    get(&app, ME, "/api/games").await;
    assert_eq!(call(&app, ME, "GET", "/api/games", None).await.0, StatusCode::TOO_MANY_REQUESTS);
    get(&app, 2, "/api/games").await;
}

#[tokio::test]
async fn a_page_gives_a_token_that_scripts_cannot_read_and_loads_from_here_alone() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let answer = router(&app).oneshot(Request::get("/cluedo/new").body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let cookie = answer.headers()[SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("ken=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
    assert!(answer.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().starts_with("default-src 'self'"));
    let (status, _) = call(&app, ME, "GET", "/api/nothing", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

/// What is answered to a request with any body and kind of body, and whether it is JSON.
async fn raw(app: &Arc<App>, method: &str, path: &str, kind: Option<&str>, body: &str) -> (StatusCode, bool, Value) {
    let request = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {}", token(ME)));
    let request = kind.into_iter().fold(request, |r, kind| r.header("content-type", kind));
    let answer = router(app).oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    let (status, headers) = (answer.status(), answer.headers().clone());
    let json = headers.get("content-type").is_some_and(|t| t.as_bytes().starts_with(b"application/json"));
    let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    (status, json, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

#[tokio::test]
async fn a_bad_body_is_refused_in_words_of_our_own() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let json = Some("application/json");
    let large = json!({"game": "x".repeat(400 << 10)}).to_string();
    let not_said = "the body is not said to be JSON: `content-type: application/json` is expected";
    let tries = [
        (json, "{", 400, "unread", "the JSON of the body is not complete: it ends at line 1, column 1"),
        (json, "", 400, "unread", "the body is empty, but JSON is expected"),
        (json, "{\n  game: 7}", 400, "unread", "the body is not JSON: see line 2, column 3"),
        (json, "{\"game\": 7, \"seats\": []}", 422, "unread", "`game` is 7, but a text is expected"),
        (Some("Application/JSON; charset=utf-8"), "{\"game\": \"cluedo\"}", 422, "unread", "the body lacks `seats`"),
        (Some("text/plain"), "{}", 415, "unread", not_said),
        (None, "{}", 415, "unread", not_said),
        (json, &large, 413, "too-large", "the body is too large"),
    ];
    for path in ["/api/matches", "/api/logic/check"] {
        for (kind, body, status, code, message) in tries {
            let (met, _, problem) = raw(&app, "POST", path, kind, body).await;
            if path == "/api/matches" {
                let told = (met.as_u16(), &problem["code"], &problem["message"]);
                assert_eq!(told, (status, &json!(code), &json!(message)), "{kind:?}");
            }
            for word in ["deserialize", "struct", "EOF", "invalid", "rust", "serde"] {
                assert!(!problem.to_string().contains(word), "{path}: {problem}");
            }
        }
    }
}

#[tokio::test]
async fn whatever_is_wrong_with_a_request_the_answer_is_a_problem_in_json() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let description = serde_json::to_value(crate::openapi()).unwrap();
    let large = format!("\"{}\"", "x".repeat(16 << 20));
    let bodies: [(Option<&str>, &str); 7] = [
        (None, ""),
        (None, "{}"),
        (Some("text/plain"), "{}"),
        (Some("application/json"), "{"),
        (Some("application/json"), "[7]"),
        (Some("application/json"), "{\"revision\": -1, \"text\": 7, \"answer\": 7}"),
        (Some("application/json"), &large),
    ];
    let values = ["abc", "300", "-1", "%FF", "%00", "..", "%2e%2e%2f", "é"];
    let queries = ["", "?at=x", "?at=-1&step=x", "?step=999", "?%FF=%FF&chain=%FF", "?at=1&at=2"];
    let mut seen = std::collections::BTreeSet::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        let methods: Vec<String> = methods.as_object().unwrap().keys().map(|m| m.to_uppercase()).collect();
        let held: Vec<&str> = path.split(['{', '}']).skip(1).step_by(2).collect();
        for method in ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"] {
            let known = methods.iter().any(|m| m == method);
            for (i, value) in values.iter().enumerate() {
                if i > 0 && held.is_empty() {
                    break;
                }
                let address = held.iter().fold(path.clone(), |p, name| p.replace(&format!("{{{name}}}"), value));
                for (query, (kind, body)) in queries.iter().cycle().zip(bodies) {
                    let large = body.len() > 1 << 20;
                    if !known && !body.is_empty() || method == "GET" && body.len() > 2 || large && i > 0 {
                        continue;
                    }
                    let Ok(address) = axum::http::Uri::try_from(format!("{address}{query}")) else { continue };
                    let address = address.to_string();
                    let (status, json, problem) = raw(&app, method, &address, kind, body).await;
                    if status.is_success() {
                        assert!(known, "{method} {address}: {status}");
                        continue;
                    }
                    let told =
                        problem["code"].is_string() && problem["message"].as_str().is_some_and(|m| !m.is_empty());
                    assert!(json && told, "{method} {address} {kind:?}: {status} {problem}");
                    if !known {
                        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{method} {address}");
                    }
                    seen.insert(status.as_u16());
                }
            }
        }
    }
    for status in [400, 404, 405, 413, 415, 422] {
        assert!(seen.contains(&status), "{status} was never met: {seen:?}");
    }
    for path in ["/api", "/api/", "/api/nothing", "/api/matches/a/b/c"] {
        let (status, json, problem) = raw(&app, "GET", path, None, "").await;
        assert_eq!((status, json, &problem["code"]), (StatusCode::NOT_FOUND, true, &json!("no-such-thing")), "{path}");
    }
    let (status, json, _) = raw(&app, "POST", "/health", None, "").await;
    assert_eq!((status, json), (StatusCode::METHOD_NOT_ALLOWED, true));
    // A page is a page: its address is looked at by the client.
    let (status, json, _) = raw(&app, "GET", "/cluedo/abc", None, "").await;
    assert_eq!((status, json), (StatusCode::OK, false));
}

#[tokio::test]
async fn a_file_that_is_missing_is_not_answered_with_the_page() {
    let folder = Folder::new();
    let app = open(&folder.0);
    for path in ["/assets", "/assets/", "/assets/none.js", "/favicon.ico", "/robots.txt", "/learn/none.svg"] {
        let (status, json, problem) = raw(&app, "GET", path, None, "").await;
        assert_eq!((status, json, &problem["code"]), (StatusCode::NOT_FOUND, true, &json!("no-such-thing")), "{path}");
        assert!(problem["message"].as_str().is_some_and(|m| !m.is_empty()), "{path}");
    }
    for path in ["/", "/learn/worlds", "/cluedo/abc/replay"] {
        let (status, json, _) = raw(&app, "GET", path, None, "").await;
        assert_eq!((status, json), (StatusCode::OK, false), "{path}");
    }
}

#[test]
fn a_raw_bracket_in_a_path_is_no_address_so_hyper_refuses_it_before_any_route() {
    for path in ["/api/learn/<script>", "/api/learn/a>b"] {
        assert!(axum::http::Uri::try_from(path).is_err(), "{path}: now a route can answer it, in words");
    }
    assert!(axum::http::Uri::try_from("/api/learn/%3Cscript%3E").is_ok());
}

#[tokio::test]
async fn knowledge_beyond_the_last_event_is_refused() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let seats = json!([{"kind": "me"}, {"kind": "me"}, {"kind": "me"}]);
    let id = begin(&app, ME, "cluedo", seats, json!({"helper": 4})).await;
    let desk = wait(&app, ME, &id, 0).await;
    let of = desk["of"].as_u64().unwrap();
    let path = |what: &str, at: u64| format!("/api/matches/{id}/seats/0/{what}?at={at}&fact=env(rope)");
    for what in ["know", "why"] {
        let (status, _) = call(&app, ME, "GET", &path(what, of), None).await;
        assert_eq!(status, StatusCode::OK, "{what}");
        for at in [of + 1, 99] {
            let (status, problem) = call(&app, ME, "GET", &path(what, at), None).await;
            assert_eq!((status.as_u16(), &problem["code"]), (422, &json!("at")), "{what} {at}: {problem}");
        }
    }
}

#[tokio::test]
async fn a_disk_that_refuses_leaves_the_match_as_it_was() {
    let folder = Folder::new();
    let app = open(&folder.0);
    let id = begin(&app, ME, "yokai", json!([{"kind": "me"}, {"kind": "me"}]), json!({})).await;
    let desk = wait(&app, ME, &id, 0).await;
    app.store.close();
    let path = format!("/api/matches/{id}/seats/0/moves");
    let chosen = json!({"action": "look 1", "revision": desk["revision"]});
    assert_eq!(refused(&app, ME, &path, chosen).await, (507, "not-stored".to_string()));
    assert_eq!(wait(&app, ME, &id, 0).await, desk);
}
