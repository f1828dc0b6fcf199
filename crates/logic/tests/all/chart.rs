//! Charts of runs: well formed, the same every time, complete, and readable in what can be measured.
//!
//! With `KEN_CHARTS=<folder>` every chart that is checked is also written there.

use ken_logic::check::Memory;
use ken_logic::check::time::{Account, RunView, StateView, StepView, Why};
use ken_logic::draw::chart::chart;
use ken_logic::draw::{Options as Drawn, svg};
use ken_logic::formula::Name;
use ken_logic::model::Kripke;
use ken_logic::model::law::Facts;

use ken_logic::{Document as Source, Format, Options};
use proptest::prelude::*;
use roxmltree::{Document, Node};

/// Asks a system for an account, with the agents in order.
fn ask(source: Source, formula: &str, memory: Memory) -> (Account, Vec<Name>) {
    let query = source.query(formula).expect("a formula");
    let mut checker = source.checker_with(Options { memory: Some(memory), ..Options::default() });
    let answer = checker.ask(query.explained()).expect("an answer");
    let (_, account) = answer.account().expect("an account");
    (account.clone(), source.model.agents().to_vec())
}

fn model(name: &str, formula: &str, memory: Memory) -> (Account, Vec<Name>) {
    let path = format!("{}/../../models/{name}.ken", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).expect("the models are part of the project");
    ask(Source::read(&source, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}")), formula, memory)
}

fn names(names: &[&str]) -> Vec<Name> {
    names.iter().map(|&name| name.into()).collect()
}

fn state(props: &[&str]) -> StateView {
    let facts = Facts { props: names(props), vars: Vec::new() };
    StateView { name: facts.label(), facts }
}

fn step(by: &[(&str, &str)], changes: &[&str], noticed: &[&str]) -> StepView {
    StepView {
        action: by.iter().map(|(who, what)| format!("{who}: {what}")).collect::<Vec<_>>().join(", "),
        state: state(changes),
        changes: changes.iter().map(|c| c.to_string()).collect(),
        by: by.iter().map(|&(who, what)| (who.into(), what.into())).collect(),
        noticed: names(noticed),
    }
}

fn run(steps: Vec<StepView>) -> RunView {
    RunView { start: state(&["p"]), steps, shown: 0, loops_to: None, ends: false }
}

/// A run of so many steps of `a` and the environment `env`.
fn long(steps: usize) -> RunView {
    run((0..steps).map(|i| step(&[("a", "go"), ("env", "wait")], &[["q", "!q"][i % 2]], &["a"])).collect())
}

fn because(why: Why) -> Account {
    Account { formula: "AG p".into(), holds: false, why }
}

fn alike(actual: RunView, other: RunView, agents: &[&str]) -> Account {
    let then = Box::new(Account { formula: "p".into(), holds: false, why: Why::Fact });
    because(Why::Lookalike { agents: names(agents), actual, other, apart: None, then })
}

fn with_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| has_class(node, class)).collect()
}

fn has_class(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|c| c.split(' ').any(|word| word == class))
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

fn visible(document: &Document<'_>) -> Vec<String> {
    let texts = document.descendants().filter(|n| n.tag_name().name() == "text");
    texts.filter_map(|n| n.text()).map(str::to_string).collect()
}

/// About how wide text is, measured as drawings do.
fn text_width(text: &str, font: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | '·' | ' ' => 0.34,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '/' => 0.43,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '&' | '…' | '→' | '↔' | '∅' => 0.95,
        'A'..='Z' | '<' | '>' | '=' | '+' | '~' => 0.76,
        '\u{0300}'..='\u{036f}' | '\u{200b}'..='\u{200f}' => 0.0,
        '\u{1100}'.. => 1.1,
        _ => 0.63,
    };
    text.chars().map(em).sum::<f64>() * font
}

/// Left, top, right and bottom.
type Box4 = [f64; 4];

fn apart(a: &Box4, b: &Box4) -> bool {
    a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]
}

fn text_boxes<'a>(document: &'a Document<'_>) -> Vec<(Box4, Node<'a, 'a>)> {
    let texts = document.descendants().filter(|n| n.tag_name().name() == "text");
    let area = |node: Node<'a, 'a>| {
        let font = [("ken-head", 16.0), ("ken-part", 14.0), ("ken-small", 11.0)];
        let font = font.iter().find(|(class, _)| has_class(&node, class)).map_or(13.0, |(_, font)| *font);
        let width = text_width(node.text().unwrap_or_default(), font);
        let (x, y) = (number(&node, "x"), number(&node, "y"));
        let left = match () {
            _ if has_class(&node, "ken-middle") => x - width / 2.0,
            _ if has_class(&node, "ken-end") => x - width,
            _ => x,
        };
        ([left, y - 0.78 * font, left + width, y + 0.24 * font], node)
    };
    texts.map(area).collect()
}

