//! A partner for people: it remembers for both, and reckons with a partner who forgets, moves greedily and keeps no
//! convention.
//!
//! What it saw itself is certain; what the partner does is weighed, never taken as hard evidence: colourings are drawn by how
//! well they explain the partner's moves and marks (`belief`). What a step is worth is the chance of a win: the partner's
//! next turn is played out under each colouring (`person`), and the chance follows from how many moves are then missing and how
//! many own turns are left (`chances`). It marks cards where they are to stay, so that nobody moves them any more.

mod belief;
mod chances;
mod person;

use super::{Placed, Reason, Reasoned, proof_of_grouping, resting};
use crate::cards::{Card, CardSet};
use crate::dice::{Dice, mix};
use crate::game::{Player, Seat};
use crate::yokai::colour::{CARDS, Colour, Colouring, Hint};
use crate::yokai::count::Evidence;
use crate::yokai::knowledge::{self, Assumed as Basis};
use crate::yokai::layout::{Cell, Layout};
use crate::yokai::plan::distance::{Classes, Gaps, classes};
use crate::yokai::plan::outlook::{Draws, Moves, mean_cost};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage, Step, TURNS, Yokai};
use chances::Table;
pub use person::Assumed;
use person::{Act, Before, shown};

/// How many colourings a step is weighed on.
const DRAWS: usize = 160;
/// How many moves are weighed with the partner's turn played out.
const DEEPER: usize = 12;
/// What a mark is worth beside what the next turn shows: the partner will not have to make it.
const MARK: f64 = 0.01;
/// How many joins what is assumed of the partner counts for.
const PRIOR: f64 = 4.0;
/// What going on is worth compared with what the chances say: a match that is won already can be lost.
const GO_ON: f64 = 0.9;
/// The chance from which it stops in any case.
const SURE: f64 = 0.97;

/// The player.
pub struct Companion {
    assumed: Assumed,
    /// Whether an onlooker ends the match when it is won, so that there is no sense in stopping.
    oracle: bool,
    me: Seat,
    stage: Stage,
    /// The colours that I saw.
    seen: [Option<Colour>; CARDS],
    /// The partner's looks, in order.
    partner_looks: Vec<Card>,
    /// What the partner did and what it may tell.
    acts: Vec<Act>,
    /// The cards that I moved.
    placed: CardSet,
    dice: Dice,
    reason: Option<Reason>,
}

/// What I hold likely.
struct Belief {
    certain: Evidence,
    colourings: Vec<Colouring>,
    classes: Vec<Classes>,
}

/// A choice with its reasons.
type Choice = (Action, Vec<String>);

impl Companion {
    /// A player that assumes this of its partner.
    pub fn new(assumed: Assumed, game: &Yokai, seed: u64) -> Companion {
        Companion {
            assumed,
            oracle: game.oracle,
            me: Seat(0),
            stage: Stage::start(),
            seen: [None; CARDS],
            partner_looks: Vec::new(),
            acts: Vec::new(),
            placed: CardSet::EMPTY,
            dice: Dice::new(seed),
            reason: None,
        }
    }

    /// The cards that the partner looked at lately, and those of which a mark shows the colour, as bits.
    fn recalled(&self) -> u16 {
        let looks = self.partner_looks.iter().rev().take(self.assumed.recalls());
        let looked = looks.fold(0, |all, card| all | 1 << card.0);
        let marks = shown(self.stage.marks());
        (0..CARDS).filter(|&i| marks[i].is_some()).fold(looked, |all, i| all | 1 << i)
    }

    fn partner_did(&mut self, act: SeenAct) {
        match act {
            SeenAct::Looked { card, .. } => {
                self.partner_looks.retain(|&c| c != card);
                self.partner_looks.push(card);
            }
            SeenAct::Moved { card, to } => {
                let recalled = self.recalled();
                self.placed = self.placed.without(card);
                if recalled >> card.0 & 1 == 1 {
                    let layout = self.stage.layout();
                    let near = |cell: Cell| {
                        let cards = cell.beside().into_iter().filter_map(|c| layout.at(c)).filter(|&c| c != card);
                        cards.fold(0u16, |all, c| all | 1 << c.0) & recalled
                    };
                    let (to, from) = (near(to), near(layout.cell(card)));
                    self.acts.push(Act::Moved { card, to, from });
                }
            }
            SeenAct::Marked { card, hint } => {
                if self.recalled() >> card.0 & 1 == 1 {
                    self.acts.push(Act::Marked { card, hint });
                }
            }
            SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Stopped => {}
        }
    }

