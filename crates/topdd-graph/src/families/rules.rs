//! The rules of edge sets that one sweep checks together.

use super::degrees::Degrees;

/// The connectivity that a rule asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Groups {
    /// None.
    Any,
    /// All vertices are in one component.
    All,
    /// The vertices of each group are in one component, and vertices of different groups in different
    /// ones.
    Of(Vec<Vec<usize>>),
}

/// A bound on the sum of the weights of the elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinearRule {
    pub(super) weights: Vec<i64>,
    pub(super) least: i128,
    pub(super) most: i128,
}

impl LinearRule {
    /// Whether the sum is the number of elements.
    pub(super) fn is_size(&self) -> bool {
        self.weights.iter().all(|&weight| weight == 1)
    }
}

/// Conditions on single elements, edges or vertices, and on sums over them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) linear: Vec<LinearRule>,
    /// Elements, their values, and whether they must have them: 1 for members of a set, or a colour.
    pub(super) fixed: Vec<(usize, usize, bool)>,
}

impl Bounds {
    pub(super) const NONE: Self = Self { linear: Vec::new(), fixed: Vec::new() };

    pub(super) fn extend(&mut self, other: Self) {
        self.linear.extend(other.linear);
        self.fixed.extend(other.fixed);
    }
}

/// Rules that an edge set must follow, all of them.
// Each is a rule of its own.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) acyclic: bool,
    pub(super) groups: Groups,
    /// Whether all edges, and the vertices of the first group, are in one component.
    pub(super) single: bool,
    /// Whether there must be an edge.
    pub(super) nonempty: bool,
    /// Whether each component must contain a vertex of a group.
    pub(super) covered: bool,
    /// The allowed degrees, in all, out and in, by vertex; an empty list allows any.
    pub(super) degrees: [Vec<Degrees>; 3],
    pub(super) bounds: Bounds,
}

impl Rules {
    /// No rules.
    pub(super) const NONE: Self = Self {
        acyclic: false,
        groups: Groups::Any,
        single: false,
        nonempty: false,
        covered: false,
        degrees: [const { Vec::new() }; 3],
        bounds: Bounds::NONE,
    };

    /// The rules of both; `None` if no single sweep can check them.
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let says_nothing = |rules: &Self| {
            rules.groups == Groups::Any && !rules.single && !rules.covered && !rules.nonempty
        };
        let connectivity = match (says_nothing(self), says_nothing(other)) {
            (_, true) => self,
            (true, _) => other,
            _ => return None,
        };
        let both = |kind: usize| match (&self.degrees[kind], &other.degrees[kind]) {
            (list, empty) | (empty, list) if empty.is_empty() => list.clone(),
            (a, b) => a.iter().zip(b).map(|(a, b)| a.and(b)).collect(),
        };
        Some(Self {
            acyclic: self.acyclic || other.acyclic,
            groups: connectivity.groups.clone(),
            single: connectivity.single,
            nonempty: connectivity.nonempty,
            covered: connectivity.covered,
            degrees: [both(0), both(1), both(2)],
            bounds: Bounds::NONE,
        })
    }
}
