//! A disk that is full: an error, no corruption, and the match goes on when there is room again.

use crate::kill::{book, check, note};
use crate::player::{Person, Turn};
use crate::{Data, Serving, Settings};
use std::time::Duration;

/// The largest file that the server may write, in blocks of 1,024 bytes.
const ROOM: u32 = 200;

/// How long a machine's move is waited for.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) async fn run(settings: &Settings) -> Result<(), String> {
    let data = Data::new("full");
    let book = book();
    let server = Serving::start(&settings.ken, &data.0, Some(ROOM))?;
    let mut who = 0;
    let mut person = Person::sit(&server.address, who).await?;
    let refused = loop {
        let Ok(turn) = tokio::time::timeout(PATIENCE, person.turn(Duration::ZERO)).await else {
            // A machine cannot store its move and waits: then nobody else can store anything either.
            match Person::sit(&server.address, who + 1).await {
                Ok(_) => continue,
                Err(message) => break (if message.contains(" 507 ") { 507 } else { 0 }, message.into()),
            }
        };
        match turn? {
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
    let turn = tokio::time::timeout(4 * PATIENCE, person.turn(Duration::ZERO)).await;
    match turn.map_err(|_| "the machines do not go on".to_string())?? {
        Turn::Moved(_) | Turn::Over => println!("with room again, it goes on"),
        Turn::Refused(status, problem) => return Err(format!("it does not go on: {status} {problem}")),
    }
    Ok(())
}
