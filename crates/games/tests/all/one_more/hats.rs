//! *Hats*: three seats have a red or a blue hat each, and see those of the others. In turn a seat says how many red hats it
//! sees, or guesses its own, which ends the match. After three counts the seat to move must guess.

use ken_games::dice::Dice;
use ken_games::game::{Game, Illegal, Notation, Outcome, Player, Seat, Turn, View};
use ken_games::knowledge::{
    Done, Fact, Inspector, Knower, Language, Outcomes, Part, Refused, Remembers, Row, Seats, Shown, Sights, Stands,
    Supposed, Voice, Worlds, seat,
};
use ken_games::table::Face;
use ken_games::table::page::{GameInfo, PlayerInfo};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const SEATS: u8 = 3;
const COUNTS: u8 = 3;

/// Whether the hat of each seat is red.
pub(super) type Hats = [bool; SEATS as usize];

#[derive(Clone, Debug, PartialEq)]
pub(super) struct HatGame;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) hats: Hats,
    counted: u8,
    winner: Option<bool>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Count,
    Guess { red: bool },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Event {
    Dealt(Hats),
    Counted { by: Seat, red: usize },
    Guessed { by: Seat, red: bool, hats: Hats },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sight {
    /// Which seat it is, and the hats of all others; its own place is left blue.
    Others(Seat, Hats),
    Heard(Event),
}

fn red_seen(hats: &Hats, by: Seat) -> usize {
    Seat::all(SEATS).filter(|&seat| seat != by && hats[seat.index()]).count()
}

fn seen_by(hats: &Hats, by: Seat) -> Hats {
    let mut seen = *hats;
    seen[by.index()] = false;
    seen
}

impl Game for HatGame {
    type State = State;
    type Action = Action;
    type Event = Event;
    type Sight = Sight;

    fn seats(&self) -> u8 {
        SEATS
    }

    fn deal(&self, dice: &mut Dice) -> (State, Event) {
        let hats = [(); SEATS as usize].map(|()| dice.below(2) == 1);
        (State { hats, counted: 0, winner: None }, Event::Dealt(hats))
    }

    fn turn(&self, state: &State) -> Turn {
        match state.winner {
            None => Turn::Of(Seat(state.counted % SEATS)),
            Some(won) => {
                let words = if won { "all won" } else { "all lost" }.to_string();
                Turn::Over(Outcome { scores: vec![i64::from(won); SEATS.into()], words })
            }
        }
    }

    fn legal(&self, state: &State) -> Vec<Action> {
        if state.winner.is_some() {
            return Vec::new();
        }
        let count = (state.counted < COUNTS).then_some(Action::Count);
        count.into_iter().chain([true, false].map(|red| Action::Guess { red })).collect()
    }

    fn play(&self, state: &mut State, action: &Action) -> Result<Event, Illegal> {
        if !self.legal(state).contains(action) {
            return Err(Illegal::new("that cannot be done now"));
        }
        let by = Seat(state.counted % SEATS);
        Ok(match *action {
            Action::Count => {
                state.counted += 1;
                Event::Counted { by, red: red_seen(&state.hats, by) }
            }
            Action::Guess { red } => {
                state.winner = Some(state.hats[by.index()] == red);
                Event::Guessed { by, red, hats: state.hats }
            }
        })
    }

    fn sight(&self, event: &Event, seat: Seat) -> Sight {
        match event {
            Event::Dealt(hats) => Sight::Others(seat, seen_by(hats, seat)),
            Event::Counted { .. } | Event::Guessed { .. } => Sight::Heard(event.clone()),
        }
    }

    fn bound(&self) -> usize {
        COUNTS as usize + 1
    }
}

fn colour(red: bool) -> &'static str {
    if red { "red" } else { "blue" }
}

impl Notation for HatGame {
    const NAME: &'static str = "hats";

    fn options(&self) -> Value {
        json!({})
    }

    fn with_options(_: &Value) -> Result<HatGame, Illegal> {
        Ok(HatGame)
    }

    fn write(&self, action: &Action) -> String {
        match action {
            Action::Count => "count".to_string(),
            Action::Guess { red } => format!("guess {}", colour(*red)),
        }
    }

