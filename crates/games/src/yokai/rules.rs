//! The rules: state, actions, events, sights.
//!
//! Two play together. Sixteen cards, four of each of four colours, lie face down in a square. A turn has four steps:
//! two looks at different unmarked cards (everybody sees which, only the looker sees the colour), one move of an unmarked
//! card to another cell so that all cards are connected afterwards (skipped, publicly, if there is none), and one use of
//! the hints: either a hint is activated, drawn blindly, or an active one marks a card, which can then no longer be looked
//! at or moved. Instead of a turn a player may stop. The match ends then, or when the seventh hint is used. It is won iff
//! every colour is connected; see [`Stage::score`] for what a win is worth. A loss counts 0.

use super::colour::{CARDS, Colouring, Colours, Hint};
use super::convention::Convention;
use super::layout::{Cell, Layout};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::{Game, Illegal, Outcome, Seat, Turn};

/// How many hints lie in a match.
pub const HINTS: usize = 7;

/// How many turns a match has at most: each activates a hint or uses one.
pub const TURNS: u8 = 2 * HINTS as u8;

/// How many of the hints have one, two and three colours.
pub const MIX: [u8; 3] = [2, 3, 2];

/// Yōkai with its options fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Yokai {
    /// The steps of a turn come in any order.
    pub free_order: bool,
    /// A player may stop at any step of a turn, not only instead of one.
    pub any_time: bool,
    /// The match ends as soon as a step leaves every colour connected: an onlooker who sees the colours tells.
    pub oracle: bool,
    /// What the players agreed that moves tell, if they agreed on anything. No rule depends on it, and no player is bound
    /// by it: it is what an inspector assumes unless it is told otherwise.
    pub convention: Option<Convention>,
}

impl Yokai {
    /// The game with no option chosen.
    pub const PLAIN: Yokai = Yokai { free_order: false, any_time: false, oracle: false, convention: None };

    /// The same game with nothing agreed on: what is shown without being asked for rests on looks and hints alone.
    pub fn plainly(&self) -> Yokai {
        Yokai { convention: None, ..*self }
    }
}

/// The truth of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    colouring: Colouring,
    /// The hints in the order in which they will be drawn.
    hints: [Hint; HINTS],
    stage: Stage,
}

impl State {
    /// A match in which the cards have these colours and everybody sees this. The hints that were not drawn come in a
    /// fixed order.
    pub fn at(colouring: Colouring, stage: Stage) -> State {
        let mut hints = [Colours::NONE; HINTS];
        let mut left = stage.available();
        let drawn = stage.activated() as usize;
        let next = stage.undrawn().into_iter().filter(|h| {
            let some = left[h.len() - 1] > 0;
            left[h.len() - 1] = left[h.len() - 1].saturating_sub(1);
            some
        });
        hints[drawn..].iter_mut().zip(next).for_each(|(to, hint)| *to = hint);
        State { colouring, hints, stage }
    }

    /// What colour the cards have.
    pub fn colouring(&self) -> &Colouring {
        &self.colouring
    }

    /// What everybody sees.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }
}

/// What everybody sees of a match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stage {
    layout: Layout,
    marks: [Option<Hint>; CARDS],
    /// Active hints in the order in which they were drawn.
    active: Vec<Hint>,
    /// How many hints of one, two and three colours were not yet drawn.
    available: [u8; 3],
    used: u8,
    /// Turns that are over.
    turns: u8,
    seat: Seat,
    steps: Steps,
    over: bool,
}

/// What is done of the present turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Steps {
    /// How many looks.
    pub looks: u8,
    /// The card of the first look.
    pub first: Option<Card>,
    /// Whether a card was moved, or none could be.
    pub moved: bool,
    /// Whether a hint was activated or used.
    pub hinted: bool,
}

/// A kind of step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Step {
    /// A look.
    Look,
    /// The move.
    Move,
    /// The activation or use of a hint.
    Hint,
}

impl Step {
    /// The steps in the order of a turn.
    pub const ALL: [Step; 3] = [Step::Look, Step::Move, Step::Hint];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Step::Look => "look",
            Step::Move => "move",
            Step::Hint => "hint",
        }
    }
}

