//! Killed at random instants: nothing that was acknowledged is lost.

use crate::player::{Person, Turn};
use crate::{Data, Serving, Settings};
use rusqlite::Connection;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How many play at once.
const PEOPLE: u64 = 6;

/// The acknowledged moves: match and revision to action.
type Book = Arc<Mutex<HashMap<(String, u64), String>>>;

pub(crate) async fn run(settings: &Settings) -> Result<(), String> {
    let data = Data::new("kill");
    let book = Book::default();
    let mut people: Vec<Person> = Vec::new();
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    for time in 0..settings.times {
        let server = Serving::start(&settings.ken, &data.0, None)?;
        people = match people.len() {
            0 => {
                let mut new = Vec::new();
                for who in 0..PEOPLE {
                    new.push(Person::sit(&server.address, who).await?);
                }
                new
            }
            _ => (0u64..).zip(&people).map(|(who, p)| p.again(&server.address, who)).collect(),
        };
        let playing: Vec<_> = people.drain(..).map(|person| tokio::spawn(play(person, Arc::clone(&book)))).collect();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        tokio::time::sleep(Duration::from_millis(20 + random % 500)).await;
        server.kill();
        for one in playing {
            people.push(one.await.map_err(|e| e.to_string())?);
        }
        let acknowledged = check(&data, &book)?;
        if (time + 1) % 20 == 0 || time + 1 == settings.times {
            println!("{} kills, {acknowledged} acknowledged moves, none lost", time + 1);
        }
        // Matches that ended are left behind.
        if (time + 1) % 25 == 0 {
            people.clear();
        }
    }
    Ok(())
}

/// Plays as fast as it can until the server is gone.
async fn play(mut person: Person, book: Book) -> Person {
    while let Ok(Turn::Moved(moved)) = person.turn(Duration::ZERO).await {
        if let Ok(mut book) = book.lock() {
            book.insert((person.id.clone(), moved.revision), moved.action);
        }
    }
    person
}

/// Looks up every acknowledged move in the database.
pub(crate) fn check(data: &Data, book: &Book) -> Result<usize, String> {
    let database = Connection::open(data.0.join("ken.sqlite")).map_err(|e| e.to_string())?;
    let whole: String =
        database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).map_err(|e| e.to_string())?;
    if whole != "ok" {
        return Err(format!("the database is damaged: {whole}"));
    }
    let book = book.lock().map_err(|e| e.to_string())?;
    for ((id, revision), action) in book.iter() {
        let stored: Result<String, _> = database.query_row(
            "SELECT entry FROM entries WHERE match = ? AND n = ?",
            rusqlite::params![id, revision - 1],
            |row| row.get(0),
        );
        if stored.as_ref().ok() != Some(action) {
            return Err(format!("`{action}` was acknowledged as entry {revision} of {id}, and {stored:?} is there"));
        }
    }
    Ok(book.len())
}

/// Notes an acknowledged move.
pub(crate) fn note(book: &Book, id: &str, revision: u64, action: &str) {
    if let Ok(mut book) = book.lock() {
        book.insert((id.to_string(), revision), action.to_string());
    }
}

/// An empty book.
pub(crate) fn book() -> Book {
    Book::default()
}
