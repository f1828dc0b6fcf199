//! Games, matches, invitations, live news, records.

use super::Failed;
use super::input::{Body, Path, Query};
use crate::api::{
    AllSeeing, Begun, BranchFrom, BranchInfo, GameInfo, Invite, Joined, NewMatch, Problem, Salvage, Sitter, Summary,
    TableInfo,
};
use crate::app::App;
use crate::client::{Client, code};
use crate::hall::{Sitting, Slot, Unseated};
use crate::store::{Kind, Listed, StoreError, Stored, StoredSeat, now};
use crate::wreck::Wreck;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use ken_games::game::Seat;
use ken_games::list::Games;
use ken_games::record::{Entry, Record};
use ken_games::table::FILLS;
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// How many matches a list shows.
const LISTED: usize = 50;

/// Unfinished matches count against a client for a week, in seconds.
const LATELY: u64 = 7 * 24 * 3600;

/// How long the text of a seed may be.
const SEED: usize = 20;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(games))
        .routes(routes!(mine, begin))
        .routes(routes!(table))
        .routes(routes!(invites))
        .routes(routes!(join))
        .routes(routes!(live))
        .routes(routes!(record))
        .routes(routes!(saved))
        .routes(routes!(all))
        .routes(routes!(branch))
}

/// Which moment of a match is meant.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Moment {
    /// After so many events, the deal included; now if it is left out.
    pub(super) at: Option<usize>,
}

/// The games that can be played.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = [GameInfo])))]
async fn games(State(app): State<Arc<App>>) -> Json<Vec<GameInfo>> {
    Json(app.config.games.iter().map(|kind| kind.info()).collect())
}

/// The matches of the one who asks. Those that are damaged are among them, and say so.
#[utoipa::path(get, path = "/api/matches", responses((status = 200, body = [Summary])))]
async fn mine(State(app): State<Arc<App>>, client: Client) -> Result<Json<Vec<Summary>>, Failed> {
    let games = app.config.games.clone();
    let list = move || {
        let listed = app.store.of_holder(&client.holder, LISTED)?;
        let wreck = |l: &Listed| app.hall.wreck(&app, &l.id);
        Ok(listed.into_iter().map(|l| (wreck(&l), l)).collect::<Vec<_>>())
    };
    let listed = tokio::task::spawn_blocking(list).await.map_err(|_| Failed::internal())?;
    let summary = |(wreck, l): (Option<Wreck>, Listed)| {
        let l = if wreck.is_some() { unquoted(&games, l) } else { l };
        let player = |(seat, (kind, name)): (u8, (&Kind, &String))| match kind {
            Kind::Machine => name.clone(),
            Kind::Person if l.mine.contains(&seat) => "you".to_string(),
            Kind::Person | Kind::Friend => "friend".to_string(),
        };
        Summary {
            players: (0u8..).zip(l.kinds.iter().zip(&l.players)).map(player).collect(),
            id: l.id,
            game: l.game,
            mine: l.mine,
            touched: l.touched,
            moves: l.moves,
            ended: l.ended,
            damaged: wreck.map(|wreck| wreck.damage.to_string()),
        }
    };
    Ok(Json(listed.map_err(|e: StoreError| Failed::unread(&e))?.into_iter().map(summary).collect()))
}

/// A damaged match as it is listed: in words of ours, none of those that are stored.
fn unquoted(games: &Games, listed: Listed) -> Listed {
    Listed {
        game: games.find(&listed.game).map_or_else(|_| String::new(), |kind| kind.name().to_string()),
        players: vec!["machine".to_string(); listed.players.len()],
        ended: listed.ended.map(|_| "over".to_string()),
        ..listed
    }
}

/// Begins a match.
#[utoipa::path(post, path = "/api/matches", request_body = NewMatch,
    responses((status = 200, body = Begun), (status = 422, body = Problem)))]
async fn begin(State(app): State<Arc<App>>, client: Client, Body(new): Body<NewMatch>) -> Result<Json<Begun>, Failed> {
    let seed = match &new.seed {
        Some(text) => Some(seed(text)?),
        None => None,
    };
    let mut options = if new.options.is_null() { json!({}) } else { new.options.clone() };
    match options.as_object_mut() {
        Some(map) => drop(map.insert("players".to_string(), json!(new.seats.len()))),
        None => return Err(Failed::refused(Problem::new("options", "the options are an object"))),
    }
    let setup = app.config.games.with_options(&new.game, &options).map_err(|i| Failed::refused(i.into()))?;
    let chosen = match seed {
        Some(seed) => seed,
        None => u64::from_str_radix(&code(8)?, 16).map_err(|_| Failed::internal())?,
    };
    let record = setup.record(vec![String::new(); new.seats.len()], chosen);
    sit(&app, client, record, &new.seats, new.helper, seed.is_some()).await.map(Json)
}

