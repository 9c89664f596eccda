//! Who calls. The auditor shows a credential of its own; workers and the trainer have none yet, so everybody else is
//! anybody.

use anyhow::Context as _;
use proto::{AUDITOR_KEY, Code, WireError};
use run::RunFolder;
use tonic::metadata::MetadataMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caller {
    Anybody,
    Auditor,
}

/// What the coordinator keeps of the auditor's credential: enough to recognize it, not to show it.
#[derive(Clone, Copy)]
pub struct Credentials {
    auditor: blake3::Hash,
}

impl Credentials {
    /// Reads the run's auditor token, or draws one where there is none yet.
    pub fn of(folder: &RunFolder) -> anyhow::Result<Credentials> {
        let token = folder.auditor_token().context("the auditor's token")?;
        Ok(Credentials { auditor: blake3::hash(token.as_bytes()) })
    }

    /// A credential that is shown and wrong is refused, whatever is asked for.
    pub fn caller(&self, metadata: &MetadataMap) -> Result<Caller, WireError> {
        let Some(shown) = metadata.get(AUDITOR_KEY) else { return Ok(Caller::Anybody) };
        // Equality of hashes takes the same time wherever they differ.
        if blake3::hash(shown.as_bytes()) == self.auditor {
            return Ok(Caller::Auditor);
        }
        let text = "this is not the auditor's token of this run; give the file audit/auditor.token \
                    of the run folder";
        Err(WireError::about(Code::Unauthenticated, AUDITOR_KEY, text))
    }

    pub fn expect_auditor(&self, metadata: &MetadataMap) -> Result<(), WireError> {
        match self.caller(metadata)? {
            Caller::Auditor => Ok(()),
            Caller::Anybody => {
                let text = "only the auditor verifies: its calls carry the run's auditor token";
                Err(WireError::about(Code::Unauthenticated, AUDITOR_KEY, text))
            }
        }
    }

    pub fn expect_no_auditor(&self, metadata: &MetadataMap) -> Result<(), WireError> {
        match self.caller(metadata)? {
            Caller::Anybody => Ok(()),
            Caller::Auditor => {
                let text = "the auditor's token verifies and does nothing else: it commits, uploads \
                            and registers nothing, and plays no games";
                Err(WireError::about(Code::Unauthenticated, AUDITOR_KEY, text))
            }
        }
    }
}
