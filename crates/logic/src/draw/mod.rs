//! Pictures of models: worlds, who confuses which, the point, and where a formula holds.
//!
//! A model becomes a [`Picture`], which says what is shown; a picture becomes SVG (with a layout of our own, the same
//! every time) or DOT (for Graphviz). Nothing here reads or writes files.
//!
//! Relations are drawn by class, not by pair: a class of two worlds is a line, a larger one a dot with a spoke to each
//! of its worlds. Agents with the same class share its line. In belief models lines are arrows.

pub mod chart;
mod dot;
mod label;
mod layout;
mod legend;
mod picture;
mod route;
mod shapes;
mod sheet;
mod stress;
mod svg;
mod untangle;

pub use picture::Picture;
pub use sheet::{Sheet, SheetLink, SheetWorld, sheet};

use crate::model::{BitSet, Kripke};

/// What to show of a model.
#[derive(Clone, Debug)]
pub struct Options {
    /// The world to mark as the point.
    pub point: Option<usize>,
    /// A formula as text, with the worlds at which it holds.
    pub truth: Option<(String, BitSet)>,
    /// The most worlds to show; of larger models, the part around the point.
    pub max_worlds: usize,
    /// A headline.
    pub title: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options { point: None, truth: None, max_worlds: 40, title: None }
    }
}

/// The model as an SVG document.
///
/// The same model and options give the same text. The drawing follows the light or dark preference of the reader, needs
/// no script and no fonts, and can stand alone or inside a page.
pub fn svg(model: &Kripke, options: &Options) -> String {
    Picture::new(model, options).svg()
}

/// The model as a graph for Graphviz.
pub fn dot(model: &Kripke, options: &Options) -> String {
    Picture::new(model, options).dot()
}

/// A point or a vector of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Xy {
    x: f64,
    y: f64,
}

impl Xy {
    const fn new(x: f64, y: f64) -> Xy {
        Xy { x, y }
    }

    fn length(self) -> f64 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// The vector of length 1 in this direction; rightwards if there is none.
    fn unit(self) -> Xy {
        let length = self.length();
        if length < 1e-9 { Xy::new(1.0, 0.0) } else { self * (1.0 / length) }
    }

    /// The vector turned by a quarter.
    fn normal(self) -> Xy {
        Xy::new(-self.y, self.x)
    }

    fn dot(self, other: Xy) -> f64 {
        self.x * other.x + self.y * other.y
    }

    fn cross(self, other: Xy) -> f64 {
        self.x * other.y - self.y * other.x
    }
}

impl std::ops::Add for Xy {
    type Output = Xy;
    fn add(self, other: Xy) -> Xy {
        Xy::new(self.x + other.x, self.y + other.y)
    }
}

impl std::ops::Sub for Xy {
    type Output = Xy;
    fn sub(self, other: Xy) -> Xy {
        Xy::new(self.x - other.x, self.y - other.y)
    }
}

impl std::ops::Mul<f64> for Xy {
    type Output = Xy;
    fn mul(self, factor: f64) -> Xy {
        Xy::new(self.x * factor, self.y * factor)
    }
}

/// A rectangle by its middle and half its width and height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Area {
    middle: Xy,
    half: Xy,
}

impl Area {
    fn new(middle: Xy, width: f64, height: f64) -> Area {
        Area { middle, half: Xy::new(width / 2.0, height / 2.0) }
    }

    /// The rectangle with a margin on each side.
    fn grown(self, margin: f64) -> Area {
        Area { middle: self.middle, half: self.half + Xy::new(margin, margin) }
    }

    fn contains(&self, at: Xy) -> bool {
        let d = at - self.middle;
        d.x.abs() <= self.half.x && d.y.abs() <= self.half.y
    }

    /// How far two rectangles overlap, in the direction in which that is least; 0 if they do not.
    fn overlap(&self, other: &Area) -> f64 {
        let d = self.middle - other.middle;
        let x = self.half.x + other.half.x - d.x.abs();
        let y = self.half.y + other.half.y - d.y.abs();
        x.min(y).max(0.0)
    }

    /// Whether a segment touches the rectangle.
    #[inline]
    fn meets(&self, from: Xy, to: Xy) -> bool {
        let (left, right) = (self.middle.x - self.half.x, self.middle.x + self.half.x);
        let (top, bottom) = (self.middle.y - self.half.y, self.middle.y + self.half.y);
        if (from.x < left && to.x < left) || (from.x > right && to.x > right) {
            return false;
        }
        if (from.y < top && to.y < top) || (from.y > bottom && to.y > bottom) {
            return false;
        }
        // The part of the segment between the two vertical sides, then between the horizontal ones.
        let (mut low, mut high) = (0.0f64, 1.0f64);
        for (start, delta, middle, half) in
            [(from.x, to.x - from.x, self.middle.x, self.half.x), (from.y, to.y - from.y, self.middle.y, self.half.y)]
        {
            if delta.abs() < 1e-9 {
                if (start - middle).abs() > half {
                    return false;
                }
                continue;
            }
            let (a, b) = ((middle - half - start) / delta, (middle + half - start) / delta);
            low = low.max(a.min(b));
            high = high.min(a.max(b));
        }
        low <= high
    }
}

/// Whether two segments cross, ends excluded.
fn segments_cross(a: (Xy, Xy), b: (Xy, Xy)) -> bool {
    let apart = |a0: f64, a1: f64, b0: f64, b1: f64| a0.max(a1) < b0.min(b1) || b0.max(b1) < a0.min(a1);
    if apart(a.0.x, a.1.x, b.0.x, b.1.x) || apart(a.0.y, a.1.y, b.0.y, b.1.y) {
        return false;
    }
    let side = |p: Xy, q: Xy, r: Xy| (q - p).cross(r - p);
    side(a.0, a.1, b.0) * side(a.0, a.1, b.1) < 0.0 && side(b.0, b.1, a.0) * side(b.0, b.1, a.1) < 0.0
}
