//! The rules of Cluedo, case by case: what the laws cannot express.

use ken_games::cards::{Card, CardSet};
use ken_games::cluedo::rules::{Phase, asked, passed};
use ken_games::cluedo::view::Mark;
use ken_games::cluedo::{Cluedo, Deck, Endmove, Event, Sight};
use ken_games::game::{Game, Notation, Seat, Turn, View};
use std::sync::Arc;

/// A match in progress that is played by text.
struct Play {
    game: Cluedo,
    state: <Cluedo as Game>::State,
    events: Vec<Event>,
}

impl Play {
    /// A match with this envelope and these hands, all by name.
    fn begin(game: Cluedo, envelope: &str, hands: &[&str]) -> Play {
        let cards = |text: &str| text.split(' ').map(|n| game.deck().find(n).unwrap()).collect::<Vec<Card>>();
        let (state, event) =
            game.begin(cards(envelope).into_iter().collect(), hands.iter().map(|h| cards(h)).collect());
        Play { game, state, events: vec![event] }
    }

    fn play(&mut self, text: &str) -> Event {
        let event = self.game.read(text).and_then(|a| self.game.play(&mut self.state, &a));
        let event = event.unwrap_or_else(|e| panic!("{text}: {e}"));
        self.events.push(event.clone());
        event
    }

    fn refused(&mut self, text: &str) -> String {
        let before = self.state.clone();
        let action = self.game.read(text).unwrap();
        let why = self.game.play(&mut self.state, &action).unwrap_err();
        assert_eq!(self.state, before, "a refused action changes nothing");
        why.to_string()
    }

    fn sight(&self, seat: u8) -> Sight {
        self.game.sight(self.events.last().unwrap(), Seat(seat))
    }

    fn told(&self, seat: u8) -> String {
        self.game.tell_sight(&self.sight(seat))
    }

