//! Products over ranges, from the products of few blocks.

use std::ops::Range;
use std::sync::OnceLock;

/// The products over aligned blocks of factors: of one, of two, of four, and so on.
///
/// Each is computed on first use, and no other: where values grow with the number of factors, as
/// weights with few common values do, a product that no range needs may be larger than everything
/// else together.
#[derive(Clone, Debug)]
pub(crate) struct BlockProducts<V> {
    len: usize,
    blocks: OnceLock<Vec<Box<[OnceLock<V>]>>>,
}

impl<V: Clone> BlockProducts<V> {
    /// Makes an empty table for `len` factors.
    pub(crate) fn new(len: usize) -> Self {
        BlockProducts { len, blocks: OnceLock::new() }
    }

    fn blocks(&self) -> &[Box<[OnceLock<V>]>] {
        self.blocks.get_or_init(|| {
            let half = |size: &usize| (*size > 1).then_some(size / 2);
            let sizes = std::iter::successors(Some(self.len), half);
            sizes.map(|size| (0..size).map(|_| OnceLock::new()).collect()).collect()
        })
    }

    /// Returns the product over a range of factors; `None` of no factors. `factor` returns the factor
    /// of an index.
    pub(crate) fn product(
        &self,
        range: Range<usize>,
        factor: impl Fn(usize) -> V,
        multiply: impl Fn(&V, &V) -> V,
    ) -> Option<V> {
        let mut product: Option<V> = None;
        let mut at = range.start;
        while at < range.end {
            // The largest block that starts here and ends within.
            let fits =
                |level: usize| at.is_multiple_of(1 << level) && at + (1 << level) <= range.end;
            let level =
                (0..self.blocks().len()).take_while(|&level| fits(level)).last().unwrap_or(0);
            let block = self.block(level, at >> level, &factor, &multiply);
            product = Some(match product {
                None => block.clone(),
                Some(product) => multiply(&product, block),
            });
            at += 1 << level;
        }
        product
    }

    /// Returns the product over a block of 2^`level` factors, the block of index `at` of this size.
    fn block(
        &self,
        level: usize,
        at: usize,
        factor: &impl Fn(usize) -> V,
        multiply: &impl Fn(&V, &V) -> V,
    ) -> &V {
        // Missing blocks only, from the smallest up.
        if self.blocks()[level][at].get().is_none() {
            for lower in 0..=level {
                let within = at << (level - lower)..(at + 1) << (level - lower);
                for (index, block) in within.clone().zip(&self.blocks()[lower][within]) {
                    let part = |index: usize| {
                        self.blocks()[lower - 1][index].get().expect("smaller blocks come first")
                    };
                    block.get_or_init(|| match lower {
                        0 => factor(index),
                        _ => multiply(part(2 * index), part(2 * index + 1)),
                    });
                }
            }
        }
        self.blocks()[level][at].get().expect("it was made")
    }

    /// Returns the products computed so far.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &V> {
        self.blocks.get().into_iter().flatten().flatten().filter_map(OnceLock::get)
    }
}
