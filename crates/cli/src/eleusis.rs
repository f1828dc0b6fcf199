//! `ken eleusis`: rules, what they accept, and whether two are the same.

use crate::args::{EleusisCommand, EquivArgs, JudgeArgs, LimitArgs, RuleArgs};
use crate::commands::watch;
use crate::input::{Failure, read_text};
use crate::output::{Style, emit, line};
use ken_games::cards::Card;
use ken_games::eleusis::automaton::{Automaton, LIMIT, Measure, Separation, Unbounded, Which, separate};
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::library::{find, rules};
use ken_games::eleusis::notation::{Notation, Reading, Unreadable, read_rule, read_within};
use ken_games::eleusis::rule::refusal;
use ken_logic::text::wrap;
use serde_json::{Value, json};
use std::path::Path;

const DECK: Deck = Deck::STANDARD;

pub(crate) fn wants_json(command: &EleusisCommand) -> bool {
    match command {
        EleusisCommand::Rule(args) => args.json,
        EleusisCommand::Judge(args) => args.json,
        EleusisCommand::Equiv(args) => args.json,
        EleusisCommand::Guess(args) => args.json,
        EleusisCommand::Know(args) => args.asked.json || args.asked.batch,
        EleusisCommand::Why(args) => args.asked.json,
        EleusisCommand::Properties(args) => args.json,
    }
}

pub(crate) fn run(command: &EleusisCommand) -> Result<u8, Failure> {
    match command {
        EleusisCommand::Rule(args) => rule(args),
        EleusisCommand::Judge(args) => judge(args),
        EleusisCommand::Equiv(args) => equiv(args),
        EleusisCommand::Guess(args) => crate::guess::run(args),
        EleusisCommand::Know(args) => crate::eleusis_know::know(args),
        EleusisCommand::Why(args) => crate::eleusis_know::why(args),
        EleusisCommand::Properties(args) => crate::properties::run(args),
    }
}

/// What an argument says, and what it is called in messages: a library rule, a file, or the text itself.
fn source(argument: &str) -> Result<(String, String), Failure> {
    match (argument.strip_prefix('@'), find(argument)) {
        (Some(file), _) => read_text(file),
        // The text of a library rule says with which cards a line may start; its name inside a text does not.
        (None, Some(entry)) => Ok((entry.id.to_string(), entry.text.to_string())),
        (None, None) if argument == "-" || Path::new(argument).is_file() => read_text(argument),
        (None, None) => Ok(("rule".to_string(), argument.to_string())),
    }
}

/// The rule that an argument means, in whichever notation, with its automaton.
fn load(argument: &str, limits: &LimitArgs) -> Result<(String, Reading), Failure> {
    let (name, text) = source(argument)?;
    match read_within(&text, &DECK, limits.max_states.unwrap_or(LIMIT)) {
        Ok(reading) => {
            let shown = reading.rule.as_ref().map_or_else(|| text.trim().to_string(), ToString::to_string);
            Ok((shown, reading))
        }
        Err(Unreadable::Text(problems)) => Err(Failure::Text { name, text, problems }),
        Err(Unreadable::Unbounded(error)) => Err(too_much(&error)),
    }
}

fn too_much(error: &Unbounded) -> Failure {
    match error {
        Unbounded::NotRegular { .. } => Failure::Usage {
            message: error.to_string(),
            help: Some("a rule may remember only so much; docs/eleusis-rules.md says what".to_string()),
        },
        Unbounded::TooLarge { .. } => Failure::GaveUp {
            message: error.to_string(),
            help: "raise --max-states, or write a rule that needs less".to_string(),
        },
    }
}

/// The cards of `--line`; `refused` finds the first that the rules do not accept.
fn cards(text: &str, refused: impl Fn(&[Card]) -> Option<usize>) -> Result<Vec<Card>, Failure> {
    let failure = |problems| Failure::Text { name: "--line".to_string(), text: text.to_string(), problems };
    let line = DECK.read_line(text).map_err(failure)?;
    match refused(&line).and_then(|at| refusal(text, at)) {
        Some(problem) => Err(failure(vec![problem])),
        None => Ok(line),
    }
}

