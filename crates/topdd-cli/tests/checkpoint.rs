//! `--checkpoint`: after any end of a run, the next one resumes, and the answer is exact.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{answer, command, file, grid, refused, topdd};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).expect("the folder").next().is_none()
}

/// Whether nothing of a checkpoint is left but the file that is locked.
fn is_only_lock(dir: &Path) -> bool {
    let mut entries = fs::read_dir(dir).expect("the folder");
    entries.all(|entry| entry.expect("an entry").file_name() == "topdd-lock")
}

/// Whether there is something to resume.
fn is_saved(dir: &Path) -> bool {
    dir.join("topdd-manifest").exists()
}

/// Pseudo-random times between `from` and `to` milliseconds, the same in every run.
fn moments(from: u64, to: u64) -> impl Iterator<Item = Duration> {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    std::iter::repeat_with(move || {
        // xorshift (Marsaglia 2003)
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        Duration::from_millis(from + seed % (to - from + 1))
    })
}

/// Starts a run and kills it after a while; returns whether it was still running.
fn killed(args: &str, after: Duration) -> bool {
    let mut command = command(args);
    let mut child = command.stdout(Stdio::null()).spawn().expect("the command starts");
    thread::sleep(after);
    let running = child.try_wait().expect("the command is there").is_none();
    child.kill().expect("the command is there");
    child.wait().expect("the command is there");
    running
}

/// Starts a run, and waits for its checkpoint in `dir`.
fn saving(args: &str, dir: &Path) -> Child {
    let mut command = command(args);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let start = Instant::now();
    while !is_saved(dir) {
        assert!(start.elapsed() < Duration::from_mins(1), "no checkpoint");
        thread::sleep(Duration::from_millis(1));
    }
    child
}

fn kill(mut child: Child) {
    child.kill().expect("the command is there");
    child.wait().expect("the command is there");
}

/// Leaves the checkpoint of a run of 16 queens, counted, that was killed.
fn sixteen_queens_begun(dir: &Path) {
    let args = format!("queens 16 --count-only --checkpoint {}", dir.display());
    kill(saving(&args, dir));
}

#[test]
fn a_run_that_is_killed_at_any_moment_is_resumed_with_the_exact_count() {
    let dir = folder();
    let args = format!("queens 13 --count-only --quiet --checkpoint {}", dir.path().display());
    let mut interrupted = 0;
    for moment in moments(5, 150).take(20) {
        interrupted += u32::from(killed(&args, moment));
    }
    // Otherwise this has shown nothing.
    assert!(interrupted > 0);
    assert_eq!(answer(&args), "73712\n");
    assert!(is_only_lock(dir.path()));
}

#[test]
fn reliability_resumes_after_a_kill() {
    let dir = folder();
    let (rows, columns) = (40, 9);
    let across = |at: usize| (at % columns + 1 < columns).then(|| format!("{at} {}\n", at + 1));
    let down =
        |at: usize| (at + columns < rows * columns).then(|| format!("{at} {}\n", at + columns));
    let edges = (0..rows * columns).flat_map(|at| across(at).into_iter().chain(down(at)));
    let file = dir.path().join("grid.txt");
    fs::write(&file, edges.collect::<String>()).expect("a file");
    let run =
        |p: &str| format!("graph reliability {} -p {p} --order given --quiet", file.display());
    let saves = |p: &str| format!("{} --threads 1 --checkpoint {}", run(p), dir.path().display());

    let block = dir.path().join("topdd-block-0");
    kill(saving(&saves("0.9"), &block));
    // Another question finds the checkpoint of this one.
    refused(1, &saves("0.8"), &["products of probabilities with weights"]);
    refused(
        1,
        &format!("{} --terminals 0,359", saves("0.9")),
        &["conditions is", "connecting 0 359"],
    );
    assert!(is_saved(&block));
    assert_eq!(answer(&saves("0.9")), answer(&run("0.9")));
    assert!(is_only_lock(&block));
}

