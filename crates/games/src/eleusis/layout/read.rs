//! Layouts in JSON: all problems of a file at once, each with its place.

use super::Layout;
use crate::cards::Card;
use crate::eleusis::deck::Deck;
use ken_logic::syntax::{Code, Diagnostic, Json, JsonKind, Span, json_with_places, nearest};

/// A layout as one player sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// What lies on the table.
    pub layout: Layout,
    /// The cards of the player, as the file lists them; none if it does not.
    pub hand: Vec<Card>,
}

const KEYS: [&str; 4] = ["mainline", "sidelines", "hand", "table"];

/// Reads `{"mainline": ["3S", "7D"], "sidelines": {"1": ["9C"]}, "hand": ["4C"]}`. The key of a sideline is the place of
/// the mainline card that its cards followed, counted from 0. The mainline has at least its starter; `sidelines` and
/// `hand` may be left out. A card may come more than once: there may be more than one deck. What `table` says of the round
/// is for [`knowledge::read`](crate::eleusis::knowledge::read), and not looked at here.
pub fn position(text: &str, deck: &Deck) -> Result<Position, Vec<Diagnostic>> {
    let json = json_with_places(text).map_err(|problem| vec![*problem])?;
    let mut reader = Reader { deck, problems: Vec::new() };
    let position = reader.position(&json);
    match position {
        Some(position) if reader.problems.is_empty() => Ok(position),
        _ => Err(reader.problems),
    }
}

struct Reader<'a> {
    deck: &'a Deck,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, label: &str) -> &mut Diagnostic {
        self.problems.push(Diagnostic::new(code, span, message).label(label));
        self.problems.last_mut().expect("it was just put there")
    }

    fn shape(&mut self, span: Span, wanted: &str) {
        self.report(Code::Shape, span, format!("expected {wanted}"), "not this");
    }

    fn position(&mut self, json: &Json) -> Option<Position> {
        let JsonKind::Object(members) = &json.kind else {
            self.shape(json.span, "an object with `mainline`");
            return None;
        };
        for (key, span, _) in members {
            if !KEYS.contains(&key.as_str()) {
                let help = match nearest(key, KEYS) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a layout has {}", KEYS.join(", ")),
                };
                self.report(Code::Shape, *span, format!("unknown key `{key}`"), "not a part of a layout").help =
                    Some(help);
            }
        }
        let get = |key: &str| members.iter().find(|(k, _, _)| k == key).map(|(_, _, value)| value);
        let hand = get("hand").map_or(Some(Vec::new()), |json| self.cards(json));
        let Some(mainline) = get("mainline") else {
            self.report(Code::Shape, json.span, "there is no `mainline`", "in this object");
            return None;
        };
        let line = self.cards(mainline);
        if line.as_ref().is_some_and(Vec::is_empty) {
            self.report(Code::Shape, mainline.span, "the mainline has no starter", "at least one card");
        }
        let length = line.as_ref().map(Vec::len);
        let sidelines = get("sidelines").map_or(Some(Vec::new()), |json| self.sidelines(json, length));
        let (mainline, mut refused) = (line?, sidelines?);
        refused.sort_by_key(|&(after, _)| after);
        Some(Position { layout: Layout { mainline, refused }, hand: hand? })
    }

    fn sidelines(&mut self, json: &Json, length: Option<usize>) -> Option<Vec<(u32, Card)>> {
        let JsonKind::Object(members) = &json.kind else {
            self.shape(json.span, "an object of sidelines, such as {\"1\": [\"9C\"]}");
            return None;
        };
        let mut refused = Vec::new();
        for (key, span, cards) in members {
            let cards = self.cards(cards);
            match (key.parse::<u32>(), length) {
                (Ok(at), Some(length)) if at as usize >= length && length > 0 => {
                    let message = format!("there is no card {at} in the mainline");
                    self.report(Code::Shape, *span, message, "no card to hang below").help =
                        Some(format!("its cards are counted from 0 to {}", length - 1));
                }
                (Ok(at), _) => refused.extend(cards.into_iter().flatten().map(|card| (at, card))),
                (Err(_), _) => {
                    self.report(
                        Code::Shape,
                        *span,
                        format!("`{key}` is not a place in the mainline"),
                        "not a number",
                    )
                    .help = Some("the key is the place of the card that was followed, counted from 0".into());
                }
            }
        }
        Some(refused)
    }

    fn cards(&mut self, json: &Json) -> Option<Vec<Card>> {
        let JsonKind::List(items) = &json.kind else {
            self.shape(json.span, "a list of cards");
            return None;
        };
        let mut cards = Vec::with_capacity(items.len());
        for item in items {
            let JsonKind::Text(name) = &item.kind else {
                self.shape(item.span, "a card, such as \"7C\"");
                continue;
            };
            match self.deck.read(name) {
                Some(card) => cards.push(card),
                None => {
                    let example = self.deck.all().iter().last().map_or(String::new(), |c| self.deck.write(c));
                    self.report(
                        Code::UnknownName,
                        item.span,
                        format!("there is no card `{name}`"),
                        "not of this deck",
                    )
                    .help = Some(format!("cards are written like `{example}`"));
                }
            }
        }
        Some(cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let problems = position(text, &Deck::STANDARD).expect_err("it is wrong");
        problems.iter().map(|p| p.message.clone()).collect()
    }

    #[test]
    fn a_layout_is_read_as_it_is_written() {
        let text =
            r#"{"hand": ["4c", "10H"], "mainline": ["3S", "7D", "TD"], "sidelines": {"1": ["9C"], "0": ["KC", "KC"]}}"#;
        let read = position(text, &Deck::STANDARD).expect("a layout");
        assert_eq!(read.hand.len(), 2);
        assert_eq!(read.layout.sideline(0).count(), 2);
        let again = position(&read.layout.to_data(&Deck::STANDARD).to_string(), &Deck::STANDARD).expect("a layout");
        assert_eq!(again.layout, read.layout);
        assert!(again.hand.is_empty());
    }

    #[test]
    fn all_problems_of_a_layout_are_told_at_once_each_at_its_place() {
        let text = r#"{"mainline": ["3S", "7X"], "sidelines": {"2": ["9C"], "x": [4]}, "hnad": []}"#;
        let problems = position(text, &Deck::STANDARD).expect_err("it is wrong");
        let told: Vec<(&str, &str)> =
            problems.iter().map(|p| (p.message.as_str(), &text[p.span.start as usize..p.span.end as usize])).collect();
        assert_eq!(
            told,
            [
                ("unknown key `hnad`", "\"hnad\""),
                ("there is no card `7X`", "\"7X\""),
                ("there is no card 2 in the mainline", "\"2\""),
                ("expected a card, such as \"7C\"", "4"),
                ("`x` is not a place in the mainline", "\"x\""),
            ]
        );
    }

    #[test]
    fn what_is_no_layout_says_what_is_missing() {
        assert_eq!(problems("[]"), ["expected an object with `mainline`"]);
        assert_eq!(problems("{}"), ["there is no `mainline`"]);
        assert_eq!(problems(r#"{"mainline": []}"#), ["the mainline has no starter"]);
        assert_eq!(problems(r#"{"mainline": ["3S"], "mainline": ["3S"]}"#), ["`mainline` is given twice"]);
    }
}
