//! A sentence near one that is refused: a pattern that is understood, filled with the words of the text.
//!
//! Kinds of cards, features, numbers and directions come from the text alone, and no word of the text that tells something
//! is left out: it is in the sentence, or is one that the pattern says in another way (its cues). A negation stays with
//! what it negates, a number stays a rank or a number of steps. Of the patterns that can be filled so and read, the one
//! that shares most words with the text is suggested. Where there is none, we tell how the first thing that the text
//! speaks about is said.

use super::kinds::Phrase;
use super::lexer::{Kind, Token, tokens};
use super::parser::read;
use super::vocabulary::{back, is_count, number, ordinal, plurals};
use super::{Reader, Rule};
use crate::eleusis::automaton::Automaton;
use crate::eleusis::deck::Deck;
use crate::eleusis::sense;
use ken_logic::syntax::{Code, Diagnostic};
use std::collections::BTreeSet;

/// Longer texts are not compared with patterns.
const MAX_TOKENS: usize = 40;

/// What the text must say, and a sentence with slots that says it.
///
/// * `{1}` to `{3}` are kinds of cards in their order, `{k}` is the first without its article, `{kinds}` one of them all, `{group}`
///   the same in parentheses;
/// * `{c}`, `{p}` and `{e}` are what must come, when, and otherwise;
/// * `{l}` and `{r}` stand before and after `but` or `except`, `{out}` is the former where it is negated;
/// * `{f}` and `{g}` are features, `{same}`, `{as}` and `{eq}` how they relate, `{dir}` and `{sign}` a direction;
/// * `{n}`, `{m}` and `{o}` are numbers, `{last}` is how many cards back, `{ord}` every which card.
const PATTERNS: &[(&str, &str)] = &[
    ("nor", "neither {1} nor {2}"),
    ("nor", "neither {1} nor {2} and not {3}"),
    ("after only", "{c} only after {p}"),
    ("after only", "if next is {c} then previous is {p}"),
    ("after except", "{c} unless previous is {p}"),
    ("after except not", "{c} unless previous is {p}"),
    ("after except only", "{c} only after {p}"),
    ("after", "if previous is {p} then {c}"),
    ("after else", "if previous is {p} then {c} else {e}"),
    ("then", "if previous is {1} then {2}"),
    ("on", "if previous is {2} then {1}"),
    ("on only", "{1} only after {2}"),
    ("if only", "if next is {c} then previous is {p}"),
    ("if", "if previous is {p} then {c}"),
    ("if", "if next is {p} then {c}"),
    ("if else", "if previous is {p} then {c} else {e}"),
    ("if only else", "if previous is {p} then {c} else {e}"),
    ("if last", "if the last {last} cards are {p} then {c}"),
    ("if last one", "if (exists x in the last {last}: x is {p}) then {c}"),
    ("if last there", "if (exists x in the last {last}: x is {p}) then {c}"),
    ("unless", "{c} unless previous is {p}"),
    ("not except", "{r} or not {out}"),
    ("except", "{l} and not {r}"),
    ("except", "{l} or {r}"),
    ("except previous", "different {f} from previous"),
    ("except previous one", "different {f} from previous"),
    ("both or not", "{1} or {2} but not both"),
    ("both or not", "{same} {f} or {same} {g} but not both"),
    ("row", "no more than {n} {k} cards in a row"),
    ("row", "no more than {n} cards of the same {f} in a row"),
    ("most row", "no more than {n} cards of the same {f} in a row"),
    ("most row one", "no more than {n} cards of the same {f} in a row"),
    ("not", "never {n} {k} cards in a row"),
    ("not", "no {n} cards of the same {f} in a row"),
    ("must", "if next is {1} then {2}"),
    ("must", "if next is {1} then {dir} than {n}"),
    ("must", "if next is {1} then {dir} than previous"),
    ("must", "if next is {1} then {same} {f} {as} previous"),
    ("most last", "if next is {1} then fewer than {n} {k} cards in the last {last}"),
    ("most", "if next is {1} then fewer than {n} {k} cards so far"),
    ("not more", "if next is {1} then fewer than {n} {k} cards so far"),
    ("most", "fewer than {n} cards of its {f} so far"),
    ("last", "every x in the last {last}: rank of next {sign} rank of x"),
    ("last", "every x in the last {last}: {f} of next {eq} {f} of x"),
    ("last one", "exists x in the last {last}: rank of next {sign} rank of x"),
    ("last one", "exists x in the last {last}: {f} of next {eq} {f} of x"),
    ("last", "{f} among the last {last}"),
    ("last not", "{f} not among the last {last}"),
    ("starter", "{dir} than the starter"),
    ("starter", "{same} {f} {as} the starter"),
    ("starter", "same {f} as the starter"),
    ("starter only", "same {f} as the starter"),
    ("starter not", "different {f} from the starter"),
    ("only one", "same {f} as the starter"),
    ("between last", "between previous and prev{last}"),
    ("before last", "same {f} as the card before the previous"),
    ("previous", "same {f} as previous"),
    ("previous not", "different {f} from previous"),
    ("highest", "{dir} than the highest so far"),
    ("lowest", "{dir} than the lowest so far"),
    ("", "{n} {dir} than previous"),
    ("or", "{n} or {m} {dir} than previous"),
    ("", "{n} to {m} {dir} than previous"),
    ("least", "at least {n} {dir} than previous"),
    ("", "{dir} than previous"),
    ("", "{same} {f} {as} previous"),
    ("or", "{same} {f} or {same} {g}"),
    ("and", "{same} {f} and {same} {g}"),
    ("not or same", "{same} {f} and {same} {g}"),
    ("", "{same} {f} and {dir} than previous"),
    ("or", "{same} {f} or {dir} than previous"),
    ("", "{same} {f} and {group}"),
    ("or", "{same} {f} or {kinds}"),
    ("", "{group} and {dir} than previous"),
    ("or", "{kinds} or {dir} than previous"),
    ("alternate", "alternate {1} and {2}"),
    ("alternate", "different {f} from previous"),
    (",", "{1} and {2}"),
    (",", "alternate {1} and {2}"),
    ("every other", "every second card must be {1}"),
    ("every", "every {ord} card must be {1}"),
    ("sum", "sum with previous is {k}"),
    ("sum", "sum with previous is {n}"),
    ("sum not", "sum with previous is not {n}"),
    ("sum not", "sum with previous is not {k}"),
    ("sum more", "sum with previous is more than {n}"),
    ("sum less", "sum with previous is less than {n}"),
    ("sum between", "sum with previous is between {n} and {m}"),
    ("sum multiple", "sum with previous is a multiple of {n}"),
    ("sum most", "sum with previous is at most {n}"),
    ("sum least", "sum with previous is at least {n}"),
    ("sum above", "sum with previous is above {n}"),
    ("sum below", "sum with previous is below {n}"),
    ("product", "product with previous is {k}"),
    ("product most", "product with previous is at most {n}"),
    ("product below", "product with previous is below {n}"),
    ("differ", "rank differs by {n}"),
    ("differ most", "rank differs by at most {n}"),
    ("differ least", "rank differs by at least {n}"),
    ("differ more", "rank differs by more than {n}"),
    ("differ above", "rank differs by more than {n}"),
    ("differ less", "rank differs by less than {n}"),
    ("differ below", "rank differs by less than {n}"),
    ("differ or", "rank differs by {n} or {m}"),
    ("differ", "difference with previous is {k}"),
    ("within", "within {n} of previous"),
    ("away", "{n} away from previous"),
    ("most away", "at most {n} away from previous"),
    ("least away", "at least {n} away from previous"),
    ("multiple", "multiple of {n}"),
    ("multiple", "multiple of {n} and {group}"),
    ("multiple previous", "gcd(rank of next, rank of previous) = rank of previous"),
    ("multiple except not", "multiple of {n} and not a multiple of {m}"),
    ("multiple except not or", "(multiple of {n} or {m}) and not a multiple of {o}"),
    ("multiple and", "multiple of {n} and {m}"),
    ("multiple or", "multiple of {n} or {m}"),
    ("between", "between {n} and {m}"),
    ("most", "rank at most {n}"),
    ("least", "rank at least {n}"),
    ("and above", "{n} or above"),
    ("and below", "{n} or below"),
    ("and higher", "{n} or higher"),
    ("and lower", "{n} or lower"),
    ("above", "rank above {n}"),
    ("below", "rank below {n}"),
    ("not above", "rank at most {n}"),
    ("not below", "rank at least {n}"),
    ("seen", "{f} already seen"),
    ("seen not", "{f} not yet seen"),
    ("new", "{f} not yet seen"),
    ("position", "if position is {k} then {2}"),
    ("not", "not {1}"),
    ("not", "neither {1} nor {2}"),
    ("not and", "not ({1} and {2})"),
    ("", "{kinds}"),
    ("and", "{1} and {2}"),
    ("", "{1}"),
];

