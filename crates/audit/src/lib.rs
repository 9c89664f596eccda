//! Audit: the record of what really happened, and the proof that training rows depend on nothing a player was
//! not allowed to know.
//!
//! | who | sees |
//! |---|---|
//! | an audit record | set-up, every ply with its hidden part, what each search did |
//! | [`mod@replay`], [`rederive`], [`worlds`], [`two_worlds`] | the truth, rebuilt from the record through the rules |
//! | training | nothing of this crate, its files or its root |
//!
//! Shards are sealed ([`mod@seal`]): workers write them and cannot read them back. A record holds the dealt set-up
//! and every chance outcome, never the secret they were drawn with.

mod job_shards;
pub mod lab;
pub mod probe;
pub mod reader;
pub mod rederive;
pub mod replay;
pub mod report;
pub mod row;
pub mod schema;
pub mod seal;
pub mod two_worlds;
pub mod verify;
pub mod worlds;
pub mod writer;

pub use reader::{AuditShard, decode_audit, read_audit, read_audit_of};
pub use replay::{Replay, ReplayFault, replay};
pub use report::{AuditReport, Check, Finding};
pub use row::{GameRecord, PlyRow, SearchRow, SetupRow, WorldRow};
pub use schema::{AUDIT_SCHEMA, audit_schema};
pub use seal::{Identity, KeyError, Recipient};
pub use two_worlds::{Sampled, SearchTask, Searcher};
pub use verify::{Fetch, Shards, Verifier, VerifyOptions};
pub use writer::AuditShardWriter;
