//! DDDMP files exchanged with the crate `oxidd` in both directions.

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::zbdd::{ZBDDFunction, ZBDDManagerRef};
use oxidd::{BooleanFunction as _, Manager as _, ManagerRef as _};
use oxidd_dump::dddmp::{DumpHeader, ExportSettings, import};
use proptest::prelude::*;
use topdd::check::RandomSpec;
use topdd::format::interchange::ReadOptions;
use topdd::{Bdd, Zdd};

const VARS: usize = 6;

/// Reads a file with oxidd and writes it again.
macro_rules! through_oxidd {
    ($name:ident, $function:ty, $manager:ty) => {
        fn $name(judge: &$manager, text: &[u8]) -> ($function, Vec<u8>) {
            judge.with_manager_shared(|manager| {
                let mut input = text;
                let header = DumpHeader::load(&mut input).unwrap();
                assert_eq!(header.num_vars() as usize, VARS);
                let order = header.support_var_order().to_vec();
                let not = |manager: &_, edge| <$function>::not_edge_owned(manager, edge);
                let read = import::<$function>(input, &header, manager, order, not).unwrap();
                let mut text = Vec::new();
                let settings = ExportSettings::default().ascii();
                settings.export(&mut text, manager, read.iter()).unwrap();
                (read.into_iter().next().unwrap(), text)
            })
        }
    };
}

through_oxidd!(function, BCDDFunction, BCDDManagerRef);
through_oxidd!(family, ZBDDFunction, ZBDDManagerRef);

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bdds(seed: u64) {
        let bdd = topdd::bdd(&RandomSpec::over(vec![2; VARS], seed)).unwrap();
        let judge = oxidd::bcdd::new_manager(1 << 10, 1 << 10, 1);
        judge.with_manager_exclusive(|manager| manager.add_vars(VARS as u32));
        let mut text = Vec::new();
        bdd.write_dddmp(&mut text).unwrap();
        let (read, written) = function(&judge, &text);
        for bits in 0..1usize << VARS {
            let values: Vec<usize> = (0..VARS).map(|v| bits >> v & 1).collect();
            let there = read.eval((0..VARS as u32).map(|v| (v, bits >> v & 1 == 1)));
            prop_assert_eq!(bdd.contains(&values).unwrap(), there);
        }
        prop_assert_eq!(Bdd::read_dddmp(&written[..], &ReadOptions::new()).unwrap(), bdd);
        // Equal numbers of nodes: no function is stored together with its complement.
        let nodes = |text: &[u8]| DumpHeader::load(text).unwrap().num_nodes();
        prop_assert_eq!(nodes(&text), nodes(&written));
    }

    #[test]
    fn zdds(seed: u64) {
        let zdd = topdd::zdd(&RandomSpec::over(vec![2; VARS], seed)).unwrap();
        let judge = oxidd::zbdd::new_manager(1 << 10, 1 << 10, 1);
        judge.with_manager_exclusive(|manager| manager.add_vars(VARS as u32));
        let mut text = Vec::new();
        zdd.write_dddmp(&mut text).unwrap();
        let (read, written) = family(&judge, &text);
        for bits in 0..1usize << VARS {
            let values: Vec<usize> = (0..VARS).map(|v| bits >> v & 1).collect();
            let there = read.eval((0..VARS as u32).map(|v| (v, bits >> v & 1 == 1)));
            prop_assert_eq!(zdd.contains(&values).unwrap(), there);
        }
        prop_assert_eq!(Zdd::read_dddmp(&written[..], &ReadOptions::new()).unwrap(), zdd);
    }
}