/// Words that say nothing by themselves.
const FILLERS: [&str; 40] = [
    "a", "an", "the", "is", "are", "be", "was", "were", "must", "should", "will", "has", "have", "do", "does", "card",
    "cards", "play", "of", "to", "it", "its", "than", "as", "from", "with", "and", "or", "then", "x", "in", "by", "so",
    "any", "all", "each", "that", "which", "for", "at",
];

/// Words that say much the same.
const SYNONYMS: [(&str, &[&str]); 24] = [
    ("not", &["never", "no", "nor", "neither", "non", "nothing"]),
    ("except", &["but", "besides", "apart"]),
    ("previous", &["after", "prev", "before", "top", "preceding"]),
    ("if", &["when"]),
    ("else", &["otherwise"]),
    ("higher", &["greater", "larger"]),
    ("lower", &["smaller"]),
    ("same", &["equal", "equals", "repeat", "repeats"]),
    ("different", &["another", "other", "change", "changes"]),
    ("rank", &["ranks", "value", "values", "number", "numbers"]),
    ("suit", &["suits"]),
    ("colour", &["colours", "color", "colors"]),
    ("parity", &["parities"]),
    ("alternate", &["alternates", "alternating", "turns", "cycle", "cycles"]),
    ("differ", &["differs", "difference", "apart"]),
    ("seen", &["repeated", "already", "again", "yet", "twice"]),
    ("less", &["fewer"]),
    ("multiple", &["divisible"]),
    ("one", &["any", "some", "either"]),
    ("starter", &["first", "start"]),
    ("sum", &["total"]),
    ("below", &["under"]),
    ("above", &["over"]),
    ("must", &["are", "is", "be", "should", "have", "has"]),
];
/// How things are said, each by the words that speak about it.
const CONSTRUCTS: [(&[&str], &str); 9] = [
    (&["sum", "total"], "a sum is said as in `sum with previous is at least 10`"),
    (&["product"], "a product is said as in `product with previous is at most 20`"),
    (
        &["differ", "differs", "difference", "apart", "away", "within"],
        "a distance is said as in `rank differs by 1 to 3`",
    ),
    (&["higher", "lower"], "steps are said as in `1 to 3 higher than previous`"),
    (&["row"], "a run is said as in `no more than 2 red cards in a row`"),
    (&["if", "when", "unless", "after"], "a condition is said as in `if previous is red then even else odd`"),
    (&["but", "except", "besides"], "an exclusion is said as in `red and not a heart`"),
    (&["most", "least", "more", "fewer"], "a count is said as in `if next is red then fewer than 3 red cards so far`"),
    (&["repeat", "repeats", "repeated", "twice", "again", "new"], "what lay before is said as in `suit not yet seen`"),
];
/// What stands before a condition of what must come.
const PIVOTS: [&str; 4] = ["if", "when", "after", "unless"];
const FEATURES: [&str; 4] = ["rank", "suit", "colour", "parity"];

