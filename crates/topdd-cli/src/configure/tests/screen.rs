//! The contents of the screen, in windows of any size.

use std::sync::Arc;

use ratatui::style::Color;
use topdd::diagram::AnyValue;
use topdd::{AnyDiagram, Goal, Status, Weights};

use super::{drawn, lines, press, queens, screen};
use crate::cell_table::{Cell, CellTable};
use crate::configure::end::Table;
use crate::configure::model::Model;
use crate::file::Weighing;
use topdd_problem::decimal::{Decimal, Scale};
use topdd_problem::names::{Name, Nouns};

/// Whether some line contains the text.
fn shows(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}

#[test]
fn a_board_shows_the_consequences_of_decisions() {
    let mut model = queens("4");
    press(&mut model, "right enter down right");
    assert_eq!(
        lines(&drawn(&model, true, (60, 19))),
        "\
queens on 4x4                                    1 of 2 left
  ┌───┬───┬───┬───┐   Decisions: 1
4 │ – │ Q │ – │ – │     queen on b4
  ├───┼───┼───┼───┤
3 │ – │ – │[–]│ q │
  ├───┼───┼───┼───┤
2 │ q │ – │ – │ – │
  ├───┼───┼───┼───┤
1 │ – │ – │ q │ – │     Q  chosen
  └───┴───┴───┴───┘     q  forced
    a   b   c   d       ·  free
                        ×  forbidden
                        –  impossible
                       ( ) a reason
c3: impossible
queen on b4

arrows move  Enter choose or take back  x forbid  ? why
! anyway  u undo  r redo  s complete  c clear  q quit"
            .lines()
            .collect::<Vec<_>>()
    );
}

#[test]
fn an_impossible_decision_is_refused_with_its_reasons() {
    let mut model = queens("8");
    press(&mut model, "enter down right down right right enter");
    assert!(!model.said().refused);
    // Both a8 and d6 attack d5; one of them is enough of a reason.
    press(&mut model, "down enter");
    let lines = screen(&model);
    assert!(model.said().refused);
    assert!(shows(&lines, "no queen can stand on d5, because of: queen on a8"), "{lines:#?}");
    assert!(shows(&lines, "8 │(Q)│") && shows(&lines, "> queen on a8"), "{lines:#?}");
    assert_eq!(model.decisions().len(), 2);
    // The reasons are shown on request, also for a forced square.
    press(&mut model, "?");
    assert!(shows(&screen(&model), "no queen can stand on d5, because of: queen on a8"));
    let mut model = queens("4");
    press(&mut model, "right enter down right right x");
    assert!(shows(&screen(&model), "a queen must stand on d3, because of: queen on b4"));
    press(&mut model, "up left left ?");
    assert!(shows(&screen(&model), "decided: queen on b4"));
    press(&mut model, "u home ?");
    assert!(shows(&screen(&model), "b4 is free: 1 of 2 solutions have it"));
    press(&mut model, "left ?");
    assert!(shows(&screen(&model), "no queen can stand on a4: it is so in every solution"));
}

#[test]
fn decisions_are_taken_back_in_any_order() {
    let mut model = queens("8");
    press(&mut model, "enter tab x tab enter");
    let left = model.left().clone();
    assert_eq!(model.decisions().len(), 3, "{:#?}", screen(&model));
    // The first of them, by going there.
    press(&mut model, "home left left left left left left left enter");
    assert!(shows(&screen(&model), "taken back: queen on a8"));
    assert_eq!(model.decisions().len(), 2);
    press(&mut model, "u");
    assert_eq!((model.decisions().len(), model.left()), (3, &left));
    press(&mut model, "u u u");
    assert_eq!((model.decisions().len(), model.left()), (0, model.all()));
    press(&mut model, "r r r r");
    assert_eq!(model.decisions().len(), 2);
    press(&mut model, "r");
    assert!(model.said().refused);
}

