//! Exact integer weights of any size, as many words each as the largest needs.
//!
//! A filter only ever scales, adds and compares them, thousands at a time, and under `exact-uniform` a weight
//! outgrows 128 bits within a few rounds: rows of one width in one piece of memory cost no allocation apiece.
//! No operation rounds and none can overflow: room is made before anything is written.

use super::cuts::Cuts;
use super::weights::{Weights, seed_word};
use num_bigint::BigUint;
use num_integer::Integer;
use std::sync::OnceLock;

/// One row a weight, least significant word first.
#[derive(Clone, Debug)]
pub struct Integers {
    /// Words in a row; at least 1.
    width: usize,
    words: Vec<u64>,
    /// The width at which common factors were last taken out.
    reduced_width: usize,
    /// Made when a row is first drawn.
    cuts: OnceLock<Cuts>,
}

impl Integers {
    pub fn n_rows(&self) -> usize {
        self.words.len() / self.width
    }

    #[inline]
    fn row(&self, idx: usize) -> &[u64] {
        &self.words[idx * self.width..][..self.width]
    }

    /// The weights divided by their common factor.
    pub fn reduced(&self) -> Vec<BigUint> {
        let big = |row: usize| {
            let bytes: Vec<u8> = self.row(row).iter().flat_map(|word| word.to_le_bytes()).collect();
            BigUint::from_bytes_le(&bytes)
        };
        let mut all: Vec<BigUint> = (0..self.n_rows()).map(big).collect();
        let common = all.iter().fold(BigUint::ZERO, |common, weight| common.gcd(weight));
        all.iter_mut().for_each(|weight| *weight /= &common);
        all
    }

    /// How many bits the largest row has.
    fn bits(&self) -> usize {
        for place in (0..self.width).rev() {
            let any = self.words.iter().skip(place).step_by(self.width).fold(0, |any, w| any | w);
            if any != 0 {
                return 64 * place + (64 - any.leading_zeros() as usize);
            }
        }
        0
    }

    /// Drops words that are 0 in every row.
    fn narrow(&mut self) {
        let width = self.bits().div_ceil(64).max(1);
        if width == self.width {
            return;
        }
        for row in 0..self.n_rows() {
            self.words.copy_within(row * self.width..row * self.width + width, row * width);
        }
        self.words.truncate(self.n_rows() * width);
        self.width = width;
    }

    /// Divides by common factors made of small primes, which is nearly all that a filter lets arise.
    fn take_out_small_factors(&mut self) {
        loop {
            let mut common = SMALL_FACTORS;
            for row in 0..self.n_rows() {
                common = common.gcd(&remainder(self.row(row), SMALL_FACTORS));
                if common == 1 {
                    return;
                }
            }
            for row in self.words.chunks_exact_mut(self.width) {
                divide(row, common);
            }
            self.narrow();
        }
    }
}

const SMALL_FACTORS: u64 = 64 * 243 * 125 * 49 * 11 * 13 * 17 * 19 * 23 * 29 * 31 * 37;

impl Weights for Integers {
    fn new(weights: impl Iterator<Item = u128>) -> Integers {
        let words = weights.flat_map(|weight| [weight as u64, (weight >> 64) as u64]).collect();
        let mut all = Integers { width: 2, words, reduced_width: 1, cuts: OnceLock::new() };
        all.finish();
        all
    }

    fn clear_for(&mut self, from: &Integers, growth: u128) {
        let growth_bits = 128 - growth.leading_zeros() as usize;
        self.words.clear();
        self.cuts.take();
        self.width = (from.bits() + growth_bits).div_ceil(64).max(1);
        self.reduced_width = from.reduced_width;
    }

    #[inline]
    fn push_zero(&mut self) {
        self.words.resize(self.words.len() + self.width, 0);
    }

    #[inline]
    fn add_scaled(&mut self, from: &Integers, row: usize, factor: u128) {
        let start = self.words.len() - self.width;
        let to = &mut self.words[start..];
        let row = from.row(row);
        let (low, high) = (factor as u64, (factor >> 64) as u64);
        let carry = multiply_add(to, row, low);
        debug_assert_eq!(carry, 0, "room was made before");
        if high != 0 {
            let carry = multiply_add(&mut to[1..], row, high);
            debug_assert_eq!(carry, 0, "room was made before");
        }
    }

    fn finish(&mut self) {
        if self.n_rows() == 1 {
            self.width = 1;
            self.words.clear();
            self.words.push(1);
            self.reduced_width = 1;
            return;
        }
        self.narrow();
        if self.width > self.reduced_width {
            self.take_out_small_factors();
        }
        self.reduced_width = self.width;
    }

    fn seal(&mut self) {}

    #[inline]
    fn pick(&self, n_rows: usize, seed: u64) -> usize {
        assert!(n_rows > 0 && self.n_rows() == n_rows, "a posterior that has caught up");
        let cuts = self.cuts.get_or_init(|| Cuts::new(&self.words, self.width));
        cuts.row_of(&self.words, self.width, |idx| seed_word(seed, idx))
    }