/// The problem, with a near sentence where its help has none of the words of the text.
pub(super) fn help(problem: Diagnostic, text: &str, deck: &Deck) -> Diagnostic {
    if !matches!(problem.code, Code::Syntax | Code::Type) {
        return problem;
    }
    let quoted: Vec<&str> = problem.help.iter().flat_map(|help| help.split('`').skip(1).step_by(2)).collect();
    let said = Said::of(text, deck);
    let own = |sentence: &&str| Said::of(sentence, deck).kinds().is_subset(&said.kinds());
    let whole = |sentence: &&str| understood(sentence, deck);
    if quoted.iter().any(whole) && quoted.iter().all(own) {
        return problem;
    }
    let Some(near) = said.near(text) else {
        return match (&problem.help, said.construct()) {
            (None, Some(help)) => problem.help(help),
            _ => problem,
        };
    };
    let near = format!("a sentence that is understood: `{near}`");
    let help = match &problem.help {
        Some(help) if quoted.iter().all(own) => format!("{help}; {near}"),
        Some(_) | None => near,
    };
    problem.help(help)
}

/// A sentence that is understood and shares words with the text.
pub(in crate::eleusis) fn sentence(text: &str, deck: &Deck) -> Option<String> {
    Said::of(text, deck).near(text)
}

