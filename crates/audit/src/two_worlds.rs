//! Non-interference (IB2): two truths that one seat cannot tell apart give the same bytes all the way to the
//! training row.

use crate::rederive::legal_by_index;
use crate::replay::Replay;
use crate::report::{Check, Finding};
use crate::row::{GameRecord, SearchRow};
use game::{Hidden, Observation, PipelineGame, Seat, Stream};
use record::row::sparse_visits;

/// One decision to be searched again.
pub struct SearchTask<'a, G: Hidden> {
    pub record: &'a GameRecord,
    /// The decision's ply; `record.plies[ply].search` says how it was searched.
    pub ply: usize,
    pub seat: Seat,
    /// The record's own in the first of a pair, the second truth's in the other.
    pub observation: Observation<G>,
}

/// Searches decisions again, from observations alone: with the checkpoint `record.setup.players[seat]`, the
/// constants `record.setup.search` and the streams of (`record.setup.run_seed`, `record.game`, ply).
pub trait Searcher<G: Hidden> {
    /// One answer a task, in order; an error says why a task cannot be searched (a missing checkpoint).
    fn search(&mut self, tasks: &[SearchTask<'_, G>]) -> Vec<Result<SearchRow, String>>;

    /// The belief and the worlds of decisions inferred and sampled again, from observations alone. One answer a task,
    /// in order.
    fn sample(&mut self, tasks: &[SearchTask<'_, G>]) -> Vec<Result<Sampled<G>, String>>;

    /// The belief that decisions are sampled from, as records name it.
    fn belief(&self) -> String;

    /// Whether the search promises the recorded bytes again: numerics are equal to those of the record.
    fn repeats(&self, numerics: &str) -> bool;
}

/// What the worlds of one decision came from, and the worlds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sampled<G: Hidden> {
    /// Every hidden configuration with its weight, in the belief's canonical bytes.
    pub posterior: Vec<u8>,
    pub worlds: Vec<G::State>,
}

/// A second truth for one decision, found and replayed.
pub struct Pair<'a, G: Hidden> {
    pub shard: &'a str,
    pub record: &'a GameRecord,
    pub replay: &'a Replay<G>,
    pub ply: usize,
    pub seat: Seat,
    first: Observation<G>,
    second: Observation<G>,
    second_state: G::State,
}

/// Looks for a second truth of the decision at `ply`. `None`: none was found, or it does not differ at this ply.
/// An error: the second truth does not replay, or its seat saw something else.
pub fn find_pair<'a, G: PipelineGame>(
    rules: &G,
    shard: &'a str,
    record: &'a GameRecord,
    replay: &'a Replay<G>,
    ply: usize,
    stream: &mut Stream,
) -> Result<Option<Pair<'a, G>>, Finding> {
    let Some(seat) = record.plies[ply].seat.map(Seat::new) else { return Ok(None) };
    let found = rules.second_truth(&replay.states[0], &replay.plies[..ply], seat, stream);
    let Some(past) = found else { return Ok(None) };
    let finding = |detail: String| {
        Finding::new(Check::TwoWorlds, shard, detail).at(
            record.game,
            u16::try_from(ply).ok(),
            Some(seat.idx() as u8),
        )
    };
    let mut state = past.start;
    let mut second = Observation::begin(seat, rules.now(&state, seat));
    for &action in &past.plies {
        let before = state.clone();
        rules
            .play(&mut state, action)
            .map_err(|error| finding(format!("the second truth does not replay: {error}")))?;
        second.extend(rules.event(&before, action, seat), rules.now(&state, seat));
    }
    if state == *replay.before(ply) {
        return Ok(None);
    }
    let first = replay.observation(rules, seat, ply);
    if first.bytes(rules) != second.bytes(rules) {
        return Err(finding("the second truth gives another observation".to_owned()));
    }
    Ok(Some(Pair { shard, record, replay, ply, seat, first, second, second_state: state }))
}

/// Compares what comes before a belief: legal actions and their order, indices and features. Gives what differs.
pub fn compare_inputs<G: PipelineGame>(rules: &G, pair: &Pair<'_, G>) -> Vec<Finding> {
    let states = [pair.replay.before(pair.ply), &pair.second_state];
    let mut findings = Vec::new();
    let mut differ = |what: &'static str, is_equal: bool| {
        if !is_equal {
            findings.push(pair.finding(what));
        }
    };
    differ("legal actions", rules.legal(states[0]) == rules.legal(states[1]));
    let indices = states.map(|state| legal_by_index(rules, &pair.replay.setup, state, pair.seat));
    differ("action indices", indices[0] == indices[1]);
    let features = states.map(|state| {
        let mut row = vec![0.0f32; rules.feature_layout().row_len()];
        rules.write_features(&rules.now(state, pair.seat), &mut row);
        row.into_iter().map(f32::to_bits).collect::<Vec<_>>()
    });
    differ("features", features[0] == features[1]);
    findings
}

