//! Exact beliefs over the 63,063,000 colourings, and what a turn of the strong players takes: two looks, a move and a
//! hint, from the start and in the fifth turn.

use criterion::{Criterion, criterion_group, criterion_main};
use ken_games::cards::Card;
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Seat};
use ken_games::yokai::count::Evidence;
use ken_games::yokai::players::{Mind, mind};
use ken_games::yokai::{Colour, Layout, Yokai};

/// Two players of this name after so many turns, and the match.
struct Table {
    game: Yokai,
    state: <Yokai as Game>::State,
    minds: Vec<Box<dyn Mind>>,
}

impl Table {
    fn after(name: &str, turns: u8, seed: u64) -> Table {
        let game = Yokai::default();
        let (state, event) = game.deal(&mut Dice::new(seed));
        let mut minds: Vec<Box<dyn Mind>> =
            (0..2).map(|seat| mind(name, &game, mix(seed, seat)).expect("a player")).collect();
        for (seat, mind) in (0..).map(Seat).zip(&mut minds) {
            mind.watch(&game.sight(&event, seat));
        }
        let mut table = Table { game, state, minds };
        (0..turns).for_each(|_| table.turn());
        table
    }

    fn turn(&mut self) {
        let turns = self.state.stage().turns();
        while self.state.stage().turns() == turns && !self.state.stage().is_over() {
            let seat = self.state.stage().seat();
            let action = self.minds[seat.index()].choose(&self.game.legal(&self.state));
            let event = self.game.play(&mut self.state, &action).expect("a listed action");
            for (seat, mind) in (0..).map(Seat).zip(&mut self.minds) {
                mind.watch(&self.game.sight(&event, seat));
            }
        }
    }
}

fn beliefs(c: &mut Criterion) {
    let mut group = c.benchmark_group("yokai belief");
    let mut some = Evidence::none();
    some.is(Card(0), Colour::Red);
    some.same(Card(1), Card(5));
    some.joins(Card(2), 0b1100_0000);
    let shape = Layout::start().shape();
    for (name, evidence) in [("nothing known", Evidence::none()), ("a look, a pair, a join", some)] {
        group.bench_function(format!("count, {name}"), |b| b.iter(|| evidence.count()));
        group.bench_function(format!("marginals, {name}"), |b| b.iter(|| evidence.worlds().marginals()));
        group.bench_function(format!("grouped, {name}"), |b| b.iter(|| evidence.grouped(&shape)));
    }
    group.sample_size(10);
    for name in ["believer", "conventional", "coder", "adapter"] {
        for turns in [0, 4] {
            group.bench_function(format!("turn {} of {name}", turns + 1), |b| {
                b.iter_batched(|| Table::after(name, turns, 3), |mut t| t.turn(), criterion::BatchSize::PerIteration);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, beliefs);
criterion_main!(benches);
