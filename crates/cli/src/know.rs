//! What `ken cluedo know`, `ken yokai know` and `ken eleusis know` share: formulas asked of a mind, and the answers as
//! text and as JSON.

use crate::args::LimitArgs;
use crate::check::verdict_line;
use crate::input::Failure;
use crate::output::{Style, line};
use ken_games::game::Verdict;
use ken_games::knowledge::{Answer, Budget, FactOf, Inspected, Refused};
use ken_logic::text::{grouped, wrap};
use serde_json::{Value, json};

/// More steps than any machine makes in a second.
const STEPS_A_SECOND: f64 = 1e7;

/// The budget of a search: `--max-states` are its steps, of about a microsecond each. Without it the budget is the same
/// on every machine, unless `--max-seconds` asks for more than it would take: then the time ends the search first.
pub(crate) fn budget(limits: &LimitArgs) -> Budget {
    let usual = Budget::default();
    match (limits.max_states, limits.max_seconds) {
        (Some(n), _) => Budget { steps: n as u64 },
        (None, Some(seconds)) => Budget { steps: usual.steps.max((seconds * STEPS_A_SECOND) as u64) },
        (None, None) => usual,
    }
}

/// Reads a formula that was given as an argument.
pub(crate) fn fact<M: Inspected>(mind: &M, text: &str) -> Result<FactOf<M>, Failure> {
    ken_games::knowledge::read(mind.language(), text).map_err(|problems| Failure::Text {
        name: "formula".to_string(),
        text: text.to_string(),
        problems,
    })
}

/// Why there is no answer, but for positions that cannot be.
pub(crate) fn refused(why: &Refused) -> Failure {
    match why {
        Refused::Limit => {
            Failure::GaveUp { message: why.to_string(), help: "ask less deeply, or for less at once".to_string() }
        }
        Refused::NoWorld | Refused::Unfit(_) => Failure::usage(why.to_string()),
    }
}

/// The answers to formulas; `failed` says why there is none.
pub(crate) fn answers<M: Inspected>(
    mind: &mut M,
    texts: &[&str],
    budget: &Budget,
    failed: impl Fn(Refused) -> Failure,
) -> Result<Vec<Answer<M::World>>, Failure> {
    let mut ask = |text: &&str| {
        let asked = fact(mind, text)?;
        mind.ask(&asked, budget).map_err(&failed)
    };
    texts.iter().map(&mut ask).collect()
}

/// An answer as data.
pub(crate) fn data<M: Inspected>(mind: &M, text: &str, answer: &Answer<M::World>) -> Value {
    let world = |world: &Option<M::World>| world.as_ref().map(|w| mind.data(w));
    let mut data = json!({
        "formula": text, "known": answer.known(), "possible": answer.possible(),
        "witness": world(&answer.witness), "counterexample": world(&answer.counterexample),
    });
    if let Some((yes, no)) = answer.counts {
        data["holds"] = crate::output::number(&yes.into());
        data["fails"] = crate::output::number(&no.into());
    }
    data
}

/// All answers as data.
pub(crate) fn results<M: Inspected>(mind: &M, texts: &[&str], answers: &[Answer<M::World>]) -> Vec<Value> {
    texts.iter().zip(answers).map(|(text, answer)| data(mind, text, answer)).collect()
}

/// Prints the answers for people.
pub(crate) fn print<M: Inspected>(mind: &M, texts: &[&str], answers: &[Answer<M::World>]) {
    for (text, answer) in texts.iter().zip(answers) {
        say(answer.verdict, text);
        if answer.verdict == Verdict::Open {
            if let Some((yes, no)) = answer.counts {
                line(&format!("  true in {} of {} worlds", grouped(yes), grouped(yes + no)));
            }
            sides(mind, answer.witness.as_ref(), answer.counterexample.as_ref());
        }
    }
}

/// The verdict of a fact.
pub(crate) fn say(verdict: Verdict, text: &str) {
    let style = Style::stdout();
    let (verdict, painted) = match verdict {
        Verdict::Yes => ("known", style.good("known")),
        Verdict::No => ("known not", style.bad("known not")),
        Verdict::Open => ("open", style.dim("open")),
    };
    verdict_line(verdict, &painted, text);
}

/// A world in which a fact is true, and one in which it is false.
pub(crate) fn sides<M: Inspected>(mind: &M, holds: Option<&M::World>, fails: Option<&M::World>) {
    for (what, world) in [("true if", holds), ("false if", fails)] {
        let Some(world) = world else { continue };
        line(&format!("  {what}:"));
        for row in mind.lines(world) {
            for (i, part) in wrap(&row, 74).iter().enumerate() {
                line(&format!("    {}{part}", if i == 0 { "" } else { "  " }));
            }
        }
    }
}

/// The exit code of a command that asks whether all of it is known.
pub(crate) fn code<W>(answers: &[Answer<W>]) -> u8 {
    u8::from(!answers.iter().all(Answer::known))
}
