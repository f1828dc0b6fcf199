//! All tests of this crate that use it from outside, as one program: linking many takes longer than running them.

mod cluedo_ask;
mod cluedo_count;
mod cluedo_del;
mod cluedo_know;
mod cluedo_rules;
mod cluedo_thesis;
mod conformance;
mod eleusis_classic;
mod eleusis_express;
mod eleusis_guess;
mod eleusis_knowledge;
mod eleusis_laws;
mod eleusis_paper;
mod eleusis_players;
mod eleusis_properties;
mod eleusis_rules;
mod golden;
mod positions;
mod record;
mod support;
mod unfold;
mod yokai_count;
mod yokai_knowledge;
mod yokai_players;
mod yokai_positions;
mod yokai_rules;
