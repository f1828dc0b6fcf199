//! A match as it goes: who moves, what is typed, what is saved.
//!
//! A machine player watches what has happened when it is to move, and not before: an action that may be taken back has
//! then been taken back or not. A continued match rebuilds its players by asking them again at every turn they had, so
//! that their own chance is where it was; what the record says stands, whatever they answer.

use super::screen::{Screen, hang};
use super::store::{Place, bad};
use super::{Table, refusal};
use crate::input::Failure;
use crate::monitor::Monitor;
use crate::output::complain;
use ken_arena::bout::Seated;
use ken_arena::catalogue::PATIENCE;
use ken_arena::external;
use ken_games::dice::seat_seed;
use ken_games::game::{Illegal, Seat, Turn};
use ken_games::record::{Ending, Entry, MAX_HELPER, Match, PERSON, Record, replay};
use serde_json::json;
use std::mem::discriminant;
use std::path::PathBuf;

/// Help from this level on answers questions, advises.
const INSPECTS: u8 = 3;
const ADVISES: u8 = 4;

/// How many options are listed.
const LISTED: usize = 20;

const USAGE: &str = "  sheet            your notes, or the table
  log, hand        what you saw, what you hold
  options          what you may do now
  undo             take back your last action, if nobody learned from it
  resign           give the match up: it ends for everybody, and all is shown
  save FILE        keep the match in a file, from now on after every move
  quit             stop here; what is saved can be continued";

struct Machine<G: Table> {
    seated: Seated<G>,
    /// How many events it has watched.
    watched: usize,
}

/// What follows from a line that was typed.
enum Typed {
    /// It was a command, and is done.
    Done,
    /// The last action was taken back.
    TakenBack,
    /// The person leaves.
    Quit,
    /// The person gives the match up.
    Resign,
    /// It is for the game.
    Action(String),
}

/// How the person's part ended.
enum Step {
    GoOn,
    TakenBack,
    Quit,
    Resign(Seat),
}

pub(super) struct Session<G: Table> {
    played: Match<G>,
    record: Record,
    person: Option<Seat>,
    /// One for each seat but the person's.
    machines: Vec<Option<Machine<G>>>,
    place: Option<Place>,
    /// Whether the last save failed.
    unsaved: Option<Failure>,
    screen: Screen,
    /// How many events have been told.
    told: usize,
    /// The sheet as it was shown last.
    shown: String,
    /// Whether the last action is the person's.
    own: bool,
}

impl<G: Table> Session<G> {
    /// Seats the players and plays what the record holds.
    pub(super) fn open(game: G, record: Record, place: Option<Place>, screen: Screen) -> Result<Self, Failure> {
        let file = place.as_ref().map(|p| PathBuf::from(p.name()));
        replay(game.clone(), &record).map_err(|e| bad(file.as_deref(), &e))?;
        let person = record.players.iter().position(|p| p == PERSON).map(|s| Seat(s as u8));
        let mut session = Session {
            played: Match::deal(game, record.seed),
            machines: Vec::new(),
            record,
            person,
            place,
            unsaved: None,
            screen,
            told: 0,
            shown: String::new(),
            own: false,
        };
        for seat in Seat::all(session.played.game().seats()) {
            let machine = (Some(seat) != person).then(|| session.seat(seat)).transpose()?;
            session.machines.push(machine);
        }
        for entry in session.record.entries.clone() {
            session.again(&entry)?;
            // A person remembers what happened up to the last action of their own.
            if !session.screen.is_json() && (session.own || person.is_none()) {
                session.told = session.played.events().len();
            }
        }
        session.told = session.told.min(session.played.events().len());
        Ok(session)
    }

    fn seat(&self, seat: Seat) -> Result<Machine<G>, Failure> {
        let game = self.played.game();
        let builtin = |name: &str| Ok(game.player(name, seat_seed(self.record.seed, seat))?);
        let seated = external::seat(game, &self.record.players[seat.index()], seat, PATIENCE, builtin);
        let seated = seated.map_err(|p| Failure::Usage { message: p.message, help: p.help })?;
        Ok(Machine { seated, watched: 0 })
    }

