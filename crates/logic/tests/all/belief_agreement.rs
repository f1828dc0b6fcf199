//! Belief bases, two ways: the reduction to SAT against every state and context of a small vocabulary, and revision
//! by cores against revision by all subsets.

use ken_logic::belief::{Action, Store};
use ken_logic::belief::{Alpha, Base, Basic, Change, Formula, Model, Node, Outcome, Part, Reasoner, Reviser, State};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Formulas of L0 over `p@0`, `B[h]@0 p@0`, the clock up to 2 and three formulas that the machine may hold.
fn basic() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        3 => Just("p@0".to_string()),
        2 => Just("B[h]@0 p@0".to_string()),
        2 => (0..=2u32).prop_map(|t| format!("now>={t}")),
        1 => (0..=2u32).prop_map(|t| format!("B[m] now>={t}")),
        2 => Just("B[m] p@0".to_string()),
        1 => Just("B[m] !p@0".to_string()),
        1 => Just("B[m] (p@0 -> B[m] p@0)".to_string()),
        1 => Just("true".to_string()),
    ];
    atom.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("!{a}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} & {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} | {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} -> {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a} <-> {b})")),
        ]
    })
}

/// Formulas of L+.
fn full() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![2 => basic(), 3 => basic().prop_map(|a| format!("I[m] ({a})"))];
    leaf.prop_recursive(3, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("!({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} & {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} | {b})")),
            (basic(), 0..=2u32, inner).prop_map(|(a, t, f)| format!("[+ {a} @{t}] ({f})")),
        ]
    })
}

/// How often `I[m]` occurs.
fn implicit(store: &Store, formula: Formula) -> usize {
    match store.node(formula) {
        Node::Basic(_) => 0,
        Node::Implicit(_) => 1,
        Node::Not(part) | Node::After(_, _, part) => implicit(store, part),
        Node::And(a, b) => implicit(store, a) + implicit(store, b),
    }
}

/// What the formula says of single states: the arguments of `I[m]` and what is learned.
fn about_states(store: &Store, formula: Formula, out: &mut Vec<Alpha>) {
    match store.node(formula) {
        Node::Basic(_) => {}
        Node::Implicit(alpha) => out.push(alpha),
        Node::Not(part) => about_states(store, part, out),
        Node::After(alpha, _, part) => {
            out.push(alpha);
            about_states(store, part, out);
        }
        Node::And(a, b) => {
            about_states(store, a, out);
            about_states(store, b, out);
        }
    }
}

/// Every state of the vocabulary.
fn states(store: &mut Store) -> Vec<State> {
    let mut read = |text| store.parse_basic(text).unwrap();
    let facts = [read("p@0"), read("B[h]@0 p@0")];
    let held = [read("p@0"), read("!p@0"), read("p@0 -> B[m] p@0")];
    let subset = |bits: usize, of: &[Alpha]| -> BTreeSet<Alpha> {
        of.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &a)| a).collect()
    };
    let mut all = Vec::new();
    for time in 0..=2 {
        for bits in 0..32 {
            all.push(State { time, facts: subset(bits, &facts), beliefs: subset(bits >> 2, &held) });
        }
    }
    all
}

