//! Kinds of cards by their words alone: `red kings`, `an even heart`. Two of them joined may be read in two ways:
//! `red or black kings`, `red kings or queens`, `hearts and kings`. Those are refused.

use super::lexer::{Kind, Token};
use super::parser::{Parsed, Parser};
use super::vocabulary::{adjective, is_count, is_plural, number, rank_name, suit};
use crate::cards::CardSet;
use crate::eleusis::deck::Deck;
use ken_logic::syntax::Diagnostic;

/// What sort of thing a word says of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A colour, a parity, another property of numbers.
    Adjective,
    Suit,
    /// A rank, or the face cards.
    Rank,
}

/// A word in the singular, and what it says.
#[derive(Clone, Debug, PartialEq)]
struct Word {
    sort: Sort,
    text: String,
    cards: CardSet,
    /// Whether it is a single letter: `K`.
    letter: bool,
}

/// The words for one kind of cards.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Phrase {
    /// Whether it begins with `a`, `an` or `the`.
    article: bool,
    words: Vec<Word>,
    /// Whether it names more than one card.
    plural: bool,
    /// Whether it ends with `card` or `cards`.
    noun: bool,
}

fn word_at(tokens: &[Token], at: usize) -> &str {
    match tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Word(word)) => word,
        Some(Kind::Number(_) | Kind::Sign(_) | Kind::End) | None => "",
    }
}

impl Phrase {
    /// The kind of cards whose words begin here, and the place after them.
    pub(super) fn at(tokens: &[Token], deck: &Deck, from: usize) -> Option<(Phrase, usize)> {
        let article = matches!(word_at(tokens, from), "a" | "an" | "the") && !lone_a(tokens, from);
        let mut at = from + usize::from(article);
        let mut phrase = Phrase { article, words: Vec::new(), plural: false, noun: false };
        // `after red black`: no card is both, so that is where another kind begins.
        let fits = |cards: CardSet, word: &Word| !cards.is_disjoint(word.cards);
        while let Some(word) = named(tokens, deck, at).filter(|word| fits(phrase.cards(deck), word)) {
            phrase.plural |= is_plural(deck, word_at(tokens, at));
            phrase.words.push(word);
            at += 1;
        }
        if phrase.words.is_empty() {
            return None;
        }
        let number = |at| matches!(word_at(tokens, at), "number" | "numbers") && word_at(tokens, at + 1) != "of";
        if matches!(word_at(tokens, at), "card" | "cards") || number(at) {
            phrase.plural |= matches!(word_at(tokens, at), "cards" | "numbers");
            phrase.noun = true;
            at += 1;
        }
        Some((phrase, at))
    }

    /// The longest such kind whose words end here, and where it begins.
    fn until(tokens: &[Token], deck: &Deck, first: usize, end: usize) -> Option<(Phrase, usize)> {
        (first..end).find_map(|from| {
            let (phrase, stop) = Phrase::at(tokens, deck, from)?;
            (stop == end).then_some((phrase, from))
        })
    }

    /// The kind of one word.
    fn of_word(word: Word) -> Phrase {
        Phrase { article: false, words: vec![word], plural: false, noun: false }
    }

    /// Whether only properties are said, as in `red` or `even`.
    fn adjectives(&self) -> bool {
        !self.noun && self.words.iter().all(|word| word.sort == Sort::Adjective)
    }

    /// The last word, if it is the name of a suit or of a rank.
    fn name(&self) -> Option<&Word> {
        self.words.last().filter(|word| word.sort != Sort::Adjective)
    }

    /// Whether a single letter stands for a rank.
    fn letters(&self) -> bool {
        self.words.iter().any(|word| word.letter)
    }

    /// The same with these words in front.
    fn with(&self, front: &[Word]) -> Phrase {
        Phrase { words: [front, &self.words].concat(), ..self.clone() }
    }

    /// Its words in the singular.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }

    /// The cards that are all of this.
    fn cards(&self, deck: &Deck) -> CardSet {
        self.words.iter().fold(deck.all(), |cards, word| cards.and(word.cards))
    }

