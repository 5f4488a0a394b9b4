//! Combinators: specs made of specs.
//!
//! Each is a plain struct that implements [`DdSpec`] and is made by a method of [`SpecExt`], as in
//! `paths.and(at_most(10))`. They work for any arity and under both rules, nest freely, and take
//! their operands by value. Since `&S` is a spec where `S` is, `(&paths).and(&short)` keeps both
//! operands usable.
//!
//! The types of states are public because [`DdSpec::State`] is: a program seldom names them.
//!
//! # Skipped variables
//!
//! The [`Rule`] of the diagram being built defines the meaning of skipped variables, and a
//! combinator reads the variables that its operands skip by the same rule. The engine passes the
//! rule to [`DdSpec::root_under`], and the combinator stores it in its states, in the place of
//! padding. A program that calls [`DdSpec::root`] of a combinator gets a step that the engine
//! refuses.
//!
//! An operand that skips a variable which another operand visits *waits* there:
//!
//! | the value taken | under [`Rule::ZeroSuppressed`] | under [`Rule::AnyValue`] |
//! | --- | --- | --- |
//! | 0 | it waits | it waits |
//! | any other | it is at the 0-terminal | it waits |
//!
//! An operand at the 1-terminal waits until the end. Hence under
//! [`Rule::ZeroSuppressed`] it means "all that follows is 0", not "true".
//!
//! # Operands over the same variables
//!
//! The operands of a combinator have the same number of variables with the same arities;
//! [`DdSpec::validate`] refuses others with a message that names the variable.
//! [`constraint::on`](crate::constraint::on) brings a spec to more variables, which are free.
//! [`SpecExt::relabel`] does so with variables that are skipped, hence 0 in a ZDD.
//!
//! # Conjunctions of ready constraints
//!
//! The engine stores the states of a conjunction in a row of words, with a few bits for each operand between its
//! first variable and its last one. This holds for [`all`] and for chains of [`and`](SpecExt::and), boxed or not, of
//! ready [constraints](crate::constraint), of closures ([`dp`](crate::dp())), and of combinations of such specs. A step costs
//! as much as the operands that the variable concerns. The steps of each operand, at most 2^18, or 2^14 of closures, are
//! computed once, before the run. An operand with more steps, or one that is no such spec, keeps its own states; if half of
//! the operands are such, one of them is not boxed, or there are some and a variable has more than 64 values, all
//! do. Steps are computed for the states of an operand alone, which the conjunction may not reach. Values of variables that
//! no solution of one operand has are removed from the others before the run.

mod binary;
mod conjunction;
mod many;
pub mod op;
mod operand;
mod propagation;
mod relabel;
mod tables;
mod unary;

use super::{BoxedSpec, DdSpec, Portable, Rule, Space};

pub use binary::{And, AndNot, Binary, Or, Pair, Xor};
pub use conjunction::Operand;
pub use many::{All, Any, Many, OperandStates, all, any};
pub use operand::OperandState;
pub use relabel::{Relabel, Unreduce, Unreduced};
pub use unary::{Lookahead, Not};

pub(crate) use conjunction::Conjunction;
pub(crate) use operand::changed_operands;

/// The combinators as methods of every spec.
///
/// The examples use three specs over `n` two-valued variables, numbers `0..n` that are
/// members of a set (value 1) or not (value 0):
///
/// ```
#[doc = include_str!("doc_specs.rs")]
/// ```
pub trait SpecExt: DdSpec + Sized {
    /// Returns the solutions of both.
    ///
    /// Skipped variables are read by the rule of the diagram being built; where both
    /// operands skip, so does the result.
    ///
    /// Cost: at most the product of the operands' states at each variable, often far fewer, as
    /// every pair with a 0-terminal is dropped. Values are visited in the order of this spec's
    /// [`for_each_child`](DdSpec::for_each_child), so the operand with fewer possible values should
    /// be the left one. A chain of ready constraints has [rows of bits](self#conjunctions-of-ready-constraints) as
    /// states.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// let two = AtMost { n: 3, k: 2 }.and(AtLeast { n: 3, k: 2 });
    /// assert_eq!(
    ///     check::brute_force(&two, Rule::ZeroSuppressed)?,
    ///     [[0, 1, 1], [1, 0, 1], [1, 1, 0]],
    /// );
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn and<T: DdSpec>(self, other: T) -> And<Self, T> {
        Binary::new(self, other)
    }

