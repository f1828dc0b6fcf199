//! The page of a seat, its moves, its inspector. Everything here is made from the seat's [`Eyes`].

use super::Failed;
use super::input::{Body, Path, Query};
use super::matches::Moment;
use crate::api::{
    Advice, Consent, Considered, Decided, Desk, Dot, Inspection, Lane, Move, Moved, Notes, Preview, Problem, Reason,
    SeatInfo, Shared, Taken, Timeline, Undo, Why,
};
use crate::app::App;
use crate::client::{Client, code};
use crate::hall::{self, Moments, Sitting, Slot};
use crate::store::Holder;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use ken_games::game::{Seat, Turn};
use ken_games::knowledge::CHAIN;
use ken_games::table::Eyes;
use ken_games::table::{ADVISES, CHECKS, Doubts, INSPECTS};
use ken_logic::text::plural;
use serde::Deserialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How many marks and characters notes may have.
const MARKS: usize = 400;
const MARK: usize = 64;

/// How long a text of a request may be: a rule, a formula.
const TEXT: usize = 4_000;

/// How long a timeline is worked on at once; what is missing comes with the next request.
const TIMELINE: Duration = Duration::from_secs(4);

/// How many facts a dot names.
const NAMED: usize = 6;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(desk))
        .routes(routes!(play))
        .routes(routes!(undo))
        .routes(routes!(resign))
        .routes(routes!(preview))
        .routes(routes!(note))
        .routes(routes!(know))
        .routes(routes!(position))
        .routes(routes!(why))
        .routes(routes!(reason))
        .routes(routes!(timeline))
        .routes(routes!(advice))
        .routes(routes!(share))
        .routes(routes!(shared))
        .routes(routes!(consent))
}

/// Who looks at a seat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Viewer {
    /// Its holder.
    Own,
    /// Anybody: the match is over.
    Anybody,
    /// Whoever has the link to the seat's sights.
    Linked,
}

fn viewer(sitting: &Sitting, seat: Seat, holder: &Holder) -> Result<Viewer, Failed> {
    if seat.index() >= sitting.seats.len() {
        return Err(Failed::new(StatusCode::NOT_FOUND, Problem::new("no-such-seat", "there is no such seat")));
    }
    match (sitting.holds(seat, holder), sitting.is_over()) {
        (true, _) => Ok(Viewer::Own),
        (false, true) => Ok(Viewer::Anybody),
        (false, false) => Err(Failed::not_yours()),
    }
}

fn own(sitting: &Sitting, seat: Seat, holder: &Holder) -> Result<(), Failed> {
    match viewer(sitting, seat, holder)? {
        Viewer::Own => Ok(()),
        Viewer::Anybody | Viewer::Linked => Err(Failed::not_yours()),
    }
}

/// The match of a seat that belongs to the one who asks.
async fn held(app: &Arc<App>, id: &str, seat: Seat, client: &Client) -> Result<Arc<Slot>, Failed> {
    let slot = app.hall.find(app, id).await?;
    own(&*slot.sitting.lock().await, seat, &client.holder)?;
    Ok(slot)
}

fn short(text: &str) -> Result<(), Failed> {
    match text.len() <= TEXT {
        true => Ok(()),
        false => Err(Failed::refused(Problem::new("too-long", format!("at most {TEXT} characters can be read")))),
    }
}

/// The page of a seat.
#[utoipa::path(get, path = "/api/matches/{id}/seats/{seat}", params(("id" = String, Path), ("seat" = u8, Path), Moment),
    responses((status = 200, body = Desk), (status = 403, body = Problem), (status = 404, body = Problem)))]
async fn desk(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Query(moment): Query<Moment>,
) -> Result<Json<Desk>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let seat = Seat(seat);
    let page = {
        let sitting = slot.sitting.lock().await;
        let viewer = viewer(&sitting, seat, &client.holder)?;
        page(&slot, &sitting, seat, viewer, moment.at)
    };
    app.ask(page).await.map(Json)
}

