//! The reliability of a network, as a method of `Graph`.

use pyo3::prelude::*;
use topdd::Rule;
use topdd_graph::families::Reliability;
use topdd_problem::Run;
use topdd_problem::error::digest;

use crate::errors::{Failure, Outcome};
use crate::graph::Graph;
use crate::run::{LimitArgs, Limits};
use crate::universe::{Domain, Universe};
use crate::weights::probabilities;

#[pymethods]
impl Graph {
    /// Returns the probability that the terminals are connected by edges that work, or all vertices without terminals.
    ///
    /// In a directed graph, ``source`` and ``target`` ask for a path from one to the other. ``p`` and ``vertex_p`` are by
    /// default the numbers of the graph; vertices without ``vertex_p`` always work. No diagram is stored.
    ///
    /// >>> import topdd as td
    /// >>> bridge = td.Graph([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)], p=0.9)
    /// >>> round(bridge.reliability([0, 3]), 6)
    /// 0.97848
    #[pyo3(signature = (terminals=None, *, source=None, target=None, p=None, vertex_p=None, **limits))]
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of Python")]
    fn reliability(
        &self,
        terminals: Option<&Bound<'_, PyAny>>,
        source: Option<&Bound<'_, PyAny>>,
        target: Option<&Bound<'_, PyAny>>,
        p: Option<&Bound<'_, PyAny>>,
        vertex_p: Option<&Bound<'_, PyAny>>,
        limits: Option<LimitArgs>,
        py: Python<'_>,
    ) -> Outcome<f64> {
        let graph = self.0.clone();
        let works = probabilities(&Universe::of_edges(&graph), p)?;
        let vertices = match (vertex_p, &graph.vertex_p) {
            (None, None) => None,
            _ => Some(probabilities(&Universe::Graph(graph.clone(), Domain::Vertices), vertex_p)?),
        };
        let ends = match (terminals, source, target) {
            (None, None, None) => None,
            (Some(terminals), None, None) => Some(graph.vertex_list(terminals)?),
            (None, Some(source), Some(target)) => {
                let (from, to) = (graph.vertex(source)?, graph.vertex(target)?);
                if from == to {
                    return Err(Failure::Input(format!(
                        "source and target are the same vertex {source:?}; give two"
                    )));
                }
                Some(vec![from, to])
            }
            _ => {
                return Err(Failure::input("give terminals, or a source and a target, or neither"));
            }
        };
        let has_directions = source.is_some() && graph.core.is_directed();
        if graph.core.is_directed() && !has_directions {
            self.ignore_directions("reliability", py)?;
        }
        // Objects of Python stay on this thread.
        let core = graph.core.clone();
        Limits::new(py, limits)?.run(py, move |task| {
            let mut network = Reliability::new(&core, &works);
            network = match &ends {
                Some(ends) if has_directions => network.directed(ends[0], ends[1]),
                Some(ends) => network.terminals(ends),
                None => network,
            };
            if let Some(vertices) = &vertices {
                network = network.vertex_p(vertices);
            }
            let reduced = network.reduced()?;
            let mut probability = reduced.factor();
            for (number, block) in reduced.blocks().iter().enumerate() {
                let sweep = task.count_sweep(block.frontier(), block.num_vars());
                let key = || digest(&(&core, &ends, has_directions, &works, &vertices, number));
                let mut frontier = task.checkpoint(sweep, &key);
                probability *=
                    frontier.probability_under(Rule::AnyValue, &block.probabilities())?;
            }
            Ok(probability)
        })
    }
}
