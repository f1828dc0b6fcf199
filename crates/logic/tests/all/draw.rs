//! Pictures: well formed, the same every time, complete, and readable in what can be measured.

use ken_logic::draw::{Options, Picture, dot, svg};
use ken_logic::formula::Name;
use ken_logic::model::enumerate::{Budget, enumerate};
use ken_logic::model::kripke::{Classes, Edges, Relation};
use ken_logic::model::{BitSet, Kripke, Model};
use ken_logic::{Document as Source, Format};
use proptest::prelude::*;
use roxmltree::{Document, Node};

fn muddy(n: usize) -> Kripke {
    let agents = (1..=n).map(|i| format!("child({i})").into()).collect();
    let mut model = Kripke::new(1 << n, agents, Vec::new());
    for i in 0..n {
        (0..1usize << n).filter(|w| w >> i & 1 == 1).for_each(|w| model.set_true(w, &format!("muddy({})", i + 1)));
        model.set_relation(i, Relation::Classes(Classes::by_key((0..1usize << n).map(|w| w & !(1 << i)))));
    }
    model
}

fn ken(source: &str) -> Kripke {
    let document = Source::read(source, Format::Ken).unwrap_or_else(|problems| panic!("{problems:?}"));
    match document.model {
        Model::Kripke(model) => model,
        Model::Law(law) => enumerate(&law, Budget { worlds: 10_000, steps: 1_000_000 }).unwrap().unwrap(),
    }
}

fn json(source: &str) -> Kripke {
    match Source::read(source, Format::Json).unwrap_or_else(|problems| panic!("{problems:?}")).model {
        Model::Kripke(model) => model,
        Model::Law(_) => panic!("an explicit model"),
    }
}

fn at(point: usize) -> Options {
    Options { point: Some(point), ..Options::default() }
}

fn with_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|c| c.split(' ').any(|word| word == class));
    document.descendants().filter(has).collect()
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// Text of the whole picture, except for styles.
fn words(document: &Document<'_>) -> String {
    let texts =
        document.descendants().filter(|n| n.is_text() && n.parent().is_some_and(|p| p.tag_name().name() != "style"));
    texts.filter_map(|n| n.text()).collect::<Vec<_>>().join("\n")
}

/// Visible text only.
fn visible(document: &Document<'_>) -> Vec<String> {
    let texts = document.descendants().filter(|n| n.tag_name().name() == "text");
    texts.filter_map(|n| n.text()).map(str::to_string).collect()
}

/// Left, top, right and bottom of each world's box.
fn boxes(document: &Document<'_>) -> Vec<[f64; 4]> {
    let worlds = with_class(document, "ken-world");
    let rect = |world: &Node<'_, '_>| {
        let rect = world.children().find(|n| n.tag_name().name() == "rect").unwrap();
        let (x, y) = (number(&rect, "x"), number(&rect, "y"));
        [x, y, x + number(&rect, "width"), y + number(&rect, "height")]
    };
    worlds.iter().map(rect).collect()
}

/// Checks what holds of every picture; gives the number of worlds shown.
fn sound(model: &Kripke, options: &Options) -> usize {
    let text = svg(model, options);
    assert_eq!(text, svg(model, options), "drawing again gives the same text");
    assert_eq!(dot(model, options), dot(model, options));
    let document = Document::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    assert_eq!(root.first_element_child().unwrap().tag_name().name(), "title");
    assert!(root.children().any(|n| n.tag_name().name() == "desc"));
    let boxes = boxes(&document);
    for (i, a) in boxes.iter().enumerate() {
        for b in &boxes[..i] {
            assert!(a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1], "boxes overlap: {a:?} {b:?}");
        }
    }
    let shift = document.descendants().find_map(|n| n.attribute("transform")).unwrap();
    let shift: Vec<f64> =
        shift.trim_start_matches("translate(").trim_end_matches(')').split(' ').map(|n| n.parse().unwrap()).collect();
    for [left, top, right, bottom] in &boxes {
        assert!(left + shift[0] >= 0.0 && top + shift[1] >= 0.0);
        assert!(right + shift[0] <= number(&root, "width") && bottom + shift[1] <= number(&root, "height"));
    }
    boxes.len()
}

