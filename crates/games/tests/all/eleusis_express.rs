//! The rules of Express, sentence by sentence.

use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::eleusis::deck::Deck;
use ken_games::eleusis::table::{Deal, Eleusis, Phase, State, arranged};
use ken_games::eleusis::{Express, text};
use ken_games::game::{Game, Notation, Seat, Turn};
use serde_json::json;

const COLOURS: &str = "alternate red and black";

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|c| Deck::STANDARD.read(c).expect("a card")).collect()
}

/// A round with three players, seats 0 to 2, and a dealer, seat 3.
struct Round {
    game: Express,
    state: State,
}

impl Round {
    fn new(game: Express, rule: &str, hands: &[&str], starter: &str, stock: &str) -> Round {
        let mut hands: Vec<Vec<Card>> = hands.iter().map(|h| cards(h)).collect();
        hands.resize(game.seats() as usize, Vec::new());
        // The top of the stock is its last card; here it is written first.
        let stock = cards(stock).into_iter().rev().collect();
        let deal = Deal { hands, removed: Vec::new(), flipped: Vec::new(), starter: cards(starter)[0], stock };
        let state = arranged(&game, rule, deal).expect("a rule");
        Round { game, state }
    }

    fn of_colours(hands: &[&str]) -> Round {
        Round::new(Express::new(4), COLOURS, hands, "3S", "KC KD KH KS QC QD QH QS")
    }

    /// Plays what is typed and gives what everybody saw who does not hold cards.
    fn act(&mut self, typed: &str) -> String {
        self.try_act(typed).unwrap_or_else(|e| panic!("{typed}: {e}"))
    }

    fn try_act(&mut self, typed: &str) -> Result<String, String> {
        let action = self.game.read(typed).map_err(|e| e.to_string())?;
        let event = self.game.play(&mut self.state, &action).map_err(|e| e.to_string())?;
        Ok(self.game.tell_sight(&self.game.sight(&event, Seat(3))))
    }

    fn refusal(&mut self, typed: &str) -> String {
        self.try_act(typed).expect_err(typed)
    }

    fn hand(&self, seat: u8) -> String {
        text::list(&Deck::STANDARD, self.state.hand(Seat(seat)))
    }

    fn phase(&self) -> Phase {
        self.state.stage().phase()
    }

    fn layout(&self) -> Vec<String> {
        self.state.stage().layout().draw(&Deck::STANDARD, 80)
    }

    /// The points of the rounds that are over.
    fn points(&self) -> &[i64] {
        self.state.stage().points()
    }
}

#[test]
fn an_accepted_card_goes_on_the_mainline_and_its_player_may_guess() {
    let mut round = Round::of_colours(&["7D 9C", "2C", "4C"]);
    assert_eq!(round.act("play 7D"), "seat 0 plays 7D: accepted");
    assert_eq!(round.layout(), ["3S  7D"]);
    assert_eq!(round.hand(0), "9C");
    assert_eq!(round.phase(), Phase::Guess { seat: Seat(0), forced: false });
    assert_eq!(round.act("pass"), "seat 0 does not guess");
    assert_eq!(round.phase(), Phase::Play(Seat(1)));
}

#[test]
fn a_refused_card_goes_below_the_last_one_and_its_player_draws_and_may_not_guess() {
    let mut round = Round::of_colours(&["7D 9C", "2C", "4C"]);
    assert_eq!(round.act("9c"), "seat 0 plays 9C: refused, and draws 1 card");
    assert_eq!(round.layout(), ["3S", "9C"]);
    assert_eq!(round.hand(0), "7D KC");
    assert_eq!(round.phase(), Phase::Play(Seat(1)));
    assert!(round.refusal("guess alternate red and black").starts_with("a guess is made after a card of yours"));
}

#[test]
fn the_turn_goes_round_from_the_dealers_left_and_skips_the_dealer() {
    let mut round = Round::of_colours(&["9C TC", "2C", "4C"]);
    for (card, next) in [("9C", 1), ("2C", 2), ("4C", 0)] {
        round.act(card);
        assert_eq!(round.phase(), Phase::Play(Seat(next)));
    }
}

