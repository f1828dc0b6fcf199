//! Finding the runs that show what a formula says: shortest ones, in steps.

use super::runs::Scene;
use crate::check::{CheckError, Limit};
use crate::formula::Program;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

type Checked<T> = Result<T, CheckError>;

/// How many points a search for a run may look at; beyond it the run is not told.
const SEARCH: usize = 1_000_000;

/// How many points, and how many executions between them, are looked at to make a run that goes round for ever as short
/// as can be; beyond it the shortest found so far is told.
const SHORTER_POINTS: usize = 20_000;
const SHORTER_STEPS: usize = 2_000_000;

/// Steps that end at a point.
pub(crate) type Way<P> = Vec<(u32, P)>;

/// Every point to which an execution of the program leads, each with a shortest way; shorter ways first.
pub(crate) fn executions<S: Scene>(scene: &mut S, program: &Program, from: &S::P) -> Checked<Vec<Way<S::P>>> {
    if let Program::Any = program {
        return Ok(scene.steps(from)?.into_iter().map(|step| vec![step]).collect());
    }
    // Over points with what is left of the program, the next part last; what takes no step goes first.
    type Rest = Vec<Program>;
    let mut seen: HashSet<(S::P, Rest)> = HashSet::new();
    let mut queue: VecDeque<(S::P, Rest, Way<S::P>)> = VecDeque::new();
    queue.push_back((from.clone(), vec![program.clone()], Vec::new()));
    let mut found: Vec<Way<S::P>> = Vec::new();
    let mut ends: HashSet<S::P> = HashSet::new();
    while let Some((point, mut rest, way)) = queue.pop_front() {
        if seen.len() > SEARCH {
            return Err(Limit::States(SEARCH).into());
        }
        if !seen.insert((point.clone(), rest.clone())) {
            continue;
        }
        let Some(next) = rest.pop() else {
            if ends.insert(point) {
                found.push(way);
            }
            continue;
        };
        match next {
            Program::Any | Program::Action(_) => {
                for (label, target) in scene.steps(&point)? {
                    let fits = match &next {
                        Program::Action(name) => scene.called(label, name),
                        _ => true,
                    };
                    if fits {
                        let mut longer = way.clone();
                        longer.push((label, target.clone()));
                        queue.push_back((target, rest.clone(), longer));
                    }
                }
            }
            Program::Seq(parts) => {
                rest.extend(parts.into_iter().rev());
                queue.push_front((point, rest, way));
            }
            Program::Choice(parts) => {
                for part in parts.into_iter().rev() {
                    let mut rest = rest.clone();
                    rest.push(part);
                    queue.push_front((point.clone(), rest, way.clone()));
                }
            }
            Program::Star(inner) => {
                let mut again = rest.clone();
                again.push(Program::Star(inner.clone()));
                again.push(*inner);
                queue.push_front((point.clone(), again, way.clone()));
                queue.push_front((point, rest, way));
            }
            Program::Test(f) => {
                if scene.holds(&f, &point)? {
                    queue.push_front((point, rest, way));
                }
            }
        }
    }
    Ok(found)
}

/// The points of a search, numbered, and where executions lead from them.
struct Places<'p, P> {
    program: &'p Program,
    points: Vec<P>,
    index: HashMap<P, usize>,
    moves: HashMap<usize, Moves<P>>,
}

/// The ends of the executions from a point, each with its way.
type Moves<P> = Rc<Vec<(usize, Way<P>)>>;

