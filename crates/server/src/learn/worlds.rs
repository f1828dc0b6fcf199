//! What it is to know; muddy children; everybody knows and common knowledge.

use super::{Made, choice, listed, not_offered, right, text, unread, wrong};
use crate::api::{Block, CheckedAnswer, Drawing, Exercise, Input, Meaning};
use ken_logic::draw;
use ken_logic::formula::{F, Formula};
use ken_logic::model::{BitSet, Kripke};
use ken_logic::{Answer, Document, Format, Limits, Query, QueryKind};

/// Enough for every formula that a lesson asks for; a longer thought is stopped.
const LIMITS: Limits = Limits { worlds: 20_000, diagram_bytes: 64 << 20 };

/// Formulas with more parts than this take longer than a lesson.
const PARTS: u64 = 5_000;

/// Deeper formulas are not what a lesson asks for.
const DEEP: usize = 300;

pub(super) fn document(source: &str) -> Document {
    Document::read(source, Format::Ken).expect("the model of a lesson")
}

fn kripke(document: &Document) -> Kripke {
    document.checker(LIMITS).listed().expect("a small model").clone()
}

fn drawing(model: &Kripke, truth: Option<(&str, BitSet)>, caption: &str) -> Drawing {
    let truth = truth.map(|(formula, worlds)| (formula.to_string(), worlds));
    let options = draw::Options { point: model.point(), truth, ..draw::Options::default() };
    Drawing { svg: draw::svg(model, &options), caption: caption.to_string() }
}

fn formulas(rows: &[(&str, &str)]) -> Block {
    let row = |(text, means): &(&str, &str)| Meaning { text: text.to_string(), means: means.to_string() };
    Block::Formulas { rows: rows.iter().map(row).collect() }
}

/// Why an answer cannot be looked at any further.
type Refused = Box<CheckedAnswer>;

fn refused(why: impl Into<String>) -> Refused {
    Box::new(wrong(why))
}

/// Reads the formula of an answer; what is not one, or not one for a model of worlds, is told.
fn read(document: &Document, answer: &[String]) -> Result<F, Refused> {
    let [typed] = answer else { return Err(refused("One formula is enough.")) };
    let formula = document.formula(typed).map_err(|problems| Box::new(unread("a formula", typed, &problems)))?;
    match formula.is_temporal() {
        true => Err(refused("`AG`, `EF` and the like speak of time, and nothing happens over time here.")),
        false if formula.depth() > DEEP || formula.size() > PARTS => {
            Err(refused("This formula is larger than the lesson can follow."))
        }
        false => Ok(formula),
    }
}

/// Whether a formula holds at the point, with the reasons in lines.
fn at_point(document: &Document, formula: F) -> Result<(bool, Vec<String>), Refused> {
    let query = Query::new(QueryKind::Check, formula);
    match document.checker(LIMITS).ask(query.explained()) {
        Ok(answer) => Ok((answer.holds, told(&answer))),
        Err(error) => Err(refused(format!("This formula cannot be checked here: {error}."))),
    }
}

/// The reason of an answer in lines.
pub(super) fn told(answer: &Answer) -> Vec<String> {
    answer.reason.iter().flat_map(|reason| reason.lines()).map(|line| line.to_string()).collect()
}

fn settled(checked: Result<CheckedAnswer, Refused>) -> CheckedAnswer {
    checked.unwrap_or_else(|refused| *refused)
}

// ---- What it is to know

const COINS: &str = "\
agents anna, ben
props first, second
worlds both {first, second}, first {first}, second {second}, none {}
confuse anna: both first | second none
confuse ben: both second | first none
";

/// The worlds as people call them.
const WORLDS: [(&str, &str); 4] = [
    ("both", "both coins show heads"),
    ("first", "only the first shows heads"),
    ("second", "only the second shows heads"),
    ("none", "neither shows heads"),
];

const CLAIM: &str = "K[ben] (first | second)";