/// A model of the formula with a context inside `S(Σ)`, found by trying everything. A context needs no more states
/// than there are `I[m]` to be false, and one of each kind.
fn search(store: &mut Store, premises: &[Alpha], formula: Formula) -> Option<Model> {
    let all = states(store);
    let mut asked = Vec::new();
    about_states(store, formula, &mut asked);
    for text in ["p@0", "!p@0", "p@0 -> B[m] p@0", "now>=1", "now>=2"] {
        asked.push(store.parse_basic(text).unwrap());
    }
    let kind = |state: &State| asked.iter().map(|&a| state.satisfies(store, a)).collect::<Vec<bool>>();
    let kinds: BTreeMap<Vec<bool>, &State> = all
        .iter()
        .filter(|state| premises.iter().all(|&alpha| state.satisfies(store, alpha)))
        .map(|state| (kind(state), state))
        .collect();
    let open: Vec<State> = kinds.into_values().cloned().collect();
    let mut contexts = vec![Vec::new()];
    let mut last = contexts.clone();
    for _ in 0..implicit(store, formula) {
        last = last
            .iter()
            .flat_map(|some| {
                let from = some.last().map_or(0, |&i: &usize| i + 1);
                (from..open.len()).map(move |i| [&some[..], &[i]].concat())
            })
            .collect();
        contexts.extend(last.iter().cloned());
    }
    for chosen in contexts {
        let mut model = Model { actual: State::default(), context: chosen.iter().map(|&i| open[i].clone()).collect() };
        for actual in &all {
            model.actual.clone_from(actual);
            if model.satisfies(store, formula) {
                return Some(model);
            }
        }
    }
    None
}

fn small(text: &str) -> bool {
    let mut store = Store::new();
    let formula = store.parse(text).unwrap();
    implicit(&store, formula) <= 2
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_global_rejects: 5000, ..ProptestConfig::default() })]

    #[test]
    fn the_reduction_agrees_with_all_states_and_contexts(text in full().prop_filter("few I[m]", |t| small(t))) {
        let mut store = Store::new();
        let formula = store.parse(&text).unwrap();
        let expected = search(&mut store, &[], formula).is_some();
        let found = Reasoner::new().model(&mut store, formula);
        prop_assert_eq!(found.is_ok(), expected, "{}", text);
        if let Ok(model) = found {
            prop_assert!(model.satisfies(&store, formula), "{}: {:?}", text, model);
        }
        let reduced = store.reduce(formula);
        let same = store.equivalent(formula, reduced);
        prop_assert!(Reasoner::new().entails(&mut store, same), "{} is not {}", text, store.show(reduced));
    }

    #[test]
    fn consequence_agrees_with_all_states_and_contexts(
        base in prop::collection::vec(basic(), 0..4),
        core in prop::collection::vec(basic(), 0..2),
        text in full().prop_filter("few I[m]", |t| small(t)),
    ) {
        let mut store = Store::new();
        let formula = store.parse(&text).unwrap();
        let read = |store: &mut Store, all: &[String]| -> Vec<Alpha> {
            all.iter().map(|text| store.parse_basic(text).unwrap()).collect()
        };
        let (premises, core) = (read(&mut store, &base), read(&mut store, &core));
        let not = store.negate(formula);
        let all = [&premises[..], &core[..]].concat();
        let against = search(&mut store, &all, not);
        let with = |premises: &[Alpha]| {
            let mut reasoner = Reasoner::new();
            core.iter().for_each(|&alpha| reasoner.fix(alpha));
            premises.iter().for_each(|&alpha| reasoner.add(alpha));
            reasoner
        };
        match with(&premises).model(&mut store, not) {
            Ok(model) => {
                prop_assert!(against.is_some(), "{:?} {:?} give {}", base, core, text);
                prop_assert!(!model.satisfies(&store, formula));
                for state in &model.context {
                    prop_assert!(all.iter().all(|&alpha| state.satisfies(&store, alpha)));
                }
            }
            Err(used) => {
                prop_assert!(against.is_none(), "{:?} {:?} do not give {}", base, core, text);
                prop_assert!(with(&used).entails(&mut store, formula));
                for i in 0..used.len() {
                    let fewer = [&used[..i], &used[i + 1..]].concat();
                    prop_assert!(!with(&fewer).entails(&mut store, formula), "{:?} is not minimal", used);
                }
            }
        }
    }

    #[test]
    fn a_reasoner_that_has_answered_before_answers_as_a_new_one(
        base in prop::collection::vec(basic(), 4),
        steps in prop::collection::vec((0..4usize, any::<bool>(), full()), 1..12),
    ) {
        let mut store = Store::new();
        let base: Vec<Alpha> = base.iter().map(|text| store.parse_basic(text).unwrap()).collect();
        let mut old = Reasoner::new();
        for (at, add, text) in steps {
            if add { old.add(base[at]) } else { old.remove(base[at]); }
            let formula = store.parse(&text).unwrap();
            let mut new = Reasoner::new();
            old.premises().iter().for_each(|&alpha| new.add(alpha));
            let (before, after) = (old.model(&mut store, formula), new.model(&mut store, formula));
            prop_assert_eq!(before.is_ok(), after.is_ok(), "{}", text);
            if let Ok(model) = before {
                prop_assert!(model.satisfies(&store, formula), "{}: {:?}", text, model);
            }
        }
    }

    #[test]
    fn what_is_printed_reads_back_as_the_same_formula(text in full()) {
        let mut store = Store::new();
        let formula = store.parse(&text).unwrap();
        let shown = store.show(formula);
        prop_assert_eq!(store.parse(&shown), Ok(formula), "{} as {}", text, shown);
    }

    #[test]
    fn an_action_solves_iff_it_is_consistent_possible_and_reaches_the_goal(
        base in prop::collection::vec(basic(), 0..3), learn in basic(), precondition in basic(), goal in basic(),
    ) {
        let mut store = Store::new();
        let premises: Vec<Alpha> = base.iter().map(|text| store.parse_basic(text).unwrap()).collect();
        let learn = store.parse_basic(&learn).unwrap();
        let precondition = store.parse(&format!("I[m] ({precondition})")).unwrap();
        let goal = store.parse_basic(&goal).unwrap();
        let action = Action { learn, time: 1, precondition };
        let mut reasoner = Reasoner::new();
        premises.iter().for_each(|&alpha| reasoner.add(alpha));
        let outcome = reasoner.attempt(&mut store, &action, goal);
        prop_assert_eq!(outcome.solves(), reasoner.solves(&mut store, &action, goal));
        let now = store.now(1);
        let possible = states(&mut store).into_iter().any(|state| {
            premises.iter().chain([&learn, &now]).all(|&alpha| state.satisfies(&store, alpha))
        });
        let follows = |store: &mut Store, formula| {
            let not = store.negate(formula);
            search(store, &premises, not).is_none()
        };
        let believed = store.implicit(goal);
        let after = store.after(learn, 1, believed);
        let expected = if !possible {
            "contradicts"
        } else if !follows(&mut store, precondition) {
            "precondition"
        } else if !follows(&mut store, after) {
            "goal"
        } else {
            "solves"
        };
        let found = match outcome {
            Outcome::Solves { .. } => "solves",
            Outcome::Contradicts { .. } => "contradicts",
            Outcome::PreconditionFails { .. } => "precondition",
            Outcome::GoalNotBelieved { .. } => "goal",
        };
        prop_assert_eq!(found, expected);
    }
}