/// The page of a seat, to be made away from the table: it takes what the eyes need and nothing else of the match.
fn page(
    slot: &Slot,
    sitting: &Sitting,
    seat: Seat,
    viewer: Viewer,
    at: Option<usize>,
) -> impl FnOnce() -> Desk + Send + use<> {
    let (of, helper) = (sitting.told, helper(sitting, seat));
    // At the lowest level one remembers the past oneself; what came after one's own last action is news.
    let at = at.filter(|&at| helper > 0 || at > last_own(sitting, seat, of)).unwrap_or(of).clamp(1, of);
    let now = at == of && viewer == Viewer::Own && !sitting.is_over() && sitting.table.events() == of;
    let eyes = sitting.table.eyes(seat, at, now);
    let stored = &sitting.seats[seat.index()];
    let (undo, notes) = match viewer {
        Viewer::Own => {
            let undo = match sitting.is_over() {
                true => Err(Problem::new("undo", "the match is over")),
                false => sitting.table.can_undo(seat),
            };
            (undo, serde_json::from_str(&stored.notes).unwrap_or_default())
        }
        Viewer::Anybody | Viewer::Linked => (Err(Problem::new("undo", "this page is only shown")), Notes::default()),
    };
    let own = viewer == Viewer::Own;
    let mine = |info: SeatInfo| SeatInfo { mine: own && info.seat == seat.0, ..info };
    let seats = sitting.seat_infos(None).into_iter().map(mine).collect();
    let (id, game) = (slot.id.clone(), sitting.record.game.clone());
    let (revision, turn) = (sitting.revision, sitting.turn(at).map(|s| s.0));
    let ended = sitting.ended().filter(|_| at == of);
    let consent = stored.consent.filter(|_| own);
    let doubts = move |eyes: &dyn Eyes, notes: &Notes| match helper >= CHECKS {
        true => eyes.doubts(notes),
        false => Doubts::default(),
    };
    move || {
        let Doubts { unfounded, refuted } = doubts(&*eyes, &notes);
        Desk {
            id,
            game,
            seat: seat.0,
            seats,
            revision,
            at,
            of,
            turn,
            request: eyes.request(),
            options: eyes.options(),
            open: eyes.open(),
            log: eyes.log(helper),
            undo: Undo { allowed: undo.is_ok(), why_not: undo.err().map(|p| p.message) },
            helper,
            board: eyes.board(helper),
            assumptions: if helper >= INSPECTS { eyes.assumptions() } else { Vec::new() },
            unfounded,
            refuted,
            notes,
            ended,
            consent,
            mine: own,
        }
    }
}

/// How many events there were before the last action of a seat; 0 if it has not acted.
fn last_own(sitting: &Sitting, seat: Seat, of: usize) -> usize {
    (1..of).rev().find(|&events| sitting.table.turn_at(events) == Turn::Of(seat)).unwrap_or(0)
}

/// The helper level that answers to this seat's page: over matches are open to study.
fn helper(sitting: &Sitting, seat: Seat) -> u8 {
    let level = sitting.record.helpers[seat.index()];
    if sitting.is_over() { level.max(INSPECTS) } else { level }
}

/// Makes a move. It is acknowledged when it is stored.
#[utoipa::path(post, path = "/api/matches/{id}/seats/{seat}/moves", params(("id" = String, Path), ("seat" = u8, Path)),
    request_body = Move, responses((status = 200, body = Moved), (status = 403, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem), (status = 507, body = Problem)))]
async fn play(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Body(Move { action, revision }): Body<Move>,
) -> Result<Json<Moved>, Failed> {
    let start = Instant::now();
    short(&action)?;
    let slot = held(&app, &id, Seat(seat), &client).await?;
    let revision = hall::play(&app, &slot, Seat(seat), &action, revision).await?;
    app.metrics.moves.note(start.elapsed());
    Ok(Json(Moved { revision }))
}

/// Takes back the last action of this seat, if nobody has learned anything from it.
#[utoipa::path(post, path = "/api/matches/{id}/seats/{seat}/undo", params(("id" = String, Path), ("seat" = u8, Path)),
    request_body = Decided, responses((status = 200, body = Moved), (status = 403, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem)))]
