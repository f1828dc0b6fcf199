//! Sentences as people say them: each is read as it is meant, by an independent predicate, or refused with a near
//! sentence that is understood and means what it seems to. None is read as something else.

use super::transcription::{C, Judge};
use super::{DECK, plain};
use ken_games::cards::Card;
use ken_games::dice::Dice;
use ken_games::eleusis::secret::{Secret, Unfit};
use ken_logic::syntax::Diagnostic;

fn red(c: C) -> bool {
    c.s == 'D' || c.s == 'H'
}

fn even(c: C) -> bool {
    c.r % 2 == 0
}

fn face(c: C) -> bool {
    c.r > 10
}

fn top(line: &[C]) -> C {
    line[line.len() - 1]
}

/// Says of the card so many places back; true where there is none.
fn back(line: &[C], k: usize, says: impl Fn(C) -> bool) -> bool {
    line.len().checked_sub(k).is_none_or(|at| says(line[at]))
}

/// The last cards, as many as there are.
fn last(line: &[C], k: usize) -> &[C] {
    &line[line.len().saturating_sub(k)..]
}

fn count(line: &[C], says: impl Fn(C) -> bool) -> usize {
    line.iter().filter(|&&c| says(c)).count()
}

/// Sentences that are read, and what they mean.
const READ: &[(&str, Judge)] = &[
    // Exclusions.
    ("anything but clubs", |_, n| n.s != 'C'),
    ("any card but a spade", |_, n| n.s != 'S'),
    ("anything but a face card", |_, n| !face(n)),
    ("nothing but red or even", |_, n| red(n) || even(n)),
    ("(hearts or spades) and not a king", |_, n| (n.s == 'H' || n.s == 'S') && n.r != 13),
    ("not (red and even)", |_, n| !(red(n) && even(n))),
    ("black or a heart", |_, n| !red(n) || n.s == 'H'),
    ("not red and higher than previous", |l, n| !red(n) && n.r > top(l).r),
    ("no hearts or spades", |_, n| n.s != 'H' && n.s != 'S'),
    ("red or even but not both", |_, n| red(n) != even(n)),
    ("same suit or a king", |l, n| n.s == top(l).s || n.r == 13),
    ("same suit and not a king", |l, n| n.s == top(l).s && n.r != 13),
    ("not next is red or next is even", |_, n| !red(n) || even(n)),
    ("anything but the same colour", |l, n| red(n) != red(top(l))),
    ("anything except hearts", |_, n| n.s != 'H'),
    ("any card except for the queen of spades", |_, n| !(n.r == 12 && n.s == 'S')),
    ("any card other than a king", |_, n| n.r != 13),
    ("everything but red cards", |_, n| !red(n)),
    ("all cards but hearts and spades", |_, n| n.s != 'H' && n.s != 'S'),
    ("anything but 4, 5 or 6", |_, n| !(4..=6).contains(&n.r)),
    ("any card but not a spade", |_, n| n.s != 'S'),
    ("anything but higher than previous", |l, n| n.r <= top(l).r),
    ("anything but a red face card", |_, n| !(red(n) && face(n))),
    ("nothing but clubs", |_, n| n.s == 'C'),
    ("no card but a heart", |_, n| n.s == 'H'),
    ("if previous is red then anything but clubs else red", |l, n| if red(top(l)) { n.s != 'C' } else { red(n) }),
    ("red except hearts", |_, n| n.s == 'D'),
    ("even cards except a queen", |_, n| even(n) && n.r != 12),
    ("same colour but different suit", |l, n| red(n) == red(top(l)) && n.s != top(l).s),
    ("red but not a heart", |_, n| n.s == 'D'),
    ("higher than previous but never a king", |l, n| n.r > top(l).r && n.r != 13),
    ("higher than previous unless previous is a king", |l, n| n.r > top(l).r || top(l).r == 13),
    // When a card may come, and what must come.
    ("spades only after hearts", |l, n| n.s != 'S' || top(l).s == 'H'),
    ("red only if previous is black", |l, n| !red(n) || !red(top(l))),
    ("only spades after hearts", |l, n| top(l).s != 'H' || n.s == 'S'),
    ("spades after hearts", |l, n| top(l).s != 'H' || n.s == 'S'),
    ("spades only", |_, n| n.s == 'S'),
    ("spades only after hearts, hearts only after clubs", |l, n| {
        (n.s != 'S' || top(l).s == 'H') && (n.s != 'H' || top(l).s == 'C')
    }),
    ("red if previous is black, otherwise even", |l, n| if red(top(l)) { even(n) } else { red(n) }),
    ("never red after black", |l, n| red(top(l)) || !red(n)),
    ("black after two red cards", |l, n| !(back(l, 1, red) && back(l, 2, red)) || l.len() < 2 || !red(n)),
    ("if two red cards in a row then black", |l, n| l.len() < 2 || !(red(top(l)) && back(l, 2, red)) || !red(n)),
    ("never two red cards in a row", |l, n| !(red(n) && red(top(l)))),
    ("no more than two red cards in a row", |l, n| l.len() < 2 || !(red(n) && red(top(l)) && back(l, 2, red))),
    ("not more than two red cards in a row", |l, n| l.len() < 2 || !(red(n) && red(top(l)) && back(l, 2, red))),
    // Remainders.
    ("rank mod 3 = rank of previous mod 3", |l, n| n.r % 3 == top(l).r % 3),
    ("(rank of next + rank of previous) mod 5 = 0", |l, n| (n.r + top(l).r) % 5 == 0),
    ("rank = (rank of previous mod 3)", |l, n| n.r == top(l).r % 3),
    ("sum with previous mod 5 = 0", |l, n| (n.r + top(l).r) % 5 == 0),
    ("the sum of next and previous mod 4 is 1", |l, n| (n.r + top(l).r) % 4 == 1),
    ("the product of next and previous mod 4 = 2", |l, n| (n.r * top(l).r) % 4 == 2),
    ("rank mod 3 + 1 = 2", |_, n| n.r % 3 + 1 == 2),
    ("rank of next mod 3 + rank of previous mod 3 = 2", |l, n| n.r % 3 + top(l).r % 3 == 2),
    ("suit of next = (suit of previous + 1) mod 4", |l, n| {
        let place = |s: char| "CDHS".find(s).expect("a suit");
        place(n.s) == (place(top(l).s) + 1) % 4
    }),
    // What was seen.
    ("one of the last three colours", |l, n| last(l, 3).iter().any(|c| red(*c) == red(n))),
    ("one of the last three suits", |l, n| last(l, 3).iter().any(|c| c.s == n.s)),
    ("rank not among the last three ranks", |l, n| last(l, 3).iter().all(|c| c.r != n.r)),
    ("next is one of the last two cards", |l, n| last(l, 2).iter().any(|c| c.r == n.r && c.s == n.s)),
    ("suit not yet seen", |l, n| l.iter().all(|c| c.s != n.s)),
    ("fewer than 2 cards with the same suit so far", |l, n| count(l, |c| c.s == n.s) < 2),
    ("higher than the highest so far", |l, n| l.iter().all(|c| n.r > c.r)),
    ("fewer than 2 cards of its rank so far", |l, n| count(l, |c| c.r == n.r) < 2),
    ("fewer than 5 cards so far", |l, _| l.len() < 5),
    ("if next is a face card then fewer than 2 face cards so far", |l, n| !face(n) || count(l, face) < 2),
    // Ranks, distances, lists.
    ("one higher or one lower", |l, n| (n.r - top(l).r).abs() == 1),
    ("1 to 3 higher", |l, n| (1..=3).contains(&(n.r - top(l).r))),
    ("at most 3 away from previous", |l, n| (n.r - top(l).r).abs() <= 3),
    ("at least 2 higher than previous", |l, n| n.r - top(l).r >= 2),
    ("multiple of both 2 and 3", |_, n| n.r % 6 == 0),
    ("neither red nor even", |_, n| !red(n) && !even(n)),
    ("not a heart or a spade", |_, n| n.s != 'H' && n.s != 'S'),
    ("no hearts or spades", |_, n| n.s != 'H' && n.s != 'S'),
    ("not lower than previous", |l, n| n.r >= top(l).r),
    ("either red or even", |_, n| red(n) || even(n)),
    ("red iff previous is even", |l, n| red(n) == even(top(l))),
    ("every third card must be a face card", |l, n| (l.len() + 1) % 3 != 0 || face(n)),
    ("if the last two cards are of different colours then red", |l, n| {
        l.len() < 2 || red(l[l.len() - 2]) == red(top(l)) || red(n)
    }),
    ("the sum of the last two cards and the next is even", |l, n| {
        (last(l, 2).iter().map(|c| c.r).sum::<i64>() + n.r) % 2 == 0
    }),
    ("different suit or rank", |l, n| n.s != top(l).s || n.r != top(l).r),
    ("same suit or rank", |l, n| n.s == top(l).s || n.r == top(l).r),
    ("exists x in the last 2: rank of next > rank of x", |l, n| last(l, 2).iter().any(|c| n.r > c.r)),
];

