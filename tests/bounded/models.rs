//! Problems of sequencing, packing and choosing, as people write them for bounded runs.

use topdd::{DdSpec, Goal, Objective, Step};

/// Items with a profit that fit into three resources.
pub(super) struct Knapsack {
    pub(super) profits: Vec<i64>,
    pub(super) uses: Vec<[i64; 3]>,
    pub(super) rooms: [i64; 3],
}

impl Knapsack {
    /// Item `i`, from 1, has profit `10 + (37 i mod 41)` and uses `5 + ((29 i + 17 r) mod 31)` of resource `r`, from 1, of
    /// which there are `9 n`. The items of most profit for their use come first.
    pub(super) fn with_items(n: usize) -> Self {
        let mut items: Vec<(i64, [i64; 3])> = (1..=n as i64)
            .map(|i| (10 + 37 * i % 41, [1, 2, 3].map(|r| 5 + (29 * i + 17 * r) % 31)))
            .collect();
        items.sort_by_key(|(profit, uses)| -1000 * profit / uses.iter().sum::<i64>());
        let (profits, uses) = items.into_iter().unzip();
        Knapsack { profits, uses, rooms: [9 * n as i64; 3] }
    }
}

impl DdSpec for Knapsack {
    /// The room left.
    type State = [i64; 3];

    fn num_vars(&self) -> usize {
        self.profits.len()
    }

    fn root(&self) -> Step<[i64; 3]> {
        Step::To(0, self.rooms)
    }

    fn child(&self, rooms: &[i64; 3], item: usize, taken: usize) -> Step<[i64; 3]> {
        let left = [0, 1, 2].map(|r| rooms[r] - self.uses[item][r] * taken as i64);
        if left.iter().any(|&room| room < 0) {
            Step::Zero
        } else if item + 1 == self.num_vars() {
            Step::One
        } else {
            Step::To(item + 1, left)
        }
    }

    fn merge(&self, one: &[i64; 3], other: &[i64; 3], _: usize) -> Option<[i64; 3]> {
        Some([0, 1, 2].map(|r| one[r].max(other[r])))
    }
}

impl Objective<Knapsack> for Knapsack {
    fn cost(&self, _: &[i64; 3], item: usize, taken: usize) -> i64 {
        self.profits[item] * taken as i64
    }

    fn extremes(&self, item: usize) -> Option<(i64, i64)> {
        Some((0, self.profits[item]))
    }
}

/// The profit of a knapsack, with a bound and dominance: packed in fractions by one resource at a time, and more room of each
/// resource is no worse.
pub(super) struct Roomier<'k>(pub(super) &'k Knapsack);

impl Objective<Knapsack> for Roomier<'_> {
    fn cost(&self, rooms: &[i64; 3], item: usize, taken: usize) -> i64 {
        self.0.cost(rooms, item, taken)
    }

    fn bound(&self, rooms: &[i64; 3], item: usize, goal: Goal) -> Option<i128> {
        let Knapsack { profits, uses, .. } = self.0;
        let packed = |r: usize| {
            let mut items: Vec<usize> = (item..profits.len()).collect();
            items.sort_by_key(|&item| -1000 * profits[item] / uses[item][r].max(1));
            let mut room = rooms[r];
            // Rounded up, so that what is left of an item never counts less than it may bring.
            let profit = |&item: &usize| {
                let share = uses[item][r].min(room);
                room -= share;
                if uses[item][r] == 0 {
                    profits[item]
                } else {
                    profits[item] * share / uses[item][r] + 1
                }
            };
            items.iter().map(profit).sum::<i64>()
        };
        (goal == Goal::Maximum).then(|| (0..3).map(packed).min().unwrap().into())
    }

    fn group(&self, _: &[i64; 3], item: usize) -> Option<u64> {
        Some(item as u64)
    }

    fn dominates(&self, one: &[i64; 3], other: &[i64; 3], _: usize) -> bool {
        (0..3).all(|r| one[r] >= other[r])
    }
}

/// Orders of towns from town 0, with towns that come before others, times at which a town is open, and a way back.
pub(super) struct Tours {
    pub(super) distances: Vec<Vec<i64>>,
    /// For each town, those that must come before.
    pub(super) before: Vec<u32>,
    /// The first and last time of a visit.
    pub(super) windows: Option<Vec<(i64, i64)>>,
    /// Whether the way leads back to town 0.
    pub(super) closed: bool,
    /// The ways into each town, the shortest first, each with the bit of the town before.
    pub(super) nearest: Vec<Vec<(i64, u32)>>,
}

