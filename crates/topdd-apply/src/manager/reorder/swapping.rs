//! Swaps of adjacent levels in both stores of a manager, and sifting by such swaps.

use super::{Sifted, Sifting};
use crate::error::Error;
use crate::manager::{Inner, StoredRule, VariableOrder};
use crate::store::{Interactions, OperationWatch, Reorder, Store};
use std::cell::RefMut;
use std::time::Instant;
use topdd::diagram::{AnyValue, ZeroSuppressed};

/// Both stores of a manager, borrowed.
pub(super) struct Stores<'m> {
    functions: RefMut<'m, Store<AnyValue>>,
    families: RefMut<'m, Store<ZeroSuppressed>>,
}

impl<'m> Stores<'m> {
    pub(super) fn borrow(inner: &'m Inner) -> Self {
        Stores {
            functions: AnyValue::store(inner).borrow_mut(),
            families: ZeroSuppressed::store(inner).borrow_mut(),
        }
    }

    pub(super) fn swapping(&mut self, inner: &'m Inner) -> Swapping<'_> {
        let num_vars = inner.num_vars.get();
        let order = inner.order.borrow_mut();
        let variable_at = |level| order.variable_at(level);
        let functions = Reorder::new(&mut self.functions, num_vars, variable_at);
        let families = Reorder::new(&mut self.families, num_vars, variable_at);
        let has_nodes = |variable| functions.width(variable) + families.width(variable) > 0;
        let mut interactions = Interactions::new((0..num_vars).map(has_nodes));
        functions.for_each_support(|support| interactions.add(support));
        families.for_each_support(|support| interactions.add(support));
        let watch = &inner.watch;
        Swapping { functions, families, order, num_vars, interactions, watch, swaps: 0 }
    }
}

/// A manager whose levels are being swapped.
pub(super) struct Swapping<'m> {
    functions: Reorder<'m, AnyValue>,
    families: Reorder<'m, ZeroSuppressed>,
    pub(super) order: RefMut<'m, VariableOrder>,
    num_vars: usize,
    interactions: Interactions,
    watch: &'m OperationWatch,
    swaps: u64,
}

/// Makes the stores usable again, also after a panic of the progress function.
impl Drop for Swapping<'_> {
    fn drop(&mut self) {
        self.functions.finish(|variable| self.order.level_of(variable));
        self.families.finish(|variable| self.order.level_of(variable));
        self.watch.set_sifted(None);
    }
}

impl Swapping<'_> {
    fn len(&self) -> usize {
        self.functions.len() + self.families.len()
    }

    fn width(&self, variable: usize) -> usize {
        self.functions.width(variable) + self.families.width(variable)
    }

    /// Notes the next swap. Fails if the token is cancelled or the time is over.
    fn advance(&self) -> Result<(), Error> {
        self.watch.advance(1, self.len())
    }

    /// Swaps a level with the next one. Changes nothing if it fails.
    fn swap(&mut self, upper: usize) -> Result<(), Error> {
        let [x, y] = [upper, upper + 1].map(|level| self.order.variable_at(level as u32));
        if self.interactions.contains(x, y) {
            self.functions.prepare(x, y)?;
            self.families.prepare(x, y)?;
            self.functions.swap(x, y);
            self.families.swap(x, y);
        }
        self.order.swap(upper, self.num_vars);
        self.swaps += 1;
        Ok(())
    }

    /// Whether the variables of two adjacent levels are symmetric in all diagrams.
    fn is_symmetric(&self, upper: usize) -> bool {
        let [x, y] = [upper, upper + 1].map(|level| self.order.variable_at(level as u32));
        self.interactions.contains(x, y)
            && self.functions.is_symmetric(x, y)
            && self.families.is_symmetric(x, y)
    }

    /// Moves a variable up to a level.
    pub(super) fn raise(&mut self, variable: usize, level: usize) -> Result<(), Error> {
        for upper in (level..self.order.level_of(variable) as usize).rev() {
            self.advance()?;
            self.swap(upper)?;
        }
        Ok(())
    }

    /// Sifts all variables that have nodes.
    pub(super) fn sift(&mut self, sifting: &Sifting) -> Result<Sifted, Error> {
        let start = Instant::now();
        let nodes_before = self.len();
        let mut sifter = Sifter {
            blocks: LevelBlocks::gather(self, &sifting.groups)?,
            max_growth: sifting.max_growth,
            bounded: sifting.bounded,
            max_swaps: self.swaps.saturating_add(sifting.max_swaps),
            end: sifting.time_limit.and_then(|time| start.checked_add(time)),
            swapping: self,
        };
        let complete = sifter.sift_all(sifting.converge)?;
        let (swaps, nodes_after) = (self.swaps, self.len());
        Ok(Sifted { nodes_before, nodes_after, swaps, elapsed: start.elapsed(), complete })
    }
}

