//! Memory limits, spilling and checkpoints: results are byte for byte those without them.

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use topdd::diagram::{AnyValue, DiagramRule, ZeroSuppressed};
use topdd::{BigUint, BuildError, CancelToken, DdSpec, Diagram, Frontier, Report, Rule, Step};

/// A pseudo-random transition system with padded states. Some edges skip variables, and some levels
/// have states long before they are expanded.
#[derive(Clone, Debug)]
struct Scatter {
    levels: usize,
    width: u64,
    seed: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    number: u64,
    trail: Vec<u8>,
    /// Padding, so that states need more memory than the reduction.
    ballast: [u64; 24],
}

topdd::portable!(Place { number, trail, ballast });

impl Place {
    fn of(number: u64) -> Self {
        Place { number, trail: vec![number as u8; number as usize % 4], ballast: [number; 24] }
    }
}

impl Scatter {
    fn mix(&self, a: u64, b: u64) -> u64 {
        let mut z = (self.seed ^ a.rotate_left(32) ^ b).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 29)
    }
}

impl DdSpec for Scatter {
    type State = Place;
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn arity(&self, variable: usize) -> usize {
        if variable % 3 == 2 { 5 } else { 3 }
    }
    fn root(&self) -> Step<Place> {
        Step::To(0, Place::of(0))
    }
    fn child(&self, state: &Place, variable: usize, value: usize) -> Step<Place> {
        let draw = self.mix(state.number, (variable * 16 + value) as u64);
        match draw % 16 {
            0 => Step::Zero,
            2 if draw % 512 == 2 => Step::One,
            kind => {
                let to = variable + if kind < 5 { 1 + (draw >> 8) as usize % 4 } else { 1 };
                if to >= self.levels {
                    return Step::One;
                }
                let number = draw >> 20 & (self.width - 1);
                Step::To(to, Place::of(number))
            }
        }
    }
}

/// Runs with a memory limit, which is raised to the value that the error names until it suffices.
fn within<T>(mut limit: usize, mut run: impl FnMut(usize) -> Result<T, BuildError>) -> T {
    let mut raised = 0;
    loop {
        match run(limit) {
            Ok(answer) => return answer,
            Err(BuildError::LimitTooSmall { limit: reported, least, .. }) => {
                assert_eq!(reported, limit);
                assert!(least > limit, "{least} would be no better than {limit}");
                limit = least;
            }
            Err(error) => panic!("{error}"),
        }
        raised += 1;
        assert!(raised < 100, "{limit} bytes are not enough");
    }
}

/// The results of a spec, and the figures of its levels.
struct Answers<R: DiagramRule> {
    diagram: Diagram<R>,
    count: BigUint,
    levels: Vec<[u64; 4]>,
}

/// The results without a limit.
fn answers<R: DiagramRule>(spec: &Scatter) -> Answers<R> {
    let mut frontier = Frontier::over(spec).threads(1);
    let diagram: Diagram<R> = frontier.diagram().unwrap();
    let levels = figures(frontier.report());
    let count = Frontier::over(spec).threads(1).count_under(R::RULE).unwrap();
    assert_eq!(diagram.count(), count);
    Answers { diagram, count, levels }
}

/// The variable, the states, the edges and the merged edges of each level.
fn figures(report: &Report) -> Vec<[u64; 4]> {
    let levels = report.levels.iter();
    levels.map(|of| [of.variable as u64, of.states, of.edges, of.merged]).collect()
}

/// Compares both results and the figures within a limit with those without. Returns the peak of the bytes on disk.
fn same_within<R: DiagramRule>(
    spec: &Scatter,
    answers: &Answers<R>,
    limit: usize,
    threads: usize,
    dir: &Path,
) -> [u64; 2] {
    let mut on_disk = [0; 2];
    let same = within(limit, |limit| {
        let mut frontier = Frontier::over(spec).threads(threads).memory_limit(limit).spill_to(dir);
        let diagram = frontier.diagram::<R>();
        on_disk[0] = frontier.report().peak_disk_bytes;
        diagram.inspect(|_| assert_eq!(figures(frontier.report()), answers.levels))
    });
    assert!(same == answers.diagram, "{spec:?} within {limit} bytes, {threads} threads");
    let same = within(limit, |limit| {
        let mut frontier = Frontier::over(spec).threads(threads).memory_limit(limit).spill_to(dir);
        let count = frontier.count_under(R::RULE);
        on_disk[1] = frontier.report().peak_disk_bytes;
        count.inspect(|_| assert_eq!(figures(frontier.report()), answers.levels))
    });
    assert_eq!(same, answers.count);
    on_disk
}

