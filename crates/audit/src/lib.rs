//! Audit: the record of what really happened, and the proof that training rows depend on nothing a player was
//! not allowed to know.
//!
//! | who | sees |
//! |---|---|
//! | an audit record | set-up, every ply with its hidden part, what each search did |
//! | training | nothing of this crate, its files or its root |
//!
//! A record holds the dealt set-up and every chance outcome, never the secret they were drawn with.

pub mod row;
pub mod schema;
pub mod writer;

pub use row::{GameRecord, PlyRow, SearchRow, SetupRow, WorldRow};
pub use schema::{AUDIT_SCHEMA, audit_schema};
pub use writer::AuditShardWriter;
