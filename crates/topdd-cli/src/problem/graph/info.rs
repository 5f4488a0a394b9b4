//! Facts about a graph.

use std::collections::HashSet;

use serde_json::json;
use topdd_graph::Graph;
use topdd_graph::families::Unit;
use topdd_graph::format::GraphFile;

use super::input::Source;
use crate::args::GraphInfo;
use crate::failure::Failure;
use crate::output::print;
use topdd_problem::decimal::Scale;

/// `topdd graph info`.
pub(crate) fn info(asked: &GraphInfo) -> Result<(), Failure> {
    let source = Source::of_facts("info", &asked.input);
    let file = source.read()?;
    let graph = &file.graph;
    let facts = Facts::new(graph);
    let weight = total(source, &file)?;
    let text = if asked.facts.json {
        let answer = json!({
            "file": source.name(),
            "vertices": graph.num_vertices(),
            "edges": graph.num_edges(),
            "directed": graph.is_directed(),
            "components": graph.num_components(),
            "loops": facts.loops,
            "parallel": facts.parallel,
            "degrees": facts.degrees.map(|(least, most)| json!({ "least": least, "most": most })),
            "bipartite": facts.bipartite,
            "weight": weight.as_ref().ok(),
            "weight_error": weight.as_ref().err(),
            "max_length": file.max_length,
            "terminals": file.terminals.iter().map(|&v| graph.vertex_name(v)).collect::<Vec<_>>(),
        });
        format!("{answer}\n")
    } else {
        facts.text(graph, &source.name(), &weight)
    };
    print(|out| out.write_all(text.as_bytes()))
}

struct Facts {
    loops: usize,
    /// The number of edges that join the same vertices as an earlier one.
    parallel: usize,
    /// The least and the greatest degree.
    degrees: Option<(usize, usize)>,
    bipartite: bool,
}

impl Facts {
    fn new(graph: &Graph) -> Self {
        let mut seen = HashSet::new();
        let ends = graph
            .edges()
            .iter()
            .map(|&(a, b)| if graph.is_directed() { (a, b) } else { (a.min(b), a.max(b)) });
        let degrees = (0..graph.num_vertices()).map(|vertex| graph.degree(vertex));
        Facts {
            loops: graph.edges().iter().filter(|(a, b)| a == b).count(),
            parallel: ends.filter(|&ends| !seen.insert(ends)).count(),
            degrees: degrees.clone().min().zip(degrees.max()),
            bipartite: is_bipartite(graph),
        }
    }

    fn text(&self, graph: &Graph, name: &str, weight: &TotalWeight) -> String {
        let mut lines = vec![
            format!("graph       {name}"),
            format!("vertices    {}", graph.num_vertices()),
            format!(
                "edges       {}{}",
                graph.num_edges(),
                if graph.is_directed() { ", directed" } else { "" }
            ),
            format!("components  {}", graph.num_components()),
        ];
        if let Some((least, most)) = self.degrees {
            lines.push(format!("degrees     {least} to {most}"));
        }
        if self.loops + self.parallel > 0 {
            lines.push(format!("loops       {}", self.loops));
            lines.push(format!("parallel    {}", self.parallel));
        }
        lines.push(format!("bipartite   {}", if self.bipartite { "yes" } else { "no" }));
        match weight {
            Ok(Some(weight)) => lines.push(format!("weight      {weight} in all")),
            Ok(None) => {}
            Err(why) => lines.push(format!("weight      unknown: {why}")),
        }
        lines.join("\n") + "\n"
    }
}

/// The sum of the weights of all edges, none for a graph without weights, or the reason why there is no sum.
type TotalWeight = Result<Option<String>, String>;

fn total(source: Source<'_>, file: &GraphFile) -> Result<TotalWeight, Failure> {
    let weights = match (Source { quiet: true, ..source }.weights(file, Unit::Edge)) {
        Err(Failure::Failed(why)) => return Ok(Err(why)),
        weights => weights?,
    };
    Ok(Ok(weights.map(|weights| {
        let scale = Scale::new(&weights);
        let whole = |&weight| i128::from(scale.whole(weight).expect("checked by the reader"));
        scale.text(weights.iter().map(whole).sum())
    })))
}

/// Whether the vertices have two sides with every edge between them. Linear time.
fn is_bipartite(graph: &Graph) -> bool {
    let mut sides = vec![None; graph.num_vertices()];
    let mut open = Vec::new();
    for start in 0..graph.num_vertices() {
        if sides[start].is_some() {
            continue;
        }
        sides[start] = Some(false);
        open.push(start);
        while let Some(vertex) = open.pop() {
            for &edge in graph.incident(vertex) {
                let (a, b) = graph.edges()[edge];
                let other = a ^ b ^ vertex;
                if sides[other].is_none() {
                    sides[other] = sides[vertex].map(|side: bool| !side);
                    open.push(other);
                } else if sides[other] == sides[vertex] {
                    return false;
                }
            }
        }
    }
    true
}
