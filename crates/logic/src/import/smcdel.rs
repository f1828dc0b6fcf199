//! The text format of SMCDEL: a knowledge structure and questions about it.
//!
//! ```text
//! file  ::= VARS ints  LAW φ  OBS (agent: ints)+  query*        -- comments run to the end of the line
//! query ::= TRUE? {ints} φ | VALID? φ | WHERE? φ
//! φ ::= Top | Bot | int | (φ) | AND (φ, …) | OR (φ, …) | XOR (φ, …) | ONEOF (φ, …)
//!     | ~φ | a knows that φ | a knows whether φ | a knows whether (φ, …)
//!     | a,b comknow that φ | (a,b) distknow whether φ | …
//!     | [!φ] φ | [?!φ] φ | [a,b !φ] φ | [a,b ?!φ] φ | <!φ> φ | …
//!     | φ & φ | φ '|' φ | φ -> φ | φ iff φ
//!     | K a φ | Kw a φ | Forall ints φ | Exists ints φ
//! ```
//!
//! What binds how is not what it is elsewhere. The prefixes `~`, `knows`, `comknow`, `distknow` and the announcements
//! bind tightest. Then come `&` and `|`, equally strong and to the left: `1 | 2 & 3` is `(1 | 2) & 3`. Then `->` and
//! `iff`, equally strong and to the left. The prefixes `K`, `Kw`, `Forall` and `Exists` reach as far to the right as
//! they can: `K a 1 & 2` is `K a (1 & 2)`, while `a knows that 1 & 2` is `(a knows that 1) & 2`.
//!
//! An announcement to a group, `[a,b !φ]`, tells a and b *whether* φ and the others that a and b were told, where φ
//! is true: in SMCDEL's definition no world goes and a and b tell φ-worlds from others. So it is
//! `L[all] (!L[a,b] ?φ + L[a,b] ?!φ)`, and with `?!` the mark goes.
//!
//! `Forall` and `Exists` put true and false for each proposition. Over knowledge they are refused: there SMCDEL's own
//! two evaluators disagree (one puts values into the formula, the other into the set of states where it is true).
//!
//! Proposition 7 is the atom `p7`; agents keep their names.

use crate::check::Limits;
use crate::check::explicit::Explicit;
use crate::formula::{Action, Cmp, F, Formula, Group, Name};
use crate::model::law::{Facts, Law, LawModel, Observation};
use crate::model::{Document, Kripke, Model, Query, QueryKind};
use crate::syntax::{Code, Diagnostic, Scope, Span, nearest};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How deep formulas may nest.
const MAX_NESTING: usize = 256;

/// How many operators and atoms a formula may have when everything is written out.
const MAX_SIZE: u64 = 1_000_000;

/// How many operators and atoms the quantifiers of one file may go through.
const MAX_WORK: u64 = 16_000_000;

/// Reads a model and its questions in the text format of SMCDEL; on failure, every problem found.
pub fn model_from_smcdel(text: &str) -> Result<Document, Vec<Diagnostic>> {
    let (tokens, problems) = lex(text);
    let mut reader = Reader {
        text,
        tokens,
        at: 0,
        problems,
        props: Vec::new(),
        atoms: HashMap::new(),
        props_known: true,
        agents: Vec::new(),
        observes: Vec::new(),
        agents_known: true,
        reported: HashSet::new(),
        depth: 0,
        work: 0,
    };
    let document = reader.file();
    reader.problems.sort_by_key(|p| p.span.start);
    if reader.problems.is_empty() { Ok(document) } else { Err(reader.problems) }
}

