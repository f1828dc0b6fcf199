//! A match as it goes: who moves, what is typed, what is saved.
//!
//! A machine player watches what has happened when it is to move, and not before: an action that may be taken back has
//! then been taken back or not. A continued match rebuilds its players by asking them again at every turn they had, so
//! that their own chance is where it was; what the record says stands, whatever they answer.

use super::screen::Screen;
use super::store::{Place, bad};
use super::{asked, problem, refusal};
use crate::input::Failure;
use crate::monitor::Monitor;
use crate::output::complain;
use ken_arena::bout;
use ken_arena::catalogue::PATIENCE;
use ken_arena::external;
use ken_games::game::{Illegal, Seat, Turn};
use ken_games::list::Setup;
use ken_games::record::{Ending, Entry, MAX_HELPER, PERSON, Record};
use ken_games::table::page::{Assumption, LogLine};
use ken_games::table::{ADVISES, Eyes, INSPECTS, Sitter, Table, Unread};
use ken_games::yokai::players::TAUGHT_SUFFIX;
use ken_logic::text::hang;
use serde_json::{Value, json};
use std::path::PathBuf;

/// How many options are listed.
const LISTED: usize = 20;

const USAGE: &str = "  sheet            your notes, or the table
  log, hand        what you saw, what you hold
  options          what you may do now
  undo             take back your last action, if nobody learned from it
  resign           give the match up: it ends for everybody, and all is shown
  save FILE        keep the match in a file, from now on after every move
  quit             stop here; what is saved can be continued";

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

pub(super) struct Session {
    table: Box<dyn Table>,
    record: Record,
    person: Option<Seat>,
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
    /// What `know` and `why` assume, if the person chose it.
    assumed: Option<String>,
}

impl Session {
    /// Seats the players and plays what the record holds. Players whose name says so are told what is known of their `partner`.
    pub(super) fn open(
        setup: &dyn Setup,
        record: Record,
        place: Option<Place>,
        screen: Screen,
        partner: Option<Value>,
    ) -> Result<Session, Failure> {
        let file = place.as_ref().map(|p| PathBuf::from(p.name()));
        setup.replay(&record).map_err(|e| bad(file.as_deref(), &e))?;
        let person = record.players.iter().position(|p| p == PERSON).map(|s| Seat(s as u8));
        let sitter = |(seat, name): (Seat, &String)| match Some(seat) == person {
            true => Sitter::Person,
            false => match (name.strip_suffix(TAUGHT_SUFFIX), &partner) {
                (Some(name), Some(partner)) => Sitter::Taught(name.to_string(), partner.clone()),
                _ => external::sitter(setup, name, seat, PATIENCE),
            },
        };
        let sitters = Seat::all(setup.seats()).zip(&record.players).map(sitter).collect();
        let table = setup.deal(record.seed, sitters).map_err(problem)?;
        let (unsaved, shown) = (None, String::new());
        let mut session =
            Session { table, record, person, place, unsaved, screen, told: 0, shown, own: false, assumed: None };
        for entry in session.record.entries.clone() {
            session.again(&entry)?;
            // A person remembers what happened up to the last action of their own.
            if !session.screen.is_json() && (session.own || person.is_none()) {
                session.told = session.table.events();
            }
        }
        session.told = session.told.min(session.table.events());
        Ok(session)
    }

    /// Does again what the record says.
    fn again(&mut self, entry: &Entry) -> Result<(), Failure> {
        match entry {
            Entry::Undo => self.own = false,
            Entry::Play(_) => {
                if let Turn::Of(seat) = self.table.turn() {
                    self.own = Some(seat) == self.person;
                    if let Some(thinking) = self.table.think().filter(|_| !self.own) {
                        // The answer was given before.
                        self.table.thought(thinking());
                    }
                }
            }
        }
        self.table.enter(entry).map_err(problem)
    }

