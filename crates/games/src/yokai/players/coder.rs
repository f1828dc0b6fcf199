//! A declared code, for the ceiling: the move tells what was seen.
//!
//! Both players keep the same *common* evidence: the colours that were told so far. After two looks, a table that follows
//! from the common evidence alone gives each pair of colours that may have been seen a move of its own: for every pair a
//! move that is good if those are the colours, all different. The mover makes the move of the pair it saw; its partner
//! looks the move up. So each knows what both saw, and the moves are hardly worse for it.

use super::notes::Notes;
use super::{Placed, Reason, Reasoned};
use crate::cards::{Card, CardSet};
use crate::dice::{Dice, mix};
use crate::game::Player;
use crate::yokai::colour::{CARDS, Colour};
use crate::yokai::count::Evidence;
use crate::yokai::layout::Cell;
use crate::yokai::plan::outlook::{Draws, Moves, mean_cost};
use crate::yokai::plan::solve::solve;
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage, Step, Yokai};
use serde_json::json;

/// How many colourings each pair of colours is weighed on.
const DRAWS: usize = 100;
/// How many colourings a look is weighed on.
const LOOK_DRAWS: usize = 100;
/// How many moves are weighed a step further for each pair.
const DEEPER: usize = 10;
/// The seed of the common chance: the code is the same for everybody.
const CODE: u64 = 0x6b65_6e00;

/// A player that keeps the code.
pub struct Coder {
    notes: Notes,
    /// What both know.
    common: Evidence,
    /// The cards looked at in this turn, in order.
    looks: Vec<Card>,
    /// Whether the partner made a move that the code does not have.
    broken: bool,
    dice: Dice,
    reason: Option<Reason>,
}

/// What is done for each colour that may have been seen; all different.
#[derive(Clone, Debug)]
struct Code<T>(Vec<(Colour, T)>);

impl<T: Copy + PartialEq> Code<T> {
    /// Gives every colour a thing of its own from its list of things by their cost: those first that lose most by their
    /// second choice. With fewer things than colours the rest is not told.
    fn assign(mut wishes: Vec<Wish<T>>) -> Code<T> {
        let mut code: Vec<(Colour, T)> = Vec::new();
        while !wishes.is_empty() {
            let free = |wish: &Wish<T>| {
                let mut free = wish.order.iter().filter(|o| code.iter().all(|c| c.1 != o.1));
                (free.next().copied(), free.next().copied())
            };
            let regret = |wish: &Wish<T>| match free(wish) {
                (Some(first), Some(second)) => (second.0 - first.0) * wish.count as f64,
                (Some(_), None) => f64::MAX,
                (None, _) => 0.0,
            };
            let regrets: Vec<f64> = wishes.iter().map(regret).collect();
            let most = (0..wishes.len()).max_by(|&a, &b| regrets[a].total_cmp(&regrets[b])).expect("wishes");
            let found = free(&wishes[most]).0;
            let wish = wishes.remove(most);
            if let Some((_, thing)) = found {
                code.push((wish.colour, thing));
            }
        }
        Code(code)
    }

    fn of(&self, colour: Colour) -> Option<T> {
        self.0.iter().find(|c| c.0 == colour).map(|c| c.1)
    }

    fn read(&self, thing: T) -> Option<Colour> {
        self.0.iter().find(|c| c.1 == thing).map(|c| c.0)
    }
}

/// What would be done if this were the colour seen.
struct Wish<T> {
    colour: Colour,
    /// How many colourings have it.
    count: u64,
    /// The things by their cost.
    order: Vec<(f64, T)>,
}

/// The wishes for each colour that a card may have.
fn wishes<T>(
    stage: &Stage,
    common: &Evidence,
    card: Card,
    draws: usize,
    order: impl Fn(u64, &Draws) -> Vec<(f64, T)>,
) -> Vec<Wish<T>> {
    let wish = |colour: Colour| {
        let mut evidence = common.clone();
        evidence.is(card, colour);
        let worlds = evidence.worlds();
        let part = u64::from(stage.turns()) << 8 | u64::from(stage.steps().looks) << 4 | colour.index() as u64;
        let mut dice = Dice::new(mix(CODE, part));
        let draws = Draws::new((0..draws).map_while(|_| worlds.sample(&mut dice)).collect());
        let mut order = if draws.is_empty() { return None } else { order(worlds.count(), &draws) };
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        Some(Wish { colour, count: worlds.count(), order })
    };
    Colour::ALL.into_iter().filter_map(wish).collect()
}

