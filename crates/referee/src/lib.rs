//! Truth: the only holder of real states.
//!
//! | who | may hold |
//! |---|---|
//! | this crate, inside [`Truth`] | the complete state of the real game |
//! | whoever plays for a seat | the [`Observation`](game::Observation) that [`Truth::observation`] lends |
//! | audit | set-up and plies, from which the game replays |
//!
//! What is absent on purpose: any way to get at the state, `Clone`, `Debug`, serialization, and any conversion
//! to a [`World`](game::World). Tests that must fail to compile keep it so. The one exception is built only for
//! the planted leaks of `leaks/`, by the feature `planted`, which nothing in the workspace turns on.

mod truth;

pub use truth::Truth;