    fn log_shares(&self, n_rows: usize) -> Vec<f64> {
        let logs: Vec<f64> = (0..n_rows).map(|row| ln(self.row(row))).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
        logs.iter().map(|log| log - most - sum.ln()).collect()
    }
}

/// The natural logarithm of a number in words; minus infinity of 0.
fn ln(words: &[u64]) -> f64 {
    let Some(top) = words.iter().rposition(|word| *word != 0) else { return f64::NEG_INFINITY };
    let below = if top == 0 { 0.0 } else { words[top - 1] as f64 / 2f64.powi(64) };
    (words[top] as f64 + below).ln() + top as f64 * 64.0 * std::f64::consts::LN_2
}

/// Adds `factor` times `row` to `to`, which is at least as long; returns what does not fit.
#[inline]
fn multiply_add(to: &mut [u64], row: &[u64], factor: u64) -> u64 {
    let mut carry = 0;
    let (low, high) = to.split_at_mut(row.len().min(to.len()));
    for (to, word) in low.iter_mut().zip(row) {
        let sum = u128::from(*word) * u128::from(factor) + u128::from(*to) + u128::from(carry);
        *to = sum as u64;
        carry = (sum >> 64) as u64;
    }
    for to in high {
        if carry == 0 {
            return 0;
        }
        let (sum, is_over) = to.overflowing_add(carry);
        *to = sum;
        carry = u64::from(is_over);
    }
    carry + row.get(to.len()..).map_or(0, |beyond| beyond.iter().fold(0, |any, word| any | word))
}

fn remainder(row: &[u64], divisor: u64) -> u64 {
    row.iter().rev().fold(0, |rest, word| {
        ((u128::from(rest) << 64 | u128::from(*word)) % u128::from(divisor)) as u64
    })
}

/// Divides by what divides it.
fn divide(row: &mut [u64], divisor: u64) {
    let mut rest = 0;
    for word in row.iter_mut().rev() {
        let part = u128::from(rest) << 64 | u128::from(*word);
        *word = (part / u128::from(divisor)) as u64;
        rest = (part % u128::from(divisor)) as u64;
    }
    debug_assert_eq!(rest, 0, "{divisor} is a factor");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against `num-bigint`, with factors that cross every word's edge.
    #[test]
    fn scaled_sums_are_those_of_big_integers() {
        let start: [u128; 4] = [1, u128::from(u64::MAX), u128::MAX, 6_000_000_007 << 60];
        let mut words = 0..;
        let mut rows = Integers::new(start.into_iter());
        let mut big: Vec<BigUint> = start.map(BigUint::from).to_vec();
        for round in 0..40 {
            let factors: Vec<u128> = (0..4)
                .map(|_| {
                    let word = seed_word(7, words.next().unwrap());
                    u128::from(word) << (word % 65) >> (word % 50)
                })
                .collect();
            let mut next = Integers::new(std::iter::empty());
            next.clear_for(&rows, 2 * factors.iter().max().unwrap());
            for idx in 0..4 {
                next.push_zero();
                next.add_scaled(&rows, idx, factors[idx]);
                next.add_scaled(&rows, (idx + 1) % 4, factors[(idx + 1) % 4]);
            }
            next.finish();
            let scaled: Vec<BigUint> = big.iter().zip(&factors).map(|(b, f)| b * *f).collect();
            big = (0..4).map(|idx| &scaled[idx] + &scaled[(idx + 1) % 4]).collect();
            let common = big.iter().fold(BigUint::ZERO, |common, weight| common.gcd(weight));
            let reduced: Vec<BigUint> = big.iter().map(|weight| weight / &common).collect();
            assert_eq!(next.reduced(), reduced, "round {round}");
            rows = next;
        }
        assert!(rows.width > 40, "{}", rows.width);
    }

    #[test]
    fn rows_come_up_by_their_weight() {
        for scale in [1, u128::from(u64::MAX) * 3] {
            let weights = [5, 0, 20, 1, 74].map(|weight| weight * scale);
            let rows = Integers::new(weights.into_iter());
            let mut counts = [0u32; 5];
            (0..100_000).for_each(|seed| counts[rows.pick(5, seed)] += 1);
            // Binomial with at most sigma 139: six sigma.
            for (count, share) in counts.into_iter().zip([5, 0, 20, 1, 74]) {
                assert!(count.abs_diff(share * 1000) < 840, "{counts:?}");
            }
            assert_eq!(counts[1], 0);
        }
    }

    #[test]
    fn a_common_factor_is_taken_out() {
        let rows = Integers::new([37 << 100, 37 << 101].into_iter());
        assert_eq!((rows.width, rows.words.as_slice()), (1, [1, 2].as_slice()));
    }
}
