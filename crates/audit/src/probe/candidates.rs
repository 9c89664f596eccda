//! What the opponent may hide, configuration by configuration, each described by numbers that a classifier can use.

use super::columns::Columns;
use crate::replay::Replay;
use game::{
    Appeal, Belief, Contradiction, Encode, GameId, Observation, PipelineGame, Seat, Stream, Turn,
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

/// The trait that varies most within a row, on average.
pub(super) fn most_varying(rows: &[ProbeRow]) -> usize {
    let n_traits = rows.first().map_or(0, |row| row.candidates.n_traits);
    let variance = |idx: usize| rows.iter().map(|row| row.candidates.variance(idx)).sum::<f64>();
    let all: Vec<f64> = (0..n_traits).map(variance).collect();
    (0..n_traits).max_by(|a, b| all[*a].total_cmp(&all[*b])).unwrap_or(0)
}

/// How many of the most visited actions the opponent's replies are looked at for.
const N_REPLIED: usize = 5;

/// The rows of one game, `rows` with their places in the shard, that leave something to guess. The opponent must have
/// played by the model that `belief` assumes, which is one without a network.
pub fn probe_rows<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
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
                let columns = Columns { rules }.of(row, *place);
                let candidates = candidates(rules, row, seat, &worlds, truth, stream);
                found.push(ProbeRow { game: row.game, columns, candidates });
            }
        }
        let event = rules.event(&replay.states[ply], action, seat);
        observation.extend(event, rules.now(&replay.states[ply + 1], seat));
    }
    Ok(found)
}

fn candidates<G: PipelineGame>(
    rules: &G,
    row: &TrainingRow,
    seat: Seat,
    worlds: &[(game::World<G>, f64)],
    truth: usize,
    stream: &mut Stream,
) -> Candidates {
    let mut traits: Vec<Vec<f32>> =
        worlds.iter().map(|(world, _)| traits(rules, row, seat, world.state())).collect();
    let log_posterior: Vec<f64> = worlds.iter().map(|(_, log)| *log).collect();
    centre(&mut traits, &log_posterior);
    let mut left = stream.unit();
    let drawn = log_posterior.iter().position(|log| {
        left -= log.exp();
        left < 0.0
    });
    Candidates {
        drawn: drawn.unwrap_or(log_posterior.len() - 1),
        n_traits: traits[0].len(),
        traits: traits.concat(),
        log_posterior,
        truth,
    }
}

/// Takes each trait's mean under the posterior out of it: only what sets configurations apart is left.
fn centre(traits: &mut [Vec<f32>], log_posterior: &[f64]) {
    for idx in 0..traits[0].len() {
        let means =
            traits.iter().zip(log_posterior).map(|(it, log)| log.exp() * f64::from(it[idx]));
        let mean = means.sum::<f64>() as f32;
        traits.iter_mut().for_each(|it| it[idx] -= mean);
    }
}

/// What the opponent knows of itself in this state, and what it could do about the most visited actions.
fn traits<G: PipelineGame>(rules: &G, row: &TrainingRow, seat: Seat, state: &G::State) -> Vec<f32> {
    let opponent = seat.other();
    let layout = Encode::feature_layout(rules);
    let mut features = vec![0.0; layout.row_len()];
    rules.write_features(&rules.now(state, opponent), &mut features);
    let mut traits = features.split_off(layout.spatial_len());
    let replies = replies(rules, row, seat, state);
    traits.extend(replies);
    traits
}

/// Over the most visited actions, by visits: whether the opponent's best reply takes control or attacks, and how many
/// such replies it has.
fn replies<G: PipelineGame>(
    rules: &G,
    row: &TrainingRow,
    seat: Seat,
    state: &G::State,
) -> [f32; 4] {
    let mut by_visits = row.visits.clone();
    by_visits.sort_by_key(|it| (u16::MAX - it.visits, it.action));
    by_visits.truncate(N_REPLIED);
    let total: f32 = by_visits.iter().map(|it| f32::from(it.visits)).sum();
    let setup = rules.now_setup(&rules.now(state, seat));
    let legal = rules.legal(state);
    let mut sums = [0.0; 4];
    for entry in &by_visits {
        let index =
            |action: &&G::Action| rules.action_index(&setup, seat, **action) == entry.action;
        let Some(action) = legal.iter().find(index) else { continue };
        let mut after = state.clone();
        rules.apply(&mut after, *action);
        if rules.turn(&after) != Turn::Seat(seat.other()) {
            continue;
        }
        let now = rules.now(&after, seat.other());
        let mut counts = [0.0f32; 2];
        for reply in rules.legal(&after) {
            match rules.appeal(&now, reply) {
                Appeal::Control => counts[0] += 1.0,
                Appeal::Attack => counts[1] += 1.0,
                Appeal::Advance(_) | Appeal::Plain => {}
            }
        }
        let share = f32::from(entry.visits) / total;
        sums[0] += share * counts[0].min(1.0);
        sums[1] += share * counts[1].min(1.0);
        sums[2] += share * counts[0] / 4.0;
        sums[3] += share * counts[1] / 4.0;
    }
    sums
}
