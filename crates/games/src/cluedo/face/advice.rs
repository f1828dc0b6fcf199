//! Hints in three steps: what to think about, what to look for, what to do.

use super::standing::{PAGE, Standing, names, no_deal, position};
use crate::cards::{Card, CardSet};
use crate::cluedo::estimate::Estimate;
use crate::cluedo::rules::Phase;
use crate::cluedo::worth::{Care, Question, Ranking, lacks, left_out, rank};
use crate::cluedo::{Action, Cluedo, Endmove, Observed, Position, Sight};
use crate::dice::Dice;
use crate::game::{Notation, Seat, View};
use crate::knowledge::Refused;
use crate::table::page::{Advice, Problem};
use ken_logic::text::grouped;
use ken_logic::text::listed;

/// How many steps a hint has.
const STEPS: u8 = 3;

/// How much is looked at for the best question.
const CARE: Care = Care::FULL;

/// How much is looked at for the card to show: each view is counted once, and not for every question.
const SHOWING: Care = Care { all_views: 500, views: 64, ..CARE };

/// A question that tells less by so many bits is as good, if it gives away less.
const ALIKE: f64 = 0.02;

/// A hint for the seat whose memory this is.
pub(super) fn advice(game: &Cluedo, memory: &[Sight], step: u8) -> Result<Advice, Problem> {
    let step = step.clamp(1, STEPS);
    let page = game.view(memory);
    let me = page.seat;
    let (lines, action) = match page.phase {
        Phase::Suggest(seat) if seat == me => suggest(game, memory, step)?,
        Phase::Show { by, to, cards } if by == me => {
            let can = cards.and(page.hand.iter().copied().collect());
            show(game, memory, to, can, step)
        }
        Phase::Decide(seat) if seat == me => decide(game, memory, step),
        Phase::Suggest(_) | Phase::Show { .. } | Phase::Decide(_) => {
            return Err(Problem::new("not-your-turn", "advice is about a move, and it is not your turn"));
        }
        Phase::Over(_) => return Err(Problem::new("over", "the match is over")),
    };
    Ok(Advice { step, steps: STEPS, lines, action: action.filter(|_| step == STEPS).map(|a| game.write(&a)) })
}

type Hint = (Vec<String>, Option<Action>);

/// What is open about the envelope, a line for each category.
fn open(game: &Cluedo, standing: &Standing) -> Vec<String> {
    let deck = game.deck();
    let envelope = standing.position.sizes().len();
    let mut lines: Vec<String> = Vec::new();
    for k in 0..deck.categories() {
        let may: CardSet = deck.category(k).iter().filter(|&c| standing.settled(c, envelope) != Some(false)).collect();
        let category = deck.category_name(k);
        lines.push(match may.len() {
            1 => format!("Of the {category} you know the one in the envelope: {}.", deck.names(may)),
            n => format!("Of the {category}, {n} may lie in the envelope: {}.", listed(names(game.deck(), may), "or")),
        });
    }
    lines
}

fn suggest(game: &Cluedo, memory: &[Sight], step: u8) -> Result<Hint, Problem> {
    let standing = Standing::of(game, memory);
    let known = solution(&standing);
    if step == 1 {
        let mut lines = open(game, &standing);
        lines.push(match known {
            Some(_) => "You know the envelope. Ask anything, and accuse when your question is answered.".to_string(),
            None => "Ask where the answer is least certain.".to_string(),
        });
        return Ok((lines, None));
    }
    let position = &standing.position;
    let ranking = rank(position, CARE, &PAGE, &mut Dice::new(0)).map_err(|refused| match refused {
        Refused::NoWorld => no_deal(),
        Refused::Limit | Refused::Unfit(_) => Problem::new("too-long", "this would take too long to find out"),
    })?;
    let Some(best) = choose(&ranking) else { return Err(no_deal()) };
    let action = Action::Suggest(best.cards);
    let mut lines = kind(game, &standing, best);
    if step == 2 {
        return Ok((lines, None));
    }
    lines.clear();
    lines.push(match known {
        Some(_) => {
            "Any question will do: the answer tells you nothing new. This one gives the others little.".to_string()
        }
        None => {
            format!("Expect {} about the envelope; {:.2} are open.", bits(&best.envelope_bits), open_bits(&standing))
        }
    });
    if known.is_none() && best.wins > 0.0 {
        lines.push(format!("It names the envelope itself with a chance of {:.1}%.", 100.0 * best.wins));
    }
    let given = best.given();
    if let Some(given) = &given {
        lines.push(format!("The others learn {} of it on average.", bits(given)));
    }
    let several = as_good(&ranking, best);
    if known.is_none() && several > 1 {
        lines.push(format!("It is one of {several} questions that cannot be told apart by these numbers."));
    }
    lines.push(match estimated(&best.envelope_bits, "deals") {
        None => format!("Your own numbers are exact: all {} deals that fit are counted.", grouped(ranking.deals)),
        Some(said) => format!("What you learn is {said}; {} deals fit.", grouped(ranking.deals)),
    });
    let said = given.and_then(|given| estimated(&given, "views that they may have"));
    lines.extend(said.map(|said| format!("What the others learn is {said}.")));
    lines.extend(left_out(position).map(str::to_string));
    Ok((lines, Some(action)))
}

