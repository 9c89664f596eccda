//! From merged visits to one action.

use game::Stream;

/// Index of the chosen action. Temperature 0 takes the most visits, the first of several (actions are in order
/// of their index) and draws nothing; otherwise one number is drawn and an action taken with probability
/// proportional to visits^(1 / temperature).
pub(crate) fn choose(visits: &[u32], temperature: f64, stream: &mut Stream) -> usize {
    let most = visits.iter().copied().max().expect("a decision has a legal action");
    let first = visits.iter().position(|&n| n == most).unwrap_or(0);
    if temperature == 0.0 {
        return first;
    }
    // Divided by the most visits first, so that no power overflows.
    let weight = |n: u32| (f64::from(n) / f64::from(most.max(1))).powf(1.0 / temperature);
    let total: f64 = visits.iter().map(|&n| weight(n)).sum();
    let mut left = stream.unit() * total;
    for (idx, &n) in visits.iter().enumerate() {
        left -= weight(n);
        if left < 0.0 {
            return idx;
        }
    }
    // Rounding can leave a remainder of the last bit.
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temperature_zero_takes_the_first_of_the_most_visited() {
        let mut stream = Stream::from_seed(1);
        assert_eq!(choose(&[3, 9, 9, 1], 0.0, &mut stream), 1);
        assert_eq!(stream.next_u64(), Stream::from_seed(1).next_u64(), "nothing was drawn");
    }

    #[test]
    fn temperature_one_is_proportional_and_lower_is_sharper() {
        let share = |temperature: f64| {
            let mut stream = Stream::from_seed(2);
            let n = 20_000;
            let taken = (0..n).filter(|_| choose(&[1, 3, 0], temperature, &mut stream) == 1);
            taken.count() as f64 / f64::from(n)
        };
        // Binomial with n = 20,000: sigma below 0.0031. Five sigma.
        assert!((share(1.0) - 0.75).abs() < 0.016, "{}", share(1.0));
        assert!((share(0.5) - 0.9).abs() < 0.016, "{}", share(0.5));
    }

    #[test]
    fn an_action_without_visits_is_never_taken() {
        let mut stream = Stream::from_seed(3);
        for _ in 0..2000 {
            assert_ne!(choose(&[5, 0, 5], 2.0, &mut stream), 1);
        }
    }
}
