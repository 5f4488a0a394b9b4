//! Runs of several processes on the loopback address: the test program starts itself.

#![allow(dead_code, unreachable_pub, reason = "each test program uses some of it")]

pub mod specs;

use std::io::Read;
use std::net::TcpListener;
use std::ops::Range;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use topdd::{Goal, QueryError, Rule, Semiring, Weights};
use topdd_cluster::{Cluster, Config, Shared};

/// The most time that the processes of one run take.
const LIMIT: Duration = Duration::from_mins(1);

/// Addresses of free ports, each of which is returned once. A free port that the system chooses may become the port of an
/// outgoing connection before the process listens; Linux takes those ports from 32 768 on.
pub fn addresses(processes: usize) -> Vec<String> {
    const PORTS: Range<u32> = 10_000..32_000;
    static RETURNED: AtomicU32 = AtomicU32::new(0);
    let next = || {
        let offset = std::process::id()
            .wrapping_mul(97)
            .wrapping_add(RETURNED.fetch_add(1, Ordering::Relaxed));
        format!("127.0.0.1:{}", PORTS.start + offset % (PORTS.end - PORTS.start))
    };
    let free = std::iter::repeat_with(next).filter(|address| TcpListener::bind(address).is_ok());
    free.take(processes).collect()
}

/// A process that runs the test `process` of this program.
pub struct Process {
    child: Child,
    output: JoinHandle<String>,
    errors: JoinHandle<String>,
    started: Instant,
}

/// The output of a process, and its exit code.
pub struct Outcome {
    /// The texts after `answer: `.
    pub answers: Vec<String>,
    pub errors: String,
    pub code: Option<i32>,
}

impl Process {
    /// Starts a process. `task` is its task, in words that the test program understands.
    pub fn start(addresses: &[String], process: usize, threads: usize, task: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "process", "--nocapture", "--test-threads", "1"])
            .env("TOPDD_HOSTS", addresses.join(" "))
            .env("TOPDD_PROCESS", process.to_string())
            .env("TOPDD_THREADS", threads.to_string())
            .env("TOPDD_TASK", task)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Read from the start: a process whose pipe is full waits, and the others for it.
        let output = read(child.stdout.take().unwrap());
        let errors = read(child.stderr.take().unwrap());
        Process { child, output, errors, started: Instant::now() }
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    /// Waits for the end of the process. Kills it after the limit.
    pub fn outcome(mut self) -> Outcome {
        let code = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status.code();
            }
            if self.started.elapsed() > LIMIT {
                self.child.kill().unwrap();
                break None;
            }
            thread::sleep(Duration::from_millis(5));
        };
        let output = self.output.join().unwrap();
        // The test harness prints before the first line.
        let answers = output.lines().filter_map(|line| line.split_once("answer: "));
        let answers = answers.map(|(_, answer)| answer.to_owned()).collect();
        Outcome { answers, errors: self.errors.join().unwrap(), code }
    }
}

/// Reads to the end, in a thread.
fn read(mut from: impl Read + Send + 'static) -> JoinHandle<String> {
    thread::spawn(move || {
        let mut text = String::new();
        from.read_to_string(&mut text).unwrap();
        text
    })
}

/// Runs a task in several processes.
pub fn run(processes: usize, threads: usize, task: &str) -> Vec<Outcome> {
    let addresses = addresses(processes);
    let start = |process| Process::start(&addresses, process, threads, task);
    let started: Vec<_> = (0..processes).map(start).collect();
    started.into_iter().map(Process::outcome).collect()
}

/// Runs a task in several processes. Returns their common answers.
pub fn answers(processes: usize, threads: usize, task: &str) -> Vec<String> {
    let outcomes = run(processes, threads, task);
    for Outcome { answers, errors, code } in &outcomes {
        assert_eq!(*code, Some(0), "{processes} x {threads} {task}: {errors}");
        assert_eq!(*answers, outcomes[0].answers, "{processes} x {threads} {task}");
    }
    outcomes.into_iter().next().unwrap().answers
}

/// Checks all cases at the same time, each in a thread. A case mostly waits for its processes.
pub fn at_once<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    let check = &check;
    thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || check(case));
        }
    });
}

