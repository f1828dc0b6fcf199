//! Laws of all lessons: their files, words and examples.

use super::read::{Example, read};
use super::*;
use crate::api::{Block, Input};
use std::collections::BTreeSet;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/learn");

/// The files of the lessons by their names, to look at them as they are written.
fn files() -> Vec<(String, toml::Table)> {
    let file = |info: LessonInfo| {
        let text = std::fs::read_to_string(format!("{FOLDER}/{}.toml", info.id)).expect("the file of a lesson");
        (info.id, written(&text))
    };
    list().into_iter().map(file).collect()
}

fn ask(id: &str, answer: &[&str]) -> CheckedAnswer {
    let answer: Vec<String> = answer.iter().map(ToString::to_string).collect();
    check(id, &answer).expect("a lesson of this name")
}

/// The examples of all lessons, each with what is said to it.
fn answered() -> Vec<(String, Example, CheckedAnswer)> {
    let of = |lesson: &dyn Taught| {
        let one = |example: &Example| (lesson.info().id, example.clone(), lesson.check(&example.given));
        lesson.examples().iter().map(one).collect::<Vec<_>>()
    };
    LESSONS.iter().flat_map(|lesson| of(lesson.as_ref())).collect()
}

/// All that is said to an answer.
fn said(checked: &CheckedAnswer) -> Vec<String> {
    let caption = checked.drawing.iter().map(|drawing| drawing.caption.clone());
    [checked.explanation.clone()].into_iter().chain(checked.lines.clone()).chain(caption).collect()
}

/// The sentences of a table with their keys; those of tables in it too.
fn sentences(table: &toml::Table) -> Vec<(String, String)> {
    let of = |(key, value): (&String, &toml::Value)| match value {
        toml::Value::String(text) => vec![(key.clone(), Words::from(text.clone()).plain())],
        toml::Value::Table(inner) => {
            sentences(inner).into_iter().map(|(last, text)| (format!("{key}.{last}"), text)).collect()
        }
        other => panic!("{key}: {other}"),
    };
    table.iter().flat_map(of).collect()
}

fn written(text: &str) -> toml::Table {
    text.parse().unwrap_or_else(|problem| panic!("{problem}"))
}

/// The sentences that the check of a lesson can say.
fn says(file: &toml::Table) -> Vec<(String, String)> {
    sentences(file["says"].as_table().expect("a table"))
}

/// A sentence in pieces: what stands between the names in braces, and these names.
fn pieces(sentence: &str) -> (Vec<&str>, Vec<&str>) {
    let mut parts = sentence.split('{');
    let first = parts.next().unwrap_or_default();
    let (names, rest): (Vec<&str>, Vec<&str>) = parts.filter_map(|part| part.split_once('}')).unzip();
    ([first].into_iter().chain(rest).collect(), names)
}

/// Whether a text has a sentence in it, whatever stands for its names.
fn has(text: &str, sentence: &str) -> bool {
    let mut rest = Some(text);
    for piece in pieces(sentence).0 {
        rest = rest.and_then(|rest| rest.split_once(piece)).map(|(_, after)| after);
    }
    rest.is_some()
}

#[test]
fn every_file_can_be_read() {
    if let Err(problem) = all() {
        panic!("{problem}");
    }
    let stem = |entry: std::io::Result<std::fs::DirEntry>| {
        Some(entry.ok()?.file_name().to_str()?.strip_suffix(".toml")?.to_string())
    };
    let there: BTreeSet<String> = std::fs::read_dir(FOLDER).expect("a folder").filter_map(stem).collect();
    let mut wanted: BTreeSet<String> = list().into_iter().map(|info| info.id).collect();
    wanted.insert("shared".to_string());
    assert_eq!(there, wanted, "a file that no lesson reads");
    if let Err(problem) = toml::from_str::<Shared>(include_str!("shared.toml")) {
        panic!("shared.toml: {problem}");
    }
}

