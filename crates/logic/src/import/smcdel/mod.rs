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

mod form;
mod lexer;
mod substitute;

use crate::check::Limits;
use crate::check::explicit::Explicit;
use crate::document::{At, Content, Query, QueryKind};
use crate::formula::{F, Formula, Name};
use crate::model::law::{Facts, Law, LawModel, Observation};
use crate::model::{Kripke, Model};
use crate::syntax::{Code, Diagnostic, Scope, Span, nearest};
use lexer::{QuestionKind, Section, Tok, Token, WORDS, lex};
use std::collections::{HashMap, HashSet};

/// How deep formulas may nest.
const MAX_NESTING: usize = 256;

/// How many operators and atoms a formula may have when everything is written out.
const MAX_SIZE: u64 = 1_000_000;

/// How many operators and atoms the quantifiers of one file may go through.
const MAX_WORK: u64 = 16_000_000;

/// Reads a model and its questions in the text format of SMCDEL; on failure, every problem found.
pub(crate) fn model_from_smcdel(text: &str) -> Result<Content, Vec<Diagnostic>> {
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

    fn file(&mut self) -> Content {
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
        Content { model: Model::Law(model), time: None, queries, refused: Vec::new(), scope }
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
            at = Some(At::Facts(Facts { props: atoms.iter().filter_map(name).collect(), vars: Vec::new() }));
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
            if let Some(At::Facts(facts)) = &queries[*query].at {
                facts.props.iter().for_each(|prop| model.set_true(world, prop));
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
}
