//! The hash tables of passes over diagrams.

use std::hash::BuildHasherDefault;

pub(crate) type Map<K, V> = hashbrown::HashMap<K, V, BuildHasherDefault<ahash::AHasher>>;
pub(crate) type Set<K> = hashbrown::HashSet<K, BuildHasherDefault<ahash::AHasher>>;
