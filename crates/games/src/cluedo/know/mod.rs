//! Nested knowledge: what the observer knows about what others know, to any depth, endmoves included.
//!
//! A *world* is a deal and a choice of the card that was shown each time. The public history (who asked what, who passed,
//! who showed) leaves a set of worlds. A seat's *view* of a world is its hand, the cards shown to it and by it, and the
//! envelope if it accused wrongly; `K[j] φ` holds in a world when φ holds in all worlds where j's view is the same. An
//! *endmove* announces that its maker does not know the envelope: it removes the worlds where the maker's view at that
//! time settles the envelope, judged in the model of that time, the earlier endmoves already announced.
//!
//! | file | one line |
//! |---|---|
//! | `nodes` | facts in the form that the engines evaluate |
//! | `model` | the public history as models, and what a seat sees of a world |
//! | `find` | a world in a region |
//! | `lazy` | knowledge by finding worlds one at a time |
//! | `alike` | why somebody does not know, in few words |
//! | `admit` | which single deals survive the endmoves |
//! | `law` | deals and shows as a Boolean function |
//! | `symbolic` | knowledge by decision diagrams |
//! | `deals` | counting deals where endmoves have removed some |

mod admit;
mod alike;
mod deals;
mod find;
mod law;
mod lazy;
mod model;
mod nodes;
mod symbolic;

pub use admit::Survivors;
pub use deals::Solved;

use super::atoms::Fact;
use super::position::{Position, World};
use crate::knowledge::{Answer, Budget, Refused};
use find::{Literal, Region};
use ken_logic::bdd::{Capacity, Full};
use lazy::{Goal, Lazy};
use model::{History, Point};
use symbolic::Symbolic;

/// How a question is answered. All ways give the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// As it seems fastest.
    #[default]
    Best,
    /// By finding worlds one at a time.
    Lazy,
    /// By decision diagrams.
    Symbolic,
}

/// A world where the formula is true, and one where it is false, if there are any.
type Sides = [Option<Point>; 2];

/// Answers questions about one position; what it finds out on the way it keeps for the next question.
#[derive(Clone, Debug)]
pub struct Knower {
    position: Position,
    engine: Engine,
    lazy: Lazy,
    prepared: bool,
    /// How often it looked harder for ends of turns that tell nothing.
    looked: usize,
    symbolic: Option<Symbolic>,
    first: Option<Point>,
    exclusions: Option<Vec<Vec<Literal>>>,
}

/// Which engine tries for how many steps, one after the other until there is an answer, by the number of seats: with few
/// seats the hands are large and there are many worlds that look the same, with many seats the diagrams are large.
fn turns(seats: u8) -> &'static [(Engine, u64)] {
    match seats {
        0..=2 => &[
            (Engine::Lazy, 45_000),
            (Engine::Symbolic, 700_000),
            (Engine::Lazy, 700_000),
            (Engine::Symbolic, u64::MAX),
        ],
        3 => &[(Engine::Lazy, 45_000), (Engine::Symbolic, u64::MAX)],
        4 => &[(Engine::Lazy, 80_000), (Engine::Symbolic, u64::MAX)],
        5 => &[(Engine::Lazy, 1_000_000), (Engine::Symbolic, u64::MAX)],
        _ => &[(Engine::Lazy, 2_000_000), (Engine::Symbolic, u64::MAX)],
    }
}

/// Steps spent on seeing that an end of turn tells nothing, before anything is asked.
const IDLE: u64 = 200;

/// Steps of the search for worlds before more are spent on that, and how many then.
const HARDER: [(u64, u64); 2] = [(3_000, 5_000), (40_000, 60_000)];

/// The largest decision diagram that counting may need: half a gigabyte.
const MOST_NODES: u32 = 1 << 24;

impl Knower {
    /// Somebody to ask about the position.
    pub fn new(position: &Position) -> Knower {
        Knower::with(position, Engine::Best)
    }

    /// The same with a certain engine.
    pub fn with(position: &Position, engine: Engine) -> Knower {
        Knower {
            position: position.clone(),
            engine,
            lazy: Lazy::new(History::of(position)),
            prepared: false,
            looked: 0,
            symbolic: None,
            first: None,
            exclusions: None,
        }
    }

    /// The steps spent so far.
    pub fn steps(&self) -> u64 {
        self.lazy.steps
    }

    /// How it answers.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether some world fits all that the observer saw, ends of turns included: [`Refused::NoWorld`] if none does.
    ///
    /// This is the one place where it is decided whether a position can be; counting, asking, proving and ranking rely
    /// on it.
    pub fn possible(&mut self, budget: &Budget) -> Result<(), Refused> {
        if self.first.is_none() {
            self.first = self.sides(&Fact::Const(true), budget)?.into_iter().flatten().next();
        }
        self.first.as_ref().map(|_| ()).ok_or(Refused::NoWorld)
    }

    /// Whether the observer knows the fact.
    pub fn ask(&mut self, fact: &Fact, budget: &Budget) -> Result<Answer<World>, Refused> {
        let sides = self.sides(fact, budget)?;
        let [witness, counterexample] = sides.map(|point| point.map(|p| self.lazy.history.world(&p)));
        Answer::of(witness, counterexample)
    }

