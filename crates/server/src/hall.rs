//! The tables in memory. Each is a fold of its log on disk and can be made again from it at any time.
//!
//! A move is checked, stored, and only then carried out. After it the machines move, one job at a time in the
//! [pool](crate::pool), and people hear of all their moves together: so nobody's thinking can be timed. At a table of
//! machines alone every move is told at once.

use crate::api::{Ended, FactRow, Problem, SeatInfo};
use crate::app::App;
use crate::pool::Undone;
use crate::routes::Failed;
use crate::store::{Holder, Kind, Loaded, Stored, StoredSeat};
use crate::wreck::{Damage, Wreck};
use ken_games::game::{Outcome, Seat, Turn};
use ken_games::list::Games;
use ken_games::record::{Ending, Entry, Record};
use ken_games::table::{Sitter, Table, Thinking, Thought};
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How long a machine waits when its move could not be stored.
const REFUSED: Duration = Duration::from_secs(2);

/// What a seat knew after each of its sights: log₂ of its worlds, and the facts.
pub(crate) type Moments = Vec<(Option<f64>, Vec<FactRow>)>;

/// A table with the people and machines at it.
pub(crate) struct Sitting {
    /// The match.
    pub table: Box<dyn Table>,
    /// What is stored of it.
    pub record: Record,
    /// Who began it.
    pub owner: Holder,
    /// Whether the deal was asked for by its seed.
    pub seeded: bool,
    /// The seats.
    pub seats: Vec<StoredSeat>,
    /// How many events people have heard of.
    pub told: usize,
    /// How much people have heard of, entries and an early end: the revision of their pages.
    pub revision: u64,
    /// What seats knew when, as far as it was asked.
    pub moments: HashMap<Seat, Moments>,
    /// Whether machines are at work.
    working: bool,
}

impl Stored {
    /// What is left of it if it cannot be played on.
    fn wrecked(&self, damage: Damage) -> Wreck {
        let holders = (0u8..).zip(&self.seats).filter_map(|(seat, s)| Some((Seat(seat), s.holder?))).collect();
        let record = Record { branch: None, result: None, ..self.record.clone() };
        Wreck { damage, over: self.record.result.is_some(), record: Some(record), holders }
    }
}

/// Why a stored match has no table.
pub(crate) enum Unseated {
    /// Its game, its options or its players are refused.
    Refused(Problem),
    /// Its log cannot be played again.
    Damaged(Box<Wreck>),
}

impl Unseated {
    fn broken() -> Unseated {
        Unseated::Damaged(Box::new(Wreck::of(Damage::Broken)))
    }
}

impl Sitting {
    fn of(games: &Games, stored: Stored) -> Result<Sitting, Unseated> {
        let Stored { record, seats, .. } = &stored;
        let sitter = |(seat, player): (&StoredSeat, &String)| match seat.kind {
            Kind::Machine => Sitter::Machine(player.clone()),
            Kind::Person | Kind::Friend => Sitter::Person,
        };
        let sitters = seats.iter().zip(&record.players).map(sitter).collect();
        let setup = games.of_record(record).map_err(|bad| Unseated::Refused(bad.why.into()))?;
        let mut table = setup.deal(record.seed, sitters).map_err(Unseated::Refused)?;
        let played = record.entries.iter().position(|entry| table.enter(entry).is_err());
        let damage = match (played, &record.result, table.turn()) {
            (Some(n), ..) => Some(Damage::Entry(n + 1)),
            (None, Some(Ending { forfeit: None, .. }), Turn::Of(_)) => Some(Damage::End),
            (None, ..) => None,
        };
        if let Some(damage) = damage {
            let mut wreck = stored.wrecked(damage);
            if let (Some(record), Some(n)) = (&mut wreck.record, played) {
                record.entries.truncate(n);
            }
            return Err(Unseated::Damaged(Box::new(wreck)));
        }
        let Stored { mut record, owner, seeded, seats, .. } = stored;
        if let (None, Turn::Over(outcome)) = (&record.result, table.turn()) {
            // The log says how it ended.
            record.result = Some(Ending::by_rules(outcome));
        }
        let told = table.events();
        let mut sitting =
            Sitting { table, record, owner, seeded, seats, told, revision: 0, moments: HashMap::new(), working: false };
        sitting.tell();
        Ok(sitting)
    }

