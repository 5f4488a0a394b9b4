//! Multi-valued variables encoded in two-valued ones.
//!
//! [`Encoding`] is the meaning of each two-valued variable. `encoded` and `decoded` are specs that
//! walk a diagram along it in either direction, and the frontier engine builds diagrams of them:
//! such a walk is a node and the state of a small automaton, and the engine merges equal ones on
//! all threads, and reduces. It visits each pair of a node and a state once, so both directions are
//! linear in the nodes and edges of the two diagrams.

mod specs;
#[cfg(test)]
mod tests;

use super::{Diagram, DiagramRule, check_variable};
use crate::spec::Space;
use crate::{BigUint, QueryError};
use specs::{Decoded, Encoded};
use std::fmt;
use std::ops::Range;

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

/// The code of the values of a variable in two-valued variables, its *bits*.
///
/// | value of 4 | one-hot | order | binary |
/// | ---: | --- | --- | --- |
/// | 0 | `1000` | `000` | `00` |
/// | 1 | `0100` | `100` | `01` |
/// | 2 | `0010` | `110` | `10` |
/// | 3 | `0001` | `111` | `11` |
///
/// ```
/// use topdd::{Code, Encoding};
///
/// let bits = [Code::OneHot, Code::Order, Code::Binary].map(|code| Encoding::new(code, [4]).num_vars());
/// assert_eq!(bits, [4, 3, 2]);
/// assert_eq!(Code::OneHot.to_string(), "one-hot");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// One bit for each value, of which exactly one is 1.
    OneHot,
    /// One bit for each value but the last; it is 1 if the variable has a greater value. A run of
    /// ones, then zeros, also called thermometer code.
    Order,
    /// The digits of the value in base two, the highest first.
    Binary,
}

impl Code {
    /// Returns the number of two-valued variables for a variable of `arity` values.
    fn bits(self, arity: usize) -> usize {
        match self {
            Code::OneHot => arity,
            Code::Order => arity.saturating_sub(1),
            Code::Binary => {
                arity.checked_sub(1).map_or(0, |last| (usize::BITS - last.leading_zeros()) as usize)
            }
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Code::OneHot => "one-hot",
            Code::Order => "order",
            Code::Binary => "binary",
        })
    }
}

/// The meaning of the value 1 of a two-valued variable of an [`Encoding`].
///
/// ```
/// use topdd::{Code, Encoding, Meaning};
///
/// let encoding = Encoding::new(Code::Binary, [3, 8]); // two bits, then three
/// let meaning = encoding.meaning(2);
/// assert_eq!(meaning, Meaning::HasDigit { variable: 1, digit: 2 }); // counts 4
/// assert_eq!(meaning.to_string(), "bit 2 of x1");
/// assert_eq!(encoding.get_meaning(5), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// The variable has this value.
    Is {
        /// The variable.
        variable: usize,
        /// The value.
        value: usize,
    },
    /// The variable has a greater value than this.
    Exceeds {
        /// The variable.
        variable: usize,
        /// The value.
        value: usize,
    },
    /// The value of the variable in base two has this digit, which counts `1 << digit`.
    HasDigit {
        /// The variable.
        variable: usize,
        /// The digit, from 0 for the lowest.
        digit: usize,
    },
}

impl fmt::Display for Meaning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Meaning::Is { variable, value } => write!(f, "x{variable} = {value}"),
            Meaning::Exceeds { variable, value } => write!(f, "x{variable} > {value}"),
            Meaning::HasDigit { variable, digit } => write!(f, "bit {digit} of x{variable}"),
        }
    }
}

/// The two-valued variables of each multi-valued one, as a [`Code`] defines them: a range for each
/// variable, in order.
///
/// Size: two words for each multi-valued variable.
///
/// ```
/// use topdd::{Code, Encoding, Meaning, constraint};
///
/// let different = topdd::zdd(&constraint::all_different([3, 3]))?;
/// let encoding = Encoding::new(Code::OneHot, &different);
/// let encoded = different.encode(&encoding)?;
/// assert_eq!(encoded.num_vars(), 6);
/// assert!(encoded.contains(&[1, 0, 0, 0, 0, 1])?); // 0 and 2
/// assert_eq!(encoding.meaning(5), Meaning::Is { variable: 1, value: 2 });
/// assert_eq!(encoded.decode(&encoding)?, different);
/// # Ok::<(), topdd::QueryError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    code: Code,
    arities: Vec<usize>,
    /// The first two-valued variable of each variable; at the end, the number of all.
    starts: Vec<usize>,
}

impl Encoding {
    /// Makes the encoding of the variables of `space`: `[3, 4]`, `&diagram`, or any other source of a
    /// [`Space`].
    ///
    /// ```
    /// use topdd::{Code, Encoding};
    ///
    /// let encoding = Encoding::new(Code::Binary, [5, 1, 2]);
    /// assert_eq!(encoding.num_vars(), 4);
    /// assert_eq!([encoding.bits(0), encoding.bits(2)], [0..3, 3..4]);
    /// assert_eq!(encoding.get_bits(3), None);
    /// ```
    pub fn new(code: Code, space: impl Into<Space>) -> Self {
        let arities: Vec<usize> = space.into().arities().collect();
        let mut starts = Vec::with_capacity(arities.len() + 1);
        let mut start = 0usize;
        starts.push(start);
        for &arity in &arities {
            start = start.saturating_add(code.bits(arity));
            starts.push(start);
        }
        Encoding { code, arities, starts }
    }

