//! Text about a diagram, stored with it in a file.

use std::collections::BTreeMap;
use std::collections::btree_map;

/// Text about a diagram, stored with it in a file of the [native format](super::native): keys
/// and their values, both in UTF-8.
///
/// Three keys have a meaning. Any other key may be used; start it with the name of the program
/// that defines it, such as `planner-version`.
///
/// | key | value |
/// | --- | --- |
/// | [`PROBLEM`](Metadata::PROBLEM) | the problem whose solutions these are, as a line of text |
/// | [`VARIABLES`](Metadata::VARIABLES) | names of the variables from 0 on: a JSON list of strings |
/// | [`VALUES`](Metadata::VALUES) | for each variable, names of its values from 0 on: a JSON list of lists of strings |
///
/// With the feature `json`, metadata is serialized by serde as an object of keys and values, where lists of names are
/// lists.
///
/// Metadata has no influence on the diagram: a file with it and a file without it load as equal
/// diagrams. A reader checks that the section is intact, and not that its text fits the diagram:
/// the lists may have other lengths than the diagram has variables and values.
///
/// ```
/// use topdd::Zdd;
/// use topdd::format::Metadata;
///
/// let subsets = Zdd::full([2; 2])?;
///
/// let mut metadata = Metadata::new();
/// metadata.set_problem("subsets of two fruits");
/// metadata.set("shop-region", "north");
///
/// let mut bytes = Vec::new();
/// subsets.write_with(&mut bytes, &metadata).expect("memory does not fail");
/// let (read, found) = Zdd::read_with_metadata(&bytes[..])?;
/// assert!(read == subsets && found == metadata);
/// assert_eq!(found.problem(), Some("subsets of two fruits"));
/// assert_eq!(found.get("shop-region"), Some("north"));
/// # Ok::<(), topdd::FileError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    entries: BTreeMap<String, String>,
}

impl Metadata {
    /// The key of the problem, a line of text.
    pub const PROBLEM: &str = "problem";
    /// The key of the names of variables.
    pub const VARIABLES: &str = "variables";
    /// The key of the names of values.
    pub const VALUES: &str = "values";

    /// The largest [size](Metadata::size) that is written and read: 16 MiB.
    pub const MAX_SIZE: usize = 16 << 20;

    /// Makes metadata without entries.
    pub fn new() -> Self {
        Metadata::default()
    }

