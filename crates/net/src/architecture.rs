//! Which network: its kind and its size.

use serde::{Deserialize, Serialize};

/// A network's kind and size, as configs and checkpoint headers carry it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Architecture {
    /// Residual convolutions over the board, without normalisation.
    Residual {
        /// Residual blocks of two convolutions each, 0..=64.
        blocks: usize,
        /// Channels of the trunk, 1..=1024.
        channels: usize,
        /// Width of the layer over the whole board that feeds the value and the flat logits, 1..=65536.
        value_hidden: usize,
    },
    /// Two layers on the flattened input row: for tests of the plumbing.
    Mlp {
        /// Width of both hidden layers, 1..=65536.
        hidden: usize,
    },
}

/// A size that no network has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("network {0} is out of range: blocks 0 to 64, channels 1 to 1024, hidden 1 to 65536")]
pub struct ArchitectureOutOfRange(pub Architecture);

impl Architecture {
    pub fn validate(self) -> Result<(), ArchitectureOutOfRange> {
        let fits = match self {
            Architecture::Residual { blocks, channels, value_hidden } => {
                blocks <= 64
                    && (1..=1024).contains(&channels)
                    && (1..=65_536).contains(&value_hidden)
            }
            Architecture::Mlp { hidden } => (1..=65_536).contains(&hidden),
        };
        if fits { Ok(()) } else { Err(ArchitectureOutOfRange(self)) }
    }
}

impl std::fmt::Display for Architecture {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Architecture::Residual { blocks, channels, value_hidden } => {
                write!(f, "residual {blocks}×{channels}, value {value_hidden}")
            }
            Architecture::Mlp { hidden } => write!(f, "mlp {hidden}"),
        }
    }
}
