//! Training rows: what a network may learn from, and the shards that carry it.
//!
//! | who | sees |
//! |---|---|
//! | a training row | what the acting seat knew (`now`), what a search of that observation did, how the game ended |
//! | nobody here | the truth: hands, bags, deals, secrets, chance outcomes |
//!
//! Rows are opaque to this crate: bytes of `now` and action indices. Audit rows live in another crate, another
//! schema and another root; they share only the [`container`] (how a file is closed, described and read back).

pub mod accepted;
pub mod container;
pub mod manifest;
pub mod reader;
pub mod row;
pub mod schema;
pub mod split;
pub mod writer;

pub use accepted::{AcceptedError, append_accepted, read_accepted};
pub use container::{ClosedShard, ReadError, WriteError};
pub use manifest::{ManifestError, Seal, ShardHeader, ShardKind, ShardManifest, ShardOrigin};
pub use reader::{Expected, TrainingShard, read_training, read_training_file};
pub use row::{ActionVisits, RowFault, TrainingRow};
pub use schema::{TRAINING_SCHEMA, training_schema};
pub use writer::TrainingShardWriter;
