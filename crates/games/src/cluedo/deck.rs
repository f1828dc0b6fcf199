//! Decks as data: ordered categories of named cards.

use crate::cards::{Card, CardSet};
use crate::game::Illegal;
use serde_json::{Map, Value};

/// The most cards of a deck.
pub const MAX_CARDS: usize = 40;

/// The most categories of a deck.
pub const MAX_CATEGORIES: usize = 5;

/// A deck: ordered categories, each with its cards. One card of each category goes into the envelope.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deck {
    categories: Vec<Category>,
    names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Category {
    name: String,
    cards: CardSet,
}

const CLASSIC: [(&str, &[&str]); 3] = [
    ("suspects", &["scarlett", "plum", "peacock", "green", "mustard", "white"]),
    ("weapons", &["candlestick", "dagger", "leadpipe", "revolver", "rope", "wrench"]),
    (
        "rooms",
        &["kitchen", "ballroom", "conservatory", "diningroom", "billiardroom", "library", "lounge", "hall", "study"],
    ),
];

impl Deck {
    /// The classic deck: 6 suspects, 6 weapons, 9 rooms.
    pub fn classic() -> Deck {
        let categories = CLASSIC.map(|(name, cards)| (name.to_string(), cards.iter().map(|c| c.to_string()).collect()));
        Deck::new(categories.into()).expect("the classic deck is a deck")
    }

    /// A deck of these categories in this order.
    pub fn new(categories: Vec<(String, Vec<String>)>) -> Result<Deck, Illegal> {
        if !(1..=MAX_CATEGORIES).contains(&categories.len()) {
            return Err(Illegal::new(format!("a deck has 1 to {MAX_CATEGORIES} categories, not {}", categories.len())));
        }
        let mut deck = Deck { categories: Vec::new(), names: Vec::new() };
        for (name, cards) in categories {
            if cards.is_empty() {
                return Err(Illegal::new(format!("the category `{name}` has no card")));
            }
            if deck.categories.iter().any(|c| c.name == name) {
                return Err(Illegal::new(format!("the category `{name}` is there twice")));
            }
            let first = deck.names.len();
            for card in cards {
                if !is_name(&card) {
                    let help = "a letter, then letters, digits or `_`; no blanks";
                    return Err(Illegal::new(format!("`{card}` cannot be the name of a card")).help(help));
                }
                if deck.names.contains(&card) {
                    return Err(Illegal::new(format!("the card `{card}` is there twice")));
                }
                deck.names.push(card);
            }
            if deck.names.len() > MAX_CARDS {
                return Err(Illegal::new(format!("a deck has at most {MAX_CARDS} cards")));
            }
            let cards = CardSet::first(deck.names.len()).minus(CardSet::first(first));
            deck.categories.push(Category { name, cards });
        }
        Ok(deck)
    }

    /// A deck from data: `{"suspects": ["plum", ..], "weapons": [..], "rooms": [..]}`.
    pub fn from_data(data: &Value) -> Result<Deck, Illegal> {
        let wrong = || Illegal::new("a deck is an object: category names, each with a list of card names");
        let mut categories = Vec::new();
        for (name, cards) in data.as_object().ok_or_else(wrong)? {
            let cards = cards.as_array().ok_or_else(wrong)?;
            let cards: Option<Vec<String>> = cards.iter().map(|c| c.as_str().map(str::to_string)).collect();
            categories.push((name.clone(), cards.ok_or_else(wrong)?));
        }
        Deck::new(categories)
    }

    /// The deck as data; [`Deck::from_data`] reads it back.
    pub fn to_data(&self) -> Value {
        let list = |c: &Category| (c.name.clone(), c.cards.iter().map(|c| Value::from(self.name(c))).collect());
        Value::Object(self.categories.iter().map(list).collect::<Map<_, _>>())
    }

    /// How many cards it has.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether it has no card: never.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All its cards.
    pub fn cards(&self) -> CardSet {
        CardSet::first(self.len())
    }

    /// How many categories it has: as many cards lie in the envelope.
    pub fn categories(&self) -> usize {
        self.categories.len()
    }

    /// The name of a category.
    pub fn category_name(&self, category: usize) -> &str {
        &self.categories[category].name
    }

    /// The cards of a category.
    pub fn category(&self, category: usize) -> CardSet {
        self.categories[category].cards
    }

    /// The category of a card.
    pub fn category_of(&self, card: Card) -> usize {
        self.categories.iter().position(|c| c.cards.has(card)).expect("a card of this deck")
    }

    /// The name of a card.
    pub fn name(&self, card: Card) -> &str {
        &self.names[card.index()]
    }

    /// The names of the cards, in the order of the deck, separated by blanks.
    pub fn names(&self, cards: CardSet) -> String {
        cards.iter().map(|c| self.name(c)).collect::<Vec<_>>().join(" ")
    }

    /// The card of this name.
    pub fn find(&self, name: &str) -> Option<Card> {
        self.names.iter().position(|n| n == name).map(|i| Card(i as u8))
    }

    /// The card of this name, or what is wrong and which name is near.
    pub fn card(&self, name: &str) -> Result<Card, Illegal> {
        self.find(name).or_else(|| self.find(&name.to_lowercase())).ok_or_else(|| {
            let wrong = Illegal::new(format!("there is no card `{name}` in this deck"));
            match ken_logic::syntax::nearest(name, self.names.iter().map(String::as_str)) {
                Some(near) => wrong.help(format!("did you mean `{near}`?")),
                None => wrong.help(format!("the cards are {}", self.names.join(", "))),
            }
        })
    }

    /// Whether the set has exactly one card of each category, as a suggestion and an envelope have.
    pub fn is_triple(&self, cards: CardSet) -> bool {
        cards.len() == self.categories() && self.categories.iter().all(|c| c.cards.and(cards).len() == 1)
    }

    /// Every suggestion, in the order of the deck, that takes its cards from `among`.
    pub fn triples(&self, among: CardSet) -> Vec<CardSet> {
        let mut all = vec![CardSet::EMPTY];
        for category in &self.categories {
            let of_category = category.cards.and(among);
            all = all.into_iter().flat_map(|t| of_category.iter().map(move |c| t.with(c))).collect();
        }
        all
    }
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_classic_deck_has_324_suggestions_and_reads_back() {
        let deck = Deck::classic();
        let triples = deck.triples(deck.cards());
        assert_eq!(triples.len(), 324);
        assert!(triples.iter().all(|&t| deck.is_triple(t)));
        assert_eq!(Deck::from_data(&deck.to_data()), Ok(deck));
    }

    #[test]
    fn a_card_twice_and_an_empty_category_are_refused() {
        let deck = |text: &str| Deck::from_data(&serde_json::from_str(text).unwrap()).unwrap_err().message;
        assert_eq!(deck(r#"{"a": ["x"], "b": ["x"]}"#), "the card `x` is there twice");
        assert_eq!(deck(r#"{"a": []}"#), "the category `a` has no card");
    }

    #[test]
    fn an_unknown_card_names_the_nearest() {
        let wrong = Deck::classic().card("pulm").unwrap_err();
        assert_eq!(wrong.help.as_deref(), Some("did you mean `plum`?"));
    }
}