impl Steps {
    /// Whether nothing is done yet.
    pub fn none(self) -> bool {
        self == Steps::default()
    }

    /// Whether this kind of step is still to be done.
    pub fn open(self, step: Step) -> bool {
        match step {
            Step::Look => self.looks < 2,
            Step::Move => !self.moved,
            Step::Hint => !self.hinted,
        }
    }

    /// The first kind of step that is still to be done.
    pub fn next(self) -> Option<Step> {
        Step::ALL.into_iter().find(|&s| self.open(s))
    }
}

impl Stage {
    /// The start of a match.
    pub fn start() -> Stage {
        Stage::at(Layout::start(), [None; CARDS], Vec::new(), MIX, Seat(0))
    }

    /// A turn's beginning with these cards, marks and hints.
    pub fn at(
        layout: Layout,
        marks: [Option<Hint>; CARDS],
        active: Vec<Hint>,
        available: [u8; 3],
        seat: Seat,
    ) -> Stage {
        let used = marks.iter().flatten().count() as u8;
        let turns = 2 * used + active.len() as u8;
        Stage {
            layout,
            marks,
            active,
            available,
            used,
            turns,
            seat,
            steps: Steps::default(),
            over: used as usize == HINTS,
        }
    }

    /// The same with these steps of the turn done.
    #[must_use]
    pub fn with_steps(mut self, steps: Steps) -> Stage {
        // The hint of this turn is among those that were counted, and its turn is not over.
        self.turns = (self.turns + u8::from(self.steps.hinted)).saturating_sub(steps.hinted.into());
        self.steps = steps;
        self
    }

    /// The same where the match is over.
    #[must_use]
    pub fn ended(mut self) -> Stage {
        self.over = true;
        self
    }

    /// Where the cards lie.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The hint on each card.
    pub fn marks(&self) -> &[Option<Hint>; CARDS] {
        &self.marks
    }

    /// The cards with a hint on them: they are not looked at or moved any more.
    pub fn marked(&self) -> CardSet {
        (0..CARDS as u8).map(Card).filter(|c| self.marks[c.index()].is_some()).collect()
    }

    /// The hints that are active and not used, in the order in which they were drawn.
    pub fn active(&self) -> &[Hint] {
        &self.active
    }

    /// How many hints of one, two and three colours were not yet drawn.
    pub fn available(&self) -> [u8; 3] {
        self.available
    }

    /// The hints that were not drawn yet, as far as everybody knows.
    pub fn undrawn(&self) -> Vec<Hint> {
        let drawn = |h: &Hint| self.active.contains(h) || self.marks.contains(&Some(*h));
        Colours::HINTS.into_iter().filter(|h| !drawn(h) && self.available[h.len() - 1] > 0).collect()
    }

    /// How many hints were activated, used ones included.
    pub fn activated(&self) -> u8 {
        self.active.len() as u8 + self.used
    }

    /// How many hints mark a card.
    pub fn used(&self) -> u8 {
        self.used
    }

    /// How many turns are over.
    pub fn turns(&self) -> u8 {
        self.turns
    }

