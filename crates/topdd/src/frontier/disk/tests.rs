//! Tests of every failing call and every power loss: the result is exact or an error, and the next
//! run with the same key returns the exact result.

use super::super::sample::Sample;
use super::{Checkpoint, Directory, RunCheckpoint, RunIdentity, SavedBlocks};
use crate::file::Files;
use crate::file::faulty::{Faulty, Loss, Plan, tempdir};
use crate::spec::{Arities, JoinSpec};
use crate::{BigUint, BuildError, DdSpec, Frontier, Rule, Step, Zdd};
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

impl<S> Frontier<'_, S> {
    /// Uses this file system, and writes a checkpoint after every level.
    pub(crate) fn on_files(mut self, files: &Files) -> Self {
        self.engine.config.files = files.clone();
        self.engine.config.checkpoint_interval = Some(Duration::ZERO);
        self
    }
}

/// A pseudo-random transition system with edges that skip variables. A state repeats one word 24
/// times, so that small runs write many bytes.
#[derive(Clone)]
struct Scatter {
    levels: usize,
    width: u64,
}

impl DdSpec for Scatter {
    type State = [u64; 24];
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn arity(&self, variable: usize) -> usize {
        2 + variable % 2
    }
    fn root(&self) -> Step<[u64; 24]> {
        Step::To(0, [0; 24])
    }
    fn child(&self, state: &[u64; 24], variable: usize, value: usize) -> Step<[u64; 24]> {
        let mut draw = (state[0] << 16 | (variable as u64) << 8 | value as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        draw = (draw ^ (draw >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        draw ^= draw >> 29;
        let to = variable + if draw.is_multiple_of(8) { 1 + (draw >> 8) as usize % 3 } else { 1 };
        match draw >> 16 & 15 {
            0 => Step::Zero,
            _ if to >= self.levels => Step::One,
            _ => Step::To(to, [(draw >> 20) % self.width; 24]),
        }
    }
}

/// [`Scatter`] with a joined part that prunes. A record that is lost or arrives twice changes the part,
/// since `join` is not idempotent.
struct Joined<'a>(&'a Scatter);

impl JoinSpec for Joined<'_> {
    type State = [u64; 24];
    type Joined = u64;
    fn num_vars(&self) -> usize {
        self.0.levels
    }
    fn arity(&self, variable: usize) -> usize {
        self.0.arity(variable)
    }
    fn root(&self) -> Step<([u64; 24], u64)> {
        self.0.root().map(|state| (state, 1))
    }
    fn child(
        &self,
        state: &[u64; 24],
        &joined: &u64,
        variable: usize,
        value: usize,
    ) -> Step<([u64; 24], u64)> {
        let joined = joined.wrapping_mul(5) + value as u64;
        if joined % 16 == 7 {
            return Step::Zero;
        }
        self.0.child(state, variable, value).map(|state| (state, joined))
    }
    fn join(one: &u64, other: &u64) -> u64 {
        one.wrapping_add(*other)
    }
}

/// The result that a run computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ask {
    Count,
    Diagram,
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Count(BigUint),
    Diagram(Zdd),
}

/// A run in a directory of its own.
#[derive(Clone, Copy, Debug)]
struct Case<'a> {
    spec: &'a Scatter,
    ask: Ask,
    /// Whether the states have a joined part; see [`Joined`].
    joins: bool,
    memory_limit: Option<usize>,
    dir: &'a Path,
}

impl std::fmt::Debug for Scatter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} levels", self.levels)
    }
}

