//! Reasons in plain sentences.

use super::answer::Line;
use super::reason::{Alternative, Because, Reason, WorldView};
use crate::formula::Name;
use num_bigint::BigUint;

/// Longer sequences of updates are cut in the middle.
const SHOWN_STEPS: usize = 10;

/// Longer formulas are cut in the middle.
const LONG: usize = 90;

impl Reason {
    /// The reason as lines of text.
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = vec![Line::new(0, format!("at {}", world(&self.world)))];
        self.tell(0, &mut lines);
        lines
    }

    fn tell(&self, depth: usize, out: &mut Vec<Line>) {
        // "!φ is true because φ is false" needs no line of its own.
        if let (Because::Parts(parts), true) = (&self.because, self.formula.starts_with('!'))
            && let [part] = parts.as_slice()
            && depth > 0
        {
            return part.tell(depth, out);
        }
        let verdict = if self.holds { "true: " } else { "false:" };
        out.push(Line::new(depth, format!("{verdict} {}", cut(&self.formula))));
        let inner = depth + 1;
        match &self.because {
            Because::Fact => {}
            Because::Parts(parts) => parts.iter().for_each(|p| p.tell(inner, out)),
            Because::ManyParts(n) => {
                out.push(Line::new(inner, format!("this is so for {n} parts")));
            }
            Because::Alternative(alternative, then) => {
                out.push(Line::new(inner, cannot_exclude(alternative)));
                then.tell(inner, out);
            }
            Because::Path(steps, then) => {
                if steps.is_empty() {
                    out.push(Line::new(inner, "it already fails here".to_string()));
                }
                for (i, step) in steps.iter().enumerate() {
                    let there = if i == 0 { "" } else { "there, " };
                    out.push(Line::new(inner, format!("{there}{}", cannot_exclude(step))));
                }
                then.tell(inner, out);
            }
            Because::Alternatives(several) => {
                for (alternative, then) in several {
                    out.push(Line::new(inner, cannot_exclude(alternative)));
                    then.tell(inner, out);
                }
            }
            Because::AllAlternatives { agents, worlds, actual } => {
                let (none, one) = (*worlds == BigUint::ZERO, *worlds == BigUint::from(1u8));
                let line = match agents.as_slice() {
                    [agent] if none => format!("{agent} considers no world possible, so believes everything"),
                    [agent] if one && *actual => format!("{agent} knows which world it is"),
                    [agent] if one => {
                        format!("{agent} considers only one world possible, and it is not the actual one")
                    }
                    [agent] => format!("it is the same in all {worlds} worlds that {agent} considers possible"),
                    many => format!("it is the same in all worlds that any of {} considers possible", list(many)),
                };
                out.push(Line::new(inner, line));
            }
            Because::AllReachable(agents, n) => {
                let worlds = if *n == BigUint::from(1u8) { "the only world".into() } else { format!("all {n} worlds") };
                out.push(Line::new(
                    inner,
                    format!("it holds in {worlds} that can be reached through {}", list(agents)),
                ));
            }
            Because::Update { .. } => {
                // One update after the other reads as a list, not as a staircase.
                let mut steps = Vec::new();
                let mut rest = self;
                while let Because::Update { action, event, before, after, removed, then } = &rest.because {
                    let several = event.is_some();
                    let event = event.as_ref().map_or(String::new(), |e| format!(", event {e}"));
                    steps.push(format!("after {}{event}: {}", cut(action), remain(before, after, removed, several)));
                    rest = then;
                }
                let skipped = steps.len().saturating_sub(SHOWN_STEPS);
                for (i, step) in steps.into_iter().enumerate() {
                    if skipped == 0 || i < SHOWN_STEPS / 2 || i >= skipped + SHOWN_STEPS / 2 {
                        // Only the updates with which the question itself begins are counted.
                        let update = (depth == 0).then_some(i + 1);
                        out.push(Line { update, ..Line::new(inner, step) });
                    } else if i == SHOWN_STEPS / 2 {
                        out.push(Line::new(inner, format!("… {skipped} more steps")));
                    }
                }
                rest.tell(inner, out);
            }
            Because::CannotHappen(action, why) => {
                let value = if self.holds { "so there is nothing to check" } else { "so it is false" };
                out.push(Line::new(inner, format!("{} cannot happen here, {value}", cut(action))));
                why.iter().for_each(|r| r.tell(inner, out));
            }
            Because::EveryWay(action, n) => {
                out.push(Line::new(
                    inner,
                    format!("it is the same for all {n} ways in which {} can happen", cut(action)),
                ));
            }
        }
    }
}

fn remain(before: &BigUint, after: &BigUint, removed: &[WorldView], several: bool) -> String {
    if several {
        format!("{before} worlds become {after}")
    } else if before == after {
        format!("all {before} worlds remain")
    } else if after < before {
        let gone: Vec<String> = removed.iter().map(world).collect();
        let gone = if gone.is_empty() { String::new() } else { format!("; gone: {}", gone.join(" ")) };
        format!("{after} of {before} worlds remain{gone}")
    } else {
        format!("{before} worlds become {after}")
    }
}

fn cannot_exclude(step: &Alternative) -> String {
    let who = list(&step.agents);
    let verb = if step.agents.len() == 1 { "cannot exclude" } else { "together cannot exclude" };
    let differs = if step.differs.is_empty() {
        "the same facts".to_string()
    } else {
        format!("there: {}", step.differs.join(", "))
    };
    format!("{who} {verb} {} ({differs})", world(&step.world))
}

/// The name of a world; many facts are cut short.
fn world(view: &WorldView) -> String {
    const FACTS: usize = 8;
    let facts = &view.facts;
    let total = facts.props.len() + facts.vars.len();
    if !view.name.starts_with('{') || total <= FACTS {
        return view.name.clone();
    }
    let mut some = facts.clone();
    some.props.truncate(FACTS / 2);
    some.vars.truncate(FACTS / 2);
    let label = some.label();
    format!("{}, … {total} facts}}", label.trim_end_matches('}'))
}

fn list(agents: &[Name]) -> String {
    match agents {
        [] => "nobody".to_string(),
        [one] => one.to_string(),
        [init @ .., last] if init.len() < 6 => format!("{} and {last}", init.join(", ")),
        [first, .., last] => format!("{first} … {last} ({} agents)", agents.len()),
    }
}

fn cut(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= LONG {
        return text.to_string();
    }
    let head: String = chars[..LONG / 2].iter().collect();
    let tail: String = chars[chars.len() - LONG / 2 + 1..].iter().collect();
    format!("{head}…{tail}")
}