    fn memory(&self, seat: u8) -> Vec<Sight> {
        self.events.iter().map(|e| self.game.sight(e, Seat(seat))).collect()
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn card(&self, name: &str) -> Card {
        self.game.deck().find(name).unwrap()
    }
}

fn of(seat: u8) -> Turn {
    Turn::Of(Seat(seat))
}

fn small_deck() -> Arc<Deck> {
    let category = |name: &str, cards: &str| (name.to_string(), cards.split(' ').map(str::to_string).collect());
    let deck = vec![
        category("who", "plum green white"),
        category("how", "rope dagger"),
        category("where", "hall study lounge"),
    ];
    Arc::new(Deck::new(deck).unwrap())
}

/// Three players; the envelope has plum, rope and hall.
fn three() -> Play {
    let game = Cluedo::new(small_deck(), 3).unwrap();
    Play::begin(game, "plum rope hall", &["green study", "white dagger", "lounge"])
}

#[test]
fn answers_come_in_seat_order_and_the_first_who_can_must_show() {
    let mut p = three();
    let asked = p.play("suggest white dagger lounge");
    assert!(matches!(asked, Event::Asked { asker: Seat(0), answer: Some(Seat(1)), .. }), "not seat 2, who has lounge");
    assert_eq!(p.turn(), of(1));
    assert_eq!(
        p.game.legal(&p.state).iter().map(|a| p.game.write(a)).collect::<Vec<_>>(),
        ["show white", "show dagger"]
    );
    assert_eq!(p.refused("end"), "a card must be shown first (show one of the suggested cards)");
    assert_eq!(p.refused("show lounge"), "you do not hold `lounge`");
    assert_eq!(p.refused("show green"), "`green` was not asked for (the suggestion is white dagger lounge)");
    p.play("show dagger");
    assert_eq!(p.turn(), of(0));
}

#[test]
fn the_order_of_answers_goes_round_the_table() {
    assert_eq!(asked(Seat(2), 4).collect::<Vec<_>>(), [Seat(3), Seat(0), Seat(1)]);
    assert_eq!(passed(Seat(2), Some(Seat(1)), 4).collect::<Vec<_>>(), [Seat(3), Seat(0)]);
    assert_eq!(passed(Seat(2), None, 4).count(), 3);
}

#[test]
fn refuter_shows_only_to_the_asker() {
    let mut p = three();
    p.play("suggest white dagger lounge");
    p.play("show white");
    let shown = Some(p.card("white"));
    assert_eq!(
        [0, 1, 2].map(|s| matches!(p.sight(s), Sight::Shown { card, .. } if card == shown)),
        [true, true, false]
    );
    assert_eq!(p.told(2), "seat 1 shows a card to seat 0");
    assert_eq!(p.told(0), "seat 1 shows white to seat 0");
}

#[test]
fn a_seat_may_ask_for_its_own_cards_and_nobody_else_answers() {
    let mut p = three();
    assert!(matches!(p.play("suggest green rope study"), Event::Asked { answer: None, .. }));
    assert_eq!(p.turn(), of(0), "the asker decides at once");
}

#[test]
fn a_turn_is_a_suggestion_then_an_accusation_or_the_end() {
    let mut p = three();
    assert_eq!(p.refused("end"), "a turn begins with a suggestion (suggest one card of each category)");
    assert_eq!(
        p.refused("accuse plum rope hall"),
        "a turn begins with a suggestion (suggest one card of each category)"
    );
    p.play("suggest plum rope hall");
    assert_eq!(p.refused("suggest plum rope hall"), "the question has been answered (accuse, or end the turn)");
    p.play("end");
    assert_eq!(p.turn(), of(1));
}

#[test]
fn a_right_accusation_wins_and_opens_the_envelope_for_all() {
    let mut p = three();
    p.play("suggest plum rope hall");
    p.play("accuse plum rope hall");
    let Turn::Over(outcome) = p.turn() else { panic!("the match is over") };
    assert_eq!((outcome.scores, outcome.words.as_str()), (vec![1, 0, 0], "seat 0 won"));
    assert_eq!(p.state.winner(), Some(Seat(0)));
    assert!((0..3).all(|s| matches!(p.sight(s), Sight::Accused { correct: true, envelope: Some(_), .. })));
    assert!(p.game.legal(&p.state).is_empty());
    assert_eq!(p.refused("end"), "the match is over");
}

#[test]
fn a_wrong_accuser_alone_sees_the_envelope_and_stays_to_answer() {
    let mut p = three();
    p.play("suggest plum rope hall");
    p.play("accuse plum dagger hall");
    assert!(matches!(p.sight(0), Sight::Accused { correct: false, envelope: Some(_), .. }));
    assert!((1..3).all(|s| matches!(p.sight(s), Sight::Accused { correct: false, envelope: None, .. })));
    assert!(p.state.stage().is_out(Seat(0)));
    p.play("suggest green rope hall");
    assert_eq!(p.turn(), of(0), "seat 2 passes, and seat 0 still answers");
    p.play("show green");
    p.play("end");
    p.play("suggest plum rope hall");
    p.play("end");
    assert_eq!(p.turn(), of(1), "seat 0 has no more turns");
}

#[test]
fn when_all_have_accused_wrongly_nobody_wins() {
    let mut p = three();
    for seat in 0..3 {
        assert_eq!(p.turn(), of(seat));
        p.play("suggest plum rope hall");
        p.play("accuse white dagger study");
    }
    assert!(matches!(p.turn(), Turn::Over(outcome) if outcome.words == "nobody won" && outcome.scores == [0, 0, 0]));
}

#[test]
fn the_last_who_has_not_accused_goes_on_alone() {
    let mut p = three();
    for _ in 0..2 {
        p.play("suggest plum rope hall");
        p.play("accuse white dagger study");
    }
    for _ in 0..3 {
        assert_eq!(p.turn(), of(2));
        p.play("suggest plum rope hall");
        p.play("end");
    }
}

#[test]
fn a_match_ends_without_a_winner_after_its_turns() {
    let game = Cluedo::new(small_deck(), 2).unwrap().with_turns(2);
    let mut p = Play::begin(game, "plum rope hall", &["green study white", "dagger lounge"]);
    for _ in 0..2 {
        p.play("suggest plum rope hall");
        p.play("end");
    }
    assert!(matches!(p.turn(), Turn::Over(outcome) if outcome.words == "nobody won"));
    assert_eq!(p.game.bound(), 6);
}

#[test]
fn unequal_hands_give_the_first_seats_one_card_more() {
    assert_eq!(Cluedo::classic(4).hand_sizes(), [5, 5, 4, 4]);
    assert_eq!(Cluedo::classic(5).hand_sizes(), [4, 4, 4, 3, 3]);
    for seats in 2..=6 {
        let game = Cluedo::classic(seats);
        let (state, _) = game.deal(&mut ken_games::dice::Dice::new(u64::from(seats)));
        let all = Seat::all(seats).fold(state.envelope(), |all, s| all.or(state.hand(s)));
        assert_eq!(all, game.deck().cards());
        assert!(Seat::all(seats).all(|s| state.hand(s).len() == game.hand_sizes()[s.index()] as usize));
    }
}

#[test]
fn too_many_players_for_the_cards_are_refused() {
    assert!(Cluedo::new(small_deck(), 6).unwrap_err().message.contains("too few"));
    assert_eq!(Cluedo::new(small_deck(), 7).unwrap_err().message, "2 to 6 can play, not 7");
}

#[test]
fn a_seat_sees_its_own_hand_and_only_the_sizes_of_others() {
    let p = three();
    let Sight::Dealt { seat, hand, sizes } = p.sight(1) else { panic!("the deal") };
    assert_eq!((seat, sizes), (Seat(1), vec![2, 2, 1]));
    assert_eq!(hand, [p.card("white"), p.card("dagger")]);
    assert_eq!(p.told(1), "you are seat 1 and hold white dagger; the hands have 2 2 1 cards");
}

#[test]
fn everybody_sees_who_asked_who_passed_and_who_answers() {
    let mut p = three();
    p.play("suggest plum rope lounge");
    assert!((0..3).all(|s| p.told(s) == "seat 0 suggests plum rope lounge: seat 1 passes, seat 2 answers"));
    let data = p.game.sight_data(&p.sight(1)).to_string();
    assert_eq!(data, r#"{"ask":0,"cards":["plum","rope","lounge"],"passed":[1],"shown_by":2}"#);
}

#[test]
fn only_the_end_of_a_silent_turn_reveals_nothing() {
    let mut p = three();
    let mut revealed = vec![p.game.reveals(&p.events[0])];
    for text in ["suggest plum rope lounge", "show lounge", "end"] {
        let event = p.play(text);
        revealed.push(p.game.reveals(&event));
    }
    assert_eq!(revealed, [true, true, true, false]);
    assert!(p.game.clone().with_endmove(Endmove::Ignorance).reveals(p.events.last().unwrap()));
}

#[test]
fn the_page_has_direct_marks_open_sets_and_what_can_be_asked() {
    let mut p = three();
    p.play("suggest plum dagger study");
    p.play("show dagger");
    p.play("end");
    p.play("suggest green rope lounge");
    p.play("show lounge");
    let page = p.game.view(&p.memory(0));
    let mark = |name: &str, seat: u8| page.mark(p.card(name), Seat(seat));
    assert_eq!(mark("green", 0), Mark::Has);
    assert_eq!(mark("green", 1), Mark::HasNot, "what is here is not there");
    assert_eq!(mark("dagger", 1), Mark::Has, "it was shown to this seat");
    assert_eq!(mark("plum", 1), Mark::Open);
    let rest: CardSet = ["rope", "lounge"].map(|n| p.card(n)).into_iter().collect();
    assert_eq!(page.one_of, [(Seat(2), rest)], "green is in seat 0's own hand");
    assert_eq!(page.phase, Phase::Decide(Seat(1)));
    assert!(page.askable.is_empty());

    p.play("accuse green rope lounge");
    let page = p.game.view(&p.memory(1));
    assert_eq!((page.out, page.phase), (vec![Seat(1)], Phase::Suggest(Seat(2))));
    assert_eq!(["plum", "rope", "hall"].map(|n| p.game.view(&p.memory(1)).in_envelope(p.card(n))), [Mark::Has; 3]);
    let page = p.game.view(&p.memory(2));
    assert_eq!((page.askable, page.not_envelope.len()), (p.game.deck().cards(), 1));
    assert_eq!(page.log.last().unwrap(), "seat 1 accuses green rope lounge: wrong");
}
