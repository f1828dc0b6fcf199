//! The rows of `docs/benchmarks.md`: model files checked from text to answers, with given parameters.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_logic::check::time::{TimeOptions, TimeQuestion, TimeSession};
use ken_logic::check::{At, EngineChoice, Limits, Question, Session};
use ken_logic::import::model_from_ispl;
use ken_logic::model::Document;
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

fn system_answers(document: &Document) -> usize {
    let time = document.time.clone().expect("a system");
    let mut session = TimeSession::open(time, TimeOptions::default());
    let mut asked = 0;
    for query in &document.queries {
        let formula = query.formula.clone();
        let question = TimeQuestion { kind: query.kind, formula, list: 0, at: None, explain: false };
        let answer = session.ask(&question).expect("no limit");
        assert!(query.expected.as_ref().is_none_or(|e| answer.meets(e) == Some(true)));
        asked += 1;
    }
    asked
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
        let set: Vec<_> = set.iter().map(|(n, v)| (n.to_string(), (*v).into())).collect();
        group.bench_function(label, |b| {
            b.iter(|| system_answers(&model_from_ken(black_box(&text), &set).expect("a library model")));
        });
    }
    for name in ["software_development", "dc40", "dc50"] {
        let file = root.join(format!("../shared/conformance/ispl/{name}.ispl"));
        let Ok(text) = std::fs::read_to_string(file) else {
            eprintln!("SKIPPED: {name}.ispl of the conformance folder is not here");
            continue;
        };
        group.bench_function(name, |b| {
            b.iter(|| system_answers(&model_from_ispl(black_box(&text)).expect("an ISPL file")));
        });
    }
    group.finish();
}

criterion_group!(benches, models, systems);
criterion_main!(benches);
