//! Proves on random games what every game owes its users: legal actions, exact undo, valid positions, chance
//! weights, text that reads back, action numbers; and War Chest's own invariants: coins are conserved, one claim a
//! round, and turning the board by half with the seats swapped maps one game onto another.

use game::conformance::{self, Uniform, Walk};
use game::perft::possible;
use game::{Rules, Seat, Stream, Turn};
use warchest::{Action, Dealing, RoyalGuardCard, State, Step, StructuralUniform, WarChest};

/// Takes control when it can, else usually attacks or does something with a unit: such games end.
fn eager(_: &WarChest, _: &State, legal: &[Action], stream: &mut Stream) -> usize {
    let rank = |action: &Action| match action {
        Action::Control { .. }
        | Action::BerserkerControl { .. }
        | Action::FootmanControl { .. }
        | Action::MercenaryControl { .. } => 3,
        Action::Pass { .. } | Action::Recruit { .. } | Action::ClaimInitiative { .. } => 0,
        Action::Bolster { .. } => 1,
        _ => 2,
    };
    let best = legal.iter().map(rank).max().unwrap();
    let wanted = if best == 3 || stream.below(5) > 0 { best } else { 0 };
    let among: Vec<usize> = (0..legal.len()).filter(|i| rank(&legal[*i]) >= wanted).collect();
    among[stream.below(among.len() as u32) as usize]
}

fn variants() -> [WarChest; 4] {
    [
        WarChest::default(),
        WarChest::ranked(),
        WarChest { royal_guard: RoyalGuardCard::Printed2018, ..WarChest::ranked() },
        WarChest { dealing: Dealing::Draft, cap: Some(60), ..WarChest::ranked() },
    ]
}

#[test]
fn legal_actions_effects_undo_and_endings() {
    let mut total = conformance::Moves::default();
    for rules in variants() {
        let plan = Walk { games: 12, plies_max: 700, seed: 11 };
        let eager = conformance::moves(&rules, plan, eager).unwrap();
        let uniform = conformance::moves(&rules, plan, Uniform).unwrap();
        for report in [eager, uniform] {
            total.scored += report.scored;
            total.truncated += report.truncated;
            total.refused += report.refused;
            total.undone += report.undone;
            total.same_seat_again += report.same_seat_again;
        }
    }
    assert!(total.scored >= 10 && total.truncated >= 10, "{total:?}");
    assert!(total.undone > 100_000 && total.refused > 100_000, "{total:?}");
    assert!(total.same_seat_again > 500, "{total:?}");
}

#[test]
fn chance_weights_are_the_counts_of_coins() {
    for rules in variants() {
        let plan = Walk { games: 10, plies_max: 700, seed: 12 };
        let report = conformance::chance_weights(&rules, plan, eager).unwrap();
        assert!(report.open_nodes > 300 && report.uneven_nodes > 300, "{report:?}");
    }
}

#[test]
fn texts_read_back() {
    for rules in variants() {
        let plan = Walk { games: 10, plies_max: 700, seed: 13 };
        let report = conformance::notation(&rules, plan, eager).unwrap();
        assert!(report.positions > 1_000 && report.actions > 10_000, "{report:?}");
    }
}

#[test]
fn action_numbers_are_injective() {
    for rules in variants() {
        let plan = Walk { games: 20, plies_max: 700, seed: 14 };
        let report = conformance::action_index(&rules, plan, eager).unwrap();
        assert!(report.open_decisions > 1_000 && report.distinct_indexes > 200, "{report:?}");
    }
}

#[test]
fn observations_tell_what_they_may_and_worlds_fit_them() {
    for rules in variants() {
        let plan = Walk { games: 6, plies_max: 700, seed: 16 };
        let belief = StructuralUniform;
        let report = conformance::observations(&rules, &belief, plan, eager, 7).unwrap();
        assert!(report.observations > 150 && report.action_lists > 30, "{report:?}");
        assert!(report.other_worlds > 80 && report.open_observations > 80, "{report:?}");
    }
}

/// How many random decisions the invariants are checked on.
const N_DECISIONS: u64 = if cfg!(debug_assertions) { 30_000 } else { 1_000_000 };

#[test]
fn invariants_hold_on_random_decisions() {
    let mut stream = Stream::from_seed(15);
    let (mut decisions, mut round_ends, mut claims, mut wins) = (0u64, 0u64, 0u64, 0u64);
    let mut kinds = [0u64; warchest::Decision::COUNT];
    while decisions < N_DECISIONS {
        let rules = WarChest::ranked();
        let mut state = rules.initial(&rules.deal(&mut stream));
        let owned = Seat::BOTH.map(|seat| state.coins_of(seat));
        let mut claims_in_round = 0;
        while rules.turn(&state) != Turn::Over {
            rules.validate(&state).unwrap();
            kinds[state.decision().unwrap() as usize] += 1;
            let all = possible(&rules, &state);
            let action = match rules.turn(&state) {
                Turn::Chance => all[stream.below(all.len() as u32) as usize],
                _ => {
                    decisions += 1;
                    all[eager(&rules, &state, &all, &mut stream)]
                }
            };
            claims_in_round += u64::from(matches!(action, Action::ClaimInitiative { .. }));
            let round = state.round();
            rules.apply(&mut state, action);
            assert_eq!(Seat::BOTH.map(|seat| state.coins_of(seat)), owned, "coins are conserved");
            if state.round() != round {
                assert!(Seat::BOTH.iter().all(|seat| state.zones(*seat).hand.is_empty()));
                assert!(claims_in_round <= 1, "{claims_in_round} claims in a round");
                claims += claims_in_round;
                round_ends += 1;
                claims_in_round = 0;
            }
        }
        wins += u64::from(matches!(state.step(), Step::Over(Some(_))));
    }
    assert!(round_ends > N_DECISIONS / 20 && claims > 100 && wins > 20);
    assert!(kinds.iter().all(|n| *n > 0), "some kind of decision never came up: {kinds:?}");
}
