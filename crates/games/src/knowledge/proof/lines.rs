//! Counting and numbering lines, and leaving out what is not used.

use super::{LINES, Line, LineOf, Proof, ProofOf, Rules, Step, check, premises_used};
use crate::knowledge::Fact;
use rustc_hash::FxHashMap;

impl<A, P, R> Step<A, P, R> {
    /// Whether it has no proof inside, and can be said as a part of another sentence.
    pub fn is_short(&self) -> bool {
        match self {
            Step::Given(_) | Step::Rule(_) | Step::Logic => true,
            Step::Cases(..) | Step::Mind(..) | Step::Knew(..) | Step::Unsure(..) => false,
        }
    }

    /// The proofs inside, each with the number of what is assumed in it.
    #[expect(clippy::type_complexity, reason = "a pair of what stands there")]
    pub fn inside(&self) -> Vec<(Option<usize>, &[Line<A, P, R>])> {
        match self {
            Step::Given(_) | Step::Rule(_) | Step::Logic => Vec::new(),
            Step::Cases(_, cases) => cases.iter().map(|case| (Some(case.number), &case.lines[..])).collect(),
            Step::Mind(_, lines) | Step::Knew(_, _, lines) => vec![(None, lines)],
            Step::Unsure(_, _, case) => vec![(Some(case.number), &case.lines)],
        }
    }

    #[expect(clippy::type_complexity, reason = "a pair of what stands there")]
    fn inside_mut(&mut self) -> Vec<(Option<&mut usize>, &mut Vec<Line<A, P, R>>)> {
        match self {
            Step::Given(_) | Step::Rule(_) | Step::Logic => Vec::new(),
            Step::Cases(_, cases) => cases.iter_mut().map(|case| (Some(&mut case.number), &mut case.lines)).collect(),
            Step::Mind(_, lines) | Step::Knew(_, _, lines) => vec![(None, lines)],
            Step::Unsure(_, _, case) => vec![(Some(&mut case.number), &mut case.lines)],
        }
    }
}

impl<A, P, R> Proof<A, P, R> {
    /// How many lines and assumptions it has, those inside other lines counted.
    pub fn len(&self) -> usize {
        count(&self.lines)
    }

