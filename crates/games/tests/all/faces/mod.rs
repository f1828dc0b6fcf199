//! What a page needs of each game: boards, the inspector, reasons, hints.

mod cluedo;
mod eleusis;
mod pages;
mod yokai;
