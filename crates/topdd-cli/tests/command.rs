//! The command with any problem: help, files, and exit codes.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::support::{answer, command, refused, scratch, topdd, without_time};

#[test]
fn help_teaches_with_examples() {
    let help = answer("--help");
    assert!(
        help.contains("topdd queens 8") && help.contains("Exit codes:\n    0  done\n"),
        "{help}"
    );
    for args in ["queens --help", "help queens", "knights --help"] {
        let help = answer(args);
        assert!(help.contains("Examples:\n  topdd "), "{help}");
    }
    assert!(answer("--version").starts_with("topdd 0."));
    refused(2, "", &["Usage", "Examples"]);
    refused(2, "chess", &["chess", "Usage"]);
}

/// The commands that the help shows are run as they stand there.
#[test]
fn examples_in_the_help_run() {
    let mut ran = 0;
    // The folder for the files that they write.
    let folder = tempfile::tempdir().expect("a folder");
    // The graph of the examples.
    let map = "ME NH 2\nNH VT 1\nVT NY 3\nME NY 9\nNY FL 20\nNY CA 45\nFL CA 40\n";
    fs::write(folder.path().join("map.txt"), map).expect("a file");
    // The tables of the examples: three pairs of neighbours have 100 each.
    let roads = "from,to,km\nA,B,1\nB,C,2\nC,D,1\nD,E,2\nE,F,1\n";
    fs::write(folder.path().join("roads.csv"), roads).expect("a file");
    let towns = "name,population\nA,50\nB,50\nC,50\nD,50\nE,50\nF,50\n";
    fs::write(folder.path().join("towns.csv"), towns).expect("a file");
    let formula = "p cnf 3 2\n1 2 0\n-2 3 0\n";
    fs::write(folder.path().join("model.cnf"), formula).expect("a file");
    let bag = "max: +2 x1 +3 x2;\n+1 x1 +1 x2 <= 1;\n";
    fs::write(folder.path().join("knapsack.opb"), bag).expect("a file");
    let tiles = "a1 b1 c1 a2 b2 c2\na1 b1\nb1 c1\na2 b2\nb2 c2\na1 a2\nb1 b2\nc1 c2\n";
    fs::write(folder.path().join("tiles.txt"), tiles).expect("a file");
    let pages = ["", "queens ", "place ", "knights ", "graph ", "cnf ", "opb ", "cover "];
    let mut pages: Vec<String> = pages.iter().map(|page| format!("{page}--help")).collect();
    pages.push("help advanced".to_owned());
    let graph = answer("graph --help");
    let list = graph.lines().take_while(|line| *line != "Examples:");
    let families = list.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    pages.extend(families.map(|family| format!("graph {family} --help")));
    assert!(pages.len() > 36, "{pages:?}");
    for help in pages {
        for line in answer(&help).lines() {
            let Some(example) = line.strip_prefix("  topdd ") else { continue };
            let args = example.split("  ").next().expect("the command before its explanation");
            let output = command(args).current_dir(&folder).output().expect("the command starts");
            assert!(output.status.success() && !output.stdout.is_empty(), "{example}");
            ran += 1;
        }
    }
    assert!(ran >= 60, "{ran} examples");
}

#[test]
#[cfg(not(feature = "cluster"))]
fn refused_options_for_several_processes_name_the_feature() {
    for option in ["--processes 2", "--hosts hosts.txt", "--process 0"] {
        refused(2, &format!("queens 8 {option}"), &["--features cluster"]);
    }
}

#[test]
fn the_diagram_is_written_where_asked() {
    let path = scratch("queens.dot");
    let out = answer(&format!("queens 5 --quiet --dot {}", path.display()));
    assert_eq!(out, "10\n");
    let dot = fs::read_to_string(&path).expect("the file is there");
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'), "{dot}");
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let path = scratch("no such folder/queens.dot");
    let mut command = command("queens 5 --dot");
    let output = command.arg(&path).output().expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).expect("messages are text");
    assert!(message.contains("cannot write") && message.contains("no such folder"), "{message}");
}

