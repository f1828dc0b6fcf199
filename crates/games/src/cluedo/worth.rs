//! What questions are worth: every number is exact, or estimated without bias and says how far it may be off.
//!
//! What an answer tells the asker is counted. What it gives away to another seat depends on what that seat has seen, which
//! the asker does not know: so every [view](super::views) that the seat may have is weighed by its chance, and what the
//! public part of the answer, who passes and who shows, would tell it is counted for each view. If the views are few, up to
//! alike cards, all are looked at and the number is exact; else some are drawn, and since each is counted exactly their
//! mean is unbiased and their spread is its error. Where there is too much to count, [`waiting`] tells,
//! without bias as well. Questions that differ only by alike cards get equal numbers.

use super::answer::Answers;
use super::ask::{Expected, expected};
use super::count::Deals;
use super::estimate::{Draws, Estimate};
use super::know::{Knower, Survivors};
use super::listed::Fitting;
use super::position::{Constraints, Deal, Position};
use super::rules::asked;
use super::symmetry::Alike;
use super::views::{self, Drawer};
use super::waiting::{self, Drawn};
use crate::cards::CardSet;
use crate::dice::Dice;
use crate::game::Seat;
use crate::knowledge::{Budget, Refused};

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    /// The most views of each other seat that are all looked at.
    pub all_views: usize,
    /// How many views are drawn of each other seat that may have had more; with 0 nothing is said about others.
    pub views: usize,
    /// How many deals are drawn where there is too much to count.
    pub draws: usize,
    /// The most steps of counting what the questions tell one seat.
    pub work: u64,
    /// The most deals that are looked at one by one, where ends of turns have excluded some.
    pub deals: usize,
}

impl Care {
    /// What is looked at for people who wait for it.
    pub const FULL: Care = Care { all_views: 48, views: 12, draws: 64, work: 1_000_000_000, deals: 50_000 };

    /// Nothing is said about others.
    pub const ALONE: Care = Care { all_views: 0, views: 0, ..Care::FULL };
}

/// A question with what it is expected to tell, and to whom.
#[derive(Clone, Debug)]
pub struct Question {
    /// One card of each category.
    pub cards: CardSet,
    /// The chance that these cards are the envelope: always exact.
    pub wins: f64,
    /// What the answer is expected to tell the asker about the envelope, in bits.
    pub envelope_bits: Estimate,
    /// What it is expected to tell about the deal, in bits.
    pub deal_bits: Estimate,
    /// For each seat the chance that it answers, and last the chance that nobody does.
    pub answers: Vec<Estimate>,
    /// For each seat the bits about the envelope that the answer is expected to give away to it; `None` for the asker.
    pub gives: Vec<Option<Estimate>>,
    /// One more than the number of questions that surely tell more about the envelope.
    pub rank: usize,
    /// How many questions, this one among them, cannot be told from it by what they tell about the envelope.
    pub tied: usize,
}

impl Question {
    /// What it gives away, on average over the others; `None` if that was not looked at.
    pub fn given(&self) -> Option<Estimate> {
        Estimate::mean(&self.gives.iter().flatten().copied().collect::<Vec<_>>())
    }
}

/// Questions, the most telling first; of those that cannot be told apart, the one that seems to tell most.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// How many deals fit.
    pub deals: u128,
    /// Whether what the questions tell the asker is exact, or an estimate.
    pub exact: bool,
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
    ask(position, &position.deck().triples(position.deck().cards()), care, budget, dice)
}

/// The same for some questions: what is said of one does not depend on which others are asked about, but for chance.
pub fn ask(
    position: &Position,
    cards: &[CardSet],
    care: Care,
    budget: &Budget,
    dice: &mut Dice,
) -> Result<Ranking, Refused> {
    let standing = Standing::of(position, care, budget)?;
    let told = standing.told(cards, care, dice)?;
    let gives = gives(position, cards, care, dice);
    let questions = cards.iter().zip(told).zip(gives).map(|((&cards, told), gives)| Question {
        cards,
        wins: standing.wins(cards),
        envelope_bits: told.envelope_bits,
        deal_bits: told.deal_bits,
        answers: told.answers,
        gives,
        rank: 1,
        tied: 1,
    });
    let mut questions: Vec<Question> = questions.collect();
    place(&mut questions);
    let exact = questions.iter().all(|q| q.envelope_bits.exact);
    Ok(Ranking { deals: standing.total, exact, questions })
}

