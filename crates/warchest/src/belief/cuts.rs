//! Which row of a table a random number falls to, exactly by weight.
//!
//! A random number of as many bits as the total of the weights has is drawn until it lies below the total; it falls
//! to the first row up to and including which the weights add up to more. Where one word tells, which is nearly
//! always, one word is looked at: the highest 64 bits of each sum are at hand, and a guide says where among them to
//! begin. Where it does not, the sums themselves are compared. No row is a bit more likely than its weight says.

use num_bigint::BigUint;
use std::cmp::Ordering;

/// Made from rows of words, least significant first; of those it keeps no copy.
#[derive(Clone, Debug)]
pub struct Cuts {
    /// Of the sum of all rows up to and including each, shifted so that the total's highest bit is a word's
    /// highest, the highest word. Rising.
    tops: Vec<u64>,
    /// By the highest bits of a number: the first row whose top is not below all numbers with these bits.
    guide: Vec<u32>,
    guide_bits: u32,
    /// How many words the total has.
    n_words: u64,
    /// By how many bits sums are shifted.
    shift: u32,
}

impl Cuts {
    /// `words` are rows of `width` words, with at least one weight that is not 0.
    pub fn new(words: &[u64], width: usize) -> Cuts {
        let n_rows = words.len() / width;
        let mut sum = vec![0; width + 1];
        words.chunks_exact(width).for_each(|row| add(&mut sum, row));
        let top_idx = sum.iter().rposition(|word| *word != 0).unwrap_or(0);
        let shift = sum[top_idx].leading_zeros() % 64;
        sum.fill(0);
        let mut tops = Vec::with_capacity(n_rows);
        for row in words.chunks_exact(width) {
            add(&mut sum, row);
            let below = if shift > 0 && top_idx > 0 { sum[top_idx - 1] >> (64 - shift) } else { 0 };
            tops.push(sum[top_idx] << shift | below);
        }
        let guide_bits = usize::BITS - n_rows.leading_zeros() + 1;
        let guide = guide(&tops, guide_bits);
        Cuts { tops, guide, guide_bits, n_words: top_idx as u64 + 1, shift }
    }

    /// The row that a random number falls to, given by its words, the most significant first: as many as are
    /// needed are asked for. `words` and `width` are those it was made from.
    #[inline]
    pub fn row_of(&self, words: &[u64], width: usize, random: impl Fn(u64) -> u64) -> usize {
        let mut first_word = 0;
        loop {
            let top = random(first_word);
            let mut row = self.guide[(top >> (64 - self.guide_bits)) as usize] as usize;
            while self.tops.get(row).is_some_and(|sum| *sum < top) {
                row += 1;
            }
            while self.tops.get(row) == Some(&top)
                && !self.is_below(words, width, row, |idx| random(first_word + idx))
            {
                row += 1;
            }
            if row < self.tops.len() {
                return row;
            }
            first_word += self.n_words;
        }
    }

    /// Whether the number lies below the sum up to and including `row`, whose highest word it shares.
    #[cold]
    fn is_below(
        &self,
        words: &[u64],
        width: usize,
        row: usize,
        random: impl Fn(u64) -> u64,
    ) -> bool {
        let rows = words.chunks_exact(width).take(row + 1);
        let sum = rows.fold(BigUint::ZERO, |sum, row| sum + big(row.iter().copied())) << self.shift;
        let number = big((0..self.n_words).rev().map(random));
        number.cmp(&sum) == Ordering::Less
    }
}

/// A number from its words, least significant first.
fn big(words: impl Iterator<Item = u64>) -> BigUint {
    let bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
    BigUint::from_bytes_le(&bytes)
}

fn guide(tops: &[u64], bits: u32) -> Vec<u32> {
    let mut guide = Vec::with_capacity(1 << bits);
    let mut row = 0;
    for least in 0..1u64 << bits {
        let least = least << (64 - bits);
        while tops.get(row).is_some_and(|top| *top < least) {
            row += 1;
        }
        guide.push(row as u32);
    }
    guide
}

/// Adds a row to a sum that has room for it.
#[inline]
fn add(sum: &mut [u64], row: &[u64]) {
    let mut carry = false;
    let (low, high) = sum.split_at_mut(row.len());
    for (to, word) in low.iter_mut().zip(row) {
        let (part, is_over) = to.overflowing_add(*word);
        let (part, is_over_too) = part.overflowing_add(u64::from(carry));
        *to = part;
        carry = is_over | is_over_too;
    }
    for to in high {
        let is_over;
        (*to, is_over) = to.overflowing_add(u64::from(carry));
        carry = is_over;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    /// Of all numbers of as many bits as the total has, each row gets as many as its weight says.
    #[test]
    fn each_row_gets_as_many_numbers_as_its_weight() {
        for weights in [vec![1u64], vec![5, 0, 20, 1, 74], vec![0, 0, 3], vec![64], vec![7; 300]] {
            let cuts = Cuts::new(&weights, 1);
            let total: u64 = weights.iter().sum();
            let n_bits = u64::BITS - total.leading_zeros();
            let mut counts = vec![0; weights.len()];
            let mut n_rejected = 0;
            for number in 0..1u64 << n_bits {
                for low in [0, u64::MAX >> n_bits] {
                    let word = number.checked_shl(64 - n_bits).unwrap_or(0) | low;
                    let n_asked = Cell::new(0);
                    // A number that is rejected is followed by 0, which is not.
                    let row = cuts.row_of(&weights, 1, |idx| {
                        n_asked.set(n_asked.get().max(idx + 1));
                        if idx == 0 { word } else { 0 }
                    });
                    let is_rejected = n_asked.get() > 1;
                    n_rejected += u64::from(is_rejected);
                    counts[row] += u64::from(!is_rejected);
                }
            }
            let twice: Vec<u64> = weights.iter().map(|weight| 2 * weight).collect();
            assert_eq!(counts, twice);
            assert_eq!(n_rejected, 2 * ((1 << n_bits) - total));
        }
    }

    /// Numbers right beside the sums, of several words: the row is the one that comparing big integers finds.
    #[test]
    fn numbers_that_share_a_word_with_a_sum_fall_where_they_belong() {
        let rows: [[u64; 3]; 6] = [
            [u64::MAX, 7, 0],
            [1, 0, 0],
            [0, 0, 0],
            [5, u64::MAX, 3],
            [u64::MAX, u64::MAX, 9],
            [9, 9, 1],
        ];
        let words = rows.concat();
        let cuts = Cuts::new(&words, 3);
        let sums: Vec<BigUint> = (1..=rows.len())
            .map(|n| rows[..n].iter().map(|row| big(row.iter().copied())).sum::<BigUint>())
            .collect();
        let one = BigUint::from(1u32);
        let mut n_shared = 0;
        for sum in sums.iter().map(|sum| sum << cuts.shift) {
            for number in [&sum - &one, sum.clone(), &sum + &one, (&sum >> 64u32) << 64u32] {
                let mut digits = number.to_u64_digits();
                digits.resize(3, 0);
                let expected = sums.iter().position(|sum| number < sum << cuts.shift);
                let row = cuts.row_of(&words, 3, |idx| match idx {
                    0..3 => digits[2 - idx as usize],
                    _ => 0,
                });
                assert_eq!(row, expected.unwrap_or(0), "{number}");
                n_shared += usize::from(cuts.tops.contains(&digits[2]));
            }
        }
        assert!(n_shared > 12, "{n_shared}");
    }
}
