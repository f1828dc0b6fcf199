//! Who knows what of the colours against the unfolding, where most colours are told at the start.

use super::{text_of, total};
use ken_games::cards::{Card, CardSet};
use ken_games::conformance::{Compared, Operator, Trial, unfolding_agrees, what_if_agrees};
use ken_games::dice::Dice;
use ken_games::game::{Knowledge, Verdict};
use ken_games::knowledge::{Knower, read};
use ken_games::unfold::Unfold;
use ken_games::yokai::knowledge::{Assumed, Memory};
use ken_games::yokai::rules::{HINTS, Stage, State};
use ken_games::yokai::{Action, CARDS, Colour, Colouring, Colours, Event, Sight, Yokai};
use ken_logic::formula::Formula;

/// A square whose rows have a colour each, but for some cards that are shuffled unseen.
struct Table {
    game: Yokai,
    assumed: Assumed,
    hidden: CardSet,
}

impl Table {
    fn colour(card: Card) -> Colour {
        Colour::ALL[card.index() / 4]
    }

    /// All colourings in which the cards in sight have their colours.
    fn deals(&self) -> Vec<(State, Event)> {
        let hidden: Vec<Card> = self.hidden.iter().collect();
        let mut found: Vec<Colouring> = Vec::new();
        for colours in ken_games::dice::falls(|dice| {
            let mut colours: Vec<Colour> = hidden.iter().map(|&card| Table::colour(card)).collect();
            dice.shuffle(&mut colours);
            colours
        }) {
            let of = |i: usize| match hidden.iter().position(|card| card.index() == i) {
                Some(at) => colours[at],
                None => Table::colour(Card(i as u8)),
            };
            let colouring = Colouring::new(std::array::from_fn(of)).expect("four of each");
            if !found.contains(&colouring) {
                found.push(colouring);
            }
        }
        // The order of the hints is the same in all: nothing is asked about it.
        let hints = [Colours::NONE; HINTS];
        let deal = |colouring| (State::at(colouring, Stage::start()), Event::Dealt { colouring, hints });
        found.into_iter().map(deal).collect()
    }

    /// The facts about the hidden cards, and `grouped`. Only hidden cards are looked at, moved or marked, which says
    /// nothing about them.
    fn unfold(&self) -> Unfold<'_, Yokai> {
        let mut unfold = Unfold::of(&self.game).dealt(self.deals());
        let state_of = |card: Card| move |state: &State| state.colouring().of(card);
        for card in self.hidden.iter() {
            let (number, of) = (card.0 + 1, state_of(card));
            for colour in Colour::ALL {
                unfold = unfold.atom(format!("col({number},{colour})"), move |h| of(h.state()) == colour);
            }
            unfold = unfold
                .atom(format!("col({number},rg)"), move |h| [Colour::Red, Colour::Green].contains(&of(h.state())));
            for other in self.hidden.iter().filter(|&other| other > card) {
                let to = state_of(other);
                let name = format!("same({number},{})", other.0 + 1);
                unfold = unfold.atom(name, move |h| of(h.state()) == to(h.state()));
            }
        }
        let grouped = |state: &State| state.stage().layout().shape().grouped(state.colouring());
        unfold = unfold.atom("grouped", move |h| grouped(h.state()));
        unfold.only_if(|state, action| match *action {
            Action::Mark(card, hint) if self.assumed == Assumed::Proper => {
                let proper = hint.has(state.colouring().of(card));
                Some(Formula::Const(self.hidden.has(card) && proper).into())
            }
            Action::Look(card) | Action::Move(card, _) | Action::Mark(card, _) => {
                Some(Formula::Const(self.hidden.has(card)).into())
            }
            Action::Skip | Action::Activate | Action::Stop => None,
        })
    }

    /// What the engine says.
    fn verdict(&self, memory: &[Sight], formula: &str) -> Option<Verdict> {
        let mut mind = Memory::new(&self.game, self.assumed);
        memory.iter().for_each(|sight| mind.learn(sight));
        let mut notes = mind.notes().clone();
        for card in CardSet::first(CARDS).minus(self.hidden).iter() {
            notes.tell(card, Colours::of(Table::colour(card)), None);
        }
        // What cannot be done is not asked about.
        let fact = read(&notes, formula).ok()?;
        Some(Knower::about(&notes).ask(&fact).expect("a colouring fits").verdict)
    }

    fn compared(&self, seeds: std::ops::Range<u64>) -> Compared {
        let unfold = self.unfold();
        let trial = Trial { operators: &Operator::ALL, depth: 3, events: 16, formulas: 3 };
        total(
            seeds.map(|seed| {
                unfolding_agrees(&unfold, seed, &trial, |_, memory, f| self.verdict(memory, &f.to_string()))
            }),
        )
    }

    fn foreseen(&self, seeds: std::ops::Range<u64>) -> Compared {
        let unfold = self.unfold();
        let trial = Trial { operators: &Operator::ALL, depth: 2, events: 12, formulas: 3 };
        total(seeds.map(|seed| {
            what_if_agrees(&unfold, seed, &trial, |_, memory, ask| self.verdict(memory, &text_of(&self.game, ask)))
        }))
    }
}

#[test]
fn what_is_known_of_a_few_hidden_cards_is_what_the_rules_make() {
    let mut all = Compared::default();
    for_tables(3..6, |table| all += table.compared(0..4));
    assert!(all.verdicts > 3000 && all.settled < all.verdicts && all.unanswered == 0, "{all:?}");
}

#[test]
fn what_would_be_known_after_a_move_is_what_the_rules_make() {
    let mut all = Compared::default();
    for_tables(3..5, |table| all += table.foreseen(0..4));
    assert!(all.verdicts > 1000 && all.settled < all.verdicts, "{all:?}");
}

/// Calls `look` for several rules, assumptions and hidden cards.
fn for_tables(hidden: std::ops::Range<usize>, mut look: impl FnMut(&Table)) {
    let games = [
        Yokai::default(),
        Yokai { free_order: true, any_time: true, ..Yokai::PLAIN },
        Yokai { oracle: true, ..Yokai::PLAIN },
    ];
    for (i, game) in games.into_iter().enumerate() {
        for assumed in [Assumed::Nothing, Assumed::Proper] {
            for cards in hidden.clone() {
                let dice = &mut Dice::new(10 * i as u64 + cards as u64);
                let mut hidden = CardSet::EMPTY;
                while hidden.len() < cards {
                    hidden = hidden.with(Card(dice.below(CARDS) as u8));
                }
                look(&Table { game, assumed, hidden });
            }
        }
    }
}