/// Where a tour is, and what is left. Merged states have several last towns, and towns that may be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    last: u32,
    left: u32,
    may_be_left: u32,
    time: i64,
}

/// The members of a set of towns.
fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (first < 32).then_some(first)
    })
}

impl Tours {
    pub(super) fn new(distances: Vec<Vec<i64>>, closed: bool) -> Self {
        let n = distances.len();
        let into = |to: usize| {
            let from = (0..n).filter(|&from| from != to && distances[from][to] >= 0);
            let mut ways: Vec<_> = from.map(|from| (distances[from][to], 1 << from)).collect();
            ways.sort_unstable();
            ways
        };
        let nearest = (0..n).map(into).collect();
        Tours { before: vec![0; n], windows: None, closed, nearest, distances }
    }

    /// A sequential ordering problem of TSPLIB: a distance of -1 says that the column comes before the row.
    pub(super) fn of_sop(text: &str) -> Self {
        let numbers = text.split("EDGE_WEIGHT_SECTION").nth(1).unwrap().replace("EOF", "");
        let mut numbers = numbers.split_whitespace().map(|number| number.parse().unwrap());
        let n = usize::try_from(numbers.next().unwrap()).unwrap();
        let numbers: Vec<i64> = numbers.collect();
        let distances: Vec<Vec<i64>> = numbers.chunks(n).map(<[i64]>::to_vec).collect();
        let before = |row: &Vec<i64>| {
            row.iter().enumerate().filter(|&(_, &d)| d == -1).map(|(town, _)| 1 << town).sum()
        };
        let before = distances.iter().map(before).collect();
        Tours { before, ..Tours::new(distances, false) }
    }

    /// A tour with time windows: distances and times in hundredths.
    pub(super) fn of_windows(text: &str) -> Self {
        let mut numbers = text.split_whitespace().map(|number| number.parse::<f64>().unwrap());
        let n = numbers.next().unwrap() as usize;
        let numbers: Vec<i64> = numbers.map(|number| (number * 100.0).round() as i64).collect();
        let distances = numbers[..n * n].chunks(n).map(<[i64]>::to_vec).collect();
        let windows = numbers[n * n..].chunks(2).take(n).map(|pair| (pair[0], pair[1])).collect();
        Tours { windows: Some(windows), ..Tours::new(distances, true) }
    }

    fn distance(&self, place: &Place, to: usize) -> i64 {
        members(place.last).map(|from| self.distances[from][to]).min().unwrap_or(0)
    }

    /// The time of the next visit, if it is not too late.
    fn arrival(&self, place: &Place, to: usize) -> Option<i64> {
        let Some(windows) = &self.windows else { return Some(0) };
        let (first, last) = windows[to];
        Some((place.time + self.distance(place, to)).max(first)).filter(|&time| time <= last)
    }

    /// The shortest way into a town from one of a set.
    fn shortest(&self, to: usize, from: u32) -> i64 {
        let way = self.nearest[to].iter().find(|(_, town)| town & from != 0);
        way.map_or(0, |(distance, _)| *distance)
    }

    fn way_back(&self, from: usize) -> i64 {
        if self.closed { self.distances[from][0] } else { 0 }
    }
}

impl DdSpec for Tours {
    type State = Place;

    fn num_vars(&self) -> usize {
        self.distances.len() - 1
    }

    fn arity(&self, _: usize) -> usize {
        self.distances.len()
    }

    fn root(&self) -> Step<Place> {
        let left = (1 << self.distances.len()) - 2;
        Step::To(0, Place { last: 1, left, may_be_left: 0, time: 0 })
    }

    fn child(&self, place: &Place, at: usize, town: usize) -> Step<Place> {
        let bit = 1 << town;
        // Town 0 is before all.
        let before = self.before[town] & !1;
        if (place.left | place.may_be_left) & bit == 0 || before & place.left != 0 {
            return Step::Zero;
        }
        let Some(time) = self.arrival(place, town) else { return Step::Zero };
        let (left, may_be_left) = (place.left & !bit, place.may_be_left & !bit);
        let next = Place { last: bit, left, may_be_left, time };
        let places = self.num_vars() - at - 1;
        if left.count_ones() as usize > places
            || members(left).any(|town| self.arrival(&next, town).is_none())
        {
            return Step::Zero;
        }
        if places > 0 {
            return Step::To(at + 1, next);
        }
        let is_back = self.windows.is_none() || self.arrival(&next, 0).is_some();
        if is_back { Step::One } else { Step::Zero }
    }