/// The parts that a keyword opens, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Vars,
    Law,
    Obs,
    Query(QuestionKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuestionKind {
    True,
    Valid,
    Where,
}

impl Section {
    /// The place in the file; all questions have the same.
    fn rank(self) -> usize {
        match self {
            Section::Vars => 0,
            Section::Law => 1,
            Section::Obs => 2,
            Section::Query(_) => 3,
        }
    }
}

/// Whose knowledge an infix operator speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Knower {
    One,
    Common,
    Distributed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tok {
    Section(Section),
    Name,
    Int,
    Colon,
    Comma,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
    Lt,
    Gt,
    Bang,
    Question,
    Top,
    Bot,
    Not,
    And,
    Or,
    Imp,
    Iff,
    AllOf,
    AnyOf,
    XorOf,
    OneOf,
    K,
    Kw,
    Forall,
    Exists,
    /// `knows that`, `comknow whether` and the like: whose knowledge, and whether it is "whether".
    Know(Knower, bool),
    End,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    tok: Tok,
    span: Span,
}

/// The words of the language that stand alone.
const WORDS: &[(&str, Tok)] = &[
    ("VARS", Tok::Section(Section::Vars)),
    ("LAW", Tok::Section(Section::Law)),
    ("OBS", Tok::Section(Section::Obs)),
    ("Top", Tok::Top),
    ("Bot", Tok::Bot),
    ("AND", Tok::AllOf),
    ("OR", Tok::AnyOf),
    ("XOR", Tok::XorOf),
    ("ONEOF", Tok::OneOf),
    ("Not", Tok::Not),
    ("not", Tok::Not),
    ("iff", Tok::Iff),
    ("Forall", Tok::Forall),
    ("ForAll", Tok::Forall),
    ("Exists", Tok::Exists),
    ("K", Tok::K),
    ("Kw", Tok::Kw),
];

const SYMBOLS: &[(&str, Tok)] = &[
    ("->", Tok::Imp),
    ("→", Tok::Imp),
    (":", Tok::Colon),
    (",", Tok::Comma),
    ("(", Tok::LParen),
    (")", Tok::RParen),
    ("[", Tok::LBracket),
    ("]", Tok::RBracket),
    ("{", Tok::LBrace),
    ("}", Tok::RBrace),
    ("<", Tok::Lt),
    (">", Tok::Gt),
    ("!", Tok::Bang),
    ("?", Tok::Question),
    ("~", Tok::Not),
    ("¬", Tok::Not),
    ("&", Tok::And),
    ("∧", Tok::And),
    ("|", Tok::Or),
    ("∨", Tok::Or),
];

/// Reads the whole text; unreadable characters are reported and skipped. The last token is [`Tok::End`].
fn lex(text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let (mut tokens, mut problems) = (Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let (tok, length) = if c.is_whitespace() || c == '\u{feff}' {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("--") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c.is_alphabetic() || c == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            if rest[..length].bytes().all(|b| b.is_ascii_alphanumeric()) {
                word(rest)
            } else {
                let message = format!("`{}` cannot be a name here", &rest[..length]);
                let problem = Diagnostic::new(Code::Character, Span::new(at, at + length), message);
                problems.push(problem.label("only letters from a to z and digits"));
                (Tok::Name, length)
            }
        } else if c.is_ascii_digit() {
            (Tok::Int, run(rest, |b| b.is_ascii_digit()))
        } else if let Some(&(symbol, tok)) = SYMBOLS.iter().find(|(s, _)| rest.starts_with(s)) {
            (tok, symbol.len())
        } else {
            let span = Span::new(at, at + c.len_utf8());
            let message = format!("the character `{}` is not used here", c.escape_debug());
            let mut problem = Diagnostic::new(Code::Character, span, message).label("not part of the language");
            if c == '-' {
                problem = problem.help("a comment starts with `--`, an implication is `->`");
            }
            problems.push(problem);
            at += c.len_utf8();
            continue;
        };
        tokens.push(Token { tok, span: Span::new(at, at + length) });
        at += length;
    }
    tokens.push(Token { tok: Tok::End, span: Span::new(text.len(), text.len()) });
    (tokens, problems)
}

/// The length of the longest start whose bytes all pass the test.
fn run(text: &str, test: impl Fn(&u8) -> bool) -> usize {
    text.bytes().take_while(test).count()
}

/// A word at the start of the text, with its length.
fn word(rest: &str) -> (Tok, usize) {
    let length = run(rest, u8::is_ascii_alphanumeric);
    let (word, after) = rest.split_at(length);
    let question = match word {
        "TRUE" => Some(QuestionKind::True),
        "VALID" => Some(QuestionKind::Valid),
        "WHERE" => Some(QuestionKind::Where),
        _ => None,
    };
    if let (Some(kind), true) = (question, after.starts_with('?')) {
        return (Tok::Section(Section::Query(kind)), length + 1);
    }
    let knower = match word {
        "knows" => Some(Knower::One),
        "comknow" => Some(Knower::Common),
        "distknow" => Some(Knower::Distributed),
        _ => None,
    };
    if let Some(knower) = knower {
        let space = run(after, u8::is_ascii_whitespace);
        let second = run(&after[space..], u8::is_ascii_alphanumeric);
        match &after[space..space + second] {
            "that" => return (Tok::Know(knower, false), length + space + second),
            "whether" => return (Tok::Know(knower, true), length + space + second),
            _ => {}
        }
    }
    let tok = WORDS.iter().find(|(w, _)| *w == word).map_or(Tok::Name, |&(_, tok)| tok);
    (tok, length)
}

/// Already reported.
struct Reported;

type Read<T> = Result<T, Reported>;

/// What the limits count.
#[derive(Clone, Copy)]
struct Bulk {
    height: usize,
    /// Operators and atoms, shared parts counted each time they occur.
    size: u64,
    /// A place that speaks of knowledge or announcements, if there is one.
    modal: Option<Span>,
}

impl Bulk {
    const ATOM: Bulk = Bulk { height: 1, size: 1, modal: None };

    /// One operator over these.
    fn over(below: &[Bulk]) -> Bulk {
        below.iter().fold(Bulk::ATOM, |all, b| Bulk {
            height: all.height.max(b.height + 1),
            size: all.size.saturating_add(b.size),
            modal: all.modal.or(b.modal),
        })
    }

    /// Of an objective formula.
    fn of(f: &Formula) -> Bulk {
        let below: Vec<Bulk> = f.children().into_iter().map(|g| Bulk::of(g)).collect();
        Bulk::over(&below)
    }
}

/// A formula that was read.
struct Node {
    formula: F,
    span: Span,
    bulk: Bulk,
    /// The parts of a conjunction; of other formulas, none.
    parts: Vec<(F, Span)>,
}

struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    problems: Vec<Diagnostic>,
    props: Vec<Name>,
    /// The declared propositions by number.
    atoms: HashMap<u64, F>,
    /// Whether all propositions could be read: otherwise an unknown one is no problem of its own.
    props_known: bool,
    agents: Vec<Name>,
    observes: Vec<Vec<Observation>>,
    agents_known: bool,
    /// Unknown names already reported in this section or question.
    reported: HashSet<String>,
    depth: usize,
    work: u64,
}

