//! Matches on disk: an append-only log in SQLite.
//!
//! One thread writes. It takes all that waits, stores it in one transaction and only then answers, so a move that was
//! acknowledged survives whatever happens to the process, and many tables share one flush of the disk. Reading goes
//! through a connection of its own, in `read`, and whatever is damaged there is damaged alone. Secrets of people (their
//! tokens) are stored as hashes.

use ken_games::list::Games;
use ken_games::record::{Entry, Record, UNDO};
use rusqlite::{Connection, Transaction, params};
use serde_json::Value;
use std::fmt;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::oneshot;

mod read;

pub(crate) use read::Loaded;

/// How many writes share a transaction at most.
const BATCH: usize = 512;

/// How long a write waits for another process that holds the file.
const WAIT: Duration = Duration::from_secs(5);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, setup TEXT NOT NULL, owner BLOB NOT NULL, seeded INTEGER NOT NULL,
    touched INTEGER NOT NULL, result TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
    match TEXT NOT NULL, n INTEGER NOT NULL, entry TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (match, n)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
    match TEXT NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL, holder BLOB, invite TEXT UNIQUE,
    consent INTEGER, notes TEXT NOT NULL DEFAULT '{}', PRIMARY KEY (match, seat)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS held ON seats (holder);
CREATE TABLE IF NOT EXISTS shares (code TEXT PRIMARY KEY, match TEXT NOT NULL, seat INTEGER NOT NULL) WITHOUT ROWID;
";

/// The hash of a client's token: who holds a seat.
pub(crate) type Holder = [u8; 32];

/// Who sits at a stored seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A person.
    Person,
    /// A person who has not come yet.
    Friend,
    /// A machine.
    Machine,
}

impl Kind {
    /// Every kind.
    pub(crate) const ALL: [Kind; 3] = [Kind::Person, Kind::Friend, Kind::Machine];

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Person => "person",
            Kind::Friend => "friend",
            Kind::Machine => "machine",
        }
    }
}

/// A seat as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct StoredSeat {
    /// Who sits there.
    pub kind: Kind,
    /// The person who holds it.
    pub holder: Option<Holder>,
    /// The invitation that was not used yet.
    pub invite: Option<String>,
    /// Whether the person agreed to study.
    pub consent: Option<bool>,
    /// The private notes, as JSON.
    pub notes: String,
}

/// A match as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// Its name.
    pub id: String,
    /// All of it.
    pub record: Record,
    /// Who began it.
    pub owner: Holder,
    /// Whether the deal was asked for by its seed.
    pub seeded: bool,
    /// The seats.
    pub seats: Vec<StoredSeat>,
}

/// A match in a list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// Its name.
    pub id: String,
    /// The game's name; empty if it cannot be read.
    pub game: String,
    /// The players by seat, as far as they can be read.
    pub players: Vec<String>,
    /// How it ended, in words.
    pub ended: Option<String>,
    /// When something last happened, in seconds since 1970.
    pub touched: u64,
    /// How many entries it has.
    pub moves: usize,
    /// The seats of the one who asks.
    pub mine: Vec<u8>,
    /// Who sits at each seat.
    pub kinds: Vec<Kind>,
}

/// Why something could not be stored or read.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// The database refuses: the disk is full, the file is damaged, …
    Database(rusqlite::Error),
    /// The writer has stopped: the server is going down.
    Closed,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Database(error) => write!(f, "the database says: {error}"),
            StoreError::Closed => f.write_str("the server is going down"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        StoreError::Database(error)
    }
}

