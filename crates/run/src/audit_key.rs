//! The key pair that a run's audit shards are sealed with: the private half is a file of its own, the public half
//! (the *recipient*) stands in the run's configuration and goes to the workers with it.

use crypto_box::SecretKey;
use std::fmt;

/// Text forms: the marks before 64 hexadecimal digits. The audit crate reads the same.
const RECIPIENT: &str = "x25519:";
const SECRET: &str = "x25519-secret:";

/// A new key pair, not yet written anywhere.
pub struct AuditKey(SecretKey);

impl AuditKey {
    /// Of 32 bytes from the system's randomness.
    pub fn of(bytes: [u8; 32]) -> AuditKey {
        AuditKey(SecretKey::from_bytes(bytes))
    }

    /// What the configuration holds as `audit.recipient`.
    pub fn recipient(&self) -> String {
        format!("{RECIPIENT}{}", hex(self.0.public_key().as_bytes()))
    }

    /// The key file, to be kept by the auditor alone.
    pub fn file_text(&self) -> String {
        format!(
            "# opens the audit shards that are sealed to {}; keep it from whoever trains\n{SECRET}{}\n",
            self.recipient(),
            hex(&self.0.to_bytes())
        )
    }
}

impl fmt::Debug for AuditKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AuditKey(of {})", self.recipient())
    }
}

/// Whether `text` is a recipient that shards can be sealed to.
pub fn is_recipient(text: &str) -> bool {
    let digits = text.strip_prefix(RECIPIENT).and_then(|hex| blake3::Hash::from_hex(hex).ok());
    digits.is_some_and(|bytes| *bytes.as_bytes() != [0; 32])
}

fn hex(bytes: &[u8; 32]) -> String {
    blake3::Hash::from_bytes(*bytes).to_hex().to_string()
}
