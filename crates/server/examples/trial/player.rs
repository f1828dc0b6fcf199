//! A person at a table, as a program: takes any option that is offered.

use crate::http::{Http, changed};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::io::BufReader;
use tokio::net::TcpStream;

/// The tables of a trial in turn: a game with its machines.
const TABLES: [(&str, &[&str]); 3] =
    [("cluedo", &["elimination", "inquirer"]), ("express", &["careful", "careful"]), ("yokai", &["paper"])];

/// A person at a table.
pub(crate) struct Person {
    pub(crate) http: Http,
    pub(crate) id: String,
    news: Option<BufReader<TcpStream>>,
    moves: usize,
}

/// A move that was acknowledged.
pub(crate) struct Acknowledged {
    /// The revision after it: how many entries there are.
    pub(crate) revision: u64,
    pub(crate) action: String,
    pub(crate) took: Duration,
}

/// What became of a turn.
pub(crate) enum Turn {
    Moved(Acknowledged),
    Refused(u16, Value),
    Over,
}

impl Person {
    /// Begins a match.
    pub(crate) async fn sit(address: &str, who: u64) -> Result<Person, String> {
        let mut http = Http::new(address, who);
        let (game, machines) = TABLES[who as usize % TABLES.len()];
        let machines = machines.iter().map(|m| json!({"kind": "machine", "player": m}));
        let seats: Value = std::iter::once(json!({"kind": "me"})).chain(machines).collect();
        let begun = http.ok("POST", "/api/matches", Some(json!({"game": game, "seats": seats, "helper": 2}))).await?;
        let id = begun["id"].as_str().ok_or("no name")?.to_string();
        Ok(Person { http, id, news: None, moves: 0 })
    }

    /// Goes on at the same table, at another server.
    pub(crate) fn again(&self, address: &str, who: u64) -> Person {
        Person { http: Http::new(address, who), id: self.id.clone(), news: None, moves: self.moves }
    }

    async fn desk(&mut self) -> Result<Value, String> {
        self.http.ok("GET", &format!("/api/matches/{}/seats/0", self.id), None).await
    }

    /// Waits for the turn, thinks, and moves.
    pub(crate) async fn turn(&mut self, pace: Duration) -> Result<Turn, String> {
        if self.news.is_none() {
            self.news = Some(self.http.listen(&self.id).await?);
        }
        let desk = loop {
            let desk = self.desk().await?;
            if !desk["ended"].is_null() {
                return Ok(Turn::Over);
            }
            let asked = |name: &str| desk[name].as_array().is_some_and(|o| !o.is_empty());
            if asked("options") || asked("open") {
                break desk;
            }
            if let Some(news) = &mut self.news {
                changed(news).await?;
            }
        };
        tokio::time::sleep(pace).await;
        let options = desk["options"].as_array().ok_or("no options")?;
        self.moves += 1;
        let action = match options.len() {
            0 => format!("{} alternate red and black", desk["open"][0].as_str().unwrap_or_default()),
            // Accusing and stopping end the match: rather not.
            many => (0..many)
                .map(|i| options[(self.moves * 7919 + i) % many].as_str().unwrap_or_default())
                .find(|a| !a.starts_with("accuse") && *a != "stop")
                .unwrap_or_default()
                .to_string(),
        };
        let path = format!("/api/matches/{}/seats/0/moves", self.id);
        let start = Instant::now();
        let sent = json!({"action": action, "revision": desk["revision"]});
        match self.http.send("POST", &path, Some(sent)).await? {
            (200, moved) => {
                let revision = moved["revision"].as_u64().ok_or("no revision")?;
                Ok(Turn::Moved(Acknowledged { revision, action, took: start.elapsed() }))
            }
            (status, problem) => Ok(Turn::Refused(status, problem)),
        }
    }
}