/// The most telling question; of those that tell as much, the one that gives away least.
fn choose(ranking: &Ranking) -> Option<&Question> {
    let most = ranking.questions.first()?.envelope_bits.value;
    let alike = ranking.questions.iter().filter(|q| q.rank == 1 || q.envelope_bits.value >= most - ALIKE);
    let given = |q: &Question| q.given().map_or(0.0, |g| g.value);
    alike.min_by(|a, b| given(a).total_cmp(&given(b)))
}

/// How many questions, this one among them, tell and give away as much as this one, as far as the numbers tell.
fn as_good(ranking: &Ranking, best: &Question) -> usize {
    let alike = |a: &Estimate, b: &Estimate| !a.surely_above(b) && !b.surely_above(a);
    let as_good = |q: &&Question| {
        let given = match (q.given(), best.given()) {
            (Some(a), Some(b)) => alike(&a, &b),
            (None, _) | (_, None) => true,
        };
        given && alike(&q.envelope_bits, &best.envelope_bits)
    };
    ranking.questions.iter().filter(as_good).count()
}

/// `0.25 bits`, or with its error if it is an estimate.
pub(super) fn bits(estimate: &Estimate) -> String {
    match estimate.exact {
        true => format!("{:.2} bits", estimate.value),
        false => format!("≈ {:.2} ± {:.2} bits", estimate.value, estimate.error()),
    }
}

/// What an estimate comes from, and what its error means; nothing if the number is exact.
pub(super) fn estimated(estimate: &Estimate, from: &str) -> Option<String> {
    let looked = grouped(estimate.looked as u128);
    (!estimate.exact).then(|| format!("an estimate from {looked} {from}; ± is half of a 95% interval"))
}

/// Which kind of question is the best, and why.
fn kind(game: &Cluedo, standing: &Standing, best: &Question) -> Vec<String> {
    let position = &standing.position;
    let envelope = position.sizes().len();
    let open = |c: Card| standing.settled(c, envelope).is_none();
    let (own, rest): (Vec<Card>, Vec<Card>) = best.cards.iter().partition(|&c| position.hand().has(c));
    let (asks, idle): (Vec<Card>, Vec<Card>) = rest.into_iter().partition(|&c| open(c));
    let of = |cards: &[Card]| {
        let categories = cards.iter().map(|&c| game.deck().category_name(game.deck().category_of(c)).to_string());
        listed(categories, "and")
    };
    let mut lines = Vec::new();
    if !asks.is_empty() {
        lines.push(format!("Ask for a card that may lie in the envelope among the {}.", of(&asks)));
    }
    if !own.is_empty() {
        lines.push(format!(
            "Take a card of your own among the {}: nobody else can show it, so the answer is about the other cards.",
            of(&own)
        ));
    }
    if !idle.is_empty() {
        lines.push(format!(
            "Among the {} take a card of which you know already whether it is in the envelope.",
            of(&idle)
        ));
    }
    let nobody = best.answers.last().map_or(0.0, |nobody| nobody.value);
    if nobody > 0.0 && nobody < 1.0 {
        lines.push(format!("With a chance of {:.0}% nobody can answer, which tells most.", 100.0 * nobody));
    }
    lines
}

/// What lies in the envelope, if it is known.
fn solution(standing: &Standing) -> Option<CardSet> {
    match standing.solved.envelopes[..] {
        [(envelope, _)] => Some(envelope),
        _ => None,
    }
}

/// How much is open about the envelope, in bits.
fn open_bits(standing: &Standing) -> f64 {
    entropy(standing.solved.envelopes.iter().map(|&(_, n)| n))
}

