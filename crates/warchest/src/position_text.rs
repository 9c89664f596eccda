//! Positions and set-ups as one line of `key=value` fields, separated by spaces, in a fixed order:
//!
//! ```text
//! armies=archer,knight,lancer,scout/berserker,cavalry,ensign,pikeman first=white
//!
//! armies=…/… board=white:archer:3,3:1+black:pikeman:3,4:2 control=4,0+6,1/0,5+2,6
//! white=bag:archer*2+royal_coin;hand:knight black=… initiative=white moved=no round=3 plays=17 cap=256
//! actor=white step=main guard=none v2_drew=no
//! ```
//!
//! `control`, `white` and `black` may be empty after the sign, and so may `board`. `step` is `round_draw`, `main`,
//! `cavalry:HEX`, `footmen:HEX+HEX`, `berserker:HEX`, `swordsman:HEX`, `mercenary:HEX`,
//! `footman_v2_deploy`, `priest_draw`, `priest_play`, `end_of_turn`, `won:white`, `won:black` or `truncated`.
//! `guard` is the hex of an attacked Royal Guard whose owner has to choose. Reading allows any order and leaves
//! out what has a default: the fields after `black`.

use crate::action_text::{parse_coin, parse_hex, parse_unit};
use crate::state::NO_CAP;
use crate::validate::seat_name;
use crate::{
    Army, Coins, Hex, HexSet, N_SLOTS, Now, Setup, Stack, State, Step, Unit, WarChest, Zones,
};
use game::Seat;
use std::fmt::Write;

pub(crate) fn setup_text(setup: &Setup) -> String {
    format!("armies={} first={}", armies_text(&setup.armies), seat_name(setup.first))
}

pub(crate) fn parse_setup(rules: &WarChest, text: &str) -> Result<Setup, String> {
    let mut fields = Fields::split(text)?;
    let armies = parse_armies(rules, fields.required("armies")?)?;
    let first = parse_seat(fields.required("first")?)?;
    fields.finish()?;
    Ok(Setup { armies, first })
}

pub(crate) fn position_text(state: &State) -> String {
    let zones = Seat::BOTH.map(|seat| zones_text(state.army(seat), &state.zones(seat).named()));
    text_with(state, &zones)
}

/// What the observer knows, in the same form. Of the zones whose coins it may not know it says how many coins they
/// hold, `hand:?3`, and `hidden` is what those and the bag hold together. Does not read back: it is no position.
pub(crate) fn now_text(now: &Now) -> String {
    let zones = Seat::BOTH.map(|seat| {
        if seat == now.observer {
            return zones_text(now.army(seat), &now.own.named());
        }
        let seen = &now.opponent;
        let lens = [("hand", seen.hand_len), ("discard_down", seen.discard_down_len)];
        let mut parts: Vec<String> = lens
            .into_iter()
            .chain([("drawn", seen.drawn_len)])
            .filter(|(_, len)| *len > 0)
            .map(|(name, len)| format!("{name}:?{len}"))
            .collect();
        let shown = [
            ("hidden", seen.reserve),
            ("discard_up", seen.discard_up),
            ("supply", seen.supply),
            ("eliminated", seen.eliminated),
        ];
        parts.push(zones_text(now.army(seat), &shown));
        parts.join(";")
    });
    text_with(&now.with_nothing_concealed(), &zones)
}

fn text_with(state: &State, zones: &[String; 2]) -> String {
    let mut text = format!("armies={} board=", armies_text(&state.armies));
    let mut n_stacks = 0;
    for hex in Hex::all() {
        let stack = state.stack(hex);
        let Some(unit) = state.unit_at(hex) else { continue };
        let plus = if n_stacks == 0 { "" } else { "+" };
        let owner = seat_name(stack.owner());
        let _ = write!(text, "{plus}{owner}:{unit}:{hex}:{}", stack.height());
        n_stacks += 1;
    }
    let [white, black] = state.control.map(set_text);
    let _ = write!(text, " control={white}/{black}");
    for seat in Seat::BOTH {
        let _ = write!(text, " {}={}", seat_name(seat), zones[seat.idx()]);
    }
    let _ = write!(
        text,
        " initiative={} moved={} round={} plays={} cap={} actor={} step={} guard={} v2_drew={}",
        seat_name(state.initiative),
        yes_no(state.initiative_moved),
        state.round,
        state.coin_plays,
        state.cap().map_or("off".to_owned(), |cap| cap.to_string()),
        seat_name(state.actor),
        step_text(state),
        state.attacked_guard.map_or("none".to_owned(), |hex| hex.to_string()),
        yes_no(state.priest_v2_drew),
    );
    text
}

