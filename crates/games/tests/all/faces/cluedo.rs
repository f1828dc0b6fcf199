//! What a page of Cluedo is told: true, exact, the same for all matches that look the same, and no more than the helper
//! level allows.

use super::Asked;
use ken_games::cards::Card;
use ken_games::cluedo::count::Deals;
use ken_games::cluedo::face::page::CluedoBoard;
use ken_games::cluedo::know::Knower;
use ken_games::cluedo::knowledge::solve;
use ken_games::cluedo::position::Constraints;
use ken_games::cluedo::{Action, Cluedo, Endmove, Event, Position, Sight};
use ken_games::dice::{Dice, mix};
use ken_games::game::{Game, Notation, Player, Seat, Turn};
use ken_games::knowledge::Budget;
use ken_games::knowledge::read as formula;
use ken_games::record::Match;
use ken_games::table::Face;
use ken_games::table::page::{Board, Known, Notes};

/// A match of machine players, stopped after some events.
fn played(seats: u8, endmove: Endmove, name: &str, seed: u64, events: usize) -> Match<Cluedo> {
    let game = Cluedo::classic(seats).with_endmove(endmove);
    let player = |s: Seat| game.player(name, mix(seed, s.0.into())).unwrap();
    let mut players: Vec<Box<dyn Player<Cluedo>>> = Seat::all(seats).map(player).collect();
    let mut played = Match::deal(game.clone(), seed);
    let tell = |players: &mut Vec<Box<dyn Player<Cluedo>>>, event: &Event| {
        players.iter_mut().enumerate().for_each(|(s, p)| p.watch(&game.sight(event, Seat(s as u8))));
    };
    tell(&mut players, &played.events()[0].clone());
    while let Turn::Of(seat) = played.turn() {
        if played.events().len() >= events {
            break;
        }
        let action = players[seat.index()].choose(&game.legal(played.state()));
        let event = played.play(&action).unwrap().clone();
        tell(&mut players, &event);
    }
    played
}

/// A few matches: small and large tables, both meanings of the end of a turn.
fn some() -> Vec<Match<Cluedo>> {
    vec![
        played(2, Endmove::Silent, "elimination", 1, 30),
        played(3, Endmove::Silent, "elimination", 2, 45),
        played(6, Endmove::Silent, "modal", 3, 60),
        played(3, Endmove::Ignorance, "exact", 4, 40),
    ]
}

fn position(game: &Cluedo, memory: &[Sight]) -> Position {
    Position::of_memory(game.deck(), game.endmove(), memory)
}

fn board(game: &Cluedo, memory: &[Sight], helper: u8) -> CluedoBoard {
    match game.board(memory, helper, &[]) {
        Board::Cluedo(board) => board,
        other => panic!("another game's board: {other:?}"),
    }
}

/// Whether a fact `holds(2,rope)` or `env(rope)` is true.
fn is_true(played: &Match<Cluedo>, fact: &str) -> bool {
    let (base, inside) = fact.strip_suffix(')').unwrap().split_once('(').unwrap();
    let card = |name: &str| played.game().deck().card(name).unwrap();
    match (base, inside.split_once(',')) {
        ("env", None) => played.state().envelope().has(card(inside)),
        ("holds", Some((seat, name))) => played.state().hand(Seat(seat.parse().unwrap())).has(card(name)),
        _ => panic!("no fact: {fact}"),
    }
}

/// What the exact engine says of a formula.
fn exactly(position: &Position, text: &str) -> Known {
    let answer = Knower::new(position).ask(&formula(position, text).unwrap(), &Budget::default()).unwrap();
    match (answer.known(), answer.possible()) {
        (true, _) => Known::Known,
        (_, false) => Known::Excluded,
        _ => Known::Open,
    }
}

/// The memory of the seat in another match that looks the same to it: with another deal that fits.
fn twin(game: &Cluedo, memory: &[Sight], seed: u64) -> Option<Vec<Sight>> {
    let Sight::Dealt { seat, hand, .. } = &memory[0] else { panic!("a memory begins with the deal") };
    let position = position(game, memory);
    let deal = Deals::of(game.deck(), &Constraints::of(&position)).sample(&mut Dice::new(seed))?;
    let hands = Seat::all(game.seats()).map(|s| match s == *seat {
        true => hand.clone(),
        false => deal.hand(s).iter().collect::<Vec<Card>>(),
    });
    let (mut state, event) = game.begin(deal.envelope(), hands.collect());
    let mut seen = vec![game.sight(&event, *seat)];
    for sight in &memory[1..] {
        let legal = game.legal(&state);
        let gives = |a: &&Action| game.play(&mut state.clone(), a).is_ok_and(|e| game.sight(&e, *seat) == *sight);
        let action = *legal.iter().rfind(gives)?;
        seen.push(game.sight(&game.play(&mut state, &action).unwrap(), *seat));
    }
    Some(seen)
}

