//! `muster player`: a player as a process. One JSON object a line, in on standard input, out on standard output; the
//! process is told what its seat may know and nothing else. `docs/player-protocol.md` describes every message.

use crate::player::message::{PROTOCOL, Said, Told, from_hex};
use crate::player::{EvaluationArgs, Player, Sitting, evaluator_of};
use crate::setting::{Setting, SettingArgs};
use anyhow::{Context, bail, ensure};
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, Fingerprint, GameId, Observation, PipelineGame, RunSeed, Turn};
use net::NetEvaluator;
use run::{Exit, PlayerName};
use std::io::{BufRead, Write, stdin, stdout};

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
    is_greeted: bool,
    game: Option<Followed<G, B>>,
}

/// The game at hand.
struct Followed<G: PipelineGame, B: Belief<G>> {
    id: GameId,
    seen: Observation<G>,
    /// Events since the last decision.
    news: Vec<G::Event>,
    sitting: Sitting<G, B>,
}

impl<G: PipelineGame, B: Belief<G>> Process<G, B> {
    pub fn new(
        rules: G,
        belief: B,
        player: Player,
        evaluator: Option<NetEvaluator<G>>,
        seed: RunSeed,
    ) -> Self {
        Process { rules, belief, player, evaluator, seed, is_greeted: false, game: None }
    }

    /// Answers until `quit` or the end of the input.
    pub fn serve(mut self, input: impl BufRead, mut out: impl Write) -> anyhow::Result<Exit> {
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

    fn follow(&mut self, told: Told) -> anyhow::Result<Option<Said>> {
        match told {
            Told::Hello { protocol, game, rules, rules_fingerprint, .. } => {
                self.greet(protocol, &game, &rules, &rules_fingerprint).map(Some)
            }
            Told::Start { game, seat, setup, now } => {
                ensure!(self.is_greeted, "hello comes first");
                self.start(&game, seat, &setup, &now)?;
                Ok(None)
            }
            Told::Event { event } => {
                let event = self.rules.parse_event(&event)?;
                self.game.as_mut().context("no game has begun")?.news.push(event);
                Ok(None)
            }
            Told::Act { legal, now } => self.decide(&legal, &now).map(Some),
            Told::End { .. } => {
                self.game = None;
                Ok(None)
            }
            Told::Quit => bail!("quit ends the process"),
        }
    }

    fn greet(
        &mut self,
        protocol: u32,
        game: &str,
        rules: &str,
        rules_fingerprint: &str,
    ) -> anyhow::Result<Said> {
        ensure!(protocol == PROTOCOL, "the host speaks protocol {protocol}, not {PROTOCOL}");
        ensure!(game == G::NAME, "the host plays {game}, not {}", G::NAME);
        let text = self.rules.rules_text();
        let own = Fingerprint::of_text(&text).to_string();
        ensure!(
            rules_fingerprint == own,
            "the host plays by other rules, {:?} instead of {:?}: name the run with --run",
            rules.trim_end(),
            text.trim_end()
        );
        self.is_greeted = true;
        Ok(Said::Ready {
            protocol: PROTOCOL,
            player: self.player.name.clone(),
            rules_fingerprint: Some(own),
            fingerprint: Some(self.rules.fingerprint().to_string()),
        })
    }

    fn start(&mut self, game: &str, seat: u8, setup: &str, now: &str) -> anyhow::Result<()> {
        let now = self.read_now(now)?;
        let observer = self.rules.now_observer(&now);
        ensure!(usize::from(seat) == observer.idx(), "now is of seat {}", observer.idx());
        let own = self.rules.setup_text(&self.rules.now_setup(&now));
        ensure!(setup == own, "now is of the set-up {own:?}, not {setup:?}");
        self.game = Some(Followed {
            id: game_id(game),
            seen: Observation::begin(observer, now),
            news: Vec::new(),
            sitting: Sitting::new(&self.player, &self.rules, &self.belief),
        });
        Ok(())
    }

    fn decide(&mut self, legal: &[String], now: &str) -> anyhow::Result<Said> {
        let now = self.read_now(now)?;
        let Followed { id, seen, news, sitting } =
            self.game.as_mut().context("no game has begun")?;
        let observer = self.rules.now_observer(&now);
        ensure!(observer == seen.seat(), "now is of seat {}", observer.idx());
        ensure!(self.rules.now_turn(&now) == Turn::Seat(observer), "the seat is not to act");
        let mut own = Vec::new();
        let _ = self.rules.now_actions(&now, &mut own);
        let own: Vec<String> = own.into_iter().map(|a| self.rules.action_text(a)).collect();
        ensure!(own == legal, "the host's legal actions differ from those of now");
        for event in news.drain(..) {
            seen.extend(event, now.clone());
        }
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

/// The game's id where the host says it in 32 hexadecimal digits, as the arena does; else a digest of the text.
fn game_id(text: &str) -> GameId {
    let mut id = [0; 16];
    match from_hex(text) {
        Ok(bytes) if bytes.len() == id.len() => id.copy_from_slice(&bytes),
        _ => id.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..16]),
    }
    GameId(id)
}
