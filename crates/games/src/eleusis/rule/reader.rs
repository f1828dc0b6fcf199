//! Which reader of rule texts: what people played with keeps its meaning when the language is mended.

use super::parser::read;
use super::{Rule, eval, near};
use crate::eleusis::deck::Deck;
use ken_logic::syntax::Diagnostic;

/// A reader of rule texts.
///
/// New texts are read by [`Reader::Current`]. Records and stored matches that name no reader were played with
/// [`Reader::First`] and are read by it again. The readers differ in the forms that the parser asks
/// [`strict`](Reader::strict) and [`grouping`](Reader::grouping) about, and in that the first takes rules that never
/// look at the next card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// That of the first version: it takes `anything but clubs` for "always and a club", and the like.
    First,
    /// That of the second: it takes no notice of a comma in `red or even, and prime`, and the like.
    Second,
    /// That of today.
    #[default]
    Current,
}

impl Reader {
    /// All, the oldest first.
    pub const ALL: [Reader; 3] = [Reader::First, Reader::Second, Reader::Current];

    /// Its number in records.
    pub fn number(self) -> u32 {
        match self {
            Reader::First => 1,
            Reader::Second => 2,
            Reader::Current => 3,
        }
    }

    /// The reader with this number.
    pub fn of_number(number: u32) -> Option<Reader> {
        Reader::ALL.into_iter().find(|reader| reader.number() == number)
    }

    /// Whether it refuses, or reads as people mean them, the forms that the first one misread.
    pub fn strict(self) -> bool {
        self != Reader::First
    }

    /// Whether it refuses, or reads as people mean them, the forms that the second one misread: how far a comma, an
    /// adjective, `neither`, and a number after `or` reach.
    pub fn grouping(self) -> bool {
        self == Reader::Current
    }
}

impl Rule {
    /// The rule that a text says; or everything that is wrong with the text.
    pub fn parse(text: &str, deck: &Deck) -> Result<Rule, Vec<Diagnostic>> {
        Rule::parse_as(text, deck, Reader::Current)
    }

    /// The rule that a text says to a reader.
    pub fn parse_as(text: &str, deck: &Deck, reader: Reader) -> Result<Rule, Vec<Diagnostic>> {
        read(text, deck, Vec::new(), reader).map_err(|problems| {
            let honest = |mut problem: Diagnostic| {
                problem.help = problem.help.filter(|help| understood(help, deck)).map(|help| sensible(help, deck));
                problem
            };
            let mut problems: Vec<Diagnostic> = problems.into_iter().map(honest).collect();
            if reader.strict()
                && let Some(first) = problems.first_mut()
            {
                *first = near::help(first.clone(), text, deck);
            }
            problems
        })
    }
}

/// Whether the sentences that a help suggests can be read. Up to three words in quotes may be a part of a sentence.
fn understood(help: &str, deck: &Deck) -> bool {
    let suggests = help.starts_with("say `") || help.contains("as in `");
    let mut quoted = help.split('`').skip(1).step_by(2).filter(|text| text.split_whitespace().count() > 3);
    !suggests || quoted.all(|text| read(text, deck, Vec::new(), Reader::Current).is_ok())
}

/// Of two sentences that a help offers only the one that tells cards apart, if the other does not.
fn sensible(help: String, deck: &Deck) -> String {
    let inner = help.strip_prefix("say `").and_then(|rest| rest.strip_suffix('`'));
    let two = inner.and_then(|inner| inner.split_once("`, or `")).filter(|(first, _)| !first.contains('`'));
    let Some((first, second)) = two else { return help };
    // A test that every card passes, or none, on an empty line; what looks at the line is not judged here.
    let tells = |text: &str| match read(text, deck, Vec::new(), Reader::Current) {
        Ok(rule) => {
            let judged = deck.all().iter().map(|card| eval::test(&rule.body, &eval::Scene::new(deck, &[], card)));
            let judged: Option<Vec<bool>> = judged.collect();
            judged.is_none_or(|judged| judged.contains(&true) && judged.contains(&false))
        }
        Err(_) => true,
    };
    match (tells(first), tells(second)) {
        (true, false) => format!("say `{first}`"),
        (false, true) => format!("say `{second}`"),
        (true, true) | (false, false) => help,
    }
}
