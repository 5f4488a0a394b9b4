//! `short-paths`: counts of bounded paths of a folder of graphs, with a log that a later run goes on from.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use topdd::BuildError;
use topdd_graph::families::{BoundedPaths, FamilyError, PathMethod};
use topdd_graph::format::{GraphReadOptions, read_named};
use topdd_problem::limits::parse_bytes;

/// Counts the bounded paths of the graphs of a folder.
#[derive(Parser)]
struct Args {
    /// The folder of the `.col` files.
    folder: PathBuf,
    /// The log, which is read first, and to which each result is added.
    #[arg(long)]
    log: PathBuf,
    /// The most seconds of a graph.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The most memory of the states of a graph.
    #[arg(long, default_value = "4GB", value_parser = parse_bytes)]
    memory: usize,
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Counts by this method alone.
    #[arg(long)]
    method: Option<MethodName>,
    /// Only graphs with this in their names.
    #[arg(long, default_value = "")]
    only: String,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    Heads,
    Mates,
}

/// The first line of a log.
const HEAD: &str =
    "file\tvertices\tedges\tbound\tmethod\twidth\tstates\tseconds\tlimit\tbytes\tcount";

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(asked: &Args) -> Result<(), String> {
    let done = earlier(&asked.log)?;
    let listed = fs::read_dir(&asked.folder)
        .map_err(|error| format!("cannot read {}: {error}", asked.folder.display()))?;
    let mut files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "col"));
    files.sort();
    let cannot_write = |error| format!("cannot write {}: {error}", asked.log.display());
    let mut log =
        OpenOptions::new().create(true).append(true).open(&asked.log).map_err(cannot_write)?;
    if done.is_empty() {
        writeln!(log, "{HEAD}").map_err(cannot_write)?;
    }
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_done = done.get(&name).is_some_and(|&seconds| seconds >= asked.seconds);
        if is_done || !name.contains(&asked.only) {
            continue;
        }
        let line = format!("{name}\t{}", measured(&file, asked)?);
        println!("{line}");
        writeln!(log, "{line}").map_err(cannot_write)?;
    }
    Ok(())
}

/// The files of a log with the most seconds that they had; without an end if they were counted.
fn earlier(log: &Path) -> Result<HashMap<String, u64>, String> {
    let text = match fs::read_to_string(log) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(HashMap::new()),
        read => read.map_err(|error| format!("cannot read {}: {error}", log.display()))?,
    };
    let mut done = HashMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let is_counted = |count: &&str| count.bytes().all(|byte| byte.is_ascii_digit());
        let seconds = match cells[..] {
            [.., count] if is_counted(&count) => Some(u64::MAX),
            [.., limit, _, _] => limit.parse().ok(),
            _ => None,
        };
        let seconds = seconds
            .ok_or_else(|| format!("{} is no log: it has the line {line:?}", log.display()))?;
        let most = done.entry(cells[0].to_owned()).or_insert(seconds);
        *most = seconds.max(*most);
    }
    Ok(done)
}

/// The cells of a graph after its name.
fn measured(file: &Path, asked: &Args) -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = fs::read(file).map_err(|error| failed(&error))?;
    let read = read_named(file, &bytes, &GraphReadOptions::default())
        .map_err(|error| error.to_string())?;
    let graph = &read.graph;
    let ends = match read.terminals[..] {
        [from, to] => Some((from, to)),
        [] => None,
        _ => {
            return Err(failed(&"write two terminals, or none for paths between any two vertices"));
        }
    };
    let length = read.max_length.ok_or_else(|| failed(&"write the bound: `l LENGTH`"))?;
    let mut paths = BoundedPaths::new(graph, ends, length)
        .map_err(|error| failed(&error))?
        .threads(asked.threads)
        .memory_limit(asked.memory)
        .time_limit(Duration::from_secs(asked.seconds));
    if let Some(method) = asked.method {
        paths = paths.method(match method {
            MethodName::Heads => PathMethod::Heads,
            MethodName::Mates => PathMethod::Mates,
        });
    }
    let begun = Instant::now();
    let count = match paths.count() {
        Ok(count) => count.to_string(),
        Err(FamilyError::Build(BuildError::LimitReached { limit, .. })) => limit.to_string(),
        Err(error) => error.to_string(),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let method = paths.chosen_method().map_or("-", |method| match method {
        PathMethod::Heads => "heads",
        PathMethod::Mates => "mates",
    });
    let width = paths.frontier_width().map_or("-".to_owned(), |width| width.to_string());
    let cells = [
        graph.num_vertices().to_string(),
        graph.num_edges().to_string(),
        length.to_string(),
        method.to_owned(),
        width,
        paths.states().to_string(),
        format!("{seconds:.2}"),
        asked.seconds.to_string(),
        paths.peak_bytes().to_string(),
        count,
    ];
    Ok(cells.join("\t"))
}
