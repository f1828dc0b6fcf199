//! A declared code, for the ceiling: the second look tells the colour of the first card, the move that of the second.
//!
//! Both players keep the same *common* evidence: the colours that were told so far. From it alone follows a table that
//! gives each colour the first card may have a second card of its own, one that is worth looking at if that is the
//! colour; and then one that gives each colour of the second card a move of its own. The looker does what the table
//! has for the colour that it saw; its partner looks it up. So both know what either saw, and the looks and moves are
//! hardly worse for it. If a partner does not keep the code, what it seemed to tell is given up.

use super::notes::Notes;
use super::{Placed, Reason, Reasoned, proof_of_grouping};
use crate::cards::{Card, CardSet};
use crate::dice::{Dice, mix};
use crate::game::{Player, Seat};
use crate::yokai::colour::{CARDS, Colour, Colours};
use crate::yokai::count::Evidence;
use crate::yokai::knowledge::{self, Assumed};
use crate::yokai::layout::Cell;
use crate::yokai::plan::outlook::{Draws, Moves, Outlook, mean_cost};
use crate::yokai::plan::solve::solve;
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage, Step, TURNS, Yokai};

/// How many colourings a move or a mark is weighed on.
const DRAWS: usize = 160;
/// How many colourings the first look is weighed on, which are then split by its colour.
const LOOK_DRAWS: usize = 320;
/// How many moves are weighed a step further.
const DEEPER: usize = 10;
/// The seed of the common chance: the code is the same for everybody.
const CODE: u64 = 0x6b65_6e00;

/// What is done for each colour that may have been seen; all different.
#[derive(Clone, Debug)]
struct Code<T>(Vec<(Colour, T)>);

