//! Sweeps over alike variables: each state is expanded once for all of them.
//!
//! Variables that are [like](crate::DdSpec::like) one another are a *class*. A class stores its states, and for each
//! state its *transitions*: its edges, each with the number of the target state in the class of its variable. A
//! level has a count for each state of its class. Expanding it follows stored transitions: no state is hashed or
//! compared. So the spec is called for as many states as a class has, and not for the states of each of its variables.
//!
//! A transition is used for another variable of the class only if the same classes follow both, as far as the transition
//! depends on them. Transitions that hold for the same variables are a *context*. Otherwise the state is expanded again.
//!
//! All threads call the spec for the states of a level that are new; one thread merges their children and follows the
//! transitions. The reduction of a diagram is on all threads.
//!
//! The result is the one of [`Sweep`](super::sweep::Sweep). That sweep runs instead if the run has a
//! checkpoint, several processes, checks of states or a limit of states, if a build may spill, if few variables are alike, or
//! if the payload is neither edges nor a count.
//! It goes on with the levels that are left if the classes take too much memory, or if few transitions are used more than once.

mod class;
mod follow;
mod level;

use super::child_records::{ChildRecords, GroupOutput, TO_LONG, TO_ONE};

use super::expander::{ExpansionInput, ForcedPolicy, Routing, SweepInput};
use super::expansion::MIN_GROUP_STATES;
use super::level::{Incoming, Level};
use super::memory::SweepData;
use super::monitor::{Monitor, Sharing};
use super::payload::NoValues;
use super::places::{Place, Places};
use super::report::LevelReport;
use super::states::{ArrivalList, Rank};
use super::unreduced::{ClassTransitions, ShapeReader, Spans, Transition};
use crate::number::limbs;
use crate::spec::{Rule, Step};
use crate::{BuildError, heap};
use class::{Class, VariableClasses};
use follow::{Followed, SpanTarget};
use level::{AlikeLevel, AlikeLevels};
use std::ops::Range;

/// The classes may take the memory limit divided by this.
const SHARE_OF_LIMIT: usize = 4;
/// The most states that are expanded at a time, and about the most edges.
const BATCH: usize = 1 << 14;
/// The number of states after which the sweep must pay.
const TRIAL: u64 = 1 << 16;

/// Classes of more bytes are returned to the system before the reduction.
const MIN_TRIMMED_BYTES: usize = 1 << 20;

/// A sweep over alike variables in progress.
pub(super) struct AlikeSweep<'a> {
    input: SweepInput<'a>,
    forced_policy: ForcedPolicy,
    classes: VariableClasses,
    by_number: Vec<Class>,
    levels: AlikeLevels,
    /// The records of each thread.
    records: Vec<ChildRecords>,
    /// The data of finished levels, and in the end the levels that are left.
    data: SweepData,
    effort: Effort,
    /// Room for what receives the edges of a level, by span.
    targets: Vec<SpanTarget>,
    /// Bytes of the states of the classes.
    bytes: usize,
    /// Whether the classes take more than the memory limit, or have more states, spans or transitions than have numbers.
    overflows: bool,
}

/// The work on finished levels beyond following transitions.
#[derive(Default)]
struct Effort {
    /// The number of states of their classes, present or not.
    scanned: u64,
    /// The number of states whose transitions were copied from another context, or found again because the transitions of other contexts
    /// do not hold.
    again: u64,
}

impl Effort {
    /// Whether most of so many states of finished levels are followed by transitions that were there, and without passing many
    /// other states.
    fn pays(&self, states: u64) -> bool {
        2 * self.again <= states + TRIAL && self.scanned <= 8 * (states + TRIAL)
    }
}

