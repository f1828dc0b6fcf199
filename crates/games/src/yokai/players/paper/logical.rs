//! The paper's player by the logic: a belief base, revised at every action, and entailments asked of a SAT solver.
//!
//! At every action, of its own or of the partner, the base is updated and revised by what the player perceives (section
//! 5.2, [`Logical::perceived`]). What the partner is believed to believe is opaque to the solver, as in the paper, which
//! leaves the partner's rules out: an old belief of the partner stays in the base beside a newer one.

use super::super::Basis;
use super::axioms::{NEXT, NOW, Words, cards};
use super::{Beliefs, Goal};
use crate::cards::{Card, CardSet};
use crate::game::Seat;
use crate::yokai::colour::{CARDS, Colour, Colours, Hint};
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, SeenAct, Sight, Stage};
use ken_logic::belief::{Alpha, Base, Formula, Reasoner, Reviser};
use serde_json::json;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Why something was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Whether the precondition of the goal is excluded.
    Excluded(Goal),
    /// Whether the goal is believed as things are.
    Believed(Goal),
    /// Whether what the action teaches is impossible; of a look, with this colour as its outcome.
    Impossible(Action, Option<Colour>),
    /// Whether the action is executable.
    Executable(Action),
    /// Whether the goal is believed after the action; of a look, with this colour as its outcome.
    Reached(Action, Option<Colour>, Goal),
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Excluded(goal) => write!(f, "I[m] !P({goal})"),
            Ask::Believed(goal) => write!(f, "I[m] {goal}"),
            Ask::Impossible(action, colour) => write!(f, "I[m] !{}", Learned(action, *colour)),
            Ask::Executable(action) => write!(f, "P(+{})", Learned(action, None)),
            Ask::Reached(action, colour, goal) => write!(f, "[+ {}] I[m] {goal}", Learned(action, *colour)),
        }
    }
}

/// What an action teaches, in short.
struct Learned<'a>(&'a Action, Option<Colour>);

impl fmt::Display for Learned<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Action::Look(x), Some(c)) => write!(f, "col({},{c})", x.0 + 1),
            (Action::Look(x), None) => write!(f, "col({})", x.0 + 1),
            (Action::Move(x, to), _) => write!(f, "pos({},{to})", x.0 + 1),
            (Action::Mark(x, h), _) => write!(f, "mark({},{h})", x.0 + 1),
            (Action::Activate, _) => f.write_str("active"),
            (Action::Skip | Action::Stop, _) => f.write_str("true"),
        }
    }
}

/// A question and the solver's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The question in short; it prints with names for the long formulas.
    pub ask: Ask,
    /// The formula of which it was asked whether the base entails it; see [`Logical::show`].
    pub formula: Formula,
    /// The answer.
    pub follows: bool,
}

/// What the player believes, as a belief base.
pub struct Logical {
    me: Seat,
    stage: Stage,
    pub(super) words: Words,
    reviser: Reviser,
    /// Solvers for questions about the present, and about what the next action brings: made when something is asked, for
    /// the base as it is then. Its formulas are fixed there, so that the solver works out what they settle only once.
    present: Option<Reasoner>,
    planner: Option<Reasoner>,
    /// Whether an action with an outcome is possible, as far as it was asked.
    possible: HashMap<(Action, Option<Colour>), bool>,
    asked: Vec<Asked>,
    /// All that the solvers were asked for the last action, with the answers.
    log: Vec<(Formula, bool)>,
}

impl Default for Logical {
    fn default() -> Logical {
        Logical::at(&Position::start(Seat(0)))
    }
}

impl Logical {
    /// The beliefs of one who has this before it. A mark of which the hint is not known excludes nothing.
    pub fn at(position: &Position) -> Logical {
        let Position { me, stage, .. } = position;
        let mut words = Words::new(stage.layout());
        let base =
            Base { core: words.present().to_vec(), hypothetical: words.hypotheses(), factual: words.facts(position) };
        let mut reviser = Reviser::new(&words.store, &base);
        // What was seen may speak against a mark already.
        reviser.revise(&words.store, &[]);
        let (present, planner, possible, asked, log) = Default::default();
        Logical { me: *me, stage: stage.clone(), words, reviser, present, planner, possible, asked, log }
    }

    /// The questions that were asked for the last action, with their answers.
    pub fn asked(&self) -> &[Asked] {
        &self.asked
    }

