//! The messages of the player protocol, one JSON object a line. `docs/player-protocol.md` describes each.
//!
//! | type | who says it | what it can hold |
//! |---|---|---|
//! | [`Told`] | the host, to a player | what the player's seat may know; there is no place for more |
//! | [`Said`] | a player, to the host | its answer |

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

/// The number of the protocol. Any change of any message raises it.
pub const PROTOCOL: u32 = 2;

/// What a host says.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Told {
    /// The first line: what is played and by which rules. Answered by [`Said::Ready`].
    Hello {
        protocol: u32,
        /// The game's name in the catalogue.
        game: String,
        /// Rules with their options, and the observation's name, as text.
        rules: String,
        /// blake3 of `rules`: a player that plays by other rules must not be ready.
        rules_fingerprint: String,
        /// Rules, features and action numbers of the host: for information.
        fingerprint: String,
        /// The limit of one answer, in seconds.
        move_seconds: f64,
    },
    /// A game begins; the one before it, if any, is over.
    Start {
        /// Tells games apart; nothing else can be read from it.
        game: String,
        /// The player's seat, from 0.
        seat: u8,
        /// The set-up in the game's notation.
        setup: String,
        /// What the seat knows before the first ply: canonical bytes as hexadecimal digits.
        now: String,
    },
    /// One ply, chance included, as the seat saw it.
    Event {
        event: String,
    },
    /// The seat is to act: answered by [`Said::Action`].
    Act {
        /// The legal actions in the game's notation, in the game's own order.
        legal: Vec<String>,
        /// What the seat knows now.
        now: String,
    },
    /// The game is over.
    End {
        result: EndResult,
        /// The seat's utility in the game's unit; absent in a truncated game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<f64>,
        /// Why the seat lost before the end of the game. What the other seat did wrong is not said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        forfeit: Option<String>,
    },
    Quit,
}

/// How a game ended for the seat.
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum EndResult {
    Win,
    Draw,
    Loss,
    Truncated,
}

/// What a player says. Fields that are not listed are left alone.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Said {
    /// The answer to hello.
    Ready {
        protocol: u32,
        /// What the player calls itself.
        #[serde(default)]
        player: String,
        /// The rules it plays by, if it knows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rules_fingerprint: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fingerprint: Option<String>,
    },
    Action {
        action: String,
        /// Root value in [-1, 1] from the player's view, where a search decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f32>,
        /// Simulations, where a search decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        simulations: Option<u32>,
    },
    /// The last message could not be followed; the player is as it was before it.
    Error { message: String },
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