impl<'a> AlikeSweep<'a> {
    /// Runs a sweep until it does not pay or the classes take too much memory, mostly to its end. Returns its data, with
    /// the levels that are left. `None` if few variables are alike, or the payload changes from edge to edge.
    pub(super) fn run(
        input: SweepInput<'a>,
        forced_policy: ForcedPolicy,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<Option<SweepData>, BuildError> {
        let payload = input.payload;
        let is_count = payload.modulus().is_some()
            || !payload.steps() && payload.grows() && payload.lanes(0) == 1;
        let unsuited = !(is_count || payload.stores_edges());
        let spills = payload.stores_edges() && monitor.config.spill_limit().is_some();
        // The states of pending levels, which count towards that limit, are not known here.
        let counts_states = monitor.config.max_states.is_some();
        if unsuited || spills || counts_states {
            return Ok(None);
        }
        let Some(classes) = VariableClasses::new(input) else { return Ok(None) };
        let mut sweep = AlikeSweep {
            input,
            forced_policy,
            by_number: (0..classes.count()).map(|_| Class::new(input.expander)).collect(),
            levels: AlikeLevels::default(),
            records: Vec::new(),
            classes,
            data: SweepData::default(),
            effort: Effort::default(),
            targets: Vec::new(),
            bytes: 0,
            overflows: false,
        };
        if !sweep.place_root() {
            return Ok(None);
        }
        sweep.expand_levels(monitor)?;
        Ok(Some(sweep.finish()))
    }

    /// Expands level by level, to the end or until the other sweep is better. Enters the thread pool at the first level that is
    /// wide enough.
    fn expand_levels(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), BuildError> {
        while let Some((variable, mut level)) = self.levels.take_first() {
            if monitor.workers.shares(level.arrivals as usize) && monitor.workers.is_outside() {
                self.levels.put(variable, level);
                let workers = monitor.workers.clone();
                return workers.enter(|| self.expand_levels(monitor));
            }
            if !self.expand_level(variable, &mut level, monitor)? {
                self.hand_over(variable, *level);
                break;
            }
            self.levels.end(level);
            if !self.goes_on(monitor) {
                break;
            }
        }
        Ok(())
    }

    /// Whether this sweep is better than the other one, which spills, or needs less memory.
    fn goes_on(&self, monitor: &Monitor<'_, '_>) -> bool {
        let bytes = self.data_bytes();
        let of_classes = self.class_bytes();
        let fits = |limit| of_classes <= limit / SHARE_OF_LIMIT && bytes <= limit;
        monitor.config.memory_limit.is_none_or(fits) && self.effort.pays(self.data.finished_states)
    }

    /// Size in bytes of the classes.
    fn class_bytes(&self) -> usize {
        self.bytes + self.data.edges.classes.bytes()
    }

    /// Size in bytes between two levels.
    fn data_bytes(&self) -> usize {
        self.bytes + self.levels.bytes() + self.data.edges.bytes()
    }

    /// Returns the data, with the levels that are left. Frees the classes.
    fn finish(mut self) -> SweepData {
        while let Some((variable, level)) = self.levels.take_first() {
            self.hand_over(variable, *level);
        }
        let AlikeSweep { mut data, bytes, by_number, levels, .. } = self;
        drop((by_number, levels));
        if !self.input.payload.stores_edges() {
            data.edges.classes = ClassTransitions::default();
        }
        // The reduction cannot use their small pieces.
        if bytes > MIN_TRIMMED_BYTES {
            heap::give_back();
        }
        data
    }

    /// Makes a level that is not expanded a pending one of the other sweep.
    fn hand_over(&mut self, variable: usize, mut level: AlikeLevel) {
        let SweepInput { payload, .. } = self.input;
        if let Some(modulus) = payload.modulus() {
            level.reduce(modulus);
        }
        level.begin();
        let (limbs, numbers) = (level.limbs, level.states().collect::<Vec<_>>());
        let width = payload.width(variable, limbs);
        let words = |number: u32| &level.words[number as usize * limbs..][..width];
        let of_class = &self.by_number[self.classes.number_of(variable)].states;
        let states =
            of_class.select(&mut numbers.iter().map(|&number| (number, words(number))), width);
        let mut indices = vec![0; numbers.last().map_or(0, |&last| last as usize + 1)];
        for (index, &number) in (0..).zip(&numbers) {
            indices[number as usize] = index;
        }
        let place = |number: u32| Places::new(0, 1, 0).get(indices[number as usize]);
        let incoming = std::mem::take(&mut level.ways).into_iter().map(|(chain, marks)| {
            let places = vec![marks.iter().map(place).collect()];
            Incoming { chain, places, marks }
        });
        let pending = Level {
            bound: level.bound,
            incoming: incoming.collect(),
            merged: level.arrivals - numbers.len() as u64,
            ..Level::new(vec![states], width)
        };
        self.data.pending.insert(variable, Box::new(pending));
    }

    /// Puts the root into its level. Returns `false` if its variable does not exist, which the other sweep reports.
    fn place_root(&mut self) -> bool {
        let SweepInput { expander, payload, rule, .. } = self.input;
        match expander.root(rule, &mut |_| Vec::new()) {
            Step::Zero => {}
            Step::One => self.data.ones.add(payload, 0, &payload.root()),
            Step::To(to, _) if to >= self.input.arities.num_vars() => return false,
            Step::To(to, root) => {
                let mut level = self.levels.take_or_new(to);
                if payload.stores_edges() {
                    level.marks.insert(0);
                    level.arrivals = 1;
                } else {
                    let mut words = payload.root();
                    if payload.skips() && to > 0 {
                        payload.skip(&payload.root(), 0..to, &mut words);
                    }
                    level.begin_with(words);
                }
                self.levels.put(to, level);
                self.by_number[self.classes.number_of(to)].states = root;
            }
        }
        true
    }

    /// Expands a level. Returns `false`, before an edge leads on, if the classes take too much memory.
    fn expand_level(
        &mut self,
        variable: usize,
        level: &mut AlikeLevel,
        monitor: &mut Monitor<'_, '_>,
    ) -> Result<bool, BuildError> {
        let number = self.classes.number_of(variable);
        let (known, classes) = (&mut self.data.edges.classes, &self.classes);
        let stores_edges = self.input.payload.stores_edges();
        if stores_edges {
            level.begin();
        }
        let (class, arity) = (&mut self.by_number[number], self.input.arities.get(variable));
        let context = known.find_or_add(variable, arity, classes, class, stores_edges);
        let unexpanded = known.copy_to(context, level, variable, classes, class);
        self.effort.again += unexpanded.again;
        self.expand_states(variable, context, unexpanded.ranges, monitor)?;
        if self.overflows {
            return Ok(false);
        }
        let scanned = level.numbers();
        let followed = if stores_edges {
            self.mark_children(variable, context, level, monitor)?
        } else {
            self.add_words(variable, context, level, monitor)?
        };
        let Followed { states, edges, ones, ones_edges } = followed;
        // A build has no words, and only notes that a path reaches the 1-terminal.
        if ones_edges > 0 {
            let end = match self.input.rule {
                Rule::ZeroSuppressed => self.input.arities.num_vars(),
                Rule::AnyValue => variable + 1,
            };
            let payload = self.input.payload;
            let residue = payload.modulus().map(|modulus| [limbs::residue(&ones, modulus)]);
            self.data.ones.add(
                payload,
                end,
                residue.as_ref().map_or(&ones, |residue| &residue[..]),
            );
        }
        self.data.edges.classes.recount(context);
        self.effort.scanned += scanned;
        self.data.finished_states += states;
        let bytes = self.data_bytes() + level.bytes();
        // Beyond the limit, the other sweep goes on.
        monitor.report.peak_bytes = monitor.report.peak_bytes.max(bytes);
        let elapsed = monitor.watch.elapsed();
        let merged = level.arrivals - states;
        let report = LevelReport { variable, states, edges, merged, bytes, disk_bytes: 0, elapsed };
        monitor.level_done(report);
        Ok(true)
    }

    /// Expands the states with these numbers in the class of a variable, and stores their transitions.
    fn expand_states(
        &mut self,
        variable: usize,
        context: usize,
        states: Vec<Range<usize>>,
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let count: usize = states.iter().map(ExactSizeIterator::len).sum();
        let most = (2 * BATCH / self.input.arities.get(variable)).clamp(1, BATCH);
        // A thread that is done early takes groups of other threads.
        let shares = match monitor.workers.threads {
            1 => 1,
            threads => (4 * threads).min(count / MIN_GROUP_STATES).max(1),
        };
        let groups = cut(states, count.min(most).div_ceil(shares));
        for batch in groups.chunks(shares) {
            if !self.overflows {
                self.expand_batch(variable, context, batch, monitor)?;
            }
        }
        Ok(())
    }

    /// Expands the groups of a batch on all threads.
    fn expand_batch(
        &mut self,
        variable: usize,
        context: usize,
        groups: &[Vec<Range<usize>>],
        monitor: &Monitor<'_, '_>,
    ) -> Result<(), BuildError> {
        let SweepInput { expander, arities, .. } = self.input;
        let input = ExpansionInput {
            arities,
            two_valued: arities.are_two_valued(),
            watch: &monitor.watch,
            variable,
            payload: &NoValues::Edges,
            steps: false,
            skips: false,
            width: 0,
            ones_width: 0,
            end: variable + 1,
            forced_policy: self.forced_policy,
            routing: Routing { rank: Rank::ALONE, adjacent_partitions: 1, partitions_of: &|_| 1 },
        };
        let mut records = std::mem::take(&mut self.records);
        records.resize_with(groups.len().max(records.len()), || {
            let mut records = ChildRecords::new(expander.new_lists());
            records.output.destinations.reach = Some(Vec::new());
            records
        });
        let of_class = &*self.by_number[self.classes.number_of(variable)].states;
        let sharing = Sharing {
            watch: &monitor.watch,
            variable: Some(variable),
            workers: (groups.len() > 1).then_some(&monitor.workers),
        };
        sharing.for_all(records.iter_mut().zip(groups), |_, (records, group)| {
            records.reset(variable, 0, 1);
            group.iter().try_for_each(|range| {
                expander.expand(&input, of_class, range.clone(), u64::MAX, records).map(drop)
            })
        })?;
        for (records, group) in records.iter_mut().zip(groups) {
            let arrivals = self.merge(variable, records, monitor)?;
            let classes = self.by_number.iter();
            let greatest = || classes.map(|class| class.states.len()).max().unwrap_or_default();
            self.overflows |= !self.data.edges.classes.widen_codes(greatest);
            if !self.overflows {
                self.store(variable, context, group, &records.output, arrivals);
            }
        }
        self.records = records;
        if !self.overflows {
            self.data.edges.classes.recount(context);
            let of_classes = self.class_bytes();
            self.overflows |=
                monitor.config.memory_limit.is_some_and(|limit| of_classes > limit / 2);
        }
        Ok(())
    }

    /// Merges the records into the states of the classes. Returns the numbers of the target states, by destination.
    fn merge(
        &mut self,
        variable: usize,
        records: &mut ChildRecords,
        monitor: &Monitor<'_, '_>,
    ) -> Result<Vec<Arrivals>, BuildError> {
        let ChildRecords { lists, output, .. } = records;
        let watch = &monitor.watch;
        let check = || watch.check(Some(variable));
        output
            .destinations
            .iter()
            .zip(lists.lists())
            .map(|(destination, mut lists)| {
                let mut list = Vec::new();
                if lists[0].len() > 0 {
                    let number = self.classes.number_of(destination.to);
                    let class = &mut self.by_number[number];
                    let arrivals = ArrivalList { places: Places::new(0, 1, 0), list: &mut list };
                    class.states.merge_from(lists[0], None, Some(arrivals), &check)?;
                    class.recount(&mut self.bytes);
                    self.overflows |= class.overflows(&self.data.edges.classes.spans);
                }
                let chain = destination.chain.relative_to(variable);
                let span =
                    self.data.edges.classes.spans.find_or_add(destination.to - variable, chain);
                self.overflows |= span.is_none();
                Ok(Arrivals { span: span.unwrap_or_default(), places: list.into_iter() })
            })
            .collect()
    }

    /// Stores the transitions of states.
    fn store(
        &mut self,
        variable: usize,
        context: usize,
        states: &[Range<usize>],
        output: &GroupOutput,
        mut arrivals: Vec<Arrivals>,
    ) {
        let mut shapes = ShapeReader::new(self.input.arities.get(variable), &output.shapes);
        let (mut destinations, mut long) = (output.edge_bytes.iter(), output.long.iter());
        let ClassTransitions { contexts, spans, .. } = &mut self.data.edges.classes;
        let context = &mut contexts[context];
        let mut transitions = Vec::new();
        for (number, &reach) in
            states.iter().cloned().flatten().zip(output.destinations.reach.iter().flatten())
        {
            let mut reach = reach;
            transitions.clear();
            shapes.next_node(|value| {
                let value = value as u16;
                let destination = *destinations.next().expect("a destination for each edge");
                let transition = match destination {
                    TO_ONE => Transition { span: Spans::ONE, value, state: 0 },
                    TO_LONG => {
                        let target = long.next().expect("every long edge has a target");
                        arrivals[1 + target.entry as usize].next(value)
                    }
                    _ => arrivals[0].next(value),
                };
                if transition.span != Spans::ONE {
                    reach = reach.max(spans.get(transition.span).0);
                }
                transitions.push(transition);
            });
            context.set(number, &transitions, reach, spans);
        }
        self.overflows |= context.overflows();
    }
}

/// Cuts ranges into groups of so many numbers, the last of which may have fewer.
fn cut(ranges: Vec<Range<usize>>, size: usize) -> Vec<Vec<Range<usize>>> {
    let (mut groups, mut room) = (Vec::<Vec<_>>::new(), 0);
    for mut rest in ranges {
        while !rest.is_empty() {
            if room == 0 {
                groups.push(Vec::new());
                room = size;
            }
            let part = rest.start..rest.end.min(rest.start + room);
            (rest.start, room) = (part.end, room - part.len());
            groups.last_mut().expect("a group has begun").push(part);
        }
    }
    groups
}

/// The span to a level, and the places in its class where the records arrived.
struct Arrivals {
    span: u16,
    places: std::vec::IntoIter<Place>,
}

impl Arrivals {
    fn next(&mut self, value: u16) -> Transition {
        let place = self.places.next().expect("every record has a place");
        Transition { span: self.span, value, state: place.split(1).1 as u32 }
    }
}
