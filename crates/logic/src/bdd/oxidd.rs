//! The [`Bdd`] back end on `oxidd`'s diagrams with complemented edges.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ::oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use ::oxidd::util::AllocResult;
use ::oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, HasLevel, Manager, ManagerRef, Node};

use super::{Bdd, Full, NoRoom, Split};
use crate::stop;

/// The stack of the worker that `oxidd` starts for each manager, unless its own setting `OXIDD_STACK_SIZE` says otherwise.
const WORKER_STACK: usize = 1 << 30;

/// How often room is looked for: the worker of a manager that was just dropped may still be about to end.
const TRIES: u32 = 4;

/// The fixed sizes of a manager: inner nodes and apply-cache entries.
///
/// The *nodes* bound how many distinct inner nodes may exist at once, dead ones
/// that wait for their collection included. The address space for them is
/// reserved at once (16 bytes each), but it takes up memory only as it is used,
/// in steps of up to 2 MiB. About 16 more bytes per node go into the unique
/// tables, also as needed. So a generous bound costs nothing by itself, except
/// that garbage may pile up to it before anything is collected.
///
/// The *cache* holds results of suboperations, one per entry, and a collision
/// overwrites the older one. Its memory (20 bytes per entry, a power of two of
/// them) is written at once when the manager is made and swept at each garbage
/// collection. A cache that exceeds the processor's makes everything slower.
/// One that is far too small for the diagrams at hand loses results before they
/// are used, which in the worst case takes exponential time. As nothing reports
/// that, the cache is coupled to the nodes: [`Capacity::with_nodes`] plans one
/// entry for sixteen nodes, and [`Capacity::grown`] multiplies both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capacity {
    nodes: u32,
    cache: u32,
}

impl Capacity {
    /// The largest number of inner nodes that a manager can have.
    pub const MAX_NODES: u32 = (1 << 31) - 1;

    /// The largest number of apply-cache entries (20 GiB of them).
    pub const MAX_CACHE: u32 = 1 << 30;

    /// The factor by which [`Capacity::grown`] multiplies.
    const GROWTH: u32 = 4;

    /// Plans a manager of the given numbers of inner nodes and cache entries.
    ///
    /// Numbers out of range are replaced by the closest in range, and the cache
    /// is rounded up to a power of two.
    pub const fn new(nodes: u32, cache: u32) -> Self {
        let nodes = if nodes > Self::MAX_NODES { Self::MAX_NODES } else { nodes };
        let cache = if cache > Self::MAX_CACHE { Self::MAX_CACHE } else { cache.next_power_of_two() };
        Self { nodes, cache }
    }

    /// Plans a manager of the given number of inner nodes and a cache to match.
    ///
    /// The cache has an entry for sixteen nodes, but 2¹² entries at least.
    pub const fn with_nodes(nodes: u32) -> Self {
        let cache = nodes / 16;
        Self::new(nodes, if cache < 1 << 12 { 1 << 12 } else { cache })
    }

    /// Returns the number of inner nodes.
    pub const fn nodes(self) -> u32 {
        self.nodes
    }

    /// Returns the number of apply-cache entries.
    pub const fn cache(self) -> u32 {
        self.cache
    }

    /// Returns the next larger capacity to try, four times this one.
    ///
    /// The result is `None` if there are no more nodes to be had. Long before
    /// that a caller should compare [`Capacity::bytes`] with what it is ready to
    /// spend.
    pub const fn grown(self) -> Option<Self> {
        if self.nodes >= Self::MAX_NODES {
            return None;
        }
        let nodes = match self.nodes {
            0 => 1,
            nodes => nodes.saturating_mul(Self::GROWTH),
        };
        Some(Self::new(nodes, self.cache.saturating_mul(Self::GROWTH)))
    }

    /// Estimates the memory in bytes of a manager whose nodes are all in use.
    pub const fn bytes(self) -> u64 {
        self.nodes as u64 * (16 + 16) + self.cache as u64 * 20
    }
}

impl Default for Capacity {
    /// Plans a manager of 2²⁰ nodes and 2¹⁶ cache entries.
    ///
    /// It starts with about 3 MiB and stays below 40 MiB. That is plenty for most
    /// problems, and measurements favour this size of the cache for all of them.
    fn default() -> Self {
        Self::with_nodes(1 << 20)
    }
}

/// A function in an [`OxiddBdd`].
///
/// It keeps its nodes, and the memory of the whole manager, alive.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OxiddFunction(BCDDFunction);

