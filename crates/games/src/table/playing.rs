//! Tables and eyes for every game with a face.

use super::face::{Doubts, Face};
use super::page::{Advice, Board, FactRow, Inspection, LogLine, Notes, Preview, Problem, Why};
use super::{Eyes, Table, Thinking, Thought};
use crate::any::AnyGame;
use crate::cluedo::Cluedo;
use crate::dice::seat_seed;
use crate::eleusis::{Classic, Express};
use crate::game::Notation;
use crate::game::{Illegal, Outcome, Player, Seat, Turn};
use crate::knowledge::{Inspector, Refused};
use crate::record::{Entry, Match};
use crate::yokai::Yokai;

/// The table of a record's game, dealt, with machines at the seats that have a name in `machines`.
pub fn deal(game: AnyGame, seed: u64, machines: &[Option<String>]) -> Result<Box<dyn Table>, Problem> {
    Ok(match game {
        AnyGame::Cluedo(game) => Box::new(Playing::new(game, seed, machines)?),
        AnyGame::Express(game) => Box::new(Playing::new(game, seed, machines)?),
        AnyGame::Classic(game) => Box::new(Playing::new(game, seed, machines)?),
        AnyGame::Yokai(game) => Box::new(Playing::new(game, seed, machines)?),
    })
}

/// What the observer of a position of this game knows.
///
/// # Errors
/// There is no such game, or its positions cannot be read, or what is wrong with this one.
pub fn placed(game: &str, text: &str) -> Result<Box<dyn Inspector>, Problem> {
    let read = match game {
        Cluedo::NAME => Cluedo::placed(text),
        Express::NAME => Express::placed(text),
        Classic::NAME => Classic::placed(text),
        Yokai::NAME => Yokai::placed(text),
        _ => return Err(Problem::new("no-such-game", format!("there is no game `{game}`"))),
    };
    read.map_err(|problems| Problem::text(text, &problems))
}

struct Machine<G: Face> {
    name: String,
    /// Away while it thinks.
    player: Option<Box<dyn Player<G>>>,
    /// How many events it has seen.
    watched: usize,
}

struct Playing<G: Face> {
    played: Match<G>,
    seed: u64,
    machines: Vec<Option<Machine<G>>>,
}

impl<G: Face> Playing<G> {
    fn new(game: G, seed: u64, names: &[Option<String>]) -> Result<Playing<G>, Problem> {
        if names.len() != game.seats() as usize {
            return Err(Problem::new("seats", format!("{} seats for a game of {}", names.len(), game.seats())));
        }
        let machine = |(seat, name): (Seat, &Option<String>)| match name {
            None => Ok(None),
            Some(name) => {
                let player = Some(game.player(name, seat_seed(seed, seat))?);
                Ok(Some(Machine { name: name.clone(), player, watched: 0 }))
            }
        };
        let machines = Seat::all(game.seats()).zip(names).map(machine).collect::<Result<Vec<_>, Illegal>>()?;
        Ok(Playing { played: Match::deal(game, seed), seed, machines })
    }

    /// Who made the last action.
    fn last_actor(&self) -> Option<Seat> {
        let before = self.played.states().len().checked_sub(2)?;
        match self.played.game().turn(&self.played.states()[before]) {
            Turn::Of(seat) => Some(seat),
            Turn::Over(_) => None,
        }
    }
}

impl<G: Face> Table for Playing<G> {
    fn events(&self) -> usize {
        self.played.events().len()
    }

    fn turn(&self) -> Turn {
        self.played.turn()
    }

    fn turn_at(&self, events: usize) -> Turn {
        self.played.game().turn(&self.played.states()[events.clamp(1, self.events()) - 1])
    }

    fn read(&self, text: &str) -> Result<(Entry, Option<Outcome>), Problem> {
        let game = self.played.game();
        let action = game.read(text)?;
        let mut after = self.played.state().clone();
        game.play(&mut after, &action)?;
        let outcome = match game.turn(&after) {
            Turn::Of(_) => None,
            Turn::Over(outcome) => Some(outcome),
        };
        Ok((Entry::Play(game.write(&action)), outcome))
    }

    fn can_undo(&self, seat: Seat) -> Result<(), Problem> {
        if self.played.actions().is_empty() {
            return Err(Problem::new("undo", "there is nothing to take back"));
        }
        // Said first: whether another's action told somebody something is not for this seat.
        if self.last_actor() != Some(seat) {
            return Err(Problem::new("undo", "the last action was not yours: it cannot be taken back"));
        }
        self.played.can_undo().map_err(|illegal| Problem { code: "undo".to_string(), ..illegal.into() })
    }

