//! SMCDEL text files: no panic, every problem can be shown.
#![no_main]

use ken_logic::{Document, Format};
use ken_logic::syntax::Source;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(problems) = Document::read(text, Format::Smcdel) {
        let source = Source { name: "fuzz", text };
        problems.iter().take(10).for_each(|p| drop(source.render(p)));
    }
});
