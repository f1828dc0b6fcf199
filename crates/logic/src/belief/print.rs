//! Formulas to text that reads back as the same formula, with abbreviations where they fit.

use super::language::{Alpha, Basic, Formula, Node, Store};
use std::fmt::Write;

/// A formula of either kind; one of L0 is always `Basic`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole(Formula),
    Basic(Alpha),
}

/// How a formula is written.
enum View {
    Word(&'static str),
    Iff(Part, Part),
    Implies(Part, Part),
    Or(Part, Part),
    And(Part, Part),
    Not(Part),
    Atom,
}

/// How tightly an operator binds: parts that bind less get parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Or,
    And,
    Unary,
}

impl Store {
    /// The text of a formula of L0.
    pub fn show_basic(&self, alpha: Alpha) -> String {
        let mut out = String::new();
        self.write(Part::Basic(alpha), Level::Iff, &mut out);
        out
    }

    /// The text of a formula.
    pub fn show(&self, formula: Formula) -> String {
        let mut out = String::new();
        self.write(self.part(formula), Level::Iff, &mut out);
        out
    }

    fn part(&self, formula: Formula) -> Part {
        self.as_basic(formula).map_or(Part::Whole(formula), Part::Basic)
    }

    fn negated(&self, part: Part) -> Option<Part> {
        match part {
            Part::Whole(formula) => match self.node(formula) {
                Node::Not(inner) => Some(self.part(inner)),
                Node::Basic(_) | Node::And(..) | Node::Implicit(_) | Node::After(..) => None,
            },
            Part::Basic(alpha) => match self.basic(alpha) {
                Basic::Not(inner) => Some(Part::Basic(inner)),
                Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::And(..) | Basic::Machine(_) => None,
            },
        }
    }

    fn joined(&self, part: Part) -> Option<(Part, Part)> {
        match part {
            Part::Whole(formula) => match self.node(formula) {
                Node::And(a, b) => Some((self.part(a), self.part(b))),
                Node::Basic(_) | Node::Not(_) | Node::Implicit(_) | Node::After(..) => None,
            },
            Part::Basic(alpha) => match self.basic(alpha) {
                Basic::And(a, b) => Some((Part::Basic(a), Part::Basic(b))),
                Basic::Atom(..) | Basic::Human(..) | Basic::Now(_) | Basic::Not(_) | Basic::Machine(_) => None,
            },
        }
    }

    /// a and b, if the formula is `a -> b`.
    fn implication(&self, part: Part) -> Option<(Part, Part)> {
        let (a, b) = self.joined(self.negated(part)?)?;
        Some((a, self.negated(b)?))
    }

    fn is_false(&self, part: Part) -> bool {
        let zero = |part| matches!(part, Part::Basic(alpha) if self.basic(alpha) == Basic::Now(0));
        self.joined(part).is_some_and(|(a, b)| zero(a) && self.negated(b) == Some(a))
    }

    fn view(&self, part: Part) -> View {
        if self.is_false(part) {
            return View::Word("false");
        }
        if let Some((a, b)) = self.joined(part) {
            return match (self.implication(a), self.implication(b)) {
                (Some((from, to)), Some((back, again))) if from == again && to == back => View::Iff(from, to),
                _ => View::And(a, b),
            };
        }
        let Some(inner) = self.negated(part) else { return View::Atom };
        if self.is_false(inner) {
            return View::Word("true");
        }
        match self.implication(part) {
            Some((a, b)) => match self.negated(a) {
                Some(a) => View::Or(a, b),
                None => View::Implies(a, b),
            },
            None => View::Not(inner),
        }
    }

    fn write(&self, part: Part, level: Level, out: &mut String) {
        let (own, sign) = match self.view(part) {
            View::Word(word) => return out.push_str(word),
            View::Atom => return self.write_atom(part, out),
            View::Not(inner) => {
                out.push('!');
                return self.write(inner, Level::Unary, out);
            }
            View::Iff(..) => (Level::Iff, " <-> "),
            View::Implies(..) => (Level::Implies, " -> "),
            View::Or(..) => (Level::Or, " | "),
            View::And(..) => (Level::And, " & "),
        };
        let bracket = own < level;
        if bracket {
            out.push('(');
        }
        match self.view(part) {
            // To the right, as they are read.
            View::Iff(a, b) => {
                self.write(a, Level::Implies, out);
                out.push_str(sign);
                self.write(b, Level::Iff, out);
            }
            View::Implies(a, b) => {
                self.write(a, Level::Or, out);
                out.push_str(sign);
                self.write(b, Level::Implies, out);
            }
            View::Or(..) | View::And(..) => {
                // A chain grows to the left and may be as long as a program makes it.
                let mut chain = Vec::new();
                let mut first = part;
                while let (View::Or(a, b), Level::Or) | (View::And(a, b), Level::And) = (self.view(first), own) {
                    chain.push(b);
                    first = a;
                }
                let inner = if own == Level::Or { Level::And } else { Level::Unary };
                self.write(first, inner, out);
                for &next in chain.iter().rev() {
                    out.push_str(sign);
                    self.write(next, inner, out);
                }
            }
            View::Word(_) | View::Not(_) | View::Atom => unreachable!("written above"),
        }
        if bracket {
            out.push(')');
        }
    }

    fn write_atom(&self, part: Part, out: &mut String) {
        let inner = match part {
            Part::Whole(formula) => match self.node(formula) {
                Node::Implicit(alpha) => {
                    out.push_str("I[m] ");
                    Part::Basic(alpha)
                }
                Node::After(alpha, time, then) => {
                    out.push_str("[+ ");
                    self.write(Part::Basic(alpha), Level::Iff, out);
                    let _ = write!(out, " @{time}] ");
                    self.part(then)
                }
                Node::Basic(_) | Node::Not(_) | Node::And(..) => unreachable!("not an atom"),
            },
            Part::Basic(alpha) => match self.basic(alpha) {
                Basic::Atom(prop, time) => {
                    let _ = write!(out, "{}@{time}", self.name(prop));
                    return;
                }
                Basic::Now(time) => {
                    let _ = write!(out, "now>={time}");
                    return;
                }
                Basic::Human(time, inner) => {
                    let _ = write!(out, "B[h]@{time} ");
                    Part::Basic(inner)
                }
                Basic::Machine(inner) => {
                    out.push_str("B[m] ");
                    Part::Basic(inner)
                }
                Basic::Not(_) | Basic::And(..) => unreachable!("not an atom"),
            },
        };
        self.write(inner, Level::Unary, out);
    }
}