async fn undo(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Body(Decided { revision }): Body<Decided>,
) -> Result<Json<Moved>, Failed> {
    let slot = held(&app, &id, Seat(seat), &client).await?;
    let revision = hall::undo(&app, &slot, Seat(seat), revision).await?;
    Ok(Json(Moved { revision }))
}

/// Gives the match up, whoever is to move: it ends for everybody at the table, and nobody is said to have won.
#[utoipa::path(post, path = "/api/matches/{id}/seats/{seat}/resign",
    params(("id" = String, Path), ("seat" = u8, Path)), request_body = Decided,
    responses((status = 200, body = Moved), (status = 403, body = Problem), (status = 409, body = Problem),
        (status = 507, body = Problem)))]
async fn resign(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Body(Decided { revision }): Body<Decided>,
) -> Result<Json<Moved>, Failed> {
    let slot = held(&app, &id, Seat(seat), &client).await?;
    let revision = hall::resign(&app, &slot, Seat(seat), revision).await?;
    Ok(Json(Moved { revision }))
}

/// What a player should see before a move; nothing is played.
#[utoipa::path(post, path = "/api/matches/{id}/seats/{seat}/preview",
    params(("id" = String, Path), ("seat" = u8, Path)), request_body = Considered,
    responses((status = 200, body = Preview), (status = 403, body = Problem)))]
async fn preview(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Body(Considered { action }): Body<Considered>,
) -> Result<Json<Preview>, Failed> {
    short(&action)?;
    let slot = app.hall.find(&app, &id).await?;
    let seat = Seat(seat);
    let (eyes, helper, refusal) = {
        let sitting = slot.sitting.lock().await;
        own(&sitting, seat, &client.holder)?;
        // What another's turn allows depends on another's cards: only one's own turn is asked about.
        let refusal = match sitting.table.turn() == Turn::Of(seat) && !sitting.is_over() {
            true => sitting.table.read(&action).err(),
            false => Some(Problem::new("not-your-turn", "it is not your turn")),
        };
        (sitting.table.eyes(seat, sitting.told, false), sitting.record.helpers[seat.index()], refusal)
    };
    let mut preview = app.ask(move || eyes.preview(&action, helper)).await?;
    if let Some(problem) = refusal {
        preview.legal = false;
        preview.why_not = Some(match problem.help {
            Some(help) => format!("{} ({help})", problem.message),
            None => problem.message,
        });
    }
    Ok(Json(preview))
}

/// Keeps the private notes of a seat.
#[utoipa::path(put, path = "/api/matches/{id}/seats/{seat}/notes", params(("id" = String, Path), ("seat" = u8, Path)),
    request_body = Notes, responses((status = 200, body = Notes), (status = 422, body = Problem)))]
async fn note(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Body(notes): Body<Notes>,
) -> Result<Json<Notes>, Failed> {
    let long = |(place, mark): (&String, &String)| place.len() > MARK || mark.len() > MARK;
    if notes.marks.len() > MARKS || notes.marks.iter().any(long) {
        return Err(Failed::refused(Problem::new("notes", format!("at most {MARKS} short notes can be kept"))));
    }
    let slot = app.hall.find(&app, &id).await?;
    let mut sitting = slot.sitting.lock().await;
    own(&sitting, Seat(seat), &client.holder)?;
    let text = serde_json::to_string(&notes).map_err(|_| Failed::internal())?;
    app.store.note(&id, seat, text.clone()).await.map_err(|e| Failed::unstored(&e))?;
    sitting.seats[usize::from(seat)].notes = text;
    Ok(Json(notes))
}

/// What the inspector is asked.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Question {
    /// The seats of the chain, separated by commas, the seat itself first; only the seat if it is left out.
    chain: Option<String>,
    /// A formula, or words that rows must contain.
    filter: Option<String>,
    /// The fact.
    fact: Option<String>,
    /// After so many events.
    at: Option<usize>,
    /// What is assumed beyond what was seen, by its name in `assumptions` of the page.
    assume: Option<String>,
}

