//! Exact numbers, and the way between them and floating-point ones.

use num_bigint::{BigInt, Sign};
use num_rational::Ratio;
use num_traits::ToPrimitive;

/// A rational number without limit of size.
pub type Rational = Ratio<BigInt>;

/// Bits of a numerator or denominator that surely fit a finite `f64`.
const FINITE_BITS: u64 = 960;

/// A finite number as numerator · 2^−scale.
pub(crate) struct Dyadic {
    pub numerator: i64,
    pub scale: i32,
}

impl Dyadic {
    /// Exact; `None` for what is no finite number. The numerator is odd or 0.
    pub(crate) fn of(number: f64) -> Option<Dyadic> {
        if !number.is_finite() {
            return None;
        }
        let bits = number.to_bits();
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let biased = ((bits >> 52) & 0x7ff) as i32;
        let (magnitude, exponent) =
            if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
        if magnitude == 0 {
            return Some(Dyadic { numerator: 0, scale: 0 });
        }
        let zeros = magnitude.trailing_zeros();
        let odd = magnitude >> zeros;
        let numerator = if number.is_sign_negative() { -odd } else { odd };
        Some(Dyadic { numerator, scale: -(exponent + zeros as i32) })
    }

    pub(crate) fn rational(&self) -> Rational {
        let numerator = BigInt::from(self.numerator);
        if self.scale >= 0 {
            Ratio::new(numerator, BigInt::from(1) << self.scale)
        } else {
            Ratio::from_integer(numerator << -self.scale)
        }
    }
}

/// The least `f64` that is not below `exact`; infinite beyond the finite ones.
pub fn at_least(exact: &Rational) -> f64 {
    let is_enough = |guess: f64| Dyadic::of(guess).is_some_and(|guess| guess.rational() >= *exact);
    let mut guess = nearby(exact);
    while guess < f64::INFINITY && !is_enough(guess) {
        guess = guess.next_up();
    }
    while is_enough(guess.next_down()) {
        guess = guess.next_down();
    }
    guess
}

/// The greatest `f64` that is not above `exact`.
pub fn at_most(exact: &Rational) -> f64 {
    0.0 - at_least(&-exact)
}

/// A few roundings away from `exact`, for numbers of a game's size.
fn nearby(exact: &Rational) -> f64 {
    let longest = exact.numer().bits().max(exact.denom().bits());
    let dropped = longest.saturating_sub(FINITE_BITS);
    // Of the magnitude: a shift of a negative number rounds away from 0.
    let part = |whole: &BigInt| (whole.magnitude() >> dropped).to_f64().unwrap_or(0.0);
    let size = part(exact.numer()) / part(exact.denom());
    if exact.numer().sign() == Sign::Minus { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::{Dyadic, Rational, at_least, at_most};
    use num_bigint::BigInt;

    fn ratio(numerator: i64, denominator: i64) -> Rational {
        Rational::new(BigInt::from(numerator), BigInt::from(denominator))
    }

    #[test]
    fn floats_are_read_exactly() {
        let read = |number: f64| Dyadic::of(number).unwrap().rational();
        assert_eq!(read(-0.75), ratio(-3, 4));
        assert_eq!(read(96.0), ratio(96, 1));
        assert_eq!(read(0.0), ratio(0, 1));
        // The nearest double to 0.1.
        assert_eq!(read(0.1), ratio(3_602_879_701_896_397, 36_028_797_018_963_968));
        assert!(Dyadic::of(f64::NAN).is_none() && Dyadic::of(f64::INFINITY).is_none());
    }

    #[test]
    fn rounding_keeps_its_side() {
        // 1/18 lies between these two neighbours; 3/4 is a double.
        assert!(at_most(&ratio(1, 18)) < at_least(&ratio(1, 18)));
        assert_eq!(at_most(&ratio(1, 18)).next_up(), at_least(&ratio(1, 18)));
        assert_eq!(at_most(&ratio(-1, 18)), -at_least(&ratio(1, 18)));
        assert_eq!((at_most(&ratio(3, 4)), at_least(&ratio(3, 4))), (0.75, 0.75));
        assert_eq!(at_least(&ratio(0, 1)), 0.0);
        let tiny = Rational::new(BigInt::from(1), BigInt::from(10).pow(400));
        assert_eq!((at_most(&tiny), at_least(&tiny)), (0.0, f64::from_bits(1)));
    }
}