    /// The kind in the singular: `a red king`, `even`, `a face card`.
    pub(super) fn one(&self) -> String {
        let text = joined(&self.words);
        let Some(name) = self.name() else { return text };
        let vowel = text.starts_with(['a', 'e', 'i', 'o', 'u', '8']);
        let noun = if name.text == "face" { " card" } else { "" };
        format!("{} {text}{noun}", if vowel { "an" } else { "a" })
    }
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// What one word says of a card; a number that may count cards says nothing.
fn named(tokens: &[Token], deck: &Deck, at: usize) -> Option<Word> {
    let ranked = |rank: u8| {
        let letter = matches!(&tokens[at].kind, Kind::Word(word) if word.len() == 1);
        Word { sort: Sort::Rank, text: rank_name(rank), cards: deck.ranks(|r| r == rank), letter }
    };
    let word = match &tokens.get(at)?.kind {
        Kind::Number(n) => return u8::try_from(*n).ok().filter(|n| (1..=deck.values()).contains(n)).map(ranked),
        Kind::Word(word) => word.as_str(),
        Kind::Sign(_) | Kind::End => return None,
    };
    if let Some(rank) = number(word) {
        return (!is_count(word)).then(|| ranked(rank));
    }
    let letter = match word {
        "a" if lone_a(tokens, at) => Some(1),
        "t" => Some(10),
        "j" => Some(11),
        "q" => Some(12),
        "k" => Some(13),
        _ => None,
    };
    if let Some(rank) = letter.filter(|rank| *rank <= deck.values()) {
        return Some(ranked(rank));
    }
    let cards = adjective(deck, word)?.cards;
    let (sort, text) = match (suit(deck, word), word) {
        (Some(place), _) => (Sort::Suit, deck.suits()[place].name.trim_end_matches('s')),
        (None, "face" | "faces" | "picture" | "pictures" | "court") => (Sort::Rank, "face"),
        (None, _) => (Sort::Adjective, word.trim_end_matches('s')),
    };
    Some(Word { sort, text: text.to_string(), cards, letter: false })
}

/// Whether an `a` at this place is an ace: it is no article before what is no word.
fn lone_a(tokens: &[Token], at: usize) -> bool {
    let next = tokens.get(at + 1).map(|token| &token.kind);
    let joins = matches!(word_at(tokens, at + 1), "or" | "and" | "to" | "then" | "if" | "only");
    word_at(tokens, at) == "a" && (joins || !matches!(next, Some(Kind::Word(_) | Kind::Number(_))))
}

impl Parser<'_> {
    /// Refuses two kinds of cards of which people understand different things. The first begins at `left`, the joining
    /// word stands at `join`, the second ends here. In a list (`listed`) `and` says no more than `or`.
    pub(super) fn clear_kinds(&mut self, left: usize, join: usize, listed: bool) -> Parsed<()> {
        if !self.reader.strict() {
            return Ok(());
        }
        let comma = usize::from(matches!(self.tokens[join].kind, Kind::Sign(",")));
        let mut word = word_at(&self.tokens, join + comma).to_string();
        if self.reader.grouping() && comma > 0 && !["and", "or"].contains(&word.as_str()) {
            word.clear();
        }
        let first = Phrase::until(&self.tokens, self.deck, left, join);
        let second = Phrase::at(&self.tokens, self.deck, join + comma + usize::from(!word.is_empty()));
        let (Some((first, from)), Some((second, to))) = (first, second) else { return Ok(()) };
        let only = usize::from(word_at(&self.tokens, to) == "only" && self.at == to + 1);
        if to + only != self.at || !["and", "or", ""].contains(&word.as_str()) || self.names_in(from, to) {
            return Ok(());
        }
        let letters = first.letters() || second.letters();
        if !self.reader.grouping() && letters {
            return Ok(());
        }
        let (mut rest, mut to) = (vec![second], to);
        while self.reader.grouping()
            && word != "and"
            && let Some((more, end)) = self.listed_after(to, &rest[0])
        {
            rest.push(more);
            to = end;
        }
        let and = word == "and" && !listed;
        let ways = two_ways(&first, &rest, and, self.deck);
        let ways = ways.or_else(|| properties(&first, &rest, and, self.deck).filter(|_| self.reader.grouping()));
        let Some((message, ways)) = ways else { return Ok(()) };
        // `no red or black kings`.
        let negated = from > 0 && ["no", "not", "never"].contains(&word_at(&self.tokens, from - 1));
        let none = |way: &String| match way.contains('(') {
            true => format!("not ({way})"),
            false => format!("neither {}", way.replace(" or ", " nor ")),
        };
        let (from, ways) = match negated {
            true => (from - 1, ways.iter().map(none).collect()),
            false => (from, ways),
        };
        let ways: Vec<String> = ways.iter().map(|way| format!("`{}`", self.rewritten(from, to - 1, way))).collect();
        let span = self.tokens[from].span.to(self.tokens[to - 1].span);
        Err(self.unclear(span, &message, &format!("say {}", ways.join(", or "))))
    }

