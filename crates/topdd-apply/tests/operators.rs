//! The operators on functions and families: their results, their panics, and how handles
//! are printed.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Once;
use topdd_apply::{Error, Manager, ManagerLimit};

thread_local! {
    static LINE: RefCell<Option<(String, u32)>> = const { RefCell::new(None) };
}

/// The line of this file, and the message, of the panic of `f`.
fn panic_of<T>(f: impl FnOnce() -> T) -> (u32, String) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        set_hook(Box::new(|info| {
            eprintln!("{info}");
            let location = info.location().map(|at| (at.file().to_owned(), at.line()));
            LINE.set(location);
        }));
    });
    let payload = catch_unwind(AssertUnwindSafe(f)).err().expect("a panic");
    let (file, line) = LINE.take().expect("the panic has a location");
    assert_eq!(file, file!());
    (line, payload.downcast_ref::<String>().expect("a formatted message").clone())
}

#[test]
fn functions_of_different_managers_panic_at_the_line_of_the_caller_and_name_both() {
    let (small, large) = (Manager::new(2).unwrap(), Manager::new(5).unwrap());
    let (f, g) = (small.var(0).unwrap(), large.var(1).unwrap());
    let (line, message) = panic_of(|| &f & &g);
    assert_eq!(line, line!() - 1);
    for fact in ["Function(2 variables, 1 nodes) & Function(5 variables", "try_and"] {
        assert!(message.contains(fact), "{message}");
    }
    let (line, _) = panic_of(|| f.clone() | g.clone());
    assert_eq!(line, line!() - 1);
    let (line, _) = panic_of(|| &f ^ g.clone());
    assert_eq!(line, line!() - 1);
    let (line, message) = panic_of(|| f.clone() - &g);
    assert_eq!(line, line!() - 1);
    assert!(message.contains("try_and_not"), "{message}");
    let mut sum = f.clone();
    let (line, _) = panic_of(|| sum |= &g);
    assert_eq!(line, line!() - 1);
    assert_eq!(f.try_and_not(&g), Err(Error::MixedManagers { left: 2, right: 5 }));
}

#[test]
fn families_of_different_managers_panic_at_the_line_of_the_caller_and_name_both() {
    let (small, large) = (Manager::new(2).unwrap(), Manager::new(5).unwrap());
    let (f, g) = (small.singleton(0).unwrap(), large.singleton(1).unwrap());
    let (line, message) = panic_of(|| &f - &g);
    assert_eq!(line, line!() - 1);
    for fact in ["Family(2 variables, 1 nodes) - Family(5 variables", "try_difference"] {
        assert!(message.contains(fact), "{message}");
    }
    let (line, _) = panic_of(|| f.union(&g));
    assert_eq!(line, line!() - 1);
    let (line, _) = panic_of(|| f.symmetric_difference(&g));
    assert_eq!(line, line!() - 1);
}

#[test]
fn a_limit_of_the_manager_panics_in_operators_and_is_returned_by_the_twins() {
    let manager = Manager::builder(12).max_nodes(20).build().unwrap();
    let variables: Vec<_> = (0..12).map(|v| manager.var(v).unwrap()).collect();
    let none = manager.constant(false);
    let (line, message) = panic_of(|| variables.iter().fold(none, |all, x| &all ^ x));
    assert_eq!(line, line!() - 1);
    assert!(message.contains("limit of 20 nodes") && message.contains("try_xor"), "{message}");
    let reached = Error::LimitReached(ManagerLimit::Nodes(20));
    let none = Ok(manager.constant(false));
    let sum = variables.iter().fold(none, |all, x| all.and_then(|all| all.try_xor(x)));
    assert_eq!(sum, Err(reached));
}

#[test]
fn minus_is_and_not_of_functions_and_the_difference_of_families() {
    let manager = Manager::new(3).unwrap();
    let [x, y, z] = [0, 1, 2].map(|v| manager.var(v).unwrap());
    assert_eq!(&x - &y, &x & !&y);
    assert_eq!((&x | &y) - z.clone(), (&x | &y) & !&z);
    let mut rest = x.clone();
    rest -= &y;
    assert_eq!(rest, x - y);
    let (f, g) = (manager.singletons(0..3).unwrap(), manager.singletons(1..3).unwrap());
    assert_eq!(f.difference(&g), manager.singleton(0).unwrap());
    assert_eq!(f.intersection(&g), g);
}

#[test]
fn debug_lists_at_most_20_cubes_or_members_of_small_diagrams() {
    let manager = Manager::new(12).unwrap();
    let [x, y] = [0, 1].map(|v| manager.var(v).unwrap());
    assert_eq!(format!("{:?}", !(&x & &y)), "Function(!0 | 0 & !1)");
    assert_eq!(format!("{:?} {:?}", &x - &x, !(&x - &x)), "Function(false) Function(true)");
    let parity = (0..12).map(|v| manager.var(v).unwrap()).reduce(|a, b| a ^ b).unwrap();
    let text = format!("{parity:?}");
    assert_eq!(text.matches(" | ").count(), 20);
    assert!(text.ends_with(" | ..)"), "{text}");

    assert_eq!(format!("{:?} {:?}", manager.empty(), manager.base()), "Family({}) Family({{}})");
    let text = format!("{:?}", manager.power_set(0..12).unwrap());
    assert!(text.starts_with("Family({{}, {11}, {10}, {10, 11}, "), "{text}");
    assert!(text.ends_with("}, ..})"), "{text}");
    let eight = manager.power_set(0..3).unwrap();
    assert_eq!(format!("{eight:?}").matches('{').count(), 9);
}
