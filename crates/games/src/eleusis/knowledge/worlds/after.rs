//! What would be true after a move.
//!
//! Everybody sees a move, but for the cards that are drawn in hidden hands: so for each way in which it can be seen there are
//! new worlds, with the rules that make it go so. Which cards are drawn is a part of the world, as is every hand: where it
//! matters, the uppermost cards of the stock are places of their own. There is room for few of them beside the seats: what
//! depends on more has no answer.

use super::{Candidate, Place, Question, Worlds};
use crate::cards::{Card, CardSet};
use crate::eleusis::knowledge::atoms::Fact;
use crate::eleusis::knowledge::deals::{Hands, TooMany};
use crate::eleusis::knowledge::suppose::{Move, Seen, drawn, singles, turn};
use crate::eleusis::moves::{Sight, What};
use crate::eleusis::table::Eleusis;
use crate::game::Seat;
use crate::knowledge::{Outcomes, Seats};
use ken_logic::formula::Name;
use std::ops::Range;
use std::rc::Rc;

impl<G: Eleusis> Worlds<G> {
    /// The move of this text and who makes it; `None` if nobody can.
    fn asked(&self, name: &Name) -> Option<(Rc<Move>, Seat)> {
        let read = || Move::read(&self.game, name).ok().map(Rc::new);
        let asked = self.moves.borrow_mut().entry(name.clone()).or_insert_with(read).clone()?;
        let seat = turn(&self.stage).filter(|_| !self.ended)?;
        Some((asked, seat))
    }

    /// The worlds after the move was seen to go so, made with this hand.
    fn way(&self, name: &Name, asked: &Move, seen: &Seen, hand: &[Card]) -> Option<Rc<Worlds<G>>> {
        let key = (name.clone(), seen.clone());
        if let Some(way) = self.ways.borrow().get(&key) {
            return Some(way.clone());
        }
        let mut stage = None;
        let mut from = vec![None; self.rules.len()];
        let (mut rules, mut known): (Vec<Candidate>, Option<Candidate>) = (Vec::new(), None);
        for (at, rule) in self.rules.iter().enumerate() {
            let Some((other, after)) = self.foresee(asked, rule, hand) else { continue };
            if !other.looks_like(seen) {
                continue;
            }
            stage = Some(after);
            let rule = rule.laying(seen.laid());
            if at < self.fitting {
                from[at] = Some(rules.len());
                rules.push(rule);
            } else {
                known = Some(rule);
            }
        }
        if known.is_some() {
            from[self.rules.len() - 1] = Some(rules.len());
        }
        let mut common = (*self.common).clone();
        common.learn(&self.game, &self.stage, 0, &Sight { what: seen.what.clone(), end: None });
        // What was drawn unseen is in the hand now.
        let seat = turn(&self.stage)?.index();
        let unseen = match self.game.table().open {
            true => drawn(&seen.what).min(self.stage.stock().saturating_sub(self.common.flipped.len())),
            false => common.hidden[seat] - self.left(seat, &seen.what),
        };
        let next = self.next + unseen;
        (self.next..next).for_each(|place| common.hidden.get_mut(place).into_iter().for_each(|n| *n = 0));
        let place = Place { game: self.game.clone(), stage: stage?, common, ended: seen.ends, next };
        let way = Worlds { from, ..Worlds::of(place, self.family.clone(), self.starter, rules, known) };
        let way = Rc::new(way);
        self.ways.borrow_mut().insert(key, way.clone());
        Some(way)
    }

    /// All that can follow a move of which not the whole hand matters, where draws are not seen.
    fn ways(&self, name: &Name) -> Rc<Vec<Rc<Worlds<G>>>> {
        if let Some(ways) = self.all_ways.borrow().get(name) {
            return ways.clone();
        }
        let mut found: Vec<Rc<Worlds<G>>> = Vec::new();
        if let Some((asked, seat)) = self.asked(name)
            && let Some(hand) = asked.hand(self.stage.counts()[seat.index()])
            && !self.game.table().open
        {
            let mut seen: Vec<Seen> = Vec::new();
            for rule in &self.rules {
                match self.foresee(&asked, rule, &hand) {
                    Some((new, _)) if !seen.contains(&new) => {
                        found.extend(self.way(name, &asked, &new, &hand));
                        seen.push(new);
                    }
                    Some(_) | None => {}
                }
            }
        }
        let found = Rc::new(found);
        self.all_ways.borrow_mut().insert(name.clone(), found.clone());
        found
    }

    /// How many hidden cards of a hand are left by what is seen of its move, before cards are drawn.
    fn left(&self, seat: usize, what: &What) -> usize {
        match what {
            What::Played { card, .. } if !self.common.shown[seat].contains(card) => self.common.hidden[seat] - 1,
            What::NoPlay { .. } => 0,
            What::Played { .. }
            | What::Begun { .. }
            | What::Dealt { .. }
            | What::Discarded { .. }
            | What::Guessed { .. }
            | What::Passed { .. } => self.common.hidden[seat],
        }
    }

    /// The places of the cards that are drawn on the way there.
    fn drawn(&self, after: usize) -> Seats {
        (self.next..after.min(self.common.hidden.len())).map(|place| Seat(place as u8)).collect()
    }