/// For each seat, and last for nobody, the chance that it answers a question, and the bits about the envelope that its
/// answer gives the asker on average.
pub fn by_answer(
    position: &Position,
    cards: CardSet,
    care: Care,
    budget: &Budget,
    dice: &mut Dice,
) -> Result<Vec<(Estimate, Estimate)>, Refused> {
    Standing::of(position, care, budget)?.by_answer(cards, care, dice)
}

/// What each question is expected to tell the observer, who asks it: exact, or estimated without bias where that takes too
/// long. Ends of turns are left out. `None` if no deal fits.
pub fn telling(position: &Position, questions: &[CardSet], care: Care, dice: &mut Dice) -> Option<Vec<Expected>> {
    let asker = position.observer();
    let estimated = |dice: &mut Dice| {
        let deals = Deals::of(position.deck(), &Constraints::of(position));
        let envelopes = deals.envelopes();
        let wins = |cards: CardSet| envelopes.iter().find(|(e, _)| *e == cards).map_or(0, |e| e.1) as f64;
        let drawn = waiting::drawn(position, asker, true, questions, care.draws, &|_| true, dice)?;
        let told = drawn.iter().zip(questions).map(|(drawn, &cards)| Expected {
            wins: wins(cards) / deals.total() as f64,
            answers: drawn.by.iter().map(|by| by.len() as f64 / care.draws as f64).collect(),
            envelope_bits: drawn.envelope.mean(),
            deal_bits: drawn.deal.mean(),
        });
        Some(told.collect())
    };
    expected(position, asker, true, questions, care.work).or_else(|| estimated(dice))
}

/// Ranks the questions: nothing is said to be better than what cannot be told from it.
fn place(questions: &mut [Question]) {
    let told: Vec<Estimate> = questions.iter().map(|q| q.envelope_bits).collect();
    for question in questions.iter_mut() {
        let above = told.iter().filter(|other| other.surely_above(&question.envelope_bits)).count();
        let below = told.iter().filter(|other| question.envelope_bits.surely_above(other)).count();
        question.rank = above + 1;
        question.tied = told.len() - above - below;
    }
    questions.sort_by(|a, b| {
        // What differs only by rounding is alike.
        let bits = |q: &Question| (q.envelope_bits.value * 1e9).round();
        a.rank.cmp(&b.rank).then(bits(b).total_cmp(&bits(a))).then(b.wins.total_cmp(&a.wins))
    });
}

/// What a question tells the asker.
#[derive(Clone, Debug)]
struct Told {
    envelope_bits: Estimate,
    deal_bits: Estimate,
    answers: Vec<Estimate>,
}

impl Told {
    fn exact(expected: Expected, deals: usize) -> Told {
        let exact = |value| Estimate::exact(value, deals);
        Told {
            envelope_bits: exact(expected.envelope_bits),
            deal_bits: exact(expected.deal_bits),
            answers: expected.answers.into_iter().map(exact).collect(),
        }
    }

    fn drawn(drawn: &Drawn, most: f64) -> Told {
        Told {
            envelope_bits: drawn.envelope.estimate(most),
            deal_bits: drawn.deal.estimate(most),
            answers: drawn.by.iter().map(|by| Estimate::share(by.len(), drawn.envelope.len())).collect(),
        }
    }
}

/// The deals that fit, what ends of turns tell included.
struct Standing<'p> {
    position: &'p Position,
    total: u128,
    envelopes: Vec<(CardSet, u128)>,
    /// What ends of turns exclude, and the deals that they leave, if those are few.
    ended: Option<(Survivors, Option<Vec<Deal>>)>,
}

