//! `ken belief`: what follows from a belief base, how it changes, and which action reaches a goal.

mod change;

use crate::args::{BeliefCommand, BeliefFileArgs, EndArgs, EntailsArgs, QueryArgs};
use crate::commands::watch;
use crate::input::{Failure, batch_items, read_text};
use crate::output::{Style, emit, line};
use ken_logic::belief::{Alpha, BeliefFile, Entailment, Formula, Model, Outcome, Purpose, Reasoner, State, Store};
use ken_logic::text::wrap;
use serde_json::{Value, json};

pub(crate) fn wants_json(command: &BeliefCommand) -> bool {
    match command {
        BeliefCommand::Sat(args) | BeliefCommand::Valid(args) => args.json || args.batch,
        BeliefCommand::Entails(args) => args.query.json || args.query.batch,
        BeliefCommand::Revise(args) | BeliefCommand::Update(args) => args.file.json || args.file.batch,
        BeliefCommand::Plan(args) => args.json || args.batch,
    }
}

pub(crate) fn run(command: &BeliefCommand) -> Result<u8, Failure> {
    match command {
        BeliefCommand::Sat(args) => query(args, sat),
        BeliefCommand::Valid(args) => query(args, valid),
        BeliefCommand::Entails(args) => entails(args),
        BeliefCommand::Revise(args) => file(&args.file, |text| change::revise(text, args.details)),
        BeliefCommand::Update(args) => file(&args.file, |text| change::update(text, args.details)),
        BeliefCommand::Plan(args) => file(args, plan),
    }
}

/// A text with its name in messages.
struct Named<'a> {
    name: &'a str,
    text: &'a str,
}

impl Named<'_> {
    fn failure(&self, problems: Vec<ken_logic::syntax::Diagnostic>) -> Failure {
        Failure::Text { name: self.name.to_string(), text: self.text.to_string(), problems }
    }

    fn formula(&self, store: &mut Store) -> Result<Formula, Failure> {
        store.parse(self.text).map_err(|problems| self.failure(problems))
    }

    fn file(&self, store: &mut Store, purpose: Purpose) -> Result<BeliefFile, Failure> {
        BeliefFile::read(store, self.text, purpose).map_err(|problems| self.failure(problems))
    }
}

/// An answer: the verdict, the data, and the same as a person reads it.
struct Answer {
    yes: bool,
    data: Value,
    lines: Vec<String>,
}

impl Answer {
    fn new(yes: bool, verdict: &str, data: Value) -> Answer {
        let style = Style::stdout();
        Answer { yes, data, lines: vec![if yes { style.good(verdict) } else { style.bad(verdict) }] }
    }

    /// A line of text with a hanging indentation, at most 80 columns wide.
    fn say(&mut self, indent: usize, text: &str) {
        for (i, part) in wrap(text, 76 - indent).iter().enumerate() {
            self.lines.push(format!("{}{part}", " ".repeat(if i == 0 { indent } else { indent + 4 })));
        }
    }

    fn list(&mut self, indent: usize, head: &str, items: &[String]) {
        self.say(indent, head);
        items.iter().for_each(|item| self.say(indent + 2, item));
    }

    fn print(&self, as_json: bool) -> u8 {
        if as_json {
            emit(&self.data);
        } else {
            self.lines.iter().for_each(|text| line(text));
        }
        u8::from(!self.yes)
    }
}

/// Answers each item of a JSON array on standard input with a line; an item that is wrong gets a line that says so.
fn batch(ends: &EndArgs, mut answer: impl FnMut(&Value) -> Result<Answer, Failure>) -> Result<u8, Failure> {
    let items = batch_items()?;
    let monitor = watch(ends, true, "answering");
    let mut code = 0;
    for item in &items {
        match answer(item) {
            Ok(answer) => monitor.quietly(|| emit(&answer.data)),
            Err(failure) => {
                monitor.quietly(|| emit(&failure.json()));
                code = code.max(failure.exit_code());
            }
        }
    }
    Ok(code)
}

/// One answer within its limits; printing it is outside them.
fn single(ends: &EndArgs, json: bool, answer: impl Fn() -> Result<Answer, Failure>) -> Result<u8, Failure> {
    let monitor = watch(ends, json, "reasoning");
    let answer = answer()?;
    drop(monitor);
    Ok(answer.print(json))
}

fn words(item: &Value) -> Result<&str, Failure> {
    item.as_str().ok_or_else(|| Failure::usage(format!("a formula is text, and this is not: {item}")))
}