/// Groups of variables that stay on adjacent levels: groups of the caller, and symmetric variables. Each other
/// variable is a block of its own.
struct LevelBlocks {
    /// The topmost variable in the block of each variable.
    tops: Vec<usize>,
    /// The number of variables in the block of each topmost variable.
    sizes: Vec<usize>,
}

impl LevelBlocks {
    /// Brings the variables of each group together.
    fn gather(swapping: &mut Swapping<'_>, groups: &[Vec<usize>]) -> Result<Self, Error> {
        let mut tops: Vec<usize> = (0..swapping.num_vars).collect();
        let mut sizes = vec![1; swapping.num_vars];
        for group in groups {
            for pair in group.windows(2) {
                // Below the others; a variable that comes from above moves past them.
                let (above, next) = (swapping.order.level_of(pair[0]), pair[1]);
                let from = swapping.order.level_of(next);
                if from < above {
                    for upper in from..above {
                        swapping.advance()?;
                        swapping.swap(upper as usize)?;
                    }
                } else {
                    swapping.raise(next, above as usize + 1)?;
                }
            }
            if let Some(&top) = group.first() {
                sizes[top] = group.len();
                for &variable in group {
                    tops[variable] = top;
                }
            }
        }
        Ok(LevelBlocks { tops, sizes })
    }
}

/// The levels of a block.
#[derive(Clone, Copy)]
struct LevelSpan {
    top: usize,
    size: usize,
}

impl LevelSpan {
    fn end(self) -> usize {
        self.top + self.size
    }
}

/// Sifting within limits.
struct Sifter<'s, 'm> {
    swapping: &'s mut Swapping<'m>,
    blocks: LevelBlocks,
    max_growth: f64,
    /// Whether lower bounds end searches.
    bounded: bool,
    /// The number of swaps of the manager at which sifting stops.
    max_swaps: u64,
    end: Option<Instant>,
}

impl Sifter<'_, '_> {
    /// Sifts all blocks, the block with the most nodes first. Returns whether no limit was reached.
    fn sift_all(&mut self, converge: bool) -> Result<bool, Error> {
        loop {
            let before = self.swapping.len();
            let mut level = 0;
            let mut tops = Vec::new();
            while level < self.swapping.num_vars {
                let block = self.join_symmetric(self.block_at(level));
                let width: usize = self.variables(block).map(|v| self.swapping.width(v)).sum();
                if width > 0 {
                    tops.push((width, self.swapping.order.variable_at(level as u32)));
                }
                level = block.end();
            }
            tops.sort_unstable_by(|a, b| b.cmp(a));
            let total = tops.len();
            for (done, (_, top)) in tops.into_iter().enumerate() {
                self.swapping.watch.set_sifted(Some((done, total)));
                if self.is_over() {
                    return Ok(false);
                }
                // Otherwise a symmetric block took it in.
                if self.blocks.tops[top] == top {
                    self.sift(top)?;
                }
            }
            // A round that removes less than a hundredth is the last one.
            if !converge || self.swapping.len() + before / 100 >= before {
                return Ok(!self.is_over());
            }
        }
    }

