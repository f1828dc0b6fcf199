//! The tree of a file as it was written: names unresolved.

use super::lexer::Section;
use crate::document::Refused;
use crate::formula::{Along, ArithOp, Cmp, Path};
use crate::syntax::Span;

/// A name with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
}

/// A formula, a term or a constant: which of them is decided when names are resolved.
#[derive(Debug)]
pub(super) struct Expr<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Span,
    /// The largest number of operators inside one another.
    pub(super) height: usize,
}

#[derive(Debug)]
pub(super) enum Kind<'t> {
    Bool(bool),
    Int(i64),
    Name(&'t str),
    /// `agent.variable`, `agent.Action`.
    Of(Word<'t>, Word<'t>),
    /// `agent.RedStates` or, if true, `agent.GreenStates`.
    Colour(Word<'t>, bool),
    Neg(Box<Expr<'t>>),
    Arith(ArithOp, Box<Expr<'t>>, Box<Expr<'t>>),
    BitNot(Box<Expr<'t>>),
    Bit(BitOp, Box<Expr<'t>>, Box<Expr<'t>>),
    Compare(Cmp, Box<Expr<'t>>, Box<Expr<'t>>),
    Not(Box<Expr<'t>>),
    And(Vec<Expr<'t>>),
    Or(Vec<Expr<'t>>),
    Imp(Box<Expr<'t>>, Box<Expr<'t>>),
    Path(Path, Along, Box<Expr<'t>>),
    Until(Path, Box<Expr<'t>>, Box<Expr<'t>>),
    /// `A ψ`, `E ψ`.
    Runs(Path, Box<Expr<'t>>),
    /// `X ψ`, `F ψ`, `G ψ` of a run.
    Linear(Along, Box<Expr<'t>>),
    /// `φ U ψ` of a run.
    LinearUntil(Box<Expr<'t>>, Box<Expr<'t>>),
    Knows(Word<'t>, Box<Expr<'t>>),
    Ought(Word<'t>, Box<Expr<'t>>),
    Together(Together, Word<'t>, Box<Expr<'t>>),
    Ensure(Word<'t>, Along, Box<Expr<'t>>),
    EnsureUntil(Word<'t>, Box<Expr<'t>>, Box<Expr<'t>>),
}

impl Expr<'_> {
    /// Whether the formula speaks of a run: an operator of path formulas stands outside every other modality.
    pub(super) fn is_of_runs(&self) -> bool {
        match &self.kind {
            Kind::Linear(..) | Kind::LinearUntil(..) => true,
            Kind::Not(inner) => inner.is_of_runs(),
            Kind::And(parts) | Kind::Or(parts) => parts.iter().any(Expr::is_of_runs),
            Kind::Imp(a, b) => a.is_of_runs() || b.is_of_runs(),
            _ => false,
        }
    }
}

/// An operator between truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BitOp {
    And,
    Or,
    Xor,
}

/// How a group knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    Everyone,
    Common,
    Distributed,
}

#[derive(Debug)]
pub(super) struct VarTree<'t> {
    pub(super) name: Word<'t>,
    pub(super) domain: Domain<'t>,
}

#[derive(Debug)]
pub(super) enum Domain<'t> {
    Boolean,
    Range(i64, i64),
    Values(Vec<Word<'t>>),
}

#[derive(Debug)]
pub(super) struct AllowTree<'t> {
    /// `None` is `Other`.
    pub(super) guard: Option<Expr<'t>>,
    pub(super) actions: Vec<Word<'t>>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct RuleTree<'t> {
    pub(super) sets: Vec<SetTree<'t>>,
    pub(super) guard: Expr<'t>,
    pub(super) span: Span,
}

/// `target = value` before an `if`.
#[derive(Debug)]
pub(super) struct SetTree<'t> {
    /// The agent, if it is written.
    pub(super) owner: Option<Word<'t>>,
    pub(super) target: Word<'t>,
    pub(super) value: Expr<'t>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct AgentTree<'t> {
    pub(super) name: Word<'t>,
    /// The parts that are there.
    pub(super) parts: Vec<Section>,
    pub(super) obsvars: Vec<VarTree<'t>>,
    pub(super) vars: Vec<VarTree<'t>>,
    pub(super) lobsvars: Vec<Word<'t>>,
    pub(super) actions: Vec<Word<'t>>,
    pub(super) protocol: Vec<AllowTree<'t>>,
    pub(super) evolution: Vec<RuleTree<'t>>,
    pub(super) red: Vec<Expr<'t>>,
    pub(super) green: Vec<Expr<'t>>,
}

#[derive(Debug, Default)]
pub(super) struct FileTree<'t> {
    /// Whether every variable of an agent changes on its own.
    pub(super) single: bool,
    pub(super) agents: Vec<AgentTree<'t>>,
    pub(super) evaluation: Vec<(Word<'t>, Expr<'t>)>,
    pub(super) init: Vec<Expr<'t>>,
    pub(super) groups: Vec<(Word<'t>, Vec<Word<'t>>)>,
    pub(super) fairness: Vec<Expr<'t>>,
    /// Each with its text, in single spaces.
    pub(super) formulae: Vec<(Expr<'t>, String)>,
    /// Formulas that can be read but not asked.
    pub(super) refused: Vec<Refused>,
    /// Whether all declarations could be read: otherwise an unknown name is no problem of its own.
    pub(super) complete: bool,
}
