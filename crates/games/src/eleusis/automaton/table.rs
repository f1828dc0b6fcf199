//! Tables of transitions, and the walk that makes them.

use super::Unbounded;
use crate::cards::Card;

/// No target: the card is refused.
pub(in crate::eleusis) const NONE: u32 = u32::MAX;

/// How many words of 16 bits memories and transitions may take together: 256 MB.
const WORDS: usize = 1 << 27;

/// A deterministic table of transitions; its first state is the start.
pub(in crate::eleusis) struct Table {
    /// The class of each card, numbered by their lowest cards.
    pub(super) class: Vec<u8>,
    pub(super) classes: usize,
    /// By state, then class.
    pub(super) targets: Vec<u32>,
}

/// Numbers the groups of equal signatures of the cards, by their lowest cards.
pub(in crate::eleusis) fn classes_of<T: PartialEq>(signatures: &[T]) -> Vec<u8> {
    let mut firsts: Vec<&T> = Vec::new();
    let number = |signature| {
        firsts.iter().position(|&first| first == signature).unwrap_or_else(|| {
            firsts.push(signature);
            firsts.len() - 1
        }) as u8
    };
    signatures.iter().map(number).collect()
}

/// The table of all memories that can be reached from the start.
///
/// `step` writes the memory after a card, given the one before and the lowest card of a class, and says whether
/// the card is accepted.
pub(in crate::eleusis) fn explore(
    class: Vec<u8>,
    start: &[u16],
    limit: usize,
    mut step: impl FnMut(&[u16], Card, &mut Vec<u16>) -> Result<bool, Unbounded>,
) -> Result<Table, Unbounded> {
    let classes = class.iter().max().map_or(0, |&last| last as usize + 1);
    let lowest = |k| Card(class.iter().position(|&c| c as usize == k).expect("a class has a card") as u8);
    let cards: Vec<Card> = (0..classes).map(lowest).collect();
    let mut memories = Memories::default();
    memories.number(start);
    let (mut targets, mut at) = (Vec::new(), 0);
    let (mut memory, mut next) = (Vec::new(), Vec::new());
    while at < memories.len() {
        memory.clear();
        memory.extend_from_slice(memories.get(at));
        for &card in &cards {
            next.clear();
            let target = if step(&memory, card, &mut next)? { memories.number(&next) } else { NONE };
            targets.push(target);
        }
        if memories.len() > limit || memories.text.len() + 2 * targets.len() > WORDS {
            return Err(Unbounded::TooLarge { limit: memories.len().min(limit) });
        }
        at += 1;
    }
    Ok(Table { class, classes, targets })
}

/// Memories, each with a number from 0 on; all in one buffer, since there may be millions.
#[derive(Default)]
struct Memories {
    text: Vec<u16>,
    ends: Vec<usize>,
    /// Numbers by hash, open addressing; a power of two in size.
    slots: Vec<u32>,
}

impl Memories {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, number: usize) -> &[u16] {
        let from = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[from..self.ends[number]]
    }

    /// The number of the memory, a new one if it is new.
    fn number(&mut self, memory: &[u16]) -> u32 {
        if self.slots.len() < 2 * (self.len() + 1) {
            self.grow();
        }
        let mut slot = self.slot(memory);
        while self.slots[slot] != NONE {
            if self.get(self.slots[slot] as usize) == memory {
                return self.slots[slot];
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let number = self.len() as u32;
        self.slots[slot] = number;
        self.text.extend_from_slice(memory);
        self.ends.push(self.text.len());
        number
    }

    fn slot(&self, memory: &[u16]) -> usize {
        let mix = |hash: u64, &word: &u16| (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x517c_c1b7_2722_0a95);
        let hash = memory.iter().fold(memory.len() as u64, mix);
        // The multiplication mixes upwards only: fold the high half back, or small words crowd into few slots.
        let hash = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        self.slots = vec![NONE; (4 * (self.len() + 1)).next_power_of_two().max(64)];
        for number in 0..self.len() {
            let mut slot = self.slot(self.get(number));
            while self.slots[slot] != NONE {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = number as u32;
        }
    }
}
