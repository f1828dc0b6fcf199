//! Who knows what, since when, why, and why not: once for every game.

use super::asked;
use super::inspector::Past;
use super::mind::{FactOf, Inspected, Mind, Part, Row};
use super::worlds::{Budget, Done, Refused};
use super::{Fact, Language, Voice, words, write};
use crate::game::{Seat, Verdict};
use crate::table::page::{FactRow, Inspection, Known, Problem, Why, WorldInfo, WorldPart};

/// What all rows about others' knowledge may take together, and a single formula: about a second and a half.
pub const ROWS: Budget = Budget { steps: 150_000 };

/// What finding a proof may take: some tenths of a second.
const PROOF: Budget = Budget { steps: 200_000 };

/// The longest chain of subjects.
pub const CHAIN: usize = 6;

impl From<Verdict> for Known {
    fn from(verdict: Verdict) -> Known {
        match verdict {
            Verdict::Yes => Known::Known,
            Verdict::No => Known::Excluded,
            Verdict::Open => Known::Open,
        }
    }
}

/// A chain of subjects in words: "what you know that seat 1 knows".
pub fn chain_words(chain: &[Seat]) -> String {
    let me = chain.first();
    let others = chain.iter().skip(1).map(|seat| match Some(seat) == me {
        true => " that you know".to_string(),
        false => format!(" that seat {seat} knows"),
    });
    format!("what you know{}", others.collect::<String>())
}

/// The chain after the seat itself, if it is one.
fn others<'c, M: Mind>(mind: &M, chain: &'c [Seat]) -> Result<&'c [Seat], Problem> {
    let wrong = |message: String| Err(Problem::new("chain", message));
    let seats = mind.language().seats();
    match chain.split_first() {
        Some((&first, _)) if first != mind.seat() => {
            wrong(format!("the chain begins with your own seat, {}", mind.seat()))
        }
        None => wrong(format!("the chain begins with your own seat, {}", mind.seat())),
        Some((_, rest)) => match rest.iter().find(|seat| seat.0 >= seats) {
            Some(seat) => wrong(format!("there is no seat {seat} among {seats}")),
            None if chain.len() > CHAIN => wrong(format!("a chain has at most {CHAIN} seats")),
            None => Ok(rest),
        },
    }
}

/// Why a question has no answer.
fn unanswered<M: Inspected>(mind: &M, refused: Refused) -> Problem {
    match refused {
        Refused::NoWorld => mind.clash(),
        Refused::Limit => Problem::new("too-long", "this would take too long to find out")
            .help("ask for what fewer know of each other, or for less at once"),
        Refused::Unfit(why) => Problem { code: "unread".to_string(), ..why.into() },
    }
}

/// What the chain knows of a fact.
fn verdict<M: Inspected>(mind: &mut M, chain: &[Seat], fact: &FactOf<M>, budget: &Budget) -> Done<Verdict> {
    if let Some(quick) = mind.shortcut(chain, fact) {
        return Ok(quick);
    }
    let others = &chain[1..];
    let answer = mind.ask(&fact.clone().known_along(others), budget)?;
    if others.is_empty() || answer.known() {
        return Ok(answer.verdict);
    }
    let excluded = mind.ask(&fact.clone().negated().known_along(others), budget)?.known();
    Ok(if excluded { Verdict::No } else { Verdict::Open })
}

/// The same, relying on less where it takes too long or nothing fits, if something is known then; whether it was so.
fn surely<M: Inspected>(mind: &mut M, chain: &[Seat], fact: &FactOf<M>) -> Result<(Verdict, bool), Problem> {
    let refused = match verdict(mind, chain, fact, &ROWS) {
        Ok(found) => return Ok((found, false)),
        Err(refused @ Refused::Unfit(_)) => return Err(unanswered(mind, refused)),
        Err(refused) => refused,
    };
    // What is denied may be known with what is left out.
    let (affirmed, denied) = (lasts(mind, fact), lasts(mind, &fact.clone().negated()));
    let clash = unanswered(mind, refused);
    if mind.rely_on_less().is_none() {
        return Err(clash);
    }
    match verdict(mind, chain, fact, &ROWS) {
        Ok(Verdict::Yes) if affirmed => Ok((Verdict::Yes, true)),
        Ok(Verdict::No) if denied => Ok((Verdict::No, true)),
        Ok(_) | Err(_) => Err(clash),
    }
}