#[test]
fn matches_that_look_the_same_to_a_seat_get_the_same_bytes() {
    let mut compared = 0;
    for played in some().iter().filter(|p| p.game().endmove() == Endmove::Silent) {
        let game = played.game();
        for seat in Seat::all(2) {
            let memory = &played.memory(seat)[..20];
            let Some(other) = twin(game, memory, 5) else { continue };
            assert_eq!(memory, other);
            let told = |memory: &[Sight]| {
                let boards: Vec<Board> = (0..=4).map(|helper| game.board(memory, helper, &[])).collect();
                let chains = [vec![seat], vec![seat, seat.next(game.seats())]];
                let inspected: Vec<_> = chains.iter().map(|c| game.inspect(memory, c, "").unwrap()).collect();
                let why: Vec<_> = chains.iter().map(|c| game.why(memory, c, "env(rope)").unwrap()).collect();
                serde_json::to_string(&(boards, inspected, why)).unwrap()
            };
            assert_eq!(told(memory), told(&other));
            compared += 1;
        }
    }
    assert!(compared >= 4, "{compared} twins were found");
}

#[test]
fn onlookers_see_no_hidden_card() {
    for played in some() {
        let game = played.game();
        for event in played.events() {
            let line = game.onlooker(event).unwrap();
            match event {
                Event::Shown { card, .. } => assert!(!line.contains(game.deck().name(*card)), "{line}"),
                Event::Dealt { .. } => assert!(game.deck().cards().iter().all(|c| !line.contains(game.deck().name(c)))),
                Event::Accused { cards, envelope, .. } => {
                    let hidden = envelope.minus(*cards);
                    assert!(hidden.iter().all(|c| !line.contains(game.deck().name(c))), "{line}");
                }
                Event::Asked { .. } | Event::Ended { .. } => assert_eq!(line, game.tell(event)),
            }
        }
    }
}

#[test]
fn what_is_known_is_true_and_what_the_exact_engine_says() {
    for played in some() {
        let game = played.game();
        for seat in Seat::all(2) {
            let memory = played.memory(seat);
            for n in [1, 12, memory.len()] {
                let memory = &memory[..n.min(memory.len())];
                let position = position(game, memory);
                let inspection = game.inspect(memory, &[seat], "").unwrap();
                let (rivals, cards): (Vec<_>, Vec<_>) =
                    inspection.rows.iter().partition(|row| row.fact.starts_with("solved("));
                assert_eq!(rivals.len(), usize::from(game.seats()) - 1);
                assert_eq!(cards.len(), game.deck().len() * (usize::from(game.seats()) + 1));
                for (i, row) in cards.into_iter().enumerate() {
                    let share = row.share.unwrap();
                    match row.verdict {
                        Known::Known => assert!(is_true(&played, &row.fact) && share == 1.0),
                        Known::Excluded => assert!(!is_true(&played, &row.fact) && share == 0.0),
                        Known::Open => assert!(share > 0.0 && share < 1.0),
                    }
                    if i % 7 == 0 {
                        assert_eq!(row.verdict, exactly(&position, &row.fact), "{}", row.fact);
                    }
                }
            }
        }
    }
}

#[test]
fn what_others_are_known_to_know_is_what_the_exact_engine_says() {
    for played in some() {
        let game = played.game();
        let memory = played.memory(Seat(0));
        let position = position(game, &memory);
        let inspection = game.inspect(&memory, &[Seat(0), Seat(1)], "").unwrap();
        let mut decided = 0;
        for (i, row) in inspection.rows.iter().enumerate() {
            decided += usize::from(row.verdict != Known::Open);
            if i % 5 > 0 {
                continue;
            }
            let knows = |f: &str| exactly(&position, &format!("K[1] {f}")) == Known::Known;
            let expected = match (knows(&row.fact), knows(&format!("!{}", row.fact))) {
                (true, _) => Known::Known,
                (_, true) => Known::Excluded,
                _ => Known::Open,
            };
            assert_eq!(row.verdict, expected, "{}", row.fact);
        }
        assert!(decided > 0);
    }
}

