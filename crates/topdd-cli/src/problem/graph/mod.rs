//! `topdd graph`.

mod elements;
mod family;
mod info;
mod input;
mod predict;
mod reliability;

use serde_json::{Value, json};
use topdd::{BoxedSpec, Frontier, Goal, QueryError, Weights, Zdd};
use topdd_apply::{Family as ApplyFamily, Manager};
use topdd_chess::picture::{GraphPicture, Picture, graph_sheet};
use topdd_graph::Graph;
use topdd_graph::families::{GraphSets, Order, Unit};
use topdd_graph::format::EdgePairs;

use super::place::only_frontier;
use super::{Classic, Drawing, OfGraph, Part, Problem, Weighted, given_flags, names, word};
use crate::args::{self, Common, GraphOrder, PerItem};
use crate::failure::Failure;
pub(crate) use elements::{Element, GraphElements, GraphRecord};
pub(crate) use info::info;
pub(crate) use predict::{predict, predict_run, warn};
pub(crate) use reliability::reliability;

impl Drawing for GraphPicture {
    fn titled(self, title: String) -> Picture {
        graph_sheet(&[(self, String::new())], 1, &title)
    }

    fn sheet(drawings: &[(Self, String)], across: usize, title: &str) -> Picture {
        graph_sheet(drawings, across, title)
    }
}

/// The part of a command that several processes cannot share.
#[cfg(feature = "cluster")]
pub(crate) fn not_shared(asked: &args::Graph) -> Option<&'static str> {
    match asked.what {
        args::What::Info => Some("graph info"),
        args::What::Predict => Some("graph predict"),
        args::What::Reliability => Some("graph reliability"),
        _ if asked.predict => Some("--predict"),
        _ if asked.by_size => Some("--by-size"),
        // The input of the processes that --processes starts is a pipe without content.
        _ if input::is_input(asked) && asked.common.cluster.processes.is_some() => {
            Some("standard input")
        }
        _ => None,
    }
}

/// A family of a graph from a file.
pub(crate) struct OnGraph<'a> {
    asked: &'a args::Graph,
    elements: GraphElements,
    family: GraphSets,
    /// The edge, or the vertex, of each variable.
    order: Vec<usize>,
    /// The conditions of the family, for the title.
    conditions: String,
}

/// Makes the problem of a command line.
pub(crate) fn of(asked: &args::Graph) -> Result<OnGraph<'_>, Failure> {
    family::check(asked)?;
    let file = input::read(asked)?;
    let (family, conditions) = family::of(asked, asked.what, &file)?;
    if asked.best.is_some() {
        input::check_whole(asked, &file, family.unit(), "--best")?;
    }
    input::note_components(asked, &file.graph);
    input::note_directions(asked, &file.graph, family.unit());
    let order = family.element_order().map_err(|error| family::refused(asked, &error))?;
    // Chosen once: a search with pilots may take another order the next time.
    let family = family.order(Order::Custom(order.clone()));
    let elements = GraphElements::new(asked, family.unit(), file.graph);
    Ok(OnGraph { asked, elements, family, order, conditions })
}

impl OnGraph<'_> {
    pub(crate) fn common(&self) -> &Common {
        &self.asked.common
    }

    fn graph(&self) -> &Graph {
        &self.elements.graph
    }

    /// The weights of the graph as weights of variables.
    fn weights(&self) -> Weights<i64> {
        Weights::of_ones(self.order.iter().map(|&index| match self.elements.unit() {
            Unit::Edge => self.graph().weight(index),
            Unit::Vertex | Unit::Colour => self.graph().vertex_weight(index),
        }))
    }
}