    /// Returns the solutions of either or both.
    ///
    /// Skipped variables are read by the rule of the diagram being built; where both
    /// operands skip, so does the result.
    ///
    /// Cost: at most, at each variable, the product of the operands' states there and
    /// the operands' own states: once one operand is at the 0-terminal, the state contains
    /// only the other. Under [`Rule::AnyValue`] the result is done when one operand is.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// let extreme = AtMost { n: 3, k: 0 }.or(AtLeast { n: 3, k: 3 });
    /// assert_eq!(
    ///     check::brute_force(&extreme, Rule::ZeroSuppressed)?,
    ///     [[0, 0, 0], [1, 1, 1]],
    /// );
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn or<T: DdSpec>(self, other: T) -> Or<Self, T> {
        Binary::new(self, other)
    }

    /// Returns the solutions of this spec that are not solutions of `other`.
    ///
    /// Skipped variables are read by the rule of the diagram being built; where both
    /// operands skip, so does the result.
    ///
    /// Cost: at most, at each variable, the product of the operands' states there and
    /// this spec's own states: once `other` is at the 0-terminal, the state contains only
    /// the state of this spec.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// let one = AtMost { n: 3, k: 1 }.and_not(AtMost { n: 3, k: 0 });
    /// assert_eq!(
    ///     check::brute_force(&one, Rule::ZeroSuppressed)?,
    ///     [[0, 0, 1], [0, 1, 0], [1, 0, 0]],
    /// );
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn and_not<T: DdSpec>(self, other: T) -> AndNot<Self, T> {
        Binary::new(self, other)
    }

    /// Returns the solutions of exactly one of the two.
    ///
    /// Skipped variables are read by the rule of the diagram being built; where both
    /// operands skip, so does the result.
    ///
    /// Cost: at most, at each variable, the product of the operands' states there and
    /// the operands' own states: once one operand is at the 0-terminal, the state contains
    /// only the other.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// let not_two = AtMost { n: 3, k: 2 }.xor(AtLeast { n: 3, k: 1 });
    /// assert_eq!(
    ///     check::brute_force(&not_two, Rule::ZeroSuppressed)?,
    ///     [[0, 0, 0], [1, 1, 1]],
    /// );
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn xor<T: DdSpec>(self, other: T) -> Xor<Self, T> {
        Binary::new(self, other)
    }

    /// Returns the assignments, over all variables of this spec, that are not its solutions.
    ///
    /// To take the complement within a smaller universe, itself a spec, write
    /// `universe.and_not(spec)`.
    ///
    /// Skipped variables are read by the rule of the diagram being built. Under
    /// [`Rule::AnyValue`] the result skips the same variables as the spec. Under
    /// [`Rule::ZeroSuppressed`] it skips nothing: where the spec skips a variable, the
    /// complement has all its values but 0.
    ///
    /// Cost: under [`Rule::AnyValue`] the spec's own states. Under [`Rule::ZeroSuppressed`] each state
    /// occurs once more at each variable that it skips, and each variable has at most two further
    /// states: one for "all assignments from here on" and one for "all but 0 throughout".
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// let many = AtMost { n: 3, k: 1 }.not();
    /// assert_eq!(
    ///     check::brute_force(&many, Rule::ZeroSuppressed)?,
    ///     [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]],
    /// );
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn not(self) -> Not<Self> {
        Not::new(self)
    }

    /// Returns the same solutions, without states that are soon dead: a step to a state becomes a
    /// step to the 0-terminal when all paths from that state reach the 0-terminal within `depth`
    /// steps.
    ///
    /// With `depth` 1 these are the states whose children all are the 0-terminal. With `depth` 0 nothing
    /// changes.
    ///
    /// Skipped variables stay as they are, under both rules.
    ///
    /// Cost: never more states than without, and the reduced diagram is the same. Each step to a
    /// state takes the time of up to `a + a^2 + .. + a^depth` further steps, where `a` is the
    /// arity; it ends at the first live path. A `depth` of 1 often pays, one above 3 seldom.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Frontier, SpecExt};
    ///
    /// // The two conditions contradict one another, which only the last step detects.
    /// let spec = AtMost { n: 4, k: 0 }.and(AtLeast { n: 4, k: 1 });
    /// let ahead = (&spec).lookahead(4);
    /// assert_eq!(Frontier::over(&spec).profile()?.states(), 4);
    /// assert_eq!(Frontier::over(&ahead).profile()?.states(), 0);
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    fn lookahead(self, depth: usize) -> Lookahead<Self> {
        Lookahead::new(self, depth)
    }