#[test]
fn short_paths_resume_after_a_kill() {
    let dir = folder();
    let grid = file("grid.txt", &grid(10, 10));
    let run =
        |most: u32| format!("graph paths {grid} --from 0.0 --to 9.9 --at-most {most} --count-only");
    let saves =
        |most: u32| format!("{} --threads 1 --checkpoint {}", run(most), dir.path().display());
    kill(saving(&saves(50), dir.path()));
    refused(1, &saves(48), &["at most 50", "at most 48", "name another"]);
    refused(
        1,
        &format!("{} --report", saves(50)),
        &["counts short paths without a sweep", "--report"],
    );
    // A sweep that spills could not resume this checkpoint.
    let limited = topdd(&format!("{} --memory-limit 20KiB", saves(50)));
    assert!(limited.code == 1 && limited.err.contains("--memory-limit"), "{}", limited.err);
    assert!(!limited.err.contains("--spill-to"), "{}", limited.err);
    let resumed = topdd(&saves(50));
    assert!(resumed.code == 0 && resumed.err.contains("resumed at step "), "{}", resumed.err);
    let solutions =
        |out: &str| out.lines().find(|line| line.ends_with("solutions")).map(str::to_owned);
    assert_eq!(solutions(&resumed.out), solutions(&topdd(&run(50)).out));
    assert!(is_only_lock(dir.path()));
}

/// On a disk that only this test sees, where the system lets it make one.
#[test]
#[cfg(target_os = "linux")]
fn after_a_full_disk_the_run_resumes_when_there_is_room() {
    let dir = folder();
    let dir = dir.path().display();
    let run = format!(
        "{} queens 13 --count-only --quiet --checkpoint {dir}",
        env!("CARGO_BIN_EXE_topdd")
    );
    let script = format!(
        "mount -t tmpfs -o size=4m topdd {dir} || exit 77
         {run} 2>&1; code=$?; ls -A {dir}; echo exit code $code
         mount -o remount,size=1g {dir} || exit 77
         {run}; ls -A {dir}"
    );
    let done = Command::new("unshare").args(["-rm", "sh", "-c", &script]).output();
    let Some(done) = done.ok().filter(|done| done.status.success()) else {
        eprintln!("not tested: this system does not allow to mount a small disk");
        return;
    };
    let said = String::from_utf8(done.stdout).expect("text");
    let (full, after) = said.split_once("exit code 1\n").expect("the first run failed");
    assert!(full.contains("free some space"), "{said}");
    // Whether there was room for a checkpoint depends on when the first was made.
    let saved = full.contains("\ntopdd-manifest\n");
    assert_eq!(full.contains("the same command resumes"), saved, "{said}");
    assert_eq!(after, "73712\ntopdd-lock\n", "{said}");
}

/// 200 kills at random times, in memory and spilled, counts and diagrams; each next run may have
/// other threads and another limit.
#[test]
#[ignore = "takes minutes"]
fn answers_are_exact_after_200_kills_at_random_times() {
    let mut resumed = 0;
    for (number, moment) in moments(20, 1500).take(200).enumerate() {
        let (dir, spill) = (folder(), folder());
        let limited =
            |bytes| format!("--memory-limit {bytes} --spill-to {}", spill.path().display());
        let limits = [String::new(), limited("60M"), limited("200M")];
        let threads = ["--threads 1", "--threads 2", "--threads 3"];
        let (kind, expected) = match number % 4 {
            0 => ("", "365596"),
            _ => ("--count-only", "365596"),
        };
        let args = |turn: usize| {
            format!(
                "queens 14 --quiet {kind} {} {} --checkpoint {}",
                limits[(number + turn) % 3],
                threads[(number / 3 + turn) % 3],
                dir.path().display()
            )
        };
        if killed(&args(0), moment) {
            resumed += u32::from(is_saved(dir.path()));
            // Killed again while it resumes.
            killed(&args(1), moment / 3);
        }
        let answer = answer(&args(2));
        assert_eq!(answer.split_whitespace().next(), Some(expected), "after {moment:?}");
        assert!(is_only_lock(dir.path()) && is_empty(spill.path()), "after {moment:?}");
    }
    assert!(resumed > 50, "{resumed}");
}

