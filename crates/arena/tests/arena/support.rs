//! A small game and small players for the tests.

use ken_games::dice::Dice;
use ken_games::game::{Game, Illegal, Notation, Outcome, Player, Seat, Turn, View};
use ken_games::list::{GAMES, Games, Of};
use ken_games::table::Face;
use ken_games::table::page::{GameInfo, PlayerInfo};
use serde_json::{Value, json};

/// Each seat gets a secret number below ten; twice round the table everybody adds 1 to 3; the highest sum wins, but more
/// than twelve counts nothing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Twelve {
    pub(crate) seats: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    Dealt(Vec<u8>),
    Added(Seat, u8),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sight {
    Mine(u8),
    Added(Seat, u8),
}

#[derive(Clone)]
pub(crate) struct State {
    sums: Vec<u8>,
    moves: u8,
}

impl Game for Twelve {
    type State = State;
    type Action = u8;
    type Event = Event;
    type Sight = Sight;

    fn seats(&self) -> u8 {
        self.seats
    }

    fn deal(&self, dice: &mut Dice) -> (State, Event) {
        let sums: Vec<u8> = (0..self.seats).map(|_| dice.below(10) as u8).collect();
        (State { sums: sums.clone(), moves: 0 }, Event::Dealt(sums))
    }

    fn turn(&self, state: &State) -> Turn {
        if state.moves < 2 * self.seats {
            return Turn::Of(Seat(state.moves % self.seats));
        }
        let counts: Vec<i64> = state.sums.iter().map(|&s| if s > 12 { 0 } else { i64::from(s) }).collect();
        let best = counts.iter().max().copied().unwrap_or(0);
        let scores = counts.iter().map(|&c| i64::from(c == best && c > 0)).collect();
        Turn::Over(Outcome { scores, words: format!("best sum {best}") })
    }

    fn legal(&self, state: &State) -> Vec<u8> {
        if state.moves < 2 * self.seats { vec![1, 2, 3] } else { Vec::new() }
    }

    fn play(&self, state: &mut State, &action: &u8) -> Result<Event, Illegal> {
        if !self.legal(state).contains(&action) {
            return Err(Illegal::new(format!("{action} cannot be added")).help("add 1, 2 or 3"));
        }
        let seat = Seat(state.moves % self.seats);
        state.sums[seat.index()] += action;
        state.moves += 1;
        Ok(Event::Added(seat, action))
    }

    fn sight(&self, event: &Event, seat: Seat) -> Sight {
        match event {
            Event::Dealt(sums) => Sight::Mine(sums[seat.index()]),
            Event::Added(by, n) => Sight::Added(*by, *n),
        }
    }

    fn bound(&self) -> usize {
        2 * self.seats as usize
    }
}

impl Notation for Twelve {
    const NAME: &'static str = "twelve";

    fn options(&self) -> Value {
        json!({"seats": self.seats})
    }

    fn with_options(options: &Value) -> Result<Twelve, Illegal> {
        match options.get("seats").map_or(Some(3), Value::as_u64) {
            Some(seats @ 2..=6) => Ok(Twelve { seats: seats as u8 }),
            _ => Err(Illegal::new("2 to 6 can play")),
        }
    }

    fn write(&self, action: &u8) -> String {
        format!("add {action}")
    }

    fn read(&self, text: &str) -> Result<u8, Illegal> {
        let number = text.strip_prefix("add ").and_then(|n| n.parse().ok());
        number.ok_or_else(|| Illegal::new(format!("`{text}` is not `add N`")))
    }

    fn tell(&self, event: &Event) -> String {
        format!("{event:?}")
    }

    fn tell_sight(&self, sight: &Sight) -> String {
        format!("{sight:?}")
    }

    fn sight_data(&self, sight: &Sight) -> Value {
        match sight {
            Sight::Mine(n) => json!({"mine": n}),
            Sight::Added(by, n) => json!({"by": by.0, "added": n}),
        }
    }
}

/// Adds at random.
pub(crate) struct Random(pub(crate) Dice);

impl Player<Twelve> for Random {
    fn watch(&mut self, _: &Sight) {}

    fn choose(&mut self, options: &[u8]) -> u8 {
        *self.0.pick(options)
    }
}

/// Gets as near to twelve as it can.
#[derive(Default)]
pub(crate) struct Careful {
    mine: u8,
    added: u8,
}

impl Player<Twelve> for Careful {
    fn watch(&mut self, sight: &Sight) {
        if let Sight::Mine(n) = sight {
            self.mine = *n;
        }
    }

    fn choose(&mut self, options: &[u8]) -> u8 {
        let later = if self.added == 0 { 1 } else { 0 };
        let room = 12u8.saturating_sub(self.mine + self.added + later);
        let choice = options.iter().copied().filter(|&n| n <= room).max().unwrap_or(1);
        self.added += choice;
        choice
    }
}

/// Breaks the rules in its second turn.
pub(crate) struct Cheat(pub(crate) u32);

impl Player<Twelve> for Cheat {
    fn watch(&mut self, _: &Sight) {}

    fn choose(&mut self, _: &[u8]) -> u8 {
        self.0 += 1;
        if self.0 == 2 { 9 } else { 1 }
    }
}

/// A page of this game is the memory itself.
impl View for Twelve {
    type View = Vec<Sight>;

    fn view(&self, memory: &[Sight]) -> Vec<Sight> {
        memory.to_vec()
    }
}

impl Face for Twelve {
    fn info() -> GameInfo {
        let player = |name: &str| PlayerInfo { name: name.to_string(), about: String::new(), says: Vec::new() };
        GameInfo {
            name: Twelve::NAME.to_string(),
            title: "Twelve".to_string(),
            about: "Add up to twelve.".to_string(),
            rules: Vec::new(),
            seats: (2..=6).collect(),
            usual: 3,
            options: Vec::new(),
            players: ["random", "careful", "cheat"].map(player).into(),
            rival: "careful".to_string(),
            roles: vec!["player".to_string()],
        }
    }

    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Twelve>>, Illegal> {
        player(name, seed)
    }
}

/// The list of games with this one more.
pub(crate) fn games() -> Games {
    GAMES.with(&Of::<Twelve>::NEW)
}

/// The players by name.
pub(crate) fn player(name: &str, seed: u64) -> Result<Box<dyn Player<Twelve>>, Illegal> {
    match name {
        "random" => Ok(Box::new(Random(Dice::new(seed)))),
        "careful" => Ok(Box::new(Careful::default())),
        "cheat" => Ok(Box::new(Cheat(0))),
        _ => Err(Illegal::new(format!("there is no player `{name}`"))),
    }
}
