//! Reports against golden files. `KEN_BLESS=1` writes them anew; look at the difference before you commit it.

use crate::experiments::plan;
use ken_arena::experiment::{Memory, Orders, Start, run};
use ken_arena::report::{Report, parse_expected};

const EXPECTED: &str = "\
# made up for this test
label,metric,value,tolerance,direction
waits,rounds,6,1
waits less,rounds minus waits,0,0,at_most
meets,wins of careful,0.9,0.05
meets,wins of nobody,1,0
";

fn report() -> Report {
    let results = run(&plan(), &mut Memory::default(), Start::Afresh, &Orders::default()).unwrap();
    Report::new(&results, &parse_expected(EXPECTED).unwrap())
}

fn golden(name: &str, text: &str) {
    let path = format!("{}/tests/arena/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("KEN_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(before == text, "{name} differs from its golden file; with KEN_BLESS=1 it is written anew");
}

#[test]
fn the_report_in_its_three_forms() {
    let report = report();
    golden("report.json", &format!("{:#}\n", report.json()));
    golden("report.md", &report.markdown());
    golden("report.html", &report.html());
}

#[test]
fn every_row_says_its_games_and_columns_without_a_number_are_left_out() {
    let results = run(&plan(), &mut Memory::default(), Start::Afresh, &Orders::default()).unwrap();
    let told = |expected: &str, paper: bool| {
        let mut report = Report::new(&results, &parse_expected(expected).unwrap());
        report.rows[0].paper = paper.then_some(5.5);
        let text = report.text();
        let head = text.lines().find(|line| line.contains(" mean ")).unwrap();
        let games = head.split_whitespace().position(|word| word == "games").unwrap();
        assert_eq!(games, 4, "after the mean and its interval: {head}");
        let row = text.lines().find(|line| line.contains("rounds") && line.contains(" – ")).unwrap();
        assert!(
            row.contains(&format!(" {} ", report.rows[0].n)) || row.ends_with(&report.rows[0].n.to_string()),
            "{row}"
        );
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.contains(" games: share of the wins"), "{text}");
        let (markdown, html) = (report.markdown(), report.html());
        let has = |name: &str, key: &str| {
            let there = head.contains(name);
            assert_eq!(markdown.contains(&format!("| {name} |")), there, "{markdown}");
            assert_eq!((html.contains(&format!("<th>{name}</th>")), html.contains(key)), (there, there), "{name}");
            there
        };
        (has("paper", "Diamond: the paper."), has("expected", "Stroke: expected."))
    };
    for paper in [false, true] {
        assert_eq!(told("", paper), (paper, false));
        assert_eq!(told("waits,rounds,6,1\n", paper), (paper, true));
    }
}

#[test]
fn the_page_needs_nothing_else_and_what_others_wrote_is_escaped() {
    let page = report().html();
    assert!(page.contains("A &lt;test&gt; of arms") && !page.contains("<test>"));
    for outside in ["http", "src=", "href=", "url(", "@import", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // Tags that are opened are closed, in order.
    let mut open = Vec::new();
    for tag in page.split('<').skip(1).filter(|t| !t.starts_with('!')) {
        let inside = tag.split('>').next().unwrap();
        let name = inside.trim_start_matches('/').split([' ', '/']).next().unwrap().to_string();
        if inside.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !inside.ends_with('/') && name != "meta" {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_report_passes_only_if_every_expectation_is_met_and_measured() {
    let results = run(&plan(), &mut Memory::default(), Start::Afresh, &Orders::default()).unwrap();
    let passes = |text: &str| Report::new(&results, &parse_expected(text).unwrap()).passes();
    assert!(passes("waits,rounds,6,1\n"));
    assert!(!passes("waits,rounds,9,1\n"), "not met");
    assert!(!passes("waits,rounds,6,1\nwaits,money,1,1\n"), "not measured");
}

#[test]
fn a_run_with_fewer_games_is_judged_by_its_interval() {
    let few = run(&plan().with_games(9), &mut Memory::default(), Start::Afresh, &Orders::default()).unwrap();
    let row = &Report::new(&few, &[]).rows[0];
    let just_inside = format!("waits,rounds,{},0\n", row.high - 0.01);
    assert!(Report::new(&few, &parse_expected(&just_inside).unwrap()).passes());
    let outside = format!("waits,rounds,{},0\n", row.high + 0.01);
    assert!(!Report::new(&few, &parse_expected(&outside).unwrap()).passes());
}

#[test]
fn one_game_gives_a_report_without_an_interval() {
    let one = run(&plan().with_games(1), &mut Memory::default(), Start::Afresh, &Orders::default()).unwrap();
    let report = Report::new(&one, &[]);
    assert!(report.json()["rows"][0]["low"].is_null());
    assert!(report.markdown().contains("| none |") && report.text().contains(" none "), "{}", report.markdown());
    assert!(report.html().contains("<td>none</td>") && report.text().contains("all alike may have none"));
    assert!(!report.html().contains("NaN") && !report.html().contains("inf"));
}