fn query(args: &QueryArgs, answer: fn(&mut Store, Formula) -> Answer) -> Result<u8, Failure> {
    let of = |text: &str| {
        let mut store = Store::new();
        let formula = Named { name: "--formula", text }.formula(&mut store)?;
        Ok(answer(&mut store, formula))
    };
    match &args.formula {
        Some(text) => single(&args.ends, args.json, || of(text)),
        None => batch(&args.ends, |item| of(words(item)?)),
    }
}

fn file(args: &BeliefFileArgs, answer: impl Fn(&Named<'_>) -> Result<Answer, Failure>) -> Result<u8, Failure> {
    match &args.file {
        Some(file) => {
            let (name, text) = read_text(file)?;
            single(&args.ends, args.json, || answer(&Named { name: &name, text: &text }))
        }
        None => batch(&args.ends, |item| answer(&Named { name: "base", text: &item.to_string() })),
    }
}

fn texts(store: &Store, all: impl IntoIterator<Item = Alpha>) -> Vec<String> {
    all.into_iter().map(|alpha| store.show_basic(alpha)).collect()
}

fn state_json(store: &Store, state: &State) -> Value {
    json!({"time": state.time, "facts": texts(store, state.facts.iter().copied()),
           "beliefs": texts(store, state.beliefs.iter().copied())})
}

fn model_json(store: &Store, model: &Model) -> Value {
    let context: Vec<Value> = model.context.iter().map(|state| state_json(store, state)).collect();
    json!({"actual": state_json(store, &model.actual), "context": context})
}

fn tell_state(answer: &mut Answer, store: &Store, indent: usize, name: &str, state: &State) {
    let list = |all: Vec<String>| if all.is_empty() { "none".to_string() } else { all.join(", ") };
    answer.say(indent, &format!("{name} at time {}", state.time));
    answer.say(indent + 2, &format!("true: {}", list(texts(store, state.facts.iter().copied()))));
    answer.say(indent + 2, &format!("base: {}", list(texts(store, state.beliefs.iter().copied()))));
}

fn tell_model(answer: &mut Answer, store: &Store, model: &Model) {
    tell_state(answer, store, 2, "the actual state", &model.actual);
    for (i, state) in model.context.iter().enumerate() {
        tell_state(answer, store, 2, &format!("alternative {}", i + 1), state);
    }
}

fn sat(store: &mut Store, formula: Formula) -> Answer {
    let mut reasoner = Reasoner::new();
    match reasoner.model(store, formula) {
        Ok(model) => {
            let data = json!({"satisfiable": true, "model": model_json(store, &model)});
            let mut answer = Answer::new(true, "satisfiable", data);
            tell_model(&mut answer, store, &model);
            answer
        }
        Err(_) => {
            let parts: Vec<String> = reasoner.clash(store, formula).iter().map(|&part| store.show(part)).collect();
            let data = json!({"satisfiable": false, "model": null, "clash": parts});
            let mut answer = Answer::new(false, "not satisfiable", data);
            answer.list(2, "these parts cannot hold together:", &parts);
            answer
        }
    }
}

fn valid(store: &mut Store, formula: Formula) -> Answer {
    let mut reasoner = Reasoner::new();
    let not = store.negate(formula);
    match reasoner.model(store, not) {
        Ok(model) => {
            let data = json!({"valid": false, "countermodel": model_json(store, &model)});
            let mut answer = Answer::new(false, "not valid", data);
            answer.say(2, "it fails here:");
            tell_model(&mut answer, store, &model);
            answer
        }
        Err(_) => {
            let parts: Vec<String> = reasoner.clash(store, not).iter().map(|&part| store.show(part)).collect();
            let data = json!({"valid": true, "countermodel": null, "clash": parts});
            let mut answer = Answer::new(true, "valid", data);
            answer.list(2, "to deny it, all of this would have to hold, and it cannot:", &parts);
            answer
        }
    }
}

/// A reasoner with the whole base; the core too is named among the premises used.
fn reasoner(file: &BeliefFile) -> Reasoner {
    let mut reasoner = Reasoner::new();
    let base = &file.base;
    base.core.iter().chain(&base.factual).chain(&base.hypothetical).for_each(|&alpha| reasoner.add(alpha));
    reasoner
}

fn named(store: &Store, file: &BeliefFile, all: &[Alpha]) -> Vec<String> {
    all.iter().map(|&alpha| file.any_text(store, alpha)).collect()
}

fn entails(args: &EntailsArgs) -> Result<u8, Failure> {
    match (&args.base, &args.query.formula) {
        (Some(base), Some(formula)) => {
            let (name, text) = read_text(base)?;
            let query = &args.query;
            single(&query.ends, query.json, || follows(&Named { name: &name, text: &text }, formula))
        }
        (Some(base), None) => {
            let (name, text) = read_text(base)?;
            let mut premises: Option<Premises> = None;
            batch(&args.query.ends, |item| {
                let premises = match &mut premises {
                    Some(premises) => premises,
                    none => none.insert(Premises::read(&Named { name: &name, text: &text })?),
                };
                premises.answer(words(item.get("formula").unwrap_or(item))?)
            })
        }
        (None, _) => batch(&args.query.ends, |item| {
            follows(&Named { name: "base", text: &item["base"].to_string() }, words(&item["formula"])?)
        }),
    }
}

fn follows(base: &Named<'_>, formula: &str) -> Result<Answer, Failure> {
    Premises::read(base)?.answer(formula)
}

/// A base of which something is asked, once or more often.
struct Premises {
    store: Store,
    file: BeliefFile,
    reasoner: Reasoner,
}

impl Premises {
    fn read(base: &Named<'_>) -> Result<Premises, Failure> {
        let mut store = Store::new();
        let file = base.file(&mut store, Purpose::Base)?;
        let reasoner = reasoner(&file);
        Ok(Premises { store, file, reasoner })
    }

    fn answer(&mut self, formula: &str) -> Result<Answer, Failure> {
        let Premises { store, file, reasoner } = self;
        let formula = Named { name: "--formula", text: formula }.formula(store)?;
        Ok(match reasoner.explain(store, formula) {
            Entailment::Follows { premises } => {
                let premises = named(store, file, &premises);
                let mut answer = Answer::new(true, "it follows", json!({"entailed": true, "premises": premises}));
                tell_premises(&mut answer, 2, &premises);
                answer
            }
            Entailment::Fails { model } => {
                let data = json!({"entailed": false, "countermodel": model_json(store, &model)});
                let mut answer = Answer::new(false, "it does not follow", data);
                answer.say(2, "the base allows this:");
                tell_model(&mut answer, store, &model);
                answer
            }
        })
    }
}

fn tell_premises(answer: &mut Answer, indent: usize, premises: &[String]) {
    if premises.is_empty() {
        answer.say(indent, "without any premise");
    } else {
        answer.list(indent, "from these premises, all of them needed:", premises);
    }
}

fn plan(named_text: &Named<'_>) -> Result<Answer, Failure> {
    let mut store = Store::new();
    let file = named_text.file(&mut store, Purpose::Plan)?;
    let goal = file.goal.expect("a plan has a goal");
    let mut reasoner = reasoner(&file);
    let (mut solutions, mut actions, mut told) = (Vec::new(), Vec::new(), Answer::new(true, "", Value::Null));
    for (name, action) in &file.actions {
        let outcome = reasoner.attempt(&mut store, action, goal);
        let (fails, words) = match &outcome {
            Outcome::Solves { .. } => (None, "solves"),
            Outcome::Contradicts { .. } => (Some("contradiction"), "contradicts the base"),
            Outcome::PreconditionFails { .. } => (Some("precondition"), "the precondition does not follow"),
            Outcome::GoalNotBelieved { .. } => (Some("goal"), "the goal is not believed afterwards"),
        };
        told.say(2, &format!("{name}: {words}"));
        let mut data = json!({"name": name, "solves": outcome.solves(), "fails": fails});
        match &outcome {
            Outcome::Solves { precondition, goal } => {
                solutions.push(name.clone());
                let (precondition, goal) = (named(&store, &file, precondition), named(&store, &file, goal));
                told.say(4, "the precondition");
                tell_premises(&mut told, 6, &precondition);
                told.say(4, "the goal");
                tell_premises(&mut told, 6, &goal);
                data["premises"] = json!({"precondition": precondition, "goal": goal});
            }
            Outcome::Contradicts { premises } => {
                let premises = named(&store, &file, premises);
                told.list(4, "what it teaches cannot hold with", &premises);
                data["premises"] = json!(premises);
            }
            Outcome::PreconditionFails { model } | Outcome::GoalNotBelieved { model } => {
                data["countermodel"] = model_json(&store, model);
                for state in &model.context {
                    tell_state(&mut told, &store, 4, "the base allows a state", state);
                }
            }
        }
        actions.push(data);
    }
    let verdict = match solutions.len() {
        0 => "no action reaches the goal".to_string(),
        1 => "1 action reaches the goal".to_string(),
        n => format!("{n} actions reach the goal"),
    };
    let data = json!({"solutions": solutions, "actions": actions});
    let mut answer = Answer::new(!solutions.is_empty(), &verdict, data);
    answer.lines.extend(told.lines.drain(1..));
    Ok(answer)
}
