//! Trains on the rows of accepted shards and publishes checkpoints.
//!
//! | who | sees |
//! |---|---|
//! | the trainer | training rows: what the acting seat knew, what a search of that did, how the game ended |
//! | nobody here | the truth: this crate has no path to audit rows, a referee or a search, and its process confines itself to files that hold none ([`mod@confine`]) |

pub mod batch;
pub mod bench;
pub mod board;
pub mod confine;
pub mod cycle;
pub mod generation;
pub mod learner;
pub mod line;
pub mod loader;
pub mod metrics;
pub mod order;
pub mod plot;
pub mod rows;
pub mod service;
pub mod settings;
pub mod split;
pub mod train;
pub mod window;

use game::{ActionSpace, Encode, Fingerprinted};

/// What training needs of a game.
pub trait TrainableGame: Encode + ActionSpace + Fingerprinted {}

impl<G: Encode + ActionSpace + Fingerprinted> TrainableGame for G {}
