//! Yōkai as a page needs it: the cards, colours that fit, what the partner knows.
//!
//! | file | one line |
//! |---|---|
//! | `mod` | what is offered before the deal, the table, what is asked for |
//! | `know` | who knows what of the colours, since when, why |
//! | `reason` | why the partner did something, as far as the asker may know |
//! | `help` | hints in steps, and what a step would mean |
//! | `terminal` | what can be typed, and the table as text |
//!
//! The worlds of a seat are the colourings that fit its looks and the hints, which are taken to be proper.

mod help;
mod know;
pub mod page;
mod reason;
mod terminal;

use crate::cards::Card;
use crate::game::{Game, Illegal, Notation, Player, View};
use crate::knowledge::{Inspector, Placed, Refused, Remembers, Sights};
use crate::table::page::{Advice, Assumption, Board, ChoiceInfo, GameInfo, OptionInfo, PlayerInfo, Preview, Problem};
use crate::table::{FILLS, Face, INSPECTS};
use crate::yokai::Position;
use crate::yokai::convention::{Convention, OWN, of_data};
use crate::yokai::draw::saw;
use crate::yokai::knowledge::{Assumed, Notes};
use crate::yokai::notation::number;
use crate::yokai::players::{self, PLAYERS};
use crate::yokai::read::{self, position_data};
use crate::yokai::view::{Page, REMINDS};
use crate::yokai::{Action, CARDS, Cell, Colours, Event, PartnerModel, Sight, Step, Yokai};
use ken_logic::syntax::Diagnostic;
pub use know::Colours as ColourMind;
use page::{YokaiBoard, YokaiCard};
use serde_json::Value;
use serde_json::json;

/// The players from easy to strong.
const BY_STRENGTH: [&str; 14] = [
    "random",
    "person-forgetful",
    "person-hasty",
    "person-typical",
    "person-careful",
    "paper",
    "paper-sat",
    "explorer",
    "learner",
    "believer",
    "adapter",
    "companion",
    "conventional",
    "coder",
];

/// The one default: who sits opposite unless another is chosen, in browser and terminal, and who gives advice. It plays best
/// with stand-ins for people (`experiments/yokai-people`).
const DEFAULT: &str = "companion";

impl Face for Yokai {
    fn info() -> GameInfo {
        let option = |name: &str, label: &str, about: &str, no: &str, yes: &str| OptionInfo {
            name: name.to_string(),
            label: label.to_string(),
            about: about.to_string(),
            choices: vec![
                ChoiceInfo { value: json!(false), label: no.to_string() },
                ChoiceInfo { value: json!(true), label: yes.to_string() },
            ],
            usual: json!(false),
        };
        let mut players: Vec<_> = PLAYERS.iter().collect();
        players.sort_by_key(|p| BY_STRENGTH.iter().position(|name| *name == p.name).unwrap_or(BY_STRENGTH.len()));
        GameInfo {
            name: Yokai::NAME.to_string(),
            title: "Yōkai".to_string(),
            about: "Together, without a word: bring the cards of each colour together by looks, moves and hints."
                .to_string(),
            rules: [
                "Sixteen cards of four colours lie face down. You win together if every colour ends up in one piece.",
                "In your turn look at two cards (only you see the colours), move one so that all stay connected, then draw a hint or lay one on a card.",
                "A hint names the colours that its card may have. A card with a hint can no longer be looked at or moved.",
                "Instead of a turn you may stop. The fewer hints, the more a win is worth.",
            ]
            .map(str::to_string)
            .into(),
            seats: vec![2],
            usual: 2,
            options: vec![
                option(
                    "free_order",
                    "Order of a turn",
                    "Whether looks, move and hint come in any order.",
                    "two looks, a move, a hint",
                    "any order",
                ),
                option(
                    "any_time",
                    "Stopping",
                    "When a player may end the match.",
                    "instead of a turn",
                    "at any step of a turn",
                ),
                option(
                    "oracle",
                    "Onlooker",
                    "Whether the match ends by itself as soon as every colour is together.",
                    "the players must notice",
                    "ends by itself",
                ),
                OptionInfo {
                    name: "convention".to_string(),
                    label: "Convention".to_string(),
                    about: "What you agree that moves tell beyond what they show. The inspector assumes it unless you \
                            ask otherwise; your partner says below its name what it keeps."
                        .to_string(),
                    choices: [ChoiceInfo { value: Value::Null, label: "nothing agreed".to_string() }]
                        .into_iter()
                        .chain(Convention::names().map(|name| ChoiceInfo { value: json!(name), label: label(name) }))
                        .collect(),
                    usual: Value::Null,
                },
            ],
            players: players
                .iter()
                .map(|p| PlayerInfo { name: p.name.to_string(), about: p.about.to_string(), says: players::says(p.name, None) })
                .collect(),
            rival: DEFAULT.to_string(),
            roles: vec!["player".to_string()],
        }
    }

    fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<Yokai>>, Illegal> {
        players::seat(name, self, seed)
    }

