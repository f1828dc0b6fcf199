//! The reader for ISPL: what every construct becomes, what is said about mistakes, and that nothing makes it panic.

use ken_logic::check::EngineChoice;
use ken_logic::formula::{Cmp, F, Formula, Term, Value};
use ken_logic::model::law::{Observation, Variable};
use ken_logic::model::system::{Next, Precedence, Recall};
use ken_logic::model::{Model, System, Time};
use ken_logic::syntax::{Code, Source};
use ken_logic::{Document, Format, Options, QueryKind};
use std::path::Path;

/// A lamp that a switch turns on and off; a watcher sees the lamp but not its power.
const LAMP: &str = "\
-- A lamp, a switch, a watcher.
Agent Environment
  Obsvars:
    lit : boolean;
  end Obsvars
  Vars:
    power : 0..3;
    colour : {red, green};
  end Vars
  Actions = {none};
  Protocol:
    Other : {none};
  end Protocol
  Evolution:
    lit = true and power = power + 1 if switch.Action = press and lit = false;
    lit = false if switch.Action = press and lit = true;
  end Evolution
end Agent

Agent switch
  Lobsvars = {colour};
  Vars:
    tired : boolean;
    last : {red, green, none};
  end Vars
  RedStates:
    tired = true;
  end RedStates
  Actions = {press, rest};
  Protocol:
    tired = false and !last = colour : {press, rest};
    Other : {rest};
  end Protocol
  Evolution:
    tired = ~tired and last = colour if Action = press or Action <> rest;
    (tired = false) if (Action = rest);
  end Evolution
end Agent

Agent watcher
  Vars:
    seen : boolean;
  end Vars
  Actions = {look};
  Protocol:
    Environment.lit = true : {look};
  end Protocol
  Evolution:
    seen = (seen | lit) if Environment.Action = none;
  end Evolution
end Agent

Evaluation
  on if Environment.lit = true;
  strong if Environment.power >= 2;
  red if Environment.colour = red;
end Evaluation

InitStates
  Environment.lit = false and (Environment.power = 0 and switch.tired = watcher.seen) and
  (Environment.colour = switch.last or Environment.colour <> switch.last);
end InitStates

Groups
  g = {switch, watcher};
  all = {Environment, switch, watcher};
end Groups

Fairness
  on or !strong;
end Fairness

Formulae
  AG (on ->   K(watcher, on)); -- said in two words
  EF strong;
end Formulae
";

fn read(text: &str) -> Document {
    Document::read(text, Format::Ispl).unwrap_or_else(|problems| {
        let source = Source { name: "test", text };
        panic!("{}", problems.iter().map(|p| source.render(p)).collect::<String>())
    })
}

fn system(document: &Document) -> &System {
    match &document.time {
        Some(Time::System(system)) => system,
        Some(Time::Transitions(_)) | None => panic!("a system"),
    }
}

/// The lamp with another piece of text in place of one that occurs in it.
fn lamp(old: &str, new: &str) -> String {
    assert!(LAMP.contains(old), "{old}");
    LAMP.replacen(old, new, 1)
}

fn asked(formula: &str) -> String {
    lamp("  EF strong;\n", &format!("  {formula};\n"))
}

/// The formula as it is read among the `Formulae` of the lamp.
fn formula(text: &str) -> F {
    read(&asked(text)).queries[1].formula.clone()
}

/// What is wrong: code, place as the marked text, message.
fn problems(text: &str) -> Vec<(Code, String, String)> {
    let problems = Document::read(text, Format::Ispl).err().unwrap_or_default();
    problems
        .into_iter()
        .map(|p| (p.code, text[p.span.start as usize..p.span.end as usize].to_string(), p.message))
        .collect()
}

/// There is exactly this problem.
fn wrong(text: &str, code: Code, place: &str, message: &str) {
    assert_eq!(problems(text), vec![(code, place.to_string(), message.to_string())], "{text}");
}

