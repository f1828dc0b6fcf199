//! What one seat knows at one moment: the engine of a game, and what an inspector shows of it.
//!
//! [`Mind`] is the one interface to every engine. A game whose worlds are [sets](super::Worlds) has it by
//! [`Knower`]; an engine that is made for one game has it by itself. [`Inspected`] says what is listed of a mind; how it
//! is asked along a chain of seats, since when something is known and why it is not is the same for all.

use super::fact::Fact;
use super::language::Language;
use super::proof::{Proof, Telling};
use super::seats::Seats;
use super::worlds::{Answer, Budget, Done, Knower, Other, Worlds};
use crate::game::{Notation, Seat, Verdict};
use crate::table::page::{Problem, Sentence, Why};
use ken_logic::syntax::Diagnostic;
use serde_json::{Map, Value};

/// The atoms of a mind.
pub type AtomOf<M> = <<M as Mind>::Language as Language>::Atom;

/// The facts of a mind.
pub type FactOf<M> = Fact<AtomOf<M>>;

/// What one seat knows at one moment.
pub trait Mind {
    /// How facts are read and said.
    type Language: Language;
    /// What may be hidden.
    type World: Clone + PartialEq;

    /// How facts are read and said here.
    fn language(&self) -> &Self::Language;

    /// Whose mind it is.
    fn seat(&self) -> Seat;

    /// What the seat knows of a fact.
    ///
    /// # Errors
    /// Nothing fits what was seen, or it takes more than the budget, or the fact cannot be asked here.
    fn ask(&mut self, fact: &FactOf<Self>, budget: &Budget) -> Done<Answer<Self::World>>;

    /// A world that the seat cannot tell from this one and in which the fact is false.
    ///
    /// # Errors
    /// As for [`Mind::ask`].
    fn other(
        &mut self,
        seat: Seat,
        world: &Self::World,
        fact: &FactOf<Self>,
        budget: &Budget,
    ) -> Done<Option<Self::World>>;

    /// How many worlds the seat considers possible, if that is counted.
    fn count(&mut self) -> Option<u128>;

    /// From a world where the fact is false over worlds that somebody cannot tell apart to one that shows why, where that
    /// way is at hand.
    fn trail(&mut self, fact: &FactOf<Self>, world: &Self::World) -> Vec<Other<AtomOf<Self>, Self::World>> {
        let _ = (fact, world);
        Vec::new()
    }

    /// The steps of work that were done so far, where they are counted.
    fn steps(&self) -> u64 {
        0
    }
}

/// A part of a world, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Whose or what: `seat 1`.
    pub name: String,
    /// What is there.
    pub value: String,
    /// Whether it is shown only where two worlds differ in it.
    pub minor: bool,
}

impl Part {
    /// A part that is always shown.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Part {
        Part { name: name.into(), value: value.into(), minor: false }
    }
}

/// A proof that has passed its checker, as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Proved {
    /// Sentence by sentence; they name events by their places in the memory.
    pub sentences: Vec<Sentence>,
    /// Claim, premises and steps as data.
    pub data: Value,
}

impl Proved {
    /// A proof of a game as it is shown.
    pub fn of<G: Telling>(proof: &Proof<G::Atom, G::Premise, G::Rule>, game: &G) -> Proved {
        Proved { sentences: proof.sentences(game), data: proof.data(game) }
    }
}

/// A fact that an inspector lists.
#[derive(Clone, Debug)]
pub struct Row<A> {
    /// The fact.
    pub fact: Fact<A>,
    /// What it is about: rows of one group stand together.
    pub group: String,
    /// Its words, if they are not those of the language.
    pub words: Option<String>,
    /// What the seat itself knows of it, and in which share of the worlds it is true, where that is at hand.
    pub own: Option<(Verdict, Option<f64>)>,
    /// Whether it makes the other rows of its group idle where it is known.
    pub alone: bool,
}

impl<A> Row<A> {
    /// A row of a group.
    pub fn new(fact: Fact<A>, group: impl Into<String>) -> Row<A> {
        Row { fact, group: group.into(), words: None, own: None, alone: false }
    }

    /// The same with what the seat itself knows of it.
    #[must_use]
    pub fn own(mut self, verdict: Verdict, share: Option<f64>) -> Row<A> {
        self.own = Some((verdict, share));
        self
    }
}

/// What an inspector shows of a mind.
pub trait Inspected: Mind + Sized {
    /// Whether the worlds of every answer are counted, so that rows can say how likely something is.
    const COUNTS: bool;

    /// The facts that are listed for a chain that begins with the seat, group by group.
    fn rows(&mut self, chain: &[Seat]) -> Vec<Row<AtomOf<Self>>>;

    /// The rows that say what the seat has found out: those that timelines mark.
    fn learned(&mut self) -> Vec<Row<AtomOf<Self>>> {
        let me = self.seat();
        self.rows(&[me])
    }

    /// What a reader must know: what the certainty rests on.
    fn note(&mut self, chain: &[Seat]) -> Option<String>;

    /// The parts of a world; always the same ones in the same order, but for those that are minor.
    fn parts(&self, world: &Self::World) -> Vec<Part>;

    /// A world as data.
    fn data(&self, world: &Self::World) -> Value {
        let part = |part: Part| (part.name, Value::String(part.value));
        Value::Object(self.parts(world).into_iter().map(part).collect())
    }

