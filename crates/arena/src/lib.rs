//! Matches, records, tournaments, experiments, statistics and reports.
//!
//! A match ([`bout`]) is played by seats with one seed. An experiment ([`experiment`]) plays many games in several arms:
//! game `i` has its own seed, so the results do not depend on the number of threads, and what is done can be continued.
//! Its results become a [`report`], compared with what a paper says and with what is expected here.
//!
//! ```
//! use ken_arena::experiment::{Memory, Orders, Plan, Sample, Spec, Start, run};
//! use ken_arena::report::Report;
//! use ken_games::dice::Dice;
//!
//! let spec = Spec::parse(r#"
//!     name = "dice"
//!     title = "How often a die is thrown until it shows a six"
//!     source = "our own"
//!     games = 2000
//!     seed = 1
//!     [[arm]]
//!     label = "fair"
//!     kind = "die"
//!     faces = 6
//!     paper = { throws = 6.0 }
//! "#).unwrap();
//! let plan = Plan::new(spec, |arm| {
//!     let faces = arm.parameters["faces"].as_u64().unwrap() as usize;
//!     Ok(Box::new(move |_game: u64, seed: u64| {
//!         let mut dice = Dice::new(seed);
//!         let throws = 1 + std::iter::repeat_with(|| dice.below(faces)).take_while(|&face| face != 0).count();
//!         Sample::new().number("throws", throws as f64).yes("at once", throws == 1)
//!     }))
//! }).unwrap();
//!
//! let results = run(&plan, &mut Memory::default(), Start::Afresh, &Orders::default()).unwrap();
//! let report = Report::new(&results, &[]);
//! let throws = &report.rows[0];
//! assert_eq!((throws.label.as_str(), throws.metric.as_str(), throws.n), ("fair", "throws", 2000));
//! assert!(throws.low < 6.0 && 6.0 < throws.high);
//! assert!(report.markdown().contains("| fair | throws |"));
//! ```
//!
//! | file | one line |
//! |---|---|
//! | `bout` | one match: seeds, seats, forfeits, record |
//! | `catalogue` | the kinds of arms: which games and players there are |
//! | `library` | the models and the experiments that the program comes with |
//! | `study` | matches that people played, as the results of an experiment |
//! | `partner` | what recorded matches of Yōkai teach about who played them |
//! | `stats` | means, proportions, quantiles, histograms, intervals |
//! | `experiment/` | the spec, the arms, running and continuing, the store of records |
//! | `directory` | the store in a folder: the one file here that touches files |
//! | `external` | players that are programs: the one file here that starts processes |
//! | `tournament` | the arm in which players meet, with the same deals in all rotations |
//! | `thesis` | the arm that counts rounds until the solution of Cluedo is asked |
//! | `report/` | rows, expectations, Markdown, HTML, drawings |
#![warn(missing_docs)]

pub mod bout;
pub mod catalogue;
pub mod directory;
pub mod experiment;
pub mod external;
pub mod library;
pub mod partner;
pub mod report;
pub mod search;
pub mod stats;
pub mod study;
pub mod thesis;
pub mod tournament;
pub mod yokai;

use std::fmt::{self, Display};

/// The version that stands in records.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What is wrong with a spec, a store or an expectation, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong and where.
    pub message: String,
    /// What to try.
    pub help: Option<String>,
}

impl Problem {
    /// A problem.
    pub fn new(message: impl Into<String>) -> Problem {
        Problem { message: message.into(), help: None }
    }

    /// The problem with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }

    /// The problem with the place where it is put before the message.
    #[must_use]
    pub fn at(mut self, place: impl Display) -> Problem {
        self.message = format!("{place}: {}", self.message);
        self
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}

impl From<ken_games::game::Illegal> for Problem {
    fn from(illegal: ken_games::game::Illegal) -> Problem {
        Problem { message: illegal.message, help: illegal.help }
    }
}

impl From<ken_games::table::page::Problem> for Problem {
    fn from(problem: ken_games::table::page::Problem) -> Problem {
        Problem { message: problem.message, help: problem.help }
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        Problem::new(error.to_string())
    }
}

/// The example of the README is tested.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