#[test]
fn a_sample_completes_and_is_undone_at_once() {
    let mut model = queens("8");
    press(&mut model, "enter s");
    assert_eq!(*model.left(), 1u32.into());
    let decided = model.decisions().to_vec();
    let stands = |cell: &Cell| matches!(model.status(*cell), Some(Status::Chosen | Status::Forced));
    assert_eq!(model.table().cells().filter(stands).count(), 8);
    press(&mut model, "u");
    assert_eq!((model.decisions().len(), model.left()), (1, &4u32.into()));
    press(&mut model, "r");
    assert_eq!(model.decisions(), decided);
    press(&mut model, "c");
    assert_eq!((model.decisions().len(), model.left()), (0, &92u32.into()));
    let mut again = queens("8");
    press(&mut again, "enter s");
    assert_eq!(again.decisions(), decided);
}

#[test]
fn symmetric_queens_are_decided_together() {
    let mut model = queens("6 --symmetric");
    press(&mut model, "right enter");
    let lines = screen(&model);
    assert!(shows(&lines, "queen on e1 and b6"), "{lines:#?}");
    assert!(lines.iter().filter(|line| line.contains('Q') && line.contains('│')).count() == 2);
}

#[test]
fn no_color_turns_colours_off() {
    let mut model = queens("6");
    press(&mut model, "right enter down enter");
    let coloured = |wanted| {
        let buffer = drawn(&model, wanted, (80, 24));
        buffer.content.iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset)
    };
    assert!(coloured(true));
    assert!(!coloured(false));
}

#[test]
fn windows_of_any_size_are_drawn() {
    let mut board = queens("12 --given a1");
    press(&mut board, "down down down right right right ?");
    let mut list = mixed();
    press(&mut list, "enter down down");
    for height in 0..32 {
        for width in (0..64).chain([200]) {
            let seen = [
                lines(&drawn(&board, true, (width, height))),
                lines(&drawn(&list, false, (width, height))),
            ];
            if width >= 16 && height >= 5 {
                for lines in seen {
                    assert!(shows(&lines, "["), "{width}x{height} {lines:#?}");
                    assert!(shows(&lines, " left"), "{width}x{height} {lines:#?}");
                }
            }
        }
    }
}

#[test]
fn q_and_escape_end_the_dialogue() {
    for key in ["q", "esc"] {
        let mut model = queens("4");
        press(&mut model, key);
        assert!(model.is_over());
    }
}

/// Three variables of different arities under the rule of BDDs: if variable 0 is 1, variable 2
/// must be 1 and variable 1 may be anything; else variable 1 must be 2.
fn mixed() -> Model<AnyValue> {
    table("mixed", None)
}

fn table(title: &str, names: Option<[&str; 3]>) -> Model<AnyValue> {
    let text = r#"{"format": "topdd", "version": 1, "rule": "any-value", "arities": [2, 3, 2],
        "root": 4, "levels": [
            {"variable": 0, "nodes": [{"id": 4, "edges": [[0, 3], [1, 2]]}]},
            {"variable": 1, "nodes": [{"id": 3, "edges": [[2, 1]]}]},
            {"variable": 2, "nodes": [{"id": 2, "edges": [[1, 1]]}]}]}"#;
    let AnyDiagram::Bdd(bdd) = AnyDiagram::read_json(text.as_bytes()).expect("a diagram") else {
        panic!("a BDD")
    };
    Model::new(
        bdd.configure().expect("solutions"),
        CellTable::list(
            title.to_owned(),
            (0..bdd.num_vars()).map(|v| bdd.arity(v)).collect(),
            names.map(|names| names.map(|name| Name::Label(name.to_owned())).to_vec()),
            Nouns::VARIABLES,
        ),
        1,
    )
}

