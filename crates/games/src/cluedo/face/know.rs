//! Who knows what of the deal, since when, and why.

use super::rivals;
use super::standing::{Standing, counted, names, no_deal, position, silent, who};
use crate::cards::{Card, CardSet};
use crate::cluedo::know::Knower;
use crate::cluedo::rules::asked;
use crate::cluedo::why::{self, Answer as Reason, Clash};
use crate::cluedo::{Atom, Cluedo, Fact, Observed, Position, Sight, World};
use crate::game::{Seat, Verdict};
use crate::knowledge::{Answer, Budget, Done, Inspected, Mind, Part, Proved, Refused, Remembers, Row};
use crate::table::page::Problem;
use ken_logic::text::{self, grouped};
use serde_json::{Value, json};

/// The groups of rows that are not another seat's.
const ENVELOPE: &str = "the envelope";
const HAND: &str = "your hand";

/// Said where what others know is found out without the ends of turns.
const WITHOUT_ENDS: &str = "What the ends of turns tell about others' knowledge takes too long to find out: some facts \
                            that are open here may be known.";

const LONG: &str = "It was computed over all worlds that fit what you saw, by the exact engine. No proof in sentences \
                    was found.";

/// What finding two deals near each other may take: some tenths of a second.
const NEAR: Budget = Budget { steps: 200_000 };

/// What a seat knows of the deal.
pub struct Sleuth {
    /// What was seen; without the ends of turns, where those are not relied on.
    position: Position,
    knower: Knower,
    /// The deals that fit, once they were counted.
    standing: Option<Standing>,
    /// The place in the memory of each observation.
    counted: Vec<usize>,
}

impl Sleuth {
    /// The mind of the observer of a position.
    pub fn new(position: Position) -> Sleuth {
        let counted = (0..position.events().len()).collect();
        Sleuth { knower: Knower::new(&position), position, standing: None, counted }
    }

    fn standing(&mut self) -> &Standing {
        self.standing.get_or_insert_with(|| Standing::at(self.position.clone()))
    }

    /// Where the cards may be, for the seat itself.
    fn own(&mut self) -> Vec<Row<Atom>> {
        let (me, seats) = (self.position.observer(), self.position.seats());
        let envelope = usize::from(seats);
        let places = [envelope].into_iter().chain(asked(me, seats).map(Seat::index)).chain([me.index()]);
        let cards = self.position.deck().cards();
        let standing = self.standing();
        let mut rows = Vec::new();
        for place in places {
            let group = match place {
                p if p == envelope => ENVELOPE.to_string(),
                p if p == me.index() => HAND.to_string(),
                p => format!("seat {p}"),
            };
            for card in cards.iter() {
                let verdict = match standing.settled(card, place) {
                    Some(true) => Verdict::Yes,
                    Some(false) => Verdict::No,
                    None => Verdict::Open,
                };
                let chance = standing.chance(card, place);
                rows.push(Row::new(Fact::at(card, place), group.clone()).own(verdict, chance));
            }
        }
        rows
    }
}

impl Remembers for Cluedo {
    type Mind = Sleuth;

    fn mind(&self, memory: &[Sight]) -> Sleuth {
        Sleuth { counted: counted(self, memory), ..Sleuth::new(position(self, memory)) }
    }
}

impl Mind for Sleuth {
    type Language = Position;
    type World = World;

    fn language(&self) -> &Position {
        &self.position
    }

    fn seat(&self) -> Seat {
        self.position.observer()
    }

    fn ask(&mut self, fact: &Fact, budget: &Budget) -> Done<Answer<World>> {
        self.knower.ask(fact, budget)
    }

    fn other(&mut self, seat: Seat, world: &World, fact: &Fact, budget: &Budget) -> Done<Option<World>> {
        let theirs = seen_by(&self.position, seat, world);
        Ok(Knower::new(&theirs).ask(fact, budget)?.counterexample)
    }

    fn count(&mut self) -> Option<u128> {
        let standing = self.standing();
        standing.left_out.is_none().then_some(standing.solved.deals)
    }

