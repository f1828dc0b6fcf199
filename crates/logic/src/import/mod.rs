//! Readers for the file formats of other checkers.

mod ispl;
mod smcdel;

pub(crate) use ispl::model_from_ispl;
pub(crate) use smcdel::model_from_smcdel;
