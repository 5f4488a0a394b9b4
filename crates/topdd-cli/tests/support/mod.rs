//! Running the built command.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{fs, thread};

/// The output of a run of the command, and its exit code.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The path for a file of this name, in a folder of the test: each runs in a thread that has its name.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let test = thread::current().name().map_or_else(String::new, |test| test.replace("::", "-"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// The path of a file of the test with this content.
pub(crate) fn file(name: &str, content: &str) -> String {
    let path = scratch(name);
    fs::write(&path, content).expect("a file");
    path.display().to_string()
}

/// A grid as an edge list.
pub(crate) fn grid(rows: usize, cols: usize) -> String {
    let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let edges = places.flat_map(|(row, col)| {
        let right = (col + 1 < cols).then(|| format!("{row}.{col} {row}.{}\n", col + 1));
        let below = (row + 1 < rows).then(|| format!("{row}.{col} {}.{col}\n", row + 1));
        right.into_iter().chain(below)
    });
    edges.collect()
}

/// The path of a file as people have it, in `tests/cases`.
pub(crate) fn case(name: &str) -> String {
    format!("{}/tests/cases/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Runs `topdd` with these arguments, separated by blanks.
pub(crate) fn topdd(args: &str) -> Run {
    output(&mut command(args))
}

/// Runs a command to its end.
pub(crate) fn output(command: &mut Command) -> Run {
    let output = command.output().expect("the command starts");
    Run {
        code: output.status.code().expect("the command ends by itself"),
        out: String::from_utf8(output.stdout).expect("the answer is text"),
        err: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// The command, to be started.
pub(crate) fn command(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_topdd"));
    command.args(args.split_whitespace()).stdin(Stdio::null());
    command
}

/// Runs `topdd`, which must succeed and write nothing but its time to standard error, and returns
/// its answer.
pub(crate) fn answer(args: &str) -> String {
    let run = topdd(args);
    assert_eq!((run.code, without_time(&run.err)), (0, String::new()), "topdd {args}");
    run.out
}

/// The lines, except those with the time of the run and the place where it resumed.
pub(crate) fn without_time(err: &str) -> String {
    let is_time = |line: &str| {
        let number = line.strip_prefix("finished in ").and_then(|rest| rest.strip_suffix(" s\n"));
        number.is_some_and(|number| number.parse::<f64>().is_ok())
    };
    let is_resumed = |line: &str| line.starts_with("resumed ");
    err.split_inclusive('\n').filter(|line| !is_time(line) && !is_resumed(line)).collect()
}

/// Runs `topdd`, which must fail with this code and a message on standard error that contains each
/// of `words`. Standard output must be empty.
pub(crate) fn refused(code: i32, args: &str, words: &[&str]) {
    let run = topdd(args);
    assert_eq!((run.code, run.out.as_str()), (code, ""), "topdd {args}: {}", run.err);
    for word in words {
        assert!(run.err.contains(word), "topdd {args}: `{word}` is not in: {}", run.err);
    }
}