pub(super) const KNOWING: Made = Made {
    id: "knowing",
    title: "What it is to know",
    about: "You know what is so in every world that you cannot tell from this one.",
    topic: "Logic",
    blocks: || {
        let document = document(COINS);
        vec![
            text(
                "Two coins lie under two cups. Anna has looked under the first cup, Ben under the second. Four things \
                  can be the case: we call them worlds, and draw each as a box.",
            ),
            Block::Drawing(drawing(
                &kripke(&document),
                None,
                "Four worlds. A line joins two worlds that somebody cannot tell apart; the name on it says who. Anna \
                 cannot tell both from first, nor second from none; Ben cannot tell both from second, nor first from none.",
            )),
            text(
                "To know something is to be able to rule out everything else. Anna knows `first` in the worlds `both` \
                  and `first`: the worlds that she cannot tell from them agree about the first coin. She never knows \
                  about the second: of the two worlds that a line of hers joins, one has it and the other has not.",
            ),
            formulas(&[
                ("K[anna] first", "Anna knows that the first coin shows heads"),
                ("first | second", "at least one of them shows heads"),
                (CLAIM, "Ben knows that at least one of them shows heads"),
            ]),
        ]
    },
    exercise: || Exercise {
        ask: format!("In which worlds does `{CLAIM}` hold?"),
        input: Input::Choices {
            several: true,
            options: WORLDS.iter().map(|(id, label)| choice(*id, format!("`{id}`: {label}"))).collect(),
        },
    },
    check: |answer| settled(check_knowing(answer)),
};

fn check_knowing(answer: &[String]) -> Result<CheckedAnswer, Refused> {
    let document = document(COINS);
    let model = kripke(&document);
    if let Some(stranger) = not_offered(answer, |name| model.world(name).is_some()) {
        return Ok(stranger);
    }
    let formula = document.formula(CLAIM).map_err(|_| refused("The lesson has lost its formula."))?;
    let inner = document.formula("first | second").map_err(|_| refused("The lesson has lost its formula."))?;
    let check = |formula: &F| document.checker(LIMITS).truth(formula);
    let (holds, inside) = match (check(&formula), check(&inner)) {
        (Ok(holds), Ok(inside)) => (holds, inside),
        _ => return Err(refused("The lesson cannot check its formula.")),
    };
    let chosen = BitSet::from_fn(model.size(), |w| answer.contains(&model.name(w)));
    let ben = model.agent("ben").unwrap_or_default();
    if let Some(world) = chosen.iter().find(|&w| !holds.contains(w)) {
        let possible = model.possible(ben, world);
        let other = possible.into_iter().find(|&w| !inside.contains(w)).unwrap_or(world);
        let (here, there) = (model.name(world), model.name(other));
        return Ok(wrong(match here == there {
            true => format!("Not in `{here}`: there neither coin shows heads, and what is not so cannot be known."),
            false => format!(
                "Not in `{here}`: Ben cannot tell it from `{there}`, and in `{there}` neither coin shows heads. So he does not know."
            ),
        }));
    }
    if let Some(world) = holds.iter().find(|&w| !chosen.contains(w)) {
        let possible: Vec<String> =
            model.possible(ben, world).into_iter().map(|w| format!("`{}`", model.name(w))).collect();
        let here = model.name(world);
        return Ok(wrong(format!(
            "It also holds in `{here}`: there Ben considers {} possible, and in all of these some coin shows heads.",
            listed(&possible)
        )));
    }
    Ok(CheckedAnswer {
        drawing: Some(drawing(&model, Some((CLAIM, holds)), "The worlds in which Ben knows it are filled.")),
        ..right(
            "Where the second coin shows heads Ben sees it, and so knows that some coin does. Where it shows \
                 tails he cannot rule out `none`.",
        )
    })
}

// ---- Muddy children

const CHILDREN: &str = ken_arena::library::model("muddy").unwrap();

pub(super) const MUDDY: Made = Made {
    id: "muddy",
    title: "Three muddy children",
    about: "What an announcement teaches, and what silence teaches after it.",
    topic: "Logic",
    blocks: || {
        let document = document(CHILDREN);
        let model = kripke(&document);
        let someone = document.formula("someone").expect("a name of the model");
        let told = document.checker(LIMITS).truth(&someone).expect("a small model");
        let (after, _) = model.restrict(&told);
        vec![
            text(
                "Three children have played outside, and all three have mud on their foreheads. Each sees the others and \
                  not itself. Their father says: “At least one of you is muddy.” Then he asks, again and again, whether \
                  anybody knows about themselves.",
            ),
            text(
                "His sentence is nothing new to anybody: each child sees two muddy ones. Still it changes something. It \
                  removes the world in which nobody is muddy, and everybody sees it go.",
            ),
            Block::Drawing(drawing(
                &after,
                None,
                "The seven worlds that are left after the father has spoken; the marked one is what is really so: all \
                 three are muddy. A line joins two worlds that differ in one child, the child who cannot see it.",
            )),
            text(
                "Now each time that nobody answers, worlds go. After the first silence it cannot be that only one is \
                  muddy: that child would have seen no mud and spoken. After the second it cannot be two.",
            ),
            formulas(&[
                ("someone", "at least one child is muddy"),
                ("nobody", "no child knows whether it is muddy itself"),
                ("[announce someone] p", "p is so after all have heard this"),
                ("Kw[child(2)] muddy(2)", "child 2 knows whether it is muddy"),
            ]),
        ]
    },
    exercise: || {
        Exercise {
        ask: "Type a formula that is false before the father speaks, and true after his sentence and two silences: after \
              `[announce someone] [announce nobody] [announce nobody]`."
            .to_string(),
        input: Input::Text { what: "formula".to_string(), example: "K[child(1)] muddy(2)".to_string() },
    }
    },
    check: |answer| settled(check_muddy(answer)),
};

