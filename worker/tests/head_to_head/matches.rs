//! Games of a match depend on its seed and its players, never on threads; pairs share their deal.

use game::{Encode, GameId, Rules, Seat};
use net::{Architecture, EvaluatorOptions, Network, NetworkShape, Precision};
use run::Progress;
use search::SearchParams;
use stats::{GameResult, Sprt};
use std::collections::BTreeSet;
use warchest::{StructuralUniform, WarChest};
use worker::arena::game::{MatchSeeds, MatchedGame, seat_of_a};
use worker::arena::kept::{self, KeptGame};
use worker::arena::pool::{MatchPlan, play_match};
use worker::arena::report::MatchReport;
use worker::player::{Mind, Player};

const OPTIONS: EvaluatorOptions =
    EvaluatorOptions { batch_size: 8, precision: Precision::Float32, cache_entries: 0 };

fn baseline(name: &str, mind: Mind) -> Player {
    Player { name: name.to_owned(), mind }
}

fn searcher(rules: &WarChest, seed: i64) -> Player {
    let shape = NetworkShape::of(rules);
    let network = Network::random(Architecture::Mlp { hidden: 16 }, shape, seed as _).unwrap();
    let params = SearchParams {
        simulations: 4,
        worlds: 2,
        temperature: 1.0,
        temperature_plies: 10,
        ..SearchParams::BASE
    };
    Player {
        name: format!("net {seed}"),
        mind: Mind::Search { params, network: Box::new(network) },
    }
}

fn play(players: [Player; 2], n_games: u64, n_threads: usize) -> Vec<MatchedGame<WarChest>> {
    let plan = MatchPlan {
        players: &players,
        seeds: MatchSeeds::new(7),
        n_games,
        evaluator: OPTIONS,
        n_threads,
    };
    let progress = Progress::new("test", Some(n_games), "games");
    play_match(&WarChest::default(), &StructuralUniform, &plan, &progress).unwrap()
}

#[test]
fn threads_have_no_influence_and_pairs_share_their_deal() {
    let rules = WarChest::default();
    assert!(rules.feature_layout().row_len() > 0);
    let players = || [searcher(&rules, 1), searcher(&rules, 2)];
    let one = play(players(), 6, 1);
    let two = play(players(), 6, 2);
    assert_eq!(one.len(), 6);
    assert!(one == two, "the same match on one and on two threads");
    for (number, game) in one.iter().enumerate() {
        assert_eq!(game.number, number as u64);
    }
    for pair in one.chunks_exact(2) {
        assert_eq!(pair[0].setup, pair[1].setup);
        // The first draw comes from the same chance stream.
        assert_eq!(pair[0].plies[0], pair[1].plies[0]);
        assert_ne!(seat_of_a(pair[0].number), seat_of_a(pair[1].number));
    }
    let setups: BTreeSet<_> = one.iter().map(|game| format!("{:?}", game.setup)).collect();
    assert_eq!(setups.len(), 3, "each pair has its own deal");
    let ids: BTreeSet<GameId> = one.iter().map(|game| game.id).collect();
    assert_eq!(ids.len(), 6);
}

#[test]
fn greedy_beats_random_and_the_report_adds_up() {
    let players = [baseline("greedy", Mind::Greedy), baseline("random", Mind::Random)];
    let games = play(players, 40, 2);
    let names = ["greedy".to_owned(), "random".to_owned()];
    let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
    let rules = WarChest::default();
    let report = MatchReport::new(&rules, names, &games, &sprt, 7, String::new());
    assert_eq!(report.pairs, 20);
    assert_eq!(report.wins + report.draws + report.losses + report.truncated, 40);
    assert!(report.wins > 30 && report.elo.elo_low > 0.0, "{report:?}");
    assert_eq!(report.distinct_games, 40);
    assert_eq!(report.pair_counts.iter().sum::<u64>(), 20);
    let json: serde_json::Value = serde_json::to_value(&report).unwrap();
    for key in [
        "pairs",
        "wins",
        "draws",
        "losses",
        "truncated",
        "elo",
        "elo_low",
        "elo_high",
        "llr",
        "decision",
        "distinct_games",
    ] {
        assert!(!json[key].is_null(), "{key} is missing or not finite: {json}");
    }
    // From the other side everything is turned round.
    for game in &games {
        let first_wins = match game.ending {
            game::Ending::Scored(utility) => utility.of(Seat::FIRST) > 0.0,
            game::Ending::Truncated => continue,
        };
        let a_wins = game.result() == GameResult::Win;
        assert_eq!(a_wins, first_wins == (seat_of_a(game.number) == Seat::FIRST));
    }
}

#[test]
fn kept_games_are_drawn_again_and_hide_what_a_seat_may_not_know() {
    let rules = WarChest::default();
    let players = [baseline("greedy", Mind::Greedy), baseline("random", Mind::Random)];
    let games = play(players, 2, 1);
    let names = ["greedy".to_owned(), "random".to_owned()];
    let sprt = Sprt::new(0.0, 20.0, 0.05, 0.05).unwrap();
    let report = MatchReport::new(&rules, names, &games, &sprt, 7, String::new());
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("match");
    kept::claim(&folder).unwrap();
    kept::write(&folder, &rules, &games, &report).unwrap();
    assert!(kept::claim(&folder).unwrap_err().to_string().contains("not empty"));
    let again = kept::read(&folder, 1).unwrap();
    assert_eq!(again, KeptGame::new(&rules, &games[1]));
    assert!(kept::read(&folder, 2).unwrap_err().to_string().contains("0 to 1"));

    let truth = kept::draw(&rules, &again, None, None).unwrap();
    assert!(truth.contains("over:") || truth.contains("truncated"), "{truth}");
    // In the truth every drawn coin has a name; white's own log hides black's draws.
    let white = kept::draw(&rules, &again, Some(Seat::FIRST), Some(6)).unwrap();
    let truth = kept::draw(&rules, &again, None, Some(6)).unwrap();
    assert!(white.contains("black draw:?") && !truth.contains("draw:?"), "{white}\n{truth}");
    let damaged = KeptGame { plies: vec!["pass:archer".to_owned()], ..again };
    assert!(kept::draw(&rules, &damaged, None, None).is_err());
    assert_eq!(rules.n_seats(), 2);
}