#[test]
fn every_world_class_and_agent_is_there() {
    let model = muddy(3);
    let options = Options { title: Some("Three children".into()), ..at(7) };
    assert_eq!(sound(&model, &options), 8);
    let text = svg(&model, &options);
    let document = Document::parse(&text).unwrap();
    // A cube has twelve edges; loops of equivalences are not drawn.
    assert_eq!(with_class(&document, "ken-link").len(), 12);
    assert_eq!(with_class(&document, "ken-line").len(), 12 + 3, "and three in the legend");
    // The point and its sample in the legend.
    assert_eq!(with_class(&document, "ken-ring").len(), 2);
    let visible = visible(&document);
    for expected in ["Three children", "child(1)", "child(2)", "child(3)", "double border: the point", "∅", "muddy(2)"]
    {
        assert!(visible.iter().any(|t| t == expected), "{expected} in {visible:?}");
    }
    assert!(visible.iter().any(|t| t.starts_with("8 worlds.")), "{visible:?}");
}

#[test]
fn muddy_children_form_a_cube() {
    for n in 2..=5 {
        let model = muddy(n);
        assert_eq!(sound(&model, &Options::default()), 1 << n);
        let text = svg(&model, &Options::default());
        let boxes = boxes(&Document::parse(&text).unwrap());
        let middle = |w: usize| [(boxes[w][0] + boxes[w][2]) / 2.0, (boxes[w][1] + boxes[w][3]) / 2.0];
        for i in 0..n {
            let step = |w: usize| {
                let (a, b) = (middle(w), middle(w | 1 << i));
                [b[0] - a[0], b[1] - a[1]]
            };
            for w in (0..1usize << n).filter(|w| w >> i & 1 == 0) {
                let (first, here) = (step(0), step(w));
                assert!((first[0] - here[0]).abs() < 0.5 && (first[1] - here[1]).abs() < 0.5, "edges are parallel");
            }
        }
    }
}

#[test]
fn a_formula_colours_and_marks_worlds() {
    let model = muddy(2);
    let truth = Some(("muddy(1) & x < 3".to_string(), BitSet::from_fn(4, |w| w == 1)));
    let options = Options { truth, ..at(3) };
    let text = svg(&model, &options);
    let document = Document::parse(&text).unwrap();
    // One sample each in the legend.
    assert_eq!(with_class(&document, "ken-yes").len(), 1 + 1);
    assert_eq!(with_class(&document, "ken-no").len(), 3 + 1);
    assert_eq!(with_class(&document, "ken-sign").len(), 4 + 2);
    assert!(words(&document).contains("Formula: muddy(1) & x < 3 — holds in 1 of 4 worlds."));
    let graph = dot(&model, &options);
    assert_eq!((graph.matches('✓').count(), graph.matches('✗').count()), (1 + 1, 3 + 1));
    assert_eq!(graph.matches("peripheries=2").count(), 1);
    // A set that does not fit the model is not shown.
    let odd = Options { truth: Some(("p".into(), BitSet::empty(9))), point: Some(99), ..Options::default() };
    let text = svg(&model, &odd);
    assert!(with_class(&Document::parse(&text).unwrap(), "ken-yes").is_empty());
}

#[test]
fn agents_with_the_same_class_share_a_line_and_large_classes_have_a_dot() {
    let model = json(
        r#"{"agents": ["a", "b", "c"], "worlds": {"w0": ["p"], "w1": [], "w2": ["p", "q"], "w3": ["q"]}, "point": "w0",
            "relations": {"a": [["w0", "w1"], ["w2", "w3"]], "b": [["w0", "w1"]], "c": [["w0", "w1", "w2"]]}}"#,
    );
    sound(&model, &at(0));
    let text = svg(&model, &at(0));
    let document = Document::parse(&text).unwrap();
    assert_eq!(with_class(&document, "ken-link").len(), 3);
    let visible = visible(&document);
    for expected in ["a,b", "w0", "p, q"] {
        assert!(visible.iter().any(|t| t == expected), "{expected} in {visible:?}");
    }
    let dots = document.descendants().filter(|n| n.tag_name().name() == "circle").count();
    assert_eq!(dots, 1);
    let graph = dot(&model, &at(0));
    assert!(graph.starts_with("graph model {"));
    assert_eq!((graph.matches("shape=point").count(), graph.matches(" -- ").count()), (1, 2 + 3));
}

#[test]
fn belief_models_have_arrows_and_loops() {
    let model = json(
        r#"{"agents": ["a", "b"], "worlds": {"w0": ["p"], "w1": []}, "point": "w0",
            "edges": {"a": [["w0", "w1"], ["w1", "w1"]], "b": [["w0", "w1"], ["w1", "w0"], ["w1", "w1"]]}}"#,
    );
    sound(&model, &at(0));
    let graph = dot(&model, &at(0));
    assert!(graph.starts_with("digraph model {"));
    let arrows: Vec<&str> = graph.lines().filter(|line| line.contains(" -> ")).map(str::trim).collect();
    let starts = ["w0 -> w1 [label=\"a,b\"", "w1 -> w0 [label=\"b\"", "w1 -> w1 [label=\"a,b\""];
    assert_eq!(arrows.len(), 3);
    assert!(arrows.iter().zip(starts).all(|(arrow, start)| arrow.starts_with(start)), "{arrows:#?}");
}