    /// Whose turn it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What is done of the turn.
    pub fn steps(&self) -> Steps {
        self.steps
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// What a win is worth now, if `improper` marks are wrong: a point for each proper mark, minus one for each improper
    /// one, two for each active hint, five for each that was not activated; that is
    /// 35 − 3·activated − used − 2·improper.
    pub fn score(&self, improper: u8) -> i64 {
        35 - 3 * i64::from(self.activated()) - i64::from(self.used) - 2 * i64::from(improper)
    }

    /// How many marks are wrong of these colours.
    pub fn improper(&self, colouring: &Colouring) -> u8 {
        let wrong = |(i, mark): (usize, &Option<Hint>)| mark.is_some_and(|h| !h.has(colouring.of(Card(i as u8))));
        self.marks.iter().enumerate().filter(|&m| wrong(m)).count() as u8
    }

    /// Takes in what anybody saw.
    pub fn follow(&mut self, sight: &Sight) {
        let Sight::Done { seat: _, act, end } = sight else {
            *self = Stage::start();
            return;
        };
        match *act {
            SeenAct::Looked { card, .. } => {
                self.steps.first.get_or_insert(card);
                self.steps.looks += 1;
            }
            SeenAct::Moved { card, to } => {
                self.layout = self.layout.moved(card, to);
                self.steps.moved = true;
            }
            SeenAct::Skipped => self.steps.moved = true,
            SeenAct::Activated(hint) => {
                self.available[hint.len() - 1] -= 1;
                self.active.push(hint);
                self.steps.hinted = true;
            }
            SeenAct::Marked { card, hint } => {
                self.active.retain(|&h| h != hint);
                self.marks[card.index()] = Some(hint);
                self.used += 1;
                self.steps.hinted = true;
            }
            SeenAct::Stopped => {}
        }
        self.over = end.is_some();
        if self.steps.next().is_none() {
            self.steps = Steps::default();
            self.turns += 1;
            self.seat = self.seat.next(2);
        }
    }
}

/// What a seat may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Look at a card.
    Look(Card),
    /// Move a card.
    Move(Card, Cell),
    /// Move nothing: only when no move is legal.
    Skip,
    /// Activate a hint, drawn blindly.
    Activate,
    /// Mark a card with an active hint.
    Mark(Card, Hint),
    /// End the match.
    Stop,
}

impl Action {
    /// The step that the action does; none for a stop.
    pub fn step(&self) -> Option<Step> {
        match self {
            Action::Look(_) => Some(Step::Look),
            Action::Move(..) | Action::Skip => Some(Step::Move),
            Action::Activate | Action::Mark(..) => Some(Step::Hint),
            Action::Stop => None,
        }
    }
}

/// What a seat did, as far as a seat saw it: the colour of a card that was looked at is seen by the looker only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SeenAct {
    /// A card was looked at.
    Looked {
        /// Which.
        card: Card,
        /// Its colour, for the looker.
        colour: Option<super::colour::Colour>,
    },
    /// A card was moved.
    Moved {
        /// Which.
        card: Card,
        /// Where to.
        to: Cell,
    },
    /// No move was possible.
    Skipped,
    /// A hint was activated.
    Activated(Hint),
    /// A card was marked.
    Marked {
        /// Which.
        card: Card,
        /// With which hint.
        hint: Hint,
    },
    /// The match was stopped.
    Stopped,
}

/// What really happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The cards were laid out and the hints shuffled.
    Dealt {
        /// What colours the cards have.
        colouring: Colouring,
        /// The hints in the order in which they will be drawn.
        hints: [Hint; HINTS],
    },
    /// A step of a turn, or its refusal.
    Done {
        /// Whose.
        seat: Seat,
        /// What was done; the colour of a look is there.
        act: SeenAct,
        /// The colours of the cards, turned up when the match is over.
        end: Option<Colouring>,
    },
}

/// What one seat saw of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// The cards lie face down, the hints are shuffled.
    Dealt {
        /// Whose sight this is.
        me: Seat,
    },
    /// A step of a turn.
    Done {
        /// Whose.
        seat: Seat,
        /// What was done.
        act: SeenAct,
        /// The colours of the cards, turned up when the match is over.
        end: Option<Colouring>,
    },
}

impl Yokai {
    /// What the seat to move may choose: it follows from what everybody sees.
    pub fn options(&self, stage: &Stage) -> Vec<Action> {
        if stage.over {
            return Vec::new();
        }
        let open = |step: Step| {
            if self.free_order { stage.steps.open(step) } else { stage.steps.next() == Some(step) }
        };
        let marked = stage.marked();
        let free = CardSet::first(CARDS).minus(marked);
        let moves = if open(Step::Move) { 320 } else { 0 };
        let mut options = Vec::with_capacity(moves + (1 + stage.active.len()) * CARDS + 2);
        if open(Step::Look) {
            options.extend(free.iter().filter(|&c| stage.steps.first != Some(c)).map(Action::Look));
        }
        if open(Step::Move) {
            let before = options.len();
            // Pushed one by one: a nested iterator is walked faster from inside than by `extend`.
            stage.layout.shape().moves(marked).for_each(|(card, to)| options.push(Action::Move(card, to)));
            if options.len() == before {
                options.push(Action::Skip);
            }
        }
        if open(Step::Hint) {
            if stage.available != [0; 3] {
                options.push(Action::Activate);
            }
            for &hint in &stage.active {
                options.extend(free.iter().map(|card| Action::Mark(card, hint)));
            }
        }
        if self.any_time || stage.steps.none() {
            options.push(Action::Stop);
        }
        options
    }

