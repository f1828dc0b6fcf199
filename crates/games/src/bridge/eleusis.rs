//! The interpreted system of the Eleusis paper as a `.ken` file, for the engine of perfect recall.
//!
//! | the paper | the file |
//! |---|---|
//! | one game with a rule | `rule` is chosen at the beginning and seen by the dealer alone: one copy for each candidate |
//! | the dealer's protocol over sequences | `point`, the state of the candidates' common automaton: what the rule still asks |
//! | `Obs`, `Prt`, `Deck`, `Turn`, `Moves` | the same; a card stays in its hand until it is accepted, or else a missing card would show what was whispered |
//! | `turn`, `accept`, `reject`, `skip` | the same, as hidden actions: what a player sees stands in variables |
//! | `move = turn ; (accept ∪ reject)` | the program `move`; a protocol of play is a test in front of `turn` |
//! | `K_A Rule` | `exists p: K[A] point = p`, since points merge where candidates judge every continuation alike |
//!
//! A protocol of play is a *program* and no restriction of the system, so the runs keep to it and the players do not
//! reason from it. Where Bob forgets refusals nobody may move for a while: perfect recall gives everybody a clock, and
//! without idle steps Bob would see by it that a card was refused.

use crate::cards::{Card, CardSet};
use crate::eleusis::properties::{Family, Instance, Mode, Observation, Person, Protocol, Reading, family_of};
use ken_logic::{CheckError, Checker, Document, Format, Limits};
use std::fmt::{self, Write};

/// What the engine says of the copy of one candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Property 1.
    pub someone: bool,
    /// Property 2.
    pub alice_first: bool,
    /// `EF` of what property 1 waits for.
    pub someone_may: bool,
    /// `EF` of what property 2 waits for.
    pub alice_first_may: bool,
    /// Property 4.
    pub least_m: Option<u32>,
}

/// Why an instance is not given to the engine.
#[derive(Debug)]
pub enum NotChecked {
    /// It has no bound on moves, and `Moves` counts them.
    Unbounded,
    /// Its protocol of play follows a table of plans, which is no formula about what is known.
    Planned,
    /// The engine stopped.
    Engine(CheckError),
}

impl fmt::Display for NotChecked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotChecked::Unbounded => f.write_str("the model counts moves: it needs a `move_bound`"),
            NotChecked::Planned => f.write_str("the protocol `planned` is a table of plans: it has no formula"),
            NotChecked::Engine(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotChecked {}

/// The instance as a `.ken` file.
///
/// Its questions are the four properties, with the least m for which property 4 may hold at all, one more than the bound.
pub fn source(instance: &Instance) -> Result<String, NotChecked> {
    let bound = instance.bound.ok_or(NotChecked::Unbounded)?;
    let test = chosen(instance.protocol).ok_or(NotChecked::Planned)?;
    let family = family_of(instance);
    let mut file = File { out: String::new(), instance, family: &family };
    file.header();
    file.state(bound);
    file.steps(bound);
    file.play(test);
    file.questions(bound);
    Ok(file.out)
}

/// Asks the engine.
pub fn check(instance: &Instance) -> Result<Vec<Checked>, NotChecked> {
    let text = source(instance)?;
    let bound = instance.bound.ok_or(NotChecked::Unbounded)?;
    let document =
        Document::read(&text, Format::Ken).unwrap_or_else(|p| panic!("written in the language: {p:?}\n{text}"));
    let copies = instance.rules.len();
    let mut checker = document.checker(Limits::default());
    let mut ask = |text: &str| holds(&document, &mut checker, copies, text).map_err(NotChecked::Engine);
    let someone = ask("AF{move} someone")?;
    let alice_first = ask("AF{move} first")?;
    let someone_may = ask("EF{move} someone")?;
    let alice_first_may = ask("EF{move} first")?;
    let mut least: Vec<Option<u32>> = vec![None; copies];
    for m in 1..=bound + 1 {
        if someone.iter().zip(&least).all(|(holds, m)| !holds || m.is_some()) {
            break;
        }
        let fewer = ask(&format!("A(!someone U{{move}} (someone & Moves < {m}))"))?;
        for (least, holds) in least.iter_mut().zip(fewer) {
            *least = least.or(holds.then_some(m));
        }
    }
    Ok((0..copies)
        .map(|copy| Checked {
            someone: someone[copy],
            alice_first: alice_first[copy],
            someone_may: someone_may[copy],
            alice_first_may: alice_first_may[copy],
            least_m: least[copy],
        })
        .collect())
}

/// In which copies the formula holds at the beginning.
fn holds(document: &Document, checker: &mut Checker, copies: usize, text: &str) -> Result<Vec<bool>, CheckError> {
    let query = document.query(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    let answer = checker.ask(query.listing(copies))?;
    let found = answer.names().expect("no more beginnings than copies");
    let copy = |k: usize| {
        let fact = format!("rule = {}", k + 1);
        found.iter().any(|state| state.trim_matches(['{', '}']).split(", ").any(|f| f == fact))
    };
    Ok((0..copies).map(copy).collect())
}

/// Which cards a protocol of play allows to the player i.
fn chosen(protocol: Protocol) -> Option<&'static str> {
    match protocol {
        Protocol::Any => Some("true"),
        Protocol::NoRepeat => Some("!refused(c) | (forall d in cards: mine(i, d) -> refused(d))"),
        Protocol::Informative => Some("telling(i, c) | (!some_telling(i) & (open(i, c) | !some_open(i)))"),
        Protocol::Planned => None,
    }
}

struct File<'i> {
    out: String,
    instance: &'i Instance,
    family: &'i Family,
}

