//! Several worlds, one decision: simulations split evenly, root visits summed.

use crate::WorldReport;

/// `total` in `parts` parts that differ by at most one, the larger first: 301 in 3 is 101, 100, 100.
pub fn even_split(total: u32, parts: u32) -> impl Iterator<Item = u32> {
    let (each, rest) = (total / parts, total % parts);
    (0..parts).map(move |part| each + u32::from(part < rest))
}

/// The sum of the worlds' roots.
#[derive(Clone, PartialEq, Debug)]
pub struct MergedVisits {
    /// Visits by action.
    pub visits: Vec<u32>,
    /// Visit-weighted mean value, from the deciding seat's view.
    pub value: f32,
}

/// Adds up root visits action by action. Values are never voted on: they only enter the mean value of the root.
pub fn merge_visits(n_actions: usize, worlds: &[WorldReport]) -> MergedVisits {
    let mut visits = vec![0u32; n_actions];
    let mut value_sum = 0.0f64;
    for world in worlds {
        assert_eq!(world.n.len(), n_actions, "every world's root has the same actions");
        for (action_idx, (&n, &q)) in world.n.iter().zip(&world.q).enumerate() {
            visits[action_idx] += n;
            value_sum += f64::from(n) * f64::from(q);
        }
    }
    let total: u32 = visits.iter().sum();
    let value = if total == 0 { 0.0 } else { (value_sum / f64::from(total)) as f32 };
    MergedVisits { visits, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(world_idx: u32, n: [u32; 2], q: [f32; 2]) -> WorldReport {
        WorldReport { world_idx, simulations: n[0] + n[1], n: n.to_vec(), q: q.to_vec() }
    }

    /// The three worlds of the fixture `three_worlds`: visits are summed, whatever the values say.
    #[test]
    fn visits_are_summed_action_by_action() {
        let worlds = [
            world(0, [20, 80], [0.9, -0.9]),
            world(1, [55, 45], [0.9, -0.9]),
            world(2, [70, 30], [0.9, -0.9]),
        ];
        let merged = merge_visits(2, &worlds);
        assert_eq!(merged.visits, [20 + 55 + 70, 80 + 45 + 30]);
        assert_eq!(merged.visits, [145, 155]);
        // (145 · 0.9 − 155 · 0.9) / 300
        assert!((merged.value - -0.03).abs() < 1e-6, "{}", merged.value);
    }

    #[test]
    fn simulations_are_split_evenly() {
        assert_eq!(even_split(301, 3).collect::<Vec<_>>(), [101, 100, 100]);
        assert_eq!(even_split(64, 2).collect::<Vec<_>>(), [32, 32]);
        assert_eq!(even_split(5, 4).collect::<Vec<_>>(), [2, 1, 1, 1]);
        for total in 1..200 {
            for parts in 1..=total {
                let split: Vec<u32> = even_split(total, parts).collect();
                assert_eq!(split.iter().sum::<u32>(), total);
                assert!(split.is_sorted_by(|a, b| a >= b) && split[0] - split[split.len() - 1] < 2);
            }
        }
    }
}
