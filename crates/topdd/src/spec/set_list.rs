//! Lists of sets, whose diagrams are built.

use std::ops::Range;

use super::{DdSpec, Step};

/// A list of sets as a spec over variables of two values. It takes memory for the members only.
///
/// ```
/// use topdd::spec::SetList;
///
/// let mut list = SetList::default();
/// for set in [&[2, 0][..], &[], &[0, 2, 2]] {
///     set.iter().for_each(|&member| list.add(member));
///     list.end_set();
/// }
/// let zdd = topdd::zdd(&list.over(3))?;
/// assert_eq!(zdd.iter().collect::<Vec<_>>(), [[0, 0, 0], [1, 0, 1]]);
/// # Ok::<(), topdd::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct SetList {
    variables: usize,
    /// The members of each set in ascending order, followed by [`END`].
    members: Vec<u32>,
    /// The places of the members of each set.
    sets: Vec<Range<usize>>,
}

/// The end of the members of a set, which is greater than all members.
const END: u32 = u32::MAX;

/// The state of a [`SetList`]: sets that are next to each other in the sorted list, and have the same first members.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetRange {
    from: usize,
    to: usize,
    /// The number of members that are decided.
    decided: usize,
}

crate::portable!(SetRange { from, to, decided });

impl SetList {
    /// Adds a member to the last set, which is not ended.
    pub fn add(&mut self, member: u32) {
        self.members.push(member);
    }

    /// Ends the last set. A member that occurs twice is left out.
    pub fn end_set(&mut self) {
        let start = self.sets.last().map_or(0, |set| set.end);
        self.members[start..].sort_unstable();
        let mut end = start;
        for at in start..self.members.len() {
            if end == start || self.members[end - 1] != self.members[at] {
                self.members[end] = self.members[at];
                end += 1;
            }
        }
        self.members.truncate(end);
        self.members.push(END);
        self.sets.push(start..end + 1);
    }

    /// Returns the size of the list in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.members[..]) + size_of_val(&self.sets[..])
    }

    /// Returns the spec over so many variables, of which each member is one. Sorts the list.
    #[must_use]
    pub fn over(mut self, variables: usize) -> Self {
        let members = &self.members;
        self.sets.sort_unstable_by(|a, b| members[a.clone()].cmp(&members[b.clone()]));
        self.sets.dedup_by(|a, b| members[a.clone()] == members[b.clone()]);
        self.variables = variables;
        self
    }

    /// The next member of a set.
    fn next_member(&self, set: usize, decided: usize) -> u32 {
        self.members[self.sets[set].start + decided]
    }

    fn step(&self, range: SetRange) -> Step<SetRange> {
        if range.from == range.to {
            return Step::Zero;
        }
        match self.next_member(range.from, range.decided) {
            // The sets of the range are equal, and there is one of each.
            END => Step::One,
            member => Step::To(member as usize, range),
        }
    }
}

impl DdSpec for SetList {
    type State = SetRange;

    fn num_vars(&self) -> usize {
        self.variables
    }

    fn root(&self) -> Step<SetRange> {
        self.step(SetRange { from: 0, to: self.sets.len(), decided: 0 })
    }

    fn child(&self, &range: &SetRange, variable: usize, value: usize) -> Step<SetRange> {
        let SetRange { from, to, decided } = range;
        let with = self.sets[from..to]
            .partition_point(|set| self.members[set.start + decided] as usize == variable);
        self.step(if value == 1 {
            SetRange { from, to: from + with, decided: decided + 1 }
        } else {
            SetRange { from: from + with, to, decided }
        })
    }
}
