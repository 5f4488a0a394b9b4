//! The loop behind the operations that are not plain apply.

use crate::Error;
use crate::store::cache::{FIRST_TAG, Key};
use crate::store::{Edge, EdgeRule, Store};

/// The operands of a call; the third is the tag of the operation unless it has three.
pub(crate) type Call = Key;

/// A call after simplification.
pub(crate) enum Begin {
    /// The result.
    Done(Edge),
    /// A canonical call, and the flag to be combined with its result by exclusive or.
    Call(Call, u32),
}

/// The calls that a call is split into, and the level of the node that is split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    level: u32,
    len: u8,
    calls: [Call; 4],
}

impl Split {
    pub(crate) fn new<const N: usize>(level: u32, calls: [Call; N]) -> Self {
        let mut all = [[Edge::ZERO; 3]; 4];
        all[..N].copy_from_slice(&calls);
        Split { level, len: N as u8, calls: all }
    }
}

/// An operation that splits a call into others and joins their results.
///
/// Each method that runs another operation may collect nodes. The operands of the call and of its
/// parts are held, and so are the results passed to [`join`](Operation::join). An edge that
/// another operation made must be [kept](Store::keep) while a further one runs.
pub(crate) trait Operation<R: EdgeRule> {
    /// Returns the result of a trivial call, or the canonical call to look up in the cache.
    fn begin(&self, store: &mut Store<R>, call: Call) -> Result<Begin, Error>;

    /// Splits a canonical call: by default into the children of the first operand, with the same other
    /// operands.
    fn split(&self, store: &mut Store<R>, [f, second, third]: Call) -> Result<Split, Error> {
        let level = store.level(f);
        let (lo, hi) = store.children_at(f, level);
        Ok(Split::new(level, [[lo, second, third], [hi, second, third]]))
    }

    /// Returns the result if the result of the first part determines it.
    fn enough(&self, level: u32, first: Edge) -> Option<Edge> {
        let _ = (level, first);
        None
    }

    /// Joins the results of the parts.
    fn join(&self, store: &mut Store<R>, level: u32, results: &[Edge; 4]) -> Result<Edge, Error> {
        store.mk(level, results[0], results[1])
    }
}

/// A call whose result is being computed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallFrame {
    call: Call,
    split: Split,
    results: [Edge; 4],
    /// The number of results.
    done: u8,
    /// The flag to be combined with the result by exclusive or.
    flag: u32,
}

impl CallFrame {
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Edge)) {
        let calls = self.split.calls[..usize::from(self.split.len)].iter();
        let words = calls.flatten().chain(&self.call).chain(&self.results);
        words.copied().filter(|edge| edge.0 < FIRST_TAG).for_each(&mut visit);
    }
}

impl<R: EdgeRule> Store<R> {
    /// Returns the result of `call`, whose operands must be held.
    pub(crate) fn run<O: Operation<R>>(
        &mut self,
        operation: &O,
        call: Call,
    ) -> Result<Edge, Error> {
        let (base, kept) = (self.stacks.calls.len(), self.stacks.kept.len());
        let result = self.run_calls(operation, call);
        if result.is_err() {
            self.stacks.calls.truncate(base);
            self.stacks.kept.truncate(kept);
        }
        result
    }

    /// Does the same as [`run`](Store::run), but leaves frames and kept edges after an error.
    fn run_calls<O: Operation<R>>(&mut self, operation: &O, mut call: Call) -> Result<Edge, Error> {
        let (base, kept) = (self.stacks.calls.len(), self.stacks.kept.len());
        'call: loop {
            let mut result = match operation.begin(self, call)? {
                Begin::Done(result) => result,
                Begin::Call(key, flag) => {
                    if let Some(result) = self.cache.get(&key) {
                        result ^ flag
                    } else {
                        // The frame is pushed first to hold the operands during the split.
                        let frame = CallFrame {
                            call: key,
                            split: Split::new(0, []),
                            results: [Edge::ZERO; 4],
                            done: 0,
                            flag,
                        };
                        self.stacks.calls.push(frame);
                        let split = operation.split(self, key)?;
                        self.stacks.kept.truncate(kept);
                        self.stacks.calls.last_mut().expect("pushed above").split = split;
                        call = split.calls[0];
                        continue 'call;
                    }
                }
            };
            loop {
                self.stacks.kept.truncate(kept);
                if self.stacks.calls.len() == base {
                    return Ok(result);
                }
                let top = self.stacks.calls.last_mut().expect("above the base");
                top.results[usize::from(top.done)] = result;
                top.done += 1;
                let frame = *top;
                let enough = match frame.done {
                    1 => operation.enough(frame.split.level, result),
                    _ => None,
                };
                result = match enough {
                    Some(result) => result,
                    None if frame.done < frame.split.len => {
                        call = frame.split.calls[usize::from(frame.done)];
                        continue 'call;
                    }
                    None => operation.join(self, frame.split.level, &frame.results)?,
                };
                self.remember(&frame.call, result)?;
                self.stacks.calls.pop();
                result = result ^ frame.flag;
            }
        }
    }
}
