//! Plays with an unknown partner: keeps the convention of [`conventional`](super::conventional) itself, relies on it only
//! when the partner was seen to keep it, and otherwise reckons with a partner who moves as the paper's player does.

use super::thinker::{Style, Thinker, Trust};
use crate::yokai::partner::PartnerModel;

/// A player that adapts.
pub(super) fn adapter(seed: u64) -> Thinker {
    Thinker::new(Style { trust: Trust::Earned, sure: 0.9, bit: 0.4 }, seed)
}

/// The same with what is known of its partner from earlier matches.
pub(super) fn taught(seed: u64, partner: &PartnerModel) -> Thinker {
    adapter(seed).knowing(partner.clone())
}