    /// Does again what the record says.
    fn again(&mut self, entry: &Entry) -> Result<(), Failure> {
        match entry {
            Entry::Undo => self.take_back(),
            Entry::Play(text) => {
                let action = self.played.game().read(text).map_err(refusal)?;
                if let Turn::Of(seat) = self.played.turn() {
                    self.own = Some(seat) == self.person;
                    if !self.own {
                        // The answer was given before.
                        let _ = self.choice(seat);
                    }
                }
                self.played.play(&action).map(|_| ()).map_err(refusal)
            }
        }
    }

    pub(super) fn run(mut self) -> Result<u8, Failure> {
        if let Some(place) = &self.place {
            place.write(&self.record)?;
        }
        self.greet();
        loop {
            let seat = match self.played.turn() {
                Turn::Over(outcome) => return self.finish(Ending::by_rules(outcome)),
                Turn::Of(seat) => seat,
            };
            if Some(seat) == self.person {
                match self.person_moves()? {
                    Step::GoOn | Step::TakenBack => continue,
                    Step::Quit => return self.leave(),
                    Step::Resign(seat) => return self.resign(seat),
                }
            }
            if self.own && !self.screen.is_json() && self.played.can_undo().is_ok() {
                match self.pause()? {
                    Step::GoOn => {}
                    Step::TakenBack => continue,
                    Step::Quit => return self.leave(),
                    Step::Resign(seat) => return self.resign(seat),
                }
            }
            if let Err(why) = self.machine_moves(seat) {
                return self.forfeit(seat, why);
            }
        }
    }

    /// What a machine player chooses, or why it forfeits.
    fn choice(&mut self, seat: Seat) -> Result<G::Action, String> {
        let machine = self.machines[seat.index()].as_mut().expect("a machine plays this seat");
        for event in &self.played.events()[machine.watched..] {
            machine.seated.player.watch(&self.played.game().sight(event, seat));
        }
        machine.watched = self.played.events().len();
        let legal = self.played.game().legal(self.played.state());
        let action = machine.seated.player.choose(&legal);
        match machine.seated.fault.reason() {
            Some(reason) => Err(reason.to_string()),
            None => Ok(action),
        }
    }

    fn machine_moves(&mut self, seat: Seat) -> Result<(), String> {
        let thinking = Monitor::progress();
        thinking.doing("the others are playing");
        let text = loop {
            let action = self.choice(seat)?;
            let text = self.played.game().write(&action);
            let Err(illegal) = self.played.play(&action) else { break text };
            // A rule that cannot be read is asked for again.
            let machine = self.machines[seat.index()].as_mut().expect("a machine plays this seat");
            let open = self.played.game().is_open(&action);
            if !(open && machine.seated.player.refused(&action, &illegal)) {
                return Err(format!("illegal action `{text}`: {illegal}"));
            }
        };
        drop(thinking);
        self.own = false;
        self.enter(Entry::Play(text));
        if self.person.is_none() {
            self.news();
        }
        Ok(())
    }