type Write = Box<dyn Fn(&Transaction<'_>) -> rusqlite::Result<()> + Send>;
type Reply = oneshot::Sender<Result<(), StoreError>>;

/// The matches on disk.
pub(crate) struct Store {
    writes: Mutex<Option<Sender<(Write, Reply)>>>,
    writer: Mutex<Option<std::thread::JoinHandle<()>>>,
    reader: Mutex<Connection>,
    /// The games whose records can be read.
    games: Games,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

impl Store {
    /// Opens the database, making it if it is not there.
    pub(crate) fn open(file: &Path, games: Games) -> Result<Arc<Store>, StoreError> {
        let connect = || {
            let connection = Connection::open(file)?;
            connection.busy_timeout(WAIT)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            Ok::<_, rusqlite::Error>(connection)
        };
        let mut writing = connect()?;
        writing.execute_batch(SCHEMA)?;
        let reading = connect()?;
        let (writes, queue) = channel();
        let writer = std::thread::Builder::new().name("store".into()).spawn(move || write(&mut writing, &queue));
        let writer = writer.map_err(|_| StoreError::Closed)?;
        Ok(Arc::new(Store {
            writes: Mutex::new(Some(writes)),
            writer: Mutex::new(Some(writer)),
            reader: Mutex::new(reading),
            games,
        }))
    }

    /// Stores what waits, and ends.
    pub(crate) fn close(&self) {
        locked(&self.writes).take();
        if let Some(writer) = locked(&self.writer).take() {
            // A writer that panicked has answered nobody: nothing was acknowledged.
            let _ = writer.join();
        }
    }

    async fn write(
        &self,
        write: impl Fn(&Transaction<'_>) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<(), StoreError> {
        let (reply, answer) = oneshot::channel();
        let sent = locked(&self.writes).as_ref().map(|w| w.send((Box::new(write), reply)));
        match sent {
            Some(Ok(())) => answer.await.unwrap_or(Err(StoreError::Closed)),
            _ => Err(StoreError::Closed),
        }
    }

    /// Stores a new match.
    pub(crate) async fn create(&self, stored: Stored) -> Result<(), StoreError> {
        self.write(move |t| {
            let mut setup = stored.record.to_data();
            setup["entries"] = Value::Array(Vec::new());
            let at = now() as i64;
            t.prepare_cached("INSERT INTO matches (id, setup, owner, seeded, touched) VALUES (?, ?, ?, ?, ?)")?
                .execute(params![stored.id, setup.to_string(), &stored.owner[..], stored.seeded, at])?;
            for (n, entry) in stored.record.entries.iter().enumerate() {
                append(t, &stored.id, n, entry, at)?;
            }
            for (seat, s) in stored.seats.iter().enumerate() {
                t.prepare_cached("INSERT INTO seats (match, seat, kind, holder, invite) VALUES (?, ?, ?, ?, ?)")?
                    .execute(params![stored.id, seat, s.kind.name(), s.holder.as_ref().map(|h| &h[..]), s.invite])?;
            }
            Ok(())
        })
        .await
    }

    /// Stores the entry that comes after `n` others, and the result if the match ended by it.
    pub(crate) async fn append(
        &self,
        id: &str,
        n: usize,
        entry: Option<Entry>,
        result: Option<Value>,
    ) -> Result<(), StoreError> {
        let id = id.to_string();
        self.write(move |t| {
            let at = now() as i64;
            if let Some(entry) = &entry {
                append(t, &id, n, entry, at)?;
            }
            let result = result.as_ref().map(Value::to_string);
            t.prepare_cached("UPDATE matches SET touched = ?, result = ifnull(?, result) WHERE id = ?")?
                .execute(params![at, result, id])?;
            Ok(())
        })
        .await
    }

    /// Gives the seat of an invitation to somebody.
    pub(crate) async fn join(&self, id: &str, seat: u8, holder: Holder) -> Result<(), StoreError> {
        let id = id.to_string();
        self.write(move |t| {
            t.prepare_cached(
                "UPDATE seats SET holder = ?, invite = NULL, kind = 'person' WHERE match = ? AND seat = ? AND kind = 'friend'",
            )?
            .execute(params![&holder[..], id, seat])?;
            Ok(())
        })
        .await
    }

    /// Stores the notes of a seat.
    pub(crate) async fn note(&self, id: &str, seat: u8, notes: String) -> Result<(), StoreError> {
        let id = id.to_string();
        self.write(move |t| {
            t.prepare_cached("UPDATE seats SET notes = ? WHERE match = ? AND seat = ?")?
                .execute(params![notes, id, seat])?;
            Ok(())
        })
        .await
    }

    /// Stores whether a person agrees to study.
    pub(crate) async fn consent(&self, id: &str, seat: u8, agree: bool) -> Result<(), StoreError> {
        let id = id.to_string();
        self.write(move |t| {
            t.prepare_cached("UPDATE seats SET consent = ? WHERE match = ? AND seat = ?")?
                .execute(params![agree, id, seat])?;
            Ok(())
        })
        .await
    }

    /// Stores a link to the sights of a seat.
    pub(crate) async fn share(&self, code: String, id: &str, seat: u8) -> Result<(), StoreError> {
        let id = id.to_string();
        self.write(move |t| {
            t.prepare_cached("INSERT INTO shares (code, match, seat) VALUES (?, ?, ?)")?
                .execute(params![code, id, seat])?;
            Ok(())
        })
        .await
    }

    /// How many matches somebody began that are not over and were touched since.
    pub(crate) fn unfinished(&self, owner: &Holder, since: u64) -> Result<usize, StoreError> {
        let reader = locked(&self.reader);
        let mut query = reader
            .prepare_cached("SELECT count(*) FROM matches WHERE owner = ? AND result IS NULL AND touched >= ?")?;
        Ok(query.query_row(params![&owner[..], since as i64], |row| row.get(0))?)
    }

    /// The names of the finished matches that people played and whose players all agreed to study; not those
    /// whose deal somebody may have known.
    pub(crate) fn for_study(&self) -> Result<Vec<String>, StoreError> {
        let reader = locked(&self.reader);
        let mut query = reader.prepare_cached(
            "SELECT id FROM matches m WHERE result IS NOT NULL AND seeded = 0
               AND EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id AND s.kind = 'person')
               AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id AND s.kind <> 'machine' AND s.consent IS NOT 1)
             ORDER BY touched, id",
        )?;
        let ids = query.query_map([], |row| Ok(row.get(0).ok()))?.collect::<Result<Vec<_>, _>>()?;
        Ok(ids.into_iter().flatten().collect())
    }

    /// Whether the database answers.
    pub(crate) fn answers(&self) -> bool {
        locked(&self.reader).query_row("SELECT 1", [], |_| Ok(())).is_ok()
    }
}

fn append(t: &Transaction<'_>, id: &str, n: usize, entry: &Entry, at: i64) -> rusqlite::Result<()> {
    let text = match entry {
        Entry::Play(action) => action,
        Entry::Undo => UNDO,
    };
    t.prepare_cached("INSERT INTO entries (match, n, entry, at) VALUES (?, ?, ?, ?)")?
        .execute(params![id, n, text, at])?;
    Ok(())
}

/// The writer: all that waits in one transaction; if one fails, each on its own, so that none suffers from another.
fn write(connection: &mut Connection, queue: &Receiver<(Write, Reply)>) {
    while let Ok(first) = queue.recv() {
        let batch: Vec<(Write, Reply)> = std::iter::once(first).chain(queue.try_iter().take(BATCH - 1)).collect();
        let together = transact(connection, batch.iter().map(|(write, _)| write));
        for (write, reply) in batch {
            let done = match &together {
                Ok(()) => Ok(()),
                Err(_) => transact(connection, std::iter::once(&write)),
            };
            // Who no longer waits does not hear it; it is stored all the same.
            let _ = reply.send(done.map_err(StoreError::Database));
        }
    }
}

fn transact<'a>(connection: &mut Connection, writes: impl Iterator<Item = &'a Write>) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    for write in writes {
        write(&transaction)?;
    }
    transaction.commit()
}
