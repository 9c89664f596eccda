//! `muster play`: a person against any player, in a terminal. The person sees what its seat may know.

use crate::arena::game::MatchSeeds;
use crate::arena::unforeseeable_seed;
use crate::player::log::Destination;
use crate::player::program::ProgramArgs;
use crate::player::stream::Outcome;
use crate::player::{EvaluationArgs, Player, Sitting, Undecided, evaluator_of};
use crate::seat_arg::SeatArg;
use crate::setting::{Setting, SettingArgs};
use anyhow::{Context, bail};
use catalog::GameVisitor;
use clap::Args;
use game::{Belief, Ending, PipelineGame, Seat, Turn};
use net::NetEvaluator;
use referee::Truth;
use run::exit::Usage;
use run::{Exit, PlayerName};
use std::io::{BufRead, Write, stdin, stdout};

/// Play against a player: random, greedy, RUN@last, checkpoint:ID-or-PATH and their options, or exec:COMMAND, as in
/// `muster arena`.
///
/// You see the board as your seat knows it, what happened since your last decision, and your legal actions. Type
/// the number of an action or its text; `?` draws the position again; `q` leaves.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The other player.
    #[arg(default_value = "greedy")]
    pub against: PlayerName,
    /// Your seat.
    #[arg(long, value_enum, default_value_t = SeatArg::White)]
    pub seat: SeatArg,
    /// Deal, chance and the other player's search derive from this number; left out, it is drawn.
    #[arg(long)]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub setting: SettingArgs,
    #[command(flatten)]
    pub evaluation: EvaluationArgs,
    #[command(flatten)]
    pub programs: ProgramArgs,
}

/// Entry point of the command.
pub fn run(args: PlayArgs) -> anyhow::Result<Exit> {
    net::use_one_thread();
    if args.seat == SeatArg::Truth {
        bail!(Usage("a person plays white or black: --seat white".to_owned()));
    }
    let setting = Setting::find(&args.setting, &[&args.against])?;
    catalog::visit(&setting.game, &setting.rules, Play { args: &args, setting: &setting })?
}

struct Play<'a> {
    args: &'a PlayArgs,
    setting: &'a Setting,
}

impl GameVisitor for Play<'_> {
    type Output = anyhow::Result<Exit>;

    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output {
        // A program's own words would show the person what it knows.
        let host = self.args.programs.host(Destination::Nowhere);
        let against = &self.args.against;
        let opponent = Player::load_or_start(against, "opponent", &rules, self.setting, &host)?;
        let options = self.args.evaluation.options(&[&opponent], self.setting)?;
        let evaluator = evaluator_of(&opponent, &rules, options)?;
        let seed = self.args.seed.map_or_else(unforeseeable_seed, Ok)?;
        let person = self.args.seat.seat().context("a person has a seat")?;
        let table = Table { rules, belief, opponent, evaluator, person, seed };
        table.play(stdin().lock(), stdout().lock())
    }
}

/// A game between a person and a player.
pub struct Table<G: PipelineGame, B: Belief<G>> {
    pub rules: G,
    pub belief: B,
    pub opponent: Player,
    pub evaluator: Option<NetEvaluator<G>>,
    pub person: Seat,
    pub seed: u64,
}

