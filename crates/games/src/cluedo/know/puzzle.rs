//! The worlds of a history as a puzzle for the solver.
//!
//! A variable says that a card is at a place, or that a show was of a card. A world of a moment is a solution in which the
//! literal of that moment is true: it stands for all that is public by then, and for every reason that was found why a
//! world breaks an endmove before it. What is looked for has a literal too, which rules out what is known not to be it.

use super::deep::Goal;
use super::find::{Literal, PLACES, bits};
use super::model::{History, Point};
use super::solver::{Lit, Solver};
use rustc_hash::{FxHashMap, FxHashSet};

/// The worlds of a history, and what was ruled out so far.
#[derive(Clone, Debug)]
pub(super) struct Puzzle {
    pub solver: Solver,
    places: usize,
    cards: usize,
    /// For each show, the variables of its cards.
    shows: Vec<Vec<(u8, usize)>>,
    /// By moment: what is public, endmoves left out.
    public: Vec<Lit>,
    /// By moment: that, and the endmoves.
    moments: Vec<Lit>,
    goals: FxHashMap<Goal, Lit>,
    /// Of two cards: the place of the first one is not after that of the second.
    orders: FxHashMap<(u8, u8), Lit>,
    ruled_out: FxHashSet<(Lit, Box<[Literal]>)>,
}

impl Puzzle {
    pub(super) fn new(history: &History) -> Puzzle {
        let table = &history.table;
        let places = table.envelope() + 1;
        let mut solver = Solver::new();
        let cards = u64::BITS - table.cards.leading_zeros();
        for _ in 0..cards as usize * places {
            solver.var();
        }
        solver.deals(table);
        let at = |card: u64, place: usize| card.trailing_zeros() as usize * places + place;
        for card in bits(table.cards) {
            let vars: Vec<usize> = (0..places).map(|place| at(card, place)).collect();
            solver.exactly(&vars, 1);
        }
        for seat in 0..table.seats {
            let vars: Vec<usize> = bits(table.cards).map(|card| at(card, seat)).collect();
            solver.exactly(&vars, table.sizes[seat] as usize);
        }
        for &category in &table.categories {
            let vars: Vec<usize> = bits(category).map(|card| at(card, table.envelope())).collect();
            solver.exactly(&vars, 1);
        }
        let mut shows = Vec::new();
        for show in &table.shows {
            let vars: Vec<(u8, usize)> = bits(show.cards).map(|b| (b.trailing_zeros() as u8, solver.var())).collect();
            solver.exactly(&vars.iter().map(|v| v.1).collect::<Vec<_>>(), 1);
            shows.push(vars);
        }
        let (goals, orders, ruled_out) = (FxHashMap::default(), FxHashMap::default(), FxHashSet::default());
        let (public, moments) = (Vec::new(), Vec::new());
        let cards = cards as usize;
        let mut this = Puzzle { solver, places, cards, shows, public, moments, goals, orders, ruled_out };
        for moment in 0..history.moments.len() {
            this.add(history, moment);
        }
        this
    }

    /// What has become public since the moment before.
    fn add(&mut self, history: &History, moment: usize) {
        let table = &history.table;
        let (public, whole) = (self.fresh(), self.fresh());
        let now = &history.moments[moment];
        let (mut may, mut shown, mut never) = ([table.cards; PLACES], 0, 0);
        if let Some(before) = moment.checked_sub(1).map(|m| &history.moments[m]) {
            (may, shown, never) = (before.may, before.shows, before.never.len());
        }
        for place in 0..self.places {
            for card in bits(may[place] & !now.may[place]) {
                let there = self.lit(Literal::At(card.trailing_zeros() as u8, place as u8));
                self.solver.clause(&[public.negated(), there.negated()]);
            }
        }
        for e in shown..now.shows {
            for i in 0..self.shows[e].len() {
                let (card, var) = self.shows[e][i];
                let held = self.lit(Literal::At(card, table.shows[e].by));
                self.solver.clause(&[public.negated(), Lit::new(var, false), held]);
            }
        }
        for &triple in &now.never[never..] {
            let envelope = table.envelope() as u8;
            let cards: Vec<Literal> = bits(triple).map(|b| Literal::At(b.trailing_zeros() as u8, envelope)).collect();
            self.rule_out(public, &cards);
        }
        self.public.push(public);
        self.moments.push(whole);
    }

    fn fresh(&mut self) -> Lit {
        self.solver.switch()
    }

