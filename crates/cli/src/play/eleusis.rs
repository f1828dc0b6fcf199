//! The table of both games of Eleusis, and its words for people.

use super::screen::{WIDTH, hang};
use super::{FILLS, Table, refusal};
use crate::input::Failure;
use ken_games::bridge::round::source;
use ken_games::eleusis::dealer;
use ken_games::eleusis::knowledge::{Memory, Round};
use ken_games::eleusis::moves::{Action, Cards, Sight, Witness};
use ken_games::eleusis::players::survivors::Survivors;
use ken_games::eleusis::players::{self, PLAYERS};
use ken_games::eleusis::secret::{Secret, Unfit};
use ken_games::eleusis::table::{Eleusis, Phase};
use ken_games::eleusis::text;
use ken_games::eleusis::view::{Page, page};
use ken_games::eleusis::{Classic, Express};
use ken_games::game::{Illegal, Knowledge, Notation, Player, Seat};
use serde_json::Value;

const EXPRESS: &str = "  play CARD        try a card: `play 7C`, or just `7C`
  no play          show your hand: you think that no card of it is accepted
  discard CARD     lay a card on the sideline, after a right `no play`
  guess RULE       name the rule: `guess red and black alternate`; `yes` then counts
  pass             do not guess
  rule RULE        as the dealer: choose the rule; `yes` then deals
  know RULE        whether a rule fits all that lies on the table  (--helper 3)
  why RULE         the card that shows that it does not            (--helper 3)
  advise           what library rules say of your cards            (--helper 4)";

const CLASSIC: &str = "  play CARD        try a card: `play 7C`, or just `7C`
  guess RULE       name the rule: `guess red and black alternate`; `yes` then counts
  rule RULE        as the dealer: choose the rule; `yes` then deals
  know RULE        whether a rule fits all that lies on the table  (--helper 3)
  why RULE         the card that shows that it does not            (--helper 3)
  advise           what library rules say of your cards            (--helper 4)";

macro_rules! table {
    ($game:ty, $usage:expr) => {
        impl Table for $game {
            const RIVAL: &'static str = "careful";

            fn players() -> Vec<(&'static str, &'static str)> {
                PLAYERS.iter().map(|p| (p.name, p.about)).collect()
            }

            fn player(&self, name: &str, seed: u64) -> Result<Box<dyn Player<$game>>, Illegal> {
                players::seat(name, self, seed)
            }

            fn expand(&self, typed: &str, legal: &[Action]) -> String {
                expand(self, typed, legal)
            }

            fn usage(&self) -> &'static str {
                $usage
            }

            fn request(&self, memory: &[Sight]) -> String {
                request(self, memory)
            }

            fn counted(&self, _: &Sight) -> bool {
                false
            }

            fn hand(&self, memory: &[Sight]) -> String {
                hand(self, &page(self, memory))
            }

            fn sheet(&self, memory: &[Sight], helper: u8) -> String {
                sheet(self, memory, helper >= FILLS)
            }

            fn know(&self, memory: &[Sight], rule: &str) -> Result<String, Failure> {
                fits(self, memory, rule)
            }

            fn position(&self, memory: &[Sight]) -> Result<Value, Failure> {
                match Round::of(&mind(self, memory)) {
                    Some(round) => Ok(round.to_data()),
                    None => Err(Failure::Usage {
                        message: "there is no position yet: nothing lies on the table".to_string(),
                        help: Some("the dealer chooses a rule and deals with the first entry".to_string()),
                    }),
                }
            }

            fn model(&self, memory: &[Sight]) -> Result<String, Failure> {
                source(&mind(self, memory)).map_err(refusal)
            }

            fn why(&self, memory: &[Sight], rule: &str) -> Result<String, Failure> {
                fits(self, memory, rule)
            }

            fn advise(&self, memory: &[Sight]) -> Result<String, Failure> {
                advise(self, memory)
            }

            fn unread(&self, action: &Action) -> Option<Failure> {
                unread(self, action)
            }

            fn preview(&self, _memory: &[Sight], action: &Action, _helper: u8) -> Option<String> {
                preview(self, action)
            }
        }
    };
}