/// Sentences that are refused, each with a sentence that is suggested and what that one means.
const REFUSED: &[(&str, &str, Judge)] = &[
    // These look only at cards that lie.
    ("the sum of the last two cards must be even", "", |l, n| (n.r + top(l).r) % 2 == 0),
    ("the last two cards are of different colours", "", |l, n| red(n) != red(top(l))),
    ("no red cards in the last three", "", |_, n| !red(n)),
    ("at most two face cards so far", "", |l, n| count(l, face) + usize::from(face(n)) <= 2),
    ("at most two red cards in the last 5 cards", "", |l, n| count(last(l, 4), red) + usize::from(red(n)) <= 2),
    ("previous is red", "", |_, n| red(n)),
    ("previous is red and even", "", |_, n| red(n) && even(n)),
    ("the last card is a club", "", |_, n| n.s == 'C'),
    ("the fourth card must be a club", "", |l, n| l.len() != 3 || n.s == 'C'),
    ("card 3 is red", "", |l, n| l.len() != 2 || red(n)),
    ("position is odd", "", |l, n| red(n) == (l.len() % 2 == 1)),
    ("red and previous is black", "", |l, n| red(top(l)) || red(n)),
    ("higher than previous and the last two cards are red", "", |l, n| {
        l.len() < 2 || !(red(top(l)) && red(l[l.len() - 2])) || n.r > top(l).r
    }),
    ("the number of red cards is even", "", |l, n| red(n) == (count(l, red) % 2 == 0)),
    ("red or black", "any card", |_, _| true),
    ("anything if previous is red", "", |_, _| true),
    // These can mean two things.
    ("rank = rank of previous mod 3", "rank mod 3 = rank of previous mod 3", |l, n| n.r % 3 == top(l).r % 3),
    ("rank of next + rank of previous mod 5 = 0", "(rank of next + rank of previous) mod 5 = 0", |l, n| {
        (n.r + top(l).r) % 5 == 0
    }),
    ("rank of next - rank of previous mod 13 = 1", "(rank of next - rank of previous) mod 13 = 1", |l, n| {
        (n.r - top(l).r).rem_euclid(13) == 1
    }),
    ("higher than one of the last four", "exists x in the last 4: rank of next > rank of x", |l, n| {
        last(l, 4).iter().any(|c| n.r > c.r)
    }),
    ("higher than all of the last four", "every x in the last 4: rank of next > rank of x", |l, n| {
        last(l, 4).iter().all(|c| n.r > c.r)
    }),
    ("even but red", "even and not red", |_, n| even(n) && !red(n)),
    ("anything but red or even", "neither red nor even", |_, n| !red(n) && !even(n)),
    ("not red or even", "neither red nor even", |_, n| !red(n) && !even(n)),
    ("if red then even", "if previous is red then even", |l, n| !red(top(l)) || even(n)),
    ("black unless red", "black unless previous is red", |l, n| !red(n) || red(top(l))),
    ("at most 3 higher than previous", "1 to 3 higher", |l, n| (1..=3).contains(&(n.r - top(l).r))),
    ("less than 3 lower", "1 to 2 lower", |l, n| (1..=2).contains(&(top(l).r - n.r))),
    ("higher than previous but not more than 3", "1 to 3 higher", |l, n| (1..=3).contains(&(n.r - top(l).r))),
    ("next is different from previous", "different suit from previous", |l, n| n.s != top(l).s),
    ("next is the highest so far", "higher than the highest so far", |l, n| l.iter().all(|c| n.r > c.r)),
    ("as high as previous", "at least as high as previous", |l, n| n.r >= top(l).r),
    ("opposite suit", "different suit from previous", |l, n| n.s != top(l).s),
    ("two red cards in a row", "no more than two red cards in a row", |l, n| {
        l.len() < 2 || !(red(n) && red(top(l)) && back(l, 2, red))
    }),
    ("red except after a king", "red unless previous is a king", |l, n| red(n) || top(l).r == 13),
    ("rank among the last three suits", "rank among the last 3 ranks", |l, n| last(l, 3).iter().any(|c| c.r == n.r)),
];

