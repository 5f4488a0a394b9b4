//! Well-known graphs by name.
//!
//! Cubic graphs with a Hamiltonian cycle are in LCF notation (J. Lederberg 1965, H. S. M. Coxeter,
//! R. Frucht and D. L. Powers, *Zero-symmetric graphs*, 1981): vertex `i` of the cycle is joined to
//! vertex `i + jumps[i mod length]`.

use super::super::Graph;
use super::{build, circular, on_circle, ring};

type Maker = fn() -> Graph;

/// The graphs in LCF notation: name, number of vertices and jumps.
const LCF: &[(&str, usize, &[isize])] = &[
    ("cube", 8, &[3, -3]),
    ("desargues", 20, &[5, -5, 9, -9]),
    ("dodecahedron", 20, &[10, 7, 4, -4, -7, 10, -4, 7, -7, 4]),
    ("dyck", 32, &[5, -5, 13, -13]),
    ("franklin", 12, &[5, -5]),
    ("frucht", 12, &[-5, -2, -4, 2, 5, -2, 2, 5, -2, -5, 4, 2]),
    ("heawood", 14, &[5, -5]),
    ("mcgee", 24, &[12, 7, -7]),
    ("mobius-kantor", 16, &[5, -5]),
    ("nauru", 24, &[5, -9, 7, -7, 9, -5]),
    ("pappus", 18, &[5, 7, -7, 7, -7, -5]),
    ("truncated-tetrahedron", 12, &[2, 6, -2]),
    ("tutte-coxeter", 30, &[-13, -9, 7, -7, 9, 13]),
];

/// The other graphs, by their names.
const OTHERS: &[(&str, Maker)] = &[
    ("chvatal", chvatal),
    ("clebsch", clebsch),
    ("florentine-families", florentine_families),
    ("grotzsch", grotzsch),
    ("icosahedron", icosahedron),
    ("karate", karate),
    ("octahedron", octahedron),
    ("petersen", petersen),
    ("tetrahedron", || Graph::complete(4)),
    ("usa", usa),
];

impl Graph {
    /// Returns a well-known graph by its name, one of [`names`](Graph::names); `None` for another.
    ///
    /// `usa` has the 48 contiguous states of the United States, with their postal codes as labels, and
    /// an edge for each border of more than a point (D. E. Knuth, *The Stanford GraphBase*, 1993).
    /// `karate` is W. W. Zachary's club (*An information flow model for conflict and fission in small
    /// groups*, 1977), with members 1 to 34.
    ///
    /// # Example
    ///
    /// ```
    /// use topdd_graph::Graph;
    ///
    /// let petersen = Graph::named("petersen").unwrap();
    /// assert_eq!((petersen.num_vertices(), petersen.num_edges()), (10, 15));
    /// let usa = Graph::named("usa").unwrap();
    /// assert_eq!(usa.degree(usa.vertex("ME").unwrap()), 1);
    /// assert_eq!(Graph::named("unknown"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        let lcf = LCF.iter().find(|(other, ..)| *other == name);
        let lcf = lcf.map(|&(_, vertices, jumps)| by_lcf(vertices, jumps));
        lcf.or_else(|| OTHERS.iter().find(|(other, _)| *other == name).map(|(_, make)| make()))
    }

    /// Returns the names of [named graphs](Graph::named), in alphabetical order.
    ///
    /// ```
    /// assert!(topdd_graph::Graph::names().any(|name| name == "petersen"));
    /// ```
    pub fn names() -> impl Iterator<Item = &'static str> {
        let mut names: Vec<_> = LCF
            .iter()
            .map(|&(name, ..)| name)
            .chain(OTHERS.iter().map(|&(name, _)| name))
            .collect();
        names.sort_unstable();
        names.into_iter()
    }
}

fn by_lcf(vertices: usize, jumps: &[isize]) -> Graph {
    let chords = (0..vertices).filter_map(|vertex| {
        let jump = jumps[vertex % jumps.len()];
        let to = (vertex + vertices).wrapping_add_signed(jump) % vertices;
        // Each chord is there from both sides.
        (vertex < to).then_some((vertex, to))
    });
    circular(vertices, ring(vertices).chain(chords))
}

/// Two rings of five vertices: the outer one is a cycle, the inner one a star of five points.
fn petersen() -> Graph {
    let edges = (0..5).map(|i| (i, (i + 1) % 5));
    let edges = edges.chain((0..5).map(|i| (i, i + 5)));
    let edges = edges.chain((0..5).map(|i| (i + 5, (i + 2) % 5 + 5)));
    build(10, edges, |vertex| on_circle(vertex % 5, 5, if vertex < 5 { 2.0 } else { 1.0 }))
}

