//! A declared code, for the ceiling: the second look tells the colour of the first card, the move that of the second.
//!
//! Both players keep the same *common* knowledge: the colours that were told so far. From it alone follows a table that
//! gives each colour the first card may have a second card of its own, one that is worth looking at if that is the
//! colour; and then one that gives each colour of the second card a move of its own. The looker does what the table
//! has for the colour that it saw; its partner looks it up. So both know what either saw, and the looks and moves are
//! hardly worse for it. What looks and moves are worth is counted over all colourings ([`Forecast`]), not sampled.
//!
//! Who keeps the code declares it by its first look ([`CODED`]). If the partner does not, or ever does what the code
//! does not have, nothing that it seemed to tell is believed, and the player goes on as
//! [`believer`](super::believer) does.

use super::believer::believer;
use super::notes::{CODED, Notes};
use super::thinker::Thinker;
use super::{Placed, Reason, Reasoned, proof_of_grouping};
use crate::cards::{Card, CardSet};
use crate::game::{Player, Seat};
use crate::yokai::colour::{CARDS, Colour, Colours};
use crate::yokai::count::Evidence;
use crate::yokai::knowledge::{self, Assumed};
use crate::yokai::layout::Cell;
use crate::yokai::plan::forecast::{Cards, Forecast, Known};
use crate::yokai::plan::outlook::Moves;
use crate::yokai::plan::solve::solve;
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage, Step, TURNS, Yokai};

/// With so few cards unknown at most, moves are weighed a step further: then that takes milliseconds.
const FEW: u32 = 9;
/// How many moves are weighed a step further.
const DEEPER: usize = 6;
/// What a move is worth, in points: a turn costs one point or three.
const MOVE: f64 = 2.0;

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
                (Some(first), Some(second)) => (second.0 - first.0) * wish.chance,
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
    /// How likely it is.
    chance: f64,
    /// The things by their cost.
    order: Vec<(f64, T)>,
}

impl<T: Copy + PartialEq> Wish<T> {
    fn new(colour: Colour, chance: f64, mut order: Vec<(f64, T)>) -> Wish<T> {
        order.sort_by(|a, b| a.0.total_cmp(&b.0));
        Wish { colour, chance, order }
    }

    /// What is done costs, weighed by how likely it is: the first thing, or that of the code.
    fn cost(&self, code: &Code<T>) -> f64 {
        let told = code.of(self.colour);
        let found = self.order.iter().find(|o| told.is_none_or(|t| t == o.1));
        found.map_or(0.0, |o| o.0 * self.chance)
    }
}

/// The colours that a card may have, with their chances.
fn colours(known: &Known, card: Card) -> Vec<(Colour, f64)> {
    match known.colour(card) {
        Some(colour) => vec![(colour, 1.0)],
        None => Colour::ALL.into_iter().map(|c| (c, known.chance(c))).filter(|c| c.1 > 0.0).collect(),
    }
}

/// The second look tells the colour of the first card: for each colour the second looks with what they cost.
fn look_wishes(forecast: &Forecast, free: CardSet, first: Card) -> Vec<Wish<Card>> {
    let known = forecast.known();
    let blind = |card: Card| known.colour(card).is_none();
    let pairs: Vec<(Card, Option<[[f32; 4]; 4]>)> = free
        .without(first)
        .iter()
        .map(|second| (second, (blind(first) && blind(second)).then(|| forecast.pair(first, second))))
        .collect();
    let wish = |(colour, chance): (Colour, f64)| {
        let then = if blind(first) { known.with(first, colour).expect("a colour that it may have") } else { *known };
        let known_already = f64::from(forecast.best(&[(first, colour)]));
        let cost = |second: Card, pair: &Option<[[f32; 4]; 4]>| match pair {
            Some(pair) => {
                colours(&then, second).iter().map(|&(c, p)| p * f64::from(pair[colour.index()][c.index()])).sum()
            }
            None if blind(second) => {
                colours(&then, second).iter().map(|&(c, p)| p * f64::from(forecast.best(&[(second, c)]))).sum()
            }
            None => known_already,
        };
        Wish::new(colour, chance, pairs.iter().map(|(second, pair)| (cost(*second, pair), *second)).collect())
    };
    colours(known, first).into_iter().map(wish).collect()
}

