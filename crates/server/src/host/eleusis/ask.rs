//! Facts about a round as text: `accepts(7C)`, `refuses(7C)`, `rule(TEXT)`, `holds(1,7C)`, `can_play(1)`, `sure_play(1)`,
//! `knows_rule(1)`, with `!` and `K[1]` before them.

use super::is_seat;
use crate::api::Problem;
use ken_games::cards::Card;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::knowledge::Fact;
use ken_games::eleusis::library;
use ken_games::eleusis::properties::Reading;
use ken_games::eleusis::secret::{Secret, Unfit};
use ken_games::eleusis::table::Eleusis;
use ken_games::game::Seat;
use std::sync::Arc;

/// What is asked.
pub(super) enum Ask {
    /// A fact of the engine.
    Fact(Fact),
    /// Whether the rule is this one, which is none of the library.
    Rule(Arc<Secret>),
}

const FORMS: &str = "accepts(7C), refuses(7C), rule(TEXT), holds(1,7C), can_play(1), sure_play(1), knows_rule(1), \
                     with `!` and `K[1]` before them";

/// Whether a text is meant as a fact, and not as words or a rule.
pub(super) fn is_fact(text: &str) -> bool {
    let text = text.trim_start();
    let heads = ["accepts(", "refuses(", "rule(", "holds(", "can_play(", "sure_play(", "knows_rule(", "K["];
    text.starts_with('!') || heads.iter().any(|head| text.starts_with(head))
}

/// Reads a fact.
pub(super) fn read<G: Eleusis>(game: &G, family: &[Arc<Secret>], text: &str) -> Result<Ask, Problem> {
    let text = text.trim();
    let inner = |rest: &str| match read(game, family, rest)? {
        Ask::Fact(fact) => Ok(fact),
        Ask::Rule(_) => Err(Problem::new("unread", "inside a formula only rules of the library can be asked about")),
    };
    if let Some(rest) = text.strip_prefix('!') {
        return Ok(Ask::Fact(inner(rest)?.negated()));
    }
    if let Some((agent, rest)) = text.strip_prefix("K[").and_then(|rest| rest.split_once(']')) {
        return Ok(Ask::Fact(inner(rest)?.known_to(seat(game, agent)?)));
    }
    let unknown = || Problem::new("unread", format!("`{text}` is not a fact")).help(format!("facts are {FORMS}"));
    let (head, rest) = text.split_once('(').ok_or_else(unknown)?;
    let inside = rest.strip_suffix(')').ok_or_else(unknown)?.trim();
    let deck = game.table().deck();
    let fact = match head.trim() {
        "accepts" => Fact::Accepts(card(deck, inside)?),
        "refuses" => Fact::Refuses(card(deck, inside)?),
        "rule" => return rule(game, family, inside),
        "holds" => {
            let (who, what) = inside.split_once(',').ok_or_else(unknown)?;
            Fact::Holds(seat(game, who)?, card(deck, what)?)
        }
        "can_play" => Fact::CanPlay(seat(game, inside)?),
        "sure_play" => Fact::SurePlay(seat(game, inside)?),
        "knows_rule" => Fact::RuleKnown(seat(game, inside)?, Reading::Residual),
        _ => return Err(unknown()),
    };
    Ok(Ask::Fact(fact))
}

/// Whether the rule is this one: a text, or the name of one of the library.
pub(super) fn rule<G: Eleusis>(game: &G, family: &[Arc<Secret>], text: &str) -> Result<Ask, Problem> {
    let text = library::find(text).map_or(text, |entry| entry.text);
    let by_text = family.iter().position(|rule| **rule.text() == *text);
    if let Some(place) = by_text {
        return Ok(Ask::Fact(Fact::Out(place).negated()));
    }
    let secret = game.table().menu().secret(text).map_err(|unfit| problem(text, unfit))?;
    // Minimal automata are equal exactly when the rules mean the same.
    let same = family.iter().position(|rule| rule.automaton() == secret.automaton());
    Ok(same.map_or(Ask::Rule(secret), |place| Ask::Fact(Fact::Out(place).negated())))
}