    /// How many things have happened: entries, and an end that is none.
    fn happened(&self) -> u64 {
        let early = self.record.result.as_ref().is_some_and(|r| r.forfeit.is_some());
        self.record.entries.len() as u64 + u64::from(early)
    }

    /// Whether the match is over.
    pub(crate) fn is_over(&self) -> bool {
        self.record.result.is_some()
    }

    /// The seat to move as far as people have heard.
    pub(crate) fn turn(&self, events: usize) -> Option<Seat> {
        match self.table.turn_at(events) {
            Turn::Of(_) if self.is_over() && events >= self.told => None,
            Turn::Of(seat) => Some(seat),
            Turn::Over(_) => None,
        }
    }

    /// Whether somebody holds a seat.
    pub(crate) fn holds(&self, seat: Seat, holder: &Holder) -> bool {
        self.seats.get(seat.index()).is_some_and(|s| s.holder.as_ref() == Some(holder))
    }

    /// The seats as everybody sees them.
    pub(crate) fn seat_infos(&self, holder: Option<&Holder>) -> Vec<SeatInfo> {
        let info = |(seat, stored): (u8, &StoredSeat)| SeatInfo {
            seat,
            kind: stored.kind.name().to_string(),
            player: match stored.kind {
                Kind::Machine => self.record.players[usize::from(seat)].clone(),
                Kind::Person | Kind::Friend => String::new(),
            },
            mine: holder.is_some_and(|h| self.holds(Seat(seat), h)),
            helper: self.record.helpers[usize::from(seat)],
            says: self.table.says(Seat(seat)),
        };
        (0u8..).zip(&self.seats).map(info).collect()
    }

    /// How it ended, with what was hidden till then.
    pub(crate) fn ended(&self) -> Option<Ended> {
        let ending = self.record.result.as_ref()?;
        let deal = self.table.truth(1);
        Some(Ended {
            scores: ending.outcome.scores.clone(),
            words: ending.outcome.words.clone(),
            deal: deal.first().map_or_else(String::new, |line| line.text.clone()),
            seed: self.record.seed.to_string(),
            forfeit: ending.forfeit.as_ref().map(|f| f.seat.0),
            resigned: ending.is_resignation(),
        })
    }

    /// Refuses what was decided on a page that is out of date.
    fn is_page(&self, revision: u64) -> Result<(), Failed> {
        if self.revision == revision { Ok(()) } else { Err(Failed::outdated(self.revision)) }
    }

    fn has_people(&self) -> bool {
        self.seats.iter().any(|s| s.kind != Kind::Machine)
    }

    fn tell(&mut self) {
        self.told = self.table.events();
        self.revision = self.happened();
    }

    fn carry_out(&mut self, entry: Entry, ending: Option<Ending>) -> Result<(), Failed> {
        self.table.enter(&entry).map_err(|_| Failed::internal())?;
        if entry == Entry::Undo {
            self.moments.clear();
        }
        self.record.entries.push(entry);
        self.record.result = ending;
        Ok(())
    }
}

/// A table in memory, and who waits for news of it.
pub(crate) struct Slot {
    /// The name of the match.
    pub id: String,
    /// The table. Held while a move is stored, so that moves come one after the other.
    pub sitting: tokio::sync::Mutex<Sitting>,
    /// Tells that something has changed.
    pub changed: watch::Sender<u64>,
    touched: AtomicU64,
}

impl Slot {
    /// Notes that somebody is interested.
    pub(crate) fn touch(&self) {
        self.touched.store(crate::store::now(), Relaxed);
    }

    /// Tells everybody who waits.
    pub(crate) fn news(&self, sitting: &Sitting) {
        self.changed.send_replace(sitting.revision);
    }
}

/// The tables in memory.
#[derive(Default)]
pub(crate) struct Hall {
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    /// Matches that were played again without a fault. What is added to them later was checked before it was stored.
    sound: Mutex<HashSet<String>>,
}

/// How many names of sound matches are remembered.
const SOUND: usize = 100_000;

