//! Questions and answers: the choice of the engine, growing managers, limits, reasons.

use ken_logic::check::reason::Because;
use ken_logic::check::{Answer, At, CheckError, Engine, EngineChoice, Limit, Limits, Question, Session};
use ken_logic::model::QueryKind;
use ken_logic::syntax::model_from_ken;

fn ask(text: &str, formula: &str, kind: QueryKind, choice: EngineChoice, limits: Limits) -> Result<Answer, CheckError> {
    let document = model_from_ken(text, &[]).expect("a model");
    let formula = document.formula(formula).expect("a formula");
    let question = Question { kind, formula, at: At::Point, list: 100, explain: true };
    let mut session = Session::open(document.model, vec![question], choice, limits)?;
    session.answer().expect("one question")
}

/// Eight queens that do not attack each other: a law whose diagram is large.
fn queens(n: usize) -> String {
    format!(
        "param n = {n}\nagents a\nprops q(i,j) for i in 1..n, j in 1..n\n\
         law forall i in 1..n: oneof(q(i,j) for j in 1..n)\n\
         law forall j in 1..n: oneof(q(i,j) for i in 1..n)\n\
         law forall d in 2..2*n: atmost 1 of (q(i,j) for i in 1..n, j in 1..n where i + j = d)\n\
         law forall d in 0-n..n: atmost 1 of (q(i,j) for i in 1..n, j in 1..n where i - j = d)\n"
    )
}

#[test]
fn a_manager_that_is_full_grows_and_the_answer_stays() {
    let limits = |megabytes: usize| Limits { diagram_bytes: megabytes << 20, ..Limits::default() };
    let text = queens(8);
    let answer = ask(&text, "true", QueryKind::Count, EngineChoice::Symbolic, limits(20)).unwrap();
    assert_eq!(answer.holding, 92u8.into());
    let refused = ask(&text, "true", QueryKind::Count, EngineChoice::Symbolic, limits(1));
    assert!(matches!(refused, Err(CheckError::Limit(Limit::DiagramBytes(_)))));
}

#[test]
fn auto_lists_few_worlds_and_leaves_many_to_functions() {
    let auto = |text: &str| ask(text, "true", QueryKind::Count, EngineChoice::Auto, Limits::default()).unwrap();
    assert_eq!(auto("agents a\nprops p").engine, Engine::Explicit);
    assert_eq!(auto("agents a\nprops p(i) for i in 1..70").engine, Engine::Symbolic);
    assert_eq!(auto("belief\nagents a\nprops p").engine, Engine::Explicit);
    // Two to the seventy valuations, but only seventy worlds.
    assert_eq!(auto("agents a\nprops p(i) for i in 1..70\nlaw oneof(p(i) for i in 1..70)").engine, Engine::Explicit);
}

#[test]
fn auto_turns_to_the_other_engine_at_a_limit() {
    // Few worlds, but an action that copies them many times over.
    let text = "agents a, b\nprops p, q\nvars x : 0..9\naction copy = events {\n  e(i) for i in 1..60: pre p | q\n  confuse b: \
                e(i) for i in 1..60\n}\n";
    let limits = Limits { worlds: 1000, ..Limits::default() };
    let formula = "[copy] [copy] K[a] p";
    let answer = ask(text, formula, QueryKind::Count, EngineChoice::Auto, limits).unwrap();
    assert_eq!(answer.engine, Engine::Symbolic);
    let refused = ask(text, formula, QueryKind::Count, EngineChoice::Explicit, limits);
    assert!(matches!(refused, Err(CheckError::Limit(Limit::Worlds(1000)))), "{refused:?}");
    let plain = ask(text, formula, QueryKind::Count, EngineChoice::Explicit, Limits::default()).unwrap();
    assert_eq!(answer.holding, plain.holding);
}

#[test]
fn symbolic_and_explicit_explanations_name_the_same_nearest_world() {
    let text = "agents a, b\nprops p, q, r\nobserve a sees p\nobserve b sees q, p\npoint p, q, r";
    for (formula, world, differs) in [
        ("K[a] q", "{p, r}", vec!["!q"]),
        ("K[a] (q | r)", "{p}", vec!["!q", "!r"]),
        ("D[a,b] r", "{p, q}", vec!["!r"]),
        ("S[a] !q", "{p, r}", vec!["!q"]),
        ("!Kw[b] r", "{p, q}", vec!["!r"]),
    ] {
        for choice in [EngineChoice::Explicit, EngineChoice::Symbolic] {
            let answer = ask(text, formula, QueryKind::Check, choice, Limits::default()).unwrap();
            let mut reason = answer.reason.expect("a reason");
            while let Because::Parts(mut parts) = reason.because {
                reason = parts.remove(0);
            }
            let Because::Alternative(alternative, _) = reason.because else { panic!("{formula}: an alternative") };
            assert_eq!(alternative.world.name, world, "{formula} by {choice:?}");
            assert_eq!(alternative.differs, differs, "{formula} by {choice:?}");
        }
    }
}

#[test]
fn a_false_common_knowledge_comes_with_a_shortest_path() {
    let text = "agents a, b\nvars x : 0..6\nobserve a sees x / 2\nobserve b sees (x + 1) / 2\npoint x = 0";
    for choice in [EngineChoice::Explicit, EngineChoice::Symbolic] {
        let answer = ask(text, "C[all] x < 4", QueryKind::Check, choice, Limits::default()).unwrap();
        let Because::Path(steps, _) = answer.reason.expect("a reason").because else { panic!("a path") };
        let path: Vec<String> = steps.iter().map(|s| format!("{} {}", s.agents[0], s.world.name)).collect();
        assert_eq!(path, ["a {x = 1}", "b {x = 2}", "a {x = 3}", "b {x = 4}"], "{choice:?}");
    }
}

#[test]
fn an_update_says_which_worlds_it_removed() {
    let text = "agents a\nprops p, q\npoint p, q";
    for choice in [EngineChoice::Explicit, EngineChoice::Symbolic] {
        let answer = ask(text, "[announce (p | q)] K[a] p", QueryKind::Check, choice, Limits::default()).unwrap();
        let Because::Update { removed, before, after, .. } = answer.reason.expect("a reason").because else {
            panic!("an update")
        };
        assert_eq!((before, after), (4u8.into(), 3u8.into()));
        assert_eq!(removed.iter().map(|w| w.name.as_str()).collect::<Vec<_>>(), ["{}"], "{choice:?}");
    }
}

#[test]
fn an_action_that_cannot_happen_says_so() {
    let text = "agents a\nprops p\npoint";
    let answer = ask(text, "[announce p] false", QueryKind::Check, EngineChoice::Auto, Limits::default()).unwrap();
    assert!(answer.holds);
    assert!(matches!(answer.reason.expect("a reason").because, Because::CannotHappen(..)));
}

#[test]
fn the_symbolic_engine_keeps_the_names_of_worlds() {
    let text = "agents a\nprops p\nworlds w0 {p}, w1 {p}, w2 {}\nconfuse a: w0 w2\npoint w1";
    for choice in [EngineChoice::Explicit, EngineChoice::Symbolic] {
        let answer = ask(text, "K[a] p", QueryKind::Where, choice, Limits::default()).unwrap();
        let names: Vec<String> = answer.holds_at.unwrap().into_iter().map(|w| w.name).collect();
        assert_eq!(names, ["w1"], "{choice:?}");
    }
}
