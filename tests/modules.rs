//! No module of a library imports, directly or by way of others, a module that imports it. A
//! module and its descendants may import one another.
//!
//! Imports are read from the source: a name that a module re-exports belongs to that module.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A path of a module in its crate; empty for the root.
type Module = Vec<String>;

/// The modules of a crate, each with its source without comments, by the folder `src`.
fn modules(src: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![(src.to_owned(), Vec::new())];
    while let Some((folder, module)) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let inner = || [&module[..], std::slice::from_ref(&name)].concat();
            if path.is_dir() {
                folders.push((path.clone(), inner()));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let is_folder = ["lib", "main", "mod"].contains(&&name[..]);
                let module = if is_folder { module.clone() } else { inner() };
                if !module.iter().any(|part| part == "tests") {
                    found.insert(module, code(&fs::read_to_string(&path).unwrap()));
                }
            }
        }
    }
    found
}

/// A source without comments and unit tests, which come last.
fn code(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    source.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The paths of a tree of imports.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some((prefix, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap();
        return vec![path.split("::").map(|part| part.trim().to_owned()).collect()];
    };
    let prefix: Vec<String> =
        prefix.split("::").map(str::trim).filter(|p| !p.is_empty()).map(str::to_owned).collect();
    let rest = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut start) = (0, 0);
    let mut branches = Vec::new();
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&rest[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&rest[start..]);
    let branches = branches.into_iter().filter(|branch| !branch.trim().is_empty());
    branches.flat_map(paths).map(|path| [&prefix[..], &path].concat()).collect()
}

/// All paths in a source that may name modules.
fn mentioned(source: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("use ") {
        if source[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric()) {
            let tree = source[at + 4..].split(';').next().unwrap();
            found.extend(paths(tree));
        }
    }
    for start in ["crate::", "super::"] {
        for (at, _) in source.match_indices(start) {
            let is_path = |letter: char| letter.is_alphanumeric() || "_:".contains(letter);
            let path = source[at..].split(|letter| !is_path(letter)).next().unwrap();
            found.push(path.split("::").filter(|p| !p.is_empty()).map(str::to_owned).collect());
        }
    }
    found
}

/// The module that a path in `from` names, if it belongs to the crate.
fn resolve(modules: &BTreeMap<Module, String>, from: &[String], path: &[String]) -> Option<Module> {
    let mut base = from.to_vec();
    let mut rest = path;
    match path.first()?.as_str() {
        "crate" => (base, rest) = (Vec::new(), &path[1..]),
        "super" | "self" => {
            while let Some(first @ ("super" | "self")) = rest.first().map(String::as_str) {
                if first == "super" {
                    base.pop()?;
                }
                rest = &rest[1..];
            }
        }
        name => {
            modules.contains_key(&[from, &[name.to_owned()]].concat()).then_some(())?;
        }
    }
    while let Some((first, later)) = rest.split_first() {
        let inner = [&base[..], std::slice::from_ref(first)].concat();
        if !modules.contains_key(&inner) {
            break;
        }
        (base, rest) = (inner, later);
    }
    Some(base)
}

/// The modules that each one imports, but for its ancestors and descendants.
fn imports(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let related = |a: &Module, b: &Module| a.starts_with(b) || b.starts_with(a);
    let of = |module: &Module, source: &String| {
        let mentioned = mentioned(source).into_iter();
        let targets = mentioned.filter_map(|path| resolve(modules, module, &path));
        targets.filter(|target| !related(module, target)).collect()
    };
    modules.iter().map(|(module, source)| (module.clone(), of(module, source))).collect()
}

/// The modules of a circle of imports, if there is one.
fn circle(imports: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Module> {
    // A module without imports among the rest is in no circle, nor one that none of the rest imports.
    let mut left: BTreeSet<&Module> = imports.keys().collect();
    loop {
        let before = left.len();
        let inside = |left: &BTreeSet<&Module>, module: &Module| {
            imports[module].iter().any(|target| left.contains(target))
                && left.iter().any(|other| imports[*other].contains(module))
        };
        let stays: BTreeSet<&Module> =
            left.iter().copied().filter(|module| inside(&left, module)).collect();
        left = stays;
        if left.len() == before {
            return left.into_iter().cloned().collect();
        }
    }
}

#[test]
fn import_cycles_are_found() {
    let source = |text: &str| text.to_owned();
    let module = |path: &str| path.split("::").map(str::to_owned).collect::<Module>();
    let mut modules = BTreeMap::from([
        (Vec::new(), source("mod a; mod b; pub use a::A;")),
        (module("a"), source("mod child; use crate::b::{self, c::{D, E}};")),
        (module("a::child"), source("use super::super::b::B; use super::A;")),
        (module("b"), source("mod c; use c::C;")),
        (module("b::c"), source("fn f() { std::mem::drop(1) }")),
    ]);
    let imported = imports(&modules);
    assert_eq!(imported[&module("a")], BTreeSet::from([module("b"), module("b::c")]));
    assert_eq!(imported[&module("a::child")], BTreeSet::from([module("b")]));
    assert_eq!(circle(&imported), Vec::<Module>::new());
    modules.insert(module("b::c"), source("fn f() { crate::a::child::g() }"));
    modules.insert(module("a::child"), source("use crate::b::c::C as D;"));
    assert_eq!(circle(&imports(&modules)), [module("a::child"), module("b::c")]);
}

#[test]
fn no_module_imports_itself_by_way_of_others() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    for library in [
        "topdd",
        "topdd-apply",
        "topdd-chess",
        "topdd-cli",
        "topdd-cluster",
        "topdd-draw",
        "topdd-graph",
        "topdd-problem",
    ] {
        let src = crates.join(library).join("src");
        let found = circle(&imports(&modules(&src)));
        let names: Vec<String> = found.iter().map(|path| path.join("::")).collect();
        assert!(names.is_empty(), "{}: a circle of imports in {names:?}", src.display());
    }
}

#[test]
fn every_file_of_a_folder_of_tests_is_compiled() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["tests", "crates/topdd-cli/tests"] {
        let main = fs::read_to_string(root.join(folder).join("main.rs")).unwrap();
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let is_source = path.extension().is_some_and(|extension| extension == "rs");
            let declared = main.contains(&format!("mod {name};\n"));
            assert!(declared || !is_source || name == "main", "{folder}/{name}.rs");
        }
    }
}
