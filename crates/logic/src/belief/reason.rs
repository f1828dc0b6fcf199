//! What follows from a base: one incremental reduction to SAT.
//!
//! Σ ⊨ φ (section 3.2): φ holds in every model whose context satisfies all of Σ; by Theorem 3 iff `I[m] σ`, for every
//! σ of Σ, give φ. φ is satisfiable iff `!φ` is not valid, valid iff it follows from nothing.
//!
//! The reduction. A model of a formula of L needs the actual state and, for each `I[m] α` that is to be false, one
//! alternative in which α is false. An alternative satisfies everything in the machine's base, everything believed
//! implicitly, and every premise. So there is one world for each occurrence of `I[m]` that is to be false, nothing for
//! those that are to be true, and no accessibility between worlds: the size is that of the formula times the number of
//! its negative `I[m]`, for a query of one belief from a base that of the base. Conditions 1 to 3 of Definition 1 are
//! clauses of *every* world, the actual one included (the printed reduction leaves that out and calls `!now>=0`
//! satisfiable), and `now>=t` at the actual state is in the base, so it holds in every alternative.
//!
//! The worlds stay from query to query; premises are assumptions, so the solver names those that it used.

use super::language::{Alpha, Basic, Formula, Node, Store};
use super::model::{Model, State};
use super::rotate::{Kind, Rotation, Turns};
use super::sat::{Atoms, Sat, World};
use crate::stop;
use batsat::Lit;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Why something follows, or a model in which it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entailment {
    /// It follows from these premises, and from no proper subset of them together with the core.
    Follows {
        /// The premises.
        premises: Vec<Alpha>,
    },
    /// It does not: a model that satisfies the premises and not the formula.
    Fails {
        /// The model.
        model: Model,
    },
}

impl Entailment {
    /// Whether it follows.
    pub fn follows(&self) -> bool {
        matches!(self, Entailment::Follows { .. })
    }
}

/// The atoms of a state with its clock.
#[derive(Default)]
struct Clocked {
    times: BTreeMap<u32, Lit>,
    /// Timed formulas and beliefs `B[m] α`, the clock's apart.
    seen: Vec<(Alpha, Lit)>,
    /// The clock's times in the order in which they came.
    order: Vec<u32>,
}

impl Clocked {
    /// The literal of `now>=t`, between its neighbours (conditions 1 and 2).
    fn now(&mut self, sat: &mut Sat, t: u32) -> Lit {
        if t == 0 {
            return sat.top();
        }
        if let Some(&lit) = self.times.get(&t) {
            return lit;
        }
        let lit = sat.fresh();
        if let Some((_, &before)) = self.times.range(..t).next_back() {
            sat.clause(&[!lit, before]);
        }
        if let Some((_, &after)) = self.times.range(t..).next() {
            sat.clause(&[!after, lit]);
        }
        self.times.insert(t, lit);
        self.order.push(t);
        lit
    }
}

impl Clocked {
    /// The time of which the atom speaks, if it is one of the clock's.
    fn time(store: &Store, basic: Basic) -> Option<u32> {
        match basic {
            Basic::Now(t) => Some(t),
            // Condition 3: the base has the clock's formulas that are true.
            Basic::Machine(held) => match store.basic(held) {
                Basic::Now(t) => Some(t),
                Basic::Atom(..) | Basic::Human(..) | Basic::Not(_) | Basic::And(..) | Basic::Machine(_) => None,
            },
            Basic::Atom(..) | Basic::Human(..) | Basic::Not(_) | Basic::And(..) => None,
        }
    }
}

impl Atoms for Clocked {
    fn atom(&mut self, sat: &mut Sat, store: &Store, alpha: Alpha, basic: Basic) -> Lit {
        match Clocked::time(store, basic) {
            Some(t) => self.now(sat, t),
            None => {
                let lit = sat.fresh();
                self.seen.push((alpha, lit));
                lit
            }
        }
    }
}

#[derive(Default)]
struct Place {
    world: World,
    atoms: Clocked,
}

impl Place {
    fn lit(&mut self, sat: &mut Sat, store: &Store, alpha: Alpha) -> Lit {
        self.world.lit(sat, store, &mut self.atoms, alpha)
    }

    fn assert(&mut self, sat: &mut Sat, store: &Store, given: &[Lit], alpha: Alpha) {
        self.world.assert(sat, store, &mut self.atoms, given, alpha);
    }

    /// The value of an atom in the solver's model. The clock is not changed on its own.
    fn value(&self, sat: &Sat, store: &Store, atom: Alpha) -> (bool, Turns) {
        let (value, turns) = sat.atom(self.world.known(atom));
        (value, if Clocked::time(store, store.basic(atom)).is_some() { Turns::Never } else { turns })
    }

