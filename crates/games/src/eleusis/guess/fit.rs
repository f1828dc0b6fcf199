//! Fitting the prior: which kinds are used by the rules that explain a round, weighted by the posterior.

use super::posterior::Evidence;
use super::prior::{Form, Prior};
use super::space::{Join, Space};
use super::splits::BRANCHES;

/// Expected uses, and the mass they were counted from.
struct Usage {
    prior: Prior,
    mass: f64,
}

impl Usage {
    /// Counts a form with its mass.
    fn form(&mut self, form: Form, mass: f64) {
        self.prior.form[form as usize] += mass;
        self.mass += mass;
    }
}

impl Evidence {
    /// How often each kind is used by the rules that fit, and the logarithm (base 2) of their prior mass; `None` if
    /// nothing fits.
    pub fn usage(&self) -> Option<(Prior, f64)> {
        let mut usage = Usage { prior: Prior::even(0.0), mass: 0.0 };
        for atom in (0..self.yes.len()).filter(|&atom| self.fits_in(atom, self.all)) {
            let mass = self.space.share(Form::Single) * self.space.atoms[atom].weight;
            usage.prior.alone[self.kind(atom)] += mass;
            usage.form(Form::Single, mass);
        }
        for split in (0..self.space.splits.len()).filter(|&split| self.alive[split]) {
            match self.space.splits[split].branches() {
                2 => self.count_halves(split, &mut usage),
                BRANCHES => self.count_deals(split, &mut usage),
                _ => {}
            }
            self.count_branches(split, &mut usage);
        }
        Join::ALL.into_iter().for_each(|join| self.count_pairs(join, &mut usage));
        usage.form(Form::Ranks, self.rank_set_mass());
        usage.form(Form::Turns, self.rank_turns_mass());
        let Usage { mut prior, mass } = usage;
        if mass <= 0.0 {
            return None;
        }
        prior.numbers().for_each(|number| *number /= mass);
        Some((prior, mass.log2()))
    }

    /// The same round seen with another prior.
    #[must_use]
    pub fn with_prior(&self, space: &'static Space) -> Evidence {
        Evidence { space, ..self.clone() }
    }

    fn fits_in(&self, atom: usize, plays: u128) -> bool {
        (self.yes[atom] ^ self.accepted) & plays == 0
    }

    fn kind(&self, atom: usize) -> usize {
        self.space.atoms[atom].kind as usize
    }

    fn count_halves(&self, at: usize, usage: &mut Usage) {
        let split = &self.space.splits[at];
        let [first, second, ..] = self.branch[at];
        for &(a, b, weight) in &self.space.opposed {
            if self.fits_in(a as usize, first) && self.fits_in(b as usize, second) {
                let mass = self.space.share(Form::Opposed) * split.weight * weight;
                usage.prior.opposed[self.kind(a as usize)] += mass;
                usage.prior.case[split.kind as usize] += mass;
                usage.form(Form::Opposed, mass);
            }
        }
        for (bound, free) in [(first, second), (second, first)] {
            if self.fits_in(self.space.anything as usize, free) {
                for atom in (0..self.yes.len()).filter(|&atom| self.fits_in(atom, bound)) {
                    let mass = 0.5 * self.space.share(Form::Free) * split.weight * self.space.atoms[atom].part;
                    usage.prior.part[self.kind(atom)] += mass;
                    usage.prior.case[split.kind as usize] += mass;
                    usage.form(Form::Free, mass);
                }
            }
        }
    }

    fn count_deals(&self, at: usize, usage: &mut Usage) {
        let split = &self.space.splits[at];
        let fitting = self.space.deals.iter().filter(|deal| self.deal_fits(at, deal)).count();
        let share = fitting as f64 / self.space.deals.len() as f64;
        let mass = self.space.share(Form::Dealt) * split.weight * share;
        usage.prior.case[split.kind as usize] += mass;
        usage.form(Form::Dealt, mass);
    }

    fn count_branches(&self, at: usize, usage: &mut Usage) {
        let split = &self.space.splits[at];
        let fitting: Vec<Vec<usize>> = self.branch[at][..split.branches()]
            .iter()
            .map(|&plays| (0..self.yes.len()).filter(|&atom| self.fits_in(atom, plays)).collect())
            .collect();
        let part = |atom: &usize| self.space.atoms[*atom].part;
        let weights: Vec<f64> = fitting.iter().map(|atoms| atoms.iter().map(part).sum()).collect();
        let mass = self.space.share(Form::Split) * split.weight * weights.iter().product::<f64>();
        if mass <= 0.0 {
            return;
        }
        usage.prior.case[split.kind as usize] += mass;
        usage.form(Form::Split, mass);
        for (atoms, weight) in fitting.iter().zip(weights) {
            for atom in atoms {
                usage.prior.part[self.kind(*atom)] += mass * part(atom) / weight;
            }
        }
    }

    fn count_pairs(&self, join: Join, usage: &mut Usage) {
        let may = |&atom: &usize| self.space.atoms[atom].joins() && self.may_join(join, self.yes[atom]);
        let atoms: Vec<usize> = (0..self.yes.len()).filter(may).collect();
        for (at, &a) in atoms.iter().enumerate() {
            for &b in atoms[at + 1..].iter().filter(|&&b| self.joined(join, self.yes[a], self.yes[b])) {
                let parts = self.space.atoms[a].part * self.space.atoms[b].part;
                let mass = 2.0 * self.space.share(join.form()) * parts;
                usage.prior.part[self.kind(a)] += mass;
                usage.prior.part[self.kind(b)] += mass;
                usage.form(join.form(), mass);
            }
        }
    }
}
