//! The reader for SMCDEL's text format: what binds how, what every operator means, what is said about mistakes, and
//! agreement with SMCDEL's own verdicts where its example files are at hand.

use ken_logic::bdd::{self, Bdd, Capacity, OxiddBdd};
use ken_logic::check::explicit::Explicit;
use ken_logic::check::symbolic::{SymbolicChecker, plan};
use ken_logic::formula::F;
use ken_logic::model::enumerate::{Budget, enumerate};
use ken_logic::model::kripke::{Classes, Relation};
use ken_logic::model::law::Observation;
use ken_logic::model::{BitSet, Kripke, LawModel, Model};
use ken_logic::syntax::{Code, Source};
use ken_logic::{Document, Format, Limits, QueryKind};
use num_bigint::BigUint;
use proptest::prelude::*;
use serde_json::Value;
use std::path::Path;

const BUDGET: Budget = Budget { worlds: 100_000, steps: 10_000_000 };

fn read(text: &str) -> Document {
    Document::read(text, Format::Smcdel).unwrap_or_else(|problems| {
        let source = Source { name: "test", text };
        panic!("{}", problems.iter().map(|p| source.render(p)).collect::<String>())
    })
}

/// Questions about four free propositions and three agents.
fn asked(query: &str) -> String {
    format!("VARS 1,2,3,4 LAW Top OBS a: 1 b: 2 c: 3 {query}")
}

fn formula(text: &str) -> F {
    read(&asked(&format!("VALID? {text}"))).queries[0].formula.clone()
}

fn law(document: &Document) -> &LawModel {
    match &document.model {
        Model::Law(law) => law,
        Model::Kripke(_) => panic!("a model with laws"),
    }
}

fn worlds(document: &Document) -> Kripke {
    enumerate(law(document), BUDGET).unwrap().expect("few worlds")
}

fn holds(model: &Kripke, formula: &F) -> BitSet {
    Explicit::new(model.clone(), Limits::default()).check(formula).unwrap()
}

/// Each formula of SMCDEL with the same in our language.
fn reads_as(cases: &[(&str, &str)]) {
    let document = read(&asked(""));
    for (theirs, ours) in cases {
        let read = formula(theirs);
        assert_eq!(read.to_string(), *ours, "{theirs}");
        assert_eq!(document.formula(ours).unwrap(), read, "{theirs} does not read back");
    }
}

#[test]
fn operators_bind_as_in_smcdel() {
    reads_as(&[
        // `&` and `|` are equally strong and go to the left.
        ("1 & 2 | 3", "p1 & p2 | p3"),
        ("1 | 2 & 3", "(p1 | p2) & p3"),
        ("1 | 2 & 3 | 4", "(p1 | p2) & p3 | p4"),
        ("1 & 2 & 3 & 4", "p1 & p2 & p3 & p4"),
        // So are `->` and `iff`, more weakly.
        ("1 -> 2 -> 3", "(p1 -> p2) -> p3"),
        ("1 -> 2 iff 3", "p1 -> p2 <-> p3"),
        ("1 iff 2 -> 3", "(p1 <-> p2) -> p3"),
        ("1 | 2 -> 3 & 4", "p1 | p2 -> p3 & p4"),
        // Prefixes bind tightest.
        ("~1 & 2", "!p1 & p2"),
        ("~ a knows that 1 & 2", "!K[a] p1 & p2"),
        ("a knows that 1 -> 2", "K[a] p1 -> p2"),
        ("a knows that ~1 | 2", "K[a] !p1 | p2"),
        ("a knows whether (1) & 2", "Kw[a] p1 & p2"),
        ("a,b comknow that 1 | 2", "C[a,b] p1 | p2"),
        ("[!1] 2 & 3", "[announce p1] p2 & p3"),
        ("<!1> 2 -> 3", "<announce p1> p2 -> p3"),
        ("a knows that [!1] b knows that 2 & 3", "K[a] [announce p1] K[b] p2 & p3"),
        // But `K`, `Kw` and the quantifiers reach as far to the right as they can.
        ("K a 1 & 2 -> 3", "K[a] (p1 & p2 -> p3)"),
        ("Kw a 1 | 2", "Kw[a] (p1 | p2)"),
        ("~ K a 1 & 2", "!K[a] (p1 & p2)"),
        ("1 & K a 2 | 3", "p1 & K[a] (p2 | p3)"),
        ("(K a 1) & 2", "K[a] p1 & p2"),
        ("a knows that K b 1 & 2", "K[a] K[b] (p1 & p2)"),
        ("Exists 1 1 & 2 | 3", "p2 | p3"),
    ]);
}

