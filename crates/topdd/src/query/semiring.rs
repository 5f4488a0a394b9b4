//! Semirings: the arithmetic of sums over solutions.

/// A semiring: values with addition and multiplication, and a weight for each value of each
/// variable.
///
/// [`Diagram::sum_product`](crate::Diagram::sum_product) returns the sum, over all solutions, of the
/// product of the [`weight`](Semiring::weight)s of their values. Counting, probabilities, the best weight and the set of
/// all weights are of this form (Kimmig, Van den Broeck and De Raedt, "Algebraic model
/// counting", 2017).
///
/// # Contract
///
/// Addition and multiplication are associative and commutative, multiplication
/// distributes over addition, [`zero`](Semiring::zero) and [`one`](Semiring::one) are neutral, and
/// a product with zero is zero. All of this may hold up to rounding, which then affects the result.
/// The order of operations is fixed for a diagram, for any number of threads.
///
/// # Example
///
/// The least weight, and the number of solutions that have it:
///
/// ```
/// use topdd::Semiring;
///
/// struct Lightest([u32; 3]);
///
/// impl Semiring for Lightest {
///     type Value = (Option<u32>, u64); // the least weight, and how often; `None` of no solutions
///     fn zero(&self) -> Self::Value { (None, 0) }
///     fn one(&self) -> Self::Value { (Some(0), 1) }
///     fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
///         match (a.0, b.0) {
///             (Some(x), Some(y)) if x == y => (Some(x), a.1 + b.1),
///             (Some(x), Some(y)) if x < y => *a,
///             (Some(_), None) => *a,
///             _ => *b,
///         }
///     }
///     fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value {
///         (a.0.zip(b.0).map(|(x, y)| x + y), a.1 * b.1)
///     }
///     fn weight(&self, variable: usize, value: usize) -> Self::Value {
///         (Some(self.0[variable] * value as u32), 1)
///     }
/// }
///
/// let subsets_of_three = topdd::Zdd::full([2; 3])?;
/// // {} and {1}, as number 1 weighs nothing.
/// assert_eq!(subsets_of_three.sum_product(&Lightest([3, 0, 2])), (Some(0), 2));
/// # Ok::<(), topdd::QueryError>(())
/// ```
pub trait Semiring: Sync {
    /// The elements of the semiring.
    type Value: Clone + Send + Sync;

    /// Returns the sum of no solutions, which is neutral in addition.
    fn zero(&self) -> Self::Value;

    /// Returns the product of no values, which is neutral in multiplication.
    fn one(&self) -> Self::Value;

    /// Returns the sum of two values.
    fn add(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;

    /// Returns the product of two values.
    fn multiply(&self, a: &Self::Value, b: &Self::Value) -> Self::Value;

    /// Returns the weight of `value` of `variable`. Called for each edge, so it should be cheap.
    fn weight(&self, variable: usize, value: usize) -> Self::Value;

    /// Returns whether a product with this value changes nothing, so that it may be left out.
    ///
    /// The default is `false`, which is correct but may be slower. Override it if multiplication is
    /// expensive, as for large integers.
    fn is_one(&self, value: &Self::Value) -> bool {
        let _ = value;
        false
    }
}