#[test]
fn a_right_no_play_shows_the_hand_discards_one_card_and_may_guess() {
    let mut round = Round::of_colours(&["9C 2S", "2C", "4C"]);
    assert_eq!(round.act("no play"), "seat 0 has no play and shows 2S 9C: right");
    assert_eq!(round.phase(), Phase::Discard(Seat(0)));
    assert!(round.refusal("pass").starts_with("your `no play` was right"));
    assert_eq!(round.refusal("discard 7D"), "you do not hold 7D");
    assert_eq!(round.act("discard 9C"), "seat 0 discards 9C");
    assert_eq!(round.layout(), ["3S", "9C"]);
    assert_eq!(round.hand(0), "2S");
    assert_eq!(round.phase(), Phase::Guess { seat: Seat(0), forced: false });
}

#[test]
fn after_a_wrong_no_play_the_dealer_lays_the_lowest_accepted_card_and_the_player_draws() {
    let mut round = Round::of_colours(&["9H 7H 7D 2S", "2C", "4C"]);
    let told = round.act("no play");
    assert_eq!(told, "seat 0 has no play and shows 2S 7D 7H 9H: wrong, the dealer lays 7D and seat 0 draws 1 card");
    assert_eq!(round.layout(), ["3S  7D"]);
    assert_eq!(round.hand(0), "2S 7H 9H KC");
    assert_eq!(round.phase(), Phase::Play(Seat(1)), "no guess");
}

#[test]
fn a_right_guess_in_other_words_ends_the_round() {
    let mut round = Round::of_colours(&["7D 9C", "2C 3C 4C", "4C 5C 6C"]);
    round.act("play 7D");
    let told = round.act("guess color(next) != color(prev)");
    assert!(told.starts_with("seat 0 guesses `color(next) != color(prev)`: right; the round is over"), "{told}");
    assert!(told.contains("the rule was `alternate red and black`"), "{told}");
    // Seat 0 keeps one card and has 3 off; the dealer is as good as the second best.
    assert_eq!(round.points(), [-2, 3, 3, 3]);
    assert_eq!(round.phase(), Phase::Rule(Seat(0)), "the next seat deals");
}

#[test]
fn a_wrong_guess_draws_a_card_and_its_witness_stays_secret_until_the_round_is_over() {
    let mut round = Round::of_colours(&["7D 9C", "2C 3C", "4C 5C"]);
    round.act("play 7D");
    let told = round.act("guess parity changes");
    assert_eq!(told, "seat 0 guesses `parity changes`: wrong, and draws 1 card");
    assert_eq!(round.hand(0), "9C KC");
    assert_eq!(round.phase(), Phase::Play(Seat(1)), "one guess a turn");
    round.act("play 2C");
    let told = round.act("guess alternate red and black");
    assert!(told.contains("seat 0's guess `parity changes` was wrong"), "{told}");
}

#[test]
fn a_guess_that_misjudges_a_card_on_the_table_is_wrong_with_that_card_as_witness() {
    let mut round = Round::of_colours(&["7D 9C", "2C 3C", "4C 5C"]);
    round.act("play 7D");
    // 7D lies on the mainline, and is not black.
    round.act("guess black");
    round.act("play 2C");
    let told = round.act("guess alternate red and black");
    let witness =
        "seat 0's guess `black` was wrong: after card 1 of the mainline the rule accepts 7D and the guess does not";
    assert!(told.contains(witness), "{told}");
}

#[test]
fn a_guess_is_judged_from_the_line_as_it_lies() {
    // With a queen on the line, `higher or equal` and these differ only in what cannot come any more.
    let never_lower = "rank(next) >= rank(prev)";
    let mut round = Round::new(Express::new(4), never_lower, &["KD 2C", "KC 3C", "3C"], "JS", "KC KD");
    round.act("play KD");
    let told = round.act("guess rank(next) >= rank(prev) and not (prev is an ace and next is 2)");
    assert!(told.contains("right"), "no ace can come any more: {told}");
}

#[test]
fn whoever_has_no_cards_must_guess() {
    let mut round = Round::of_colours(&["7D", "2C", "4C"]);
    round.act("play 7D");
    assert_eq!(round.phase(), Phase::Guess { seat: Seat(0), forced: true });
    assert!(round.refusal("pass").starts_with("you have no cards left and must name the rule"));
    round.act("guess red");
    assert_eq!(round.hand(0), "KC");
    assert_eq!(round.phase(), Phase::Play(Seat(1)));
}

