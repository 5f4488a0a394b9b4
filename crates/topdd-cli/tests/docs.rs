//! The sessions in `docs/src` and in `sessions`, for which the book has no room: each command is run, and must
//! print the text shown.
//!
//! Blocks marked `console` have lines `$ topdd ...`, each followed by its output: standard error,
//! then standard output. In the output, `…` stands for anything within a line, and alone on a line
//! for any number of lines. A command without output must succeed. `< FILE` reads from a file.
//!
//! A page is one folder: commands see the files of the commands before them, the files that a block
//! marked `file=NAME` shows, and the files that the page links in `files`. Blocks marked `ignore` are
//! passed over.
//!
//! Pictures that a page links in `images` are drawn by its sessions; how they look is not compared.
//!
//! With `TOPDD_BLESS=1`, outputs that differ are written into the pages, and the pictures into
//! `images`. Check each difference.

use std::collections::HashSet;
use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::support::answer;

/// The sign for text that differs from run to run.
const ANYTHING: char = '…';

#[test]
fn docs_show_the_output_of_the_command() {
    let bless = std::env::var_os("TOPDD_BLESS").is_some();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let mut wrong = String::new();
    let mut commands = 0;
    for path in pages(&folder) {
        let page = fs::read_to_string(&path).expect("a page is text");
        // The page and its folder.
        let name = path.with_extension("").iter().rev().take(2).collect::<PathBuf>();
        let name = name.to_string_lossy().into_owned();
        let files = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(&name);
        let _ = fs::remove_dir_all(&files);
        fs::create_dir_all(&files).expect("a folder for the files of a page");
        for linked in linked_in("files", &page) {
            fs::copy(folder.join("files").join(&linked), files.join(&linked))
                .expect("a linked file");
        }
        let mut again = String::with_capacity(page.len());
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            again.push_str(line);
            again.push('\n');
            let Some(kind) = line.strip_prefix("```") else { continue };
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if let Some((_, file)) = kind.split_once("file=") {
                fs::write(files.join(file), block.join("\n") + "\n").expect("a file of a page");
            }
            if kind == "console" {
                commands += session(&block, &files, &name, &mut again, &mut wrong);
            } else {
                again.extend(block.iter().flat_map(|line| [line, "\n"]));
            }
            again.push_str("```\n");
        }
        if bless && again != page {
            fs::write(&path, again).expect("a page can be written");
        }
        for picture in linked_in("images", &page) {
            let (drawn, kept) = (files.join(&picture), folder.join("images").join(&picture));
            assert!(drawn.exists() && kept.exists(), "{name}: nothing draws {picture}");
            if bless {
                fs::copy(drawn, kept).expect("a picture can be copied");
            }
        }
    }
    assert!(commands > 20, "only {commands} commands were found");
    assert!(bless || wrong.is_empty(), "{wrong}\nTOPDD_BLESS=1 writes the outputs to the pages");
}

/// The options that have another name than the method, which is given in the same row.
const OTHER_NAMES: [&str; 5] = ["--count-only", "--list", "--from", "--distinct", "--max"];

#[test]
fn options_in_the_table_of_the_book_exist_and_have_the_names_of_methods_in_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/src/command.md")).expect("a page is text");
    let (_, table) = page.split_once("| methods in Rust |").expect("the page has the table");
    let completions = answer("completions bash");
    let options: HashSet<&str> = completions.split([' ', '"', '|', ')']).collect();
    let mut examples = String::new();
    add_examples(&root.join("crates"), &mut examples);
    let mut count = 0;
    for row in table.lines().skip(2).take_while(|line| line.starts_with('|')) {
        let mut cells = row.split('|').skip(1);
        let mut in_backticks =
            || cells.next().into_iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
        let (methods, words): (Vec<&str>, Vec<&str>) =
            (in_backticks().collect(), in_backticks().collect());
        for method in &methods {
            assert!(examples.contains(&format!("{method}(")), "no example calls {method}");
        }
        for option in words.into_iter().filter(|word| word.starts_with("--")) {
            let name = option[2..].replace('-', "_");
            assert!(
                methods.contains(&&name[..]) || OTHER_NAMES.contains(&option),
                "{row}: {option}"
            );
            assert!(options.contains(option), "no command has {option}");
            count += 1;
        }
    }
    assert!(count > 30, "only {count} options are in the table");
}

/// Appends the lines of examples in the documentation of the sources in a folder.
fn add_examples(folder: &Path, examples: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            add_examples(&path, examples);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a source is text");
            let is_doc =
                |line: &&str| ["///", "//!"].iter().any(|mark| line.trim_start().starts_with(mark));
            examples.extend(text.lines().filter(is_doc).flat_map(|line| [line, "\n"]));
        }
    }
}

