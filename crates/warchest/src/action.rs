//! One decision of one seat, or one drawn coin.

use crate::{Coin, Hex, Unit};

/// Everything that can happen in one ply, named as in the text notation. Coins of one type are one action, and
/// the seat that acts is not part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Chance: the drawing seat draws this coin.
    Draw {
        coin: Coin,
    },

    Deploy {
        unit: Unit,
        at: Hex,
    },
    Bolster {
        unit: Unit,
        at: Hex,
    },

    ClaimInitiative {
        coin: Coin,
    },
    /// `unit` comes from the supply, `coin` is what is spent face-down.
    Recruit {
        unit: Unit,
        coin: Coin,
    },
    Pass {
        coin: Coin,
    },

    Move {
        from: Hex,
        to: Hex,
    },
    Control {
        at: Hex,
    },
    Attack {
        from: Hex,
        target: Hex,
    },

    TacticArcher {
        from: Hex,
        target: Hex,
    },
    /// The first half; [`Action::CavalryAttack`] follows.
    TacticCavalry {
        from: Hex,
        to: Hex,
    },
    TacticCrossbowman {
        from: Hex,
        target: Hex,
    },
    /// The friendly unit at `from` moves to `to`.
    TacticEnsign {
        from: Hex,
        to: Hex,
    },
    /// Footman actions follow. The coin is of either version.
    TacticFootman {
        unit: Unit,
    },
    TacticLancer {
        from: Hex,
        to: Hex,
        target: Hex,
    },
    TacticLightCavalry {
        from: Hex,
        to: Hex,
    },
    /// The friendly unit at `from` attacks `target`.
    TacticMarshal {
        from: Hex,
        target: Hex,
    },
    /// Paid with the royal coin.
    TacticRoyalGuard {
        from: Hex,
        to: Hex,
    },

    CavalryAttack {
        from: Hex,
        target: Hex,
    },

    FootmanMove {
        from: Hex,
        to: Hex,
    },
    FootmanControl {
        at: Hex,
    },
    FootmanAttack {
        from: Hex,
        target: Hex,
    },

    BerserkerMove {
        from: Hex,
        to: Hex,
    },
    BerserkerControl {
        at: Hex,
    },
    BerserkerAttack {
        from: Hex,
        target: Hex,
    },
    BerserkerStop,

    SwordsmanMove {
        from: Hex,
        to: Hex,
    },
    SwordsmanDecline,

    MercenaryMove {
        from: Hex,
        to: Hex,
    },
    MercenaryControl {
        at: Hex,
    },
    MercenaryAttack {
        from: Hex,
        target: Hex,
    },
    MercenaryDecline,

    /// The recruited Footman coin is deployed at once.
    FootmanV2Deploy {
        at: Hex,
    },
    FootmanV2Decline,

    /// The attacked Royal Guard's owner loses a coin of the supply or of the stack.
    RoyalGuardLose {
        from_supply: bool,
    },
}
