//! Games in normal form with textbook solutions, and random ones; every profile is checked by its largest gain.

use cfr::matrix::iterative::{Learning, Method};
use cfr::matrix::support_enumeration::{TooManyChoices, equilibria};
use cfr::matrix::{Bimatrix, Profile, correlated, zero_sum};
use game::Stream;
use toy::NormalForm;

fn game(name: &str) -> Bimatrix {
    let toy = NormalForm::by_name(name).unwrap();
    let cells =
        (0..toy.n_rows()).flat_map(|row| (0..toy.n_columns()).map(move |column| (row, column)));
    Bimatrix::new(toy.n_columns(), cells.map(|(row, column)| toy.payoff(row, column)).collect())
        .unwrap()
}

fn random_game(stream: &mut Stream, n: usize, is_zero_sum: bool) -> Bimatrix {
    let mut number = || f64::from(stream.below(2001)) / 100.0 - 10.0;
    let cells = (0..n * n).map(|_| {
        let first = number();
        [first, if is_zero_sum { 0.0 - first } else { number() }]
    });
    Bimatrix::new(n, cells.collect()).unwrap()
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9)
}

/// The equilibria found, each of which must be one.
fn found(game: &Bimatrix) -> Vec<Profile> {
    let found = equilibria(game).unwrap();
    for profile in &found.profiles {
        assert!(profile.largest_gain(game).abs() < 1e-9, "{profile:?}");
    }
    found.profiles
}

fn has(profiles: &[Profile], rows: &[f64], columns: &[f64]) -> bool {
    profiles.iter().any(|profile| close(&profile.rows, rows) && close(&profile.columns, columns))
}

#[test]
fn the_prisoners_both_defect() {
    let profiles = found(&game("prisoners-dilemma"));
    assert!(profiles.len() == 1 && has(&profiles, &[0.0, 1.0], &[0.0, 1.0]), "{profiles:?}");
    let told = correlated::of_greatest_welfare(&game("prisoners-dilemma")).unwrap();
    assert!(close(&told.0, &[0.0, 0.0, 0.0, 1.0]), "no mediator helps: {told:?}");
}

#[test]
fn the_battle_of_the_sexes_has_three() {
    let profiles = found(&game("battle-of-the-sexes"));
    assert_eq!(profiles.len(), 3);
    assert!(has(&profiles, &[1.0, 0.0], &[1.0, 0.0]) && has(&profiles, &[0.0, 1.0], &[0.0, 1.0]));
    assert!(has(&profiles, &[2.0 / 3.0, 1.0 / 3.0], &[1.0 / 3.0, 2.0 / 3.0]), "{profiles:?}");
}

/// Aumann's example: the best correlated equilibrium, (1/4 each of dare-yield and yield-dare, 1/2 of yield-yield), pays
/// 5.25 to each; the symmetric equilibrium 4 2/3.
#[test]
fn a_mediator_helps_in_chicken() {
    let game = game("chicken");
    let profiles = found(&game);
    assert_eq!(profiles.len(), 3);
    assert!(has(&profiles, &[1.0 / 3.0, 2.0 / 3.0], &[1.0 / 3.0, 2.0 / 3.0]), "{profiles:?}");
    let told = correlated::of_greatest_welfare(&game).unwrap();
    assert!(told.largest_gain(&game) < 1e-9);
    let [first, second] = told.values(&game);
    assert!((first + second - 10.5).abs() < 1e-9, "{told:?}");
    for profile in &profiles {
        let [first, second] = profile.values(&game);
        assert!(first + second < 10.5 - 1e-9);
        assert!(profile.joint().largest_gain(&game) < 1e-9, "an equilibrium is a correlated one");
    }
}

#[test]
fn zero_sum_games_by_linear_program() {
    let known: [(&str, f64, &[f64]); 4] = [
        ("matching-pennies", 0.0, &[0.5, 0.5]),
        ("rock-paper-scissors", 0.0, &[1.0 / 3.0; 3]),
        ("weighted-rock-paper-scissors", 0.0, &[0.25, 0.5, 0.25]),
        ("rock-paper-scissors-lizard-spock", 0.0, &[0.2; 5]),
    ];
    for (name, value, strategy) in known {
        let game = game(name);
        let solution = zero_sum::solution(&game).unwrap();
        assert!((solution.value - value).abs() < 1e-9, "{name}: {solution:?}");
        assert!(close(&solution.profile.rows, strategy), "{name}: {solution:?}");
        assert!(solution.profile.largest_gain(&game) < 1e-9);
    }
    assert_eq!(zero_sum::solution(&game("chicken")), Err(zero_sum::NoSolution::NotZeroSum));
}

