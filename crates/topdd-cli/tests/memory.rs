//! The memory limit that the command chooses: 70 percent of what is free, here under `ulimit -v`.

use std::fs;
use std::process::{Command, Stdio};

use crate::support::{Run, answer, refused, topdd};

/// Runs `topdd` with so much address space, in MiB.
fn confined(mebibytes: u64, args: &str) -> Run {
    let script = format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes << 10);
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_topdd")]).args(args.split_whitespace());
    let output = command.stdin(Stdio::null()).output().expect("the command starts");
    Run {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("the answer is text"),
        err: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// The edges of a grid of 9 by 9 vertices, in a file.
fn grid(dir: &tempfile::TempDir) -> String {
    let edges_at = |(row, col)| {
        let right = (col < 8).then(|| format!("{row}.{col} {row}.{}\n", col + 1));
        let down = (row < 8).then(|| format!("{row}.{col} {}.{col}\n", row + 1));
        right.into_iter().chain(down)
    };
    let cells = (0..9).flat_map(|row| (0..9).map(move |col| (row, col)));
    let text: String = cells.flat_map(edges_at).collect();
    let path = dir.path().join("grid.txt");
    fs::write(&path, text).expect("a file");
    path.display().to_string()
}

#[test]
#[cfg(target_os = "linux")]
fn a_run_without_a_limit_stops_before_it_takes_all_memory() {
    let dir = tempfile::tempdir().expect("a folder");
    let grid = grid(&dir);
    for (args, remedies) in [
        ("queens 16 --count-only --threads 1".to_owned(), &["--memory", "--spill DIR"][..]),
        ("queens 16 --threads 1".to_owned(), &["--memory", "--spill DIR", "--count-only"]),
        (
            format!("graph partitions {grid} -k 4 --min-weight 10 --max-weight 30 --count-only"),
            &["--memory", "--spill DIR", "fewer conditions"],
        ),
    ] {
        let run = confined(600, &args);
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
        assert_eq!(out(confined(1000, args)), out(topdd(args)), "{args}");
    }
    // Small runs work even if little is free.
    assert_eq!(confined(100, "queens 6 --quiet --threads 1").out, "4\n");
}

#[test]
fn a_limit_does_not_change_the_states_of_a_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let grid = grid(&dir);
    let cycles = format!("graph cycles {grid} --order given --json --threads 1");
    assert_eq!(answer(&cycles), answer(&format!("{cycles} --memory 3G")));
}

#[test]
#[cfg(target_os = "linux")]
fn files_that_do_not_fit_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let [saved, json] = ["q.tdd", "q.json"].map(|name| dir.path().join(name).display().to_string());
    answer(&format!("queens 13 --save {saved} --quiet"));
    answer(&format!("convert {saved} {json}"));
    for command in ["info", "count", "list"] {
        let small = format!("{command} {saved} --memory 100K");
        refused(
            1,
            &small,
            &["more than --memory allows, 100 KiB: the file has", "hint: allow more"],
        );
    }
    // A reader of text stops when it has taken the limit, a quarter, and 16 MB.
    let out = dir.path().join("out.tdd");
    let small = format!("convert {json} {} --memory 100K", out.display());
    refused(1, &small, &["more than --memory allows, 100 KiB", "hint: allow more with --memory"]);
    assert!(!out.exists());
    answer(&format!("convert {json} {} --memory 1G", out.display()));
    assert!(out.exists());
}
