//! Tables and eyes for every game with a face.

use super::face::{Doubts, Face, Unread};
use super::page::{Advice, Assumption, Board, FactRow, Inspection, LogLine, Notes, Preview, Problem, Reason, Why};
use super::sitter::{Program, Sitter, Start, shorten};
use super::{Eyes, Recounting, Table, Thinking, Thought};
use crate::dice::seat_seed;
use crate::game::{Illegal, Outcome, Player, Seat, Turn};
use crate::knowledge::{Inspector, Refused};
use crate::record::{Entry, Match};
use serde_json::Value;
use std::mem::discriminant;

/// The table of a game after the deal of this seed, with somebody at every seat.
pub fn deal<G: Face>(game: G, seed: u64, sitters: Vec<Sitter>) -> Result<Box<dyn Table>, Problem> {
    if sitters.len() != game.seats() as usize {
        return Err(Problem::new("seats", format!("{} seats for a game of {}", sitters.len(), game.seats())));
    }
    let machine = |(seat, sitter): (Seat, Sitter)| {
        let origin = match sitter {
            Sitter::Person => return Ok(None),
            Sitter::Machine(name) => Origin::Built(name),
            Sitter::Taught(name, partner) => Origin::Taught(name, partner),
            Sitter::Program(start) => Origin::Started(start),
        };
        let mind = Some(origin.mind(&game, seat_seed(seed, seat))?);
        Ok(Some(Machine { origin, mind, watched: 0 }))
    };
    let machines = Seat::all(game.seats()).zip(sitters).map(machine).collect::<Result<Vec<_>, Problem>>()?;
    Ok(Box::new(Playing { played: Match::deal(game, seed), seed, machines }))
}

/// The table of a match that was played, with people at all seats.
pub fn at_table<G: Face>(played: Match<G>, seed: u64) -> Box<dyn Table> {
    let machines = Seat::all(played.game().seats()).map(|_| None).collect();
    Box::new(Playing { played, seed, machines })
}

/// Who thinks at a seat.
enum Mind<G: Face> {
    Player(Box<dyn Player<G>>),
    Program(Box<dyn Program>),
}

impl<G: Face> Mind<G> {
    fn watch(&mut self, game: &G, sight: &G::Sight) {
        match self {
            Mind::Player(player) => player.watch(sight),
            Mind::Program(program) => program.watch(&game.sight_data(sight)),
        }
    }

    /// The action in notation, or why there is none.
    fn choose(&mut self, game: &G, legal: &[G::Action]) -> Result<String, String> {
        match self {
            Mind::Player(player) => Ok(game.write(&player.choose(legal))),
            Mind::Program(program) => {
                let options: Vec<String> = legal.iter().map(|action| game.write(action)).collect();
                let answer = program.choose(&options)?;
                let read = game.read(&answer);
                read.map(|action| game.write(&action))
                    .map_err(|illegal| format!("the answer `{}` is no action: {illegal}", shorten(&answer)))
            }
        }
    }
}

/// Where the mind of a seat comes from.
enum Origin {
    Built(String),
    Taught(String, Value),
    Started(Start),
}

impl Origin {
    fn mind<G: Face>(&self, game: &G, seed: u64) -> Result<Mind<G>, Problem> {
        Ok(match self {
            Origin::Built(name) => Mind::Player(game.player(name, seed)?),
            Origin::Taught(name, partner) => Mind::Player(game.taught(name, seed, partner)?),
            Origin::Started(start) => Mind::Program(start()?),
        })
    }
}

struct Machine<G: Face> {
    origin: Origin,
    /// Away while it thinks.
    mind: Option<Mind<G>>,
    /// How many events it has seen.
    watched: usize,
}

struct Playing<G: Face> {
    played: Match<G>,
    seed: u64,
    machines: Vec<Option<Machine<G>>>,
}

impl<G: Face> Playing<G> {
    /// Who made the last action.
    fn last_actor(&self) -> Option<Seat> {
        let before = self.played.states().len().checked_sub(2)?;
        match self.played.game().turn(&self.played.states()[before]) {
            Turn::Of(seat) => Some(seat),
            Turn::Over(_) => None,
        }
    }
}

impl<G: Face> Playing<G> {
    /// The name of the built-in player of a seat.
    fn built(&self, seat: Seat) -> Option<&str> {
        match &self.machines[seat.index()].as_ref()?.origin {
            Origin::Built(name) | Origin::Taught(name, _) => Some(name),
            Origin::Started(_) => None,
        }
    }

