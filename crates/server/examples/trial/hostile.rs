//! Requests that no browser sends: all are refused, and the server answers the next one.

use crate::http::{Http, read};
use crate::player::Person;
use crate::{Data, Serving, Settings};
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// How many idle connections are held open.
const IDLE: usize = 500;

pub(crate) async fn run(settings: &Settings) -> Result<(), String> {
    let data = Data::new("hostile");
    let server = Serving::start(&settings.ken, &data.0, None)?;
    let person = Person::sit(&server.address, 1).await?;
    let id = &person.id;
    let raw: Vec<(&str, Vec<u8>)> = vec![
        ("no HTTP", b"\x00\x01\x02\xff\xfe\r\n\r\n".to_vec()),
        ("no end of the head", [b"GET / HTTP/1.1\r\nx: ".as_slice(), &[b'a'; 1 << 20], b"\r\n\r\n"].concat()),
        (
            "a length that lies",
            b"POST /api/matches HTTP/1.1\r\nhost: k\r\ncontent-length: 99999999999\r\n\r\n{}".to_vec(),
        ),
        (
            "two lengths",
            b"POST /api/matches HTTP/1.1\r\nhost: k\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}".to_vec(),
        ),
        ("climbing out", b"GET /../../etc/passwd HTTP/1.1\r\nhost: k\r\n\r\n".to_vec()),
        ("climbing out of the files", b"GET /assets/..%2f..%2fCargo.toml HTTP/1.1\r\nhost: k\r\n\r\n".to_vec()),
        ("a name that is no text", b"GET /api/matches/%ff%fe HTTP/1.1\r\nhost: k\r\n\r\n".to_vec()),
        ("another method", b"DELETE /api/matches HTTP/1.1\r\nhost: k\r\n\r\n".to_vec()),
    ];
    for (name, bytes) in raw {
        let status = shout(&server.address, &bytes).await;
        println!("{name}: {}", status.map_or("the connection is closed".to_string(), |s| s.to_string()));
        if status.is_some_and(|s| s >= 500) {
            return Err(format!("{name}: the server is at fault"));
        }
        if name.starts_with("climbing") && status == Some(200) && !bytes.starts_with(b"GET /../") {
            return Err(format!("{name}: a file was given out"));
        }
        well(&server.address).await?;
    }
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let deep_formula = format!("/api/matches/{id}/seats/0/know?filter={}", "!".repeat(3_000));
    let mut forger = Http::new(&server.address, 77);
    let body = |text: &str| Some(json!({"action": text, "revision": 0}));
    let tries = [
        ("POST", format!("/api/matches/{id}/seats/0/moves"), body("end"), 403),
        ("GET", format!("/api/matches/{id}/seats/0"), None, 403),
        ("GET", format!("/api/matches/{id}/seats/255"), None, 404),
        ("GET", format!("/api/matches/{id}/seats/256"), None, 400),
        ("GET", format!("/api/matches/{id}/record"), None, 409),
        ("GET", format!("/api/matches/{id}/all"), None, 409),
        ("GET", deep_formula, None, 403),
        ("POST", "/api/matches".to_string(), serde_json::from_str(&deep).ok(), 400),
        ("POST", "/api/join/0000".to_string(), None, 404),
        ("GET", "/api/shared/0000".to_string(), None, 404),
        ("PUT", format!("/api/matches/{id}/seats/0/notes"), Some(json!({"marks": {}})), 403),
    ];
    for (method, path, body, expected) in tries {
        let (status, _) = forger.send(method, &path, body).await?;
        println!("{method} {}: {status}", path.chars().take(60).collect::<String>());
        if status != expected {
            return Err(format!("{method} {path}: {status} instead of {expected}"));
        }
    }
    let mut idle = Vec::new();
    for _ in 0..IDLE {
        let mut stream = TcpStream::connect(&server.address).await.map_err(|e| e.to_string())?;
        stream.write_all(b"GET / HTTP/1.1\r\n").await.map_err(|e| e.to_string())?;
        idle.push(stream);
    }
    well(&server.address).await?;
    println!("with {IDLE} connections that never finish their request: well");
    Ok(())
}

async fn shout(address: &str, bytes: &[u8]) -> Option<u16> {
    let mut stream = BufReader::new(TcpStream::connect(address).await.ok()?);
    // The server may hang up before it has read all.
    let _ = stream.get_mut().write_all(bytes).await;
    let _ = stream.get_mut().shutdown().await;
    tokio::time::timeout(Duration::from_secs(5), read(&mut stream)).await.ok()?.ok().map(|(status, _)| status)
}

async fn well(address: &str) -> Result<(), String> {
    let mut http = Http::new(address, 5);
    match http.send("GET", "/health", None).await? {
        (200, _) => Ok(()),
        (status, _) => Err(format!("/health says {status}")),
    }
}
