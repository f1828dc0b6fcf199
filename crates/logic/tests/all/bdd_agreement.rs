//! The `oxidd` back end agrees with a second back end and with truth tables.

use std::collections::BTreeSet;

use crate::support::biodivine::BiodivineBdd;
use ken_logic::bdd::{
    Bdd, Capacity, Full, OxiddBdd, Split, closest, count, distance_one_forall, evaluate, models,
    support as variables_of, transfer,
};
use num_bigint::BigUint;
use proptest::prelude::*;

/// The number of variables in the random tests.
const VARS: u32 = 6;

/// The number of their assignments.
const ROWS: u32 = 1 << VARS;

/// A function of `VARS` variables as a truth table.
///
/// Row r is bit r; in it, variable v has the value of bit `VARS - 1 - v` of r,
/// so the rows are in lexicographic order.
type Table = u64;

fn value(row: u32, v: u32) -> bool {
    row >> (VARS - 1 - v) & 1 == 1
}

fn with(row: u32, v: u32, value: bool) -> u32 {
    let bit = 1 << (VARS - 1 - v);
    if value { row | bit } else { row & !bit }
}

fn holds(table: Table, row: u32) -> bool {
    table >> row & 1 == 1
}

fn table(f: impl Fn(u32) -> bool) -> Table {
    (0..ROWS).filter(|&row| f(row)).fold(0, |t, row| t | 1 << row)
}

fn all() -> Vec<u32> {
    (0..VARS).collect()
}

fn row_of(values: &[bool]) -> u32 {
    values.iter().fold(0, |row, &v| row << 1 | u32::from(v))
}

/// A way to build a function; the numbers of variables are below `VARS`.
#[derive(Clone, Debug)]
enum Recipe {
    Const(bool),
    Var(u32),
    Not(Box<Recipe>),
    And(Box<Recipe>, Box<Recipe>),
    Or(Box<Recipe>, Box<Recipe>),
    Xor(Box<Recipe>, Box<Recipe>),
    Iff(Box<Recipe>, Box<Recipe>),
    Imp(Box<Recipe>, Box<Recipe>),
    Ite(Box<Recipe>, Box<Recipe>, Box<Recipe>),
    Exists(Box<Recipe>, Vec<u32>),
    Forall(Box<Recipe>, Vec<u32>),
    AndExists(Box<Recipe>, Box<Recipe>, Vec<u32>),
    ForallImp(Box<Recipe>, Box<Recipe>, Vec<u32>),
    Restrict(Box<Recipe>, Vec<(u32, bool)>),
    DistanceOne(Box<Recipe>, Vec<u32>),
}

fn recipe() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Recipe::Const),
        8 => (0..VARS).prop_map(Recipe::Var),
    ];
    let vars = || prop::collection::vec(0..VARS, 0..4);
    leaf.prop_recursive(6, 48, 3, move |inner| {
        let one = move || inner.clone().prop_map(Box::new);
        prop_oneof![
            one().prop_map(Recipe::Not),
            (one(), one()).prop_map(|(f, g)| Recipe::And(f, g)),
            (one(), one()).prop_map(|(f, g)| Recipe::Or(f, g)),
            (one(), one()).prop_map(|(f, g)| Recipe::Xor(f, g)),
            (one(), one()).prop_map(|(f, g)| Recipe::Iff(f, g)),
            (one(), one()).prop_map(|(f, g)| Recipe::Imp(f, g)),
            (one(), one(), one()).prop_map(|(f, g, h)| Recipe::Ite(f, g, h)),
            (one(), vars()).prop_map(|(f, c)| Recipe::Exists(f, c)),
            (one(), vars()).prop_map(|(f, c)| Recipe::Forall(f, c)),
            (one(), one(), vars()).prop_map(|(f, g, c)| Recipe::AndExists(f, g, c)),
            (one(), one(), vars()).prop_map(|(f, g, c)| Recipe::ForallImp(f, g, c)),
            (one(), prop::collection::vec((0..VARS, any::<bool>()), 0..4)).prop_map(|(f, l)| Recipe::Restrict(f, l)),
            (one(), vars()).prop_map(|(f, c)| Recipe::DistanceOne(f, c)),
        ]
    })
}

