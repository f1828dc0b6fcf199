//! Both games of Eleusis as pages need them: the layout, rules that fit, the dealer's side.
//!
//! | file | one line |
//! |---|---|
//! | `mod` | what is offered before the deal, what an onlooker sees, what is asked for |
//! | `board` | the layout, the hands, what still fits |
//! | `know` | who knows what of the rule, since when, why |
//! | `help` | hints in steps, and rules before they count |
//! | `terminal` | what can be typed, and the table as text |
//!
//! The worlds of a player are the rules of the library that fit all that was judged: its knowledge is relative to them.

mod board;
mod help;
mod know;
pub mod page;
mod terminal;

use crate::bridge::round::source;
use crate::eleusis::deck::Deck;
use crate::eleusis::knowledge::Memory;
use crate::eleusis::knowledge::{Position, Round, read};
use crate::eleusis::moves::{Action, Cards, Event, Sight, What};
use crate::eleusis::players::{self, PLAYERS};
use crate::eleusis::secret::Secret;
use crate::eleusis::table::{Eleusis, Phase, Stage};
use crate::eleusis::view::page;
use crate::eleusis::{Classic, Express, dealer, text};
use crate::game::{Illegal, Knowledge, Notation, Player, Seat};
use crate::knowledge::{Inspector, Placed, Refused, Sights};
use crate::table::page::{Advice, Board, ChoiceInfo, GameInfo, OptionInfo, PlayerInfo, Preview, Problem};
use crate::table::{Face, Unread};
use ken_logic::syntax::{Code, Diagnostic, Span};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

macro_rules! face {
    ($game:ty, $info:expr, $usage:expr) => {
        impl Face for $game {
            fn info() -> GameInfo {
                $info
            }

            fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<$game>>, Illegal> {
                players::seat(name, self, seed)
            }

            fn onlooker(&self, event: &Event) -> Option<String> {
                Some(text::tell(self.table(), &public(event)))
            }

            fn request(&self, memory: &[Sight]) -> String {
                request(self, memory)
            }

            fn numbers(&self, memory: &[Sight]) -> Vec<Option<usize>> {
                vec![None; memory.len()]
            }

            fn board(&self, memory: &[Sight], helper: u8, legal: &[Action]) -> Board {
                Board::Eleusis(board::board(self, memory, helper, legal))
            }

            fn knowledge<'m>(&'m self, memory: &'m [Sight]) -> Option<Box<dyn Inspector + 'm>> {
                Some(Box::new(Sights(self, memory)))
            }

            fn position(&self, memory: &[Sight]) -> Result<Value, Illegal> {
                let none = || {
                    Illegal::new("there is no position yet: nothing lies on the table")
                        .help("the dealer chooses a rule and deals with the first entry")
                };
                Round::of(&mind(self, memory)).map(|round| round.to_data()).ok_or_else(none)
            }

            fn model(&self, memory: &[Sight]) -> Result<String, Refused> {
                source(&mind(self, memory)).map_err(Refused::Unfit)
            }

            fn is_position(data: &Value) -> bool {
                // A layout alone is one of Express.
                let game = data["table"]["game"].as_str().unwrap_or(Express::NAME);
                data.get("mainline").is_some() && game == Self::NAME
            }

            fn placed(text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>> {
                placed(text)
            }

            fn unit() -> &'static str {
                "log₂ of the library rules that fit"
            }

            fn advice(&self, memory: &[Sight], step: u8) -> Result<Advice, Problem> {
                help::advice(self, memory, step)
            }

            fn preview(&self, memory: &[Sight], action: &Action, helper: u8) -> Preview {
                help::preview(self, memory, action, helper)
            }

            fn usage(&self) -> String {
                $usage.to_string()
            }

            fn prompt(&self, memory: &[Sight]) -> String {
                terminal::prompt(self, memory)
            }

            fn expand(&self, typed: &str, legal: &[Action]) -> String {
                terminal::expand(self, typed, legal)
            }

            fn hand(&self, memory: &[Sight], _helper: u8) -> String {
                terminal::hand(self, memory)
            }

            fn sheet(&self, memory: &[Sight], helper: u8) -> String {
                terminal::sheet(self, memory, helper)
            }

            fn unread(&self, action: &Action) -> Option<Unread> {
                terminal::unread(self, action)
            }

            fn confirm(&self, _memory: &[Sight], action: &Action, _helper: u8) -> Option<String> {
                terminal::confirm(self, action)
            }

            fn advise(&self, memory: &[Sight]) -> Result<String, Problem> {
                terminal::advise(self, memory)
            }
        }
    };
}