impl<T: Copy + PartialEq> Code<T> {
    /// Gives every colour a thing of its own from its list: those first that lose most by their second choice. With fewer
    /// things than colours nothing is told: the code is empty.
    fn assign(wishes: &[Wish<T>]) -> Code<T> {
        let mut code: Vec<(Colour, T)> = Vec::new();
        let mut open: Vec<&Wish<T>> = wishes.iter().collect();
        while !open.is_empty() {
            let free = |wish: &Wish<T>| {
                let mut free = wish.order.iter().filter(|o| code.iter().all(|c| c.1 != o.1));
                (free.next().copied(), free.next().copied())
            };
            let regret = |wish: &Wish<T>| match free(wish) {
                (Some(first), Some(second)) => (second.0 - first.0) * wish.count as f64,
                (Some(_), None) => f64::MAX,
                (None, _) => 0.0,
            };
            let most = (0..open.len()).max_by(|&a, &b| regret(open[a]).total_cmp(&regret(open[b]))).expect("some");
            let wish = open.remove(most);
            if let Some((_, thing)) = free(wish).0 {
                code.push((wish.colour, thing));
            }
        }
        Code(if code.len() < wishes.len() { Vec::new() } else { code })
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

impl<T: Copy + PartialEq> Wish<T> {
    fn new(colour: Colour, count: u64, mut order: Vec<(f64, T)>) -> Wish<T> {
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        Wish { colour, count, order }
    }

    /// What it costs to do what the code says.
    fn cost(&self, code: &Code<T>) -> f64 {
        let told = code.of(self.colour);
        let found = self.order.iter().find(|o| told.is_none_or(|t| t == o.1));
        found.map_or(0.0, |o| o.0 * self.count as f64)
    }
}

/// The wishes for each colour that a card may have, from what both know.
fn wishes<T: Copy + PartialEq>(
    stage: &Stage,
    common: &Evidence,
    card: Card,
    order: impl Fn(u64, &Draws) -> Vec<(f64, T)>,
) -> Vec<Wish<T>> {
    let wish = |colour: Colour| {
        let mut evidence = common.clone();
        evidence.is(card, colour);
        let worlds = evidence.worlds();
        let part = u64::from(stage.turns()) << 8 | u64::from(stage.steps().looks) << 4 | colour.index() as u64;
        let mut dice = Dice::new(mix(CODE, part));
        let draws = Draws::new((0..DRAWS).map_while(|_| worlds.sample(&mut dice)).collect());
        (!draws.is_empty()).then(|| Wish::new(colour, worlds.count(), order(worlds.count(), &draws)))
    };
    Colour::ALL.into_iter().filter_map(wish).collect()
}

/// The second look tells the colour of the first card.
fn look_code(stage: &Stage, common: &Evidence, first: Card) -> Code<Card> {
    let moves = Moves::of(stage.layout(), stage.marked());
    let free = CardSet::first(CARDS).minus(stage.marked()).without(first);
    Code::assign(&wishes(stage, common, first, |_, draws| seconds(&moves.outlook(draws), draws, free)))
}

/// The second looks with what they cost.
fn seconds(outlook: &Outlook, draws: &Draws, free: CardSet) -> Vec<(f64, Card)> {
    free.iter().map(|card| (outlook.after_look(draws, card), card)).collect()
}

/// The move tells the colour of the second card.
fn move_code(stage: &Stage, common: &Evidence, second: Card) -> Code<(Card, Cell)> {
    let moves = Moves::of(stage.layout(), stage.marked());
    Code::assign(&wishes(stage, common, second, |count, draws| {
        let mut order = moves.ranked(draws, if count == 1 { 0 } else { DEEPER });
        if count == 1 {
            let left = TURNS.saturating_sub(stage.turns());
            let path = solve(stage.layout(), &draws.classes()[0], stage.marked(), left, &|_, _| true);
            if let Some(first) = path.as_ref().and_then(|p| p.first()) {
                let found = order.iter().position(|&(_, i)| moves.list()[i] == *first).expect("a legal move");
                order[found].0 = -1.0;
            }
        }
        order.into_iter().map(|(value, i)| (value, moves.list()[i])).collect()
    }))
}

/// A player that keeps the code.
pub(super) struct Coder {
    notes: Notes,
    /// What was told, by whom.
    told: Vec<(Seat, Card, Colour)>,
    /// The cards looked at in this turn, in order.
    looks: Vec<Card>,
    looking: Option<Code<Card>>,
    moving: Option<Code<(Card, Cell)>>,
    /// Whether the partner has shown that it does not keep the code.
    broken: bool,
    dice: Dice,
    reason: Option<Reason>,
}

impl Coder {
    /// A player with this seed; the code does not depend on it.
    pub(super) fn new(seed: u64) -> Coder {
        Coder {
            notes: Notes::new(),
            told: Vec::new(),
            looks: Vec::new(),
            looking: None,
            moving: None,
            broken: false,
            dice: Dice::new(seed),
            reason: None,
        }
    }

    /// What both know.
    fn common(&self) -> Evidence {
        let mut common = Evidence::none();
        let heard = self.told.iter().filter(|t| !self.broken || t.0 == self.notes.me);
        heard.for_each(|&(_, card, colour)| common.is(card, colour));
        common
    }

    /// What I know: what both know and what I saw.
    fn mine(&self) -> Evidence {
        let mut mine = self.common();
        for (card, colour) in (0..).map(Card).zip(&self.notes.seen) {
            if let Some(colour) = *colour {
                mine.is(card, colour);
            }
        }
        mine
    }

    fn looking(&mut self, first: Card) -> Code<Card> {
        let code = self.looking.take().unwrap_or_else(|| look_code(&self.notes.stage, &self.common(), first));
        self.looking.insert(code).clone()
    }

    fn moving(&mut self, second: Card) -> Code<(Card, Cell)> {
        let code = self.moving.take().unwrap_or_else(|| move_code(&self.notes.stage, &self.common(), second));
        self.moving.insert(code).clone()
    }

    /// Something was done that tells the colour of a card, unless it is not in the code.
    fn hear<T: Copy + PartialEq>(&mut self, seat: Seat, card: Card, code: &Code<T>, done: T) {
        let told = code.read(done);
        // What I seem to tell is told only if I saw it: else what I hold common is wrong. What I saw and have forgotten I
        // told by what I knew then: I tell nothing that I do not know.
        let saw = self.notes.seen[card.index()];
        let true_of_me = seat != self.notes.me || told.is_some_and(|c| saw.is_none_or(|saw| saw == c));
        match told {
            Some(colour) if true_of_me => self.told.push((seat, card, colour)),
            Some(_) => self.broken = true,
            None => self.broken |= !code.0.is_empty(),
        }
        self.broken |= self.mine().count() == 0;
    }

    fn draws(&mut self, n: usize) -> Draws {
        let worlds = self.mine().worlds();
        Draws::new((0..n).map_while(|_| worlds.sample(&mut self.dice)).collect())
    }

    fn look(&mut self) -> (Action, String) {
        if let Some(first) = self.notes.stage.steps().first {
            let code = self.looking(first);
            let saw = self.notes.seen[first.index()];
            let told = saw.and_then(|colour| code.of(colour));
            if let Some(card) = told {
                return (Action::Look(card), format!("it tells the colour of card {}", first.0 + 1));
            }
            let free = CardSet::first(CARDS).minus(self.notes.stage.marked()).without(first);
            let silent = free.iter().find(|card| code.read(*card).is_none());
            let card = silent.expect("nine cards are never marked, and a code has four at most");
            return (Action::Look(card), "it tells nothing".into());
        }
        let (layout, marked) = (*self.notes.stage.layout(), self.notes.stage.marked());
        let free = CardSet::first(CARDS).minus(marked);
        let known = self.mine().worlds().known();
        let unknown = free.iter().filter(|c| known[c.index()].is_none());
        let draws = self.draws(LOOK_DRAWS);
        let outlook = Moves::of(&layout, marked).outlook(&draws);
        let worth = |first: Card| {
            let of = |colour: Colour| {
                let kept: Vec<usize> = (0..draws.len()).filter(|&d| draws.colourings[d].of(first) == colour).collect();
                let (part, costs) = outlook.part(&draws, &kept);
                let order = seconds(&costs, &part, free.without(first));
                (!kept.is_empty()).then(|| Wish::new(colour, kept.len() as u64, order))
            };
            let wishes: Vec<Wish<Card>> = Colour::ALL.into_iter().filter_map(of).collect();
            let code = Code::assign(&wishes);
            wishes.iter().map(|w| w.cost(&code)).sum::<f64>() / draws.len() as f64
        };
        match unknown.map(|c| (worth(c), c)).min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((cost, card)) => {
                (Action::Look(card), format!("moves left after it, the second look and the move: {cost:.2}"))
            }
            None => {
                let card = free.lowest().expect("nine cards are never marked");
                (Action::Look(card), "every card that can be looked at is known".into())
            }
        }
    }

    fn go(&mut self) -> (Action, String) {
        let mut code = Code(Vec::new());
        if let Some(&second) = self.looks.get(1) {
            code = self.moving(second);
            let saw = self.notes.seen[second.index()];
            if let Some((card, to)) = saw.and_then(|colour| code.of(colour)) {
                return (Action::Move(card, to), format!("it tells the colour of card {}", second.0 + 1));
            }
        }
        let draws = self.draws(DRAWS);
        let moves = Moves::of(self.notes.stage.layout(), self.notes.stage.marked());
        let ranked = moves.ranked(&draws, DEEPER);
        let silent = ranked.iter().find(|(_, i)| code.read(moves.list()[*i]).is_none());
        let &(cost, best) = silent.unwrap_or(&ranked[0]);
        let (card, to) = moves.list()[best];
        (Action::Move(card, to), format!("it tells nothing; moves left on the mean: {cost:.2}"))
    }

    fn hint(&mut self) -> (Action, String) {
        let draws = self.draws(DRAWS);
        let known = self.mine().worlds().known();
        let stage = &self.notes.stage;
        let (shape, marked) = (stage.layout().shape(), stage.marked());
        let here = mean_cost(&shape, &draws, marked);
        let mut best = (stage.available() != [0; 3]).then_some((3.0, Action::Activate));
        for &hint in stage.active() {
            for card in CardSet::first(CARDS).minus(marked).iter() {
                let proper = known[card.index()].is_some_and(|c| hint.has(c));
                let locked = mean_cost(&shape, &draws, marked.with(card)) - here;
                let cost = 1.0 + if proper { 0.0 } else { 2.0 } + 2.0 * locked;
                if best.is_none_or(|b| cost < b.0) {
                    best = Some((cost, Action::Mark(card, hint)));
                }
            }
        }
        let (cost, action) = best.expect("a hint is active or can be activated");
        (action, format!("it costs {cost:.1} points"))
    }

    /// Why every colour is connected, in sentences.
    fn proof(&self) -> Vec<String> {
        let mut notes = knowledge::Notes::of(&self.notes.position(), Assumed::Nothing);
        let heard = self.told.iter().filter(|t| !self.broken && t.0 != self.notes.me);
        heard.for_each(|&(_, card, colour)| notes.tell(card, Colours::of(colour), None));
        proof_of_grouping(&notes)
    }
}

impl Player<Yokai> for Coder {
    fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { .. } => *self = Coder { dice: self.dice.clone(), ..Coder::new(0) },
            Sight::Done { seat, act, .. } => match act {
                SeenAct::Looked { card, .. } => {
                    if let [first] = self.looks[..] {
                        let code = self.looking(first);
                        self.hear(seat, first, &code, card);
                    }
                    self.looks.push(card);
                }
                SeenAct::Moved { card, to } => {
                    if let [_, second] = self.looks[..] {
                        let code = self.moving(second);
                        self.hear(seat, second, &code, (card, to));
                    }
                }
                SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Marked { .. } | SeenAct::Stopped => {}
            },
        }
        self.notes.watch(sight);
        if self.notes.stage.steps().none() {
            (self.looking, self.moving) = (None, None);
            self.looks.clear();
        }
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let mine = self.mine();
        let shape = self.notes.stage.layout().shape();
        let (count, grouped) = (mine.count(), mine.grouped(&shape));
        let follows = count > 0 && count == grouped && options.contains(&Action::Stop);
        let (action, line) = match options.iter().filter_map(Action::step).min() {
            _ if follows => {
                let heard = self.told.iter().any(|t| !self.broken || t.0 == self.notes.me);
                let told = heard.then_some("both keep the code");
                (Action::Stop, super::resting(&self.notes.certain(), &shape, (grouped, count), told))
            }
            Some(Step::Look) => self.look(),
            Some(Step::Move) if options.contains(&Action::Skip) => (Action::Skip, "nothing can be moved".into()),
            Some(Step::Move) => self.go(),
            Some(Step::Hint) => self.hint(),
            None => (options[0], String::new()),
        };
        let mut lines = vec![line];
        if follows {
            lines.extend(self.proof());
        }
        if self.broken {
            lines.push("the partner does not keep the code".into());
        }
        self.reason = Some(Reason::of(&action, count, lines));
        action
    }
}