impl<'p, P: Clone + Eq + std::hash::Hash> Places<'p, P> {
    fn new(program: &'p Program) -> Places<'p, P> {
        Places { program, points: Vec::new(), index: HashMap::new(), moves: HashMap::new() }
    }

    fn number(&mut self, point: &P) -> usize {
        if let Some(&found) = self.index.get(point) {
            return found;
        }
        self.points.push(point.clone());
        self.index.insert(point.clone(), self.points.len() - 1);
        self.points.len() - 1
    }

    fn moves<S: Scene<P = P>>(&mut self, scene: &mut S, at: usize) -> Checked<Moves<P>> {
        if let Some(found) = self.moves.get(&at) {
            return Ok(found.clone());
        }
        let point = self.points[at].clone();
        let mut all = Vec::new();
        for way in executions(scene, self.program, &point)? {
            let end = way.last().map_or(at, |(_, p)| self.number(p));
            all.push((end, way));
        }
        let all = Rc::new(all);
        self.moves.insert(at, all.clone());
        Ok(all)
    }
}

/// From where, and by which of its executions, each place was reached first.
type Parents = HashMap<usize, (usize, usize)>;

/// The way to a place, from where the parents begin.
fn retrace<P: Clone>(places: &Places<'_, P>, parents: &Parents, from: usize, mut at: usize) -> Way<P> {
    let mut pieces: Vec<&Way<P>> = Vec::new();
    while at != from {
        let Some(&(before, number)) = parents.get(&at) else { break };
        pieces.extend(places.moves.get(&before).and_then(|moves| moves.get(number)).map(|(_, way)| way));
        at = before;
    }
    pieces.into_iter().rev().flatten().cloned().collect()
}

/// A shortest way of executions, in steps, from a point to one that satisfies `goal`, through points that satisfy
/// `through`; at least one execution if `step` is set.
pub(crate) fn way_to<S: Scene>(
    scene: &mut S,
    program: &Program,
    from: &S::P,
    step: bool,
    through: &mut dyn FnMut(&mut S, &S::P) -> Checked<bool>,
    goal: &mut dyn FnMut(&mut S, &S::P) -> Checked<bool>,
) -> Checked<Option<Way<S::P>>> {
    if !step && goal(scene, from)? {
        return Ok(Some(Vec::new()));
    }
    let mut places: Places<'_, S::P> = Places::new(program);
    let from = places.number(from);
    let mut parents: Parents = HashMap::new();
    let mut cost: HashMap<usize, usize> = HashMap::from([(from, 0)]);
    let mut is_goal: HashMap<usize, bool> = HashMap::new();
    let mut is_through: HashMap<usize, bool> = HashMap::new();
    // By steps, then in the order in which they were found; with the execution by which a goal is reached.
    let mut queue = BinaryHeap::from([Reverse((0, 0, from, None::<usize>))]);
    let mut order = 0;
    while let Some(Reverse((steps, _, at, reached))) = queue.pop() {
        if let Some(number) = reached {
            let mut way = retrace(&places, &parents, from, at);
            if let Some((_, last)) = places.moves.get(&at).and_then(|moves| moves.get(number)) {
                way.extend(last.iter().cloned());
            }
            return Ok(Some(way));
        }
        if cost.get(&at).is_some_and(|&best| best < steps) {
            continue;
        }
        if places.points.len() > SEARCH {
            return Err(Limit::States(SEARCH).into());
        }
        for (number, (end, way)) in places.moves(scene, at)?.iter().enumerate() {
            order += 1;
            let (end, longer) = (*end, steps + way.len());
            let point = places.points[end].clone();
            if memo(&mut is_goal, end, || goal(scene, &point))? {
                queue.push(Reverse((longer, order, at, Some(number))));
            } else if cost.get(&end).is_none_or(|&best| longer < best)
                && memo(&mut is_through, end, || through(scene, &point))?
            {
                cost.insert(end, longer);
                parents.insert(end, (at, number));
                queue.push(Reverse((longer, order, end, None)));
            }
        }
    }
    Ok(None)
}

fn memo(known: &mut HashMap<usize, bool>, at: usize, find: impl FnOnce() -> Checked<bool>) -> Checked<bool> {
    if let Some(&found) = known.get(&at) {
        return Ok(found);
    }
    let found = find()?;
    known.insert(at, found);
    Ok(found)
}

/// A run that stays inside a set and never has to leave: to its end, or round a loop.
pub(crate) struct Lasting<P> {
    pub(crate) way: Way<P>,
    /// How many steps lead to the loop, if there is one.
    pub(crate) loops_to: Option<usize>,
}

/// Whether a point is inside a set.
type Inside<'i, S> = &'i dyn Fn(&mut S, &<S as Scene>::P) -> Checked<bool>;

/// A run of executions inside a set in which every point has a run that stays there fairly. Stem and loop together are
/// as short as can be, in steps, unless more than [`SHORTER_POINTS`] points or [`SHORTER_STEPS`] executions would have to be
/// looked at: then some run is told.
pub(crate) fn lasting<S: Scene>(
    scene: &mut S,
    program: &Program,
    from: &S::P,
    inside: Inside<'_, S>,
) -> Checked<Option<Lasting<S::P>>> {
    let Some(some) = straight_on(scene, program, from, inside)? else { return Ok(None) };
    let shorter = Shorter::new(program, scene.conditions()).find(scene, from, inside, some.way.len())?;
    Ok(Some(shorter.unwrap_or(some)))
}

/// Goes straight on, and closes a loop where one closes. Fair conditions are met in turn.
fn straight_on<S: Scene>(
    scene: &mut S,
    program: &Program,
    from: &S::P,
    inside: Inside<'_, S>,
) -> Checked<Option<Lasting<S::P>>> {
    let conditions = scene.conditions();
    let mut way: Way<S::P> = Vec::new();
    let mut rounds: HashMap<S::P, usize> = HashMap::new();
    let mut point = from.clone();
    loop {
        if let Some(&at) = rounds.get(&point) {
            return Ok(Some(Lasting { way, loops_to: Some(at) }));
        }
        if rounds.len() > SEARCH {
            return Err(Limit::States(SEARCH).into());
        }
        rounds.insert(point.clone(), way.len());
        if executions(scene, program, &point)?.is_empty() {
            return Ok(Some(Lasting { way, loops_to: None }));
        }
        if conditions == 0 {
            let mut next = None;
            for piece in executions(scene, program, &point)? {
                let end = piece.last().map_or_else(|| point.clone(), |(_, p)| p.clone());
                // A loop that closes is the best way to go on.
                let closes = rounds.contains_key(&end);
                if (next.is_none() || closes) && inside(scene, &end)? {
                    next = Some((piece, end));
                    if closes {
                        break;
                    }
                }
            }
            let Some((piece, end)) = next else { return Ok(None) };
            way.extend(piece);
            point = end;
            continue;
        }
        for number in 0..conditions {
            if executions(scene, program, &point)?.is_empty() {
                return Ok(Some(Lasting { way, loops_to: None }));
            }
            let found = way_to(scene, program, &point, true, &mut |s, p| inside(s, p), &mut |s, p| {
                Ok(inside(s, p)? && (s.meets(number, p)? || executions(s, program, p)?.is_empty()))
            })?;
            let Some(piece) = found else { return Ok(None) };
            if let Some((_, end)) = piece.last() {
                point = end.clone();
            }
            way.extend(piece);
        }
    }
}

/// The search for a shortest run that lasts.
struct Shorter<'p, P> {
    places: Places<'p, P>,
    /// Which conditions hold at a place, if it is inside.
    met: HashMap<usize, Option<u64>>,
    conditions: usize,
    looked: usize,
}

