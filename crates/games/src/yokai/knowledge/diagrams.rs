//! Sets of colourings as decision diagrams that are counted.
//!
//! A set is a node; a node has a child for each colour of its card, the set of what the later cards may be. Equal nodes
//! are one, no card is left out on the way down, and the empty set is one node: so equal sets are equal nodes, a set is
//! counted by adding up, and all 63,063,000 colourings are 625 nodes, one for each way to use up the colours.

use crate::cards::{Card, CardSet};
use crate::yokai::colour::{CARDS, Colour, Colouring, Colours};
use crate::yokai::layout::Shape;
use rustc_hash::FxHashMap;

/// A set of colourings of one [`Diagrams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Set(u32);

impl Set {
    /// No colouring.
    pub const EMPTY: Set = Set(0);
    /// What is left after the last card.
    const END: Set = Set(1);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Join {
    And,
    Or,
    Minus,
}

/// A store of sets.
#[derive(Clone, Debug)]
pub struct Diagrams {
    /// The cards from the top down.
    order: [Card; CARDS],
    nodes: Vec<[Set; 4]>,
    index: FxHashMap<[Set; 4], Set>,
    joined: FxHashMap<(u8, Set, Set), Set>,
    counts: FxHashMap<Set, u64>,
}

impl Diagrams {
    /// An empty store. The cards in `first` stand above the others: what a seat has not seen is best below.
    pub fn new(first: &[CardSet]) -> Diagrams {
        let mut order: [Card; CARDS] = std::array::from_fn(|i| Card(i as u8));
        order.sort_by_key(|&card| first.iter().position(|set| set.has(card)).unwrap_or(first.len()));
        let nodes = vec![[Set::EMPTY; 4]; 2];
        Diagrams {
            order,
            nodes,
            index: FxHashMap::default(),
            joined: FxHashMap::default(),
            counts: FxHashMap::from_iter([(Set::EMPTY, 0), (Set::END, 1)]),
        }
    }

    fn node(&mut self, children: [Set; 4]) -> Set {
        if children == [Set::EMPTY; 4] {
            return Set::EMPTY;
        }
        *self.index.entry(children).or_insert_with(|| {
            self.nodes.push(children);
            Set(self.nodes.len() as u32 - 1)
        })
    }

    fn children(&self, set: Set) -> [Set; 4] {
        self.nodes[set.0 as usize]
    }

    /// The colourings in which every card has a colour that is allowed for it.
    pub fn allowed(&mut self, allowed: &[Colours; CARDS]) -> Set {
        self.fill(0, [4; 4], allowed, &mut FxHashMap::default())
    }

    /// `left` is how many cards of each colour are still to come.
    fn fill(
        &mut self,
        at: usize,
        left: [u8; 4],
        allowed: &[Colours; CARDS],
        known: &mut FxHashMap<[u8; 4], Set>,
    ) -> Set {
        if at == CARDS {
            return Set::END;
        }
        if let Some(&set) = known.get(&left) {
            return set;
        }
        let mut children = [Set::EMPTY; 4];
        for colour in allowed[self.order[at].index()].iter() {
            let mut rest = left;
            if rest[colour.index()] > 0 {
                rest[colour.index()] -= 1;
                children[colour.index()] = self.fill(at + 1, rest, allowed, known);
            }
        }
        let set = self.node(children);
        known.insert(left, set);
        set
    }

    /// What is in both.
    pub fn and(&mut self, a: Set, b: Set) -> Set {
        self.join(Join::And, a, b)
    }

    /// What is in either.
    pub fn or(&mut self, a: Set, b: Set) -> Set {
        self.join(Join::Or, a, b)
    }

    /// What is in the first and not in the second.
    pub fn minus(&mut self, a: Set, b: Set) -> Set {
        self.join(Join::Minus, a, b)
    }

    fn join(&mut self, how: Join, a: Set, b: Set) -> Set {
        match how {
            Join::And if a == b => return a,
            Join::And if a == Set::EMPTY || b == Set::EMPTY => return Set::EMPTY,
            Join::Or if a == b || b == Set::EMPTY => return a,
            Join::Or if a == Set::EMPTY => return b,
            Join::Minus if a == b || a == Set::EMPTY => return Set::EMPTY,
            Join::Minus if b == Set::EMPTY => return a,
            Join::And | Join::Or | Join::Minus => {}
        }
        let key = match how {
            Join::And | Join::Or if b.0 < a.0 => (how as u8, b, a),
            Join::And | Join::Or | Join::Minus => (how as u8, a, b),
        };
        if let Some(&set) = self.joined.get(&key) {
            return set;
        }
        let (x, y) = (self.children(a), self.children(b));
        let children = std::array::from_fn(|c| self.join(how, x[c], y[c]));
        let set = self.node(children);
        self.joined.insert(key, set);
        set
    }