/// What the seat knows, if the rule is one of the library.
fn mind<G: Eleusis>(game: &G, memory: &[Sight]) -> Memory<G> {
    let mut mind = Memory::new(game);
    memory.iter().for_each(|sight| mind.learn(sight));
    mind
}

table!(Express, EXPRESS);
table!(Classic, CLASSIC);

fn expand<G: Eleusis + Notation>(game: &G, typed: &str, legal: &[Action]) -> String {
    let bare = game.table().deck().read(typed).is_some();
    match (typed.to_lowercase().as_str(), legal.first()) {
        ("no" | "none", Some(Action::Pass)) => "pass".to_string(),
        ("no" | "none", _) => "no play".to_string(),
        (_, Some(Action::Discard(_))) if bare => format!("discard {typed}"),
        _ => typed.to_string(),
    }
}

fn request<G: Eleusis>(game: &G, memory: &[Sight]) -> String {
    match page(game, memory).desk.stage.phase() {
        Phase::Rule(_) => "you deal: `rule RULE`",
        Phase::Play(_) if G::RETURNS => "play a card",
        Phase::Play(_) => "play a card, or `no play`",
        Phase::Discard(_) => "right: discard a card",
        Phase::Guess { forced: false, .. } => "accepted: `guess RULE` or `pass`",
        Phase::Guess { forced: true, .. } => "no cards left: you must `guess RULE`",
        Phase::Over => "over",
    }
    .to_string()
}

fn hand<G: Eleusis>(game: &G, page: &Page) -> String {
    match (&page.desk.rule, page.desk.stage.phase()) {
        (Some(rule), _) => format!("no cards: you deal, with the rule `{rule}`"),
        (None, Phase::Rule(_)) => "no cards: the round has not been dealt yet".to_string(),
        (None, Phase::Play(_) | Phase::Discard(_) | Phase::Guess { .. } | Phase::Over) => {
            text::list(game.table().deck(), page.desk.hand())
        }
    }
}

/// The round, the other hands, and the layout.
fn sheet<G: Eleusis>(game: &G, memory: &[Sight], filled: bool) -> String {
    let page = page(game, memory);
    let (stage, table) = (&page.desk.stage, game.table());
    let round = table.rounds().min(stage.round() + 1);
    let stock = if stage.stock() > 0 { format!(", {} cards to draw", stage.stock()) } else { String::new() };
    let points: Vec<String> = stage.points().iter().map(i64::to_string).collect();
    let head = format!(
        "round {round} of {}, seat {} deals{stock}; points so far {}",
        table.rounds(),
        page.dealer,
        points.join(" ")
    );
    let mut lines = hang("", &head);
    let dealt = !matches!(stage.phase(), Phase::Rule(_));
    let others = Seat::all(game.seats()).filter(|&s| dealt && s != page.desk.seat && s != page.dealer);
    let hands: Vec<String> = others
        .map(|seat| match &page.desk.hands[seat.index()] {
            Cards::Seen(cards) => format!("seat {seat} holds {}", text::list(table.deck(), cards)),
            Cards::Hidden(count) => format!("seat {seat} holds {count}"),
        })
        .collect();
    if !hands.is_empty() {
        lines.extend(hang("", &hands.join("; ")));
    }
    if dealt {
        lines.push(String::new());
        lines.extend(stage.layout().draw(table.deck(), WIDTH));
        if filled && page.desk.rule.is_none() {
            let survivors = survivors(game, memory);
            let of = dealer::library(table.deck()).len();
            lines.push(String::new());
            lines.push(format!("{} of {of} library rules fit", survivors.count()));
        }
    }
    lines.join("\n")
}

/// The library rules that fit what the seat has seen of this round.
fn survivors<G: Eleusis>(game: &G, memory: &[Sight]) -> Survivors {
    let mut desk = page(game, &memory[..1]).desk;
    let mut survivors = Survivors::new(dealer::library(game.table().deck()));
    for sight in memory {
        desk.watch(game, sight);
        survivors.learn(&sight.what, desk.stage.layout(), |text| game.table().menu().secret(text).ok());
    }
    survivors
}

