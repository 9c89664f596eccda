//! `muster search`: one position, searched for one seat; what every world says.

use crate::arena::game::MatchSeeds;
use crate::player::{EvaluationArgs, Player, drive_with, evaluator_of, play_params};
use crate::seat_arg::SeatArg;
use crate::setting::{Setting, SettingArgs};
use anyhow::{Context, bail, ensure};
use catalog::GameVisitor;
use clap::Args;
use game::belief::world_seeds;
use game::evaluate::UniformEvaluator;
use game::{Belief, PipelineGame, Seat, Turn};
use referee::Truth;
use run::exit::Usage;
use run::player_name::SearchOptions;
use run::{Exit, PlayerName};
use search::{Decision, Pimc, SearchParams};
use serde::Serialize;
use std::fs;

/// Search one position for the seat to act, from what that seat may know.
///
/// The position is a complete one; a referee holds it, and the search is given the seat's observation of it (its
/// history starts there).
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// The game's name.
    pub game: String,
    /// A position in the game's notation, or @FILE that holds one.
    #[arg(long, value_name = "P")]
    pub position: String,
    /// The seat to act.
    #[arg(long, value_enum)]
    pub seat: SeatArg,
    /// Worlds, one tree each.
    #[arg(long)]
    pub worlds: Option<u32>,
    /// Simulations over all worlds.
    #[arg(long)]
    pub sims: Option<u32>,
    /// The checkpoint that evaluates (RUN@last, checkpoint:ID-or-PATH); left out, every position is worth 0 and every
    /// action is equally likely.
    #[arg(long)]
    pub player: Option<PlayerName>,
    /// Worlds and chance inside them derive from this number.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Run folder whose rules and search constants hold.
    #[arg(long)]
    pub run: Option<std::path::PathBuf>,
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// `--json`. Values are from the view of `seat`.
#[derive(Serialize, Debug)]
pub struct SearchReport {
    pub game: String,
    pub seat: &'static str,
    /// What evaluated.
    pub player: String,
    /// The belief's name and how many hidden configurations it holds.
    pub belief: String,
    pub support: Option<usize>,
    pub simulations: u32,
    /// Merged visits by action, in the order of the action index.
    pub actions: Vec<MergedAction>,
    pub worlds: Vec<SearchedWorld>,
    pub chosen: String,
    pub root_value: f32,
}

#[derive(Serialize, Debug)]
pub struct MergedAction {
    pub action: String,
    pub index: u16,
    /// Root visits summed over the worlds.
    pub n: u32,
}

#[derive(Serialize, Debug)]
pub struct SearchedWorld {
    pub world: u32,
    /// What was sampled: a complete position, in the game's notation.
    pub position: String,
    pub simulations: u32,
    pub actions: Vec<WorldAction>,
}

#[derive(Serialize, Debug)]
pub struct WorldAction {
    pub action: String,
    pub n: u32,
    /// Mean value in [-1, 1]; 0 without visits.
    pub q: f32,
}

/// Entry point of the command.
pub fn run(args: SearchArgs) -> anyhow::Result<Exit> {
    net::use_one_thread();
    let setting_args = SettingArgs { game: args.game.clone(), run: args.run.clone() };
    let names: Vec<&PlayerName> = args.player.iter().collect();
    let setting = Setting::find(&setting_args, &names)?;
    ensure!(
        setting.game == args.game,
        Usage(format!("the run plays {}, not {}", setting.game, args.game))
    );
    let position = match args.position.strip_prefix('@') {
        Some(path) => fs::read_to_string(path).with_context(|| format!("position file {path}"))?,
        None => args.position.clone(),
    };
    let search = SearchOne { args: &args, setting: &setting, position: position.trim() };
    let report = catalog::visit(&setting.game, &setting.rules, search)??;
    match args.json {
        true => println!("{}", serde_json::to_string(&report)?),
        false => println!("{}", text(&report)),
    }
    Ok(Exit::Done)
}

struct SearchOne<'a> {
    args: &'a SearchArgs,
    setting: &'a Setting,
    position: &'a str,
}

