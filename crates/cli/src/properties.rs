//! `ken eleusis properties`: what the paper's properties say of an instance.

use crate::args::PropertiesArgs;
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::output::{Style, emit, line, raw};
use ken_games::bridge::eleusis::{self as bridge, NotChecked};
use ken_games::eleusis::properties::{
    Decision, End, Evidence, Instance, Mode, Outcome, Person, Play, Story, Verdicts, decide, in_all, instances,
    property_3, property_4, result, story,
};
use ken_logic::check::CheckError;
use ken_logic::text::wrap;
use serde_json::json;

/// The positions that a question may look at, unless the user says otherwise.
const POSITIONS: usize = 5_000_000;

/// The width of a report.
const WIDTH: usize = 80;

pub(crate) fn run(args: &PropertiesArgs) -> Result<u8, Failure> {
    let (name, text) = read_text(&args.file)?;
    let monitor = watch(&args.limits, args.json, "compiling the candidates");
    let mut list = instances(&text).map_err(|problems| Failure::Text { name: name.clone(), text, problems })?;
    let several = list.len() != 1;
    if let Some(only) = &args.only {
        list.retain(|instance| instance.id.as_ref() == Some(only));
        if list.is_empty() {
            return Err(Failure::usage(format!("{name}: no instance has the id `{only}`")));
        }
    }
    if args.model {
        let [instance] = &list[..] else {
            return Err(Failure::Usage {
                message: format!("{name} has {} instances, and a model is of one", list.len()),
                help: Some("choose one with --only ID".to_string()),
            });
        };
        raw(&bridge::source(instance).map_err(unfit)?);
        return Ok(0);
    }
    let mut code = 0;
    for (k, instance) in list.iter().enumerate() {
        monitor.doing("deciding");
        let (decisions, verdicts) = answers(args, instance)?;
        let undecided = |v: &Verdicts| [v.alice_first, v.someone_may, v.alice_first_may].contains(&None);
        if verdicts.iter().any(undecided) {
            code = 3;
        }
        monitor.quietly(|| match (args.json, several && args.only.is_none()) {
            (true, false) => emit(&result(instance, &verdicts)),
            (true, true) => emit(&json!({"id": instance.id, "result": result(instance, &verdicts)})),
            (false, _) => {
                if k > 0 {
                    line("");
                }
                print(instance, &verdicts, decisions.as_deref());
            }
        });
    }
    Ok(code)
}

type Answers = (Option<Vec<Decision>>, Vec<Verdicts>);

fn answers(args: &PropertiesArgs, instance: &Instance) -> Result<Answers, Failure> {
    if args.recall {
        let checked = bridge::check(instance).map_err(unfit)?;
        return Ok((None, checked.iter().map(Verdicts::from).collect()));
    }
    let decisions = decide(instance, args.limits.max_states.unwrap_or(POSITIONS)).map_err(|limit| Failure::GaveUp {
        message: limit.to_string(),
        help: "raise --max-states, or set a smaller `move_bound`".to_string(),
    })?;
    let verdicts = decisions.iter().map(Verdicts::from).collect();
    Ok((Some(decisions), verdicts))
}

fn unfit(error: NotChecked) -> Failure {
    match error {
        NotChecked::Engine(CheckError::Limit(limit)) => Failure::GaveUp {
            message: limit.to_string(),
            help: "leave --recall out: the search looks at far fewer states".to_string(),
        },
        NotChecked::Unbounded | NotChecked::Planned | NotChecked::Engine(_) => Failure::usage(error.to_string()),
    }
}

fn print(instance: &Instance, verdicts: &[Verdicts], decisions: Option<&[Decision]>) {
    header(instance);
    let lines = |pick: &dyn Fn(&Decision) -> Option<&Evidence>| {
        let (rule, evidence) = decisions?.iter().enumerate().find_map(|(rule, d)| Some((rule, pick(d)?)))?;
        Some(story(instance, rule, evidence))
    };
    let fails = |outcome: &'_ Outcome| !outcome.holds();
    let p1 = verdict("1", "AF (K_A Rule | K_B Rule)", in_all(verdicts.iter().map(|v| Some(v.someone))));
    if p1 == Some(false) {
        where_it_holds(instance, verdicts, |v| Some(v.someone));
        tell(instance, lines(&|d| fails(&d.someone).then(|| d.someone.evidence())), "nobody needs to know the rule");
    }
    let p2 = verdict("2", "AF (K_A Rule & !K_B Rule)", in_all(verdicts.iter().map(|v| v.alice_first)));
    if p2 == Some(false) {
        where_it_holds(instance, verdicts, |v| v.alice_first);
        let avoided = lines(&|d| d.alice_first.as_ref().ok().filter(|o| fails(o)).map(Outcome::evidence));
        tell(instance, avoided, "Alice is never ahead");
    }
    verdict("3", "Turn = A -> AF (K_A Rule & !K_B Rule)", property_3(instance, verdicts));
    let until = "A(!k U (k & Moves < m)) where k = K_A Rule | K_B Rule";
    match property_4(verdicts) {
        Some(m) => {
            answer_line("4", until, &Style::stdout().good(&format!("m = {m}")));
            let longest = |d: &'_ Decision| d.least_m() == Some(m);
            tell(instance, lines(&|d| longest(d).then(|| d.someone.evidence())), "a longest line");
        }
        None => {
            answer_line("4", until, &Style::stdout().bad("no m"));
            let some = instance.rules.iter().zip(verdicts).filter_map(|(rule, v)| Some((&rule.name, v.least_m?)));
            let some: Vec<String> = some.map(|(name, m)| format!("{name}: {m}")).collect();
            if !some.is_empty() {
                indented(&format!("least m for {}", some.join(", ")));
            }
        }
    }
    let e1 = verdict(" ", "EF (K_A Rule | K_B Rule)", in_all(verdicts.iter().map(|v| v.someone_may)));
    if e1 == Some(false) {
        where_it_holds(instance, verdicts, |v| v.someone_may);
    }
    if verdicts.iter().any(|v| v.someone_may == Some(true)) {
        tell(instance, lines(&|d| d.someone_may.as_ref().ok()?.as_ref()), "a shortest line");
    }
    let e2 = verdict(" ", "EF (K_A Rule & !K_B Rule)", in_all(verdicts.iter().map(|v| v.alice_first_may)));
    if e2 == Some(false) {
        where_it_holds(instance, verdicts, |v| v.alice_first_may);
    }
    if verdicts.iter().any(|v| v.alice_first_may == Some(true)) {
        tell(instance, lines(&|d| d.alice_first_may.as_ref().ok()?.as_ref()), "a shortest line");
    }
}