    /// Whether a limit of the sifting is reached.
    fn is_over(&self) -> bool {
        self.swapping.swaps >= self.max_swaps || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The block that contains a level.
    fn block_at(&self, level: usize) -> LevelSpan {
        let order = &self.swapping.order;
        let top = self.blocks.tops[order.variable_at(level as u32)];
        LevelSpan { top: order.level_of(top) as usize, size: self.blocks.sizes[top] }
    }

    /// Joins a block with the blocks below it as long as their variables are symmetric. Alone, none of
    /// them would leave the others.
    fn join_symmetric(&mut self, mut block: LevelSpan) -> LevelSpan {
        while block.end() < self.swapping.num_vars && self.swapping.is_symmetric(block.end() - 1) {
            let below = self.block_at(block.end());
            let top = self.swapping.order.variable_at(block.top as u32);
            for level in below.top..below.end() {
                self.blocks.tops[self.swapping.order.variable_at(level as u32)] = top;
            }
            block.size += below.size;
            self.blocks.sizes[top] = block.size;
        }
        block
    }

    fn variables(&self, span: LevelSpan) -> impl Iterator<Item = usize> {
        (span.top..span.end()).map(|level| self.swapping.order.variable_at(level as u32))
    }

    /// Moves the lower one of two adjacent blocks above the upper one.
    fn exchange(&mut self, upper: LevelSpan, lower: usize) -> Result<(), Error> {
        for moved in 0..lower {
            for level in (upper.top + moved..upper.end() + moved).rev() {
                self.swapping.swap(level)?;
            }
        }
        Ok(())
    }

    /// Moves a block to all levels, towards the nearer end first, and leaves it at the best level. If
    /// the token is cancelled or the time is over, leaves it at the best level so far, and fails.
    fn sift(&mut self, variable: usize) -> Result<(), Error> {
        let start = self.block_at(self.swapping.order.level_of(variable) as usize);
        let mut at = start;
        let mut best = (self.swapping.len(), start.top);
        let most = (best.0 as f64 * self.max_growth) as usize;
        let up_first = start.top < self.swapping.num_vars - start.end();
        let mut stopped = Ok(());
        for up in [up_first, !up_first] {
            let mut removable = self.removable(at, up);
            while let Some(passed) = self.neighbour(at, up) {
                let fixed = self.swapping.len() - removable - self.inner_nodes(at, up);
                stopped = self.swapping.advance();
                if stopped.is_err() || self.is_over() || self.bounded && fixed >= best.0 {
                    break;
                }
                removable -= self.interacting(at, passed);
                at = self.pass(at, passed, up)?;
                let len = self.swapping.len();
                if len < best.0 {
                    best = (len, at.top);
                }
                // On the way back, the sizes up to the start are known already.
                if len > most && (if up { at.top < start.top } else { at.top > start.top }) {
                    break;
                }
            }
            if stopped.is_err() {
                break;
            }
        }
        while at.top != best.1 {
            let up = at.top > best.1;
            let passed = self.neighbour(at, up).expect("the best level is on this side");
            at = self.pass(at, passed, up)?;
        }
        let at = self.join_symmetric(at);
        if let Some(above) = self.neighbour(at, true) {
            self.join_symmetric(above);
        }
        stopped
    }

    /// The next block above or below.
    fn neighbour(&self, at: LevelSpan, up: bool) -> Option<LevelSpan> {
        if up {
            Some(self.block_at(at.top.checked_sub(1)?))
        } else {
            (at.end() < self.swapping.num_vars).then(|| self.block_at(at.end()))
        }
    }

    /// Moves a block past its neighbour.
    fn pass(&mut self, at: LevelSpan, passed: LevelSpan, up: bool) -> Result<LevelSpan, Error> {
        if up {
            self.exchange(passed, at.size)?;
            Ok(LevelSpan { top: passed.top, ..at })
        } else {
            self.exchange(at, passed.size)?;
            Ok(LevelSpan { top: at.top + passed.size, ..at })
        }
    }

    /// The nodes on the levels that a block may still pass, without those that cannot change. At best,
    /// all of them vanish.
    fn removable(&self, at: LevelSpan, up: bool) -> usize {
        let levels = if up { 0..at.top } else { at.end()..self.swapping.num_vars };
        self.interacting(at, LevelSpan { top: levels.start, size: levels.len() })
    }

    /// The number of nodes of the variables on `levels` that interact with a block.
    fn interacting(&self, block: LevelSpan, levels: LevelSpan) -> usize {
        let interacts = |&variable: &usize| {
            self.variables(block).any(|v| self.swapping.interactions.contains(v, variable))
        };
        self.variables(levels).filter(interacts).map(|v| self.swapping.width(v)).sum()
    }

    /// The nodes of a block that may vanish when it moves: downwards, the functions of its first variable
    /// remain, and have nodes of other variables.
    fn inner_nodes(&self, block: LevelSpan, up: bool) -> usize {
        let kept = usize::from(!up);
        self.variables(block).skip(kept).map(|v| self.swapping.width(v)).sum()
    }
}
