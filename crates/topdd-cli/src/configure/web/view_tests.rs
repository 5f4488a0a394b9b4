//! Pages of solutions, and the parts of the diagram, agree with lists of all solutions.

use clap::Parser;
use serde_json::{Value, json};
use topdd::diagram::AnyValue;
use topdd::{Bdd, Goal, Weights};
use topdd_problem::{CellTable, Decimal, Nouns, Scale, Weighing};

use super::*;
use crate::args::{Args, Command};
use crate::configure::subject;

const DECISIONS: [&[&str]; 4] =
    [&[], &["choose 0=1"], &["forbid 1=2", "choose 2=3"], &["forbid 3=0", "forbid 0=2"]];

fn chairs() -> Bdd {
    topdd::bdd(&topdd::constraint::all_different([4, 5, 6, 4])).expect("a diagram")
}

/// Weights with a decimal.
fn weighing(goal: Goal) -> Weighing {
    let weights = Weights::from_fn(&chairs(), |v, value| [3, -10, 25, 7][(v * 3 + value) % 4]);
    let tenth: Decimal = "0.1".parse().expect("a number");
    Weighing { weights, scale: Scale::new([&tenth]), goal }
}

fn start(goal: Option<Goal>) -> Start<AnyValue> {
    let bdd = chairs();
    let arities = (0..bdd.num_vars()).map(|variable| bdd.arity(variable)).collect();
    let table = Arc::new(CellTable::list("chairs".to_owned(), arities, None, Nouns::VARIABLES));
    let configurator = bdd.configure().expect("solutions");
    Start { configurator, table, weighing: goal.map(weighing).map(Arc::new), seed: None }
}

/// The solutions that agree with decisions.
fn left(decisions: &[&str]) -> Vec<Vec<usize>> {
    let agrees = |solution: &Vec<usize>| {
        decisions.iter().all(|line| {
            let (command, place) = line.split_once(' ').expect("a command");
            let (variable, value) = place.split_once('=').expect("a place");
            let has = solution[variable.parse::<usize>().unwrap()].to_string() == value;
            has == (command == "choose")
        })
    };
    chairs().iter().filter(agrees).collect()
}

fn ask(start: &Start<AnyValue>, body: &Value) -> Result<Value, String> {
    page::answer(&mut start.model(), "solutions", body.to_string().as_bytes()).expect("a path")
}

/// The values of the solutions of a page.
fn values(page: &Value) -> Vec<Vec<usize>> {
    let of = |solution: &Value| {
        let cells = solution["cells"].as_array().expect("cells").iter();
        cells.map(|cell| cell[1].as_u64().expect("a value") as usize).collect()
    };
    page["solutions"].as_array().expect("solutions").iter().map(of).collect()
}

/// All solutions with their weights, page by page.
fn all_pages(start: &Start<AnyValue>, decisions: &[&str], order: &str) -> Vec<(Vec<usize>, Value)> {
    let (mut all, mut from, mut before) = (Vec::new(), json!("0"), Value::Null);
    while from != Value::Null {
        let page = ask(start, &json!({ "decisions": decisions, "order": order, "from": from }));
        let page = page.expect("a page");
        assert_eq!(page["first"], (all.len() + 1).to_string());
        assert_eq!(page["previous"], before);
        let weights = page["solutions"].as_array().unwrap().iter().map(|s| s["weight"].clone());
        all.extend(values(&page).into_iter().zip(weights));
        assert_eq!(page["last"], all.len().to_string());
        (before, from) = (from, page["next"].clone());
    }
    all
}

#[test]
fn pages_have_all_solutions_in_their_order() {
    for decisions in DECISIONS {
        let all = left(decisions);
        let pages = all_pages(&start(None), decisions, "listed");
        assert!(all.len() > 24 || !decisions.is_empty());
        assert!(pages.iter().all(|(_, weight)| weight.is_null()));
        assert!(pages.iter().map(|(values, _)| values).eq(&all));
        for goal in [Goal::Minimum, Goal::Maximum] {
            let weighing = weighing(goal);
            let weight = |solution: &Vec<usize>| -> i64 {
                solution
                    .iter()
                    .enumerate()
                    .map(|(v, &value)| weighing.weights.variable(v)[value])
                    .sum()
            };
            let mut sorted: Vec<(i64, Vec<usize>)> =
                all.iter().map(|solution| (weight(solution), solution.clone())).collect();
            let sign = if goal == Goal::Minimum { 1 } else { -1 };
            sorted.sort_by_key(|(weight, solution)| (sign * weight, solution.clone()));
            let start = start(Some(goal));
            let expected = sorted.iter().map(|(weight, solution)| {
                (solution.clone(), json!(weighing.scale.text(i128::from(*weight))))
            });
            assert!(all_pages(&start, decisions, "best").into_iter().eq(expected));
            let body = json!({ "decisions": decisions }).to_string();
            let state = page::answer(&mut start.model(), "state", body.as_bytes())
                .expect("a path")
                .expect("a state");
            let best = weighing.scale.text(i128::from(sorted[0].0));
            assert!(state["weight"].as_str().unwrap().ends_with(&format!("weight {best}")));
            let completed = json!({ "decisions": decisions, "command": "best" }).to_string();
            let state = page::answer(&mut start.model(), "state", completed.as_bytes())
                .expect("a path")
                .expect("a state");
            assert_eq!((&state["left"], solution(&state)), (&json!("1"), sorted[0].1.clone()));
        }
    }
}