#[test]
fn what_is_said_of_others_is_certain_even_where_ends_of_turns_are_left_out() {
    // Here the ends of turns take too long for what others know of each other.
    let played = played(3, Endmove::Ignorance, "exact", 7, 60);
    let game = played.game();
    let memory = played.memory(Seat(0));
    let inspection = game.inspect(&memory, &[0, 1, 2, 1].map(Seat), "").unwrap();
    assert!(inspection.note.unwrap().contains("may be known"));
    assert!(inspection.rows.iter().any(|r| r.verdict != Known::Open));
    for row in &inspection.rows {
        match row.verdict {
            Known::Known => assert!(is_true(&played, &row.fact)),
            Known::Excluded => assert!(!is_true(&played, &row.fact)),
            Known::Open => {
                // That somebody does not know is never concluded from what was left out.
                let filter = format!("!K[1] {}", row.fact);
                if let Some(asked) = game.inspect(&memory, &[Seat(0)], &filter).unwrap().asked {
                    let position = position(game, &memory);
                    assert_eq!(asked.verdict, exactly(&position, &filter));
                }
                break;
            }
        }
    }
}

#[test]
fn every_known_fact_has_a_first_moment_and_a_proof_from_what_was_seen_until_then() {
    for played in some() {
        let game = played.game();
        let seat = Seat(1);
        let memory = played.memory(seat);
        let numbers = game.numbers(&memory);
        let rows = game.inspect(&memory, &[seat], "").unwrap().rows;
        let decided: Vec<_> = rows.iter().filter(|r| r.verdict != Known::Open).collect();
        assert!(decided.len() > game.deck().len());
        for row in decided {
            let why = game.why(&memory, &[seat], &row.fact).unwrap();
            assert_eq!(why.verdict, row.verdict);
            assert!(!why.proof.is_empty() || why.unproved.is_some(), "{} has no proof", row.fact);
            assert!(why.proof.is_empty() == why.unproved.is_some());
            // That somebody does not know the envelope has no proof in some positions.
            if game.endmove() == Endmove::Silent && !row.fact.starts_with("solved(") {
                assert!(!why.proof.is_empty(), "{} has no proof", row.fact);
            }
            for sentence in &why.proof {
                if let Some(event) = sentence.event {
                    let number = numbers[event].expect("proofs rest on numbered events");
                    let said = sentence.text.contains(&format!("event {number}"))
                        || sentence.text.contains(&format!("events {number}"));
                    assert!(said, "{} does not name event {number}", sentence.text);
                }
            }
            let since = why.since.unwrap();
            assert_eq!(why.since_words.as_deref(), Some(game.tell_sight(&memory[since]).as_str()));
            let settled = |n: usize| match n {
                0 => false,
                n => exactly(&position(game, &memory[..n]), &row.fact) != Known::Open,
            };
            assert!(settled(since + 1) && !settled(since), "{} is known since {since}", row.fact);
            let latest = why.proof.iter().filter_map(|sentence| sentence.event).max();
            assert!(latest.is_none_or(|e| e <= since), "{} since {since} rests on event {latest:?}", row.fact);
        }
    }
}

#[test]
fn an_open_fact_comes_with_two_worlds_that_fit_and_differ() {
    for played in some() {
        let game = played.game();
        let memory = &played.memory(Seat(0))[..20.min(played.events().len())];
        let rows = game.inspect(memory, &[Seat(0)], "").unwrap().rows;
        for row in rows.iter().filter(|r| r.verdict == Known::Open).step_by(4) {
            for fact in [row.fact.clone(), format!("!{}", row.fact)] {
                let why = game.why(memory, &[Seat(0)], &fact).unwrap();
                assert_eq!((why.verdict, why.since), (Known::Open, None));
                let [yes, no] = &why.worlds[..] else { panic!("two worlds") };
                assert!(yes.holds && !no.holds);
                assert_eq!(yes.parts.len(), usize::from(game.seats()) + 1);
                assert_eq!(yes.parts[0].name, "you");
                assert!(!yes.parts[0].differs, "the own hand is known");
                for (a, b) in yes.parts.iter().zip(&no.parts) {
                    assert_eq!((a.differs, b.differs), (a.value != b.value, a.value != b.value));
                }
                assert!(yes.parts.iter().any(|p| p.differs));
            }
        }
    }
}