fn entropy(counts: impl Iterator<Item = u128> + Clone) -> f64 {
    let total = counts.clone().sum::<u128>() as f64;
    counts.map(|n| n as f64 / total).filter(|&p| p > 0.0).map(|p| -p * p.log2()).sum::<f64>().abs()
}

/// A card of the own hand that the seat has been shown already.
pub(super) fn shown_before(position: &Position, to: Seat, cards: CardSet) -> Option<Card> {
    position.events().iter().find_map(|event| match *event {
        Observed::Ask { asker, answer: Some(by), shown: Some(card), .. }
            if asker == to && by == position.observer() && cards.has(card) =>
        {
            Some(card)
        }
        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
    })
}

fn show(game: &Cluedo, memory: &[Sight], to: Seat, can: CardSet, step: u8) -> Hint {
    let position = position(game, memory);
    let before = shown_before(&position, to, can);
    let (best, left) = match before {
        Some(card) => (Some(card), Vec::new()),
        None => least(&position, to, can),
    };
    let action = best.map(Action::Show);
    let name = |card: Card| game.deck().name(card).to_string();
    let lines = match (step, can.len(), before) {
        (1, 1, _) => vec!["You hold one of the cards that were asked for: you must show it.".to_string()],
        (1, ..) => {
            vec![format!(
                "You may show {}. Which of them tells seat {to} least?",
                listed(names(game.deck(), can), "or")
            )]
        }
        (_, 1, _) => vec![format!("There is only {} to show.", game.deck().names(can))],
        (_, _, Some(card)) => vec![format!("Seat {to} has seen your {} before: it learns nothing new.", name(card))],
        (2, _, None) => vec![
            format!("Seat {to} has not seen any of these from you."),
            "A card that it suspects anyway, or one of a category of which it knows much, tells it little.".to_string(),
        ],
        (_, _, None) => {
            let each = left.iter().map(|(card, lacks)| format!("after {} {}", name(*card), bits(lacks)));
            let mut lines = vec![format!("What seat {to} would still lack of the envelope: {}.", listed(each, "and"))];
            let said = left.iter().find_map(|(_, lacks)| estimated(lacks, "views that it may have"));
            lines.extend(said.map(|said| format!("That is {said}.")));
            let best = left.iter().find(|(card, _)| Some(*card) == best);
            let worse = |(card, lacks): &(Card, Estimate)| best.is_none_or(|b| b.0 == *card || b.1.surely_above(lacks));
            if !left.iter().all(worse) {
                lines.push("Which of them leaves it with least cannot be told from these numbers.".to_string());
            }
            lines
        }
    };
    (lines, action)
}

/// The card after which the asker lacks most of the envelope, with the bits it lacks after each.
fn least(position: &Position, to: Seat, can: CardSet) -> (Option<Card>, Vec<(Card, Estimate)>) {
    let after = |card: Card| {
        let mut events = position.events().to_vec();
        if let Some(Observed::Ask { shown, .. }) = events.last_mut() {
            *shown = Some(card);
        }
        // The same chance for every card.
        let left = lacks(&position.with_events(events), to, SHOWING, &mut Dice::new(1))?;
        Some((card, left))
    };
    let left: Vec<(Card, Estimate)> = can.iter().filter_map(after).collect();
    let best = left.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value)).map(|&(card, _)| card);
    (best.or(can.lowest()), left)
}

fn decide(game: &Cluedo, memory: &[Sight], step: u8) -> Hint {
    let standing = Standing::of(game, memory);
    let known = solution(&standing);
    let fit = standing.solved.envelopes.len();
    let action = known.map_or(Action::End, Action::Accuse);
    let lines = match (step, known) {
        (1, _) => open(game, &standing),
        (2, Some(_)) => vec!["Only one envelope fits what you saw.".to_string()],
        (2, None) => {
            let best = standing.solved.envelopes.iter().map(|&(_, n)| n).max().unwrap_or(0);
            let chance = 100.0 * best as f64 / standing.solved.deals.max(1) as f64;
            vec![
                format!("{fit} envelopes fit. The likeliest has a chance of {chance:.0}%."),
                "You can accuse once in a match.".to_string(),
            ]
        }
        (_, Some(_)) => vec!["You know the envelope: accuse.".to_string()],
        (_, None) => {
            let mut lines = vec!["You do not know the envelope: end your turn.".to_string()];
            if game.endmove() == Endmove::Ignorance {
                lines.push("It tells everybody that you do not know it.".to_string());
            }
            lines
        }
    };
    (lines, Some(action))
}
