//! Short labels of worlds, and how wide text is.

use crate::model::Kripke;
use crate::model::law::Facts;

/// The most lines of facts in a label.
const LINES: usize = 4;
/// The widths tried for a label, in characters.
const WIDTHS: [usize; 4] = [14, 18, 22, 26];
/// The widest label, in characters.
const WIDEST: usize = 26;

/// The labels of the worlds shown, and what a reader must know about them.
pub(super) struct Labels {
    pub(super) lines: Vec<Vec<String>>,
    pub(super) notes: Vec<String>,
}

/// Labels for worlds: their facts in full if that is short everywhere, else ever more tersely.
pub(super) fn labels(model: &Kripke, shown: &[usize]) -> Labels {
    let facts: Vec<Facts> = shown.iter().map(|&w| model.facts(w)).collect();
    let empty = facts.iter().any(|f| f.props.is_empty() && f.vars.is_empty());
    let anything = !model.props().is_empty() || !model.vars.is_empty();
    let mut notes = Vec::new();
    if empty && anything {
        notes.push("∅: no proposition is true.".to_string());
    }
    let nothing = || if anything { vec!["∅".to_string()] } else { Vec::new() };
    let finish = |items: Vec<Vec<String>>, notes| {
        let lines = items.into_iter().map(|i| if i.is_empty() { nothing() } else { wrap_or_cut(&i) }).collect();
        Labels { lines, notes }
    };

    let plain: Vec<Vec<String>> = facts.iter().map(|f| plain_items(f, &|_| true)).collect();
    if plain.iter().all(|items| fits(items)) {
        return finish(plain, notes);
    }
    let grouped: Vec<Vec<String>> = facts.iter().map(|f| grouped_items(f, &|_| true)).collect();
    let example = |notes: &mut Vec<String>, items: &[Vec<String>]| {
        if let Some(item) = items.iter().flatten().find(|item| item.contains('·')) {
            notes.push(format!("{item}: each of them is true."));
        }
    };
    if grouped.iter().all(|items| fits(items)) {
        example(&mut notes, &grouped);
        return finish(grouped, notes);
    }
    // What is the same everywhere is said once.
    let common: Vec<String> = match plain.split_first() {
        Some((first, rest)) if !rest.is_empty() => {
            first.iter().filter(|item| rest.iter().all(|items| items.contains(item))).cloned().collect()
        }
        _ => Vec::new(),
    };
    let own = |item: &str| !common.iter().any(|c| c == item);
    let short: Vec<Vec<String>> = facts.iter().map(|f| grouped_items(f, &own)).collect();
    example(&mut notes, &short);
    if !common.is_empty() {
        notes.push(format!("In all these worlds: {}.", common.join(", ")));
    }
    finish(short, notes)
}

/// The facts one by one: `p`, `x=3`.
fn plain_items(facts: &Facts, keep: &dyn Fn(&str) -> bool) -> Vec<String> {
    let props = facts.props.iter().map(|p| p.to_string());
    let vars = facts.vars.iter().map(|(x, v)| format!("{x}={v}"));
    props.chain(vars).filter(|item| keep(item)).collect()
}

/// The facts with propositions of one family together: `muddy(1·3)` for `muddy(1)` and `muddy(3)`.
fn grouped_items(facts: &Facts, keep: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut items: Vec<(String, Option<String>)> = Vec::new();
    for item in plain_items(facts, keep) {
        let split = item.strip_suffix(')').and_then(|body| {
            let at = body.rfind([',', '('])? + 1;
            Some((body[..at].to_string(), body[at..].trim().to_string()))
        });
        match split {
            Some((head, last)) => match items.iter_mut().find(|(h, list)| *h == head && list.is_some()) {
                Some((_, Some(list))) => {
                    list.push('·');
                    list.push_str(&last);
                }
                _ => items.push((head, Some(last))),
            },
            None => items.push((item, None)),
        }
    }
    items
        .into_iter()
        .map(|(head, list)| match list {
            Some(list) => format!("{head}{list})"),
            None => head,
        })
        .collect()
}

fn fits(items: &[String]) -> bool {
    WIDTHS.iter().any(|&width| wrap(items, width).is_some_and(|lines| lines.len() <= LINES))
}

/// Items in lines of at most this many characters; `None` if one is longer.
fn wrap(items: &[String], width: usize) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let mut item = item.clone();
        if i + 1 < items.len() {
            item.push(',');
        }
        let length = item.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + length <= width => {
                line.push(' ');
                line.push_str(&item);
            }
            _ if length <= width => lines.push(item),
            // A long list breaks after its dots.
            _ if item.contains('·') => {
                let mut line = String::new();
                for piece in item.split_inclusive('·') {
                    if line.chars().count() + piece.chars().count() > width && !line.is_empty() {
                        lines.push(std::mem::take(&mut line));
                    }
                    line.push_str(piece);
                }
                if line.chars().count() > width {
                    return None;
                }
                lines.push(line);
            }
            _ => return None,
        }
    }
    Some(lines)
}

fn wrap_or_cut(items: &[String]) -> Vec<String> {
    for width in WIDTHS {
        if let Some(lines) = wrap(items, width)
            && lines.len() <= LINES
        {
            return lines;
        }
    }
    let items: Vec<String> = items.iter().map(|item| shorten(item, WIDEST - 1)).collect();
    for kept in (1..items.len()).rev() {
        let mut some = items[..kept].to_vec();
        some.push(format!("… {} more", items.len() - kept));
        if let Some(lines) = wrap(&some, WIDEST)
            && lines.len() <= LINES
        {
            return lines;
        }
    }
    items.iter().take(1).cloned().collect()
}

/// The text, or its beginning and end with an ellipsis between, in at most `most` characters.
pub(super) fn shorten(text: &str, most: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= most {
        return text.to_string();
    }
    let end = most / 3;
    let start = most.saturating_sub(end + 1);
    chars[..start].iter().chain(['…'].iter()).chain(&chars[chars.len() - end..]).collect()
}

/// Text in lines of at most `width` units, broken at spaces where possible.
pub(super) fn paragraph(text: &str, width: f64, font: f64, most_lines: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word = word;
        loop {
            let Some(line) = lines.last_mut() else { break };
            let gap = if line.is_empty() { "" } else { " " };
            if text_width(&format!("{line}{gap}{word}"), font) <= width {
                line.push_str(gap);
                line.push_str(word);
                break;
            }
            if line.is_empty() {
                // Longer than a line: break it.
                let mut end = 0;
                for (at, c) in word.char_indices() {
                    if at > 0 && text_width(&word[..at + c.len_utf8()], font) > width {
                        break;
                    }
                    end = at + c.len_utf8();
                }
                line.push_str(&word[..end]);
                word = &word[end..];
                if word.is_empty() {
                    break;
                }
            }
            lines.push(String::new());
        }
    }
    if lines.len() > most_lines {
        lines.truncate(most_lines);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    lines
}

/// About how wide text is in a sans-serif font of this size: rather too much than too little.
pub(super) fn text_width(text: &str, font: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | '·' | ' ' => 0.34,
            'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '{' | '}' | '-' | '/' => 0.43,
            'm' | 'w' | 'M' | 'W' | '@' | '%' | '&' | '…' | '→' | '↔' | '∅' => 0.95,
            'A'..='Z' | '<' | '>' | '=' | '+' | '~' => 0.76,
            '\u{0300}'..='\u{036f}' | '\u{200b}'..='\u{200f}' => 0.0,
            '\u{1100}'.. => 1.1,
            _ => 0.63,
        })
        .sum();
    ems * font
}
