//! Several processes build the diagram of one, byte for byte.

mod support;

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use support::specs::{Pieces, Queens};
use support::{Outcome, answers, at_once, kill_one_of_three, run};
use topdd::{BuildError, DdSpec, Diagram, Frontier, LevelReport, Portable, diagram::DiagramRule};
use topdd_cluster::{Cluster, Shared};

/// The variable of the first level that this process has expanded in a run with a checkpoint.
static FIRST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// Builds the diagram `problem size kind`, with the options after that, and saves it to a file.
#[test]
#[ignore = "a process that the other tests start"]
fn process() {
    let Some((config, task)) = support::task() else { return };
    let words: Vec<&str> = task.split(' ').collect();
    let [problem, size, kind, options @ .., path] = &words[..] else { panic!("{task}") };
    let mut cluster = support::connect(&config, &format!("{problem} {size}"));
    let size = size.parse().unwrap();
    match *problem {
        "queens" => build(&mut cluster, &Queens(size), kind, options, path),
        "pieces" => build(&mut cluster, &pieces(size), kind, options, path),
        "many" => build(&mut cluster, &many(size), kind, options, path),
        _ => panic!("{problem}"),
    }
}

fn pieces(cells: usize) -> Pieces {
    Pieces { cells, most: [9, 7, 5] }
}

/// Levels of so many states that they are split into partitions.
fn many(cells: usize) -> Pieces {
    Pieces { cells, most: [80, 60, 40] }
}

fn build(
    cluster: &mut Cluster,
    spec: &(impl DdSpec<State: Portable> + Send),
    kind: &str,
    options: &[&str],
    path: &str,
) {
    let mut shared = cluster.over(spec);
    let (mut options, is_last) = (options, support::is_last());
    while let [name, value, rest @ ..] = options {
        options = rest;
        shared = match *name {
            "limit" => shared.memory_limit(value.parse().unwrap()),
            "spill" => shared.spill_to(value),
            "checkpoint" => {
                let reduced = |_: &_| std::thread::sleep(Duration::from_millis(30));
                shared.checkpoint(value, "diagram").on_level(pause).on_reduced(reduced)
            }
            "abort" => {
                let variable: usize = value.parse().unwrap();
                shared.on_level(move |level| {
                    pause(level);
                    if is_last && level.variable == variable {
                        std::process::exit(9);
                    }
                })
            }
            _ => panic!("{name}"),
        };
    }
    let saved = match kind {
        "zdd" => shared.zdd().map(|zdd| save(zdd, path)),
        "bdd" => shared.bdd().map(|bdd| save(bdd, path)),
        _ => panic!("{kind}"),
    };
    let is_first = saved.unwrap_or_else(|error| support::fail(error));
    assert_eq!(is_first, std::env::var("TOPDD_PROCESS").unwrap() == "0");
    print_figures(&shared);
}

/// Notes a level. It takes longer than the least time between two checkpoints.
fn pause(level: &LevelReport) {
    FIRST.fetch_min(level.variable, Relaxed);
    std::thread::sleep(Duration::from_millis(60));
}

fn save<R: DiagramRule>(diagram: Option<Diagram<R>>, path: &str) -> bool {
    diagram.is_some_and(|diagram| diagram.save(path).is_ok())
}

/// The figures that are equal in all processes.
fn print_figures(shared: &Shared<'_>) {
    let report = shared.report();
    let reduced = report.reduced.iter();
    let levels: Vec<_> = reduced.map(|of| (of.variable, of.states, of.nodes)).collect();
    println!("answer: {levels:?}");
    println!("answer: {}", report.peak_disk_bytes > 0);
    println!("answer: {}", FIRST.load(Relaxed));
}

/// The file of the diagram that one process builds.
fn expected(problem: &str, dir: &Path) -> Result<Vec<u8>, BuildError> {
    let path = dir.join("expected");
    let words: Vec<&str> = problem.split(' ').collect();
    let size = words[1].parse().unwrap();
    let mut frontier = match words[0] {
        "queens" => Frontier::of(Queens(size)),
        "many" => Frontier::of(many(size)),
        _ => Frontier::of(pieces(size)),
    };
    let saved = match words[2] {
        "zdd" => save(Some(frontier.zdd()?), path.to_str().unwrap()),
        _ => save(Some(frontier.bdd()?), path.to_str().unwrap()),
    };
    assert!(saved);
    Ok(fs::read(path).unwrap())
}

/// Compares the file that a cluster saves with that of one process. Returns the figures.
fn compare(processes: usize, threads: usize, problem: &str, options: &str) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("found");
    let figures = answers(processes, threads, &format!("{problem} {options}{}", path.display()));
    let found = fs::read(path).unwrap();
    let is_equal = found == expected(problem, dir.path()).unwrap();
    assert!(is_equal, "{processes} processes x {threads} threads, {problem}");
    figures
}

