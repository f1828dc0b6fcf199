//! The plain board: what serves every game that has no board of its own.

use super::Face;
use super::page::{PlainBoard, Thing};
use serde_json::Value;

/// The board of a seat.
pub(super) fn board<G: Face>(game: &G, memory: &[G::Sight]) -> PlainBoard {
    PlainBoard { open: game.open_things(memory), own: game.own_things(memory) }
}

/// The members of a sight as things: `{"card": 3}` is a thing `card` with the value `3`.
pub(super) fn things(data: &Value) -> Vec<Thing> {
    let said = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => "nothing".to_string(),
        Value::Array(items) => items.iter().map(said_flat).collect::<Vec<_>>().join(", "),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    };
    match data {
        Value::Object(map) => {
            map.iter().map(|(name, value)| Thing { name: name.replace('_', " "), value: said(value) }).collect()
        }
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            vec![Thing { name: "dealt".to_string(), value: said(data) }]
        }
    }
}

fn said_flat(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_members_of_a_sight_are_things_in_words() {
        let of = |data: Value| things(&data).into_iter().map(|t| format!("{}={}", t.name, t.value)).collect::<Vec<_>>();
        assert_eq!(
            of(json!({"card": 3, "your_hand": ["a", 2], "for": "you"})),
            ["card=3", "your hand=a, 2", "for=you"]
        );
        assert_eq!(of(json!("a card")), ["dealt=a card"]);
        assert!(of(Value::Null).is_empty());
    }
}
