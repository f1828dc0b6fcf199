//! Positions without a match: who knows what in them. Nothing here needs a seat or the store.

use super::Failed;
use super::input::Body;
use crate::api::{Inspection, PlacedAt, PositionQuestion, Problem, Why};
use crate::app::App;
use axum::Json;
use axum::extract::State;
use ken_games::game::Seat;
use ken_games::knowledge::Inspector;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of positions.
pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(look)).routes(routes!(know)).routes(routes!(why))
}

/// The longest question.
const QUESTION: usize = 2_000;

/// The chain that is asked, the observer alone if none is given.
fn chain(known: &dyn Inspector, question: &PositionQuestion) -> Vec<Seat> {
    match question.chain.is_empty() {
        true => vec![known.seats().0],
        false => question.chain.iter().map(|&seat| Seat(seat)).collect(),
    }
}

async fn asked<T: Send + 'static>(
    app: &App,
    question: PositionQuestion,
    ask: impl FnOnce(&mut dyn Inspector, &PositionQuestion) -> Result<T, Problem> + Send + 'static,
) -> Result<Json<T>, Failed> {
    if question.text.len() > QUESTION {
        return Err(Failed::refused(Problem::new("too-long", format!("a question has at most {QUESTION} characters"))));
    }
    let games = app.config.games.clone();
    let work = move || ask(&mut *games.placed(&question.game, &question.position)?, &question);
    app.ask(work).await?.map(Json).map_err(Failed::refused)
}

/// Whose position it is.
#[utoipa::path(post, path = "/api/positions", request_body = PositionQuestion,
    responses((status = 200, body = PlacedAt), (status = 422, body = Problem)))]
async fn look(State(app): State<Arc<App>>, Body(question): Body<PositionQuestion>) -> Result<Json<PlacedAt>, Failed> {
    asked(&app, question, |known, _| {
        let (seat, seats) = known.seats();
        Ok(PlacedAt { seat: seat.0, seats })
    })
    .await
}

/// What a chain of seats knows in a position.
#[utoipa::path(post, path = "/api/positions/know", request_body = PositionQuestion,
    responses((status = 200, body = Inspection), (status = 422, body = Problem)))]
async fn know(State(app): State<Arc<App>>, Body(question): Body<PositionQuestion>) -> Result<Json<Inspection>, Failed> {
    asked(&app, question, |known, question| known.inspect(&chain(known, question), &question.text)).await
}

/// Why a chain of seats knows a fact in a position, or why not.
#[utoipa::path(post, path = "/api/positions/why", request_body = PositionQuestion,
    responses((status = 200, body = Why), (status = 422, body = Problem)))]
async fn why(State(app): State<Arc<App>>, Body(question): Body<PositionQuestion>) -> Result<Json<Why>, Failed> {
    asked(&app, question, |known, question| known.why(&chain(known, question), &question.text)).await
}