#[test]
fn variables_become_propositions_and_typed_variables() {
    let document = read(LAMP);
    let model = &system(&document).vocabulary;
    let names: Vec<&str> = model.agents.iter().map(|a| &**a).collect();
    assert_eq!(names, ["Environment", "switch", "watcher"]);
    let props: Vec<&str> = model.props.iter().map(|a| &**a).collect();
    assert_eq!(props, ["Environment.lit", "switch.tired", "watcher.seen"]);
    let sym = |name: &str| Value::Sym(name.into());
    assert_eq!(
        model.vars,
        [
            Variable { name: "Environment.power".into(), values: (0..=3).map(Value::Int).collect() },
            Variable { name: "Environment.colour".into(), values: vec![sym("red"), sym("green")] },
            Variable { name: "switch.last".into(), values: vec![sym("red"), sym("green"), sym("none")] },
        ]
    );
    let order: Vec<&str> = model.declaration.iter().map(|a| &**a).collect();
    assert_eq!(
        order,
        ["Environment.lit", "Environment.power", "Environment.colour", "switch.tired", "switch.last", "watcher.seen"]
    );
    let Model::Law(beginning) = &document.model else { panic!("laws") };
    assert_eq!(beginning.props, model.props);
}

#[test]
fn agents_observe_their_own_variables_and_what_the_environment_shows() {
    let document = read(LAMP);
    let prop = |name: &str| Observation::Formula(Formula::atom(name));
    let var = |name: &str| Observation::Term(Term::Var(name.into()));
    assert_eq!(
        system(&document).vocabulary.observes,
        [
            vec![prop("Environment.lit"), var("Environment.power"), var("Environment.colour")],
            vec![prop("switch.tired"), var("switch.last"), prop("Environment.lit"), var("Environment.colour")],
            vec![prop("watcher.seen"), prop("Environment.lit")],
        ]
    );
}

#[test]
fn protocols_and_evolution_become_lines_and_groups() {
    let document = read(LAMP);
    let system = system(&document);
    let switch = &system.actors[1];
    assert_eq!((&*switch.name, switch.actions.len()), ("switch", 2));
    assert_eq!(switch.protocol.len(), 1);
    assert_eq!(switch.protocol[0].guard.to_string(), "!switch.tired & !switch.last = Environment.colour");
    assert_eq!((&switch.protocol[0].actions, &switch.otherwise), (&vec![0, 1], &vec![1]));
    let watcher = &system.actors[2];
    assert_eq!(watcher.protocol[0].guard.to_string(), "Environment.lit");
    assert!(watcher.otherwise.is_empty());

    assert_eq!(system.evolution.len(), 3);
    assert!(system.evolution.iter().all(|group| group.precedence == Precedence::Any));
    let lines: Vec<String> = system.evolution.iter().flat_map(|g| &g.rules).map(|r| r.guard.to_string()).collect();
    assert_eq!(
        lines,
        [
            "switch.press & !Environment.lit",
            "switch.press & Environment.lit",
            "switch.press | !switch.rest",
            "switch.rest",
            "Environment.none",
        ]
    );
    let sets = &system.evolution[1].rules[0].sets;
    assert_eq!(sets[0], ("switch.tired".into(), Next::Formula(Formula::negation(Formula::atom("switch.tired")))));
    assert_eq!(sets[1], ("switch.last".into(), Next::Term(Term::Var("Environment.colour".into()))));
    let seen = Formula::or(vec![Formula::atom("watcher.seen"), Formula::atom("Environment.lit")]);
    assert_eq!(system.evolution[2].rules[0].sets, [("watcher.seen".into(), Next::Formula(seen))]);
}

#[test]
fn single_assignment_makes_a_group_for_each_variable() {
    for word in ["SingleAssignment", "SA"] {
        let text = format!("Semantics={word};\n{LAMP}")
            .replace("lit = true and power = power + 1 if", "power = power + 1 if")
            .replace("tired = ~tired and last = colour if", "last = colour if");
        let document = read(&text);
        let groups: Vec<Vec<&str>> = system(&document)
            .evolution
            .iter()
            .map(|g| g.rules.iter().flat_map(|r| r.sets.iter().map(|(name, _)| &**name)).collect())
            .collect();
        let expected =
            [["Environment.power"], ["Environment.lit"], ["switch.last"], ["switch.tired"], ["watcher.seen"]];
        assert_eq!(groups, expected);
    }
    for word in ["MultiAssignment", "MA"] {
        assert_eq!(system(&read(&format!("Semantics = {word};\n{LAMP}"))).evolution.len(), 3);
    }
    let text = format!("Semantics = SA;\n{}", lamp("tired = ~tired and last = colour if", "last = colour if"));
    wrong(&text, Code::Syntax, "power = power + 1", "one line changes one variable here");
}