    /// Returns the same solutions, with each skipped variable visited and read by the rule of the
    /// diagram being built.
    ///
    /// The result never skips: not before the root, not between states, and not before
    /// the 1-terminal.
    ///
    /// Cost: each state occurs once more at each variable it skips; one state more for each
    /// variable that is skipped before the 1-terminal.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// let visited = Contains { n: 3, member: 1 }.unreduce();
    /// assert_eq!(check::brute_force(&visited, Rule::ZeroSuppressed)?, [[0, 1, 0]]);
    /// assert_eq!(check::brute_force(&visited, Rule::AnyValue)?.len(), 4);
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn unreduce(self) -> Unreduce<Self> {
        Unreduce::new(self, None)
    }

    /// Returns the solutions of this spec under `rule`, independent of the rule of the diagram
    /// being built.
    ///
    /// Some specs are written for one rule: a variable is skipped because it is 0, or because it
    /// may have any value. This fixes the rule, so that such specs can be built under the other
    /// rule and combined with one another.
    ///
    /// The result never skips, as with [`unreduce`](SpecExt::unreduce), which also
    /// states the cost.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// let supersets = Contains { n: 3, member: 1 }.read_as(Rule::AnyValue);
    /// assert_eq!(
    ///     check::brute_force(&supersets, Rule::ZeroSuppressed)?,
    ///     [[0, 1, 0], [0, 1, 1], [1, 1, 0], [1, 1, 1]],
    /// );
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn read_as(self, rule: Rule) -> Unreduce<Self> {
        Unreduce::new(self, Some(rule))
    }

    /// Returns this spec over some of the variables of a larger universe: variable `v` becomes
    /// variable `map[v]` among `arities.len()` variables of the given arities.
    ///
    /// The map must be strictly increasing and must keep arities;
    /// [`DdSpec::validate`] refuses others.
    ///
    /// **The other variables are forced to 0 in a ZDD**: they are skipped, and hence read by the
    /// rule of the diagram being built: 0 under [`Rule::ZeroSuppressed`] and any value under
    /// [`Rule::AnyValue`]. That suits a family of sets within a larger universe.
    /// [`constraint::on`](crate::constraint::on) leaves the others free under both rules, as a
    /// condition on some variables needs it.
    ///
    /// Cost: none; the states are the spec's own.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{Rule, SpecExt, check};
    ///
    /// // Not both 0 and 2. Variable 1, which has three values, is 0 in a ZDD and free in a BDD.
    /// let spec = AtMost { n: 2, k: 1 }.relabel([0, 2], [2, 3, 2]);
    /// assert_eq!(
    ///     check::brute_force(&spec, Rule::ZeroSuppressed)?,
    ///     [[0, 0, 0], [0, 0, 1], [1, 0, 0]],
    /// );
    /// assert_eq!(check::brute_force(&spec, Rule::AnyValue)?.len(), 9);
    /// # Ok::<(), check::Violation>(())
    /// ```
    fn relabel(
        self,
        map: impl IntoIterator<Item = usize>,
        space: impl Into<Space>,
    ) -> Relabel<Self> {
        Relabel::new(self, map.into_iter().collect(), space.into())
    }

    /// Returns this spec as a [`BoxedSpec`], one type for all specs. It serves for lists of
    /// different specs, for specs chosen at run time, and to compile the engine once for many small
    /// specs.
    ///
    /// Cost: each call decodes a state and encodes its children; a state of more than 24 bytes
    /// needs an allocation.
    ///
    /// ```
    /// # mod specs { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/spec/combine/doc_specs.rs")); }
    /// # use specs::*;
    /// use topdd::{SpecExt, all, count};
    ///
    /// let mut rules = vec![AtMost { n: 9, k: 5 }.boxed()];
    /// rules.push(AtLeast { n: 9, k: 2 }.and(AtLeast { n: 9, k: 4 }).boxed());
    /// assert_eq!(count(&all(rules))?, 252u32.into()); // 4 or 5 of 9
    /// # Ok::<(), topdd::BuildError>(())
    /// ```
    fn boxed<'a>(self) -> BoxedSpec<'a>
    where
        Self: Send + 'a,
        Self::State: Portable,
    {
        BoxedSpec::new(self)
    }
}

impl<S: DdSpec> SpecExt for S {}
