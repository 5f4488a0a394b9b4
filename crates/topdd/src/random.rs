//! Pseudo-random numbers from a seed, equal on all platforms.

/// The `SplitMix64` generator: a counter, well mixed.
///
/// G. Steele, D. Lea and C. Flood, *Fast splittable pseudorandom number generators*, 2014.
#[derive(Clone, Debug)]
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number in `0..bound`. Slightly uneven, which is harmless in tests and heuristics.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Shuffles items (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The first and the last item of a stream, and a sample of the items between them.
#[derive(Clone, Debug)]
pub(crate) struct Reservoir<T> {
    items: Vec<T>,
    arrivals: usize,
    draw: SplitMix,
}

impl<T> Default for Reservoir<T> {
    fn default() -> Self {
        Reservoir { items: Vec::new(), arrivals: 0, draw: SplitMix(0) }
    }
}

impl<T> Reservoir<T> {
    /// Adds an item. Keeps at most `most` items, at least two.
    ///
    /// J. S. Vitter, *Random sampling with a reservoir*, 1985.
    pub(crate) fn push(&mut self, item: T, most: usize) {
        self.arrivals += 1;
        if self.items.len() < most {
            self.items.push(item);
            return;
        }
        let last = most - 1;
        let previous = std::mem::replace(&mut self.items[last], item);
        let index = 1 + self.draw.below(self.arrivals - 1);
        if index < last {
            self.items[index] = previous;
        }
    }

    /// The first item, then others, and the last one.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    /// Removes all items. Their memory is kept.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
        self.arrivals = 0;
    }

    /// Size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reservoir_keeps_the_first_and_the_last_item() {
        let mut reservoir = Reservoir::default();
        for item in 0..1000 {
            reservoir.push(item, 8);
            let items = reservoir.items();
            assert_eq!((items[0], items[items.len() - 1]), (0, item));
            assert_eq!(items.len(), 8.min(item + 1));
        }
        assert!(reservoir.items().windows(2).any(|two| two[0] > 100), "{reservoir:?}");
        reservoir.clear();
        assert!(reservoir.items().is_empty());
    }

    #[test]
    fn draws_are_those_of_the_reference() {
        let mut draw = SplitMix(0);
        assert_eq!(draw.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(draw.next(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn shuffles_keep_all() {
        let mut draw = SplitMix(7);
        let mut items: Vec<_> = (0..100).collect();
        draw.shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert!(items.into_iter().eq(0..100));
    }
}
