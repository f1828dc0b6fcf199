//! Experiments and their runs; what people's matches tell.

use super::Failed;
use super::input::{Body, Path};
use super::matches::nameless;
use crate::api::{LabInfo, LineUp, NewRun, Problem, ReportRow, RunInfo, RunReport, StudyReport};
use crate::app::App;
use crate::client::{Client, code};
use crate::lab::{EXPERIMENTS, FEWEST, MOST, find, info};
use crate::store::Loaded;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ken_arena::report::Row;
use ken_arena::study::Studied;
use ken_games::record::Record;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// A report is a page of its own: it loads nothing, runs nothing and is shown in no frame.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// How many matches a study looks at: the latest ones.
const STUDIED: usize = 5_000;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(lab))
        .routes(routes!(start))
        .routes(routes!(watch))
        .routes(routes!(stop))
        .routes(routes!(page))
        .routes(routes!(study))
        .routes(routes!(records))
        .routes(routes!(study_page))
}

fn none() -> Failed {
    let problem = Problem::new("no-such-run", "there is no run of this name").help("only the latest runs are kept");
    Failed::new(StatusCode::NOT_FOUND, problem)
}

fn html(page: String) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CONTENT_SECURITY_POLICY, POLICY)];
    (headers, page).into_response()
}

/// The experiments and their runs.
#[utoipa::path(get, path = "/api/lab", responses((status = 200, body = LabInfo)))]
async fn lab(State(app): State<Arc<App>>, client: Client) -> Json<LabInfo> {
    let experiments = EXPERIMENTS.iter().filter_map(info).collect();
    Json(LabInfo { experiments, runs: app.lab.list(&client.holder), fewest: FEWEST, most: MOST })
}

/// Starts a small run of an experiment, or puts it into the queue.
#[utoipa::path(post, path = "/api/lab/runs", request_body = NewRun,
    responses((status = 200, body = RunInfo), (status = 422, body = Problem)))]
async fn start(State(app): State<Arc<App>>, client: Client, Body(new): Body<NewRun>) -> Result<Json<RunInfo>, Failed> {
    let Some(experiment) = find(&new.experiment) else {
        let problem = Problem::new("no-such-experiment", "there is no experiment of this name");
        return Err(Failed::refused(problem.help("GET /api/lab lists them")));
    };
    if !app.newcomers.take(client.address) {
        return Err(Failed::too_often());
    }
    let run = app.lab.start(code(8)?, experiment, new.games, &client.holder);
    run.map(Json).map_err(Failed::refused)
}

/// A run with what it gave.
#[utoipa::path(get, path = "/api/lab/runs/{run}", params(("run" = String, Path)),
    responses((status = 200, body = RunReport), (status = 404, body = Problem)))]
async fn watch(State(app): State<Arc<App>>, client: Client, Path(id): Path<String>) -> Result<Json<RunReport>, Failed> {
    app.lab.report(&id, &client.holder).map(Json).ok_or_else(none)
}

/// Stops a run; what was played is kept.
#[utoipa::path(post, path = "/api/lab/runs/{run}/stop", params(("run" = String, Path)),
    responses((status = 200, body = RunInfo), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn stop(State(app): State<Arc<App>>, client: Client, Path(id): Path<String>) -> Result<Json<RunInfo>, Failed> {
    let stopped = app.lab.stop(&id, &client.holder).ok_or_else(none)?;
    stopped.map(Json).map_err(|problem| Failed::new(StatusCode::FORBIDDEN, problem))
}

/// The report of a run as a page.
#[utoipa::path(get, path = "/api/lab/runs/{run}/report", params(("run" = String, Path)),
    responses((status = 200, description = "a page", content_type = "text/html", body = String),
        (status = 404, body = Problem)))]
async fn page(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Failed> {
    app.lab.page(&id).map(html).ok_or_else(none)
}

/// The records of the matches that all people at the table agreed to, and how many of them are damaged.
fn agreed(app: &App) -> Result<(Vec<Record>, usize), Failed> {
    let ids = app.store.for_study().map_err(|e| Failed::unread(&e))?;
    let latest = ids.len().saturating_sub(STUDIED);
    let mut records = Vec::new();
    let mut damaged = 0;
    for id in &ids[latest..] {
        match app.store.load(id) {
            Ok(Some(Loaded::Whole(stored))) => records.push(stored.record),
            Ok(Some(Loaded::Damaged(_))) | Err(_) => damaged += 1,
            Ok(None) => {}
        }
    }
    Ok((records, damaged))
}

/// The report over those matches, made away from the threads that answer requests, and how many are damaged.
async fn studied(app: &Arc<App>) -> Result<(Studied, usize), Failed> {
    let asked = Arc::clone(app);
    app.ask(move || agreed(&asked).map(|(records, damaged)| (Studied::of(&records), damaged))).await?
}

fn wire(row: Row) -> ReportRow {
    let finite = |end: f64| end.is_finite().then_some(end);
    ReportRow {
        mean: row.mean,
        low: finite(row.low),
        high: finite(row.high),
        n: row.n,
        paper: row.paper,
        target: row.target,
        pass: row.pass,
        label: row.label,
        metric: row.metric,
    }
}

/// What the matches tell that all people at the table agreed to: by game and line-up, with 95 % intervals.
#[utoipa::path(get, path = "/api/study/report", responses((status = 200, body = StudyReport)))]
async fn study(State(app): State<Arc<App>>) -> Result<Json<StudyReport>, Failed> {
    let (studied, damaged) = studied(&app).await?;
    let line_up = |(label, matches): (&str, u64)| LineUp { label: label.to_string(), matches };
    let lineups: Vec<LineUp> = studied.lineups().map(line_up).collect();
    let read: u64 = lineups.iter().map(|l| l.matches).sum();
    Ok(Json(StudyReport {
        matches: read as usize + studied.left_out.len() + damaged,
        unread: studied.left_out.len() + damaged,
        lineups,
        rows: studied.report().rows.into_iter().map(wire).collect(),
    }))
}

/// The same report as a page.
#[utoipa::path(get, path = "/api/study/page",
    responses((status = 200, description = "a page", content_type = "text/html", body = String)))]
async fn study_page(State(app): State<Arc<App>>) -> Result<Response, Failed> {
    Ok(html(studied(&app).await?.0.report().html()))
}

/// The records of those matches, one on each line. People are `person`; nothing tells who they were.
#[utoipa::path(get, path = "/api/study/records.jsonl",
    responses((status = 200, description = "a record on each line", content_type = "application/x-ndjson", body = String)))]
async fn records(State(app): State<Arc<App>>) -> Result<Response, Failed> {
    let asked = Arc::clone(&app);
    let lines = app
        .ask(move || {
            let line = |record: &Record| nameless(record).to_string() + "\n";
            agreed(&asked).map(|(records, _)| records.iter().map(line).collect::<String>())
        })
        .await??;
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"ken-matches.jsonl\""),
    ];
    Ok((headers, lines).into_response())
}
