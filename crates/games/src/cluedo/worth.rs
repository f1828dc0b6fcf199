//! What questions are worth, for people: every number is exact, or says how far it may be off.
//!
//! What an answer tells the asker is counted over all deals that fit, if they are few enough to be looked at. What it
//! gives away to another seat depends on what that seat has seen, which the asker does not know: so every view that the
//! seat may have is weighed by how many deals lead to it (and, of several cards that may have been shown to it, by each
//! equally often), and from *its* deals follows what the public part of the answer, who passes and who shows, would tell
//! it. If all views and all their deals can be looked at, questions that differ only by symmetry get equal numbers.
//! Otherwise views and deals are drawn by chance, and the number is an [`Estimate`] with its error.

use super::ask::{Asking, Fitting};
use super::count::Deals;
use super::know::Knower;
use super::position::{Constraints, Deal, Observed, Position};
use super::rules::asked;
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::Seat;
use crate::knowledge::{Budget, Refused};
use std::collections::BTreeMap;

/// A number that was counted, or estimated from a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Half of a 95 % interval around it: from the spread of the sample, and the whole of what was corrected for its
    /// known bias. 0 if the number is exact.
    pub error: f64,
    /// From how many deals it comes.
    pub deals: usize,
    /// Whether these are all deals that matter.
    pub exact: bool,
}

impl Estimate {
    fn exact(value: f64, deals: usize) -> Estimate {
        Estimate { value, error: 0.0, deals, exact: true }
    }

    /// The mean of some numbers; their errors are taken to go together.
    pub fn mean(of: &[Estimate]) -> Option<Estimate> {
        let n = of.len() as f64;
        (!of.is_empty()).then(|| Estimate {
            value: of.iter().map(|e| e.value).sum::<f64>() / n,
            error: of.iter().map(|e| e.error).sum::<f64>() / n,
            deals: of.iter().map(|e| e.deals).sum(),
            exact: of.iter().all(|e| e.exact),
        })
    }
}

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// The most deals of the asker.
    pub deals: usize,
    /// How many views of each other seat are drawn if not all are looked at; with 0 nothing is said about others.
    pub views: usize,
    /// How many deals of each of these views.
    pub of_view: usize,
    /// The most views of a seat that are all looked at: each must be counted anew.
    pub all_views: usize,
    /// The most looks at a deal, for all questions and one other seat, with which all its views are looked at.
    pub looks: usize,
}

impl Care {
    /// Nothing is said about others.
    pub fn alone(deals: usize) -> Care {
        Care { deals, views: 0, of_view: 0, all_views: 0, looks: 0 }
    }
}

/// A question with what it is expected to tell, and to whom.
#[derive(Clone, Debug)]
pub struct Question {
    /// One card of each category.
    pub cards: CardSet,
    /// The chance that these cards are the envelope.
    pub wins: Estimate,
    /// What the answer is expected to tell the asker about the envelope, in bits.
    pub envelope_bits: Estimate,
    /// What it is expected to tell about the deal, in bits.
    pub deal_bits: Estimate,
    /// For each seat the chance that it answers, and last the chance that nobody does.
    pub answers: Vec<f64>,
    /// For each seat the bits about the envelope that the answer is expected to give away to it; `None` for the asker.
    pub gives: Vec<Option<Estimate>>,
}

impl Question {
    /// What it gives away, on average over the others; `None` if that was not looked at.
    pub fn given(&self) -> Option<Estimate> {
        Estimate::mean(&self.gives.iter().flatten().copied().collect::<Vec<_>>())
    }
}

/// Every question, the most telling first.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// How many deals fit.
    pub deals: u128,
    /// Whether all of them were looked at, or a sample of this many.
    pub exact: bool,
    /// How many deals were looked at.
    pub looked: usize,
    /// How far each chance of an answer may be off: half of a 95 % interval, 0 if all deals were looked at.
    pub chance_error: f64,
    /// The questions.
    pub questions: Vec<Question>,
}