fn is_empty(dir: &Path) -> bool {
    fs::read_dir(dir).unwrap().next().is_none()
}

/// Whether no file of a checkpoint is left except the lock file.
fn is_only_lock(dir: &Path) -> bool {
    fs::read_dir(dir).unwrap().all(|entry| entry.unwrap().file_name() == "topdd-lock")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_limit_gives_the_same(
        seed in any::<u64>(),
        levels in 2usize..14,
        width in 4u32..12,
        limit in 16u32..23,
        threads in 1usize..=8,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let spec = Scatter { levels, width: 1 << width, seed };
        same_within::<ZeroSuppressed>(&spec, &answers(&spec), 1 << limit, threads, dir.path());
        same_within::<AnyValue>(&spec, &answers(&spec), 1 << limit, threads, dir.path());
        prop_assert!(is_empty(dir.path()));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_stopped_run_resumes_at_the_saved_level(
        seed in any::<u64>(),
        levels in 2usize..10,
        width in 4u32..11,
        stops in prop::collection::vec(0usize..10, 1..4),
        spill in any::<bool>(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let spec = Scatter { levels, width: 1 << width, seed };
        let Answers { diagram, count, levels: expected } = answers::<AnyValue>(&spec);
        let set = |frontier: Frontier<'static, Scatter>| {
            let frontier = frontier.checkpoint(dir.path(), "key");
            if spill { frontier.spill_to(dir.path()).memory_limit(1 << 22) } else { frontier }
        };
        let spec: &'static Scatter = Box::leak(Box::new(spec));
        for &stop in &stops {
            stopped_after(set(Frontier::over(spec)), stop, |f| f.count_bdd().map(drop));
        }
        let mut frontier = set(Frontier::over(spec));
        prop_assert_eq!(frontier.count_bdd().unwrap(), count);
        prop_assert_eq!(figures(frontier.report()), &expected[..]);
        prop_assert!(is_only_lock(dir.path()));
        for &stop in &stops {
            stopped_after(set(Frontier::over(spec)), stop, |f| f.bdd().map(drop));
        }
        let mut frontier = set(Frontier::over(spec));
        prop_assert!(frontier.bdd().unwrap() == diagram);
        prop_assert_eq!(figures(frontier.report()), expected);
        prop_assert!(is_only_lock(dir.path()));
    }
}

/// Runs until `levels` levels are done, and cancels. There is a checkpoint after the level before.
fn stopped_after(
    frontier: Frontier<'static, Scatter>,
    levels: usize,
    run: impl FnOnce(&mut Frontier<'_, Scatter>) -> Result<(), BuildError>,
) {
    let token = CancelToken::new();
    let stop = token.clone();
    let mut done = 0;
    let mut frontier = frontier.cancel_with(&token).on_level(move |_| {
        done += 1;
        if done + 1 == levels {
            // Long enough for a checkpoint to be due.
            std::thread::sleep(Duration::from_millis(60));
        }
        if done >= levels {
            stop.cancel();
        }
    });
    match run(&mut frontier) {
        Ok(()) | Err(BuildError::Cancelled { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn spilled_wide_levels_give_the_results_without_a_limit() {
    let dir = tempfile::tempdir().unwrap();
    let spec = Scatter { levels: 12, width: 1 << 12, seed: 1 };
    let (zdd, bdd) = (answers(&spec), answers(&spec));
    for threads in [1, 3] {
        let on_disk = [
            same_within::<ZeroSuppressed>(&spec, &zdd, 1 << 20, threads, dir.path()),
            same_within::<AnyValue>(&spec, &bdd, 1 << 20, threads, dir.path()),
        ];
        assert!(on_disk.iter().flatten().all(|&bytes| bytes > 1 << 19), "{on_disk:?} on disk");
    }
    assert!(is_empty(dir.path()));
}

/// A pseudo-random transition system of two values that widens twofold from level to level, up to
/// `width`, with states of `SIZE` words; of a hundred edges `skips` lead up to nine variables further.
struct Funnel<const SIZE: usize> {
    levels: usize,
    width: u64,
    skips: u64,
    seed: u64,
}

impl<const SIZE: usize> Funnel<SIZE> {
    fn draw(&self, number: u64, variable: usize, value: usize) -> u64 {
        let mut z = (self.seed ^ number << 10 ^ (2 * variable + value) as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl<const SIZE: usize> DdSpec for Funnel<SIZE> {
    type State = [u64; SIZE];
    fn num_vars(&self) -> usize {
        self.levels
    }
    fn root(&self) -> Step<[u64; SIZE]> {
        Step::To(0, [0; SIZE])
    }
    fn child(&self, state: &[u64; SIZE], variable: usize, value: usize) -> Step<[u64; SIZE]> {
        let Funnel { levels, width, skips, .. } = *self;
        let draw = self.draw(state[0], variable, value);
        let skip = if draw % 100 < skips { (draw >> 8) as usize % 10 } else { 0 };
        match variable + 1 + skip {
            to if to < levels => Step::To(to, [(draw >> 32) % width; SIZE]),
            _ if (draw >> 16).is_multiple_of(8) => Step::Zero,
            _ => Step::One,
        }
    }
}

/// Compares diagrams within limits with the one without. Returns the number of limits that sufficed.
fn same_diagrams_within<S: DdSpec<State: topdd::Portable>>(spec: &S, limits: &[usize]) -> usize {
    let dir = tempfile::tempdir().unwrap();
    let diagram = topdd::zdd(spec).unwrap();
    let runs = limits.iter().flat_map(|&limit| [1, 2].map(|threads| (limit, threads)));
    let same = runs.filter(|&(limit, threads)| {
        let frontier = Frontier::over(spec).threads(threads);
        match frontier.memory_limit(limit).spill_to(dir.path()).zdd() {
            Ok(within) => {
                assert!(within == diagram, "within {limit} bytes, {threads} threads");
                true
            }
            Err(BuildError::LimitTooSmall { .. }) => false,
            Err(error) => panic!("{error}"),
        }
    });
    same.count()
}

/// The states of a level that is complete before its last part is spilled have their numbers. They
/// must be read in this order.
#[test]
fn a_level_spilled_after_completion_keeps_its_order() {
    for seed in 0..2 {
        let spec = Funnel::<7> { levels: 22, width: 20_000, skips: 0, seed };
        let possible = same_diagrams_within(&spec, &[1_300_000, 1_500_000, 1_800_000, 2_500_000]);
        assert!(possible > 4, "{possible}");
    }
}

/// A root with many values, each of which leads to a state of its own. The next level is as narrow as
/// the root when its partitions are chosen, so it has one.
struct Fan {
    width: u64,
}

impl DdSpec for Fan {
    type State = [u64; 4];
    fn num_vars(&self) -> usize {
        4
    }
    fn arity(&self, variable: usize) -> usize {
        if variable == 0 { self.width as usize } else { 2 }
    }
    fn root(&self) -> Step<[u64; 4]> {
        Step::To(0, [0; 4])
    }
    fn child(&self, &[state, ..]: &[u64; 4], variable: usize, value: usize) -> Step<[u64; 4]> {
        let child = if variable == 0 { value as u64 } else { (2 * state + value as u64) % 29_989 };
        match variable {
            3 if child % 3 == 0 => Step::Zero,
            3 => Step::One,
            _ => Step::To(variable + 1, [child; 4]),
        }
    }
}

/// The only partition of a level does not fit in its share of the limit, and was complete before it was
/// spilled: it is read block by block.
#[test]
fn a_large_partition_spilled_after_completion_keeps_its_order() {
    let possible = same_diagrams_within(
        &Fan { width: 60_000 },
        &[3_600_000, 4_000_000, 4_400_000, 4_800_000, 5_200_000],
    );
    assert!(possible > 4, "{possible}");
}

/// A level that is reached early, while levels are narrow, is spread over more partitions when it
/// becomes wide, and is spilled afterwards.
#[test]
fn early_edges_find_states_that_were_spread_and_spilled() {
    for seed in 0..2 {
        let spec = Funnel::<1> { levels: 24, width: 90_000, skips: 5, seed };
        let possible = same_diagrams_within(&spec, &[2_000_000, 2_500_000, 3_000_000]);
        assert!(possible > 2, "{possible}");
    }
}

#[test]
fn counts_outgrow_their_width_on_disk_and_across_checkpoints() {
    let dir = tempfile::tempdir().unwrap();
    let spec: &'static Scatter =
        Box::leak(Box::new(Scatter { levels: 110, width: 1 << 9, seed: 3 }));
    let count = Frontier::over(spec).count_bdd().unwrap();
    assert!(count.bits() > 130);
    let same = within(1 << 17, |limit| {
        Frontier::over(spec).memory_limit(limit).spill_to(dir.path()).count_bdd()
    });
    assert_eq!(same, count);
    for stop in [10, 50, 20] {
        let frontier = Frontier::over(spec).checkpoint(dir.path(), "key");
        stopped_after(frontier, stop, |f| f.count_bdd().map(drop));
    }
    let mut last = Frontier::over(spec).checkpoint(dir.path(), "key");
    assert_eq!(last.count_bdd().unwrap(), count);
    assert_eq!(last.report().levels.len(), 110, "the levels of all runs are reported");
    assert!(is_only_lock(dir.path()));
}

/// Sums beyond the range of floating-point numbers, under both rules.
#[test]
fn counts_of_many_limbs_are_exact() {
    let dir = tempfile::tempdir().unwrap();
    let spec = Scatter { levels: 800, width: 1 << 4, seed: 5 };
    let known = [
        Frontier::over(&spec).zdd().unwrap().count(),
        Frontier::over(&spec).bdd().unwrap().count(),
    ];
    assert!(known.iter().all(|count| count.bits() > 1024), "{known:?}");
    for threads in [1, 2] {
        let here = || Frontier::over(&spec).threads(threads);
        let counts = [here().count().unwrap(), here().count_bdd().unwrap()];
        assert_eq!(counts, known);
        let counts = [Rule::ZeroSuppressed, Rule::AnyValue].map(|rule| {
            within(1 << 16, |limit| {
                here().memory_limit(limit).spill_to(dir.path()).count_under(rule)
            })
        });
        assert_eq!(counts, known);
    }
}

#[test]
fn a_checkpoint_of_another_run_is_refused_and_stays() {
    let dir = tempfile::tempdir().unwrap();
    let one: &'static Scatter = Box::leak(Box::new(Scatter { levels: 9, width: 64, seed: 5 }));
    fs::write(dir.path().join("mine.txt"), "not topdd's").unwrap();
    let keyed = |spec, key: &str| Frontier::<Scatter>::over(spec).checkpoint(dir.path(), key);
    let over = |spec| keyed(spec, "key");
    stopped_after(over(one), 3, |f| f.count().map(drop));

    let refused = |error: BuildError, what: &str| {
        assert!(matches!(error, BuildError::OtherCheckpoint { .. }), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    };
    refused(
        keyed(one, "yours").count().unwrap_err(),
        "its key is key, and the key of this run is yours",
    );
    let longer: &'static Scatter = Box::leak(Box::new(Scatter { levels: 10, ..one.clone() }));
    refused(
        over(longer).count().unwrap_err(),
        "its number of variables is 9, and the number of variables of this run is 10",
    );
    refused(over(one).count_bdd().unwrap_err(), "rule");
    refused(
        over(one).zdd().unwrap_err(),
        "its payload is counts, and the payload of this run is edges",
    );

    // A damaged checkpoint is refused; a repaired one resumes.
    let manifest = dir.path().join("topdd-manifest");
    let bytes = fs::read(&manifest).unwrap();
    for at in [3, 25, bytes.len() / 2, bytes.len() - 1] {
        let mut broken = bytes.clone();
        broken[at] ^= 4;
        fs::write(&manifest, &broken).unwrap();
        let error = over(one).count().unwrap_err();
        assert!(matches!(error, BuildError::Damaged { .. }), "{error}");
        fs::write(&manifest, &bytes[..at]).unwrap();
        assert!(matches!(over(one).count().unwrap_err(), BuildError::Damaged { .. }));
    }
    fs::write(&manifest, &bytes).unwrap();
    let blocks = fs::read_dir(dir.path()).unwrap().flatten().map(|entry| entry.path());
    let blocks = blocks.filter(|path| path.extension().is_some_and(|e| e == "blocks"));
    for path in blocks.collect::<Vec<_>>() {
        let bytes = fs::read(&path).unwrap();
        if let Some(last) = bytes.len().checked_sub(1) {
            let mut broken = bytes.clone();
            broken[last] ^= 1;
            fs::write(&path, &broken).unwrap();
            assert!(matches!(over(one).count().unwrap_err(), BuildError::Damaged { .. }));
            fs::write(&path, &bytes[..last]).unwrap();
            assert!(matches!(over(one).count().unwrap_err(), BuildError::Damaged { .. }));
            fs::write(&path, &bytes).unwrap();
        }
    }
    assert_eq!(over(one).count().unwrap(), topdd::count(one).unwrap());
    assert_eq!(fs::read_to_string(dir.path().join("mine.txt")).unwrap(), "not topdd's");
    let mut names: Vec<_> =
        fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["mine.txt", "topdd-lock"]);
}

/// Runs that wait for each other must lock the same file.
#[test]
fn runs_in_one_directory_never_overlap() {
    let dir = tempfile::tempdir().unwrap();
    let spec = &Scatter { levels: 5, width: 16, seed: 5 };
    let count = &topdd::count(spec).unwrap();
    let at_work = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..15 {
                    let frontier = Frontier::over(spec).checkpoint(dir.path(), "key");
                    let mut frontier = frontier.on_level(|_| {
                        assert!(!at_work.swap(true, Ordering::SeqCst), "two runs at a time");
                        std::thread::sleep(Duration::from_millis(1));
                        at_work.store(false, Ordering::SeqCst);
                    });
                    match frontier.count() {
                        Ok(answer) => assert_eq!(answer, *count),
                        Err(error) => assert!(matches!(error, BuildError::DirectoryInUse { .. })),
                    }
                }
            });
        }
    });
    assert!(is_only_lock(dir.path()));
}

#[test]
fn one_run_at_a_time_in_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let spec = Scatter { levels: 9, width: 64, seed: 5 };
    let mut refused = false;
    let mut outer = Frontier::over(&spec).checkpoint(dir.path(), "key").on_level(|_| {
        if refused {
            return;
        }
        let error = Frontier::over(&spec).checkpoint(dir.path(), "key").count().unwrap_err();
        assert!(matches!(error, BuildError::DirectoryInUse { .. }), "{error}");
        // A time limit ends the wait, and is not the reason why the run has not begun.
        let late = Frontier::over(&spec).checkpoint(dir.path(), "key");
        let error = late.time_limit(Duration::from_millis(50)).count().unwrap_err();
        assert!(matches!(error, BuildError::DirectoryInUse { .. }), "{error}");
        // A cancelled run does not wait for the lock.
        let cancel = CancelToken::new();
        cancel.cancel();
        let mut cancelled =
            Frontier::over(&spec).checkpoint(dir.path(), "key").cancel_with(&cancel);
        let error = cancelled.count().unwrap_err();
        assert!(matches!(error, BuildError::Cancelled { .. }), "{error}");
        refused = true;
    });
    outer.count().unwrap();
    drop(outer);
    assert!(refused);
}

#[test]
fn a_run_waits_for_one_that_is_about_to_end() {
    let dir = tempfile::tempdir().unwrap();
    let spec = &Scatter { levels: 9, width: 64, seed: 5 };
    let count = topdd::count(spec).unwrap();
    let (begun, begins) = mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut first =
                Frontier::over(spec).checkpoint(dir.path(), "key").on_level(move |level| {
                    if level.variable == 0 {
                        begun.send(()).unwrap();
                        std::thread::sleep(Duration::from_millis(300));
                    }
                });
            assert_eq!(first.count().unwrap(), count);
        });
        begins.recv().unwrap();
        assert_eq!(Frontier::over(spec).checkpoint(dir.path(), "key").count().unwrap(), count);
    });
}