    /// The seats, and places of the stock, whose hidden cards decide whether the fact is true after the move.
    pub(super) fn about_after(&self, name: &Name, inner: &Fact) -> Seats {
        let Some((asked, seat)) = self.asked(name) else { return Seats::NONE };
        let everything = || self.hiding((0..self.common.hidden.len()).map(|place| Seat(place as u8)).collect());
        let count = self.stage.counts()[seat.index()];
        if self.game.table().open {
            // What is drawn is seen by everybody.
            return everything();
        }
        if asked.hand(count).is_none() {
            let of_hands = inner.about_hands() || inner.speaks_of_moves();
            return if of_hands { everything() } else { self.hiding(Seats::of(seat)) };
        }
        let mut about = if asked.card().is_some() { self.hiding(Seats::of(seat)) } else { Seats::NONE };
        for way in self.ways(name).iter() {
            let inside = way.about(inner);
            let drawn = if inside.has(seat) { self.drawn(way.next) } else { Seats::NONE };
            about = about.iter().chain(self.hiding(inside).iter()).chain(drawn.iter()).collect();
        }
        about
    }

    /// The sets of cards that matter for the fact after the move.
    pub(super) fn distinctions_after(&self, name: &Name, inner: &Fact, rules: Range<usize>, sets: &mut Vec<CardSet>) {
        let Some((asked, seat)) = self.asked(name) else { return };
        let count = self.stage.counts()[seat.index()];
        if asked.hand(count).is_none() || self.game.table().open {
            return sets.extend(singles(&self.common.pool));
        }
        sets.extend(asked.card().map(CardSet::of));
        for way in self.ways(name).iter() {
            for rule in rules.clone().filter_map(|rule| way.from[rule]) {
                way.distinctions(inner, rule..rule + 1, sets);
            }
        }
        sets.sort_unstable();
        sets.dedup();
    }
}

impl Seen {
    /// Whether it is the same, but for the cards that are drawn.
    fn looks_like(&self, other: &Seen) -> bool {
        let counted = |seen: &Seen| seen.with_drawn(vec![Card(0); drawn(&seen.what)]);
        counted(self) == counted(other)
    }
}

impl<G: Eleusis> Question<G> {
    /// Whether the fact is true after the move, whatever happens or in some way; where the move cannot be made every way is
    /// as wanted and none is.
    pub(super) fn after(
        &self,
        name: &Name,
        outcomes: Outcomes,
        inner: &Fact,
        rule: usize,
        hands: &Hands,
    ) -> Result<bool, TooMany> {
        let every = match outcomes {
            Outcomes::Every => true,
            Outcomes::Some => false,
        };
        let worlds = &*self.worlds;
        let Some((asked, seat)) = worlds.asked(name) else { return Ok(every) };
        if asked.card().is_some_and(|card| !self.deals.holds(hands, seat, CardSet::of(card))) {
            return Ok(every);
        }
        let count = worlds.stage.counts()[seat.index()];
        let hand = asked.hand(count).unwrap_or_else(|| self.deals.hand(hands, seat));
        let Some((seen, _)) = worlds.foresee(&asked, &worlds.rules[rule], &hand) else { return Ok(every) };
        let Some(seen) = self.with_drawn(seen, hands) else { return Err(TooMany) };
        self.deals.visit()?;
        let Some(way) = worlds.way(name, &asked, &seen, &hand) else { return Ok(every) };
        let Some(there) = way.from[rule] else { return Ok(every) };
        let question = self.later(&way);
        let hands = self.hands_after(&question, inner, seat, &seen, hands)?;
        question.holds(inner, there, &hands)
    }

    /// The question after a move, by the same classes of cards.
    fn later(&self, way: &Rc<Worlds<G>>) -> Rc<Question<G>> {
        let new = || Rc::new(Question::new(way.clone(), self.deals.after(&way.common)));
        self.later.borrow_mut().entry(Rc::as_ptr(way)).or_insert_with(new).clone()
    }

    /// What is seen, with the cards that are drawn where hands are open; `None` if these are more than there are places.
    fn with_drawn(&self, seen: Seen, hands: &Hands) -> Option<Seen> {
        let (worlds, count) = (&*self.worlds, drawn(&seen.what));
        if !worlds.game.table().open || count == 0 {
            return Some(seen);
        }
        // Flipped cards come last, and everybody knows them.
        let unknown = count.min(worlds.stage.stock().saturating_sub(worlds.common.flipped.len()));
        let card = |place: usize| {
            let held = hands.get(place)?;
            held.iter().position(|&n| n > 0).and_then(|class| self.deals.first(class))
        };
        let mut cards = (worlds.next..worlds.next + unknown).map(card).collect::<Option<Vec<Card>>>()?;
        cards.resize(count, Card(0));
        Some(seen.with_drawn(cards))
    }

    /// The hidden cards after the move that matter for the fact.
    fn hands_after(
        &self,
        later: &Question<G>,
        inner: &Fact,
        seat: Seat,
        seen: &Seen,
        hands: &Hands,
    ) -> Result<Hands, TooMany> {
        let (before, after) = (&*self.worlds, &*later.worlds);
        let about = after.about(inner);
        let mut hands = hands.clone();
        let left = before.left(seat.index(), &seen.what);
        if left == 0 {
            hands[seat.index()].clear();
        } else if let What::Played { card, .. } = &seen.what
            && left < before.common.hidden[seat.index()]
            && let Some(n) = self.deals.class(*card).and_then(|class| hands[seat.index()].get_mut(class))
        {
            *n -= 1;
        }
        if after.next > before.next && about.has(seat) {
            if left == 0 {
                hands[seat.index()] = vec![0; self.deals.count()];
            }
            for place in before.next..after.next {
                let Some(card) = hands.get(place).filter(|held| !held.is_empty()).cloned() else { return Err(TooMany) };
                hands[seat.index()].iter_mut().zip(card).for_each(|(n, more)| *n += more);
            }
        }
        Ok(Question::<G>::of(&hands, about))
    }
}
