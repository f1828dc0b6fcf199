//! Systems: the flags, the heading and the answers of `ken check` and `ken explain`.

use crate::args::{ActionsArg, DrawArgs, MemoryArgs, RecallArg};
use crate::check::limits;
use crate::input::{Failure, Loaded};
use crate::output::{line, number};
use ken_logic::check::time::{Account, Apart, RunView, Why};
use ken_logic::check::{EngineChoice, Explanation, Forgetful, Memory, OfSystem};
use ken_logic::formula::Name;
use ken_logic::model::system::{Recall, Visibility};
use ken_logic::text::amount;
use ken_logic::text::wrap;
use ken_logic::{Answer, Limits, Options};
use serde_json::{Map, Value, json};

pub(crate) fn options(memory: &MemoryArgs, engine: EngineChoice, limits: Limits) -> Options {
    Options {
        memory: memory.recall.map(|recall| match recall {
            RecallArg::None => Memory::None,
            RecallArg::Perfect => Memory::Perfect,
            RecallArg::Both => Memory::Both,
        }),
        visibility: memory.actions.map(|actions| match actions {
            ActionsArg::Seen => Visibility::Seen,
            ActionsArg::Hidden => Visibility::Hidden,
        }),
        engine,
        bound: memory.bound,
        limits,
    }
}

/// A flag that only systems have, if one was given.
pub(crate) fn given(memory: &MemoryArgs) -> Option<&'static str> {
    let flags = [
        ("--recall", memory.recall.is_some()),
        ("--actions", memory.actions.is_some()),
        ("--bound", memory.bound.is_some()),
    ];
    flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
}

/// The run that decides a formula, drawn with a lane for each agent.
pub(crate) fn chart(loaded: &Loaded, args: &DrawArgs, text: &str) -> Result<String, Failure> {
    let document = &loaded.document;
    let mut query = loaded.query(text)?;
    if let Some(at) = &args.at {
        query = query.asked_at(loaded.at(at)?);
    }
    let options = options(&args.memory, EngineChoice::Auto, limits(&args.limits));
    let answer = document.checker_with(options).ask(query.explained());
    let answer = answer.map_err(|error| loaded.failure(&error, Some(&query)))?;
    // With both kinds of memory the run on which they part is the one that fails.
    let fails = |without: &&Forgetful| without.parting.is_some() && answer.holds && !without.holds;
    let reason = match answer.forgetful().filter(fails) {
        Some(without) => without.reason.as_ref(),
        None => answer.reason.as_ref(),
    };
    match reason.and_then(Explanation::account) {
        Some((_, account)) => Ok(ken_logic::draw::chart::chart(account, document.model.agents())),
        None => Err(Failure::GaveUp {
            message: "the answer is certain, but not every step of its account is".to_string(),
            help: "raise --bound".to_string(),
        }),
    }
}

/// Prints the reason of an answer, or both of them where two kinds of memory part.
pub(crate) fn explain(answer: &Answer) {
    // Where both ways agree one account is enough.
    let parts = answer.forgetful().filter(|without| without.parting.is_some());
    if let Some(reason) = &answer.reason {
        if parts.is_some() {
            line("  with perfect recall:");
        }
        tell(reason, answer);
    }
    if let Some(reason) = parts.and_then(|without| without.reason.as_ref()) {
        line("  without memory:");
        tell(reason, answer);
    }
}

/// Where the two ways of remembering part.
pub(crate) fn parting(answer: &Answer, without: &Forgetful) -> String {
    let says = |holds, holding: &_, asked: &_| match holds {
        true => "holds".to_string(),
        false if *holding == 0u8.into() => "fails".to_string(),
        false => format!("holds at {} of {} initial states", amount(holding), amount(asked)),
    };
    let with = says(answer.holds, &answer.holding, &answer.asked);
    let alone = says(without.holds, &without.holding, &without.asked);
    match &without.parting {
        None => format!("{with} with memory and without"),
        Some(_) if answer.asked == 1u8.into() || with != alone => {
            format!("memory makes the difference: {with} with perfect recall, {alone} without memory")
        }
        Some(at) => format!("memory makes the difference: {with} both ways, but not at the same ones; see {at}"),
    }
}

fn tell(reason: &Explanation, answer: &Answer) {
    let mut width = 74;
    if let Some((at, _)) = reason.account() {
        width = 76;
        if answer.asked != 1u8.into() {
            for (i, part) in wrap(&format!("At {at}:"), 74).iter().enumerate() {
                line(&format!("{}{part}", " ".repeat(if i == 0 { 2 } else { 6 })));
            }
        }
    }
    for told in reason.lines() {
        let indent = 2 + 2 * told.depth;
        if told.row {
            line(&format!("{}{}", " ".repeat(indent), told.text));
            continue;
        }
        for (i, part) in wrap(&told.text, usize::saturating_sub(width, indent).max(40)).iter().enumerate() {
            line(&format!("{}{part}", " ".repeat(indent + if i == 0 { 0 } else { 4 })));
        }
    }
    line("");
}

