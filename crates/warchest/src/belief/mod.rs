//! What a seat may conclude about the coins its opponent hides.
//!
//! | measure | module |
//! |---|---|
//! | `structural-uniform-v1`: every configuration that rules and public history leave, equally likely | [`structural`] |
//!
//! A configuration is what the opponent hides (hand, face-down discards, coin in flight); its bag is the
//! remainder of the public reserve. The set of configurations is carried event by event.

pub mod structural;
mod support;

pub use structural::{StructuralPosterior, StructuralUniform};
