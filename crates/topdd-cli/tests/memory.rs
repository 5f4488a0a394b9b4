//! The memory limit that the command chooses: 70 percent of what is free, here under `ulimit -v` and `ulimit -d`.

use std::fmt::Write;
use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Run, answer, file, grid, refused, topdd};

/// Runs `topdd` with so many MiB of address space (`v`) or data (`d`).
fn confined(limit: char, mebibytes: u64, args: &str) -> Run {
    let script = format!("ulimit -c 0; ulimit -{limit} {}; exec \"$0\" \"$@\"", mebibytes << 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_topdd")]).args(args.split_whitespace());
    let output = command.stdin(Stdio::null()).output().expect("the command starts");
    let err = String::from_utf8(output.stderr).expect("messages are text");
    Run {
        code: output.status.code().unwrap_or_else(|| {
            panic!("{args}, ulimit -{limit}, {mebibytes} MiB: {}: {err}", output.status)
        }),
        out: String::from_utf8(output.stdout).expect("the answer is text"),
        err,
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_without_a_limit_stops_before_it_takes_all_memory() {
    let grid = file("grid.txt", &grid(9, 9));
    for (args, remedies) in [
        (
            "queens 16 --count-only --threads 1".to_owned(),
            &["--memory-limit", "--spill-to DIR"][..],
        ),
        ("queens 16 --threads 1".to_owned(), &["--memory-limit", "--spill-to DIR", "--count-only"]),
        (
            format!("graph partitions {grid} -k 4 --min-weight 10 --max-weight 30 --count-only"),
            &["--memory-limit", "--spill-to DIR", "fewer conditions"],
        ),
    ] {
        let run = confined('v', 140, &args);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{args}: {}", run.err);
        let chosen = "the limit that topdd chose from the free memory";
        for words in remedies.iter().chain([&chosen]) {
            assert!(run.err.contains(words), "{args}: `{words}` is not in: {}", run.err);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_that_fits_is_the_same_with_a_chosen_limit() {
    let out = |run: Run| (run.code, run.out);
    for args in ["queens 9 --list --threads 2", "knights 5x6 --open --quiet"] {
        assert_eq!(out(confined('v', 1000, args)), out(topdd(args)), "{args}");
    }
    // Small runs work even if little is free.
    for limit in ['v', 'd'] {
        assert_eq!(confined(limit, 100, "queens 6 --quiet --threads 1").out, "4\n");
    }
}

/// From the least size in which the program starts.
#[test]
#[cfg(target_os = "linux")]
fn refused_memory_ends_a_run_with_the_advice() {
    let dir = tempfile::tempdir().expect("a folder");
    let grid = file("grid.txt", &grid(9, 9));
    let partitions =
        format!("graph partitions {grid} -k 4 --min-weight 10 --max-weight 30 --count-only");
    let options = [
        "--time-limit 60 --threads 2".to_owned(),
        "--report --threads 1".to_owned(),
        "--time-limit 1m --report --threads 8".to_owned(),
        format!("--checkpoint {} --time-limit 60 --threads 2", dir.path().display()),
        // More than the system allows.
        "--memory-limit 4GiB --time-limit 60 --threads 2".to_owned(),
    ];
    let mut options = options.iter().cycle();
    for mebibytes in [60, 80, 100, 120, 140] {
        for (limit, problem) in
            [('v', &*partitions), ('v', "queens 17"), ('d', &partitions), ('d', "queens 17")]
        {
            let args = format!("{problem} {}", options.next().expect("there are options"));
            let run = confined(limit, mebibytes, &args);
            let context = format!("{args}, ulimit -{limit}, {mebibytes} MiB: {}", run.err);
            assert_eq!((run.code, run.out.as_str()), (1, ""), "{context}");
            assert!(run.err.contains("error: ") && run.err.contains("\nhint: "), "{context}");
            for fault in ["panicked", "memory allocation", "mistake in topdd"] {
                assert!(!run.err.contains(fault), "{context}");
            }
        }
    }
}

/// The queries of a diagram have threads of their own. Where a thread starts, but is refused the rest of what it needs,
/// the standard library panics, or the C library aborts.
#[test]
#[cfg(target_os = "linux")]
fn as_many_threads_start_as_fit_into_the_memory() {
    for mebibytes in 44..120 {
        for limit in ['v', 'd'] {
            let run = confined(limit, mebibytes, "queens 8 --quiet --save /dev/null --threads 64");
            let answer = (run.code, run.out.as_str());
            assert_eq!(answer, (0, "92\n"), "ulimit -{limit}, {mebibytes} MiB: {}", run.err);
        }
    }
}

/// Threads take no address space for heaps of their own, so that a run can use what there is.
#[test]
#[cfg(target_os = "linux")]
fn a_run_uses_the_address_space_that_it_has() {
    let stopped = |options: &str| {
        let run = confined('v', 140, &format!("queens 17 --count-only --threads 2 {options}"));
        let (_, at) = run.err.split_once("topdd chose").expect("the limit was reached");
        at.lines().next().expect("a line").to_owned()
    };
    assert_eq!(stopped(""), stopped("--time-limit 2m"));
}

/// The options that a hint names, each as it would be written.
fn advised(hint: &str, dir: &str) -> Vec<String> {
    let spill = format!("--spill-to {dir}");
    let options = [
        ("--memory-limit", "--memory-limit 1GiB"),
        ("with --spill-to DIR", &spill),
        ("--count-only", "--count-only"),
        ("which can --spill-to DIR", &format!("--engine frontier {spill}")),
    ];
    let named = options.into_iter().filter(|(name, _)| hint.contains(name));
    named.map(|(_, option)| option.to_owned()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn the_advice_of_each_command_is_accepted() {
    let dir = tempfile::tempdir().expect("a folder");
    let (grid, place) = (file("grid.txt", &grid(9, 9)), dir.path().display().to_string());
    let small = file("small.txt", "a b\nb c\nc a\n");
    let mut text = String::new();
    for vertex in 0..400_000 {
        writeln!(text, "{vertex} {}", vertex + 1).expect("a text takes it");
    }
    let large = file("large.txt", &text);
    let saved = format!("{place}/q.tdd");
    answer(&format!("queens 11 --save {saved} --quiet"));
    // A command that reaches the limit, and the same for a small problem.
    let cases = [
        ("queens 12 --memory-limit 10KiB".to_owned(), "queens 6".to_owned(), 3),
        (
            "queens 12 --count-only --memory-limit 10KiB".to_owned(),
            "queens 6 --count-only".to_owned(),
            2,
        ),
        ("queens 12 --list --memory-limit 10KiB".to_owned(), "queens 6 --list".to_owned(), 2),
        (
            format!("queens 12 --save {place}/p.tdd --memory-limit 10KiB"),
            format!("queens 6 --save {place}/p.tdd"),
            2,
        ),
        (
            "queens 12 --engine apply --memory-limit 10KiB".to_owned(),
            "queens 6 --engine apply".to_owned(),
            2,
        ),
        ("knights 6x6 --memory-limit 10KiB".to_owned(), "knights 3x4 --open".to_owned(), 3),
        (format!("graph cycles {grid} --memory-limit 20KiB"), format!("graph cycles {small}"), 3),
        (
            format!("graph cycles {grid} --best 1 --memory-limit 20KiB"),
            format!("graph cycles {small} --best 1"),
            2,
        ),
        (
            format!("graph cycles {grid} --count-only --memory-limit 20KiB"),
            format!("graph cycles {small} --count-only"),
            2,
        ),
        (
            format!("graph reliability {grid} -p 0.9 --memory-limit 20KiB"),
            format!("graph reliability {small} -p 0.9"),
            2,
        ),
        // While the file is read, and without a run, only more memory helps.
        (format!("graph info {large} --memory-limit 10KiB"), format!("graph info {small}"), 1),
        (
            format!("graph predict {large} --memory-limit 10KiB"),
            format!("graph predict {small}"),
            1,
        ),
        (
            format!("graph paths {large} --from 0 --predict --memory-limit 10KiB"),
            format!("graph paths {small} --from a --predict"),
            1,
        ),
        (format!("count {saved} --memory-limit 10KiB"), format!("count {saved}"), 1),
        (format!("info {saved} --memory-limit 10KiB"), format!("info {saved}"), 1),
    ];
    for (command, small, options) in cases {
        let run = topdd(&command);
        let (_, hint) =
            run.err.rsplit_once("hint: ").unwrap_or_else(|| panic!("{command}: {}", run.err));
        assert_eq!(run.code, 1, "{command}: {}", run.err);
        let advised = advised(hint, &place);
        assert_eq!(advised.len(), options, "{command}: {hint}");
        for option in advised {
            let small = small.replace("--engine apply", "");
            let followed = topdd(&format!("{small} {option}"));
            assert_eq!(followed.code, 0, "{small} {option}: {}", followed.err);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_is_refused_memory_ends_with_the_advice() {
    let dir = tempfile::tempdir().expect("a folder");
    let large = dir.path().join("large.txt").display().to_string();
    let mut text = String::new();
    for vertex in 0..400_000 {
        writeln!(text, "{vertex} {}", vertex + 1).expect("a text takes it");
    }
    fs::write(&large, text).expect("a file");
    for (command, limit) in [("info", 'v'), ("info", 'd'), ("trees", 'v'), ("trees", 'd')] {
        let args = format!("graph {command} {large}");
        let run = confined(limit, 80, &args);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{args}: {}", run.err);
        assert!(run.err.contains("\nhint: "), "{args}: {}", run.err);
        assert!(!run.err.contains("--spill-to"), "{args}: {}", run.err);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_do_not_fit_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let [saved, json] = ["q.tdd", "q.json"].map(|name| dir.path().join(name).display().to_string());
    answer(&format!("queens 13 --save {saved} --quiet"));
    answer(&format!("convert {saved} {json}"));
    for command in ["info", "count", "list"] {
        let small = format!("{command} {saved} --memory-limit 100KiB");
        refused(
            1,
            &small,
            &["more than --memory-limit allows, 100 KiB: the file has", "hint: allow more"],
        );
    }
    // A reader of text stops when it has taken the limit, a quarter, and 16 MB.
    let out = dir.path().join("out.tdd");
    let small = format!("convert {json} {} --memory-limit 100KiB", out.display());
    refused(
        1,
        &small,
        &["more than --memory-limit allows, 100 KiB", "hint: allow more with --memory-limit"],
    );
    assert!(!out.exists());
    answer(&format!("convert {json} {} --memory-limit 1GiB", out.display()));
    assert!(out.exists());
}