    /// Returns the code of the values.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Returns the numbers of values of the multi-valued variables, in order.
    pub fn arities(&self) -> &[usize] {
        &self.arities
    }

    /// Returns the number of two-valued variables.
    pub fn num_vars(&self) -> usize {
        self.starts[self.arities.len()]
    }

    /// Returns the two-valued variables of a multi-valued one.
    ///
    /// # Panics
    ///
    /// If there is no such variable; [`get_bits`](Encoding::get_bits) returns `None` then.
    #[track_caller]
    pub fn bits(&self, variable: usize) -> Range<usize> {
        check_variable(variable, self.arities.len());
        self.starts[variable]..self.starts[variable + 1]
    }

    /// Returns the two-valued variables of a multi-valued one; `None` if there is no such variable.
    pub fn get_bits(&self, variable: usize) -> Option<Range<usize>> {
        (variable < self.arities.len()).then(|| self.bits(variable))
    }

    /// Returns the multi-valued variable that a two-valued one belongs to; for the number of all
    /// two-valued variables, the number of all multi-valued ones.
    fn variable_of(&self, bit: usize) -> usize {
        if bit >= self.num_vars() {
            return self.arities.len();
        }
        self.starts.partition_point(|&start| start <= bit) - 1
    }

    /// Returns the meaning of the value 1 of a two-valued variable.
    ///
    /// Cost: a binary search among the variables.
    ///
    /// # Panics
    ///
    /// If there is no such two-valued variable; [`get_meaning`](Encoding::get_meaning) returns
    /// `None` then.
    #[track_caller]
    pub fn meaning(&self, bit: usize) -> Meaning {
        check_variable(bit, self.num_vars());
        let variable = self.variable_of(bit);
        let bits = self.bits(variable);
        match self.code {
            Code::OneHot => Meaning::Is { variable, value: bit - bits.start },
            Code::Order => Meaning::Exceeds { variable, value: bit - bits.start },
            Code::Binary => Meaning::HasDigit { variable, digit: bits.end - 1 - bit },
        }
    }

    /// Returns the meaning of the value 1 of a two-valued variable; `None` if there is no such
    /// variable.
    pub fn get_meaning(&self, bit: usize) -> Option<Meaning> {
        (bit < self.num_vars()).then(|| self.meaning(bit))
    }

    /// Returns the values of the two-valued variables for the values of the multi-valued ones.
    ///
    /// # Errors
    ///
    /// When there is not one value for each variable, or a value is out of range.
    pub fn encode_solution(&self, values: &[usize]) -> Result<Vec<usize>, QueryError> {
        let num_vars = self.arities.len();
        if values.len() != num_vars {
            return Err(QueryError::AssignmentLength { found: values.len(), num_vars });
        }
        let mut bits = Vec::new();
        for (variable, (&value, &arity)) in values.iter().zip(&self.arities).enumerate() {
            if value >= arity {
                return Err(QueryError::ValueOutOfRange { variable, value, arity });
            }
            let count = self.bits(variable).len();
            bits.extend((0..count).map(|bit| usize::from(self.bit(count, bit, value))));
        }
        Ok(bits)
    }

    /// Returns bit `bit`, of `count`, in the code of a value.
    fn bit(&self, count: usize, bit: usize, value: usize) -> bool {
        match self.code {
            Code::OneHot => bit == value,
            Code::Order => bit < value,
            Code::Binary => value >> (count - 1 - bit) & 1 == 1,
        }
    }

    /// Returns the values of the multi-valued variables for the values of the two-valued ones; `None`
    /// if these values are no code.
    ///
    /// ```
    /// use topdd::{Code, Encoding};
    ///
    /// let encoding = Encoding::new(Code::Order, [3, 2]);
    /// assert_eq!(encoding.meaning(1).to_string(), "x0 > 1");
    /// assert_eq!(encoding.encode_solution(&[1, 0])?, [1, 0, 0]);
    /// assert_eq!(encoding.decode_solution(&[1, 0, 0])?, Some(vec![1, 0]));
    /// assert_eq!(encoding.decode_solution(&[0, 1, 0])?, None); // greater than 1, but not than 0
    /// # Ok::<(), topdd::QueryError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is not one value for each two-valued variable, or a value is neither 0 nor 1.
    pub fn decode_solution(&self, bits: &[usize]) -> Result<Option<Vec<usize>>, QueryError> {
        let num_vars = self.num_vars();
        if bits.len() != num_vars {
            return Err(QueryError::AssignmentLength { found: bits.len(), num_vars });
        }
        if let Some(variable) = bits.iter().position(|&value| value > 1) {
            return Err(QueryError::ValueOutOfRange { variable, value: bits[variable], arity: 2 });
        }
        Ok((0..self.arities.len()).map(|v| self.value(v, &bits[self.bits(v)])).collect())
    }

    /// Returns the value of a variable whose code is `bits`, if they are a code.
    fn value(&self, variable: usize, bits: &[usize]) -> Option<usize> {
        let value = match self.code {
            Code::OneHot => bits.iter().position(|&bit| bit == 1)?,
            Code::Order => bits.iter().sum(),
            Code::Binary => bits.iter().fold(0, |value, bit| value << 1 | bit),
        };
        let is_code =
            |(bit, &found): (usize, &usize)| found == usize::from(self.bit(bits.len(), bit, value));
        (value < self.arities[variable] && bits.iter().enumerate().all(is_code)).then_some(value)
    }
}
