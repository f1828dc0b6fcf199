//! The laws of every game, run for Cluedo with all player counts and small and classic decks; and games and engines that
//! break a law, to prove that the laws notice.

use ken_games::cards::Card;
use ken_games::cluedo::position::Constraints;
use ken_games::cluedo::{Cluedo, Deck, Endmove, Position, Sight, rules};
use ken_games::conformance as laws;
use ken_games::dice::Dice;
use ken_games::game::{Game, Illegal, Knowledge, Seat, Turn, Verdict, View};
use std::sync::Arc;

/// A deck with as many cards in each category as the list says.
fn deck(sizes: &[usize]) -> Arc<Deck> {
    let category = |(i, &n): (usize, &usize)| {
        let letter = (b'a' + i as u8) as char;
        (format!("kind_{letter}"), (1..=n).map(|k| format!("{letter}{k}")).collect())
    };
    Arc::new(Deck::new(sizes.iter().enumerate().map(category).collect()).unwrap())
}

fn games() -> Vec<Cluedo> {
    let mut games = Vec::new();
    for seats in rules::PLAYERS {
        let small = deck(&[3, 3, 4]);
        for endmove in Endmove::ALL {
            games.push(Cluedo::classic(seats).with_endmove(endmove).with_turns(20));
            games.push(Cluedo::new(small.clone(), seats).unwrap().with_endmove(endmove).with_turns(9));
        }
    }
    games.push(Cluedo::new(deck(&[3]), 2).unwrap());
    games.push(Cluedo::new(deck(&[2, 2, 2, 2, 2]), 3).unwrap());
    games
}

#[test]
fn cluedo_keeps_the_laws_of_rules_and_notation() {
    for (i, game) in games().iter().enumerate() {
        for seed in 0..if game.deck().len() > 12 { 4 } else { 24 } {
            laws::rules_hold(game, 1000 * i as u64 + seed).unwrap_or_else(|e| panic!("{game:?}: {e}"));
        }
    }
}

#[test]
fn in_cluedo_nothing_leaks() {
    for (seats, sizes) in [(2, [2, 2, 2]), (3, [2, 2, 3]), (4, [2, 3, 3])] {
        let mut compared = 0;
        for endmove in Endmove::ALL {
            let game = Cluedo::new(deck(&sizes), seats).unwrap().with_endmove(endmove).with_turns(12);
            for seed in 0..40 {
                compared += laws::nothing_leaks(&game, seed).unwrap_or_else(|e| panic!("{e}"));
            }
        }
        assert!(compared > 2_000, "{compared} pairs for {seats} seats");
    }
}

#[test]
fn in_cluedo_only_a_silent_end_can_be_taken_back_and_it_tells_nothing() {
    let silent = Cluedo::new(deck(&[2, 2, 2]), 2).unwrap().with_turns(12);
    let count = |game: &Cluedo| (0..60).map(|seed| laws::undone_tells_nothing(game, seed).unwrap()).sum::<usize>();
    assert!(count(&silent) > 100);
    assert_eq!(count(&silent.with_endmove(Endmove::Ignorance)), 0);
}

#[test]
fn the_page_of_every_seat_knows_what_is_to_be_done_and_marks_the_truth() {
    for game in games() {
        let played = laws::random_match(&game, 7);
        for seat in Seat::all(game.seats()) {
            let memory = played.memory(seat);
            for (n, state) in played.states().iter().enumerate() {
                let page = game.view(&memory[..=n]);
                assert_eq!(page.phase, state.stage().phase());
                assert_eq!(page.log.len(), n + 1);
                for card in game.deck().cards().iter() {
                    for other in Seat::all(game.seats()) {
                        assert_true(page.mark(card, other), state.hand(other).has(card));
                    }
                    assert_true(page.in_envelope(card), state.envelope().has(card));
                }
                assert!(page.one_of.iter().all(|&(s, cards)| !state.hand(s).is_disjoint(cards)));
            }
        }
    }
}

fn assert_true(mark: ken_games::cluedo::view::Mark, holds: bool) {
    use ken_games::cluedo::view::Mark;
    assert!(mark == Mark::Open || (mark == Mark::Has) == holds, "{mark:?}");
}

