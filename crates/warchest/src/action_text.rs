//! Actions as text: `name:part:…`, the form of public referee data.

use crate::{Action, Coin, Hex, Unit};
use std::fmt;

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Action::Draw { coin } => write!(f, "draw:{coin}"),
            Action::Deploy { unit, at } => write!(f, "deploy:{unit}:{at}"),
            Action::Bolster { unit, at } => write!(f, "bolster:{unit}:{at}"),
            Action::ClaimInitiative { coin } => write!(f, "claim_initiative:{coin}"),
            Action::Recruit { unit, coin } => write!(f, "recruit:{unit}:{coin}"),
            Action::Pass { coin } => write!(f, "pass:{coin}"),
            Action::Move { from, to } => write!(f, "move:{from}:{to}"),
            Action::Control { at } => write!(f, "control:{at}"),
            Action::Attack { from, target } => write!(f, "attack:{from}:{target}"),
            Action::TacticArcher { from, target } => write!(f, "tactic_archer:{from}:{target}"),
            Action::TacticCavalry { from, to } => write!(f, "tactic_cavalry_move:{from}:{to}"),
            Action::TacticCrossbowman { from, target } => {
                write!(f, "tactic_crossbowman:{from}:{target}")
            }
            Action::TacticEnsign { from, to } => write!(f, "tactic_ensign:{from}:{to}"),
            Action::TacticFootman { unit } => write!(f, "tactic_footman:{unit}"),
            Action::TacticLancer { from, to, target } => {
                write!(f, "tactic_lancer:{from}:{to}:{target}")
            }
            Action::TacticLightCavalry { from, to } => {
                write!(f, "tactic_light_cavalry:{from}:{to}")
            }
            Action::TacticMarshal { from, target } => write!(f, "tactic_marshal:{from}:{target}"),
            Action::TacticRoyalGuard { from, to } => write!(f, "tactic_royal_guard:{from}:{to}"),
            Action::CavalryAttack { from, target } => {
                write!(f, "tactic_cavalry_attack:{from}:{target}")
            }
            Action::FootmanMove { from, to } => write!(f, "footman_move:{from}:{to}"),
            Action::FootmanControl { at } => write!(f, "footman_control:{at}"),
            Action::FootmanAttack { from, target } => write!(f, "footman_attack:{from}:{target}"),
            Action::BerserkerMove { from, to } => write!(f, "berserker_move:{from}:{to}"),
            Action::BerserkerControl { at } => write!(f, "berserker_control:{at}"),
            Action::BerserkerAttack { from, target } => {
                write!(f, "berserker_attack:{from}:{target}")
            }
            Action::BerserkerStop => f.write_str("berserker_stop"),
            Action::SwordsmanMove { from, to } => write!(f, "swordsman_move:{from}:{to}"),
            Action::SwordsmanDecline => f.write_str("swordsman_decline"),
            Action::MercenaryMove { from, to } => write!(f, "mercenary_move:{from}:{to}"),
            Action::MercenaryControl { at } => write!(f, "mercenary_control:{at}"),
            Action::MercenaryAttack { from, target } => {
                write!(f, "mercenary_attack:{from}:{target}")
            }
            Action::MercenaryDecline => f.write_str("mercenary_decline"),
            Action::FootmanV2Deploy { at } => write!(f, "footman_v2_deploy:{at}"),
            Action::FootmanV2Decline => f.write_str("footman_v2_decline"),
            Action::RoyalGuardLose { from_supply: true } => f.write_str("royal_guard_lose:supply"),
            Action::RoyalGuardLose { from_supply: false } => f.write_str("royal_guard_lose:stack"),
        }
    }
}

/// Reads `x,y` of the site frame.
pub(crate) fn parse_hex(text: &str) -> Result<Hex, String> {
    let digit = |part: &str| match part.as_bytes() {
        [digit @ b'0'..=b'6'] => Some((digit - b'0') as i8),
        _ => None,
    };
    let (x, y) = text.split_once(',').unwrap_or((text, ""));
    let hex = digit(x).zip(digit(y)).and_then(|(x, y)| Hex::from_site(x, y));
    hex.ok_or_else(|| format!("{text:?} is not a hex of the board (x,y)"))
}

pub(crate) fn parse_unit(text: &str) -> Result<Unit, String> {
    Unit::from_name(text).ok_or_else(|| format!("{text:?} is not a unit type"))
}

pub(crate) fn parse_coin(text: &str) -> Result<Coin, String> {
    Coin::from_name(text).ok_or_else(|| format!("{text:?} is not a coin"))
}

/// The parts of an action's text after its name.
struct Parts<'a> {
    left: std::str::Split<'a, char>,
}

