use topdd::{DdSpec, Step};

/// Sets with at most `k` members.
#[derive(Clone)]
pub struct AtMost { pub n: usize, pub k: usize }

impl DdSpec for AtMost {
    type State = usize; // the number of members so far
    fn num_vars(&self) -> usize { self.n }
    fn root(&self) -> Step<usize> {
        if self.n == 0 { Step::One } else { Step::To(0, 0) }
    }
    fn child(&self, &members: &usize, number: usize, value: usize) -> Step<usize> {
        match members + value {
            members if members > self.k => Step::Zero,
            _ if number + 1 == self.n => Step::One,
            members => Step::To(number + 1, members),
        }
    }
}

/// Sets with at least `k` members.
#[derive(Clone)]
pub struct AtLeast { pub n: usize, pub k: usize }

impl DdSpec for AtLeast {
    type State = usize; // the number of members still missing
    fn num_vars(&self) -> usize { self.n }
    fn root(&self) -> Step<usize> {
        match self.k {
            k if k > self.n => Step::Zero,
            _ if self.n == 0 => Step::One,
            k => Step::To(0, k),
        }
    }
    fn child(&self, &wanting: &usize, number: usize, value: usize) -> Step<usize> {
        let (wanting, left) = (wanting.saturating_sub(value), self.n - number - 1);
        match wanting {
            wanting if wanting > left => Step::Zero,
            _ if left == 0 => Step::One,
            wanting => Step::To(number + 1, wanting),
        }
    }
}

/// Sets with the member `member`. All other numbers are skipped, so the rule decides on them.
#[derive(Clone)]
pub struct Contains { pub n: usize, pub member: usize }

impl DdSpec for Contains {
    type State = ();
    fn num_vars(&self) -> usize { self.n }
    fn root(&self) -> Step<()> { Step::To(self.member, ()) }
    fn child(&self, (): &(), _: usize, value: usize) -> Step<()> {
        if value == 1 { Step::One } else { Step::Zero }
    }
}
