//! The workbench: texts in, verdicts, drawings and knowledge out.

use ken_server::api::{Inspection, Known, Problem, Why};
use ken_server::logic::*;
use std::path::Path;

fn checked(request: &LogicCheck) -> LogicChecked {
    let progress = Progress::default();
    check(request, &progress).expect("the request is taken");
    progress.found().clone()
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_string()).collect()
}

fn on_text(text: &str, formulas: &[&str]) -> LogicChecked {
    checked(&LogicCheck { text: text.to_string(), formulas: strings(formulas), ..LogicCheck::default() })
}

fn verdicts(found: &LogicChecked) -> Vec<&str> {
    found.answers.iter().map(|answer| answer.verdict.as_str()).collect()
}

fn model(name: &str) -> String {
    gallery().into_iter().find(|m| m.name == name).expect("a model of this name").text
}

/// The signs of a text between two places in UTF-16 units.
fn between(text: &str, from: usize, to: usize) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&units[from..to]).expect("whole signs")
}

/// Deep formulas need a deep stack.
fn deep<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(256 << 20).spawn(work).expect("a thread").join().expect("no panic")
}

const MUDDY: &str = "agents a, b, c\nprops ma, mb, mc\nobserve a sees mb, mc\nobserve b sees ma, mc\n\
    observe c sees ma, mb\nlet someone = ma | mb | mc\nlet nobody = !Kw[a] ma & !Kw[b] mb & !Kw[c] mc\npoint ma, mb\n";

#[test]
fn every_model_of_the_gallery_answers_as_it_expects() {
    deep(|| {
        let models = gallery();
        assert!(models.len() > 25, "{} models", models.len());
        for model in models {
            assert!(!model.title.is_empty(), "{} says what it is about", model.name);
            let found = on_text(&model.text, &[]);
            assert_eq!(found.problems, [], "{}", model.name);
            assert!(found.gave_up.is_none(), "{}: {:?}", model.name, found.gave_up);
            assert_eq!(found.model.expect("a description").what == "system", model.time, "{}", model.name);
            assert!(!found.answers.is_empty(), "{} asks something", model.name);
            for answer in found.answers {
                assert_eq!(answer.met, Some(true), "{}: {} {}", model.name, answer.verdict, answer.formula);
                let there = between(&model.text, answer.from.expect("a place"), answer.to.expect("a place"));
                assert!(there.contains(&answer.formula), "{}: `{there}` has `{}`", model.name, answer.formula);
            }
        }
    });
}

#[test]
fn every_small_model_of_the_gallery_is_drawn_and_inspected() {
    deep(|| {
        for GalleryModel { name, text, .. } in gallery() {
            let drawn = match draw(&LogicDraw { text: text.clone(), ..LogicDraw::default() }) {
                Ok(drawn) => drawn,
                Err(problem) => {
                    assert_eq!(problem.code, "too-large", "{name}: {}", problem.message);
                    continue;
                }
            };
            let Some(drawing) = drawn.drawing else {
                assert_eq!(drawn.problem.expect("a reason").code, "too-large");
                continue;
            };
            assert_eq!(drawing.worlds.len(), drawn.stages[0].worlds, "{name}");
            let [left, top, right, bottom] = drawing.edges[..] else { panic!("four edges") };
            for w in &drawing.worlds {
                assert!(w.x - w.width / 2.0 >= left && w.x + w.width / 2.0 <= right, "{name}");
                assert!(w.y - w.height / 2.0 >= top && w.y + w.height / 2.0 <= bottom, "{name}");
            }
            let at = drawing.worlds.first().map(|world| world.name.clone());
            let asked = LogicKnow { text: text.clone(), at: at.clone(), chain: vec![0], ..LogicKnow::default() };
            let inspection = know(&asked).unwrap_or_else(|p| panic!("{name}: {}", p.message));
            for row in inspection.rows.iter().take(12) {
                let (text, at, fact) = (text.clone(), at.clone(), row.fact.clone());
                let asked = LogicWhy { text, at, chain: vec![0], fact, ..LogicWhy::default() };
                let why = why(&asked).unwrap_or_else(|p| panic!("{name}: {}: {}", row.fact, p.message));
                assert_eq!(why.verdict, row.verdict, "{name}: {}", row.fact);
                assert_eq!(why.worlds.len(), if row.verdict == Known::Open { 2 } else { 0 });
                assert_eq!(why.proof.is_empty(), row.verdict == Known::Open, "{name}: {}", row.fact);
            }
        }
    });
}

