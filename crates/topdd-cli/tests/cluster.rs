//! `--processes`, `--hosts` and `--process`: several processes return the answer of one.

use std::fs;
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Run, answer, command, file, grid, refused, topdd, without_time};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Writes a host file with free ports of this machine. Returns the addresses.
fn write_hosts(path: &Path, processes: usize) -> Vec<String> {
    let bind = |_| TcpListener::bind("127.0.0.1:0").expect("a free port");
    let bound: Vec<_> = (0..processes).map(bind).collect();
    let address = |of: &TcpListener| of.local_addr().expect("an address").to_string();
    let addresses: Vec<String> = bound.iter().map(address).collect();
    fs::write(path, format!("# hosts\n\n{}\n", addresses.join("\n"))).expect("a file");
    addresses
}

/// Starts a process. `args` contains the options but those of processes.
fn start(args: &str, hosts: &Path, process: usize) -> Child {
    let args = format!("{args} --hosts {} --process {process}", hosts.display());
    let mut command = command(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts")
}

/// Waits for the end of a process whose output fits in a pipe.
fn outcome(mut child: Child) -> Run {
    let text = |from: &mut dyn Read| {
        let mut text = String::new();
        from.read_to_string(&mut text).expect("text");
        text
    };
    let out = text(&mut child.stdout.take().expect("a pipe"));
    let err = text(&mut child.stderr.take().expect("a pipe"));
    let code = child.wait().expect("the command is there").code();
    Run { code: code.unwrap_or(-1), out, err }
}

/// Runs each command as a process of one cluster.
fn run_all(commands: &[&str]) -> (Vec<String>, Vec<Run>) {
    let dir = folder();
    let hosts = dir.path().join("hosts");
    let addresses = write_hosts(&hosts, commands.len());
    let started = commands.iter().enumerate();
    let started: Vec<_> = started.map(|(process, args)| start(args, &hosts, process)).collect();
    (addresses, started.into_iter().map(outcome).collect())
}

#[test]
fn processes_of_one_machine_count_like_one() {
    // A000170.
    assert_eq!(answer("queens 8 --processes 2 --count-only --quiet"), "92\n");
    assert_eq!(answer("queens 9 --processes 3 --threads 2 --quiet"), "352\n");
}

#[test]
fn processes_save_the_diagram_of_one_byte_for_byte() {
    let dir = folder();
    let paths = format!("graph paths {} --from 0.0 --to 5.5", file("grid.txt", &grid(6, 6)));
    for problem in ["queens 8", "knights 5x6", &paths] {
        let save = |options: &str| {
            let path = dir.path().join("diagram");
            let said = answer(&format!("{problem} --quiet {options} --save {}", path.display()));
            (said, fs::read(path).expect("the file was written"))
        };
        let alone = save("");
        for processes in 1..=3 {
            for threads in 1..=2 {
                let options = format!("--processes {processes} --threads {threads}");
                assert!(save(&options) == alone, "{problem} {options}");
            }
        }
    }
}

#[test]
fn solutions_are_listed_by_the_first_process() {
    let listed = answer("queens 6 --all");
    assert_eq!(answer("queens 6 --all --processes 2"), listed);
}

#[test]
fn the_first_process_of_a_host_file_prints_the_answer() {
    let (_, runs) = run_all(&["queens 8 --count-only --quiet"; 3]);
    assert_eq!(runs[0].out, "92\n");
    for Run { code, err, .. } in &runs {
        assert_eq!((*code, without_time(err)), (0, String::new()));
    }
    assert!(runs[1..].iter().all(|run| run.out.is_empty() && run.err.is_empty()));
}

#[test]
fn options_that_do_not_fit_together_are_usage_errors() {
    let dir = folder();
    let hosts = dir.path().join("hosts");
    write_hosts(&hosts, 2);
    let hosts = hosts.display();
    for (args, word) in [
        ("--processes 0 --count-only".to_owned(), "--processes must be 1 to 64"),
        ("--processes 65 --count-only".to_owned(), "--processes must be 1 to 64"),
        (format!("--hosts {hosts} --count-only"), "--process <INDEX>"),
        ("--process 0 --count-only".to_owned(), "--hosts <FILE>"),
        (format!("--hosts {hosts} --process 0 --processes 2"), "cannot be used with"),
        (format!("--hosts {hosts} --process 2 --count-only"), "there is no process 2"),
        ("--processes 2 --first".to_owned(), "--first cannot be used with --processes"),
        ("--processes 2 --engine apply --quiet".to_owned(), "--engine apply cannot be used"),
        ("--processes 2 --unique".to_owned(), "--unique cannot be used with --processes"),
    ] {
        refused(2, &format!("queens 6 {args}"), &[word]);
    }
    let grid = file("grid.txt", &grid(3, 3));
    for (args, word) in [
        ("place kings 3 --most".to_owned(), "--most cannot be used with --processes"),
        (format!("graph reliability {grid} -p 0.5"), "--processes: not for reliability"),
        (format!("graph info {grid}"), "--processes: not for info"),
        (format!("graph predict {grid}"), "--processes: not for predict"),
        (format!("graph trees {grid} --predict"), "--predict cannot be used with --processes"),
        (
            format!("graph trees {grid} --count-by-size"),
            "--count-by-size cannot be used with --processes",
        ),
        ("graph trees -".to_owned(), "standard input cannot be used with --processes"),
        ("graph trees /dev/stdin".to_owned(), "standard input cannot be used with --processes"),
    ] {
        refused(2, &format!("{args} --processes 2"), &[word]);
    }
    refused(
        1,
        "queens 6 --hosts /nowhere/hosts --process 0 --quiet",
        &["cannot read the host file"],
    );
}

#[test]
fn another_problem_is_refused_by_name_on_all_processes() {
    let (addresses, runs) =
        run_all(&["queens 8 --count-only", "queens 7 --count-only", "queens 8 --count-only"]);
    for (process, Run { code, out, err }) in runs.iter().enumerate() {
        let other = usize::from(process != 1);
        let named = format!("process {other} ({})", addresses[other]);
        assert_eq!((*code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains(&named) && err.contains("runs something else"), "{err}");
    }
}

fn manifest(dir: &Path, process: usize, processes: usize) -> PathBuf {
    dir.join(format!("topdd-process-{process}-of-{processes}/topdd-manifest"))
}

/// The variable of the first level in a report.
fn first_level(run: &Run) -> usize {
    let said = without_time(&run.err);
    let level = said.lines().nth(1).expect("a level");
    level.split_whitespace().next().expect("a variable").parse().expect("a number")
}

/// Starts two processes, and kills the second one when both have saved a level in `dir`. Returns the
/// outcome of the first, and the address of the second.
fn killed(args: &str, dir: &Path) -> (Run, String) {
    let hosts = dir.join("hosts");
    let addresses = write_hosts(&hosts, 2);
    let first = start(args, &hosts, 0);
    let mut second = start(args, &hosts, 1);
    let started = Instant::now();
    while !(0..2).all(|process| manifest(dir, process, 2).exists()) {
        assert!(started.elapsed() < Duration::from_mins(1), "no level was saved");
        sleep(Duration::from_millis(2));
    }
    second.kill().expect("the process is there");
    second.wait().expect("the process is there");
    let killed = Instant::now();
    let run = outcome(first);
    assert!(killed.elapsed() < Duration::from_secs(10), "{:?}", killed.elapsed());
    (run, addresses[1].clone())
}

#[test]
fn a_killed_process_is_named_and_the_same_command_resumes() {
    let dir = folder();
    let args = format!("queens 14 --quiet --checkpoint {}", dir.path().display());
    let (run, address) = killed(&args, dir.path());
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    assert!(run.err.contains(&format!("process 1 ({address})")), "{}", run.err);
    let (_, runs) = run_all(&[&format!("{args} --report"), &args]);
    assert_eq!((runs[0].code, runs[0].out.as_str()), (0, "365596\n"), "{}", runs[0].err);
    assert!(first_level(&runs[0]) > 0, "{}", runs[0].err);
    assert_eq!(runs[1].code, 0, "{}", runs[1].err);
    // All that is left of a checkpoint are the files that are locked.
    for process in 0..2 {
        let of_process = dir.path().join(format!("topdd-process-{process}-of-2"));
        let mut files = fs::read_dir(of_process).expect("a folder");
        assert!(files.all(|file| file.expect("an entry").file_name() == "topdd-lock"));
    }
}

/// Nothing else stops a process whose parent is gone.
#[test]
fn processes_end_with_the_one_that_started_them() {
    let mut command = command("queens 16 --processes 3 --time-limit 300");
    let mut parent =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a start");
    sleep(Duration::from_millis(500));
    parent.kill().expect("the process is there");
    let killed = Instant::now();
    // The pipes are open as long as one of them runs.
    let run = outcome(parent);
    assert_eq!((run.code, run.out.as_str()), (-1, ""), "{}", run.err);
    assert!(killed.elapsed() < Duration::from_secs(30), "{:?}", killed.elapsed());
}

/// No process outlives the command, so the next run can use the checkpoint.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_the_processes_before_the_one_that_started_them() {
    let mut command = command("queens 16 --count-only --processes 2 --threads 1");
    let mut parent = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a start");
    sleep(Duration::from_millis(500));
    let id = parent.id().to_string();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).expect("a list");
    let children: Vec<&str> = children.split_whitespace().collect();
    assert_eq!(children.len(), 2, "{children:?}");
    let status = Command::new("kill").args(["-TERM", &id]).status().expect("a signal");
    assert!(status.success());
    assert_eq!(parent.wait().expect("an end").code(), Some(130));
    for child in children {
        assert!(!Path::new("/proc").join(child).exists(), "process {child} still runs");
    }
}