face!(Express, express(), terminal::EXPRESS);
face!(Classic, classic(), terminal::CLASSIC);

fn choice(value: Value, label: &str) -> ChoiceInfo {
    ChoiceInfo { value, label: label.to_string() }
}

fn option(name: &str, label: &str, about: &str, usual: Value, choices: Vec<ChoiceInfo>) -> OptionInfo {
    OptionInfo { name: name.to_string(), label: label.to_string(), about: about.to_string(), choices, usual }
}

/// The options that both games have.
fn shared() -> Vec<OptionInfo> {
    vec![
        option(
            "rounds",
            "Rounds",
            "How often each seat deals and chooses the rule.",
            json!(1),
            vec![choice(json!(1), "each deals once"), choice(json!(2), "twice"), choice(json!(3), "three times")],
        ),
        option(
            "open",
            "Hands",
            "Whether everybody sees the cards in all hands.",
            json!(false),
            vec![choice(json!(false), "hidden"), choice(json!(true), "open")],
        ),
        option(
            "deck",
            "Deck",
            "The cards; the small deck is for three or four players.",
            json!("standard"),
            vec![choice(json!("standard"), "52 cards"), choice(json!({"values": 13}), "26 cards in two suits")],
        ),
        option(
            "bonus",
            "Bonus",
            "How many points a right guess takes off; few points are good.",
            json!(3),
            vec![choice(json!(0), "none"), choice(json!(3), "3 points"), choice(json!(6), "6 points")],
        ),
    ]
}

fn info(name: &str, title: &str, about: &str, rules: &[&str], own: Vec<OptionInfo>) -> GameInfo {
    GameInfo {
        name: name.to_string(),
        title: title.to_string(),
        about: about.to_string(),
        rules: rules.iter().map(|rule| rule.to_string()).collect(),
        seats: (3..=8).collect(),
        usual: 3,
        options: shared().into_iter().chain(own).collect(),
        players: PLAYERS
            .iter()
            .map(|p| PlayerInfo { name: p.name.to_string(), about: p.about.to_string(), says: Vec::new() })
            .collect(),
        rival: "careful".to_string(),
        roles: vec!["dealer".to_string(), "player".to_string()],
    }
}

fn express() -> GameInfo {
    let about = "The dealer has a secret rule: find it by trying cards. Each seat deals in turn.";
    let own = vec![
        option(
            "hand",
            "Cards",
            "How many cards each player gets.",
            json!(7),
            vec![choice(json!(5), "5 cards"), choice(json!(7), "7 cards"), choice(json!(10), "10 cards")],
        ),
        option(
            "guess",
            "Naming the rule",
            "When a player may name the rule.",
            json!("right"),
            vec![
                choice(json!("right"), "after an accepted card or a right no play"),
                choice(json!("accepted"), "after an accepted card"),
                choice(json!("always"), "at the end of every turn"),
            ],
        ),
    ];
    let rules = [
        "The dealer has a secret rule about which card may follow the line.",
        "In your turn try a card. Accepted, it joins the line; refused, it hangs below, and you draw.",
        "Or say that none of your cards fits: no play. If you are wrong, you draw.",
        "After a right play you may name the rule. Whoever is right ends the round; a wrong guess draws.",
    ];
    info("express", "Eleusis Express", about, &rules, own)
}

fn classic() -> GameInfo {
    let about = "The first Eleusis: refused cards go back to the hand, and all cards are dealt.";
    let own = vec![
        option(
            "moves",
            "Length",
            "After how many judgements a round ends.",
            json!(120),
            vec![choice(json!(40), "40 judgements"), choice(json!(120), "120"), choice(json!(300), "300")],
        ),
        option(
            "guess",
            "Naming the rule",
            "Whether the rule may be named instead of playing a card.",
            json!(true),
            vec![choice(json!(true), "allowed"), choice(json!(false), "not allowed")],
        ),
    ];
    let rules = [
        "The dealer has a secret rule about which card may follow the line, and does not play.",
        "Try a card. Accepted, it joins the line and you go on; refused, it comes back to your hand and the turn passes.",
        "The round ends with an empty hand, or when the dealer has judged often enough.",
    ];
    info("eleusis", "Eleusis 1959", about, &rules, own)
}

