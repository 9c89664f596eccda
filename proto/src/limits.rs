//! Limits that both ends of a connection keep. Each is a refusal, never a truncation, but for [`ERROR_TEXT_BYTES_MAX`].

use std::time::Duration;

/// Largest message either way; tonic's own default of 4 MiB applies to each stub unless it is set on both sides.
pub const MESSAGE_BYTES_MAX: usize = 8 << 20;
/// Largest manifest in a commit.
pub const MANIFEST_BYTES_MAX: usize = 64 << 10;
/// Most games in one job.
pub const JOB_GAMES_MAX: usize = 4096;
/// Longest worker, role or checkpoint id.
pub const ID_BYTES_MAX: usize = 128;
/// Longest path in a message.
pub const PATH_BYTES_MAX: usize = 512;
/// Longest error text; longer ones are cut. Text travels in an HTTP/2 header, where a very long one stalls the stream.
pub const ERROR_TEXT_BYTES_MAX: usize = 1024;
/// Largest piece of an uploaded shard.
pub const CHUNK_BYTES_MAX: usize = 1 << 20;
/// Largest shard that may be uploaded through the coordinator.
pub const SHARD_BYTES_MAX: u64 = 1 << 30;
/// Longest wait of one `Lease` call.
pub const LEASE_WAIT_MAX: Duration = Duration::from_secs(30);

/// HTTP/2 pings keep a connection honest; they are off unless asked for, and a vanished peer then leaves calls hanging.
pub const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
/// How long a ping may go unanswered.
pub const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to try to connect.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Deadline of calls that do not wait by design.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(20);