/// Reads a position without validating it.
pub(crate) fn parse_position(rules: &WarChest, text: &str) -> Result<State, String> {
    let mut fields = Fields::split(text)?;
    let armies = parse_armies(rules, fields.required("armies")?)?;
    let initiative = parse_seat(fields.take("initiative").unwrap_or("white"))?;
    let cap = match fields.take("cap") {
        None => rules.cap.unwrap_or(NO_CAP),
        Some("off") => NO_CAP,
        Some(number) => match parse_number(number)? {
            NO_CAP => return Err(format!("cap {NO_CAP} is out of range; say cap=off")),
            cap => cap,
        },
    };
    let mut state = State::new(&Setup { armies, first: initiative }, cap);
    parse_board(&mut state, fields.required("board")?)?;
    let control = fields.required("control")?;
    let (white, black) =
        control.split_once('/').ok_or("control needs white's locations / black's")?;
    state.control = [parse_set(white)?, parse_set(black)?];
    for seat in Seat::BOTH {
        let value = fields.required(seat_name(seat))?;
        state.zones[seat.idx()] = parse_zones(&armies[seat.idx()], value)?;
    }
    state.initiative_moved = parse_yes_no(fields.take("moved").unwrap_or("no"))?;
    state.round = parse_number(fields.take("round").unwrap_or("1"))?;
    state.coin_plays = parse_number(fields.take("plays").unwrap_or("0"))?;
    state.actor = match fields.take("actor") {
        Some(seat) => parse_seat(seat)?,
        None => initiative,
    };
    state.step = parse_step(&state, fields.take("step").unwrap_or("main"))?;
    state.attacked_guard = match fields.take("guard").unwrap_or("none") {
        "none" => None,
        hex => Some(parse_hex(hex)?),
    };
    state.priest_v2_drew = parse_yes_no(fields.take("v2_drew").unwrap_or("no"))?;
    fields.finish()?;
    Ok(state)
}

/// `key=value` fields of a line that have not been read yet.
struct Fields<'a> {
    left: Vec<(&'a str, &'a str)>,
}

impl<'a> Fields<'a> {
    fn split(text: &'a str) -> Result<Fields<'a>, String> {
        let mut left: Vec<(&str, &str)> = Vec::new();
        for field in text.split_ascii_whitespace() {
            let (key, value) =
                field.split_once('=').ok_or_else(|| format!("{field:?} is not key=value"))?;
            if left.iter().any(|(other, _)| *other == key) {
                return Err(format!("{key} stands twice"));
            }
            left.push((key, value));
        }
        Ok(Fields { left })
    }

    fn take(&mut self, key: &str) -> Option<&'a str> {
        let at = self.left.iter().position(|(other, _)| *other == key)?;
        Some(self.left.swap_remove(at).1)
    }

    fn required(&mut self, key: &str) -> Result<&'a str, String> {
        self.take(key).ok_or_else(|| format!("{key} is missing"))
    }

    fn finish(self) -> Result<(), String> {
        match self.left.first() {
            Some((key, _)) => Err(format!("{key} is not a field")),
            None => Ok(()),
        }
    }
}

/// The non-empty items of a list.
fn items(text: &str, separator: char) -> impl Iterator<Item = &str> {
    text.split(separator).filter(move |_| !text.is_empty())
}

const fn yes_no(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}

fn parse_yes_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(format!("{text:?} is neither yes nor no")),
    }
}

fn parse_number(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number of 0..=65535"))
}

pub(crate) fn parse_seat(text: &str) -> Result<Seat, String> {
    match text {
        "white" => Ok(Seat::FIRST),
        "black" => Ok(Seat::SECOND),
        _ => Err(format!("{text:?} is neither white nor black")),
    }
}

fn armies_text(armies: &[Army; 2]) -> String {
    armies.map(|army| army.units().map(Unit::name).join(",")).join("/")
}

fn parse_armies(rules: &WarChest, text: &str) -> Result<[Army; 2], String> {
    let (white, black) = text.split_once('/').ok_or("armies need white's types / black's")?;
    let army = |list: &str| {
        let units = list.split(',').map(parse_unit).collect::<Result<Vec<_>, _>>()?;
        let four = <[Unit; Army::LEN]>::try_from(units)
            .map_err(|units| format!("an army has 4 types, but {list:?} has {}", units.len()))?;
        if let Some(unit) = four.into_iter().find(|unit| !rules.knows(*unit)) {
            return Err(format!("{unit} is not in pool {}", rules.pool.name()));
        }
        Army::new(four).map_err(|error| error.to_string())
    };
    let armies = [army(white)?, army(black)?];
    Army::check_disjoint(&armies).map_err(|error| error.to_string())?;
    Ok(armies)
}

fn set_text(set: HexSet) -> String {
    set.into_iter().map(|hex| hex.to_string()).collect::<Vec<_>>().join("+")
}

fn parse_set(text: &str) -> Result<HexSet, String> {
    let mut set = HexSet::EMPTY;
    for item in items(text, '+') {
        let hex = parse_hex(item)?;
        if set.contains(hex) {
            return Err(format!("{hex} stands twice"));
        }
        set = set.with(hex);
    }
    Ok(set)
}

