//! Questions and answers: the choice of the engine, growing managers, limits, reasons.

use ken_logic::belief::{Base, Reasoner, Store};
use ken_logic::check::reason::{Because, Reason};
use ken_logic::check::{Engine, EngineChoice, Limit, Memory};
use ken_logic::stop::Stop;
use ken_logic::{Answer, CheckError, Document, Explanation, Format, Limits, Options, Query, QueryKind};
use std::time::{Duration, Instant};

fn ask(text: &str, formula: &str, kind: QueryKind, choice: EngineChoice, limits: Limits) -> Result<Answer, CheckError> {
    let document = Document::read(text, Format::Ken).expect("a model");
    let query = Query { kind, ..document.query(formula).expect("a formula") };
    document.checker_with(Options { engine: choice, limits, ..Options::default() }).ask(query.listing(100).explained())
}

fn reason(answer: &Answer) -> Reason {
    answer.reason.as_ref().and_then(Explanation::world).expect("a reason").clone()
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
            let mut reason = reason(&answer);
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
        let Because::Path(steps, _) = reason(&answer).because else { panic!("a path") };
        let path: Vec<String> = steps.iter().map(|s| format!("{} {}", s.agents[0], s.world.name)).collect();
        assert_eq!(path, ["a {x = 1}", "b {x = 2}", "a {x = 3}", "b {x = 4}"], "{choice:?}");
    }
}

#[test]
fn an_update_says_which_worlds_it_removed() {
    let text = "agents a\nprops p, q\npoint p, q";
    for choice in [EngineChoice::Explicit, EngineChoice::Symbolic] {
        let answer = ask(text, "[announce (p | q)] K[a] p", QueryKind::Check, choice, Limits::default()).unwrap();
        let Because::Update { removed, before, after, .. } = reason(&answer).because else { panic!("an update") };
        assert_eq!((before, after), (4u8.into(), 3u8.into()));
        assert_eq!(removed.iter().map(|w| w.name.as_str()).collect::<Vec<_>>(), ["{}"], "{choice:?}");
    }
}

#[test]
fn an_action_that_cannot_happen_says_so() {
    let text = "agents a\nprops p\npoint";
    let answer = ask(text, "[announce p] false", QueryKind::Check, EngineChoice::Auto, Limits::default()).unwrap();
    assert!(answer.holds);
    assert!(matches!(reason(&answer).because, Because::CannotHappen(..)));
}

#[test]
fn the_symbolic_engine_keeps_the_names_of_worlds() {
    let text = "agents a\nprops p\nworlds w0 {p}, w1 {p}, w2 {}\nconfuse a: w0 w2\npoint w1";
    for choice in [EngineChoice::Explicit, EngineChoice::Symbolic] {
        let answer = ask(text, "K[a] p", QueryKind::Where, choice, Limits::default()).unwrap();
        assert_eq!(answer.names(), Some(vec!["w1"]), "{choice:?}");
    }
}

/// Begins some work that would last, and stops it.
fn ends_soon_after_it_is_stopped(what: &str, work: impl FnOnce() + Send + 'static) {
    let stop = Stop::new();
    let listening = stop.clone();
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(move || listening.during(work));
    let thread = thread.expect("a thread");
    std::thread::sleep(Duration::from_millis(400));
    assert!(!thread.is_finished(), "{what}: this is to last longer");
    stop.now();
    let asked = Instant::now();
    assert!(thread.join().expect("no panic").is_err(), "{what}: no result");
    assert!(asked.elapsed() < Duration::from_secs(20), "{what}: {:?}", asked.elapsed());
}

