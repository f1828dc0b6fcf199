//! Tests of the language by its phrases: two ways to say the same are the same rule.

use super::super::deck::Deck;
use super::Rule;

#[test]
fn the_same_rule_can_be_said_in_many_ways() {
    let same = [
        ("red", "next is red"),
        ("red", "color(next) = red"),
        ("next is a spade", "suit(next) = S"),
        ("spades only", "suit is spades"),
        ("different colour", "color(next) != color(prev)"),
        ("another colour than the previous card", "colour differs from previous"),
        ("higher than previous", "rank(next) > rank(prev)"),
        ("rank of next > previous", "rank(next) > rank(prev)"),
        ("next > previous", "rank(next) > rank(prev)"),
        ("same suit or same rank", "suit(next)=suit(prev) or rank(next)=rank(prev)"),
        ("within 3 of previous", "rank within 3 of previous"),
        ("if previous is black then odd else even", "if black(prev) then odd(next) else even(next)"),
        ("after a black card: odd, otherwise even", "if black(prev) then odd(next) else even(next)"),
        ("odd if previous is black, otherwise even", "if black(prev) then odd(next) else even(next)"),
        ("alternate red and black", "red and black take turns"),
        ("7 to king", "next in 7..K"),
        ("rank one of A 4 9", "rank in {1, 4, 9}"),
        ("position mod 3 = 1", "number of cards mod 3 = 1"),
        ("pos odd", "the number of cards is odd"),
        ("previous is a spade or a heart", "suit(prev) = S or suit(prev) = H"),
        ("rank is 3 or 4", "next is 3 or next is 4"),
        ("d >= 0", "rank(next) - rank(prev) >= 0"),
        ("count(rank = rank(next), line) < 2", "fewer than 2 cards of its rank"),
        ("rank not yet seen", "rank(next) not in ranks(line)"),
        ("rank not among the last three ranks", "not count(rank = rank(next), the last 3) > 0"),
        ("higher than the highest so far", "rank(next) > max(line)"),
        ("cards since the last ace < 4", "number of cards since the last ace < 4"),
        ("same suit as the starter", "suit of next = suit of the starter"),
        ("the card before the previous is red", "red(prev2)"),
        ("second card from the top is red", "prev2 is red"),
        ("red(prev) implies even(next)", "if previous is red then even"),
        ("let low = A..7; low(previous)", "previous is A to 7"),
        ("sum with previous is a multiple of 5", "(rank(next)+rank(prev)) mod 5 = 0"),
        ("colour changes", "opposite colour"),
        ("rule gar-1", "alternate even and odd"),
        ("not gar-1", "not (alternate even and odd)"),
        ("exists x in line: suit(x)=suit(next)", "suit already seen"),
    ];
    let mut wrong = Vec::new();
    for (a, b) in same {
        let (first, second) = (Rule::parse(a, &Deck::STANDARD), Rule::parse(b, &Deck::STANDARD));
        if first.is_err() || first != second {
            wrong.push((a, first, b, second));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