    /// Returns whether there are no entries. Then nothing is stored: the file is the same as one
    /// that is saved without metadata.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value of a key; `None` if it is not set.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(String::as_str)
    }

    /// Sets the value of a key, and returns the value that it had before.
    ///
    /// ```
    /// let mut metadata = topdd::format::Metadata::new();
    /// assert_eq!(metadata.set("planner-version", "1"), None);
    /// assert_eq!(metadata.set("planner-version", "2"), Some("1".to_owned()));
    /// assert_eq!(metadata.get("planner-version"), Some("2"));
    /// assert_eq!(metadata.size(), 32); // 4 + 4 and 4 + 15 + 1 bytes, padding and a checksum
    /// metadata.remove("planner-version");
    /// assert!(metadata.is_empty());
    /// ```
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) -> Option<String> {
        self.entries.insert(key.into(), value.into())
    }

    /// Removes a key, and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<String> {
        self.entries.remove(key)
    }

    /// Returns keys and values, in ascending order of the bytes of keys.
    ///
    /// ```
    /// let mut metadata = topdd::format::Metadata::new();
    /// metadata.set("b", "2");
    /// metadata.set("a", "1");
    /// assert!(metadata.iter().eq([("a", "1"), ("b", "2")]));
    /// ```
    pub fn iter(&self) -> Iter<'_> {
        Iter(self.entries.iter())
    }

    /// Returns the size in a file in bytes, with the lengths of entries and the checksum; 0 if there
    /// are no entries.
    pub fn size(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        let entries = self.iter().map(|(key, value)| 8 + key.len() + value.len());
        (4 + entries.sum::<usize>()).next_multiple_of(4) + 4
    }

    /// Returns the problem, the value of [`PROBLEM`](Metadata::PROBLEM).
    pub fn problem(&self) -> Option<&str> {
        self.get(Self::PROBLEM)
    }

    /// Sets the problem that the solutions solve, as a line of text.
    pub fn set_problem(&mut self, problem: impl Into<String>) {
        self.set(Self::PROBLEM, problem);
    }

    /// Returns the names of variables from 0 on; `None` if there are none, or if the value of
    /// the key is not a JSON list of strings. Needs the feature `json`, as [`value_names`] and the
    /// setters of both do.
    ///
    /// ```
    /// let mut metadata = topdd::format::Metadata::new();
    /// metadata.set_variable_names(["apple", "pear"]);
    /// assert_eq!(metadata.variable_names().unwrap()[1], "pear");
    /// ```
    ///
    /// [`value_names`]: Metadata::value_names
    #[cfg(feature = "json")]
    pub fn variable_names(&self) -> Option<Vec<String>> {
        serde_json::from_str(self.get(Self::VARIABLES)?).ok()
    }

    /// Sets the names of variables from 0 on.
    #[cfg(feature = "json")]
    pub fn set_variable_names(&mut self, names: impl IntoIterator<Item = impl Into<String>>) {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        self.set(Self::VARIABLES, serde_json::json!(names).to_string());
    }

    /// Returns, for each variable from 0 on, the names of its values from 0 on; `None` if there
    /// are none, or if the value of the key is not a JSON list of lists of strings.
    ///
    /// ```
    /// let mut metadata = topdd::format::Metadata::new();
    /// metadata.set_value_names([["no", "yes"], ["left", "right"]]);
    /// assert_eq!(metadata.value_names().unwrap()[1][0], "left");
    /// metadata.set("values", "left or right");
    /// assert_eq!(metadata.value_names(), None);
    /// ```
    #[cfg(feature = "json")]
    pub fn value_names(&self) -> Option<Vec<Vec<String>>> {
        serde_json::from_str(self.get(Self::VALUES)?).ok()
    }

    /// Sets, for each variable from 0 on, the names of its values from 0 on.
    #[cfg(feature = "json")]
    pub fn set_value_names<V>(&mut self, names: impl IntoIterator<Item = V>)
    where
        V: IntoIterator<Item: Into<String>>,
    {
        let names = names.into_iter().map(|names| names.into_iter().map(Into::into).collect());
        let names: Vec<Vec<String>> = names.collect();
        self.set(Self::VALUES, serde_json::json!(names).to_string());
    }
}

/// An object with the keys. A value that is JSON without blanks, as lists of names are, is that list or object; any
/// other is a string. Both are read as the same text.
#[cfg(feature = "json")]
impl serde::Serialize for Metadata {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(key, value)| (key, embedded(value))))
    }
}

#[cfg(feature = "json")]
fn embedded(text: &str) -> serde_json::Value {
    let is_nested = text.starts_with(['[', '{']);
    let parsed: Option<serde_json::Value> =
        if is_nested { serde_json::from_str(text).ok() } else { None };
    // Another text, such as one with blanks or with a key twice, would not be read as it was.
    let same = |value: &serde_json::Value| serde_json::to_string(value).is_ok_and(|t| t == text);
    parsed.filter(same).unwrap_or_else(|| text.into())
}

#[cfg(feature = "json")]
impl<'de> serde::Deserialize<'de> for Metadata {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = BTreeMap::<String, serde_json::Value>::deserialize(deserializer)?;
        let text = |value| match value {
            serde_json::Value::String(text) => text,
            value => value.to_string(),
        };
        Ok(entries.into_iter().map(|(key, value)| (key, text(value))).collect())
    }
}

impl<'a> IntoIterator for &'a Metadata {
    type Item = (&'a str, &'a str);
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Metadata {
    /// Collects keys and values; of equal keys, the last one counts.
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value.into()));
        Metadata { entries: entries.collect() }
    }
}

/// The keys and values of [`Metadata`], in ascending order of keys; an iterator that
/// [`Metadata::iter`] returns.
#[derive(Clone, Debug)]
pub struct Iter<'a>(btree_map::Iter<'a, String, String>);

impl<'a> Iterator for Iter<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for Iter<'_> {}
