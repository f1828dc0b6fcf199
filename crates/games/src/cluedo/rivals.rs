//! How near each rival is: the chance, given what the observer saw, that another seat already knows the envelope.
//!
//! Every deal that fits counts the same, and of several cards that a responder could show to the rival each is shown
//! equally often. What follows is certain, 0 or 1, ends of turns included. Else every [view](super::views) that the rival
//! may have is decided exactly: all views if they are few, and then the chance is exact; or some that are drawn, and then it
//! is a share with its interval. There ends of turns are left out.

use super::count::Deals;
use super::estimate::Estimate;
use super::know::Knower;
use super::position::{Constraints, Position};
use super::views::{self, Drawer};
use super::worth::Care;
use super::{Atom, Fact};
use crate::dice::Dice;
use crate::game::{Seat, Verdict};
use crate::knowledge::Budget;

/// What the observer knows of whether the seat knows the envelope, and how likely that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearness {
    /// Whether it follows that the seat knows it, or that it does not; open if neither does or that takes too long.
    pub verdict: Verdict,
    /// How likely it is: 0 or 1 if it follows. `None` if no deal fits, or if ends of turns tell more than was counted.
    pub chance: Option<Estimate>,
}

/// How near the seat is, as far as the budget allows to see what follows.
pub fn near(position: &Position, seat: Seat, care: Care, budget: &Budget, dice: &mut Dice) -> Nearness {
    let certain = |value: f64| Some(Estimate::exact(value, 1));
    let follows = Knower::new(position).ask(&Fact::Atom(Atom::Solved(seat)), budget);
    match follows.map(|answer| answer.verdict) {
        Ok(Verdict::Yes) => Nearness { verdict: Verdict::Yes, chance: certain(1.0) },
        Ok(Verdict::No) => Nearness { verdict: Verdict::No, chance: certain(0.0) },
        Ok(Verdict::Open) | Err(_) => {
            let chance = (!position.has_endmoves()).then(|| nearness(position, seat, care, dice)).flatten();
            Nearness { verdict: Verdict::Open, chance }
        }
    }
}

/// The chance that the seat knows the envelope, ends of turns left out: exact if it may have had at most
/// [`Care::all_views`] views, or if it has seen the envelope; else a share of [`Care::views`] views that are drawn. `None`
/// if no deal fits, or no views are asked for.
pub fn nearness(position: &Position, seat: Seat, care: Care, dice: &mut Dice) -> Option<Estimate> {
    let drawer = Drawer::new(position)?;
    if views::saw_envelope(position, seat) {
        return Some(Estimate::exact(1.0, 1));
    }
    if let Some(views) = views::all(position, seat, care.all_views) {
        let ready = views.iter().filter(|view| knows(&view.position)).map(|view| view.chance);
        // A sum of all chances is 1 but for rounding.
        return Some(Estimate::exact(ready.fold(0.0, |sum, p| sum + p).min(1.0), views.len()));
    }
    let ready = (0..care.views).filter(|_| knows(&drawer.draw(seat, dice))).count();
    (care.views > 0).then(|| Estimate::share(ready, care.views))
}

/// Whether only one envelope fits.
fn knows(view: &Position) -> bool {
    Deals::of(view.deck(), &Constraints::of(view)).envelopes().len() == 1
}