fn share(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

fn rule(args: &RuleArgs) -> Result<u8, Failure> {
    let monitor = watch(&args.limits, args.json, "compiling the rule");
    let (shown, reading) = load(&args.rule, &args.limits)?;
    let automaton = &reading.automaton;
    let measure = automaton.measure(reading.start);
    drop(monitor);
    if measure.permissiveness == 0.0 {
        return Err(Failure::Usage {
            message: "the rule accepts no card after any first card".to_string(),
            help: Some("nobody could play; try its parts one by one".to_string()),
        });
    }
    if args.json {
        emit(&json!({
            "text": shown, "states": automaton.states(), "permissiveness": measure.permissiveness,
            "every_card_playable": measure.every_card_playable, "can_dead_end": measure.can_dead_end,
            "fair": measure.fair,
        }));
        return Ok(0);
    }
    for part in shown.lines().flat_map(|row| wrap(row, 80)) {
        line(&part);
    }
    describe(automaton, &measure);
    for note in reading.notes.iter().flat_map(|note| wrap(&format!("note: {note}"), 80)) {
        line(&note);
    }
    Ok(0)
}

fn describe(automaton: &Automaton, measure: &Measure) {
    let style = Style::stdout();
    line(&format!("states              {}", automaton.states()));
    line(&format!(
        "accepts             {} of the deck, at least {}",
        share(measure.permissiveness),
        share(measure.least)
    ));
    let every = if measure.every_card_playable { "every card fits somewhere" } else { "some cards never fit" };
    line(&format!("cards               {every}"));
    let dead = if measure.can_dead_end {
        format!("possible: {} of lines of 20 cards", share(measure.dead_end_rate))
    } else {
        "none: a card can always be played".to_string()
    };
    line(&format!("dead ends           {dead}"));
    let fair = if measure.fair {
        style.good("fair")
    } else {
        format!("{} (fair: ¼ to ½ of the deck, every card somewhere, no dead end)", style.bad("not fair"))
    };
    line(&format!("to play             {fair}"));
}

fn judge(args: &JudgeArgs) -> Result<u8, Failure> {
    let card = DECK.read_card(&args.card).map_err(|problems| Failure::Text {
        name: "--card".to_string(),
        text: args.card.clone(),
        problems,
    })?;
    let (name, text) = source(&args.rule)?;
    let monitor = watch(&args.limits, args.json, "judging");
    // A rule that is text is judged by itself: it need not have an automaton.
    let accept = if Notation::of(&text) == Notation::Rule {
        let rule = read_rule(&text, &DECK).map_err(|problems| Failure::Text { name, text, problems })?;
        rule.accepts(&cards(&args.line, |line| rule.refuses(line))?, card)
    } else {
        let (_, Reading { automaton, .. }) = load(&args.rule, &args.limits)?;
        let cards = cards(&args.line, |line| automaton.refuses(line))?;
        automaton.run(&cards).is_some_and(|at| automaton.accepted(at).has(card))
    };
    drop(monitor);
    if args.json {
        emit(&json!({"accept": accept}));
    } else {
        let style = Style::stdout();
        let verdict = if accept { style.good("accepted") } else { style.bad("refused") };
        line(&format!("{verdict}  {}", DECK.write(card)));
    }
    Ok(u8::from(!accept))
}

/// How two rules differ from a line on.
enum Difference {
    /// On a card of the line itself, at this place from 0: only this rule accepts it.
    On(usize, Card, Which),
    /// On a way on from it.
    Ahead(Separation),
}

fn equiv(args: &EquivArgs) -> Result<u8, Failure> {
    let monitor = watch(&args.limits, args.json, "comparing the rules");
    let read = |rule: &str| Ok::<_, Failure>(load(rule, &args.limits)?.1.automaton);
    let (one, two) = (read(&args.first)?, read(&args.second)?);
    let everywhere = separate((&one, one.start()), (&two, two.start()));
    let here = match &args.line {
        None => everywhere.clone().map(Difference::Ahead),
        Some(text) => from_line(text, &one, &two)?,
    };
    drop(monitor);
    if args.json {
        emit(&json!({
            "equivalent_here": here.is_none(), "equivalent_everywhere": everywhere.is_none(),
            "witness": here.as_ref().map(witness),
        }));
    } else {
        tell(args, here.as_ref(), everywhere.is_none());
    }
    Ok(u8::from(here.is_some()))
}

/// A line that one rule plays and the other refuses tells them apart; one that both refuse at a card is none.
fn from_line(text: &str, one: &Automaton, two: &Automaton) -> Result<Option<Difference>, Failure> {
    let both = |line: &[Card]| match (one.refuses(line), two.refuses(line)) {
        (Some(a), Some(b)) if a == b => Some(a),
        _ => None,
    };
    let cards = cards(text, both)?;
    Ok(match (one.run(&cards), two.run(&cards)) {
        (Some(a), Some(b)) => separate((one, a), (two, b)).map(Difference::Ahead),
        _ => {
            let (a, b) = (one.refuses(&cards), two.refuses(&cards));
            let (at, by) = match (a, b) {
                (Some(a), Some(b)) if a < b => (a, Which::Second),
                (Some(a), None) => (a, Which::Second),
                (_, Some(b)) => (b, Which::First),
                (None, None) => unreachable!("one of them refuses the line"),
            };
            Some(Difference::On(at, cards[at], by))
        }
    })
}

fn place(which: Which) -> (u8, &'static str) {
    match which {
        Which::First => (1, "first"),
        Which::Second => (2, "second"),
    }
}

fn witness(difference: &Difference) -> Value {
    let names = |cards: &[Card]| cards.iter().map(|&card| DECK.write(card)).collect::<Vec<_>>();
    match difference {
        Difference::On(at, card, by) => {
            json!({"on_line": at, "line": [], "card": DECK.write(*card), "accepted_by": place(*by).0})
        }
        Difference::Ahead(Separation { line, card, accepted_by }) => {
            json!({"line": names(line), "card": DECK.write(*card), "accepted_by": place(*accepted_by).0})
        }
    }
}

fn tell(args: &EquivArgs, here: Option<&Difference>, everywhere: bool) {
    let style = Style::stdout();
    let from = if args.line.is_some() { " from this line on" } else { "" };
    match here {
        None if args.line.is_none() => line(&style.good("the same everywhere")),
        None => {
            line(&style.good(&format!("the same{from}")));
            line(if everywhere { "also from every other line" } else { "but not from every line" });
        }
        Some(difference) => {
            line(&style.bad(&format!("different{from}")));
            let (said, by) = match difference {
                Difference::On(at, card, by) => (format!("card {} of the line, {},", at + 1, DECK.write(*card)), by),
                Difference::Ahead(Separation { line, card, accepted_by }) => {
                    let cards: Vec<String> = line.iter().map(|&card| DECK.write(card)).collect();
                    let after = if cards.is_empty() { String::new() } else { format!("after {}, ", cards.join(" ")) };
                    (format!("{after}{}", DECK.write(*card)), accepted_by)
                }
            };
            line(&format!("{said} is accepted by the {} only", place(*by).1));
        }
    }
}

/// The rule library as data.
pub(crate) fn library() -> Vec<Value> {
    let entry = |entry: &ken_games::eleusis::library::Entry| {
        json!({
            "name": entry.id, "words": entry.words, "text": entry.text, "class": entry.class.name(),
            "permissiveness": entry.permissiveness, "difficulty": entry.difficulty(), "same_as": entry.same_as,
            "benchmark": entry.benchmark(), "held_back": entry.held_back(), "source": entry.source,
        })
    };
    rules().iter().map(entry).collect()
}

/// A rule of the library in a line.
pub(crate) fn about(rule: &Value) -> String {
    let text = |name: &str| rule[name].as_str().unwrap_or_default().to_string();
    let accepts = share(rule["permissiveness"].as_f64().unwrap_or_default());
    format!("{} [{}, difficulty {}, accepts {accepts}]", text("words"), text("class"), rule["difficulty"])
}
