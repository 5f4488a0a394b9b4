//! No dead links in the README, the book and the other documents: each relative link leads to a
//! file, and each anchor to a heading. Web addresses are not visited.
//!
//! Also: each row of a table has as many cells as its head; the summary of the book lists each page, and each page with a Rust example is in
//! `tests/documents/lib.rs`, so that its examples run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files with the ending `.md` in a folder of the repository.
fn markdown_in(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join(folder)).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("a folder can be listed").path());
    let mut found: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    found.sort();
    found
}

/// All documents with links.
fn documents() -> Vec<PathBuf> {
    let mut all = markdown_in("");
    for folder in ["docs/src", "benches", "fuzz"] {
        all.extend(markdown_in(folder));
    }
    for krate in fs::read_dir(root().join("crates")).expect("the crates are there") {
        let name = krate.expect("a folder can be listed").file_name();
        all.extend(markdown_in(&format!("crates/{}", name.to_str().unwrap())));
    }
    all
}

/// The lines of a document outside of blocks of code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

/// A line without the code within it.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// The targets of the links and pictures of a document.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(text) {
        let line = without_code(line);
        for (start, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
            for (at, _) in line.match_indices(start) {
                let target = line[at + start.len()..].split(end).next().unwrap();
                found.push(target.to_owned());
            }
        }
    }
    found
}

/// The anchor of a heading, as mdbook and GitHub make it.
fn anchor(heading: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter);
    let text: String = heading.trim().to_lowercase().chars().filter(kept).collect();
    text.replace(' ', "-")
}

/// The anchors of a document. A heading that is not the first of its text has a number.
fn anchors(text: &str) -> Vec<String> {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = Vec::new();
    for line in prose(text).filter(|line| line.starts_with('#')) {
        let anchor = anchor(line.trim_start_matches('#'));
        let before = times.entry(anchor.clone()).or_default();
        found.push(if *before == 0 { anchor } else { format!("{anchor}-{before}") });
        *before += 1;
    }
    found
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// The fault of a link, if it has one.
fn fault(document: &Path, link: &str) -> Option<&'static str> {
    if ["http://", "https://", "mailto:"].iter().any(|start| link.starts_with(start)) {
        return None;
    }
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    let folder = document.parent().expect("a document is in a folder");
    let target = if path.is_empty() { document.to_owned() } else { normal(&folder.join(path)) };
    let book = root().join("docs/src");
    if document.starts_with(&book) && !target.starts_with(&book) {
        return Some("leaves the book");
    }
    if !target.exists() {
        return Some("no such file");
    }
    if anchor.is_empty() {
        return None;
    }
    let text = fs::read_to_string(&target).unwrap_or_default();
    (!anchors(&text).iter().any(|other| other == anchor)).then_some("no such heading")
}

/// The number of cells of a row of a table. In a table, `\|` is part of a cell, and `|` ends one, even in
/// code.
fn cells(row: &str) -> usize {
    let row = row.trim().replace("\\|", "");
    let row = row.strip_prefix('|').unwrap_or(&row);
    row.strip_suffix('|').unwrap_or(row).split('|').count()
}

/// Whether a line is the one between the head and the rows of a table.
fn is_delimiter(line: &str) -> bool {
    line.contains('|') && line.contains('-') && line.chars().all(|letter| "|-: ".contains(letter))
}

/// The rows of tables that have another number of cells than their heads, and the number of tables.
fn uneven_rows(text: &str) -> (Vec<&str>, usize) {
    let lines: Vec<&str> = prose(text).collect();
    let (mut uneven, mut tables) = (Vec::new(), 0);
    for (at, pair) in lines.windows(2).enumerate() {
        if !pair[0].contains('|') || !is_delimiter(pair[1]) {
            continue;
        }
        tables += 1;
        let rows = lines[at + 1..].iter().take_while(|row| row.contains('|'));
        uneven.extend(rows.filter(|row| cells(row) != cells(pair[0])));
    }
    (uneven, tables)
}

#[test]
fn every_row_of_a_table_has_as_many_cells_as_its_head() {
    let (mut faults, mut checked) = (Vec::new(), 0);
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document is text");
        let (uneven, tables) = uneven_rows(&text);
        let document = document.strip_prefix(root()).unwrap().display();
        faults.extend(uneven.iter().map(|row| format!("{document}: {row}")));
        checked += tables;
    }
    assert!(checked > 30, "only {checked} tables were found");
    assert!(faults.is_empty(), "rows of another number of cells:\n{}", faults.join("\n"));
}

#[test]
fn uneven_rows_are_found() {
    let table =
        "| a | b |\n| --- | --: |\n| `x\\|y` | 2 |\n| 1 | 2 | 3 |\n| 1 |\n\n| no | table | |";
    assert_eq!(uneven_rows(table), (vec!["| 1 | 2 | 3 |", "| 1 |"], 1));
    assert_eq!(uneven_rows("a | b\n--|--\n1 | 2\n"), (vec![], 1));
    assert_eq!(uneven_rows("```\n| a |\n| --- |\n| 1 | 2 |\n```"), (vec![], 0));
    assert_eq!(uneven_rows("| a | b |\n| --- |\n| 1 | 2 |").0, ["| --- |"]);
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let mut dead = Vec::new();
    let mut checked = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document is text");
        for link in links(&text) {
            checked += 1;
            if let Some(fault) = fault(&document, &link) {
                let document = document.strip_prefix(root()).unwrap().display();
                dead.push(format!("{document}: {link}: {fault}"));
            }
        }
    }
    assert!(checked > 100, "only {checked} links were found");
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn the_summary_lists_each_page_once() {
    let summary = fs::read_to_string(root().join("docs/src/SUMMARY.md")).unwrap();
    let mut listed = links(&summary);
    listed.sort();
    let pages = markdown_in("docs/src").into_iter();
    let mut pages: Vec<String> =
        pages.map(|page| page.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    pages.retain(|page| page != "SUMMARY.md");
    assert_eq!(listed, pages);
}

#[test]
fn each_page_with_an_example_is_a_doctest() {
    let tested = fs::read_to_string(root().join("tests/documents/lib.rs")).unwrap();
    for page in markdown_in("docs/src").into_iter().chain([root().join("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        if text.lines().any(|line| line.starts_with("```rust")) {
            let page = page.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            assert!(tested.contains(&format!("/{page}\"")), "{page} is not in tests/documents");
        }
    }
}

#[test]
fn dead_links_are_found() {
    let page = root().join("docs/src/spec.md");
    assert_eq!(fault(&page, "constraints.md#verification"), None);
    assert_eq!(fault(&page, "#the-contract"), None);
    assert_eq!(fault(&page, "https://oeis.org"), None);
    assert_eq!(fault(&page, "nothing.md"), Some("no such file"));
    assert_eq!(fault(&page, "constraints.md#nothing"), Some("no such heading"));
    assert_eq!(fault(&page, "../../README.md"), Some("leaves the book"));

    let text =
        "[a](b.md#c) `[no](code.md)` ![d](e.svg)\n```\n[no](block.md)\n```\n<img src=\"f.svg\">";
    assert_eq!(links(text), ["b.md#c", "e.svg", "f.svg"]);
    assert_eq!(anchor("Skips, and `forced` states"), "skips-and-forced-states");
    assert_eq!(anchors("# A\n## B c\n```\n# no\n```\n## B c"), ["a", "b-c", "b-c-1"]);
}
