//! Searches for games with hidden information. Every one of them is given an [`game::Observation`], a model and
//! random streams that derive from no deal, and nothing else.
//!
//! | what | who sees it |
//! |---|---|
//! | the real state | nobody here: a referee's truth cannot be converted to anything this crate takes |
//! | [`game::World`] | one search, which sampled it from a belief; what happens in it is never executed |
//! | [`Decision`] | the caller: actions as the real seat may take them, merged visits, values |
//!
//! A search is a state machine of plain functions ([`Search`]): no threads, no clock, no input or output. A
//! worker steps thousands of them against one batched evaluator; [`drive`] steps one.

pub mod baseline;
pub mod params;

mod backup;
mod choice;
mod decision;
mod machine;
mod merge;
mod noise;
mod pimc;
mod prior_shaping;
mod puct;
mod streams;
mod tree;
mod world_tree;

pub use decision::{Decision, WorldReport};
pub use machine::{SamplerFailure, Search, drive};
pub use merge::{MergedVisits, even_split, merge_visits};
pub use params::{OutOfRange, SearchParams};
pub use pimc::Pimc;
pub use streams::SearchStreams;
