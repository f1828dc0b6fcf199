//! The rows of `docs/benchmarks.md`: model files checked from text to answers, with given parameters.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_logic::check::{At, EngineChoice, Limits, Question, Session};
use ken_logic::syntax::model_from_ken;
use std::hint::black_box;
use std::path::Path;

fn answers(text: &str, set: &[(&str, i64)]) -> usize {
    let set: Vec<_> = set.iter().map(|(n, v)| (n.to_string(), (*v).into())).collect();
    let document = model_from_ken(text, &set).expect("a library model");
    let questions = document
        .queries
        .iter()
        .map(|q| Question { kind: q.kind, formula: q.formula.clone(), at: At::Point, list: 20, explain: false })
        .collect();
    let mut session =
        Session::open(document.model, questions, EngineChoice::Auto, Limits::default()).expect("a model with worlds");
    let mut met = 0;
    for query in &document.queries {
        let answer = session.answer().expect("an answer for each question").expect("no limit");
        met += usize::from(query.expected.as_ref().is_none_or(|e| answer.meets(e) == Some(true)));
    }
    assert_eq!(met, document.queries.len());
    met
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
        group.bench_function(label, |b| b.iter(|| answers(black_box(&text), set)));
    }
    group.finish();
}

criterion_group!(benches, models);
criterion_main!(benches);