    fn steps(&self) -> u64 {
        self.knower.steps()
    }
}

impl Inspected for Sleuth {
    const COUNTS: bool = false;

    fn rows(&mut self, chain: &[Seat]) -> Vec<Row<Atom>> {
        let mut rows = self.own();
        // What others know of each other is asked for by a formula.
        if chain.len() == 1 {
            rows.extend(rivals::rows(&self.position));
        }
        // Where the convention was broken, or takes too long to follow, what follows without it is certain all the same.
        if self.standing().left_out.is_some() {
            self.rely_on_less();
        }
        rows
    }

    fn learned(&mut self) -> Vec<Row<Atom>> {
        let known = |row: &Row<Atom>| matches!(row.own, Some((Verdict::Yes, _))) && row.group != HAND;
        self.own().into_iter().filter(known).collect()
    }

    fn note(&mut self, _: &[Seat]) -> Option<String> {
        // Without ends of turns nothing was left out, and nothing needs to be counted.
        if self.position.has_endmoves() || self.standing.is_some() { self.standing().note() } else { None }
    }

    fn parts(&self, world: &World) -> Vec<Part> {
        let me = self.position.observer();
        let deck = self.position.deck();
        let place = |place: usize, name: String| Part::new(name, names(deck, world.deal.places[place]).join(", "));
        let mut parts: Vec<Part> = Seat::all(self.position.seats()).map(|s| place(s.index(), who(me, s))).collect();
        parts.push(place(usize::from(self.position.seats()), "envelope".to_string()));
        let secret = |e: usize| matches!(self.position.events().get(e), Some(Observed::Ask { shown: None, .. }));
        let shows = world.shown.iter().filter(|(event, _)| secret(*event));
        parts.extend(shows.map(|&(event, card)| Part {
            minor: true,
            ..Part::new(format!("shown in event {}", event + 1), deck.name(card))
        }));
        parts
    }

    fn data(&self, world: &World) -> Value {
        let deck = self.position.deck();
        let hands = world.deal.places[..self.position.seats() as usize].iter().map(|&hand| names(deck, hand));
        let shown = world.shown.iter().map(|&(event, card)| json!({"event": event + 1, "card": deck.name(card)}));
        json!({
            "hands": hands.collect::<Vec<_>>(), "envelope": names(deck, world.deal.envelope()),
            "shown": shown.collect::<Vec<_>>(),
        })
    }

    fn brief(&self, world: &World) -> Vec<Part> {
        let deck = self.position.deck();
        let others = Seat::all(self.position.seats()).filter(|&seat| seat != self.seat());
        let mut parts: Vec<Part> =
            others.map(|seat| Part::new(format!("seat {seat}"), deck.names(world.deal.hand(seat)))).collect();
        parts.push(Part::new("envelope", deck.names(world.deal.envelope())));
        let unseen = world.shown.iter().filter_map(|&(event, card)| match self.position.events()[event] {
            Observed::Ask { shown: None, .. } => Some(format!("{} in event {}", deck.name(card), event + 1)),
            Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
        });
        let unseen: Vec<String> = unseen.collect();
        if !unseen.is_empty() {
            parts.push(Part::new("shown", unseen.join(", ")));
        }
        parts
    }

    fn prove(&mut self, fact: &Fact, budget: &Budget) -> Result<Proved, String> {
        match why::why(&self.position, fact, budget) {
            Reason::Known(proof) => {
                let mut proved = Proved::of(&proof, &self.position);
                for sentence in &mut proved.sentences {
                    sentence.event = sentence.event.and_then(|e| self.counted.get(e).copied());
                }
                Ok(proved)
            }
            Reason::Long { lines, .. } => Err(format!(
                "It was computed over all worlds that fit what you saw. Its proof has {lines} sentences, too many to show."
            )),
            Reason::Refuted(_) | Reason::Open { .. } | Reason::Clash(_) | Reason::Unproved => Err(LONG.to_string()),
        }
    }