#[test]
fn the_beginning_is_split_into_laws() {
    let document = read(LAMP);
    let laws: Vec<String> = system(&document).vocabulary.laws.iter().map(|law| law.formula.to_string()).collect();
    assert_eq!(
        laws,
        [
            "!Environment.lit",
            "Environment.power = 0",
            "switch.tired <-> watcher.seen",
            "Environment.colour = switch.last | Environment.colour != switch.last",
        ]
    );
    let span = system(&document).vocabulary.laws[1].span;
    assert_eq!(&LAMP[span.start as usize..span.end as usize], "Environment.power = 0");
}

#[test]
fn memory_fairness_and_red_states() {
    let document = read(LAMP);
    let system = system(&document);
    assert_eq!((system.recall, system.visibility, system.may_end), (Some(Recall::Forgetful), None, false));
    let fair: Vec<String> = system.fairness.iter().map(|f| f.to_string()).collect();
    assert_eq!(fair, ["Environment.lit | !Environment.power >= 2"]);
    assert_eq!(system.red, [("switch".into(), Formula::atom("switch.tired"))]);

    let green = lamp("RedStates:\n    tired = true;\n  end RedStates", "GreenStates:\n tired = true; end GreenStates");
    let document = read(&green);
    assert_eq!(self::system(&document).red, [("switch".into(), Formula::negation(Formula::atom("switch.tired")))]);
    let none = lamp("    tired = true;\n  end RedStates", "  end RedStates");
    assert!(self::system(&read(&none)).red.is_empty());
}

#[test]
fn formulas_are_questions_with_their_text() {
    let document = read(LAMP);
    let texts: Vec<&str> = document.queries.iter().map(|q| &*q.text).collect();
    assert_eq!(texts, ["AG (on -> K(watcher, on))", "EF strong"]);
    assert!(document.queries.iter().all(|q| q.kind == QueryKind::Check && q.at.is_none() && q.expected.is_none()));
    let span = document.queries[1].span;
    assert_eq!(&LAMP[span.start as usize..span.end as usize], "EF strong");
}

#[test]
fn every_operator_has_its_counterpart() {
    let on = "Environment.lit";
    let cases = [
        ("on", on.to_string()),
        ("true and !false", "true & true".to_string()),
        ("on and on or on -> on -> on", format!("{on} & {on} | {on} -> {on} -> {on}")),
        ("!on and on", format!("!{on} & {on}")),
        ("! on or on", format!("!{on} | {on}")),
        ("Environment.colour = red", "Environment.colour = red".to_string()),
        ("! Environment.colour = red", "!Environment.colour = red".to_string()),
        ("Environment.colour != red", "Environment.colour != red".to_string()),
        ("Environment.power + 1 * 2 < 3 - -1", "Environment.power + 1 * 2 < 3 - -1".to_string()),
        ("(Environment.power + 1) * 2 <= 3 / 2", "(Environment.power + 1) * 2 <= 3 / 2".to_string()),
        ("switch.tired = true", "switch.tired".to_string()),
        ("switch.tired <> true", "!switch.tired".to_string()),
        ("switch.tired = on", format!("switch.tired <-> {on}")),
        ("on = strong", format!("{on} <-> Environment.power >= 2")),
        ("(switch.tired ^ on) = false", format!("!xor(switch.tired, {on})")),
        ("AX on", format!("AX {on}")),
        ("EX(on)", format!("EX {on}")),
        ("AG on and on", format!("AG {on} & {on}")),
        ("EG !on", format!("EG !{on}")),
        ("AF AG on", format!("AF AG {on}")),
        ("! EF (on and (EF on))", format!("!EF ({on} & EF {on})")),
        ("A(on U !on)", format!("A({on} U !{on})")),
        ("E ( on and on U on or on )", format!("E({on} & {on} U {on} | {on})")),
        ("A F on", format!("AF {on}")),
        ("K(watcher, on)", format!("K[watcher] {on}")),
        ("K (Environment, on -> on)", format!("K[Environment] ({on} -> {on})")),
        ("GK(g, on)", format!("E[switch,watcher] {on}")),
        ("GCK(g, on)", format!("C[switch,watcher] {on}")),
        ("DK(all, on)", format!("D[Environment,switch,watcher] {on}")),
        ("O(switch, on)", format!("O[switch] {on}")),
        ("<g>X on", format!("<<switch,watcher>>X {on}")),
        ("<g>F(on)", format!("<<switch,watcher>>F {on}")),
        ("<g> G <g>X on", format!("<<switch,watcher>>G <<switch,watcher>>X {on}")),
        ("AG <g>(on U !on)", format!("AG <<switch,watcher>>({on} U !{on})")),
        ("switch.RedStates", "switch.tired".to_string()),
        ("switch.GreenStates -> on", format!("!switch.tired -> {on}")),
        ("watcher.GreenStates", "true".to_string()),
    ];
    for (theirs, ours) in cases {
        assert_eq!(formula(theirs).to_string(), ours, "{theirs}");
    }
}

