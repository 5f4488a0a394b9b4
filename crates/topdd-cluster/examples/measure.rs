//! Counts the solutions of a problem in several processes, and prints the cost of the connections.
//!
//! On each machine, with the index of its line in the host file and a number of threads:
//!
//! ```text
//! cargo run --release -p topdd-cluster --example measure -- queens 14 hosts.txt 0 1
//! ```
//!
//! The problems are `queens N` (by row), `tours N` (closed knight's tours on N x 8, by square), `paths N`
//! (through a grid of N x N vertices, by edge) and `steps N` (N levels of a few states, for the time that a
//! level takes at least). With `diagram` at the end, it builds the diagram instead.

use std::env::args;
use std::error::Error;
use std::time::Instant;
use topdd::{Frontier, constraint};
use topdd_chess::knights::PathEncoding;
use topdd_chess::queens::BoardEncoding;
use topdd_chess::{KnightsTours, Queens};
use topdd_cluster::{Cluster, Config};
use topdd_graph::families::grid_paths;

fn problem(name: &str, size: usize) -> Result<Frontier<'static>, Box<dyn Error>> {
    Ok(match name {
        "queens" => Queens::new(size).frontier(BoardEncoding::Row)?,
        "tours" => KnightsTours::closed(size, 8).frontier(PathEncoding::ByVertex)?,
        "paths" => grid_paths(size).frontier()?,
        "steps" => Frontier::of(constraint::at_most(size, 4)),
        _ => return Err(format!("there is no problem {name}").into()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = args().skip(1).collect();
    let [name, size, hosts, process, threads, rest @ ..] = &arguments[..] else {
        return Err("usage: measure PROBLEM N HOSTS PROCESS THREADS [diagram]".into());
    };
    let config = Config::from_hosts(hosts, process.parse()?)?.threads(threads.parse()?);
    let mut cluster = Cluster::connect(&config, &format!("{name} {size}"))?;
    let start = Instant::now();
    let mut shared = cluster.share(problem(name, size.parse()?)?);
    let answer = match rest {
        [] => format!("{} solutions", shared.count()?),
        _ => shared.zdd()?.map_or(String::new(), |zdd| format!("{} nodes", zdd.node_count())),
    };
    let levels = &shared.report().levels;
    let count = levels.len();
    let (states, edges) =
        levels.iter().fold((0, 0), |(states, edges), of| (states + of.states, edges + of.edges));
    let peak = shared.report().peak_bytes;
    drop(shared);
    println!(
        "{answer}, {count} levels, {states} states, {edges} edges in {:.3} s; this process: peak \
         {peak} bytes, sent {} bytes",
        start.elapsed().as_secs_f64(),
        cluster.bytes_sent()
    );
    Ok(())
}
