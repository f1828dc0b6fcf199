//! Who knows what of the colours, since when, and why.

use crate::api::{FactRow, Inspection, Known, Problem, Sentence, Why, WorldInfo, WorldPart};
use crate::host::words::{chain_words, matches_words};
use ken_games::cards::Card;
use ken_games::game::{Knowledge, Notation, Seat, Verdict};
use ken_games::knowledge::{self, Knower, Voice};
use ken_games::yokai::knowledge::{Colourings, Fact, Memory, Premise, Proof, Why as Reason};
use ken_games::yokai::notation::number;
use ken_games::yokai::{self, CARDS, Colour, Colouring, Sight, Yokai};
use ken_logic::text::grouped;

/// How long a chain of subjects, and how nested a formula, may be.
const CHAIN: usize = 6;

const PROPER: &str = "As certain as the hints: a marked card is taken to have a colour of its hint.";
const CLASH: &str = "What you saw contradicts a hint: hints are not relied on any more, only looks.";
const OVER: &str = "The match is over: all colours are known.";

/// What a seat knows of the colours. Hints are taken to be proper unless its own looks contradict them.
pub(super) struct Colours {
    memory: Memory,
    knower: Knower<Colourings>,
    clash: bool,
}

impl Colours {
    pub(super) fn of(game: &Yokai, sights: &[Sight]) -> Colours {
        let (knower, memory, clash) = Knower::of(game, sights);
        Colours { memory, knower, clash }
    }

    /// How many colourings fit.
    pub(super) fn count(&mut self) -> u128 {
        self.knower.count()
    }

    /// In how many of the colourings the fact is true, and of how many.
    pub(super) fn ask(&mut self, fact: &Fact) -> (u128, u128) {
        let counts = self.knower.ask(fact).ok().and_then(|answer| answer.counts);
        counts.map_or((0, 0), |(holds, fails)| (holds, holds + fails))
    }

    /// The colours that a card can have.
    pub(super) fn possible(&mut self, card: Card) -> yokai::Colours {
        self.knower.possible(card)
    }

    fn partner(&self) -> Seat {
        self.memory.notes().seat().next(2)
    }

    /// Whether the seat knows that its partner knows the colour of a card.
    pub(super) fn partner_knows(&mut self, card: Card) -> bool {
        let partner = self.partner();
        let (holds, of) = self.ask(&knows_colour(partner, card));
        of > 0 && holds == of
    }

    /// What a chain knows of a fact, and in which share of the colourings the rest of the chain knows it.
    fn verdict(&mut self, chain: &[Seat], fact: &Fact) -> (Known, Option<f64>) {
        let (holds, of) = self.ask(&nested(chain, fact));
        let share = (of > 0).then(|| holds as f64 / of as f64);
        if of > 0 && holds == of {
            return (Known::Known, share);
        }
        let (not, of) = self.ask(&nested(chain, &fact.clone().negated()));
        (if of > 0 && not == of { Known::Excluded } else { Known::Open }, share)
    }

    fn row(&mut self, chain: &[Seat], fact: &Fact, text: String, words: String, group: &str) -> FactRow {
        let (verdict, share) = self.verdict(chain, fact);
        FactRow { fact: text, words, group: group.to_string(), verdict, share }
    }

    /// A fact as a part of a sentence.
    fn words(&self, fact: &Fact) -> String {
        knowledge::words(self.memory.notes(), fact, &Voice::default())
    }

    fn note(&self) -> &'static str {
        let over = self.memory.notes().noted().iter().any(|n| matches!(n.premise, Premise::Shown(..)));
        match (over, self.clash) {
            (true, _) => OVER,
            (false, true) => CLASH,
            (false, false) => PROPER,
        }
    }
}

fn cards() -> impl Iterator<Item = Card> {
    (0..CARDS as u8).map(Card)
}

/// That a card has a colour.
pub(super) fn col(card: Card, colour: Colour) -> Fact {
    Fact::colour(card, yokai::Colours::of(colour))
}

fn col_text(card: Card, colour: Colour) -> String {
    format!("col({},{colour})", number(card))
}

/// That a seat knows the colour of a card.
fn knows_colour(seat: Seat, card: Card) -> Fact {
    Fact::Any(Colour::ALL.map(|colour| col(card, colour).known_to(seat)).into())
}

fn knows_colour_text(seat: Seat, card: Card) -> String {
    Colour::ALL.map(|colour| format!("K[{seat}] {}", col_text(card, colour))).join(" | ")
}

/// That the others of a chain know the fact, the last innermost.
fn nested(chain: &[Seat], fact: &Fact) -> Fact {
    fact.clone().known_along(&chain[1..])
}

fn check_chain(known: &Colours, chain: &[Seat]) -> Result<(), Problem> {
    let bad = |message: &str| Err(Problem::new("no-such-seat", message));
    match chain.first() {
        Some(&me) if me == known.memory.notes().seat() => {}
        Some(_) | None => return bad("a chain begins with your own seat"),
    }
    if chain.iter().any(|seat| seat.0 > 1) {
        return bad("the seats are 0 and 1");
    }
    if chain.len() > CHAIN { bad("a chain has at most six subjects") } else { Ok(()) }
}

fn read(known: &Colours, text: &str) -> Result<Fact, Problem> {
    let fact = knowledge::read(known.memory.notes(), text).map_err(|problems| Problem::text(text, &problems))?;
    if fact.depth() > CHAIN {
        let long = Problem::new("too-long", "the formula is nested too deeply to be answered here");
        return Err(long.help("ask for what fewer know of each other"));
    }
    Ok(fact)
}

