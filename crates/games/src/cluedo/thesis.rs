//! The experiment of the thesis *Cluedo in Prolog*: how many rounds an agent needs to ask for what lies in the envelope.
//!
//! Seat 0 is the agent. It asks first in each round and has solved the game when it *asks* the winning triple; it does
//! not accuse. The others ask at random and never win. Whoever answers shows the first card that matches, in the order
//! of dealing. Everybody ends the turn in silence.
//!
//! The agent is an ordinary [`Player`]: it gets its sights and its options, as in any match, and is not told by which
//! [`Rule`] the others ask. That nobody asks for a winning card under [`Rule::NoWinning`] is an artefact of the
//! experiment: an agent that used it would not reason about Cluedo.

use super::deck::Deck;
use super::rules::{Action, Cluedo, Event, Sight, asked};
use crate::cards::CardSet;
use crate::dice::Dice;
use crate::game::{Game, Player, Seat};

/// How the others choose what they ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Any triple. (A)
    Any,
    /// A triple without any winning card: what the thesis means. (C)
    NoWinning,
    /// A triple without the winning cards of the second and later categories: what the printed program does, since its
    /// filter takes the first card of the winning triple for the number of a player and drops it.
    Printed,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 3] = [Rule::Any, Rule::NoWinning, Rule::Printed];

    /// Its name in experiments.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Any => "A",
            Rule::NoWinning => "C",
            Rule::Printed => "printed",
        }
    }

    /// The cards that the others may ask for.
    pub fn askable(self, deck: &Deck, envelope: CardSet) -> CardSet {
        match self {
            Rule::Any => deck.cards(),
            Rule::NoWinning => deck.cards().minus(envelope),
            Rule::Printed => deck.cards().minus(envelope.minus(deck.category(0))),
        }
    }
}

/// How one game of the experiment went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many rounds were begun; if the game was solved, the last one with the winning triple.
    pub rounds: u32,
    /// Whether the agent asked the winning triple.
    pub solved: bool,
    /// What the agent asked in each round.
    pub asked: Vec<CardSet>,
}

/// Deals and plays one game, at most `limit` rounds. The deal and the others' questions come from `dice`, whatever the
/// agent does; under one rule all agents meet the same games.
///
/// # Panics
/// If the agent answers with something else than a suggestion of this deck.
pub fn rounds(game: &Cluedo, agent: &mut dyn Player<Cluedo>, rule: Rule, dice: &mut Dice, limit: u32) -> Run {
    let (_, dealt) = game.deal(dice);
    agent.watch(&game.sight(&dealt, Seat(0)));
    let Event::Dealt { envelope, hands } = dealt else { unreachable!("a match begins with the deal") };
    let sets: Vec<CardSet> = hands.iter().map(|h| h.iter().copied().collect()).collect();
    let options: Vec<Action> = game.deck().triples(game.deck().cards()).into_iter().map(Action::Suggest).collect();
    // Empty if a category has one card only and the rule forbids it: then the others do not ask.
    let others = game.deck().triples(rule.askable(game.deck(), envelope));

    let turn = |agent: &mut dyn Player<Cluedo>, asker: Seat, cards: CardSet| {
        let answer = asked(asker, game.seats()).find(|s| !sets[s.index()].is_disjoint(cards));
        agent.watch(&Sight::Asked { asker, cards, answer });
        if let Some(by) = answer {
            let card = hands[by.index()].iter().copied().find(|&c| cards.has(c));
            let seen = asker == Seat(0) || by == Seat(0);
            agent.watch(&Sight::Shown { by, to: asker, card: card.filter(|_| seen) });
        }
        agent.watch(&Sight::Ended { seat: asker });
    };
    let mut run = Run { rounds: 0, solved: false, asked: Vec::new() };
    while run.rounds < limit {
        let Action::Suggest(cards) = agent.choose(&options) else { panic!("a turn begins with a suggestion") };
        assert!(game.deck().is_triple(cards), "one card of each category is needed");
        run.rounds += 1;
        run.asked.push(cards);
        if cards == envelope {
            run.solved = true;
            break;
        }
        turn(agent, Seat(0), cards);
        for asker in Seat::all(game.seats()).skip(1).filter(|_| !others.is_empty()) {
            turn(agent, asker, *dice.pick(&others));
        }
    }
    run
}