impl Placed for Coder {
    fn place(&mut self, position: &Position) {
        *self = Coder { notes: Notes::placed(position), dice: self.dice.clone(), ..Coder::new(0) };
        // Which card was looked at first is part of the position; which was second is not.
        self.looks.extend(position.stage.steps().first);
    }
}

impl Reasoned for Coder {
    fn reason(&self) -> Option<Reason> {
        self.reason.clone()
    }
}

/// What a second look or a move tells by the code to whoever holds these colours common: a card and its colour. `Err` if it
/// is not in the code, so that its maker has left it. The stage is that before it, `looks` are those of the turn so far.
pub(in crate::yokai) fn read(
    stage: &Stage,
    told: &[(Card, Colour)],
    looks: &[Card],
    act: SeenAct,
) -> Result<Option<(Card, Colour)>, ()> {
    let mut common = Evidence::none();
    told.iter().for_each(|&(card, colour)| common.is(card, colour));
    fn found<T: Copy + PartialEq>(code: &Code<T>, card: Card, done: T) -> Result<Option<(Card, Colour)>, ()> {
        match code.read(done) {
            Some(colour) => Ok(Some((card, colour))),
            None if code.0.is_empty() => Ok(None),
            None => Err(()),
        }
    }
    match (act, looks) {
        (SeenAct::Looked { card, .. }, &[first]) => found(&look_code(stage, &common, first), first, card),
        (SeenAct::Moved { card, to }, &[_, second]) => found(&move_code(stage, &common, second), second, (card, to)),
        _ => Ok(None),
    }
}