impl Question {
    fn chain(&self, seat: Seat, seats: usize) -> Result<Vec<Seat>, Failed> {
        let Some(text) = self.chain.as_deref().filter(|t| !t.is_empty()) else { return Ok(vec![seat]) };
        let read = |part: &str| part.trim().parse::<u8>().ok().filter(|&s| usize::from(s) < seats).map(Seat);
        let chain: Option<Vec<Seat>> = text.split(',').map(read).collect();
        match chain {
            Some(chain) if chain.first() == Some(&seat) && chain.len() <= CHAIN => Ok(chain),
            _ => Err(Failed::refused(
                Problem::new("chain", "a chain of seats begins with your own")
                    .help(format!("as in {seat},1; at most {CHAIN} seats")),
            )),
        }
    }
}

/// What a seat saw, for a question that its helper level allows.
async fn asked(
    app: &Arc<App>,
    client: Client,
    id: &str,
    seat: Seat,
    question: &Question,
    level: u8,
) -> Result<(Box<dyn Eyes>, Vec<Seat>), Failed> {
    short(question.filter.as_deref().unwrap_or_default())?;
    short(question.fact.as_deref().unwrap_or_default())?;
    let slot = app.hall.find(app, id).await?;
    let sitting = slot.sitting.lock().await;
    viewer(&sitting, seat, &client.holder)?;
    helped(&sitting, seat, level)?;
    let at = question.at.unwrap_or(sitting.told);
    if at > sitting.told {
        let message = format!("there is no event {at} yet: the match has {}", plural(sitting.told, "event"));
        return Err(Failed::refused(Problem::new("at", message).help("leave `at` out to ask about now")));
    }
    let now = at == sitting.told && sitting.table.events() == sitting.told && !sitting.is_over();
    let eyes = sitting.table.eyes(seat, at, now);
    let eyes = match question.assume.as_deref() {
        Some(name) => eyes.assuming(name).map_err(Failed::refused)?,
        None => eyes,
    };
    Ok((eyes, question.chain(seat, sitting.seats.len())?))
}

/// Which event.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The event, the deal being 0.
    event: usize,
}

/// Why somebody else did what an event shows: as far as the seat may know, and all of it when the match is over.
#[utoipa::path(get, path = "/api/matches/{id}/seats/{seat}/reason",
    params(("id" = String, Path), ("seat" = u8, Path), Which),
    responses((status = 200, body = Reason), (status = 403, body = Problem), (status = 422, body = Problem)))]
async fn reason(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Query(Which { event }): Query<Which>,
) -> Result<Json<Reason>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let seat = Seat(seat);
    let (eyes, helper, recount) = {
        let sitting = slot.sitting.lock().await;
        viewer(&sitting, seat, &client.holder)?;
        let actor = match sitting.table.turn_at(event) {
            Turn::Of(actor) if sitting.is_over() && (1..sitting.told).contains(&event) => Some(actor),
            Turn::Of(_) | Turn::Over(_) => None,
        };
        let recount = actor.and_then(|actor| sitting.table.recount(actor, event + 1));
        (sitting.table.eyes(seat, sitting.told, false), helper(&sitting, seat), recount)
    };
    let work = move || {
        let whole = recount.and_then(|recount| recount().pop()).filter(|reason| reason.event == event);
        whole.map_or_else(|| eyes.reason(event, helper), Ok)
    };
    app.ask(work).await?.map(Json).map_err(Failed::refused)
}

fn helped(sitting: &Sitting, seat: Seat, level: u8) -> Result<(), Failed> {
    let has = helper(sitting, seat);
    match has >= level {
        true => Ok(()),
        false => {
            let problem = Problem::new("helper", format!("this needs helper level {level}, and the match has {has}"));
            Err(Failed::new(StatusCode::FORBIDDEN, problem.help("the level is chosen before the deal")))
        }
    }
}

/// What a chain of seats knows.
#[utoipa::path(get, path = "/api/matches/{id}/seats/{seat}/know",
    params(("id" = String, Path), ("seat" = u8, Path), Question),
    responses((status = 200, body = Inspection), (status = 403, body = Problem), (status = 422, body = Problem)))]
