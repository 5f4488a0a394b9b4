//! Failures of a process end the runs of all, with an error that names it.

mod support;

use std::path::Path;
use std::time::{Duration, Instant};
use support::specs::{Failing, Queens};
use support::{Outcome, Process, addresses, answers, at_once, kill_one_of_three, run};
use topdd::{CancelToken, DdSpec, Step};
use topdd_cluster::{Cluster, Config};

/// The number of solutions of `Queens(9)`: A000170.
const NINE: &str = "352";

/// Performs a task: its name and its arguments.
#[test]
#[ignore = "a process that the other tests start"]
fn process() {
    let Some((config, task)) = support::task() else { return };
    let words: Vec<&str> = task.split(' ').collect();
    let process: usize = std::env::var("TOPDD_PROCESS").unwrap().parse().unwrap();
    let count = match words[..] {
        ["fail", how, row] => fail_at(&config, process, how, row.parse().unwrap()),
        ["differ", what] => {
            let other = process == 2;
            let key = if what == "key" && other { "other" } else { "same" };
            let size = if what == "spec" && other { 8 } else { 9 };
            let mut cluster = support::connect(&config, key);
            let mut shared = cluster.over(Queens(size));
            if what == "question" && other { shared.count_bdd() } else { shared.count() }
        }
        ["cancel"] => {
            let token = CancelToken::new();
            let mut cluster = support::connect(&config, "cancel");
            let shared = cluster.over(Queens(9)).cancel_with(&token);
            let cancel = || {
                if process == 1 {
                    token.cancel();
                }
            };
            shared
                .on_level(|level| {
                    if level.variable == 3 {
                        cancel();
                    }
                })
                .count()
        }
        ["limit", bytes, dir] => {
            let mut cluster = support::connect(&config, "limit");
            let mut shared = cluster.over(Queens(11)).memory_limit(bytes.parse().unwrap());
            if dir != "-" {
                shared = shared.spill_to(dir);
            }
            let count = shared.count();
            println!("answer: {}", shared.report().peak_disk_bytes > 0);
            count
        }
        ["invalid"] => {
            let size = if process == 1 { 33 } else { 9 };
            let mut cluster = support::connect(&config, "invalid");
            let count = cluster.over(Queens(size)).count();
            // The others must not have to wait for its end.
            if process == 1 {
                std::thread::sleep(Duration::from_secs(1));
            }
            count
        }
        ["states", most] => {
            let mut cluster = support::connect(&config, "states");
            cluster.over(Queens(9)).max_states(most.parse().unwrap()).count()
        }
        ["wait"] => wait(&config, process),
        ["resume", how, row, dir] => {
            resume(&config, process, (how, row.parse().unwrap()), (dir, "nine"))
        }
        ["changed", dir] => {
            let mut cluster = support::connect(&config, "resume");
            cluster.over(Changed(Queens(9))).checkpoint(dir, "nine").count()
        }
        ["other", dir] => resume(&config, process, ("never", 0), (dir, "another key")),
        _ => panic!("{task}"),
    };
    println!("answer: {}", count.unwrap_or_else(|error| support::fail(error)));
}

/// [`Queens`] without one square of the second row.
struct Changed(Queens);

impl DdSpec for Changed {
    type State = <Queens as DdSpec>::State;
    fn num_vars(&self) -> usize {
        self.0.num_vars()
    }
    fn arity(&self, row: usize) -> usize {
        self.0.arity(row)
    }
    fn root(&self) -> Step<Self::State> {
        self.0.root()
    }
    fn child(&self, state: &Self::State, row: usize, col: usize) -> Step<Self::State> {
        if (row, col) == (1, 4) { Step::Zero } else { self.0.child(state, row, col) }
    }
}

/// A spec that fails at a row in process 1.
fn failing(process: usize, how: &str, row: usize) -> Failing {
    let with: fn() = match how {
        // A row of a thousand states in one batch.
        "first" if process == 0 => || std::process::exit(9),
        "stretch" if process == 0 => || std::thread::sleep(Duration::from_millis(2)),
        _ if process != 1 => || {},
        "stretch" => || std::process::exit(9),
        "abort" => || std::process::exit(9),
        "panic" => || panic!("out of luck"),
        "sleep" => || std::thread::sleep(Duration::from_mins(1)),
        _ => || {},
    };
    Failing { queens: Queens(9), row, with }
}