fn parse_board(state: &mut State, text: &str) -> Result<(), String> {
    for item in items(text, '+') {
        let parts: Vec<&str> = item.split(':').collect();
        let [owner, unit, hex, height] = parts[..] else {
            return Err(format!("{item:?} is not SEAT:UNIT:HEX:HEIGHT"));
        };
        let (seat, unit, hex) = (parse_seat(owner)?, parse_unit(unit)?, parse_hex(hex)?);
        let slot = state
            .army(seat)
            .slot_of(unit)
            .ok_or_else(|| format!("{owner}'s army has no {unit}"))?;
        let height = parse_number(height)?;
        if height == 0 || height > u16::from(unit.n_coins()) {
            return Err(format!("{item:?} has height {height}, of {} coins", unit.n_coins()));
        }
        if !state.stack(hex).is_empty() {
            return Err(format!("two units stand on {hex}"));
        }
        state.set_stack(hex, Stack::new(seat, slot, height as u8));
    }
    Ok(())
}

fn zones_text(army: &Army, zones: &[(&str, Coins)]) -> String {
    let held = zones.iter().filter(|(_, coins)| !coins.is_empty());
    let parts: Vec<String> =
        held.map(|(name, coins)| format!("{name}:{}", coins_text(army, *coins))).collect();
    parts.join(";")
}

fn coins_text(army: &Army, coins: Coins) -> String {
    let item = |slot| match coins.count(slot) {
        1 => army.coin(slot).to_string(),
        n => format!("{}*{n}", army.coin(slot)),
    };
    coins.slots().map(item).collect::<Vec<_>>().join("+")
}

fn parse_zones(army: &Army, text: &str) -> Result<Zones, String> {
    let mut zones = Zones::default();
    for part in items(text, ';') {
        let (name, list) =
            part.split_once(':').ok_or_else(|| format!("{part:?} is not ZONE:COINS"))?;
        let zone = zones.zone_mut(name).ok_or_else(|| format!("{name:?} is not a zone"))?;
        if !zone.is_empty() {
            return Err(format!("zone {name} stands twice"));
        }
        *zone = parse_coins(army, list)?;
    }
    Ok(zones)
}

fn parse_coins(army: &Army, text: &str) -> Result<Coins, String> {
    let mut counts = [0u8; N_SLOTS];
    for item in items(text, '+') {
        let (name, count) = item.split_once('*').unwrap_or((item, "1"));
        let coin = parse_coin(name)?;
        let slot =
            army.coin_slot(coin).ok_or_else(|| format!("{coin} is not in this side's army"))?;
        let printed = u16::from(army.printed_coins().count(slot));
        let count = parse_number(count)?;
        if count == 0 || count > printed || counts[slot] != 0 {
            return Err(format!("{item:?} is not a count of 1..={printed}, once for each coin"));
        }
        counts[slot] = count as u8;
    }
    Ok(Coins::from_counts(counts))
}

fn step_text(state: &State) -> String {
    match state.step {
        Step::RoundDraw => "round_draw".to_owned(),
        Step::Main => "main".to_owned(),
        Step::Cavalry(hex) => format!("cavalry:{hex}"),
        Step::Footmen(waiting) => format!("footmen:{}", set_text(waiting)),
        Step::Berserker(hex) => format!("berserker:{hex}"),
        Step::Swordsman(hex) => format!("swordsman:{hex}"),
        Step::Mercenary(hex) => format!("mercenary:{hex}"),
        Step::FootmanV2Deploy(_) => "footman_v2_deploy".to_owned(),
        Step::PriestDraw => "priest_draw".to_owned(),
        Step::PriestPlay => "priest_play".to_owned(),
        Step::EndOfTurn => "end_of_turn".to_owned(),
        Step::Over(Some(seat)) => format!("won:{}", seat_name(seat)),
        Step::Over(None) => "truncated".to_owned(),
    }
}

fn parse_step(state: &State, text: &str) -> Result<Step, String> {
    let (name, part) = text.split_once(':').unwrap_or((text, ""));
    let step = match (name, part) {
        ("round_draw", "") => Step::RoundDraw,
        ("main", "") => Step::Main,
        ("footman_v2_deploy", "") => {
            let slot = state.army(state.actor).slot_of(Unit::FootmanV2);
            Step::FootmanV2Deploy(slot.ok_or("the acting army has no footman_v2")?)
        }
        ("priest_draw", "") => Step::PriestDraw,
        ("priest_play", "") => Step::PriestPlay,
        ("end_of_turn", "") => Step::EndOfTurn,
        ("truncated", "") => Step::Over(None),
        ("won", seat) => Step::Over(Some(parse_seat(seat)?)),
        ("footmen", set) => Step::Footmen(parse_set(set)?),
        ("cavalry", hex) => Step::Cavalry(parse_hex(hex)?),
        ("berserker", hex) => Step::Berserker(parse_hex(hex)?),
        ("swordsman", hex) => Step::Swordsman(parse_hex(hex)?),
        ("mercenary", hex) => Step::Mercenary(parse_hex(hex)?),
        _ => return Err(format!("{text:?} is not a step")),
    };
    Ok(step)
}