    /// Refuses a list of kinds with commas that is read in two ways: `red 7, 8 or 9`, `red kings, queens and jacks`. It
    /// begins at `start` and ends here; `and` tells that no `or` closes it.
    pub(super) fn clear_list(&mut self, start: usize, and: bool) -> Parsed<()> {
        if !self.reader.grouping() {
            return Ok(());
        }
        let Some((first, mut to)) = Phrase::at(&self.tokens, self.deck, start) else { return Ok(()) };
        let mut rest: Vec<Phrase> = Vec::new();
        while to < self.at {
            let mut next = to + usize::from(self.tokens[to].kind == Kind::Sign(","));
            next += usize::from(matches!(word_at(&self.tokens, next), "or" | "and"));
            let Some((phrase, end)) = Phrase::at(&self.tokens, self.deck, next).filter(|_| next > to) else {
                return Ok(());
            };
            rest.push(phrase);
            to = end;
        }
        if rest.is_empty() || to != self.at || self.names_in(start, to) {
            return Ok(());
        }
        let ways = two_ways(&first, &rest, false, self.deck).or_else(|| properties(&first, &rest, false, self.deck));
        let ways = ways.or_else(|| and.then(|| any_or_all(&first, &rest, self.deck)));
        let Some((message, ways)) = ways else { return Ok(()) };
        let ways: Vec<String> = ways.iter().map(|way| format!("`{}`", self.rewritten(start, to - 1, way))).collect();
        let span = self.tokens[start].span.to(self.tokens[to - 1].span);
        Err(self.unclear(span, &message, &format!("say {}", ways.join(", or "))))
    }

    /// Another kind of one word, of the same sort, after `or` or a comma, and the place after it.
    fn listed_after(&self, at: usize, before: &Phrase) -> Option<(Phrase, usize)> {
        let comma = at + usize::from(self.tokens[at].kind == Kind::Sign(","));
        let next = comma + usize::from(word_at(&self.tokens, comma) == "or");
        let (phrase, end) = Phrase::at(&self.tokens, self.deck, next).filter(|_| next > at)?;
        let sort = |phrase: &Phrase| phrase.words.last().map(|word| word.sort);
        let plain = phrase.words.len() == 1 && !phrase.article && sort(&phrase) == sort(before);
        plain.then_some((phrase, end))
    }

    /// Whether a name that the text defines stands here: it means what it was defined as.
    fn names_in(&self, from: usize, to: usize) -> bool {
        (from..to).any(|at| self.declared.iter().any(|name| name == word_at(&self.tokens, at)))
    }

