//! Who knows what at a world, since when, why, and why not: the answers that the inspector shows, for plain models.

use super::source::{Source, amount};
use super::stages::{Stage, checker, known, truth};
use super::{LogicKnow, LogicWhy};
use crate::api::{FactRow, Inspection, Known, Problem, Sentence, Why, WorldInfo, WorldPart};
use ken_logic::formula::{Action, F, Formula};
use ken_logic::model::{BitSet, Kripke};
use ken_logic::{At, Query, QueryKind};

/// The most rows of an inspection.
const ROWS: usize = 600;
/// The most facts of a world that are shown beside another's.
const PARTS: usize = 40;

/// What a chain of agents knows at the actual world.
pub fn know(request: &LogicKnow) -> Result<Inspection, Problem> {
    let source = Source::read(&request.text, request.kind)?;
    let (stages, memory) = known(&source, request.at.as_deref(), &request.announced)?;
    let scene = Scene::new(&source, &stages, &request.chain)?;
    let Some(last) = stages.last() else { return Err(no_point()) };
    let (model, reach) = (&last.model, scene.reach(last)?);
    let mut rows: Vec<FactRow> =
        facts(model, ROWS + 1).into_iter().map(|(text, group, set)| row(text, group, &set, &reach)).collect();
    let cut = rows.len() > ROWS;
    rows.truncate(ROWS);
    let filter = request.filter.trim();
    let mut asked = None;
    if !filter.is_empty() {
        let wanted = filter.to_lowercase();
        let all = rows.len();
        rows.retain(|row| row.fact.to_lowercase().contains(&wanted));
        let is_row = rows.iter().any(|row| row.fact == filter);
        match source.formula(filter) {
            Ok(formula) if !is_row => {
                let set = truth(&source, model, &formula)?;
                asked = Some(row(filter.to_string(), String::new(), &set, &reach));
            }
            Ok(_) => {}
            // What is neither a formula nor part of a row is a mistake in a formula.
            Err(problem) if rows.is_empty() && all > 0 => return Err(problem),
            Err(_) => {}
        }
    }
    rows.sort_by_key(|row| match row.verdict {
        Known::Known => 0,
        Known::Excluded => 1,
        Known::Open => 2,
    });
    let worlds = match request.chain.first() {
        Some(&first) => last.point.map(|point| amount(model.possible(usize::from(first), point).len())),
        None => None,
    };
    let mut notes: Vec<String> = memory.into_iter().map(str::to_string).collect();
    if reach.is_empty() {
        notes.push("no world is considered possible, so everything is believed".to_string());
    }
    if cut {
        notes.push(format!("the first {ROWS} facts; type a formula to ask about others"));
    }
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(Inspection { chain: request.chain.clone(), words: scene.words(), worlds, rows, asked, note })
}

/// Why a chain of agents knows a fact at the actual world, or why not, and since which announcement.
pub fn why(request: &LogicWhy) -> Result<Why, Problem> {
    let source = Source::read(&request.text, request.kind)?;
    let (stages, _) = known(&source, request.at.as_deref(), &request.announced)?;
    let scene = Scene::new(&source, &stages, &request.chain)?;
    let fact = source.formula(&request.fact)?;
    let mut verdicts = Vec::new();
    for stage in &stages {
        let (set, reach) = (truth(&source, &stage.model, &fact)?, scene.reach(stage)?);
        verdicts.push(verdict(&set, &reach).0);
    }
    let Some((&now, last)) = verdicts.last().zip(stages.last()) else { return Err(no_point()) };
    let mut answer = Why {
        fact: request.fact.clone(),
        words: request.fact.clone(),
        verdict: now,
        since: None,
        since_words: None,
        proof: Vec::new(),
        unproved: None,
        worlds: Vec::new(),
    };
    if now == Known::Open {
        let (set, reach) = (truth(&source, &last.model, &fact)?, scene.reach(last)?);
        answer.worlds = apart(&last.model, &set, &reach, last.point);
        return Ok(answer);
    }
    // The first announcement after which it never changed again.
    let since = verdicts.iter().rposition(|v| *v != now).map_or(0, |i| i + 1);
    answer.since = Some(since);
    answer.since_words = Some(match &stages[since].announced {
        Some((text, _)) => format!("announced: {text}"),
        None => "in the model from the start".to_string(),
    });
    let known = if now == Known::Known { fact } else { Formula::negation(fact) };
    match scene.proof(&stages, known) {
        Ok(proof) => answer.proof = proof,
        Err(problem) => answer.unproved = Some(problem.message),
    }
    Ok(answer)
}

fn no_point() -> Problem {
    Problem::new("no-point", "the model names no actual world").help("choose a world in the drawing, or add `point …`")
}

/// Agents looking at a world.
struct Scene<'s> {
    source: &'s Source,
    chain: Vec<usize>,
    names: Vec<String>,
}

