//! The payload of a sweep: the interface to the answers that it computes, which `crate::answer` implements.
//! [`NoValues`], for edges and for nothing, is here.

use crate::number::limbs;
use std::ops::Range;

/// The data that a sweep computes in addition to the states: edges, or words of each state.
///
/// The words of a state combine the words of all paths from the root to it. The engine moves, stores
/// and widens them, but does not interpret them. It calls [`step`](Payload::step) and
/// [`skip`](Payload::skip) at the source of an edge, which make the words of a record, and
/// [`combine`](Payload::combine) where the record meets an equal state.
///
/// A state at a variable has a fixed number of *lanes* of one or more words. If the payload
/// [grows](Payload::grows), lanes are natural numbers of several limbs: first the lowest limbs of
/// all lanes, then their next limbs. So a state is widened by appending zeros. All states of a level
/// have the same number of limbs, which the engine chooses such that no sum overflows. Otherwise a
/// lane is one word.
///
/// Nearly all of the engine is compiled once. Only its inner loops (expanding a state, merging a
/// record) are compiled separately for edges, for numbers of one and of two limbs that no edge
/// changes, and for all others.
pub(crate) trait Payload: Sync {
    /// The name of the payload, with its parameters or a hash of them. A run resumes a checkpoint
    /// only if these are equal.
    fn identity(&self) -> String;

    /// The number of lanes of a state at `variable`, or at the 1-terminal for the number of
    /// variables. 0 for all variables if states have no words.
    fn lanes(&self, variable: usize) -> usize;

    /// The number of words of a state at `variable` whose lanes have this number of limbs.
    fn width(&self, variable: usize, limbs: usize) -> usize {
        if self.grows() { self.lanes(variable) * limbs } else { self.lanes(variable) }
    }

    /// The number of limbs of the lanes of a state at `variable` with this number of words.
    fn limbs(&self, variable: usize, width: usize) -> usize {
        if self.grows() { width / self.lanes(variable) } else { 1 }
    }

    /// Whether lanes are numbers of several limbs, which [`combine`](Payload::combine) adds. The sum of
    /// all lanes of all states of a level is then at most the number of assignments to the variables
    /// before it. A lane may instead contain a value of one limb that is not added. The higher limbs of
    /// this lane must be 0.
    fn grows(&self) -> bool {
        false
    }

    /// Whether [`step`](Payload::step) changes words. If not, there is at most one lane, which grows,
    /// and the engine adds its numbers itself.
    fn steps(&self) -> bool {
        true
    }

    /// Whether [`skip`](Payload::skip) changes words. If so, and [`step`](Payload::step) does not, the
    /// rule must be [`Rule::AnyValue`](crate::Rule::AnyValue): only under that rule does [`OneTerminal`] skip
    /// the variables after an edge to the 1-terminal.
    fn skips(&self) -> bool {
        true
    }

    /// The modulus, if a state has one word, which is the sum of the words at the sources of its edges, modulo a number.
    /// Words are then 1 to the modulus, so that none is 0.
    fn modulus(&self) -> Option<u64> {
        None
    }

    /// Whether the sweep stores edges. States then have no words.
    fn stores_edges(&self) -> bool {
        false
    }

    /// The words of the empty path, at variable 0.
    fn root(&self) -> Vec<u64>;

    /// Replaces `out` by the words after `variable` takes `value`, from the words before.
    fn step(&self, words: &[u64], variable: usize, value: usize, out: &mut Vec<u64>) {
        let _ = (variable, value);
        out.clear();
        out.extend_from_slice(words);
    }

    /// Replaces `out` by the words after the variables of a range are skipped, from the words
    /// before. `out` may have more limbs than `words`.
    fn skip(&self, words: &[u64], skipped: Range<usize>, out: &mut Vec<u64>);

    /// Whether no path to the 1-terminal contributes to the result if it begins with these words.
    /// The engine then drops the edge, unless equal states are joined: what they receive over such an
    /// edge may decide their children.
    fn is_dead(&self, words: &[u64]) -> bool {
        let _ = words;
        false
    }

    /// Combines words of an equal state at `variable` into the words of a state. `from` has at most as
    /// many limbs as `into`.
    fn combine(&self, variable: usize, into: &mut [u64], from: &[u64]);
}

/// A payload without words.
pub(super) enum NoValues {
    /// The edges of the unreduced diagram.
    Edges,
    /// Nothing: the sweep only counts the states of each level.
    Nothing,
}

