//! What each player says before the deal: how it reads the moves of its partner, and what its own mean.
//!
//! Nothing that a player reads into moves is left unsaid, and nobody needs a convention to play with any of them.

use super::notes::{CODED, NATURAL};
use crate::cards::Card;
use crate::game::Seat;
use crate::yokai::convention::{Convention, Maker, Marks, When};
use crate::yokai::rules::SeenAct;

/// What a player announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Announced {
    /// By what it reads the moves of its partner.
    pub reads: Convention,
    /// What its own moves keep.
    pub keeps: Convention,
    /// When it relies on the moves of its partner.
    pub trust: Trust,
    /// How it decides, in general.
    manner: Manner,
}

/// When a player relies on what its partner's moves tell, where its convention reads anything into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// From the start.
    Given,
    /// If its first two looks declared the convention.
    Declared,
    /// If its first look declared the code.
    Code,
    /// Once they were seen to keep the convention or its first two looks declared it, unless they broke it.
    Earned,
    /// Never as certain: it takes them for likely signs.
    Weighed,
}

/// How players decide, in general.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Chance,
    Goals,
    Means,
    Code,
    Memory,
    Partner,
}

/// Marks that nobody was forced to make are proper.
const MARKS: Convention =
    Convention { marks: Marks::Proper { when: When::Voluntary, smaller_excluded: false }, ..Convention::NONE };

/// The same, and no smaller hint fits.
const CAREFUL: Convention =
    Convention { marks: Marks::Proper { when: When::Voluntary, smaller_excluded: true }, ..Convention::NONE };

/// What a player of the list announces; `NAME@6` announces what `NAME` does. None for players that are not in the list.
pub fn announced(name: &str) -> Option<Announced> {
    let (natural, coded) = (Convention::shipped("natural")?, Convention::shipped("coded")?);
    let (reads, keeps, trust, manner) = match base(name) {
        "random" => (Convention::NONE, Convention::NONE, Trust::Given, Manner::Chance),
        "paper" | "paper-sat" | "explorer" | "learner" => (Convention::HINTS, MARKS, Trust::Given, Manner::Goals),
        "believer" => (CAREFUL, CAREFUL, Trust::Given, Manner::Means),
        "conventional" => (natural, natural, Trust::Declared, Manner::Means),
        "adapter" => (natural, natural, Trust::Earned, Manner::Means),
        "coder" => (coded, coded, Trust::Code, Manner::Code),
        "companion" => (Convention::NONE, MARKS, Trust::Weighed, Manner::Partner),
        "person-typical" | "person-careful" | "person-forgetful" | "person-hasty" => {
            (Convention::NONE, Convention::NONE, Trust::Given, Manner::Memory)
        }
        _ => return None,
    };
    Some(Announced { reads, keeps, trust, manner })
}

fn base(name: &str) -> &str {
    name.split_once('@').map_or(name, |(base, _)| base)
}

/// What a player says before the deal, a sentence each: how it reads your moves, what its own mean, and, if it differs,
/// what becomes of a convention that was agreed on.
pub fn says(name: &str, agreed: Option<Convention>) -> Vec<String> {
    let Some(Announced { reads, keeps, trust, .. }) = announced(name) else {
        return vec!["This player does not say how it reads your moves or what its own mean.".to_string()];
    };
    let read = match trust {
        Trust::Given => reads.reads(),
        Trust::Declared => {
            let declared = "; I rely on your moves only if your first two looks say that you keep this: at cards 2 and 6 if you begin, else 15 and 11.";
            reads.reads().trim_end_matches('.').to_string() + declared
        }
        Trust::Code => {
            let declared =
                "; I rely on it only if your first look says that you keep it: at card 3 if you begin, else 14.";
            reads.reads().trim_end_matches('.').to_string() + declared
        }
        Trust::Weighed => {
            "I take your moves and marks for likely signs of what you saw, and never for certain.".to_string()
        }
        Trust::Earned => {
            let earned = "; I rely on your moves only while none has broken this, once two have kept it or your first two looks say that you will: at cards 2 and 6 if you begin, else 15 and 11.";
            reads.reads().trim_end_matches('.').to_string() + earned
        }
    };
    let mut said = vec![read, keeps.keeps(&reads)];
    if let Some((_, looks)) = name.split_once('@') {
        said.push(format!("I remember the colours of my last {looks} looks only."));
    }
    if let Some(agreed) = agreed.filter(|agreed| agreed.clauses(Maker::Me) != keeps.clauses(Maker::Me)) {
        said.push(format!("You chose {}: I do not keep it.", agreed.title()));
    }
    said
}

