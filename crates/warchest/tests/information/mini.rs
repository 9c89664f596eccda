//! Mini games: what beliefs say of them is what all their histories add up to, and their rules are those of the
//! large game on a smaller board.

use game::{Chance, Rules, Stream, Turn};
use warchest::check::{EnumeratedCheck, Histories, MiniSize, beliefs_enumerated};
use warchest::{Decision, LOCATIONS, Step};

#[test]
fn beliefs_are_what_all_histories_add_up_to() {
    let n_positions = if cfg!(debug_assertions) { 8_000 } else { 100_000 };
    let size = MiniSize::default();
    let check = EnumeratedCheck { size, n_positions, n_threads: 2, first_game: 60_000 };
    let report = beliefs_enumerated(&check, &|_| ());
    println!("{report:?}");
    assert_eq!((report.exact_mismatches, &report.first_mismatch), (0, &None));
    assert!(report.positions >= n_positions);
    assert!(2 * report.several > report.positions, "{report:?}");
    assert!(3 * report.apart > report.positions && report.histories_max > 400, "{report:?}");
    let at_least = |n: u64, per_100k: u64| n * 100_000 >= per_100k * report.positions;
    assert!(at_least(report.refills_in_a_draw, 1_000), "{report:?}");
    assert!(at_least(report.initiative_claims, 4_000), "{report:?}");
    assert!(at_least(report.recruits, 3_000) && at_least(report.passes, 8_000), "{report:?}");
    assert!(at_least(report.face_up, 10_000) && at_least(report.wins, 50), "{report:?}");
    assert!(report.priest_draws > 5 && report.face_down_in_flight > 5, "{report:?}");
}

/// Nothing ever stands or controls outside the board, and the last marker wins.
#[test]
fn games_stay_on_their_board() {
    let (mut wins, mut n_plies) = (0, 0);
    for seed in 0..300 {
        let mut stream = Stream::from_seed(seed);
        let game = MiniSize::default().draw(&mut stream);
        let (rules, mut state) = (game.rules, game.start);
        assert!((rules.board.hexes & LOCATIONS).len() >= 3);
        loop {
            rules.validate(&state).unwrap();
            let action = match rules.turn(&state) {
                Turn::Over => break,
                Turn::Chance => rules.draw(&state, &mut stream),
                Turn::Seat(_) => {
                    let legal = rules.legal(&state);
                    legal[stream.below(legal.len() as u32) as usize]
                }
            };
            n_plies += 1;
            rules.apply(&mut state, action);
        }
        wins += usize::from(matches!(state.step(), Step::Over(Some(_))));
    }
    assert!(wins > 30 && n_plies > 100_000, "{wins} won, {n_plies} plies");
}

/// The histories of the first draws are those that one finds by hand: from a bag of n coins, one after the other.
#[test]
fn histories_of_the_first_draws_are_all_ordered_draws() {
    let mut n_checked = 0;
    for seed in 0..40 {
        let game = MiniSize::default().draw(&mut Stream::from_seed(seed));
        let drawer = game.start.actor();
        let mut histories = Histories::begin(drawer.other(), game.start);
        let bag = game.start.zones(drawer).bag;
        if bag.total() < 3 {
            continue;
        }
        for _ in 0..3 {
            assert_eq!(histories.any().decision(), Some(Decision::Draw));
            let mut next = histories.continuations(&game.rules);
            assert_eq!(next.len(), 1, "the other seat sees that a coin was drawn, and no more");
            histories = next.remove(0).histories;
        }
        let slots: Vec<usize> = bag.slots().collect();
        let mut expected = 0;
        for a in &slots {
            for b in &slots {
                for c in &slots {
                    let n_of = |slot| [a, b, c].into_iter().filter(|s| **s == slot).count();
                    let fits = slots.iter().all(|s| n_of(*s) <= usize::from(bag.count(*s)));
                    expected += usize::from(fits);
                }
            }
        }
        assert_eq!(histories.n_histories(), expected);
        n_checked += 1;
    }
    assert!(n_checked > 20, "{n_checked}");
}
