//! A combination of specs: committees that satisfy several rules.
//!
//! Each rule of a committee is a small spec with its own state. A combination runs them in
//! parallel. A finished diagram is a spec as well, so a later rule can be combined with the
//! diagram of all the others.

use topdd::{DdSpec, SpecExt, Step};

/// One two-valued variable per person: 1 for a member of the committee.
const PEOPLE: [&str; 10] = ["Ada", "Bob", "Cem", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon"];

/// The committees with `least..=most` of the people for whom `counts` is true.
struct Number {
    counts: fn(usize) -> bool,
    least: usize,
    most: usize,
}

impl DdSpec for Number {
    type State = usize; // how many are in so far

    fn num_vars(&self) -> usize {
        PEOPLE.len()
    }

    fn root(&self) -> Step<usize> {
        Step::To(0, 0)
    }

    fn child(&self, members: &usize, person: usize, chosen: usize) -> Step<usize> {
        let members = members + if (self.counts)(person) { chosen } else { 0 };
        if members > self.most {
            Step::Zero
        } else if person + 1 < PEOPLE.len() {
            Step::To(person + 1, members)
        } else if members < self.least {
            Step::Zero
        } else {
            Step::One
        }
    }
}

fn person(name: &str) -> usize {
    PEOPLE.iter().position(|&other| other == name).expect("one of the ten")
}

fn main() -> Result<(), topdd::QueryError> {
    // A seat for four, with at least two of the first five.
    let four = Number { counts: |_| true, least: 4, most: 4 };
    let seniors = Number { counts: |person| person < 5, least: 2, most: 5 };
    // Bob and Cem do not sit at one table; and one of Ada and Jon has to chair.
    let quarrel = |person| PEOPLE[person] == "Bob" || PEOPLE[person] == "Cem";
    let both = Number { counts: quarrel, least: 2, most: 2 };
    let ada = Number { counts: |person| PEOPLE[person] == "Ada", least: 1, most: 1 };
    let jon = Number { counts: |person| PEOPLE[person] == "Jon", least: 1, most: 1 };

    // Combinators take specs by value, or by reference if a spec is used again. Each combination is a
    // type of its own, and the engine is compiled for each type that is built. `boxed` makes them
    // one type: the program compiles in a third of the time.
    let rules = (&four).and(&seniors).and_not(&both).and((&ada).or(&jon)).boxed();
    let committees = topdd::zdd(&rules)?;
    println!("{} committees of four keep the rules", committees.count());

    // The diagram is a spec: subset it by one more rule, without the others' states.
    let neither = Number { counts: |person| PEOPLE[person] == "Fay", least: 0, most: 0 };
    let without_fay = topdd::zdd(&(&committees).and(&neither).boxed())?;
    println!("{} of them do without Fay:", without_fay.count());
    for committee in without_fay.iter().take(3) {
        let names: Vec<&str> = PEOPLE
            .iter()
            .zip(&committee)
            .filter(|&(_, &value)| value == 1)
            .map(|(n, _)| *n)
            .collect();
        println!("  {}", names.join(", "));
    }

    // The same without specs: try all 2^10 committees.
    let has = |committee: usize, name| committee >> person(name) & 1 == 1;
    let keeps_the_rules = |&committee: &usize| {
        committee.count_ones() == 4
            && (committee & 0b11111).count_ones() >= 2
            && !(has(committee, "Bob") && has(committee, "Cem"))
            && (has(committee, "Ada") || has(committee, "Jon"))
    };
    let kept: Vec<usize> = (0..1 << PEOPLE.len()).filter(keeps_the_rules).collect();
    assert_eq!(committees.count(), kept.len().into());
    let fayless = kept.iter().filter(|&&committee| !has(committee, "Fay")).count();
    assert_eq!(without_fay.count(), fayless.into());
    // It does not matter when a rule is applied: the diagrams are equal.
    assert_eq!(without_fay, topdd::zdd(&rules.and(neither).boxed())?);
    Ok(())
}