#[test]
fn every_operator_has_its_counterpart() {
    reads_as(&[
        ("Top", "true"),
        ("Bot", "false"),
        ("003 & 4", "p3 & p4"),
        ("~1", "!p1"),
        ("¬1 ∧ 2 ∨ Not 3 → not 4", "!p1 & p2 | !p3 -> !p4"),
        ("AND (1, 2, 3)", "p1 & p2 & p3"),
        ("AND (1, (2 & 3), AND (4))", "p1 & p2 & p3 & p4"),
        ("OR (1, 2 | 3)", "p1 | (p2 | p3)"),
        ("XOR (1, 2, 3)", "xor(p1, p2, p3)"),
        ("ONEOF (1, 2, 3)", "oneof(p1, p2, p3)"),
        ("a knows that 1", "K[a] p1"),
        ("a knows\n   that 1", "K[a] p1"),
        ("a knows whether 1", "Kw[a] p1"),
        ("a knows whether (1, 2 & 3)", "Kw[a] p1 & Kw[a] (p2 & p3)"),
        ("a knows whether (b) comknow that 1", "Kw[a] C[b] p1"),
        ("K a 1", "K[a] p1"),
        ("Kw a 1", "Kw[a] p1"),
        ("a comknow that 1", "C[a] p1"),
        ("a, b comknow that 1", "C[a,b] p1"),
        ("(a,b,a) comknow that 1", "C[a,b] p1"),
        ("(a, b comknow that 1)", "C[a,b] p1"),
        ("AND (1, a, b comknow that 2)", "p1 & C[a,b] p2"),
        ("(a,b) comknow whether 1", "C[a,b] p1 | C[a,b] !p1"),
        ("a,b distknow that 1", "D[a,b] p1"),
        ("(a,b) distknow whether ~1", "D[a,b] !p1 | D[a,b] p1"),
        ("[!1] 2", "[announce p1] p2"),
        ("<!1> 2", "<announce p1> p2"),
        ("[?!1] 2", "[L[all] (L[all] ?p1 + L[all] ?!p1)] p2"),
        ("<?!1> 2", "<L[all] (L[all] ?p1 + L[all] ?!p1)> p2"),
        ("[a,b !1] 2", "[L[all] (!L[a,b] ?p1 + L[a,b] ?!p1)] p2"),
        ("<a !1> 2", "<L[all] (!L[a] ?p1 + L[a] ?!p1)> p2"),
        ("[a,b ?!1] 2", "[L[all] (L[a,b] ?p1 + L[a,b] ?!p1)] p2"),
        ("<a ?! 1 | 2> 3", "<L[all] (L[a] ?(p1 | p2) + L[a] ?!(p1 | p2))> p3"),
        ("Forall 1,2 (1 | 2 | 3)", "p3"),
        ("Exists 2 (2 iff 3)", "p3 | !p3"),
        ("ForAll 1 1 -> 2", "p2"),
        ("Forall 1 2 & (1 | ~1)", "p2"),
        ("Forall 4 (1 -> 2)", "p1 -> p2"),
    ]);
}