fn seed(text: &str) -> Result<u64, Failed> {
    let seed = Some(text.trim()).filter(|t| t.len() <= SEED).and_then(|t| t.parse().ok());
    seed.ok_or_else(|| {
        let help = "leave it out for a deal that nobody knows";
        Failed::refused(Problem::new("seed", "a seed is a whole number from 0 to 18446744073709551615").help(help))
    })
}

/// Seats people and machines, stores the match and deals.
async fn sit(
    app: &Arc<App>,
    client: Client,
    mut record: Record,
    sitters: &[Sitter],
    helper: u8,
    seeded: bool,
) -> Result<Begun, Failed> {
    if !app.newcomers.take(client.address) {
        return Err(Failed::too_often());
    }
    let unfinished =
        app.store.unfinished(&client.holder, now().saturating_sub(LATELY)).map_err(|e| Failed::unread(&e))?;
    if unfinished >= app.config.limits.matches {
        let problem = Problem::new("too-many", format!("{unfinished} of your matches of this week are not over"));
        return Err(Failed::new(StatusCode::TOO_MANY_REQUESTS, problem.help("finish one of them first")));
    }
    let mut seats = Vec::new();
    let mut invites = Vec::new();
    record.players = Vec::new();
    record.helpers = Vec::new();
    for (seat, sitter) in (0u8..).zip(sitters) {
        let empty =
            StoredSeat { kind: Kind::Person, holder: None, invite: None, consent: None, notes: "{}".to_string() };
        let (stored, player) = match sitter {
            Sitter::Me => (StoredSeat { holder: Some(client.holder), ..empty }, "person".to_string()),
            Sitter::Friend => {
                let code = code(16)?;
                invites.push(Invite { seat, code: code.clone() });
                (StoredSeat { kind: Kind::Friend, invite: Some(code), ..empty }, "person".to_string())
            }
            Sitter::Machine { player } => (StoredSeat { kind: Kind::Machine, ..empty }, player.clone()),
        };
        record.helpers.push(if stored.kind == Kind::Machine { 0 } else { helper });
        record.players.push(player);
        seats.push(stored);
    }
    let (id, game) = (code(12)?, record.game.clone());
    let stored = Stored { id: id.clone(), record, owner: client.holder, seeded, seats };
    // Seated before it is stored: names of players that do not exist are refused here.
    let slot = app.hall.seat(app, stored.clone()).map_err(|unseated| match unseated {
        Unseated::Refused(problem) => Failed::refused(problem),
        Unseated::Damaged(_) => Failed::internal(),
    })?;
    if let Err(error) = app.store.create(stored).await {
        app.hall.forget(app, &slot);
        app.metrics.unstored.fetch_add(1, Relaxed);
        return Err(Failed::unstored(&error));
    }
    app.metrics.begun.fetch_add(1, Relaxed);
    app.hall.find(app, &id).await?;
    Ok(Begun { id, game, invites })
}

/// A table as everybody sees it.
#[utoipa::path(get, path = "/api/matches/{id}", params(("id" = String, Path)),
    responses((status = 200, body = TableInfo), (status = 404, body = Problem)))]
async fn table(State(app): State<Arc<App>>, client: Client, Path(id): Path<String>) -> Result<Json<TableInfo>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let sitting = slot.sitting.lock().await;
    Ok(Json(info(&slot, &sitting, client)))
}

fn info(slot: &Slot, sitting: &Sitting, client: Client) -> TableInfo {
    let people = || sitting.seats.iter().filter(|s| s.kind != Kind::Machine);
    TableInfo {
        id: slot.id.clone(),
        game: sitting.record.game.clone(),
        options: sitting.record.options.clone(),
        seats: sitting.seat_infos(Some(&client.holder)),
        revision: sitting.revision,
        events: sitting.told,
        turn: sitting.turn(sitting.told).map(|s| s.0),
        log: sitting.table.onlooker(sitting.told),
        ended: sitting.ended(),
        seeded: sitting.seeded,
        branch: sitting.record.branch.as_ref().map(|b| BranchInfo { origin: b.origin.clone(), at: b.at }),
        consent: sitting.is_over().then(|| people().all(|s| s.consent == Some(true))),
    }
}