/// The first process cannot store the answer. The other ones must keep their checkpoints.
#[test]
fn an_answer_that_one_process_cannot_store_is_not_lost() {
    let dir = folder();
    let args = |save: &Path| {
        format!("queens 13 --save {} --checkpoint {}", save.display(), dir.path().display())
    };
    let full = args(Path::new("/dev/full"));
    let (addresses, runs) = run_all(&[&full, &full]);
    assert_eq!((runs[0].code, runs[1].code), (1, 1), "{} {}", runs[0].err, runs[1].err);
    assert!(runs[0].err.contains("the same command resumes"), "{}", runs[0].err);
    let named = format!("process 0 ({}) failed: cannot write /dev/full", addresses[0]);
    assert!(runs[1].err.contains(&named), "{}", runs[1].err);
    for process in 0..2 {
        assert!(manifest(dir.path(), process, 2).exists());
    }
    let saved = dir.path().join("saved");
    let again = args(&saved);
    let (_, runs) = run_all(&[&format!("{again} --report"), &again]);
    assert_eq!((runs[0].code, runs[1].code), (0, 0), "{} {}", runs[0].err, runs[1].err);
    assert!(first_level(&runs[0]) > 0, "{}", runs[0].err);
    assert!(runs[0].out.contains("73712") && saved.exists());
    for process in 0..2 {
        assert!(!manifest(dir.path(), process, 2).exists());
    }
}

/// A process that cannot begin tells the others, which would wait for it.
#[test]
fn a_file_that_cannot_be_written_ends_all_processes() {
    let begun = Instant::now();
    refused(1, "queens 6 --processes 2 --save /missing/saved", &["cannot write /missing/saved"]);
    let (addresses, runs) = run_all(&["queens 6 --save /missing/saved"; 2]);
    assert!(runs[0].err.contains("error: cannot write /missing/saved"), "{}", runs[0].err);
    let named = format!("process 0 ({}) failed: cannot write /missing", addresses[0]);
    assert!(runs[1].err.contains(&named), "{}", runs[1].err);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_process_that_fails_ends_the_command_with_code_1() {
    let run = topdd("queens 12 --count-only --processes 2 --memory-limit 100K");
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    assert!(run.err.contains("--memory-limit"), "{}", run.err);
}
