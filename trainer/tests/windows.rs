//! Proves which rows training draws from, and that no game lies on both sides of the split.

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;
use support::{GAME, accept_shard, game_rows, games, run_folder};
use trainer::cycle::cut_off;
use trainer::loader::load_all;
use trainer::rows::Decoder;
use trainer::split::Split;
use trainer::window::{Window, newest};

fn window(n_games: u64, rows_max: u64) -> Window {
    let shard = |number: u64| {
        let rows = games(number * 5, 5).concat();
        Arc::new(Decoder::new(GAME).decode(&format!("s{number}"), &rows).unwrap())
    };
    Window::new((0..n_games / 5).map(shard).collect(), rows_max)
}

#[test]
fn a_window_holds_exactly_the_newest_rows() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    let manifests: Vec<_> =
        (0..4).map(|n| accept_shard(&folder, &format!("s{n}"), &games(n * 2, 2))).collect();
    for (rows_max, first, n_rows) in
        [(1, 3, 1), (40, 3, 40), (41, 2, 41), (90, 1, 90), (500, 0, 160)]
    {
        let chosen = newest(&manifests, rows_max);
        assert_eq!(chosen, &manifests[first..], "{rows_max}");
        let chosen: Vec<_> = chosen.iter().collect();
        let shards = load_all(&Decoder::new(GAME), &folder.training_dir(), &chosen).unwrap();
        let window = Window::new(shards, rows_max);
        assert_eq!(window.len(), n_rows);
        // The last row is the newest, the first is what is left of the oldest shard.
        let last = game_rows(7, 20, true).remove(19);
        assert_eq!(window.row(n_rows - 1).now, last.now);
        assert_eq!(window.source(n_rows - 1), ("s3", 19 + 20));
        assert_eq!(window.source(0), (format!("s{first}").as_str(), (40 - n_rows % 40) % 40));
    }
}

#[test]
fn no_game_is_trained_on_and_held_out() {
    let window = window(100, u64::MAX);
    for share in [0.05, 0.2, 0.5] {
        let split = Split::by_game(&window, share);
        let games = |rows: &[u32]| -> BTreeSet<_> {
            rows.iter().map(|idx| window.row(*idx as usize).game).collect()
        };
        let (train, held_out) = (games(&split.train), games(&split.held_out));
        assert!(train.is_disjoint(&held_out));
        assert_eq!(train.len() + held_out.len(), 100);
        assert_eq!(split.train.len() + split.held_out.len(), window.len());
        // Binomial with 100 games: within six sigma.
        let expected = 100.0 * share;
        let sigma = (100.0 * share * (1.0 - share)).sqrt();
        assert!((held_out.len() as f64 - expected).abs() < 6.0 * sigma, "{}", held_out.len());
    }
}

#[test]
fn a_game_stays_held_out_as_the_window_moves() {
    let (large, small) = (window(100, u64::MAX), window(100, 1_000));
    let held_out = |window: &Window| -> BTreeSet<_> {
        let split = Split::by_game(window, 0.2);
        split.held_out.iter().map(|idx| window.row(*idx as usize).game).collect()
    };
    let (large, small) = (held_out(&large), held_out(&small));
    assert!(!small.is_empty() && small.is_subset(&large));
}

#[test]
fn few_games_still_leave_one_held_out_unless_told_otherwise() {
    let window = window(5, u64::MAX);
    let held_out = Split::by_game(&window, 0.001).held_out;
    assert_eq!(held_out.len(), 20, "one whole game");
    assert!(Split::by_game(&window, 0.0).held_out.is_empty());
    let rows = game_rows(1, 20, false);
    let one = Window::new(vec![Arc::new(Decoder::new(GAME).decode("s", &rows).unwrap())], 100);
    assert_eq!(Split::by_game(&one, 0.001).train.len(), 20);
}

#[test]
fn a_generation_takes_the_fewest_shards_that_fill_it() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    let manifests: Vec<_> =
        (0..5).map(|n| accept_shard(&folder, &format!("s{n}"), &games(n * 2, 2))).collect();
    assert_eq!(cut_off(&manifests, 0, 40), Ok(1));
    assert_eq!(cut_off(&manifests, 0, 41), Ok(2));
    assert_eq!(cut_off(&manifests, 2, 80), Ok(4));
    assert_eq!(cut_off(&manifests, 3, 100), Err(20));
    assert_eq!(cut_off(&manifests, 9, 10), Err(10));
}
