//! An item for each value of each variable.

/// An item for each value of each variable, in one allocation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PerValue<T> {
    items: Vec<T>,
    /// The start of the items of each variable; at the end, the number of all items.
    starts: Vec<usize>,
}

impl<T> PerValue<T> {
    pub(crate) fn new(
        arities: impl IntoIterator<Item = usize>,
        mut item: impl FnMut(usize, usize) -> T,
    ) -> Self {
        let mut all = PerValue { items: Vec::new(), starts: vec![0] };
        for (variable, arity) in arities.into_iter().enumerate() {
            all.items.extend((0..arity).map(|value| item(variable, value)));
            all.starts.push(all.items.len());
        }
        all
    }

    #[inline]
    pub(crate) fn num_vars(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the items of the values of a variable.
    #[inline]
    pub(crate) fn variable(&self, variable: usize) -> &[T] {
        &self.items[self.starts[variable]..self.starts[variable + 1]]
    }

    /// Returns the variable before `variable` if it has the same items.
    pub(crate) fn equal_before(&self, variable: usize) -> Option<usize>
    where
        T: PartialEq,
    {
        variable.checked_sub(1).filter(|&before| self.variable(before) == self.variable(variable))
    }

    #[inline]
    pub(crate) fn variable_mut(&mut self, variable: usize) -> &mut [T] {
        &mut self.items[self.starts[variable]..self.starts[variable + 1]]
    }

    /// Returns the item of a value.
    #[inline]
    pub(crate) fn get(&self, variable: usize, value: usize) -> &T {
        &self.items[self.starts[variable] + value]
    }

    pub(crate) fn map<V>(&self, change: impl FnMut(&T) -> V) -> PerValue<V> {
        PerValue { items: self.items.iter().map(change).collect(), starts: self.starts.clone() }
    }

    /// Returns the items of each variable as a list.
    pub(crate) fn into_lists(self) -> Vec<Vec<T>> {
        let mut items = self.items.into_iter();
        self.starts.windows(2).map(|of| items.by_ref().take(of[1] - of[0]).collect()).collect()
    }
}

/// By variable, the items of its values.
impl<T, V: IntoIterator<Item = T>> FromIterator<V> for PerValue<T> {
    fn from_iter<I: IntoIterator<Item = V>>(variables: I) -> Self {
        let mut all = PerValue { items: Vec::new(), starts: vec![0] };
        for items in variables {
            all.items.extend(items);
            all.starts.push(all.items.len());
        }
        all
    }
}
