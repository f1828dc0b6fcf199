//! Systems: the flags, the heading and the answers of `ken check` and `ken explain`.

use crate::args::{ActionsArg, DrawArgs, MemoryArgs, RecallArg};
use crate::check::{COLUMN, limits, unmet, verdict_line};
use crate::input::{Failure, Loaded};
use crate::output::{Style, line, number, wrap};
use ken_logic::check::time::{
    Account, Apart, Memory, RunView, Side, TimeAnswer, TimeOptions, TimeQuestion, TimeSession, Why,
};
use ken_logic::check::{At, EngineChoice, Limits};
use ken_logic::formula::Name;
use ken_logic::model::system::{Recall, Visibility};
use ken_logic::model::{Model, Query, QueryKind};
use ken_logic::syntax::Span;
use ken_logic::text::amount;
use serde_json::{Map, Value, json};

pub(crate) fn options(memory: &MemoryArgs, engine: EngineChoice, limits: Limits) -> TimeOptions {
    TimeOptions {
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
    let Some(time) = document.time.clone() else { return Err(Failure::usage("this model has no runs to draw")) };
    let formula = loaded.formula(text)?;
    let options = options(&args.memory, EngineChoice::Auto, limits(&args.limits));
    let at = args.at.as_deref().map(|name| loaded.at(name)).transpose()?;
    let mut session = TimeSession::open(time, options).with_names(document.scope.names());
    let question = TimeQuestion { kind: QueryKind::Check, formula, list: 0, at, explain: true };
    let answer = session.ask(&question).map_err(|error| loaded.failure(error, Some((Span::default(), text))))?;
    let agents: Vec<Name> = match &document.model {
        Model::Law(law) => law.agents.clone(),
        Model::Kripke(kripke) => kripke.agents().to_vec(),
    };
    // With both kinds of memory the run on which they part is the one that fails.
    let without = answer.forgetful.filter(|f| answer.parting.is_some() && answer.side.holds && !f.holds);
    match without.map_or(answer.side.account, |f| f.account) {
        Some((_, account)) => Ok(ken_logic::draw::chart::chart(&account, &agents)),
        None => Err(Failure::GaveUp {
            message: "the answer is certain, but not every step of its account is".to_string(),
            help: "raise --bound".to_string(),
        }),
    }
}

pub(crate) fn question(query: &Query, at: Option<At>, list: usize, explain: bool) -> TimeQuestion {
    TimeQuestion { kind: query.kind, formula: query.formula.clone(), list, at, explain }
}

pub(crate) fn heading(loaded: &Loaded, session: &mut TimeSession) -> Result<String, Failure> {
    let agents = loaded.document.model.agent_count();
    let (states, exact) = session.states().map_err(|error| loaded.failure(error, None))?;
    let plural = |n: &str, one: &str| if n == "1" { one.to_string() } else { format!("{one}s") };
    let seen = match session.visibility() {
        Visibility::Seen => "",
        Visibility::Hidden => ", actions hidden",
    };
    let memory = match session.memory() {
        Memory::None => "no memory".to_string(),
        Memory::Perfect => format!("perfect recall{seen}"),
        Memory::Both => format!("with and without memory{seen}"),
    };
    let states = amount(&states);
    let agents = agents.to_string();
    Ok(format!(
        "{}\n",
        wrap(
            &format!(
                "{}: system, {agents} {}, {}{states} reachable {}, {memory}, {} engine",
                loaded.name,
                plural(&agents, "agent"),
                if exact { "" } else { "at most " },
                plural(&states, "state"),
                session.engine().name()
            ),
            78
        )
        .join("\n    ")
    ))
}

pub(crate) fn show(query: &Query, answer: &TimeAnswer, met: Option<bool>) {
    let style = Style::stdout();
    let side = &answer.side;
    let judged = matches!(query.kind, QueryKind::Check | QueryKind::Valid);
    let verdict = match (query.kind, side.holds) {
        (QueryKind::Check | QueryKind::Valid, true) => "holds".to_string(),
        (QueryKind::Check | QueryKind::Valid, false) => "fails".to_string(),
        (QueryKind::Where, _) => format!("in {} of {}", amount(&side.holding), amount(&side.asked)),
        (QueryKind::Count, _) => amount(&side.holding),
    };
    let painted = match (met, judged, side.holds) {
        (Some(true), _, _) | (None, true, true) => style.good(&verdict),
        (Some(false), _, _) | (None, true, false) => style.bad(&verdict),
        (None, false, _) => verdict.clone(),
    };
    verdict_line(&verdict, &painted, &query.text);
    let note = |text: &str| line(&format!("{}{text}", " ".repeat(COLUMN)));
    if judged && !side.holds && side.asked != 1u8.into() {
        let failing = &side.asked - &side.holding;
        note(&style.dim(&format!("fails at {} of {} initial states", amount(&failing), amount(&side.asked))));
    }
    for text in answer.notes() {
        wrap(&text, 78 - COLUMN).iter().for_each(|part| note(&style.dim(part)));
    }
    if let Some(forgetful) = &answer.forgetful {
        wrap(&parting(side, forgetful, answer.parting.as_deref()), 78 - COLUMN)
            .iter()
            .for_each(|part| note(&style.dim(part)));
    }
    if query.kind == QueryKind::Where {
        match &side.holds_at {
            Some(states) => states.iter().for_each(|s| note(s)),
            None => note(&style.dim("too many to list here; --json lists more")),
        }
    }
    if met == Some(false) {
        note(&style.bad(&unmet(query)));
    }
    if let Some((at, account)) = &side.account {
        if answer.parting.is_some() {
            line("  with perfect recall:");
        }
        tell(at, account, side);
    }
    // Where both ways agree one account is enough.
    let parts = answer.forgetful.as_ref().filter(|_| answer.parting.is_some());
    if let Some((at, account)) = parts.and_then(|f| f.account.as_ref()) {
        line("  without memory:");
        tell(at, account, side);
    }
}

/// Where the two ways of remembering part.
fn parting(side: &Side, forgetful: &Side, at: Option<&str>) -> String {
    let says = |side: &Side| match side.holds {
        true => "holds".to_string(),
        false if side.holding == 0u8.into() => "fails".to_string(),
        false => format!("holds at {} of {} initial states", amount(&side.holding), amount(&side.asked)),
    };
    let (with, without) = (says(side), says(forgetful));
    match at {
        None => format!("{with} with memory and without"),
        Some(_) if side.asked == 1u8.into() || with != without => {
            format!("memory makes the difference: {with} with perfect recall, {without} without memory")
        }
        Some(at) => format!("memory makes the difference: {with} both ways, but not at the same ones; see {at}"),
    }
}

fn tell(at: &str, account: &Account, side: &Side) {
    if side.asked != 1u8.into() {
        for (i, part) in wrap(&format!("At {at}:"), 74).iter().enumerate() {
            line(&format!("{}{part}", " ".repeat(if i == 0 { 2 } else { 6 })));
        }
    }
    for told in account.lines() {
        let indent = 2 + 2 * told.depth;
        if told.row {
            line(&format!("{}{}", " ".repeat(indent), told.text));
            continue;
        }
        for (i, part) in wrap(&told.text, 76usize.saturating_sub(indent).max(40)).iter().enumerate() {
            line(&format!("{}{part}", " ".repeat(indent + if i == 0 { 0 } else { 4 })));
        }
    }
    line("");
}

pub(crate) fn result_json(query: &Query, answer: &TimeAnswer, met: Option<bool>, seconds: f64) -> Value {
    let side = &answer.side;
    let mut object = Map::new();
    object.insert("formula".into(), json!(query.text));
    object.insert("holds".into(), json!(side.holds));
    match (query.kind, &side.holds_at) {
        (QueryKind::Where, Some(states)) => {
            object.insert("states".into(), json!(states));
        }
        (QueryKind::Count, _) => {
            object.insert("count".into(), number(&side.holding));
        }
        (_, Some(states)) => {
            object.insert("holds_at".into(), json!(states));
        }
        (_, None) => {
            object.insert("holds_at_count".into(), number(&side.holding));
        }
    }
    let judged = matches!(query.kind, QueryKind::Check | QueryKind::Valid);
    object.insert(if judged { "initial_states" } else { "reachable_states" }.into(), number(&side.asked));
    if side.dropped > 0u8.into() {
        object.insert("initial_states_without_fair_run".into(), number(&side.dropped));
    }
    if answer.strategies_ignore_fairness {
        object.insert("strategies_ignore_fairness".into(), json!(true));
    }
    let notes = answer.notes();
    if !notes.is_empty() {
        object.insert("notes".into(), json!(notes));
    }
    if let Some(forgetful) = &answer.forgetful {
        let list = |side: &Side| side.holds_at.as_ref().map_or_else(|| number(&side.holding), |names| json!(names));
        object.insert("recall".into(), json!("both"));
        object.insert("perfect_recall".into(), list(side));
        object.insert("forgetful".into(), list(forgetful));
        object.insert("parting".into(), json!(answer.parting));
    } else {
        object.insert("recall".into(), json!(side.recall.name()));
    }
    if let Some(at) = &answer.at {
        object.insert("at".into(), json!(at));
    }
    if let Some(met) = met {
        object.insert("as_expected".into(), json!(met));
    }
    object.insert("engine".into(), json!(side.engine.name()));
    let points = if side.recall == Recall::Perfect { "knowledge_states" } else { "reachable_states" };
    // Of `where` and `count` the states that were asked about are told already.
    object.entry(points).or_insert_with(|| number(&side.points));
    if let Some((at, account)) = &side.account {
        object.insert("witness".into(), json!({"at": at, "account": account_json(account)}));
    }
    if let Some((at, account)) = answer.forgetful.as_ref().and_then(|f| f.account.as_ref()) {
        object.insert("witness_forgetful".into(), json!({"at": at, "account": account_json(account)}));
    }
    object.insert("seconds".into(), json!(seconds));
    Value::Object(object)
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