impl<'t> Reader<'t> {
    // Tokens. A section never reads past the keyword of the next.

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn peek(&self) -> Tok {
        self.token().tok
    }

    fn ahead(&self, n: usize) -> Tok {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)].tok
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn at_end(&self) -> bool {
        matches!(self.peek(), Tok::Section(_) | Tok::End)
    }

    fn bump(&mut self) -> Token {
        let token = self.token();
        if !self.at_end() {
            self.at += 1;
        }
        token
    }

    fn eat(&mut self, tok: Tok) -> bool {
        let found = self.peek() == tok;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, tok: Tok, wanted: &str) -> Read<Span> {
        if self.peek() == tok { Ok(self.bump().span) } else { self.unexpected(wanted) }
    }

    fn slice(&self, span: Span) -> &'t str {
        &self.text[span.start as usize..span.end as usize]
    }

    // Problems.

    fn fail<T>(&mut self, problem: Diagnostic) -> Read<T> {
        self.problems.push(problem);
        Err(Reported)
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Read<T> {
        let token = self.token();
        let found = match token.tok {
            Tok::End => "the text ends".to_string(),
            _ => format!("found `{}`", self.slice(token.span)),
        };
        let mut problem = Diagnostic::new(Code::Syntax, token.span, format!("expected {wanted}")).label(found);
        problem.help = self.hint();
        self.fail(problem)
    }

    /// What the current token may have been meant to be.
    fn hint(&self) -> Option<String> {
        let before = self.at.checked_sub(1).map(|i| self.tokens[i].tok);
        match self.peek() {
            Tok::Imp if before == Some(Tok::Lt) => Some("an equivalence is written `iff`".to_string()),
            Tok::Lt if self.ahead(1) == Tok::Imp => Some("an equivalence is written `iff`".to_string()),
            Tok::Name => match self.slice(self.span()) {
                word @ ("TRUE" | "VALID" | "WHERE") => Some(format!("a question is asked with `{word}?`")),
                word @ ("knows" | "comknow" | "distknow") => Some(format!("write `{word} that` or `{word} whether`")),
                "true" | "True" => Some("truth is written `Top`".to_string()),
                "false" | "False" => Some("falsity is written `Bot`".to_string()),
                word if self.ahead(1) == Tok::Colon || self.agents.iter().any(|a| &**a == word) => None,
                word => nearest(word, WORDS.iter().map(|(w, _)| *w)).map(|near| format!("did you mean `{near}`?")),
            },
            _ => None,
        }
    }

    /// Reports an unknown name, once in each section or question.
    fn unknown(&mut self, code: Code, span: Span, message: String, label: &str, help: Option<String>) {
        if self.reported.insert(message.clone()) {
            let mut problem = Diagnostic::new(code, span, message).label(label);
            problem.help = help;
            self.problems.push(problem);
        }
    }

    // The file.

    fn file(&mut self) -> Document {
        let sections = self.sections();
        let of = |wanted: Section| sections.iter().filter(move |(s, _)| *s == wanted).map(|&(_, at)| at);
        self.props_known = of(Section::Vars).next().is_some();
        for at in of(Section::Vars) {
            self.start(at);
            self.props_known &= self.vars().is_ok();
        }
        self.agents_known = of(Section::Obs).next().is_some();
        for at in of(Section::Obs) {
            self.start(at);
            self.observations();
        }
        let mut laws = Vec::new();
        for at in of(Section::Law) {
            self.start(at);
            laws.extend(self.law().unwrap_or_default());
        }
        let mut queries = Vec::new();
        let mut states = Vec::new();
        for &(section, at) in &sections {
            if let Section::Query(kind) = section {
                self.start(at);
                if let Ok((query, state)) = self.query(kind) {
                    states.extend(state.map(|span| (queries.len(), span)));
                    queries.push(query);
                }
            }
        }
        if self.problems.is_empty() {
            self.states(&laws, &queries, &states);
        }
        let scope = Scope::declared(&self.agents, &self.props);
        let model = LawModel {
            agents: std::mem::take(&mut self.agents),
            props: std::mem::take(&mut self.props),
            laws,
            observes: std::mem::take(&mut self.observes),
            ..LawModel::default()
        };
        Document { model: Model::Law(model), queries, scope }
    }

    /// The keywords with the tokens at which they stand; reports those that are missing, repeated or out of order.
    fn sections(&mut self) -> Vec<(Section, usize)> {
        let mut sections: Vec<(Section, usize)> = Vec::new();
        for (at, token) in self.tokens.iter().enumerate() {
            let Tok::Section(section) = token.tok else { continue };
            let word = self.slice(token.span);
            let problem = |code, message, label: String| Diagnostic::new(code, token.span, message).label(label);
            if section.rank() < 3 && sections.iter().any(|(s, _)| *s == section) {
                self.problems.push(problem(Code::Duplicate, format!("a second `{word}`"), "again here".to_string()));
            } else if let Some(&(_, later)) = sections.iter().find(|(s, _)| s.rank() > section.rank()) {
                let label = format!("belongs before `{}`", self.slice(self.tokens[later].span));
                let problem = problem(Code::Syntax, format!("`{word}` comes too late"), label);
                self.problems.push(problem.help("the order is `VARS`, `LAW`, `OBS`, then the questions"));
            }
            sections.push((section, at));
        }
        if !self.at_end() {
            // Something stands before the first keyword.
            let _: Read<()> = self.unexpected("`VARS`");
        }
        let missing: Vec<&str> = [("`VARS`", Section::Vars), ("`LAW`", Section::Law), ("`OBS`", Section::Obs)]
            .into_iter()
            .filter(|(_, wanted)| sections.iter().all(|(s, _)| s != wanted))
            .map(|(word, _)| word)
            .collect();
        if !missing.is_empty() {
            let are = if missing.len() == 1 { "is" } else { "are" };
            let message = format!("{} {are} missing", missing.join(", "));
            let problem = Diagnostic::new(Code::Missing, Span::new(self.text.len(), self.text.len()), message)
                .label("the text ends")
                .help("a model has `VARS` with propositions, `LAW` with a formula and `OBS` with what agents see");
            self.problems.push(problem);
        }
        sections
    }

    /// Goes to the first token after the keyword.
    fn start(&mut self, keyword: usize) {
        self.at = keyword + 1;
        self.reported.clear();
    }

    fn vars(&mut self) -> Read<()> {
        for (number, span) in self.numbers("a proposition: a number")? {
            if self.atoms.contains_key(&number) {
                let message = format!("proposition `{number}` is declared twice");
                self.problems.push(Diagnostic::new(Code::Duplicate, span, message).label("again here"));
                continue;
            }
            let name: Name = format!("p{number}").into();
            self.atoms.insert(number, Formula::atom(name.clone()));
            self.props.push(name);
        }
        if self.at_end() { Ok(()) } else { self.unexpected("`,` or `LAW`") }
    }

    /// The numbers of a list with commas; one that is too large is reported and left out.
    fn numbers(&mut self, wanted: &str) -> Read<Vec<(u64, Span)>> {
        let mut all = Vec::new();
        loop {
            let span = self.expect(Tok::Int, wanted)?;
            all.extend(self.number(span).map(|n| (n, span)));
            if !self.eat(Tok::Comma) {
                return Ok(all);
            }
        }
    }

    fn number(&mut self, span: Span) -> Option<u64> {
        let number = self.slice(span).parse().ok();
        if number.is_none() {
            let problem = Diagnostic::new(Code::Number, span, "this number is too large");
            self.problems.push(problem.label(format!("propositions go up to {}", u64::MAX)));
        }
        number
    }

    /// The atom of a number; an undeclared one is reported.
    fn atom(&mut self, number: u64, span: Span) -> F {
        if let Some(atom) = self.atoms.get(&number) {
            return atom.clone();
        }
        if self.props_known {
            let names: Vec<&str> = self.props.iter().map(|p| p.strip_prefix('p').unwrap_or(p)).collect();
            let help = (1..=16).contains(&names.len()).then(|| format!("`VARS` declares {}", names.join(", ")));
            let message = format!("unknown proposition `{number}`");
            self.unknown(Code::UnknownName, span, message, "not declared in `VARS`", help);
        }
        Formula::atom(format!("p{number}"))
    }

    /// The atoms of a list of numbers, each once.
    fn atom_list(&mut self, wanted: &str) -> Read<Vec<F>> {
        let mut all = Vec::new();
        let mut seen = HashSet::new();
        for (number, span) in self.numbers(wanted)? {
            if seen.insert(number) {
                all.push(self.atom(number, span));
            }
        }
        Ok(all)
    }

    fn observations(&mut self) {
        loop {
            if self.observation().is_err() {
                // Go on with the next agent, if there is one.
                while !self.at_end() && (self.peek() != Tok::Name || self.ahead(1) != Tok::Colon) {
                    self.bump();
                }
            }
            if self.at_end() {
                return;
            }
        }
    }

    fn observation(&mut self) -> Read<()> {
        if self.peek() != Tok::Name || self.ahead(1) != Tok::Colon {
            self.agents_known = false;
            if matches!(self.slice(self.span()), "TRUE" | "VALID" | "WHERE") {
                return self.unexpected("an agent or a question");
            }
            self.expect(Tok::Name, "an agent and what it observes, as in `alice: 1,2`")?;
            return self.unexpected("`:` after the agent");
        }
        let span = self.bump().span;
        self.bump();
        let name = self.slice(span);
        if self.agents.iter().any(|a| &**a == name) {
            let message = format!("agent `{name}` is given twice");
            self.problems.push(Diagnostic::new(Code::Duplicate, span, message).label("again here"));
        } else {
            self.agents.push(name.into());
            self.observes.push(Vec::new());
        }
        let atoms = self.atom_list(&format!("a proposition that `{name}` observes"))?;
        if let Some(at) = self.agents.iter().position(|a| &**a == name) {
            self.observes[at].extend(atoms.into_iter().map(Observation::Formula));
        }
        if self.at_end() || self.peek() == Tok::Name {
            return Ok(());
        }
        self.unexpected("`,`, another agent or a question")
    }

    fn law(&mut self) -> Read<Vec<Law>> {
        let node = self.whole_formula("`OBS`")?;
        if let Some(span) = node.bulk.modal {
            return self.fail(
                Diagnostic::new(Code::Objective, span, "a law speaks of facts only")
                    .label("knowledge or an announcement")
                    .help("ask about knowledge in a question: `VALID? …`"),
            );
        }
        let parts = if node.parts.is_empty() { vec![(node.formula, node.span)] } else { node.parts };
        let law = |(formula, span): (F, Span)| (*formula != Formula::Const(true)).then_some(Law { formula, span });
        Ok(parts.into_iter().filter_map(law).collect())
    }

    /// A question, and where its state stands if it names one.
    fn query(&mut self, kind: QuestionKind) -> Read<(Query, Option<Span>)> {
        let start = self.tokens[self.at - 1].span;
        let mut state = None;
        let mut at = None;
        if kind == QuestionKind::True {
            let open = self.expect(Tok::LBrace, "`{` and the true propositions")?;
            let atoms = if self.peek() == Tok::RBrace { Vec::new() } else { self.atom_list("a true proposition")? };
            let close = self.expect(Tok::RBrace, "`,` or `}`")?;
            state = Some(open.to(close));
            let name = |f: &F| match &**f {
                Formula::Atom(name) => Some(name.clone()),
                _ => None,
            };
            at = Some(Facts { props: atoms.iter().filter_map(name).collect(), vars: Vec::new() });
        }
        let first = self.at;
        let node = self.whole_formula("the next question")?;
        let query = Query {
            kind: match kind {
                QuestionKind::True => QueryKind::Check,
                QuestionKind::Valid => QueryKind::Valid,
                QuestionKind::Where => QueryKind::Where,
            },
            formula: node.formula,
            text: self.source(first, self.at),
            at,
            expected: None,
            span: start.to(node.span),
        };
        Ok((query, state))
    }

    /// The source of the tokens, without comments and with single spaces.
    fn source(&self, from: usize, to: usize) -> String {
        let mut out = String::new();
        let mut end = None;
        for token in &self.tokens[from..to] {
            if end.is_some_and(|end| end < token.span.start) {
                out.push(' ');
            }
            // `knows that` is one token.
            let words: Vec<&str> = self.slice(token.span).split_whitespace().collect();
            out.push_str(&words.join(" "));
            end = Some(token.span.end);
        }
        out
    }

    /// Reports states of questions at which some law is false.
    fn states(&mut self, laws: &[Law], queries: &[Query], states: &[(usize, Span)]) {
        if states.is_empty() {
            return;
        }
        let mut model = Kripke::new(states.len(), Vec::new(), self.props.clone());
        for (world, (query, _)) in states.iter().enumerate() {
            for prop in queries[*query].at.iter().flat_map(|facts| &facts.props) {
                model.set_true(world, prop);
            }
        }
        let mut checker = Explicit::new(model, Limits::default());
        let mut lawful = vec![true; states.len()];
        for law in laws {
            let Ok(holds) = checker.check(&law.formula) else { continue };
            for (world, &(_, span)) in states.iter().enumerate() {
                if !holds.contains(world) && std::mem::replace(&mut lawful[world], false) {
                    let mut problem = Diagnostic::new(Code::Point, span, "this state is not a world of the model")
                        .label("the law excludes it");
                    let words: Vec<&str> = self.slice(law.span).split_whitespace().collect();
                    let text = words.join(" ");
                    if text.len() <= 80 && !text.contains("--") {
                        problem = problem.help(format!("by law: `{text}`"));
                    }
                    self.problems.push(problem);
                }
            }
        }
    }

    // Formulas.

    /// A formula up to the end of its section or question.
    fn whole_formula(&mut self, next: &str) -> Read<Node> {
        let node = self.form()?;
        if self.at_end() { Ok(node) } else { self.unexpected(&format!("an operator or {next}")) }
    }

    /// A formula with this operator outermost; `at` is the place of the operator.
    fn node(&mut self, at: Span, span: Span, formula: F, below: &[Bulk]) -> Read<Node> {
        let bulk = Bulk::over(below);
        self.within_limits(at, bulk)?;
        Ok(Node { formula, span, bulk, parts: Vec::new() })
    }

    /// The same for operators of knowledge and announcements.
    fn modal(&mut self, at: Span, span: Span, formula: F, below: &[Bulk]) -> Read<Node> {
        let mut node = self.node(at, span, formula, below)?;
        node.bulk.modal = Some(at);
        Ok(node)
    }

    fn within_limits(&mut self, at: Span, bulk: Bulk) -> Read<()> {
        if bulk.height > MAX_NESTING {
            return self.too_deep(at);
        }
        if bulk.size > MAX_SIZE { self.too_large(at) } else { Ok(()) }
    }

    fn too_large<T>(&mut self, at: Span) -> Read<T> {
        self.fail(
            Diagnostic::new(Code::Large, at, "this is too large when it is written out")
                .label(format!("more than {MAX_SIZE} operators"))
                .help("quantifiers, `comknow whether`, `distknow whether` and `?!` repeat the formula they take"),
        )
    }

    fn too_deep<T>(&mut self, at: Span) -> Read<T> {
        let message = format!("nested deeper than {MAX_NESTING} levels");
        self.fail(Diagnostic::new(Code::Depth, at, message).label("too deep here"))
    }

    /// `->` and `iff`, to the left.
    fn form(&mut self) -> Read<Node> {
        let mut left = self.joined()?;
        loop {
            let op = self.token();
            if !matches!(op.tok, Tok::Imp | Tok::Iff) {
                return Ok(left);
            }
            self.bump();
            let right = self.joined()?;
            let (f, g) = (left.formula, right.formula);
            let formula = if op.tok == Tok::Imp { Formula::implies(f, g) } else { Formula::iff(f, g) };
            left = self.node(op.span, left.span.to(right.span), formula, &[left.bulk, right.bulk])?;
        }
    }

    /// `&` and `|`, equally strong and to the left; a run of the same operator is one formula.
    fn joined(&mut self) -> Read<Node> {
        let mut left = self.unary()?;
        loop {
            let op = self.token();
            let list = match op.tok {
                Tok::And => Tok::AllOf,
                Tok::Or => Tok::AnyOf,
                _ => return Ok(left),
            };
            let start = left.span;
            let mut parts = vec![left];
            while self.eat(op.tok) {
                parts.push(self.unary()?);
            }
            let span = parts.iter().fold(start, |span, part| span.to(part.span));
            left = self.list(list, op.span, span, parts)?;
        }
    }

    /// The conjunction, disjunction or the like of the parts, by the word for a list.
    fn list(&mut self, word: Tok, at: Span, span: Span, nodes: Vec<Node>) -> Read<Node> {
        let below: Vec<Bulk> = nodes.iter().map(|n| n.bulk).collect();
        if word == Tok::AllOf {
            let mut parts = Vec::new();
            for node in nodes {
                if node.parts.is_empty() {
                    parts.push((node.formula, node.span));
                } else {
                    parts.extend(node.parts);
                }
            }
            let formula = Formula::and(parts.iter().map(|(f, _)| f.clone()).collect());
            let node = self.node(at, span, formula, &below)?;
            return Ok(Node { parts, ..node });
        }
        let formulas = nodes.into_iter().map(|n| n.formula).collect();
        let formula = match word {
            Tok::AnyOf => Formula::or(formulas),
            Tok::XorOf => Arc::new(Formula::Xor(formulas)),
            _ => Arc::new(Formula::Count(Cmp::Eq, 1, formulas)),
        };
        self.node(at, span, formula, &below)
    }

    fn unary(&mut self) -> Read<Node> {
        if self.depth >= MAX_NESTING {
            let at = self.span();
            return self.too_deep(at);
        }
        self.depth += 1;
        let node = self.prefixed();
        self.depth -= 1;
        node
    }

    fn prefixed(&mut self) -> Read<Node> {
        let Token { tok, span } = self.token();
        match tok {
            Tok::Top | Tok::Bot => {
                self.bump();
                self.node(span, span, Arc::new(Formula::Const(tok == Tok::Top)), &[])
            }
            Tok::Int => {
                self.bump();
                let formula = match self.number(span) {
                    Some(number) => self.atom(number, span),
                    None => Formula::falsity(),
                };
                self.node(span, span, formula, &[])
            }
            Tok::Not => {
                self.bump();
                let node = self.unary()?;
                self.node(span, span.to(node.span), Formula::not(node.formula), &[node.bulk])
            }
            Tok::AllOf | Tok::AnyOf | Tok::XorOf | Tok::OneOf => {
                self.bump();
                let (parts, list) = self.in_parentheses("`(` and a list of formulas")?;
                self.list(tok, span, span.to(list), parts)
            }
            Tok::K | Tok::Kw => {
                self.bump();
                let at = self.expect(Tok::Name, "an agent")?;
                let agent = self.agent(at);
                let node = self.form()?;
                self.knowledge(Knower::One, tok == Tok::Kw, &[agent], span, span, node)
            }
            Tok::Forall | Tok::Exists => {
                self.bump();
                let atoms = self.atom_list("a proposition to quantify over")?;
                let body = self.form()?;
                self.quantified(tok == Tok::Forall, &atoms, span, body)
            }
            Tok::LParen if self.group_in_parentheses() => {
                self.bump();
                let agents = self.names()?;
                self.bump();
                self.known(agents, span)
            }
            Tok::LParen => {
                self.bump();
                let node = self.form()?;
                let close = self.expect(Tok::RParen, "an operator or `)`")?;
                Ok(Node { span: span.to(close), ..node })
            }
            Tok::Name => {
                let group = matches!((self.ahead(1), self.ahead(2)), (Tok::Know(..), _) | (Tok::Comma, Tok::Name));
                if !group && !self.agents.iter().any(|a| &**a == self.slice(span)) {
                    return self.unexpected("a formula");
                }
                let agents = self.names()?;
                self.known(agents, span)
            }
            Tok::LBracket | Tok::Lt => self.announcement(),
            _ => self.unexpected("a formula"),
        }
    }

    /// `(φ, …)`, with its place.
    fn in_parentheses(&mut self, wanted: &str) -> Read<(Vec<Node>, Span)> {
        let open = self.expect(Tok::LParen, wanted)?;
        let mut parts = vec![self.form()?];
        while self.eat(Tok::Comma) {
            parts.push(self.form()?);
        }
        let close = self.expect(Tok::RParen, "an operator, `,` or `)`")?;
        Ok((parts, open.to(close)))
    }

    /// Whether agents in parentheses come next: `(a,b)`.
    fn group_in_parentheses(&self) -> bool {
        let mut n = 1;
        while self.ahead(n) == Tok::Name && self.ahead(n + 1) == Tok::Comma {
            n += 2;
        }
        self.peek() == Tok::LParen && self.ahead(n) == Tok::Name && self.ahead(n + 1) == Tok::RParen
    }

    /// Agents with commas, with their places.
    fn names(&mut self) -> Read<Vec<Span>> {
        let mut all = vec![self.expect(Tok::Name, "an agent")?];
        while self.peek() == Tok::Comma && self.ahead(1) == Tok::Name {
            self.bump();
            all.push(self.bump().span);
        }
        Ok(all)
    }

    /// An agent; an undeclared one is reported.
    fn agent(&mut self, span: Span) -> Name {
        let name = self.slice(span);
        if let Some(agent) = self.agents.iter().find(|a| &***a == name) {
            return agent.clone();
        }
        if self.agents_known {
            let near = nearest(name, self.agents.iter().map(|a| &**a));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("unknown agent `{name}`");
            self.unknown(Code::UnknownAgent, span, message, "observes nothing in `OBS`", help);
        }
        name.into()
    }

    /// The agents, each once.
    fn group(&mut self, spans: &[Span]) -> Vec<Name> {
        let mut all: Vec<Name> = Vec::new();
        for &span in spans {
            let agent = self.agent(span);
            if !all.contains(&agent) {
                all.push(agent);
            }
        }
        all
    }

    /// After agents: `knows that φ`, `comknow whether φ` and the like.
    fn known(&mut self, agents: Vec<Span>, start: Span) -> Read<Node> {
        let at = self.span();
        let Tok::Know(knower, whether) = self.peek() else {
            return self.unexpected("`knows that`, `comknow that`, `distknow that` or one with `whether`");
        };
        let parentheses = self.tokens[self.at - 1].tok == Tok::RParen;
        if knower == Knower::One && (agents.len() > 1 || parentheses) {
            return self.fail(
                Diagnostic::new(Code::Syntax, at, "`knows` takes one agent, without parentheses")
                    .label("after a group")
                    .help("for a group write `comknow` (common knowledge) or `distknow` (distributed knowledge)"),
            );
        }
        self.bump();
        let agents = self.group(&agents);
        if (knower, whether) == (Knower::One, true) && self.peek() == Tok::LParen && !self.group_in_parentheses() {
            let (nodes, list) = self.in_parentheses("`(`")?;
            let mut parts = Vec::new();
            for node in nodes {
                parts.push(self.knowledge(knower, true, &agents, start, at, node)?);
            }
            return match <[Node; 1]>::try_from(parts) {
                Ok([one]) => Ok(Node { span: start.to(list), ..one }),
                Err(parts) => self.list(Tok::AllOf, at, start.to(list), parts),
            };
        }
        let node = self.unary()?;
        self.knowledge(knower, whether, &agents, start, at, node)
    }

    fn knowledge(
        &mut self,
        knower: Knower,
        whether: bool,
        agents: &[Name],
        start: Span,
        at: Span,
        node: Node,
    ) -> Read<Node> {
        let span = start.to(node.span);
        let f = node.formula;
        let that = |f: F| match (knower, agents) {
            (Knower::One, [agent, ..]) => Formula::knows(agent.clone(), f),
            (Knower::Distributed, _) => Arc::new(Formula::Distributed(Group::Of(agents.to_vec()), f)),
            _ => Arc::new(Formula::Common(Group::Of(agents.to_vec()), f)),
        };
        if let (Knower::One, true, [agent, ..]) = (knower, whether, agents) {
            return self.modal(at, span, Arc::new(Formula::KnowsWhether(agent.clone(), f)), &[node.bulk]);
        }
        if !whether {
            return self.modal(at, span, that(f), &[node.bulk]);
        }
        let negated = Bulk::over(&[node.bulk]);
        let formula = Formula::or(vec![that(f.clone()), that(Formula::not(f))]);
        self.modal(at, span, formula, &[Bulk::over(&[node.bulk]), Bulk::over(&[negated])])
    }

    /// `[!φ] ψ`, `<a,b ?!φ> ψ` and the like.
    fn announcement(&mut self) -> Read<Node> {
        let open = self.bump();
        let diamond = open.tok == Tok::Lt;
        let agents = if self.peek() == Tok::Name { self.names()? } else { Vec::new() };
        let group = match agents.is_empty() {
            true => Group::All,
            false => Group::Of(self.group(&agents)),
        };
        let whether = self.eat(Tok::Question);
        self.expect(Tok::Bang, if whether { "`!` after `?`" } else { "`!` or `?!` and what is announced" })?;
        let said = self.form()?;
        let close = match diamond {
            true => self.expect(Tok::Gt, "an operator or `>`")?,
            false => self.expect(Tok::RBracket, "an operator or `]`")?,
        };
        let node = self.unary()?;
        let (at, span) = (open.span.to(close), open.span.to(node.span));
        let f = said.formula;
        let (action, below) = if group == Group::All && !whether {
            (Action::Announce(f), vec![said.bulk, node.bulk])
        } else {
            // One action with two events: as two formulas, a sequence of these would double each time.
            let learn = |f: F| Action::Learn(group.clone(), Box::new(Action::Test(f)));
            let (yes, no) = (learn(f.clone()), learn(Formula::not(f)));
            let yes = if whether { yes } else { Action::Local(Box::new(yes)) };
            let action = Action::Learn(Group::All, Box::new(Action::Choice(vec![yes, no])));
            (action, vec![said.bulk, Bulk::over(&[said.bulk]), node.bulk])
        };
        let action = Arc::new(action);
        let formula = if diamond { Formula::Can(action, node.formula) } else { Formula::After(action, node.formula) };
        self.modal(at, span, Arc::new(formula), &below)
    }

    /// `Forall` or `Exists`, written out.
    fn quantified(&mut self, universal: bool, atoms: &[F], at: Span, body: Node) -> Read<Node> {
        let span = at.to(body.span);
        if let Some(place) = body.bulk.modal {
            self.problems.push(
                Diagnostic::new(Code::Objective, place, "a quantifier speaks of facts only")
                    .label("knowledge or an announcement")
                    .help("SMCDEL gives this two meanings; put the quantifier inside, or write both cases out"),
            );
            let bulk = Bulk { modal: None, ..body.bulk };
            return Ok(Node { span, bulk, ..body });
        }
        let (mut formula, mut bulk) = (body.formula, body.bulk);
        for atom in atoms {
            self.within_limits(at, bulk)?;
            self.work += bulk.size;
            if self.work > MAX_WORK {
                return self.too_large(at);
            }
            let (yes, no) = (put(&formula, atom, true), put(&formula, atom, false));
            if Arc::ptr_eq(&yes, &formula) {
                // The proposition does not occur.
                continue;
            }
            formula = lattice(universal, vec![yes, no]);
            bulk = Bulk::of(&formula);
        }
        self.within_limits(at, bulk)?;
        Ok(Node { formula, span, bulk, parts: Vec::new() })
    }
}