    /// A rank that is joined to one of a suit, or a suit to one with a rank: `7 or 8 of hearts`, `7 of hearts or diamonds`.
    /// What is meant by the part that stands alone is in doubt.
    pub(super) fn suits_in_doubt(&mut self) -> Option<Diagnostic> {
        let (tokens, deck) = (&self.tokens, self.deck);
        let rank_at = |at: usize| match &tokens[at].kind {
            Kind::Number(n) => u8::try_from(*n).ok().filter(|n| (1..=deck.values()).contains(n)),
            Kind::Word(word) => number(word),
            Kind::Sign(_) | Kind::End => None,
        };
        let suit_at = |at: usize| suit(deck, word_at(tokens, at)).map(|suit| deck.suits()[suit].name);
        let comma = |at: usize| usize::from(tokens[at].kind == Kind::Sign(","));
        let joins = |at: usize| matches!(word_at(tokens, at), "or" | "and");
        let place = |at: &usize| word_at(tokens, *at) == "of" && rank_at(at - 1).is_some() && suit_at(at + 1).is_some();
        let (from, to, ways) = (1..tokens.len() - 1).filter(place).find_map(|of| {
            let (rank, suit) = (rank_name(rank_at(of - 1)?), suit_at(of + 1)?);
            let whole = format!("the {rank} of {suit}");
            let before = of.checked_sub(3).filter(|at| joins(at + 1)).map(|at| at.saturating_sub(comma(at)));
            if let Some(at) = before.filter(|at| rank_at(*at).is_some()) {
                let word = rank_name(rank_at(at)?);
                let cards = deck.all();
                let one = Phrase::of_word(Word { sort: Sort::Rank, text: word.clone(), cards, letter: false }).one();
                let from = at - usize::from(at > 0 && matches!(word_at(tokens, at - 1), "a" | "an" | "the"));
                let ways = [format!("the {word} of {suit}"), one];
                return Some((from, of + 1, ways.map(|alone| (alone, whole.clone()))));
            }
            let join = of + 2 + comma(of + 2);
            let at = join + 1;
            let other =
                suit_at(at.min(tokens.len() - 1)).filter(|_| joins(join) && named(tokens, deck, at + 1).is_none())?;
            let one = Phrase::of_word(named(tokens, deck, at)?).one();
            let from = of - 1 - usize::from(of > 1 && matches!(word_at(tokens, of - 2), "a" | "an" | "the"));
            Some((from, at, [format!("the {rank} of {other}"), one].map(|alone| (whole.clone(), alone))))
        })?;
        let negated = from > 0 && ["no", "not", "never"].contains(&word_at(tokens, from - 1));
        let listed = from > 0 && tokens[from - 1].kind == Kind::Sign(",");
        let from = from - usize::from(negated);
        let ways = ways.map(|(a, b)| if negated { format!("neither {a} nor {b}") } else { format!("{a} or {b}") });
        let [both, last] = ways.map(|way| self.rewritten(from, to, &way));
        let help = if listed { String::new() } else { format!("say `{both}`, or `{last}`") };
        let span = self.tokens[from].span.to(self.tokens[to].span);
        Some(self.unclear(span, "does the suit hold for both?", &help))
    }

    /// Refuses `multiple of 3 but not 4`: the rank 4, or the multiples of 4? What was said before begins at `start`.
    pub(super) fn clear_multiple(&mut self, start: usize) -> Parsed<()> {
        if !self.reader.strict() {
            return Ok(());
        }
        let words = |at: usize| (word_at(&self.tokens, at), word_at(&self.tokens, at + 1));
        let number = |at: usize| {
            let count = matches!(self.tokens[at].kind, Kind::Number(_)) || is_count(word_at(&self.tokens, at));
            count || matches!(word_at(&self.tokens, at), "or" | "and" | "both" | "either")
        };
        let said = (start..self.at).find(|&at| matches!(words(at), ("multiple", "of") | ("divisible", "by")));
        let Some(said) = said.filter(|said| (said + 2..self.at).all(number)) else { return Ok(()) };
        let join = self.at + usize::from(self.sees(","));
        let out = match words(join) {
            ("but" | "and", "not" | "never") => join + 2,
            ("except", "for") => join + 2,
            ("except", _) => join + 1,
            _ => return Ok(()),
        };
        let start = self.at;
        self.at = out;
        let by = self.whole();
        let doubtful = by.filter(|_| self.at_boundary());
        let to = self.at - 1;
        let span = self.tokens[said].span.to(self.tokens[to].span);
        self.at = start;
        let Some(by) = doubtful else { return Ok(()) };
        let ways = [format!(" and not a multiple of {by}"), format!(" and rank is not {by}")];
        let [multiple, rank] = ways.map(|way| tidy(&self.rewritten(self.at, to, &way)));
        let help = format!("say `{multiple}`, or `{rank}`");
        Err(self.unclear(span, "the rank, or its multiples?", &help))
    }
}

