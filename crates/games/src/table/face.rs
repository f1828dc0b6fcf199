//! What a page or a terminal needs of a game beyond its rules. Everything here is a fold of one seat's sights: no function
//! receives a state or another seat's memory.

use super::page::{Advice, Assumption, Board, GameInfo, Notes, Preview, Problem, Thing};
use super::{plain, seen, told};
use crate::game::{Illegal, Notation, Player, Seat, View};
use crate::knowledge::{Inspector, Refused};
use ken_logic::syntax::Diagnostic;
use serde_json::Value;

/// The level from which notes are checked.
pub const CHECKS: u8 = 1;
/// The level from which forced cells are filled.
pub const FILLS: u8 = 2;
/// The level from which the inspector is open.
pub const INSPECTS: u8 = 3;
/// The level from which advice is given.
pub const ADVISES: u8 = 4;

/// What is to be said against notes: the keys of those that do not follow. None is in both lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Doubts {
    /// They may be true.
    pub unfounded: Vec<String>,
    /// The opposite follows from what was seen.
    pub refuted: Vec<String>,
}

/// The text of an open action that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// What it is: `the rule`.
    pub name: &'static str,
    /// The text.
    pub text: String,
    /// What is wrong with it, with places.
    pub problem: Problem,
}

/// What a game says beyond its rules. A description and players are enough; everything else has a default, and a game
/// that can say more overrides it.
pub trait Face: Notation + View + 'static {
    /// How the game describes itself: menus, help and pages are made from it.
    fn info() -> GameInfo;

    /// The machine player of this name; its own chance comes from the seed.
    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Self>>, Illegal>;

    /// The machine player of this name that makes use of what is known of its partner from earlier matches.
    ///
    /// # Errors
    /// There is no such player, the data cannot be read, or the player does not use it.
    fn taught(&self, name: &str, seed: u64, partner: &Value) -> Result<Box<dyn Player<Self>>, Illegal> {
        let _ = partner;
        self.player(name, seed)?;
        Err(Illegal::new("no player of this game uses what is known of a partner"))
    }

    /// What anybody at the table sees of an event, whatever the seat; nothing for what only some see. Unless a game says
    /// more it is what all seats see alike.
    fn onlooker(&self, event: &Self::Event) -> Option<String> {
        let first = self.sight(event, Seat(0));
        let alike = Seat::all(self.seats()).all(|seat| self.sight(event, seat) == first);
        alike.then(|| self.tell_sight(&first))
    }

    /// What is to be done now, for the seat whose memory this is, as a sentence.
    fn request(&self, memory: &[Self::Sight]) -> String {
        let _ = memory;
        "It is your turn.".to_string()
    }

    /// The number that proofs give to each sight of a memory, if they number it.
    fn numbers(&self, memory: &[Self::Sight]) -> Vec<Option<usize>> {
        vec![None; memory.len()]
    }

    /// A sight of the memory as the log tells it at a helper level.
    fn tell_at(&self, memory: &[Self::Sight], event: usize, helper: u8) -> String {
        let _ = helper;
        self.tell_sight(&memory[event])
    }

    /// The board at a helper level. `legal` is what the seat may do now, empty if it is not its turn.
    fn board(&self, memory: &[Self::Sight], helper: u8, legal: &[Self::Action]) -> Board {
        let _ = (helper, legal);
        Board::Plain(plain::board(self, memory))
    }

    /// What lies open on the plain board. Unless a game says more it is what was seen last.
    fn open_things(&self, memory: &[Self::Sight]) -> Vec<Thing> {
        let last = memory.iter().skip(1).next_back();
        last.map(|sight| Thing { name: "last".to_string(), value: self.tell_sight(sight) }).into_iter().collect()
    }

    /// What the seat has for itself on the plain board. Unless a game says more it is what it was dealt.
    fn own_things(&self, memory: &[Self::Sight]) -> Vec<Thing> {
        memory.first().map_or_else(Vec::new, |dealt| plain::things(&self.sight_data(dealt)))
    }

    /// What is to be said against notes. Nothing for a game without notes.
    fn doubts(&self, memory: &[Self::Sight], notes: &Notes) -> Doubts {
        let _ = (memory, notes);
        Doubts::default()
    }

    /// What the seat whose memory this is knows, for an inspector; nothing for a game without one.
    fn knowledge<'m>(&'m self, memory: &'m [Self::Sight]) -> Option<Box<dyn Inspector + 'm>> {
        let _ = memory;
        None
    }

    /// A sight as [`Notation::sight_data`] writes it, which the rules allow after those of the memory. With it the
    /// positions of a game can be written and read.
    ///
    /// # Errors
    /// It is none, or nobody can see it then.
    fn sight_of(&self, memory: &[Self::Sight], data: &Value) -> Result<Self::Sight, Illegal> {
        let _ = (memory, data);
        Err(Illegal::new("positions of this game cannot be read"))
    }

    /// What the seat has before it, as `ken know` and the commands of the game read it. Unless a game says it in its own
    /// way it is all that was seen.
    ///
    /// # Errors
    /// There is none yet, or this game has no text for it.
    fn position(&self, memory: &[Self::Sight]) -> Result<Value, Illegal> {
        seen::position(self, memory)
    }

    /// Whether the data, of a text that some game reads, is a position of this one.
    fn is_position(data: &Value) -> bool {
        data["game"] == Self::NAME
    }

    /// The same as a `.ken` model, in which `known(φ)` says that the seat knows φ.
    ///
    /// # Errors
    /// It is too large, or nothing fits, or this game has no models.
    fn model(&self, memory: &[Self::Sight]) -> Result<String, Refused> {
        let _ = memory;
        Err(Refused::Unfit(Illegal::new("positions of this game have no model")))
    }

    /// What the observer of a position knows, where positions can be read.
    ///
    /// # Errors
    /// Every problem in the text.
    fn placed(text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>> {
        Ok(Box::new(seen::Seen::<Self>::read(text)?))
    }

    /// What a machine player says before the deal of how it reads the moves of others and of what its own mean, a sentence
    /// each. It is the same for everybody: nothing that was seen is in it.
    fn says(&self, player: &str) -> Vec<String> {
        let _ = player;
        Vec::new()
    }

    /// What an inspector can be asked to assume beyond what was seen. Nothing unless a game says more.
    fn assumptions(&self) -> Vec<Assumption> {
        Vec::new()
    }

    /// The game of a seat whose inspector assumes what has this name in [`Face::assumptions`].
    ///
    /// # Errors
    /// There is nothing of this name to assume.
    fn assuming(&self, name: &str) -> Result<Self, Illegal> {
        Err(Illegal::new(format!("there is nothing `{name}` to assume in this game")))
    }

    /// Why somebody else did what an event of the memory shows, as far as the seat whose memory this is may know: a
    /// function of its own sights and of what the player announced. `player` is the machine that did it, none for a person.
    fn reason(&self, memory: &[Self::Sight], event: usize, player: Option<&str>, helper: u8) -> Option<Vec<String>> {
        let _ = (memory, event, player, helper);
        None
    }

    /// Why a machine player did what it did, for a match that is over: its reasons at each of its events, from its own
    /// sights and its own chance. Nothing if it gives none.
    fn recount(&self, player: &str, seed: u64, memory: &[Self::Sight]) -> Vec<(usize, Vec<String>)> {
        let _ = (player, seed, memory);
        Vec::new()
    }

    /// What the height of a timeline means.
    fn unit() -> &'static str {
        ""
    }

    /// A hint of this step, from 1.
    fn advice(&self, memory: &[Self::Sight], step: u8) -> Result<Advice, Problem> {
        let _ = (memory, step);
        Err(Problem::new("no-advice", "there is no advice in this game"))
    }

    /// What a player should see before an action counts. It is known to be legal, or open.
    fn preview(&self, memory: &[Self::Sight], action: &Self::Action, helper: u8) -> Preview {
        let _ = (memory, helper);
        Preview { read_as: Some(self.write(action)), ..Preview::default() }
    }

    // What follows is for a terminal, where everything is text.

    /// What can be typed in this game, a line each, indented by two columns.
    fn usage(&self) -> String {
        "  ACTION           one of those that `options` lists\n  \
           know FORMULA     whether you know it, if the game can tell  (--helper 3)\n  \
           why FACT         why you know it, if the game can tell      (--helper 3)"
            .to_string()
    }

    /// What is to be done now, in the few words of a prompt.
    fn prompt(&self, memory: &[Self::Sight]) -> String {
        told::prompt(&self.request(memory))
    }

    /// The text of an action where a short form of it was typed.
    fn expand(&self, typed: &str, legal: &[Self::Action]) -> String {
        let _ = legal;
        typed.to_string()
    }

    /// What the seat has, at a helper level: `you hold plum rope`.
    fn hand(&self, memory: &[Self::Sight], helper: u8) -> String {
        let _ = helper;
        told::hand(&self.own_things(memory))
    }

    /// The board as text at a helper level, in lines of at most 80 columns.
    fn sheet(&self, memory: &[Self::Sight], helper: u8) -> String {
        let _ = helper;
        told::sheet(self, memory)
    }

    /// The text of an open action that cannot be read; none for all other actions.
    fn unread(&self, action: &Self::Action) -> Option<Unread> {
        let _ = action;
        None
    }

    /// What a person should see before the action counts, if it deserves a second look.
    fn confirm(&self, memory: &[Self::Sight], action: &Self::Action, helper: u8) -> Option<String> {
        let _ = (memory, action, helper);
        None
    }

    /// Whether the seat knows a formula, as text.
    fn know(&self, me: Seat, memory: &[Self::Sight], formula: &str) -> Result<String, Problem> {
        told::why(self, me, memory, formula, told::know)
    }

    /// Why the seat knows a fact, or why not, as text.
    fn explain(&self, me: Seat, memory: &[Self::Sight], fact: &str) -> Result<String, Problem> {
        told::why(self, me, memory, fact, told::explain)
    }

    /// The last step of a hint, as text.
    fn advise(&self, memory: &[Self::Sight]) -> Result<String, Problem> {
        told::advise(self, memory)
    }
}