type Count = Result<topdd::BigUint, topdd::BuildError>;

fn fail_at(config: &Config, process: usize, how: &str, row: usize) -> Count {
    support::connect(config, "fail").over(failing(process, how, row)).count()
}

fn resume(
    config: &Config,
    process: usize,
    (how, row): (&str, usize),
    (dir, key): (&str, &str),
) -> Count {
    let mut cluster = support::connect(config, "resume");
    let shared = cluster.over(failing(process, how, row)).checkpoint(dir, key);
    let mut first = None;
    // A level takes longer than the least time between two checkpoints.
    let mut shared = shared.on_level(|level| {
        first.get_or_insert(level.variable);
        std::thread::sleep(Duration::from_millis(60));
    });
    let count = shared.count();
    drop(shared);
    println!("answer: first level {}", first.unwrap_or(usize::MAX));
    count
}

/// Counts, and waits for process 0 to store the answer, which fails.
fn wait(config: &Config, process: usize) -> Count {
    let mut cluster = support::connect(config, "wait");
    let count = cluster.over(Queens(6)).count()?;
    if process == 0 {
        cluster.wait()?;
        std::thread::sleep(Duration::from_millis(200));
        cluster.fail("there is no room");
        return Ok(count);
    }
    cluster.wait()?;
    cluster.wait().map(|()| count)
}

/// Checks that all processes but `except` end with an error that contains `text`.
fn check_errors(outcomes: &[Outcome], except: Option<usize>, text: &str) {
    for (process, outcome) in outcomes.iter().enumerate() {
        if Some(process) != except {
            let Outcome { errors, code, .. } = outcome;
            assert_eq!(*code, Some(1), "process {process}: {errors}");
            assert!(errors.contains(text), "process {process}: {errors}");
            assert!(!errors.contains("panicked at"), "process {process}: {errors}");
        }
    }
}

#[test]
fn a_process_that_dies_ends_the_others_with_its_name() {
    for processes in [2, 3] {
        let start = Instant::now();
        let outcomes = run(processes, 1, "fail abort 5");
        assert_eq!(outcomes[1].code, Some(9));
        check_errors(&outcomes, Some(1), "process 1 (127.0.0.1:");
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }
}

#[test]
fn a_process_that_is_killed_ends_the_others_with_its_name() {
    let addresses = addresses(3);
    let start = |process| Process::start(&addresses, process, 1, "fail sleep 5");
    let mut started: Vec<_> = (0..3).map(start).collect();
    std::thread::sleep(Duration::from_millis(1500));
    started[1].kill();
    let killed = Instant::now();
    let outcomes: Vec<_> = started.into_iter().map(Process::outcome).collect();
    check_errors(&outcomes, Some(1), "process 1 (127.0.0.1:");
    assert!(killed.elapsed() < Duration::from_secs(10), "{:?}", killed.elapsed());
}

#[test]
fn a_panic_of_the_spec_is_reported_by_all() {
    let outcomes = run(3, 1, "fail panic 5");
    for outcome in &outcomes {
        assert_eq!(outcome.code, Some(1), "{}", outcome.errors);
        assert!(outcome.errors.contains("out of luck"), "{}", outcome.errors);
    }
    assert!(outcomes[0].errors.contains("process 1 (127.0.0.1:"), "{}", outcomes[0].errors);
}