fn rect(node: &Node<'_, '_>) -> Box4 {
    let (x, y) = (number(node, "x"), number(node, "y"));
    [x, y, x + number(node, "width"), y + number(node, "height")]
}

/// The vertical lines of the lanes: x, top, bottom.
fn lane_lines(document: &Document<'_>) -> Vec<[f64; 3]> {
    let paths = document.descendants().filter(|n| has_class(n, "ken-lane") || has_class(n, "ken-around"));
    let lane = |node: Node<'_, '_>| {
        let (from, bottom) = node.attribute("d").unwrap().strip_prefix('M').unwrap().split_once('V')?;
        let (x, top) = from.split_once(' ').unwrap();
        Some([x.parse().unwrap(), top.parse().unwrap(), bottom.parse().unwrap()])
    };
    paths.filter_map(lane).collect()
}

/// Checks what holds of every chart; gives its text.
fn sound(account: &Account, agents: &[Name]) -> String {
    let text = chart(account, agents);
    assert_eq!(text, chart(account, agents), "drawing again gives the same text");
    let document = Document::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    assert_eq!(root.first_element_child().unwrap().tag_name().name(), "title");
    assert!(root.children().any(|n| n.tag_name().name() == "desc"));
    let allowed = ["svg", "title", "desc", "style", "g", "rect", "path", "circle", "text"];
    assert!(document.descendants().filter(Node::is_element).all(|n| allowed.contains(&n.tag_name().name())));
    assert!(!text.contains("NaN") && !text.contains("inf\""));
    let (width, height) = (number(&root, "width"), number(&root, "height"));
    let boxes = text_boxes(&document);
    for (i, (a, node)) in boxes.iter().enumerate() {
        assert!(a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= width + 0.5 && a[3] <= height, "outside: {:?}", node.text());
        for (b, other) in &boxes[..i] {
            assert!(apart(a, b), "{:?} and {:?} overlap: {a:?} {b:?}", node.text(), other.text());
        }
    }
    // Text stands beside the lanes, or in a filled box above them.
    let cover = document.descendants().filter(|n| n.tag_name().name() == "rect" && n.attribute("x").is_some());
    let cover: Vec<Box4> = cover.filter(|n| !has_class(n, "ken-band")).map(|n| rect(&n)).collect();
    for [x, top, bottom] in lane_lines(&document) {
        for (area, node) in boxes.iter().filter(|(a, _)| !apart(a, &[x - 1.0, top, x + 1.0, bottom])) {
            let within = |c: &Box4| c[0] <= area[0] && c[1] <= area[1] && c[2] >= area[2] && c[3] >= area[3];
            assert!(cover.iter().any(within), "{:?} stands on a lane", node.text());
        }
    }
    let acts: Vec<Box4> = with_class(&document, "ken-row")
        .iter()
        .flat_map(|row| row.children().filter(|n| n.tag_name().name() == "rect").map(|n| rect(&n)).collect::<Vec<_>>())
        .collect();
    for (i, a) in acts.iter().enumerate() {
        assert!(acts[..i].iter().all(|b| apart(a, b)), "boxes overlap");
    }
    // Every agent has a lane in every chart.
    for run in with_class(&document, "ken-run") {
        let lanes = run.children().filter(|n| has_class(n, "ken-column"));
        let tips: Vec<&str> = lanes.filter_map(|n| n.first_element_child()?.text()).collect();
        for agent in
            agents.iter().filter(|a| a.chars().all(|c| c.is_ascii_alphanumeric()) && (1..40).contains(&a.len()))
        {
            assert!(agents.len() > 40 || tips.contains(&&**agent), "{agent} in {tips:?}");
        }
    }
    if let Ok(folder) = std::env::var("KEN_CHARTS") {
        let mut hash = std::collections::hash_map::DefaultHasher::new();
        std::hash::Hash::hash(&text, &mut hash);
        let test = std::thread::current().name().unwrap_or_default().to_string();
        let name = format!("{folder}/{test}-{:016x}.svg", std::hash::Hasher::finish(&hash));
        std::fs::write(name, &text).unwrap();
    }
    text
}

fn count(text: &str, class: &str) -> usize {
    with_class(&Document::parse(text).unwrap(), class).len()
}

fn says(text: &str, words: &str) -> bool {
    visible(&Document::parse(text).unwrap()).iter().any(|t| t.contains(words))
}

