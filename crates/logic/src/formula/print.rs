//! Formulas, actions and programs as text that reads back equal.

use super::{Action, Along, ArithOp, Cmp, F, Formula, Group, Name, Path, Program, Term, Value};
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter, Write};
use std::sync::Arc;

/// Names for formulas: where a named formula occurs inside another, its name is printed.
///
/// Only the very formulas that were named are recognised, not others that look the same.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By address; the formulas are kept so that no address is used twice.
    named: Arc<HashMap<usize, (F, Name)>>,
}

impl Names {
    /// Names for these formulas.
    pub fn new(named: impl IntoIterator<Item = (F, Name)>) -> Names {
        Names { named: Arc::new(named.into_iter().map(|(f, name)| (Arc::as_ptr(&f).addr(), (f, name))).collect()) }
    }

    fn of(&self, f: &F) -> Option<&Name> {
        self.named.get(&Arc::as_ptr(f).addr()).map(|(_, name)| name)
    }

    /// The formula as text; the formula itself is written out, named parts are not. Very long text ends in `…`.
    pub fn formula(&self, f: &Formula) -> String {
        capped(&Shown(|out: &mut Formatter<'_>| Printer { names: self, out }.formula(f, Level::Until, false)))
    }

    /// The name of the formula, if it has one.
    pub fn name(&self, f: &F) -> Option<&Name> {
        self.of(f)
    }

    /// The formula by its name if it has one, else as text.
    pub fn short(&self, f: &F) -> String {
        self.of(f).map_or_else(|| self.formula(f), |name| name.to_string())
    }

    /// The action as text. Very long text ends in `…`.
    pub fn action(&self, a: &Action) -> String {
        capped(&Shown(|out: &mut Formatter<'_>| Printer { names: self, out }.action(a, ActionLevel::Choice, false)))
    }
}

/// Text of at most some thousand characters; printing stops there.
fn capped(shown: &dyn Display) -> String {
    struct Short(String);
    impl Write for Short {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.0.push_str(s);
            if self.0.len() > 4000 { Err(fmt::Error) } else { Ok(()) }
        }
    }
    let mut out = Short(String::new());
    if write!(out, "{shown}").is_err() {
        out.0.push('…');
    }
    out.0
}

struct Shown<W: Fn(&mut Formatter<'_>) -> fmt::Result>(W);

impl<W: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Shown<W> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

/// Binding strength, weakest first; a child weaker than its place gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Until,
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
            // Two signs in a row would begin a comment.
            if matches!(&**t, Term::Neg(_) | Term::Value(Value::Int(..0))) {
                return write!(f, "-({t})");
            }
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
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Printer { names: &Names::default(), out }.formula(self, Level::Until, false)
    }
}

impl Display for Action {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Printer { names: &Names::default(), out }.action(self, ActionLevel::Choice, false)
    }
}

impl Display for Program {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        Printer { names: &Names::default(), out }.program(self, ActionLevel::Choice)
    }
}