    /// A world in few words: what the seat itself does not see of it.
    fn brief(&self, world: &Self::World) -> Vec<Part> {
        self.parts(world)
    }

    /// A proof of something that the seat knows, or why there is none.
    fn prove(&mut self, fact: &FactOf<Self>, budget: &Budget) -> Result<Proved, String> {
        let _ = (fact, budget);
        Err("It was decided over all worlds that fit what was seen. There are no proofs in sentences for this game."
            .to_string())
    }

    /// Why nothing fits what was seen, or what else there is to say.
    fn clash(&self) -> Problem {
        Problem::new("nothing-fits", "nothing fits what you saw")
    }

    /// The same with all that can be said of it, for whoever asks about a position.
    fn contradiction(&mut self, budget: &Budget) -> Problem {
        let _ = budget;
        self.clash()
    }

    /// What the answers are relative to, as data: beside the results.
    fn relative(&mut self) -> Map<String, Value> {
        Map::new()
    }

    /// Relies on less from now on, where something takes too long or nothing fits: a note about it. What the seat knows
    /// then it knows in any case.
    fn rely_on_less(&mut self) -> Option<&'static str> {
        None
    }

    /// Reads what was typed: a formula, or what else stands for one in this game.
    ///
    /// # Errors
    /// Every problem in it.
    fn read(&self, text: &str) -> Result<FactOf<Self>, Vec<Diagnostic>> {
        super::read(self.language(), text)
    }

    /// Whether two atoms are about the same thing, so that a question about one leaves the row of the other.
    fn related(&self, a: &AtomOf<Self>, b: &AtomOf<Self>) -> bool {
        a == b
    }

    /// Whether the fact speaks of something that moves change, such as the next card.
    fn changes(&self, fact: &FactOf<Self>) -> bool {
        let _ = fact;
        false
    }

    /// Whether the fact is the same at an earlier moment, and not only written the same.
    fn is_same_at(&self, earlier: &Self, fact: &FactOf<Self>) -> bool {
        let _ = (earlier, fact);
        true
    }

    /// An answer that is no matter of worlds, for a text that is no fact here.
    fn aside(&mut self, chain: &[Seat], text: &str) -> Option<Why> {
        let _ = (chain, text);
        None
    }

    /// Two worlds that differ little, one in which the fact is true and one in which it is false, if such are at hand.
    fn near(&mut self, fact: &FactOf<Self>) -> Option<(Self::World, Self::World)> {
        let _ = fact;
        None
    }

    /// How likely a fact is for the seat itself, where that is found without counting the worlds of the answer.
    fn chance(&mut self, fact: &FactOf<Self>) -> Option<f64> {
        let _ = fact;
        None
    }

    /// What is known of a fact without a look at the worlds, where that is quick and the same for the whole chain.
    fn shortcut(&self, chain: &[Seat], fact: &FactOf<Self>) -> Option<Verdict> {
        let _ = (chain, fact);
        None
    }

    /// Log₂ of the number of worlds.
    fn bits(&mut self) -> Option<f64> {
        self.count().filter(|&n| n > 0).map(|n| (n as f64).log2())
    }

    /// How many worlds there are, as it is shown.
    fn amount(&mut self) -> Option<String> {
        self.count().map(ken_logic::text::grouped)
    }
}

/// A game whose seats have minds that can be inspected.
pub trait Remembers: Notation {
    /// What a seat knows.
    type Mind: Inspected;

    /// The mind of the seat whose sights these are.
    fn mind(&self, memory: &[Self::Sight]) -> Self::Mind;
}

/// What is shown of worlds that are sets: with it the [`Knower`] of a game can be inspected.
pub trait Shown: Worlds {
    /// The facts that are listed, group by group.
    fn rows(&self) -> Vec<Row<Self::Atom>>;

    /// What a reader must know.
    fn note(&self) -> Option<String> {
        None
    }

    /// The parts of a world, always the same ones in the same order.
    fn parts(&self, world: &Self::World) -> Vec<Part>;
}

impl<W: Shown> Inspected for Knower<W>
where
    W::World: PartialEq,
{
    const COUNTS: bool = true;

    fn rows(&mut self, _: &[Seat]) -> Vec<Row<W::Atom>> {
        self.peek().rows()
    }

    fn note(&mut self, _: &[Seat]) -> Option<String> {
        self.peek().note()
    }

    fn parts(&self, world: &W::World) -> Vec<Part> {
        self.peek().parts(world)
    }
}

impl<W: Worlds> Mind for Knower<W>
where
    W::World: PartialEq,
{
    type Language = W::Language;
    type World = W::World;

    fn language(&self) -> &W::Language {
        self.peek().language()
    }

    fn seat(&self) -> Seat {
        self.peek().seat()
    }

    fn ask(&mut self, fact: &Fact<W::Atom>, budget: &Budget) -> Done<Answer<W::World>> {
        self.within(budget, |this| Knower::ask(this, fact))
    }

    fn other(&mut self, seat: Seat, world: &W::World, fact: &Fact<W::Atom>, budget: &Budget) -> Done<Option<W::World>> {
        self.within(budget, |this| this.other_where_false(Seats::of(seat), world, fact))
    }

    fn count(&mut self) -> Option<u128> {
        Some(Knower::count(self))
    }

    fn trail(&mut self, fact: &Fact<W::Atom>, world: &W::World) -> Vec<Other<W::Atom, W::World>> {
        Knower::trail(self, fact, world).unwrap_or_default()
    }
}
