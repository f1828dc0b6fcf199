//! Belief bases: the vectors, the law of time, text there and back, bad input.
//!
//! `vectors/belief.json` and `vectors/revise.json` are copies of the project's shared test data.

use ken_logic::belief::{Alpha, Base, Change, Entailment, Part, Reasoner, Reviser, Store};
use ken_logic::syntax::{Code, Diagnostic};
use serde_json::Value;
use std::collections::BTreeSet;

fn satisfiable(text: &str) -> bool {
    let mut store = Store::new();
    let formula = store.parse(text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
    let found = Reasoner::new().model(&mut store, formula);
    if let Ok(model) = &found {
        assert!(model.satisfies(&store, formula), "{text}: {model:?}");
    }
    found.is_ok()
}

fn cases(text: &str) -> Vec<Value> {
    let mut vectors: Value = serde_json::from_str(text).unwrap();
    let Value::Array(cases) = vectors["cases"].take() else { panic!("a list of cases") };
    assert_eq!(cases.len(), 150);
    cases
}

#[test]
fn satisfiability_agrees_with_the_vectors_and_every_model_is_one() {
    for case in cases(include_str!("../vectors/belief.json")) {
        let text = case["formula"].as_str().unwrap();
        assert_eq!(satisfiable(text), case["satisfiable"].as_bool().unwrap(), "{text}");
    }
}

fn formulas(store: &mut Store, list: &Value) -> Vec<Alpha> {
    let texts = list.as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    texts.map(|text| store.parse_basic(text).unwrap_or_else(|p| panic!("{text}: {p:?}"))).collect()
}

fn set(list: &[Alpha]) -> BTreeSet<Alpha> {
    list.iter().copied().collect()
}

#[test]
fn revision_agrees_with_the_vectors() {
    for case in cases(include_str!("../vectors/revise.json")) {
        let mut store = Store::new();
        let mut read = |list| formulas(&mut store, list);
        let given = &case["base"];
        let base = Base {
            core: read(&given["core"]),
            hypothetical: read(&given["hypothetical"]),
            factual: read(&given["factual"]),
        };
        let input = read(&given["input"]);
        let (hypothetical, factual) = (read(&case["hypothetical"]), read(&case["factual"]));
        let (after, change) = base.revise(&store, &input);
        assert_eq!(change.accepted(), case["accepted"].as_bool().unwrap(), "{case}");
        assert_eq!(set(&after.factual), set(&factual), "{case}");
        assert_eq!(set(&after.hypothetical), set(&hypothetical), "{case}");
    }
}

#[test]
fn the_time_constraints_hold_in_the_actual_state_too() {
    for text in ["!now>=0", "now>=3 & !now>=2", "now>=3 & !I[m] now>=3"] {
        assert!(!satisfiable(text), "{text}");
    }
    for text in ["now>=3 & !B[m] now>=2", "B[m] now>=3 & !now>=3", "now>=3 & !I[m] (now>=1 & B[m] now>=2)"] {
        assert!(!satisfiable(text), "{text}");
    }
    for text in ["!now>=3 & now>=2", "!now>=3 & !I[m] !now>=5", "!I[m] !B[m] now>=7"] {
        assert!(satisfiable(text), "{text}");
    }
}

#[test]
fn expansions_compare_formulas_after_writing_out_abbreviations() {
    let valid = |text: &str| !satisfiable(&format!("!({text})"));
    assert!(valid("[+ (p@0 -> q@0) @0] B[m] !(p@0 & !q@0)"));
    assert!(!valid("[+ (p@0 -> q@0) @0] B[m] (!p@0 | q@0)"));
    // Several, one inside the other: all that was learned counts, and the latest time.
    assert!(valid("[+ p@0 @3] [+ q@0 @1] (B[m] p@0 & B[m] q@0 & now>=3 & B[m] now>=2 & I[m] (p@0 & q@0 & now>=3))"));
    assert!(!valid("[+ p@0 @3] [+ q@0 @1] now>=4"));
    // What the machine learns is not thereby true, and who learns a contradiction believes everything.
    assert!(!valid("[+ p@0 @0] p@0"));
    assert!(valid("[+ (p@0 & !p@0) @0] I[m] q@7"));
    assert!(valid("[+ now>=5 @2] (now>=5 & B[m] now>=4 & I[m] now>=5)"));
    assert!(!valid("[+ !now>=5 @2] !now>=5"));
}

#[test]
fn a_base_that_contradicts_itself_leaves_no_alternative_but_the_actual_state_stays() {
    let mut store = Store::new();
    let (p, not) = (store.parse_basic("p@0").unwrap(), store.parse_basic("!p@0").unwrap());
    for fixed in [false, true] {
        let mut reasoner = Reasoner::new();
        for alpha in [p, not] {
            if fixed { reasoner.fix(alpha) } else { reasoner.add(alpha) }
        }
        let everything = store.parse("I[m] q@0").unwrap();
        assert!(reasoner.entails(&mut store, everything));
        let actual = store.parse("q@0 & I[m] false").unwrap();
        assert!(reasoner.consistent(&mut store, actual));
        assert!(reasoner.entails(&mut store, everything), "still, after the core was found hopeless");
    }
}

#[test]
fn what_follows_names_the_premises_it_needs() {
    let mut store = Store::new();
    let mut read = |text| store.parse_basic(text).unwrap();
    let all = [read("p@0"), read("r@0"), read("p@0 -> q@0"), read("q@0 -> s@0"), read("now>=4")];
    let mut reasoner = Reasoner::new();
    all.iter().for_each(|&alpha| reasoner.add(alpha));
    let asked = store.parse("I[m] s@0").unwrap();
    let Entailment::Follows { premises } = reasoner.explain(&mut store, asked) else { panic!("it follows") };
    assert_eq!(set(&premises), set(&[all[0], all[2], all[3]]));
    let asked = store.parse("I[m] (now>=3 & t@0)").unwrap();
    let Entailment::Fails { model } = reasoner.explain(&mut store, asked) else { panic!("it does not follow") };
    assert!(model.context[0].time >= 4);
    assert!(!model.satisfies(&store, asked));
}

#[test]
fn a_formula_without_a_model_names_the_parts_that_clash() {
    let mut store = Store::new();
    let formula = store.parse("q@0 & now>=3 & (p@0 | r@0) & !now>=2 & I[m] p@0").unwrap();
    let clash = Reasoner::new().clash(&mut store, formula);
    assert_eq!(clash.iter().map(|&part| store.show(part)).collect::<Vec<_>>(), ["now>=3", "!now>=2"]);
}

#[test]
fn update_moves_every_time_of_the_mutable_part_and_adds_the_beginning() {
    let mut store = Store::new();
    let mut read = |text: &str| store.parse_basic(text).unwrap();
    let base = Base {
        core: vec![read("p@0 -> p@1")],
        hypothetical: vec![read("B[h]@2 (q@1 & now>=1)")],
        factual: vec![read("B[m] p@0"), read("now>=0")],
    };
    let after = base.update(&mut store).unwrap();
    assert_eq!(after.core, base.core);
    let shown = |all: &[Alpha]| all.iter().map(|&alpha| store.show_basic(alpha)).collect::<Vec<_>>();
    assert_eq!(shown(&after.hypothetical), ["B[h]@3 (q@2 & now>=2)"]);
    assert_eq!(shown(&after.factual), ["B[m] p@1", "now>=1", "now>=0"]);
    let end = Base { factual: vec![store.now(u32::MAX)], ..Base::default() };
    assert_eq!(end.update(&mut store), None);
}

#[test]
fn a_dropped_formula_names_the_input_it_clashes_with() {
    let mut store = Store::new();
    let mut read = |text: &str| store.parse_basic(text).unwrap();
    let base = Base {
        core: vec![read("!(red@0 & blue@0)")],
        hypothetical: vec![read("marked@0 -> !blue@0"), read("other@0")],
        factual: vec![read("red@0"), read("marked@0")],
    };
    let input = [read("seen@0"), read("blue@0")];
    let mut reviser = Reviser::new(&store, &base);
    let Change::Accepted { dropped, added } = reviser.revise(&store, &input) else { panic!("accepted") };
    assert_eq!(added, input);
    let told: Vec<_> =
        dropped.iter().map(|gone| (gone.part, gone.formula, set(&reviser.because(&store, gone)))).collect();
    assert_eq!(
        told,
        [
            (Part::Factual, base.factual[0], set(&[input[1]])),
            (Part::Hypothetical, base.hypothetical[0], set(&[base.factual[1], input[1]])),
        ]
    );
    assert_eq!(reviser.hypothetical(), [base.hypothetical[1]]);
    assert!(reviser.holds(input[1]) && !reviser.holds(base.factual[0]));
    let refused = [store.parse_basic("fine@0").unwrap(), store.parse_basic("red@0 & blue@0").unwrap()];
    assert_eq!(reviser.revise(&store, &refused), Change::Refused { because: vec![refused[1]] });
}

#[test]
fn two_formulas_that_say_the_same_go_together() {
    let mut store = Store::new();
    let mut read = |text: &str| store.parse_basic(text).unwrap();
    let factual = vec![read("p@0"), read("p@0 & p@0"), read("!!p@0"), read("p@0 | p@0"), read("q@0")];
    let base = Base { factual, ..Base::default() };
    let input = [read("!p@0")];
    let mut reviser = Reviser::new(&store, &base);
    let Change::Accepted { dropped, .. } = reviser.revise(&store, &input) else { panic!("accepted") };
    assert_eq!(reviser.factual(), [base.factual[4], input[0]]);
    assert!(dropped.iter().all(|gone| reviser.because(&store, gone) == input), "{dropped:?}");
}

#[test]
fn ten_independent_clashes_of_two_are_all_found() {
    let mut store = Store::new();
    let mut base = Base::default();
    for i in 0..10 {
        let mut read = |text: String| store.parse_basic(&text).unwrap();
        base.factual.extend([read(format!("a({i})@0")), read(format!("b({i})@0")), read(format!("c({i})@0"))]);
    }
    let rules: Vec<Alpha> = (0..10).map(|i| store.parse_basic(&format!("!(a({i})@0 & b({i})@0)")).unwrap()).collect();
    let (after, _) = base.revise(&store, &rules);
    assert_eq!(after.factual.len(), 20, "the ten c and the ten rules");
}

#[test]
fn exactly_k_counts() {
    let mut store = Store::new();
    let atoms: Vec<Alpha> = (0..6).map(|i| store.parse_basic(&format!("p({i})@0")).unwrap()).collect();
    for k in 0..=7 {
        let exactly = store.exactly(k, &atoms);
        let models = (0..64u32).filter(|bits| {
            let mut state = ken_logic::belief::State::default();
            state.facts.extend(atoms.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &a)| a));
            state.satisfies(&store, exactly) == (bits.count_ones() as usize == k)
        });
        assert_eq!(models.count(), 64, "{k}");
    }
}