#[test]
fn a_name_is_a_constant_beside_a_variable_and_a_proposition_elsewhere() {
    let red = Formula::Compare(Cmp::Eq, Term::Var("Environment.colour".into()), Term::Value(Value::Sym("red".into())));
    assert_eq!(*formula("red"), red);
    assert_eq!(*formula("Environment.colour = red"), red);
    // The names of operators are names where no operand follows.
    let text = lamp("on if Environment.lit", "K if Environment.lit")
        .replace("on or !strong", "K or !strong")
        .replace("AG (on ->   K(watcher, on))", "K and K(watcher, K) -> K");
    assert_eq!(
        read(&text).queries[0].formula.to_string(),
        "Environment.lit & K[watcher] Environment.lit -> Environment.lit"
    );
}

#[test]
fn an_action_with_the_name_of_a_variable_gets_a_prime() {
    let text = lamp("Actions = {look}", "Actions = {seen}")
        .replace(": {look}", ": {seen}")
        .replace("seen = (seen | lit) if", "seen = true if Action = seen and seen = true and");
    let document = read(&text);
    assert_eq!(&*system(&document).actors[2].actions[0], "seen'");
    let guard = system(&document).evolution[2].rules[0].guard.to_string();
    assert_eq!(guard, "watcher.seen' & watcher.seen & Environment.none");
}

#[test]
fn constants_may_have_the_names_of_variables() {
    // A variable of the agent comes first, unless only the constant makes sense.
    let text = lamp("last : {red, green, none};", "last : {red, green, none, tired, lit};")
        .replace("last = colour if", "last = tired if")
        .replace("(Action = rest);", "last = tired and last = lit;");
    let document = read(&text);
    let rules = &system(&document).evolution[1].rules;
    let constant = |name: &str| Term::Value(Value::Sym(name.into()));
    assert_eq!(rules[0].sets[1].1, Next::Term(constant("tired")));
    assert_eq!(rules[1].guard.to_string(), "switch.last = tired & switch.last = lit");
}

#[test]
fn further_formulas_use_the_names_of_the_file() {
    let document = read(LAMP);
    for (ours, full) in [
        ("on", "Environment.lit"),
        ("AG (on -> K[watcher] on)", "AG (Environment.lit -> K[watcher] Environment.lit)"),
        ("red & strong", "Environment.colour = red & Environment.power >= 2"),
        ("Environment.colour = red", "Environment.colour = red"),
        ("Environment.power = 1 & switch.tired", "Environment.power = 1 & switch.tired"),
    ] {
        assert_eq!(document.formula(ours).unwrap().to_string(), full, "{ours}");
    }
    assert_eq!(document.formula("EX{switch.press} on").unwrap().to_string(), "EX{switch.press} Environment.lit");
    assert_eq!(document.formula("EX{jump} on").unwrap_err()[0].code, Code::UnknownName);
    assert_eq!(document.formula("off").unwrap_err()[0].code, Code::UnknownName);
    assert_eq!(document.formula("K[nobody] on").unwrap_err()[0].code, Code::UnknownAgent);
}

#[test]
fn an_environment_is_not_needed() {
    let text = "Agent a Vars: end Vars Actions = {go}; Protocol: Other: {go}; end Protocol Evolution: end Evolution \
                end Agent Evaluation end Evaluation InitStates true; end InitStates Formulae end Formulae";
    let document = read(text);
    assert_eq!(system(&document).actors.len(), 1);
    assert!(system(&document).evolution.is_empty());
    let text = text.replacen("Vars:", "Lobsvars = {x}; Vars:", 1);
    wrong(&text, Code::UnknownAgent, "x", "there is no agent `Environment` to observe");
}