impl fmt::Debug for OxiddFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.with_manager_shared(|manager, edge| {
            let plain = edge.tag() == Default::default();
            match manager.get_node(edge) {
                Node::Inner(node) => {
                    let sign = if plain { "" } else { "¬" };
                    write!(f, "{sign}x{}#{}", node.level(), edge.node_id())
                }
                Node::Terminal(_) => write!(f, "{plain}"),
            }
        })
    }
}

/// A set of variables in an [`OxiddBdd`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OxiddCube(OxiddFunction);

/// A manager of Boolean functions on `oxidd`.
///
/// Operations run on the calling thread. They recurse as deep as there are
/// variables: 8 MiB of stack suffice for twenty thousand.
///
/// `oxidd` adds two threads of its own per manager. A worker stays idle. A
/// collector wakes up when the manager is 95 % full, but never again unless it
/// then gets below 90 %, and operations that run out of room meanwhile fail
/// without waiting for it. Therefore an operation that fails collects the
/// garbage itself and tries again before it reports [`Full`].
pub struct OxiddBdd {
    manager: BCDDManagerRef,
    vars: u32,
    capacity: Capacity,
    /// How many collections we have asked for.
    collections: AtomicU64,
    /// How many collections there had been in all after the last of ours.
    seen: AtomicU64,
}

impl OxiddBdd {
    /// Makes a manager of the given number of variables and capacity, if the
    /// system would give all that it may come to need.
    ///
    /// `oxidd` itself ends the whole process where it gets no memory, and panics
    /// where it gets no thread (one reserves 1 GiB of address space for its
    /// stack), so both are tried beforehand. What other threads take between the
    /// trial and the use can still be missing then; and memory that a system
    /// promises but cannot give is not found out.
    pub fn open(vars: u32, capacity: Capacity) -> Result<Self, NoRoom> {
        if has_room(capacity) { Ok(Self::new(vars, capacity)) } else { Err(NoRoom(capacity.bytes())) }
    }

    /// Makes a manager of the given number of variables and capacity, without
    /// asking whether there is room: for small ones. See [`OxiddBdd::open`].
    ///
    /// # Panics
    ///
    /// Panics if the system denies `oxidd` its threads.
    pub fn new(vars: u32, capacity: Capacity) -> Self {
        let manager = new_manager(capacity.nodes as usize, capacity.cache as usize, 1);
        manager.with_manager_exclusive(|manager| manager.add_vars(vars));
        Self { manager, vars, capacity, collections: AtomicU64::new(0), seen: AtomicU64::new(0) }
    }

    /// Returns the capacity that the manager was made with.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Counts the inner nodes that exist, including dead ones.
    pub fn nodes(&self) -> usize {
        self.manager.with_manager_shared(|manager| manager.num_inner_nodes())
    }

    /// Returns how often an operation ran out of room and collected garbage.
    pub fn collections(&self) -> u64 {
        self.collections.load(Ordering::Relaxed)
    }

    /// Collects the nodes that no function needs any more.
    ///
    /// There is usually no reason to call this: it happens when room gets
    /// scarce. It empties the apply cache.
    pub fn collect(&self) {
        let before = self.manager.with_manager_exclusive(|manager| {
            // Exclusive access keeps the collector thread out, in whose presence
            // our own attempt would return at once.
            let before = manager.gc_count();
            manager.gc();
            before
        });
        self.collections.fetch_add(1, Ordering::Relaxed);
        if self.seen.swap(before + 1, Ordering::Relaxed) != before {
            // The collector thread has been at work as well. It hands back the
            // room it made a moment after it has given up its access.
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Runs an operation, a second time after a collection if it fails.
    /// Work that was stopped is told that there is no room: all of it gives up then, whatever it is doing.
    fn run(&self, op: impl Fn() -> AllocResult<BCDDFunction>) -> Result<OxiddFunction, Full> {
        if stop::asked() {
            return Err(Full);
        }
        match op() {
            Ok(f) => Ok(OxiddFunction(f)),
            Err(_) => self.run_again(op),
        }
    }

    #[cold]
    fn run_again(&self, op: impl Fn() -> AllocResult<BCDDFunction>) -> Result<OxiddFunction, Full> {
        self.collect();
        // When nearly everything is in use, we would soon be back here, having
        // lost the apply cache each time. Rather give up early.
        if self.nodes() as u64 > u64::from(self.capacity.nodes) * 7 / 8 {
            return Err(Full);
        }
        op().map(OxiddFunction).map_err(|_| Full)
    }

    /// Builds the conjunction of literals, each variable occurring at most once.
    fn literals(&self, mut literals: Vec<(u32, bool)>) -> Result<OxiddFunction, Full> {
        literals.sort_by_key(|&(v, _)| v);
        literals.dedup_by_key(|&mut (v, _)| v);
        let mut result = self.constant(true);
        // From the bottom up, each conjunction makes a single node.
        for (v, value) in literals.into_iter().rev() {
            let mut literal = self.var(v)?;
            if !value {
                literal = self.not(&literal)?;
            }
            result = self.and(&literal, &result)?;
        }
        Ok(result)
    }
}

/// Whether the system would give a manager of this capacity its threads and all its memory.
fn has_room(capacity: Capacity) -> bool {
    // Tables are copied when they grow: for a moment the old one is there beside the new one.
    let most = capacity.bytes() + u64::from(capacity.nodes) * 8;
    let Ok(most) = usize::try_from(most) else { return false };
    (0..TRIES).any(|tried| {
        if tried > 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        let (leave, stay) = std::sync::mpsc::channel::<()>();
        let worker = std::thread::Builder::new().stack_size(WORKER_STACK).spawn(move || stay.recv());
        let Ok(worker) = worker else { return false };
        // Only asked for, never written to: it costs no memory.
        let given = Vec::<u8>::new().try_reserve_exact(most).is_ok();
        drop(leave);
        drop(worker.join());
        given
    })
}

impl fmt::Debug for OxiddBdd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OxiddBdd")
            .field("vars", &self.vars)
            .field("capacity", &self.capacity)
            .field("collections", &self.collections())
            .finish_non_exhaustive()
    }
}