#[test]
fn a_file_becomes_a_model_with_questions() {
    let text = "-- Two lamps and a sensor.\n\
                VARS 1, 2, -- lamps\n     10\n\
                LAW AND ( 10 iff (1|2), ~(1 & 2) ) & Top\n\
                OBS ann: 1,10,1\n    bob : 2\n\
                TRUE? { 1,10 }   ann knows   that -- at least\n   (10)\n\
                TRUE? {} ~1\n\
                VALID? bob knows whether 2 WHERE? 10";
    let document = read(text);
    let model = law(&document);
    assert_eq!(model.props.iter().map(|p| &**p).collect::<Vec<_>>(), ["p1", "p2", "p10"]);
    assert_eq!(model.agents.iter().map(|a| &**a).collect::<Vec<_>>(), ["ann", "bob"]);
    let seen: Vec<Vec<String>> = model
        .observes
        .iter()
        .map(|all| {
            all.iter()
                .map(|o| match o {
                    Observation::Formula(f) => f.to_string(),
                    Observation::Term(_) => panic!("no terms here"),
                })
                .collect()
        })
        .collect();
    assert_eq!(seen, [vec!["p1", "p10"], vec!["p2"]]);
    let source = |span: ken_logic::syntax::Span| &text[span.start as usize..span.end as usize];
    let laws: Vec<(String, &str)> = model.laws.iter().map(|l| (l.formula.to_string(), source(l.span))).collect();
    assert_eq!(laws, [("p10 <-> p1 | p2".to_string(), "10 iff (1|2)"), ("!(p1 & p2)".to_string(), "~(1 & 2)")]);
    assert!(model.points.is_empty() && model.vars.is_empty() && !model.belief);

    let kinds: Vec<QueryKind> = document.queries.iter().map(|q| q.kind).collect();
    assert_eq!(kinds, [QueryKind::Check, QueryKind::Check, QueryKind::Valid, QueryKind::Where]);
    let texts: Vec<&str> = document.queries.iter().map(|q| q.text.as_str()).collect();
    assert_eq!(texts, ["ann knows that (10)", "~1", "bob knows whether 2", "10"]);
    let labels: Vec<Option<String>> =
        document.queries.iter().map(|q| q.at.as_ref().and_then(|at| at.label())).collect();
    assert_eq!(labels, [Some("{p1, p10}".to_string()), Some("{}".to_string()), None, None]);
    assert!(document.queries.iter().all(|q| q.expected.is_none()));
    assert_eq!(source(document.queries[1].span), "TRUE? {} ~1");
    assert_eq!(source(document.queries[2].span), "VALID? bob knows whether 2");
    assert_eq!(document.formula("K[ann] p10").unwrap().to_string(), "K[ann] p10");
    assert!(document.formula("p3").is_err());
    assert!(read("VARS 1 LAW Top OBS a: 1").queries.is_empty());
}

/// The model in which these agents tell worlds with the formula from worlds without it.
fn told_whether(model: &Kripke, agents: &[usize], yes: &BitSet) -> Kripke {
    let mut told = model.clone();
    for &agent in agents {
        let Relation::Classes(classes) = model.relation(agent) else { panic!("an S5 model") };
        let classes = Classes::by_key((0..model.size()).map(|w| (classes.of[w], yes.contains(w))));
        told.set_relation(agent, Relation::Classes(classes));
    }
    told
}

#[test]
fn announcements_to_groups_are_those_of_smcdel() {
    let model = worlds(&read("VARS 1,2,3,4 LAW OR (1,2,3) OBS a: 1,2 b: 2,3 c: 3"));
    let groups: [(&str, &[usize]); 4] = [("", &[0, 1, 2]), ("a", &[0]), ("a,c", &[0, 2]), ("c,b,a", &[0, 1, 2])];
    let said = ["1", "1 & 3", "a knows whether 3", "~ c knows that 2", "Top"];
    let then = [
        "a knows whether 3",
        "~ c knows that 1",
        "b knows that (a knows whether (1 & 3))",
        "c knows that (~ a knows that 3)",
        "a,b comknow whether 1",
        "(a,b,c) comknow that (a knows whether 3)",
        "b,c distknow whether 1",
        "[b ?! 4] (c knows that (b knows whether 4))",
        "<!1> a knows that 1",
    ];
    for (names, agents) in groups {
        for said in said {
            let yes = holds(&model, &formula(said));
            let no = yes.clone().complement();
            let told = told_whether(&model, agents, &yes);
            for then in then {
                let after = holds(&told, &formula(then));
                let ask = |text: String| holds(&model, &formula(&text));
                assert_eq!(ask(format!("[{names} ?! {said}] {then}")), after, "[{names} ?!{said}] {then}");
                assert_eq!(ask(format!("<{names} ?! {said}> {then}")), after, "<{names} ?!{said}> {then}");
                let mut unless = after.clone();
                unless.unite(&no);
                assert_eq!(ask(format!("[{names} ! {said}] {then}")), unless, "[{names} !{said}] {then}");
                let mut both = after;
                both.intersect(&yes);
                assert_eq!(ask(format!("<{names} ! {said}> {then}")), both, "<{names} !{said}> {then}");
            }
        }
    }
}