#[test]
fn unusable_directories_are_refused_at_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    let spec = Scatter { levels: 9, width: 64, seed: 5 };
    for place in [dir.path().join("missing"), file] {
        let spill = Frontier::over(&spec).memory_limit(1 << 20).spill_to(&place).count();
        let checkpoint = Frontier::over(&spec).checkpoint(&place, "key").count();
        for error in [spill.unwrap_err(), checkpoint.unwrap_err()] {
            assert!(matches!(error, BuildError::Io { .. }), "{error}");
            assert!(error.to_string().contains(place.to_str().unwrap()), "{error}");
        }
    }
}

#[test]
fn a_panic_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let spec = Scatter { levels: 14, width: 1 << 12, seed: 5 };
    let mut frontier = Frontier::over(&spec)
        .memory_limit(6 << 20)
        .spill_to(dir.path())
        .on_level(|level| assert!(level.variable < 12, "as planned"));
    let error = frontier.zdd().unwrap_err();
    assert_eq!(error, BuildError::Panicked { message: "as planned".to_owned() });
    assert!(is_empty(dir.path()));
}

#[test]
fn without_a_directory_the_limit_is_an_error() {
    let spec = Scatter { levels: 14, width: 1 << 14, seed: 5 };
    let error = Frontier::over(&spec).memory_limit(1 << 20).count().unwrap_err();
    assert!(matches!(error, BuildError::LimitReached { variable: Some(_), .. }), "{error}");
    assert!(error.to_string().contains("spill_to"), "{error}");
    let rules = [Rule::ZeroSuppressed, Rule::AnyValue];
    let dir = tempfile::tempdir().unwrap();
    for rule in rules {
        let error = Frontier::over(&spec).memory_limit(1).spill_to(dir.path()).count_under(rule);
        assert!(matches!(error, Err(BuildError::LimitTooSmall { .. })), "{error:?}");
    }
}