/// Of processes that race for a directory, one works and the others wait or are refused; each
/// answer is exact, also if the running one is killed.
#[test]
#[ignore = "takes a minute"]
fn processes_that_race_for_a_directory_print_exact_answers() {
    for moment in moments(10, 400).take(40) {
        let dir = folder();
        let args = format!("queens 13 --count-only --quiet --checkpoint {}", dir.path().display());
        let start = || {
            let mut command = command(&args);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
        };
        let mut first = start();
        let others = [start(), start()];
        thread::sleep(moment);
        first.kill().expect("it is there");
        first.wait().expect("it is there");
        for other in others {
            let done = other.wait_with_output().expect("it ends");
            let said = String::from_utf8_lossy(&done.stdout);
            let complained = String::from_utf8_lossy(&done.stderr);
            let exact = done.status.success() && said == "73712\n";
            assert!(exact || complained.contains("another run is using"), "{said}{complained}");
        }
        assert_eq!(answer(&args), "73712\n");
        assert!(is_only_lock(dir.path()));
    }
}

#[test]
fn the_next_run_resumes_where_the_last_one_stopped() {
    let dir = folder();
    sixteen_queens_begun(dir.path());
    // The report starts with a later level.
    let args = format!("queens 16 --count-only --report --checkpoint {}", dir.path().display());
    let mut child = command(&args).stderr(Stdio::piped()).spawn().expect("the command starts");
    let said = BufReader::new(child.stderr.take().expect("a pipe"));
    // The first line has the names of the columns.
    let mut lines = said.lines().skip(1).map(|line| line.expect("messages are text"));
    let resumed = lines.next().expect("the run prints that it resumes");
    assert!(
        resumed.starts_with("resumed at row ") && resumed.contains(" of 16, after "),
        "{resumed}"
    );
    let line = lines.next().expect("a level is reported");
    kill(child);
    let first = line.split_whitespace().next().and_then(|word| word.parse().ok());
    assert!(first.is_some_and(|variable: usize| variable > 0), "{line}");
}