/// The move tells the colour of the second card: for each colour the moves with what they cost.
fn move_wishes(forecast: &Forecast, stage: &Stage, known: &Known, second: Card) -> Vec<Wish<(Card, Cell)>> {
    let wish = |(colour, chance): (Colour, f64)| {
        let then = match known.colour(second) {
            Some(_) => *known,
            None => known.with(second, colour).expect("a colour that it may have"),
        };
        Wish::new(colour, chance, ranked(forecast, stage, &then))
    };
    colours(known, second).into_iter().map(wish).collect()
}

/// The moves with what they cost if this is known, which is what the forecast knows and two cards more at most.
fn ranked(forecast: &Forecast, stage: &Stage, known: &Known) -> Vec<(f64, (Card, Cell))> {
    let new = forecast.known().unknown() & !known.unknown();
    let seen: Vec<(Card, Colour)> =
        CardSet(new.into()).iter().map(|card| (card, known.colour(card).expect("known by now"))).collect();
    let means = forecast.means(&seen);
    let mut order: Vec<(f64, (Card, Cell))> =
        means.iter().zip(forecast.moves().list()).map(|(&mean, &to)| (f64::from(mean), to)).collect();
    if let Some(classes) = known.settled() {
        let left = TURNS.saturating_sub(stage.turns());
        let path = solve(stage.layout(), &classes, stage.marked(), left, &|_, _| true);
        if let Some(first) = path.as_ref().and_then(|p| p.first()) {
            let found = order.iter().position(|o| o.1 == *first).expect("a legal move");
            order[found].0 = -1.0;
        }
        return order;
    }
    if known.unknown().count_ones() <= FEW {
        deepen(&mut order, stage, known);
    }
    order
}

/// Weighs the best moves a step further: what is left after one look more and the best move then. What the others would
/// gain by that is taken to be the same on the mean.
fn deepen(order: &mut [(f64, (Card, Cell))], stage: &Stage, known: &Known) {
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (best, others) = order.split_at_mut(DEEPER.min(order.len()));
    let mut gained = 0.0;
    for (value, (card, to)) in best.iter_mut() {
        let moves = Moves::of(&stage.layout().moved(*card, *to), stage.marked());
        let after = Forecast::new(moves, *known, Cards::One);
        let free = CardSet(known.unknown().into()).minus(stage.marked());
        let look = |card: Card| {
            colours(known, card).iter().map(|&(c, p)| p * f64::from(after.best(&[(card, c)]))).sum::<f64>()
        };
        let blind = f64::from(after.best(&[]));
        let then = free.iter().map(look).fold(blind, f64::min);
        gained += *value - then;
        *value = then;
    }
    let gained = gained / best.len().max(1) as f64;
    others.iter_mut().for_each(|(value, _)| *value -= gained);
}

/// A player that keeps the code.
pub(super) struct Coder {
    notes: Notes,
    /// What was told, by whom.
    told: Vec<(Seat, Card, Colour)>,
    /// The cards looked at in this turn, in order.
    looks: Vec<Card>,
    /// What every move leads to, by what both knew when the turn began.
    forecast: Option<Forecast>,
    looking: Option<Code<Card>>,
    moving: Option<Code<(Card, Cell)>>,
    /// Whether the partner has shown that it does not keep the code.
    broken: bool,
    /// Who plays then.
    other: Thinker,
    reason: Option<Reason>,
}

impl Coder {
    /// A player at the start; the code knows no chance, but who plays with another partner does.
    pub(super) fn new(seed: u64) -> Coder {
        Coder::beside(believer(seed))
    }

    fn beside(other: Thinker) -> Coder {
        Coder {
            other,
            notes: Notes::new(),
            told: Vec::new(),
            looks: Vec::new(),
            forecast: None,
            looking: None,
            moving: None,
            broken: false,
            reason: None,
        }
    }

    /// Begins a match, or in the middle of one.
    fn begin(&mut self, notes: Notes) {
        let other = std::mem::replace(&mut self.other, believer(0));
        *self = Coder { notes, ..Coder::beside(other) };
    }

    /// What was told.
    fn heard(&self) -> impl Iterator<Item = (Card, Colour)> {
        self.told.iter().map(|t| (t.1, t.2))
    }

    /// What both know.
    fn common(&self) -> Known {
        self.heard().fold(Known::default(), |known, (card, colour)| known.with(card, colour).unwrap_or(known))
    }

