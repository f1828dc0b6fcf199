//! Cluedo: who holds which card, and what lies in the envelope.
//!
//! | file | one line |
//! |---|---|
//! | `deck` | decks as data: ordered categories of cards |
//! | `rules` | state, actions, events, sights |
//! | `notation` | text of actions, sights and options |
//! | `view` | the page of a seat: its note sheet and log |
//! | `position` | what one seat has seen, as a list of observations; the fold of its sights |
//! | `read` | positions in JSON |
//! | `atoms` | the facts about a position |
//! | `count` | how many deals fit, exactly |
//! | `know` | nested knowledge |
//! | `suppose` | moves that are asked about |
//! | `why` | proofs, their checker, and clashes |
//! | `ask` | what a question is expected to tell, exactly |
//! | `listed` | the same from deals that are listed |
//! | `answer` | what can come of one question, counted |
//! | `waiting` | what questions tell where there is too much to count, without bias |
//! | `estimate` | numbers with their errors |
//! | `symmetry` | cards that played the same part |
//! | `views` | what another seat may have seen, and how likely that is |
//! | `worth` | what questions are worth, to the asker and to others: exact, or with its error |
//! | `rivals` | how likely each other seat knows the envelope |
//! | `likelihood` | how likely each deal is, if responders choose at random: separate, off by default |
//! | `knowledge` | the deals that fit, counted |
//! | `thesis` | the experiment of the thesis: rounds to the solution |
//! | `players` | one artificial player per file |

pub mod answer;
pub mod ask;
mod atoms;
pub mod count;
pub mod deck;
pub mod estimate;
pub mod face;
pub mod know;
pub mod knowledge;
pub mod likelihood;
pub mod listed;
pub mod notation;
pub mod players;
pub mod position;
pub mod read;
pub mod rivals;
pub mod rules;
mod suppose;
pub mod symmetry;
pub mod thesis;
pub mod view;
pub mod views;
pub mod waiting;
pub mod why;
pub mod worth;

pub use atoms::{Atom, Fact, Place};
pub use deck::Deck;
pub use position::{Observed, Position, World};
pub use rules::{Action, Cluedo, Endmove, Event, Sight};
