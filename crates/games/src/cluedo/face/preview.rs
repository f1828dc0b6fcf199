//! What a move would do, as far as the seat may know.

use super::advice::{bits, estimated, shown_before};
use super::standing::{BROKEN, LEFT_OUT, PAGE, Standing, position};
use crate::cards::{Card, CardSet};
use crate::cluedo::ask::Fitting;
use crate::cluedo::count::Deals;
use crate::cluedo::know::Knower;
use crate::cluedo::position::Constraints;
use crate::cluedo::rules::{Phase, asked};
use crate::cluedo::worth::{self, Care, by_answer, gives, question};
use crate::cluedo::{Action, Cluedo, Endmove, Position, Sight};
use crate::dice::Dice;
use crate::game::{Game, Notation, View};
use crate::knowledge::Refused;
use crate::table::INSPECTS;
use crate::table::page::{AnswerChance, Preview};
use ken_logic::text::grouped;

/// How much a preview looks at.
const CARE: Care = Care { deals: 4_000, views: 8, of_view: 1_500, all_views: 200, looks: 400_000 };

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
                preview.lines.extend(standing.left_out.as_ref().and_then(|_| standing.note()));
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
    let mut asking = fitting.asked_by(me);
    let answers = by_answer(&mut asking, &fitting, cards);
    let nobody = usize::from(game.seats());
    let order = asked(me, game.seats()).map(|s| Some(s.0)).chain([None]);
    let row = |seat: Option<u8>| {
        let (chance, bits) = answers[seat.map_or(nobody, usize::from)];
        (chance.value > NEVER).then_some(AnswerChance {
            seat,
            chance: chance.value,
            chance_error: chance.error,
            bits: bits.value,
            bits_error: bits.error,
        })
    };
    preview.answers = order.filter_map(row).collect();
    let gives = gives(position, &fitting, &[cards], CARE, &mut dice).remove(0);
    let asked = question(&mut asking, &fitting, cards, gives);
    preview.lines.push(format!("You expect {} about the envelope.", bits(&asked.envelope_bits)));
    let learn = self::asked(me, game.seats())
        .filter_map(|seat| asked.gives[seat.index()].map(|given| format!("seat {seat} {}", bits(&given))));
    let learn: Vec<String> = learn.collect();
    if !learn.is_empty() {
        preview.lines.push(format!("Of who answers the others learn: {}.", learn.join(", ")));
    }
    let given = asked.gives.iter().flatten().find_map(estimated);
    preview.lines.extend(given.map(|said| format!("What they learn is {said}.")));
    preview.lines.extend(worth::left_out(position).map(str::to_string));
    let looked = grouped(fitting.len() as u128);
    preview.lines.push(match fitting.is_exact() {
        true if fitting.len() == 1 => "Only one deal fits.".to_string(),
        true => format!("Counted over all {looked} deals that fit."),
        false => {
            format!("Your own numbers are estimates from {looked} of the deals that fit; ± is half of a 95% interval.")
        }
    });
}

/// Deals that fit, and what must be said if the ends of turns were left out.
fn fitting(game: &Cluedo, position: &Position, dice: &mut Dice) -> (Option<Fitting>, Option<&'static str>) {
    let deals = Deals::of(game.deck(), &Constraints::of(position));
    let mut left_out = None;
    if position.has_endmoves() {
        match Knower::new(position).survivors(&PAGE) {
            Ok(survivors) => {
                let kept = Fitting::among(position, &deals, CARE.deals, &|deal| survivors.admits(deal), dice);
                if kept.is_some() {
                    return (kept, None);
                }
                left_out = Some(LEFT_OUT);
            }
            Err(Refused::NoWorld) => left_out = Some(BROKEN),
            Err(Refused::Limit | Refused::Unfit(_)) => left_out = Some(LEFT_OUT),
        }
    }
    (Fitting::among(position, &deals, CARE.deals, &|_| true, dice), left_out)
}
