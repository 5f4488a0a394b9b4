//! The names of the families: one table for this library, the `topdd` command and other languages.

use std::fmt;
use std::str::FromStr;

use super::Unit;

/// Makes [`FamilyKind`] from the table: the kind, the name, and the unit of each family.
macro_rules! families {
    ($($kind:ident $name:literal $unit:ident;)*) => {
        /// A family by its name, which is the name of the function that makes it.
        ///
        /// Functions that restrict a family, such as [`paths_from`](super::paths_from), [`hamiltonian_cycles`](super::hamiltonian_cycles)
        /// and [`balanced_partitions`](super::balanced_partitions), have the kind of that family.
        ///
        /// ```
        /// use topdd_graph::families::{FamilyKind, Unit};
        ///
        /// let kind: FamilyKind = "spanning_trees".parse()?;
        /// assert_eq!((kind, kind.unit()), (FamilyKind::SpanningTrees, Unit::Edge));
        /// # Ok::<(), topdd_graph::families::UnknownFamily>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "the functions of these names are documented")]
        #[non_exhaustive]
        pub enum FamilyKind {
            $($kind,)*
        }

        impl FamilyKind {
            /// All kinds: edge sets, then vertex sets, then colourings.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Returns the name, as of the function in this module.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }

            /// Returns what a variable of the family stands for.
            pub const fn unit(self) -> Unit {
                match self {
                    $(Self::$kind => Unit::$unit,)*
                }
            }
        }
    };
}

families! {
    Paths "paths" Edge;
    Cycles "cycles" Edge;
    SpanningTrees "spanning_trees" Edge;
    Subtrees "subtrees" Edge;
    Forests "forests" Edge;
    RootedForests "rooted_forests" Edge;
    SteinerTrees "steiner_trees" Edge;
    SteinerSubgraphs "steiner_subgraphs" Edge;
    Arborescences "arborescences" Edge;
    Connected "connected" Edge;
    Matchings "matchings" Edge;
    PerfectMatchings "perfect_matchings" Edge;
    BMatchings "b_matchings" Edge;
    Factors "factors" Edge;
    Degrees "degrees" Edge;
    RegularSubgraphs "regular_subgraphs" Edge;
    Partitions "partitions" Edge;
    Cuts "cuts" Edge;
    BipartiteSubgraphs "bipartite_subgraphs" Edge;
    Bicliques "bicliques" Edge;
    IndependentSets "independent_sets" Vertex;
    Cliques "cliques" Vertex;
    DominatingSets "dominating_sets" Vertex;
    TotalDominatingSets "total_dominating_sets" Vertex;
    ConnectedDominatingSets "connected_dominating_sets" Vertex;
    VertexCovers "vertex_covers" Vertex;
    ConnectedInducedSubgraphs "connected_induced_subgraphs" Vertex;
    Colourings "colourings" Colour;
}

/// The name in words: with blanks, and with the hyphen of `b-matchings`.
impl fmt::Display for FamilyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BMatchings => f.write_str("b-matchings"),
            kind => f.write_str(&kind.name().replace('_', " ")),
        }
    }
}

/// Reads a name, with underscores or with hyphens.
impl FromStr for FamilyKind {
    type Err = UnknownFamily;

    fn from_str(name: &str) -> Result<Self, UnknownFamily> {
        let plain = name.replace('-', "_");
        let found = Self::ALL.iter().find(|kind| kind.name() == plain);
        found.copied().ok_or_else(|| UnknownFamily { name: name.to_owned() })
    }
}

/// The error for a name of no family.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no family {name}; take the name of a function of topdd_graph::families")]
pub struct UnknownFamily {
    /// The name.
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_read_back_and_differ() {
        for &kind in FamilyKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(kind.name().replace('_', "-").parse(), Ok(kind));
        }
        let names: HashSet<&str> = FamilyKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), FamilyKind::ALL.len());
        assert!("trees".parse::<FamilyKind>().is_err());
    }

    /// The names of functions of the module, which do not compile if there are no such functions.
    macro_rules! functions {
        ($($name:ident)*) => {{
            $(let _ = crate::families::$name;)*
            [$(stringify!($name)),*]
        }};
    }

    #[test]
    fn each_kind_is_the_name_of_a_function() {
        let functions = functions! {
            paths cycles spanning_trees subtrees forests rooted_forests steiner_trees
            steiner_subgraphs arborescences connected matchings perfect_matchings b_matchings
            factors degrees regular_subgraphs partitions cuts bipartite_subgraphs bicliques
            independent_sets cliques dominating_sets total_dominating_sets
            connected_dominating_sets vertex_covers connected_induced_subgraphs colourings
        };
        assert!(functions.into_iter().eq(FamilyKind::ALL.iter().map(|kind| kind.name())));
    }
}