/// Levels of states that own 1 KB each.
struct Heavy;

impl DdSpec for Heavy {
    type State = Vec<u32>;
    fn num_vars(&self) -> usize {
        16
    }
    fn root(&self) -> Step<Vec<u32>> {
        Step::To(0, vec![0; 256])
    }
    fn child(&self, state: &Vec<u32>, variable: usize, value: usize) -> Step<Vec<u32>> {
        let draw = (u64::from(state[0]) << 8 | (variable << 1 | value) as u64)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        match variable {
            15 if draw >> 62 == 0 => Step::Zero,
            15 => Step::One,
            _ => Step::To(variable + 1, vec![(draw >> 40) as u32 % 8000; 256]),
        }
    }
}

#[test]
fn heap_memory_of_states_counts_and_is_spilled() {
    let expected = topdd::zdd(&Heavy).unwrap();
    let dir = tempfile::tempdir().unwrap();
    for threads in [1, 2] {
        let limit = 8 << 20;
        let limited = || Frontier::over(&Heavy).threads(threads).memory_limit(limit);
        let mut frontier = limited().spill_to(dir.path());
        assert_eq!(frontier.count().unwrap(), expected.count());
        let report = frontier.report();
        assert!(report.peak_bytes <= limit && report.peak_disk_bytes > 8 << 20, "{report}");
        assert!(frontier.zdd().unwrap() == expected);
        // The states of one level alone take that much.
        let widest = frontier.report().widest().unwrap().states as usize;
        assert!(widest * 1024 > limit / 2, "{widest}");
    }
}