    fn read(&self, text: &str) -> Result<Action, Illegal> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            ["count"] => Ok(Action::Count),
            ["guess", colour @ ("red" | "blue")] => Ok(Action::Guess { red: colour == "red" }),
            _ => Err(Illegal::new(format!("there is no action `{text}`"))),
        }
    }

    fn tell(&self, event: &Event) -> String {
        match event {
            Event::Dealt(hats) => format!("the hats are {}", hats.map(colour).join(", ")),
            Event::Counted { by, red } => format!("seat {by} sees {red} red"),
            Event::Guessed { by, red, hats } => {
                format!("seat {by} guesses {}; the hats are {}", colour(*red), hats.map(colour).join(", "))
            }
        }
    }

    fn tell_sight(&self, sight: &Sight) -> String {
        match sight {
            Sight::Others(me, hats) => {
                let others = Seat::all(SEATS).filter(|seat| seat != me);
                let hats: Vec<String> = others.map(|s| format!("seat {s} has {}", colour(hats[s.index()]))).collect();
                format!("you are seat {me}; {}", hats.join(", "))
            }
            Sight::Heard(event) => self.tell(event),
        }
    }

    fn sight_data(&self, sight: &Sight) -> Value {
        match sight {
            Sight::Others(me, hats) => {
                let others = Seat::all(SEATS).filter(|seat| seat != me);
                let hats = others.map(|s| (format!("seat {s}"), json!(colour(hats[s.index()]))));
                Value::Object(hats.collect())
            }
            Sight::Heard(event) => json!({"heard": self.tell(event)}),
        }
    }
}

impl View for HatGame {
    type View = Vec<Sight>;

    fn view(&self, memory: &[Sight]) -> Vec<Sight> {
        memory.to_vec()
    }
}

/// Counts as long as it may.
struct Counter;

impl Player<HatGame> for Counter {
    fn watch(&mut self, _: &Sight) {}

    fn choose(&mut self, options: &[Action]) -> Action {
        options[0].clone()
    }
}

impl Face for HatGame {
    fn info() -> GameInfo {
        GameInfo {
            name: HatGame::NAME.to_string(),
            title: "Hats".to_string(),
            about: "Find out the colour of your own hat.".to_string(),
            rules: Vec::new(),
            seats: vec![SEATS],
            usual: SEATS,
            options: Vec::new(),
            players: vec![PlayerInfo {
                name: "counter".to_string(),
                about: "counts as long as it may".to_string(),
                says: Vec::new(),
            }],
            rival: "counter".to_string(),
            roles: vec!["player".to_string()],
        }
    }

    fn player(&self, name: &str, _: u64) -> Result<Box<dyn Player<HatGame>>, Illegal> {
        match name {
            "counter" => Ok(Box::new(Counter)),
            _ => Err(Illegal::new(format!("there is no player `{name}`"))),
        }
    }

    fn knowledge<'m>(&'m self, memory: &'m [Sight]) -> Option<Box<dyn Inspector + 'm>> {
        Some(Box::new(Sights(self, memory)))
    }

    fn unit() -> &'static str {
        "log₂ of the hats that fit"
    }
}

impl Remembers for HatGame {
    type Mind = Knower<Position>;

    fn mind(&self, memory: &[Sight]) -> Knower<Position> {
        Knower::new(Position::of(memory))
    }
}

impl Shown for Position {
    fn rows(&self) -> Vec<Row<Seat>> {
        Seat::all(SEATS).map(|seat| Row::new(Fact::Atom(seat), "hats")).collect()
    }

    fn parts(&self, world: &Hats) -> Vec<Part> {
        Seat::all(SEATS).map(|seat| Part::new(format!("seat {seat}"), colour(world[seat.index()]))).collect()
    }
}

/// What a seat has seen: its knowledge.
#[derive(Clone)]
pub(super) struct Position {
    me: Seat,
    seen: Hats,
    /// What everybody thinks possible.
    all: BTreeSet<Hats>,
    counted: u8,
    over: bool,
}

impl Position {
    pub(super) fn of(memory: &[Sight]) -> Position {
        let bits = |n: u8| [0, 1, 2].map(|seat| n >> seat & 1 == 1);
        let all = (0..1 << SEATS).map(bits).collect();
        let mut position = Position { me: Seat(0), seen: [false; 3], all, counted: 0, over: false };
        for sight in memory {
            match sight {
                Sight::Others(me, seen) => (position.me, position.seen) = (*me, *seen),
                Sight::Heard(Event::Counted { by, red }) => position.hear(*by, *red),
                Sight::Heard(Event::Guessed { hats, .. } | Event::Dealt(hats)) => {
                    (position.all, position.over) = (BTreeSet::from([*hats]), true);
                }
            }
        }
        position
    }

