//! How an option's value is read.

use crate::CatalogError;
use std::ops::RangeInclusive;
use toml::{Table, Value};

/// Refuses options other than `known`.
pub(crate) fn only(
    game: &'static str,
    options: &Table,
    known: &[&'static str],
) -> Result<(), CatalogError> {
    match options.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            Err(CatalogError::UnknownOption { game, key: key.clone(), known: known.to_vec() })
        }
    }
}

/// One of the named choices; `None` if the option is absent.
pub(crate) fn choice<T: Copy>(
    game: &'static str,
    options: &Table,
    key: &'static str,
    choices: &[(&str, T)],
) -> Result<Option<T>, CatalogError> {
    let Some(value) = options.get(key) else { return Ok(None) };
    let chosen = choices.iter().find(|(name, _)| value.as_str() == Some(name));
    chosen.map(|(_, choice)| Some(*choice)).ok_or_else(|| {
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("{name:?}")).collect();
        bad_value(game, key, value, &names.join(" or "))
    })
}

/// A whole number of a range; `None` if the option is absent.
pub(crate) fn whole(
    game: &'static str,
    options: &Table,
    key: &'static str,
    range: RangeInclusive<u8>,
) -> Result<Option<u8>, CatalogError> {
    let Some(value) = options.get(key) else { return Ok(None) };
    let number = value.as_integer().and_then(|number| u8::try_from(number).ok());
    number.filter(|number| range.contains(number)).map(Some).ok_or_else(|| {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        bad_value(game, key, value, &expected)
    })
}

pub(crate) fn bad_value(
    game: &'static str,
    key: &'static str,
    found: &Value,
    expected: &str,
) -> CatalogError {
    CatalogError::BadValue { game, key, found: found.to_string(), expected: expected.to_owned() }
}