#[test]
fn a_right_no_play_with_one_card_forces_a_guess_too() {
    let mut round = Round::of_colours(&["9C", "2C", "4C"]);
    round.act("no play");
    round.act("discard 9C");
    assert_eq!(round.phase(), Phase::Guess { seat: Seat(0), forced: true });
}

#[test]
fn the_round_ends_when_the_last_card_is_drawn() {
    let mut round = Round::new(Express::new(4), COLOURS, &["9C TC", "2C", "4C 5C"], "3S", "KC KD");
    assert!(!round.act("play 9C").contains("over"));
    let told = round.act("play 2C");
    assert!(
        told.contains("the round is over: the last card is drawn; the rule was `alternate red and black`"),
        "{told}"
    );
    assert_eq!(round.points(), [2, 1, 2, 2]);
}

#[test]
fn the_example_of_the_description_is_scored_as_it_says() {
    // Bob keeps 3 cards, Ted 6, Adam 7 and named the rule; John dealt.
    let table = Express::new(4).table().clone();
    assert_eq!(table.points(&[3, 6, 7, 0], Seat(3), Some(Seat(2))), [3, 6, 4, 4]);
    assert_eq!(table.points(&[3, 6, 7, 0], Seat(3), None), [3, 6, 7, 6]);
}

#[test]
fn every_seat_deals_equally_often_and_low_points_win() {
    let game = Express::with_options(&json!({"players": 3, "rounds": 2})).unwrap();
    let dealers: Vec<u8> = (0..game.table().rounds()).map(|r| game.table().dealer(r).0).collect();
    assert_eq!(dealers, [2, 0, 1, 2, 0, 1]);
    let (mut state, _) = game.deal(&mut Dice::new(1));
    let mut dealt = [0; 3];
    let mut dice = Dice::new(2);
    let outcome = loop {
        match game.turn(&state) {
            Turn::Over(outcome) => break outcome,
            Turn::Of(seat) => {
                dealt[seat.index()] += u32::from(matches!(state.stage().phase(), Phase::Rule(_)));
                let legal = game.legal(&state);
                game.play(&mut state, dice.pick(&legal)).unwrap();
            }
        }
    };
    assert_eq!(dealt, [2, 2, 2]);
    let points = state.stage().points();
    assert_eq!(outcome.scores, points.iter().map(|p| -p).collect::<Vec<_>>(), "more is better in the kernel");
    let best = points.iter().min().unwrap();
    assert!(outcome.words.ends_with(&format!("with {best} points")), "{}", outcome.words);
}

#[test]
fn six_players_have_two_decks_seven_cards_each_and_a_card_may_be_held_twice() {
    let game = Express::new(6);
    assert_eq!(game.table().cards(), 104);
    let (mut state, _) = game.deal(&mut Dice::new(3));
    game.play(&mut state, &game.read("rule alternate red and black").unwrap()).unwrap();
    assert_eq!(state.stage().counts(), [7, 7, 7, 7, 7, 0]);
    assert_eq!(state.stage().stock(), 104 - 35 - 1);
    let mut round = Round::new(Express::new(4), COLOURS, &["7D 7D", "2C", "4C"], "3S", "KC");
    assert_eq!(round.game.legal(&round.state).len(), 2, "one 7D and no play");
    round.act("play 7D");
    assert_eq!(round.hand(0), "7D");
}

#[test]
fn cards_that_cannot_begin_are_flipped_and_go_below_the_stock() {
    let game = Express::new(4);
    let mut aces = 0;
    for seed in 0..20 {
        let (mut state, _) = game.deal(&mut Dice::new(seed));
        let event = game.play(&mut state, &game.read("rule start: ace; rank(next) >= rank(prev)").unwrap()).unwrap();
        let data = game.sight_data(&game.sight(&event, Seat(0)));
        let starter = data["starter"].as_str().unwrap();
        let flipped = data["flipped"].as_array().unwrap();
        assert_eq!(data["stock"], 52 - 21 - 1, "what was flipped can be drawn");
        match starter.starts_with('A') {
            true => assert!(flipped.iter().all(|c| !c.as_str().unwrap().starts_with('A'))),
            false => assert!(flipped.is_empty(), "all aces were dealt: the first card begins"),
        }
        aces += u32::from(starter.starts_with('A'));
    }
    assert!(aces > 10, "{aces} of 20 matches began with an ace");
}

