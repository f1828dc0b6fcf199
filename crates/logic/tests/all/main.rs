//! All tests of this crate that use it from outside, as one program: linking many takes longer than running them.

mod agreement;
mod any_order;
mod bdd_agreement;
mod belief;
mod belief_agreement;
mod chart;
mod compare;
mod draw;
mod ispl;
mod linear;
mod models;
mod oracle;
mod session;
mod smcdel;
mod support;
mod syntax;
mod system_agreement;
mod time;
mod time_agreement;
mod vectors;
