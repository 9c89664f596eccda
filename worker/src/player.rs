//! Players: from a name on the command line to something that decides.

pub mod forfeit;
mod groups;
pub mod log;
pub mod message;
pub mod process;
pub mod program;
pub mod stream;

use crate::setting::Setting;
use anyhow::{Context, bail};
use forfeit::Forfeit;
use game::{Belief, Evaluator, GameId, Observation, PipelineGame, Purpose, RunSeed};
use net::{Checkpoint, EvaluatorOptions, NetEvaluator, Network, Precision};
use program::{Program, ProgramHost, ProgramSeat};
use run::PlayerName;
use run::config::Precision as Wanted;
use run::exit::Usage;
use run::player_name::SearchOptions;
use search::{
    Decision, Pimc, SamplerFailure, Search, SearchParams, SearchStreams, baseline, drive,
};
use std::sync::Arc;
use stream::Outcome;

/// A player that can be put on a seat, on any thread.
#[derive(Clone)]
pub struct Player {
    /// As it was named.
    pub name: String,
    pub mind: Mind,
}

/// How a player decides.
#[derive(Clone)]
pub enum Mind {
    Random,
    Greedy,
    Search {
        params: SearchParams,
        network: Box<Network>,
    },
    /// Another process decides.
    Program(Arc<Program>),
}

impl Player {
    /// As [`Player::load`], and seats programs: one that the shell cannot run is an error. `label` says whose lines
    /// are whose in the log.
    pub fn load_or_start<G: PipelineGame>(
        name: &PlayerName,
        label: &str,
        rules: &G,
        setting: &Setting,
        programs: &ProgramHost,
    ) -> anyhow::Result<Player> {
        let PlayerName::Exec { command } = name else { return Player::load(name, rules, setting) };
        let program = Program::new(command, label, rules, programs);
        program.try_start().with_context(|| format!("player {name}"))?;
        Ok(Player { name: name.to_string(), mind: Mind::Program(Arc::new(program)) })
    }

    /// Reads the checkpoint that `name` names and refuses one of another fingerprint.
    pub fn load<G: PipelineGame>(
        name: &PlayerName,
        rules: &G,
        setting: &Setting,
    ) -> anyhow::Result<Player> {
        let mind = match name {
            PlayerName::Random => Mind::Random,
            PlayerName::Greedy => Mind::Greedy,
            PlayerName::Checkpoint { checkpoint, options } => {
                let folder = checkpoint.folder(setting.run.as_ref())?;
                let text = rules.fingerprint_text();
                let network = Checkpoint::load(&folder, Some(&text))
                    .with_context(|| format!("player {name}"))?
                    .network;
                Mind::Search { params: play_params(options, setting)?, network: Box::new(network) }
            }
            PlayerName::Exec { .. } => {
                let problem = "exec: seats a program in muster arena and muster play only";
                bail!(Usage(problem.to_owned()))
            }
        };
        Ok(Player { name: name.to_string(), mind })
    }

    pub fn params(&self) -> Option<&SearchParams> {
        match &self.mind {
            Mind::Search { params, .. } => Some(params),
            Mind::Random | Mind::Greedy | Mind::Program(_) => None,
        }
    }

    pub fn network(&self) -> Option<&Network> {
        match &self.mind {
            Mind::Search { network, .. } => Some(network),
            Mind::Random | Mind::Greedy | Mind::Program(_) => None,
        }
    }
}

/// How a checkpoint plays to win: the run's search without noise or shaping; what the name leaves out is as
/// `[arena]` says. Temperature 1 up to ply 10 (or as configured), then the most visited action.
pub fn play_params(options: &SearchOptions, setting: &Setting) -> anyhow::Result<SearchParams> {
    if let Some(search) = options.search.as_deref().filter(|&search| search != "pimc") {
        bail!(Usage(format!("search={search} is not known: pimc is")));
    }
    let base: SearchParams = match setting.config() {
        Some(config) => config.search.clone().try_into().context("[search] of the run")?,
        None => SearchParams::BASE,
    };
    let arena = setting.arena();
    let params = SearchParams {
        simulations: options.sims.unwrap_or(arena.simulations),
        worlds: options.worlds.unwrap_or(arena.worlds),
        noise_share: 0.0,
        prior_shaping: 0.0,
        temperature: options.temperature.unwrap_or(1.0),
        temperature_late: 0.0,
        temperature_plies: arena.temperature_plies,
        ..base
    };
    params.check().map_err(|error| Usage(error.to_string()))?;
    Ok(params)
}

/// A player on a seat of one game.
pub enum Sitting<G: PipelineGame, B: Belief<G>> {
    Random,
    Greedy,
    Search(Box<Pimc<G, B>>),
    Program(ProgramSeat),
}

