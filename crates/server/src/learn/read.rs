//! How a lesson is written: the keys of its file, and its words with names in braces.

use super::{long_or_empty, stranger};
use crate::api::{Block, CheckedAnswer, Exercise, Group, Input, LessonInfo, Meaning};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What the names in braces stand for.
pub(super) type Facts = Vec<(&'static str, String)>;

/// Words of a lesson. Line breaks count as blanks, and `{name}` stands for something that the engine finds.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub(super) struct Words(String);

impl From<String> for Words {
    fn from(written: String) -> Words {
        Words(written.split_ascii_whitespace().collect::<Vec<_>>().join(" "))
    }
}

impl Words {
    /// The words as they are.
    pub(super) fn plain(&self) -> String {
        self.0.clone()
    }

    /// The words with the facts in place of their names. What comes in is not searched for further names, and a name that
    /// is not among the facts stays as it is: tests look for such.
    pub(super) fn with(&self, facts: &[(&'static str, String)]) -> String {
        let mut filled = String::new();
        let mut rest = self.0.as_str();
        while let Some(open) = rest.find('{') {
            let (before, from) = rest.split_at(open);
            filled.push_str(before);
            let close = from.find('}').map_or(from.len(), |close| close + 1);
            let (braced, after) = from.split_at(close);
            let named = braced.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
            let fact = facts.iter().find(|(name, _)| named == Some(*name));
            filled.push_str(fact.map_or(braced, |(_, value)| value));
            rest = after;
        }
        filled + rest
    }
}

/// The check of an exercise, with the things it is about. A kind of check can serve several lessons.
pub(super) trait Check: DeserializeOwned + Send + Sync + 'static {
    /// The words for what it can draw.
    type Picture: DeserializeOwned + Copy + Send + Sync;

    /// Everything that it can say.
    type Says: DeserializeOwned + Send + Sync;

    /// What is wrong with its data, if the types alone cannot tell.
    fn sound(&self) -> Result<(), String> {
        Ok(())
    }

    /// What the words of the lesson can name.
    fn facts(&self) -> Facts {
        Facts::new()
    }

    /// A picture; the caption of a drawing is filled in by the reader.
    fn picture(&self, picture: Self::Picture) -> Block;

    /// What an answer may choose, in groups; of one group the name is not shown.
    fn choices(&self) -> Vec<Group> {
        Vec::new()
    }

    /// What there is to say to an answer. If the exercise offers choices, the answer names nothing else.
    fn judge(&self, says: &Self::Says, given: &[String]) -> CheckedAnswer;
}

/// The file of a lesson.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "")]
pub(super) struct File<C: Check> {
    id: String,
    title: Words,
    about: Words,
    topic: String,
    #[serde(rename = "block")]
    blocks: Vec<Part<C::Picture>>,
    exercise: Task,
    pub(super) check: C,
    says: C::Says,
    #[serde(rename = "answer")]
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "they are read so that a broken one is found, and tried by tests")
    )]
    answers: Vec<Example>,
}

/// A block: `text`, or `rows`, or a `picture` that may have a `caption`.
#[derive(Deserialize)]
#[serde(try_from = "Keys<P>", bound = "P: DeserializeOwned")]
enum Part<P> {
    Text(Words),
    Rows(Vec<Row>),
    Picture(P, Option<Words>),
}

/// A block as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, bound = "P: DeserializeOwned")]
struct Keys<P> {
    text: Option<Words>,
    rows: Option<Vec<Row>>,
    picture: Option<P>,
    caption: Option<Words>,
}

impl<P> TryFrom<Keys<P>> for Part<P> {
    type Error = &'static str;

    fn try_from(keys: Keys<P>) -> Result<Part<P>, &'static str> {
        match (keys.text, keys.rows, keys.picture, keys.caption) {
            (Some(text), None, None, None) => Ok(Part::Text(text)),
            (None, Some(rows), None, None) => Ok(Part::Rows(rows)),
            (None, None, Some(picture), caption) => Ok(Part::Picture(picture, caption)),
            _ => Err("a block is a `text`, or `rows`, or a `picture` that may have a `caption`"),
        }
    }
}