    /// The formula in full. Time 0 is the present, time 1 is after the action.
    pub fn show(&self, asked: &Asked) -> String {
        self.words.store.show(asked.formula)
    }

    /// The base: the core is that of the present; the axioms for the next time join it when an action is weighed.
    pub fn base(&self) -> Base {
        Base {
            core: self.words.present().to_vec(),
            hypothetical: self.reviser.hypothetical().to_vec(),
            factual: self.reviser.factual().to_vec(),
        }
    }

    /// What is learned by an action at a time, as a set of formulas: +col, +pos, +actHint, +markHint of section 5.2. When
    /// the partner looks at a card, it is that the partner knows its colour: the disjunction of △ₕ`col(x,c)`.
    pub(super) fn perceived(&mut self, act: &SeenAct, time: u32) -> Vec<Alpha> {
        let public = |words: &mut Words, fact: Alpha| {
            let (machine, human) = (words.store.machine(fact), words.store.human(time, fact));
            vec![fact, machine, human]
        };
        let words = &mut self.words;
        let mut learned = match *act {
            SeenAct::Looked { card, colour: Some(colour) } => {
                let looked = words.looked(card, time);
                let human = words.store.human(time, looked);
                vec![words.col(card, colour, time), words.saw(card, colour, time), human]
            }
            SeenAct::Looked { card, colour: None } => vec![words.partner_looked(card)],
            SeenAct::Moved { card, to } => {
                let place = words.place(to);
                let pos = words.pos(card, place, time);
                public(words, pos)
            }
            SeenAct::Activated(hint) => {
                let active = words.active(hint, time);
                public(words, active)
            }
            SeenAct::Marked { card, hint } => {
                let mark = words.mark(card, hint, time);
                public(words, mark)
            }
            SeenAct::Skipped | SeenAct::Stopped => Vec::new(),
        };
        let now = words.store.now(time);
        learned.push(words.store.human(time, now));
        learned
    }

    /// Update and revision.
    fn learn(&mut self, act: &SeenAct) {
        let input = self.perceived(act, NOW);
        self.reviser.revise(&self.words.store, &input);
        if let SeenAct::Moved { .. } = act {
            self.words.lay(self.stage.layout());
            let base = self.base();
            self.reviser = Reviser::new(&self.words.store, &base);
        }
        (self.present, self.planner) = (None, None);
        self.possible.clear();
    }

    /// Whether the base entails a formula about the present.
    pub(super) fn entails(&mut self, formula: Formula) -> bool {
        let mut present = self.present.take().unwrap_or_else(|| fixed(self.base(), &[]));
        let follows = present.entails(&mut self.words.store, formula);
        self.present = Some(present);
        self.log.push((formula, follows));
        follows
    }

    /// Whether the base entails a formula about what the next action brings.
    pub(super) fn foresees(&mut self, formula: Formula) -> bool {
        let mut planner = self.planner.take().unwrap_or_else(|| {
            let base = self.base();
            fixed(base, self.words.future())
        });
        let follows = planner.entails(&mut self.words.store, formula);
        self.planner = Some(planner);
        self.log.push((formula, follows));
        follows
    }

    fn believes(&mut self, alpha: Alpha) -> bool {
        let formula = self.words.store.implicit(alpha);
        self.entails(formula)
    }

    fn ask(&mut self, ask: Ask, formula: Formula) -> bool {
        let follows = match ask {
            Ask::Excluded(_) | Ask::Believed(_) | Ask::Executable(_) => self.entails(formula),
            Ask::Impossible(..) | Ask::Reached(..) => self.foresees(formula),
        };
        self.asked.push(Asked { ask, formula, follows });
        follows
    }

    /// No hint marks the card.
    pub(super) fn bare(&mut self, x: Card) -> Alpha {
        let words = &mut self.words;
        let not = Colours::HINTS.map(|h| {
            let mark = words.mark(x, h, NOW);
            words.store.not(mark)
        });
        words.store.and_all(not)
    }

