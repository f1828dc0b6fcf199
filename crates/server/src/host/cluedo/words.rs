//! Facts in words and as formulas.