    fn merge(&self, one: &Place, other: &Place, _: usize) -> Option<Place> {
        let left = one.left & other.left;
        let any = one.left | other.left | one.may_be_left | other.may_be_left;
        let (last, time) = (one.last | other.last, one.time.min(other.time));
        Some(Place { last, left, may_be_left: any & !left, time })
    }
}

impl Objective<Tours> for Tours {
    /// The way; with windows the time at the end, which includes waiting.
    fn cost(&self, place: &Place, at: usize, town: usize) -> i64 {
        let is_last = at + 1 == self.num_vars();
        let back = if is_last { self.way_back(town) } else { 0 };
        match &self.windows {
            None => self.distance(place, town) + back,
            Some(_) if is_last => self.arrival(place, town).map_or(0, |time| time + back),
            Some(_) => 0,
        }
    }

    fn bound(&self, place: &Place, _: usize, _: Goal) -> Option<i128> {
        let any = place.left | place.may_be_left;
        // All but the first town that is left are reached from another one.
        let first = members(any).map(|town| self.shortest(town, place.last)).min().unwrap_or(0);
        let ways = members(place.left).map(|town| self.shortest(town, any));
        let (sum, most) = ways.fold((0, 0), |(sum, most), way| (sum + way, way.max(most)));
        let back = if self.closed { self.shortest(0, any) } else { 0 };
        Some((place.time + first + sum - most + back).into())
    }

    fn group(&self, place: &Place, _: usize) -> Option<u64> {
        let set = u64::from(place.left) << 32 | u64::from(place.may_be_left);
        self.windows.as_ref().map(|_| set ^ u64::from(place.last).rotate_left(16))
    }

    fn dominates(&self, one: &Place, other: &Place, _: usize) -> bool {
        Place { time: 0, ..*one } == Place { time: 0, ..*other } && one.time <= other.time
    }
}

/// Vertices of a graph that are adjacent to one another.
pub(super) struct Cliques {
    /// For each vertex the later ones that are adjacent to it.
    later: Vec<[u64; 4]>,
}

impl Cliques {
    /// The vertices of least degree come first.
    pub(super) fn new(n: usize, edges: &[(usize, usize)]) -> Self {
        let mut degrees = vec![0; n];
        for &(u, v) in edges {
            degrees[u] += 1;
            degrees[v] += 1;
        }
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&vertex| degrees[vertex]);
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(at, &vertex)| place[vertex] = at);
        let mut later = vec![[0; 4]; n];
        for &(u, v) in edges {
            let (low, high) = (place[u].min(place[v]), place[u].max(place[v]));
            later[low][high / 64] |= 1 << (high % 64);
        }
        Cliques { later }
    }

    /// The next vertex that may be taken, with the set of those from it on.
    fn go_on(&self, set: [u64; 4], from: usize) -> Step<[u64; 4]> {
        let next = (from..self.later.len()).find(|&v| set[v / 64] >> (v % 64) & 1 == 1);
        next.map_or(Step::One, |vertex| Step::To(vertex, set))
    }
}

impl DdSpec for Cliques {
    /// The vertices that may be taken.
    type State = [u64; 4];

    fn num_vars(&self) -> usize {
        self.later.len()
    }

    fn root(&self) -> Step<[u64; 4]> {
        let mut all = [0; 4];
        (0..self.later.len()).for_each(|v| all[v / 64] |= 1 << (v % 64));
        self.go_on(all, 0)
    }

    fn child(&self, set: &[u64; 4], vertex: usize, taken: usize) -> Step<[u64; 4]> {
        let mut set = *set;
        set[vertex / 64] &= !(1 << (vertex % 64));
        if taken == 1 {
            set = [0, 1, 2, 3].map(|word| set[word] & self.later[vertex][word]);
        }
        self.go_on(set, vertex + 1)
    }

    fn merge(&self, one: &[u64; 4], other: &[u64; 4], _: usize) -> Option<[u64; 4]> {
        Some([0, 1, 2, 3].map(|word| one[word] | other[word]))
    }
}

/// The number of vertices, with colours as a bound: a clique has one vertex of each.
impl Objective<Cliques> for Cliques {
    fn cost(&self, _: &[u64; 4], _: usize, taken: usize) -> i64 {
        taken as i64
    }

    fn extremes(&self, _: usize) -> Option<(i64, i64)> {
        Some((0, 1))
    }

    fn bound(&self, set: &[u64; 4], from: usize, _: Goal) -> Option<i128> {
        let (mut left, mut colours) = (*set, 0);
        while left != [0; 4] {
            colours += 1;
            let mut free = left;
            for vertex in from..self.later.len() {
                let (word, bit) = (vertex / 64, 1 << (vertex % 64));
                if free[word] & bit != 0 {
                    left[word] &= !bit;
                    (0..4).for_each(|word| free[word] &= !self.later[vertex][word]);
                }
            }
        }
        Some(colours)
    }
}