impl Payload for NoValues {
    fn identity(&self) -> String {
        if self.stores_edges() { "edges" } else { "nothing" }.to_owned()
    }

    fn lanes(&self, _: usize) -> usize {
        0
    }

    fn steps(&self) -> bool {
        false
    }

    fn skips(&self) -> bool {
        false
    }

    fn stores_edges(&self) -> bool {
        matches!(self, NoValues::Edges)
    }

    fn root(&self) -> Vec<u64> {
        Vec::new()
    }

    fn skip(&self, _: &[u64], _: Range<usize>, _: &mut Vec<u64>) {
        unreachable!("nothing is skipped")
    }

    fn combine(&self, _: usize, _: &mut [u64], _: &[u64]) {}
}

/// A payload and a variable at which it [combines](Payload::combine) words. `None` if the engine adds
/// the words itself (see [`Payload::steps`]).
pub(super) type Combiner<'a> = Option<(&'a dyn Payload, usize)>;

/// The combiner of the states at a variable.
pub(super) fn combiner_at(payload: &dyn Payload, variable: usize) -> Combiner<'_> {
    payload.steps().then_some((payload, variable))
}

/// The words of the record of an edge, and the buffers to compute them.
#[derive(Default)]
pub(super) struct Attacher {
    /// The variables on the way of the edge with forced values other than 0, in ascending order,
    /// each with its value.
    pub(super) forced: Vec<(usize, usize)>,
    words: Vec<u64>,
    buffer: Vec<u64>,
}

impl Attacher {
    /// Returns the words at variable `to` after `variable` takes `value`, from the words of the
    /// source state.
    pub(super) fn attach(
        &mut self,
        payload: &dyn Payload,
        words: &[u64],
        variable: usize,
        value: usize,
        to: usize,
    ) -> &[u64] {
        payload.step(words, variable, value, &mut self.words);
        let mut at = variable + 1;
        for index in 0..self.forced.len() {
            let (variable, value) = self.forced[index];
            self.skip(payload, at..variable);
            payload.step(&self.words, variable, value, &mut self.buffer);
            std::mem::swap(&mut self.words, &mut self.buffer);
            at = variable + 1;
        }
        self.skip(payload, at..to);
        &self.words
    }

    fn skip(&mut self, payload: &dyn Payload, skipped: Range<usize>) {
        if !skipped.is_empty() && payload.skips() {
            payload.skip(&self.words, skipped, &mut self.buffer);
            std::mem::swap(&mut self.words, &mut self.buffer);
        }
    }
}

/// The combined words of all paths that have reached the 1-terminal.
#[derive(Debug, Default)]
pub(super) struct OneTerminal {
    /// The variables before this one are decided. The others are skipped.
    pub(super) decided: usize,
    /// `None` if no path has reached the 1-terminal.
    pub(super) words: Option<Vec<u64>>,
}

crate::portable!(OneTerminal { decided, words });

impl OneTerminal {
    /// Combines words of paths on which the variables before `decided` are decided. `decided` must
    /// not decrease from call to call.
    pub(super) fn add(&mut self, payload: &dyn Payload, decided: usize, words: &[u64]) {
        self.skip_to(payload, decided);
        let lanes = payload.lanes(decided);
        let own = self.words.get_or_insert_with(Vec::new);
        if own.is_empty() {
            own.extend_from_slice(words);
        } else if lanes > 0 {
            if payload.grows() {
                // One limb more for the carry.
                own.resize(own.len().max(words.len()) + lanes, 0);
            }
            payload.combine(decided, own, words);
        }
        if payload.grows() {
            limbs::trim(own, lanes);
        }
    }

    /// Decides the variables before `decided` by skipping them.
    pub(super) fn skip_to(&mut self, payload: &dyn Payload, decided: usize) {
        if let Some(words) = &mut self.words
            && decided > self.decided
            && payload.skips()
        {
            let mut skipped = Vec::new();
            payload.skip(words, self.decided..decided, &mut skipped);
            *words = skipped;
        }
        self.decided = decided;
    }
}

/// Whether states at `variable`, or the 1-terminal, may have `width` words.
pub(super) fn is_width(payload: &dyn Payload, variable: usize, width: usize) -> bool {
    let lanes = payload.lanes(variable);
    if payload.grows() { width > 0 && width.is_multiple_of(lanes) } else { width == lanes }
}