#[test]
fn diagrams_equal_those_of_one_process() {
    for (processes, threads) in [(1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        compare(processes, threads, "queens 8 zdd", "");
        compare(processes, threads, "pieces 60 zdd", "");
    }
    compare(3, 1, "queens 7 bdd", "");
    compare(4, 1, "pieces 40 bdd", "");
}

#[test]
fn the_report_of_a_reduction_is_the_same_for_any_number_of_processes() {
    let figures = compare(1, 1, "queens 9 zdd", "");
    assert_eq!(compare(3, 1, "queens 9 zdd", ""), figures);
}

#[test]
fn diagrams_of_runs_that_spill_equal_those_of_one_process() {
    let dir = tempfile::tempdir().unwrap();
    let options = format!("limit 300000 spill {} ", dir.path().display());
    assert_eq!(compare(2, 2, "queens 10 zdd", &options)[1], "true");
    let options = format!("limit 500000 spill {} ", dir.path().display());
    assert_eq!(compare(3, 1, "pieces 300 zdd", &options)[1], "true");
}

#[test]
fn a_build_resumes_after_a_process_died() {
    let dir = tempfile::tempdir().unwrap();
    let options = format!("checkpoint {} ", dir.path().display());
    let outcomes = abort(3, "queens 9 zdd", 6, dir.path());
    for Outcome { code, errors, .. } in &outcomes[..2] {
        assert_eq!(*code, Some(1), "{errors}");
        assert!(errors.contains("process 2 (127.0.0.1:"), "{errors}");
    }
    let of_process = dir.path().join("topdd-process-2-of-3");
    assert!(of_process.join("topdd-manifest").exists());
    compare(3, 1, "queens 9 zdd", &options);
    assert!(!of_process.join("topdd-manifest").exists());
}

/// Builds a diagram until the last process aborts after the level of a variable.
fn abort(processes: usize, problem: &str, variable: usize, dir: &Path) -> Vec<Outcome> {
    let dir = dir.display();
    let task = format!("{problem} checkpoint {dir} abort {variable} {dir}/file");
    let outcomes = run(processes, 1, &task);
    assert_eq!(outcomes[processes - 1].code, Some(9), "{}", outcomes[processes - 1].errors);
    outcomes
}

/// Resumes a diagram after a level that was saved before the one of `variable`.
fn resume(processes: usize, problem: &str, variable: usize, dir: &Path) {
    let (problem, options) = problem.split_once(" with ").unwrap_or((problem, ""));
    let options = format!("{options} checkpoint {} ", dir.display());
    let figures = compare(processes, 1, problem, options.trim_start());
    let first: usize = figures[2].parse().unwrap();
    assert!((1..=variable).contains(&first), "{first}");
}

#[test]
fn a_build_resumes_with_another_number_of_processes() {
    let cases = [
        (2, 1, "queens 8 zdd", 5),
        (1, 2, "queens 7 bdd", 4),
        (3, 2, "pieces 12 zdd", 8),
        (2, 4, "pieces 10 bdd", 6),
    ];
    at_once(cases, |(before, after, problem, variable)| {
        let dir = tempfile::tempdir().unwrap();
        abort(before, problem, variable, dir.path());
        resume(after, problem, variable, dir.path());
    });
}

#[test]
fn the_number_of_processes_of_a_build_may_change_after_each_failure() {
    at_once([[3, 2, 4], [1, 3, 1]], |numbers| {
        let dir = tempfile::tempdir().unwrap();
        abort(numbers[0], "pieces 12 zdd", 4, dir.path());
        abort(numbers[1], "pieces 12 zdd", 7, dir.path());
        resume(numbers[2], "pieces 12 zdd", 7, dir.path());
    });
}

/// The levels have more partitions than there are processes that edges come from.
#[test]
#[ignore = "takes a minute"]
fn a_resumed_build_may_have_more_partitions_than_processes() {
    let dir = tempfile::tempdir().unwrap();
    abort(1, "many 240 zdd", 215, dir.path());
    compare(2, 4, "many 240 zdd", &format!("checkpoint {} ", dir.path().display()));
}

#[test]
#[ignore = "takes minutes"]
fn larger_builds_resume_with_another_number_of_processes() {
    for (problem, limit, variables) in [
        ("pieces 60 zdd", 200_000, [20, 40]),
        ("pieces 60 bdd", 200_000, [25, 30]),
        ("queens 10 zdd", 500_000, [4, 6]),
    ] {
        for numbers in [[1, 2, 3], [4, 3, 1], [2, 4, 3], [3, 1, 2]] {
            let (dir, spill) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
            let limited = format!("{problem} limit {limit} spill {}", spill.path().display());
            for (processes, variable) in numbers.into_iter().zip(variables) {
                abort(processes, &limited, variable, dir.path());
            }
            resume(
                numbers[2],
                &limited.replacen(" limit", " with limit", 1),
                variables[1],
                dir.path(),
            );
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn thirty_builds_killed_at_any_time_resume_to_the_same_diagram() {
    for round in 0..30 {
        let dir = tempfile::tempdir().unwrap();
        let options = format!("checkpoint {} ", dir.path().display());
        let task = format!("queens 9 zdd {options}{}/file", dir.path().display());
        // The sweep and the reduction take a second.
        kill_one_of_three(round, Duration::from_millis(33), &task, dir.path());
        compare(3, 1, "queens 9 zdd", &options);
    }
}

#[test]
#[ignore = "takes minutes"]
fn larger_diagrams_equal_those_of_one_process() {
    for processes in [2, 3, 4] {
        for threads in [1, 2] {
            compare(processes, threads, "queens 11 zdd", "");
            compare(processes, threads, "pieces 400 zdd", "");
        }
    }
}