#[test]
fn formulas_about_others_are_answered_with_worlds_or_a_first_moment() {
    let played = played(3, Endmove::Silent, "elimination", 2, 45);
    let game = played.game();
    let memory = played.memory(Seat(0));
    let me = [Seat(0)];
    // Everybody knows its own hand.
    let why = game.why(&memory, &me, "Kw[1] holds(1,rope)").unwrap();
    assert_eq!((why.verdict, why.since), (Known::Known, Some(0)));
    assert!(why.unproved.is_none() && !why.proof.is_empty(), "what others know has a proof, too");
    // At the deal nobody else can know where a card of mine is, except that it does not hold it.
    let hand = &board(game, &memory, 0).hand;
    let own = format!("holds(0,{})", hand[0]);
    let why = game.why(&memory[..1], &[Seat(0), Seat(1)], &own).unwrap();
    assert_eq!(why.verdict, Known::Open);
    let [yes, no] = &why.worlds[..] else { panic!("two worlds") };
    assert!(yes.holds && !no.holds && yes.parts != no.parts);
    assert!(why.unproved.unwrap().contains("seat 1 cannot tell these two apart"));
    // Ignorance can end: it is known as long as it lasts.
    let why = game.why(&memory[..1], &me, "!solved(1)").unwrap();
    assert_eq!((why.verdict, why.since), (Known::Known, Some(0)));
}

#[test]
fn the_filter_takes_words_and_formulas() {
    let played = played(3, Endmove::Silent, "elimination", 2, 30);
    let game = played.game();
    let memory = played.memory(Seat(0));
    let ask = |filter: &str| game.inspect(&memory, &[Seat(0)], filter).unwrap();
    assert_eq!(ask("rope").rows.len(), 4);
    assert_eq!(ask("Seat 1 ROPE").rows.len(), 1);
    assert!(ask("rope").asked.is_none());
    let asked = ask("env(rope) | !env(rope)");
    assert_eq!(asked.asked.unwrap().verdict, Known::Known);
    assert_eq!(asked.rows.len(), 4);
    let asked = ask("K[1] holds(1,rope) -> holds(1,rope)").asked.unwrap();
    assert_eq!(asked.verdict, Known::Known);
    let unread = game.inspect(&memory, &[Seat(0)], "env(rpoe)").unwrap_err();
    assert!(unread.message.contains("rpoe") && !unread.marks.is_empty());
    let nested = game.inspect(&memory, &[Seat(0), Seat(1)], "Kw[1] holds(1,rope)").unwrap();
    assert_eq!(nested.asked.unwrap().verdict, Known::Known);
    assert_eq!(nested.words, "what you know that seat 1 knows");
    for wrong in [&[][..], &[Seat(1)], &[Seat(0), Seat(3)]] {
        assert_eq!(game.inspect(&memory, wrong, "").unwrap_err().code, "chain");
    }
    assert_eq!(game.why(&memory, &[Seat(0)], "holds(9,rope)").unwrap_err().code, "unread");
}

#[test]
fn each_helper_level_shows_only_what_it_should() {
    for played in some() {
        let game = played.game();
        for seat in Seat::all(2) {
            let memory = played.memory(seat);
            for n in 1..=memory.len() {
                let memory = &memory[..n];
                for helper in [0, 1] {
                    let board = board(game, memory, helper);
                    assert!(board.one_of.is_empty() && board.deals.is_none() && board.envelopes.is_none());
                    for (card, row) in game.deck().cards().iter().zip(&board.cells) {
                        let held = board.hand.iter().any(|c| c == game.deck().name(card));
                        for (place, cell) in row.iter().enumerate() {
                            let expected = match (place == seat.index(), held) {
                                (true, true) => "has",
                                (true, false) => "has-not",
                                (false, _) => "open",
                            };
                            assert_eq!((cell.mark.as_str(), cell.derived, cell.chance), (expected, false, None));
                        }
                    }
                }
            }
            let two = board(game, &memory, 2);
            assert!(two.envelopes.is_some() && two.deals.is_none());
            assert!(two.cells.iter().flatten().all(|c| c.chance.is_none()));
            let three = board(game, &memory, 3);
            let solved = solve(&position(game, &memory), &Budget::default()).unwrap();
            assert_eq!(three.deals.unwrap().replace(',', ""), solved.deals.to_string());
            assert_eq!(three.envelopes, Some(solved.envelopes.len()));
            for (card, row) in three.cells.iter().enumerate() {
                for (place, cell) in row.iter().enumerate() {
                    let chance = solved.marginals[place][card] as f64 / solved.deals as f64;
                    assert_eq!(cell.chance, Some(chance));
                    assert_eq!(cell.mark == "has", chance == 1.0);
                    assert_eq!(cell.mark == "has-not", chance == 0.0);
                    assert!(!(cell.derived && matches!(cell.mark.as_str(), "open" | "one-of")));
                }
            }
        }
    }
}

