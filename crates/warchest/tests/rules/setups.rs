//! Proves the set-up procedures: random deals, printed armies, drafts; and the position before the first ply.

use game::{Rules, Seat, Stream};
use std::collections::HashSet;
use warchest::{Army, Dealing, Draft, DraftStep, NoPick, Pool, Preset, Unit, WarChest};

#[test]
fn a_random_deal_gives_four_types_a_side_without_overlap() {
    for pool in [Pool::Base, Pool::Ranked] {
        let rules = WarChest { pool, ..WarChest::default() };
        let mut stream = Stream::from_seed(3);
        let (mut dealt, mut firsts) = (HashSet::new(), HashSet::new());
        for _ in 0..300 {
            let setup = rules.deal(&mut stream);
            Army::check_disjoint(&setup.armies).unwrap();
            for army in setup.armies {
                assert!(army.units().is_sorted());
                dealt.extend(*army.units());
            }
            firsts.insert(setup.first);
            rules.validate(&rules.initial(&setup)).unwrap();
        }
        assert_eq!(dealt, pool.units().iter().copied().collect());
        assert_eq!(firsts.len(), 2);
    }
    assert_eq!((Pool::Base.units().len(), Pool::Ranked.units().len()), (16, 19));
}

#[test]
fn the_first_position_has_nine_coins_in_each_bag() {
    let rules = WarChest::default();
    let setup = rules.deal(&mut Stream::from_seed(4));
    let state = rules.initial(&setup);
    for seat in Seat::BOTH {
        let zones = state.zones(seat);
        assert_eq!(zones.bag.counts(), [2, 2, 2, 2, 1]);
        for (slot, unit) in state.army(seat).units().iter().enumerate() {
            assert_eq!(zones.supply.count(slot), unit.n_coins() - 2);
        }
        assert_eq!(state.control(seat).len(), 2);
        assert_eq!(state.coins_of(seat), state.army(seat).printed_coins());
    }
    assert_eq!(state.actor(), setup.first, "the holder of the initiative draws first");
}

#[test]
fn printed_armies_are_dealt_to_either_seat() {
    for preset in Preset::ALL {
        let rules = WarChest { dealing: Dealing::Preset(preset), ..WarChest::default() };
        let mut stream = Stream::from_seed(5);
        let (mut orders, mut firsts) = (HashSet::new(), HashSet::new());
        for _ in 0..60 {
            let setup = rules.deal(&mut stream);
            let swapped = setup.armies[0] != preset.armies()[0];
            assert_eq!(setup.armies[usize::from(swapped)], preset.armies()[0]);
            if preset == Preset::FirstGame {
                assert_eq!(setup.first.idx(), usize::from(swapped), "army A starts");
            }
            orders.insert(swapped);
            firsts.insert(setup.first);
        }
        assert_eq!((orders.len(), firsts.len()), (2, 2));
    }
    let [a, b] = Preset::FirstGame.armies();
    assert!(a.slot_of(Unit::Swordsman).is_some() && b.slot_of(Unit::Scout).is_some());
}

/// Who takes which card: true is the first drafter.
fn order_of(mut draft: Draft) -> (Vec<bool>, Vec<bool>, Draft) {
    let (mut strikes, mut picks) = (Vec::new(), Vec::new());
    loop {
        match draft.step() {
            DraftStep::Strike(seat) => strikes.push(seat == draft.first_drafter()),
            DraftStep::Pick(seat) => picks.push(seat == draft.first_drafter()),
            DraftStep::Over => return (strikes, picks, draft),
        }
        let card = draft.open()[0];
        draft.take(card).unwrap();
    }
}

const SNAKE: [bool; 8] = [true, false, false, true, true, false, false, true];

#[test]
fn a_draft_picks_one_two_two_two_one_and_the_second_drafter_starts() {
    let draft = Draft::deal(Pool::Base, &mut Stream::from_seed(6));
    assert_eq!(draft.open().len(), 8);
    assert_eq!(draft.setup(), None, "not over");
    let (strikes, picks, mut done) = order_of(draft.clone());
    assert_eq!((strikes.len(), picks), (0, SNAKE.to_vec()));
    let setup = done.setup().unwrap();
    assert_eq!(setup.first, draft.first_drafter().other());
    Army::check_disjoint(&setup.armies).unwrap();
    assert_eq!(done.take(Unit::Archer), Err(NoPick::Over));
    let missing = Unit::ALL.into_iter().find(|unit| !draft.open().contains(unit)).unwrap();
    assert_eq!(draft.clone().take(missing), Err(NoPick::NotOpen(missing)));
}

#[test]
fn an_elimination_draft_strikes_two_of_ten_first() {
    let draft = Draft::deal_elimination(Pool::Ranked, &mut Stream::from_seed(7));
    assert_eq!(draft.open().len(), 10);
    let (strikes, picks, done) = order_of(draft);
    assert_eq!((strikes, picks), (vec![true, false], SNAKE.to_vec()));
    assert!(done.setup().is_some());
}

#[test]
fn every_dealing_gives_a_valid_game_and_has_a_name() {
    for dealing in Dealing::ALL {
        assert_eq!(Dealing::from_name(dealing.name()), Some(dealing));
        let rules = WarChest { dealing, ..WarChest::ranked() };
        let setup = rules.deal(&mut Stream::from_seed(8));
        rules.validate(&rules.initial(&setup)).unwrap();
    }
}
