//! Games by name, for the command line, workers and tools.
//!
//! A name and a table of options become a concrete game exactly once, at the edge of a program; everything behind
//! [`visit`] is generic over the game. Never in an inner loop.

mod options;
mod toy;
mod war_chest;

/// War Chest against games of an independent referee.
pub use warchest::check as war_chest_check;

use game::{Belief, Fingerprinted, Hidden, Notation, PipelineGame, Render, Rules};
use std::sync::LazyLock;
use warchest::WarChest;

/// What is to be done with a game, whichever it is.
pub trait GameVisitor {
    type Output;

    /// `belief` is the one that the options name for the game's searches, or its default.
    fn visit<G: PipelineGame, B: Belief<G>>(self, rules: G, belief: B) -> Self::Output;
}

/// What is to be done with a game that is small enough to be solved, whichever it is.
pub trait SolverVisitor {
    type Output;

    fn visit<G>(self, rules: G) -> Self::Output
    where
        G: Hidden + Rules<Setup = ()> + Notation + Render + Fingerprinted;
}

/// A name or an option that the catalogue does not have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CatalogError {
    #[error("unknown game {name:?}; there is {}", names().join(", "))]
    UnknownGame { name: String },
    #[error("{name} is too large to be solved; what can be is {}", solvable_names().join(", "))]
    TooLarge { name: String },
    #[error(
        "{game} with these options is for {n_seats} seats; searches, matches and training are for two \
         (muster solve takes it)"
    )]
    NotForTwo { game: &'static str, n_seats: usize },
    #[error(
        "unknown option {key:?} for {game}; there is {}",
        if known.is_empty() { "none".to_owned() } else { known.join(", ") }
    )]
    UnknownOption { game: &'static str, key: String, known: Vec<&'static str> },
    #[error("option {key} of {game} is {found}; it must be {expected}")]
    BadValue { game: &'static str, key: &'static str, found: String, expected: String },
}

/// Every game, in alphabetical order.
pub fn names() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let mut names = toy::NAMES.to_vec();
        names.push(WarChest::NAME);
        names.sort_unstable();
        names
    });
    &NAMES
}

/// What the option `belief` of a game can be.
pub fn beliefs(name: &str) -> Result<&'static [&'static str], CatalogError> {
    match name {
        WarChest::NAME => Ok(&warchest::AnyBelief::NAMES),
        _ if toy::NAMES.contains(&name) => Ok(&toy::BELIEFS),
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
        _ => toy::visit_to_play(name, options, visitor)
            .unwrap_or_else(|| Err(CatalogError::UnknownGame { name: name.to_owned() })),
    }
}

/// Every game that is small enough to be solved, in alphabetical order.
pub fn solvable_names() -> &'static [&'static str] {
    &toy::NAMES
}

/// Hands the game `name` with these options to a visitor of small games.
pub fn visit_solvable<V: SolverVisitor>(
    name: &str,
    options: &toml::Table,
    visitor: V,
) -> Result<V::Output, CatalogError> {
    toy::visit(name, options, toy::ToSolve(visitor)).unwrap_or_else(|| {
        let name = name.to_owned();
        Err(match names().contains(&name.as_str()) {
            true => CatalogError::TooLarge { name },
            false => CatalogError::UnknownGame { name },
        })
    })
}
