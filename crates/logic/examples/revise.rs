//! A belief base that is revised: what is given up, and because of what.
//!
//! `cargo run -p ken-logic --example revise`

use ken_logic::belief::{BeliefFile, Change, Purpose, Reasoner, Reviser, Store};

const SWANS: &str = r#"{
    "core": ["!(white@0 & black@0)"],
    "factual": ["swan@0", "swan@0 -> white@0"],
    "hypothetical": ["swan@0 -> shy@0"],
    "input": ["black@0"]
}"#;

fn main() {
    let mut store = Store::new();
    let file = BeliefFile::read(&mut store, SWANS, Purpose::Revision).unwrap_or_else(|p| panic!("{p:?}"));
    let mut reviser = Reviser::new(&store, &file.base);
    match reviser.revise(&store, &file.input) {
        Change::Refused { .. } => println!("what is learned contradicts the core: nothing changes"),
        Change::Accepted { dropped, .. } => {
            for given_up in &dropped {
                let because = reviser.because(&store, given_up);
                let because: Vec<String> = because.iter().map(|&alpha| file.any_text(&store, alpha)).collect();
                println!(
                    "given up: {} (cannot stand beside {})",
                    file.any_text(&store, given_up.formula),
                    because.join(", ")
                );
            }
        }
    }
    let mut reasoner = Reasoner::new();
    let believed = file.base.core.iter().chain(reviser.factual()).chain(reviser.hypothetical());
    believed.for_each(|&alpha| reasoner.add(alpha));
    for text in ["I[m] black@0", "I[m] swan@0", "I[m] shy@0"] {
        let asked = store.parse(text).expect("a formula");
        println!("{text}: {}", reasoner.entails(&mut store, asked));
    }
}