#[test]
fn a_diagram_is_a_table_of_variables() {
    let mut model = mixed();
    press(&mut model, "enter down");
    let lines = lines(&drawn(&model, true, (60, 14)));
    assert_eq!(
        lines[..5],
        [
            "mixed                                            2 of 5 left",
            "   0  1  2    Decisions: 1",
            "0  ●  –         variable 0 = 0",
            "1 [–] –  ○",
            "2  ·  ·",
        ]
    );
    assert!(shows(&lines, "variable 1 = 0: impossible"));
    press(&mut model, "enter");
    assert!(shows(&screen(&model), "variable 1 cannot be 0, because of: variable 0 = 0"));
    // There is no value 2 of variable 2.
    press(&mut model, "right right down");
    assert_eq!(model.cursor(), Cell { row: 2, col: 1 });
    press(&mut model, "x");
    assert_eq!(*model.left(), 1u32.into());
    assert!(shows(&screen(&model), "2  ○ [×]"));
    press(&mut model, "s");
    assert!(shows(&screen(&model), "there is one solution left"));
}

#[test]
fn weights_are_shown_and_the_best_solution_completes() {
    let weights = Weights::from(vec![vec![0, 15], vec![0, 0, 5], vec![0, 0]]);
    let half: Decimal = "0.5".parse().expect("a number");
    let weighing = Weighing { weights, scale: Scale::new([&half]), goal: Goal::Minimum };
    let mut model = mixed().with_weights(Some(Arc::new(weighing)));
    assert!(shows(&screen(&model), "5 of 5 left, least weight 0.5"));
    assert!(shows(&screen(&model), "b complete at best"));
    press(&mut model, "right enter");
    assert!(shows(&screen(&model), "3 of 5 left, least weight 1.5"), "{:#?}", screen(&model));
    press(&mut model, "b");
    assert!(shows(&screen(&model), "completed at best: least weight 1.5"));
    assert_eq!(*model.left(), 1u32.into());
    press(&mut model, "b");
    assert!(shows(&screen(&model), "there is one solution left, and this is it"));
    press(&mut model, "u u");
    assert!(shows(&screen(&model), "5 of 5 left, least weight 0.5"));
    let mut plain = mixed();
    assert!(!shows(&screen(&plain), "best"));
    press(&mut plain, "b");
    assert!(shows(&screen(&plain), "the solutions have no weights"));
}

#[test]
fn names_of_wide_characters_are_aligned() {
    let long = "東".repeat(20);
    let model = table(&long, Some(["東京1", "a", &long]));
    // A wide character fills two columns; the second one is blank here.
    let lines = lines(&drawn(&model, true, (50, 14)));
    let wide = |count: usize| "東 ".repeat(count);
    assert_eq!(lines[0], format!("{}   5 of 5 left", wide(18)));
    assert_eq!(lines[2], format!("{}東 京 1 [·] ·", " ".repeat(19)));
    assert_eq!(lines[3], format!("{}a  ·  ·  ·", " ".repeat(23)));
    assert_eq!(lines[4], format!("{}  ·  ·", wide(12)));
    // In text, names are complete.
    let text = Table(&model).to_string();
    assert!(text.starts_with(&format!("{}東京1: 0 1\n", " ".repeat(35))), "{text}");
    assert!(text.contains(&format!("\n{long}: 0 1\n")), "{text}");
}

#[test]
fn an_impossible_square_is_taken_anyway_when_it_is_asked_twice() {
    let mut model = queens("8");
    press(&mut model, "enter right !");
    assert_eq!(
        model.said().text,
        "queen on b8: this takes back queen on a8; ask once more to confirm"
    );
    assert_eq!(model.decisions(), [topdd::Decision::is(7, 0)]);
    press(&mut model, "!");
    assert_eq!(model.said().text, "queen on b8; taken back: queen on a8");
    // It stays there, however often it is asked.
    press(&mut model, "!");
    assert_eq!(model.said().text, "decided already: queen on b8");
    press(&mut model, "left ! u");
    assert_eq!(model.decisions(), [topdd::Decision::is(7, 0)]);
}