/// Samples and searches both truths of every pair and compares belief tables, worlds, visits, values, choices and training rows, and, where
/// `is_repeat` says that the same bytes are promised, the record too. Gives what differs.
pub fn compare_searches<G: PipelineGame>(
    rules: &G,
    pairs: &[Pair<'_, G>],
    is_repeat: &dyn Fn(&str) -> bool,
    searcher: &mut dyn Searcher<G>,
) -> Vec<Finding> {
    let tasks: Vec<SearchTask<'_, G>> = pairs
        .iter()
        .flat_map(|pair| {
            [&pair.first, &pair.second].map(|observation| SearchTask {
                record: pair.record,
                ply: pair.ply,
                seat: pair.seat,
                observation: observation.clone(),
            })
        })
        .collect();
    let mut findings = Vec::new();
    for (sampled, pair) in searcher.sample(&tasks).chunks(2).zip(pairs) {
        findings.extend(pair.compare_beliefs(sampled));
    }
    let answers = searcher.search(&tasks);
    for (idx, pair) in pairs.iter().enumerate() {
        let answer = |which: usize| answers.get(2 * idx + which);
        match (answer(0), answer(1)) {
            (Some(Ok(first)), Some(Ok(second))) => {
                findings.extend(pair.compare(rules, [first, second], is_repeat(pair.shard)));
            }
            (Some(Err(reason)), _) | (_, Some(Err(reason))) => {
                findings.push(pair.finding(&format!("cannot be searched again: {reason}")));
            }
            _ => findings.push(pair.finding("was not searched again")),
        }
    }
    findings
}

impl<G: PipelineGame> Pair<'_, G> {
    fn finding(&self, what: &str) -> Finding {
        Finding::new(Check::TwoWorlds, self.shard, what.to_owned()).at(
            self.record.game,
            u16::try_from(self.ply).ok(),
            Some(self.seat.idx() as u8),
        )
    }

    fn compare_beliefs(&self, sampled: &[Result<Sampled<G>, String>]) -> Vec<Finding> {
        match sampled {
            [Ok(first), Ok(second)] => {
                let parts = [
                    ("belief tables", first.posterior == second.posterior),
                    ("worlds", first.worlds == second.worlds),
                ];
                let differing = parts.into_iter().filter(|(_, is_equal)| !is_equal);
                differing.map(|(what, _)| self.finding(what)).collect()
            }
            [Err(reason), _] | [_, Err(reason)] => {
                vec![self.finding(&format!("cannot be sampled again: {reason}"))]
            }
            _ => vec![self.finding("was not sampled again")],
        }
    }

    fn compare(&self, rules: &G, searches: [&SearchRow; 2], is_repeat: bool) -> Vec<Finding> {
        let mut findings = Vec::new();
        for what in differing_parts(searches[0], searches[1]) {
            findings.push(self.finding(&format!("two truths, one observation: {what} differ")));
        }
        let states = [self.replay.before(self.ply), &self.second_state];
        let rows = [0, 1].map(|idx| self.row_bytes(rules, states[idx], searches[idx]));
        if rows[0].is_none() || rows[0] != rows[1] {
            findings.push(self.finding("two truths, one observation: the training rows differ"));
        }
        if let (true, Some(recorded)) = (is_repeat, &self.record.plies[self.ply].search) {
            for what in differing_parts(searches[0], recorded) {
                findings.push(self.finding(&format!("searched again: {what} differ")));
            }
        }
        findings
    }

    /// The training row of this decision without its outcome columns, derived from a complete state.
    fn row_bytes(&self, rules: &G, state: &G::State, search: &SearchRow) -> Option<Vec<u8>> {
        let indices = legal_by_index(rules, &self.replay.setup, state, self.seat);
        let mut bytes = vec![self.seat.idx() as u8];
        rules.write_now(&rules.now(state, self.seat), &mut bytes);
        bytes.extend_from_slice(&(indices.len() as u64).to_le_bytes());
        let merged = indices.iter().map(|(index, _)| *index).zip(search.visits.iter().copied());
        for entry in sparse_visits(merged)? {
            bytes.extend_from_slice(&entry.action.to_le_bytes());
            bytes.extend_from_slice(&entry.visits.to_le_bytes());
        }
        bytes.extend_from_slice(&search.root_value.to_bits().to_le_bytes());
        Some(bytes)
    }
}

/// The parts of two searches that are not equal bit for bit.
pub fn differing_parts(a: &SearchRow, b: &SearchRow) -> Vec<&'static str> {
    let q = |search: &SearchRow| -> Vec<u32> {
        search.worlds.iter().flat_map(|world| &world.q).map(|q| q.to_bits()).collect()
    };
    let n = |search: &SearchRow| -> Vec<(u32, Vec<u32>)> {
        search.worlds.iter().map(|world| (world.simulations, world.n.clone())).collect()
    };
    let parts = [
        ("beliefs", a.belief == b.belief),
        ("belief seeds", a.belief_seed == b.belief_seed),
        ("worlds' visits", n(a) == n(b)),
        ("worlds' values", q(a) == q(b)),
        ("merged visits", a.visits == b.visits),
        ("root values", a.root_value.to_bits() == b.root_value.to_bits()),
        ("chosen actions", a.chosen_idx == b.chosen_idx),
    ];
    parts.into_iter().filter(|(_, is_equal)| !is_equal).map(|(what, _)| what).collect()
}
