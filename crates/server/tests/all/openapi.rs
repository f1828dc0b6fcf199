//! The description of the interface that the client's types are made from.

use serde_json::Value;
use std::path::Path;

#[test]
fn the_client_is_made_from_the_description_that_the_server_gives() {
    let told = serde_json::to_value(ken_server::openapi()).unwrap();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/openapi.json");
    let kept: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert!(told == kept, "the interface has changed: `cargo xtask api` writes web/openapi.json anew");
}