/// Whether learning more cannot make the fact false in a world that still fits.
fn lasts<M: Mind>(mind: &M, fact: &FactOf<M>) -> bool {
    fact.lasts(&|atom| mind.language().tells_knowledge(atom))
}

/// What is known, if something is.
fn settled<A: Clone>(verdict: Verdict, others: &[Seat], fact: &Fact<A>) -> Option<Fact<A>> {
    match verdict {
        Verdict::Yes => Some(fact.clone().known_along(others)),
        Verdict::No => Some(fact.clone().negated().known_along(others)),
        Verdict::Open => None,
    }
}

/// A row with what the chain knows of it.
struct Found<A> {
    row: Row<A>,
    verdict: Verdict,
    share: Option<f64>,
}

fn shown<M: Inspected>(mind: &M, found: &Found<<M::Language as Language>::Atom>) -> FactRow {
    let Row { fact, group, words: said, .. } = &found.row;
    FactRow {
        fact: write(mind.language(), fact),
        words: said.clone().unwrap_or_else(|| words(mind.language(), fact, &Voice::to(mind.seat()))),
        group: group.clone(),
        verdict: found.verdict.into(),
        share: found.share,
    }
}

/// What the chain knows: the rows that the game lists, and what was typed if it is a formula.
///
/// # Errors
/// The chain is none, or what was typed is meant as a formula and is none.
pub fn inspect<M: Inspected>(mind: &mut M, chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
    let others = others(mind, chain)?;
    let filter = filter.trim();
    let mut notes: Vec<String> = mind.note(chain).into_iter().collect();
    let worlds = mind.amount();
    let mut asked = None;
    let mut about = None;
    if !filter.is_empty() {
        match mind.read(filter) {
            Ok(fact) => {
                match verdict(mind, chain, &fact, &ROWS) {
                    Ok(verdict) => {
                        let share = share(mind, others, &fact);
                        let row = Row::new(fact.clone(), "asked");
                        let row = shown(mind, &Found { row, verdict, share });
                        let fact = if is_formula(filter) { filter.to_string() } else { row.fact };
                        asked = Some(FactRow { fact, ..row });
                    }
                    Err(Refused::NoWorld) => {}
                    Err(Refused::Limit) => notes.push(format!("`{filter}` would take too long to find out.")),
                    Err(unfit @ Refused::Unfit(_)) => return Err(unanswered(mind, unfit)),
                }
                about = Some(fact);
            }
            Err(problems) => match mind.aside(chain, filter) {
                Some(why) => asked = Some(why.row()),
                None if is_formula(filter) => return Err(Problem::text(filter, &problems)),
                None => {}
            },
        }
    }
    let mut rows: Vec<Row<_>> = mind.rows(chain);
    if let Some(fact) = about.as_ref().filter(|_| is_formula(filter)) {
        let atoms = fact.atoms();
        let near = |row: &Row<_>| row.fact.atoms().iter().any(|a| atoms.iter().any(|b| mind.related(a, b)));
        if rows.iter().any(near) {
            rows.retain(near);
        }
    }
    let (found, left) = answered(mind, chain, rows, &mut notes);
    if left > 0 {
        let (facts, are) = if left == 1 { ("fact", "is") } else { ("facts", "are") };
        notes.push(format!("{left} {facts} {are} left out: what others know there takes too long to find out."));
    }
    let mut rows: Vec<FactRow> = found.iter().map(|found| shown(mind, found)).collect();
    if !is_formula(filter) && (asked.is_none() || rows.iter().any(|row| has_words(row, filter))) {
        rows.retain(|row| has_words(row, filter));
    }
    Ok(Inspection {
        chain: chain.iter().map(|s| s.0).collect(),
        words: chain_words(chain),
        worlds,
        rows,
        asked,
        note: (!notes.is_empty()).then(|| notes.join(" ")),
    })
}

