//! Lists of items, one list for each index, stored one after the other.

use std::ops::Index;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lists<T> {
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T: Copy + Default> Lists<T> {
    /// The lists of the given pairs (index, item), each in the order of the pairs. Takes linear time.
    pub(crate) fn new(len: usize, pairs: impl Iterator<Item = (usize, T)> + Clone) -> Self {
        let mut starts = vec![0; len + 1];
        for (index, _) in pairs.clone() {
            starts[index + 1] += 1;
        }
        for index in 0..len {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut items = vec![T::default(); starts[len]];
        for (index, item) in pairs {
            items[next[index]] = item;
            next[index] += 1;
        }
        Self { starts, items }
    }

    /// Adds a list.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.starts.push(self.items.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(crate) fn num_items(&self) -> usize {
        self.items.len()
    }

    /// Adds empty lists.
    pub(crate) fn resize(&mut self, len: usize) {
        self.starts.resize(len + 1, self.items.len());
    }
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T> Index<usize> for Lists<T> {
    type Output = [T];

    #[inline]
    fn index(&self, index: usize) -> &[T] {
        &self.items[self.starts[index]..self.starts[index + 1]]
    }
}
