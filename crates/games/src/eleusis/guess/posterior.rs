//! What the cards so far say: the exact posterior over the whole space, without listing it.
//!
//! Atoms that judged every card alike so far are one group. The sums over splits factor into their branches, the
//! sums over joined pairs into pairs of groups, so millions of millions of rules cost some thousand additions.

use super::hypothesis::Hypothesis;
use super::prior::Form;
use super::space::{CARDS, Context, DECK, Join, Space};
use super::splits::BRANCHES;
use crate::cards::{Card, CardSet};
use crate::eleusis::layout::Layout;
use rustc_hash::FxHashMap;

/// The judgements that are remembered bit by bit: the latest so many.
pub const MEMORY: usize = 128;

/// A card that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// How many cards lay before it.
    pub after: usize,
    /// The card.
    pub card: Card,
    /// Whether it was accepted.
    pub accepted: bool,
}

/// Everything seen of one round, and how each atom and split saw it.
#[derive(Clone)]
pub struct Evidence {
    pub(super) space: &'static Space,
    pub(super) line: Vec<Card>,
    pub(super) plays: Vec<Play>,
    /// For each atom, the plays whose card it accepts.
    pub(super) yes: Vec<u128>,
    /// For each atom, the cards it accepts now.
    pub(super) now: Vec<u64>,
    /// The plays that were accepted.
    pub(super) accepted: u128,
    /// All plays.
    pub(super) all: u128,
    /// For each split, the plays of each branch.
    pub(super) branch: Vec<[u128; BRANCHES]>,
    /// For each split, whether it refused nothing while it could not tell.
    pub(super) alive: Vec<bool>,
    /// For each split, the branches of the cards now.
    pub(super) sides: Vec<Option<[u64; BRANCHES]>>,
    /// Rules that were named and are not the rule.
    pub(super) denied: Vec<Hypothesis>,
}

/// The posterior of what each card would be judged.
#[derive(Clone)]
pub struct Prediction {
    /// The prior mass of all rules that fit.
    pub mass: f64,
    /// For each card, the part of it that accepts the card.
    pub accepts: [f64; CARDS],
}

