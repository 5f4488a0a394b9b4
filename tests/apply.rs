//! The apply engine compared with the top-down engine and with the crate `oxidd`.

use oxidd::util::SatCountCache;
use oxidd::util::num::F64;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, BooleanVecSet, FunctionSubst,
    Manager as _, ManagerRef, Subst,
};
use oxidd::{Function as _, bcdd::BCDDFunction, zbdd::ZBDDFunction};
use proptest::prelude::*;
use std::collections::hash_map::RandomState;
use topdd::check::brute_force;
use topdd::check::strategies::specs_over;
use topdd::{Rule, SpecExt};
use topdd_apply::{Error, Family, Function, Manager, ManagerLimit, prop_assert_same};
use topdd_graph::Graph;
use topdd_graph::families::{Order, minimal_cuts_between, paths};

const VARS: usize = 6;

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random specs and combinations of them: brute force, the top-down engine and the apply engine
    /// agree under both rules.
    #[test]
    fn specs_and_combinators((a, b) in (specs_over(&[2; VARS]), specs_over(&[2; VARS]))) {
        let m = Manager::new(VARS).unwrap();
        let f = m.function_of(&topdd::bdd(&a).unwrap()).unwrap();
        let g = m.function_of(&topdd::bdd(&b).unwrap()).unwrap();
        let listed = brute_force(&a, Rule::AnyValue).unwrap();
        let bits = |values: Vec<bool>| values.into_iter().map(usize::from).collect::<Vec<_>>();
        prop_assert!(f.assignments().map(bits).eq(listed));
        prop_assert_same!((&a).and(&b), &f & &g);
        prop_assert_same!((&a).or(&b), &f | &g);
        prop_assert_same!((&a).xor(&b), &f ^ &g);
        prop_assert_same!((&a).and_not(&b), &f & !&g);
        prop_assert_same!((&a).not(), !&f);

        let f = m.family_of(&topdd::zdd(&a).unwrap()).unwrap();
        let g = m.family_of(&topdd::zdd(&b).unwrap()).unwrap();
        let listed = brute_force(&a, Rule::ZeroSuppressed).unwrap();
        let members = |values: Vec<usize>| (0..VARS).filter(|&v| values[v] == 1).collect::<Vec<_>>();
        prop_assert!(f.iter().eq(listed.into_iter().map(members)));
        prop_assert_same!((&a).and(&b), &f & &g);
        prop_assert_same!((&a).or(&b), &f | &g);
        prop_assert_same!((&a).xor(&b), &f ^ &g);
        prop_assert_same!((&a).and_not(&b), &f - &g);
        let all = m.power_set(0..VARS).unwrap();
        prop_assert_same!((&a).not(), all - f);
    }
}

/// One operation of a random straight-line program: its kind, and the indices of its operands among
/// the results so far.
type Step = (u8, usize, usize, usize);

