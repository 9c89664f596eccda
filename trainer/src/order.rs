//! In which order training sees its rows: an exact shuffle, again in every pass.

use game::Stream;

/// An endless sequence of rows: one permutation after the other, each drawn anew. It depends on the seed and the
/// rows alone, so that training resumed at step `n` sees what it would have seen.
pub struct Order {
    seed: u64,
    rows: Vec<u32>,
    pass: Option<(u64, Vec<u32>)>,
}

impl Order {
    /// `name` keeps the orders of a run apart, e.g. by generation.
    pub fn new(run_seed: u64, name: &str, rows: Vec<u32>) -> Order {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"muster training order");
        hasher.update(&run_seed.to_le_bytes());
        hasher.update(name.as_bytes());
        let mut seed = [0; 8];
        seed.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        Order { seed: u64::from_le_bytes(seed), rows, pass: None }
    }

    /// The rows of step `step` (from 0) with `size` rows each. Empty where there are no rows.
    pub fn batch(&mut self, step: u64, size: usize) -> Vec<u32> {
        let n_rows = self.rows.len() as u64;
        if n_rows == 0 {
            return Vec::new();
        }
        let first = step * size as u64;
        (first..first + size as u64)
            .map(|place| self.pass(place / n_rows)[(place % n_rows) as usize])
            .collect()
    }

    fn pass(&mut self, number: u64) -> &[u32] {
        let (seed, rows) = (self.seed, &self.rows);
        let pass = self.pass.take().filter(|(known, _)| *known == number).unwrap_or_else(|| {
            let mut rows = rows.clone();
            Stream::from_seed(seed.wrapping_add(number)).shuffle(&mut rows);
            (number, rows)
        });
        &self.pass.insert(pass).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_sees_every_row_once_in_another_order() {
        let mut order = Order::new(1, "generation 1", (0..10).collect());
        let seen: Vec<u32> = (0..6).flat_map(|step| order.batch(step, 5)).collect();
        for pass in seen.chunks(10) {
            let mut pass = pass.to_vec();
            pass.sort_unstable();
            assert_eq!(pass, (0..10).collect::<Vec<_>>());
        }
        assert_ne!(seen[..10], seen[10..20]);
        let mut other = Order::new(1, "generation 2", (0..10).collect());
        assert_ne!(other.batch(0, 10), seen[..10]);
    }

    #[test]
    fn a_step_does_not_depend_on_the_steps_before_it() {
        let mut all = Order::new(1, "x", (0..7).collect());
        let whole: Vec<_> = (0..9).map(|step| all.batch(step, 4)).collect();
        let mut resumed = Order::new(1, "x", (0..7).collect());
        assert_eq!(resumed.batch(6, 4), whole[6]);
        // A batch may be larger than a pass.
        assert_eq!(Order::new(1, "x", vec![3]).batch(5, 4), [3; 4]);
        assert!(Order::new(1, "x", Vec::new()).batch(0, 4).is_empty());
    }
}
