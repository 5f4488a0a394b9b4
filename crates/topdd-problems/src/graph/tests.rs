//! Both encodings against known counts and against brute force.

use std::collections::HashMap;
use topdd::{DdSpec, Step};

use super::*;

/// Level by level; also the number of states.
fn count<S: DdSpec>(spec: &S) -> (u128, usize, usize) {
    let mut level: HashMap<S::State, u128> = HashMap::new();
    match spec.root() {
        Step::Zero => return (0, 0, 0),
        Step::One => return (1, 0, 0),
        Step::To(v, state) => assert_eq!((v, level.insert(state, 1)), (0, None)),
    }
    let (mut total, mut states, mut children) = (0, 0, 0);
    for variable in 0..spec.num_vars() {
        states += level.len();
        let mut next = HashMap::new();
        for (state, n) in &level {
            spec.for_each_child(state, variable, |_, step| {
                children += 1;
                match step {
                    Step::Zero => panic!("reported a 0-terminal"),
                    Step::One => total += n,
                    Step::To(v, state) => {
                        assert_eq!(v, variable + 1);
                        *next.entry(state).or_insert(0) += n;
                    }
                }
            });
        }
        level = next;
    }
    (total, states, children)
}

#[test]
fn first() {
    for (r, c) in [(2, 2), (4, 4), (6, 6)] {
        let w = grid_hamiltonian_cycles(r, c);
        println!(
            "{r}x{c} {:?} {:?}",
            count(&ByVertex::<1>::new(&w).unwrap()),
            count(&ByEdge::<1>::new(&w).unwrap())
        );
    }
    for n in 2..8 {
        let w = grid_paths(n);
        println!(
            "{n} {:?} {:?}",
            count(&ByVertex::<1>::new(&w).unwrap()),
            count(&ByEdge::<1>::new(&w).unwrap())
        );
    }
    for (r, c) in [(10, 3), (12, 3), (5, 4), (6, 5), (6, 6)] {
        let w = Walks::hamiltonian_cycles(Graph::knight(r, c));
        let t = std::time::Instant::now();
        println!(
            "{r}x{c} {:?} {:?} {:?}",
            count(&ByVertex::<1>::new(&w).unwrap()),
            count(&ByEdge::<1>::new(&w).unwrap()),
            t.elapsed()
        );
    }
    for (r, c) in [(4, 3), (5, 4), (5, 5), (6, 5)] {
        let w = Walks::hamiltonian_paths(Graph::knight(r, c));
        println!(
            "{r}x{c} {:?} {:?}",
            count(&ByVertex::<2>::new(&w).unwrap()),
            count(&ByEdge::<2>::new(&w).unwrap())
        );
    }
}
