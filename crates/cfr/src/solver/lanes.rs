//! Arithmetic on all lanes at once: each function becomes a few vector instructions.

use std::array::from_fn;

/// One number a lane. Aligned so that a row is whole vector registers.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(32))]
pub(super) struct Lanes<const L: usize>(pub [f64; L]);

impl<const L: usize> Lanes<L> {
    pub const ZERO: Lanes<L> = Lanes([0.0; L]);

    #[inline(always)]
    pub fn all(value: f64) -> Self {
        Lanes([value; L])
    }

    #[inline(always)]
    pub fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Lanes(from_fn(|lane| of(self.0[lane])))
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Lanes(from_fn(|lane| self.0[lane] + other.0[lane]))
    }

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Lanes(from_fn(|lane| self.0[lane] - other.0[lane]))
    }

    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Lanes(from_fn(|lane| self.0[lane] * other.0[lane]))
    }

    /// self · factor + addend.
    #[inline(always)]
    pub fn times_plus(self, factor: Self, addend: Self) -> Self {
        Lanes(from_fn(|lane| fma(self.0[lane], factor.0[lane], addend.0[lane])))
    }

    #[inline(always)]
    pub fn positive_part(self) -> Self {
        self.map(|value| if value > 0.0 { value } else { 0.0 })
    }
}

/// a · b + c, fused where the processor the program was built for can.
#[inline(always)]
fn fma(a: f64, b: f64, c: f64) -> f64 {
    if cfg!(target_feature = "fma") { a.mul_add(b, c) } else { a * b + c }
}
