//! The cost of the apply engine for the cases by which packages are compared: seconds to
//! build and count, peak memory, nodes of the result.
//!
//! `cargo bench --bench apply` prints the table; `cargo bench --bench apply -- zdd 11` the
//! cases with all of these words in their names. Each row also has the cost of the crate `oxidd`
//! for the same formulation, in the same run. Every case runs in a separate process, so that the
//! peak memory is that of the case, and on one thread.

mod formulations;
mod packages;

use formulations::{Answer, Outcome};
use packages::Room;
use std::error::Error;
use std::process::Command;
use std::time::Instant;
use topdd_chess::{KnightsTours, Leaper};

type Run = Box<dyn Fn() -> Outcome>;

/// Enough for the largest case. Unused memory is not resident.
const ROOM: Room = Room { nodes: 1 << 25, cache: 1 << 22 };

/// The number of sets with which the random algebra begins.
const RANDOM_SETS: usize = 20_000;

/// The variable in which a child process finds its case.
const CASE: &str = "TOPDD_BENCH_CASE";

/// The cases, by name: the run here, and that of the other package.
fn cases() -> Vec<(String, [Run; 2])> {
    let mut cases: Vec<(String, [Run; 2])> = Vec::new();
    let mut case = |name: &str, ours: Run, theirs: Run| cases.push((name.into(), [ours, theirs]));
    for n in 8..=12 {
        let theirs = move || packages::queens_bcdd(n, ROOM);
        case(
            &format!("queens by rows, bdd, {n}"),
            Box::new(move || formulations::queens_bdd(n)),
            Box::new(theirs),
        );
    }
    for n in 8..=12 {
        let theirs = move || packages::queens_zbdd(n, ROOM);
        case(
            &format!("queens by rows, zdd, {n}"),
            Box::new(move || formulations::queens_zdd(n)),
            Box::new(theirs),
        );
    }
    let mut tours = |name: &str, tours: fn() -> KnightsTours| {
        let theirs = move || packages::by_time(&tours(), ROOM);
        case(name, Box::new(move || formulations::by_time(&tours())), Box::new(theirs));
    };
    // The tours of the wazir are the Hamiltonian cycles of a grid.
    let grid = || KnightsTours::closed(6, 6).piece(Leaper::wazir());
    tours("grid hamiltonian cycles by time, zdd, 6x6", grid);
    tours("knights closed by time, zdd, 5x6", || KnightsTours::closed(5, 6));
    tours("knights open by time, zdd, 5x5", || KnightsTours::open(5, 5));
    cases.push((
        "random family algebra, zdd".into(),
        [
            Box::new(|| formulations::random_algebra(RANDOM_SETS)),
            Box::new(|| packages::random_algebra(RANDOM_SETS, ROOM)),
        ],
    ));
    cases
}

/// The maximum memory of this process, if the system reports it.
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
        let start = Instant::now();
        let Answer { count, nodes } = runs[usize::from(package == "oxidd")]()?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds:.3} s | {} | {nodes} | {count}", peak_memory());
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