    /// The state in the solver's model.
    fn state(&self, sat: &Sat, store: &Store) -> State {
        let time = self.atoms.times.iter().rev().find(|(_, lit)| sat.holds(**lit)).map_or(0, |(&t, _)| t);
        let mut state = State { time, ..State::default() };
        for &(alpha, _) in self.atoms.seen.iter().filter(|(_, lit)| sat.holds(*lit)) {
            match store.basic(alpha) {
                Basic::Machine(held) => state.beliefs.insert(held),
                Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Not(_) | Basic::And(..) => {
                    state.facts.insert(alpha)
                }
            };
        }
        state
    }
}

/// A world that an `I[m]` may use to be false.
struct Alternative {
    place: Place,
    exists: Lit,
    /// What the present question wants to be false here.
    denied: Option<Alpha>,
    /// How much of the core, of what may be believed implicitly, of the actual base and of its clock is loaded.
    core: usize,
    boxes: usize,
    beliefs: usize,
    times: usize,
}

/// Answers questions about a base of premises that changes little by little.
///
/// ```
/// use ken_logic::belief::{Reasoner, Store};
/// let mut store = Store::new();
/// let mut read = |text| store.parse_basic(text).unwrap();
/// let premises = [read("p@0 -> q@0"), read("p@0"), read("r@0")];
/// let mut reasoner = Reasoner::new();
/// premises.iter().for_each(|&alpha| reasoner.add(alpha));
/// let asked = store.parse("I[m] q@0").unwrap();
/// assert!(reasoner.entails(&mut store, asked));
/// assert!(reasoner.remove(premises[0]));
/// assert!(!reasoner.entails(&mut store, asked));
/// ```
pub struct Reasoner {
    sat: Sat,
    actual: Place,
    others: Vec<Alternative>,
    /// The core, asserted in every alternative for good.
    core: Vec<Alpha>,
    /// No state satisfies the core: there is no alternative at all.
    hopeless: bool,
    /// What may be believed implicitly, each with the literal that says so.
    boxes: Vec<(Alpha, Lit)>,
    box_of: HashMap<Alpha, Lit>,
    premises: Vec<Alpha>,
    place_of: HashMap<Alpha, usize>,
    /// Alternatives that the present question uses.
    used: usize,
    /// What the present question may want to be believed implicitly.
    wanted: HashSet<Lit>,
}

impl Default for Reasoner {
    fn default() -> Reasoner {
        Reasoner::new()
    }
}

impl Reasoner {
    /// No premises.
    pub fn new() -> Reasoner {
        Reasoner {
            sat: Sat::new(),
            actual: Place::default(),
            others: Vec::new(),
            core: Vec::new(),
            hopeless: false,
            boxes: Vec::new(),
            box_of: HashMap::new(),
            premises: Vec::new(),
            place_of: HashMap::new(),
            used: 0,
            wanted: HashSet::new(),
        }
    }

    /// Adds a premise that stays for good and is not named among those used: cheaper than [`Reasoner::add`].
    pub fn fix(&mut self, alpha: Alpha) {
        self.core.push(alpha);
    }

    /// Adds a premise; one that is there already is not added again.
    pub fn add(&mut self, alpha: Alpha) {
        if !self.place_of.contains_key(&alpha) {
            self.place_of.insert(alpha, self.premises.len());
            self.premises.push(alpha);
            self.believed(alpha);
        }
    }

    /// Takes a premise back; says whether it was there.
    pub fn remove(&mut self, alpha: Alpha) -> bool {
        let Some(at) = self.place_of.remove(&alpha) else { return false };
        self.premises.swap_remove(at);
        if let Some(&moved) = self.premises.get(at) {
            self.place_of.insert(moved, at);
        }
        true
    }

    /// The premises that were added and not taken back.
    pub fn premises(&self) -> &[Alpha] {
        &self.premises
    }

    /// The literal of `I[m] α` being true.
    fn believed(&mut self, alpha: Alpha) -> Lit {
        if let Some(&lit) = self.box_of.get(&alpha) {
            return lit;
        }
        let lit = self.sat.fresh();
        self.boxes.push((alpha, lit));
        self.box_of.insert(alpha, lit);
        lit
    }

    /// An alternative that the present question has not used yet, for this to be false there.
    fn alternative(&mut self, denied: Alpha) -> usize {
        if self.used == self.others.len() {
            let exists = self.sat.fresh();
            if self.hopeless {
                self.sat.clause(&[!exists]);
            }
            let place = Place::default();
            self.others.push(Alternative { place, exists, denied: None, core: 0, boxes: 0, beliefs: 0, times: 0 });
        }
        self.others[self.used].denied = Some(denied);
        self.used += 1;
        self.used - 1
    }

