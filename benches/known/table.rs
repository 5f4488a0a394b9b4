//! The table: Markdown for people, one JSON object per line for scripts.

use serde_json::json;

use super::cases::Case;
use super::measure::Measured;
use topdd_problem::limits::Bytes;

const COLUMNS: [&str; 10] = [
    "case",
    "asked for",
    "threads",
    "time",
    "states/s",
    "peak RSS",
    "bytes/node",
    "states",
    "nodes",
    "count",
];

/// The columns of text; the others are of numbers.
const OF_TEXT: [&str; 3] = ["case", "asked for", "count"];

/// One measurement, or why there is none.
pub(super) struct Row<'a> {
    pub(super) case: &'a Case,
    pub(super) diagram: bool,
    pub(super) threads: usize,
    pub(super) came: Result<Measured, String>,
}

/// The head of the table.
pub(super) fn head() -> String {
    let rule = COLUMNS.map(|name| if OF_TEXT.contains(&name) { "---" } else { "---:" });
    line(&COLUMNS.map(str::to_owned)) + &line(&rule.map(str::to_owned))
}

impl Row<'_> {
    /// Whether it was measured, and the count is the published one.
    pub(super) fn is_right(&self) -> bool {
        self.came.as_ref().is_ok_and(|measured| measured.count == self.case.known)
    }

    fn asked_for(&self) -> &'static str {
        if self.diagram { "diagram" } else { "count" }
    }

    /// The row of the table.
    pub(super) fn markdown(&self) -> String {
        let none = || "-".to_owned();
        let (asked_for, threads) = (self.asked_for().to_owned(), self.threads.to_string());
        let name = self.case.name.clone();
        let Ok(measured) = &self.came else {
            let why = self.came.as_ref().err().map_or("", String::as_str).replace('|', "/");
            let [time, rate, peak, per_node, states, nodes] = [(); 6].map(|()| none());
            let count = format!("failed: {why}");
            return line(&[
                name, asked_for, threads, time, rate, peak, per_node, states, nodes, count,
            ]);
        };
        line(&[
            name,
            asked_for,
            threads,
            time(measured.seconds),
            format!("{:.1} M", measured.states as f64 / measured.seconds / 1e6),
            measured.peak_rss.map_or_else(none, |bytes| Bytes(bytes as usize).to_string()),
            bytes_per_node(measured).map_or_else(none, |bytes| format!("{bytes:.1}")),
            grouped(measured.states),
            measured.nodes.map_or_else(none, |nodes| grouped(nodes as u64)),
            if self.is_right() {
                "as published".to_owned()
            } else {
                format!("WRONG: {} instead of {}", measured.count, self.case.known)
            },
        ])
    }

    /// The JSON object, one line.
    pub(super) fn json(&self) -> String {
        let mut row = json!({
            "case": self.case.name,
            "diagram": self.diagram,
            "threads": self.threads,
            "known": self.case.known,
            "right": self.is_right(),
        });
        row["measured"] = json!(self.came.as_ref().ok());
        row["failed"] = json!(self.came.as_ref().err());
        format!("{row}\n")
    }
}

/// The bytes per node of the finished diagram, if there is one.
fn bytes_per_node(measured: &Measured) -> Option<f64> {
    let (nodes, bytes) = (measured.nodes.filter(|&nodes| nodes > 0)?, measured.node_bytes?);
    Some(bytes as f64 / nodes as f64)
}

fn line(cells: &[String; COLUMNS.len()]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// A time, with about three digits.
pub(super) fn time(seconds: f64) -> String {
    match seconds {
        ..1.0 => format!("{:.0} ms", seconds * 1e3),
        ..10.0 => format!("{seconds:.2} s"),
        ..100.0 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}

/// A number with blanks between groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    fn row(case: &Case, count: &str) -> (String, bool) {
        let measured = Measured {
            count: count.to_owned(),
            states: 1_234_567,
            nodes: Some(1000),
            node_bytes: Some(8500),
            seconds: 0.5,
            peak_rss: None,
        };
        let row = Row { case, diagram: true, threads: 2, came: Ok(measured) };
        (row.markdown(), row.is_right())
    }

    #[test]
    fn rows_mark_wrong_counts() {
        let case = cases::named("queens by row 12").expect("a case");
        assert_eq!(
            row(&case, "14200"),
            (
                "| queens by row 12 | diagram | 2 | 500 ms | 2.5 M | - | 8.5 | 1 234 567 | 1 000 | \
                 as published |\n"
                    .to_owned(),
                true
            )
        );
        let (wrong, right) = row(&case, "14201");
        assert!(wrong.contains("WRONG: 14201 instead of 14200") && !right, "{wrong}");
        let came = Err("no | memory".to_owned());
        let failed = Row { case: &case, diagram: false, threads: 1, came };
        assert!(!failed.is_right() && failed.json().contains("no | memory"));
        let columns = |text: &str| text.matches('|').count();
        for text in [wrong, failed.markdown()] {
            assert_eq!(columns(&text) * 2, columns(&head()), "{text}");
        }
    }

    #[test]
    fn numbers_are_grouped_and_times_rounded() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1 000"), (1234567, "1 234 567")] {
            assert_eq!(grouped(number), text);
        }
        for (seconds, text) in
            [(0.0124, "12 ms"), (1.234, "1.23 s"), (12.34, "12.3 s"), (123.4, "123 s")]
        {
            assert_eq!(time(seconds), text);
        }
    }
}
