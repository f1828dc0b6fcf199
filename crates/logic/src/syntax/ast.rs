//! The tree of a text as it was written: names unresolved, quantifiers and repetitions not yet expanded.

use super::diagnostic::Span;
use crate::formula::{Along, ArithOp, Cmp, Path};
use crate::model::system::{Recall, Visibility};

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ident {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A formula, a term or an index: which of them is decided when names are resolved.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Bool(bool),
    /// Digits as written; how large they may be depends on the use.
    Int(String),
    Name(String),
    Call(Ident, Vec<Expr>),
    Neg(Box<Expr>),
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    Power(Box<Expr>, Box<Expr>),
    Compare(Cmp, Box<Expr>, Box<Expr>),
    In(Box<Expr>, Set),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Imp(Box<Expr>, Box<Expr>),
    Iff(Box<Expr>, Box<Expr>),
    Count(Counting, Vec<Item>),
    Quantified {
        all: bool,
        binders: Binders,
        body: Box<Expr>,
    },
    Modal(Modal, GroupExpr, Box<Expr>),
    Dynamic {
        diamond: bool,
        action: ActionExpr,
        times: Option<Box<Expr>>,
        body: Box<Expr>,
    },
    Path(Path, Along, Option<ActionExpr>, Box<Expr>),
    Until(Path, Option<ActionExpr>, Box<Expr>, Box<Expr>),
    Ensure(GroupExpr, Along, Box<Expr>),
    EnsureUntil(GroupExpr, Box<Expr>, Box<Expr>),
    /// `A ψ`, `E ψ`.
    Runs(Path, Box<Expr>),
    /// `X ψ`, `F ψ`, `G ψ` in a path formula.
    Linear(Along, Box<Expr>),
    /// `φ U ψ` in a path formula, or with `true` `φ R ψ`.
    LinearUntil(bool, Box<Expr>, Box<Expr>),
    /// Something that did not parse; already reported.
    Error,
}