/// What the numbers of bits given away leave out in this position, as a sentence: then they are not what the others get,
/// however exactly they are computed.
pub fn left_out(position: &Position) -> Option<&'static str> {
    position.has_endmoves().then_some("What ends of turns told the others is left out of what they learn.")
}

/// Ranks every question by what it is expected to tell about the envelope; among equals, by its chance to name it.
/// What endmoves tell the asker is taken into account; what they told the others is not.
pub fn rank(position: &Position, care: Care, budget: &Budget, dice: &mut Dice) -> Result<Ranking, Refused> {
    let mut knower = Knower::new(position);
    knower.possible(budget)?;
    let deals = Deals::of(position.deck(), &Constraints::of(position));
    let mut total = deals.total();
    let fitting = match position.has_endmoves() {
        false => Fitting::among(position, &deals, care.deals, &|_| true, dice),
        true => {
            let survivors = knower.survivors(budget)?;
            total = knower.deals(budget)?.deals;
            Fitting::among(position, &deals, care.deals, &|deal| survivors.admits(deal), dice)
        }
    };
    let fitting = fitting.ok_or(if total == 0 { Refused::NoWorld } else { Refused::Limit })?;
    let cards = position.deck().triples(position.deck().cards());
    let gives = gives(position, &fitting, &cards, care, dice);
    let mut asking = fitting.asked_by(position.observer());
    let mut questions: Vec<Question> =
        cards.iter().zip(gives).map(|(&cards, gives)| question(&mut asking, &fitting, cards, gives)).collect();
    questions.sort_by(|a, b| {
        let key = |q: &Question| (q.envelope_bits.value, q.wins.value);
        key(b).partial_cmp(&key(a)).expect("bits are numbers")
    });
    let exact = fitting.is_exact();
    let chance_error = if exact { 0.0 } else { chance_error(0.5, fitting.len()) };
    Ok(Ranking { deals: total, exact, looked: fitting.len(), chance_error, questions })
}

/// What a question is expected to tell the asker, with what is known of what it gives away.
pub fn question(asking: &mut Asking<'_>, fitting: &Fitting, cards: CardSet, gives: Vec<Option<Estimate>>) -> Question {
    let told = asking.question(cards, true);
    let deals = fitting.len();
    let (wins, envelope_bits, deal_bits) = if fitting.is_exact() {
        let exact = |value| Estimate::exact(value, deals);
        (exact(told.wins), exact(told.envelope_bits), exact(told.deal_bits))
    } else {
        let sampled = |value: f64, error: f64| Estimate { value, error, deals, exact: false };
        let spread = asking.spread();
        (
            sampled(told.wins, chance_error(told.wins, deals)),
            sampled((told.envelope_bits - spread.bias).max(0.0), NORMAL * spread.deviation + spread.bias),
            sampled(told.deal_bits, NORMAL * SURPRISE / (deals as f64).sqrt()),
        )
    };
    Question { cards, wins, envelope_bits, deal_bits, answers: told.answers, gives }
}

/// For each seat, and last for nobody, the chance that it answers a question, and the bits that its answer gives the
/// asker on average.
pub fn by_answer(asking: &mut Asking<'_>, fitting: &Fitting, cards: CardSet) -> Vec<(Estimate, Estimate)> {
    let deals = fitting.len();
    let answers = asking.by_answer(cards).into_iter();
    if fitting.is_exact() {
        return answers.map(|a| (Estimate::exact(a.chance, deals), Estimate::exact(a.bits, deals))).collect();
    }
    let sampled = |value: f64, error: f64| Estimate { value, error, deals, exact: false };
    answers
        .map(|a| {
            let bits = (a.bits - a.spread.bias).max(0.0);
            let error = NORMAL * a.spread.deviation + a.spread.bias;
            (sampled(a.chance, chance_error(a.chance, deals)), sampled(bits, error))
        })
        .collect()
}

