//! What a move would do, as far as the seat may know.

use super::advice::shown_before;
use super::standing::{BROKEN, LEFT_OUT, PAGE, Standing, grouped, position};
use crate::api::{AnswerChance, Preview};
use crate::host::INSPECTS;
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::ask::{Fitting, Others, giveaways};
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::know::{KnowError, Knower};
use ken_games::cluedo::position::Constraints;
use ken_games::cluedo::rules::{Phase, asked};
use ken_games::cluedo::{Action, Cluedo, Endmove, Position, Sight};
use ken_games::dice::Dice;
use ken_games::game::{Game, Notation, View};

/// How many deals a preview looks at, and how much of what the others may have seen.
const LOOKED: usize = 2_000;
const OTHERS: Others = Others { views: 4, deals: 200 };

/// Chances below this are not worth a row.
const NEVER: f64 = 1e-9;

/// What a player should see before an action counts.
pub(super) fn preview(game: &Cluedo, memory: &[Sight], action: &Action, helper: u8) -> Preview {
    let mut preview = Preview { legal: true, read_as: Some(game.write(action)), ..Preview::default() };
    let inspects = helper >= INSPECTS;
    match *action {
        Action::Suggest(cards) if inspects => suggest(game, &position(game, memory), cards, &mut preview),
        Action::Suggest(_) => {}
        Action::Show(card) => show(game, memory, card, inspects, &mut preview),
        Action::Accuse(cards) => {
            if inspects {
                let standing = Standing::of(game, memory);
                preview.lines.push(chance(&standing, cards));
                preview.lines.extend(standing.left_out.as_ref().and_then(|_| standing.note(game)));
            }
            preview.lines.push("If it is wrong you see the envelope, and from then on only answer.".to_string());
        }
        Action::End => {
            if game.endmove() == Endmove::Ignorance {
                preview.lines.push("It tells everybody that you do not know the envelope.".to_string());
                if inspects && Standing::of(game, memory).solved.envelopes.len() == 1 {
                    preview.lines.push("But you know it: this would break the convention.".to_string());
                }
            }
        }
    }
    preview
}

/// How likely an accusation is right.
fn chance(standing: &Standing, cards: CardSet) -> String {
    let deals = standing.solved.envelopes.iter().find(|(e, _)| *e == cards).map_or(0, |&(_, n)| n);
    match (deals, standing.solved.deals) {
        (0, _) => "It is certainly wrong: no deal that fits has this envelope.".to_string(),
        (n, all) if n == all => "It is certainly right: no other envelope fits.".to_string(),
        (n, all) => {
            let (share, n, all) = (100.0 * n as f64 / all as f64, grouped(n), grouped(all));
            format!("It is right in {n} of the {all} deals that fit: {share:.1}%.")
        }
    }
}

fn show(game: &Cluedo, memory: &[Sight], card: Card, inspects: bool, preview: &mut Preview) {
    let Phase::Show { to, .. } = game.view(memory).phase else { return };
    let name = game.deck().name(card);
    preview.lines.push(format!("Only seat {to} sees it."));
    if inspects && shown_before(&position(game, memory), to, CardSet::of(card)).is_some() {
        preview.lines.push(format!("Seat {to} has seen your {name} before: it learns nothing new."));
    }
}

fn suggest(game: &Cluedo, position: &Position, cards: CardSet, preview: &mut Preview) {
    let mut dice = Dice::new(0);
    let (fitting, left_out) = fitting(game, position, &mut dice);
    preview.lines.extend(left_out.map(str::to_string));
    let Some(fitting) = fitting else { return };
    let me = position.observer();
    let by_answer = fitting.asked_by(me).by_answer(cards);
    let nobody = usize::from(game.seats());
    let order = asked(me, game.seats()).map(|s| Some(s.0)).chain([None]);
    let row = |seat: Option<u8>| {
        let (chance, bits) = by_answer[seat.map_or(nobody, usize::from)];
        (chance > NEVER).then_some(AnswerChance { seat, chance, bits })
    };
    preview.answers = order.filter_map(row).collect();
    let bits: f64 = by_answer.iter().map(|&(chance, bits)| chance * bits).sum();
    preview.lines.push(format!("You expect {bits:.2} bits about the envelope."));
    let gives = giveaways(position, &fitting, &[cards], OTHERS, &mut dice);
    let learn = asked(me, game.seats())
        .filter_map(|seat| gives[0][seat.index()].map(|bits| format!("seat {seat} about {bits:.2}")));
    let learn: Vec<String> = learn.collect();
    if !learn.is_empty() {
        preview.lines.push(format!("Of who answers the others learn: {} bits.", learn.join(", ")));
    }
    let looked = grouped(fitting.len() as u128);
    preview.lines.push(match fitting.is_exact() {
        true if fitting.len() == 1 => "Only one deal fits.".to_string(),
        true => format!("Counted over all {looked} deals that fit."),
        false => format!("Estimated from {looked} of the deals that fit."),
    });
}

/// Deals that fit, and what must be said if the ends of turns were left out.
fn fitting(game: &Cluedo, position: &Position, dice: &mut Dice) -> (Option<Fitting>, Option<&'static str>) {
    let deals = Deals::of(game.deck(), &Constraints::of(position));
    let mut left_out = None;
    if position.has_endmoves() {
        match Knower::new(position).survivors(&PAGE) {
            Ok(survivors) => {
                let kept = Fitting::among(position, &deals, LOOKED, &|deal| survivors.admits(deal), dice);
                if kept.is_some() {
                    return (kept, None);
                }
                left_out = Some(LEFT_OUT);
            }
            Err(KnowError::NoWorld) => left_out = Some(BROKEN),
            Err(KnowError::Limit | KnowError::Unfit(_)) => left_out = Some(LEFT_OUT),
        }
    }
    (Fitting::among(position, &deals, LOOKED, &|_| true, dice), left_out)
}
