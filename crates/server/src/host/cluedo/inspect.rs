//! Who knows what: the facts about the deal, for the seat itself and for what it knows of others.

use super::standing::{Standing, silent, unanswered};
use super::words;
use crate::api::{FactRow, Inspection, Known, Problem};
use ken_games::cards::CardSet;
use ken_games::cluedo::know::{self, Budget, KnowError, Knower};
use ken_games::cluedo::rules::asked;
use ken_games::cluedo::{Cluedo, Position, Sight};
use ken_games::game::{Game, Seat};
use ken_logic::formula::{F, Formula};
use ken_logic::text::grouped;

/// What all rows about others' knowledge may take together, and a single formula: about a second and a half.
pub(super) const ROWS: Budget = Budget { steps: 150_000 };

/// The longest chain.
const LONGEST: usize = 5;

/// The groups of rows that are not another seat's.
const ENVELOPE: &str = "the envelope";
const HAND: &str = "your hand";

/// Said where what others know is found out without the ends of turns.
const WITHOUT_ENDS: &str = "What the ends of turns tell about others' knowledge takes too long to find out: some facts \
                            that are open here may be known.";

/// A row with its formula, and whether it is about the whole chain yet.
type Row = (FactRow, F, bool);

/// What the chain knows.
pub(super) fn inspect(game: &Cluedo, memory: &[Sight], chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
    let standing = Standing::of(game, memory);
    let me = standing.position.observer();
    let others = others(&standing.position, chain)?;
    let mut notes: Vec<String> = standing.note(game).into_iter().collect();
    let position = match standing.left_out {
        None => standing.position.clone(),
        Some(_) => silent(&standing.position),
    };
    let mut rows = facts(game, &standing);
    let filter = filter.trim();
    let read = (!filter.is_empty()).then(|| know::formula(&position, filter));
    match &read {
        None => {}
        Some(Ok(formula)) => {
            let about = mentioned(game, formula);
            rows.retain(|(row, ..)| about.is_empty() || words::spot(game, &row.fact).is_some_and(|s| about.has(s.0)));
        }
        Some(Err(problems)) => {
            let text = filter.to_lowercase();
            rows.retain(|(row, ..)| {
                let row = format!("{} {} {}", row.words, row.fact, row.group).to_lowercase();
                text.split_whitespace().all(|word| row.contains(word))
            });
            if let (true, Some(first)) = (text.contains(['(', '[']), problems.first()) {
                notes.push(format!("Not read as a formula: {}.", first.message));
            }
        }
    }
    if !others.is_empty() {
        let mut left = nested(&mut Knower::new(&position), others, &mut rows)?;
        if left > 0 && position.has_endmoves() {
            // What others know without the ends of turns they know with them too.
            left = nested(&mut Knower::new(&silent(&position)), others, &mut rows)?;
            notes.push(WITHOUT_ENDS.to_string());
        }
        if left > 0 {
            let (facts, are) = if left == 1 { ("fact", "is") } else { ("facts", "are") };
            notes.push(format!("{left} {facts} {are} left out: what others know there takes too long to find out."));
            rows.retain(|row| row.2);
        }
    }
    let asked = match read {
        // A formula may say that somebody does not know: nothing may be left out then.
        Some(Ok(formula)) => match verdict(&mut Knower::new(&standing.position), others, &formula) {
            Ok(verdict) => Some(FactRow {
                fact: filter.to_string(),
                words: words::say(game, me, &formula),
                group: "asked".to_string(),
                verdict,
                share: share(game, &standing, others, &formula),
            }),
            Err(KnowError::NoWorld) => None,
            Err(KnowError::Limit) => {
                notes.push(format!("`{filter}` would take too long to find out."));
                None
            }
            Err(error @ KnowError::Unfit(_)) => return Err(unanswered(error)),
        },
        Some(Err(_)) | None => None,
    };
    let mut rows: Vec<FactRow> = rows.into_iter().map(|(row, ..)| row).collect();
    sort(&mut rows);
    Ok(Inspection {
        chain: chain.iter().map(|s| s.0).collect(),
        words: words::chain(me, others),
        worlds: match standing.left_out {
            None | Some(KnowError::NoWorld) => Some(grouped(standing.solved.deals)),
            Some(KnowError::Limit | KnowError::Unfit(_)) => None,
        },
        rows,
        asked,
        note: (!notes.is_empty()).then(|| notes.join(" ")),
    })
}

/// The chain after the reader, if it is one.
pub(super) fn others<'c>(position: &Position, chain: &'c [Seat]) -> Result<&'c [Seat], Problem> {
    let wrong = |message: String| Problem::new("chain", message);
    match chain.split_first() {
        Some((&first, rest)) if first == position.observer() => {
            if let Some(seat) = rest.iter().find(|s| s.0 >= position.seats()) {
                return Err(wrong(format!("there is no seat {seat} among {}", position.seats())));
            }
            if chain.len() > LONGEST {
                return Err(wrong(format!("a chain has at most {LONGEST} seats")));
            }
            Ok(rest)
        }
        Some(_) | None => Err(wrong(format!("the chain begins with your own seat, {}", position.observer()))),
    }
}