impl Standing<'_> {
    fn of<'p>(position: &'p Position, care: Care, budget: &Budget) -> Result<Standing<'p>, Refused> {
        let mut knower = Knower::new(position);
        knower.possible(budget)?;
        let deals = Deals::of(position.deck(), &Constraints::of(position));
        if !position.has_endmoves() || !knower.endmoves_tell(budget)? {
            let (total, envelopes) = (deals.total(), deals.envelopes());
            let refused = if total == 0 { Err(Refused::NoWorld) } else { Ok(()) };
            return refused.map(|()| Standing { position, total, envelopes, ended: None });
        }
        let survivors = knower.survivors(budget)?;
        let mut few = deals.list(care.deals);
        few.iter_mut().for_each(|few| few.retain(|deal| survivors.admits(deal)));
        let solved = knower.deals(budget)?;
        Ok(Standing { position, total: solved.deals, envelopes: solved.envelopes, ended: Some((survivors, few)) })
    }

    fn wins(&self, cards: CardSet) -> f64 {
        let deals = self.envelopes.iter().find(|(e, _)| *e == cards).map_or(0, |&(_, n)| n);
        deals as f64 / self.total as f64
    }

    fn told(&self, questions: &[CardSet], care: Care, dice: &mut Dice) -> Result<Vec<Told>, Refused> {
        let (kinds, kind) = Alike::of(self.position).kinds(questions);
        let asker = self.position.observer();
        let counted = match &self.ended {
            None => expected(self.position, asker, true, &kinds, care.work),
            Some((_, few)) => few.as_ref().map(|few| {
                let fitting = Fitting::all(self.position, few);
                let mut asking = fitting.asked_by(asker);
                kinds.iter().map(|&cards| asking.question(cards, true)).collect()
            }),
        };
        let told: Vec<Told> = match counted {
            Some(all) => all.into_iter().map(|one| Told::exact(one, self.total as usize)).collect(),
            None => self.drawn(&kinds, care, dice)?.iter().map(|d| Told::drawn(d, most(self.position, true))).collect(),
        };
        Ok(kind.into_iter().map(|k| told[k].clone()).collect())
    }

    fn drawn(&self, questions: &[CardSet], care: Care, dice: &mut Dice) -> Result<Vec<Drawn>, Refused> {
        let survives = |deal: &Deal| self.ended.as_ref().is_none_or(|(survivors, _)| survivors.admits(deal));
        let asker = self.position.observer();
        waiting::drawn(self.position, asker, true, questions, care.draws, &survives, dice).ok_or(Refused::Limit)
    }

    fn by_answer(&self, cards: CardSet, care: Care, dice: &mut Dice) -> Result<Vec<(Estimate, Estimate)>, Refused> {
        let (asker, seats) = (self.position.observer(), self.position.seats());
        let deals = self.total as usize;
        let exact = |(chance, bits): (f64, f64)| (Estimate::exact(chance, deals), Estimate::exact(bits, deals));
        let counted = match &self.ended {
            None => Answers::within(self.position, asker, true, cards, care.work).map(|answers| answers.by_seat(seats)),
            Some((_, few)) => few.as_ref().map(|few| {
                let answers = Fitting::all(self.position, few).asked_by(asker).by_answer(cards);
                answers.into_iter().map(|a| (a.chance, a.bits)).collect()
            }),
        };
        if let Some(rows) = counted {
            return Ok(rows.into_iter().map(exact).collect());
        }
        let drawn = self.drawn(&[cards], care, dice)?.remove(0);
        let bits = |by: &Draws| by.estimate(most(self.position, true));
        let all = drawn.envelope.len();
        Ok(drawn.by.iter().map(|by| (Estimate::share(by.len(), all), bits(by))).collect())
    }
}

/// The most bits of an answer.
fn most(position: &Position, sees_card: bool) -> f64 {
    let cards = if sees_card { position.deck().categories() } else { 1 };
    (((usize::from(position.seats()) - 1) * cards + 1) as f64).log2()
}

/// What each question is expected to give away to each other seat: for each question a list by seat. Exact if a seat may
/// have had at most [`Care::all_views`] views, else the mean over [`Care::views`] of them; every view is drawn for all
/// questions and no draw is used for two seats. With no views, or if no deal fits, nothing is said.
pub fn gives(position: &Position, questions: &[CardSet], care: Care, dice: &mut Dice) -> Vec<Vec<Option<Estimate>>> {
    let mut gives = vec![vec![None; position.seats() as usize]; questions.len()];
    let drawer = Drawer::new(position).filter(|_| care.views > 0);
    let Some(drawer) = drawer else { return gives };
    let (kinds, kind) = Alike::of(position).kinds(questions);
    for seat in asked(position.observer(), position.seats()) {
        let found = given_exactly(position, seat, &kinds, care)
            .unwrap_or_else(|| given_on_average(&drawer, position, seat, (questions, &kind, kinds.len()), care, dice));
        for (row, &kind) in gives.iter_mut().zip(&kind) {
            row[seat.index()] = Some(found[kind]);
        }
    }
    gives
}