#[test]
fn a_process_in_a_long_stretch_ends_when_another_one_dies() {
    let start = Instant::now();
    let outcomes = run(2, 1, "fail stretch 6");
    check_errors(&outcomes, Some(1), "process 1 (127.0.0.1:");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_spec_that_one_process_refuses_is_reported_by_all() {
    let start = Instant::now();
    let outcomes = run(3, 1, "invalid");
    check_errors(&outcomes, None, "at most 32 queens");
    check_errors(&outcomes[..1], None, "process 1 (127.0.0.1:");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn processes_that_wait_for_an_answer_to_be_stored_report_the_failure() {
    let outcomes = run(3, 1, "wait");
    assert_eq!(outcomes[0].answers, ["4"]); // A000170
    check_errors(&outcomes[1..], None, "failed: there is no room");
    check_errors(&outcomes[1..], None, "process 0 (127.0.0.1:");
}

#[test]
fn a_limit_of_states_counts_those_of_all_processes() {
    let mut alone = topdd::Frontier::of(Queens(9));
    let states: u64 = alone.profile().unwrap().levels.iter().map(|level| level.states).sum();
    assert_eq!(answers(2, 1, &format!("states {states}")), [NINE]);
    // Each process has half of the states.
    let outcomes = run(2, 1, &format!("states {}", states * 3 / 4));
    check_errors(&outcomes, None, "states");
}

#[test]
fn processes_that_differ_are_refused_by_name() {
    for (what, text) in [
        ("key", "its key is other"),
        ("spec", "its number of variables is 8, and the number of variables of process 0 is 9"),
    ] {
        let outcomes = run(3, 1, &format!("differ {what}"));
        check_errors(&outcomes[..1], None, text);
        check_errors(&outcomes[..2], None, "process 2 (127.0.0.1:");
        check_errors(&outcomes[2..], None, "process 0 (127.0.0.1:");
    }
    let outcomes = run(3, 1, "differ question");
    check_errors(&outcomes[..2], None, "process 2 (127.0.0.1:");
    check_errors(&outcomes, None, "rule for skipped variables");
}

#[test]
fn another_host_file_is_refused_by_name() {
    let addresses = addresses(3);
    let mut other = addresses.clone();
    other.swap(0, 1);
    let hosts = [&addresses, &addresses, &other];
    let started: Vec<_> =
        (0..3).map(|process| Process::start(hosts[process], process, 1, "fail never 0")).collect();
    let outcomes: Vec<_> = started.into_iter().map(Process::outcome).collect();
    check_errors(&outcomes, None, "has the host file");
    check_errors(&outcomes[..2], None, "process 2 (127.0.0.1:");
}

#[test]
fn a_process_that_does_not_appear_is_named() {
    let addresses = addresses(2);
    let config = Config::new(addresses.clone(), 0).connect_wait(Duration::from_millis(200));
    let error = Cluster::connect(&config, "").unwrap_err().to_string();
    assert!(error.starts_with(&format!("process 1 ({}) did not appear", addresses[1])), "{error}");
}

#[test]
fn cancelling_one_process_ends_all() {
    let outcomes = run(2, 1, "cancel");
    check_errors(&outcomes, None, "cancelled at variable");
    check_errors(&outcomes[..1], None, "process 1 (127.0.0.1:");
}

#[test]
fn a_memory_limit_applies_to_each_process() {
    let dir = tempfile::tempdir().unwrap();
    // A000170.
    let spilled = answers(2, 1, &format!("limit 400000 {}", dir.path().display()));
    assert_eq!(spilled, ["true", "2680"]);
    assert_eq!(answers(2, 1, "limit 100000000 -"), ["false", "2680"]);
    let outcomes = run(2, 1, "limit 100000 -");
    check_errors(&outcomes, None, "the limit of 100000 bytes");
}

/// The names of the files in the directories of checkpoints.
fn files(dir: &Path) -> Vec<String> {
    let entries = |dir: &Path| {
        std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let files = entries(dir).into_iter();
    let files = files.flat_map(|path| if path.is_dir() { entries(&path) } else { vec![path] });
    files.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn a_run_resumes_after_a_process_died() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().display();
    let outcomes = run(2, 1, &format!("resume abort 6 {path}"));
    check_errors(&outcomes, Some(1), "process 1 (127.0.0.1:");
    assert!(files(dir.path()).iter().any(|name| name == "topdd-manifest"));
    check_resumed(2, dir.path());
}

/// Resumes the run of nine queens to its end.
fn check_resumed(processes: usize, dir: &Path) {
    for outcome in run(processes, 1, &format!("resume never 0 {}", dir.display())) {
        assert_eq!(outcome.code, Some(0), "{}", outcome.errors);
        assert_eq!(outcome.answers[1], NINE);
        let first: usize = outcome.answers[0]["first level ".len()..].parse().unwrap();
        assert!((1..=7).contains(&first), "{first}");
    }
    assert!(files(dir).iter().all(|name| name == "topdd-lock"));
}

/// The order of records, and so of edges and of states on disk, differs between two attempts.
#[test]
fn checkpoints_of_two_attempts_are_not_mixed() {
    let attempts = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    at_once(&attempts, |dir| {
        run(2, 1, &format!("resume abort 6 {}", dir.path().display()));
    });
    let [mixed, other] = attempts.each_ref().map(|dir| dir.path().join("topdd-process-1-of-2"));
    std::fs::remove_dir_all(&mixed).unwrap();
    std::fs::rename(other, &mixed).unwrap();
    let task = format!("resume never 0 {}", attempts[0].path().display());
    assert_eq!(answers(2, 1, &task), ["first level 0", NINE]);
}

#[test]
fn a_run_resumes_with_another_number_of_processes() {
    at_once([(2, 3), (3, 2), (2, 4), (1, 2), (3, 1)], |(before, after)| {
        let dir = tempfile::tempdir().unwrap();
        run(before, 1, &format!("resume first 6 {}", dir.path().display()));
        check_resumed(after, dir.path());
    });
}

#[test]
fn the_number_of_processes_may_change_after_each_failure() {
    let dir = tempfile::tempdir().unwrap();
    run(3, 1, &format!("resume abort 5 {}", dir.path().display()));
    run(2, 1, &format!("resume abort 7 {}", dir.path().display()));
    // The second run has replaced the checkpoint of the first.
    assert!(!dir.path().join("topdd-process-0-of-3/topdd-manifest").exists());
    assert!(dir.path().join("topdd-process-0-of-2/topdd-manifest").exists());
    check_resumed(4, dir.path());
}

/// A run must not begin anew without a word.
#[test]
fn damaged_or_foreign_checkpoints_of_other_numbers_of_processes_are_refused() {
    at_once([(2, 3), (3, 2), (1, 2), (2, 2)], |(before, after)| {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().display();
        run(before, 1, &format!("resume first 6 {path}"));
        let changed = run(after, 1, &format!("changed {path}"));
        check_errors(&changed, None, "holds the checkpoint of another spec with the key");
        let refused = |task: String, text: &str| {
            let outcomes = run(after, 1, &task);
            assert!(outcomes.iter().all(|of| of.code != Some(0)), "{before} {after}");
            assert!(outcomes.iter().any(|of| of.errors.contains(text)), "{}", outcomes[0].errors);
        };
        refused(format!("other {path}"), "another key");
        let manifest = match before {
            1 => dir.path().join("topdd-manifest"),
            _ => dir.path().join(format!("topdd-process-1-of-{before}/topdd-manifest")),
        };
        let sound = std::fs::read(&manifest).unwrap();
        let mut damaged = sound.clone();
        *damaged.last_mut().unwrap() ^= 1;
        std::fs::write(&manifest, damaged).unwrap();
        refused(format!("resume never 0 {path}"), "does not match its checksum");
        std::fs::write(&manifest, sound).unwrap();
        check_resumed(after, dir.path());
    });
}

/// As after a kill while a run removes its checkpoint.
#[test]
fn files_of_other_numbers_of_processes_are_removed_with_the_checkpoint() {
    at_once([(3, 1), (3, 2), (2, 3), (1, 2)], |(before, after)| {
        let dir = tempfile::tempdir().unwrap();
        let part = |process: usize, processes: usize| match processes {
            1 => dir.path().to_owned(),
            _ => dir.path().join(format!("topdd-process-{process}-of-{processes}")),
        };
        run(before, 1, &format!("resume first 6 {}", dir.path().display()));
        std::fs::remove_file(part(0, before).join("topdd-manifest")).unwrap();
        // A file of another version stays.
        std::fs::create_dir(part(1, 5)).unwrap();
        std::fs::write(part(1, 5).join("topdd-manifest"), "of another version").unwrap();
        let is_left = |name: &String| name != "topdd-lock";
        assert!(files(dir.path()).into_iter().filter(is_left).count() > 1);
        let task = format!("resume never 0 {}", dir.path().display());
        assert_eq!(answers(after, 1, &task), ["first level 0", NINE]);
        let left: Vec<String> = files(dir.path()).into_iter().filter(is_left).collect();
        assert_eq!(left, ["topdd-manifest"], "{before} {after}");
        assert!(part(1, 5).join("topdd-manifest").exists());
    });
}

#[test]
#[ignore = "takes minutes"]
fn thirty_runs_killed_at_any_time_resume_to_the_exact_count() {
    for round in 0..30 {
        let dir = tempfile::tempdir().unwrap();
        let task = format!("resume never 0 {}", dir.path().display());
        // The run takes half a second.
        for outcome in kill_one_of_three(round, Duration::from_millis(18), &task, dir.path()) {
            assert_eq!(outcome.answers[1], NINE);
        }
        assert_eq!(answers(3, 1, &task)[1], NINE);
    }
}
