//! Machine players.

use super::{Action, Event, HighCard, Sight};
use crate::dice::Dice;
use crate::game::{Illegal, Player, Seat};

/// The players from easy to strong: name and idea.
pub const PLAYERS: [(&str, &str); 2] = [
    ("random", "does anything that is allowed"),
    ("halver", "asks for the middle of what is possible, and bets when it knows or must"),
];

/// The player of this name. Its own chance comes from the seed.
pub fn seat(name: &str, game: &HighCard, seed: u64) -> Result<Box<dyn Player<HighCard>>, Illegal> {
    match name {
        "random" => Ok(Box::new(Random(Dice::new(seed)))),
        "halver" => Ok(Box::new(Halver { me: Seat(0), mine: 0, low: 1, high: game.cards })),
        _ => {
            let names = PLAYERS.map(|(name, _)| name);
            let help = match ken_logic::syntax::nearest(name, names) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the players are {}", names.join(", ")),
            };
            Err(Illegal::new(format!("there is no player `{name}`")).help(help))
        }
    }
}

struct Random(Dice);

impl Player<HighCard> for Random {
    fn watch(&mut self, _: &Sight) {}

    fn choose(&mut self, options: &[Action]) -> Action {
        self.0.pick(options).clone()
    }
}

/// Halves what the other card can be.
struct Halver {
    me: Seat,
    mine: u8,
    /// The other card is one of `low..=high`.
    low: u8,
    high: u8,
}

impl Player<HighCard> for Halver {
    fn watch(&mut self, sight: &Sight) {
        match *sight {
            Sight::Mine(me, card) => (self.me, self.mine) = (me, card),
            Sight::Heard(Event::Asked { by, above, yes }) if by == self.me => match yes {
                true => self.low = self.low.max(above + 1),
                false => self.high = self.high.min(above),
            },
            Sight::Heard(Event::Asked { .. } | Event::Dealt(_) | Event::Bet { .. }) => {}
        }
    }

    fn choose(&mut self, options: &[Action]) -> Action {
        let middle = Action::Ask((self.low + self.high) / 2);
        let open = self.low < self.mine && self.mine < self.high;
        match open && options.contains(&middle) {
            true => middle,
            // As many below as above is a matter of taste.
            false => Action::Bet { high: self.mine - self.low.min(self.mine) >= self.high.max(self.mine) - self.mine },
        }
    }
}
