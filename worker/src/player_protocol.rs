//! `muster player`: a player as a process. One JSON object a line, in on standard input, out on standard output; the
//! process is told what its seat may know and nothing else. `docs/player-protocol.md` describes every message.

use crate::player::{EvaluationArgs, Player, Sitting, evaluator_of};
use crate::setting::{Setting, SettingArgs};
use anyhow::{Context, bail, ensure};
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, GameId, Observation, PipelineGame, RunSeed, Turn};
use net::NetEvaluator;
use run::{Exit, PlayerName};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write, stdin, stdout};

/// The version of the protocol; another one is refused by the host.
pub const PROTOCOL: u32 = 1;

/// Run a player as a process that is asked on standard input and answers on standard output.
#[derive(Args, Debug)]
pub struct PlayerArgs {
    /// random, greedy, RUN@last, checkpoint:ID-or-PATH and their options, as in `muster arena`.
    pub player: PlayerName,
    /// The player's searches derive from this number.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub setting: SettingArgs,
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
}

/// What a host says.
#[derive(Deserialize, Serialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Told {
    /// A game begins. `now` is what the player's seat knows: its canonical bytes as hexadecimal digits.
    NewGame {
        /// Tells games apart; the player's random streams derive from it. At most 16 bytes are used.
        #[serde(default)]
        game: String,
        now: String,
    },
    /// A ply was played: its event as the seat saw it, and what the seat knows after it.
    Ply {
        event: String,
        now: String,
    },
    /// The seat is to act: answer with an action.
    Decide,
    Quit,
}

/// What a player says.
#[derive(Deserialize, Serialize, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said {
    /// The first line.
    Ready { protocol: u32, player: String, game: String, observation: String, fingerprint: String },
    Action {
        action: String,
        /// Root value in [-1, 1] from the player's view, where a search decided.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<f32>,
        /// Simulations, where a search decided.
        #[serde(skip_serializing_if = "Option::is_none")]
        simulations: Option<u32>,
    },
    /// The last message could not be followed; the player is as it was before it.
    Error { message: String },
}

/// Entry point of the command.
pub fn run(args: PlayerArgs) -> anyhow::Result<Exit> {
    net::use_one_thread();
    let setting = Setting::find(&args.setting, &[&args.player])?;
    catalog::visit(&setting.game, &setting.rules, Serve { args: &args, setting: &setting })?
}

struct Serve<'a> {
    args: &'a PlayerArgs,
    setting: &'a Setting,
}

impl GameVisitor for Serve<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        let player = Player::load(&self.args.player, &rules, self.setting)?;
        let options = self.args.evaluation.options(&[&player], self.setting)?;
        let evaluator = evaluator_of(&player, &rules, options)?;
        let seed = RunSeed(self.args.seed);
        Process::new(rules, belief, player, evaluator, seed).serve(stdin().lock(), stdout().lock())
    }
}

/// A player that follows one game at a time.
pub struct Process<G: PipelineGame, B: Belief<G>> {
    rules: G,
    belief: B,
    player: Player,
    evaluator: Option<NetEvaluator<G>>,
    seed: RunSeed,
    game: Option<(GameId, Observation<G>, Sitting<G, B>)>,
}

impl<G: PipelineGame, B: Belief<G>> Process<G, B> {
    pub fn new(
        rules: G,
        belief: B,
        player: Player,
        evaluator: Option<NetEvaluator<G>>,
        seed: RunSeed,
    ) -> Self {
        Process { rules, belief, player, evaluator, seed, game: None }
    }

    /// Answers until `quit` or the end of the input.
    pub fn serve(mut self, input: impl BufRead, mut out: impl Write) -> anyhow::Result<Exit> {
        self.say(&mut out, &self.ready())?;
        for line in input.lines() {
            let line = line.context("standard input")?;
            if line.trim().is_empty() {
                continue;
            }
            let told = serde_json::from_str::<Told>(&line);
            let said = match told.context("not a message of this protocol") {
                Ok(Told::Quit) => break,
                Ok(told) => self.follow(told),
                Err(error) => Err(error),
            };
            match said {
                Ok(None) => {}
                Ok(Some(said)) => self.say(&mut out, &said)?,
                Err(error) => {
                    self.say(&mut out, &Said::Error { message: format!("{error:#}") })?;
                }
            }
        }
        Ok(Exit::Done)
    }

    fn say(&self, out: &mut impl Write, said: &Said) -> anyhow::Result<()> {
        writeln!(out, "{}", serde_json::to_string(said)?)?;
        out.flush().context("standard output")
    }

    fn ready(&self) -> Said {
        Said::Ready {
            protocol: PROTOCOL,
            player: self.player.name.clone(),
            game: G::NAME.to_owned(),
            observation: G::OBSERVATION.to_owned(),
            fingerprint: self.rules.fingerprint().to_string(),
        }
    }

    fn follow(&mut self, told: Told) -> anyhow::Result<Option<Said>> {
        match told {
            Told::NewGame { game, now } => {
                let now = self.read_now(&now)?;
                let seat = self.rules.now_observer(&now);
                let sitting = Sitting::new(&self.player, &self.rules, &self.belief);
                let mut id = [0; 16];
                let n = game.len().min(16);
                id[..n].copy_from_slice(&game.as_bytes()[..n]);
                self.game = Some((GameId(id), Observation::begin(seat, now), sitting));
                Ok(None)
            }
            Told::Ply { event, now } => {
                let now = self.read_now(&now)?;
                let event = self.rules.parse_event(&event)?;
                let (_, seen, _) = self.game.as_mut().context("no game has begun")?;
                let observer = self.rules.now_observer(&now);
                ensure!(observer == seen.seat(), "now is of {observer:?}, not {:?}", seen.seat());
                seen.extend(event, now);
                Ok(None)
            }
            Told::Decide => self.decide().map(Some),
            Told::Quit => bail!("quit ends the process"),
        }
    }

    fn decide(&mut self) -> anyhow::Result<Said> {
        let (id, seen, sitting) = self.game.as_mut().context("no game has begun")?;
        let turn = self.rules.now_turn(seen.now());
        ensure!(turn == Turn::Seat(seen.seat()), "{:?} is not to act", seen.seat());
        let at = (self.seed, *id, seen.events().len() as u32);
        let (action, decision) = sitting.decide(&self.rules, seen, at, self.evaluator.as_mut())?;
        let searched = decision.filter(|decision| decision.is_searched());
        Ok(Said::Action {
            action: self.rules.action_text(action),
            value: searched.as_ref().map(|decision| decision.root_value),
            simulations: searched.as_ref().map(|decision| decision.simulations()),
        })
    }

    fn read_now(&self, digits: &str) -> anyhow::Result<G::Now> {
        Ok(self.rules.read_now(&from_hex(digits).context("now")?)?)
    }
}

/// Lower-case hexadecimal digits, two a byte.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub fn from_hex(digits: &str) -> anyhow::Result<Vec<u8>> {
    ensure!(
        digits.len().is_multiple_of(2) && digits.bytes().all(|b| b.is_ascii_hexdigit()),
        "expected an even number of hexadecimal digits"
    );
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).context("hexadecimal digits"))
        .collect()
}
