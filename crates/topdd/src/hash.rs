//! Maps whose keys nobody chooses to do harm with.

use ahash::AHasher;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// A map with a quick hash, which is the same every time.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<AHasher>>;
