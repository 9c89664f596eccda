//! Proves that `train` learns from accepted shards without coordinator and audit folder, that what it writes is a
//! whole checkpoint, and that bad input is refused with everything left as it was.

mod support;

use game::Fingerprinted;
use net::Checkpoint;
use support::fake_game::FakeGame;
use support::{GAME, accept_shard, args, games, run_folder, settings, snapshot, write_shard};
use trainer::train::retrain;

#[test]
fn a_small_set_is_learnt_and_the_unseen_games_too() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    accept_shard(&folder, "a", &games(0, 12));
    accept_shard(&folder, "b", &games(12, 12));
    let report = retrain(GAME, &args(&folder, 400), &folder, &settings(&[])).unwrap();

    assert_eq!(report.rows + report.held_out_rows, 480);
    assert!(report.held_out_rows > 0 && report.held_out_rows.is_multiple_of(20), "whole games");
    // The targets' entropy is that of 60 : 4, about 0.234.
    assert!((report.target_entropy - 0.2338).abs() < 1e-3, "{}", report.target_entropy);
    assert!(report.policy_loss_first > 1.5, "{report:?}");
    assert!(report.policy_loss_last < report.target_entropy + 0.02, "{report:?}");
    assert!(report.value_loss_first.unwrap() > 0.8, "{report:?}");
    assert!(report.value_loss_last.unwrap() < 0.02, "{report:?}");
    assert!(report.held_out_policy_loss.unwrap() < report.target_entropy + 0.05, "{report:?}");
    assert!(report.held_out_value_loss.unwrap() < 0.05, "{report:?}");

    let written = std::path::Path::new(&report.checkpoint);
    assert_eq!(written, folder.retrained_dir().join(&report.id));
    let checkpoint = Checkpoint::load(written, Some(&GAME.fingerprint_text())).unwrap();
    assert_eq!(checkpoint.header.facts.step, 400);
    assert_eq!(checkpoint.header.facts.window.rows, report.rows);
    assert_eq!(checkpoint.header.facts.window.last_sequence, 2);
    assert!(std::fs::read_to_string(&report.plot).unwrap().contains("<svg"));
    let metrics = std::fs::read_to_string(written.join("metrics.jsonl")).unwrap();
    assert_eq!(metrics.lines().count(), 400);
    assert!(folder.checkpoints().unwrap().is_empty(), "nothing is registered");
}

#[test]
fn training_resumed_from_a_checkpoint_equals_training_that_went_on() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    accept_shard(&folder, "a", &games(0, 6));
    let settings = settings(&[]);
    let window = trainer::train::load_window(&folder, GAME, &settings).unwrap().0;
    let learner = || {
        let shape = net::NetworkShape::of(&GAME);
        let network = net::Network::random(settings.architecture, shape, 1).unwrap();
        let optimizer = net::AdamW::new(settings.optimizer, network.parameters());
        trainer::learner::Learner::new(network, optimizer, 1.0, 0)
    };
    let train = |learner: &mut trainer::learner::Learner, first_step, steps| {
        let order_name = "resumed".to_owned();
        let plan = trainer::generation::Plan { window: &window, order_name, steps, first_step };
        let go_on = |_: &_| std::ops::ControlFlow::Continue(());
        trainer::generation::train(&GAME, &settings, learner, &plan, go_on).unwrap();
    };
    let mut whole = learner();
    train(&mut whole, 0, 40);

    let mut half = learner();
    train(&mut half, 0, 15);
    let provenance = trainer::generation::Provenance {
        run: "test",
        game: "fake",
        generation: 1,
        parent: None,
        seed: None,
        window: net::WindowSummary::default(),
    };
    let place = |id: &str| folder.checkpoints_dir().join(id);
    let saved =
        trainer::generation::save(&GAME, &settings, &half, provenance, Vec::new(), place).unwrap();
    let read = Checkpoint::load(&saved.folder, None).unwrap();
    let optimizer = read.load_optimizer().unwrap().unwrap();
    let mut resumed = trainer::learner::Learner::new(read.network, optimizer, 1.0, 15);
    train(&mut resumed, 15, 40);
    assert_eq!(resumed.step_count(), whole.step_count());
    assert_eq!(resumed.network().values(), whole.network().values());
}