async fn know(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Query(question): Query<Question>,
) -> Result<Json<Inspection>, Failed> {
    let (eyes, chain) = asked(&app, client, &id, Seat(seat), &question, INSPECTS).await?;
    let filter = question.filter.unwrap_or_default();
    app.ask(move || eyes.inspect(&chain, &filter)).await?.map(Json).map_err(Failed::refused)
}

/// Why a chain of seats knows a fact, or why not, and since when.
#[utoipa::path(get, path = "/api/matches/{id}/seats/{seat}/why",
    params(("id" = String, Path), ("seat" = u8, Path), Question),
    responses((status = 200, body = Why), (status = 403, body = Problem), (status = 422, body = Problem)))]
async fn why(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Query(question): Query<Question>,
) -> Result<Json<Why>, Failed> {
    let (eyes, chain) = asked(&app, client, &id, Seat(seat), &question, INSPECTS).await?;
    let fact = question.fact.unwrap_or_default();
    app.ask(move || eyes.why(&chain, &fact)).await?.map(Json).map_err(Failed::refused)
}

/// What a seat has before it, to be taken elsewhere: for those who may ask the inspector.
#[utoipa::path(get, path = "/api/matches/{id}/seats/{seat}/position",
    params(("id" = String, Path), ("seat" = u8, Path), Moment),
    responses((status = 200, body = Taken), (status = 403, body = Problem), (status = 422, body = Problem)))]
async fn position(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Query(moment): Query<Moment>,
) -> Result<Json<Taken>, Failed> {
    let question = Question { chain: None, filter: None, fact: None, at: moment.at, assume: None };
    let (eyes, _) = asked(&app, client, &id, Seat(seat), &question, INSPECTS).await?;
    let work = move || {
        let (model, no_model) = match eyes.model() {
            Ok(model) => (Some(model), None),
            Err(problem) => (None, Some(problem.message)),
        };
        eyes.position().map(|position| Taken { position, model, no_model })
    };
    app.ask(work).await?.map(Json).map_err(Failed::refused)
}

/// How knowledge grew: one's own while the match goes on, everybody's when it is over.
#[utoipa::path(get, path = "/api/matches/{id}/seats/{seat}/timeline", params(("id" = String, Path), ("seat" = u8, Path)),
    responses((status = 200, body = Timeline), (status = 403, body = Problem)))]
async fn timeline(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
) -> Result<Json<Timeline>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let seat = Seat(seat);
    let (looks, entries, told) = {
        let sitting = slot.sitting.lock().await;
        viewer(&sitting, seat, &client.holder)?;
        helped(&sitting, seat, INSPECTS)?;
        let seats = Seat::all(sitting.seats.len() as u8).filter(|&s| sitting.is_over() || s == seat);
        let look = |s: Seat| {
            let known = sitting.moments.get(&s).cloned().unwrap_or_default();
            (s, sitting.table.eyes(s, sitting.told, false), known)
        };
        let looks: Vec<(Seat, Box<dyn Eyes>, Moments)> = seats.map(look).collect();
        (looks, sitting.record.entries.len(), sitting.told)
    };
    let work = move || {
        let start = Instant::now();
        let unit = looks.first().map_or("", |(_, eyes, _)| eyes.unit());
        let followed = looks.into_iter().map(|(seat, eyes, mut moments)| {
            moments.truncate(told);
            while moments.len() < told && start.elapsed() < TIMELINE {
                moments.push(eyes.moment(moments.len() + 1));
            }
            (seat, moments)
        });
        (unit, followed.collect::<Vec<_>>())
    };
    let (unit, followed) = app.ask(work).await?;
    let lanes = followed.iter().map(|(seat, moments)| lane(*seat, moments, told)).collect();
    let mut sitting = slot.sitting.lock().await;
    // Something may have been taken back meanwhile: then it is another past.
    if sitting.record.entries.len() == entries {
        sitting.moments.extend(followed);
    }
    Ok(Json(Timeline { lanes, unit: unit.to_string() }))
}

