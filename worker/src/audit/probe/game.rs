//! One game for the probe: a searching seat against one that chooses uniformly, and every decision searched a second
//! time by the control.

use super::Plan;
use super::control::TruthGrown;
use crate::selfplay::game::{PlayedGame, PlayedPly, Searched};
use crate::selfplay::shards::training_rows;
use ::game::{Belief, EvalRequest, Evaluation, GameId, PipelineGame, Seat, Stream, Turn};
use anyhow::Context;
use audit::Replay;
use record::row::sparse_visits;
use record::{Expected, ShardOrigin, TrainingRow, TrainingShardWriter};
use referee::Truth;
use search::{Decision, Pimc, Search, SearchStreams};
use std::sync::Arc;

/// A game that is being played.
pub struct ProbeGame<'a, G: PipelineGame, B: Belief<G>> {
    plan: &'a Plan<'a, G, B>,
    number: u64,
    id: GameId,
    setup: G::Setup,
    truth: Truth<G>,
    chance: Stream,
    opponent: Stream,
    seat: Seat,
    search: Pimc<G, B>,
    plies: Vec<PlayedPly<G>>,
    phase: Phase<G>,
    /// The control's decisions, one for each searched ply.
    grown: Vec<Decision<G>>,
    replay: Option<Replay<G>>,
}

enum Phase<G: PipelineGame> {
    Playing,
    Deciding,
    /// The game is over; the control searches the decision at this place among the searched plies.
    Control(usize, Box<Pimc<G, TruthGrown<G>>>),
    Over,
}

/// A game that is over: what was written and what was true.
pub struct ProbedGame<G: PipelineGame> {
    pub number: u64,
    pub rows: Vec<TrainingRow>,
    pub grown: Vec<TrainingRow>,
    pub replay: Replay<G>,
}

impl<'a, G: PipelineGame, B: Belief<G>> ProbeGame<'a, G, B> {
    pub fn deal(plan: &'a Plan<'a, G, B>, number: u64) -> Self {
        let secret = plan.secret();
        let mut chance = secret.deal_stream(number);
        let setup = plan.rules.deal(&mut chance);
        ProbeGame {
            plan,
            number,
            id: secret.game_id(number),
            truth: Truth::new(plan.rules.clone(), &setup),
            setup,
            // Far from the numbers of the games, whose streams are the deals.
            opponent: secret.deal_stream(u64::MAX - number),
            chance,
            seat: Seat::new((number % 2) as u8),
            search: Pimc::new(plan.rules.clone(), plan.belief.clone(), plan.params),
            plies: Vec::new(),
            phase: Phase::Playing,
            grown: Vec::new(),
            replay: None,
        }
    }

    /// Goes on until evaluations are needed, whose number it gives, or all is done: 0.
    pub fn advance(&mut self, out: &mut Vec<EvalRequest<G>>) -> anyhow::Result<usize> {
        loop {
            match &mut self.phase {
                Phase::Over => return Ok(0),
                Phase::Playing => self.play_on()?,
                Phase::Deciding => {
                    if !self.search.is_done() {
                        match self.search.gather(out)? {
                            0 => continue,
                            n_asked => return Ok(n_asked),
                        }
                    }
                    let decision = self.search.decision();
                    self.take(decision)?;
                    self.phase = Phase::Playing;
                }
                Phase::Control(place, search) => {
                    if !search.is_done() {
                        match search.gather(out)? {
                            0 => continue,
                            n_asked => return Ok(n_asked),
                        }
                    }
                    let next = *place + 1;
                    self.grown.push(search.decision());
                    self.search_control(next)?;
                }
            }
        }
    }

    pub fn apply(&mut self, evaluations: &[Evaluation]) {
        match &mut self.phase {
            Phase::Deciding => self.search.apply(evaluations),
            Phase::Control(_, search) => search.apply(evaluations),
            Phase::Playing | Phase::Over => {}
        }
    }

    fn play_on(&mut self) -> anyhow::Result<()> {
        match self.truth.turn() {
            Turn::Over => {
                self.replay = Some(self.replayed()?);
                self.search_control(0)
            }
            Turn::Chance => {
                let action = self.truth.draw(&mut self.chance);
                self.plies.push(PlayedPly { seat: None, action, searched: None });
                Ok(())
            }
            Turn::Seat(seat) if seat == self.seat => {
                let streams = self.streams(self.plies.len());
                self.search.begin(self.truth.observation(seat), streams)?;
                self.phase = Phase::Deciding;
                Ok(())
            }
            Turn::Seat(seat) => {
                let legal = self.truth.legal();
                let action = legal[self.opponent.below(legal.len() as u32) as usize];
                self.truth.play(action)?;
                self.plies.push(PlayedPly { seat: Some(seat), action, searched: None });
                Ok(())
            }
        }
    }

