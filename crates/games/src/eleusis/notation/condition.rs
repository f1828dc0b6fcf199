//! Propositional states of the paper: conditions on the last card (`Obs`) and on the card offered (`Prt`).

use super::token::{Token, tokens};
use crate::cards::{Card, CardSet};
use crate::eleusis::deck::Deck;
use crate::eleusis::rule::Cmp;
use ken_logic::syntax::{Code, Diagnostic, Span};

/// Of which card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Obs,
    Prt,
}

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Card,
    Value,
    Suit,
}

/// Something that has a value: a card (its place), a rank, or a suit (its place).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Of(Who, Kind),
    Const(Kind, u8),
    /// A free variable of the statement, by its number.
    Variable(Kind, usize),
}

impl Term {
    fn kind(self) -> Kind {
        match self {
            Term::Of(_, kind) | Term::Const(kind, _) | Term::Variable(kind, _) => kind,
        }
    }
}

/// A condition. What is said of the card offered, when there is none, is false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    Const(bool),
    /// The value is one of the bits.
    Member(Term, u64),
    Compare(Term, Cmp, Term),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// What a condition is about: the two cards, and the values of the free variables.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) deck: &'a Deck,
    pub(super) obs: Card,
    pub(super) prt: Option<Card>,
    pub(super) variables: &'a [u8],
}

impl Condition {
    pub(super) fn holds(&self, view: &View) -> bool {
        match self {
            Condition::Const(value) => *value,
            Condition::Member(term, bits) => view.value(*term).is_some_and(|value| bits >> value & 1 == 1),
            Condition::Compare(a, cmp, b) => view.value(*a).zip(view.value(*b)).is_some_and(|(a, b)| cmp.holds(a, b)),
            Condition::Not(a) => !a.holds(view),
            Condition::And(parts) => parts.iter().all(|part| part.holds(view)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(view)),
        }
    }

    /// Whether it says something of the card.
    pub(super) fn mentions(&self, who: Who) -> bool {
        let of = |term: &Term| matches!(term, Term::Of(other, _) if *other == who);
        match self {
            Condition::Const(_) => false,
            Condition::Member(term, _) => of(term),
            Condition::Compare(a, _, b) => of(a) || of(b),
            Condition::Not(a) => a.mentions(who),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().any(|part| part.mentions(who)),
        }
    }
}

impl View<'_> {
    fn value(&self, term: Term) -> Option<u8> {
        let (who, kind) = match term {
            Term::Const(_, value) => return Some(value),
            Term::Variable(_, at) => return Some(self.variables[at]),
            Term::Of(who, kind) => (who, kind),
        };
        let card = match who {
            Who::Obs => self.obs,
            Who::Prt => self.prt?,
        };
        Some(match kind {
            Kind::Card => card.0,
            Kind::Value => self.deck.rank(card),
            Kind::Suit => self.deck.suit(card) as u8,
        })
    }
}

/// A place in the tokens of a text; the free variables met so far.
pub(super) struct Cursor<'a> {
    pub(super) deck: &'a Deck,
    tokens: Vec<(Token, Span)>,
    at: usize,
    end: Span,
    depth: usize,
    pub(super) variables: Vec<(String, Kind)>,
}

/// How deep parentheses may be nested.
const DEPTH: usize = 100;

