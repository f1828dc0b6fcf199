//! How far `not`, `never`, `no`, `except` and `but not` reach. Where people could mean two things the sentence is refused:
//! `never hearts and spades`, `not higher or lower`, `no red cards except hearts`, `red or even but not hearts`.
//!
//! It looks at the words alone, before anything is read. Signs (`!`, `&`) and parentheses are exact and pass; so does a
//! condition that names its subject (`not next is red or next is even`).

use super::Reader;
use super::kinds::Phrase;
use super::lexer::{Kind, Token};
use crate::eleusis::deck::Deck;
use ken_logic::syntax::{Code, Diagnostic, Span};

pub(super) const NEGATIONS: [&str; 4] = ["not", "no", "never", "neither"];
/// What makes `no more than two` of a negation.
const LIMITS: [&str; 3] = ["more", "fewer", "less"];
/// What does so of a `no`: `no lower than 5`.
const GRADES: [&str; 5] = ["higher", "lower", "greater", "larger", "smaller"];
/// Words that begin another part of the sentence.
const PARTS: [&str; 11] =
    ["if", "then", "else", "otherwise", "unless", "when", "where", "let", "implies", "iff", "xor"];
/// Words that begin a condition with its own subject.
const SUBJECTS: [&str; 32] = [
    "next",
    "previous",
    "prev",
    "rank",
    "suit",
    "colour",
    "color",
    "parity",
    "value",
    "number",
    "sum",
    "exists",
    "every",
    "each",
    "there",
    "cards",
    "count",
    "length",
    "line",
    "difference",
    "product",
    "gcd",
    "abs",
    "min",
    "max",
    "highest",
    "lowest",
    "it",
    "position",
    "last",
    "if",
    "ranks",
];
/// Words that begin a comparison with another card.
pub(super) const RELATIONS: [&str; 20] = [
    "higher",
    "lower",
    "same",
    "different",
    "equal",
    "greater",
    "larger",
    "smaller",
    "above",
    "below",
    "within",
    "between",
    "at",
    "as",
    "more",
    "less",
    "opposite",
    "adjacent",
    "another",
    "new",
];
/// Those that say what two cards have in common.
const ALIKE: [&str; 5] = ["same", "different", "equal", "opposite", "another"];
const FEATURES: [&str; 6] = ["rank", "suit", "colour", "color", "parity", "value"];
/// Words that say nothing by themselves.
const FILLERS: [&str; 9] = ["a", "an", "the", "be", "is", "play", "any", "of", ","];

/// What a part of the sentence has said so far.
#[derive(Clone, Copy, Default)]
struct Part {
    /// A negation whose reach is not yet settled.
    open: Option<usize>,
    /// Whether there was any negation.
    negated: bool,
    /// Whether there was an `or`.
    chosen: bool,
    /// Whether it began with `nothing but`.
    nothing: bool,
    /// Whether there was a `between` whose `and` has not come yet.
    between: bool,
}

/// The first place where the reach of a word is in doubt.
pub(super) fn doubt(tokens: &[Token], deck: &Deck, reader: Reader) -> Option<Diagnostic> {
    let words = Words { tokens, deck, reader };
    let mut part = Part::default();
    let mut around = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match &token.kind {
            Kind::Sign("(" | "[" | "{") => around.push(std::mem::take(&mut part)),
            Kind::Sign(")" | "]" | "}") => {
                part = around.pop().unwrap_or_default();
                // `not (red or even) and prime`: the parentheses say how far it reaches.
                part.open = part.open.filter(|&open| words.word(open + 1) != "(");
            }
            Kind::Sign(";" | ":" | "." | "implies" | "iff") => part = Part::default(),
            Kind::Word(word) if PARTS.contains(&word.as_str()) => part = Part::default(),
            Kind::Word(word) => {
                if let Some(problem) = words.look(word, at, &mut part) {
                    return Some(problem);
                }
            }
            Kind::Number(_) | Kind::Sign(_) | Kind::End => {}
        }
    }
    None
}