/// Whether the text is a rule that says something of the next card.
fn understood(text: &str, deck: &Deck) -> bool {
    let Ok(rule) = read(text, deck, Vec::new(), Reader::Current) else { return false };
    sense::words(&rule, text).is_none() && tells_apart(&rule)
}

/// Whether some cards fit and others do not, after some cards that are all the same.
fn tells_apart(rule: &Rule) -> bool {
    let all = rule.deck.all();
    let mut lines = (1..=6).flat_map(|length| all.iter().map(move |card| vec![card; length]));
    lines.any(|line| {
        let fit = rule.accepted(&line);
        !fit.is_empty() && fit != all
    })
}

/// Whether what a sentence remembers of the line is not too much to be played with.
fn playable(text: &str, deck: &Deck) -> bool {
    let remembers = text.contains("so far") || text.contains("seen");
    let compiles = |rule: Rule| Automaton::of(&rule).is_ok();
    !remembers || read(text, deck, Vec::new(), Reader::Current).is_ok_and(compiles)
}

/// The word by which a word tells something.
fn root(word: &str) -> &str {
    plain(word).trim_end_matches('s')
}

/// The word that stands for all that say the same.
fn plain(word: &str) -> &str {
    SYNONYMS.iter().find(|(_, same)| same.contains(&word)).map_or(word, |(plain, _)| plain)
}

/// One of these kinds of cards, or none of them.
fn any_of(kinds: &[String], not: bool) -> String {
    match (not, kinds) {
        (false, _) => kinds.join(" or "),
        (true, [one]) => format!("not {one}"),
        (true, _) => format!("neither {}", kinds.join(" nor ")),
    }
}

/// In parentheses, if it is a choice.
fn grouped(text: String) -> String {
    if text.contains(" or ") { format!("({text})") } else { text }
}

/// What a text says, word by word.
struct Said<'a> {
    deck: &'a Deck,
    tokens: Vec<Token>,
    words: Vec<String>,
}

/// A part of the text.
#[derive(Default)]
struct Side {
    kinds: Vec<String>,
    /// What it says of the next card.
    what: Option<String>,
}