/// Whether a text is meant as a formula, and not as words that rows contain.
fn is_formula(text: &str) -> bool {
    text.contains(['(', '[', '<', '&', '|', '!'])
}

/// Whether a row has all these words, in any case.
fn has_words(row: &FactRow, filter: &str) -> bool {
    let text = format!("{} {} {} {:?}", row.fact, row.words, row.group, row.verdict).to_lowercase();
    filter.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// In which share of the worlds the rest of the chain knows the fact, where worlds are counted.
fn share<M: Inspected>(mind: &mut M, others: &[Seat], fact: &FactOf<M>) -> Option<f64> {
    if !M::COUNTS {
        return if others.is_empty() { mind.chance(fact) } else { None };
    }
    let (yes, no) = mind.ask(&fact.clone().known_along(others), &ROWS).ok()?.counts?;
    (yes + no > 0).then(|| yes as f64 / (yes + no) as f64)
}

/// The rows with what the chain knows of them, in their groups, what is known first; and how many had to be left out.
fn answered<M: Inspected>(
    mind: &mut M,
    chain: &[Seat],
    rows: Vec<Row<<M::Language as Language>::Atom>>,
    notes: &mut Vec<String>,
) -> (Vec<Found<<M::Language as Language>::Atom>>, usize) {
    let mut end = mind.steps().saturating_add(ROWS.steps);
    let mut groups: Vec<String> = Vec::new();
    for row in &rows {
        if groups.last() != Some(&row.group) {
            groups.push(row.group.clone());
        }
    }
    // What the seat knows comes first: there is less of it, and it tells more.
    let mut open: Vec<Row<_>> = rows;
    open.sort_by_key(|row| row.own.as_ref().map(|own| own.0) != Some(Verdict::Yes));
    let mut found = Vec::new();
    let mut left = 0;
    let mut given_up = false;
    for row in open {
        let mut answer = Err(Refused::Limit);
        while !given_up {
            let budget = Budget { steps: end.saturating_sub(mind.steps()) };
            answer = of_row(mind, chain, &row, &budget);
            if !matches!(answer, Err(Refused::Limit)) {
                break;
            }
            // After a question that takes too long the next ones would, too.
            match mind.rely_on_less() {
                Some(note) => {
                    notes.push(note.to_string());
                    end = mind.steps().saturating_add(ROWS.steps);
                }
                None => given_up = true,
            }
        }
        match answer {
            Ok((verdict, share)) => found.push(Found { row, verdict, share }),
            Err(_) => left += 1,
        }
    }
    let idle = |of: &Found<_>| {
        let settles =
            |other: &Found<_>| other.row.alone && other.verdict == Verdict::Yes && other.row.group == of.row.group;
        found.iter().any(settles) && !(of.row.alone && of.verdict == Verdict::Yes)
    };
    let keep: Vec<bool> = found.iter().map(|of| !idle(of)).collect();
    let mut keep = keep.into_iter();
    found.retain(|_| keep.next().unwrap_or(true));
    let place = |row: &Row<_>| groups.iter().position(|group| *group == row.group);
    let decided = |verdict: Verdict| match verdict {
        Verdict::Yes => 0,
        Verdict::Open => 1,
        Verdict::No => 2,
    };
    found.sort_by(|a, b| {
        let likely = b.share.unwrap_or(0.0).total_cmp(&a.share.unwrap_or(0.0));
        place(&a.row).cmp(&place(&b.row)).then(decided(a.verdict).cmp(&decided(b.verdict))).then(likely)
    });
    (found, left)
}

/// What the chain knows of a row, and in which share of the worlds.
///
/// What is open for the seat itself is open for the chain: nobody can be known to know what may be false.
fn of_row<M: Inspected>(
    mind: &mut M,
    chain: &[Seat],
    row: &Row<<M::Language as Language>::Atom>,
    budget: &Budget,
) -> Done<(Verdict, Option<f64>)> {
    let others = &chain[1..];
    let own = match row.own {
        Some(own) => own,
        None => {
            let answer = mind.ask(&row.fact, budget)?;
            let counted = answer.counts.filter(|_| M::COUNTS).map(|(yes, no)| yes as f64 / (yes + no) as f64);
            (answer.verdict, counted)
        }
    };
    if others.is_empty() {
        return Ok(own);
    }
    if let Some(quick) = mind.shortcut(chain, &row.fact) {
        return Ok((quick, own.1));
    }
    let share = if M::COUNTS { share(mind, others, &row.fact) } else { None };
    let known = match settled(own.0, others, &row.fact) {
        Some(goal) => mind.ask(&goal, budget)?.known(),
        None => false,
    };
    Ok((if known { own.0 } else { Verdict::Open }, share))
}

/// Why the chain knows a fact, or why not, and since when.
///
/// `since` is the first moment from which it is known for good; the proof is one from what was seen until then.
///
/// # Errors
/// The chain is none, or the fact cannot be read, or there is no answer.
pub fn why<M: Inspected>(mind: &mut M, chain: &[Seat], text: &str, past: &dyn Past<M>) -> Result<Why, Problem> {
    let others = others(mind, chain)?;
    let fact = match mind.read(text) {
        Ok(fact) => fact,
        Err(problems) => return mind.aside(chain, text).ok_or_else(|| Problem::text(text, &problems)),
    };
    let (verdict, less) = surely(mind, chain, &fact)?;
    let past = &Relying { past, less };
    let mut why = Why {
        fact: text.trim().to_string(),
        words: words(mind.language(), &fact, &Voice::to(mind.seat())),
        verdict: verdict.into(),
        since: None,
        since_words: None,
        proof: Vec::new(),
        unproved: None,
        worlds: Vec::new(),
    };
    match settled(verdict, others, &fact) {
        Some(known) => {
            why.since = since(mind, &known, past).map(|sights| sights - 1);
            why.since_words = why.since.map(|event| past.tell(event + 1));
            // What somebody does not know rests on all that was seen.
            let then = why.since.map(|event| event + 1).filter(|&n| n < past.sights() && lasts(mind, &known));
            let proof = match then {
                Some(sights) => asked::prove(&mut past.at(sights), &known, &PROOF),
                None => asked::prove(mind, &known, &PROOF),
            };
            match proof {
                Ok(proof) => why.proof = proof.sentences,
                Err(unproved) => why.unproved = Some(unproved),
            }
        }
        None => {
            let near = if others.is_empty() { mind.near(&fact) } else { None };
            let pair = match near {
                Some((yes, no)) => Some((mind.seat(), yes, no)),
                None => apart(mind, others, &fact).map_err(|refused| unanswered(mind, refused))?,
            };
            if let Some((who, yes, no)) = pair {
                why.worlds = side_by_side(mind, &yes, &no, !others.is_empty() || !fact.is_plain());
                why.unproved = confusion(mind.seat(), who, others);
            }
        }
    }
    Ok(why)
}

/// The past of a mind that relies on less.
struct Relying<'p, M> {
    past: &'p dyn Past<M>,
    less: bool,
}

