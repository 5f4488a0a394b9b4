//! The values of a vertex in [`PathsByVertex`](super::families::PathsByVertex): sets of at most two edges
//! to later neighbours.

/// Returns the later neighbours selected by a value, numbered `0..later`: none, one or two. `None` if the
/// value is not below the arity. Takes time linear in `later`.
pub(super) fn choice(later: usize, value: usize) -> Option<(Option<usize>, Option<usize>)> {
    if value == 0 {
        return Some((None, None));
    }
    if value <= later {
        return Some((Some(value - 1), None));
    }
    let mut rest = value - later - 1;
    for first in 0..later {
        let pairs = later - first - 1;
        if rest < pairs {
            return Some((Some(first), Some(first + 1 + rest)));
        }
        rest -= pairs;
    }
    None
}

/// The value that selects one more neighbour than `value` does, after the neighbours that `value` selects. `None` if
/// these are two. Takes time linear in `later`.
pub(super) fn with(later: usize, value: usize, neighbour: usize) -> Option<usize> {
    match choice(later, value)? {
        (None, _) => Some(1 + neighbour),
        (Some(first), None) => {
            let pairs: usize = (0..first).map(|earlier| later - earlier - 1).sum();
            Some(1 + later + pairs + neighbour - first - 1)
        }
        (Some(_), Some(_)) => None,
    }
}

/// The number of values for `later` later neighbours.
pub(super) fn arity(later: usize) -> usize {
    1 + later + later * later.saturating_sub(1) / 2
}

#[cfg(test)]
#[test]
fn values_are_none_then_single_edges_then_pairs() {
    let all: Vec<_> = (0..8).map(|value| choice(3, value)).collect();
    assert_eq!(all[0], Some((None, None)));
    assert_eq!(all[3], Some((Some(2), None)));
    assert_eq!(all[4..7], [(0, 1), (0, 2), (1, 2)].map(|(a, b)| Some((Some(a), Some(b)))));
    assert_eq!(all[7], None);
    assert_eq!(arity(3), 7);
    for later in 0..6 {
        for value in 0..arity(later) {
            let (first, second) = choice(later, value).unwrap();
            let chosen = first.into_iter().chain(second);
            let grown = chosen.clone().try_fold(0, |value, one| with(later, value, one));
            assert_eq!(grown, Some(value));
            if let Some(last) = chosen.last().filter(|_| second.is_some()) {
                assert!((last + 1..later).all(|more| with(later, value, more).is_none()));
            }
        }
    }
}
