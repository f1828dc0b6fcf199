//! Formulas, actions and programs as text that reads back equal.

use super::{Action, Along, ArithOp, Cmp, F, Formula, Group, Path, Program, Term, Value};
use std::fmt::{self, Display, Formatter, Write};

/// Binding strength, weakest first; a child weaker than its place gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Imp,
    Or,
    And,
    Unary,
}

impl Display for Cmp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cmp::Eq => "=",
            Cmp::Ne => "!=",
            Cmp::Lt => "<",
            Cmp::Le => "<=",
            Cmp::Gt => ">",
            Cmp::Ge => ">=",
        })
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(n) => write!(f, "{n}"),
            Value::Sym(s) => f.write_str(s),
        }
    }
}

impl Display for Group {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Group::All => f.write_str("all"),
            Group::Of(agents) => f.write_str(&agents.join(",")),
        }
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        term(self, 0, f)
    }
}

fn term(t: &Term, place: u8, f: &mut Formatter<'_>) -> fmt::Result {
    match t {
        Term::Value(v) => write!(f, "{v}"),
        Term::Var(name) => f.write_str(name),
        Term::Neg(t) => {
            f.write_str("-")?;
            term(t, 3, f)
        }
        Term::Bin(op, a, b) => {
            let (sign, level) = match op {
                ArithOp::Add => (" + ", 1),
                ArithOp::Sub => (" - ", 1),
                ArithOp::Mul => (" * ", 2),
                ArithOp::Div => (" / ", 2),
                ArithOp::Mod => (" % ", 2),
            };
            if level < place {
                f.write_char('(')?;
            }
            term(a, level, f)?;
            f.write_str(sign)?;
            term(b, level + 1, f)?;
            if level < place {
                f.write_char(')')?;
            }
            Ok(())
        }
    }
}

impl Display for Formula {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        formula(self, Level::Iff, false, f)
    }
}

fn level(g: &Formula) -> Level {
    match g {
        Formula::Iff(..) => Level::Iff,
        Formula::Imp(..) => Level::Imp,
        Formula::Or(parts) if parts.len() > 1 => Level::Or,
        Formula::And(parts) if parts.len() > 1 => Level::And,
        _ => Level::Unary,
    }
}

/// Prints `g` at a place of the given strength; `angle` says that a bare `>` would close a diamond.
fn formula(g: &Formula, place: Level, angle: bool, f: &mut Formatter<'_>) -> fmt::Result {
    let parens = level(g) < place;
    let angle = angle && !parens;
    if parens {
        f.write_char('(')?;
    }
    match g {
        Formula::Const(b) => write!(f, "{b}")?,
        Formula::Atom(name) => f.write_str(name)?,
        Formula::Compare(cmp, a, b) if angle => write!(f, "({a} {cmp} {b})")?,
        Formula::Compare(cmp, a, b) => write!(f, "{a} {cmp} {b}")?,
        Formula::Not(h) => prefixed("!", h, angle, f)?,
        Formula::And(parts) => joined(parts, " & ", "true", Level::Unary, angle, f)?,
        Formula::Or(parts) => joined(parts, " | ", "false", Level::And, angle, f)?,
        Formula::Imp(a, b) => {
            formula(a, Level::Or, angle, f)?;
            f.write_str(" -> ")?;
            formula(b, Level::Imp, angle, f)?;
        }
        Formula::Iff(a, b) => {
            formula(a, Level::Imp, angle, f)?;
            f.write_str(" <-> ")?;
            formula(b, Level::Iff, angle, f)?;
        }
        Formula::Xor(parts) => listed("xor", parts, f)?,
        Formula::Count(Cmp::Eq, 1, parts) => listed("oneof", parts, f)?,
        Formula::Count(cmp, n, parts) => {
            let word = match cmp {
                Cmp::Eq => "exactly",
                Cmp::Ne => "!exactly",
                Cmp::Ge => "atleast",
                Cmp::Gt => "!atmost",
                Cmp::Le => "atmost",
                Cmp::Lt => "!atleast",
            };
            listed(&format!("{word} {n} of "), parts, f)?;
        }
        Formula::Knows(a, h) => prefixed(&format!("K[{a}] "), h, angle, f)?,
        Formula::Possible(a, h) => prefixed(&format!("S[{a}] "), h, angle, f)?,
        Formula::KnowsWhether(a, h) => prefixed(&format!("Kw[{a}] "), h, angle, f)?,
        Formula::Everyone(g, h) => prefixed(&format!("E[{g}] "), h, angle, f)?,
        Formula::Common(g, h) => prefixed(&format!("C[{g}] "), h, angle, f)?,
        Formula::Distributed(g, h) => prefixed(&format!("D[{g}] "), h, angle, f)?,
        Formula::After(a, h) => prefixed(&format!("[{a}] "), h, angle, f)?,
        Formula::Can(a, h) => {
            f.write_char('<')?;
            action(a, ActionLevel::Choice, true, f)?;
            prefixed("> ", h, angle, f)?;
        }
        Formula::Path(path, along, p, h) => {
            let word = match (path, along) {
                (Path::All, Along::Next) => "AX",
                (Path::All, Along::Always) => "AG",
                (Path::All, Along::Eventually) => "AF",
                (Path::Some, Along::Next) => "EX",
                (Path::Some, Along::Always) => "EG",
                (Path::Some, Along::Eventually) => "EF",
            };
            prefixed(&format!("{word}{} ", braced(p)), h, angle, f)?;
        }
        Formula::Until(path, p, a, b) => {
            let word = match path {
                Path::All => "A",
                Path::Some => "E",
            };
            write!(f, "{word}({a} U{} {b})", braced(p))?;
        }
    }
    if parens {
        f.write_char(')')?;
    }
    Ok(())
}

