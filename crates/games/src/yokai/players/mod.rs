//! Artificial players, one idea each. They receive sights and options and nothing else.

pub mod paper;
