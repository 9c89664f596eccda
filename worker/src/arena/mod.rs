//! `muster arena`: two players head to head, or a ladder of a run's checkpoints.
//!
//! | file | what it is |
//! |---|---|
//! | `game` | one game: the referee's truth and a player on each seat |
//! | `pool` | all games of a match at once, in batches |
//! | `report` | wins, Elo, sequential test |
//! | `kept` | the games on disk, and how one is drawn again |
//! | `ladder`, `ladder_svg` | all checkpoints of a run |

pub mod game;
pub mod kept;
pub mod ladder;
mod ladder_svg;
pub mod pool;
pub mod report;

use crate::player::log::Destination;
use crate::player::program::ProgramArgs;
use crate::player::{EvaluationArgs, Player};
use crate::seat_arg::SeatArg;
use crate::setting::{Setting, SettingArgs};
use ::game::{Belief, PipelineGame};
use anyhow::{Context, bail};
use catalog::GameVisitor;
use clap::Args;
use game::MatchSeeds;
use pool::{MatchPlan, play_match};
use report::{MatchReport, SprtArgs};
use run::exit::Usage;
use run::{Exit, PlayerName, Progress};
use stats::Sprt;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// Play two players against each other, or rate all checkpoints of a run.
///
/// Every pair is two games with the same deal and the same chance, seats swapped. Searches use no noise; they
/// choose by temperature up to ply 10 and take the most visited action after it.
///
/// Players: random, greedy, RUN@first, RUN@last, RUN@STEP, checkpoint:ID-or-PATH; the last four with options, as
/// in runs/x@last,sims=400,worlds=8. exec:COMMAND seats any program that speaks the player protocol
/// (docs/player-protocol.md); what it does wrong costs it the game.
#[derive(Args, Debug)]
pub struct ArenaArgs {
    /// Player A, from whose view results are given.
    #[arg(required_unless_present_any = ["ladder", "show"])]
    pub a: Option<PlayerName>,
    /// Player B.
    #[arg(required_unless_present_any = ["ladder", "show"])]
    pub b: Option<PlayerName>,
    /// Rate all checkpoints of this run folder instead.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["a", "b", "show", "run"])]
    pub ladder: Option<PathBuf>,
    /// Draw this game of the match kept under --out instead.
    #[arg(long, value_name = "GAME", requires = "out", conflicts_with_all = ["a", "b"])]
    pub show: Option<u64>,
    /// With --show: what this seat knew, or the truth.
    #[arg(long, value_enum, default_value_t = SeatArg::Truth)]
    pub seat: SeatArg,
    /// With --show: the position before this ply; left out, the end.
    #[arg(long)]
    pub ply: Option<usize>,
    /// Pairs of games (of each encounter of a ladder).
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub pairs: Option<u32>,
    /// Deals, chance and searches of the match derive from this number. Left out it is 1, or drawn where an exec:
    /// player sits: a program that knows the number could foresee the deals.
    #[arg(long)]
    pub seed: Option<u64>,
    /// Folder for the games and the report; left out, one under the run's `matches`, if there is a run.
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Threads that play; 0 means one a core.
    #[arg(long, default_value_t = 0)]
    pub threads: u32,
    #[command(flatten)]
    pub setting: SettingArgs,
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
    #[command(flatten)]
    pub programs: ProgramArgs,
    #[command(flatten)]
    pub sprt: SprtArgs,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Entry point of the command.
pub fn run(args: ArenaArgs) -> anyhow::Result<Exit> {
    net::use_one_thread();
    if let Some(root) = &args.ladder {
        let setting = SettingArgs { run: Some(root.clone()), ..args.setting.clone() };
        let setting = Setting::find(&setting, &[])?;
        return catalog::visit(
            &setting.game,
            &setting.rules,
            ladder::Ladder { args: &args, setting: &setting },
        )?;
    }
    if let (Some(number), Some(folder)) = (args.show, &args.out) {
        let setting = Setting::find(&args.setting, &[])?;
        let kept = kept::read(folder, number)?;
        let show = Show { kept, args: &args };
        return catalog::visit(&setting.game, &setting.rules, show)?;
    }
    let (Some(a), Some(b)) = (&args.a, &args.b) else {
        bail!(Usage("name two players, or --ladder RUN".to_owned()));
    };
    let setting = Setting::find(&args.setting, &[a, b])?;
    let arena = Arena { args: &args, setting: &setting, names: [a, b] };
    catalog::visit(&setting.game, &setting.rules, arena)?
}

/// How many threads `--threads` asks for.
pub fn threads(asked: u32) -> usize {
    match asked {
        0 => available_parallelism().map_or(1, usize::from),
        n => n as usize,
    }
}

/// Characters of a player's name in the name of a match folder.
const PLAYER_IN_PATH_MAX: usize = 80;

/// A seed that no program can guess, of so many bits that any JSON reader keeps it whole.
pub fn unforeseeable_seed() -> anyhow::Result<u64> {
    let mut bytes = [0; 8];
    let source = Path::new("/dev/urandom");
    File::open(source)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .with_context(|| source.display().to_string())?;
    Ok(u64::from_le_bytes(bytes) >> 11)
}

struct Arena<'a> {
    args: &'a ArenaArgs,
    setting: &'a Setting,
    names: [&'a PlayerName; 2],
}

impl GameVisitor for Arena<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let SprtArgs { elo0, elo1, alpha, beta } = self.args.sprt;
        let sprt = Sprt::new(elo0, elo1, alpha, beta).map_err(|error| Usage(error.to_string()))?;
        let [a, b] = self.names;
        let seed = match self.args.seed {
            Some(seed) => seed,
            None if self.has_program() => unforeseeable_seed()?,
            None => 1,
        };
        let folder = self.folder(seed);
        if let Some(folder) = &folder {
            kept::claim(folder)?;
        }
        let log = folder.as_ref().map(|folder| Destination::File(folder.join("programs.log")));
        let host = self.args.programs.host(log.unwrap_or(Destination::Stderr));
        let load = |name, label| Player::load_or_start(name, label, &rules, self.setting, &host);
        let players = [load(a, "a")?, load(b, "b")?];
        let n_pairs = self.args.pairs.unwrap_or(self.setting.arena().pairs);
        let plan = MatchPlan {
            players: &players,
            seeds: MatchSeeds::new(seed),
            n_games: 2 * u64::from(n_pairs),
            evaluator: self.args.evaluation.options(&[&players[0], &players[1]], self.setting)?,
            n_threads: threads(self.args.threads),
        };
        let progress = Progress::new("arena", Some(plan.n_games), "games");
        let games = play_match(&rules, &belief, &plan, &progress)?;
        progress.finish();
        let names = players.clone().map(|player| player.name);
        let options = plan.evaluator;
        let numerics = net::numerics(options.precision, options.batch_size);
        let report = MatchReport::new(&rules, names, &games, &sprt, seed, numerics);
        if let Some(folder) = &folder {
            kept::write(folder, &rules, &games, &report)?;
            eprintln!(
                "games kept: muster arena --show 0 --out {}{}",
                folder.display(),
                self.setting
                    .run
                    .as_ref()
                    .map_or_else(String::new, |run| { format!(" --run {}", run.root().display()) })
            );
        }
        match self.args.json {
            true => println!("{}", serde_json::to_string(&report)?),
            false => println!("{}", report.text()),
        }
        Ok(Exit::Done)
    }
}

impl Arena<'_> {
    fn has_program(&self) -> bool {
        self.names.iter().any(|name| matches!(name, PlayerName::Exec { .. }))
    }

    fn folder(&self, seed: u64) -> Option<PathBuf> {
        if self.args.out.is_some() {
            return self.args.out.clone();
        }
        let run = self.setting.run.as_ref()?;
        let plain = |name: &PlayerName| {
            let text = name.to_string();
            let last = text.rsplit('/').next().unwrap_or_default();
            let last = last.chars().take(PLAYER_IN_PATH_MAX).collect::<String>();
            last.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.@=,".contains(c), "_")
        };
        let [a, b] = self.names.map(plain);
        Some(kept::unused(&run.matches_dir().join(format!("{a}-vs-{b}-{seed}"))))
    }
}

struct Show<'a> {
    kept: kept::KeptGame,
    args: &'a ArenaArgs,
}

impl GameVisitor for Show<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, _: B) -> Self::Output {
        println!("{}", kept::draw(&rules, &self.kept, self.args.seat.seat(), self.args.ply)?);
        let name = ["first", "second"][usize::from(self.kept.a_seat != 0)];
        println!("A had the {name} seat: {}", self.kept.result);
        Ok(Exit::Done)
    }
}
