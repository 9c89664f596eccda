//! The games of a match on disk: `match.json` (the report) and `games.jsonl` (one game a line, the full truth).

use super::game::{MatchedGame, seat_of_a};
use super::report::MatchReport;
use crate::player::forfeit::Fault;
use anyhow::{Context, ensure};
use game::{Ending, Notation, Observation, PipelineGame, Seat};
use run::exit::Usage;
use run::files::write_atomic;
use serde::{Deserialize, Serialize};
use stats::GameResult;
use std::fs;
use std::path::{Path, PathBuf};

const GAMES_FILE: &str = "games.jsonl";
const REPORT_FILE: &str = "match.json";

/// One line of `games.jsonl`. Set-up and plies are in the game's own notation, which reads back.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct KeptGame {
    /// Games 2p and 2p + 1 are pair p.
    pub game: u64,
    pub id: String,
    /// The seat of player A: 0 or 1.
    pub a_seat: u8,
    /// From A's view: win, draw, loss or truncated.
    pub result: String,
    pub setup: String,
    /// Chance outcomes included.
    pub plies: Vec<String>,
    /// Where a program's fault ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forfeit: Option<KeptForfeit>,
}

/// Who lost a kept game by a fault, and why.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct KeptForfeit {
    /// 0 or 1.
    pub seat: u8,
    pub fault: Fault,
    pub reason: String,
}

impl KeptGame {
    pub fn new<G: Notation + PipelineGame>(rules: &G, game: &MatchedGame<G>) -> KeptGame {
        let result = match game.result() {
            GameResult::Win => "win",
            GameResult::Draw => "draw",
            GameResult::Loss => "loss",
            GameResult::Truncated => "truncated",
        };
        KeptGame {
            game: game.number,
            id: game.id.to_string(),
            a_seat: seat_of_a(game.number).idx() as u8,
            result: result.to_owned(),
            setup: rules.setup_text(&game.setup),
            plies: game.plies.iter().map(|&ply| rules.action_text(ply)).collect(),
            forfeit: game.forfeit.as_ref().map(|(seat, forfeit)| KeptForfeit {
                seat: seat.idx() as u8,
                fault: forfeit.fault,
                reason: forfeit.reason.clone(),
            }),
        }
    }
}

/// A folder that may be written: one that does not exist or is empty.
pub fn claim(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("match folder {}", folder.display()))?;
    let is_empty = fs::read_dir(folder)
        .with_context(|| format!("match folder {}", folder.display()))?
        .next()
        .is_none();
    ensure!(
        is_empty,
        Usage(format!("match folder {} is not empty: name another with --out", folder.display()))
    );
    Ok(())
}

/// The first of `base`, `base-2`, `base-3`, … that does not exist.
pub fn unused(base: &Path) -> PathBuf {
    let name = base.file_name().unwrap_or_default().to_string_lossy().into_owned();
    std::iter::once(base.to_path_buf())
        .chain((2u32..).map(|n| base.with_file_name(format!("{name}-{n}"))))
        .find(|folder| !folder.exists())
        .unwrap_or_else(|| base.to_path_buf())
}

/// Writes games and report; the report last, so that a folder with one is whole.
pub fn write<G: PipelineGame>(
    folder: &Path,
    rules: &G,
    games: &[MatchedGame<G>],
    report: &MatchReport,
) -> anyhow::Result<()> {
    let mut lines = String::new();
    for game in games {
        lines.push_str(&serde_json::to_string(&KeptGame::new(rules, game))?);
        lines.push('\n');
    }
    for (file, text) in [(GAMES_FILE, lines), (REPORT_FILE, serde_json::to_string_pretty(report)?)]
    {
        let path = folder.join(file);
        write_atomic(&path, text.as_bytes()).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Reads one game of a match folder.
pub fn read(folder: &Path, number: u64) -> anyhow::Result<KeptGame> {
    let path = folder.join(GAMES_FILE);
    let text = fs::read_to_string(&path)
        .with_context(|| format!("{} (give the --out folder of a match)", path.display()))?;
    let line = usize::try_from(number).ok().and_then(|number| text.lines().nth(number));
    let line = line.with_context(|| {
        format!(
            "{} holds games 0 to {}, not {number}",
            path.display(),
            text.lines().count().max(1) - 1
        )
    })?;
    serde_json::from_str(line).with_context(|| format!("{} line {}", path.display(), number + 1))
}

/// Draws a kept game: the position before ply `ply` (the end, where none is named) as a seat knows it, or whole,
/// and the plies up to it.
pub fn draw<G: PipelineGame>(
    rules: &G,
    kept: &KeptGame,
    seat: Option<Seat>,
    ply: Option<usize>,
) -> anyhow::Result<String> {
    let setup = rules.parse_setup(&kept.setup)?;
    let mut state = rules.initial(&setup);
    let mut seen = seat.map(|seat| Observation::<G>::begin(seat, rules.now(&state, seat)));
    let n_plies = ply.unwrap_or(kept.plies.len()).min(kept.plies.len());
    let mut log = Vec::new();
    for (idx, text) in kept.plies[..n_plies].iter().enumerate() {
        let action = rules.parse_action(text)?;
        let before = state.clone();
        rules.play(&mut state, action).with_context(|| format!("ply {idx} of a kept game"))?;
        log.push(match &mut seen {
            None => format!("{idx:4} {text}"),
            Some(seen) => {
                let event = rules.event(&before, action, seen.seat());
                let line = format!("{idx:4} {}", rules.draw_event(&event));
                seen.extend(event, rules.now(&state, seen.seat()));
                line
            }
        });
    }
    let board = match &seen {
        None => rules.draw_state(&state),
        Some(seen) => rules.draw_now(seen.now()),
    };
    let forfeit = kept.forfeit.as_ref().filter(|_| n_plies == kept.plies.len());
    let ending = match rules.ending(&state) {
        None if forfeit.is_some() => {
            let KeptForfeit { seat, fault, reason } = forfeit.expect("it was just looked at");
            let name = ["first", "second"][usize::from(*seat != 0)];
            format!("the {name} seat forfeits: {}: {reason}", fault.name())
        }
        None => format!("ply {n_plies} of {}", kept.plies.len()),
        Some(Ending::Truncated) => "truncated".to_owned(),
        Some(Ending::Scored(utility)) => format!(
            "over: first seat {:+}, second seat {:+}",
            utility.of(Seat::FIRST),
            utility.of(Seat::SECOND)
        ),
    };
    Ok(format!("{}\n{board}\n{ending}", log.join("\n")))
}
