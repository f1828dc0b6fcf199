//! The mind that the strong players share: exact beliefs, looks by what they are worth, moves weighed ahead, marks by what
//! the partner learns, stops by their chance.

use super::notes::{Notes, Reading};
use super::{Placed, Reason, Reasoned};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::Player;
use crate::yokai::colour::{CARDS, Colour, Hint};
use crate::yokai::count::Evidence;
use crate::yokai::layout::Cell;
use crate::yokai::plan::outlook::{Draws, Moves, mean_cost};
use crate::yokai::plan::solve::solve;
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, Sight, Step, Yokai};
use serde_json::json;

/// What the strong players differ in.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub reading: Reading,
    /// The chance of a win at which it stops.
    pub sure: f64,
    /// What a bit for the partner is worth, in points.
    pub bit: f64,
    /// What a move that is lost by locking a card costs, in points.
    pub locked: f64,
    /// What it costs to move a card that the partner has moved.
    pub courtesy: f64,
}

/// How many colourings a plan is weighed on.
const DRAWS: usize = 100;
/// How many moves are weighed a step further.
const DEEPER: usize = 10;
/// How many colourings stand for what the partner may have seen.
const PARTNERS: usize = 8;

/// A strong player.
pub struct Thinker {
    pub notes: Notes,
    style: Style,
    dice: Dice,
    reason: Option<Reason>,
}

impl Thinker {
    pub fn new(style: Style, seed: u64) -> Thinker {
        Thinker { notes: Notes::new(), style, dice: Dice::new(seed), reason: None }
    }

    fn draws(&mut self, evidence: &Evidence, n: usize) -> Draws {
        let worlds = evidence.worlds();
        Draws::new((0..n).filter_map(|_| worlds.sample(&mut self.dice)).collect())
    }

    /// What the partner may believe, for some colourings that I hold possible.
    fn partner(&mut self, draws: &Draws) -> Vec<Evidence> {
        let partner = self.notes.looked(self.notes.me.next(2));
        let believes = |colouring: &crate::yokai::colour::Colouring| {
            let seen = std::array::from_fn(|i| partner.has(Card(i as u8)).then(|| colouring.of(Card(i as u8))));
            self.notes.belief(&seen, self.style.reading).evidence
        };
        draws.colourings.iter().take(PARTNERS).map(believes).collect()
    }

    fn look(&mut self, evidence: &Evidence) -> Action {
        let stage = self.notes.stage.clone();
        let first = stage.steps().first;
        let worlds = evidence.worlds();
        let marginals = worlds.marginals();
        let free: Vec<Card> = CardSet::first(CARDS).minus(stage.marked()).iter().filter(|&c| first != Some(c)).collect();
        let unknown: Vec<Card> =
            free.iter().copied().filter(|c| marginals[c.index()].iter().filter(|&&n| n > 0).count() > 1).collect();
        let card = if unknown.is_empty() {
            free[0]
        } else {
            let draws = self.draws(evidence, DRAWS);
            let outlook = Moves::of(stage.layout(), stage.marked()).outlook(&draws);
            let found = match first {
                None => outlook.first_look(&draws, &unknown, &mut self.dice),
                Some(_) => unknown.iter().copied().min_by(|&a, &b| {
                    outlook.after_look(&draws, a).total_cmp(&outlook.after_look(&draws, b))
                }),
            };
            found.unwrap_or(unknown[0])
        };
        Action::Look(card)
    }

    fn allowed(&self, touched: u16, card: Card, known: &[Option<Colour>; CARDS]) -> bool {
        let colour = |i: usize| known[i];
        touched == 0 || (0..CARDS).any(|i| touched >> i & 1 == 1 && colour(i).is_some() && colour(i) == colour(card.index()))
    }