impl Problem<Element> for OnGraph<'_> {
    fn title(&self) -> String {
        let what = word(&self.asked.what).replace('-', " ").replace("b matchings", "b-matchings");
        format!(
            "{what} of {}, {}{}",
            input::name(&self.asked.file),
            input::size(self.graph()),
            self.conditions
        )
    }

    fn facts(&self) -> Value {
        json!({
            "name": "graph",
            "what": word(&self.asked.what),
            "file": input::name(&self.asked.file),
            "vertices": self.graph().num_vertices(),
            "edges": self.graph().num_edges(),
            "directed": self.graph().is_directed(),
            // The graph may change while its file keeps the name, and the order with the machine.
            "digest": input::digest(self.graph(), &self.order, &self.arguments()),
            "conditions": self.conditions.trim_start_matches(", "),
            "order": word(&self.asked.order),
        })
    }

    fn formulation(&self) -> &'static str {
        "graph"
    }

    fn unit(&self) -> &'static str {
        match self.elements.unit() {
            Unit::Edge => "edge",
            Unit::Vertex | Unit::Colour => "vertex",
        }
    }

    fn frontier(&self) -> Result<Frontier<'_>, Failure> {
        self.family.frontier().map_err(|error| family::refused(self.asked, &error))
    }

    fn spec(&self) -> Result<BoxedSpec<'static>, Failure> {
        self.family.spec().map_err(|error| family::refused(self.asked, &error))
    }

    fn num_vars(&self) -> Result<usize, Failure> {
        Ok(self.order.len())
    }

    fn counts_sizes(&self) -> bool {
        self.asked.by_size
    }

    fn classic(&self) -> Result<Classic, Failure> {
        Err(only_frontier("families of graphs"))
    }

    fn family(
        &self,
        _manager: &Manager,
        _conjoined: &mut dyn FnMut(usize, &ApplyFamily),
    ) -> Result<ApplyFamily, Failure> {
        Err(only_frontier("families of graphs"))
    }

    fn arguments(&self) -> Vec<String> {
        let asked = self.asked;
        let mut words =
            vec!["graph".to_owned(), word(&asked.what), asked.file.display().to_string()];
        words.extend(given_flags([
            ("--directed", asked.directed),
            ("--undirected", asked.undirected),
            ("--graph-only", asked.ignore_lines),
            ("--hamiltonian", asked.hamiltonian),
        ]));
        let number = |number: Option<usize>| number.map(|number| number.to_string());
        let weight = |weight: Option<i64>| weight.map(|weight| weight.to_string());
        let order = (asked.order != GraphOrder::Auto).then(|| word(&asked.order));
        let list = |items: &mut dyn Iterator<Item = String>| {
            let items: Vec<String> = items.collect();
            (!items.is_empty()).then(|| items.join(","))
        };
        let degrees = |degrees: &[usize]| list(&mut degrees.iter().map(ToString::to_string));
        let bound = asked.b.map(|bound| match bound {
            PerItem::All(bound) => bound.to_string(),
            PerItem::Weights => "weights".to_owned(),
        });
        for (flag, labels) in [
            ("--terminals", &asked.terminals),
            ("--avoid", &asked.avoid),
            ("--through", &asked.through),
        ] {
            words.extend(labels.iter().flat_map(|labels| [flag.to_owned(), labels.clone()]));
        }
        for (flag, value) in [
            ("--format", asked.format.map(|format| format.name().to_owned())),
            (
                "--pairs",
                asked.pairs.map(|pairs| {
                    if pairs == EdgePairs::Keep { "keep" } else { "merge" }.to_owned()
                }),
            ),
            ("--columns", list(&mut asked.columns.iter().cloned())),
            ("--vertices", asked.vertices.as_ref().map(|file| file.display().to_string())),
            ("--vertex-columns", list(&mut asked.vertex_columns.iter().cloned())),
            ("--weight-attr", asked.weight_attr.clone()),
            ("--label-attr", asked.label_attr.clone()),
            ("--from", asked.from.clone()),
            ("--to", asked.to.clone()),
            ("-k", number(asked.k)),
            ("--distance", number(asked.distance)),
            ("-b", bound),
            ("--degrees", degrees(&asked.degrees)),
            ("--out-degrees", degrees(&asked.out_degrees)),
            ("--in-degrees", degrees(&asked.in_degrees)),
            (
                "--distribution",
                list(&mut asked.distribution.iter().map(|count| count.text.clone())),
            ),
            ("--sides", asked.sides.map(|[a, b]| format!("{a},{b}"))),
            ("--min-weight", weight(asked.min_weight)),
            ("--max-weight", weight(asked.max_weight)),
            ("--min-size", number(asked.min_size)),
            ("--max-size", number(asked.max_size)),
            ("--order", order),
        ] {
            words.extend(value.into_iter().flat_map(|value| [flag.to_owned(), value]));
        }
        words
    }

    fn read(&self, solution: &[usize]) -> Option<Vec<Element>> {
        Some(self.elements.read(&self.order, solution))
    }

    fn listed(&self, elements: &[Element]) -> Value {
        self.elements.json(elements)
    }

    fn line(&self, elements: &[Element]) -> String {
        self.elements.line(elements)
    }

    fn draw(&self, _elements: &[Element], _ascii: bool) -> String {
        String::new()
    }

    fn variable_names(&self) -> Option<Vec<String>> {
        let names = self.elements.names();
        Some(self.order.iter().map(|&index| names[index].stored()).collect())
    }

    fn of_graph(&self) -> Option<OfGraph> {
        let weights = match self.elements.unit() {
            Unit::Edge => self.graph().weights(),
            Unit::Vertex => self.graph().vertex_weights(),
            Unit::Colour => None,
        };
        let by_variable =
            |weights: &[i64]| self.order.iter().map(|&index| weights[index]).collect();
        let (order, graph) = (self.order.clone(), self.elements.record());
        Some(OfGraph { order, weights: weights.map(by_variable), graph })
    }

    fn best(&self, zdd: &Zdd) -> Result<Option<Weighted<Element>>, Failure> {
        let Some(k) = self.asked.best else { return Ok(None) };
        let goal = if self.asked.max { Goal::Maximum } else { Goal::Minimum };
        let best = match zdd.k_best(&self.weights(), goal, k) {
            Err(QueryError::NoSolutions) => return Ok(Some(Vec::new())),
            best => best.map_err(Failure::usage)?,
        };
        let elements = best.map(|best| (best.weight.to_string(), self.squares(&best.solution)));
        Ok(Some(elements.collect()))
    }

    fn picture(&self, elements: &[Element]) -> GraphPicture {
        let picture = GraphPicture::new(self.graph());
        let indices = elements.iter().map(|element| element.index);
        match self.elements.unit() {
            Unit::Edge => picture.edges(indices),
            Unit::Vertex => picture.vertices(indices),
            Unit::Colour => picture.colours(elements.iter().map(|e| (e.index, e.value))),
        }
    }

    fn heats(&self) -> Result<(), Failure> {
        match self.elements.unit() {
            Unit::Colour => {
                Err(Failure::usage("--heat is for edges and vertices, not for colours"))
            }
            Unit::Edge | Unit::Vertex => Ok(()),
        }
    }

    fn heat(&self, zdd: &Zdd) -> Result<GraphPicture, Failure> {
        self.heats()?;
        let counts =
            zdd.value_counts().into_iter().map(|mut values| values.pop().unwrap_or_default());
        let uses: Vec<_> = self.order.iter().copied().zip(counts).collect();
        let picture = GraphPicture::new(self.graph());
        Ok(match self.elements.unit() {
            Unit::Edge => picture.edge_uses(uses, &zdd.count()),
            Unit::Vertex | Unit::Colour => picture.vertex_uses(uses, &zdd.count()),
        })
    }
}