/// A run that fails in any way does not change a picture drawn earlier.
#[test]
fn a_run_that_fails_leaves_the_file_as_it_was() {
    let folder = scratch("kept");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("queens.dot");
    fs::write(&path, "an earlier picture").expect("written");
    for (code, args) in [
        (2, "queens 65"),
        (2, "queens 8 --threads 5000"),
        (1, "queens 14 --memory-limit 1MiB"),
        (1, "queens 14 --time-limit 0.01"),
        (2, "knights 5 5 --open --from z9"),
    ] {
        refused(code, &format!("{args} --dot {}", path.display()), &["error: "]);
        assert_eq!(fs::read_to_string(&path).expect("the file"), "an earlier picture", "{args}");
    }
    // No other file is left in the folder.
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn the_diagram_is_written_to_pipes_and_devices() {
    assert_eq!(answer("queens 5 --quiet --dot /dev/null"), "10\n");
    // To a pipe, and to a file.
    let path = scratch("stdout.txt");
    let piped = answer("queens 5 --quiet --dot /dev/stdout");
    let file = File::create(&path).expect("a file");
    let status = command("queens 5 --quiet --dot /dev/stdout").stdout(file).status();
    assert!(status.expect("the command starts").success());
    for text in [piped, fs::read_to_string(&path).expect("the file")] {
        // In place of the answer.
        assert!(text.starts_with("digraph") && text.ends_with("}\n"), "{text}");
    }
    refused(2, "queens 5 --dot - --svg -", &["--dot and --svg would both be written"]);
    let searched = answer("queens 6 --first --svg -");
    assert!(searched.trim_end().ends_with("</svg>"), "{searched}");
    refused(2, "queens 6 --first --svg - --json", &["--svg and --json would both be written"]);
    refused(2, "queens 5 --save - --json", &["--save and --json would both be written"]);
    refused(1, "queens 5 --dot /dev/full", &["cannot write /dev/full"]);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for args in ["queens 10 --all", "queens 10 --all --json", "knights 6 6 --all"] {
        let mut child = command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // Read a little, then close the pipe.
        let mut reader = BufReader::with_capacity(16, child.stdout.take().expect("a pipe"));
        assert!(!reader.fill_buf().expect("some output").is_empty());
        drop(reader);
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(output.status.code(), Some(0), "topdd {args}");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(without_time(&err), "", "topdd {args}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = File::options().write(true).open("/dev/full").expect("a device that is full");
    let output = command("queens 5").stdout(full).output().expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

/// On a busy machine the message takes a while, as it does here, where standard error is full at first. A process whose
/// standard error stays full ends without it.
#[test]
#[cfg(target_os = "linux")]
fn a_late_message_is_still_written_and_a_stalled_one_given_up() {
    for stays_full in [false, true] {
        let (mut reader, mut writer) = std::io::pipe().expect("a pipe");
        // A pipe has room for 64 KiB.
        writer.write_all(&vec![b'.'; 64 << 10]).expect("it has room");
        let args = "queens 16 --count-only --quiet --time-limit 50ms";
        let mut child = command(args).stderr(writer).spawn().expect("the command starts");
        if !stays_full {
            // The process ends itself 100 ms after its limit.
            thread::sleep(Duration::from_millis(400));
            let mut err = String::new();
            reader.read_to_string(&mut err).expect("text");
            let err = err.trim_start_matches('.');
            assert!(err.starts_with("error: ") && err.contains("--time-limit 50ms"), "{err}");
        }
        assert_eq!(child.wait().expect("it ends").code(), Some(1));
    }
}

/// The exit code alone states the failure.
#[test]
#[cfg(target_os = "linux")]
fn exit_codes_do_not_depend_on_standard_error() {
    for (args, code) in [
        ("queens 65", 2),
        ("queens eight", 2),
        ("queens 14 --count-only --time-limit 0.01", 1),
        ("queens 5 --dot /dev/null/queens.dot", 1),
        ("queens 5", 0),
        ("queens 8 --report", 0),
    ] {
        let full = File::options().write(true).open("/dev/full").expect("a device that is full");
        let output = command(args).stderr(full).output().expect("the command starts");
        assert_eq!(output.status.code(), Some(code), "topdd {args}");
    }
}

#[test]
fn another_word_for_an_option_is_refused_with_the_name() {
    let file = crate::support::file("map.txt", "a b 1\n");
    for (args, name) in [
        ("queens 8 --memory 1G", "--memory-limit"),
        ("queens 8 --memory-limit 1GiB --spill .", "--spill-to"),
        ("queens 8 --super", "--superqueens"),
        ("queens 8 --queens 3", "write --exactly"),
        ("place kings 8 --pieces 3", "write --exactly"),
        ("graph forests MAP --usage", "write --element-counts"),
        ("graph forests MAP --by-size", "write --count-by-size"),
        ("graph forests MAP --min-size 1", "write --at-least"),
        ("graph forests MAP --max-size 1", "write --at-most"),
        ("graph paths MAP --min-length 1", "write --at-least"),
        ("configure graph paths MAP --max-length 1", "write --at-most"),
        ("graph forests MAP --min-cost 1", "write --cost-at-least"),
        ("list MAP --max-cost 1", "write --cost-at-most"),
        ("count MAP --usage", "write --element-counts"),
        ("graph info MAP --memory 1G", "--memory-limit"),
        ("graph forests MAP --weight-attr w", "--weight-attribute"),
        ("graph forests MAP --label-attr w", "--label-attribute"),
        ("graph reliability MAP --p-attr w", "--p-attribute"),
    ] {
        refused(2, &args.replace("MAP", &file), &[name]);
    }
}

#[test]
fn other_names_of_families_are_shown_and_accepted() {
    let file = crate::support::file("map.txt", "a b\nb c\nc a\n");
    let help = answer("graph --help");
    for (name, family, options) in [
        ("trees", "spanning-trees", ""),
        ("steiner", "steiner-trees", "--terminals a,b"),
        ("regular", "regular-subgraphs", "-k 2"),
        ("bipartite", "bipartite-subgraphs", ""),
        ("connected-subgraphs", "connected-induced-subgraphs", ""),
        ("colorings", "colourings", "-k 3"),
    ] {
        assert!(help.contains(&format!("\n  {name:<29}{family}\n")), "{name}: {help}");
        let count = |word: &str| answer(&format!("graph {word} {file} {options} --quiet"));
        assert_eq!(count(name), count(family));
    }
}

/// Times differ from run to run, and are on standard error.
#[test]
fn standard_output_is_the_same_from_run_to_run() {
    for args in [
        "queens 6 --list",
        "queens 6 --json",
        "queens 20 --first",
        "queens 20 --first --json",
        "queens 8 --report",
        "queens 6 --engine apply --report",
        "knights 5x6",
        "place kings 4 --most --sample 2 --seed 1",
    ] {
        let [once, again] = [topdd(args), topdd(args)];
        assert_eq!((once.code, &once.out), (0, &again.out), "topdd {args}");
        assert!(!once.out.contains(" s\n") && !once.out.contains("seconds"), "{}", once.out);
        let timed = !args.contains("--json");
        assert_eq!(once.err.contains("finished in "), timed, "topdd {args}: {}", once.err);
    }
    for quiet in ["queens 8 --quiet", "knights 5x6 --quiet"] {
        assert_eq!(topdd(quiet).err, "");
    }
    assert!(topdd("queens 8 --quiet --report").err.contains("finished in "));
}

#[test]
fn exit_codes_tell_a_usage_error_from_a_solution_that_does_not_exist() {
    for (code, args) in [
        (0, "queens 3"),
        (1, "queens 14 --time-limit 10ms"),
        (1, "info missing.tdd"),
        (2, "queens eight"),
        (2, "queens 65"),
        (3, "queens 8 --nth 92"),
        (3, "queens 8 --nth 123456789012345678901234567890"),
        (3, "queens 8 --sample 93"),
        (3, "queens 3 --svg none.svg"),
        (3, "configure queens 3"),
    ] {
        assert_eq!(topdd(args).code, code, "topdd {args}");
    }
}

#[test]
fn time_limits_are_durations() {
    for limit in ["90", "10m", "1h30m", "60s", "90000ms"] {
        assert_eq!(answer(&format!("queens 8 --quiet --time-limit {limit}")), "92\n");
    }
    for limit in ["soon", "10x", "1m1h", "-1", "inf"] {
        refused(2, &format!("queens 8 --time-limit={limit}"), &["10m, 1h30m, 500ms or 90"]);
    }
    refused(1, "queens 14 --time-limit 10ms", &["--time-limit 10ms; stopped "]);
}

/// `6 8` is read as `6x8`, and no option takes the board as its value.
#[test]
fn boards_are_written_in_one_way() {
    for args in ["knights 5x6", "knights 5 6", "knights 5X6"] {
        assert_eq!(answer(&format!("{args} --quiet")), "8\n", "{args}");
    }
    for args in ["queens 6x9", "queens 6 9", "queens 6 --quiet 9"] {
        assert_eq!(answer(&format!("{args} -q").replace("--quiet 9 -q", "-q 9")), "2292\n");
    }
    assert_eq!(answer("place kings 3 5 --exactly 6 -q"), "1\n");
    for (args, known) in [
        ("queens --symmetric 8", "4"),
        ("queens 8 --symmetric", "4"),
        ("queens --symmetric=90 12", "8"),
        ("queens 5 --symmetric=90", "2"),
        ("queens 5 --symmetric=90 --unique", "1"),
        ("place rooks --symmetric 4", "8"),
        ("knights --symmetric 6x6", "78"),
        ("knights --symmetric=half-turn 6x6", "78"),
        ("knights 6 6 --symmetric", "78"),
        ("knights --symmetric 6 6", "78"),
    ] {
        assert_eq!(answer(&format!("{args} -q")), format!("{known}\n"), "{args}");
    }
    for (args, advice) in [
        ("queens 12 --symmetric 90", "write --symmetric=90 if"),
        ("queens --symmetric 90 12", "write --symmetric=90 if"),
        ("knights --symmetric left-right 6x6", "write --symmetric=left-right if"),
        ("place rooks 4 --symmetric 180", "write --symmetric=180 if"),
        ("knights 6x6 --symmetric left-right", "write --symmetric=left-right if"),
        ("knights 6x8 9", "leave out the 9"),
        ("queens 8x8 8", "leave out the 8"),
    ] {
        refused(2, args, &["error: ", advice, "try '--help'"]);
    }
    for args in ["--help", "queens --help", "place --help", "knights --help", "configure --help"] {
        let help = answer(args);
        assert!(!help.contains("--rows") && !help.contains("knights 6 6"), "{help}");
    }
}

/// Seldom needed options are on a page of their own, which the first pages name.
#[test]
fn seldom_needed_options_are_not_on_the_first_pages() {
    for args in ["--help", "-h", "queens --help", "knights --help", "queens -h"] {
        let help = answer(args);
        assert!(help.contains("topdd help advanced") || args.ends_with("-h"), "{help}");
        assert!(!help.contains("--engine <"), "{help}");
        assert!(!help.contains("--no-forward-check"), "{help}");
    }
    let advanced = answer("help advanced");
    for word in ["--engine ENGINE", "apply ", "--no-forward-check"] {
        assert!(advanced.contains(word), "{advanced}");
    }
    assert_eq!(answer("advanced"), advanced);
    assert!(answer("man queens").contains("engine"));
    assert!(answer("completions bash").contains("--engine"));
}

#[test]
fn bench_is_a_program_of_its_own() {
    let line =
        "cargo run --release -p topdd-benches --bin topdd-bench -- --only NAME --threads N --json";
    for args in ["bench", "bench --quick", "help bench"] {
        refused(2, args, &[line]);
    }
}

/// As on the n-queens page of SAPPOROBDD: the live nodes and those of the result, row by row.
#[test]
fn the_apply_engine_reports_its_nodes_after_each_row() {
    let run = topdd("queens 6 --engine apply --report");
    assert_eq!(run.code, 0, "{}", run.err);
    let mut lines = run.err.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(lines.next().unwrap(), ["row", "live", "nodes", "result", "nodes"]);
    let rows: Vec<Vec<usize>> = lines
        .by_ref()
        .take(6)
        .map(|line| line.iter().map(|number| number.parse().unwrap()).collect())
        .collect();
    assert!(rows.iter().map(|row| row[0]).eq(1..=6), "{rows:?}");
    assert!(rows.iter().all(|row| row[1] >= row[2] && row[2] > 0), "{rows:?}");
    // The last result is the diagram.
    assert!(run.out.contains(&format!("\n{} nodes\n", rows[5][2])), "{rows:?}: {}", run.out);
    assert_eq!(lines.next().unwrap()[0], "finished");
    let knights = topdd("knights 3x4 --open --engine apply --report --quiet").err;
    assert_eq!(knights.lines().count(), 1 + 23 + 1, "{knights}");
}

/// The same solutions by both engines.
#[test]
fn the_apply_engine_agrees() {
    for (args, encoding) in [
        ("queens 8", "--encoding cell"),
        ("queens 3x5", "--encoding cell"),
        ("queens 6 --given b1 --forbid a3", "--encoding cell"),
        ("queens 0", "--encoding cell"),
        ("queens 5 --toroidal", "--encoding cell"),
    ] {
        let frontier = answer(&format!("{args} {encoding} --all"));
        let apply = answer(&format!("{args} --engine apply --all"));
        // The apply engine has no states.
        let counted = |text: &str| {
            let lines = text.lines().map(|line| line.split_once(" states, ").map_or(line, |x| x.1));
            lines.map(|line| line.replace("1 state, ", "")).collect::<Vec<_>>()
        };
        assert_eq!(counted(&frontier), counted(&apply), "{args}");
    }
    for args in
        ["knights 3 4 --open", "knights 4 4", "knights 3 4 --open --from a1", "knights 1 1 --open"]
    {
        let count = answer(&format!("{args} --quiet"));
        assert_eq!(answer(&format!("{args} --engine apply --quiet")), count);
        let listed = answer(&format!("{args} --engine apply --all"));
        let solutions = listed.lines().filter(|line| line.starts_with("solution ")).count();
        assert_eq!(solutions.to_string(), count.trim(), "{args}: {listed}");
    }
    let json = answer("knights 3 4 --open --engine apply --json");
    assert!(json.contains("\"count\":\"8\"") && json.contains("\"engine\":\"apply\""), "{json}");
    assert!(json.contains("\"states\":null"), "{json}");
}

#[test]
fn the_apply_engine_has_limits_and_refuses_options_that_it_lacks() {
    refused(1, "queens 12 --engine apply --time-limit 50ms", &["--time-limit 50ms", "frontier"]);
    refused(2, "queens 8 --engine apply --threads 2", &["--threads", "frontier"]);
    refused(2, "queens 8 --engine apply --given a1,a2", &["a1", "a2"]);
    refused(2, "knights 20 20 --engine apply", &["too large", "--engine frontier"]);
    refused(1, "queens 8 --engine apply --memory-limit 200KiB", &["--memory-limit", "200"]);
    refused(1, "knights 5 5 --open --engine apply --memory-limit 1MiB", &["--memory-limit"]);
}
