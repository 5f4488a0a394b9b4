//! Facts about a graph.

use std::collections::HashSet;

use serde_json::json;
use topdd_graph::Graph;
use topdd_graph::families::Unit;
use topdd_graph::format::GraphFile;
use topdd_problem::Scale;

use super::input::{Loaded, Source};
use crate::args::GraphInfo;
use crate::failure::Failure;
use crate::output::answer;

/// `topdd graph info`.
pub(crate) fn info(asked: &GraphInfo) -> Result<(), Failure> {
    let source = Source::of_facts("info", &asked.input);
    let file = source.read()?;
    let graph = &file.graph;
    let weight = total(source, &file)?;
    let (vertices, edges) = (graph.num_vertices(), graph.num_edges());
    let (name, components, bipartite) =
        (source.name(), graph.num_components(), is_bipartite(graph));
    let loops = graph.edges().iter().filter(|(a, b)| a == b).count();
    let parallel = parallel(graph);
    let degrees = (0..vertices).map(|vertex| graph.degree(vertex));
    let degrees = degrees.clone().min().zip(degrees.max());
    let object = || {
        json!({
            "file": name,
            "vertices": vertices,
            "edges": edges,
            "directed": graph.is_directed(),
            "components": components,
            "loops": loops,
            "parallel": parallel,
            "degrees": degrees.map(|(least, most)| json!({ "least": least, "most": most })),
            "bipartite": bipartite,
            "weight": weight.as_ref().ok(),
            "weight_error": weight.as_ref().err(),
            "max_length": file.max_length,
            "terminals": file.terminals.iter().map(|&v| graph.vertex_name(v)).collect::<Vec<_>>(),
        })
    };
    answer(asked.facts.json, object, || {
        let direction = if graph.is_directed() { ", directed" } else { "" };
        let mut lines = vec![
            format!("graph       {name}"),
            format!("vertices    {vertices}"),
            format!("edges       {edges}{direction}"),
            format!("components  {components}"),
        ];
        lines.extend(degrees.map(|(least, most)| format!("degrees     {least} to {most}")));
        if loops + parallel > 0 {
            lines.extend([format!("loops       {loops}"), format!("parallel    {parallel}")]);
        }
        lines.push(format!("bipartite   {}", if bipartite { "yes" } else { "no" }));
        match &weight {
            Ok(Some(weight)) => lines.push(format!("weight      {weight} in all")),
            Ok(None) => {}
            Err(why) => lines.push(format!("weight      unknown: {why}")),
        }
        lines.join("\n") + "\n"
    })
}

/// The number of edges that join the same vertices as an earlier one.
fn parallel(graph: &Graph) -> usize {
    let mut seen = HashSet::new();
    let ends = |&(a, b): &(usize, usize)| {
        if graph.is_directed() { (a, b) } else { (a.min(b), a.max(b)) }
    };
    graph.edges().iter().map(ends).filter(|&ends| !seen.insert(ends)).count()
}

/// The sum of the weights of all edges, none for a graph without weights, or the reason why there is no sum.
type TotalWeight = Result<Option<String>, String>;

fn total(source: Source<'_>, file: &GraphFile) -> Result<TotalWeight, Failure> {
    let source = Source { quiet: true, ..source };
    let weights = match (Loaded { source, file }.weights(Unit::Edge)) {
        Err(Failure::Failed(why)) => return Ok(Err(why)),
        weights => weights?,
    };
    Ok(Ok(weights.map(|weights| {
        let scale = Scale::new(&weights);
        let whole = |&weight| i128::from(scale.whole(weight).expect("checked by the reader"));
        scale.text(weights.iter().map(whole).sum())
    })))
}

/// Whether the vertices have two sides with every edge between them: then a graph with each vertex on both sides, in which
/// edges lead from one side to the other, has two copies of each component. Linear time.
fn is_bipartite(graph: &Graph) -> bool {
    let vertices = graph.num_vertices();
    let edges = graph.edges().iter().flat_map(|&(a, b)| [(a, b + vertices), (b, a + vertices)]);
    let cover = Graph::new(2 * vertices, edges).expect("twice the edges of a graph");
    cover.num_components() == 2 * graph.num_components()
}