/// A typed text with its meaning.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) text: Words,
    pub(super) means: Words,
}

impl Row {
    pub(super) fn meaning(&self, facts: &[(&'static str, String)]) -> Meaning {
        Meaning { text: self.text.with(facts), means: self.means.with(facts) }
    }
}

/// An exercise. What can be chosen is among the data of the check.
#[derive(Deserialize)]
#[serde(tag = "input", rename_all = "lowercase", deny_unknown_fields)]
enum Task {
    Choices { ask: Words, several: bool },
    Pick { ask: Words },
    Text { ask: Words, what: String, example: String },
}

/// An answer that tests try, and whether it is right.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "only tests look at them"))]
pub(super) struct Example {
    pub(super) right: bool,
    pub(super) given: Vec<String>,
}

/// A lesson that was read, whatever its check.
pub(super) trait Taught: Send + Sync {
    fn info(&self) -> LessonInfo;
    fn blocks(&self) -> Vec<Block>;
    fn exercise(&self) -> Exercise;
    fn check(&self, given: &[String]) -> CheckedAnswer;
    #[cfg(test)]
    fn examples(&self) -> &[Example];
}

/// Reads the file of this name; what is wrong with it names it.
pub(super) fn read<C: Check>(name: &str, text: &str) -> Result<File<C>, String> {
    let told = |problem: String| format!("{name}.toml: {problem}");
    let file: File<C> = toml::from_str(text).map_err(|problem| told(problem.to_string()))?;
    if file.id != name {
        return Err(told(format!("its `id` is `{}`, which is not the name of the file", file.id)));
    }
    file.check.sound().map_err(told)?;
    Ok(file)
}

impl<C: Check> Taught for File<C> {
    fn info(&self) -> LessonInfo {
        let (title, about) = (self.title.plain(), self.about.plain());
        LessonInfo { id: self.id.clone(), title, about, topic: self.topic.clone() }
    }

    fn blocks(&self) -> Vec<Block> {
        let facts = self.check.facts();
        let block = |part: &Part<C::Picture>| match part {
            Part::Text(text) => Block::Text { text: text.with(&facts) },
            Part::Rows(rows) => Block::Formulas { rows: rows.iter().map(|row| row.meaning(&facts)).collect() },
            Part::Picture(picture, caption) => {
                let mut block = self.check.picture(*picture);
                if let (Block::Drawing(drawing), Some(caption)) = (&mut block, caption) {
                    drawing.caption = caption.with(&facts);
                }
                block
            }
        };
        self.blocks.iter().map(block).collect()
    }

    fn exercise(&self) -> Exercise {
        let groups = self.check.choices();
        let (ask, input) = match &self.exercise {
            Task::Choices { ask, several } => {
                let options = groups.into_iter().flat_map(|group| group.options).collect();
                (ask, Input::Choices { several: *several, options })
            }
            Task::Pick { ask } => (ask, Input::Pick { groups }),
            Task::Text { ask, what, example } => (ask, Input::Text { what: what.clone(), example: example.clone() }),
        };
        Exercise { ask: ask.with(&self.check.facts()), input }
    }

    fn check(&self, given: &[String]) -> CheckedAnswer {
        let offered = match &self.exercise {
            Task::Choices { .. } => Some(self.check.choices()),
            // What is picked is one of each group, and only the check knows what makes such an answer.
            Task::Pick { .. } | Task::Text { .. } => None,
        };
        long_or_empty(given)
            .or_else(|| stranger(given, &offered?))
            .unwrap_or_else(|| self.check.judge(&self.says, given))
    }

    #[cfg(test)]
    fn examples(&self) -> &[Example] {
        &self.answers
    }
}
