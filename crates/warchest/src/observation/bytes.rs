//! The one canonical byte form of [`Now`] and [`Event`].
//!
//! `Now` has a fixed layout in which every value keeps its place, so that rows of one game compress well:
//!
//! | bytes | what |
//! |---|---|
//! | 0 | options of the rules: 1 for pool `ranked`, 2 for the Royal Guard of 2018, added |
//! | 1..3 | cap, u16 |
//! | 3..11 | unit types, white's four, then black's |
//! | 11..14 | all coins of the opponent (they never change), 4 bits a slot |
//! | 14 | observer |
//! | 15..52 | stacks by hex: owner in bit 6, slot in bits 4 and 5, height in bits 0 to 3 |
//! | 52..56 | control: per seat one bit a location, u16 |
//! | 56..77 | own bag, hand, discard_up, discard_down, supply, eliminated, drawn, 4 bits a slot |
//! | 77..86 | the opponent's discard_up, supply, eliminated, 4 bits a slot |
//! | 86..89 | sizes of the opponent's hand, face-down discards, coins in flight |
//! | 89 | actor, initiative, initiative moved, priest v2 drew: bits 0 to 3 |
//! | 90..96 | kind of step, then its hexes as a bit set (a slot or a winner in the first byte) |
//! | 96 | attacked Royal Guard: 0 or 1 + hex |
//! | 97..101 | round, coin plays, u16 each |
//!
//! Numbers are little-endian.

use super::{Event, Now, Seen, SeenZones};
use crate::{
    Action, Army, Board, Coin, Coins, Hex, HexSet, LOCATIONS, N_SLOTS, Pool, RoyalGuardCard, Stack,
    Step, Unit, WarChest, Zones,
};
use game::{DecodeError, Rules, Seat};

/// How many bytes the form of a [`Now`] has.
pub const NOW_LEN: usize = 101;

pub(super) fn write_now(rules: &WarChest, now: &Now, out: &mut Vec<u8>) {
    let start = out.len();
    out.push(options_byte(rules));
    out.extend(now.cap.to_le_bytes());
    out.extend(now.armies.iter().flat_map(|army| army.units().map(|unit| unit.idx() as u8)));
    write_coins(coins_of_opponent(now), out);
    out.push(now.observer.idx() as u8);
    out.extend(now.stacks.iter().map(|stack| stack.bits()));
    now.control.iter().for_each(|set| out.extend(location_bits(*set).to_le_bytes()));
    let own = &now.own;
    for coins in [
        own.bag,
        own.hand,
        own.discard_up,
        own.discard_down,
        own.supply,
        own.eliminated,
        own.drawn,
        now.opponent.discard_up,
        now.opponent.supply,
        now.opponent.eliminated,
    ] {
        write_coins(coins, out);
    }
    let opponent = &now.opponent;
    out.extend([opponent.hand_len, opponent.discard_down_len, opponent.drawn_len]);
    let bits = [now.actor == Seat::SECOND, now.initiative == Seat::SECOND];
    let bits = [bits[0], bits[1], now.initiative_moved, now.priest_v2_drew];
    out.push(bits.iter().enumerate().map(|(bit, set)| u8::from(*set) << bit).sum());
    write_step(now.step, out);
    out.push(now.attacked_guard.map_or(0, |hex| 1 + hex.idx() as u8));
    out.extend(now.round.to_le_bytes());
    out.extend(now.coin_plays.to_le_bytes());
    debug_assert_eq!(out.len() - start, NOW_LEN);
}

/// Reads what [`write_now`] wrote for the same rules. Refuses anything else, and what no state looks like.
pub(super) fn read_now(rules: &WarChest, bytes: &[u8]) -> Result<Now, DecodeError> {
    let now = parse_now(rules, bytes).map_err(|reason| DecodeError { what: "now", reason })?;
    // Nothing that validation looks at depends on which of the hidden coins lies where.
    let state = now.complete(&any_concealed(&now.opponent));
    rules
        .validate(&state)
        .map_err(|error| DecodeError { what: "now", reason: error.to_string() })?;
    Ok(now)
}