impl<M: Inspected> Past<M> for Relying<'_, M> {
    fn sights(&self) -> usize {
        self.past.sights()
    }

    fn at(&self, sights: usize) -> M {
        let mut mind = self.past.at(sights);
        if self.less {
            mind.rely_on_less();
        }
        mind
    }

    fn tell(&self, sights: usize) -> String {
        self.past.tell(sights)
    }
}

/// The number of sights after which the fact was known for good; none if it takes too long to find out, or the past is
/// not known. The fact is known now.
pub fn since<M: Inspected>(mind: &M, fact: &FactOf<M>, past: &dyn Past<M>) -> Option<usize> {
    let known = |n: usize| {
        let mut then = past.at(n);
        if !mind.is_same_at(&then, fact) {
            return Some(false);
        }
        match then.ask(fact, &ROWS) {
            Ok(answer) => Some(answer.known()),
            Err(Refused::NoWorld | Refused::Unfit(_)) => Some(false),
            Err(Refused::Limit) => None,
        }
    };
    let (mut not, mut yes) = (0, past.sights());
    if yes == 0 {
        return None;
    }
    if lasts(mind, fact) && !mind.changes(fact) {
        while yes - not > 1 {
            let middle = not + (yes - not) / 2;
            match known(middle)? {
                true => yes = middle,
                false => not = middle,
            }
        }
    } else {
        while yes > 1 && known(yes - 1)? {
            yes -= 1;
        }
    }
    Some(yes)
}