fn programs() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>(), any::<usize>()), 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random programs over functions: equal values, counts and numbers of nodes.
    #[test]
    fn functions_against_oxidd(program in programs()) {
        let n = 12;
        let m = Manager::new(n).unwrap();
        let judge = oxidd::bcdd::new_manager(1 << 16, 1 << 12, 1);
        let judged: Vec<BCDDFunction> = judge.with_manager_exclusive(|judge| {
            judge.add_vars(n as u32);
            (0..n as u32).map(|v| BCDDFunction::var(judge, v).unwrap()).collect()
        });
        let mut all: Vec<(Function, BCDDFunction)> =
            judged.iter().enumerate().map(|(v, x)| (m.var(v).unwrap(), x.clone())).collect();
        for (operation, a, b, c) in program {
            let pick = |i: usize| all[i % all.len()].clone();
            let ((f, x), (g, y), (h, z)) = (pick(a), pick(b), pick(c));
            let v = a % n;
            let w = (v + 1 + b % (n - 1)) % n;
            let both = judged[v].and(&judged[w]).unwrap();
            all.push(match operation % 13 {
                0 => (&f & &g, x.and(&y).unwrap()),
                1 => (&f | &g, x.or(&y).unwrap()),
                2 => (&f ^ &g, x.xor(&y).unwrap()),
                3 => (f.implies(&g).unwrap(), x.imp(&y).unwrap()),
                4 => (f.iff(&g).unwrap(), x.equiv(&y).unwrap()),
                5 => (f.ite(&g, &h).unwrap(), x.ite(&y, &z).unwrap()),
                6 => (f.exists([v]).unwrap(), x.exists(&judged[v]).unwrap()),
                7 => (f.forall([v, w]).unwrap(), x.forall(&both).unwrap()),
                8 => (f.unique([v]).unwrap(), x.unique(&judged[v]).unwrap()),
                9 => (f.exists([v, w]).unwrap(), x.exists(&both).unwrap()),
                10 => {
                    let theirs = x.apply_exists(BooleanOperator::And, &y, &both).unwrap();
                    (f.and_exists(&g, [v, w]).unwrap(), theirs)
                }
                11 => {
                    let cube = judged[v].and(&judged[w].not().unwrap()).unwrap();
                    (f.restrict([(v, true), (w, false)]).unwrap(), x.restrict(&cube).unwrap())
                }
                _ => {
                    let put = Subst::new(vec![v as u32, w as u32], vec![y, z]);
                    (f.substitute([(v, &g), (w, &h)]).unwrap(), x.substitute(&put).unwrap())
                }
            });
        }
        for (f, x) in &all {
            let count = x.sat_count::<F64, RandomState>(n as u32, &mut SatCountCache::default());
            prop_assert_eq!(f.count(), (count.0 as u64).into());
            // oxidd counts the terminal.
            prop_assert_eq!(f.node_count() + 1, x.node_count());
            for bits in (0..1usize << n).step_by(37) {
                let values: Vec<_> = (0..n).map(|v| bits >> v & 1 == 1).collect();
                let theirs = x.eval(values.iter().enumerate().map(|(v, &value)| (v as u32, value)));
                prop_assert_eq!(f.eval(&values).unwrap(), theirs);
            }
        }
        for (i, (f, x)) in all.iter().enumerate() {
            for (g, y) in &all[..i] {
                prop_assert_eq!(f == g, x == y);
            }
        }
    }

    /// Random programs over families: equal numbers of members, and the same families are equal.
    #[test]
    fn families_against_oxidd(program in programs()) {
        let n = 12;
        let m = Manager::new(n).unwrap();
        let judge = oxidd::zbdd::new_manager(1 << 16, 1 << 12, 1);
        let singletons: Vec<ZBDDFunction> = judge.with_manager_exclusive(|judge| {
            judge.add_vars(n as u32);
            (0..n as u32).map(|v| ZBDDFunction::singleton(judge, v).unwrap()).collect()
        });
        let (empty, base) = judge.with_manager_shared(|judge| {
            (ZBDDFunction::empty(judge), ZBDDFunction::base(judge))
        });
        let power = m.power_set(0..n).unwrap();
        let mut all: Vec<(Family, ZBDDFunction)> = vec![(m.empty(), empty), (m.base(), base)];
        all.extend(singletons.iter().enumerate().map(|(v, x)| (m.singleton(v).unwrap(), x.clone())));
        for (operation, a, b, _) in program {
            let pick = |i: usize| all[i % all.len()].clone();
            let ((f, x), (g, y)) = (pick(a), pick(b));
            let v = a % n;
            all.push(match operation % 7 {
                0 => (&f | &g, x.union(&y).unwrap()),
                1 => (&f & &g, x.intsec(&y).unwrap()),
                2 => (&f - &g, x.diff(&y).unwrap()),
                3 => (f.subset0(v).unwrap(), x.subset0(v as u32).unwrap()),
                4 => (f.subset1(v).unwrap(), x.subset1(v as u32).unwrap()),
                5 => (f.change(v).unwrap(), x.change(v as u32).unwrap()),
                _ => (&power - &f, x.not().unwrap()),
            });
        }
        for (f, x) in &all {
            let count = x.sat_count::<F64, RandomState>(n as u32, &mut SatCountCache::default());
            prop_assert_eq!(f.count(), (count.0 as u64).into());
        }
        for (i, (f, x)) in all.iter().enumerate() {
            for (g, y) in &all[..i] {
                prop_assert_eq!(f == g, x == y);
            }
        }
    }
}

