//! `short-paths`: counts of bounded paths of a folder of graphs, with a log that a later run goes on from.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use topdd::BuildError;
use topdd_graph::Graph;
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
    /// Numbers vertices and edges backwards, so that the sweep takes another order.
    #[arg(long)]
    mirror: bool,
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
const HEAD: &str = "file\tasked\tlimit\tmemory\tthreads\tvertices\tedges\tbound\tmethod\tpredicted\twidth\tstates\tseconds\tbytes\tcount";

impl MethodName {
    fn method(self) -> PathMethod {
        match self {
            MethodName::Heads => PathMethod::Heads,
            MethodName::Mates => PathMethod::Mates,
        }
    }
}

/// The name of what is asked: a method, and whether graphs are mirrored.
fn name_of(asked: &Args) -> String {
    let method = asked.method.map_or("any".to_owned(), |method| method.method().to_string());
    if asked.mirror { format!("{method} mirrored") } else { method }
}

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
    let cannot = |what: &str, error| format!("cannot {what} {}: {error}", asked.log.display());
    let text = match fs::read_to_string(&asked.log) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| cannot("read", error))?,
    };
    // A run that was killed may have left a part of a line.
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    if !(whole.is_empty() || whole.starts_with(&format!("{HEAD}\n"))) {
        return Err(format!("{} has other columns; choose a new log", asked.log.display()));
    }
    let done = earlier(whole, &name_of(asked))?;
    let listed = fs::read_dir(&asked.folder)
        .map_err(|error| format!("cannot read {}: {error}", asked.folder.display()))?;
    let mut files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "col"));
    files.sort();
    let mut log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&asked.log)
        .map_err(|error| cannot("write", error))?;
    log.set_len(whole.len() as u64).map_err(|error| cannot("write", error))?;
    if whole.is_empty() {
        log.write_all(format!("{HEAD}\n").as_bytes()).map_err(|error| cannot("write", error))?;
    }
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_done = done.get(&name).is_some_and(|lines| {
            lines.iter().any(|line| {
                line.is_counted || line.seconds >= asked.seconds && line.bytes >= asked.memory
            })
        });
        if is_done || !name.contains(&asked.only) {
            continue;
        }
        let cells = measured(&file, asked).unwrap_or_else(|error| {
            let mut cells = vec!["-".to_owned(); HEAD.split('\t').count() - 6];
            cells.push(error.replace(['\t', '\n'], " "));
            cells
        });
        let (method, cells) = (name_of(asked), cells.join("\t"));
        let limits = format!("{}\t{}\t{}", asked.seconds, asked.memory, asked.threads);
        let line = format!("{name}\t{method}\t{limits}\t{cells}\n");
        print!("{line}");
        log.write_all(line.as_bytes()).map_err(|error| cannot("write", error))?;
    }
    Ok(())
}

/// A line of the log.
struct EarlierLine {
    is_counted: bool,
    seconds: u64,
    bytes: usize,
}

/// The lines of a log by file, of those that were asked for the same.
fn earlier(log: &str, wanted: &str) -> Result<HashMap<String, Vec<EarlierLine>>, String> {
    let mut done: HashMap<String, Vec<EarlierLine>> = HashMap::new();
    for line in log.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let &[name, asked, seconds, bytes, .., count] = &cells[..] else {
            return Err(format!("this is no line of a log: {line:?}"));
        };
        if asked == wanted {
            done.entry(name.to_owned()).or_default().push(EarlierLine {
                is_counted: count.bytes().all(|byte| byte.is_ascii_digit()),
                seconds: seconds.parse().unwrap_or(0),
                bytes: bytes.parse().unwrap_or(0),
            });
        }
    }
    Ok(done)
}

/// The cells of a graph after its name and limits.
fn measured(file: &Path, asked: &Args) -> Result<Vec<String>, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = fs::read(file).map_err(|error| failed(&error))?;
    let read = read_named(file, &bytes, &GraphReadOptions::default())
        .map_err(|error| error.to_string())?;
    let last = read.graph.num_vertices().wrapping_sub(1);
    let number = |vertex: usize| if asked.mirror { last - vertex } else { vertex };
    let mut edges: Vec<_> =
        read.graph.edges().iter().map(|&(a, b)| (number(a), number(b))).collect();
    if asked.mirror {
        edges.reverse();
    }
    let graph = Graph::new(read.graph.num_vertices(), edges).map_err(|error| failed(&error))?;
    let ends = match read.terminals[..] {
        [from, to] => Some((number(from), number(to))),
        [] => None,
        _ => {
            return Err(failed(&"write two terminals, or none for paths between any two vertices"));
        }
    };
    let length = read.max_length.ok_or_else(|| failed(&"write the bound: `l LENGTH`"))?;
    let mut paths = BoundedPaths::new(&graph, ends, length)
        .map_err(|error| failed(&error))?
        .threads(asked.threads)
        .memory_limit(asked.memory)
        .time_limit(Duration::from_secs(asked.seconds));
    if let Some(method) = asked.method {
        paths = paths.method(method.method());
    }
    let begun = Instant::now();
    let count = match paths.count() {
        Ok(count) => count.to_string(),
        Err(FamilyError::Build(BuildError::LimitReached { limit, .. })) => limit.to_string(),
        Err(error) => error.to_string(),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let or_none = |cell: Option<String>| cell.unwrap_or("-".to_owned());
    let method = or_none(paths.counted_by().map(|method| method.to_string()));
    let predicted = or_none(paths.predicted_width().map(|width| width.to_string()));
    let width = or_none(paths.frontier_width().map(|width| width.to_string()));
    Ok(vec![
        graph.num_vertices().to_string(),
        graph.num_edges().to_string(),
        length.to_string(),
        method,
        predicted,
        width,
        paths.states().to_string(),
        format!("{seconds:.2}"),
        paths.peak_bytes().to_string(),
        count,
    ])
}