/// The second look tells the colour of the first card.
fn look_code(stage: &Stage, common: &Evidence, first: Card) -> Code<Card> {
    let moves = Moves::of(stage.layout(), stage.marked());
    let free = CardSet::first(CARDS).minus(stage.marked()).without(first);
    Code::assign(wishes(stage, common, first, LOOK_DRAWS, |_, draws| {
        let outlook = moves.outlook(draws);
        free.iter().map(|card| (outlook.after_look(draws, card), card)).collect()
    }))
}

/// The move tells the colour of the second card.
fn move_code(stage: &Stage, common: &Evidence, second: Card) -> Code<(Card, Cell)> {
    let moves = Moves::of(stage.layout(), stage.marked());
    Code::assign(wishes(stage, common, second, DRAWS, |count, draws| {
        let mut order = moves.ranked(draws, if count == 1 { 0 } else { DEEPER });
        if count == 1 {
            let left = 14u8.saturating_sub(stage.turns()).min(9);
            let path = solve(stage.layout(), &draws.classes()[0], stage.marked(), left, &|_, _| true);
            if let Some(first) = path.as_ref().and_then(|p| p.first()) {
                let found = order.iter().position(|&(_, i)| moves.list()[i] == *first).expect("a legal move");
                order[found].0 = -1.0;
            }
        }
        order.into_iter().map(|(value, i)| (value, moves.list()[i])).collect()
    }))
}

impl Coder {
    /// A player with this seed; the code does not depend on it.
    pub fn new(seed: u64) -> Coder {
        Coder {
            notes: Notes::new(),
            common: Evidence::none(),
            looks: Vec::new(),
            broken: false,
            dice: Dice::new(seed),
            reason: None,
        }
    }

    /// The colour of a card was told, or not.
    fn hear(&mut self, card: Card, told: Option<Colour>) {
        match told {
            Some(colour) => self.common.is(card, colour),
            None => self.broken = true,
        }
    }

    /// What I know: what both know and what I saw.
    fn mine(&self) -> Evidence {
        let mut mine = self.common.clone();
        for (i, colour) in self.notes.seen.iter().enumerate() {
            if let Some(colour) = *colour {
                mine.is(Card(i as u8), colour);
            }
        }
        mine
    }

    fn look(&mut self) -> Action {
        let stage = &self.notes.stage;
        let evidence = self.mine();
        let worlds = evidence.worlds();
        let known = worlds.known();
        if let Some(first) = stage.steps().first {
            let code = look_code(stage, &self.common, first);
            let told = self.notes.seen[first.index()].and_then(|colour| code.of(colour));
            return Action::Look(told.unwrap_or(code.0[0].1));
        }
        let free: Vec<Card> = CardSet::first(CARDS).minus(stage.marked()).iter().collect();
        let unknown: Vec<Card> = free.iter().copied().filter(|c| known[c.index()].is_none()).collect();
        if unknown.is_empty() {
            return Action::Look(free[0]);
        }
        let draws = Draws::new((0..2 * LOOK_DRAWS).filter_map(|_| worlds.sample(&mut self.dice)).collect());
        let outlook = Moves::of(stage.layout(), stage.marked()).outlook(&draws);
        let worth = |first: Card| {
            let of = |colour: Colour| {
                let kept: Vec<usize> =
                    (0..draws.len()).filter(|&d| draws.colourings[d].of(first) == colour).collect();
                let (part, costs) = outlook.part(&draws, &kept);
                let order = free.iter().filter(|&&c| c != first).map(|&c| (costs.after_look(&part, c), c));
                let mut order: Vec<(f64, Card)> = order.collect();
                order.sort_by(|a, b| a.0.total_cmp(&b.0));
                (!kept.is_empty()).then_some(Wish { colour, count: kept.len() as u64, order })
            };
            let wishes: Vec<Wish<Card>> = Colour::ALL.into_iter().filter_map(of).collect();
            let costs: Vec<(Colour, u64, Vec<(f64, Card)>)> =
                wishes.iter().map(|w| (w.colour, w.count, w.order.clone())).collect();
            let code = Code::assign(wishes);
            let cost = |(colour, count, order): &(Colour, u64, Vec<(f64, Card)>)| {
                let told = code.of(*colour);
                let cost = order.iter().find(|o| told.is_none_or(|t| t == o.1)).map_or(0.0, |o| o.0);
                cost * *count as f64
            };
            costs.iter().map(cost).sum::<f64>()
        };
        let found = unknown.iter().map(|&c| (worth(c), c)).min_by(|a, b| a.0.total_cmp(&b.0));
        Action::Look(found.map_or(unknown[0], |f| f.1))
    }