/// Places with the conditions met since the loop began.
type Node = (usize, u64);

impl<'p, P: Clone + Eq + std::hash::Hash> Shorter<'p, P> {
    fn new(program: &'p Program, conditions: usize) -> Shorter<'p, P> {
        Shorter { places: Places::new(program), met: HashMap::new(), conditions, looked: 0 }
    }

    /// The conditions that hold at a place, as bits; `None` if it is not inside.
    fn met<S: Scene<P = P>>(&mut self, scene: &mut S, at: usize, inside: Inside<'_, S>) -> Checked<Option<u64>> {
        if let Some(found) = self.met.get(&at) {
            return Ok(*found);
        }
        let point = self.places.points[at].clone();
        let mut found = None;
        if inside(scene, &point)? {
            let mut bits = 0;
            for number in 0..self.conditions {
                bits |= u64::from(scene.meets(number, &point)?) << number;
            }
            found = Some(bits);
        }
        self.met.insert(at, found);
        Ok(found)
    }

    fn is_over(&self) -> bool {
        self.places.points.len() > SHORTER_POINTS || self.looked > SHORTER_STEPS
    }

    /// A run with fewer steps than `most`, and with as few as can be within the bounds of the search.
    fn find<S: Scene<P = P>>(
        mut self,
        scene: &mut S,
        from: &P,
        inside: Inside<'_, S>,
        mut most: usize,
    ) -> Checked<Option<Lasting<P>>> {
        let mut best = None;
        // One bit for each.
        if self.conditions > 60 {
            return Ok(best);
        }
        let from = self.places.number(from);
        let mut parents: Parents = HashMap::new();
        let mut cost: HashMap<usize, usize> = HashMap::from([(from, 0)]);
        let mut queue = BinaryHeap::from([Reverse((0, 0, from))]);
        let mut order = 0;
        while let Some(Reverse((steps, _, at))) = queue.pop() {
            if steps >= most || self.is_over() {
                break;
            }
            if cost.get(&at).is_some_and(|&known| known < steps) {
                continue;
            }
            let moves = self.places.moves(scene, at)?;
            if moves.is_empty() {
                best = Some(Lasting { way: retrace(&self.places, &parents, from, at), loops_to: None });
                break;
            }
            if let Some(round) = self.round(scene, at, inside, most - steps)? {
                let mut way = retrace(&self.places, &parents, from, at);
                way.extend(round);
                most = way.len();
                best = Some(Lasting { way, loops_to: Some(steps) });
            }
            for (number, (end, way)) in moves.iter().enumerate() {
                let longer = steps + way.len();
                let nearer = longer < most && cost.get(end).is_none_or(|&known| longer < known);
                if nearer && self.met(scene, *end, inside)?.is_some() {
                    order += 1;
                    cost.insert(*end, longer);
                    parents.insert(*end, (at, number));
                    queue.push(Reverse((longer, order, *end)));
                }
            }
        }
        Ok(best)
    }

    /// A shortest way round, of fewer than `most` steps, from a place to itself, on which every condition is met.
    fn round<S: Scene<P = P>>(
        &mut self,
        scene: &mut S,
        start: usize,
        inside: Inside<'_, S>,
        most: usize,
    ) -> Checked<Option<Way<P>>> {
        let all = (1u64 << self.conditions) - 1;
        let Some(bits) = self.met(scene, start, inside)? else { return Ok(None) };
        let mut parents: HashMap<Node, (Node, usize)> = HashMap::new();
        let mut cost: HashMap<Node, usize> = HashMap::from([((start, bits), 0)]);
        let mut queue = BinaryHeap::from([Reverse((0, 0, (start, bits), None::<usize>))]);
        let mut order = 0;
        while let Some(Reverse((steps, _, node, closed))) = queue.pop() {
            if let Some(number) = closed {
                return Ok(Some(self.around(&parents, (start, bits), node, number)));
            }
            if self.is_over() {
                return Ok(None);
            }
            if cost.get(&node).is_some_and(|&known| known < steps) {
                continue;
            }
            for (number, (end, way)) in self.places.moves(scene, node.0)?.iter().enumerate() {
                self.looked += 1;
                let longer = steps + way.len();
                if longer >= most {
                    continue;
                }
                let Some(bits) = self.met(scene, *end, inside)? else { continue };
                order += 1;
                let next = (*end, node.1 | bits);
                if next == (start, all) {
                    queue.push(Reverse((longer, order, node, Some(number))));
                } else if cost.get(&next).is_none_or(|&known| longer < known) {
                    cost.insert(next, longer);
                    parents.insert(next, (node, number));
                    queue.push(Reverse((longer, order, next, None)));
                }
            }
        }
        Ok(None)
    }

    /// The way from the start to a node, and by one more execution back.
    fn around(&self, parents: &HashMap<Node, (Node, usize)>, start: Node, last: Node, number: usize) -> Way<P> {
        let mut pieces = vec![(last.0, number)];
        let mut at = last;
        while at != start {
            let Some(&(before, number)) = parents.get(&at) else { break };
            pieces.push((before.0, number));
            at = before;
        }
        let way = |(at, number): (usize, usize)| self.places.moves.get(&at).and_then(|moves| moves.get(number));
        pieces.into_iter().rev().filter_map(way).flat_map(|(_, way)| way.iter().cloned()).collect()
    }
}