/// Why a seat has no action.
#[derive(Debug, thiserror::Error)]
pub enum Undecided {
    #[error(transparent)]
    Sampler(#[from] SamplerFailure),
    /// The seat has lost the game.
    #[error(transparent)]
    Forfeit(#[from] Forfeit),
}

impl<G: PipelineGame, B: Belief<G>> Sitting<G, B> {
    pub fn new(player: &Player, rules: &G, belief: &B) -> Sitting<G, B> {
        match &player.mind {
            Mind::Random => Sitting::Random,
            Mind::Greedy => Sitting::Greedy,
            Mind::Search { params, .. } => {
                Sitting::Search(Box::new(Pimc::new(rules.clone(), belief.clone(), *params)))
            }
            Mind::Program(program) => Sitting::Program(ProgramSeat::new(program)),
        }
    }

    /// What a player that does not search plays; `None` for one that does. A program is waited for.
    pub fn at_once(
        &mut self,
        rules: &G,
        seen: &Observation<G>,
        (seed, game, ply): (RunSeed, GameId, u32),
    ) -> Option<Result<G::Action, Forfeit>> {
        let mut stream = seed.stream(Purpose::Temperature, game, ply);
        match self {
            Sitting::Random => Some(Ok(baseline::random(rules, seen, &mut stream))),
            Sitting::Greedy => Some(Ok(baseline::greedy(rules, seen, &mut stream))),
            Sitting::Search(_) => None,
            Sitting::Program(program) => Some(program.decide(rules, seen, game)),
        }
    }

    /// The game is over. `seen` is what this seat knows at the end.
    pub fn end(self, rules: &G, seen: &Observation<G>, outcome: Outcome<'_>) {
        if let Sitting::Program(program) = self {
            program.end(rules, seen, outcome);
        }
    }

    /// Decides with an evaluator of one's own, waiting for it. The decision of a search comes with its report.
    pub fn decide(
        &mut self,
        rules: &G,
        seen: &Observation<G>,
        at: (RunSeed, GameId, u32),
        evaluator: Option<&mut NetEvaluator<G>>,
    ) -> Result<(G::Action, Option<Decision<G>>), Undecided> {
        if let Some(action) = self.at_once(rules, seen, at) {
            return Ok((action?, None));
        }
        let Sitting::Search(search) = self else { unreachable!("the others decide at once") };
        let evaluator = evaluator.expect("a searching player has an evaluator");
        let decision = drive_with(search.as_mut(), seen, at, evaluator)?;
        Ok((decision.chosen(), Some(decision)))
    }
}

/// [`drive`] with the streams of a decision.
pub fn drive_with<G: PipelineGame>(
    search: &mut impl Search<G>,
    seen: &Observation<G>,
    (seed, game, ply): (RunSeed, GameId, u32),
    evaluator: &mut impl Evaluator<G>,
) -> Result<Decision<G>, SamplerFailure> {
    drive(search, seen, SearchStreams::at(seed, game, ply), evaluator)
}

/// How networks are evaluated on the commands that play.
#[derive(clap::Args, Debug, Clone)]
pub struct EvaluationArgs {
    /// Rows of the one fixed batch shape; results are bit-equal for an equal shape only. Left out, the run's
    /// `selfplay.batch`, or 32.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub batch: Option<u32>,
    /// Numbers of the evaluations: auto takes the faster on this machine. Left out, the run's, or auto.
    #[arg(long, value_enum)]
    pub precision: Option<PrecisionArg>,
}

#[derive(clap::ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrecisionArg {
    Auto,
    Float32,
    Bfloat16,
}

impl EvaluationArgs {
    /// The options for these players, precision measured with the first network among them.
    pub fn options(
        &self,
        players: &[&Player],
        setting: &Setting,
    ) -> anyhow::Result<EvaluatorOptions> {
        let of_run = setting.config().map(|config| &config.selfplay);
        let batch = self.batch.or(of_run.map(|selfplay| selfplay.batch)).unwrap_or(32);
        let batch_size = batch as usize;
        let wanted = self.precision.unwrap_or(match of_run.map(|selfplay| selfplay.precision) {
            Some(Wanted::Float32) => PrecisionArg::Float32,
            Some(Wanted::Bfloat16) => PrecisionArg::Bfloat16,
            Some(Wanted::Auto) | None => PrecisionArg::Auto,
        });
        let network = players.iter().find_map(|player| player.network());
        let precision = match (wanted, network) {
            (PrecisionArg::Auto, Some(network)) => {
                net::bench::measure_precision(network, batch_size).precision
            }
            (PrecisionArg::Bfloat16, _) => Precision::Bfloat16,
            (PrecisionArg::Float32 | PrecisionArg::Auto, _) => Precision::Float32,
        };
        if network.is_some() {
            net::golden::check(precision)?;
        }
        Ok(EvaluatorOptions { batch_size, precision, cache_entries: 20_000 })
    }
}

/// The evaluator of a player, if it needs one.
pub fn evaluator_of<G: PipelineGame>(
    player: &Player,
    rules: &G,
    options: EvaluatorOptions,
) -> anyhow::Result<Option<NetEvaluator<G>>> {
    player
        .network()
        .map(|network| NetEvaluator::new(rules.clone(), network, options))
        .transpose()
        .with_context(|| format!("player {}", player.name))
}