/// Sentences that are refused without more: none of them may be read.
const UNREAD: &[&str] = &[
    "no red cards except hearts",
    "no face cards except kings",
    "no hearts except the king",
    "not red except hearts",
    "not red other than hearts",
    "neither red nor even except kings",
    "anything but not red",
    "anything except not even",
    "anything but if previous is red then black",
    "hearts or spades except kings",
    "red or even but not hearts",
    "even or red except hearts",
    "red or higher but not hearts",
    "if previous is red then even or odd except kings",
    "red or black but not hearts",
    "never hearts and spades",
    "no clubs and spades",
    "no red cards and kings",
    "no face cards and hearts",
    "not a heart and a spade",
    "never red and even",
    "not higher or lower",
    "never higher or lower",
    "not the same suit or the same rank",
    "not red or higher",
    "not higher or red",
    "not even or same suit",
    "nothing but red and even",
    "odd except queens",
    "even except kings",
    "same suit except for face cards",
    "different colour except kings",
    "at most one face card",
    "higher than previous or the starter",
    "every other card is red",
    "multiple of both 3 or 4",
    "any red card higher than previous",
    "red, even",
    "anything but clubs or higher than previous",
    "same suit as one of the last two cards",
    "higher than the last two cards",
    "spades only if previous is red, otherwise hearts",
];