fn prefixed(prefix: &str, h: &F, angle: bool, f: &mut Formatter<'_>) -> fmt::Result {
    f.write_str(prefix)?;
    formula(h, Level::Unary, angle, f)
}

fn joined(parts: &[F], sign: &str, empty: &str, place: Level, angle: bool, f: &mut Formatter<'_>) -> fmt::Result {
    match parts {
        [] => f.write_str(empty),
        [one] => formula(one, Level::Unary, angle, f),
        _ => {
            for (i, part) in parts.iter().enumerate() {
                if i > 0 {
                    f.write_str(sign)?;
                }
                formula(part, place, angle, f)?;
            }
            Ok(())
        }
    }
}

fn listed(word: &str, parts: &[F], f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, "{word}(")?;
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{part}")?;
    }
    f.write_char(')')
}

fn braced(p: &Program) -> String {
    match p {
        Program::Any => String::new(),
        Program::Action(_) | Program::Seq(_) | Program::Choice(_) | Program::Star(_) | Program::Test(_) => {
            format!("{{{p}}}")
        }
    }
}

/// Binding strength of actions and programs, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ActionLevel {
    Choice,
    Seq,
    Both,
    Prefix,
}

impl Display for Action {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        action(self, ActionLevel::Choice, false, f)
    }
}

fn action(a: &Action, place: ActionLevel, angle: bool, f: &mut Formatter<'_>) -> fmt::Result {
    let own = match a {
        Action::Choice(_) => ActionLevel::Choice,
        Action::Seq(_) => ActionLevel::Seq,
        Action::Both(..) => ActionLevel::Both,
        Action::Test(_) | Action::Local(_) | Action::Learn(..) | Action::Announce(_) | Action::Model(_) => {
            ActionLevel::Prefix
        }
    };
    let parens = own < place;
    let angle = angle && !parens;
    if parens {
        f.write_char('(')?;
    }
    match a {
        Action::Test(g) => prefixed("?", g, angle, f)?,
        Action::Announce(g) => prefixed("announce ", g, angle, f)?,
        Action::Seq(parts) => actions(parts, " ; ", ActionLevel::Both, angle, f)?,
        Action::Choice(parts) => actions(parts, " + ", ActionLevel::Seq, angle, f)?,
        Action::Local(b) => {
            f.write_char('!')?;
            action(b, ActionLevel::Prefix, angle, f)?;
        }
        Action::Learn(group, b) => {
            write!(f, "L[{group}] ")?;
            action(b, ActionLevel::Prefix, angle, f)?;
        }
        Action::Both(b, c) => {
            action(b, ActionLevel::Both, angle, f)?;
            f.write_str(" && ")?;
            action(c, ActionLevel::Prefix, angle, f)?;
        }
        Action::Model(m) => f.write_str(&m.name)?,
    }
    if parens {
        f.write_char(')')?;
    }
    Ok(())
}

fn actions(parts: &[Action], sign: &str, place: ActionLevel, angle: bool, f: &mut Formatter<'_>) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(sign)?;
        }
        action(part, place, angle, f)?;
    }
    Ok(())
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        program(self, ActionLevel::Choice, f)
    }
}

fn program(p: &Program, place: ActionLevel, f: &mut Formatter<'_>) -> fmt::Result {
    let (own, sign, below, parts) = match p {
        Program::Any => return f.write_str("any"),
        Program::Action(name) => return f.write_str(name),
        Program::Test(g) => return prefixed("?", g, false, f),
        Program::Star(q) => {
            program(q, ActionLevel::Prefix, f)?;
            return f.write_char('*');
        }
        Program::Seq(parts) => (ActionLevel::Seq, " ; ", ActionLevel::Both, parts),
        Program::Choice(parts) => (ActionLevel::Choice, " + ", ActionLevel::Seq, parts),
    };
    if own < place {
        f.write_char('(')?;
    }
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(sign)?;
        }
        program(part, below, f)?;
    }
    if own < place {
        f.write_char(')')?;
    }
    Ok(())
}