#[test]
fn a_run_and_its_lookalike_are_drawn_below_each_other() {
    let (account, agents) = model("forgot", "AX AG (Kw[ann] colour = red)", Memory::None);
    let text = sound(&account, &agents);
    assert!(says(&text, "fails: this run shows it") && says(&text, "looks the same"));
    assert!(count(&text, "ken-beside") + count(&text, "ken-stacked") > 0);
    // The band of ann, in both runs and the legend.
    assert_eq!(count(&text, "ken-band"), 2 * count(&text, "ken-beside") + 2 * count(&text, "ken-stacked") + 1);
    assert!(says(&text, "lamp") && says(&text, "environment"));
}

#[test]
fn real_accounts_are_readable() {
    for (name, formula, memory) in [
        ("forgot", "AG !K[bob] colour = red", Memory::Perfect),
        ("forgot", "AX AX (K[ann] colour = red | K[ann] colour = green)", Memory::None),
        ("bit-transmission", "AF sender_knows", Memory::None),
        ("bit-transmission", "EG !sender_knows", Memory::None),
        ("bit-transmission", "AG !(acked & through)", Memory::None),
        ("bit-transmission", "AG !C[sender, receiver] receiver_knows", Memory::None),
        ("bit-transmission", "AX C[sender, receiver] receiver_knows", Memory::None),
        ("attack-time", "AG (dawn -> !E[a, b] E[a, b] E[a, b] dawn)", Memory::Perfect),
        ("attack-time", "dawn -> AX{pass ; pass} K[b] K[a] K[b] dawn", Memory::Perfect),
        ("attack-time", "AX{pass ; pass ; pass} C[a, b] dawn", Memory::Perfect),
    ] {
        let (account, agents) = model(name, formula, memory);
        sound(&account, &agents);
    }
}

#[test]
fn every_vector_can_be_drawn() {
    let path = format!("{}/tests/vectors/actctl.json", env!("CARGO_MANIFEST_DIR"));
    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut runs, mut across) = (0, 0);
    for case in file["cases"].as_array().unwrap().iter().take(40) {
        for check in case["checks"].as_array().unwrap() {
            let source = Source::read(&case["system"].to_string(), Format::Json).unwrap();
            let (account, agents) = ask(source, check["formula"].as_str().unwrap(), Memory::Perfect);
            let text = sound(&account, &agents);
            runs += count(&text, "ken-run");
            across += count(&text, "ken-across");
        }
    }
    // Their steps have no actors: an action goes across all lanes.
    assert!(runs > 50 && across > 50, "{runs} runs, {across} actions");
}

#[test]
fn dots_tell_whose_local_state_changes() {
    let steps = vec![step(&[("a", "send"), ("env", "lose")], &["q"], &["b"]), step(&[("a", "rest")], &[], &["a", "b"])];
    let text = sound(&because(Why::Run(run(steps), None)), &names(&["a", "b", "c"]));
    let document = Document::parse(&text).unwrap();
    let rows = with_class(&document, "ken-row");
    let dots = |row: &Node<'_, '_>, kind: &str| row.children().filter(|n| has_class(n, kind)).count();
    // Environments have no dots.
    assert_eq!(
        rows.iter().map(|r| (dots(r, "ken-full"), dots(r, "ken-open"))).collect::<Vec<_>>(),
        [(0, 0), (1, 2), (2, 1)]
    );
    assert_eq!((count(&text, "ken-lane"), count(&text, "ken-around")), (3, 1 + 1), "and one in the legend");
    for expected in
        ["start", "1", "2", "send", "lose", "rest", "p", "q", "nothing changes", "AG p fails: this run shows it"]
    {
        assert!(visible(&document).iter().any(|t| t == expected), "{expected} in {:?}", visible(&document));
    }
}