/// Orders of scenes, in which actors wait, and are paid, from their first scene to their last.
pub(super) struct Scenes {
    /// For each actor the scenes and the pay.
    actors: Vec<(u32, i64)>,
    durations: Vec<i64>,
}

impl Scenes {
    pub(super) fn parse(text: &str) -> Self {
        let mut numbers = text.split_whitespace().skip(1).map(|number| number.parse().unwrap());
        let mut next = || -> i64 { numbers.next().unwrap() };
        let (scenes, actors) = (next(), next());
        let actor = |_| {
            let own = (0..scenes).map(|scene| (next() as u32) << scene).sum();
            (own, next())
        };
        let actors = (0..actors).map(actor).collect();
        Scenes { actors, durations: (0..scenes).map(|_| next()).collect() }
    }

    fn all(&self) -> u32 {
        (1 << self.durations.len()) - 1
    }
}

impl DdSpec for Scenes {
    /// The scenes left.
    type State = u32;

    fn num_vars(&self) -> usize {
        self.durations.len()
    }

    fn arity(&self, _: usize) -> usize {
        self.durations.len()
    }

    fn root(&self) -> Step<u32> {
        Step::To(0, self.all())
    }

    fn child(&self, left: &u32, at: usize, scene: usize) -> Step<u32> {
        match left & !(1 << scene) {
            rest if rest == *left => Step::Zero,
            0 => Step::One,
            rest => Step::To(at + 1, rest),
        }
    }
}

impl Objective<Scenes> for Scenes {
    fn cost(&self, &left: &u32, _: usize, scene: usize) -> i64 {
        let begun = self.all() & !left | 1 << scene;
        let present = self.actors.iter().filter(|(own, _)| own & begun != 0 && own & left != 0);
        self.durations[scene] * present.map(|(_, pay)| pay).sum::<i64>()
    }

    fn bound(&self, &left: &u32, _: usize, _: Goal) -> Option<i128> {
        let pay = |scene: usize| -> i64 {
            let present = self.actors.iter().filter(|(own, _)| own >> scene & 1 == 1);
            self.durations[scene] * present.map(|(_, pay)| pay).sum::<i64>()
        };
        Some(members(left).map(pay).sum::<i64>().into())
    }
}

/// Marks on a ruler whose distances are different: each variable is a distance to the mark before.
pub(super) struct Golomb {
    pub(super) marks: usize,
    pub(super) longest: usize,
}

impl DdSpec for Golomb {
    /// The marks, from the last one back, and the distances.
    type State = (u64, u64);

    fn num_vars(&self) -> usize {
        self.marks - 1
    }

    fn arity(&self, _: usize) -> usize {
        self.longest
    }

    fn root(&self) -> Step<(u64, u64)> {
        Step::To(0, (1, 0))
    }

    fn child(&self, &(marks, known): &(u64, u64), at: usize, less: usize) -> Step<(u64, u64)> {
        let new = marks << (less + 1);
        if new >> less >> 1 != marks || new >> self.longest >> 1 != 0 || new & known != 0 {
            Step::Zero
        } else if at + 1 == self.num_vars() {
            Step::One
        } else {
            Step::To(at + 1, (new | 1, known | new))
        }
    }
}

impl Objective<Golomb> for Golomb {
    fn cost(&self, _: &(u64, u64), _: usize, less: usize) -> i64 {
        less as i64 + 1
    }

    /// The least distances that are not known.
    fn bound(&self, &(_, known): &(u64, u64), at: usize, _: Goal) -> Option<i128> {
        let free = (1..64).filter(|distance| known >> distance & 1 == 0);
        Some(free.take(self.num_vars() - at).sum())
    }
}

/// Clauses of at most two literals with weights.
pub(super) struct MaxSat {
    variables: usize,
    /// Weight, and literals by ascending variable.
    clauses: Vec<(i64, Vec<(usize, usize)>)>,
}

impl MaxSat {
    pub(super) fn parse(text: &str) -> Self {
        let mut variables = 0;
        let clause = |line: &str| {
            let numbers: Vec<i64> =
                line.split_whitespace().map(|number| number.parse().unwrap()).collect();
            let literal = |&of: &i64| (of.unsigned_abs() as usize - 1, usize::from(of > 0));
            let mut literals: Vec<_> = numbers[1..numbers.len() - 1].iter().map(literal).collect();
            literals.sort_unstable();
            variables = variables.max(literals.last().map_or(0, |last| last.0 + 1));
            (numbers[0], literals)
        };
        let lines = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        let clauses = lines.map(clause).collect();
        MaxSat { variables, clauses }
    }

