//! Facts as formulas and in words: the words that proofs use.

use super::standing::who;
use ken_games::cards::Card;
use ken_games::cluedo::Cluedo;
use ken_games::game::{Game, Seat};
use ken_logic::formula::{F, Formula};

/// The fact that the card is at the place, as a formula.
pub(super) fn fact(game: &Cluedo, card: Card, place: usize) -> String {
    let name = game.deck().name(card);
    match place == usize::from(game.seats()) {
        true => format!("env({name})"),
        false => format!("holds({place},{name})"),
    }
}

/// Where an atom says that a card is.
pub(super) fn spot(game: &Cluedo, atom: &str) -> Option<(Card, usize)> {
    let (base, inside) = atom.strip_suffix(')')?.split_once('(')?;
    let (place, name) = match base {
        "env" => (usize::from(game.seats()), inside),
        "holds" => inside.split_once(',').and_then(|(seat, name)| Some((seat.parse().ok()?, name)))?,
        _ => return None,
    };
    Some((game.deck().card(name).ok()?, place))
}

/// That the card is at the place, or that it is not, in words.
pub(super) fn at(game: &Cluedo, me: Seat, card: Card, place: usize, there: bool) -> String {
    let name = game.deck().name(card);
    match (place == usize::from(game.seats()), place == me.index(), there) {
        (true, _, true) => format!("{name} is in the envelope"),
        (true, _, false) => format!("{name} is not in the envelope"),
        (_, true, true) => format!("you hold {name}"),
        (_, true, false) => format!("you do not hold {name}"),
        (_, _, true) => format!("seat {place} holds {name}"),
        (_, _, false) => format!("seat {place} does not hold {name}"),
    }
}

/// The formula in words; the formula itself where words would not be clearer.
pub(super) fn say(game: &Cluedo, me: Seat, formula: &Formula) -> String {
    said(game, me, formula, true).unwrap_or_else(|| format!("`{formula}`"))
}

fn said(game: &Cluedo, me: Seat, formula: &Formula, yes: bool) -> Option<String> {
    let inner = |f: &F| said(game, me, f, true).unwrap_or_else(|| format!("`{f}`"));
    let joined = |parts: &[F], word: &str| {
        let simple = |f: &F| !matches!(**f, Formula::And(_) | Formula::Or(_));
        let parts: Option<Vec<String>> =
            parts.iter().map(|f| simple(f).then(|| said(game, me, f, true)).flatten()).collect();
        parts.filter(|p| !p.is_empty()).map(|p| p.join(word))
    };
    let verb = |agent: &str, you: &str, it: &str| {
        let seat = agent.parse().map(Seat).ok()?;
        let does = if seat == me { you } else { it };
        Some(format!("{} {does}", who(me, seat)))
    };
    let knows = |agent: &str| match yes {
        true => verb(agent, "know", "knows"),
        false => verb(agent, "do not know", "does not know"),
    };
    match formula {
        Formula::Atom(name) => match (spot(game, name), name.strip_prefix("solved(")) {
            (Some((card, place)), _) => Some(at(game, me, card, place, yes)),
            (None, Some(seat)) => knows(seat.strip_suffix(')')?).map(|who| format!("{who} the envelope")),
            (None, None) => None,
        },
        Formula::Not(f) => said(game, me, f, !yes),
        Formula::Knows(agent, f) => knows(agent).map(|who| format!("{who} that {}", inner(f))),
        Formula::KnowsWhether(agent, f) => knows(agent).map(|who| format!("{who} whether {}", inner(f))),
        Formula::Possible(agent, f) if yes => {
            verb(agent, "hold it possible", "holds it possible").map(|who| format!("{who} that {}", inner(f)))
        }
        Formula::And(parts) if yes => joined(parts, " and "),
        Formula::Or(parts) if yes => joined(parts, " or "),
        _ => None,
    }
}

/// The chain in words.
pub(super) fn chain(me: Seat, others: &[Seat]) -> String {
    let further = |&seat: &Seat| match seat == me {
        true => " that you know".to_string(),
        false => format!(" that seat {seat} knows"),
    };
    let further: String = others.iter().map(further).collect();
    format!("what you know{further}")
}