#[test]
fn the_four_phrases_are_different() {
    let text = format!("{MUDDY}check someone\ncheck valid someone\ncheck valid someone | nobody\nwhere ma & mb & mc\n");
    let found = on_text(&text, &["ma", "mc", "K[a"]);
    let expected = [
        "holds here",
        "not valid in the model",
        "valid in the model",
        "satisfiable: in 1 of 8 worlds",
        "holds here",
        "does not hold here",
        "does not parse",
    ];
    assert_eq!(verdicts(&found), expected);
    assert_eq!(found.answers[4].from, None);
    assert!(!found.answers[1].why.is_empty(), "a world where it fails is told");
    assert_eq!(found.model.expect("a description").words, "8 worlds, 3 agents, 3 propositions");
}

#[test]
fn mistakes_are_marked_where_editors_count_them() {
    let text = "-- Ein Räuber 😀 im Wald\nagents alice\nprops p\ncheck K[alise] p\n";
    let found = on_text(text, &[]);
    assert!(found.model.is_none() && found.answers.is_empty());
    let mark = &found.problems[0];
    assert_eq!(between(text, mark.from, mark.to), "alise");
    assert_eq!(mark.help.as_deref(), Some("did you mean `alice`?"));
    // In a formula that is asked beside the text the place is one of the formula.
    let found = on_text("agents bär\nprops größe, p\n", &["K[bär] größe & q"]);
    let mark = &found.answers[0].problem.as_ref().expect("a problem").marks[0];
    assert_eq!(between("K[bär] größe & q", mark.from, mark.to), "q");
    let refused = draw(&LogicDraw { text: text.to_string(), ..LogicDraw::default() }).expect_err("it does not parse");
    assert_eq!(between(text, refused.marks[0].from, refused.marks[0].to), "alise");
}

#[test]
fn laws_without_a_world_and_impossible_points_are_marked() {
    let found = on_text("agents a\nprops p\nlaw p\nlaw !p\ncheck p\n", &[]);
    assert_eq!(found.problems.len(), 1, "{found:?}");
    assert!(found.problems[0].message.contains("no world"), "{}", found.problems[0].message);
    let found = on_text("agents a\nprops p, q\nlaw p\npoint q\ncheck p\n", &[]);
    assert!(found.problems[0].message.contains("point"), "{:?}", found.problems);
}

#[test]
fn temporal_formulas_of_a_model_without_time_are_refused_alone() {
    let found = on_text(MUDDY, &["AG ma", "ma"]);
    assert_eq!(verdicts(&found), ["parses, but cannot be asked here", "holds here"]);
}

fn after(announced: &[&str], formula: Option<&str>) -> Result<LogicDrawn, Problem> {
    let formula = formula.map(str::to_string);
    draw(&LogicDraw { text: MUDDY.to_string(), announced: strings(announced), formula, ..LogicDraw::default() })
}

