//! Lessons and their exercises.

use super::Failed;
use super::input::{Body, Path};
use crate::api::{CheckedAnswer, GivenAnswer, Lesson, LessonInfo, Problem};
use crate::app::App;
use crate::learn;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(lesson)).routes(routes!(answer))
}

fn none() -> Failed {
    let problem = Problem::new("no-such-lesson", "there is no lesson of this name").help("see the list of lessons");
    Failed::new(StatusCode::NOT_FOUND, problem)
}

/// The lessons in the order in which they are read.
#[utoipa::path(get, path = "/api/learn", responses((status = 200, body = [LessonInfo])))]
async fn list() -> Json<Vec<LessonInfo>> {
    Json(learn::list())
}

/// A lesson.
#[utoipa::path(get, path = "/api/learn/{lesson}", params(("lesson" = String, Path)),
    responses((status = 200, body = Lesson), (status = 404, body = Problem)))]
async fn lesson(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Json<Lesson>, Failed> {
    app.ask(move || learn::lesson(&id)).await?.map(Json).ok_or_else(none)
}

/// What the engine says to an answer to the exercise of a lesson.
#[utoipa::path(post, path = "/api/learn/{lesson}/answer", params(("lesson" = String, Path)), request_body = GivenAnswer,
    responses((status = 200, body = CheckedAnswer), (status = 404, body = Problem)))]
async fn answer(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Body(given): Body<GivenAnswer>,
) -> Result<Json<CheckedAnswer>, Failed> {
    app.ask(move || learn::check(&id, &given.answer)).await?.map(Json).ok_or_else(none)
}
