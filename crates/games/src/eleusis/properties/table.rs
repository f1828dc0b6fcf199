//! The moves of the game, as far as they matter for what the players may come to know.

use super::family::{Family, Point};
use super::strategy::Plan;
use super::{Instance, Mode, Observation, Person, Protocol};
use crate::cards::{Card, CardSet};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A set of points by its number; 0 is the empty set.
pub(super) type SetId = u32;

/// Sets of points, kept once, and what becomes of them when a card is judged.
pub(super) struct Sets {
    family: Family,
    sets: Vec<Box<[Point]>>,
    index: FxHashMap<Box<[Point]>, SetId>,
    /// For each set and card: after it is accepted, and after it is refused.
    judged: Vec<Option<(SetId, SetId)>>,
    /// For each set and hand: after an unseen card of that hand is refused.
    whispered: FxHashMap<(SetId, CardSet), SetId>,
}

impl Sets {
    pub(super) fn new(family: Family) -> Sets {
        let mut sets = Sets {
            family,
            sets: Vec::new(),
            index: FxHashMap::default(),
            judged: Vec::new(),
            whispered: FxHashMap::default(),
        };
        sets.id(Vec::new());
        sets
    }

    pub(super) fn family(&self) -> &Family {
        &self.family
    }

    pub(super) fn id(&mut self, mut points: Vec<Point>) -> SetId {
        points.sort_unstable();
        points.dedup();
        if let Some(&found) = self.index.get(points.as_slice()) {
            return found;
        }
        let id = self.sets.len() as SetId;
        let points: Box<[Point]> = points.into();
        self.index.insert(points.clone(), id);
        self.sets.push(points);
        self.judged.resize(self.sets.len() * self.family.cards(), None);
        id
    }

    /// All candidates.
    pub(super) fn everything(&mut self) -> SetId {
        self.id(self.family.starts().to_vec())
    }

    pub(super) fn points(&self, set: SetId) -> &[Point] {
        &self.sets[set as usize]
    }

    /// Whether who considers these possible knows the rule.
    pub(super) fn settled(&self, set: SetId) -> bool {
        self.points(set).len() == 1
    }

    /// The set after the card is accepted, and after it is refused.
    pub(super) fn judged(&mut self, set: SetId, card: Card) -> (SetId, SetId) {
        let at = set as usize * self.family.cards() + card.index();
        if let Some(found) = self.judged[at] {
            return found;
        }
        let family = &self.family;
        let next = |&p: &Point| family.next(p, card);
        let accepted = self.points(set).iter().filter_map(next).collect();
        let refused = self.points(set).iter().copied().filter(|p| next(p).is_none()).collect();
        let found = (self.id(accepted), self.id(refused));
        self.judged[at] = Some(found);
        found
    }

    /// The set after it is heard that some card of the hand was refused.
    fn whispered(&mut self, set: SetId, hand: CardSet) -> SetId {
        if let Some(&found) = self.whispered.get(&(set, hand)) {
            return found;
        }
        let refuses = |p: &Point| !hand.is_subset(self.family.accepted(*p));
        let left = self.points(set).iter().copied().filter(refuses).collect();
        let found = self.id(left);
        self.whispered.insert((set, hand), found);
        found
    }
}

/// A moment of the game in one copy: what the dealer's rule asks of the line, and what each player considers possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Position {
    pub(super) truth: Point,
    pub(super) minds: [SetId; 2],
    hands: [CardSet; 2],
    /// The cards refused since the last accepted one, where the protocol looks at them.
    refused: CardSet,
    pub(super) turn: Person,
}

/// What the players have left, and their hands.
type Minds = ([SetId; 2], [CardSet; 2]);

/// A game that is being looked at.
pub(super) struct Table<'i> {
    instance: &'i Instance,
    pub(super) sets: Sets,
    plan: Plan,
    /// Cards that are treated alike, by what the players have left and by hands.
    kinds: FxHashMap<Minds, Rc<[CardSet]>>,
}

