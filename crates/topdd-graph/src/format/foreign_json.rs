//! JSON of other layouts than node-link, with the line of Python that converts it.

use serde_json::{Map, Value};

use super::foreign::{CYTOSCAPE, FileName, Foreign, NAMES_OF_COLUMNS, foreign};
use super::{FormatError, json};

/// A format whose conversion needs the module `json`.
const fn loaded(name: &'static str, load: &'static str) -> Foreign {
    Foreign { imports: ", json", ..foreign(name, &[], load) }
}

/// A table that pandas reads.
const fn table(load: &'static str) -> Foreign {
    Foreign {
        imports: ", pandas",
        advice: NAMES_OF_COLUMNS,
        ..foreign("a table in JSON", &[], load)
    }
}

const ADJACENCY: Foreign =
    loaded("the adjacency JSON of networkx", "nx.adjacency_graph(json.load(open('F')))");
const TREE: Foreign = loaded("the tree JSON of networkx", "nx.tree_graph(json.load(open('F')))");
const OTHER_NAMES: Foreign = Foreign {
    advice: ", with the names of these members in the file in place of those in capitals",
    ..loaded(
        "node-link JSON with other names of its members",
        "nx.node_link_graph(json.load(open('F')), nodes='NODES', edges='EDGES', source='SOURCE', \
         target='TARGET', name='ID')",
    )
};
const LISTS: Foreign = loaded(
    "lists of neighbours in JSON",
    "nx.from_dict_of_lists({v: list(map(str, n)) for v, n in json.load(open('F')).items()})",
);
const NEIGHBOURS: Foreign =
    loaded("neighbours with attributes in JSON", "nx.from_dict_of_dicts(json.load(open('F')))");
const EDGES: Foreign = loaded(
    "a list of edges in JSON",
    "nx.MultiGraph([(a, b, {'weight': w[0]} if w else {}) for a, b, *w in json.load(open('F'))])",
);
const RECORDS: Foreign =
    table("nx.from_pandas_edgelist(pandas.read_json('F'), 'FROM', 'TO', True)");
const RECORD_LINES: Foreign =
    table("nx.from_pandas_edgelist(pandas.read_json('F', lines=True), 'FROM', 'TO', True)");
const SPLIT: Foreign =
    table("nx.from_pandas_edgelist(pandas.read_json('F', orient='split'), 'FROM', 'TO', True)");
const INDEXED: Foreign =
    table("nx.from_pandas_edgelist(pandas.read_json('F', orient='index'), 'FROM', 'TO', True)");
const WITH_SCHEMA: Foreign =
    table("nx.from_pandas_edgelist(pandas.read_json('F', orient='table'), 'FROM', 'TO', True)");

/// Fails if the text is JSON of another layout.
pub(super) fn refuse(text: &str, name: FileName<'_>) -> Result<(), FormatError> {
    let text = json::without_nan(text);
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
    let Some(Ok(first)) = values.next() else { return Ok(()) };
    let has_more = matches!(values.next(), Some(Ok(_)));
    let format = match &first {
        Value::Object(members) => of_object(members, has_more),
        Value::Array(items) => of_list(items),
        _ => None,
    };
    format.map_or(Ok(()), |format| Err(format.error(name)))
}

fn of_object(members: &Map<String, Value>, has_more: bool) -> Option<&'static Foreign> {
    let has = |name: &str| members.contains_key(name);
    let all = |is: fn(&Value) -> bool| !members.is_empty() && members.values().all(is);
    if has("adjacency") {
        return Some(&ADJACENCY);
    }
    if has("nodes") && (has("edges") || has("links")) {
        return has_other_names(members).then_some(&OTHER_NAMES);
    }
    if has_more {
        return Some(&RECORD_LINES);
    }
    if has("elements") {
        return Some(&CYTOSCAPE);
    }
    if has("children") {
        return Some(&TREE);
    }
    if has("columns") && has("data") {
        return Some(&SPLIT);
    }
    if has("schema") && has("data") {
        return Some(&WITH_SCHEMA);
    }
    if all(Value::is_array) && members.values().flat_map(items).all(is_id) {
        return Some(&LISTS);
    }
    if all(Value::is_object) {
        let inner = || members.values().filter_map(Value::as_object).flat_map(Map::values);
        return Some(if inner().all(Value::is_object) {
            &NEIGHBOURS
        } else if members.keys().all(|key| key.parse::<usize>().is_ok()) {
            &INDEXED
        } else {
            &RECORDS
        });
    }
    let of_objects = |value: &&Value| items(value).first().is_some_and(Value::is_object);
    (members.values().filter(of_objects).count() > 1).then_some(&OTHER_NAMES)
}

/// Whether the nodes have no `id`, or the edges no `source` and `target`.
fn has_other_names(members: &Map<String, Value>) -> bool {
    let lacks = |list: &str, name: &str| {
        let first = members.get(list).and_then(|list| list.get(0)).and_then(Value::as_object);
        first.is_some_and(|first| !first.contains_key(name))
    };
    let edges = if members.contains_key("edges") { "edges" } else { "links" };
    lacks("nodes", "id") || lacks(edges, "source") && lacks(edges, "target")
}

fn of_list(list: &[Value]) -> Option<&'static Foreign> {
    if list.is_empty() {
        return None;
    }
    let is_edge = |value: &Value| match items(value) {
        [from, to] => is_id(from) && is_id(to),
        [from, to, weight] => is_id(from) && is_id(to) && weight.is_number(),
        _ => false,
    };
    if list.iter().all(is_edge) {
        return Some(&EDGES);
    }
    list.iter().all(Value::is_object).then_some(&RECORDS)
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_number()
}