#[test]
fn a_broken_file_is_named_with_its_problem() {
    let knowing = include_str!("knowing.toml");
    for (good, bad, problem) in [
        ("id = \"knowing\"", "id = \"known\"", "`known`"),
        ("topic = ", "topics = ", "unknown field `topics`"),
        ("missed = ", "forgotten = ", "unknown field `forgotten`"),
        ("picture = \"worlds\"", "picture = \"world\"", "unknown variant `world`"),
        ("picture = \"worlds\"", "text = \"Worlds.\"", "a block is"),
        ("knower = \"ben\"", "knower = \"carl\"", "unknown agent `carl`"),
        ("confuse anna:", "confuse carl:", "carl"),
        ("second {second}, none {}", "second {second}, nothing {}", "none"),
        ("id = \"none\"", "id = \"nothing\"", "the world `none`"),
        ("right = true", "right = 1", "expected a boolean"),
    ] {
        assert!(knowing.contains(good), "{good}");
        let told = read::<worlds::Knows>("knowing", &knowing.replace(good, bad)).err().unwrap_or_default();
        assert!(told.starts_with("knowing.toml: ") && told.contains(problem), "{bad}: {told}");
    }
    let muddy = include_str!("muddy.toml").replace("model = \"muddy\"", "model = \"mud\"");
    let told = read::<worlds::Announced>("muddy", &muddy).err().unwrap_or_default();
    assert!(told.contains("there is no model `mud` in the library"), "{told}");
}

#[test]
fn every_lesson_has_examples_words_and_something_to_look_at() {
    let all = list();
    assert!(all.len() >= 8);
    for lesson in LESSONS.iter() {
        let count = |right: bool| lesson.examples().iter().filter(|example| example.right == right).count();
        assert!(count(true) >= 1 && count(false) >= 3, "{}", lesson.info().id);
    }
    for info in all {
        let lesson = lesson(&info.id).expect("it is in the list");
        assert!(lesson.blocks.iter().any(|b| matches!(b, Block::Text { .. })), "{}", info.id);
        assert!(lesson.blocks.iter().any(|b| !matches!(b, Block::Text { .. } | Block::Formulas { .. })), "{}", info.id);
        let words: usize =
            lesson.blocks.iter().map(|b| if let Block::Text { text } = b { text.split(' ').count() } else { 0 }).sum();
        assert!((30..400).contains(&words), "{} has {words} words", info.id);
    }
    assert!(lesson("nonsense").is_none() && check("nonsense", &[]).is_none());
}

#[test]
fn every_drawing_has_a_caption_and_nothing_else_has_one() {
    for (id, file) in files() {
        let lesson = lesson(&id).expect("it is in the list");
        let blocks = file["block"].as_array().expect("a list").clone();
        assert_eq!(blocks.len(), lesson.blocks.len());
        for (written, block) in blocks.iter().zip(&lesson.blocks) {
            let drawn = matches!(block, Block::Drawing(_));
            assert_eq!(written.get("caption").is_some(), drawn, "{id}: {written}");
        }
    }
}

#[test]
fn every_name_in_the_words_of_a_lesson_stands_for_something() {
    for info in list() {
        let lesson = lesson(&info.id).expect("it is in the list");
        let mut words = vec![info.title, info.about, lesson.exercise.ask];
        for block in lesson.blocks {
            match block {
                Block::Text { text } => words.push(text),
                Block::Formulas { rows } => words.extend(rows.into_iter().flat_map(|row| [row.text, row.means])),
                Block::Drawing(drawing) => words.push(drawing.caption),
                Block::Sheet { columns, log, .. } => words.extend(columns.into_iter().chain(log)),
                Block::Beliefs { parts } => words.extend(parts.into_iter().map(|part| part.name)),
                Block::Layout { .. } | Block::Table { .. } => {}
            }
        }
        match lesson.exercise.input {
            Input::Choices { options, .. } => words.extend(options.into_iter().map(|option| option.label)),
            Input::Pick { groups } => words.extend(groups.into_iter().map(|group| group.name)),
            Input::Text { .. } => {}
        }
        for text in words {
            assert!(!text.is_empty() && !text.contains(['{', '}']), "{}: {text:?}", info.id);
        }
    }
}