fn parse_now(rules: &WarChest, bytes: &[u8]) -> Result<Now, String> {
    if bytes.len() != NOW_LEN {
        return Err(format!("expected {NOW_LEN} bytes, found {}", bytes.len()));
    }
    let mut from = Reader { bytes, at: 0 };
    let options = from.byte();
    if options != options_byte(rules) {
        return Err(format!("it was written under rules {options}, not {}", options_byte(rules)));
    }
    let cap = from.u16();
    let armies = [from.army()?, from.army()?];
    let opponent_total = from.coins()?;
    let observer = from.seat()?;
    let mut stacks = [Stack::EMPTY; Hex::COUNT];
    for stack in &mut stacks {
        *stack = from.stack()?;
    }
    let control = [from.locations()?, from.locations()?];
    let own = Zones {
        bag: from.coins()?,
        hand: from.coins()?,
        discard_up: from.coins()?,
        discard_down: from.coins()?,
        supply: from.coins()?,
        eliminated: from.coins()?,
        drawn: from.coins()?,
    };
    let mut opponent = SeenZones {
        discard_up: from.coins()?,
        supply: from.coins()?,
        eliminated: from.coins()?,
        hand_len: from.byte(),
        discard_down_len: from.byte(),
        drawn_len: from.byte(),
        reserve: Coins::NONE,
    };
    opponent.reserve = reserve(opponent_total, &opponent, &stacks, observer.other())?;
    let flags = from.byte();
    if flags > 0xf {
        return Err(format!("flags {flags:#x} have unknown bits"));
    }
    let bit = |bit: u8| flags >> bit & 1;
    Ok(Now {
        observer,
        armies,
        stacks,
        control,
        own,
        opponent,
        step: from.step()?,
        attacked_guard: from.optional_hex()?,
        actor: Seat::new(bit(0)),
        initiative: Seat::new(bit(1)),
        initiative_moved: bit(2) == 1,
        priest_v2_drew: bit(3) == 1,
        round: from.u16(),
        coin_plays: from.u16(),
        cap,
    })
}

/// What remains of `total` when everything that lies open is taken away.
fn reserve(
    total: Coins,
    opponent: &SeenZones,
    stacks: &[Stack; Hex::COUNT],
    seat: Seat,
) -> Result<Coins, String> {
    let mut left: [i32; N_SLOTS] = total.counts().map(i32::from);
    for coins in [opponent.discard_up, opponent.supply, opponent.eliminated] {
        for (slot, count) in left.iter_mut().enumerate() {
            *count -= i32::from(coins.count(slot));
        }
    }
    for stack in stacks.iter().filter(|stack| !stack.is_empty() && stack.owner() == seat) {
        left[stack.slot()] -= i32::from(stack.height());
    }
    let hidden = [opponent.hand_len, opponent.discard_down_len, opponent.drawn_len];
    let n_hidden: i32 = hidden.into_iter().map(i32::from).sum();
    if left.iter().any(|count| *count < 0) || left.iter().sum::<i32>() < n_hidden {
        return Err(format!("{total:?} is too little for the opponent's coins"));
    }
    Ok(Coins::from_counts(left.map(|count| count as u8)))
}

fn coins_of_opponent(now: &Now) -> Coins {
    let seat = now.observer.other();
    let opponent = &now.opponent;
    let open = opponent.discard_up + opponent.supply + opponent.eliminated;
    now.stacks
        .iter()
        .filter(|stack| !stack.is_empty() && stack.owner() == seat)
        .fold(open + opponent.reserve, |sum, stack| {
            (0..stack.height()).fold(sum, |sum, _| sum + Coins::one(stack.slot()))
        })
}

/// Some way to hide the reserve that has the right sizes.
fn any_concealed(opponent: &SeenZones) -> super::Concealed {
    let mut left = opponent.reserve;
    let mut take = |n: u8| {
        let mut taken = Coins::NONE;
        for _ in 0..n {
            let slot =
                left.slots().next().expect("the reserve holds the coins of all hidden zones");
            left = left - Coins::one(slot);
            taken = taken + Coins::one(slot);
        }
        taken
    };
    super::Concealed {
        hand: take(opponent.hand_len),
        discard_down: take(opponent.discard_down_len),
        drawn: take(opponent.drawn_len),
    }
}

fn options_byte(rules: &WarChest) -> u8 {
    u8::from(rules.pool == Pool::Ranked)
        + 2 * u8::from(rules.royal_guard == RoyalGuardCard::Printed2018)
        + 4 * u8::from(rules.board != Board::PRINTED)
}