#[test]
fn a_check_is_interrupted_inside_a_formula_in_both_engines() {
    for choice in [EngineChoice::Explicit, EngineChoice::Symbolic] {
        ends_soon_after_it_is_stopped(&format!("{choice:?}"), move || {
            let found = ask(&queens(20), "K[a] q(1,1)", QueryKind::Check, choice, Limits::default());
            assert!(matches!(found, Err(CheckError::Limit(Limit::Stopped))), "{found:?}");
        });
    }
    ends_soon_after_it_is_stopped("an update", || {
        let text = "param n = 18\nagents a(i) for i in 1..n\nprops m(i) for i in 1..n\n\
                    observe a(i) sees m(j) for j in 1..n where j != i\n";
        let formula =
            "[announce (exists i in 1..n: m(i))] [announce !(exists i in 1..n: K[a(i)] m(i))]^(12) C[all] m(1)";
        let found = ask(text, formula, QueryKind::Count, EngineChoice::Explicit, Limits::default());
        assert!(matches!(found, Err(CheckError::Limit(Limit::Stopped))), "{found:?}");
    });
}

#[test]
fn a_question_about_time_is_interrupted_with_memory_and_without() {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/dining-protocol.ken");
    let protocol = std::fs::read_to_string(file).expect("a library model");
    let grid = queens(20).replace("law ", "initial ") + "actions a: stay, go\nnext q(1,1) := !q(1,1) if go\n";
    // Functions: a counter of forty bits, so that there are many small operations; a single large one is not interrupted.
    let counter = "param n = 40\nsystem recall none\nagents a\nprops b(i) for i in 1..n\nactions a: stay, go\n\
                   initial forall i in 1..n: !b(i)\n\
                   next b(i) := !b(i) if go & (forall j in 1..i-1: b(j)) for i in 1..n\n";
    let perfect = "K[diner(1)] K[diner(2)] paid(1)";
    let cases = [
        ("layers", protocol.clone(), perfect, Memory::Perfect, EngineChoice::Auto),
        ("moments", protocol, "AG C[all] !paid(1)", Memory::Perfect, EngineChoice::Auto),
        ("listed", grid, "AG K[a] q(1,1)", Memory::None, EngineChoice::Explicit),
        ("functions", counter.to_string(), "AG K[a] b(1)", Memory::None, EngineChoice::Symbolic),
    ];
    for (what, text, formula, memory, engine) in cases {
        ends_soon_after_it_is_stopped(what, move || {
            let set =
                if what == "layers" || what == "moments" { vec![("n".to_string(), 12.into())] } else { Vec::new() };
            let document = Document::read_with(&text, Format::Ken, &set).expect("a system");
            let query = document.query(formula).expect("a formula");
            let options = Options { memory: Some(memory), engine, ..Options::default() };
            let found = document.checker_with(options).ask(query.explained());
            assert!(matches!(found, Err(CheckError::Limit(Limit::Stopped))), "{what}: {found:?}");
        });
    }
}

#[test]
fn reasoning_about_beliefs_is_interrupted() {
    /// More pigeons than holes: hard for every solver of this kind.
    fn pigeons(store: &mut Store, n: usize) -> Base {
        let mut at = |p: usize, h: usize| store.parse_basic(&format!("at({p},{h})@0")).expect("an atom");
        let places: Vec<Vec<_>> = (0..=n).map(|p| (0..n).map(|h| at(p, h)).collect()).collect();
        let mut factual: Vec<_> = places.iter().map(|holes| store.or_all(holes.iter().copied())).collect();
        for (p, holes) in places.iter().enumerate() {
            for others in &places[..p] {
                for (&here, &there) in holes.iter().zip(others) {
                    let both = store.and(here, there);
                    factual.push(store.not(both));
                }
            }
        }
        Base { factual, ..Base::default() }
    }
    ends_soon_after_it_is_stopped("what follows", || {
        let mut store = Store::new();
        let mut reasoner = Reasoner::new();
        pigeons(&mut store, 12).factual.into_iter().for_each(|alpha| reasoner.add(alpha));
        let asked = store.parse("I[m] q@0").expect("a formula");
        reasoner.explain(&mut store, asked);
    });
    ends_soon_after_it_is_stopped("a revision", || {
        let mut store = Store::new();
        let base = pigeons(&mut store, 12);
        let input = store.parse_basic("q@0").expect("a formula");
        base.revise(&store, &[input]);
    });
}