/// That each seat of the chain knows that the next knows … the formula.
pub(super) fn knows(others: &[Seat], formula: F) -> F {
    others.iter().rev().fold(formula, |f, seat| Formula::knows(seat.to_string(), f))
}

/// What the chain knows about the formula.
pub(super) fn verdict(knower: &mut Knower, others: &[Seat], formula: &F) -> Result<Known, KnowError> {
    let answer = knower.ask(&knows(others, formula.clone()), &ROWS)?;
    if answer.known {
        return Ok(Known::Known);
    }
    let excluded = match others.is_empty() {
        true => !answer.possible,
        false => knower.ask(&knows(others, Formula::negation(formula.clone())), &ROWS)?.known,
    };
    Ok(if excluded { Known::Excluded } else { Known::Open })
}

/// Where the cards may be, for the seat itself, each row with its formula.
fn facts(game: &Cluedo, standing: &Standing) -> Vec<Row> {
    let me = standing.position.observer();
    let seats = usize::from(game.seats());
    let places = [seats].into_iter().chain(asked(me, game.seats()).map(Seat::index)).chain([me.index()]);
    let mut rows = Vec::new();
    for place in places {
        for card in game.deck().cards().iter() {
            let verdict = match standing.settled(card, place) {
                Some(true) => Known::Known,
                Some(false) => Known::Excluded,
                None => Known::Open,
            };
            let group = match place {
                p if p == seats => ENVELOPE.to_string(),
                p if p == me.index() => HAND.to_string(),
                p => format!("seat {p}"),
            };
            let fact = words::fact(game, card, place);
            let formula = Formula::atom(fact.clone());
            let words = words::at(game, me, card, place, true);
            rows.push((FactRow { fact, words, group, verdict, share: standing.chance(card, place) }, formula, false));
        }
    }
    rows
}

/// Turns what the reader knows into what it knows that the others know; says how many rows are not answered
/// yet.
///
/// What is open for the reader is open for the chain: nobody can be known to know what may be false.
fn nested(knower: &mut Knower, others: &[Seat], rows: &mut [Row]) -> Result<usize, Problem> {
    let end = knower.steps().saturating_add(ROWS.steps);
    // What is known comes first: there is less of it, and it tells more.
    rows.sort_by_key(|(row, ..)| row.verdict != Known::Known);
    let mut left = 0;
    for (row, formula, answered) in rows.iter_mut().filter(|row| !row.2) {
        let goal = match row.verdict {
            Known::Known => Some(formula.clone()),
            Known::Excluded => Some(Formula::negation(formula.clone())),
            Known::Open => None,
        };
        // After the first question that takes too long the next ones would, too.
        let known = match goal {
            None => Ok(false),
            Some(_) if left > 0 => Err(KnowError::Limit),
            Some(goal) => {
                let budget = Budget { steps: end.saturating_sub(knower.steps()) };
                knower.ask(&knows(others, goal), &budget).map(|answer| answer.known)
            }
        };
        match known {
            Ok(known) => {
                row.share = None;
                *answered = true;
                if !known {
                    row.verdict = Known::Open;
                }
            }
            Err(KnowError::Limit) => left += 1,
            Err(error) => return Err(unanswered(error)),
        }
    }
    Ok(left)
}

/// Rows of one group together, in the order of the groups; what is decided first, then what is likely.
fn sort(rows: &mut [FactRow]) {
    let decided = |row: &FactRow| match row.verdict {
        Known::Known => 0,
        Known::Excluded => 1,
        Known::Open => 2,
    };
    let place = |row: &FactRow| (row.group != ENVELOPE, row.group == HAND, row.group.clone());
    rows.sort_by(|a, b| {
        let likely = b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0));
        place(a).cmp(&place(b)).then(decided(a).cmp(&decided(b))).then(likely)
    });
}

/// The cards that a formula speaks of.
fn mentioned(game: &Cluedo, formula: &Formula) -> CardSet {
    let mut cards = CardSet::EMPTY;
    formula.any(&mut |f| {
        if let Formula::Atom(name) = f
            && let Some((card, _)) = words::spot(game, name)
        {
            cards = cards.with(card);
        }
        false
    });
    cards
}

/// How likely a single fact, or its contrary, is for the reader.
fn share(game: &Cluedo, standing: &Standing, others: &[Seat], formula: &Formula) -> Option<f64> {
    if !others.is_empty() {
        return None;
    }
    match formula {
        Formula::Atom(name) => words::spot(game, name).and_then(|(card, place)| standing.chance(card, place)),
        Formula::Not(inner) => share(game, standing, others, inner).map(|p| 1.0 - p),
        _ => None,
    }
}

/// Where cards are that are not in the own hand, as far as it is known.
pub(super) fn learned(game: &Cluedo, memory: &[Sight]) -> Vec<FactRow> {
    let standing = Standing::of(game, memory);
    let rows = facts(game, &standing).into_iter().map(|(row, ..)| row);
    rows.filter(|row| row.verdict == Known::Known && row.group != HAND).collect()
}