    /// The precondition of an action, the clock and *legMov* apart: those are the repertoire's.
    pub(super) fn executable(&mut self, action: &Action) -> Formula {
        match *action {
            Action::Look(x) | Action::Move(x, _) => {
                let bare = self.bare(x);
                self.words.store.implicit(bare)
            }
            Action::Mark(x, hint) => {
                let words = &mut self.words;
                let active = words.active(hint, NOW);
                let active = words.store.implicit(active);
                // ⋁ I[m] col, written with ! and &.
                let mut none = None;
                for c in hint.iter() {
                    let col = words.col(x, c, NOW);
                    let believed = words.store.implicit(col);
                    let not = words.store.negate(believed);
                    none = Some(none.map_or(not, |none| words.store.both(none, not)));
                }
                let some = words.store.negate(none.expect("a hint has a colour"));
                let others: Vec<Alpha> = Colours::HINTS
                    .into_iter()
                    .filter(|&h| h != hint)
                    .map(|h| {
                        let mark = words.mark(x, h, NOW);
                        words.store.not(mark)
                    })
                    .collect();
                let bare = words.store.and_all(others);
                let bare = words.store.implicit(bare);
                let both = words.store.both(active, some);
                words.store.both(both, bare)
            }
            Action::Activate | Action::Skip | Action::Stop => {
                let verum = self.words.store.verum();
                self.words.store.plain(verum)
            }
        }
    }

    /// What the action teaches with this outcome.
    pub(super) fn lesson(&mut self, action: &Action, colour: Option<Colour>) -> Option<Alpha> {
        let act = match *action {
            Action::Look(card) => SeenAct::Looked { card, colour },
            Action::Move(card, to) => SeenAct::Moved { card, to },
            Action::Mark(card, hint) => SeenAct::Marked { card, hint },
            Action::Activate | Action::Skip | Action::Stop => return None,
        };
        let learned = self.perceived(&act, NEXT);
        Some(self.words.store.and_all(learned))
    }

    /// Whether the base and the lesson are consistent. That does not depend on the goal: it is asked once.
    pub(super) fn possible(&mut self, action: &Action, colour: Option<Colour>, lesson: Alpha) -> bool {
        if let Some(&possible) = self.possible.get(&(*action, colour)) {
            return possible;
        }
        let store = &mut self.words.store;
        let now = store.now(NEXT);
        let then = store.and(lesson, now);
        let never = store.not(then);
        let never = store.implicit(never);
        let possible = !self.ask(Ask::Impossible(*action, colour), never);
        self.possible.insert((*action, colour), possible);
        possible
    }

    /// Whether the goal is believed after the action with this outcome; `None` if the outcome is not possible.
    fn reaches(&mut self, action: &Action, colour: Option<Colour>, goal: &Goal, aim: Alpha) -> Option<bool> {
        let lesson = self.lesson(action, colour)?;
        if !self.possible(action, colour, lesson) {
            return None;
        }
        let believed = self.words.store.implicit(aim);
        let after = self.words.store.after(lesson, NEXT, believed);
        Some(self.ask(Ask::Reached(*action, colour, *goal), after))
    }

    /// Definition 7, as repaired: a plan counts only if it is consistent with the base, which is asked first. A look
    /// must reach the goal whatever colour it may show.
    pub(super) fn solves(&mut self, action: &Action, goal: &Goal, aim: Alpha) -> bool {
        let outcomes: &[Option<Colour>] = match action {
            Action::Look(_) => &Colour::ALL.map(Some),
            Action::Move(..) | Action::Mark(..) | Action::Activate | Action::Skip | Action::Stop => &[None],
        };
        let mut possible = false;
        for &colour in outcomes {
            match self.reaches(action, colour, goal, aim) {
                None => {}
                Some(true) => possible = true,
                Some(false) => return false,
            }
        }
        let executable = self.executable(action);
        possible && self.ask(Ask::Executable(*action), executable)
    }
}

/// A solver with these formulas for good.
fn fixed(base: Base, axioms: &[Alpha]) -> Reasoner {
    let mut reasoner = Reasoner::new();
    let Base { core, hypothetical, factual } = base;
    let all = [&factual[..], &hypothetical, &core, axioms].into_iter().flatten();
    all.for_each(|&alpha| reasoner.fix(alpha));
    reasoner
}

/// Whether the action is of the kind that the goal is about: others are not worth a question. The dynamic generation of
/// actions of the paper's conclusion, one step further.
fn concerns(goal: &Goal, action: &Action) -> bool {
    match (*goal, *action) {
        (Goal::LookAround(_), Action::Look(_)) => true,
        (Goal::LookUnknown(card) | Goal::LookAny(card), Action::Look(x)) => x == card,
        (Goal::Group(cards, _), Action::Move(x, _)) => cards.has(x),
        (Goal::MoveAny(card), Action::Move(x, _)) => x == card,
        (Goal::MarkUnknown(card, hint) | Goal::MarkAny(card, hint), Action::Mark(x, h)) => (x, h) == (card, hint),
        _ => false,
    }
}

