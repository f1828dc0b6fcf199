//! The logic workbench over HTTP. Nothing here needs a match, a seat or the store.

use super::Failed;
use super::input::Body;
use crate::api::{Inspection, Problem, Why};
use crate::logic::{self, worker};
use crate::logic::{
    GalleryModel, LogicCheck, LogicChecked, LogicDraw, LogicDrawn, LogicKnow, LogicWhy, MAX_TEXT, Progress,
};
use axum::Json;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// JSON may need several bytes for one of the text.
const MAX_BODY: usize = 6 * MAX_TEXT + (1 << 20);

/// The routes of the workbench, for a server with any state.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    OpenApiRouter::new()
        .routes(routes!(gallery))
        .routes(routes!(check))
        .routes(routes!(draw))
        .routes(routes!(know))
        .routes(routes!(why))
        .layer(DefaultBodyLimit::max(MAX_BODY))
}

/// A problem with its status.
fn refused(problem: Problem) -> Failed {
    let status = match problem.code.as_str() {
        "too-large" => StatusCode::PAYLOAD_TOO_LARGE,
        "busy" => StatusCode::SERVICE_UNAVAILABLE,
        "broken" => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    Failed::new(status, problem)
}

type Answered<T> = Result<Json<T>, Failed>;

/// Does work that either ends in time or gives up.
async fn within<T: Send + 'static>(work: impl FnOnce() -> Result<T, Problem> + Send + 'static) -> Answered<T> {
    match worker::run(work).await.map_err(refused)? {
        Some(done) => done.map(Json).map_err(refused),
        None => Err(refused(worker::late())),
    }
}

/// The models that come with the program.
#[utoipa::path(get, path = "/api/logic/gallery", tag = "logic", responses((status = 200, body = Vec<GalleryModel>)))]
async fn gallery() -> Answered<Vec<GalleryModel>> {
    within(|| Ok(logic::gallery())).await
}

/// Checks every formula of a text and those asked beside it.
#[utoipa::path(post, path = "/api/logic/check", tag = "logic", request_body = LogicCheck,
    responses((status = 200, body = LogicChecked), (status = "4XX", body = Problem)))]
async fn check(Body(request): Body<LogicCheck>) -> Answered<LogicChecked> {
    let progress = Arc::new(Progress::default());
    let shared = progress.clone();
    match worker::run(move || logic::check(&request, &shared)).await.map_err(refused)? {
        Some(done) => done.map_err(refused)?,
        None => {
            progress.found().gave_up = Some(worker::late());
        }
    }
    let found = progress.found().clone();
    Ok(Json(found))
}

/// Draws a model and what remains of it after each announcement.
#[utoipa::path(post, path = "/api/logic/draw", tag = "logic", request_body = LogicDraw,
    responses((status = 200, body = LogicDrawn), (status = "4XX", body = Problem)))]
async fn draw(Body(request): Body<LogicDraw>) -> Answered<LogicDrawn> {
    within(move || logic::draw(&request)).await
}

/// Who knows what at a world.
#[utoipa::path(post, path = "/api/logic/know", tag = "logic", request_body = LogicKnow,
    responses((status = 200, body = Inspection), (status = "4XX", body = Problem)))]
async fn know(Body(request): Body<LogicKnow>) -> Answered<Inspection> {
    within(move || logic::know(&request)).await
}

/// Why something is known, or why not, and since when.
#[utoipa::path(post, path = "/api/logic/why", tag = "logic", request_body = LogicWhy,
    responses((status = 200, body = Why), (status = "4XX", body = Problem)))]
async fn why(Body(request): Body<LogicWhy>) -> Answered<Why> {
    within(move || logic::why(&request)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body as Bytes, to_bytes};
    use axum::http::{Request, header};
    use serde_json::{Value, json};
    use tower::ServiceExt;

    async fn ask(path: &str, body: &Value) -> (StatusCode, Value) {
        let (router, _) = routes::<()>().split_for_parts();
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/json")
            .body(Bytes::from(body.to_string()))
            .expect("a request");
        let answer = router.oneshot(request).await.expect("an answer");
        let status = answer.status();
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
        (status, serde_json::from_slice(&bytes).expect("JSON"))
    }

    #[tokio::test]
    async fn the_workbench_answers_over_http() {
        let text = "agents a\nprops p\npoint p\ncheck K[a] p\n";
        let (status, found) = ask("/api/logic/check", &json!({"text": text})).await;
        assert_eq!((status, &found["answers"][0]["verdict"]), (StatusCode::OK, &json!("does not hold here")));
        let (status, drawn) = ask("/api/logic/draw", &json!({"text": text, "announced": ["p"]})).await;
        assert_eq!((status, &drawn["stages"][1]["worlds"]), (StatusCode::OK, &json!(1)));
        let (status, known) = ask("/api/logic/know", &json!({"text": text, "chain": [0]})).await;
        assert_eq!((status, &known["rows"][0]["verdict"]), (StatusCode::OK, &json!("open")));
        let asked = json!({"text": text, "chain": [0], "fact": "p", "announced": ["p"]});
        let (status, why) = ask("/api/logic/why", &asked).await;
        assert_eq!((status, &why["since"]), (StatusCode::OK, &json!(1)));
    }

    #[tokio::test]
    async fn too_large_and_unreadable_requests_are_problems() {
        let (status, problem) = ask("/api/logic/check", &json!({"text": "x".repeat(MAX_TEXT + 1)})).await;
        assert_eq!((status, &problem["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("too-large")));
        let (status, problem) = ask("/api/logic/draw", &json!({"text": "x".repeat(MAX_BODY)})).await;
        assert_eq!((status, &problem["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("too-large")));
        let (status, problem) = ask("/api/logic/why", &json!({"txt": 1})).await;
        assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("unread")));
        let (status, problem) = ask("/api/logic/know", &json!({"text": "agents a\nprops p\n", "chain": [7]})).await;
        assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("no-such-agent")));
    }

    #[tokio::test]
    async fn deep_formulas_do_not_end_the_server() {
        let formula = format!("{}p", "!(p & ".repeat(150)) + &")".repeat(150);
        let (status, found) =
            ask("/api/logic/check", &json!({"text": "agents a\nprops p\n", "formulas": [formula]})).await;
        assert_eq!(status, StatusCode::OK, "{found}");
    }
}
