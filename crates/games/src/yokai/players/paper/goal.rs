//! The goals of Appendix A.

use crate::cards::{Card, CardSet};
use crate::yokai::colour::{Colour, Hint};
use std::fmt;

/// What the player tries to bring about with its next action. Cards are shown to people from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Every colour is connected: then the player stops.
    Grouped,
    /// *obsArroundCards(X)*: know the colour of a card that lies beside the connected cards X of one colour.
    LookAround(CardSet),
    /// *obsUnknownColorCard(x)*: know the colour of a card that was not seen.
    LookUnknown(Card),
    /// *obsRandomly(x)*: look at any card.
    LookAny(Card),
    /// *groupCards₄(X)*, *groupCards₃(X)*, *groupCards₂(X)*: connect two to four cards of a colour.
    Group(CardSet, Colour),
    /// *randomMove(x)*: move a card that is not beside a card of its colour.
    MoveAny(Card),
    /// *markUnknownCard(x,h)*: mark a card that the partner has not seen.
    MarkUnknown(Card, Hint),
    /// *markRandomCard(x,h)*: mark any card properly.
    MarkAny(Card, Hint),
}

impl fmt::Display for Goal {
    /// As in the paper: `groupCards3({2,5,9}, red)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Grouped => f.write_str("allGrouped"),
            Goal::LookAround(cards) => write!(f, "obsAroundCards({})", Numbers(*cards)),
            Goal::LookUnknown(card) => write!(f, "obsUnknownColorCard({})", card.0 + 1),
            Goal::LookAny(card) => write!(f, "obsRandomly({})", card.0 + 1),
            Goal::Group(cards, colour) => write!(f, "groupCards{}({}, {colour})", cards.len(), Numbers(*cards)),
            Goal::MoveAny(card) => write!(f, "randomMove({})", card.0 + 1),
            Goal::MarkUnknown(card, hint) => write!(f, "markUnknownCard({}, {hint})", card.0 + 1),
            Goal::MarkAny(card, hint) => write!(f, "markRandomCard({}, {hint})", card.0 + 1),
        }
    }
}

/// A set of cards as people read it: `{2,5,9}`.
pub(super) struct Numbers(pub(super) CardSet);

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, card) in self.0.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { "," }, card.0 + 1)?;
        }
        f.write_str("}")
    }
}

/// The subsets of `cards` with `least` to `most` members, in a fixed order. (Algorithm 1, whose GETSUBSETSGTLEQ leaves
/// its lower bound out.)
pub(super) fn subsets(cards: CardSet, least: usize, most: usize) -> impl Iterator<Item = CardSet> {
    // The standard walk over the submasks of a mask, from the empty one up.
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let now = next?;
        next = (now != cards.0).then(|| now.wrapping_sub(cards.0) & cards.0);
        Some(CardSet(now))
    })
    .filter(move |s| (least..=most).contains(&s.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subsets_of_the_example_of_appendix_a() {
        let green: CardSet = [1, 13, 7].map(|n| Card(n - 1)).into_iter().collect();
        assert_eq!(subsets(green, 1, 3).count(), 7);
        let pairs: Vec<String> = subsets(green, 2, 2).map(|s| Numbers(s).to_string()).collect();
        assert_eq!(pairs, ["{1,7}", "{1,13}", "{7,13}"]);
        assert_eq!(subsets(CardSet::EMPTY, 0, 3).collect::<Vec<_>>(), [CardSet::EMPTY]);
    }
}
