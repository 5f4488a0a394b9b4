//! Encodings compared with the codes of every solution.

use super::*;
use crate::Frontier;
use crate::check::{RandomSpec, contract};
use crate::diagram::{AnyValue, ZeroSuppressed};
use crate::spec::Rule;
use proptest::prelude::*;
use std::collections::BTreeSet;

const CODES: [Code; 3] = [Code::OneHot, Code::Order, Code::Binary];

/// Returns every assignment to `num_vars` two-valued variables.
fn all(num_vars: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1usize << num_vars).map(move |n| (0..num_vars).map(|v| n >> v & 1).collect())
}

fn round_trip<R: DiagramRule>(diagram: &Diagram<R>, code: Code) -> Result<(), TestCaseError> {
    let encoding = Encoding::new(code, diagram);
    let encoded = diagram.encode(&encoding).unwrap();
    let wanted: BTreeSet<_> =
        diagram.iter().map(|values| encoding.encode_solution(&values).unwrap()).collect();
    prop_assert_eq!(encoded.iter().collect::<BTreeSet<_>>(), wanted);
    prop_assert_eq!(encoded.count(), diagram.count());
    prop_assert_eq!(&encoded.decode(&encoding).unwrap(), diagram);
    for bits in &encoded {
        let values = encoding.decode_solution(&bits).unwrap().unwrap();
        prop_assert!(diagram.contains(&values).unwrap());
    }
    Ok(())
}

/// Two-valued diagrams with solutions that are no codes.
fn decode_any<R: DiagramRule>(
    arities: &[usize],
    code: Code,
    seed: u64,
) -> Result<(), TestCaseError> {
    let encoding = Encoding::new(code, arities);
    let spec = RandomSpec::over(vec![2; encoding.num_vars()], seed);
    let any: Diagram<R> = Frontier::over(&spec).diagram().unwrap();
    let wanted: BTreeSet<_> =
        any.iter().filter_map(|bits| encoding.decode_solution(&bits).unwrap()).collect();
    let decoded = any.decode_codes(&encoding).unwrap();
    prop_assert_eq!(decoded.iter().collect::<BTreeSet<_>>(), wanted);
    let all_are_codes = any.count() == decoded.count();
    match any.decode(&encoding) {
        Ok(strict) => prop_assert!(all_are_codes && strict == decoded),
        Err(error) => {
            prop_assert!(!all_are_codes);
            prop_assert!(error.to_string().contains(&format!("are no {code} codes")), "{error}");
        }
    }
    let rule = if seed.is_multiple_of(2) { Rule::AnyValue } else { Rule::ZeroSuppressed };
    let contract = contract(&Decoded::new(&encoding, &any.store, R::RULE), rule, 1000);
    prop_assert!(contract.is_ok(), "{:?}", contract);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn encode_and_decode_are_inverse(arities in prop::collection::vec(1..6usize, 0..4), seed: u64) {
        let bdd = crate::bdd(&RandomSpec::over(arities, seed)).unwrap();
        let zdd = bdd.to_zdd().unwrap();
        for code in CODES {
            round_trip(&bdd, code)?;
            round_trip(&zdd, code)?;
            let encoding = Encoding::new(code, &bdd);
            prop_assert_eq!(
                bdd.encode(&encoding).unwrap().to_zdd().unwrap(),
                zdd.encode(&encoding).unwrap()
            );
            let encoded = Encoded::new(&encoding, &zdd.store, Rule::ZeroSuppressed);
            prop_assert!(contract(&encoded, Rule::ZeroSuppressed, 1000).is_ok());
        }
    }

    #[test]
    fn decode_refuses_solutions_that_are_no_codes(arities in prop::collection::vec(1..5usize, 0..4), seed: u64) {
        for code in CODES {
            decode_any::<ZeroSuppressed>(&arities, code, seed)?;
            decode_any::<AnyValue>(&arities, code, seed)?;
        }
    }
}

/// The map of variables agrees with the codes.
#[test]
fn meaning_of_a_bit_agrees_with_the_code() {
    for code in CODES {
        let encoding = Encoding::new(code, [3, 1, 4, 2, 7]);
        let holds = |values: &[usize], bit| match encoding.meaning(bit) {
            Meaning::Is { variable, value } => values[variable] == value,
            Meaning::Exceeds { variable, value } => values[variable] > value,
            Meaning::HasDigit { variable, digit } => values[variable] >> digit & 1 == 1,
        };
        for values in [[2, 0, 3, 1, 6], [0, 0, 0, 0, 0], [1, 0, 2, 0, 5], [2, 0, 1, 1, 3]] {
            let bits = encoding.encode_solution(&values).unwrap();
            assert_eq!(bits.len(), encoding.num_vars());
            for (bit, &is) in bits.iter().enumerate() {
                assert_eq!(holds(&values, bit), is == 1, "{code}: {values:?} {bit}");
                assert!(encoding.bits(encoding.variable_of(bit)).contains(&bit));
            }
        }
    }
    let texts = CODES.map(|code| Encoding::new(code, [3, 4]).meaning(3).to_string());
    assert_eq!(texts, ["x1 = 0", "x1 > 1", "bit 0 of x1"].map(str::to_owned));
}

