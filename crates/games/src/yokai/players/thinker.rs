//! The mind that the strong players share: exact beliefs, looks by what they are worth, moves weighed ahead, marks by what
//! the partner learns, stops by their chance.

use super::notes::{Belief, Notes, Reading, Told};
use super::{Placed, Reason, Reasoned, proof_of_grouping};
use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::game::Player;
use crate::yokai::colour::{CARDS, Colour, Colours};
use crate::yokai::count::{Evidence, bits};
use crate::yokai::partner::{PartnerModel, Share};
use crate::yokai::plan::outlook::{Draws, Moves, mean_cost};
use crate::yokai::plan::partner::after_partner;
use crate::yokai::plan::solve::solve;
use crate::yokai::position::Position;
use crate::yokai::rules::{Action, Sight, Stage, Step, TURNS, Yokai};
use rustc_hash::FxHashMap;

/// What the strong players differ in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// How the partner's moves are taken.
    pub(super) trust: Trust,
    /// The chance of a win at which it stops; with 1 it stops when the win follows from what it believes.
    pub(super) sure: f64,
    /// What a bit for the partner is worth, in points. Found by play.
    pub(super) bit: f64,
}

/// How the partner's moves are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// They tell nothing.
    Never,
    /// They keep the convention if the partner [declared](Notes::declared) it; mine keep it in any case.
    Declared,
    /// They keep the convention if the partner declared it, or once they were seen to; mine keep it in any case.
    Earned,
}

/// How many colourings a plan is weighed on.
const DRAWS: usize = 160;
/// How many moves are weighed a step further.
const DEEPER: usize = 10;
/// How many colourings stand for what the partner may have seen.
const PARTNERS: usize = 8;
/// What a move is worth, in points: a turn costs one point or three.
const MOVE: f64 = 2.0;
/// From this turn on it matters what a partner who keeps no convention will move.
const LATE: u8 = 10;

/// From how many moves that tell something earlier matches tell whether a partner keeps the convention.
const ENOUGH: u64 = 20;
/// The chance to keep it from which a partner is relied upon.
const KEEPS: f64 = 0.9;
/// The chance to keep it below which a partner is not relied upon, whatever it does now.
const DOUBTED: f64 = 0.7;

/// A strong player.
pub(super) struct Thinker {
    notes: Notes,
    style: Style,
    dice: Dice,
    /// What is known of the partner from earlier matches.
    earlier: Option<PartnerModel>,
    reason: Option<Reason>,
}

/// A choice with its reasons.
struct Choice {
    action: Action,
    lines: Vec<String>,
}

impl Choice {
    fn new(action: Action, lines: Vec<String>) -> Choice {
        Choice { action, lines }
    }
}

impl Thinker {
    pub(super) fn new(style: Style, seed: u64) -> Thinker {
        Thinker { notes: Notes::new(), style, dice: Dice::new(seed), earlier: None, reason: None }
    }

    /// The same with what is known of the partner from earlier matches.
    pub(super) fn knowing(self, partner: PartnerModel) -> Thinker {
        Thinker { earlier: Some(partner), ..self }
    }

    /// Whether the partner keeps the convention as far as earlier matches tell.
    fn kept_earlier(&self) -> Option<bool> {
        let partner = self.earlier.as_ref().filter(|p| p.keeps_convention.of >= ENOUGH)?;
        match partner.chance_keeps() {
            chance if chance >= KEEPS => Some(true),
            chance if chance < DOUBTED => Some(false),
            _ => None,
        }
    }

    /// Whose moves are read as joins.
    fn reading(&self) -> Reading {
        let (me, partner) = (self.notes.me, self.notes.me.next(2));
        let mut reading = Reading::default();
        reading.joins[me.index()] = self.style.trust != Trust::Never;
        reading.joins[partner.index()] = match self.style.trust {
            Trust::Never => false,
            Trust::Declared => self.notes.declared(partner),
            Trust::Earned => {
                let known = self.notes.mine(reading).evidence.worlds().known();
                let kept = self.notes.kept(&known);
                match self.kept_earlier() {
                    Some(keeps) => keeps && kept.no == 0,
                    None => kept.no == 0 && (kept.yes >= 2 || self.notes.declared(partner)),
                }
            }
        };
        reading
    }