#[test]
fn unknown_names_are_reported() {
    wrong(&asked("AF off"), Code::UnknownName, "off", "unknown name `off`");
    wrong(&asked("K(watch, on)"), Code::UnknownAgent, "watch", "unknown agent `watch`");
    wrong(&asked("K(g, on)"), Code::UnknownAgent, "g", "unknown agent `g`");
    wrong(&asked("GK(h, on)"), Code::UnknownName, "h", "unknown group `h`");
    wrong(&asked("<watcher>F on"), Code::UnknownName, "watcher", "unknown group `watcher`");
    wrong(&asked("lamp.lit = true"), Code::UnknownAgent, "lamp", "unknown agent `lamp`");
    wrong(&asked("switch.lit = true"), Code::UnknownName, "lit", "`switch` has no variable `lit`");
    let none = "`Environment.colour` has no value `blue`";
    wrong(&asked("Environment.colour = blue"), Code::UnknownName, "blue", none);
    wrong(&asked("Environment.power = 4"), Code::Number, "4", "`Environment.power` is never 4");
    wrong(
        &lamp("g = {switch, watcher}", "g = {switch, walker}"),
        Code::UnknownAgent,
        "walker",
        "unknown agent `walker`",
    );
    let text = lamp("Lobsvars = {colour}", "Lobsvars = {color, colour}");
    wrong(&text, Code::UnknownName, "color", "`Environment` has no variable `color`");
    let text = lamp("Other : {rest}", "Other : {sleep}");
    wrong(&text, Code::Action, "sleep", "`switch` has no action `sleep`");
    let text = lamp("(Action = rest)", "(Action = sleep)");
    wrong(&text, Code::Action, "sleep", "`switch` has no action `sleep`");
    let text = lamp("Environment.Action = none", "switch.Action = look");
    wrong(&text, Code::Action, "look", "`switch` has no action `look`");
    wrong(&lamp("if Environment.lit = true;", "if lit = true;"), Code::UnknownName, "lit", "unknown name `lit`");
}

#[test]
fn agents_speak_of_what_they_see_and_change_what_is_theirs() {
    let text = lamp("Environment.lit = true : {look}", "Environment.power = 1 : {look}");
    wrong(&text, Code::UnknownName, "Environment.power", "`watcher` does not see `Environment.power`");
    let text = lamp("Environment.lit = true : {look}", "switch.tired = true : {look}");
    wrong(&text, Code::UnknownName, "switch.tired", "`watcher` does not see `switch.tired`");
    let text = lamp("Environment.lit = true : {look}", "Action = look : {look}");
    wrong(&text, Code::Type, "Action", "a state has no action");
    let text = lamp("seen = (seen | lit)", "lit = true");
    wrong(&text, Code::UnknownName, "lit", "`watcher` has no variable `lit` of its own");
    let text = lamp("seen = (seen | lit)", "switch.tired = true");
    wrong(&text, Code::UnknownName, "switch.tired", "`watcher` has no variable `tired` of its own");
    let text = lamp("seen = (seen | lit)", "watcher.seen = true and seen = false");
    wrong(&text, Code::Duplicate, "seen", "variable `seen` is given twice");
}

#[test]
fn types_are_checked() {
    let cannot = "these cannot be compared";
    wrong(&asked("Environment.power = true"), Code::Type, "Environment.power = true", cannot);
    wrong(&asked("Environment.colour < switch.last"), Code::Type, "Environment.colour < switch.last", cannot);
    wrong(&asked("switch.tired = 1"), Code::Type, "switch.tired = 1", cannot);
    wrong(&asked("Environment.power"), Code::Type, "Environment.power", "expected a condition");
    wrong(&asked("3 and on"), Code::Type, "3", "expected a condition");
    wrong(&asked("on + 1 = 2"), Code::Type, "on", "expected a number");
    wrong(&lamp("seen = (seen | lit)", "seen = 3"), Code::Type, "3", "`watcher.seen` cannot become this");
    wrong(&lamp("power = power + 1", "power = true"), Code::Type, "true", "`Environment.power` cannot become this");
    wrong(&lamp("power = power + 1", "power = 7"), Code::Number, "7", "`Environment.power` is never 7");
    wrong(&lamp("last = colour if", "last = blue if"), Code::UnknownName, "blue", "`switch.last` has no value `blue`");
    wrong(&lamp("on or !strong", "AF on"), Code::Objective, "AF on", "fairness speaks of states, not of runs");
}

