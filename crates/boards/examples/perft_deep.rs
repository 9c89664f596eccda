//! How fast moves of the small games are counted through the shared traits, on one thread, at a depth of seconds.

use boards::{ConnectFour, InARow, Othello};
use game::Chance;
use game::perft::perft;
use std::time::Instant;

fn print<R: Chance<Setup = ()>>(name: &str, rules: &R, depth: u32) {
    for _ in 0..3 {
        let start = Instant::now();
        let leaves = perft(rules, &mut rules.initial(&()), depth);
        let millions = leaves as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("{name} depth {depth}: {leaves} leaves, {millions:.0} million/s");
    }
}

fn main() {
    print("othello", &Othello::default(), 11);
    print("connect-four", &ConnectFour::default(), 10);
    print("gomoku", &InARow::GOMOKU_FREESTYLE, 4);
}