/// Truth under a valuation of the opaque atoms.
fn value(store: &Store, alpha: Alpha, atoms: &[Alpha], bits: u32) -> bool {
    match store.basic(alpha) {
        Basic::Not(part) => !value(store, part, atoms, bits),
        Basic::And(a, b) => value(store, a, atoms, bits) && value(store, b, atoms, bits),
        Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Machine(_) => {
            bits >> atoms.iter().position(|&atom| atom == alpha).unwrap() & 1 == 1
        }
    }
}

/// The atoms of revision, all opaque.
const ATOMS: [&str; 6] = ["p@0", "q@0", "now>=0", "now>=1", "B[m] p@0", "B[h]@0 q@0"];

fn clause() -> impl Strategy<Value = String> {
    let literal =
        (0..ATOMS.len(), any::<bool>()).prop_map(|(i, yes)| format!("{}{}", if yes { "" } else { "!" }, ATOMS[i]));
    prop_oneof![
        3 => literal.clone(),
        2 => (literal.clone(), literal.clone()).prop_map(|(a, b)| format!("{a} -> {b}")),
        1 => (literal.clone(), literal.clone(), literal.clone()).prop_map(|(a, b, c)| format!("{a} | {b} | {c}")),
        1 => (literal.clone(), literal).prop_map(|(a, b)| format!("{a} & {b}")),
    ]
}

