//! A small client: one connection, one request at a time.

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A client with its token.
pub(crate) struct Http {
    address: String,
    token: String,
    stream: Option<BufReader<TcpStream>>,
}

impl Http {
    pub(crate) fn new(address: &str, token: u64) -> Http {
        let token = format!("{token:016x}").repeat(4);
        Http { address: address.to_string(), token, stream: None }
    }

    /// Sends a request and reads the answer: status and body.
    pub(crate) async fn send(&mut self, method: &str, path: &str, body: Option<Value>) -> Result<(u16, Value), String> {
        let body = body.map_or(String::new(), |b| b.to_string());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: ken\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.token,
            body.len()
        );
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(TcpStream::connect(&self.address).await.map_err(|e| e.to_string())?),
        };
        stream.get_mut().write_all((head + &body).as_bytes()).await.map_err(|e| e.to_string())?;
        let answer = read(&mut stream).await?;
        self.stream = Some(stream);
        Ok((answer.0, serde_json::from_slice(&answer.1).unwrap_or(Value::Null)))
    }

    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// An answer that is plain text.
    pub(crate) async fn text(&mut self, path: &str) -> Result<String, String> {
        let mut stream = BufReader::new(TcpStream::connect(&self.address).await.map_err(|e| e.to_string())?);
        let head = format!("GET {path} HTTP/1.1\r\nhost: ken\r\n\r\n");
        stream.get_mut().write_all(head.as_bytes()).await.map_err(|e| e.to_string())?;
        let (_, body) = read(&mut stream).await?;
        String::from_utf8(body).map_err(|e| e.to_string())
    }

    /// Sends a request that must be answered with 200.
    pub(crate) async fn ok(&mut self, method: &str, path: &str, body: Option<Value>) -> Result<Value, String> {
        match self.send(method, path, body).await? {
            (200, value) => Ok(value),
            (status, value) => Err(format!("{method} {path}: {status} {value}")),
        }
    }

    /// Waits for the next news of a match, on a connection of its own.
    pub(crate) async fn listen(&self, id: &str) -> Result<BufReader<TcpStream>, String> {
        let mut stream = TcpStream::connect(&self.address).await.map_err(|e| e.to_string())?;
        let head =
            format!("GET /api/matches/{id}/live HTTP/1.1\r\nhost: ken\r\nauthorization: Bearer {}\r\n\r\n", self.token);
        stream.write_all(head.as_bytes()).await.map_err(|e| e.to_string())?;
        Ok(BufReader::new(stream))
    }
}

/// Waits until a live connection says that something has changed.
pub(crate) async fn changed(stream: &mut BufReader<TcpStream>) -> Result<(), String> {
    let mut line = String::new();
    loop {
        line.clear();
        match stream.read_line(&mut line).await {
            Ok(0) | Err(_) => return Err("the live connection ended".to_string()),
            Ok(_) if line.starts_with("event: changed") => return Ok(()),
            Ok(_) => {}
        }
    }
}

/// Reads an answer: status and body.
pub(crate) async fn read(stream: &mut BufReader<TcpStream>) -> Result<(u16, Vec<u8>), String> {
    let mut line = String::new();
    let mut next = async |stream: &mut BufReader<TcpStream>| {
        line.clear();
        match stream.read_line(&mut line).await {
            Ok(0) => Err("the connection ended".to_string()),
            Ok(_) => Ok(line.trim_end().to_string()),
            Err(error) => Err(error.to_string()),
        }
    };
    let first = next(stream).await?;
    let status = first.split(' ').nth(1).and_then(|s| s.parse().ok()).ok_or(format!("no answer: {first:?}"))?;
    let mut length = 0;
    loop {
        let header = next(stream).await?.to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(|_| "a length that is no number".to_string())?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.map_err(|e| e.to_string())?;
    Ok((status, body))
}
