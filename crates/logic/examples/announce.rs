//! A model built in code: three muddy children, their father's announcement, and two silences.
//!
//! `cargo run -p ken-logic --example announce`

use ken_logic::formula::{Action, F, Formula, Name};
use ken_logic::model::Model;
use ken_logic::model::law::{Facts, LawModel, Observation, Point};
use ken_logic::syntax::Span;
use ken_logic::{Checker, Options, Query, QueryKind};

fn main() {
    let children: Vec<Name> = ["ann", "ben", "cleo"].map(Name::from).to_vec();
    let muddy = |child: &Name| Formula::atom(format!("muddy_{child}"));
    // Every child sees the others and not itself; all of them are muddy.
    let sees = |child: &Name| {
        children.iter().filter(|other| *other != child).map(|other| Observation::Formula(muddy(other))).collect()
    };
    let props: Vec<Name> = children.iter().map(|child| format!("muddy_{child}").into()).collect();
    let all = Facts { props: props.clone(), vars: Vec::new() };
    let model = LawModel {
        agents: children.clone(),
        observes: children.iter().map(sees).collect(),
        props,
        points: vec![Point { name: None, facts: all, span: Span::default() }],
        ..LawModel::default()
    };

    let someone = Formula::or(children.iter().map(muddy).collect());
    let knows = |child: &Name| {
        Formula::or(vec![
            Formula::knows(child.clone(), muddy(child)),
            Formula::knows(child.clone(), Formula::negation(muddy(child))),
        ])
    };
    let nobody = Formula::negation(Formula::or(children.iter().map(knows).collect()));
    let after = |spoken: &F, then: F| Formula::after(Action::Announce(spoken.clone()), then);

    let mut checker = Checker::of(Model::Law(model), Options::default());
    let ann = knows(&children[0]);
    let story = [
        ("before anybody speaks", ann.clone()),
        ("after the father has spoken", after(&someone, ann.clone())),
        ("after a silence", after(&someone, after(&nobody, ann.clone()))),
        ("after another silence", after(&someone, after(&nobody, after(&nobody, ann)))),
    ];
    for (when, formula) in story {
        let query = Query::new(QueryKind::Check, formula);
        let answer = checker.ask(query.explained()).expect("an answer");
        println!("Ann {} whether she is muddy {when}:", if answer.holds { "knows" } else { "does not know" });
        println!("{}\n", answer.reason());
    }
}
