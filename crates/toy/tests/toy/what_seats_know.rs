//! Bytes of what a seat knows are read exactly if some line of the game gives that knowledge.

use game::perft::possible;
use game::{Hidden, Rules, Seat};
use std::collections::HashSet;
use toy::goofspiel::PrizeOrder;
use toy::{Act, Goofspiel, Knowledge, Kuhn, LiarsDice, Line, NormalForm, Small, SmallGame};

/// What each seat knows anywhere at or below `state`.
fn collect<G: SmallGame>(rules: &Small<G>, state: &Line, known: &mut HashSet<Knowledge>) {
    known.extend((0..rules.n_seats()).map(|seat| rules.now(state, Seat::new(seat as u8))));
    for act in possible(rules, state) {
        let mut after = *state;
        rules.apply(&mut after, act);
        collect(rules, &after, known);
    }
}

/// All knowledge of the game reads back; with any one byte changed it is read only if it is knowledge of the game.
/// Returns how many changed ones were read and how many refused.
fn check<G: SmallGame>(game: G) -> (usize, usize) {
    let rules = Small(game);
    let mut known = HashSet::new();
    collect(&rules, &rules.initial(&()), &mut known);
    let bytes_of = |now: &Knowledge| {
        let mut bytes = Vec::new();
        rules.write_now(now, &mut bytes);
        bytes
    };
    let (mut n_read, mut n_refused) = (0, 0);
    for now in &known {
        let bytes = bytes_of(now);
        assert_eq!(rules.read_now(&bytes).as_ref(), Ok(now));
        for place in 0..bytes.len() {
            for byte in (0..rules.0.n_acts() as u8 + 2).chain([Act::HIDDEN.0]) {
                let mut changed = bytes.clone();
                changed[place] = byte;
                match rules.read_now(&changed) {
                    Err(_) => n_refused += 1,
                    Ok(other) => {
                        assert!(known.contains(&other), "{:?}: {other:?}", rules.0);
                        assert_eq!(bytes_of(&other), changed);
                        n_read += usize::from(changed != bytes);
                    }
                }
            }
        }
    }
    assert!(known.iter().all(|now| rules.read_now(&bytes_of(now)[1..]).is_err()));
    (n_read, n_refused)
}

#[test]
fn only_what_a_line_of_the_game_shows_is_read() {
    let shaken = [
        check(Kuhn::TWO_PLAYERS),
        check(Kuhn::THREE_PLAYERS),
        check(LiarsDice::new(1, 3).unwrap()),
        check(Goofspiel::new(3, PrizeOrder::Descending).unwrap()),
        check(Goofspiel::new(3, PrizeOrder::Random).unwrap()),
        check(NormalForm::by_name("shapleys-game").unwrap()),
    ];
    for (n_read, n_refused) in shaken {
        assert!(n_read >= 4 && n_refused > 10 * n_read, "{n_read} read, {n_refused} refused");
    }
}