/// A ring of five vertices, five copies of them, each joined to the neighbours of its original, and a
/// vertex joined to all copies (J. Mycielski, *Sur le coloriage des graphs*, 1955).
fn grotzsch() -> Graph {
    let edges = (0..5).map(|i| (i, (i + 1) % 5));
    let edges = edges.chain((0..5).flat_map(|i| [(i + 5, (i + 1) % 5), (i + 5, (i + 4) % 5)]));
    let edges = edges.chain((5..10).map(|copy| (copy, 10)));
    build(11, edges, |vertex| match vertex {
        10 => (0.0, 0.0),
        _ => on_circle(vertex % 5, 5, if vertex < 5 { 2.0 } else { 1.0 }),
    })
}

fn octahedron() -> Graph {
    let edges = (0..6).flat_map(|a| (a + 1..6).map(move |b| (a, b)));
    circular(6, edges.filter(|(a, b)| b - a != 3))
}

/// Two poles, 0 and 11, and two rings of five vertices.
fn icosahedron() -> Graph {
    let mut edges = Vec::new();
    for i in 0..5 {
        let (upper, lower) = (1 + i, 6 + i);
        let (next_upper, next_lower) = (1 + (i + 1) % 5, 6 + (i + 1) % 5);
        edges.extend([(0, upper), (upper, next_upper), (upper, lower), (upper, next_lower)]);
        edges.extend([(lower, next_lower), (lower, 11)]);
    }
    // Without crossings, the faces of the pole 11 around it, and the pole 0 far outside.
    build(12, edges, |vertex| match vertex {
        0 => (0.0, -7.0),
        11 => (0.0, 0.0),
        1..=5 => on_circle(2 * (vertex - 1) + 1, 10, 3.0),
        _ => on_circle(2 * (vertex - 6), 10, 1.0),
    })
}

/// The 4-cube with its long diagonals (A. Clebsch, 1868).
fn clebsch() -> Graph {
    let cube = Graph::hypercube(4);
    let edges = cube.edges().iter().copied().chain((0..8).map(|vertex| (vertex, 15 - vertex)));
    circular(16, edges)
}

/// The smallest graph without triangles that is 4-regular and needs four colours (V. Chvátal, 1970).
fn chvatal() -> Graph {
    const LATER: [&[usize]; 10] = [
        &[1, 4, 6, 9],
        &[2, 5, 7],
        &[3, 6, 8],
        &[4, 7, 9],
        &[5, 8],
        &[10, 11],
        &[10, 11],
        &[8, 11],
        &[10],
        &[10, 11],
    ];
    circular(12, later_edges(&LATER))
}

