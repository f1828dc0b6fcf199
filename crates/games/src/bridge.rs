//! A game and a memory as a logical model: the only place where the rules of one game meet `logic::model`. Here Cluedo; the
//! system of the Eleusis paper in [`eleusis`], a round of Eleusis in [`round`], Yōkai in [`yokai`], high card in
//! [`high_card`]. (For any small game, [`unfold`](crate::unfold).)
//!
//! A Cluedo position becomes a `.ken` file. The worlds are the deals: each card is at one place, each place has its
//! number of cards, a seat sees its own hand. Every observation is a knowledge action (van Ditmarsch, *The description
//! of game actions in Cluedo*, 2002):
//!
//! | observation | action |
//! |---|---|
//! | a seat passes | everybody learns that it has none of the cards |
//! | a card is shown | everybody learns that it is one of the cards, the two learn which |
//! | an accusation is right | everybody learns the envelope |
//! | an accusation is wrong | everybody learns that it is wrong, its maker learns the envelope |
//! | endmove | everybody learns that the seat does not know the envelope |
//!
//! So after the events the worlds are pairs of a deal and the cards that were shown. Where the observer saw which
//! alternative happened it is marked with `!`; the hand is a formula about deals. What the observer knows is what holds
//! after the marked actions in every deal with that hand, and any formula of the language can be asked.

pub mod eleusis;
pub mod high_card;
pub mod round;
pub mod yokai;

use crate::cards::{Card, CardSet};
use crate::cluedo::rules::passed;
use crate::cluedo::{Deck, Observed, Position};
use crate::game::{Illegal, Seat};
use ken_logic::check::EngineChoice;
use ken_logic::formula::{Action, F, Formula};
use ken_logic::syntax::Diagnostic;
use ken_logic::{CheckError, Checker, Document, Format, Options, Query, QueryKind};
use std::fmt::Write;
use std::sync::Arc;

/// What is known of a formula: in a contradictory position everything is known and nothing possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// It holds in every world that the observer considers possible.
    pub known: bool,
    /// It holds in some.
    pub possible: bool,
}

/// A position as a logical model.
pub struct Model {
    document: Document,
    view: F,
    history: Arc<Action>,
}

impl Model {
    /// The model of a position. A deck whose cards have names of the language, `env` or `true`, has none.
    pub fn of(position: &Position) -> Result<Model, Illegal> {
        let unfit = |problems: Vec<Diagnostic>| {
            let what = problems.first().map_or("it cannot be read", |p| p.message.as_str());
            Illegal::new(format!("this deck cannot be written as a logical model: {what}"))
        };
        Document::read(&source(position), Format::Ken).and_then(Model::read).map_err(unfit)
    }

    /// The model of a document that declares `view` and `history`.
    fn read(document: Document) -> Result<Model, Vec<Diagnostic>> {
        let view = document.formula("view")?;
        let history = document.formula("[history] true")?;
        let Formula::After(history, _) = &*history else { unreachable!("it is written so") };
        let history = history.clone();
        Ok(Model { document, view, history })
    }

    /// The model before the events, and its names.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// Reads a formula over `holds(seat,card)`, `env(card)`, `solved(seat)` and `K[seat]`, to be asked after the events.
    pub fn formula(&self, text: &str) -> Result<F, Vec<Diagnostic>> {
        self.document.formula(text)
    }

    /// What the observer knows of each of the formulas, after the events.
    pub fn known(&self, formulas: &[F], engine: EngineChoice) -> Result<Vec<Known>, CheckError> {
        let always = |f: F| Formula::implies(self.view.clone(), Arc::new(Formula::After(self.history.clone(), f)));
        let both = formulas.iter().flat_map(|f| [f.clone(), Arc::new(Formula::Not(f.clone()))]);
        let queries: Vec<Query> = both.map(|f| Query::new(QueryKind::Valid, always(f))).collect();
        let mut checker = self.checker(engine).planning(&queries);
        let mut holds = |query| checker.ask(query).map(|answer| answer.holds);
        queries.chunks(2).map(|pair| Ok(Known { known: holds(&pair[0])?, possible: !holds(&pair[1])? })).collect()
    }

    /// How many deals fit what the observer saw, with some choice of the cards shown to others.
    pub fn deals(&self, engine: EngineChoice) -> Result<u128, CheckError> {
        let can = Arc::new(Formula::Can(self.history.clone(), Formula::truth()));
        let fits = Formula::and(vec![self.view.clone(), can]);
        let query = Query::new(QueryKind::Count, fits);
        let holding = self.checker(engine).planning([&query]).ask(&query)?.holding;
        Ok(holding.try_into().expect("40 cards at 7 places have fewer deals"))
    }

    fn checker(&self, engine: EngineChoice) -> Checker {
        self.document.checker_with(Options { engine, ..Options::default() })
    }
}

/// What the observer of a model knows: after all that happened, in every world that fits its own view.
const KNOWN: &str = "let known(f) = view -> [history] f";

