//! Model files: no panic, every problem can be shown, formatting is stable.
#![no_main]

use ken_logic::syntax::{Source, format};
use ken_logic::{Document, Format};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(problems) = Document::read(text, Format::Ken) {
        assert!(!problems.is_empty());
        let source = Source { name: "fuzz", text };
        problems.iter().take(10).for_each(|p| drop(source.render(p)));
    }
    if let Ok(once) = format(text) {
        assert_eq!(format(&once).as_ref(), Ok(&once));
    }
});
