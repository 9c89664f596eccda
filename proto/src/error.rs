//! Errors on the wire: a restricted code, a capped text, and a typed detail so that nobody parses text.

use crate::limits::ERROR_TEXT_BYTES_MAX;
use crate::v1::{ErrorCode, ErrorDetail};
use prost::Message;
use std::fmt;
use tonic::{Code as GrpcCode, Status};

/// What went wrong, as far as a caller branches on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Code {
    /// No such job, checkpoint or method.
    NotFound,
    /// The request cannot be true or is not allowed now; repeating it will not help.
    FailedPrecondition,
    /// The lease is not current: it ran out, was given back, or belongs to another worker.
    LeaseLost,
    /// The checkpoint is not the one the lease names.
    StaleCheckpoint,
    /// Another fingerprint or another schema.
    SchemaMismatch,
    /// Not now; ask again.
    Busy,
    /// Not allowed to this caller.
    Unauthenticated,
    /// The coordinator failed; whether the call was applied is unknown.
    Internal,
    /// No answer, or one that is not ours: connection, deadline, proxy. Whether the call was applied is unknown.
    Transport,
}

/// The one table between our codes, their number on the wire and gRPC's codes.
const TABLE: [(Code, ErrorCode, GrpcCode); 8] = [
    (Code::NotFound, ErrorCode::NotFound, GrpcCode::NotFound),
    (Code::FailedPrecondition, ErrorCode::FailedPrecondition, GrpcCode::FailedPrecondition),
    (Code::LeaseLost, ErrorCode::LeaseLost, GrpcCode::Aborted),
    (Code::StaleCheckpoint, ErrorCode::StaleCheckpoint, GrpcCode::FailedPrecondition),
    (Code::SchemaMismatch, ErrorCode::SchemaMismatch, GrpcCode::InvalidArgument),
    (Code::Busy, ErrorCode::Busy, GrpcCode::Unavailable),
    (Code::Unauthenticated, ErrorCode::Unauthenticated, GrpcCode::Unauthenticated),
    (Code::Internal, ErrorCode::Internal, GrpcCode::Internal),
];

/// An error as both sides see it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub struct WireError {
    pub code: Code,
    /// Which thing it is about (an id or a field); may be empty.
    pub subject: String,
    /// What, which, what to do; at most [`ERROR_TEXT_BYTES_MAX`] bytes.
    pub text: String,
}

impl WireError {
    /// An error about nothing in particular.
    pub fn new(code: Code, text: impl fmt::Display) -> WireError {
        WireError::about(code, "", text)
    }

    /// An error about `subject`.
    pub fn about(code: Code, subject: impl fmt::Display, text: impl fmt::Display) -> WireError {
        WireError { code, subject: capped(subject.to_string()), text: capped(text.to_string()) }
    }

    /// True if the call surely changed nothing. False means unknown: repeat the same call.
    pub fn is_certainly_not_applied(&self) -> bool {
        !matches!(self.code, Code::Internal | Code::Transport)
    }

    /// True if the same call may succeed later.
    pub fn is_transient(&self) -> bool {
        matches!(self.code, Code::Busy | Code::Internal | Code::Transport)
    }
}

impl From<WireError> for Status {
    fn from(error: WireError) -> Status {
        let (wire, grpc) = TABLE
            .iter()
            .find(|(code, ..)| *code == error.code)
            .map_or((ErrorCode::Unspecified, GrpcCode::Unavailable), |row| (row.1, row.2));
        let detail = ErrorDetail { code: wire as i32, subject: capped(error.subject) };
        Status::with_details(grpc, capped(error.text), detail.encode_to_vec().into())
    }
}

impl From<Status> for WireError {
    fn from(status: Status) -> WireError {
        let detail = if status.details().is_empty() {
            None
        } else {
            ErrorDetail::decode(status.details()).ok()
        };
        let code = detail
            .as_ref()
            .and_then(|detail| TABLE.iter().find(|row| row.1 as i32 == detail.code))
            .map_or_else(|| without_detail(status.code()), |row| row.0);
        let subject = detail.map(|detail| capped(detail.subject)).unwrap_or_default();
        let text = if status.message().is_empty() {
            format!("{:?}", status.code())
        } else {
            status.message().to_owned()
        };
        WireError { code, subject, text: capped(text) }
    }
}

/// tonic's own refusals come without our detail; only those that are made before any handler runs may be told
/// from a lost call.
fn without_detail(code: GrpcCode) -> Code {
    match code {
        GrpcCode::Unimplemented | GrpcCode::NotFound => Code::NotFound,
        GrpcCode::Unauthenticated | GrpcCode::PermissionDenied => Code::Unauthenticated,
        GrpcCode::InvalidArgument | GrpcCode::OutOfRange => Code::FailedPrecondition,
        _ => Code::Transport,
    }
}

/// Cuts a text to [`ERROR_TEXT_BYTES_MAX`] bytes at a character border, and shows that it was cut.
pub fn capped(mut text: String) -> String {
    const MARK: &str = " …";
    if text.len() > ERROR_TEXT_BYTES_MAX {
        let mut end = ERROR_TEXT_BYTES_MAX - MARK.len();
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str(MARK);
    }
    text
}

#[cfg(test)]
mod tests {
    //! Proves that each code survives the wire, that foreign statuses never claim that nothing happened, and that
    //! no text is long enough to stall a stream.
    use super::*;

    #[test]
    fn every_code_comes_back() {
        for (code, ..) in TABLE {
            let error = WireError::about(code, "job 7", "lease of job 7 ran out");
            assert_eq!(WireError::from(Status::from(error.clone())), error);
        }
    }

    #[test]
    fn long_texts_are_cut_at_a_character() {
        let error = WireError::new(Code::Internal, "ä".repeat(40_000));
        assert!(error.text.len() <= ERROR_TEXT_BYTES_MAX);
        assert!(error.text.ends_with(" …"));
        let foreign = WireError::from(Status::unknown("x".repeat(70_000)));
        assert!(foreign.text.len() <= ERROR_TEXT_BYTES_MAX);
    }

    #[test]
    fn a_lost_answer_may_have_been_applied() {
        for code in [GrpcCode::Unavailable, GrpcCode::DeadlineExceeded, GrpcCode::Cancelled] {
            let error = WireError::from(Status::new(code, "gone"));
            assert!(!error.is_certainly_not_applied());
            assert!(error.is_transient());
        }
        assert!(WireError::new(Code::LeaseLost, "").is_certainly_not_applied());
        assert!(!WireError::new(Code::LeaseLost, "").is_transient());
    }

    #[test]
    fn a_nonsense_detail_is_no_detail() {
        let status = Status::with_details(GrpcCode::Internal, "x", vec![0xff; 9].into());
        assert_eq!(WireError::from(status).code, Code::Transport);
    }
}
