//! Who asks: unguessable tokens in a cookie or a header. The server keeps their hashes only.

use crate::app::App;
use crate::routes::Failed;
use crate::store::Holder;
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, SET_COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// The name of the cookie.
pub(crate) const COOKIE_NAME: &str = "ken";

/// How long a browser keeps the cookie, in seconds.
const KEPT: u32 = 400 * 24 * 3600;

/// A random code of `bytes` bytes in hexadecimal.
pub(crate) fn code(bytes: usize) -> Result<String, getrandom::Error> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random)?;
    Ok(random.iter().map(|b| format!("{b:02x}")).collect())
}

fn hash(token: &str) -> Holder {
    Sha256::digest(token.as_bytes()).into()
}

fn is_token(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// The one who asks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    /// The hash of the token.
    pub holder: Holder,
    /// Where the request comes from.
    pub address: IpAddr,
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Failed;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Failed> {
        parts.extensions.get::<Client>().copied().ok_or_else(Failed::internal)
    }
}

/// The token of a request: a header for programs, a cookie for browsers.
fn token(headers: &HeaderMap) -> Option<String> {
    let bearer = headers.get(AUTHORIZATION).and_then(|h| h.to_str().ok()).and_then(|h| h.strip_prefix("Bearer "));
    if let Some(bearer) = bearer {
        return Some(bearer.trim()).filter(|t| is_token(t)).map(str::to_string);
    }
    let cookies = headers.get_all(COOKIE).iter().filter_map(|c| c.to_str().ok()).flat_map(|c| c.split(';'));
    let mut named = cookies.filter_map(|c| c.trim().split_once('=')).filter(|(name, _)| *name == COOKIE_NAME);
    named.next().map(|(_, value)| value).filter(|t| is_token(t)).map(str::to_string)
}

/// Knows who asks, gives newcomers a token, and refuses who asks too often.
pub(crate) async fn known(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|c| c.0.ip());
    let address = address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let (token, fresh) = match token(request.headers()) {
        Some(token) => (token, false),
        None => match code(32) {
            Ok(token) => (token, true),
            Err(_) => return Failed::internal().into_response(),
        },
    };
    let holder = hash(&token);
    let allowed = if fresh { app.newcomers.take(address) } else { app.requests.take(holder) };
    if !allowed || !app.addresses.take(address) {
        return Failed::too_often().into_response();
    }
    request.extensions_mut().insert(Client { holder, address });
    // In a task of its own: who hangs up in the middle of a request must not leave a move on disk and not on the table.
    let Ok(mut response) = tokio::spawn(next.run(request)).await else { return Failed::internal().into_response() };
    if fresh {
        let cookie = format!("{COOKIE_NAME}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age={KEPT}");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(SET_COOKIE, cookie);
        }
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_comes_from_the_header_or_the_cookie_and_has_its_form() {
        let token_of = |name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_str(value).unwrap());
            token(&headers)
        };
        let good = "a1".repeat(32);
        assert_eq!(token_of("authorization", &format!("Bearer {good}")), Some(good.clone()));
        assert_eq!(token_of("cookie", &format!("x=1; ken={good}; y=2")), Some(good.clone()));
        assert_eq!(token_of("cookie", "ken=short"), None);
        assert_eq!(token_of("cookie", &format!("kenn={good}")), None);
    }

    #[test]
    fn codes_differ() {
        assert_ne!(code(16).unwrap(), code(16).unwrap());
        assert_eq!(code(16).unwrap().len(), 32);
    }
}
