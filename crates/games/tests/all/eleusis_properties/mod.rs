//! The properties of the paper, three ways: the search, the engine of perfect recall, and every play one by one.

mod plays;
mod random;
mod vectors;
