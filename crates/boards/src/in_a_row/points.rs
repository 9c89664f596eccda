//! Sets of points of a board of up to 19 × 19.

pub const POINTS_MAX: usize = 361;
const WORDS: usize = POINTS_MAX.div_ceil(64);

/// A set of points by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Points([u64; WORDS]);

impl Points {
    #[inline]
    pub fn contains(&self, point: usize) -> bool {
        self.0[point / 64] >> (point % 64) & 1 == 1
    }

    #[inline]
    pub fn toggle(&mut self, point: usize) {
        self.0[point / 64] ^= 1 << (point % 64);
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn union(&self, other: &Points) -> Points {
        Points(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub fn overlaps(&self, other: &Points) -> bool {
        self.0.iter().zip(other.0).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// The points from `first` to `n_points` that are not in the set, ascending.
    #[inline]
    pub fn absent(self, first: usize, n_points: usize) -> impl Iterator<Item = usize> {
        (first / 64..n_points.div_ceil(64)).flat_map(move |word| {
            let mut left = !self.0[word];
            if word == first / 64 {
                left &= !0 << (first % 64);
            }
            if word == n_points / 64 {
                left &= (1 << (n_points % 64)) - 1;
            }
            std::iter::from_fn(move || {
                (left != 0).then(|| {
                    let bit = left.trailing_zeros() as usize;
                    left &= left - 1;
                    word * 64 + bit
                })
            })
        })
    }

    /// How many points from `first` to `n_points` are not in the set.
    #[inline]
    pub fn n_absent(&self, first: usize, n_points: usize) -> usize {
        let mut n_present = 0;
        for word in first / 64..WORDS {
            let mut present = self.0[word];
            if word == first / 64 {
                present &= !0 << (first % 64);
            }
            n_present += present.count_ones() as usize;
        }
        n_points - first - n_present
    }
}

#[cfg(test)]
mod tests {
    use super::Points;

    #[test]
    fn absent_points_are_listed_as_they_are_counted() {
        let mut points = Points::default();
        let members = [0, 3, 63, 64, 100, 127, 128, 300, 360];
        members.iter().for_each(|point| points.toggle(*point));
        for n_points in [361, 101, 128, 64] {
            let inside = members.iter().filter(|point| **point < n_points).count();
            let mut here = Points::default();
            members.iter().filter(|point| **point < n_points).for_each(|p| here.toggle(*p));
            for first in [0, 1, 63] {
                let listed: Vec<usize> = here.absent(first, n_points).collect();
                let expected: Vec<usize> =
                    (first..n_points).filter(|point| !members.contains(point)).collect();
                assert_eq!(listed, expected, "{first}..{n_points}");
                assert_eq!(here.n_absent(first, n_points), expected.len());
            }
            assert_eq!(here.len(), inside);
        }
    }
}
