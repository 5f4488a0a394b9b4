//! Multi-valued variables as two-valued ones.

use crate::error::Error;
use crate::manager::Manager;
use crate::snapshot::{FIRST, Id, ONE, Snapshot, ZERO};
use crate::{Family, Function};
use std::ops::Range;
use topdd::diagram::DiagramRule;
use topdd::{Bdd, DdSpec, Diagram, Step, Zdd};

/// How the values of multi-valued variables are told by two-valued ones.
///
/// Every multi-valued variable becomes a range of two-valued variables, in order:
///
/// - [one-hot](Encoding::one_hot): one for each value, of which exactly one is true;
/// - [binary](Encoding::binary): the digits of the value in base two, the highest first.
///
/// ```
/// use topdd_apply::{Encoding, Manager};
/// # use topdd::{DdSpec, Step};
/// # /// Two digits of different values.
/// # struct Different;
/// # impl DdSpec for Different {
/// #     type State = Option<usize>;
/// #     fn num_vars(&self) -> usize { 2 }
/// #     fn arity(&self, _: usize) -> usize { 3 }
/// #     fn root(&self) -> Step<Option<usize>> { Step::To(0, None) }
/// #     fn child(&self, first: &Option<usize>, _: usize, value: usize) -> Step<Option<usize>> {
/// #         match first {
/// #             None => Step::To(1, Some(value)),
/// #             Some(first) if *first == value => Step::Zero,
/// #             Some(_) => Step::One,
/// #         }
/// #     }
/// # }
/// // Two variables of three values, which must differ.
/// let different = topdd::bdd(&Different)?;
/// let encoding = Encoding::one_hot([3, 3]);
/// let manager = Manager::new(encoding.num_vars())?;
/// let f = encoding.function(&manager, &different)?;
/// assert_eq!(f.count(), 6u32.into());
/// assert!(f.eval(&[true, false, false, false, false, true])?); // 0 and 2
/// assert_eq!(encoding.decode_function(&f)?, different);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    one_hot: bool,
    arities: Vec<usize>,
    /// The first two-valued variable of each variable, and the number of all at the end.
    starts: Vec<usize>,
}

impl Encoding {
    /// A two-valued variable for each value of each of these variables, given by the
    /// number of their values.
    pub fn one_hot(arities: impl IntoIterator<Item = usize>) -> Self {
        Self::new(true, arities)
    }

    /// As many two-valued variables as the values of each of these variables need in base
    /// two, given by the number of their values; none for a variable with one value.
    ///
    /// ```
    /// use topdd_apply::Encoding;
    ///
    /// let encoding = Encoding::binary([5, 1, 2]);
    /// assert_eq!(encoding.num_vars(), 4);
    /// assert_eq!(encoding.bits(0), 0..3);
    /// assert_eq!(encoding.bits(2), 3..4);
    /// ```
    pub fn binary(arities: impl IntoIterator<Item = usize>) -> Self {
        Self::new(false, arities)
    }

    fn new(one_hot: bool, arities: impl IntoIterator<Item = usize>) -> Self {
        let arities: Vec<usize> = arities.into_iter().collect();
        let mut starts = vec![0_usize];
        for &arity in &arities {
            let bits = if one_hot { arity } else { digits(arity) };
            // Too many for any manager, which says so.
            starts.push(starts[starts.len() - 1].saturating_add(bits));
        }
        Encoding { one_hot, arities, starts }
    }

    /// The number of two-valued variables.
    pub fn num_vars(&self) -> usize {
        self.starts[self.arities.len()]
    }

    /// The two-valued variables of a multi-valued one.
    ///
    /// # Panics
    ///
    /// If there is no such variable.
    pub fn bits(&self, variable: usize) -> Range<usize> {
        self.starts[variable]..self.starts[variable + 1]
    }

