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
    ("no repeats", "not yet seen"),
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
    assert!(READ.len() + REFUSED.len() >= 71 && wrong.is_empty(), "{}", wrong.join("\n"));
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