impl GameVisitor for SearchOne<'_> {
    type Output = anyhow::Result<SearchReport>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let Some(seat) = self.args.seat.seat() else {
            bail!(Usage("a search sees what one seat sees: --seat white or black".to_owned()));
        };
        let state = rules.parse_position(self.position).context("--position")?;
        let truth = Truth::from_position(rules.clone(), state).context("--position")?;
        match truth.turn() {
            Turn::Seat(to_act) if to_act == seat => {}
            Turn::Seat(_) => bail!(Usage(format!(
                "{} is not to act in this position: name the other seat",
                seat_name(seat)
            ))),
            Turn::Chance => bail!(Usage("chance is to act in this position".to_owned())),
            Turn::Over => bail!(Usage("the game is over in this position".to_owned())),
        }
        let player = match &self.args.player {
            Some(name) => Some(Player::load(name, &rules, self.setting)?),
            None => None,
        };
        let params = self.params(player.as_ref())?;
        let seeds = MatchSeeds::new(self.args.seed);
        let at = (seeds.search, seeds.secret.game_id(0), 0);
        let mut search = Pimc::new(rules.clone(), belief.clone(), params);
        let seen = truth.observation(seat);
        let evaluator = match &player {
            Some(player) => evaluator_of(
                player,
                &rules,
                self.args.evaluation.options(&[player], self.setting)?,
            )?,
            None => None,
        };
        let decision = match evaluator {
            Some(mut evaluator) => drive_with(&mut search, seen, at, &mut evaluator)?,
            None => drive_with(&mut search, seen, at, &mut UniformEvaluator)?,
        };
        let support = search.support_len();
        let name = player.map_or("uniform".to_owned(), |player| player.name);
        let mut report = report(&rules, seat, name, &belief.name(), support, &decision);
        let seeds = world_seeds(decision.belief_seed, report.worlds.len());
        if let Some(posterior) = search.posterior() {
            for (world, seed) in report.worlds.iter_mut().zip(seeds) {
                let sampled = belief.world(&rules, posterior, seen, seed);
                world.position = rules.position_text(sampled.state());
            }
        }
        Ok(report)
    }
}

impl SearchOne<'_> {
    /// As `--player` names them, then `--worlds` and `--sims`; no noise, no temperature.
    fn params(&self, player: Option<&Player>) -> anyhow::Result<SearchParams> {
        let base = match player.and_then(Player::params) {
            Some(params) => *params,
            None => play_params(&SearchOptions::default(), self.setting)?,
        };
        let params = SearchParams {
            worlds: self.args.worlds.unwrap_or(base.worlds),
            simulations: self.args.sims.unwrap_or(base.simulations),
            temperature: 0.0,
            ..base
        };
        params.check().map_err(|error| Usage(error.to_string()))?;
        Ok(params)
    }
}

fn seat_name(seat: Seat) -> &'static str {
    ["white", "black"][seat.idx()]
}

fn report<G: PipelineGame>(
    rules: &G,
    seat: Seat,
    player: String,
    belief: &str,
    support: Option<usize>,
    decision: &Decision<G>,
) -> SearchReport {
    let texts: Vec<String> = decision.actions.iter().map(|&a| rules.action_text(a)).collect();
    let world_actions = |n: &[u32], q: &[f32]| {
        let numbers = n.iter().zip(q);
        texts
            .iter()
            .zip(numbers)
            .map(|(action, (&n, &q))| WorldAction { action: action.clone(), n, q })
            .collect()
    };
    SearchReport {
        game: G::NAME.to_owned(),
        seat: seat_name(seat),
        player,
        belief: belief.to_owned(),
        support,
        simulations: decision.simulations(),
        actions: texts
            .iter()
            .zip(decision.action_indices.iter().zip(&decision.visits))
            .map(|(action, (&index, &n))| MergedAction { action: action.clone(), index, n })
            .collect(),
        worlds: decision
            .worlds
            .iter()
            .map(|world| SearchedWorld {
                world: world.world_idx,
                position: String::new(),
                simulations: world.simulations,
                actions: world_actions(&world.n, &world.q),
            })
            .collect(),
        chosen: texts[decision.chosen_idx].clone(),
        root_value: decision.root_value,
    }
}

/// A table: merged visits, then N and Q of each world.
fn text(report: &SearchReport) -> String {
    let width = report.actions.iter().map(|action| action.action.len()).max().unwrap_or(0).max(6);
    let mut lines = vec![format!(
        "{} {}: {} simulations in {} worlds of {} possible ({}), evaluated by {}",
        report.game,
        report.seat,
        report.simulations,
        report.worlds.len(),
        report.support.map_or("1".to_owned(), |support| support.to_string()),
        report.belief,
        report.player
    )];
    let heads: String =
        report.worlds.iter().map(|world| format!("{:>8} {:>6}", world.world, "Q")).collect();
    lines.push(format!("{:<width$} {:>6}{heads}", "action", "merged"));
    for (idx, action) in report.actions.iter().enumerate() {
        let cells: String = report
            .worlds
            .iter()
            .map(|world| format!("{:>8} {:>+6.2}", world.actions[idx].n, world.actions[idx].q))
            .collect();
        lines.push(format!("{:<width$} {:>6}{cells}", action.action, action.n));
    }
    lines.extend(report.worlds.iter().map(|w| format!("world {}: {}", w.world, w.position)));
    lines.push(format!("chosen {}, value {:+.3}", report.chosen, report.root_value));
    lines.join("\n")
}