    /// The function of two-valued variables that is true for the codes of the solutions.
    ///
    /// # Errors
    ///
    /// When the diagram has not the arities of this encoding, or the manager not enough
    /// variables; or a limit is reached.
    pub fn function<R: DiagramRule>(
        &self,
        manager: &Manager,
        diagram: &Diagram<R>,
    ) -> Result<Function, Error> {
        manager.function_of(&topdd::bdd(&self.encoded(diagram)?)?)
    }

    /// The family of the sets of two-valued variables that are true in the codes of the
    /// solutions.
    ///
    /// # Errors
    ///
    /// As for [`function`](Encoding::function).
    pub fn family<R: DiagramRule>(
        &self,
        manager: &Manager,
        diagram: &Diagram<R>,
    ) -> Result<Family, Error> {
        manager.family_of(&topdd::zdd(&self.encoded(diagram)?)?)
    }

    /// The multi-valued diagram of the assignments whose codes make the function true;
    /// what is no code is left out. Variables of the manager beyond those of the encoding
    /// are taken as false.
    ///
    /// # Errors
    ///
    /// When the manager has not enough variables, or the diagram more nodes than topdd can
    /// number.
    pub fn decode_function(&self, function: &Function) -> Result<Bdd, Error> {
        Ok(topdd::bdd(&self.decoded(function.ascending_snapshot()?)?)?)
    }

    /// The multi-valued diagram of the assignments whose codes are members; what is no code
    /// is left out.
    ///
    /// # Errors
    ///
    /// As for [`decode_function`](Encoding::decode_function).
    pub fn decode_family(&self, family: &Family) -> Result<Zdd, Error> {
        Ok(topdd::zdd(&self.decoded(family.ascending_snapshot()?)?)?)
    }

    fn encoded<'a, R: DiagramRule>(
        &'a self,
        diagram: &'a Diagram<R>,
    ) -> Result<Encoded<'a, R>, Error> {
        let arities = (0..diagram.num_vars()).map(|variable| diagram.arity(variable));
        if !arities.eq(self.arities.iter().copied()) {
            let reason = "its variables have other numbers of values than the encoding".into();
            return Err(Error::Mismatch { reason });
        }
        Ok(Encoded { encoding: self, diagram })
    }

    fn decoded(&self, snapshot: Snapshot) -> Result<Decoded<'_>, Error> {
        if (snapshot.num_levels as usize) < self.num_vars() {
            let reason = format!(
                "the encoding needs {} variables, the manager has {}",
                self.num_vars(),
                snapshot.num_levels
            );
            return Err(Error::Mismatch { reason });
        }
        Ok(Decoded { encoding: self, snapshot })
    }

    /// The values of the two-valued variables of a variable with this value.
    fn code(&self, variable: usize, value: usize) -> impl Iterator<Item = bool> + use<> {
        let (bits, one_hot) = (self.bits(variable).len(), self.one_hot);
        (0..bits).map(
            move |bit| {
                if one_hot { bit == value } else { value >> (bits - 1 - bit) & 1 == 1 }
            },
        )
    }
}

/// The digits of the largest of so many values.
fn digits(arity: usize) -> usize {
    arity.checked_sub(1).map_or(0, |last| (usize::BITS - last.leading_zeros()) as usize)
}

/// A multi-valued diagram as a spec over the two-valued variables.
struct Encoded<'a, R> {
    encoding: &'a Encoding,
    diagram: &'a Diagram<R>,
}

/// Where a walk stands among the two-valued variables of a variable.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Place<S> {
    /// Where the walk through the multi-valued diagram is: at the variable, or, where its
    /// value is settled, after it.
    step: Step<S>,
    variable: usize,
    /// What is known of the value; `None` when it is settled.
    prefix: Option<usize>,
}

