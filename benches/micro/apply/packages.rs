//! The same formulations in the crate `oxidd`.

use crate::formulations::{Answer, Outcome, RANDOM_VARS, random_sets};
use oxidd::bcdd::BCDDFunction;
use oxidd::util::num::F64;
use oxidd::util::{AllocResult, SatCountCache};
use oxidd::zbdd::{self, ZBDDFunction, ZBDDManagerRef};
use oxidd::{BooleanFunction, BooleanVecSet, Function, Manager, ManagerRef};
use std::collections::hash_map::RandomState;
use topdd_chess::KnightsTours;

/// Room for nodes and for cache entries, which a manager has from the start.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    pub(crate) nodes: usize,
    pub(crate) cache: usize,
}

fn finish(result: &impl BooleanFunction, vars: usize) -> Answer {
    let count = result.sat_count::<F64, RandomState>(vars as u32, &mut SatCountCache::default());
    Answer { count: count.0.to_string(), nodes: result.node_count() }
}

fn failed(error: oxidd::util::OutOfMemory) -> Box<dyn std::error::Error> {
    format!("{error:?}").into()
}

/// The value of a square that a queen on another one implies; `None` if it implies none.
fn implied(n: usize, queen: usize, square: usize) -> Option<bool> {
    let (rows, cols) = ((queen / n).abs_diff(square / n), (queen % n).abs_diff(square % n));
    (rows == 0 || cols == 0 || rows == cols).then_some(queen == square)
}

pub(crate) fn queens_bcdd(n: usize, room: Room) -> Outcome {
    let queens = || -> AllocResult<BCDDFunction> {
        let manager = oxidd::bcdd::new_manager(room.nodes, room.cache, 1);
        let squares = manager.with_manager_exclusive(|manager| {
            manager.add_vars((n * n) as u32);
            let literals = (0..(n * n) as u32)
                .map(|v| Ok((BCDDFunction::not_var(manager, v)?, BCDDFunction::var(manager, v)?)));
            literals.collect::<AllocResult<Vec<_>>>()
        })?;
        let (t, f) = manager
            .with_manager_shared(|manager| (BCDDFunction::t(manager), BCDDFunction::f(manager)));
        let mut board = t.clone();
        for row in 0..n {
            let mut any = f.clone();
            for queen in row * n..(row + 1) * n {
                let mut chain = t.clone();
                for square in (0..n * n).rev() {
                    chain = match implied(n, queen, square) {
                        None => continue,
                        Some(true) => squares[square].1.and(&chain)?,
                        Some(false) => squares[square].0.and(&chain)?,
                    };
                }
                any = any.or(&chain)?;
            }
            board = board.and(&any)?;
        }
        Ok(board)
    };
    Ok(finish(&queens().map_err(failed)?, n * n))
}

/// A manager for families, and its singletons.
struct Families {
    manager: ZBDDManagerRef,
    singletons: Vec<ZBDDFunction>,
    empty: ZBDDFunction,
    base: ZBDDFunction,
}

impl Families {
    fn new(vars: usize, room: Room) -> AllocResult<Self> {
        let manager = zbdd::new_manager(room.nodes, room.cache, 1);
        let singletons = manager.with_manager_exclusive(|manager| {
            manager.add_vars(vars as u32);
            (0..vars as u32)
                .map(|v| ZBDDFunction::singleton(manager, v))
                .collect::<AllocResult<_>>()
        })?;
        let (empty, base) = manager.with_manager_shared(|manager| {
            (ZBDDFunction::empty(manager), ZBDDFunction::base(manager))
        });
        Ok(Families { manager, singletons, empty, base })
    }

    fn node(
        &self,
        variable: usize,
        lo: &ZBDDFunction,
        hi: &ZBDDFunction,
    ) -> AllocResult<ZBDDFunction> {
        self.manager.with_manager_shared(|manager| {
            let node = zbdd::make_node(
                manager,
                self.singletons[variable].as_edge(manager),
                manager.clone_edge(hi.as_edge(manager)),
                manager.clone_edge(lo.as_edge(manager)),
            )?;
            Ok(ZBDDFunction::from_edge(manager, node))
        })
    }
}

