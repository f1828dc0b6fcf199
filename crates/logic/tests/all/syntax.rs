//! Texts: what they mean, how they print, and what is said when they are wrong.

use ken_logic::formula::{Formula, Name};
use ken_logic::model::Model;
use ken_logic::syntax::{Code, Diagnostic, Scope, Source, format};
use ken_logic::{Document, Format};

fn free() -> Scope {
    let agents: Vec<Name> = ["a", "b", "c"].into_iter().map(Name::from).collect();
    Scope::free(&agents)
}

fn problems(text: &str) -> Vec<Diagnostic> {
    Document::read(text, Format::Ken).expect_err("the text is wrong")
}

fn codes(text: &str) -> Vec<Code> {
    problems(text).iter().map(|p| p.code).collect()
}

fn shown(text: &str) -> String {
    let source = Source { name: "m.ken", text };
    problems(text).iter().map(|p| source.render(p)).collect::<Vec<_>>().join("\n")
}

/// Each pair reads as the same formula.
#[test]
fn operators_bind_as_the_grammar_says() {
    let scope = free();
    for (short, long) in [
        ("K[a] p & q", "(K[a] p) & q"),
        ("!p & q | r -> s <-> t", "(((((!p) & q) | r) -> s) <-> t)"),
        ("p -> q -> r", "p -> (q -> r)"),
        ("-2^2 = x", "-4 = x"),
        ("!x = 3", "!(x = 3)"),
        ("K[a] x < 3 & p", "(K[a] (x < 3)) & p"),
        ("[?p + ?q ; ?r] s", "[?p + (?q ; ?r)] s"),
        ("[?p ; ?q && ?r] s", "[?p ; (?q && ?r)] s"),
        ("[announce p] q & r", "([announce p] q) & r"),
        ("<?K[a] p + ?q> r", "<(?(K[a] p)) + ?q> r"),
        ("AG{x ; y + z*} p & q", "(AG{(x ; y) + (z*)} p) & q"),
        ("A(p & q U r | s)", "A((p & q) U (r | s))"),
        ("1 < x < y", "1 < x & x < y"),
        ("¬p ∧ q → ⊤", "!p & q -> true"),
        ("[announce p]^(2) q", "[announce p] [announce p] q"),
        ("forall i in 1..2: p(i) & q", "(p(1) & q) & (p(2) & q)"),
        ("exists i in {u, v} where i != u: p(i)", "p(v)"),
        ("Kw[a] p", "Kw[a] (p)"),
        ("[L[a,b,c] (!L[a] ?p + ?q)] r", "[L[a,b,c] ((!(L[a] (?p))) + (?q))] r"),
    ] {
        let (one, two) = (scope.formula(short).unwrap(), scope.formula(long).unwrap());
        assert_eq!(one, two, "{short}  versus  {long}: {one} and {two}");
        assert_eq!(scope.formula(&one.to_string()).unwrap(), one, "{short} does not round-trip: {one}");
    }
}

#[test]
fn a_comparison_in_a_diamond_stands_in_parentheses() {
    let scope = free();
    let formula = scope.formula("<?(x > 3)> p").unwrap();
    assert_eq!(scope.formula(&formula.to_string()).unwrap(), formula);
    // Outside parentheses the first `>` closes the modality.
    assert_eq!(scope.formula("<?x > 3> p").unwrap(), scope.formula("<?x> (3 > p)").unwrap());
}

#[test]
fn formulas_know_their_size_and_depth() {
    let formula = free().formula("K[a] (p & K[b] q) | [announce K[c] r] s").unwrap();
    assert_eq!(formula.knowledge_depth(), 2);
    assert_eq!(formula.size(), 10);
    assert!(!formula.is_temporal());
    assert!(free().formula("EF{x} K[a] p").unwrap().is_temporal());
    assert_eq!(*free().formula("x + 1 = 3").unwrap().to_string(), *"x + 1 = 3");
}

#[test]
fn an_unknown_agent_is_shown_with_its_place_and_a_suggestion() {
    assert_eq!(
        shown("agents alice, bob\nprops p\ncheck K[alise] p"),
        "error[E07]: unknown agent `alise`\n  m.ken:3:9\n    3 │ check K[alise] p\n      │         ^^^^^ not declared in \
         `agents`\n  help: did you mean `alice`?\n"
    );
}

