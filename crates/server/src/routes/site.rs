//! The client's files, health, metrics, and what goes around every answer: logs, limits, headers.

use super::Failed;
use crate::api::Problem;
use crate::app::App;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};

/// The client, as Vite made it.
#[derive(RustEmbed)]
#[folder = "$KEN_WEB"]
struct Files;

/// Pages may load from this server only, and be shown in no frame. Codes stand in addresses: no other site hears of them.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

/// What goes around every answer.
pub(super) fn around(app: &Arc<App>, api: Router<Arc<App>>) -> Router<Arc<App>> {
    Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/assets/{*file}", get(asset))
        .merge(api)
        .method_not_allowed_fallback(wrong_method)
        .layer(
            CompressionLayer::new()
                .compress_when(SizeAbove::new(512).and(NotForContentType::const_new("text/event-stream"))),
        )
        .layer(CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| Failed::internal().into_response()))
        .layer(from_fn_with_state(Arc::clone(app), noted))
}

/// Counts and logs an answer. The path is logged as its pattern: names of matches and codes stay out of logs.
async fn noted(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let method = request.method().clone();
    let path = request.extensions().get::<MatchedPath>().map_or("page".to_string(), |p| p.as_str().to_string());
    let mut response = next.run(request).await;
    let status = response.status().as_u16();
    app.metrics.answers[usize::from(status / 100).min(5)].fetch_add(1, Relaxed);
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    tracing::info!(%method, path, status, ms = start.elapsed().as_secs_f64() * 1000.0, "answered");
    response
}

async fn health(State(app): State<Arc<App>>) -> Response {
    match app.store.answers() && !*app.closing.borrow() {
        true => (StatusCode::OK, "ok\n").into_response(),
        false => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response(),
    }
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text(app.listeners.count())).into_response()
}

/// A file of the client. Its name holds a hash of what it says, so it never changes.
async fn asset(uri: Uri) -> Response {
    match Files::get(uri.path().trim_start_matches('/')) {
        Some(file) => {
            let headers =
                [(CONTENT_TYPE, file.metadata.mimetype()), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
            (headers, file.data).into_response()
        }
        None => nothing().into_response(),
    }
}

/// An address at which there is nothing.
fn nothing() -> Failed {
    let problem = Problem::new("no-such-thing", "there is nothing of this name").help("see /api/openapi.json");
    Failed::new(StatusCode::NOT_FOUND, problem)
}

/// An address that is there, asked in a way that it does not answer.
async fn wrong_method() -> Failed {
    let problem = Problem::new("method", "this address does not answer this method").help("see /api/openapi.json");
    Failed::new(StatusCode::METHOD_NOT_ALLOWED, problem)
}

/// Any other address: one of the client's few other files, or a page of the client, which looks at the address itself. The
/// address of a page has no dot in its last part: what has one is the name of a file.
pub(super) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    if ["api", "assets"].contains(&first) || !matches!(method, Method::GET | Method::HEAD) {
        return nothing().into_response();
    }
    let file = match Files::get(path).filter(|_| !path.is_empty()) {
        Some(file) => file,
        None if path.rsplit('/').next().is_some_and(|last| last.contains('.')) => return nothing().into_response(),
        None => match Files::get("index.html") {
            Some(page) => page,
            None => return Failed::internal().into_response(),
        },
    };
    let tag: String = file.metadata.sha256_hash().iter().take(12).map(|b| format!("{b:02x}")).collect();
    let tag = format!("\"{tag}\"");
    if headers.get(IF_NONE_MATCH).is_some_and(|h| h.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let mime = file.metadata.mimetype().to_string();
    ([(CONTENT_TYPE, mime), (CACHE_CONTROL, "no-cache".to_string()), (ETAG, tag)], file.data).into_response()
}