    /// How the partner will read my moves.
    fn partners_reading(&self) -> Reading {
        Reading { joins: [self.style.trust != Trust::Never; 2] }
    }

    fn draws(&mut self, evidence: &Evidence) -> Draws {
        let worlds = evidence.worlds();
        Draws::new((0..DRAWS).map_while(|_| worlds.sample(&mut self.dice)).collect())
    }

    /// What the partner may believe, for some colourings that I hold possible.
    fn partner(&self, draws: &Draws) -> Vec<Evidence> {
        let reading = self.partners_reading();
        draws.colourings.iter().take(PARTNERS).map(|colouring| self.notes.partner(colouring, reading)).collect()
    }

    fn look(&mut self, evidence: &Evidence) -> Choice {
        let stage = self.notes.stage.clone();
        let first = stage.steps().first;
        let known = evidence.worlds().known();
        let free: Vec<Card> =
            CardSet::first(CARDS).minus(stage.marked()).iter().filter(|&c| first != Some(c)).collect();
        let says = match self.style.trust {
            Trust::Never => self.notes.undeclaring(),
            Trust::Declared | Trust::Earned => CardSet::first(CARDS),
        };
        if let (Some(card), Trust::Declared | Trust::Earned) = (self.notes.declaring(), self.style.trust)
            && free.contains(&card)
        {
            return Choice::new(Action::Look(card), vec!["it declares that my moves keep the convention".into()]);
        }
        let unknown: Vec<Card> = free.iter().copied().filter(|c| known[c.index()].is_none() && says.has(*c)).collect();
        if unknown.is_empty() {
            return Choice::new(Action::Look(free[0]), vec!["every card that can be looked at is known".into()]);
        }
        let draws = self.draws(evidence);
        let outlook = Moves::of(stage.layout(), stage.marked()).outlook(&draws);
        let card = match first {
            None => outlook.first_look(&draws, &unknown, &mut self.dice),
            Some(_) => outlook.best_look(&draws, &unknown),
        };
        let card = card.unwrap_or(unknown[0]);
        let (blind, seeing) = (outlook.best(), outlook.after_look(&draws, card));
        let line = format!("moves left after my best move: {blind:.2}; once card {} is known: {seeing:.2}", card.0 + 1);
        Choice::new(Action::Look(card), vec![line])
    }

    /// Whether a move keeps the convention: a known card that comes to touch known ones joins one of its colour.
    fn keeps(&self, touched: u16, card: Card, known: &[Option<Colour>; CARDS]) -> bool {
        let colour = known[card.index()];
        touched == 0 || bits(touched).any(|i| colour.is_some() && known[i as usize] == colour)
    }

    /// Whether my moves tell anything now.
    fn telling(&self) -> bool {
        match self.style.trust {
            Trust::Never => false,
            Trust::Declared | Trust::Earned => self.notes.silent_move(self.notes.me),
        }
    }

