//! Sentences as players of Eleusis type them: each is read as it is meant, or refused with a near sentence that is
//! understood and has the feature, the number and the direction of the player.

use super::phrases::all_same;
use crate::eleusis::deck::Deck;
use crate::eleusis::notation::read_rule;

/// What is read, and the same in exact notation.
const READ: &[(&str, &str)] = &[
    ("red if the last card was black", "if black(prev) then red(next)"),
    ("black cards after a king", "if rank(prev) = 13 then black(next)"),
    ("no king after a queen", "if rank(prev) = 12 then not rank(next) = 13"),
    ("higher than previous but no kings", "rank(next) > rank(prev) and rank(next) != 13"),
    ("only red after a face card", "if face(prev) then red(next)"),
    ("any card but a heart after a spade", "if suit(prev) = S then not suit(next) = H"),
    ("red odd or black even", "(red(next) and odd(next)) or (black(next) and even(next))"),
    ("same suit but higher", "suit(next) = suit(prev) and rank(next) > rank(prev)"),
    ("not the same colour but higher", "color(next) != color(prev) and rank(next) > rank(prev)"),
    ("suit must change after a king", "if rank(prev) = 13 then suit(next) != suit(prev)"),
    ("never an ace after a king", "if rank(prev) = 13 then rank(next) != 1"),
    ("if previous is red, black or odd", "if red(prev) then (black(next) or odd(next))"),
    ("odd after even and even after odd", "parity(next) != parity(prev)"),
    ("the sum with the last card must be 10 or less", "rank(next) + rank(prev) <= 10"),
    ("differ by 2 or more", "|d| >= 2"),
    ("at least two higher", "d >= 2"),
    ("two more than the last", "d = 2"),
    ("not more than 4 higher or lower", "|d| <= 4"),
    ("alternating suits", "suit(next) != suit(prev)"),
    ("alternate colours and higher", "color(next) != color(prev) and rank(next) > rank(prev)"),
    ("above 6 after red", "if red(prev) then rank(next) > 6"),
    ("below the last card", "rank(next) < rank(prev)"),
    ("a prime after a square", "if square(prev) then prime(next)"),
    ("neither red nor a king nor an ace", "black(next) and rank(next) in 2..12"),
    ("one more or one less", "|d| = 1"),
    ("same parity and same colour", "parity(next) = parity(prev) and color(next) = color(prev)"),
    ("no red after red", "not (red(next) and red(prev))"),
    ("between 5 and 9 or red", "red(next) or rank(next) in 5..9"),
    ("not lower than the highest so far", "rank(next) >= max(line)"),
    ("differs by 1 or 2", "|d| in {1, 2}"),
    ("differs by one or two", "|d| in {1, 2}"),
    ("rank differs by 2 or 3", "|d| in {2, 3}"),
    ("differs by exactly one or two", "|d| in {1, 2}"),
    ("differ by 1, 2 or 3", "|d| in {1, 2, 3}"),
    ("differs by 2 or red", "|d| = 2 or red(next)"),
    ("after red play black and after black play red", "color(next) != color(prev)"),
    ("after red play black, and after black play red", "color(next) != color(prev)"),
    ("after red: black and after black: red", "color(next) != color(prev)"),
    (
        "after a heart a spade and after a spade a heart",
        "(if suit(prev) = H then suit(next) = S) and (if suit(prev) = S then suit(next) = H)",
    ),
    (
        "after red play even and after a king play higher or black",
        "(if red(prev) then even(next)) and (if rank(prev) = 13 then (rank(next) > rank(prev) or black(next)))",
    ),
    (
        "after a king play red and after an ace play black, otherwise even",
        "if rank(prev) = 13 then red(next) else if rank(prev) = 1 then black(next) else even(next)",
    ),
    (
        "even if previous is red and odd if previous is black",
        "(if red(prev) then even(next)) and (if black(prev) then odd(next))",
    ),
    (
        "higher if previous is red and lower if previous is black",
        "(if red(prev) then rank(next) > rank(prev)) and (if black(prev) then rank(next) < rank(prev))",
    ),
    (
        "red if previous is even, and black if previous is odd",
        "(if even(prev) then red(next)) and (if odd(prev) then black(next))",
    ),
    ("red if previous is even, black if previous is odd", "if even(prev) then red(next) else black(next)"),
    ("7s", "rank(next) = 7"),
    ("only 7s", "rank(next) = 7"),
    ("no 7s", "rank(next) != 7"),
    ("4s or 5s", "rank(next) in {4, 5}"),
    ("black 10s", "black(next) and rank(next) = 10"),
    ("red 7s", "red(next) and rank(next) = 7"),
    ("next is 7S", "suit(next) = S and rank(next) = 7"),
    ("one of 7S 8H", "next is the 7 of spades or next is the 8 of hearts"),
    ("a king or the 8 of hearts", "rank(next) = 13 or next is 8H"),
    ("not between 3 and 7", "rank(next) < 3 or rank(next) > 7"),
    ("both red and even", "red(next) and even(next)"),
    ("higher than a 7", "rank(next) > 7"),
    ("lower than a king", "rank(next) < 13"),
    ("red and above a 5", "red(next) and rank(next) > 5"),
    ("all but hearts", "not suit(next) = H"),
    ("all except hearts or spades", "suit(next) in {C, D}"),
    ("at least 2 lower", "d <= -2"),
];