    fn certain(&self) -> Evidence {
        let mut evidence = Evidence::none();
        for (card, colour) in (0..).map(Card).zip(self.seen) {
            if let Some(colour) = colour {
                evidence.is(card, colour);
            }
        }
        evidence
    }

    /// How far the partner's moves are trusted: what is assumed, and how often a join turned out to be one.
    fn joins(&self) -> f64 {
        let joined = || self.acts.iter().filter_map(|act| act.joined(&self.seen));
        let (yes, all) = (joined().filter(|&j| j).count() as f64, joined().count() as f64);
        (PRIOR * self.assumed.joins + yes) / (PRIOR + all)
    }

    fn belief(&mut self) -> Belief {
        let certain = self.certain();
        let joins = self.joins();
        let colourings = belief::likely(&certain, &self.acts, &self.assumed, joins, DRAWS, &mut self.dice);
        let classes = colourings.iter().map(classes).collect();
        Belief { certain, colourings, classes }
    }

    /// How many own turns come after the present one.
    fn turns_left(&self) -> u8 {
        TURNS.saturating_sub(self.stage.turns() + 1) / 2
    }

    /// The legal moves with the chance of a win after each under each colouring, in thousandths.
    fn outlook(&self, belief: &Belief) -> Vec<((Card, Cell), Vec<u16>)> {
        let layout = self.stage.layout();
        let marked = self.stage.marked();
        // As if the partner did nothing in between; in the last turn of all only what is grouped counts.
        let table = Table::of(self.turns_left());
        let row = |&(card, to): &(Card, Cell)| {
            let gaps = Gaps::of(&layout.moved(card, to).shape());
            belief.classes.iter().map(|c| table.at(&gaps, c, marked.0 as u16)).collect()
        };
        layout.shape().moves(marked).map(|m| (m, row(&m))).collect()
    }

    fn look(&mut self, belief: &Belief) -> Choice {
        let known = belief.certain.worlds().known();
        let first = self.stage.steps().first;
        let free = CardSet::first(CARDS).minus(self.stage.marked()).iter().filter(|&c| first != Some(c));
        let free: Vec<Card> = free.collect();
        let open: Vec<Card> = free.iter().copied().filter(|c| known[c.index()].is_none()).collect();
        if open.is_empty() {
            return (Action::Look(free[0]), vec!["I know every card that can be looked at".into()]);
        }
        let outlook = self.outlook(belief);
        let of = |d: usize, card: Card| belief.colourings[d].of(card).index();
        let mut best = (0, open[0]);
        for (i, &a) in open.iter().enumerate() {
            let others = if first.is_none() && open.len() > 1 { &open[..i] } else { &open[i..=i] };
            for &b in others {
                let keys: Vec<usize> = (0..belief.colourings.len()).map(|d| 4 * of(d, a) + of(d, b)).collect();
                let worth = best_by_key(&outlook, &keys);
                if worth > best.0 {
                    best = (worth, if self.dice.below(2) == 0 { a } else { b });
                }
            }
        }
        (Action::Look(best.1), vec!["of the cards that I do not know, its colour helps my next move most".into()])
    }

    /// The chance of a win after this layout and these marks: the partner's turn is played out under each colouring.
    fn after_partner(
        &self,
        belief: &Belief,
        layout: Layout,
        marked: CardSet,
        shows: Option<(Card, Hint)>,
        seed: u64,
    ) -> f64 {
        let mut colours = shown(self.stage.marks());
        if let Some((card, hint)) = shows {
            colours[card.index()] = hint.single();
        }
        let available: u8 = self.stage.available().iter().sum();
        let activates = available > u8::from(shows.is_none());
        let before = Before {
            stage: &self.stage,
            layout,
            marked,
            shown: colours,
            looks: &self.partner_looks,
            placed: self.placed,
            activates,
        };
        let table = Table::of(self.turns_left());
        let mut sum = 0.0;
        for (i, (colouring, classes)) in belief.colourings.iter().zip(&belief.classes).enumerate() {
            let after = before.played(&self.assumed, colouring, &mut Dice::new(mix(seed, i as u64)));
            sum += f64::from(table.at(&Gaps::of(&after.layout.shape()), classes, after.marked.0 as u16));
        }
        sum / 1000.0 / belief.colourings.len().max(1) as f64
    }