    fn go(&mut self, evidence: &Evidence) -> Choice {
        let stage = self.notes.stage.clone();
        let (layout, marked) = (*stage.layout(), stage.marked());
        let moves = Moves::of(&layout, marked);
        if moves.list().is_empty() {
            return Choice::new(Action::Skip, vec!["nothing can be moved".into()]);
        }
        let telling = self.telling();
        let touched = |me: &Thinker, card, to| if telling { me.notes.touched(me.notes.me, card, to) } else { 0 };
        let draws = self.draws(evidence);
        let worlds = evidence.worlds();
        let known = worlds.known();
        if worlds.count() == 1 {
            let left = TURNS.saturating_sub(stage.turns());
            let keeps = |card, to| self.keeps(touched(self, card, to), card, &known);
            let path = solve(&layout, &draws.classes()[0], marked, left, &keeps);
            if let Some(&(card, to)) = path.as_ref().and_then(|p| p.first()) {
                let line = format!("every colour is known; moves to the end: {}", path.map_or(0, |p| p.len()));
                return Choice::new(Action::Move(card, to), vec![line]);
            }
        }
        let partner = self.partner(&draws);
        let means = moves.outlook(&draws).means();
        let mut told: FxHashMap<(Card, u16), f64> = FxHashMap::default();
        let mut order: Vec<(f64, usize)> = Vec::new();
        for (i, &(card, to)) in moves.list().iter().enumerate() {
            let others = touched(self, card, to);
            if self.keeps(others, card, &known) {
                let bits = match others {
                    0 => 0.0,
                    _ => *told.entry((card, others)).or_insert_with(|| learned(&partner, Told::Joins(card, others))),
                };
                order.push((self.style.bit / MOVE * bits, i));
            }
        }
        order.sort_by(|a, b| (means[a.1] - a.0).total_cmp(&(means[b.1] - b.0)));
        // The last move of a match is judged by its chance alone, so all are weighed.
        let last = stage.turns() + 1 == TURNS;
        order.truncate(if last { order.len() } else { DEEPER });
        let count = worlds.count() as f64;
        let trusted = self.reading().joins[self.notes.me.next(2).index()];
        let unruly = self.style.trust == Trust::Earned && !trusted && stage.turns() >= LATE;
        let mut best = (f64::MAX, order[0].1, 0.0);
        for &(bits, i) in &order {
            let (card, to) = moves.list()[i];
            let after = layout.moved(card, to);
            let mut value = if count > 1.0 && !last { moves.deepened(i, means[i], &draws) } else { means[i] };
            let chance = evidence.grouped(&after.shape()) as f64 / count;
            if unruly && !last {
                value = after_partner(&self.notes.position(), (card, to), &draws, self.dice.word());
            }
            value -= chance * if last { 100.0 } else { 1.0 };
            value -= bits;
            if value < best.0 {
                best = (value, i, chance);
            }
        }
        let (card, to) = moves.list()[best.1];
        let mut lines = vec![
            format!(
                "moves left on the mean: {:.2}, before {:.2}",
                means[best.1],
                mean_cost(&layout.shape(), &draws, marked)
            ),
            format!("chance that every colour is connected then: {:.1} %", 100.0 * best.2),
        ];
        let others = touched(self, card, to);
        if others != 0 {
            let others: Vec<String> = bits(others).map(|i| (i + 1).to_string()).collect();
            lines.push(format!("it tells that card {} has the colour of {}", card.0 + 1, others.join(" or ")));
        }
        Choice::new(Action::Move(card, to), lines)
    }

    fn hint(&mut self, evidence: &Evidence) -> Choice {
        let stage = self.notes.stage.clone();
        let (shape, marked) = (stage.layout().shape(), stage.marked());
        let draws = self.draws(evidence);
        let partner = self.partner(&draws);
        let here = mean_cost(&shape, &draws, marked);
        let marginals = evidence.worlds().marginals();
        // A partner who marks whenever it can will make use of a new hint.
        let earlier = self.earlier.as_ref().map_or(Share::default(), |partner| partner.marks_often);
        let (times, turns) = self.notes.partner_marked;
        let (marked_often, hinted) = (u64::from(times) + earlier.yes, u64::from(turns) + earlier.of);
        let useful = self.style.trust == Trust::Earned && hinted >= 2 && 5 * marked_often >= 4 * hinted;
        let activate =
            (if useful { 2.5 } else { 3.0 }, Action::Activate, "a new hint, since no mark is worth more".to_string());
        let mut best = (stage.available() != [0; 3]).then_some(activate);
        for &hint in stage.active() {
            let smaller = self.notes.smaller(hint);
            for card in CardSet::first(CARDS).minus(marked).iter() {
                let counts = marginals[card.index()];
                let total = counts.iter().sum::<u64>();
                let with = |colours: Colours| colours.iter().map(|c| counts[c.index()]).sum::<u64>();
                let wrong = (total - with(hint)) as f64 / total as f64;
                let vouched = self.notes.vouched(self.notes.me, card);
                // It misleads if it is wrong, or if a smaller hint would be missed in vain: what the partner relies on is
                // certain, or it is not done.
                if vouched && (with(hint) < total || with(smaller) > 0) {
                    continue;
                }
                let locked = mean_cost(&shape, &draws, marked.with(card)) - here;
                let bits = if vouched { learned(&partner, Told::Among(card, hint)) } else { 0.0 };
                let cost = 1.0 + 2.0 * wrong + MOVE * locked - self.style.bit * bits;
                if best.as_ref().is_none_or(|b| cost < b.0) {
                    let chance = 100.0 - 100.0 * wrong;
                    let line = match vouched {
                        true => format!("proper; it tells {bits:.1} bits and locks {locked:.2} moves"),
                        false => format!("proper for {chance:.0} %, so it tells nothing; it locks {locked:.2} moves"),
                    };
                    best = Some((cost, Action::Mark(card, hint), line));
                }
            }
        }
        let (_, action, line) = best.expect("a hint is active or can be activated");
        Choice::new(action, vec![line])
    }