#[test]
fn a_long_sequence_of_announcements_stays_small() {
    let turns: String = (0..100).map(|i| format!("[?! {} & a knows whether {}] ", i % 4 + 1, i % 3 + 1)).collect();
    let formula = formula(&format!("{turns} Top"));
    assert!(formula.size() < 2000, "{}", formula.size());
    let model = worlds(&read(&asked("")));
    assert!(holds(&model, &formula).is_full());
}

/// Boolean formulas as text.
fn boolean() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![4 => (1..5u8).prop_map(|n| n.to_string()), 1 => Just("Top".into()), 1 => Just("Bot".into())];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..4).prop_map(|parts: Vec<String>| parts.join(", "));
        prop_oneof![
            inner.clone().prop_map(|f| format!("~{f}")),
            (inner.clone(), prop::sample::select(vec!["&", "|", "->", "iff"]), inner)
                .prop_map(|(f, op, g)| format!("({f} {op} {g})")),
            (prop::sample::select(vec!["AND", "OR", "XOR", "ONEOF"]), list)
                .prop_map(|(word, all)| format!("{word} ({all})")),
        ]
    })
}

proptest! {
    #[test]
    fn quantifiers_put_both_values(body in boolean(), props in prop::collection::vec(1..5usize, 1..4)) {
        let model = worlds(&read(&asked("")));
        let list = props.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let there = holds(&model, &formula(&body));
        // The worlds that differ at most in the quantified propositions.
        let alike = |w: usize, v: usize| {
            (1..5).all(|p| props.contains(&p) || {
                let column = model.column(&format!("p{p}")).unwrap();
                column.contains(w) == column.contains(v)
            })
        };
        let size = model.size();
        let all = BitSet::from_fn(size, |w| (0..size).all(|v| !alike(w, v) || there.contains(v)));
        let some = BitSet::from_fn(size, |w| (0..size).any(|v| alike(w, v) && there.contains(v)));
        prop_assert_eq!(holds(&model, &formula(&format!("Forall {list} {body}"))), all);
        prop_assert_eq!(holds(&model, &formula(&format!("Exists {list} {body}"))), some);
    }

    #[test]
    fn no_text_makes_the_reader_panic(words in prop::collection::vec(prop::sample::select(vec![
        "VARS", "LAW", "OBS", "TRUE?", "VALID?", "WHERE?", "VALID", "1", "2", "3", "99999999999999999999", "a", "b", "knows",
        "knows that", "comknow whether", "distknow that", "K", "Kw", "Forall", "Exists", "AND", "ONEOF", "(", ")", "[", "]",
        "{", "}", "<", ">", "!", "?", "~", "&", "|", "->", "iff", ",", ":", "-", "--\n", "é", "VARS 1,2 LAW Top OBS a: 1 b: 2",
    ]), 0..40), glue in prop::sample::select(vec!["", " ", "\n"])) {
        let text = words.join(glue);
        if let Err(problems) = Document::read(&text, Format::Smcdel) {
            prop_assert!(!problems.is_empty());
            for problem in problems {
                prop_assert!(problem.span.start <= problem.span.end && problem.span.end as usize <= text.len());
                Source { name: "soup", text: &text }.render(&problem);
            }
        }
    }
}

