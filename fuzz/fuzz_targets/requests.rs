//! Requests to the server, without a network: each line of the input is `METHOD path body`, and `@` in a path stands for
//! the match that was begun last.
//!
//! No request may fail inside: never a panic, never status 500; and what is refused is refused in words.
#![no_main]

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use ken_server::{Config, Limits};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// How many requests of an input are sent.
const REQUESTS: usize = 8;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("threads"));

static ROUTER: LazyLock<axum::Router> = LazyLock::new(|| {
    let limits = Limits {
        rate: 1e9,
        burst: 1e9,
        newcomers: 1e9,
        matches: 1_000_000,
        think: Duration::from_secs(2),
        question: Duration::from_secs(2),
        idle: Duration::from_secs(5),
        ..Limits::default()
    };
    let data = std::env::temp_dir().join(format!("ken-fuzz-{}", std::process::id()));
    let address = "127.0.0.1:0".parse().expect("an address");
    ken_server::in_process(Config {
        address,
        data,
        limits,
        grace: Duration::ZERO,
        games: ken_games::list::GAMES.clone(),
    })
    .expect("a server")
});

fuzz_target!(|text: &str| {
    let mut id = "0".to_string();
    for line in text.lines().take(REQUESTS) {
        let mut parts = line.splitn(3, ' ');
        let (method, path, body) = (parts.next(), parts.next(), parts.next());
        let (Some(method), Some(path)) = (method, path) else { continue };
        // Live news never ends.
        if path.contains("/live") {
            continue;
        }
        let request = Request::builder()
            .method(method)
            .uri(path.replace('@', &id))
            .header("authorization", format!("Bearer {}", "01".repeat(32)))
            .header("content-type", "application/json")
            .body(Body::from(body.unwrap_or_default().to_string()));
        let Ok(request) = request else { continue };
        let (status, words) = RUNTIME.block_on(async {
            let answer = ROUTER.clone().oneshot(request).await.expect("a router never fails");
            let status = answer.status();
            (status, to_bytes(answer.into_body(), 64 << 20).await.expect("an answer").to_vec())
        });
        assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{line}: {}", String::from_utf8_lossy(&words));
        if status.is_client_error() && method != "HEAD" {
            assert!(!words.is_empty(), "{line}: {status} without a word");
        }
        let begun = serde_json::from_slice::<Value>(&words).ok().and_then(|v| Some(v.get("id")?.as_str()?.to_string()));
        id = begun.unwrap_or(id);
    }
});