fn check_muddy(answer: &[String]) -> Result<CheckedAnswer, Refused> {
    let document = document(CHILDREN);
    let formula = read(&document, answer)?;
    let (before, why) = at_point(&document, formula.clone())?;
    if before {
        let explanation = "This is true already before the father speaks, so it is not his doing. Look for something \
                           that a child does not know yet.";
        return Ok(CheckedAnswer { lines: why, ..wrong(explanation) });
    }
    let named = |name: &str| document.formula(name).map_err(|_| refused("The lesson has lost its formulas."));
    let (someone, nobody) = (named("someone")?, named("nobody")?);
    let announced = |spoken: &F, then: F| Formula::after(ken_logic::formula::Action::Announce(spoken.clone()), then);
    let after = announced(&someone, announced(&nobody, announced(&nobody, formula)));
    let (holds, why) = at_point(&document, after)?;
    Ok(match holds {
        true => CheckedAnswer {
            lines: why,
            ..right(
                "False at the start, true after one sentence and two silences. Nobody saw more mud than \
                     before; all they heard was that others did not know.",
            )
        },
        false => CheckedAnswer {
            lines: why,
            ..wrong(
                "This is false at the start, as it should be, but still false after the two silences. Only the world \
                     in which all three are muddy is left then.",
            )
        },
    })
}

// ---- Everybody knows, and common knowledge

const CHAIN: &str = "\
agents anna, ben
props p
worlds here {p}, next {p}, far {}
confuse anna: here next
confuse ben: next far
point here
";

const TOGETHER: &str = "\
agents anna, ben
props p
worlds here {p}, next {p}
confuse anna: here next
point here
";

pub(super) const COMMON: Made = Made {
    id: "common",
    title: "Everybody knows, and common knowledge",
    about: "Two pictures in which everybody knows p, and only in one of them it is common knowledge.",
    topic: "Logic",
    blocks: || {
        vec![
            text(
                "Everybody at the table knows that the meeting is at ten. Does everybody know that everybody knows? And \
                  that everybody knows that? Common knowledge is all of it at once, without end. A sentence said aloud \
                  to all gives it; a letter to each does not.",
            ),
            Block::Drawing(drawing(
                &kripke(&document(CHAIN)),
                None,
                "Left picture. Here Anna considers next possible, and in next Ben considers far possible, where p is false.",
            )),
            Block::Drawing(drawing(
                &kripke(&document(TOGETHER)),
                None,
                "Right picture. Here Anna considers next possible, and there is nothing further: p is true wherever lines lead.",
            )),
            text(
                "In both pictures the marked world is `here`, and in both Anna and Ben know p there. But follow the \
                  lines. In the left picture two steps lead to a world without p: first one of Anna, then one of Ben. In \
                  the right one no number of steps does.",
            ),
            formulas(&[
                ("E[all] p", "everybody knows p: one step along any line"),
                ("K[anna] K[ben] p", "Anna knows that Ben knows p: two steps"),
                ("C[all] p", "p is common knowledge: any number of steps"),
            ]),
        ]
    },
    exercise: || Exercise {
        ask: "Type a formula that tells the pictures apart: true at `here` on the left, false at `here` on the right."
            .to_string(),
        input: Input::Text { what: "formula".to_string(), example: "E[all] p".to_string() },
    },
    check: |answer| settled(check_common(answer)),
};