/// What an answer of a system says besides, as data.
pub(crate) fn insert(object: &mut Map<String, Value>, answer: &Answer, system: &OfSystem) {
    if system.dropped > 0u8.into() {
        object.insert("initial_states_without_fair_run".into(), number(&system.dropped));
    }
    if system.strategies_ignore_fairness {
        object.insert("strategies_ignore_fairness".into(), json!(true));
    }
    let notes = answer.notes();
    if !notes.is_empty() {
        object.insert("notes".into(), json!(notes));
    }
    match &system.forgetful {
        None => {
            object.insert("recall".into(), json!(system.recall.name()));
        }
        Some(without) => {
            let names = |found: &[_]| {
                json!(found.iter().map(|found: &ken_logic::check::Found| &found.name).collect::<Vec<_>>())
            };
            let list = |found: &Option<Vec<_>>, holding| found.as_deref().map_or_else(|| number(holding), names);
            object.insert("recall".into(), json!("both"));
            object.insert("perfect_recall".into(), list(&answer.holds_at, &answer.holding));
            object.insert("forgetful".into(), list(&without.holds_at, &without.holding));
            object.insert("parting".into(), json!(without.parting));
            if let Some((at, account)) = without.reason.as_ref().and_then(Explanation::account) {
                object.insert("witness_forgetful".into(), witness_json(at, account));
            }
        }
    }
    let points = if system.recall == Recall::Perfect { "knowledge_states" } else { "reachable_states" };
    // Of `where` and `count` the states that were asked about are told already.
    object.entry(points).or_insert_with(|| number(&system.points));
}

pub(crate) fn witness_json(at: &str, account: &Account) -> Value {
    json!({"at": at, "account": account_json(account)})
}

/// An account as data: the shape is documented in `docs/json.md`.
fn account_json(account: &Account) -> Value {
    let names = |agents: &[Name]| json!(agents.iter().map(|a| a.to_string()).collect::<Vec<_>>());
    let why = match &account.why {
        Why::Fact => json!({"kind": "fact"}),
        Why::Parts(parts) => json!({"kind": "parts", "parts": parts.iter().map(account_json).collect::<Vec<_>>()}),
        Why::Run(run, then) => {
            json!({"kind": "run", "run": run_json(run), "then": then.as_ref().map(|t| account_json(t))})
        }
        Why::EveryRun => json!({"kind": "every-run"}),
        Why::Lookalike { agents, actual, other, apart, then } => json!({
            "kind": "looks-the-same", "agents": names(agents), "actual": run_json(actual), "other": run_json(other),
            "apart_with_memory": apart.map(apart_json), "then": account_json(then)
        }),
        Why::AllLookalikes { agents, count } => {
            json!({"kind": "all-that-look-the-same", "agents": names(agents), "count": count})
        }
        Why::Strategy => json!({"kind": "strategy"}),
        Why::Obligation => json!({"kind": "obligation"}),
        Why::Untold => json!({"kind": "untold"}),
    };
    json!({"formula": account.formula, "holds": account.holds, "because": why})
}

fn apart_json(apart: Apart) -> Value {
    match apart {
        Apart::Sight(step) => json!({"by": "sight", "after_step": step}),
        Apart::Action(step) => json!({"by": "action", "step": step}),
        Apart::Length => json!({"by": "length"}),
    }
}

fn run_json(run: &RunView) -> Value {
    let state = |view: &ken_logic::check::time::StateView| {
        let mut object = Map::new();
        object.insert("name".into(), json!(view.name));
        if let Value::Object(facts) = crate::output::facts_json(&view.facts) {
            object.extend(facts);
        }
        Value::Object(object)
    };
    let steps: Vec<Value> = run
        .steps
        .iter()
        .map(|step| {
            let by: Map<String, Value> = step.by.iter().map(|(who, what)| (who.to_string(), json!(&**what))).collect();
            let noticed: Vec<&str> = step.noticed.iter().map(|a| &**a).collect();
            json!({"action": step.action, "by": by, "changes": step.changes, "noticed": noticed, "state": state(&step.state)})
        })
        .collect();
    json!({"start": state(&run.start), "steps": steps, "from_step": run.shown, "loops_to": run.loops_to, "ends": run.ends})
}
