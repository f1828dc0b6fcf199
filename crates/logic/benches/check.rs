//! The rows of `docs/benchmarks.md`: model files checked from text to answers, with given parameters.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_logic::{Document, Format, Limits};
use std::hint::black_box;
use std::path::Path;

/// Asks every question of a document, and finds every answer as it is expected.
fn answers(document: &Document) -> usize {
    let mut checker = document.checker(Limits::default());
    for query in &document.queries {
        let answer = checker.ask(query).expect("no limit");
        assert!(query.expected.as_ref().is_none_or(|e| answer.meets(e) == Some(true)));
    }
    document.queries.len()
}

/// A model of the library with these parameters.
fn read(text: &str, set: &[(&str, i64)]) -> Document {
    let set: Vec<_> = set.iter().map(|(n, v)| (n.to_string(), (*v).into())).collect();
    Document::read_with(text, Format::Ken, &set).expect("a library model")
}

fn models(c: &mut Criterion) {
    let rows: &[(&str, &[(&str, i64)])] = &[
        ("muddy", &[("n", 3)]),
        ("muddy", &[("n", 100)]),
        ("dining", &[("n", 160)]),
        ("dining-separate", &[("n", 20)]),
        ("sum-and-product", &[]),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut group = c.benchmark_group("check");
    group.sample_size(10);
    for (name, set) in rows {
        let text = std::fs::read_to_string(folder.join(format!("{name}.ken"))).expect("a library model");
        let label = set.iter().fold(name.to_string(), |label, (n, v)| format!("{label} {n}={v}"));
        group.bench_function(label, |b| b.iter(|| answers(&read(black_box(&text), set))));
    }
    group.finish();
}

/// Systems of the library, and the files of MCMAS where the conformance folder is present.
fn systems(c: &mut Criterion) {
    let rows: &[(&str, &[(&str, i64)])] = &[
        ("dining-protocol", &[("n", 5)]),
        ("false-coin", &[("k", 4)]),
        ("muddy-protocol", &[("n", 5)]),
        ("train-gate", &[("n", 5)]),
        ("dealer-line", &[("cards", 5)]),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut group = c.benchmark_group("systems");
    group.sample_size(10);
    for (name, set) in rows {
        let text = std::fs::read_to_string(root.join(format!("models/{name}.ken"))).expect("a library model");
        let label = set.iter().fold(name.to_string(), |label, (n, v)| format!("{label} {n}={v}"));
        group.bench_function(label, |b| b.iter(|| answers(&read(black_box(&text), set))));
    }
    for name in ["software_development", "dc40", "dc50"] {
        let file = root.join(format!("../shared/conformance/ispl/{name}.ispl"));
        let Ok(text) = std::fs::read_to_string(file) else {
            eprintln!("SKIPPED: {name}.ispl of the conformance folder is not here");
            continue;
        };
        group.bench_function(name, |b| {
            b.iter(|| answers(&Document::read(black_box(&text), Format::Ispl).expect("an ISPL file")));
        });
    }
    group.finish();
}

criterion_group!(benches, models, systems);
criterion_main!(benches);
