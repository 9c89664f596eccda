//! muster.v1: services and messages.
//!
//! The messages and the `Coordinator` service are generated from `proto/muster/v1/coordinator.proto`, where each
//! field is described. Beside them stand the few things that both ends must do alike: [`limits`], how an [`endpoint`]
//! is opened, how errors travel ([`WireError`]) and what makes two commits the same ([`commit_digest`]).

mod channel;
mod chunk;
mod digest;
mod error;
mod job;
pub mod limits;

pub use channel::{endpoint, server};
pub use chunk::{chunk, is_intact};
pub use digest::commit_digest;
pub use error::{Code, WireError, capped};

/// Messages and services of package `muster.v1`.
#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod v1 {
    tonic::include_proto!("muster.v1");
}

/// The metadata key under which an auditor's calls carry its credential, 64 hexadecimal digits.
pub const AUDITOR_KEY: &str = "muster-auditor";

use tonic::transport::Channel;

/// A client with the limits that both sides keep.
pub type Client = v1::coordinator_client::CoordinatorClient<Channel>;

/// A client over an open channel, with message limits set.
pub fn client(channel: Channel) -> Client {
    Client::new(channel)
        .max_decoding_message_size(limits::MESSAGE_BYTES_MAX)
        .max_encoding_message_size(limits::MESSAGE_BYTES_MAX)
}
