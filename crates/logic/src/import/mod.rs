//! Readers for the file formats of other checkers.

mod smcdel;

pub use smcdel::model_from_smcdel;