#[test]
fn only_the_dealer_sees_the_rule_and_only_the_drawer_the_card() {
    let game = Express::new(3);
    let (mut state, _) = game.deal(&mut Dice::new(1));
    let event = game.play(&mut state, &game.read("rule alternate red and black").unwrap()).unwrap();
    for seat in Seat::all(3) {
        let told = game.tell_sight(&game.sight(&event, seat));
        assert_eq!(told.contains("red and black"), seat == Seat(2), "{told}");
    }
}

#[test]
fn with_open_hands_everybody_sees_all_cards_but_the_rule() {
    let game = Express::with_options(&json!({"players": 3, "open": true})).unwrap();
    let (mut state, _) = game.deal(&mut Dice::new(1));
    let event = game.play(&mut state, &game.read("rule alternate red and black").unwrap()).unwrap();
    let told = game.sight_data(&game.sight(&event, Seat(0)));
    assert!(told["hands"].as_array().unwrap().iter().all(|h| h.is_array()));
    assert!(told["rule"].is_null());
}

#[test]
fn editions_say_when_a_guess_may_be_made_and_what_is_drawn() {
    let strict = Express::with_options(&json!({"players": 4, "guess": "accepted", "draw_refused": 2})).unwrap();
    let mut round = Round::new(strict, COLOURS, &["9C 2S TC", "2C", "4C"], "3S", "KC KD KH KS");
    round.act("no play");
    round.act("discard 9C");
    assert_eq!(round.phase(), Phase::Play(Seat(1)), "a right `no play` gives no guess in this edition");
    round.act("play 2C");
    assert_eq!(round.hand(1), "KC KD");
    let free = Express::with_options(&json!({"players": 4, "guess": "always", "draw_guess": 3})).unwrap();
    let mut round = Round::new(free, COLOURS, &["9C 2S", "2C", "4C"], "3S", "KC KD KH KS QC");
    round.act("play 9C");
    assert_eq!(round.phase(), Phase::Guess { seat: Seat(0), forced: false });
    round.act("guess black");
    assert_eq!(round.hand(0), "2S KC KD KH KS");
}

#[test]
fn what_cannot_be_played_says_why_and_what_to_do() {
    let mut round = Round::of_colours(&["7D 9C", "2C", "4C"]);
    assert_eq!(round.refusal("play 8D"), "you do not hold 8D");
    assert_eq!(round.refusal("play 1X"), "there is no card `1X` (cards are written like `KS`)");
    assert_eq!(round.refusal("play"), "one card is needed after `play`, not 0 (as in `play AC`)");
    assert_eq!(round.refusal("paly 7D"), "there is no action `paly` (did you mean `play`?)");
    assert_eq!(round.refusal("pass on"), "`pass` stands alone");
    assert_eq!(round.refusal("guess"), "there is no rule after `guess`");
    assert_eq!(round.refusal("discard 7D"), "there is nothing to discard (play a card, or say `no play`)");
    assert_eq!(round.refusal("rule red"), "the rule of this round is chosen already");
    round.act("play 7D");
    let before = round.state.clone();
    let why = round.refusal("guess redd");
    assert!(why.contains("redd"), "{why}");
    assert!(round.state == before, "a guess that cannot be read costs nothing");
    let options = |value| Express::with_options(&value).unwrap_err().to_string();
    assert_eq!(options(json!({"players": 2})), "`players` is a number from 3 to 8, not 2");
    assert_eq!(options(json!({"guess": "never"})), "`guess` is \"accepted\" or \"right\" or \"always\", not \"never\"");
    assert_eq!(options(json!({"hands": 3})), "there is no option `hands` (did you mean `hand`?)");
    assert!(options(json!({"players": 8, "decks": 1, "hand": 8})).starts_with("52 cards are too few"));
}
