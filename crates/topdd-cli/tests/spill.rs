//! `--memory-limit` with `--spill-to`: the process stays within the limit, and data beyond it is on disk.

use std::fs;

use crate::support::{answer, refused};

/// Returns the bytes that a run may take under a limit in MiB: a quarter more, for memory that is
/// allocated and freed between two checks of the limit, and the memory of a minimal run. That is
/// mostly code of the program, of which the kernel maps as much as is in the page cache.
#[cfg(target_os = "linux")]
fn promised(mebibytes: u64) -> u64 {
    // The memory of so short a run is read once or twice, and the last reading may be too early.
    let minimal = (0..10).map(|_| watched("queens 6 --limit 1 --memory-limit 60MiB").1).max();
    (mebibytes << 20) / 4 * 5 + minimal.expect("there are runs")
}

/// Runs `topdd`; returns its standard output, and its peak memory in bytes.
#[cfg(target_os = "linux")]
fn watched(args: &str) -> (String, u64) {
    use std::process::Stdio;
    use std::time::Duration;

    let mut command = crate::support::command(args);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the command starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("the command is there").is_none() {
        // The peak so far. The last reading misses memory that is allocated within a millisecond
        // of the end, when no work is left.
        if let Ok(status) = fs::read_to_string(&status) {
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            if let Some(kibibytes) = line.and_then(|line| line.trim().strip_suffix(" kB")) {
                peak = kibibytes.parse::<u64>().expect("a number") << 10;
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success(), "topdd {args}");
    assert!(peak > 0, "the system does not report it");
    (String::from_utf8(output.stdout).expect("the answer is text"), peak)
}

/// The first limit is so wide that this run would keep the promise anyway; the second is not.
#[test]
#[cfg(target_os = "linux")]
fn runs_stay_within_the_memory_limit() {
    let dir = tempfile::tempdir().expect("a folder");
    let (known, free) = watched("queens 13 --count-only --quiet");
    assert_eq!(known, "73712\n");
    assert!(free > promised(12), "12 MiB is no limit to this: {free} bytes");
    for mebibytes in [20, 12] {
        let limit = format!("--memory-limit {mebibytes}MiB --spill-to {}", dir.path().display());
        let (answer, peak) = watched(&format!("queens 13 --count-only --quiet {limit}"));
        assert_eq!(answer, known, "{mebibytes} MiB");
        assert!(peak <= promised(mebibytes), "{mebibytes} MiB: {peak} bytes");
    }
}

/// As above, for a diagram, whose edges and reduction take more than its states.
#[test]
#[cfg(target_os = "linux")]
fn diagrams_stay_within_the_memory_limit() {
    let dir = tempfile::tempdir().expect("a folder");
    // Without the line of states and nodes.
    let solution = |answer: String| {
        let lines = answer.lines().filter(|line| !line.contains(" states, ")).map(str::to_owned);
        lines.collect::<Vec<_>>()
    };
    let (known, free) = watched("queens 13 --limit 1");
    let known = solution(known);
    assert!(free > promised(18), "18 MiB is no limit to this: {free} bytes");
    for threads in [1, 2] {
        let limit =
            format!("--memory-limit 18MiB --spill-to {} --threads {threads}", dir.path().display());
        let (answer, peak) = watched(&format!("queens 13 --limit 1 {limit}"));
        assert_eq!(solution(answer), known);
        assert!(peak <= promised(18), "{threads} threads: {peak} bytes");
    }
}

/// As above, where far more goes to disk than stays.
#[test]
#[ignore = "takes ten seconds"]
#[cfg(target_os = "linux")]
fn larger_problems_stay_within_the_memory_limit() {
    let dir = tempfile::tempdir().expect("a folder");
    let limit = format!("--memory-limit 100MiB --spill-to {}", dir.path().display());
    let (answer, peak) = watched(&format!("queens 15 --count-only --quiet {limit}"));
    assert_eq!(answer, "2279184\n");
    assert!(peak <= promised(100), "{peak} bytes");
}

#[test]
fn a_memory_limit_that_is_too_small_names_a_sufficient_one() {
    let dir = tempfile::tempdir().expect("a folder");
    let args =
        format!("queens 14 --count-only --memory-limit 1MiB --spill-to {}", dir.path().display());
    refused(
        1,
        &args,
        &[
            "--memory-limit 1 MiB is too small",
            "at row ",
            "use at least --memory-limit ",
            "MiB; later levels",
        ],
    );
    assert!(fs::read_dir(dir.path()).expect("the folder").next().is_none());
}

#[test]
fn without_a_spill_directory_the_flag_is_named() {
    refused(
        1,
        "queens 14 --count-only --memory-limit 1MiB",
        &["spill to disk, with --spill-to DIR"],
    );
}

/// Spills beyond the limit that the command chooses.
#[test]
fn a_spill_directory_needs_no_limit() {
    let dir = tempfile::tempdir().expect("a folder");
    assert_eq!(answer(&format!("queens 8 -q --spill-to {}", dir.path().display())), "92\n");
}

/// Even if the run would not need it.
#[test]
fn the_spill_directory_is_checked_before_the_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let missing = dir.path().join("missing");
    let args = format!("queens 8 --memory-limit 1GiB --spill-to {}", missing.display());
    refused(1, &args, &["cannot use --spill-to", "missing", "name an existing directory"]);
    assert!(fs::read_dir(dir.path()).expect("the folder").next().is_none());
}

#[test]
fn a_diagram_on_disk_is_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    let spill = format!("--memory-limit 64MiB --spill-to {}", dir.path().display());
    let [free, spilled] = ["", &spill].map(|more| {
        let out = answer(&format!("queens 13 --limit 2 {more}"));
        // Without the line of states and nodes.
        let lines = out.lines().filter(|line| !line.contains(" states, "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    });
    assert_eq!(free, spilled);
}
