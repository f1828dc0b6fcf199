//! Numbers that grow with the line, and from where on a comparison no longer changes with them.

use super::Unbounded;
use crate::eleusis::rule::Cmp;

/// How a number depends on tallies.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// It lies between these two.
    Bounded(i64, i64),
    /// It is a sum of tallies, each times a number between two bounds, and a bounded rest.
    Linear(Linear),
}

#[derive(Clone, Debug)]
pub(super) struct Linear {
    /// Tally, least and greatest factor; no tally twice.
    terms: Vec<(usize, i64, i64)>,
    rest: (i64, i64),
    /// It is so when every tally has at least this value.
    from: i64,
}

/// The part of a rule that an error names.
fn refuse<T>(part: &str, why: &'static str) -> Result<T, Unbounded> {
    Err(Unbounded::NotRegular { part: part.to_owned(), why })
}

/// Far from the ends of 64 bits, so that sums of a few numbers stay exact.
fn fits(value: i128) -> Result<i64, Unbounded> {
    match i64::try_from(value) {
        Ok(value) if value.unsigned_abs() < 1 << 61 => Ok(value),
        _ => refuse("arithmetic", "the numbers do not fit 64 bits"),
    }
}

fn product((a, b): (i64, i64), (c, d): (i64, i64)) -> Result<(i64, i64), Unbounded> {
    let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| i128::from(x) * i128::from(y));
    let (low, high) = (corners.iter().min(), corners.iter().max());
    Ok((fits(*low.expect("four corners"))?, fits(*high.expect("four corners"))?))
}

fn total((a, b): (i64, i64), (c, d): (i64, i64)) -> Result<(i64, i64), Unbounded> {
    Ok((fits(i128::from(a) + i128::from(c))?, fits(i128::from(b) + i128::from(d))?))
}

impl Form {
    /// A tally itself.
    pub(super) fn tally(tally: usize) -> Form {
        Form::Linear(Linear { terms: vec![(tally, 1, 1)], rest: (0, 0), from: 0 })
    }

    fn linear(self) -> Linear {
        match self {
            Form::Bounded(low, high) => Linear { terms: Vec::new(), rest: (low, high), from: 0 },
            Form::Linear(linear) => linear,
        }
    }

    pub(super) fn plus(self, other: Form) -> Result<Form, Unbounded> {
        let (mut a, b) = (self.linear(), other.linear());
        for (tally, low, high) in b.terms {
            match a.terms.iter_mut().find(|term| term.0 == tally) {
                Some(term) => (term.1, term.2) = total((term.1, term.2), (low, high))?,
                None => a.terms.push((tally, low, high)),
            }
        }
        let (rest, from) = (total(a.rest, b.rest)?, a.from.max(b.from));
        if from == 0 {
            // Before `from` a tally matters even where its factor has become 0: |t − 5| − t.
            a.terms.retain(|&(_, low, high)| (low, high) != (0, 0));
        }
        if a.terms.is_empty() {
            return Ok(Form::Bounded(rest.0, rest.1));
        }
        Ok(Form::Linear(Linear { terms: a.terms, rest, from }))
    }

    pub(super) fn negated(self) -> Form {
        match self {
            Form::Bounded(low, high) => Form::Bounded(-high, -low),
            Form::Linear(Linear { terms, rest, from }) => {
                let terms = terms.into_iter().map(|(tally, low, high)| (tally, -high, -low)).collect();
                Form::Linear(Linear { terms, rest: (-rest.1, -rest.0), from })
            }
        }
    }

    pub(super) fn times(self, other: Form) -> Result<Form, Unbounded> {
        let (by, linear) = match (self, other) {
            (Form::Bounded(a, b), Form::Bounded(c, d)) => {
                let (low, high) = product((a, b), (c, d))?;
                return Ok(Form::Bounded(low, high));
            }
            (Form::Bounded(a, b), Form::Linear(linear)) | (Form::Linear(linear), Form::Bounded(a, b)) => {
                ((a, b), linear)
            }
            (Form::Linear(_), Form::Linear(_)) => {
                return refuse(
                    "a product",
                    "two numbers that grow with the line are multiplied; only a remainder (mod) of it is regular",
                );
            }
        };
        let scale = |(tally, low, high)| product((low, high), by).map(|(low, high)| (tally, low, high));
        let terms: Result<Vec<_>, Unbounded> = linear.terms.into_iter().map(scale).collect();
        let terms = Linear { terms: terms?, rest: product(linear.rest, by)?, from: linear.from };
        Form::Linear(terms).plus(Form::Bounded(0, 0))
    }

    /// |a|: once one tally is large, its sign is that of the factor.
    pub(super) fn abs(self) -> Result<Form, Unbounded> {
        let linear = match self {
            Form::Bounded(low, high) => {
                let least = if low > 0 {
                    low
                } else if high < 0 {
                    -high
                } else {
                    0
                };
                return Ok(Form::Bounded(least, low.abs().max(high.abs())));
            }
            Form::Linear(linear) => linear,
        };
        let [(tally, low, high)] = linear.terms[..] else {
            return refuse("an absolute value", "it mixes several numbers that grow with the line");
        };
        let reach = linear.rest.0.abs().max(linear.rest.1.abs());
        let least = if low > 0 {
            low
        } else if high < 0 {
            -high
        } else {
            0
        };
        let terms = vec![(tally, least, low.abs().max(high.abs()))];
        Ok(Form::Linear(Linear { terms, rest: (-reach, reach), from: linear.from.max(reach + 1) }))
    }

    /// The tallies with the value from which on only their remainders count, given a period that the number is taken
    /// modulo.
    pub(super) fn eventually(&self) -> Vec<(usize, i64)> {
        match self {
            Form::Bounded(..) => Vec::new(),
            Form::Linear(linear) => linear.terms.iter().map(|term| (term.0, linear.from)).collect(),
        }
    }

    /// The tallies, each with the value from which on `self cmp 0` no longer changes with it.
    pub(super) fn settled(&self, cmp: Cmp) -> Result<Vec<(usize, i64)>, Unbounded> {
        let Form::Linear(Linear { terms, rest, from }) = self else { return Ok(Vec::new()) };
        if terms.len() > 1 && *from > 0 {
            return refuse("a comparison", "it mixes an absolute value with another number that grows with the line");
        }
        let rising = terms.iter().all(|&(_, low, _)| low >= 0);
        let falling = terms.iter().all(|&(_, _, high)| high <= 0);
        if !rising && !falling && terms.len() > 1 {
            return refuse(
                "a comparison",
                "it weighs two numbers against each other that both grow with the line, without a bound on their difference",
            );
        }
        let settled = |&(tally, low, high): &(usize, i64, i64)| {
            // A factor of 0 leaves the tally out, so the least other factor decides.
            let value = if rising {
                bound(-rest.0, low.max(1), matches!(cmp, Cmp::Lt | Cmp::Ge))
            } else if falling {
                bound(rest.1, (-high).max(1), matches!(cmp, Cmp::Le | Cmp::Gt))
            } else {
                rest.0.abs().max(rest.1.abs()) + 1
            };
            (tally, value.max(*from))
        };
        Ok(terms.iter().map(settled).collect())
    }
}

/// The least t from 0 on with factor · t ≥ reach (`touch`), or > reach.
fn bound(reach: i64, factor: i64, touch: bool) -> i64 {
    let least = if touch { (reach + factor - 1).div_euclid(factor) } else { reach.div_euclid(factor) + 1 };
    least.max(0)
}