    /// Whether there is nothing to prove: the goal is `true`.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

fn count<A, P, R>(lines: &[Line<A, P, R>]) -> usize {
    let inner = |line: &Line<A, P, R>| {
        let inside = line.step.inside();
        inside.into_iter().map(|(assumed, lines)| usize::from(assumed.is_some()) + count(lines)).sum::<usize>()
    };
    lines.iter().map(|line| 1 + inner(line)).sum()
}

/// Looks at a line; whether it is inside another.
type Visit<'v, A, P, R> = &'v mut dyn FnMut(&Line<A, P, R>, bool);

/// New numbers for lines, by those that they had.
pub type Numbers = FxHashMap<usize, usize>;

/// Leaves out lines that no other uses, then numbers lines and assumptions in the order of reading. `same` tells which
/// line stands for another one that was merged into it.
pub fn trim<A, P, R>(lines: &mut Vec<Line<A, P, R>>, same: &Numbers) {
    resolve(lines, same);
    loop {
        let mut used = Vec::new();
        cited(lines, &mut used);
        let before = count(lines);
        keep(lines, &used);
        if count(lines) == before {
            break;
        }
    }
    number(lines, &mut Count::default());
}

fn resolve<A, P, R>(lines: &mut [Line<A, P, R>], same: &Numbers) {
    for line in lines {
        for from in &mut line.from {
            while let Some(&other) = same.get(from) {
                *from = other;
            }
        }
        line.step.inside_mut().into_iter().for_each(|(_, lines)| resolve(lines, same));
    }
}

fn cited<A, P, R>(lines: &[Line<A, P, R>], used: &mut Vec<usize>) {
    for line in lines {
        used.extend(&line.from);
        line.step.inside().into_iter().for_each(|(_, lines)| cited(lines, used));
    }
}

fn keep<A, P, R>(lines: &mut Vec<Line<A, P, R>>, used: &[usize]) {
    let last = lines.last().map(|line| line.number);
    lines.retain(|line| used.contains(&line.number) || Some(line.number) == last);
    for line in lines {
        line.step.inside_mut().into_iter().for_each(|(_, lines)| keep(lines, used));
    }
}

/// Numbers that were given out.
#[derive(Default)]
struct Count {
    numbers: Numbers,
    shown: usize,
    hidden: usize,
}

impl Count {
    fn next(&mut self, old: usize, shown: bool) -> usize {
        let new = match shown {
            true => {
                self.shown += 1;
                self.shown
            }
            false => {
                self.hidden += 1;
                HIDDEN + self.hidden
            }
        };
        self.numbers.insert(old, new);
        new
    }
}

/// Numbers from here on are those of lines that are said as a part of another sentence: nothing refers to them.
pub(super) const HIDDEN: usize = 1_000_000;

fn number<A, P, R>(lines: &mut [Line<A, P, R>], count: &mut Count) {
    for line in lines {
        number_line(line, true, count);
    }
}

fn number_line<A, P, R>(line: &mut Line<A, P, R>, shown: bool, count: &mut Count) {
    for from in &mut line.from {
        *from = count.numbers[from];
    }
    line.from.sort_unstable();
    line.from.dedup();
    line.number = count.next(line.number, shown);
    let case = matches!(line.step, Step::Cases(..));
    for (assumed, lines) in line.step.inside_mut() {
        if let Some(assumed) = assumed {
            *assumed = count.next(*assumed, true);
        }
        match &mut lines[..] {
            [one] if case || one.step.is_short() => number_line(one, false, count),
            lines => number(lines, count),
        }
    }
}

/// Says the same with fewer lines, as far as it still passes: lines by the same rule become one, and what only puts the
/// lines before it together is left out at an end.
pub fn tidy<G: Rules>(game: &G, proof: &mut ProofOf<G>) {
    // Nobody reads so many lines, however tidy they are.
    if proof.len() > 3 * LINES {
        return;
    }
    share(game, proof);
    reuse(game, proof);
    for path in blocks(&proof.lines) {
        let mut at = 0;
        while at < block(&mut proof.lines, &path).len() {
            let before = proof.clone();
            if !(merge(block(&mut proof.lines, &path), at) && check(game, proof, &proof.goal.clone()).is_ok()) {
                *proof = before;
                at += 1;
            }
        }
        let before = proof.clone();
        let lines = block(&mut proof.lines, &path);
        if lines.len() > 1 && lines.last().is_some_and(|line| line.step == Step::Logic) {
            let last = lines.pop();
            let said = path.is_empty() && last.is_some_and(|last| !last.facts.iter().all(|fact| repeats(lines, fact)));
            if said || check(game, proof, &proof.goal.clone()).is_err() {
                *proof = before;
            }
        }
    }
    spare(game, proof);
    prune(game, proof);
    number(&mut proof.lines, &mut Count::default());
}

/// Whether the lines say the fact, part by part: saying it again adds nothing.
pub fn repeats<A: Eq, P, R>(lines: &[Line<A, P, R>], fact: &Fact<A>) -> bool {
    match fact {
        Fact::All(parts) => parts.iter().all(|part| repeats(lines, part)),
        fact => lines.iter().any(|line| line.facts.contains(fact)),
    }
}

/// Leaves out lines that nothing uses, and premises that are no longer needed then.
fn prune<G: Rules>(game: &G, proof: &mut ProofOf<G>) {
    for path in blocks(&proof.lines) {
        for at in (0..block(&mut proof.lines, &path).len()).rev() {
            let mut used = Vec::new();
            cited(&proof.lines, &mut used);
            if used.contains(&block(&mut proof.lines, &path)[at].number) {
                continue;
            }
            let before = proof.clone();
            let lines = block(&mut proof.lines, &path);
            let last = path.is_empty() && at + 1 == lines.len();
            let gone = lines.remove(at);
            // The end says what was to be shown.
            if last && !gone.facts.iter().all(|fact| repeats(lines, fact)) {
                *proof = before;
                continue;
            }
            let used = premises_used(game, &proof.lines);
            proof.premises.retain(|premise| used.contains(premise));
            if check(game, proof, &proof.goal.clone()).is_err() {
                *proof = before;
            }
        }
    }
}

/// Leaves out facts that nothing uses, and premises that are no longer needed then.
fn spare<G: Rules>(game: &G, proof: &mut ProofOf<G>) {
    for path in blocks(&proof.lines) {
        for at in 0..block(&mut proof.lines, &path).len() {
            let mut fact = 0;
            while let Line { facts, .. } = &block(&mut proof.lines, &path)[at]
                && facts.len() > 1
                && fact < facts.len()
            {
                let before = proof.clone();
                let Line { facts, step, .. } = &mut block(&mut proof.lines, &path)[at];
                facts.remove(fact);
                if let Step::Given(premises) = step {
                    premises.retain(|premise| facts.iter().any(|fact| game.says(premise, fact)));
                }
                let used = premises_used(game, &proof.lines);
                proof.premises.retain(|premise| used.contains(premise));
                if check(game, proof, &proof.goal.clone()).is_err() {
                    *proof = before;
                    fact += 1;
                }
            }
        }
    }
}

/// Says once, outside, what everybody saw and what is said in several proofs inside: together where the premises are
/// the same in part, else where they are the same.
fn share<G: Rules>(game: &G, proof: &mut ProofOf<G>) {
    let (mut given, mut outside): (Vec<LineOf<G>>, Vec<LineOf<G>>) = (Vec::new(), Vec::new());
    every(&proof.lines, false, &mut |line, inside| {
        let Step::Given(premises) = &line.step else { return };
        if premises.iter().all(|premise| game.access(premise).is_some_and(|access| access.public)) {
            if inside { &mut given } else { &mut outside }.push(line.clone());
        }
    });
    while let Some(first) = given.pop() {
        let mut alike = vec![first];
        while let Some(at) = given.iter().position(|line| alike.iter().any(|other| overlap(line, other))) {
            alike.push(given.swap_remove(at));
        }
        let mut all = alike.clone();
        all.extend(outside.iter().filter(|line| alike.iter().any(|other| overlap(line, other))).cloned());
        // Somebody may have reasoned at a time when only a part was there.
        if hoist(game, proof, &all) || hoist(game, proof, &alike) {
            continue;
        }
        while let Some(first) = alike.pop() {
            let (mut same, rest): (Vec<_>, Vec<_>) = alike.into_iter().partition(|line| line.step == first.step);
            same.push(first);
            hoist(game, proof, &same);
            alike = rest;
        }
    }
}

/// Whether a premise is named by both.
fn overlap<A, P: Eq, R>(a: &Line<A, P, R>, b: &Line<A, P, R>) -> bool {
    match (&a.step, &b.step) {
        (Step::Given(a), Step::Given(b)) => a.iter().any(|premise| b.contains(premise)),
        _ => false,
    }
}

/// Puts one line in front that says what these say, which premises give, instead of them: whether that passes. A single
/// line stays where it is.
fn hoist<G: Rules>(game: &G, proof: &mut ProofOf<G>, alike: &[LineOf<G>]) -> bool {
    if alike.len() < 2 {
        return false;
    }
    let before = proof.clone();
    let (mut premises, mut facts) = (Vec::new(), Vec::new());
    for line in alike {
        if let Step::Given(named) = &line.step {
            premises.extend(named.iter().filter(|&p| !premises.contains(p)).cloned().collect::<Vec<_>>());
        }
        facts.extend(line.facts.iter().filter(|&fact| !facts.contains(fact)).cloned().collect::<Vec<_>>());
    }
    let number = alike[0].number;
    let same: Numbers = alike[1..].iter().map(|line| (line.number, number)).collect();
    let gone: Vec<usize> = alike.iter().map(|line| line.number).collect();
    without(&mut proof.lines, &gone);
    resolve(&mut proof.lines, &same);
    proof.lines.insert(0, Line { number, facts, step: Step::Given(premises), from: Vec::new() });
    let passes = check(game, proof, &proof.goal.clone()).is_ok();
    if !passes {
        *proof = before;
    }
    passes
}

/// Removes the lines with these numbers, wherever they stand.
fn without<A, P, R>(lines: &mut Vec<Line<A, P, R>>, gone: &[usize]) {
    lines.retain(|line| !gone.contains(&line.number));
    for line in lines {
        line.step.inside_mut().into_iter().for_each(|(_, lines)| without(lines, gone));
    }
}

/// Leaves out lines that say only what was said before, where it can be seen from there.
fn reuse<G: Rules>(game: &G, proof: &mut ProofOf<G>) {
    for path in blocks(&proof.lines) {
        let mut at = 0;
        while at + 1 < block(&mut proof.lines, &path).len() {
            let instead = said_before(&proof.lines, &path, at, &mut Vec::new());
            let Some(instead) = instead else {
                at += 1;
                continue;
            };
            let before = proof.clone();
            let gone = block(&mut proof.lines, &path).remove(at);
            cite_instead(&mut proof.lines, gone.number, &instead);
            let used = premises_used(game, &proof.lines);
            proof.premises.retain(|premise| used.contains(premise));
            if check(game, proof, &proof.goal.clone()).is_err() {
                *proof = before;
                at += 1;
            }
        }
    }
}

/// The lines before this one, in its block or around it, that say what it says.
fn said_before<A: Clone + Eq, P, R>(
    lines: &[Line<A, P, R>],
    path: &[(usize, usize)],
    at: usize,
    said: &mut Vec<(usize, Vec<Fact<A>>)>,
) -> Option<Vec<usize>> {
    let upto = path.first().map_or(at, |(line, _)| *line);
    said.extend(lines[..upto].iter().map(|line| (line.number, line.facts.clone())));
    match path.split_first() {
        Some((&(line, case), rest)) => {
            if let Step::Cases(_, cases) = &lines[line].step {
                said.push((cases[case].number, cases[case].assume.clone()));
            }
            let (_, inner) = lines[line].step.inside().swap_remove(case);
            said_before(inner, rest, at, said)
        }
        None => {
            let saying =
                |fact: &Fact<A>| said.iter().find(|(_, facts)| facts.contains(fact)).map(|(number, _)| *number);
            lines[at].facts.iter().map(saying).collect()
        }
    }
}

/// Cites other lines instead of the one with this number.
fn cite_instead<A, P, R>(lines: &mut [Line<A, P, R>], number: usize, instead: &[usize]) {
    for line in lines {
        if let Some(at) = line.from.iter().position(|&from| from == number) {
            line.from.splice(at..=at, instead.iter().copied());
            line.from.sort_unstable();
            line.from.dedup();
        }
        line.step.inside_mut().into_iter().for_each(|(_, lines)| cite_instead(lines, number, instead));
    }
}

/// Visits every line, with whether it stands inside another one.
fn every<A, P, R>(lines: &[Line<A, P, R>], inside: bool, visit: Visit<'_, A, P, R>) {
    for line in lines {
        visit(line, inside);
        line.step.inside().into_iter().for_each(|(_, lines)| every(lines, true, visit));
    }
}

/// Where a proof inside another one stands: the line and the case, from the outside inwards.
type Path = Vec<(usize, usize)>;

/// The proofs inside a proof, itself last. Merging lines moves others, so those inside come first.
fn blocks<A, P, R>(lines: &[Line<A, P, R>]) -> Vec<Path> {
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for (case, (_, inner)) in line.step.inside().into_iter().enumerate() {
            for mut path in blocks(inner) {
                path.insert(0, (at, case));
                found.push(path);
            }
        }
    }
    found.push(Path::new());
    found
}