    fn last_turn(&self) -> bool {
        self.stage.turns() + 1 >= TURNS
    }

    fn go(&mut self, belief: &Belief) -> Choice {
        let outlook = self.outlook(belief);
        if outlook.is_empty() {
            return (Action::Skip, vec!["nothing can be moved".into()]);
        }
        let mut order: Vec<(f64, usize)> = outlook.iter().map(|(_, row)| mean(row)).zip(0..).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best = order[0];
        let marked = self.stage.marked();
        // The same moves in the same order.
        let moves = Moves::of(self.stage.layout(), marked);
        let draws = Draws::new(belief.colourings.clone());
        let missing = moves.outlook(&draws).means();
        if !self.last_turn() {
            let seed = self.dice.word();
            let worth = |&(_, i): &(f64, usize)| {
                let (card, to) = moves.list()[i];
                let won = self.after_partner(belief, self.stage.layout().moved(card, to), marked, None, seed);
                (won, i)
            };
            let weighed = order.iter().take(DEEPER).map(worth);
            best = weighed.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).expect("a move");
        }
        let (card, to) = moves.list()[best.1];
        let before = mean_cost(&self.stage.layout().shape(), &draws, marked);
        let line = format!("moves missing then: about {:.1}, before {before:.1} (estimates)", missing[best.1]);
        let line = if self.last_turn() { "the likeliest to win: no turn comes after this one".into() } else { line };
        (Action::Move(card, to), vec![line])
    }

    fn hint(&mut self, belief: &Belief) -> Choice {
        let stage = &self.stage;
        let (layout, marked) = (*stage.layout(), stage.marked());
        let worlds = belief.certain.worlds();
        let (marginals, total) = (worlds.marginals(), worlds.count());
        let mut marks: Vec<(f64, Card, Hint)> = Vec::new();
        for card in CardSet::first(CARDS).minus(marked).iter() {
            let of = |hint: &Hint| hint.iter().map(|c| marginals[card.index()][c.index()]).sum::<u64>();
            let likely = |hint: Hint| {
                let fits = belief.colourings.iter().filter(|c| hint.has(c.of(card))).count();
                fits as f64 / belief.colourings.len().max(1) as f64
            };
            let proper = |hint: Hint| if of(&hint) == total { 1.0 } else { likely(hint).min(0.99) };
            let best = stage.active().iter().map(|&h| (proper(h), std::cmp::Reverse(h.len()), h));
            if let Some((chance, _, hint)) = best.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) {
                marks.push((chance, card, hint));
            }
        }
        let activates = stage.available() != [0; 3];
        marks.sort_by(|a, b| b.0.total_cmp(&a.0));
        // While a hint can be activated, only what is certain is marked; otherwise what is likeliest.
        let least = if activates { 1.0 } else { marks.first().map_or(0.0, |m| m.0.min(0.9)) };
        let seed = self.dice.word();
        let value = |locked: CardSet, shows: Option<(Card, Hint)>| {
            if self.last_turn() { 0.0 } else { self.after_partner(belief, layout, locked, shows, seed) }
        };
        let mut best = activates.then(|| (value(marked, None), Action::Activate, 1.0));
        for &(chance, card, hint) in marks.iter().filter(|m| m.0 >= least) {
            let value = value(marked.with(card), Some((card, hint))) + MARK;
            if best.as_ref().is_none_or(|b| value > b.0) {
                best = Some((value, Action::Mark(card, hint), chance));
            }
        }
        let (_, action, chance) = best.expect("a hint is active or can be activated");
        let line = match action {
            Action::Mark(..) if chance == 1.0 => "proper by my looks; the card stays where it is".to_string(),
            Action::Mark(..) => {
                format!("a card has to be marked; proper in about {:.0} % (an estimate)", 100.0 * chance)
            }
            Action::Look(_) | Action::Move(..) | Action::Skip | Action::Activate | Action::Stop => {
                "a new hint: no mark that I am certain of helps more".to_string()
            }
        };
        (action, vec![line])
    }

    /// Stops if that wins more often than to go on, and says what it rests on.
    fn stop(&self, belief: &Belief) -> Option<Choice> {
        let shape = self.stage.layout().shape();
        let grouped = belief.colourings.iter().filter(|c| shape.grouped(c)).count();
        if grouped == 0 || self.oracle {
            return None;
        }
        let (count, sure) = (belief.certain.count(), belief.certain.grouped(&shape));
        let draws = belief.colourings.len() as f64;
        let gaps = Gaps::of(&shape);
        let table = Table::of(self.turns_left() + 1);
        let marked = self.stage.marked().0 as u16;
        let on = belief.classes.iter().map(|c| f64::from(table.at(&gaps, c, marked)) / 1000.0).sum::<f64>() / draws;
        let now = grouped as f64 / draws;
        if sure < count && now < SURE && now <= on * GO_ON {
            return None;
        }
        let line = if sure == count {
            resting(&belief.certain, &shape, (sure, count), None)
        } else {
            format!(
                "likely, not certain: every colour is together in {:.0} % (an estimate, ± {:.0}) of what fits my looks and \
                 explains what my partner did; by my looks alone in {sure} of {count} colourings",
                100.0 * now,
                200.0 * (now * (1.0 - now) / draws).sqrt()
            )
        };
        Some((Action::Stop, vec![line]))
    }

    /// Why every colour is connected, in sentences, if that follows from my looks.
    fn proof(&self) -> Vec<String> {
        proof_of_grouping(&knowledge::Notes::of(&self.position(), Basis::Nothing))
    }

    fn position(&self) -> Position {
        let partner_seen = self.partner_looks.iter().copied().collect();
        Position { stage: self.stage.clone(), seen: self.seen, partner_seen, ..Position::start(self.me) }
    }
}