#[test]
fn nothing_is_declared_twice() {
    wrong(
        &lamp("seen : boolean;", "seen : boolean; seen : 1..2;"),
        Code::Duplicate,
        "seen",
        "variable `seen` is given twice",
    );
    wrong(&lamp("{red, green}", "{red, green, red}"), Code::Duplicate, "red", "value `red` is given twice");
    wrong(&lamp("{press, rest};", "{press, rest, press};"), Code::Duplicate, "press", "action `press` is given twice");
    wrong(&lamp("red if", "on if"), Code::Duplicate, "on", "proposition `on` is given twice");
    wrong(&lamp("all = {", "g = {"), Code::Duplicate, "g", "group `g` is given twice");
    wrong(
        &lamp("Other : {none};", "Other : {none}; Other: {none};"),
        Code::Duplicate,
        "Other: {none};",
        "a second `Other`",
    );
    let text = lamp(
        "Agent watcher",
        "Agent switch Actions = {a}; Protocol: end Protocol Evolution: end Evolution end Agent\nAgent watcher",
    );
    wrong(&text, Code::Duplicate, "switch", "agent `switch` is given twice");
    let text = lamp("Groups", "Fairness end Fairness\nGroups");
    wrong(&text, Code::Duplicate, "Fairness", "a second `Fairness`");
    let text = lamp("Actions = {look};", "Actions = {look}; Actions = {};");
    wrong(&text, Code::Duplicate, "Actions", "a second `Actions` of `watcher`");
}

#[test]
fn missing_parts_are_named() {
    wrong("", Code::Missing, "", "`Agent`, `Evaluation`, `InitStates`, `Formulae` are missing");
    let cut = LAMP.find("Formulae").unwrap();
    wrong(&LAMP[..cut], Code::Missing, "", "`Formulae` is missing");
    let text = lamp("  Actions = {look};\n", "");
    let found: Vec<String> = problems(&text).into_iter().map(|(_, _, message)| message).collect();
    assert_eq!(found, ["agent `watcher` has no `Actions`", "`watcher` has no action `look`"]);
    let text = "Agent a Vars: end Vars end Agent Evaluation end Evaluation InitStates true; end InitStates \
                Formulae end Formulae";
    wrong(text, Code::Missing, "a", "agent `a` has no `Actions`, `Protocol`, `Evolution`");
}

/// What a formula of a file is read as.
fn read_as(formula: &str) -> String {
    let document = read(&asked(formula));
    assert!(document.refused.is_empty(), "{formula}: {:?}", document.refused);
    let found = document.queries.iter().find(|q| q.text == formula);
    let formula = &found.unwrap_or_else(|| panic!("{formula} is not asked")).formula;
    formula.to_string().replace("Environment.lit", "on").replace("Environment.power >= 2", "strong")
}

#[test]
fn formulas_of_linear_time_speak_of_every_run() {
    let same = [
        ("F on", "A F on"),
        ("G (on -> F on)", "A G (on -> F on)"),
        ("X on", "A X on"),
        ("on U strong", "A((on U strong))"),
        ("(on U strong) and on", "A((on U strong) & on)"),
        ("(on and strong) U X on U strong", "A((on & strong) U X on U strong)"),
        ("A (on and strong U on)", "A(on & strong U on)"),
        ("A (F on and G on)", "A(F on & G on)"),
        ("E (on)", "E(on)"),
        ("A F G on", "A F G on"),
        ("A F on", "AF on"),
        ("A X on", "AX on"),
        ("A (on U strong)", "A(on U strong)"),
        ("AG (on U strong)", "A G (on U strong)"),
        ("E !F on", "E(!F on)"),
        ("LTL G F on", "A G F on"),
        ("LTL (on)", "on"),
        ("CTL* A (F on)", "A F on"),
        ("CTL* on", "on"),
    ];
    for (written, meant) in same {
        assert_eq!(read_as(written), meant, "{written}");
    }
}

#[test]
fn a_formula_of_runs_where_states_are_spoken_of_refuses_itself_alone() {
    let text = asked("AG on; K(lamp, F on); F on; EF on");
    let document = read(&text);
    let [only] = document.refused.as_slice() else { panic!("{:?}", document.refused) };
    let span = only.problem.span;
    assert_eq!((only.problem.code, &text[span.start as usize..span.end as usize]), (Code::Temporal, "F on"));
    assert_eq!(only.text, "K(lamp, F on)");
    assert_eq!(&text[only.span.start as usize..only.span.end as usize], "K(lamp, F on)");
    let answered = |text: &&str| document.queries.iter().any(|q| q.text == *text);
    assert!(["AG on", "F on", "EF on"].iter().all(answered), "{:?}", document.queries);
    let document = read(&asked("on and strong U F on; AG (on or strong U on); EF on"));
    assert_eq!(document.refused.len(), 2, "how far `U` reaches is not guessed: {:?}", document.refused);
    // A problem of another kind still is one of the file.
    wrong(&asked("F on; AG off"), Code::UnknownName, "off", "unknown name `off`");
}