impl Prediction {
    /// The probability that the card is accepted.
    pub fn chance(&self, card: Card) -> f64 {
        if self.mass > 0.0 { (self.accepts[card.index()] / self.mass).clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// Atoms that judged alike.
pub(super) struct Group {
    pub yes: u128,
    pub weight: f64,
    /// For each card, the weight of the atoms that accept it now.
    pub cards: [f64; CARDS],
}

/// Pairs of opposite atoms whose parts judged alike.
struct Opposites {
    yes: [u128; 2],
    weight: f64,
    cards: [[f64; CARDS]; 2],
}

impl Evidence {
    /// The start of a round.
    pub fn new(starter: Card) -> Evidence {
        Evidence::in_space(Space::standard(), starter)
    }

    /// The start of a round, with another prior.
    pub fn in_space(space: &'static Space, starter: Card) -> Evidence {
        let mut evidence = Evidence {
            space,
            line: vec![starter],
            plays: Vec::new(),
            yes: vec![0; space.atoms.len()],
            now: Vec::new(),
            accepted: 0,
            all: 0,
            branch: vec![[0; BRANCHES]; space.splits.len()],
            alive: vec![true; space.splits.len()],
            sides: Vec::new(),
            denied: Vec::new(),
        };
        evidence.look();
        evidence
    }

    /// What lies on a table; `None` if there is no starter, or more was judged than is remembered.
    pub fn of(layout: &Layout) -> Option<Evidence> {
        if layout.judged().count() > MEMORY {
            return None;
        }
        let mut evidence = Evidence::new(*layout.mainline().first()?);
        layout.judged().for_each(|judged| evidence.observe(judged.card, judged.accepted));
        Some(evidence)
    }

    /// The accepted cards, the starter first.
    pub fn line(&self) -> &[Card] {
        &self.line
    }

    /// The judged cards.
    pub fn plays(&self) -> &[Play] {
        &self.plays
    }

    pub(super) fn context(&self) -> Context<'_> {
        Context { line: &self.line }
    }

    fn look(&mut self) {
        let context = Context { line: &self.line };
        self.now = self.space.atoms.iter().map(|atom| atom.cards(context)).collect();
        self.sides = self.space.splits.iter().map(|split| split.cards(context)).collect();
    }

    /// Learns how a card was judged.
    pub fn observe(&mut self, card: Card, accepted: bool) {
        let bit = 1u128 << (self.plays.len() % MEMORY);
        let put = |bits: &mut u128, on: bool| *bits = if on { *bits | bit } else { *bits & !bit };
        put(&mut self.accepted, accepted);
        self.all |= bit;
        for (yes, now) in self.yes.iter_mut().zip(&self.now) {
            put(yes, now >> card.0 & 1 == 1);
        }
        for ((branch, alive), sides) in self.branch.iter_mut().zip(&mut self.alive).zip(&self.sides) {
            for (at, bits) in branch.iter_mut().enumerate() {
                put(bits, sides.is_some_and(|sides| sides[at] >> card.0 & 1 == 1));
            }
            *alive &= accepted || sides.is_some();
        }
        self.plays.push(Play { after: self.line.len(), card, accepted });
        if accepted {
            self.line.push(card);
            self.look();
        }
    }

    /// Learns that these ways to say a rule are not the rule.
    pub fn deny(&mut self, rules: impl IntoIterator<Item = Hypothesis>) {
        for rule in rules {
            if !self.denied.contains(&rule) {
                self.denied.push(rule);
            }
        }
    }

    /// Whether the rule judges every card as it was judged.
    pub(super) fn fits(&self, rule: &Hypothesis) -> bool {
        self.plays.iter().all(|play| {
            let context = Context { line: &self.line[..play.after] };
            (rule.cards(self.space, context) >> play.card.0 & 1 == 1) == play.accepted
        })
    }

    /// The groups of atoms (`near`: those only that may be joined).
    pub(super) fn groups(&self, near: bool) -> Vec<Group> {
        let mut at: FxHashMap<u128, usize> = FxHashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        for ((atom, &yes), &now) in self.space.atoms.iter().zip(&self.yes).zip(&self.now) {
            if near && !atom.joins() {
                continue;
            }
            let index = *at.entry(yes).or_insert_with(|| {
                groups.push(Group { yes, weight: 0.0, cards: [0.0; CARDS] });
                groups.len() - 1
            });
            let group = &mut groups[index];
            group.weight += atom.part;
            for card in CardSet(now).iter() {
                group.cards[card.index()] += atom.part;
            }
        }
        groups
    }

    /// The posterior of the next judgement of every card.
    pub fn predict(&self) -> Prediction {
        let mut sum = Prediction { mass: 0.0, accepts: [0.0; CARDS] };
        let (groups, near) = (self.groups(false), self.groups(true));
        self.singles(&mut sum);
        self.halves(&mut sum);
        self.splits(&groups, &mut sum);
        self.joins(&near, &mut sum);
        self.deals(&mut sum);
        self.rank_sets(&mut sum);
        self.rank_turns(&mut sum);
        for rule in self.denied.iter().filter(|rule| self.fits(rule)) {
            let mass = rule.prior(self.space);
            sum.mass -= mass;
            for card in CardSet(rule.cards(self.space, self.context())).iter() {
                sum.accepts[card.index()] -= mass;
            }
        }
        sum
    }

    /// How many rules of the space fit, each way to write one counted, but none made of equal parts.
    pub fn survivors(&self) -> f64 {
        let mut counts: FxHashMap<u128, (f64, f64)> = FxHashMap::default();
        for (atom, &yes) in self.space.atoms.iter().zip(&self.yes) {
            let (all, joining) = counts.entry(yes).or_default();
            *all += 1.0;
            *joining += f64::from(u8::from(atom.joins()));
        }
        let fitting = |plays: u128| -> f64 {
            counts.iter().filter(|(yes, _)| (**yes ^ self.accepted) & plays == 0).map(|(_, count)| count.0).sum()
        };
        let mut sum = fitting(self.all);
        for at in (0..self.space.splits.len()).filter(|&at| self.alive[at]) {
            let branches = &self.branch[at][..self.space.splits[at].branches()];
            let told = branches.iter().fold(0, |plays, branch| plays | branch);
            sum += branches.iter().map(|&plays| fitting(plays)).product::<f64>() - fitting(told);
        }
        for join in Join::ALL {
            let may: Vec<(u128, f64)> = counts
                .iter()
                .filter(|(yes, count)| count.1 > 0.0 && self.may_join(join, **yes))
                .map(|(yes, count)| (*yes, count.1))
                .collect();
            for &(a, first) in &may {
                let partners = may.iter().filter(|other| self.joined(join, a, other.0)).map(|other| other.1);
                let own = if self.joined(join, a, a) { first } else { 0.0 };
                sum += 0.5 * (first * partners.sum::<f64>() - own);
            }
        }
        let free_ranks = |(with, without): (u16, u16)| (13.0 - f64::from((with | without).count_ones())).exp2();
        let free_classes = |class: [(usize, bool); 13]| {
            (f64::from(class.iter().fold(0u16, |seen, entry| seen | 1 << entry.0).count_ones()) - 1.0).exp2()
        };
        sum + self.needed_ranks().map_or(0.0, free_ranks) + self.rank_classes().map_or(0.0, free_classes)
    }

    fn singles(&self, sum: &mut Prediction) {
        for atom in (0..self.yes.len()).filter(|&atom| self.yes[atom] == self.accepted) {
            sum.add_rule(self.space.share(Form::Single) * self.space.atoms[atom].weight, self.now[atom]);
        }
    }

    /// The pairs of opposites, grouped by how both judged so far.
    fn opposites(&self) -> Vec<Opposites> {
        let mut at: FxHashMap<(u128, u128), usize> = FxHashMap::default();
        let mut groups: Vec<Opposites> = Vec::new();
        for &(a, b, weight) in &self.space.opposed {
            let (a, b) = (a as usize, b as usize);
            let index = *at.entry((self.yes[a], self.yes[b])).or_insert_with(|| {
                let yes = [self.yes[a], self.yes[b]];
                groups.push(Opposites { yes, weight: 0.0, cards: [[0.0; CARDS]; 2] });
                groups.len() - 1
            });
            let group = &mut groups[index];
            group.weight += weight;
            for (cards, now) in group.cards.iter_mut().zip([self.now[a], self.now[b]]) {
                CardSet(now).iter().for_each(|card| cards[card.index()] += weight);
            }
        }
        groups
    }

    /// The splits with an atom in one branch and its opposite in the other.
    fn halves(&self, sum: &mut Prediction) {
        let groups = self.opposites();
        let two = self.space.splits.iter().enumerate().filter(|(at, split)| self.alive[*at] && split.branches() == 2);
        for (at, split) in two {
            let share = self.space.share(Form::Opposed) * split.weight;
            let [first, second, ..] = self.branch[at];
            let fits = |group: &&Opposites| {
                (group.yes[0] ^ self.accepted) & first | (group.yes[1] ^ self.accepted) & second == 0
            };
            for group in groups.iter().filter(fits) {
                sum.mass += share * group.weight;
                match self.sides[at] {
                    None => sum.accepts.iter_mut().for_each(|accepts| *accepts += share * group.weight),
                    Some(sides) => {
                        for (side, cards) in sides.iter().zip(&group.cards) {
                            sum.add_cards(share, *side, cards);
                        }
                    }
                }
            }
        }
    }

    /// Whether the suits dealt to the branches of a split fit.
    pub(super) fn deal_fits(&self, split: usize, deal: &[u16; BRANCHES]) -> bool {
        let plays = &self.branch[split];
        deal.iter().zip(plays).all(|(&atom, plays)| (self.yes[atom as usize] ^ self.accepted) & plays == 0)
    }

    /// The splits into four whose branches are the four suits in some order.
    fn deals(&self, sum: &mut Prediction) {
        let each = self.space.share(Form::Dealt) / self.space.deals.len() as f64;
        let four = |at: &usize| self.alive[*at] && self.space.splits[*at].branches() == BRANCHES;
        for at in (0..self.space.splits.len()).filter(four) {
            for deal in self.space.deals.iter().filter(|deal| self.deal_fits(at, deal)) {
                let cards = self.sides[at].map_or(DECK.all().0, |sides| {
                    sides.iter().zip(deal).fold(0, |cards, (side, &atom)| cards | side & self.now[atom as usize])
                });
                sum.add_rule(each * self.space.splits[at].weight, cards);
            }
        }
    }

    /// The splits with any atom in each branch, and those with an atom in one and anything in the other.
    fn splits(&self, groups: &[Group], sum: &mut Prediction) {
        let anything = self.yes[self.space.anything as usize];
        for (at, split) in self.space.splits.iter().enumerate().filter(|(at, _)| self.alive[*at]) {
            let branches = split.branches();
            let parts: Vec<Group> =
                self.branch[at][..branches].iter().map(|&plays| self.total(groups, plays)).collect();
            let product: f64 = parts.iter().map(|part| part.weight).product();
            let share = self.space.share(Form::Split) * split.weight;
            // The same atom in every branch is that atom alone, and counted there.
            let told = self.branch[at].iter().fold(0, |plays, branch| plays | branch);
            let fitting: Vec<usize> =
                (0..self.yes.len()).filter(|&atom| (self.yes[atom] ^ self.accepted) & told == 0).collect();
            let same = |atom: usize| share * (0..branches).map(|_| self.space.atoms[atom].part).product::<f64>();
            let again: f64 = fitting.iter().map(|&atom| same(atom)).sum();
            if share * product > again {
                sum.mass += share * product - again;
                match self.sides[at] {
                    None => sum.accepts.iter_mut().for_each(|accepts| *accepts += share * product - again),
                    Some(sides) => {
                        for (b, part) in parts.iter().enumerate().filter(|(b, _)| sides[*b] != 0) {
                            let others = (0..branches).filter(|&other| other != b).map(|other| parts[other].weight);
                            sum.add_cards(share * others.product::<f64>(), sides[b], &part.cards);
                        }
                        for &atom in &fitting {
                            let mass = same(atom);
                            CardSet(self.now[atom]).iter().for_each(|card| sum.accepts[card.index()] -= mass);
                        }
                    }
                }
            }
            if branches == 2 {
                let share = 0.5 * self.space.share(Form::Free) * split.weight;
                for (bound, free) in [(0, 1), (1, 0)] {
                    if (anything ^ self.accepted) & self.branch[at][free] != 0 {
                        continue;
                    }
                    let mass = share * parts[bound].weight;
                    sum.mass += mass;
                    match self.sides[at] {
                        None => sum.accepts.iter_mut().for_each(|accepts| *accepts += mass),
                        Some(sides) => {
                            sum.add_cards(share, sides[bound], &parts[bound].cards);
                            CardSet(sides[free]).iter().for_each(|card| sum.accepts[card.index()] += mass);
                        }
                    }
                }
            }
        }
    }

    /// The atoms that judged those plays right, together.
    fn total(&self, groups: &[Group], plays: u128) -> Group {
        let mut total = Group { yes: 0, weight: 0.0, cards: [0.0; CARDS] };
        for group in groups.iter().filter(|group| (group.yes ^ self.accepted) & plays == 0) {
            total.weight += group.weight;
            total.cards.iter_mut().zip(&group.cards).for_each(|(to, from)| *to += from);
        }
        total
    }

    fn joins(&self, groups: &[Group], sum: &mut Prediction) {
        for join in Join::ALL {
            let share = self.space.share(join.form());
            let candidates: Vec<&Group> = groups.iter().filter(|group| self.may_join(join, group.yes)).collect();
            let mut with: FxHashMap<u128, Vec<usize>> = FxHashMap::default();
            if join == Join::Xor {
                candidates.iter().enumerate().for_each(|(at, group)| with.entry(group.yes).or_default().push(at));
            }
            for group in &candidates {
                let (mut weight, mut cards) = (0.0, [0.0; CARDS]);
                let mut add = |other: &Group| {
                    weight += other.weight;
                    cards.iter_mut().zip(&other.cards).for_each(|(to, from)| *to += from);
                };
                match join {
                    Join::Xor => {
                        let partners = with.get(&(group.yes ^ self.accepted)).map_or(&[][..], |at| at);
                        partners.iter().for_each(|&at| add(candidates[at]));
                    }
                    Join::And | Join::Or => {
                        candidates.iter().filter(|o| self.joined(join, group.yes, o.yes)).for_each(|o| add(o));
                    }
                }
                let mut joint = [0.0; CARDS];
                for (x, joint) in joint.iter_mut().enumerate() {
                    let (a, b) = (group.cards[x], cards[x]);
                    *joint = match join {
                        Join::And => a * b,
                        Join::Or => group.weight * b + a * weight - a * b,
                        Join::Xor => a * (weight - b) + (group.weight - a) * b,
                    };
                }
                sum.add(share, group.weight * weight, &joint);
            }
            // An atom joined with itself is that atom, or never holds: no pair.
            for (at, atom) in self.space.atoms.iter().enumerate().filter(|(_, atom)| atom.joins()) {
                if self.joined(join, self.yes[at], self.yes[at]) {
                    sum.add_rule(-share * atom.part * atom.part, join.apply(self.now[at], self.now[at]));
                }
            }
        }
    }

    /// Whether an atom that judged so can be a part of such a pair.
    pub(super) fn may_join(&self, join: Join, yes: u128) -> bool {
        match join {
            Join::And => yes & self.accepted == self.accepted,
            Join::Or => yes & !self.accepted == 0,
            Join::Xor => true,
        }
    }

    /// Whether two atoms that judged so make a pair that fits.
    pub(super) fn joined(&self, join: Join, a: u128, b: u128) -> bool {
        match join {
            Join::And => a & b == self.accepted,
            Join::Or => (a | b) == self.accepted,
            Join::Xor => a ^ b == self.accepted,
        }
    }

    /// Which ranks a set of ranks must have and must not have; `None` if no set of ranks fits.
    pub(super) fn needed_ranks(&self) -> Option<(u16, u16)> {
        let (mut with, mut without) = (0u16, 0u16);
        for play in &self.plays {
            let bit = 1 << (DECK.rank(play.card) - 1);
            if play.accepted { with |= bit } else { without |= bit }
        }
        (with & without == 0).then_some((with, without))
    }

    /// The prior mass of the sets of ranks that fit: every rank not yet judged is free.
    pub(super) fn rank_set_mass(&self) -> f64 {
        self.needed_ranks().map_or(0.0, |(with, without)| {
            self.space.share(Form::Ranks) * (-f64::from((with | without).count_ones())).exp2()
        })
    }

    fn rank_sets(&self, sum: &mut Prediction) {
        let Some((with, without)) = self.needed_ranks() else { return };
        let mass = self.rank_set_mass();
        sum.mass += mass;
        for card in DECK.all().iter() {
            let bit = 1 << (DECK.rank(card) - 1);
            let share = if with & bit != 0 {
                1.0
            } else if without & bit != 0 {
                0.0
            } else {
                0.5
            };
            sum.accepts[card.index()] += mass * share;
        }
    }

    /// For each rank its class and side, if ranks of two kinds take turns; `None` if that cannot be.
    pub(super) fn rank_classes(&self) -> Option<[(usize, bool); 13]> {
        let mut class: [(usize, bool); 13] = std::array::from_fn(|rank| (rank, false));
        for play in &self.plays {
            let of = |card: Card| DECK.rank(card) as usize - 1;
            let (a, b) = (class[of(self.line[play.after - 1])], class[of(play.card)]);
            if a.0 == b.0 {
                if (a.1 != b.1) != play.accepted {
                    return None;
                }
                continue;
            }
            let flip = (a.1 != b.1) != play.accepted;
            for entry in class.iter_mut().filter(|entry| entry.0 == b.0) {
                *entry = (a.0, entry.1 ^ flip);
            }
        }
        Some(class)
    }

    /// The prior mass of the sets of ranks that fit by turns: every class of ranks is free.
    pub(super) fn rank_turns_mass(&self) -> f64 {
        self.rank_classes().map_or(0.0, |class| {
            let free = class.iter().fold(0u16, |seen, entry| seen | 1 << entry.0).count_ones();
            self.space.share(Form::Turns) * (f64::from(free) - 13.0).exp2()
        })
    }

    fn rank_turns(&self, sum: &mut Prediction) {
        let Some(class) = self.rank_classes() else { return };
        let mass = self.rank_turns_mass();
        sum.mass += mass;
        let last = class[DECK.rank(self.line[self.line.len() - 1]) as usize - 1];
        for card in DECK.all().iter() {
            let own = class[DECK.rank(card) as usize - 1];
            let share = if own.0 != last.0 {
                0.5
            } else if own.1 != last.1 {
                1.0
            } else {
                0.0
            };
            sum.accepts[card.index()] += mass * share;
        }
    }
}

impl Prediction {
    fn add_cards(&mut self, share: f64, side: u64, cards: &[f64; CARDS]) {
        for card in CardSet(side).iter() {
            self.accepts[card.index()] += share * cards[card.index()];
        }
    }

    fn add_rule(&mut self, mass: f64, cards: u64) {
        self.mass += mass;
        for card in CardSet(cards).iter() {
            self.accepts[card.index()] += mass;
        }
    }

    fn add(&mut self, share: f64, weight: f64, cards: &[f64; CARDS]) {
        self.mass += share * weight;
        self.accepts.iter_mut().zip(cards).for_each(|(to, from)| *to += share * from);
    }
}