impl<R: DiagramRule> Encoded<'_, R> {
    /// Where a value of a variable leads; the step may skip the variable.
    fn follow(
        &self,
        step: &Step<<Diagram<R> as DdSpec>::State>,
        variable: usize,
        value: usize,
    ) -> Step<<Diagram<R> as DdSpec>::State> {
        match step {
            Step::To(at, state) if *at == variable => self.diagram.child(state, variable, value),
            skipping if R::RULE.allows(value) => *skipping,
            _ => Step::Zero,
        }
    }

    /// The step to the first two-valued variable of `variable` or of one after it.
    fn enter(
        &self,
        mut step: Step<<Diagram<R> as DdSpec>::State>,
        mut variable: usize,
    ) -> Step<<Self as DdSpec>::State> {
        loop {
            if step.is_zero() {
                return Step::Zero;
            }
            if variable == self.encoding.arities.len() {
                return Step::One;
            }
            let bits = self.encoding.bits(variable);
            if !bits.is_empty() {
                return Step::To(bits.start, Place { step, variable, prefix: Some(0) });
            }
            // The one value that it has.
            step = self.follow(&step, variable, 0);
            variable += 1;
        }
    }
}

impl<R: DiagramRule> DdSpec for Encoded<'_, R> {
    type State = Place<<Diagram<R> as DdSpec>::State>;

    fn num_vars(&self) -> usize {
        self.encoding.num_vars()
    }

    fn root(&self) -> Step<Self::State> {
        // By its own rule: the walk reads the variables that the diagram skips.
        self.enter(self.diagram.root_under(R::RULE), 0)
    }

    fn child(&self, place: &Self::State, bit: usize, value: usize) -> Step<Self::State> {
        let Place { step, variable, prefix } = place;
        let bits = self.encoding.bits(*variable);
        let last = bit + 1 == bits.end;
        let (step, prefix) = match *prefix {
            // The others are false where one is true.
            None if value == 1 => return Step::Zero,
            None => (*step, None),
            Some(_) if self.encoding.one_hot && value == 1 => {
                (self.follow(step, *variable, bit - bits.start), None)
            }
            Some(_) if self.encoding.one_hot && last => return Step::Zero,
            Some(_) if self.encoding.one_hot => (*step, Some(0)),
            Some(prefix) => {
                let prefix = prefix << 1 | value;
                if !last {
                    (*step, Some(prefix))
                } else if prefix < self.encoding.arities[*variable] {
                    (self.follow(step, *variable, prefix), None)
                } else {
                    return Step::Zero;
                }
            }
        };
        if step.is_zero() {
            Step::Zero
        } else if last {
            self.enter(step, variable + 1)
        } else {
            Step::To(bit + 1, Place { step, variable: *variable, prefix })
        }
    }
}

/// Two-valued nodes as a spec over the multi-valued variables.
struct Decoded<'a> {
    encoding: &'a Encoding,
    snapshot: Snapshot,
}

impl Decoded<'_> {
    fn follow(&self, id: Id, level: u32, value: bool) -> Id {
        if id >= FIRST && self.snapshot.level(id) == level {
            let node = self.snapshot.node(id);
            if value { node.hi } else { node.lo }
        } else if value && !self.snapshot.any_value {
            ZERO
        } else {
            id
        }
    }

    /// The step to `variable`, or to the end.
    fn step(&self, mut id: Id, variable: usize) -> Step<Id> {
        if id != ZERO && variable < self.encoding.arities.len() {
            return Step::To(variable, id);
        }
        for level in self.encoding.num_vars() as u32..self.snapshot.num_levels {
            id = self.follow(id, level, false);
        }
        if id == ONE { Step::One } else { Step::Zero }
    }
}

impl DdSpec for Decoded<'_> {
    type State = Id;

    fn num_vars(&self) -> usize {
        self.encoding.arities.len()
    }

    fn arity(&self, variable: usize) -> usize {
        self.encoding.arities[variable]
    }

    fn root(&self) -> Step<Id> {
        self.step(self.snapshot.roots[0], 0)
    }

    fn child(&self, &id: &Id, variable: usize, value: usize) -> Step<Id> {
        let levels = self.encoding.bits(variable).zip(self.encoding.code(variable, value));
        let id = levels.fold(id, |id, (level, value)| self.follow(id, level as u32, value));
        self.step(id, variable + 1)
    }
}