/// The values that are chosen or forced in a state.
fn solution(state: &Value) -> Vec<usize> {
    let rows = state["cells"].as_array().expect("rows").iter();
    rows.map(|row| row.as_str().unwrap().find(['c', 'f']).expect("a value")).collect()
}

#[test]
fn a_solution_of_a_page_is_decided_as_a_whole() {
    let start = start(None);
    for decisions in DECISIONS {
        let all = left(decisions);
        let page =
            ask(&start, &json!({ "decisions": decisions, "order": "random" })).expect("a page");
        let drawn = values(&page);
        assert_eq!(drawn.len(), all.len().min(12));
        for (values, listed) in drawn.iter().zip(page["solutions"].as_array().unwrap()) {
            assert_eq!(drawn.iter().filter(|other| *other == values).count(), 1);
            let rank = all.iter().position(|solution| solution == values).expect("it is left");
            assert_eq!(listed["rank"], rank.to_string());
            assert_eq!(listed["place"], (rank + 1).to_string());
            let command = format!("nth {rank}");
            let body = json!({ "decisions": decisions, "command": command }).to_string();
            let state = page::answer(&mut start.model(), "state", body.as_bytes())
                .expect("a path")
                .expect("a state");
            assert_eq!((&state["left"], &solution(&state)), (&json!("1"), values));
        }
    }
}

#[test]
fn pages_that_do_not_exist_are_refused() {
    let (plain, weighed) = (start(None), start(Some(Goal::Minimum)));
    let from = |order: &str, from: &str| json!({ "decisions": [], "order": order, "from": from });
    let total = chairs().count().to_string();
    let too_few = format!("there are only {total} solutions");
    let too_few = &too_few[..];
    for (start, body, word) in [
        (&plain, from("listed", &total), too_few),
        (&plain, from("listed", "1000000000000000000000000000000"), too_few),
        (&weighed, from("best", "1000000000"), too_few),
        (&plain, from("listed", "-1"), "`-1` is no number"),
        (&plain, from("listed", ""), "`` is no number"),
        (&plain, from("best", "0"), "the solutions have no weights"),
        (&plain, from("worst", "0"), "unknown variant"),
        (&plain, json!({ "decisions": [], "order": "listed", "from": 0 }), "expected a string"),
        (&plain, json!({ "decisions": [], "order": "listed", "k": 5 }), "unknown field"),
        (&plain, json!({ "order": "listed" }), "missing field"),
        (
            &plain,
            json!({ "decisions": ["choose 0=1", "choose 1=1"], "order": "listed" }),
            "cannot be 1",
        ),
    ] {
        let refusal = ask(start, &body).expect_err("a refusal");
        assert!(refusal.contains(word), "{body}: {refusal}");
    }
    // Of many solutions, only the best are listed.
    let many = topdd::Bdd::full([2; 20]).expect("a diagram");
    let weights = Weights::from_fn(&many, |_, value| i64::from(value == 1));
    let weighing = Weighing { weights, scale: Scale::new([]), goal: Goal::Maximum };
    let table = CellTable::list("many".to_owned(), vec![2; 20], None, Nouns::VARIABLES);
    let configurator = many.configure().expect("solutions");
    let (table, weighing) = (Arc::new(table), Some(Arc::new(weighing)));
    let start = Start { configurator, table, weighing, seed: None };
    let last = ask(&start, &from("best", "1188")).expect("the last page");
    assert_eq!((&last["last"], &last["next"]), (&json!("1200"), &Value::Null));
    let refusal = ask(&start, &from("best", "1189")).expect_err("a refusal");
    assert!(refusal.contains("only the best 1200 solutions are listed"), "{refusal}");
}

#[test]
fn the_diagram_has_the_part_of_the_solutions_left() {
    let start = start(None);
    for decisions in DECISIONS {
        let mut model = start.model();
        let body = json!({ "decisions": decisions }).to_string();
        let found = page::answer(&mut model, "diagram", body.as_bytes())
            .expect("a path")
            .expect("a diagram");
        let widths = model.widths();
        let levels = found["levels"].as_array().expect("levels");
        for (variable, (level, [nodes, left])) in levels.iter().zip(&widths).enumerate() {
            assert_eq!(
                *level,
                json!({ "name": variable.to_string(), "nodes": nodes, "left": left })
            );
        }
        assert_eq!(levels.len(), 4);
        assert_eq!(found["nodes"], chairs().node_count());
        let picture = found["picture"].as_str().expect("a small diagram");
        let marked = picture.matches("class=\"node left\"").count();
        assert_eq!(found["left"], marked);
        assert!(marked == chairs().node_count() || !decisions.is_empty());
    }
    let conflict = br#"{"decisions": ["choose 0=1", "choose 1=1"]}"#;
    assert!(page::answer(&mut start.model(), "diagram", conflict).expect("a path").is_err());
    assert!(page::answer(&mut start.model(), "diagram", b"{}").expect("a path").is_err());
}

#[test]
fn levels_of_boards_have_the_names_of_rows_or_squares() {
    for (args, variable, name) in [
        ("queens 5", 0, "row 1"),
        ("queens 5", 4, "row 5"),
        ("queens 5 --any", 7, "c2"),
        ("queens 5 --symmetric", 0, "a1 and e5"),
        ("queens 5 --symmetric", 10, "a3 and e3"),
    ] {
        let words = "topdd configure".split(' ').chain(args.split(' '));
        let Command::Configure(asked) = Args::parse_from(words).command else { panic!("{args}") };
        let table = subject(&asked, |_| String::new()).expect("a board").table;
        assert_eq!(table.level_name(variable), name, "{args}");
    }
}