    /// Whether the action is allowed, and if not, why.
    pub fn check(&self, stage: &Stage, action: &Action) -> Result<(), Illegal> {
        if stage.over {
            return Err(Illegal::new("the match is over"));
        }
        match action.step() {
            None if !self.any_time && !stage.steps.none() => {
                return Err(Illegal::new("a player stops instead of a turn, not in the middle of one")
                    .help("finish the turn; the next player may stop"));
            }
            Some(step) if !stage.steps.open(step) => {
                return Err(Illegal::new(match step {
                    Step::Look => "two cards were looked at in this turn",
                    Step::Move => "a card was moved in this turn",
                    Step::Hint => "a hint was activated or used in this turn",
                }));
            }
            Some(step) if !self.free_order && stage.steps.next() != Some(step) => {
                let next = stage.steps.next().expect("a turn that goes on");
                return Err(Illegal::new(format!("the next step of the turn is to {}", STEP_WORDS[next as usize]))
                    .help("the option free_order leaves the order free"));
            }
            None | Some(_) => {}
        }
        match *action {
            Action::Look(card) => {
                unmarked(stage, card, "looked at")?;
                if stage.steps.first == Some(card) {
                    return Err(Illegal::new(format!("card {} was just looked at", card.0 + 1))
                        .help("the two looks of a turn are at different cards"));
                }
                Ok(())
            }
            Action::Move(card, to) => {
                unmarked(stage, card, "moved")?;
                check_move(&stage.layout, card, to)
            }
            Action::Skip => match stage.layout.shape().moves(stage.marked()).next() {
                Some(_) => Err(Illegal::new("a card must be moved").help("there are legal moves")),
                None => Ok(()),
            },
            Action::Activate if stage.available == [0; 3] => {
                Err(Illegal::new("all seven hints are activated").help("mark a card with an active hint"))
            }
            Action::Activate | Action::Stop => Ok(()),
            Action::Mark(card, hint) => {
                if !stage.active.contains(&hint) {
                    let wrong = Illegal::new(format!("the hint {hint} is not active"));
                    let active: Vec<String> = stage.active.iter().map(ToString::to_string).collect();
                    return Err(match active.is_empty() {
                        true => wrong.help("no hint is active: activate one"),
                        false => wrong.help(format!("active: {}", active.join(", "))),
                    });
                }
                unmarked(stage, card, "marked again")
            }
        }
    }
}

const STEP_WORDS: [&str; 3] = ["look at a card", "move a card", "activate a hint or mark a card"];

fn unmarked(stage: &Stage, card: Card, what: &str) -> Result<(), Illegal> {
    let n = card.0 + 1;
    match stage.marks.get(card.index()) {
        None => Err(Illegal::new(format!("there is no card {n}")).help("the cards are 1 to 16")),
        Some(Some(_)) => Err(Illegal::new(format!("card {n} is marked and cannot be {what}"))),
        Some(None) => Ok(()),
    }
}