    /// Tells the alternatives in use what holds in all of them.
    fn load(&mut self, store: &mut Store) {
        for at in 0..self.used {
            let (sat, actual) = (&mut self.sat, &mut self.actual);
            let Alternative { place, exists, denied: _, core, boxes, beliefs, times } = &mut self.others[at];
            if *core < self.core.len() && !self.hopeless {
                let all = sat.fresh();
                for &alpha in &self.core[*core..] {
                    place.assert(sat, store, &[all], alpha);
                }
                *core = self.core.len();
                self.hopeless = !sat.solve(&[all]);
                sat.clause(&[if self.hopeless { !all } else { all }]);
            }
            for &(alpha, lit) in &self.boxes[*boxes..] {
                place.assert(sat, store, &[*exists, lit], alpha);
            }
            *boxes = self.boxes.len();
            while *beliefs < actual.atoms.seen.len() {
                let (alpha, lit) = actual.atoms.seen[*beliefs];
                if let Basic::Machine(held) = store.basic(alpha) {
                    place.assert(sat, store, &[*exists, lit], held);
                }
                *beliefs += 1;
            }
            while *times < actual.atoms.order.len() {
                let t = actual.atoms.order[*times];
                let here = actual.atoms.times[&t];
                let there = place.atoms.now(sat, t);
                sat.clause(&[!*exists, !here, there]);
                *times += 1;
            }
        }
        if self.hopeless {
            for other in &self.others {
                self.sat.clause(&[!other.exists]);
            }
        }
    }

    /// A literal for a formula of L. Asked for its truth (`wanted`), the literal gives the formula; asked for its
    /// falsity, the literal's falsity gives the formula's: no more is needed, and `I[m]` costs a world only where it
    /// may have to be false.
    fn literal(&mut self, store: &Store, formula: Formula, wanted: bool) -> Lit {
        match store.node(formula) {
            Node::Basic(alpha) => self.actual.lit(&mut self.sat, store, alpha),
            Node::Not(part) => !self.literal(store, part, !wanted),
            Node::And(..) => {
                let mut lits = Vec::new();
                let mut chain = vec![formula];
                while let Some(at) = chain.pop() {
                    match store.node(at) {
                        Node::And(a, b) => chain.extend([b, a]),
                        Node::Basic(_) | Node::Not(_) | Node::Implicit(_) | Node::After(..) => {
                            lits.push(self.literal(store, at, wanted));
                        }
                    }
                }
                self.sat.all(lits)
            }
            Node::Implicit(alpha) if wanted => {
                let lit = self.believed(alpha);
                self.wanted.insert(lit);
                lit
            }
            Node::Implicit(alpha) => {
                let at = self.alternative(alpha);
                let lit = self.sat.fresh();
                let there = self.others[at].place.lit(&mut self.sat, store, alpha);
                self.sat.clause(&[lit, self.others[at].exists]);
                self.sat.clause(&[lit, !there]);
                lit
            }
            Node::After(..) => unreachable!("reduced before"),
        }
    }

    /// The literals whose truth makes the formula true; what stands alone needs no clauses of its own.
    fn question(&mut self, store: &mut Store, formula: Formula) -> Vec<Lit> {
        let formula = store.reduce(formula);
        self.used = 0;
        self.wanted.clear();
        let mut asked = Vec::new();
        let mut open = vec![(formula, true)];
        while let Some((at, wanted)) = open.pop() {
            match store.node(at) {
                Node::Not(part) => open.push((part, !wanted)),
                Node::And(a, b) if wanted => open.extend([(b, true), (a, true)]),
                Node::Implicit(alpha) if !wanted => {
                    let at = self.alternative(alpha);
                    let there = self.others[at].place.lit(&mut self.sat, store, alpha);
                    asked.extend([self.others[at].exists, !there]);
                }
                Node::Basic(_) | Node::And(..) | Node::Implicit(_) | Node::After(..) => {
                    let lit = self.literal(store, at, wanted);
                    asked.push(if wanted { lit } else { !lit });
                }
            }
        }
        self.load(store);
        asked.extend(self.others[self.used..].iter().map(|other| !other.exists));
        asked
    }

    fn premise_lits(&self) -> impl Iterator<Item = Lit> {
        self.premises.iter().map(|alpha| self.box_of[alpha])
    }

    /// Looks for a model of the premises and the formula; if there is none, gives back the literals of the question.
    fn solve(&mut self, store: &mut Store, formula: Formula) -> Result<(), Vec<Lit>> {
        let mut assumed = self.question(store, formula);
        let asked = assumed.len();
        assumed.extend(self.premise_lits());
        if self.sat.solve(&assumed) {
            return Ok(());
        }
        assumed.truncate(asked);
        Err(assumed)
    }

