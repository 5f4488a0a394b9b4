//! Natural numbers of any size.
//!
//! A number is a row of *limbs*: words of 64 bits, the least significant first. Numbers that are added to
//! each other, such as the counts of all states or nodes of a level, have the same number of limbs, their
//! *width* (the width of a state, in words, is another one). It follows from an [upper bound](UpperBound) of the sums, and grows with this bound. So no
//! addition needs an overflow check, and none ever wraps.
//!
//! | file | contents |
//! | --- | --- |
//! | `limbs` | the arithmetic of rows of limbs |
//! | `bound` | the upper bounds that decide the width |
//! | `column` | numbers of the same width |
//! | `single` | a number that is in no column, such as a rank |
//!
//! The states of a sweep are stored with their numbers in blocks, see `frontier::blocks`.

mod bound;
mod column;
pub(crate) mod limbs;
mod single;

pub(crate) use bound::{UpperBound, magnitude};
pub(crate) use column::Column;
pub(crate) use single::Number;

/// Stands for a width that is not a constant. The hot loops are compiled for each of the common
/// widths, and once for all others. Without these copies, the loops take a sixth more instructions.
pub(crate) const ANY_WIDTH: usize = usize::MAX;