impl<'a> Case<'a> {
    fn frontier(&self) -> Frontier<'a> {
        if self.joins { Frontier::joining(Joined(self.spec)) } else { Frontier::of(self.spec) }
    }

    fn ask(&self, mut frontier: Frontier<'_>) -> Result<Answer, BuildError> {
        match self.ask {
            Ask::Count => frontier.count().map(Answer::Count),
            Ask::Diagram => frontier.zdd().map(Answer::Diagram),
        }
    }

    /// Runs. Also returns the number of levels that were expanded.
    fn run(&self, files: &Faulty, threads: usize) -> (Result<Answer, BuildError>, usize) {
        let mut levels = 0;
        let frontier = self.frontier().threads(threads).on_level(|_| levels += 1);
        let mut frontier = frontier.checkpoint(self.dir, "key").on_files(&files.files());
        if let Some(bytes) = self.memory_limit {
            frontier = frontier.memory_limit(bytes).spill_to(self.dir);
        }
        let answer = self.ask(frontier);
        (answer, levels)
    }

    /// Runs with a fault, and again without. Returns the number of calls of the first run.
    fn survives(&self, plan: Plan, loss: Option<Loss>, expected: &Answer) -> usize {
        let about = format!("{self:?}, {plan:?}, {loss:?}");
        for left in fs::read_dir(self.dir).unwrap() {
            fs::remove_file(left.unwrap().path()).unwrap();
        }
        let faulty = Faulty::new(self.dir, plan);
        let (answer, _) = self.run(&faulty, 1);
        match answer {
            Ok(answer) => assert!(answer == *expected, "{about}"),
            Err(error) => {
                let harmless = matches!(
                    plan,
                    Plan::Nothing | Plan::Short(_) | Plan::Fail(_, ErrorKind::Interrupted)
                );
                assert!(!harmless, "{about}: {error}");
                let BuildError::Io(io) = &error else { panic!("{about}: {error}") };
                assert!(
                    io.path().is_some_and(|path| path.starts_with(self.dir)),
                    "{about}: {error}"
                );
            }
        }
        if let Some(loss) = loss {
            faulty.lose_power(loss);
        }
        let calls = faulty.calls();
        let (answer, _) = self.run(&Faulty::new(self.dir, Plan::Nothing), 2);
        assert_eq!(answer.map(|answer| answer == *expected), Ok(true), "{about}");
        assert_eq!(names(self.dir), ["topdd-lock"], "{about}");
        calls
    }

    fn expected(&self) -> Answer {
        self.ask(self.frontier()).unwrap()
    }
}

