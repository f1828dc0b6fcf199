//! What is answered to whom.
//!
//! | file | one line |
//! |---|---|
//! | `body` | values out of JSON |
//! | `input` | what stands in a request |
//! | `lab` | experiments and their runs; what people's matches tell |
//! | `learn` | lessons and their exercises |
//! | `matches` | games, matches, invitations, live news, records |
//! | `positions` | positions without a match |
//! | `seats` | the page of a seat, its moves, its inspector |
//! | `logic` | the workbench |
//! | `site` | the client's files, health, metrics |

mod body;
mod input;
mod lab;
mod learn;
mod logic;
mod matches;
mod positions;
mod seats;
mod site;

use crate::api::Problem;
use crate::app::App;
use crate::store::StoreError;
use crate::wreck::Wreck;
use axum::Json;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

/// A request that is refused.
#[derive(Debug)]
pub(crate) struct Failed {
    status: StatusCode,
    problem: Problem,
}

impl Failed {
    /// A refusal with this status.
    pub(crate) fn new(status: StatusCode, problem: Problem) -> Failed {
        Failed { status, problem }
    }

    /// What was asked for is not allowed or not understood.
    pub(crate) fn refused(problem: Problem) -> Failed {
        Failed::new(StatusCode::UNPROCESSABLE_ENTITY, problem)
    }

    /// It does not fit the state of the match.
    pub(crate) fn conflict(code: &str, message: &str) -> Failed {
        Failed::new(StatusCode::CONFLICT, Problem::new(code, message))
    }

    /// There is no such match, or it is not for the one who asks.
    pub(crate) fn no_match() -> Failed {
        let problem = Problem::new("no-such-match", "there is no match of this name");
        Failed::new(StatusCode::NOT_FOUND, problem.help("look at the address again, or begin a new match"))
    }

    /// A seat of somebody else.
    pub(crate) fn not_yours() -> Failed {
        let problem = Problem::new("not-your-seat", "this seat is held by somebody else");
        Failed::new(StatusCode::FORBIDDEN, problem.help("when the match is over, everybody may look at it"))
    }

    /// The page on which it was decided is out of date; this is the revision now.
    pub(crate) fn outdated(revision: u64) -> Failed {
        let problem = Problem::new("outdated", "something has happened since this page was made");
        Failed::new(StatusCode::CONFLICT, Problem { revision: Some(revision), ..problem })
    }

    /// The match cannot be played on. It promises no more than `…/saved` gives.
    pub(crate) fn damaged(wreck: &Wreck) -> Failed {
        let problem = Problem::new("damaged", format!("this match is damaged: {}", wreck.damage));
        let help = match (wreck.over, wreck.can_be_saved()) {
            (true, _) => "the other matches are not touched; …/saved of this one gives what can be saved",
            (false, true) => {
                "the other matches are not touched; …/saved of this one gives whoever holds a seat what that seat saw"
            }
            (false, false) => {
                "the other matches are not touched; nothing of this one can be saved: it was not over, so it is a secret of \
                 its seats, and who holds them cannot be read"
            }
        };
        Failed::new(StatusCode::CONFLICT, problem.help(help))
    }

    /// What is left of a damaged match is for those at its table.
    pub(crate) fn not_at_the_table() -> Failed {
        let message = "only those who hold a seat of this match may see what can be saved of it";
        let help = "it was not over, so what happened in it is a secret of its seats";
        Failed::new(StatusCode::FORBIDDEN, Problem::new("not-your-seat", message).help(help))
    }

    /// The server is at fault; nothing more is said, since nothing hidden may be said.
    pub(crate) fn internal() -> Failed {
        Failed::new(StatusCode::INTERNAL_SERVER_ERROR, Problem::new("internal", "ken met an error of its own"))
    }

    /// Too many requests.
    pub(crate) fn too_often() -> Failed {
        let problem = Problem::new("too-often", "too many requests").help("wait a moment");
        Failed::new(StatusCode::TOO_MANY_REQUESTS, problem)
    }

    /// The disk refuses: nothing has changed.
    pub(crate) fn unstored(error: &StoreError) -> Failed {
        tracing::error!(%error, "not stored");
        let problem = Problem::new("not-stored", "it could not be stored, so nothing has changed");
        Failed::new(StatusCode::INSUFFICIENT_STORAGE, problem.help("the disk may be full; try again"))
    }

    /// The disk cannot be read.
    pub(crate) fn unread(error: &StoreError) -> Failed {
        tracing::error!(%error, "not read");
        Failed::internal()
    }
}

impl From<getrandom::Error> for Failed {
    fn from(_: getrandom::Error) -> Failed {
        Failed::internal()
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        (self.status, Json(self.problem)).into_response()
    }
}

/// The description of the interface.
#[derive(OpenApi)]
#[openapi(info(title = "ken", description = "Know who knows what: tables, seats, knowledge, logic."))]
struct Description;

fn described() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(matches::routes())
        .merge(seats::routes())
        .merge(positions::routes())
        .merge(logic::routes())
        .merge(learn::routes())
        .merge(lab::routes())
}

/// The OpenAPI description.
pub fn openapi() -> utoipa::openapi::OpenApi {
    described().split_for_parts().1
}

/// All that is answered.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let (api, description) = described().split_for_parts();
    let api = api
        .route("/api/openapi.json", axum::routing::get(move || std::future::ready(Json(description.clone()))))
        .fallback(site::page)
        .layer(DefaultBodyLimit::max(app.config.limits.body))
        .layer(from_fn_with_state(Arc::clone(app), crate::client::known));
    site::around(app, api).with_state(Arc::clone(app))
}
