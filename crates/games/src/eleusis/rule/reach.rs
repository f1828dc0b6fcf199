//! How far a comma, an adjective, `neither`, `not`, and a number after `or` reach: read as people mean it, or refused with
//! both readings. Version 2 misread them; what was played with it keeps its meaning.

use super::phrases::{all_refused, all_same};
use super::{Reader, Rule};
use crate::eleusis::deck::Deck;

#[test]
fn a_number_after_a_sum_is_added_too() {
    all_same(&[
        ("rank is previous plus 1 or 2", "d = 1 or d = 2"),
        ("rank = rank of previous + 1 or 2", "d = 1 or d = 2"),
        ("next is previous plus one or two", "d = 1 or d = 2"),
        ("equal to previous plus 1 or 2", "d = 1 or d = 2"),
        ("rank is previous minus 1 or 2", "d = -1 or d = -2"),
        ("rank is previous plus 1, 2 or 3", "1 <= d <= 3"),
        ("rank is previous plus 1 or 2 or 3", "1 <= d <= 3"),
        ("rank is previous plus 1 or minus 1", "|d| = 1"),
        ("rank is not previous plus 1 or 2", "d != 1 and d != 2"),
        ("rank is previous times 2 or 3", "rank = rank(prev) * 2 or rank = rank(prev) * 3"),
        ("if rank is previous plus 1 or 2 then red", "if (d = 1 or d = 2) then red(next)"),
        // What is said of the rank alone stays so.
        ("rank is previous plus 1 or a 2", "d = 1 or rank(next) = 2"),
        ("rank is (previous + 1) or 2", "d = 1 or rank(next) = 2"),
        ("rank is previous plus 1 or red", "d = 1 or red(next)"),
        ("rank is previous plus 1 or 2 higher than previous", "d = 1 or d = 2"),
    ]);
}

#[test]
fn a_bare_number_after_a_comparison_is_refused_with_both_readings() {
    all_refused(&[
        ("rank > 7 or 3", &["rank > 7 or rank > 3", "rank > 7 or a 3"]),
        ("rank < 3 or 7", &["rank < 3 or rank < 7", "rank < 3 or a 7"]),
        ("above 7 or 3", &["above 7 or above 3", "above 7 or a 3"]),
        ("at least 7 or 3", &["at least 7 or at least 3", "at least 7 or a 3"]),
        ("rank at most 3 or 10", &["rank at most 3 or at most 10", "rank at most 3 or a 10"]),
        ("rank != 7 or 8", &["rank != 7 and rank != 8", "rank != 7 or an 8"]),
        ("rank > previous + 1 or 2", &["rank > previous + 1 or rank > 2", "rank > previous + 1 or a 2"]),
        ("higher than previous and 7", &["higher than previous and higher than 7", "higher than previous and a 7"]),
        ("higher than previous or 7", &["higher than previous or higher than 7", "higher than previous or a 7"]),
        ("lower than previous and 3", &["lower than previous and lower than 3", "lower than previous and a 3"]),
        ("within 3 of previous or 7", &["within 3 of previous or within 3 of 7", "within 3 of previous or a 7"]),
        ("one higher or two", &["one higher or 2 higher", "one higher or rank is 2"]),
        ("2 lower or 3", &["2 lower or 3 lower", "2 lower or rank is 3"]),
    ]);
    for text in ["if previous > 7 or 3 then red", "sum with previous is above 10 or 5", "rank is different from 7 or 8"]
    {
        assert!(Rule::parse(text, &Deck::STANDARD).is_err(), "{text}");
    }
    all_same(&[
        ("above 10 or an ace", "rank(next) > 10 or rank(next) = 1"),
        ("higher than previous and a 7", "rank(next) > rank(prev) and rank(next) = 7"),
        ("rank = 7 or 8", "rank(next) in {7, 8}"),
    ]);
}

