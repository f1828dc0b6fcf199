//! Text to formulas of belief: `B[m] (p@1 -> B[h]@1 q@1) & now>=1`.

use super::language::{Alpha, Formula, Store};
use crate::syntax::{BEFORE_BRACKET, Code, Diagnostic, MAX_NESTING, Parser, RESERVED, Span, Tok};

/// Where only formulas of L0 may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Anything of L+.
    Open,
    /// In a belief base.
    Base,
    /// Inside `B[h]@t`, `B[m]` or `I[m]`.
    Belief,
    /// What is learned by `[+ α @t]`.
    Learned,
}

impl Place {
    fn words(self) -> &'static str {
        match self {
            Place::Open => "anywhere",
            Place::Base => "in a belief base",
            Place::Belief => "inside another belief",
            Place::Learned => "in what is learned",
        }
    }
}

struct Reader<'t, 's> {
    text: Parser<'t>,
    store: &'s mut Store,
    place: Place,
    depth: usize,
}

/// A formula, unless it was broken; the problem is reported then.
type Read<T = Formula> = Option<T>;

impl Store {
    /// Reads a formula of L+.
    pub fn parse(&mut self, text: &str) -> Result<Formula, Vec<Diagnostic>> {
        self.read(text, Place::Open)
    }

    /// Reads a formula of L0, as a base holds them.
    pub fn parse_basic(&mut self, text: &str) -> Result<Alpha, Vec<Diagnostic>> {
        let formula = self.read(text, Place::Base)?;
        Ok(self.as_basic(formula).expect("the reader refuses the rest"))
    }

    fn read(&mut self, text: &str, place: Place) -> Result<Formula, Vec<Diagnostic>> {
        let mut reader = Reader { text: Parser::new(text), store: self, place, depth: 0 };
        let formula = reader.formula();
        if formula.is_some() && reader.text.peek() != Tok::End {
            reader.text.unexpected("an operator or the end");
        }
        let mut problems = reader.text.problems;
        problems.sort_by_key(|problem| problem.span.start);
        match formula {
            Some(formula) if problems.is_empty() => Ok(formula),
            _ => Err(problems),
        }
    }
}

