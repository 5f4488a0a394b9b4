//! `topdd bench` as its users run it.

use std::process::Command;

use crate::support::{answer, command, refused, topdd};
use serde_json::Value;

#[test]
fn the_table_has_a_row_for_each_measurement() {
    let out = answer("bench --only by --only row --only 12 --threads 1,2");
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
    let out = answer("bench --quick --only tours --only 6x6 --threads 1 --json");
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
    let run = topdd("bench --only tours --only 6x6 --threads 1,5000");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("2 of 4 measurements failed"), "{}", run.err);
    assert_eq!(run.out.matches("| failed: --threads 5000 is too many").count(), 2, "{}", run.out);
    assert_eq!(run.out.matches("| as published |").count(), 2, "{}", run.out);
    refused(2, "bench --only nothing", &["the cases are", "queens by row 12"]);
    refused(2, "bench --spill-to .", &["--memory-limit"]);
}

#[test]
fn limits_hold_for_each_measurement() {
    let bench = "bench --only tours --only 6x6 --threads 1 --memory-limit 4K";
    let run = |command: &mut Command| {
        let output = command.output().expect("the command starts");
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).expect("text")
    };
    // Spilling does not use the directory of the environment variables.
    let out = run(command(bench).env("TOPDD_MEASURE_SPILL", "/no/such/directory"));
    assert_eq!(
        out.matches("| failed: this takes more than --memory-limit allows").count(),
        2,
        "{out}"
    );
    let out = run(&mut command(&format!("{bench} --spill-to /no/such/directory")));
    assert_eq!(out.matches("| failed: ").count(), 2, "{out}");
    assert_eq!(out.matches("/no/such/directory").count(), 2, "{out}");
}

#[test]
fn bench_has_a_help_page() {
    assert!(answer("bench --help").contains("Examples:\n  topdd bench --quick"));
}

/// A command line takes precedence, and a request that `topdd bench` does not write is refused.
#[test]
fn a_malformed_measurement_request_is_refused() {
    let run = |args| {
        let output = command(args).env("TOPDD_MEASURE", "1").output().expect("the command starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(run("queens 4 --quiet"), (Some(0), String::new()));
    let (code, said) = run("");
    assert_eq!(code, Some(1));
    assert!(said.contains("TOPDD_MEASURE is set") && said.contains("unset it"), "{said}");
}
