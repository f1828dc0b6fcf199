//! One decision of the guesser: the posterior over the whole space, the likeliest rules, the card to play.
//!
//!     cargo bench -p ken-games --bench eleusis_guess

use criterion::{Criterion, criterion_group, criterion_main};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::guess::Guesser;
use ken_games::eleusis::secret::Secret;
use std::hint::black_box;

/// The mind of a player who searched for the rule that long.
fn after(rule: &str, plays: usize) -> Guesser {
    let secret = Secret::read(rule, &Deck::STANDARD).expect("a library rule");
    let starter = Deck::STANDARD.read("7C").expect("a card");
    let mut guesser = Guesser::new(starter, 1);
    let mut at = secret.after(starter);
    for _ in 0..plays {
        let card = guesser.plan(Deck::STANDARD.all()).card.expect("a card");
        let accepted = secret.accepted(at).has(card);
        if accepted {
            at = secret.step(at, card);
        }
        guesser.observe(card, accepted);
    }
    guesser
}

fn decisions(c: &mut Criterion) {
    let mut group = c.benchmark_group("decision");
    for rule in ["gar-2", "np-01"] {
        for plays in [0, 5, 10, 20, 40] {
            let guesser = after(rule, plays);
            group.bench_function(format!("{rule} after {plays} plays"), |b| {
                b.iter(|| black_box(guesser.clone()).plan(Deck::STANDARD.all()).card);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, decisions);
criterion_main!(benches);