/// The pages of the book and of the folder `sessions`.
fn pages(book: &Path) -> Vec<PathBuf> {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let folders =
        [book, &sessions].map(|folder| fs::read_dir(folder).expect("the pages are there"));
    let paths =
        folders.into_iter().flatten().map(|entry| entry.expect("a folder can be listed").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect()
}

/// The names of the files in a folder that a page links.
fn linked_in(folder: &str, page: &str) -> Vec<String> {
    let start = format!("]({folder}/");
    let links = page.split(start.as_str()).skip(1);
    links.map(|link| link.split(')').next().expect("a name").to_owned()).collect()
}

/// Runs the commands of a block and returns their number. Appends the block with the right output
/// to `again`, and differences to `wrong`.
fn session(
    block: &[&str],
    files: &Path,
    page: &str,
    again: &mut String,
    wrong: &mut String,
) -> usize {
    let examples = block.chunk_by(|_, next| !next.starts_with("$ "));
    let mut commands = 0;
    for (place, example) in examples.enumerate() {
        let (prompt, shown) = example.split_first().expect("a chunk is not empty");
        let args = prompt.strip_prefix("$ topdd ").unwrap_or_else(|| {
            panic!("{page}: a console block holds lines `$ topdd ...`, not `{prompt}`")
        });
        let (said, code) = run(args, files);
        let said: Vec<&str> = said.lines().map(str::trim_end).collect();
        let (said, shown) = (trimmed(&said), trimmed(shown));
        let good = if shown.is_empty() { code == 0 } else { fits(shown, said) };
        if place > 0 {
            again.push('\n');
        }
        let _ = writeln!(again, "{prompt}");
        if good {
            again.extend(shown.iter().flat_map(|line| [line, "\n"]));
        } else {
            again.extend(said.iter().map(|line| without_times(line) + "\n"));
            let (shown, said) = (shown.join("\n"), said.join("\n"));
            let _ = writeln!(wrong, "{page}: {prompt}\nshown:\n{shown}\nsaid ({code}):\n{said}\n");
        }
        commands += 1;
    }
    commands
}

/// The output of the command, and its exit code.
fn run(args: &str, files: &Path) -> (String, i32) {
    let (args, input) = args.split_once(" < ").unwrap_or((args, ""));
    let mut command = crate::support::command(args);
    if !input.is_empty() {
        command.stdin(File::open(files.join(input)).expect("the page shows the file"));
    }
    let output = command.current_dir(files).output().expect("the command starts");
    let text = [output.stderr, output.stdout].concat();
    (String::from_utf8(text).expect("an answer is text"), output.status.code().unwrap_or(-1))
}

/// The lines without blank ones at the end.
fn trimmed<'a, 'l>(lines: &'a [&'l str]) -> &'a [&'l str] {
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    &lines[..end]
}

/// Whether lines are the shown ones.
fn fits(shown: &[&str], said: &[&str]) -> bool {
    match (shown.split_first(), said.split_first()) {
        (Some((&"…", rest)), _) => (0..=said.len()).any(|from| fits(rest, &said[from..])),
        (Some((pattern, shown)), Some((line, said))) => {
            line_fits(pattern, line) && fits(shown, said)
        }
        (None, None) => true,
        _ => false,
    }
}

fn line_fits(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once(ANYTHING) else { return pattern == line };
    let Some(line) = line.strip_prefix(start) else { return false };
    line.char_indices()
        .map(|(at, _)| at)
        .chain([line.len()])
        .any(|from| line_fits(rest, &line[from..]))
}

/// The line with [`ANYTHING`] for numbers of seconds.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let seconds = |place: usize| {
        let unit =
            words.get(place + 1).is_some_and(|unit| unit.trim_end_matches([',', ';']) == "s");
        unit && words[place].contains('.') && words[place].parse::<f64>().is_ok()
    };
    let shown = (0..words.len()).map(|place| if seconds(place) { "…" } else { words[place] });
    shown.collect::<Vec<_>>().join(" ")
}

/// The command has a subcommand for each family, which a test beside its arguments shows; Python has a method.
#[test]
fn the_book_lists_all_families() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
    let page = fs::read_to_string(book.join("graphs.md")).expect("a page is text");
    for kind in topdd_problem::Family::KINDS {
        assert!(page.contains(&format!("`{}`", kind.name)), "{}", kind.name);
    }
}

#[test]
fn the_ellipsis_matches_anything() {
    assert!(line_fits("3 states, … s", "3 states, 0.001 s"));
    assert!(!line_fits("3 states, … s", "4 states, 0.001 s"));
    assert!(fits(&["a", "…", "d"], &["a", "b", "c", "d"]) && fits(&["…"], &[]));
    assert!(!fits(&["a", "…", "d"], &["a", "b"]) && !fits(&["a"], &["a", "b"]));
    assert_eq!(without_times("3 states, 0.001 s; 12.5 x"), "3 states, … s; 12.5 x");
}
