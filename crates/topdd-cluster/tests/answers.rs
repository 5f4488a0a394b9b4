//! Several processes return the answers of one.

mod support;

use support::specs::{Pieces, Queens, Triangle};
use support::{answers, ask};
use topdd::{Frontier, Weights};
use topdd_cluster::{Cluster, Config};

/// Answers `problem: question, question ...`.
#[test]
#[ignore = "a process that the other tests start"]
fn process() {
    let Some((config, task)) = support::task() else { return };
    let (problem, questions) = task.split_once(": ").unwrap();
    let mut cluster = support::connect(&config, problem);
    for question in questions.split(", ") {
        println!("answer: {}", answer(&mut cluster, problem, question));
    }
}

/// The answer of a cluster, as text.
fn answer(cluster: &mut Cluster, problem: &str, question: &str) -> String {
    let (name, size) = problem.split_once(' ').unwrap();
    let size = size.parse().unwrap();
    let result = match name {
        "queens" => ask(cluster.over(Queens(size)), question, &weights(&Queens(size))),
        "pieces" => ask(cluster.over(pieces(size)), question, &weights(&pieces(size))),
        "triangle" => {
            let ones = Weights::of_ones(vec![1; size]);
            ask(cluster.share(Frontier::joining(Triangle(size))), question, &ones)
        }
        _ => panic!("{name}"),
    };
    result.unwrap_or_else(|error| support::fail(error))
}

fn pieces(cells: usize) -> Pieces {
    Pieces { cells, most: [9, 7, 5] }
}

fn weights(spec: &impl topdd::DdSpec) -> Weights<i64> {
    Weights::from_fn(spec, |variable, value| {
        i64::from((7 * variable + 5 * value * value) as u32 % 11)
    })
}

/// Compares the answers of a cluster with those of one process without it.
fn compare(processes: usize, threads: usize, problem: &str, questions: &str) {
    let found = answers(processes, threads, &format!("{problem}: {questions}"));
    let config = Config::new(["127.0.0.1:0"], 0);
    let mut alone = Cluster::connect(&config, problem).unwrap();
    let expected: Vec<_> =
        questions.split(", ").map(|question| answer(&mut alone, problem, question)).collect();
    assert_eq!(found, expected, "{processes} processes x {threads} threads, {problem}");
}

#[test]
fn counts_equal_those_of_one_process() {
    // A000170.
    assert_eq!(answers(2, 1, "queens 10: count"), ["724"]);
    for (processes, threads) in [(1, 2), (2, 2), (3, 1), (4, 2)] {
        compare(processes, threads, "queens 9", "count, count_bdd");
        compare(processes, threads, "pieces 60", "count, count_bdd");
    }
}

#[test]
fn answers_of_joined_states_equal_those_of_one_process() {
    for (processes, threads) in [(2, 1), (3, 2)] {
        compare(processes, threads, "triangle 50", "count, count_by, profile");
    }
}

#[test]
fn weighted_answers_equal_those_of_one_process() {
    let questions = "count_by, minimum_weight, maximum_weight, best, best_bdd, modulo, profile";
    compare(2, 1, "queens 8", questions);
    compare(3, 2, "pieces 40", questions);
}

#[test]
fn probabilities_equal_those_of_one_process_but_for_rounding() {
    let found = answers(3, 1, "pieces 40: probability")[0].parse::<f64>().unwrap();
    let probabilities = support::probabilities(&weights(&pieces(40)));
    let expected = Frontier::of(pieces(40)).probability(&probabilities).unwrap();
    assert!((found - expected).abs() <= 1e-12 * expected, "{found} {expected}");
}

#[test]
#[ignore = "takes a minute"]
fn larger_answers_equal_those_of_one_process() {
    for processes in [2, 3, 4] {
        for threads in [1, 2] {
            compare(processes, threads, "queens 12", "count, count_by, best");
            compare(processes, threads, "pieces 400", "count, count_bdd");
        }
    }
}
