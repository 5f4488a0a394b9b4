//! A state of varying size: the partitions of a set into blocks.
//!
//! The members of the set join blocks one after the other. The future depends on the
//! sizes of the blocks, so the state is a list of sizes that grows with every block. A
//! `SmallVec` keeps short lists inside the state and moves longer ones to the heap; it is
//! compared and hashed by its items, so equal lists merge wherever they are stored.
//!
//! `cargo run --release --example partitions -- 12 4` takes 12 members, blocks of at
//! most 4.

use smallvec::SmallVec;
use topdd::{DdSpec, Frontier, Step};

/// The partitions of `0..members` into blocks of at most `largest` members.
struct Partitions {
    members: usize,
    largest: u8,
}

/// The sizes of the blocks so far, in the order in which they were opened.
type Sizes = SmallVec<[u8; 16]>;

impl DdSpec for Partitions {
    type State = Sizes;

    fn num_vars(&self) -> usize {
        self.members
    }

    /// The value of a member is the number of its block, and blocks are numbered as they
    /// are opened, so each partition occurs once: member 0 has one choice, member 1
    /// has two, and so on.
    fn arity(&self, member: usize) -> usize {
        member + 1
    }

    fn root(&self) -> Step<Sizes> {
        if self.members == 0 { Step::One } else { Step::To(0, Sizes::new()) }
    }

    fn child(&self, sizes: &Sizes, member: usize, block: usize) -> Step<Sizes> {
        if block > sizes.len() {
            return Step::Zero; // a block before this one has yet to be opened
        }
        let mut sizes = sizes.clone();
        if block == sizes.len() {
            sizes.push(0);
        }
        if sizes[block] == self.largest {
            return Step::Zero; // this block is full
        }
        sizes[block] += 1;
        if member + 1 == self.members { Step::One } else { Step::To(member + 1, sizes) }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let members: usize = args.next().map_or(Ok(6), |text| text.parse())?;
    let largest: u8 = args.next().map_or(Ok(2), |text| text.parse())?;

    let spec = Partitions { members, largest };
    let mut frontier = Frontier::over(&spec);
    let partitions = frontier.zdd()?;
    println!("{} partitions of {members} into blocks of at most {largest}:", partitions.count());
    for blocks in partitions.iter().take(10) {
        // Members that have the same value share a block.
        println!("  {blocks:?}");
    }
    println!("{}", frontier.report());

    // Blocks of any size: the Bell numbers, A000110.
    for (members, bell) in (0..).zip([1u32, 1, 2, 5, 15, 52, 203, 877, 4140, 21147, 115975]) {
        assert_eq!(topdd::count(&Partitions { members, largest: 255 })?, bell.into());
    }
    // Blocks of one or two are pairings with some left alone: the involutions, A000085.
    for (members, involutions) in (0..).zip([1u32, 1, 2, 4, 10, 26, 76, 232, 764, 2620, 9496]) {
        assert_eq!(topdd::count(&Partitions { members, largest: 2 })?, involutions.into());
    }
    Ok(())
}
