//! The dialogue in lines of text, as a terminal shows it.

mod brute_force;

use std::sync::Arc;

use clap::Parser;
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use topdd::{AnyDiagram, Goal, Weights};
use topdd_problem::dialogue::{Dialogue, Table};
use topdd_problem::{CellTable, Decimal, Name, Nouns, Scale, Weighing};

use super::script::{self, ReplyForm};
use super::{Configured, subject};
use crate::args::{Args, Command};

/// A board of queens, as `topdd configure queens` starts with these arguments.
fn queens(args: &str) -> Dialogue<ZeroSuppressed> {
    let words = "topdd configure queens".split(' ').chain(args.split_whitespace());
    let Command::Configure(asked) = Args::parse_from(words).command else { panic!("{args}") };
    let Configured { diagram, table, .. } =
        subject(&asked, |_| unreachable!("no file")).expect("a board");
    let AnyDiagram::Zdd(zdd) = diagram else { panic!("{args}") };
    Dialogue::new(zdd.configure().expect("solutions"), table, 1)
}

/// The dialogue at a terminal in which these lines are typed, separated by semicolons.
fn typed<R: DiagramRule>(model: &mut Dialogue<R>, lines: &str) -> String {
    let lines = lines.replace("; ", "\n") + "\n";
    let mut out = Vec::new();
    let wrong =
        script::run(model, lines.as_bytes(), &mut out, ReplyForm::Terminal).expect("written");
    assert!(wrong.is_none());
    String::from_utf8(out).expect("text")
}

/// The replies to these lines, separated by semicolons.
fn replies<R: DiagramRule>(model: &mut Dialogue<R>, lines: &str) -> Vec<String> {
    let reply = |line| model.command(line).expect("a command").text;
    lines.split("; ").map(reply).collect()
}

#[test]
fn a_terminal_shows_the_board_after_each_change() {
    let lines = "choose b4; why d3; chose a1; choose a4; quit; nonsense";
    assert_eq!(
        typed(&mut queens("4"), lines),
        "\
queens on 4x4: 2 of 2 left

4 - . . -
3 . - - .
2 . - - .
1 - . . -
  a b c d

Q chosen, q forced, . free, x forbidden and - impossible. `help` lists the commands.
> queen on b4: 1 of 2 left

4 - Q - -
3 - - - q
2 q - - -
1 - - q -
  a b c d

> a queen must stand on d3, because of: queen on b4
> there is no command `chose`: write choose, forbid, free, is, why, anyway, opposing, undo, redo, sample, best, nth, \
         clear, left, weight, decisions, show, help or quit; `help` explains them
> refused: no queen can stand on a4: it is so in every solution
> "
    );
}

#[test]
fn help_explains_each_command() {
    let text = typed(&mut queens("4"), "help");
    for (usage, meaning) in topdd_problem::dialogue::COMMANDS {
        let is_shown = text.lines().any(|line| {
            line.trim_start_matches("> ").trim_start().starts_with(usage) && line.ends_with(meaning)
        });
        assert!(is_shown, "{usage}: {text}");
        let line = usage.replace('3', "0");
        assert!(queens("4").command(&line).is_ok(), "{line}");
    }
}

#[test]
fn reasons_of_each_status_are_named() {
    let mut model = queens("4");
    assert_eq!(
        replies(&mut model, "choose b4; why b4; why d3; forbid d3; undo; why b4; why a4"),
        [
            "queen on b4",
            "decided: queen on b4",
            "a queen must stand on d3, because of: queen on b4",
            "a queen must stand on d3, because of: queen on b4",
            "undone",
            "b4 is free: 1 of 2 solutions have it",
            "no queen can stand on a4: it is so in every solution",
        ]
    );
}

