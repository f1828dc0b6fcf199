//! A second [`Bdd`] on `biodivine-lib-bdd`, to compare the real one with.

use biodivine_lib_bdd::{Bdd as Diagram, BddVariable, BddVariableSet};
use ken_logic::bdd::{Bdd, Full, Split};

/// A manager whose functions are independent diagrams; it is never full.
#[derive(Clone, Debug)]
pub(crate) struct BiodivineBdd {
    vars: u16,
    set: BddVariableSet,
}

impl BiodivineBdd {
    /// Makes a manager of the given number of variables (at most 65534).
    pub(crate) fn new(vars: u32) -> Self {
        let vars = u16::try_from(vars).expect("too many variables for biodivine");
        Self { vars, set: BddVariableSet::new_anonymous(vars) }
    }

    /// Numbers a diagram's nodes in the order in which a conjunction makes them.
    ///
    /// Diagrams are compared node by node, and not every operation numbers its
    /// result in the same way.
    fn canonical(&self, f: Diagram) -> Diagram {
        f.and(&self.set.mk_true())
    }

    fn variable(&self, v: u32) -> BddVariable {
        assert!(v < u32::from(self.vars), "no variable {v}");
        BddVariable::from_index(v as usize)
    }
}

impl Bdd for BiodivineBdd {
    type F = Diagram;
    type Cube = Vec<BddVariable>;

    fn vars(&self) -> u32 {
        u32::from(self.vars)
    }

    fn constant(&self, value: bool) -> Diagram {
        if value { self.set.mk_true() } else { self.set.mk_false() }
    }

    fn var(&self, v: u32) -> Result<Diagram, Full> {
        Ok(self.set.mk_var(self.variable(v)))
    }

    fn not(&self, f: &Diagram) -> Result<Diagram, Full> {
        Ok(self.canonical(f.not()))
    }

    fn and(&self, f: &Diagram, g: &Diagram) -> Result<Diagram, Full> {
        Ok(self.canonical(f.and(g)))
    }

    fn or(&self, f: &Diagram, g: &Diagram) -> Result<Diagram, Full> {
        Ok(self.canonical(f.or(g)))
    }

    fn xor(&self, f: &Diagram, g: &Diagram) -> Result<Diagram, Full> {
        Ok(self.canonical(f.xor(g)))
    }

    fn iff(&self, f: &Diagram, g: &Diagram) -> Result<Diagram, Full> {
        Ok(self.canonical(f.iff(g)))
    }

    fn imp(&self, f: &Diagram, g: &Diagram) -> Result<Diagram, Full> {
        Ok(self.canonical(f.imp(g)))
    }

    fn ite(&self, f: &Diagram, g: &Diagram, h: &Diagram) -> Result<Diagram, Full> {
        Ok(self.canonical(Diagram::if_then_else(f, g, h)))
    }

    fn cube(&self, vars: impl IntoIterator<Item = u32>) -> Result<Vec<BddVariable>, Full> {
        Ok(vars.into_iter().map(|v| self.variable(v)).collect())
    }

    fn exists(&self, f: &Diagram, cube: &Vec<BddVariable>) -> Result<Diagram, Full> {
        Ok(self.canonical(f.exists(cube)))
    }

    fn forall(&self, f: &Diagram, cube: &Vec<BddVariable>) -> Result<Diagram, Full> {
        Ok(self.canonical(f.for_all(cube)))
    }

    fn and_exists(&self, f: &Diagram, g: &Diagram, cube: &Vec<BddVariable>) -> Result<Diagram, Full> {
        Ok(self.canonical(f.and(g).exists(cube)))
    }

    fn forall_imp(&self, f: &Diagram, g: &Diagram, cube: &Vec<BddVariable>) -> Result<Diagram, Full> {
        Ok(self.canonical(f.imp(g).for_all(cube)))
    }

    fn restrict(&self, f: &Diagram, literals: &[(u32, bool)]) -> Result<Diagram, Full> {
        // One at a time, so that the first value of a repeated variable counts.
        let restrict = |f: Diagram, &(v, value): &(u32, bool)| f.var_restrict(self.variable(v), value);
        Ok(self.canonical(literals.iter().fold(f.clone(), restrict)))
    }

    /// Takes the root apart; unlike the trait promises, in linear time.
    fn split(&self, f: &Diagram) -> Split<Diagram> {
        match f.as_bool() {
            Some(value) => Split::Const(value),
            None => {
                let var = f.var_of(f.root_pointer());
                Split::Node {
                    var: var.to_index() as u32,
                    hi: self.canonical(f.var_restrict(var, true)),
                    lo: self.canonical(f.var_restrict(var, false)),
                }
            }
        }
    }

    fn node_count(&self, f: &Diagram) -> usize {
        // The diagrams of non-constant functions have both terminals.
        match f.as_bool() {
            Some(_) => 0,
            None => f.size() - 2,
        }
    }
}