fn write_coins(coins: Coins, out: &mut Vec<u8>) {
    out.extend_from_slice(&coins.bits().to_le_bytes()[..3]);
}

/// One bit a location, in index order.
fn location_bits(set: HexSet) -> u16 {
    LOCATIONS.into_iter().enumerate().map(|(bit, hex)| u16::from(set.contains(hex)) << bit).sum()
}

fn write_step(step: Step, out: &mut Vec<u8>) {
    let (kind, payload) = match step {
        Step::RoundDraw => (0, 0),
        Step::Main => (1, 0),
        Step::Cavalry(hex) => (2, HexSet::of(hex).bits()),
        Step::Footmen(hexes) => (3, hexes.bits()),
        Step::Berserker(hex) => (4, HexSet::of(hex).bits()),
        Step::Swordsman(hex) => (5, HexSet::of(hex).bits()),
        Step::Mercenary(hex) => (6, HexSet::of(hex).bits()),
        Step::FootmanV2Deploy(slot) => (7, slot as u64),
        Step::PriestDraw => (8, 0),
        Step::PriestPlay => (9, 0),
        Step::EndOfTurn => (10, 0),
        Step::Over(None) => (11, 0),
        Step::Over(Some(winner)) => (12, winner.idx() as u64),
    };
    out.push(kind);
    out.extend_from_slice(&payload.to_le_bytes()[..5]);
}

/// Reads the fields of a slice that is long enough.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes[self.at - 1]
    }

    fn u16(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    fn seat(&mut self) -> Result<Seat, String> {
        match self.byte() {
            seat @ 0..=1 => Ok(Seat::new(seat)),
            other => Err(format!("{other} is no seat")),
        }
    }

    fn coins(&mut self) -> Result<Coins, String> {
        let bits = u32::from_le_bytes([self.byte(), self.byte(), self.byte(), 0]);
        let coins = Coins::from_bits(bits);
        if coins.bits() != bits {
            return Err(format!("{bits:#x} are no coins of five slots"));
        }
        // More than any box holds; keeps every sum of zones inside its four bits.
        if coins.counts().into_iter().any(|count| count > 5) {
            return Err(format!("{coins:?} are more coins than are printed"));
        }
        Ok(coins)
    }

    fn army(&mut self) -> Result<Army, String> {
        let mut units = [Unit::Archer; Army::LEN];
        for unit in &mut units {
            let idx = self.byte();
            *unit = *Unit::ALL.get(usize::from(idx)).ok_or(format!("{idx} is no unit type"))?;
        }
        if !units.is_sorted() {
            return Err(format!("{units:?} is not in canonical order"));
        }
        Army::new(units).map_err(|error| error.to_string())
    }

    fn stack(&mut self) -> Result<Stack, String> {
        let bits = self.byte();
        Stack::from_bits(bits).ok_or_else(|| format!("{bits:#x} is no stack"))
    }

    fn locations(&mut self) -> Result<HexSet, String> {
        let bits = self.u16();
        if bits >> LOCATIONS.len() != 0 {
            return Err(format!("{bits:#x} are no locations"));
        }
        let is_set = |bit: usize| bits >> bit & 1 == 1;
        Ok(LOCATIONS
            .into_iter()
            .enumerate()
            .filter(|(bit, _)| is_set(*bit))
            .map(|(_, h)| h)
            .collect())
    }

    fn optional_hex(&mut self) -> Result<Option<Hex>, String> {
        match self.byte() {
            0 => Ok(None),
            idx if usize::from(idx) <= Hex::COUNT => Ok(Some(Hex::new(idx - 1))),
            other => Err(format!("{other} is no hex")),
        }
    }

    fn step(&mut self) -> Result<Step, String> {
        let kind = self.byte();
        let mut payload = [0; 8];
        payload[..5].fill_with(|| self.byte());
        let payload = u64::from_le_bytes(payload);
        let hexes = HexSet::from_bits(payload);
        let bad = || format!("step {kind} does not go with {payload:#x}");
        let single = || match hexes.first() {
            Some(hex) if HexSet::of(hex).bits() == payload => Ok(hex),
            _ => Err(bad()),
        };
        let step = match kind {
            2 => return Ok(Step::Cavalry(single()?)),
            3 if hexes.bits() == payload => return Ok(Step::Footmen(hexes)),
            4 => return Ok(Step::Berserker(single()?)),
            5 => return Ok(Step::Swordsman(single()?)),
            6 => return Ok(Step::Mercenary(single()?)),
            7 if payload < Army::LEN as u64 => {
                return Ok(Step::FootmanV2Deploy(payload as usize));
            }
            12 if payload < 2 => return Ok(Step::Over(Some(Seat::new(payload as u8)))),
            0 => Step::RoundDraw,
            1 => Step::Main,
            8 => Step::PriestDraw,
            9 => Step::PriestPlay,
            10 => Step::EndOfTurn,
            11 => Step::Over(None),
            _ => return Err(bad()),
        };
        if payload == 0 { Ok(step) } else { Err(bad()) }
    }
}