impl Announced {
    /// What the last of these looks declares, if they are the first ones of the seat.
    pub fn declares(&self, seat: Seat, looks: &[Card]) -> Option<&'static str> {
        match self.trust {
            Trust::Declared | Trust::Earned if NATURAL[seat.index()].starts_with(looks) => {
                Some("By this look it declares that its moves keep the convention.")
            }
            Trust::Code if looks == [CODED[seat.index()]] => Some("By this look it declares that it keeps the code."),
            Trust::Given | Trust::Declared | Trust::Code | Trust::Earned | Trust::Weighed => None,
        }
    }

    /// Why a player of this kind does such a thing, in general: nothing that it saw is in it.
    pub fn habit(&self, act: &SeenAct) -> &'static str {
        let step = match act {
            SeenAct::Looked { .. } => 0,
            SeenAct::Moved { .. } => 1,
            SeenAct::Marked { .. } => 2,
            SeenAct::Activated(_) => 3,
            SeenAct::Stopped => 4,
            SeenAct::Skipped => return "No card could be moved.",
        };
        let habits = match self.manner {
            Manner::Chance => return "It does anything that is allowed, by chance.",
            Manner::Goals => [
                "It looks at a card of which it does not know the colour, one that its goals ask for.",
                "It moves to attain the first of its goals that a move can attain: cards that it takes to be of one colour come together.",
                "It marks a card with a hint that it believes to be proper; with nothing else left to do, it marks one that it does not know.",
                "It activates a hint when it finds no mark that it believes to be proper.",
                "It stops when it believes that every colour is together.",
            ],
            Manner::Means => [
                "It looks where a colour would most improve its next move, on the mean of the colourings that it holds possible.",
                "It takes the move after which the fewest moves are left, on the mean of the colourings that it holds possible, and weighs what the move tells you.",
                "It marks where the mark costs few points, locks little that must still move, and tells you much.",
                "It activates a hint when no mark is worth more to it.",
                "It stops when the chance of a win is high enough for it, by the colourings that it holds possible.",
            ],
            Manner::Code => [
                "It looks where a colour would most improve its moves; the second look is the one that the code has for the colour of the first card.",
                "It moves as the code has it for the colour of the second card.",
                "It marks where that costs the fewest points.",
                "It activates a hint when no mark costs less.",
                "It stops when the win follows from what it saw and what both keep in common.",
            ],
            Manner::Partner => [
                "It looks where a colour would most improve its next move, on the mean of the colourings that it holds likely.",
                "It takes the move that leaves the best chance of a win once you have had your turn, as far as it can guess what you do.",
                "It marks a card that is to stay where it is; unless it must mark, one of which it is certain.",
                "It activates a hint when no mark leaves a better chance of a win.",
                "It stops when that wins more often than to go on, by its estimate.",
            ],
            Manner::Memory => [
                "It looks at a card that it does not remember.",
                "It moves so that the groups that it remembers become largest.",
                "It marks a card that it remembers, now and then.",
                "It activates a hint when it does not mark.",
                "It stops when all that it remembers is together, or when the last turn cannot gain anything.",
            ],
        };
        habits[step]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_that_declares_is_not_said_to_tell_nothing() {
        let declares = |name: &str, seat: u8, looks: &[u8]| {
            let looks: Vec<Card> = looks.iter().map(|&card| Card(card)).collect();
            announced(name).unwrap().declares(Seat(seat), &looks).is_some()
        };
        assert!(declares("conventional", 0, &[1]) && declares("adapter", 1, &[14, 10]));
        assert!(!declares("conventional", 0, &[5]) && !declares("conventional", 0, &[1, 5, 6]));
        assert!(declares("coder", 0, &[2]) && !declares("coder", 0, &[2, 3]));
        assert!(!declares("believer", 0, &[1]) && !declares("companion", 0, &[1]));
    }
}
