//! The pairs of variables that occur in a common diagram.

/// The maximum number of variables for which pairs are stored: 32 MiB.
const MAX_ROWS: usize = 1 << 14;
/// The row of a variable without nodes.
const NO_ROW: u32 = u32::MAX;

/// A symmetric relation of variables. Two variables that do not interact have no edge between their
/// nodes, in any order.
pub(crate) struct Interactions {
    /// The row of each variable.
    rows: Vec<u32>,
    /// The number of words of a row.
    words: usize,
    /// One bit for each pair. Empty if there are too many variables: then all with nodes interact.
    bits: Vec<u64>,
}

impl Interactions {
    /// No interactions of the variables with nodes.
    pub(crate) fn new(has_nodes: impl Iterator<Item = bool>) -> Self {
        let mut count = 0;
        let rows: Vec<u32> = has_nodes
            .map(|has_nodes| {
                count += u32::from(has_nodes);
                if has_nodes { count - 1 } else { NO_ROW }
            })
            .collect();
        let words = (count as usize).div_ceil(64);
        let stored = if count as usize <= MAX_ROWS { count as usize } else { 0 };
        Interactions { rows, words, bits: vec![0; stored * words] }
    }

    /// Adds the pairs of variables of a diagram.
    pub(crate) fn add(&mut self, support: &[u32]) {
        if self.bits.is_empty() {
            return;
        }
        let mut mask = vec![0; self.words];
        for &variable in support {
            let row = self.rows[variable as usize] as usize;
            mask[row / 64] |= 1 << (row % 64);
        }
        for &variable in support {
            let start = self.rows[variable as usize] as usize * self.words;
            let row = &mut self.bits[start..start + self.words];
            row.iter_mut().zip(&mask).for_each(|(word, mask)| *word |= mask);
        }
    }

    /// Whether nodes of one variable may have children of the other.
    #[inline]
    pub(crate) fn contains(&self, x: usize, y: usize) -> bool {
        let (x, y) = (self.rows[x], self.rows[y]);
        if x == NO_ROW || y == NO_ROW {
            return false;
        }
        let word = x as usize * self.words + y as usize / 64;
        self.bits.get(word).is_none_or(|word| word >> (y % 64) & 1 == 1)
    }
}