/// The problems of a text: code, marked source, message.
fn problems(text: &str) -> Vec<(Code, &str, String)> {
    let problems = Document::read(text, Format::Smcdel).expect_err(text);
    let marked = |p: &ken_logic::syntax::Diagnostic| &text[p.span.start as usize..p.span.end as usize];
    problems.iter().map(|p| (p.code, marked(p), p.message.clone())).collect()
}

fn assert_problems(text: &str, expected: &[(Code, &str, &str)]) {
    let found = problems(text);
    let found: Vec<(Code, &str, &str)> = found.iter().map(|(c, s, m)| (*c, *s, m.as_str())).collect();
    assert_eq!(found, expected, "{text}");
}

fn help(text: &str) -> String {
    let problems = Document::read(text, Format::Smcdel).expect_err(text);
    problems[0].help.clone().unwrap_or_default()
}

#[test]
fn all_problems_of_a_file_are_found_at_once() {
    assert_problems(
        "VARS 1,2,1\nLAW 1 | 5\nOBS alice: 1,6\n    bob: 2\n    alice: 2\nTRUE? {1,7} alise knows that 1\nVALID? 1 &\n\
         WHERE? bob knows that (1 | 8 | 8)\nVALID? (1\n",
        &[
            (Code::Duplicate, "1", "proposition `1` is declared twice"),
            (Code::UnknownName, "5", "unknown proposition `5`"),
            (Code::UnknownName, "6", "unknown proposition `6`"),
            (Code::Duplicate, "alice", "agent `alice` is given twice"),
            (Code::UnknownName, "7", "unknown proposition `7`"),
            (Code::UnknownAgent, "alise", "unknown agent `alise`"),
            (Code::Syntax, "WHERE?", "expected a formula"),
            (Code::UnknownName, "8", "unknown proposition `8`"),
            (Code::Syntax, "", "expected an operator or `)`"),
        ],
    );
}

#[test]
fn a_problem_is_shown_with_its_place_and_help() {
    let text = "VARS 1,2\nLAW Top\nOBS alice: 1\n    bob: 2\nVALID? alise knows that 1\n";
    let problems = Document::read(text, Format::Smcdel).unwrap_err();
    let shown: String = problems.iter().map(|p| Source { name: "lamps.smcdel", text }.render(p)).collect();
    assert_eq!(
        shown,
        "error[E07]: unknown agent `alise`\n  lamps.smcdel:5:8\n    5 │ VALID? alise knows that 1\n      │        ^^^^^ \
         observes nothing in `OBS`\n  help: did you mean `alice`?\n"
    );
}

#[test]
fn sections_that_are_missing_repeated_or_misplaced_are_named() {
    assert_problems("", &[(Code::Missing, "", "`VARS`, `LAW`, `OBS` are missing")]);
    assert_problems("VARS 1 LAW 1 VALID? 1", &[(Code::Missing, "", "`OBS` is missing")]);
    // Without `VARS` or `OBS` no name can be unknown: the one problem is that.
    assert_problems(
        "LAW 1 OBS a: 1 VALID? b knows that 2",
        &[(Code::UnknownAgent, "b", "unknown agent `b`"), (Code::Missing, "", "`VARS` is missing")],
    );
    assert_problems("VARS 1 LAW 1 VALID? b knows that 1", &[(Code::Missing, "", "`OBS` is missing")]);
    assert_problems("VARS 1 LAW Top VARS 2 OBS a: 2", &[(Code::Duplicate, "VARS", "a second `VARS`")]);
    assert_problems("VARS 1 OBS a: 1 LAW Top", &[(Code::Syntax, "LAW", "`LAW` comes too late")]);
    assert_problems("hello VARS 1 LAW Top OBS a: 1", &[(Code::Syntax, "hello", "expected `VARS`")]);
    assert_eq!(help("vars 1 LAW Top OBS a: 1"), "did you mean `VARS`?");
}

