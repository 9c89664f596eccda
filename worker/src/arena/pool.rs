//! All games of a match at once: on each thread many games, one batch for each player's network.

use super::game::{MatchGame, MatchSeeds, MatchedGame, Need};
use crate::player::{Mind, Player, evaluator_of};
use anyhow::Context;
use game::{Belief, EvalRequest, Evaluation, Evaluator, PipelineGame};
use net::{EvaluatorOptions, NetEvaluator};
use run::Progress;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

/// Processes of one program on one thread, each with a game of its own.
const PROCESSES_MAX: usize = 4;

/// What is played and how.
pub struct MatchPlan<'a> {
    /// A and B.
    pub players: &'a [Player; 2],
    pub seeds: MatchSeeds,
    pub n_games: u64,
    pub evaluator: EvaluatorOptions,
    pub n_threads: usize,
}

/// Plays the match. Games are returned by number; each is the same whatever the number of threads.
pub fn play_match<G: PipelineGame, B: Belief<G>>(
    rules: &G,
    belief: &B,
    plan: &MatchPlan<'_>,
    progress: &Progress,
) -> anyhow::Result<Vec<MatchedGame<G>>> {
    let next = AtomicU64::new(0);
    let n_threads = plan.n_threads.clamp(1, plan.n_games.max(1) as usize);
    // Networks are moved to their threads, so each thread gets its own copy.
    let copies: Vec<[Player; 2]> = (0..n_threads).map(|_| plan.players.clone()).collect();
    let (seeds, options, n_games) = (&plan.seeds, plan.evaluator, plan.n_games);
    let results: Vec<anyhow::Result<Vec<MatchedGame<G>>>> = std::thread::scope(|scope| {
        let handles: Vec<_> = copies
            .into_iter()
            .map(|players| {
                let next = &next;
                scope.spawn(move || {
                    net::use_one_thread();
                    let mut pool = Pool::new(rules, belief, players, seeds, options)?;
                    pool.play_all(next, n_games, progress)
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().expect("an arena thread panicked")).collect()
    });
    let mut games = Vec::new();
    for result in results {
        games.extend(result?);
    }
    games.sort_by_key(|game| game.number);
    Ok(games)
}

struct Pool<'a, G: PipelineGame, B: Belief<G>> {
    rules: &'a G,
    belief: &'a B,
    seeds: &'a MatchSeeds,
    players: [Player; 2],
    evaluators: [Option<NetEvaluator<G>>; 2],
    /// Requests for each player's network, with the slot that asked.
    queues: [VecDeque<(usize, EvalRequest<G>)>; 2],
    slots: Vec<Slot<G, B>>,
    ready: Vec<usize>,
    free: Vec<usize>,
    batch: usize,
    n_games_max: usize,
}

struct Slot<G: PipelineGame, B: Belief<G>> {
    game: Option<MatchGame<G, B>>,
    n_asked: usize,
    answers: Vec<Evaluation>,
}

impl<'a, G: PipelineGame, B: Belief<G>> Pool<'a, G, B> {
    fn new(
        rules: &'a G,
        belief: &'a B,
        players: [Player; 2],
        seeds: &'a MatchSeeds,
        options: EvaluatorOptions,
    ) -> anyhow::Result<Self> {
        let evaluator = |player| evaluator_of(player, rules, options);
        let evaluators = [evaluator(&players[0])?, evaluator(&players[1])?];
        let leaves = players.iter().filter_map(Player::params);
        let leaves_min = leaves.map(|p| p.worlds * p.leaves_per_step).min().unwrap_or(1) as usize;
        // Enough for a full batch of either network while the other one's games wait.
        let mut n_games_max = (4 * options.batch_size).div_ceil(leaves_min).max(4);
        if players.iter().any(|player| matches!(player.mind, Mind::Program(_))) {
            n_games_max = n_games_max.min(PROCESSES_MAX);
        }
        Ok(Pool {
            rules,
            belief,
            seeds,
            players,
            evaluators,
            queues: [VecDeque::new(), VecDeque::new()],
            slots: Vec::new(),
            ready: Vec::new(),
            free: Vec::new(),
            batch: options.batch_size,
            n_games_max,
        })
    }

    /// Takes game numbers from `next` until they run out, and plays them all.
    fn play_all(
        &mut self,
        next: &AtomicU64,
        n_games: u64,
        progress: &Progress,
    ) -> anyhow::Result<Vec<MatchedGame<G>>> {
        let mut over = Vec::new();
        loop {
            while self.slots.len() - self.free.len() < self.n_games_max {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= n_games {
                    break;
                }
                self.add(number);
            }
            let n_before = over.len();
            self.advance_ready(&mut over)?;
            progress.inc((over.len() - n_before) as u64);
            if self.queues.iter().all(VecDeque::is_empty) {
                if self.slots.len() == self.free.len() && next.load(Ordering::Relaxed) >= n_games {
                    return Ok(over);
                }
                continue;
            }
            self.evaluate();
        }
    }

    fn add(&mut self, number: u64) {
        let game = MatchGame::deal(self.rules, self.belief, &self.players, self.seeds, number);
        let slot_idx = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { game: None, n_asked: 0, answers: Vec::new() });
            self.slots.len() - 1
        });
        self.slots[slot_idx].game = Some(game);
        self.ready.push(slot_idx);
    }

    fn advance_ready(&mut self, over: &mut Vec<MatchedGame<G>>) -> anyhow::Result<()> {
        let mut asked = Vec::new();
        while let Some(slot_idx) = self.ready.pop() {
            let slot = &mut self.slots[slot_idx];
            let game = slot.game.as_mut().expect("a ready slot holds a game");
            let number = game.number;
            let need = game.advance(&mut asked);
            match need.with_context(|| format!("game {number} of the match"))? {
                Need::Evaluations { player_idx, n_asked } => {
                    slot.n_asked = n_asked;
                    let requests = asked.drain(..).map(|request| (slot_idx, request));
                    self.queues[player_idx].extend(requests);
                }
                Need::Nothing => {
                    let game = slot.game.take().expect("it was just advanced");
                    over.push(game.finish());
                    self.free.push(slot_idx);
                }
            }
        }
        Ok(())
    }

    /// One batch of the network that most requests wait for.
    fn evaluate(&mut self) {
        let player_idx = usize::from(self.queues[1].len() > self.queues[0].len());
        let n = self.queues[player_idx].len().min(self.batch);
        let (slots, requests): (Vec<usize>, Vec<_>) = self.queues[player_idx].drain(..n).unzip();
        let evaluator = self.evaluators[player_idx].as_mut().expect("only searches ask");
        for (slot_idx, answer) in slots.into_iter().zip(evaluator.evaluate(&requests)) {
            let slot = &mut self.slots[slot_idx];
            slot.answers.push(answer);
            if slot.answers.len() == slot.n_asked {
                let game = slot.game.as_mut().expect("a slot that waits holds a game");
                game.apply(&slot.answers);
                slot.answers.clear();
                self.ready.push(slot_idx);
            }
        }
    }
}