    fn person_moves(&mut self) -> Result<Step, Failure> {
        // All that the others did is told at once, so that nobody's thinking can be timed.
        self.news();
        let memory = self.memory();
        let game = self.played.game().clone();
        let legal = game.legal(self.played.state());
        if self.screen.is_json() {
            let options: Vec<String> = legal.iter().map(|a| game.write(a)).collect();
            self.screen.data(&json!({"choose": options}));
        } else {
            let memory = self.reminded();
            let sheet = game.sheet(&memory, self.helper());
            if sheet != self.shown {
                self.screen.text(&format!("\n{sheet}"));
                self.shown = sheet;
            }
            self.screen.text(&format!("\n{} {}", G::HAND, game.hand(&memory)));
        }
        let request = game.request(&memory);
        // An action that was shown and waits for a `yes`.
        let mut seen: Option<G::Action> = None;
        loop {
            let Some(line) = self.screen.ask(&request)? else { return Ok(Step::Quit) };
            // Whatever is typed but `yes` ends the waiting: a later `yes` means something else.
            let waiting = seen.take();
            if waiting.is_some() && matches!(line.as_str(), "no" | "n") {
                self.screen.text("not done");
                continue;
            }
            let confirmed = waiting.filter(|_| matches!(line.as_str(), "yes" | "y"));
            let read = match confirmed {
                Some(action) => Ok(action),
                None => {
                    let typed = match self.typed(&line) {
                        Typed::Done => continue,
                        Typed::TakenBack => return Ok(Step::TakenBack),
                        Typed::Quit => return Ok(Step::Quit),
                        Typed::Resign => return Ok(self.person.map_or(Step::Quit, Step::Resign)),
                        Typed::Action(typed) => typed,
                    };
                    let read = game.read(&game.expand(&typed, &legal));
                    if let Some(failure) = read.as_ref().ok().and_then(|action| game.unread(action)) {
                        self.screen.wrong(&failure);
                        continue;
                    }
                    // A program has looked before it sends; what cannot be done now need not be looked at.
                    let now = |a: &&G::Action| legal.iter().any(|l| discriminant(l) == discriminant(*a));
                    let look = read.as_ref().ok().filter(now).filter(|_| !self.screen.is_json());
                    if let Some(look) = look.and_then(|action| game.preview(&memory, action, self.helper())) {
                        self.screen.text(&look);
                        seen = read.ok();
                        continue;
                    }
                    read
                }
            };
            match read.and_then(|action| self.played.play(&action).map(|_| action)) {
                Ok(action) => {
                    self.own = true;
                    self.enter(Entry::Play(game.write(&action)));
                    return Ok(Step::GoOn);
                }
                Err(illegal) => {
                    let illegal = if illegal.help.is_none() { illegal.help("type `help`") } else { illegal };
                    self.screen.wrong(&refusal(illegal));
                }
            }
        }
    }

    /// Before anybody sees what was done, it may be taken back.
    fn pause(&mut self) -> Result<Step, Failure> {
        self.news();
        loop {
            let Some(line) = self.screen.ask("`undo` takes it back, anything else goes on")? else {
                return Ok(Step::Quit);
            };
            if line.is_empty() || line == "go" {
                return Ok(Step::GoOn);
            }
            match self.typed(&line) {
                Typed::Done => {}
                Typed::TakenBack => return Ok(Step::TakenBack),
                Typed::Quit => return Ok(Step::Quit),
                Typed::Resign => return Ok(self.person.map_or(Step::Quit, Step::Resign)),
                Typed::Action(_) => {
                    // A script that knows nothing of pauses has typed the next action.
                    self.screen.keep(line);
                    return Ok(Step::GoOn);
                }
            }
        }
    }

    /// Does what was typed, unless it is for the game.
    fn typed(&mut self, line: &str) -> Typed {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let memory = self.memory();
        let game = self.played.game().clone();
        let answer = match (word, rest) {
            ("", _) => return Typed::Done,
            ("quit" | "q" | "exit", "") => return Typed::Quit,
            ("resign", "yes") => return Typed::Resign,
            // A program has thought before it sends.
            ("resign", "") if self.screen.is_json() => return Typed::Resign,
            ("resign", "") => Ok("this ends the match for everybody: `resign yes` does it".to_string()),
            ("help" | "?", "") => Ok(format!("{}\n{USAGE}", game.usage())),
            ("sheet", "") => Ok(game.sheet(&self.reminded(), self.helper())),
            ("hand", "") => Ok(game.hand(&self.reminded())),
            ("log", "") => Ok(self.log()),
            ("options", "") => Ok(self.options()),
            ("undo", "") => match self.undo() {
                Ok(()) => return Typed::TakenBack,
                Err(failure) => Err(failure),
            },
            ("save", file) => self.save_as(file),
            ("know", formula) => self.helped(INSPECTS, word).and_then(|()| game.know(&memory, formula)),
            ("why", fact) => self.helped(INSPECTS, word).and_then(|()| game.why(&memory, fact)),
            ("advise", "") => self.helped(ADVISES, word).and_then(|()| game.advise(&memory)),
            _ => return Typed::Action(line.to_string()),
        };
        match answer {
            Ok(text) => self.screen.say(text.trim_end()),
            Err(failure) => self.screen.wrong(&failure),
        }
        Typed::Done
    }

