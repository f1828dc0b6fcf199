//! The predicates of the thesis on lists, as it prints them: the slow, literal second way.
//!
//! A player is its number; what the Prolog finds by rotating a list of players is found here by rotating it too, since
//! the order shows in the printed results.

/// Who may hold what (`M2`).
pub(crate) type Rows = Vec<(u8, Vec<u8>)>;
/// Per player the combinations of cards, one of which the player holds (`M`, and each element of `E`).
pub(crate) type Combinations = Vec<(u8, Vec<Vec<u8>>)>;
/// Three cards, who asks, who answers.
pub(crate) type Question = ([u8; 3], u8, u8);

/// `list/3`: players 1 to 6 with nothing.
pub(crate) fn list() -> Combinations {
    (1..=6).map(|p| (p, Vec::new())).collect()
}

/// `mMaker/2` and then `remover2/5` as in `players/1`: the agent's own row keeps all cards.
pub(crate) fn rows_of_agent(hand: &[u8]) -> Rows {
    let mut rows = (1..=6).map(|p| (p, (1..=21).collect())).collect();
    remover2(1, hand, &mut rows);
    rows
}

/// `winstates/1`.
pub(crate) fn winstates() -> Vec<[u8; 3]> {
    let mut all = Vec::new();
    for x in 1..=6 {
        for y in 7..=12 {
            all.extend((13..=21).map(|z| [x, y, z]));
        }
    }
    all
}

/// `run1/3`.
pub(crate) fn run1(states: &mut Vec<[u8; 3]>, cards: &[u8]) {
    states.retain(|s| !s.iter().any(|c| cards.contains(c)));
}

/// `choice/4`: who answers, and with which card; nobody is `None`.
pub(crate) fn choice(hands: &[(u8, Vec<u8>)], state: [u8; 3]) -> Option<(u8, u8)> {
    hands.iter().find_map(|(p, hand)| hand.iter().find(|c| state.contains(c)).map(|&c| (*p, c)))
}

/// `leggetil/3` and `leggetil2/4` with `semi_perm/5`.
pub(crate) fn leggetil(before: &[Vec<u8>], cards: [u8; 3]) -> Vec<Vec<u8>> {
    if before.is_empty() {
        return cards.map(|c| vec![c]).to_vec();
    }
    let mut made = Vec::new();
    for card in cards {
        for combination in before {
            made.insert(0, [combination.as_slice(), &[card]].concat());
        }
    }
    made
}

/// `showcard/3`: what the one who answers may hold.
pub(crate) fn showcard(questions: &[Question], mut players: Combinations) -> Combinations {
    for &(cards, _, answer) in questions {
        turn_to(&mut players, answer);
        players[0].1 = leggetil(&players[0].1, cards);
    }
    players
}

/// `showcard2/3`: what the one who asks may have seen.
pub(crate) fn showcard2(questions: &[Question], mut players: Combinations) -> Combinations {
    for &(cards, asker, _) in questions {
        turn_to(&mut players, asker);
        let nothing = players[0].1.is_empty();
        players[0].1 = leggetil(&players[0].1, cards);
        if nothing {
            players.rotate_left(1);
        }
    }
    players
}

/// `nocard/3` with `nocard2/5`: who passed does not hold the cards.
pub(crate) fn nocard(questions: &[Question], mut rows: Rows) -> Rows {
    for (cards, asker, answer) in questions {
        turn_to(&mut rows, *asker);
        rows.rotate_left(1);
        for (_, row) in rows.iter_mut().take_while(|(p, _)| p != answer) {
            row.retain(|c| !cards.contains(c));
        }
    }
    rows
}

/// `assemble/4`: the combinations that the row allows, in reverse.
pub(crate) fn assemble(combinations: &[Vec<u8>], row: &[u8]) -> Vec<Vec<u8>> {
    combinations.iter().rev().filter(|h| h.iter().all(|c| row.contains(c))).cloned().collect()
}

/// `anSC/5`: what remains of each combination, round by round and player by player.
pub(crate) fn an_sc(history: &[Combinations], rows: &Rows) -> Combinations {
    let of = |round: &Combinations, p: u8| round.iter().find(|(q, _)| *q == p).unwrap().1.clone();
    let in_round = |round| rows.iter().map(move |(p, row)| (*p, assemble(&of(round, *p), row)));
    history.iter().flat_map(in_round).collect()
}

/// `remover/5`: where one combination remains, its cards leave the other rows and the states.
pub(crate) fn remover(found: &Combinations, rows: &mut Rows, states: &mut Vec<[u8; 3]>) {
    for (p, combinations) in found {
        if let [only] = combinations.as_slice() {
            remover2(*p, only, rows);
            run1(states, only);
        }
    }
}

/// `remover2/5`, for six players.
pub(crate) fn remover2(player: u8, cards: &[u8], rows: &mut Rows) {
    let mut others = 0;
    while others < 5 {
        if rows[0].0 != player {
            rows[0].1.retain(|c| !cards.contains(c));
            others += 1;
        }
        rows.rotate_left(1);
    }
}

/// `analyzer/5`: one pass over the round and the history.
pub(crate) fn analyzer(
    questions: &[Question],
    rows: &mut Rows,
    history: &mut Vec<Combinations>,
    states: &mut Vec<[u8; 3]>,
) {
    history.insert(0, showcard(questions, list()));
    *rows = nocard(questions, std::mem::take(rows));
    let found = an_sc(history, rows);
    remover(&found, rows, states);
}

fn turn_to<T>(players: &mut [(u8, T)], player: u8) {
    let place = players.iter().position(|(p, _)| *p == player).unwrap();
    players.rotate_left(place);
}
