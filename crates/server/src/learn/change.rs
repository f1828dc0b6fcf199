//! Giving up beliefs; a property of every run.

use super::worlds::{document, told};
use super::{Made, choice, listed, not_offered, right, text, wrong};
use crate::api::{BeliefPart, Block, CheckedAnswer, Drawing, Exercise, Input, Meaning};
use ken_logic::belief::{Alpha, Base, Change, Store};
use ken_logic::draw::chart::chart;
use ken_logic::{Answer, Limits};

/// The beliefs: what they are called in answers, which part they are in, the formula, and what it means.
const BASE: [(&str, &str, &str, &str); 5] = [
    ("one-colour", "core", "!(white@0 & black@0)", "nothing is white and black"),
    ("swan", "factual", "swan@0", "the bird on the lake is a swan"),
    ("bird", "factual", "lake@0", "it is on the lake"),
    ("all-white", "factual", "swan@0 -> white@0", "if it is a swan, it is white"),
    ("shy", "hypothetical", "swan@0 -> shy@0", "if it is a swan, it is shy"),
];

const LEARNED: (&str, &str) = ("black@0", "the bird is black");

/// What is given up, each with what it cannot hold together with.
fn given_up() -> Option<Vec<(&'static str, Vec<String>)>> {
    let mut store = Store::new();
    let mut read = Vec::new();
    for belief in &BASE {
        read.push((store.parse_basic(belief.2).ok()?, belief));
    }
    let learned = store.parse_basic(LEARNED.0).ok()?;
    let part = |name: &str| read.iter().filter(|(_, belief)| belief.1 == name).map(|(alpha, _)| *alpha).collect();
    let base = Base { core: part("core"), hypothetical: part("hypothetical"), factual: part("factual") };
    let (_, change) = base.revise(&store, &[learned]);
    let Change::Accepted { dropped, .. } = change else { return None };
    let believed = |alpha: Alpha| read.iter().find(|(known, _)| *known == alpha).map(|(_, belief)| *belief);
    let meaning = |alpha: Alpha| believed(alpha).map_or(LEARNED.1, |belief| belief.3).to_string();
    let each =
        dropped.iter().filter_map(|gone| Some((believed(gone.formula)?.0, gone.because().map(meaning).collect())));
    Some(each.collect())
}

fn means(id: &str) -> &'static str {
    BASE.iter().find(|b| b.0 == id).map_or("", |b| b.3)
}

const PARTS: [(&str, &str); 3] = [
    ("core", "Core: nothing can change it"),
    ("factual", "Facts: what was observed"),
    ("hypothetical", "Hypotheses: assumed until something speaks against them"),
];

pub(super) const BELIEFS: Made = Made {
    id: "beliefs",
    title: "What must go?",
    about: "You learn something that does not fit what you believe. Which beliefs have to go?",
    topic: "Logic",
    blocks: || {
        let part = |&(part, name): &(&str, &str)| BeliefPart {
            name: name.to_string(),
            beliefs: BASE
                .iter()
                .filter(|b| b.1 == part)
                .map(|b| Meaning { text: b.2.to_string(), means: b.3.to_string() })
                .collect(),
        };
        vec![
            text(
                "Knowledge is never wrong, but belief is. A machine that plays with people has to believe things, and to \
                  take some of them back. So it keeps its beliefs in three parts, by how firmly it holds them.",
            ),
            Block::Beliefs { parts: PARTS.iter().map(part).collect() },
            text(
                "`@0` is the time that a belief is about. Now somebody comes from the lake: the bird is black, `black@0`. \
                  That is an observation, and it stays. Together with it and the core, the facts cannot all be true.",
            ),
            text(
                "Which of them goes? One could give up the one or the other, and nothing says which is better. ken does \
                  not toss a coin: a fact stays only if it is in every largest set that fits. What is in one such set \
                  and not in another goes, and what has nothing to do with it all stays.",
            ),
        ]
    },
    exercise: || Exercise {
        ask: format!("The machine learns that {}. Which of its beliefs does it give up?", LEARNED.1),
        input: Input::Choices { several: true, options: BASE.iter().map(|b| choice(b.0, b.3)).collect() },
    },
    check: |answer| {
        if let Some(refused) = not_offered(answer, |name| BASE.iter().any(|b| b.0 == name)) {
            return refused;
        }
        let Some(gone) = given_up() else { return wrong("The lesson has lost its beliefs.") };
        if let Some(kept) = answer.iter().find(|id| !gone.iter().any(|(name, _)| name == id)) {
            let part = BASE.iter().find(|b| b.0 == kept).map_or("", |b| b.1);
            return wrong(match part {
                "core" => format!("“{}” is in the core: whatever is learned, it stays.", means(kept)),
                _ => format!(
                    "“{}” can stay: nothing that was learned speaks against it, alone or with the others.",
                    means(kept)
                ),
            });
        }
        if let Some((id, because)) = gone.iter().find(|(id, _)| !answer.iter().any(|name| name == id)) {
            let because: Vec<String> = because.iter().map(|b| format!("“{b}”")).collect();
            return wrong(format!(
                "“{}” goes too: it cannot hold together with {}, the core granted. You could keep it by giving up another; \
                 but nothing says which.",
                means(id),
                listed(&because)
            ));
        }
        let line = |(id, because): &(&str, Vec<String>)| {
            let because: Vec<String> = because.iter().map(|b| format!("“{b}”")).collect();
            format!("“{}” cannot hold with {}", means(id), listed(&because))
        };
        CheckedAnswer {
            lines: gone.iter().map(line).collect(),
            ..right(
                "Each of the two could stay without the other, so neither is certain any more. The bird is still \
                     on the lake, and swans may still be shy.",
            )
        }
    },
};