    fn taught(&self, name: &str, seed: u64, partner: &Value) -> Result<Box<dyn Player<Yokai>>, Illegal> {
        let partner = PartnerModel::from_data(partner).map_err(Illegal::new)?;
        players::mind_with(name, self, seed, Some(&partner)).map(|mind| mind as Box<dyn Player<Yokai>>)
    }

    fn onlooker(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::Dealt { .. } => "the cards lie face down".to_string(),
            // The partner of who acts sees what everybody does.
            Event::Done { seat, .. } => self.tell_sight(&self.sight(event, seat.next(2))),
        })
    }

    fn request(&self, memory: &[Sight]) -> String {
        let page = self.view(memory);
        let stage = &page.stage;
        if stage.is_over() || stage.seat() != page.seat {
            return String::new();
        }
        let words = |step: Step| match step {
            Step::Look => "look at a card",
            Step::Move => "move a card",
            Step::Hint => "activate a hint or mark a card",
        };
        let steps = stage.steps();
        let mut open: Vec<&str> = match self.free_order {
            true => Step::ALL.into_iter().filter(|&s| steps.open(s)).map(words).collect(),
            false => steps.next().into_iter().map(words).collect(),
        };
        if self.any_time || steps.none() {
            open.push("stop");
        }
        let mut text = open.join(", or ");
        if let Some(first) = text.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text + "."
    }

    /// Proofs call a premise by its event.
    fn numbers(&self, memory: &[Sight]) -> Vec<Option<usize>> {
        memory.iter().enumerate().map(|(at, sight)| matches!(sight, Sight::Done { .. }).then_some(at)).collect()
    }

    fn tell_at(&self, memory: &[Sight], event: usize, helper: u8) -> String {
        self.tell_sight(&self.reminded(memory, helper)[event])
    }

    fn board(&self, memory: &[Sight], helper: u8, legal: &[Action]) -> Board {
        Board::Yokai(board(self, memory, helper, legal))
    }

    fn knowledge<'m>(&'m self, memory: &'m [Sight]) -> Option<Box<dyn Inspector + 'm>> {
        Some(Box::new(Sights(self, memory)))
    }

    fn position(&self, memory: &[Sight]) -> Result<Value, Illegal> {
        Ok(position_data(&Position::of_memory(self, memory)))
    }

    fn says(&self, player: &str) -> Vec<String> {
        players::says(player, self.convention)
    }

    fn assumptions(&self) -> Vec<Assumption> {
        let usual = self.convention.unwrap_or(Convention::HINTS).name();
        let own = (usual == OWN).then_some(OWN);
        let assumption = |name: &str| Assumption { name: name.to_string(), label: label(name), usual: name == usual };
        Convention::names().chain(own).map(assumption).collect()
    }

    fn assuming(&self, name: &str) -> Result<Yokai, Illegal> {
        let own = self.convention.filter(|agreed| name == OWN && agreed.name() == OWN);
        let convention = own.map_or_else(|| of_data(&json!(name)), Ok)?;
        Ok(Yokai { convention: Some(convention), ..*self })
    }

    fn reason(&self, memory: &[Sight], event: usize, player: Option<&str>, helper: u8) -> Option<Vec<String>> {
        reason::reason(self, memory, event, player, helper)
    }

    fn recount(&self, player: &str, seed: u64, memory: &[Sight]) -> Vec<(usize, Vec<String>)> {
        reason::recount(self, player, seed, memory)
    }

    fn model(&self, memory: &[Sight]) -> Result<String, Refused> {
        self.mind(memory).model()
    }

    fn is_position(data: &Value) -> bool {
        data.get("cells").is_some()
    }

    fn placed(text: &str) -> Result<Box<dyn Inspector>, Vec<Diagnostic>> {
        let notes = Notes::of(&read::position(text)?, Assumed::Proper);
        Ok(Box::new(Placed(ColourMind::new(notes))))
    }

    fn unit() -> &'static str {
        "log₂ of the colourings that fit"
    }

    fn advice(&self, memory: &[Sight], step: u8) -> Result<Advice, Problem> {
        help::advice(self, memory, step)
    }

    fn preview(&self, memory: &[Sight], action: &Action, helper: u8) -> Preview {
        help::preview(self, memory, action, helper)
    }

    fn usage(&self) -> String {
        terminal::USAGE.to_string()
    }

    fn prompt(&self, memory: &[Sight]) -> String {
        terminal::prompt(self, memory)
    }

    fn expand(&self, typed: &str, legal: &[Action]) -> String {
        terminal::expand(typed, legal)
    }

    fn hand(&self, memory: &[Sight], helper: u8) -> String {
        format!("you saw {}", saw(&self.view(&self.reminded(memory, helper))))
    }

    fn sheet(&self, memory: &[Sight], helper: u8) -> String {
        terminal::sheet(self, memory, helper)
    }

    fn advise(&self, memory: &[Sight]) -> Result<String, Problem> {
        terminal::advise(self, memory)
    }
}