    /// Who made an event; nobody makes the deal.
    fn actor(&self, event: usize) -> Option<Seat> {
        let before = self.played.states().get(event.checked_sub(1)?)?;
        match self.played.game().turn(before) {
            Turn::Of(seat) => Some(seat),
            Turn::Over(_) => None,
        }
    }
}

impl<G: Face> Table for Playing<G> {
    fn seats(&self) -> u8 {
        self.played.game().seats()
    }

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

    fn act(&mut self, text: &str) -> Result<Entry, Problem> {
        let action = self.played.game().read(text)?;
        self.played.play(&action)?;
        Ok(Entry::Play(self.played.game().write(&action)))
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
        let mut mind = machine.mind.take()?;
        let game = self.played.game();
        let news: Vec<G::Sight> = self.played.events()[machine.watched..].iter().map(|e| game.sight(e, seat)).collect();
        let legal = game.legal(self.played.state());
        let (game, watched) = (game.clone(), self.played.events().len());
        Some(Box::new(move || {
            news.iter().for_each(|sight| mind.watch(&game, sight));
            let action = mind.choose(&game, &legal);
            Thought { seat, action, player: Box::new(mind), watched }
        }))
    }

    fn thought(&mut self, thought: Thought) {
        if let (Some(machine), Ok(mind)) =
            (self.machines[thought.seat.index()].as_mut(), thought.player.downcast::<Mind<G>>())
        {
            machine.mind = Some(*mind);
            machine.watched = thought.watched;
        }
    }

    fn refuse(&mut self, seat: Seat, action: &str, why: &Illegal) -> bool {
        let game = self.played.game();
        let Ok(read) = game.read(action) else { return false };
        match self.machines[seat.index()].as_mut().and_then(|machine| machine.mind.as_mut()) {
            _ if !game.is_open(&read) => false,
            Some(Mind::Player(player)) => player.refused(&read, why),
            Some(Mind::Program(program)) => program.refused(action, why),
            None => false,
        }
    }

    fn reseat(&mut self, seat: Seat) -> Result<(), Problem> {
        if let Some(machine) = &mut self.machines[seat.index()] {
            machine.mind = Some(machine.origin.mind(self.played.game(), seat_seed(self.seed, seat))?);
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
        let actors = (0..self.events()).map(|event| self.actor(event)).collect();
        let players = Seat::all(self.seats()).map(|seat| self.built(seat).map(str::to_string)).collect();
        Box::new(Looking { game: game.clone(), seat, memory, legal, actors, players })
    }

    fn says(&self, seat: Seat) -> Vec<String> {
        self.built(seat).map_or_else(Vec::new, |name| self.played.game().says(name))
    }

    fn recount(&self, seat: Seat, events: usize) -> Option<Recounting> {
        // What a player was told about its partner before the match is not kept, so its mind cannot be made again.
        let Origin::Built(name) = &self.machines[seat.index()].as_ref()?.origin else { return None };
        let name = name.clone();
        let game = self.played.game().clone();
        let memory: Vec<G::Sight> =
            self.played.events()[..events.clamp(1, self.events())].iter().map(|e| game.sight(e, seat)).collect();
        let seed = seat_seed(self.seed, seat);
        Some(Box::new(move || {
            let recounted = game.recount(&name, seed, &memory);
            let whole = |(event, lines)| Reason { event, seat: seat.0, player: Some(name.clone()), whole: true, lines };
            recounted.into_iter().map(whole).collect()
        }))
    }

    fn onlooker(&self, events: usize) -> Vec<LogLine> {
        let game = self.played.game();
        let seat = |event: usize| self.actor(event).map(|seat| seat.0);
        let line = |(event, e): (usize, &G::Event)| {
            game.onlooker(e).map(|text| LogLine { event, number: None, seat: seat(event), text })
        };
        self.played.events()[..events.clamp(1, self.events())].iter().enumerate().filter_map(line).collect()
    }

    fn truth(&self, events: usize) -> Vec<LogLine> {
        let game = self.played.game();
        let seat = |event: usize| self.actor(event).map(|seat| seat.0);
        let line =
            |(event, e): (usize, &G::Event)| LogLine { event, number: None, seat: seat(event), text: game.tell(e) };
        self.played.events()[..events.clamp(1, self.events())].iter().enumerate().map(line).collect()
    }

    fn tell(&self, event: usize) -> String {
        self.played.game().tell(&self.played.events()[event])
    }

    fn tell_deal(&self) -> String {
        self.played.game().tell_deal(&self.played.events()[0])
    }

    fn tell_hidden(&self) -> Option<String> {
        self.played.game().tell_hidden(self.played.state())
    }
}

/// What a seat saw, and what it may do.
struct Looking<G: Face> {
    game: G,
    seat: Seat,
    memory: Vec<G::Sight>,
    legal: Vec<G::Action>,
    /// Who made each event.
    actors: Vec<Option<Seat>>,
    /// The machines by their seats.
    players: Vec<Option<String>>,
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
            seat: self.actors.get(event).copied().flatten().map(|seat| seat.0),
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
        match self.game.knowledge(&self.memory) {
            Some(mut known) => known.inspect(chain, filter),
            None => Ok(Inspection {
                chain: chain.iter().map(|seat| seat.0).collect(),
                words: "what you know".to_string(),
                worlds: None,
                rows: Vec::new(),
                asked: None,
                note: Some("This game has no inspector: what follows is for you to find out.".to_string()),
            }),
        }
    }

