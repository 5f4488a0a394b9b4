//! Queries of diagrams.
//!
//! Everything here is a method of [`Diagram`](crate::Diagram), or a type that such a method
//! returns. All queries hold for both rules, all arities and constant diagrams. They are exact,
//! and do not recurse, so no diagram is too deep.
//!
//! | question | methods |
//! | --- | --- |
//! | how many | [`count`], [`count_by_size`], [`count_by`], [`value_counts`] |
//! | which | [`contains`], [`iter`], [`iter_from`], [`iter_back_from`], [`iter_sets`] |
//! | by position, at random | [`rank`], [`nth`], [`sample`], [`sample_distinct`]; many of them by an [`index`] |
//! | at random, by weight | [`sample_weighted`], [`sample_by_odds`]; many of them by a [`weighted_index`] or [`index_by_odds`] |
//! | the best, by [`Weights`] | [`minimum`], [`maximum`], [`best`], [`count_best`], [`within`] |
//! | how likely, or any sum of products | [`probability`], [`sum_product`] with a [`Semiring`], [`evaluate`] with an [`Evaluator`] |
//! | how much a value matters | [`marginals`], [`birnbaum`], [`banzhaf`], [`shapley`]; or any [`gradient`] of a sum of products |
//! | values of the variables | [`domains`], [`constants`], [`support`] |
//! | a part, or another view | [`restrict`], [`project`], [`reorder`], [`to_rule`] |
//! | compared with another | `==`, [`is_subset`], [`is_superset`], [`is_disjoint`], the operators `\|`, `&`, `-`, `^` ([`try_union`], [`try_intersection`], [`try_difference`], [`try_symmetric_difference`]), [`complement`] |
//! | what if | [`configure`], which starts a [`Configurator`] |
//!
//! ```
//! use topdd::{Goal, Weights, constraint};
//!
//! let pairs = topdd::zdd(&constraint::exactly(5, 2))?; // two of five items
//! assert_eq!(pairs.count(), 10u32.into());
//! assert_eq!(pairs.nth(&3u32.into())?, [0, 1, 0, 0, 1]);
//! let prices = Weights::of_ones([3, 1, 4, 1, 5]);
//! assert_eq!(pairs.minimum(&prices)?.weight, 2);
//! assert_eq!(pairs.within(&prices, ..=4)?.count(), 3u32.into());
//! assert_eq!(pairs.count_best(&prices, Goal::Maximum)?, 1u32.into());
//! # Ok::<(), topdd::QueryError>(())
//! ```
//!
//! [`count`]: crate::Diagram::count
//! [`count_by_size`]: crate::Diagram::count_by_size
//! [`count_by`]: crate::Diagram::count_by
//! [`value_counts`]: crate::Diagram::value_counts
//! [`contains`]: crate::Diagram::contains
//! [`iter`]: crate::Diagram::iter
//! [`iter_from`]: crate::Diagram::iter_from
//! [`iter_back_from`]: crate::Diagram::iter_back_from
//! [`rank`]: crate::Diagram::rank
//! [`nth`]: crate::Diagram::nth
//! [`sample`]: crate::Diagram::sample
//! [`sample_distinct`]: crate::Diagram::sample_distinct
//! [`index`]: crate::Diagram::index
//! [`sample_weighted`]: crate::Diagram::sample_weighted
//! [`sample_by_odds`]: crate::Diagram::sample_by_odds
//! [`weighted_index`]: crate::Diagram::weighted_index
//! [`index_by_odds`]: crate::Diagram::index_by_odds
//! [`minimum`]: crate::Diagram::minimum
//! [`maximum`]: crate::Diagram::maximum
//! [`best`]: crate::Diagram::best
//! [`count_best`]: crate::Diagram::count_best
//! [`within`]: crate::Diagram::within
//! [`probability`]: crate::Diagram::probability
//! [`sum_product`]: crate::Diagram::sum_product
//! [`evaluate`]: crate::Diagram::evaluate
//! [`marginals`]: crate::Diagram::marginals
//! [`birnbaum`]: crate::Diagram::birnbaum
//! [`banzhaf`]: crate::Diagram::banzhaf
//! [`shapley`]: crate::Diagram::shapley
//! [`gradient`]: crate::Diagram::gradient
//! [`domains`]: crate::Diagram::domains
//! [`constants`]: crate::Diagram::constants
//! [`support`]: crate::Diagram::support
//! [`restrict`]: crate::Diagram::restrict
//! [`project`]: crate::Diagram::project
//! [`reorder`]: crate::Diagram::reorder
//! [`to_rule`]: crate::Diagram::to_rule
//! [`is_subset`]: crate::Diagram::is_subset
//! [`is_disjoint`]: crate::Diagram::is_disjoint
//! [`is_superset`]: crate::Diagram::is_superset
//! [`try_union`]: crate::Diagram::try_union
//! [`try_intersection`]: crate::Diagram::try_intersection
//! [`try_difference`]: crate::Diagram::try_difference
//! [`try_symmetric_difference`]: crate::Diagram::try_symmetric_difference
//! [`complement`]: crate::Diagram::complement
//! [`iter_sets`]: crate::Diagram::iter_sets
//! [`configure`]: crate::Diagram::configure
//!
//! Methods that return a diagram build it without limits. Where it may grow too large, a spec of it
//! can be built by a [`Frontier`](crate::Frontier) within limits, and combined with others:
//! [`restrict_spec`], [`project_spec`], [`within_spec`], and for sets [`SpecExt`](crate::SpecExt).
//! ([`reorder`], which takes several sweeps, has no spec; [`reorder_with`] and [`within_with`] set limits.) Queries that
//! pass over all nodes stop in [`CancelToken::run`](crate::CancelToken::run).
//!
//! [`reorder_with`]: crate::Diagram::reorder_with
//! [`within_with`]: crate::Diagram::within_with
//! [`restrict_spec`]: crate::Diagram::restrict_spec
//! [`project_spec`]: crate::Diagram::project_spec
//! [`within_spec`]: crate::Diagram::within_spec

// Private modules: `pass` is the linear pass from the bottom up that most queries use, `count` the
// pass for numbers that grow, which also reads skipped variables, `sum_product` the pass in a semiring,
// `gradient` its derivatives by a pass down, `domains` another pass down. `decision` contains masks of allowed values. Methods that make a diagram of a
// diagram build a spec over it; a `RuleAdapter` in `operators` wraps this spec for the user.

mod configure;
mod count;
mod decision;
mod distribution;
mod domains;
mod gradient;
mod importance;
mod index;
mod iterate;
mod operators;
mod optimise;
mod pass;
mod reorder;
mod sum_product;
#[cfg(test)]
pub(crate) mod testing;

pub use configure::{Configurator, Status};
pub use decision::{Conflict, Decision};
pub use index::{Index, WeightedIndex};
pub use iterate::{Sets, Solutions};
pub use optimise::{Best, Goal, KBest};
pub use pass::{Child, Children, Evaluator};
pub use sum_product::{Semiring, WeightNumber, Weights};

pub(crate) use domains::DomainPass;
pub(crate) use iterate::{PathCursor, members};
pub(crate) use optimise::inclusive;
pub(crate) use sum_product::Sum;
