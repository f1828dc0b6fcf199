//! A model after one announcement after the other.

use super::source::{Source, few};
use super::{LIMITS, MAX_LISTED};
use crate::api::Problem;
use ken_logic::check::{Limit, Memory};
use ken_logic::formula::F;
use ken_logic::model::{BitSet, Kripke, Model};
use ken_logic::{At, CheckError, Checker, Limits, Options};

/// How much work listing worlds may be.
const LISTING: Limits = Limits { worlds: MAX_LISTED, ..LIMITS };

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

/// Somebody to ask about a model of the text, with the names of the text.
pub(crate) fn checker(source: &Source, model: &Kripke) -> Checker {
    let options = Options { limits: LIMITS, ..Options::default() };
    Checker::of(Model::Kripke(model.clone()), options).named_by(&source.document.scope)
}

/// The worlds at which a formula holds.
pub(crate) fn truth(source: &Source, model: &Kripke, formula: &F) -> Result<BitSet, Problem> {
    checker(source, model).truth(formula).map_err(|error| source.problem(&error))
}

/// The model itself, then what remains after each announcement.
pub(crate) fn stages(source: &Source, at: Option<&str>, announced: &[String]) -> Result<Vec<Stage>, Problem> {
    after(source, listed(source)?, at, announced)
}

/// The model of what agents know at the beginning, then what remains of it after each announcement, with a note on what
/// they are taken to remember. Agents of a system without memory do not know that it is the beginning: for them every
/// reachable state counts that looks the same.
pub(crate) fn known(
    source: &Source,
    at: Option<&str>,
    announced: &[String],
) -> Result<(Vec<Stage>, Option<&'static str>), Problem> {
    let mut checker = source.document.checker(LISTING);
    match checker.memory() {
        None => Ok((stages(source, at, announced)?, None)),
        Some(Memory::Perfect | Memory::Both) => Ok((stages(source, at, announced)?, Some(RECALL))),
        Some(Memory::None) => {
            let mut model = checker.without_memory().map_err(|error| source.problem(&error))?;
            // The point of the file is one of the initial states.
            let begin = listed(source).ok().and_then(|first| first.point().map(|point| first.facts(point)));
            if let Some(point) = begin.and_then(|facts| At::Facts(facts).world(&model)) {
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
fn after(source: &Source, model: Kripke, at: Option<&str>, announced: &[String]) -> Result<Vec<Stage>, Problem> {
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

fn listed(source: &Source) -> Result<Kripke, Problem> {
    let too_many = || {
        let message =
            format!("this model has more than {} worlds: too many to list here", super::source::amount(MAX_LISTED));
        Problem::new("too-large", message).help("choose smaller parameters; formulas are still checked")
    };
    match source.document.checker(LISTING).listed() {
        Ok(kripke) => Ok(kripke.clone()),
        Err(CheckError::Limit(Limit::Worlds(_))) => Err(too_many()),
        Err(error) => Err(source.problem(&error)),
    }
}

fn locate(source: &Source, model: &Kripke, text: &str) -> Result<usize, Problem> {
    let found = source.at(text)?.world(model);
    found.ok_or_else(|| source.problem(&CheckError::UnknownWorld(text.to_string())))
}

fn announce(source: &Source, last: &Stage, text: &str, formula: F) -> Result<Stage, Problem> {
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