/// An objective formula with a truth value for an atom, simplified; the same formula if the atom does not occur.
fn put(f: &F, atom: &F, value: bool) -> F {
    if f == atom {
        return Arc::new(Formula::Const(value));
    }
    let below = f.children();
    let parts: Vec<F> = below.iter().map(|g| put(g, atom, value)).collect();
    if parts.iter().zip(below).all(|(new, old)| Arc::ptr_eq(new, old)) {
        return f.clone();
    }
    let constant = |f: &F| match **f {
        Formula::Const(b) => Some(b),
        _ => None,
    };
    let negated = |f: F, yes: bool| if yes { Formula::not(f) } else { f };
    match (&**f, parts.as_slice()) {
        (Formula::Not(_), [g]) => Formula::not(g.clone()),
        (Formula::And(_), _) => lattice(true, parts),
        (Formula::Or(_), _) => lattice(false, parts),
        (Formula::Imp(..), [a, b]) => lattice(false, vec![Formula::not(a.clone()), b.clone()]),
        (Formula::Iff(..), [a, b]) => match (constant(a), constant(b)) {
            (Some(value), _) => negated(b.clone(), !value),
            (_, Some(value)) => negated(a.clone(), !value),
            _ => Formula::iff(a.clone(), b.clone()),
        },
        (Formula::Xor(_), _) => {
            let odd = parts.iter().filter(|p| constant(p) == Some(true)).count() % 2 == 1;
            let open: Vec<F> = parts.into_iter().filter(|p| constant(p).is_none()).collect();
            let rest = if open.is_empty() { Formula::falsity() } else { Arc::new(Formula::Xor(open)) };
            negated(rest, odd)
        }
        (Formula::Count(cmp, n, _), _) => {
            let certain = parts.iter().filter(|p| constant(p) == Some(true)).count() as u64;
            let open: Vec<F> = parts.into_iter().filter(|p| constant(p).is_none()).collect();
            match n.checked_sub(certain) {
                // Only `ONEOF` makes counts, so the comparison is with equality.
                None => Formula::falsity(),
                Some(0) => Formula::not(lattice(false, open)),
                Some(n) if n > open.len() as u64 => Formula::falsity(),
                Some(n) => Arc::new(Formula::Count(*cmp, n, open)),
            }
        }
        // The other operators are not objective.
        _ => f.clone(),
    }
}

/// The conjunction or disjunction of the parts, without constants and repetitions, those of the same kind taken apart.
fn lattice(conjunction: bool, parts: Vec<F>) -> F {
    let mut all: Vec<F> = Vec::new();
    for part in parts {
        match (&*part, conjunction) {
            (Formula::Const(b), _) if *b == conjunction => {}
            (Formula::Const(_), _) => return part,
            (Formula::And(inner), true) | (Formula::Or(inner), false) => all.extend(inner.iter().cloned()),
            _ => all.push(part),
        }
    }
    // Where nothing was put both values leave the same part: looking at addresses is enough, and cheap.
    let mut seen = HashSet::new();
    all.retain(|part| seen.insert(Arc::as_ptr(part)));
    if conjunction { Formula::and(all) } else { Formula::or(all) }
}
