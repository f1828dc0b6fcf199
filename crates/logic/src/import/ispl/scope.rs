//! The names for asking more, in our own language.

use super::names::Names;
use crate::formula::{Name, Value};
use crate::model::LawModel;
use crate::syntax::Scope;

/// Agents, variables as `agent.variable`, actions as `action` and `agent.action`, and the propositions of
/// `Evaluation`, each standing for its definition.
pub(super) fn scope(names: &Names<'_>, vocabulary: &LawModel) -> Scope {
    let mut scope = Scope::declared(&vocabulary.agents, &vocabulary.props);
    for var in &vocabulary.vars {
        scope.vars.insert(var.name.clone(), var.values.clone());
        scope.constants.extend(var.values.iter().filter_map(|value| match value {
            Value::Sym(name) => Some(name.to_string()),
            Value::Int(_) => None,
        }));
    }
    scope.timed = true;
    for agent in &names.agents {
        for (_, action) in &agent.actions {
            let full: Name = format!("{}.{action}", agent.name).into();
            scope.steps.entry(action.clone()).or_default().push(full.clone());
            scope.steps.insert(full.clone(), vec![full]);
        }
    }
    for (name, formula) in &names.evaluation {
        scope.define(name, formula.clone());
    }
    scope
}