impl Beliefs for Logical {
    fn watch(&mut self, sight: &Sight) {
        match sight {
            Sight::Dealt { me } => *self = Logical::at(&Position::start(*me)),
            Sight::Done { seat, act, .. } => {
                self.stage.follow(sight);
                // A look of its own without a colour is one that it has forgotten.
                if *seat != self.me || !matches!(act, SeenAct::Looked { colour: None, .. }) {
                    self.learn(act);
                }
            }
        }
    }

    fn place(&mut self, position: &Position) {
        *self = Logical::at(position);
    }

    fn account(&self) -> Vec<(String, bool)> {
        self.asked.iter().map(|asked| (asked.ask.to_string(), asked.follows)).collect()
    }

    fn basis(&mut self) -> Option<Basis> {
        let base = self.base();
        let axioms = self.words.future().to_vec();
        let store = &self.words.store;
        let texts = |all: &[Alpha]| all.iter().map(|&alpha| store.show_basic(alpha)).collect::<Vec<_>>();
        let core = texts(&[base.core, axioms].concat());
        let base = json!({"core": core, "hypothetical": texts(&base.hypothetical), "factual": texts(&base.factual)});
        let mut met = HashSet::new();
        let asked = self.log.iter().filter(|(formula, _)| met.insert(*formula));
        Some(Basis { base, questions: asked.map(|&(formula, follows)| (store.show(formula), follows)).collect() })
    }

    fn begin(&mut self) {
        self.asked.clear();
        self.log.clear();
    }

    fn seen(&mut self, colour: Colour) -> CardSet {
        let held = |x: &Card| {
            let saw = self.words.saw(*x, colour, NOW);
            self.reviser.holds(saw)
        };
        cards().filter(held).collect()
    }

    fn known(&mut self, colour: Colour) -> CardSet {
        let believed = |x: &Card| {
            let col = self.words.col(*x, colour, NOW);
            self.believes(col)
        };
        cards().filter(believed).collect()
    }

    fn marked_with(&mut self, colour: Colour) -> CardSet {
        let seen = Colour::ALL.into_iter().fold(CardSet::EMPTY, |all, c| all.or(self.seen(c)));
        let mut trusted = CardSet::EMPTY;
        for x in CardSet::first(CARDS).minus(seen).iter() {
            for hint in Colours::HINTS.into_iter().filter(|h| h.has(colour)) {
                let mark = self.words.mark(x, hint, NOW);
                if !self.reviser.holds(mark) {
                    continue;
                }
                let mut all = vec![mark];
                for c in Colours::ALL.minus(hint).iter() {
                    let col = self.words.col(x, c, NOW);
                    all.push(self.words.store.not(col));
                }
                let all = self.words.store.and_all(all);
                if self.believes(all) {
                    trusted = trusted.with(x);
                }
            }
        }
        trusted
    }

    fn unmarked(&mut self) -> CardSet {
        let bare = |x: &Card| {
            let bare = self.bare(*x);
            self.believes(bare)
        };
        cards().filter(bare).collect()
    }

    fn active(&mut self) -> Vec<Hint> {
        let active = |h: &Hint| {
            let active = self.words.active(*h, NOW);
            self.believes(active)
        };
        Colours::HINTS.into_iter().filter(active).collect()
    }

    fn believes_grouped(&mut self) -> bool {
        let grouped = self.words.goal(&Goal::Grouped);
        let formula = self.words.store.implicit(grouped);
        self.ask(Ask::Believed(Goal::Grouped), formula)
    }

    fn attainable(&mut self, goal: &Goal) -> bool {
        let precondition = self.words.precondition(goal);
        let not = self.words.store.not(precondition);
        let formula = self.words.store.implicit(not);
        !self.ask(Ask::Excluded(*goal), formula)
    }

    fn plans(&mut self, goal: &Goal, repertoire: &[Action]) -> Vec<Action> {
        let aim = self.words.goal(goal);
        repertoire.iter().copied().filter(|action| concerns(goal, action) && self.solves(action, goal, aim)).collect()
    }
}