    fn streams(&self, ply: usize) -> SearchStreams {
        SearchStreams::at(self.plan.search_seed(), self.id, ply as u32)
    }

    fn take(&mut self, decision: Decision<G>) -> anyhow::Result<()> {
        let action = decision.chosen();
        let searched = decision
            .is_searched()
            .then(|| Searched { now: self.truth.observation(self.seat).now().clone(), decision });
        self.truth.play(action)?;
        self.plies.push(PlayedPly { seat: Some(self.seat), action, searched });
        Ok(())
    }

    /// Starts the control's search of the decision at `place` among the searched ones, or ends the game.
    fn search_control(&mut self, place: usize) -> anyhow::Result<()> {
        let searched = self.plies.iter().enumerate().filter(|(_, ply)| ply.searched.is_some());
        let (Some((ply, _)), Some(replay)) = (searched.into_iter().nth(place), &self.replay) else {
            self.phase = Phase::Over;
            return Ok(());
        };
        let rules = self.plan.rules;
        let belief = TruthGrown { state: replay.before(ply).clone() };
        let mut search = Pimc::new(rules.clone(), belief, self.plan.params);
        search.begin(&replay.observation(rules, self.seat, ply), self.streams(ply))?;
        self.phase = Phase::Control(place, Box::new(search));
        Ok(())
    }

    fn replayed(&self) -> anyhow::Result<Replay<G>> {
        let rules = self.plan.rules;
        let mut states = vec![rules.initial(&self.setup)];
        for ply in &self.plies {
            let mut state = states[states.len() - 1].clone();
            rules.play(&mut state, ply.action)?;
            states.push(state);
        }
        let ending = self.truth.ending().context("the game goes on")?;
        let plies = self.plies.iter().map(|ply| ply.action).collect();
        Ok(Replay { setup: self.setup.clone(), plies, states, ending })
    }

    /// The rows as a shard holds them.
    pub fn finish(self) -> anyhow::Result<ProbedGame<G>> {
        let ending = self.truth.ending().context("the game goes on")?;
        let rules = self.plan.rules;
        let grown = self.grown;
        let game = PlayedGame { id: self.id, setup: self.setup, plies: self.plies, ending };
        let rows = written(rules, training_rows(rules, &game, &Arc::from("probe"))?)?;
        let grown = rows.iter().zip(grown).map(|(row, decision)| {
            let indices = decision.action_indices.iter().copied();
            let merged = indices.zip(decision.visits.iter().copied());
            let visits = sparse_visits(merged).context("visits that no row can hold")?;
            Ok(TrainingRow { visits, root_value: decision.root_value, ..row.clone() })
        });
        let grown = written(rules, grown.collect::<anyhow::Result<Vec<_>>>()?)?;
        let replay = self.replay.context("the game goes on")?;
        Ok(ProbedGame { number: self.number, rows, grown, replay })
    }
}

/// Writes rows of one game to a shard and reads them back.
fn written<G: PipelineGame>(rules: &G, rows: Vec<TrainingRow>) -> anyhow::Result<Vec<TrainingRow>> {
    let folder = tempfile::tempdir()?;
    let origin = ShardOrigin {
        shard: "probe".to_owned(),
        run: "probe".to_owned(),
        job: "0".to_owned(),
        attempt: 1,
        epoch: 1,
        checkpoint: "probe".to_owned(),
        fingerprint: rules.fingerprint(),
        numerics: "probe".to_owned(),
        build: run::build_id().to_owned(),
        created_ms: 0,
    };
    let n_actions = rules.policy_layout().n_actions();
    let expected =
        Expected { fingerprint: rules.fingerprint(), now_len: rules.now_len(), n_actions };
    let mut writer =
        TrainingShardWriter::create(folder.path(), origin, rules.now_len(), n_actions)?;
    writer.push_game(&rows)?;
    let closed = writer.close("probe.parquet")?;
    let shard = record::reader::read_training_file(&closed.path, &closed.manifest, &expected)?;
    Ok(shard.rows)
}
