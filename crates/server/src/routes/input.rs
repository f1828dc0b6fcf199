//! What stands in a request, read so that whatever is wrong with it is answered like any other refusal.

use super::{Failed, body};
use crate::api::Problem;
use axum::body::Bytes;
use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

/// The values in the path of an address. A value that is none of its kind names nothing.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Failed))]
pub(super) struct Path<T>(pub(super) T);

/// The values behind the question mark of an address.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Failed))]
pub(super) struct Query<T>(pub(super) T);

fn described(status: StatusCode, code: &str, message: impl Into<String>) -> Failed {
    Failed::new(status, Problem::new(code, message).help("see /api/openapi.json"))
}

impl From<PathRejection> for Failed {
    fn from(_: PathRejection) -> Failed {
        described(StatusCode::NOT_FOUND, "no-such-thing", "a part of this address cannot be what stands there")
    }
}

impl From<QueryRejection> for Failed {
    fn from(rejection: QueryRejection) -> Failed {
        described(rejection.status(), "unread", "what stands behind the `?` of this address cannot be read")
    }
}

/// The value in a body of JSON.
pub(super) struct Body<T>(pub(super) T);

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || kind.starts_with("application/") && kind.ends_with("+json")
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Failed;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Failed> {
        if !is_json(request.headers()) {
            let message = "the body is not said to be JSON: `content-type: application/json` is expected";
            return Err(described(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unread", message));
        }
        let bytes = Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
            status @ StatusCode::PAYLOAD_TOO_LARGE => described(status, "too-large", "the body is too large"),
            status => described(status, "unread", "the body did not arrive as a whole"),
        })?;
        match body::read(&bytes) {
            Ok(Ok(value)) => Ok(Body(value)),
            Ok(Err(misfit)) => Err(described(StatusCode::UNPROCESSABLE_ENTITY, "unread", misfit)),
            Err(no_json) => Err(described(StatusCode::BAD_REQUEST, "unread", no_json)),
        }
    }
}