struct Naive<'a> {
    store: &'a Store,
    atoms: Vec<Alpha>,
}

impl Naive<'_> {
    fn consistent(&self, all: &[Alpha]) -> bool {
        (0..1 << self.atoms.len()).any(|bits| all.iter().all(|&alpha| value(self.store, alpha, &self.atoms, bits)))
    }

    /// What all maximal subsets of `soft` consistent with `hard` have in common, by all subsets.
    fn common(&self, hard: &[Alpha], soft: &[Alpha]) -> BTreeSet<Alpha> {
        let subset = |bits: u32| -> Vec<Alpha> {
            soft.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, &a)| a).collect()
        };
        let good: Vec<u32> =
            (0..1 << soft.len()).filter(|&bits| self.consistent(&[hard, &subset(bits)].concat())).collect();
        let maximal = good.iter().filter(|&&a| !good.iter().any(|&b| a != b && a & b == a));
        let common = maximal.fold(u32::MAX, |common, bits| common & bits);
        subset(common).into_iter().collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn revision_agrees_with_all_subsets_and_its_reasons_are_minimal(
        core in prop::collection::vec(clause(), 0..3),
        hypothetical in prop::collection::vec(clause(), 0..6),
        factual in prop::collection::vec(clause(), 0..7),
        inputs in prop::collection::vec(prop::collection::vec(clause(), 1..3), 1..4),
    ) {
        let mut store = Store::new();
        let atoms = ATOMS.iter().map(|text| store.parse_basic(text).unwrap()).collect();
        let mut read = |all: &[String]| -> Vec<Alpha> {
            let set: BTreeSet<Alpha> = all.iter().map(|text| store.parse_basic(text).unwrap()).collect();
            set.into_iter().collect()
        };
        let mut base = Base { core: read(&core), hypothetical: read(&hypothetical), factual: read(&factual) };
        let inputs: Vec<Vec<Alpha>> = inputs.iter().map(|input| read(input)).collect();
        let naive = Naive { store: &store, atoms };
        let mut reviser = Reviser::new(&store, &base);
        for input in inputs {
            let change = reviser.revise(&store, &input);
            let set = |all: &[Alpha]| all.iter().copied().collect::<BTreeSet<Alpha>>();
            prop_assert_eq!(change.accepted(), naive.consistent(&[&base.core[..], &input].concat()));
            match &change {
                Change::Refused { because } => {
                    prop_assert!(!naive.consistent(&[&base.core[..], because].concat()));
                    prop_assert_eq!(set(reviser.factual()), set(&base.factual));
                    prop_assert_eq!(set(reviser.hypothetical()), set(&base.hypothetical));
                }
                Change::Accepted { added, dropped } => {
                    let all = set(&[&base.factual[..], &input].concat());
                    let soft: Vec<Alpha> = all.iter().copied().filter(|alpha| !input.contains(alpha)).collect();
                    let mut facts = naive.common(&[&base.core[..], &input].concat(), &soft);
                    facts.extend(&input);
                    let hard = [&base.core[..], &facts.iter().copied().collect::<Vec<_>>()].concat();
                    let hypotheses = naive.common(&hard, &base.hypothetical);
                    prop_assert_eq!(&set(reviser.factual()), &facts);
                    prop_assert_eq!(&set(reviser.hypothetical()), &hypotheses);
                    prop_assert_eq!(set(added), &set(&input) - &set(&base.factual));
                    for gone in dropped {
                        let own = match gone.part {
                            Part::Factual => &base.factual,
                            Part::Hypothetical => &base.hypothetical,
                        };
                        prop_assert!(own.contains(&gone.formula));
                        let mut clash = reviser.because(&store, gone);
                        prop_assert!(!clash.contains(&gone.formula));
                        clash.push(gone.formula);
                        prop_assert!(!naive.consistent(&[&base.core[..], &clash].concat()));
                        for i in 0..clash.len() {
                            let fewer = [&base.core[..], &clash[..i], &clash[i + 1..]].concat();
                            prop_assert!(naive.consistent(&fewer), "not minimal: {:?}", clash);
                        }
                    }
                    let lost = |part| dropped.iter().filter(|d| d.part == part).map(|d| d.formula).collect::<BTreeSet<_>>();
                    prop_assert_eq!(lost(Part::Factual), &set(&base.factual) - &facts);
                    prop_assert_eq!(lost(Part::Hypothetical), &set(&base.hypothetical) - &hypotheses);
                    base.factual = facts.into_iter().collect();
                    base.hypothetical = hypotheses.into_iter().collect();
                }
            }
        }
    }

    #[test]
    fn a_base_kept_in_the_present_is_revised_as_one_whose_times_move(
        hypothetical in prop::collection::vec(clause(), 0..5),
        factual in prop::collection::vec(clause(), 0..6),
        input in prop::collection::vec(clause(), 1..3),
    ) {
        let mut store = Store::new();
        let mut read = |all: &[String]| -> Vec<Alpha> {
            all.iter().map(|text| store.parse_basic(text).unwrap()).collect()
        };
        let base = Base { core: Vec::new(), hypothetical: read(&hypothetical), factual: read(&factual) };
        let input = read(&input);
        let (kept, _) = base.revise(&store, &input);
        let moved = base.update(&mut store).unwrap();
        let later = store.shift_all(&input, 1).unwrap();
        let (moved, _) = moved.revise(&store, &later);
        let set = |all: Vec<Alpha>| all.into_iter().collect::<BTreeSet<Alpha>>();
        let mut expected = set(store.shift_all(&kept.factual, 1).unwrap());
        expected.insert(store.now(0));
        prop_assert_eq!(set(moved.factual), expected);
        prop_assert_eq!(set(moved.hypothetical), set(store.shift_all(&kept.hypothetical, 1).unwrap()));
    }
}