#[test]
fn beliefs_in_common_share_a_dot() {
    let mut model = Kripke::new(6, vec!["a".into()], Vec::new());
    let pairs = (0..6).flat_map(|from| (1..4).map(move |to| (from, to))).collect();
    model.set_relation(0, Relation::Edges(Edges::from_pairs(6, pairs)));
    sound(&model, &at(0));
    let text = svg(&model, &at(0));
    let document = Document::parse(&text).unwrap();
    assert_eq!(with_class(&document, "ken-link").len(), 1);
    assert!(words(&document).contains("Dot: a world with an arrow to it leads to every world with an arrow from it."));
}

#[test]
fn variables_make_a_grid() {
    let model = ken("agents a, b\nvars x, y: 1..4\nobserve a sees x\nobserve b sees y\npoint x = 2, y = 3\n");
    assert_eq!(sound(&model, &at(0)), 16);
    let text = svg(&model, &at(0));
    let document = Document::parse(&text).unwrap();
    assert!(visible(&document).iter().any(|t| t == "x=2, y=3"));
    // Four rows and four columns, each a class drawn as three lines.
    assert_eq!(with_class(&document, "ken-link").len(), 8);
    assert_eq!(with_class(&document, "ken-line").len(), 8 * 3 + 2);
}

#[test]
fn what_is_left_out_is_said() {
    let model = muddy(12);
    assert_eq!(sound(&model, &at(4095)), 40);
    let said = |model: &Kripke, options: &Options| words(&Document::parse(&svg(model, options)).unwrap());
    let text = said(&model, &at(4095));
    assert!(text.contains("40 of 4096 worlds shown: those within 1 step of the point, and 27 of the 66 at 2 steps."));
    let options = Options { max_worlds: 13, ..at(4095) };
    assert!(said(&model, &options).contains("13 of 4096 worlds shown: those within 1 step of the point. Lines"));
    let options = Options { max_worlds: 5, ..at(4095) };
    assert!(said(&model, &options).contains("5 of 4096 worlds shown: the point and 4 of the 12 worlds one step away."));
    let options = Options { max_worlds: 0, ..at(4095) };
    assert!(said(&model, &options).contains("1 of 4096 worlds shown: those within 0 steps of the point."));
    assert!(said(&model, &Options::default()).contains("40 of 4096 worlds shown: the first ones."));
    // Three worlds of fifty can be reached.
    let mut model = Kripke::new(50, vec!["a".into()], Vec::new());
    model.set_relation(0, Relation::Classes(Classes::by_key((0..50).map(|w| w / 3))));
    assert_eq!(sound(&model, &at(4)), 3);
    assert!(said(&model, &at(4)).contains("3 of 50 worlds shown: all that can be reached from the point."));
    assert!(!said(&muddy(3), &at(7)).contains("shown"));
}

#[test]
fn beliefs_are_followed_forwards_only() {
    let mut model = Kripke::new(60, vec!["a".into()], Vec::new());
    model.set_relation(0, Relation::Edges(Edges::from_pairs(60, (0..59).map(|w| (w, w + 1)).collect())));
    assert_eq!(sound(&model, &at(50)), 10);
    assert_eq!(sound(&model, &at(0)), 40);
}

#[test]
fn hostile_names_are_harmless() {
    let names = ["<&\">", "b\\", "]]>", "'\u{0}\u{1b}\u{ffff}"];
    let mut model = Kripke::new(3, names.iter().map(|&n| n.into()).collect(), Vec::new());
    model.set_names(vec!["</text><script>".into(), "&amp;".into(), "\"\\N\n".into()]);
    for (world, prop) in [(0, "<!--"), (0, "&lt;"), (1, "\u{2}"), (2, "\\\"; x")] {
        model.set_true(world, prop);
    }
    for agent in 0..4 {
        model.set_relation(agent, Relation::Classes(Classes::by_key((0..3).map(|w| w == agent))));
    }
    let options = Options {
        title: Some("</title><script>alert(1)</script>".into()),
        truth: Some(("a < b & \"c\" > d".into(), BitSet::full(3))),
        ..at(0)
    };
    assert_eq!(sound(&model, &options), 3);
    let text = svg(&model, &options);
    assert!(!text.contains("<script"));
    let document = Document::parse(&text).unwrap();
    let visible = visible(&document);
    for expected in ["<&\">", "b\\", "]]>", "</text><script>", "&amp;"] {
        assert!(visible.iter().any(|t| t == expected), "{expected} in {visible:?}");
    }
    // In DOT every quote is closed on its line.
    for line in dot(&model, &options).lines() {
        let unescaped = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(unescaped.matches('"').count() % 2, 0, "{line}");
    }
}