    fn memory(&self) -> Vec<G::Sight> {
        self.person.map_or_else(Vec::new, |seat| self.played.memory(seat))
    }

    /// What the person is shown again of its memory.
    fn reminded(&self) -> Vec<G::Sight> {
        self.played.game().reminded(self.memory(), self.helper())
    }

    fn helper(&self) -> u8 {
        self.person.map_or(0, |seat| self.record.helpers[seat.index()])
    }

    fn helped(&self, level: u8, word: &str) -> Result<(), Failure> {
        if self.helper() >= level {
            return Ok(());
        }
        Err(Failure::Usage {
            message: format!("`{word}` needs helper level {level}, and this match has {}", self.helper()),
            help: Some(format!("the level is chosen before the deal: --helper {level}, at most {MAX_HELPER}")),
        })
    }

    fn log(&self) -> String {
        let game = self.played.game();
        let mut number = 0;
        let mut lines = Vec::new();
        for sight in self.reminded() {
            let mut head = " ".repeat(5);
            if game.counted(&sight) {
                number += 1;
                head = format!("{number:3}  ");
            }
            lines.extend(hang(&head, &game.tell_sight(&sight)));
        }
        lines.join("\n")
    }

    fn options(&self) -> String {
        let game = self.played.game();
        let legal = game.legal(self.played.state());
        let mut lines: Vec<String> = legal.iter().take(LISTED).map(|a| format!("  {}", game.write(a))).collect();
        if legal.len() > LISTED {
            lines.push(format!("  … and {} more", legal.len() - LISTED));
        }
        lines.join("\n")
    }

    fn undo(&mut self) -> Result<(), Failure> {
        self.played.can_undo().map_err(refusal)?;
        if !self.own {
            return Err(refusal(Illegal::new("the last action was not yours: it cannot be taken back")));
        }
        self.take_back()?;
        self.enter(Entry::Undo);
        self.told = self.told.min(self.played.events().len());
        self.screen.text("taken back");
        self.screen.data(&json!({"undo": true}));
        Ok(())
    }

    fn take_back(&mut self) -> Result<(), Failure> {
        self.played.undo().map_err(refusal)?;
        self.own = false;
        let left = self.played.events().len();
        for seat in Seat::all(self.played.game().seats()) {
            if self.machines[seat.index()].as_ref().is_some_and(|m| m.watched > left) {
                self.machines[seat.index()] = Some(self.seat(seat)?);
            }
        }
        Ok(())
    }

    fn save_as(&mut self, file: &str) -> Result<String, Failure> {
        if file.is_empty() {
            return Err(Failure::Usage {
                message: "in which file?".into(),
                help: Some("as in `save match.json`".into()),
            });
        }
        let place = Place::new(PathBuf::from(file));
        if place.exists() {
            return Err(Failure::Usage {
                message: format!("`{file}` is there already"),
                help: Some("choose another name: nothing is overwritten".into()),
            });
        }
        place.write(&self.record)?;
        self.place.get_or_insert(place);
        Ok(format!("saved in {file}"))
    }

    /// Notes what was done and saves it. A disk that is full now may not be at the next move: the match goes on.
    fn enter(&mut self, entry: Entry) {
        self.record.entries.push(entry);
        self.save();
    }