/// Builds a function in a manager.
fn build<B: Bdd>(bdd: &B, recipe: &Recipe) -> Result<B::F, Full> {
    let go = |recipe: &Recipe| build(bdd, recipe);
    let cube = |vars: &[u32]| bdd.cube(vars.iter().copied());
    match recipe {
        Recipe::Const(value) => Ok(bdd.constant(*value)),
        Recipe::Var(v) => bdd.var(*v),
        Recipe::Not(f) => bdd.not(&go(f)?),
        Recipe::And(f, g) => bdd.and(&go(f)?, &go(g)?),
        Recipe::Or(f, g) => bdd.or(&go(f)?, &go(g)?),
        Recipe::Xor(f, g) => bdd.xor(&go(f)?, &go(g)?),
        Recipe::Iff(f, g) => bdd.iff(&go(f)?, &go(g)?),
        Recipe::Imp(f, g) => bdd.imp(&go(f)?, &go(g)?),
        Recipe::Ite(f, g, h) => bdd.ite(&go(f)?, &go(g)?, &go(h)?),
        Recipe::Exists(f, c) => bdd.exists(&go(f)?, &cube(c)?),
        Recipe::Forall(f, c) => bdd.forall(&go(f)?, &cube(c)?),
        Recipe::AndExists(f, g, c) => bdd.and_exists(&go(f)?, &go(g)?, &cube(c)?),
        Recipe::ForallImp(f, g, c) => bdd.forall_imp(&go(f)?, &go(g)?, &cube(c)?),
        Recipe::Restrict(f, l) => bdd.restrict(&go(f)?, l),
        Recipe::DistanceOne(f, c) => distance_one_forall(bdd, &go(f)?, c),
    }
}

/// Builds the same function's truth table by the definitions.
fn tabulate(recipe: &Recipe) -> Table {
    let exists = |f: Table, v: u32| table(|row| holds(f, with(row, v, false)) || holds(f, with(row, v, true)));
    let forall = |f: Table, v: u32| !exists(!f, v);
    match recipe {
        Recipe::Const(value) => table(|_| *value),
        Recipe::Var(v) => table(|row| value(row, *v)),
        Recipe::Not(f) => !tabulate(f),
        Recipe::And(f, g) => tabulate(f) & tabulate(g),
        Recipe::Or(f, g) => tabulate(f) | tabulate(g),
        Recipe::Xor(f, g) => tabulate(f) ^ tabulate(g),
        Recipe::Iff(f, g) => !(tabulate(f) ^ tabulate(g)),
        Recipe::Imp(f, g) => !tabulate(f) | tabulate(g),
        Recipe::Ite(f, g, h) => {
            let f = tabulate(f);
            f & tabulate(g) | !f & tabulate(h)
        }
        Recipe::Exists(f, c) => c.iter().fold(tabulate(f), |f, &v| exists(f, v)),
        Recipe::Forall(f, c) => c.iter().fold(tabulate(f), |f, &v| forall(f, v)),
        Recipe::AndExists(f, g, c) => {
            let f = tabulate(f) & tabulate(g);
            c.iter().fold(f, |f, &v| exists(f, v))
        }
        Recipe::ForallImp(f, g, c) => {
            let f = !tabulate(f) | tabulate(g);
            c.iter().fold(f, |f, &v| forall(f, v))
        }
        Recipe::Restrict(f, l) => {
            let f = tabulate(f);
            table(|row| {
                // The first value of a variable has to be written last.
                let row = l.iter().rev().fold(row, |row, &(v, b)| with(row, v, b));
                holds(f, row)
            })
        }
        Recipe::DistanceOne(f, c) => {
            let f = tabulate(f);
            c.iter().fold(f, |n, &v| n & forall(f, v))
        }
    }
}