#[test]
fn a_loop_has_a_bracket_from_its_end_to_its_beginning() {
    for (steps, to, target) in [(3, 0, 0), (3, 2, 2), (1, 0, 0), (3, 3, 3), (100, 50, 31), (100, 99, 60)] {
        let view = RunView { loops_to: Some(to), ..long(steps) };
        let text = sound(&because(Why::Run(view, None)), &names(&["a", "b"]));
        let document = Document::parse(&text).unwrap();
        let path = with_class(&document, "ken-loop")[0].attribute("d").unwrap().to_string();
        let ends: Vec<f64> = path.split(['V', 'H', ' ', 'M']).filter_map(|t| t.parse().ok()).collect();
        let (from, back) = (ends[1], ends[3]);
        // The first text of a row stands above its level, that of the next row below.
        let rows = with_class(&document, "ken-row");
        let top =
            |row: usize| number(&rows[row].descendants().find(|n| n.tag_name().name() == "text").unwrap(), "y") - 16.5;
        assert!(back > top(target) && rows.get(target + 1).is_none_or(|_| back < top(target + 1) + 1.0));
        assert!(from > top(rows.len() - 1) && from > back);
        let shown = visible(&document);
        assert!(shown.iter().any(|t| t == "for") && shown.iter().any(|t| t == "ever"));
        let words = if to == 0 { "as at the start".to_string() } else { format!("as after step {to},") };
        assert!(says(&text, &words));
    }
    let text = sound(&because(Why::Run(long(3), None)), &names(&["a"]));
    assert_eq!((count(&text, "ken-bracket"), count(&text, "ken-bar")), (0, 0));
}

#[test]
fn a_run_that_ends_has_a_bar() {
    let view = RunView { ends: true, ..long(2) };
    let text = sound(&because(Why::Run(view, None)), &names(&["a"]));
    assert_eq!(count(&text, "ken-bar"), 1);
    assert!(says(&text, "the run ends"));
}

#[test]
fn steps_shown_before_are_left_out() {
    let view = RunView { shown: 2, ..long(5) };
    let text = sound(&because(Why::Run(view, None)), &names(&["a"]));
    assert!(says(&text, "continues from step 2"));
    assert_eq!(count(&text, "ken-row"), 1 + 3);
    // With nothing new there is nothing to draw.
    let view = RunView { shown: 5, ..long(5) };
    let text = sound(&because(Why::Run(view, None)), &names(&["a"]));
    assert!(says(&text, "already here"));
    assert_eq!(count(&text, "ken-run"), 0);
    // More than there are, and a loop back to before.
    let view = RunView { shown: 9, loops_to: Some(1), ..long(5) };
    sound(&because(Why::Run(view, None)), &names(&["a"]));
}

#[test]
fn long_runs_lose_their_middle() {
    let text = sound(&because(Why::Run(long(60), None)), &names(&["a"]));
    assert_eq!((count(&text, "ken-row"), count(&text, "ken-gap")), (61, 0));
    let text = sound(&because(Why::Run(long(61), None)), &names(&["a"]));
    assert!(says(&text, "… 1 step …"));
    let text = sound(&because(Why::Run(long(5000), None)), &names(&["a"]));
    assert_eq!((count(&text, "ken-row"), count(&text, "ken-gap")), (62, 1));
    assert!(says(&text, "… 4940 steps …") && says(&text, "5000"));
    let text = sound(&alike(long(200), long(3), &["a"]), &names(&["a"]));
    assert_eq!(count(&text, "ken-gap"), 1);
}

#[test]
fn lookalikes_stand_beside_each_other_or_below_if_there_is_no_room() {
    let (one, other) = (run(vec![step(&[("a", "x")], &["q"], &["a"])]), run(vec![step(&[("a", "x")], &["r"], &["a"])]));
    let text = sound(&alike(one.clone(), other.clone(), &["a"]), &names(&["a", "b"]));
    assert_eq!((count(&text, "ken-beside"), count(&text, "ken-stacked"), count(&text, "ken-band")), (1, 0, 2 + 1));
    let document = Document::parse(&text).unwrap();
    assert!(number(&document.root_element(), "width") <= 700.0);
    assert!(visible(&document).join(" ").contains("looks the same to a "));
    let lanes = lane_lines(&document);
    assert_eq!(lanes.len(), 4);
    assert!(lanes[2][0] > lanes[1][0] && lanes[2][1] == lanes[0][1], "beside each other, at the same height");

    let many: Vec<String> = (0..10).map(|i| format!("agent{i}")).collect();
    let many = names(&many.iter().map(String::as_str).collect::<Vec<_>>());
    let text = sound(&alike(one, other, &["agent3", "agent4"]), &many);
    assert_eq!((count(&text, "ken-beside"), count(&text, "ken-stacked"), count(&text, "ken-band")), (0, 1, 4 + 1));
    assert!(says(&text, "looks the same to agent3 and agent4"));
    let document = Document::parse(&text).unwrap();
    assert!(number(&document.root_element(), "width") <= 1300.0);
    // Two runs that are one are not drawn twice.
    let text = sound(&alike(long(2), long(2), &["a"]), &names(&["a"]));
    assert!(says(&text, "because"));
    assert_eq!(count(&text, "ken-run"), 0);
}

