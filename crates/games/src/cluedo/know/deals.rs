//! Counting deals when endmoves have removed worlds.
//!
//! A deal counts when some choice of shown cards keeps every endmove. The lazy engine finds reasons that together rule out
//! exactly the worlds that break one. Deals and reasons become a decision diagram with one variable for each card and
//! place, and one for each card of a show that a reason mentions; those of the shows are quantified away, and the rest is
//! counted. Exactly one variable of a card is true, so no path to true skips a level: every edge leads to the next one.

use super::find::{Literal, Region, Table, bits};
use super::law::{Build, Order, Shown};
use crate::cards::CardSet;
use ken_logic::bdd::{Bdd, Full, OxiddBdd, Split};
use ken_logic::model::symbolic::any;
use rustc_hash::FxHashMap;

/// How many deals fit, and where the cards are in them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The number of deals.
    pub deals: u128,
    /// The possible envelopes, each with its number of deals.
    pub envelopes: Vec<(CardSet, u128)>,
    /// For each place, the envelope last, and each card the number of deals in which the card is there.
    pub marginals: Vec<Vec<u128>>,
}

/// Counts the deals of the region whose envelope is none of `never` and that survive, with some choice of shown cards,
/// all the reasons.
pub(super) fn count(
    table: &Table,
    region: &Region,
    never: &[u64],
    reasons: &[Vec<Literal>],
    capacity: ken_logic::bdd::Capacity,
) -> Result<Solved, Full> {
    let mut shows: Vec<u16> =
        reasons.iter().flatten().filter_map(|l| if let Literal::Show(e, _) = l { Some(*e) } else { None }).collect();
    shows.sort_unstable();
    shows.dedup();
    let (told, rest): (Vec<Shown>, Vec<Shown>) =
        (0..).zip(region.shown.iter().copied()).partition(|(e, _)| shows.binary_search(e).is_ok());
    let sequence = bits(table.cards).map(|b| b.trailing_zeros() as u8).collect();
    let order = Order::new(table, &region.may, sequence, &told);
    let bdd = OxiddBdd::open(order.vars, capacity)?;
    let build = Build { table, may: &region.may, order: &order, bdd: &bdd };
    let mut deals = build.deals()?;
    for show in rest {
        deals = bdd.and(&deals, &build.held(show)?)?;
    }
    let envelope = table.envelope() as u8;
    let mut wrong = Vec::new();
    for &triple in never {
        wrong.push(build.cube(bits(triple).map(|b| Literal::At(b.trailing_zeros() as u8, envelope)))?);
    }
    for reason in reasons {
        wrong.push(build.cube(reason.iter().copied())?);
    }
    let right = bdd.not(&any(&bdd, wrong)?)?;
    let mut choice = bdd.constant(true);
    for show in told {
        choice = bdd.and(&choice, &build.choice(show)?)?;
    }
    let kept = bdd.and(&right, &choice)?;
    let cube = bdd.cube(order.show.values().copied())?;
    let left = bdd.and_exists(&deals, &kept, &cube)?;
    Ok(tally(&bdd, &left, &order, table))
}

/// The nodes of one variable: where they lead if it is true and if it is false, and how many ways lead to them.
struct Level<F> {
    var: u32,
    nodes: Vec<(F, F)>,
    above: Vec<u128>,
}

/// Counts a diagram level by level: down for how many ways lead to a node, up for how many lead on and to which envelopes.
fn tally<B: Bdd>(bdd: &B, root: &B::F, order: &Order, table: &Table) -> Solved {
    let mut solved = Solved {
        deals: 0,
        envelopes: Vec::new(),
        marginals: vec![vec![0; table.cards.count_ones() as usize]; table.envelope() + 1],
    };
    let no = bdd.constant(false);
    if *root == no {
        return solved;
    }
    let mut levels: Vec<Level<B::F>> = Vec::new();
    let mut front: Vec<(B::F, u128)> = vec![(root.clone(), 1)];
    loop {
        let mut level = Level { var: 0, nodes: Vec::new(), above: Vec::new() };
        let mut next: Vec<(B::F, u128)> = Vec::new();
        let mut index: FxHashMap<B::F, usize> = FxHashMap::default();
        for (f, above) in front {
            let Split::Node { var, hi, lo } = bdd.split(&f) else { continue };
            level.var = var;
            for to in [&hi, &lo].into_iter().filter(|to| **to != no) {
                let i = *index.entry(to.clone()).or_insert_with(|| {
                    next.push((to.clone(), 0));
                    next.len() - 1
                });
                next[i].1 += above;
            }
            level.nodes.push((hi, lo));
            level.above.push(above);
        }
        if level.nodes.is_empty() {
            break;
        }
        levels.push(level);
        front = next;
    }
    // Below a node: the cards of the envelope that are still to come, each with its number of deals.
    type Below = Vec<(CardSet, u128)>;
    let mut below: FxHashMap<B::F, Below> = FxHashMap::default();
    below.insert(bdd.constant(true), vec![(CardSet::EMPTY, 1)]);
    for depth in (0..levels.len()).rev() {
        let level = &levels[depth];
        let (card, place) = order.cards[&level.var];
        let in_envelope = place as usize == table.envelope();
        let mut here: Vec<Below> = Vec::with_capacity(level.nodes.len());
        for ((hi, lo), above) in level.nodes.iter().zip(&level.above) {
            let mut ways: Below = below.get(hi).cloned().unwrap_or_default();
            let total: u128 = ways.iter().map(|w| w.1).sum();
            solved.marginals[place as usize][card as usize] += above * total;
            if in_envelope {
                ways.iter_mut().for_each(|w| w.0 = CardSet(w.0.0 | 1 << card));
            }
            ways.extend(below.get(lo).into_iter().flatten());
            ways.sort_unstable_by_key(|w| w.0);
            ways.dedup_by(|from, into| {
                let same = from.0 == into.0;
                into.1 += if same { from.1 } else { 0 };
                same
            });
            here.push(ways);
        }
        below.clear();
        if depth == 0 {
            solved.envelopes = here.swap_remove(0);
            break;
        }
        // The nodes of this level are the targets of the one above, in the order of their first use.
        let mut ways = here.into_iter();
        for (hi, lo) in &levels[depth - 1].nodes {
            for to in [hi, lo] {
                if *to != no && !below.contains_key(to) {
                    below.insert(to.clone(), ways.next().expect("a node for every target"));
                }
            }
        }
    }
    solved.deals = solved.envelopes.iter().map(|e| e.1).sum();
    solved
}
