//! Answers a search's questions with a network, in batches of one fixed shape.
//!
//! libtorch's float results change with the batch *size*, never with a row's place or neighbours at one size. So
//! every forward pass here has the same size, and an answer depends on its own request alone.

use crate::cache::EvaluationCache;
use crate::{LogitPlaces, Network, Precision, Prepared, numerics};
use game::{ActionSpace, Encode, EvalRequest, Evaluation, Evaluator};
use tch::{Device, Kind, Tensor};

/// How a network is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvaluatorOptions {
    /// Rows of every forward pass, at least 1; fewer requests are padded.
    pub batch_size: usize,
    pub precision: Precision,
    /// Evaluations remembered by the canonical bytes of `now`; 0 remembers none.
    pub cache_entries: usize,
}

/// What an evaluator has done since it was made. Cache hits are not evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EvaluatorCounters {
    /// Requests answered by a forward pass.
    pub evals: u64,
    /// Forward passes.
    pub batches: u64,
    /// Rows of forward passes that carried no request.
    pub padded_rows: u64,
    /// Requests answered from the cache.
    pub cache_hits: u64,
    /// Answers that were not finite. Anything but 0 means that the weights are broken.
    pub non_finite: u64,
}

/// The network does not fit the game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the network's rows of {network_row_len} numbers and {network_actions} actions do not fit the game's \
     {game_row_len} and {game_actions}; use a checkpoint of this game"
)]
pub struct ShapeMismatch {
    pub network_row_len: usize,
    pub network_actions: usize,
    pub game_row_len: usize,
    pub game_actions: usize,
}

/// A network behind [`Evaluator`]. One a thread; it owns its buffers and no lock.
pub struct NetEvaluator<G> {
    rules: G,
    network: Prepared,
    options: EvaluatorOptions,
    rows: RowBuffer,
    logits: Vec<f32>,
    values: Vec<f32>,
    n_logits: usize,
    places: LogitPlaces,
    cache: EvaluationCache,
    key: Vec<u8>,
    counters: EvaluatorCounters,
}

impl<G: Encode + ActionSpace> NetEvaluator<G> {
    pub fn new(
        rules: G,
        network: &Network,
        options: EvaluatorOptions,
    ) -> Result<NetEvaluator<G>, ShapeMismatch> {
        check_shape(&rules, network)?;
        let batch_size = options.batch_size.max(1);
        let (row_len, n_logits) = (network.shape().row_len(), network.shape().n_logits());
        Ok(NetEvaluator {
            network: network.prepare(options.precision, batch_size),
            options: EvaluatorOptions { batch_size, ..options },
            rows: RowBuffer::new(batch_size, row_len),
            logits: vec![0.0; batch_size * n_logits],
            values: vec![0.0; batch_size],
            n_logits,
            places: network.shape().logit_places(),
            cache: EvaluationCache::new(options.cache_entries),
            key: Vec::with_capacity(rules.now_len()),
            counters: EvaluatorCounters::default(),
            rules,
        })
    }

    /// Other weights from now on; nothing evaluated with the old ones is answered again.
    pub fn set_network(&mut self, network: &Network) -> Result<(), ShapeMismatch> {
        check_shape(&self.rules, network)?;
        self.network = network.prepare(self.options.precision, self.options.batch_size);
        self.cache.clear();
        Ok(())
    }

    pub fn counters(&self) -> EvaluatorCounters {
        self.counters
    }

    pub fn options(&self) -> EvaluatorOptions {
        self.options
    }

    /// What equal bytes are promised under.
    pub fn numerics(&self) -> String {
        numerics(self.options.precision, self.options.batch_size)
    }

    /// One forward pass over at most `batch_size` requests, answers into `answers`.
    fn forward(&mut self, requests: &[&EvalRequest<G>], answers: &mut Vec<Evaluation>) {
        for (idx, request) in requests.iter().enumerate() {
            self.rules.write_features(&request.now, self.rows.row_mut(idx));
        }
        self.rows.clear_from(requests.len());
        let output = self.network.forward(self.rows.tensor());
        let n_rows = self.options.batch_size;
        output.logits.copy_data(&mut self.logits, n_rows * self.n_logits);
        output.value.copy_data(&mut self.values, n_rows);
        for (idx, request) in requests.iter().enumerate() {
            let logits = &self.logits[idx * self.n_logits..(idx + 1) * self.n_logits];
            let legal = request.actions.iter().map(|action| {
                let place = self.places.place(*action);
                logits[place.expect("a legal action has its place on the board")]
            });
            let (evaluation, is_finite) = answer(legal, self.values[idx]);
            self.counters.non_finite += u64::from(!is_finite);
            answers.push(evaluation);
        }
        self.counters.evals += requests.len() as u64;
        self.counters.batches += 1;
        self.counters.padded_rows += (n_rows - requests.len()) as u64;
    }
}

