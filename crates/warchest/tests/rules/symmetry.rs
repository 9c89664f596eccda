//! Proves that half a turn of the board with the sides swapped is a symmetry: it maps the legal actions of any
//! position one to one onto those of the turned position, and each effect onto the effect of the turned action.

use game::perft::possible;
use game::{Rules, Stream, Turn};
use std::collections::BTreeSet;
use warchest::symmetry::{turned_action, turned_state};
use warchest::{Decision, WarChest};

#[test]
fn turned_positions_have_turned_actions_with_turned_effects() {
    let rules = WarChest::ranked();
    let mut stream = Stream::from_seed(21);
    let mut kinds = [0u64; Decision::COUNT];
    for _ in 0..60 {
        let mut state = rules.initial(&rules.deal(&mut stream));
        while rules.turn(&state) != Turn::Over {
            kinds[state.decision().unwrap() as usize] += 1;
            let turned = turned_state(&state);
            rules.validate(&turned).unwrap();
            assert_eq!(turned_state(&turned), state);
            let ours = possible(&rules, &state);
            let theirs: BTreeSet<_> = possible(&rules, &turned).into_iter().collect();
            assert_eq!(ours.iter().copied().map(turned_action).collect::<BTreeSet<_>>(), theirs);
            for action in &ours {
                let (mut here, mut there) = (state, turned);
                rules.apply(&mut here, *action);
                rules.apply(&mut there, turned_action(*action));
                assert_eq!(turned_state(&here), there, "{action}");
            }
            let maneuvers = ours.iter().filter(|action| !action.to_string().contains("pass"));
            let wanted: Vec<_> = maneuvers.copied().collect();
            let among = if wanted.is_empty() || stream.below(4) == 0 { &ours } else { &wanted };
            let action = among[stream.below(among.len() as u32) as usize];
            rules.apply(&mut state, action);
        }
    }
    let common = [Decision::Draw, Decision::Main, Decision::Footman, Decision::Berserker];
    assert!(common.iter().all(|kind| kinds[*kind as usize] > 100), "{kinds:?}");
    assert!(kinds.iter().filter(|n| **n > 0).count() >= 10, "{kinds:?}");
}
