//! What a partner who keeps no convention will make of a move: it is taken to be the paper's player.

use super::distance::{Gaps, classes};
use super::outlook::{Draws, cost};
use crate::cards::{Card, CardSet};
use crate::dice::mix;
use crate::game::{Game, Player};
use crate::yokai::colour::CARDS;
use crate::yokai::layout::Cell;
use crate::yokai::players::Placed;
use crate::yokai::players::paper::{Order, Paper, Plain};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage, State, Yokai};

/// How many colourings the partner's turn is played on.
const PLAYED: usize = 12;
/// What a match that is lost, or won, is worth in moves.
const END: f64 = 8.0;

/// The mean cost after my move and the partner's turn, in moves. My hint is taken to change nothing but the count of
/// hints.
pub fn after_partner(position: &Position, (card, to): (Card, Cell), draws: &Draws, seed: u64) -> f64 {
    let Position { me, stage, partner_seen, .. } = position;
    let mut stage = stage.clone();
    let seat = *me;
    stage.follow(&Sight::Done { seat, act: SeenAct::Moved { card, to }, end: None });
    let hint = match stage.undrawn().first() {
        Some(&hint) => SeenAct::Activated(hint),
        None => SeenAct::Marked { card: lowest(&stage), hint: stage.active()[0] },
    };
    stage.follow(&Sight::Done { seat, act: hint, end: None });
    let game = Yokai::default();
    let played = draws.len().min(PLAYED);
    let total: f64 = (0..played)
        .map(|i| {
            let colouring = draws.colourings[i];
            let seen = std::array::from_fn(|c| {
                let card = Card(c as u8);
                partner_seen.has(card).then(|| colouring.of(card))
            });
            let mut partner = Paper::new(Plain::default(), Order::PAPER, mix(seed, i as u64));
            let me = stage.seat();
            let partner_seen = position.known();
            partner.place(&Position { stage: stage.clone(), seen, partner_seen, ..Position::start(me) });
            let mut state = State::at(colouring, stage.clone());
            while !state.stage().is_over() && state.stage().seat() == me {
                let action = partner.choose(&game.legal(&state));
                let event = game.play(&mut state, &action).expect("the paper's player plays by the rules");
                partner.watch(&game.sight(&event, me));
                if action == Action::Stop {
                    break;
                }
            }
            let shape = state.stage().layout().shape();
            let grouped = shape.grouped(&colouring);
            match (state.stage().is_over(), grouped) {
                (true, true) => -END,
                (true, false) => END,
                (false, true) => -2.0,
                (false, false) => {
                    f64::from(cost(&Gaps::of(&shape), &classes(&colouring), state.stage().marked().0 as u16)) / 100.0
                }
            }
        })
        .sum();
    total / played.max(1) as f64
}

fn lowest(stage: &Stage) -> Card {
    CardSet::first(CARDS).minus(stage.marked()).lowest().expect("nine cards are never marked")
}