impl File<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.out, "{}", text.as_ref());
    }

    /// The name of a card: a name of the language starts with a letter, so the suit comes first.
    fn card(&self, card: Card) -> String {
        let deck = &self.instance.deck;
        format!("{}{}", deck.suits()[deck.suit(card)].letter, deck.write_rank(deck.rank(card)))
    }

    fn cards(&self, cards: CardSet) -> String {
        cards.iter().map(|c| self.card(c)).collect::<Vec<_>>().join(", ")
    }

    fn hands(&self) -> Option<[CardSet; 2]> {
        match self.instance.mode {
            Mode::Unlimited => None,
            Mode::Decks(hands) => Some(hands),
        }
    }

    fn header(&mut self) {
        let instance = self.instance;
        let id = instance.id.as_deref().map_or(String::new(), |id| format!(" {id}"));
        self.line(format!("-- Eleusis{id}: the interpreted system of the paper, one copy for each candidate."));
        for (k, candidate) in instance.rules.iter().enumerate() {
            self.line(format!("--   rule {}: {}", k + 1, candidate.name.replace(['\n', '\r'], " ")));
        }
        let (o, p, r) = (instance.observation.name(), instance.protocol.name(), instance.reading.name());
        self.line(format!("-- Observation: {o}. Protocol of play: {p}. Knowledge: {r}."));
        self.line("system recall perfect, actions hidden");
        self.line("agents A, B, Dealer");
    }

    fn state(&mut self, bound: u32) {
        let instance = self.instance;
        let all = instance.deck.all();
        self.line(format!("enum cards = {}", self.cards(all)));
        self.line(format!("enum place = none, {}", self.cards(all)));
        self.line(format!("vars rule: 1..{} of Dealer", instance.rules.len()));
        self.line("-- What the rule still asks of the line.");
        self.line(format!("vars point: 0..{} of Dealer", self.family.points() - 1));
        self.line("vars Obs: cards\nvars Prt: place\nvars Turn: {A, B}");
        self.line(format!("vars Moves: 0..{bound}"));
        self.line("-- Whether the last card was accepted.\nprops laid");
        if self.hands().is_some() {
            self.line("props deck(i, c) for i in {A, B}, c in cards");
        }
        if instance.protocol == Protocol::NoRepeat {
            self.line("-- Refused since the last accepted card.\nprops refused(c) for c in cards");
        }
        self.line("observe Dealer sees Obs, Prt, Turn, Moves, laid");
        let hands = if self.hands().is_some() { ", deck(i, c) for i in {A, B}, c in cards" } else { "" };
        for who in Person::ALL {
            let name = who.name();
            let seen = match instance.observation {
                Observation::Forgetful if who == Person::B => "Obs, laid".to_string(),
                Observation::Public | Observation::Forgetful => format!("Obs, laid, Turn, Moves, Prt{hands}"),
                Observation::Whisper => {
                    format!("Obs, laid, Turn, Moves, Turn = {name} & Prt = c for c in cards{hands}")
                }
            };
            self.line(format!("observe {name} sees {seen}"));
        }
    }

    fn steps(&mut self, bound: u32) {
        let instance = self.instance;
        self.line("\nactions A: turn(c) for c in cards, skip\nactions B: turn(c) for c in cards, skip");
        self.line("actions Dealer: accept, reject, skip");
        let by_card = |file: &File<'_>| -> Vec<String> {
            let rows = instance.deck.all().iter().filter_map(|card| {
                let points: Vec<String> = (0..file.family.points() as u32)
                    .filter(|&p| file.family.accepted(p).has(card))
                    .map(|p| p.to_string())
                    .collect();
                (!points.is_empty()).then(|| format!("c = {} & point in {{{}}}", file.card(card), points.join(", ")))
            });
            rows.collect()
        };
        let rows = by_card(self);
        let rows = if rows.is_empty() { "false".to_string() } else { rows.join("\n  | ") };
        self.line(format!("-- The cards that the rule accepts.\nlet fits(c) = {rows}"));
        self.line("let fitting = exists c in cards: Prt = c & fits(c)");
        let holds = if self.hands().is_some() { " & deck(i, c)" } else { "" };
        self.line(format!("let may(i, c) = Prt = none & Turn = i & Moves < {bound}{holds}"));
        for who in Person::ALL {
            let name = who.name();
            self.line(format!("protocol {name}: turn(c) if may({name}, c) for c in cards"));
            match instance.observation {
                Observation::Forgetful => self.line(format!("protocol {name}: skip")),
                Observation::Public | Observation::Whisper => self.line(format!("protocol {name}: skip otherwise")),
            }
        }
        self.line("protocol Dealer: accept if fitting\nprotocol Dealer: reject if Prt != none & !fitting");
        self.line("protocol Dealer: skip otherwise");
        self.beginning();
        self.line("next Prt := c if turn(c) for c in cards\nnext Prt := none if accept | reject");
        self.line("next Obs := c if accept & Prt = c for c in cards\nnext laid := accept");
        self.line("next Moves := Moves + 1 if accept | reject");
        let passes = if self.hands().is_some() { "reject" } else { "accept | reject" };
        self.line(format!("next Turn := A if ({passes}) & Turn = B\nnext Turn := B if ({passes}) & Turn = A"));
        if instance.observation == Observation::Forgetful {
            self.line("-- While nobody moves the turn may go round: Bob does not see whose it is.");
            self.line("next Turn in {A, B} if A.skip & B.skip & Dealer.skip");
        }
        if self.hands().is_some() {
            self.line("next deck(i, c) := false if accept & Turn = i & Prt = c for i in {A, B}, c in cards");
        }
        if instance.protocol == Protocol::NoRepeat {
            self.line("next refused(c) := false if accept for c in cards");
            self.line("next refused(c) := true if reject & Prt = c for c in cards");
        }
        for point in 0..self.family.points() as u32 {
            let mut targets: Vec<(u32, CardSet)> = Vec::new();
            for card in self.family.accepted(point).iter() {
                let Some(next) = self.family.next(point, card) else { continue };
                match targets.iter_mut().find(|(target, _)| *target == next) {
                    Some((_, cards)) => *cards = cards.with(card),
                    None => targets.push((next, CardSet::of(card))),
                }
            }
            for (target, cards) in targets.into_iter().filter(|(target, _)| *target != point) {
                let cards = self.cards(cards);
                self.line(format!("next point := {target} if accept & point = {point} & Prt in {{{cards}}}"));
            }
        }
    }

    fn beginning(&mut self) {
        let instance = self.instance;
        let starter = self.card(instance.starter);
        let first = instance.first.name();
        self.line(format!("initial Obs = {starter} & Prt = none & Turn = {first} & Moves = 0 & laid"));
        let copy = |(k, p): (usize, &u32)| format!("rule = {} & point = {p}", k + 1);
        let copies: Vec<String> = self.family.starts().iter().enumerate().map(copy).collect();
        self.line(format!("initial {}", copies.join(" | ")));
        if let Some(hands) = self.hands() {
            for who in Person::ALL {
                for card in instance.deck.all().iter() {
                    let not = if hands[who.index()].has(card) { "" } else { "!" };
                    let text = format!("initial {not}deck({}, {})", who.name(), self.card(card));
                    self.line(text);
                }
            }
        }
        if instance.protocol == Protocol::NoRepeat {
            self.line("initial forall c in cards: !refused(c)");
        }
    }

    /// The program `move`: the protocol of play stands as a test in front of the turn.
    fn play(&mut self, test: &str) {
        self.line("");
        let mine = if self.hands().is_some() { "deck(i, c)" } else { "true" };
        self.line(format!("let mine(i, c) = {mine}"));
        if self.instance.protocol == Protocol::Informative {
            self.line("let open(i, c) = S[i] fits(c)\nlet telling(i, c) = open(i, c) & S[i] !fits(c)");
            self.line("let some_telling(i) = exists c in cards: mine(i, c) & telling(i, c)");
            self.line("let some_open(i) = exists c in cards: mine(i, c) & open(i, c)");
        }
        self.line(format!("let chosen(i, c) = {test}"));
        let way = "program play(i) = ?(Turn = i) ; (choose c in cards: (?(chosen(i, c)) ; turn(c)))";
        self.line(way);
        self.line("program move = (play(A) + play(B)) ; (accept + reject)");
    }

    fn questions(&mut self, bound: u32) {
        self.line("");
        match self.instance.reading {
            Reading::Which => {
                let rules = self.instance.rules.len();
                self.line(format!("let knows(i) = exists r in 1..{rules}: K[i] rule = r"));
            }
            Reading::Residual => {
                let last = self.family.points() - 1;
                self.line(format!("let knows(i) = exists p in 0..{last}: K[i] point = p"));
            }
        }
        self.line("let someone = knows(A) | knows(B)\nlet first = knows(A) & !knows(B)\n");
        self.line("check AF{move} someone\ncheck AF{move} first\ncheck Turn = A -> AF{move} first");
        self.line(format!("check A(!someone U{{move}} (someone & Moves < {}))", bound + 1));
        self.line("check EF{move} someone\ncheck EF{move} first");
    }
}
