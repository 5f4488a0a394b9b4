use crate::check::RandomSpec;
use crate::diagram::DiagramRule;
use crate::{AnyDiagram, Bdd, Diagram, FileError, Position, Rule, Zdd, bdd, zdd};
use proptest::prelude::*;

/// The family of the docs.
const SMALL: &str = r#"{
"format": "topdd", "version": 1, "rule": "zero-suppressed",
"arities": [2, 2, 2],
"root": 3,
"levels": [
{"variable": 1, "nodes": [
{"id": 3, "edges": [[0, 2], [1, 2]]}
]},
{"variable": 2, "nodes": [
{"id": 2, "edges": [[1, 1]]}
]}
]
}
"#;

#[test]
fn the_text_is_as_described() {
    let zdd = Zdd::read_json(SMALL.as_bytes()).unwrap();
    assert!(zdd.iter().eq([[0, 0, 1], [0, 1, 1]]));
    assert_eq!(zdd.to_json(), SMALL);
    let none = r#"{"levels": [], "root": 0, "rule": "any-value", "arities": [], "version": 1,
        "format": "topdd", "comment": {"by": ["others"]}}"#;
    assert!(Bdd::read_json(none.as_bytes()).unwrap().is_empty());
}

/// Levels upside down, a redundant node, a twin, a node that nothing leads to, and edges
/// out of order or to 0.
#[test]
fn diagrams_of_other_programs_are_reduced() {
    let text = r#"{"format": "topdd", "version": 1, "rule": "zero-suppressed",
        "arities": [2, 2, 2], "root": 1000000000000, "levels": [
        {"variable": 2, "nodes": [{"id": 9, "edges": [[1, 1], [0, 0]]}, {"id": 8, "edges": [[1, 1]]}]},
        {"variable": 1, "nodes": [{"id": 5, "edges": [[1, 8], [0, 9]]}, {"id": 6, "edges": []}]},
        {"variable": 0, "nodes": [{"id": 1000000000000, "edges": [[0, 5], [1, 6]]}]}]}"#;
    assert_eq!(Zdd::read_json(text.as_bytes()).unwrap().to_json(), SMALL);
}

#[test]
fn errors_name_the_position_in_the_document() {
    for (from, to, place, word) in [
        ("\"topdd\"", "\"other\"", "format", "another kind"),
        ("1, \"rule\"", "2, \"rule\"", "version", "not 2"),
        ("zero-suppressed", "zero", "rule", "neither"),
        ("[2, 2, 2]", "[2, 0, 2]", "arities[1]", "at least one"),
        ("\"root\": 3", "\"root\": 4", "root", "no node 4"),
        ("\"variable\": 2", "\"variable\": 3", "levels[1].variable", "there are 3"),
        ("\"id\": 2", "\"id\": 1", "levels[1].nodes[0].id", "terminals"),
        ("\"id\": 2", "\"id\": 3", "levels[1].nodes[0].id", "two nodes"),
        ("[1, 2]]", "[1, 7]]", "levels[0].nodes[0].edges[1]", "no node 7"),
        ("[1, 2]]", "[2, 2]]", "levels[0].nodes[0].edges[1]", "no value 2"),
        ("[1, 2]]", "[0, 2]]", "levels[0].nodes[0]", "two edges for value 0"),
        ("[1, 1]]", "[1, 3]]", "levels[1].nodes[0].edges[0]", "later"),
        ("[1, 1]]", "[1, 2]]", "levels[1].nodes[0].edges[0]", "later"),
    ] {
        let text = SMALL.replacen(from, to, 1);
        assert_ne!(text, SMALL);
        match Zdd::read_json(text.as_bytes()) {
            Err(FileError::Malformed { at: Position::Item(at), message, .. }) => {
                assert_eq!(at, place);
                assert!(message.contains(word), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
    for (from, to, line, word) in [
        ("\"version\": 1", "\"version\": -1", 2, "invalid value"),
        ("\"levels\"", "levels", 5, "key must be a string"),
        ("[0, 2]", "[0]", 7, "invalid length"),
        ("\n]\n}\n", "", 11, "EOF"),
        ("\"root\": 3,", "", 13, "missing field `root`"),
        ("\n]\n}\n", "\n]\n}\n?", 14, "trailing"),
    ] {
        match Zdd::read_json(SMALL.replacen(from, to, 1).as_bytes()) {
            Err(FileError::Malformed { at: Position::Line(at, _), message, .. }) => {
                assert_eq!(at, line, "{message}");
                assert!(message.contains(word) && !message.contains("line"), "{message}");
            }
            other => panic!("{other:?}"),
        }
    }
    let of_dd = "{\n\"level_of_var\": {\"x\": 0},\n\"roots\": [2],\n\"2\": [0, \"F\", \"T\"]\n}";
    let error = AnyDiagram::read_json(of_dd.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("JSON of the Python package dd; write a DDDMP file"), "{error}");
    let (found, expected) = (Rule::ZeroSuppressed, Rule::AnyValue);
    let error = Bdd::read_json(SMALL.as_bytes()).unwrap_err();
    assert_eq!(error, FileError::OtherRule { path: None, found, expected });
}

proptest! {
    #[test]
    fn written_diagrams_are_read_back(seed: u64) {
        fn goes_around<R: DiagramRule>(diagram: &Diagram<R>) -> AnyDiagram {
            let text = diagram.to_json();
            assert!(Diagram::<R>::read_json(text.as_bytes()).unwrap() == *diagram);
            AnyDiagram::read_json(text.as_bytes()).unwrap()
        }
        let spec = RandomSpec::new(seed);
        let (zdd, bdd) = (zdd(&spec).unwrap(), bdd(&spec).unwrap());
        prop_assert_eq!(goes_around(&zdd), AnyDiagram::Zdd(zdd));
        prop_assert_eq!(goes_around(&bdd), AnyDiagram::Bdd(bdd));
    }

    /// Reading a changed text does not panic, and a diagram that is read from one can be queried.
    #[test]
    fn changed_texts_are_refused_or_read(
        seed in 0..50u64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), "[0-9,\\[\\]{} ]{0,3}", 0..4usize), 1..4),
    ) {
        let mut text = zdd(&RandomSpec::new(seed)).unwrap().to_json();
        for (at, new, length) in changes {
            if !text.is_empty() {
                let at = at.index(text.len());
                let end = text.len().min(at + length);
                text.replace_range(at..end, &new);
            }
        }
        match AnyDiagram::read_json(text.as_bytes()) {
            Ok(diagram) => drop(diagram.count()),
            Err(FileError::Malformed { .. }) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}