fn later_edges<'a>(later: &'a [&'a [usize]]) -> impl Iterator<Item = (usize, usize)> + 'a {
    later.iter().enumerate().flat_map(|(a, others)| others.iter().map(move |&b| (a, b)))
}

/// The graph whose edges are pairs of labels; vertices are numbered as they come.
fn labelled(pairs: &str, position: impl Fn(&str) -> Option<(f64, f64)>) -> Graph {
    let mut labels: Vec<&str> = Vec::new();
    let mut number = |label| {
        labels.iter().position(|other| *other == label).unwrap_or_else(|| {
            labels.push(label);
            labels.len() - 1
        })
    };
    let edges: Vec<(usize, usize)> = pairs
        .split_whitespace()
        .filter_map(|pair| pair.split_once('-'))
        .map(|(a, b)| (number(a), number(b)))
        .collect();
    let graph = Graph::new(labels.len(), edges).expect("the ends are vertices");
    let positions: Option<Vec<_>> = labels.iter().map(|label| position(label)).collect();
    let graph = graph.with_vertex_labels(labels).expect("there is one for each vertex");
    match positions {
        Some(positions) => graph.with_positions(positions).expect("there is one for each vertex"),
        None => graph,
    }
}

/// Marriages between families of Florence around 1430 (J. F. Padgett; R. L. Breiger and P. E. Pattison,
/// *Cumulated social roles*, 1986). The family Pucci married none of the others and is not there.
fn florentine_families() -> Graph {
    labelled(
        "Acciaiuoli-Medici Castellani-Peruzzi Castellani-Strozzi Castellani-Barbadori \
         Medici-Barbadori Medici-Ridolfi Medici-Tornabuoni Medici-Albizzi Medici-Salviati \
         Salviati-Pazzi Peruzzi-Strozzi Peruzzi-Bischeri Strozzi-Ridolfi Strozzi-Bischeri \
         Ridolfi-Tornabuoni Tornabuoni-Guadagni Albizzi-Ginori Albizzi-Guadagni \
         Bischeri-Guadagni Guadagni-Lamberteschi",
        |_| None,
    )
}

fn karate() -> Graph {
    /// The earlier friends of members 2, 3, ..
    const EARLIER: &[(usize, &[usize])] = &[
        (2, &[1]),
        (3, &[1, 2]),
        (4, &[1, 2, 3]),
        (5, &[1]),
        (6, &[1]),
        (7, &[1, 5, 6]),
        (8, &[1, 2, 3, 4]),
        (9, &[1, 3]),
        (10, &[3]),
        (11, &[1, 5, 6]),
        (12, &[1]),
        (13, &[1, 4]),
        (14, &[1, 2, 3, 4]),
        (17, &[6, 7]),
        (18, &[1, 2]),
        (20, &[1, 2]),
        (22, &[1, 2]),
        (26, &[24, 25]),
        (28, &[3, 24, 25]),
        (29, &[3]),
        (30, &[24, 27]),
        (31, &[2, 9]),
        (32, &[1, 25, 26, 29]),
        (33, &[3, 9, 15, 16, 19, 21, 23, 24, 30, 31, 32]),
        (34, &[9, 10, 14, 15, 16, 19, 20, 21, 23, 24, 27, 28, 29, 30, 31, 32, 33]),
    ];
    let edges =
        EARLIER.iter().flat_map(|&(b, friends)| friends.iter().map(move |&a| (a - 1, b - 1)));
    let graph = Graph::new(34, edges).expect("the ends are vertices");
    graph.with_vertex_labels((1..=34).map(|member| member.to_string())).expect("one for each")
}

fn usa() -> Graph {
    labelled(
        "AL-FL AL-GA AL-MS AL-TN AR-LA AR-MO AR-MS AR-OK AR-TN AR-TX AZ-CA AZ-NM AZ-NV AZ-UT \
         CA-NV CA-OR CO-KS CO-NE CO-NM CO-OK CO-UT CO-WY CT-MA CT-NY CT-RI DE-MD DE-NJ DE-PA \
         FL-GA GA-NC GA-SC GA-TN IA-IL IA-MN IA-MO IA-NE IA-SD IA-WI ID-MT ID-NV ID-OR ID-UT \
         ID-WA ID-WY IL-IN IL-KY IL-MO IL-WI IN-KY IN-MI IN-OH KS-MO KS-NE KS-OK KY-MO KY-OH \
         KY-TN KY-VA KY-WV LA-MS LA-TX MA-NH MA-NY MA-RI MA-VT MD-PA MD-VA MD-WV ME-NH MI-OH \
         MI-WI MN-ND MN-SD MN-WI MO-NE MO-OK MO-TN MS-TN MT-ND MT-SD MT-WY NC-SC NC-TN NC-VA \
         ND-SD NE-SD NE-WY NH-VT NJ-NY NJ-PA NM-OK NM-TX NV-OR NV-UT NY-PA NY-VT OH-PA OH-WV \
         OK-TX OR-WA PA-WV SD-WY TN-VA UT-WY VA-WV",
        |state| STATES.iter().find(|(label, ..)| *label == state).map(|&(_, x, y)| (x, y)),
    )
}

/// Places near the middle of each state, in degrees: longitude, narrowed by the cosine of 39 degrees,
/// and latitude.
const STATES: &[(&str, f64, f64)] = &[
    ("AL", -67.5, 32.8),
    ("AR", -71.8, 34.8),
    ("AZ", -87.0, 34.3),
    ("CA", -93.0, 37.2),
    ("CO", -82.1, 39.0),
    ("CT", -56.5, 41.6),
    ("DE", -58.7, 39.0),
    ("FL", -63.8, 28.6),
    ("GA", -64.8, 32.6),
    ("IA", -72.7, 42.1),
    ("ID", -88.9, 44.4),
    ("IL", -69.3, 40.0),
    ("IN", -67.0, 39.9),
    ("KS", -76.4, 38.5),
    ("KY", -66.2, 37.5),
    ("LA", -71.6, 31.1),
    ("MA", -55.9, 42.3),
    ("MD", -59.6, 39.2),
    ("ME", -53.8, 45.4),
    ("MI", -66.0, 43.6),
    ("MN", -73.3, 46.3),
    ("MO", -71.9, 38.4),
    ("MS", -69.7, 32.7),
    ("MT", -85.2, 47.0),
    ("NC", -61.7, 35.5),
    ("ND", -78.1, 47.4),
    ("NE", -77.5, 41.5),
    ("NH", -55.6, 43.7),
    ("NJ", -57.9, 40.2),
    ("NM", -82.5, 34.4),
    ("NV", -90.7, 39.3),
    ("NY", -58.7, 42.9),
    ("OH", -64.3, 40.3),
    ("OK", -75.8, 35.6),
    ("OR", -93.7, 43.9),
    ("PA", -60.5, 40.9),
    ("RI", -55.6, 41.6),
    ("SC", -62.9, 33.9),
    ("SD", -78.0, 44.4),
    ("TN", -67.1, 35.9),
    ("TX", -77.2, 31.5),
    ("UT", -86.8, 39.3),
    ("VA", -61.0, 37.5),
    ("VT", -56.5, 44.1),
    ("WA", -93.6, 47.4),
    ("WI", -69.8, 44.6),
    ("WV", -62.6, 38.6),
    ("WY", -83.6, 43.0),
];
