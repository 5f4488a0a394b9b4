//! Several processes build the diagram of one, byte for byte.

mod support;

use std::fs;
use std::path::Path;
use std::time::Duration;
use support::specs::{Failing, Pieces, Queens};
use support::{Outcome, answers, kill_one_of_three, run};
use topdd::{BuildError, DdSpec, Diagram, Frontier, Portable, diagram::DiagramRule};
use topdd_cluster::{Cluster, Shared};

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
        "aborting" => {
            let is_bad = std::env::var("TOPDD_PROCESS").unwrap() == "1";
            let with: fn() = if is_bad { || std::process::exit(9) } else { || {} };
            build(
                &mut cluster,
                &Failing { queens: Queens(size), row: 6, with },
                kind,
                options,
                path,
            );
        }
        _ => panic!("{problem}"),
    }
}

fn pieces(cells: usize) -> Pieces {
    Pieces { cells, most: [9, 7, 5] }
}

fn build(
    cluster: &mut Cluster,
    spec: &(impl DdSpec<State: Portable> + Send),
    kind: &str,
    options: &[&str],
    path: &str,
) {
    let mut shared = cluster.over(spec);
    match options {
        [] => {}
        ["limit", bytes, dir] => {
            shared = shared.memory_limit(bytes.parse().unwrap()).spill_to(dir);
        }
        ["checkpoint", dir] => {
            // A level takes longer than the least time between two checkpoints.
            let pause = |_: &_| std::thread::sleep(Duration::from_millis(60));
            let reduced = |_: &_| std::thread::sleep(Duration::from_millis(30));
            shared = shared.checkpoint(dir, "diagram").on_level(pause).on_reduced(reduced);
        }
        _ => panic!("{options:?}"),
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
}

/// The file of the diagram that one process builds.
fn expected(problem: &str, dir: &Path) -> Result<Vec<u8>, BuildError> {
    let path = dir.join("expected");
    let words: Vec<&str> = problem.split(' ').collect();
    let size = words[1].parse().unwrap();
    let mut frontier = match words[0] {
        "queens" => Frontier::of(Queens(size)),
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
    let options = format!("limit 1000000 {} ", dir.path().display());
    assert_eq!(compare(2, 2, "queens 10 zdd", &options)[1], "true");
    let options = format!("limit 500000 {} ", dir.path().display());
    assert_eq!(compare(3, 1, "pieces 300 zdd", &options)[1], "true");
}

#[test]
fn a_build_resumes_after_a_process_died() {
    let dir = tempfile::tempdir().unwrap();
    let options = format!("checkpoint {} ", dir.path().display());
    let outcomes = run(3, 1, &format!("aborting 9 zdd {options}{}/file", dir.path().display()));
    for Outcome { code, errors, .. } in outcomes.iter().step_by(2) {
        assert_eq!(*code, Some(1), "{errors}");
        assert!(errors.contains("process 1 (127.0.0.1:"), "{errors}");
    }
    let of_process = dir.path().join("topdd-process-2-of-3");
    assert!(of_process.join("topdd-manifest").exists());
    for processes in [1, 2] {
        let task = format!("queens 9 zdd {options}{}/file", dir.path().display());
        for Outcome { code, errors, .. } in &run(processes, 1, &task) {
            assert_eq!(*code, Some(1), "{errors}");
            assert!(errors.contains("number of processes"), "{errors}");
        }
    }
    // The spec that does not abort has another key in the cluster, and the same in the checkpoint.
    compare(3, 1, "queens 9 zdd", &options);
    assert!(!of_process.join("topdd-manifest").exists());
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