    /// A show that is of one card anyway has a variable too; of a card that was not asked for it never is.
    fn lit(&self, literal: Literal) -> Lit {
        let at = |card: u8, place: u8| card as usize * self.places + place as usize;
        let show = |e: u16, card: u8| {
            let var = self.shows[e as usize].iter().find(|s| s.0 == card);
            var.expect("a card that was asked for").1
        };
        match literal {
            Literal::At(card, place) => Lit::new(at(card, place), true),
            Literal::Not(card, place) => Lit::new(at(card, place), false),
            Literal::Show(e, card) => Lit::new(show(e, card), true),
            Literal::NotShow(e, card) => Lit::new(show(e, card), false),
        }
    }

    /// The literal of what is looked for.
    pub(super) fn goal(&mut self, goal: Goal) -> Lit {
        match self.goals.get(&goal) {
            Some(&lit) => lit,
            None => {
                let lit = self.fresh();
                self.goals.insert(goal, lit);
                lit
            }
        }
    }

    /// What is public at the moment, endmoves left out.
    fn public(&self, moment: usize) -> &[Lit] {
        &self.public[..=moment]
    }

    /// The worlds of the moment.
    pub(super) fn worlds(&self, moment: usize) -> Vec<Lit> {
        [self.public(moment), &self.moments[..=moment]].concat()
    }

    /// The worlds of the moment and of all later ones.
    pub(super) fn since(&self, moment: usize) -> Lit {
        self.moments[moment]
    }

    /// No world is meant by `what` that shares all the literals.
    pub(super) fn rule_out(&mut self, what: Lit, literals: &[Literal]) {
        if self.ruled_out.insert((what, literals.into())) {
            let mut clause: Vec<Lit> = vec![what.negated()];
            clause.extend(literals.iter().map(|&l| self.lit(l).negated()));
            self.solver.clause(&clause);
        }
    }

    /// Of worlds that differ only in cards of a class, of which nothing speaks, one is enough: the one where those cards
    /// are in the order of the places.
    pub(super) fn in_order(&mut self, classes: &[u64], spoken: u64, literals: &[Literal], what: &mut Vec<Lit>) {
        let spoken = literals.iter().fold(spoken, |cards, literal| match *literal {
            Literal::At(card, _) | Literal::Not(card, _) | Literal::Show(_, card) | Literal::NotShow(_, card) => {
                cards | 1 << card
            }
        });
        for class in classes {
            let cards: Vec<u8> = bits(class & !spoken).map(|b| b.trailing_zeros() as u8).collect();
            what.extend(cards.windows(2).map(|pair| self.order(pair[0], pair[1])));
        }
    }

    fn order(&mut self, first: u8, second: u8) -> Lit {
        if let Some(&known) = self.orders.get(&(first, second)) {
            return known;
        }
        let order = self.fresh();
        for later in 0..self.places as u8 {
            for earlier in 0..later {
                let wrong = [Literal::At(first, later), Literal::At(second, earlier)].map(|l| self.lit(l).negated());
                self.solver.clause(&[order.negated(), wrong[0], wrong[1]]);
            }
        }
        self.orders.insert((first, second), order);
        order
    }

    /// Worlds are best like this one.
    pub(super) fn wish(&mut self, world: &Point) {
        for (place, &cards) in world.at[..self.places].iter().enumerate() {
            for card in 0..self.cards {
                self.solver.wish(card * self.places + place, cards >> card & 1 == 1);
            }
        }
        for (vars, &shown) in self.shows.iter().zip(&world.shown) {
            for &(card, var) in vars {
                self.solver.wish(var, card == shown);
            }
        }
    }

    /// A world of `what` with these literals, of so many shows; if there is none, some of the literals that are to blame.
    pub(super) fn solve(&mut self, what: &[Lit], literals: &[Literal], shows: usize) -> Result<Point, Vec<Literal>> {
        let assumed: Vec<Lit> = literals.iter().map(|&l| self.lit(l)).collect();
        if !self.solver.solve(what, &assumed) {
            let core = self.solver.core();
            return Err(literals.iter().copied().filter(|&l| core.contains(&self.lit(l))).collect());
        }
        let mut at = [0; PLACES];
        for var in 0..self.cards * self.places {
            if self.solver.value(var) {
                at[var % self.places] |= 1 << (var / self.places);
            }
        }
        let card = |vars: &Vec<(u8, usize)>| vars.iter().find(|v| self.solver.value(v.1)).map_or(0, |v| v.0);
        Ok(Point { at, shown: self.shows[..shows].iter().map(card).collect() })
    }
}
