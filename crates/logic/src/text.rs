//! Small matters of text for people: amounts, lists, where words may be broken, and characters that would not be seen.

use std::borrow::Cow;

/// An amount: 1234567 as 1,234,567; from sixteen digits on as 1.23 × 10^n, rounded to the nearest, halves up.
pub fn amount(n: impl ToString) -> String {
    let digits = n.to_string();
    if digits.len() > 15 { scientific(&digits) } else { grouped(digits) }
}

/// A number with all its digits, in groups of three.
pub fn grouped(n: impl ToString) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// A number with its noun: `1 world`, `8 worlds`, `20,000 worlds`.
pub fn plural(n: impl ToString, noun: &str) -> String {
    let n = amount(n);
    if n == "1" { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// A list as a sentence has it, with a word before the last: `a`, `a and b`, `a, b and c`. Of nothing it is empty.
pub fn listed<T: ToString>(items: impl IntoIterator<Item = T>, word: &str) -> String {
    let mut items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.pop() {
        Some(last) if !items.is_empty() => format!("{} {word} {last}", items.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// The columns of a line in a terminal.
pub const WIDTH: usize = 80;

/// The words of a text in lines of at most so many columns; a word that is longer has a line of its own. There is at
/// least one line.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let used = lines[last].chars().count();
        if used > 0 && used + 1 + word.chars().count() > width {
            lines.push(word.to_string());
        } else {
            if used > 0 {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines
}

/// A text in lines of at most [`WIDTH`] columns, the first behind its head and the others indented below it, by two
/// columns at least.
pub fn hang(head: &str, text: &str) -> Vec<String> {
    let indent = head.chars().count().max(2);
    let line = |(i, part): (usize, &String)| format!("{:indent$}{part}", if i == 0 { head } else { "" });
    wrap(text, WIDTH - indent).iter().enumerate().map(line).collect()
}

/// At least four digits as 1.23 × 10^n.
fn scientific(digits: &str) -> String {
    let mut exponent = digits.len() - 1;
    let mut leading = digits[..3].parse::<u32>().unwrap_or(0) + u32::from(digits.as_bytes()[3] >= b'5');
    if leading == 1000 {
        (leading, exponent) = (100, exponent + 1);
    }
    format!("{}.{:02} × 10^{exponent}", leading / 100, leading % 100)
}

/// The parts of a word between which a line may end: after a comma, a bracket that closes or a sign between formulas. Names
/// and numbers, and equations of them, stay whole.
pub(crate) fn pieces(word: &str) -> Vec<&str> {
    let ends = |c: char| matches!(c, ',' | ';' | ':' | '&' | '|' | '>' | ')' | ']' | '}' | '·');
    let mut found = Vec::new();
    let mut from = 0;
    let mut before = None;
    for (at, c) in word.char_indices() {
        if before.is_some_and(ends) && !ends(c) && c != '=' {
            found.push(&word[from..at]);
            from = at;
        }
        before = Some(c);
    }
    found.push(&word[from..]);
    found
}

/// Whether one pair of parentheses stands around a whole text; of its tokens `(` is 1, `)` is -1, any other 0.
pub(crate) fn in_one_pair(tokens: impl IntoIterator<Item = i32>) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    let mut open = 0;
    let mut several = false;
    while let Some(token) = tokens.next() {
        open += token;
        if open <= 0 {
            return several && tokens.peek().is_none();
        }
        several = true;
    }
    false
}

/// Whether a character does something to a terminal instead of being shown: a control character other than the end of a
/// line and the tabulator, a separator of lines, or a mark that turns the direction of what follows.
pub fn is_hidden(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && c != '\n' && c != '\t'
}

/// The text with every [hidden](is_hidden) character written out, as `\u{1b}`. What was written out stays as it is if it
/// is asked for again.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_hidden(c) {
            true => out.extend(c.escape_unicode()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigUint;

    #[test]
    fn counts_are_rounded_not_cut() {
        assert_eq!(amount(0), "0");
        assert_eq!(amount(999_999), "999,999");
        assert_eq!(amount(123_456_789_012_345u64), "123,456,789,012,345");
        assert_eq!(amount(1_239_999_999_999_999u64), "1.24 × 10^15");
        assert_eq!(amount(1_234_999_999_999_999u64), "1.23 × 10^15");
        assert_eq!(amount(1_005_000_000_000_000u64), "1.01 × 10^15");
        assert_eq!(amount(9_999_999_999_999_999u64), "1.00 × 10^16");
        assert_eq!(amount(BigUint::from(3u8).pow(100)), "5.15 × 10^47");
    }

    #[test]
    fn lists_and_nouns_are_written_as_sentences_have_them() {
        assert_eq!([0, 1, 2, 20_000].map(|n| plural(n, "world")), ["0 worlds", "1 world", "2 worlds", "20,000 worlds"]);
        assert_eq!(listed(["a", "b", "c"], "and"), "a, b and c");
        assert_eq!(listed([1, 2], "or"), "1 or 2");
        assert_eq!((listed(["a"], "and"), listed([""; 0], "and")), ("a".to_string(), String::new()));
    }

    #[test]
    fn a_long_text_hangs_below_its_head_and_fits_the_width() {
        let lines = hang("help: ", &"word ".repeat(30));
        assert_eq!(lines.len(), 2);
        assert!(lines[0].starts_with("help: word") && lines[1].starts_with("      word"), "{lines:?}");
        assert!(lines.iter().all(|line| line.len() <= WIDTH));
        assert_eq!(hang("", "one"), ["  one"]);
        assert_eq!(wrap("", 10), [""]);
    }

    #[test]
    fn hidden_characters_are_written_out_once_and_all_others_stay() {
        let said = visible("a\u{1b}[31m\u{7}\r\u{85}\u{202e}b\u{2067}");
        assert_eq!(said, r"a\u{1b}[31m\u{7}\u{d}\u{85}\u{202e}b\u{2067}");
        assert_eq!(visible(&said), said);
        let plain = "Yōkai: ¬p ∧ \u{1f984}\n\tק";
        assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain));
    }

    #[test]
    fn a_pair_of_parentheses_stands_around_all_or_not() {
        assert!(in_one_pair([1, 0, 1, 0, -1, 0, -1]));
        assert!(in_one_pair([1, -1]));
        assert!(!in_one_pair([1, 0, -1, 0, 1, 0, -1]));
        assert!(!in_one_pair([1, 0]));
        assert!(!in_one_pair([0]) && !in_one_pair([0, 0]) && !in_one_pair([]));
    }

    #[test]
    fn names_are_never_broken_inside() {
        assert_eq!(pieces("{philosopher_one,philosopher_two=3}"), ["{philosopher_one,", "philosopher_two=3}"]);
        assert_eq!(pieces("K[alice](p&!q)"), ["K[alice]", "(p&", "!q)"]);
        assert_eq!(pieces("x:=2"), ["x:=2"]);
        assert_eq!(pieces(""), [""]);
    }
}