    /// What I saw and remember.
    fn seen(&self) -> impl Iterator<Item = (Card, Colour)> {
        (0..).map(Card).zip(&self.notes.seen).filter_map(|(card, colour)| Some((card, (*colour)?)))
    }

    /// What I know: what I saw and what both know.
    fn mine(&self) -> Known {
        let told = self.heard();
        self.seen()
            .chain(told)
            .fold(Known::default(), |known, (card, colour)| known.with(card, colour).unwrap_or(known))
    }

    /// What every move leads to, by what both knew when the turn began.
    fn table(&mut self) -> Forecast {
        let ready = self.forecast.take();
        let stage = &self.notes.stage;
        ready.unwrap_or_else(|| Forecast::new(Moves::of(stage.layout(), stage.marked()), self.common(), Cards::Two))
    }

    fn looking(&mut self, first: Card) -> Code<Card> {
        if self.looking.is_none() {
            let table = self.table();
            let free = CardSet::first(CARDS).minus(self.notes.stage.marked());
            self.looking = Some(Code::assign(&look_wishes(&table, free, first)));
            self.forecast = Some(table);
        }
        self.looking.clone().expect("made now")
    }

    fn moving(&mut self, second: Card) -> Code<(Card, Cell)> {
        if self.moving.is_none() {
            let table = self.table();
            let wishes = move_wishes(&table, &self.notes.stage, &self.common(), second);
            self.moving = Some(Code::assign(&wishes));
            self.forecast = Some(table);
        }
        self.moving.clone().expect("made now")
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
        self.broken |= Known::new(self.seen().chain(self.heard())).is_none();
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
        let free = CardSet::first(CARDS).minus(self.notes.stage.marked());
        let mine = self.mine();
        let unknown: Vec<Card> = free.iter().filter(|c| mine.colour(*c).is_none()).collect();
        let table = self.table();
        let worth = |first: Card| {
            let wishes = look_wishes(&table, free, first);
            let code = Code::assign(&wishes);
            wishes.iter().map(|w| w.cost(&code)).sum::<f64>()
        };
        let opening = self.notes.stage.turns() < 2 && unknown.contains(&CODED[self.notes.me.index()]);
        let tried = if opening { vec![CODED[self.notes.me.index()]] } else { unknown };
        let best = tried.iter().map(|&c| (worth(c), c)).min_by(|a, b| a.0.total_cmp(&b.0));
        self.forecast = Some(table);
        match best {
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
        let stage = &self.notes.stage;
        let forecast = Forecast::new(Moves::of(stage.layout(), stage.marked()), self.mine(), Cards::One);
        let mut ranked = ranked(&forecast, stage, forecast.known());
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let silent = ranked.iter().find(|(_, to)| code.read(*to).is_none());
        let &(cost, (card, to)) = silent.unwrap_or(&ranked[0]);
        (Action::Move(card, to), format!("it tells nothing; moves left on the mean: {cost:.2}"))
    }

    fn hint(&mut self) -> (Action, String) {
        let known = self.mine();
        let stage = &self.notes.stage;
        let (shape, marked) = (stage.layout().shape(), stage.marked());
        let here = known.mean_cost(&shape, marked);
        // Every turn activates a hint, for three points, or uses one, for one. In which order does not matter as long as all
        // active ones are used before the end, in as many turns as moves are left; and a mark that comes late locks less.
        // So a mark saves two points only where there are more active hints than turns.
        let spare = (stage.active().len() as f64 + 1.0 - here).clamp(0.0, 2.0);
        let mut best = (stage.available() != [0; 3]).then_some((1.0 + spare, Action::Activate));
        for card in CardSet::first(CARDS).minus(marked).iter() {
            let locked = known.mean_cost(&shape, marked.with(card)) - here;
            for &hint in stage.active() {
                let proper = known.colour(card).is_some_and(|c| hint.has(c));
                let cost = 1.0 + if proper { 0.0 } else { 2.0 } + MOVE * locked;
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
        let heard = self.told.iter().filter(|t| t.0 != self.notes.me);
        heard.for_each(|&(_, card, colour)| notes.tell(card, Colours::of(colour), None));
        proof_of_grouping(&notes)
    }

    /// What I know, as evidence.
    fn evidence(&self) -> Evidence {
        let mut evidence = Evidence::none();
        let mine = self.mine();
        for card in CardSet::first(CARDS).iter() {
            if let Some(colour) = mine.colour(card) {
                evidence.is(card, colour);
            }
        }
        evidence
    }
}

impl Player<Yokai> for Coder {
    fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Dealt { .. } => self.begin(Notes::new()),
            Sight::Done { seat, act, .. } => match act {
                SeenAct::Looked { card, .. } => {
                    // A partner who keeps the code declares it by its first look.
                    let opening = seat != self.notes.me && self.notes.stage.turns() < 2 && self.looks.is_empty();
                    self.broken |= opening && card != CODED[seat.index()];
                    if let ([first], false) = (&self.looks[..], self.broken) {
                        let first = *first;
                        let code = self.looking(first);
                        self.hear(seat, first, &code, card);
                    }
                    self.looks.push(card);
                }
                SeenAct::Moved { card, to } => {
                    if let ([_, second], false) = (&self.looks[..], self.broken) {
                        let second = *second;
                        let code = self.moving(second);
                        self.hear(seat, second, &code, (card, to));
                    }
                    self.forecast = None;
                }
                SeenAct::Marked { .. } => self.forecast = None,
                SeenAct::Skipped | SeenAct::Activated(_) | SeenAct::Stopped => {}
            },
        }
        self.notes.watch(sight);
        self.other.watch(sight);
        if self.notes.stage.steps().none() {
            (self.looking, self.moving, self.forecast) = (None, None, None);
            self.looks.clear();
        }
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        if self.broken {
            let action = self.other.choose(options);
            self.reason = self.other.reason().map(|mut reason| {
                reason.lines.push("the partner does not keep the code".into());
                reason
            });
            return action;
        }
        let mine = self.evidence();
        let shape = self.notes.stage.layout().shape();
        let count = mine.count();
        let grouped = if options.contains(&Action::Stop) { mine.grouped(&shape) } else { 0 };
        let follows = count > 0 && count == grouped;
        let (action, line) = match options.iter().filter_map(Action::step).min() {
            _ if follows => {
                let heard = self.heard().next().is_some();
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
        self.reason = Some(Reason::of(&action, count, lines));
        action
    }
}

impl Placed for Coder {
    fn place(&mut self, position: &Position) {
        self.begin(Notes::placed(position));
        self.other.place(position);
        // Which card was looked at first is part of the position; which was second is not.
        self.looks.extend(position.stage.steps().first);
    }
}

impl Reasoned for Coder {
    fn reason(&self) -> Option<Reason> {
        self.reason.clone()
    }
}

/// What a second look or a move tells by the code: a card and its colour. `Err` if it is not in the code, so that its maker
/// has left it. The stage is that before it, `looks` are those of the turn so far; `begun` is what was told before the turn, or
/// before a mark in it, and `since` what was told after that.
pub(in crate::yokai) fn read(
    stage: &Stage,
    begun: &[(Card, Colour)],
    since: &[(Card, Colour)],
    looks: &[Card],
    act: SeenAct,
) -> Result<Option<(Card, Colour)>, ()> {
    fn found<T: Copy + PartialEq>(code: &Code<T>, card: Card, done: T) -> Result<Option<(Card, Colour)>, ()> {
        match code.read(done) {
            Some(colour) => Ok(Some((card, colour))),
            None if code.0.is_empty() => Ok(None),
            None => Err(()),
        }
    }
    let knowing = |known: Known, told: &[(Card, Colour)]| {
        told.iter().fold(known, |known, &(card, colour)| known.with(card, colour).unwrap_or(known))
    };
    let before = knowing(Known::default(), begun);
    let table = || Forecast::new(Moves::of(stage.layout(), stage.marked()), before, Cards::Two);
    match (act, looks) {
        (SeenAct::Looked { card, .. }, &[first]) => {
            let free = CardSet::first(CARDS).minus(stage.marked());
            found(&Code::assign(&look_wishes(&table(), free, first)), first, card)
        }
        (SeenAct::Moved { card, to }, &[_, second]) => {
            let wishes = move_wishes(&table(), stage, &knowing(before, since), second);
            found(&Code::assign(&wishes), second, (card, to))
        }
        _ => Ok(None),
    }
}