#[test]
fn long_chains_need_no_stack() {
    let mut store = Store::new();
    let atoms: Vec<Alpha> = (0..50_000).map(|i| store.parse_basic(&format!("p({i})@0")).unwrap()).collect();
    let all = store.and_all(atoms.iter().copied());
    let some = store.or_all(atoms.iter().copied());
    let shown = store.show_basic(all);
    assert_eq!(store.parse_basic(&shown), Ok(all));
    let shown = store.show_basic(some);
    assert_eq!(store.parse_basic(&shown), Ok(some));
    let later = store.shift(all, 1).unwrap();
    assert_ne!(later, all);
    assert_eq!(store.shift(later, -1), Some(all));
    let mut reasoner = Reasoner::new();
    reasoner.add(all);
    let asked = store.implicit(some);
    assert!(reasoner.entails(&mut store, asked));
}

fn problem(text: &str) -> Diagnostic {
    let mut problems = Store::new().parse(text).expect_err(text);
    assert_eq!(problems.len(), 1, "{text}: {problems:?}");
    problems.remove(0)
}

#[test]
fn what_is_wrong_with_a_formula_is_said_with_its_place() {
    let cases = [
        ("p@0 & q@-1", Code::Number, "-1", "a time cannot be negative"),
        ("now>=-2", Code::Number, "-2", "a time cannot be negative"),
        ("p@99999999999", Code::Number, "99999999999", "99999999999 is too large for a time"),
        ("I[m] (p@0 & I[m] q@0)", Code::Objective, "I", "implicit belief `I[m]` cannot stand inside another belief"),
        ("B[m] I[m] q@0", Code::Objective, "I", "implicit belief `I[m]` cannot stand inside another belief"),
        ("[+ I[m] p@0 @1] p@0", Code::Objective, "I", "implicit belief `I[m]` cannot stand in what is learned"),
        ("B[m] [+ p@0 @1] p@0", Code::Objective, "[", "learning `[+ …]` cannot stand inside another belief"),
        ("B[k]@0 p@0", Code::UnknownAgent, "k", "`k` is not an agent here"),
        ("I[h] p@0", Code::UnknownAgent, "h", "only the machine believes implicitly"),
        ("B[h] p@0", Code::Syntax, "h", "a belief of the human needs a time"),
        ("B[m]@3 p@0", Code::Syntax, "@", "the machine's beliefs are those it has now"),
        ("col(3,red) & p@0", Code::Syntax, "col(3,red)", "`col(3,red)` has no time"),
        ("[+ p@1] p@0", Code::Syntax, "]", "the expansion has no time"),
        ("now = 3", Code::Syntax, "=", "the clock is only compared with `>=`"),
        ("K[m] p@0", Code::Syntax, "K", "`K[…]` is not an operator of belief bases"),
        ("announce@0", Code::Reserved, "announce", "`announce` is a reserved word"),
        ("p@0 q@0", Code::Syntax, "q", "expected an operator or the end"),
        ("p@0 &", Code::Syntax, "", "expected a formula"),
        ("p@0 $ q@0", Code::Character, "$", "the character `$` is not used here"),
    ];
    for (text, code, place, message) in cases {
        if text.contains('$') {
            assert_eq!(Store::new().parse(text).unwrap_err()[0].code, code);
            continue;
        }
        let found = problem(text);
        assert_eq!((found.code, found.message.as_str()), (code, message), "{text}");
        assert_eq!(&text[found.span.start as usize..found.span.end as usize], place, "{text}");
        assert!(found.help.is_some() || code == Code::Syntax, "{text}");
    }
    let problems = Store::new().parse("p@-1 & q & B[k]@0 p@0").unwrap_err();
    assert_eq!(problems.len(), 3, "all of them at once: {problems:?}");
    let base = Store::new().parse_basic("p@0 & I[m] q@0").unwrap_err();
    assert_eq!(base[0].message, "implicit belief `I[m]` cannot stand in a belief base");
    let deep = format!("{}p@0", "(".repeat(5000));
    assert_eq!(Store::new().parse(&deep).unwrap_err()[0].code, Code::Depth);
}

