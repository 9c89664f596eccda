//! Features and action numbers: both seats look alike, numbers are injective, shapes and texts agree.

use game::{ActionSpace, Encode, Fingerprinted, Hidden, Rules, Seat, Tactical, Turn};
use std::collections::{BTreeMap, BTreeSet};
use warchest::check::Walk;
use warchest::symmetry::{turned_action, turned_state};
use warchest::{
    Army, Coins, Hex, HexSet, Now, Pool, RoyalGuardCard, Stack, State, Step, Unit, WarChest,
};

fn features(rules: &WarChest, state: &State, seat: Seat) -> Vec<f32> {
    let mut out = vec![f32::NAN; rules.feature_layout().row_len()];
    rules.write_features(&rules.now(state, seat), &mut out);
    out
}

/// On a million positions: every legal action has its own index, inside the layout.
#[test]
fn action_numbers_are_injective() {
    let mut stamps = vec![0u32; WarChest::ranked().policy_layout().n_actions()];
    let mut n_positions = 0u32;
    let mut n_actions = 0u64;
    let mut used = BTreeSet::new();
    let mut seed = 20_000;
    while n_positions < 1_000_000 {
        let mut walk = Walk::deal(seed);
        let setup = walk.rules.now_setup(walk.observations[0].now());
        while walk.step() {
            let Turn::Seat(seat) = walk.rules.turn(&walk.state) else { continue };
            n_positions += 1;
            for action in walk.rules.legal(&walk.state) {
                let index = walk.rules.action_index(&setup, seat, action);
                let stamp = &mut stamps[usize::from(index)];
                assert_ne!(
                    *stamp, n_positions,
                    "{action:?} shares index {index}: {:?}",
                    walk.state
                );
                *stamp = n_positions;
                n_actions += 1;
            }
            if n_positions.is_multiple_of(64) {
                let legal = walk.rules.legal(&walk.state);
                used.extend(legal.iter().map(|a| walk.rules.action_index(&setup, seat, *a)));
            }
        }
        seed += 1;
    }
    println!("{n_positions} decisions, {n_actions} actions, {} indices seen", used.len());
    assert!(n_actions > 5_000_000 && used.len() > 1_000, "{n_actions} {}", used.len());
}

/// A turned, seat-swapped position gives bit-equal features, the same action indices and the same appeals.
#[test]
fn both_seats_look_alike() {
    let mut by_decision: BTreeMap<_, usize> = BTreeMap::new();
    for seed in 0..100 {
        let mut walk = Walk::deal(21_000 + seed);
        let rules = walk.rules;
        while walk.step() {
            let turned = turned_state(&walk.state);
            assert_eq!(turned_state(&turned), walk.state);
            rules.validate(&turned).unwrap();
            for seat in Seat::BOTH {
                let here = features(&rules, &walk.state, seat);
                let there = features(&rules, &turned, seat.other());
                assert!(here.iter().zip(&there).all(|(a, b)| a.to_bits() == b.to_bits()));
                assert!(here.iter().all(|value| value.is_finite() && value.abs() <= 4.0));
            }
            let Turn::Seat(seat) = rules.turn(&walk.state) else { continue };
            assert_eq!(rules.turn(&turned), Turn::Seat(seat.other()));
            same_actions(&rules, &walk.state, &turned, seat);
            *by_decision.entry(walk.decision().unwrap()).or_default() += 1;
        }
    }
    println!("{by_decision:?}");
    assert!(by_decision.len() == 9 && by_decision.values().all(|n| *n >= 20), "{by_decision:?}");
}

fn same_actions(rules: &WarChest, state: &State, turned: &State, seat: Seat) {
    let indexed = |state: &State, seat: Seat| -> BTreeMap<u16, _> {
        let now = rules.now(state, seat);
        let setup = rules.now_setup(&now);
        let appeal = |action| (rules.appeal(&now, action), action);
        let legal = rules.legal(state).into_iter();
        legal.map(|a| (rules.action_index(&setup, seat, a), appeal(a))).collect()
    };
    let here = indexed(state, seat);
    let there = indexed(turned, seat.other());
    assert_eq!(here.len(), there.len());
    for ((index, (appeal, action)), (other_index, (other_appeal, other))) in here.iter().zip(&there)
    {
        assert_eq!((index, appeal), (other_index, other_appeal));
        assert_eq!(turned_action(*action), *other);
    }
}

/// Two values that differ in what a seat knows now have different features, but for what features leave out.
#[test]
fn features_tell_positions_apart() {
    let mut seen: BTreeMap<Vec<u32>, warchest::Now> = BTreeMap::new();
    for seed in 0..12 {
        let mut walk = Walk::deal(22_000 + seed);
        while walk.step() {
            for seat in Seat::BOTH {
                let now = walk.rules.now(&walk.state, seat);
                let bits = features(&walk.rules, &walk.state, seat);
                let bits: Vec<u32> = bits.iter().map(|value| value.to_bits()).collect();
                if let Some(other) = seen.insert(bits, now) {
                    assert_eq!(other, now);
                }
            }
        }
    }
    assert!(seen.len() > 4_000, "{}", seen.len());
}