#[test]
fn all_problems_of_a_file_are_reported_at_once() {
    let text = "agents a\nprops p\nlaw q\ncheck K[b] p\ncheck p(1)\nlet f = f\ncheck f";
    let found = codes(text);
    for wanted in [Code::UnknownName, Code::UnknownAgent, Code::Index, Code::Cycle] {
        assert!(found.contains(&wanted), "{wanted:?} is missing from {found:?}");
    }
}

#[test]
fn broken_syntax_in_one_statement_does_not_hide_the_next() {
    let found = problems("agents a\nprops p,\ncheck K[a p\ncheck (p\ncheck p\nchekc p");
    assert!(found.len() >= 3, "{found:?}");
    assert!(found.iter().any(|p| p.help.as_deref() == Some("did you mean `check`?")), "{found:?}");
}

#[test]
fn every_kind_of_wrong_input_has_its_code() {
    for (code, text) in [
        (Code::Character, "agents a\nprops p\ncheck p $ p"),
        (Code::Syntax, "agents a\nprops p\ncheck p &"),
        (Code::Reserved, "agents a\nprops announce"),
        (Code::Index, "agents a\nprops p(i) for i in 1..2\ncheck p(3)"),
        (Code::Index, "agents a\nprops p(i) for i in 1..2\ncheck p"),
        (Code::Index, "agents a\nprops p\nlet f(x) = x\ncheck f(p, p)"),
        (Code::Type, "agents a\nprops p\ncheck 3"),
        (Code::Type, "agents a\nprops p\ncheck p = 3"),
        (Code::Type, "agents a\nenum c = red, blue\nvars x : c\ncheck x < red"),
        (Code::Type, "agents a\nvars x : 1..3\ncheck forall i in 1..2 where x = 1: x = i"),
        (Code::Number, "agents a\nparam n = 1 / 0"),
        (Code::Number, "agents a\nparam n = 2^(2^100)"),
        (Code::Number, "agents a\nprops p\ncheck [announce p]^(0 - 1) p"),
        (Code::Duplicate, "agents a, a"),
        (Code::Duplicate, "agents a\nprops p\nlet p = true"),
        (Code::Action, "agents a, b\nprops p\ncheck [L[a] ?p] p"),
        (Code::Action, "agents a, b\nprops p\ncheck [L[all] (!?p + !?p)] p"),
        (Code::Action, "agents a, b\nprops p\ncheck [L[all] L[a] L[b] ?p] p"),
        (Code::Action, "agents a, b\nprops p\ncheck [L[all] (?p && ?p)] p"),
        (Code::Action, "agents a, b\nprops p\ncheck [!?p] p"),
        (Code::Action, "agents a, b\nprops p\ncheck [L[all] !?p] p"),
        (Code::Action, "agents a\nprops p\ncheck [(?p)*] p"),
        (Code::Cycle, "agents a\nprops p\nlet f = g\nlet g = f\ncheck f"),
        (Code::Large, "agents a\nprops p(i) for i in 1..99999999"),
        (Code::Large, "agents a\nprops p\ncheck [announce p]^(99999999) p"),
        (Code::Relation, "agents a\nprops p\naction f = events {\n  e\n  edges a: e -> e\n}"),
        (Code::Objective, "agents a\nprops p\nlaw K[a] p"),
        (Code::Objective, "agents a\nprops p\nobserve a sees K[a] p"),
        (Code::Missing, "props p\ncheck p"),
        (Code::Point, "agents a\nprops p\npoint !p"),
        (Code::Point, "agents a\nvars x : 1..2\npoint\ncheck true"),
        (Code::UnknownName, "agents a\nprops p\ncheck [anounce p] p"),
        (Code::UnknownName, "agents a\nprops p\naction unused = announce nonsense"),
        (Code::Duplicate, "agents a\nprops p(i) for i in 1..2\nlet p(k) = k > 5"),
        (Code::Reserved, "agents a\nprops E(1)"),
    ] {
        let found = codes(text);
        assert!(found.contains(&code), "{text}\n  wants {code:?}, has {found:?}");
    }
}