#[test]
fn marks_that_follow_are_founded_and_others_are_not() {
    let played = played(3, Endmove::Silent, "elimination", 2, 45);
    let game = played.game();
    let memory = played.memory(Seat(0));
    let filled = board(game, &memory, 3);
    let mut notes = Notes::default();
    let mut wrong = Vec::new();
    for (card, row) in game.deck().cards().iter().zip(&filled.cells) {
        for (place, cell) in row.iter().enumerate() {
            let place = if place == 3 { "envelope".to_string() } else { place.to_string() };
            let key = format!("{}/{place}", game.deck().name(card));
            let mark = match cell.mark.as_str() {
                "has" => "✓",
                "has-not" => "✗",
                _ => {
                    wrong.push(key.clone());
                    "✓"
                }
            };
            notes.marks.insert(key, mark.to_string());
        }
    }
    wrong.sort();
    assert!(!wrong.is_empty());
    let doubts = game.doubts(&memory, &notes);
    assert_eq!((doubts.unfounded, doubts.refuted), (wrong, Vec::new()));
    let unsure = ["rope/2", "rope", "rope/9", "rpoe/1", "rope/envelope", ""];
    let notes = Notes { marks: unsure.map(|k| (k.to_string(), "?".to_string())).into() };
    assert!(game.doubts(&memory, &notes).unfounded.is_empty());
    let malformed = ["rope", "rope/9", "rpoe/1", "/", ""];
    let notes = Notes { marks: malformed.map(|k| (k.to_string(), "✓".to_string())).into() };
    assert!(game.doubts(&memory, &notes).unfounded.is_empty());
}

#[test]
fn previews_count_who_would_answer() {
    let question = |game: &Cluedo| game.read("suggest plum rope hall").unwrap();
    for played in some() {
        let game = played.game();
        let memory = played.memory(Seat(0));
        for n in [1, 10, memory.len()] {
            let memory = &memory[..n.min(memory.len())];
            let preview = game.preview(memory, &question(game), 3);
            let sum: f64 = preview.answers.iter().map(|a| a.chance).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            assert!(preview.answers.iter().all(|a| a.seat != Some(0) && a.bits >= 0.0));
            assert!(preview.legal && preview.lines.len() >= 2);
            let low = game.preview(memory, &question(game), 2);
            assert!(low.answers.is_empty() && low.lines.is_empty());
        }
    }
    let played = played(3, Endmove::Silent, "elimination", 2, 30);
    let accuse = played.game().read("accuse plum rope hall").unwrap();
    let lines = |helper: u8| played.game().preview(&played.memory(Seat(0)), &accuse, helper).lines.len();
    assert_eq!([lines(0), lines(2), lines(3)], [1, 1, 2]);
}

#[test]
fn hints_lead_to_a_move_that_is_allowed() {
    let mut kinds = [0; 4];
    for played in some().iter().chain([&played(3, Endmove::Silent, "exact", 9, 200)]) {
        let game = played.game();
        let mut looked = [0; 3];
        for (n, state) in played.states().iter().enumerate().rev() {
            let Turn::Of(seat) = game.turn(state) else { continue };
            let legal = game.legal(state);
            let phase = match legal[0] {
                Action::Suggest(_) => 0,
                Action::Show(_) => 1,
                Action::End | Action::Accuse(_) => 2,
            };
            looked[phase] += 1;
            if looked[phase] > 2 {
                continue;
            }
            let memory = &played.memory(seat)[..=n];
            for step in 1..=3 {
                let advice = game.advice(memory, step).unwrap();
                assert_eq!((advice.step, advice.steps, advice.action.is_some()), (step, 3, step == 3));
                assert!(!advice.lines.is_empty());
                if let Some(action) = &advice.action {
                    let action = game.read(action).unwrap();
                    assert!(legal.contains(&action), "{action:?}");
                    if let Action::Accuse(cards) = action {
                        assert_eq!(cards, state.envelope(), "an accusation is advised only when it is known");
                        kinds[3] += 1;
                    }
                    kinds[phase] += 1;
                }
            }
            let other = &played.memory(seat.next(game.seats()))[..=n];
            assert_eq!(game.advice(other, 1).unwrap_err().code, "not-your-turn");
        }
    }
    assert!(kinds.iter().all(|&n| n > 0), "{kinds:?}");
}

