//! Blocks: the maximal parts of a graph that no single vertex separates.

/// Returns the edges of each block of a graph without loops. A bridge is a block of its own.
///
/// Takes linear time, without recursion. Source: J. Hopcroft and R. Tarjan, *Algorithm 447: efficient
/// algorithms for graph manipulation*, Communications of the ACM 16 (1973).
pub(super) fn blocks(num_vertices: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut incident = vec![Vec::new(); num_vertices];
    for (edge, &(a, b)) in edges.iter().enumerate() {
        incident[a].push(edge);
        incident[b].push(edge);
    }
    // The time at which a vertex was found, 0 before, and the least such time among the vertices
    // that its subtree reaches by one edge.
    let mut found = vec![0; num_vertices];
    let mut low = vec![0; num_vertices];
    let mut time = 0;
    let mut pending = Vec::new();
    let mut blocks = Vec::new();
    for start in 0..num_vertices {
        if found[start] > 0 {
            continue;
        }
        time += 1;
        (found[start], low[start]) = (time, time);
        // The vertices of the current path, the edge to each, and the number of its edges seen.
        let mut path = vec![(start, usize::MAX, 0)];
        while let Some(&mut (vertex, via, ref mut seen)) = path.last_mut() {
            if let Some(&edge) = incident[vertex].get(*seen) {
                *seen += 1;
                let (a, b) = edges[edge];
                let other = a ^ b ^ vertex;
                if edge == via {
                    continue;
                }
                if found[other] == 0 {
                    time += 1;
                    (found[other], low[other]) = (time, time);
                    pending.push(edge);
                    path.push((other, edge, 0));
                } else if found[other] < found[vertex] {
                    pending.push(edge);
                    low[vertex] = low[vertex].min(found[other]);
                }
                continue;
            }
            path.pop();
            let Some(&(parent, ..)) = path.last() else { continue };
            low[parent] = low[parent].min(low[vertex]);
            if low[vertex] >= found[parent] {
                let first = pending.iter().rposition(|&edge| edge == via);
                blocks.push(pending.split_off(first.expect("a tree edge is pending")));
            }
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_two_triangles_at_a_vertex_with_a_tail() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2), (4, 5), (6, 7), (7, 6)];
        let mut found = blocks(9, &edges);
        for block in &mut found {
            block.sort_unstable();
        }
        found.sort_unstable();
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4, 5], vec![6], vec![7, 8]]);
    }
}
