//! How fast moves are counted through the shared traits, on one thread: leaves a second, the best of many short
//! runs, as other work on the machine only ever adds time. For chess the rules crate's own loop runs in turn with ours.

use boards::{Chess, Xiangqi};
use cozy_chess::Board;
use game::perft::perft;
use game::{Chance, Notation};
use std::time::Instant;

const RUNS: usize = 60;

fn seconds(work: &mut impl FnMut() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let leaves = work();
    (leaves, start.elapsed().as_secs_f64())
}

fn positions(file: &str) -> impl Iterator<Item = &str> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('|').next().expect("a first field").trim())
}

fn through_traits<R: Chance + Notation>(rules: &R, position: &str, depth: u32) {
    let mut state = rules.parse_position(position).expect("a position");
    let mut ours = || perft(rules, &mut state, depth);
    let (mut leaves, mut best) = seconds(&mut ours);
    for _ in 1..RUNS {
        let (n, took) = seconds(&mut ours);
        (leaves, best) = (n, best.min(took));
    }
    let millions = leaves as f64 / best / 1e6;
    println!("{} {position} depth {depth}: {leaves} leaves, {millions:.0} million/s", R::NAME);
}

/// The loop of the rules crate's own example, last ply counted.
fn own_loop(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
        return leaves;
    }
    board.generate_moves(|moves| {
        for played in moves {
            let mut child = board.clone();
            child.play_unchecked(played);
            leaves += own_loop(&child, depth - 1);
        }
        false
    });
    leaves
}

fn beside_own_loop(position: &str, depth: u32) {
    let rules = Chess::WITHOUT_DRAWS;
    let mut state = rules.parse_position(position).expect("a position");
    let board = state.board().clone();
    let (mut own_best, mut our_best) = (f64::INFINITY, f64::INFINITY);
    let mut leaves = 0;
    for _ in 0..RUNS {
        let (own, own_took) = seconds(&mut || own_loop(&board, depth));
        let (ours, took) = seconds(&mut || perft(&rules, &mut state, depth));
        assert_eq!(own, ours);
        leaves = ours;
        own_best = own_best.min(own_took);
        our_best = our_best.min(took);
    }
    let millions = |best: f64| leaves as f64 / best / 1e6;
    println!(
        "chess {position} depth {depth}: {leaves} leaves, {:.0} million/s, own loop {:.0}, ratio {:.3}",
        millions(our_best),
        millions(own_best),
        own_best / our_best,
    );
}

fn main() {
    let depths = [5, 4, 6, 4, 4, 4];
    for (position, depth) in positions(include_str!("../perft/chess.txt")).zip(depths) {
        beside_own_loop(position, depth);
    }
    for position in positions(include_str!("../perft/xiangqi.txt")) {
        through_traits(&Xiangqi::WITHOUT_DRAWS, position, 4);
    }
}
