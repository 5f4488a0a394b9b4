//! The 48 contiguous states of the USA, whose counts are known (D. E. Knuth, *The Art of Computer
//! Programming* 4A, 7.1.4).

use num_bigint::BigUint;

use super::*;

/// The states, and after each the neighbours that come later in the alphabet.
const NEIGHBOURS: &str = "AL FL GA MS TN;AR LA MO MS OK TN TX;AZ CA NM NV UT;CA NV OR;\
    CO KS NE NM OK UT WY;CT MA NY RI;DE MD NJ PA;FL GA;GA NC SC TN;IA IL MN MO NE SD WI;\
    ID MT NV OR UT WA WY;IL IN KY MO WI;IN KY MI OH;KS MO NE OK;KY MO OH TN VA WV;LA MS TX;\
    MA NH NY RI VT;MD PA VA WV;ME NH;MI OH WI;MN ND SD WI;MO NE OK TN;MS TN;MT ND SD WY;\
    NC SC TN VA;ND SD;NE SD WY;NH VT;NJ NY PA;NM OK TX;NV OR UT;NY PA VT;OH PA WV;OK TX;\
    OR WA;PA WV;SD WY;TN VA;UT WY;VA WV";

pub(crate) fn states() -> Graph {
    let mut labels: Vec<&str> = NEIGHBOURS.split([' ', ';']).collect();
    labels.sort_unstable();
    labels.dedup();
    let number = |label: &str| labels.binary_search(&label).unwrap();
    let mut edges = Vec::new();
    for line in NEIGHBOURS.split(';') {
        let mut line = line.split(' ').map(number);
        let first = line.next().unwrap();
        edges.extend(line.map(|other| (first, other)));
    }
    Graph::new(labels.len(), edges).unwrap().with_vertex_labels(labels).unwrap()
}

fn number(digits: &str) -> BigUint {
    digits.parse().unwrap()
}

#[test]
fn there_are_48_states_and_105_borders() {
    assert_eq!((states().num_vertices(), states().num_edges()), (48, 105));
    assert_eq!(states().num_components(), 1);
}

#[test]
fn counts_of_the_states_are_the_known_ones() {
    let states = states();
    assert_eq!(spanning_trees(&states).count(), Ok(number("75391005254911073411255")));
    assert_eq!(forests(&states).count(), Ok(number("2369005024749608542735298560")));
    assert_eq!(matchings(&states).count(), Ok(number("60865094978461")));
    let [maine, california] = ["ME", "CA"].map(|label| states.vertex(label).unwrap());
    assert_eq!(paths(&states, maine, california).count(), Ok(number("437525772584")));
    assert_eq!(cycles(&states).count(), Ok(number("26279855933")));
    assert_eq!(hamiltonian_paths_from(&states, maine).count(), Ok(number("68656026")));
}