/// What everybody at the table sees of an event: no hand, no drawn card, no rule before the end of its round.
fn public(event: &Event) -> Sight {
    let truth = event.truth();
    let count = |cards: &Cards| Cards::Hidden(cards.count());
    let what = match &truth.what {
        What::Begun { .. } => What::Begun { seat: None, shuffles: None },
        What::Dealt { dealer, rule: _, hands, removed, flipped, starter, stock } => What::Dealt {
            dealer: *dealer,
            rule: None,
            hands: hands.iter().map(count).collect(),
            removed: count(removed),
            flipped: flipped.clone(),
            starter: *starter,
            stock: *stock,
        },
        What::Played { seat, card, accepted, drawn } => {
            What::Played { seat: *seat, card: *card, accepted: *accepted, drawn: count(drawn) }
        }
        What::NoPlay { seat, hand, laid, drawn } => {
            What::NoPlay { seat: *seat, hand: hand.clone(), laid: *laid, drawn: count(drawn) }
        }
        What::Discarded { seat, card } => What::Discarded { seat: *seat, card: *card },
        What::Guessed { seat, rule, right, drawn } => {
            What::Guessed { seat: *seat, rule: rule.clone(), right: *right, drawn: count(drawn) }
        }
        What::Passed { seat } => What::Passed { seat: *seat },
    };
    Sight { what, end: truth.end.clone() }
}

/// Who has to do something.
fn actor(stage: &Stage) -> Option<Seat> {
    match stage.phase() {
        Phase::Rule(seat) | Phase::Play(seat) | Phase::Discard(seat) | Phase::Guess { seat, .. } => Some(seat),
        Phase::Over => None,
    }
}

fn request<G: Eleusis>(game: &G, memory: &[Sight]) -> String {
    let desk = page(game, memory).desk;
    if actor(&desk.stage) != Some(desk.seat) {
        return String::new();
    }
    match desk.stage.phase() {
        Phase::Rule(_) => "You deal this round: choose the secret rule.",
        Phase::Play(_) if G::RETURNS => "Play a card.",
        Phase::Play(_) => "Play a card, or say that you have none: no play.",
        Phase::Discard(_) => "You were right: no card of your hand is accepted. Lay one on the sideline.",
        Phase::Guess { forced: false, .. } => "You may name the rule, or pass.",
        Phase::Guess { forced: true, .. } => "You have no cards left: you must name the rule.",
        Phase::Over => "",
    }
    .to_string()
}

/// The rules that players reckon with, kept for the decks that were asked for.
fn family(deck: &Deck) -> Arc<[Arc<Secret>]> {
    type Kept = Vec<(Deck, Arc<[Arc<Secret>]>)>;
    static KEPT: Mutex<Kept> = Mutex::new(Vec::new());
    if *deck == Deck::STANDARD {
        return dealer::library(deck);
    }
    let mut kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some((_, family)) = kept.iter().find(|(of, _)| of == deck) {
        return family.clone();
    }
    let family = dealer::library(deck);
    kept.push((deck.clone(), family.clone()));
    family
}

/// What the observer of a position knows, if the rule is one of the library.
fn placed(text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>> {
    let position = read(text)?;
    let rules = family(position.deck());
    position.inspector(rules, "the library").map_err(|why| {
        let problem = Diagnostic::new(Code::Syntax, Span::new(0, text.len()), why.message);
        vec![Diagnostic { help: why.help, ..problem }]
    })
}

impl Position {
    /// The deck that is played with.
    pub fn deck(&self) -> &Deck {
        match self {
            Position::Layout(_) => &Deck::STANDARD,
            Position::Express(round) => round.game.table().deck(),
            Position::Classic(round) => round.game.table().deck(),
        }
    }

    /// What the observer knows if the rule is one of these, which are over the deck of the position.
    ///
    /// # Errors
    /// More cards lie there than are in all decks.
    pub fn inspector(self, rules: Arc<[Arc<Secret>]>, called: &str) -> Result<Box<dyn Inspector>, Illegal> {
        Ok(match self {
            Position::Layout(found) => {
                Box::new(Placed(Memory::of_layout(&found.layout, &found.hand, rules)?.calling(called)))
            }
            Position::Express(round) => Box::new(Placed(Memory::at(&round, rules).calling(called))),
            Position::Classic(round) => Box::new(Placed(Memory::at(&round, rules).calling(called))),
        })
    }
}

/// What the seat of a memory knows.
fn mind<G: Eleusis>(game: &G, memory: &[Sight]) -> Memory<G> {
    let mut mind = Memory::within(game, family(game.table().deck()));
    memory.iter().for_each(|sight| mind.learn(sight));
    mind
}

/// Whether the game has *no play*.
fn has_no_play<G: Eleusis>() -> bool {
    !G::RETURNS
}