pub(super) fn inspect(game: &Yokai, sights: &[Sight], chain: &[Seat], filter: &str) -> Result<Inspection, Problem> {
    let mut known = Colours::of(game, sights);
    check_chain(&known, chain)?;
    let filter = filter.trim();
    let mut rows = vec![known.row(
        chain,
        &Fact::GROUPED,
        "grouped".to_string(),
        "every colour is connected: to stop now wins".to_string(),
        "the table",
    )];
    let last = *chain.last().unwrap_or(&Seat(0));
    for card in cards() {
        let group = format!("card {}", number(card));
        let mut of_card = Vec::new();
        for colour in Colour::ALL {
            let fact = col(card, colour);
            of_card.push(known.row(chain, &fact, col_text(card, colour), known.words(&fact), &group));
        }
        if let Some(sure) = of_card.iter().find(|row| row.verdict == Known::Known) {
            rows.push(sure.clone());
            continue;
        }
        if chain.len() > 1 {
            let who = if last == chain[0] { "you know".to_string() } else { format!("seat {last} knows") };
            let words = format!("{who} the colour of card {}", number(card));
            rows.push(known.row(chain, &knows_colour(last, card), knows_colour_text(last, card), words, &group));
        }
        of_card.sort_by(|a, b| key(b).total_cmp(&key(a)));
        rows.extend(of_card);
    }
    let mut asked = None;
    if !filter.is_empty() {
        match read(&known, filter) {
            Ok(fact) => asked = Some(known.row(chain, &fact, filter.to_string(), known.words(&fact), "asked")),
            Err(problem) if problem.code == "too-long" || filter.contains(['(', '[']) => return Err(problem),
            Err(_) => rows.retain(|row| matches_words(row, filter)),
        }
    }
    Ok(Inspection {
        chain: chain.iter().map(|seat| seat.0).collect(),
        words: chain_words(chain),
        worlds: Some(grouped(known.count())),
        rows,
        asked,
        note: Some(known.note().to_string()),
    })
}

/// What is likelier stands first; what is excluded last.
fn key(row: &FactRow) -> f64 {
    match row.verdict {
        Known::Known => 2.0,
        Known::Open => row.share.unwrap_or(0.0),
        Known::Excluded => -1.0,
    }
}

pub(super) fn why(game: &Yokai, sights: &[Sight], chain: &[Seat], text: &str) -> Result<Why, Problem> {
    let mut known = Colours::of(game, sights);
    check_chain(&known, chain)?;
    let fact = read(&known, text)?;
    let (verdict, _) = known.verdict(chain, &fact);
    let settled = match verdict {
        Known::Known => Some(nested(chain, &fact)),
        Known::Excluded => Some(nested(chain, &fact.clone().negated())),
        Known::Open => None,
    };
    let (mut since, mut proof, mut unproved) = (None, Vec::new(), None);
    if let Some(settled) = &settled {
        let (event, why) = known.memory.since_and_why(settled);
        since = event;
        match why {
            Reason::Known(found) => proof = sentences(&found, &known),
            Reason::Refuted(_) | Reason::Open { .. } | Reason::Clash(_) | Reason::Unproved(_) => {
                unproved = Some("It is true in all colourings that fit, but no short proof was found.".to_string());
            }
        }
    }
    let worlds = if settled.is_none() { apart(&mut known, chain, &fact) } else { Vec::new() };
    Ok(Why {
        fact: text.trim().to_string(),
        words: known.words(&fact),
        verdict,
        since,
        since_words: since.map(|event| game.tell_sight(&sights[event])),
        proof,
        unproved,
        worlds,
    })
}

/// A proof that has passed its checker, in sentences.
fn sentences(proof: &Proof, known: &Colours) -> Vec<Sentence> {
    let said = proof.sentences(known.memory.notes()).into_iter();
    said.map(|s| Sentence { depth: s.depth, text: s.text, event: s.event }).collect()
}

/// Two colourings, the fact true in the first and false in the second, that the chain cannot exclude.
fn apart(known: &mut Colours, chain: &[Seat], fact: &Fact) -> Vec<WorldInfo> {
    // Where the chain does not know something, the trail leads to a world where that is false.
    let mut reached = |fact: &Fact| {
        let nested = nested(chain, fact);
        let from = known.knower.ask(&nested).ok()?.counterexample?;
        let trail = known.knower.trail(&nested, &from).ok()?;
        let mut worlds: Vec<Colouring> = vec![from];
        worlds.extend(trail.into_iter().map(|other| other.world));
        worlds.into_iter().rev().find(|world| known.knower.holds(fact, world) == Ok(false))
    };
    let (Some(holds), Some(fails)) = (reached(&fact.clone().negated()), reached(fact)) else { return Vec::new() };
    let world = |is: bool, one: &Colouring, other: &Colouring| WorldInfo {
        holds: is,
        parts: cards()
            .map(|card| WorldPart {
                name: format!("card {}", number(card)),
                value: one.of(card).name().to_string(),
                differs: one.of(card) != other.of(card),
            })
            .collect(),
    };
    vec![world(true, &holds, &fails), world(false, &fails, &holds)]
}

pub(super) fn learned(game: &Yokai, sights: &[Sight]) -> Vec<FactRow> {
    let mut known = Colours::of(game, sights);
    let mut rows = Vec::new();
    if known.memory.verdict(&Fact::GROUPED) == Verdict::Yes {
        let words = "every colour is connected: to stop now wins".to_string();
        let verdict = Known::Known;
        rows.push(FactRow { fact: "grouped".into(), words, group: "the table".into(), verdict, share: Some(1.0) });
    }
    for card in cards() {
        if let Some(colour) = known.possible(card).single() {
            rows.push(FactRow {
                fact: col_text(card, colour),
                words: known.words(&col(card, colour)),
                group: format!("card {}", number(card)),
                verdict: Known::Known,
                share: Some(1.0),
            });
        }
    }
    rows
}