    /// Those of the set in which every card has an allowed colour.
    pub fn within(&mut self, set: Set, allowed: &[Colours; CARDS]) -> Set {
        let last = (0..CARDS).rev().find(|&at| allowed[self.order[at].index()] != Colours::ALL);
        let below = last.map_or(0, |at| at + 1);
        self.cut(set, 0, below, allowed, &mut FxHashMap::default())
    }

    fn cut(
        &mut self,
        set: Set,
        at: usize,
        below: usize,
        allowed: &[Colours; CARDS],
        known: &mut FxHashMap<Set, Set>,
    ) -> Set {
        if at == below || set == Set::EMPTY {
            return set;
        }
        if let Some(&cut) = known.get(&set) {
            return cut;
        }
        let mut children = self.children(set);
        for colour in Colour::ALL {
            let child = &mut children[colour.index()];
            *child = match allowed[self.order[at].index()].has(colour) {
                true => self.cut(*child, at + 1, below, allowed, known),
                false => Set::EMPTY,
            };
        }
        let cut = self.node(children);
        known.insert(set, cut);
        cut
    }

    /// Those of the set in which the cards have the same colour.
    pub fn same(&mut self, set: Set, a: Card, b: Card) -> Set {
        Colour::ALL.into_iter().fold(Set::EMPTY, |all, colour| {
            let mut allowed = [Colours::ALL; CARDS];
            allowed[a.index()] = Colours::of(colour);
            allowed[b.index()] = Colours::of(colour);
            let both = self.within(set, &allowed);
            self.or(all, both)
        })
    }

    /// Those of `law` that agree on the cards `seen` with some of `set`.
    pub fn alike(&mut self, set: Set, law: Set, seen: CardSet) -> Set {
        self.spread(set, law, 0, seen, &mut FxHashMap::default())
    }

    fn spread(&mut self, set: Set, law: Set, at: usize, seen: CardSet, known: &mut FxHashMap<(Set, Set), Set>) -> Set {
        // Nothing is seen any more: any member will do.
        let done = self.order[at..].iter().all(|&card| !seen.has(card));
        if set == Set::EMPTY || law == Set::EMPTY || set == law || done {
            return if set == Set::EMPTY { Set::EMPTY } else { law };
        }
        if let Some(&spread) = known.get(&(set, law)) {
            return spread;
        }
        let (some, all) = (self.children(set), self.children(law));
        let children = if seen.has(self.order[at]) {
            std::array::from_fn(|c| self.spread(some[c], all[c], at + 1, seen, known))
        } else {
            let any = some.into_iter().fold(Set::EMPTY, |any, set| self.or(any, set));
            std::array::from_fn(|c| self.spread(any, all[c], at + 1, seen, known))
        };
        let spread = self.node(children);
        known.insert((set, law), spread);
        spread
    }

    /// The colourings that connect every colour, whatever the law.
    pub fn grouped(&mut self, shape: &Shape) -> Set {
        let mut found: Vec<[Colour; CARDS]> = Vec::new();
        for groups in groupings(shape) {
            for colours in ORDERS {
                let colour_of = |card: Card| {
                    let group = groups.iter().position(|g| g >> card.0 & 1 == 1).expect("all cards are in groups");
                    colours[group]
                };
                found.push(self.order.map(colour_of));
            }
        }
        found.sort_unstable();
        self.list(&found, 0)
    }

    /// The set of these colourings, whose cards stand in the order of the diagram and which are sorted.
    fn list(&mut self, found: &[[Colour; CARDS]], at: usize) -> Set {
        match found {
            [] => Set::EMPTY,
            _ if at == CARDS => Set::END,
            _ => {
                let mut rest = found;
                let children = Colour::ALL.map(|colour| {
                    let (here, later) = rest.split_at(rest.partition_point(|c| c[at] == colour));
                    rest = later;
                    self.list(here, at + 1)
                });
                self.node(children)
            }
        }
    }

    /// How many colourings are in the set.
    pub fn count(&mut self, set: Set) -> u64 {
        if let Some(&count) = self.counts.get(&set) {
            return count;
        }
        let count = self.children(set).into_iter().map(|child| self.count(child)).sum();
        self.counts.insert(set, count);
        count
    }

