//! What stands in an address, read so that whatever is wrong with it is answered like any other refusal.

use super::Failed;
use crate::api::Problem;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// The values in the path of an address. A value that is none of its kind names nothing.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Failed;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, Failed> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(values)) => Ok(Path(values)),
            Err(_) => {
                let problem = Problem::new("no-such-thing", "a part of this address cannot be what stands there");
                Err(Failed::new(StatusCode::NOT_FOUND, problem.help("see /api/openapi.json")))
            }
        }
    }
}

/// The values behind the question mark of an address.
pub(super) struct Query<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Query<T> {
    type Rejection = Failed;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, Failed> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(values)) => Ok(Query(values)),
            Err(rejection) => {
                let problem = Problem::new("unread", "what stands behind the `?` of this address cannot be read");
                Err(Failed::new(rejection.status(), problem.help("see /api/openapi.json")))
            }
        }
    }
}
