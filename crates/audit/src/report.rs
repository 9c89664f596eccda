//! What a verification found.

use game::GameId;
use serde::{Serialize, Serializer};
use std::fmt;

/// Which check a finding comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// The file's digest or size is not the manifest's.
    Digest,
    /// The file does not decode, or is missing.
    Unreadable,
    /// File and manifest contradict each other, or a value is one that no row may hold.
    Manifest,
    /// A game does not replay from its record.
    Replay,
    /// A search's record contradicts itself or the legal actions of the truth.
    Search,
    /// A stored training row differs from the one the truth gives.
    Row,
    /// The truth gives a training row that is not stored.
    MissingRow,
    /// A stored training row that the truth does not give.
    SurplusRow,
    /// A sampled world is invalid or does not give back the observation.
    World,
    /// Two truths with one observation gave different bytes.
    TwoWorlds,
    /// The deal secret is missing, or is not the one whose digest the run names.
    DealSecret,
    /// An auditor found a difference in a shard, which therefore never entered the window.
    Verdict,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Finding {
    pub check: Check,
    /// Empty where no shard is meant.
    pub shard: String,
    /// Row of the shard's table, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "game_text")]
    pub game: Option<GameId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    pub detail: String,
}

impl Finding {
    pub fn new(check: Check, shard: &str, detail: String) -> Finding {
        Finding {
            check,
            shard: shard.to_owned(),
            row: None,
            column: None,
            game: None,
            ply: None,
            seat: None,
            detail,
        }
    }

    #[must_use]
    pub fn at(self, game: GameId, ply: Option<u16>, seat: Option<u8>) -> Finding {
        Finding { game: Some(game), ply, seat, ..self }
    }

    #[must_use]
    pub fn in_row(self, row: u64, column: Option<&'static str>) -> Finding {
        Finding { row: Some(row), column, ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.check)?;
        if !self.shard.is_empty() {
            write!(f, " shard {}", self.shard)?;
        }
        if let Some(row) = self.row {
            write!(f, " row {row}")?;
        }
        if let Some(column) = self.column {
            write!(f, " column {column}")?;
        }
        if let Some(game) = self.game {
            write!(f, " game {game}")?;
        }
        if let Some(ply) = self.ply {
            write!(f, " ply {ply}")?;
        }
        if let Some(seat) = self.seat {
            write!(f, " seat {seat}")?;
        }
        let mark = if self.shard.is_empty() && self.game.is_none() { "" } else { ":" };
        write!(f, "{mark} {}", self.detail)
    }
}

fn game_text<S: Serializer>(game: &Option<GameId>, to: S) -> Result<S::Ok, S::Error> {
    match game {
        Some(game) => to.collect_str(game),
        None => to.serialize_none(),
    }
}

/// How many findings a report lists; all of them are counted.
pub const FINDINGS_MAX: usize = 200;

/// The sum of a verification. Clean when `differences` is 0.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct AuditReport {
    /// Games rebuilt from their deal and recorded chance to their recorded end.
    pub games_replayed: u64,
    /// Plies of those games, chance included.
    pub plies_replayed: u64,
    /// Stored training rows compared with what the truth gives.
    pub rows_checked: u64,
    /// Those that are equal in every column.
    pub rederived_equal: u64,
    /// Worlds sampled again from their recorded seeds.
    pub worlds_checked: u64,
    /// Those that the rules refuse, or that give back another observation.
    pub worlds_invalid: u64,
    /// Decisions searched in two truths that differ and give one observation.
    pub two_world_pairs: u64,
    /// Everything that is wrong, in any check.
    pub differences: u64,
    /// The first of them.
    pub findings: Vec<Finding>,
}

impl AuditReport {
    pub fn is_clean(&self) -> bool {
        self.differences == 0
    }

    pub fn add(&mut self, finding: Finding) {
        self.differences += 1;
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(finding);
        }
    }

    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }
}
