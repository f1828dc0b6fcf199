//! Readers for the file formats of other checkers.

mod ispl;
mod smcdel;

pub use ispl::model_from_ispl;
pub use smcdel::model_from_smcdel;