/// Long random programs that drop results, so that garbage is collected on the way: once without
/// limits, once with little room.
#[test]
fn long_programs_against_oxidd() {
    let n = 18;
    let free = Manager::new(n).unwrap();
    let tight = Manager::builder(n).max_nodes(9_000).build().unwrap();
    // Room for all nodes: oxidd collects garbage in a thread of its own, which may run late on a
    // busy machine.
    let judge = oxidd::bcdd::new_manager(1 << 22, 1 << 16, 1);
    let variables: Vec<BCDDFunction> = judge.with_manager_exclusive(|judge| {
        judge.add_vars(n as u32);
        (0..n as u32).map(|v| BCDDFunction::var(judge, v).unwrap()).collect()
    });
    let mut state = 88_172_645_463_325_252_u64;
    let mut draw = |bound: usize| {
        // The xorshift generator of Marsaglia.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % bound
    };
    let mut pool: Vec<(Function, Option<Function>, BCDDFunction)> =
        (0..n).map(|v| (free.var(v).unwrap(), tight.var(v).ok(), variables[v].clone())).collect();
    let mut refused = 0;
    for _ in 0..2000 {
        let (a, b, c) = (draw(pool.len()), draw(pool.len()), draw(pool.len()));
        let operation = draw(5);
        let v = draw(n);
        let ours = |f: &Function, g: &Function, h: &Function| match operation {
            0 => f.try_and(g),
            1 => f.try_xor(g),
            2 => f.ite(g, h),
            3 => f.restrict([(v, true)]),
            _ => f.and_exists(g, [v]),
        };
        let (x, y, z) = (&pool[a].2, &pool[b].2, &pool[c].2);
        let theirs = match operation {
            0 => x.and(y).unwrap(),
            1 => x.xor(y).unwrap(),
            2 => x.ite(y, z).unwrap(),
            3 => x.and(&variables[v]).unwrap().exists(&variables[v]).unwrap(),
            _ => x.and(y).unwrap().exists(&variables[v]).unwrap(),
        };
        let made = ours(&pool[a].0, &pool[b].0, &pool[c].0).unwrap();
        let made_tight = match (&pool[a].1, &pool[b].1, &pool[c].1) {
            (Some(f), Some(g), Some(h)) => match ours(f, g, h) {
                Ok(made) => Some(made),
                Err(error) => {
                    assert_eq!(error, Error::LimitReached(ManagerLimit::Nodes(9_000)));
                    refused += 1;
                    None
                }
            },
            _ => None,
        };
        let count = theirs.sat_count::<F64, RandomState>(n as u32, &mut SatCountCache::default());
        assert_eq!(made.count(), (count.0 as u64).into());
        if made.node_count() > 3000 || made.is_false() || made.is_true() {
            // A variable replaces a result that is too large or constant.
            let fresh = (free.var(v).unwrap(), tight.var(v).ok(), variables[v].clone());
            pool[a] = fresh;
            continue;
        }
        if let Some(made_tight) = &made_tight {
            assert_eq!(free.copy_function(made_tight).unwrap(), made);
        }
        // It replaces an earlier result.
        if pool.len() < 40 {
            pool.push((made, made_tight, theirs));
        } else {
            pool[draw(40)] = (made, made_tight, theirs);
        }
    }
    assert!(free.statistics().collections > 3, "{}", free.statistics());
    assert!(tight.statistics().collections > 3, "{}", tight.statistics());
    assert!(tight.statistics().function_nodes <= 9_000);
    assert!(refused > 0);
}

/// A set of edges separates two vertices if it meets every path between them. There are 1 262 816 paths and 592 912
/// cuts, so the cost must not follow the number of members.
#[test]
fn the_minimal_hitting_sets_of_paths_are_the_minimal_cuts() -> Result<(), Box<dyn std::error::Error>>
{
    let grid = Graph::grid(6, 6);
    let paths = paths(&grid, 0, 35).order(Order::Given).zdd()?;
    let cuts = minimal_cuts_between(&grid, 0, 35).order(Order::Given).zdd()?;
    let manager = Manager::new(grid.num_edges())?;
    let hitting = manager.family_of(paths.diagram())?.minimal_hitting_sets()?;
    assert_eq!(hitting.to_zdd()?, *cuts.diagram());
    Ok(())
}