/// What each question is expected to give away to each other seat: for each question a list by seat.
pub fn gives(
    position: &Position,
    fitting: &Fitting,
    questions: &[CardSet],
    care: Care,
    dice: &mut Dice,
) -> Vec<Vec<Option<Estimate>>> {
    let mut gives = vec![vec![None; position.seats() as usize]; questions.len()];
    if care.views == 0 {
        return gives;
    }
    for seat in asked(position.observer(), position.seats()) {
        let counted = counted(position, fitting, seat, questions, care);
        let found = counted.or_else(|| drawn(position, fitting, seat, questions, care, dice));
        for (row, found) in gives.iter_mut().zip(found.into_iter().flatten()) {
            row[seat.index()] = Some(found);
        }
    }
    gives
}

/// What each question gives the seat, from all its views and all their deals; `None` if those are too many.
fn counted(
    position: &Position,
    fitting: &Fitting,
    seat: Seat,
    questions: &[CardSet],
    care: Care,
) -> Option<Vec<Estimate>> {
    let views = views(position, fitting, seat, care.all_views)?;
    let mut left = care.looks / questions.len().max(1);
    let (mut bits, mut deals) = (vec![0.0; questions.len()], 0);
    for (view, weight) in views {
        let all = Deals::of(view.deck(), &Constraints::of(&view)).list(left)?;
        left -= all.len();
        deals += all.len();
        let theirs = Fitting::all(&view, &all);
        let mut asking = theirs.asked_by(position.observer());
        for (sum, &cards) in bits.iter_mut().zip(questions) {
            *sum += weight * asking.question(cards, false).envelope_bits;
        }
    }
    Some(bits.into_iter().map(|bits| Estimate::exact(bits, deals)).collect())
}

/// Every view that the seat may have, with its chance; `None` if there are too many, or if not all deals are there.
fn views(position: &Position, fitting: &Fitting, seat: Seat, most: usize) -> Option<Vec<(Position, f64)>> {
    if !fitting.is_exact() {
        return None;
    }
    // What was shown to the seat and not to the observer.
    let shown = |event: &Observed| match *event {
        Observed::Ask { asker, cards, answer: Some(by), shown: None } if asker == seat => Some((by, cards)),
        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
    };
    let shown: Vec<(Seat, CardSet)> = position.events().iter().filter_map(shown).collect();
    let mut views: BTreeMap<(CardSet, Vec<Card>, CardSet), (Position, f64)> = BTreeMap::new();
    let accused = position.events().iter().any(|e| matches!(e, Observed::Accuse { seat: by, .. } if *by == seat));
    for i in 0..fitting.len() {
        let deal = fitting.deal(i);
        let seen = if accused { deal.envelope() } else { CardSet::EMPTY };
        let choices = choices(&deal, &shown, most)?;
        let weight = 1.0 / (fitting.len() * choices.len()) as f64;
        for choice in choices {
            let key = (deal.hand(seat), choice, seen);
            if let Some((_, sum)) = views.get_mut(&key) {
                *sum += weight;
                continue;
            }
            let view = view(position, seat, &deal, &key.1);
            views.insert(key, (view, weight));
        }
        if views.len() > most {
            return None;
        }
    }
    Some(views.into_values().collect())
}

/// What the seat has seen if these cards were shown to it where the observer did not see which.
fn view(position: &Position, seat: Seat, deal: &Deal, shown: &[Card]) -> Position {
    let events = position.events().iter();
    // The own choice of what to show tells the seat nothing: any will do.
    let mut to_seat = events.filter_map(|event| match *event {
        Observed::Ask { asker, answer: Some(by), shown: None, .. } if asker == seat || by == seat => {
            Some(asker == seat)
        }
        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
    });
    let mut shown = shown.iter();
    position.seen_by(seat, deal, &mut |may| {
        let told = to_seat.next().filter(|&told| told).and_then(|_| shown.next().copied());
        told.or_else(|| may.lowest()).expect("somebody showed a card")
    })
}

/// Every choice of cards that these seats can have shown; `None` if there are too many.
fn choices(deal: &Deal, shown: &[(Seat, CardSet)], most: usize) -> Option<Vec<Vec<Card>>> {
    let mut all: Vec<Vec<Card>> = vec![Vec::new()];
    for &(by, cards) in shown {
        let may = deal.hand(by).and(cards);
        all = all.iter().flat_map(|so_far| may.iter().map(move |c| [&so_far[..], &[c]].concat())).collect();
        if all.len() > most {
            return None;
        }
    }
    Some(all)
}