impl<'a> Said<'a> {
    fn of(text: &str, deck: &'a Deck) -> Said<'a> {
        let mut tokens = tokens(text, &mut Vec::new());
        let _ = plurals(text, &mut tokens, deck);
        let words = tokens.iter().map(|token| match &token.kind {
            Kind::Word(word) => word.clone(),
            Kind::Number(n) => n.to_string(),
            Kind::Sign(sign) => (*sign).to_string(),
            Kind::End => String::new(),
        });
        let mut said = Said { deck, words: words.collect(), tokens };
        // `the last card` is the previous one; `the last three` are a stretch.
        for at in 0..said.words.len() {
            let before = at > 0 && said.words[at - 1] == "before";
            if said.words[at] == "last" && !before && said.count(at + 1).is_none() {
                said.words[at] = "previous".to_string();
            }
        }
        said
    }

    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word || plain(w) == word)
    }

    fn place(&self, words: &[&str]) -> Option<usize> {
        self.words.iter().position(|w| words.contains(&w.as_str()))
    }

    /// The number at a place, if it counts something.
    fn count(&self, at: usize) -> Option<i32> {
        let n = match &self.tokens.get(at)?.kind {
            Kind::Number(n) => *n,
            Kind::Word(word) if is_count(word) => i32::from(number(word)?),
            Kind::Word(word) => i32::from(back(word).filter(|&k| k > 1)?),
            Kind::Sign(_) | Kind::End => return None,
        };
        Some(n)
    }

    /// Whether a figure at a place is a rank: `no 7`, not `3 higher` or `3 or 4 higher`.
    fn ranked(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |at| &self.words[at]);
        let counts = ["last", "most", "least", "than", "of", "within", "by", "exactly", "above", "below", "between"];
        let counted = ["card", "cards", "higher", "lower", "away", "ranks", "apart", "times"];
        let mut after = at + 1;
        while ["or", "to", "and"].contains(&self.words[after].as_str()) && self.count(after + 1).is_some() {
            after += 2;
        }
        let kind = after == at + 1 && Phrase::at(&self.tokens, self.deck, after).is_some();
        !self.has("multiple") && !counts.contains(&before) && !counted.contains(&self.words[after].as_str()) && !kind
    }

    /// The kinds of cards between two places, with where they stand.
    fn phrases(&self, from: usize, to: usize) -> Vec<(Phrase, usize)> {
        let mut found = Vec::new();
        let mut at = from;
        while at < to {
            let counts = self.count(at).is_some() && !self.ranked(at);
            match Phrase::at(&self.tokens, self.deck, at).filter(|_| !counts) {
                Some((phrase, end)) if end <= to => {
                    found.push((phrase, at));
                    at = end;
                }
                Some(_) | None => at += 1,
            }
        }
        found
    }

    /// The words for kinds of cards, features and directions: what a suggestion must not bring in.
    fn kinds(&self) -> BTreeSet<String> {
        let phrases = self.phrases(0, self.words.len());
        let words = phrases.iter().flat_map(|(phrase, _)| phrase.texts().map(str::to_string));
        let words = words.filter(|word| word.parse::<i32>().is_err());
        let others = self
            .words
            .iter()
            .map(|w| plain(w))
            .filter(|w| ["higher", "lower"].contains(w) || FEATURES[1..].contains(w));
        words.chain(others.map(str::to_string)).collect()
    }

    /// The words that tell something, each by its plain one.
    fn telling(&self) -> BTreeSet<String> {
        let words =
            self.words.iter().filter(|w| w.starts_with(char::is_alphanumeric) && !FILLERS.contains(&w.as_str()));
        let mut telling: BTreeSet<String> = words.map(|w| root(w).to_string()).collect();
        for at in 0..self.words.len() {
            if let Some(n) = self.count(at) {
                telling.remove(&self.words[at]);
                telling.insert(n.to_string());
            }
        }
        telling
    }

    /// Whether a negation stands just before a place.
    fn negated(&self, at: usize) -> bool {
        let before = self.words[at.saturating_sub(3)..at].iter().rev();
        let ends = |w: &str| ["and", "or", "but", ",", "then", ":", "("].contains(&w) || PIVOTS.contains(&w);
        before.take_while(|w| !ends(w)).any(|w| plain(w) == "not")
    }

    /// The kinds of cards, each with whether it is negated.
    fn polarity(&self) -> BTreeSet<(String, bool)> {
        let phrases = self.phrases(0, self.words.len());
        phrases.into_iter().map(|(phrase, at)| (phrase.one(), self.negated(at))).collect()
    }

    /// The numbers, each with whether it says how far two ranks are apart.
    fn numbers(&self) -> BTreeSet<(i32, bool)> {
        let listed =
            |at: usize| ["or", "to", "and", ","].contains(&self.words[at].as_str()) || self.count(at).is_some();
        let step = |at: usize| {
            let before = (0..at).rev().find(|&at| !listed(at)).map_or("", |at| plain(&self.words[at]));
            let after = (at..self.words.len()).find(|&at| !listed(at)).map_or("", |at| plain(&self.words[at]));
            ["by", "within", "differ"].contains(&before)
                || ["higher", "lower", "away", "differ"].contains(&after)
                || self.has("differ")
        };
        (0..self.words.len()).filter_map(|at| Some((self.count(at)?, step(at)))).collect()
    }

    /// Whether a sentence, with what its pattern says in another way, says all that the text tells, and nothing of it
    /// the other way round.
    fn kept(&self, cues: &str, sentence: &str) -> bool {
        let own = Said::of(sentence, self.deck);
        let cues: BTreeSet<&str> = cues.split_whitespace().map(root).collect();
        let words = own.telling();
        // A pattern for `one` says it without a number.
        let one = |n: i32| n == 1 && cues.contains("one");
        let told = |word: &String| words.contains(word) || cues.contains(word.as_str()) || word.parse().is_ok_and(one);
        let numbers: BTreeSet<(i32, bool)> = self.numbers().into_iter().filter(|(n, _)| !one(*n)).collect();
        let joined = |join: &str| {
            let said = own.words.iter().any(|w| w == join || (join == "or" && w == "nor"));
            said || cues.contains(join) || !self.words.iter().any(|w| w == join)
        };
        let (kinds, said) = (own.polarity(), self.polarity());
        let turned = kinds.iter().any(|(kind, negated)| said.contains(&(kind.clone(), !negated)));
        self.telling().iter().all(told) && joined("or") && joined("and") && !turned && own.numbers() == numbers
    }

    /// How the first thing that the text speaks about is said.
    fn construct(&self) -> Option<&'static str> {
        self.words
            .iter()
            .find_map(|word| CONSTRUCTS.iter().find(|(words, _)| words.contains(&word.as_str())).map(|(_, help)| *help))
    }

    /// Higher or lower, with its sign.
    fn direction(&self, from: usize, to: usize) -> Option<(String, &'static str)> {
        let at = (from..to).find(|&at| ["higher", "lower"].contains(&plain(&self.words[at])))?;
        let up = plain(&self.words[at]) == "higher";
        Some(match (up, self.negated(at)) {
            (true, false) => ("higher".to_string(), ">"),
            (false, false) => ("lower".to_string(), "<"),
            (true, true) => ("not higher".to_string(), "<="),
            (false, true) => ("not lower".to_string(), ">="),
        })
    }

    /// Whether features are the same, or different.
    fn same(&self, from: usize, to: usize) -> Option<bool> {
        let at = (from..to).find(|&at| ["same", "different"].contains(&plain(&self.words[at])))?;
        Some((plain(&self.words[at]) == "same") != self.negated(at))
    }

    fn features(&self, from: usize, to: usize) -> Vec<&'static str> {
        let of = |at: usize| FEATURES.into_iter().find(|feature| *feature == plain(&self.words[at]));
        (from..to).filter_map(of).collect()
    }

    fn side(&self, from: usize, to: usize) -> Side {
        let (from, to) = (from.min(to), to.min(self.words.len()));
        let phrases = self.phrases(from, to);
        let kinds: Vec<String> = phrases.iter().map(|(phrase, _)| phrase.one()).collect();
        let mut parts = Vec::new();
        let starter = self.words[from..to].iter().any(|w| plain(w) == "starter");
        let with = if starter { "the starter" } else { "previous" };
        if let Some((direction, _)) = self.direction(from, to) {
            parts.push(format!("{direction} than {with}"));
        }
        if let (Some(same), Some(feature)) = (self.same(from, to), self.features(from, to).first()) {
            parts.push(if same {
                format!("same {feature} as {with}")
            } else {
                format!("different {feature} from {with}")
            });
        }
        if let Some((_, first)) = phrases.first() {
            let not = self.words[from..*first].iter().any(|w| plain(w) == "not");
            let kinds = any_of(&kinds, not);
            parts.push(if parts.is_empty() { kinds } else { grouped(kinds) });
        }
        let what = (!parts.is_empty()).then(|| parts.join(" and "));
        Side { kinds, what }
    }

    /// What must come, when, and otherwise.
    fn choice(&self) -> [Side; 3] {
        let end = self.words.len();
        let otherwise = self.place(&["else", "otherwise"]).unwrap_or(end);
        let Some(pivot) = self.place(&PIVOTS) else { return Default::default() };
        let other = self.side(otherwise, end);
        if self.side(0, pivot).what.is_some() {
            return [self.side(0, pivot), self.side(pivot, otherwise), other];
        }
        // In front: up to `then` or a sign, else the first kind of cards.
        let signs = (pivot..otherwise).find(|&at| ["then", ",", ":", "play"].contains(&self.words[at].as_str()));
        let first = || self.phrases(pivot, otherwise).get(1).map(|(_, at)| *at);
        let middle = signs.or_else(first).unwrap_or(otherwise);
        [self.side(middle, otherwise), self.side(pivot, middle), other]
    }

    /// What each slot is filled with.
    fn slots(&self) -> Vec<(&'static str, String)> {
        let end = self.words.len();
        let mut slots = Vec::new();
        let mut put = |slot: &'static str, value: Option<String>| slots.extend(value.map(|value| (slot, value)));
        let phrases = self.phrases(0, end);
        let kinds: Vec<String> = phrases.iter().map(|(phrase, _)| phrase.one()).collect();
        put("{1}", kinds.first().cloned());
        put("{2}", kinds.get(1).cloned());
        put("{3}", kinds.get(2).cloned());
        put("{k}", phrases.first().map(|(phrase, _)| phrase.texts().collect::<Vec<_>>().join(" ")));
        let joined = phrases.first().map(|(_, at)| any_of(&kinds, self.negated(*at)));
        put("{kinds}", joined.clone());
        put("{group}", joined.map(grouped));
        let [must, when, other] = self.choice();
        put("{c}", must.what);
        put("{p}", (!when.kinds.is_empty()).then_some(when.what).flatten());
        put("{e}", other.what);
        let but = self.place(&["but", "except", "besides"]);
        if let Some(but) = but.filter(|_| self.place(&PIVOTS).is_none()) {
            // A negation is said by the pattern.
            let first = self.phrases(0, but).first().map_or(0, |(_, at)| *at);
            let second = self.phrases(but, end).first().map_or(but, |(_, at)| *at);
            let slot = if self.words[..but].iter().any(|w| plain(w) == "not") { "{out}" } else { "{l}" };
            put(slot, self.side(first, but).what.map(grouped));
            put("{r}", self.side(second, end).what.map(grouped));
        }
        let features = self.features(0, end);
        put("{f}", features.first().map(|f| (*f).to_string()));
        put("{g}", features.get(1).map(|f| (*f).to_string()));
        if let Some(same) = self.same(0, end) {
            put("{same}", Some(if same { "same" } else { "different" }.to_string()));
            put("{as}", Some(if same { "as" } else { "from" }.to_string()));
            put("{eq}", Some(if same { "=" } else { "!=" }.to_string()));
        }
        if let Some((direction, sign)) = self.direction(0, end) {
            put("{dir}", Some(direction));
            put("{sign}", Some(sign.to_string()));
        }
        let last = (0..end)
            .find(|&at| self.count(at + 1).is_some() && ["last", "previous"].contains(&self.words[at].as_str()));
        put("{last}", last.and_then(|at| self.count(at + 1)).map(|n| n.to_string()));
        let mut numbers = (0..end).filter(|at| last.is_none_or(|last| *at != last + 1)).filter_map(|at| self.count(at));
        put("{n}", numbers.next().map(|n| n.to_string()));
        put("{m}", numbers.next().map(|n| n.to_string()));
        put("{o}", numbers.next().map(|n| n.to_string()));
        let place = self.words.iter().find(|w| ordinal(w).is_some());
        put("{ord}", place.cloned());
        slots
    }

    /// How much a sentence shares with the text: kinds, features, numbers and directions count most.
    fn score(&self, cues: &str, sentence: &str) -> isize {
        let (own, said) = (Said::of(sentence, self.deck), self.telling());
        let (words, kinds) = (own.telling(), own.kinds());
        let shared = words.intersection(&said);
        let worth = |word: &String| if kinds.contains(word) || word.parse::<i32>().is_ok() { 4 } else { 2 };
        let brought = words.difference(&said).count() as isize;
        shared.map(worth).sum::<isize>() + 2 * cues.split_whitespace().count() as isize - brought
    }

    /// The sentence that shares most with the text.
    fn near(&self, text: &str) -> Option<String> {
        if self.tokens.len() > MAX_TOKENS || self.has("let") || self.has("start") {
            return None;
        }
        let slots = self.slots();
        let filled = PATTERNS.iter().enumerate().filter_map(|(order, (cues, pattern))| {
            if !cues.split_whitespace().all(|cue| self.has(cue)) {
                return None;
            }
            let mut sentence = (*pattern).to_string();
            for (slot, value) in &slots {
                sentence = sentence.replace(slot, value);
            }
            if sentence.contains('{') || sentence == text || !self.kept(cues, &sentence) {
                return None;
            }
            Some((self.score(cues, &sentence), std::cmp::Reverse(order), sentence))
        });
        let mut filled: Vec<_> = filled.collect();
        filled.sort_by(|a, b| b.cmp(a));
        let mut sentences = filled.into_iter().map(|(_, _, sentence)| sentence);
        sentences.find(|sentence| understood(sentence, self.deck) && playable(sentence, self.deck))
    }
}
