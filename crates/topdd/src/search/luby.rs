//! The lengths of runs: Luby's sequence.

/// The sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, ... of Luby, Sinclair and
/// Zuckerman, by the pair that Knuth runs through (*The Art of Computer Programming*,
/// 7.2.2.2, exercise 293).
#[derive(Clone, Debug)]
pub(super) struct Luby {
    u: u64,
    v: u64,
}

impl Luby {
    pub(super) fn new() -> Self {
        Luby { u: 1, v: 1 }
    }
}

impl Iterator for Luby {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let current = self.v;
        if self.u & self.u.wrapping_neg() == self.v {
            (self.u, self.v) = (self.u + 1, 1);
        } else {
            self.v *= 2;
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::Luby;

    #[test]
    fn each_block_repeats_the_sequence_so_far_and_doubles() {
        let first: Vec<_> = Luby::new().take(15).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        let all: Vec<_> = Luby::new().take((1 << 12) - 1).collect();
        for k in 1..12 {
            let half = (1 << k) - 1;
            assert_eq!(all[..half], all[half..2 * half]);
            assert_eq!(all[2 * half], 1 << k);
        }
    }
}