/// How many combinations of values the free variables of a statement may have.
const INSTANCES: usize = 4096;

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &str, deck: &'a Deck) -> Result<Cursor<'a>, Diagnostic> {
        let end = Span::new(text.len(), text.len());
        Ok(Cursor { deck, tokens: tokens(text)?, at: 0, end, depth: 0, variables: Vec::new() })
    }

    pub(super) fn done(&self) -> bool {
        self.at == self.tokens.len()
    }

    pub(super) fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        self.sign_at(self.at, sign)
    }

    /// Whether the token after the present one is the sign.
    pub(super) fn follows(&self, sign: &str) -> bool {
        self.sign_at(self.at + 1, sign)
    }

    fn sign_at(&self, at: usize, sign: &str) -> bool {
        matches!(self.tokens.get(at), Some((Token::Sign(found), _)) if *found == sign)
    }

    pub(super) fn word(&self) -> Option<&str> {
        match self.tokens.get(self.at) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// Goes over the sign if it is there.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word().is_some_and(|found| found == word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, sign: &'static str) -> Result<(), Diagnostic> {
        if self.eat(sign) { Ok(()) } else { Err(self.error(format!("expected `{sign}`"))) }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::Syntax, self.span(), message)
    }

    /// Parses something one level deeper.
    pub(super) fn nested<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        if self.depth == DEPTH {
            return Err(Diagnostic::new(Code::Depth, self.span(), format!("nested deeper than {DEPTH} levels")));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// All values of the free variables met so far.
    pub(super) fn instances(&self) -> Result<Vec<Vec<u8>>, Diagnostic> {
        let mut all = vec![Vec::new()];
        for (name, kind) in &self.variables {
            let values: Vec<u8> = match kind {
                Kind::Value => (1..=self.deck.values()).collect(),
                Kind::Suit | Kind::Card => (0..self.deck.suits().len() as u8).collect(),
            };
            if all.len() * values.len() > INSTANCES {
                let message =
                    format!("with `{name}` the free variables have more than {INSTANCES} combinations of values");
                return Err(Diagnostic::new(Code::Large, self.end, message));
            }
            let extend = |one: &Vec<u8>| values.iter().map(|&value| [&one[..], &[value]].concat()).collect::<Vec<_>>();
            all = all.iter().flat_map(extend).collect();
        }
        Ok(all)
    }

    /// `true`, `false`, a comparison or a membership.
    pub(super) fn atom(&mut self) -> Result<Condition, Diagnostic> {
        for (word, value) in [("true", true), ("false", false)] {
            if self.eat_word(word) {
                return Ok(Condition::Const(value));
            }
        }
        let span = self.span();
        let term = self.term()?;
        if self.eat("in") {
            return Ok(Condition::Member(term, self.set(term.kind())?));
        }
        let signs = [("=", Cmp::Eq), ("!=", Cmp::Ne), ("<", Cmp::Lt), ("<=", Cmp::Le), (">", Cmp::Gt), (">=", Cmp::Ge)];
        let Some(&(_, cmp)) = signs.iter().find(|(sign, _)| self.is(sign)) else {
            return Err(self.error("expected `in` or a comparison"));
        };
        self.skip();
        let other = self.term()?;
        let span = Span::new(span.start as usize, self.tokens[self.at - 1].1.end as usize);
        let wrong = |message: &str| Err(Diagnostic::new(Code::Type, span, message));
        if term.kind() != other.kind() {
            return wrong("a card, a value and a suit cannot be compared with each other");
        }
        if term.kind() != Kind::Value && !matches!(cmp, Cmp::Eq | Cmp::Ne) {
            return wrong("only values have an order");
        }
        Ok(Condition::Compare(term, cmp, other))
    }

    fn term(&mut self) -> Result<Term, Diagnostic> {
        let Some(word) = self.word().map(str::to_owned) else {
            return Err(self.error("expected a condition").help("`obs in Even`, `prt.Val >= v`, `Obs.Suit = s`"));
        };
        let span = self.span();
        self.skip();
        let who = match word.to_lowercase().as_str() {
            "obs" => Who::Obs,
            "prt" => Who::Prt,
            _ => return self.plain(&word, span),
        };
        if !(self.is(".") && matches!(self.tokens.get(self.at + 1), Some((Token::Word(_), _)))) {
            return Ok(Term::Of(who, Kind::Card));
        }
        self.skip();
        let kind = match self.word().map(str::to_lowercase).as_deref() {
            Some("val" | "value") => Kind::Value,
            Some("suit") => Kind::Suit,
            _ => return Err(self.error("a card has `Val` and `Suit`")),
        };
        self.skip();
        Ok(Term::Of(who, kind))
    }

    /// A constant or a free variable.
    fn plain(&mut self, word: &str, span: Span) -> Result<Term, Diagnostic> {
        let kind = match word.as_bytes()[0] {
            b'v' => Some(Kind::Value),
            b's' => Some(Kind::Suit),
            _ => None,
        };
        if let Some(kind) = kind.filter(|_| word[1..].bytes().all(|b| b.is_ascii_digit() || b == b'\'')) {
            let known = self.variables.iter().position(|(name, _)| name == word);
            let at = known.unwrap_or_else(|| {
                self.variables.push((word.to_owned(), kind));
                self.variables.len() - 1
            });
            return Ok(Term::Variable(kind, at));
        }
        if let Some((kind, value)) = constant(self.deck, word) {
            return Ok(Term::Const(kind, value));
        }
        Err(Diagnostic::new(Code::UnknownName, span, format!("`{word}` is not a card, a value, a suit or a variable"))
            .help("a rule sees `Obs`, `Prt`, their `Val` and `Suit`; `v` is any value, `s` any suit"))
    }

    /// A set of cards, of values or of suits, as bits.
    fn set(&mut self, kind: Kind) -> Result<u64, Diagnostic> {
        let span = self.span();
        if self.eat("{") {
            let mut bits = 0;
            loop {
                bits |= 1 << self.element(kind)?;
                if !self.eat(",") {
                    break;
                }
            }
            self.expect("}")?;
            return Ok(bits);
        }
        if self.eat("[") {
            let from = self.element(Kind::Value)?;
            self.expect("..")?;
            let to = self.element(Kind::Value)?;
            self.expect("]")?;
            return match kind {
                Kind::Value => Ok((from..=to).fold(0, |bits, value| bits | 1 << value)),
                Kind::Card => Ok(self.deck.ranks(|rank| (from..=to).contains(&rank)).0),
                Kind::Suit => Err(Diagnostic::new(Code::Type, span, "a suit is not in a range of values")),
            };
        }
        let Some(word) = self.word().map(str::to_lowercase) else { return Err(self.error("expected a set")) };
        let deck = self.deck;
        let suit = deck.suits().iter().position(|suit| suit.name == word);
        let (cards, of) = match (word.as_str(), suit) {
            (_, Some(suit)) => (deck.of_suit(suit), Kind::Suit),
            ("cards", _) => (deck.all(), Kind::Card),
            ("even", _) => (deck.ranks(|rank| rank % 2 == 0), Kind::Value),
            ("odd", _) => (deck.ranks(|rank| rank % 2 == 1), Kind::Value),
            ("face", _) => (deck.ranks(|rank| rank > 10), Kind::Value),
            ("red", _) => (deck.red(), Kind::Suit),
            ("black", _) => (deck.all().minus(deck.red()), Kind::Suit),
            _ => {
                let message = format!("`{word}` is not a set of cards");
                return Err(Diagnostic::new(Code::UnknownName, span, message)
                    .help("Cards, Even, Odd, Face, Red, Black, the suits, `[A..7]`, `{2, 4, Q}`"));
            }
        };
        self.skip();
        match kind {
            Kind::Card => Ok(cards.0),
            Kind::Value if of == kind => Ok(bits(cards, |card| deck.rank(card))),
            Kind::Suit if of == kind => Ok(bits(cards, |card| deck.suit(card) as u8)),
            _ => Err(Diagnostic::new(Code::Type, span, format!("`{word}` is a set of the other kind"))),
        }
    }

    fn element(&mut self, kind: Kind) -> Result<u8, Diagnostic> {
        let found = self.word().and_then(|word| constant(self.deck, word)).filter(|(found, _)| *found == kind);
        let Some((_, value)) = found else {
            return Err(self.error(match kind {
                Kind::Card => "expected a card",
                Kind::Value => "expected a value",
                Kind::Suit => "expected a suit",
            }));
        };
        self.skip();
        Ok(value)
    }
}

fn bits(cards: CardSet, of: impl Fn(Card) -> u8) -> u64 {
    cards.iter().fold(0, |bits, card| bits | 1 << of(card))
}

/// A value (also `Kn`, the knave), a suit by its letter, or a card; constants begin with a capital or a digit.
fn constant(deck: &Deck, word: &str) -> Option<(Kind, u8)> {
    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let knave = if word == "Kn" { "J" } else { word };
    let suit = || deck.suits().iter().position(|suit| word.chars().eq([suit.letter]));
    let value = deck.read_rank(knave).map(|rank| (Kind::Value, rank));
    value.or_else(|| suit().map(|suit| (Kind::Suit, suit as u8))).or_else(|| Some((Kind::Card, deck.read(word)?.0)))
}