#[test]
fn an_environment_without_actions_takes_no_part() {
    let text = "Agent Environment Vars: day : boolean; end Vars Actions = {}; Protocol: end Protocol
          Evolution: day = true if day = false; day = false if day = true; end Evolution end Agent
        Agent ann Vars: up : boolean; end Vars Actions = {rise, lie}; Protocol: Other : {rise, lie}; end Protocol
          Evolution: up = true if Action = rise; end Evolution end Agent
        Evaluation day if Environment.day = true; up if ann.up = true; end Evaluation
        InitStates Environment.day = false and ann.up = false; end InitStates
        Formulae AX day; AX AX !day; EF up; AF up; end Formulae";
    let document = read(text);
    let Some(Time::System(system)) = &document.time else { panic!("no system") };
    assert_eq!(system.actors.iter().map(|a| &*a.name).collect::<Vec<_>>(), ["ann"]);
    for engine in [EngineChoice::Explicit, EngineChoice::Symbolic] {
        let mut checker = document.checker_with(Options { engine, ..Options::default() });
        let holds = document.queries.iter().map(|query| checker.ask(query).expect("an answer").holds);
        assert_eq!(holds.collect::<Vec<_>>(), [true, true, true, false], "{engine:?}");
    }
}

#[test]
fn fairness_may_speak_of_knowledge() {
    let document = read(&lamp("on or !strong", "K(watcher, on)"));
    let Some(Time::System(system)) = &document.time else { panic!("no system") };
    assert_eq!(system.fairness[0].knowledge_depth(), 1);
}

#[test]
fn the_grammar_is_followed() {
    wrong(&asked("on and"), Code::Syntax, ";", "expected a formula");
    wrong(&asked("K(watcher on)"), Code::Syntax, "on", "expected `,` and a formula");
    wrong(&asked("<g> on"), Code::Syntax, "on", "expected `X`, `F`, `G` or `(… U …)` after a group");
    wrong(
        &lamp("tired : boolean", "tired : bool"),
        Code::Syntax,
        "bool",
        "expected a type: `boolean`, `1..3` or `{a, b}`",
    );
    wrong(&lamp("power : 0..3", "power : 3..0"), Code::Number, "3..0", "an empty range");
    wrong(&lamp("power : 0..3", "power : 0..99999999"), Code::Large, "0..99999999", "too many values for one variable");
    let text = lamp("power : 0..3", "power : 0..99999999999999999999");
    wrong(&text, Code::Number, "99999999999999999999", "this number is out of range");
    wrong(&lamp("tired : boolean", "end : boolean"), Code::Reserved, "end", "expected a variable");
    wrong(&lamp("tired : boolean", "if : boolean"), Code::Reserved, "if", "expected a variable");
    wrong(
        &lamp("(tired = false) if", "(tired <> false) if"),
        Code::Syntax,
        "(tired <> false)",
        "expected changes before `if`",
    );
    wrong(
        &lamp("(tired = false) if (Action = rest);", "tired = false;"),
        Code::Syntax,
        ";",
        "expected an operator or `if` and a condition",
    );
    wrong(&lamp("on or !strong", "on § or !strong"), Code::Character, "§", "the character `§` is not used here");
    wrong(
        &format!("Semantics = Both;\n{LAMP}"),
        Code::Syntax,
        "Both",
        "expected `MultiAssignment` or `SingleAssignment`",
    );
    wrong(
        &lamp("Agent watcher\n", "Agent watcher Obsvars: x : boolean; end Obsvars "),
        Code::Syntax,
        "x",
        "only `Environment` has `Obsvars`",
    );
}

#[test]
fn every_statement_is_looked_at() {
    let text = lamp("  EF strong;\n", "  EF (;\n  AF off;\n  K(nobody, on);\n  AG on\n")
        .replace("(Action = rest)", "(Action = sleep)");
    let found: Vec<(Code, String)> = problems(&text).into_iter().map(|(code, place, _)| (code, place)).collect();
    let expected = [
        (Code::Action, "sleep"),
        (Code::Syntax, ";"),
        (Code::UnknownName, "off"),
        (Code::UnknownAgent, "nobody"),
        (Code::Syntax, "end"),
    ];
    assert_eq!(found, expected.map(|(code, place)| (code, place.to_string())));
}