/// Each part of what a seat knows, changed alone, changes the features.
#[test]
fn every_part_of_now_reaches_the_features() {
    type Change = (&'static str, fn(&mut Now));
    const CHANGES: [Change; 26] = [
        ("observer", |now| now.observer = now.observer.other()),
        ("own army", |now| now.armies[0] = Army::new(OTHER_ARMY).unwrap()),
        ("enemy army", |now| now.armies[1] = Army::new(OTHER_ARMY).unwrap()),
        ("own unit", |now| now.stacks[18] = Stack::new(Seat::FIRST, 1, 1)),
        ("own height", |now| now.stacks[18] = Stack::new(Seat::FIRST, 0, 3)),
        ("owner", |now| now.stacks[18] = Stack::new(Seat::SECOND, 0, 2)),
        ("own control", |now| now.control[0] = HexSet::EMPTY),
        ("enemy control", |now| now.control[1] = HexSet::EMPTY),
        ("own bag", |now| now.own.bag = now.own.bag + Coins::one(2)),
        ("own hand", |now| now.own.hand = now.own.hand + Coins::one(2)),
        ("own discard_up", |now| now.own.discard_up = now.own.discard_up + Coins::one(2)),
        ("own discard_down", |now| now.own.discard_down = now.own.discard_down + Coins::one(2)),
        ("own supply", |now| now.own.supply = now.own.supply + Coins::one(2)),
        ("own eliminated", |now| now.own.eliminated = now.own.eliminated + Coins::one(2)),
        ("own drawn", |now| now.own.drawn = Coins::one(2)),
        ("enemy hand_len", |now| now.opponent.hand_len -= 1),
        ("enemy discard_down_len", |now| now.opponent.discard_down_len += 1),
        ("enemy drawn_len", |now| now.opponent.drawn_len += 1),
        ("enemy reserve", |now| now.opponent.reserve = now.opponent.reserve + Coins::one(2)),
        ("step", |now| now.step = Step::Berserker(Hex::new(18))),
        ("attacked guard", |now| now.attacked_guard = Some(Hex::new(18))),
        ("actor", |now| now.actor = now.actor.other()),
        ("initiative", |now| now.initiative = now.initiative.other()),
        ("initiative moved", |now| now.initiative_moved ^= true),
        ("priest v2 drew", |now| now.priest_v2_drew ^= true),
        ("round and coin plays", |now| (now.round, now.coin_plays) = (now.round + 1, 40)),
    ];
    const OTHER_ARMY: [Unit; 4] = [Unit::Ensign, Unit::Marshal, Unit::Mercenary, Unit::Footman];
    let rules = WarChest::default();
    let [state, ..] = warchest::fixture::three_worlds(&rules);
    let mut real = rules.now(&state, Seat::FIRST);
    real.stacks[18] = Stack::new(Seat::FIRST, 0, 2);
    let write = |now: &Now| {
        let mut row = vec![0.0; rules.feature_layout().row_len()];
        rules.write_features(now, &mut row);
        row
    };
    for (part, change) in CHANGES {
        let mut other = real;
        change(&mut other);
        assert_ne!(write(&real), write(&other), "{part} does not reach the features");
    }
}

#[test]
fn shapes_and_texts_agree() {
    let rules = WarChest::default();
    let layout = rules.feature_layout();
    let spec = rules.feature_spec();
    let n_planes = spec.lines().filter(|line| line.starts_with("plane ")).count();
    assert_eq!(n_planes, layout.planes);
    let last = spec.lines().last().unwrap();
    assert!(last.contains(&format!("..={} ", layout.globals - 1)), "{last}");
    let policy = rules.policy_layout();
    assert_eq!((policy.planes, policy.flat), (78, 35));
    assert!(rules.action_spec().contains("plane 72..=77 marshal"), "{}", rules.action_spec());
    assert!(rules.action_spec().contains("flat 34..=34 decline"), "{}", rules.action_spec());
    let mask = rules.cell_mask();
    assert_eq!(mask.iter().filter(|is_hex| **is_hex).count(), Hex::COUNT);
    let mut walk = Walk::deal(1);
    walk.step();
    let row = features(&rules, &walk.state, Seat::SECOND);
    for (cell, is_hex) in mask.iter().enumerate() {
        assert_eq!(row[cell] == 1.0, *is_hex);
        let is_blank = (0..layout.planes).all(|plane| row[plane * mask.len() + cell] == 0.0);
        assert!(*is_hex || is_blank, "cell {cell} lies off the board");
    }
}

#[test]
fn fingerprints_tell_rules_apart() {
    let base = WarChest::default();
    let others = [
        WarChest { pool: Pool::Ranked, ..base },
        WarChest { royal_guard: RoyalGuardCard::Printed2018, ..base },
        base.without_cap(),
    ];
    let mut prints: Vec<String> = others.iter().map(|r| r.fingerprint().to_string()).collect();
    prints.push(base.fingerprint().to_string());
    prints.sort();
    prints.dedup();
    assert_eq!(prints.len(), 4);
    assert_eq!(base.fingerprint(), WarChest::default().fingerprint());
    assert!(base.fingerprint_text().contains("observation observation-v1 101 bytes"));
}