/// What, which and what to do; and nothing is changed.
fn refused(folder: &run::RunFolder, words: &[&str]) {
    let before = snapshot(folder.root());
    let error = retrain(GAME, &args(folder, 10), folder, &settings(&[])).unwrap_err();
    let text = format!("{error:#}");
    for word in words {
        assert!(text.contains(word), "{word:?} in {text:?}");
    }
    assert_eq!(snapshot(folder.root()), before);
}

#[test]
fn a_truncated_shard_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    accept_shard(&folder, "good", &games(0, 4));
    accept_shard(&folder, "cut", &games(4, 4));
    let path = folder.training_dir().join("shards/cut.parquet");
    let bytes = std::fs::read(&path).unwrap();
    for len in [0, 4, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..len]).unwrap();
        refused(&folder, &["cut"]);
    }
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    std::fs::write(&path, &flipped).unwrap();
    refused(&folder, &["cut"]);
    std::fs::remove_file(&path).unwrap();
    refused(&folder, &["cut"]);
    std::fs::write(&path, &bytes).unwrap();
    retrain(GAME, &args(&folder, 2), &folder, &settings(&[])).unwrap();
}

#[test]
fn a_shard_of_another_game_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    let other = FakeGame { pool: "ranked" };
    let (_, manifest) = write_shard(&folder, &other, "foreign", &games(0, 4));
    record::append_accepted(&folder.accepted_path(), &manifest).unwrap();
    let (own, foreign) = (GAME.fingerprint().to_string(), other.fingerprint().to_string());
    refused(&folder, &["foreign", &own, &foreign]);
    // The whole run of another game, too.
    let error = retrain(other, &args(&folder, 2), &folder, &settings(&[])).unwrap_err().to_string();
    assert!(error.contains(&own) && error.contains(&foreign), "{error}");
}

#[test]
fn a_row_that_the_rules_contradict_is_refused() {
    type Fault = fn(&mut record::TrainingRow);
    let faults: [(&str, Fault); 4] = [
        ("now", |row| row.now[1] = 7),
        ("seat", |row| row.seat = 1 - row.seat),
        ("n_legal", |row| row.n_legal += 1),
        ("visits", |row| {
            // Row 5 has an even last number after this, so that the flat action is not legal.
            row.now[3] &= 0xfe;
            row.n_legal = 7;
            row.visits.push(record::ActionVisits { action: support::FLAT_ACTION, visits: 1 });
        }),
    ];
    for (column, fault) in faults {
        let place = tempfile::tempdir().unwrap();
        let folder = run_folder(place.path(), &[]);
        let mut rows = games(0, 2);
        fault(&mut rows[0][5]);
        accept_shard(&folder, "odd", &rows);
        refused(&folder, &["odd", "row 5", column]);
    }
}

#[test]
fn an_empty_or_unreadable_list_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    let list = folder.accepted_path();
    std::fs::write(&list, "").unwrap();
    refused(&folder, &["no row"]);
    std::fs::write(&list, "{}\n").unwrap();
    refused(&folder, &["accepted.jsonl", "line 1"]);
    std::fs::remove_file(&list).unwrap();
    refused(&folder, &["accepted.jsonl"]);
}

#[test]
fn out_must_not_exist_and_nan_publishes_nothing() {
    let place = tempfile::tempdir().unwrap();
    let folder = run_folder(place.path(), &[]);
    accept_shard(&folder, "a", &games(0, 4));
    let out = place.path().join("out");
    let with_out = trainer::train::TrainArgs { out: Some(out.clone()), ..args(&folder, 2) };
    let report = retrain(GAME, &with_out, &folder, &settings(&[])).unwrap();
    assert_eq!(report.checkpoint, out.display().to_string());
    let before = snapshot(place.path());
    let error = retrain(GAME, &with_out, &folder, &settings(&[])).unwrap_err().to_string();
    assert!(error.contains("exists"), "{error}");

    let mut broken = settings(&[]);
    broken.optimizer.learning_rate = 1e30;
    let error = retrain(GAME, &args(&folder, 5), &folder, &broken).unwrap_err();
    assert!(format!("{error:#}").contains("not finite"), "{error:#}");
    assert_eq!(snapshot(place.path()), before);
}