fn mean(row: &[u16]) -> f64 {
    row.iter().map(|&c| u64::from(c)).sum::<u64>() as f64 / 1000.0 / row.len().max(1) as f64
}

/// The best sum for each key over the moves, summed over the keys.
fn best_by_key(outlook: &[((Card, Cell), Vec<u16>)], keys: &[usize]) -> u32 {
    let mut best = [0; 16];
    for (_, row) in outlook {
        let mut sums = [0; 16];
        for (&key, &value) in keys.iter().zip(row) {
            sums[key] += u32::from(value);
        }
        for (best, sum) in best.iter_mut().zip(sums) {
            *best = sum.max(*best);
        }
    }
    best.iter().sum()
}

impl Player<Yokai> for Companion {
    fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { me } => self.place(&Position::start(me)),
            Sight::Done { seat, act, .. } if seat != self.me => self.partner_did(act),
            Sight::Done { act: SeenAct::Looked { card, colour }, .. } => self.seen[card.index()] = colour,
            Sight::Done { act: SeenAct::Moved { card, .. }, .. } => self.placed = self.placed.with(card),
            Sight::Done { .. } => {}
        }
        self.stage.follow(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let belief = self.belief();
        let stop = if options.contains(&Action::Stop) { self.stop(&belief) } else { None };
        let (action, mut lines) = stop.unwrap_or_else(|| match options.iter().filter_map(Action::step).min() {
            Some(Step::Look) => self.look(&belief),
            Some(Step::Move) => self.go(&belief),
            Some(Step::Hint) => self.hint(&belief),
            None => (options[0], Vec::new()),
        });
        if action == Action::Stop {
            lines.extend(self.proof());
        }
        self.reason = Some(Reason::of(&action, belief.certain.count(), lines));
        action
    }
}

impl Placed for Companion {
    fn place(&mut self, position: &Position) {
        self.me = position.me;
        self.stage = position.stage.clone();
        self.seen = position.seen;
        self.partner_looks = position.partner_seen.iter().collect();
        self.placed = CardSet::EMPTY;
        let marked =
            CardSet::first(CARDS).iter().filter_map(|card| Some((card, position.stage.marks()[card.index()]?)));
        self.acts = marked.filter(|(_, hint)| hint.is_hint()).map(|(card, hint)| Act::Marked { card, hint }).collect();
    }
}

impl Reasoned for Companion {
    fn reason(&self) -> Option<Reason> {
        self.reason.clone()
    }
}