/// Checks everything that can be seen of a function against its truth table.
fn check<B: Bdd>(bdd: &B, f: &B::F, truth: Table, reference: u32, weights: &[u32]) {
    let vars = all();
    assert_eq!(table(|row| evaluate(bdd, f, |v| value(row, v))), truth);
    assert_eq!(*f == bdd.constant(false), truth == 0);
    assert_eq!(*f == bdd.constant(true), truth == !0);

    let depends = |v: u32| table(|row| holds(truth, row ^ (1 << (VARS - 1 - v)))) != truth;
    let support: Vec<u32> = vars.iter().copied().filter(|&v| depends(v)).collect();
    assert_eq!(variables_of(bdd, f), support);
    match bdd.split(f) {
        Split::Const(value) => assert_eq!(truth, table(|_| value)),
        Split::Node { var, hi, lo } => {
            assert_eq!(Some(&var), support.first());
            assert_eq!(hi, bdd.restrict(f, &[(var, true)]).unwrap());
            assert_eq!(lo, bdd.restrict(f, &[(var, false)]).unwrap());
        }
    }

    assert_eq!(count(bdd, f, &vars), BigUint::from(truth.count_ones()));
    let unused = (vars.len() - support.len()) as u32;
    assert_eq!(count(bdd, f, &support) << unused, BigUint::from(truth.count_ones()));

    let rows: Vec<u32> = models(bdd, f, &vars).map(|m| row_of(&m)).collect();
    let expected: Vec<u32> = (0..ROWS).filter(|&row| holds(truth, row)).collect();
    assert_eq!(rows, expected);
    assert_eq!(BigUint::from(models(bdd, f, &support).count()), count(bdd, f, &support));

    // The distance first, then agreement with the reference, first variable first.
    let distance = |row: u32| -> u32 {
        let differ = |v: &u32| value(row, *v) != value(reference, *v);
        vars.iter().filter(|v| differ(v)).map(|&v| weights[v as usize]).sum()
    };
    let best = expected.iter().copied().min_by_key(|&row| (distance(row), row ^ reference));
    let reference: Vec<bool> = vars.iter().map(|&v| value(reference, v)).collect();
    let found = closest(bdd, f, &vars, &reference, |v| weights[v as usize]);
    assert_eq!(found.map(|values| row_of(&values)), best);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn back_ends_agree(
        recipe in recipe(),
        reference in 0..ROWS,
        weights in prop::collection::vec(0_u32..4, VARS as usize),
    ) {
        let truth = tabulate(&recipe);
        let ours = OxiddBdd::new(VARS, Capacity::new(1 << 10, 1 << 8));
        let theirs = BiodivineBdd::new(VARS);
        let f = build(&ours, &recipe).unwrap();
        let g = build(&theirs, &recipe).unwrap();
        check(&ours, &f, truth, reference, &weights);
        check(&theirs, &g, truth, reference, &weights);
        prop_assert_eq!(transfer(&theirs, &g, &ours).unwrap(), f.clone());
        prop_assert_eq!(transfer(&ours, &f, &theirs).unwrap(), g.clone());
        // Complemented edges only ever save nodes.
        prop_assert!(ours.node_count(&f) <= theirs.node_count(&g));
        prop_assert_eq!(ours.node_count(&f) == 0, theirs.node_count(&g) == 0);
    }

    /// Functions with random tables are denser than those of random recipes.
    #[test]
    fn random_tables_agree(
        truth in any::<u64>(),
        other in any::<u64>(),
        set in prop::collection::btree_set(0..VARS, 0..5),
        reference in 0..ROWS,
        weights in prop::collection::vec(0_u32..4, VARS as usize),
    ) {
        let minterms = |truth: Table| {
            let row = |row: u32| (0..VARS).fold(Recipe::Const(true), |f, v| {
                let literal = Recipe::Var(v);
                let literal = if value(row, v) { literal } else { Recipe::Not(literal.into()) };
                Recipe::And(f.into(), literal.into())
            });
            (0..ROWS)
                .filter(|&r| holds(truth, r))
                .fold(Recipe::Const(false), |f, r| Recipe::Or(f.into(), row(r).into()))
        };
        let ours = OxiddBdd::new(VARS, Capacity::default());
        let set: Vec<u32> = set.into_iter().collect();
        let (f, g) = (Box::new(minterms(truth)), Box::new(minterms(other)));
        check(&ours, &build(&ours, &f).unwrap(), truth, reference, &weights);
        for recipe in [
            Recipe::Exists(f.clone(), set.clone()),
            Recipe::Forall(f.clone(), set.clone()),
            Recipe::AndExists(f.clone(), g.clone(), set.clone()),
            Recipe::ForallImp(f.clone(), g.clone(), set.clone()),
            Recipe::DistanceOne(f.clone(), set.clone()),
        ] {
            let result = build(&ours, &recipe).unwrap();
            check(&ours, &result, tabulate(&recipe), reference, &weights);
        }
    }

    /// However small a manager is, its operations return the truth or `Full`.
    #[test]
    fn small_managers_are_right_or_full(recipe in recipe(), nodes in 0_u32..40) {
        let truth = tabulate(&recipe);
        let mut capacity = Capacity::new(nodes, 4);
        loop {
            let bdd = OxiddBdd::new(VARS, capacity);
            if let Ok(f) = build(&bdd, &recipe) {
                prop_assert_eq!(table(|row| evaluate(&bdd, &f, |v| value(row, v))), truth);
                break;
            }
            capacity = capacity.grown().unwrap();
            prop_assert!(capacity.nodes() < 10_000);
        }
    }
}