/// The formula about atoms of its own.
fn copy(text: &str, i: usize) -> String {
    let marked = text.replace("now>=0", "now>=#").replace("now>=1", "now>=$").replace("p@0", &format!("p{i}@0"));
    let marked = marked.replace("q@0", &format!("q{i}@0"));
    marked.replace('#', &(2 * i).to_string()).replace('$', &(2 * i + 1).to_string())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn many_copies_of_a_base_are_revised_as_one_of_them_also_where_something_joins_them(
        core in prop::collection::vec(clause(), 0..3),
        hypothetical in prop::collection::vec(clause(), 0..6),
        factual in prop::collection::vec(clause(), 1..7),
        input in prop::collection::vec(clause(), 1..3),
        copies in 20..60usize,
        joined: bool,
    ) {
        let mut store = Store::new();
        let atoms = ATOMS.iter().map(|text| store.parse_basic(text).unwrap()).collect();
        // The texts that they came in: `now>=0 -> now>=0` would be printed as `true`, of which there is only one.
        let mut texts: BTreeMap<Alpha, String> = BTreeMap::new();
        let mut set = |all: &[String]| -> Vec<Alpha> {
            let mut read = |text: &String| {
                let alpha = store.parse_basic(text).unwrap();
                texts.entry(alpha).or_insert_with(|| text.clone());
                alpha
            };
            let set: BTreeSet<Alpha> = all.iter().map(&mut read).collect();
            set.into_iter().collect()
        };
        let one = Base { core: set(&core), hypothetical: set(&hypothetical), factual: set(&factual) };
        let learned = set(&input);
        let naive = Naive { store: &store, atoms };
        prop_assume!(naive.consistent(&[&one.core[..], &learned].concat()));
        let hard = [&one.core[..], &learned].concat();
        let soft: Vec<Alpha> = one.factual.iter().copied().filter(|alpha| !learned.contains(alpha)).collect();
        let mut facts = naive.common(&hard, &soft);
        facts.extend(&learned);
        let hard = [&one.core[..], &facts.iter().copied().collect::<Vec<_>>()].concat();
        let hypotheses = naive.common(&hard, &one.hypothetical);
        let texts = |all: &BTreeSet<Alpha>| all.iter().map(|alpha| texts[alpha].clone()).collect::<Vec<_>>();
        let (facts, hypotheses) = (texts(&facts), texts(&hypotheses));

        let mut store = Store::new();
        let mut all = |texts: &[String]| -> Vec<Alpha> {
            (0..copies).flat_map(|i| texts.iter().map(move |text| copy(text, i)))
                .map(|text| store.parse_basic(&text).unwrap()).collect()
        };
        let mut many = Base { core: all(&core), hypothetical: all(&hypothetical), factual: all(&factual) };
        let (learned, facts, hypotheses) = (all(&input), all(&facts), all(&hypotheses));
        if joined {
            let links = (1..copies).map(|i| format!("p{}@0 & !q{i}@0 -> (link({i})@0 <-> p{i}@0)", i - 1));
            many.core.extend(links.map(|text| store.parse_basic(&text).unwrap()));
        }
        let (after, change) = many.revise(&store, &learned);
        prop_assert!(change.accepted());
        let set = |all: Vec<Alpha>| all.into_iter().collect::<BTreeSet<Alpha>>();
        prop_assert_eq!(set(after.factual), set(facts));
        prop_assert_eq!(set(after.hypothetical), set(hypotheses));
    }
}

