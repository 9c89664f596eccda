//! What a beginner would try first, as a bias on priors. Generation 0 needs it: with equal priors almost no game
//! ends, and a network learns nothing from games without a result.

use game::Appeal;

/// The factor an action's prior is multiplied by before the priors are brought back to a sum of 1:
/// exp(strength · rank). Values are never touched.
pub(crate) fn prior_factor(appeal: Appeal, strength: f64) -> f32 {
    let rank = match appeal {
        Appeal::Plain => 0.0,
        Appeal::Advance(_) => 1.0,
        Appeal::Attack => 2.0,
        Appeal::Control => 3.0,
    };
    (strength * rank).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_appealing_the_larger() {
        let ranked = [Appeal::Plain, Appeal::Advance(1), Appeal::Attack, Appeal::Control];
        let factors = ranked.map(|appeal| prior_factor(appeal, 0.7));
        assert!(factors.is_sorted_by(|a, b| a < b), "{factors:?}");
        assert!(ranked.iter().all(|&appeal| prior_factor(appeal, 0.0) == 1.0));
    }
}
