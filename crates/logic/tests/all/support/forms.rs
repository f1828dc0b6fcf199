//! Which forms of formulas, actions and models random tests have really exercised.

use ken_logic::formula::{Action, Change, Formula, Group, Name, Sight, Term};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The forms that occur in one case.
pub(crate) type Forms = BTreeSet<&'static str>;

/// In how many cases each form occurred.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    cases: usize,
    counts: BTreeMap<&'static str, usize>,
}

impl Tally {
    pub(crate) fn add(&mut self, forms: &Forms) {
        self.cases += 1;
        for form in forms {
            *self.counts.entry(form).or_default() += 1;
        }
    }

    pub(crate) fn cases(&self) -> usize {
        self.cases
    }

    pub(crate) fn count(&self, form: &str) -> usize {
        self.counts.get(form).copied().unwrap_or(0)
    }

    /// Prints the table and fails if one of the required forms occurred in less than its share (in percent) of cases.
    pub(crate) fn require(&self, title: &str, floors: &[(&'static str, f64)]) {
        println!("{title}: {} cases", self.cases);
        let share = |form: &str| 100.0 * self.count(form) as f64 / self.cases.max(1) as f64;
        let listed: BTreeSet<&str> = floors.iter().map(|(form, _)| *form).collect();
        for &(form, floor) in floors {
            println!("  {:6} {:5.1} %  (at least {floor:4.1} %)  {form}", self.count(form), share(form));
        }
        for (form, count) in self.counts.iter().filter(|(form, _)| !listed.contains(**form)) {
            println!("  {count:6} {:5.1} %                     {form}", share(form));
        }
        let rare: Vec<&str> =
            floors.iter().filter(|(form, floor)| share(form) < *floor).map(|(form, _)| *form).collect();
        assert!(rare.is_empty(), "{title}: hardly drawn: {}", rare.join(", "));
    }
}

/// Adds the forms of a formula and of everything in it; `agents` is how many agents the model has.
pub(crate) fn formula_forms(f: &Formula, agents: usize, forms: &mut Forms) {
    let form = match f {
        Formula::Const(_) => "true, false",
        Formula::Atom(_) => "atom",
        Formula::Compare(_, a, b) => {
            if [a, b].iter().any(|t| matches!(t, Term::Bin(..) | Term::Neg(_))) {
                forms.insert("arithmetic");
            }
            "comparison"
        }
        Formula::Not(_) => "!",
        Formula::And(_) => "&",
        Formula::Or(_) => "|",
        Formula::Imp(..) => "->",
        Formula::Iff(..) => "<->",
        Formula::Xor(_) => "xor",
        Formula::Count(..) => "exactly, atleast, atmost",
        Formula::Knows(..) => "K",
        Formula::Possible(..) => "S",
        Formula::KnowsWhether(..) => "Kw",
        Formula::Everyone(..) => "E",
        Formula::Common(..) => "C",
        Formula::Distributed(..) => "D",
        Formula::After(..) => "[]",
        Formula::Can(..) => "<>",
        Formula::Path(..) => "AX AG AF EX EG EF",
        Formula::Until(..) => "U",
        Formula::Ensure(..) => "<<>>",
        Formula::EnsureUntil(..) => "<<>>U",
        Formula::Ought(..) => "O",
        Formula::Runs(..) => "A E",
        Formula::Linear(..) => "X F G",
        Formula::LinearUntil(..) => "U of a run",
        Formula::Release(..) => "R of a run",
    };
    forms.insert(form);
    if let Formula::After(action, _) | Formula::Can(action, _) = f {
        action_forms(action, agents, forms);
    }
    for child in f.children() {
        formula_forms(child, agents, forms);
    }
}

fn action_forms(action: &Action, agents: usize, forms: &mut Forms) {
    match action {
        Action::Test(_) => _ = forms.insert("test outside L"),
        Action::Move(_) => unreachable!("no model has moves"),
        Action::Seq(parts) => {
            forms.insert("; outside L");
            parts.iter().for_each(|p| action_forms(p, agents, forms));
        }
        Action::Choice(parts) => {
            forms.insert("+ outside L");
            parts.iter().for_each(|p| action_forms(p, agents, forms));
        }
        Action::Both(a, b) => {
            forms.insert("&& outside L");
            action_forms(a, agents, forms);
            action_forms(b, agents, forms);
        }
        Action::Announce(f) => {
            forms.insert("announce");
            if f.knowledge_depth() > 0 {
                forms.insert("announce of knowledge");
            }
        }
        Action::Learn(_, inner) => {
            forms.insert("L[all]");
            inside_forms(inner, agents, 1, forms);
            let mut groups = Vec::new();
            inner_groups(inner, &mut groups);
            let overlap =
                |a: &HashSet<&Name>, b: &HashSet<&Name>| !a.is_disjoint(b) && !a.is_subset(b) && !b.is_subset(a);
            if groups.iter().any(|a| groups.iter().any(|b| overlap(a, b))) {
                forms.insert("L: overlapping groups");
            }
        }
        Action::Model(model) => {
            forms.insert("action model");
            let events = &model.events;
            if events.len() > 1 {
                forms.insert("action model: several events");
            }
            if events.iter().any(|e| !e.designated) {
                forms.insert("action model: an event not designated");
            }
            if events.iter().any(|e| e.pre.knowledge_depth() > 0) {
                forms.insert("action model: epistemic precondition");
            }
            for change in events.iter().flat_map(|e| &e.changes) {
                match change {
                    Change::Prop(_, f) => {
                        forms.insert("action model: changed proposition");
                        if f.knowledge_depth() > 0 {
                            forms.insert("action model: change by knowledge");
                        }
                    }
                    Change::Var(..) => _ = forms.insert("action model: changed variable"),
                }
            }
            for (_, sight) in &model.sights {
                forms.insert(match sight {
                    Sight::Classes(_) => "action model: classes",
                    Sight::Edges(_) => "action model: edges",
                });
            }
        }
        Action::Local(_) => unreachable!("marks stand inside L"),
    }
}

fn inside_forms(action: &Action, agents: usize, depth: usize, forms: &mut Forms) {
    match action {
        Action::Test(f) => {
            forms.insert("L: test");
            if f.knowledge_depth() > 0 {
                forms.insert("L: test of knowledge");
            }
        }
        Action::Announce(_) => _ = forms.insert("L: announce"),
        Action::Move(_) => unreachable!("no model has moves"),
        Action::Seq(parts) => {
            forms.insert("L: ;");
            if parts.len() > 2 {
                forms.insert("L: ; of three or more");
            }
            if parts.iter().any(|p| matches!(p, Action::Choice(_))) {
                forms.insert("L: + inside ;");
            }
            parts.iter().for_each(|p| inside_forms(p, agents, depth, forms));
        }
        Action::Choice(parts) => {
            forms.insert("L: +");
            if parts.iter().any(|p| matches!(p, Action::Choice(_))) {
                forms.insert("L: + inside +");
            }
            let sequences: Vec<&Vec<Action>> =
                parts.iter().filter_map(|p| if let Action::Seq(steps) = p { Some(steps) } else { None }).collect();
            if sequences.len() > 1 {
                forms.insert("L: several ; in one +");
                let learns =
                    |steps: &[Action], step: &Action| matches!(step, Action::Learn(..)) && steps.contains(step);
                let copied = |(i, steps): (usize, &&Vec<Action>)| {
                    sequences[..i].iter().any(|others| steps.iter().any(|step| learns(others, step)))
                };
                if sequences.iter().enumerate().any(copied) {
                    forms.insert("L: sequences with a common step");
                }
            }
            parts.iter().for_each(|p| inside_forms(p, agents, depth, forms));
        }
        Action::Local(inner) => {
            forms.insert("L: ! mark");
            if matches!(**inner, Action::Choice(_)) {
                forms.insert("L: ! on a choice");
            }
            inside_forms(inner, agents, depth, forms);
        }
        Action::Learn(group, inner) => {
            forms.insert("L: L inside");
            if depth > 1 {
                forms.insert("L: L three or more levels deep");
            }
            if matches!(group, Group::Of(some) if some.len() < agents) {
                forms.insert("L: smaller group");
            }
            if matches!(**inner, Action::Seq(_)) {
                forms.insert("L: ; directly inside an inner L");
            }
            inside_forms(inner, agents, depth + 1, forms);
        }
        Action::Both(..) | Action::Model(_) => unreachable!("not inside L"),
    }
}

fn inner_groups<'a>(action: &'a Action, groups: &mut Vec<HashSet<&'a Name>>) {
    match action {
        Action::Test(_) | Action::Announce(_) | Action::Model(_) | Action::Move(_) => {}
        Action::Seq(parts) | Action::Choice(parts) => parts.iter().for_each(|p| inner_groups(p, groups)),
        Action::Local(a) => inner_groups(a, groups),
        Action::Both(a, b) => {
            inner_groups(a, groups);
            inner_groups(b, groups);
        }
        Action::Learn(group, inner) => {
            if let Group::Of(some) = group {
                groups.push(some.iter().collect());
            }
            inner_groups(inner, groups);
        }
    }
}
