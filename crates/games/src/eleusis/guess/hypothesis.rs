//! One rule of the space: what it accepts, how it is written, how likely it was, and the best of those that fit.

use super::atoms::{NEXT, PREV};
use super::posterior::Evidence;
use super::prior::Form;
use super::space::{CARDS, Context, Join, Space, whole_ranks};
use super::splits::BRANCHES;
use crate::cards::{Card, CardSet};
use crate::eleusis::rule::Test;

/// A rule of the space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hypothesis {
    /// One atom.
    Single(u16),
    /// A split and the atoms of its branches.
    Split(u16, [u16; BRANCHES]),
    /// Two atoms joined, the first with the smaller number.
    Joined(Join, u16, u16),
    /// The cards of these ranks.
    Ranks(u16),
    /// The cards of these ranks in turns with the others.
    Turns(u16),
}

impl Hypothesis {
    /// The cards it accepts after the line.
    pub(super) fn cards(&self, space: &Space, context: Context) -> u64 {
        let atom = |at: u16| space.atoms[at as usize].cards(context);
        match *self {
            Hypothesis::Single(at) => atom(at),
            Hypothesis::Split(split, branches) => {
                let split = &space.splits[split as usize];
                match split.cards(context) {
                    None => super::space::DECK.all().0,
                    Some(sides) => (0..split.branches())
                        .filter(|&b| sides[b] != 0)
                        .map(|b| sides[b] & atom(branches[b]))
                        .fold(0, |all, part| all | part),
                }
            }
            Hypothesis::Joined(join, a, b) => join.apply(atom(a), atom(b)),
            Hypothesis::Ranks(ranks) => whole_ranks(ranks).0,
            Hypothesis::Turns(ranks) => {
                let set = whole_ranks(ranks);
                let last = context.back(1).expect("a line has a starter");
                if set.has(last) { super::space::DECK.all().minus(set).0 } else { set.0 }
            }
        }
    }

    /// Its prior.
    pub(super) fn prior(&self, space: &Space) -> f64 {
        let atom = |at: u16| space.atoms[at as usize].part;
        match *self {
            Hypothesis::Single(at) => space.share(Form::Single) * space.atoms[at as usize].weight,
            Hypothesis::Split(split, branches) => {
                let split = &space.splits[split as usize];
                let product: f64 = branches[..split.branches()].iter().map(|&at| atom(at)).product();
                let mut ways = space.share(Form::Split) * product;
                if let [a, b] = branches[..split.branches()] {
                    let opposed = space.partners[a as usize].iter().filter(|pair| pair.0 == b);
                    ways += space.share(Form::Opposed) * opposed.map(|pair| pair.1).sum::<f64>();
                    ways += [(a, b), (b, a)]
                        .iter()
                        .filter(|way| way.1 == space.anything)
                        .map(|way| 0.5 * space.share(Form::Free) * atom(way.0))
                        .sum::<f64>();
                }
                if space.deals.contains(&branches) && split.branches() == BRANCHES {
                    ways += space.share(Form::Dealt) / space.deals.len() as f64;
                }
                split.weight * ways
            }
            Hypothesis::Joined(join, a, b) => 2.0 * space.share(join.form()) * atom(a) * atom(b),
            Hypothesis::Ranks(_) => space.share(Form::Ranks) / 8192.0,
            Hypothesis::Turns(_) => space.share(Form::Turns) / 4096.0,
        }
    }

    /// The rule as a condition of the language.
    pub fn test(&self) -> Test {
        let space = Space::standard();
        let atom = |at: u16| space.atoms[at as usize].test.clone();
        match *self {
            Hypothesis::Single(at) => atom(at),
            Hypothesis::Split(split, branches) => {
                let split = &space.splits[split as usize];
                let tests: Vec<Test> = branches[..split.branches()].iter().map(|&at| atom(at)).collect();
                split.rule(&tests)
            }
            Hypothesis::Joined(Join::And, a, b) => Test::And(vec![atom(a), atom(b)]),
            Hypothesis::Joined(Join::Or, a, b) => Test::Or(vec![atom(a), atom(b)]),
            Hypothesis::Joined(Join::Xor, a, b) => Test::Not(Box::new(Test::Iff(Box::new(atom(a)), Box::new(atom(b))))),
            Hypothesis::Ranks(ranks) => Test::In(NEXT, whole_ranks(ranks)),
            Hypothesis::Turns(ranks) => {
                let set = whole_ranks(ranks);
                let alike = Test::Iff(Box::new(Test::In(NEXT, set)), Box::new(Test::In(PREV, set)));
                Test::Not(Box::new(alike))
            }
        }
    }
}

