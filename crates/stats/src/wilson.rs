//! Wilson's interval for a proportion.

/// The 97.5 % quantile of the standard normal distribution: two-sided 95 %.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Wilson's score interval for a mean in [0, 1] of `n` (effective) observations. Wilson, "Probable inference, the
/// law of succession, and statistical inference", 1927. Never empty, never outside [0, 1], and of positive width
/// even when every observation was the same; without observations it is everything.
pub fn wilson(mean: f64, n: f64, z: f64) -> (f64, f64) {
    if n <= 0.0 {
        return (0.0, 1.0);
    }
    let z2 = z * z;
    let centre = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).sqrt();
    ((centre - half).max(0.0), (centre + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3.
    #[test]
    fn agrees_with_published_intervals() {
        for (hits, n, low, high) in
            [(81.0, 263.0, 0.2553, 0.3662), (15.0, 148.0, 0.0624, 0.1605), (0.0, 20.0, 0.0, 0.1611)]
        {
            let (got_low, got_high) = wilson(hits / n, n, Z_95);
            assert!((got_low - low).abs() < 5e-5, "{hits}/{n}: {got_low}");
            assert!((got_high - high).abs() < 5e-5, "{hits}/{n}: {got_high}");
        }
    }
}
