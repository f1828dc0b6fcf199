//! `ken yokai know` and `why`: what a seat knows of the colours.

use crate::args::{KnowArgs, WhyArgs};
use crate::input::Failure;
use crate::know;
use clap::{Args, ValueEnum};
use ken_games::cards::Card;
use ken_games::knowledge::{Inspector, Placed};
use ken_games::yokai::face::ColourMind;
use ken_games::yokai::knowledge::{Assumed, Notes};
use ken_games::yokai::{CARDS, read};

/// What is assumed.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Assume {
    /// Only looks count
    Nothing,
    /// Every hint is proper
    Proper,
}

/// What is taken for granted beside the position.
#[derive(Args)]
pub(crate) struct Granted {
    /// What is assumed beyond looks
    #[arg(long, value_enum, default_value_t = Assume::Proper)]
    assume: Assume,
    /// Two cards that were announced to have the same colour, such as 3,7; may be given again
    #[arg(long, value_name = "CARD,CARD", value_parser = pair)]
    same: Vec<(Card, Card)>,
}

#[derive(Args)]
pub(crate) struct YokaiKnowArgs {
    #[command(flatten)]
    pub(crate) asked: KnowArgs,
    #[command(flatten)]
    granted: Granted,
}

#[derive(Args)]
pub(crate) struct YokaiWhyArgs {
    #[command(flatten)]
    pub(crate) asked: WhyArgs,
    #[command(flatten)]
    granted: Granted,
}

fn pair(text: &str) -> Result<(Card, Card), String> {
    let card = |text: &str| text.trim().parse().ok().filter(|n| (1..=CARDS as u8).contains(n)).map(|n: u8| Card(n - 1));
    let found = text.split_once(',').and_then(|(a, b)| Some((card(a)?, card(b)?)));
    found.filter(|(a, b)| a != b).ok_or_else(|| "two different cards of 1 to 16, such as 3,7".to_string())
}

impl Granted {
    /// What the seat of a position knows.
    fn placed(&self, name: &str, text: &str) -> Result<Box<dyn Inspector>, Failure> {
        let position = read::position(text).map_err(know::unread(name, text))?;
        let assumed = match self.assume {
            Assume::Nothing => Assumed::Nothing,
            Assume::Proper => Assumed::Proper,
        };
        let mut notes = Notes::of(&position, assumed);
        self.same.iter().for_each(|&(a, b)| notes.announce(a, b, None));
        Ok(Box::new(Placed(ColourMind::new(notes))))
    }
}

pub(crate) fn know(args: &YokaiKnowArgs) -> Result<u8, Failure> {
    know::know(&args.asked, &|name, text| args.granted.placed(name, text))
}

pub(crate) fn why(args: &YokaiWhyArgs) -> Result<u8, Failure> {
    know::why(&args.asked, &|name, text| args.granted.placed(name, text))
}
