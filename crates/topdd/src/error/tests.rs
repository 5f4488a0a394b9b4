//! Messages of errors, and their sources.

use super::*;
use std::error::Error;
use std::io::{self, ErrorKind::NotFound, ErrorKind::PermissionDenied};
use std::path::Path;

#[test]
fn io_errors_keep_the_error_of_the_system_as_their_source() {
    let full = || io::Error::from(io::ErrorKind::StorageFull);
    let build = BuildError::io("write", Path::new("dir/file"))(full());
    let read = FileError::stream("read the file")(full());
    for error in [&build as &dyn Error, &read] {
        let source = error.source().expect("a source").downcast_ref::<io::Error>();
        assert_eq!(source.expect("the error of the system").kind(), io::ErrorKind::StorageFull);
    }
    let query = QueryError::from(build.clone());
    assert!(query.source().expect("a source").is::<io::Error>());
    assert!(build.to_string().starts_with("could not write dir/file: "), "{build}");
    assert!(build.to_string().contains("free some space"), "{build}");
}

#[test]
fn io_errors_are_equal_if_operation_path_kind_and_message_are() {
    let error =
        |what, path: &str, kind| IoError::new(what, Some(path.into()), io::Error::from(kind));
    let one = error("read", "a", NotFound);
    assert_eq!(one, error("read", "a", NotFound));
    for other in [
        error("write", "a", NotFound),
        error("read", "b", NotFound),
        error("read", "a", PermissionDenied),
    ] {
        assert_ne!(one, other);
    }
}

#[test]
fn a_panic_of_a_spec_names_variable_value_state_and_message() {
    let panicked = |value| BuildError::SpecPanicked {
        variable: 3,
        value,
        state: "State(7)".to_owned(),
        message: "attempt to subtract with overflow".to_owned(),
    };
    let text = panicked(Some(1)).to_string();
    assert!(
        text.starts_with(
            "the spec panicked at value 1 of variable 3: attempt to subtract with overflow; \
             state: State(7)"
        ),
        "{text}"
    );
    assert!(panicked(None).to_string().starts_with("the spec panicked at variable 3: "));
}

#[test]
fn main_prints_the_message_of_an_error_it_returns() {
    let error = BuildError::InvalidSpec { message: "lower k".to_owned() };
    assert_eq!(format!("{error:?}"), "the spec is not usable: lower k");
    let query = QueryError::from(error);
    assert_eq!(format!("{query:?}"), query.to_string());
}

/// The variable of the environment that makes the test below the program that panics.
const PANICS: &str = "TOPDD_TEST_PANICS";

#[test]
fn a_panic_of_a_spec_prints_one_message() {
    use crate::{Frontier, Rule, check, dp};
    // The states of a level are expanded by two threads, and one of them panics.
    let fails = dp(16, 0u64)
        .step(|&state, v, value| {
            assert!((v, state, value) != (14, 999, 1), "a marked panic");
            Some(2 * state + value as u64)
        })
        .accept(|_| true);
    let ways: [(&str, &dyn Fn() -> String); 4] = [
        ("sweep", &|| Frontier::over(&fails).threads(2).count().unwrap_err().to_string()),
        ("diagram", &|| Frontier::over(&fails).threads(1).zdd().unwrap_err().to_string()),
        ("verify", &|| check::verify(&fails, |_| true).unwrap_err().to_string()),
        ("contract", &|| {
            check::contract(&fails, Rule::AnyValue, usize::MAX).unwrap_err().to_string()
        }),
    ];
    if let Ok(asked) = std::env::var(PANICS) {
        let (_, way) = ways.iter().find(|(name, _)| *name == asked).expect("a way");
        let error = way();
        assert!(error.contains("value 1 of variable 14") && error.contains("999"), "{error}");
        return;
    }
    for (name, _) in ways {
        let mut program = std::process::Command::new(std::env::current_exe().unwrap());
        let test = "error::tests::a_panic_of_a_spec_prints_one_message";
        let output = program.args([test, "--exact", "--nocapture"]).env(PANICS, name).output();
        let output = output.unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {text}");
        assert_eq!(text.matches("a marked panic").count(), 1, "{name}: {text}");
    }
}