#[test]
fn neither_before_or_is_refused_with_both_readings() {
    all_refused(&[
        ("neither a 7 nor 8 or 9", &["neither a 7 nor 8 nor 9", "9 or neither a 7 nor 8"]),
        ("neither red nor even or a king", &["neither red nor even nor a king", "a king or neither red nor even"]),
        ("neither red nor even, or a king", &["neither red nor even nor a king", "a king or neither red nor even"]),
        (
            "neither same suit nor same rank or red",
            &["neither same suit nor same rank nor red", "red or neither same suit nor same rank"],
        ),
        (
            "if previous is neither red nor even or a king then red",
            &[
                "if previous is neither red nor even nor a king then red",
                "if previous is a king or neither red nor even then red",
            ],
        ),
        (
            "if previous is neither a 7 nor 8 or 9 then red",
            &["if previous is neither a 7 nor 8 nor 9 then red", "if previous is 9 or neither a 7 nor 8 then red"],
        ),
        ("neither red nor even and prime", &["neither red nor even nor prime", "prime and neither red nor even"]),
    ]);
    all_same(&[
        ("neither red nor even and higher than previous", "black(next) and odd(next) and rank(next) > rank(prev)"),
        ("neither red nor even or next is a king", "(black(next) and odd(next)) or rank(next) = 13"),
        ("neither red nor even nor a king", "black(next) and odd(next) and rank(next) != 13"),
    ]);
}

#[test]
fn commas_group_conditions() {
    all_same(&[
        ("red or even, and prime", "(red or even) and prime"),
        ("red, and even or prime", "red and (even or prime)"),
        ("red or even, and higher than previous", "(red or even) and higher than previous"),
        ("red or even, but higher than previous", "(red or even) and higher than previous"),
        ("same suit or same rank, and red", "(same suit or same rank) and red"),
        ("red or even, and prime, and higher than previous", "(red or even) and prime and higher than previous"),
        ("red and even, or prime", "(red and even) or prime"),
        ("red, or even and prime", "red or (even and prime)"),
        ("if previous is red or even, and prime then black", "if (red(prev) or even(prev)) and prime(prev) then black"),
        ("red and even or prime", "(red and even) or prime"),
    ]);
    all_refused(&[
        ("red, or even, and prime", &["(red or even) and prime", "red or (even and prime)"]),
        ("red, and even, or prime", &["(red and even) or prime", "red and (even or prime)"]),
        (
            "red or even but higher than previous",
            &["(red or even) and higher than previous", "red or (even and higher than previous)"],
        ),
        (
            "if previous is red then even, and prime",
            &["if previous is red then (even and prime)", "(if previous is red then even) and prime"],
        ),
        (
            "if previous is red then even or a king, and prime",
            &[
                "if previous is red then ((even or a king) and prime)",
                "(if previous is red then even or a king) and prime",
            ],
        ),
    ]);
}

#[test]
fn an_adjective_before_several_kinds_is_refused_with_both_readings() {
    all_refused(&[
        ("red or black K", &["a red king or a black king", "red or a black king"]),
        ("red or black Q", &["a red queen or a black queen", "red or a black queen"]),
        ("red or black J", &["a red jack or a black jack", "red or a black jack"]),
        ("red or black A", &["a red ace or a black ace", "red or a black ace"]),
        ("red or black T", &["a red 10 or a black 10", "red or a black 10"]),
        ("heart or spade K", &["a heart king or a spade king", "a heart or a spade king"]),
        ("red K or Q", &["a red king or a red queen", "a red king or a queen"]),
        ("hearts K or Q", &["a heart king or a heart queen", "a heart king or a queen"]),
        (
            "if previous is red or black K then red",
            &["if previous is a red king or a black king then red", "if previous is red or a black king then red"],
        ),
        ("red 7, 8 or 9", &["a red 7 or a red 8 or a red 9", "a red 7 or an 8 or a 9"]),
        ("red 7 or 8 or 9", &["a red 7 or a red 8 or a red 9", "a red 7 or an 8 or a 9"]),
        ("a red king, queen or jack", &["a red king or a red queen or a red jack", "a red king or a queen or a jack"]),
        (
            "even hearts, spades or clubs",
            &["an even heart or an even spade or an even club", "an even heart or a spade or a club"],
        ),
        (
            "not a red king, queen or jack",
            &["neither a red king nor a red queen nor a red jack", "neither a red king nor a queen nor a jack"],
        ),
        ("no red 7, 8 or 9", &["neither a red 7 nor a red 8 nor a red 9", "neither a red 7 nor an 8 nor a 9"]),
        (
            "if previous is a red king, queen or jack then red",
            &[
                "if previous is a red king or a red queen or a red jack then red",
                "if previous is a red king or a queen or a jack then red",
            ],
        ),
        (
            "red kings, queens and jacks",
            &["a red king or a red queen or a red jack", "a red king or a queen or a jack"],
        ),
    ]);
}