#[test]
fn mistakes_in_declarations_are_explained() {
    assert_problems("VARS 1 2 LAW 2 OBS a: 2", &[(Code::Syntax, "2", "expected `,` or `LAW`")]);
    assert_problems("VARS LAW 2 OBS a: 2", &[(Code::Syntax, "LAW", "expected a proposition: a number")]);
    assert_problems(
        "VARS 1,99999999999999999999 LAW 1 OBS a: 1",
        &[(Code::Number, "99999999999999999999", "this number is too large")],
    );
    assert_problems(
        "VARS 1 LAW Top OBS VALID? 1",
        &[(Code::Syntax, "VALID?", "expected an agent and what it observes, as in `alice: 1,2`")],
    );
    assert_problems(
        "VARS 1 LAW Top OBS a: b: 1 c 1 d: 9 VALID? e knows that 1",
        &[
            (Code::Syntax, "b", "expected a proposition that `a` observes"),
            (Code::Syntax, "1", "expected `:` after the agent"),
            (Code::UnknownName, "9", "unknown proposition `9`"),
        ],
    );
    assert_problems(
        "VARS 1 LAW Top OBS a: 1) b: 1",
        &[(Code::Syntax, ")", "expected `,`, another agent or a question")],
    );
    assert_problems("VARS 1 LAW Top OBS a_b: 1", &[(Code::Character, "a_b", "`a_b` cannot be a name here")]);
    assert_eq!(help("VARS 1 LAW Top OBS a: 1 VALID 1"), "a question is asked with `VALID?`");
    assert_eq!(help("VARS 1,2 LAW 3 OBS a: 1"), "`VARS` declares 1, 2");
}

#[test]
fn mistakes_in_formulas_are_explained() {
    let cases = [
        ("1 2", Code::Syntax, "2", "expected an operator or the next question"),
        ("1 &", Code::Syntax, "", "expected a formula"),
        ("AND 1", Code::Syntax, "1", "expected `(` and a list of formulas"),
        ("AND ()", Code::Syntax, ")", "expected a formula"),
        ("AND (1, 2", Code::Syntax, "", "expected an operator, `,` or `)`"),
        ("foo", Code::Syntax, "foo", "expected a formula"),
        ("a 1", Code::Syntax, "1", "expected `knows that`, `comknow that`, `distknow that` or one with `whether`"),
        ("a,b knows that 1", Code::Syntax, "knows that", "`knows` takes one agent, without parentheses"),
        ("(a) knows that 1", Code::Syntax, "knows that", "`knows` takes one agent, without parentheses"),
        ("K 1 2", Code::Syntax, "1", "expected an agent"),
        ("[1] 2", Code::Syntax, "1", "expected `!` or `?!` and what is announced"),
        ("[?1] 2", Code::Syntax, "1", "expected `!` after `?`"),
        ("[!1> 2", Code::Syntax, ">", "expected an operator or `]`"),
        ("<!1] 2", Code::Syntax, "]", "expected an operator or `>`"),
        ("Forall 9 1", Code::UnknownName, "9", "unknown proposition `9`"),
        ("[d !1] 2", Code::UnknownAgent, "d", "unknown agent `d`"),
        ("(a,d) comknow that 2", Code::UnknownAgent, "d", "unknown agent `d`"),
        ("K d 2", Code::UnknownAgent, "d", "unknown agent `d`"),
        ("1 = 2", Code::Character, "=", "the character `=` is not used here"),
        ("Exists 1 (1 & a knows that 2)", Code::Objective, "knows that", "a quantifier speaks of facts only"),
        ("Exists 1 [!1] 2", Code::Objective, "[!1]", "a quantifier speaks of facts only"),
    ];
    for (text, code, marked, message) in cases {
        let text = asked(&format!("VALID? {text}"));
        let found = problems(&text);
        assert_eq!((found[0].0, found[0].1, found[0].2.as_str()), (code, marked, message), "{text}");
    }
    let hints = [
        ("1 <-> 2", "an equivalence is written `iff`"),
        ("AND (<-> 2)", "an equivalence is written `iff`"),
        ("true", "truth is written `Top`"),
        ("and (1,2)", "did you mean `AND`?"),
        ("a knows 1", "write `knows that` or `knows whether`"),
        ("a,b knows that 1", "for a group write `comknow` (common knowledge) or `distknow` (distributed knowledge)"),
        ("1 - 2", "a comment starts with `--`, an implication is `->`"),
    ];
    for (text, hint) in hints {
        assert_eq!(help(&asked(&format!("VALID? {text}"))), hint, "{text}");
    }
    assert_problems("VARS 1 LAW AND (1, K a 1) OBS a: 1", &[(Code::Objective, "K", "a law speaks of facts only")]);
}

