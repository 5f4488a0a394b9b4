//! `topdd-bench` as its users run it.

use std::process::Command;

use serde_json::Value;

/// Runs `topdd-bench` with these arguments. Returns the exit code, the output and the errors.
fn run(args: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_topdd-bench"));
    let output = command.args(args.split(' ')).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().expect("a code"), text(output.stdout), text(output.stderr))
}

fn answer(args: &str) -> String {
    let (code, out, err) = run(args);
    assert_eq!(code, 0, "{err}");
    out
}

#[test]
fn the_table_has_a_row_for_each_measurement() {
    let out = answer("--only by --only row --only 12 --threads 1,2");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 2 + 4, "{out}");
    assert!(lines[0].starts_with("| case | ") && lines[1].starts_with("| --- |"), "{out}");
    for (row, start) in
        lines[2..].iter().zip(["diagram | 1", "diagram | 2", "count | 1", "count | 2"])
    {
        assert!(row.starts_with(&format!("| queens by row 12 | {start} | ")), "{row}");
        assert!(row.ends_with(" | as published |"), "{row}");
        assert_eq!(row.matches('|').count(), lines[0].matches('|').count(), "{row}");
    }
}

#[test]
fn measurements_are_objects_for_scripts() {
    let out = answer("--quick --only tours --only 6x6 --threads 1 --json");
    let rows: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), 2);
    let [diagram, count] = [&rows[0]["measured"], &rows[1]["measured"]];
    assert!(diagram["node_bytes"].as_u64() > diagram["nodes"].as_u64(), "{diagram}");
    assert_eq!(count["nodes"], Value::Null);
    for row in &rows {
        assert_eq!((&row["right"], &row["known"]), (&Value::Bool(true), &"9862".into()));
        assert_eq!(row["measured"]["states"], rows[0]["measured"]["states"]);
        if cfg!(target_os = "linux") {
            assert!(row["measured"]["peak_rss"].as_u64() > Some(1 << 20), "{row}");
        }
    }
}

/// The others are measured all the same.
#[test]
fn a_failed_measurement_is_a_row() {
    let (code, out, err) = run("--only tours --only 6x6 --threads 1,5000");
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("2 of 4 measurements failed"), "{err}");
    assert_eq!(out.matches("| failed: 5000 threads").count(), 2, "{out}");
    assert_eq!(out.matches("| as published |").count(), 2, "{out}");
    let (code, _, err) = run("--only nothing");
    assert!(
        code == 2 && err.contains("the cases are") && err.contains("queens by row 12"),
        "{err}"
    );
    let (code, _, err) = run("--spill-to .");
    assert!(code == 2 && err.contains("--memory-limit"), "{err}");
    let (code, _, err) = run("--measure 1");
    assert!(code == 1 && err.contains("leave it out"), "{err}");
}

#[test]
fn limits_hold_for_each_measurement() {
    let limited = "--only tours --only 6x6 --threads 1 --memory-limit 4KiB";
    let (code, out, _) = run(limited);
    assert_eq!((code, out.matches("| failed: ").count()), (1, 2), "{out}");
    assert_eq!(out.matches("the limit of 4096 bytes").count(), 2, "{out}");
    let (code, out, _) = run(&format!("{limited} --spill-to /no/such/directory"));
    assert_eq!((code, out.matches("| failed: ").count()), (1, 2), "{out}");
    assert_eq!(out.matches("/no/such/directory").count(), 2, "{out}");
}

#[test]
fn help_has_examples() {
    assert!(answer("--help").contains("Examples:\n  topdd-bench --quick"));
}
