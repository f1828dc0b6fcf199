//! Formulas: no panic, and what was read prints as text that reads back equal.
#![no_main]

use ken_logic::formula::Name;
use ken_logic::syntax::Scope;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let agents: Vec<Name> = ["a", "b", "1"].into_iter().map(Name::from).collect();
    let scope = Scope::free(&agents);
    if let Ok(formula) = scope.formula(text) {
        // Expansions may print longer than the parser's nesting allows; everything else round-trips.
        if let Ok(again) = scope.formula(&formula.to_string()) {
            assert_eq!(again, formula);
        }
    }
});