impl Reader<'_, '_> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, label: &str, help: &str) {
        self.text.report(Diagnostic::new(code, span, message).label(label).help(help));
    }

    fn formula(&mut self) -> Read {
        let left = self.implication();
        if !self.text.eat(Tok::DoubleArrow) {
            return left;
        }
        let right = self.deeper(Self::formula);
        Some(self.store.equivalent(left?, right?))
    }

    fn implication(&mut self) -> Read {
        let left = self.chain(Tok::Or, |reader| reader.chain(Tok::And, Self::unary, Store::both), Store::either);
        if !self.text.eat(Tok::Arrow) {
            return left;
        }
        let right = self.deeper(Self::implication);
        Some(self.store.if_then(left?, right?))
    }

    fn chain(
        &mut self,
        sign: Tok,
        part: fn(&mut Self) -> Read,
        join: fn(&mut Store, Formula, Formula) -> Formula,
    ) -> Read {
        let mut whole = part(self);
        while self.text.eat(sign) {
            let next = part(self);
            whole = whole.zip(next).map(|(a, b)| join(self.store, a, b));
        }
        whole
    }

    fn deeper(&mut self, parse: fn(&mut Self) -> Read) -> Read {
        if self.depth >= MAX_NESTING {
            let message = format!("nested deeper than {MAX_NESTING} levels");
            let span = self.text.span();
            self.report(Code::Depth, span, message, "too deep here", "write chains of `&` and `|` without parentheses");
            self.text.at = self.text.tokens.len() - 1;
            return None;
        }
        self.depth += 1;
        let formula = parse(self);
        self.depth -= 1;
        formula
    }

    fn unary(&mut self) -> Read {
        self.deeper(|reader| match reader.text.peek() {
            Tok::Bang => {
                reader.text.bump();
                let part = reader.unary()?;
                Some(reader.store.negate(part))
            }
            Tok::LParen => {
                reader.text.bump();
                let part = reader.formula();
                reader.text.expect(Tok::RParen, "to close the parenthesis").then_some(part?)
            }
            Tok::LBracket => reader.expansion(),
            Tok::Ident => reader.word(),
            _ => {
                reader.text.unexpected("a formula");
                None
            }
        })
    }

    fn word(&mut self) -> Read {
        let word = self.text.word();
        let span = self.text.span();
        if self.text.ahead(1).tok == Tok::LBracket {
            match word {
                "B" => return self.explicit(),
                "I" => return self.implicit(),
                _ if BEFORE_BRACKET.contains(&word) => {
                    let message = format!("`{word}[…]` is not an operator of belief bases");
                    let help = "explicit belief is `B[m] α` or `B[h]@t α`, implicit belief `I[m] α`";
                    self.report(Code::Syntax, span, message, "not in this language", help);
                    return None;
                }
                _ => {}
            }
        }
        match word {
            "true" | "⊤" => {
                self.text.bump();
                let alpha = self.store.verum();
                Some(self.store.plain(alpha))
            }
            "false" | "⊥" => {
                self.text.bump();
                let alpha = self.store.falsum();
                Some(self.store.plain(alpha))
            }
            "now" => self.now(),
            _ if RESERVED.contains(&word) => {
                let message = format!("`{word}` is a reserved word");
                self.report(Code::Reserved, span, message, "cannot be an atom", "choose another name");
                None
            }
            _ => self.atom(),
        }
    }

    /// `now>=t`
    fn now(&mut self) -> Read {
        self.text.bump();
        if self.text.peek() != Tok::Ge {
            let span = self.text.span();
            let help = "`now>=3 & !now>=4` says that it is 3, `!now>=3` that it is earlier";
            self.report(Code::Syntax, span, "the clock is only compared with `>=`", "expected `>=`", help);
            return None;
        }
        self.text.bump();
        let time = self.time()?;
        let alpha = self.store.now(time);
        Some(self.store.plain(alpha))
    }

    /// A natural number.
    fn time(&mut self) -> Read<u32> {
        let start = self.text.span();
        let negative = self.text.eat(Tok::Minus);
        let span = start.to(self.text.span());
        if self.text.peek() != Tok::Int {
            self.text.unexpected("a time, a number from 0");
            return None;
        }
        let digits = self.text.word().to_string();
        self.text.bump();
        if negative {
            let message = "a time cannot be negative";
            self.report(
                Code::Number,
                span,
                message,
                "before the beginning",
                "times are natural numbers: nothing is before 0",
            );
            return None;
        }
        let time = digits.parse().ok();
        if time.is_none() {
            let message = format!("{digits} is too large for a time");
            self.report(Code::Number, span, message, "out of range", &format!("times go up to {}", u32::MAX));
        }
        time
    }

    /// `p@t` or `p(a,3)@t`
    fn atom(&mut self) -> Read {
        let start = self.text.span();
        let mut name = self.text.word().to_string();
        self.text.bump();
        if self.text.peek() == Tok::LParen {
            name.push_str(&self.arguments()?);
        }
        let end = self.text.tokens[self.text.at - 1].span;
        if self.text.peek() != Tok::At {
            let message = format!("`{name}` has no time");
            let help = format!("every atom carries its own: `{name}@0`");
            self.report(Code::Syntax, start.to(end), message, "when?", &help);
            return None;
        }
        self.text.bump();
        let time = self.time()?;
        let prop = self.store.prop(&name);
        let alpha = self.store.atom(prop, time);
        Some(self.store.plain(alpha))
    }

    /// The arguments as they are stored, without spaces.
    fn arguments(&mut self) -> Read<String> {
        self.text.bump();
        let mut out = String::from("(");
        loop {
            if self.text.eat(Tok::Minus) {
                out.push('-');
                if self.text.peek() != Tok::Int {
                    self.text.unexpected("a number after `-`");
                    return None;
                }
            } else if !matches!(self.text.peek(), Tok::Ident | Tok::Int) {
                self.text.unexpected("a name or a number as argument");
                return None;
            }
            out.push_str(self.text.word());
            self.text.bump();
            if !self.text.eat(Tok::Comma) {
                break;
            }
            out.push(',');
        }
        out.push(')');
        self.text.expect(Tok::RParen, "to close the arguments").then_some(out)
    }

    /// `[m]` or `[h]`: whether it is the machine, and the place.
    fn agent(&mut self) -> Read<(bool, Span)> {
        self.text.bump();
        self.text.bump();
        let span = self.text.span();
        let word = self.text.word();
        if self.text.peek() != Tok::Ident || !matches!(word, "m" | "h") {
            let found = format!("`{word}` is not an agent here");
            self.report(Code::UnknownAgent, span, found, "expected `m` or `h`", "the machine is `m`, the human `h`");
            return None;
        }
        self.text.bump();
        self.text.expect(Tok::RBracket, "after the agent").then_some((word == "m", span))
    }

    /// `B[m] α` or `B[h]@t α`
    fn explicit(&mut self) -> Read {
        let (machine, agent) = self.agent()?;
        let here = self.text.span();
        let timed = self.text.eat(Tok::At);
        if machine && timed {
            let help = "write `B[m] α`; only the human's beliefs carry a time";
            self.report(Code::Syntax, here, "the machine's beliefs are those it has now", "no time here", help);
            self.time();
            self.inner(Place::Belief);
            return None;
        }
        if !machine && !timed {
            let help = "write `B[h]@0 α`";
            self.report(Code::Syntax, agent, "a belief of the human needs a time", "when?", help);
            self.inner(Place::Belief);
            return None;
        }
        let time = if timed { self.time() } else { Some(0) };
        let alpha = self.inner(Place::Belief);
        let (time, alpha) = (time?, alpha?);
        let belief = if machine { self.store.machine(alpha) } else { self.store.human(time, alpha) };
        Some(self.store.plain(belief))
    }

    /// `I[m] α`
    fn implicit(&mut self) -> Read {
        let start = self.text.span();
        let (machine, agent) = self.agent()?;
        let allowed = self.allowed(start, "implicit belief `I[m]`");
        if !machine {
            let help = "`B[h]@t α` says what the human believes explicitly";
            self.report(Code::UnknownAgent, agent, "only the machine believes implicitly", "not the human", help);
        }
        let alpha = self.inner(Place::Belief)?;
        (machine && allowed).then(|| self.store.implicit(alpha))
    }

    /// `[+ α @t] φ`; the last `@` before the bracket is the expansion's.
    fn expansion(&mut self) -> Read {
        let start = self.text.bump().span;
        if !self.text.expect(Tok::Plus, "to learn something: `[+ α @t] φ`") {
            return None;
        }
        let allowed = self.allowed(start, "learning `[+ …]`");
        let outer = std::mem::replace(&mut self.place, Place::Learned);
        let learned = self.formula();
        self.place = outer;
        let learned = self.store.as_basic(learned?);
        if self.text.peek() != Tok::At {
            let span = self.text.span();
            let help = "every atom has its own time, and the expansion one more: `[+ p@1 @2] φ`";
            self.report(Code::Syntax, span, "the expansion has no time", "expected `@` and a time", help);
            return None;
        }
        self.text.bump();
        let time = self.time();
        if !self.text.expect(Tok::RBracket, "to close the expansion") {
            return None;
        }
        let then = self.unary()?;
        let (learned, time) = (learned?, time?);
        allowed.then(|| self.store.after(learned, time, then))
    }

    /// A formula of L0 that an operator takes.
    fn inner(&mut self, place: Place) -> Read<Alpha> {
        let outer = std::mem::replace(&mut self.place, place);
        let part = self.unary();
        self.place = outer;
        self.store.as_basic(part?)
    }

    /// Refuses what is not in L0 where only L0 may stand.
    fn allowed(&mut self, span: Span, what: &str) -> bool {
        let allowed = self.place == Place::Open;
        if !allowed {
            let message = format!("{what} cannot stand {}", self.place.words());
            let help = "there only atoms, `now>=t`, explicit beliefs `B[…]`, `!` and `&` make formulas";
            self.report(Code::Objective, span, message, "not in this place", help);
        }
        allowed
    }
}