    pub(super) fn run(mut self) -> Result<u8, Failure> {
        if let Some(place) = &self.place {
            place.write(&self.record)?;
        }
        self.greet();
        loop {
            let seat = match self.table.turn() {
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
            if !self.screen.is_json() && self.can_undo().is_ok() {
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

    fn machine_moves(&mut self, seat: Seat) -> Result<(), String> {
        let thinking = Monitor::progress();
        thinking.doing("the others are playing");
        let entry = bout::machine_moves(self.table.as_mut(), seat)?;
        drop(thinking);
        self.own = false;
        self.enter(entry);
        if self.person.is_none() {
            self.news();
        }
        Ok(())
    }

    fn person_moves(&mut self) -> Result<Step, Failure> {
        // All that the others did is told at once, so that nobody's thinking can be timed.
        self.news();
        let eyes = self.eyes();
        if self.screen.is_json() {
            self.screen.data(&json!({"choose": eyes.choices()}));
        } else {
            let sheet = eyes.sheet(self.helper());
            if sheet != self.shown {
                self.screen.text(&format!("\n{sheet}"));
                self.shown = sheet;
            }
            self.screen.text(&format!("\n{}", eyes.hand(self.helper())));
        }
        let prompt = eyes.prompt();
        // An action that was shown and waits for a `yes`.
        let mut seen: Option<String> = None;
        loop {
            let Some(line) = self.screen.ask(&prompt)? else { return Ok(Step::Quit) };
            // Whatever is typed but `yes` ends the waiting: a later `yes` means something else.
            let waiting = seen.take();
            if waiting.is_some() && matches!(line.as_str(), "no" | "n") {
                self.screen.text("not done");
                continue;
            }
            let text = match waiting.filter(|_| matches!(line.as_str(), "yes" | "y")) {
                Some(confirmed) => confirmed,
                None => {
                    let typed = match self.typed(&line) {
                        Typed::Done => continue,
                        Typed::TakenBack => return Ok(Step::TakenBack),
                        Typed::Quit => return Ok(Step::Quit),
                        Typed::Resign => return Ok(self.person.map_or(Step::Quit, Step::Resign)),
                        Typed::Action(typed) => typed,
                    };
                    let text = eyes.expand(&typed);
                    match eyes.confirm(&text, self.helper()) {
                        Err(unread) => {
                            let Unread { name, text, problem } = *unread;
                            self.screen.wrong(&asked(name, &text, problem));
                            continue;
                        }
                        // A program has looked before it sends.
                        Ok(Some(look)) if !self.screen.is_json() => {
                            self.screen.text(&look);
                            seen = Some(text);
                            continue;
                        }
                        Ok(_) => text,
                    }
                }
            };
            match self.table.act(&text) {
                Ok(entry) => {
                    self.own = true;
                    self.enter(entry);
                    return Ok(Step::GoOn);
                }
                Err(wrong) => {
                    let help = wrong.help.or_else(|| Some("type `help`".to_string()));
                    self.screen.wrong(&Failure::Usage { message: wrong.message, help });
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
        let eyes = self.eyes();
        let answer = match (word, rest) {
            ("", _) => return Typed::Done,
            ("quit" | "q" | "exit", "") => return Typed::Quit,
            ("resign", "yes") => return Typed::Resign,
            // A program has thought before it sends.
            ("resign", "") if self.screen.is_json() => return Typed::Resign,
            ("resign", "") => Ok("this ends the match for everybody: `resign yes` does it".to_string()),
            ("help" | "?", "") => Ok(format!("{}\n{USAGE}", eyes.usage())),
            ("sheet", "") => Ok(eyes.sheet(self.helper())),
            ("hand", "") => Ok(eyes.hand(self.helper())),
            ("log", "") => Ok(log(eyes.as_ref(), self.helper())),
            ("options", "") => Ok(options(eyes.as_ref())),
            ("undo", "") => match self.undo() {
                Ok(()) => return Typed::TakenBack,
                Err(failure) => Err(failure),
            },
            ("save", file) => self.save_as(file),
            ("know", formula) => self
                .helped(INSPECTS, word)
                .and_then(|()| eyes.know(formula).map_err(|problem| asked(TYPED, formula, problem))),
            ("why", "partner") => self.reasons(eyes.as_ref(), &eyes.news()),
            ("why", event) if event.parse::<usize>().is_ok() => {
                self.reasons(eyes.as_ref(), &[event.parse().unwrap_or_default()])
            }
            ("assume", name) => self.helped(INSPECTS, word).and_then(|()| self.assume(eyes.as_ref(), name)),
            ("why", fact) => self
                .helped(INSPECTS, word)
                .and_then(|()| eyes.explain(fact).map_err(|problem| asked(TYPED, fact, problem))),
            ("advise", "") => self.helped(ADVISES, word).and_then(|()| eyes.advise().map_err(problem)),
            _ => return Typed::Action(line.to_string()),
        };
        match answer {
            Ok(text) => self.screen.say(text.trim_end()),
            Err(failure) => self.screen.wrong(&failure),
        }
        Typed::Done
    }

    /// What the person sees now, with what `know` and `why` assume.
    fn eyes(&self) -> Box<dyn Eyes> {
        let eyes = self.table.eyes(self.person.unwrap_or(Seat(0)), self.table.events(), true);
        match self.assumed.as_deref().map(|name| eyes.assuming(name)) {
            Some(Ok(assuming)) => assuming,
            Some(Err(_)) | None => eyes,
        }
    }

    /// Why others did what these events show, as far as the person may know.
    fn reasons(&self, eyes: &dyn Eyes, events: &[usize]) -> Result<String, Failure> {
        if events.is_empty() {
            return Err(Failure::Usage {
                message: "nobody else did anything since your last move".into(),
                help: Some("`why 7` asks about event 7 of the log".into()),
            });
        }
        let mut lines = Vec::new();
        for &event in events {
            let reason = eyes.reason(event, self.helper()).map_err(problem)?;
            lines.extend(hang(&format!("{event:3}  "), &eyes.log(self.helper())[event].text));
            lines.extend(reason.lines.iter().flat_map(|line| hang("       ", line)));
        }
        Ok(lines.join("\n"))
    }

    /// Chooses what `know` and `why` assume, or lists what there is.
    fn assume(&mut self, eyes: &dyn Eyes, name: &str) -> Result<String, Failure> {
        let known = eyes.assumptions();
        if !name.is_empty() {
            eyes.assuming(name).map_err(problem)?;
            self.assumed = Some(name.to_string());
        }
        if known.is_empty() {
            return Ok("there is nothing to assume in this game".to_string());
        }
        let now = |each: &Assumption| match &self.assumed {
            Some(assumed) => *assumed == each.name,
            None => each.usual,
        };
        let line = |each: &Assumption| format!("{} {}", if now(each) { "*" } else { " " }, each.label);
        Ok(known.iter().map(line).collect::<Vec<_>>().join("\n"))
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

    fn can_undo(&self) -> Result<(), Failure> {
        let seat = self.person.ok_or_else(|| refusal(Illegal::new("nobody plays here who could take it back")))?;
        self.table.can_undo(seat).map_err(problem)
    }

    fn undo(&mut self) -> Result<(), Failure> {
        self.can_undo()?;
        self.table.enter(&Entry::Undo).map_err(problem)?;
        self.own = false;
        self.enter(Entry::Undo);
        self.told = self.told.min(self.table.events());
        self.screen.text("taken back");
        self.screen.data(&json!({"undo": true}));
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
            "says": Seat::all(self.table.seats()).map(|seat| self.table.says(seat)).collect::<Vec<_>>(),
        }));
        if !self.screen.is_json() {
            self.screen.sentence(&seated);
            if !self.record.entries.is_empty() {
                self.screen.text(&format!("  it goes on after {} moves", self.record.entries.len()));
            }
            for (seat, player) in self.others() {
                let said = self.table.says(seat).join(" ");
                if !said.is_empty() {
                    hang("  ", &format!("{player} says: {said}")).iter().for_each(|line| self.screen.text(line));
                }
            }
            if self.person.is_some() {
                self.screen.text("  type `help` for what can be typed\n");
            }
        }
    }

    /// The players that are not the person, with their seats.
    fn others(&self) -> impl Iterator<Item = (Seat, &String)> {
        let players = (0..).map(Seat).zip(&self.record.players);
        players.filter(|(seat, _)| self.person.is_some_and(|person| person != *seat))
    }

    /// Tells what happened since, as the person saw it; without a person the whole truth.
    fn news(&mut self) {
        match self.person {
            Some(_) => {
                let eyes = self.eyes();
                for event in self.told..self.table.events() {
                    let (text, data) = eyes.sight(event);
                    self.screen.happened(&text, &json!({"sight": data}));
                }
            }
            None => {
                for event in self.told..self.table.events() {
                    let text = self.table.tell(event);
                    self.screen.happened(&text, &json!({"event": text}));
                }
            }
        }
        self.told = self.table.events();
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
        let deal = self.table.tell_deal();
        let hidden = if broken_off { self.table.tell_hidden() } else { None };
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
                self.screen.sentence(&format!(
                    "`ken replay {0}` tells it again, `ken replay {0} --why` with the reasons of the machines",
                    place.name()
                ));
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

/// What a question or a rule that was typed is called where it cannot be read.
const TYPED: &str = "what you typed";

/// What was seen, with the numbers that proofs use.
fn log(eyes: &dyn Eyes, helper: u8) -> String {
    let line = |line: LogLine| {
        let head = line.number.map_or_else(|| " ".repeat(5), |number| format!("{number:3}  "));
        hang(&head, &line.text)
    };
    eyes.log(helper).into_iter().flat_map(line).collect::<Vec<_>>().join("\n")
}

fn options(eyes: &dyn Eyes) -> String {
    let choices = eyes.choices();
    let mut lines: Vec<String> = choices.iter().take(LISTED).map(|choice| format!("  {choice}")).collect();
    if choices.len() > LISTED {
        lines.push(format!("  … and {} more", choices.len() - LISTED));
    }
    lines.join("\n")
}