/// The position as a `.ken` file: seats are the agents `0`, `1`, …; `view` is the observer's hand and `history` what
/// happened, so `check valid view -> [history] φ`, for short `check valid known(φ)`, asks whether the observer knows φ.
pub fn source(position: &Position) -> String {
    let deck = position.deck();
    let seats = || Seat::all(position.seats());
    let names = |cards: CardSet| list(cards.iter().map(|c| deck.name(c)));
    let mut out = format!("agents {}\nenum cards = {}\n", list(seats()), names(deck.cards()));
    let mut line = |text: String| out.extend([text.as_str(), "\n"]);
    // Card by card: the places of a card exclude each other, so they stand together in the order of the variables.
    for card in deck.cards().iter() {
        let places = format!("{}, {}", env(deck, card), list(seats().map(|s| holds(deck, s, card))));
        line(format!("props {places}"));
        line(format!("law oneof({places})"));
    }
    for category in 0..deck.categories() {
        line(format!("law oneof({})", list(deck.category(category).iter().map(|c| env(deck, c)))));
    }
    for (seat, size) in seats().zip(position.sizes()) {
        line(format!("law exactly {size} of (holds({seat}, c) for c in cards)"));
        line(format!("observe {seat} sees holds({seat}, c) for c in cards"));
    }
    // One card of each category is in the envelope: to know it is to know one of each.
    let found = |k| format!("(exists c in {{{}}}: K[i] env(c))", names(deck.category(k)));
    line(format!("let solved(i) = {}", (0..deck.categories()).map(found).collect::<Vec<_>>().join(" & ")));
    line(format!("let view = {}", all_of(position.hand().iter().map(|c| holds(deck, position.observer(), c)))));
    let actions: Vec<String> =
        position.events().iter().enumerate().map(|(at, event)| action(position, at, event)).collect();
    for (i, action) in actions.iter().enumerate() {
        line(format!("action event{i} = {action}"));
    }
    let history = (0..actions.len()).map(|i| format!("event{i}")).collect::<Vec<_>>().join(" ; ");
    line(format!("action history = {}", if history.is_empty() { "?true" } else { &history }));
    line(KNOWN.to_string());
    out
}

/// An observation as a knowledge action.
fn action(position: &Position, at: usize, event: &Observed) -> String {
    let deck = position.deck();
    match *event {
        Observed::Ask { asker, cards, answer, shown } => {
            let mut steps = Vec::new();
            let none: Vec<String> = passed(asker, answer, position.seats())
                .flat_map(|seat| cards.iter().map(move |c| format!("!{}", holds(deck, seat, c))))
                .collect();
            if !none.is_empty() {
                steps.push(format!("announce ({})", none.join(" & ")));
            }
            if let Some(by) = answer {
                let held = |c| holds(deck, by, c);
                steps.push(if position.is_pending() && at + 1 == position.events().len() {
                    // The card has not been shown yet.
                    format!("announce ({})", cards.iter().map(held).collect::<Vec<_>>().join(" | "))
                } else {
                    learn(&format!("{asker}, {by}"), cards, shown, held)
                });
            }
            steps.join(" ; ")
        }
        Observed::Accuse { seat, cards, correct, envelope } => {
            let said = all_of(cards.iter().map(|c| env(deck, c)));
            if correct {
                return format!("announce {said}");
            }
            let mut steps = format!("announce !{said}");
            for category in (0..deck.categories()).map(|k| deck.category(k)) {
                let seen = envelope.and_then(|e| e.and(category).lowest());
                write!(steps, " ; {}", learn(&seat.to_string(), category, seen, |c| env(deck, c))).expect("a string");
            }
            steps
        }
        Observed::Endmove { seat } => format!("announce !solved({seat})"),
    }
}

/// Everybody learns that the fact holds of one of the cards, the group learns of which; the one seen is marked.
fn learn(group: &str, cards: CardSet, seen: Option<Card>, fact: impl Fn(Card) -> String) -> String {
    let alternative = |c| format!("{}L[{group}] ?{}", if seen == Some(c) { "!" } else { "" }, fact(c));
    match cards.len() {
        // A choice of one is none, and takes no mark.
        1 => format!("announce {}", cards.iter().map(fact).collect::<String>()),
        _ => format!("L[all] ({})", cards.iter().map(alternative).collect::<Vec<_>>().join(" + ")),
    }
}

fn env(deck: &Deck, card: Card) -> String {
    format!("env({})", deck.name(card))
}

fn holds(deck: &Deck, seat: Seat, card: Card) -> String {
    format!("holds({seat}, {})", deck.name(card))
}

fn all_of(facts: impl Iterator<Item = String>) -> String {
    let facts: Vec<String> = facts.collect();
    if facts.is_empty() { "true".to_string() } else { format!("({})", facts.join(" & ")) }
}

fn list(items: impl Iterator<Item = impl ToString>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