#[test]
fn what_can_be_chosen_has_different_names() {
    for info in list() {
        let options = match lesson(&info.id).expect("it is in the list").exercise.input {
            Input::Choices { options, .. } => options,
            Input::Pick { groups } => groups.into_iter().flat_map(|group| group.options).collect(),
            Input::Text { .. } => continue,
        };
        let names: BTreeSet<&String> = options.iter().map(|option| &option.id).collect();
        assert!(options.len() >= 3 && names.len() == options.len(), "{}: {options:?}", info.id);
        for name in names {
            ask(&info.id, &[name]);
        }
    }
}

#[test]
fn right_answers_are_right_and_wrong_ones_say_why() {
    for (id, example, checked) in answered() {
        assert_eq!(checked.right, example.right, "{id} {example:?}: {checked:?}");
        assert!(checked.explanation.len() > 15, "{id} {example:?}: {checked:?}");
    }
}

#[test]
fn every_sentence_of_a_lesson_is_said_to_one_of_its_examples() {
    let answered = answered();
    for (id, file) in files() {
        for (key, sentence) in says(&file) {
            let heard = |(lesson, _, checked): &&(String, Example, CheckedAnswer)| {
                *lesson == id && said(checked).iter().any(|text| has(text, &sentence))
            };
            let heard = answered.iter().find(heard);
            assert!(heard.is_some(), "{id}.toml: no example is told `{key}`: {sentence}");
        }
    }
}

#[test]
fn every_sentence_that_lessons_share_is_said() {
    let mut heard: Vec<String> = answered().iter().flat_map(|(_, _, checked)| said(checked)).collect();
    heard.extend(said(&ask("muddy", &[" "])));
    heard.extend(said(&ask("muddy", &[&"p".repeat(LONGEST + 1)])));
    for info in list() {
        for block in lesson(&info.id).expect("it is in the list").blocks {
            if let Block::Sheet { columns, log, .. } = block {
                heard.extend(columns.into_iter().chain(log));
            }
        }
    }
    for (key, sentence) in sentences(&written(include_str!("shared.toml"))) {
        let elsewhere = match key.as_str() {
            // No position of a lesson is too hard for the engine, and no short formula about so few worlds.
            "stuck" | "formula.unchecked" => true,
            // In no lesson a card is shown to you; the log has a test of its own.
            "cluedo.seat.shows" => true,
            _ => false,
        };
        let found = heard.iter().any(|text| has(text, &sentence));
        assert!(found || elsewhere, "shared.toml: nobody is told `{key}`: {sentence}");
    }
}

#[test]
fn every_name_in_a_sentence_is_filled() {
    let shared = sentences(&written(include_str!("shared.toml")));
    let files = files();
    for (id, example, checked) in answered() {
        assert!(!checked.explanation.contains(['{', '}']), "{id} {example:?}: {checked:?}");
        let own = files.iter().filter(|(name, _)| *name == id).flat_map(|(_, file)| says(file));
        for (_, sentence) in own.chain(shared.clone()) {
            for name in pieces(&sentence).1 {
                let open = format!("{{{name}}}");
                assert!(!said(&checked).iter().any(|text| text.contains(&open)), "{id} {example:?}: {checked:?}");
            }
        }
    }
}

#[test]
fn names_in_braces_are_replaced_once() {
    let words = Words::from("{a} and {b},\n  {c} {dx".to_string());
    assert_eq!(
        words.with(&[("a", "{b}".to_string()), ("b", String::new()), ("d", "x".to_string())]),
        "{b} and , {c} {dx"
    );
    assert_eq!(Words::from("{".to_string()).with(&[]), "{");
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
    let odd = ["", " ", "\u{0}", "é🂡", "\"", "--", "[announce p]^(999999) p", "{}", "-1", "AG p", &long, &deep, &open];
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
    let asking = read::<cluedo::Question>("asking", include_str!("asking.toml")).expect("it can be read").check;
    let (best, others) = asking.best_and_others();
    for cards in &best {
        assert!(ask("asking", &cards.iter().map(String::as_str).collect::<Vec<_>>()).right, "{cards:?}");
    }
    assert!(!best.is_empty() && !others.is_empty());
    assert_eq!(best.len() + others.len(), 27, "every question is looked at");
    for cards in &others {
        let checked = ask("asking", &cards.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(!checked.right && checked.explanation.contains("bit"), "{cards:?}");
    }
}
