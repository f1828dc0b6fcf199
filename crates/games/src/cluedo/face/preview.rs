//! What a move would do, as far as the seat may know.

use super::advice::{bits, estimated, shown_before};
use super::standing::{BROKEN, LEFT_OUT, PAGE, Standing, position, silent};
use crate::cards::{Card, CardSet};
use crate::cluedo::rules::{Phase, asked};
use crate::cluedo::worth::{self, Care, Question, by_answer};
use crate::cluedo::{Action, Cluedo, Endmove, Position, Sight};
use crate::dice::Dice;
use crate::game::{Game, Notation, View};
use crate::knowledge::Refused;
use crate::table::INSPECTS;
use crate::table::page::{AnswerChance, Preview};
use ken_logic::text::grouped;

/// How much a preview looks at.
const CARE: Care = Care { all_views: 200, views: 40, ..Care::FULL };

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
    let found = match asked_about(position, cards) {
        Err(refused) if position.has_endmoves() => {
            let broken = matches!(refused, Refused::NoWorld);
            preview.lines.push(if broken { BROKEN } else { LEFT_OUT }.to_string());
            asked_about(&silent(position), cards)
        }
        found => found,
    };
    let Ok((asked, answers, deals)) = found else { return };
    preview.answers = answers;
    preview.lines.push(format!("You expect {} about the envelope.", bits(&asked.envelope_bits)));
    let learn = self::asked(position.observer(), game.seats())
        .filter_map(|seat| asked.gives[seat.index()].map(|given| format!("seat {seat} {}", bits(&given))));
    let learn: Vec<String> = learn.collect();
    if !learn.is_empty() {
        preview.lines.push(format!("Of who answers the others learn: {}.", learn.join(", ")));
    }
    let said = asked.gives.iter().flatten().find_map(|g| estimated(g, "views that each may have"));
    preview.lines.extend(said.map(|said| format!("What they learn is {said}.")));
    preview.lines.extend(worth::left_out(position).map(str::to_string));
    preview.lines.push(match estimated(&asked.envelope_bits, "deals") {
        None if deals == 1 => "Only one deal fits.".to_string(),
        None => format!("Your own numbers are exact: all {} deals that fit are counted.", grouped(deals)),
        Some(said) => format!("What you learn is {said}."),
    });
}

/// What a question is worth, what each answer would tell, and how many deals fit.
fn asked_about(position: &Position, cards: CardSet) -> Result<(Question, Vec<AnswerChance>, u128), Refused> {
    let mut dice = Dice::new(0);
    let ranking = worth::ask(position, &[cards], CARE, &PAGE, &mut dice)?;
    let answers = by_answer(position, cards, CARE, &PAGE, &mut dice)?;
    let (me, seats) = (position.observer(), position.seats());
    let order = asked(me, seats).map(|s| Some(s.0)).chain([None]);
    let row = |seat: Option<u8>| {
        let (chance, bits) = answers[seat.map_or(usize::from(seats), usize::from)];
        (chance.value > NEVER).then_some(AnswerChance {
            seat,
            chance: chance.value,
            chance_error: chance.error(),
            bits: bits.value,
            bits_error: bits.error(),
        })
    };
    let answers = order.filter_map(row).collect();
    let question = ranking.questions.into_iter().next().ok_or(Refused::NoWorld)?;
    Ok((question, answers, ranking.deals))
}