/// Whether a card may go to a cell, and if not, why.
fn check_move(layout: &Layout, card: Card, to: Cell) -> Result<(), Illegal> {
    let n = card.0 + 1;
    match layout.at(to) {
        Some(other) if other == card => return Err(Illegal::new(format!("card {n} lies at {to} already"))),
        Some(other) => return Err(Illegal::new(format!("card {} lies at {to}", other.0 + 1))),
        None => {}
    }
    let near: CardSet = to.beside().into_iter().filter_map(|c| layout.at(c)).filter(|&c| c != card).collect();
    if near.is_empty() {
        return Err(Illegal::new(format!("{to} is not beside another card")));
    }
    match layout.parts(card).iter().find(|part| part.is_disjoint(near)) {
        None => Ok(()),
        Some(part) => {
            let cut = part.lowest().expect("parts have cards").0 + 1;
            let kept = near.lowest().expect("a neighbour").0 + 1;
            Err(Illegal::new(format!(
                "without card {n} the cards fall apart: {to} would not connect card {cut} with card {kept}"
            ))
            .help("it may go to any cell that touches every part"))
        }
    }
}

impl Game for Yokai {
    type State = State;
    type Action = Action;
    type Event = Event;
    type Sight = Sight;

    fn seats(&self) -> u8 {
        2
    }

    fn deal(&self, dice: &mut Dice) -> (State, Event) {
        let colouring = Colouring::deal(dice);
        let mut hints = [Colours::NONE; HINTS];
        let mut next = 0;
        for (size, count) in (1..).zip(MIX) {
            let mut of_size: Vec<Hint> = Colours::HINTS.into_iter().filter(|h| h.len() == size).collect();
            dice.shuffle(&mut of_size);
            for hint in of_size.into_iter().take(count.into()) {
                hints[next] = hint;
                next += 1;
            }
        }
        dice.shuffle(&mut hints);
        (State { colouring, hints, stage: Stage::start() }, Event::Dealt { colouring, hints })
    }

    fn turn(&self, state: &State) -> Turn {
        let State { colouring, stage, .. } = state;
        if !stage.over {
            return Turn::Of(stage.seat);
        }
        let won = stage.layout.shape().grouped(colouring);
        let score = if won { stage.score(stage.improper(colouring)) } else { 0 };
        let words = if won { format!("won with {score} points") } else { "lost".into() };
        Turn::Over(Outcome { scores: vec![score; 2], words })
    }

    fn legal(&self, state: &State) -> Vec<Action> {
        self.options(&state.stage)
    }

    fn play(&self, state: &mut State, action: &Action) -> Result<Event, Illegal> {
        self.check(&state.stage, action)?;
        let stage = &state.stage;
        let act = match *action {
            Action::Look(card) => SeenAct::Looked { card, colour: Some(state.colouring.of(card)) },
            Action::Move(card, to) => SeenAct::Moved { card, to },
            Action::Skip => SeenAct::Skipped,
            Action::Activate => SeenAct::Activated(state.hints[stage.activated() as usize]),
            Action::Mark(card, hint) => SeenAct::Marked { card, hint },
            Action::Stop => SeenAct::Stopped,
        };
        let ends = match act {
            SeenAct::Stopped => true,
            SeenAct::Marked { .. } => stage.used as usize + 1 == HINTS,
            SeenAct::Moved { card, to } if self.oracle => {
                stage.layout.moved(card, to).shape().grouped(&state.colouring)
            }
            SeenAct::Moved { .. } | SeenAct::Looked { .. } | SeenAct::Skipped | SeenAct::Activated(_) => false,
        };
        let (seat, end) = (stage.seat, ends.then_some(state.colouring));
        state.stage.follow(&Sight::Done { seat, act, end });
        Ok(Event::Done { seat, act, end })
    }

    fn sight(&self, event: &Event, me: Seat) -> Sight {
        match *event {
            Event::Dealt { .. } => Sight::Dealt { me },
            Event::Done { seat, act, end } => {
                let act = match act {
                    SeenAct::Looked { card, .. } if seat != me => SeenAct::Looked { card, colour: None },
                    act => act,
                };
                Sight::Done { seat, act, end }
            }
        }
    }

    /// Only a skipped move tells nothing: which card is moved or looked at may be a sign.
    fn reveals(&self, event: &Event) -> bool {
        !matches!(event, Event::Done { act: SeenAct::Skipped, .. })
    }

    fn bound(&self) -> usize {
        2 * HINTS * 4
    }
}
