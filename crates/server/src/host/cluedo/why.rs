//! Why something is known, why it is not, and since when.

use super::inspect::{ROWS, others, verdict};
use super::standing::{Standing, counted, names, position, silent, unanswered, who};
use crate::api::{Known, Problem, Sentence, Why, WorldInfo, WorldPart};
use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::know::{Budget, KnowError, Knower};
use ken_games::cluedo::why::{self, Answer, Proof};
use ken_games::cluedo::{Atom, Cluedo, Fact, Observed, Position, Sight, World};
use ken_games::game::{Game, Notation, Seat};
use ken_games::knowledge::{self, Voice};

const LONG: &str = "It was computed over all worlds that fit what you saw, by the exact engine. A proof in sentences \
                    would take too long to find.";

/// What finding a proof may take: some tenths of a second.
const PROOF: Budget = Budget { steps: 200_000 };

/// A seat's memory, and whether the ends of turns in it are taken to tell nothing.
struct Eyes<'m> {
    game: &'m Cluedo,
    memory: &'m [Sight],
    silent: bool,
}

impl Eyes<'_> {
    /// What was seen of the first `n` events.
    fn at(&self, n: usize) -> Position {
        let seen = position(self.game, &self.memory[..n]);
        if self.silent { silent(&seen) } else { seen }
    }
}

/// Why the chain knows a fact, or why not, and since when.
///
/// `since` is the first event after which it is known for good; the proof is one from what was seen until then.
pub(super) fn why(game: &Cluedo, memory: &[Sight], chain: &[Seat], text: &str) -> Result<Why, Problem> {
    let standing = Standing::of(game, memory);
    let position = &standing.position;
    let me = position.observer();
    let others = others(position, chain)?;
    let fact = knowledge::read(position, text).map_err(|problems| Problem::text(text, &problems))?;
    let mut why = Why {
        fact: text.trim().to_string(),
        words: knowledge::words(position, &fact, &Voice::to(me)),
        verdict: Known::Open,
        since: None,
        since_words: None,
        proof: Vec::new(),
        unproved: None,
        worlds: Vec::new(),
    };
    match others.is_empty() && fact.is_about_cards() {
        true => about_deal(game, memory, &standing, &fact, &mut why)?,
        false => {
            about_others(game, memory, position, others, &fact, &mut why)?;
            why.since = settled(why.verdict, others, &fact)
                .and_then(|known| since(&Eyes { game, memory, silent: false }, &known));
        }
    }
    why.since_words = why.since.map(|event| game.tell_sight(&memory[event]));
    Ok(why)
}

/// What is known, if something is.
fn settled(verdict: Known, others: &[Seat], fact: &Fact) -> Option<Fact> {
    match verdict {
        Known::Known => Some(fact.clone().known_along(others)),
        Known::Excluded => Some(fact.clone().negated().known_along(others)),
        Known::Open => None,
    }
}

/// What the seat itself knows about the deal: with a proof.
fn about_deal(game: &Cluedo, memory: &[Sight], standing: &Standing, fact: &Fact, why: &mut Why) -> Result<(), Problem> {
    // Where the convention was broken, or takes too long to follow, what follows without it is certain all the same.
    let eyes = Eyes { game, memory, silent: standing.left_out.is_some() };
    let now = eyes.at(memory.len());
    why.verdict = verdict(&mut Knower::new(&now), &[], fact).map_err(unanswered)?;
    let Some(known) = settled(why.verdict, &[], fact) else {
        return match (&standing.left_out, why::why(&now, fact, &PROOF)) {
            (None, Answer::Open { yes, no }) => {
                why.worlds = worlds(game, &now, &yes, &no, false);
                Ok(())
            }
            (Some(KnowError::NoWorld), _) => Err(unanswered(KnowError::NoWorld)),
            (None | Some(KnowError::Limit | KnowError::Unfit(_)), _) => {
                about_others(game, memory, &standing.position, &[], fact, why)
            }
        };
    };
    why.since = since(&eyes, &known);
    let then = eyes.at(why.since.map_or(memory.len(), |event| event + 1));
    match why::why(&then, fact, &PROOF) {
        Answer::Known(proof) | Answer::Refuted(proof) => why.proof = sentences(game, memory, &then, &proof),
        Answer::Long { lines, .. } => why.unproved = Some(too_long(lines)),
        Answer::Open { .. } | Answer::Clash(_) | Answer::Unproved => why.unproved = Some(LONG.to_string()),
    }
    Ok(())
}

fn too_long(lines: usize) -> String {
    format!("It was computed over all worlds that fit what you saw. Its proof has {lines} sentences, too many to show.")
}

fn sentences(game: &Cluedo, memory: &[Sight], position: &Position, proof: &Proof) -> Vec<Sentence> {
    let counted = counted(game, memory);
    let sentence = |s: why::Sentence| Sentence {
        depth: s.depth,
        text: s.text,
        event: s.event.and_then(|e| counted.get(e).copied()),
    };
    proof.sentences(position).into_iter().map(sentence).collect()
}