    /// The clauses whose first variable is `variable`.
    fn of(&self, variable: usize) -> impl Iterator<Item = &(i64, Vec<(usize, usize)>)> {
        self.clauses.iter().filter(move |(_, literals)| literals[0].0 == variable)
    }
}

impl DdSpec for MaxSat {
    /// For each variable, the weights of clauses of which a value of it alone decides.
    type State = Vec<[i64; 2]>;

    fn num_vars(&self) -> usize {
        self.variables
    }

    fn root(&self) -> Step<Self::State> {
        Step::To(0, vec![[0; 2]; self.variables])
    }

    fn child(&self, state: &Self::State, variable: usize, value: usize) -> Step<Self::State> {
        if variable + 1 == self.variables {
            return Step::One;
        }
        let mut next = state.clone();
        next[variable] = [0; 2];
        for (weight, literals) in self.of(variable) {
            if literals.len() == 2 && literals[0].1 != value {
                next[literals[1].0][literals[1].1] += weight;
            }
        }
        Step::To(variable + 1, next)
    }

    fn merge(&self, one: &Self::State, other: &Self::State, _: usize) -> Option<Self::State> {
        let greater = |(a, b): (&[i64; 2], &[i64; 2])| [a[0].max(b[0]), a[1].max(b[1])];
        Some(one.iter().zip(other).map(greater).collect())
    }
}

impl Objective<MaxSat> for MaxSat {
    fn cost(&self, state: &Vec<[i64; 2]>, variable: usize, value: usize) -> i64 {
        let held = self.of(variable).filter(|(_, literals)| literals[0].1 == value);
        state[variable][value] + held.map(|(weight, _)| weight).sum::<i64>()
    }

    fn bound(&self, state: &Vec<[i64; 2]>, variable: usize, _: Goal) -> Option<i128> {
        let single: i64 = state.iter().map(|of| of[0].max(of[1])).sum();
        let left = self.clauses.iter().filter(|(_, literals)| literals[0].0 >= variable);
        Some((single + left.map(|(weight, _)| weight).sum::<i64>()).into())
    }
}

/// Queens row by row. Merged states may attack less.
pub(super) struct Queens {
    pub(super) n: usize,
}

impl DdSpec for Queens {
    /// The attacked columns: by columns, and by diagonals of both directions.
    type State = [u32; 3];

    fn num_vars(&self) -> usize {
        self.n
    }

    fn arity(&self, _: usize) -> usize {
        self.n
    }

    fn root(&self) -> Step<[u32; 3]> {
        Step::To(0, [0; 3])
    }

    fn child(
        &self,
        &[columns, rising, falling]: &[u32; 3],
        row: usize,
        column: usize,
    ) -> Step<[u32; 3]> {
        let queen = 1 << column;
        if (columns | rising | falling) & queen != 0 {
            return Step::Zero;
        }
        if row + 1 == self.n {
            return Step::One;
        }
        let board = (1 << self.n) - 1;
        Step::To(row + 1, [columns | queen, (rising | queen) << 1 & board, (falling | queen) >> 1])
    }

    fn merge(&self, one: &[u32; 3], other: &[u32; 3], _: usize) -> Option<[u32; 3]> {
        Some([0, 1, 2].map(|line| one[line] & other[line]))
    }
}

/// Sets of squares of a grid, no two of them side by side. Square by square; merged states may have fewer members.
pub(super) struct Apart {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

impl DdSpec for Apart {
    /// The members among the last squares, as many as there are columns.
    type State = u32;

    fn num_vars(&self) -> usize {
        self.columns * self.rows
    }

    fn root(&self) -> Step<u32> {
        Step::To(0, 0)
    }

    fn child(&self, &last: &u32, square: usize, member: usize) -> Step<u32> {
        let above = last >> (self.columns - 1) & 1;
        let left = if square.is_multiple_of(self.columns) { 0 } else { last & 1 };
        if member == 1 && above | left == 1 {
            Step::Zero
        } else if square + 1 == self.num_vars() {
            Step::One
        } else {
            Step::To(square + 1, (last << 1 | member as u32) & ((1 << self.columns) - 1))
        }
    }

    fn merge(&self, one: &u32, other: &u32, _: usize) -> Option<u32> {
        Some(one & other)
    }
}
