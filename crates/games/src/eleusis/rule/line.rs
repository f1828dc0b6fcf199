//! Lines of cards as text.

use ken_logic::syntax::{Code, Diagnostic, Span};

use super::Rule;
use crate::cards::Card;
use crate::eleusis::deck::Deck;

impl Deck {
    /// The cards that a text lists, with spaces or commas between them; each problem with its place. A card may
    /// stand in a line more than once: larger tables play with several decks.
    pub fn read_line(&self, text: &str) -> Result<Vec<Card>, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let mut cards = Vec::new();
        for (word, span) in words(text) {
            match self.read(word) {
                Some(card) => cards.push(card),
                None => problems.push(self.no_card(word, span)),
            }
        }
        if problems.is_empty() { Ok(cards) } else { Err(problems) }
    }

    /// The card that a text is.
    pub fn read_card(&self, text: &str) -> Result<Card, Vec<Diagnostic>> {
        self.read(text).ok_or_else(|| vec![self.no_card(text, Span::new(0, text.len()))])
    }

    fn no_card(&self, word: &str, span: Span) -> Diagnostic {
        let (first, last) = (self.all().iter().next(), self.all().iter().last());
        let example = |card: Option<Card>| card.map_or(String::new(), |card| self.write(card));
        let problem = Diagnostic::new(Code::Card, span, format!("`{word}` is no card"));
        problem.help(format!("cards are written from `{}` to `{}`", example(first), example(last)))
    }
}

impl Rule {
    /// Where the rule refuses the line: the place of the first card, from 0, that it does not accept after those
    /// before it.
    pub fn refuses(&self, line: &[Card]) -> Option<usize> {
        (1..line.len()).find(|&at| !self.accepts(&line[..at], line[at]))
    }
}

/// What is wrong with a line, written as this text, whose card at this place (from 0) the rule refuses.
pub fn refusal(text: &str, at: usize) -> Option<Diagnostic> {
    let (word, span) = words(text).nth(at)?;
    let message = format!("the rule refuses `{word}`, card {} of the line", at + 1);
    let problem = Diagnostic::new(Code::Card, span, message).label("not accepted after the cards before it");
    Some(problem.help("a line holds accepted cards only; refused cards stand beside it"))
}

/// The words of a text, with their places.
fn words(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
    parts.map(move |part| {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        (part, Span::new(start, start + part.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_with_all_its_mistakes() {
        let deck = Deck::STANDARD;
        assert_eq!(deck.read_line("3S, 7d  10C").map(|line| line.len()), Ok(3));
        let problems = deck.read_line("3S 7X KD 0C").unwrap_err();
        assert_eq!(problems.iter().map(|p| p.span).collect::<Vec<_>>(), [Span::new(3, 5), Span::new(9, 11)]);
        assert!(problems[0].help.as_ref().is_some_and(|help| help.contains("`AC` to `KS`")));
    }

    #[test]
    fn the_first_refused_card_of_a_line_is_named() {
        let rule = Rule::parse("alternate red and black", &Deck::STANDARD).expect("a rule");
        let text = "3S 7D 8D 9D";
        let line = Deck::STANDARD.read_line(text).expect("cards");
        assert_eq!(rule.refuses(&line), Some(2));
        let problem = refusal(text, 2).expect("it has three cards");
        assert_eq!(problem.span, Span::new(6, 8));
        assert!(problem.message.contains("`8D`, card 3"));
        assert_eq!(rule.refuses(&line[..2]), None);
    }
}
