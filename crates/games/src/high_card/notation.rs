//! The text of actions, events and sights, and the options.

use super::{Action, Event, HighCard, Sight};
use crate::game::{Illegal, Notation, Seat};
use serde_json::{Value, json};

const OPTIONS: [&str; 3] = ["players", "cards", "questions"];

/// The most cards and questions: few enough for every option to be listed.
const MOST: u8 = 20;

impl Notation for HighCard {
    const NAME: &'static str = "high-card";

    fn options(&self) -> Value {
        json!({"cards": self.cards, "questions": self.questions})
    }

    fn with_options(options: &Value) -> Result<HighCard, Illegal> {
        let wrong = |message: String| Err(Illegal::new(message));
        let empty = serde_json::Map::new();
        let options = match options {
            Value::Null => &empty,
            Value::Object(map) => map,
            _ => return wrong("options are an object".to_string()),
        };
        let mut game = HighCard::default();
        for (key, value) in options {
            let number = value.as_u64().and_then(|n| u8::try_from(n).ok()).filter(|n| *n <= MOST);
            match (key.as_str(), number) {
                // Whoever seats the players says how many there are.
                ("players", Some(2)) => {}
                ("players", _) => return wrong(format!("two play high card, not {value}")),
                ("cards", Some(n)) if n >= 2 => game.cards = n,
                ("cards", _) => return wrong(format!("`cards` is a number from 2 to {MOST}, not {value}")),
                ("questions", Some(n)) => game.questions = n,
                ("questions", _) => return wrong(format!("`questions` is a number from 0 to {MOST}, not {value}")),
                (other, _) => {
                    let near = ken_logic::syntax::nearest(other, OPTIONS);
                    let help = near.map_or("the options are cards and questions".to_string(), |near| {
                        format!("did you mean `{near}`?")
                    });
                    return Err(Illegal::new(format!("there is no option `{other}`")).help(help));
                }
            }
        }
        Ok(game)
    }

    fn write(&self, action: &Action) -> String {
        match action {
            Action::Ask(above) => format!("ask {above}"),
            Action::Bet { high } => if *high { "high" } else { "low" }.to_string(),
        }
    }

    fn read(&self, text: &str) -> Result<Action, Illegal> {
        match text.split_whitespace().collect::<Vec<_>>()[..] {
            [bet @ ("high" | "low")] => Ok(Action::Bet { high: bet == "high" }),
            ["ask", above] => above.parse().map(Action::Ask).map_err(|_| Illegal::new("`ask` needs a number")),
            _ => Err(Illegal::new(format!("there is no action `{}`", text.trim())).help("`ask 3`, `high` or `low`")),
        }
    }

    fn tell(&self, event: &Event) -> String {
        match event {
            Event::Dealt([first, second]) => format!("seat 0 has {first}, seat 1 has {second}"),
            Event::Asked { by, above, yes } => {
                let other = by.next(2);
                let answer = if *yes { "yes" } else { "no" };
                format!("seat {by} asks whether the card of seat {other} is above {above}: {answer}")
            }
            Event::Bet { by, high, cards: [first, second] } => {
                let word = if *high { "higher" } else { "lower" };
                format!("seat {by} bets on the {word} card: seat 0 has {first}, seat 1 has {second}")
            }
        }
    }

    fn tell_sight(&self, sight: &Sight) -> String {
        match sight {
            Sight::Mine(seat, card) => format!("you are seat {seat} and have {card}"),
            Sight::Heard(event) => self.tell(event),
        }
    }

    fn sight_data(&self, sight: &Sight) -> Value {
        let seat = |seat: &Seat| seat.0;
        match sight {
            Sight::Mine(me, card) => json!({"seat": seat(me), "card": card}),
            Sight::Heard(Event::Dealt(cards)) => json!({"cards": cards}),
            Sight::Heard(Event::Asked { by, above, yes }) => json!({"asks": seat(by), "above": above, "yes": yes}),
            Sight::Heard(Event::Bet { by, high, cards }) => json!({"bets": seat(by), "high": high, "cards": cards}),
        }
    }
}

/// A sight from its data.
pub(super) fn sight(game: &HighCard, data: &Value) -> Result<Sight, Illegal> {
    let seat = |key: &str| data[key].as_u64().filter(|&seat| seat < 2).map(|seat| Seat(seat as u8));
    let card = |value: &Value| value.as_u64().filter(|n| (1..=u64::from(game.cards)).contains(n)).map(|n| n as u8);
    let both = || match data["cards"].as_array()?.as_slice() {
        [first, second] => Some([card(first)?, card(second)?]).filter(|[a, b]| a != b),
        _ => None,
    };
    let read = || match data.as_object()?.keys().map(String::as_str).collect::<Vec<_>>()[..] {
        ["seat", "card"] | ["card", "seat"] => Some(Sight::Mine(seat("seat")?, card(&data["card"])?)),
        ["cards"] => Some(Sight::Heard(Event::Dealt(both()?))),
        _ if data.get("asks").is_some() => {
            let (by, above) = (seat("asks")?, card(&data["above"]).filter(|&above| above < game.cards)?);
            Some(Sight::Heard(Event::Asked { by, above, yes: data["yes"].as_bool()? }))
        }
        _ => {
            let (by, high) = (seat("bets")?, data["high"].as_bool()?);
            Some(Sight::Heard(Event::Bet { by, high, cards: both()? }))
        }
    };
    let help = r#"such as {"seat": 0, "card": 3} or {"asks": 1, "above": 4, "yes": true}"#;
    read().ok_or_else(|| Illegal::new("nobody can see that in this game").help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_read_back_and_wrong_ones_are_named() {
        let options = json!({"cards": 5, "questions": 2});
        assert_eq!(HighCard::with_options(&options).unwrap().options(), options);
        assert_eq!(HighCard::with_options(&json!({"players": 2})), Ok(HighCard::default()));
        let wrong = |options: Value| HighCard::with_options(&options).unwrap_err().to_string();
        assert_eq!(wrong(json!({"players": 3})), "two play high card, not 3");
        assert_eq!(wrong(json!({"cards": 1})), "`cards` is a number from 2 to 20, not 1");
        assert_eq!(wrong(json!({"card": 3})), "there is no option `card` (did you mean `cards`?)");
    }
}