#[test]
fn text_is_read_with_its_binding_and_printed_shortest() {
    let mut store = Store::new();
    for (text, shown) in [
        ("!now>=0 & p@0", "!now>=0 & p@0"),
        ("B[m] p@0 & q@0", "B[m] p@0 & q@0"),
        ("((p@0 -> q@0)) -> r@0", "p@0 & !q@0 | r@0"),
        ("p@0 -> q@0 -> r@0", "p@0 -> q@0 -> r@0"),
        ("¬(p@0 ∧ q@0) ∨ r@0", "!(p@0 & q@0) | r@0"),
        ("p@0 <-> q@0 & true", "p@0 <-> q@0 & true"),
        ("[+ col( 3 , red )@1 @2] I[m] false", "[+ col(3,red)@1 @2] I[m] false"),
        ("pos(3,-1,2)@0 | (q@0 | r@0)", "pos(3,-1,2)@0 | (q@0 | r@0)"),
    ] {
        let formula = store.parse(text).unwrap_or_else(|p| panic!("{text}: {p:?}"));
        assert_eq!(store.show(formula), shown);
        assert_eq!(store.parse(shown), Ok(formula));
    }
    let same = ["p@0 | q@0", "!(!p@0 & !q@0)", "!p@0 -> q@0"].map(|text| store.parse(text).unwrap());
    assert!(same.iter().all(|&formula| formula == same[0]));
}
