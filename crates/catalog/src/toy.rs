//! The options of the small games with known values.
//!
//! | game | key | values | default |
//! |---|---|---|---|
//! | `kuhn` | `players` | 2, 3 | 2 |
//! | `leduc` | `suits` | `"all"`, `"isomorphic"` | `"all"` |
//! | `liars-dice` | `dice` | dice of each player, 1 to 3 | 1 |
//! | | `sides` | 2 to 6 | 6 |
//! | `goofspiel` | `cards` | 2 to 13 | 4 |
//! | | `order` | `"descending"`, `"random"` | `"descending"` |
//!
//! Games in normal form have no options. All take `belief = "exact-uniform"`, the only one there is for them.

use crate::options::{bad_value, choice, only, whole};
use crate::{CatalogError, GameVisitor, SolverVisitor};
use toml::Table;
use toy::goofspiel::PrizeOrder;
use toy::leduc::Suits;
use toy::{Enumerated, Goofspiel, Kuhn, Leduc, LiarsDice, NormalForm, Small, SmallGame};

/// Every small game, in alphabetical order.
pub(crate) const NAMES: [&str; 12] = [
    "battle-of-the-sexes",
    "chicken",
    Goofspiel::NAME,
    Kuhn::NAME,
    Leduc::NAME,
    LiarsDice::NAME,
    "matching-pennies",
    "prisoners-dilemma",
    "rock-paper-scissors",
    "rock-paper-scissors-lizard-spock",
    "shapleys-game",
    "weighted-rock-paper-scissors",
];

/// What the option `belief` of a small game can be.
pub(crate) const BELIEFS: [&str; 1] = ["exact-uniform"];

/// Hands the small game with these options to the visitor; `None` if there is none of this name.
pub(crate) fn visit<V: SmallVisitor>(
    name: &str,
    options: &Table,
    visitor: V,
) -> Option<Result<V::Output, CatalogError>> {
    let found = match name {
        Kuhn::NAME => kuhn(options).map(|game| visitor.visit(game)),
        Leduc::NAME => leduc(options).map(|game| visitor.visit(game)),
        LiarsDice::NAME => liars_dice(options).map(|game| visitor.visit(game)),
        Goofspiel::NAME => goofspiel(options).map(|game| visitor.visit(game)),
        _ => {
            let game = NormalForm::by_name(name)?;
            only(game.name(), options, &[]).map(|()| visitor.visit(game))
        }
    };
    Some(found)
}

/// What is to be done with a small game, whichever it is.
pub(crate) trait SmallVisitor {
    type Output;

    fn visit<G: SmallGame>(self, game: G) -> Self::Output;
}

/// For a visitor of games that can be solved.
pub(crate) struct ToSolve<V>(pub V);

impl<V: SolverVisitor> SmallVisitor for ToSolve<V> {
    type Output = V::Output;

    fn visit<G: SmallGame>(self, game: G) -> V::Output {
        self.0.visit(Small(game))
    }
}

/// For a visitor of games of the pipeline, which are for two seats.
struct ToPlay<V>(V);

impl<V: GameVisitor> SmallVisitor for ToPlay<V> {
    type Output = Result<V::Output, CatalogError>;

    fn visit<G: SmallGame>(self, game: G) -> Self::Output {
        if game.n_seats() == 2 {
            return Ok(self.0.visit(Small(game), Enumerated));
        }
        Err(CatalogError::NotForTwo { game: game.name(), n_seats: game.n_seats() })
    }
}

/// Hands the small game with these options and its belief to the visitor.
pub(crate) fn visit_to_play<V: GameVisitor>(
    name: &str,
    options: &Table,
    visitor: V,
) -> Option<Result<V::Output, CatalogError>> {
    let mut rules = options.clone();
    let known = NAMES.iter().find(|known| **known == name)?;
    match rules.remove("belief") {
        Some(value) if value.as_str() != Some(BELIEFS[0]) => {
            Some(Err(bad_value(known, "belief", &value, &format!("{:?}", BELIEFS[0]))))
        }
        _ => visit(name, &rules, ToPlay(visitor)).map(|found| found.and_then(|played| played)),
    }
}

fn kuhn(options: &Table) -> Result<Kuhn, CatalogError> {
    only(Kuhn::NAME, options, &["players"])?;
    match options.get("players") {
        None => Ok(Kuhn::TWO_PLAYERS),
        Some(value) => match value.as_integer() {
            Some(2) => Ok(Kuhn::TWO_PLAYERS),
            Some(3) => Ok(Kuhn::THREE_PLAYERS),
            _ => Err(bad_value(Kuhn::NAME, "players", value, "2 or 3")),
        },
    }
}

fn leduc(options: &Table) -> Result<Leduc, CatalogError> {
    only(Leduc::NAME, options, &["suits"])?;
    let suits = Suits::BOTH.map(|suits| (suits.name(), suits));
    let suits = choice(Leduc::NAME, options, "suits", &suits)?.unwrap_or(Suits::All);
    Ok(Leduc { suits })
}

fn liars_dice(options: &Table) -> Result<LiarsDice, CatalogError> {
    const GAME: &str = LiarsDice::NAME;
    only(GAME, options, &["dice", "sides"])?;
    let n_dice = whole(GAME, options, "dice", 1..=LiarsDice::DICE_MAX)?.unwrap_or(1);
    let n_sides = whole(GAME, options, "sides", 2..=LiarsDice::SIDES_MAX)?.unwrap_or(6);
    LiarsDice::new(n_dice, n_sides)
        .map_err(|_| bad_value(GAME, "dice", &i64::from(n_dice).into(), "fewer"))
}

fn goofspiel(options: &Table) -> Result<Goofspiel, CatalogError> {
    const GAME: &str = Goofspiel::NAME;
    only(GAME, options, &["cards", "order"])?;
    let n_cards = whole(GAME, options, "cards", 2..=Goofspiel::CARDS_MAX)?.unwrap_or(4);
    let orders = PrizeOrder::BOTH.map(|order| (order.name(), order));
    let order = choice(GAME, options, "order", &orders)?.unwrap_or(PrizeOrder::Descending);
    Goofspiel::new(n_cards, order)
        .map_err(|_| bad_value(GAME, "cards", &i64::from(n_cards).into(), "fewer"))
}