/// What is wrong with the text of a rule.
pub(super) fn problem(text: &str, unfit: Unfit) -> Problem {
    match unfit {
        Unfit::Unread(problems) => Problem::text(text, &problems),
        Unfit::Unbounded(why) => Problem::new("unread", why),
    }
}

fn card(deck: &Deck, text: &str) -> Result<Card, Problem> {
    deck.read(text).ok_or_else(|| {
        let example = deck.all().iter().last().map_or(String::new(), |c| deck.write(c));
        let wrong = Problem::new("unread", format!("there is no card `{}`", text.trim()));
        wrong.help(format!("cards are written like `{example}`"))
    })
}

fn seat<G: Eleusis>(game: &G, text: &str) -> Result<Seat, Problem> {
    let seat = text.trim().parse().ok().map(Seat).filter(|&seat| is_seat(game, seat));
    seat.ok_or_else(|| {
        let wrong = Problem::new("unread", format!("there is no seat `{}`", text.trim()));
        wrong.help(format!("the seats are 0 to {}", game.seats() - 1))
    })
}

/// The fact as it is read back.
pub(super) fn write(deck: &Deck, family: &[Arc<Secret>], fact: &Fact) -> String {
    match fact {
        Fact::Accepts(card) => format!("accepts({})", deck.write(*card)),
        Fact::Refuses(card) => format!("refuses({})", deck.write(*card)),
        Fact::Out(place) => format!("!{}", is_rule(family.get(*place).map_or("", |rule| rule.text()))),
        Fact::RuleKnown(seat, _) => format!("knows_rule({seat})"),
        Fact::Holds(seat, card) => format!("holds({seat},{})", deck.write(*card)),
        Fact::CanPlay(seat) => format!("can_play({seat})"),
        Fact::SurePlay(seat) => format!("sure_play({seat})"),
        Fact::Knows(seat, fact) => format!("K[{seat}] {}", write(deck, family, fact)),
        Fact::Not(inner) => match &**inner {
            Fact::Out(place) => is_rule(family.get(*place).map_or("", |rule| rule.text())),
            inner => format!("!{}", write(deck, family, inner)),
        },
    }
}

/// The fact that the rule is the one of this text.
pub(super) fn is_rule(text: &str) -> String {
    format!("rule({text})")
}

/// The fact in words.
pub(super) fn words(deck: &Deck, family: &[Arc<Secret>], fact: &Fact) -> String {
    if let Fact::Not(inner) = fact
        && let Fact::Out(place) = **inner
    {
        return rule_words(family.get(place).map_or("", |rule| rule.text()));
    }
    fact.words(deck, family)
}

/// That the rule is the one of this text, in words.
pub(super) fn rule_words(text: &str) -> String {
    format!("the rule is `{text}`")
}

/// Whether the fact is about hidden cards.
pub(super) fn about_hands(fact: &Fact) -> bool {
    match fact {
        Fact::Holds(..) | Fact::CanPlay(_) | Fact::SurePlay(_) => true,
        Fact::Knows(_, fact) | Fact::Not(fact) => about_hands(fact),
        Fact::Accepts(_) | Fact::Refuses(_) | Fact::Out(_) | Fact::RuleKnown(..) => false,
    }
}

/// How deep knowledge is nested in it.
pub(super) fn depth(fact: &Fact) -> usize {
    match fact {
        Fact::Knows(_, fact) => 1 + depth(fact),
        Fact::Not(fact) => depth(fact),
        Fact::Holds(..)
        | Fact::CanPlay(_)
        | Fact::SurePlay(_)
        | Fact::Accepts(_)
        | Fact::Refuses(_)
        | Fact::Out(_)
        | Fact::RuleKnown(..) => 0,
    }
}
