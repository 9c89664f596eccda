//! What the opponent may hide, configuration by configuration, each described by numbers that a classifier can use.

use super::columns::Columns;
use super::foresight::{Foresight, N_FORESEEN};
use crate::replay::Replay;
use game::{
    Belief, Contradiction, Encode, Evaluator, GameId, Observation, PipelineGame, Seat, Stream,
};
use record::TrainingRow;

/// One training row and everything its seat could hold possible.
#[derive(Clone, Debug)]
pub struct ProbeRow {
    pub game: GameId,
    /// See [`Columns`]; the first is the constant 1.
    pub columns: Vec<f32>,
    pub candidates: Candidates,
}

/// The configurations under the exact posterior; at least two.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// Natural logarithm of each one's posterior.
    pub log_posterior: Vec<f64>,
    /// The same number of traits for each, one after the other; the mean of each under the posterior is 0.
    traits: Vec<f32>,
    n_traits: usize,
    /// Which is the true one.
    pub truth: usize,
    /// One drawn from the posterior.
    pub drawn: usize,
}

impl Candidates {
    pub fn len(&self) -> usize {
        self.log_posterior.len()
    }

    pub fn is_empty(&self) -> bool {
        self.log_posterior.is_empty()
    }

    pub fn n_traits(&self) -> usize {
        self.n_traits
    }

    pub fn traits_of(&self, idx: usize) -> &[f32] {
        &self.traits[idx * self.n_traits..][..self.n_traits]
    }

    /// Of one trait, under the posterior.
    pub(super) fn mean(&self, trait_idx: usize) -> f64 {
        let value = |idx| f64::from(self.traits_of(idx)[trait_idx]);
        (0..self.len()).map(|idx| self.log_posterior[idx].exp() * value(idx)).sum()
    }

    fn variance(&self, trait_idx: usize) -> f64 {
        let mean = self.mean(trait_idx);
        let value = |idx| (f64::from(self.traits_of(idx)[trait_idx]) - mean).powi(2);
        (0..self.len()).map(|idx| self.log_posterior[idx].exp() * value(idx)).sum()
    }
}

/// How far each trait varies within a row, as a standard deviation.
pub(super) fn spreads(rows: &[ProbeRow]) -> Vec<f64> {
    let n_traits = rows.first().map_or(0, |row| row.candidates.n_traits);
    let variance = |idx: usize| rows.iter().map(|row| row.candidates.variance(idx)).sum::<f64>();
    (0..n_traits).map(|idx| (variance(idx) / rows.len() as f64).sqrt()).collect()
}

/// The number of what the opponent knows of itself that varies most within a row, on average.
pub(super) fn most_varying(rows: &[ProbeRow]) -> usize {
    let spreads = spreads(rows);
    (0..spreads.len().saturating_sub(N_FORESEEN))
        .max_by(|a, b| spreads[*a].total_cmp(&spreads[*b]))
        .unwrap_or(0)
}

/// The rows of one game, `rows` with their places in the shard, that leave something to guess. `evaluator` is the
/// network that their search used, so that the probe knows what such a search would see. The opponent must have
/// played by the model that `belief` assumes, which is one without a network.
pub fn probe_rows<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    evaluator: &mut impl Evaluator<G>,
    rows: &[(usize, &TrainingRow)],
    replay: &Replay<G>,
    stream: &mut Stream,
) -> Result<Vec<ProbeRow>, Contradiction> {
    let Some((_, first)) = rows.first() else { return Ok(Vec::new()) };
    let seat = Seat::new(first.seat);
    let mut observation = Observation::begin(seat, rules.now(&replay.states[0], seat));
    let mut posterior = belief.prior(rules, &observation);
    let mut found = Vec::new();
    let mut left = rows.iter().peekable();
    for (ply, &action) in replay.plies.iter().enumerate() {
        if let Some((place, row)) = left.next_if(|(_, row)| usize::from(row.ply) == ply) {
            belief.catch_up(rules, &mut posterior, &observation)?;
            assert!(belief.questions(&posterior).is_empty(), "{} asks a network", belief.name());
            let state = replay.before(ply);
            let worlds = belief.all_worlds(rules, &posterior, &observation);
            let truth = worlds.iter().position(|(world, _)| world.state() == state);
            if let (Some(truth), true) = (truth, worlds.len() > 1) {
                let mut columns = Columns { rules }.of(row, *place);
                let mut foresight = Foresight::new(rules, evaluator, row, seat, state);
                let (candidates, expected) =
                    candidates((rules, seat), &mut foresight, &worlds, truth, stream);
                columns.push(row.root_value - expected as f32);
                found.push(ProbeRow { game: row.game, columns, candidates });
            }
        }
        let event = rules.event(&replay.states[ply], action, seat);
        observation.extend(event, rules.now(&replay.states[ply + 1], seat));
    }
    Ok(found)
}

fn candidates<G: PipelineGame>(
    (rules, seat): (&G, Seat),
    foresight: &mut Foresight<'_, G, impl Evaluator<G>>,
    worlds: &[(game::World<G>, f64)],
    truth: usize,
    stream: &mut Stream,
) -> (Candidates, f64) {
    let mut traits: Vec<Vec<f32>> =
        worlds.iter().map(|(world, _)| own_numbers(rules, seat, world.state())).collect();
    for (traits, (world, _)) in traits.iter_mut().zip(worlds) {
        traits.extend(foresight.replies(world.state()));
    }
    let values = foresight.values(worlds.iter().map(|(world, _)| world.state()));
    for (traits, value) in traits.iter_mut().zip(values) {
        traits.push(value);
    }
    let log_posterior: Vec<f64> = worlds.iter().map(|(_, log)| *log).collect();
    let means = centre(&mut traits, &log_posterior);
    let mut left = stream.unit();
    let drawn = log_posterior.iter().position(|log| {
        left -= log.exp();
        left < 0.0
    });
    let candidates = Candidates {
        drawn: drawn.unwrap_or(log_posterior.len() - 1),
        n_traits: traits[0].len(),
        traits: traits.concat(),
        log_posterior,
        truth,
    };
    (candidates, means.last().copied().unwrap_or(0.0))
}

/// Takes each trait's mean under the posterior out of it: only what sets configurations apart is left. Gives the
/// means.
fn centre(traits: &mut [Vec<f32>], log_posterior: &[f64]) -> Vec<f64> {
    let n_traits = traits.first().map_or(0, Vec::len);
    let mut means = Vec::with_capacity(n_traits);
    for idx in 0..n_traits {
        let parts = traits.iter().zip(log_posterior);
        let mean: f64 = parts.map(|(it, log)| log.exp() * f64::from(it[idx])).sum();
        traits.iter_mut().for_each(|it| it[idx] -= mean as f32);
        means.push(mean);
    }
    means
}

/// What the opponent knows of itself in this state.
fn own_numbers<G: PipelineGame>(rules: &G, seat: Seat, state: &G::State) -> Vec<f32> {
    let layout = Encode::feature_layout(rules);
    let mut features = vec![0.0; layout.row_len()];
    rules.write_features(&rules.now(state, seat.other()), &mut features);
    features.split_off(layout.spatial_len())
}
