//! The paper's properties at full size: the standard deck, sixteen candidates, no bound on moves, by protocol of play.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ken_games::eleusis::properties::{decide, instances};
use std::hint::black_box;

const FILES: [(&str, &str); 3] = [
    ("any", include_str!("../../../examples/eleusis/properties/full-any.json")),
    ("informative", include_str!("../../../examples/eleusis/properties/full-informative.json")),
    ("planned", include_str!("../../../examples/eleusis/properties/full-planned.json")),
];

fn properties(c: &mut Criterion) {
    let mut group = c.benchmark_group("eleusis properties");
    group.sample_size(10);
    for (protocol, file) in FILES {
        let instance = instances(file).expect("an instance").remove(0);
        group.bench_function(BenchmarkId::from_parameter(protocol), |b| {
            b.iter(|| black_box(decide(&instance, 5_000_000)));
        });
    }
    group.finish();
}

criterion_group!(benches, properties);
criterion_main!(benches);
