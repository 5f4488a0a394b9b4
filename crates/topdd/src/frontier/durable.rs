//! Checkpoints of a sweep: what there is between two levels, saved and restored.

use super::disk::{Manifest, SavedLevel, SavedRun, SavedStored};
use super::level::Level;
use super::limbs::Weight;
use super::monitor::Monitor;
use super::room::store_on;
use super::run::Run;
use super::sweep::Sweep;
use super::unreduced::UnreducedLevel;
use crate::Error;
use num_bigint::BigUint;
use std::sync::Arc;
use std::time::Instant;

impl Sweep<'_> {
    /// Makes a checkpoint, if there is to be one. No level is being expanded.
    pub(super) fn save(&mut self, monitor: &Monitor<'_, '_>) -> Result<(), Error> {
        let Some(checkpoint) = &self.storage.checkpoint else { return Ok(()) };
        if !checkpoint.is_due() {
            return Ok(());
        }
        let begun = Instant::now();
        let tools = self.storage.tools().expect("a checkpoint is on disk");
        let mut blobs = Vec::new();
        let mut uncertain = self.uncertain;
        let mut waiting = Vec::with_capacity(self.waiting.len());
        // The level after the one just done is complete; its states are numbered by now.
        let complete = monitor.report.levels.last().map(|level| level.variable + 1);
        for (&variable, level) in &self.waiting {
            let settled = self.carry.edges() && complete == Some(variable);
            assert!(level.vias.is_empty(), "with a checkpoint every node is met as a state");
            let copy = level.copy(&tools)?;
            if !settled {
                uncertain +=
                    copy.segments.iter().flatten().map(|s| u64::from(s.states)).sum::<u64>();
            }
            blobs.extend(level.runs.iter().chain([&copy]).map(|run| Arc::clone(&run.blob)));
            let mut runs: Vec<SavedRun> = level.runs.iter().map(save_run).collect();
            runs.push(save_run(&copy));
            waiting.push(SavedLevel {
                variable,
                partitions: level.partitions.len(),
                width: level.width,
                weight: (level.weight.value.to_bits(), level.weight.scale),
                first_far: level.first_far,
                runs,
                settled,
                far_arrived: level.far_arrived.clone(),
                far_arrivals: level.far_arrivals.clone(),
            });
        }
        // Each level that is done goes to disk once.
        let mut stored = std::mem::take(&mut self.saved_levels);
        let unsaved = &mut self.stored[stored.len()..];
        if !unsaved.is_empty() {
            store_on(tools.disk, unsaved, &mut self.log, &|| tools.watch.check(None))?;
            let mut writer = tools.disk.create()?;
            let mut heads = Vec::with_capacity(unsaved.len());
            for level in unsaved.iter() {
                let mut head = Vec::new();
                level.write_head(&mut head);
                heads.push(writer.append(&head)?);
            }
            let index = Arc::new(writer.finish()?);
            for (level, head) in unsaved.iter().zip(heads) {
                let blob = &level.on_disk.as_ref().expect("it was just written").blob;
                stored.push(SavedStored {
                    blob: blob.number().expect("a checkpoint's files have names"),
                    bytes: blob.bytes(),
                    index: index.number().expect("a checkpoint's files have names"),
                    index_bytes: index.bytes(),
                    head,
                });
                blobs.push(Arc::clone(blob));
            }
            blobs.push(index);
            self.stored_bytes = self.stored.iter().map(UnreducedLevel::bytes).sum();
        }
        let ones = self.ones.iter().map(|(decided, ones)| (*decided, ones.to_bytes_le()));
        let manifest = Manifest {
            known: self.known,
            uncertain,
            peak_bytes: monitor.report.peak_bytes,
            ones: ones.collect(),
            waiting,
            stored,
            reports: monitor.report.levels.clone(),
        };
        let checkpoint = self.storage.checkpoint.as_mut().expect("it was there");
        checkpoint.commit(begun, &manifest, &blobs, || monitor.watch.check(None))?;
        self.saved_levels = manifest.stored;
        Ok(())
    }

    /// Takes up what a checkpoint left, if there is one.
    pub(super) fn restore(&mut self, monitor: &mut Monitor<'_, '_>) -> Result<(), Error> {
        let Some(manifest) = self.storage.manifest.take() else { return Ok(()) };
        let checkpoint = self.storage.checkpoint.as_ref().expect("its manifest was read");
        self.begins = false;
        self.known = manifest.known;
        self.uncertain = manifest.uncertain;
        let ones = manifest.ones.into_iter();
        self.ones = ones.map(|(decided, ones)| (decided, BigUint::from_bytes_le(&ones))).collect();
        for saved in manifest.waiting {
            let runs = saved.runs.into_iter().map(|run| {
                let blob = checkpoint.blob(run.blob, run.bytes)?;
                if run.segments.len() != saved.partitions {
                    return Err(checkpoint.damaged("a level has too few partitions"));
                }
                if run.width > saved.width {
                    return Err(checkpoint.damaged("a level has numbers that are too wide"));
                }
                Ok(Run { blob, width: run.width, segments: run.segments })
            });
            let value = f64::from_bits(saved.weight.0);
            if !(value.is_finite() && value >= 0.0) || (saved.width > 0) != self.carry.numbers() {
                return Err(checkpoint.damaged("a level has numbers that make no sense"));
            }
            let partitions = (0..saved.partitions).map(|_| self.pool.partition(saved.width));
            let mut level = Level {
                weight: Weight::new(value, saved.weight.1),
                first_far: saved.first_far,
                far_arrivals: saved.far_arrivals,
                runs: runs.collect::<Result<_, Error>>()?,
                far_arrived: saved.far_arrived,
                settled: saved.settled,
                ..Level::new(partitions.collect(), saved.width)
            };
            if !level.settled {
                level.count_arrived();
            }
            self.waiting_bytes += level.bytes();
            self.waiting.insert(saved.variable, Box::new(level));
        }
        for saved in &manifest.stored {
            let index = checkpoint.blob(saved.index, saved.index_bytes)?;
            let blob = checkpoint.blob(saved.blob, saved.bytes)?;
            let mut head = Vec::new();
            index.read(saved.head, &mut head)?;
            let level = UnreducedLevel::read_head(&mut &head[..], &blob)
                .ok_or_else(|| index.damaged("it does not describe a level"))?;
            self.stored.push(level);
        }
        self.stored_bytes = self.stored.iter().map(UnreducedLevel::bytes).sum();
        self.saved_levels = manifest.stored;
        monitor.resume(manifest.reports, manifest.peak_bytes);
        Ok(())
    }
}

fn save_run(run: &Run) -> SavedRun {
    SavedRun {
        blob: run.blob.number().expect("a checkpoint's files have names"),
        bytes: run.blob.bytes(),
        width: run.width,
        segments: run.segments.clone(),
    }
}