#[test]
fn a_sample_completes_and_is_undone_at_once() {
    let mut model = queens("8");
    replies(&mut model, "choose a8; sample");
    assert_eq!(*model.left(), 1u32.into());
    let decided = model.decisions().to_vec();
    replies(&mut model, "undo");
    assert_eq!((model.decisions().len(), model.left()), (1, &4u32.into()));
    replies(&mut model, "redo");
    assert_eq!(model.decisions(), decided);
    replies(&mut model, "clear");
    assert_eq!((model.decisions().len(), model.left()), (0, &92u32.into()));
    let mut again = queens("8");
    replies(&mut again, "choose a8; sample");
    assert_eq!(again.decisions(), decided);
}

#[test]
fn symmetric_queens_are_decided_together() {
    let mut model = queens("6 --symmetric");
    assert_eq!(replies(&mut model, "choose b6"), ["queen on e1 and b6"]);
    assert_eq!(Table(&model).to_string().matches('Q').count(), 2);
}

/// Three variables of different arities under the rule of BDDs: if variable 0 is 1, variable 2
/// must be 1 and variable 1 may be anything; else variable 1 must be 2.
fn mixed(names: Option<[&str; 3]>) -> Dialogue<AnyValue> {
    let text = r#"{"format": "topdd", "version": 1, "rule": "any-value", "arities": [2, 3, 2],
        "root": 4, "levels": [
            {"variable": 0, "nodes": [{"id": 4, "edges": [[0, 3], [1, 2]]}]},
            {"variable": 1, "nodes": [{"id": 3, "edges": [[2, 1]]}]},
            {"variable": 2, "nodes": [{"id": 2, "edges": [[1, 1]]}]}]}"#;
    let AnyDiagram::Bdd(bdd) = AnyDiagram::read_json(text.as_bytes()).expect("a diagram") else {
        panic!("a BDD")
    };
    let arities = (0..bdd.num_vars()).map(|v| bdd.arity(v)).collect();
    let names = names.map(|names| names.map(|name| Name::Label(name.to_owned())).to_vec());
    let table = CellTable::list("mixed".to_owned(), arities, names, Nouns::VARIABLES);
    Dialogue::new(bdd.configure().expect("solutions"), table, 1)
}

#[test]
fn a_diagram_is_a_table_of_variables() {
    let shown = typed(&mut mixed(None), "choose 0=0; choose 1=0; forbid 2=1");
    assert_eq!(
        shown,
        "\
mixed: 5 of 5 left

0: 0 1
1: 0 1 2
2: 0 1

* chosen and + forced; the other values are free. `help` lists the commands.
> variable 0 = 0: 2 of 5 left

0: 0*
1: 2+
2: 0 1

> refused: variable 1 cannot be 0, because of: variable 0 = 0
> variable 2 != 1: 1 of 5 left

0: 0*
1: 2+
2: 0+

> 
"
    );
}

#[test]
fn a_terminal_shows_the_best_weight_that_is_left() {
    let weights = Weights::from(vec![vec![0, 15], vec![0, 0, 5], vec![0, 0]]);
    let half: Decimal = "0.5".parse().expect("a number");
    let weighing = Weighing { weights, scale: Scale::new([&half]), goal: Goal::Minimum };
    let mut model = mixed(None).with_weights(Some(Arc::new(weighing)));
    let shown = typed(&mut model, "choose 0=1; best; undo; undo");
    let weights: Vec<&str> = shown.lines().filter(|line| line.contains("weight")).collect();
    assert_eq!(
        weights,
        [
            "mixed: 5 of 5 left, least weight 0.5",
            "> variable 0 = 1: 3 of 5 left, least weight 1.5",
            "> completed at best: least weight 1.5: 1 of 5 left, least weight 1.5",
            "> undone: 3 of 5 left, least weight 1.5",
            "> undone: 5 of 5 left, least weight 0.5",
        ]
    );
}

#[test]
fn names_of_wide_characters_are_aligned_and_complete() {
    let long = "東".repeat(20);
    let text = Table(&mixed(Some(["東京1", "a", &long]))).to_string();
    assert!(text.starts_with(&format!("{}東京1: 0 1\n", " ".repeat(35))), "{text}");
    assert!(text.contains(&format!("\n{long}: 0 1\n")), "{text}");
}