/// Builds "at least k of the variables are true".
fn at_least<B: Bdd>(bdd: &B, k: u32) -> Result<B::F, Full> {
    let mut row: Vec<B::F> = (0..=k).map(|j| bdd.constant(j == 0)).collect();
    for v in (0..bdd.vars()).rev() {
        let x = bdd.var(v)?;
        for j in (1..=k as usize).rev() {
            row[j] = bdd.ite(&x, &row[j - 1], &row[j])?;
        }
    }
    Ok(row[k as usize].clone())
}

#[test]
fn tiny_managers_are_full() {
    // The function needs hundreds of nodes.
    for nodes in [0, 1, 2, 7, 31, 64, 99, 100, 101, 150, 250] {
        let bdd = OxiddBdd::new(40, Capacity::new(nodes, 16));
        assert_eq!(at_least(&bdd, 20), Err(Full), "{nodes} nodes");
        assert!(bdd.collections() > 0);
    }
    let bdd = OxiddBdd::new(40, Capacity::new(1 << 12, 1 << 8));
    assert!(at_least(&bdd, 20).is_ok());
}

#[test]
fn a_full_manager_stays_usable() {
    let bdd = OxiddBdd::new(40, Capacity::new(150, 16));
    let parity =
        |vars: std::ops::Range<u32>| vars.map(|v| bdd.var(v)).try_fold(bdd.constant(false), |f, v| bdd.xor(&f, &v?));
    let f = parity(0..20).unwrap();
    for _ in 0..3 {
        assert_eq!(at_least(&bdd, 20), Err(Full));
    }
    assert_eq!(parity(0..20).unwrap(), f);
    assert_eq!(count(&bdd, &f, &(0..20).collect::<Vec<_>>()), BigUint::from(1_u32 << 19));
}

#[test]
fn garbage_makes_room() {
    for (vars, nodes) in [(20, 90), (60, 300), (60, 5_000), (60, 70_000), (60, 200_000)] {
        let bdd = OxiddBdd::new(vars, Capacity::new(nodes, 1 << 10));
        let all: Vec<u32> = (0..vars).collect();
        // Conjunctions of literals: far more nodes than fit, yet at any time
        // twice as many as there are variables are enough.
        let mut random = 1_u64;
        for _ in 0..4 * nodes / vars {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let mut f = bdd.constant(true);
            for v in all.iter().rev() {
                let x = bdd.var(*v).unwrap();
                let no = bdd.constant(false);
                f = if random.rotate_left(*v) & 1 == 0 {
                    bdd.ite(&x, &f, &no).unwrap()
                } else {
                    bdd.ite(&x, &no, &f).unwrap()
                };
            }
            let only: Vec<Vec<bool>> = models(&bdd, &f, &all).collect();
            assert_eq!(only.len(), 1);
            for v in 0..vars {
                assert_eq!(only[0][v as usize], random.rotate_left(v) & 1 == 0);
            }
        }
        assert!(bdd.nodes() <= nodes as usize);
        // With so few nodes `oxidd` does not collect by itself.
        if nodes < 100 {
            assert!(bdd.collections() > 0, "{nodes} nodes");
        }
    }
}

#[test]
fn collecting_keeps_what_is_needed() {
    let bdd = OxiddBdd::new(40, Capacity::default());
    let f = at_least(&bdd, 20).unwrap();
    let size = bdd.node_count(&f);
    bdd.collect();
    assert_eq!(bdd.nodes(), size);
    assert_eq!(at_least(&bdd, 20).unwrap(), f);
    drop(f);
    bdd.collect();
    assert_eq!(bdd.nodes(), 0);
}

#[test]
fn capacities_grow_to_an_end() {
    let mut capacity = Capacity::new(0, 0);
    let mut steps = 0;
    while let Some(grown) = capacity.grown() {
        assert!(grown.nodes() > capacity.nodes() && grown.cache() >= capacity.cache());
        assert!(grown.bytes() > capacity.bytes());
        capacity = grown;
        steps += 1;
    }
    assert!(steps < 20);
    assert_eq!(capacity.nodes(), Capacity::MAX_NODES);
    assert!(Capacity::new(u32::MAX, u32::MAX).cache() <= Capacity::MAX_CACHE);
    assert!(Capacity::default().bytes() < 40 << 20);
}

