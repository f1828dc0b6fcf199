//! The application as its users meet it, without a network: requests in, answers out.

mod damage;
mod matches;
mod people;
mod positions;
mod refusals;
mod resign;
mod secrets;
mod study;

use crate::app::App;
use crate::config::{Config, Limits};
use crate::routes::router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ken_games::list::Games;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use tower::ServiceExt;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("ken-server-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn open(data: &Path) -> Arc<App> {
    let limits = Limits { rate: 1e9, burst: 1e9, newcomers: 1e9, ..Limits::default() };
    let address = "127.0.0.1:0".parse().unwrap();
    App::open(Config { address, data: data.to_path_buf(), limits, grace: Duration::ZERO, games: Games::default() })
        .unwrap()
}

/// The token of the `n`th client.
fn token(n: u8) -> String {
    format!("{n:02x}").repeat(32)
}

/// What is answered, as bytes.
async fn bytes(app: &Arc<App>, who: u8, method: &str, path: &str, body: Option<&Value>) -> (StatusCode, Vec<u8>) {
    let request = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {}", token(who)));
    let request = match body {
        Some(body) => request.header("content-type", "application/json").body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    };
    let answer = router(app).oneshot(request.unwrap()).await.unwrap();
    let status = answer.status();
    (status, to_bytes(answer.into_body(), usize::MAX).await.unwrap().to_vec())
}

async fn call(app: &Arc<App>, who: u8, method: &str, path: &str, body: Option<Value>) -> (StatusCode, Value) {
    let (status, bytes) = bytes(app, who, method, path, body.as_ref()).await;
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

async fn get(app: &Arc<App>, who: u8, path: &str) -> Value {
    let (status, value) = call(app, who, "GET", path, None).await;
    assert_eq!(status, StatusCode::OK, "{path}: {value}");
    value
}

async fn post(app: &Arc<App>, who: u8, path: &str, body: Value) -> Value {
    let (status, value) = call(app, who, "POST", path, Some(body)).await;
    assert_eq!(status, StatusCode::OK, "{path}: {value}");
    value
}

/// Begins a match and gives its name.
async fn begin(app: &Arc<App>, who: u8, game: &str, seats: Value, more: Value) -> String {
    let mut new = json!({"game": game, "seats": seats, "helper": 3, "seed": "7"});
    for (name, value) in more.as_object().into_iter().flatten() {
        new[name] = value.clone();
    }
    post(app, who, "/api/matches", new).await["id"].as_str().unwrap().to_string()
}

/// The page of a seat once it is its turn, or the match is over.
async fn wait(app: &Arc<App>, who: u8, id: &str, seat: u8) -> Value {
    for _ in 0..600 {
        let desk = get(app, who, &format!("/api/matches/{id}/seats/{seat}")).await;
        let asked = desk["options"].as_array().is_some_and(|o| !o.is_empty())
            || desk["open"].as_array().is_some_and(|o| !o.is_empty());
        if asked || !desk["ended"].is_null() {
            return desk;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("seat {seat} waits for ever");
}

/// An action that a page offers; `turn` chooses among them.
fn choice(desk: &Value, turn: usize) -> String {
    let options = desk["options"].as_array().unwrap();
    match options.len() {
        0 => format!("{} alternate red and black", desk["open"][0].as_str().unwrap()),
        many => options[turn * 7919 % many].as_str().unwrap().to_string(),
    }
}

async fn play(app: &Arc<App>, who: u8, id: &str, seat: u8, desk: &Value, action: &str) -> Value {
    let chosen = json!({"action": action, "revision": desk["revision"]});
    post(app, who, &format!("/api/matches/{id}/seats/{seat}/moves"), chosen).await
}