#[test]
fn properties_that_share_an_adjective_are_refused_with_both_readings() {
    all_refused(&[
        ("red even or odd", &["red and (even or odd)", "(red and even) or odd"]),
        ("even red or black", &["even and (red or black)", "(even and red) or black"]),
        ("red prime or composite", &["red and (prime or composite)", "(red and prime) or composite"]),
        ("black odd or even cards", &["black and (odd or even)", "(black and odd) or even"]),
        ("red or even prime", &["(red or even) and prime", "red or (even and prime)"]),
        ("no red even or odd cards", &["not (red and (even or odd))", "not ((red and even) or odd)"]),
    ]);
    all_same(&[
        ("red odd or black even", "(red(next) and odd(next)) or (black(next) and even(next))"),
        ("red even cards or odd cards", "(red(next) and even(next)) or odd(next)"),
        ("red even or black", "(red(next) and even(next)) or black(next)"),
    ]);
}

#[test]
fn lists_that_no_or_closes_are_refused_with_advice() {
    all_refused(&[
        ("2, 4, 6, 8", &["a 2 or a 4 or a 6 or an 8"]),
        ("kings, queens and jacks", &["a king or a queen or a jack"]),
        ("hearts, spades and clubs", &["a heart or a spade or a club"]),
        ("red, even and prime", &["red or even or prime", "red and even and prime"]),
    ]);
    all_same(&[("after red, black and even", "if red(prev) then (black(next) and even(next))")]);
}

#[test]
fn not_before_two_comparisons_of_a_kind_is_refused_with_both_readings() {
    all_refused(&[
        ("not same suit and same rank", &["different suit and same rank", "not (same suit and same rank)"]),
        ("not the same suit and rank", &["different suit and different rank", "not (same suit and same rank)"]),
        (
            "not same colour and different suit",
            &["different colour and different suit", "not (same colour and different suit)"],
        ),
    ]);
    assert!(Rule::parse("not higher than 3 and higher than previous", &Deck::STANDARD).is_err());
    all_same(&[
        ("not lower than previous and same parity", "rank(next) >= rank(prev) and parity(next) = parity(prev)"),
        ("not same suit and rank above 7", "suit(next) != suit(prev) and rank(next) > 7"),
    ]);
}

#[test]
fn plain_comparisons_limits_and_parentheses_are_read() {
    all_same(&[
        ("less than or equal to previous", "rank(next) <= rank(prev)"),
        ("greater than or equal to previous", "rank(next) >= rank(prev)"),
        ("equal to or higher than previous", "rank(next) >= rank(prev)"),
        ("rank is greater than or equal to 7", "rank(next) >= 7"),
        ("rank less than or equal to 7", "rank(next) <= 7"),
        ("more than or equal to 7", "rank(next) >= 7"),
        ("no lower than 5", "rank(next) >= 5"),
        ("no higher than previous", "rank(next) <= rank(prev)"),
        ("no lower than 5 and red", "rank(next) >= 5 and red(next)"),
        ("not (red or even) and prime", "black(next) and odd(next) and prime(next)"),
        ("not (red and even) or prime", "not (red(next) and even(next)) or prime(next)"),
        ("no more than one red card in a row", "not (red(next) and red(prev))"),
        ("never more than one red card in a row", "not (red(next) and red(prev))"),
        ("at most one heart in a row", "not (suit(next) = H and suit(prev) = H)"),
        ("no more than one card of the same suit in a row", "suit(next) != suit(prev)"),
        ("odd numbers only", "odd(next)"),
        ("odd numbers or hearts", "odd(next) or suit(next) = H"),
    ]);
}

/// What was played with it may not change.
#[test]
fn the_second_reader_keeps_its_meaning() {
    let cases = [
        ("red or even, and prime", "next is red or (next is even and next is prime)"),
        ("red, and even or prime", "(next is red and next is even) or next is prime"),
        ("rank is previous plus 1 or 2", "rank of next = (rank of previous + 1) or next is 2"),
        ("neither red nor even or a king", "(not (next is red or next is even)) or next is K"),
        ("red or black K", "next is red or next is black K"),
        ("red even or odd", "next is red even or next is odd"),
        ("hearts K or Q", "next is heart K or next is Q"),
        ("rank > 7 or 3", "rank of next > 7 or next is 3"),
        ("higher than previous and 7", "next is higher than previous and next is 7"),
        ("if previous is red then even, and prime", "if previous is red then (next is even and next is prime)"),
    ];
    for (text, meaning) in cases {
        let rule = Rule::parse_as(text, &Deck::STANDARD, Reader::Second).expect(text);
        assert_eq!(rule.to_string(), meaning, "{text}");
    }
    assert!(Rule::parse_as("red or black kings", &Deck::STANDARD, Reader::Second).is_err());
}