/// Exactly the codes decode.
#[test]
fn exactly_the_codes_decode() {
    for code in CODES {
        let encoding = Encoding::new(code, [3, 1, 2]);
        let decoded: Vec<_> = all(encoding.num_vars())
            .filter_map(|b| encoding.decode_solution(&b).unwrap())
            .collect();
        assert_eq!(decoded.len(), 6, "{code}");
        assert_eq!(decoded.iter().collect::<BTreeSet<_>>().len(), 6);
    }
}

/// A one-hot ZDD has a node for each edge, and no more where the arity is large.
#[test]
fn one_hot_zdd_has_a_node_per_edge() {
    let arities = vec![1000; 50];
    let encoding = Encoding::new(Code::OneHot, &arities);
    let text = format!("_i {} _o 1 _n 0 T", encoding.num_vars());
    let options = crate::format::interchange::ReadOptions::new();
    let none = crate::Zdd::read_sapporo(text.as_bytes(), &options).unwrap();
    assert!(none.decode_codes(&encoding).unwrap().is_empty());
    let values: Vec<usize> = (0..50).map(|v| v * 20).collect();
    let spec = crate::SpecExt::boxed(Single(values.clone(), 1000));
    let zdd = crate::zdd(&spec).unwrap();
    let encoded = zdd.encode(&encoding).unwrap();
    assert_eq!((encoded.node_count(), encoded.count()), (50, 1u32.into()));
    let decoded = encoded.decode(&encoding).unwrap();
    assert!(decoded.iter().eq([values]));
    let bdd = zdd.to_bdd().unwrap();
    assert_eq!(bdd.encode(&encoding).unwrap().node_count(), 50_000);
}

/// A single solution, of variables of the given number of values.
struct Single(Vec<usize>, usize);

impl crate::DdSpec for Single {
    type State = ();
    fn num_vars(&self) -> usize {
        self.0.len()
    }
    fn arity(&self, _: usize) -> usize {
        self.1
    }
    fn root(&self) -> crate::Step<()> {
        crate::Step::To(0, ())
    }
    fn child(&self, (): &(), variable: usize, value: usize) -> crate::Step<()> {
        match value == self.0[variable] {
            false => crate::Step::Zero,
            true if variable + 1 == self.0.len() => crate::Step::One,
            true => crate::Step::To(variable + 1, ()),
        }
    }
}

#[test]
fn encodings_of_other_variables_are_refused() {
    let zdd = crate::zdd(&RandomSpec::over(vec![2, 3], 1)).unwrap();
    let message = |result: Result<crate::Zdd, QueryError>| result.unwrap_err().to_string();
    assert!(
        message(zdd.encode(&Encoding::new(Code::Binary, [2, 2])))
            .contains("other numbers of values")
    );
    let error = message(zdd.encode(&Encoding::new(Code::Binary, [2])));
    assert!(error.contains("it is for 1 variable, but the diagram has 2 variables"), "{error}");
    let error = message(zdd.decode(&Encoding::new(Code::Binary, [2])));
    assert!(error.contains("it has 1 two-valued variables, but the diagram 2"), "{error}");
    let error = message(zdd.decode(&Encoding::new(Code::OneHot, [2])));
    assert!(error.contains("variable 1 of the diagram to be decoded has 3 values"), "{error}");
    let encoding = Encoding::new(Code::Order, [3, 2]);
    assert!(encoding.encode_solution(&[0]).is_err());
    assert!(encoding.encode_solution(&[3, 0]).is_err());
    assert!(encoding.decode_solution(&[0, 0]).is_err());
    assert!(encoding.decode_solution(&[0, 0, 2]).is_err());
    assert_eq!(encoding.decode_solution(&[0, 1, 0]).unwrap(), None);
    // More two-valued variables than can be numbered.
    let huge = Encoding::new(Code::OneHot, [usize::MAX, usize::MAX]);
    assert_eq!(huge.num_vars(), usize::MAX);
}
