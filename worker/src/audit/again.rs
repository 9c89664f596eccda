//! Recorded decisions searched again: same checkpoint, same constants, same streams, same numerics where this
//! machine has them.

use anyhow::Context;
use audit::{Sampled, SearchRow, SearchTask, Searcher, WorldRow};
use game::belief::world_seeds;
use game::{Belief, Evaluator, PipelineGame, RunSeed};
use net::checkpoint::Checkpoint;
use net::{EvaluatorOptions, NetEvaluator, Precision};
use run::RunFolder;
use search::{Decision, Pimc, Search, SearchParams, SearchStreams};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A [`Searcher`] with networks: several threads, each with its own batch.
pub struct SearchAgain<G: PipelineGame, B: Belief<G>> {
    rules: G,
    belief: B,
    networks: Networks,
    numerics: String,
    lanes: Vec<Lane<G>>,
}

/// One thread's evaluators by checkpoint id, or why there is none.
type Lane<G> = BTreeMap<String, Result<NetEvaluator<G>, String>>;

/// Where checkpoints lie, and how they are evaluated.
struct Networks {
    folder: PathBuf,
    options: EvaluatorOptions,
}

impl<G: PipelineGame, B: Belief<G>> SearchAgain<G, B> {
    /// Evaluates with the run's batch shape and with the precision of the recorded `numerics` if this machine
    /// can have them, else with float32. Without an evaluation cache: nothing is taken for granted.
    pub fn new(
        rules: G,
        belief: B,
        folder: &RunFolder,
        numerics: &str,
        n_threads: usize,
    ) -> SearchAgain<G, B> {
        let batch_size = folder.config().selfplay.batch as usize;
        let of = |precision| net::numerics(precision, batch_size);
        let precision = [Precision::Float32, Precision::Bfloat16]
            .into_iter()
            .find(|precision| of(*precision) == numerics)
            .unwrap_or(Precision::Float32);
        SearchAgain {
            rules,
            belief,
            networks: Networks {
                folder: folder.checkpoints_dir(),
                options: EvaluatorOptions { batch_size, precision, cache_entries: 0 },
            },
            numerics: of(precision),
            lanes: (0..n_threads.max(1)).map(|_| Lane::new()).collect(),
        }
    }

    pub fn numerics(&self) -> &str {
        &self.numerics
    }
}

