//! Plays games: self-play for a run, matches, a person's games; and looks at what was played.
//!
//! This is one of the few places that hold a game's truth (`referee`). What is given to a search, a network or a
//! training shard is an observation.

pub mod arena;
pub mod audit;
pub mod auditor;
pub mod bench;
pub mod checkpoint;
pub mod doctor;
mod drain;
pub mod link;
pub mod play;
pub mod player;
pub mod player_protocol;
pub mod precision;
pub mod replay;
pub mod search_cmd;
pub mod seat_arg;
pub mod selfplay;
pub mod setting;
pub mod store;
