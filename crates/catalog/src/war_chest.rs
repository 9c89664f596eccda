//! The options of War Chest.
//!
//! | key | values | default |
//! |---|---|---|
//! | `pool` | `"base"`, `"ranked"` | `"base"` |
//! | `royal_guard` | `"revised"`, `"2018"` | `"revised"` |
//! | `cap` | coin plays after which a game is truncated; 0 for never | 256 |
//! | `deal` | `"random"`, a printed set-up, `"draft"`, `"elimination_draft"` | `"random"` |
//! | `belief` | `"structural-uniform-v1"`, `"labelled-uniform"`, `"exact-uniform"` | `"structural-uniform-v1"` |
//!
//! `belief` is what searches assume of the opponent; it is no rule and not in the fingerprint.

use crate::{CatalogError, GameVisitor};
use game::Rules;
use toml::{Table, Value};
use warchest::belief::Measure;
use warchest::{
    Dealing, ExactUniform, LabelledUniform, NO_CAP, Pool, RoyalGuardCard, StructuralUniform,
    WarChest,
};

const KEYS: [&str; 5] = ["belief", "cap", "deal", "pool", "royal_guard"];
const POOLS: [Pool; 2] = [Pool::Base, Pool::Ranked];
const GUARDS: [(&str, RoyalGuardCard); 2] =
    [("revised", RoyalGuardCard::Revised), ("2018", RoyalGuardCard::Printed2018)];

/// What worlds are sampled from.
#[derive(Clone, Copy)]
enum BeliefName {
    Structural,
    Labelled,
    Exact,
}

const BELIEFS: [(&str, BeliefName); 3] = [
    (StructuralUniform::NAME, BeliefName::Structural),
    (LabelledUniform::NAME, BeliefName::Labelled),
    (ExactUniform::NAME, BeliefName::Exact),
];

/// Hands the game with these options and the belief that they name to the visitor.
pub(crate) fn visit<V: GameVisitor>(
    options: &Table,
    visitor: V,
) -> Result<V::Output, CatalogError> {
    let rules = rules(options)?;
    let belief = match options.get("belief") {
        Some(value) => choice("belief", value, &BELIEFS)?,
        None => BeliefName::Structural,
    };
    Ok(match belief {
        BeliefName::Structural => visitor.visit(rules, StructuralUniform),
        BeliefName::Labelled => visitor.visit(rules, LabelledUniform),
        BeliefName::Exact => visitor.visit(rules, ExactUniform),
    })
}

fn rules(options: &Table) -> Result<WarChest, CatalogError> {
    let mut rules = WarChest::default();
    for (key, value) in options {
        match key.as_str() {
            "belief" => {}
            "cap" => rules.cap = cap(value)?,
            "deal" => {
                let dealings = Dealing::ALL.map(|dealing| (dealing.name(), dealing));
                rules.dealing = choice("deal", value, &dealings)?;
            }
            "pool" => rules.pool = choice("pool", value, &POOLS.map(|pool| (pool.name(), pool)))?,
            "royal_guard" => rules.royal_guard = choice("royal_guard", value, &GUARDS)?,
            _ => {
                return Err(CatalogError::UnknownOption {
                    game: WarChest::NAME,
                    key: key.clone(),
                    known: KEYS.to_vec(),
                });
            }
        }
    }
    Ok(rules)
}

fn choice<T: Copy>(
    key: &'static str,
    value: &Value,
    choices: &[(&str, T)],
) -> Result<T, CatalogError> {
    let chosen = choices.iter().find(|(name, _)| value.as_str() == Some(name));
    chosen.map(|(_, choice)| *choice).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
        bad_value(key, value, &names.join(" or "))
    })
}

fn cap(value: &Value) -> Result<Option<u16>, CatalogError> {
    match value.as_integer() {
        Some(0) => Ok(None),
        Some(cap) if (1..i64::from(NO_CAP)).contains(&cap) => Ok(Some(cap as u16)),
        _ => {
            let expected = format!("a number of coin plays from 0 (never) to {}", NO_CAP - 1);
            Err(bad_value("cap", value, &expected))
        }
    }
}

fn bad_value(key: &'static str, found: &Value, expected: &str) -> CatalogError {
    CatalogError::BadValue {
        game: WarChest::NAME,
        key,
        found: found.to_string(),
        expected: expected.to_owned(),
    }
}
