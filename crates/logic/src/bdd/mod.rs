//! Boolean functions as reduced ordered binary decision diagrams.
//!
//! [`Bdd`] is the one interface through which the rest of the crate computes
//! with Boolean functions. [`OxiddBdd`] implements it on `oxidd`; the tests
//! implement it a second time on another library and compare the two.
//! Algorithms that only need to look at a function's nodes are free functions
//! over any [`Bdd`]: [`count`], [`models`], [`closest`], [`support`],
//! [`evaluate`], [`renamed`], [`transfer`] and [`distance_one_forall`].
//!
//! # Running out of room
//!
//! A manager has a fixed capacity. Whatever makes nodes returns [`Full`] when
//! even a garbage collection leaves too little room. The manager and all the
//! functions in it stay usable, but the sensible answer is to start again in a
//! larger one: drop the manager and all its functions, build a new one with
//! [`Capacity::grown`], and repeat the computation.
//!
//! ```
//! use ken_logic::bdd::{Bdd, Capacity, Full, OxiddBdd};
//!
//! fn parity(bdd: &OxiddBdd) -> Result<usize, Full> {
//!     let mut f = bdd.constant(false);
//!     for v in 0..bdd.vars() {
//!         f = bdd.xor(&f, &bdd.var(v)?)?;
//!     }
//!     Ok(bdd.node_count(&f))
//! }
//!
//! let mut capacity = Capacity::new(16, 16);
//! let nodes = loop {
//!     match parity(&OxiddBdd::new(40, capacity)) {
//!         Ok(nodes) => break nodes,
//!         Err(Full) => capacity = capacity.grown().expect("40 nodes fit"),
//!     }
//! };
//! assert_eq!(nodes, 40);
//! ```

mod algorithms;
mod oxidd;

use std::fmt::{self, Debug};
use std::hash::Hash;

pub use self::algorithms::{Models, closest, count, distance_one_forall, evaluate, models, renamed, support, transfer};
pub use self::oxidd::{Capacity, OxiddBdd, OxiddCube, OxiddFunction};

/// The node capacity of a manager is exhausted.
///
/// It is reported only after a garbage collection has failed to make enough
/// room, so repeating the operation in the same manager is pointless unless
/// functions have been dropped. See the [module documentation](self) on growing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the node capacity of the decision diagram manager is exhausted")
    }
}

impl std::error::Error for Full {}

/// The system does not give the memory, or the threads, for a manager of this many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoRoom(pub u64);

impl From<NoRoom> for Full {
    fn from(_: NoRoom) -> Full {
        Full
    }
}

/// The root of a function's diagram, as [`Bdd::split`] returns it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Split<F> {
    /// The function is constant.
    Const(bool),
    /// The function depends on `var` and on no variable before it.
    Node {
        /// The first variable that the function depends on.
        var: u32,
        /// The cofactor in which `var` is true.
        hi: F,
        /// The cofactor in which `var` is false.
        lo: F,
    },
}

/// A manager of Boolean functions over the variables `0..vars()`.
///
/// A variable's number is its level: the variables are ordered by number and
/// never reordered, so planning a good order is up to the caller. Functions are
/// canonical within a manager: two handles are equal if and only if they denote
/// the same function.
///
/// Handles must only be used with the manager that they come from; an
/// implementation may panic otherwise. Likewise every method that takes variable
/// numbers may panic if one of them is not below `vars()`.
///
/// Handles hash and compare fast, but neither their hash values nor any order
/// of a hash table's entries is reproducible from one run to the next. Results
/// must not depend on them.
pub trait Bdd {
    /// A handle on a function.
    type F: Clone + Eq + Hash + Debug;

    /// A set of variables to quantify over.
    type Cube: Clone + Debug;

    /// Returns the number of variables.
    fn vars(&self) -> u32;

    /// Returns the constant function of the given value.
    fn constant(&self, value: bool) -> Self::F;

    /// Returns the function that is true where the variable `v` is.
    fn var(&self, v: u32) -> Result<Self::F, Full>;

    /// Computes ¬f.
    fn not(&self, f: &Self::F) -> Result<Self::F, Full>;

    /// Computes f ∧ g.
    fn and(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Full>;

    /// Computes f ∨ g.
    fn or(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Full>;

    /// Computes f ⊕ g, that is, exactly one of the two.
    fn xor(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Full>;

    /// Computes f ↔ g.
    fn iff(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Full>;

    /// Computes f → g.
    fn imp(&self, f: &Self::F, g: &Self::F) -> Result<Self::F, Full>;

    /// Computes (f ∧ g) ∨ (¬f ∧ h), that is, g where f holds and h elsewhere.
    fn ite(&self, f: &Self::F, g: &Self::F, h: &Self::F) -> Result<Self::F, Full>;

    /// Builds the set of the given variables, in any order.
    fn cube(&self, vars: impl IntoIterator<Item = u32>) -> Result<Self::Cube, Full>;

    /// Computes ∃cube f.
    fn exists(&self, f: &Self::F, cube: &Self::Cube) -> Result<Self::F, Full>;

    /// Computes ∀cube f.
    fn forall(&self, f: &Self::F, cube: &Self::Cube) -> Result<Self::F, Full>;

    /// Computes ∃cube (f ∧ g), if possible without building f ∧ g.
    fn and_exists(&self, f: &Self::F, g: &Self::F, cube: &Self::Cube) -> Result<Self::F, Full>;

    /// Computes ∀cube (f → g), if possible without building f → g.
    fn forall_imp(&self, f: &Self::F, g: &Self::F, cube: &Self::Cube) -> Result<Self::F, Full>;

    /// Computes the cofactor of f by the given literals.
    ///
    /// This is f with each listed variable replaced by its value, so the result
    /// depends on none of them. Should a variable be listed twice, its first
    /// value counts.
    fn restrict(&self, f: &Self::F, literals: &[(u32, bool)]) -> Result<Self::F, Full>;

    /// Takes the root of f's diagram apart, in constant time.
    fn split(&self, f: &Self::F) -> Split<Self::F>;

    /// Counts the inner nodes of f's diagram.
    ///
    /// Implementations may represent functions differently (with or without
    /// complemented edges), so this is a measure of size and not of meaning.
    fn node_count(&self, f: &Self::F) -> usize;
}