#[test]
fn a_broken_convention_is_said_and_nothing_panics() {
    // Seat 0 learns the envelope from a question that nobody answers, and ends its turn all the same.
    let game = Cluedo::classic(3).with_endmove(Endmove::Ignorance);
    let mut played = Match::deal(game.clone(), 1);
    let envelope = played.state().envelope();
    played.play(&Action::Suggest(envelope)).unwrap();
    played.play(&Action::End).unwrap();
    let memory = played.memory(Seat(0));
    let full = board(&game, &memory, 3);
    assert_eq!((full.deals.as_deref(), full.envelopes), (Some("0"), Some(0)));
    assert_eq!(game.bits(&memory), None);
    let inspection = game.inspect(&memory, &[Seat(0)], "env(plum)").unwrap();
    assert!(inspection.note.unwrap().contains("convention"));
    assert!(game.inspect(&memory, &[Seat(0), Seat(1)], "").is_ok());
    // What follows without the convention is still proved, and since the same moment; the rest has no answer.
    played.play(&Action::Suggest(envelope)).unwrap();
    let later = played.memory(Seat(0));
    for memory in [&memory, &later] {
        let why = game.why(memory, &[Seat(0)], "env(plum)").unwrap();
        assert!(!why.proof.is_empty() && why.since == Some(1), "{why:?}");
    }
    let mine = played.state().hand(Seat(0));
    let elsewhere = game.deck().cards().minus(mine).minus(envelope).lowest().unwrap();
    let open = format!("holds(1,{})", game.deck().name(elsewhere));
    assert_eq!(game.why(&memory, &[Seat(0)], &open).unwrap_err().code, "no-deal-fits");
    assert_eq!(game.why(&memory, &[Seat(0), Seat(1)], "env(plum)").unwrap_err().code, "no-deal-fits");
    assert!(game.doubts(&memory, &Notes { marks: [("plum/1".into(), "✓".into())].into() }).unfounded.is_empty());
    let question = game.preview(&memory, &Action::Suggest(envelope), 3);
    assert!(question.lines[0].contains("convention"));
    game.learned(&memory);
    // A little earlier the page warns of it.
    let end = game.preview(&memory[..2], &Action::End, 3);
    assert!(end.lines.iter().any(|l| l.contains("break the convention")));
}

#[test]
fn heights_and_dots_come_from_the_deals_that_fit() {
    let played = played(3, Endmove::Silent, "elimination", 2, 45);
    let game = played.game();
    let memory = played.memory(Seat(0));
    let bits: Vec<f64> = (1..=memory.len()).map(|n| game.bits(&memory[..n]).unwrap()).collect();
    assert!(bits.windows(2).all(|w| w[1] <= w[0]), "knowledge about the deal only grows");
    assert!(game.learned(&memory[..1]).is_empty());
    let learned = game.learned(&memory);
    assert!(!learned.is_empty() && learned.iter().all(|r| is_true(&played, &r.fact) && r.verdict == Known::Known));
}

#[test]
fn the_page_of_a_new_match_offers_every_player() {
    let info = Cluedo::info();
    assert_eq!((info.seats.as_slice(), info.usual), (&[2, 3, 4, 5, 6][..], 3));
    assert_eq!(info.players.len(), ken_games::cluedo::players::PLAYERS.len());
    assert!(info.players.iter().any(|p| p.name == info.rival));
    let game = Cluedo::classic(3);
    assert!(info.players.iter().all(|p| game.player(&p.name, 1).is_ok()));
    for choice in &info.options[0].choices {
        let options = serde_json::json!({"players": 3, &info.options[0].name: choice.value});
        assert!(Cluedo::with_options(&options).is_ok());
    }
}