pub(crate) fn queens_zbdd(n: usize, room: Room) -> Outcome {
    let queens = || -> AllocResult<ZBDDFunction> {
        let families = Families::new(n * n, room)?;
        let mut board: Option<ZBDDFunction> = None;
        for row in 0..n {
            let mut any = families.empty.clone();
            for queen in row * n..(row + 1) * n {
                let mut chain = families.base.clone();
                for square in (0..n * n).rev() {
                    chain = match implied(n, queen, square) {
                        None => families.node(square, &chain, &chain)?,
                        Some(true) => families.node(square, &families.empty, &chain)?,
                        Some(false) => continue,
                    };
                }
                any = any.union(&chain)?;
            }
            board = Some(match board {
                None => any,
                Some(board) => board.intsec(&any)?,
            });
        }
        Ok(board.unwrap_or(families.base))
    };
    Ok(finish(&queens().map_err(failed)?, n * n))
}

/// Hamiltonian paths and cycles by time, with free ends or closed at vertex 0, of more than one vertex.
pub(crate) fn by_time(tours: &KnightsTours, room: Room) -> Outcome {
    let cycle = tours.is_closed();
    let paths = tours.paths()?;
    let n = paths.graph().num_vertices();
    let allowed = |time: usize, vertex: usize| {
        !cycle
            || (time > 0 || vertex == 0)
                && (time + 1 < n || paths.graph().edge_between(vertex, 0).is_some())
    };
    let tours = || -> AllocResult<ZBDDFunction> {
        let families = Families::new(n * n, room)?;
        let mut all: Option<ZBDDFunction> = None;
        let mut below = families.base.clone();
        for time in (0..n - 1).rev() {
            let mut now = families.empty.clone();
            for vertex in (0..n).rev().filter(|&vertex| allowed(time, vertex)) {
                let mut next = families.empty.clone();
                for neighbour in paths.graph().neighbours(vertex).rev() {
                    if allowed(time + 1, neighbour) {
                        next = families.node((time + 1) * n + neighbour, &next, &below)?;
                    }
                }
                now = families.node(time * n + vertex, &now, &next)?;
            }
            for variable in (0..time * n).rev() {
                now = families.node(variable, &now, &now)?;
            }
            for variable in ((time + 1) * n..(time + 2) * n).rev() {
                below = families.node(variable, &below, &below)?;
            }
            all = Some(match all {
                None => now,
                Some(all) => all.intsec(&now)?,
            });
        }
        let mut all = all.unwrap_or_else(|| families.empty.clone());
        for vertex in 0..n {
            let (mut not_yet, mut been) = (families.empty.clone(), families.base.clone());
            for variable in (0..n * n).rev() {
                if variable % n == vertex {
                    not_yet = families.node(variable, &not_yet, &been)?;
                } else {
                    not_yet = families.node(variable, &not_yet, &not_yet)?;
                    been = families.node(variable, &been, &been)?;
                }
            }
            all = all.intsec(&not_yet)?;
        }
        Ok(all)
    };
    Ok(finish(&tours().map_err(failed)?, n * n))
}

pub(crate) fn random_algebra(sets: usize, room: Room) -> Outcome {
    let all = || -> AllocResult<ZBDDFunction> {
        let families = Families::new(RANDOM_VARS, room)?;
        let mut all = families.empty.clone();
        for set in random_sets(sets) {
            let mut chain = families.base.clone();
            for &variable in set.iter().rev() {
                chain = families.node(variable, &families.empty, &chain)?;
            }
            all = all.union(&chain)?;
        }
        let sets = all.clone();
        for variable in RANDOM_VARS / 2..RANDOM_VARS / 2 + 6 {
            let less = all.subset0(variable as u32)?.union(&all.subset1(variable as u32)?)?;
            all = less.diff(&less.intsec(&sets)?)?.union(&all)?;
        }
        Ok(all)
    };
    Ok(finish(&all().map_err(failed)?, RANDOM_VARS))
}