    fn sides(&mut self, fact: &Fact, budget: &Budget) -> Result<Sides, Refused> {
        let node = self.lazy.nodes.read(&self.position, fact)?;
        let limit = self.lazy.steps.saturating_add(budget.steps);
        self.lazy.limit = limit;
        self.prepare()?;
        match self.engine {
            // Whole sets of worlds are needed to follow who cannot tell which apart, again and again.
            _ if self.lazy.nodes.needs_sets(node) => self.symbolically(node, limit),
            Engine::Symbolic => self.symbolically(node, limit),
            Engine::Lazy => self.patiently(node, limit, limit),
            Engine::Best => {
                let mut answer = Err(Refused::Limit);
                for &(engine, steps) in turns(self.position.seats()) {
                    let end = self.lazy.steps.saturating_add(steps).min(limit);
                    answer = match engine {
                        Engine::Symbolic => self.symbolically(node, end),
                        Engine::Lazy | Engine::Best => self.patiently(node, end, limit),
                    };
                    if !matches!(answer, Err(Refused::Limit)) || end == limit {
                        break;
                    }
                }
                answer
            }
        }
    }

    /// Searches for worlds; the longer that takes, the harder it looks for ends of turns that tell nothing.
    fn patiently(&mut self, node: u32, limit: u64, all: u64) -> Result<Sides, Refused> {
        while let Some(&(soon, harder)) = HARDER.get(self.looked) {
            let little = self.lazy.steps.saturating_add(soon);
            if little >= limit {
                break;
            }
            match self.lazily(node, little) {
                Err(Refused::Limit) => {}
                done => return done,
            }
            self.lazy.limit = all;
            self.lazy.forget_idle_endmoves(harder)?;
            self.looked += 1;
        }
        self.lazily(node, limit)
    }

    fn lazily(&mut self, node: u32, limit: u64) -> Result<Sides, Refused> {
        self.lazy.limit = limit;
        let first = self.first()?;
        let mut why = Vec::new();
        let value = self.lazy.evaluate(node, &first, &mut why)?;
        let other = self.find(Some(&why), Goal::Value(node, !value))?;
        Ok(if value { [Some(first), other] } else { [other, Some(first)] })
    }

    fn symbolically(&mut self, node: u32, limit: u64) -> Result<Sides, Refused> {
        let Lazy { history, nodes, steps, .. } = &mut self.lazy;
        symbolic::ask(&mut self.symbolic, history, nodes, node, steps, limit)
    }

    /// Whether the endmoves exclude a world that fits everything else the observer saw. If not, the deals are those of
    /// [`Constraints`](super::position::Constraints).
    pub fn endmoves_tell(&mut self, budget: &Budget) -> Result<bool, Refused> {
        self.possible(budget)?;
        self.lazy.limit = self.lazy.steps.saturating_add(budget.steps);
        if self.exclusions.is_none() {
            let region = self.seen();
            self.exclusions = Some(self.lazy.exclusions(&region)?);
        }
        Ok(self.exclusions.as_ref().is_some_and(|e| !e.is_empty()))
    }

    /// Counts the deals that the observer considers possible, endmoves included.
    pub fn deals(&mut self, budget: &Budget) -> Result<Solved, Refused> {
        self.endmoves_tell(budget)?;
        let exclusions = self.exclusions.as_deref().unwrap_or_default();
        let history = &self.lazy.history;
        let mut region = self.seen();
        // Finding a world makes the region say all that follows about it.
        history.find(history.now(), &mut region, &mut 0).ok_or(Refused::NoWorld)?;
        let never = &history.moments[history.now()].never;
        let mut capacity = Capacity::default();
        loop {
            match deals::count(&history.table, &region, never, exclusions, capacity) {
                Ok(solved) => return Ok(solved),
                Err(Full) => capacity = capacity.grown().filter(|c| c.nodes() <= MOST_NODES).ok_or(Refused::Limit)?,
            }
        }
    }

    /// All that fits what the observer saw, endmoves left out.
    fn seen(&self) -> Region {
        let history = &self.lazy.history;
        history.region_with(history.now(), history.seen.iter().copied())
    }

    /// Leaves out what tells nothing.
    fn prepare(&mut self) -> Result<(), Refused> {
        if !self.prepared {
            self.lazy.forget_idle_endmoves(IDLE)?;
            self.prepared = true;
        }
        Ok(())
    }

    /// A world that the observer considers possible.
    fn first(&mut self) -> Result<Point, Refused> {
        self.prepare()?;
        if self.first.is_none() {
            self.first = self.find(None, Goal::Any)?;
        }
        self.first.clone().ok_or(Refused::NoWorld)
    }

    /// A world that the observer considers possible, reaches the goal, and does not share all the literals.
    fn find(&mut self, without: Option<&[Literal]>, goal: Goal) -> Result<Option<Point>, Refused> {
        let mut open = Vec::new();
        match without {
            Some(literals) => self.seen().split(literals, &self.lazy.classes(self.lazy.history.now(), goal), &mut open),
            None => open.push(self.seen()),
        }
        self.lazy.search(self.lazy.history.now(), open, goal)
    }
}