impl<G: PipelineGame, B: Belief<G>> Table<G, B> {
    /// Plays to the end, or until the person leaves or the input ends.
    pub fn play(mut self, mut input: impl BufRead, mut out: impl Write) -> anyhow::Result<Exit> {
        let seeds = MatchSeeds::new(self.seed);
        let id = seeds.secret.game_id(0);
        let mut chance = seeds.secret.deal_stream(0);
        let setup = self.rules.deal(&mut chance);
        let mut truth = Truth::new(self.rules.clone(), &setup);
        let mut sitting = Sitting::new(&self.opponent, &self.rules, &self.belief);
        let mut n_told = 0;
        writeln!(out, "against {}; game {} (--seed {})", self.opponent.name, id, self.seed)?;
        loop {
            let action = match truth.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    truth.draw(&mut chance);
                    continue;
                }
                Turn::Seat(seat) if seat == self.person => {
                    n_told = self.tell(&truth, n_told, &mut out)?;
                    match self.ask(&truth, &mut input, &mut out)? {
                        Some(action) => action,
                        None => {
                            writeln!(out, "left after {} plies", truth.plies().len())?;
                            return Ok(Exit::Done);
                        }
                    }
                }
                Turn::Seat(seat) => {
                    let at = (seeds.search, id, truth.plies().len() as u32);
                    let seen = truth.observation(seat);
                    match sitting.decide(&self.rules, seen, at, self.evaluator.as_mut()) {
                        Ok((action, _)) => action,
                        Err(Undecided::Forfeit(forfeit)) => {
                            let outcome = Outcome::Forfeit(seat, &forfeit.reason);
                            sitting.end(&self.rules, seen, outcome);
                            writeln!(out, "the other player forfeits: {forfeit}\nyou won")?;
                            return Ok(Exit::Done);
                        }
                        Err(error) => return Err(error.into()),
                    }
                }
            };
            truth.play(action)?;
        }
        let seen = truth.observation(self.person.other());
        if let Some(ending) = truth.ending() {
            sitting.end(&self.rules, seen, Outcome::ByRules(ending));
        }
        self.tell(&truth, n_told, &mut out)?;
        writeln!(out, "{}", self.rules.draw_now(truth.observation(self.person).now()))?;
        writeln!(out, "{}", self.verdict(truth.ending()))?;
        Ok(Exit::Done)
    }

    /// Writes the plies since the last time, as the person saw them.
    fn tell(&self, truth: &Truth<G>, from: usize, out: &mut impl Write) -> anyhow::Result<usize> {
        let events = truth.observation(self.person).events();
        for event in &events[from..] {
            writeln!(out, "  {}", self.rules.draw_event(event))?;
        }
        Ok(events.len())
    }

    /// Asks until the person names a legal action; `None` when it leaves.
    fn ask(
        &self,
        truth: &Truth<G>,
        input: &mut impl BufRead,
        out: &mut impl Write,
    ) -> anyhow::Result<Option<G::Action>> {
        let now = truth.observation(self.person).now();
        let mut legal = Vec::new();
        let _ = self.rules.now_actions(now, &mut legal);
        self.draw(now, &legal, out)?;
        loop {
            write!(out, "> ")?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            match line.trim() {
                "" => {}
                "q" | "quit" => return Ok(None),
                "?" => self.draw(now, &legal, out)?,
                answer => match self.named(&legal, answer) {
                    Ok(action) => return Ok(Some(action)),
                    Err(problem) => writeln!(out, "{problem}")?,
                },
            }
        }
    }

    fn named(&self, legal: &[G::Action], answer: &str) -> Result<G::Action, String> {
        if let Ok(number) = answer.parse::<usize>() {
            let place = number.checked_sub(1).and_then(|idx| legal.get(idx));
            return place
                .copied()
                .ok_or(format!("{number} is not a number of 1..={}", legal.len()));
        }
        let action = self.rules.parse_action(answer).map_err(|error| error.to_string())?;
        match legal.contains(&action) {
            true => Ok(action),
            false => Err(format!("{answer} is not legal here; ? lists what is")),
        }
    }

    fn draw(&self, now: &G::Now, legal: &[G::Action], out: &mut impl Write) -> anyhow::Result<()> {
        writeln!(out, "\n{}\n", self.rules.draw_now(now))?;
        let texts: Vec<String> = legal
            .iter()
            .enumerate()
            .map(|(idx, &action)| format!("{:>3} {}", idx + 1, self.rules.action_text(action)))
            .collect();
        let width = texts.iter().map(String::len).max().unwrap_or(0) + 3;
        let columns = (110 / width).max(1);
        for row in texts.chunks(columns) {
            let cells: Vec<String> = row.iter().map(|text| format!("{text:<width$}")).collect();
            writeln!(out, "{}", cells.concat().trim_end())?;
        }
        Ok(())
    }

    fn verdict(&self, ending: Option<Ending>) -> &'static str {
        match ending {
            Some(Ending::Scored(utility)) => match utility.of(self.person) {
                points if points > 0.0 => "you won",
                points if points < 0.0 => "you lost",
                _ => "a draw",
            },
            Some(Ending::Truncated) | None => "truncated: the cap ended the game without a result",
        }
    }
}