/// Rules that fit and will judge alike from here on, as far as the probes tell.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// The likeliest way to say it.
    pub rule: Hypothesis,
    /// All ways that were looked at.
    pub ways: Vec<Hypothesis>,
    /// Their prior mass together.
    pub mass: f64,
}

/// How many of the likeliest atoms of a branch are tried.
const TRIED: usize = 4;

/// How many of the likeliest atoms are tried in pairs.
const PAIRED: usize = 160;

/// How many rules are kept.
const KEPT: usize = 96;

/// How many pairs of cards are laid to tell meanings apart.
const PROBES: usize = 24;

impl Evidence {
    /// The likeliest rules that fit, the likeliest first.
    pub fn likeliest(&self) -> Vec<(Hypothesis, f64)> {
        let space = self.space;
        let mut found: Vec<(Hypothesis, f64)> = Vec::new();
        let fits = |at: &usize| self.yes[*at] == self.accepted;
        let singles: Vec<usize> = (0..space.atoms.len()).filter(fits).collect();
        found.extend(singles.iter().map(|&at| {
            let rule = Hypothesis::Single(at as u16);
            (rule, rule.prior(space))
        }));
        self.likely_splits(&mut found);
        self.likely_pairs(&mut found);
        self.likely_ranks(&mut found);
        found.retain(|(rule, _)| !self.denied.contains(rule));
        if found.len() > KEPT {
            found.select_nth_unstable_by(KEPT, |a, b| b.1.total_cmp(&a.1));
            found.truncate(KEPT);
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }

    fn likely_splits(&self, found: &mut Vec<(Hypothesis, f64)>) {
        let space = self.space;
        for (at, split) in space.splits.iter().enumerate().filter(|(at, _)| self.alive[*at]) {
            let branches = split.branches();
            let mut best: Vec<Vec<u16>> = Vec::with_capacity(branches);
            for &plays in &self.branch[at][..branches] {
                let fit = |&&atom: &&u16| (self.yes[atom as usize] ^ self.accepted) & plays == 0;
                best.push(space.by_weight.iter().filter(fit).take(TRIED).copied().collect());
            }
            let width = if branches > 2 { 2 } else { TRIED };
            let mut ways: Vec<[u16; BRANCHES]> = vec![[0; BRANCHES]];
            for (b, best) in best.iter().enumerate() {
                let longer = |way: &[u16; BRANCHES]| {
                    let way = *way;
                    best.iter().take(width).map(move |&atom| {
                        let mut longer = way;
                        longer[b] = atom;
                        longer
                    })
                };
                ways = ways.iter().flat_map(longer).collect();
            }
            if let [first, second] = self.branch[at][..branches] {
                let fits = |atom: u16, plays: u128| (self.yes[atom as usize] ^ self.accepted) & plays == 0;
                let pairs = space.opposed.iter().filter(|pair| fits(pair.0, first) && fits(pair.1, second));
                ways.extend(pairs.map(|pair| [pair.0, pair.1, 0, 0]));
                ways.extend(
                    best[0].iter().map(|&atom| [atom, space.anything, 0, 0]).filter(|way| fits(way[1], second)),
                );
                ways.extend(best[1].iter().map(|&atom| [space.anything, atom, 0, 0]).filter(|way| fits(way[0], first)));
                ways.sort_unstable();
                ways.dedup();
            }
            if branches == BRANCHES {
                let fits = |deal: &&[u16; BRANCHES]| self.deal_fits(at, deal);
                ways.extend(space.deals.iter().filter(fits));
                ways.sort_unstable();
                ways.dedup();
            }
            for way in ways.into_iter().filter(|way| way[1..branches].iter().any(|&atom| atom != way[0])) {
                let rule = Hypothesis::Split(at as u16, way);
                found.push((rule, rule.prior(space)));
            }
        }
    }

    fn likely_pairs(&self, found: &mut Vec<(Hypothesis, f64)>) {
        let space = self.space;
        for join in Join::ALL {
            let may = |&&at: &&u16| {
                let atom = &space.atoms[at as usize];
                self.may_join(join, self.yes[at as usize]) && atom.joins()
            };
            let parts: Vec<u16> = space.by_weight.iter().filter(may).take(PAIRED).copied().collect();
            for (i, &a) in parts.iter().enumerate() {
                for &b in &parts[i + 1..] {
                    if self.joined(join, self.yes[a as usize], self.yes[b as usize]) {
                        let rule = Hypothesis::Joined(join, a.min(b), a.max(b));
                        found.push((rule, rule.prior(space)));
                    }
                }
            }
        }
    }

    fn likely_ranks(&self, found: &mut Vec<(Hypothesis, f64)>) {
        let all = (1u16 << 13) - 1;
        if let Some((with, without)) = self.needed_ranks()
            && (with | without).count_ones() >= 11
        {
            let free = all & !(with | without);
            let mut part = free;
            loop {
                let rule = Hypothesis::Ranks(with | part);
                found.push((rule, rule.prior(self.space)));
                if part == 0 {
                    break;
                }
                part = (part - 1) & free;
            }
        }
        if let Some(classes) = self.rank_classes() {
            let roots = classes.iter().fold(0u16, |seen, entry| seen | 1 << entry.0);
            if roots.count_ones() <= 3 {
                let others = roots & !(1 << classes[0].0);
                let mut part = others;
                loop {
                    let side = |rank: &usize| classes[*rank].1 ^ (part >> classes[*rank].0 & 1 == 1);
                    let set = (0..13).filter(side).fold(0u16, |set, rank| set | 1 << rank);
                    let rule = Hypothesis::Turns(set);
                    found.push((rule, rule.prior(self.space)));
                    if part == 0 {
                        break;
                    }
                    part = (part - 1) & others;
                }
            }
        }
    }

    /// The likeliest rules, those that mean the same from here on together, the likeliest meaning first.
    pub(super) fn meanings(&self, rules: &[(Hypothesis, f64)], dice: &mut crate::dice::Dice) -> Vec<Meaning> {
        let pairs: Vec<(Card, Card)> =
            (0..PROBES).map(|_| (Card(dice.below(CARDS) as u8), Card(dice.below(CARDS) as u8))).collect();
        let mut line = self.line.clone();
        let mut meanings: Vec<(Vec<u64>, Meaning)> = Vec::new();
        for &(rule, mass) in rules {
            let now = rule.cards(self.space, self.context());
            let mut signature = vec![u64::MAX; 1 + CARDS + PROBES];
            signature[0] = now;
            for card in CardSet(now).iter() {
                line.push(card);
                signature[1 + card.index()] = rule.cards(self.space, Context { line: &line });
                line.pop();
            }
            for (at, &(first, second)) in pairs.iter().enumerate() {
                let then = signature[1 + first.index()];
                if then != u64::MAX && CardSet(then).has(second) {
                    line.extend([first, second]);
                    signature[1 + CARDS + at] = rule.cards(self.space, Context { line: &line });
                    line.truncate(self.line.len());
                }
            }
            match meanings.iter_mut().find(|(known, _)| *known == signature) {
                Some((_, meaning)) => {
                    meaning.ways.push(rule);
                    meaning.mass += mass;
                }
                None => meanings.push((signature, Meaning { rule, ways: vec![rule], mass })),
            }
        }
        let mut meanings: Vec<Meaning> = meanings.into_iter().map(|(_, meaning)| meaning).collect();
        meanings.sort_by(|a, b| b.mass.total_cmp(&a.mass));
        meanings
    }
}
