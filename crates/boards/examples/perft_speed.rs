//! How fast moves are counted through the shared traits, on one thread: leaves a second, the best of five runs.

use boards::Xiangqi;
use game::perft::perft;
use game::{Chance, Notation};
use std::time::Instant;

fn seconds(mut work: impl FnMut() -> u64) -> (u64, f64) {
    let mut best = f64::INFINITY;
    let mut leaves = 0;
    for _ in 0..5 {
        let start = Instant::now();
        leaves = work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    (leaves, best)
}

fn through_traits<R: Chance + Notation>(rules: &R, position: &str, depth: u32) {
    let mut state = rules.parse_position(position).expect("a position");
    let (leaves, best) = seconds(|| perft(rules, &mut state, depth));
    let millions = leaves as f64 / best / 1e6;
    println!("{} {position} depth {depth}: {leaves} leaves, {millions:.0} million/s", R::NAME);
}

fn main() {
    let positions = include_str!("../perft/xiangqi.txt");
    for line in positions.lines().filter(|line| !line.starts_with('#')) {
        let position = line.split('|').next().expect("a first field").trim();
        through_traits(&Xiangqi::WITHOUT_DRAWS, position, 5);
    }
}
