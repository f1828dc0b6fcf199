//! How fast a big belief base answers and changes: 20,000 formulas, mostly literals and rules of two literals, and long
//! chains.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_logic::belief::{Alpha, Base, Reasoner, Reviser, Store};
use std::hint::black_box;

const CARDS: usize = 256;
const COLOURS: [&str; 4] = ["red", "green", "blue", "yellow"];

fn atom(store: &mut Store, name: &str) -> Alpha {
    let prop = store.prop(name);
    store.atom(prop, 0)
}

fn colour(store: &mut Store, card: usize, colour: usize) -> Alpha {
    atom(store, &format!("col({card},{})", COLOURS[colour % 4]))
}

/// Every card has one colour; no card is marked; a mark with a hint excludes the colours that it does not show, for
/// the machine and as the human sees it; the colours of half the cards are known.
fn base(store: &mut Store) -> Base {
    let mut base = Base::default();
    for card in 0..CARDS {
        let colours: Vec<Alpha> = (0..4).map(|c| colour(store, card, c)).collect();
        base.core.push(store.exactly(1, &colours));
        for hint in 1..15usize {
            let mark = atom(store, &format!("mark({card},{hint})"));
            let not = store.not(mark);
            let seen = store.human(0, mark);
            base.factual.extend([not, store.human(0, not)]);
            for c in (0..4).filter(|c| hint >> c & 1 == 0) {
                let wrong = store.not(colours[c]);
                let known = store.human(0, wrong);
                base.hypothetical.extend([store.implies(mark, wrong), store.implies(seen, known)]);
            }
        }
        if card % 2 == 0 {
            base.factual.push(colours[card % 4]);
        } else {
            for &c in &colours {
                let explicit = store.machine(c);
                base.factual.push(store.not(explicit));
            }
        }
    }
    base
}

fn big(c: &mut Criterion) {
    let mut store = Store::new();
    let base = base(&mut store);
    let size = base.factual.len() + base.hypothetical.len();
    let mut reviser = Reviser::new(&store, &base);
    // The card is red after all, then green again, with what goes with it: two facts go each time.
    let inputs: Vec<Vec<Alpha>> = (0..2)
        .map(|c| {
            let now = colour(&mut store, 6, c);
            let other = colour(&mut store, 6, 1 - c);
            let (now_explicit, other_explicit) = (store.machine(now), store.machine(other));
            vec![now, now_explicit, store.not(other_explicit)]
        })
        .collect();
    let mut turn = 0;
    c.bench_function(&format!("revise {size} formulas, three clashes"), |b| {
        b.iter(|| {
            turn += 1;
            black_box(reviser.revise(&store, &inputs[turn % 2]))
        });
    });
    // The mark contradicts a known colour: a rule of the hypotheses goes.
    let wrong = atom(&mut store, "mark(8,14)");
    c.bench_function(&format!("load {size} formulas and give up a hypothesis"), |b| {
        b.iter(|| black_box(base.revise(&store, &[wrong])));
    });

    let mut reasoner = Reasoner::new();
    base.core.iter().for_each(|&alpha| reasoner.fix(alpha));
    base.factual.iter().chain(&base.hypothetical).for_each(|&alpha| reasoner.add(alpha));
    let unmarked = store.not(wrong);
    let asked: Vec<_> = (0..4)
        .map(|c| {
            let seen = colour(&mut store, 8, c);
            let either = store.or(unmarked, seen);
            store.implicit(either)
        })
        .collect();
    c.bench_function(&format!("one question to {size} premises"), |b| {
        b.iter(|| {
            turn += 1;
            black_box(reasoner.entails(&mut store, asked[turn % 4]))
        });
    });
    let mut small = Reasoner::new();
    base.core.iter().for_each(|&alpha| small.fix(alpha));
    base.factual.iter().take(500).for_each(|&alpha| small.add(alpha));
    c.bench_function("one question to 500 premises", |b| {
        b.iter(|| {
            turn += 1;
            black_box(small.entails(&mut store, asked[turn % 4]))
        });
    });
}

/// `p0`, `p0 -> p1`, …: n formulas.
fn chain(store: &mut Store, n: usize) -> (Vec<Alpha>, Vec<Alpha>) {
    let atoms: Vec<Alpha> = (0..n).map(|i| atom(store, &format!("p{i}"))).collect();
    let links: Vec<Alpha> = atoms.windows(2).map(|pair| store.implies(pair[0], pair[1])).collect();
    ([&atoms[..1], &links].concat(), atoms)
}

fn chains(c: &mut Criterion) {
    let mut group = c.benchmark_group("chains");
    group.sample_size(10);
    for n in [1_000, 4_000, 10_000] {
        for (place, at) in [("end", n - 1), ("middle", n / 2)] {
            let mut store = Store::new();
            let (factual, atoms) = chain(&mut store, n);
            let input = [store.not(atoms[at])];
            let base = Base { factual, ..Base::default() };
            group.bench_function(format!("revise {n} facts, contradicted at the {place}"), |b| {
                b.iter(|| black_box(base.revise(&store, &input)));
            });
        }
        // Chains of ten, every second one contradicted.
        let mut store = Store::new();
        let (mut base, mut input) = (Base::default(), Vec::new());
        for k in 0..n / 10 {
            let atoms: Vec<Alpha> = (0..10).map(|i| atom(&mut store, &format!("p{k}_{i}"))).collect();
            base.factual.push(atoms[0]);
            base.factual.extend(atoms.windows(2).map(|pair| store.implies(pair[0], pair[1])));
            input.extend((k % 2 == 0).then(|| store.not(atoms[9])));
        }
        group.bench_function(format!("revise {n} facts, {} independent clashes", input.len()), |b| {
            b.iter(|| black_box(base.revise(&store, &input)));
        });
    }
    for n in [10_000, 100_000] {
        let mut store = Store::new();
        let (premises, atoms) = chain(&mut store, n);
        let asked = store.implicit(atoms[n - 1]);
        group.bench_function(format!("what follows along {n} premises, with its reasons"), |b| {
            b.iter(|| {
                let mut reasoner = Reasoner::new();
                premises.iter().for_each(|&alpha| reasoner.add(alpha));
                black_box(reasoner.explain(&mut store, asked))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, big, chains);
criterion_main!(benches);