    fn hear(&mut self, by: Seat, red: usize) {
        self.all.retain(|hats| red_seen(hats, by) == red);
        self.counted += 1;
    }
}

impl Language for Position {
    type Atom = Seat;

    fn seats(&self) -> u8 {
        SEATS
    }

    fn facts(&self) -> &'static [(&'static str, &'static str)] {
        &[("red", "seat")]
    }

    fn fact(&self, _: &str, arguments: &[&str]) -> Result<Fact<Seat>, Illegal> {
        Ok(Fact::Atom(seat(arguments[0], SEATS)?))
    }

    fn allows(&self, action: &str, _: Stands) -> Result<(), Illegal> {
        match Supposed::read(action, SEATS)?.rest {
            "count" => Ok(()),
            other => Err(Illegal::new(format!("`{other}` is no move that can be asked about"))),
        }
    }

    fn write(&self, atom: &Seat) -> String {
        format!("red({atom})")
    }

    fn say(&self, atom: &Seat, yes: bool, voice: &Voice) -> String {
        format!("{} {}", voice.does(*atom, "have", "has"), colour(yes))
    }
}

impl Worlds for Position {
    type Atom = Seat;
    type Language = Position;
    type Set = BTreeSet<Hats>;
    type World = Hats;
    const STEPS: u64 = 5;

    fn language(&self) -> &Position {
        self
    }

    fn seat(&self) -> Seat {
        self.me
    }

    fn all(&mut self) -> BTreeSet<Hats> {
        self.all.clone()
    }

    fn here(&mut self) -> BTreeSet<Hats> {
        self.all.iter().copied().filter(|hats| self.over || seen_by(hats, self.me) == self.seen).collect()
    }

    fn fact(&mut self, atom: &Seat) -> Done<BTreeSet<Hats>> {
        Ok(self.all.iter().copied().filter(|hats| hats[atom.index()]).collect())
    }

    fn both(&mut self, a: &BTreeSet<Hats>, b: &BTreeSet<Hats>) -> Done<BTreeSet<Hats>> {
        Ok(a & b)
    }

    fn either(&mut self, a: &BTreeSet<Hats>, b: &BTreeSet<Hats>) -> Done<BTreeSet<Hats>> {
        Ok(a | b)
    }

    fn without(&mut self, a: &BTreeSet<Hats>, b: &BTreeSet<Hats>) -> Done<BTreeSet<Hats>> {
        Ok(a - b)
    }

    fn alike(&mut self, seats: Seats, set: &BTreeSet<Hats>) -> Done<BTreeSet<Hats>> {
        let same = |a: &Hats, b: &Hats| seats.iter().all(|seat| seen_by(a, seat) == seen_by(b, seat));
        Ok(self.all.iter().copied().filter(|hats| set.iter().any(|other| same(hats, other))).collect())
    }

    fn count(&mut self, set: &BTreeSet<Hats>) -> u128 {
        set.len() as u128
    }

    fn pick(&mut self, set: &BTreeSet<Hats>) -> Option<Hats> {
        set.first().copied()
    }

    fn only(&mut self, world: &Hats) -> BTreeSet<Hats> {
        BTreeSet::from([*world])
    }

    fn after(&mut self, action: &str) -> Done<Vec<Position>> {
        let by = Seat(self.counted % SEATS);
        let named = Supposed::read(action, SEATS).map_err(Refused::Unfit)?.seat;
        if self.over || self.counted == COUNTS || named.is_some_and(|seat| seat != by) {
            return Ok(Vec::new());
        }
        let told = |red: usize| {
            let mut after = self.clone();
            after.hear(by, red);
            after
        };
        Ok((0..SEATS.into()).map(told).filter(|after| !after.all.is_empty()).collect())
    }

    fn before(&mut self, after: &mut Position, set: &BTreeSet<Hats>, outcomes: Outcomes) -> Done<BTreeSet<Hats>> {
        Ok(match outcomes {
            Outcomes::Some => set.clone(),
            Outcomes::Every => &(&self.all - &after.all) | set,
        })
    }
}