impl<G: PipelineGame, B: Belief<G>> Searcher<G> for SearchAgain<G, B> {
    fn search(&mut self, tasks: &[SearchTask<'_, G>]) -> Vec<Answer> {
        let (rules, belief, networks) = (&self.rules, &self.belief, &self.networks);
        in_lanes(tasks, &mut self.lanes, &|some, lane| {
            search_some(rules, belief, networks, some, lane)
        })
    }

    fn sample(&mut self, tasks: &[SearchTask<'_, G>]) -> Vec<Result<Sampled<G>, String>> {
        let (rules, belief, networks) = (&self.rules, &self.belief, &self.networks);
        in_lanes(tasks, &mut self.lanes, &|some, lane| {
            some.iter().map(|task| sample(rules, belief, networks, task, lane)).collect()
        })
    }

    fn belief(&self) -> String {
        self.belief.name()
    }

    fn repeats(&self, numerics: &str) -> bool {
        self.numerics == numerics
    }
}

/// Shares tasks out over the threads; answers in order.
fn in_lanes<'t, G: PipelineGame, T: Send>(
    tasks: &[SearchTask<'t, G>],
    lanes: &mut [Lane<G>],
    does: &(impl Fn(&[SearchTask<'t, G>], &mut Lane<G>) -> Vec<Result<T, String>> + Sync),
) -> Vec<Result<T, String>> {
    if tasks.is_empty() {
        return Vec::new();
    }
    let each = tasks.len().div_ceil(lanes.len());
    std::thread::scope(|scope| {
        let threads: Vec<_> = tasks
            .chunks(each)
            .zip(lanes)
            .map(|(some, lane)| {
                let work = move || {
                    net::use_one_thread();
                    does(some, lane)
                };
                (some.len(), scope.spawn(work))
            })
            .collect();
        let lost = |n| (0..n).map(|_| Err("the search panicked".to_owned())).collect();
        let joined = threads.into_iter().map(|(n, it)| it.join().unwrap_or_else(|_| lost(n)));
        joined.flatten().collect()
    })
}

/// The belief of one decision inferred again, and its worlds. The network is loaded only if the belief asks.
fn sample<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    networks: &Networks,
    task: &SearchTask<'_, G>,
    lane: &mut Lane<G>,
) -> Result<Sampled<G>, String> {
    let search = task.record.plies[task.ply].search.as_ref().ok_or("no search decided this ply")?;
    let mut posterior = belief.prior(rules, &task.observation);
    loop {
        let caught_up = belief.catch_up(rules, &mut posterior, &task.observation);
        caught_up.map_err(|contradiction| contradiction.to_string())?;
        let questions = belief.questions(&posterior);
        if questions.is_empty() {
            break;
        }
        let player = task.record.setup.players.get(task.seat.idx()).map_or("", String::as_str);
        let evaluator =
            networks.evaluator(rules, lane, player).as_mut().map_err(|it| it.clone())?;
        let answers = evaluator.evaluate(questions);
        belief.answer(&mut posterior, &answers);
    }
    let seeds = world_seeds(search.belief_seed, search.worlds.len());
    let world = |seed| belief.world(rules, &posterior, &task.observation, seed).into_state();
    Ok(Sampled {
        posterior: belief.posterior_bytes(rules, &posterior),
        worlds: seeds.map(world).collect(),
    })
}

impl Networks {
    fn evaluator<'l, G: PipelineGame>(
        &self,
        rules: &G,
        lane: &'l mut Lane<G>,
        checkpoint: &str,
    ) -> &'l mut Result<NetEvaluator<G>, String> {
        lane.entry(checkpoint.to_owned())
            .or_insert_with(|| self.load(rules, checkpoint).map_err(|error| format!("{error:#}")))
    }

    fn load<G: PipelineGame>(
        &self,
        rules: &G,
        checkpoint: &str,
    ) -> anyhow::Result<NetEvaluator<G>> {
        let folder = self.folder.join(checkpoint);
        let loaded = Checkpoint::load(&folder, Some(&rules.fingerprint_text()))?;
        NetEvaluator::new(rules.clone(), &loaded.network, self.options)
            .with_context(|| format!("checkpoint {checkpoint}"))
    }
}

type Answer = Result<SearchRow, String>;

/// Searches tasks, those of one checkpoint together; answers in order.
fn search_some<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    networks: &Networks,
    tasks: &[SearchTask<'_, G>],
    lane: &mut Lane<G>,
) -> Vec<Answer> {
    let mut by_checkpoint: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (idx, task) in tasks.iter().enumerate() {
        let player = task.record.setup.players.get(task.seat.idx());
        by_checkpoint.entry(player.map_or("", String::as_str)).or_default().push(idx);
    }
    let mut answers = vec![Err("was not searched".to_owned()); tasks.len()];
    for (checkpoint, indices) in by_checkpoint {
        match networks.evaluator(rules, lane, checkpoint) {
            Ok(evaluator) => {
                let batch = networks.options.batch_size;
                let found = search_together(rules, belief, tasks, &indices, evaluator, batch);
                found.into_iter().for_each(|(idx, answer)| answers[idx] = answer);
            }
            Err(reason) => indices.iter().for_each(|&idx| answers[idx] = Err(reason.clone())),
        }
    }
    answers
}

struct Running<G: PipelineGame, B: Belief<G>> {
    task_idx: usize,
    search: Pimc<G, B>,
    n_asked: usize,
}

/// Steps many searches side by side, so that the network's batches are full.
fn search_together<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    tasks: &[SearchTask<'_, G>],
    indices: &[usize],
    evaluator: &mut impl Evaluator<G>,
    batch: usize,
) -> Vec<(usize, Answer)> {
    let mut answers = Vec::with_capacity(indices.len());
    let mut waiting = indices.iter();
    let mut running: Vec<Running<G, B>> = Vec::new();
    let mut requests = Vec::new();
    loop {
        let n_leaves: usize = running.iter().map(|it| it.n_asked.max(1)).sum();
        let mut n_free = (2 * batch).saturating_sub(n_leaves);
        while n_free > 0
            && let Some(&task_idx) = waiting.next()
        {
            match begin(rules, belief, &tasks[task_idx]) {
                Ok(search) => {
                    n_free = n_free.saturating_sub(search.params().worlds as usize);
                    running.push(Running { task_idx, search, n_asked: 0 });
                }
                Err(reason) => answers.push((task_idx, Err(reason))),
            }
        }
        if running.is_empty() {
            return answers;
        }
        requests.clear();
        running.retain_mut(|it| match it.search.gather(&mut requests) {
            Ok(n_asked) => {
                it.n_asked = n_asked;
                true
            }
            Err(failure) => {
                answers.push((it.task_idx, Err(failure.to_string())));
                false
            }
        });
        let evaluations = evaluator.evaluate(&requests);
        let mut from = 0;
        for it in &mut running {
            it.search.apply(&evaluations[from..from + it.n_asked]);
            from += it.n_asked;
        }
        running.retain_mut(|it| {
            if !it.search.is_done() {
                return true;
            }
            let row = search_row(&belief.name(), &it.search.decision());
            answers.push((it.task_idx, Ok(row)));
            false
        });
    }
}

fn begin<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    task: &SearchTask<'_, G>,
) -> Result<Pimc<G, B>, String> {
    let setup = &task.record.setup;
    let params: SearchParams = toml::from_str(&setup.search)
        .map_err(|error| format!("the recorded search constants do not read: {error}"))?;
    params.check().map_err(|error| format!("the recorded search constants: {error}"))?;
    let ply = u32::try_from(task.ply).map_err(|error| error.to_string())?;
    let streams = SearchStreams::at(RunSeed(setup.run_seed), task.record.game, ply);
    let mut search = Pimc::new(rules.clone(), belief.clone(), params);
    search.begin(&task.observation, streams).map_err(|failure| failure.to_string())?;
    Ok(search)
}

/// A full search's decision as the audit record holds it.
pub fn search_row<G: PipelineGame>(belief: &str, decision: &Decision<G>) -> SearchRow {
    let worlds = decision.worlds.iter().map(|world| WorldRow {
        simulations: world.simulations,
        n: world.n.clone(),
        q: world.q.clone(),
    });
    SearchRow {
        full: true,
        belief: belief.to_owned(),
        belief_seed: decision.belief_seed,
        root_value: decision.root_value,
        chosen_idx: u16::try_from(decision.chosen_idx).unwrap_or(u16::MAX),
        visits: decision.visits.clone(),
        worlds: worlds.collect(),
    }
}