impl Expr {
    /// Whether the formula speaks of a run: an operator of path formulas stands outside every other modality.
    pub(crate) fn is_of_runs(&self) -> bool {
        match &self.kind {
            ExprKind::Linear(..) | ExprKind::LinearUntil(..) => true,
            ExprKind::Not(inner) => inner.is_of_runs(),
            ExprKind::Imp(a, b) | ExprKind::Iff(a, b) => a.is_of_runs() || b.is_of_runs(),
            ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().any(Expr::is_of_runs),
            ExprKind::Quantified { body, .. } => body.is_of_runs(),
            ExprKind::Count(_, items) => items.iter().any(|item| item.expr.is_of_runs()),
            _ => false,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Counting {
    Xor,
    OneOf,
    Number(Cmp, Box<Expr>),
}

/// An element of a list, possibly one per binding: `muddy(j) for j in 1..n where j != i`.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) expr: Expr,
    pub(crate) binders: Binders,
}

/// `i in 1..n, j in S where φ`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Binders {
    pub(crate) vars: Vec<(Ident, Set)>,
    pub(crate) condition: Option<Box<Expr>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) kind: SetKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum SetKind {
    Range(Box<Expr>, Box<Expr>),
    List(Vec<Item>),
    /// An enumeration, or `agents`.
    Named(String),
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modal {
    K,
    S,
    Kw,
    E,
    C,
    D,
    O,
}

#[derive(Clone, Debug)]
pub(crate) struct GroupExpr {
    pub(crate) kind: GroupKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum GroupKind {
    All,
    Of(Vec<Item>),
}

#[derive(Clone, Debug)]
pub(crate) struct ActionExpr {
    pub(crate) kind: ActionKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ActionKind {
    Test(Box<Expr>),
    Announce {
        whether: bool,
        formula: Box<Expr>,
    },
    Seq(Vec<ActionExpr>),
    Choice(Vec<ActionExpr>),
    /// A choice with an alternative per binding: `choose c in card: α`.
    ChoiceOver(Binders, Box<ActionExpr>),
    /// A sequence with a step per binding: `each i in 1..n: α`.
    SeqOver(Binders, Box<ActionExpr>),
    Both(Box<ActionExpr>, Box<ActionExpr>),
    Local(Box<ActionExpr>),
    Learn(GroupExpr, Box<ActionExpr>),
    Star(Box<ActionExpr>),
    Named(Ident, Vec<Expr>),
    /// A move of a game in its own words.
    Move(String),
    Error,
}

/// A whole `.ken` file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileTree {
    pub(crate) statements: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    /// `belief`: relations are arbitrary.
    Belief,
    Param {
        name: Ident,
        value: Expr,
    },
    Enum {
        name: Ident,
        values: Vec<Ident>,
    },
    Agents(Vec<Item>),
    Props {
        items: Vec<Item>,
        /// The agent whose local state they belong to.
        owner: Option<Expr>,
    },
    Vars {
        names: Vec<Expr>,
        domain: Set,
        owner: Option<Expr>,
        binders: Binders,
    },
    Law(Expr),
    Observe {
        agents: GroupExpr,
        what: Vec<Item>,
    },
    Worlds(Vec<WorldExpr>),
    /// `confuse a: w0 w1 | w2 w3`, the classes of agents.
    Confuse(ConfuseExpr),
    /// `edges a: w0 -> w1, w1 -> w1`.
    Edges(EdgesExpr),
    Let {
        name: Ident,
        params: Vec<Ident>,
        body: Expr,
    },
    Action {
        name: Ident,
        params: Vec<Ident>,
        body: ActionBody,
    },
    Point {
        name: Option<Ident>,
        facts: Vec<Item>,
    },
    /// `system recall none, actions hidden, may end`.
    System(SystemExpr),
    /// `environment channel`: somebody who acts and knows nothing.
    Environment(Vec<Item>),
    /// `actions sender: send, wait`.
    Actions {
        actors: GroupExpr,
        actions: Vec<Item>,
    },
    /// `protocol sender: send if φ`.
    Protocol {
        actors: GroupExpr,
        actions: Vec<Item>,
        when: When,
        binders: Binders,
    },
    /// `next x := t if φ for i in S`.
    Next {
        target: Expr,
        value: NextExpr,
        guard: Option<Expr>,
        binders: Binders,
    },
    Initial(Expr),
    Program {
        name: Ident,
        params: Vec<Ident>,
        body: ActionExpr,
    },
    Fair(Vec<Item>),
    /// `red a: φ`.
    Red {
        agents: GroupExpr,
        formula: Expr,
    },
    Query {
        kind: QueryKind,
        formula: Expr,
        expect: Option<Expect>,
    },
}

#[derive(Clone, Debug, Default)]
pub(crate) struct SystemExpr {
    pub(crate) recall: Option<Recall>,
    pub(crate) visibility: Option<Visibility>,
    pub(crate) may_end: bool,
}

/// When a line of a protocol applies.
#[derive(Clone, Debug)]
pub(crate) enum When {
    Always,
    If(Box<Expr>),
    Otherwise,
}

#[derive(Clone, Debug)]
pub(crate) enum NextExpr {
    Value(Box<Expr>),
    In(Set),
}

#[derive(Clone, Debug)]
pub(crate) struct WorldExpr {
    pub(crate) name: Ident,
    pub(crate) facts: Vec<Item>,
}

#[derive(Clone, Debug)]
pub(crate) struct ConfuseExpr {
    pub(crate) agents: GroupExpr,
    pub(crate) classes: Vec<Vec<Item>>,
}

#[derive(Clone, Debug)]
pub(crate) struct EdgesExpr {
    pub(crate) agents: GroupExpr,
    pub(crate) pairs: Vec<(Expr, Expr, Binders)>,
}

#[derive(Clone, Debug)]
pub(crate) enum ActionBody {
    Action(ActionExpr),
    Events(EventsExpr),
}

/// `events { ... }`: a general action model.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventsExpr {
    pub(crate) events: Vec<EventExpr>,
    pub(crate) confuse: Vec<ConfuseExpr>,
    pub(crate) edges: Vec<EdgesExpr>,
}

#[derive(Clone, Debug)]
pub(crate) struct EventExpr {
    pub(crate) designated: bool,
    pub(crate) name: Expr,
    pub(crate) pre: Option<Expr>,
    /// Target, value and the bindings over which the change is repeated.
    pub(crate) changes: Vec<(Expr, Expr, Binders)>,
    pub(crate) binders: Binders,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryKind {
    Check,
    Valid,
    Where,
    Count,
}

#[derive(Clone, Debug)]
pub(crate) enum Expect {
    Truth(bool),
    Number(Expr),
    /// Worlds, each by its facts or by its name.
    Worlds(Vec<Vec<Item>>),
}