/// Knowledge by direct marks, with a fault on demand.
struct Direct {
    position: Position,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    Lies,
    Forgets,
}

/// The card is at this place: a seat, or after the seats the envelope.
struct At(Card, usize);

impl Direct {
    fn begin(game: &Cluedo, fault: Fault) -> impl Fn(&Sight) -> Direct {
        move |deal| Direct { position: Position::dealt(game.deck(), deal), fault }
    }
}

impl Knowledge<Cluedo> for Direct {
    type Fact = At;
    type Proof = ();

    fn learn(&mut self, sight: &Sight) {
        self.position.learn(sight, Endmove::Silent);
        if self.fault == Fault::Forgets {
            self.position = self.position.with_events(self.position.events().last().copied().into_iter().collect());
        }
    }

    fn verdict(&self, &At(card, place): &At) -> Verdict {
        let may = Constraints::of(&self.position).may[card.index()];
        match may {
            may if may >> place & 1 == 0 => Verdict::No,
            may if may == 1 << place || self.fault == Fault::Lies => Verdict::Yes,
            _ => Verdict::Open,
        }
    }

    fn explain(&self, fact: &At) -> Option<()> {
        (self.verdict(fact) == Verdict::Yes).then_some(())
    }
}

#[test]
fn laws_of_knowledge_hold_of_direct_marks_and_catch_lies_forgetting_and_disagreement() {
    let game = Cluedo::new(deck(&[2, 3, 3]), 3).unwrap().with_turns(9);
    let places = game.seats() as usize + 1;
    let facts: Vec<At> = game.deck().cards().iter().flat_map(|c| (0..places).map(move |p| At(c, p))).collect();
    let holds = |state: &rules::State, &At(card, place): &At| match place {
        3 => state.envelope().has(card),
        seat => state.hand(Seat(seat as u8)).has(card),
    };
    let truth = |fault, seed| laws::knowledge_is_true(&game, seed, Direct::begin(&game, fault), &facts, holds);
    let lasts = |fault, seed| laws::known_stays_known(&game, seed, Direct::begin(&game, fault), &facts);
    let agree = |fault, seed| {
        laws::engines_agree(&game, seed, Direct::begin(&game, Fault::None), Direct::begin(&game, fault), &facts)
    };
    for seed in 0..20 {
        assert_eq!(truth(Fault::None, seed), Ok(()));
        assert_eq!(lasts(Fault::None, seed), Ok(()));
        assert!(agree(Fault::None, seed).unwrap() > 0);
    }
    assert!((0..20).any(|seed| truth(Fault::Lies, seed).is_err()));
    assert!((0..20).any(|seed| lasts(Fault::Forgets, seed).is_err()));
    assert!((0..20).any(|seed| agree(Fault::Forgets, seed).is_err()));
}

/// A game with a fault: seat 0 holds a bit that seat 1 does not see; each seat moves once.
#[derive(Clone)]
struct Faulty(Leak);

#[derive(Clone, PartialEq)]
enum Leak {
    None,
    Options,
    Order,
    Turn,
    Ending,
    Undo,
    Unlisted,
    Changed,
    Endless,
    /// No fault: what is not listed may be played where something of its kind is.
    Open,
    /// Open, but also played where nothing is listed.
    Late,
}

#[derive(Clone, PartialEq)]
struct Bit {
    bit: bool,
    moves: u8,
}

impl Game for Faulty {
    type State = Bit;
    type Action = u8;
    type Event = (Bits, bool);
    type Sight = (Bits, Option<bool>);

    fn seats(&self) -> u8 {
        2
    }

    fn deal(&self, dice: &mut Dice) -> (Bit, (Bits, bool)) {
        let bit = dice.below(2) == 1;
        (Bit { bit, moves: 0 }, (Bits::Dealt, bit))
    }