    /// What it makes of its partner.
    fn partner_words(&self, evidence: &Evidence) -> String {
        let kept = self.notes.kept(&evidence.worlds().known());
        let (marked, hinted) = self.notes.partner_marked;
        let memory = if self.notes.forgets { "it forgets" } else { "it was not seen to forget" };
        let earlier = self.earlier.as_ref().map_or(String::new(), |partner| {
            let Share { yes, of } = partner.keeps_convention;
            format!("; in {} earlier matches it kept the convention {yes} of {of} times", partner.matches)
        });
        format!(
            "the partner: kept the convention {} times, broke it {}; marked {marked} of {hinted} times; {memory}{earlier}",
            kept.yes, kept.no
        )
    }

    /// Stops if the chance is high enough, and says what that rests on.
    fn stop(&self, belief: &Belief, stage: &Stage) -> Option<Choice> {
        let shape = stage.layout().shape();
        let (count, grouped) = (belief.evidence.count(), belief.evidence.grouped(&shape));
        if (grouped as f64) < self.style.sure * count as f64 {
            return None;
        }
        let told = match belief.told() {
            (false, false) => None,
            (true, false) => Some("marks are proper"),
            (_, true) => Some("marks are proper and moves keep the convention"),
        };
        Some(Choice::new(Action::Stop, vec![super::resting(&self.notes.certain(), &shape, (grouped, count), told)]))
    }

    /// Why every colour is connected, in sentences, if that is certain and has a proof in steps.
    fn proof(&self) -> Vec<String> {
        proof_of_grouping(&self.notes.mine(self.reading()).premises(&self.notes.position()))
    }
}

/// How many bits the partner learns, on the mean.
fn learned(partner: &[Evidence], told: Told) -> f64 {
    let bits = |evidence: &Evidence| {
        let mut with = evidence.clone();
        told.add(&mut with);
        (evidence.count() as f64 / with.count().max(1) as f64).log2()
    };
    partner.iter().map(bits).sum::<f64>() / partner.len().max(1) as f64
}

impl Player<Yokai> for Thinker {
    fn watch(&mut self, sight: &Sight) {
        self.notes.watch(sight);
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let belief = self.notes.mine(self.reading());
        let stage = self.notes.stage.clone();
        let stop = if options.contains(&Action::Stop) { self.stop(&belief, &stage) } else { None };
        let step = options.iter().filter_map(Action::step).min();
        let choice = stop.unwrap_or_else(|| match step {
            Some(Step::Look) => self.look(&belief.evidence),
            Some(Step::Move) => self.go(&belief.evidence),
            Some(Step::Hint) => self.hint(&belief.evidence),
            None => Choice::new(options[0], Vec::new()),
        });
        let mut lines = choice.lines;
        if choice.action == Action::Stop {
            lines.extend(self.proof());
        }
        lines.extend(belief.given_up());
        if self.style.trust == Trust::Earned {
            lines.push(self.partner_words(&belief.evidence));
        }
        self.reason = Some(Reason::of(&choice.action, belief.evidence.count(), lines));
        choice.action
    }
}

impl Placed for Thinker {
    fn place(&mut self, position: &Position) {
        self.notes = Notes::placed(position);
    }
}

impl Reasoned for Thinker {
    fn reason(&self) -> Option<Reason> {
        self.reason.clone()
    }
}
