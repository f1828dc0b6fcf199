//! Short lessons, each with an exercise that the engine checks.
//!
//! | file | lessons |
//! |---|---|
//! | `worlds` | what it is to know; muddy children; everybody knows and common knowledge |
//! | `cluedo` | reading a note sheet; asking a good question |
//! | `eleusis` | a rule that fits; a line that tells two rules apart |
//! | `yokai` | which colours a card can have |
//! | `change` | giving up beliefs; a property of every run |

mod change;
mod cluedo;
mod eleusis;
mod worlds;
mod yokai;

use crate::api::{Block, CheckedAnswer, Choice, Exercise, Lesson, LessonInfo, Problem};
use ken_logic::syntax::Diagnostic;

/// How long an answer may be, in bytes.
const LONGEST: usize = 600;

/// How many things an answer may choose.
const MOST: usize = 40;

/// A lesson as it is made.
struct Made {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    topic: &'static str,
    blocks: fn() -> Vec<Block>,
    exercise: fn() -> Exercise,
    check: fn(&[String]) -> CheckedAnswer,
}

/// All lessons in the order in which they are read.
const LESSONS: [&Made; 10] = [
    &worlds::KNOWING,
    &worlds::MUDDY,
    &worlds::COMMON,
    &cluedo::SHEET,
    &cluedo::ASKING,
    &eleusis::FITTING,
    &eleusis::APART,
    &yokai::COLOURS,
    &change::BELIEFS,
    &change::TIME,
];

impl Made {
    fn info(&self) -> LessonInfo {
        LessonInfo {
            id: self.id.to_string(),
            title: self.title.to_string(),
            about: self.about.to_string(),
            topic: self.topic.to_string(),
        }
    }
}

/// The lessons.
pub(crate) fn list() -> Vec<LessonInfo> {
    LESSONS.iter().map(|lesson| lesson.info()).collect()
}

/// The lesson of this name.
pub(crate) fn lesson(id: &str) -> Option<Lesson> {
    let at = LESSONS.iter().position(|lesson| lesson.id == id)?;
    let made = LESSONS[at];
    let name = |at: Option<usize>| at.and_then(|at| LESSONS.get(at)).map(|lesson| lesson.id.to_string());
    Some(Lesson {
        info: made.info(),
        blocks: (made.blocks)(),
        exercise: (made.exercise)(),
        before: name(at.checked_sub(1)),
        after: name(Some(at + 1)),
    })
}

/// What the engine says to an answer to the exercise of this lesson.
pub(crate) fn check(id: &str, answer: &[String]) -> Option<CheckedAnswer> {
    let made = LESSONS.iter().find(|lesson| lesson.id == id)?;
    if answer.len() > MOST || answer.iter().any(|text| text.len() > LONGEST) {
        return Some(wrong("That is longer than any answer needs to be."));
    }
    if answer.iter().all(|text| text.trim().is_empty()) {
        return Some(wrong("There is no answer yet."));
    }
    Some((made.check)(answer))
}

/// A right answer.
fn right(explanation: impl Into<String>) -> CheckedAnswer {
    CheckedAnswer { right: true, explanation: explanation.into(), ..CheckedAnswer::default() }
}

/// A wrong answer.
fn wrong(explanation: impl Into<String>) -> CheckedAnswer {
    CheckedAnswer { explanation: explanation.into(), ..CheckedAnswer::default() }
}

/// A text that could not be read, with the places where it went wrong.
fn unread(what: &str, text: &str, problems: &[Diagnostic]) -> CheckedAnswer {
    let Problem { message, help, marks, .. } = Problem::text(text, problems);
    let help = help.map_or_else(String::new, |help| format!(" Try this: {help}."));
    CheckedAnswer { marks, ..wrong(format!("This is not {what} yet: {message}.{help}")) }
}

/// An answer that names something that is not offered.
fn not_offered(answer: &[String], offered: impl Fn(&str) -> bool) -> Option<CheckedAnswer> {
    let stranger = answer.iter().find(|name| !offered(name))?;
    let short: String = stranger.chars().take(40).collect();
    Some(wrong(format!("`{short}` is not one of the choices.")))
}

fn text(text: &str) -> Block {
    Block::Text { text: text.to_string() }
}

