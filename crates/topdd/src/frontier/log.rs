//! A stack of lists, which grows to the size of all that a sweep leaves behind.

use crate::pages::Pages;
use bytemuck::Pod;

/// Lists, of which the last come off first. What comes off is handed on in pieces of some
/// megabytes.
#[derive(Debug)]
pub(crate) struct Log<T> {
    segments: Vec<Segment<T>>,
}

#[derive(Debug)]
struct Segment<T> {
    items: Pages<T>,
    used: usize,
}

/// Where in a log a list is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    segment: u32,
    start: u32,
    len: u32,
}

/// Bytes of the first segment; each further one has twice as many, up to the most.
const FIRST_BYTES: usize = 1 << 14;
const MOST_BYTES: usize = 1 << 23;

impl<T> Default for Log<T> {
    fn default() -> Self {
        Log { segments: Vec::new() }
    }
}

impl<T: Pod> Log<T> {
    /// Room for lists of these lengths on top of the others, to be written to.
    pub(crate) fn push(&mut self, lengths: &[usize]) -> Vec<(Place, &mut [T])> {
        let first = self.segments.len().saturating_sub(1);
        let places: Vec<Place> = lengths.iter().map(|&len| self.place(len)).collect();
        let mut lists = Vec::with_capacity(places.len());
        let mut next = places.into_iter().peekable();
        for (number, segment) in self.segments.iter_mut().enumerate().skip(first) {
            let mut rest = &mut segment.items[..];
            let mut at = 0;
            while let Some(place) = next.next_if(|place| place.segment as usize == number) {
                let (start, len) = (place.start as usize, place.len as usize);
                let (_, after) = std::mem::take(&mut rest).split_at_mut(start - at);
                let (list, after) = after.split_at_mut(len);
                lists.push((place, list));
                rest = after;
                at = start + len;
            }
        }
        lists
    }

    fn place(&mut self, len: usize) -> Place {
        let fits = |segment: &Segment<T>| segment.items.len() - segment.used >= len;
        if !self.segments.last().is_some_and(fits) {
            let bytes = MOST_BYTES.min(FIRST_BYTES << self.segments.len().min(9));
            let items = Pages::new(len.max(bytes / size_of::<T>()));
            self.segments.push(Segment { items, used: 0 });
        }
        let number = self.segments.len() - 1;
        let segment = &mut self.segments[number];
        let place = Place { segment: number as u32, start: segment.used as u32, len: len as u32 };
        segment.used += len;
        place
    }

    pub(crate) fn get(&self, place: Place) -> &[T] {
        // Its segment may be gone.
        if place.len == 0 {
            return &[];
        }
        let start = place.start as usize;
        &self.segments[place.segment as usize].items[start..start + place.len as usize]
    }

    /// Takes this list off, and all that were put on it. Answers the memory that is not needed
    /// any more.
    #[must_use]
    pub(crate) fn pop_from(&mut self, place: Place) -> Vec<Pages<T>> {
        let first = self.segments.len().min(place.segment as usize + 1);
        let emptied = self.segments.drain(first..).map(|segment| segment.items).collect();
        if let Some(segment) = self.segments.get_mut(place.segment as usize) {
            segment.used = place.start as usize;
        }
        emptied
    }

    /// Gives up the segments on top that contain nothing.
    pub(crate) fn trim(&mut self) {
        while self.segments.pop_if(|segment| segment.used == 0).is_some() {}
    }

    pub(crate) fn clear(&mut self) {
        self.segments.clear();
    }
}

impl Place {
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A stack of vectors is the model.
        #[test]
        fn lists_come_off_as_they_went_on(
            rounds in prop::collection::vec(
                (prop::collection::vec(0usize..9000, 0..5), 0usize..4), 0..20,
            ),
        ) {
            let mut log = Log::<u32>::default();
            let mut model: Vec<(Place, Vec<u32>)> = Vec::new();
            let mut number = 0;
            for (lengths, pops) in rounds {
                for (place, list) in log.push(&lengths) {
                    for item in list.iter_mut() {
                        *item = number;
                        number += 1;
                    }
                    model.push((place, list.to_vec()));
                }
                for _ in 0..pops {
                    if let Some((place, _)) = model.pop() {
                        drop(log.pop_from(place));
                    }
                }
                for (place, list) in &model {
                    prop_assert_eq!(log.get(*place), &list[..]);
                }
            }
        }
    }
}