/// What each question gives the seat, from a few views and deals drawn by chance; `None` if no view could be drawn.
fn drawn(
    position: &Position,
    fitting: &Fitting,
    seat: Seat,
    questions: &[CardSet],
    care: Care,
    dice: &mut Dice,
) -> Option<Vec<Estimate>> {
    let mut sums = vec![Sums::default(); questions.len()];
    let (mut views, mut deals) = (0, 0);
    for _ in 0..care.views {
        let view = draw(position, fitting, seat, dice);
        let Some(theirs) = Fitting::of(&view, care.of_view, dice) else { continue };
        views += 1;
        deals += theirs.len();
        let mut asking = theirs.asked_by(position.observer());
        for (sum, &cards) in sums.iter_mut().zip(questions) {
            let bits = asking.question(cards, false).envelope_bits;
            let bias = if theirs.is_exact() { 0.0 } else { asking.spread().bias };
            sum.add((bits - bias).max(0.0), bias);
        }
    }
    (views > 0).then(|| sums.iter().map(|sum| sum.estimate(views, deals)).collect())
}

/// A view that the seat may have.
fn draw(position: &Position, fitting: &Fitting, seat: Seat, dice: &mut Dice) -> Position {
    let deal = fitting.deal(dice.below(fitting.len()));
    position.seen_by(seat, &deal, &mut |cards| {
        let pick = dice.below(cards.len());
        cards.iter().nth(pick).expect("below the number of cards")
    })
}

/// The bits about the envelope that the seat lacks on average, each of its views counted exactly.
pub fn lacks(position: &Position, fitting: &Fitting, seat: Seat, care: Care, dice: &mut Dice) -> Option<Estimate> {
    let open = |view: &Position| {
        let envelopes = Deals::of(view.deck(), &Constraints::of(view)).envelopes();
        let total = envelopes.iter().map(|e| e.1).sum::<u128>() as f64;
        envelopes.iter().map(|e| e.1 as f64 / total).map(|p| -p * p.log2()).sum::<f64>().max(0.0)
    };
    if let Some(views) = views(position, fitting, seat, care.all_views) {
        let value = views.iter().map(|(view, weight)| weight * open(view)).sum();
        return Some(Estimate::exact(value, fitting.len()));
    }
    let mut sums = Sums::default();
    (0..care.views).for_each(|_| sums.add(open(&draw(position, fitting, seat, dice)), 0.0));
    (care.views > 0).then(|| sums.estimate(care.views, care.views))
}

/// Sums over views.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    bits: f64,
    squares: f64,
    bias: f64,
}

impl Sums {
    fn add(&mut self, bits: f64, bias: f64) {
        self.bits += bits;
        self.squares += bits * bits;
        self.bias += bias;
    }

    fn estimate(&self, views: usize, deals: usize) -> Estimate {
        let n = views as f64;
        let value = self.bits / n;
        let spread =
            if views > 1 { ((self.squares - n * value * value).max(0.0) / (n - 1.0) / n).sqrt() } else { value };
        Estimate { value, error: student(views) * spread + self.bias / n, deals, exact: false }
    }
}

/// The bits of an answer less those of a choice: with at most 31 answers their standard deviation is below this.
const SURPRISE: f64 = 3.5;

/// The 97.5 % quantile of the normal distribution.
const NORMAL: f64 = 1.96;

/// The 97.5 % quantile of Student's distribution for so many values.
fn student(values: usize) -> f64 {
    const SMALL: [f64; 10] = [12.71, 12.71, 4.31, 3.19, 2.78, 2.58, 2.45, 2.37, 2.31, 2.27];
    SMALL.get(values.saturating_sub(1)).copied().unwrap_or(2.24)
}

/// Half of a 95 % interval of a chance found in a sample; where it was never seen, three in the size of the sample.
fn chance_error(chance: f64, sample: usize) -> f64 {
    let n = sample as f64;
    (NORMAL * (chance * (1.0 - chance) / n).sqrt()).max(3.0 / n)
}
