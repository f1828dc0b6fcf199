//! What the players that guess have in common: a guesser fed with what one seat sees. What they do about it is their
//! [`Temper`].

use crate::cards::{Card, CardSet};
use crate::dice::Dice;
use crate::eleusis::dealer;
use crate::eleusis::deck::Deck;
use crate::eleusis::guess::{Guesser, Meaning, Plan};
use crate::eleusis::moves::{Action, Sight, What};
use crate::eleusis::rule::Rule;
use crate::eleusis::table::{Eleusis, Phase};
use crate::eleusis::view::Desk;
use crate::game::{Player, Seat};

/// What a player sees when it decides.
pub struct Situation<'a> {
    /// What the guesser thinks.
    pub plan: &'a Plan,
    /// The player's cards.
    pub hand: &'a [Card],
    /// How many others look for the rule.
    pub rivals: u8,
    /// What naming the rule takes off, in points.
    pub bonus: f64,
}

/// How a player decides.
pub trait Temper: Send {
    /// Whether it names the likeliest rule now.
    fn names(&self, now: &Situation) -> bool;

    /// The card that it plays, or `None` for *no play*.
    fn plays(&self, now: &Situation) -> Option<Card>;
}

/// A player that guesses. The guesser thinks of the standard deck; over another deck the player plays at random.
pub struct Guessing<G: Eleusis, T> {
    temper: T,
    game: G,
    desk: Desk,
    dice: Dice,
    guesser: Option<Guesser>,
    /// What it thinks, until something new is seen.
    plan: Option<Plan>,
}

impl<G: Eleusis, T: Temper> Guessing<G, T> {
    pub(super) fn with(temper: T, game: &G, seed: u64) -> Guessing<G, T> {
        let (game, desk) = (game.clone(), Desk::new(game, Seat(0)));
        Guessing { temper, game, desk, dice: Dice::new(seed), guesser: None, plan: None }
    }

    fn wrong(&mut self, rule: &str) {
        if let (Some(guesser), Ok(guess)) = (&mut self.guesser, self.game.table().menu().secret(rule))
            && let Ok(at) = guess.follow(self.desk.stage.layout())
        {
            guesser.wrong(guess.automaton(), at);
        }
    }

    fn think(&mut self) {
        if self.plan.is_none() {
            let hand: CardSet = self.desk.hand().iter().copied().collect();
            self.plan = self.guesser.as_mut().map(|guesser| guesser.plan(hand));
        }
    }

    fn situation(&self) -> Option<Situation<'_>> {
        let table = self.game.table();
        Some(Situation {
            plan: self.plan.as_ref()?,
            hand: self.desk.hand(),
            rivals: self.game.seats().saturating_sub(2),
            bonus: f64::from(table.bonus),
        })
    }

    /// The likeliest rule that can be said as a guess: not one that says nothing of the next card.
    fn best(&self) -> Option<Action> {
        let text = |rule: &Meaning| Rule::new(Deck::STANDARD, rule.rule.test()).to_string();
        let menu = self.game.table().menu();
        let said = self.plan.as_ref()?.meanings.iter().map(text).find(|text| menu.secret(text).is_ok());
        said.map(|text| Action::Guess(text.into()))
    }

    fn name(&self) -> Option<Action> {
        self.situation().filter(|now| self.temper.names(now)).and_then(|_| self.best())
    }
}

impl<G: Eleusis, T: Temper> Player<G> for Guessing<G, T> {
    fn watch(&mut self, sight: &Sight) {
        if let What::Begun { seat: Some(seat), .. } = sight.what {
            self.desk.seat = seat;
        }
        self.desk.watch(&self.game, sight);
        self.plan = None;
        if let What::Dealt { starter, .. } = &sight.what {
            let standard = *self.game.table().deck() == Deck::STANDARD;
            self.guesser = standard.then(|| Guesser::new(*starter, self.dice.word()));
        }
        if let Some(guesser) = &mut self.guesser {
            sight.what.judged().into_iter().for_each(|(card, accepted)| guesser.observe(card, accepted));
        }
        if let What::Guessed { rule, right: false, .. } = &sight.what {
            self.wrong(rule);
        }
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let phase = self.desk.stage.phase();
        if !matches!(phase, Phase::Rule(_)) {
            self.think();
        }
        let may = |action: &Action| options.contains(action);
        match phase {
            Phase::Rule(_) => {
                let rule = dealer::choose(self.game.table().deck(), &mut self.dice);
                Action::Rule(rule.text().clone())
            }
            Phase::Play(_) => {
                let may_guess = options.iter().any(|action| matches!(action, Action::Guess(_)));
                let chosen = self.name().filter(|_| may_guess).or_else(|| {
                    let play = self.temper.plays(&self.situation()?);
                    Some(play.map_or(Action::NoPlay, Action::Play)).filter(may)
                });
                // Without a guesser, or where no play cannot be said.
                chosen.unwrap_or_else(|| {
                    let plays: Vec<&Action> = options.iter().filter(|a| matches!(a, Action::Play(_))).collect();
                    (*self.dice.pick(&plays)).clone()
                })
            }
            Phase::Discard(_) => self.dice.pick(options).clone(),
            Phase::Guess { forced: true, .. } => self.best().unwrap_or_else(|| options[0].clone()),
            Phase::Guess { forced: false, .. } => self.name().unwrap_or(Action::Pass),
            Phase::Over => unreachable!("nobody chooses after the end"),
        }
    }
}
