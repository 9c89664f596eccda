//! Games by name, for the command line, workers and tools.
//!
//! A name and a table of options become a concrete game exactly once, at the edge of a program; everything behind
//! [`visit`] is generic over the game. Never in an inner loop.

mod war_chest;

/// War Chest against games of an independent referee.
pub use warchest::check as war_chest_check;

use game::{Belief, PipelineGame, Rules};
use warchest::WarChest;

/// What is to be done with a game, whichever it is.
pub trait GameVisitor {
    type Output;

    /// `belief` is the one that the options name for the game's searches, or its default.
    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output;
}

/// A name or an option that the catalogue does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CatalogError {
    #[error("unknown game {name:?}; there is {}", names().join(", "))]
    UnknownGame { name: String },
    #[error("unknown option {key:?} for {game}; there is {}", known.join(", "))]
    UnknownOption { game: &'static str, key: String, known: Vec<&'static str> },
    #[error("option {key} of {game} is {found}; it must be {expected}")]
    BadValue { game: &'static str, key: &'static str, found: String, expected: String },
}

/// Every game, in alphabetical order.
pub fn names() -> &'static [&'static str] {
    &[WarChest::NAME]
}

/// What the option `belief` of a game can be.
pub fn beliefs(name: &str) -> Result<&'static [&'static str], CatalogError> {
    match name {
        WarChest::NAME => Ok(&warchest::AnyBelief::NAMES),
        _ => Err(CatalogError::UnknownGame { name: name.to_owned() }),
    }
}

/// Hands the game `name` with these options to the visitor. An option that is absent has its default.
pub fn visit<V: GameVisitor>(
    name: &str,
    options: &toml::Table,
    visitor: V,
) -> Result<V::Output, CatalogError> {
    match name {
        WarChest::NAME => war_chest::visit(options, visitor),
        _ => Err(CatalogError::UnknownGame { name: name.to_owned() }),
    }
}
