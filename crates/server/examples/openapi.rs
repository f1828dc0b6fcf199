//! Prints the OpenAPI description: `cargo run -p ken-server --example openapi > web/openapi.json`.

fn main() -> Result<(), serde_json::Error> {
    println!("{}", serde_json::to_string_pretty(&ken_server::openapi())?);
    Ok(())
}