fn block<'l, A, P, R>(lines: &'l mut Vec<Line<A, P, R>>, path: &[(usize, usize)]) -> &'l mut Vec<Line<A, P, R>> {
    match path.split_first() {
        None => lines,
        Some((&(at, case), rest)) => {
            let (_, inner) = lines[at].step.inside_mut().swap_remove(case);
            block(inner, rest)
        }
    }
}

/// Merges a later line by the same rule into the line at this place, if it does not rest on what stands between: whether
/// there was one.
fn merge<A: Clone + Eq, P: Clone + Eq, R: Clone + Eq>(lines: &mut Vec<Line<A, P, R>>, at: usize) -> bool {
    let Step::Rule(_) = lines[at].step else { return false };
    let twin = (at + 1..lines.len()).find(|&other| {
        let between = &lines[at..other];
        let free = |from: &usize| between.iter().all(|line| line.number != *from);
        lines[other].step == lines[at].step && lines[other].from.iter().all(free)
    });
    let Some(other) = twin else { return false };
    if lines[at].facts.contains(&Fact::Const(false)) {
        return false;
    }
    let gone = lines.remove(other);
    for fact in gone.facts {
        if !lines[at].facts.contains(&fact) {
            lines[at].facts.push(fact);
        }
    }
    lines[at].from.extend(gone.from);
    let number = lines[at].number;
    resolve(lines, &Numbers::from_iter([(gone.number, number)]));
    true
}
