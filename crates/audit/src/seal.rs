//! Audit shards are encrypted to the auditor's public key: whoever writes one cannot read it back.
//!
//! | who | holds |
//! |---|---|
//! | worker | the [`Recipient`], from the run's configuration: seals, opens nothing |
//! | auditor, audit tools | the [`Identity`], from the key file: opens |
//! | coordinator, trainer | neither |
//!
//! A sealed file: [`MAGIC`], the recipient's 32 bytes, then libsodium's sealed box (`crypto_box_seal`: X25519,
//! XSalsa20-Poly1305) of the Parquet file. Nothing of it can be changed or cut without being noticed.

use crypto_box::aead::OsRng;
use crypto_box::{PublicKey, SecretKey};
use record::{ReadError, WriteError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The first bytes of a sealed file.
pub const MAGIC: &[u8; 16] = b"muster-sealed-1\n";
const KEY_LEN: usize = 32;
/// Text forms: the marks before 64 hexadecimal digits. The crate `run` writes the same.
const RECIPIENT: &str = "x25519:";
const SECRET: &str = "x25519-secret:";
/// A key file holds one line and comments; more than this is something else.
const KEY_FILE_BYTES_MAX: u64 = 64 << 10;

/// The public half: seals.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipient(PublicKey);

/// The private half: opens. Its text is never printed.
#[derive(Clone)]
pub struct Identity(SecretKey);

/// Text that is no recipient.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("audit recipient {0:?} is not x25519: and 64 hexadecimal digits")]
pub struct RecipientError(String);

/// Why there is no key to open audit shards with. The messages never hold key material.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error(
        "audit key {path}: {source}; audit shards open only with it: give the file with --key FILE \
         (training and self-play go on without it)"
    )]
    Read { path: PathBuf, source: std::io::Error },
    #[error(
        "audit key {path}: {reason}; it must hold the one x25519-secret:… line of the audit.key \
         that the run was created with"
    )]
    Format { path: PathBuf, reason: String },
    #[error(
        "audit key {path} belongs to {found}, the run's audit shards are sealed to {expected}; \
         give the key that was made with this run, with --key FILE"
    )]
    Other { path: PathBuf, found: Recipient, expected: Recipient },
}

impl Recipient {
    /// Encrypts a whole file in memory. `shard` names it in errors.
    pub fn seal(&self, shard: &str, plain: &[u8]) -> Result<Vec<u8>, WriteError> {
        let sealed = self.0.seal(&mut OsRng, plain).map_err(|error| WriteError::Seal {
            shard: shard.to_owned(),
            reason: error.to_string(),
        })?;
        Ok([MAGIC.as_slice(), self.0.as_bytes(), &sealed].concat())
    }
}

impl FromStr for Recipient {
    type Err = RecipientError;

    fn from_str(text: &str) -> Result<Recipient, RecipientError> {
        let bytes = text.strip_prefix(RECIPIENT).and_then(from_hex);
        match bytes.filter(|bytes| *bytes != [0; KEY_LEN]) {
            Some(bytes) => Ok(Recipient(PublicKey::from_bytes(bytes))),
            None => Err(RecipientError(text.to_owned())),
        }
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(RECIPIENT)?;
        self.0.as_bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn from_hex(text: &str) -> Option<[u8; KEY_LEN]> {
    if text.len() != 2 * KEY_LEN || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; KEY_LEN];
    for (byte, idx) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&text[idx..idx + 2], 16).ok()?;
    }
    Some(bytes)
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity(of {})", self.recipient())
    }
}

impl Identity {
    /// A new key, from the system's randomness.
    pub fn generate() -> Identity {
        Identity(SecretKey::generate(&mut OsRng))
    }

    /// Reads a key file.
    pub fn read(path: &Path) -> Result<Identity, KeyError> {
        let io = |source| KeyError::Read { path: path.to_owned(), source };
        let format =
            |reason: &str| KeyError::Format { path: path.to_owned(), reason: reason.to_owned() };
        let meta = std::fs::metadata(path).map_err(io)?;
        if !meta.is_file() || meta.len() > KEY_FILE_BYTES_MAX {
            return Err(format("no key file: it is no plain file or too long"));
        }
        let bytes = std::fs::read(path).map_err(io)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| format("it is no text"))?;
        let mut keys =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        match (keys.next(), keys.next()) {
            (Some(key), None) => match key.strip_prefix(SECRET).and_then(from_hex) {
                Some(bytes) => Ok(Identity(SecretKey::from_bytes(bytes))),
                None => Err(format("its line is no secret key, or was damaged")),
            },
            (None, _) => Err(format("it holds no key")),
            (Some(_), Some(_)) => Err(format("it holds more than one line that is no comment")),
        }
    }

    /// As [`Identity::read`]; refuses another key than the one that `recipient` seals to.
    pub fn read_for(path: &Path, recipient: &Recipient) -> Result<Identity, KeyError> {
        let identity = Identity::read(path)?;
        let found = identity.recipient();
        if found != *recipient {
            let expected = recipient.clone();
            return Err(KeyError::Other { path: path.to_owned(), found, expected });
        }
        Ok(identity)
    }

    /// The public half.
    pub fn recipient(&self) -> Recipient {
        Recipient(self.0.public_key())
    }

    /// Decrypts a whole file in memory. `shard` names it in errors. The plaintext is shorter than the file.
    pub fn open(&self, shard: &str, sealed: &[u8]) -> Result<Vec<u8>, ReadError> {
        let fault = |reason: String| ReadError::Sealed { shard: shard.to_owned(), reason };
        let rest =
            sealed.strip_prefix(MAGIC.as_slice()).and_then(|rest| rest.split_at_checked(KEY_LEN));
        let Some((recipient, sealed_box)) = rest else {
            return Err(fault("it is no sealed file, or its beginning is damaged".to_owned()));
        };
        let own = self.recipient();
        if recipient != own.0.as_bytes().as_slice() {
            return Err(fault(format!(
                "it is sealed to another key than {own}; give the key of the run it was made in, with --key FILE"
            )));
        }
        self.0
            .unseal(sealed_box)
            .map_err(|_| fault("the file is truncated, damaged or was changed".to_owned()))
    }
}