    fn go(&mut self) -> Action {
        let second = self.looks[1];
        let code = move_code(&self.notes.stage, &self.common, second);
        let told = self.notes.seen[second.index()].and_then(|colour| code.of(colour));
        match told.or(code.0.first().map(|c| c.1)) {
            Some((card, to)) => Action::Move(card, to),
            None => Action::Skip,
        }
    }

    fn hint(&mut self) -> Action {
        let stage = &self.notes.stage;
        let (shape, marked) = (stage.layout().shape(), stage.marked());
        let worlds = self.mine().worlds();
        let known = worlds.known();
        let draws = Draws::new((0..LOOK_DRAWS).filter_map(|_| worlds.sample(&mut self.dice)).collect());
        let here = mean_cost(&shape, &draws, marked);
        let mut best = if stage.available() == [0; 3] { (f64::MAX, None) } else { (3.0, Some(Action::Activate)) };
        for &hint in stage.active() {
            for card in CardSet::first(CARDS).minus(marked).iter() {
                let proper = known[card.index()].is_some_and(|c| hint.has(c));
                let locked = mean_cost(&shape, &draws, marked.with(card)) - here;
                let cost = 1.0 + if proper { 0.0 } else { 2.0 } + 2.0 * locked;
                if cost < best.0 {
                    best = (cost, Some(Action::Mark(card, hint)));
                }
            }
        }
        best.1.expect("a hint is active or available")
    }
}

impl Player<Yokai> for Coder {
    fn watch(&mut self, sight: &Sight) {
        if let Sight::Dealt { .. } = sight {
            (self.common, self.looks, self.broken) = (Evidence::none(), Vec::new(), false);
        }
        if let Sight::Done { act, .. } = *sight {
            match act {
                SeenAct::Looked { card, .. } => {
                    if let [first] = self.looks[..] {
                        let told = look_code(&self.notes.stage, &self.common, first).read(card);
                        self.hear(first, told);
                    }
                    self.looks.push(card);
                }
                SeenAct::Moved { card, to } => {
                    if let [_, second] = self.looks[..] {
                        let told = move_code(&self.notes.stage, &self.common, second).read((card, to));
                        self.hear(second, told);
                    }
                }
                SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Marked { .. } | SeenAct::Stopped => {}
            }
        }
        self.notes.watch(sight);
        if self.notes.stage.steps().none() {
            self.looks.clear();
        }
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        if options.contains(&Action::Stop) && self.notes.stage.steps().none() {
            let mine = self.mine();
            let (count, grouped) = (mine.count(), mine.grouped(&self.notes.stage.layout().shape()));
            if count == grouped {
                self.reason = Some(Reason {
                    headline: format!("{grouped} of {count} colourings that fit are grouped"),
                    lines: Vec::new(),
                    data: json!({"grouped": grouped, "colourings": count}),
                });
                return Action::Stop;
            }
        }
        match Step::ALL.into_iter().find(|&s| options.iter().any(|o| o.step() == Some(s))) {
            Some(Step::Look) => self.look(),
            Some(Step::Move) => self.go(),
            Some(Step::Hint) => self.hint(),
            None => options[0],
        }
    }
}

impl Placed for Coder {
    fn place(&mut self, position: &Position) {
        self.notes = Notes::placed(position);
        (self.common, self.looks, self.broken) = (Evidence::none(), Vec::new(), false);
    }
}

impl Reasoned for Coder {
    fn reason(&self) -> Option<Reason> {
        self.reason.clone()
    }
}
