//! The formal readings of the vectors (`data/eleusis-rules.json`), written out by hand in Rust.

/// A card: rank and suit letter.
#[derive(Clone, Copy)]
pub(crate) struct C {
    pub r: i64,
    pub s: char,
}

impl C {
    fn red(self) -> bool {
        self.s == 'D' || self.s == 'H'
    }
    fn odd(self) -> bool {
        self.r % 2 == 1
    }
    fn even(self) -> bool {
        !self.odd()
    }
    fn face(self) -> bool {
        self.r >= 11
    }
    fn prime(self) -> bool {
        [2, 3, 5, 7, 11, 13].contains(&self.r)
    }
    fn is(self, suits: &str) -> bool {
        suits.contains(self.s)
    }
}

/// Judges a card after a line that is not empty.
pub(crate) type Judge = fn(&[C], C) -> bool;

/// The last card.
fn p(line: &[C]) -> C {
    line[line.len() - 1]
}

/// The card so many places back, if there is one.
fn back(line: &[C], k: usize) -> Option<C> {
    line.len().checked_sub(k).map(|at| line[at])
}

fn d(line: &[C], n: C) -> i64 {
    n.r - p(line).r
}

fn gap(line: &[C], n: C) -> i64 {
    d(line, n).abs()
}

fn odd_place(line: &[C]) -> bool {
    line.len() % 2 == 1
}

fn ranks(line: &[C]) -> impl Iterator<Item = i64> + '_ {
    line.iter().map(|c| c.r)
}

fn seen(line: &[C], n: C) -> bool {
    ranks(line).any(|r| r == n.r)
}

fn max(line: &[C]) -> i64 {
    ranks(line).fold(0, i64::max)
}

fn min(line: &[C]) -> i64 {
    ranks(line).fold(99, i64::min)
}

fn same_parity(line: &[C], n: C) -> usize {
    line.iter().filter(|c| c.odd() == n.odd()).count()
}

fn place(suit: char) -> usize {
    "CDHS".find(suit).expect("a suit")
}

fn coprime(a: i64, b: i64) -> bool {
    (2..=13).all(|k| a % k != 0 || b % k != 0)
}

