//! The one checker of proofs. It knows the steps one by one, looks up every premise in the position, and asks the game
//! only what a single premise says, where a single rule leads, and what somebody sees by themselves ([`Rules`]). It shares
//! no reasoning with any search for proofs.

use super::logic::follows;
use super::{Access, CaseOf, Eyes, FactOf, Line, LineOf, NOW, ProofOf, Rules, Step};
use crate::knowledge::{Fact, Seats};
use std::fmt;

/// Why a proof is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The number of the line; `None` for the proof as a whole.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Fault {}

/// Whether the proof proves the goal from what the position says: every line is verified, and every premise that is named
/// is used.
///
/// # Errors
/// The first thing that is wrong.
pub fn check<G: Rules>(game: &G, proof: &ProofOf<G>, goal: &FactOf<G>) -> Result<(), Fault> {
    let wrong = |message: &str| Err(Fault { line: None, message: message.to_string() });
    if proof.goal != *goal {
        return wrong("it is a proof of something else");
    }
    if !factive(game, goal) {
        return wrong(MISTAKEN);
    }
    let premises = proof.premises.clone();
    let used = vec![false; premises.len()];
    let mut checker = Checker { game, premises, used, naming: false, numbers: Vec::new() };
    checker.run(&proof.lines, &mut Scope::start())?;
    if !follows(&concluded_in(&proof.lines), goal) {
        return wrong("the lines do not conclude the goal");
    }
    if checker.used.contains(&false) {
        return wrong("a premise is named that no line uses");
    }
    Ok(())
}

/// The premises that the lines use, each once, in the order of use; those up to the first line that does not pass.
pub fn premises_used<G: Rules>(game: &G, lines: &[LineOf<G>]) -> Vec<G::Premise> {
    let mut checker = Checker { game, premises: Vec::new(), used: Vec::new(), naming: true, numbers: Vec::new() };
    // Whether the lines are a proof is not asked here.
    let _ = checker.run(lines, &mut Scope::start());
    checker.premises
}

/// What may be used at some place of a proof.
#[derive(Clone)]
struct Scope<A, P> {
    /// How many have been looked through: with none, it is the observer who reasons.
    minds: usize,
    /// Before which event the reasoning is done.
    before: usize,
    /// How many assumptions hold here.
    assumed: usize,
    seen: Vec<Seen<A, P>>,
}

impl<A, P> Scope<A, P> {
    /// Where a proof begins.
    fn start() -> Scope<A, P> {
        Scope { minds: 0, before: NOW, assumed: 0, seen: Vec::new() }
    }
}

/// The place of a proof of a game.
type ScopeOf<G> = Scope<<G as crate::knowledge::Language>::Atom, <G as Rules>::Premise>;

/// A line that may be used.
#[derive(Clone)]
struct Seen<A, P> {
    number: usize,
    facts: Vec<Fact<A>>,
    /// Whether it rests on no assumption: the observer knows it.
    free: bool,
    /// If it follows from what everybody saw alone: before which event not all of that was there.
    common: Option<usize>,
    /// By which premises it is clear that those who look here see it.
    shown: Vec<P>,
}

struct Checker<'p, G: Rules> {
    game: &'p G,
    premises: Vec<G::Premise>,
    used: Vec<bool>,
    /// Whether premises are put on the list as they are used, instead of being refused.
    naming: bool,
    numbers: Vec<usize>,
}

/// What is wrong with a proof about the knowledge of somebody who takes something false for granted.
const MISTAKEN: &str = "it is about what somebody knows who may be wrong";

/// Whether all who are said to know something, or not to know it, know only what is true.
fn factive<G: Rules>(game: &G, fact: &FactOf<G>) -> bool {
    let here = match fact {
        Fact::Knows(seats, _) => game.factive(Eyes::Pooled(*seats)),
        Fact::Common(seats, _) => game.factive(Eyes::Each(*seats)),
        Fact::Const(_)
        | Fact::Atom(_)
        | Fact::Not(_)
        | Fact::All(_)
        | Fact::Any(_)
        | Fact::Count(..)
        | Fact::Iff(..)
        | Fact::After(..) => true,
    };
    here && fact.parts().into_iter().all(|part| factive(game, part))
}

type Checked = Result<(), String>;

fn ensure(holds: bool, message: &str) -> Checked {
    if holds { Ok(()) } else { Err(message.to_string()) }
}