/// What is refused, and a sentence that its help quotes.
const REFUSED: &[(&str, &str)] = &[
    ("at most two hearts", "if next is a heart then fewer than 2 heart cards so far"),
    ("at most one ace", "if next is an ace then fewer than 1 ace cards so far"),
    ("higher than the last two cards", "every x in the last 2: rank of next > rank of x"),
    ("different suit from the last two cards", "every x in the last 2: suit of next != suit of x"),
    ("never the same suit as the last two cards", "every x in the last 2: not (suit of next = suit of x)"),
    ("between the last two cards", "between previous and prev2"),
    ("even but not after an ace", "even unless previous is an ace"),
    ("even but only after odd", "even only after odd"),
    ("any suit but the previous one", "different suit from previous"),
    ("never red nor even", "neither red nor even"),
    ("hearts after spades or clubs", "if previous is a spade or a club then a heart"),
    ("kings only after queens or jacks", "if next is a king then previous is a queen or a jack"),
    ("no face cards but kings", "a king or not a face card"),
    ("no face cards except kings", "a king or not a face card"),
    ("spades and hearts only after clubs", "a spade or a heart only after clubs"),
    ("if the last card was even play higher", "if previous is even then higher than previous"),
    ("if the last two cards were red play black", "if the last 2 cards are red then black"),
    ("if one of the last two is red then black", "if (exists x in the last 2: x is red) then black"),
    ("if there is a king in the last three cards then red", "if (exists x in the last 3: x is a king) then red"),
    ("three spades in a row", "no more than 3 spade cards in a row"),
    ("no two kings", "never 2 king cards in a row"),
    ("never two of the same rank", "no 2 cards of the same rank in a row"),
    ("no rank twice", "rank not yet seen"),
    ("no repeated suit", "suit not yet seen"),
    ("higher if red", "higher if previous is red"),
    ("each card higher than the last unless it is an ace", "higher than previous unless previous is an ace"),
    ("red then black", "if previous is red then black"),
    ("red on black", "if previous is black then red"),
    ("even on even", "if previous is even then even"),
    ("black, red", "alternate black and red"),
    ("red, even", "red and even"),
    ("face cards must be red", "if next is a face card then red"),
    ("all kings must be red", "if next is a king then red"),
    ("hearts must be higher than 5", "if next is a heart then higher than 5"),
    ("every second card red", "every second card must be red"),
    ("every third card a king", "every third card must be a king"),
    ("every other card must be black", "every second card must be black"),
    ("sum is even", "sum with previous is even"),
    ("sum of 10 with the last card", "sum with previous is 10"),
    ("total under 20", "sum with previous is below 20"),
    ("difference of 3", "rank differs by 3"),
    ("one suit only", "same suit as the starter"),
    ("starter suit only", "same suit as the starter"),
    ("the color of the first card", "same colour as the starter"),
    ("not the suit of the starter", "different suit from the starter"),
    ("the suit of the card before last", "same suit as the card before the previous"),
    ("the previous color", "same colour as previous"),
    ("prime or black but not a face card", "(prime or black) and not a face card"),
    ("nothing red", "not red"),
    ("not black, not even", "neither black nor even"),
    ("never red and even", "neither red nor even"),
    ("never red and even", "not (red and even)"),
    ("no red cards and kings", "neither red nor a king"),
    ("after red black", "if previous is red then black"),
    ("color of the last card", "same colour as previous"),
    ("no card of the last suit", "different suit from previous"),
    ("new suit each card", "suit not yet seen"),
    ("7 and above", "7 or above"),
    ("jacks only on queens", "a jack only after a queen"),
    ("multiple of 2 or 3 but not 6", "(multiple of 2 or 3) and not a multiple of 6"),
    ("lower by one or two", "1 or 2 lower than previous"),
    ("at most three in a row of one suit", "no more than 3 cards of the same suit in a row"),
    ("never play a king after an ace", "if previous is an ace then not a king"),
    ("odd sum", "sum with previous is odd"),
    ("not even or same suit", "same suit or not even"),
    ("not the same suit or the same rank", "different suit and different rank"),
    ("higher or same suit", "same suit or higher than previous"),
    ("same suit except for face cards", "same suit as previous or a face card"),
    ("odd except queens", "odd or a queen"),
    ("any red card higher than previous", "red and higher than previous"),
    ("spades only if previous is red, otherwise hearts", "if previous is red then a spade else a heart"),
    ("lower than previous but at most 2", "1 to 2 lower"),
    ("a card that is red", "red"),
    ("any face card", "a face card"),
    ("a multiple of the previous card", "gcd(rank of next, rank of previous) = rank of previous"),
    ("higher, but after a king anything", "after a king anything, otherwise higher"),
    ("red but after an ace anything", "after an ace anything, otherwise red"),
    ("same suit and after a king any card", "after a king any card, otherwise same suit"),
    ("higher, but if previous is a king then lower", "if previous is a king then lower, otherwise higher"),
    ("higher, or after a king lower", "after a king lower, otherwise higher"),
    ("higher, or lower after a king", "after a king: lower, otherwise higher"),
    ("red, or black after an ace", "after an ace: black, otherwise red"),
    ("even, or odd after a king", "after a king: odd, otherwise even"),
    ("even, or red if previous is a king", "if previous is a king then red, otherwise even"),
    ("even, or red unless previous is a king", "(even or red) unless previous is a king"),
    ("7 or 8 of hearts", "the 7 of hearts or the 8 of hearts"),
    ("7 or 8 of hearts", "a 7 or the 8 of hearts"),
    ("7 of hearts or diamonds", "the 7 of hearts or the 7 of diamonds"),
    ("7 of hearts or diamonds", "the 7 of hearts or a diamond"),
    ("no 7 or 8 of hearts", "neither the 7 of hearts nor the 8 of hearts"),
    ("a king or queen of spades", "the king of spades or the queen of spades"),
    ("not more than 3 higher", "1 to 3 higher"),
    ("no Ks", "kings"),
    ("7s or 8h", "7S"),
    ("sum more than 10", "sum with previous is more than 10"),
    ("sum is not 10", "sum with previous is not 10"),
    ("no cards above 7", "rank at most 7"),
    ("no more than 3 hearts", "if next is a heart then fewer than 3 heart cards so far"),
    ("difference below 3", "rank differs by less than 3"),
    ("same suit or rank but not both", "same suit or same rank but not both"),
];

