//! The options of War Chest.
//!
//! | key | values | default |
//! |---|---|---|
//! | `pool` | `"base"`, `"ranked"` | `"base"` |
//! | `royal_guard` | `"revised"`, `"2018"` | `"revised"` |
//! | `cap` | coin plays after which a game is truncated; 0 for never | 256 |
//! | `deal` | `"random"`, a printed set-up, `"draft"`, `"elimination_draft"` | `"random"` |
//! | `belief` | `"structural-uniform-v1"`, `"labelled-uniform"`, `"exact-uniform"`, `"policy-posterior"` | `"exact-uniform"` |
//! | `belief_exponent` | from 0 to 2; how far `policy-posterior` takes the network at its word | 0.5 |
//!
//! `belief` is what searches assume of the opponent; it is no rule and not in the fingerprint.

use crate::options::{bad_value, choice, only};
use crate::{CatalogError, GameVisitor};
use game::Rules;
use toml::{Table, Value};
use warchest::{
    AnyBelief, Dealing, ExactUniform, NO_CAP, PolicyPosterior, Pool, RoyalGuardCard, WarChest,
};

const GAME: &str = WarChest::NAME;
const KEYS: [&str; 6] = ["belief", "belief_exponent", "cap", "deal", "pool", "royal_guard"];
const POOLS: [Pool; 2] = [Pool::Base, Pool::Ranked];
const GUARDS: [(&str, RoyalGuardCard); 2] =
    [("revised", RoyalGuardCard::Revised), ("2018", RoyalGuardCard::Printed2018)];

/// Hands the game with these options and the belief that they name to the visitor.
pub(crate) fn visit<V: GameVisitor>(
    options: &Table,
    visitor: V,
) -> Result<V::Output, CatalogError> {
    Ok(visitor.visit(rules(options)?, belief(options)?))
}

fn belief(options: &Table) -> Result<AnyBelief, CatalogError> {
    let exponent = match options.get("belief_exponent") {
        None => PolicyPosterior::DEFAULT_EXPONENT,
        Some(value) => {
            let number = value.as_float().or(value.as_integer().map(|whole| whole as f64));
            let exponent = number.filter(|number| PolicyPosterior::new(*number).is_some());
            exponent
                .ok_or_else(|| bad_value(GAME, "belief_exponent", value, "a number from 0 to 2"))?
        }
    };
    let Some(value) = options.get("belief") else { return Ok(AnyBelief::Exact(ExactUniform)) };
    let named = value.as_str().and_then(|name| AnyBelief::named(name, exponent));
    named.ok_or_else(|| {
        let names = AnyBelief::NAMES.map(|name| format!("{name:?}"));
        bad_value(GAME, "belief", value, &names.join(" or "))
    })
}

fn rules(options: &Table) -> Result<WarChest, CatalogError> {
    only(GAME, options, &KEYS)?;
    let mut rules = WarChest::default();
    if let Some(value) = options.get("cap") {
        rules.cap = cap(value)?;
    }
    let dealings = Dealing::ALL.map(|dealing| (dealing.name(), dealing));
    let pools = POOLS.map(|pool| (pool.name(), pool));
    rules.dealing = choice(GAME, options, "deal", &dealings)?.unwrap_or(rules.dealing);
    rules.pool = choice(GAME, options, "pool", &pools)?.unwrap_or(rules.pool);
    rules.royal_guard = choice(GAME, options, "royal_guard", &GUARDS)?.unwrap_or(rules.royal_guard);
    Ok(rules)
}

fn cap(value: &Value) -> Result<Option<u16>, CatalogError> {
    match value.as_integer() {
        Some(0) => Ok(None),
        Some(cap) if (1..i64::from(NO_CAP)).contains(&cap) => Ok(Some(cap as u16)),
        _ => {
            let expected = format!("a number of coin plays from 0 (never) to {}", NO_CAP - 1);
            Err(bad_value(GAME, "cap", value, &expected))
        }
    }
}