/// The invitations that were not used, for the one who began the match.
#[utoipa::path(get, path = "/api/matches/{id}/invites", params(("id" = String, Path)),
    responses((status = 200, body = [Invite]), (status = 403, body = Problem)))]
async fn invites(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Json<Vec<Invite>>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let sitting = slot.sitting.lock().await;
    if sitting.owner != client.holder {
        let problem = Problem::new("not-your-match", "only who began the match can invite");
        return Err(Failed::new(StatusCode::FORBIDDEN, problem));
    }
    let open = (0u8..).zip(&sitting.seats).filter_map(|(seat, s)| Some(Invite { seat, code: s.invite.clone()? }));
    Ok(Json(open.collect()))
}

/// Takes the seat of an invitation.
#[utoipa::path(post, path = "/api/join/{code}", params(("code" = String, Path)),
    responses((status = 200, body = Joined), (status = 404, body = Problem)))]
async fn join(State(app): State<Arc<App>>, client: Client, Path(code): Path<String>) -> Result<Json<Joined>, Failed> {
    let gone = || {
        let problem = Problem::new("no-invitation", "this invitation was used, or never was one");
        Failed::new(StatusCode::NOT_FOUND, problem.help("ask for a new one"))
    };
    let (id, seat) = app.store.invited(&code).map_err(|e| Failed::unread(&e))?.ok_or_else(gone)?;
    let slot = app.hall.find(&app, &id).await?;
    let mut sitting = slot.sitting.lock().await;
    // Another may have come while this one waited for the table.
    if sitting.seats.get(usize::from(seat)).is_none_or(|s| s.invite.as_deref() != Some(&code)) {
        return Err(gone());
    }
    app.store.join(&id, seat, client.holder).await.map_err(|e| Failed::unstored(&e))?;
    let taken = &mut sitting.seats[usize::from(seat)];
    taken.kind = Kind::Person;
    taken.holder = Some(client.holder);
    taken.invite = None;
    slot.news(&sitting);
    Ok(Json(Joined { id, game: sitting.record.game.clone(), seat }))
}

/// Live news: an event `changed` whenever pages are out of date. It carries the revision and nothing else.
#[utoipa::path(get, path = "/api/matches/{id}/live", params(("id" = String, Path)),
    responses((status = 200, description = "server-sent events", content_type = "text/event-stream", body = String),
        (status = 404, body = Problem)))]
async fn live(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let place = app.listeners.enter(client.holder).ok_or_else(|| {
        let problem = Problem::new("too-many", "too many pages listen").help("close some of them");
        Failed::new(StatusCode::TOO_MANY_REQUESTS, problem)
    })?;
    let closing = WatchStream::new(app.closing.subscribe());
    let changes = WatchStream::new(slot.changed.subscribe());
    let events = changes.map(Some).merge(closing.filter(|c| *c).map(|_| None)).take_while(Option::is_some);
    let events = events.map(move |revision| {
        // The place is given up when the stream ends.
        let _ = &place;
        let data = json!({"revision": revision.unwrap_or_default()}).to_string();
        Ok(Event::default().event("changed").data(data))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// The record of a match that is over, names of people left out.
#[utoipa::path(get, path = "/api/matches/{id}/record", params(("id" = String, Path)),
    responses((status = 200, body = Object), (status = 409, body = Problem)))]
async fn record(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let sitting = slot.sitting.lock().await;
    let data = over(&sitting)?.to_data();
    let name = format!("attachment; filename=\"{}-{id}.json\"", sitting.record.game);
    let headers = [(header::CONTENT_TYPE, "application/json".to_string()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, data.to_string() + "\n").into_response())
}

/// What can be saved of a damaged match: its record up to the damage if it was over, else what one's own seats saw.
#[utoipa::path(get, path = "/api/matches/{id}/saved", params(("id" = String, Path)),
    responses((status = 200, body = Salvage), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
async fn saved(State(app): State<Arc<App>>, client: Client, Path(id): Path<String>) -> Result<Response, Failed> {
    let find = move || {
        let Some(wreck) = app.hall.wreck(&app, &id) else {
            let known = app.hall.holds(&id) || app.store.load(&id).is_ok_and(|loaded| loaded.is_some());
            let whole = || Failed::conflict("whole", "this match is not damaged");
            return Err(if known { whole() } else { Failed::no_match() });
        };
        match wreck.saved(&app.config.games, &id, &client.holder) {
            Some(saved) => Ok(saved),
            None if wreck.can_be_saved() => Err(Failed::not_at_the_table()),
            None => Err(Failed::damaged(&wreck)),
        }
    };
    let saved = tokio::task::spawn_blocking(find).await.map_err(|_| Failed::internal())??;
    let name = "attachment; filename=\"damaged-match.json\"";
    Ok(([(header::CONTENT_DISPOSITION, name)], Json(saved)).into_response())
}

/// The record, if nothing of it is secret any more.
fn over(sitting: &Sitting) -> Result<&Record, Failed> {
    match sitting.is_over() {
        true => Ok(&sitting.record),
        false => Err(Failed::conflict("not-over", "while the match goes on, this is a secret")),
    }
}

/// Everything about a match that is over.
#[utoipa::path(get, path = "/api/matches/{id}/all", params(("id" = String, Path), Moment),
    responses((status = 200, body = AllSeeing), (status = 409, body = Problem)))]