impl<'s> Scene<'s> {
    fn new(source: &'s Source, stages: &[Stage], chain: &[u8]) -> Result<Scene<'s>, Problem> {
        let agents = stages.first().map(|stage| stage.model.agents().to_vec()).unwrap_or_default();
        let chain: Vec<usize> = chain.iter().map(|&a| usize::from(a)).collect();
        if let Some(agent) = chain.iter().find(|&&a| a >= agents.len()) {
            return Err(Problem::new("no-such-agent", format!("there is no agent number {agent}")));
        }
        if chain.len() > 12 {
            return Err(Problem::new("too-large", "a chain has at most 12 agents"));
        }
        let names = chain.iter().map(|&a| agents[a].to_string()).collect();
        Ok(Scene { source, chain, names })
    }

    /// The worlds that the chain leads to from the actual world.
    fn reach(&self, stage: &Stage) -> Result<BitSet, Problem> {
        let point = stage.point.ok_or_else(no_point)?;
        let size = stage.model.size();
        let mut reach = BitSet::from_fn(size, |w| w == point);
        for &agent in &self.chain {
            let mut next = BitSet::empty(size);
            for world in reach.iter() {
                stage.model.possible(agent, world).into_iter().for_each(|w| next.insert(w));
            }
            reach = next;
        }
        Ok(reach)
    }

    fn words(&self) -> String {
        let verb = if self.source.document.model.is_belief() { "believes" } else { "knows" };
        if self.names.is_empty() {
            return "what is true here".to_string();
        }
        let each: Vec<String> = self.names.iter().map(|name| format!("{name} {verb}")).collect();
        format!("what {}", each.join(" that "))
    }

    /// Why the chain knows something after all announcements: the reasons of the engine, from the first model on.
    fn proof(&self, stages: &[Stage], known: F) -> Result<Vec<Sentence>, Problem> {
        let mut formula = known;
        for name in self.names.iter().rev() {
            formula = Formula::knows(name.as_str(), formula);
        }
        let announced: Vec<&F> = stages.iter().filter_map(|s| s.announced.as_ref().map(|(_, f)| f)).collect();
        for f in announced.iter().rev() {
            formula = Formula::after(Action::Announce((*f).clone()), formula);
        }
        let Some((first, point)) = stages.first().and_then(|s| Some((s, s.point?))) else { return Err(no_point()) };
        let query = Query::new(QueryKind::Check, formula).asked_at(At::Named(first.model.name(point)));
        let answer = checker(self.source, &first.model).ask(query.explained());
        let reason = answer.map_err(|error| self.source.problem(&error))?.reason;
        let told = reason.iter().flat_map(|reason| reason.lines()).map(|line| Sentence {
            depth: line.depth,
            event: line.update.filter(|&update| update <= announced.len()),
            text: line.text,
        });
        Ok(told.collect())
    }
}

/// Every proposition and every value of a variable: the text of the formula, what it is about, and where it holds.
fn facts(model: &Kripke, most: usize) -> Vec<(String, String, BitSet)> {
    let mut found = Vec::new();
    let base = |name: &str| name.split('(').next().unwrap_or(name).to_string();
    for prop in model.props().iter().take(most) {
        let set = model.column(prop).cloned().unwrap_or_else(|| BitSet::empty(model.size()));
        found.push((prop.to_string(), base(prop), set));
    }
    let first = (model.size() > 0).then(|| model.facts(0));
    for (name, _) in first.iter().flat_map(|facts| &facts.vars) {
        let mut values: Vec<_> = (0..model.size()).filter_map(|w| model.value(name, w)).collect();
        values.sort();
        values.dedup();
        for value in values {
            if found.len() >= most {
                return found;
            }
            let set = BitSet::from_fn(model.size(), |w| model.value(name, w) == Some(value));
            found.push((format!("{name} = {value}"), name.to_string(), set));
        }
    }
    found
}

/// What is known of a fact, and the share of the worlds in which it is true.
fn verdict(set: &BitSet, reach: &BitSet) -> (Known, Option<f64>) {
    let all = reach.count();
    let holds = reach.iter().filter(|&w| set.contains(w)).count();
    let share = (all > 0).then(|| holds as f64 / all as f64);
    let known = match holds {
        _ if holds == all => Known::Known,
        0 => Known::Excluded,
        _ => Known::Open,
    };
    (known, share)
}

fn row(fact: String, group: String, set: &BitSet, reach: &BitSet) -> FactRow {
    let (verdict, share) = verdict(set, reach);
    FactRow { words: fact.clone(), fact, group, verdict, share }
}

/// Two worlds that the chain cannot exclude, as alike as can be, the one where the fact is true first.
fn apart(model: &Kripke, set: &BitSet, reach: &BitSet, point: Option<usize>) -> Vec<WorldInfo> {
    let (yes, no): (Vec<usize>, Vec<usize>) = reach.iter().partition(|&w| set.contains(w));
    // The actual world is one of them if it can be; else the first that is found.
    let one = point.filter(|&p| reach.contains(p)).or_else(|| yes.first().copied());
    let Some(one) = one else { return Vec::new() };
    let others = if set.contains(one) { &no } else { &yes };
    let Some(&other) = others.iter().min_by_key(|&&w| (model.distance(one, w), w)) else { return Vec::new() };
    let (yes, no) = if set.contains(one) { (one, other) } else { (other, one) };
    let parts = |world: usize, beside: usize| {
        let value = |w: usize, prop: &str| model.column(prop).is_some_and(|c| c.contains(w));
        let props = model.props().iter().map(|prop| {
            let (here, there) = (value(world, prop), value(beside, prop));
            let text = if here { "true" } else { "false" };
            WorldPart { name: prop.to_string(), value: text.to_string(), differs: here != there }
        });
        let there = model.facts(beside).vars;
        let vars = model.facts(world).vars.into_iter().map(|(name, value)| {
            let differs = there.iter().any(|(n, v)| *n == name && *v != value);
            WorldPart { name: name.to_string(), value: value.to_string(), differs }
        });
        let mut parts: Vec<WorldPart> = props.chain(vars).collect();
        if parts.len() > PARTS {
            parts.sort_by_key(|part| !part.differs);
            parts.truncate(PARTS);
        }
        parts
    };
    vec![WorldInfo { holds: true, parts: parts(yes, no) }, WorldInfo { holds: false, parts: parts(no, yes) }]
}