impl<G: Encode + ActionSpace> Evaluator<G> for NetEvaluator<G> {
    fn evaluate(&mut self, requests: &[EvalRequest<G>]) -> Vec<Evaluation> {
        let mut answers = Vec::with_capacity(requests.len());
        if !self.cache.is_enabled() {
            for chunk in requests.chunks(self.options.batch_size) {
                let chunk: Vec<&EvalRequest<G>> = chunk.iter().collect();
                self.forward(&chunk, &mut answers);
            }
            return answers;
        }
        let mut known: Vec<Option<Evaluation>> = Vec::with_capacity(requests.len());
        let mut unknown = Vec::new();
        for request in requests {
            self.key.clear();
            self.rules.write_now(&request.now, &mut self.key);
            let hit = self.cache.get(&self.key, &request.actions);
            if hit.is_none() {
                unknown.push(request);
            }
            known.push(hit);
        }
        self.counters.cache_hits += (requests.len() - unknown.len()) as u64;
        let mut fresh = Vec::with_capacity(unknown.len());
        for chunk in unknown.chunks(self.options.batch_size) {
            self.forward(chunk, &mut fresh);
        }
        let mut fresh = fresh.into_iter();
        for (request, hit) in requests.iter().zip(known) {
            answers.push(hit.unwrap_or_else(|| {
                let evaluation = fresh.next().expect("every unknown request was evaluated");
                self.key.clear();
                self.rules.write_now(&request.now, &mut self.key);
                self.cache.insert(&self.key, &request.actions, &evaluation);
                evaluation
            }));
        }
        answers
    }
}

fn check_shape<G: Encode + ActionSpace>(rules: &G, network: &Network) -> Result<(), ShapeMismatch> {
    let (features, policy) = (rules.feature_layout(), rules.policy_layout());
    if network.shape().matches(features, policy) {
        return Ok(());
    }
    Err(ShapeMismatch {
        network_row_len: network.shape().row_len(),
        network_actions: network.shape().n_actions(),
        game_row_len: features.row_len(),
        game_actions: policy.n_actions(),
    })
}

/// Softmax over the legal actions alone. Broken weights give the neutral answer, and `false`.
fn answer(legal_logits: impl Iterator<Item = f32>, value: f32) -> (Evaluation, bool) {
    let mut priors: Vec<f32> = legal_logits.collect();
    let most = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    priors.iter_mut().for_each(|prior| *prior = (*prior - most).exp());
    let sum: f32 = priors.iter().sum();
    if !sum.is_finite() || !value.is_finite() {
        let equal = 1.0 / priors.len() as f32;
        priors.fill(equal);
        return (Evaluation { value: 0.0, priors }, false);
    }
    priors.iter_mut().for_each(|prior| *prior /= sum);
    (Evaluation { value: value.clamp(-1.0, 1.0), priors }, true)
}

/// The one input tensor of an evaluator, written in place.
struct RowBuffer {
    tensor: Tensor,
    row_len: usize,
    n_rows: usize,
    /// Rows from here on are zero.
    n_dirty: usize,
}

impl RowBuffer {
    fn new(n_rows: usize, row_len: usize) -> RowBuffer {
        let size = [n_rows as i64, row_len as i64];
        let tensor = Tensor::zeros(size, (Kind::Float, Device::Cpu));
        RowBuffer { tensor, row_len, n_rows, n_dirty: 0 }
    }

    fn tensor(&self) -> &Tensor {
        &self.tensor
    }

    fn row_mut(&mut self, idx: usize) -> &mut [f32] {
        self.n_dirty = self.n_dirty.max(idx + 1);
        let row_len = self.row_len;
        &mut self.all_mut()[idx * row_len..(idx + 1) * row_len]
    }

    /// Unused rows are zero, whatever was evaluated before.
    fn clear_from(&mut self, n_used: usize) {
        let (row_len, n_dirty) = (self.row_len, self.n_dirty);
        if n_used < n_dirty {
            self.all_mut()[n_used * row_len..n_dirty * row_len].fill(0.0);
        }
        self.n_dirty = n_used;
    }

    #[allow(unsafe_code)]
    fn all_mut(&mut self) -> &mut [f32] {
        // SAFETY: the tensor was made here: float32, contiguous, on the CPU, n_rows · row_len numbers. No other
        // handle to its storage outlives a forward pass, and `self` is borrowed for as long as the slice lives.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.tensor.data_ptr().cast::<f32>(),
                self.n_rows * self.row_len,
            )
        }
    }
}
