//! Readers for the file formats of other checkers.

pub mod ispl;
mod smcdel;

pub use smcdel::model_from_smcdel;