/// With single spaces.
fn tidy(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The kinds, one after the other.
fn either(kinds: &[Phrase]) -> String {
    kinds.iter().map(Phrase::one).collect::<Vec<_>>().join(" or ")
}

/// Why kinds that are joined can be read in two ways, and the ways. Those after the first are the `rest`.
fn two_ways(first: &Phrase, rest: &[Phrase], and: bool, deck: &Deck) -> Option<(String, Vec<String>)> {
    let second = rest.first()?;
    let all = |phrase: &Phrase, rest: &[Phrase]| either(&[std::slice::from_ref(phrase), rest].concat());
    let (name, front) = second.words.split_last()?;
    let suit = |words: &[Word]| matches!(words, [word] if word.sort == Sort::Suit);
    let bare = first.adjectives() || (suit(&first.words) && suit(front) && !first.plural && !first.noun);
    if bare && !second.article && !front.is_empty() && name.sort != Sort::Adjective {
        let noun = Phrase { words: vec![name.clone()], ..second.clone() };
        let message = format!("does `{}` stand alone, or with `{}`?", joined(&first.words), name.text);
        return Some((message, vec![all(&noun.with(&first.words), rest), all(first, rest)]));
    }
    let shared = &first.words[..first.words.len() - 1];
    let same = first.name().zip(second.name()).is_some_and(|(a, b)| a.sort == b.sort);
    let both: Vec<Phrase> = rest.iter().map(|phrase| phrase.with(shared)).collect();
    let some = both.iter().any(|phrase| !phrase.cards(deck).is_empty());
    if same && front.is_empty() && !shared.is_empty() && !second.article && some {
        let hold = if rest.len() > 1 { "all" } else { "both" };
        let message = format!("does `{}` hold for {hold}?", joined(shared));
        return Some((message, vec![all(first, &both), all(first, rest)]));
    }
    if and && first.plural && second.plural && !first.article && !second.article {
        let mut ways = vec![all(first, rest)];
        if !first.cards(deck).is_disjoint(second.cards(deck)) {
            ways.push(format!("{} and {}", first.one(), second.one()));
        }
        return Some(("must a card be both?".to_string(), ways));
    }
    None
}

/// The same where only properties are said: `red even or odd`, `red or black even`.
fn properties(first: &Phrase, rest: &[Phrase], and: bool, deck: &Deck) -> Option<(String, Vec<String>)> {
    let plain = |phrase: &Phrase| phrase.words.iter().all(|word| word.sort == Sort::Adjective);
    let second = rest.first()?;
    if and || first.noun || second.article || !plain(first) || !rest.iter().all(plain) {
        return None;
    }
    let some = |front: &[Word], word: &Word| !Phrase::of_word(word.clone()).with(front).cards(deck).is_empty();
    let singles = |phrases: &[Phrase]| phrases.iter().all(|phrase| phrase.words.len() == 1);
    let list = |phrases: &[Phrase]| phrases.iter().map(|p| joined(&p.words)).collect::<Vec<_>>().join(" or ");
    if let [shared @ .., last] = &first.words[..]
        && !shared.is_empty()
        && singles(rest)
        && rest.iter().any(|phrase| some(shared, &phrase.words[0]))
    {
        let front = shared.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" and ");
        let message = format!("does `{}` hold for both?", joined(shared));
        let (last, rest) = (&last.text, list(rest));
        return Some((
            message,
            vec![format!("{front} and ({last} or {rest})"), format!("({front} and {last}) or {rest}")],
        ));
    }
    if let ([word], [front @ .., last], [_]) = (&first.words[..], &second.words[..], rest)
        && !front.is_empty()
        && some(std::slice::from_ref(word), last)
    {
        let message = format!("does `{}` hold for both?", last.text);
        let (one, two) = (&word.text, front.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" and "));
        let last = &last.text;
        return Some((message, vec![format!("({one} or {two}) and {last}"), format!("{one} or ({two} and {last})")]));
    }
    None
}

/// A list that is closed by `and`: one of them, or all at once?
fn any_or_all(first: &Phrase, rest: &[Phrase], deck: &Deck) -> (String, Vec<String>) {
    let kinds = [std::slice::from_ref(first), rest].concat();
    let cards = kinds.iter().fold(deck.all(), |cards, kind| cards.and(kind.cards(deck)));
    if cards.is_empty() {
        return ("is it one of these?".to_string(), vec![either(&kinds)]);
    }
    let all = kinds.iter().map(Phrase::one).collect::<Vec<_>>().join(" and ");
    ("must a card be all of them?".to_string(), vec![either(&kinds), all])
}
