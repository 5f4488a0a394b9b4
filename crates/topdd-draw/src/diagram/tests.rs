use topdd::diagram::{Diagram, DiagramRule};
use topdd::{DdSpec, FileError, SpecExt, Step, Zdd, bdd, zdd};

use super::diagram;

/// Permutations of `0..n`: a value that was taken before is not taken again.
struct Permutations {
    n: usize,
}

impl DdSpec for Permutations {
    type State = u32;
    fn num_vars(&self) -> usize {
        self.n
    }
    fn arity(&self, _: usize) -> usize {
        self.n
    }
    fn root(&self) -> Step<u32> {
        Step::To(0, 0)
    }
    fn child(&self, taken: &u32, variable: usize, value: usize) -> Step<u32> {
        if taken >> value & 1 == 1 {
            Step::Zero
        } else if variable + 1 == self.n {
            Step::One
        } else {
            Step::To(variable + 1, taken | 1 << value)
        }
    }
}

fn drawn<R: DiagramRule>(of: &Diagram<R>) -> String {
    diagram(&of.shape(500).unwrap()).to_string()
}

/// How often something occurs.
fn times(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn everything_is_drawn() {
    let four = zdd(&Permutations { n: 4 }.boxed()).unwrap();
    let text = drawn(&four);
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    assert_eq!(times(&text, "<circle class=\"node\""), four.node_count());
    assert_eq!(times(&text, "<rect class=\"terminal\""), 1);
    assert_eq!(times(&text, "class=\"variable\""), 4);
    let edges = four
        .to_dot()
        .lines()
        .filter(|line| line.contains("label=\"") && line.contains("->"))
        .count();
    assert_eq!(times(&text, "<text class=\"value\""), edges);
    assert!(text.contains("Zdd over 4 variables of 4 values: skipped variables are 0"));
    assert_eq!(times(&text, "NaN") + times(&text, "inf"), 0, "{text}");
}

#[test]
fn the_edges_of_the_solutions_left_are_marked() {
    // The last two values are free, and edges skip them to the terminal together.
    let zdd = Zdd::from_solutions([2; 4], [[0, 1, 0, 0], [1, 0, 0, 0], [1, 1, 0, 1]]).unwrap();
    let mut configurator = zdd.configure().unwrap();
    let marked =
        |text: &str| [times(text, "class=\"edge left\""), times(text, "class=\"edge zero left\"")];
    let all = diagram(&configurator.shape(500).unwrap()).to_string();
    assert_eq!(times(&all, "left\""), times(&all, "class=\"edge") - 1 + zdd.node_count());
    configurator.choose(0, 0).unwrap();
    // From variable 0 to 1 and on to the terminal, past the row of variable 3.
    let text = diagram(&configurator.shape(500).unwrap()).to_string();
    assert_eq!(marked(&text), [2, 1], "{text}");
    configurator.reset();
    configurator.choose(3, 1).unwrap();
    let text = diagram(&configurator.shape(500).unwrap()).to_string();
    assert_eq!(marked(&text), [3, 0], "{text}");
}

#[test]
fn diagrams_that_are_too_large_are_not_drawn() {
    let nine = zdd(&Permutations { n: 9 }.boxed()).unwrap();
    let error = nine.shape(500).unwrap_err();
    assert!(matches!(error, FileError::TooLargeToDraw { nodes: 510, limit: 500, .. }), "{error:?}");
    // Few nodes, many edges.
    let error = zdd(&Permutations { n: 6 }.boxed()).unwrap().shape(80);
    assert!(
        matches!(error, Err(FileError::TooLargeToDraw { nodes: 62, limit: 80, .. })),
        "{error:?}"
    );
}

#[test]
fn any_diagram_can_be_drawn() {
    for seed in 0..200 {
        let spec = topdd::check::RandomSpec::new(seed);
        for text in [drawn(&zdd(&spec).unwrap()), drawn(&bdd(&spec).unwrap())] {
            assert_eq!(times(&text, "<rect class=\"terminal\""), 1, "{seed}");
            assert_eq!(times(&text, "NaN") + times(&text, "inf"), 0, "{seed}");
        }
    }
}
