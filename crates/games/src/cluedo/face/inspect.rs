//! Who knows what: the facts about the deal, for the seat itself and for what it knows of others.

use super::standing::{Standing, silent, unanswered};
use crate::cards::CardSet;
use crate::cluedo::know::{Budget, KnowError, Knower};
use crate::cluedo::rules::asked;
use crate::cluedo::{Atom, Cluedo, Fact, Position, Sight};
use crate::game::{Game, Seat};
use crate::knowledge::{self, Voice};
use crate::table::page::{FactRow, Inspection, Known, Problem};
use crate::table::words::chain_words;
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

/// A row with its fact, and whether it is about the whole chain yet.
type Row = (FactRow, Fact, bool);

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
    let read = (!filter.is_empty()).then(|| knowledge::read(&position, filter));
    match &read {
        None => {}
        Some(Ok(asked)) => {
            let about = mentioned(asked);
            rows.retain(|(_, fact, _)| about.is_empty() || !mentioned(fact).is_disjoint(about));
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
                words: knowledge::words(&position, &formula, &Voice::to(me)),
                group: "asked".to_string(),
                verdict,
                share: share(&standing, others, &formula),
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
        words: chain_words(chain),
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

/// What the chain knows about the fact.
pub(super) fn verdict(knower: &mut Knower, others: &[Seat], fact: &Fact) -> Result<Known, KnowError> {
    let answer = knower.ask(&fact.clone().known_along(others), &ROWS)?;
    if answer.known {
        return Ok(Known::Known);
    }
    let excluded = match others.is_empty() {
        true => !answer.possible,
        false => knower.ask(&fact.clone().negated().known_along(others), &ROWS)?.known,
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
            let at = Fact::at(card, place);
            let fact = knowledge::write(&standing.position, &at);
            let words = knowledge::words(&standing.position, &at, &Voice::to(me));
            rows.push((FactRow { fact, words, group, verdict, share: standing.chance(card, place) }, at, false));
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
    for (row, fact, answered) in rows.iter_mut().filter(|row| !row.2) {
        let goal = match row.verdict {
            Known::Known => Some(fact.clone()),
            Known::Excluded => Some(fact.clone().negated()),
            Known::Open => None,
        };
        // After the first question that takes too long the next ones would, too.
        let known = match goal {
            None => Ok(false),
            Some(_) if left > 0 => Err(KnowError::Limit),
            Some(goal) => {
                let budget = Budget { steps: end.saturating_sub(knower.steps()) };
                knower.ask(&goal.known_along(others), &budget).map(|answer| answer.known)
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

/// The cards that a fact speaks of.
fn mentioned(fact: &Fact) -> CardSet {
    let card = |atom: &&Atom| if let Atom::At(card, _) = atom { Some(*card) } else { None };
    fact.atoms().iter().filter_map(card).collect()
}

/// How likely a single fact, or its contrary, is for the reader.
fn share(standing: &Standing, others: &[Seat], fact: &Fact) -> Option<f64> {
    if !others.is_empty() {
        return None;
    }
    match fact {
        Fact::Atom(Atom::At(card, place)) => standing.chance(*card, *place),
        Fact::Not(inner) => share(standing, others, inner).map(|p| 1.0 - p),
        _ => None,
    }
}

/// Where cards are that are not in the own hand, as far as it is known.
pub(super) fn learned(game: &Cluedo, memory: &[Sight]) -> Vec<FactRow> {
    let standing = Standing::of(game, memory);
    let rows = facts(game, &standing).into_iter().map(|(row, ..)| row);
    rows.filter(|row| row.verdict == Known::Known && row.group != HAND).collect()
}