pub(crate) const ALL: &[(&str, Judge)] = &[
    ("gar-0", |l, n| n.red() != p(l).red()),
    ("gar-1", |l, n| n.odd() != p(l).odd()),
    ("gar-2", |l, n| n.s == p(l).s || n.r == p(l).r),
    ("gar-3", |l, n| back(l, 2).is_none_or(|q| if q.red() == p(l).red() { n.r <= 7 } else { n.r >= 8 })),
    ("gar-3b", |l, n| back(l, 2).is_none_or(|q| if q.red() == p(l).red() { n.r <= 7 } else { n.r >= 7 })),
    ("gar-4", |l, n| back(l, 2).is_none_or(|q| if q.red() { n.r >= q.r } else { n.r <= q.r })),
    ("gar-5", |l, n| (p(l).r == 1) == (n.red() != p(l).red())),
    ("gold-1", |l, n| n.red() != p(l).red()),
    ("gold-2", |l, n| n.r == p(l).r + 1 && n.s != p(l).s),
    ("gold-3", |l, n| n.r != p(l).r),
    ("gold-4", |l, n| if p(l).red() { n.even() } else { n.odd() }),
    ("gold-5", |l, n| n.r == p(l).r + 1),
    ("gold-6", |l, n| n.s != p(l).s),
    ("gold-7", |l, n| (1..=3).contains(&gap(l, n))),
    ("gard-1", |l, n| if p(l).odd() { !n.red() } else { n.red() }),
    ("gard-2", |l, n| if p(l).red() { n.r <= p(l).r } else { n.r >= p(l).r }),
    ("gard-3", |l, n| n.prime() != p(l).prime()),
    ("gard-4", |l, n| n.s == ['C', 'S', 'H', 'D'][(p(l).r % 4) as usize]),
    ("gard-5", |l, n| {
        let (Some(a), Some(b), Some(c)) = (back(l, 1), back(l, 2), back(l, 3)) else { return true };
        match a.r * b.r * c.r % 4 {
            0 => n.red() || n.r > 6,
            1 => !n.red() || n.face(),
            2 => n.even() || n.r < 6,
            _ => n.odd() || n.r == 10,
        }
    }),
    ("hsw-2", |l, n| match p(l).s {
        'D' => n.s != 'D',
        'C' => n.red(),
        'S' => !n.red(),
        _ => n.r == p(l).r,
    }),
    ("wiki-1", |l, n| if p(l).face() { !n.face() } else { n.r > p(l).r }),
    ("liq-1", |l, n| {
        let closed = |c: C| [1, 4, 6, 8, 9, 12].contains(&c.r);
        closed(n) != closed(p(l))
    }),
    ("shr-1", |l, n| n.r > p(l).r && n.red() != p(l).red()),
    ("yh-1", |_, n| n.prime()),
    ("yh-2", |l, n| ranks(l).filter(|r| *r == n.r).count() < 2),
    ("yh-4", |l, n| !p(l).red() || n.even()),
    ("tamu-1", |l, n| (n.r % 3 == 0) != (p(l).r % 3 == 0)),
    ("grn-1", |l, n| l.iter().any(|c| c.s == n.s)),
    ("grn-2", |l, n| n.r > p(l).r),
    ("umbc-1", |l, n| n.red() == p(l).red()),
    ("prog-1", |l, n| {
        let (a, b) = (place(p(l).s), place(n.s));
        (b == (a + 1) % 4 && n.r > p(l).r) || (a == (b + 1) % 4 && n.r < p(l).r)
    }),
    ("hf-02", |_, n| n.face()),
    ("hf-03", |_, n| n.r <= 7),
    ("hf-04", |_, n| (5..=9).contains(&n.r)),
    ("hf-05", |_, n| n.prime()),
    ("hf-06", |_, n| n.r == 1),
    ("hf-07", |_, n| n.is("S")),
    ("hf-09", |_, n| n.is("SD")),
    ("hf-10", |_, n| !n.is("S")),
    ("hf-11", |_, n| !n.red() && n.face()),
    ("hf-12", |_, n| n.red() && n.r <= 7),
    ("hf-13", |_, n| n.red() == n.face()),
    ("hf-14", |l, n| n.face() != p(l).face()),
    ("hf-15", |l, n| n.odd() != p(l).odd()),
    ("hf-16", |l, n| n.r >= p(l).r),
    ("hf-17", |l, n| n.red() != p(l).red()),
    ("hf-18", |l, n| n.s != p(l).s),
    ("hf-19", |l, n| n.red() == p(l).red() && n.s != p(l).s),
    ("hf-25", |l, n| odd_place(l) == (n.s == p(l).s)),
    ("hf-26", |l, n| odd_place(l) == (n.r == p(l).r)),
    ("kb-2", |l, n| if l.len() < 4 { l.iter().all(|c| c.s != n.s) } else { n.s == l[l.len() % 4].s }),
    ("kb-3", |l, n| n.r == (p(l).r - 1 + if odd_place(l) { 1 } else { 2 }) % 13 + 1),
    ("kb-4", |l, n| gap(l, n) <= 3),
    ("kb-5", |l, n| back(l, 2).is_none_or(|q| n.s == q.s || n.r == p(l).r)),
    ("sf-01", |l, n| n.s == p(l).s),
    ("sf-05", |l, n| n.r > p(l).r),
    ("sf-07", |_, n| n.r > 7),
    ("sf-08", |_, n| n.r < 7),
    ("sf-09", |l, n| (n.r + p(l).r) % 2 == 0),
    ("sf-10", |_, n| n.r % 3 == 0),
    ("sf-12", |l, n| [(1, 2), (2, 3), (3, 5), (5, 8), (8, 13)].contains(&(p(l).r, n.r))),
    ("sf-14", |l, n| gap(l, n) == 3),
    ("sf-15", |l, n| n.odd() == p(l).odd() && n.red() != p(l).red()),
    ("sf-17", |l, n| n.r * p(l).r < 20),
    ("sf-18", |l, n| n.face() && n.red() != p(l).red()),
    ("sf-19", |_, n| n.is("H") || (n.is("C") && n.even())),
    ("sf-20", |l, n| if n.is("S") { n.r > p(l).r } else { n.r < p(l).r }),
    ("sf-21", |_, n| n.s == ['S', 'H', 'D', 'C'][(n.r % 4) as usize]),
    ("sf-22", |l, n| (n.red() == p(l).red()) != (gap(l, n) == 1)),
    ("sf-23", |_, n| if n.red() { n.r <= 7 } else { n.r >= 8 }),
    ("sf-24", |_, n| [2, 4, 8, 11, 12, 13].contains(&n.r)),
    ("sf-25", |_, n| [4, 6, 8, 9, 10, 12].contains(&n.r)),
    ("sf-26", |l, n| (n.r >= 8) != (p(l).r >= 8)),
    ("sf-27", |l, n| (n.r + p(l).r) % 5 == 0),
    ("lf-014", |_, n| n.r > 4),
    ("lf-016", |_, n| n.r > 6),
    ("lf-017", |_, n| n.r > 7),
    ("lf-018", |_, n| n.r > 8),
    ("lf-019", |_, n| n.r > 9),
    ("lf-024", |_, n| n.r < 4),
    ("lf-027", |_, n| n.r < 7),
    ("lf-028", |_, n| n.r < 8),
    ("lf-030", |_, n| n.is("HS")),
    ("lf-031", |_, n| n.is("DC")),
    ("lf-032", |_, n| n.is("HC")),
    ("lf-033", |_, n| n.is("H")),
    ("lf-036", |_, n| [1, 4, 9].contains(&n.r)),
    ("lf-037", |_, n| !n.prime()),
    ("lf-038", |_, n| n.red() != n.face()),
    ("lf-040", |_, n| n.r % 4 == 0),
    ("lf-042", |_, n| n.even() == n.red()),
    ("lf-043", |_, n| n.odd() == n.red()),
    ("lf-044", |_, n| n.prime() == n.red()),
    ("lf-045", |_, n| n.prime() != n.red()),
    ("lf-102", |l, n| gap(l, n) >= 2),
    ("lf-105", |l, n| gap(l, n) >= 5),
    ("lf-113", |l, n| gap(l, n) <= 3),
    ("lf-122", |l, n| gap(l, n) == 2),
    ("lf-135", |l, n| (n.r > 5) != (p(l).r > 5)),
    ("lf-136", |l, n| (n.r > 6) != (p(l).r > 6)),
    ("lf-138", |l, n| (n.r > 8) != (p(l).r > 8)),
    ("lf-139", |l, n| (n.r > 9) != (p(l).r > 9)),
    ("lf-141", |l, n| (n.s == p(l).s) != n.face()),
    ("lf-144", |l, n| (n.s == p(l).s) != (n.r % 3 == 0)),
    ("lf-145", |l, n| n.s == p(l).s || n.red() != p(l).red()),
    ("lf-151", |l, n| !(p(l).even() && n.even())),
    ("lf-153", |l, n| !(p(l).face() && n.face())),
    ("lf-154", |l, n| p(l).face() || n.face()),
    ("lf-161", |l, n| n.r == 1 || n.r > p(l).r),
    ("lf-162", |l, n| n.r >= p(l).r),
    ("lf-164", |l, n| n.odd() == p(l).red()),
    ("lf-165", |l, n| p(l).odd() == n.red()),
    ("lf-171", |l, n| n.red() != (n.r > p(l).r)),
    ("lf-174", |l, n| p(l).red() == (n.r > p(l).r)),
    ("lf-175", |l, n| p(l).red() != (n.r > p(l).r)),
    ("lf-176", |l, n| p(l).red() == (n.r < p(l).r)),
    ("lf-177", |l, n| p(l).red() != (n.r < p(l).r)),
    ("lf-180", |l, n| n.is("HC") != p(l).is("HC")),
    ("lf-182", |l, n| coprime(n.r, p(l).r)),
    ("lf-183", |l, n| back(l, 2).is_none_or(|q| n.r != p(l).r && (n.r < p(l).r) != (p(l).r < q.r))),
    ("lf-212", |l, n| same_parity(l, n) < 2),
    ("lf-213", |l, n| same_parity(l, n) < 3),
    ("lf-214", |l, n| same_parity(l, n) < 4),
    ("lf-225", |l, _| l.len() < 5),
    ("lf-226", |l, _| l.len() < 6),
    ("lf-227", |l, _| l.len() < 7),
    ("lf-228", |l, _| l.len() < 8),
    ("lf-229", |l, _| l.len() < 9),
    ("lf-2210", |l, _| l.len() < 10),
    ("lf-230", |l, n| ranks(l).sum::<i64>() + n.r <= 42),
    ("lf-231", |l, n| n.r as usize % 2 == l.iter().filter(|c| c.red()).count() % 2),
    ("lf-232", |l, n| !seen(l, n)),
    ("lf-240", |l, n| n.is("C") && !seen(l, n)),
    ("lf-241", |l, n| n.is("D") && !seen(l, n)),
    ("lf-242", |l, n| n.is("H") && !seen(l, n)),
    ("lf-250", |l, n| !odd_place(l) || n.s == p(l).s),
    ("lf-252", |l, n| !odd_place(l) || n.r == p(l).r),
    ("lf-260", |l, n| !odd_place(l) || n.is("C")),
    ("lf-261", |l, n| !odd_place(l) || n.is("D")),
    ("lf-273", |l, n| n.r as usize % 3 == (l.len() + 1) % 3),
    ("lf-274", |l, n| n.r as usize % 4 == (l.len() + 1) % 4),
    ("lf-275", |l, n| n.r as usize % 5 == (l.len() + 1) % 5),
    ("lf-300", |l, n| n.r as usize <= l.len() + 1),
    ("np-01", |l, n| n.r % 5 != p(l).r % 5 && n.r != min(l)),
    ("np-03", |l, n| n.r > max(l) || n.r < min(l)),
    ("np-06", |l, n| n.red() == p(l).red() || n.r == max(l)),
    ("np-07", |l, n| gap(l, n) < 5 || n.r <= min(l)),
    ("np-11", |l, n| gap(l, n) == 6 || n.r as usize % 5 == l.len() % 5),
    ("np-12", |l, n| gap(l, n) > 4 || n.r as usize % 3 == l.len() % 3),
    ("np-20", |l, n| n.red() == p(l).red() && gap(l, n) != 3),
    ("np-22", |l, n| n.r < p(l).r || n.r == p(l).r + 3),
    ("np-27", |l, n| if n.red() == p(l).red() { d(l, n) < 0 } else { d(l, n) > 0 }),
    ("np-32", |l, n| d(l, n) < 0 || n.odd() == p(l).odd()),
    ("np-33", |l, n| n.red() != p(l).red() && gap(l, n) < 4),
    ("np-34", |l, n| d(l, n) >= 0 && n.odd() == p(l).odd()),
    ("np-35", |l, n| n.red() == p(l).red() && n.r % 3 != p(l).r % 3),
    ("np-36", |l, n| if n.red() == p(l).red() { d(l, n) <= 0 } else { d(l, n) < 0 }),
    ("ok-2", |l, n| gap(l, n) == 1),
    ("hf-08", |_, n| n.red()),
    ("hf-23", |l, n| if p(l).red() { n.r >= p(l).r } else { n.r <= p(l).r }),
    ("kb-1", |l, n| [1, 12].contains(&d(l, n).rem_euclid(13))),
    ("kb-6", |l, n| if p(l).red() { n.r >= p(l).r } else { n.r <= p(l).r }),
    ("ok-1", |_, n| n.even()),
    ("hf-01", |_, n| n.even()),
    ("hf-20", |l, n| ["HS", "SC", "CD", "DH"].contains(&format!("{}{}", p(l).s, n.s).as_str())),
    ("hf-21", |l, n| n.is("HS") != p(l).is("HS")),
    ("hf-22", |l, n| n.red() == p(l).red() || n.odd() == p(l).odd()),
    ("hf-24", |l, n| (n.s == p(l).s) == p(l).face()),
];
