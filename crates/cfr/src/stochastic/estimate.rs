//! A mean of independent draws and how far it can be trusted.

/// A mean with its standard error, in the game's own unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub mean: f64,
    /// The standard deviation of the mean; infinite for fewer than two draws.
    pub standard_error: f64,
    /// The number of independent draws.
    pub n: u64,
}

impl Estimate {
    /// Of independent draws of one quantity.
    pub fn of(draws: &[f64]) -> Estimate {
        let n = draws.len() as f64;
        let mean = draws.iter().sum::<f64>() / n;
        let squares: f64 = draws.iter().map(|draw| (draw - mean).powi(2)).sum();
        let standard_error =
            if draws.len() < 2 { f64::INFINITY } else { (squares / (n - 1.0) / n).sqrt() };
        Estimate { mean, standard_error, n: draws.len() as u64 }
    }

    /// The interval that holds the true mean in 95 of 100 cases, for as many draws as make the mean normal.
    pub fn interval_95(&self) -> (f64, f64) {
        let half = 1.959964 * self.standard_error;
        (self.mean - half, self.mean + half)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_four_draws() {
        let estimate = Estimate::of(&[1.0, 2.0, 3.0, 6.0]);
        // Mean 3, squared differences 4 + 1 + 0 + 9 = 14, variance 14/3, of the mean 14/12.
        assert!((estimate.mean - 3.0).abs() < 1e-12);
        assert!((estimate.standard_error - (14.0f64 / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(Estimate::of(&[1.0]).standard_error, f64::INFINITY);
    }
}