fn names(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

/// Small runs, for which every call can be failed; with a memory limit, and without.
fn small_cases(test: impl Fn(usize, Case<'_>)) {
    let mut number = 0;
    for (levels, width, memory_limit) in [(6, 8, None), (9, 256, Some(100_000))] {
        // The joined part is in the records and the states, hence in the files of both results.
        for (ask, joins) in [(Ask::Count, false), (Ask::Diagram, false), (Ask::Diagram, true)] {
            let dir = tempdir();
            let spec = &Scatter { levels, width };
            test(number, Case { spec, ask, joins, memory_limit, dir: dir.path() });
            number += 1;
        }
    }
}

/// Ensures that the tests below fail every kind of call. Only the reduction maps files; its tests
/// are in `diagram::reduce`.
#[test]
fn the_small_cases_make_calls_of_every_kind() {
    let kinds = Mutex::new(BTreeSet::new());
    small_cases(|_, case| {
        for threads in [1, 2] {
            let files = Faulty::new(case.dir, Plan::Broken(120));
            let _ = case.run(&files, threads);
            let files = Faulty::new(case.dir, Plan::Nothing);
            case.run(&files, threads).0.unwrap();
            kinds.lock().unwrap().extend(files.kinds());
        }
    });
    let expected = [
        "create_unnamed",
        "len",
        "list",
        "open",
        "read",
        "read_at",
        "remove",
        "rename",
        "sync",
        "sync_dir",
        "try_lock",
        "write",
    ];
    assert_eq!(kinds.into_inner().unwrap(), BTreeSet::from(expected));
}

#[test]
fn every_failing_call_leaves_an_exact_answer_or_an_error() {
    small_cases(|number, case| {
        let expected = case.expected();
        let calls = case.survives(Plan::Nothing, None, &expected);
        assert!((50..500).contains(&calls), "{case:?}: {calls} calls");
        for call in 0..calls {
            // A full disk differs in the message only; `error::io_error` tests that.
            let other = if call % 8 == 0 { ErrorKind::StorageFull } else { ErrorKind::Other };
            let plans = [
                Plan::Fail(call, other),
                Plan::Fail(call, ErrorKind::Interrupted),
                Plan::Short(call),
                Plan::FailAfter(call),
                Plan::Broken(call),
            ];
            // The six cases make about the same calls, so one plan for each are all plans for most.
            case.survives(plans[(call + number) % 5], None, &expected);
        }
    });
}

/// A run that resumes meets faults, too: after a kill and after a power loss, of which a kill
/// leaves names and content that are not durable.
#[test]
fn every_fault_of_a_resumed_run_leaves_an_exact_answer_or_an_error() {
    let dir = tempdir();
    let spec = &Scatter { levels: 6, width: 8 };
    for (ask, joins) in [(Ask::Count, false), (Ask::Diagram, false), (Ask::Count, true)] {
        let case = Case { spec, ask, joins, memory_limit: None, dir: dir.path() };
        let expected = case.expected();
        let calls = case.survives(Plan::Nothing, None, &expected);
        // Around the second commit, and near the end.
        for killed_at in (calls / 3..calls / 3 + 16).chain(calls - 16..calls) {
            // With the neighbours of this kill, each call.
            for call in (killed_at % 8..40).step_by(8) {
                let seed = (killed_at * 40 + call) as u64;
                for plan in [
                    Plan::Fail(call, ErrorKind::Other),
                    Plan::FailAfter(call),
                    Plan::PowerLoss(call),
                ] {
                    let faulty = Faulty::new(dir.path(), Plan::Broken(killed_at));
                    let _ = case.run(&faulty, 1);
                    faulty.again(plan);
                    let (answer, _) = case.run(&faulty, 1);
                    let about = format!("{killed_at}, {plan:?}");
                    assert!(answer.is_err() || answer.is_ok_and(|a| a == expected), "{about}");
                    faulty.lose_power([Loss::All, Loss::Nothing, Loss::Some(seed)][call % 3]);
                    let (answer, _) = case.run(&Faulty::new(dir.path(), Plan::Nothing), 1);
                    assert!(answer.is_ok_and(|answer| answer == expected), "{about}");
                    assert_eq!(names(dir.path()), ["topdd-lock"], "{about}");
                }
            }
        }
    }
}

#[test]
fn every_power_loss_leaves_a_checkpoint_or_nothing() {
    small_cases(|number, case| {
        let expected = case.expected();
        let calls = case.survives(Plan::Nothing, None, &expected);
        for call in 0..calls {
            let seed = call as u64;
            let losses = [Loss::All, Loss::Nothing, Loss::Later(seed), Loss::Some(seed)];
            case.survives(Plan::PowerLoss(call), Some(losses[(call + number) % 4]), &expected);
        }
    });
}

#[test]
fn larger_runs_survive_faults_at_sampled_calls() {
    larger_runs_survive(None);
}

#[test]
fn larger_runs_with_a_limit_survive_faults_at_sampled_calls() {
    larger_runs_survive(Some(1 << 18));
}

fn larger_runs_survive(memory_limit: Option<usize>) {
    for (ask, joins) in [(Ask::Count, false), (Ask::Diagram, false), (Ask::Count, true)] {
        let dir = tempdir();
        let spec = &Scatter { levels: 24, width: 1 << 10 };
        let case = Case { spec, ask, joins, memory_limit, dir: dir.path() };
        let expected = case.expected();
        let calls = case.survives(Plan::Nothing, None, &expected);
        assert!(calls > 200, "{calls}");
        for number in 0..4 {
            let call = number * 7919 % calls;
            let loss = Loss::Some(number as u64);
            case.survives(Plan::Fail(call, ErrorKind::Other), None, &expected);
            case.survives(Plan::Broken(call), None, &expected);
            case.survives(Plan::PowerLoss(call), Some(loss), &expected);
        }
    }
}

/// A failed run leaves the last checkpoint in place.
#[test]
fn after_any_fault_the_next_run_resumes_the_last_checkpoint() {
    let dir = tempdir();
    let spec = &Scatter { levels: 12, width: 8 };
    let case = Case { spec, ask: Ask::Diagram, joins: false, memory_limit: None, dir: dir.path() };
    let calls = case.survives(Plan::Nothing, None, &case.expected());
    let mut before = spec.levels;
    for call in 0..calls {
        for loss in [None, Some(Loss::All)] {
            let plan = loss.map_or(Plan::Broken(call), |_| Plan::PowerLoss(call));
            let faulty = Faulty::new(dir.path(), plan);
            let (answer, done) = case.run(&faulty, 1);
            if answer.is_ok() {
                // Only the clean-up failed.
                assert!(call > calls / 2);
                continue;
            }
            if let Some(loss) = loss {
                faulty.lose_power(loss);
            }
            let (answer, left) = case.run(&Faulty::new(dir.path(), Plan::Nothing), 1);
            answer.unwrap();
            // At most one level is expanded twice: the one whose checkpoint failed.
            assert!(done + left <= spec.levels + 1, "{plan:?}: {done} + {left}");
            before = before.min(left);
        }
    }
    assert_eq!(before, 0, "the last checkpoint leaves nothing to expand");
}

#[test]
fn a_failed_removal_is_a_warning_and_the_answer_is_returned() {
    let dir = tempdir();
    let spec = Scatter { levels: 6, width: 8 };
    let count = crate::count(&spec).unwrap();
    let run = |plan| {
        let faulty = Faulty::new(dir.path(), plan);
        let frontier = Frontier::over(&spec).threads(1).checkpoint(dir.path(), "key");
        let mut frontier = frontier.on_files(&faulty.files());
        let answer = frontier.count();
        let warnings = frontier.report().warnings.clone();
        (answer, warnings, faulty.calls())
    };
    let (_, _, calls) = run(Plan::Nothing);
    let mut warned = 0;
    for call in calls - 12..calls {
        let (answer, warnings, _) = run(Plan::Fail(call, ErrorKind::Other));
        if !warnings.is_empty() {
            assert_eq!(answer.unwrap(), count);
            let about = warnings[0].to_string();
            assert!(about.contains(dir.path().to_str().unwrap()), "{about}");
            warned += 1;
        }
        assert_eq!(run(Plan::Nothing).0.unwrap(), count);
        assert_eq!(names(dir.path()), ["topdd-lock"]);
    }
    assert!(warned > 3, "{warned}");
}

/// An I/O error is not the absence of a checkpoint.
#[test]
fn a_manifest_that_cannot_be_read_is_not_deleted() {
    let dir = tempdir();
    let spec = Scatter { levels: 12, width: 8 };
    let case =
        Case { spec: &spec, ask: Ask::Count, joins: false, memory_limit: None, dir: dir.path() };
    let (_, _) = case.run(&Faulty::new(dir.path(), Plan::Broken(120)), 1);
    let saved = names(dir.path());
    assert!(saved.len() > 2, "{saved:?}");
    // The first calls open and lock the directory, and read the manifest and the names.
    for call in 0..7 {
        let (answer, _) = case.run(&Faulty::new(dir.path(), Plan::Fail(call, ErrorKind::Other)), 1);
        // All but the clean-up at the end of these calls.
        assert!(answer.is_err() || call > 5, "{call}");
        if answer.is_err() {
            let left = names(dir.path());
            let missing: Vec<_> = saved.iter().filter(|name| !left.contains(name)).collect();
            assert!(
                missing.iter().all(|name| **name == "topdd-manifest.new"),
                "{call}: {missing:?}"
            );
        }
    }
    assert_eq!(case.run(&Faulty::new(dir.path(), Plan::Nothing), 1).0, Ok(case.expected()));
}

/// The time that a checkpoint takes includes copying the levels.
#[test]
fn no_checkpoint_is_due_sooner_than_the_last_one_took() {
    let dir = tempdir();
    let arities = Arities::two_valued(1);
    let identity =
        RunIdentity::new("key", "counts", Rule::AnyValue, &arities, Step::To(0, Vec::new()));
    let directory = Directory { files: &Files::default(), path: dir.path() };
    let interval = Duration::from_nanos(1);
    let open = Checkpoint::open(directory, identity, interval, |_| Ok(Some(0)), || Ok(()));
    let (mut checkpoint, manifest) = open.unwrap();
    assert!(manifest.is_none() && checkpoint.is_due());
    let copied_for = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
    checkpoint.prepare(copied_for(1000), Sample::default(), Vec::new(), &[], || Ok(())).unwrap();
    checkpoint.commit().unwrap();
    assert!(!checkpoint.is_due());
}

#[test]
fn a_kept_checkpoint_is_there_until_it_is_removed() {
    let dir = tempdir();
    let spec = Scatter { levels: 12, width: 8 };
    let files = Faulty::new(dir.path(), Plan::Nothing).files();
    let over = || {
        let frontier = Frontier::over(&spec).checkpoint(dir.path(), "key").on_files(&files);
        frontier.keep_checkpoint()
    };
    let mut first = over();
    let zdd = first.zdd().unwrap();
    assert!(names(dir.path()).contains(&"topdd-manifest".to_owned()));
    // If the result was lost, the same call returns it again.
    drop(first);
    let mut second = over();
    assert_eq!(second.zdd().unwrap(), zdd);
    assert_eq!(second.take_checkpoint().unwrap().remove(), []);
    assert_eq!(names(dir.path()), ["topdd-lock"]);
    assert!(second.take_checkpoint().is_none());
}

/// Other processes of that run may have replaced theirs.
#[test]
fn a_prepared_checkpoint_of_another_run_is_not_deleted() {
    let dir = tempdir();
    let spec = Scatter { levels: 12, width: 8 };
    let files = Faulty::new(dir.path(), Plan::Nothing).files();
    let over = |key| {
        let frontier = Frontier::over(&spec).checkpoint(dir.path(), key).on_files(&files);
        frontier.keep_checkpoint()
    };
    let count = over("one").count().unwrap();
    let prepared = dir.path().join("topdd-manifest.new");
    fs::rename(dir.path().join("topdd-manifest"), &prepared).unwrap();
    let saved = names(dir.path());
    let error = over("other").count().unwrap_err();
    assert!(matches!(error, BuildError::OtherCheckpoint { .. }), "{error}");
    assert_eq!(names(dir.path()), saved);
    assert_eq!(over("one").count().unwrap(), count);
    // If it is damaged, it was never complete.
    fs::write(&prepared, "damaged").unwrap();
    fs::remove_file(dir.path().join("topdd-manifest")).unwrap();
    assert_eq!(over("other").count().unwrap(), count);
}

/// Opens the checkpoint of a run that saves blocks.
fn open_blocks(
    faulty: &Faulty,
    folder: &Path,
) -> Result<(RunCheckpoint, Option<SavedBlocks>), BuildError> {
    let directory = Directory { files: &faulty.files(), path: folder };
    let arities = Arities::new(std::iter::empty());
    RunCheckpoint::open_over(directory, "key", "blocks", &arities, || Ok(()))
}

fn save_blocks(faulty: &Faulty, folder: &Path, saved: &[Vec<u8>]) -> Result<(), BuildError> {
    let (mut file, _) = open_blocks(faulty, folder)?;
    file.save(|blocks| saved.iter().try_for_each(|block| blocks.append(block).map(drop)))
}

#[test]
fn after_any_fault_the_blocks_of_one_save_are_there() {
    let first = [vec![1; 100], vec![], vec![2; 5000]];
    let second = [vec![3; 4000], vec![4; 7], vec![], vec![5; 300]];
    let attempt = |plan, loss: Option<Loss>| {
        let folder = tempdir();
        let before = Faulty::new(folder.path(), Plan::Nothing);
        save_blocks(&before, folder.path(), &first).unwrap();
        let faulty = Faulty::new(folder.path(), plan);
        let saved = save_blocks(&faulty, folder.path(), &second);
        if let Some(loss) = loss {
            faulty.lose_power(loss);
        }
        let after = Faulty::new(folder.path(), Plan::Nothing);
        let (file, blocks) = open_blocks(&after, folder.path()).unwrap();
        let blocks = blocks.unwrap();
        let found: Vec<_> = (0..blocks.len()).map(|index| blocks.read(index).unwrap()).collect();
        assert!(blocks.read(blocks.len()).is_err());
        assert!(found == second || saved.is_err() && found == first, "{plan:?}, {loss:?}");
        // No file of another save remains.
        let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        assert_eq!(names.filter(|name| name.to_str().unwrap().ends_with(".blocks")).count(), 1);
        assert!(file.finish().remove().is_empty());
        faulty.calls()
    };
    let calls = attempt(Plan::Nothing, None);
    assert!(calls > 5, "{calls}");
    for (plan, loss) in (0..calls).flat_map(Plan::of_save) {
        attempt(plan, loss);
    }
}

#[test]
fn a_save_that_fails_leaves_no_file() {
    let folder = tempdir();
    let faulty = Faulty::new(folder.path(), Plan::Nothing);
    let (mut file, _) = open_blocks(&faulty, folder.path()).unwrap();
    let failed = file.save(|blocks| {
        blocks.append(&[1; 1000])?;
        Err(BuildError::Cancelled { variable: None })
    });
    assert!(matches!(failed, Err(BuildError::Cancelled { .. })));
    let names = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["topdd-lock"]);
}