/// Six bytes: seat, what happened, coin (0 for none), and up to three numbers that go with it.
pub(super) fn write_event(event: &Event, out: &mut Vec<u8>) {
    let coin = event.coin.map_or(0, |coin| 1 + coin.idx() as u8);
    let (kind, [a, b, c]) = match event.seen {
        Seen::Drew => (0, [0; 3]),
        Seen::PriestDrew => (1, [0; 3]),
        Seen::ClaimedInitiative => (2, [0; 3]),
        Seen::Recruited(unit) => (3, [unit.idx() as u8, 0, 0]),
        Seen::Passed => (4, [0; 3]),
        Seen::Open(action) => action_bytes(action),
    };
    out.extend([event.seat.idx() as u8, kind, coin, a, b, c]);
}

fn action_bytes(action: Action) -> (u8, [u8; 3]) {
    let one = |hex: Hex| [hex.idx() as u8, 0, 0];
    let two = |from: Hex, to: Hex| [from.idx() as u8, to.idx() as u8, 0];
    let coin_of = |coin: Coin| [coin.idx() as u8, 0, 0];
    match action {
        Action::Draw { coin } => (5, coin_of(coin)),
        Action::ClaimInitiative { coin } => (6, coin_of(coin)),
        Action::Recruit { unit, coin } => (7, [unit.idx() as u8, coin.idx() as u8, 0]),
        Action::Pass { coin } => (8, coin_of(coin)),
        Action::Deploy { unit, at } => (9, [unit.idx() as u8, at.idx() as u8, 0]),
        Action::Bolster { unit, at } => (10, [unit.idx() as u8, at.idx() as u8, 0]),
        Action::Move { from, to } => (11, two(from, to)),
        Action::Control { at } => (12, one(at)),
        Action::Attack { from, target } => (13, two(from, target)),
        Action::TacticArcher { from, target } => (14, two(from, target)),
        Action::TacticCavalry { from, to } => (15, two(from, to)),
        Action::TacticCrossbowman { from, target } => (16, two(from, target)),
        Action::TacticEnsign { from, to } => (17, two(from, to)),
        Action::TacticFootman { unit } => (18, [unit.idx() as u8, 0, 0]),
        Action::TacticLancer { from, to, target } => {
            (19, [from.idx() as u8, to.idx() as u8, target.idx() as u8])
        }
        Action::TacticLightCavalry { from, to } => (20, two(from, to)),
        Action::TacticMarshal { from, target } => (21, two(from, target)),
        Action::TacticRoyalGuard { from, to } => (22, two(from, to)),
        Action::CavalryAttack { from, target } => (23, two(from, target)),
        Action::FootmanMove { from, to } => (24, two(from, to)),
        Action::FootmanControl { at } => (25, one(at)),
        Action::FootmanAttack { from, target } => (26, two(from, target)),
        Action::BerserkerMove { from, to } => (27, two(from, to)),
        Action::BerserkerControl { at } => (28, one(at)),
        Action::BerserkerAttack { from, target } => (29, two(from, target)),
        Action::BerserkerStop => (30, [0; 3]),
        Action::SwordsmanMove { from, to } => (31, two(from, to)),
        Action::SwordsmanDecline => (32, [0; 3]),
        Action::MercenaryMove { from, to } => (33, two(from, to)),
        Action::MercenaryControl { at } => (34, one(at)),
        Action::MercenaryAttack { from, target } => (35, two(from, target)),
        Action::MercenaryDecline => (36, [0; 3]),
        Action::FootmanV2Deploy { at } => (37, one(at)),
        Action::FootmanV2Decline => (38, [0; 3]),
        Action::RoyalGuardLose { from_supply } => (39, [u8::from(from_supply), 0, 0]),
    }
}
