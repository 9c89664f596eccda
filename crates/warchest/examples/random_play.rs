//! Prints how many decisions a second uniform random play makes on one core: `random_play [SECONDS] [SEED]`.

use game::bench::random_play;
use std::time::Duration;
use warchest::WarChest;

fn main() {
    let mut args = std::env::args().skip(1);
    let seconds = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(3.0);
    let seed = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(1);
    let bench = random_play(&WarChest::default(), Duration::from_secs_f64(seconds), seed);
    println!(
        "{:.0} decisions/s, {:.0} games/s, {:.1} plies a game",
        bench.decisions_per_s(),
        bench.games_per_s(),
        bench.decisions as f64 / bench.games as f64
    );
}