#[test]
fn a_checkpoint_of_another_run_is_refused_and_stays() {
    let dir = folder();
    sixteen_queens_begun(dir.path());
    for (args, difference) in [
        ("queens 15 --count-only", "cols is 16 there and 15 here, number is 16 there and 15 here"),
        ("queens 16", "the other run counts, this run builds a diagram"),
        ("queens 16 --count-only --forbid a1", r#"forbidden is [] there and ["a1"] here"#),
        ("queens 16 --count-only --forbid p16", r#"forbidden is [] there and ["p16"] here"#),
        ("queens 16 --count-only --encoding cell", r#"encoding is "row" there and "cell" here"#),
        ("place kings 4 --count-only", r#"name is "queens" there and "place" here"#),
    ] {
        let args = format!("{args} --checkpoint {}", dir.path().display());
        refused(1, &args, &["checkpoint of another run", difference, "with --checkpoint"]);
        assert!(is_saved(dir.path()), "topdd {args}");
    }
}

/// The key of a checkpoint does not contain the weights of the vertices.
#[test]
fn weights_that_have_changed_in_the_file_are_refused() {
    let dir = folder();
    let file = folder();
    let file = file.path().join("grid.graph");
    let write = |heavy: usize| {
        const N: usize = 9;
        let mut text = format!("{} {} 010\n", N * N, 2 * N * (N - 1));
        for vertex in 0..N * N {
            let (row, column) = (vertex / N, vertex % N);
            text += &(1 + vertex % 3 + usize::from(vertex == heavy)).to_string();
            for (is_there, other) in [
                (row > 0, vertex.wrapping_sub(N)),
                (column > 0, vertex.wrapping_sub(1)),
                (column + 1 < N, vertex + 1),
                (row + 1 < N, vertex + N),
            ] {
                if is_there {
                    text.push(' ');
                    text += &(other + 1).to_string();
                }
            }
            text.push('\n');
        }
        fs::write(&file, text).expect("written");
    };
    let args = format!(
        "graph partitions {} -k 4 --min-weight 30 --max-weight 50 --count-only --order given \
         --checkpoint {}",
        file.display(),
        dir.path().display()
    );
    write(1);
    let child = saving(&args, dir.path());
    // The first levels have no weights.
    thread::sleep(Duration::from_millis(800));
    kill(child);
    write(2);
    refused(
        1,
        &args,
        &["the checkpoint of another run", "the graph in the file", "give that run up"],
    );
    write(1);
    let mut child = command(&args).stderr(Stdio::piped()).spawn().expect("the command starts");
    let said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = said.lines().map(|line| line.expect("messages are text"));
    // The first line is a warning.
    assert!(lines.any(|line| line.starts_with("resumed at ")));
    kill(child);
}

/// The same command prints the answer that could not be stored.
#[test]
fn an_answer_that_cannot_be_stored_is_not_lost() {
    let dir = folder();
    let args =
        |save: &str| format!("queens 13 --save {save} --checkpoint {}", dir.path().display());
    refused(1, &args("/dev/full"), &["/dev/full", "the same command resumes"]);
    assert!(is_saved(dir.path()));
    // The checkpoint would remove it.
    let inside = dir.path().join("topdd-thirteen");
    refused(2, &args(&inside.display().to_string()), &["would be removed", "does not start with"]);
    let other = folder();
    let beside = other.path().join("thirteen.tdd");
    assert!(answer(&args(&beside.display().to_string())).contains("73712"));
    assert!(beside.exists() && is_only_lock(dir.path()));
}

/// A run with other states is another run, though its answer is the same.
#[test]
fn a_checkpoint_of_another_formulation_is_refused() {
    let dir = folder();
    let limited = |args: &str, limit: &str| {
        format!("queens 14 {args} --count-only {limit} --checkpoint {}", dir.path().display())
    };
    let begun = limited("--encoding cell", "--time-limit 500ms");
    refused(
        1,
        &begun,
        &["takes longer than --time-limit", "the same command resumes from the last level"],
    );
    assert!(is_saved(dir.path()));
    let unchecked = limited("--encoding cell --no-forward-check", "");
    refused(1, &unchecked, &["forward_check is true there and false here"]);
    assert!(is_saved(dir.path()));
}

#[test]
fn a_checkpoint_with_a_missing_file_is_refused_with_the_way_out() {
    let dir = folder();
    sixteen_queens_begun(dir.path());
    for entry in fs::read_dir(dir.path()).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "blocks") {
            fs::remove_file(path).expect("removed");
        }
    }
    let args = format!("queens 16 --count-only --checkpoint {}", dir.path().display());
    refused(
        1,
        &args,
        &["is damaged: it is missing", "remove topdd-manifest and the topdd-*.blocks from"],
    );
}

/// Solutions that were not printed are not lost.
#[test]
#[cfg(unix)]
fn a_listing_that_is_interrupted_keeps_the_checkpoint() {
    let dir = folder();
    let args = format!("queens 13 --limit 20000 --checkpoint {}", dir.path().display());
    let mut child = command(&args).stdout(Stdio::piped()).spawn().expect("the command starts");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("text");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill is there").success());
    while out.read_line(&mut line).is_ok_and(|bytes| bytes > 0) {}
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(is_saved(dir.path()));
    assert!(answer(&args).contains("73712 solutions"));
    assert!(is_only_lock(dir.path()));
}

#[test]
fn a_damaged_checkpoint_is_refused_with_the_way_out() {
    let dir = folder();
    sixteen_queens_begun(dir.path());
    let manifest = dir.path().join("topdd-manifest");
    let mut bytes = fs::read(&manifest).expect("the manifest");
    *bytes.last_mut().expect("it is not empty") ^= 1;
    fs::write(&manifest, bytes).expect("written");
    let args = format!("queens 16 --count-only --checkpoint {}", dir.path().display());
    refused(
        1,
        &args,
        &["topdd-manifest is damaged", "remove topdd-manifest and the topdd-*.blocks from"],
    );
}

#[test]
fn a_directory_in_use_is_refused() {
    let dir = folder();
    let args = format!("queens 16 --count-only --quiet --checkpoint {}", dir.path().display());
    let child = saving(&args, dir.path());
    for limit in ["9", "300ms"] {
        let args = format!("{args} --time-limit {limit}");
        refused(1, &args, &["another run is using", "wait for it"]);
    }
    kill(child);
}

#[test]
fn a_directory_that_is_not_there_is_an_error() {
    let dir = folder();
    let missing = dir.path().join("missing");
    let args = format!("queens 8 --checkpoint {}", missing.display());
    refused(1, &args, &["could not", "missing", "create the directory", "--checkpoint"]);
    assert!(is_empty(dir.path()));
}