#[test]
fn long_labels_are_shortened_and_kept_in_full_in_the_tip() {
    let mut model = Kripke::new(3, vec!["a".into()], Vec::new());
    let long = "a_proposition_whose_name_goes_on_and_on_and_on(1,2)";
    model.set_true(0, long);
    for i in 0..30 {
        model.set_true(1, &format!("p(a,{i})"));
        model.set_true(0, &format!("other{i}"));
    }
    sound(&model, &at(0));
    let text = svg(&model, &at(0));
    let document = Document::parse(&text).unwrap();
    let longest = visible(&document).iter().filter(|t| !t.contains(". ")).map(|t| t.chars().count()).max().unwrap();
    assert!(longest <= 80, "{:?}", visible(&document));
    assert!(words(&document).contains(long));
    assert!(visible(&document).iter().any(|t| t.contains("more")), "{:?}", visible(&document));
    let widest = boxes(&document).iter().map(|b| b[2] - b[0]).fold(0.0, f64::max);
    assert!(widest < 320.0, "{widest}");
}

#[test]
fn many_true_facts_are_named_by_what_is_false() {
    let text = svg(&muddy(12), &at(4095));
    let document = Document::parse(&text).unwrap();
    let visible = visible(&document);
    assert!(visible.iter().any(|t| t == "all true"));
    assert!(visible.iter().any(|t| t == "all but muddy(3)"));
}

#[test]
fn agents_without_lines_are_described() {
    let mut model = Kripke::new(20, vec!["sees".into(), "blind".into()], vec!["p".into()]);
    model.set_true(0, "p");
    model.set_relation(1, Relation::Classes(Classes { of: vec![0; 20], count: 1 }));
    sound(&model, &at(0));
    let text = svg(&model, &at(0));
    let visible = visible(&Document::parse(&text).unwrap());
    for expected in ["sees: tells all these worlds apart", "blind: tells none of these worlds apart"] {
        assert!(visible.iter().any(|t| t == expected), "{expected} in {visible:?}");
    }
}

#[test]
fn the_smallest_models_can_be_drawn() {
    assert_eq!(sound(&Kripke::new(0, Vec::new(), Vec::new()), &Options::default()), 0);
    assert_eq!(sound(&Kripke::new(1, vec!["a".into()], Vec::new()), &at(0)), 1);
    let picture = Picture::new(&muddy(1), &at(1));
    assert!(picture.svg().ends_with("</svg>\n") && picture.dot().ends_with("}\n"));
}

#[test]
fn pictures_may_be_as_large_as_one_likes() {
    let options = Options { max_worlds: 1024, ..at(0) };
    let text = svg(&muddy(10), &options);
    assert_eq!(boxes(&Document::parse(&text).unwrap()).len(), 1024);
}

prop_compose! {
    fn any_model()(size in 1..16usize)(
        size in Just(size),
        facts in prop::collection::vec(0..16u32, size),
        belief in any::<bool>(),
        named in any::<bool>(),
        classes in prop::collection::vec(prop::collection::vec(0..5u32, size), 3),
        edges in prop::collection::vec((0..size as u32, 0..size as u32), 0..40),
    ) -> Kripke {
        let agents: Vec<Name> = ["a", "b", "carol"].iter().map(|&a| a.into()).collect();
        let mut model = Kripke::new(size, agents, Vec::new());
        for (world, facts) in facts.iter().enumerate() {
            (0..4).filter(|p| facts >> p & 1 == 1).for_each(|p| model.set_true(world, ["p", "q", "rain", "wind(1)"][p]));
        }
        for (agent, classes) in classes.iter().enumerate() {
            model.set_relation(agent, Relation::Classes(Classes::by_key(classes.iter())));
        }
        if belief {
            model.set_relation(0, Relation::Edges(Edges::from_pairs(size, edges)));
        }
        if named {
            model.set_names((0..size).map(|w| format!("world {w}").into()).collect());
        }
        model
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_model_can_be_drawn(model in any_model(), point in 0..20usize) {
        let truth = Some(("p | q".to_string(), BitSet::from_fn(model.size(), |w| w % 2 == 0)));
        let options = Options { truth, ..at(point) };
        prop_assert_eq!(sound(&model, &options), model.size());
        if model.size() > 1 {
            let few = Options { max_worlds: model.size() / 2, ..at(point) };
            prop_assert!(sound(&model, &few) <= model.size() / 2);
        }
    }
}