#[test]
fn hostile_names_are_harmless() {
    let hostile = [
        "<script>alert(1)</script>",
        "a\"b'c&amp;]]>",
        "\u{202e}evil\u{0}\u{1b}\u{ffff}",
        "שלום עולם مرحبا",
        "👩‍👩‍👧‍👦🚂🚂🚂🚂🚂🚂🚂🚂🚂🚂🚂🚂🚂🚂",
        "Zalgo",
        "x\ny\tz",
        "",
    ];
    let mut all: Vec<String> = hostile.iter().map(|s| s.to_string()).collect();
    all.push("z\u{301}\u{302}\u{303}".repeat(40));
    all.push("very_long_name_".repeat(500));
    all.push("word ".repeat(2000));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for agents in [&all[..], &all[..2], &all[8..]] {
        let by: Vec<(&str, &str)> = all.iter().map(|&s| (s, s)).collect();
        let mut joint = step(&[], &all, &all);
        joint.action = all.join(", ");
        let mut view = run(vec![step(&by, &all, &all[..2]), joint, step(&by[..1], &[], &[])]);
        view.start = state(&all);
        let mut other = view.clone();
        other.steps.pop();
        let mut account = alike(view.clone(), other, &all[..3]);
        account.formula = all.join(" & ");
        let account = because(Why::Parts(vec![account, because(Why::Run(view, None))]));
        let text = sound(&account, &names(agents));
        assert!(!text.contains("<script") && !text.contains('\u{202e}') && !text.contains('\u{0}'));
        assert!(text.len() < 200_000, "{}", text.len());
        assert!(visible(&Document::parse(&text).unwrap()).iter().all(|t| t.chars().count() < 220));
    }
}

#[test]
fn every_agent_has_a_lane_and_too_many_are_counted() {
    let many: Vec<String> = (0..300).map(|i| format!("g{i}")).collect();
    let many = names(&many.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(count(&sound(&because(Why::Run(long(1), None)), &many[..39]), "ken-lane"), 39);
    let text = sound(&alike(long(1), long(2), &["g250"]), &many);
    assert!(says(&text, "262 more lanes are left out") && says(&text, "g250"));
    // Nobody at all.
    let text = sound(&because(Why::Run(run(vec![step(&[], &[], &[])]), None)), &[]);
    assert!(says(&text, "system"));
    sound(&because(Why::Fact), &[]);
}

#[test]
fn deep_and_wide_accounts_end() {
    let mut account = because(Why::Run(long(2), None));
    for _ in 0..60 {
        account = because(Why::Parts(vec![account, because(Why::EveryRun), because(Why::Strategy)]));
    }
    let text = sound(&account, &names(&["a"]));
    assert!(says(&text, "more parts of the account"));
}

#[test]
fn charts_have_the_colours_of_models() {
    let colours = |text: &str| -> std::collections::BTreeSet<String> {
        let document = Document::parse(text).unwrap();
        let style = document.descendants().find(|n| n.tag_name().name() == "style").unwrap();
        style.text().unwrap().split('#').skip(1).map(|c| c[..6].to_string()).collect()
    };
    let model = svg(&Kripke::new(1, names(&["a"]), Vec::new()), &Drawn::default());
    let chart = chart(&because(Why::Fact), &[]);
    assert!(colours(&chart).is_subset(&colours(&model)));
    assert!(colours(&chart).len() > 25);
}

fn any_run() -> impl Strategy<Value = RunView> {
    let name = || prop::sample::select(vec!["a", "b", "carol", "env", "the weather outside", "a<b"]);
    let action =
        prop::sample::select(vec!["go", "wait for a very long time indeed", "x", "send_message_to_everybody_now"]);
    let by = prop::collection::vec((name(), action), 0..4);
    let fact = || prop::sample::select(vec!["p", "!rain", "x = 3", "a_rather_long_proposition(1,2,3) = 17", "q"]);
    let steps = prop::collection::vec(
        (by, prop::collection::vec(fact(), 0..9), prop::collection::vec(name(), 0..3))
            .prop_map(|(by, changes, noticed)| step(&by, &changes, &noticed)),
        0..70,
    );
    (steps, 0..4usize, prop::option::of(0..70usize), any::<bool>(), prop::collection::vec(fact(), 0..20)).prop_map(
        |(steps, shown, loops_to, ends, facts)| RunView { start: state(&facts), steps, shown, loops_to, ends },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_account_can_be_drawn(one in any_run(), two in any_run(), three in any_run(), agents in 0..4usize) {
        let agents = names(&["a", "b", "carol", "d"][..agents]);
        let then = alike(two, three, &["a"]);
        sound(&because(Why::Run(one, Some(Box::new(then)))), &agents);
    }
}
