//! Where paths from both ends of the diagram meet: the products are deals, and are counted.

use super::Paths;
use super::follow::{Arrival, Ways};

/// The numbers of deals.
pub(super) struct Table {
    /// For each question, answer and kind of envelope. If the card is not seen: the deals in which no seat answers before
    /// the one that has the rank of the answer.
    pub(super) counts: Vec<f64>,
    /// For each question the bits of the responder's choice.
    pub(super) choice: Vec<f64>,
    /// How many answers there are.
    pub(super) answers: usize,
    sees_card: bool,
    /// How many categories there are.
    cards: usize,
    /// For each category what a choice adds to the number of a question, and what a card adds to that of a kind.
    steps: Vec<(usize, usize)>,
    /// How many kinds there are.
    kinds: usize,
    asked: usize,
}

impl Table {
    pub(super) fn new(paths: &Paths<'_>) -> Table {
        let (mut questions, mut kinds) = (1, 1);
        let mut steps: Vec<(usize, usize)> = Vec::new();
        for block in paths.blocks.iter().rev() {
            steps.push((questions, kinds));
            questions *= block.choices.len();
            kinds *= block.kinds();
        }
        steps.reverse();
        let (answers, asked) = (paths.answers(), paths.asked());
        let (counts, choice) = (vec![0.0; questions * answers * kinds], vec![0.0; questions]);
        let (sees_card, cards) = (paths.sees_card, paths.blocks.len());
        Table { counts, choice, answers, sees_card, cards, steps, kinds, asked }
    }

    /// The key of ways through a category.
    pub(super) fn key(&self, category: usize, arrival: &Arrival) -> Key {
        let (question, kind) = self.steps[category];
        Key {
            question: question * arrival.choice,
            kind: kind * arrival.lying,
            weight: arrival.weight,
            held: if arrival.here { 1 << category } else { 0 },
        }
    }
}

/// Which cards are asked for and which lie in the envelope, of some categories.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    question: usize,
    kind: usize,
    /// For how many envelopes it stands.
    weight: f64,
    /// The categories whose card the seat that answers has, as bits.
    pub(super) held: u32,
}

impl Default for Key {
    fn default() -> Key {
        Key { question: 0, kind: 0, weight: 1.0, held: 0 }
    }
}

impl Key {
    /// Both: of different categories.
    pub(super) fn and(&self, other: &Key) -> Key {
        Key {
            question: self.question + other.question,
            kind: self.kind + other.kind,
            weight: self.weight * other.weight,
            held: self.held | other.held,
        }
    }
}

/// How many ways from one end are taken at a time: their sums stay near the processor.
const TOGETHER: usize = 8;

/// Multiplies the ways from one end with those from the other and adds up the deals.
pub(super) fn meet(ones: &[(Key, Vec<f64>)], others: (&Key, &[Key], &Ways), rank: usize, table: &mut Table) {
    let (passed, keys, ways) = others;
    // That the seat has none of the cards matters only if it is the last one.
    let needed = table.sees_card && rank + 1 < table.asked;
    let empty = keys.iter().take_while(|key| key.held == 0).count();
    let width = keys.len();
    let mut sums = vec![0.0; TOGETHER * width];
    for group in ones.chunks(TOGETHER) {
        sums.fill(0.0);
        for (state, row) in ways.sums.chunks(width).enumerate() {
            for ((key, one), sums) in group.iter().zip(sums.chunks_mut(width)) {
                let from = if needed && (key.held | passed.held) == 0 { empty } else { 0 };
                if one[state] != 0.0 {
                    let n = one[state];
                    sums[from..].iter_mut().zip(&row[from..]).for_each(|(sum, m)| *sum += n * m);
                }
            }
        }
        for ((key, _), sums) in group.iter().zip(sums.chunks(width)) {
            let key = key.and(passed);
            for (last, &deals) in keys.iter().zip(sums).filter(|(_, deals)| **deals != 0.0) {
                add(&key.and(last), deals, rank, table);
            }
        }
    }
}

/// Adds deals with one envelope to their answers.
fn add(key: &Key, deals: f64, rank: usize, table: &mut Table) {
    let start = key.question * table.answers;
    let mut put = |answer: usize, deals: f64| table.counts[(start + answer) * table.kinds + key.kind] += deals;
    if !table.sees_card {
        return put(rank, deals);
    }
    let several = key.held.count_ones();
    if several == 0 {
        if rank + 1 == table.asked {
            put(table.answers - 1, deals);
        }
        return;
    }
    // The seat shows each of the cards equally often.
    let share = deals / f64::from(several);
    for card in (0..table.cards).filter(|card| key.held >> card & 1 == 1) {
        put(rank * table.cards + card, share);
    }
    if several > 1 {
        table.choice[key.question] += key.weight * deals * f64::from(several).log2();
    }
}
