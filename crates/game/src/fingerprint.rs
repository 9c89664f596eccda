//! Which rules, features and action numbers some data was made with. It stands in every shard, manifest and
//! checkpoint; a reader refuses another and prints both texts.

use std::fmt;
use std::str::FromStr;

/// blake3 over the canonical text of [`Fingerprinted::fingerprint_text`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub fn of_text(text: &str) -> Fingerprint {
        Fingerprint(*blake3::hash(text.as_bytes()).as_bytes())
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A fingerprint is 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a fingerprint: expected 64 hexadecimal digits")]
pub struct NotAFingerprint(pub String);

impl FromStr for Fingerprint {
    type Err = NotAFingerprint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        blake3::Hash::from_hex(text)
            .map(|hash| Fingerprint(*hash.as_bytes()))
            .map_err(|_| NotAFingerprint(text.to_owned()))
    }
}

pub trait Fingerprinted {
    /// The canonical text: rules id, pool, options and cap; each feature's name and shape; the action spec.
    fn fingerprint_text(&self) -> String;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_text(&self.fingerprint_text())
    }

    /// The part of the canonical text that two programs must share to play with each other: rules, options and
    /// observation. Features and action numbers are each program's own business.
    fn rules_text(&self) -> String {
        self.fingerprint_text()
    }
}