    fn why(&self, chain: &[Seat], fact: &str) -> Result<Why, Problem> {
        self.knowledge()?.why(chain, fact)
    }

    fn assumptions(&self) -> Vec<Assumption> {
        self.game.assumptions()
    }

    fn assuming(&self, name: &str) -> Result<Box<dyn Eyes>, Problem> {
        Ok(Box::new(Looking {
            game: self.game.assuming(name)?,
            seat: self.seat,
            memory: self.memory.clone(),
            legal: self.legal.clone(),
            actors: self.actors.clone(),
            players: self.players.clone(),
        }))
    }

    fn reason(&self, event: usize, helper: u8) -> Result<Reason, Problem> {
        let unseen = || Problem::new("no-event", format!("there is no event {event} yet")).help("the log counts them");
        if event >= self.memory.len() {
            return Err(unseen());
        }
        let seat = self.actors.get(event).copied().flatten();
        let seat = seat.ok_or_else(|| Problem::new("no-reason", "nobody chose that: it is the deal"))?;
        if seat == self.seat {
            return Err(Problem::new("no-reason", "you did that yourself").help("ask about what another did"));
        }
        let player = self.players[seat.index()].clone();
        let lines = self.game.reason(&self.memory, event, player.as_deref(), helper);
        let lines = lines.ok_or_else(|| Problem::new("no-reason", "this game tells no reasons of others"))?;
        Ok(Reason { event, seat: seat.0, player, whole: false, lines })
    }

    fn news(&self) -> Vec<usize> {
        let seen = &self.actors[..self.memory.len()];
        let own = seen.iter().rposition(|&actor| actor == Some(self.seat)).unwrap_or(0);
        (own + 1..seen.len()).collect()
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

    fn choices(&self) -> Vec<String> {
        self.legal.iter().map(|action| self.game.write(action)).collect()
    }

    fn sight(&self, event: usize) -> (String, Value) {
        let sight = &self.memory[event];
        (self.game.tell_sight(sight), self.game.sight_data(sight))
    }

    fn usage(&self) -> String {
        self.game.usage()
    }

    fn prompt(&self) -> String {
        self.game.prompt(&self.memory)
    }

    fn expand(&self, typed: &str) -> String {
        self.game.expand(typed, &self.legal)
    }

    fn hand(&self, helper: u8) -> String {
        self.game.hand(&self.memory, helper)
    }

    fn sheet(&self, helper: u8) -> String {
        self.game.sheet(&self.memory, helper)
    }

    fn confirm(&self, text: &str, helper: u8) -> Result<Option<String>, Box<Unread>> {
        // What cannot be read or cannot be done now is for the table to refuse.
        let Ok(action) = self.game.read(text) else { return Ok(None) };
        if let Some(unread) = self.game.unread(&action) {
            return Err(Box::new(unread));
        }
        let now = self.legal.iter().any(|legal| discriminant(legal) == discriminant(&action));
        Ok(if now { self.game.confirm(&self.memory, &action, helper) } else { None })
    }

    fn know(&self, formula: &str) -> Result<String, Problem> {
        self.game.know(self.seat, &self.memory, formula)
    }

    fn explain(&self, fact: &str) -> Result<String, Problem> {
        self.game.explain(self.seat, &self.memory, fact)
    }

    fn advise(&self) -> Result<String, Problem> {
        self.game.advise(&self.memory)
    }
}