fn choice(id: impl Into<String>, label: impl Into<String>) -> Choice {
    Choice { id: id.into(), label: label.into() }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => "nothing".to_string(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Input;

    type Answers = Vec<Vec<&'static str>>;

    /// Right and wrong answers for each lesson.
    fn examples() -> Vec<(&'static str, Answers, Answers)> {
        vec![
            (
                "knowing",
                vec![vec!["both", "second"], vec!["second", "both", "both"]],
                vec![vec!["both"], vec!["both", "second", "first"], vec!["none"], vec!["both", "elsewhere"]],
            ),
            (
                "muddy",
                vec![
                    vec!["K[child(1)] muddy(1)"],
                    vec!["C[all] (muddy(1) & muddy(2) & muddy(3))"],
                    vec!["forall i in 1..3: Kw[child(i)] muddy(i)"],
                    vec!["!nobody"],
                ],
                vec![vec!["muddy(1)"], vec!["K[child(1)] !muddy(1)"], vec!["K[child(4)] muddy(1)"], vec!["K[child(1)"]],
            ),
            (
                "common",
                vec![
                    vec!["!K[anna] K[ben] p"],
                    vec!["!E[all] E[all] p"],
                    vec!["!C[anna,ben] p"],
                    vec!["S[anna] S[ben] !p"],
                ],
                vec![vec!["E[all] p"], vec!["p"], vec!["K[anna] K[ben] p"], vec!["!p"], vec!["K[carl] p"], vec!["((("]],
            ),
            (
                "sheet",
                vec![vec!["hall"]],
                vec![vec!["dagger"], vec!["plum"], vec!["study"], vec!["kitchen"], vec!["hall", "study"]],
            ),
            (
                "asking",
                vec![],
                vec![vec!["plum", "rope", "hall"], vec!["plum"], vec!["plum", "green", "hall"], vec!["", "x", "y"]],
            ),
            (
                "fitting",
                vec![
                    vec!["alternate red and black"],
                    vec!["different colour"],
                    vec!["anything but the same colour"],
                    vec!["red if previous is black, otherwise black"],
                ],
                vec![vec!["higher than previous"], vec!["red"], vec!["purple cards"], vec!["even"]],
            ),
            (
                "apart",
                vec![vec!["3S 4S"], vec!["2H 9H"]],
                vec![vec!["3S"], vec!["3S 3S"], vec!["3S 9X"], vec!["5C 9H"]],
            ),
            (
                "colours",
                vec![vec!["green", "blue"], vec!["blue", "green"]],
                vec![vec!["green"], vec!["red", "green", "blue"], vec!["blue", "yellow"], vec!["pink"]],
            ),
            (
                "beliefs",
                vec![vec!["swan", "all-white"]],
                vec![vec!["swan"], vec!["all-white"], vec!["swan", "all-white", "bird"], vec!["nothing"]],
            ),
            ("time", vec![vec!["sender"]], vec![vec!["receiver"], vec!["possible"], vec!["acked"], vec!["never"]]),
        ]
    }

    fn ask(id: &str, answer: &[&str]) -> CheckedAnswer {
        let answer: Vec<String> = answer.iter().map(ToString::to_string).collect();
        check(id, &answer).expect("a lesson of this name")
    }

    #[test]
    fn every_lesson_has_examples_words_and_something_to_look_at() {
        let all = list();
        assert!(all.len() >= 8);
        assert_eq!(
            all.iter().map(|l| l.id.as_str()).collect::<Vec<_>>(),
            examples().iter().map(|e| e.0).collect::<Vec<_>>()
        );
        for info in all {
            let lesson = lesson(&info.id).expect("it is in the list");
            assert!(lesson.blocks.iter().any(|b| matches!(b, Block::Text { .. })), "{}", info.id);
            assert!(
                lesson.blocks.iter().any(|b| !matches!(b, Block::Text { .. } | Block::Formulas { .. })),
                "{}",
                info.id
            );
            let words: usize = lesson
                .blocks
                .iter()
                .map(|b| if let Block::Text { text } = b { text.split(' ').count() } else { 0 })
                .sum();
            assert!((30..400).contains(&words), "{} has {words} words", info.id);
        }
        assert!(lesson("nonsense").is_none() && check("nonsense", &[]).is_none());
    }

    #[test]
    fn right_answers_are_right_and_wrong_ones_say_why() {
        for (id, right, wrong) in examples() {
            for answer in right {
                let checked = ask(id, &answer);
                assert!(checked.right, "{id} {answer:?}: {checked:?}");
                assert!(!checked.explanation.is_empty());
            }
            for answer in wrong {
                let checked = ask(id, &answer);
                assert!(!checked.right, "{id} {answer:?}: {checked:?}");
                assert!(checked.explanation.len() > 15, "{id} {answer:?}: {checked:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_marked_where_it_goes_wrong() {
        for (id, answer, from) in [
            ("muddy", "K[child(1)] mudy(1)", 12),
            ("common", "K[carl] p", 2),
            ("fitting", "purple cards", 0),
            ("apart", "3S 9X", 3),
        ] {
            let checked = ask(id, &[answer]);
            assert_eq!(checked.marks.first().map(|m| m.from), Some(from), "{id}: {checked:?}");
        }
    }

    #[test]
    fn nonsense_is_answered_and_never_panics() {
        let long = "p & ".repeat(400);
        let deep = "K[anna] ".repeat(70) + "p";
        let open = "(".repeat(500);
        let odd =
            ["", " ", "\u{0}", "é🂡", "\"", "--", "[announce p]^(999999) p", "{}", "-1", "AG p", &long, &deep, &open];
        for info in list() {
            for text in odd {
                let checked = ask(&info.id, &[text]);
                assert!(!checked.right, "{} {text:?}", info.id);
                ask(&info.id, &[text, text, text]);
            }
            assert!(!check(&info.id, &[]).expect("a lesson").right);
            assert!(!check(&info.id, &vec!["p".to_string(); 1000]).expect("a lesson").right);
        }
    }

    #[test]
    fn examples_in_the_boxes_can_be_read_and_are_not_the_solution() {
        for info in list() {
            let lesson = lesson(&info.id).expect("it is in the list");
            if let Input::Text { example, .. } = &lesson.exercise.input {
                let checked = ask(&info.id, &[example]);
                assert!(!checked.right && checked.marks.is_empty(), "{}: {checked:?}", info.id);
            }
        }
    }

    #[test]
    fn the_best_questions_are_right_and_no_other_is() {
        let (best, others) = cluedo::best_questions();
        for cards in &best {
            assert!(ask("asking", &cards.iter().map(String::as_str).collect::<Vec<_>>()).right, "{cards:?}");
        }
        assert!(!best.is_empty() && !others.is_empty());
        for cards in &others {
            let checked = ask("asking", &cards.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(!checked.right && checked.explanation.contains("bit"), "{cards:?}");
        }
    }
}