async fn all(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Query(moment): Query<Moment>,
) -> Result<Json<AllSeeing>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let (mut seen, eyes) = {
        let sitting = slot.sitting.lock().await;
        over(&sitting)?;
        let at = moment.at.unwrap_or(sitting.told).clamp(1, sitting.told);
        let seats = Seat::all(sitting.seats.len() as u8);
        let seen = AllSeeing {
            at,
            of: sitting.told,
            turn: sitting.turn(at).map(|s| s.0),
            log: sitting.table.truth(at),
            boards: Vec::new(),
            table: info(&slot, &sitting, client),
        };
        (seen, seats.map(|seat| sitting.table.eyes(seat, at, false)).collect::<Vec<_>>())
    };
    seen.boards = app.ask(move || eyes.iter().map(|e| e.board(FILLS)).collect()).await?;
    Ok(Json(seen))
}

/// Goes on from a moment of a match that is over, as a new match.
#[utoipa::path(post, path = "/api/matches/{id}/branch", params(("id" = String, Path)), request_body = BranchFrom,
    responses((status = 200, body = Begun), (status = 409, body = Problem)))]
async fn branch(
    State(app): State<Arc<App>>,
    client: Client,
    Path(id): Path<String>,
    Body(from): Body<BranchFrom>,
) -> Result<Json<Begun>, Failed> {
    let slot = app.hall.find(&app, &id).await?;
    let record = {
        let sitting = slot.sitting.lock().await;
        // The deal is known to whoever has seen the end: while the match goes on, a branch would tell it.
        let record = over(&sitting)?;
        if from.seats.len() != record.players.len() {
            let problem = Problem::new("seats", format!("the match has {} seats", record.players.len()));
            return Err(Failed::refused(problem));
        }
        record.branch(&id, entries_for(&record.entries, from.events))
    };
    sit(&app, client, record, &from.seats, from.helper, true).await.map(Json)
}

/// How many entries lead to the first `events` events as they stood at the end: what was taken back later is left out.
fn entries_for(entries: &[Entry], events: usize) -> usize {
    let mut standing = 1;
    let mut needed = 0;
    for (i, entry) in entries.iter().enumerate() {
        if standing < events {
            needed = i + 1;
        }
        match entry {
            Entry::Play(_) => standing += 1,
            Entry::Undo => standing -= 1,
        }
    }
    needed
}

/// The record as data without what tells who played: for study.
pub(super) fn nameless(record: &Record) -> Value {
    Record { branch: None, ..record.clone() }.to_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_keeps_the_entries_that_stood_at_the_end() {
        let play = |t: &str| Entry::Play(t.to_string());
        let entries = [play("a"), play("b"), Entry::Undo, play("c"), play("d")];
        assert_eq!(entries_for(&entries, 1), 0);
        assert_eq!(entries_for(&entries, 2), 1);
        assert_eq!(entries_for(&entries, 3), 4);
        assert_eq!(entries_for(&entries, 4), 5);
        assert_eq!(entries_for(&entries, 99), 5);
    }
}