    fn contradiction(&mut self, budget: &Budget) -> Problem {
        match why::clash(&self.position, budget) {
            Ok(Some(clash)) => contradiction(&self.position, &clash),
            Ok(None) | Err(why::Unproved) => Problem::new("no-deal-fits", "no deal fits what was seen"),
        }
    }

    fn clash(&self) -> Problem {
        no_deal()
    }

    fn rely_on_less(&mut self) -> Option<&'static str> {
        if !self.position.has_endmoves() {
            return None;
        }
        self.counted = (0..self.position.events().len())
            .filter(|&e| !matches!(self.position.events()[e], Observed::Endmove { .. }))
            .map(|e| self.counted[e])
            .collect();
        self.position = silent(&self.position);
        self.knower = Knower::new(&self.position);
        Some(WITHOUT_ENDS)
    }

    fn related(&self, a: &Atom, b: &Atom) -> bool {
        let card = |atom: &Atom| if let Atom::At(card, _) = atom { Some(*card) } else { None };
        card(a).is_some() && card(a) == card(b)
    }

    fn near(&mut self, fact: &Fact) -> Option<(World, World)> {
        if !fact.is_about_cards() {
            return None;
        }
        match why::why(&self.position, fact, &NEAR) {
            Reason::Open { yes, no } => Some((yes, no)),
            Reason::Known(_) | Reason::Refuted(_) | Reason::Long { .. } | Reason::Clash(_) | Reason::Unproved => None,
        }
    }

    fn chance(&mut self, fact: &Fact) -> Option<f64> {
        match fact {
            Fact::Atom(Atom::At(card, place)) => self.standing().chance(*card, *place),
            Fact::Not(inner) => self.chance(inner).map(|p| 1.0 - p),
            Fact::Const(_)
            | Fact::Atom(Atom::Solved(_) | Atom::Shown(..))
            | Fact::All(_)
            | Fact::Any(_)
            | Fact::Count(..)
            | Fact::Iff(..)
            | Fact::Knows(..)
            | Fact::Common(..)
            | Fact::After(..) => None,
        }
    }

    fn amount(&mut self) -> Option<String> {
        let standing = self.standing();
        match standing.left_out {
            None | Some(Refused::NoWorld) => Some(grouped(standing.solved.deals)),
            Some(Refused::Limit | Refused::Unfit(_)) => None,
        }
    }
}

/// Why nothing fits a position: which events clash, and a proof.
fn contradiction(position: &Position, clash: &Clash) -> Problem {
    let numbers = text::listed(clash.events.iter().map(|e| e + 1), "and");
    let message = match clash.events.len() {
        0 => "no deal fits this position".to_string(),
        1 => format!("event {numbers} contradicts itself or the hand"),
        _ => format!("events {numbers} clash: no deal fits them together"),
    };
    let size = if clash.smallest { "the smallest such set" } else { "none of them can be left out" };
    let help = match &clash.proof {
        Some(proof) => format!("{size}; here is why:\n{}", proof.words(position).trim_end()),
        None => format!("{size}; a proof in sentences takes more steps than the budget allows"),
    };
    Problem::new("no-deal-fits", message).help(help)
}

/// What the seat has seen if this world is the true one.
fn seen_by(position: &Position, seat: Seat, world: &World) -> Position {
    let unseen = position.events().iter().enumerate().filter_map(|(e, event)| match *event {
        Observed::Ask { asker, answer: Some(by), shown: None, .. } if seat == asker || seat == by => Some(e),
        Observed::Ask { .. } | Observed::Accuse { .. } | Observed::Endmove { .. } => None,
    });
    let mut cards = unseen.map(|e| world.shown.iter().find(|s| s.0 == e).map(|s| s.1)).collect::<Vec<_>>().into_iter();
    position.seen_by(seat, &world.deal, &mut |may: CardSet| {
        let told: Option<Card> = cards.next().flatten().filter(|&c| may.has(c));
        told.or_else(|| may.lowest()).expect("somebody showed a card")
    })
}