#[test]
fn nesting_is_limited() {
    for (open, close) in
        [("(", ")"), ("!", ""), ("AX ", ""), ("K(watcher, ", ")"), ("on -> ", ""), ("on and (on or ", ")")]
    {
        for (depth, fine) in [(150, true), (300, false), (30_000, false)] {
            let text = asked(&format!("{}on{}", open.repeat(depth), close.repeat(depth)));
            // Every level of the last is two operators.
            let fine = fine && !open.contains("or");
            let found = problems(&text);
            assert_eq!(found.iter().all(|(code, ..)| *code != Code::Depth), fine, "{open} {depth}");
            assert_eq!(found.is_empty(), fine, "{open} {depth}");
        }
    }
    assert!(problems(&asked(&format!("{}on{}", "on and (on or ".repeat(90), ")".repeat(90)))).is_empty());
    let sum = asked(&format!("Environment.power = 1{}", " + 1".repeat(10_000)));
    assert_eq!(problems(&sum)[0].0, Code::Depth);
    let many = asked(&format!("on{}", " and on".repeat(10_000)));
    assert!(problems(&many).is_empty());
}

/// A generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

#[test]
fn mutilated_files_are_read_without_panic() {
    let mut words: Vec<String> = Vec::new();
    for c in LAMP.chars() {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        match words.last_mut() {
            Some(word) if word.chars().all(part) && part(c) => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut read, mut refused) = (0, 0);
    for round in 0..4_000 {
        let mut text = words.clone();
        for _ in 0..1 + round % 4 {
            if text.is_empty() {
                break;
            }
            let at = numbers.below(text.len());
            let other = text[numbers.below(text.len())].clone();
            match numbers.below(5) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, other),
                2 => text[at] = other,
                3 => text.truncate(at.max(1)),
                _ => {
                    let to = numbers.below(text.len());
                    text.swap(at, to);
                }
            }
        }
        let text: String = text.concat();
        match Document::read(&text, Format::Ispl) {
            Ok(_) => read += 1,
            Err(problems) => {
                refused += 1;
                assert!(!problems.is_empty());
                let source = Source { name: "test", text: &text };
                problems.iter().for_each(|p| assert!(source.render(p).contains("test:")));
            }
        }
    }
    assert!(read > 100 && refused > 1_000, "{read} read, {refused} refused");
}

#[test]
fn the_examples_of_mcmas_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/ispl");
    let Ok(files) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: MCMAS's example files are not at {}", folder.display());
        return;
    };
    // Agents, actions, variables, rules, formulas.
    let known = [
        ("TestSingleAssignment", [2, 2, 4, 11, 1]),
        ("bit_transmission_protocol", [3, 9, 4, 7, 2]),
        ("book_store", [2, 20, 2, 27, 8]),
        ("card_games", [2, 6, 3, 18, 2]),
        ("dining_cryptographers", [4, 10, 10, 8, 2]),
        ("simple_card_game", [3, 5, 4, 3, 1]),
        ("dc3", [4, 7, 13, 10, 1]),
        ("dc50", [51, 101, 201, 151, 1]),
    ];
    let mut seen = 0;
    for file in files {
        let path = file.unwrap().path();
        let stem = path.file_stem().unwrap().to_string_lossy().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let document = read(&text);
        let system = system(&document);
        seen += 1;
        let count = |word: &str| text.lines().filter(|line| line.trim_start().starts_with(word)).count();
        assert_eq!(system.actors.len(), count("Agent "), "{stem}");
        assert_eq!(system.vocabulary.observes.len(), system.actors.len(), "{stem}");
        assert!(!document.queries.is_empty(), "{stem}");
        if let Some((_, counts)) = known.iter().find(|(name, _)| *name == stem) {
            let found = [
                system.actors.len(),
                system.actors.iter().map(|a| a.actions.len()).sum(),
                system.vocabulary.declaration.len(),
                system.evolution.iter().map(|g| g.rules.len()).sum(),
                document.queries.len(),
            ];
            assert_eq!(found, *counts, "{stem}");
        }
    }
    assert!(seen >= known.len());
}
