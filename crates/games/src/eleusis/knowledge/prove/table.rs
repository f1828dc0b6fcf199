//! What the rules of the family say after the line, and which judgement refutes which of them.
//!
//! Cards are judged all at once here, by masks; the checker evaluates the rules one card at a time.

use super::super::Memory;
use super::super::common::Said;
use crate::cards::CardSet;
use crate::eleusis::table::Eleusis;

pub(super) struct Table {
    /// What each rule accepts after the line.
    pub accepted: Vec<CardSet>,
    /// Whether each fits all that was judged.
    pub fits: Vec<bool>,
    /// For each judgement whether it refutes each rule.
    refutes: Vec<Vec<bool>>,
}

impl Table {
    pub(super) fn of<G: Eleusis>(mind: &Memory<G>) -> Table {
        let (line, family, judgements) = (mind.mainline(), mind.family(), mind.judgements());
        let mut fits = vec![false; family.len()];
        mind.fitting().for_each(|place| fits[place] = true);
        let mut refutes = vec![vec![false; family.len()]; judgements.len()];
        for (place, rule) in family.iter().enumerate() {
            let mut after: Vec<Option<CardSet>> = vec![None; line.len() + 1];
            let mut out = false;
            for (at, judgement) in judgements.iter().enumerate() {
                if let Said::Card { card, accepted } = judgement.said {
                    let set =
                        after[judgement.line].get_or_insert_with(|| rule.rule().accepted(&line[..judgement.line]));
                    refutes[at][place] = set.has(card) != accepted;
                    out |= refutes[at][place];
                }
            }
            // A guess is compared only with rules that no card refutes: that takes longer.
            for (at, judgement) in judgements.iter().enumerate().filter(|_| !out) {
                if let Said::Wrong { .. } = judgement.said {
                    refutes[at][place] = judgement.refutes(rule, line);
                }
            }
        }
        let accepted = family.iter().map(|rule| rule.rule().accepted(line)).collect();
        Table { accepted, fits, refutes }
    }

    /// Whether some judgement refutes the rule.
    pub(super) fn is_refuted(&self, rule: usize) -> bool {
        self.refutes.iter().any(|refutes| refutes.get(rule) == Some(&true))
    }

    /// The rules that fit.
    pub(super) fn fitting(&self) -> Vec<usize> {
        (0..self.fits.len()).filter(|&place| self.fits[place]).collect()
    }

    /// What all rules that fit accept.
    pub(super) fn sure(&self) -> CardSet {
        let sets = self.fitting().into_iter().map(|place| self.accepted[place]);
        sets.reduce(CardSet::and).unwrap_or(CardSet::EMPTY)
    }

    /// Few of the allowed judgements that refute all these rules together, none of which can be left out; each with the
    /// rules that it is needed for. Those that are used already come first.
    pub(super) fn refuting(
        &self,
        rules: &[usize],
        allowed: &[bool],
        used: &[usize],
    ) -> Option<Vec<(usize, Vec<usize>)>> {
        let covers =
            |judgement: usize, open: &[usize]| open.iter().filter(|&&rule| self.refutes[judgement][rule]).count();
        let mut open = rules.to_vec();
        let mut chosen: Vec<usize> = used.iter().copied().filter(|&j| covers(j, rules) > 0).collect();
        open.retain(|&rule| !chosen.iter().any(|&j| self.refutes[j][rule]));
        while !open.is_empty() {
            let usable = (0..self.refutes.len()).filter(|&j| allowed[j]);
            let best = usable.max_by_key(|&j| (covers(j, &open), usize::MAX - j))?;
            if covers(best, &open) == 0 {
                return None;
            }
            open.retain(|&rule| !self.refutes[best][rule]);
            chosen.push(best);
        }
        let mut at = 0;
        while at < chosen.len() {
            let others = |rule: &usize| chosen.iter().enumerate().any(|(i, &j)| i != at && self.refutes[j][*rule]);
            if rules.iter().all(others) {
                chosen.remove(at);
            } else {
                at += 1;
            }
        }
        chosen.sort_unstable();
        let mut open = rules.to_vec();
        let mut parts = Vec::new();
        for judgement in chosen {
            let (out, rest): (Vec<usize>, Vec<usize>) =
                open.into_iter().partition(|&rule| self.refutes[judgement][rule]);
            open = rest;
            parts.push((judgement, out));
        }
        Some(parts)
    }
}
