//! Proves the trainer's cycle: a checkpoint a generation, each the child of the one before; a trainer that starts
//! again goes on as if it had not stopped; a damaged shard does not end the run.

mod support;

use net::Checkpoint;
use std::cell::RefCell;
use std::ops::ControlFlow;
use support::{GAME, accept_shard, games, run_folder, settings};
use trainer::board::Board;
use trainer::cycle::{Cycle, Place, Publisher, first_checkpoint};

#[derive(Default)]
struct Published(RefCell<Vec<(String, u32)>>);

impl Publisher for Published {
    fn publish(&self, checkpoint: &Checkpoint) -> anyhow::Result<()> {
        let header = &checkpoint.header;
        assert!(checkpoint.folder.join("checkpoint.toml").is_file(), "saved before published");
        self.0.borrow_mut().push((header.id.clone(), header.facts.generation));
        Ok(())
    }
}

fn place(folder: &run::RunFolder) -> Place {
    Place {
        run: "test".to_owned(),
        game: "fake".to_owned(),
        training_root: folder.training_dir(),
        checkpoints: folder.checkpoints_dir(),
    }
}

/// Three generations of shards; `restart` makes a new trainer before each.
fn three_generations(restart: bool) -> Vec<(String, u32)> {
    let parent = tempfile::tempdir().unwrap();
    let folder = run_folder(parent.path(), &[]);
    let (settings, board, published) = (settings(&[]), Board::default(), Published::default());
    let first = first_checkpoint(&GAME, &settings, &place(&folder)).unwrap();
    published.publish(&first).unwrap();
    for number in 0..7 {
        board.push_accepted(accept_shard(&folder, &format!("s{number}"), &games(number * 2, 2)));
    }
    let start = |newest: Checkpoint| Cycle::new(GAME, settings, place(&folder), &board, newest);
    let mut cycle = start(first);
    for _ in 0..3 {
        if restart {
            let newest = Checkpoint::load(&cycle.newest().folder, None).unwrap();
            cycle = start(newest);
        }
        assert_eq!(cycle.run_one(&published).unwrap(), ControlFlow::Continue(()));
    }
    let header = &cycle.newest().header;
    let updates = header.optimizer.as_ref().map(|optimizer| optimizer.updates);
    assert_eq!(updates, Some(header.facts.step), "the optimizer's moments are carried on");
    // 60 rows make a generation and a shard has 40, so two shards each: one shard is left.
    assert_eq!(cycle.newest().header.facts.window.last_sequence, 6);
    board.stop("test");
    assert_eq!(cycle.run_one(&published).unwrap(), ControlFlow::Break(()));
    published.0.into_inner()
}

#[test]
fn a_restarted_trainer_publishes_the_same_checkpoints() {
    let published = three_generations(false);
    let generations: Vec<u32> = published.iter().map(|(_, generation)| *generation).collect();
    assert_eq!(generations, [0, 1, 2, 3]);
    assert_eq!(three_generations(true), published);
}

#[test]
fn a_checkpoint_tells_where_it_comes_from() {
    let parent = tempfile::tempdir().unwrap();
    let folder = run_folder(parent.path(), &[]);
    let (settings, board, published) = (settings(&[]), Board::default(), Published::default());
    let first = first_checkpoint(&GAME, &settings, &place(&folder)).unwrap();
    let again = first_checkpoint(&GAME, &settings, &place(&folder)).unwrap();
    assert_eq!(first.header, again.header, "checkpoint 0 follows from the seed");
    for number in 0..2 {
        board.push_accepted(accept_shard(&folder, &format!("s{number}"), &games(number * 2, 2)));
    }
    let first_id = first.header.id.clone();
    let mut cycle = Cycle::new(GAME, settings, place(&folder), &board, first);
    cycle.run_one(&published).unwrap().is_continue().then_some(()).unwrap();
    let facts = &cycle.newest().header.facts;
    assert_eq!(facts.parent.as_ref(), Some(&first_id));
    // 80 new rows, each four times, 32 rows a step.
    assert_eq!((facts.generation, facts.step), (1, 10));
    let report = std::fs::read_to_string(cycle.newest().folder.join("report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["truncated_games"], 1);
    assert_eq!(report["truncated_share"], 0.25);
    assert_eq!(report["new_rows"], 80);
}

#[test]
fn a_damaged_shard_is_left_out_and_the_run_goes_on() {
    let parent = tempfile::tempdir().unwrap();
    let folder = run_folder(parent.path(), &[]);
    let (settings, board, published) = (settings(&[]), Board::default(), Published::default());
    let first = first_checkpoint(&GAME, &settings, &place(&folder)).unwrap();
    for number in 0..2 {
        board.push_accepted(accept_shard(&folder, &format!("s{number}"), &games(number * 2, 2)));
    }
    std::fs::write(folder.training_dir().join("shards/s0.parquet"), b"damaged").unwrap();
    let mut cycle = Cycle::new(GAME, settings, place(&folder), &board, first);
    assert!(cycle.run_one(&published).unwrap().is_continue());
    let window = &cycle.newest().header.facts.window;
    assert_eq!((window.shards, window.rows + window.held_out_rows), (1, 40));
}

#[test]
fn a_stopped_trainer_publishes_nothing() {
    let parent = tempfile::tempdir().unwrap();
    let folder = run_folder(parent.path(), &[]);
    let (settings, board, published) = (settings(&[]), Board::default(), Published::default());
    let first = first_checkpoint(&GAME, &settings, &place(&folder)).unwrap();
    for number in 0..2 {
        board.push_accepted(accept_shard(&folder, &format!("s{number}"), &games(number * 2, 2)));
    }
    let broken = {
        let mut broken = settings;
        broken.optimizer.learning_rate = 1e30;
        broken
    };
    let mut cycle = Cycle::new(GAME, broken, place(&folder), &board, first);
    let error = cycle.run_one(&published).unwrap_err();
    assert!(format!("{error:#}").contains("not finite"), "{error:#}");
    board.stop("test");
    assert!(cycle.run_one(&published).unwrap().is_break());
    assert!(published.0.borrow().is_empty());
    assert_eq!(folder.checkpoints().unwrap().len(), 1, "only checkpoint 0");
}