#[test]
fn random_games_agree() {
    let mut stream = Stream::from_seed(23);
    let mut n_unique = 0;
    for _ in 0..100 {
        let game = random_game(&mut stream, 4, true);
        let solution = zero_sum::solution(&game).unwrap();
        assert!(solution.profile.largest_gain(&game) < 1e-8);
        for profile in found(&game) {
            assert!((profile.values(&game)[0] - solution.value).abs() < 1e-8);
            n_unique += 1;
        }
    }
    assert!(n_unique >= 100, "every game has an equilibrium: {n_unique}");
    for _ in 0..50 {
        let game = random_game(&mut stream, 4, false);
        let all = equilibria(&game).unwrap();
        // Nondegenerate games have an odd number (Wilson 1971).
        assert!(all.is_degenerate || all.profiles.len() % 2 == 1, "{all:?}");
        let told = correlated::of_greatest_welfare(&game).unwrap();
        assert!(told.largest_gain(&game) < 1e-8);
        let best =
            found(&game).iter().map(|it| it.values(&game).iter().sum()).fold(f64::MIN, f64::max);
        assert!(best < told.values(&game).iter().sum::<f64>() + 1e-8);
    }
}

#[test]
fn fictitious_play_settles_in_zero_sum_games_and_cycles_in_shapleys() {
    let pennies = game("matching-pennies");
    let mut learning = Learning::new(&pennies, Method::FictitiousPlay);
    learning.play(100_000);
    assert!(learning.average().largest_gain(&pennies) < 0.01);
    let shapley = game("shapleys-game");
    let mut learning = Learning::new(&shapley, Method::FictitiousPlay);
    let mut gains = Vec::new();
    for _ in 0..5 {
        learning.play(10u64.pow(gains.len() as u32 + 2));
        gains.push(learning.average().largest_gain(&shapley));
    }
    assert!(gains.iter().all(|gain| *gain > 0.1), "{gains:?}");
    let profiles = found(&shapley);
    assert!(profiles.len() == 1 && has(&profiles, &[1.0 / 3.0; 3], &[1.0 / 3.0; 3]));
}

#[test]
fn regret_matching_leaves_no_regret() {
    for name in ["shapleys-game", "chicken", "battle-of-the-sexes", "weighted-rock-paper-scissors"]
    {
        let game = game(name);
        let mut learning = Learning::new(&game, Method::RegretMatching);
        let mut last = f64::INFINITY;
        for _ in 0..4 {
            learning.play(learning.rounds() * 9 + 100);
            let regret = learning.largest_regret();
            // The bound of regret matching: (largest difference of payoffs) · √(choices / rounds).
            let bound = 7.0 * (3.0 / learning.rounds() as f64).sqrt();
            assert!(regret <= bound, "{name}: {regret} after {}", learning.rounds());
            last = last.min(regret);
        }
        assert!(last < 0.05, "{name}: {last}");
    }
    let rock = game("weighted-rock-paper-scissors");
    let mut learning = Learning::new(&rock, Method::RegretMatching);
    learning.play(100_000);
    assert!(learning.average().largest_gain(&rock) < 0.02);
}

#[test]
fn what_is_no_game_is_refused() {
    assert!(Bimatrix::new(2, vec![[0.0, 0.0]; 3]).is_err());
    assert!(Bimatrix::new(0, vec![[0.0, 0.0]]).is_err());
    assert!(Bimatrix::new(1, vec![[f64::NAN, 0.0]]).is_err());
    let large = Bimatrix::zero_sum(13, &[0.0; 13]).unwrap();
    assert_eq!(equilibria(&large), Err(TooManyChoices { n_choices: 13 }));
    let flat = Bimatrix::zero_sum(2, &[0.0; 4]).unwrap();
    assert!(equilibria(&flat).unwrap().is_degenerate);
}
