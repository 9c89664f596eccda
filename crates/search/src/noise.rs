//! Dirichlet noise for a root's priors.

use game::Stream;

/// Mixes Dirichlet(total / n, …) noise into `priors` (which sum to 1): prior · (1 − share) + noise · share. Draws
/// nothing when the share is 0.
pub(crate) fn mix_noise(priors: &mut [f32], total: f64, share: f64, stream: &mut Stream) {
    if share == 0.0 {
        return;
    }
    let alpha = total / priors.len() as f64;
    let noise: Vec<f64> = priors.iter().map(|_| gamma(alpha, stream)).collect();
    let sum: f64 = noise.iter().sum();
    // Every draw can underflow to 0 when alpha is tiny: then there is no noise to mix.
    if sum <= 0.0 {
        return;
    }
    for (prior, draw) in priors.iter_mut().zip(noise) {
        *prior = (f64::from(*prior) * (1.0 - share) + draw / sum * share) as f32;
    }
}

/// A gamma(alpha, 1) number: Marsaglia and Tsang, "A simple method for generating gamma variables", 2000, with
/// their boost for alpha below 1.
fn gamma(alpha: f64, stream: &mut Stream) -> f64 {
    if alpha < 1.0 {
        let boost = (1.0 - stream.unit()).powf(1.0 / alpha);
        return gamma(alpha + 1.0, stream) * boost;
    }
    let d = alpha - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(stream);
        let v = (1.0 + c * x).powi(3);
        if v <= 0.0 {
            continue;
        }
        let u = 1.0 - stream.unit();
        if u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A standard normal number (Box and Muller, one of the pair).
fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * (1.0 - stream.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * stream.unit()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean alpha and variance alpha: six sigma of the sample mean, a tenth for the sample variance.
    #[test]
    fn gamma_has_its_moments() {
        for alpha in [0.3, 1.0, 4.5] {
            let mut stream = Stream::from_seed(5);
            let n = 40_000;
            let draws: Vec<f64> = (0..n).map(|_| gamma(alpha, &mut stream)).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(n);
            let variance = draws.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
            assert!((mean - alpha).abs() < 6.0 * (alpha / f64::from(n)).sqrt(), "{alpha}: {mean}");
            assert!((variance / alpha - 1.0).abs() < 0.1, "{alpha}: {variance}");
        }
    }

    #[test]
    fn noise_keeps_the_sum_and_its_share() {
        let mut stream = Stream::from_seed(6);
        let mut priors = [0.7f32, 0.2, 0.1, 0.0];
        mix_noise(&mut priors, 10.0, 0.25, &mut stream);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(priors[0] >= 0.7 * 0.75 && priors[3] > 0.0 && priors[3] <= 0.25, "{priors:?}");
    }

    #[test]
    fn no_share_draws_nothing() {
        let mut stream = Stream::from_seed(7);
        let mut priors = [0.5f32, 0.5];
        mix_noise(&mut priors, 10.0, 0.0, &mut stream);
        assert_eq!(priors, [0.5, 0.5]);
        assert_eq!(stream.next_u64(), Stream::from_seed(7).next_u64());
    }
}