#[test]
fn counts_are_exact_beyond_machine_words() {
    let vars: Vec<u32> = (0..320).collect();
    let bdd = OxiddBdd::new(320, Capacity::default());
    let power = |n: u32| BigUint::from(1_u32) << n;
    assert_eq!(count(&bdd, &bdd.constant(true), &vars), power(320));
    assert_eq!(count(&bdd, &bdd.constant(false), &vars), BigUint::ZERO);
    assert_eq!(count(&bdd, &bdd.var(77).unwrap(), &vars), power(319));
    // At least one: all but one.
    let some = at_least(&bdd, 1).unwrap();
    assert_eq!(count(&bdd, &some, &vars), power(320) - 1_u32);
    // Two are the same: half.
    let same = bdd.iff(&bdd.var(3).unwrap(), &bdd.var(300).unwrap()).unwrap();
    assert_eq!(count(&bdd, &same, &vars), power(319));
    assert_eq!(count(&bdd, &same, &[3, 300]), power(1));
}

#[test]
fn models_stop_early() {
    let vars: Vec<u32> = (0..200).collect();
    let bdd = OxiddBdd::new(200, Capacity::default());
    let some = at_least(&bdd, 1).unwrap();
    let first: Vec<Vec<bool>> = models(&bdd, &some, &vars).take(3).collect();
    let ones = |m: &Vec<bool>| -> Vec<usize> { (0..200).filter(|&i| m[i]).collect() };
    let found: Vec<Vec<usize>> = first.iter().map(ones).collect();
    assert_eq!(found, [vec![199], vec![198], vec![198, 199]]);
    assert_eq!(models(&bdd, &bdd.constant(false), &vars).next(), None);
}

#[test]
fn models_over_no_variables() {
    let bdd = OxiddBdd::new(3, Capacity::default());
    let yes: Vec<Vec<bool>> = models(&bdd, &bdd.constant(true), &[]).collect();
    assert_eq!(yes, [Vec::<bool>::new()]);
    let mut no = models(&bdd, &bdd.constant(false), &[]);
    assert_eq!((no.next(), no.next()), (None, None));
    assert_eq!(count(&bdd, &bdd.constant(true), &[]), BigUint::from(1_u32));
    assert_eq!(closest(&bdd, &bdd.constant(true), &[], &[], |_| 1), Some(Vec::new()));
}

#[test]
fn distance_one_of_thresholds() {
    // Flipping one variable loses at most one, so "at least k" becomes "k + 1".
    let bdd = OxiddBdd::new(30, Capacity::default());
    let all: Vec<u32> = (0..30).collect();
    let mut theta = at_least(&bdd, 1).unwrap();
    for k in 2..=30 {
        theta = distance_one_forall(&bdd, &theta, &all).unwrap();
        assert_eq!(theta, at_least(&bdd, k).unwrap());
    }
    let none = distance_one_forall(&bdd, &theta, &all).unwrap();
    assert_eq!(none, bdd.constant(false));
    assert_eq!(distance_one_forall(&bdd, &theta, &[]).unwrap(), theta);
}

#[test]
fn deep_diagrams_do_not_exhaust_the_stack() {
    let vars = 2_000;
    let bdd = OxiddBdd::new(vars, Capacity::default());
    let mut parity = bdd.constant(false);
    for v in (0..vars).rev() {
        parity = bdd.xor(&parity, &bdd.var(v).unwrap()).unwrap();
    }
    let all: Vec<u32> = (0..vars).collect();
    let cube = bdd.cube(all.iter().copied()).unwrap();
    assert_eq!(bdd.exists(&parity, &cube).unwrap(), bdd.constant(true));
    let none = distance_one_forall(&bdd, &parity, &all).unwrap();
    assert_eq!(none, bdd.constant(false));
    assert_eq!(count(&bdd, &parity, &all), BigUint::from(1_u32) << (vars - 1));
    let zeros = vec![false; vars as usize];
    let near = closest(&bdd, &parity, &all, &zeros, |_| 1).unwrap();
    let ones: BTreeSet<usize> = (0..near.len()).filter(|&i| near[i]).collect();
    assert_eq!(ones, BTreeSet::from([vars as usize - 1]));
}
