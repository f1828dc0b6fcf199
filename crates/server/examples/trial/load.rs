//! Many matches at once: how long a move takes.

use crate::http::Http;
use crate::player::{Person, Turn};
use crate::{Data, Serving, Settings};
use std::time::{Duration, Instant};

/// The target: 99 of 100 moves within this time.
const TARGET: Duration = Duration::from_millis(100);

pub(crate) async fn run(settings: &Settings) -> Result<(), String> {
    let data = Data::new("load");
    let server = Serving::start(&settings.ken, &data.0, None)?;
    let end = Instant::now() + Duration::from_secs(settings.seconds);
    let pace = Duration::from_millis(settings.pace);
    let mut people = Vec::new();
    for who in 0..settings.matches as u64 {
        people.push(Person::sit(&server.address, who).await?);
    }
    println!("{} matches begun; a move every {} ms each, for {} s", people.len(), settings.pace, settings.seconds);
    let playing: Vec<_> =
        (0u64..).zip(people).map(|(who, person)| tokio::spawn(play(person, who, pace, end))).collect();
    let (mut took, mut over) = (Vec::new(), 0);
    for one in playing {
        let (times, ended) = one.await.map_err(|e| e.to_string())??;
        took.extend(times);
        over += ended;
    }
    took.sort_unstable();
    let at = |share: f64| took.get(((took.len() as f64 * share) as usize).min(took.len().saturating_sub(1))).copied();
    let ms = |d: Option<Duration>| d.map_or(0.0, |d| d.as_secs_f64() * 1000.0);
    println!("moves {}, matches ended and begun again {over}", took.len());
    println!(
        "p50 {:.1} ms, p90 {:.1} ms, p99 {:.1} ms, worst {:.1} ms",
        ms(at(0.5)),
        ms(at(0.9)),
        ms(at(0.99)),
        ms(took.last().copied())
    );
    let metrics = metrics(&server.address).await?;
    for line in metrics.lines().filter(|l| l.contains("_count") || l.contains("_sum") || l.starts_with("ken_tables")) {
        println!("  {line}");
    }
    match at(0.99) {
        Some(p99) if p99 <= TARGET => Ok(()),
        Some(p99) => Err(format!("p99 is {p99:?}, more than {TARGET:?}")),
        None => Err("no move was made".to_string()),
    }
}

/// Plays until the time is over, at a new table whenever a match ends.
async fn play(mut person: Person, who: u64, pace: Duration, end: Instant) -> Result<(Vec<Duration>, usize), String> {
    let (mut took, mut over) = (Vec::new(), 0);
    let address = person.http.address().to_string();
    // Not all at the same instant.
    tokio::time::sleep(pace * (who % 97) as u32 / 97).await;
    while Instant::now() < end {
        match tokio::time::timeout(end.saturating_duration_since(Instant::now()), person.turn(pace)).await {
            Err(_) => break,
            Ok(turn) => match turn? {
                Turn::Moved(moved) => took.push(moved.took),
                Turn::Refused(status, problem) => return Err(format!("a move was refused: {status} {problem}")),
                Turn::Over => {
                    over += 1;
                    person = Person::sit(&address, who).await?;
                }
            },
        }
    }
    Ok((took, over))
}

async fn metrics(address: &str) -> Result<String, String> {
    let mut http = Http::new(address, u64::MAX);
    http.text("/metrics").await
}