/// Lines to look at: all of one card, and random ones of up to seven.
fn lines() -> Vec<Vec<Card>> {
    let all: Vec<Card> = DECK.all().iter().collect();
    let mut dice = Dice::new(15);
    let mut lines: Vec<Vec<Card>> = all.iter().map(|&card| vec![card]).collect();
    for _ in 0..400 {
        let length = 2 + dice.below(6);
        lines.push((0..length).map(|_| *dice.pick(&all)).collect());
    }
    lines
}

/// The first line and card on which a text and a predicate differ.
fn differ(secret: &Secret, judge: Judge, lines: &[Vec<Card>]) -> Option<String> {
    lines.iter().find_map(|line| {
        let seen: Vec<C> = line.iter().map(|&card| plain(card)).collect();
        let wrong = DECK.all().iter().find(|&next| secret.rule().accepts(line, next) != judge(&seen, plain(next)))?;
        let line: Vec<String> = line.iter().map(|&card| DECK.write(card)).collect();
        Some(format!(
            "`{}` is read as `{}`: {} after {}",
            secret.text(),
            secret.rule(),
            DECK.write(wrong),
            line.join(" ")
        ))
    })
}

fn problems(text: &str) -> Result<Secret, Vec<Diagnostic>> {
    Secret::read(text, &DECK).map_err(|unfit| match unfit {
        Unfit::Unread(problems) => problems,
        Unfit::Unbounded(why) => panic!("{text}: {why}"),
    })
}

/// What stands in backquotes.
fn quoted(help: &str) -> Vec<&str> {
    help.split('`').skip(1).step_by(2).collect()
}

#[test]
fn sentences_are_read_as_people_mean_them() {
    let lines = lines();
    let wrong = READ.iter().filter_map(|(text, judge)| match problems(text) {
        Ok(secret) => differ(&secret, *judge, &lines),
        Err(problems) => Some(format!("`{text}` is refused: {} ({:?})", problems[0].message, problems[0].help)),
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(READ.len() >= 60 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sentences_that_would_be_misread_are_refused_with_a_near_one_that_is_understood() {
    let lines = lines();
    let mut wrong = Vec::new();
    for (text, near, judge) in REFUSED {
        let found = match problems(text) {
            Ok(secret) => {
                wrong.push(format!("`{text}` is read as `{}`", secret.rule()));
                continue;
            }
            Err(mut found) => found.remove(0),
        };
        let help = found.help.clone().unwrap_or_default();
        let suggested: Vec<&str> = quoted(&help);
        if suggested.is_empty() || !(near.is_empty() || suggested.contains(near)) {
            wrong.push(format!("`{text}`: {} ({help})", found.message));
        }
        for sentence in &suggested {
            match problems(sentence) {
                Ok(secret) if near.is_empty() || sentence == near => wrong.extend(differ(&secret, *judge, &lines)),
                Ok(_) => {}
                Err(problems) => wrong.push(format!("`{text}` suggests `{sentence}`: {}", problems[0].message)),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sentences_that_say_something_else_than_any_rule_are_not_read() {
    let read = UNREAD.iter().filter_map(|text| Some(format!("`{text}` is read as `{}`", problems(text).ok()?.rule())));
    let read: Vec<String> = read.collect();
    assert!(read.is_empty(), "{}", read.join("\n"));
}
