//! The drawing of a model and of what remains of it.

use super::source::{Source, amount, fact_list};
use super::stages::{Stage, stages, truth};
use super::{LogicAgent, LogicDraw, LogicDrawing, LogicDrawn, LogicLink, LogicStage, LogicWorld, MAX_DRAWN};
use crate::api::Problem;
use ken_logic::draw::{Sheet, SheetLink, sheet};
use ken_logic::model::BitSet;
use std::collections::BTreeSet;

/// Draws a model and what remains of it after each announcement. Every world stays where it is.
pub fn draw(request: &LogicDraw) -> Result<LogicDrawn, Problem> {
    let source = Source::read(&request.text, request.kind)?;
    let stages = stages(&source, request.at.as_deref(), &request.announced)?;
    let formula = request.formula.as_deref().filter(|text| !text.trim().is_empty());
    let formula = formula.map(|text| source.formula(text)).transpose()?;
    let first = stages.iter().position(|stage| stage.model.size() <= MAX_DRAWN);
    let drawn: BTreeSet<usize> = first.iter().flat_map(|&first| stages[first].origin.iter().copied()).collect();
    let mut told = Vec::new();
    for (i, stage) in stages.iter().enumerate() {
        let holds = formula.as_ref().map(|formula| truth(&source, &stage.model, formula)).transpose()?;
        let gone = i.checked_sub(1).map(|before| &stages[before].origin[..]).unwrap_or_default();
        told.push(LogicStage {
            announced: stage.announced.as_ref().map(|(text, _)| text.clone()),
            worlds: stage.model.size(),
            gone: gone.iter().copied().filter(|w| drawn.contains(w) && !stage.origin.contains(w)).collect(),
            removed: stage.removed,
            holding: holds.as_ref().map(BitSet::count),
            holds: holds
                .iter()
                .flat_map(|set| set.iter().map(|w| stage.origin[w]))
                .filter(|w| drawn.contains(w))
                .collect(),
        });
    }
    let problem = first.is_none().then(|| {
        let worlds = amount(stages.last().map_or(0, |stage| stage.model.size()));
        let message = format!("{worlds} worlds are too many to draw: at most {MAX_DRAWN} are drawn");
        Problem::new("too-large", message).help("announce something that leaves fewer, or choose smaller parameters")
    });
    let timed = source.document.time.is_some();
    let note =
        timed.then(|| "these are the initial states of the system; its runs stand beside the formulas".to_string());
    Ok(LogicDrawn { stages: told, drawing: first.map(|first| drawing(&stages, first)), problem, note })
}

fn drawing(stages: &[Stage], first: usize) -> LogicDrawing {
    let base = &stages[first];
    let number = |w: usize| base.origin[w];
    let rest: Vec<BitSet> = stages[first + 1..]
        .iter()
        .map(|stage| {
            let there: BTreeSet<usize> = stage.origin.iter().copied().collect();
            BitSet::from_fn(base.model.size(), |w| there.contains(&number(w)))
        })
        .collect();
    let Sheet { edges, worlds, agents, arrows, notes, lines } = sheet(&base.model, &rest);
    let round = |x: f64| (x * 10.0).round() / 10.0;
    let link = |link: SheetLink| LogicLink {
        agents: link.agents,
        worlds: link.worlds.into_iter().map(number).collect(),
        paths: link.paths,
        heads: link.heads,
        dot: link.dot.map(|(x, y)| (round(x), round(y))),
        tag_at: link.tag.as_ref().map(|((x, y), _)| (round(*x), round(*y))),
        tag: link.tag.map(|(_, lines)| lines).unwrap_or_default(),
        words: link.words,
    };
    let world = |(w, drawn): (usize, ken_logic::draw::SheetWorld)| LogicWorld {
        id: number(w),
        name: base.model.name(w),
        facts: fact_list(&base.model.facts(w)),
        label: drawn.label,
        title: drawn.name,
        x: round(drawn.middle.0),
        y: round(drawn.middle.1),
        width: round(drawn.size.0),
        height: round(drawn.size.1),
    };
    LogicDrawing {
        first,
        edges: edges.map(round).to_vec(),
        worlds: worlds.into_iter().enumerate().map(world).collect(),
        point: base.point.map(number),
        agents: agents.into_iter().map(|(name, note)| LogicAgent { name, note: note.map(str::to_string) }).collect(),
        arrows,
        notes,
        links: lines.into_iter().map(|links| links.into_iter().map(link).collect()).collect(),
    }
}
