//! The minimal table: states that no continuation tells apart become one.
//!
//! Partition refinement. All states start in one block; a state is looked at again only when a successor has changed
//! its block, and of the parts of a split block the largest keeps the number, so that a state changes its block at
//! most log₂ n times: long counters cost no more than wide windows.

use super::table::{NONE, Table, classes_of};

/// The minimal table with the same lines, numbered breadth first in the order of the cards.
pub(super) fn minimal(table: Table) -> Table {
    let block = blocks(&table);
    let targets = renumber(&table, &block);
    let columns: Vec<Column> =
        (0..table.classes).map(|at| Column { at, classes: table.classes, targets: &targets }).collect();
    let merged = classes_of(&columns);
    let kept: Vec<usize> = (0..table.classes).filter(|&k| !merged[..k].contains(&merged[k])).collect();
    if kept.len() == table.classes {
        return Table { targets, ..table };
    }
    let rows = targets.chunks_exact(table.classes);
    let smaller = rows.flat_map(|row| kept.iter().map(|&k| row[k])).collect();
    let class = table.class.iter().map(|&k| merged[k as usize]).collect();
    Table { class, classes: kept.len(), targets: smaller }
}

/// What a class of cards does, over all states.
struct Column<'a> {
    at: usize,
    classes: usize,
    targets: &'a [u32],
}

impl PartialEq for Column<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.targets.chunks_exact(self.classes).all(|row| row[self.at] == row[other.at])
    }
}

/// The block of each state.
fn blocks(table: &Table) -> Vec<u32> {
    let states = table.targets.len() / table.classes;
    let row = |state: u32| &table.targets[state as usize * table.classes..][..table.classes];
    let before = Before::of(table, states);
    let mut partition = Partition::whole(states);
    let mut dirty: Vec<u32> = (0..states as u32).collect();
    let mut marked = vec![false; states];
    let mut keyed: Vec<Keyed> = Vec::new();
    let mut moved: Vec<u32> = Vec::new();
    while !dirty.is_empty() {
        let block = &partition.block;
        let of = |target: u32| if target == NONE { NONE } else { block[target as usize] };
        let hash = |state: u32| {
            let mix = |h: u64, &t: &u32| (h.rotate_left(5) ^ u64::from(of(t))).wrapping_mul(0x517c_c1b7_2722_0a95);
            row(state).iter().fold(0, mix)
        };
        keyed.clear();
        keyed.extend(dirty.iter().map(|&state| (block[state as usize], hash(state), state)));
        // The hash only saves time: states of one hash are compared.
        let exact = |a: u32, b: u32| row(a).iter().map(|&t| of(t)).cmp(row(b).iter().map(|&t| of(t)));
        keyed.sort_unstable_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then_with(|| exact(a.2, b.2)));
        let alike = |a: &Keyed, b: &Keyed| (a.0, a.1) == (b.0, b.1) && exact(a.2, b.2).is_eq();
        let groups: Vec<usize> = keyed.chunk_by(alike).map(<[Keyed]>::len).collect();
        moved.clear();
        let (mut at, mut group) = (0, 0);
        while at < keyed.len() {
            let part = keyed[at..].partition_point(|k| k.0 == keyed[at].0);
            let (mut lengths, mut covered) = (Vec::new(), 0);
            while covered < part {
                lengths.push(groups[group]);
                covered += groups[group];
                group += 1;
            }
            partition.split(&keyed[at..at + part], &mut lengths, &mut moved);
            at += part;
        }
        dirty.clear();
        for &state in &moved {
            for &from in before.states(state) {
                if !std::mem::replace(&mut marked[from as usize], true) {
                    dirty.push(from);
                }
            }
        }
        dirty.iter().for_each(|&state| marked[state as usize] = false);
    }
    partition.block
}

/// A block, the hash of where a state of it leads, the state.
type Keyed = (u32, u64, u32);

/// Blocks of states; the states of one block stand side by side.
struct Partition {
    block: Vec<u32>,
    order: Vec<u32>,
    place: Vec<u32>,
    /// Where each block begins in the order, and how many states it has.
    ranges: Vec<(usize, usize)>,
}

impl Partition {
    fn whole(states: usize) -> Partition {
        let order: Vec<u32> = (0..states as u32).collect();
        Partition { block: vec![0; states], place: order.clone(), order, ranges: vec![(0, states)] }
    }

    /// Splits a block into groups of the listed states, with these lengths, and the states not listed: those lead
    /// where they led, so they are still alike, and unlike every listed one. The largest part keeps the number of
    /// the block; the states of the others have moved.
    fn split(&mut self, listed: &[Keyed], lengths: &mut Vec<usize>, moved: &mut Vec<u32>) {
        let old = listed[0].0;
        let (first, size) = self.ranges[old as usize];
        for (at, &(_, _, state)) in listed.iter().enumerate() {
            let (to, from) = (first + at, self.place[state as usize] as usize);
            let other = self.order[to];
            self.order.swap(to, from);
            self.place[state as usize] = to as u32;
            self.place[other as usize] = from as u32;
        }
        if listed.len() < size {
            lengths.push(size - listed.len());
        }
        let largest = (0..lengths.len()).max_by_key(|&g| lengths[g]).expect("a block has a part");
        let mut from = first;
        for (group, &length) in lengths.iter().enumerate() {
            if group == largest {
                self.ranges[old as usize] = (from, length);
            } else {
                let new = self.ranges.len() as u32;
                self.ranges.push((from, length));
                for &state in &self.order[from..from + length] {
                    self.block[state as usize] = new;
                    moved.push(state);
                }
            }
            from += length;
        }
    }
}

/// The states before each state.
struct Before {
    starts: Vec<u32>,
    states: Vec<u32>,
}

impl Before {
    fn of(table: &Table, states: usize) -> Before {
        let mut starts = vec![0u32; states + 1];
        let edges = || table.targets.iter().enumerate().filter(|&(_, &target)| target != NONE);
        edges().for_each(|(_, &target)| starts[target as usize + 1] += 1);
        for state in 0..states {
            starts[state + 1] += starts[state];
        }
        let mut free = starts.clone();
        let mut from = vec![0; starts[states] as usize];
        for (at, &target) in edges() {
            from[free[target as usize] as usize] = (at / table.classes) as u32;
            free[target as usize] += 1;
        }
        Before { starts, states: from }
    }

    fn states(&self, state: u32) -> &[u32] {
        &self.states[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }
}

/// The targets of one state of each block, numbered breadth first.
fn renumber(table: &Table, block: &[u32]) -> Vec<u32> {
    let blocks = block.iter().max().map_or(0, |&last| last as usize + 1);
    let mut number = vec![NONE; blocks];
    number[block[0] as usize] = 0;
    let (mut order, mut targets) = (vec![0u32], Vec::with_capacity(blocks * table.classes));
    let mut at = 0;
    while at < order.len() {
        for &target in &table.targets[order[at] as usize * table.classes..][..table.classes] {
            if target == NONE {
                targets.push(NONE);
                continue;
            }
            let number = &mut number[block[target as usize] as usize];
            if *number == NONE {
                *number = order.len() as u32;
                order.push(target);
            }
            targets.push(*number);
        }
        at += 1;
    }
    targets
}