    fn save(&mut self) {
        if let Some(place) = &self.place {
            self.unsaved = place.write(&self.record).err();
            if let Some(failure) = &self.unsaved {
                complain(&failure.text());
            }
        }
    }

    fn greet(&self) {
        let mine = |i: usize| self.person.is_some_and(|s| s.index() == i);
        let name = |(i, p): (usize, &String)| format!("{i} {}", if mine(i) { "you" } else { p });
        let seats: Vec<String> = self.record.players.iter().enumerate().map(name).collect();
        let seated = format!("{} with the seats {}", self.record.game, seats.join(", "));
        self.screen.data(&json!({
            "game": self.record.game, "options": self.record.options, "players": self.record.players,
            "seat": self.person.map(|s| s.0), "helper": self.person.map(|_| self.helper()),
        }));
        if !self.screen.is_json() {
            self.screen.sentence(&seated);
            if !self.record.entries.is_empty() {
                self.screen.text(&format!("  it goes on after {} moves", self.record.entries.len()));
            }
            if self.person.is_some() {
                self.screen.text("  type `help` for what can be typed\n");
            }
        }
    }

    /// Tells what happened since, as the person saw it; without a person the whole truth.
    fn news(&mut self) {
        let game = self.played.game();
        for event in &self.played.events()[self.told..] {
            match self.person {
                Some(seat) => {
                    let sight = game.sight(event, seat);
                    self.screen.happened(&game.tell_sight(&sight), &json!({"sight": game.sight_data(&sight)}));
                }
                None => {
                    let text = game.tell(event);
                    self.screen.happened(&text, &json!({"event": text}));
                }
            }
        }
        self.told = self.played.events().len();
    }

    fn forfeit(self, seat: Seat, why: String) -> Result<u8, Failure> {
        let ending = Ending::forfeited(self.record.players.len(), seat, why);
        self.finish(ending)
    }

    fn resign(self, seat: Seat) -> Result<u8, Failure> {
        let ending = Ending::resigned(self.record.players.len(), seat);
        self.finish(ending)
    }

    /// The end: everything may be known now.
    fn finish(mut self, ending: Ending) -> Result<u8, Failure> {
        self.news();
        let words = ending.outcome.words.clone();
        let broken_off = ending.forfeit.is_some();
        self.record.result = Some(ending);
        self.save();
        let data = self.record.to_data();
        let deal = self.played.game().tell_deal(&self.played.events()[0]);
        let hidden = Some(self.played.state()).filter(|_| broken_off);
        let hidden = hidden.and_then(|state| self.played.game().tell_hidden(state));
        let mut result = data["result"].clone();
        result["deal"] = json!(deal);
        if let Some(hidden) = &hidden {
            result["hidden"] = json!(hidden);
        }
        result["seed"] = data["seed"].clone();
        self.screen.data(&json!({"result": result}));
        if !self.screen.is_json() {
            self.screen.text("");
            self.screen.sentence(&words);
            self.screen.sentence(&deal);
            hidden.iter().for_each(|hidden| self.screen.sentence(hidden));
            self.screen.text(&format!("  the seed was {}", self.record.seed));
            if let Some(place) = &self.place {
                self.screen.sentence(&format!("`ken replay {}` tells it again", place.name()));
            }
        }
        self.saved()
    }

    /// The person leaves before the end.
    fn leave(self) -> Result<u8, Failure> {
        let place = self.place.as_ref().map(Place::name);
        self.screen.data(&json!({"quit": {"saved": place}}));
        if !self.screen.is_json() {
            self.screen.sentence(&place.map_or_else(
                || "not saved: --record FILE keeps a match".to_string(),
                |place| format!("saved: `ken play {} --record {place}` goes on from here", self.record.game),
            ));
        }
        self.saved()
    }

    fn saved(self) -> Result<u8, Failure> {
        match self.unsaved {
            Some(failure) => Err(failure),
            None => Ok(0),
        }
    }
}
