//! The table of the book: a row for each case that is not quick, from the lines of `topdd-bench --json` in `docs/bench.json`.
//!
//! With `TOPDD_BLESS=1`, the test writes the table into the page.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::cases;
use crate::measure::Measured;
use crate::table::{grouped, time};
use topdd_problem::limits::Bytes;

const START: &str = "<!-- from docs/bench.json -->\n\n";
const END: &str = "\n<!-- end -->\n";

/// A line of the file.
#[derive(Debug, Deserialize)]
struct Line {
    case: String,
    diagram: bool,
    threads: usize,
    right: bool,
    measured: Option<Measured>,
}

/// The measurements of a file.
struct Measurements(Vec<Line>);

impl Measurements {
    fn read(json: &str) -> Self {
        let lines = json.lines().map(|line| serde_json::from_str(line).expect("a measurement"));
        Measurements(lines.collect())
    }

    /// The numbers of threads, in ascending order.
    fn threads(&self) -> BTreeSet<usize> {
        self.0.iter().map(|line| line.threads).collect()
    }

    /// The run of median time, if there is one.
    fn median(&self, case: &str, diagram: bool, threads: usize) -> Option<&Measured> {
        let is_same =
            |line: &&Line| line.case == case && line.diagram == diagram && line.threads == threads;
        let runs = self.0.iter().filter(is_same).filter_map(|line| line.measured.as_ref());
        let mut runs: Vec<&Measured> = runs.collect();
        runs.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
        runs.get(runs.len().checked_sub(1)? / 2).copied()
    }

    /// The times for each number of threads, and the largest peak memory.
    fn cells(&self, case: &str, diagram: bool) -> [String; 2] {
        let threads = self.threads().into_iter();
        let runs: Vec<&Measured> =
            threads.filter_map(|threads| self.median(case, diagram, threads)).collect();
        let times: Vec<String> = runs.iter().map(|run| time(run.seconds)).collect();
        let peak = runs.iter().filter_map(|run| run.peak_rss).max();
        let peak = peak.map_or_else(|| "-".to_owned(), |peak| Bytes(peak as usize).to_string());
        [times.join(", "), peak]
    }

    /// The table.
    fn markdown(&self) -> String {
        let threads: Vec<String> = self.threads().iter().map(usize::to_string).collect();
        let threads = threads.join(", ");
        let mut text = format!(
            "| case | states | nodes | diagram, on {threads} threads | memory | count, on {threads} threads | \
             memory |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        );
        let fewest = self.threads().first().copied().unwrap_or(1);
        for case in cases::all().iter().filter(|case| !case.quick) {
            let name = &case.name;
            let Some(built) = self.median(name, true, fewest) else { continue };
            let states = grouped(built.states);
            let nodes = built.nodes.map_or_else(|| "-".to_owned(), |nodes| grouped(nodes as u64));
            let [build_time, build_peak] = self.cells(name, true);
            let [count_time, count_peak] = self.cells(name, false);
            let _ = writeln!(
                text,
                "| {name} | {states} | {nodes} | {build_time} | {build_peak} | {count_time} | \
                 {count_peak} |"
            );
        }
        text
    }
}

#[test]
fn the_page_has_the_table_of_the_measurements() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let json = fs::read_to_string(docs.join("bench.json")).expect("the measurements");
    let measurements = Measurements::read(&json);
    let wrong: Vec<&Line> = measurements.0.iter().filter(|line| !line.right).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    let path = docs.join("src/performance.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(START).expect("the start of the table");
    let (table, after) = rest.split_once(END).expect("the end of the table");
    let made = measurements.markdown();
    if std::env::var_os("TOPDD_BLESS").is_some() {
        fs::write(&path, [before, START, &made, END, after].concat()).expect("a page");
    } else {
        assert_eq!(table, made, "TOPDD_BLESS=1 writes the table into the page");
    }
}

#[test]
fn the_table_has_the_run_of_median_time() {
    let line = |threads, seconds| {
        format!(
            r#"{{"case":"queens by row 14","diagram":true,"threads":{threads},"known":"365596","right":true,"measured":{{"count":"365596","states":5,"nodes":3,"node_bytes":24,"seconds":{seconds},"peak_rss":1024}},"failed":null}}"#
        )
    };
    let lines = [line(1, 0.3), line(1, 0.1), line(1, 0.2), line(2, 0.1)];
    let text = Measurements::read(&lines.join("\n")).markdown();
    assert!(
        text.ends_with("| queens by row 14 | 5 | 3 | 200 ms, 100 ms | 1 KiB |  | - |\n"),
        "{text}"
    );
}
