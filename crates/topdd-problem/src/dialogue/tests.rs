//! Names of values, sets without a graph, and decisions that are replaced.

use topdd::constraint::all_different;
use topdd::{Decision, Status, Zdd};

use super::page::{Guard, fragment};
use super::*;
use crate::names::{Name, Nouns};

fn names(texts: &[&str]) -> Vec<Name> {
    texts.iter().map(|text| Name::Label((*text).to_owned())).collect()
}

fn shifts() -> Dialogue<topdd::diagram::ZeroSuppressed> {
    let zdd = topdd::zdd(&all_different([2, 3])).expect("a diagram");
    let days = Some(names(&["mon", "a = b"]));
    let table = CellTable::list("shifts".to_owned(), vec![2, 3], days, Nouns::VARIABLES);
    let early = ["early", "late = 1"].map(str::to_owned).to_vec();
    let off = [early.clone(), vec!["off".to_owned()]].concat();
    Dialogue::new(zdd.configure().expect("solutions"), table.with_values(&[early, off]), 1)
}

#[test]
fn names_of_values_are_read_as_they_are_printed() {
    let mut dialogue = shifts();
    for cell in dialogue.table().cells().collect::<Vec<_>>() {
        let name = dialogue.table().cell_name(cell);
        assert_eq!(dialogue.table().parse(&name), Ok(cell), "{name}");
    }
    dialogue.command("choose mon=\"late = 1\"").expect("a decision");
    assert_eq!(dialogue.said().text, "mon = \"late = 1\"");
    let refused = dialogue.command("choose \"a = b\"=\"late = 1\"").expect("a command").text;
    assert!(refused.starts_with("\"a = b\" cannot be \"late = 1\", because of: mon"), "{refused}");
    assert_eq!(Table(&dialogue).to_string().lines().next(), Some("    mon: \"late = 1\"*"));
    for (text, message) in [
        ("mon=off", "mon has no value `off`: write early or \"late = 1\""),
        ("tue=early", "`tue=early` is no variable and value: write mon=early, say"),
        ("mon", "`mon` is no variable and value: write mon=early, say"),
    ] {
        assert_eq!(dialogue.table().parse(text), Err(message.to_owned()));
    }
}

#[test]
fn values_without_distinct_names_remain_numbers() {
    let twice = || vec!["x".to_owned(), "x".to_owned()];
    let table = CellTable::list(String::new(), vec![2, 2], None, Nouns::VARIABLES);
    let table = table.with_values(&[twice(), twice()]);
    assert_eq!(
        (table.cell_name(Cell { row: 1, col: 1 }), table.value_names(0)),
        ("1=1".to_owned(), None)
    );
}

#[test]
fn members_of_sets_without_a_graph_are_chosen_or_forbidden() {
    let zdd = Zdd::from_solutions([2, 2], [[1, 0], [0, 1]]).expect("a diagram");
    let table =
        CellTable::list(String::new(), vec![2, 2], Some(names(&["a", "b"])), Nouns::VARIABLES);
    let mut dialogue = Dialogue::new(zdd.configure().expect("solutions"), table.with_sets(), 1);
    dialogue.decide(Decision::is(0, 0));
    assert_eq!(
        (dialogue.said().text.as_str(), dialogue.decisions()),
        ("a forbidden", &[Decision::is_not(0, 1)][..])
    );
    assert_eq!(dialogue.status(Cell { row: 0, col: 0 }), Some(Status::Chosen));
    assert_eq!(
        dialogue.why(Cell { row: 1, col: 1 }).text,
        "b cannot be forbidden, because of: a forbidden"
    );
}

#[test]
fn decisions_are_replaced_as_one_action_or_not_at_all() {
    let mut dialogue = shifts();
    let [first, second] = [Decision::is(0, 1), Decision::is_not(1, 2)];
    dialogue.replace_all(&[first]);
    dialogue.replace_all(&[second]);
    assert_eq!(dialogue.decisions(), [second]);
    dialogue.replace_all(&[first, Decision::is(1, 1)]);
    assert!(dialogue.said().refused);
    assert_eq!(dialogue.decisions(), [second]);
    dialogue.undo();
    assert_eq!(dialogue.decisions(), [first]);
    dialogue.replace_all(&[]);
    assert!(dialogue.decisions().is_empty());
    dialogue.undo();
    dialogue.undo();
    assert!(dialogue.decisions().is_empty());
    dialogue.undo();
    assert_eq!(dialogue.said().text, "there is nothing to undo");
    assert_eq!(*dialogue.left(), 4u32.into());
}

#[test]
fn all_decisions_about_a_variable_are_taken_back_as_one_action() {
    let mut dialogue = shifts();
    let decisions = [Decision::is_not(1, 2), Decision::is(0, 0), Decision::is_not(1, 0)];
    dialogue.decide_all(&decisions);
    dialogue.free_variable(1);
    assert_eq!(dialogue.decisions(), [decisions[1]]);
    assert!(dialogue.said().text.starts_with("taken back: "));
    dialogue.free_variable(1);
    assert!(
        dialogue.said().refused && dialogue.said().text.starts_with("nothing is decided about")
    );
    dialogue.undo();
    assert_eq!(dialogue.decisions(), decisions);
}

#[test]
fn an_address_has_the_decisions() {
    let mut dialogue = shifts();
    dialogue.decide(Decision::is(1, 1));
    dialogue.decide(Decision::is_not(1, 2));
    assert_eq!(
        fragment(&dialogue),
        "choose%20%22a%20%3D%20b%22%3D%22late%20%3D%201%22,forbid%20%22a%20%3D%20b%22%3Doff"
    );
}

#[test]
fn a_guard_lets_its_own_page_through_only() {
    let guard = Guard::with_secret(80, "word");
    let own = Some("127.0.0.1:80");
    assert_eq!(guard.check("/word/state", own, Some("http://localhost:80")), Ok(()));
    assert_eq!(guard.rest("/word/state"), "state");
    for (path, host, origin) in [
        ("/other/state", own, None),
        ("/", own, None),
        ("/word/", None, None),
        ("/word/", Some("evil:80"), None),
        ("/word/", own, Some("http://evil")),
    ] {
        assert_eq!(guard.check(path, host, origin).map_err(|(status, _)| status), Err(403));
    }
}