    fn enter(&mut self, entry: &Entry) -> Result<(), Problem> {
        match entry {
            Entry::Play(text) => {
                let action = self.played.game().read(text)?;
                self.played.play(&action)?;
            }
            Entry::Undo => {
                self.played.undo()?;
                let left = self.played.events().len();
                for seat in Seat::all(self.played.game().seats()) {
                    if self.machines[seat.index()].as_ref().is_some_and(|m| m.watched > left) {
                        self.reseat(seat)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn think(&mut self) -> Option<Thinking> {
        let Turn::Of(seat) = self.played.turn() else { return None };
        let machine = self.machines[seat.index()].as_mut()?;
        let mut player = machine.player.take()?;
        let game = self.played.game();
        let news: Vec<G::Sight> = self.played.events()[machine.watched..].iter().map(|e| game.sight(e, seat)).collect();
        let legal = game.legal(self.played.state());
        let (game, watched) = (game.clone(), self.played.events().len());
        Some(Box::new(move || {
            news.iter().for_each(|sight| player.watch(sight));
            let action = game.write(&player.choose(&legal));
            Thought { seat, action, player: Box::new(player), watched }
        }))
    }

    fn thought(&mut self, thought: Thought) {
        if let (Some(machine), Ok(player)) =
            (self.machines[thought.seat.index()].as_mut(), thought.player.downcast::<Box<dyn Player<G>>>())
        {
            machine.player = Some(*player);
            machine.watched = thought.watched;
        }
    }

    fn reseat(&mut self, seat: Seat) -> Result<(), Problem> {
        if let Some(machine) = &mut self.machines[seat.index()] {
            machine.player = Some(self.played.game().player(&machine.name, seat_seed(self.seed, seat))?);
            machine.watched = 0;
        }
        Ok(())
    }

    fn eyes(&self, seat: Seat, events: usize, now: bool) -> Box<dyn Eyes> {
        let game = self.played.game();
        let memory =
            self.played.events()[..events.clamp(1, self.events())].iter().map(|e| game.sight(e, seat)).collect();
        let acts = now && self.played.turn() == Turn::Of(seat);
        let legal = if acts { game.legal(self.played.state()) } else { Vec::new() };
        Box::new(Looking { game: game.clone(), memory, legal })
    }

    fn onlooker(&self, events: usize) -> Vec<LogLine> {
        let game = self.played.game();
        let line = |(event, e): (usize, &G::Event)| game.onlooker(e).map(|text| LogLine { event, number: None, text });
        self.played.events()[..events.clamp(1, self.events())].iter().enumerate().filter_map(line).collect()
    }

    fn truth(&self, events: usize) -> Vec<LogLine> {
        let game = self.played.game();
        let line = |(event, e): (usize, &G::Event)| LogLine { event, number: None, text: game.tell(e) };
        self.played.events()[..events.clamp(1, self.events())].iter().enumerate().map(line).collect()
    }
}

/// What a seat saw, and what it may do.
struct Looking<G: Face> {
    game: G,
    memory: Vec<G::Sight>,
    legal: Vec<G::Action>,
}

impl<G: Face> Looking<G> {
    fn knowledge(&self) -> Result<Box<dyn Inspector + '_>, Problem> {
        let none = || Problem::new("no-inspector", "there is no inspector for this game");
        self.game.knowledge(&self.memory).ok_or_else(none)
    }
}

impl<G: Face> Eyes for Looking<G> {
    fn request(&self) -> String {
        if self.legal.is_empty() { String::new() } else { self.game.request(&self.memory) }
    }

    fn options(&self) -> Vec<String> {
        self.legal.iter().filter(|a| !self.game.is_open(a)).map(|a| self.game.write(a)).collect()
    }

    fn open(&self) -> Vec<String> {
        let word = |text: String| text.split_whitespace().next().unwrap_or_default().to_string();
        let mut words: Vec<String> =
            self.legal.iter().filter(|a| self.game.is_open(a)).map(|a| word(self.game.write(a))).collect();
        words.dedup();
        words
    }

    fn log(&self, helper: u8) -> Vec<LogLine> {
        let numbers = self.game.numbers(&self.memory);
        let line = |(event, number): (usize, Option<usize>)| LogLine {
            event,
            number,
            text: self.game.tell_at(&self.memory, event, helper),
        };
        numbers.into_iter().enumerate().map(line).collect()
    }

    fn board(&self, helper: u8) -> Board {
        self.game.board(&self.memory, helper, &self.legal)
    }

    fn doubts(&self, notes: &Notes) -> Doubts {
        self.game.doubts(&self.memory, notes)
    }

    fn inspect(&self, chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
        self.knowledge()?.inspect(chain, filter)
    }

    fn why(&self, chain: &[Seat], fact: &str) -> Result<Why, Problem> {
        self.knowledge()?.why(chain, fact)
    }

    fn position(&self) -> Result<String, Problem> {
        Ok(self.game.position(&self.memory)?.to_string())
    }

    fn model(&self) -> Result<String, Problem> {
        self.game.model(&self.memory).map_err(|refused| match refused {
            Refused::NoWorld => Problem::new("nothing-fits", "nothing fits what you saw: there is no model"),
            Refused::Limit => Problem::new("too-large", "the model would be too large to be asked"),
            Refused::Unfit(why) => why.into(),
        })
    }

    fn advice(&self, step: u8) -> Result<Advice, Problem> {
        if self.legal.is_empty() {
            return Err(Problem::new("not-your-turn", "advice is about your own turn").help("wait for it"));
        }
        self.game.advice(&self.memory, step)
    }

    fn preview(&self, text: &str, helper: u8) -> Preview {
        match self.game.read(text) {
            Ok(action) => Preview { legal: true, ..self.game.preview(&self.memory, &action, helper) },
            Err(illegal) => Preview { why_not: Some(illegal.to_string()), ..Preview::default() },
        }
    }

    fn moment(&self, sights: usize) -> (Option<f64>, Vec<FactRow>) {
        let memory = &self.memory[..sights.clamp(1, self.memory.len())];
        self.game.knowledge(memory).map_or_else(Default::default, |mut known| known.moment())
    }

    fn unit(&self) -> &'static str {
        G::unit()
    }
}