struct Words<'a> {
    tokens: &'a [Token],
    deck: &'a Deck,
    reader: Reader,
}

impl Words<'_> {
    fn word(&self, at: usize) -> &str {
        match self.tokens.get(at).map(|token| &token.kind) {
            Some(Kind::Word(word)) => word,
            Some(Kind::Sign(sign)) => sign,
            Some(Kind::Number(_) | Kind::End) | None => "",
        }
    }

    /// The first word from here on that says something.
    fn telling(&self, at: usize) -> &str {
        (at..self.tokens.len()).map(|at| self.word(at)).find(|word| !FILLERS.contains(word)).unwrap_or_default()
    }

    fn negates(&self, at: usize) -> bool {
        let constant = self.word(at) == "never" && self.ends(at + 1);
        let graded = self.word(at) == "no" && GRADES.contains(&self.word(at + 1)) && self.word(at + 2) == "than";
        NEGATIONS.contains(&self.word(at)) && !LIMITS.contains(&self.word(at + 1)) && !constant && !graded
    }

    /// Whether no more is said here: then a `never` before it is the condition that never holds.
    fn ends(&self, at: usize) -> bool {
        match self.tokens.get(at).map(|token| &token.kind) {
            Some(Kind::Word(word)) => matches!(word.as_str(), "and" | "or") || PARTS.contains(&word.as_str()),
            Some(Kind::Number(_)) => false,
            Some(Kind::Sign(sign)) => !matches!(*sign, "(" | "[" | "{" | "!"),
            Some(Kind::End) | None => true,
        }
    }

    /// Whether cards are taken out here: `except`, `other than`, `but not`.
    fn excludes(&self, at: usize) -> bool {
        match self.word(at) {
            "except" | "besides" => true,
            "other" => self.word(at + 1) == "than",
            "apart" => self.word(at + 1) == "from",
            "but" => self.negates(at + 1) && self.word(at + 2) != "both",
            _ => false,
        }
    }

    /// Whether everything or nothing was said just before: then `but` takes out of it.
    fn of_everything(&self, at: usize) -> bool {
        let before = |n: usize| at.checked_sub(n).map_or("", |at| self.word(at));
        let all = |word: &str| matches!(word, "any" | "every" | "all" | "no");
        matches!(before(1), "anything" | "everything" | "nothing" | "any" | "all")
            || matches!(before(1), "card" | "cards") && all(before(2))
    }

    fn look(&self, word: &str, at: usize, part: &mut Part) -> Option<Diagnostic> {
        let out = self.of_everything(at) && (word == "but" || self.excludes(at));
        if out {
            let last = if matches!(word, "other" | "apart") { at + 2 } else { at + 1 };
            let last = if self.word(last) == "for" { last + 1 } else { last };
            // `any card but not a spade` is plain.
            let plain = word == "but" && matches!(self.word(at - 1), "card" | "cards") && self.negates(last);
            if matches!(self.word(last), "not" | "no" | "never" | "if" | "when") && !plain {
                let help = "say which cards fit, as in `not red`, or when, as in `if previous is red then black`";
                return Some(self.unclear(at, last, "what is taken out here?", help));
            }
            let nothing = self.word(at - 1) == "nothing" || at > 1 && self.word(at - 2) == "no";
            *part = Part { nothing, ..Part::default() };
            return None;
        }
        if self.excludes(at) && part.negated {
            let help = "say which cards fit, as in `black or a heart`";
            return Some(self.unclear(at, at, "is this taken out of what fits, or of what does not?", help));
        }
        if self.excludes(at) && part.chosen {
            let help = "put parentheses around what it is taken out of, as in `(hearts or spades) and not a king`";
            return Some(self.unclear(at, at, "is this taken out of both, or of the last only?", help));
        }
        match word {
            "between" => {
                part.between = true;
                None
            }
            "and" if std::mem::take(&mut part.between) => None,
            "and" | "or" => self.join(word, at, part),
            _ if self.negates(at) => {
                (part.open, part.negated) = (Some(at), true);
                None
            }
            _ => None,
        }
    }

    /// A negation before `and` or `or`: does it hold for what follows?
    fn join(&self, word: &str, at: usize, part: &mut Part) -> Option<Diagnostic> {
        part.chosen |= word == "or";
        if part.nothing && word == "and" {
            let help = "say `red and even` if a card must be both, else `red or even`";
            return Some(self.unclear(at, at, "must a card be both?", help));
        }
        let open = part.open.filter(|&open| self.word(open) != "neither")?;
        let next = self.telling(at + 1);
        if word == "and"
            && self.reader.grouping()
            && let Some(help) = self.two_features(open, at)
        {
            return Some(self.unclear(open, at, &format!("does `{}` hold for both?", self.word(open)), &help));
        }
        let own = SUBJECTS.contains(&next) || next.starts_with("prev") || next == "(";
        if own || NEGATIONS.contains(&next) {
            part.open = None;
            return None;
        }
        let said = self.telling(open + 1);
        let (first, second) = (RELATIONS.contains(&said), RELATIONS.contains(&next));
        // `not same suit and same rank`: of the two that are alike, or of the first only?
        let alike = said == next || (ALIKE.contains(&said) && ALIKE.contains(&next));
        let doubtful = match word {
            "or" => first || second,
            _ => !second || self.word(open) == "never" || (alike && self.reader.grouping()),
        };
        let help = self.two_kinds(open + 1, at).unwrap_or_else(|| {
            "say `neither a heart nor a spade`, or put parentheses around what belongs together, as in `not (red and even)`"
                .to_string()
        });
        doubtful.then(|| self.unclear(open, at, &format!("does `{}` hold for both?", self.word(open)), &help))
    }

    /// How to say that a card is none of two kinds, or not both of them. They stand before and after `join`.
    fn two_kinds(&self, from: usize, join: usize) -> Option<String> {
        let kind = |at| Phrase::at(self.tokens, self.deck, at);
        let (first, _) = kind(from).filter(|(_, end)| *end == join)?;
        let (first, second) = (first.one(), kind(join + 1)?.0.one());
        Some(format!("say `neither {first} nor {second}`, or `not ({first} and {second})`"))
    }

    /// How to say `not same suit and same rank`, or `not the same suit and rank`, in two ways.
    fn two_features(&self, open: usize, join: usize) -> Option<String> {
        let feature = |at: usize| Some(self.word(at)).filter(|word| FEATURES.contains(word));
        let first = (open + 1..join).find(|&at| ALIKE.contains(&self.word(at)))?;
        let (how, one) = (self.word(first), feature(first + 1)?);
        let second = (join + 1..self.tokens.len()).find(|&at| !FILLERS.contains(&self.word(at)))?;
        let (also, other) = match feature(second) {
            // A feature that something else is said of has a sentence of its own: `and rank above 7`.
            Some(other) if self.ends(second + 1) || matches!(self.word(second + 1), "as" | "from" | "than") => {
                (how, other)
            }
            Some(_) => return None,
            None => (Some(self.word(second)).filter(|word| ALIKE.contains(word))?, feature(second + 1)?),
        };
        let turned = |how: &str| if how == "same" { "different" } else { "same" };
        let all = format!("not ({how} {one} and {also} {other})");
        // What is said without a word of its own is negated with the first, if at all.
        let last = if feature(second).is_some() { turned(also) } else { also };
        Some(format!("say `{} {one} and {last} {other}`, or `{all}`", turned(how)))
    }

    fn unclear(&self, from: usize, to: usize, message: &str, help: &str) -> Diagnostic {
        let to = to.min(self.tokens.len() - 1);
        let span = Span::new(self.tokens[from].span.start as usize, self.tokens[to].span.end as usize);
        Diagnostic::new(Code::Syntax, span, message).help(help)
    }
}
