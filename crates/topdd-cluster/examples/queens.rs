//! Counts queens in several processes, and prints the cost of the connections.
//!
//! On each machine, with the index of its line in the host file:
//!
//! ```text
//! cargo run --release -p topdd-cluster --example queens -- 14 hosts.txt 0
//! ```

use std::env::args;
use std::error::Error;
use std::time::Instant;
use topdd::{DdSpec, Step};
use topdd_cluster::{Cluster, Config};

/// Queens on a board, a variable for each row.
struct Queens(usize);

impl DdSpec for Queens {
    /// Threatened columns, and those along both diagonals.
    type State = (u16, u16, u16);

    fn num_vars(&self) -> usize {
        self.0
    }

    fn arity(&self, _: usize) -> usize {
        self.0
    }

    fn root(&self) -> Step<Self::State> {
        Step::To(0, (0, 0, 0))
    }

    fn child(
        &self,
        &(down, left, right): &Self::State,
        row: usize,
        col: usize,
    ) -> Step<Self::State> {
        let bit = 1 << col;
        if (down | left | right) & bit != 0 {
            return Step::Zero;
        }
        if row + 1 == self.0 {
            return Step::One;
        }
        let all = (1 << self.0) - 1;
        Step::To(row + 1, (down | bit, (left | bit) << 1 & all, (right | bit) >> 1))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = args().skip(1).collect();
    let (n, hosts, process, threads) = match &arguments[..] {
        [n, hosts, process] => (n, hosts, process, "1"),
        [n, hosts, process, threads] => (n, hosts, process, &threads[..]),
        _ => return Err("usage: queens N HOSTS PROCESS [THREADS]".into()),
    };
    let n: usize = n.parse()?;
    if !(1..=15).contains(&n) {
        return Err("N must be 1 to 15".into());
    }
    let config = Config::from_hosts(hosts, process.parse()?)?.threads(threads.parse()?);
    let mut cluster = Cluster::connect(&config, &format!("queens {n}"))?;
    let start = Instant::now();
    let mut shared = cluster.over(Queens(n));
    let count = shared.count()?;
    let levels = shared.report().levels();
    let (states, edges) =
        levels.iter().fold((0, 0), |(states, edges), of| (states + of.states, edges + of.edges));
    let peak = shared.report().peak_bytes();
    drop(shared);
    println!(
        "{count} solutions, {states} states, {edges} edges in {:.3} s; this process: peak {peak} \
         bytes, sent {} bytes",
        start.elapsed().as_secs_f64(),
        cluster.bytes_sent()
    );
    Ok(())
}
