//! Short labels of worlds, and how wide text is.

use crate::formula::Name;
use crate::model::Kripke;
use crate::model::law::Facts;
use crate::text::pieces;

/// The most lines of facts in a label.
const LINES: usize = 5;
/// Labels up to this many characters stand in one line.
const ONE_LINE: usize = 14;
/// The widths tried for longer labels, in characters.
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
    let mut notes = Vec::new();
    let plain: Vec<Vec<String>> = facts.iter().map(|f| items(f.props.iter(), f)).collect();
    let longest = plain.iter().map(|items| items.join(", ").chars().count()).max().unwrap_or(0);
    let most = plain.iter().map(Vec::len).max().unwrap_or(0);
    let widest = plain.iter().flatten().map(|item| item.chars().count()).max().unwrap_or(0);
    let mut lines: Vec<Vec<String>> = if longest <= ONE_LINE {
        plain.iter().map(|items| vec![items.join(", ")]).collect()
    } else if most <= LINES && widest <= WIDEST {
        plain.clone()
    } else {
        terse(model, &facts, &plain, &mut notes)
    };
    lines.iter_mut().for_each(|lines| lines.retain(|line| !line.is_empty()));
    if (!model.props().is_empty() || !model.vars.is_empty()) && lines.iter().any(Vec::is_empty) {
        lines.iter_mut().filter(|lines| lines.is_empty()).for_each(|lines| lines.push("∅".into()));
        notes.insert(0, "∅: no proposition is true.".into());
    }
    Labels { lines, notes }
}

/// Labels for worlds with many facts: what is false if that is less, families together, what all share said once.
fn terse(model: &Kripke, facts: &[Facts], plain: &[Vec<String>], notes: &mut Vec<String>) -> Vec<Vec<String>> {
    let any = |_: &str| true;
    let sparing = |facts: &Facts, grouped: bool, keep: &dyn Fn(&str) -> bool| {
        let own = |held: &[Name]| -> Vec<Name> { held.iter().filter(|p| keep(p)).cloned().collect() };
        let held = own(&facts.props);
        let missing: Vec<Name> = own(model.props()).into_iter().filter(|p| !facts.props.contains(p)).collect();
        let vars = Facts { props: Vec::new(), vars: facts.vars.clone() };
        let vars: Vec<String> = items([].iter(), &vars).into_iter().filter(|item| keep(item)).collect();
        let list = |props: &[Name]| {
            if grouped { group(props) } else { props.iter().map(|p| p.to_string()).collect() }
        };
        let mut all = if held.len() > 3 && missing.is_empty() {
            vec!["all true".to_string()]
        } else if held.len() > 3 && missing.len() * 2 <= held.len() {
            let mut but = list(&missing);
            but[0].insert_str(0, "all but ");
            but
        } else {
            list(&held)
        };
        all.extend(vars);
        all
    };
    for grouped in [false, true] {
        let all: Vec<Vec<String>> = facts.iter().map(|f| sparing(f, grouped, &any)).collect();
        if all.iter().all(|items| fits(items)) {
            explain(&all, notes);
            return all.iter().map(|items| wrap_or_cut(items)).collect();
        }
    }
    let common: Vec<&String> = match plain.split_first() {
        Some((first, rest)) if !rest.is_empty() => {
            first.iter().filter(|item| rest.iter().all(|items| items.contains(item))).collect()
        }
        _ => Vec::new(),
    };
    let own = |item: &str| !common.iter().any(|c| *c == item);
    let all: Vec<Vec<String>> = facts.iter().map(|f| sparing(f, true, &own)).collect();
    explain(&all, notes);
    if !common.is_empty() {
        let list: Vec<&str> = common.iter().map(|c| c.as_str()).collect();
        notes.push(format!("In all these worlds: {}.", list.join(", ")));
    }
    all.iter().map(|items| wrap_or_cut(items)).collect()
}

/// Says how to read a family, by an example.
fn explain(labels: &[Vec<String>], notes: &mut Vec<String>) {
    let example = labels.iter().flatten().filter(|item| item.contains('·')).min_by_key(|item| item.chars().count());
    if let Some(item) = example {
        let item = item.trim_start_matches("all but ");
        notes.push(format!("{item}: each of them."));
    }
}

/// The facts one by one: `p`, `x=3`.
fn items<'a>(props: impl Iterator<Item = &'a Name>, facts: &Facts) -> Vec<String> {
    let vars = facts.vars.iter().map(|(x, v)| format!("{x}={v}"));
    props.map(|p| p.to_string()).chain(vars).collect()
}

/// Propositions of one family together: `muddy(1·3)` for `muddy(1)` and `muddy(3)`.
fn group(props: &[Name]) -> Vec<String> {
    let mut families: Vec<(&str, Option<String>)> = Vec::new();
    for prop in props {
        let split = prop.strip_suffix(')').and_then(|body| Some(body.split_at(body.rfind([',', '('])? + 1)));
        let Some((head, last)) = split else {
            families.push((prop, None));
            continue;
        };
        match families.iter_mut().find(|(h, list)| *h == head && list.is_some()) {
            Some((_, Some(list))) => {
                list.push('·');
                list.push_str(last.trim());
            }
            _ => families.push((head, Some(last.trim().to_string()))),
        }
    }
    let text = |(head, list): (&str, Option<String>)| match list {
        Some(list) => format!("{head}{list})"),
        None => head.to_string(),
    };
    families.into_iter().map(text).collect()
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
        while let Some(line) = lines.last_mut() {
            let gap = if line.is_empty() { "" } else { " " };
            if text_width(&format!("{line}{gap}{word}"), font) <= width {
                line.push_str(gap);
                line.push_str(word);
                break;
            }
            if line.is_empty() {
                // Longer than a line: break it, between names if that is possible at all.
                let fits = |end: &usize| text_width(&word[..*end], font) <= width;
                let mut end = 0;
                let between = pieces(word).into_iter().map(|piece| {
                    end += piece.len();
                    end
                });
                let inside = word.char_indices().map(|(at, c)| at + c.len_utf8());
                let first = word.chars().next().map_or(0, char::len_utf8);
                let end = between.take_while(fits).last().or_else(|| inside.take_while(fits).last()).unwrap_or(first);
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

/// How wide the widest line is.
pub(super) fn lines_width(lines: &[String], font: f64) -> f64 {
    lines.iter().map(|line| text_width(line, font)).fold(0.0, f64::max)
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
