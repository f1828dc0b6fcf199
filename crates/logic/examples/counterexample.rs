//! A system with a counterexample: a message that may get lost, and the run on which it does.
//!
//! `cargo run -p ken-logic --example counterexample`

use ken_logic::{Document, Format, Limits};

const CHANNEL: &str = "
system recall perfect
agents sender, receiver
environment channel
props bit of sender
props arrived of receiver
actions sender: send
actions channel: deliver, lose
initial !arrived
next arrived := true if deliver
";

fn main() {
    let document = Document::read(CHANNEL, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}"));
    let mut checker = document.checker(Limits::default());
    for text in ["EF arrived", "AF arrived", "AG K[sender] !arrived"] {
        let query = document.query(text).expect("a formula");
        let answer = checker.ask(query.explained()).expect("an answer");
        println!("{text}: {}\n{}\n", answer.holds, answer.reason());
    }
    // After one step on which the message arrives, the receiver has seen it and the sender has not.
    let history = document.point("{bit} > deliver: {bit, arrived}").expect("a history");
    for text in ["K[receiver] arrived", "K[sender] arrived"] {
        let query = document.query(text).expect("a formula").asked_at(history.clone());
        println!("{text} after that: {}", checker.ask(&query).expect("an answer").holds);
    }
}