/// What each question gives the seat, from all its views; `None` if those are too many.
///
/// Of views that differ by alike cards one is looked at: in its place the question changes its cards for alike ones.
fn given_exactly(position: &Position, seat: Seat, questions: &[CardSet], care: Care) -> Option<Vec<Estimate>> {
    if views::saw_envelope(position, seat) {
        return Some(vec![Estimate::exact(0.0, 1); questions.len()]);
    }
    let views = views::all(position, seat, care.all_views)?;
    let alike = Alike::of(position);
    let orbits: Vec<Vec<CardSet>> = questions.iter().map(|&q| alike.orbit(q)).collect();
    let all: Vec<CardSet> = orbits.iter().flatten().copied().collect();
    let mut bits = vec![0.0; questions.len()];
    for view in &views {
        let told = publicly(&view.position, position.observer(), &all, care.work)?;
        let mut told = told.iter();
        for (sum, orbit) in bits.iter_mut().zip(&orbits) {
            *sum += view.chance * told.by_ref().take(orbit.len()).sum::<f64>() / orbit.len() as f64;
        }
    }
    Some(bits.into_iter().map(|bits| Estimate::exact(bits, views.len())).collect())
}

/// What who answers tells the observer of a view about the envelope, for each question.
fn publicly(view: &Position, asker: Seat, questions: &[CardSet], work: u64) -> Option<Vec<f64>> {
    let (kinds, kind) = Alike::of(view).kinds(questions);
    let told = expected(view, asker, false, &kinds, work)?;
    Some(kind.into_iter().map(|k| told[k].envelope_bits).collect())
}

/// What each kind of question gives the seat, on average over views that are drawn. Each view is counted for all questions
/// of the kind: it might as well have been drawn with its alike cards changed.
fn given_on_average(
    drawer: &Drawer<'_>,
    position: &Position,
    seat: Seat,
    (questions, kind, kinds): (&[CardSet], &[usize], usize),
    care: Care,
    dice: &mut Dice,
) -> Vec<Estimate> {
    let asker = position.observer();
    let mut draws = vec![Draws::default(); kinds];
    let mut sizes = vec![0.0; kinds];
    kind.iter().for_each(|&k| sizes[k] += 1.0);
    for _ in 0..care.views {
        let view = drawer.draw(seat, dice);
        let counted = publicly(&view, asker, questions, care.work);
        let told = counted.or_else(|| {
            let few = waiting::drawn(&view, asker, false, questions, FEW, &|_| true, dice)?;
            Some(few.iter().map(|drawn| drawn.envelope.mean()).collect())
        });
        let mut means = vec![0.0; kinds];
        for (&k, bits) in kind.iter().zip(told.expect("the deal that the view comes from fits it")) {
            means[k] += bits / sizes[k];
        }
        draws.iter_mut().zip(means).for_each(|(draws, mean)| draws.add(mean));
    }
    draws.iter().map(|draws| draws.estimate(most(position, false))).collect()
}

/// How many deals of a view are drawn where there is too much to count: the spread between views counts them in.
const FEW: usize = 2;

/// The bits about the envelope that the seat lacks on average.
pub fn lacks(position: &Position, seat: Seat, care: Care, dice: &mut Dice) -> Option<Estimate> {
    let open = |view: &Position| {
        let envelopes = Deals::of(view.deck(), &Constraints::of(view)).envelopes();
        let total = envelopes.iter().map(|e| e.1).sum::<u128>() as f64;
        envelopes.iter().map(|e| e.1 as f64 / total).map(|p| -p * p.log2()).sum::<f64>().max(0.0)
    };
    let drawer = Drawer::new(position)?;
    if let Some(views) = views::all(position, seat, care.all_views) {
        let value = views.iter().map(|view| view.chance * open(&view.position)).sum();
        return Some(Estimate::exact(value, views.len()));
    }
    let mut draws = Draws::default();
    (0..care.views).for_each(|_| draws.add(open(&drawer.draw(seat, dice))));
    let most = (position.deck().triples(position.deck().cards()).len() as f64).log2();
    (!draws.is_empty()).then(|| draws.estimate(most))
}