impl Hall {
    fn slots(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table of a match, read from disk if it is not in memory.
    pub(crate) async fn find(&self, app: &Arc<App>, id: &str) -> Result<Arc<Slot>, Failed> {
        let found = self.slots().get(id).cloned();
        let slot = match found {
            Some(slot) => slot,
            None => {
                let (app, id) = (Arc::clone(app), id.to_string());
                let read = move || -> Result<Arc<Slot>, Failed> {
                    let stored = match app.store.load(&id).map_err(|e| Failed::unread(&e))? {
                        None => return Err(Failed::no_match()),
                        Some(Loaded::Damaged(wreck)) => return Err(Failed::damaged(&wreck)),
                        Some(Loaded::Whole(stored)) => *stored,
                    };
                    let seated = catch_unwind(AssertUnwindSafe(|| app.hall.seat(&app, stored)));
                    seated.unwrap_or_else(|_| Err(Unseated::broken())).map_err(|unseated| match unseated {
                        Unseated::Refused(_) => {
                            let wreck = app.hall.wreck(&app, &id);
                            Failed::damaged(&wreck.unwrap_or_else(|| Wreck::of(Damage::Unknown)))
                        }
                        Unseated::Damaged(wreck) => Failed::damaged(&wreck),
                    })
                };
                tokio::task::spawn_blocking(read).await.map_err(|_| Failed::internal())??
            }
        };
        slot.touch();
        go_on(app, &slot).await;
        Ok(slot)
    }

    /// What is left of a stored match that cannot be played on; none if it can, or if there is none of this name. Slow for
    /// a match that nobody has asked about since the start: all of it is played again.
    pub(crate) fn wreck(&self, app: &App, id: &str) -> Option<Wreck> {
        let mut sound = self.sound.lock().unwrap_or_else(PoisonError::into_inner);
        if sound.contains(id) || self.holds(id) {
            return None;
        }
        drop(sound);
        let examine = || match app.store.load(id) {
            Ok(None) => None,
            Ok(Some(Loaded::Damaged(wreck))) => Some(*wreck),
            Err(_) => Some(Wreck::of(Damage::Broken)),
            Ok(Some(Loaded::Whole(stored))) => match Sitting::of(&app.config.games, (*stored).clone()) {
                Ok(_) => None,
                Err(Unseated::Damaged(wreck)) => Some(*wreck),
                Err(Unseated::Refused(_)) => Some(stored.wrecked(Damage::Unknown)),
            },
        };
        let wreck = catch_unwind(AssertUnwindSafe(examine)).unwrap_or_else(|_| Some(Wreck::of(Damage::Broken)));
        if wreck.is_none() {
            sound = self.sound.lock().unwrap_or_else(PoisonError::into_inner);
            if sound.len() >= SOUND {
                sound.clear();
            }
            sound.insert(id.to_string());
        }
        wreck
    }

    /// Whether a match is in memory.
    pub(crate) fn holds(&self, id: &str) -> bool {
        self.slots().contains_key(id)
    }

    /// Puts a match into memory, unless it is there.
    pub(crate) fn seat(&self, app: &Arc<App>, stored: Stored) -> Result<Arc<Slot>, Unseated> {
        let id = stored.id.clone();
        let sitting = Sitting::of(&app.config.games, stored)?;
        let mut slots = self.slots();
        let slot = slots.entry(id.clone()).or_insert_with(|| {
            app.metrics.tables.fetch_add(1, Relaxed);
            Arc::new(Slot {
                id,
                changed: watch::Sender::new(sitting.revision),
                sitting: tokio::sync::Mutex::new(sitting),
                touched: AtomicU64::new(crate::store::now()),
            })
        });
        Ok(Arc::clone(slot))
    }

    /// Lets go of a table that could not be stored.
    pub(crate) fn forget(&self, app: &App, slot: &Slot) {
        if self.slots().remove(&slot.id).is_some() {
            app.metrics.tables.fetch_sub(1, Relaxed);
        }
    }

    /// Lets go of the tables that nobody looked at for long; they are on disk.
    pub(crate) fn sweep(&self, app: &App) {
        let before = crate::store::now().saturating_sub(app.config.limits.idle.as_secs());
        let mut slots = self.slots();
        let many = slots.len();
        // Whoever still holds it, a live connection or a machine at work, keeps it here.
        slots.retain(|_, slot| {
            slot.touched.load(Relaxed) >= before || Arc::strong_count(slot) > 1 || slot.changed.receiver_count() > 0
        });
        app.metrics.tables.fetch_sub((many - slots.len()) as i64, Relaxed);
    }
}

/// Stores an entry and carries it out. The match is unchanged if it cannot be stored.
async fn store(
    app: &App,
    slot: &Slot,
    sitting: &mut Sitting,
    entry: Entry,
    outcome: Option<Outcome>,
) -> Result<(), Failed> {
    let ending = outcome.map(Ending::by_rules);
    let result = ending.as_ref().map(|ending| result_data(&sitting.record, ending));
    let stored = app.store.append(&slot.id, sitting.record.entries.len(), Some(entry.clone()), result).await;
    if let Err(error) = stored {
        app.metrics.unstored.fetch_add(1, Relaxed);
        return Err(Failed::unstored(&error));
    }
    if ending.is_some() {
        app.metrics.ended.fetch_add(1, Relaxed);
    }
    sitting.carry_out(entry, ending)
}

fn result_data(record: &Record, ending: &Ending) -> serde_json::Value {
    let ended = Record { result: Some(ending.clone()), entries: Vec::new(), ..record.clone() };
    ended.to_data()["result"].take()
}

/// A move of a person: checked, stored, carried out. The machines go on afterwards.
pub(crate) async fn play(
    app: &Arc<App>,
    slot: &Arc<Slot>,
    seat: Seat,
    text: &str,
    revision: u64,
) -> Result<u64, Failed> {
    let revision = {
        let mut sitting = slot.sitting.lock().await;
        if sitting.is_over() {
            return Err(Failed::conflict("over", "the match is over"));
        }
        if sitting.table.turn() != Turn::Of(seat) {
            return Err(Failed::conflict("not-your-turn", "it is not your turn"));
        }
        sitting.is_page(revision)?;
        let (entry, outcome) = sitting.table.read(text).map_err(Failed::refused)?;
        store(app, slot, &mut sitting, entry, outcome).await?;
        sitting.tell();
        slot.news(&sitting);
        sitting.revision
    };
    go_on(app, slot).await;
    Ok(revision)
}

/// A person gives the match up, whoever is to move. It ends for everybody.
pub(crate) async fn resign(app: &Arc<App>, slot: &Arc<Slot>, seat: Seat, revision: u64) -> Result<u64, Failed> {
    let mut sitting = slot.sitting.lock().await;
    if sitting.is_over() {
        return Err(Failed::conflict("over", "the match is over"));
    }
    sitting.is_page(revision)?;
    let ending = Ending::resigned(sitting.seats.len(), seat);
    end_early(app, slot, &mut sitting, ending).await?;
    sitting.tell();
    slot.news(&sitting);
    Ok(sitting.revision)
}

/// Takes back the last action, as it stands on the page of this revision.
pub(crate) async fn undo(app: &Arc<App>, slot: &Arc<Slot>, seat: Seat, revision: u64) -> Result<u64, Failed> {
    let revision = {
        let mut sitting = slot.sitting.lock().await;
        if sitting.is_over() {
            return Err(Failed::conflict("over", "the match is over: nothing can be taken back"));
        }
        sitting.is_page(revision)?;
        sitting.table.can_undo(seat).map_err(Failed::refused)?;
        store(app, slot, &mut sitting, Entry::Undo, None).await?;
        sitting.tell();
        slot.news(&sitting);
        sitting.revision
    };
    go_on(app, slot).await;
    Ok(revision)
}

/// Lets the machines move, if it is their turn and they are not at work already.
async fn go_on(app: &Arc<App>, slot: &Arc<Slot>) {
    let mut sitting = slot.sitting.lock().await;
    if sitting.working || sitting.is_over() || machine_to_move(&sitting).is_none() {
        return;
    }
    sitting.working = true;
    drop(sitting);
    let (app, slot) = (Arc::clone(app), Arc::clone(slot));
    tokio::spawn(async move {
        let (at, table) = (Arc::clone(&app), Arc::clone(&slot));
        let work = tokio::spawn(async move { while step(&at, &table).await {} });
        if work.await.is_err() {
            // An error of ours: the machines try again when somebody looks.
            slot.sitting.lock().await.working = false;
        }
    });
}

fn machine_to_move(sitting: &Sitting) -> Option<Seat> {
    match sitting.table.turn() {
        Turn::Of(seat) if sitting.seats[seat.index()].kind == Kind::Machine => Some(seat),
        Turn::Of(_) | Turn::Over(_) => None,
    }
}

/// One move of a machine. False when it is a person's turn, the match is over, or nothing can be stored.
async fn step(app: &Arc<App>, slot: &Arc<Slot>) -> bool {
    let closing = *app.closing.borrow();
    let mut sitting = slot.sitting.lock().await;
    let Some(seat) = machine_to_move(&sitting).filter(|_| !sitting.is_over() && !closing) else {
        return rest(slot, &mut sitting);
    };
    if may_be_taken_back(&sitting) && !app.config.grace.is_zero() {
        // Nobody has learned anything yet: time for second thoughts.
        let entries = sitting.record.entries.len();
        drop(sitting);
        tokio::time::sleep(app.config.grace).await;
        sitting = slot.sitting.lock().await;
        if sitting.record.entries.len() != entries {
            return true;
        }
    }
    let Some(thinking) = sitting.table.think() else {
        return sitting.table.reseat(seat).is_ok() || rest(slot, &mut sitting);
    };
    let entries = sitting.record.entries.len();
    let player = format!("{}/{}", sitting.record.game, sitting.record.players[seat.index()]);
    drop(sitting);
    let thought = think(app, &player, thinking).await;
    let mut sitting = slot.sitting.lock().await;
    if sitting.is_over() {
        // Somebody resigned meanwhile.
        return rest(slot, &mut sitting);
    }
    if sitting.record.entries.len() != entries {
        // Something was taken back meanwhile: what was thought is about another past.
        return sitting.table.reseat(seat).is_ok() || rest(slot, &mut sitting);
    }
    let done = match thought {
        Ok(thought) => {
            let read = thought.action.as_ref().ok().map(|action| sitting.table.read(action));
            sitting.table.thought(thought);
            match read {
                Some(Ok((entry, outcome))) => store(app, slot, &mut sitting, entry, outcome).await.is_ok(),
                Some(Err(_)) => forfeit(app, slot, &mut sitting, seat, "it chose what is not allowed").await,
                None => forfeit(app, slot, &mut sitting, seat, "it could not go on").await,
            }
        }
        Err(Undone::TooLong) => forfeit(app, slot, &mut sitting, seat, "it thought for too long").await,
        Err(Undone::Panicked) => forfeit(app, slot, &mut sitting, seat, "it met an error of its own").await,
        Err(Undone::Busy) => {
            let again = sitting.table.reseat(seat).is_ok();
            drop(sitting);
            tokio::time::sleep(Duration::from_millis(200)).await;
            return again;
        }
    };
    if !done {
        // The disk refuses: the machine thinks again in a while.
        let again = sitting.table.reseat(seat).is_ok();
        drop(sitting);
        tokio::time::sleep(REFUSED).await;
        return again;
    }
    if sitting.is_over() || !sitting.has_people() {
        sitting.tell();
        slot.news(&sitting);
    }
    true
}

fn may_be_taken_back(sitting: &Sitting) -> bool {
    let people = (0u8..).zip(&sitting.seats).filter(|(_, s)| s.kind == Kind::Person).map(|(s, _)| Seat(s));
    people.into_iter().any(|seat| sitting.table.can_undo(seat).is_ok())
}

/// The machines have done what they could: people hear of it.
fn rest(slot: &Slot, sitting: &mut Sitting) -> bool {
    sitting.working = false;
    if sitting.told != sitting.table.events() || sitting.revision != sitting.happened() {
        sitting.tell();
        slot.news(sitting);
    }
    false
}

async fn think(app: &App, player: &str, thinking: Thinking) -> Result<Thought, Undone> {
    let lane = app.pool.lane_of(player);
    let (thought, time) = app.pool.run(lane, app.config.limits.think, thinking).await?;
    app.pool.took(player, time);
    app.metrics.thinking.note(time);
    Ok(thought)
}

async fn forfeit(app: &App, slot: &Slot, sitting: &mut Sitting, seat: Seat, why: &str) -> bool {
    let ending = Ending::forfeited(sitting.seats.len(), seat, why);
    end_early(app, slot, sitting, ending).await.is_ok()
}

/// Stores an end that the rules do not give. The match is unchanged if it cannot be stored.
async fn end_early(app: &App, slot: &Slot, sitting: &mut Sitting, ending: Ending) -> Result<(), Failed> {
    let result = result_data(&sitting.record, &ending);
    let stored = app.store.append(&slot.id, sitting.record.entries.len(), None, Some(result)).await;
    if let Err(error) = stored {
        app.metrics.unstored.fetch_add(1, Relaxed);
        return Err(Failed::unstored(&error));
    }
    app.metrics.ended.fetch_add(1, Relaxed);
    sitting.record.result = Some(ending);
    Ok(())
}