/// What the chain knows about anything: by the exact engine.
fn about_others(
    game: &Cluedo,
    memory: &[Sight],
    position: &Position,
    others: &[Seat],
    fact: &Fact,
    why: &mut Why,
) -> Result<(), Problem> {
    let me = position.observer();
    why.verdict = verdict(&mut Knower::new(position), others, fact).map_err(unanswered)?;
    if let Some(known) = settled(why.verdict, others, fact) {
        match why::why(position, &known, &PROOF) {
            Answer::Known(proof) => why.proof = sentences(game, memory, position, &proof),
            Answer::Long { lines, .. } => why.unproved = Some(too_long(lines)),
            Answer::Refuted(_) | Answer::Open { .. } | Answer::Clash(_) | Answer::Unproved => {
                why.unproved = Some(LONG.to_string());
            }
        }
        return Ok(());
    }
    if let Some((eyes, yes, no)) = confused(position, others, fact).map_err(unanswered)? {
        why.worlds = worlds(game, position, &yes, &no, true);
        why.unproved = match others.first() {
            None => None,
            Some(&next) if eyes == me => {
                let (who, knows, not) = match next == me {
                    true => (who(me, next), "know", "you do not"),
                    false => (who(me, next), "knows", "it does not"),
                };
                Some(format!("Both worlds fit what you saw: in the first {who} {knows} it, in the second {not}."))
            }
            Some(_) => {
                Some(format!("It is not known. For all you know, {} cannot tell these two apart.", who(me, eyes)))
            }
        };
    }
    Ok(())
}

/// Two worlds that show why the chain does not know the formula, and who cannot tell them apart: the reader, if the rest
/// of the chain may know it; else, in a world that the reader considers possible, the next of the chain.
fn confused(position: &Position, others: &[Seat], fact: &Fact) -> Result<Option<(Seat, World, World)>, KnowError> {
    let mut knower = Knower::new(position);
    let answer = knower.ask(&fact.clone().known_along(others), &ROWS)?;
    if let (Some(yes), Some(no)) = (answer.witness, answer.counterexample) {
        return Ok(Some((position.observer(), yes, no)));
    }
    let Some((&next, rest)) = others.split_first() else { return Ok(None) };
    let contrary = fact.clone().negated().known_along(others);
    match knower.ask(&contrary, &ROWS)?.counterexample {
        Some(world) => confused(&seen_by(position, next, &world), rest, fact),
        None => Ok(None),
    }
}

/// What the seat has seen if this world is the true one.
fn seen_by(position: &Position, seat: Seat, world: &World) -> Position {
    let unseen = position.events().iter().enumerate().filter_map(|(e, event)| match *event {
        Observed::Ask { asker, answer: Some(by), shown: None, .. } if seat == asker || seat == by => Some(e),
        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
    });
    let mut cards = unseen.map(|e| world.shown.iter().find(|s| s.0 == e).map(|s| s.1)).collect::<Vec<_>>().into_iter();
    position.seen_by(seat, &world.deal, &mut |may: CardSet| {
        let told: Option<Card> = cards.next().flatten().filter(|&c| may.has(c));
        told.or_else(|| may.lowest()).expect("somebody showed a card")
    })
}

/// Two worlds side by side; with the cards that were shown in secret, if those may matter.
fn worlds(game: &Cluedo, position: &Position, yes: &World, no: &World, shows: bool) -> Vec<WorldInfo> {
    let me = position.observer();
    let cards = |world: &World, place: usize| names(game, world.deal.places[place]).join(", ");
    let info = |world: &World, other: &World, holds: bool| {
        let place = |place: usize, name: String| WorldPart {
            name,
            value: cards(world, place),
            differs: world.deal.places[place] != other.deal.places[place],
        };
        let mut parts: Vec<WorldPart> = Seat::all(game.seats()).map(|s| place(s.index(), who(me, s))).collect();
        parts.push(place(usize::from(game.seats()), "envelope".to_string()));
        let secret = |e: usize| matches!(position.events().get(e), Some(Observed::Ask { shown: None, .. }));
        for &(event, card) in world.shown.iter().filter(|(e, _)| shows && secret(*e)) {
            if other.shown.iter().any(|&(e, c)| e == event && c != card) {
                parts.push(WorldPart {
                    name: format!("shown in event {}", event + 1),
                    value: game.deck().name(card).to_string(),
                    differs: true,
                });
            }
        }
        WorldInfo { holds, parts }
    };
    vec![info(yes, no, true), info(no, yes, false)]
}

/// The event after which the formula was known for good; none if it takes too long to find out.
fn since(eyes: &Eyes<'_>, fact: &Fact) -> Option<usize> {
    let known = |n: usize| Knower::new(&eyes.at(n)).ask(fact, &ROWS).map(|a| a.known).ok();
    let (mut not, mut yes) = (0, eyes.memory.len());
    if fact.lasts(&|atom: &Atom| matches!(atom, Atom::Solved(_))) {
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
    Some(yes - 1)
}