/// Chains of implications with ways around, contradicted anywhere: what is given up is what lies on some way from a start to
/// a contradiction, which needs no solver.
#[test]
fn of_chains_with_ways_around_everything_on_some_way_to_a_contradiction_goes() {
    let mut dice = 7u64;
    let mut below = |n: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (dice >> 33) as usize % n
    };
    for _ in 0..60 {
        let (n, mut store) = (5 + below(60), Store::new());
        let mut read = |text: String| store.parse_basic(&text).unwrap();
        let mut edges: BTreeSet<(usize, usize)> = (1..n).map(|i| (i - 1, i)).collect();
        (0..below(n)).for_each(|_| {
            let from = below(n - 1);
            edges.insert((from, from + 1 + below(n - 1 - from)));
        });
        let starts: BTreeSet<usize> = [0].into_iter().chain((0..below(3)).map(|_| below(n))).collect();
        let ends: BTreeSet<usize> = (0..1 + below(3)).map(|_| below(n)).collect();
        // A way passes no contradiction before its end, else a part of it would do.
        let mut reached = starts.clone();
        let mut useful = ends.clone();
        for &(from, to) in &edges {
            if reached.contains(&from) && !ends.contains(&from) {
                reached.insert(to);
            }
        }
        for &(from, to) in edges.iter().rev() {
            if useful.contains(&to) && !ends.contains(&from) {
                useful.insert(from);
            }
        }
        let mut factual: Vec<Alpha> = starts.iter().map(|i| read(format!("p{i}@0"))).collect();
        factual.extend(edges.iter().map(|(from, to)| read(format!("p{from}@0 -> p{to}@0"))));
        let input: Vec<Alpha> = ends.iter().map(|i| read(format!("!p{i}@0"))).collect();
        let mut expected: BTreeSet<Alpha> =
            starts.iter().filter(|&i| useful.contains(i)).map(|i| read(format!("p{i}@0"))).collect();
        let on_a_way =
            |&&(from, to): &&(usize, usize)| reached.contains(&from) && !ends.contains(&from) && useful.contains(&to);
        expected.extend(edges.iter().filter(on_a_way).map(|(from, to)| read(format!("p{from}@0 -> p{to}@0"))));
        let base = Base { factual, ..Base::default() };
        let Change::Accepted { dropped, .. } = base.revise(&store, &input).1 else { panic!("accepted") };
        let dropped: BTreeSet<Alpha> = dropped.iter().map(|gone| gone.formula).collect();
        assert_eq!(dropped, expected, "{starts:?} {ends:?} {edges:?}");
    }
}