impl<G: Rules> Checker<'_, G> {
    fn run(&mut self, lines: &[LineOf<G>], scope: &mut ScopeOf<G>) -> Result<(), Fault> {
        for line in lines {
            let checked = self.number(line.number).and_then(|()| self.line(line, scope));
            let common = checked.map_err(|message| Fault { line: Some(line.number), message })?;
            let free = scope.minds == 0 && scope.assumed == 0;
            scope.seen.push(Seen { number: line.number, facts: line.facts.clone(), free, common, shown: Vec::new() });
        }
        Ok(())
    }

    fn number(&mut self, number: usize) -> Checked {
        ensure(!self.numbers.contains(&number), "the number is there twice")?;
        self.numbers.push(number);
        Ok(())
    }

    /// What is assumed can be, and has a number of its own.
    fn assumed(&mut self, case: &CaseOf<G>) -> Checked {
        self.number(case.number)?;
        ensure(case.assume.iter().all(|fact| factive(self.game, fact)), MISTAKEN)
    }

    /// Checks a line; if it follows from what everybody saw alone, before which event not all of that was there.
    fn line(&mut self, line: &LineOf<G>, scope: &ScopeOf<G>) -> Result<Option<usize>, String> {
        let mut have = Vec::new();
        let mut common = Some(0);
        for &number in &line.from {
            let seen = scope.seen.iter().find(|seen| seen.number == number);
            let seen = seen.ok_or_else(|| format!("it uses {number}, which is not there"))?;
            have.extend(seen.facts.iter().cloned());
            for premise in &seen.shown {
                self.premise(premise, scope)?;
            }
            common = common.zip(seen.common).map(|(a, b)| a.max(b));
        }
        ensure(!line.facts.is_empty(), "it concludes nothing")?;
        ensure(line.facts.iter().all(|fact| factive(self.game, fact)), MISTAKEN)?;
        let with = |a: Option<usize>, b: Option<usize>| a.zip(b).map(|(a, b)| a.max(b));
        match &line.step {
            Step::Given(premises) => {
                for premise in premises {
                    common = with(common, self.premise(premise, scope)?);
                    let some = line.facts.iter().any(|fact| self.game.says(premise, fact));
                    ensure(some, "a premise is named that says nothing of it")?;
                }
                let said = |fact: &FactOf<G>| premises.iter().any(|premise| self.game.says(premise, fact));
                ensure(line.facts.iter().all(said), "no premise says that")?;
            }
            Step::Rule(rule) => {
                for fact in &line.facts {
                    for premise in self.game.leads(rule, &have, fact)? {
                        common = with(common, self.premise(&premise, scope)?);
                    }
                }
            }
            Step::Logic => {
                ensure(line.facts.iter().all(|fact| follows(&have, fact)), "it does not follow")?;
            }
            Step::Cases(rule, cases) => {
                common = None;
                self.exhaustive(rule.as_ref(), cases, &have, &line.facts, scope)?;
                for case in cases {
                    self.case(case, &line.facts, scope)?;
                }
            }
            Step::Mind(eyes, lines) => {
                // What is known to somebody by what everybody saw is known to be known; but that needs no line of its own.
                common = None;
                ensure(!eyes.is_empty(), "nobody is looking")?;
                let mut inside = scope.clone();
                eyes.iter().for_each(|&eyes| self.enter(eyes, scope.before, &mut inside));
                let mut last: Vec<FactOf<G>> = Vec::new();
                for &number in line.from.iter().filter(|_| lines.is_empty()) {
                    let seen = inside.seen.iter().find(|seen| seen.number == number);
                    let Seen { facts, shown, .. } = seen.ok_or("it is not seen by these eyes")?;
                    last.extend(facts.iter().cloned());
                    for premise in shown {
                        self.premise(premise, &inside)?;
                    }
                }
                self.inside(lines, &mut inside)?;
                last.extend(concluded_in(lines));
                for fact in &line.facts {
                    ensure(concluded(eyes, fact, &last), "the proof inside shows something else")?;
                }
            }
            Step::Knew(premise, known, lines) => {
                common = None;
                ensure(line.facts == [Fact::Const(false)], "it concludes more than that this cannot be")?;
                self.premise(premise, scope)?;
                let (seat, before) = self.game.denies(premise, known).ok_or("the premise does not deny that")?;
                let mut inside = scope.clone();
                self.enter(Eyes::Pooled(Seats::of(seat)), before.min(scope.before), &mut inside);
                self.inside(lines, &mut inside)?;
                ensure(follows(&concluded_in(lines), known), "the seat need not have known that")?;
            }
            Step::Unsure(seats, change, case) => {
                common = None;
                self.assumed(case)?;
                ensure(scope.before == NOW, "it is about another time")?;
                self.game.changes(change, *seats, &have, &case.assume)?;
                let facts = case.assume.clone();
                let other = Seen { number: case.number, facts, free: false, common: None, shown: Vec::new() };
                // Another world: nothing is known of it but what everybody saw and what the change says.
                let mut inside = scope.clone();
                inside.minds += 1;
                inside.assumed += 1;
                inside.seen.retain(|seen| seen.common.is_some());
                inside.seen.push(other);
                self.inside(&case.lines, &mut inside)?;
                let mut last = concluded_in(&case.lines);
                last.extend(case.assume.iter().cloned());
                for fact in &line.facts {
                    let known = match fact {
                        Fact::Not(known) => match &**known {
                            Fact::Knows(of, inner) if of == seats => Some(inner),
                            _ => None,
                        },
                        _ => None,
                    };
                    let inner = known.ok_or("it is about something else than what the seats do not know")?;
                    ensure(follows(&last, &(**inner).clone().negated()), "it may be true there")?;
                }
            }
        }
        Ok(common.filter(|_| scope.assumed == 0))
    }

    fn inside(&mut self, lines: &[LineOf<G>], scope: &mut ScopeOf<G>) -> Checked {
        self.run(lines, scope).map_err(|fault| fault.to_string())
    }

    /// The premise is among those of the proof, is one of the position, and may be used here: since when it is there, if
    /// everybody has it.
    fn premise(&mut self, premise: &G::Premise, scope: &ScopeOf<G>) -> Result<Option<usize>, String> {
        let mut at = self.premises.iter().position(|p| p == premise);
        if at.is_none() && self.naming {
            at = Some(self.premises.len());
            self.premises.push(premise.clone());
            self.used.push(false);
        }
        let at = at.ok_or("it uses a premise that the proof does not name")?;
        let Access { public, event } = self.game.access(premise).ok_or("the position does not say that")?;
        ensure(public || scope.minds == 0, "the premise is not one that is seen here")?;
        ensure(event.is_none_or(|event| event < scope.before), "that was not seen yet")?;
        self.used[at] = true;
        Ok(public.then(|| event.map_or(0, |event| event + 1)))
    }

    /// Looks through these eyes, as they were before an event.
    fn enter(&self, eyes: Eyes, before: usize, scope: &mut ScopeOf<G>) {
        // What the observer has found out without assumptions it knows to know.
        let own = Eyes::Pooled(Seats::of(self.game.observer()));
        let oneself = scope.minds == 0 && before == NOW && eyes == own;
        if !oneself {
            scope.minds += 1;
        }
        scope.before = before;
        for seen in &mut scope.seen {
            let common = seen.common.is_some_and(|since| since <= before);
            if !(common || oneself && seen.free) {
                seen.facts.retain(|fact| eyes.settle(self.game, fact, before));
                seen.shown.extend(eyes.shown(self.game, &seen.facts, before));
            }
            seen.common = seen.common.filter(|&since| since <= before);
        }
        scope.seen.retain(|seen| !seen.facts.is_empty());
    }

    /// Whether one of the cases must hold, or what is concluded.
    fn exhaustive(
        &mut self,
        rule: Option<&G::Rule>,
        cases: &[CaseOf<G>],
        have: &[FactOf<G>],
        goal: &[FactOf<G>],
        scope: &ScopeOf<G>,
    ) -> Checked {
        let all = |facts: &[FactOf<G>]| match facts {
            [one] => one.clone(),
            several => Fact::All(several.to_vec()),
        };
        let mut ways: Vec<FactOf<G>> = cases.iter().map(|case| all(&case.assume)).collect();
        ways.push(all(goal));
        match rule {
            None => {
                let either = |way: &FactOf<G>| ways.contains(&way.clone().negated());
                ensure(ways.iter().any(either), "there may be another case")
            }
            Some(rule) => {
                for premise in self.game.leads(rule, have, &Fact::Any(ways))? {
                    self.premise(&premise, scope)?;
                }
                Ok(())
            }
        }
    }

    /// Whether the case leads to the facts, or cannot be.
    fn case(&mut self, case: &CaseOf<G>, goal: &[FactOf<G>], scope: &ScopeOf<G>) -> Checked {
        self.assumed(case)?;
        let mut inside = scope.clone();
        inside.assumed += 1;
        let (number, facts) = (case.number, case.assume.clone());
        inside.seen.push(Seen { number, facts, free: false, common: None, shown: Vec::new() });
        self.inside(&case.lines, &mut inside)?;
        let mut last = concluded_in(&case.lines);
        last.extend(case.assume.iter().cloned());
        ensure(goal.iter().all(|fact| follows(&last, fact)), "a case leads elsewhere")
    }
}

/// What the lines conclude, those inside other lines left out.
fn concluded_in<A: Clone, P, R>(lines: &[Line<A, P, R>]) -> Vec<Fact<A>> {
    lines.iter().flat_map(|line| line.facts.iter().cloned()).collect()
}

/// Whether the fact says that these eyes know, one through the other, what follows from the facts.
fn concluded<A: Clone + Eq>(eyes: &[Eyes], fact: &Fact<A>, last: &[Fact<A>]) -> bool {
    match (eyes.split_first(), fact) {
        (None, fact) => follows(last, fact),
        (Some((Eyes::Pooled(seats), rest)), Fact::Knows(of, inner)) => of == seats && concluded(rest, inner, last),
        (Some((Eyes::Each(seats), rest)), Fact::Common(of, inner)) => of == seats && concluded(rest, inner, last),
        (Some(_), _) => false,
    }
}