#[test]
fn announcements_take_worlds_away_step_by_step() {
    let drawn = after(&["someone", "nobody"], Some("K[a] ma")).expect("both are true");
    let counts: Vec<(usize, usize)> = drawn.stages.iter().map(|s| (s.worlds, s.removed)).collect();
    assert_eq!(counts, [(8, 0), (7, 1), (4, 3)]);
    // Then a knows it wherever a is muddy: with b, with c, with both nobody can tell.
    assert_eq!(drawn.stages.iter().map(|s| s.holding).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    let drawing = drawn.drawing.expect("a drawing");
    assert_eq!((drawing.worlds.len(), drawing.links.len()), (8, 3));
    let gone = &drawn.stages[1].gone;
    let world = drawing.worlds.iter().find(|w| w.id == gone[0]).expect("it is drawn");
    assert_eq!((gone.len(), world.facts.len()), (1, 0), "nobody is muddy in the world that goes first");
    let mut all_gone = Vec::new();
    for (stage, links) in drawn.stages.iter().zip(&drawing.links) {
        all_gone.extend(stage.gone.clone());
        let alive = |link: &LogicLink| link.worlds.iter().all(|w| !all_gone.contains(w));
        assert!(links.iter().all(alive), "no line leads to a world that is gone");
    }
}

#[test]
fn what_is_false_cannot_be_announced() {
    let refused = after(&["someone", "ma & mc"], None).expect_err("c is not muddy");
    assert_eq!(refused.code, "untrue");
    assert!(refused.message.contains("ma & mc"), "{}", refused.message);
    assert_eq!(after(&["ma &"], None).expect_err("no formula").code, "unread");
}

#[test]
fn large_models_are_counted_and_drawn_once_they_are_small() {
    let text = "agents a\nprops p(i) for i in 1..9\nobserve a sees p(i) for i in 1..9\n".to_string();
    let drawn = draw(&LogicDraw { text: text.clone(), ..LogicDraw::default() }).expect("an answer");
    assert_eq!((drawn.stages[0].worlds, drawn.drawing.is_none()), (512, true));
    assert!(drawn.problem.expect("a reason").message.contains("512 worlds"));
    let announced = strings(&["p(1) & p(2) & p(3)", "p(4) & p(5) & p(6)"]);
    let drawn = draw(&LogicDraw { text, announced, ..LogicDraw::default() }).expect("an answer");
    let drawing = drawn.drawing.expect("64 worlds are drawn");
    assert_eq!((drawing.first, drawing.worlds.len(), drawing.links.len()), (1, 64, 2));
    let huge = "agents a\nprops p(i) for i in 1..60\n";
    let refused = draw(&LogicDraw { text: huge.to_string(), ..LogicDraw::default() }).expect_err("2^60 worlds");
    assert_eq!(refused.code, "too-large");
    assert_eq!(verdicts(&on_text(huge, &["p(1) | !p(1)"])), ["valid in the model"]);
}

fn inspect(announced: &[&str], chain: &[u8], filter: &str) -> Inspection {
    let (announced, filter) = (strings(announced), filter.to_string());
    let asked = LogicKnow { text: MUDDY.to_string(), announced, chain: chain.to_vec(), filter, ..LogicKnow::default() };
    know(&asked).expect("an inspection")
}

#[test]
fn the_inspector_tells_who_knows_what_and_who_knows_that() {
    let of = |found: &Inspection, fact: &str| found.rows.iter().find(|r| r.fact == fact).expect("a row").verdict;
    let found = inspect(&[], &[0], "");
    assert_eq!((found.words.as_str(), found.worlds.as_deref()), ("what a knows", Some("2")));
    assert_eq!(["ma", "mb", "mc"].map(|fact| of(&found, fact)), [Known::Open, Known::Known, Known::Excluded]);
    assert_eq!(found.rows.iter().find(|row| row.fact == "ma").and_then(|row| row.share), Some(0.5));
    let found = inspect(&[], &[0, 1], "");
    assert_eq!(found.words, "what a knows that b knows");
    assert_eq!(["ma", "mb", "mc"].map(|fact| of(&found, fact)), [Known::Open, Known::Open, Known::Excluded]);
    assert_eq!(inspect(&["someone", "nobody"], &[0], "K[b] mb").asked.expect("a formula").verdict, Known::Known);
    assert_eq!(inspect(&[], &[0], "mb").rows.len(), 1);
}

fn ask_why(announced: &[&str], fact: &str) -> Why {
    let (announced, fact) = (strings(announced), fact.to_string());
    let asked = LogicWhy { text: MUDDY.to_string(), announced, chain: vec![0], fact, ..LogicWhy::default() };
    why(&asked).expect("an answer")
}

#[test]
fn why_says_since_when_and_why_not_shows_two_worlds() {
    let known = ask_why(&["someone", "nobody"], "ma");
    assert_eq!((known.verdict, known.since), (Known::Known, Some(2)));
    assert_eq!(known.since_words.as_deref(), Some("announced: nobody"));
    let events: Vec<usize> = known.proof.iter().filter_map(|s| s.event).collect();
    assert_eq!(events, [1, 2], "{:?}", known.proof);
    assert_eq!(ask_why(&["someone"], "mb").since, Some(0));
    assert_eq!(ask_why(&[], "mc").verdict, Known::Excluded);
    let open = ask_why(&["someone"], "ma");
    assert_eq!((open.verdict, open.since), (Known::Open, None));
    for (world, value) in open.worlds.iter().zip(["true", "false"]) {
        let differs: Vec<_> = world.parts.iter().filter(|p| p.differs).collect();
        assert_eq!((differs.len(), differs[0].name.as_str(), differs[0].value.as_str()), (1, "ma", value));
    }
}

#[test]
fn own_formulas_are_asked_after_the_announcements() {
    let request = LogicCheck {
        text: MUDDY.to_string(),
        formulas: strings(&["K[a] ma"]),
        announced: strings(&["someone", "nobody"]),
        ..LogicCheck::default()
    };
    assert_eq!(verdicts(&checked(&request)), ["holds here"]);
    assert_eq!(verdicts(&on_text(MUDDY, &["K[a] ma"])), ["does not hold here"]);
}

#[test]
fn another_world_can_be_the_actual_one() {
    let (text, at) = (MUDDY.to_string(), Some("{mc}".to_string()));
    let formulas = strings(&["mc"]);
    let request = LogicCheck { text: text.clone(), formulas, at: at.clone(), ..LogicCheck::default() };
    assert_eq!(verdicts(&checked(&request)), ["holds here"]);
    let (announced, fact) = (strings(&["someone"]), "mc".to_string());
    let asked = LogicWhy { text: text.clone(), at, announced, chain: vec![2], fact, ..LogicWhy::default() };
    assert_eq!(why(&asked).expect("an answer").since, Some(1));
    let nowhere = LogicDraw { text, at: Some("somewhere".to_string()), ..LogicDraw::default() };
    assert_eq!(draw(&nowhere).expect_err("no such world").code, "no-such-world");
}

#[test]
fn a_counterexample_is_a_run_of_the_system() {
    let text = model("train-gate");
    let found = on_text(&text, &[]);
    let failing = found.answers.iter().find(|a| a.mark == "no" && !a.runs.is_empty()).expect("a counterexample");
    assert_eq!(failing.verdict, "does not hold at the start");
    let state = |facts: &[String]| facts.iter().map(|f| format!("({f})")).collect::<Vec<_>>().join(" & ");
    for run in found.answers.iter().flat_map(|a| &a.runs) {
        // The engine itself says that each step leads from the first state to the second.
        let steps: Vec<String> = run
            .states
            .windows(2)
            .map(|pair| format!("EF ({} & EX ({}))", state(&pair[0].facts), state(&pair[1].facts)))
            .collect();
        let asked: Vec<&str> = steps.iter().map(String::as_str).collect();
        let answers = on_text(&text, &asked).answers;
        for answer in answers.iter().filter(|a| a.from.is_none()) {
            assert_eq!(answer.mark, "yes", "{}: {:?}", answer.formula, answer.problem);
        }
        assert!(run.states[1..].iter().all(|state| state.action.is_some()));
        if let (Some(back), Some(last)) = (run.loops_to, run.states.last()) {
            assert_eq!(run.states[back].facts, last.facts, "a loop comes back");
        }
        for state in &run.states {
            assert_eq!(state.possible.len(), 3, "both trains and the controller");
            for possible in &state.possible {
                let there = possible.states.len() < possible.count || possible.states.contains(&state.name);
                assert!(there, "{} considers the actual state possible", possible.agent);
            }
        }
    }
}

#[test]
fn what_agents_consider_possible_follows_their_memory() {
    let text = model("card-recall");
    for recall in [LogicRecall::Perfect, LogicRecall::None, LogicRecall::Both] {
        let found = checked(&LogicCheck { text: text.clone(), recall: Some(recall), ..LogicCheck::default() });
        assert_eq!(found.problems, []);
        assert!(found.answers.iter().all(|a| a.mark != "gave-up"), "{recall:?}");
    }
    let found = on_text(&model("muddy-protocol"), &[]);
    let mut states = found.answers.iter().flat_map(|a| &a.runs).flat_map(|run| &run.states);
    assert!(states.all(|state| !state.possible.is_empty()), "also where protocols ask what is known");
}

const ISPL: &str = "Agent Environment
  Vars:
    light : boolean;
  end Vars
  Actions = {flip, keep};
  Protocol:
    Other : {flip, keep};
  end Protocol
  Evolution:
    light=true if light=false and Action=flip;
    light=false if light=true and Action=flip;
  end Evolution
end Agent
Agent Watcher
  Lobsvars = {light};
  Vars:
    seen : boolean;
  end Vars
  Actions = {look};
  Protocol:
    Other : {look};
  end Protocol
  Evolution:
    seen=true if Environment.Action=flip;
  end Evolution
end Agent
Evaluation
  lit if Environment.light=true;
  noticed if Watcher.seen=true;
end Evaluation
InitStates
  Environment.light=false and Watcher.seen=false;
end InitStates
Formulae
  AG (lit -> K(Watcher, lit));
  AG (noticed -> lit);
end Formulae
";

#[test]
fn an_ispl_text_is_recognised_and_checked() {
    let found = on_text(ISPL, &[]);
    assert_eq!((found.kind, &found.problems[..]), (LogicKind::Ispl, &[][..]));
    let marks: Vec<&str> = found.answers.iter().map(|a| a.mark.as_str()).collect();
    assert_eq!(marks, ["yes", "no"]);
    assert_eq!(found.answers[1].runs[0].states.len(), 3, "on, and off again");
    let broken = ISPL.replace("light : boolean", "light : bolean");
    assert!(!on_text(&broken, &[]).problems.is_empty());
}

/// The lamp with a condition that the light goes on again and again, other initial states and other formulas.
fn lamp(fair: &str, start: &str, formulas: &str) -> String {
    let fairness =
        format!("Groups\n  all = {{Environment, Watcher}};\nend Groups\nFairness\n  {fair};\nend Fairness\nFormulae");
    let text = ISPL.replace(
        "Formulae\n  AG (lit -> K(Watcher, lit));\n  AG (noticed -> lit);",
        &format!("Formulae\n  {formulas}"),
    );
    let text = text.replacen("Formulae", &fairness, 1);
    text.replace("Environment.light=false and Watcher.seen=false;", start)
}

fn notes(answer: &LogicAnswer) -> Vec<&str> {
    answer.why.iter().map(|sentence| sentence.text.as_str()).filter(|text| text.contains("fair")).collect()
}

#[test]
fn an_answer_about_strategies_says_that_fairness_is_ignored_and_no_other_does() {
    let found = on_text(&lamp("lit", "Environment.light=false;", "<all> F lit; AF lit;"), &[]);
    assert_eq!(found.problems, []);
    let told: Vec<_> = found.answers.iter().map(notes).collect();
    assert_eq!(told, [vec!["strategies are judged on all runs, fair or not"], vec![]]);
    assert_eq!(found.answers[1].mark, "yes", "on fair runs the light goes on");
    let unfair = on_text(&lamp("lit or !lit", "Environment.light=false;", "AF lit;"), &[]);
    assert_eq!(unfair.answers[0].mark, "no");
}

#[test]
fn initial_states_from_which_no_fair_run_starts_are_said_to_be_left_out() {
    // What was seen stays seen: where it is at first, it is never unseen.
    let told = |start: &str| {
        let found = on_text(&lamp("!noticed", start, "AG !noticed;"), &[]);
        assert_eq!((&found.problems[..], found.answers[0].mark.as_str()), (&[][..], "yes"), "{start}");
        notes(&found.answers[0]).into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(told("Watcher.seen=false;"), [""; 0]);
    assert_eq!(told("Environment.light=false;"), ["1 initial state does not count: no fair run starts there"]);
    assert_eq!(told("Watcher.seen=true;"), ["no fair run starts at any initial state: nothing is left to fail"]);
}

#[test]
fn a_formula_that_is_not_read_yet_refuses_itself_alone() {
    let text = ISPL.replace("  AG (noticed -> lit);", "  LTL G lit;\n  AG (noticed -> lit);");
    let found = on_text(&text, &["EF lit"]);
    assert_eq!(found.problems, []);
    let marks: Vec<&str> = found.answers.iter().map(|a| a.mark.as_str()).collect();
    assert_eq!(marks, ["yes", "unread", "no", "yes"], "in the order of the text");
    let refused = &found.answers[1];
    let problem = refused.problem.as_ref().expect("a problem");
    assert_eq!(problem.message, "LTL formulas are not supported");
    assert!(problem.help.as_ref().is_some_and(|help| help.contains("AF p")), "{problem:?}");
    assert!(between(&text, refused.from.unwrap(), refused.to.unwrap()).contains("LTL G lit"));
}

#[test]
fn an_smcdel_text_is_recognised_and_checked() {
    let text = "-- two bits\nVARS 1, 2\nLAW OR (1, 2)\nOBS anna: 1\n    ben: 2\nVALID? anna knows whether 1\n\
                VALID? ben knows whether 1\nWHERE? ben knows that 1\n";
    let found = on_text(text, &[]);
    assert_eq!((found.kind, &found.problems[..]), (LogicKind::Smcdel, &[][..]));
    assert_eq!(verdicts(&found), ["valid in the model", "not valid in the model", "satisfiable: in 1 of 3 worlds"]);
    let drawn = draw(&LogicDraw { text: text.to_string(), ..LogicDraw::default() }).expect("a drawing");
    assert_eq!(drawn.stages[0].worlds, 3);
}

#[test]
fn the_conformance_files_are_answered_as_their_own_tools_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    let Ok(expected) = std::fs::read_to_string(folder.join("expected.json")) else {
        eprintln!("SKIPPED: ../shared/conformance is not here, so files of other checkers were not asked");
        return;
    };
    deep(move || {
        let expected: serde_json::Value = serde_json::from_str(&expected).expect("JSON");
        let files =
            ["bit_transmission_protocol", "book_store", "card_games", "dining_cryptographers", "simple_card_game"];
        for name in files {
            let name = format!("ispl/{name}.ispl");
            let text = std::fs::read_to_string(folder.join(&name)).expect("the file");
            let found = on_text(&text, &[]);
            let wanted = expected[&name]["formulas"].as_array().expect("verdicts");
            let wanted: Vec<&str> = wanted.iter().map(|v| if *v == true { "yes" } else { "no" }).collect();
            let marks: Vec<&str> = found.answers.iter().map(|a| a.mark.as_str()).collect();
            assert_eq!(marks, wanted, "{name}: {:?} {:?}", found.problems, found.gave_up);
        }
        let text = std::fs::read_to_string(folder.join("smcdel/DiningCryptographers.smcdel.txt")).expect("the file");
        assert_eq!(verdicts(&on_text(&text, &[])), ["valid in the model"; 3]);
    });
}

#[test]
fn too_much_text_and_too_many_formulas_are_refused() {
    let request = LogicCheck { text: "-".repeat(MAX_TEXT + 1), ..LogicCheck::default() };
    assert_eq!(check(&request, &Progress::default()).expect_err("too long").code, "too-large");
    let formulas = vec!["ma".to_string(); MAX_FORMULAS + 1];
    let request = LogicCheck { text: MUDDY.to_string(), formulas, ..LogicCheck::default() };
    assert_eq!(check(&request, &Progress::default()).expect_err("too many").code, "too-large");
    assert_eq!(on_text(MUDDY, &[&"!".repeat(MAX_FORMULA + 1)]).answers[0].mark, "unread");
}

#[test]
fn a_model_beyond_the_limits_is_given_up_with_a_reason() {
    let found = on_text("belief\nagents a\nprops p(i) for i in 1..20\n", &["p(1)"]);
    assert_eq!(found.gave_up.as_ref().expect("a limit").code, "gave-up");
    assert_eq!(verdicts(&found), ["gave up at a limit"]);
}

#[test]
fn the_inspector_uses_the_memory_that_the_file_states_and_says_which() {
    let know = |recall: &str| {
        let text = format!(
            "system recall {recall}\nagents a\nprops lit\nactions a: flip, stay\ninitial !lit\n\
             next lit := !lit if flip\n"
        );
        let asked = LogicKnow { text, chain: vec![0], ..LogicKnow::default() };
        know(&asked).expect("an inspection")
    };
    let (perfect, none) = (know("perfect"), know("none"));
    // At the beginning it is dark. Who has no memory does not know that it is the beginning.
    assert_eq!((perfect.rows[0].verdict, perfect.worlds.as_deref()), (Known::Excluded, Some("1")));
    assert_eq!((none.rows[0].verdict, none.worlds.as_deref()), (Known::Open, Some("2")));
    assert!(perfect.note.expect("a note").starts_with("perfect recall"));
    assert!(none.note.expect("a note").starts_with("no memory"));
}
