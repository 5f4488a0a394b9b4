//! The places of everything in a picture of a graph.

use topdd_graph::Graph;

use super::curves::{Curve, Curves};
use super::labels::{self, TakenPlaces};
use super::layout::GraphLayout;
use crate::svg::point::Rect;

/// The number of times that a drawing grows so that its names have room.
const MAX_GROWTHS: usize = 4;
/// The factor of each time.
const GROWTH: f64 = 1.25;

/// The place of the name of a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) enum NamePlace {
    /// In the vertex, with capitals of this height.
    Inside(f64),
    Beside(Rect),
}

/// The places of vertices, edges and names.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    pub(super) layout: GraphLayout,
    pub(super) curves: Vec<Curve>,
    /// The place of each name.
    pub(super) names: Vec<NamePlace>,
    pub(super) labels: TakenPlaces,
    /// The number of times that edges pass under vertices.
    collisions: usize,
}

impl Arrangement {
    /// Arranges a graph at its own positions, or by springs; on a circle if edges pass under fewer
    /// vertices there.
    pub(super) fn new(graph: &Graph, y_up: bool) -> Self {
        if let Some(positions) = graph.positions() {
            return Self::grown(graph, GraphLayout::at_positions(graph, positions, y_up));
        }
        let springs = Self::grown(graph, GraphLayout::by_springs(graph));
        if springs.collisions == 0 {
            return springs;
        }
        let circle = Self::grown(graph, GraphLayout::on_circle(graph));
        if circle.collisions < springs.collisions { circle } else { springs }
    }

    /// Arranges edges and names, with vertices farther apart if they lack room.
    fn grown(graph: &Graph, mut layout: GraphLayout) -> Self {
        let mut arranged = Self::at(graph, &layout);
        for _ in 0..MAX_GROWTHS {
            let lacks_room = arranged.collisions > 0 || arranged.labels.overlaps > 0;
            if !lacks_room || !layout.grow(GROWTH) {
                break;
            }
            arranged = Self::at(graph, &layout);
        }
        arranged
    }

    fn at(graph: &Graph, layout: &GraphLayout) -> Self {
        let curves = Curves::new(graph, layout);
        let mut labels = TakenPlaces::new(layout, &curves.of_edges);
        let place = |(vertex, &point)| {
            let name = graph.vertex_name(vertex);
            match labels::size_inside(&name, layout.radius) {
                Some(size) => NamePlace::Inside(size),
                None => NamePlace::Beside(labels.beside(point, &name, labels::NAME)),
            }
        };
        let names = layout.points.iter().enumerate().map(place).collect();
        let collisions = curves.collisions;
        Arrangement { layout: layout.clone(), curves: curves.of_edges, names, labels, collisions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_stand_beside_their_vertices() {
        let names = (0..30).map(|vertex| format!("a long name {vertex}"));
        let graph = Graph::random_gnp(30, 0.1, 3).with_vertex_labels(names).unwrap();
        let arranged = Arrangement::new(&graph, true);
        let beside: Vec<Rect> = arranged
            .names
            .iter()
            .filter_map(|name| match name {
                NamePlace::Beside(rect) => Some(*rect),
                NamePlace::Inside(_) => None,
            })
            .collect();
        assert_eq!(beside.len(), 30);
        assert_eq!((arranged.labels.overlaps, arranged.collisions), (0, 0));
        for (place, rect) in beside.iter().enumerate() {
            assert!(beside[..place].iter().all(|other| !rect.overlaps(other)), "{place}");
        }
    }

    #[test]
    fn edges_pass_under_no_vertex_in_graphs_of_many_shapes() {
        for graph in [
            Graph::random_gnp(40, 0.15, 2),
            Graph::random_gnp(30, 0.5, 4),
            Graph::named("karate").unwrap(),
            Graph::torus(4, 6),
            Graph::complete(12),
        ] {
            let collisions = Arrangement::new(&graph, true).collisions;
            assert_eq!(collisions, 0, "{} vertices", graph.num_vertices());
        }
    }

    #[test]
    fn short_names_are_inside() {
        let arranged = Arrangement::new(&Graph::random_gnp(30, 0.1, 3), true);
        assert!(arranged.names.iter().all(|name| matches!(name, NamePlace::Inside(_))));
    }
}