#[test]
fn a_state_against_the_law_is_no_world() {
    let text = "VARS 1,2 LAW AND (1 | 2, ~(1 & 2)) OBS a: 1 TRUE? {1} 1 TRUE? {1,2} 1 TRUE? {} 1";
    assert_problems(
        text,
        &[
            (Code::Point, "{1,2}", "this state is not a world of the model"),
            (Code::Point, "{}", "this state is not a world of the model"),
        ],
    );
    assert_eq!(help(text), "by law: `~(1 & 2)`");
}

#[test]
fn nesting_and_expansion_have_limits() {
    let first = |text: String| problems(&asked(&format!("VALID? {text}")))[0].0;
    assert_eq!(first(format!("{}1", "~".repeat(300))), Code::Depth);
    assert_eq!(first(format!("{}1{}", "(".repeat(300), ")".repeat(300))), Code::Depth);
    assert_eq!(first(format!("{}1", "K a ".repeat(300))), Code::Depth);
    assert_eq!(first(format!("{}1", "[!1] ".repeat(300))), Code::Depth);
    // These nest to the left without any parenthesis.
    assert_eq!(first(format!("1{}", " -> 1".repeat(300))), Code::Depth);
    assert_eq!(first(format!("1{}", " & 1 | 1".repeat(300))), Code::Depth);
    assert_eq!(first(format!("1{}", " -> 1".repeat(100_000))), Code::Depth);
    // A run of one operator does not nest.
    assert_eq!(formula(&format!("1{}", " & 2".repeat(5000))).children().len(), 5001);
    formula(&format!("{}1", "~".repeat(250)));
    // What is repeated when written out would grow without end.
    assert_eq!(first(format!("{}1", "a,b comknow whether ".repeat(60))), Code::Large);
    let mut nested = "1".to_string();
    for _ in 0..60 {
        nested = format!("[?! {nested}] 1");
    }
    assert_eq!(first(nested), Code::Large);
    let numbers = |range: std::ops::Range<usize>, by: &str| range.map(|n| n.to_string()).collect::<Vec<_>>().join(by);
    let pairs = (0..40).map(|n| format!("({n} iff {})", n + 40)).collect::<Vec<_>>().join(", ");
    let half = numbers(0..40, ",");
    let text =
        format!("VARS {} LAW Top OBS a: 1 VALID? Exists {half} XOR ({pairs}, OR ({pairs}))", numbers(0..80, ","));
    assert_eq!(problems(&text)[0].0, Code::Large);
    // But what simplifies may quantify over a lot.
    let many = numbers(0..2000, ",");
    let text = format!("VARS {many} LAW Exists {many} OR ({many}) OBS a: 1 VALID? Forall {many} OR ({many})");
    let document = read(&text);
    assert!(law(&document).laws.is_empty());
    assert_eq!(document.queries[0].formula.to_string(), "false");
}

/// How many worlds satisfy each formula, by the symbolic engine.
fn counts_by_symbolic(model: &Model, formulas: &[F]) -> Vec<BigUint> {
    let order = plan(model, formulas).unwrap();
    let manager = OxiddBdd::new(order.len(), Capacity::new(1 << 16, 1 << 14));
    let mut checker = SymbolicChecker::new(manager, model, &order).expect("room for the model");
    let mut counts = Vec::new();
    for formula in formulas {
        let f = checker.check(formula).expect("room for the formula");
        let structure = checker.structure(0);
        let there = checker.bdd().and(&structure.law, &f).unwrap();
        counts.push(bdd::count(checker.bdd(), &there, &structure.frame.vars));
    }
    counts
}

