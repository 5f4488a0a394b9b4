//! Multi-valued variables encoded in two-valued ones.
//!
//! [`Encoding`] is the meaning of each two-valued variable. `encoded` and `decoded` are specs that
//! walk a diagram along it in either direction, and the frontier engine builds diagrams of them:
//! such a walk is a node and the state of a small automaton, and the engine merges equal ones on
//! all threads, and reduces. It visits each pair of a node and a state once, so both directions are
//! linear in the nodes and edges of the two diagrams.

mod decoded;
mod encoded;
mod encoding;
#[cfg(test)]
mod tests;

use super::{Diagram, DiagramRule};
use crate::{BigUint, QueryError};
use decoded::Decoded;
use encoded::Encoded;

pub use encoding::{Code, Encoding, Meaning};

fn bad(message: String) -> QueryError {
    QueryError::BadEncoding { message }
}

impl<R: DiagramRule> Diagram<R> {
    /// Returns the codes of the solutions, as a diagram of two-valued variables under the same
    /// rule.
    ///
    /// Cost: a sweep. As a ZDD the result has O(*e*) nodes, where *e* is the number of edges of this
    /// diagram. As a BDD it may have *k* times as many for nodes of arity *k*: each bit that is 0
    /// needs a node of its own.
    ///
    /// ```
    /// use topdd::{Code, Encoding, Zdd};
    ///
    /// let zdd = Zdd::from_solutions([3, 3], [[0, 2], [1, 1]])?;
    /// let encoded = zdd.encode(&Encoding::new(Code::OneHot, [3, 3]))?;
    /// assert!(encoded.iter().eq([[0, 1, 0, 0, 1, 0], [1, 0, 0, 0, 0, 1]]));
    /// assert_eq!(encoded.decode(&Encoding::new(Code::OneHot, [3, 3]))?, zdd);
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the encoding is for other variables, or the result has more variables or nodes
    /// than can be numbered.
    pub fn encode(&self, encoding: &Encoding) -> Result<Self, QueryError> {
        let arities = (0..self.num_vars()).map(|variable| self.arity(variable));
        if !arities.eq(encoding.arities().iter().copied()) {
            let of =
                |count: usize| format!("{count} variable{}", if count == 1 { "" } else { "s" });
            let [these, those] = [self.num_vars(), encoding.arities().len()].map(of);
            return Err(bad(if these == those {
                "its variables have other numbers of values than the variables of the diagram \
                 (Encoding::new takes them from a diagram)"
                    .to_owned()
            } else {
                format!("it is for {those}, but the diagram has {these}")
            }));
        }
        Ok(Diagram::new(Encoded::new(encoding, &self.store, R::RULE).build()?))
    }

    /// Returns the multi-valued diagram of the assignments whose codes are the solutions, under the
    /// same rule. This is the inverse of [`encode`](Diagram::encode).
    ///
    /// Cost: a sweep, linear in the nodes and edges of both diagrams, and two counts.
    ///
    /// ```
    /// use topdd::{Code, Encoding, Zdd, format::interchange::ReadOptions};
    ///
    /// // {0, 2} and {1, 3} of {0, 1, 2, 3}, written by Graphillion.
    /// let dump = "2 4 B T\n3 3 B T\n4 2 B 2\n5 1 4 3\n.";
    /// let zdd = Zdd::read_graphillion(dump.as_bytes(), &ReadOptions::new()).unwrap();
    /// let decoded = zdd.decode(&Encoding::new(Code::OneHot, [2, 2]))?;
    /// assert!(decoded.iter().eq([[0, 0], [1, 1]]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the encoding has another number of two-valued variables than the diagram, or a
    /// solution is no code (see [`decode_codes`](Diagram::decode_codes)); when the result has
    /// more nodes than can be numbered.
    pub fn decode(&self, encoding: &Encoding) -> Result<Self, QueryError> {
        let decoded = self.decode_codes(encoding)?;
        // Different codes are codes of different assignments.
        let (all, codes) = (self.count(), decoded.count());
        if all == codes {
            return Ok(decoded);
        }
        Err(bad(format!(
            "{} of the {} solutions of the diagram are no {} codes (Diagram::decode_codes leaves \
             them out)",
            in_short(&(&all - codes)),
            in_short(&all),
            encoding.code()
        )))
    }

    /// Does the same as [`decode`](Diagram::decode), but leaves out solutions that are no codes.
    ///
    /// Cost: a sweep, linear in the nodes and edges of both diagrams.
    ///
    /// ```
    /// use topdd::{Code, Encoding, Zdd};
    ///
    /// let bits = Zdd::from_solutions([2; 3], [[1, 0, 0], [1, 1, 0]])?;
    /// let encoding = Encoding::new(Code::OneHot, [3]); // [1, 1, 0] is no one-hot code
    /// assert!(bits.decode(&encoding).is_err());
    /// assert!(bits.decode_codes(&encoding)?.iter().eq([[0]]));
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the encoding has another number of two-valued variables than the diagram, or the
    /// result has more nodes than can be numbered.
    pub fn decode_codes(&self, encoding: &Encoding) -> Result<Self, QueryError> {
        let (wanted, found) = (encoding.num_vars(), self.num_vars());
        if wanted != found {
            return Err(bad(format!(
                "it has {wanted} two-valued variables, but the diagram {found}"
            )));
        }
        if let Some(variable) = self.store.arities.first_not_two_valued() {
            let arity = self.arity(variable);
            return Err(bad(format!(
                "variable {variable} of the diagram to be decoded has {arity} values, not two"
            )));
        }
        Ok(Diagram::new(Decoded::new(encoding, &self.store, R::RULE).build()?))
    }
}

/// Writes a number, in short if it has very many digits.
fn in_short(number: &BigUint) -> String {
    if number.bits() <= 128 { number.to_string() } else { format!("about 2^{}", number.bits()) }
}