// ---- A property of every run

const SYSTEM: &str = ken_arena::library::model("bit-transmission").unwrap();

/// The properties: what they are called in answers, the formula, and what it means.
const PROPERTIES: [(&str, &str, &str); 4] = [
    ("receiver", "AF receiver_knows", "sooner or later the receiver knows the bit"),
    (
        "acked",
        "AG (acked -> sender_knows)",
        "whenever an acknowledgement has arrived, the sender knows that the receiver knows",
    ),
    ("sender", "AF sender_knows", "sooner or later the sender knows that the receiver knows"),
    ("possible", "EF sender_knows", "it can happen that the sender comes to know it"),
];

/// Whether a property holds of the system, with its account.
fn property(formula: &str) -> Option<Answer> {
    let document = document(SYSTEM);
    let query = document.query(formula).ok()?;
    document.checker(Limits { worlds: 20_000, diagram_bytes: 64 << 20 }).ask(query.explained()).ok()
}

fn run(answer: &Answer) -> Option<Drawing> {
    let (_, account) = answer.account()?;
    Some(Drawing {
        svg: chart(account, document(SYSTEM).model.agents()),
        caption: "The run that decides it, with a lane for each agent; the same in words below.".to_string(),
    })
}

pub(super) const TIME: Made = Made {
    id: "time",
    title: "On every run",
    about: "A message may get lost, for ever. What can still be promised?",
    topic: "Logic",
    blocks: || {
        let meaning = |p: &(&str, &str, &str)| Meaning { text: p.1.to_string(), means: p.2.to_string() };
        let mut blocks = vec![text(
            "A sender has a bit, 0 or 1, and a receiver wants it. The channel between them loses messages as it \
                  likes. So the sender sends the bit again and again until an acknowledgement comes; the receiver, once \
                  it has the bit, acknowledges for ever. One thing is promised: again and again the way to the receiver \
                  is open. Nothing is promised about the way back.",
        )];
        if let Some(drawing) = property("EF sender_knows").as_ref().and_then(run) {
            let caption = "A run on which all goes well: the bit arrives, and so does an acknowledgement.";
            blocks.push(Block::Drawing(Drawing { caption: caption.to_string(), ..drawing }));
        }
        blocks.extend([
            text("A run is one way in which all of it can go on. `AF` says: on every run, sooner or later. `AG`: on every \
                  run, always. `EF`: on some run, at some time. To refute a promise about every run, one run is enough: a \
                  counterexample."),
            Block::Formulas { rows: PROPERTIES.iter().map(meaning).collect() },
        ]);
        blocks
    },
    exercise: || Exercise {
        ask: "One of these promises is broken on some run. Which one?".to_string(),
        input: Input::Choices {
            several: false,
            options: PROPERTIES.iter().map(|p| choice(p.0, format!("`{}`", p.1))).collect(),
        },
    },
    check: |answer| {
        if let Some(refused) = not_offered(answer, |name| PROPERTIES.iter().any(|p| p.0 == name)) {
            return refused;
        }
        let [name] = answer else { return wrong("Exactly one of them is broken.") };
        let chosen = PROPERTIES.iter().find(|p| p.0 == name);
        let Some((_, formula, means)) = chosen else { return wrong("That is not one of the promises.") };
        let Some(found) = property(formula) else { return wrong("The lesson cannot check its promises.") };
        match found.holds {
            true => CheckedAnswer {
                lines: told(&found),
                ..wrong(format!(
                    "This one is kept: {means}. Think of a channel that is unlucky for ever, as far as it may be."
                ))
            },
            false => CheckedAnswer {
                lines: told(&found),
                drawing: run(&found),
                ..right(
                    "The way back may be closed for ever: the receiver has the bit and acknowledges, and \
                         the sender never hears of it. Here is such a run; it goes round for ever.",
                )
            },
        }
    },
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_of_a_promise_is_about_that_promise() {
        for (name, formula, _) in PROPERTIES {
            let found = property(formula).expect("the engine has an answer");
            let (_, account) = found.account().expect("the engine has an account");
            let holds = found.holds;
            assert_eq!((account.formula.as_str(), account.holds), (formula, holds));
            let answer = (TIME.check)(&[name.to_string()]);
            assert_eq!(answer.right, !holds, "{name}");
            let verdict = format!("{formula} {}", if holds { "holds" } else { "fails" });
            assert!(answer.lines[0].replace('`', "").starts_with(&verdict), "{name}: {:?}", answer.lines);
            let stranger = |line: &&String| line.contains("AF ") && !line.contains(formula);
            assert_eq!(answer.lines.iter().find(stranger), None, "{name}");
        }
    }
}