    /// Whether some model satisfies the premises and the formula.
    pub fn consistent(&mut self, store: &mut Store, formula: Formula) -> bool {
        self.solve(store, formula).is_ok()
    }

    /// Whether the formula follows from the premises.
    pub fn entails(&mut self, store: &mut Store, formula: Formula) -> bool {
        let not = store.negate(formula);
        !self.consistent(store, not)
    }

    /// A model of the premises and the formula, or premises that exclude it, a minimal set of them.
    pub fn model(&mut self, store: &mut Store, formula: Formula) -> Result<Model, Vec<Alpha>> {
        let Err(asked) = self.solve(store, formula) else { return Ok(self.found(store)) };
        let suspects: Vec<Lit> = self.premise_lits().filter(|&lit| self.sat.in_core(lit)).collect();
        let denials: Vec<Option<Alpha>> =
            self.others[..self.used].iter().map(|other| other.denied.map(|alpha| store.not(alpha))).collect();
        let Reasoner { sat, others, used, core, boxes, wanted, actual, .. } = self;
        let suspected: HashSet<Lit> = suspects.iter().copied().filter(|lit| !wanted.contains(lit)).collect();
        let rotation = |denial: Option<Alpha>| {
            let mut rotation = Rotation::default();
            core.iter().chain(&denial).for_each(|&alpha| rotation.add(store, alpha, Kind::Always));
            for &(alpha, lit) in boxes.iter() {
                let soft = suspected.contains(&lit);
                rotation.add(store, alpha, if soft { Kind::Soft(lit) } else { Kind::If(lit) });
            }
            for &(alpha, lit) in &actual.atoms.seen {
                if let Basic::Machine(held) = store.basic(alpha) {
                    rotation.add(store, held, Kind::If(lit));
                }
            }
            rotation
        };
        let mut rotations: Option<Vec<Rotation>> = None;
        let turn = |sat: &Sat, only: Lit, counts: &HashSet<Lit>| {
            let rotations = rotations.get_or_insert_with(|| denials.iter().map(|&denial| rotation(denial)).collect());
            let there = others[..*used].iter().zip(&*rotations).filter(|(other, _)| sat.holds(other.exists));
            // A premise is false where some alternative denies it. Only one may, and it must deny what it is asked to deny.
            let fails = |other: &Alternative, rotation: &Rotation| {
                rotation.fails(only, |atom| other.place.value(sat, store, atom).0)
            };
            let failing: Vec<_> = there.filter(|(other, rotation)| fails(other, rotation)).collect();
            let [(other, rotation)] = failing[..] else { return Vec::new() };
            let denied = other.denied.and_then(|alpha| other.place.world.known(alpha));
            if !denied.is_some_and(|lit| sat.holds(!lit)) {
                return Vec::new();
            }
            let counts = |lit: Lit| counts.contains(&lit) || sat.holds(lit);
            rotation.turn(only, counts, |atom| other.place.value(sat, store, atom))
        };
        let needed = sat.minimal(&asked, &suspects, |_| false, turn);
        let needed: HashSet<Lit> = needed.into_iter().collect();
        Err(self.premises.iter().copied().filter(|alpha| needed.contains(&self.box_of[alpha])).collect())
    }

    /// Whether the formula follows, and from which premises, or a model against it.
    pub fn explain(&mut self, store: &mut Store, formula: Formula) -> Entailment {
        let not = store.negate(formula);
        match self.model(store, not) {
            Ok(model) => Entailment::Fails { model },
            Err(premises) => Entailment::Follows { premises },
        }
    }

    /// Parts of a formula that cannot hold together with the premises, joined by `&` in it, none of which can be left
    /// out: why no model was found.
    pub fn clash(&mut self, store: &mut Store, formula: Formula) -> Vec<Formula> {
        let (mut open, mut needed) = (store.conjuncts(formula), Vec::new());
        while let Some(tried) = open.pop().filter(|_| !stop::asked()) {
            let rest: Vec<Formula> = needed.iter().chain(&open).copied().collect();
            let rest = store.both_all(&rest);
            if self.consistent(store, rest) {
                needed.push(tried);
            }
        }
        needed.reverse();
        needed
    }

    /// The model that the solver has just found.
    fn found(&self, store: &Store) -> Model {
        let used = self.others[..self.used].iter().filter(|other| self.sat.holds(other.exists));
        Model {
            actual: self.actual.state(&self.sat, store),
            context: used.map(|other| other.place.state(&self.sat, store)).collect(),
        }
    }
}