type Pair<M> = (Seat, <M as Mind>::World, <M as Mind>::World);

/// Two worlds that show why the chain does not know the fact, and who cannot tell them apart: the seat itself, if the
/// rest of the chain may know it; else, in a world that it considers possible, the next of the chain.
fn apart<M: Mind>(mind: &mut M, others: &[Seat], fact: &FactOf<M>) -> Done<Option<Pair<M>>> {
    let goal = fact.clone().known_along(others);
    let answer = mind.ask(&goal, &ROWS)?;
    if let (Some(yes), Some(no)) = (answer.witness, answer.counterexample) {
        return Ok(Some((mind.seat(), yes, no)));
    }
    let contrary = fact.clone().negated().known_along(others);
    match mind.ask(&contrary, &ROWS)?.counterexample {
        Some(world) => apart_from(mind, world, others, fact),
        None => Ok(None),
    }
}

/// The same for the first of the seats, which in this world knows neither the fact nor its contrary along the rest.
fn apart_from<M: Mind>(mind: &mut M, world: M::World, seats: &[Seat], fact: &FactOf<M>) -> Done<Option<Pair<M>>> {
    let Some((&next, rest)) = seats.split_first() else { return Ok(None) };
    let goal = fact.clone().known_along(rest);
    let no = mind.other(next, &world, &goal, &ROWS)?;
    let yes = mind.other(next, &world, &goal.negated(), &ROWS)?;
    if let (Some(yes), Some(no)) = (yes, no) {
        return Ok(Some((next, yes, no)));
    }
    let contrary = fact.clone().negated().known_along(rest);
    match mind.other(next, &world, &contrary, &ROWS)? {
        Some(world) => apart_from(mind, world, rest, fact),
        None => Ok(None),
    }
}

/// What two worlds show about a chain.
fn confusion(me: Seat, who: Seat, others: &[Seat]) -> Option<String> {
    let &next = others.first()?;
    Some(match who == me {
        true if next == me => {
            "Both worlds fit what you saw: in the first you know it, in the second you do not.".to_string()
        }
        true => format!("Both worlds fit what you saw: in the first seat {next} knows it, in the second it does not."),
        false => format!("It is not known. For all you know, seat {who} cannot tell these two apart."),
    })
}

/// Two worlds, part by part; with the minor parts, if those may matter.
fn side_by_side<M: Inspected>(mind: &M, yes: &M::World, no: &M::World, minor: bool) -> Vec<WorldInfo> {
    let (yes, no) = (mind.parts(yes), mind.parts(no));
    let value = |parts: &[Part], name: &str| parts.iter().find(|p| p.name == name).map(|p| p.value.clone());
    let info = |mine: &[Part], other: &[Part], holds: bool| {
        let part = |part: &Part| {
            let differs = value(other, &part.name).as_ref() != Some(&part.value);
            (differs && minor || !part.minor).then(|| WorldPart {
                name: part.name.clone(),
                value: part.value.clone(),
                differs,
            })
        };
        WorldInfo { holds, parts: mine.iter().filter_map(part).collect() }
    };
    vec![info(&yes, &no, true), info(&no, &yes, false)]
}

/// The rows that say what the seat has found out.
pub fn learned<M: Inspected>(mind: &mut M) -> Vec<FactRow> {
    let rows = mind.learned();
    let mut found = Vec::new();
    for row in rows {
        let own = row.own.map_or_else(|| mind.ask(&row.fact, &ROWS).map(|a| (a.verdict, None)), Ok);
        if let Ok((verdict, share)) = own
            && verdict != Verdict::Open
        {
            found.push(shown(mind, &Found { row, verdict, share }));
        }
    }
    found
}
