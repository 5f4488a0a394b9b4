use super::ReductionMemory;
use crate::check::RandomSpec;
use crate::diagram::store::{ArrayDisk, NodeStore};
use crate::diagram::{Bdd, Zdd};
use crate::file::Files;
use crate::file::faulty::{Faulty, Plan, tempdir};
use crate::frontier::unreduced::UnreducedDiagram;
use crate::frontier::{Built, Monitor, Peers, Watch};
use crate::frontier::{Mesh, Received};
use crate::{BuildError, CancelToken, DdSpec, Frontier, Limit, ProcessFault, Rule, Step};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Reduces the result of a sweep of one process.
fn reduce(
    memory: ReductionMemory,
    unreduced: UnreducedDiagram,
    rule: Rule,
    monitor: &mut Monitor<'_, '_>,
) -> Result<NodeStore, BuildError> {
    let store = super::reduce(memory, unreduced, rule, monitor, None)?;
    Ok(store.expect("one process has the diagram"))
}

/// A reproducible tangle of states, wide enough to be shared out, with skips.
struct Tangle {
    num_vars: usize,
    width: u32,
    arities: [usize; 3],
}

impl DdSpec for Tangle {
    type State = u32;
    fn num_vars(&self) -> usize {
        self.num_vars
    }
    fn arity(&self, variable: usize) -> usize {
        self.arities[variable % 3]
    }
    fn root(&self) -> Step<u32> {
        Step::To(0, 0)
    }
    fn child(&self, state: &u32, variable: usize, value: usize) -> Step<u32> {
        let mixed = u64::from(*state) << 16 ^ (variable * 8 + value) as u64;
        let draw = (mixed ^ mixed >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let to = variable + 1 + usize::from(draw >> 60 == 0) * 2;
        match draw >> 56 & 7 {
            0 => Step::Zero,
            _ if to >= self.num_vars => Step::One,
            _ => Step::To(to, (draw >> 20) as u32 % self.width),
        }
    }
}

fn reduced<S: DdSpec>(spec: &S, rule: Rule, threads: usize, disk: Option<ArrayDisk>) -> NodeStore {
    let mut frontier = Frontier::over(spec).threads(threads);
    let Built { unreduced, mut monitor, .. } = frontier.engine.build(rule).unwrap();
    reduce(ReductionMemory { disk, ..ReductionMemory::default() }, unreduced, rule, &mut monitor)
        .unwrap()
}

fn in_temp(share: usize) -> ArrayDisk {
    ArrayDisk { files: Files::default(), dir: std::env::temp_dir(), share }
}

/// Holds a diagram that lies on disk against the same in memory.
fn compare(on_disk: NodeStore, memory: NodeStore) {
    assert!(on_disk == memory);
    let (on_disk, memory) = (Zdd::new(on_disk), Zdd::new(memory));
    assert_eq!(on_disk.count(), memory.count());
    assert_eq!(on_disk.count(), memory.count());
    assert_eq!(on_disk.bytes(), memory.bytes());
    assert!(on_disk.iter().take(100).eq(memory.iter().take(100)));
}

proptest! {
    #[test]
    fn random_diagrams_are_the_same_on_disk(
        seed in any::<u64>(),
        share in 0usize..300,
        threads in 1usize..4,
    ) {
        let spec = RandomSpec::new(seed);
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let stored = reduced(&spec, rule, threads, Some(in_temp(share)));
            let memory = reduced(&spec, rule, 1, None);
            prop_assert!(share > 0 || stored.is_mapped() == (memory.node_count() > 0));
            compare(stored, memory);
        }
    }
}

#[test]
fn wide_diagrams_are_the_same_on_disk_and_for_any_number_of_threads() {
    for arities in [[2, 2, 2], [2, 3, 5], [3, 3, 3]] {
        let spec = Tangle { num_vars: 32, width: 1 << 15, arities };
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let memory = reduced(&spec, rule, 1, None);
            assert!(memory.node_count() > 50_000, "{}", memory.node_count());
            assert!(!memory.is_mapped());
            for (threads, share) in [(1, 0), (1, 1 << 20), (2, 1 << 16), (5, 1 << 18)] {
                let stored = reduced(&spec, rule, threads, Some(in_temp(share)));
                assert!(stored.is_mapped());
                assert!(stored == memory);
            }
            assert!(reduced(&spec, rule, 3, None) == memory);
            let stored = reduced(&spec, rule, 1, Some(in_temp(0)));
            assert_eq!(Bdd::new(stored).count(), Bdd::new(memory).count());
        }
    }
}

