//! Many games on one thread, one batched evaluator: the thread goes on with another game while one waits.

use super::game::{Need, PlayedGame, SelfPlayGame};
use game::{Belief, EvalRequest, Evaluation, Evaluator, PipelineGame};
use search::SamplerFailure;
use std::collections::VecDeque;

/// Games that are evaluated by one network.
pub struct Pool<G: PipelineGame, B: Belief<G>> {
    batch: usize,
    slots: Vec<Slot<G, B>>,
    /// Slots that can be advanced.
    ready: VecDeque<usize>,
    free: Vec<usize>,
    queue: VecDeque<(usize, EvalRequest<G>)>,
}

struct Slot<G: PipelineGame, B: Belief<G>> {
    game: Option<SelfPlayGame<G, B>>,
    n_asked: usize,
    answers: Vec<Evaluation>,
}

/// A game that left the pool.
pub enum Left<G: PipelineGame> {
    Over {
        number: u64,
        game: PlayedGame<G>,
    },
    /// The seat's observation admits no world: a fault, counted, and the game is dropped.
    Failed {
        number: u64,
        failure: SamplerFailure,
    },
}

impl<G: PipelineGame, B: Belief<G>> Pool<G, B> {
    /// `batch` is the evaluator's fixed batch shape.
    pub fn new(batch: usize) -> Pool<G, B> {
        Pool {
            batch,
            slots: Vec::new(),
            ready: VecDeque::new(),
            free: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    pub fn add(&mut self, game: SelfPlayGame<G, B>) {
        let idx = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { game: None, n_asked: 0, answers: Vec::new() });
            self.slots.len() - 1
        });
        self.slots[idx].game = Some(game);
        self.ready.push_back(idx);
    }

    pub fn n_games(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Plies played so far in the games numbered `numbers` that are still here.
    pub fn n_plies(&self, numbers: &[u64]) -> u64 {
        self.games().filter(|g| numbers.contains(&g.number)).map(|g| g.n_plies() as u64).sum()
    }

    /// Drops the games numbered `numbers`.
    pub fn drop_games(&mut self, numbers: &[u64]) {
        for idx in 0..self.slots.len() {
            if self.slots[idx].game.as_ref().is_some_and(|game| numbers.contains(&game.number)) {
                self.queue.retain(|(owner, _)| *owner != idx);
                self.ready.retain(|owner| *owner != idx);
                self.clear(idx);
            }
        }
    }

    /// Advances games until one batch is full or all wait, evaluates it, and hands the answers out. Games that
    /// left the pool are appended to `left`.
    pub fn step(&mut self, evaluator: &mut impl Evaluator<G>, left: &mut Vec<Left<G>>) {
        self.fill(left);
        let n = self.queue.len().min(self.batch);
        if n == 0 {
            return;
        }
        let (owners, requests): (Vec<usize>, Vec<EvalRequest<G>>) = self.queue.drain(..n).unzip();
        for (idx, answer) in owners.into_iter().zip(evaluator.evaluate(&requests)) {
            let slot = &mut self.slots[idx];
            slot.answers.push(answer);
            if slot.answers.len() == slot.n_asked {
                let game = slot.game.as_mut().expect("a slot that waits holds a game");
                game.apply(&slot.answers);
                slot.answers.clear();
                self.ready.push_back(idx);
            }
        }
    }

    fn fill(&mut self, left: &mut Vec<Left<G>>) {
        let mut asked = Vec::new();
        while self.queue.len() < self.batch {
            let Some(idx) = self.ready.pop_front() else { return };
            let game = self.slots[idx].game.as_mut().expect("a ready slot holds a game");
            let number = game.number;
            match game.advance(&mut asked) {
                Ok(Need::Evaluations(n_asked)) => {
                    self.slots[idx].n_asked = n_asked;
                    self.queue.extend(asked.drain(..).map(|request| (idx, request)));
                }
                Ok(Need::Nothing) => {
                    let game = self.clear(idx).expect("it was just advanced");
                    left.push(Left::Over { number, game: game.finish() });
                }
                Err(failure) => {
                    self.clear(idx);
                    left.push(Left::Failed { number, failure });
                }
            }
        }
    }

    fn clear(&mut self, idx: usize) -> Option<SelfPlayGame<G, B>> {
        let slot = &mut self.slots[idx];
        slot.answers.clear();
        slot.n_asked = 0;
        self.free.push(idx);
        slot.game.take()
    }

    fn games(&self) -> impl Iterator<Item = &SelfPlayGame<G, B>> {
        self.slots.iter().filter_map(|slot| slot.game.as_ref())
    }
}