/// Checks every question of a document by both engines: the worlds at which each formula holds.
fn answers(document: &Document) -> (Kripke, Vec<BitSet>) {
    let model = worlds(document);
    let formulas: Vec<F> = document.queries.iter().map(|q| q.formula.clone()).collect();
    let mut explicit = Explicit::new(model.clone(), Limits::default());
    let sets: Vec<BitSet> = formulas.iter().map(|f| explicit.check(f).unwrap()).collect();
    let counts: Vec<BigUint> = sets.iter().map(|s| BigUint::from(s.count())).collect();
    assert_eq!(counts_by_symbolic(&document.model, &formulas), counts, "the engines disagree");
    (model, sets)
}

#[test]
fn questions_are_answered() {
    let document = read(
        "-- Two children, at least one muddy; each sees the other.\n\
         VARS 1,2 LAW Top OBS ann: 2 ben: 1\n\
         TRUE? {1,2} [!(1|2)] ~ ann knows whether 1\n\
         VALID? [!(1|2)] [!(~ ann knows whether 1 & ~ ben knows whether 2)] (ann,ben) comknow that (1 & 2)\n\
         WHERE? <!(1|2)> ann knows whether 1\n\
         WHERE? <ben !2> ann knows that (ben knows whether 2)\n\
         VALID? (ann,ben) distknow whether 1 & (ann,ben) distknow whether 2\n\
         VALID? ann knows whether 1",
    );
    let (model, sets) = answers(&document);
    let at = document.queries[0].at.as_ref().unwrap().world(&model).unwrap();
    assert!(sets[0].contains(at));
    assert!(sets[1].is_full() && sets[4].is_full() && sets[5].is_empty());
    let there = |set: &BitSet| set.iter().map(|w| model.facts(w).label()).collect::<Vec<_>>();
    assert_eq!(there(&sets[2]), ["{p1}"]);
    assert_eq!(there(&sets[3]), ["{p2}", "{p1, p2}"]);
}

#[test]
fn verdicts_agree_with_smcdel() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    let Ok(expected) = std::fs::read_to_string(folder.join("expected.json")) else {
        eprintln!("skipped: SMCDEL's example files are not at {}", folder.display());
        return;
    };
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let mut files = 0;
    for (file, verdicts) in expected.as_object().unwrap() {
        let Some(verdicts) = verdicts.as_array().filter(|_| file.starts_with("smcdel/")) else { continue };
        let document = read(&std::fs::read_to_string(folder.join(file)).unwrap());
        let (model, sets) = answers(&document);
        assert_eq!(document.queries.len(), verdicts.len(), "{file}");
        for ((query, set), verdict) in document.queries.iter().zip(&sets).zip(verdicts) {
            let place = format!("{file}: {}", query.text);
            match (query.kind, verdict) {
                (QueryKind::Valid, Value::Bool(valid)) => assert_eq!(set.is_full(), *valid, "{place}"),
                (QueryKind::Check, Value::Bool(holds)) => {
                    let at = query.at.as_ref().and_then(|at| at.world(&model)).unwrap();
                    assert_eq!(set.contains(at), *holds, "{place}");
                }
                (QueryKind::Where, verdict) => match &verdict["where"] {
                    Value::Number(count) => assert_eq!(Some(set.count() as u64), count.as_u64(), "{place}"),
                    Value::Array(states) => {
                        let name = |n: &Value| format!("p{}", n.as_u64().unwrap());
                        let mut wanted: Vec<Vec<String>> =
                            states.iter().map(|s| s.as_array().unwrap().iter().map(name).collect()).collect();
                        let mut found: Vec<Vec<String>> =
                            set.iter().map(|w| model.facts(w).props.iter().map(|p| p.to_string()).collect()).collect();
                        wanted.iter_mut().chain(&mut found).for_each(|facts| facts.sort());
                        wanted.sort();
                        found.sort();
                        assert_eq!(found, wanted, "{place}");
                    }
                    other => panic!("{place}: an expectation of another kind: {other}"),
                },
                (_, other) => panic!("{place}: an expectation of another kind: {other}"),
            }
        }
        files += 1;
    }
    assert!(files >= 2, "only {files} files");
}
