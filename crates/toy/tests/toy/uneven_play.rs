//! Results of one uneven play, as OpenSpiel 2.0.2 gives them: seat `s` takes the `k`-th of its legal actions, in rising
//! order and counted from 0, with weight `1 + k (s + 1)`. Mean and mean square are taken over the whole tree, so that
//! rules that pay, order or list anything differently part from these figures.

use game::{Chance, Rules, Seat, Turn};
use toy::goofspiel::PrizeOrder;
use toy::leduc::Suits;
use toy::{Goofspiel, Kuhn, Leduc, LiarsDice, Small, SmallGame};

/// Adds each seat's expected result and its square below `state`, times `probability`.
fn add<G: SmallGame>(
    rules: &Small<G>,
    state: &<Small<G> as Rules>::State,
    probability: f64,
    sums: &mut [[f64; 2]],
) {
    let mut next = Vec::new();
    match rules.turn(state) {
        Turn::Over => {
            let utility = rules.0.utility(state.acts());
            for (seat, [mean, square]) in sums.iter_mut().enumerate() {
                let result = utility.of(Seat::new(seat as u8));
                *mean += probability * result;
                *square += probability * result * result;
            }
        }
        Turn::Chance => rules.outcomes(state, &mut |act, weight| next.push((act, weight))),
        Turn::Seat(seat) => {
            let step = seat.idx() as u32 + 1;
            next.extend(rules.legal(state).into_iter().zip((1..).step_by(step as usize)));
            assert!(next.is_sorted());
        }
    }
    let total: u32 = next.iter().map(|(_, weight)| weight).sum();
    for (act, weight) in next {
        let mut after = *state;
        rules.apply(&mut after, act);
        add(rules, &after, probability * f64::from(weight) / f64::from(total), sums);
    }
}

/// `expected` is mean and mean square of each seat.
fn check<G: SmallGame>(game: G, expected: &[[f64; 2]]) {
    let rules = Small(game);
    assert_eq!(rules.n_seats(), expected.len());
    let mut found = vec![[0.0; 2]; expected.len()];
    add(&rules, &rules.initial(&()), 1.0, &mut found);
    for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
        assert!((found - expected).abs() < 1e-11, "{:?}: {found} is not {expected}", rules.0);
    }
}

/// The same for a game in which what one seat wins the other loses.
fn check_two(game: impl SmallGame, mean: f64, square: f64) {
    check(game, &[[mean, square], [-mean, square]]);
}

#[test]
fn kuhn() {
    check_two(Kuhn::TWO_PLAYERS, 0.083_333_333_333_333_34, 3.0);
    check(
        Kuhn::THREE_PLAYERS,
        &[
            [0.100_000_000_000_001_56, 6.611_111_111_111_098],
            [-0.041_666_666_666_666_505, 6.225_000_000_000_009],
            [-0.058_333_333_333_333_154, 6.252_777_777_777_777],
        ],
    );
}

#[test]
fn leduc_whether_or_not_suits_are_told_apart() {
    for suits in Suits::BOTH {
        check_two(Leduc { suits }, -0.674_948_470_364_655_3, 49.006_078_740_617_07);
    }
}

#[test]
fn liars_dice() {
    let check_dice = |n_dice, n_sides, mean| {
        check_two(LiarsDice::new(n_dice, n_sides).unwrap(), mean, 1.0);
    };
    check_dice(1, 2, 0.174_927_662_037_036_9);
    check_dice(1, 3, -0.069_993_335_438_122_79);
    check_dice(2, 2, 0.125_252_577_696_104_54);
    check_dice(1, 6, -0.152_868_668_974_246);
}

#[test]
fn goofspiel() {
    let check_cards = |n_cards, order, mean, square| {
        check_two(Goofspiel::new(n_cards, order).unwrap(), mean, square);
    };
    check_cards(2, PrizeOrder::Descending, -0.083_333_333_333_333_34, 0.416_666_666_666_666_63);
    check_cards(2, PrizeOrder::Random, 0.0, 0.416_666_666_666_666_63);
    check_cards(3, PrizeOrder::Descending, -0.086_419_753_086_419_72, 0.675_925_925_925_926);
    check_cards(3, PrizeOrder::Random, 0.004_115_226_337_448_577, 0.671_810_699_588_477);
    check_cards(4, PrizeOrder::Descending, -0.083_381_558_641_975_26, 0.797_733_410_493_829_3);
    check_cards(4, PrizeOrder::Random, 0.007_278_806_584_362_136, 0.796_206_275_720_182_3);
}