    /// One of the set; `None` if it is empty.
    pub fn first(&self, set: Set) -> Option<Colouring> {
        let mut colours = [Colour::Red; CARDS];
        let mut at = set;
        for card in self.order {
            let children = self.children(at);
            let colour = Colour::ALL.into_iter().find(|c| children[c.index()] != Set::EMPTY)?;
            colours[card.index()] = colour;
            at = children[colour.index()];
        }
        Colouring::new(colours)
    }

    /// A set of another store with the same order of the cards, as one of this.
    pub fn import(&mut self, from: &Diagrams, set: Set) -> Set {
        debug_assert_eq!(self.order, from.order, "the same order");
        self.copied(from, set, &mut FxHashMap::from_iter([(Set::EMPTY, Set::EMPTY), (Set::END, Set::END)]))
    }

    fn copied(&mut self, from: &Diagrams, set: Set, known: &mut FxHashMap<Set, Set>) -> Set {
        if let Some(&copy) = known.get(&set) {
            return copy;
        }
        let children = from.children(set).map(|child| self.copied(from, child, known));
        let copy = self.node(children);
        known.insert(set, copy);
        copy
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }
}

/// The ways to give the four colours to four groups.
pub const ORDERS: [[Colour; 4]; 24] = orders();

const fn orders() -> [[Colour; 4]; 24] {
    let mut orders = [Colour::ALL; 24];
    let mut n = 0;
    let mut code = 0;
    while code < 256 {
        let digits = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
        if 1 << digits[0] | 1 << digits[1] | 1 << digits[2] | 1 << digits[3] == 15 {
            let all = Colour::ALL;
            orders[n] = [all[digits[0]], all[digits[1]], all[digits[2]], all[digits[3]]];
            n += 1;
        }
        code += 1;
    }
    orders
}

/// The ways to cut a layout into four connected groups of four cards, as bits.
pub fn groupings(shape: &Shape) -> Vec<[u16; 4]> {
    let mut found = Vec::new();
    cut(shape, u16::MAX, &mut Vec::new(), &mut found);
    found
}

fn cut(shape: &Shape, left: u16, groups: &mut Vec<u16>, found: &mut Vec<[u16; 4]>) {
    if let Ok(groups) = <[u16; 4]>::try_from(&groups[..]) {
        found.push(groups);
        return;
    }
    // The lowest card that is left is in the next group; each group grows card by card and is kept once.
    let mut grown = vec![left & left.wrapping_neg()];
    for _ in 1..4 {
        let mut larger: Vec<u16> = Vec::new();
        for group in grown {
            let mut edge = 0;
            for card in CardSet(group.into()).iter() {
                edge |= shape.neighbours()[card.index()];
            }
            larger.extend(CardSet((edge & left & !group).into()).iter().map(|card| group | 1 << card.0));
        }
        larger.sort_unstable();
        larger.dedup();
        grown = larger;
    }
    for group in grown {
        groups.push(group);
        cut(shape, left & !group, groups, found);
        groups.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yokai::colour::COLOURINGS;
    use crate::yokai::layout::Layout;

    #[test]
    fn all_colourings_are_625_nodes() {
        let mut worlds = Diagrams::new(&[]);
        let all = worlds.allowed(&[Colours::ALL; CARDS]);
        assert_eq!(worlds.count(all), COLOURINGS);
        // The node of the empty set is beside them.
        assert_eq!(worlds.nodes(), 626);
    }

    #[test]
    fn a_square_is_cut_into_connected_fours_in_117_ways() {
        let shape = Layout::start().shape();
        assert_eq!(groupings(&shape).len(), 117);
        let mut worlds = Diagrams::new(&[CardSet(0b1010_0001)]);
        let (grouped, all) = (worlds.grouped(&shape), worlds.allowed(&[Colours::ALL; CARDS]));
        assert_eq!(worlds.count(grouped), 117 * 24);
        assert_eq!(worlds.minus(grouped, all), Set::EMPTY);
        assert!(shape.grouped(&worlds.first(grouped).expect("one")));
    }

    #[test]
    fn those_alike_are_those_that_agree_on_what_is_seen() {
        let mut worlds = Diagrams::new(&[CardSet(0b11)]);
        let all = worlds.allowed(&[Colours::ALL; CARDS]);
        let mut allowed = [Colours::ALL; CARDS];
        allowed[0] = Colours::of(Colour::Red);
        allowed[9] = Colours::of(Colour::Green);
        let some = worlds.within(all, &allowed);
        allowed[9] = Colours::ALL;
        let first_red = worlds.within(all, &allowed);
        assert_eq!(worlds.alike(some, all, CardSet(1)), first_red);
        assert_eq!(worlds.alike(some, all, CardSet::EMPTY), all);
        assert_eq!(worlds.alike(some, all, CardSet::first(CARDS)), some);
    }
}