impl Bdd for OxiddBdd {
    type F = OxiddFunction;
    type Cube = OxiddCube;

    fn vars(&self) -> u32 {
        self.vars
    }

    fn constant(&self, value: bool) -> OxiddFunction {
        self.manager.with_manager_shared(|manager| {
            OxiddFunction(if value { BCDDFunction::t(manager) } else { BCDDFunction::f(manager) })
        })
    }

    fn var(&self, v: u32) -> Result<OxiddFunction, Full> {
        self.run(|| self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, v)))
    }

    fn not(&self, f: &OxiddFunction) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.not())
    }

    fn and(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.and(&g.0))
    }

    fn or(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.or(&g.0))
    }

    fn xor(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.xor(&g.0))
    }

    fn iff(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.equiv(&g.0))
    }

    fn imp(&self, f: &OxiddFunction, g: &OxiddFunction) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.imp(&g.0))
    }

    fn ite(&self, f: &OxiddFunction, g: &OxiddFunction, h: &OxiddFunction) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.ite(&g.0, &h.0))
    }

    fn cube(&self, vars: impl IntoIterator<Item = u32>) -> Result<OxiddCube, Full> {
        self.literals(vars.into_iter().map(|v| (v, true)).collect()).map(OxiddCube)
    }

    fn exists(&self, f: &OxiddFunction, cube: &OxiddCube) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.exists(&cube.0.0))
    }

    fn forall(&self, f: &OxiddFunction, cube: &OxiddCube) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.forall(&cube.0.0))
    }

    fn and_exists(&self, f: &OxiddFunction, g: &OxiddFunction, cube: &OxiddCube) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.apply_exists(BooleanOperator::And, &g.0, &cube.0.0))
    }

    fn forall_imp(&self, f: &OxiddFunction, g: &OxiddFunction, cube: &OxiddCube) -> Result<OxiddFunction, Full> {
        self.run(|| f.0.apply_forall(BooleanOperator::Imp, &g.0, &cube.0.0))
    }

    fn restrict(&self, f: &OxiddFunction, literals: &[(u32, bool)]) -> Result<OxiddFunction, Full> {
        let literals = self.literals(literals.to_vec())?;
        self.run(|| f.0.restrict(&literals.0))
    }

    fn split(&self, f: &OxiddFunction) -> Split<OxiddFunction> {
        f.0.with_manager_shared(|manager, edge| match manager.get_node(edge) {
            Node::Inner(node) => {
                let (hi, lo) = BCDDFunction::cofactors_node(edge.tag(), node);
                Split::Node {
                    // We never reorder, so the level is the variable.
                    var: node.level(),
                    hi: OxiddFunction(BCDDFunction::from_edge_ref(manager, hi)),
                    lo: OxiddFunction(BCDDFunction::from_edge_ref(manager, lo)),
                }
            }
            // The only terminal is true; a complemented edge to it is false.
            Node::Terminal(_) => Split::Const(edge.tag() == Default::default()),
        })
    }

    fn node_count(&self, f: &OxiddFunction) -> usize {
        // `oxidd` counts the terminal as well, which every diagram has.
        f.0.node_count() - 1
    }
}