/// What a convention means, in a few words.
fn label(name: &str) -> String {
    let words = match name {
        "none" => "only looks count",
        "hints" => "marks are proper",
        "natural" => "known cards join their colour",
        "coded" => "looks and moves are a code",
        _ => "what was agreed on",
    };
    format!("{name}: {words}")
}

fn names(colours: Colours) -> Vec<String> {
    colours.iter().map(|colour| colour.name().to_string()).collect()
}

fn place(cell: Cell) -> (i32, i32) {
    (cell.row, cell.col)
}

fn board(game: &Yokai, memory: &[Sight], helper: u8, legal: &[Action]) -> YokaiBoard {
    let page = game.view(&game.reminded(memory, helper));
    let stage = &page.stage;
    let mut known = (helper >= FILLS).then(|| game.plainly().mind(memory));
    let kinds = |action: &Action| match action {
        Action::Look(_) => "look",
        Action::Move(..) => "move",
        Action::Skip => "skip",
        Action::Activate | Action::Mark(..) => "hint",
        Action::Stop => "stop",
    };
    let mut may: Vec<String> = legal.iter().map(|a| kinds(a).to_string()).collect();
    may.dedup();
    let card = |card: Card| board_card(game, &page, card, helper, legal, known.as_mut());
    let cards = (0..CARDS as u8).map(Card).map(card).collect();
    let steps = stage.steps();
    YokaiBoard {
        cards,
        active: stage.active().iter().map(|&hint| names(hint)).collect(),
        available: stage.available().to_vec(),
        used: stage.used(),
        turn: stage.turns() as usize + 1,
        looks: steps.looks,
        moved: steps.moved,
        hinted: steps.hinted,
        may,
        worth: stage.score(page.end.as_ref().map_or(0, |colouring| stage.improper(colouring))),
        notebook: helper >= REMINDS,
    }
}

fn board_card(
    game: &Yokai,
    page: &Page,
    card: Card,
    helper: u8,
    legal: &[Action],
    known: Option<&mut ColourMind>,
) -> YokaiCard {
    let stage = &page.stage;
    let partner = page.seat.next(2);
    let fresh = stage.seat() == page.seat && page.looked_now().has(card) && !stage.is_over();
    let seen = page.seen()[card.index()];
    let shown = page.end.map(|colouring| colouring.of(card)).or(seen);
    let looks = page.looks.iter().filter(|look| look.seat == partner && look.card == card);
    let targets: Vec<(i32, i32)> = legal
        .iter()
        .filter_map(|action| match action {
            Action::Move(moved, to) if *moved == card => Some(place(*to)),
            Action::Move(..) | Action::Look(_) | Action::Skip | Action::Activate | Action::Mark(..) | Action::Stop => {
                None
            }
        })
        .collect();
    let (possible, partner_knows) = match known {
        None => (Vec::new(), None),
        Some(known) => {
            let knows = helper >= INSPECTS;
            (names(known.possible(card)), knows.then(|| known.partner_knows(card)))
        }
    };
    YokaiCard {
        card: number(card),
        cell: place(stage.layout().cell(card)),
        mark: stage.marks()[card.index()].map_or(Vec::new(), names),
        colour: shown.map(|colour| colour.name().to_string()),
        fresh,
        partner_looked: match helper >= REMINDS {
            true => looks.map(|look| look.turn as usize + 1).collect(),
            false => Vec::new(),
        },
        possible,
        partner_knows,
        not_look: refusal(game, page, &Action::Look(card)),
        not_move: match targets.is_empty() {
            true => refusal(game, page, &Action::Move(card, stage.layout().cell(card))),
            false => None,
        },
        targets,
    }
}

/// Why a card cannot be looked at, or moved anywhere.
fn refusal(game: &Yokai, page: &Page, action: &Action) -> Option<String> {
    let stage = &page.stage;
    if !stage.is_over() && stage.seat() != page.seat {
        return Some(format!("it is the turn of seat {}", stage.seat()));
    }
    match *action {
        // Its own cell, where there is no other, is refused last of all.
        Action::Move(card, here) => {
            let elsewhere = stage.layout().shape().destinations(card).next();
            match game.check(stage, &Action::Move(card, elsewhere.unwrap_or(here))) {
                Err(_) if elsewhere.is_none() && is_free(game, page, card) => {
                    Some(format!("card {} holds the others together: there is no other place for it", number(card)))
                }
                Err(illegal) => Some(illegal.message),
                Ok(()) => None,
            }
        }
        Action::Look(_) | Action::Skip | Action::Activate | Action::Mark(..) | Action::Stop => {
            game.check(stage, action).err().map(|illegal| illegal.message)
        }
    }
}

/// Whether a card could be moved now if there were a place for it.
fn is_free(game: &Yokai, page: &Page, card: Card) -> bool {
    let steps = page.stage.steps();
    let now = if game.free_order { steps.open(Step::Move) } else { steps.next() == Some(Step::Move) };
    now && !page.stage.is_over() && !page.stage.marked().has(card)
}