fn read<G: Eleusis>(game: &G, rule: &str) -> Result<Secret, Failure> {
    Secret::read(rule, game.table().deck()).map_err(|unfit| failure(rule, unfit))
}

fn failure(rule: &str, unfit: Unfit) -> Failure {
    match unfit {
        Unfit::Unread(problems) => Failure::Text { name: "the rule".to_string(), text: rule.to_string(), problems },
        Unfit::Unbounded(_) => refusal(unfit.into()),
    }
}

/// Whether a rule fits all that lies on the table, or the card that shows that it does not.
fn fits<G: Eleusis>(game: &G, memory: &[Sight], rule: &str) -> Result<String, Failure> {
    let guess = read(game, rule)?;
    let page = page(game, memory);
    let layout = page.desk.stage.layout();
    let deck = game.table().deck();
    Ok(match guess.follow(layout) {
        Ok(_) => format!("possible: it fits all {} cards that were judged", layout.judged().count()),
        Err(Witness::Table { after, card, accepted }) => {
            let (was, says) = if accepted { ("accepted", "refuses") } else { ("refused", "accepts") };
            let last = deck.write(layout.mainline()[after]);
            format!("excluded: {} was {was} after {last}, and this rule {says} it", deck.write(card))
        }
        Err(Witness::Ahead { .. }) => unreachable!("a layout refutes by its own cards"),
    })
}

fn advise<G: Eleusis>(game: &G, memory: &[Sight]) -> Result<String, Failure> {
    let page = page(game, memory);
    if !matches!(page.desk.stage.phase(), Phase::Play(_)) {
        return Err(refusal(Illegal::new("advice is about which card to play").help("ask for it before you play")));
    }
    let survivors = survivors(game, memory);
    let deck = game.table().deck();
    let mut lines = vec![format!("{} library rules fit; how many of them accept", survivors.count())];
    let mut hand: Vec<_> = page.desk.hand().iter().map(|&c| (survivors.accepting(c), deck.write(c))).collect();
    hand.dedup();
    hand.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    let cards: Vec<String> = hand.iter().map(|(n, card)| format!("{card} {n}")).collect();
    lines.extend(hang("  ", &cards.join(", ")));
    if let Some(rule) = survivors.agreed() {
        lines.extend(hang("", &format!("all of them judge from here as `{}`", rule.text())));
    }
    Ok(lines.join("\n"))
}

/// What is wrong with the text of a rule, with the place.
fn unread<G: Eleusis>(game: &G, action: &Action) -> Option<Failure> {
    match action {
        Action::Rule(rule) | Action::Guess(rule) => read(game, rule).err(),
        Action::Play(_) | Action::NoPlay | Action::Discard(_) | Action::Pass => None,
    }
}

/// How a rule was read, before it counts; and what a dealer should know of it.
fn preview<G: Eleusis>(game: &G, action: &Action) -> Option<String> {
    let (Action::Rule(rule) | Action::Guess(rule)) = action else { return None };
    let secret = read(game, rule).ok()?;
    let mut lines = hang("", &format!("read as: {}", secret.rule()));
    if matches!(action, Action::Guess(_)) {
        lines.push("type `yes` to guess it, or another guess".to_string());
        return Some(lines.join("\n"));
    }
    let measure = secret.automaton().measure(secret.rule().start);
    let share = |share: f64| format!("{:.0}%", 100.0 * share);
    lines.push(format!(
        "it accepts {} of the deck on average, {} at least",
        share(measure.permissiveness),
        share(measure.least)
    ));
    if !measure.every_card_playable {
        lines.push("some cards are never accepted".to_string());
    }
    if measure.can_dead_end {
        lines.push(format!("the line can come to a dead end ({} of the lines do)", share(measure.dead_end_rate)));
    }
    lines.push(match measure.fair {
        true => "fair: a quarter to a half of the deck, every card somewhere, and no dead end".to_string(),
        false => {
            "not fair: a quarter to a half of the deck should fit, every card somewhere,\nand there should be no dead end"
                .to_string()
        }
    });
    lines.push("type `yes` to deal with it, or another rule".to_string());
    Some(lines.join("\n"))
}