impl<'a> Parts<'a> {
    fn next(&mut self, what: &str) -> Result<&'a str, String> {
        self.left.next().ok_or_else(|| format!("its {what} is missing"))
    }

    fn hex(&mut self) -> Result<Hex, String> {
        parse_hex(self.next("hex")?)
    }

    fn unit(&mut self) -> Result<Unit, String> {
        parse_unit(self.next("unit")?)
    }

    fn coin(&mut self) -> Result<Coin, String> {
        parse_coin(self.next("coin")?)
    }
}

/// Reads an action; the error says what is wrong.
pub(crate) fn parse_action(text: &str) -> Result<Action, String> {
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (name, Some(rest)),
        None => (text, None),
    };
    let mut parts = Parts { left: rest.unwrap_or("").split(':') };
    if rest.is_none() {
        parts.left.next();
    }
    let action = parse_parts(name, &mut parts)?;
    match parts.left.next() {
        Some(extra) => Err(format!("{extra:?} is one part too many")),
        None => Ok(action),
    }
}

fn parse_parts(name: &str, parts: &mut Parts) -> Result<Action, String> {
    Ok(match name {
        "draw" => Action::Draw { coin: parts.coin()? },
        "deploy" => Action::Deploy { unit: parts.unit()?, at: parts.hex()? },
        "bolster" => Action::Bolster { unit: parts.unit()?, at: parts.hex()? },
        "claim_initiative" => Action::ClaimInitiative { coin: parts.coin()? },
        "recruit" => Action::Recruit { unit: parts.unit()?, coin: parts.coin()? },
        "pass" => Action::Pass { coin: parts.coin()? },
        "control" => Action::Control { at: parts.hex()? },
        "footman_control" => Action::FootmanControl { at: parts.hex()? },
        "berserker_control" => Action::BerserkerControl { at: parts.hex()? },
        "mercenary_control" => Action::MercenaryControl { at: parts.hex()? },
        "footman_v2_deploy" => Action::FootmanV2Deploy { at: parts.hex()? },
        "berserker_stop" => Action::BerserkerStop,
        "swordsman_decline" => Action::SwordsmanDecline,
        "mercenary_decline" => Action::MercenaryDecline,
        "footman_v2_decline" => Action::FootmanV2Decline,
        "tactic_footman" => match parts.unit()? {
            unit if unit.is_footman() => Action::TacticFootman { unit },
            unit => return Err(format!("{unit} is no footman")),
        },
        "tactic_lancer" => {
            Action::TacticLancer { from: parts.hex()?, to: parts.hex()?, target: parts.hex()? }
        }
        "royal_guard_lose" => match parts.next("choice")? {
            "supply" => Action::RoyalGuardLose { from_supply: true },
            "stack" => Action::RoyalGuardLose { from_supply: false },
            other => return Err(format!("{other:?} is neither supply nor stack")),
        },
        _ => return parse_from_to(name, parts),
    })
}

/// The actions that are about two hexes.
fn parse_from_to(name: &str, parts: &mut Parts) -> Result<Action, String> {
    let make: fn(Hex, Hex) -> Action = match name {
        "move" => |from, to| Action::Move { from, to },
        "attack" => |from, target| Action::Attack { from, target },
        "tactic_archer" => |from, target| Action::TacticArcher { from, target },
        "tactic_cavalry_move" => |from, to| Action::TacticCavalry { from, to },
        "tactic_cavalry_attack" => |from, target| Action::CavalryAttack { from, target },
        "tactic_crossbowman" => |from, target| Action::TacticCrossbowman { from, target },
        "tactic_ensign" => |from, to| Action::TacticEnsign { from, to },
        "tactic_light_cavalry" => |from, to| Action::TacticLightCavalry { from, to },
        "tactic_marshal" => |from, target| Action::TacticMarshal { from, target },
        "tactic_royal_guard" => |from, to| Action::TacticRoyalGuard { from, to },
        "footman_move" => |from, to| Action::FootmanMove { from, to },
        "footman_attack" => |from, target| Action::FootmanAttack { from, target },
        "berserker_move" => |from, to| Action::BerserkerMove { from, to },
        "berserker_attack" => |from, target| Action::BerserkerAttack { from, target },
        "swordsman_move" => |from, to| Action::SwordsmanMove { from, to },
        "mercenary_move" => |from, to| Action::MercenaryMove { from, to },
        "mercenary_attack" => |from, target| Action::MercenaryAttack { from, target },
        _ => return Err(format!("{name:?} is not the name of an action")),
    };
    Ok(make(parts.hex()?, parts.hex()?))
}