/// A lane: what was worked out so far, and nothing where it was not.
fn lane(seat: Seat, moments: &Moments, told: usize) -> Lane {
    let mut bits: Vec<Option<f64>> = moments.iter().map(|(bits, _)| *bits).collect();
    bits.resize(told, None);
    let mut dots = Vec::new();
    for (event, pair) in moments.windows(2).enumerate() {
        let new =
            |row: &&crate::api::FactRow| !pair[0].1.iter().any(|r| r.fact == row.fact && r.verdict == row.verdict);
        let facts: Vec<String> = pair[1].1.iter().filter(new).map(|row| row.words.clone()).collect();
        if !facts.is_empty() {
            let count = facts.len();
            dots.push(Dot { event: event + 1, facts: facts.into_iter().take(NAMED).collect(), count });
        }
    }
    Lane { seat: seat.0, bits, dots }
}

/// Which step of a hint.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Step {
    /// From 1; 1 if it is left out.
    step: Option<u8>,
}

/// A hint, in steps.
#[utoipa::path(get, path = "/api/matches/{id}/seats/{seat}/advice",
    params(("id" = String, Path), ("seat" = u8, Path), Step),
    responses((status = 200, body = Advice), (status = 403, body = Problem), (status = 422, body = Problem)))]
async fn advice(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Query(Step { step }): Query<Step>,
) -> Result<Json<Advice>, Failed> {
    let question = Question { chain: None, filter: None, fact: None, at: None, assume: None };
    let (eyes, _) = asked(&app, client, &id, Seat(seat), &question, ADVISES).await?;
    app.ask(move || eyes.advice(step.unwrap_or(1).max(1))).await?.map(Json).map_err(Failed::refused)
}

/// Makes a link by which this seat's sights can be looked at.
#[utoipa::path(post, path = "/api/matches/{id}/seats/{seat}/share", params(("id" = String, Path), ("seat" = u8, Path)),
    responses((status = 200, body = Shared), (status = 403, body = Problem)))]
async fn share(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
) -> Result<Json<Shared>, Failed> {
    held(&app, &id, Seat(seat), &client).await?;
    let code = code(16)?;
    app.store.share(code.clone(), &id, seat).await.map_err(|e| Failed::unstored(&e))?;
    Ok(Json(Shared { code }))
}

/// The page of a shared seat, only to look at.
#[utoipa::path(get, path = "/api/shared/{code}", params(("code" = String, Path), Moment),
    responses((status = 200, body = Desk), (status = 404, body = Problem)))]
async fn shared(
    State(app): State<Arc<App>>,
    Path(code): Path<String>,
    Query(moment): Query<Moment>,
) -> Result<Json<Desk>, Failed> {
    let nowhere = || Failed::new(StatusCode::NOT_FOUND, Problem::new("no-such-link", "this link leads nowhere"));
    let (id, seat) = app.store.shared(&code).map_err(|e| Failed::unread(&e))?.ok_or_else(nowhere)?;
    let slot = app.hall.find(&app, &id).await?;
    let page = {
        let sitting = slot.sitting.lock().await;
        if usize::from(seat) >= sitting.seats.len() {
            return Err(nowhere());
        }
        page(&slot, &sitting, Seat(seat), Viewer::Linked, moment.at)
    };
    app.ask(page).await.map(Json)
}

/// Says whether a finished match may be used for study.
#[utoipa::path(post, path = "/api/matches/{id}/seats/{seat}/consent",
    params(("id" = String, Path), ("seat" = u8, Path)), request_body = Consent,
    responses((status = 200, body = Consent), (status = 409, body = Problem)))]
async fn consent(
    State(app): State<Arc<App>>,
    client: Client,
    Path((id, seat)): Path<(String, u8)>,
    Body(given): Body<Consent>,
) -> Result<Json<Consent>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let mut sitting = slot.sitting.lock().await;
    own(&sitting, Seat(seat), &client.holder)?;
    if !sitting.is_over() {
        return Err(Failed::conflict("not-over", "this can be said when the match is over"));
    }
    app.store.consent(&id, seat, given.agree).await.map_err(|e| Failed::unstored(&e))?;
    sitting.seats[usize::from(seat)].consent = Some(given.agree);
    Ok(Json(given))
}