#[test]
fn deep_nesting_is_refused_and_deep_repetition_is_not() {
    let deep = format!("agents a\nprops p\ncheck {}p{}", "(".repeat(20_000), ")".repeat(20_000));
    assert_eq!(codes(&deep), vec![Code::Depth]);
    let negations = format!("agents a\nprops p\ncheck {}p", "!".repeat(20_000));
    assert_eq!(codes(&negations), vec![Code::Depth]);
    let implications = format!("agents a\nprops p\ncheck p{}", " -> p".repeat(20_000));
    assert_eq!(codes(&implications), vec![Code::Depth]);
    assert!(Document::read("agents a\nprops p\ncheck [announce p]^(1000) p", Format::Ken).is_ok());
    let allowed = format!("agents a\nprops p\ncheck {}p{}", "(".repeat(199), ")".repeat(199));
    assert!(Document::read(&allowed, Format::Ken).is_ok());
}

#[test]
fn parameters_can_be_set_and_unknown_ones_are_refused() {
    let text = "param n = 3\nagents a(i) for i in 1..n\nprops p\ncount true expect 2";
    let document = Document::read_with(text, Format::Ken, &[("n".to_string(), 7.into())]).unwrap();
    assert_eq!(document.model.agents().len(), 7);
    let wrong = Document::read_with(text, Format::Ken, &[("m".to_string(), 7.into())]).unwrap_err();
    assert_eq!(wrong[0].help.as_deref(), Some("did you mean `n`?"));
}

#[test]
fn names_of_definitions_are_used_when_printing() {
    let text = "agents a\nprops p, q\nlet both = p & q\ncheck K[a] both | !both";
    let document = Document::read(text, Format::Ken).unwrap();
    let names = document.scope.names();
    assert_eq!(names.formula(&document.queries[0].formula), "K[a] both | !both");
    assert_eq!(document.queries[0].formula.to_string(), "K[a] (p & q) | !(p & q)");
}