/// However little memory there is, and so however many parts the levels are reduced in.
#[test]
fn levels_in_parts_are_the_same() {
    for arities in [[2, 2, 2], [2, 3, 5]] {
        let spec = Tangle { num_vars: 24, width: 1 << 14, arities };
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let memory = reduced(&spec, rule, 1, None);
            assert!(memory.node_count() > 10_000, "{}", memory.node_count());
            for (threads, limit, share) in [(1, 1 << 20, None), (2, 1 << 17, Some(1 << 16))] {
                let mut frontier = Frontier::over(&spec).threads(threads);
                let Built { unreduced, mut monitor, .. } = frontier.engine.build(rule).unwrap();
                let room = ReductionMemory { limit: Some(limit), disk: share.map(in_temp) };
                assert!(reduce(room, unreduced, rule, &mut monitor).unwrap() == memory);
            }
        }
    }
}

proptest! {
    #[test]
    fn random_levels_in_parts_are_the_same(
        seed in any::<u64>(),
        limit in prop_oneof![0usize..300, 0usize..5000],
        share in prop::option::of(0usize..300),
    ) {
        let spec = RandomSpec::new(seed);
        for rule in [Rule::ZeroSuppressed, Rule::AnyValue] {
            let mut frontier = Frontier::over(&spec);
            let Built { unreduced, mut monitor, .. } = frontier.engine.build(rule).unwrap();
            let room = ReductionMemory { limit: Some(limit), disk: share.map(in_temp) };
            let parts = reduce(room, unreduced, rule, &mut monitor).unwrap();
            prop_assert!(parts == reduced(&spec, rule, 1, None));
        }
    }
}

#[test]
fn a_memory_limit_sends_the_diagram_to_disk() {
    let spec = Tangle { num_vars: 30, width: 1 << 14, arities: [2; 3] };
    let mut unlimited = Frontier::over(&spec);
    let expected = unlimited.zdd().unwrap();
    let peak = unlimited.report().peak_bytes;
    let mut frontier = Frontier::over(&spec).spill_to(std::env::temp_dir()).memory_limit(peak);
    let zdd = frontier.zdd().unwrap();
    assert!(expected.bytes() > peak / 4);
    assert!(zdd.store.is_mapped() && !expected.store.is_mapped());
    assert_eq!(zdd, expected);
    assert!(frontier.report().peak_bytes <= peak);
    assert_eq!(crate::count(&zdd).unwrap(), expected.count());
}

#[test]
fn reduction_with_a_file_fault_returns_the_diagram_or_an_error() {
    let dir = tempdir();
    let spec = Tangle { num_vars: 9, width: 50, arities: [2, 3, 4] };
    let rule = Rule::ZeroSuppressed;
    let expected = reduced(&spec, rule, 1, None);
    // With a limit of 0, the edges of each level are replaced by the nodes they lead to, on disk.
    let run = |limit, plan| {
        let faulty = Faulty::new(dir.path(), plan);
        let disk = ArrayDisk { files: faulty.files(), dir: dir.path().to_owned(), share: 0 };
        let mut frontier = Frontier::over(&spec).threads(1);
        let Built { unreduced, mut monitor, .. } = frontier.engine.build(rule).unwrap();
        match reduce(ReductionMemory { limit, disk: Some(disk) }, unreduced, rule, &mut monitor) {
            Ok(store) => assert!(store == expected, "{plan:?}"),
            Err(BuildError::Io(io)) => assert_eq!(io.path(), Some(dir.path()), "{plan:?}"),
            Err(error) => panic!("{plan:?}: {error}"),
        }
        assert_eq!(dir.path().read_dir().unwrap().count(), 0);
        (faulty.calls(), faulty.kinds())
    };
    for (limit, reads) in [(None, None), (Some(0), Some("read_at"))] {
        let (calls, kinds) = run(limit, Plan::Nothing);
        let expected = ["create_unnamed", "map", "write"].into_iter().chain(reads);
        assert_eq!(kinds, expected.collect::<BTreeSet<_>>());
        for call in 0..calls {
            for kind in [ErrorKind::Other, ErrorKind::StorageFull, ErrorKind::Interrupted] {
                run(limit, Plan::Fail(call, kind));
            }
            run(limit, Plan::Short(call));
            run(limit, Plan::Broken(call));
        }
    }
}

#[test]
fn a_directory_that_cannot_be_used_is_an_error_that_names_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let missing = Path::new("no such directory, surely");
    for (dir, expected) in [(missing, ErrorKind::NotFound), (file.path(), ErrorKind::NotADirectory)]
    {
        let spec = Tangle { num_vars: 12, width: 50, arities: [2; 3] };
        let mut frontier = Frontier::over(&spec);
        let Built { unreduced, mut monitor, .. } = frontier.engine.build(Rule::AnyValue).unwrap();
        let disk = Some(ArrayDisk { files: Files::default(), dir: dir.to_owned(), share: 0 });
        let error = {
            let room = ReductionMemory { disk, ..ReductionMemory::default() };
            reduce(room, unreduced, Rule::AnyValue, &mut monitor)
        }
        .unwrap_err();
        let BuildError::Io(io) = &error else { panic!("{error}") };
        assert_eq!((io.kind(), io.path()), (expected, Some(dir)));
        let message = error.to_string();
        for part in ["temporary file", &dir.display().to_string(), "name one"] {
            assert!(message.contains(part), "{message}");
        }
    }
}

