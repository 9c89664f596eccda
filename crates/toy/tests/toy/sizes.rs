//! The numbers of histories, terminals and information sets, as OpenSpiel 2.0.2 enumerates them.

use game::{Chance, Hidden, Observation, Rules, Seat, Turn};
use std::collections::HashSet;
use toy::goofspiel::PrizeOrder;
use toy::leduc::Suits;
use toy::{Goofspiel, Kuhn, Leduc, LiarsDice, NormalForm, Small, SmallGame};

#[derive(Default)]
struct Counted {
    histories: usize,
    terminals: usize,
    /// Per seat, what it has observed where it decides.
    observed: Vec<HashSet<Vec<u8>>>,
}

fn walk<G: SmallGame>(
    rules: &Small<G>,
    state: &<Small<G> as Rules>::State,
    observations: &[Observation<Small<G>>],
    counted: &mut Counted,
) {
    counted.histories += 1;
    let mut next = Vec::new();
    match rules.turn(state) {
        Turn::Over => counted.terminals += 1,
        Turn::Chance => rules.outcomes(state, &mut |act, _| next.push(act)),
        Turn::Seat(seat) => {
            counted.observed[seat.idx()].insert(observations[seat.idx()].bytes(rules));
            next = rules.legal(state);
        }
    }
    for act in next {
        let mut after = *state;
        rules.apply(&mut after, act);
        let extended: Vec<_> = observations
            .iter()
            .map(|observation| {
                let (mut longer, seat) = (observation.clone(), observation.seat());
                longer.extend(rules.event(state, act, seat), rules.now(&after, seat));
                longer
            })
            .collect();
        walk(rules, &after, &extended, counted);
    }
}

/// Histories, terminals, and information sets of each seat.
fn sizes<G: SmallGame>(game: G) -> (usize, usize, Vec<usize>) {
    let rules = Small(game);
    let start = rules.initial(&());
    let seats = (0..rules.n_seats()).map(|seat| Seat::new(seat as u8));
    let observations: Vec<_> =
        seats.map(|seat| Observation::begin(seat, rules.now(&start, seat))).collect();
    let observed = vec![HashSet::new(); rules.n_seats()];
    let mut counted = Counted { observed, ..Counted::default() };
    walk(&rules, &start, &observations, &mut counted);
    let sets = counted.observed.iter().map(HashSet::len).collect();
    (counted.histories, counted.terminals, sets)
}

#[test]
fn kuhn() {
    assert_eq!(sizes(Kuhn::TWO_PLAYERS), (58, 30, vec![6, 6]));
    assert_eq!(sizes(Kuhn::THREE_PLAYERS), (617, 312, vec![16, 16, 16]));
}

#[test]
fn leduc() {
    assert_eq!(sizes(Leduc { suits: Suits::All }), (9_457, 5_520, vec![468, 468]));
    let (histories, _, sets) = sizes(Leduc { suits: Suits::Isomorphic });
    assert_eq!((histories, sets), (1_939, vec![144, 144]));
}

#[test]
fn liars_dice() {
    let sized = |n_dice, n_sides| sizes(LiarsDice::new(n_dice, n_sides).unwrap());
    assert_eq!(sized(1, 2), (127, 60, vec![16, 16]));
    assert_eq!(sized(1, 3), (1_147, 567, vec![96, 96]));
    // Two dice in another order are the same hand: three hands of two-sided dice, not four.
    assert_eq!(sized(2, 2), (8_191, 4_080, vec![384, 384]));
    assert_eq!(sized(1, 6), (294_883, 147_420, vec![12_288, 12_288]));
}

#[test]
fn goofspiel() {
    let sized = |n_cards, order| sizes(Goofspiel::new(n_cards, order).unwrap());
    assert_eq!(sized(2, PrizeOrder::Descending), (7, 4, vec![1, 1]));
    assert_eq!(sized(3, PrizeOrder::Descending), (67, 36, vec![8, 8]));
    assert_eq!(sized(4, PrizeOrder::Descending), (1_077, 576, vec![81, 81]));
    assert_eq!(sized(2, PrizeOrder::Random), (15, 8, vec![2, 2]));
    assert_eq!(sized(3, PrizeOrder::Random), (418, 216, vec![45, 45]));
    assert_eq!(sized(4, PrizeOrder::Random), (26_773, 13_824, vec![1_804, 1_804]));
}

#[test]
fn one_choice_each() {
    for game in NormalForm::named() {
        let n_cells = game.n_rows() * game.n_columns();
        let histories = 1 + game.n_rows() + n_cells;
        assert_eq!(sizes(game), (histories, n_cells, vec![1, 1]));
    }
}