/// Starts a task in three processes with checkpoints in `dir`, and kills one of them `round` times
/// `pause` later. Returns the outcomes of the processes that finish; the others must name the
/// killed one within ten seconds.
pub fn kill_one_of_three(round: usize, pause: Duration, task: &str, dir: &Path) -> Vec<Outcome> {
    let addresses = addresses(3);
    let start = |process| Process::start(&addresses, process, 1, task);
    let mut started: Vec<_> = (0..3).map(start).collect();
    // A process that is killed before it has met the others is absent, which takes longer to find.
    let is_open = |process| dir.join(format!("topdd-process-{process}-of-3/topdd-lock")).exists();
    while !(0..3).all(is_open) {
        thread::sleep(Duration::from_millis(2));
    }
    thread::sleep(pause * round as u32);
    let killed = round % 3;
    started[killed].kill();
    let start = Instant::now();
    let outcomes: Vec<_> = started.into_iter().map(Process::outcome).collect();
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    for (process, Outcome { errors, code, .. }) in outcomes.iter().enumerate() {
        let named = *code == Some(1) && errors.contains(&format!("process {killed} ("));
        assert!(*code == Some(0) || named || process == killed, "{round}: {errors}");
    }
    outcomes.into_iter().filter(|outcome| outcome.code == Some(0)).collect()
}

/// The configuration and the task of this process, if it was started by [`Process::start`].
pub fn task() -> Option<(Config, String)> {
    let variable = |name| std::env::var(name).ok();
    let hosts = variable("TOPDD_HOSTS")?;
    let process = variable("TOPDD_PROCESS")?.parse().unwrap();
    let threads = variable("TOPDD_THREADS")?.parse().unwrap();
    let config = Config::new(hosts.split(' '), process).threads(threads);
    Some((config.connect_wait(Duration::from_secs(20)), variable("TOPDD_TASK")?))
}

/// Whether this process is the last of those that [`run`] started.
pub fn is_last() -> bool {
    let variable = |name| std::env::var(name).unwrap();
    let processes = variable("TOPDD_HOSTS").split(' ').count();
    variable("TOPDD_PROCESS").parse() == Ok(processes - 1)
}

/// Connects this process.
pub fn connect(config: &Config, key: &str) -> Cluster {
    Cluster::connect(config, key).unwrap_or_else(|error| fail(error))
}

/// Ends this process with an error.
pub fn fail(error: impl std::fmt::Display) -> ! {
    eprintln!("error: {error}");
    std::process::exit(1)
}

/// Probabilities that are proportional to the weights plus one.
pub fn probabilities(weights: &Weights<i64>) -> Weights<f64> {
    let of = |variable| -> Vec<f64> {
        let weights = weights.variable(variable);
        let sum: i64 = weights.iter().map(|weight| weight + 1).sum();
        weights.iter().map(|weight| (weight + 1) as f64 / sum as f64).collect()
    };
    (0..weights.num_vars()).map(of).collect()
}

/// Returns the answer to a question as text.
pub fn ask(
    mut shared: Shared<'_>,
    question: &str,
    weights: &Weights<i64>,
) -> Result<String, QueryError> {
    let best =
        |rule| move |shared: &mut Shared<'_>| shared.best_under(rule, weights, Goal::Maximum);
    Ok(match question {
        "count" => shared.count()?.to_string(),
        "count_bdd" => shared.count_bdd()?.to_string(),
        "count_by" => format!("{:?}", shared.count_by(weights)?),
        "minimum_weight" => format!("{:?}", shared.minimum_weight(weights)?),
        "maximum_weight" => format!("{:?}", shared.maximum_weight(weights)?),
        "best" => format!("{:?}", best(Rule::ZeroSuppressed)(&mut shared)?),
        "best_bdd" => format!("{:?}", best(Rule::AnyValue)(&mut shared)?),
        "probability" => shared.probability(&probabilities(weights))?.to_string(),
        "modulo" => shared.sum_product(&Modulo)?.to_string(),
        "profile" => {
            let levels = &shared.profile()?.levels;
            let figures = levels.iter().map(|of| (of.variable, of.states, of.edges, of.merged));
            format!("{:?}", figures.collect::<Vec<_>>())
        }
        _ => panic!("{question}"),
    })
}

/// The numbers modulo a prime.
struct Modulo;

impl Semiring for Modulo {
    type Value = u64;

    fn zero(&self) -> u64 {
        0
    }

    fn one(&self) -> u64 {
        1
    }

    fn add(&self, one: &u64, other: &u64) -> u64 {
        (one + other) % 1_000_003
    }

    fn multiply(&self, one: &u64, other: &u64) -> u64 {
        one * other % 1_000_003
    }

    fn weight(&self, variable: usize, value: usize) -> u64 {
        (3 + variable * value) as u64
    }
}