fn check_common(answer: &[String]) -> Result<CheckedAnswer, Refused> {
    let (left, right_one) = (document(CHAIN), document(TOGETHER));
    let (on_left, why_left) = at_point(&left, read(&left, answer)?)?;
    let formula = read(&right_one, answer)?;
    let common = formula.any(&mut |f| matches!(f, Formula::Common(..)));
    let (on_right, why_right) = at_point(&right_one, formula)?;
    Ok(match (on_left, on_right) {
        (true, false) => CheckedAnswer {
            lines: why_left,
            ..right(match common {
                true => "That is what common knowledge is. Can you also say it with `K` alone, step by step?",
                false => "You went as many steps as it takes: everybody knows p, but not everybody knows that.",
            })
        },
        (false, true) => CheckedAnswer {
            lines: why_left,
            ..wrong(
                "You have told them apart, but the other way round: it is true on the right and false on the left. \
                     What would you put in front?",
            )
        },
        (true, true) => CheckedAnswer {
            lines: why_right,
            ..wrong(
                "This is true in both pictures, so it does not tell them apart. One step along the lines is the same \
                     in both: go further.",
            )
        },
        (false, false) => CheckedAnswer {
            lines: why_left,
            ..wrong("This is false in both pictures. Look for something that is true on the left.")
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At which worlds of a model a formula holds.
    fn where_true(source: &str, formula: &str) -> Vec<String> {
        let document = document(source);
        let model = kripke(&document);
        let formula = document.formula(formula).unwrap_or_else(|problems| panic!("{formula}: {problems:?}"));
        let found = document.checker(LIMITS).truth(&formula).expect("a small model");
        found.iter().map(|world| model.name(world)).collect()
    }

    fn at_the_point(source: &str, formula: &str) -> bool {
        let document = document(source);
        let formula = document.formula(formula).unwrap_or_else(|problems| panic!("{formula}: {problems:?}"));
        at_point(&document, formula).expect("an answer").0
    }

    #[test]
    fn every_claim_in_the_words_of_these_lessons_is_what_the_engine_finds() {
        // Anna knows `first` in `both` and `first`; she never knows about the second.
        assert_eq!(where_true(COINS, "K[anna] first"), ["both", "first"]);
        assert_eq!(where_true(COINS, "Kw[anna] second"), [""; 0]);
        assert_eq!(where_true(COINS, "Kw[anna] first & Kw[ben] second").len(), WORLDS.len());
        // The sentence of the father is nothing new, and what silence teaches.
        let one = "((muddy(1) & !muddy(2) & !muddy(3)) | (!muddy(1) & muddy(2) & !muddy(3)) | (!muddy(1) & !muddy(2) & muddy(3)))";
        let all = "(muddy(1) & muddy(2) & muddy(3))";
        for (formula, holds) in [
            (all.to_string(), true),
            ("E[all] someone".to_string(), true),
            ("C[all] someone".to_string(), false),
            ("[announce someone] C[all] someone".to_string(), true),
            (format!("[announce someone] C[all] !{one}"), false),
            (format!("[announce someone] [announce nobody] C[all] !{one}"), true),
            (format!("[announce someone] [announce nobody] C[all] {all}"), false),
            (format!("[announce someone] [announce nobody] [announce nobody] C[all] {all}"), true),
        ] {
            assert_eq!(at_the_point(CHILDREN, &formula), holds, "{formula}");
        }
        assert_eq!(where_true(CHILDREN, "someone").len(), 7, "seven worlds are left after the father has spoken");
        // Two pictures in which everybody knows p, and only in one of them it is common knowledge.
        for (picture, common) in [(CHAIN, false), (TOGETHER, true)] {
            assert!(at_the_point(picture, "E[all] p & K[anna] p & K[ben] p"));
            assert_eq!(at_the_point(picture, "C[all] p"), common);
            assert_eq!(at_the_point(picture, "K[anna] K[ben] p"), common);
        }
    }

    #[test]
    fn every_formula_that_a_lesson_explains_can_be_read() {
        for (lesson, source) in [(&KNOWING, COINS), (&MUDDY, CHILDREN), (&COMMON, CHAIN)] {
            let document = document(source);
            let blocks = (lesson.blocks)();
            let rows = |block| if let Block::Formulas { rows } = block { rows } else { Vec::new() };
            for row in blocks.into_iter().flat_map(rows) {
                // `p` stands for any formula in one of them.
                let text = row.text.replace("] p", if source == CHILDREN { "] someone" } else { "] p" });
                assert!(document.formula(&text).is_ok(), "{}: {}", lesson.id, row.text);
            }
        }
    }
}