fn level(g: &Formula) -> Level {
    match g {
        Formula::Iff(..) => Level::Iff,
        Formula::Imp(..) => Level::Imp,
        Formula::Or(parts) if parts.len() > 1 => Level::Or,
        Formula::And(parts) if parts.len() > 1 => Level::And,
        Formula::LinearUntil(..) | Formula::Release(..) => Level::Until,
        _ => Level::Unary,
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

/// Writes formulas; `angle` in its methods says that a bare `>` would close a diamond.
struct Printer<'n, 'o, 'f> {
    names: &'n Names,
    out: &'o mut Formatter<'f>,
}

impl Printer<'_, '_, '_> {
    fn formula(&mut self, g: &Formula, place: Level, angle: bool) -> fmt::Result {
        let parens = level(g) < place;
        let angle = angle && !parens;
        if parens {
            self.out.write_char('(')?;
        }
        match g {
            Formula::Const(b) => write!(self.out, "{b}")?,
            Formula::Atom(name) => self.out.write_str(name)?,
            Formula::Compare(cmp, a, b) if angle => write!(self.out, "({a} {cmp} {b})")?,
            Formula::Compare(cmp, a, b) => write!(self.out, "{a} {cmp} {b}")?,
            Formula::Not(h) => self.prefixed("!", h, angle)?,
            Formula::And(parts) => self.joined(parts, " & ", "true", Level::Unary, angle)?,
            Formula::Or(parts) => self.joined(parts, " | ", "false", Level::And, angle)?,
            Formula::Imp(a, b) => {
                self.part(a, Level::Or, angle)?;
                self.out.write_str(" -> ")?;
                self.part(b, Level::Imp, angle)?;
            }
            Formula::Iff(a, b) => {
                self.part(a, Level::Imp, angle)?;
                self.out.write_str(" <-> ")?;
                self.part(b, Level::Iff, angle)?;
            }
            Formula::Xor(parts) => self.listed("xor", parts)?,
            Formula::Count(Cmp::Eq, 1, parts) => self.listed("oneof", parts)?,
            Formula::Count(cmp, n, parts) => {
                let word = match cmp {
                    Cmp::Eq => "exactly",
                    Cmp::Ne => "!exactly",
                    Cmp::Ge => "atleast",
                    Cmp::Gt => "!atmost",
                    Cmp::Le => "atmost",
                    Cmp::Lt => "!atleast",
                };
                self.listed(&format!("{word} {n} of "), parts)?;
            }
            Formula::Knows(a, h) => self.prefixed(&format!("K[{a}] "), h, angle)?,
            Formula::Possible(a, h) => self.prefixed(&format!("S[{a}] "), h, angle)?,
            Formula::KnowsWhether(a, h) => self.prefixed(&format!("Kw[{a}] "), h, angle)?,
            Formula::Everyone(g, h) => self.prefixed(&format!("E[{g}] "), h, angle)?,
            Formula::Common(g, h) => self.prefixed(&format!("C[{g}] "), h, angle)?,
            Formula::Distributed(g, h) => self.prefixed(&format!("D[{g}] "), h, angle)?,
            Formula::After(a, h) => {
                self.out.write_char('[')?;
                self.action(a, ActionLevel::Choice, false)?;
                self.prefixed("] ", h, angle)?;
            }
            Formula::Can(a, h) => {
                self.out.write_char('<')?;
                self.action(a, ActionLevel::Choice, true)?;
                self.prefixed("> ", h, angle)?;
            }
            Formula::Path(path, along, p, h) => {
                self.out.write_str(match (path, along) {
                    (Path::All, Along::Next) => "AX",
                    (Path::All, Along::Always) => "AG",
                    (Path::All, Along::Eventually) => "AF",
                    (Path::Some, Along::Next) => "EX",
                    (Path::Some, Along::Always) => "EG",
                    (Path::Some, Along::Eventually) => "EF",
                })?;
                self.braced(p)?;
                self.prefixed(" ", h, angle)?;
            }
            Formula::Until(path, p, a, b) => {
                self.out.write_str(match path {
                    Path::All => "A(",
                    Path::Some => "E(",
                })?;
                self.part(a, Level::Iff, false)?;
                self.out.write_str(" U")?;
                self.braced(p)?;
                self.out.write_char(' ')?;
                self.part(b, Level::Iff, false)?;
                self.out.write_char(')')?;
            }
            Formula::Ensure(g, along, h) => {
                let letter = match along {
                    Along::Next => 'X',
                    Along::Always => 'G',
                    Along::Eventually => 'F',
                };
                self.prefixed(&format!("<<{g}>>{letter} "), h, angle)?;
            }
            Formula::EnsureUntil(g, a, b) => {
                write!(self.out, "<<{g}>>(")?;
                self.part(a, Level::Iff, false)?;
                self.out.write_str(" U ")?;
                self.part(b, Level::Iff, false)?;
                self.out.write_char(')')?;
            }
            Formula::Ought(a, h) => self.prefixed(&format!("O[{a}] "), h, angle)?,
            Formula::Runs(path, h) => {
                let letter = match path {
                    Path::All => "A",
                    Path::Some => "E",
                };
                // What does not begin with an operator of path formulas stands in parentheses, `(φ U ψ)` of states in two:
                // in one it is the operator of CTL.
                match &**h {
                    Formula::Linear(..) => self.prefixed(&format!("{letter} "), h, angle)?,
                    Formula::LinearUntil(a, b) if !a.is_of_runs() && !b.is_of_runs() => {
                        self.enclosed(&format!("{letter}(("), h, "))")?;
                    }
                    _ => self.enclosed(&format!("{letter}("), h, ")")?,
                }
            }
            Formula::Linear(along, h) => {
                let letter = match along {
                    Along::Next => "X ",
                    Along::Always => "G ",
                    Along::Eventually => "F ",
                };
                self.prefixed(letter, h, angle)?;
            }
            Formula::LinearUntil(a, b) | Formula::Release(a, b) => {
                // Each side is one piece; to the right another of them is, too.
                let again = matches!(**b, Formula::LinearUntil(..) | Formula::Release(..));
                self.part(a, Level::Unary, angle)?;
                self.out.write_str(if matches!(g, Formula::Release(..)) { " R " } else { " U " })?;
                self.part(b, if again { Level::Until } else { Level::Unary }, angle)?;
            }
        }
        if parens {
            self.out.write_char(')')?;
        }
        Ok(())
    }

    /// A formula inside another: by its name if it has one.
    fn part(&mut self, h: &F, place: Level, angle: bool) -> fmt::Result {
        match self.names.of(h) {
            Some(name) => self.out.write_str(name),
            None => self.formula(h, place, angle),
        }
    }

    fn prefixed(&mut self, prefix: &str, h: &F, angle: bool) -> fmt::Result {
        self.out.write_str(prefix)?;
        self.part(h, Level::Unary, angle)
    }

    fn enclosed(&mut self, before: &str, h: &F, after: &str) -> fmt::Result {
        self.out.write_str(before)?;
        self.part(h, Level::Until, false)?;
        self.out.write_str(after)
    }

    fn joined(&mut self, parts: &[F], sign: &str, empty: &str, place: Level, angle: bool) -> fmt::Result {
        match parts {
            [] => self.out.write_str(empty),
            [one] => self.part(one, Level::Unary, angle),
            _ => {
                for (i, one) in parts.iter().enumerate() {
                    if i > 0 {
                        self.out.write_str(sign)?;
                    }
                    self.part(one, place, angle)?;
                }
                Ok(())
            }
        }
    }

    fn listed(&mut self, word: &str, parts: &[F]) -> fmt::Result {
        write!(self.out, "{word}(")?;
        for (i, one) in parts.iter().enumerate() {
            if i > 0 {
                self.out.write_str(", ")?;
            }
            self.part(one, Level::Iff, false)?;
        }
        self.out.write_char(')')
    }

    fn braced(&mut self, p: &Program) -> fmt::Result {
        if *p == Program::Any {
            return Ok(());
        }
        self.out.write_char('{')?;
        self.program(p, ActionLevel::Choice)?;
        self.out.write_char('}')
    }

    fn action(&mut self, a: &Action, place: ActionLevel, angle: bool) -> fmt::Result {
        let own = match a {
            Action::Choice(_) => ActionLevel::Choice,
            Action::Seq(_) => ActionLevel::Seq,
            Action::Both(..) => ActionLevel::Both,
            Action::Test(_)
            | Action::Local(_)
            | Action::Learn(..)
            | Action::Announce(_)
            | Action::Model(_)
            | Action::Move(_) => ActionLevel::Prefix,
        };
        let parens = own < place;
        let angle = angle && !parens;
        if parens {
            self.out.write_char('(')?;
        }
        match a {
            Action::Test(g) => self.test("?", g, angle)?,
            Action::Announce(g) => self.test("announce ", g, angle)?,
            Action::Seq(parts) => self.actions(parts, " ; ", ActionLevel::Both, angle)?,
            Action::Choice(parts) => self.actions(parts, " + ", ActionLevel::Seq, angle)?,
            Action::Local(b) => {
                self.out.write_char('!')?;
                self.action(b, ActionLevel::Prefix, angle)?;
            }
            Action::Learn(group, b) => {
                write!(self.out, "L[{group}] ")?;
                self.action(b, ActionLevel::Prefix, angle)?;
            }
            Action::Both(b, c) => {
                self.action(b, ActionLevel::Both, angle)?;
                self.out.write_str(" && ")?;
                self.action(c, ActionLevel::Prefix, angle)?;
            }
            Action::Model(m) => self.out.write_str(&m.name)?,
            Action::Move(text) => self.out.write_str(text)?,
        }
        if parens {
            self.out.write_char(')')?;
        }
        Ok(())
    }

    /// A tested formula; arithmetic stands in parentheses there, since `+` and `*` join actions.
    fn test(&mut self, prefix: &str, g: &F, angle: bool) -> fmt::Result {
        let mut inner = g;
        while let Formula::Not(h)
        | Formula::Knows(_, h)
        | Formula::Possible(_, h)
        | Formula::KnowsWhether(_, h)
        | Formula::Everyone(_, h)
        | Formula::Common(_, h)
        | Formula::Distributed(_, h)
        | Formula::After(_, h)
        | Formula::Can(_, h)
        | Formula::Path(_, _, _, h) = &**inner
        {
            inner = h;
        }
        if self.names.of(g).is_none() && matches!(&**inner, Formula::Compare(..)) {
            write!(self.out, "{prefix}(")?;
            self.formula(g, Level::Iff, false)?;
            return self.out.write_char(')');
        }
        self.prefixed(prefix, g, angle)
    }

    fn actions(&mut self, parts: &[Action], sign: &str, place: ActionLevel, angle: bool) -> fmt::Result {
        for (i, one) in parts.iter().enumerate() {
            if i > 0 {
                self.out.write_str(sign)?;
            }
            self.action(one, place, angle)?;
        }
        Ok(())
    }

    fn program(&mut self, p: &Program, place: ActionLevel) -> fmt::Result {
        let (own, sign, below, parts) = match p {
            Program::Any => return self.out.write_str("any"),
            Program::Action(name) => return self.out.write_str(name),
            Program::Test(g) => return self.test("?", g, false),
            Program::Star(q) => {
                self.program(q, ActionLevel::Prefix)?;
                return self.out.write_char('*');
            }
            Program::Seq(parts) => (ActionLevel::Seq, " ; ", ActionLevel::Both, parts),
            Program::Choice(parts) => (ActionLevel::Choice, " + ", ActionLevel::Seq, parts),
        };
        if own < place {
            self.out.write_char('(')?;
        }
        for (i, one) in parts.iter().enumerate() {
            if i > 0 {
                self.out.write_str(sign)?;
            }
            self.program(one, below)?;
        }
        if own < place {
            self.out.write_char(')')?;
        }
        Ok(())
    }
}