#[test]
fn every_reduced_level_is_reported_and_cancelling_stops_at_the_next() {
    let spec = Tangle { num_vars: 12, width: 500, arities: [2, 3, 4] };
    let mut seen = Vec::new();
    let mut frontier = Frontier::over(&spec).on_reduced(|level| seen.push(*level));
    let zdd = frontier.zdd().unwrap();
    let report = frontier.report().clone();
    drop(frontier);
    assert_eq!(seen, report.reduced);
    assert!(seen.iter().rev().map(|level| level.variable).eq(0..12));
    let widths: Vec<usize> = seen.iter().rev().map(|level| level.nodes).collect();
    assert_eq!(widths, zdd.widths());
    for (reduced, level) in seen.iter().rev().zip(&report.levels) {
        assert_eq!((reduced.variable, reduced.states), (level.variable, level.states));
        assert!(reduced.nodes as u64 <= reduced.states && reduced.bytes > 0);
    }
    let mut left = report.states();
    for reduced in &seen {
        left -= reduced.states;
        assert_eq!(reduced.states_left, left);
    }
    assert_eq!((left, seen[11].time_left), (0, std::time::Duration::ZERO));

    let token = CancelToken::new();
    let cancel = |level: &crate::ReducedLevel| {
        if level.variable == 7 {
            token.cancel();
        }
    };
    let error = Frontier::over(&spec).cancel_with(&token).on_reduced(cancel).zdd().unwrap_err();
    assert!(matches!(error, BuildError::Cancelled { variable: Some(6 | 7) }), "{error}");
}

/// The second of two processes, whose peer sends the same messages as it.
#[derive(Default)]
struct Mirror {
    messages: Vec<(usize, Vec<u8>)>,
    /// Size in bytes of messages that are not delivered.
    undelivered: usize,
}

impl Mesh for Mirror {
    fn processes(&self) -> usize {
        2
    }
    fn process(&self) -> usize {
        1
    }
    fn address(&self, _: usize) -> &'static str {
        "mirror"
    }
    fn key(&self) -> &'static str {
        ""
    }
    fn send(&mut self, _: usize, message: Vec<u8>) -> Result<(), BuildError> {
        self.messages.push((0, message));
        Ok(())
    }
    fn end_batch(&mut self) {}
    fn end_level(&mut self) {}
    fn receive(&mut self, _: Duration) -> Result<Received, BuildError> {
        Ok(Received { messages: std::mem::take(&mut self.messages), batches: None })
    }
    fn bytes(&self) -> usize {
        self.undelivered
    }
    fn failure(&self) -> Arc<OnceLock<BuildError>> {
        Arc::default()
    }
    fn fail(&mut self, _: ProcessFault, _: &str) {}
}

#[test]
fn parts_for_other_processes_and_undelivered_messages_are_counted() {
    let mut mesh = Mirror { undelivered: 500, ..Mirror::default() };
    let mut peers = Peers::new(&mut mesh, Watch::start(None, None));
    let received = peers.exchange(vec![vec![7; 3000], vec![8; 200]]).unwrap();
    assert_eq!(received, [vec![7; 3000], vec![8; 200]]);
    assert!((3700..3800).contains(&peers.take_peak()));
    assert_eq!(peers.take_peak(), 0);
}

#[test]
fn a_memory_limit_includes_the_messages_of_a_reduction() {
    let spec = Tangle { num_vars: 12, width: 50, arities: [2, 3, 4] };
    let limit = 10_000_000;
    let run = |undelivered| {
        let mut frontier = Frontier::over(&spec).memory_limit(limit);
        let built = frontier.engine.build(Rule::ZeroSuppressed).unwrap();
        let Built { unreduced, mut monitor, .. } = built;
        let mut mesh = Mirror { undelivered, ..Mirror::default() };
        let memory = ReductionMemory { limit: Some(limit), ..ReductionMemory::default() };
        let peers = Some(Peers::new(&mut mesh, monitor.watch.clone()));
        super::reduce(memory, unreduced, Rule::ZeroSuppressed, &mut monitor, peers)
    };
    assert!(run(0).unwrap().is_none(), "the first process has the diagram");
    let error = run(limit).err().unwrap();
    assert!(
        matches!(error, BuildError::LimitReached { limit: Limit::Bytes(10_000_000), .. }),
        "{error}"
    );
}
