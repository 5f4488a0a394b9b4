//! The usual names of columns.

/// Usual names of columns, in lower case and without signs.
const FROM: [&str; 21] = [
    "from",
    "source",
    "src",
    "start",
    "origin",
    "u",
    "node1",
    "vertex1",
    "fromnode",
    "fromid",
    "sourceid",
    "fromnodeid",
    "tail",
    "node",
    "a",
    "i",
    "ego",
    "fromvertex",
    "startnode",
    "von",
    "city1",
];
const TO: [&str; 23] = [
    "to",
    "target",
    "dst",
    "end",
    "destination",
    "v",
    "node2",
    "vertex2",
    "tonode",
    "toid",
    "targetid",
    "tonodeid",
    "head",
    "neighbour",
    "neighbor",
    "b",
    "j",
    "alter",
    "dest",
    "tovertex",
    "endnode",
    "nach",
    "city2",
];
pub(super) const WEIGHT: [&str; 11] = [
    "weight", "w", "value", "distance", "dist", "length", "cost", "km", "capacity", "weights",
    "time",
];
/// Names of columns in tables of vertices.
const OF_VERTICES: [&str; 14] = [
    "id",
    "label",
    "name",
    "x",
    "y",
    "lat",
    "lon",
    "lng",
    "latitude",
    "longitude",
    "population",
    "degree",
    "color",
    "colour",
];

/// The advice for a table of vertices in place of a table of edges.
pub(super) const OF_VERTICES_ADVICE: &str =
    "; `GraphFile::with_vertices` reads a table of vertices, beside a file of edges";

/// Whether the name is one of a column in a table of vertices.
pub(super) fn is_of_vertices(name: &str) -> bool {
    OF_VERTICES.contains(&plain_name(name).as_str())
}

pub(super) fn plain_name(name: &str) -> String {
    name.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>().to_lowercase()
}

pub(super) fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok()
}

/// The columns of the ends, by usual names.
pub(super) fn usual<T: AsRef<str>>(names: &[T]) -> Option<(usize, usize)> {
    let plain: Vec<String> = names.iter().map(|name| plain_name(name.as_ref())).collect();
    let pairs = FROM.iter().flat_map(|from| TO.iter().map(move |to| (from, to)));
    // Short names such as `a` and `b` are vertices in a file of two columns.
    let wordy = |name: &str| name.len() > 1;
    let mut found = pairs.filter_map(|(from, to)| {
        let from = plain.iter().position(|name| name == from)?;
        let to = plain.iter().position(|name| name == to)?;
        Some((from, to))
    });
    let long = found.find(|&(from, to)| wordy(&plain[from]) && wordy(&plain[to]));
    long.or_else(|| {
        let is_weight = |name: &String| WEIGHT.contains(&name.as_str()) && wordy(name);
        let letters = [("u", "v"), ("a", "b"), ("i", "j")].into_iter().find_map(|(from, to)| {
            let from = plain.iter().position(|name| name == from)?;
            Some((from, plain.iter().position(|name| name == to)?))
        });
        letters.filter(|_| plain.iter().any(is_weight))
    })
}