/// What is refused, and a sentence that says something else: its help must not quote it.
const MISLEADING: &[(&str, &str)] = &[
    ("sum more than 10", "sum with previous is at most 10"),
    ("no cards above 7", "rank above 7"),
    ("same suit or rank but not both", "same suit and same rank"),
    ("higher by at most 3", "rank at most 3"),
    ("no more than 3 hearts", "never 3 heart cards in a row"),
    ("difference below 3", "rank differs by 3"),
    ("sum is not 10", "not a 10"),
    ("the difference is odd", "odd"),
    ("higher if red, lower if black", "(red or black) and higher than previous"),
    ("even cards must be red, odd cards black", "even and red"),
    ("no repeats", "not yet seen"),
    ("even if previous is red or odd if previous is black", "even or odd if previous is black"),
    ("both red or even", "red and even"),
    ("higher than a 7 or an 8", "7 or 8 higher than previous"),
];

#[test]
fn everyday_sentences_are_read_as_they_are_meant() {
    all_same(READ);
}

#[test]
fn everyday_sentences_that_are_refused_have_a_near_one_that_is_understood() {
    let mut wrong = Vec::new();
    for (text, near) in REFUSED {
        let help = match read_rule(text, &Deck::STANDARD) {
            Ok(rule) => {
                wrong.push(format!("{text}: read as {rule}"));
                continue;
            }
            Err(problems) => problems[0].help.clone().unwrap_or_default(),
        };
        if !help.split('`').skip(1).step_by(2).any(|quoted| quoted == *near) {
            wrong.push(format!("{text}: {help}"));
        }
        if let Err(problems) = read_rule(near, &Deck::STANDARD) {
            wrong.push(format!("{near}: {}", problems[0].message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_help_says_something_else_than_the_sentence() {
    for (text, wrong) in MISLEADING {
        let problems = read_rule(text, &Deck::STANDARD).expect_err(text);
        let help = problems[0].help.clone().unwrap_or_default();
        assert!(help.split('`').skip(1).step_by(2).all(|quoted| quoted != *wrong), "{text}: {help}");
    }
}

#[test]
fn a_step_down_without_a_limit_is_shown_plainly() {
    for text in ["at least 2 lower", "more than 3 lower than previous"] {
        let shown = read_rule(text, &Deck::STANDARD).expect(text).to_string();
        assert!(shown.contains(" <= -") && !shown.contains("21474"), "{text}: {shown}");
    }
}

/// The count of the cards that lie is limited with the next card.
#[test]
fn a_limit_so_far_counts_the_next_card_too() {
    let suggested = |text: &str| {
        let problems = read_rule(text, &Deck::STANDARD).expect_err(text);
        let help = problems[0].help.clone().unwrap_or_default();
        help.split('`').nth(1).unwrap_or_default().to_string()
    };
    let kings = suggested("at most one king so far");
    let reds = suggested("at most two reds in the last four cards");
    all_same(&[
        (&kings, "if rank(next) = 13 then count(rank = 13, line) < 1 else count(rank = 13, line) < 2"),
        (&reds, "if red(next) then count(red, the last 3) < 2 else count(red, the last 3) < 3"),
    ]);
}