    fn turn(&self, state: &Bit) -> Turn {
        let bit = |fault| self.0 == fault && state.bit;
        match state.moves {
            0 => Turn::Of(Seat(u8::from(bit(Leak::Turn)))),
            1 => Turn::Of(Seat(1)),
            _ if self.0 == Leak::Endless => Turn::Of(Seat(0)),
            _ => {
                let scores = vec![i64::from(bit(Leak::Ending)), 0];
                Turn::Over(ken_games::game::Outcome { scores, words: "over".into() })
            }
        }
    }

    fn legal(&self, state: &Bit) -> Vec<u8> {
        match (self.turn(state), &self.0) {
            (Turn::Over(_), _) => Vec::new(),
            (_, Leak::Options) if state.bit => vec![0],
            (_, Leak::Order) if state.bit => vec![1, 0],
            (_, Leak::Open | Leak::Late) => vec![u8::from(state.moves > 0)],
            _ => vec![0, 1],
        }
    }

    fn is_open(&self, _: &u8) -> bool {
        matches!(self.0, Leak::Open | Leak::Late)
    }

    fn play(&self, state: &mut Bit, action: &u8) -> Result<(Bits, bool), Illegal> {
        let listed = match self.0 {
            Leak::Open => !self.legal(state).is_empty(),
            Leak::Late => true,
            _ => self.legal(state).contains(action),
        };
        if self.0 == Leak::Changed {
            state.moves = state.moves.saturating_add(1);
        }
        if !listed && self.0 != Leak::Unlisted {
            return Err(Illegal::new("not listed"));
        }
        if self.0 != Leak::Changed {
            state.moves = state.moves.saturating_add(1);
        }
        Ok((Bits::Moved(*action), state.bit))
    }

    fn sight(&self, (event, bit): &(Bits, bool), seat: Seat) -> (Bits, Option<bool>) {
        let told = self.0 == Leak::Undo && *event != Bits::Dealt;
        (event.clone(), (seat == Seat(0) || told).then_some(*bit))
    }

    fn reveals(&self, _: &(Bits, bool)) -> bool {
        false
    }

    fn bound(&self) -> usize {
        2
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Bits {
    Dealt,
    Moved(u8),
}

impl View for Faulty {
    type View = usize;

    fn view(&self, memory: &[(Bits, Option<bool>)]) -> usize {
        memory.len()
    }
}

#[test]
fn a_game_that_leaks_by_its_options_their_order_its_turns_or_its_end_is_caught() {
    let leaks = |leak: Leak| (0..20).find_map(|seed| laws::nothing_leaks(&Faulty(leak.clone()), seed).err());
    assert_eq!(leaks(Leak::None), None);
    let caught = |leak: Leak| leaks(leak).expect("it leaks").what;
    assert!(caught(Leak::Options).contains("its options"));
    assert!(caught(Leak::Order).contains("its options"));
    assert!(caught(Leak::Turn).contains("whose turn it is"));
    assert!(caught(Leak::Ending).contains("whose turn it is"));
}

#[test]
fn an_undo_after_which_a_seat_has_seen_something_is_caught() {
    let undone = |leak: Leak| (0..20).find_map(|seed| laws::undone_tells_nothing(&Faulty(leak.clone()), seed).err());
    assert_eq!(undone(Leak::None), None);
    assert!(undone(Leak::Undo).is_some());
}

#[test]
fn a_game_that_plays_what_it_does_not_list_changes_what_it_refuses_or_goes_on_is_caught() {
    let unlisted =
        |leak: Leak| (0..20).find_map(|seed| laws::unlisted_actions_are_refused(&Faulty(leak.clone()), seed).err());
    assert_eq!(unlisted(Leak::None), None);
    assert_eq!(unlisted(Leak::Open), None);
    assert!(unlisted(Leak::Late).expect("caught").what.contains("is not listed but gives"));
    assert!(unlisted(Leak::Unlisted).expect("caught").what.contains("is not listed but gives"));
    assert!(unlisted(Leak::Changed).expect("caught").what.contains("changed the state"));
    assert!(laws::matches_end(&Faulty(Leak::None), 1).is_ok());
    assert!(laws::matches_end(&Faulty(Leak::Endless), 1).is_err());
}
