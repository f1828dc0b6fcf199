//! A model after one announcement after the other.

use super::source::{Source, few};
use super::{LIMITS, MAX_LISTED};
use crate::api::Problem;
use ken_logic::check::explicit::Explicit;
use ken_logic::check::time::{Memory, TimeOptions, TimeSession};
use ken_logic::check::{At, CheckError, Limits};
use ken_logic::formula::F;
use ken_logic::model::enumerate::{Budget, enumerate, find};
use ken_logic::model::{BitSet, Kripke, Model};

/// The steps that listing worlds may take.
const STEPS: usize = 4_000_000;

/// A model with its worlds listed, after some announcements.
pub(crate) struct Stage {
    pub(crate) model: Kripke,
    /// For each world its number in the first model.
    pub(crate) origin: Vec<usize>,
    /// The actual world.
    pub(crate) point: Option<usize>,
    /// What was announced last.
    pub(crate) announced: Option<(String, F)>,
    /// How many worlds it removed.
    pub(crate) removed: usize,
}

/// The worlds at which a formula holds.
pub(crate) fn truth(source: &Source<'_>, model: &Kripke, formula: &F) -> Result<BitSet, Problem> {
    Explicit::new(model.clone(), LIMITS).check(formula).map_err(|error| source.problem(&error))
}

/// The model itself, then what remains after each announcement.
pub(crate) fn stages(source: &Source<'_>, at: Option<&str>, announced: &[String]) -> Result<Vec<Stage>, Problem> {
    after(source, listed(source)?, at, announced)
}

/// The model of what agents know at the beginning, then what remains of it after each announcement, with a note on what
/// they are taken to remember. Agents of a system without memory do not know that it is the beginning: for them every
/// reachable state counts that looks the same.
pub(crate) fn known(
    source: &Source<'_>,
    at: Option<&str>,
    announced: &[String],
) -> Result<(Vec<Stage>, Option<&'static str>), Problem> {
    let Some(time) = source.document.time.clone() else { return Ok((stages(source, at, announced)?, None)) };
    let limits = Limits { worlds: MAX_LISTED, ..LIMITS };
    let mut session = TimeSession::open(time, TimeOptions { limits, ..TimeOptions::default() });
    match session.memory() {
        Memory::Perfect | Memory::Both => Ok((stages(source, at, announced)?, Some(RECALL))),
        Memory::None => {
            let mut model = session.without_memory().map_err(|error| source.problem(&error))?;
            // The point of the file is one of the initial states.
            let begin = listed(source).ok().and_then(|first| first.point().map(|point| first.facts(point)));
            if let Some(point) = begin.and_then(|facts| find(&model, &facts)) {
                model.add_point(None, point);
            }
            Ok((after(source, model, at, announced)?, Some(NO_MEMORY)))
        }
    }
}

const RECALL: &str =
    "perfect recall, at the beginning: agents remember all they saw, and know that nothing has happened yet";
const NO_MEMORY: &str =
    "no memory, at the beginning: agents consider every reachable state possible that looks the same to them now";

/// A model, then what remains of it after each announcement.
fn after(source: &Source<'_>, model: Kripke, at: Option<&str>, announced: &[String]) -> Result<Vec<Stage>, Problem> {
    few(announced)?;
    let point = match at.filter(|at| !at.trim().is_empty()) {
        Some(text) => Some(locate(source, &model, text)?),
        // Where there is only one world it is the actual one.
        None => model.point().or((model.size() == 1).then_some(0)),
    };
    let origin = (0..model.size()).collect();
    let mut all = vec![Stage { model, origin, point, announced: None, removed: 0 }];
    for text in announced {
        let Some(last) = all.last() else { break };
        let formula = source.formula(text)?;
        let next = announce(source, last, text, formula)?;
        all.push(next);
    }
    Ok(all)
}

fn listed(source: &Source<'_>) -> Result<Kripke, Problem> {
    let too_many = || {
        let message =
            format!("this model has more than {} worlds: too many to list here", super::source::amount(MAX_LISTED));
        Problem::new("too-large", message).help("choose smaller parameters; formulas are still checked")
    };
    match &source.document.model {
        Model::Kripke(kripke) if kripke.size() > MAX_LISTED => Err(too_many()),
        Model::Kripke(kripke) => Ok(kripke.clone()),
        Model::Law(law) => enumerate(law, Budget { worlds: MAX_LISTED, steps: STEPS })
            .map_err(|error| source.problem(&error))?
            .ok_or_else(too_many),
    }
}

fn locate(source: &Source<'_>, model: &Kripke, text: &str) -> Result<usize, Problem> {
    let found = match source.at(text)? {
        At::Facts(facts) => find(model, &facts),
        At::Named(_) | At::Point | At::Everywhere => model.world(text),
    };
    found.ok_or_else(|| source.problem(&CheckError::UnknownWorld(text.to_string())))
}

fn announce(source: &Source<'_>, last: &Stage, text: &str, formula: F) -> Result<Stage, Problem> {
    if formula.is_temporal() {
        return Err(source.problem(&CheckError::Temporal));
    }
    let keep = truth(source, &last.model, &formula)?;
    if let Some(point) = last.point
        && !keep.contains(point)
    {
        let message = format!("`{text}` is false at {}: it cannot be announced there", last.model.name(point));
        return Err(Problem::new("untrue", message).help("choose another world, or announce that it is not so"));
    }
    if keep.is_empty() {
        return Err(Problem::new("untrue", format!("`{text}` is false in every world: nothing would remain")));
    }
    let (model, old) = last.model.restrict(&keep);
    let origin = old.iter().map(|&w| last.origin[w as usize]).collect();
    let point = last.point.and_then(|point| old.iter().position(|&w| w as usize == point));
    let removed = last.model.size() - model.size();
    Ok(Stage { model, origin, point, announced: Some((text.to_string(), formula)), removed })
}
