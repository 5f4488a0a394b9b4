//! Random natural numbers.

use num_bigint::BigUint;
use rand_core::Rng;

/// Returns a number below `bound`, which is not 0, all with the same probability: draws as many
/// bits as the bound has, and repeats until the number is below it.
pub(in crate::query) fn below<G: Rng + ?Sized>(bound: &BigUint, rng: &mut G) -> BigUint {
    let bits = bound.bits();
    let digits = bits.div_ceil(32) as usize;
    let top = u32::MAX >> (digits as u64 * 32 - bits);
    loop {
        let mut drawn: Vec<u32> = (0..digits).map(|_| rng.next_u32()).collect();
        drawn[digits - 1] &= top;
        let drawn = BigUint::new(drawn);
        if drawn < *bound {
            return drawn;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    #[test]
    fn draws_are_below_the_bound_and_reach_every_number() {
        let mut rng = StdRng::seed_from_u64(1);
        for bound in 1..20u32 {
            let mut seen = vec![0; bound as usize];
            for _ in 0..1000 {
                let drawn = below(&bound.into(), &mut rng);
                seen[drawn.iter_u32_digits().next().unwrap_or(0) as usize] += 1;
            }
            assert!(seen.iter().all(|&times| times > 0), "{bound}: {seen:?}");
        }
        let bound = BigUint::from(1u32) << 96u32;
        assert!(below(&bound, &mut rng) < bound);
    }
}
