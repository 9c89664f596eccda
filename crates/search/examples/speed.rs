//! How many simulations a second the search itself makes: War Chest, an evaluator that costs nothing, one core.
//!
//! `cargo run --release -p search --example speed`

use game::evaluate::UniformEvaluator;
use game::{Rules, Seat, Stream, Turn};
use referee::Truth;
use search::{Pimc, Search, SearchParams, SearchStreams, drive};
use std::time::Instant;
use warchest::{StructuralUniform, WarChest};

fn main() {
    let rules = WarChest::default();
    for (simulations, worlds) in [(64, 2), (64, 4), (400, 8), (4000, 4)] {
        let params = SearchParams {
            simulations,
            worlds,
            prior_shaping: 1.5,
            temperature: 1.0,
            temperature_plies: 1_000_000,
            ..SearchParams::BASE
        };
        let mut searches = Seat::BOTH.map(|_| Pimc::new(rules, StructuralUniform, params));
        let mut stream = Stream::from_seed(1);
        let (mut n_simulations, mut n_decisions, mut n_games) = (0u64, 0u64, 0u64);
        let started = Instant::now();
        while started.elapsed().as_secs_f64() < 3.0 {
            searches.iter_mut().for_each(Search::new_game);
            let mut truth = Truth::new(rules, &rules.deal(&mut stream));
            loop {
                match truth.turn() {
                    Turn::Over => break,
                    Turn::Chance => {
                        truth.draw(&mut stream);
                    }
                    Turn::Seat(seat) => {
                        let streams = SearchStreams::from_seed(stream.next_u64());
                        let seen = truth.observation(seat);
                        let search = &mut searches[seat.idx()];
                        let decision = drive(search, seen, streams, &mut UniformEvaluator)
                            .expect("the observation is of a real game");
                        n_simulations += u64::from(decision.simulations());
                        n_decisions += u64::from(decision.is_searched());
                        truth.play(decision.chosen()).expect("it is legal");
                    }
                }
            }
            n_games += 1;
        }
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{simulations} simulations over {worlds} worlds: {:.0} simulations/s, {:.0} decisions/s, {n_games} games",
            n_simulations as f64 / seconds,
            n_decisions as f64 / seconds
        );
    }
}