    fn go(&mut self, evidence: &Evidence) -> Action {
        let stage = self.notes.stage.clone();
        let (layout, marked) = (*stage.layout(), stage.marked());
        let draws = self.draws(evidence, DRAWS);
        let moves = Moves::of(&layout, marked);
        if moves.list().is_empty() {
            return Action::Skip;
        }
        let known: [Option<Colour>; CARDS] = evidence.worlds().known();
        if evidence.count() == 1 {
            let left = 14 - stage.turns();
            let keeps = |card, to| {
                !self.style.reading.joins || self.allowed(self.notes.touched(self.notes.me, card, to), card, &known)
            };
            if let Some(path) = solve(&layout, &draws.classes()[0], marked, left.min(9), &keeps)
                && let Some(&(card, to)) = path.first()
            {
                return Action::Move(card, to);
            }
        }
        let means = moves.outlook(&draws).means();
        let partner = self.partner(&draws);
        let me = self.notes.me;
        let joins = self.style.reading.joins;
        let mut told: std::collections::HashMap<(Card, u16), f64> = Default::default();
        let mut order: Vec<(f64, usize)> = Vec::new();
        for (i, &(card, to)) in moves.list().iter().enumerate() {
            let touched = if joins { self.notes.touched(me, card, to) } else { 0 };
            if !self.allowed(touched, card, &known) { continue; }
            let mut value = means[i];
            if touched != 0 {
                value -= self.style.bit / 2.0 * *told.entry((card, touched)).or_insert_with(|| bits_gained(&partner, |e| e.joins(card, touched)));
            }
            order.push((value, i));
        }
        if order.is_empty() { let (card,to)=moves.list()[0]; return Action::Move(card,to); }
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        order.truncate(DEEPER);
        let last = stage.turns() >= 12;
        let count = evidence.count() as f64;
        let mut best = (f64::MAX, order[0].1);
        for (mean, i) in order {
            let (card, to) = moves.list()[i];
            let mut value = if evidence.count() == 1 { means[i] } else { moves.deepened(i, means[i], &draws) };
            if last || mean < 1.5 {
                let chance = evidence.grouped(&layout.moved(card, to).shape()) as f64 / count;
                value -= chance * if stage.turns() == 13 { 100.0 } else { 1.0 };
            }
            value -= means[i]-mean;
            if value < best.0 {
                best = (value, i);
            }
        }
        let (card, to) = moves.list()[best.1];
        Action::Move(card, to)
    }

    fn hint(&mut self, evidence: &Evidence) -> Action {
        let stage = self.notes.stage.clone();
        let (shape, marked) = (stage.layout().shape(), stage.marked());
        let draws = self.draws(evidence, DRAWS);
        let partner = self.partner(&draws);
        let here = mean_cost(&shape, &draws, marked);
        let marginals = evidence.worlds().marginals();
        let mut best = if stage.available() == [0; 3] { (f64::MAX, None) } else { (3.0, Some(Action::Activate)) };
        for &hint in stage.active() {
            let smaller = self.notes.smaller(hint);
            for card in CardSet::first(CARDS).minus(marked).iter() {
                let of = |h: &Hint| h.iter().map(|c| marginals[card.index()][c.index()]).sum::<u64>() as f64;
                let total = marginals[card.index()].iter().sum::<u64>() as f64;
                let wrong = 1.0 - of(&hint) / total;
                let misread = smaller.iter().map(|h| of(h) / total).fold(0.0, f64::max);
                let misleads = wrong.max(if self.style.reading.smallest { misread } else { 0.0 });
                let locked = mean_cost(&shape, &draws, marked.with(card)) - here;
                let bits = if misleads > 0.0 { 0.0 } else { bits_gained(&partner, |e| e.among(card, hint)) };
                let cost = 1.0 + 2.0 * wrong + 8.0 * misleads + self.style.locked * locked - self.style.bit * bits;
                if cost < best.0 {
                    best = (cost, Some(Action::Mark(card, hint)));
                }
            }
        }
        best.1.expect("something can be done")
    }
}

/// How many bits the partner learns, on the mean.
fn bits_gained(partner: &[Evidence], tell: impl Fn(&mut Evidence)) -> f64 {
    let bits = |evidence: &Evidence| {
        let mut told = evidence.clone();
        tell(&mut told);
        (evidence.count() as f64 / told.count().max(1) as f64).log2()
    };
    partner.iter().map(bits).sum::<f64>() / partner.len().max(1) as f64
}

impl Player<Yokai> for Thinker {
    fn watch(&mut self, sight: &Sight) {
        self.notes.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let belief = self.notes.mine(self.style.reading);
        let evidence = belief.evidence;
        let step = Step::ALL.into_iter().find(|&s| options.iter().any(|o| o.step() == Some(s)));
        if options.contains(&Action::Stop) && self.notes.stage.steps().none() {
            let (count, grouped) = (evidence.count(), evidence.grouped(&self.notes.stage.layout().shape()));
            if grouped as f64 >= self.style.sure * count as f64 {
                self.reason = Some(Reason {
                    headline: format!("{grouped} of {count} colourings that fit are grouped"),
                    lines: Vec::new(),
                    data: json!({"grouped": grouped, "colourings": count}),
                });
                return Action::Stop;
            }
        }
        match step {
            Some(Step::Look) => self.look(&evidence),
            Some(Step::Move) => self.go(&evidence),
            Some(Step::Hint) => self.hint(&evidence),
            None => options[0],
        }
    }
}

impl Placed for Thinker {
    fn place(&mut self, position: &Position) {
        self.notes = Notes::placed(position);
    }
}

impl Reasoned for Thinker {
    fn reason(&self) -> Option<Reason> {
        self.reason.clone()
    }
}