fn header(instance: &Instance) {
    let deck = &instance.deck;
    let id = instance.id.as_deref().unwrap_or("instance");
    let count = instance.rules.len();
    let plural = if count == 1 { "" } else { "s" };
    line(&format!("{id}: {count} candidate{plural}, starter {}", deck.write(instance.starter)));
    let mode = match instance.mode {
        Mode::Unlimited => format!("any of {} cards at any time", deck.size()),
        Mode::Decks(hands) => {
            let hand = |who: Person| match hands[who.index()].is_empty() {
                true => "nothing".to_string(),
                false => hands[who.index()].iter().map(|c| deck.write(c)).collect::<Vec<_>>().join(" "),
            };
            format!("A holds {}, B holds {}", hand(Person::A), hand(Person::B))
        }
    };
    let bound = instance.bound.map_or("no bound on moves".to_string(), |n| format!("at most {n} moves"));
    let (o, p, k) = (instance.observation.name(), instance.protocol.name(), instance.reading.name());
    let first = instance.first.name();
    indented(&format!("{mode}; {first} begins; {bound}; observation {o}; protocol {p}; knowledge {k}"));
}

fn answer_line(number: &str, formula: &str, answer: &str) {
    line(&format!("{number}  {formula:<66} {answer}"));
}

fn verdict(number: &str, formula: &str, holds: Option<bool>) -> Option<bool> {
    let style = Style::stdout();
    let answer = match holds {
        Some(true) => style.good("true"),
        Some(false) => style.bad("false"),
        None => style.dim("gave up"),
    };
    answer_line(number, formula, &answer);
    holds
}

/// Where some copies differ, in which of them it holds.
fn where_it_holds(instance: &Instance, verdicts: &[Verdicts], answer: impl Fn(&Verdicts) -> Option<bool>) {
    let named = instance.rules.iter().zip(verdicts);
    let holding: Vec<&str> = named.filter(|(_, v)| answer(v) == Some(true)).map(|(r, _)| r.name.as_str()).collect();
    if !holding.is_empty() {
        indented(&format!("true only if the rule is {}", holding.join(" or ")));
    }
}

fn indented(text: &str) {
    wrap(text, WIDTH - 4).iter().for_each(|part| line(&format!("    {part}")));
}

/// A line of play, move by move.
fn tell(instance: &Instance, story: Option<Story>, what: &str) {
    let Some(story) = story else { return };
    let name = |rule: usize| instance.rules[rule].name.as_str();
    if story.plays.is_empty() {
        indented(match story.end {
            End::Reached => "so from the beginning",
            End::Bound => "there is no move",
            End::EmptyHand => "a hand is empty from the beginning",
            End::Again(_) => "nothing ever happens",
        });
        return;
    }
    indented(&format!("{what}, if the rule is {}:", name(story.rule)));
    for (k, play) in story.plays.iter().enumerate() {
        let card = instance.deck.write(play.card);
        let judged = if play.accepted { "accepted" } else { "refused" };
        let start = format!("    {:>4}  {} plays {card:<3} {judged:<9}", k + 1, play.who.name());
        let whole =
            format!("{start} {}", thoughts(play, |left| left.iter().map(|&r| name(r)).collect::<Vec<_>>().join(", ")));
        let short = || format!("{start} {}", thoughts(play, |left| format!("{} candidates left", left.len())));
        line(&if whole.chars().count() <= WIDTH { whole } else { short() });
    }
    match story.end {
        End::Reached => {}
        End::Bound => indented("and that is the last move"),
        End::EmptyHand => indented("and the hand is empty"),
        End::Again(moves) => {
            let from = if moves == 0 { "from the beginning".to_string() } else { format!("as after move {moves}") };
            let until = instance.bound.map_or("for ever".to_string(), |bound| format!("up to move {bound}"));
            indented(&format!("and so on {from}, {until}"));
        }
    }
}

/// What the players think after a move.
fn thoughts(play: &Play, left: impl Fn(&[usize]) -> String) -> String {
    let of = |who: Person| {
        let open = &play.left[who.index()];
        match (play.knows[who.index()], open.len()) {
            (true, 1) => "knows".to_string(),
            (true, n) => format!("knows, {n} agree"),
            (false, _) => left(open),
        }
    };
    let [a, b] = Person::ALL.map(of);
    match play.knows {
        [true, true] if a == "knows" && b == a => "A and B know".to_string(),
        _ if a == b => format!("A and B: {a}"),
        _ => format!("A: {a}; B: {b}"),
    }
}
