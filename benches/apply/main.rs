//! What the apply engine needs for the cases by which packages are compared: seconds to
//! build and count, peak memory, nodes of the result.
//!
//! `cargo bench --bench apply` prints the table; `cargo bench --bench apply -- zdd 11` the
//! cases whose name has all of these words in it. Beside each stands what the crate `oxidd`
//! needs for the same formulation, in the same run. Every case runs in a process of its own,
//! so that the peak memory is its own, and on one thread.

mod packages;

use std::error::Error;
use std::process::Command;
use std::time::Instant;
use topdd_apply::Manager;
use topdd_problems::chess::{KnightsTours, Queens};
use topdd_problems::graph::{Walks, grid_hamiltonian_cycles};

type Outcome = Result<String, Box<dyn Error>>;
type Run = Box<dyn Fn() -> Outcome>;

/// Tells a child process which case to run.
const CASE: &str = "TOPDD_BENCH_CASE";

/// The cases, by name: what to run here, and in the other package.
fn cases() -> Vec<(String, [Run; 2])> {
    let mut cases: Vec<(String, [Run; 2])> = Vec::new();
    let mut case = |name: &str, ours: Run, theirs: Run| cases.push((name.into(), [ours, theirs]));
    for n in 8..=12 {
        let theirs = move || packages::queens_bcdd(n);
        case(
            &format!("queens by rows, bdd, {n}"),
            Box::new(move || queens_bdd(n)),
            Box::new(theirs),
        );
    }
    for n in 8..=12 {
        let theirs = move || packages::queens_zbdd(n);
        case(
            &format!("queens by rows, zdd, {n}"),
            Box::new(move || queens_zdd(n)),
            Box::new(theirs),
        );
    }
    let mut walks = |name: &str, walks: fn() -> Result<Walks, Box<dyn Error>>| {
        let theirs = move || packages::by_time(&walks()?);
        case(name, Box::new(move || by_time(&walks()?)), Box::new(theirs));
    };
    walks("grid hamiltonian cycles by time, zdd, 6x6", || Ok(grid_hamiltonian_cycles(6, 6)));
    walks("knights closed by time, zdd, 5x6", || Ok(KnightsTours::closed(5, 6).walks()?));
    walks("knights open by time, zdd, 5x5", || Ok(KnightsTours::open(5, 5).walks()?));
    cases.push((
        "random family algebra, zdd".into(),
        [Box::new(random_algebra), Box::new(packages::random_algebra)],
    ));
    cases
}

/// Random sets of 12 of [`RANDOM_VARS`] variables, the variables ascending.
fn random_sets(count: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move || {
        // The xorshift generator of Marsaglia.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % RANDOM_VARS
    };
    (0..count).map(move |_| {
        let mut set: Vec<usize> = Vec::new();
        while set.len() < 12 {
            let variable = draw();
            if !set.contains(&variable) {
                set.push(variable);
            }
        }
        set.sort_unstable();
        set
    })
}

const RANDOM_VARS: usize = 40;
const RANDOM_SETS: usize = 20_000;

/// The union of random sets, one by one; then variable by variable, from the middle on, the
/// members with the variable taken out are added, and those that were there before are
/// intersected and taken away again.
fn random_algebra() -> Outcome {
    let start = Instant::now();
    let manager = Manager::new(RANDOM_VARS)?;
    let mut all = manager.empty();
    for set in random_sets(RANDOM_SETS) {
        all |= manager.set(set)?;
    }
    let sets = all.clone();
    for variable in RANDOM_VARS / 2..RANDOM_VARS / 2 + 6 {
        let less = all.subset0(variable)? | all.subset1(variable)?;
        all = (&less - &(&less & &sets)) | &all;
    }
    Ok(line(start, &all.count(), all.node_count()))
}

fn queens_bdd(n: usize) -> Outcome {
    let start = Instant::now();
    let manager = Manager::new(n * n)?;
    let queens = Queens::new(n).function(&manager, |_, _| ())?;
    Ok(line(start, &queens.count(), queens.node_count()))
}

fn queens_zdd(n: usize) -> Outcome {
    let start = Instant::now();
    let manager = Manager::new(n * n)?;
    let queens = Queens::new(n).family(&manager, |_, _| ())?;
    Ok(line(start, &queens.count(), queens.node_count()))
}

fn by_time(walks: &Walks) -> Outcome {
    let start = Instant::now();
    let manager = Manager::new(walks.graph().vertices().pow(2))?;
    let tours = walks.by_time(&manager, |_, _| ())?;
    Ok(line(start, &tours.count(), tours.node_count()))
}

fn line(start: Instant, count: &impl std::fmt::Display, nodes: usize) -> String {
    format!("{:.3} s | {} | {nodes} | {count}", start.elapsed().as_secs_f64(), peak_memory())
}

/// The most memory this process has held, where the system tells.
fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next());
    match peak.and_then(|kib| kib.parse::<u64>().ok()) {
        Some(kib) => format!("{:.0} MB", kib as f64 * 1024.0 / 1e6),
        None => "?".to_owned(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let cases = cases();
    if let Ok(wanted) = std::env::var(CASE) {
        let (package, wanted) = wanted.split_once(": ").ok_or("no such package")?;
        let (_, runs) = cases.iter().find(|(name, _)| *name == wanted).ok_or("no such case")?;
        println!("{}", runs[usize::from(package == "oxidd")]()?);
        return Ok(());
    }
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("| case | package | time | peak memory | nodes | solutions |");
    println!("| --- | --- | ---: | ---: | ---: | ---: |");
    for (name, _) in cases.iter().filter(|(name, _)| words.iter().all(|word| name.contains(word))) {
        for package in ["topdd", "oxidd"] {
            let case = format!("{package}: {name}");
            let output = Command::new(std::env::current_exe()?).env(CASE, case).output()?;
            if !output.status.success() {
                return Err(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)).into());
            }
            println!("| {name} | {package} | {} |", String::from_utf8_lossy(&output.stdout).trim());
        }
    }
    Ok(())
}