#[test]
fn json_problems_have_their_place() {
    let place = |text: &str| {
        let problem = Document::read(text, Format::Json).expect_err("wrong").remove(0);
        (problem.code, text[problem.span.start as usize..problem.span.end as usize].to_string())
    };
    let model = |rest: &str| format!(r#"{{"agents": ["a"], "worlds": {{"w0": ["p"], "w1": []}}{rest}}}"#);
    assert_eq!(place("{"), (Code::Syntax, String::new()));
    assert_eq!(place("[1,]"), (Code::Syntax, "]".to_string()));
    assert_eq!(place(r#"{"agents": []}"#).0, Code::Missing);
    assert_eq!(place(&model(r#", "point": "w2""#)), (Code::Point, "\"w2\"".to_string()));
    assert_eq!(place(&model(r#", "relations": {"b": []}"#)), (Code::UnknownAgent, "\"b\"".to_string()));
    assert_eq!(place(&model(r#", "relations": {"a": [["w0"], ["w0"]]}"#)), (Code::Relation, "\"w0\"".to_string()));
    assert_eq!(place(&model(r#", "wordls": 1"#)), (Code::Shape, "\"wordls\"".to_string()));
    assert_eq!(place(r#"{"agents": ["a"], "worlds": {}}"#).0, Code::NoWorld);
    assert_eq!(place(&"[".repeat(100_000)).0, Code::Depth);
    let Ok(document) = Document::read(&model(r#", "edges": {"a": [["w0","w1"]]}"#), Format::Json) else {
        panic!("a belief model")
    };
    assert!(document.model.is_belief());
    assert!(matches!(document.model, Model::Kripke(_)));
}

#[test]
fn an_atom_that_a_json_model_does_not_mention_is_false() {
    let document = Document::read(r#"{"agents": ["a"], "worlds": {"w": []}}"#, Format::Json).unwrap();
    assert_eq!(*document.formula("nowhere(1,x)").unwrap(), Formula::Atom("nowhere(1,x)".into()));
}

#[test]
fn formatting_keeps_tokens_and_comments_and_is_stable() {
    let untidy = "-- title\n\n\n\nagents   a,b\nprops p ,q -- two\n  check  K[a] (p&q)   expect false\ncheck p|q expect true\n\
                  action f = events {\n!e : pre p\n      g\nconfuse b:e g\n }\n";
    let tidy = format(untidy).unwrap();
    assert_eq!(
        tidy,
        "-- title\n\nagents a,b\nprops p,q  -- two\ncheck K[a] (p & q) expect false\ncheck p | q        expect true\n\
         action f = events {\n  !e : pre p\n  g\n  confuse b:e g\n}\n"
    );
    assert_eq!(format(&tidy).unwrap(), tidy);
}

#[test]
fn a_bound_variable_declares_agents_by_its_values() {
    let text =
        "param n = 3\nagents i for i in 1..n\nprops p\nobserve 2 sees p\ncheck valid Kw[2] p & !Kw[3] p expect true";
    assert_eq!(Document::read(text, Format::Ken).unwrap().model.agents().len(), 3);
}

#[test]
fn agents_that_do_not_resolve_are_not_reported_as_missing() {
    assert_eq!(codes("agents a(i) for i in 1..m\nprops p"), vec![Code::UnknownName]);
}

#[test]
fn each_is_a_sequence_and_choose_a_choice() {
    let scope = free();
    let same = |one: &str, two: &str| assert_eq!(scope.formula(one).unwrap(), scope.formula(two).unwrap());
    same("[each i in 1..3: ?p(i)] q", "[?p(1) ; ?p(2) ; ?p(3)] q");
    same("[choose i in 1..3: ?p(i)] q", "[?p(1) + ?p(2) + ?p(3)] q");
    same("[each i in 2..1: ?p(i)] q", "[?true] q");
}

#[test]
fn a_syntax_error_in_a_question_does_not_hide_unknown_names() {
    let found = codes("agents alice\nprops p\ncheck (p\ncheck K[alise] p\ncheck mudy");
    assert_eq!(found, vec![Code::Syntax, Code::UnknownAgent, Code::UnknownName]);
    // Here the unknown name may be what the broken line declares.
    assert_eq!(codes("agents alice\nprops p,\ncheck q"), vec![Code::Syntax]);
}

#[test]
fn formulas_too_deep_when_written_out_are_refused() {
    let many = "[announce p]^(10000) ".repeat(30);
    assert_eq!(codes(&format!("agents a\nprops p\ncheck {many} p")), vec![Code::Large]);
}

#[test]
fn shared_definitions_are_looked_at_once() {
    let mut text = "agents a\nprops p\nlet f0 = p\n".to_string();
    for i in 1..60 {
        text += &format!("let f{i} = f{} & K[a] f{}\n", i - 1, i - 1);
    }
    let document = Document::read(&format!("{text}check f59"), Format::Ken).unwrap();
    let formula = &document.queries[0].formula;
    assert_eq!(formula.knowledge_depth(), 59);
    assert_eq!(formula.depth(), 119);
    assert!(!formula.is_temporal() && formula.size() > 1 << 59);
    let mut laws = "agents a\nprops p\nlet f0 = p\n".to_string();
    for i in 1..60 {
        laws += &format!("let f{i} = f{} & f{}\n", i - 1, i - 1);
    }
    assert_eq!(codes(&format!("{laws}law f59\ncheck p")), vec![Code::Large]);
}

#[test]
fn a_world_is_given_by_complete_facts() {
    let document = Document::read("agents a\nprops p, q\nvars x : 1..3\ncheck p", Format::Ken).unwrap();
    assert_eq!(document.scope.facts("{x = 2,p}").unwrap().label(), "{p, x = 2}");
    let code = |text: &str| document.scope.facts(text).unwrap_err()[0].code;
    assert_eq!(code("{p}"), Code::Point);
    assert_eq!(code("{p | q, x = 1}"), Code::Point);
    assert_eq!(code("{x = 1, x = 2}"), Code::Point);
    assert_eq!(code("{r, x = 1}"), Code::UnknownName);
}

#[test]
fn powers_group_to_the_right() {
    for (formula, value) in [("2^2^2 = 16", true), ("2^3^2 = 512", true), ("(2^3)^2 = 64", true), ("-2^2^0 = -2", true)]
    {
        let document = Document::read("agents a\nprops p\n", Format::Ken).expect("a model");
        let formula = document.formula(formula).unwrap_or_else(|problems| panic!("{formula}: {problems:?}"));
        assert_eq!(formula, Formula::truth(), "{value}");
    }
    let tower = format!("agents a\nprops p\ncheck {}2 = 2\n", "2^".repeat(5_000));
    assert!(Document::read(&tower, Format::Ken).is_err(), "a tower is refused, not climbed");
}
