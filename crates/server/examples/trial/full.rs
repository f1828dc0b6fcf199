//! A disk that is full: an error, no corruption, and the match goes on when there is room again.

use crate::kill::{book, check, note};
use crate::player::{Person, Turn};
use crate::{Data, Serving, Settings};
use std::time::Duration;

/// The largest file that the server may write, in blocks of 1,024 bytes.
const ROOM: u32 = 200;

pub(crate) async fn run(settings: &Settings) -> Result<(), String> {
    let data = Data::new("full");
    let book = book();
    let server = Serving::start(&settings.ken, &data.0, Some(ROOM))?;
    let mut who = 0;
    let mut person = Person::sit(&server.address, who).await?;
    let refused = loop {
        match person.turn(Duration::ZERO).await? {
            Turn::Moved(moved) => note(&book, &person.id, moved.revision, &moved.action),
            Turn::Refused(status, problem) => break (status, problem),
            Turn::Over => {
                who += 1;
                person = match Person::sit(&server.address, who).await {
                    Ok(person) => person,
                    // No room for a new match either.
                    Err(message) => break (507, message.into()),
                };
            }
        }
    };
    println!("full: {} {}", refused.0, refused.1);
    if refused.0 != 507 {
        return Err("a full disk must be answered with 507".to_string());
    }
    let mut asking = person.again(&server.address, who);
    asking.http.ok("GET", "/api/matches", None).await?;
    server.kill();
    let kept = check(&data, &book)?;
    println!("{kept} acknowledged moves are there, and the database is whole");
    let server = Serving::start(&settings.ken, &data.0, None)?;
    let mut person = person.again(&server.address, who);
    match person.turn(Duration::ZERO).await? {
        Turn::Moved(_) | Turn::Over => println!("with room again, it goes on"),
        Turn::Refused(status, problem) => return Err(format!("it does not go on: {status} {problem}")),
    }
    Ok(())
}