impl<'i> Table<'i> {
    pub(super) fn new(instance: &'i Instance, family: Family) -> Table<'i> {
        Table { instance, sets: Sets::new(family), plan: Plan::default(), kinds: FxHashMap::default() }
    }

    /// The beginning in the copy of a candidate.
    pub(super) fn start(&mut self, rule: usize) -> Position {
        let everything = self.sets.everything();
        let hands = match self.instance.mode {
            Mode::Unlimited => [self.instance.deck.all(); 2],
            Mode::Decks(hands) => hands,
        };
        Position {
            truth: self.sets.family().starts()[rule],
            minds: [everything; 2],
            hands,
            refused: CardSet::EMPTY,
            turn: self.instance.first,
        }
    }

    pub(super) fn knows(&self, position: &Position, who: Person) -> bool {
        self.sets.settled(position.minds[who.index()])
    }

    /// The cards that the protocol allows; none where the match is over.
    pub(super) fn options(&mut self, position: &Position) -> CardSet {
        let hand = position.hands[position.turn.index()];
        let mind = position.minds[position.turn.index()];
        let or = |some: CardSet, others: CardSet| if some.is_empty() { others } else { some };
        match self.instance.protocol {
            Protocol::Any => hand,
            Protocol::NoRepeat => or(hand.minus(position.refused), hand),
            Protocol::Informative => self.informative(mind, hand),
            Protocol::Planned => {
                let planned = self.plan.best(&mut self.sets, mind, hand);
                planned.unwrap_or_else(|| self.informative(mind, hand))
            }
        }
    }

    fn informative(&mut self, mind: SetId, hand: CardSet) -> CardSet {
        let (mut telling, mut open) = (CardSet::EMPTY, CardSet::EMPTY);
        for card in hand.iter() {
            let (accepted, refused) = self.sets.judged(mind, card);
            if accepted != 0 {
                open = open.with(card);
                if refused != 0 {
                    telling = telling.with(card);
                }
            }
        }
        if !telling.is_empty() {
            telling
        } else if !open.is_empty() {
            open
        } else {
            hand
        }
    }

    /// The position after the card, as it is.
    pub(super) fn play(&mut self, position: &Position, card: Card) -> Position {
        let mut after = *position;
        let next = self.sets.family().next(position.truth, card);
        for who in Person::ALL {
            let mind = position.minds[who.index()];
            let (accepted, refused) = self.sets.judged(mind, card);
            after.minds[who.index()] = match self.instance.observation {
                _ if next.is_some() => accepted,
                Observation::Forgetful if who == Person::B => mind,
                Observation::Whisper if who != position.turn => {
                    self.sets.whispered(mind, position.hands[position.turn.index()])
                }
                Observation::Public | Observation::Whisper | Observation::Forgetful => refused,
            };
        }
        let leaves = next.is_some() && self.instance.mode != Mode::Unlimited;
        if leaves {
            let hand = &mut after.hands[position.turn.index()];
            *hand = hand.without(card);
        } else {
            after.turn = position.turn.other();
        }
        if let Some(next) = next {
            after.truth = next;
            after.refused = CardSet::EMPTY;
        } else if self.instance.protocol == Protocol::NoRepeat {
            after.refused = after.refused.with(card);
        }
        after
    }

    /// A position with the same future, the same one for many: where both see everything and have every card it does not
    /// matter who moves, and of refused cards that no candidate tells apart only their number matters.
    pub(super) fn canonical(&mut self, mut position: Position) -> Position {
        let alike = self.instance.observation == Observation::Public && self.instance.mode == Mode::Unlimited;
        if alike {
            position.turn = Person::A;
        }
        if !position.refused.is_empty() {
            position.refused = self.lowest_alike(&position);
        }
        position
    }

    /// As many cards of each kind as are refused, the lowest ones. Until the next accepted card the candidates stay where
    /// they are, so cards that all of them treat alike are exchangeable.
    fn lowest_alike(&mut self, position: &Position) -> CardSet {
        let kinds = self.kinds(position);
        let lowest = |&kind: &CardSet| kind.iter().take(kind.and(position.refused).len()).collect::<CardSet>();
        kinds.iter().map(lowest).fold(CardSet::EMPTY, CardSet::or)
    }

    /// The cards, sorted by what each candidate that somebody has left makes of them, and by the hands they are in.
    fn kinds(&mut self, position: &Position) -> Rc<[CardSet]> {
        let key = (position.minds, position.hands);
        if let Some(found) = self.kinds.get(&key) {
            return found.clone();
        }
        let family = self.sets.family();
        let [a, b] = position.minds.map(|mind| self.sets.points(mind));
        let mut kinds: FxHashMap<_, CardSet> = FxHashMap::default();
        for card in self.instance.deck.all().iter() {
            let next: Vec<Option<Point>> = a.iter().chain(b).map(|&p| family.next(p, card)).collect();
            let kind = kinds.entry((position.hands.map(|hand| hand.has(card)), next)).or_default();
            *kind = kind.with(card);
        }
        let found: Rc<[CardSet]> = kinds.into_values().collect();
        self.kinds.insert(key, found.clone());
        found
    }
}
