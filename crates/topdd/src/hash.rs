//! Hash maps for keys that no adversary chooses.

use ahash::AHasher;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// A map with a fast hash function of fixed seed.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<AHasher>>;
